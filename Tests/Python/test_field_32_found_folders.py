"""What users and a reviewer of people's folders and labels found: folders with tables, folders of splits, lists of labels.

Each case failed when it was found: it gave wrong labels or lost them in silence, refused a good folder, or advised what did not help.
"""

import shlex
import subprocess

import pytest
import veery as package
from mutations.files import dump
from field_cases import Cases, remarks, wav
from test_field_32_folders import YES_NO, good, labels, libri, splits, tree

CASES = Cases()
PETS = {f"{kind}/{number}.wav": wav(number, 0.5) for number, kind in enumerate(["cat", "cat", "cat", "dog", "dog"])}
SITES = {"site1/r0.wav": wav(1, 0.5), "site2/r1.wav": wav(2, 0.5)}
FLAT = {"a.wav": wav(1, 1), "b.wav": wav(2, 1)}


def case(name, files):
    return CASES(name, None, files)


def column(name, values):
    """A table of one more column than the names of recordings."""
    return f"filename,{name}\n" + "".join(f"{path},{value}\n" for path, value in values.items())


# --- Names without their folders

@case("bare names in several folders, with labels", {
    **PETS, "labels.csv": column("label", {"0.wav": "tom", "1.wav": "tom", "2.wav": "tom", "3.wav": "rex", "4.wav": "rex"})})
def check(look):
    expected = {"cat/0.wav": "tom", "cat/1.wav": "tom", "cat/2.wav": "tom", "dog/3.wav": "rex", "dog/4.wav": "rex"}
    for command in ("extract", "crawl"):
        seen = look(command, ".")
        assert labels(seen) == expected and not seen.lines, seen.messages


@case("bare names in several folders, whose labels are those of the folders", {
    **PETS, "labels.csv": column("site", {f"{n}.wav": f"s{n}" for n in range(5)})})
def check(look):
    seen = look("extract", ".")
    assert labels(seen) == {path: path[:3] for path in PETS} and not seen.lines, seen.messages
    assert [row["site"] for row in seen.rows] == [f"s{n}" for n in range(5)]


@case("bare names in folders of splits", lambda: {
    **tree("train/3.wav", "train/4.wav", "test/0.wav")(),
    "labels.csv": column("label", {"0.wav": "a", "3.wav": "b", "4.wav": "a"})})
def check(look):
    assert splits(look("extract", ".")) == {"test/0.wav": ("test", "a"), "train/3.wav": ("train", "b"), "train/4.wav": ("train", "a")}


@case("a bare name that two recordings have", {
    "s1/0.wav": wav(1, 1), "s2/0.wav": wav(2, 1), "s2/1.wav": wav(3, 1), "labels.csv": column("label", {"1.wav": "a", "0.wav": "b"})})
def check(look):
    for command in ("extract", "crawl"):
        seen = look(command, ".")
        assert seen.status and "labels.csv, line 3" in seen.messages and "'s1/0.wav', 's2/0.wav'" in seen.messages, seen.messages
        assert "--format folder" in seen.messages
    assert labels(look("extract", ".", "--format", "folder")) == {"s1/0.wav": "s1", "s2/0.wav": "s2", "s2/1.wav": "s2"}


@case("names that all are those of several recordings", {
    "s1/0.wav": wav(1, 1), "s2/0.wav": wav(2, 1), "labels.csv": column("label", {"0.wav": "a"})})
def check(look):
    seen = look("extract", ".")
    assert labels(seen) == {"s1/0.wav": "s1", "s2/0.wav": "s2"} and "'0.wav' is the name of 2 recordings" in seen.messages


@case("a name of another folder is not taken", {
    **YES_NO, "labels.csv": column("label", {"yes/a.wav": "wren", "maybe/b.wav": "robin"})})
def check(look):
    seen = look("crawl", ".")
    assert labels(seen) == {"yes/a.wav": "wren", "maybe/b.wav": "robin"}
    assert {"entries-without-recording", "recordings-not-listed"} <= seen.kinds and "'maybe/b.wav'" in seen.messages


@case("names in other capitals, and of another Unicode form", {
    "Dog Bark/A 1.WAV": wav(1, 1), "o\u0308/b.wav": wav(2, 1),
    "labels.csv": column("label", {"Dog Bark/A 1.wav": "bark", "\u00f6/b.wav": "ö"})})
def check(look):
    assert labels(look("extract", ".")) == {"Dog Bark/A 1.WAV": "bark", "o\u0308/b.wav": "ö"}


# --- Labels of folders, and those of a column

