"""Cases from the field: labels and names in tables, and tables that are not read.

Each case is made here after one of the collection's folder `field`, whose README names the source; where the collection is there,
the same holds for the original. Advice is followed here, to success.
"""

import json
import re
import shlex
import shutil
import subprocess

import numpy as np
import pytest
from mutations.files import dump
from mutations.observation import write
from field_cases import Cases, Seen, remarks, wav

import veery

case = Cases()


def follow(look, command):
    """Runs the command of an advice in a shell, in the folder of the data."""
    ended = subprocess.run(command, shell=True, cwd=look.data, capture_output=True, text=True, executable="/bin/bash")
    assert ended.returncode == 0, ended.stderr


def between(text, start, end):
    """What a message puts between two texts."""
    assert start in text, text
    return text.split(start, 1)[1].split(end, 1)[0]


def labels_of(row):
    return json.loads(row["labels"]) if row["labels"].startswith("[") else row["labels"].split("|")


def good(seen):
    assert seen.status == 0, seen.messages
    return seen.rows


# --- Names of columns

PATH_NAMES = ["path", "file", "filename", "file_name", "filepath", "file_path", "wav", "wav_file", "wav_filename", "wav_path", "audio",
              "audio_file", "audio_filename", "audio_path", "audio_filepath", "fname"]

for column in PATH_NAMES:
    @case(f"recordings in the column {column} of CSV", None, lambda column=column: {
        "m.csv": f"{column},label\na.wav,wren\nb.wav,robin\n", "a.wav": wav(1, 1), "b.wav": wav(2, 1)})
    def check(look):
        seen = look("extract", "m.csv")
        assert [(row["path"], row["label"]) for row in good(seen)] == [("a.wav", "wren"), ("b.wav", "robin")]
        assert not seen.lines

    @case(f"recordings in the column {column} of JSON Lines", None, lambda column=column: {
        "m.jsonl": dump([{"label": "wren", column: "a.wav"}, {"label": "robin", column: "b.wav"}]), "a.wav": wav(1, 1),
        "b.wav": wav(2, 1)})
    def check(look):
        seen = look("extract", "m.jsonl")
        assert [(row["path"], row["label"]) for row in good(seen)] == [("a.wav", "wren"), ("b.wav", "robin")]
        assert not seen.lines


for form, table in (("CSV", "wav,Audio File,filename,label\nx.wav,y.wav,a.wav,wren\n"),
                    ("JSON Lines", dump([{"wav": "x.wav", "Audio File": "y.wav", "filename": "a.wav", "label": "wren"}]))):
    @case(f"two columns of recordings, {form}", None, lambda table=table: {"m.txt": table, "a.wav": wav(1, 1)})
    def check(look):
        seen = look("extract", "m.txt")
        assert [row["path"] for row in good(seen)] == ["a.wav"]
        assert remarks(seen, "columns-chosen") and "'filename', and not 'wav'" in seen.messages


@case("a path and another column of recordings", None, lambda: {
    "m.csv": "file,path,label\nx.wav,a.wav,wren\n", "a.wav": wav(1, 1)})
def check(look):
    seen = look("extract", "m.csv")
    assert [row["path"] for row in good(seen)] == ["a.wav"]
    assert remarks(seen, "columns-chosen") and "'path', and not 'file'" in seen.messages


@case("a path and a column that only has such a name", None, lambda: {
    "m.csv": "path,audio,file,label\na.wav,stereo,17,wren\n", "a.wav": wav(1, 1)})
def check(look):
    seen = look("extract", "m.csv")
    assert good(seen) and not seen.lines


for column in ("digit", "class", "species", "primary_label", "Common Name", "category"):
    @case(f"a column {column} that may be the label", None, lambda column=column: {
        "m.csv": f"path,{column}\na.wav,x\nb.wav,y\n", "a.wav": wav(1, 1), "b.wav": wav(2, 1)})
    def check(look, column=column):
        seen = look("extract", "m.csv")
        assert remarks(seen, "labels-unread") and not seen.loses, seen.messages
        assert all(not row["label"] for row in seen.rows)
        option = re.search(r"\((--column .*?)\); if it does", seen.messages)
        again = look("extract", "m.csv", *shlex.split(option[1]))
        assert [row["label"] for row in good(again)] == ["x", "y"] and not again.lines


@case("a label and a column that looks like one", None, lambda: {
    "m.csv": "path,label,species\na.wav,wren,x\n", "a.wav": wav(1, 1)})
def check(look):
    seen = look("extract", "m.csv")
    assert good(seen) and not seen.lines


@case("words that are no label", None, lambda: {
    "m.csv": "path,text,speaker,target\na.wav,hello,p,she said it was not so\n", "a.wav": wav(1, 1)})
def check(look):
    seen = look("extract", "m.csv")
    assert good(seen) and not seen.lines


# --- Recordings without extension

FSD50K = ('fname,labels,mids,split\n64760,"Electric_guitar,Guitar,Plucked_string_instrument,Musical_instrument,Music","/m/02sgy",train\n'
          '16399,"Bird,Animal","/m/020bb7",train\n16401,"Rain,Water","/m/06mb1",val\n')


