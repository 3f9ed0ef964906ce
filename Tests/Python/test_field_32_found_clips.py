"""What users of `veery clips` found: clips of another table than the one that was given, recordings and tables that were confused
or refused, and advice that led nowhere."""

import re
import shlex
import subprocess
import time

import pytest
from mutations.observation import write
from field_cases import RAVEN, Seen, noise
from test_field_32_annotations import made, refused, selections


@pytest.fixture
def look(program, tmp_path):
    def with_files(files):
        write(files, tmp_path / "data")
        return Seen(program, tmp_path / "data", tmp_path / "out")
    return with_files


DAY, DAWN = noise(90, 8, rate=8000), noise(91, 8, rate=8000)
TWO = {"day.flac": DAY, "dawn.flac": DAWN}
BIRDNET = "Start (s),End (s),Scientific name,Common name,Confidence\n{},{},x y,{},0.8\n"
BESIDE = {"day.BirdNET.results.csv": BIRDNET.format(0, 3, "Spinetail"), "dawn.BirdNET.results.csv": BIRDNET.format(3, 6, "Thrush")}
MINE = [("dawn.flac", 1, "EATO"), ("day.flac", 5.25, "CRER")]


def parts(header, *rows):
    return "\n".join([header, *rows]) + "\n"


# --- The table that is given

TABLES = {
    "path and end": parts("path,start,end,label", "day.flac,5.25,7.75,CRER", "dawn.flac,1,2,EATO"),
    "path and duration": parts("path,start,duration,label", "day.flac,5.25,2.5,CRER", "dawn.flac,1,1,EATO"),
    "file and end": parts("file,start,end,label", "day.flac,5.25,7.75,CRER", "dawn.flac,1,2,EATO"),
}


@pytest.mark.parametrize("name", ["mine.csv", "labels.csv"])
@pytest.mark.parametrize("kind", TABLES)
def test_a_table_of_clips_is_annotations_in_all_forms(look, kind, name):
    for beside in ({}, BESIDE):
        seen = look({**TWO, **beside, name: TABLES[kind]})
        for command in ([name], [".", "--annotations", name], [name, "--annotations", name], *([["."]] if not beside else [])):
            found = seen("clips", *command)
            assert made(found) == MINE and (beside or not found.loses), (command, found.messages)
            windows = seen("clips", *command, "--window", "4s")
            assert [(row["path"].rsplit("/", 1)[-1], row["label"]) for row in windows.rows if row["label"]] in (
                [("day.flac", "CRER"), ("dawn.flac", "EATO")], [("dawn.flac", "EATO"), ("day.flac", "CRER")]), windows.messages
            assert len(windows.rows) == 4


def test_overlapping_rows_are_one_clip_each(look):
    table = parts("path,start,duration,label", "day.flac,0.5,2,a", "day.flac,3,2,b", "day.flac,1.5,2.5,c", "dawn.flac,3,2,b")
    wanted = [("dawn.flac", 3, "b"), ("day.flac", 0.5, "a"), ("day.flac", 1.5, "c"), ("day.flac", 3, "b")]
    seen = look({**TWO, "labels.csv": table})
    for command in (["labels.csv"], ["."], [".", "--annotations", "labels.csv"]):
        found = seen("clips", *command)
        assert made(found) == wanted and not found.remarks, (command, found.messages)
        assert sorted(float(row["end"]) for row in found.rows) == [2.5, 4, 5, 5]


def test_segments_beside_recordings_with_tables_of_their_own(look):
    """The tables of the recordings come first, and nothing of them is cut or lost."""
    own = selections((0.5, 1.5, "A"), (2.5, 3.5, "B"), (6, 7, "C"))
    seen = look({**TWO, "day.Table.1.selections.txt": own, "dawn.Table.1.selections.txt": own,
                 "labels.csv": parts("path,start,end,label", "day.flac,0,3,x", "dawn.flac,0,8,x")})
    found = seen("clips", ".")
    assert [(row[1], row[2]) for row in made(found)] == [(0.5, "A"), (2.5, "B"), (6, "C")] * 2, found.messages
    assert {float(row["end"]) for row in found.rows} == {1.5, 3.5, 7} and any("labels.csv" in line for line in found.lines)


