"""Cases from the field: folders with tables of their recordings, folders of splits, and corpora that are not complete.

Each case is made here after one of the collection's folder `field`, whose README names the source; where the collection is there,
the same holds for the original.
"""

from mutations.files import dump
from field_cases import Cases, noise, remarks, wav

case = Cases()
UNREAD = {"tables-unclaimed", "metadata-unread"}
YES_NO = {"yes/a.wav": wav(1, 1), "no/b.wav": wav(2, 1)}
WAVS = {"wavs/a.wav": wav(1, 1), "wavs/b.wav": wav(2, 1)}


def good(seen):
    assert seen.status == 0, seen.messages
    return seen.rows


def path_of(row):
    """The path of a clip in the folder of the data: in a manifest that is elsewhere it is whole."""
    return row["path"].split("/data/", 1)[-1]


def labels(seen):
    return {path_of(row): row.get("label", "") for row in good(seen)}


def splits(seen):
    return {path_of(row): (row.get("split", ""), row.get("label", "")) for row in good(seen)}


def crawled(look, *options):
    """The split and the label of every recording, as `crawl` writes them."""
    return splits(look("crawl", ".", *options))


# --- A table of that name that is something else

@case("metadata.csv of LJSpeech", "speech/11-ljspeech", lambda: {
    **WAVS, "metadata.csv": 'LJ001-0001|He said, "hello" there 1 time|He said, "hello" there one time\nLJ001-0002|Yes; it is "so|Yes\n'})
def check(look):
    for command in ("extract", "crawl", "check"):
        seen = look(command, ".")
        assert remarks(seen, *UNREAD) and "metadata.csv" in seen.messages, seen.messages
    assert set(labels(look("extract", ".")).values()) == {"wavs"}


@case("metadata.csv of LJSpeech, plain", None, lambda: {
    **WAVS, "metadata.csv": "LJ001-0001|Printing, in the only sense|Printing, in the only sense\nLJ001-0002|in being modern.|in being\n"})
def check(look):
    seen = look("extract", ".")
    assert remarks(seen, *UNREAD) and len(seen.rows) == 2


@case("metadata.csv of another program", "speech/55-other-metadata", lambda: {
    **YES_NO, "metadata.csv": "recorder,gain,site\nA1,high,forest\n"})
def check(look):
    for command, *options in (("extract",), ("crawl",), ("check",), ("split", "--ratio", "a=1"), ("clips", "--window", "0.5s")):
        seen = look(command, ".", *options)
        assert remarks(seen, *UNREAD), (command, seen.messages)
    assert labels(look("extract", ".")) == {"yes/a.wav": "yes", "no/b.wav": "no"}


for name, text in {
        "an empty metadata.csv": ("metadata.csv", ""),
        "metadata.csv of a header alone": ("metadata.csv", "recorder,gain\n"),
        "metadata.jsonl of another program": ("metadata.jsonl", '{"recorder": "A1", "gain": "high"}\n'),
        "metadata.jsonl that is no JSON": ("metadata.jsonl", "recorder: A1\n"),
        "a labels.csv of names": ("labels.csv", "number,name\n0,yes\n1,no\n"),
        "a labels.csv of recordings that are elsewhere": ("labels.csv", "file,label\nx.wav,wren\ny.wav,robin\n"),
        "a labels.csv with rows of several fields": ("labels.csv", "file,label\nyes/a.wav,wren,3\n"),
        "a labels.csv of several rows for a recording": ("labels.csv", "file,label\nyes/a.wav,wren\nyes/a.wav,robin\nno/b.wav,wren\n"),
        "a labels.csv of bytes": ("labels.csv", b"\xff\xfe\x00\x01" * 50),
        "annotations.csv of times": (
            "annotations.csv", "Filename,Start Time (s),End Time (s),Species\nyes/a.wav,0.1,0.5,wren\nyes/a.wav,0.6,0.9,wren\n"),
        "annotations.csv of starts and ends": ("annotations.csv", "path,start,end,label\nyes/a.wav,0.1,0.5,wren\n"),
        "labels.csv of onsets": ("labels.csv", "path,onset,offset,label\nyes/a.wav,0.1,0.5,wren\nno/b.wav,0.1,0.5,wren\n")}.items():
    @case(f"{name}: the folder is read as it is", None, lambda text=text: {**YES_NO, text[0]: text[1]})
    def check(look, text=text):
        seen = look("extract", ".")
        assert remarks(seen, *UNREAD) and text[0] in seen.messages, seen.messages
        assert labels(seen) == {"yes/a.wav": "yes", "no/b.wav": "no"}
        assert splits(look("extract", ".")) == crawled(look)


