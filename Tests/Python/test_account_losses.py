"""The account where a value, a folder or a declared length is easily lost: each test is of a loss that was silent."""

import csv
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import h5py
import pytest
from conftest import noise, write_manifest, write_wav
from test_account import remarks, stored
from test_commands import validate

RATE = 8_000
LENGTH = 0.5


def of(kind, result):
    return [remark for remark in remarks(result) if remark["kind"] == kind]


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def folder(tmp_path):
    for number in range(6):
        write_wav(tmp_path / f"{number}.wav", RATE, noise(number, int(LENGTH * RATE)))
    return tmp_path


def declare(folder, **lengths):
    """A manifest of which each recording has a length that may differ, by default the right one."""
    rows = [{"path": f"{number}.wav", "id": f"c{number}", "recording.duration": lengths.get(f"c{number}", f"{LENGTH}?")}
            for number in range(6)]
    write_manifest(folder / "m.csv", rows)
    return folder / "m.csv"


@pytest.fixture
def declared(folder):
    """A manifest that states wrong lengths for two recordings."""
    declare(folder, c1="9?", c4="7?")
    return folder


# --- clips


def test_clips_compares_declared_lengths_as_extract_does(veery, declared):
    expected = [{"kind": "lengths-differ", "loss": True, "source": "recordings", "count": 2, "first": ["c1", "c4"]}]
    assert of("lengths-differ", veery("extract", "m.csv", "-o", "f.h5", "--json", folder=declared)) == expected
    made = veery("clips", "m.csv", "--window", "0.1", "-o", "c.csv", "--json", folder=declared)
    assert of("lengths-differ", made) == expected and "loss: recordings: 2 clips have another length" in made.stderr
    refused = veery("clips", "m.csv", "--window", "0.1", "-o", "d.csv", "--strict", folder=declared, status=1)
    assert "'c1', 'c4'" in refused.stderr and not (declared / "d.csv").exists()
    veery("check", "m.csv", "--strict", folder=declared, status=1)


# --- --quiet


def test_failures_of_one_reason_are_one_line_with_the_first_of_them(veery, folder):
    rows = [{"path": "0.wav", "id": f"u{number}", "start": number, "end": number + 1} for number in range(9, 15)]
    write_manifest(folder / "m.csv", [{"path": "0.wav", "id": "whole"}, *rows[:5]])
    # Few are listed one by one.
    failed = veery("extract", "m.csv", "-o", "f.h5", folder=folder, status=3).stderr
    assert failed.count("\n  0.wav (u") == 5 and "0.wav (u13): decode: the segment starts at 13.0 s" in failed and "like it" not in failed
    write_manifest(folder / "m.csv", [{"path": "0.wav", "id": "whole"}, *rows, {"path": "none.wav", "id": "none"}])
    failed = veery("extract", "m.csv", "-o", "g.h5", folder=folder, status=3).stderr.splitlines()
    start = failed.index("7 clips failed:")
    assert failed[start + 1].startswith("  0.wav (u9): decode: the segment starts at 9.0 s, but the recording lasts")
    assert failed[start + 2] == "    and 5 more like it"
    assert failed[start + 3].startswith("  none.wav (none): open: ")
    # All reasons are shown, so there are no more.
    assert failed[start + 4].startswith("(--time-unit") and not any("… and more" in line for line in failed)
    # The same of a file that is up to date.
    again = veery("extract", "m.csv", "-o", "g.h5", folder=folder, status=3).stderr.splitlines()
    assert again[again.index("7 clips failed:"):][:4] == failed[start:start + 4]


def test_quiet_prints_errors(veery, folder):
    write_manifest(folder / "m.csv", [{"path": "0.wav"}, {"path": "nowhere.wav"}])
    failed = veery("extract", "m.csv", "-o", "f.h5", "--quiet", folder=folder, status=3).stderr
    assert failed.splitlines()[0] == "1 clip failed:" and "nowhere.wav (nowhere): " in failed and "more than --max-failures 0 allows" in failed
    assert "wrote" not in failed
    # The file is up to date, but has more failures than allowed.
    assert veery("extract", "m.csv", "-o", "f.h5", "--quiet", folder=folder, status=3).stderr == failed
    allowed = veery("extract", "m.csv", "-o", "g.h5", "--quiet", "--max-failures", "1", folder=folder)
    assert allowed.stderr == ""


