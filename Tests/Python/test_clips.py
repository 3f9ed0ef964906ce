"""Clips of annotations and windows of recordings: `veery clips`, and what `extract` makes of them."""

import csv
import io
import json
import pathlib
import shutil

import h5py
import numpy as np
import pytest
from conftest import noise, write_wav

HERE = pathlib.Path(__file__).resolve().parents[1]
FIXTURES = HERE / "Fixtures" / "annotations"
RATE = 16_000


@pytest.fixture
def day(tmp_path):
    """A recording of ten seconds with a Raven table beside it, and one of four without."""
    write_wav(tmp_path / "rec/day.wav", RATE, noise(1, 10 * RATE))
    write_wav(tmp_path / "rec/night.wav", RATE, noise(2, 4 * RATE))
    raven(tmp_path / "rec/day.Table.1.selections.txt", [(1, 2, "wren"), (3.25, 3.75, "robin"), (3.5, 9.75, "wren")])
    return tmp_path


def raven(path, rows, names=("Selection", "View", "Begin Time (s)", "End Time (s)", "Low Freq (Hz)", "High Freq (Hz)", "Species")):
    lines = ["\t".join(names)]
    for number, (start, end, label) in enumerate(rows, 1):
        for view in ("Waveform 1", "Spectrogram 1"):
            low, high = (0, 8000) if view[0] == "W" else (500.5, 4000)
            lines.append(f"{number}\t{view}\t{start}\t{end}\t{low}\t{high}\t{label}")
    path.write_text("\n".join(lines) + "\n")
    return path


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def clips(veery, *arguments, **options):
    """The rows that are written to standard output, and the messages."""
    result = veery("clips", *arguments, "-o", "-", **options)
    return rows(result.stdout), result.stderr


def times(found):
    return [(row["path"], float(row["start"]), float(row["end"]), row["label"]) for row in found]


# Sources

def test_tables_beside_the_recordings_of_a_folder(veery, day):
    found, said = clips(veery, day / "rec")
    assert times(found) == [("day.wav", 1, 2, "wren"), ("day.wav", 3.25, 3.75, "robin"), ("day.wav", 3.5, 9.75, "wren")]
    assert [row["id"] for row in found] == ["day#1-2", "day#3.25-3.75", "day#3.5-9.75"]
    assert {(row["low_frequency"], row["high_frequency"]) for row in found} == {("500.5", "4000")}
    assert "1 recording has no annotations" in said and "3 clips, 2 labels, 1 recording" in said


def test_every_source_gives_the_same(veery, day):
    expected = times(clips(veery, day / "rec")[0])
    table = day / "rec/day.Table.1.selections.txt"
    assert times(clips(veery, table)[0]) == expected
    assert times(clips(veery, day / "rec/day.wav")[0]) == expected
    assert times(clips(veery, day / "rec/day.wav", "--annotations", shutil.copy(table, day / "other.txt"))[0]) == expected
    (day / "rec/m.csv").write_text("path,split,site\nday.wav,train,north\nnight.wav,test,south\n")
    found, _ = clips(veery, day / "rec/m.csv")
    assert times(found) == expected and {(row["split"], row["site"]) for row in found} == {("train", "north")}
    (day / "tables").mkdir()
    shutil.copy(table, day / "tables")
    (day / "tables/readme.txt").write_text("Not a table.\n")
    (day / "tables/notes.txt").write_text("Not a table either.\n")
    (day / "tables/clips.csv").write_text("path,start,end,label\n../rec/day.wav,1,2,old\n")
    found, said = clips(veery, day / "rec/m.csv", "--annotations", day / "tables")
    assert "1 manifest is not read as annotations" in said and "clips.csv; to read one, give the file itself with --annotations" in said
    assert times(found) == expected and "1 table is not read" in said and "notes.txt" in said and "readme.txt" not in said


