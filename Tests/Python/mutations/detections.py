"""Results of BirdNET-Analyzer (github.com/birdnet-team/BirdNET-Analyzer, docs/usage/cli.md and birdnet_analyzer/analyze/utils.py) and
Kaleidoscope's cluster.csv (Wildlife Acoustics, Kaleidoscope Pro documentation)."""

from .expectations import CHANGED, ERROR, NEUTRAL, REMARKED, SAME
from .files import add, add_column, both, cell, column, comma, double_line, drop_column, drop_line, edit, move, put, rename, reverse_columns, separate, sub
from .samples import Sample
from .sounds import recording

DOC = "github.com/birdnet-team/BirdNET-Analyzer, docs/usage/cli.md; birdnet_analyzer/analyze/utils.py"
A, C = recording("A"), recording("C")
T = "\t"
UNCLAIMED = ("tables-unclaimed", "annotations-unused", "metadata-unread")
FILTER = ("clips", "d", "--min-confidence", "0.5")
FIRST, SECOND = "day#0.1-0.3", "day#0.4-0.6"
UNFILTERED = REMARKED("columns-unused", "columns-chosen") | ERROR()

# The CSV of versions 1 and 2 beside the recording; a detection of 0.3 is below --min-confidence.
TABLE = """Start (s),End (s),Scientific name,Common name,Confidence,File
0.1,0.3,Turdus merula,Eurasian Blackbird,0.9,day.wav
0.4,0.6,Sitta europaea,Eurasian Nuthatch,0.7,day.wav
0.7,0.9,Parus major,Great Tit,0.3,day.wav
"""
TRUTH = {FIRST: {"label": "Eurasian Blackbird", "confidence": 0.9, "scientific_name": "Turdus merula"},
         SECOND: {"label": "Eurasian Nuthatch"}}
NAME = "d/day.BirdNET.results.csv"
birdnet = Sample("BirdNET CSV", DOC, {"d/day.wav": A, NAME: TABLE.encode()}, FILTER, TRUTH)
birdnet.encodings(NAME, latin1=None)
birdnet.text(
    NAME,
    ("column Confidence renamed", rename("Confidence", "Score"), UNFILTERED
     | CHANGED(free=["Score", "scientific_name", "Scientific name"])),
    ("column Confidence in capitals", rename("Confidence", "CONFIDENCE"), SAME),
    ("column Confidence dropped", drop_column("Confidence"), UNFILTERED),
    ("column Common name renamed", rename("Common name", "Name"),
     CHANGED({FIRST: {"label": "Turdus merula"}, SECOND: {"label": "Sitta europaea"}}, free=["Name", "scientific_name"])
     | REMARKED("columns-chosen") | ERROR()),
    ("column Start renamed", rename("Start (s)", "Start"), ERROR() | CHANGED(free=["Scientific name", "scientific_name"])),
    ("column End dropped", drop_column("End (s)"), ERROR()),
    ("columns in reverse order", reverse_columns(), SAME),
    ("semicolons", separate(";"), SAME), ("tabs", separate(T), SAME),
    ("a confidence in percent", column("Confidence", lambda text: f"{float(text) * 100:g}"), ERROR()
     | REMARKED("columns-chosen")),
    ("a confidence that is empty", cell(2, "Confidence", ""), ERROR() | CHANGED({SECOND: {"confidence": ""}})
     | CHANGED({SECOND: None})),
    ("another confidence", cell(2, "Confidence", "0.2"), CHANGED({SECOND: None})),
    ("a detection of nocall", cell(2, "Common name", "nocall"), CHANGED({SECOND: None})),
    ("another recording", cell(2, "File", "night.wav"), ERROR("night.wav")),
    ("a path of Windows", column("File", lambda name: "D:\\rec\\" + name), SAME),
    ("a row dropped", drop_line(2), CHANGED({SECOND: None})), ("a row twice", double_line(2), ERROR()),
    # BirdNET pads windows with zeros.
    ("a window after the end", cell(2, "End (s)", "1.4"), CHANGED({SECOND: None, "day#0.4-1": {"like": SECOND, "end": 1.0}})
     | REMARKED("ends-cut")),
    ("a window after the recording", cell(2, "Start (s)", "1.2"), ERROR()),
    ("a column of other settings", add_column("Lat", ["1", "1", "1"]), CHANGED({key: {"Lat": "1"} for key in TRUTH})))
