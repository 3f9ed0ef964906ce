"""Writes annotation-goldens.json: what crowsetta and praatIO read from the files in `annotations` and, as counts and
checksums, from real songs in ../../../shared/data. The TextGrids are written by praatIO.

pip install crowsetta praatio textgrid; python make_annotation_goldens.py [--check]
"""
import csv
import hashlib
import json
import pathlib
import sys
from importlib.metadata import version

import crowsetta
import textgrid as textgrid_package
from praatio import textgrid
from praatio.data_classes.textgrid import Textgrid
from praatio.data_classes.interval_tier import IntervalTier
from praatio.data_classes.point_tier import PointTier

HERE = pathlib.Path(__file__).resolve().parent
FILES = HERE / "annotations"
SHARED = HERE.parents[2] / "shared" / "data"
RATE = 32_000


def write_textgrids():
    words = [(0.0, 0.4, "ma"), (0.4, 0.90625, 'the "q"'), (0.90625, 1.0, ""), (1.0, 1.869687, "ʃə")]
    grid = Textgrid()
    grid.addTier(IntervalTier("words", words, 0, 1.869687))
    grid.addTier(PointTier("peaks", [(0.31, "120"), (1.5, "99.5")], 0, 1.869687))
    grid.addTier(IntervalTier("speaker", [(0.1, 1.5, "F1")], 0, 1.869687))
    for name, form in (("long", "long_textgrid"), ("short", "short_textgrid")):
        grid.save(str(FILES / f"{name}.TextGrid"), form, includeBlankSpaces=True)
    text = (FILES / "long.TextGrid").read_text("utf-8")
    (FILES / "utf16.TextGrid").write_bytes(b"\xfe\xff" + text.encode("utf-16-be"))


def birdsong(path, waves, rate=None):
    """Rows of recording, start, end, label by crowsetta, from unrounded times."""
    if rate:
        found = crowsetta.formats.seq.BirdsongRec.from_file(path, wav_path=waves)
        rows = []
        for sequence in found.sequences:
            for syllable in sequence.syls:
                # crowsetta has added the position of the sequence.
                end = syllable.position + syllable.length
                rows.append((sequence.wav_file, syllable.position / rate, end / rate, syllable.label))
        return rows
    found = crowsetta.formats.seq.BirdsongRec.from_file(path, wav_path=waves).to_annot(round_times=False)
    return [
        (annotation.notated_path, segment.onset_s, segment.offset_s, segment.label)
        for annotation in found for segment in annotation.seq.segments]


def generic(path):
    annotations = crowsetta.formats.seq.GenericSeq.from_file(path).to_annot()
    annotations = annotations if isinstance(annotations, list) else [annotations]
    return [
        (annotation.notated_path, segment.onset_sample / RATE, segment.offset_sample / RATE, segment.label)
        for annotation in annotations for segment in annotation.seq.segments]


def simple(path, **columns):
    sequence = crowsetta.formats.seq.SimpleSeq.from_file(path, **columns).to_seq(round_times=False)
    return [(None, s.onset_s, s.offset_s, s.label) for s in sequence.segments]


def audacity(path):
    sequence = crowsetta.formats.seq.AudSeq.from_file(path).to_seq(round_times=False)
    return [(None, s.onset_s, s.offset_s, s.label) for s in sequence.segments]


def raven(path, label):
    boxes = crowsetta.formats.bbox.Raven.from_file(path, annot_col=label).to_bbox()
    return [(None, b.onset, b.offset, b.label, b.low_freq, b.high_freq) for b in boxes]


def tier(path, name):
    grid = textgrid.openTextgrid(str(path), includeEmptyIntervals=False)
    rows = [(None, *e) if len(e) == 3 else (None, e[0], e[0], e[1]) for e in grid.getTier(name).entries]
    try:
        other = textgrid_package.TextGrid.fromFile(str(path)).getFirst(name)
    except Exception as error:  # It reads no points in the short form, and no ELAN's form.
        print(f"{path.name}: praatIO alone ({type(error).__name__})", file=sys.stderr)
        return rows
    second = [
        (None, float(e.minTime), float(e.maxTime), e.mark) if hasattr(e, "minTime") else (None, float(e.time), float(e.time), e.mark)
        for e in other]
    second = [row for row in second if row[3] and row[3].strip()]
    # The second package rounds to five decimals.
    assert [row[3].strip() for row in second] == [row[3] for row in rows], path
    assert all(abs(a - b) < 1e-5 for one, two in zip(rows, second) for a, b in zip(one[1:3], two[1:3])), path
    return rows


