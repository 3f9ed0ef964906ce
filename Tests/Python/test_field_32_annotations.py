"""Cases from the field of annotations: tables that were not found, not understood or refused though they are right.

Each case is made here after one of the collection's folder `field`, whose README names the source; where the collection is there,
the same holds for the original. Those without an original follow.
"""

import json
import re
import subprocess

import pytest
from mutations.observation import write
from field_cases import RAVEN, Cases, Seen, noise, remarks

case = Cases()
T = "\t"


def made(seen):
    assert seen.status == 0, seen.messages
    return sorted((row["path"].rsplit("/", 1)[-1], float(row["start"]), row["label"]) for row in seen.rows)


def labels(seen):
    """The windows with labels, and those without."""
    assert seen.status == 0, seen.messages
    return sorted((row["path"].rsplit("/", 1)[-1], float(row["start"]), row["label"]) for row in seen.rows if row["label"])


def refused(seen, *words):
    assert seen.status != 0, (seen.rows, seen.messages)
    for word in words:
        assert word in seen.messages, seen.messages


def selections(*rows, header=RAVEN):
    return header + "".join(f"{number}\tSpectrogram 1\t1\t{start}\t{end}\t500\t3000\t{label}\n" for number,
                            (start, end, label) in enumerate(rows, 1))


# --- Tables of times


def cornell():
    return {
        "soundscape_data/SSW_001_20170225_010000Z.flac": noise(1, 10, rate=8000),
        "soundscape_data/SSW_002_20170225_020000Z.flac": noise(2, 8, rate=8000),
        "annotations.csv": "Filename,Start Time (s),End Time (s),Low Freq (Hz),High Freq (Hz),Species eBird Code\n"
        "SSW_001_20170225_010000Z.flac,0.5,2.25,1200,4500,norcar\nSSW_001_20170225_010000Z.flac,1.0,1.8,3000,7000,????\n"
        "SSW_001_20170225_010000Z.flac,6.1,7.9,1200,4500,norcar\nSSW_002_20170225_020000Z.flac,2.0,3.0,2000,6000,bkcchi\n"}


for command in (["clips", ".", "--annotations", "annotations.csv"], ["clips", "annotations.csv"], ["clips", "."]):
    @case(f"annotations.csv of Cornell: {' '.join(command)}", "bio/01_cornell_annotations", cornell)
    def check(look, command=command):
        seen = look(*command)
        first, second = "SSW_001_20170225_010000Z.flac", "SSW_002_20170225_020000Z.flac"
        assert made(seen) == [(first, 0.5, "norcar"), (first, 1, "????"), (first, 6.1, "norcar"), (second, 2, "bkcchi")]
        assert [float(row["low_frequency"]) for row in seen.rows] == [1200, 3000, 1200, 2000] and not seen.remarks


def shots():
    return {
        "HB/file_A.flac": noise(3, 10, rate=8000), "BV/file_B.flac": noise(4, 10, rate=8000),
        "HB/file_A.csv": "Audiofilename,Starttime,Endtime,Q\nfile_A.wav,0.51,1.13,POS\nfile_A.wav,2.0,2.5,UNK\nfile_A.wav,4.0,4.7,POS\n",
        "BV/file_B.csv": "Audiofilename,Starttime,Endtime,AMRE,BBWA,BTBW\nfile_B.flac,0.5,1.1,POS,NEG,NEG\n"
        "file_B.flac,2.0,2.4,NEG,POS,NEG\nfile_B.flac,5.0,5.4,NEG,UNK,POS\n"}


A = [("file_A.flac", 0.51, "Q"), ("file_A.flac", 4, "Q")]
B = [("file_B.flac", 0.5, "AMRE"), ("file_B.flac", 2, "BBWA"), ("file_B.flac", 5, "BTBW")]
for source, wanted in (("HB/file_A.csv", A), ("BV/file_B.csv", B), (".", B + A)):
    @case(f"the few shots of DCASE: {source}", "bio/10_dcase_fewshot", shots)
    def check(look, source=source, wanted=wanted):
        seen = look("clips", source)
        assert made(seen) == sorted(wanted) and {"annotations-uncertain", "annotations-unused"} & seen.kinds, (seen.rows, seen.messages)


