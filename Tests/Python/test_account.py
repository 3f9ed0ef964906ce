"""What is read and not used: lines on standard error, `remarks` in JSON, --strict, and what the feature file keeps."""

import json
import re
import shutil
import subprocess
import time
from pathlib import Path

import h5py
import pytest
import veery as package
from conftest import noise, write_wav
from test_commands import validate

GUIDE = Path(__file__).resolve().parents[2] / "Schemas/guide/account.md"


def remarks(result):
    return json.loads(result.stdout)["remarks"]


@pytest.fixture
def folder(tmp_path):
    """Recordings with what no command reads among them, and what is no loss."""
    for number in range(6):
        write_wav(tmp_path / f"rec/{'ab'[number % 2]}/{number}.wav", 8_000, noise(number, 1_600))
    for name in ("a/x.spx", "a/y.PCM", "b/z.wav.gz"):
        (tmp_path / "rec" / name).write_bytes(b"?")
    for name in ("README.md", "a/.DS_Store", "a/picture.png", ".hidden.wav", "LICENSE", "a/x.sha256"):
        (tmp_path / "rec" / name).write_bytes(b"?")
    return tmp_path


LEFT = "left out: rec: 3 files are passed over that may be recordings: 'a/x.spx', 'a/y.PCM', 'b/z.wav.gz'; convert"


@pytest.mark.parametrize("command", [
    ["extract", "rec", "-o", "f.h5"], ["extract", "rec", "-o", "f.h5", "--dry-run"], ["check", "rec"], ["crawl", "rec", "-o", "m.csv"],
    ["clips", "rec", "-o", "m.csv", "--window", "0.1"], ["split", "rec", "-o", "m.csv", "--folds", "2"],
    ["extract", "rec", "-o", "f.h5", "--shard", "1/2"],
])
def test_each_command_says_it_once_and_refuses_it_with_strict(veery, folder, command):
    result = veery(*command, "--json", folder=folder)
    assert result.stderr.count("left out: ") == 1 and LEFT in result.stderr and "README" not in result.stderr
    found = remarks(result)
    assert [remark["kind"] for remark in found] == ["recordings-passed-over", "others-skipped"]
    assert found[0] == {"kind": "recordings-passed-over", "loss": True, "source": "rec", "count": 3,
                        "first": ["'a/x.spx'", "'a/y.PCM'", "'b/z.wav.gz'"]}
    assert (found[1]["count"], found[1]["loss"], found[1]["first"]) == (4, False, [])
    schema = {"extract": "extraction-report", "check": "check-report", "crawl": "manifest-report", "clips": "manifest-report"}
    if command[0] in schema:
        validate(json.loads(result.stdout), schema[command[0]])
    for name in ("f.h5", "m.csv"):
        (folder / name).unlink(missing_ok=True)
    for left in folder.glob("f.h5*"):
        shutil.rmtree(left)
    before = sorted(path.name for path in folder.iterdir())
    refused = veery(*command, "--strict", folder=folder, status=1)
    assert "--strict" in refused.stderr and "'a/x.spx'" in refused.stderr and refused.stderr.count("'a/x.spx'") == 1
    assert sorted(path.name for path in folder.iterdir()) == before, "nothing is written"
    if command[0] != "check":
        quiet = veery(*command, "--json", "--quiet", folder=folder)
        assert quiet.stderr == "" and remarks(quiet) == found
    for name in ("a/x.spx", "a/y.PCM", "b/z.wav.gz"):
        (folder / "rec" / name).unlink()
    shutil.rmtree(folder / "f.h5.shards", ignore_errors=True)
    veery(*command, "--strict", *(["--overwrite"] if command[0] in ("extract", "crawl", "clips", "split") else []), folder=folder)


def test_json_and_a_manifest_are_not_both_standard_output(veery, folder):
    for command in (["crawl", "rec"], ["clips", "rec", "--window", "0.1"], ["split", "rec", "--folds", "2"]):
        veery(*command, "-o", "-", "--json", folder=folder, status=64)


def test_a_manifest_walks_no_folder(veery, folder):
    (folder / "rec/m.csv").write_text("path\na/0.wav\n")
    result = veery("extract", "rec/m.csv", "-o", "f.h5", "--strict", "--json", folder=folder)
    assert remarks(result) == [] and "left out" not in result.stderr


