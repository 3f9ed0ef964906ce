"""What .ci/wheel says of the size of the wheel that it has made, and the home page that it names."""

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
    write_program(copy / "python", f"printf %s \"$VEERY_HOME_PAGE\" >'{copy}/home'\n"
                                   f"truncate -s $WHEEL_SIZE '{copy}/dist/veery-0-py3-none-any.whl'\n")
    write_program(copy / ".build/portable/licence", "")
    shutil.copy(ROOT / ".ci/wheel", copy / ".ci")
    for name in ("bin/veery", "lib/libveery.so.1", *(f"share/doc/veery/{name}" for name in (
            "THIRD-PARTY.md", "third-party/x", "sbom.cdx.json"))):
        write_program(tree / name, "")
    for name in ("Sources/Python/pyproject.toml", "Sources/Python/hatch_build.py", "Sources/Python/veery/x.py", "README.md", "LICENSE",
                 "Sources/FeatureModel/Data/VeeryVersion.swift"):
        write_program(copy / name, "")
    # Not a folder of the repository that the tests are in.
    subprocess.run(["git", "init", "-q", copy], check=True)
    return lambda size, home="https://example.org/veery": subprocess.run(
        [copy / ".ci/wheel"], env={**os.environ, "WHEEL_SIZE": str(size), "HOME_PAGE": home}, capture_output=True, text=True, timeout=60)


@pytest.mark.skipif(shutil.which("truncate") is None, reason="no truncate (GNU); the wheel is made on Debian and Ubuntu")
def test_a_wheel_that_has_grown_is_reported_and_one_that_is_far_too_large_refused(make):
    for size, status, text in [
            (39_999_999, 0, ""), (40_000_000, 0, "more than 40 MB"), (59_999_999, 0, "warning"), (60_000_000, 1, "more than 60 MB")]:
        result = make(size)
        assert result.returncode == status, (size, result)
        assert (text in result.stderr) if text else not result.stderr, (size, result)
        assert ("veery-0-py3-none-any.whl" in result.stdout) == (status == 0), (size, result)


@pytest.mark.skipif(shutil.which("truncate") is None, reason="no truncate (GNU); the wheel is made on Debian and Ubuntu")
@pytest.mark.parametrize("origin, home", [
    ("https://example.org/a/veery.git", "https://example.org/a/veery"), ("https://example.org/a/veery", "https://example.org/a/veery"),
    ("https://user:secret@example.org/veery", ""), ("git@example.org:a/veery.git", ""), ("/folder/veery", ""), (None, "")])
def test_the_home_page_is_the_web_address_of_the_origin(make, tmp_path, origin, home):
    copy = tmp_path / "a copy"
    if origin:
        subprocess.run(["git", "-C", copy, "remote", "add", "origin", origin], check=True)
    result = make(1, home="")
    assert result.returncode == 0 and (copy / "home").read_text() == home, result
    assert ("no home page; HOME_PAGE=URL" in result.stderr) == (not home)
    assert make(1).stderr == "" and (copy / "home").read_text() == "https://example.org/veery"
