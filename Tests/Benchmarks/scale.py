#!/usr/bin/env python3
"""Whether memory and time grow no more than they should when a manifest grows: `make scale`.

Extracts 1,000 and 100,000 clips (CLIPS=N), which are the demo's recordings under other ids, and prints the peak memory and
the processor time for a clip of each, their ratios, and what `veery inspect` takes on the larger file. The ratios are what
counts: memory is to grow to 1.3 times at most, time for a clip to 1.1 times, and inspect is to take less than a second.
"""
import argparse
import os
import pathlib
import random
import sys
import tempfile
import time


def measure(arguments):
    """Runs a program; returns its peak memory in MB, its processor time and its wall time in s."""
    begin = time.monotonic()
    process = os.posix_spawn(arguments[0], arguments, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    _, status, usage = os.wait4(process, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{' '.join(arguments)}: status {os.waitstatus_to_exitcode(status)}")
    scale = 1 if sys.platform == "darwin" else 1024
    return usage.ru_maxrss * scale / 1e6, usage.ru_utime + usage.ru_stime, time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("recordings", type=pathlib.Path, help="a folder of 8 kHz WAV files")
    parser.add_argument("--clips", type=int, default=100_000)
    parser.add_argument("--folder", help="where the files go; they need some 0.5 GB for 100,000 clips")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    recordings = sorted(path.resolve() for path in arguments.recordings.rglob("*.wav"))
    if not recordings:
        sys.exit(f"{arguments.recordings}: no WAV files")
    # The same mixture of recordings in both, whatever the number of clips.
    chosen = random.Random(1).sample(recordings, min(500, len(recordings)))
    with tempfile.TemporaryDirectory(prefix="veery-scale-", dir=arguments.folder) as folder:
        folder = pathlib.Path(folder)
        costs = {}
        for count in (1000, arguments.clips):
            manifest = folder / f"{count}.csv"
            with open(manifest, "w", encoding="utf-8") as file:
                file.write("id,path,label,split,start,end\n")
                for clip in range(count):
                    path = chosen[clip % len(chosen)]
                    file.write(f"clip-{clip},{path},{clip % 37},{['train', 'train', 'test'][clip % 3]},0,0.2\n")
            command = [program, "extract", str(manifest), "-o", str(folder / f"{count}.h5"), "--quiet", "--set",
                       "audio.sample_rate=8000", "--set", "frame.length=200", "--set", "frame.hop=80", "--set",
                       "frame.fft_length=256", "--set", "transform.bins=40", "--set", "transform.high=4000",
                       "--max-failures", "1%"]
            # With 1000 clips, starting the program and making the file weighs more, and varies: the median of five runs.
            runs = []
            for _ in range(5 if count == 1000 else 1):
                # A file that is up to date would be left as it is.
                (folder / f"{count}.h5").unlink(missing_ok=True)
                runs.append(measure(command))
            costs[count] = [sorted(column)[len(column) // 2] for column in zip(*runs)]
            memory, processor, wall = costs[count]
            print(f"{count:>9,} clips: peak {memory:6.1f} MB, {1e3 * processor / count:.3f} ms of processor time a clip, "
                  f"{wall:.1f} s", flush=True)
        memory, processor, wall = measure([program, "inspect", str(folder / f"{arguments.clips}.h5")])
        small, large = costs[1000], costs[arguments.clips]
        print(f"memory {large[0] / small[0]:.2f} times, processor time a clip "
              f"{large[1] / arguments.clips / (small[1] / 1000):.2f} times; inspect: {processor:.2f} s of processor time, "
              f"peak {memory:.1f} MB")


if __name__ == "__main__":
    main()
