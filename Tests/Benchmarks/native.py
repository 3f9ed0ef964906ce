"""Builds the programs in C and C++ that Veery is compared with: the floor, and kaldi-native-fbank from its source package."""
import atexit
import contextlib
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tarfile

import preload
from programs import fail

HERE = pathlib.Path(__file__).resolve().parent
# What is needed until the end.
built = contextlib.ExitStack()
atexit.register(built.close)
KALDI_NATIVE_FBANK = "1.23.0"
# What its OnlineFbank needs of its sources, which otherwise want Eigen.
SOURCES = ("feature-fbank", "feature-window", "feature-functions", "feature-raw-audio-samples", "feature-mfcc",
           "whisper-feature", "kaldi-math", "mel-computations", "online-feature", "rfft")


def output_of(command, what):
    """What a command prints. Raises RuntimeError with the command's message if it fails."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    except OSError as error:
        raise RuntimeError(f"{what} cannot be built: {error}") from error
    if done.returncode != 0:
        raise RuntimeError(f"{what} cannot be built: {shlex.join(map(str, command))}: {done.stderr.strip()}")
    return done.stdout


def compiler(variable, names):
    found = os.environ.get(variable) or next((name for name in names if shutil.which(name)), None)
    if not found:
        raise RuntimeError(f"no compiler ({', '.join(names)})")
    return shlex.split(found)


def flags(*packages):
    return shlex.split(output_of(["pkg-config", "--cflags", "--libs", *packages], " and ".join(packages)))


def first_line(command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip().splitlines()[0]
    except (OSError, IndexError):
        return "?"


def floor(work):
    """Builds floor.c: the program's path and the compiler's version."""
    try:
        command = compiler("CC", ("cc", "clang", "gcc"))
        program = work / "floor"
        output_of([*command, "-O3", "-o", program, HERE / "floor.c", *flags("sndfile", "fftw3f", "soxr"), "-pthread"],
                  "the floor")
    except RuntimeError as error:
        fail(error)
    return program, first_line([*command, "--version"])


def slow_disk(folder, opening, reading):
    """Builds slow_disk.c: the environment of a program for which files below a folder wait, in microseconds."""
    try:
        library = built.enter_context(preload.built(HERE / "slow_disk.c"))
    except RuntimeError as error:
        fail(error)
    return {"LD_PRELOAD": str(library), "SLOW_FOLDER": f"{folder}/", "SLOW_OPEN": str(opening), "SLOW_READ": str(reading)}


def kaldi_native_fbank(work):
    """Builds it from its package on PyPI with kissfft of the system, as it is built there: -O3. The program's path.

    Raises RuntimeError where that is not possible.
    """
    folder = work / "kaldi-native-fbank"
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"kaldi_native_fbank-{KALDI_NATIVE_FBANK}"
    archive = source.with_name(source.name + ".tar.gz")
    if not archive.exists():
        output_of([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", folder,
                   f"kaldi-native-fbank=={KALDI_NATIVE_FBANK}"], "kaldi-native-fbank")
    if not source.exists():
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
    program = folder / "kaldi_native_fbank"
    own = HERE / "peers" / "kaldi_native_fbank.cc"
    if program.exists() and program.stat().st_mtime > own.stat().st_mtime:
        return program
    sources = [source / "kaldi-native-fbank" / "csrc" / f"{name}.cc" for name in SOURCES]
    output_of([*compiler("CXX", ("c++", "g++", "clang++")), "-std=c++17", "-O3", "-DNDEBUG", f"-I{source}", "-o", program,
               own, *sources, *flags("sndfile", "kissfft-float"), "-pthread"], "kaldi-native-fbank")
    return program