@case("FSD50K", "bio/06_fsd50k", lambda: {
    "FSD50K.ground_truth/dev.csv": FSD50K, **{f"FSD50K.dev_audio/{name}.flac": wav(3, 1) for name in (64760, 16399, 16401)}})
def check(look):
    command = ["extract", "FSD50K.ground_truth/dev.csv", "--root", "FSD50K.dev_audio"]
    seen = look(*command)
    assert seen.status == 1 and "'64760.flac' exists" in seen.messages and "--extension flac" in seen.messages, seen.messages
    checked = look("check", *command[1:])
    assert "--extension flac" in checked.output + checked.messages
    seen = look(*command, "--extension", "flac")
    assert remarks(seen, "labels-joined") and "--label-separator" in seen.messages, seen.messages
    seen = look(*command, "--extension", "flac", "--label-separator", ",")
    assert [(row["path"], labels_of(row)[0], row["split"]) for row in good(seen)] == [
        ("64760.flac", "Electric_guitar", "train"), ("16399.flac", labels_of(seen.rows[1])[0], "train"), ("16401.flac", "Rain", "val")]
    assert len(labels_of(seen.rows[0])) == 5 and not seen.lines


@case("names without extension", "bio/21_warblr_ff1010", lambda: {
    "warblrb10k_public_metadata.csv": "itemid,hasbird\n759808e5-f824-401e-9058,1\n64486,0\n",
    "wav/759808e5-f824-401e-9058.flac": wav(4, 1), "wav/64486.flac": wav(5, 1)})
def check(look):
    command = ["extract", "warblrb10k_public_metadata.csv", "--column", "path=itemid", "--column", "label=hasbird", "--root",
               "wav"]
    seen = look(*command)
    assert seen.status == 1 and "--extension flac" in seen.messages, seen.messages
    assert [row["label"] for row in good(look(*command, "--extension", ".flac"))] == ["1", "0"]


@case("an extension is not added to another", None, lambda: {
    "m.csv": "path\na.wav\nb\nc.1\n", "a.wav": wav(1, 1), "b.flac": wav(2, 1), "c.1.flac": wav(3, 1)})
def check(look):
    assert [row["path"] for row in good(look("extract", "m.csv", "--extension", "flac"))] == ["a.wav", "b.flac", "c.1.flac"]


# --- --column, lists, one-hot columns

BIRDCLEF = """primary_label,secondary_labels,type,filename
asbfly,[],['call'],asbfly/XC134896.flac
asbfly,"['grnsan', 'zitcis1']","['song', 'male']",asbfly/XC164848.flac
zitcis1,['asbfly'],['song'],zitcis1/XC845747.flac
"""


def birdclef():
    return {"train_metadata.csv": BIRDCLEF, **{f"train_audio/{name}.flac": wav(6, 1) for name in (
        "asbfly/XC134896", "asbfly/XC164848", "zitcis1/XC845747")}}


@case("BirdCLEF", "bio/08_birdclef", birdclef)
def check(look):
    command = ["extract", "train_metadata.csv", "--root", "train_audio"]
    seen = look(*command)
    assert remarks(seen, "labels-unread") and "--column label=primary_label" in seen.messages, seen.messages
    for path in ([], ["--column", "path=filename"]):
        seen = look(*command, *path, "--column", "label=primary_label", "--column", "labels=secondary_labels", "--overwrite")
        assert [row["label"] for row in good(seen)] == ["asbfly", "asbfly", "zitcis1"]
        assert [row["labels"] for row in seen.rows] == ["[]", "['grnsan', 'zitcis1']", "['asbfly']"]
        with veery.open(look.folder / "out.h5") as features:
            assert features.labels == ["asbfly", "grnsan", "zitcis1"]
            assert features.label_matrix.tolist() == [[0, 0, 0], [0, 1, 1], [1, 0, 0]]
        assert "label_separator" not in seen.messages


@case("Python's lists of labels", None, lambda: {
    "m.csv": "path,labels\na.wav,\"['a', \"\"b's\"\"]\"\nb.wav,\"['it\\'s', 'c, d', '']\"\nc.wav,['é']\n",
    "a.wav": wav(1, 1), "b.wav": wav(2, 1), "c.wav": wav(3, 1)})
def check(look):
    good(look("extract", "m.csv"))
    with veery.open(look.folder / "out.h5") as features:
        names = features.labels
        found = [[name for name, one in zip(names, row) if one] for row in features.label_matrix]
    assert found == [["a", "b's"], ["c, d", "it's"], ["é"]]


for value in ("['a' 'b']", "['a', b]", "['a'", "['a', None]", "['a\\x41']"):
    @case(f"no list of labels: {value}", None, lambda value=value: {
        "m.csv": f'path,labels\na.wav,"{value}"\n', "a.wav": wav(1, 1)})
    def check(look, value=value):
        seen = look("extract", "m.csv")
        if value.endswith("]"):
            assert seen.status == 1 and "line 2" in seen.messages and "expected" in seen.messages, seen.messages
        else:
            assert [row["labels"] for row in good(seen)] == [value]


