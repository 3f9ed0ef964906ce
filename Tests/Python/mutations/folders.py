"""Folders of recordings: Hugging Face's audiofolder (huggingface.co/docs/datasets/audio_load, audio_dataset;
datasets/packaged_modules/folder_based_builder: metadata.csv, .jsonl or .parquet with file_name, and no two of them), and any other."""

import struct

from .expectations import ASSUMED, CHANGED, ERROR, NEUTRAL, REMARKED, SAME
from .files import (
    add, add_column, both, cell, double_line, drop_column, drop_line, dump, edit, insert_line, move, put, quote_all, remove,
    rename,
    rename_key, reverse_columns, separate, sub)
from .samples import Sample
from .sounds import recording

DOC = "huggingface.co/docs/datasets/audio_load; datasets/packaged_modules/folder_based_builder/folder_based_builder.py"
UNREAD = ("metadata-unread", "tables-unclaimed")
A, B, C, D, E, F = (recording(track) for track in "ABCDEF")
PARQUET = b"PAR1" + bytes(60) + b"PAR1"  # its magic is enough: Veery does not read Parquet

# Files next to recordings that are not loss: the names that the issue lists.
HARMLESS = {
    "README.md": b"# Birds\n", "LICENSE": b"CC0\n", ".DS_Store": b"\0\0", "spectrogram.png": b"\x89PNG\r\n\x1a\n",
    "._a.wav": b"\0\5\x16\7",
    ".hidden/x.wav": F}
# Names of recordings that Veery does not read.
FOREIGN = ["take.pcm", "take.raw", "take.spx", "take.wv", "take.ulaw", "take.ape", "take.dsf", "take.wv1"]


def beside(sample, folder, *, foreign=FOREIGN[:2]):
    """Mutations of every folder: files next to the recordings."""
    for name, content in HARMLESS.items():
        sample.change(f"{name} beside", name, add(f"{folder}/{name}", content), NEUTRAL)
    for name in foreign:
        sample.change(f"{name} beside", name, add(f"{folder}/{name}", bytes(16000)),
                      REMARKED("recordings-passed-over", change=SAME))


# metadata.csv for all.
METADATA = "file_name,transcription,speaker\na.wav,eins,k\nb.wav,fünf,l\nsub/c.wav,zwei,k\n"
flat = Sample("audio folder", DOC, {"d/metadata.csv": METADATA.encode(), "d/a.wav": A, "d/b.wav": C, "d/sub/c.wav": D},
              ("extract", "d"), {
    "a": {"sound": "A@0.00-1.00", "transcription": "eins", "speaker": "k"},
    "b": {"sound": "C@0.00-1.00", "transcription": "fünf"},
    "sub/c": {"sound": "D@0.00-1.00"}})
flat.encodings("d/metadata.csv", latin1=ASSUMED)
beside(flat, "d")
flat.text(
    "d/metadata.csv",
    ("column file_name renamed", rename("file_name", "path"), SAME),
    ("column file_name as filename", rename("file_name", "filename"), SAME),
    ("column file_name in capitals", rename("file_name", "FILE_NAME"), ERROR() | SAME),
    ("column transcription renamed", rename("transcription", "text"), CHANGED(columns={"transcription": "text"})),
    ("column transcription dropped", drop_column("transcription"), CHANGED(columns={"transcription": None})),
    ("column speaker twice", add_column("speaker", ["x", "y", "z"]), ERROR()),
    ("columns in reverse order", reverse_columns(), SAME),
    ("a column label", add_column("label", ["one", "five", "two"]),
     CHANGED({"a": {"label": "one"}, "b": {"label": "five"}, "sub/c": {"label": "two"}})),
    ("all fields quoted", quote_all(), NEUTRAL),
    ("semicolons", separate(";"), SAME | ERROR()),
    ("tabs", separate("\t"), SAME | ERROR()),
    ("bars", separate("|"), ERROR() | REMARKED(*UNREAD)),
    ("a row dropped", drop_line(2), REMARKED("recordings-not-listed", change=CHANGED({"b": None}))),
    ("a row twice", double_line(2), ERROR()),
    ("a missing recording", cell(2, "file_name", "missing.wav"), ERROR("missing.wav", "metadata.csv")),
    ("an empty file_name", cell(2, "file_name", ""), ERROR()),
    ("a path with ./", cell(2, "file_name", "./b.wav"), SAME | CHANGED({"b": None, "./b": {"like": "b", "path": "./b.wav"}})
     | CHANGED({"b": {"path": "./b.wav"}})),
    *[(f"a path with {name}", cell(3, "file_name", path), SAME | CHANGED({"sub/c": {"path": path}})
       | CHANGED({"sub/c": None, path[:-4]: {"like": "sub/c", "path": path}}))
      for name, path in [("two slashes", "sub//c.wav"), ("/./", "sub/./c.wav"), ("..", "sub/../sub/c.wav")]],
    ("a path with a backslash", cell(3, "file_name", "sub\\c.wav"), ERROR("c.wav") | SAME),
    ("a row without its last field", sub("fünf,l", "fünf"), ERROR()),
    ("no header", drop_line(0), ERROR() | REMARKED(*UNREAD)))
