"""The first sessions of the README, as it shows them: Python's and the command's, on recordings that are made here.

They run with the sources and the program of this checkout or, where the environment variable VEERY_ENVIRONMENT names it, with what
is installed in a virtual environment."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from recordings import write_speech
from sessions import ROOT, blocks, run

from conftest import noise, write_wav

README = (ROOT / "README.md").read_text()
FOREIGN = ("VEERY", "VEERY_LIBRARY", "VEERY_ENVIRONMENT", "PYTHONPATH")


@pytest.fixture(scope="module")
def environment(request):
    """What a user has: `python` and `veery` in PATH."""
    installed = os.environ.get("VEERY_ENVIRONMENT")
    if installed:
        own = {name: value for name, value in os.environ.items() if name not in FOREIGN}
        return {**own, "PATH": f"{Path(installed).resolve()}/bin:{os.environ['PATH']}"}
    program, library = (request.getfixturevalue(name) for name in ("program", "library"))
    folders = [str(program.parent), str(Path(sys.executable).parent), os.environ["PATH"]]
    return {**os.environ, "VEERY": str(program), "VEERY_LIBRARY": str(library), "PATH": os.pathsep.join(folders)}


@pytest.mark.parametrize("rate", [16_000, 44_100, 8_000])
def test_the_session_of_python_runs(tmp_path, environment, rate):
    session = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1)
    for index, label in enumerate(["robin", "robin", "wren"]):
        write_wav(tmp_path / "recordings" / label / f"{index}.wav", rate, noise(index, rate))
    # The input of a model has frames of the same length for recordings of any rate.
    check = "\nassert len(file) == 3 and features.shape == (98, 80) and plan.frame_period == 0.01\n"
    result = subprocess.run(
        ["python", "-c", session + check], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines == ["robin/0 (98, 80)", "robin/1 (98, 80)", "robin", "(3000, 80)"]


def test_the_package_and_the_command_are_those_that_are_installed(environment):
    """If an environment is given, they are not those of the checkout."""
    code = "import shutil, veery; print(veery.__file__); print(shutil.which('veery'))"
    result = subprocess.run(["python", "-c", code], env=environment, cwd="/", capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    expected = os.environ.get("VEERY_ENVIRONMENT") or ROOT
    for path in result.stdout.splitlines():
        assert Path(path).resolve().is_relative_to(Path(expected).resolve()), path


def shape(line):
    """A line without its numbers and their units, which depend on the recordings and on the machine."""
    return re.sub("0+", "0", re.sub(r"\d[\d,.]*( (h|min|s|kB|MB)\b( (?=\d))?)?", "0", line))


def test_the_session_of_the_command_runs(tmp_path, environment):
    prepare, session = blocks(README)[1:3]
    # The program is there, and recordings, which 'make demo' would download.
    assert prepare.commands == ["PATH=$PWD/.build/release:$PATH", "cd .demo"]
    write_speech(tmp_path / ".demo/audio/speech")
    results = run([*prepare.commands, *session.commands], tmp_path, environment, tmp_path / "outputs")[2:]
    statuses = {command.split()[1]: result.status for command, result in zip(session.commands, results)}
    assert statuses == {"crawl": 0, "check": 3, "extract": 0, "inspect": 0, "render": 0}, results
    for command, shown, result in zip(session.commands, session.shown, results):
        # The summary's bars and units depend on the recordings.
        if command.split()[1] != "inspect":
            printed = {shape(line) for line in result.output.splitlines()}
            assert {shape(line) for line in shown} <= printed, (shown, result.output)
    assert "Labels (5)" in results[3].output
    assert (tmp_path / ".demo/thanks.png").read_bytes().startswith(b"\x89PNG")