@case("a name in capitals", "speech/16-column-case", lambda: {
    "m.csv": "ID,Path,Label,Split\nx1,a.wav,yes,train\nx2,b.wav,no,test\n",
    "m2.csv": "ID,wav,Label\nx1,a.wav,yes\nx2,b.wav,no\n", "m3.csv": "path,Label,label2\na.wav,yes,q\nb.wav,no,r\n",
    "m.jsonl": '{"Path":"a.wav","ID":"x1","Label":"yes"}\n', "a.wav": wav(1, 1), "b.wav": wav(2, 1)})
def check(look):
    def rows(*words):
        return [(row["id"], row["path"], row["label"], row.get("split", "")) for row in good(look("extract", *words))]
    first = [("x1", "a.wav", "yes", "train"), ("x2", "b.wav", "no", "test")]
    for option in ("id=ID", "id=id", "label=Label", "path=Path", "split=Split", "path=PATH", "split= Split "):
        assert rows("m.csv", "--column", option) == first, option
    assert [row[3] for row in rows("m.csv", "--column", "split=Label")] == ["yes", "no"]
    assert rows("m2.csv", "--column", "path=WAV", "--column", "id=ID") == [("x1", "a.wav", "yes", ""), ("x2", "b.wav", "no", "")]
    assert [row[2] for row in rows("m3.csv", "--column", "label=Label2")] == ["q", "r"]
    assert [row[0] for row in rows("m.jsonl", "--column", "path=path", "--column", "id=ID")] == ["x1"]
    seen = look("extract", "m.csv", "--column", "label=Labels")
    assert seen.status == 1 and "'ID', 'Path', 'Label', 'Split'" in seen.messages


@case("blanks after separators", None, lambda: {
    "m.csv": 'ID, duration, wav, spk_id, words\nx1, 1.0, a.wav, s1, "hello, you"\nx2, 1.0, b.wav, s2, no\n', "a.wav": wav(1, 1),
    "b.wav": wav(2, 1)})
def check(look):
    for options in ([], ["--column", "path=wav"], ["--column", "id=ID"]):
        seen = look("extract", "m.csv", *options)
        assert [(row["id"], row["path"], row["spk_id"], row["words"]) for row in good(seen)] == [
            ("x1", "a.wav", "s1", "hello, you"), ("x2", "b.wav", "s2", "no")]
        assert not seen.lines


@case("blanks that belong to a field", None, lambda: {"m.csv": "path,label,note\na.wav, wren,  x\n", "a.wav": wav(1, 1)})
def check(look):
    assert [(row["label"], row["note"]) for row in good(look("extract", "m.csv"))] == [(" wren", "  x")]


ONE_HOT = "path,sp_robin,sp_wren,sp_,note\na.wav,1,0,1,x\nb.wav,0.0,1.0,,y\nc.wav,0,false,0,z\nd.wav,True,TRUE,0,z\n"


@case("columns of 0 and 1", None, lambda: {
    "m.csv": ONE_HOT.replace(",sp_,", ",sp_owl,"), "bad.csv": "path,sp_a\na.wav,2\n", "two.csv": "path,labels,sp_a\na.wav,x,1\n",
    **{f"{name}.wav": wav(3, 1) for name in "abcd"}})
def check(look):
    for options in (["--one-hot", "sp_*"], ["--one-hot=sp_o*", "--one-hot=sp_[!o]*"]):
        seen = look("extract", "m.csv", *options)
        names = ["owl", "robin", "wren"] if len(options) == 2 and options[0] == "--one-hot" else None
        with veery.open(look.folder / "out.h5") as features:
            assert names is None or features.labels == names
            assert features.label_matrix.sum(axis=1).tolist() == [2, 1, 0, 2]
        assert [row["note"] for row in good(seen)] == ["x", "y", "z", "z"] and "sp_wren" not in seen.rows[0]
    seen = look("extract", "m.csv", "--one-hot", "species_*")
    assert seen.status == 1 and "'sp_robin'" in seen.messages
    seen = look("extract", "bad.csv", "--one-hot", "sp_*")
    assert seen.status == 1 and "line 2" in seen.messages and "sp_a" in seen.messages
    seen = look("extract", "two.csv", "--one-hot", "sp_*")
    assert [labels_of(row) for row in good(seen)] == [["a"]] and remarks(seen, "columns-chosen")


def test_options_of_labels_in_python(program, tmp_path):
    write({"a.wav": wav(1, 1), "b.wav": wav(2, 1), "m.csv": "file,tags,sp_x,sp_y\na,\"p, q\",1,0\nb,q,0,1\n"}, tmp_path)
    for options, expected in (({"column": {"labels": "tags"}, "label_separator": ","}, [["p", "q"], ["q"]]),
                              ({"one_hot": "sp_*"}, [["x"], ["y"]]), ({"one_hot": ["sp_x", "sp_y"]}, [["sp_x"], ["sp_y"]])):
        rows = veery.split(tmp_path / "m.csv", ratio={"train": 1}, extension="wav", **options)
        assert [row["path"][-5:] for row in rows] == ["a.wav", "b.wav"]
        assert [labels if isinstance(labels := row["labels"], list) else json.loads(labels) for row in rows] == expected
        veery.extract(tmp_path / "m.csv", tmp_path / "o.h5", extension="wav", overwrite=True, **options)
        with veery.open(tmp_path / "o.h5") as features:
            assert features.label_matrix.sum(axis=1).tolist() == [len(names) for names in expected]
        assert veery.check(tmp_path / "m.csv", extension="wav", **options)["clips"] == 2


