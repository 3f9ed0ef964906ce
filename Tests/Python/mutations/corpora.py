"""Corpora with layouts of their own."""

from .expectations import ASSUMED, CHANGED, ERROR, NEUTRAL, REMARKED, SAME
from .files import (
    add, add_column, both, cell, column, double_line, drop_column, drop_line, edit, insert_line, move, put, quote_all, remove,
    rename,
    reverse_columns, separate, sub, thousandfold)
from .folders import UNREAD, beside
from .samples import Sample
from .sounds import recording

A, B, C, D, E, F, G = (recording(track) for track in "ABCDEFG")
NOT_LISTED = "recordings-not-listed"
LOST = ("entries-without-recording", "annotations-unused", "metadata-unread")

# --- ESC-50: github.com/karolpiczak/ESC-50, README: meta/esc50.csv, audio/{FOLD}-{CLIP}-{TAKE}-{TARGET}.wav.
TABLE = """filename,fold,target,category,esc10,src_file,take
1-100032-A-0.wav,1,0,dog,True,100032,A
1-100038-A-14.wav,1,14,chirping_birds,False,100038,A
2-100210-A-36.wav,2,36,vacuum_cleaner,False,100210,A
"""
esc = Sample("ESC-50", "github.com/karolpiczak/ESC-50/blob/master/README.md", {
    "d/meta/esc50.csv": TABLE.encode(), "d/audio/1-100032-A-0.wav": A, "d/audio/1-100038-A-14.wav": C,
    "d/audio/2-100210-A-36.wav": D,
    "d/README.md": b"# ESC-50\n", "d/LICENSE": b"CC\n", "d/esc50.gif": b"GIF89a"}, ("extract", "d"), {
    "audio/1-100032-A-0": {"label": "dog", "sound": "A@0.00-1.00", "fold": "1"},
    "audio/1-100038-A-14": {"label": "chirping_birds", "sound": "C@0.00-1.00"},
    "audio/2-100210-A-36": {"label": "vacuum_cleaner", "sound": "D@0.00-1.00"}})
esc.encodings("d/meta/esc50.csv", latin1=None)
SECOND = "audio/1-100038-A-14"
esc.text(
    "d/meta/esc50.csv",
    ("column category renamed", rename("category", "class"), ERROR()),
    ("column category in capitals", rename("category", "Category"), ERROR() | SAME),
    ("column filename renamed", rename("filename", "file"), ERROR()),
    ("column category twice", add_column("category", ["x", "y", "z"]), ERROR()),
    ("column target dropped", drop_column("target"), CHANGED(columns={"target": None}) | ERROR()),
    ("column fold renamed", rename("fold", "split"), CHANGED(columns={"fold": "split"}, free=["split"]) | ERROR()),
    ("columns in reverse order", reverse_columns(), SAME),
    ("semicolons", separate(";"), SAME | ERROR()),
    ("tabs", separate("\t"), SAME | ERROR()),
    ("all fields quoted", quote_all(), NEUTRAL),
    ("another category", cell(2, "category", "rain"), CHANGED({SECOND: {"label": "rain"}})),
    ("an empty category", cell(2, "category", ""), ERROR() | CHANGED({SECOND: {"label": ""}})),
    ("a row dropped", drop_line(2), REMARKED(NOT_LISTED, change=CHANGED({SECOND: None}))),
    ("a row twice", double_line(2), ERROR()),
    ("a missing recording", cell(2, "filename", "missing.wav"), ERROR("missing.wav")),
    ("no header", drop_line(0), ERROR()))
esc.change("a recording that no row names", "x.wav", add("d/audio/3-1-A-1.wav", E), REMARKED(NOT_LISTED, change=SAME))
esc.change("a recording missing", "1-100038-A-14.wav", remove("d/audio/1-100038-A-14.wav"), ERROR())
esc.change("the table renamed", "ESC50.csv", move("d/meta/esc50.csv", "d/meta/ESC50.csv"), REMARKED(*UNREAD) | ERROR())
esc.change("the folder of recordings renamed", "audio", move("d/audio", "d/wav"), ERROR("audio", "1-100032-A-0.wav"))
esc.change("take.pcm beside", "take.pcm", add("d/audio/take.pcm", bytes(1600)), REMARKED("recordings-passed-over", change=SAME))

