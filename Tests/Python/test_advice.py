"""Every advice of the program has a test that follows it: the table Tests/Advice/advice.tsv, held to the sources."""

import re
import subprocess
import sys

import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "Tests/Advice"))
from sentences import TABLE, differences, has_advice, of_python, of_swift, read_table  # noqa: E402

# Sentences with advice that no test follows, each with its reason in the table. This number may only become smaller.
WITHOUT_TEST = 18
# The reason of a sentence that looks like advice to the script, and is not.
NO_ADVICE = "no advice"


def test_the_table_has_every_advice_of_the_sources():
    lacking, gone = differences()
    assert not lacking and not gone, "\n".join(
        ["run 'python Tests/Advice/sentences.py --update', and name in the new lines the test that follows the advice:",
         *("+ " + line for line in lacking), *("- " + line for line in gone)])


def test_every_advice_has_a_test_or_a_reason():
    rows = read_table()
    wrong = [f"{sentence.file}: {sentence.text}" for sentence, (tests, reason) in rows.items() if bool(tests) == bool(reason)]
    assert not wrong, "expected either a test or a reason:\n" + "\n".join(wrong)
    without = [reason for _, reason in rows.values() if reason and reason != NO_ADVICE]
    assert len(without) <= WITHOUT_TEST, f"{len(without)} rows of {TABLE.name} have no test: name one that follows the advice"
    assert len(without) == WITHOUT_TEST, f"{len(without)} rows of {TABLE.name} have no test: lower WITHOUT_TEST to that"


def named():
    """The tests that the table names, as (file, name)."""
    found = {test for tests, _ in read_table().values() for test in tests.split("; ") if test}
    return {tuple(re.split(r"::|\.swift: ", test.replace(".swift: ", ".swift::"), maxsplit=1)) for test in found}


def test_every_test_of_the_table_exists():
    python = sorted((file, name) for file, name in named() if file.endswith(".py"))
    files = sorted({file for file, _ in python})
    assert not [file for file, _ in named() if not (ROOT / file).is_file()]
    listed = subprocess.run([sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *files],
                            cwd=ROOT, capture_output=True, text=True).stdout.splitlines() if files else []
    there = set(listed) | {line.split("[")[0] for line in listed}
    missing = [f"{file}::{name}" for file, name in python if f"{file}::{name}" not in there]
    for file, name in named():
        if file.endswith(".swift"):
            source = (ROOT / file).read_text()
            if f'@Test("{name}"' not in source and not re.search(rf"func `?{re.escape(name)}`?\(", source):
                missing.append(f"{file}: {name}")
    assert not missing


@pytest.mark.parametrize("source, found", [
    ('let a = "\\(path): give --quoting " + "csv"', ["{}: give --quoting csv"]),
    ('let a = "no column " + quoted(name) + "; name " + "it"', ["no column {}; name it"]),
    ('let a = "no column" + (known ? "; name it" : "") + " here"', ["; name it"]),
    ('let a = """\n    expected one; \\\n    choose one\n    """', ["expected one; choose one"]),
    ('f(x ? "give one" : "a \\(y ? "use that" : "")")', ["give one", "use that"]),
    ('@Option(help: "Give a name.") var name: String', []),
    ('@Option(name: .long, help: ArgumentHelp("Give " + "a name.", valueName: "x")) var name: String', []),
    ('// "give one"\n/* "give /* x */ two" */ let a = #"use "this" \\#(x)"#', ['use "this" {}']),
    ('let a = "was made before (--sync brings it to this one)"', ["was made before (--sync brings it to this one)"]),
    ('let a = "all fit: --time-unit \\(unit)"', ["all fit: --time-unit {}"]),
    ('let a = "--axis, --band and --time are for pictures"', []),
    ('let a = "a list of names; set of clips"', []),
])
def test_the_script_finds_advice_in_swift(source, found):
    assert [text for text in of_swift(source) if has_advice(text)] == found


@pytest.mark.parametrize("source, found", [
    ('raise ValueError(f"{name}: give {one!r}, "\n    "or leave it out")', ["{}: give {}, or leave it out"]),
    ('"""Give a name."""\ndef f():\n    """Give another."""\n    return f"{x}; " + "use it"', ["{}; use it"]),
    ('parser.add_argument("--x", help="give a name")', []),
])
def test_the_script_finds_advice_in_python(source, found):
    assert [text for text in of_python(source) if has_advice(text)] == found