# --- lhotse

def cut(*supervisions, custom=None, **more):
    return {
        "id": "c1", "start": 0, "duration": 1.2, "channel": 0, "type": "MonoCut", **({} if custom is None else {"custom": custom}),
        "supervisions": [{"id": f"s{index}", "recording_id": "r1", "start": 0.0, "duration": 1.2, "channel": 0, **one}
                         for index, one in enumerate(supervisions)],
        "recording": {"id": "r1", "sources": [{"type": "file", "channels": [0], "source": "a.wav"}], "sampling_rate": 16000,
                      "num_samples": 24000, "duration": 1.5}, **more}


HELLO = {"text": "hi", "speaker": "A", "custom": {"emotion": "happy", "label": "greet"}}
BYE = {"text": "zz", "speaker": "B", "custom": {"emotion": "happy", "label": "bye"}}
ALIGNED = {"word": [["hello", 0.1, 0.3, 0.9], ["world", 0.5, 0.4, None]]}


@case("an alignment is kept", "speech/47-lhotse-align", lambda: {
    "cuts.jsonl": dump([cut({**HELLO, "alignment": ALIGNED})]), "a.wav": wav(7, 1.5)})
def check(look):
    seen = look("extract", "cuts.jsonl")
    [row] = good(seen)
    assert json.loads(row["alignment"]) == ALIGNED and row["label"] == "greet" and not seen.loses


@case("two supervisions of one label", "speech/47-lhotse-align", lambda: {
    "D_two_same.jsonl": dump([cut(HELLO, {**HELLO, "text": "zz"})]), "a.wav": wav(7, 1.5)})
def check(look):
    [row] = good(look("extract", "D_two_same.jsonl"))
    assert (row["label"], row["text"], row["speaker"], row["emotion"]) == ("greet", "hi zz", "A", "happy") and "labels" not in row


@case("two supervisions of two labels", None, lambda: {
    "cuts.jsonl": dump([cut(HELLO, BYE), {**cut(HELLO), "id": "c2"}, {**cut({"text": "x"}), "id": "c3"}]), "a.wav": wav(7, 1.5)})
def check(look):
    seen = look("extract", "cuts.jsonl")
    first, second, third = good(seen)
    assert (first["label"], json.loads(first["labels"]), first["text"]) == ("", ["greet", "bye"], "hi zz")
    assert json.loads(first["speaker"]) == ["A", "B"] and first["emotion"] == "happy"
    assert (second["label"], json.loads(second["labels"]), second["speaker"]) == ("greet", ["greet"], "A")
    assert not third["label"] and third["labels"] in ("", "[]")
    with veery.open(look.folder / "out.h5") as features:
        assert features.labels == ["bye", "greet"] and features.label_matrix.tolist() == [[1, 1], [0, 1], [0, 0]]
    assert not seen.loses


@case("two supervisions of two speakers", "speech/07-lhotse-source", lambda: {
    "twosup.jsonl": dump([cut({"text": "x", "speaker": "p"}, {"text": "y", "speaker": "q"}, custom={"snr": 12.5})]),
    "a.wav": wav(7, 1.5)})
def check(look):
    [row] = good(look("extract", "twosup.jsonl"))
    assert json.loads(row["speaker"]) == ["p", "q"] and row["text"] == "x y" and row["snr"] == "12.5"


# --- All labels of a clip

def many_labels():
    rows = ["A,A|B"] * 8 + ["A,B|A"] * 12 + ["A,A"] * 20
    return {"ml.csv": "path,label,labels\n" + "".join(f"r{index:02}.wav,{row}\n" for index, row in enumerate(rows))}


@case("stratified by all labels", "bio/31_multilabel_split", many_labels)
def check(look):
    for by in ("clip", "recording"):
        seen = look("split", "ml.csv", "--by", by, "--stratify", "--ratio", "train=0.5,test=0.5")
        counts = {split: sum("B" in labels_of(row) for row in good(seen) if row["split"] == split) for split in ("train", "test")}
        assert counts == {"train": 10, "test": 10}
        assert json.loads(seen.output)["labels"] == [
            {"label": "A", "clips": {"train": 20, "test": 20}}, {"label": "B", "clips": {"train": 10, "test": 10}}]
    text = subprocess.run([look.program, "split", "ml.csv", "--by", "clip", "--stratify", "--ratio", "train=0.5,test=0.5", "-o",
                           look.folder / "t.csv"], cwd=look.data, capture_output=True, text=True).stdout
    assert re.search(r"^ *B +10 +10 +20$", text, re.M) and re.search(r"^ *all clips +20 +20 +40$", text, re.M), text


