"""Audacity's labels, Praat's TextGrids, BirdsongRecognition's Annotation.xml, tables of times, and manifests as annotations."""

from .expectations import ASSUMED, CHANGED, ERROR, NEUTRAL, REMARKED, SAME
from .files import (
    GONE, add, add_column, both, cell, column, comma, double_line, drop_column, drop_line, edit, encode, insert_line, move, put,
    quote_all, remove, rename, reverse_columns, reverse_rows, samples, separate, sub, thousandfold)
from .samples import Sample
from .sounds import recording

A, B, C, D = (recording(track) for track in "ABCD")
T = "\t"
UNCLAIMED = ("tables-unclaimed", "annotations-unused", "metadata-unread")

# --- Audacity: manual.audacityteam.org/man/importing_and_exporting_labels.html: start, end, text between tabs; lines of \ hold frequencies.
TEXT = "0.100000\t0.300000\twren\n0.400000\t0.500000\tHäher\n0.600000\t0.950000\ttwo words\n"
FIRST, SECOND, THIRD = "day#0.1-0.3", "day#0.4-0.5", "day#0.6-0.95"
audacity = Sample("Audacity", "manual.audacityteam.org/man/importing_and_exporting_labels.html",
                  {"d/day.wav": A, "d/day.txt": TEXT.encode()}, ("clips", "d"), {
    FIRST: {"label": "wren", "start": 0.1}, SECOND: {"label": "Häher"}, THIRD: {"label": "two words", "end": 0.95}})
audacity.encodings("d/day.txt", latin1=ASSUMED)
audacity.text(
    "d/day.txt",
    ("frequencies", insert_line(1, "\\\t1000.0\t2000.0"), CHANGED({FIRST: {"low_frequency": 1000, "high_frequency": 2000}})),
    ("frequencies of no label", insert_line(0, "\\\t1000.0\t2000.0"), ERROR()),
    ("decimal commas", lambda text: text.replace(".", ","), NEUTRAL),
    ("commas between the fields", lambda text: text.replace(T, ","), ERROR("day.txt")),
    ("semicolons between the fields", lambda text: text.replace(T, ";"), ERROR("day.txt")),
    ("blanks between the fields", lambda text: text.replace(T, "  "), ERROR("day.txt")),
    ("a header", insert_line(0, "start\tend\tlabel"), SAME | ERROR()),
    ("a label missing", sub("\tHäher", ""), CHANGED({SECOND: {"label": ""}})),
    ("a tab in a label", sub("two words", "two\twords"), SAME | ERROR()),
    ("another label", sub("Häher", "owl"), CHANGED({SECOND: {"label": "owl"}})),
    ("times in milliseconds", lambda text: text.replace("0.", ""), ERROR()),
    ("an end before its start", sub("0.500000", "0.300000"), ERROR()),
    ("an end after the recording", sub("0.950000", "1.050000"), REMARKED("ends-cut") | ERROR()),
    ("a point", sub("0.500000", "0.400000"), ERROR() | REMARKED("annotations-unused")),
    ("a row dropped", drop_line(1), CHANGED({SECOND: None})),
    ("a row twice", double_line(1), ERROR()),
    ("rows in another order", lambda text: "\n".join(text.strip().split("\n")[::-1]) + "\n", SAME),
    ("a line of #", insert_line(1, "# checked"), ERROR() | SAME))
audacity.change("renamed to Label Track.txt", "Label Track.txt", move("d/day.txt", "d/Label Track.txt"),
                ERROR("Label Track.txt", "d") | SAME)
audacity.change("labels of another recording", "night.txt", add("d/night.txt", "0.1\t0.2\towl\n"),
                REMARKED(*UNCLAIMED, change=SAME))
audacity.change("a recording without labels", "night.wav", add("d/night.wav", C),
                REMARKED("recordings-without-annotations", change=SAME))
audacity.change("an empty file of labels", "night.txt", both(add("d/night.wav", C), add("d/night.txt", "")), SAME)

