"""The scripts of examples/slurm on a real Slurm with three virtual nodes: whatever is killed, the file has one machine's bytes.

    make test-slurm           all of it; the tests marked `long` are left out of continuous integration

The cases run at the same time: the slow ones are submitted first and looked at last. Files and the queue show what to wait for.
"""

import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import wave
from pathlib import Path

import pytest
from cluster import Cluster, run

sys.path.insert(0, str(Path(__file__).parents[1] / "Benchmarks"))
import preload

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "examples/slurm"
OPTIONS = ["--preset", "log-mel", "--set", "audio.sample_rate=8000", "--set", "transform.high=4000"]
SHARDS = 6
# MaxArraySize: small, so that cases of 40 and more shards have several for a task; or Slurm's default.
ARRAY = int(os.environ.get("VEERY_TEST_ARRAY", 21))


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The programs, and 240 recordings of noise with two manifests: 480 and 50,000 clips."""
    folder = tmp_path_factory.mktemp("slurm")
    program = Path(os.environ["VEERY"]).resolve()
    (folder / "bin").mkdir()
    (folder / "bin/veery").symlink_to(program)
    os.environ["PATH"] = f"{folder / 'bin'}:{os.environ['PATH']}"
    noise = random.Random(1)
    for number in range(240):
        with wave.open(str(folder / f"{number}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(8000)
            file.writeframes(noise.randbytes(2 * noise.randrange(1600, 8000)))
    for name, clips in (("m.csv", 480), ("large.csv", 50_000)):
        rows = [f"{i},{i * 240 // clips}.wav,l{i % 3},{i % 7 / 100}\n" for i in range(clips)]
        (folder / name).write_text("id,path,label,start\n" + "".join(rows))
    (folder / "bad.yaml").write_text("frame: {hop: -3}\n")
    with preload.built(Path(__file__).with_name("slow.c")) as Case.slow_disk:
        yield folder


@pytest.fixture(scope="session")
def expected(folder):
    return whole(folder, "m.csv", "one").joinpath("one.h5").read_bytes()


def whole(folder, manifest, name, *options):
    """The folder of one machine's output, which is as far from the recordings as those of the cases: the file says where they are."""
    (folder / f"whole-{name}").mkdir()
    output = folder / f"whole-{name}" / f"{name}.h5"
    subprocess.run(["veery", "extract", manifest, "-o", output, *options, "-q", *OPTIONS], cwd=folder, check=True)
    return output.parent


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    # A short path: that of munged's socket has 107 bytes at most.
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), array=ARRAY)
    yield cluster
    cluster.stop()