def test_one_table_for_many_recordings_by_their_names(veery, day):
    (day / "labels.csv").write_text("file,onset,offset,label\nC:\\x\\rec\\night.wav,1,2,owl\nrec/day.wav,0,1,wren\n")
    found, _ = clips(veery, day / "rec", "--annotations", day / "labels.csv")
    assert times(found) == [("day.wav", 0, 1, "wren"), ("night.wav", 1, 2, "owl")]
    # The clips of the table alone, in its order.
    found, _ = clips(veery, day / "labels.csv")
    assert times(found) == [("rec/night.wav", 1, 2, "owl"), ("rec/day.wav", 0, 1, "wren")]
    (day / "x.csv").write_text("path,start,end,label\nrec/day.wav,2,3,a\n")
    found, _ = clips(veery, day / "rec", "--annotations", day / "labels.csv", "--annotations", day / "x.csv")
    assert times(found) == [("day.wav", 0, 1, "wren"), ("day.wav", 2, 3, "a"), ("night.wav", 1, 2, "owl")]


def test_paths_are_valid_where_the_manifest_is_written(veery, day):
    (day / "out").mkdir()
    for target, start in (("rec/c.csv", ""), ("c.csv", "rec/"), ("out/c.csv", "../rec/")):
        veery("clips", day / "rec", "-o", day / target)
        written = rows((day / target).read_text())
        assert {row["path"] for row in written} == {start + "day.wav"}
        veery("check", day / target)
    veery("clips", "rec", "-o", "d.csv", folder=day)
    assert (day / "d.csv").read_text() == (day / "c.csv").read_text()
    veery("clips", day / "rec", "-o", day / "c.csv", status=1)
    veery("clips", day / "rec", "-o", day / "c.csv", "--overwrite", "--quiet")
    veery("clips", day / "rec", "-o", day / "c.xyz", status=64)


def test_a_segment_of_the_source_bounds_its_clips(veery, day):
    (day / "rec/m.csv").write_text("path,start,end\nday.wav,1.5,3.5\nday.wav,8,\n")
    found, _ = clips(veery, day / "rec/m.csv", "--context", "0.25")
    assert times(found) == [
        ("day.wav", 1.5, 2.25, "wren"), ("day.wav", 3, 3.5, "robin"), ("day.wav", 8, 10, "wren")]
    assert [row["id"] for row in found] == ["day#1.5-2.25", "day#3-3.5", "day#8-10"]
    found, _ = clips(veery, day / "rec/m.csv", "--window", "1")
    assert [(row["start"], row["end"]) for row in found] == [("1.5", "2.5"), ("2.5", "3.5"), ("8.0", "9.0"), ("9.0", "10.0")]


# Formats

def test_birdnet_with_a_minimum_confidence(veery, tmp_path):
    for name, seconds in (("day", 12), ("dusk", 9)):
        write_wav(tmp_path / f"{name}.wav", 8000, noise(3, round(seconds * 8000) - 4000))
    table = shutil.copy(FIXTURES / "BirdNET.selection.table.txt", tmp_path)
    found, said = clips(veery, table, "--min-confidence", "0.4")
    # BirdNET pads the last window of a recording.
    assert times(found) == [
        ("day.wav", 0, 3, "Eurasian Blackbird"), ("day.wav", 9, 11.5, "Eurasian Blackbird"), ("dusk.wav", 3.5, 6.5, "Tawny Owl")]
    assert [row["confidence"] for row in found] == ["0.9134", "0.41", "0.75"]
    assert [row["Species Code"] for row in found] == ["eurbla", "eurbla", "tawowl1"]
    assert "1 detection left out: below --min-confidence" in said and "1 annotation cut off" in said
    shutil.copy(FIXTURES / "BirdNET.results.csv", tmp_path / "day.BirdNET.results.csv")
    found, _ = clips(veery, tmp_path / "day.wav")
    assert len(found) == 3 and found[0]["scientific_name"] == "Turdus merula"