@case("species in a folder of sites", {**SITES, "labels.csv": "file,species\nsite1/r0.wav,robin\nsite2/r1.wav,wren\n"})
def check(look):
    for command in ("extract", "crawl"):
        seen = look(command, ".")
        assert labels(seen) == {"site1/r0.wav": "site1", "site2/r1.wav": "site2"}
        assert "labels-unread" in seen.kinds and "--column label=species" in seen.messages, seen.messages
    seen = look("extract", ".", "--column", "label=species")
    assert labels(seen) == {"site1/r0.wav": "robin", "site2/r1.wav": "wren"} and not seen.lines, seen.messages


@case("capitals of file_name", {**SITES, "metadata.csv": "File_Name,species\nsite1/r0.wav,robin\nsite2/r1.wav,wren\n"})
def check(look):
    first = look("extract", ".")
    (look.data / "metadata.csv").write_text((look.data / "metadata.csv").read_text().replace("File_Name", "file_name"))
    second = look("extract", ".")
    assert labels(first) == labels(second) and first.kinds == second.kinds == {"labels-unread"}, (first.messages, second.messages)


@case("a table of some of the folders", {**PETS, "labels.csv": column("site", {f"cat/{n}.wav": "x" for n in range(3)})})
def check(look):
    seen = look("extract", ".")
    assert set(labels(seen).values()) == {"cat"} and seen.kinds == {"recordings-not-listed"}


# --- Options for the table

@case("--label-separator without a column of labels", {**FLAT, "m.csv": "path,label\na.wav,x;y\n"})
def check(look):
    for command in ("extract", "check"):
        seen = look(command, "m.csv", "--label-separator", ";")
        assert seen.status and "--label-separator" in seen.messages and "--column labels=COLUMN" in seen.messages, seen.messages
    seen = look("extract", "m.csv", "--label-separator", ";", "--column", "labels=label")
    assert [row["labels"] for row in good(seen)] == ['["x","y"]']


@case("a folder's table of names without extension", {**FLAT, "labels.csv": "file,label\na,wren\nb,robin\n"})
def check(look):
    seen = look("extract", ".")
    assert set(labels(seen).values()) == {""} and "--extension wav" in seen.messages, seen.messages
    seen = look("extract", ".", "--extension", "wav")
    assert labels(seen) == {"a.wav": "wren", "b.wav": "robin"} and not seen.lines, seen.messages


@case("a folder's table with another column of recordings", {**FLAT, "labels.csv": "rec_id,label\na.wav,wren\nb.wav,robin\n"})
def check(look):
    seen = look("extract", ".", "--column", "path=rec_id")
    assert labels(seen) == {"a.wav": "wren", "b.wav": "robin"} and not seen.lines, seen.messages


@case("a folder's table with times of other names", {
    **FLAT, "labels.csv": "file,onset,offset,label\na.wav,0,0.5,x\na.wav,0.5,1,y\nb.wav,0,1,x\n"})
def check(look):
    seen = look("extract", ".", "--column", "start=onset", "--column", "end=offset")
    assert [row["label"] for row in good(seen)] == ["x", "y", "x"]


@case("--column end=stop keeps another end", {
    **FLAT, "m.csv": "path,label,end,stop\na.wav,x,0.9,0.5\n", "o.csv": "path,end,stop,original_end\na.wav,0.9,0.5,7\n"})
def check(look):
    seen = look("split", "m.csv", "--column", "end=stop", "--ratio", "train=1")
    row, = good(seen)
    assert (float(row["end"]), row["original_end"]) == (0.5, "0.9") and "columns-chosen" in seen.kinds, seen.messages
    row, = good(look("split", "o.csv", "--column", "end=stop", "--ratio", "train=1"))
    assert (float(row["end"]), row["original_end"], row["original_original_end"]) == (0.5, "7", "0.9")


# --- Classes named like splits

for files, expected in [
        (["train_horn/a.wav", "train_wheel/b.wav"], [("", "train_horn"), ("", "train_wheel")]),
        (["test_1/a.wav", "test_2/b.wav"], [("", "test_1"), ("", "test_2")]),
        (["val_a/a.wav", "val_b/b.wav"], [("", "val_a"), ("", "val_b")]),
        (["train.dog/a.wav", "train.cat/b.wav"], [("", "train.dog"), ("", "train.cat")]),
        (["horns/test_tone/a.wav", "horns/train_horn/b.wav", "bells/church/c.wav"],
         [("", "test_tone"), ("", "train_horn"), ("", "church")]),
        (["train-clean-100/dog/a.wav", "test-other/dog/b.wav"], [("train", "dog"), ("test", "dog")]),
        (["ds/train/cat/a.wav", "ds/test/cat/b.wav", "ds/val/c.wav"], [("train", "cat"), ("test", "cat"), ("val", "")]),
        (["train/dog/a.wav", "test/dog/b.wav", "bus/c.wav"], [("train", "dog"), ("test", "dog"), ("", "bus")])]:
    @case(f"folders {' '.join(sorted({file.split('/')[0] for file in files}))} of {len(files)}", tree(*files))
    def check(look, files=files, expected=expected):
        seen = look("extract", ".", "--set", "normalize.scope=none")
        assert splits(seen) == dict(zip(files, expected)), splits(seen)


