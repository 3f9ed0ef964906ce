"""What is read and not used: lines on standard error, `remarks` in JSON, --strict, and what the feature file keeps."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import h5py
import pytest
import veery as package
from conftest import noise, write_wav
from recordings import digest
from test_commands import validate

GUIDE = Path(__file__).resolve().parents[2] / "Schemas/guide/account.md"


def remarks(result):
    return json.loads(result.stdout)["remarks"]


@pytest.fixture
def folder(tmp_path):
    """Recordings with what no command reads among them, and what is not a loss."""
    for number in range(6):
        write_wav(tmp_path / f"rec/{'ab'[number % 2]}/{number}.wav", 8_000, noise(number, 1_600))
    for name in ("a/x.spx", "a/y.PCM", "b/z.wav.gz"):
        (tmp_path / "rec" / name).write_bytes(b"?")
    for name in ("README.md", "a/.DS_Store", "a/picture.png", ".hidden.wav", "LICENSE", "a/x.sha256"):
        (tmp_path / "rec" / name).write_bytes(b"?")
    return tmp_path


LEFT = "left out: rec: 3 files are passed over that may be recordings: 'a/x.spx', 'a/y.PCM', 'b/z.wav.gz'; unpack archives, and"


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


def test_a_line_for_each_kind(veery, folder):
    """Every kind that a manifest can give; a Swift test checks that there are ten lines at most."""
    rows = [{"path": "~/a.wav", "LABEL": 1, "Labels": "a,b", "labels": "a,b", "label": "c", "onset": 1, "Split": 1}]
    rows += [{"path": "http://x/y.wav", "labels": "d", "label": "c"}, {"path": "rec/a/0.wav"}]
    (folder / "m.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    said = veery("check", "m.jsonl", folder=folder, status=3).stderr
    lines = [line for line in said.splitlines() if line.startswith(("remark: ", "left out: ", "loss: "))]
    kinds = {remark["kind"] for remark in remarks(veery("check", "m.jsonl", "--json", folder=folder, status=3))}
    assert {"paths-unexpanded", "paths-remote", "columns-misspelt", "labels-unlisted", "labels-joined"} <= kinds
    assert len(lines) == len(kinds) <= 10


@pytest.fixture
def misspelt(folder):
    """A manifest that leads to a remark."""
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
    assert digest(misspelt / "deep/g.h5") == digest(misspelt / "f.h5")
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
    for offset in (at - 8, at + 20):
        damaged = bytearray(whole)
        damaged[offset] ^= 1
        (misspelt / "f.h5").write_bytes(damaged)
        assert "/provenance/remarks" in veery("inspect", "f.h5", "--verify", folder=misspelt, status=1).stdout, offset


def test_the_guide_lists_every_kind():
    """The guide says of each kind what the program says, loss or not, and lists none that no code emits."""
    source = Path(__file__).resolve().parents[2] / "Sources/FeatureModel/Data/Remark.swift"
    kinds = re.findall(r'case (\w+) = "([a-z-]+)"', source.read_text())
    first = re.search(r"var isLoss: Bool \{ position < Self\.(\w+)\.position", source.read_text())[1]
    losses = [case for case, _ in kinds][:[case for case, _ in kinds].index(first)]
    listed = dict(re.findall(r"^\| `([a-z-]+)` \| (yes|no)", GUIDE.read_text(), re.MULTILINE))
    assert listed == {name: "yes" if case in losses else "no" for case, name in kinds}
    emitted = "".join(path.read_text() for path in source.parents[2].rglob("*.swift") if path.name not in (
        "Remark.swift", "RemarkWords.swift"))
    assert [case for case, _ in kinds if not re.search(rf"\.{case}\b", emitted)] == [], "nothing emits these"


# MARK: What is found in recordings

RATE = 8_000


@pytest.fixture
def recordings(tmp_path):
    """Clips with each remark that recordings can give, and one without."""
    for name in "abcd":
        write_wav(tmp_path / f"{name}.wav", RATE, noise(ord(name), 2 * RATE))
    cut = (tmp_path / "a.wav").read_bytes()
    (tmp_path / "cut.wav").write_bytes(cut[:44 + 3 * RATE])
    rows = ["id,path,start,end,max_overshoot,recording.duration", "early,cut.wav,0,2,,", "before,cut.wav,0,1,,",
            "late,b.wav,1,2.3,0.5,", "other,c.wav,,,,9?", "plain,d.wav,,,,"]
    (tmp_path / "m.csv").write_text("".join(f"{row}\n" for row in rows))
    return tmp_path


KEEP = ["--truncated", "keep"]
FOUND = {"lengths-differ": ["other"], "ends-cut": ["late"], "recordings-truncated": ["early"],
         "recordings-cut-later": ["before"]}


def found(result):
    of_recordings = [remark for remark in remarks(result) if remark["source"] == "recordings"]
    assert [remark["count"] for remark in of_recordings] == [len(remark["first"]) for remark in of_recordings]
    return {remark["kind"]: remark["first"] for remark in of_recordings}


def stored_remarks(path):
    """The remarks that a file stores, as a whole and for each clip."""
    with h5py.File(path) as file:
        return stored(path), file["clips/remarks"][:].tolist(), file["clips/id"][:].tolist()


def test_the_account_does_not_depend_on_how_the_run_went(veery, recordings):
    def of(*arguments, **more):
        return found(veery(*arguments, *KEEP, "--json", folder=recordings, **more))

    assert of("extract", "m.csv", "-o", "f.h5", "--dry-run") == FOUND
    assert of("check", "m.csv") == FOUND
    assert of("extract", "m.csv", "-o", "f.h5") == FOUND
    fresh = (recordings / "f.h5").read_bytes()
    assert of("extract", "m.csv", "-o", "f.h5") == FOUND, "up to date"
    assert of("extract", "m.csv", "-o", "f.h5", "--dry-run") == FOUND, "up to date, and a plan"
    assert found(veery("inspect", "f.h5", "--json", folder=recordings)) == FOUND
    # A shard has the remarks of its own clips, whether it is new or done; the two together have all.
    for _ in ("new", "done"):
        parts = [of("extract", "m.csv", "-o", "s.h5", "--shard", f"{number}/2") for number in (1, 2)]
        assert {kind: names for part in parts for kind, names in part.items()} == FOUND
        assert all(part for part in parts)
    assert of("extract", "m.csv", "-o", "s.h5", "--dry-run") == FOUND, "shards that are done"
    assert of("extract", "m.csv", "-o", "s.h5") == FOUND
    assert (recordings / "s.h5").read_bytes() == fresh
    assert of("extract", "m.csv", "-o", "s.h5", "--shard", "1/2") == FOUND, "the output is there"
    # A set, and its files one by one.
    assert of("extract", "m.csv", "-o", "t.h5", "--files", "2") == FOUND
    for number in (1, 2):
        of("extract", "m.csv", "-o", "u.h5", "--shard", f"{number}/2")
    parts = [of("extract", "m.csv", "-o", "u.h5", "--file", f"{number}/2") for number in (1, 2)]
    assert {kind: names for part in parts for kind, names in part.items()} == FOUND
    # A file that follows or grows.
    more = (recordings / "m.csv").read_text() + "again,d.wav,,,,\n"
    (recordings / "m.csv").write_text(more)
    shutil.copy(recordings / "f.h5", recordings / "g.h5")
    for name, option in (("f.h5", "--append"), ("g.h5", "--sync")):
        assert of("extract", "m.csv", "-o", name, option, "--dry-run") == FOUND
        assert of("extract", "m.csv", "-o", name, option) == FOUND
        veery("inspect", name, "--verify", folder=recordings)
    of("extract", "m.csv", "-o", "h.h5")
    assert stored_remarks(recordings / "f.h5") == stored_remarks(recordings / "g.h5") == stored_remarks(recordings / "h.h5")


@pytest.mark.parametrize("output", [[], ["--files", "2"]], ids=["a file", "a set"])
def test_a_plan_counts_what_is_done_once(veery, tmp_path, output):
    """The remarks on clips that are done are those of the run that did them; their headers have the same."""
    for name in "abc":
        write_wav(tmp_path / f"{name}.wav", RATE, noise(ord(name), 4 * RATE).reshape(-1, 2))
    os.truncate(tmp_path / "c.wav", 44 + 5 * RATE)
    (tmp_path / "m.csv").write_text("path,id\na.wav,a\nb.wav,b\nc.wav,c\n")
    run = ["extract", "m.csv", "-o", "f.h5", *KEEP, "--set", f"audio.sample_rate={RATE}", "--set", f"transform.high={RATE // 2}",
           "--set", "audio.channels=first"]

    def said(*options):
        result = veery(*run, *options, "--dry-run", folder=tmp_path)
        return [line for line in (result.stderr + result.stdout).splitlines() if "clip" in line and ("remark" in line or "early" in line)]

    expected = said(*output)
    assert "3 clips are of the first channel alone" in expected[0] and ": 'a', 'b', 'c'; " in expected[0]
    assert [line.split()[:4] for line in expected[1:]] == [["would", "end", "1", "clip"]]
    for number in (1, 2):
        veery(*run, "--shard", f"{number}/2", folder=tmp_path)
        assert said(*output) == expected
    if not output:
        veery(*run, folder=tmp_path)
        assert said() == expected and said("--sync", "--new-statistics") == expected[:1]


def test_losses_of_recordings_are_refused_wherever_they_are_found(veery, recordings):
    def refused(*arguments):
        said = veery("extract", *arguments, *KEEP, "--strict", folder=recordings, status=1).stderr
        assert "--strict" in said and "other" in said and "9" not in Path(arguments[2]).name

    refused("m.csv", "-o", "f.h5")
    assert not (recordings / "f.h5").exists()
    # The shard that has the clip, new and done, and the output with it.
    def shard(number, *more, **options):
        return veery("extract", "m.csv", "-o", "s.h5", "--shard", f"{number}/2", *KEEP, *more, folder=recordings, **options)

    lossy = next(number for number in (1, 2) if "lengths-differ" in found(shard(number, "--json")))
    assert "other" in shard(lossy, "--strict", status=1).stderr, "done"
    shard(3 - lossy, "--strict")
    shutil.rmtree(recordings / "s.h5.shards", ignore_errors=True)
    for left in recordings.glob("s.h5*"):
        shutil.rmtree(left)
    assert "other" in shard(lossy, "--strict", status=1).stderr, "new"
    veery("extract", "m.csv", "-o", "s.h5", *KEEP, folder=recordings)
    assert "other" in shard(lossy, "--strict", status=1).stderr, "in the output"
    refused("m.csv", "-o", "s.h5")


def test_a_stream_with_losses_is_refused(program, recordings):
    (recordings / "x.spx").write_bytes(b"?")
    subprocess.run(["tar", "cf", "t.tar", "b.wav", "x.spx"], cwd=recordings, check=True)
    def stream(*more):
        with open(recordings / "t.tar", "rb") as tar:
            return subprocess.run([program, "extract", "-", "--tar", "-o", "t.h5", *more], cwd=recordings, stdin=tar,
                                  capture_output=True, text=True)

    refused = stream("--strict")
    assert refused.returncode == 1 and "'x.spx'" in refused.stderr and "--strict" in refused.stderr
    assert not (recordings / "t.h5").exists()
    assert stream().returncode == 0 and (recordings / "t.h5").exists()


def test_a_remark_that_changes_while_samples_do_not_is_stored_again(veery, recordings):
    """The samples are the same, but the recording is cut off after them now."""
    (recordings / "m.csv").write_text("id,path,start,end\nx,a.wav,0,1\ny,b.wav,0,1\n")
    veery("extract", "m.csv", "-o", "f.h5", folder=recordings)
    shutil.copy(recordings / "cut.wav", recordings / "a.wav")
    veery("extract", "m.csv", "-o", "f.h5", "--sync", folder=recordings)
    veery("extract", "m.csv", "-o", "g.h5", folder=recordings)
    assert stored_remarks(recordings / "f.h5") == stored_remarks(recordings / "g.h5")
    assert stored(recordings / "f.h5") == [{
        "kind": "recordings-cut-later", "loss": False, "source": "recordings", "count": 1, "first": ["x"]}]


def test_a_clip_whose_times_changed_is_not_appended_to(veery, recordings):
    (recordings / "m.csv").write_text("id,path,start,end\nx,a.wav,0,1\n")
    veery("extract", "m.csv", "-o", "f.h5", folder=recordings)
    (recordings / "m.csv").write_text("id,path,start,end\nx,a.wav,0,1.4\ny,b.wav,0,1\n")
    said = veery("extract", "m.csv", "-o", "f.h5", "--append", "--set", "audio.overshoot=0.5", folder=recordings, status=1).stderr
    said += veery("extract", "m.csv", "-o", "f.h5", "--append", folder=recordings, status=1).stderr
    assert "its clip 'x' is 1.0 s of 'a.wav' from 0.0 s on" in said


def test_clips_of_an_earlier_program_are_not_resumed(veery, recordings):
    """Shards and spools say how their clips were read; those of version 0.1 do not."""
    veery("extract", "m.csv", "-o", "s.h5", "--shard", "1/2", *KEEP, folder=recordings)
    identity = next(path for path in recordings.rglob("*") if path.is_file() and path.parent.parent.name.startswith("s.h5")
                    and path.read_bytes().startswith(b"{") and b'"records"' in path.read_bytes())
    text = json.loads(identity.read_text())
    assert isinstance(text.pop("records"), int)
    identity.write_text(json.dumps(text))
    said = veery("extract", "m.csv", "-o", "s.h5", "--shard", "1/2", *KEEP, folder=recordings, status=1).stderr
    assert "another version of veery made it" in said and "--fresh" in said
    veery("extract", "m.csv", "-o", "s.h5", "--shard", "1/2", *KEEP, "--fresh", folder=recordings)


@pytest.mark.parametrize("declared, expected", [
    (2.025, {"stored"}), (1.975, {"stored"}), (2.026, {"failed"}), (1.974, {"failed"}),
    ("2.1?", {"stored"}), ("1.9?", {"stored"}), ("2.101?", {"remarked"}), ("1.899?", {"remarked"})])
def test_lengths_at_the_borders(veery, tmp_path, declared, expected):
    """25 ms and 0.1 s of difference are allowed, whatever the length; a millisecond more is not."""
    rows = ["id,path,recording.duration"]
    text = str(declared)
    difference = round(float(text.rstrip("?")) - 2, 6)
    for tenth in range(3, 60, 3):
        write_wav(tmp_path / f"{tenth}.wav", RATE, noise(tenth, RATE * tenth // 10))
        rows.append(f"{tenth},{tenth}.wav,{round(tenth / 10 + difference, 6)}{'?' if text.endswith('?') else ''}")
    (tmp_path / "m.csv").write_text("".join(f"{row}\n" for row in rows))
    report = json.loads(veery("check", "m.csv", "--json", folder=tmp_path, status=3 if expected == {"failed"} else 0).stdout)
    counts = {remark["kind"]: remark["count"] for remark in report["remarks"]}
    assert report["problems"] == (len(rows) - 1 if expected == {"failed"} else 0)
    assert counts == ({"lengths-differ": len(rows) - 1} if expected == {"remarked"} else {})


@pytest.mark.parametrize("late, overshoot, problems", [
    (0.001, "", False), (0.002, "", True), (0.5, "0.5", False), (0.501, "0.5", True)])
def test_ends_at_the_borders(veery, tmp_path, late, overshoot, problems):
    rows = ["id,path,start,end,max_overshoot"]
    for tenth in range(3, 60, 3):
        write_wav(tmp_path / f"{tenth}.wav", RATE, noise(tenth, RATE * tenth // 10))
        rows.append(f"{tenth},{tenth}.wav,0.1,{round(tenth / 10 + late, 6)},{overshoot}")
    (tmp_path / "m.csv").write_text("".join(f"{row}\n" for row in rows))
    report = json.loads(veery("check", "m.csv", "--json", folder=tmp_path, status=3 if problems else 0).stdout)
    assert report["problems"] == (len(rows) - 1 if problems else 0)


@pytest.mark.parametrize("name", ["sub/c.wav", "sub//./c.wav", "sub/../sub/c.wav", "../d/sub/c.wav", None])
def test_a_recording_is_listed_however_its_path_is_written(veery, tmp_path, name):
    folder = tmp_path / "d"
    (folder / "sub").mkdir(parents=True)
    write_wav(folder / "sub/c.wav", 8000, noise(1, 8000))
    (folder / "metadata.csv").write_text(f"file_name,label\n{name or folder / 'sub/c.wav'},x\n")
    report = json.loads(veery("check", folder, "--strict", "--json").stdout)
    assert report["remarks"] == [] and report["readable"] == 1


def test_clips_does_not_name_itself_for_files_of_annotations(veery, tmp_path):
    write_wav(tmp_path / "d/a.wav", 8000, noise(1, 8000))
    (tmp_path / "d/a.wav.json").write_text("{}")
    clips = "clips", "d", "--window", 0.5, "-o", "w.csv"
    for said in veery("crawl", "d", "-o", "c.csv", folder=tmp_path).stderr, veery("check", "d", folder=tmp_path).stderr:
        assert "1 metadata file is not read: 'd/a.wav.json'; 'veery clips' reads it if it is an annotation file\n" in said
    for said in veery(*clips, "--strict", folder=tmp_path, status=1).stderr, veery(*clips, folder=tmp_path).stderr:
        assert "1 metadata file is not read: 'd/a.wav.json'\n" in said + "\n"