def test_annotations_outside_the_parts_of_a_source_are_remarked(look):
    seen = look({**TWO, "day.Table.1.selections.txt": selections((0.5, 1.5, "A"), (2.5, 3.5, "B"), (6, 7, "C")),
                 "m.csv": "path,start,end\nday.flac,0,3\n"})
    found = seen("clips", "m.csv")
    assert [(float(row["start"]), float(row["end"])) for row in found.rows] == [(0.5, 1.5), (2.5, 3)]
    assert sorted(found.kinds) == ["annotations-unused", "ends-cut"], found.messages
    unused, cut = sorted(found.remarks, key=lambda remark: remark["kind"])
    assert unused["count"] == 1 and "line 4" in unused["first"][0] and cut["count"] == 1 and "line 3" in cut["first"][0]
    refused(seen("clips", "m.csv", "--strict"), "line 4")
    both = "path,start,end\nday.flac,0,3\nday.flac,2,8\n"
    (seen.data / "m.csv").write_text(both)
    assert not seen("clips", "m.csv").remarks


def test_times_that_are_not_understood(look):
    """For a list of recordings other tables are read, so a table that marks parts itself must not be taken for one."""
    table = parts("filename,Anfang,Das Ende,label", "day.flac,5.25,7.75,CRER", "dawn.flac,1,2,EATO")
    for beside in ({}, BESIDE):
        seen = look({**TWO, **beside, "mine.csv": table})
        for options in ([], ["--window", "4s"]):
            answer = seen("clips", "mine.csv", *options)
            refused(answer, "mine.csv", "'Anfang'", "'Das Ende'")
            [advice] = re.findall(r"give (--start-column .*?);", answer.messages)
            found = seen("clips", "mine.csv", *shlex.split(advice), *options)
            assert found.status == 0 and [row["label"] for row in found.rows if row["label"]] == ["CRER", "EATO"], found.messages
        assert seen("clips", "mine.csv", "--format", "csv", "--window", "4s").status == 0
        for option, other in (("--start-column", "--end-column"), ("--end-column", "--start-column")):
            column = "Anfang" if option == "--start-column" else "Das Ende"
            refused(seen("clips", "mine.csv", option, column), "mine.csv", other)


def test_numbers_that_are_not_times(look):
    for header, rows in (("path,label,age,weight", ["34,70", "29,81"]), ("path,label,fold,site", ["1,0", "2,3"]),
                         ("path,age,count", ["1,2", "2,3"])):
        names = ["day.flac,", "dawn.flac,"] if "label" not in header else ["day.flac,a,", "dawn.flac,b,"]
        seen = look({**TWO, **BESIDE, "m.csv": parts(header, *(name + row for name, row in zip(names, rows)))})
        assert len(seen("clips", "m.csv").rows) == 2, header


def test_labelled_parts_are_clips_already(look):
    seen = look({**TWO, **BESIDE, "m.csv": "path,start,end,label,split\nday.flac,1,2,a,train\n"})
    refused(seen("clips", "m.csv"), "m.csv", "veery extract", "--annotations")
    assert seen("extract", "m.csv").status == 0
    windows = seen("clips", "m.csv", "--window", "500ms")
    assert [row["split"] for row in windows.rows] == ["train", "train"], windows.messages


# --- One recording in two formats


def formats(table, content, **more):
    return {"day.wav": noise(92, 8, rate=8000, kind="WAV"), "day.flac": noise(92, 8, rate=8000), table: content, **more}


NAMED = RAVEN.replace("Species", "Species\tBegin File") + "1\tS\t1\t5\t6\t500\t900\tA\tday.wav\n2\tS\t1\t7\t8\t500\t900\tB\tday.wav\n"


@pytest.mark.parametrize("table, content", [
    ("day.Table.1.selections.txt", NAMED), ("day.csv", "file,start,end,label\nday.wav,5,6,A\nday.wav,7,8,B\n")])
def test_rows_that_name_one_of_two_formats(look, table, content):
    seen = look(formats(table, content))
    for command in ([table], ["."], [".", "--annotations", table]):
        found = seen("clips", *command)
        assert made(found) == [("day.wav", 5, "A"), ("day.wav", 7, "B")], (command, found.messages)
        assert "2 files" not in found.messages