def kaleidoscope():
    header = "INDIR,FOLDER,IN FILE,CHANNEL,OFFSET,DURATION,Fmin,Fmean,Fmax,DATE,TIME,HOUR,TOP1MATCH,TOP1DIST,VOCALIZATIONS,MANUAL ID\n"
    row = "D:\\Recordings,Data,{},0,{},{},2100,2500,3100,2023-05-17,19:30:01,19,Cluster 3,0.41,1,EUNI\n"
    return {
        "Data/SM4A_20230517_193000.flac": noise(5, 10, rate=8000), "Data/SM4A_20230517_194000.flac": noise(6, 10, rate=8000),
        "BirdNET_Kaleidoscope.csv": "INDIR,FOLDER,IN FILE,OFFSET,DURATION,TOP1MATCH,TOP1DIST\n"
        "D:\\Recordings,Data,SM4A_20230517_193000.flac,0.0,3.0,Eurasian Nightjar,0.91\n"
        "D:\\Recordings,Data,SM4A_20230517_193000.flac,6.0,3.0,Eurasian Nightjar,0.45\n"
        "D:\\Recordings,Data,SM4A_20230517_194000.flac,3.0,3.0,Tawny Owl,0.77\n",
        "cluster.csv": header + row.format("SM4A_20230517_193000.flac", "1.25", "0.8")
        + row.format("SM4A_20230517_193000.flac", "5.5", "1.2") + row.format("SM4A_20230517_194000.flac", "3.0", "2.0")}


@case("the confidence in BirdNET's Kaleidoscope tables", "bio/04_kaleidoscope", kaleidoscope)
def check(look):
    seen = look("clips", "Data", "--annotations", "BirdNET_Kaleidoscope.csv", "--min-confidence", "0.5")
    assert made(seen) == [("SM4A_20230517_193000.flac", 0, "Eurasian Nightjar"), ("SM4A_20230517_194000.flac", 3, "Tawny Owl")]
    assert [row["confidence"] for row in seen.rows] == ["0.91", "0.77"]


@case("the distance in Kaleidoscope's own tables is no confidence", "bio/04_kaleidoscope", kaleidoscope)
def check(look):
    seen = look("clips", "cluster.csv")
    assert len(made(seen)) == 3 and seen.rows[0]["low_frequency"] == "2100" and "TOP1DIST" in seen.rows[0]
    assert "confidence" not in seen.rows[0]
    refused(look("clips", "cluster.csv", "--min-confidence", "0.5"), "cluster.csv", "TOP1DIST", "distance")


# --- Encodings


def german():
    return {"Nacht.flac": noise(7, 10, rate=6000), "Nacht.Table.1.selections.txt":
            (RAVEN.replace("Species", "Art") + "1\tSpectrogram 1\t1\t0,512\t1,734\t1250,5\t4800,0\tMönchsgrasmücke\n"
             "2\tSpectrogram 1\t1\t3,25\t4,5\t1250,5\t4800,0\tAmsel\n").encode("cp1252")}


@case("a table of Windows as the source", "bio/19_raven_decimal_comma", german)
def check(look):
    seen = look("clips", "Nacht.Table.1.selections.txt", "--label-column", "Art")
    assert made(seen) == [("Nacht.flac", 0.512, "Mönchsgrasmücke"), ("Nacht.flac", 3.25, "Amsel")]
    assert seen.kinds == {"encodings-assumed"}, seen.remarks