class Case:
    """An output, its jobs, which have the name of the case, and their logs, in a folder of the case."""

    # A library that makes opening a recording slow; preloaded where `delay` is given.
    slow_disk = None

    def __init__(self, cluster, folder, name, delay=0, manifest="m.csv", shards=SHARDS, options=(), **environment):
        self.cluster, self.name, self.shards = cluster, name, shards
        self.folder = folder / name
        self.folder.mkdir()
        self.output = self.folder / "X.h5"
        self.arguments = [str(shards), f"../{manifest}", "X.h5", *OPTIONS, *options]
        # Cases that kill or freeze a node have others to themselves: Slurm notices only after a while, and sends tasks there.
        self.environment = dict(os.environ, SBATCH_JOB_NAME=name, SBATCH_CONSTRAINT="safe") | environment
        if delay:
            self.environment |= {"LD_PRELOAD": str(self.slow_disk), "VEERY_TEST_DELAY": str(delay)}
            self.arguments += ["--jobs", "1"]

    def submit(self):
        done = subprocess.run(
            [SCRIPTS / "submit.sh", *self.arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        self.since = time.monotonic()
        return done.stdout

    def sbatch(self, *arguments):
        return subprocess.run(
            ["sbatch", "--parsable", *map(str, arguments)], cwd=self.folder, env=self.environment, check=True,
            capture_output=True, text=True).stdout.strip()

    def processes(self, program="veery"):
        """The processes of the case that run a program, and the nodes they are on: by their folder and environment."""
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "cwd") != str(self.folder):
                    continue
                words = (process / "cmdline").read_bytes().decode().split("\0")
                if Path(words[0]).name != program:
                    continue
                node = re.search(rb"SLURMD_NODENAME=(\w+)", (process / "environ").read_bytes())
                yield int(process.name), node and node[1].decode()
            except OSError:
                continue

    def working(self, least=2):
        """Waits until attempts at `least` shards have clips; the processes that work at them."""
        def has_clips():
            spools = [path.parent for path in self.output.with_name("X.h5.shards").glob("*.*/clips-*.spool")
                      if path.stat().st_size]
            return len(set(spools)) >= least and list(self.processes())
        return self.cluster.until(has_clips, 60, f"{self.name}: {least} shards with clips")

    def queue(self):
        return run("squeue", "--noheader", "--array", f"--name={self.name}", "--format=%i %T %N").split("\n")[:-1]

    def finish(self, seconds=240):
        self.cluster.until(lambda: not self.queue(), seconds, f"{self.name}: no job left")
        return time.monotonic() - self.since

    def log(self, pattern="*.log"):
        return "".join(path.read_text(errors="replace") for path in sorted(self.folder.glob(pattern)))

    def ended(self, kind):
        """The jobs of the case that have ended: those of arrays, or those that merge."""
        jobs = self.cluster.jobs(self.name)
        shards = [job for job in jobs if job.get("ArrayTaskId", "4294967294") != "4294967294"]
        # Where an array is cancelled before all of its tasks were due, those left end as one job, which has the array's number.
        arrays = {job["ArrayJobId"] for job in shards}
        return shards if kind == "shards" else [job for job in jobs if job not in shards and job["JobId"] not in arrays]

    def check(self, expected, rounds, retried=0):
        """The file of one machine; nothing else is left; the last merge has found all shards done, and began after them."""
        log = self.log()
        # What is wrong comes first: a summary of many tests shows one line of each.
        assert self.output.exists(), f"no file; {log.count('submitting again')} times submitted again:\n{log}"
        assert self.output.read_bytes() == expected, f"other bytes:\n{log}"
        assert not list(self.folder.glob("X.h5.*")), os.listdir(self.folder)
        clips = re.findall(r"taking up shards: (\d+) of (\d+) clips are done, 0 are left", log)
        assert len(clips) == 1 and clips[0][0] == clips[0][1], f"merges of all shards: {clips}\n{log}"
        assert log.count("submitting again") == rounds - 1, (
            f"{log.count('submitting again') + 1} rounds, expected {rounds}: "
            f"{[line for line in log.split(chr(10)) if 'status' in line or 'missing' in line][:5]}\n{log}")
        merges, shards = self.ended("merge"), self.ended("shards")
        assert len(merges) == rounds
        assert max(job["StartTime"] for job in merges) >= max(job["EndTime"] for job in shards)
        return log


@pytest.fixture(scope="session", autouse=True)
def slow(request, cluster, folder, expected):
    """The cases that wait for Slurm, submitted first."""
    cases = {}
    chosen = {item.name for item in request.session.items}
    if "test_a_task_at_its_time_limit" in chosen:
        # A shard sleeps for 40 s. Slurm's shortest limit is a minute; the signal comes up to a minute before it should.
        cases["limit"] = Case(cluster, folder, "limit", delay=1000, SBATCH_TIMELIMIT="1", SBATCH_SIGNAL="B:TERM@10")
        cases["limit"].submit()
    for name, end in (("killed", cluster.kill_node), ("frozen", lambda node: cluster.signal_node(node, signal.SIGSTOP))):
        if f"test_a_node_that_is_{name}" in chosen:
            node = {"killed": "n3", "frozen": "n2"}[name]
            case = cases[name] = Case(cluster, folder, f"node-{name}", delay=150, SBATCH_CONSTRAINT=f"safe|{name}")
            case.submit()
            case.lost = [where for _, where in case.working(least=SHARDS)].count(node)
            end(node)
    return cases


def test_a_set_by_two_arrays(cluster, folder):
    """Shards by one array, and files by another that waits for it: the set of one machine."""
    one = whole(folder, "m.csv", "set", "--files", "3")
    case = Case(cluster, folder, "set")

    def submit(option, count, *after):
        command = shlex.join(["veery", "extract", "../m.csv", "-o", "X.h5", *OPTIONS, option, f"auto/{count}"])
        return case.sbatch(*after, f"--array=1-{count}", "--requeue", "--wrap", command)

    case.since = time.monotonic()
    submit("--file", 3, f"--dependency=afterok:{submit('--shard', 5)}")
    print(f"a set: {case.finish():.0f} s")
    for number in (1, 2, 3):
        name = f"-0000{number}-of-00003.h5"
        assert (case.folder / f"X{name}").read_bytes() == (one / f"set{name}").read_bytes(), case.log("*.out")
    index = (case.folder / "X.index.json").read_text()
    assert index.replace('"X-', '"set-') == (one / "set.index.json").read_text()
    assert not case.output.with_name("X.h5.shards").exists()


def test_no_task_fails(cluster, folder, expected):
    case = Case(cluster, folder, "quiet")
    said = case.submit()
    assert re.search(r"round 1 of 4: shards by job \d+, the file by job \d+; to stop all: scancel \d+ \d+", said)
    case.finish()
    case.check(expected, rounds=1)
    assert {job["JobState"] for job in cluster.jobs("quiet")} == {"COMPLETED"}
    assert len(case.ended("shards")) == SHARDS


def test_tasks_that_are_killed_are_submitted_again(cluster, folder, expected):
    case = Case(cluster, folder, "killed", delay=100)
    case.submit()
    programs = [process for process, _ in case.working(least=SHARDS)]
    scripts = [process for process, _ in case.processes("bash")]
    assert len(programs) == len(scripts) == SHARDS
    # Veery alone, which its script sees; and a script and its veery.
    os.kill(programs[0], signal.SIGKILL)
    parents = {int(re.search(r"PPid:\s+(\d+)", Path(f"/proc/{process}/status").read_text())[1]): process
               for process in programs[1:]}
    script, program = next(iter(parents.items()))
    os.kill(script, signal.SIGKILL)
    os.kill(program, signal.SIGKILL)
    case.finish()
    log = case.check(expected, rounds=2)
    assert "2 of 6 shards are missing: submitting again" in log
    # The two alone have run again.
    assert len(case.ended("shards")) == SHARDS + 2
    assert sorted(job["JobState"] for job in case.ended("shards")) == ["COMPLETED"] * SHARDS + ["FAILED"] * 2


def test_a_bad_configuration_stops_at_once(cluster, folder):
    case = Case(cluster, folder, "bad", shards=40)
    case.arguments = ["40", "../m.csv", "X.h5", "--config", "../bad.yaml"]
    case.submit()
    took = case.finish(30)
    assert not case.output.exists()
    log = case.log()
    assert "frame.hop" in log
    assert re.search(r"shard \d+ ended with status (1|64) on n\d: see job \d+_\d+", log)
    assert "submitting again" not in log
    # A task that fails starts no second shard, and there is one array and one merge.
    assert len({job["ArrayJobId"] for job in case.ended("shards")}) == 1
    assert len(case.ended("shards")) <= ARRAY - 1
    assert [job["ExitCode"] for job in case.ended("merge")] == ["1:0"]
    assert took < 30


def test_a_machine_that_fails_again_and_again_is_given_up(cluster, folder, expected):
    """Status 75 in every task: rounds, and then an end; and a later submission goes on."""
    programs = folder / "failing"
    programs.mkdir()
    (programs / "veery").write_text("#!/bin/sh\necho no space left >&2\nexit 75\n")
    (programs / "veery").chmod(0o755)
    case = Case(cluster, folder, "gives-up", shards=2, VEERY_ROUNDS="2", PATH=f"{programs}:{os.environ['PATH']}")
    case.submit()
    case.finish()
    log = case.log()
    assert "2 of 2 shards are missing: submitting again" in log
    assert "2 of 2 shards are missing after 2 rounds: giving up" in log
    assert len(case.ended("shards")) == 4
    assert [job["ExitCode"] for job in case.ended("merge")] == ["0:0", "75:0"]
    case.environment["PATH"] = os.environ["PATH"]
    case.submit()
    case.finish()
    assert case.output.read_bytes() == expected


def test_two_attempts_at_every_shard_at_once(cluster, folder, expected):
    # All attempts have to last until the last one begins, on a machine with other work, too.
    case = Case(cluster, folder, "twice", delay=300)
    arrays = [case.sbatch(f"--array=1-{SHARDS}", SCRIPTS / "shards.sbatch", SHARDS, *case.arguments) for _ in range(2)]
    attempts = cluster.until(
        lambda: len(found := list((case.folder / "X.h5.shards").glob("*.*"))) >= 2 * SHARDS and found, 60, "attempts")
    assert len({path.name.partition(".")[0] for path in attempts}) == SHARDS
    case.environment |= {"VEERY_ROUND": "1", "VEERY_ROUNDS": "1", "VEERY_SLURM": str(SCRIPTS)}
    case.since = time.monotonic()
    case.sbatch(f"--dependency=afterany:{':'.join(arrays)}", SCRIPTS / "merge.sbatch", *case.arguments)
    case.finish()
    case.check(expected, rounds=1)
    assert {job["JobState"] for job in cluster.jobs("twice")} == {"COMPLETED"}


def test_the_run_is_submitted_twice(cluster, folder, expected):
    case = Case(cluster, folder, "whole-twice", delay=20)
    case.submit()
    case.submit()
    case.finish()
    assert case.output.read_bytes() == expected, case.log()
    assert not (case.folder / "X.h5.shards").exists()


def test_cancelling_ends_all_and_the_next_submission_goes_on(cluster, folder, expected):
    case = Case(cluster, folder, "cancelled", delay=100)
    jobs = case.submit().partition("scancel ")[2].split()
    case.working(least=2)
    subprocess.run(["scancel", *jobs], check=True)
    case.finish(30)
    assert not case.output.exists() and "submitting again" not in case.log()
    assert list(case.folder.glob("X.h5.shards/*.*"))
    case.submit()
    case.finish()
    assert case.output.read_bytes() == expected


def test_a_merge_that_is_killed(cluster, folder, expected):
    programs = folder / "mortal"
    programs.mkdir()
    (programs / "veery").write_text(
        "#!/bin/sh\n"
        f'case "$*" in *--shard*) ;; *) [ -e {programs}/once ] || {{ touch {programs}/once; kill -9 $$; }} ;; esac\n'
        f'exec {folder}/bin/veery "$@"\n')
    (programs / "veery").chmod(0o755)
    case = Case(cluster, folder, "merge-killed", PATH=f"{programs}:{os.environ['PATH']}")
    case.submit()
    case.finish()
    assert "the file is not written (status 137): submitting again" in case.check(expected, rounds=2)
    assert len(case.ended("shards")) == SHARDS


def test_a_node_that_is_killed(slow, cluster, expected):
    case = slow["killed"]
    assert case.lost >= 1
    print(f"a node killed: {case.finish():.0f} s")
    case.check(expected, rounds=1)
    assert len([job for job in case.ended("shards") if job["JobState"] == "NODE_FAIL"]) == case.lost


def test_a_node_that_is_frozen(slow, cluster, expected):
    """Like a node that is cut off from the network: its tasks run elsewhere, and later it comes back and goes on writing."""
    case = slow["frozen"]
    assert case.lost >= 1
    print(f"a node frozen: {case.finish():.0f} s")
    case.check(expected, rounds=1)
    assert len([job for job in case.ended("shards") if job["JobState"] == "NODE_FAIL"]) == case.lost
    # Veery alone comes back, before its slurmd can end it.
    assert cluster.signal_node("n2", signal.SIGCONT, "veery") == case.lost
    cluster.until(lambda: not list(case.processes()), 60, "the processes that came back have ended")
    assert case.output.read_bytes() == expected
    assert not list(case.folder.glob("X.h5.*")), os.listdir(case.folder)
    # They found their folders deleted, and the work done.
    assert len(re.findall(r"shard \d/6 is done already", case.log())) == case.lost
    cluster.signal_node("n2", signal.SIGCONT)


def test_a_task_at_its_time_limit(slow, expected):
    case = slow["limit"]
    print(f"a time limit: {case.finish():.0f} s")
    log = case.log()
    # The signal came in the middle of every shard, in one round at least; the finished clips were kept.
    done = list(map(int, re.findall(r"(\d+) of 80 clips are done and kept", log)))
    assert len(done) >= SHARDS and min(done) > 0
    rounds = log.count("submitting again") + 1
    assert 2 <= rounds <= 4
    assert "143:0" in {job["ExitCode"] for job in case.ended("shards")}
    case.check(expected, rounds)


def large(cluster, folder, name, shards, seconds):
    one = whole(folder, "large.csv", f"{name}-one")
    case = Case(cluster, folder, name, manifest="large.csv", shards=shards)
    case.submit()
    print(f"50,000 clips, {shards} shards: {case.finish(seconds):.0f} s")
    case.check((one / f"{name}-one.h5").read_bytes(), rounds=1)
    assert len(case.ended("shards")) == min(shards, ARRAY - 1)


def test_50000_clips(cluster, folder):
    large(cluster, folder, "large", shards=100, seconds=300)


@pytest.mark.long
@pytest.mark.skipif(ARRAY != 1001, reason="needs VEERY_TEST_ARRAY=1001")
def test_more_shards_than_slurms_array_may_have(cluster, folder):
    large(cluster, folder, "larger", shards=1500, seconds=1200)
