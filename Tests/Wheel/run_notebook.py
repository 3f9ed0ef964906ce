"""Executes the example notebook. As a program, it stores the outputs, too: run it after a change of the cells.

    python Tests/Wheel/run_notebook.py [RECORDINGS [NOTEBOOK]]

The environment is that of Tests/Wheel, with the package `veery`. RECORDINGS: .demo/audio/speech by default.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "examples/notebook/speech-classification.ipynb"
SECONDS = 900
"""Maximum time of a cell."""


def execute(notebook: Any, recordings: Path, folder: Path) -> Any:
    """Executes the cells in `folder`, without the settings of the user; raises CellExecutionError where one fails."""
    settings = {
        "RECORDINGS": str(recordings.resolve()), "IPYTHONDIR": str(folder / ".ipython"),
        "JUPYTER_CONFIG_DIR": str(folder / ".jupyter"), "JUPYTER_RUNTIME_DIR": str(folder / ".jupyter-runtime"),
        "MPLCONFIGDIR": str(folder / ".matplotlib")}
    with environment(settings):
        client = NotebookClient(
            notebook, timeout=SECONDS, kernel_name="python3", record_timing=False,
            resources={"metadata": {"path": str(folder)}})
        client.execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = merged(cell.outputs)
    return notebook


def merged(outputs: list[Any]) -> list[Any]:
    """Joins adjacent texts, whose number depends on timing, and drops what a later line overwrote."""
    result: list[Any] = []
    for output in outputs:
        if output.output_type == "stream" and result and result[-1].get("name") == output.name:
            result[-1].text += output.text
        else:
            result.append(output)
    for output in result:
        if output.output_type == "stream":
            lines = output.text.split("\n")
            output.text = "\n".join(line.rstrip("\r").rpartition("\r")[2].rstrip() for line in lines)
    return result


def digest(notebook: Any) -> str:
    """SHA-256 of the cells without their outputs."""
    text = "\0".join(f"{cell.cell_type}\0{cell.source}" for cell in notebook.cells)
    return hashlib.sha256(text.encode()).hexdigest()


def shape(notebook: Any) -> list[list[str]]:
    """The kinds of output of each cell with code."""
    return [
        [" ".join(sorted(output.get("data", {"text/plain": ""}))) for output in cell.outputs]
        for cell in notebook.cells if cell.cell_type == "code"]


def clean(notebook: Any) -> None:
    """Removes what differs from machine to machine, and stores which cells the outputs belong to."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"}, "veery": {"cells_sha256": digest(notebook)}}
    for number, cell in enumerate(notebook.cells, 1):
        cell.id, cell.metadata = f"cell-{number:02}", {}


@contextmanager
def environment(values: dict[str, str]) -> Iterator[None]:
    """Environment variables, set for a while."""
    before = dict(os.environ)
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def main() -> None:
    recordings = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".demo/audio/speech"
    path = Path(sys.argv[2]) if len(sys.argv) > 2 else NOTEBOOK
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        execute(notebook, recordings, Path(folder))
    clean(notebook)
    nbformat.validate(notebook)
    nbformat.write(notebook, path)
    print(f"{path.name}: {len(notebook.cells)} cells, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
