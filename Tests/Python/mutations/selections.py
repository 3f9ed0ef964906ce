"""Raven's selection tables: Raven Pro User's Manual, chapters 6 and 11: fields between tabs; Channel counts from 1; a row for each view
of a selection; Begin Time counts from the start of the first file, File Offset from that of its own."""

from .expectations import ASSUMED, CHANGED, ERROR, NEUTRAL, REMARKED, SAME
from .files import (
    add, add_column, both, cell, column, comma, double_line, drop_column, drop_line, edit, encode, move, put, remove, rename,
    reverse_columns, reverse_rows, separate, sub, thousandfold)
from .samples import Sample
from .sounds import recording

DOC = "Raven Pro 1.6 User's Manual, chapter 6, Measurements; chapter 11, Selection tables"
T = "\t"
UNCLAIMED = ("tables-unclaimed", "annotations-unused", "metadata-unread")
HEADER = ["Selection", "View", "Channel", "Begin Time (s)", "End Time (s)", "Low Freq (Hz)", "High Freq (Hz)", "Species"]


def lines(*rows, header=HEADER):
    return "".join(T.join(map(str, row)) + "\n" for row in [header, *rows])


ONE = "Spectrogram 1"
TABLE = lines([1, ONE, 1, 0.1, 0.3, 1000, 2000, "wren"], [2, ONE, 1, 0.4, 0.5, 500, 900, "Häher"],
              [3, ONE, 1, 0.6, 0.95, 700, 800, "wren"])
NAME = "d/day.Table.1.selections.txt"
FIRST, SECOND, THIRD = "day#0.1-0.3", "day#0.4-0.5", "day#0.6-0.95"
TRUTH = {
    FIRST: {"label": "wren", "start": 0.1, "end": 0.3, "low_frequency": 1000, "high_frequency": 2000},
    SECOND: {"label": "Häher", "start": 0.4},
    THIRD: {"label": "wren", "end": 0.95}}
raven = Sample("Raven", DOC, {"d/day.wav": recording("A"), NAME: TABLE.encode()}, ("clips", "d"), TRUTH)
raven.encodings(NAME, latin1=ASSUMED)
NO_LABEL = REMARKED("columns-chosen", "columns-unused", "annotations-unused")
raven.text(
    NAME,
    ("column Begin Time renamed", rename("Begin Time (s)", "Start Time (s)", T), ERROR()),
    ("column Begin Time without its unit", rename("Begin Time (s)", "Begin Time", T), ERROR() | SAME),
    ("column Begin Time in milliseconds", rename("Begin Time (s)", "Begin Time (ms)", T),
     column("Begin Time (ms)", thousandfold, T), ERROR() | SAME),
    ("column End Time dropped", drop_column("End Time (s)", T), ERROR()),
    ("column End Time as Delta Time", rename("End Time (s)", "Delta Time (s)", T), ERROR()),
    ("column Begin Time twice", add_column("Begin Time (s)", ["0.0", "0.0", "0.0"], T), ERROR() | REMARKED("columns-chosen")),
    ("column Species twice", add_column("Species", ["x", "y", "z"], T), ERROR() | REMARKED("columns-chosen", "columns-unused")),
    ("column Species dropped", drop_column("Species", T), CHANGED({key: {"label": ""} for key in TRUTH}) | NO_LABEL),
    ("column Species renamed", rename("Species", "Art", T), NO_LABEL | ERROR()),
    ("column Species in capitals", rename("Species", "SPECIES", T), SAME),
    ("all names in capitals", sub(T.join(HEADER), T.join(HEADER).upper()), CHANGED(free=["Selection", "SELECTION"])),
    ("two columns that may be labels", add_column("Call Type", ["song", "call", "song"], T), CHANGED(
        {FIRST: {"Call Type": "song"}, SECOND: {"Call Type": "call"}, THIRD: {"Call Type": "song"}})
        | REMARKED("columns-chosen")),
    ("a column Annotation in addition to Species", add_column("Annotation", ["good", "bad", "good"], T), REMARKED("columns-chosen")),
    ("column Low Freq dropped", drop_column("Low Freq (Hz)", T), CHANGED(columns={"low_frequency": None})),
    ("column Low Freq renamed", rename("Low Freq (Hz)", "Min Freq (Hz)", T), CHANGED(columns={"low_frequency": "Min Freq (Hz)"})
     | SAME | REMARKED("columns-unused")),
    ("column Channel dropped", drop_column("Channel", T), SAME),
    *[(f"channel {number}", cell(2, "Channel", number, T), ERROR())
      for number in ("-9223372036854775808", "9223372036854775807", "1e300", "nan")],
    ("column View dropped", drop_column("View", T), SAME),
    ("column Selection dropped", drop_column("Selection", T), CHANGED(columns={"Selection": None})),
    ("columns in reverse order", reverse_columns(T), SAME),
    ("rows in reverse order", reverse_rows, SAME),
    ("commas", separate(",", T), SAME | ERROR()),
    ("semicolons and decimal commas", column("Begin Time (s)", comma, T), column("End Time (s)", comma, T), separate(";", T),
     SAME | ERROR()),
    ("decimal commas", column("Begin Time (s)", comma, T), column("End Time (s)", comma, T), NEUTRAL),
    ("a row dropped", drop_line(2), CHANGED({SECOND: None})),
    ("a row twice", double_line(2), ERROR()),
    ("a row of another view", lambda text: text + lines([3, "Waveform 1", 1, 0.6, 0.95, 700, 800, "wren"]).split("\n", 1)[1],
     SAME),
    ("a view of other frequencies", lambda text: text + lines([3, "Waveform 1", 1, 0.6, 0.95, 0, 4000, "wren"]).split("\n", 1)[1],
     SAME),
    ("times in milliseconds", column("Begin Time (s)", thousandfold, T), column("End Time (s)", thousandfold, T), ERROR()),
    ("another start", cell(2, "Begin Time (s)", "0.35", T),
     CHANGED({SECOND: None, "day#0.35-0.5": {"like": SECOND, "start": 0.35}})),
    ("an end before its start", cell(2, "End Time (s)", "0.3", T), ERROR()),
    ("an end after the recording", cell(3, "End Time (s)", "1.05", T),
     REMARKED("ends-cut", change=CHANGED({THIRD: None, "day#0.6-1": {"like": THIRD, "end": 1.0}})) | ERROR()),
    ("a start after the recording", cell(3, "Begin Time (s)", "1.2", T), ERROR()),
    ("a start that is no number", cell(2, "Begin Time (s)", "none", T), ERROR()),
    ("an empty label", cell(2, "Species", "", T), CHANGED({SECOND: {"label": ""}})),
    ("channel 2 of one", cell(2, "Channel", "2", T), ERROR("day.Table.1.selections.txt", "day.wav")),
    ("channel 0", cell(2, "Channel", "0", T), ERROR()),
    ("no header", drop_line(0), ERROR() | SAME),
    ("a row cut off after its times", sub("0.4\t0.5\t500\t900\tHäher", "0.4\t0.5"),
     CHANGED({SECOND: {"label": "", "low_frequency": "", "high_frequency": ""}}) | ERROR()))
