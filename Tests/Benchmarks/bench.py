#!/usr/bin/env python3
"""Times `veery extract` against the least any program must do (floor.c) and against other programs: `make bench`.

The programs of a pair run alternately, so that other load affects both. What is printed on standard output,
a Markdown document, is ratios of time and no verdict: times differ from machine to machine, and from hour to hour. The
exit status says only whether all ran, and made features of the same shape. A peer that is not installed is left out,
and named.
"""
import argparse
import datetime
import fcntl
import fnmatch
import os
import pathlib
import platform
import shlex
import statistics
import subprocess
import sys

import cases
import native
from native import first_line
from programs import fail

TOP = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
WORK = TOP / ".demo" / "bench"


def say(message):
    print(f"bench: {message}", file=sys.stderr, flush=True)


def processor():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    if sys.platform == "darwin":
        return first_line(["sysctl", "-n", "machdep.cpu.brand_string"])
    return platform.processor() or platform.machine()


def instructions_of(program):
    """The instruction set of Veery's own transform, by its own account."""
    text = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    return next((line.split()[-1] for line in text.splitlines() if line.startswith("transform ")), "unknown")


def load():
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "?"


def once(program):
    """Runs a program after the system has written everything to the disk, so that no program waits for the writes of the one before."""
    os.sync()
    return program.run()


def count(number, word):
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def rounded(value):
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


def goal_text(goal):
    """For a goal below 1, also the time that Veery may take as a multiple of the other's."""
    return "–" if not goal else f"≥ {rounded(goal)}" if goal >= 1 else f"≥ {rounded(goal)} ({round(1 / goal, 2):g} times)"


def row(other, goal, pairs):
    """A row of the table: medians over the pairs."""
    middle = statistics.median
    walls = [theirs.wall / ours.wall for ours, theirs in pairs]
    cpus = [theirs.cpu / ours.cpu for ours, theirs in pairs]
    cells = [
        other.name, f"**{rounded(middle(walls))}**", f"{rounded(min(walls))}–{rounded(max(walls))}",
        rounded(middle(cpus)), goal_text(goal),
        rounded(middle([ours.wall for ours, _ in pairs])), rounded(middle([theirs.wall for _, theirs in pairs])),
        f"{max(ours.peak_bytes for ours, _ in pairs) / 1e6:.0f}",
        f"{max(theirs.peak_bytes for _, theirs in pairs) / 1e6:.0f}"]
    return "| " + " | ".join(cells) + " |"


def check_shape(case, ours, other, theirs):
    """The others have to make what Veery makes: as many bins, and as many frames. Resamplers may give a sample more or less,
    and audioFlux's longer frames one frame fewer of a clip."""
    if (theirs.frames, theirs.bins) == (0, 0) or case.name == "presets":
        return
    resampled = other.name in ("torchaudio", "librosa", "SciPy") and case.name.startswith("c")
    slack = case.set.clips if resampled or other.name == "audioflux" else 0
    if theirs.bins != ours.bins or abs(theirs.frames - ours.frames) > slack:
        fail(f"({case.name}) {other.name} made {theirs.frames} x {theirs.bins} values, "
             f"veery {ours.frames} x {ours.bins}")


