#!/usr/bin/env python3
"""What more workers would bring, on a machine that has few processors: `make wide`.

Two answers, for 8, 32 and 128 workers:
- Waiting. Opening and reading recordings waits (slow_disk.c), so that workers hardly need a processor. What is left of
  the ideal, a time inversely proportional to the number of workers, is what locks and queues cost.
- A model. A run is measured: the processor time of its workers, that of its first thread, which others wait for, and the
  bytes that it writes to one file. Writes of one file exclude each other in the system, at a rate that is measured, too.

Usage: wide.py [--rounds N] [--work DIR]      after `make bench CASE=a-z,d,e`, which makes the recordings
"""
import argparse
import csv
import os
import pathlib
import statistics
import subprocess
import sys
import time

import native

TOP = pathlib.Path(__file__).resolve().parents[2]
WORK = TOP / ".demo" / "bench"
WORKERS = (8, 32, 128)
# Microseconds: long enough that two processors are idle with 128 workers.
OPEN, READ = 100_000, 20_000
PLAIN = ["--set", "normalize.scope=none"]
# The sets of recordings, each by the case of bench.py that makes it.
CASES = {"speech-wav": "a-z", "long": "d", "seconds": "e"}


def is_there(manifest):
    """Whether a manifest and the recordings that it names are there."""
    try:
        with open(manifest, newline="") as table:
            return pathlib.Path(next(csv.DictReader(table))["path"]).is_file()
    except (OSError, StopIteration, KeyError):
        return False


def check_recordings(work):
    missing = [case for name, case in CASES.items() if not is_there(work / f"{name}.csv")]
    if missing:
        sys.exit(f"wide: there are no recordings; first: make bench CASE={','.join(missing)} ROUNDS=1")


def extract(program, work, name, jobs, options, environment=None):
    output = work / "features.h5"
    command = [program, "extract", work / f"{name}.csv", "-o", output, "--jobs", jobs, "--quiet", "--overwrite", *options]
    return output, subprocess.Popen([str(word) for word in command], env=environment)


def require_success(process, name):
    if process.wait() != 0:
        sys.exit(f"wide: a run of {name} failed with status {process.returncode}")


def waiting(program, work, rounds):
    """Wall times of runs whose recordings wait."""
    count = work / "waited.txt"
    count.unlink(missing_ok=True)
    environment = dict(os.environ, **native.slow_disk(work / "speech-wav", OPEN, READ), SLOW_COUNT=str(count))
    print(f"| workers | s, opening waits {OPEN // 1000} ms, a read {READ // 1000} ms | of the ideal, from {WORKERS[0]} workers |")
    print("|---|---|---|")
    first = None
    for workers in WORKERS:
        times = []
        for _ in range(rounds):
            begin = time.perf_counter()
            output, process = extract(program, work, "speech-wav", workers, PLAIN, environment)
            require_success(process, "speech-wav")
            times.append(time.perf_counter() - begin)
            if not count.exists():
                sys.exit("wide: no recording has waited: the program ran without slow_disk.c, or read other files")
            count.unlink()
        output.unlink()
        middle = statistics.median(times)
        first = first or middle * workers
        print(f"| {workers} | {middle:.2f} | {first / workers / middle:.2f} |", flush=True)


def thread_times(process):
    """Processor seconds of the first thread, and of all others, until the process ends."""
    times = {}
    while process.poll() is None:
        for task in pathlib.Path(f"/proc/{process.pid}/task").glob("*"):
            try:
                # A thread's clock in nanoseconds; those of a thread that has ended are its last ones.
                times[int(task.name)] = int((task / "schedstat").read_text().split()[0]) / 1e9
            except (OSError, ValueError, IndexError):
                pass
        time.sleep(0.002)
    first = times.pop(process.pid, 0)
    return first, sum(times.values())


def one_file_rate(work):
    """Bytes a second of writes of 1 MiB to one new file by one thread: what writers of one file share."""
    path, block = work / "rate.bin", os.urandom(1 << 20)
    rates = []
    for _ in range(3):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        begin = time.perf_counter()
        for number in range(512):
            os.pwrite(descriptor, block, number << 20)
        rates.append((512 << 20) / (time.perf_counter() - begin))
        os.close(descriptor)
        path.unlink()
    return max(rates)


def model(program, work, rounds):
    """A table of predictions from measured costs."""
    rate = one_file_rate(work)
    print(f"\nWrites of one file: {rate / 1e9:.1f} GB/s together.\n")
    print("| run | workers' processor s | first thread's s | GB written | "
          + " | ".join(f"{workers} workers: s" for workers in WORKERS) + " | what stops it |")
    print("|---|---|---|---|" + "---|" * len(WORKERS) + "---|")
    for title, name, options in (("(a) 2.1 h of speech", "speech-wav", PLAIN), ("(a-z) normalised", "speech-wav", []),
                                 ("(d) one recording of 6 h", "long", PLAIN), ("(e) 100,000 files of 1 s", "seconds", PLAIN)):
        runs = []
        for _ in range(rounds):
            output, process = extract(program, work, name, 2, options)
            runs.append(thread_times(process))
            require_success(process, name)
            size = output.stat().st_size
            output.unlink()
        first, others = (statistics.median(values) for values in zip(*runs))
        lock = size / rate
        times = [first + max(others / workers, lock) for workers in WORKERS]
        most = others / lock
        reason = (f"writing of one file, from {most:.0f} workers" if lock > first
                  else f"the first thread: half of all from {others / first:.0f} workers")
        print(f"| {title} | {others:.2f} | {first:.3f} | {size / 1e9:.2f} | "
              + " | ".join(f"{value:.2f}" for value in times) + f" | {reason} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--work", type=pathlib.Path, default=WORK, help="the folder that bench.py makes the recordings in")
    options = parser.parse_args()
    program = pathlib.Path(os.environ.get("VEERY") or TOP / ".build" / "release" / "veery").resolve()
    check_recordings(options.work)
    waiting(program, options.work, options.rounds)
    model(program, options.work, options.rounds)


if __name__ == "__main__":
    main()
