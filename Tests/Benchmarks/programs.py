"""The programs that are timed, each run to its end: Veery, the floor, and the peers, whose start is left out."""
import collections
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent

# wall and processor time in s, peak memory in bytes, and the shape of what was made (0 × 0: nothing is)
Run = collections.namedtuple("Run", "wall cpu peak_bytes frames bins")


def fail(message):
    sys.exit(f"bench: {message}")


class Command:
    """A program that is started for every run and writes one file, which is deleted after it."""

    def __init__(self, name, command, output, shape, environment=None):
        self.name, self.command, self.output = name, [str(word) for word in command], output
        self.shape = shape
        self.environment = dict(os.environ, **environment) if environment else None

    def start(self):
        pass

    def run(self):
        self.remove()
        begin = time.perf_counter()
        process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment)
        # What they print is short: the pipes hold it.
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        text, errors = process.stdout.read(), process.stderr.read()
        process.stdout.close()
        process.stderr.close()
        if process.returncode != 0:
            fail(f"status {process.returncode} from: {shlex.join(self.command)}\n{text}{errors}")
        frames, bins = self.shape(text)
        if frames and self.output.stat().st_size < frames * bins:
            fail(f"{self.output} is too small for {frames} x {bins} values, from: {shlex.join(self.command)}")
        self.remove()
        scale = 1 if sys.platform == "darwin" else 1024
        return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * scale, frames, bins)

    def remove(self):
        self.output.unlink(missing_ok=True)

    def close(self):
        self.remove()


def veery(name, program, manifest, output, jobs, options, preset=None, environment=None):
    """`veery extract`, from its start to the finished file. jobs: 0: Veery chooses."""
    def shape(text):
        result = json.loads(text)
        if result["failures"]:
            fail(f"veery: {result['failures']} clips failed, in {manifest}")
        return result["rows"], result["bins"]

    words = [word for option in options for word in ("--set", option)] + (["--preset", preset] if preset else [])
    return Command(
        name, [program, "extract", manifest, "-o", output, *(["--jobs", jobs] if jobs else []), "--quiet", "--json", "--overwrite",
               *words], output, shape, environment)


def floor(name, program, clips, output, jobs, rate=0, frame=None, syncs=False):
    """floor.c. frame: length, hop, FFT length and values written of each frame; none: it decodes (and resamples) only. syncs:
    whether it waits for the disk."""
    def shape(text):
        return (int(text.split()[2]), frame[3]) if frame else (0, 0)

    return Command(
        name, [program, clips, output if frame else "-", jobs, rate, *(frame or [])], output, shape,
        {"FLOOR_SYNC": "1"} if syncs else None)


class Built(Command):
    """A program that is built when it is first needed, and prints "N clips, N frames". Further files of other threads have the
    output's name and a number."""

    def __init__(self, name, command, output, bins):
        super().__init__(name, [], output, lambda text: (int(text.split()[2]), bins))
        self.build = command

    def start(self):
        """Raises RuntimeError where it cannot be built."""
        self.command = [str(word) for word in self.build()]

    def remove(self):
        super().remove()
        for path in self.output.parent.glob(self.output.name + ".[0-9]*"):
            path.unlink()


class Peer:
    """A script of peers/, started once for all runs of a case; a run is from the line that starts it to the written files."""

    def __init__(self, name, script, clips, output, jobs, kind="log-mel", rate=16_000, source_rate=16_000, environment=None):
        self.name, self.output, self.jobs = name, output, jobs
        self.environment = dict(os.environ, **environment) if environment else None
        self.command = [
            sys.executable, HERE / "peers" / script, clips, output, "--kind", kind, "--rate", rate,
            "--source-rate", source_rate, "--jobs", jobs]
        self.process, self.versions, self.import_seconds = None, {}, 0.0

    def start(self):
        """Raises RuntimeError where the peer is not installed."""
        self.process = subprocess.Popen(
            [str(word) for word in self.command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=self.environment)
        line = self.process.stdout.readline()
        if not line:
            errors = self.process.stderr.read().strip().splitlines()
            self.process = None
            raise RuntimeError(errors[-1] if errors else "it ended without a message")
        answer = json.loads(line)
        self.versions, self.import_seconds = answer["versions"], answer["import_seconds"]

    def run(self):
        # An aborted benchmark may have left some.
        self.remove()
        begin = time.perf_counter()
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        wall = time.perf_counter() - begin
        if not line:
            fail(f"{self.name} ended: {self.process.stderr.read()}")
        answer = json.loads(line)
        size = sum(path.stat().st_size for path in self.outputs())
        if size != 4 * answer["frames"] * answer["bins"]:
            fail(f"{self.name} wrote {size} bytes for {answer['frames']} x {answer['bins']} values")
        self.remove()
        return Run(wall, answer["cpu"], answer["peak_bytes"], answer["frames"], answer["bins"])

    def outputs(self):
        return [path for path in (pathlib.Path(f"{self.output}.{job}") for job in range(self.jobs)) if path.exists()]

    def remove(self):
        for path in self.outputs():
            path.unlink()

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process.stdout.close()
            self.process.stderr.close()
            self.process = None
        self.remove()