@case("annotations.csv beside recordings is for clips", None, lambda: {
    **YES_NO, "annotations.csv": "path,start,end,label\nyes/a.wav,0.1,0.5,wren\nno/b.wav,0.2,0.9,robin\n"})
def check(look):
    rows = good(look("clips", "."))
    assert sorted((path_of(row), float(row["start"]), row["label"]) for row in rows) == [
        ("no/b.wav", 0.2, "robin"), ("yes/a.wav", 0.1, "wren")]


# --- A table of recordings

for name in ("labels.csv", "metadata.csv", "annotations.csv", "Labels.csv", "labels.tsv", "metadata.tsv"):
    @case(f"{name} with the recordings of the folder", None, lambda name=name: {
        "a.wav": wav(1, 1), "b.wav": wav(2, 1),
        name: "file,label,site\na.wav,wren,north\nb.wav,robin,south\n".replace(",", "\t" if name.endswith("tsv") else ",")})
    def check(look, name=name):
        seen = look("extract", ".")
        assert labels(seen) == {"a.wav": "wren", "b.wav": "robin"} and not seen.lines, seen.messages
        assert [row["site"] for row in seen.rows] == ["north", "south"]
        assert name in seen.messages and "a folder with a table of its recordings" in seen.messages
        assert labels(look("crawl", ".")) == labels(seen)
        for command, *options in (("check",), ("split", "--ratio", "a=1"), ("clips", "--window", "0.5s")):
            found = look(command, ".", *options)
            assert found.status == 0 and not found.lines, found.messages


for form, (name, text) in {
        "labels.jsonl": ("labels.jsonl", dump([{"file": "a.wav", "label": "wren"}, {"file": "b.wav", "label": "robin"}])),
        "metadata.jsonl": ("metadata.jsonl", dump([{"audio": {"path": "a.wav"}, "label": "wren"},
                                                   {"audio": {"path": "b.wav"}, "label": "robin"}])),
        "File_Name in metadata.csv": ("metadata.csv", "File_Name,Label\na.wav,wren\nb.wav,robin\n"),
        "semicolons": ("labels.csv", "Audio File;label\na.wav;wren\nb.wav;robin\n")}.items():
    @case(f"a table of the folder's recordings: {form}", None, lambda name=name, text=text: {
        "a.wav": wav(1, 1), "b.wav": wav(2, 1), name: text})
    def check(look):
        seen = look("extract", ".")
        assert labels(seen) == {"a.wav": "wren", "b.wav": "robin"} and not seen.lines, seen.messages


@case("a table names recordings in a folder beside it", None, lambda: {
    **WAVS, "labels.csv": "file,label\na.wav,wren\nb.wav,robin\n"})
def check(look):
    seen = look("extract", ".")
    assert labels(seen) == {"wavs/a.wav": "wren", "wavs/b.wav": "robin"} and not seen.lines, seen.messages
    assert labels(look("crawl", ".")) == labels(seen)


@case("a table of Windows names recordings below a folder beside it", None, lambda: {
    "audio/dawn/a.wav": wav(1, 1), "audio/dusk/a.wav": wav(2, 1),
    "labels.csv": "file,label\ndawn\\a.wav,wren\ndusk\\a.wav,robin\n"})
def check(look):
    assert labels(look("extract", ".")) == {"audio/dawn/a.wav": "wren", "audio/dusk/a.wav": "robin"}


@case("a recording that the table does not name, and one that is not there", None, lambda: {
    "a.wav": wav(1, 1), "b.wav": wav(2, 1), "labels.csv": "file,label\na.wav,wren\ngone.wav,robin\n"})
def check(look):
    seen = look("extract", ".")
    assert seen.status != 0 and "gone.wav" in seen.messages and [row["path"] for row in seen.rows] == ["a.wav"]
    assert {"recordings-not-listed"} <= seen.kinds, seen.kinds


@case("a column that may be the label is remarked, and taken by an option", None, lambda: {
    "a.wav": wav(1, 1), "b.wav": wav(2, 1), "labels.csv": "filename,species\na.wav,wren\nb.wav,robin\n"})
def check(look):
    seen = look("extract", ".")
    assert set(labels(seen).values()) == {""} and "labels-unread" in seen.kinds and "--column label=species" in seen.messages
    assert labels(look("extract", ".", "--column", "label=species")) == {"a.wav": "wren", "b.wav": "robin"}


@case("what the folders say is kept where the table does not say it", None, lambda: {
    **YES_NO, "metadata.csv": "filename,recorder\nyes/a.wav,A1\nno/b.wav,B2\n"})