birdnet.change("the combined table beside", "BirdNET_CombinedTable.csv", add("d/BirdNET_CombinedTable.csv", TABLE),
               REMARKED(*UNCLAIMED, change=SAME) | ERROR("BirdNET_CombinedTable.csv"))
birdnet.change("results of no recording", "night.BirdNET.results.csv", add("d/night.BirdNET.results.csv", TABLE),
               REMARKED(*UNCLAIMED, change=SAME))
birdnet.change("parameters beside", "BirdNET_analysis_params.csv",
               add("d/BirdNET_analysis_params.csv", "File splitting duration,Segment length\n600,3.0\n"), NEUTRAL)
birdnet.change("the Raven table beside", "day.BirdNET.selection.table.txt",
               add("d/day.BirdNET.selection.table.txt",
                   "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tCommon Name\tConfidence\n1\tSpectrogram 1\t1\t0.1\t0.3\tx\t0.9\n"), ERROR())

FORMS = {
    "BirdNET Raven": ("d/day.BirdNET.selection.table.txt",
        "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tCommon Name\tSpecies Code\tConfidence\tBegin Path\tFile Offset (s)\n"
        "1\tSpectrogram 1\t1\t0.1\t0.3\t0\t4000\tEurasian Blackbird\teurbla\t0.9\tday.wav\t0.1\n2\tSpectrogram 1\t1\t0.4\t0.6\t0\t4000\tEurasian Nuthatch\teurnut2\t0.7\tday.wav\t0.4\n"),
    "BirdNET Audacity": ("d/day.BirdNET.results.txt",
                         "0.1\t0.3\tTurdus merula, Eurasian Blackbird\t0.9\n0.4\t0.6\tSitta europaea, Eurasian Nuthatch\t0.7\n"),
    "BirdNET R": ("d/day.BirdNET.results.r.csv",
                  "filepath,start,end,scientific_name,common_name,confidence,lat,lon\nday.wav,0.1,0.3,Turdus merula,Eurasian Blackbird,0.9,-1,-1\nday.wav,0.4,0.6,Sitta europaea,Eurasian Nuthatch,0.7,-1,-1\n")}
LABELS = {FIRST: {"label": "Eurasian Blackbird", "confidence": 0.9}, SECOND: {"label": "Eurasian Nuthatch", "confidence": 0.7}}
forms = {name: Sample(name, DOC, {"d/day.wav": A, path: text.encode()}, FILTER, LABELS) for name, (path, text) in FORMS.items()}
for name, sample in forms.items():
    path = FORMS[name][0]
    sample.encodings(path, latin1=None, blank=None)
    sample.text(path, ("a row dropped", drop_line(1 if "Audacity" in name else 2), CHANGED({SECOND: None})),
                ("a row twice", double_line(1), ERROR()),
                ("another confidence", sub("0.7", "0.2"), CHANGED({SECOND: None})))
path = FORMS["BirdNET Raven"][0]
forms["BirdNET Raven"].text(
    path, ("column Confidence renamed", rename("Confidence", "Score", T), UNFILTERED),
    ("column Common Name renamed", rename("Common Name", "Name", T),
     CHANGED({FIRST: {"label": "eurbla"}, SECOND: {"label": "eurnut2"}}, free=["Name", "Species Code"])
     | REMARKED("columns-chosen") | ERROR()),
    ("channel 2 of one", cell(2, "Channel", "2", T), ERROR("selection.table.txt", "day.wav")))
forms["BirdNET Audacity"].text(FORMS["BirdNET Audacity"][0],
    ("no confidences", lambda text: text.replace("\t0.9", "").replace("\t0.7", ""), UNFILTERED))
forms["BirdNET R"].text(FORMS["BirdNET R"][0], ("column common_name renamed", rename("common_name", "name"), ERROR()
    | REMARKED("columns-chosen") | CHANGED(free=["label", "name", "scientific_name"])),
                        ("column confidence renamed", rename("confidence", "score"), ERROR() | UNFILTERED
                         | CHANGED(free=["score"])))

