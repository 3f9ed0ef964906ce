"""Windows of recordings with tables next to them or below a folder: Schemas/guide/annotations.md."""

from .expectations import ASSUMED, CHANGED, ERROR, NEUTRAL, REMARKED, SAME
from .files import add, both, cell, drop_line, encode, move, put, remove, rename
from .samples import Sample
from .selections import ONE, T, UNCLAIMED, lines
from .sounds import recording

DOC = "Schemas/guide/annotations.md, Windows; field/README.md, bio 26, 30, 32, 36"
A, C = recording("A"), recording("C")
TABLE = lines([1, ONE, 1, 0.1, 0.3, 1000, 2000, "Häher"])
OTHER = lines([1, ONE, 1, 0.6, 0.8, 1000, 2000, "owl"])
KEYS = ["rec#0-0.5", "rec#0.5-1", "two#0-0.5", "two#0.5-1"]
FILES = {"d/rec.wav": A, "d/two.wav": C, "d/rec.Table.1.selections.txt": TABLE.encode(),
         "d/two.Table.1.selections.txt": OTHER.encode()}
TRUTH = {KEYS[0]: {"label": "Häher", "labels": "Häher"}, KEYS[1]: {"label": ""}, KEYS[2]: {"label": ""},
         KEYS[3]: {"label": "owl"}}
LOST = CHANGED({KEYS[0]: {"label": "", "labels": ""}})
NAME = "d/rec.Table.1.selections.txt"
windows = Sample("windows", DOC, FILES, ("clips", "d", "--window", "0.5s"), TRUTH)
UNFOUND = REMARKED(*UNCLAIMED, change=LOST)
for name, expected in {
        "REC.Table.1.selections.txt": SAME, "rec_selections.txt": SAME, "rec.Table01.txt": SAME, "rec-raven.txt": SAME,
        "Selections/rec.Table.1.selections.txt": SAME, "rec.wav.Table.1.selections.txt": SAME, "rec.txt": SAME,
        "rec_JS.Table.1.selections.txt": REMARKED("tables-matched", change=SAME), "other.txt": UNFOUND,
        "rec_2.Table.1.selections.txt": UNFOUND, "rec2.Table.1.selections.txt": UNFOUND, "old/rec.txt": UNFOUND}.items():
    windows.change(f"a table renamed to {name}", NAME, move(NAME, "d/" + name), expected)
windows.change("a recording in capitals", "rec.wav", move("d/rec.wav", "d/REC.WAV"),
               CHANGED({KEYS[0]: None, KEYS[1]: None, "REC#0-0.5": {"like": KEYS[0], "path": ...},
                          "REC#0.5-1": {"like": KEYS[1], "path": ...}}))
windows.change("a table missing", NAME, remove(NAME), REMARKED("recordings-without-annotations", change=LOST))
windows.change("a table in Latin-1", NAME, encode(NAME, "latin-1"), ASSUMED)
windows.change("a table in UTF-16", NAME, encode(NAME, "utf-16"), NEUTRAL)
windows.change("a table that is none", NAME, put(NAME, b"windy, no birds\n"),
               REMARKED(*UNCLAIMED, "recordings-without-annotations") | ERROR())
windows.change("a table without rows", NAME, put(NAME, TABLE.split("\n")[0].encode() + b"\n"), LOST)
windows.change("a combined table in place of both", "BirdNET_CombinedTable.csv",
               both(remove(NAME), remove("d/two.Table.1.selections.txt"), add(
    "d/BirdNET_CombinedTable.csv",
    "Start (s),End (s),Scientific name,Common name,Confidence,File\n0.1,0.3,x,Häher,0.9,rec.wav\n0.6,0.8,x,owl,0.9,two.wav\n")),
    SAME)
windows.change("a combined table beside both", "BirdNET_CombinedTable.csv", add(
    "d/BirdNET_CombinedTable.csv", "Start (s),End (s),Scientific name,Common name,Confidence,File\n0.1,0.3,x,wren,0.9,rec.wav\n"),
    REMARKED(*UNCLAIMED, change=SAME))
windows.change("a second table", NAME, add("d/rec.Table.2.selections.txt", OTHER),
               ERROR("rec.Table.2.selections.txt"))