flat.change("a recording that no row names", "x.wav", add("d/x.wav", E), REMARKED("recordings-not-listed", change=SAME))
flat.change("a recording in a folder that no row names", "x.wav", add("d/more/x.wav", E),
            REMARKED("recordings-not-listed", change=SAME))
flat.change("a recording missing", "b.wav", remove("d/b.wav"), ERROR())
flat.change("a recording renamed", "b.wav", move("d/b.wav", "d/b2.wav"), ERROR())
flat.change("metadata.jsonl beside", "metadata.jsonl", add("d/metadata.jsonl", dump([{"file_name": "a.wav", "emotion": "glad"}])),
            REMARKED(*UNREAD, "columns-chosen", change=SAME) | ERROR("metadata.jsonl"))
flat.change("metadata.parquet in place of it", "metadata.parquet",
            both(remove("d/metadata.csv"), add("d/metadata.parquet", PARQUET)), REMARKED(*UNREAD) | ERROR())
flat.change("metadata.csv in capitals", "Metadata.csv", move("d/metadata.csv", "d/Metadata.csv"), REMARKED(*UNREAD) | SAME
            | ERROR("Metadata.csv"))
flat.change("metadata.csv renamed", "meta.csv", move("d/metadata.csv", "d/meta.csv"), REMARKED(*UNREAD) | ERROR())
flat.change("metadata.tsv in place of it", "metadata.tsv",
            both(edit("d/metadata.csv", separate("\t")), move("d/metadata.csv", "d/metadata.tsv")), SAME)
flat.change("another table beside", "speakers.csv", add("d/speakers.csv", "speaker,age\nk,40\n"), REMARKED(*UNREAD, change=SAME))
flat.change("metadata of a subfolder", "metadata.csv", add("d/sub/metadata.csv", "file_name,accent\nc.wav,north\n"),
            REMARKED(*UNREAD, change=SAME) | CHANGED({"sub/c": {"accent": "north"}}))

lined = Sample("audio folder, JSON Lines", DOC, {
    "d/metadata.jsonl": dump([{"file_name": "a.wav", "text": "eins"}, {"file_name": "b.wav", "text": "fünf"}]).encode(),
    "d/a.wav": A, "d/b.wav": C}, ("extract", "d"), {
    "a": {"sound": "A@0.00-1.00", "text": "eins"}, "b": {"sound": "C@0.00-1.00", "text": "fünf"}})
lined.encodings("d/metadata.jsonl", latin1=ASSUMED, blank=None)
lined.text(
    "d/metadata.jsonl",
    ("key text renamed", rename_key("text", "sentence"), CHANGED(columns={"text": "sentence"})),
    ("key file_name renamed", rename_key("file_name", "audio"), SAME),
    ("key file_name renamed in one line", rename_key("file_name", "file", 1), ERROR()),
    ("a row dropped", drop_line(1), REMARKED("recordings-not-listed", change=CHANGED({"b": None}))),
    ("a row twice", double_line(1), ERROR()),
    ("a line cut off", sub('"fünf"}', '"fünf"'), ERROR()))
lined.change("a recording that no line names", "x.wav", add("d/x.wav", E), REMARKED("recordings-not-listed", change=SAME))

# metadata.csv for each split.
splits = Sample("audio folder, splits", DOC, {
    "d/train/metadata.csv": b"file_name,text\na.wav,eins\n", "d/test/metadata.csv": b"file_name,text\nb.wav,zwei\n",
    "d/train/a.wav": A, "d/test/b.wav": C}, ("extract", "d"), {
    "train/a": {"sound": "A@0.00-1.00", "split": "train", "text": "eins"},
    "test/b": {"sound": "C@0.00-1.00", "split": "test", "text": "zwei"}})
LEFT = ("splits-left-out", "recordings-not-listed", *UNREAD)
splits.change("a split without metadata", "test", remove("d/test/metadata.csv"), REMARKED(*LEFT) | ERROR()
              | CHANGED({"test/b": {"text": ""}}))
