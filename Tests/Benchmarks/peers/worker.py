"""What all peers share: two processes that take clips from one list and write float32 rows, each to a file of its own.

The peer is started and imports first. Then it answers every line on its standard input with one pass over the list, and
a line of JSON. So neither starting Python nor importing, nor what a library does at its first call, is counted.
"""
import argparse
import importlib.metadata
import json
import multiprocessing
import os
import resource
import sys
import time

BEGIN = time.monotonic()
# Two processes on two cores: threads within them would only get in each other's way. Read when libraries are imported.
for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402
import soundfile  # noqa: E402

AT_ONCE = 8


class Reader:
    """Decodes clips as soundfile does it; the recording stays open for the next segment."""

    def __init__(self):
        self.path = self.file = None

    def __call__(self, path, start, count):
        """The samples of a clip and their rate. A count below 0: to the end."""
        if path != self.path:
            if self.file:
                self.file.close()
            self.file, self.path = soundfile.SoundFile(path), path
        if self.file.tell() != start:
            self.file.seek(start)
        return self.file.read(count, dtype="float32"), self.file.samplerate


def clips(path):
    for line in open(path, encoding="utf-8"):
        name, *part = line.rstrip("\n").split("\t")
        yield (name, int(part[0]), int(part[1])) if part else (name, 0, -1)


def peak_bytes():
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def serve(make, arguments, rows, number, taken, commands, answers):
    """The main function of a process: makes the features of clips until it has no more commands."""
    features, read = make(arguments), Reader()
    # What is designed, compiled or allocated at the first call is not counted.
    noise = np.random.default_rng(1).uniform(-0.5, 0.5, arguments.source_rate).astype(np.float32)
    features(noise, arguments.source_rate)
    answers.put(None)
    output = f"{arguments.output}.{number}"
    while commands.get():
        frames = width = 0
        begin = time.process_time()
        with open(output, "wb", buffering=1 << 20) as file:
            while True:
                with taken.get_lock():
                    first = taken.value
                    taken.value += AT_ONCE
                if first >= len(rows):
                    break
                for clip in rows[first : first + AT_ONCE]:
                    values = np.ascontiguousarray(features(*read(*clip)), dtype=np.float32)
                    values.tofile(file)
                    frames += len(values)
                    width = values.shape[1]
        answers.put({"frames": frames, "bins": width, "cpu": time.process_time() - begin, "peak_bytes": peak_bytes()})


def read_arguments():
    """What a peer is given."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("list", help="a clip on each line: PATH, or PATH, START and COUNT in samples")
    parser.add_argument("output", help="the files are OUTPUT.0, OUTPUT.1 …")
    parser.add_argument("--kind", choices=["log-mel", "fft", "dct"], default="log-mel")
    parser.add_argument("--rate", type=int, default=16_000, help="what the samples are resampled to, in Hz")
    parser.add_argument("--source-rate", type=int, default=16_000, help="what the recordings have, in Hz")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def answer(packages):
    """Says that the peer is ready."""
    versions = {name: importlib.metadata.version(name) for name in packages}
    print(json.dumps({"versions": versions, "import_seconds": time.monotonic() - BEGIN}), flush=True)


def main(make, packages):
    """Runs a peer. `make(arguments)` returns the function (samples, rate) → [frames, bins]."""
    arguments = read_arguments()
    rows = list(clips(arguments.list))
    # Forked: the workers share what is imported, and need no time for it.
    context = multiprocessing.get_context("fork")
    taken, answers = context.Value("q", 0), context.SimpleQueue()
    commands = [context.SimpleQueue() for _ in range(arguments.jobs)]
    workers = [
        context.Process(target=serve, args=(make, arguments, rows, number, taken, queue, answers), daemon=True)
        for number, queue in enumerate(commands)]
    for worker in workers:
        worker.start()

    def gather():
        results = []
        while len(results) < len(workers):
            # Without this check, a worker that has died would be waited for without end.
            while answers.empty():
                if not all(worker.is_alive() for worker in workers):
                    sys.exit("a worker died")
                time.sleep(0.001)
            results.append(answers.get())
        return results

    gather()
    answer(packages)
    for _ in sys.stdin:
        taken.value = 0
        for queue in commands:
            queue.put(True)
        results = gather()
        print(json.dumps({
            "frames": sum(result["frames"] for result in results), "bins": max(result["bins"] for result in results),
            "cpu": sum(result["cpu"] for result in results),
            "peak_bytes": max(result["peak_bytes"] for result in results)}), flush=True)
    for queue in commands:
        queue.put(False)
    for worker in workers:
        worker.join()
