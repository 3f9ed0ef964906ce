"""`--corrections`: every command that takes a manifest applies a file of corrections; its checksum is provenance."""
import csv
import hashlib
import json
import os

import h5py
import pytest
import veery as package

from conftest import noise, write_wav

HEADER = "id,path,start,end,audio_xxh3,action,label,note,given,by\n"
MEL = ["--preset", "log-mel", "--set", "audio.sample_rate=8000", "--set", "transform.high=4000", "--set", "transform.bins=8"]
EXTRACT = ["extract", "m.csv", "-o", "f.h5", *MEL]
RATE = 8000


def line(id, action, label="", *, path="", start="", end="", audio="", note=""):
    return f"{id},{path},{start},{end},{audio},{action},{label},{note},2026-05-04T09:12:30Z,ana\n"


@pytest.fixture
def folder(tmp_path):
    for number, name in enumerate("abcd"):
        write_wav(tmp_path / f"{name}.wav", RATE, noise(number, RATE // 2))
    (tmp_path / "m.csv").write_text("path,id,label,split\n" + "".join(
        f"{name}.wav,{name},{label},{split}\n" for name, label, split in zip("abcd", "xxyy", ("train", "test") * 2)))
    (tmp_path / "none.csv").write_text(HEADER)
    (tmp_path / "c.csv").write_text(HEADER + line("a", "relabel", "z") + line("b", "exclude") + line("c", "add", "x"))
    return tmp_path


def stored(path):
    """Everything in a file that follows from clips and recordings."""
    found = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: found.update({name: item[()].tolist()}) if isinstance(item, h5py.Dataset) else None)
    for name in ("manifest_sha256", "corrections_sha256", "configuration", "software"):
        found.pop(f"provenance/{name}", None)
    return found


def labels(path):
    with h5py.File(path) as file:
        return [text.decode() for text in file["clips/label"][()]]


def checksum(path):
    with h5py.File(path) as file:
        return file["provenance/corrections_sha256"][()].decode() if "corrections_sha256" in file["provenance"] else None


def audio(path):
    with h5py.File(path) as file:
        return dict(zip((text.decode() for text in file["clips/id"][()]), (text.decode() for text in file["clips/audio_xxh3"][()])))


def test_extract_applies_corrections_as_a_mended_manifest_would(veery, folder):
    said = veery(*EXTRACT, "--corrections", "c.csv", folder=folder).stderr
    assert "c.csv: 1 clip is excluded by these corrections: 'b'" in said
    assert "c.csv: 2 clips have other labels by these corrections: 'a', 'c'" in said
    assert labels(folder / "f.h5") == ["z", "y", "y"]
    assert checksum(folder / "f.h5") == hashlib.sha256((folder / "c.csv").read_bytes()).hexdigest()
    veery("check", "m.csv", "--corrections", "c.csv", "--mend", "mended.csv", folder=folder)
    rows = list(csv.DictReader((folder / "mended.csv").open()))
    assert [row["id"] for row in rows] == ["a", "c", "d"] and json.loads(rows[1]["labels"]) == ["y", "x"]
    veery("extract", "mended.csv", "-o", "g.h5", *MEL, folder=folder)
    assert stored(folder / "g.h5") == stored(folder / "f.h5")
    # The same corrections of the manifest that has them already.
    veery("extract", "mended.csv", "-o", "h.h5", *MEL, "--corrections", "c.csv", folder=folder)
    assert stored(folder / "h.h5") == stored(folder / "f.h5")


def test_a_file_without_corrections_is_as_before(veery, folder):
    veery(*EXTRACT, folder=folder)
    veery("extract", "m.csv", "-o", "g.h5", *MEL, "--corrections", "none.csv", folder=folder)
    assert checksum(folder / "f.h5") is None and checksum(folder / "g.h5")
    assert stored(folder / "g.h5") == stored(folder / "f.h5")
    veery("inspect", "g.h5", "--verify", folder=folder)
    shown = json.loads(veery("inspect", "g.h5", "--json", folder=folder).stdout)
    assert shown["corrections_sha256"] == checksum(folder / "g.h5")
    assert "corrections_sha256" not in json.loads(veery("inspect", "f.h5", "--json", folder=folder).stdout)
    assert "Corrections" in veery("inspect", "g.h5", folder=folder).stdout


def test_other_corrections_are_not_up_to_date_and_sync_applies_them(veery, folder):
    veery(*EXTRACT, "--corrections", "none.csv", folder=folder)
    assert "up to date" in veery(*EXTRACT, "--corrections", "none.csv", folder=folder).stderr
    said = veery(*EXTRACT, "--corrections", "c.csv", folder=folder, status=1).stderr
    assert "was made with other corrections (--sync applies these)" in said
    said = veery("extract", "m.csv", "-o", "f.h5", "--retry-failed", "--corrections", "c.csv", folder=folder, status=1).stderr
    assert "the corrections have changed since: add --sync to apply them" in said
    report = json.loads(veery(*EXTRACT, "--corrections", "c.csv", "--sync", "--json", folder=folder).stdout)
    assert report["kept_clips"] == 3 and report["sync"]["removed"] == 1, report
    veery("extract", "m.csv", "-o", "g.h5", *MEL, "--corrections", "c.csv", folder=folder)
    assert labels(folder / "f.h5") == labels(folder / "g.h5") == ["z", "y", "y"]
    # A file without corrections says what it lacks.
    veery("extract", "m.csv", "-o", "h.h5", *MEL, folder=folder)
    said = veery("extract", "m.csv", "-o", "h.h5", *MEL, "--corrections", "c.csv", folder=folder, status=1).stderr
    assert "was made without corrections (--sync applies them)" in said


def test_sync_gives_the_bytes_of_a_fresh_run(veery, folder):
    options = [*MEL, "--set", "normalize.scope=none"]
    veery("extract", "m.csv", "-o", "f.h5", *options, folder=folder)
    veery("extract", "m.csv", "-o", "f.h5", *options, "--corrections", "c.csv", "--sync", folder=folder)
    veery("extract", "m.csv", "-o", "g.h5", *options, "--corrections", "c.csv", folder=folder)
    assert (folder / "f.h5").read_bytes() == (folder / "g.h5").read_bytes()
    veery("extract", "m.csv", "-o", "f.h5", *options, "--corrections", "none.csv", "--sync", folder=folder)
    veery("extract", "m.csv", "-o", "h.h5", *options, "--corrections", "none.csv", folder=folder)
    assert (folder / "f.h5").read_bytes() == (folder / "h.h5").read_bytes()


@pytest.mark.parametrize("kind", [[], ["--sync"], ["--append"], ["--retry-failed"], ["--sync", "--retry-failed"], ["--dry-run"],
                                  ["--sync", "--dry-run"]])
def test_corrections_are_not_forgotten(veery, folder, kind):
    veery(*EXTRACT, "--corrections", "c.csv", folder=folder)
    before = (folder / "f.h5").read_bytes()
    said = veery(*EXTRACT, *kind, folder=folder, status=1)
    text = said.stdout + said.stderr
    assert "corrections (give them with --corrections, or a file of corrections with a header alone to take them back)" in text
    assert "undo that" not in text and (folder / "f.h5").read_bytes() == before
    veery(*EXTRACT, "--corrections", "c.csv", *kind, folder=folder)
    veery(*EXTRACT, "--corrections", "none.csv", "--sync", folder=folder)
    assert labels(folder / "f.h5") == list("xxyy")


def test_append_takes_new_corrections(veery, folder):
    veery(*EXTRACT, folder=folder)
    write_wav(folder / "e.wav", RATE, noise(9, RATE // 2))
    with (folder / "m.csv").open("a") as file:
        file.write("e.wav,e,y,train\n")
    (folder / "c.csv").write_text(HEADER + line("a", "relabel", "z") + line("e", "relabel", "w"))
    veery(*EXTRACT, "--append", "--corrections", "c.csv", folder=folder)
    assert labels(folder / "f.h5") == list("zxyyw") and checksum(folder / "f.h5")
    (folder / "c.csv").write_text(HEADER + line("a", "exclude"))
    said = veery(*EXTRACT, "--append", "--corrections", "c.csv", folder=folder, status=1).stderr
    assert "its clip 'a' is not in the manifest" in said


def test_shards_and_sets(veery, folder):
    given = [*EXTRACT, "--corrections", "c.csv"]
    veery(*given, folder=folder)
    whole = (folder / "f.h5").read_bytes()
    (folder / "f.h5").unlink()
    veery(*given, "--shard", "1/2", folder=folder)
    said = veery(*EXTRACT, "--corrections", "none.csv", "--shard", "2/2", folder=folder, status=1).stderr
    assert "the corrections have changed" in said
    said = veery(*EXTRACT, folder=folder, status=1).stderr
    assert "it was made with --corrections, and this is not" in said
    veery(*given, "--shard", "2/2", folder=folder)
    veery(*given, folder=folder)
    assert (folder / "f.h5").read_bytes() == whole
    veery(*given, "--files", "2", folder=folder)
    assert "up to date" in veery(*given, "--files", "2", folder=folder).stderr
    said = veery(*EXTRACT, "--files", "2", folder=folder, status=1).stderr
    assert "has corrections" in said and "(--sync" not in said
    with package.open(folder / "f.index.json") as file:
        assert [clip.label for clip in file] == ["z", "y", "y"]
    for path in folder.glob("f-*.h5"):
        assert checksum(path)


def test_an_interrupted_run_is_of_its_corrections(veery, folder):
    """--strict ends a run once its clips are done: the recording of one is longer than the manifest says."""
    (folder / "m.csv").write_text("path,id,label,recording.duration\n" + "".join(
        f"{name}.wav,{name},{name},{length}\n" for name, length in zip("abcd", ("0.5", "0.5", "0.9?", "0.5"))))
    given = [*EXTRACT, "--corrections", "c.csv"]
    veery(*given, "--strict", folder=folder, status=1)
    said = veery(*EXTRACT, "--corrections", "none.csv", folder=folder, status=1).stderr
    assert "an interrupted run left clips here, but the corrections have changed" in said
    assert "3 clips" in veery(*given, folder=folder).stderr
    assert labels(folder / "f.h5") == ["z", "c", "d"]


def test_a_clip_with_other_samples_fails_by_name(veery, folder):
    own = [*EXTRACT, "--set", "normalize.scope=none"]
    veery(*own, folder=folder)
    sums = audio(folder / "f.h5")
    (folder / "c.csv").write_text(
        HEADER + line("a", "relabel", "z", path="a.wav", start=0, end=0.5, audio=sums["a"])
        + line("c", "relabel", "z", path="c.wav", start=0, end=0.5, audio=sums["c"]))
    given = [*own, "--corrections", "c.csv"]
    veery(*given, "--sync", folder=folder)
    assert labels(folder / "f.h5") == list("zxzy")
    veery("check", "m.csv", "--corrections", "c.csv", "--deep", folder=folder)
    # The same size and time, other samples.
    times = os.stat(folder / "c.wav")
    write_wav(folder / "c.wav", RATE, noise(77, RATE // 2))
    os.utime(folder / "c.wav", ns=(times.st_atime_ns, times.st_mtime_ns))
    said = veery(*given, "--sync", folder=folder, status=3)
    assert "expected the samples that were corrected" in said.stdout + said.stderr
    with h5py.File(folder / "f.h5") as file:
        assert file["failures/id"][()].tolist() == [b"c"] and file["failures/kind"][()].tolist() == [b"other_samples"]
    assert labels(folder / "f.h5") == list("zxy")
    # It is up to date, and remains so.
    assert "up to date" in veery(*given, folder=folder, status=3).stderr
    veery("extract", "m.csv", "-o", "g.h5", *MEL, "--corrections", "c.csv", folder=folder, status=3)
    report = json.loads(veery("check", "m.csv", "--corrections", "c.csv", "--deep", "--json", folder=folder, status=3).stdout)
    kinds = {kind["kind"]: kind for kind in report["kinds"]}
    assert kinds["other_samples"]["first"][0]["id"] == "c", report
    # Without samples nobody can tell.
    veery("check", "m.csv", "--corrections", "c.csv", folder=folder)
    # To look at it again is enough.
    with (folder / "c.csv").open("a") as file:
        file.write(line("c", "checked", path="c.wav"))
    veery(*given, "--sync", folder=folder)
    assert labels(folder / "f.h5") == list("zxzy")


def test_a_kept_clip_with_an_older_checksum_is_computed_and_fails(veery, folder):
    veery(*EXTRACT, folder=folder)
    (folder / "c.csv").write_text(HEADER + line("a", "relabel", "z", audio="0" * 32))
    veery(*EXTRACT, "--corrections", "c.csv", "--sync", folder=folder, status=3)
    assert labels(folder / "f.h5") == list("xyy")


@pytest.mark.parametrize("command", [EXTRACT, ["split", "m.csv", "-o", "s.csv", "--ratio", "50/50"], ["check", "m.csv"]],
                         ids=lambda words: words[0])
def test_changed_clips_and_bad_files_are_refused_by_every_command(veery, folder, command):
    def said(text):
        (folder / "c.csv").write_text(text)
        return veery(*command, "--corrections", "c.csv", folder=folder, status=1).stderr

    found = said(HEADER + line("a", "relabel", "z", path="other.wav"))
    assert "c.csv: a clip of m.csv is not as when it was corrected: 'a' (line 2): path was 'other.wav' and is 'a.wav' now" in found
    found = said(HEADER + line("a", "relabel", "z", audio="size:3;mtime:4"))
    assert "'a' (line 2): 'a.wav' has another size or time than in audio_xxh3" in found
    found = said(HEADER + line("q", "relabel", "z") + line("r", "add", "z"))
    assert "c.csv: 2 clips that it corrects are not in m.csv: 'q' (line 2), 'r' (line 3)" in found
    found = said(HEADER + line("a", "relable", "z"))
    assert "c.csv: 1 line is no correction" in found and "line 2: action is 'relable' (did you mean 'relabel'?)" in found
    found = said("id,action,lable\n")
    assert "'lable' is no column of corrections (did you mean 'label'?)" in found
    assert "expected corrections, whose first line is id,path" in said("")
    assert "no clip is left" in said(HEADER + "".join(line(id, "exclude") for id in "abcd"))
    (folder / "c.csv").unlink()
    assert "there is no such file of corrections" in veery(*command, "--corrections", "c.csv", folder=folder, status=1).stderr
    assert not list(folder.glob("f.h5*")) and not (folder / "s.csv").exists()


def test_a_torn_line_is_a_remark_and_strict_refuses_it(veery, folder):
    with (folder / "c.csv").open("a") as file:
        file.write("d,,,,,excl")
    said = veery(*EXTRACT, "--corrections", "c.csv", folder=folder).stderr
    assert "left out: c.csv: 1 line was not written to its end: line 5" in said
    assert labels(folder / "f.h5") == ["z", "y", "y"]
    veery("extract", "m.csv", "-o", "g.h5", "--corrections", "c.csv", "--strict", folder=folder, status=1)


def test_split_and_clips_take_corrections(veery, folder):
    veery("split", "m.csv", "-o", "s.csv", "--ratio", "50/50", "--corrections", "c.csv", folder=folder)
    rows = list(csv.DictReader((folder / "s.csv").open()))
    assert [(row["id"], row["label"]) for row in rows] == [("a", "z"), ("c", "y"), ("d", "y")]
    # Of this name, it would be the annotations of c.wav.
    (folder / "c.csv").rename(folder / "corrections.csv")
    veery("clips", "m.csv", "-o", "w.csv", "--window", "0.25", "--corrections", "corrections.csv", "--strict", folder=folder)
    for words in (["clips", ".", "--window", "0.25"], ["crawl", "."]):
        assert "corrections" not in veery(*words, "-o", "other.csv", "--overwrite", folder=folder).stderr
    assert {row["path"] for row in csv.DictReader((folder / "w.csv").open())} == {"a.wav", "c.wav", "d.wav"}
    said = veery("clips", "a.wav", "-o", "v.csv", "--window", "0.25", "--corrections", "corrections.csv", folder=folder, status=64).stderr
    assert "--corrections is for a manifest" in said


def test_the_package_takes_corrections(folder, monkeypatch):
    monkeypatch.chdir(folder)
    report = package.extract("m.csv", "f.h5", settings={"audio.sample_rate": 8000, "transform.high": 4000}, corrections="c.csv")
    assert report["clips"] == 3 and labels(folder / "f.h5") == ["z", "y", "y"]
    assert [row["id"] for row in package.split("m.csv", ratio="50/50", corrections="c.csv")] == ["a", "c", "d"]
    assert package.check("m.csv", corrections=folder / "c.csv")["clips"] == 3
    with package.open("f.h5") as file:
        assert file.corrections_sha256 == checksum("f.h5")
    rows = [{"path": "a.wav", "id": "a", "label": "x"}, {"path": "c.wav", "id": "c", "label": "y"}]
    assert [row["label"] for row in package.split(rows, ratio="50/50", corrections="c.csv")] == ["z", "y"]