def test_at_most_ten_lines(veery, folder):
    """Every kind that a manifest can give, and those of a folder of annotations."""
    rows = [{"path": "~/a.wav", "LABEL": 1, "Labels": "a,b", "labels": "a,b", "label": "c", "onset": 1, "Split": 1}]
    rows += [{"path": "http://x/y.wav", "labels": "d", "label": "c"}, {"path": "rec/a/0.wav"}]
    (folder / "m.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    said = veery("check", "m.jsonl", folder=folder, status=3).stderr
    lines = [line for line in said.splitlines() if line.startswith("remark: ")]
    kinds = {remark["kind"] for remark in remarks(veery("check", "m.jsonl", "--json", folder=folder, status=3))}
    assert {"paths-unexpanded", "paths-remote", "columns-misspelt", "labels-unlisted", "labels-joined"} <= kinds
    assert len(lines) == len(kinds) <= 10


@pytest.fixture
def misspelt(folder):
    """A manifest of which a remark follows."""
    rows = [{"path": f"rec/{'ab'[number % 2]}/{number}.wav", "Label": "x"} for number in range(6)]
    (folder / "m.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def stored(path):
    with h5py.File(path) as file:
        return [json.loads(entry) for entry in file["provenance/remarks"][()]] if "provenance/remarks" in file else None


EXPECTED = [{"kind": "columns-misspelt", "loss": False, "source": "manifest", "count": 1, "first": ["'Label' (not 'label')"]}]


def test_the_file_keeps_what_follows_from_the_manifest(veery, misspelt):
    veery("extract", "m.jsonl", "-o", "f.h5", folder=misspelt)
    bytes_ = (misspelt / "f.h5").read_bytes()
    assert stored(misspelt / "f.h5") == EXPECTED and str(misspelt).encode() not in bytes_
    # However the manifest is named.
    (misspelt / "deep").mkdir()
    shutil.copy(misspelt / "m.jsonl", misspelt / "other.jsonl")
    veery("extract", misspelt / "other.jsonl", "-o", "deep/g.h5", "--jobs", "3", folder=misspelt)
    assert (misspelt / "deep/g.h5").read_bytes() == bytes_
    for shard in (1, 2):
        veery("extract", "m.jsonl", "-o", "s.h5", "--shard", f"{shard}/2", folder=misspelt)
    veery("extract", "m.jsonl", "-o", "s.h5", folder=misspelt)
    assert (misspelt / "s.h5").read_bytes() == bytes_
    veery("extract", "m.jsonl", "-o", "f.h5", "--sync", folder=misspelt)
    assert (misspelt / "f.h5").read_bytes() == bytes_
    # A folder that gives a remark, but a manifest without one.
    veery("extract", "rec", "-o", "r.h5", folder=misspelt)
    assert stored(misspelt / "r.h5") is None


def test_sets(veery, misspelt):
    veery("extract", "m.jsonl", "-o", "f.h5", "--files", "2", folder=misspelt)
    index = json.loads((misspelt / "f.index.json").read_text())
    validate(index, "feature-set")
    assert index["remarks"] == EXPECTED
    assert all(stored(misspelt / f"f-0000{number}-of-00002.h5") == EXPECTED for number in (1, 2))
    veery("inspect", "f.index.json", "--verify", folder=misspelt)
    report = json.loads(veery("inspect", "f.index.json", "--json", folder=misspelt).stdout)
    validate(report, "inspect")
    assert report["remarks"] == EXPECTED == package.open(misspelt / "f.index.json").remarks
    index["remarks"][0]["count"] = 2
    (misspelt / "f.index.json").write_text(json.dumps(index))
    assert "remarks of the index" in veery("inspect", "f.index.json", "--verify", folder=misspelt, status=1).stdout


def test_inspect_the_page_and_python_show_them(veery, misspelt):
    veery("extract", "m.jsonl", "-o", "f.h5", folder=misspelt)
    line = "remark: manifest: 1 column is kept as it is, and named almost like one that is read: 'Label' (not 'label')"
    assert line in veery("inspect", "f.h5", folder=misspelt).stdout
    report = json.loads(veery("inspect", "f.h5", "--json", folder=misspelt).stdout)
    validate(report, "inspect")
    assert report["remarks"] == EXPECTED
    veery("inspect", "f.h5", "--html", "page.html", folder=misspelt)
    assert "named almost like one that is read" in (misspelt / "page.html").read_text()
    with package.open(misspelt / "f.h5") as file:
        assert file.remarks == EXPECTED
    with pytest.warns(package.CommandWarning, match="remark: .*named almost like"):
        package.extract(misspelt / "m.jsonl", misspelt / "p.h5")


def test_damage_is_found(veery, misspelt):
    veery("extract", "m.jsonl", "-o", "f.h5", folder=misspelt)
    veery("inspect", "f.h5", "--verify", folder=misspelt)
    whole = (misspelt / "f.h5").read_bytes()
    at = whole.index(b'"kind":"columns-misspelt"')
    for offset in range(at - 30, at + 40, 7):
        damaged = bytearray(whole)
        damaged[offset] ^= 1
        (misspelt / "f.h5").write_bytes(damaged)
        assert "/provenance/remarks" in veery("inspect", "f.h5", "--verify", folder=misspelt, status=1).stdout, offset


def test_a_resumed_run_has_the_same_bytes(program, veery, misspelt):
    """The run is killed at several moments; the next one resumes what is there, if anything."""
    veery("extract", "m.jsonl", "-o", "f.h5", folder=misspelt)
    whole = (misspelt / "f.h5").read_bytes()
    for number, seconds in enumerate((0.02, 0.05, 0.1)):
        name = f"g{number}.h5"
        process = subprocess.Popen([program, "extract", "m.jsonl", "-o", name], cwd=misspelt, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        process.kill()
        process.wait()
        veery("extract", "m.jsonl", "-o", name, folder=misspelt)
        assert (misspelt / name).read_bytes() == whole


def test_the_guide_lists_every_kind():
    source = Path(__file__).resolve().parents[2] / "Sources/FeatureModel/Data/Remark.swift"
    kinds = re.findall(r'case \w+ = "([a-z-]+)"', source.read_text())
    listed = re.findall(r"^\| `([a-z-]+)` \| (yes|no)", GUIDE.read_text(), re.MULTILINE)
    assert sorted(kinds) == sorted(kind for kind, _ in listed)


@pytest.mark.parametrize("name", ["sub/c.wav", "./sub/c.wav", "sub//c.wav", "sub/./c.wav", "sub/../sub/c.wav", "../d/sub/c.wav", None])
def test_a_recording_is_listed_however_its_path_is_written(veery, tmp_path, name):
    folder = tmp_path / "d"
    (folder / "sub").mkdir(parents=True)
    write_wav(folder / "sub/c.wav", 8000, noise(1, 8000))
    (folder / "metadata.csv").write_text(f"file_name,label\n{name or folder / 'sub/c.wav'},x\n")
    report = json.loads(veery("check", folder, "--strict", "--json").stdout)
    assert report["remarks"] == [] and report["readable"] == 1