splits.change("metadata of a split renamed", "meta.csv", move("d/test/metadata.csv", "d/test/meta.csv"), REMARKED(*LEFT)
              | ERROR("meta.csv", "test"))
splits.change("another split without metadata", "validation", add("d/validation/x.wav", E), REMARKED(*LEFT)
              | CHANGED({"validation/x": {"sound": "E@0.00-1.00", "split": "validation"}}))
splits.change("a folder beside the splits", "extra", add("d/extra/x.wav", E), REMARKED(*LEFT)
              | CHANGED({"extra/x": {"sound": "E@0.00-1.00"}}))
splits.change("a recording that no row names", "x.wav", add("d/test/x.wav", E), REMARKED("recordings-not-listed", change=SAME))
splits.change("metadata above the splits", "metadata.csv", add("d/metadata.csv", "file_name,text\ntrain/a.wav,uno\n"),
              REMARKED(*LEFT) | ERROR())
splits.change("a split renamed", "test", move("d/test", "d/testing"),
              CHANGED({"test/b": None, "testing/b": {"like": "test/b", "path": "testing/b.wav"}}))
splits.change("a split of any name", "test", move("d/test", "d/holdout"),
              CHANGED({"test/b": None, "holdout/b": {"like": "test/b", "path": "holdout/b.wav", "split": ""}}) | CHANGED(
    {"test/b": None, "holdout/b": {"like": "test/b", "path": "holdout/b.wav", "split": "holdout"}}) | REMARKED("splits-left-out"))
splits.change("JSON Lines in one split", "metadata.jsonl",
              both(remove("d/test/metadata.csv"), add("d/test/metadata.jsonl", dump([{"file_name": "b.wav", "text": "zwei"}]))),
              SAME | ERROR())
splits.text("d/test/metadata.csv", ("a row dropped", drop_line(1), REMARKED(*LEFT, change=CHANGED({"test/b": None})) | ERROR()),
            ("column text of one split renamed", rename("text", "sentence"),
             CHANGED({"test/b": {"text": "", "sentence": "zwei"}})))

# Folders of splits, each with a folder for each label.
classes = Sample("audio folder, labels", DOC, {"d/train/dog/a.wav": A, "d/train/cat/b.wav": C, "d/test/dog/c.wav": D},
                 ("extract", "d"), {
    "train/dog/a": {"sound": "A@0.00-1.00", "label": "dog", "split": "train"}, "train/cat/b": {"label": "cat", "split": "train"},
    "test/dog/c": {"label": "dog", "split": "test"}})
beside(classes, "d/train/dog")
classes.change("a label renamed", "cat", move("d/train/cat", "d/train/owl"),
               CHANGED({"train/cat/b": None, "train/owl/b": {"like": "train/cat/b", "path": "train/owl/b.wav", "label": "owl"}}))
classes.change("a split renamed", "test", move("d/test", "d/validation"),
               CHANGED({"test/dog/c": None, "validation/dog/c": {"like": "test/dog/c", "path": "validation/dog/c.wav",
                   "split": "validation"}}))
classes.change("a split in capitals", "test", move("d/test", "d/TEST"),
               CHANGED({"test/dog/c": None, "TEST/dog/c": {"like": "test/dog/c", "path": "TEST/dog/c.wav"}}))
# Then the folder is no longer one of splits alone; that they are not read is said, or they stay.
classes.change("a folder beside the splits", "extra", add("d/extra/dog/x.wav", E), REMARKED("splits-left-out", *UNREAD)
               | CHANGED({"extra/dog/x": {"sound": "E@0.00-1.00"}}))
classes.change("a folder of documents beside the splits", "notes.txt", add("d/docs/notes.txt", "read me\n"), NEUTRAL)
classes.change("a recording without a label", "x.wav", add("d/train/x.wav", E),
               CHANGED({"train/x": {"sound": "E@0.00-1.00", "label": "", "split": "train"}}))
classes.change("a table beside", "labels.csv", add("d/labels.csv", "file,label\na.wav,dog\n"),
               REMARKED(*UNREAD, change=SAME) | REMARKED("recordings-not-listed"))

# Any folder, read by every command that takes one.
PLAIN = {"d/dog/a.wav": A, "d/cat/b.wav": C, "d/cat/c.flac": recording("D", kind="FLAC")}
TRUTH = {"dog/a": {"label": "dog"}, "cat/b": {"label": "cat"}, "cat/c": {"label": "cat"}}
plain = Sample("folder", "Schemas/guide/datasets.md: a recording each; the folder that holds it is the label", PLAIN,
               ("extract", "d"), {
    **TRUTH, "cat/c": {"label": "cat", "sound": "D@0.00-1.00"}})
