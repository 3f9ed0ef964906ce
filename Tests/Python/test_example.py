"""The example for Python users runs, and what it prints is right."""

import re
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

from conftest import noise, write_manifest, write_wav

EXAMPLE = Path(__file__).resolve().parents[2] / "examples/python/read_features.py"


@pytest.mark.parametrize("settings", [
    [], ["store.layout=fixed", "audio.duration=0.4"], ["normalize.method=range", "store.compression=deflate"],
    ["normalize.scope=clip", "store.type=float16"],
])
def test_read_features(veery, tmp_path, settings):
    rows = []
    for index, (label, split) in enumerate([("dog", "val"), ("cat", "train"), ("dog", "train")]):
        write_wav(tmp_path / f"{index}.wav", 16000, noise(index, 4000 + 800 * index))
        rows.append({"path": f"{index}.wav", "label": label, "split": split})
    features = tmp_path / "features.h5"
    options = [option for setting in settings for option in ("--set", setting)]
    veery("extract", write_manifest(tmp_path / "m.csv", rows), "-o", features, *options)
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "raw.h5", "--set", "normalize.scope=none")
    result = subprocess.run([sys.executable, EXAMPLE, features], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "2 of 3 clips to train on; labels: ['cat', 'dog']" in result.stdout
    assert "1 is 'cat': (28, 80)" in result.stdout
    with h5py.File(tmp_path / "raw.h5") as file:
        clip = file["features"][file["clips/frame_start"][1]:][:file["clips/frame_count"][1]]
    found = [float(number) for number in re.search(r"before that from (\S+) to (\S+)", result.stdout).groups()]
    assert np.allclose(found, [np.min(clip), np.max(clip)], atol=0.011), result.stdout