# BirdNET's table for Kaleidoscope, and Kaleidoscope's own: CHANNEL counts from 0, OFFSET and DURATION are seconds.
KALEIDOSCOPE = "INDIR,FOLDER,IN FILE,OFFSET,DURATION,scientific_name,common_name,confidence,lat,lon,week,overlap,sensitivity\n" \
    "rec,site,day.wav,0.1,0.2,Turdus merula,Eurasian Blackbird,0.9,-1,-1,-1,0,1\nrec,site,day.wav,0.4,0.2,Sitta europaea,Eurasian Nuthatch,0.7,-1,-1,-1,0,1\n"
K1, K2 = "site/day#0.1-0.3", "site/day#0.4-0.6"
for_kaleidoscope = Sample("BirdNET Kaleidoscope", DOC, {"d/site/day.wav": A, "d/BirdNET_Kaleidoscope.csv": KALEIDOSCOPE.encode()},
                          ("clips", "d", "--annotations", "d/BirdNET_Kaleidoscope.csv", "--min-confidence", "0.5"),
                          {K1: LABELS[FIRST], K2: LABELS[SECOND]})
for_kaleidoscope.text(
    "d/BirdNET_Kaleidoscope.csv",
    ("column IN FILE renamed", rename("IN FILE", "FILE"), ERROR() | CHANGED(free=["INDIR", "FOLDER", "FILE"])),
    ("column DURATION renamed", rename("DURATION", "LENGTH"), ERROR() | CHANGED(free=["INDIR", "FOLDER", "IN FILE"])),
    ("column confidence as TOP1DIST", rename("confidence", "TOP1DIST"), CHANGED({K1: {"TOP1DIST": ...}, K2: {"TOP1DIST": ...}})
     | UNFILTERED),
    ("another folder", cell(2, "FOLDER", "elsewhere"), ERROR("elsewhere") | SAME),
    ("another recording", cell(2, "IN FILE", "night.wav"), ERROR("night.wav")),
    ("a row dropped", drop_line(2), CHANGED({K2: None})),
    ("semicolons and decimal commas", column("OFFSET", comma), column("DURATION", comma), column("confidence", comma),
     separate(";"), SAME))
CLUSTER = "INDIR,FOLDER,IN FILE,CHANNEL,OFFSET,DURATION,Fmin,Fmean,Fmax,DATE,TIME,HOUR,CLUSTER,TOP1MATCH,TOP1DIST,MANUAL ID\n" \
    "rec,,day.wav,0,0.1,0.2,1000,1500,2000,2024-06-12,05:30:00,5,1,wren,0.4,\nrec,,day.wav,1,0.4,0.2,500,700,900,2024-06-12,05:30:00,5,2,owl,0.6,\n"
# The id of a clip of one channel of several names it (Schemas/guide/annotations.md).
LEFT, RIGHT = "day#ch0#0.1-0.3", "day#ch1#0.4-0.6"
cluster = Sample("Kaleidoscope", "Kaleidoscope Pro documentation, cluster.csv",
                 {"d/day.wav": recording("AB"), "d/cluster.csv": CLUSTER.encode()}, ("clips", "d/cluster.csv"), {
    LEFT: {"label": "wren", "channel": "0", "low_frequency": 1000},
    RIGHT: {"label": "owl", "channel": "1", "high_frequency": 900}})
cluster.text(
    "d/cluster.csv",
    ("the other channel", cell(2, "CHANNEL", "0"), CHANGED({RIGHT: None, "day#ch0#0.4-0.6": {"like": RIGHT, "channel": "0"}})),
    ("a channel that is not there", cell(2, "CHANNEL", "2"), ERROR("cluster.csv", "day.wav")),
    ("column CHANNEL dropped", drop_column("CHANNEL"), CHANGED(
        {LEFT: None, RIGHT: None, FIRST: {"like": LEFT, "channel": ""}, SECOND: {"like": RIGHT, "channel": ""}})),
    ("a manual id", cell(2, "MANUAL ID", "hawk"), CHANGED({RIGHT: {"label": "hawk"}}) | REMARKED("columns-chosen")),
    ("column TOP1MATCH renamed", rename("TOP1MATCH", "MATCH"), REMARKED("columns-chosen", "columns-unused", "annotations-unused")
     | ERROR()),
    ("column Fmin renamed", rename("Fmin", "F low"), CHANGED(columns={"low_frequency": "F low"}) | REMARKED("columns-unused")),
    ("a row dropped", drop_line(2), CHANGED({RIGHT: None})))
