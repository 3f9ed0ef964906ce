"""The loops of CKernels on an emulated arm64: the same bits as all sets of the x86-64 processor here."""

import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT
from kernel_calls import all_calls, read_results, write_calls

SOURCES = ROOT / "Sources/CKernels"
DRIVER = Path(__file__).with_name("kernels_driver.c")
# Headers and the C library for arm64: Debian's package libc6-dev-arm64-cross.
SYSTEM = Path("/usr/aarch64-linux-gnu")
LEVELS = ("-O2", "-O3")


@pytest.fixture(scope="module")
def clang():
    """Swift's own clang, where it can be found: it compiles the loops in a build. GCC 12 does not know these vectors."""
    if not sys.platform.startswith("linux") or platform.machine() != "x86_64":
        pytest.skip("SKIPPED: no x86-64 processor under Linux, so the loops in C were not compared with those for arm64")
    swift = shutil.which("swift")
    clang = shutil.which("clang", path=str(Path(swift).resolve().parent)) if swift else None
    clang = clang or shutil.which("clang")
    if clang is None:
        pytest.skip("SKIPPED: no clang, so the loops in C were not tried on arm64")
    return [clang]


@pytest.fixture(scope="module")
def clang_for_arm64(clang, emulator, tmp_path_factory):
    """The start of a command. libgcc, which belongs to another package and differs by version, is not needed."""
    lib = SYSTEM / "lib"
    command = [*clang, "--target=aarch64-linux-gnu", "-isystem", SYSTEM / "include", "-fuse-ld=lld", "-nostartfiles", "-nodefaultlibs",
               lib / "crt1.o", lib / "crti.o", lib / "crtn.o", f"-L{lib}", "-lc"]
    folder = tmp_path_factory.mktemp("empty")
    (folder / "empty.c").write_text("#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n")
    built = subprocess.run([*command, folder / "empty.c", "-o", folder / "empty"], capture_output=True, text=True)
    if built.returncode != 0:
        pytest.skip("SKIPPED: no C library for arm64 (libc6-dev-arm64-cross), or no lld, so the loops in C were not tried on arm64: "
                    f"{built.stderr}")
    subprocess.run([*emulator, folder / "empty"], check=True, stdout=subprocess.DEVNULL)
    return command


@pytest.fixture(scope="module")
def emulator():
    program = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
    if program is None:
        pytest.skip("SKIPPED: qemu-user is not installed, so the loops in C were not tried on arm64")
    return [program, "-L", SYSTEM]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("arm64")


@pytest.fixture(scope="module")
def calls(folder):
    calls = all_calls()
    write_calls(folder / "calls", calls)
    return calls


def results_of(calls, folder, name, compiler, *options, before=()):
    program, results = folder / name, folder / f"{name}-results"
    command = [*compiler, "-std=gnu11", "-Wall", "-Wextra", "-Werror", *options, "-I", SOURCES / "include", DRIVER,
               *sorted(SOURCES.glob("*.c")), "-o", program]
    subprocess.run(command, check=True)
    subprocess.run([*before, program, folder / "calls", results], check=True, timeout=300)
    return read_results(results, calls)


@pytest.fixture(scope="module")
def native(calls, folder, clang):
    """The results of all sets of this processor, by level of optimization."""
    return {level: results_of(calls, folder, f"x86-64{level}", clang, level) for level in LEVELS}


def level_nan(numbers):
    """NaNs differ by processor; the bits of half precision, which are read as integers, do not."""
    return np.where(np.isnan(numbers), np.nan, numbers) if numbers.dtype.kind == "f" else numbers


def different(calls, one, other):
    """The names of the functions of whose results a bit differs."""
    return {call.name for call, these, those in zip(calls, one, other, strict=True)
            for this, that in zip(these, those, strict=True) if level_nan(this).tobytes() != level_nan(that).tobytes()}


def test_every_function_is_called(calls):
    header = (SOURCES / "include/kernels.h").read_text()
    functions = [name for kind in ("kernels", "lanes")
                 for name in re.findall(r"\(\*(\w+)\)\(", re.search(rf"struct veery_{kind} {{(.*?)\n}};", header, re.S)[1])]
    assert len(functions) == 24 and {call.name for call in calls} == {*functions, "veery_ogg_checksum"}


def test_results_are_right(calls, native):
    seen = set()
    for call, results in zip(calls, native["-O2"]["sse2"], strict=True):
        for result, expected in zip(results, call.expected or [None] * len(results), strict=True):
            if expected is None or np.size(expected) == 0:
                continue
            expected = np.ravel(expected)
            if result.dtype == np.int32:  # halves as values: their bits
                result = np.nan_to_num(result.view(np.float32), nan=0, posinf=np.inf, neginf=-np.inf)
            compared = result[:len(expected)].astype(float)
            error = np.abs(np.subtract(compared, expected, where=np.isfinite(expected), out=np.zeros_like(compared))).max()
            largest = np.abs(np.where(np.isfinite(expected), expected, 0)).max()
            assert np.array_equal(np.isinf(compared), np.isinf(expected)), call.name
            assert error <= call.tolerance * largest, (call.name, len(expected), error, largest)
            seen.add(call.name)
    assert seen == {call.name for call in calls} - {"veery_ogg_checksum"}


def test_all_sets_give_the_same_bits(calls, native):
    found = {(level, name): different(calls, results, native["-O2"]["sse2"])
             for level in LEVELS for name, results in native[level].items()}
    assert found == dict.fromkeys(found, set())


@pytest.mark.parametrize("level", LEVELS)
def test_arm64_gives_the_same_bits(calls, native, folder, clang_for_arm64, emulator, level):
    sets = results_of(calls, folder, f"arm64{level}", clang_for_arm64, level, before=emulator)
    assert list(sets) == ["baseline"]
    assert different(calls, sets["baseline"], native[level]["sse2"]) == set()


def test_products_that_are_not_rounded_would_be_seen(calls, native, folder, clang_for_arm64, emulator):
    """-ffp-contract=fast overrules the pragma in kernels.c: wherever a product is added, the compiler fuses both. The products of
    `profile` are exact before they are added: squares, in double precision, of numbers in single precision."""
    sets = results_of(calls, folder, "fused", clang_for_arm64, "-O2", "-ffp-contract=fast", before=emulator)
    assert different(calls, sets["baseline"], native["-O2"]["sse2"]) == {
        "logarithm", "products", "statistics", "from_frames", "transform", "powers", "spectra", "cosines", "tangle", "bands"}