# --- UrbanSound8K: urbansounddataset.weebly.com/urbansound8k.html: start and end are times in the recording of Freesound.
TABLE = """slice_file_name,fsID,start,end,salience,fold,classID,class
100032-3-0-0.wav,100032,0.0,0.317551,1,1,3,dog_bark
100263-2-0-117.wav,100263,58.5,62.5,1,1,2,children_playing
102106-3-0-0.wav,102106,0,0.376063,1,2,3,dog_bark
"""
urban = Sample("UrbanSound8K", "urbansounddataset.weebly.com/urbansound8k.html", {
    "d/metadata/UrbanSound8K.csv": TABLE.encode(), "d/audio/fold1/100032-3-0-0.wav": A, "d/audio/fold1/100263-2-0-117.wav": C,
    "d/audio/fold2/102106-3-0-0.wav": D,
    "d/UrbanSound8K_README.txt": b"UrbanSound8K\n", "d/FREESOUNDCREDITS.txt": b"credits\n"}, ("extract", "d"), {
    "audio/fold1/100032-3-0-0": {"label": "dog_bark", "sound": "A@0.00-1.00", "source_end": "0.317551"},
    "audio/fold1/100263-2-0-117": {"label": "children_playing", "sound": "C@0.00-1.00", "source_start": "58.5"},
    "audio/fold2/102106-3-0-0": {"label": "dog_bark", "sound": "D@0.00-1.00", "fold": "2"}})
urban.encodings("d/metadata/UrbanSound8K.csv", latin1=None)
SECOND = "audio/fold1/100263-2-0-117"
urban.text(
    "d/metadata/UrbanSound8K.csv",
    ("column class renamed", rename("class", "label"), ERROR() | SAME),
    ("column fold renamed", rename("fold", "split"), ERROR()),
    ("column slice_file_name renamed", rename("slice_file_name", "file"), ERROR()),
    ("column class in capitals", rename("class", "CLASS"), ERROR() | SAME),
    ("column start renamed", rename("start", "begin"), CHANGED(columns={"source_start": "begin"})),
    ("columns of times dropped", drop_column("start"), drop_column("end"),
     CHANGED(columns={"source_start": None, "source_end": None})),
    ("another fold", cell(2, "fold", "2"), ERROR("100263-2-0-117.wav")),
    ("a row dropped", drop_line(2), REMARKED(NOT_LISTED, change=CHANGED({SECOND: None}))),
    ("a row twice", double_line(2), ERROR()),
    ("semicolons", separate(";"), SAME | ERROR()),
    ("an empty class", cell(2, "class", ""), ERROR() | CHANGED({SECOND: {"label": ""}})))
urban.change("a recording that no row names", "x.wav", add("d/audio/fold2/x.wav", E), REMARKED(NOT_LISTED, change=SAME))
urban.change("a recording in another fold", "102106-3-0-0.wav",
             move("d/audio/fold2/102106-3-0-0.wav", "d/audio/fold3/102106-3-0-0.wav"), ERROR())
urban.change("the table renamed", "urbansound8k.csv", move("d/metadata/UrbanSound8K.csv", "d/metadata/urbansound8k.csv"),
             REMARKED(*UNREAD) | ERROR())

# --- Speech Commands: arxiv.org/abs/1804.03209 and the README of the archive.
words = Sample("Speech Commands", "arxiv.org/abs/1804.03209, section 7; README.md of speech_commands_v0.02", {
    "d/yes/0a7c2a8d_nohash_0.wav": A, "d/yes/0b40aa8e_nohash_0.wav": C, "d/no/0a7c2a8d_nohash_1.wav": D,
    "d/no/1e9e6bdb_nohash_0.wav": E,
    "d/_background_noise_/pink_noise.wav": F, "d/_background_noise_/README.md": b"noise\n",
    "d/validation_list.txt": b"no/0a7c2a8d_nohash_1.wav\n",
    "d/testing_list.txt": b"yes/0b40aa8e_nohash_0.wav\n", "d/README.md": b"# Speech Commands\n", "d/LICENSE": b"CC\n"},
    ("extract", "d"), {
    "yes/0a7c2a8d_nohash_0": {"label": "yes", "split": "train", "speaker": "0a7c2a8d"},
    "yes/0b40aa8e_nohash_0": {"split": "test", "sound": "C@0.00-1.00"},
    "no/0a7c2a8d_nohash_1": {"label": "no", "split": "validation"}, "no/1e9e6bdb_nohash_0": {"split": "train"}})