raven.change("the table renamed", "day.txt", move(NAME, "d/day2.Table.1.selections.txt"),
             ERROR("day2.Table.1.selections.txt", "d"))
raven.change("two tables", "day.wav", add("d/day.Table.2.selections.txt", TABLE), ERROR())
raven.change("a recording without a table", "night.wav", add("d/night.wav", recording("C")),
             REMARKED("recordings-without-annotations", change=SAME))
raven.change("a table without a recording", "night.Table.1.selections.txt", add("d/night.Table.1.selections.txt", TABLE),
             REMARKED(*UNCLAIMED, change=SAME))
raven.change("a table of another annotator", "day_JS.Table.1.selections.txt", add("d/day_JS.Table.1.selections.txt", TABLE),
             REMARKED(*UNCLAIMED, change=SAME) | ERROR("day_JS"))
raven.change("a table in a folder", "day.Table.2.selections.txt", add("d/Selections/day.Table.2.selections.txt", TABLE),
             ERROR("day.Table.2.selections.txt"))
raven.change("notes beside", "notes.txt", add("d/notes.txt", "windy\n"), NEUTRAL | REMARKED(*UNCLAIMED, change=SAME))
raven.change("take.pcm beside", "take.pcm", add("d/take.pcm", bytes(1600)), REMARKED("recordings-passed-over", change=SAME))
raven.change("a shorter recording", "day.wav", put("d/day.wav", recording("A", 0.5)),
             ERROR("day.wav", "day.Table.1.selections.txt"))
raven.change("the recording missing", "day.wav", remove("d/day.wav"), ERROR("d"))
raven.change("the recording as FLAC", "day.flac", both(remove("d/day.wav"), add("d/day.flac", recording("A", kind="FLAC"))),
             CHANGED(free=["path"]))

# Two channels: a selection is of one of them.
STEREO = lines([1, ONE, 1, 0.1, 0.3, 1000, 2000, "wren"], [2, ONE, 2, 0.5, 0.7, 500, 900, "owl"])
# The id of a clip of one channel of several names it (Schemas/guide/annotations.md).
ONE_KEY, TWO_KEY = "day#ch0#0.1-0.3", "day#ch1#0.5-0.7"