# --- LibriSpeech

@case("LibriSpeech: crawl and split say what is not there", libri)
def check(look):
    for command, *options in (("crawl",), ("split", "--ratio", "train=1")):
        seen = look(command, "LibriSpeech", *options)
        assert len(good(seen)) == 2 and "entries-without-recording" in seen.kinds, seen.messages
        assert "dev-clean/84/121123/84-121123-0001.flac" in seen.messages
    assert look("crawl", "LibriSpeech", "--strict").status


# --- Why a table in a folder is not read

LJ = "LJ001-0001|Printing, in the only sense|Printing, in the only sense\nLJ001-0002|in being \"modern.|in being\n"
for name, text, reason in [
        ("labels.csv", "file,label\na.wav,x\na.wav,y\n", "line 3 names 'a.wav' again"),
        ("labels.csv", "file,label\na,x\nb,y\n", "--extension wav"),
        ("labels.csv", "file,label\nx.wav,x\ny.wav,y\n", "'x.wav'"),
        ("labels.csv", "a.wav,x\nb.wav,y\n", "no header"),
        ("metadata.csv", LJ, "LJSpeech"),
        ("metadata.csv", "recorder,site\nA1,x\n", "no column is named like recordings"),
        ("labels.csv", "file,onset,offset,label\na.wav,0,0.5,x\nb.wav,0,0.5,y\n", "parts of recordings"),
        ("labels.csv", "", "it is empty"),
        ("labels.csv", "file,label\n", "no row names a recording"),
        ("labels.csv", "file,label\na.wav,x,3\n", "line 2: has 3 fields"),
        ("labels.csv", "file,label\na.wav,cri\u00e9\n".encode("cp1252") + "b.wav,cri\u00e9\n".encode(), "not valid UTF-8"),
        ("sub/labels.csv", "file,label\na.wav,x\n", "give sub")]:
    @case(f"a {name} that is not read: {reason}", {**FLAT, name: text})
    def check(look, name=name, reason=reason):
        for command in ("extract", "crawl", "check"):
            seen = look(command, ".")
            assert remarks(seen, "tables-unclaimed") and reason in seen.messages, (command, seen.messages)
        assert len(good(look("extract", "."))) == 2
        if "/" not in name:
            seen = look("extract", ".", "--format", "folder")
            assert len(good(seen)) == 2 and not seen.lines, seen.messages


@case("a table in Windows-1252", {**FLAT, "labels.csv": "file,label\na.wav,cri\u00e9\nb.wav,y\n".encode("cp1252")})
def check(look):
    seen = look("extract", ".")
    assert remarks(seen, "encodings-assumed") and not remarks(seen, "tables-unclaimed"), seen.messages
    assert len(good(seen)) == 2


@case("a second table is that", {**FLAT, "labels.csv": "file,label\na.wav,x\nb.wav,y\n", "metadata.csv": "file,site\na.wav,n\nb.wav,s\n"})
def check(look):
    seen = look("extract", ".")
    assert "'metadata.csv' ('labels.csv' is read)" in seen.messages, seen.messages


for problem, text in {
        "an empty path": "path,label\na.wav,x\n,y\n", "an end before its start": "path,start,end\na.wav,0,0.5\nb.wav,0.5,0.1\n",
        "two equal ids": "path,id\na.wav,1\nb.wav,1\n", "a duration that is none": "path,duration\na.wav,0:02\nb.wav,1\n",
        "a channel that is none": "path,channel\na.wav,one\nb.wav,0\n", "one row of more fields": "path,label\na.wav,x,y\nb.wav,z\n"}.items():
    @case(f"a folder's table with {problem}", {**FLAT, "labels.csv": text})
    def check(look):
        seen = look("extract", ".")
        assert seen.status and "labels.csv, line" in seen.messages and "--format folder" in seen.messages, seen.messages
        assert len(good(look("extract", ".", "--format", "folder"))) == 2
        seen = look("crawl", ".")
        assert seen.status and "--dataset folder" in seen.messages
        assert len(good(look("crawl", ".", "--dataset", "folder"))) == 2


@case("the table of LJSpeech, as it is advised", {
    "wavs/LJ001-0001.wav": wav(1, 1), "wavs/LJ001-0002.wav": wav(2, 1), "metadata.csv": LJ})
def check(look):
    seen = look("extract", "metadata.csv")
    assert seen.status and "LJSpeech" in seen.messages, seen.messages
    command = seen.messages.split("such as by: ")[1].split("; its recordings")[0]
    subprocess.run(["sh", "-c", command], cwd=look.data, check=True)
    output = shlex.split(command)[-1]
    rows = good(look("extract", output, "--root", "wavs", "--extension", "wav"))
    assert [row["text"] for row in rows] == ["Printing, in the only sense", 'in being "modern.']


