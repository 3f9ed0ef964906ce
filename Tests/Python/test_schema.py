"""What .ci/schema writes of the keys of a configuration: Schemas/configuration.schema.json, the table of Schemas/conventions.md."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ("configuration.schema.json", "conventions.md")


@pytest.fixture
def schema(program, tmp_path):
    """Runs a copy of .ci/schema, with copies of the documents."""
    for folder, names in (".ci", ["schema"]), ("Schemas", DOCUMENTS):
        (tmp_path / folder).mkdir()
        for name in names:
            shutil.copy(ROOT / folder / name, tmp_path / folder / name)

    def run(*options):
        return subprocess.run([sys.executable, tmp_path / ".ci" / "schema", program, *options], capture_output=True, text=True)

    return run


def test_documents_are_those_that_make_schema_writes(schema):
    result = schema("--check")
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("name, text", [
    (DOCUMENTS[0], '"maximum": 10000000'), (DOCUMENTS[1], "| `audio.sample_rate` | `16000 Hz` |")])
def test_a_document_that_is_out_of_date_is_named_and_written(schema, tmp_path, name, text):
    path = tmp_path / "Schemas" / name
    old = path.read_text(encoding="utf-8")
    assert text in old
    path.write_text(old.replace(text, text.replace("0", "1"), 1), encoding="utf-8")
    result = schema("--check")
    assert result.returncode == 1 and result.stderr == f"out of date in Schemas: {name}; run 'make schema'\n"
    result = schema()
    assert result.returncode == 0, result.stderr
    assert path.read_text(encoding="utf-8") == old


def test_conventions_without_the_marks_of_the_table_are_left_as_they_are(schema, tmp_path):
    path = tmp_path / "Schemas" / "conventions.md"
    text = path.read_text(encoding="utf-8").replace("<!-- end of keys -->", "")
    path.write_text(text, encoding="utf-8")
    result = schema()
    assert result.returncode == 1 and "<!-- end of keys -->" in result.stderr
    assert path.read_text(encoding="utf-8") == text


def test_the_table_has_the_defaults_that_the_program_prints(veery):
    table = (ROOT / "Schemas/conventions.md").read_text(encoding="utf-8").split("<!-- keys: ")[1].split("<!-- end of keys -->")[0]
    written = re.findall(r"^\| `[\w.]+`[^|]* \| (?:`([^`]*)`)? \|", table, re.MULTILINE)
    printed = " ".join(veery("presets", "--keys").stdout.split())
    default = r"""(?:Default: (\S+?|"[^"]*"|\S+ \w+)\.|Required\.) Allowed: """
    found = [match[1] or "" for match in re.finditer(default, printed)]
    assert len(written) > 80 and written == found
