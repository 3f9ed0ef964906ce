"""The man pages: every command and option is in them, and the programs that read them find no fault."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def pages(tmp_path_factory, program):
    folder = tmp_path_factory.mktemp("man1")
    subprocess.run([ROOT / ".ci" / "manual", program, folder], check=True)
    return {path.stem: path for path in folder.glob("*.1")}


def rendered(page):
    return re.sub(".\b", "", subprocess.run(["man", "-l", "-P", "cat", str(page)], capture_output=True, text=True, check=True,
                                            env={"PATH": "/usr/bin:/bin", "MANWIDTH": "100", "LC_ALL": "C.UTF-8"}).stdout)


def test_every_command_has_a_page(pages, veery):
    commands = re.findall(r"^  ([a-z]+) +[A-Z]", veery("--help").stdout, re.M)
    assert len(commands) >= 10
    assert set(pages) == {"veery", *(f"veery-{command}" for command in commands)}


def test_every_option_is_in_its_page(pages, veery):
    for name, page in pages.items():
        text = page.read_text().replace("\\-", "-")
        options = set(re.findall(r"^  (?:-[a-z], )?(--[a-z][a-z-]*)", veery(*name.split("-")[1:], "--help").stdout, re.M))
        assert options
        assert not {option for option in options if f"Fl -{option[2:]}" not in text}, name


def test_man_renders_them(pages):
    if shutil.which("man") is None:
        pytest.skip("there is no man here")
    text = rendered(pages["veery-extract"])
    assert "veery extract manifest.csv -o features.h5 --dry-run" in text
    assert "--set section.key=value" in text
    main = rendered(pages["veery"])
    assert re.search(r"75 +A system failure", main) and "130 or 143" in main


@pytest.mark.parametrize("reader", [["mandoc", "-T", "lint", "-W", "warning"], ["groff", "-mdoc", "-K", "utf8", "-T", "utf8", "-ww"]])
def test_readers_find_no_fault(pages, reader):
    if shutil.which(reader[0]) is None:
        pytest.skip(f"there is no {reader[0]} here")
    for page in pages.values():
        result = subprocess.run([*reader, page], capture_output=True, text=True)
        faults = result.stderr + (result.stdout if reader[0] == "mandoc" else "")
        assert result.returncode == 0 and not faults.strip(), faults