words.encodings("d/testing_list.txt", latin1=None, utf16=NEUTRAL | ERROR(), mark=NEUTRAL | ERROR(), blank=None)
words.text(
    "d/testing_list.txt",
    ("a line of no recording", lambda text: text + "yes/ffffffff_nohash_0.wav\n",
     REMARKED("entries-without-recording", change=SAME)),
    ("a line of the other list", lambda text: text + "no/0a7c2a8d_nohash_1.wav\n", ERROR()),
    ("a line twice", double_line(0), NEUTRAL | ERROR()),
    ("backslashes", sub("/", "\\"), REMARKED("entries-without-recording") | SAME | ERROR()),
    ("./ before a path", sub("yes/", "./yes/"), REMARKED("entries-without-recording") | SAME | ERROR()),
    ("a name without its folder", sub("yes/", ""), REMARKED("entries-without-recording") | ERROR()),
    ("a line more", lambda text: text + "no/1e9e6bdb_nohash_0.wav\n", CHANGED({"no/1e9e6bdb_nohash_0": {"split": "test"}})))
words.change("a list of no lines", "testing_list.txt", put("d/testing_list.txt", b""),
             CHANGED({"yes/0b40aa8e_nohash_0": {"split": "train"}}))
words.change("a list missing", "testing_list.txt", remove("d/testing_list.txt"), REMARKED("splits-left-out", *UNREAD) | ERROR()
             | CHANGED({"yes/0b40aa8e_nohash_0": {"split": "train"}}))
words.change("a list renamed", "test_list.txt", move("d/testing_list.txt", "d/test_list.txt"),
             REMARKED("splits-left-out", *UNREAD) | ERROR())
words.change("a recording of a list renamed", "testing_list.txt",
             move("d/yes/0b40aa8e_nohash_0.wav", "d/yes/0b40aa8e_nohash_9.wav"), REMARKED("entries-without-recording"))
words.change("no folder of noise", "_background_noise_", remove("d/_background_noise_"), NEUTRAL)
words.change("a word renamed", "no", move("d/no", "d/nein"), REMARKED("entries-without-recording"))
words.change("a recording added", "x.wav", add("d/no/ab_nohash_0.wav", G),
             CHANGED({"no/ab_nohash_0": {"label": "no", "split": "train", "speaker": "ab"}}))
words.change("take.raw beside", "take.raw", add("d/no/take.raw", bytes(1600)), REMARKED("recordings-passed-over", change=SAME))
words.change("a table beside", "speakers.csv", add("d/speakers.csv", "speaker,age\n0a7c2a8d,40\n"),
             REMARKED(*UNREAD, change=SAME))

# --- LibriSpeech: openslr.org/12, README.TXT: SUBSET/SPEAKER/CHAPTER/SPEAKER-CHAPTER-N.flac and SPEAKER-CHAPTER.trans.txt.
def flac(track):
    return recording(track, kind="FLAC")


SPEAKERS = ";ID  |SEX| SUBSET           |MINUTES| NAME\n84   | F | dev-clean        |  8.02 | Christie Nowak\n174  | M | dev-clean        |  8.04 | Peter Eastman\n"
libri = Sample("LibriSpeech", "openslr.org/12, README.TXT", {
    "d/dev-clean/84/121123/84-121123-0000.flac": flac("A"), "d/dev-clean/84/121123/84-121123-0001.flac": flac("C"),
    "d/dev-clean/84/121123/84-121123.trans.txt": "84-121123-0000 GO DO YOU HEAR\n84-121123-0001 BUT IN LESS THAN FÜNF\n".encode(),
    "d/dev-clean/174/50561/174-50561-0000.flac": flac("D"),
    "d/dev-clean/174/50561/174-50561.trans.txt": b"174-50561-0000 FORGOTTEN TOO\n",
    "d/SPEAKERS.TXT": SPEAKERS.encode(), "d/CHAPTERS.TXT": b";ID\n", "d/BOOKS.TXT": b";ID\n", "d/README.TXT": b"LibriSpeech\n",
    "d/LICENSE.TXT": b"CC\n"}, ("extract", "d"), {
    "84-121123-0000": {"text": "GO DO YOU HEAR", "speaker": "84", "gender": "F", "chapter": "121123", "split": "dev",
                       "sound": "A@0.00-1.00"},
    "84-121123-0001": {"sound": "C@0.00-1.00"}, "174-50561-0000": {"gender": "M", "sound": "D@0.00-1.00", "subset": "dev-clean"}})
