"""Manifests of Veery: Schemas/guide/manifests.md, Schemas/manifest-row.schema.json; CSV after RFC 4180."""

from .expectations import ASSUMED, CHANGED, ERROR, NEUTRAL, REMARKED, SAME
from .files import (
    GONE, add, add_column, both, cell, column, comma, double_line, drop_column, drop_line, dump, edit, encode, insert_line,
    move, put, quote_all, record, remove, rename, rename_key, reverse_columns, samples, separate, sub, table, thousandfold)
from .samples import Sample
from .sounds import recording

GUIDE = "Schemas/guide/manifests.md"
RECORDINGS = {"a.wav": recording("AB"), "b.wav": recording("C"), "sub/c.wav": recording("D")}
ROWS = """path,id,label,split,start,end,channel,note
a.wav,u1,robin,train,0.2,0.5,1,first
a.wav,u2,Häher,train,,,0,é
b.wav,u3,wren,test,,,,third
sub/c.wav,u4,wren,test,0.1,0.6,,x
"""
TRUTH = {
    "u1": {"label": "robin", "sound": "B@0.20-0.50", "start": 0.2, "duration": 0.3, "channel": 1, "note": "first"},
    "u2": {"label": "Häher", "sound": "A@0.00-1.00", "channel": 0, "note": "é"},
    "u3": {"label": "wren", "sound": "C@0.00-1.00", "split": "test"},
    "u4": {"label": "wren", "sound": "D@0.10-0.60", "note": "x"}}
NO_TIMES = {
    "u1": {"sound": "B@0.00-1.00", "start": 0, "duration": 1}, "u4": {"sound": "D@0.00-1.00", "start": 0, "duration": 1}}