def sheet():
    rows = ["wren,wren|owl,train"] * 3 + ["wren,wren,train", "robin,robin,test", ",owl|robin,test"]
    return {"sheet/m.csv": "path,label,labels,split\n" + "".join(f"r{index}.flac,{row}\n" for index, row in enumerate(rows)),
            **{f"sheet/r{index}.flac": wav(10 + index, 1, rate=8000) for index in range(6)}}


@case("a sheet of a label that is no clip's first", "bio/31_multilabel_split", sheet)
def check(look):
    good(look("extract", "sheet/m.csv"))
    features = look.folder / "out.h5"
    with veery.open(features) as file:
        expected = {name: int(file.label_matrix[:, index].sum()) for index, name in enumerate(file.labels)}
        assert len(file.select(label="owl")) == expected["owl"] > 0

    def render(*words):
        return subprocess.run([look.program, "render", features, "--sheet", *words], capture_output=True, text=True)
    picture = look.folder / "owl.svg"
    ended = render("--labels", "owl", "-o", picture)
    assert ended.returncode == 0, ended.stderr
    listed = [line.split("\t")[0] for line in render("--list", "--per-label", "100").stdout.splitlines()]
    assert {name: listed.count(name) for name in expected} == expected
    page = look.folder / "page.html"
    ended = subprocess.run([look.program, "inspect", features, "--html", page], capture_output=True, text=True)
    assert ended.returncode == 0 and "owl" in page.read_text(), ended.stderr


# --- Python

def test_lists_in_cells(program, tmp_path):
    pandas = pytest.importorskip("pandas")
    for index in range(2):
        (tmp_path / f"{'ab'[index]}.wav").write_bytes(wav(20 + index, 1))
    frame = pandas.DataFrame({"path": ["a.wav", "b.wav"], "labels": [np.array(["x", "y"], object), np.array([], object)],
                              "vector": [np.arange(3), np.ones((2, 2))]})
    columns = {name: list(frame[name]) for name in frame}
    for table in (frame, columns, {"path": np.array(columns["path"]), "labels": tuple(columns["labels"]), "vector": frame["vector"]}):
        rows = veery.split(table, ratio={"train": 1}, root=tmp_path)
        assert [row["labels"] for row in rows] in ([["x", "y"], []], ['["x","y"]', "[]"])
        veery.extract(table, tmp_path / "o.h5", root=tmp_path, overwrite=True)
        with veery.open(tmp_path / "o.h5") as features:
            assert features.label_matrix.tolist() == [[1, 1], [0, 0]]
            assert json.loads(features.column("extra/vector")[1]) == [[1, 1], [1, 1]]
        assert veery.check(table, root=tmp_path)["clips"] == 2


def test_a_mapping_that_is_not_a_table(tmp_path):
    for columns, text in (({"path": "a.wav"}, "single mapping"), ({"path": ["a.wav", "b.wav"], "label": ["x"]}, "'label' 1"),
                          ({"path": ["a.wav"], "label": "x"}, "'label'"), ({}, "none")):
        with pytest.raises((TypeError, ValueError), match=text):
            veery.extract(columns, tmp_path / "o.h5")


def test_parquet_in_python(program, tmp_path, collection):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    folder = collection / "field/speech/67-parquet-lists"
    frame = pandas.read_parquet(folder / "rows.parquet")
    assert len(veery.split(frame, ratio={"train": 1}, root=folder)) == len(frame)


# --- Tables that are not read as they are

@case("a recording as an object", "speech/32-jsonl", lambda: {
    "whisper_ft.jsonl": dump([{"audio": {"path": "a.wav"}, "sentence": "hi", "duration": 1.5, "sentences": [{"start": 0}]},
                              {"audio": {"path": "b.wav", "bytes": None}, "sentence": "yo", "duration": 2.0}]),
    "wenet.list": dump([{"key": "u1", "wav": "a.wav", "txt": "hi"}, {"key": "u2", "wav": "b.wav", "txt": "yo"}]),
    "hf.jsonl": '{"audio": "a.wav", "text": "hi", "label": null}\n\n{"audio": "b.wav", "text": "yo", "label": "x"}\n',
    "nemo2.json": dump([{"audio_filename": "a.wav", "duration": 1.5, "text": "hi"}]), "a.wav": wav(30, 1.5), "b.wav": wav(31, 2)})
def check(look):
    for options in ([], ["--column", "path=audio"]):
        seen = look("extract", "whisper_ft.jsonl", *options)
        assert [(row["path"], row["sentence"], row["duration"]) for row in good(seen)] == [("a.wav", "hi", 1.5), ("b.wav", "yo", 2.0)]
        assert not seen.lines
    for table, paths in (("wenet.list", ["a.wav", "b.wav"]), ("hf.jsonl", ["a.wav", "b.wav"]), ("nemo2.json", ["a.wav"])):
        assert [row["path"] for row in good(look("extract", table))] == paths


@case("an object under another name", None, lambda: {
    "m.jsonl": dump([{"sound": {"path": "a.wav", "sampling_rate": 16000}}]), "bytes.jsonl": dump([{"audio": {"array": [0, 1]}}]),
    "a.wav": wav(1, 1)})