def measure(case, rounds, only, versions):
    """Runs a case and prints its table."""
    clips, veery = case.set, case.veery
    say(f"({case.name}) {case.heading}")
    warm = once(veery)
    print(f"### ({case.name}) {case.heading}\n")
    print(f"{count(clips.clips, 'clip')} of {count(clips.files, 'file')}, {clips.seconds / 3600:.2f} hours; "
          f"{'log-mel: ' if case.name == 'presets' else ''}{warm.frames:,} frames × {warm.bins}.\n")
    shown = ["veery"] + [pathlib.Path(word).name if word.startswith("/") else word for word in veery.command[1:]]
    print(f"`{shlex.join(shown)}`\n")
    print("| other | **wall time, other ÷ Veery** | least–most | processor time, other ÷ Veery | goal, wall "
          "| Veery, s | other, s | Veery, MB | other, MB |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    missing, imports = [], []
    chosen = [(other, goal) for other, goal in case.others
              if any(fnmatch.fnmatchcase(other.name.lower(), pattern) for pattern in only)]
    if not chosen:
        say(f"({case.name}) nothing in it is called so; there are {', '.join(other.name for other, _ in case.others)}")
    for other, goal in chosen:
        try:
            other.start()
        except RuntimeError as error:
            missing.append(f"{other.name} ({error})")
            continue
        check_shape(case, warm, other, once(other))
        pairs = []
        for number in range(rounds):
            results = {}
            for program in (veery, other) if number % 2 else (other, veery):
                results[program] = once(program)
            pairs.append((results[veery], results[other]))
        if hasattr(other, "versions"):
            versions.update(other.versions)
            imports.append(f"{other.name} {other.import_seconds:.1f} s")
        other.close()
        print(row(other, goal, pairs), flush=True)
        ratio = statistics.median(theirs.wall / ours.wall for ours, theirs in pairs)
        say(f"({case.name}) {other.name}: {rounded(ratio)} times Veery's time")
    veery.close()
    if imports:
        print(f"\nLeft out, to start and import: {', '.join(imports)}.")
    if missing:
        print(f"\n**Missing: {'; '.join(missing)}.**")
        say(f"({case.name}) NOT INSTALLED, rows left out: {'; '.join(missing)}")
    print(flush=True)


def built_kernels():
    """Builds the package Kernels; the program's path."""
    say("building the kernels")
    # With -enable-testing, what is internal to the project's modules can be called from there.
    build = ["swift", "build", "-c", "release", "--package-path", HERE / "Kernels", "--scratch-path",
             TOP / ".build" / "kernels", "-Xswiftc", "-enable-testing"]
    if subprocess.run(build, stdout=sys.stderr).returncode != 0:
        fail("the kernels could not be built")
    return TOP / ".build" / "kernels" / "release" / "kernels"


def kernels(maker, rounds):
    """Runs the package Kernels, and prints its table."""
    for name in ("speech-wav", "speech-flac"):
        maker.set(name)
    program = built_kernels()
    print("### Kernels, one thread, against FFTW in single precision\n\nHere, below 1 means that Veery is faster.\n", flush=True)
    if subprocess.run([program, WORK, str(max(rounds, 5))]).returncode != 0:
        fail("the kernels could not be run")
    print(flush=True)


def resampling(rounds):
    """Times resamplers, and prints their table."""
    program = built_kernels()
    print("### Resamplers, one thread, against libsoxr's high quality\n\nHere, below 1 means that Veery is faster.\n", flush=True)
    if subprocess.run([program, "--resampling", str(max(rounds, 5))]).returncode != 0:
        fail("the resamplers could not be timed")
    print(flush=True)


def calls(rounds):
    """Times single calls from Python, and prints their table."""
    say("building libveery")
    if subprocess.run([TOP / ".ci" / "library"], stdout=sys.stderr).returncode != 0:
        fail("libveery could not be built")
    print("### Single calls from Python, 10 s of noise at 16 kHz, one thread\n", flush=True)
    if subprocess.run([sys.executable, HERE / "calls.py", TOP, built_kernels(), str(max(rounds, 5))]).returncode != 0:
        fail("the calls could not be timed")
    print(flush=True)


def browse(program):
    """Times `veery browse` on large datasets, and prints the table."""
    say("browsing large datasets")
    print("### `veery browse`\n", flush=True)
    if subprocess.run([sys.executable, HERE / "browse.py", program, WORK]).returncode != 0:
        fail("the datasets could not be browsed")
    print(flush=True)


def suspicion(maker, rounds):
    """Times the search of suspicious clips, and prints its table."""
    print("### Suspicious clips of 100,000, 80 bins, all cores\n", flush=True)
    if subprocess.run([sys.executable, HERE / "suspicion.py", maker.program, WORK, str(rounds)]).returncode != 0:
        fail("the search of suspicious clips could not be timed")
    print(flush=True)


# Cases that compare something else than `veery extract` with other programs.
INSIDE = {"kernels": kernels, "resampling": lambda maker, rounds: resampling(rounds), "calls": lambda maker, rounds: calls(rounds), "browse": lambda maker, rounds: browse(maker.program),
          "suspicion": suspicion}
KNOWN = [*cases.NAMES, *INSIDE]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", default="all", help=f"{', '.join(KNOWN)}; by commas. a, c and e also run those whose names begin so")
    parser.add_argument("--only", default="*", help="compare with these only, by commas; * stands for anything")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("JOBS") or 2))
    parser.add_argument("--check", action="store_true", help="only look at the options: print peers if other programs are needed")
    parser.add_argument("--audio", type=pathlib.Path, required=True, help="a folder of recordings of speech")
    parser.add_argument("--music", type=pathlib.Path, required=True, help="a folder of recordings for the case c")
    options = parser.parse_args()
    if options.rounds < 1 or options.jobs < 1:
        parser.error("at least one round and one job")
    options.names = []
    for name in options.case.split(","):
        found = [other for other in KNOWN if name in ("all", other, other.split("-")[0])]
        if not found:
            parser.error(f"no case '{name}'; there are {', '.join(KNOWN)}")
        options.names += [other for other in found if other not in options.names]
    return options