@pytest.mark.parametrize("table", ["day.Table.1.selections.txt", "day.csv", "annotations/day.txt"])
def test_a_table_that_may_be_of_two_formats(look, table):
    content = {"day.csv": "start,end,label\n5,6,A\n", "annotations/day.txt": "5\t6\tA\n"}.get(table, selections((5, 6, "A")))
    seen = look(formats(table, content))
    for command in ([table], ["."], [".", "--annotations", table], [".", "--window", "4s"]):
        answer = seen("clips", *command)
        refused(answer, table, "day.flac'", "day.wav'")
        [name] = re.findall(r"such as to '(.*?)'", answer.messages)
    assert made(seen("clips", "day.wav")) == [("day.wav", 5, "A")]
    path = seen.data / table
    path.rename(path.with_name(name))
    assert made(seen("clips", ".")) == [(name[:8].rstrip("."), 5, "A")]


def test_names_that_differ_in_capitals(look):
    seen = look({"rec.flac": DAY, "REC.flac": DAWN, "ReC.Table.1.selections.txt": selections((1, 2, "A"))})
    for command in (["."], ["ReC.Table.1.selections.txt"], [".", "--annotations", "ReC.Table.1.selections.txt"]):
        refused(seen("clips", *command), "ReC.Table.1.selections.txt", "rec.flac'", "REC.flac'")


# --- Recordings and units


def test_windows_of_a_part_before_the_cut(look):
    whole = noise(93, 20, rate=4000, kind="WAV")
    seen = look({"r.wav": whole[:80022], "m.csv": "path,start,end\nr.wav,1,3\n"})
    assert [row["start"] for row in seen("clips", "m.csv", "--window", "1s").rows] == ["1.0", "2.0"]
    for rows in ("r.wav,1,15", "r.wav,1,"):
        (seen.data / "m.csv").write_text(f"path,start,end\n{rows}\n")
        refused(seen("clips", "m.csv", "--window", "1s"), "r.wav", "cut off", "--truncated keep")


@pytest.mark.parametrize("rows, unit", [
    ([(1, 2), (6, 13), (7.9, 18)], None), ([(0.001, 0.002), (9, 10), (11, 12)], None), ([(8.5, 9), (9, 9.5)], None),
    ([(1000, 2000.5), (3000, 3500)], "ms"), ([(500, 900), (1000, 2000), (3000, 3500)], "ms"), ([(16000, 32000), (48000, 56000)], "samples")])
def test_the_unit_is_advised_where_it_is_plausible(look, rows, unit):
    table = "start,end,label\n" + "".join(f"{start},{end},x\n" for start, end in rows)
    seen = look({"day.flac": DAY, "day.csv": table})
    answer = seen("clips", ".")
    assert answer.status != 0
    assert re.findall(r"--time-unit (\w+)", answer.messages) == ([unit] if unit else []), answer.messages
    if unit:
        assert len(made(seen("clips", ".", "--time-unit", unit))) == len(rows)


# --- Why a table is not read

REASONS = {
    "no times": ("file,StartSecond,EndSecond,label\nday.flac,1,2,a\n", ["--start-column", "--end-column"], []),
    "no end": ("file,start,label\nday.flac,1,a\n", ["--end-column"], []),
    "another column of recordings": ("Take,Start_Time,Stop_Time,label\nday.flac,1,2,a\n", ["--path-column"], ["--path-column", "Take"]),
    "an unknown recording": ("file,start,end,label\nnight.flac,1,2,a\n", ["'night.flac'"], []),
    "a column that is not there": ("file,start,end,label\nday.flac,1,2,a\n", ["'Lable'", "--label-column"], None),
}


@pytest.mark.parametrize("kind", REASONS)
def test_why_a_table_is_not_read(look, kind):
    content, words, options = REASONS[kind]
    seen = look({**TWO, "mine.csv": content})
    given = ["--label-column", "Lable"] if options is None else []
    refused(seen("clips", ".", *given), "mine.csv", *words)
    if options:
        assert made(seen("clips", ".", *options)) == [("day.flac", 1, "a")]
    if not given:
        found = seen("clips", ".", "--window", "4s")
        assert found.status == 0 and any(all(word in line for word in ("mine.csv", *words)) for line in found.lines), found.messages