csv = Sample("CSV manifest", GUIDE, {"m.csv": ROWS.encode(), **RECORDINGS}, ("extract", "m.csv"), TRUTH)
csv.encodings("m.csv", latin1=ASSUMED)
csv.text(
    "m.csv",
    # The guide: semicolons, decimal commas with them, names of columns whatever their capitals and blanks.
    ("semicolons", separate(";"), NEUTRAL),
    ("semicolons and decimal commas", separate(";"), column("start", comma, ";"), column("end", comma, ";"), NEUTRAL),
    ("all fields quoted", quote_all(), NEUTRAL),
    ("columns in reverse order", reverse_columns(), SAME),
    ("tabs", separate("\t"), SAME | ERROR()),
    ("bars", separate("|"), ERROR()),
    ("header in capitals", sub("path,id,label,split,start,end,channel", "PATH,ID,LABEL,SPLIT,START,END,CHANNEL"), NEUTRAL),
    ("blanks in the header", sub("path,id,label,split,start", "path, id , label,split, start"), NEUTRAL),
    # The guide: a table without `path` is read by the first of these names that it has.
    *((f"column path renamed {name}", rename("path", name), NEUTRAL) for name in (
        "file", "Filename", "audio", "Audio File", "wav", "fname", "audio_filepath")),
    ("column path renamed source", rename("path", "source"), ERROR()),
    ("a second column of recordings", add_column("wav", ["x.wav", "x.wav", "x.wav", "x.wav"]), REMARKED("columns-chosen")),
    ("a second column of recordings, and no path", rename("path", "file"), add_column("wav", ["x.wav"] * 4),
     REMARKED("columns-chosen")),
    ("a column named file of other values", add_column("file", ["1", "2", "3", "4"]), SAME | CHANGED(free=["file"])),
    ("lines with # before the header", insert_line(0, "# made by hand"), insert_line(0, "# a, b"), NEUTRAL),
    ("a header with #", sub("path,id", "#path,id"), NEUTRAL),
    ("blanks after all separators", sub("path,id,label,split,start,end,channel,note", "path, id, label, split, start, end, channel, note"),
     NEUTRAL),
    ("a variable before a path", sub("b.wav", "$data_root/b.wav"), ERROR("b.wav") | REMARKED("columns-unused")),
    ("a list of recordings", sub("b.wav", "\"['a.wav', 'b.wav']\""), ERROR()),
    ("column path dropped", drop_column("path"), ERROR()),
    # The guide: every other column is kept.
    ("column label renamed", rename("label", "species"), CHANGED(columns={"label": "species"}, free=["label"])),
    ("column label dropped", drop_column("label"), CHANGED(columns={"label": None})),
    ("column split renamed", rename("split", "subset"), CHANGED(columns={"split": "subset"}, free=["split"])),
    ("column note renamed", rename("note", "remark"), CHANGED(columns={"note": "remark"})),
    ("column note dropped", drop_column("note"), CHANGED(columns={"note": None})),
    # The guide: times under another name are refused if one of the three is read, too.
    ("column start renamed", rename("start", "onset"), ERROR()),
    ("column end renamed", rename("end", "stop"), ERROR()),
    ("columns of times renamed", rename("start", "onset"), rename("end", "offset"), ERROR() | REMARKED("columns-unused")),
    ("columns of times named in milliseconds", rename("start", "start_ms"), rename("end", "end_ms"),
     column("start_ms", thousandfold),
     column("end_ms", thousandfold), ERROR() | REMARKED("columns-unused") | CHANGED(free=["start_ms", "end_ms"])),
    ("times in milliseconds", column("start", thousandfold), column("end", thousandfold), ERROR("m.csv", "a.wav") | SAME),
    ("times in samples", column("start", samples), column("end", samples), ERROR("m.csv", "a.wav") | SAME),
    *[(f"channel {number}", cell(1, "channel", number), ERROR())
      for number in ("-1", "-9223372036854775808", "9223372036854775807", "1e300", "nan")],
    ("column start dropped", drop_column("start"), CHANGED(
        {"u1": {"sound": "B@0.00-0.50", "start": 0, "duration": 0.5},
         "u4": {"sound": "D@0.00-0.60", "start": 0, "duration": 0.6}})),
    ("column end as a duration", rename("end", "duration"), CHANGED(
        {"u1": {"sound": "B@0.20-0.70", "duration": 0.5}, "u4": {"sound": "D@0.10-0.70", "duration": 0.6}})),
    ("end and duration that agree", add_column("duration", ["0.3", "", "", "0.5"]), NEUTRAL),
    ("end and duration that disagree", add_column("duration", ["0.2", "", "", "0.5"]), ERROR()),
    ("channel column renamed", rename("channel", "ch"), CHANGED(
        {"u1": {"sound": "A+B@0.20-0.50"}, "u2": {"sound": "A+B@0.00-1.00"}}, free=["channel", "ch"])
        | REMARKED("columns-unused", "channels-chosen")),
    ("channel column dropped", drop_column("channel"), CHANGED(
        {"u1": {"sound": "A+B@0.20-0.50"}, "u2": {"sound": "A+B@0.00-1.00"}}, free=["channel"])),
    ("another channel", cell(1, "channel", "0"), CHANGED({"u1": {"sound": "A@0.20-0.50", "channel": 0}})),
    ("a channel that is not there", cell(1, "channel", "2"), ERROR("a.wav", "m.csv")),
    ("a channel as a letter", cell(1, "channel", "B"), NEUTRAL),  # A is 0, B is 1: Schemas/guide/manifests.md
    ("a channel as a letter after H", cell(1, "channel", "R"), ERROR()),
    ("a negative channel", cell(1, "channel", "-1"), ERROR()),
    ("channel 1 of one", cell(3, "channel", "1"), ERROR("b.wav", "m.csv")),
    ("column label twice", add_column("label", ["x", "y", "z", "w"]), ERROR()),
    ("column note twice", add_column("note", ["x", "y", "z", "w"]), ERROR()),
    # Both can be meant: the exact name comes first, and that is said.
    ("column start twice but for its case", add_column("Start", ["0.3", "", "", "0.2"]),
     REMARKED("columns-chosen", "columns-unused") | ERROR()),
    ("column label twice but for its case", add_column("Label", ["x", "y", "z", "w"]),
     REMARKED("columns-chosen", "columns-unused") | ERROR()),
    ("a row dropped", drop_line(3), CHANGED({"u3": None})),
    ("a row twice", double_line(3), ERROR()),
    ("rows in another order", lambda text: "\n".join([(rows := text.rstrip().split("\n"))[0], *rows[:0:-1]]) + "\n", SAME),
    ("a row without its last field", sub(",,,third", ",,"), ERROR()),
    ("a field too many", sub("third", "third,more"), ERROR()),
    ("an empty path", cell(3, "path", ""), ERROR()),
    ("an empty id", cell(3, "id", ""), CHANGED({"u3": None, "b": {"like": "u3"}})),
    ("an empty label", cell(3, "label", ""), CHANGED({"u3": {"label": ""}})),
    ("a missing recording", cell(3, "path", "missing.wav"), ERROR("missing.wav")),
    ("a path in capitals", cell(3, "path", "B.WAV"), ERROR("B.WAV")),
    ("a path with a backslash", cell(4, "path", "sub\\c.wav"), ERROR("c.wav") | SAME),
    ("a path with ./", cell(3, "path", "./b.wav"), CHANGED({"u3": {"path": "./b.wav"}})),
    ("an end before its start", cell(1, "end", "0.1"), ERROR()),
    ("a negative start", cell(1, "start", "-0.2"), ERROR()),
    ("an end after the recording", cell(4, "end", "1.3"), ERROR("c.wav", "m.csv") | REMARKED("ends-cut")),
    ("a start after the recording", cell(4, "start", "1.2"), ERROR("c.wav", "m.csv")),
    ("a start with a decimal comma", cell(1, "start", "0,2"), ERROR()),
    ("a start as a clock", cell(1, "start", "0:00.2"), ERROR()),
    ("a start that is no number", cell(1, "start", "nan"), ERROR()),
    ("a start in other digits", cell(1, "start", "2e-1"), NEUTRAL),
    ("blanks around a start", cell(1, "start", " 0.2 "), NEUTRAL),
    ("a line of # before the header", insert_line(0, "# made by a program"), ERROR() | SAME),
    ("a line of # among the rows", insert_line(3, "# checked up to here"), ERROR() | SAME),
    ("no header", drop_line(0), ERROR()),
    ("the header twice", insert_line(3, "path,id,label,split,start,end,channel,note"), ERROR()))