TRANS = "d/dev-clean/84/121123/84-121123.trans.txt"
WITHOUT = REMARKED("recordings-without-annotations", NOT_LISTED)
libri.encodings(TRANS, utf16=NEUTRAL | ERROR(), mark=NEUTRAL | ERROR())
libri.text(
    TRANS,
    ("a line dropped", drop_line(1), WITHOUT | ERROR()),
    ("a line of no recording", lambda text: text + "84-121123-0009 NO ONE\n", ERROR("84-121123-0009")),
    ("a line twice", double_line(1), ERROR()),
    ("a tab after the id", sub("0000 GO", "0000\tGO"), ERROR() | SAME),
    ("no words", sub("84-121123-0000 GO DO YOU HEAR", "84-121123-0000"), CHANGED({"84-121123-0000": {"text": ""}}) | ERROR()))
libri.text(
    "d/SPEAKERS.TXT",
    ("SPEAKERS.TXT: a line dropped", drop_line(1), CHANGED({"84-121123-0000": {"gender": ""}, "84-121123-0001": {"gender": ""}})),
    ("SPEAKERS.TXT: no blanks", lambda text: text.replace(" ", ""), NEUTRAL),
    ("SPEAKERS.TXT: commas", lambda text: text.replace("|", ","), REMARKED(*UNREAD) | ERROR()))
libri.change("SPEAKERS.TXT missing", "SPEAKERS.TXT", remove("d/SPEAKERS.TXT"),
             CHANGED({key: {"gender": ""} for key in libri.truth}))
libri.change("transcripts of a chapter missing", "174-50561.trans.txt", remove("d/dev-clean/174/50561/174-50561.trans.txt"),
             WITHOUT | ERROR())
libri.change("transcripts of a chapter renamed", "174-50561.trans.txt",
             move("d/dev-clean/174/50561/174-50561.trans.txt", "d/dev-clean/174/50561/trans.txt"), WITHOUT | ERROR())
libri.change("a recording missing", "84-121123-0001", remove("d/dev-clean/84/121123/84-121123-0001.flac"),
             REMARKED("entries-without-recording", change=CHANGED({"84-121123-0001": None})) | ERROR())
libri.change("a recording renamed", "84-121123", move("d/dev-clean/84/121123/84-121123-0001.flac",
    "d/dev-clean/84/121123/84-121123-1.flac"), ERROR() | WITHOUT)
libri.change("a speaker's folder renamed", "174", move("d/dev-clean/174", "d/dev-clean/speaker174"),
             REMARKED(NOT_LISTED, "recordings-passed-over", "recordings-without-annotations") | ERROR())
libri.change("a chapter's folder renamed", "50561", move("d/dev-clean/174/50561", "d/dev-clean/174/50561b"),
             REMARKED(NOT_LISTED, "recordings-passed-over", "recordings-without-annotations") | ERROR())
libri.change("a recording above the chapters", "x.flac", add("d/dev-clean/84/x.flac", flac("E")),
             REMARKED(NOT_LISTED, "recordings-passed-over", "recordings-without-annotations", change=SAME) | ERROR())
libri.change("a subset renamed", "dev-clean", move("d/dev-clean", "d/my-part"),
             CHANGED({key: {"subset": "my-part", "split": ""} for key in libri.truth}, free=["path"]))
libri.change("a subset without transcripts", "test-other", add("d/test-other/61/70968/61-70968-0000.flac", flac("E")),
             REMARKED("splits-left-out", NOT_LISTED, "recordings-without-annotations", change=SAME) | ERROR())
libri.change("a folder of recordings beside", "noise", add("d/noise/x.wav", E),
             REMARKED("splits-left-out", NOT_LISTED, "recordings-passed-over", change=SAME) | ERROR())
libri.change("take.raw beside", "take.raw", add("d/dev-clean/84/121123/take.raw", bytes(1600)),
             REMARKED("recordings-passed-over", change=SAME))

# --- Common Voice: github.com/common-voice/cv-dataset: tables of tabs without quotation; validated.tsv holds train, dev and test.
HEADER = "client_id\tpath\tsentence\tup_votes\tdown_votes\tage\tgender\taccents\tlocale\tsegment\n"


def voice(client, name, sentence):
    return f"{client}\t{name}.mp3\t{sentence}\t2\t0\t\t\t\tde\t\n"


LINES = [voice("k1", "cv_1", 'Er sagte: "Fünf.'), voice("k2", "cv_2", "Zwei Wörter"), voice("k3", "cv_3", "Drei")]