def test_a_name_of_two_recordings(look):
    seen = look({"s1/rec.flac": DAY, "s2/rec.flac": DAWN, "annotations.csv": "file,site,start,end,label\nrec.flac,s1,1,2,x\n"})
    refused(seen("clips", "."), "annotations.csv", "'rec.flac'", "s1/rec.flac", "s2/rec.flac")


# --- Which of several tables


PAIRS = {
    "a name within another": ("day.Table.1.selections.txt", "day_JS.Table.1.selections.txt"),
    "brackets": ("x [2].csv", "y.csv"), "quotation marks": ("Bob's table [1].csv", "table.csv")}


@pytest.mark.parametrize("kind", PAIRS)
def test_the_advised_patterns_choose_one(look, kind):
    names = PAIRS[kind]
    table = {name: selections((1, 2, str(number))) if name.endswith(".txt") else f"file,start,end,label\nday.flac,1,2,{number}\n"
             for number, name in enumerate(names)}
    seen = look({"day.flac": DAY, **table})
    answer = seen("clips", ".")
    refused(answer, *(name for name in names))
    [advice] = re.findall(r"--annotations-named (.*), or give the files", answer.messages)
    patterns = [word for word in shlex.split(advice) if word != "or"]
    assert len(patterns) == 2
    for number, pattern in enumerate(patterns):
        found = seen("clips", ".", "--annotations-named", pattern)
        assert [row[2] for row in made(found)] == [str(number)] and not found.loses, (pattern, found.messages)
        assert seen("clips", ".", "--annotations-named", pattern, "--strict").status == 0


def test_tables_of_one_name_are_distinguished_by_their_folders(look):
    name = "day.Table.1.selections.txt"
    seen = look({"day.flac": DAY, name: selections((1, 2, "A")), f"Selections/{name}": selections((1, 2, "B"))})
    answer = seen("clips", ".")
    refused(answer, f"Selections/{name}'")
    assert "--annotations-named" not in answer.messages


def test_a_pattern_that_names_nothing(look):
    seen = look({**TWO, **BESIDE})
    refused(seen("clips", ".", "--annotations-named", "*.txt"), "--annotations-named", "'*.txt'")


def test_a_folder_above_gives_the_same(look):
    times = "file,start,end,label\n{},1,2,{}\n"
    seen = look({"site/bird/Wave/day.flac": DAY, "site/bird/annotations.csv": times.format("day.flac", "a"), "site/b/dawn.flac": DAWN,
                 "site/b/dawn.csv": "start,end,label\n3,4,b\n"})
    assert made(seen("clips", "site")) == [("dawn.flac", 3, "b"), ("day.flac", 1, "a")]
    (seen.data / "site/bird/other.csv").write_text(times.format("day.flac", "c"))
    for folder in ("site/bird", "site", "."):
        refused(seen("clips", folder), "annotations.csv", "other.csv", "--annotations-named")
    found = seen("clips", "site", "--skip-problems")
    assert made(found) == [("dawn.flac", 3, "b")], found.messages


# --- Annotators and tiers


def test_an_annotator_of_some_files(look):
    table = "start,end,label,annotator\n1,2,x,{}\n"
    seen = look({**TWO, "day.csv": table.format("ann") + "3,4,y,bob\n", "dawn.csv": table.format("bob")})
    for options in ([], ["--annotations", "."]):
        assert made(seen("clips", ".", "--annotator", "ann", *options)) == [("day.flac", 1, "x")]
        refused(seen("clips", ".", "--annotator", "eve", *options), "'eve'", "'ann', 'bob'")
    combined = "file,start,end,label,annotator\n{},1,2,x,{}\n"
    seen = look({**TWO, "one.csv": combined.format("day.flac", "ann"), "two.csv": combined.format("dawn.flac", "bob")})
    for name in ("day.csv", "dawn.csv"):
        (seen.data / name).unlink()
    found = seen("clips", ".", "--annotator", "ann")
    assert made(found) == [("day.flac", 1, "x")] and "two.csv" not in found.messages