def check(look):
    seen = look("extract", ".")
    assert labels(seen) == {"yes/a.wav": "yes", "no/b.wav": "no"} and [row["recorder"] for row in seen.rows] == ["A1", "B2"]
    assert labels(look("extract", ".", "--column", "label=recorder")) == {"yes/a.wav": "A1", "no/b.wav": "B2"}


@case("the table of a folder of splits", None, lambda: {
    "train/a.wav": wav(1, 1), "test/b.wav": wav(2, 1), "labels.csv": "file,label\ntrain/a.wav,wren\ntest/b.wav,robin\n"})
def check(look):
    assert splits(look("extract", ".")) == {"train/a.wav": ("train", "wren"), "test/b.wav": ("test", "robin")} == crawled(look)


@case("a second table is remarked", None, lambda: {
    "a.wav": wav(1, 1), "labels.csv": "file,label\na.wav,wren\n", "metadata.csv": "file,site\na.wav,north\n"})
def check(look):
    seen = look("extract", ".")
    assert labels(seen) == {"a.wav": "wren"} and remarks(seen, *UNREAD) and "metadata.csv" in seen.messages


@case("a manifest of the folder's own does not hide new recordings", None, lambda: {
    "dog/a.wav": wav(1, 1), "cat/b.wav": wav(2, 1), "labels.csv": "path,id,label\ndog/a.wav,dog/a,dog\n"})
def check(look):
    seen = look("extract", ".")
    assert labels(seen) == {"dog/a.wav": "dog", "cat/b.wav": "cat"} and not seen.lines, seen.messages


@case("a row that is no clip is a problem with its file and line", None, lambda: {
    "a.wav": wav(1, 1), "labels.csv": "path,start,end\na.wav,0.5,0.1\n"})
def check(look):
    seen = look("extract", ".")
    assert seen.status != 0 and "labels.csv, line 2" in seen.messages


@case("parts of recordings", None, lambda: {
    "a.wav": wav(1, 2), "labels.csv": "path,start,end,label\na.wav,0,0.5,wren\na.wav,1,1.5,robin\n"})
def check(look):
    rows = good(look("extract", "."))
    assert [(row["path"], float(row["start"]), row["label"]) for row in rows] == [("a.wav", 0, "wren"), ("a.wav", 1, "robin")]


@case("metadata.csv of an audio folder is read as one", "speech/54-hf-extra", lambda: {
    "metadata.csv": "file_name,label\na.wav,yes\n", "a.wav": wav(1, 1), "b.wav": wav(2, 1)})
def check(look):
    seen = look("extract", ".")
    assert labels(seen) == {"a.wav": "yes"} and "recordings-not-listed" in seen.kinds
    assert "a Hugging Face audio folder (metadata.csv)" in seen.messages


# --- Folders of splits

def tree(*paths):
    return lambda: {path: wav(number, 0.5) for number, path in enumerate(paths)}


for name, files, expected in [
        ("above labels", ["train/dog/a.wav", "train/cat/b.wav", "test/dog/c.wav"],
         [("train", "dog"), ("train", "cat"), ("test", "dog")]),
        ("below labels", ["dog/train/a.wav", "dog/test/b.wav", "cat/train/c.wav", "cat/test/d.wav"],
         [("train", "dog"), ("test", "dog"), ("train", "cat"), ("test", "cat")]),
        ("below labels, of which one has one alone", ["dog/train/a.wav", "dog/test/b.wav", "cat/train/c.wav"],
         [("train", "dog"), ("test", "dog"), ("train", "cat")]),
        ("below a folder, above labels", ["data/train/dog/a.wav", "data/test/dog/b.wav"], [("train", "dog"), ("test", "dog")]),
        ("alone", ["train/a.wav", "test/b.wav", "validation/c.wav"], [("train", ""), ("test", ""), ("validation", "")]),
        ("of several words", ["x/train-clean/dog/a.wav", "x/dev_other/dog/b.wav"], [("train", "dog"), ("dev", "dog")]),
        ("in capitals", ["dog/Train/a.wav", "dog/TEST/b.wav"], [("train", "dog"), ("test", "dog")]),
        ("below and above labels", ["dog/train/bark/a.wav", "dog/test/bark/b.wav"], [("train", "bark"), ("test", "bark")]),
        # No splits.
        ("among labels", ["train/a.wav", "bus/b.wav"], [("", "train"), ("", "bus")]),
        ("among labels, below a folder", ["x/train/a.wav", "x/test/b.wav", "x/bus/c.wav"],
         [("", "train"), ("", "test"), ("", "bus")]),
        ("one below each label", ["dog/train/a.wav", "cat/train/b.wav"], [("", "train"), ("", "train")]),
        ("of one split: kinds of trains", ["sound/train_horn/a.wav", "sound/train_wheels/b.wav"],
         [("", "train_horn"), ("", "train_wheels")])]:
    @case(f"folders named like splits {name}", None, tree(*files))
    def check(look, files=files, expected=expected):
        seen = look("extract", ".")
        assert splits(seen) == dict(zip(files, expected)), splits(seen)
        assert crawled(look) == splits(seen) == crawled(look, "--include", "*.wav")