def main():
    options = arguments()
    if options.check:
        print("peers" if set(options.names) - {"f", "kernels", "resampling", "browse", "suspicion"} and options.only.lower() != "floor*" else "none")
        return
    program = pathlib.Path(os.environ.get("VEERY") or TOP / ".build" / "release" / "veery").resolve()
    if not os.access(program, os.X_OK):
        fail(f"no program at {program}; 'make build' makes it")
    WORK.mkdir(parents=True, exist_ok=True)
    # The lock is held until the end: two benchmarks at once would write to the same files, and slow each other.
    lock = open(WORK / "lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        fail(f"another benchmark is at work in {WORK}")
    floor, compiler = native.floor(WORK)
    instructions = instructions_of(program)
    maker = cases.Maker(
        WORK, program, floor, options.audio.resolve(), options.music.resolve(), options.jobs, instructions)
    libraries = {name: first_line(["pkg-config", "--modversion", package]) for name, package in (
        ("libsndfile", "sndfile"), ("FFTW", "fftw3"), ("libsoxr", "soxr"), ("HDF5", "hdf5"))}
    print(f"Measured {datetime.date.today()} on {os.cpu_count()} cores, {processor()} with {instructions}, {platform.platform()}; load "
          f"{load()} at the start. Medians of {count(options.rounds, 'round')}, run alternately after a warm-up, {options.jobs} threads or "
          f"processes each. Speech from {options.audio.name}, music from {options.music.name}.\n", flush=True)
    versions = {}
    for name in options.names:
        if name in INSIDE:
            INSIDE[name](maker, options.rounds)
        else:
            measure(maker.all[name](), options.rounds, options.only.lower().split(","), versions)
    if set(options.names) - set(INSIDE):
        print("A ratio of whole programs above 1 says that Veery is faster. Veery and the floor are timed from their start "
              "to their end; of the Python programs, starting and importing are left out, and the memory is that of the "
              "larger of their processes. They write bare float32 values, the floor anything of that size.\n")
    text = [f"{first_line([program, '--version'])} (Veery)", first_line(["swift", "--version"]), f"floor by {compiler}"]
    text += [f"{name} {version}" for name, version in libraries.items()]
    text += [f"Python {platform.python_version()}"] + [f"{name} {version}" for name, version in sorted(versions.items())]
    print(f"Versions: {', '.join(text)}. Load at the end: {load()}.")


if __name__ == "__main__":
    main()
