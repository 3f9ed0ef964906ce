"""Annotation tables that two testers tried: several labels in a field, times given twice, comments before the header, rows of no class,
columns by the same names in every table, and what the sentences say.
"""

import csv
import re
import shlex
import subprocess

import pytest
from mutations.observation import write
from field_cases import RAVEN, Seen, noise

DAY, NIGHT = {"day.flac": noise(50, 8, rate=8000)}, {"night.flac": noise(51, 8, rate=8000)}
BOTH = {**DAY, **NIGHT}


@pytest.fixture
def look(program, tmp_path):
    def with_files(files):
        write(files, tmp_path / "data")
        return Seen(program, tmp_path / "data", tmp_path / "out")
    return with_files


def made(seen, *columns):
    assert seen.status == 0, seen.messages
    return sorted((row["path"].rsplit("/", 1)[-1], float(row["start"]), float(row["end"]), row["label"],
                   *(row.get(column, "-") for column in columns)) for row in seen.rows)


def refused(seen, *words):
    assert seen.status != 0, (seen.rows, seen.messages)
    for word in words:
        assert word in seen.messages, seen.messages


def remarks(seen, kind):
    return [remark for remark in seen.remarks if remark["kind"] == kind]


def render(seen, *arguments):
    ended = subprocess.run([seen.program, "render", *map(str, arguments), "-o", seen.folder / "a.png"], cwd=seen.data,
                           capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended.stderr


# --- Several labels in a field


LISTS = {
    "labels, with |": ("labels", "NOCA|WOTH", "EATO", ""), "a list in JSON": ("label", '"[""NOCA"",""WOTH""]"', '"[""EATO""]"', "[]"),
    "a list of Python": ("species", "\"['NOCA', 'WOTH']\"", "['EATO']", "[]"), "labels, with a list": ("Labels", '"[""NOCA"",""WOTH""]"', "EATO", "[]")}
OPTIONS = {name: ["--label-column", column] for name, (column, *_) in LISTS.items()}


def several(name, first="file"):
    column, two, one, none = LISTS[name]
    return f"{first},start,end,{column}\nday.flac,0,3,{two}\nday.flac,3,6,{one}\nday.flac,6,8,{none}\n"


@pytest.mark.parametrize("first", ["file", "path"])
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("name", LISTS)
def test_several_labels_in_a_field(look, name, named, first):
    """A clip has all of them, as a row of a manifest has."""
    seen = look({"rec/day.flac": DAY["day.flac"], "t.csv": several(name, first)})
    options = OPTIONS[name] if named else []
    wanted = [("day.flac", 0, 3, "NOCA", "NOCA|WOTH"), ("day.flac", 3, 6, "EATO", "EATO"), ("day.flac", 6, 8, "", "")]
    assert made(seen("clips", "rec", "--annotations", "t.csv", *options), "labels") == wanted
    windows = made(seen("clips", "rec", "--annotations", "t.csv", "--window", "3s", "--partial", "shift", *options), "labels")
    assert [row[4] for row in windows] == ["NOCA|WOTH", "EATO", "EATO"], windows
    stored = seen("extract", seen.folder / "m.csv") if clips_to(seen, "m.csv", options) else None
    assert stored.status == 0 and "[]" not in str(stored.rows), stored.messages


def clips_to(seen, name, options=()):
    ended = subprocess.run([seen.program, "clips", "rec", "--annotations", "t.csv", "-o", seen.folder / name, *options], cwd=seen.data,
                           capture_output=True, text=True)
    return ended.returncode == 0


def test_a_value_that_looks_like_a_list_but_is_not(look):
    seen = look({**DAY, "t.csv": "file,start,end,species\nday.flac,0,3,['a' 'b']\n"})
    refused(seen("clips", ".", "--annotations", "t.csv"), "t.csv, line 2", "'species'", "list")
    write({"t.csv": "file,start,end,species\nday.flac,0,3,[noise]\nday.flac,3,6,a|b\n"}, seen.data)
    assert made(seen("clips", ".", "--annotations", "t.csv"), "labels") == [("day.flac", 0, 3, "[noise]", "-"), ("day.flac", 3, 6, "a|b", "-")]


def test_label_and_labels(look):
    for first in ("file", "path"):
        seen = look({**DAY, "t.csv": f"{first},start,end,label,labels\nday.flac,0,3,a,a|b\nday.flac,3,6,c,\n"})
        assert made(seen("clips", ".", "--annotations", "t.csv"), "labels") == [("day.flac", 0, 3, "a", "a|b"), ("day.flac", 3, 6, "c", "c")]


def test_a_frame_has_one_label(look):
    seen = look({**DAY, "m.csv": "path\nday.flac\n", "t.csv": several("labels, with |")})
    found = seen("extract", "m.csv", "--frame-labels", "t.csv")
    assert found.status == 0 and "annotations-unused" in found.kinds and "line 2" in found.messages, (found.kinds, found.messages)


def test_several_labels_of_raven(look):
    seen = look({**DAY, "day.Table.1.selections.txt": RAVEN + "1\tSpectrogram 1\t1\t1\t2\t500\t900\t[\"a\", \"b\"]\n"})
    assert made(seen("clips", "."), "labels") == [("day.flac", 1, 2, "a", "a|b")]


# --- Times that are given twice


def test_an_end_and_a_length_that_disagree(look):
    seen = look({**DAY, "t.csv": "file,start,end,duration,label\nday.flac,1,2,1.5,a\nday.flac,3,4,1,b\n"})
    found = seen("clips", "t.csv")
    assert made(found) == [("day.flac", 1, 2.5, "a"), ("day.flac", 3, 4, "b")]
    assert remarks(found, "times-disagree") and "line 2" in found.messages and "line 3" not in found.messages
    found = seen("clips", "t.csv", "--start-column", "start", "--end-column", "end")
    assert made(found) == [("day.flac", 1, 2, "a"), ("day.flac", 3, 4, "b")] and not found.kinds


def test_an_end_and_the_length_of_the_recording(look):
    seen = look({**DAY, "t.csv": "file,start,end,duration,label\nday.flac,1,2,8,a\nday.flac,3,4,8,b\n"})
    found = seen("clips", "t.csv")
    assert made(found) == [("day.flac", 1, 2, "a"), ("day.flac", 3, 4, "b")] and found.kinds == {"columns-chosen"}, found.messages


def test_an_end_and_a_length_that_agree(look):
    seen = look({**DAY, "t.csv": "file,start,end,duration,label\nday.flac,1,2,1.001,a\nday.flac,3,4,,b\nday.flac,5,,1,c\nday.flac,6,7,1 s,d\n"})
    found = seen("clips", "t.csv")
    assert [row[1:4] for row in made(found)] == [(1, 2, "a"), (3, 4, "b"), (5, 6, "c"), (6, 7, "d")] and not found.kinds, found.messages


# --- Before the header


@pytest.mark.parametrize("start", ["# exported by me\n", "# one\n# two\n\n", "#", "sep=,\n", '"sep=,"\r\n'])
@pytest.mark.parametrize("first", ["file", "path"])
def test_lines_before_the_header(look, start, first):
    rows = "day.flac,1,2,a\nday.flac,3,4,b\n"
    seen = look({**DAY, "day.csv": f"{start}{first},start,end,label\n{rows}"})
    commands = [["clips", ".", "--annotations", "day.csv"]]
    if first == "file":
        commands += [["clips", "."], ["clips", "day.csv"]]
    for command in commands:
        assert made(seen(*command)) == [("day.flac", 1, 2, "a"), ("day.flac", 3, 4, "b")], command
    write({"day.csv": f"{start}{first},start,end,label\n{rows}day.flac,5,x,c\n"}, seen.data)
    line = start.count("\n") + 4
    refused(seen("clips", ".", "--annotations", "day.csv"), f"line {line}")


def test_the_delimiter_line_for_excel(look):
    seen = look({**DAY, "t.csv": "sep=;\nfile;start;end;label\nday.flac;0,5;1,5;a\n", "m.csv": "sep=;\npath;label\nday.flac;a\n"})
    assert made(seen("clips", ".", "--annotations", "t.csv")) == [("day.flac", 0.5, 1.5, "a")]
    found = seen("extract", "m.csv")
    assert found.status == 0 and len(found.rows) == 1, found.messages


# --- One table, read in one way


@pytest.mark.parametrize("first", ["path", "Path", "file", "filepath"])
def test_columns_have_the_same_names_in_every_table(look, first):
    rows = "day.flac,1,2,wren,1000,2000,0.9\nday.flac,3,4,owl,1500,2500,0.4\n"
    seen = look({**DAY, "t.csv": f"{first},start,end,species,low_freq,high_freq,probability\n{rows}"})
    found = seen("clips", ".", "--annotations", "t.csv", "--min-confidence", "0.5")
    assert made(found, "low_frequency", "high_frequency", "confidence") == [("day.flac", 1, 2, "wren", "1000", "2000", "0.9")], found.rows
    assert "labels-not-found" not in found.kinds
    write({"t.csv": f"{first},start,end,fmin_khz,fmax_khz\nday.flac,1,2,1.5,3\n"}, seen.data)
    assert made(seen("clips", ".", "--annotations", "t.csv"), "low_frequency", "high_frequency") == [("day.flac", 1, 2, "", "1500", "3000")]


@pytest.mark.parametrize("first", ["path", "filepath"])
def test_every_table_may_be_in_the_encoding_of_windows(look, first):
    seen = look({**DAY, "t.csv": f"{first},start,end,label\nday.flac,1,2,Mönchsgrasmücke\n".encode("cp1252")})
    for options in ([], ["--path-column", first]):
        found = seen("clips", ".", "--annotations", "t.csv", *options)
        assert made(found) == [("day.flac", 1, 2, "Mönchsgrasmücke")] and "encodings-assumed" in found.kinds, found.messages


def test_a_selection_whose_recording_is_in_doubt(look):
    """Where one value of a column is not a recording's name, and others are, the rows are not taken for those of the table's recording."""
    header = RAVEN.rstrip("\n") + "\tFile\n"
    rows = "1\tSpectrogram 1\t1\t1\t2\t500\t900\tA\tday.flac\n2\tSpectrogram 1\t1\t3\t4\t500\t900\tB\tnight\n"
    seen = look({**BOTH, "day.Table.1.selections.txt": header + rows})
    refused(seen("clips", "."), "day.Table.1.selections.txt", "line 3", "'night'")
    write({"day.Table.1.selections.txt": header + rows.replace("night", "night.flac")}, seen.data)
    assert made(seen("clips", ".")) == [("day.flac", 1, 2, "A"), ("night.flac", 3, 4, "B")]
    write({"day.Table.1.selections.txt": header + rows.replace("day.flac", "loud").replace("night", "soft")}, seen.data)
    assert made(seen("clips", ".")) == [("day.flac", 1, 2, "A"), ("day.flac", 3, 4, "B")]


CUMULATIVE = "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tBegin File\tAnnotation\n"


def test_times_of_two_recordings_that_overlap(look):
    """The times count from the start of each recording."""
    seen = look({**BOTH, "t.txt": CUMULATIVE + "1\tS 1\t1\t2.5\t6\tday.flac\ta\n2\tS 1\t1\t5.5\t7.5\tnight.flac\tb\n"})
    assert made(seen("clips", ".", "--annotations", "t.txt")) == [("day.flac", 2.5, 6, "a"), ("night.flac", 5.5, 7.5, "b")]


def test_times_that_may_count_from_the_first_of_two_recordings(look):
    """The refusal is said once."""
    seen = look({**BOTH, "t.txt": CUMULATIVE + "1\tS 1\t1\t2.5\t4\tday.flac\ta\n2\tS 1\t1\t9\t10\tnight.flac\tb\n"})
    found = seen("clips", ".", "--annotations", "t.txt")
    refused(found, "File Offset (s)")
    assert found.messages.count("no column 'File Offset (s)'") == 1, found.messages


def test_skipping_a_table_with_doubtful_times_leaves_out_its_rows(look):
    """All of them: even the rows of the first recording may count from the start of an earlier one without a row."""
    table = CUMULATIVE + "1\tS 1\t1\t2.5\t4\tday.flac\ta\n2\tS 1\t1\t9\t9.5\tnight.flac\tb\n"
    seen = look({**BOTH, "t.txt": table, "c/other.flac": BOTH["day.flac"],
                 "c/other.Table.1.selections.txt": RAVEN + "1\tSpectrogram 1\t1\t1\t2\t2000\t4000\tc\n"})
    found = seen("clips", ".", "--annotations", "t.txt", "--annotations", "c/other.Table.1.selections.txt", "--skip-problems")
    assert made(found) == [("other.flac", 1, 2, "c")]
    assert "what has 1 problem" in found.messages


# --- DCASE


def test_annotations_of_no_class_are_a_loss(look):
    seen = look({**DAY, "day.csv": "Audiofilename,Starttime,Endtime,A,B\nday.wav,1,2,POS,NEG\nday.wav,3,4,UNK,NEG\nday.wav,5,6,NEG,NEG\n"
                 "day.wav,6,7,UNK,POS\n"})
    found = seen("clips", "day.csv")
    assert made(found) == [("day.flac", 1, 2, "A"), ("day.flac", 6, 7, "B")]
    unused, = remarks(found, "annotations-unused")
    assert unused["count"] == 2 and unused["loss"] and "line 3 (UNK" in str(unused) and "line 4 (" in str(unused), unused
    uncertain, = remarks(found, "annotations-uncertain")
    assert uncertain["count"] == 1 and "line 5" in str(uncertain), uncertain
    assert seen("clips", "day.csv", "--strict").status != 0


def test_two_classes_of_an_annotation(look):
    seen = look({**DAY, "day.csv": "Audiofilename,Starttime,Endtime,A,B\nday.wav,1,2,POS,POS\n"})
    assert made(seen("clips", "day.csv"), "labels") == [("day.flac", 1, 2, "A", "A|B")]


def test_the_column_of_one_class(look):
    seen = look({**DAY, "day.csv": "Audiofilename,Starttime,Endtime,Q\nday.wav,1,2,POS\nday.wav,3,4,UNK\n"})
    for options in ([], ["--label-column", "Q"]):
        assert made(seen("clips", "day.csv", *options)) == [("day.flac", 1, 2, "Q")], options


# --- Sentences


def test_an_empty_column_of_labels_is_named(look):
    for first in ("file", "path"):
        seen = look({**DAY, "day.csv": f"{first},start,end,label,species\nday.flac,1,2,,wren\n"})
        found = seen("clips", ".", "--annotations", "day.csv")
        sentence, = [line for line in found.messages.splitlines() if "labels found" in line]
        assert "no column with labels found" in sentence and "'label' (empty)" in sentence and "'species'" in sentence, sentence
        assert made(seen("clips", ".", "--annotations", "day.csv", "--label-column", "species")) == [("day.flac", 1, 2, "wren")]
        assert "labels-not-found" in found.kinds
        seen.folder.mkdir(exist_ok=True)
        assert "'label' (empty)" in render(seen, "day.flac", "--annotations", "day.csv")
        assert "labels found" not in render(seen, "day.flac", "--annotations", "day.csv", "--label", "all")


def test_a_picture_of_a_recording_with_another_extension(look):
    seen = look({**DAY, "t.csv": "file,start,end,label\nday.mp3,1,2,a\nother.wav,1,2,b\n"})
    seen.folder.mkdir()
    said = render(seen, "day.flac", "--annotations", "t.csv")
    assert "'day.mp3' as 'day.flac'" in said and "1 recording has another extension than its annotations say" in said, said
    write({"t.csv": "file,start,end,label\nday.flac,1,2,a\n"}, seen.data)
    assert "extension" not in render(seen, "day.flac", "--annotations", "t.csv")


def test_the_advice_for_times_that_are_not_read(look):
    """The test follows the advice word for word, in a shell."""
    seen = look({**DAY, "p.csv": "path,id,t_min,t max (s)\nday.flac,0,1,2\nday.flac,1,3,4\n"})
    answer = seen("check", "p.csv")
    advice, = remarks(answer, "times-unread")
    options = re.findall(r"\((--column (?:'[^']*'|\S+?))\)", " ".join(advice["first"]))
    assert len(options) == 2, advice
    seen.folder.mkdir(exist_ok=True)
    subprocess.run(f"{shlex.quote(str(seen.program))} split p.csv --ratio train=1 -o {shlex.quote(str(seen.folder / 'c.csv'))} {' '.join(options)}",
                   shell=True, check=True, cwd=seen.data, capture_output=True)
    with open(seen.folder / "c.csv", newline="", encoding="utf-8") as file:
        assert [(row["start"], row["end"]) for row in csv.DictReader(file)] == [("1.0", "2.0"), ("3.0", "4.0")]


def test_the_annotators_are_named(look):
    seen = look({**DAY, "t.csv": "file,start,end,label,annotator\nday.flac,1,2,a,eva\n"})
    found = seen("clips", ".", "--annotations", "t.csv", "--annotator", "adam")
    refused(found, "--annotator", "'adam'", "'eva'")
    assert "whom" not in found.messages
