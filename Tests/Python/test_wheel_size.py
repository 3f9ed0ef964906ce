"""What .ci/wheel says of the size of the wheel that it has made."""

import os
import shutil
import subprocess

import pytest
from sessions import ROOT


def write_program(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + lines)
    path.chmod(0o755)


@pytest.fixture
def make(tmp_path):
    """A function: `.ci/wheel` where the program is made of nothing, and the wheel of so many zeros."""
    copy, tree = tmp_path / "a copy", tmp_path / "tree"
    write_program(copy / ".ci/portable", f"echo '{tree}'\n")
    write_program(copy / ".ci/venv", f"echo '{copy}/python'\n")
    write_program(copy / "python", f"truncate -s $WHEEL_SIZE '{copy}/dist/veery-0-py3-none-any.whl'\n")
    shutil.copy(ROOT / ".ci/wheel", copy / ".ci")
    for name in ("bin/veery", "lib/libveery.so.1", *(f"share/doc/veery/{name}" for name in (
            "COPYING", "THIRD-PARTY.md", "third-party/x", "sbom.cdx.json"))):
        write_program(tree / name, "")
    for name in ("Sources/Python/pyproject.toml", "Sources/Python/hatch_build.py", "Sources/Python/veery/x.py", "README.md", "LICENSE",
                 "Sources/FeatureModel/Data/VeeryVersion.swift"):
        write_program(copy / name, "")
    return lambda size: subprocess.run(
        [copy / ".ci/wheel"], env={**os.environ, "WHEEL_SIZE": str(size)}, capture_output=True, text=True, timeout=60)


@pytest.mark.skipif(shutil.which("truncate") is None, reason="no truncate (GNU); the wheel is made on Debian and Ubuntu")
def test_a_wheel_that_has_grown_is_reported_and_one_that_is_far_too_large_refused(make):
    for size, status, text in [
            (39_999_999, 0, ""), (40_000_000, 0, "more than 40 MB"), (59_999_999, 0, "warning"), (60_000_000, 1, "more than 60 MB")]:
        result = make(size)
        assert result.returncode == status, (size, result)
        assert (text in result.stderr) if text else not result.stderr, (size, result)
        assert ("veery-0-py3-none-any.whl" in result.stdout) == (status == 0), (size, result)
