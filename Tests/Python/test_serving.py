"""The programs of the guide's page about serving: each gives the rows of the feature file, to the last bit."""

import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
import soundfile
import veery
from sessions import ROOT, code_of

from conftest import noise, tone, write_manifest, write_wav

PAGE = ROOT / "Schemas/guide/serving.md"
BUILT = ROOT / ".build/testing/release"


@pytest.fixture(scope="module")
def folder(veery, program, library, tmp_path_factory):
    """A folder with the file of a training, and what the page's first program takes out of it."""
    folder = tmp_path_factory.mktemp("serving")
    for index in range(6):
        seconds = 0.3 + 0.2 * index
        signal = tone(16000, seconds, [300 + 300 * index, 5000]) + noise(index, round(16000 * seconds), 0.05)
        write_wav(folder / f"audio/{index}.wav", 16000, signal)
    rows = [{"path": f"{index}.wav", "label": "ab"[index % 2], "split": ("train", "test")[index // 4]} for index in range(6)]
    veery("extract", write_manifest(folder / "m.csv", rows), "--root", folder / "audio", "-o", folder / "train.h5", "--set", "audio.sample_rate=16k")
    python(code_of(PAGE, "python")[0], folder)
    return folder


def python(code, folder):
    result = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr


def same_bits(folder, serve):
    """Whether a program gives every clip's features for its samples."""
    file = veery.open(folder / "train.h5")
    assert len(file) == 6 and file.statistics.scope == "dataset"
    for clip in file:
        samples, _ = soundfile.read(clip.recording, dtype="float32")
        result = subprocess.run([serve], input=samples.tobytes(), cwd=folder, capture_output=True, timeout=60)
        assert result.returncode == 0, result.stderr
        found = np.frombuffer(result.stdout, np.float32).reshape(-1, file.bins)
        assert np.array_equal(found, clip.features), clip.id


def refuses_what_it_cannot_read_or_write(folder, serve):
    """Half a sample more than whole ones, and an output that cannot be written, end a program with an error."""
    def served(data, **options):
        return subprocess.run([serve], input=data, cwd=folder, stderr=subprocess.PIPE, timeout=60, **options)

    samples = noise(1, 16000).astype("f4").tobytes()
    assert served(samples, stdout=subprocess.PIPE).returncode == 0
    cut = served(samples[:-2], stdout=subprocess.PIPE)
    assert cut.returncode != 0 and not cut.stdout
    with open("/dev/full", "wb") as full:
        assert served(samples, stdout=full).returncode != 0
    directory = os.open(folder, os.O_RDONLY)
    result = subprocess.run([serve], stdin=directory, cwd=folder, capture_output=True, timeout=60)
    os.close(directory)
    assert result.returncode != 0 and not result.stdout


def test_python(folder, library):
    check = """
import numpy as np
import soundfile
for clip in veery.open("train.h5"):
    samples, rate = soundfile.read(clip.recording, dtype="float32")
    assert np.array_equal(features(samples, rate), clip.features)
    stream = plan.stream(sample_rate=rate)
    pieces = [stream.push(samples[start:start + 700]) for start in range(0, len(samples), 700)] + [stream.finish()]
    assert np.array_equal(np.concatenate(pieces), clip.features)
"""
    python(code_of(PAGE, "python")[1] + check, folder)
    check = """
for clip in veery.open("train.h5"):
    assert features_of_upload(clip.recording.read_bytes()).tobytes() == clip.features.tobytes()
"""
    python("\n".join(code_of(PAGE, "python")[1:3]) + check, folder)
    python(code_of(PAGE, "python")[-1], folder)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no cc, so the page's program in C was not built")
def test_c(folder, library):
    python(code_of(PAGE, "python")[3], folder)
    program, = code_of(PAGE, "c")
    (folder / "serve.c").write_text(program)
    command = ["cc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I", ROOT / "Sources/CVeery/include",
               "-o", "serve-c", "serve.c", library, "-Xlinker", "-rpath", "-Xlinker", library.parent]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    same_bits(folder, folder / "serve-c")
    refuses_what_it_cannot_read_or_write(folder, folder / "serve-c")
    # A minute is served, and what is longer is not cut.
    minute = noise(1, 60 * 16000).astype("f4").tobytes()
    results = [subprocess.run([folder / "serve-c"], input=data, cwd=folder, capture_output=True, timeout=60)
               for data in (minute, minute + b"\0" * 4, minute + b"\0")]
    assert [result.returncode for result in results] == [0, 1, 1] and len(results[0].stdout) == 5998 * 80 * 4
    for result in results[1:]:
        assert result.stdout == b"" and result.stderr == b"serve: the recording is longer than a minute\n"


@pytest.mark.skipif(shutil.which("swiftc") is None, reason="no swiftc, so the page's program in Swift was not built")
@pytest.mark.skipif(
    not (BUILT / "libVeeryObjects.a").exists(), reason="no build of 'make test', so the page's program in Swift was not built")
def test_swift(folder):
    """By the modules that 'make test' has built, which takes a second; test_library.py builds a package that depends on them."""
    (folder / "main.swift").write_text(code_of(PAGE, "swift")[1])
    maps = [word for module in ("CKernels", "CPlatform")
            for word in ("-Xcc", f"-fmodule-map-file={BUILT}/{module}.build/module.modulemap")]
    command = ["pkg-config", "--libs", "fftw3", "soxr"]
    libraries = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    if sys.platform != "darwin":
        libraries.append("-lstdc++")
    command = ["swiftc", "main.swift", "-o", "serve-swift", "-I", BUILT / "Modules", *maps, "-I", ROOT / "Sources/SystemLibraries/CFFTW",
               BUILT / "libVeeryObjects.a", *libraries]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    same_bits(folder, folder / "serve-swift")
    refuses_what_it_cannot_read_or_write(folder, folder / "serve-swift")


def test_the_package_of_the_page_is_that_of_the_example():
    """But for where Veery comes from, and its name."""
    example = (ROOT / "examples/library/Package.swift").read_text()
    shown = code_of(PAGE, "swift")[0]
    dependency = r'url: "https://…/veery", from: "[0-9.]+"'
    assert re.search(dependency, example)[0] == re.search(dependency, shown)[0]
    compact = [re.sub(r"\s", "", text) for text in (shown, example)]
    for part in ("traits:[])", '.product(name:"SignalProcessing",package:"veery")'):
        assert all(part in text for text in compact)
