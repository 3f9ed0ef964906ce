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
import pytest

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


def test_the_notebook_runs(stored, recordings, tmp_path):
    fresh = copy.deepcopy(stored)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    fresh.cells.append(nbformat.v4.new_code_cell(
        "import json; print(json.dumps([accuracy, chance, len(test), veery.__file__]))"))
    package = Path(veery.__file__).resolve().parents[1]
    paths = [str(package), os.environ.get("PYTHONPATH", "")] if package.is_relative_to(ROOT / "Sources") else []
    with environment({"PYTHONPATH": os.pathsep.join(filter(None, paths))} if paths else {}):
        execute(fresh, recordings, tmp_path)

    accuracy, chance, clips, module = json.loads(fresh.cells.pop().outputs[0].text)
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