@pytest.mark.parametrize("command", [
    ["extract", "m.csv", "-o", "f.h5"], ["extract", "m.csv", "-o", "f.h5", "--shard", "1/2"], ["crawl", "nowhere", "-o", "c.csv"],
    ["clips", "m.csv", "-o", "c.csv", "--annotations", "nowhere.csv"], ["split", "nowhere.csv", "-o", "c.csv", "--folds", "2"],
    ["filter", "nowhere.wav", "o.wav", "--band-pass", "100-200"], ["export", "nowhere.h5", "--to", "npy", "-o", "e"],
    ["live", "--file", "nowhere.wav", "--record", "l.h5"],
])
def test_every_error_is_printed_with_quiet(program, folder, command):
    write_manifest(folder / "m.csv", [{"path": "0.wav", "start": "x"}])
    ended = subprocess.run([program, *command, "--quiet"], cwd=folder, capture_output=True, text=True, timeout=60)
    assert ended.returncode != 0 and ended.stderr.strip(), ended


# --- values


HEADER = "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tConfidence\tSpecies\n"
TABLES = {
    "raven": ("0.Table.1.selections.txt", HEADER + "1\tS\t1\t0.1\t0.2\t{low}\t3000\t{score}\twren\n"),
    "times": ("t.csv", "path,onset_s,offset_s,low_khz,high_khz,score,label\n0.wav,0.1,0.2,{low},3,{score},wren\n"),
    "birdnet": ("b.csv", "Start (s),End (s),Scientific name,Common name,Confidence,File\n0.1,0.2,x,wren,{score},0.wav\n"),
    "kaleidoscope": ("k.csv", "INDIR,FOLDER,IN FILE,OFFSET,DURATION,Fmin,Fmax,TOP1MATCH,confidence\n,,0.wav,0.1,0.1,{low},3000,wren,{score}\n"),
    "manifest": ("m.jsonl", '{{"path": "0.wav", "start": 0.1, "end": 0.2, "label": "wren", "low": "{low}", "high": "3000", "score": "{score}"}}\n'),
}


@pytest.mark.parametrize("form, command", [*((form, "clips") for form in TABLES), ("times", "extract")])
def test_values_that_are_not_numbers_are_remarked(veery, folder, form, command):
    name, text = TABLES[form]
    has_low = "{low}" in text
    write_manifest(folder / "m.csv", [{"path": "0.wav"}])
    more = ["--annotations-format", "manifest"] if form == "manifest" and command == "clips" else []

    def run(**values):
        (folder / name).write_text(text.format(**values))
        given = ["clips", "m.csv", "--annotations", name, "-o", "c.csv", *more] if command == "clips" else [
            "extract", "m.csv", "--frame-labels", name, "-o", "f.h5", *more]
        return veery(*given, "--overwrite", "--json", folder=folder)

    for values in ({"low": "1000", "score": "0.5"}, {"low": "", "score": ""}, {"low": "NA", "score": "NaN"}, {"low": "-", "score": "none"}):
        assert of("values-unread", run(**values)) == []
    result = run(low="deep", score="sure")
    found = of("values-unread", result)
    assert len(found) == 1 and found[0]["loss"] and found[0]["source"].endswith(name) and found[0]["count"] == 1 + has_low
    assert any("'sure' in the column" in one and "line" in one for one in found[0]["first"])
    assert "count" in result.stderr and "as not given" in result.stderr and "'sure'" in result.stderr
    if has_low:  # No frequency is below 0.
        assert of("values-unread", run(low="-5", score="1"))[0]["count"] == 1