def mp3(track):
    return recording(track, kind="MP3")


common = Sample("Common Voice", "github.com/common-voice/cv-dataset; commonvoice.mozilla.org/datasets", {
    "d/train.tsv": (HEADER + LINES[0]).encode(), "d/dev.tsv": (HEADER + LINES[1]).encode(),
    "d/test.tsv": (HEADER + LINES[2]).encode(),
    "d/validated.tsv": (HEADER + "".join(LINES)).encode(), "d/clips/cv_1.mp3": mp3("A"), "d/clips/cv_2.mp3": mp3("C"),
    "d/clips/cv_3.mp3": mp3("D")}, ("extract", "d"), {
    "cv_1": {"text": 'Er sagte: "Fünf.', "speaker": "k1", "split": "train", "sound": "A@0.00-1.00", "up_votes": "2"},
    "cv_2": {"split": "dev", "sound": "C@0.00-1.00"}, "cv_3": {"split": "test", "sound": "D@0.00-1.00", "locale": "de"}})
# What no split has is not a loss: every release has more in other.tsv, invalidated.tsv and validated.tsv.
PASSED = ("splits-left-out", "splits-chosen", NOT_LISTED, *UNREAD)
common.encodings("d/train.tsv", latin1=ASSUMED, blank=None)
common.text(
    "d/train.tsv",
    ("column sentence renamed", sub("sentence", "text"), ERROR() | REMARKED(*UNREAD)),
    ("column client_id renamed", sub("client_id", "speaker"), ERROR() | REMARKED(*UNREAD)),
    ("column path renamed", sub("path", "filename"), ERROR() | REMARKED(*UNREAD)),
    ("column sentence in capitals", sub("sentence", "SENTENCE"), ERROR() | SAME | REMARKED(*UNREAD)),
    ("column up_votes renamed", sub("up_votes", "ups"), CHANGED({"cv_1": {"up_votes": "", "ups": "2"}})),
    ("commas", lambda text: text.replace("\t", ","), ERROR() | SAME),
    ("a path without its extension", sub("cv_1.mp3", "cv_1"), NEUTRAL),
    ("a path with its folder", sub("cv_1.mp3", "clips/cv_1.mp3"), ERROR("cv_1") | SAME),
    ("a field too many", sub("de\t\n", "de\t\tx\n"), ERROR()),
    ("a missing recording", sub("cv_1.mp3", "missing.mp3"), ERROR("missing.mp3")),
    ("a row twice", double_line(1), ERROR()),
    ("a sentence in quotation marks", sub('Er sagte: "Fünf.', '"Fünf"'), CHANGED({"cv_1": {"text": '"Fünf"'}})))
common.change("a row dropped", "test.tsv", both(edit("d/train.tsv", lambda text: text + voice("k1", "cv_4", "Vier")),
    add("d/clips/cv_4.mp3", mp3("E")), edit("d/test.tsv", drop_line(1))),
              REMARKED(*PASSED) | ERROR("test.tsv"))
common.change("a split missing", "test.tsv", remove("d/test.tsv"), REMARKED(*PASSED, change=CHANGED({"cv_3": None})))
common.change("a split renamed", "testing.tsv", move("d/test.tsv", "d/testing.tsv"),
              REMARKED(*PASSED, change=CHANGED({"cv_3": None})) | SAME)
common.change("clips of no split", "other.tsv", both(add("d/other.tsv", HEADER + voice("k9", "cv_9", "Neun")),
    add("d/clips/cv_9.mp3", mp3("E"))), REMARKED(*PASSED, change=SAME))
common.change("a recording that no table names", "x.mp3", add("d/clips/x.mp3", mp3("E")), REMARKED(NOT_LISTED, change=SAME))
common.change("a recording missing", "cv_2.mp3", remove("d/clips/cv_2.mp3"), ERROR())
common.change("the folder of clips renamed", "clips", move("d/clips", "d/audio"), REMARKED(*UNREAD) | ERROR())
common.change("no validated.tsv", "validated.tsv", remove("d/validated.tsv"), NEUTRAL)
common.change("validated.tsv alone", "validated.tsv", both(remove("d/train.tsv"), remove("d/dev.tsv"), remove("d/test.tsv")),
              CHANGED({key: {"split": ""} for key in common.truth}))
common.change("validated.tsv with more", "validated.tsv",
              both(edit("d/validated.tsv", lambda text: text + voice("k7", "cv_7", "Sieben")), add("d/clips/cv_7.mp3", mp3("F"))),
              REMARKED(*PASSED, change=SAME))
