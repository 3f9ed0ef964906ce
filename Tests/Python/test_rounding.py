"""Times that become samples by the rule of a preset's original, and files of another rule."""

import json
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

from conftest import noise, write_manifest, write_wav

pytestmark = pytest.mark.shipped

FIXTURES = Path(__file__).resolve().parents[1] / "Fixtures"
NEAREST = ["--set", "frame.rounding=nearest"]


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    """A manifest for each rate."""
    folder = tmp_path_factory.mktemp("rounding")
    made = {}
    for rate in 16_000, 22_050, 44_100:
        write_wav(folder / f"{rate}.wav", rate, noise(rate, rate, 0.3))
        made[rate] = write_manifest(folder / f"{rate}.csv", [{"path": f"{rate}.wav"}])
    return made


def frame(path):
    with h5py.File(path) as file:
        return json.loads(file["provenance/configuration"][()])["frame"]


def test_the_stored_lengths_are_those_of_the_originals_arithmetic():
    subprocess.run([sys.executable, FIXTURES / "make_frame_lengths.py", "--check"], check=True)


@pytest.mark.parametrize("options, hop", [
    ([], 220), (["--set", "frame.hop=10 ms"], 220), (["--set", "frame.hop=15 ms"], 330), (NEAREST, 221), (["--set", "frame.rounding=even"], 220),
    (["--set", "frame.hop=221"], 221), (["--set", "frame.hop=30 ms", "--set", "frame.rounding=even"], 662)])
def test_a_time_that_is_set_is_rounded_as_the_preset_rounds(veery, clips, tmp_path, options, hop):
    veery("extract", clips[22_050], "-o", tmp_path / "f.h5", "--preset", "kaldi-fbank", "--set", "audio.sample_rate=22050", *options)
    assert frame(tmp_path / "f.h5")["hop"] == hop and frame(tmp_path / "f.h5")["rounding"] == "nearest"


def test_a_file_that_extends_a_preset_keeps_its_rule(veery, clips, tmp_path):
    (tmp_path / "c.yaml").write_text("extends: kaldi-fbank\naudio: {sample_rate: 22050}\nframe: {length: 50 ms}\n")
    (tmp_path / "plain.yaml").write_text("audio: {sample_rate: 22050}\nframe: {length: 50 ms}\n")
    for name, expected in ("c", (1102, 220)), ("plain", (1103, 221)):
        veery("extract", clips[22_050], "-o", tmp_path / f"{name}.h5", "--config", tmp_path / f"{name}.yaml")
        assert (frame(tmp_path / f"{name}.h5")["length"], frame(tmp_path / f"{name}.h5")["hop"]) == expected


def test_the_rule_is_stored_with_a_time_and_shown_by_inspect(veery, clips, tmp_path):
    veery("extract", clips[44_100], "-o", tmp_path / "f.h5", "--preset", "lhotse-fbank", "--set", "audio.sample_rate=null")
    stored = frame(tmp_path / "f.h5")
    assert (stored["length"], stored["rounding"], stored["align"]) == ("25 ms", "down", "lhotse")
    assert "frames of 25 ms every 10 ms (in whole samples, rounded down)" in veery("inspect", tmp_path / "f.h5").stdout
    veery("extract", clips[44_100], "-o", tmp_path / "set.h5", "--preset", "lhotse-fbank", "--set", "audio.sample_rate=44100")
    with h5py.File(tmp_path / "f.h5") as one, h5py.File(tmp_path / "set.h5") as other:
        assert np.array_equal(one["features"][:], other["features"][:])
    assert frame(tmp_path / "set.h5")["align"] == "lhotse"


def test_seamless_and_speechbrain_are_their_originals_at_another_rate_too(veery, clips, tmp_path):
    result = veery("extract", clips[16_000], "-o", tmp_path / "s.h5", "--preset", "seamless", "--set", "audio.sample_rate=8000")
    assert "seamless: audio.sample_rate is 8000 instead of 16000" in result.stderr and frame(tmp_path / "s.h5")["length"] == 400
    command = ["extract", clips[16_000], "-o", tmp_path / "b.h5", "--preset", "speechbrain-fbank"]
    veery(*command, "--set", "audio.sample_rate=11025")
    assert (frame(tmp_path / "b.h5")["length"], frame(tmp_path / "b.h5")["hop"]) == (276, 110)
    error = veery(*command, "--overwrite", "--set", "audio.sample_rate=22050", status=64).stderr
    assert "frame.fft_length" in error and "551 samples" in error
    veery(*command, "--overwrite", "--set", "audio.sample_rate=22050", "--set", "frame.fft_length=1024")


# ---------------------------------------------------------------------------------------------- files of another rule


@pytest.mark.parametrize("rate, named", [
    ("22050", "frame.hop was 221 and is 220 now"), ("null", "frame.rounding was nearest and is down now")])
def test_a_file_of_another_rounding_is_recognised_and_the_difference_named(veery, clips, tmp_path, rate, named):
    command = ["extract", clips[22_050], "-o", tmp_path / "f.h5", "--preset", "kaldi-fbank", "--set", f"audio.sample_rate={rate}"]
    veery(*command, *NEAREST)
    before = (tmp_path / "f.h5").read_bytes()
    assert frame(tmp_path / "f.h5")["rounding"] == "nearest"
    assert f"was made with another configuration ({named})" in veery(*command, status=1).stderr
    for option in "--append", "--sync":
        assert named in veery(*command, option, status=1).stderr
    assert (tmp_path / "f.h5").read_bytes() == before
    # What it was made with can still be given.
    assert "up to date" in veery(*command, *NEAREST).stderr
    veery(*command, "--overwrite")
    assert (tmp_path / "f.h5").read_bytes() != before