def test_a_file_offset_of_raven_that_is_not_a_number_is_an_error(veery, folder):
    (folder / "t.txt").write_text(
        "Selection\tView\tBegin Time (s)\tEnd Time (s)\tBegin File\tFile Offset (s)\tSpecies\n1\tS\t0.1\t0.2\t0.wav\tlate\twren\n")
    write_manifest(folder / "m.csv", [{"path": "0.wav"}])
    said = veery("clips", "m.csv", "--annotations", "t.txt", "-o", "c.csv", folder=folder, status=1).stderr
    assert "t.txt" in said and "File Offset (s) is 'late'" in said


def lhotse(folder, **changes):
    recording = {"id": "r", "sampling_rate": RATE, "num_samples": int(LENGTH * RATE), "duration": LENGTH, "channel_ids": [0],
                 "sources": [{"type": "file", "channels": [0], "source": "0.wav"}]}
    cut = {"id": "c", "start": 0.0, "duration": LENGTH, "channel": 0, "type": "MonoCut",
           "supervisions": [{"id": "s", "recording_id": "r", "start": 0.0, "duration": LENGTH, "channel": 0, "text": "x"}]}
    for name, value in changes.items():
        if name == "source_channels":
            recording["sources"][0]["channels"] = value
        elif name == "supervision_channel":
            cut["supervisions"][0]["channel"] = value
        elif name.startswith("cut_"):
            cut[name[4:]] = value
        else:
            recording[name] = value
    (folder / "cuts.jsonl").write_text(json.dumps({**cut, "recording": recording}) + "\n")


@pytest.mark.parametrize("change", [
    {"duration": "long"}, {"num_samples": "many"}, {"sampling_rate": "8k"}, {"source_channels": ["left"]}, {"cut_channel": "left"},
    {"cut_channel": 0.5}, {"supervision_channel": "left"}, {"cut_start": "later"}, {"cut_duration": "all"},
], ids=str)
def test_values_of_lhotse_that_are_not_numbers_are_errors(veery, folder, change):
    lhotse(folder)
    veery("extract", "cuts.jsonl", "-o", "f.h5", folder=folder)
    lhotse(folder, **change)
    said = veery("extract", "cuts.jsonl", "-o", "f.h5", "--overwrite", folder=folder, status=1).stderr
    assert "cuts.jsonl" in said and "expected" in said and str(next(iter(change.values()))).strip("[]'") in said


# --- folders without rights


@pytest.fixture
def stranger(program):
    """Runs the program in a folder as a user who has no rights but those that all have."""
    folder = Path(tempfile.mkdtemp(prefix="veery-rights-"))
    folder.chmod(0o777)
    shutil.copy(program, folder / "program")
    options = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}

    def run(*command, status=0, unlisted=()):
        for path in folder.rglob("*"):
            if not path.name.startswith(("closed", "listless")):
                path.chmod(0o777)
        for path in folder.rglob("closed*"):
            path.chmod(0)
        for path in [*folder.rglob("listless*"), *(folder / name for name in unlisted)]:
            path.chmod(0o111)
        ended = subprocess.run(
            [folder / "program", *map(str, command)], cwd=folder, capture_output=True, text=True, timeout=60,
            env={**os.environ, "TMPDIR": str(folder)}, **options)
        assert ended.returncode == status, ended
        return ended

    try:
        run("--version")
    except (AssertionError, OSError):
        pytest.skip("ANOTHER USER CANNOT RUN THE PROGRAM: folders without rights are not tested")
    yield folder, run
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir():
            path.chmod(0o777)
    shutil.rmtree(folder)