common.change("clip_durations.tsv that differs", "clip_durations.tsv",
              add("d/clip_durations.tsv", "clip\tduration[ms]\ncv_1.mp3\t2000\ncv_2.mp3\t1000\ncv_3.mp3\t1000\n"),
              REMARKED("lengths-differ", *UNREAD, change=CHANGED({"cv_1": {"remarks": "lengths-differ"}})))
common.change("clip_durations.tsv with a word", "clip_durations.tsv",
              add("d/clip_durations.tsv", "clip\tduration[ms]\ncv_1.mp3\tlong\ncv_2.mp3\t1000\ncv_3.mp3\t\n"),
              REMARKED("values-unread", change=SAME))
common.change("clip_durations.tsv with other columns", "clip_durations.tsv",
              add("d/clip_durations.tsv", "clip\tseconds\ncv_1.mp3\t1\n"), REMARKED(*UNREAD, change=SAME))

# --- Ketos: docs.meridian.cs.dal.ca/ketos/tutorials: filename, start, end, label, freq_min, freq_max, annot_id.
TABLE = """filename,start,end,label,freq_min,freq_max,annot_id
a.wav,0.2,0.5,upcall,100,400,0
a.wav,0.6,0.9,gunshot,,,1
b.wav,0.0,0.5,Rückruf,50,200,0
"""
ketos = Sample("Ketos", "docs.meridian.cs.dal.ca/ketos/modules/data_handling/selection_table.html",
               {"t.csv": TABLE.encode(), "a.wav": A, "b.wav": C, "call.wav": recording("DE")}, ("extract", "t.csv"), {
    "a#0": {"sound": "A@0.20-0.50", "label": "upcall", "low_frequency": "100", "high_frequency": "400"},
    "a#1": {"sound": "A@0.60-0.90", "label": "gunshot"},
    "b#0": {"sound": "C@0.00-0.50", "label": "Rückruf"}})
ketos.encodings("t.csv", latin1=ASSUMED)
# Columns that a manifest does not have.
MANIFEST = {"low_frequency": "", "high_frequency": ""}
ketos.text(
    "t.csv",
    # A manifest then, whose column `file` is that of the recordings.
    ("column filename renamed", rename("filename", "file"), ERROR() | CHANGED(
        {"a#0": None, "a#1": None, "b#0": None, "a#0.2-0.5": {**MANIFEST, "like": "a#0", "freq_min": "100", "freq_max": "400"},
         "a#0.6-0.9": {"like": "a#1"}, "b#0-0.5": {**MANIFEST, "like": "b#0", "freq_min": "50", "freq_max": "200"}}, free=["annot_id"])),
    ("column start renamed", rename("start", "begin"), ERROR()),
    ("column end renamed", rename("end", "stop"), ERROR()),
    ("column label renamed", rename("label", "species"), CHANGED(columns={"label": "species"}, free=["label"])
     | REMARKED("columns-unused") | ERROR()),
    ("column label in capitals", rename("label", "Label"), SAME | ERROR() | REMARKED("columns-unused")),
    ("column freq_min renamed", rename("freq_min", "fmin"), CHANGED(columns={"low_frequency": "fmin"}) | SAME),
    ("column annot_id dropped", drop_column("annot_id"),
     CHANGED({"a#0": None, "a#1": None, "b#0": None, "a#0.2-0.5": {"like": "a#0"}, "a#0.6-0.9": {"like": "a#1"},
              "b#0-0.5": {"like": "b#0"}})),
    ("column start twice", add_column("start", ["0", "0", "0"]), ERROR()),
    ("times in milliseconds", column("start", thousandfold), column("end", thousandfold), ERROR("t.csv", "a.wav")),
    ("a channel of two", cell(3, "filename", "call.wav"), add_column("channel", ["", "", "1"]),
     CHANGED({"b#0": None, "call#0": {"like": "b#0", "path": "call.wav", "sound": "E@0.00-0.50", "channel": 1}})),
    ("semicolons", separate(";"), SAME | ERROR()),
    ("a row dropped", drop_line(2), CHANGED({"a#1": None})),
    ("a row twice", double_line(2), ERROR()),
    ("an end after the recording", cell(2, "end", "1.3"), ERROR("t.csv", "a.wav") | REMARKED("ends-cut")),
    ("a missing recording", cell(3, "filename", "missing.wav"), ERROR("missing.wav")))
