"""The example notebook runs from its first cell to its last, and its stored outputs are those of its cells.

The installed package is used; without one, that of the sources, with the environment variables VEERY and VEERY_LIBRARY.
"""

import copy
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import nbformat
import numpy as np
import pytest
import soundfile

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Sources/Python"))

import veery
from run_notebook import NOTEBOOK, digest, environment, execute, shape

LANGUAGES = ["english", "french", "italian", "russian", "spanish"]
RECORDINGS = ROOT / ".demo/audio/speech"


@pytest.fixture(scope="module")
def stored():
    return nbformat.read(NOTEBOOK, as_version=4)


@pytest.fixture(scope="module")
def recordings():
    """The recordings of the demo; where they are missing and cannot be fetched, the test is skipped with a warning."""
    if not all((RECORDINGS / language).is_dir() for language in LANGUAGES):
        result = subprocess.run(
            [ROOT / "examples/fetch-recordings.sh", "speech"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True)
        if result.returncode:
            reason = f"the notebook is NOT TESTED, there are no recordings: {result.stdout.strip()[-300:]}"
            warnings.warn(reason, stacklevel=1)
            pytest.skip(reason)
    return RECORDINGS


def test_the_stored_notebook_is_small_and_clean(stored):
    nbformat.validate(stored)
    assert len(stored.cells) < 40 and NOTEBOOK.stat().st_size < 600_000
    text = json.dumps(stored)
    for word in ("/home/", "/tmp/", "/root", "/Users/", "/work", "site-packages", "Traceback", "Warning"):
        assert word not in text, word
    assert set(stored.metadata) == {"kernelspec", "language_info", "veery"}
    assert all(not cell.metadata for cell in stored.cells)


def test_the_stored_outputs_belong_to_the_cells(stored):
    code = [cell for cell in stored.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    rerun = "after a change of its cells, run: python Tests/Wheel/run_notebook.py"
    assert stored.metadata.veery.cells_sha256 == digest(stored), rerun


def run(stored, recordings, folder, result):
    """Runs the notebook without its outputs; returns it, and the value of an expression after its last cell."""
    fresh = copy.deepcopy(stored)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    fresh.cells.append(nbformat.v4.new_code_cell(f"import json; print(json.dumps({result}))"))
    package = Path(veery.__file__).resolve().parents[1]
    paths = [str(package), os.environ.get("PYTHONPATH", "")] if package.is_relative_to(ROOT / "Sources") else []
    with environment({"PYTHONPATH": os.pathsep.join(filter(None, paths))} if paths else {}):
        execute(fresh, recordings, folder)
    return fresh, json.loads(fresh.cells.pop().outputs[0].text)


def test_the_notebook_runs(stored, recordings, tmp_path):
    fresh, (accuracy, chance, clips, module) = run(stored, recordings, tmp_path, "[accuracy, chance, len(test), veery.__file__]")
    assert accuracy > 0.88 and chance < 0.25 and clips > 500
    assert Path(module).resolve() == Path(veery.__file__).resolve()
    assert shape(fresh) == shape(stored)
    for notebook in (fresh, stored):
        errors = [output.text for cell in notebook.cells for output in cell.get("outputs", [])
                  if output.get("name") == "stderr"]
        # The line of progress, and no warning.
        assert len(errors) == 1 and errors[0].startswith("finished: 2,781 of 2,781 clips, 1 failed, 2 h 06 min"), errors
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith(".")) == [
        "model.pickle", "speech.h5"]


def test_the_notebook_runs_on_recordings_of_another_kind(stored, tmp_path):
    """Two birds at two rates, in three formats, some with two channels; one lies deeper than the others."""
    random = np.random.default_rng(0)
    for bird, pitch in (("robin", 4000), ("wren", 2500)):
        for number in range(12):
            rate, suffix = (44100, "wav") if number < 8 else (48000, ("flac", "ogg")[number % 2])
            time = np.arange(rate) / rate
            signal = 0.2 * np.sin(2 * np.pi * (pitch + 40 * number) * time) + random.normal(0, 0.02, rate)
            path = tmp_path / "recordings" / bird / ("deep" if number == 3 else ".") / f"{number}.{suffix}"
            path.parent.mkdir(parents=True, exist_ok=True)
            soundfile.write(path, np.stack([signal, 0.5 * signal], axis=1) if number % 5 == 4 else signal, rate)
    (tmp_path / "work").mkdir()
    _, (accuracy, labels, rate, clips, exact) = run(
        stored, tmp_path / "recordings", tmp_path / "work",
        "[accuracy, file.labels, plan.sample_rate, len(test), len([clip for clip in test.clips if is_exact(clip)])]")
    assert labels == ["robin", "wren"] and rate == 44100
    assert accuracy == 1 and clips >= 2 and exact >= 1