@case("a table of Windows in every command", "bio/19_raven_decimal_comma", german)
def check(look):
    table, recording = look.data / "Nacht.Table.1.selections.txt", look.data / "Nacht.flac"
    look.folder.mkdir(exist_ok=True)
    (look.folder / "m.csv").write_text(f"path\n{recording}\n")
    options = ("--label-column", "Art")
    seen = look("extract", look.folder / "m.csv", "--frame-labels", table, *options)
    assert seen.status == 0 and "Mönchsgrasmücke" in seen.rows[0]["frame_labels"] and seen.kinds == {"encodings-assumed"}
    seen = look("clips", recording, *options)
    assert len(made(seen)) == 2 and seen.kinds == {"encodings-assumed"}
    ended = subprocess.run([look.program, "render", recording, "--annotations", table, *options, "-o", look.folder / "a.png"],
                           capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


def units():
    names = "ARU1_20240612_053000", "ARU1_20240612_063000", "ARU2_20240612_053000"
    return {**{f"{name}.flac": noise(10 + number, 9, rate=8000) for number, name in enumerate(names)},
            **{f"{name}.Table.1.selections.txt": selections((1, 2, label), (4, 5, label)).encode("cp1252")
               for name, label in zip(names, ("Amsel", "Mönchsgrasmücke", "Kohlmeise"))}}


for options in ([], ["--annotations", "."]):
    @case(f"windows with a table of Windows {' '.join(options)}", "bio/26_raven_cp1252", units)
    def check(look, options=options):
        seen = look("clips", ".", "--window", "3s", *options)
        assert len(labels(seen)) == 6 and ("ARU1_20240612_063000.flac", 0, "Mönchsgrasmücke") in labels(seen)
        assert seen.kinds == {"encodings-assumed"}


# --- Names of tables

RECORDING = {"rec.flac": noise(20, 6, rate=8000)}
ONE = selections((1, 2, "A"))
NAMES = {
    "underscore": "rec_selections.txt", "annotator": "rec_JS.Table.1.selections.txt", "raven_lite": "rec.Table01.txt",
    "subdir": "Selections/rec.Table.1.selections.txt", "withext": "rec.flac.Table.1.selections.txt"}
for kind, table in [*NAMES.items(), ("case", "rec01.Table.1.selections.txt")]:
    def found_files(table=table, kind=kind):
        recording = "REC01.FLAC" if kind == "case" else "rec.flac"
        return {recording: RECORDING["rec.flac"], table: ONE}

    @case(f"a table of another name: {kind}", f"bio/30_table_names/{kind}", found_files)
    def check(look, table=table, kind=kind):
        recording = "REC01.FLAC" if kind == "case" else "rec.flac"
        allowed = {"tables-matched"} if kind == "annotator" else set()
        for command in (["clips", "."], ["clips", ".", "--window", "3s"], ["clips", recording], ["clips", table],
                        ["clips", ".", "--annotations", "."], ["clips", ".", "--annotations", table]):
            seen = look(*command)
            assert [row[2] for row in labels(seen)] == ["A"] and seen.kinds <= allowed, (command, seen.messages, seen.rows)
        look.folder.mkdir(exist_ok=True)
        (look.folder / "m.csv").write_text(f"path\n{look.data / recording}\n")
        seen = look("extract", look.folder / "m.csv", "--frame-labels", look.data / table)
        assert seen.status == 0 and "A:" in seen.rows[0]["frame_labels"], seen.messages


def two(first, second):
    return lambda: {**RECORDING, first[0]: selections((1, 2, first[1])), second[0]: selections((1, 2, second[1]))}


for kind, tables in {"two_tables": (("rec.Table.1.selections.txt", "A"), ("rec.Table.2.selections.txt", "B")),
                     "bnet": (("rec.BirdNET.selection.table.txt", "A"), ("rec.Table.1.selections.txt", "B"))}.items():
    @case(f"two tables of one recording: {kind}", f"bio/30_table_names/{kind}", two(*tables))
    def check(look, tables=tables):
        for options in ([], ["--window", "3s"]):
            seen = look("clips", ".", *options)
            refused(seen, *(name for name, _ in tables), "--annotations-named")
            for name, label in tables:
                assert [row[2] for row in labels(look("clips", ".", "--annotations-named", name, *options))] == [label]
                pattern = "*" + name.removeprefix("rec")
                assert f"'{pattern}'" in seen.messages, seen.messages
                assert [row[2] for row in labels(look("clips", ".", "--annotations-named", pattern, *options))] == [label]
                assert [row[2] for row in labels(look("clips", ".", "--annotations", name, *options))] == [label]
                named = look("clips", ".", "--annotations", ".", "--annotations-named", pattern, *options)
                assert [row[2] for row in labels(named)] == [label]


COMBINED = "Start (s),End (s),Scientific name,Common name,Confidence,File\n" \
    "0.0,3.0,Corvus brachyrhynchos,American Crow,0.84,A.flac\n3.0,6.0,Cardinalis cardinalis,Northern Cardinal,0.9,B.flac\n"


def combined():
    header = RAVEN.replace("Species\n", "Common Name\tSpecies Code\tConfidence\tBegin Path\tFile Offset (s)\n")
    return {"A.flac": noise(21, 9, rate=8000), "B.flac": noise(22, 9, rate=8000), "BirdNET_CombinedTable.csv": COMBINED,
            "BirdNET_SelectionTable.txt": header + "1\tSpectrogram 1\t1\t0\t3.0\t0\t15000\tAmerican Crow\tamecro\t0.84\tC:\\rec\\A.flac\t0\n"
            "2\tSpectrogram 1\t1\t12.0\t15.0\t0\t15000\tNorthern Cardinal\tnorcar\t0.9\tC:\\rec\\B.flac\t3.0\n"}


BOTH = [("A.flac", 0, "American Crow"), ("B.flac", 3, "Northern Cardinal")]


@case("two combined tables of BirdNET", "bio/36_birdnet_combined_beside", combined)
def check(look):
    for options in ([], ["--window", "3s"]):
        refused(look("clips", ".", *options), "BirdNET_CombinedTable.csv", "BirdNET_SelectionTable.txt", "--annotations-named")
        for name in ("BirdNET_CombinedTable.csv", "*SelectionTable*"):
            assert labels(look("clips", ".", "--annotations-named", name, *options)) == BOTH


@case("recordings without a table, and a folder of tables", "bio/32_one_table_of_three", lambda: {
    "ARU01/a.flac": noise(23, 6), "ARU01/b.flac": noise(24, 6), "ARU02/c.flac": noise(25, 6),
    "tables/a.Table.1.selections.txt": selections((1, 2, "WOTH"))})
def check(look):
    for options in (["--annotations", "tables"], []):
        seen = look("clips", ".", "--window", "3s", *options)
        assert [row[2] for row in labels(seen)] == ["WOTH"]
        [remark] = [remark for remark in seen.remarks if remark["kind"] == "recordings-without-annotations"]
        assert remark["count"] == 2


# --- Times


def cumulative():
    header = RAVEN.replace("Species\n", "Begin File\tSpecies\n")
    row = "{}\tSpectrogram 1\t1\t{}\t{}\t2000\t6000\t{}\tWOTH\n"
    names = [f"20240612_05{minute}000.flac" for minute in (3, 4, 5)]
    starts = ((1, 0), (9, 0), (12, 1), (18.5, 1), (24, 2))
    table = header + "".join(row.format(number, start, start + 0.9, names[file]) for number, (start, file) in enumerate(starts, 1))
    return {**{name: noise(30 + number, 10, rate=8000) for number, name in enumerate(names)},
            "deployment.Table.1.selections.txt": table}


@case("times from the start of the first of several recordings", "bio/02_raven_cumulative", cumulative)
def check(look):
    for command in (["clips", "deployment.Table.1.selections.txt"],
                    ["clips", ".", "--annotations", "deployment.Table.1.selections.txt"], ["clips", "."]):
        refused(look(*command), "deployment.Table.1.selections.txt", "File Offset (s)")


@case("times from the start of another recording", "bio/02_raven_cumulative", cumulative)
def check(look):
    table = (look.data / "deployment.Table.1.selections.txt").read_text().splitlines()
    look.folder.mkdir(exist_ok=True)
    (look.folder / "late.Table.1.selections.txt").write_text("\n".join([table[0], *(row for row in table if "054000" in row)]) + "\n")
    seen = look("clips", ".", "--annotations", look.folder / "late.Table.1.selections.txt")
    refused(seen, "12 s", "File Offset (s)", "several recordings")


@case("a short call on an edge", "bio/14_windows_463", lambda: {"day.flac": noise(33, 12, rate=8000),
    "day.Table.1.selections.txt": selections((4.2, 7.2, "A"), (2.9, 6.2, "B"), (2.9, 3.3, "C"))})
def check(look):
    command = ("clips", "day.flac", "--window", "3s", "--min-overlap", "0.5s")
    windows = {float(row["start"]): row["labels"] for row in look(*command).rows}
    assert windows == {0: "", 3: "B|A", 6: "A", 9: ""}
    seen = look(*command, "--best-window")
    windows = {float(row["start"]): row["labels"] for row in seen.rows}
    assert seen.status == 0 and windows == {0: "", 3: "B|A|C", 6: "A", 9: ""}, (windows, seen.messages)


def cut_off():
    from field_cases import wav

    whole = wav(34, 20, rate=4000)
    table = selections((1, 2, "A"), (5, 6, "B"), (12, 13, "A"))
    names = "20240612_053000", "20240612_060000"
    return {**{f"{name}.Table.1.selections.txt": table for name in names}, f"{names[0]}.WAV": whole,
            f"{names[1]}.WAV": whole[:80022]}


WHOLE = [("20240612_053000.WAV", 1, "A"), ("20240612_053000.WAV", 5, "B"), ("20240612_053000.WAV", 12, "A")]
READABLE = [("20240612_060000.WAV", 1, "A"), ("20240612_060000.WAV", 5, "B")]


@case("annotations of a recording that is cut off", "bio/29_truncated_with_tables", cut_off)
def check(look):
    refused(look("clips", "."), "line 4", "cut off", "--truncated keep")
    seen = look("clips", ".", "--truncated", "keep")
    assert made(seen) == WHOLE + READABLE and seen.kinds == {"annotations-after-cut"} and not seen.loses, seen.messages
    seen = look("clips", ".", "--skip-problems")
    assert made(seen) == WHOLE + READABLE and remarks(seen, "annotations-unused") or "problems-skipped" in seen.kinds


@case("windows of a recording that is cut off", "bio/29_truncated_with_tables", cut_off)
def check(look):
    refused(look("clips", ".", "--window", "3s"), "20240612_060000.WAV", "cut off", "--truncated keep")
    for option in (["--truncated", "keep"], ["--skip-problems"]):
        seen = look("clips", ".", "--window", "3s", *option)
        assert seen.status == 0, seen.messages
        ends = [float(row["end"]) for row in seen.rows if row["path"].endswith("060000.WAV")]
        assert ends == [3, 6, 9] and len(labels(seen)) == 5, (ends, seen.messages)


@case("times under other names in a manifest", "bio/38_message_empty_name", lambda: {
    "a.flac": noise(35, 4, rate=8000), "p.csv": "file_name,t_min,t_max,label\na.flac,0.5,1.5,x\na.flac,2.0,3.0,y\n"})
def check(look):
    for options in ([], ["--column", "path=file_name"]):
        seen = look("check", "p.csv", *options)
        refused(seen, "p.csv", "t_min", "t_max")
        assert "of ," not in seen.messages, seen.messages
    assert made(look("clips", "p.csv")) == [("a.flac", 0.5, "x"), ("a.flac", 2, "y")]


# --- What has no reader


def bats():
    from field_cases import wav

    found = [{"class": "Pipistrellus pygmaeus", "start_time": 0.05, "end_time": 0.056, "low_freq": 44000, "high_freq": 92000}]
    return {"SMU01_20230824_210355.wav": wav(36, 0.2, rate=384000), "SMU01_20230824_210355.wav.json": json.dumps(
        {"annotated": True, "annotation": found, "class_name": "x", "duration": 0.2, "time_exp": 1,
         "id": "SMU01_20230824_210355.wav"})}


@case("JSON of batdetect2", "bio/23_batdetect2_json", bats)
def check(look):
    name = "SMU01_20230824_210355.wav.json"
    for command in (["clips", "."], ["clips", ".", "--annotations", name], ["clips", name], ["check", name]):
        refused(look(*command), name, "batdetect2", "path,start,end,label")


def speech():
    from field_cases import wav

    return {"sess1.wav": wav(37, 2), "sess1.rttm": "SPEAKER sess1 1 0.100 0.600 <NA> <NA> spkA <NA> <NA>\n",
            "sess1.ctm": "sess1 1 0.10 0.20 hello 0.98\nsess1 1 0.35 0.25 world 0.88\n", "sess1.PHN": "0 1600 h#\n1600 4800 sh\n"}


for ending, title in (("PHN", "TIMIT"),):
    @case(f"a format of speech: {title}", "speech/17-annot", speech)
    def check(look, ending=ending, title=title):
        name = f"sess1.{ending}"
        for command in (["clips", "sess1.wav", "--annotations", name], ["clips", name], ["check", name], ["extract", name],
                        ["extract", "sess1.wav", "--frame-labels", name]):
            if command[0] == "extract" and len(command) > 2:
                look.folder.mkdir(exist_ok=True)
                (look.folder / "m.csv").write_text(f"path\n{look.data / 'sess1.wav'}\n")
                command[1] = look.folder / "m.csv"
            seen = look(*command)
            refused(seen, name, title, "path,start")
            line = next(line for line in seen.messages.splitlines() if title in line)
            assert line.split(", such as by: ")[0].count(name) == 1, line


test_a_case_that_is_made, test_a_case_of_the_collection = case.tests()


# --- Without an original


@pytest.fixture
def look(program, tmp_path):
    def with_files(files):
        write(files, tmp_path / "data")
        return Seen(program, tmp_path / "data", tmp_path / "out")
    return with_files


TWO = {"one.flac": noise(40, 6, rate=8000), "two.flac": noise(41, 6, rate=8000)}
TABLES = {
    "raven": "Selection\tBegin Time (s)\tEnd Time (s)\tView\tCut\tKind\n1\t1\t2\tSpectrogram 1\ttwo.flac\towl\n",
    "birdnet": "Start (s),End (s),Scientific name,Common name,Confidence,Cut,Kind\n1,2,x,y,0.9,two.flac,owl\n",
    "kaleidoscope": "IN FILE,OFFSET,DURATION,TOP1MATCH,Cut,Kind\nno.wav,1,1,y,two.flac,owl\n",
    "times": "onset,offset,file,Cut,Kind\n1,2,one.flac,two.flac,owl\n",
    "manifest": "path,start,end,label,Cut,Kind\none.flac,1,2,y,two.flac,owl\n"}


@pytest.mark.parametrize("kind", TABLES)
def test_columns_that_are_named_hold_for_every_format(look, kind):
    seen = look({**TWO, "t.csv": TABLES[kind]})
    options = ("--path-column", "Cut", "--label-column", "Kind")
    assert made(seen("clips", ".", "--annotations", "t.csv", *options)) == [("two.flac", 1, "owl")]
    frames = {row["id"]: row["frame_labels"] for row in seen("extract", ".", "--frame-labels", "t.csv", *options).rows}
    assert "owl" in frames["two"] and "owl" not in frames["one"]
    ended = subprocess.run([seen.program, "render", "two.flac", "--annotations", "t.csv", *options, "-o", seen.folder / "a.png"],
                           capture_output=True, text=True, cwd=seen.data)
    assert ended.returncode == 0, ended.stderr
    for option in ("--path-column", "--label-column"):
        refused(seen("clips", ".", "--annotations", "t.csv", option, "Nothing"), "t.csv", "Nothing", option)


def test_columns_of_json_lines_are_named(look):
    seen = look({**TWO, "t.jsonl": '{"sound": "two.flac", "start": 1, "end": 2, "Kind": "owl"}\n'})
    options = ("--path-column", "sound", "--label-column", "Kind")
    assert made(seen("clips", ".", "--annotations", "t.jsonl", *options)) == [("two.flac", 1, "owl")]


def test_columns_cannot_be_named_where_there_are_none(look):
    seen = look({**RECORDING, "rec.txt": "1\t2\towl\n"})
    refused(seen("clips", ".", "--label-column", "Kind"), "rec.txt", "--label-column", "columns")
    assert made(seen("clips", ".")) == [("rec.flac", 1, "owl")]


ANNOTATORS = "path,start,end,label,annotator\nrec.flac,1,2,owl,ann\nrec.flac,1,2,owl,bob\nrec.flac,3,4,wren,bob\n"


@pytest.mark.parametrize("name", ["t.csv", "rec.Table.1.selections.txt"])
def test_annotators_who_agree_are_not_a_repeat(look, name):
    raven = "".join(f"{number}\tSpectrogram 1\t1\t{start}\t{start + 1}\t500\t3000\t{label}\t{person}\n" for number,
                    (start, label, person) in enumerate([(1, "owl", "ann"), (1, "owl", "bob"), (3, "wren", "bob")], 1))
    seen = look({**RECORDING, name: ANNOTATORS if name == "t.csv" else RAVEN.replace("Species", "Species\tAnnotator") + raven})
    both = seen("clips", ".", "--annotations", name)
    assert [row[2] for row in made(both)] == ["owl", "owl", "wren"] and both.kinds == {"annotators-agree"}
    for person, wanted in (("ann", ["owl"]), ("bob", ["owl", "wren"])):
        one = seen("clips", ".", "--annotations", name, "--annotator", person)
        assert [row[2] for row in made(one)] == wanted and not one.remarks
    refused(seen("clips", ".", "--annotations", name, "--annotator", "eve"), name, "eve", "ann", "bob")
    windows = seen("clips", ".", "--annotations", name, "--window", "3s")
    assert [row[2] for row in labels(windows)] == ["owl", "wren"]


def test_an_annotator_needs_a_column(look):
    seen = look({**RECORDING, "t.csv": "path,start,end,label\nrec.flac,1,2,owl\n"})
    refused(seen("clips", ".", "--annotations", "t.csv", "--annotator", "ann"), "t.csv", "--annotator", "annotator")


def test_the_same_annotation_twice_is_a_repeat(look):
    seen = look({**RECORDING, "t.csv": ANNOTATORS.replace("bob", "ann")})
    refused(seen("clips", ".", "--annotations", "t.csv"), "t.csv, line 3", "repeats line 2")


def grid(*tiers):
    text = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n6\n<exists>\n' + f"{len(tiers)}\n"
    return text + "".join(f'"IntervalTier"\n"{name}"\n0\n6\n1\n1\n2\n"{label}"\n' for name, label in tiers)


def test_tiers_by_a_pattern(look):
    seen = look({**TWO, "one.TextGrid": grid(("ann - words", "owl"), ("ann - phones", "o"), ("bob - words", "owl")),
                 "two.TextGrid": grid(("eve - words", "wren"), ("eve - phones", "r"))})
    found = seen("clips", ".", "--tier", "* - words")
    assert made(found) == [("one.flac", 1, "owl"), ("one.flac", 1, "owl"), ("two.flac", 1, "wren")]
    assert [row["tier"] for row in found.rows] == ["ann - words", "bob - words", "eve - words"]
    refused(seen("clips", ".", "--tier", "* - letters"), "one.TextGrid", "* - letters", "ann - words")
    frames = seen("extract", ".", "--frame-labels", ".", "--tier", "* - words")
    assert frames.status == 0 and "wren" in frames.rows[1]["frame_labels"], frames.messages


@pytest.mark.parametrize("name", ["rec.Table.1.selections.txt", "rec.txt", "rec.csv"])
def test_a_label_for_boxes_that_have_none(look, name):
    raven = "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\n1\tSpectrogram 1\t1\t1\t2\t500\t900\n"
    seen = look({**RECORDING, name: {"rec.txt": "1\t2\n", "rec.csv": "onset,offset\n1,2\n"}.get(name, raven)})
    found = seen("clips", ".", "--label", "whistle")
    assert made(found) == [("rec.flac", 1, "whistle")] and not found.remarks
    assert labels(seen("clips", ".", "--label", "whistle", "--window", "3s")) == [("rec.flac", 0, "whistle")]
    frames = seen("extract", ".", "--frame-labels", name, "--label", "whistle")
    assert frames.status == 0 and "whistle" in frames.rows[0]["frame_labels"] and not frames.remarks, frames.messages


def test_a_label_does_not_replace_others(look):
    seen = look({**RECORDING, "rec.Table.1.selections.txt": selections((1, 2, "owl"), (3, 4, ""))})
    assert made(seen("clips", ".", "--label", "bird")) == [("rec.flac", 1, "owl"), ("rec.flac", 3, "bird")]


@pytest.mark.parametrize("header", [
    "Filename,StartTime,EndTime,Species", "Filepath,Start Time (s),End Time (s),Species eBird Code", "file_name,t_min,t_max,label",
    "Audiofilename,Starttime,Endtime,class", "audio_file,Begin_Time,End_Time,Scientific Name", "AUDIO,tStart,tEnd,ebird_code",
    "recording,start_time_seconds,end_time_seconds,label"])
def test_names_of_columns(look, header):
    seen = look({**TWO, "t.csv": header + "\ntwo.flac,1,2,owl\n"})
    for command in (["t.csv"], [".", "--annotations", "t.csv"], ["."]):
        found = seen("clips", *command)
        assert made(found) == [("two.flac", 1, "owl")] and found.kinds <= {"recordings-without-annotations"}, found.messages


@pytest.mark.parametrize("name", ["rec.SELECTIONS.TXT", "rec-selections.txt", "rec.raven.txt", "rec.table.2.txt",
                                  "rec_labels.TXT", "rec_audacity.txt", "rec.BirdNET.results.txt", "rec.BirdNET.selections.txt",
                                  "selections/rec.txt", "Raven/rec.Table.1.selections.txt", "annotations/rec.txt",
                                  "rec.flac.txt", "REC.Table.1.selections.txt", "rec.Table 1.selections.txt"])
def test_names_of_tables(look, name):
    seen = look({**RECORDING, name: ONE})
    found = seen("clips", ".", "--window", "3s")
    assert [row[2] for row in labels(found)] == ["A"] and not found.remarks, found.messages


@pytest.mark.parametrize("name", ["rec_2.Table.1.selections.txt", "record.Table.1.selections.txt", "other_rec.Table.1.selections.txt",
                                  "rec_JS.txt", "rec_owl.Table.1.selections.txt"])
def test_names_of_tables_of_other_recordings(look, name):
    """`rec_owl.flac` has a table of its own."""
    seen = look({**RECORDING, "rec_owl.flac": TWO["one.flac"], name: ONE})
    found = seen("clips", ".", "--window", "3s")
    assert not [row for row in labels(found) if row[0] == "rec.flac"], found.messages
    if name != "rec_owl.Table.1.selections.txt":
        assert "tables-unclaimed" in found.kinds, found.messages


def test_a_recording_of_the_same_letters_comes_first(look):
    seen = look({"rec.flac": TWO["one.flac"], "REC.flac": TWO["two.flac"], "rec.Table.1.selections.txt": ONE})
    assert [row[0] for row in labels(seen("clips", ".", "--window", "3s"))] == ["rec.flac"]
    seen = look({"ReC.Table.1.selections.txt": ONE, "rec.Table.1.selections.txt": ""})
    (seen.data / "rec.Table.1.selections.txt").unlink()
    refused(seen("clips", ".", "--window", "3s"), "ReC.Table.1.selections.txt", "'REC.flac'", "'rec.flac'")


def test_a_combined_table_beside_tables_of_single_recordings(look):
    """For a recording that has a table of its own, the combined table is not used."""
    seen = look({"A.flac": TWO["one.flac"], "B.flac": TWO["two.flac"], "BirdNET_CombinedTable.csv": COMBINED,
                 "A.Table.1.selections.txt": ONE})
    found = seen("clips", ".", "--window", "3s")
    assert labels(found) == [("A.flac", 0, "A"), ("B.flac", 3, "Northern Cardinal")]
    assert "annotations-unused" in found.kinds
    assert labels(seen("clips", "B.flac", "--window", "3s")) == [("B.flac", 3, "Northern Cardinal")]
    assert labels(seen("clips", ".", "--window", "3s", "--annotations-named", "BirdNET*")) == BOTH


def test_bytes_that_are_of_no_encoding(look):
    """Both UTF-8 and not: no encoding is right."""
    seen = look({**RECORDING, "rec.Table.1.selections.txt": ONE.replace("A", "ä").encode() + b"2\tS\t1\t3\t4\t1\t2\t\xe4\n"})
    for command in (["clips", "."], ["clips", ".", "--window", "3s"], ["clips", "rec.Table.1.selections.txt"],
                    ["clips", ".", "--annotations", "."], ["extract", ".", "--frame-labels", "rec.Table.1.selections.txt"]):
        refused(seen(*command), "rec.Table.1.selections.txt", "UTF-8")
    (seen.data / "rec.Table.1.selections.txt").write_bytes(ONE.replace("A", "x\x81").encode("latin-1"))
    refused(seen("clips", "."), "rec.Table.1.selections.txt", "UTF-8")


FOREIGN = {
    "rec.eaf": ('<?xml version="1.0"?>\n<ANNOTATION_DOCUMENT><TIER TIER_ID="x"/></ANNOTATION_DOCUMENT>\n', "ELAN"),
    "rec.WRD": ("0 1600 she\n1600 4800 had\n", "TIMIT"), "rec.stm": ("rec 1 ann 0.1 0.9 hello there\n", "STM"),
    "rec.json": ('[{"id": 1, "data": {"audio": "rec.flac"}, "annotations": [{"result": []}]}]\n', "Label Studio"),
    "rec.svl": ('<?xml version="1.0"?>\n<!DOCTYPE sonic-visualiser>\n<sv></sv>\n', "Sonic Visualiser"),
    "rec.srt": ("1\n00:00:01,000 --> 00:00:02,000\nHello\n", "SubRip"), "rec.vtt": ("WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n", "WebVTT"),
    "rec.lab": ("0 10000000 sil\n10000000 20000000 ah\n", "HTK"), "rec.mlf": ('#!MLF!#\n"*/rec.lab"\n0 100 sil\n.\n', "HTK"),
    "rec.jams": ('{"annotations": [{"namespace": "beat", "data": []}], "file_metadata": {}}\n', "JAMS"),
    "rec.trs": ('<?xml version="1.0"?>\n<!DOCTYPE Trans SYSTEM "trans-14.dtd">\n<Trans></Trans>\n', "Transcriber"),
    "rec.cha": ("@UTF8\n@Begin\n*CHI:\thello .\n@End\n", "CHAT"),
    "strong.tsv": ("segment_id\tstart_time_seconds\tend_time_seconds\tlabel\nb0RFKhbpFJA_30000\t1\t2\t/m/03m9d0z\n", "AudioSet")}


@pytest.mark.parametrize("name", FOREIGN)
def test_annotations_in_formats_without_a_reader_are_named(look, name):
    content, title = FOREIGN[name]
    seen = look({**RECORDING, name: content})
    for command in (["clips", name], ["clips", ".", "--annotations", name], ["extract", ".", "--frame-labels", name]):
        refused(seen(*command), name, title, "path,start")
    if name != "strong.tsv":
        refused(seen("check", name), name, title, "path,start")
        refused(seen("clips", "."), name, title)
        found = seen("clips", ".", "--window", "3s")
        assert found.status == 0 and any(name in name_ and title in name_ for remark in found.remarks for name_ in remark["first"]), \
            (found.remarks, found.messages)


@pytest.mark.parametrize("name, content", [
    ("one.stm", "one 1 ann 1.0 2.0 hello there\n"), ("one.PHN", "8000 16000 ann\n")])
def test_the_advice_for_a_format_without_a_reader(look, name, content):
    """The command in the message makes a table that is read."""
    seen = look({"one.wav": TWO["one.flac"], name: content})
    answer = seen("clips", ".", "--annotations", name)
    refused(answer, name)
    [command] = re.findall(r"awk '.*' \S+ > annotations.csv", answer.messages)
    subprocess.run(command, shell=True, check=True, cwd=seen.data)
    assert made(seen("clips", ".", "--annotations", "annotations.csv")) == [("one.wav", 1, "ann")]


def test_two_labels_of_one_time_in_a_manifest(look):
    """Annotations are not clips that are stored under an id."""
    seen = look({**RECORDING, "t.csv": "path,start,end,label\nrec.flac,1,2,owl\nrec.flac,1,2,wren\n"})
    assert made(seen("clips", ".", "--annotations", "t.csv")) == [("rec.flac", 1, "owl"), ("rec.flac", 1, "wren")]


def test_the_advice_for_times_under_other_names(look):
    seen = look({**TWO, "p.csv": "file_name,t_min,t_max,label\none.flac,0.5,1.5,x\none.flac,2.0,3.0,y\n"})
    answer = seen("check", "p.csv")
    options = re.findall(r"--column \S+", answer.messages)
    assert len(options) == 2, answer.messages
    assert seen("check", "p.csv", *" ".join(options).split()).status == 0
