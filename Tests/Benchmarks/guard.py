#!/usr/bin/env python3
"""Whether Veery needs more instructions than it did: `make bench-guard`. Not a timed test: nothing else that the
machine does changes the count.

Counts, by valgrind's callgrind, the instructions of whole runs of `veery extract` with one job on two minutes of noise
that this script makes, always the same, and compares them with instructions.json. README.md says what the tolerance is
for. Status 0: within it, or fewer; 1: more; 2: not comparable, as other versions or another processor count otherwise.

Usage: guard.py PROGRAM [--update] [--runs N]
"""
import argparse
import json
import os
import pathlib
import platform
import random
import re
import shutil
import subprocess
import sys
import wave

HERE = pathlib.Path(__file__).resolve().parent
WORK = HERE.parents[1] / ".demo" / "bench" / "guard"
STORED = HERE / "instructions.json"
TOLERANCE = 0.01
RATE, CLIPS, SECONDS = 16_000, 40, 3

# name: clips, and options of extract. "start" has one clip: what starting, planning and the file itself take. Of the
# others only what goes beyond it is counted, so that a kernel's loss does not hide in the start, which is half of all.
CASES = {
    "start": (1, []),
    "log-mel": (CLIPS, []),
    "scrolling-dct": (CLIPS, ["--preset", "scrolling-dct"]),
    "kaldi-mfcc": (CLIPS, ["--preset", "kaldi-mfcc"]),
}


def fail(message):
    print(f"bench-guard: {message}", file=sys.stderr)
    sys.exit(2)


def make_input():
    """Noise of 16 bits, the same on every machine: the generator's bytes are part of what Python promises."""
    WORK.mkdir(parents=True, exist_ok=True)
    noise = random.Random(1)
    names = []
    for clip in range(CLIPS):
        names.append(f"noise-{clip:02}.wav")
        with wave.open(str(WORK / names[-1]), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(b"".join(noise.getrandbits(32).to_bytes(4, "little") for _ in range(RATE * SECONDS // 2)))
    for count in {count for count, _ in CASES.values()}:
        (WORK / f"{count}.csv").write_text("\n".join(["path", *names[:count]]) + "\n")


def stripped(program):
    """A copy without debugging information, which some versions of valgrind cannot read."""
    copy = WORK / "veery"
    tool = shutil.which("strip") or shutil.which("llvm-strip")
    if tool is None or subprocess.run([tool, "-o", copy, program], capture_output=True).returncode != 0:
        shutil.copy(program, copy)
    return copy


def first_line(command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip().splitlines()[0]
    except (OSError, IndexError):
        return "?"


def surroundings():
    """What the count depends on, apart from the program's source."""
    vectors = ""
    try:
        flags = re.search(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
        # Valgrind knows nothing beyond AVX2, and FFTW and the C library choose by these.
        vectors = " ".join(name for name in ("avx", "avx2", "fma") if flags and name in flags.group(1).split())
    except OSError:
        pass
    packages = {"libsndfile": "sndfile", "FFTW": "fftw3", "HDF5": "hdf5", "libdeflate": "libdeflate"}
    return {
        "processor": f"{platform.machine()} {vectors}".strip(),
        "C library": " ".join(platform.libc_ver()),
        "Swift": first_line(["swift", "--version"]),
        "valgrind": first_line(["valgrind", "--version"]),
        **{name: first_line(["pkg-config", "--modversion", package]) for name, package in packages.items()},
    }


def count(program, name):
    """Instructions of one run, and the rows that it made."""
    clips, options = CASES[name]
    output, counts = WORK / f"{name}.h5", WORK / f"{name}.callgrind"
    for path in (output, counts):
        path.unlink(missing_ok=True)
    # Without SWIFT_DETERMINISTIC_HASHING, Swift's hash tables have another seed in every process. Paths are relative and the
    # environment bare, so that their lengths are the same everywhere.
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC", "SWIFT_DETERMINISTIC_HASHING": "1"}
    environment.update({key: os.environ[key] for key in ("LD_LIBRARY_PATH",) if key in os.environ})
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts.name}", f"./{program.name}", "extract",
         f"{clips}.csv", "-o", output.name, "--jobs", "1", "--quiet", "--json", "--overwrite", *options],
        cwd=WORK, env=environment, capture_output=True, text=True)
    if run.returncode != 0:
        fail(f"{name}: status {run.returncode}\n{run.stderr.strip()}")
    total = re.search(r"^(?:summary|totals): (\d+)", counts.read_text(errors="replace"), re.MULTILINE)
    if total is None:
        fail(f"{name}: no count in {counts}")
    output.unlink()
    return int(total.group(1)), json.loads(run.stdout)["rows"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--update", action="store_true", help="write what is counted into instructions.json")
    parser.add_argument("--runs", type=int, default=1, help="count so often, and show how far the counts lie apart")
    arguments = parser.parse_args()
    if not os.access(arguments.program, os.X_OK):
        fail(f"no program at {arguments.program}; 'make build' makes it")
    if not shutil.which("valgrind"):
        fail("valgrind is not installed (apt-get install valgrind); it does not run on macOS")
    make_input()
    program = stripped(arguments.program.resolve())
    here = surroundings()

    stored, before = {}, {}
    if not arguments.update:
        try:
            stored = json.loads(STORED.read_text())
        except (OSError, ValueError) as error:
            fail(f"{STORED.name}: {error}; make bench-guard UPDATE=1 writes it")
        before = stored["instructions"]
        others = [f"{key} {value}, here {here.get(key)}" for key, value in stored["counted with"].items()
                  if here.get(key) != value]

    counted, worst = {}, 0.0
    print(f"{'':<14} {'instructions':>15} {'per frame':>10} {'stored':>15} {'change':>8}")
    for name in CASES:
        runs = [count(program, name) for _ in range(arguments.runs)]
        totals = [total - counted.get("start", 0) for total, _ in runs]
        counted[name] = min(totals)
        frame = f"{counted[name] / runs[0][1]:,.0f}" if name != "start" else ""
        old = before.get(name)
        change = counted[name] / old - 1 if old else None
        worst = max(worst, change or 0)
        print(f"{name:<14} {counted[name]:>15,} {frame:>10} {f'{old:,}' if old else '':>15} "
              f"{f'{change:+.2%}' if old else '':>8}"
              + (f"   runs {(max(totals) - min(totals)) / min(totals):.3%} apart" if len(totals) > 1 else ""), flush=True)

    if arguments.update:
        STORED.write_text(json.dumps({"counted with": here, "instructions": counted}, indent=2) + "\n")
        print(f"written to {STORED.name}")
    elif others:
        print(f"not comparable, counted with: {'; '.join(others)}. "
              "Count the commit to compare with here first, by UPDATE=1.")
        sys.exit(2)
    elif missing := [name for name in counted if name not in before]:
        print(f"nothing is stored for {', '.join(missing)}: UPDATE=1")
        sys.exit(1)
    elif worst > TOLERANCE:
        print(f"more instructions than stored, by more than {TOLERANCE:.0%}; where it is meant: UPDATE=1")
        sys.exit(1)
    elif any(counted[name] < (1 - TOLERANCE) * before.get(name, 0) for name in counted):
        print("fewer than stored: UPDATE=1 keeps what was won")
    else:
        print(f"as stored, within {TOLERANCE:.0%}")


if __name__ == "__main__":
    main()