beside(plain, "d/cat", foreign=FOREIGN)
plain.change("a recording renamed", "b.wav", move("d/cat/b.wav", "d/cat/e.wav"),
             CHANGED({"cat/b": None, "cat/e": {"like": "cat/b", "path": "cat/e.wav"}}))
plain.change("an extension in capitals", "b.wav", move("d/cat/b.wav", "d/cat/b.WAV"), CHANGED({"cat/b": {"path": "cat/b.WAV"}}))
plain.change("an extension in both cases", "b.wav", move("d/cat/b.wav", "d/cat/b.Wav"), CHANGED({"cat/b": {"path": "cat/b.Wav"}}))
plain.change("an extension of Broadcast Wave", "b.wav", move("d/cat/b.wav", "d/cat/b.bwf"), CHANGED({"cat/b": {"path": "cat/b.bwf"}}))
# Names that start like those of files that say nothing, and extensions in capitals.
for name in ["changes_01.pcm", "readme.spx", "LICENSE.RAW", "manifest-1.wv", "take.PCM", "A.WAV.GZ", "a.Wav.bz2", "take.wac"]:
    plain.change(f"{name} beside", name, add(f"d/cat/{name}", bytes(16000)), REMARKED("recordings-passed-over", change=SAME))
for name in ["manifest-train.csv", "changes_2024.csv", "checksum_labels.tsv", "requirements-labels.csv"]:
    plain.change(f"a table named {name}", name, add(f"d/{name}", "file,label\ncat/b.wav,lynx\n"), REMARKED(*UNREAD, change=SAME))
for name in ["manifest-md5.txt", "tagmanifest-sha256.txt", "bagit.txt", "CHANGES", "requirements.txt", "checksums.md5"]:
    plain.change(f"{name} beside", name, add(f"d/{name}", "0 cat/b.wav\n"), NEUTRAL)
# The columns of Veery's own manifests, which the guide shows, with labels of another source.
for name, rows in {"labels": "cat/b.wav,cat/b,lynx", "ids": "cat/b.wav,clip-7,cat"}.items():
    plain.change(f"a manifest of other {name}", "mine.csv",
                 add("d/mine.csv", f"path,id,label\ndog/a.wav,dog/a,dog\n{rows}\n"), REMARKED(*UNREAD, change=SAME))
plain.change("a manifest of splits", "mine.csv", add("d/mine.csv", "path,id,label,split\ndog/a.wav,dog/a,dog,train\n"),
             REMARKED(*UNREAD, change=SAME))
# Sizes of the samples in the header, from byte 40: those of 0.5 s, and of 0.9 s.
for seconds in (0.5, 0.9):
    plain.change(f"a header of {seconds} s", "b.wav", put("d/cat/b.wav", C[:40] + struct.pack("<I", int(16000 * seconds)) + C[44:]),
                 REMARKED("lengths-differ", change=CHANGED({"cat/b": {"sound": f"C@0.00-{seconds:.2f}"}})))
plain.change("a header of all but 5 ms", "b.wav", put("d/cat/b.wav", C[:40] + struct.pack("<I", 15920) + C[44:]),
             CHANGED({"cat/b": {"sound": "C@0.00-0.95"}}) | REMARKED("lengths-differ") | CHANGED({"cat/b": {"sound": "C@0.00-1.00"}}))
for count in (1, 2, 3000):
    plain.change(f"{count} tags of ID3 in front", "b.wav", put("d/cat/b.wav", count * b"ID3\3\0\0\0\0\0\0" + C), SAME)
plain.change("a recording moved to another label", "b.wav", move("d/cat/b.wav", "d/dog/b.wav"),
             CHANGED({"cat/b": None, "dog/b": {"like": "cat/b", "path": "dog/b.wav", "label": "dog"}}))
plain.change("a recording missing", "b.wav", remove("d/cat/b.wav"), CHANGED({"cat/b": None}))
plain.change("a recording added", "x.wav", add("d/cat/x.wav", E), CHANGED({"cat/x": {"sound": "E@0.00-1.00", "label": "cat"}}))
plain.change("a recording of no bytes", "b.wav", put("d/cat/b.wav", b""), ERROR())
plain.change("a recording that is text", "b.wav", put("d/cat/b.wav", b"<html>moved</html>"), ERROR())
plain.change("a recording cut off", "b.wav", put("d/cat/b.wav", C[:9000]), ERROR())
plain.change("a table of its recordings", "labels.csv",
             add("d/labels.csv", "file,label\ndog/a.wav,wolf\ncat/b.wav,lynx\ncat/c.flac,lynx\n"),
             CHANGED({"dog/a": {"label": "wolf"}, "cat/b": {"label": "lynx"}, "cat/c": {"label": "lynx"}}))
