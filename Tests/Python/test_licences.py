"""What is in the program and in libveery, and what the licences of the parts ask for.

With the environment variable VEERY_ENVIRONMENT, a virtual environment with the wheel, also what the wheel says and contains."""

import email
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from conftest import noise

pytestmark = pytest.mark.shipped
ENVIRONMENT = os.environ.get("VEERY_ENVIRONMENT")
wheel_only = pytest.mark.skipif(not ENVIRONMENT, reason="the wheel is tested where VEERY_ENVIRONMENT names an environment with it")


@pytest.fixture(scope="module")
def command(request):
    """The wheel's program, or the one that is tested."""
    return Path(ENVIRONMENT).resolve() / "bin/veery" if ENVIRONMENT else request.getfixturevalue("program")


@pytest.fixture(scope="module")
def run(command):
    def run(*arguments, folder=None, status=0):
        result = subprocess.run([command, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=120)
        assert result.returncode == status, result
        return result

    return run


@pytest.fixture(scope="module")
def has_fftw(run):
    return "\nfftw " in run("--version").stdout


def rows(text):
    """The table's rows: name, then the rest."""
    return dict(re.split("  +", line.strip(), maxsplit=1) for line in text.splitlines() if re.match(r"  \S.*\S  +\S", line))


def test_what_is_passed_on_is_without_FFTW_and_what_is_tested_has_it(command, has_fftw):
    if ENVIRONMENT or ".build/shipped" in str(command):
        assert not has_fftw
    if ".build/testing" in str(command):
        assert has_fftw


@pytest.mark.parametrize("arguments", [["--version", "--licences"], ["--licences", "--version"], ["--licences"], ["--licenses"]])
def test_licences_of_all_parts_are_listed(command, run, has_fftw, arguments):
    """Without a list of its own, which the wheel's has, a program names the shared libraries that it has loaded."""
    text = run(*arguments).stdout
    found = rows(text)
    if ".build/testing" in str(command) and sys.platform == "linux":
        loaded = subprocess.run(["ldd", command], capture_output=True, text=True, check=True).stdout
        if "libhdf5" not in loaded:  # .ci/build: this program alone has the static one
            found.setdefault("HDF5", "BSD-3-Clause")
    for name, licence in {
        "libsndfile": "LGPL-2.1-or-later", "libsoxr": "LGPL-2.1-or-later", "mpg123": "LGPL-2.1-only", "HDF5": "BSD-3-Clause",
        "swift-argument-parser": "Apache-2.0 WITH Swift-exception", "SwiftNIO with llhttp": "Apache-2.0 AND MIT",
        "swift-atomics": "Apache-2.0 WITH Swift-exception", "swift-collections": "Apache-2.0 WITH Swift-exception",
        **({"ICU (swift-foundation-icu)": "Unicode-3.0"} if sys.platform == "linux" else {}), "Swift runtime and Foundation": "Apache-2.0 WITH Swift-exception",
    }.items():
        assert licence in found[name], text
    assert ("FFTW" in found) == has_fftw
    assert ("the whole of it is under the" in text) == has_fftw
    assert max(map(len, text.splitlines())) <= 110


@pytest.mark.parametrize("arguments", [["--version", "--licence"], ["--nonsense", "--version"], ["--version", "extract"],
                                       ["extract", "--version", "--nonsense"], ["--licences", "inspect"]])
def test_a_word_that_the_version_does_not_know_is_wrong_usage(run, arguments):
    result = run(*arguments, status=64)
    other = next(word for word in arguments[arguments[0] == "extract":] if word not in ("--version", "--licences"))
    assert f"unexpected '{other}'" in result.stderr and not result.stdout


@pytest.mark.parametrize("arguments", [["extract", "--version"], ["--version", "--help"], ["-h", "--version"]])
def test_the_version_of_a_command_and_help_are_shown(run, arguments):
    assert "veery" in run(*arguments).stdout


def test_FFTW_is_an_error_in_a_build_without_it(run, has_fftw, tmp_path):
    soundfile.write(tmp_path / "a.wav", noise(1, 16000), 16000)
    arguments = ["extract", ".", "-o", "f.h5", "--set", "transform.engine=fftw"]
    if has_fftw:
        run(*arguments, folder=tmp_path)
        return
    result = run(*arguments, folder=tmp_path, status=1)
    assert "transform.engine" in result.stderr and "without FFTW" in result.stderr and "make build" in result.stderr
    assert not (tmp_path / "f.h5").exists()


def test_FFTW_is_an_error_in_a_library_without_it(tmp_path, request):
    code = "from veery import FeaturePlan; FeaturePlan(settings={'transform.engine': 'fftw'}, normalize=False)"
    environment = dict(os.environ)
    if ENVIRONMENT:
        python = Path(ENVIRONMENT).resolve() / "bin/python"
        environment = {name: value for name, value in environment.items() if name not in ("VEERY", "VEERY_LIBRARY", "PYTHONPATH")}
        has_fftw = False
    else:
        python, has_fftw = sys.executable, ".build/testing" in str(request.getfixturevalue("library"))
    result = subprocess.run([python, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert (result.returncode == 0) == has_fftw and ("without FFTW" in result.stderr) != has_fftw, result


def test_MP3_is_read_and_where_there_is_no_encoder_the_error_names_it(run, tmp_path):
    samples = 0.3 * np.sin(np.arange(48000) * 0.1)
    soundfile.write(tmp_path / "a.mp3", samples, 48000, format="MP3", subtype="MPEG_LAYER_III")
    run("filter", "a.mp3", "a.wav", "--band-pass", "0-24000", folder=tmp_path)
    assert np.abs(soundfile.read(tmp_path / "a.wav")[0][4800:-4800] - samples[4800:-4800]).max() < 0.02
    writes = bool(rows(run("--licences").stdout).get("LAME"))
    assert not (writes and ENVIRONMENT)
    result = run("filter", "a.wav", "b.mp3", "--band-pass", "300-3400", folder=tmp_path, status=0 if writes else 1)
    assert (tmp_path / "b.mp3").exists() == writes
    if not writes:
        assert "no encoder of MP3 (LAME)" in result.stderr and ".flac" in result.stderr and ".mp3)" not in result.stderr
        run("filter", "a.wav", "b.flac", "--band-pass", "300-3400", folder=tmp_path)


# ------------------------------------------------------------------------------------------------------------ the wheel


@pytest.fixture(scope="module")
def information():
    return next(Path(ENVIRONMENT).resolve().glob("lib*/python3*/site-packages/veery-*.dist-info"))


@pytest.fixture(scope="module")
def components(information):
    """Name, version, licence, the files it is linked into, source of each component of the wheel."""
    text = (information / "licenses/THIRD-PARTY.md").read_text()
    return [line.strip("| ").split(" | ") for line in text.splitlines() if re.match(r"\| [^-]", line)][1:]


@wheel_only
def test_the_wheel_states_the_licences_of_its_parts(information, components, run):
    metadata = email.message_from_bytes((information / "METADATA").read_bytes())
    terms = set(metadata["License-Expression"].split(" AND "))
    assert {"Apache-2.0", "LGPL-2.1-or-later", "LGPL-2.1-only", "BSD-3-Clause", "MIT", "Zlib"} <= terms
    assert not any(term.startswith("GPL") and " WITH GCC-exception" not in term for term in terms), terms
    assert terms == {"Apache-2.0"} | {term for row in components for term in row[2].split(" OR ")[0].split(" AND ")}
    for url in metadata.get_all("Project-URL", []):
        assert re.match(r"\w+, https://", url)
    bill = json.loads((information / "sboms/sbom.cdx.json").read_text())
    assert bill["metadata"]["component"]["licenses"][0]["expression"] == metadata["License-Expression"]
    # The program has the same list, made of the same link.
    listed = rows(run("--version", "--licences").stdout)
    for name, version, licence, files, _ in components:
        if "veery" in files.split(", ") and name != "DejaVu fonts":
            assert re.split("  +", listed[name]) == [version, licence]
        text = information / "licenses/third-party" / (re.sub(r"[^A-Za-z0-9.+-]+", "-", name).strip("-") + ".txt")
        assert text.read_bytes().strip()
        assert name != "SwiftNIO with llhttp" or all(word in text.read_text() for word in ("heavily influenced by Netty", "Fedor Indutny"))


@wheel_only
def test_of_the_LGPL_libveery_has_libsoxr_alone(components):
    names = {row[0] for row in components}
    assert not names & {"FFTW", "LAME"} and {"libsndfile", "mpg123", "Cairo", "Nettle"} <= names
    lesser = {row[0] for row in components
              if "libveery" in row[3].split(", ") and row[2].startswith("LGPL") and " WITH " not in row[2]}
    assert lesser == {"libsoxr"}