def test_a_textgrid_needs_a_tier_if_it_has_several(veery, tmp_path):
    write_wav(tmp_path / "a.wav", 8000, noise(4, 15_000))
    grid = shutil.copy(FIXTURES / "utf16.TextGrid", tmp_path / "a.TextGrid")
    result = veery("clips", grid, "-o", "-", status=1)
    assert "#1 'words'" in result.stderr and "#3 'speaker'" in result.stderr and "--tier" in result.stderr
    found, _ = clips(veery, grid, "--tier", "words")
    assert [row["label"] for row in found] == ["ma", 'the "q"', "ʃə"] and {row["tier"] for row in found} == {"words"}
    result = veery("clips", grid, "-o", "-", "--tier", "peaks", status=1)
    assert result.stderr.count("is a point, and no clip by itself") == 2
    found, _ = clips(veery, grid, "--tier", "peaks", "--context", "100ms")
    assert [(row["start"], row["end"]) for row in found] == [("0.21", "0.41"), ("1.4", "1.6")]


def test_samples_of_an_annotation_xml(veery, tmp_path):
    for name in "01":
        write_wav(tmp_path / f"Wave/{name}.wav", 32_000, noise(5, 140_000))
    xml = shutil.copy(FIXTURES / "Annotation.xml", tmp_path)
    found, _ = clips(veery, xml)
    golden = json.loads((HERE / "Fixtures/annotation-goldens.json").read_text())["files"]["Annotation.xml"]
    assert times(found) == [(f"Wave/{name}", start, end, label) for name, start, end, label in golden]
    assert [row["sequence"] for row in found] == ["0", "0", "1", "2", "2"]


def test_the_720_syllables_of_real_songs(veery, collection):
    finch = collection / "birds/bengalese_finch_Bird0"
    by_xml, _ = clips(veery, finch / "Annotation.xml")
    by_csv, _ = clips(veery, finch / "annotations.csv")
    assert len(by_xml) == 501 and times(by_xml) == times(by_csv)
    with open(finch / "annotations.csv") as file:
        given = sorted(
            (f"Wave/{row['notated_path']}", int(row["onset_sample"]) / 32_000, int(row["offset_sample"]) / 32_000, row["label"])
            for row in csv.DictReader(file))
    assert sorted(times(by_xml)) == given
    other = collection / "birds/bengalese_finch_gy6or6"
    found, _ = clips(veery, other / "annotations.csv")
    with open(other / "annotations.csv") as file:
        assert times(found) == [
            (row["file"], float(row["onset_s"]), float(row["offset_s"]), row["label"]) for row in csv.DictReader(file)]
    assert len(found) == 219


# Clips of annotations

def test_context_and_lengths(veery, day):
    found, _ = clips(veery, day / "rec", "--context", "0.5s")
    assert [row[1:3] for row in times(found)] == [(0.5, 2.5), (2.75, 4.25), (3, 10)]
    found, said = clips(veery, day / "rec", "--min-duration", "1.5s")
    assert [row[1:3] for row in times(found)] == [(0.75, 2.25), (2.75, 4.25), (3.5, 9.75)]
    assert "2 clips widened" in said
    found, said = clips(veery, day / "rec", "--min-duration", "1.5s", "--short", "drop", "--max-duration", "3s", status=1)
    assert "nothing written" in said
    found, said = clips(veery, day / "rec", "--max-duration", "3s")
    assert len(found) == 2 and "1 clip left out: longer" in said


def test_ids_are_unique(veery, day):
    raven(day / "rec/day.Table.1.selections.txt", [(1, 2, "a"), (1, 2, "b"), (1, 2, "c")])
    found, _ = clips(veery, day / "rec")
    assert [row["id"] for row in found] == ["day#1-2", "day#1-2~2", "day#1-2~3"]


def test_all_problems_at_once_with_file_and_line(veery, day):
    (day / "labels.csv").write_text(
        "file,start,end,label\nday.wav,1,2,ok\nday.wav,11,12,late\nday.wav,9,60,end\nnobody.wav,0,1,x\nday.wav,x,1,y\n"
        "day.wav,1,2,ok\nday.wav,3,2,back\nday.wav,-1,2,early\nday.wav,4,4,point\n")
    (day / "rec/bad.wav").write_text("not sound")
    (day / "more.csv").write_text("file,start,end\nbad.wav,0,1\n")
    arguments = (day / "rec", "--annotations", day / "labels.csv", "--annotations", day / "more.csv")
    said = veery("clips", *arguments, "-o", day / "c.csv", status=1).stderr
    assert "9 problems; nothing was written" in said and not (day / "c.csv").exists()
    for line, text in [
            (3, "starts at 11 s, but the recording lasts 10 s"), (4, "ends at 60 s"), (5, "names the recording 'nobody.wav'"),
            (6, "start is 'x'"), (7, "repeats line 2"), (8, "the annotation ends at 2.0, before it starts at 3.0"),
            (9, "starts at -1 s"), (10, "is a point")]:
        assert f"labels.csv, line {line}: {text}" in said
    assert f"{day}/rec/bad.wav: expected a recording" in said
    veery("clips", *arguments, "-o", day / "c.csv", "--skip-problems")
    assert times(rows((day / "c.csv").read_text())) == [("rec/day.wav", 1, 2, "ok")]


