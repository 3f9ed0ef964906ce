"""The version, which the program, the package and the pages have, and how it is set."""

import datetime
import re
import shutil
import subprocess

from conftest import ROOT

FILES = subprocess.run([ROOT / ".ci/version", "--files"], capture_output=True, text=True, check=True).stdout.split()
VERSION = re.compile(r"""veery-(\d+\.\d+\.\d+)|(?:number = |__version__ = |from: )"(\d+\.\d+\.\d+)\"""")


def versions(folder):
    """The versions of Veery that the files have, each once."""
    found = {name: {first or second for first, second in VERSION.findall((folder / name).read_text())} for name in FILES}
    assert all(found.values()), found
    return set().union(*found.values())


def test_all_files_have_the_version_of_the_program(veery):
    assert versions(ROOT) == {veery("--version").stdout.split()[1]}


def test_no_other_page_names_a_version():
    """Names of files with a version in a page that `.ci/version` does not know would be forgotten."""
    pages = [ROOT / "README.md", *(ROOT / "Schemas/guide").glob("*.md")]
    assert [page for page in pages if re.search(r"veery-\d+\.\d+\.\d+", page.read_text())
            and str(page.relative_to(ROOT)) not in FILES] == []


def set_to(folder, *arguments):
    return subprocess.run([folder / ".ci/version", *arguments], capture_output=True, text=True)


def test_one_command_sets_it(tmp_path):
    for name in [".ci/version", "CHANGELOG.md", *FILES]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    changes = tmp_path / "CHANGELOG.md"
    changes.write_text("# Changelog\n\n## [Unreleased]\n\nNew.\n\n## [0.0.9] - 2026-01-01\n")
    for number in "0.3", "", "v0.3.0", "0.3.0-rc1":
        refused = set_to(tmp_path, *([number] if number else []))
        assert refused.returncode == 64 and "such as 0.3.0" in refused.stderr
    before, = versions(tmp_path)
    said = set_to(tmp_path, "47.11.0")
    assert said.returncode == 0 and said.stdout == f"version: {before} is now 47.11.0\n", said.stderr
    assert versions(tmp_path) == {"47.11.0"}
    heading = re.search(r"^## \[47\.11\.0\] - (\S+)$", changes.read_text(), re.MULTILINE)
    assert abs(datetime.date.fromisoformat(heading[1]) - datetime.date.today()) <= datetime.timedelta(days=1)
    again = set_to(tmp_path, "47.12.0")
    assert again.returncode == 1 and "no section [Unreleased]" in again.stderr and versions(tmp_path) == {"47.11.0"}
