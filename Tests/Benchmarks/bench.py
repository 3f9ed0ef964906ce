#!/usr/bin/env python3
"""Times `veery extract` against the floor (floor.c): the least that any program must do for the same files.

The two run by turns, pair by pair, so that what else the machine does meets both. What is printed is their ratio and
no verdict: times differ from machine to machine, and from hour to hour. The exit status says only whether both ran.

Usage: bench.py [ROUNDS]     environment: AUDIO (a folder of mono WAV files), VEERY (the program), JOBS
"""

import collections
import csv
import os
import pathlib
import platform
import shlex
import shutil
import statistics
import subprocess
import sys
import time
import wave

TOP = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
WORK = TOP / ".demo" / "bench"
FRAME_LENGTH, HOP = 400, 160

Run = collections.namedtuple("Run", "wall cpu peak_bytes output")


def fail(message):
    sys.exit(f"bench: {message}")


def compile_floor():
    """Builds floor.c with whatever C compiler is there, and returns the program's path."""
    compiler = os.environ.get("CC") or next((name for name in ("cc", "clang", "gcc") if shutil.which(name)), None)
    if not compiler:
        fail("no C compiler (cc, clang or gcc) for the floor")
    program = WORK / "floor"
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "sndfile", "fftw3f"], check=True, capture_output=True, text=True).stdout
    command = [*shlex.split(compiler), "-O3", "-o", program, HERE / "floor.c", *shlex.split(flags), "-pthread"]
    subprocess.run(command, check=True)
    version = subprocess.run([*shlex.split(compiler), "--version"], capture_output=True, text=True).stdout
    return program, version.splitlines()[0] if version else compiler


def choose_files(folder):
    """Mono WAV files of the folder's commonest rate that hold a whole frame: neither program resamples or fails."""
    by_rate = collections.defaultdict(list)
    left_out = 0
    for path in sorted(folder.rglob("*.wav")):
        try:
            with wave.open(str(path)) as file:
                channels, rate, frames = file.getnchannels(), file.getframerate(), file.getnframes()
        except (wave.Error, EOFError):
            left_out += 1
            continue
        if channels == 1 and frames >= FRAME_LENGTH:
            by_rate[rate].append((path, frames))
        else:
            left_out += 1
    if not by_rate:
        fail(f"no mono WAV file in {folder}")
    rate = max(by_rate, key=lambda rate: len(by_rate[rate]))
    left_out += sum(len(files) for other, files in by_rate.items() if other != rate)
    return rate, by_rate[rate], left_out


def run(command):
    """Runs a program to its end; wall and processor seconds, and the most memory it held."""
    with open(WORK / "output.txt", "w+") as log:
        start = time.perf_counter()
        process = subprocess.Popen([str(word) for word in command], stdout=log, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        output = log.read().strip()
    if process.returncode != 0:
        fail(f"status {process.returncode} from: {shlex.join(map(str, command))}\n{output}")
    scale = 1 if sys.platform == "darwin" else 1024
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * scale, output)


def processor():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def version(command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip().splitlines()[0]
    except (OSError, IndexError):
        return "?"


def show(name, values, unit=""):
    print(f"  {name:<34} median {statistics.median(values):8.2f}{unit}   min {min(values):8.2f}   max {max(values):8.2f}")


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    if rounds < 1:
        fail("at least one round")
    jobs = os.environ.get("JOBS") or "2"
    veery = pathlib.Path(os.environ.get("VEERY") or TOP / ".build" / "release" / "veery").resolve()
    if not os.access(veery, os.X_OK):
        fail(f"no program at {veery}; 'make build' makes it")
    folder = os.environ.get("AUDIO")
    if not folder:
        if subprocess.run([TOP / "examples" / "fetch-recordings.sh", "speech"]).returncode != 0:
            fail("no recordings; AUDIO=DIR names a folder of mono WAV files")
        folder = TOP / ".demo" / "audio" / "speech"
    folder = pathlib.Path(folder).resolve()

    WORK.mkdir(parents=True, exist_ok=True)
    floor, compiler = compile_floor()
    rate, files, left_out = choose_files(folder)
    file_list, manifest = WORK / "files.txt", WORK / "manifest.csv"
    file_list.write_text("".join(f"{path}\n" for path, _ in files))
    with open(manifest, "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["id", "path"])
        rows.writerows((str(path.relative_to(folder).with_suffix("")), path) for path, _ in files)
    hours = sum(count for _, count in files) / rate / 3600
    frames = sum((count - FRAME_LENGTH) // HOP + 1 for _, count in files)

    raw, features = WORK / "floor.bin", WORK / "features.h5"
    floor_command = [floor, file_list, raw, jobs]
    veery_command = [
        veery, "extract", manifest, "-o", features, "--jobs", jobs, "--quiet", "--overwrite",
        "--set", f"audio.sample_rate={rate}", "--set", f"transform.high={min(8000, rate // 2)}",
    ]

    print(f"machine    {processor()}, {os.cpu_count()} cores, {platform.platform()}")
    print(f"versions   {version([veery, '--version'])}; floor: {compiler}; {version(['swift', '--version'])}")
    print(f"audio      {len(files)} files, {hours:.2f} hours, mono, {rate} Hz, {left_out} others left out")
    print("           at their own rate, so that neither program resamples; frames of 400 samples every 160, FFT 512")
    print(f"commands   {shlex.join(str(word) for word in floor_command)}")
    print(f"           {shlex.join(str(word) for word in veery_command)}")
    print(f"{rounds} rounds by turns after a warm-up, {jobs} threads each")

    pairs = []
    for number in range(rounds + 1):
        turns = {"floor": floor_command, "veery": veery_command}
        order = list(turns) if number % 2 else list(reversed(turns))
        results = {}
        for name in order:
            # Both write a file that is not there yet; whatever the filing system does with an old one is not counted.
            (raw if name == "floor" else features).unlink(missing_ok=True)
            results[name] = run(turns[name])
        if number == 0:
            counted = int(results["floor"].output.split()[2])
            if counted != frames:
                fail(f"the floor transformed {counted} frames, not {frames}")
            print(f"outputs    floor {raw.stat().st_size / 1e6:.1f} MB, veery {features.stat().st_size / 1e6:.1f} MB")
        else:
            pairs.append((results["floor"], results["veery"]))

    print("veery / floor, pair by pair")
    show("wall time", [veery.wall / floor.wall for floor, veery in pairs])
    show("processor time", [veery.cpu / floor.cpu for floor, veery in pairs])
    print("hours of audio per second of wall time")
    show("floor", [hours / floor.wall for floor, _ in pairs])
    show("veery", [hours / veery.wall for _, veery in pairs])
    print("memory")
    show("veery, most resident, MB", [veery.peak_bytes / 1e6 for _, veery in pairs])


if __name__ == "__main__":
    main()