def test_json_lists_all_problems(veery, day):
    (day / "labels.csv").write_text("file,start,end,label\nday.wav,1,2,ok\n" + "".join(f"day.wav,{n},{n + 1},late\n" for n in range(11, 71)))
    arguments = ("clips", day / "rec", "--annotations", day / "labels.csv", "-o", day / "c.csv", "--json")
    failed = veery(*arguments, status=1)
    assert "60 problems; nothing was written" in failed.stderr and "… and 40 more (--json lists all)" in failed.stderr
    report = json.loads(failed.stdout)
    assert [entry["line"] for entry in report["problems"]] == list(range(3, 63)) and report.keys() == {"problems"}
    assert report["problems"][0] == {
        "file": str(day / "labels.csv"), "line": 3, "problem": "starts at 11 s, but the recording lasts 10 s"}
    skipped = json.loads(veery(*arguments, "--skip-problems").stdout)
    assert skipped["problems"] == report["problems"] and skipped["clips"] == 1
    schema = json.loads((HERE.parent / "Schemas/manifest-report.schema.json").read_text())
    assert skipped.keys() <= schema["properties"].keys()
    raven(day / "rec/day.Table.1.selections.txt", [(1, 2, "wren")])
    assert "problems" not in json.loads(veery("clips", day / "rec", "-o", day / "d.csv", "--json").stdout)


def test_times_in_another_unit_are_reported(veery, day):
    (day / "rec/day.Table.1.selections.txt").unlink()
    (day / "rec/day.csv").write_text(",name,start_seconds,stop_seconds\n0,e,1000,2000.5\n1,f,3000,3500\n")
    said = veery("clips", day / "rec", "-o", "-", status=1).stderr
    assert "all times fit their recordings if they are milliseconds: --time-unit ms" in said
    found, _ = clips(veery, day / "rec", "--time-unit", "ms")
    assert times(found) == [("day.wav", 1, 2.0005, "e"), ("day.wav", 3, 3.5, "f")]
    (day / "rec/day.csv").write_text("start,stop,name\n16000,32000,e\n48000,56000,f\n")
    assert "--time-unit samples" in veery("clips", day / "rec", "-o", "-", status=1).stderr
    found, _ = clips(veery, day / "rec", "--time-unit", "samples")
    assert times(found) == [("day.wav", 1, 2, "e"), ("day.wav", 3, 3.5, "f")]
    (day / "rec/day.csv").write_text("start,stop,name\n1e6,2e6,e\n3e6,4e6,f\n")
    assert "400,000 times the length of the recording" in veery("clips", day / "rec", "-o", "-", status=1).stderr


def test_several_tables_beside_one_recording(veery, day):
    (day / "rec/day.TextGrid").write_bytes((FIXTURES / "short.TextGrid").read_bytes())
    said = veery("clips", day / "rec", "-o", "-", status=1).stderr
    assert "expected one annotation file for it, found 2: 'day.Table.1.selections.txt', 'day.TextGrid'" in said
    assert len(clips(veery, day / "rec", "--annotations-format", "raven")[0]) == 3
    assert "expected one of" in veery("clips", day / "rec", "-o", "-", "--annotations-format", "x", status=64).stderr