# --- Several labels and speakers of lhotse, and lists

def cut(number, *supervisions, **custom):
    recording = {"id": f"r{number}", "sources": [{"type": "file", "channels": [0], "source": "a.wav"}], "sampling_rate": 16000,
                 "num_samples": 16000, "duration": 1.0}
    return {"id": f"c{number}", "start": 0, "duration": 1.0, "channel": 0, "type": "MonoCut", "recording": recording,
            "supervisions": [{"id": f"s{number}-{index}", "recording_id": f"r{number}", "start": 0, "duration": 1.0, "channel": 0, **one}
                             for index, one in enumerate(supervisions)], "custom": custom}


def lhotse(*cuts):
    return {**FLAT, "cuts.jsonl": dump(list(cuts))}


def all_labels(seen):
    return [row.get("labels") or row.get("label") for row in good(seen)]


@case("lhotse: a list as the label of one supervision", lhotse(
    cut(1, {"custom": {"label": ["bark", "howl"]}}), cut(2, {"custom": {"label": "bark"}}), cut(3, {"custom": {"label": ["howl"]}})))
def check(look):
    assert all_labels(look("extract", "cuts.jsonl")) == ['["bark","howl"]', '["bark"]', '["howl"]']
    assert [row["label"] for row in look("extract", "cuts.jsonl").rows] == ["", "bark", "howl"]


@case("lhotse: a list as the label of a cut", lhotse(cut(1, label=["bark", "howl"]), cut(2, label="bark")))
def check(look):
    assert all_labels(look("extract", "cuts.jsonl")) == ['["bark","howl"]', '["bark"]']


@case("lhotse: a column of several values as the label", lhotse(
    cut(1, {"custom": {"event": "bark"}, "speaker": "A"}, {"custom": {"event": "howl"}, "speaker": "B"}),
    cut(2, {"custom": {"event": "bark"}, "speaker": "C"})))
def check(look):
    assert all_labels(look("extract", "cuts.jsonl", "--column", "label=event")) == ['["bark","howl"]', '["bark"]']
    assert all_labels(look("extract", "cuts.jsonl", "--column", "label=speaker")) == ['["A","B"]', '["C"]']
    seen = look("split", "cuts.jsonl", "--by", "speaker", "--ratio", "train=0.5,test=0.5")
    assert seen.status and "'c1'" in seen.messages and "'A', 'B'" in seen.messages, seen.messages
    assert not look("split", "cuts.jsonl", "--ratio", "train=0.5,test=0.5").status


@case("a list in the column that an option calls the label", {
    **FLAT, "m.jsonl": dump([{"path": "a.wav", "tags": ["x", "y"]}, {"path": "b.wav", "tags": ["x"]}]),
    "m.csv": "path,tags\na.wav,\"['x', 'y']\"\nb.wav,x\n"})
def check(look):
    for table in ("m.jsonl", "m.csv"):
        assert all_labels(look("extract", table, "--column", "label=tags")) == ['["x","y"]', '["x"]'], table


# --- Labels and empty lists

BIRDS = "filename,primary_label,secondary_labels\na.wav,eurbla,[]\nb.wav,robin,\"['wren']\"\n"


@case("BirdCLEF: labels and empty lists", {**FLAT, "m.csv": BIRDS, "h.csv": "path,label,sp_x\na.wav,wren,0\nb.wav,x,1\n"})
def check(look):
    seen = look("extract", "m.csv", "--column", "label=primary_label", "--column", "labels=secondary_labels")
    assert "labels-unlisted" in seen.kinds and "2 rows have a 'label'" in seen.messages, seen.messages
    seen = look("extract", "h.csv", "--one-hot", "sp_*")
    assert "labels-unlisted" in seen.kinds and "1 row has a 'label'" in seen.messages, seen.messages


@case("windows without a call that have a name", {**FLAT, "m.csv": "path,label,labels\na.wav,none,\nb.wav,x,x\n"})
def check(look):
    seen = look("extract", "m.csv")
    assert seen.status == 0 and not seen.lines, seen.messages


test_a_case, _ = CASES.tests()


def test_a_set_is_not_a_column(tmp_path):
    for values in ({"a.wav", "b.wav"}, frozenset({"a.wav", "b.wav"})):
        with pytest.raises(TypeError, match="expected a list of values, as of the other columns, found"):
            package.extract({"path": values, "label": ["x", "y"]}, tmp_path / "x.h5")
    with pytest.raises(TypeError, match="a mapping of columns, each a list"):
        package.extract({"path": {"a.wav"}, "label": {"x"}}, tmp_path / "x.h5")