def check(look):
    assert [row["path"] for row in good(look("extract", "m.jsonl", "--column", "path=sound"))] == ["a.wav"]
    seen = look("extract", "bytes.jsonl")
    assert seen.status == 1 and "line 1" in seen.messages and "'path'" in seen.messages, seen.messages


AUDIOSET = ("# Segments csv created Sun Mar  5 10:54:31 2017\n# num_ytids=2, num_segs=2, num_unique_labels=3, num_positive_labels=4\n"
            "# YTID, start_seconds, end_seconds, positive_labels\nx1, 30.000, 40.000, \"/m/09x0r,/t/dd00088\"\n"
            "x2, 0.000, 10.000, \"/m/07yv9\"\n")


@case("AudioSet", "speech/35-audiocaps", lambda: {"audioset.csv": AUDIOSET, "x1.wav": wav(32, 1.5), "x2.wav": wav(33, 1.5)})
def check(look):
    seen = look("extract", "audioset.csv")
    assert seen.status == 1 and "'YTID', 'start_seconds', 'end_seconds', 'positive_labels'" in seen.messages, seen.messages
    seen = look("split", "audioset.csv", "--column", "path=YTID", "--column", "labels=positive_labels", "--label-separator", ",",
                "--extension", "wav", "--ratio", "train=1")
    assert [row["path"].split("/")[-1] for row in good(seen)] == ["x1.wav", "x2.wav"]
    assert [labels_of(row) for row in seen.rows] == [["/m/09x0r", "/t/dd00088"], ["/m/07yv9"]]
    assert float(seen.rows[0]["start_seconds"]) == 30


@case("AudioSet's tables", "bio/07_audioset", lambda: {"balanced_train_segments.csv": AUDIOSET})
def check(look):
    seen = look("check", "balanced_train_segments.csv")
    assert seen.status == 1 and "'YTID', 'start_seconds', 'end_seconds', 'positive_labels'" in seen.messages, seen.messages


for name, table in (("before a header", "# made by hand, twice\n#\n\npath,label\na.wav,x\n"),
                    ("that is the header", "#path,label\na.wav,x\n"), ("in a TSV", "# a\tb\npath\tlabel\na.wav\tx\n")):
    @case(f"a line with # {name}", None, lambda name=name, table=table: {
        "m.tsv" if "TSV" in name else "m.csv": table + "#1.wav,y\n".replace(",", "\t" if "TSV" in name else ","), "a.wav": wav(1, 1),
        "#1.wav": wav(2, 1)})
    def check(look, name=name):
        seen = look("extract", "m.tsv" if "TSV" in name else "m.csv")
        assert [(row["path"], row["label"]) for row in good(seen)] == [("a.wav", "x"), ("#1.wav", "y")]


@case("lines with # keep the numbers of lines", None, lambda: {"m.csv": "# one\n# two\npath,start\na.wav,x\n"})
def check(look):
    assert "line 4: start is 'x'" in look("check", "m.csv").messages


@case("no header", None, lambda: {
    "m.csv": "u1,sub/a.wav,wren\nu2,sub/b.wav,robin\n", "one.csv": "sub/a.wav\nsub/b.wav\n", "sub/a.wav": wav(1, 1), "sub/b.wav": wav(2, 1)})
def check(look):
    for table, label in (("m.csv", True), ("one.csv", False)):
        seen = look("extract", table)
        assert seen.status == 1 and "no header" in seen.messages and seen.messages.count("\n") < 3, seen.messages
        follow(look, between(seen.messages, "such as by: ", "\n"))
        assert [row["path"] for row in good(look("extract", "with-header.csv"))] == ["sub/a.wav", "sub/b.wav"]


@case("FLEURS", "speech/14-fleurs", lambda: {
    "audio/test/1001.wav": wav(34, 1.5), "audio/test/1002.wav": wav(35, 2),
    "test.tsv": '1675\t1001.wav\tHe said "no".\the said no\th e | s a i d\t24000\tMALE\n1676\t1002.wav\tYes\tyes\ty e s\t32000\tFEMALE\n'})
def check(look):
    seen = look("extract", "test.tsv")
    assert seen.status == 1 and "FLEURS" in seen.messages and "no header" in seen.messages, seen.messages
    follow(look, between(seen.messages, "such as by: ", ";"))
    root = re.search(r"--root (\S+?)[,;.]?\s", seen.messages + " ")
    seen = look("extract", "with-header.tsv", "--root", root[1])
    assert [(row["path"], row["text"], row["gender"]) for row in good(seen)] == [("1001.wav", "he said no", "MALE"), ("1002.wav", "yes", "FEMALE")]


@case("fairseq", "speech/10-fairseq", lambda: {
    "train.tsv": "/data/corpora/wav\ns1/a.wav\t24000\ns1/b.wav\t32000\n", "wav/s1/a.wav": wav(36, 1.5), "wav/s1/b.wav": wav(37, 2)})
