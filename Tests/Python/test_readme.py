"""The first Python session of the README, as it stands there."""

import os
import re
import subprocess
import sys

from conftest import ROOT, noise, write_wav

README = (ROOT / "README.md").read_text()


def test_the_session_runs(tmp_path, program, library):
    session = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1)
    for index, label in enumerate(["robin", "robin", "wren"]):
        write_wav(tmp_path / "recordings" / label / f"{index}.wav", 16000, noise(index, 16000))
    environment = {**os.environ, "VEERY": str(program), "VEERY_LIBRARY": str(library),
                   "PYTHONPATH": str(ROOT / "Sources" / "Python")}
    check = "\nassert len(file) == 3 and features.shape == (98, 80)\n"
    result = subprocess.run(
        [sys.executable, "-c", session + check], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "(100, 80)"
    assert lines[1:] == ["robin/0 (98, 80)", "robin/1 (98, 80)"]