csv.change("a recording beside that no row names", "x.wav", add("x.wav", recording("E")), NEUTRAL)  # a table walks no folder
csv.change("the recordings of two rows exchanged", "b.wav",
           both(move("b.wav", "t"), move("sub/c.wav", "b.wav"), move("t", "sub/c.wav")), CHANGED(
    {"u3": {"sound": "D@0.00-1.00"}, "u4": {"sound": "C@0.10-0.60"}}))
csv.change("a recording renamed", "b.wav", move("b.wav", "b2.wav"), ERROR())
csv.change("a recording of no samples", "b.wav", put("b.wav", recording("C")[:44]), ERROR())
csv.change("a recording cut off", "b.wav", put("b.wav", recording("C")[:9000]), ERROR())
csv.change("a recording of one channel for one of two", "a.wav", put("a.wav", recording("A")), ERROR())
csv.change("a recording that is text", "b.wav", put("b.wav", b"<html>moved</html>"), ERROR())

# Times that follow from a duration alone: the whole recording within 10 ms, another part from 0.
DURATIONS = "path,duration,text\na.wav,1.0,eins\nb.wav,1.000,zwölf\n"
DURATION_TRUTH = {"a": {"sound": "A@0.00-1.00", "text": "eins"}, "b": {"sound": "C@0.00-1.00", "text": "zwölf"}}
MONO = {"a.wav": recording("A"), "b.wav": recording("C")}
durations = Sample(
    "CSV manifest with durations",
    "contract.md: without a start, a duration within 10 ms of the recording's is the whole recording",
    {"m.csv": DURATIONS.encode(), **MONO}, ("extract", "m.csv"), DURATION_TRUTH)
durations.text(
    "m.csv",
    ("rounded up by 4 ms", cell(1, "duration", "1.004"), NEUTRAL),
    ("rounded down by 4 ms", cell(1, "duration", "0.996"), NEUTRAL),
    ("rounded to half a second", cell(1, "duration", "0.5"),
     CHANGED({"a": None, "a#0-0.5": {"like": "a", "sound": "A@0.00-0.50"}}) | CHANGED({"a": {"sound": "A@0.00-0.50"}})),
    ("longer than the recording", cell(1, "duration", "1.5"), ERROR("a.wav", "m.csv") | REMARKED("lengths-differ")),
    ("in milliseconds", column("duration", thousandfold), ERROR("a.wav", "m.csv") | NEUTRAL),
    ("in samples", column("duration", samples), ERROR("a.wav", "m.csv") | NEUTRAL),
    ("empty", cell(1, "duration", ""), NEUTRAL),
    ("0", cell(1, "duration", "0"), ERROR()),
    ("with a start of 0", add_column("start", ["0", "0"]), NEUTRAL
     | CHANGED({"a": None, "b": None, "a#0-1": {"like": "a"}, "b#0-1": {"like": "b"}})),
    ("dropped", drop_column("duration"), NEUTRAL),
    ("renamed", rename("duration", "length"), CHANGED(free=["length"])),
    ("as a clock", cell(1, "duration", "00:01"), ERROR() | NEUTRAL))
durations.change("a recording of another length", "a.wav", put("a.wav", recording("A", 0.5)), ERROR()
                 | REMARKED("lengths-differ"))