def test_wrong_files(veery, day):
    (day / "m.csv").write_text("path\nrec/night.wav\n")
    assert "there are no annotation files" in veery("clips", day / "m.csv", "-o", "-", status=1).stderr
    assert "there is no such file" in veery("clips", day / "m.csv", "-o", "-", "--annotations", day / "no.csv", status=1).stderr
    (day / "text.txt").write_text("Selection View Begin\n1 2 3\n")
    said = veery("clips", day / "m.csv", "-o", "-", "--annotations", day / "text.txt", status=1).stderr
    assert "text.txt, line 1: expected annotations" in said
    (day / "lost.txt").write_text("1\t2\tx\n")
    said = veery("clips", day / "lost.txt", "-o", "-", status=1).stderr
    assert "names no recording" in said
    for options in (["--step", "1"], ["--context", "1", "--window", "2"], ["--window", "0"], ["--min-overlap", "x"], ["--short", "drop"]):
        veery("clips", day / "rec", "-o", "-", *options, status=64)


# Windows

@pytest.mark.parametrize("options", [
    ["--column", "label=Species"], ["--label-separator", ","], ["--one-hot", "sp_*"], ["--extension", "wav"]])
def test_options_of_manifests_are_refused_for_other_sources(veery, day, options):
    table = veery("clips", "rec/day.Table.1.selections.txt", *options, "-o", "c.csv", folder=day, status=64).stderr
    assert f"{options[0]} is for a manifest, and 'rec/day.Table.1.selections.txt' is read as annotations (raven)" in table
    recording = veery("clips", "rec/day.wav", *options, "-o", "c.csv", folder=day, status=64).stderr
    assert f"{options[0]} is for a manifest, and 'rec/day.wav' is a recording" in recording
    assert not (day / "c.csv").exists()
    # The advice.
    veery("clips", "rec/day.Table.1.selections.txt", "--label-column", "Species", "-o", "c.csv", folder=day)
    assert len(rows((day / "c.csv").read_text())) == 3


def test_windows_with_several_labels(veery, day):
    found, said = clips(veery, day / "rec/day.wav", "--window", "3s", "--step", "1.5s")
    assert [(row["start"], row["label"], row["labels"]) for row in found] == [
        ("0.0", "wren", "wren"), ("1.5", "wren", "wren|robin"), ("3.0", "wren", "wren|robin"), ("4.5", "wren", "wren"),
        ("6.0", "wren", "wren")]
    assert "the last part of 1 recording" in said
    found, _ = clips(veery, day / "rec/day.wav", "--window", "3s", "--min-overlap", "100%", "--no-label", "none")
    assert [(row["label"], row["labels"]) for row in found] == [("wren", "wren"), ("wren", "wren|robin"), ("wren", "wren")][0:1] + [
        ("robin", "robin"), ("wren", "wren")]
    result = veery("clips", day / "rec/day.wav", "--window", "3s", "--step", "1.5s", "-o", "-", "--output-format", "jsonl")
    lists = [json.loads(line)["labels"] for line in result.stdout.splitlines()]
    assert lists == [["wren"], ["wren", "robin"], ["wren", "robin"], ["wren"], ["wren"]]


def test_windows_without_labels_and_partial_ones(veery, day):
    found, said = clips(veery, day / "rec", "--window", "4s", "--no-label", "noise")
    assert [(row["path"], row["label"], row["labels"]) for row in found] == [
        ("day.wav", "wren", "wren|robin"), ("day.wav", "wren", "wren"), ("night.wav", "noise", "")]
    assert "1 window without a label" in said
    found, said = clips(veery, day / "rec", "--window", "4s", "--no-label", "drop", "--partial", "keep")
    assert [(row["start"], row["end"]) for row in found] == [("0.0", "4.0"), ("4.0", "8.0"), ("8.0", "10.0")]
    assert "1 window left out: no label" in said
    found, _ = clips(veery, day / "rec", "--window", "4s", "--no-label", "drop", "--partial", "shift")
    assert [(row["start"], row["end"]) for row in found][2] == ("6.0", "10.0")


