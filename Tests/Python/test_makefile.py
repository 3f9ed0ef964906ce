"""Every target of the Makefile starts the same programs with the same arguments, whatever the name of its folder."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest
from sessions import ROOT

MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)[1].split()
VARIABLES = ("AUDIO", "KEEP", "PREFIX", "DESTDIR", "LONG", "COLLECTION", "WHEEL")
# Notes how it was called, instead of doing anything. `.ci/venv` also prints the path of a Python: this program again.
RECORDER = """
import json, os, sys
name, folder = os.path.abspath(sys.argv[1]), os.environ["RECORDER_FOLDER"]
call = {"name": name, "arguments": sys.argv[2:], "folder": os.getcwd()}
call |= {key: os.environ.get(key) for key in ("AUDIO", "KEEP", "PREFIX", "DESTDIR", "VEERY", "VEERY_TEST_ARRAY")}
with open(os.environ["RECORDER_FILE"], "a") as file:
    file.write(json.dumps(call).replace(json.dumps(folder)[1:-1], "TOP") + "\\n")
if name.endswith(".ci/venv"):
    print(folder + "/copy/python")
"""


def record(program, recorder):
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(recorder))} "$0" "$@"\n')
    program.chmod(0o755)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A function: the calls that a target makes, in a folder of that name."""
    home = tmp_path_factory.mktemp("makefile")
    recorder = home / "recorder.py"
    recorder.write_text(RECORDER)
    programs = home / "programs"
    for name in ("python3", "swift", "pip", "sudo"):
        record(programs / name, recorder)
    # What may only use idle processors would wait for the other tests.
    (programs / "chrt").write_text('#!/bin/sh\nshift 2\nexec "$@"\n')
    (programs / "chrt").chmod(0o755)

    def run(name, target, *variables, script=None):
        """`script`: one of `.ci` that runs itself, and whose status may be any; all others only note that they were called."""
        folder = home / f"{name}{script or ''}"
        copy = folder / "copy"
        if not copy.exists():
            copy.mkdir(parents=True)
            shutil.copy(ROOT / "Makefile", copy)
            (folder / "shared/data").mkdir(parents=True)
            for other in [*(ROOT / ".ci").iterdir(), *(ROOT / "examples").glob("*.sh")]:
                record(copy / other.relative_to(ROOT), recorder)
            if script:
                shutil.copy(ROOT / ".ci" / script, copy / ".ci" / script)
            record(copy / "python", recorder)
            record(copy / ".build/release/veery", recorder)
        calls = home / "calls.jsonl"
        calls.write_text("")
        foreign = (*VARIABLES, "MAKEFLAGS", "MAKELEVEL", "MFLAGS")
        environment = {key: value for key, value in os.environ.items() if key not in foreign}
        result = subprocess.run(
            ["make", "--no-print-directory", target, *(variable.replace("TOP", str(folder)) for variable in variables)], cwd=copy,
            env={**environment, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "RECORDER_FOLDER": str(folder),
                 "RECORDER_FILE": str(calls)}, capture_output=True, text=True, timeout=60)
        assert result.returncode == 0 or script, f"make {target}: {result.stdout}{result.stderr}"
        return [json.loads(line) for line in calls.read_text().splitlines()]

    return run


NAMES = ("plain", "folder with  spaces, ‘quotes’ and it's")


def test_the_list_of_targets_is_whole():
    assert sorted(TARGETS) == sorted(re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE))


@pytest.mark.sampled(8)
@pytest.mark.parametrize("target", TARGETS)
def test_a_target_works_in_any_folder(recorded, target):
    plain, other = (recorded(name, target) for name in NAMES)
    assert plain == other
    # What help and clean do, they do by themselves.
    assert plain or target == "help"


@pytest.mark.parametrize("target", ["demo", "parity", "damage", "damage-features", "install", "uninstall"])
def test_folders_that_are_given_may_have_any_name(recorded, target):
    variables = [f"{name}=TOP/own" for name in VARIABLES]
    plain, other = (recorded(name, target, *variables) for name in NAMES)
    assert plain == other
    last = plain[-1]
    if target.startswith("damage"):
        assert last["arguments"][last["arguments"].index("--keep") + 1] == "TOP/own"
    if target == "damage":
        assert last["arguments"][last["arguments"].index("--audio") + 1] == "TOP/own"
    if "install" in target:
        assert last["arguments"][-1] == last["DESTDIR"] == "TOP/own"
    if target in ("demo", "parity"):
        assert last["AUDIO"] == "TOP/own"