# --- Praat: fon.hum.uva.nl/praat/manual/TextGrid_file_formats.html.
LONG = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 1
tiers? <exists>
size = 1
item []:
    item [1]:
        class = "IntervalTier"
        name = "words"
        xmin = 0
        xmax = 1
        intervals: size = 4
        intervals [1]:
            xmin = 0
            xmax = 0.1
            text = ""
        intervals [2]:
            xmin = 0.1
            xmax = 0.3
            text = "eins"
        intervals [3]:
            xmin = 0.3
            xmax = 0.6
            text = "fünf"
        intervals [4]:
            xmin = 0.6
            xmax = 1
            text = ""
"""
SHORT = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n1\n<exists>\n1\n"IntervalTier"\n"words"\n0\n1\n4\n0\n0.1\n""\n0.1\n0.3\n"eins"\n0.3\n0.6\n"fünf"\n0.6\n1\n""\n'
SECOND_TIER = '    item [2]:\n        class = "IntervalTier"\n        name = "phones"\n        xmin = 0\n        xmax = 1\n        intervals: size = 1\n        intervals [1]:\n            xmin = 0\n            xmax = 1\n            text = "a"\n'
ONE, TWO = "day#0.1-0.3", "day#0.3-0.6"
praat = Sample("TextGrid", "fon.hum.uva.nl/praat/manual/TextGrid_file_formats.html",
               {"d/day.wav": A, "d/day.TextGrid": LONG.encode()}, ("clips", "d"), {
    ONE: {"label": "eins", "tier": "words"}, TWO: {"label": "fünf", "end": 0.6}})
praat.encodings("d/day.TextGrid", latin1=ASSUMED)
praat.text(
    "d/day.TextGrid",
    ("the short form", lambda text: SHORT, NEUTRAL),
    ("a second tier", sub("size = 1\n", "size = 2\n"), lambda text: text + SECOND_TIER, ERROR()),
    ("a second tier that is not counted", lambda text: text + SECOND_TIER, ERROR() | REMARKED(*UNCLAIMED)),
    ("an interval fewer than counted", sub("intervals: size = 4", "intervals: size = 5"), ERROR()),
    ("an interval more than counted", sub("intervals: size = 4", "intervals: size = 3"), ERROR() | REMARKED("annotations-unused")
     | SAME),
    ("a class that is not known", sub("IntervalTier", "PitchTier"), ERROR()),
    ("points", sub("IntervalTier", "TextTier"), ERROR()),
    ("another text", sub("eins", "uno"), CHANGED({ONE: {"label": "uno"}})),
    ("an empty text", sub('"eins"', '""'), CHANGED({ONE: None})),
    ("a quotation mark in a text", sub("eins", 'e""s'), CHANGED({ONE: {"label": 'e"s'}})),
    ("a quotation mark that is not closed", sub('"eins"', '"eins'), ERROR()),
    ("another end", sub("xmax = 0.3", "xmax = 0.25"), CHANGED({ONE: None, "day#0.1-0.25": {"like": ONE, "end": 0.25}})),
    ("an end before its start", sub("xmax = 0.3", "xmax = 0.05"), ERROR()),
    ("decimal commas", lambda text: text.replace("0.", "0,"), ERROR() | SAME),
    ("times in milliseconds", lambda text: text.replace("0.", "").replace("= 1\n", "= 10\n"), ERROR()),
    # Its length is declared twice; the recording lasts 1 s.
    ("a length of 2 s", lambda text: text.replace("xmax = 1\n", "xmax = 2\n"), REMARKED("lengths-differ", change=SAME) | ERROR()),
    ("a comment", insert_line(3, "! made by hand"), NEUTRAL),
    ("another tier name", sub("words", "Wörter"), CHANGED({ONE: {"tier": "Wörter"}, TWO: {"tier": "Wörter"}})))
praat.change("the binary form", "day.TextGrid", put("d/day.TextGrid", b"ooBinaryFile\x08TextGrid" + bytes(40)), ERROR())
praat.change("another extension", "day.textgrid", move("d/day.TextGrid", "d/day.textgrid"), NEUTRAL)
praat.change("a TextGrid of no recording", "night.TextGrid", add("d/night.TextGrid", LONG), REMARKED(*UNCLAIMED, change=SAME))
praat.change("a recording without a TextGrid", "night.wav", add("d/night.wav", C),
             REMARKED("recordings-without-annotations", change=SAME))
tiers = Sample("TextGrid, one tier of two", "fon.hum.uva.nl/praat/manual/TextGrid_file_formats.html", {
    "d/day.wav": A, "d/day.TextGrid": (LONG.replace("size = 1\nitem", "size = 2\nitem") + SECOND_TIER).encode()},
    ("clips", "d", "--tier", "words"), praat.truth)
tiers.text(
    "d/day.TextGrid",
    ("its name in capitals", sub("words", "WORDS"), ERROR() | CHANGED({ONE: {"tier": "WORDS"}, TWO: {"tier": "WORDS"}})),
    ("its name twice", sub("phones", "words"), ERROR()),
    ("its name with a blank", sub("words", "words "), ERROR() | CHANGED(free=["tier"])),
    ("the other tier renamed", sub("phones", "phonemes"), NEUTRAL))

# --- BirdsongRecognition (Koumura 2016, doi.org/10.6084/m9.figshare.3470165): positions in samples.
NOTE = "<Note><Position>{}</Position><Length>{}</Length><Label>{}</Label></Note>"
XML = '<?xml version="1.0" encoding="utf-8"?>\n<Sequences>\n<NumSequence>1</NumSequence>\n<Sequence><WaveFileName>0.wav</WaveFileName><Position>800</Position><Length>6400</Length><NumNote>2</NumNote>\n' + \
    NOTE.format(0, 1600, 0) + "\n" + NOTE.format(2400, 800, "é") + "\n</Sequence>\n</Sequences>\n"
song = Sample("BirdsongRecognition", "doi.org/10.6084/m9.figshare.3470165", {"d/Annotation.xml": XML.encode(), "d/0.wav": A},
              ("clips", "d/Annotation.xml"), {
    "0#0.1-0.3": {"label": "0"}, "0#0.4-0.5": {"label": "é"}})
song.text(
    "d/Annotation.xml",
    ("CR LF", lambda text: text.replace("\n", "\r\n"), NEUTRAL),
    ("another position of the sequence", sub("<Position>800", "<Position>1600"),
     CHANGED({"0#0.1-0.3": None, "0#0.4-0.5": None, "0#0.2-0.4": {"label": "0"}, "0#0.5-0.6": {"label": "é"}})),
    ("a note dropped", sub(NOTE.format(0, 1600, 0) + "\n", ""), CHANGED({"0#0.1-0.3": None, "0#0.4-0.5": {"sequence": ...}})
     | REMARKED("annotations-unused")),
    ("a note twice", sub(NOTE.format(0, 1600, 0), NOTE.format(0, 1600, 0) * 2), ERROR()),
    ("element Length renamed", sub("<Length>1600</Length>", "<Duration>1600</Duration>"), ERROR()),
    ("element Position of a note dropped", sub("<Position>2400</Position>", ""), ERROR()),
    ("element Label dropped", sub("<Label>0</Label>", ""), CHANGED({"0#0.1-0.3": {"label": ""}}) | ERROR()),
    ("a position in seconds", sub("<Position>2400", "<Position>0.3"), ERROR()),
    ("a note after the recording", sub("<Position>2400", "<Position>9600"), ERROR()),
    ("an unknown recording", sub("0.wav", "9.wav"), ERROR("9.wav")),
    ("not closed", sub("</Sequences>", ""), ERROR()),
    ("a document type", sub("<Sequences>", "<!DOCTYPE x>\n<Sequences>"), ERROR()),
    ("a root of another name", lambda text: text.replace("Sequences>", "Songs>"), ERROR()))
song.change("in Latin-1 as it says", "Annotation.xml",
            lambda files: files.__setitem__("d/Annotation.xml", XML.replace("utf-8", "iso-8859-1").encode("latin-1")), NEUTRAL)
song.change("in Latin-1 against what it says", "Annotation.xml", encode("d/Annotation.xml", "latin-1"), ERROR())
song.change("a recording missing", "0.wav", remove("d/0.wav"), ERROR())

# --- Tables of onsets and offsets: Schemas/guide/annotations.md; crowsetta.readthedocs.io/en/latest/formats/seq/generic.html.
GENERIC = "notated_path,onset_s,offset_s,label\na.wav,0.1,0.3,ä\na.wav,0.4,0.5,b\nb.wav,0.6,0.9,a\n"
ONE, TWO, OTHER = "a#0.1-0.3", "a#0.4-0.5", "b#0.6-0.9"
times = Sample("table of times", "crowsetta.readthedocs.io/en/latest/formats/seq/generic-seq.html; Schemas/guide/annotations.md",
               {"d/t.csv": GENERIC.encode(), "d/a.wav": A, "d/b.wav": C}, ("clips", "d/t.csv"), {
    ONE: {"label": "ä"}, TWO: {"label": "b", "start": 0.4}, OTHER: {"label": "a", "end": 0.9}})
times.encodings("d/t.csv", latin1=ASSUMED)
times.text(
    "d/t.csv",
    ("columns in milliseconds", rename("onset_s", "onset_ms"), rename("offset_s", "offset_ms"), column("onset_ms", thousandfold),
     column("offset_ms", thousandfold), SAME),
    ("columns in samples", rename("onset_s", "onset_sample"), rename("offset_s", "offset_sample"),
     column("onset_sample", samples), column("offset_sample", samples), SAME),
    ("values in milliseconds", column("onset_s", thousandfold), column("offset_s", thousandfold), ERROR()),
    ("values in samples", column("onset_s", samples), column("offset_s", samples), ERROR()),
    ("one column in milliseconds", rename("offset_s", "offset_ms"), column("offset_ms", thousandfold), SAME),
    ("columns as Cornell names them", rename("notated_path", "Filename"), rename("onset_s", "Start Time (s)"),
     rename("offset_s", "End Time (s)"), rename("label", "Species eBird Code"), SAME),
    ("columns as DCASE names them", rename("notated_path", "Audiofilename"), rename("onset_s", "Starttime"),
     rename("offset_s", "Endtime"), SAME),
    ("another extension of a recording", lambda text: text.replace("a.wav", "a.flac"),
     REMARKED("recordings-converted", change=SAME)),
    ("a recording in capitals", lambda text: text.replace("a.wav", "A.WAV"), SAME),
    ("columns without units", rename("onset_s", "onset"), rename("offset_s", "offset"), SAME),
    ("columns of other words", rename("onset_s", "start"), rename("offset_s", "stop"), SAME),
    ("columns as t_min and t_max", rename("onset_s", "t_min"), rename("offset_s", "t_max"), SAME | ERROR()),
    ("columns as Starttime and Endtime", rename("onset_s", "Starttime"), rename("offset_s", "Endtime"), SAME | ERROR()),
    ("column offset as a duration", rename("offset_s", "duration"), REMARKED("ends-cut") | ERROR()),
    ("column offset dropped", drop_column("offset_s"), ERROR()),
    ("column onset renamed", rename("onset_s", "when"), ERROR()),
    ("column onset twice", add_column("onset_s", ["0", "0", "0"]), ERROR() | REMARKED("columns-chosen", "columns-unused")),
    ("two columns of starts", add_column("start", ["0", "0", "0"]), ERROR() | REMARKED("columns-chosen", "columns-unused")),
    ("seconds and samples that agree", add_column("onset_sample", ["800", "3200", "4800"]),
     add_column("offset_sample", ["2400", "4000", "7200"]), SAME),
    ("seconds and samples that disagree", add_column("onset_sample", ["0", "0", "0"]),
     add_column("offset_sample", ["2400", "4000", "7200"]), REMARKED("columns-chosen", "times-disagree") | ERROR()),
    ("column label renamed", rename("label", "wort"), REMARKED("columns-chosen", "columns-unused", "annotations-unused")
     | ERROR()),
    ("column label dropped", drop_column("label"), CHANGED({key: {"label": ""} for key in (ONE, TWO, OTHER)})
     | REMARKED("columns-unused", "annotations-unused", "columns-chosen")),
    ("two columns that may be labels", add_column("species", ["x", "y", "z"]), REMARKED("columns-chosen")
     | CHANGED({ONE: {"species": "x"}, TWO: {"species": "y"}, OTHER: {"species": "z"}})),
    ("column notated_path renamed", rename("notated_path", "source"), ERROR()),
    ("column notated_path as filename", rename("notated_path", "filename"), SAME),
    ("column notated_path in capitals", rename("notated_path", "NOTATED_PATH"), SAME),
    ("two columns of recordings", add_column("filename", ["b.wav", "b.wav", "b.wav"]),
     REMARKED("columns-chosen", "columns-unused") | ERROR()),
    # The recordings have one channel: nothing is to be said of it (Schemas/guide/annotations.md, Channels).
    ("a column of channels", add_column("channel", ["0", "0", "0"]), SAME),
    ("a channel that is not there", add_column("channel", ["1", "0", "0"]), ERROR("t.csv", "a.wav")),
    ("a column of confidences", add_column("score", ["0.5", "0.6", "0.7"]),
     CHANGED({ONE: {"confidence": 0.5}, TWO: {"confidence": 0.6}, OTHER: {"confidence": 0.7}})),
    ("columns of frequencies in kHz", add_column("fmin_khz", ["1", "1", "1"]), add_column("fmax_khz", ["2", "2", "2"]),
     CHANGED({key: {"low_frequency": 1000, "high_frequency": 2000} for key in (ONE, TWO, OTHER)})),
    ("tabs", separate(T), SAME), ("semicolons and decimal commas", column("onset_s", comma), column("offset_s", comma),
                                  separate(";"), SAME),
    ("bars", separate("|"), ERROR()),
    ("all fields quoted", quote_all(), NEUTRAL),
    ("columns in reverse order", reverse_columns(), SAME),
    ("a row dropped", drop_line(2), CHANGED({TWO: None})), ("a row twice", double_line(2), ERROR()),
    ("rows in reverse order", reverse_rows, SAME),
    ("an unknown recording", cell(3, "notated_path", "z.wav"), ERROR("z.wav")),
    ("an empty recording", cell(3, "notated_path", ""), ERROR()),
    ("an empty onset", cell(3, "onset_s", ""), ERROR()),
    ("an end before its start", cell(3, "offset_s", "0.5"), ERROR()),
    ("a time as a clock", cell(3, "onset_s", "0:00.6"), SAME),
    ("an end after the recording", cell(3, "offset_s", "1.05"), REMARKED("ends-cut") | ERROR()),
    ("a line of # before the header", insert_line(0, "# made by hand"), ERROR() | SAME))
times.change("a recording missing", "b.wav", remove("d/b.wav"), ERROR())
times.change("a shorter recording", "b.wav", put("d/b.wav", recording("C", 0.5)), ERROR("b.wav", "t.csv"))

# --- DCASE: dcase.community/challenge2024/task-sound-event-detection: filename, onset, offset, event_label between tabs.
EVENTS = "filename\tonset\toffset\tevent_label\na.wav\t0.1\t0.3\tSpeech\na.wav\t0.4\t0.5\tDog\nb.wav\t0.6\t0.9\tDog\n"
dcase = Sample("DCASE",
               "dcase.community/challenge2024/task-sound-event-detection-with-heterogeneous-training-dataset-and-potentially-missing-labels", {
    "d/events.tsv": EVENTS.encode(), "d/a.wav": A, "d/b.wav": C}, ("clips", "d/events.tsv"),
    {ONE: {"label": "Speech"}, TWO: {"label": "Dog"}, OTHER: {"label": "Dog"}})
dcase.text(
    "d/events.tsv",
    ("column event_label renamed", rename("event_label", "event", T),
     REMARKED("columns-chosen", "columns-unused", "annotations-unused") | ERROR() | SAME),
    ("column onset renamed", rename("onset", "begin_s", T), SAME | ERROR()),
    ("column offset renamed", rename("offset", "finish", T), ERROR()),
    ("a row dropped", drop_line(2), CHANGED({TWO: None})),
    ("a row without an event", lambda text: text + "b.wav\t\t\t\n", ERROR() | SAME | REMARKED("annotations-unused")),
    ("a row without a recording's extension", sub("b.wav", "b"), ERROR() | SAME),
    ("commas", separate(",", T), SAME | ERROR()))

# --- Manifests as annotations: rows with times; a channel is that of the recording, from 0.
RECORDINGS = "path,speaker\ncall.wav,k\n"
SEGMENTS = "path,start,end,label,channel\ncall.wav,0.1,0.3,agent,0\ncall.wav,0.4,0.5,customer,1\n"
PAIR = {"d/m.csv": RECORDINGS.encode(), "d/seg.csv": SEGMENTS.encode(), "d/call.wav": recording("AB")}
# The id of a clip of one channel of several names it (Schemas/guide/annotations.md).
ONE, TWO = "call#ch0#0.1-0.3", "call#ch1#0.4-0.5"
MIXED = {ONE: None, TWO: None, "call#0.1-0.3": {"like": ONE, "channel": ""}, "call#0.4-0.5": {"like": TWO, "channel": ""}}
marked = Sample("manifest as annotations", "Schemas/guide/annotations.md, manifests.md: channel, counted from 0", PAIR,
                ("clips", "d/m.csv", "--annotations", "d/seg.csv"), {
    ONE: {"label": "agent", "channel": "0", "speaker": "k"}, TWO: {"label": "customer", "channel": "1"}})
marked.text(
    "d/seg.csv",
    ("the other channel", cell(2, "channel", "0"), CHANGED({TWO: None, "call#ch0#0.4-0.5": {"like": TWO, "channel": "0"}})),
    ("a channel that is not there", cell(2, "channel", "2"), ERROR("seg.csv", "call.wav")),
    ("column channel dropped", drop_column("channel"), CHANGED(MIXED)),
    ("column label renamed", rename("label", "who"), REMARKED("columns-chosen", "columns-unused", "annotations-unused")
     | ERROR()),
    ("columns of times renamed", rename("start", "begin"), rename("end", "stop"), ERROR() | SAME
     | REMARKED("annotations-unused")),
    ("an unknown recording", cell(2, "path", "z.wav"), ERROR("z.wav")),
    ("a row without times", lambda text: text + "call.wav,,,both,\n", REMARKED("annotations-unused", change=SAME) | ERROR()),
    ("a row dropped", drop_line(2), CHANGED({TWO: None})))
marked.text(
    "d/m.csv",
    ("a recording without annotations", lambda text: text + "b.wav,l\n", ERROR("b.wav")
     | REMARKED("recordings-without-annotations", change=SAME)),
    ("a row for each channel", lambda text: "path,id,channel,speaker\ncall.wav,c0,0,k\ncall.wav,c1,1,k\n",
     CHANGED({ONE: None, TWO: None, "c0#0.1-0.3": {"label": "agent", "channel": "0"},
              "c1#0.4-0.5": {"label": "customer", "channel": "1"}})),
    ("a row of the other channel alone", lambda text: "path,id,channel,speaker\ncall.wav,c1,1,k\n",
     REMARKED("annotations-unused", "channels-chosen", change=CHANGED(
        {ONE: None, TWO: None, "c1#0.4-0.5": {"label": "customer", "channel": "1"}})) | ERROR()))

# --- Labels of frames: those of the annotations of the clip's channel.
framed = Sample("labels of frames", "Schemas/guide/labels.md; issue 31, 2", {
    **PAIR, "d/m.csv": b"path,id,channel\ncall.wav,c0,0\ncall.wav,c1,1\n"}, ("extract", "d/m.csv", "--frame-labels", "d/seg.csv"),
    {
    "c0": {"frame_labels": "-:2 agent:4 -:14", "sound": "A@0.00-1.00"},
    "c1": {"frame_labels": "-:8 customer:2 -:10", "sound": "B@0.00-1.00"}})
framed.text(
    "d/seg.csv",
    ("the other channel", cell(2, "channel", "0"), CHANGED({"c0": {"frame_labels": "-:2 agent:4 -:2 customer:2 -:10"},
        "c1": {"frame_labels": "-:20"}}) | REMARKED("recordings-without-annotations")),
    ("a channel that is not there", cell(2, "channel", "2"), ERROR("seg.csv", "call.wav")),
    ("column channel dropped", drop_column("channel"),
     CHANGED({key: {"frame_labels": "-:2 agent:4 -:2 customer:2 -:10"} for key in ("c0", "c1")})),
    ("another label", cell(1, "label", "clerk"), CHANGED({"c0": {"frame_labels": "-:2 clerk:4 -:14"}})),
    ("a row dropped", drop_line(2), CHANGED({"c1": {"frame_labels": "-:20"}}) | REMARKED("recordings-without-annotations")),
    ("an unknown recording", cell(2, "path", "z.wav"), ERROR("z.wav")),
    ("an end after the recording", cell(2, "end", "1.05"), REMARKED("ends-cut") | ERROR()),
    ("times in milliseconds", column("start", thousandfold), column("end", thousandfold), ERROR("seg.csv")))