def test_windows_of_unknown_annotations_are_no_examples_of_no_call(veery, day):
    raven(day / "rec/day.Table.1.selections.txt", [(1, 2, "wren"), (5, 5.3, "")])
    options = ("--window", "2s", "--no-label", "none", "--label-column", "Species")
    found, said = clips(veery, day / "rec/day.wav", *options)
    assert [(row["start"], row["label"]) for row in found] == [("0.0", "wren"), ("2.0", "none"), ("6.0", "none"), ("8.0", "none")]
    assert "remark: " in said and "1 annotation has no label: line 5; --label NAME gives it one" in said
    assert "left out: " in said and "1 window where not all annotations are known: day#4-6 (an annotation has no label)\n" in said
    assert "note: 3 windows without a label are 'none'" in said
    said = veery("clips", day / "rec/day.wav", *options, "--strict", "-o", day / "w.csv", status=1).stderr
    assert "--strict: not everything would be used" in said and not (day / "w.csv").exists()
    # Two tables of the recording, of which neither is read.
    raven(day / "rec/day.Table.2.selections.txt", [(7, 8, "robin")])
    found, said = clips(veery, day / "rec", *options, "--skip-problems")
    assert {row["path"] for row in found} == {"night.wav"} and "what has 1 problem" in said
    assert "5 windows where not all annotations are known: day#0-2 (annotations are not read), " in said
    said = veery("clips", day / "rec", *options, "--skip-problems", "--strict", "-o", day / "w.csv", status=1).stderr
    assert "--strict: not everything would be used" in said and not (day / "w.csv").exists()


def test_no_label_is_for_annotated_recordings(veery, tmp_path):
    write_wav(tmp_path / "owl/a.wav", RATE, noise(1, 2 * RATE))
    said = veery("clips", tmp_path, "--window", "1s", "--no-label", "none", "-o", "-", status=1).stderr
    assert "there are no annotation files" in said and "without --no-label" in said
    assert [row["label"] for row in clips(veery, tmp_path, "--window", "1s")[0]] == ["owl", "owl"]


def test_windows_of_recordings_without_annotations_keep_their_rows_label(veery, tmp_path):
    write_wav(tmp_path / "in/owl/a.wav", RATE, noise(1, 2 * RATE))
    found, _ = clips(veery, tmp_path / "in", "--window", "500ms")
    assert [row["label"] for row in found] == ["owl"] * 4 and "labels" not in found[0]


def test_a_label_with_the_separator_is_refused_in_csv(veery, day):
    raven(day / "rec/day.Table.1.selections.txt", [(1, 2, "a|b")])
    said = veery("clips", day / "rec/day.wav", "--window", "3s", "-o", "-", status=1).stderr
    assert "line 2: the label 'a|b' holds '|'" in said or "line 3: the label 'a|b' holds '|'" in said
    result = veery("clips", day / "rec/day.wav", "--window", "3s", "-o", "-", "--output-format", "jsonl")
    assert json.loads(result.stdout.splitlines()[0])["labels"] == ["a|b"]


# Extraction

def test_features_of_clips_are_those_of_files_cut_out(veery, day):
    """Bit for bit, as nothing is resampled."""
    veery("clips", day / "rec", "-o", day / "clips.csv", "--context", "0.125s")
    veery("clips", day / "rec", "-o", day / "windows.jsonl", "--window", "1s", "--step", "0.5s", "--no-label", "none")
    import scipy.io.wavfile
    for manifest in ("clips.csv", "windows.jsonl"):
        text = (day / manifest).read_text()
        found = rows(text) if manifest.endswith("csv") else [json.loads(line) for line in text.splitlines()]
        parts = []
        for number, row in enumerate(found):
            _, samples = scipy.io.wavfile.read(day / row["path"])
            start, end = (round(float(row[name]) * RATE) for name in ("start", "end"))
            scipy.io.wavfile.write(day / f"{manifest}-{number}.wav", RATE, samples[start:end])
            parts.append(f"{manifest}-{number}.wav")
        (day / "parts.csv").write_text("path\n" + "\n".join(parts) + "\n")
        options = ("--set", "normalize.scope=none", "--overwrite", "--quiet")
        veery("extract", day / manifest, "-o", day / "a.h5", *options)
        veery("extract", day / "parts.csv", "-o", day / "b.h5", *options)
        with h5py.File(day / "a.h5") as one, h5py.File(day / "b.h5") as other:
            assert np.array_equal(one["features"][:], other["features"][:])
            assert len(one["clips/id"]) == len(found) and np.array_equal(one["clips/audio_xxh3"][:], other["clips/audio_xxh3"][:])
            assert one["clips/label"].asstr()[:].tolist() == [row["label"] for row in found]
            if manifest == "clips.csv":
                assert one["clips/extra/low_frequency"].asstr()[0] == "500.5"