plain.change("a table of some of its recordings", "labels.csv", add("d/labels.csv", "file,label\ncat/b.wav,lynx\n"),
             REMARKED("recordings-not-listed", change=CHANGED({"dog/a": None, "cat/b": {"label": "lynx"}, "cat/c": None})))
plain.change("a table of other recordings", "labels.csv", add("d/labels.csv", "file,label\ncat/x.wav,lynx\n"),
             REMARKED(*UNREAD, change=SAME))
plain.change("a table of annotations beside", "b.csv", add("d/cat/b.csv", "onset,offset,label\n0.1,0.3,meow\n"),
             REMARKED(*UNREAD, "annotations-unused", change=SAME))
plain.change("a TextGrid beside", "b.TextGrid", add("d/cat/b.TextGrid", 'File type = "ooTextFile"\nObject class = "TextGrid"\n'),
             REMARKED(*UNREAD, "annotations-unused", change=SAME))
plain.change("a selection table beside", "b.Table.1.selections.txt",
             add("d/cat/b.Table.1.selections.txt", "Selection\tBegin Time (s)\tEnd Time (s)\n1\t0.1\t0.3\n"),
             REMARKED(*UNREAD, "annotations-unused", change=SAME))
plain.change("JSON for a recording", "b.wav.json", add("d/cat/b.wav.json", '{"annotation": [{"start_time": 0.1}]}'),
             REMARKED(*UNREAD, "annotations-unused", change=SAME))
plain.change("a text for a recording", "b.txt", add("d/cat/b.txt", "ein Satz\n"),
             REMARKED(*UNREAD, "annotations-unused", change=SAME))
# keithito.com/LJ-Speech-Dataset: metadata.csv of ID|text|text without a header, and wavs.
plain.change("metadata.csv of LJSpeech", "metadata.csv",
             add("d/metadata.csv", "b|Printing, in the only sense|Printing, in the only sense\n"), REMARKED(*UNREAD, change=SAME)
             | ERROR())
plain.change("metadata.csv of another program", "metadata.csv", add("d/metadata.csv", "site,date\nnorth,2024\n"),
             REMARKED(*UNREAD, change=SAME) | ERROR())
plain.change("metadata.parquet", "metadata.parquet", add("d/metadata.parquet", PARQUET), REMARKED(*UNREAD, change=SAME) | ERROR())
plain.change("a damaged archive beside", "more.zip", add("d/more.zip", b"PK\3\4damaged"),
             REMARKED("recordings-passed-over", change=SAME) | ERROR())
plain.change("an archive that is not read", "more.tar.xz", add("d/more.tar.xz", b"\xfd7zXZ\0" + bytes(40)),
             REMARKED("recordings-passed-over", change=SAME))
plain.change("a rar beside", "more.rar", add("d/more.rar", b"Rar!\x1a\7\0" + bytes(40)),
             REMARKED("recordings-passed-over", change=SAME))
plain.change("transcripts of a folder of words", "wavs", move("d/dog", "d/wavs"),
             CHANGED({"dog/a": None, "wavs/a": {"like": "dog/a", "path": "wavs/a.wav", "label": "wavs"}}))
plain.change("Veery's own output beside", "m.csv",
             add("d/m.csv", "path,id,label\ndog/a.wav,dog/a,dog\ncat/b.wav,cat/b,cat\ncat/c.flac,cat/c,cat\n"), NEUTRAL)

for command in [("check",), ("crawl",), ("split", "--ratio", "a=1"), ("clips", "--window", "0.5s"), ("extract", "--dry-run")]:
    verb, *options = command
    one = Sample(f"folder, {' '.join(command[:2])}", "issue 31, 1: in every command", PLAIN, (verb, "d", *options),
                 None if verb in ("check", "clips", "extract") else TRUTH)
    for name in FOREIGN[:3]:
        one.change(f"{name} beside", name, add(f"d/cat/{name}", bytes(16000)), REMARKED("recordings-passed-over"))
    one.change("README.md beside", "README.md", add("d/README.md", b"# Birds\n"), NEUTRAL)
    one.change("a table beside", "names.csv", add("d/names.csv", "file,label\ncat/b.wav,lynx\n"), REMARKED(*UNREAD))
