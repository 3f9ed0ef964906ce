"""Whole extractions with SSE2, AVX2 and AVX-512: the same bytes, wherever the transform is the project's own."""
import hashlib
import json
import os
import re
import shutil
import subprocess

import h5py
import numpy as np
import pytest

from conftest import noise, write_manifest, write_wav
from test_format import metadata_checksum

pytestmark = pytest.mark.shipped

SETS = ("sse2", "avx2", "avx512")
OWN = "lanes 1"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Clips of lengths that end in the middle of a batch, a silent one and a loud one."""
    folder = tmp_path_factory.mktemp("instructions")
    rows = []
    for clip, samples in enumerate([400, 559, 8000, 16_000, 17_777, 40_001]):
        values = noise(clip, samples)
        write_wav(folder / f"{clip}.wav", 16000, np.zeros_like(values) if clip == 3 else values)
        rows.append({"path": f"{clip}.wav", "label": "a"})
    write_manifest(folder / "m.csv", rows)
    write_manifest(folder / "more.csv", [*rows, {"path": "5.wav", "label": "b", "id": "again"}])
    return folder


def run(program, folder, instructions, *arguments, status=0, before=()):
    environment = {name: value for name, value in os.environ.items() if name != "VEERY_INSTRUCTIONS"}
    if instructions:
        environment["VEERY_INSTRUCTIONS"] = instructions
    result = subprocess.run([*before, program, *map(str, arguments)], cwd=folder, env=environment, capture_output=True, text=True,
                            timeout=300)
    assert result.returncode == status, result.stderr
    return result


@pytest.fixture(scope="module")
def sets(program, folder):
    """The sets that this processor has, apart from the one that it uses by default."""
    found = [name for name in SETS if "VEERY_INSTRUCTIONS" not in run(program, folder, name, "--version").stderr]
    if not found:
        pytest.skip("SKIPPED: no x86-64 processor, so there is one set of instructions alone")
    assert found == list(SETS[:len(found)])
    return found


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


CASES = {
    "log-mel": [], "whisper": ["--preset", "whisper"], "kaldi-mfcc": ["--preset", "kaldi-mfcc"],
    "kaldi-fbank": ["--preset", "kaldi-fbank"], "librosa-mfcc": ["--preset", "librosa-mfcc"],
    "rest": ["--preset", "kaldi-mfcc", "--set", "condition.pre_emphasis=0.5"],
    "htk-mfcc": ["--preset", "htk-mfcc"], "librosa-log-mel": ["--preset", "librosa-log-mel"],
    "scrolling-dct": ["--preset", "scrolling-dct"], "musical-spectrum": ["--preset", "musical-spectrum"],
    "mixer-fft": ["--preset", "mixer-fft"], "spectrogram": ["--preset", "spectrogram"],
    "complex": ["--preset", "spectrogram", "--set", "scale={kind: complex}"],
    **{str(length): ["--set", f"frame.fft_length={length}"] for length in (400, 480, 640, 800, 1024, 2048, 4096)},
}
# What the first version of the transform did not compute.
NEW_CASES = {
    **{str(length): ["--set", f"frame.fft_length={length}"] for length in (401, 441, 514, 1001, 4099, 32_768)},
    **{f"dct-{kind}": ["--preset", "scrolling-dct", "--set", f"transform.type={kind}"] for kind in (1, 3, 4)},
    "odd dct": ["--preset", "scrolling-dct", "--set", "frame.length=1023", "--set", "frame.fft_length=1023"],
    "equaliser": ["--set", "condition.dct_filter={mode: band_pass, low: 300, high: 3400}"],
}
NEW = "lanes 2"


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", [*CASES, *NEW_CASES])
def test_all_instructions_give_the_same_bytes(program, folder, sets, name):
    files = []
    for instructions in sets:
        files.append(folder / f"{name}-{instructions}.h5")
        run(program, folder, instructions, "extract", "m.csv", "-o", files[-1], "--jobs", 2, "--max-failures", 2,
            *{**CASES, **NEW_CASES}[name])
    with h5py.File(files[0]) as file:
        software = json.loads(file["provenance/software"][()])
        assert software["transform"] == (OWN if name in CASES else NEW) and "fftw" not in software
    assert len({digest(path) for path in files}) == 1


@pytest.mark.parametrize("name", ["log-mel", "kaldi-mfcc", "scrolling-dct"])
def test_a_processor_that_is_emulated_gives_the_same_bytes(program, folder, name):
    """qemu-user without AVX: the C library chooses its functions by the processor, too."""
    emulator = shutil.which("qemu-x86_64-static") or shutil.which("qemu-x86_64")
    if emulator is None:
        pytest.skip("SKIPPED: qemu-user is not installed, so no other processor was tried")
    for output, before in (("here.h5", ()), ("there.h5", (emulator, "-cpu", "Nehalem"))):
        run(program, folder, None, "extract", "m.csv", "-o", f"{name}-{output}", "--jobs", 1, "--max-failures", 2,
            *CASES[name], before=before)
    assert digest(folder / f"{name}-here.h5") == digest(folder / f"{name}-there.h5")


@pytest.mark.parametrize("processor", ["Haswell", "Nehalem"])
def test_decoders_and_resampler_give_the_same_samples_but_mpg123(program, collection, tmp_path, processor):
    """What the README says of libraries: without AVX, mpg123 may decode MP3 differently, and nothing else differs."""
    emulator = shutil.which("qemu-x86_64-static") or shutil.which("qemu-x86_64")
    if emulator is None:
        pytest.skip("SKIPPED: qemu-user is not installed, so no other processor was tried")
    run(program, tmp_path, None, "crawl", collection / "formats", "-o", "m.csv", "--quiet")
    for output, before in (("here.h5", ()), ("there.h5", (emulator, "-cpu", processor))):
        run(program, tmp_path, None, "extract", "m.csv", "-o", output, "--max-failures", "100%",
            "--set", "audio.sample_rate=22050", "--set", "normalize.scope=none", before=before)
    with h5py.File(tmp_path / "here.h5") as here, h5py.File(tmp_path / "there.h5") as there:
        paths = [path.decode() for path in here["clips/path"]]
        assert len(paths) > 80 and list(here["clips/path"]) == list(there["clips/path"])
        for column in ("audio_xxh3", "tensor_xxh3"):
            different = {path for path, one, other in zip(paths, here["clips"][column], there["clips"][column]) if one != other}
            allowed = {path for path in paths if path.endswith(".mp3")} if processor == "Nehalem" else set()
            assert different <= allowed


@pytest.mark.parametrize("name", ["log-mel", "kaldi-mfcc", "librosa-log-mel", "musical-spectrum"])
def test_the_C_librarys_choice_of_instructions_changes_no_byte_here(program, folder, sets, name):
    """Without AVX2 and FMA, glibc has other functions, with other last bits. Windows, filter banks and scales do not use them."""
    paths = [folder / f"{name}-libm-{side}.h5" for side in (0, 1)]
    without = ["env", "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX,-AVX512F,-AVX2_Usable,-FMA_Usable,-AVX_Usable"]
    for path, before in zip(paths, ((), without)):
        run(program, folder, sets[0], "extract", "m.csv", "-o", path, "--max-failures", 2, *CASES[name],
            before=before)
    assert digest(paths[0]) == digest(paths[1])


def test_the_version_tells_the_instructions(program, folder, sets):
    assert f"transform {NEW}, with {sets[-1]}\n" in run(program, folder, None, "--version").stdout
    for instructions in sets:
        result = run(program, folder, instructions, "--version")
        assert f"transform {NEW}, with {instructions}\n" in result.stdout and not result.stderr


@pytest.mark.parametrize("wanted", ["avx1024", "AVX2", "sse2 "])
def test_unknown_instructions_are_ignored_with_a_message(program, folder, sets, wanted):
    result = run(program, folder, wanted, "--version")
    assert result.stderr == (
        f"veery: VEERY_INSTRUCTIONS is '{wanted}', which is not known or not for this processor: ignored, {sets[-1]} is used\n")
    assert f"with {sets[-1]}\n" in result.stdout


@pytest.mark.parametrize("name", ["log-mel", "514", "dct-3"])
def test_FFTW_computes_the_transform_where_that_is_asked_for(program, folder, name):
    if "\nfftw " not in run(program, folder, None, "--version").stdout:
        # The error of a build without it: test_licences.py.
        run(program, folder, None, "extract", "m.csv", "-o", "fftw.h5", "--overwrite", "--set", "transform.engine=fftw", status=1)
        return
    settings = {**CASES, **NEW_CASES}[name]
    run(program, folder, None, "extract", "m.csv", "-o", "own.h5", "--overwrite", *settings, "--set", "normalize.scope=none", "--max-failures", 2)
    run(program, folder, None, "extract", "m.csv", "-o", "fftw.h5", "--overwrite", *settings, "--set", "normalize.scope=none", "--max-failures", 2,
        "--set", "transform.engine=fftw")
    with h5py.File(folder / "own.h5") as own, h5py.File(folder / "fftw.h5") as other:
        software = json.loads(other["provenance/software"][()])
        assert "transform" not in software and re.fullmatch(r"3\.\d.*", software["fftw"])
        assert json.loads(other["provenance/configuration"][()])["transform"]["engine"] == "fftw"
        assert "engine" not in json.loads(own["provenance/configuration"][()])["transform"]
        assert np.allclose(own["features"][()], other["features"][()], rtol=1e-5, atol=1e-4)


# ------------------------------------------------------------------------------------------------------ another transform


@pytest.fixture
def of_fftw(program, folder, tmp_path):
    """A file with rows of FFTW's transform, as far as its software says."""
    path = tmp_path / "f.h5"
    run(program, folder, None, "extract", "m.csv", "-o", path)
    with h5py.File(path, "r+") as file:
        software = json.loads(file["provenance/software"][()])
        assert software.pop("transform") == OWN
        file["provenance/software"][()] = json.dumps(software, separators=(",", ":"))
        file.attrs["metadata_xxh3"] = metadata_checksum(file)
    return path


REASON = f"the transform was that of FFTW and is '{OWN}' now"


@pytest.mark.parametrize("option", [["--append"], ["--sync"], ["--retry-failed"], []])
def test_rows_of_another_transform_are_refused_by_name(program, folder, of_fftw, option):
    before = digest(of_fftw)
    manifest = "more.csv" if option == ["--append"] else "m.csv"
    assert REASON in run(program, folder, None, "extract", manifest, "-o", of_fftw, *option, status=1).stderr
    assert digest(of_fftw) == before
    run(program, folder, None, "inspect", of_fftw, "--verify")