def test_render_reads_every_format(veery, tmp_path):
    write_wav(tmp_path / "0.wav", 32_000, noise(6, 130_000))
    for name, options in (
            ("Annotation.xml", []), ("generic.csv", []), ("raven.txt", ["--label-column", "distance"]),
            ("long.TextGrid", ["--tier", "words"]), ("BirdNET.results.txt", []), ("simple.csv", [])):
        result = veery(
            "render", tmp_path / "0.wav", "-o", tmp_path / f"{name}.svg", "--annotations", FIXTURES / name, *options)
        assert "no box is drawn" not in result.stderr
    assert "--tier" in veery(
        "render", tmp_path / "0.wav", "-o", tmp_path / "x.svg", "--annotations", FIXTURES / "long.TextGrid", status=1).stderr


def test_a_manifest_of_segments_as_annotations(veery, day):
    (day / "segments.csv").write_text("path,start,end,label,mood\nrec/day.wav,1,2,wren,low\nrec/night.wav,0,1,owl,\n")
    by_option, _ = clips(veery, day / "rec", "--annotations", day / "segments.csv", "--context", "0.5")
    assert times(by_option) == [("day.wav", 0.5, 2.5, "wren"), ("night.wav", 0, 1.5, "owl")]
    assert [row["mood"] for row in by_option] == ["low", ""]
    itself, _ = clips(veery, day / "segments.csv", "--annotations-format", "manifest", "--context", "0.5")
    assert [row[1:] for row in times(itself)] == [row[1:] for row in times(by_option)]
    assert [row[1:] for row in times(clips(veery, day / "segments.csv", "--context", "0.5")[0])] == [row[1:] for row in times(by_option)]
    # As a list, its rows are parts of recordings.
    windows, _ = clips(veery, day / "segments.csv", "--window", "500ms", "--format", "csv")
    assert [row["start"] for row in windows] == ["1.0", "1.5", "0.0", "0.5"] and [row["label"] for row in windows][0] == "wren"


def test_a_manifest_from_standard_input(veery, program, day):
    import subprocess
    result = subprocess.run(
        [program, "clips", "-", "--root", day / "rec", "-o", "-", "--annotations", day / "rec/day.Table.1.selections.txt"],
        input="path\nday.wav\n", capture_output=True, text=True)
    assert result.returncode == 0 and len(rows(result.stdout)) == 3


def test_columns_of_the_source_and_of_the_annotations(veery, day):
    (day / "rec/m.csv").write_text("path,Species,confidence\nday.wav,of the row,old\n")
    (day / "rec/day.Table.1.selections.txt").write_text(
        "Selection\tBegin Time (s)\tEnd Time (s)\tAnnotation\tSpecies\tConfidence\tend\n1\t1\t2\ta\twren\t0.5\tx\n")
    found, _ = clips(veery, day / "rec/m.csv")
    assert found == [{
        "path": "day.wav", "id": "day#1-2", "label": "a", "start": "1.0", "end": "2.0", "Species": "of the row",
        "confidence": "0.5", "Selection": "1", "annotation_Species": "wren", "annotation_end": "x"}]


def test_the_channels_of_one_recording(veery, day):
    """Each row of the source has the annotations, and their problems are reported once."""
    (day / "rec/m.csv").write_text("id,path,channel\nleft,day.wav,0\nright,day.wav,0\n")
    found, _ = clips(veery, day / "rec/m.csv")
    assert [row["id"] for row in found] == [
        "left#1-2", "left#3.25-3.75", "left#3.5-9.75", "right#1-2", "right#3.25-3.75", "right#3.5-9.75"]
    assert {row["channel"] for row in found} == {"0"}
    raven(day / "rec/day.Table.1.selections.txt", [(11, 12, "late")])
    assert "1 problem;" in veery("clips", day / "rec/m.csv", "-o", "-", status=1).stderr