def mixed(**more):
    """Both selections without a channel: clips of the mix."""
    return {ONE_KEY: None, TWO_KEY: None, "day#0.1-0.3": {"like": ONE_KEY, "channel": "", **{k: v[0] for k, v in more.items()}},
            "day#0.5-0.7": {"like": TWO_KEY, "channel": "", **{k: v[1] for k, v in more.items()}}}



stereo = Sample("Raven, two channels", DOC, {"d/day.wav": recording("AB"), NAME: STEREO.encode()}, ("clips", "d"), {
    ONE_KEY: {"label": "wren", "channel": "0"}, TWO_KEY: {"label": "owl", "channel": "1"}})
stereo.text(
    NAME,
    ("the other channel", cell(2, "Channel", "1", T), CHANGED({TWO_KEY: None, "day#ch0#0.5-0.7": {"like": TWO_KEY, "channel": "0"}})),
    ("a channel that is not there", cell(2, "Channel", "3", T), ERROR("day.Table.1.selections.txt", "day.wav")),
    ("channel 0", cell(2, "Channel", "0", T), ERROR()),
    ("an empty channel", cell(2, "Channel", "", T), CHANGED({TWO_KEY: None, "day#0.5-0.7": {"like": TWO_KEY, "channel": ""}}) | REMARKED("channels-chosen")),
    ("column Channel renamed", rename("Channel", "Ch", T),
     CHANGED(mixed(Ch="12"))
     | REMARKED("columns-unused", "channels-chosen")),
    ("column Channel dropped", drop_column("Channel", T), CHANGED(mixed()) | REMARKED("channels-chosen")),
    # Two channels' equal boxes are two.
    ("a box on both channels", lambda text: text + lines([3, ONE, 1, 0.5, 0.7, 500, 900, "owl"]).split("\n", 1)[1],
     CHANGED({"day#ch0#0.5-0.7": {"like": TWO_KEY, "channel": "0"}}, free=["Selection"])),
    ("a row twice", double_line(2), ERROR()),
    ("a row of the waveform", lambda text: text + lines([2, "Waveform 1", 2, 0.5, 0.7, 500, 900, "owl"]).split("\n", 1)[1], SAME))
stereo.change("a recording of one channel", "day.wav", put("d/day.wav", recording("A")),
              ERROR("day.Table.1.selections.txt", "day.wav"))

# Several files in one table.
WIDE = ["Selection", "View", "Channel", "Begin Time (s)", "End Time (s)", "Begin File", "File Offset (s)", "Species"]
MANY = lines([1, ONE, 1, 0.1, 0.3, "a.wav", 0.1, "wren"], [2, ONE, 1, 1.4, 1.6, "b.wav", 0.4, "owl"], header=WIDE)
A, B = "a#0.1-0.3", "b#0.4-0.6"
many = Sample("Raven, several files", DOC, {"d/a.wav": recording("A"), "d/b.wav": recording("C"),
    "d/t.selections.txt": MANY.encode()}, ("clips", "d/t.selections.txt"), {
    A: {"label": "wren"}, B: {"label": "owl", "start": 0.4, "end": 0.6}})
many.text(
    "d/t.selections.txt",
    # Without offsets, times of the second file count from the start of the first.
    ("column File Offset dropped", drop_column("File Offset (s)", T), SAME | ERROR()),
    ("column File Offset renamed", rename("File Offset (s)", "Offset (s)", T), SAME | ERROR() | CHANGED(free=["Offset (s)"])),
    ("columns without units", lambda text: text.replace(" (s)", ""), SAME),
    ("columns as R names them", lambda text: text.replace(" (s)", "..s.").replace("Begin ", "Begin.").replace("End ", "End."), SAME),
    ("an empty offset", cell(2, "File Offset (s)", "", T), SAME | ERROR()),
    ("column Begin File renamed", rename("Begin File", "File", T), ERROR() | SAME),
    ("column Begin File as Begin Path", rename("Begin File", "Begin Path", T), SAME),
    ("a path of Windows", cell(2, "Begin File", "C:\\rec\\b.wav", T), SAME),
    ("an unknown recording", cell(2, "Begin File", "z.wav", T), ERROR("z.wav")),
    ("a recording in another case", cell(2, "Begin File", "B.WAV", T), SAME | ERROR("B.WAV")),
    ("a row dropped", drop_line(2), CHANGED({B: None})),
    ("another offset", cell(2, "File Offset (s)", "0.5", T),
     CHANGED({B: None, "b#0.5-0.7": {"like": B, "start": 0.5, "end": 0.7}})),
    ("an offset after the recording", cell(2, "File Offset (s)", "1.4", T), ERROR()))
many.change("a recording missing", "b.wav", remove("d/b.wav"), ERROR())