@case("a folder of splits that is wanted as the label", None, tree("dog/train/a.wav", "dog/test/b.wav"))
def check(look):
    assert crawled(look, "--label-level", "-1") == {"dog/train/a.wav": ("", "train"), "dog/test/b.wav": ("", "test")}
    assert crawled(look, "--label-level", "1") == {"dog/train/a.wav": ("train", "dog"), "dog/test/b.wav": ("test", "dog")}


@case("a folder without recordings beside the splits", None, lambda: {
    **tree("x/train/dog/a.wav", "x/test/dog/b.wav")(), "x/docs/notes.md": b"# Notes\n"})
def check(look):
    assert set(splits(look("extract", ".")).values()) == {("train", "dog"), ("test", "dog")}


# --- LibriSpeech that is not complete

CHAPTER = "LibriSpeech/dev-clean/84/121123"
SPEAKERS = ";ID  |SEX| SUBSET           |MINUTES| NAME\n84   | F | dev-clean        |  8.02 | Christie | Nowak\n"


def libri(**changes):
    files = {f"{CHAPTER}/84-121123-0000.flac": noise(1, 1), f"{CHAPTER}/84-121123-0009.flac": noise(2, 1),
             f"{CHAPTER}/84-121123.trans.txt": "84-121123-0000 GO  DO YOU\n84-121123-0001 MISSING ONE\n",
             "LibriSpeech/SPEAKERS.TXT": SPEAKERS}
    files.update(changes)
    return {name: content for name, content in files.items() if content is not None}


@case("LibriSpeech: a recording is missing, and one has no line", "speech/44-libri", libri)
def check(look):
    seen = look("extract", "LibriSpeech")
    assert seen.status != 0 and [row["id"] for row in seen.rows] == ["84-121123-0000"], seen.messages
    assert "84-121123-0001" in seen.messages and "recordings-not-listed" in seen.kinds
    assert "84-121123-0009.flac" in seen.messages
    seen = look("check", "LibriSpeech")
    assert seen.status != 0 and "dev-clean/84/121123/84-121123-0001.flac" in seen.messages + seen.output
    rows = good(look("crawl", "LibriSpeech"))
    assert [row["id"] for row in rows] == ["84-121123-0000", "84-121123-0001"]
    assert rows[1]["path"].endswith("dev-clean/84/121123/84-121123-0001.flac") and rows[1]["text"] == "MISSING ONE"


@case("LibriSpeech: a chapter without its transcript", None, lambda: libri(**{
    f"{CHAPTER}/84-121123.trans.txt": "84-121123-0000 GO\n84-121123-0009 ON\n",
    "LibriSpeech/dev-clean/84/121550/84-121550-0000.flac": noise(3, 1)}))
def check(look):
    seen = look("extract", "LibriSpeech")
    assert [row["id"] for row in good(seen)] == ["84-121123-0000", "84-121123-0009"]
    assert seen.kinds == {"recordings-not-listed"} and "84-121550-0000.flac" in seen.messages


@case("LibriSpeech: a missing recording of a corpus in WAV", None, lambda: {
    f"{CHAPTER}/84-121123-0000.wav": wav(1, 1),
    f"{CHAPTER}/84-121123.trans.txt": "84-121123-0000 GO\n84-121123-0001 MISSING ONE\n"})
def check(look):
    rows = good(look("crawl", "LibriSpeech"))
    assert rows[1]["path"].endswith("84-121123-0001.wav")


@case("LibriSpeech: a line that is no clip's", None, lambda: libri(**{
    f"{CHAPTER}/84-121123.trans.txt": "84-121123-0000 GO\nand so on\n"}))
def check(look):
    seen = look("extract", "LibriSpeech")
    assert seen.status != 0 and "84-121123.trans.txt, line 2" in seen.messages and "'and'" in seen.messages


test_a_case_that_is_made, test_a_case_of_the_collection = case.tests()