def test_a_large_manifest_is_not_read_as_annotations(veery, day):
    with open(day / "rec/m.csv", "w") as file:
        file.write("path,note\nday.wav,é" + "é" * 40_000 + "\n")
    assert len(clips(veery, day / "rec/m.csv")[0]) == 3


def test_the_same_clips_for_any_number_of_threads(veery, tmp_path):
    for number in range(12):
        write_wav(tmp_path / f"in/{number % 3}/{number}.wav", 8000, noise(number, 8000 + 100 * number))
        (tmp_path / f"in/{number % 3}/{number}.txt").write_text(f"0.1\t0.{number % 8 + 2}\tx{number % 4}\n0.5\t0.9\ty\n")
    outputs = {veery("clips", tmp_path / "in", "-o", "-", "--jobs", jobs).stdout for jobs in (1, 2, 7)}
    assert len(outputs) == 1 and len(rows(outputs.pop())) == 24


def test_windows_of_a_real_soundscape(veery, collection):
    """Labels by an independent count of overlaps."""
    table = collection / "birds/soundscapes/Recording_1_Segment_07-snippet.Table.1.selections.txt"
    marks = [(float(row["Begin Time (s)"]), float(row["End Time (s)"]), row["Species"])
             for row in csv.DictReader(open(table), delimiter="\t")]
    for minimum, option in ((0, "0"), (0.5, "0.5s")):
        found, _ = clips(veery, table, "--window", "2s", "--step", "0.25s", "--min-overlap", option)
        assert len(found) == 33
        for number, row in enumerate(found):
            start, end = number * 0.25, number * 0.25 + 2
            overlaps = [(min(end, b) - max(start, a), label) for a, b, label in marks]
            expected = {label for overlap, label in overlaps if overlap > 0 and overlap >= minimum}
            assert set(filter(None, row["labels"].split("|"))) == expected and float(row["start"]) == start


def test_labels_that_are_the_recordings_are_said(veery, tmp_path):
    """Where a table has no column of labels, annotations have that of the recording: of a folder named like a site, it is wrong."""
    header = "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tBird"
    for site in ("beech", "ford"):
        write_wav(tmp_path / f"recordings/{site}/1.wav", 16000, noise(1, 32000))
        (tmp_path / f"recordings/{site}/1.Table.1.selections.txt").write_text(
            f"{header}\n1\tSpectrogram 1\t1\t0.5\t1\twren\n2\tSpectrogram 1\t1\t1.2\t1.6\trobin\n")
    for options in ([], ["--window", "1s"]):
        result = veery("clips", "recordings", "-o", "clips.csv", "--overwrite", *options, folder=tmp_path)
        assert "note: 4 annotations with the label of the recording, such as 'beech' (--label-column, --label)" in result.stderr
        # The same column in each table is named once.
        line, = (line for line in result.stderr.splitlines() if "no column with labels found" in line)
        assert line.count("'Bird'") == 1 and "…" not in line, line
        result = veery("clips", "recordings", "-o", "clips.csv", "--overwrite", "--label-column", "Bird", *options, folder=tmp_path)
        assert "label of the recording" not in result.stderr and "no column with labels" not in result.stderr


def test_the_name_of_windows_without_a_label_is_reported(veery, tmp_path):
    write_wav(tmp_path / "day.wav", 16000, noise(1, 6 * 16000))
    (tmp_path / "a.csv").write_text("path,start,end,label\nday.wav,0.5,1,wren\nday.wav,4.5,5,wren\n")
    for step, options, said in (("1s", [], "4 windows without a label (--no-label gives them one)"),
                                ("1s", ["--no-label", "none"], "4 windows without a label are 'none'"),
                                ("2s", ["--no-label", "none"], "1 window without a label is 'none'")):
        result = veery("clips", "day.wav", "--annotations", "a.csv", "--window", step, "-o", "w.csv", "--overwrite", *options, folder=tmp_path)
        assert f"note: {said}\n" in result.stderr, result.stderr