def plain(rows):
    return [[pathlib.PurePath(row[0]).name if row[0] else None, *(round(t, 9) for t in row[1:3]), str(row[3]), *map(float, row[4:])]
            for row in rows]


def checksum(rows):
    """The number and the SHA-256 of lines `recording start end label`, with nine decimals, sorted."""
    lines = sorted(f"{name or ''}\t{start:.9f}\t{end:.9f}\t{label}\n" for name, start, end, label, *_ in plain(rows))
    return {"count": len(lines), "sha256": hashlib.sha256("".join(lines).encode()).hexdigest()}


def goldens():
    found = {"files": {
        "Annotation.xml": birdsong(FILES / "Annotation.xml", FILES, RATE),
        "generic.csv": generic(FILES / "generic.csv"),
        "simple.csv": simple(
            FILES / "simple.csv",
            columns_map={"start_seconds": "onset_s", "stop_seconds": "offset_s", "name": "label"}),
        "raven.txt": raven(FILES / "raven.txt", "Species"),
        "audacity.txt": audacity(FILES / "audacity.txt"),
        **{f"{form}.TextGrid {name}": tier(FILES / f"{form}.TextGrid", name)
           for form in ("long", "short", "utf16") for name in ("words", "peaks", "speaker")},
    }}
    found["files"] = {name: plain(rows) for name, rows in found["files"].items()}
    birds, tables = SHARED / "birds", SHARED / "annotations"
    finch = birds / "bengalese_finch_Bird0"
    real = {
        "birds/bengalese_finch_Bird0/Annotation.xml": birdsong(finch / "Annotation.xml", finch / "Wave"),
        "birds/bengalese_finch_Bird0/annotations.csv": generic(finch / "annotations.csv"),
        "birds/soundscapes/Recording_1_Segment_07-snippet.Table.1.selections.txt": raven(
            birds / "soundscapes/Recording_1_Segment_07-snippet.Table.1.selections.txt", "Species"),
    }
    with open(birds / "bengalese_finch_gy6or6/annotations.csv") as file:
        real["birds/bengalese_finch_gy6or6/annotations.csv"] = [
            (row["file"], float(row["onset_s"]), float(row["offset_s"]), row["label"]) for row in csv.DictReader(file)]
    for path in sorted(tables.glob("audacity/*.txt")):
        real[str(path.relative_to(SHARED))] = audacity(path)
    for name in ("MSD-0003_20180427_2minstart00", "Recording_1_Segment_04", "Recording_1_Segment_34"):
        path = tables / "raven" / f"{name}.Table.1.selections.txt"
        try:
            real[str(path.relative_to(SHARED))] = raven(path, "Species")
        except Exception as error:  # crowsetta refuses tables with an empty label.
            print(f"{path.name}: not by crowsetta ({type(error).__name__})", file=sys.stderr)
    for path in sorted(tables.glob("csv/B*.csv")):
        real[str(path.relative_to(SHARED))] = simple(path)
    for path in sorted(tables.glob("textgrid/*.TextGrid")):
        if path.name.startswith("all_tiers"):
            continue
        for name in textgrid.openTextgrid(str(path), includeEmptyIntervals=False).tierNames:
            real[f"{path.relative_to(SHARED)} {name}"] = tier(path, name)
    found["real"] = {name: checksum(rows) for name, rows in real.items()}
    found["generator"] = {
        "script": "make_annotation_goldens.py", "python": sys.version.split()[0],
        **{name: version(name) for name in ("crowsetta", "praatio", "textgrid")}}
    return found


if __name__ == "__main__":
    target = HERE / "annotation-goldens.json"
    if "--check" not in sys.argv:
        write_textgrids()
    text = json.dumps(goldens(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    if "--check" in sys.argv:
        sys.exit(0 if target.read_text() == text else f"{target.name} differs")
    target.write_text(text)