def check(look):
    seen = look("extract", "train.tsv")
    assert seen.status == 1 and "fairseq" in seen.messages and "--root /data/corpora/wav" in seen.messages, seen.messages
    follow(look, between(seen.messages, "such as by: ", ";"))
    seen = look("extract", "with-header.tsv", "--root", "wav")
    assert [row["path"] for row in good(seen)] == ["s1/a.wav", "s1/b.wav"] and not seen.lines


DOCUMENT = {"spk1_a": {"wav": "a.wav", "length": 1.5, "spk_id": "spk1"}, "spk2_b": {"wav": "b.wav", "length": 2.0, "spk_id": "spk2"}}
ROWS = [{"audio_filepath": "a.wav", "text": "hi"}, {"audio_filepath": "b.wav", "text": "yo"}]
for name, document in (("an array", ROWS), ("an array in an object", {"audios": [{"aid": "A1", "path": "a.wav"}, {"aid": "A2", "path": "b.wav"}]}),
                       ("an array among other members", {"version": "1", "data": {"x": 1}, "rows": ROWS}), ("an object of objects", DOCUMENT)):
    for indent in (None, 1):
        @case(f"one JSON document: {name}{', indented' if indent else ''}", None, lambda document=document, indent=indent: {
            "all.json": json.dumps(document, indent=indent), "a.wav": wav(1, 1), "b.wav": wav(2, 1)})
        def check(look):
            seen = look("extract", "all.json")
            assert seen.status == 1 and "one JSON document" in seen.messages and seen.messages.count("\n") < 3, seen.messages
            if shutil.which("jq"):
                follow(look, between(seen.messages, "such as by: ", "\n"))
                assert [row["path"] for row in good(look("extract", "manifest.jsonl"))] == ["a.wav", "b.wav"]


@case("SpeechBrain's JSON", "speech/13-speechbrain", lambda: {"train.json": json.dumps(DOCUMENT, indent=1)})
def check(look):
    seen = look("check", "train.json")
    assert seen.status == 1 and "one JSON document" in seen.messages, seen.messages


@case("GigaSpeech's JSON", "speech/32-jsonl", lambda: {
    "gigaspeech.json": json.dumps({"audios": [{"aid": "A1", "path": "a.wav", "segments": [{"sid": "A1_S1", "begin_time": 0.1}]}]}),
    "array.json": json.dumps(ROWS), "a.wav": wav(1, 1), "b.wav": wav(2, 1)})
def check(look):
    for table in ("gigaspeech.json", "array.json"):
        seen = look("extract", table)
        assert seen.status == 1 and "one JSON document" in seen.messages, seen.messages
        if shutil.which("jq"):
            follow(look, between(seen.messages, "such as by: ", "\n"))
            assert good(look("extract", "manifest.jsonl"))[0]["path"] == "a.wav"


@case("Parquet", "speech/09-audiofolder", lambda: {
    "parquet/a.wav": wav(1, 1), "parquet/metadata.parquet": b"PAR1" + bytes(60) + b"PAR1",
    "train-00000-of-00001.parquet": b"PAR1" + bytes(60) + b"PAR1", "hfcache/train-00000-of-00001.parquet": b"PAR1" + bytes(60) + b"PAR1"})
def check(look):
    for table in ("train-00000-of-00001.parquet", "parquet/metadata.parquet"):
        seen = look("extract", table)
        assert seen.status == 1 and "Parquet" in seen.messages and "read_parquet" in seen.messages, seen.messages
    seen = look("extract", "hfcache")
    assert seen.status == 1 and "train-00000-of-00001.parquet" in seen.messages and "Parquet" in seen.messages, seen.messages
    seen = look("extract", "parquet")
    assert remarks(seen, "metadata-unread") and "metadata.parquet" in seen.messages and "Parquet" in seen.messages, seen.messages