# TSV: fields are literal (the guide), as in Common Voice.
tsv = Sample("TSV manifest", GUIDE, {"m.tsv": ROWS.replace(",", "\t").encode(), **RECORDINGS}, ("extract", "m.tsv"), TRUTH)
tsv.encodings("m.tsv", latin1=ASSUMED)
tsv.text(
    "m.tsv",
    ("commas", separate(",", "\t"), SAME | ERROR()),
    ("column path renamed", rename("path", "file", "\t"), NEUTRAL),
    ("column path renamed source", rename("path", "source", "\t"), ERROR()),
    ("a line with # before the header", insert_line(0, "# made by hand"), NEUTRAL),
    ("no header", drop_line(0), ERROR()),
    ("column label twice", add_column("label", ["x", "y", "z", "w"], "\t"), ERROR()),
    ("column end renamed", rename("end", "stop", "\t"), ERROR()),
    ("a row dropped", drop_line(3), CHANGED({"u3": None})),
    ("a row twice", double_line(3), ERROR()),
    ("a field too many", sub("third", "third\tmore"), ERROR()),
    ("a row without its last field", sub("\tthird", ""), ERROR()),
    ("a quotation mark in a text", sub("third", '"third'), CHANGED({"u3": {"note": '"third'}})),
    ("another channel", cell(1, "channel", "0", "\t"), CHANGED({"u1": {"sound": "A@0.20-0.50", "channel": 0}})),
    ("times in milliseconds", column("start", thousandfold, "\t"), column("end", thousandfold, "\t"), ERROR("m.tsv", "a.wav")
     | SAME))

OBJECTS = [
    {"path": "a.wav", "id": "u1", "label": "robin", "split": "train", "start": 0.2, "end": 0.5, "channel": 1, "note": "first"},
    {"path": "a.wav", "id": "u2", "label": "Häher", "split": "train", "channel": 0, "note": "é"},
    {"path": "b.wav", "id": "u3", "label": "wren", "split": "test", "note": "third"},
    {"path": "sub/c.wav", "id": "u4", "label": "wren", "split": "test", "start": 0.1, "end": 0.6, "note": "x"}]
jsonl = Sample("JSON Lines manifest", GUIDE, {"m.jsonl": dump(OBJECTS).encode(), **RECORDINGS}, ("extract", "m.jsonl"), TRUTH)
jsonl.encodings("m.jsonl", latin1=ASSUMED)
jsonl.text(
    "m.jsonl",
    ("key path renamed", rename_key("path", "file"), NEUTRAL),
    ("key path renamed source", rename_key("path", "source"), ERROR()),
    ("a path in an object", record(2, path={"path": "b.wav", "bytes": None}), NEUTRAL),
    ("an object without a path", record(2, path={"bytes": None}), ERROR()),
    ("a list of paths", record(2, path=["a.wav", "b.wav"]), ERROR()),
    ("a second key of recordings", record(0, wav="x.wav"), REMARKED("columns-chosen")),
    ("a key of one record renamed", rename_key("path", "file", 2), ERROR()),
    ("key label renamed", rename_key("label", "species"), CHANGED(columns={"label": "species"}, free=["label"])),
    # The guide: in JSON Lines, names are exact. That a label is lost by its capital is said, or it is read.
    ("key label in another case", rename_key("label", "Label"), REMARKED("columns-unused", "columns-chosen") | ERROR() | SAME),
    ("key start in another case", rename_key("start", "Start"), ERROR() | REMARKED("columns-unused", "columns-chosen") | SAME),
    ("keys of times renamed", rename_key("start", "begin"), rename_key("end", "stop"), ERROR() | REMARKED("columns-unused")),
    ("key end renamed", rename_key("end", "end_time"), ERROR()),
    ("a label missing", record(2, label=GONE), CHANGED({"u3": {"label": ""}})),
    ("a label null", record(2, label=None), CHANGED({"u3": {"label": ""}})),
    ("a path missing", record(2, path=GONE), ERROR()),
    ("a key twice in an object", sub('"label": "wren"', '"label": "owl", "label": "wren"'), ERROR() | REMARKED("columns-chosen")),
    ("numbers as texts", record(0, start="0.2", end="0.5", channel="1"), NEUTRAL),
    ("times null", record(0, start=None, end=None), CHANGED({"u1": NO_TIMES["u1"]})),
    ("another channel", record(0, channel=0), CHANGED({"u1": {"sound": "A@0.20-0.50", "channel": 0}})),
    ("a channel that is not there", record(0, channel=2), ERROR("m.jsonl", "a.wav")),
    ("half a channel", record(0, channel=0.5), ERROR()),
    ("a list of channels", record(0, channel=[0, 1]), ERROR() | CHANGED({"u1": {"sound": "A+B@0.20-0.50"}}, free=["channel"])),
    ("times in milliseconds", record(0, start=200, end=500), ERROR("m.jsonl", "a.wav")),
    ("a row dropped", drop_line(2), CHANGED({"u3": None})),
    ("a row twice", double_line(2), ERROR()),
    ("one array of all", lambda text: "[" + ",\n".join(text.strip().split("\n")) + "]\n", ERROR() | SAME),
    ("a comma after each object", sub("}\n", "},\n", 4), ERROR() | SAME),
    ("single quotation marks", sub('"note": "third"', "'note': 'third'"), ERROR()),
    ("a line cut off", sub(', "note": "third"}', ""), ERROR()),
    ("a path as an object", record(2, path={"path": "b.wav"}), ERROR() | SAME))