def test_tiers_are_not_annotators(look):
    from test_field_32_annotations import grid

    seen = look({"day.flac": DAY, "day.TextGrid": grid(("ann - words", "owl"), ("bob - words", "owl"))})
    found = seen("clips", ".", "--tier", "* - words")
    assert "--tier" in found.messages and len(made(found)) == 2
    refused(seen("clips", ".", "--tier", "* - words", "--annotator", "ann - words"), "day.TextGrid", "--tier")
    assert len(made(seen("clips", ".", "--tier", "ann - words"))) == 1


# --- Cost


@pytest.mark.sampled(1)
@pytest.mark.parametrize("ending", ["wav", "mp3"])
def test_many_recordings_of_one_name(look, ending):
    """A table of 6000 recordings of one name takes no more than that of as many names."""
    count, sound = 6000, noise(94, 0.1, rate=8000, kind="WAV")
    files = {name: sound for number in range(count) for name in (f"a/{number}/audio.wav", f"b/{number}/r{number}.wav")}
    rows = ["path,start,end,label"]
    seen = look({**files, "a.csv": "\n".join(rows + [f"a/{number}/audio.{ending},0,0.05,x" for number in range(count)]) + "\n",
                 "b.csv": "\n".join(rows + [f"b/{number}/r{number}.{ending},0,0.05,x" for number in range(count)]) + "\n"})
    taken = {}
    for name in "ab":
        started = time.perf_counter()
        found = subprocess.run([seen.program, "clips", name, "--annotations", f"{name}.csv", "-o", f"{name}.out.csv", "--quiet"],
                               cwd=seen.data, capture_output=True, text=True)
        assert found.returncode == 0, found.stderr
        taken[name] = time.perf_counter() - started
    assert taken["a"] < 2 * taken["b"] + 1, taken


# --- Manifests that `veery clips` made


def test_manifests_that_clips_wrote_and_tables_of_others_are_no_losses(look):
    seen = look({**TWO, "day.txt": "1\t2\tx\n", "dawn.txt": "1\t2\ty\n", "m.csv": "path,id\nday.flac,mine\n", "d.csv": "path\ndawn.flac\n"})
    folder = seen.data
    run = lambda *more: subprocess.run([seen.program, "clips", *more], cwd=folder, capture_output=True, text=True)
    assert run("m.csv", "-o", "one.csv").returncode == run("m.csv", "-o", "two.csv", "--window", "2s").returncode == 0
    assert run("d.csv", "-o", "three.csv").returncode == 0
    (folder / "other.csv").write_text("file,start,end,label\ndawn.flac,1,2,z\n")
    found = run("m.csv", "-o", "four.csv", "--strict")
    assert found.returncode == 0, found.stderr
    assert "3 manifests are not read as annotations" in found.stderr
    assert "1 table is of other recordings, and not read: './other.csv' (its rows name 'dawn.flac', which is not one of m.csv)" in found.stderr
    assert (folder / "four.csv").read_bytes() == (folder / "one.csv").read_bytes()
    # Of the folder, the table names a recording that it has.
    assert run(".", "-o", "five.csv").returncode == 0
    (folder / "other.csv").write_text("file,start,end,label\ndusk.flac,1,2,z\n")
    found = run(".", "-o", "six.csv", "--strict")
    assert found.returncode == 1 and "'dusk.flac'" in found.stderr


@pytest.mark.parametrize("options", [[], ["--window", "2s", "--no-label", "none"]])
def test_a_manifest_of_clips_is_not_a_table_of_annotations(look, options):
    """What was made of annotations that have changed since is not read as annotations."""
    seen = look({**TWO, "day.txt": "1\t2\tx\n", "dawn.txt": "1\t2\ty\n"})
    folder = seen.data
    run = lambda *more: subprocess.run([seen.program, "clips", ".", *more], cwd=folder, capture_output=True, text=True)
    assert run("-o", "first.csv", *options).returncode == 0
    (folder / "day.txt").write_text("3\t4\tz\n")
    (folder / "dawn.txt").unlink()
    again = run("-o", "second.csv")
    assert again.returncode == 0, again.stderr
    found = [line.split(",")[:3] for line in (folder / "second.csv").read_text().splitlines()[1:]]
    assert found == [["day.flac", "day#3-4", "z"]]