def test_the_advice_for_parquet(program, tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    write({"a.wav": wav(1, 1)}, tmp_path)
    pandas.DataFrame({"path": ["a.wav"], "labels": [["x", "y"]]}).to_parquet(tmp_path / "m.parquet")
    seen = Seen(program, tmp_path, tmp_path / "out")("extract", "m.parquet")
    code = between(seen.messages, "such as by: ", "\n")
    subprocess.run(code, shell=True, cwd=tmp_path, check=True)
    assert good(Seen(program, tmp_path, tmp_path / "out")("extract", "manifest.jsonl"))


SPEECHBRAIN = "ID,duration,wav,spk_id\nspk1--a_0,1.5,$data_root/wav/spk1_a.wav,spk1\nspk2--b_1,2.0,$data_root/wav/spk2_b.wav,spk2\n"


@case("SpeechBrain's $data_root", "speech/13-speechbrain", lambda: {
    "train.csv": SPEECHBRAIN, "wav/spk1_a.wav": wav(38, 1.5), "wav/spk2_b.wav": wav(39, 2)})
def check(look):
    text = (look.data / "train.csv").read_text().replace(",start,stop", ",x,y")
    (look.data / "whole.csv").write_text(text)
    seen = look("extract", "whole.csv")
    assert seen.status == 1 and "which veery does not expand: $data_root" in seen.messages, seen.messages
    assert "remove it and give --root" in seen.messages
    (look.data / "whole.csv").write_text(text.replace("$data_root/", ""))
    seen = look("extract", "whole.csv", "--root", ".")
    assert [row["path"] for row in good(seen)] == ["wav/spk1_a.wav", "wav/spk2_b.wav"]


@case("several files in one line", "speech/08-nemo", lambda: {
    "multi.json": dump([{"audio_filepath": ["a.wav", "b.wav"], "duration": 1.0, "text": "p"}])})
def check(look):
    seen = look("extract", "multi.json")
    assert seen.status == 1 and "line 1" in seen.messages and "several" in seen.messages, seen.messages
    assert seen.messages.count("\n") < 4


for form, files in (("JSON Lines", {"m.jsonl": dump([{"path": ["a.wav", "b.wav"]}])}), ("CSV", {"m.csv": 'path\n"[""a.wav"", ""b.wav""]"\n'}),
                    ("Python's list", {"m.csv": "path\n\"['a.wav', 'b.wav']\"\n"})):
    @case(f"several files in one row: {form}", None, lambda files=files: files)
    def check(look, files=files):
        seen = look("extract", *files)
        assert seen.status == 1 and "several" in seen.messages and "a row for each" in seen.messages, seen.messages


def archive(*names):
    import io
    import tarfile
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tar:
        for name in names:
            content = wav(sum(name.encode()), 1.5)
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return file.getvalue()


@case("NeMo's tarred manifest", "speech/38-nemotar", lambda: {
    "tarred_audio_manifest.json": dump([{"audio_filepath": "a.wav", "duration": 1.5, "text": "p", "shard_id": 0},
                                        {"audio_filepath": "b.wav", "duration": 2.0, "text": "q", "shard_id": 0}]),
    "audio_0.tar": archive("a.wav", "b.wav")})
def check(look):
    seen = look("extract", "tarred_audio_manifest.json")
    assert seen.status == 1 and "shard_id" in seen.messages and "tar" in seen.messages, seen.messages
    assert "ARCHIVE::member" in look("check", "tarred_audio_manifest.json").output
    if shutil.which("jq"):
        follow(look, between(seen.messages, "such as by: ", "\n"))
        assert [row["path"] for row in good(look("extract", "manifest.jsonl", "--overshoot", "1"))] == [
            "audio_0.tar::a.wav", "audio_0.tar::b.wav"]


@case("an archive as the root", "speech/37-cv17", lambda: {
    "transcript/xx/train.tsv": "client_id\tpath\tsentence\n0a1b\tcommon_voice_xx_a.mp3\tx\n", "xx_train_0.tar": archive("common_voice_xx_a.mp3")})
def check(look):
    seen = look("extract", "transcript/xx/train.tsv", "--root", "xx_train_0.tar")
    assert seen.status != 0 and "xx_train_0.tar::" in seen.messages and "archive" in seen.messages, seen.messages


SHAR = {**cut(HELLO), "recording": {"id": "r1", "sources": [{"type": "shar", "channels": [0], "source": ""}], "sampling_rate": 16000,
                                    "num_samples": 24000, "duration": 1.5}}


@case("lhotse Shar", "speech/23-wds", lambda: {
    "shar/cuts.000000.jsonl": dump([SHAR, {**SHAR, "id": "c2"}]), "shar/recording.000000.tar": archive("r1.wav")})
def check(look):
    seen = look("extract", "shar")
    assert seen.status == 1 and "Shar" in seen.messages and "save_audios" in seen.messages, seen.messages
    assert seen.messages.count("\n") < 4
    recordings = next((look.data / "shar").glob("recording.*.tar"))
    assert f"shar/{recordings.name}" in seen.messages
    assert good(look("extract", f"shar/{recordings.name}"))


@case("a table without a column of recordings", "bio/38_message_empty_name", lambda: {
    "p.csv": "file_name,t_min,t_max,label\na.flac,0.5,1.5,x\na.flac,2.0,3.0,y\n", "a.flac": wav(40, 4)})
def check(look):
    seen = look("check", "p.csv")
    assert seen.status == 1 and "the id 'a' is that of line 2 already" in seen.messages, seen.messages
    options = re.search(r"give (--column .*)$", seen.messages, re.M)
    seen = look("extract", "p.csv", *shlex.split(options[1]))
    assert [(row["label"], row["start"], row["duration"]) for row in good(seen)] == [("x", 0.5, 1.0), ("y", 2.0, 1.0)]


test_a_case_that_is_made, test_a_case_of_the_collection = case.tests()


def test_columns_are_those_of_the_guide():
    """The names that are read as the path are in the guide, in their order."""
    import conftest
    guide = (conftest.ROOT / "Schemas/guide/manifests.md").read_text()
    stated = re.search(r"\| `path` under another name \| (.*?) \|", guide)
    assert stated and re.findall(r"`(\w+)`", stated[1]) == PATH_ORDER


PATH_ORDER = ["filepath", "file_path", "file", "filename", "file_name", "fname", "audio_filepath", "audio_path", "audio_file",
              "audio_filename", "audio", "wav_path", "wav_file", "wav_filename", "wav"]
assert sorted(PATH_ORDER) == sorted(name for name in PATH_NAMES if name != "path")