@pytest.mark.parametrize("part, scripts", [
    ("", ["torture.py", "failing_writes.py"]), ("kills", ["torture.py"]), ("writes", ["failing_writes.py"]),
    ("sweep", ["failing_writes.py"]), ("write", None)])
def test_torture_does_the_part_that_is_named_and_no_other(recorded, part, scripts):
    if scripts is None:
        with pytest.raises(AssertionError, match="PART: expected kills, writes or sweep"):
            recorded(NAMES[0], "torture", f"PART={part}")
        return
    calls = [call["arguments"][0] for call in recorded(NAMES[0], "torture", f"PART={part}") if "Torture" in str(call["arguments"])]
    assert [call.rpartition("/")[2] for call in calls] == scripts


@pytest.mark.parametrize("target, variables, selection, builds", [
    ("test", [], "not long", [["--testing"]]),
    ("test-all", [], "long or not long", [["--testing"], ["--shipped"]]),
    ("test-all", ["LONG=promised"], "not long or promised", [["--testing"], ["--shipped"]]),
    ("test-all", ["LONG=none"], None, [])])
def test_tests_and_the_program_that_they_run_are_built_once(recorded, target, variables, selection, builds):
    """`make test-all` also builds the program as it is shipped."""
    calls = recorded(NAMES[0], target, *variables, script="test")
    assert [call["arguments"] for call in calls if call["name"].endswith("/.ci/build")] == builds
    swift = [call["arguments"] for call in calls if call["name"].endswith("/swift")]
    assert any(arguments[0] == "test" for arguments in swift) == bool(builds)
    assert all("--skip-build" in arguments or "--show-bin-path" in arguments for arguments in swift)
    python = [call for call in calls if call["arguments"][:2] == ["-m", "pytest"] and "--junitxml" in call["arguments"]]
    assert bool(python) == bool(builds)
    marks = [call["arguments"][call["arguments"].index("-m", 2) + 1] for call in python]
    if python:
        assert python[0]["VEERY"] == "TOP/copy/.build/testing/program/veery"
        assert marks[0] == f"({selection})"
    shipped = [call["VEERY"] for call, mark in zip(python, marks, strict=True) if mark == f"shipped and ({selection})"]
    assert shipped == ["TOP/copy/.build/shipped/release/veery"] * len(builds[1:])


def test_damage_takes_the_recordings_beside_the_clone(recorded):
    arguments = recorded(NAMES[1], "damage")[-1]["arguments"]
    assert arguments[-2:] == ["--audio", "../shared/data"]


@pytest.mark.parametrize("options, drawn", [(["-m", "not long"], [0, 3, 6]), ([], list(range(9)))])
def test_of_a_sampled_grid_cases_are_drawn_evenly(tmp_path, options, drawn):
    (tmp_path / "test_grid.py").write_text(
        "import pytest\n@pytest.mark.sampled(3)\n@pytest.mark.parametrize('n', range(9))\ndef test_grid(n): pass\n")
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "conftest", "-p", "no:cacheprovider", "--collect-only", *options, "test_grid.py"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT / "Tests/Python")}, capture_output=True, text=True)
    assert [int(n) for n in re.findall(r"test_grid\[(\d)\]", result.stdout)] == drawn, result.stdout + result.stderr


def test_what_is_installed_is_named_and_removed_with_its_folders(program, library, tmp_path):
    def install(*arguments):
        environment = {key: value for key, value in os.environ.items() if key != "DESTDIR"}
        done = subprocess.run([ROOT / ".ci/install", *arguments], env=environment, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    prefix, built = tmp_path / "a prefix", tmp_path / "library"
    built.mkdir()
    first = f"installed {prefix}/bin/veery with completions and man pages"
    assert install(program.parent, built, prefix) == [first, "without libveery, which 'make library' builds"]
    for file in library, ROOT / "Sources/CVeery/include/veery.h":
        shutil.copy(file, built)
    assert install(program.parent, built, prefix) == [first, f"installed {prefix}/lib/{library.name}, veery.h and veery.pc"]
    (prefix / "share/man/man1/other.1").touch()
    assert install("--remove", prefix) == []
    assert [str(path.relative_to(prefix)) for path in prefix.rglob("*")] == ["share", "share/man", "share/man/man1", "share/man/man1/other.1"]