def recording(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    write_wav(path, RATE, noise(1, int(LENGTH * RATE)))


LABELS = "path,onset,offset,label\n{},0.1,0.2,wren\n"


def test_folders_of_annotations_without_rights_are_remarked(stranger):
    folder, run = stranger
    for name in "ab":
        recording(folder / f"{name}.wav")
    write_manifest(folder / "m.csv", [{"path": "a.wav"}, {"path": "b.wav"}])
    for below, name in (("marks/open", "a.wav"), ("marks/closed", "b.wav"), ("marks/open/listless", "b.wav")):
        (folder / below).mkdir(parents=True)
        (folder / below / "t.csv").write_text(LABELS.format(name))
    found = of("folders-unreadable", run("clips", "m.csv", "--annotations", "marks", "-o", "c.csv", "--json"))
    assert [(one["source"], one["count"], one["loss"]) for one in found] == [("marks", 2, True)]
    assert "'marks/closed' (Permission denied)" in found[0]["first"] and "'marks/open/listless' (Permission denied)" in found[0]["first"]
    run("clips", "m.csv", "--annotations", "marks", "-o", "d.csv", "--strict", status=1)
    found = of("folders-unreadable", run("extract", "m.csv", "--frame-labels", "marks", "-o", "f.h5", "--json"))
    assert found and found[0]["count"] == 2
    said = run("clips", "m.csv", "--annotations", "marks/closed", "-o", "e.csv", status=1).stderr
    assert "marks/closed: the folder cannot be read: Permission denied" in said
    # The advice: check their permissions.
    refused = run("clips", "m.csv", "--annotations", "marks", "-o", "f.csv")
    assert "; check their permissions" in refused.stderr and len(rows_of(folder / "f.csv")) == 1
    for old, new in (("closed", "shut"), ("open/listless", "open/unlisted")):
        (folder / "marks" / old).chmod(0o755)
        (folder / "marks" / old).rename(folder / "marks" / new)
    assert run("clips", "m.csv", "--annotations", "marks", "-o", "g.csv").stderr.count("permissions") == 0
    assert [row["path"] for row in rows_of(folder / "g.csv")] == ["a.wav", "b.wav", "b.wav"]


def test_annotations_beside_recordings_in_a_folder_that_cannot_be_listed(stranger):
    folder, run = stranger
    for name in ("listless", "open"):
        recording(folder / name / "a.wav")
        (folder / name / "a.csv").write_text("onset,offset,label\n0.1,0.2,wren\n")
    write_manifest(folder / "m.csv", [{"path": "listless/a.wav", "id": "1"}, {"path": "open/a.wav", "id": "2"}])
    (folder / "listless/a.wav").chmod(0o644)
    found = of("folders-unreadable", run("clips", "m.csv", "-o", "c.csv", "--json"))
    assert found and "listless' (Permission denied)" in found[0]["first"][0]


def kaldi(folder, name):
    recording(folder / f"{name}.wav")
    (folder / "wav.scp").write_text(f"{name} {folder / name}.wav\n")
    (folder / "text").write_text(f"{name} word\n")


def test_parts_of_kaldi_without_rights(stranger):
    folder, run = stranger
    for number, name in enumerate(("data/train", "data/dev", "data/closed")):
        kaldi(folder / name, f"u{number}")
    found = of("folders-unreadable", run("extract", "data", "-o", "f.h5", "--json"))
    assert [(one["source"], one["count"], one["first"]) for one in found] == [("data", 1, ["'closed'"])]
    # Its recordings can be read, but its tables cannot be found.
    found = of("folders-unreadable", run("extract", "data", "-o", "g.h5", "--json", unlisted=["data/dev"]))
    assert [(one["source"], one["count"], one["first"]) for one in found] == [("data", 2, ["'closed'", "'dev/' (Permission denied)"])]


def test_links_to_folders_of_annotations_are_followed(veery, folder):
    write_manifest(folder / "m.csv", [{"path": "0.wav"}, {"path": "1.wav"}])
    (folder / "marks").mkdir()
    (folder / "elsewhere").mkdir()
    (folder / "marks/t.csv").write_text(LABELS.format("0.wav"))
    (folder / "elsewhere/t.csv").write_text(LABELS.format("1.wav"))
    (folder / "marks/more").symlink_to("../elsewhere")
    (folder / "marks/again").symlink_to("../elsewhere")
    (folder / "elsewhere/up").symlink_to("../marks")
    veery("clips", "m.csv", "--annotations", "marks", "-o", "c.csv", folder=folder)
    assert sorted(row["path"] for row in rows_of(folder / "c.csv")) == ["0.wav", "1.wav"]


# --- --dry-run


def test_a_dry_run_gives_reasons(veery, folder):
    write_manifest(folder / "m.csv", [{"path": "0.wav"}, {"path": "nowhere.wav"}, {"path": "1.wav", "id": "late", "start": 9, "end": 10}])
    plan = json.loads(veery("extract", "m.csv", "-o", "f.h5", "--dry-run", "--json", folder=folder).stdout)
    validate(plan, "extraction-report")
    assert plan["problems"] == 2
    checked = json.loads(veery("check", "m.csv", "--json", folder=folder, status=3).stdout)
    assert plan["first_problems"] == checked["first_problems"]
    veery("extract", "m.csv", "-o", "f.h5", folder=folder, status=3)
    with h5py.File(folder / "f.h5") as file:
        run = list(zip(file["failures/id"].asstr()[:], file["failures/reason"].asstr()[:]))
    assert [(one["id"], one["reason"]) for one in plan["first_problems"]] == run
    declare(folder)
    assert json.loads(veery("extract", "m.csv", "-o", "g.h5", "--dry-run", "--json", folder=folder).stdout)["first_problems"] == []


# --- kept clips


@pytest.mark.parametrize("layout", ["packed", pytest.param("fixed", marks=pytest.mark.long)])
def test_a_kept_clip_is_what_the_manifest_says_now(veery, folder, layout):
    options = ["--set", f"store.layout={layout}", "--set", "normalize.scope=none"]
    options += ["--set", f"audio.duration={LENGTH}"] if layout == "fixed" else []

    def bits():
        with h5py.File(folder / "f.h5") as file:
            column = file["clips/remarks"][:].tolist() if "clips/remarks" in file else []
            return dict(zip(file["clips/id"].asstr()[:], column))

    declare(folder)
    veery("extract", "m.csv", "-o", "f.h5", *options, folder=folder)
    assert bits() == {}
    # Only what is declared changes, and then back.
    for lengths in ({"c2": "9?"}, {"c2": "9?", "c5": "8?"}, {}):
        declare(folder, **lengths)
        veery("extract", "m.csv", "-o", "f.h5", "--sync", *options, folder=folder)
        assert {key for key, value in bits().items() if value} == set(lengths)
        veery("extract", "m.csv", "-o", "fresh.h5", "--overwrite", *options, folder=folder)
        assert (folder / "f.h5").read_bytes() == (folder / "fresh.h5").read_bytes()
        veery("inspect", "f.h5", "--verify", folder=folder)
    # A length without a question mark: the recording must have it.
    declare(folder, c3="9")
    said = veery("extract", "m.csv", "-o", "f.h5", "--sync", *options, folder=folder, status=3).stderr
    assert "3.wav" in said and "9" in said
    assert "c3" not in bits() and not any(bits().values())


@pytest.mark.parametrize("length", ["9?", "9"])
def test_append_does_not_keep_what_the_manifest_contradicts(veery, folder, length):
    declare(folder)
    veery("extract", "m.csv", "-o", "f.h5", folder=folder)
    before = (folder / "f.h5").read_bytes()
    declare(folder, c2=length)
    write_wav(folder / "6.wav", RATE, noise(6, int(LENGTH * RATE)))
    with open(folder / "m.csv", "a") as file:
        file.write(f"6.wav,c6,{LENGTH}?\n")
    said = veery("extract", "m.csv", "-o", "f.h5", "--append", folder=folder, status=1).stderr
    assert "2.wav" in said and "the manifest says another length" in said and "--sync" in said
    assert (folder / "f.h5").read_bytes() == before
    # The advice succeeds.
    veery("extract", "m.csv", "-o", "f.h5", "--sync", folder=folder, status=0 if length.endswith("?") else 3)
    # Unchanged clips are kept.
    declare(folder)
    veery("extract", "m.csv", "-o", "g.h5", folder=folder)
    with open(folder / "m.csv", "a") as file:
        file.write(f"6.wav,c6,{LENGTH}?\n")
    assert "kept 6 clips, added 1" in veery("extract", "m.csv", "-o", "g.h5", "--append", folder=folder).stderr


# --- --strict and equal bytes


def spool(folder, name):
    return sorted(path.name for path in folder.iterdir() if path.name.startswith(name))


def test_strict_keeps_the_clips(veery, declared):
    refused = veery("extract", "m.csv", "-o", "f.h5", "--strict", folder=declared, status=1).stderr
    assert "--strict" in refused and "2 clips have another length than the metadata or the header of the recording say: 'c1', 'c4'" in refused
    assert not (declared / "f.h5").exists() and spool(declared, "f.h5") == ["f.h5.spool"]
    # The same again, without reading any recording.
    veery("extract", "m.csv", "-o", "f.h5", "--strict", folder=declared, status=1)
    for number in range(6):
        os.utime(declared / f"{number}.wav", ns=(number, (declared / f"{number}.wav").stat().st_mtime_ns))
    done = json.loads(veery("extract", "m.csv", "-o", "f.h5", "--json", folder=declared).stdout)
    assert (done["clips"], done["resumed_clips"], done["failures"]) == (6, 6, 0)
    assert spool(declared, "f.h5") == ["f.h5"]
    veery("extract", "m.csv", "-o", "whole.h5", folder=declared)
    assert (declared / "f.h5").read_bytes() == (declared / "whole.h5").read_bytes()


def test_strict_judges_shards_and_the_assembly(veery, declared):
    """c1 is of the first shard of two or of the second: whichever has it is refused, and keeps its clips."""
    for shard in ("1/2", "2/2"):
        veery("extract", "m.csv", "-o", "f.h5", "--shard", shard, "--strict", folder=declared, status=1)
        veery("extract", "m.csv", "-o", "f.h5", "--shard", shard, folder=declared)
    veery("extract", "m.csv", "-o", "f.h5", "--strict", folder=declared, status=1)
    assert not (declared / "f.h5").exists()
    assert json.loads(veery("extract", "m.csv", "-o", "f.h5", "--json", folder=declared).stdout)["resumed_clips"] == 6


def test_a_file_with_remarks_of_clips_has_equal_bytes(veery, declared):
    veery("extract", "m.csv", "-o", "f.h5", "--jobs", "1", folder=declared)
    whole = (declared / "f.h5").read_bytes()
    assert stored(declared / "f.h5")[0]["first"] == ["c1", "c4"]
    veery("extract", "m.csv", "-o", "jobs.h5", "--jobs", "2", folder=declared)
    for shard in ("1/2", "2/2"):
        veery("extract", "m.csv", "-o", "shards.h5", "--shard", shard, folder=declared)
    veery("extract", "m.csv", "-o", "shards.h5", folder=declared)
    for name in ("jobs.h5", "shards.h5"):
        assert (declared / name).read_bytes() == whole, name
    # Stopped after clips were finished: --strict leaves them.
    veery("extract", "m.csv", "-o", "left.h5", "--strict", folder=declared, status=1)
    assert json.loads(veery("extract", "m.csv", "-o", "left.h5", "--json", folder=declared).stdout)["resumed_clips"] == 6
    assert (declared / "left.h5").read_bytes() == whole


def test_the_manifest_is_not_an_annotation_of_its_own(veery, tmp_path):
    """Where it is in the folder of the annotations, it has no remark."""
    write_wav(tmp_path / "a.wav", RATE, noise(1, int(LENGTH * RATE)))
    (tmp_path / "m.csv").write_text("path,label\na.wav,x\n")
    (tmp_path / "a.txt").write_text("0.1\t0.4\tcall\n")
    said = veery("extract", "m.csv", "-o", "f.h5", "--frame-labels", ".", "--strict", folder=tmp_path).stderr
    assert "m.csv" not in said.replace("/m.csv", ""), said
    assert "remark" not in said and "left out" not in said, said


def test_a_repeated_id_names_its_line(veery, tmp_path):
    """Also in a table that is not a manifest."""
    write_wav(tmp_path / "a.wav", RATE, noise(1, int(LENGTH * RATE)))
    (tmp_path / "k.csv").write_text("filename,start,end,label,annot_id\na.wav,0,0.5,x,1\na.wav,0,0.5,x,1\n")
    said = veery("check", "k.csv", status=1, folder=tmp_path).stderr
    assert "that of line 2" in said and "of ," not in said, said
