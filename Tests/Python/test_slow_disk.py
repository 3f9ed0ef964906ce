"""Recordings on a disk that lets every reader wait, as `slow_disk.c` does: more threads read than there are processors.

How many have waited at the same time, the shim counts. Nothing here is measured in seconds.
"""
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "Benchmarks"))
import preload
from conftest import noise, write_manifest, write_wav
from recordings import digest

pytestmark = [pytest.mark.long, pytest.mark.skipif(
    not sys.platform.startswith("linux") or shutil.which("cc") is None,
    reason="NO LINUX, OR NO cc: slow disks are not tested")]

PROCESSORS = len(os.sched_getaffinity(0))
MAXIMUM = max(32, 2 * PROCESSORS)
# So long that a processor has nothing to do meanwhile.
OPEN, READ = 20_000, 2000
CASES = {"normalised": [], "in place": ["--set", "normalize.scope=none"]}


@pytest.fixture(scope="module")
def shim():
    with preload.built(Path(__file__).parents[1] / "Benchmarks" / "slow_disk.c") as library:
        yield library


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Small recordings, more than enough for each of the threads, and their manifest."""
    folder = tmp_path_factory.mktemp("slow-disk")
    for i in range(12):
        write_wav(folder / "slow" / f"{i}.wav", 16000, noise(i, 4000 + 100 * i))
    rows = [{"path": f"slow/{i % 12}.wav", "id": f"clip-{i}", "split": "train"} for i in range(25 * MAXIMUM)]
    write_manifest(folder / "m.csv", rows)
    write_manifest(folder / "few.csv", rows[:50])
    write_manifest(folder / "some.csv", rows[:50 * PROCESSORS])
    return folder


@pytest.fixture
def slow(program, shim, data, tmp_path):
    """Runs the program with the recordings on a slow disk."""
    count = tmp_path / "count"

    def environment(**more):
        return dict(
            os.environ, LD_PRELOAD=str(shim), SLOW_FOLDER=f"{data}/slow/", SLOW_OPEN=str(OPEN), SLOW_READ=str(READ),
            SLOW_COUNT=str(count), **more)

    def run(*command, limit=None, status=(0,)):
        """Returns how many threads have waited at the same time, and the result."""
        count.unlink(missing_ok=True)
        result = subprocess.run(
            [program, *map(str, command)], env=environment(), capture_output=True, text=True, timeout=300,
            preexec_fn=limit)
        assert result.returncode in status, f"status {result.returncode}: {result.stderr}"
        return int(count.read_text()) if count.exists() else 0, result

    run.environment = environment
    return run


@pytest.mark.parametrize("case", CASES)
def test_more_threads_than_processors_read_and_the_bytes_are_the_same(veery, slow, data, tmp_path, case):
    veery("extract", data / "m.csv", "-o", tmp_path / "fast.h5", *CASES[case])
    readers, _ = slow("extract", data / "m.csv", "-o", tmp_path / "slow.h5", *CASES[case])
    assert PROCESSORS < readers <= MAXIMUM
    assert (tmp_path / "slow.h5").read_bytes() == (tmp_path / "fast.h5").read_bytes()
    assert not (tmp_path / "slow.h5.spool").exists()
    # Whether the file is up to date, all recordings tell.
    readers, result = slow("extract", data / "m.csv", "-o", tmp_path / "slow.h5", *CASES[case])
    assert PROCESSORS < readers <= MAXIMUM and "up to date" in result.stderr


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_jobs_fixes_their_number(slow, data, tmp_path, jobs):
    for command in (["extract", data / "few.csv", "-o", tmp_path / "f.h5"], ["check", data / "few.csv"]):
        assert slow(*command, "--jobs", jobs)[0] == jobs


def test_checks_and_dry_runs_read_by_more(slow, data, tmp_path):
    for command in (["check", data / "m.csv"], ["extract", data / "m.csv", "-o", tmp_path / "f.h5", "--dry-run"]):
        assert PROCESSORS < slow(*command)[0] <= MAXIMUM


def limited(kind, amount):
    return lambda: resource.setrlimit(kind, (amount, amount))


@pytest.mark.parametrize("limit, most", [
    (limited(resource.RLIMIT_NOFILE, 64 + 4 * (PROCESSORS + 3)), PROCESSORS + 3),
    (limited(resource.RLIMIT_NOFILE, 40), PROCESSORS),
], ids=["some descriptors", "few descriptors"])
def test_not_more_than_the_limits_allow(slow, data, tmp_path, limit, most):
    assert slow("extract", data / "some.csv", "-o", tmp_path / "f.h5", limit=limit)[0] == most


def test_little_memory_has_fewer_of_them_and_the_same_bytes(veery, slow, data, tmp_path):
    veery("extract", data / "some.csv", "-o", tmp_path / "whole.h5")
    seen = set()
    for mebibytes in (96, 160, 224, 1024):
        output = tmp_path / f"{mebibytes}.h5"
        readers, result = slow(
            "extract", data / "some.csv", "-o", output, limit=limited(resource.RLIMIT_AS, mebibytes << 20),
            status=(0, 75, 127))
        # 127: the system's loader had no memory for a library.
        if result.returncode == 75:
            assert "memory" in result.stderr
        elif result.returncode == 0:
            seen.add(readers)
            assert output.read_bytes() == (tmp_path / "whole.h5").read_bytes()
    assert seen and max(seen) > PROCESSORS and max(seen) <= MAXIMUM


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can change user")
def test_a_machine_that_refuses_threads_has_as_many_as_it_gives(veery, program, shim, data, tmp_path):
    """The program runs as a user with a limit of threads, some of which another process uses."""
    threads = PROCESSORS + 8

    def limit():
        resource.setrlimit(resource.RLIMIT_NPROC, (threads, threads))
        os.setgid(62346)
        os.setuid(62346)

    veery("extract", data / "some.csv", "-o", tmp_path / "whole.h5")
    with tempfile.TemporaryDirectory(prefix="veery-") as name:
        folder = Path(name)
        shutil.copytree(data / "slow", folder / "slow")
        for path in (program, data / "some.csv"):
            shutil.copy(path, folder)
        for path in (folder, folder / "slow", folder / program.name):
            path.chmod(0o777)
        command = [folder / program.name, "--version"]
        if subprocess.run(command, preexec_fn=limit, capture_output=True).returncode != 0:
            pytest.skip("another user cannot run programs in the folder for temporary files")
        environment = dict(
            os.environ, LD_PRELOAD=str(shim), SLOW_FOLDER=f"{folder}/slow/", SLOW_OPEN=str(OPEN),
            SLOW_READ=str(READ), SLOW_COUNT=str(folder / "count"))
        result = subprocess.run(
            [folder / program.name, "extract", folder / "some.csv", "-o", folder / "f.h5"], env=environment,
            preexec_fn=limit, capture_output=True, text=True, timeout=100)
        assert result.returncode == 0, result.stderr
        assert PROCESSORS < int((folder / "count").read_text()) < threads
        assert digest(folder / "f.h5") == digest(tmp_path / "whole.h5")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_run_that_is_killed_while_threads_rest_keeps_what_is_done(program, veery, slow, data, tmp_path, number):
    """The disk is slow for the first recordings; with the others, processors have enough to do, so that threads rest."""
    write_wav(data / "fast.wav", 16000, noise(3, 160_000))
    first = (data / "m.csv").read_text()
    clips = first.count("\n") - 1
    manifest = data / "both.csv"
    manifest.write_text(first + "".join(f"fast.wav,long-{i},train\n" for i in range(1000)))
    settings = ["--set", "frame.fft_length=8192", "--set", "transform.bins=16"]
    command = [program, "extract", manifest, "-o", tmp_path / "f.h5", *settings]
    process = subprocess.Popen(
        [*map(str, command), "--progress", "json"], env=slow.environment(), stderr=subprocess.PIPE, text=True)
    done = 0
    for line in process.stderr:
        done = max(done, json.loads(line).get("done", 0) if line.startswith("{") else 0)
        if done > clips + 200:
            break
    assert process.poll() is None, "the run ended before it was killed"
    process.send_signal(number)
    process.stderr.read()
    assert process.wait(timeout=100) in (-number, 128 + number)
    result = veery("extract", manifest, "-o", tmp_path / "f.h5", *settings, "--json")
    assert json.loads(result.stdout)["resumed_clips"] >= done
    veery("extract", manifest, "-o", tmp_path / "whole.h5", *settings)
    assert (tmp_path / "f.h5").read_bytes() == (tmp_path / "whole.h5").read_bytes()