windows.change("a table of names beside", "species.csv", add("d/species.csv", "code,name\nowl,Owl\n"), NEUTRAL
               | REMARKED(*UNCLAIMED, change=SAME))
windows.change("JSON for a recording", "rec.wav.json", add("d/rec.wav.json", '{"annotation": [{"start_time": 0.6}]}'),
               REMARKED(*UNCLAIMED, change=SAME))
windows.change("RTTM for a recording", "rec.rttm", add("d/rec.rttm", "SPEAKER rec 1 0.60 0.20 <NA> <NA> k <NA> <NA>\n"),
               ERROR("rec.rttm"))
windows.change("STM for a recording", "rec.stm", add("d/rec.stm", "rec 1 k 0.60 0.80 word\n"), REMARKED(*UNCLAIMED, change=SAME))
windows.change("a longer recording", "rec.wav", put("d/rec.wav", recording("A", 0.7)), REMARKED("ends-cut")
               | CHANGED({KEYS[1]: None}))
windows.text(NAME, ("column Species renamed", rename("Species", "Art", T),
                    REMARKED("columns-chosen", "columns-unused", "annotations-unused") | ERROR()),
             # Something was heard there, and not named: no window without a call.
             ("an empty label", cell(1, "Species", "", T), REMARKED("windows-undecided", change=CHANGED({KEYS[0]: None}))),
             ("a row dropped", drop_line(1), LOST), ("an end after the recording", cell(1, "End Time (s)", "1.05", T),
                 REMARKED("ends-cut") | ERROR()))

given = Sample("windows, a folder of tables", DOC, {
    "d/rec.wav": A, "d/two.wav": C, "t/rec.Table.1.selections.txt": TABLE.encode(),
    "t/two.Table.1.selections.txt": OTHER.encode()},
    ("clips", "d", "--annotations", "t", "--window", "0.5s"), TRUTH)
given.change("a table missing", NAME, remove("t/rec.Table.1.selections.txt"),
             REMARKED("recordings-without-annotations", change=LOST))
given.change("a table of no recording", "x.Table.1.selections.txt", add("t/x.Table.1.selections.txt", TABLE), ERROR()
             | REMARKED(*UNCLAIMED, change=SAME))
given.change("a file of another format", "x.json", add("t/x.json", "{}"), REMARKED(*UNCLAIMED, change=SAME))
given.change("a text that is no table", "rec.notes.txt", add("t/rec.notes.txt", "windy\n"), REMARKED(*UNCLAIMED, change=SAME))
given.change("a manifest among them", "m.csv", add("t/m.csv", "path,label\nrec.wav,x\n"), REMARKED(*UNCLAIMED, change=SAME))
given.change("a table in Latin-1", "rec.Table.1.selections.txt", encode("t/rec.Table.1.selections.txt", "latin-1"), ASSUMED)
given.change("a recording more", "new.wav", add("d/new.wav", C), REMARKED("recordings-without-annotations"))

# Windows of two channels: a selection labels the windows of its channel.
channels = Sample("windows, two channels", "issue 31, 2: clips with and without --window", {
    "d/m.csv": b"path,id,channel\nrec.wav,c0,0\nrec.wav,c1,1\n", "d/rec.wav": recording("AB"),
    "d/rec.Table.1.selections.txt": lines([1, ONE, 1, 0.1, 0.3, 1000, 2000, "wren"],
        [2, ONE, 2, 0.6, 0.8, 500, 900, "owl"]).encode()},
    ("clips", "d/m.csv", "--window", "0.5s"), {
    "c0#0-0.5": {"label": "wren"}, "c0#0.5-1": {"label": ""}, "c1#0-0.5": {"label": ""},
    "c1#0.5-1": {"label": "owl", "channel": "1"}})
channels.text(
    NAME, ("the other channel", cell(2, "Channel", "1", T),
           CHANGED({"c0#0.5-1": {"label": "owl", "labels": "owl"}, "c1#0.5-1": {"label": "", "labels": ""}})
           | REMARKED("recordings-without-annotations")),
    ("a channel that is not there", cell(2, "Channel", "3", T), ERROR("rec.Table.1.selections.txt", "rec.wav")))
