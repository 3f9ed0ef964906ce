"""What testers found in tables: advice that destroys a file or leads nowhere, good tables that are refused, labels and times that are
silently not read. Advice is followed here, to success."""

import gzip
import json
import re
import shlex
import shutil
import subprocess

import pytest
from mutations.files import dump
from mutations.observation import write
from field_cases import Seen, remarks, wav

WAVS = {f"{name}.wav": wav(index, 1) for index, name in enumerate("abc")}
needs_jq = pytest.mark.skipif(not shutil.which("jq"), reason="needs jq")


@pytest.fixture
def look(program, tmp_path):
    def make(files):
        write({**WAVS, **files}, tmp_path / "data")
        return Seen(program, tmp_path / "data", tmp_path / "out")
    return make


def command(messages, lead="such as by: "):
    assert lead in messages, messages
    return re.split("\n|; its recordings|; and give", messages.split(lead, 1)[1])[0]


def shell(seen, code, **more):
    ended = subprocess.run(code, shell=True, cwd=seen.data, capture_output=True, executable="/bin/bash", **more)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def follow(seen, code):
    """Runs an advice in a shell. Returns the file that it made: no other one has changed."""
    before = {path: path.read_bytes() for path in seen.data.rglob("*") if path.is_file()}
    shell(seen, code)
    after = {path: path.read_bytes() for path in seen.data.rglob("*") if path.is_file()}
    assert {path: after[path] for path in before} == before, code
    [made] = set(after) - set(before)
    return str(made.relative_to(seen.data))


def paths(observation):
    assert observation.status == 0, observation.messages
    return [row["path"] for row in observation.rows]


# --- The file of an advice is new

ROWS = [{"path": "a.wav", "label": "x"}, {"path": "b.wav", "label": "y"}]


@needs_jq
@pytest.mark.parametrize("name", ["manifest.jsonl", "sub dir/manifest.jsonl", "-m=1.jsonl"])
@pytest.mark.parametrize("document", [{"data": ROWS}, ROWS], ids=["object", "array"])
def test_one_document_named_like_the_output(look, name, document):
    seen = look({name: json.dumps(document), "manifest-2.jsonl": "mine\n"})
    path = name if not name.startswith("-") else "./" + name
    made = follow(seen, command(seen("extract", path).messages))
    assert paths(seen("extract", made, "--root", ".")) == ["a.wav", "b.wav"]


@pytest.mark.parametrize("name", ["with-header.csv", "with-header.tsv"])
def test_a_table_without_header_named_like_the_output(look, name):
    seen = look({name: "a.wav,wren\nb.wav,robin\n".replace(",", "\t" if "tsv" in name else ",")})
    made = follow(seen, command(seen("extract", name).messages))
    observed = seen("extract", made)
    assert paths(observed) == ["a.wav", "b.wav"] and [row["label"] for row in observed.rows] == ["wren", "robin"]


def test_columns_without_a_name_may_be_labels(look):
    seen = look({"m.csv": "u1,a.wav,wren\nu2,b.wav,robin\n"})
    made = follow(seen, command(seen("extract", "m.csv").messages))
    observed = seen("extract", made)
    assert remarks(observed, "labels-unread") and "--column label=column3" in observed.messages, observed.messages


@needs_jq
def test_shards_of_json_lines(look, tmp_path):
    import io
    import tarfile
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tar:
        info = tarfile.TarInfo("x.wav")
        info.size = len(WAVS["a.wav"])
        tar.addfile(info, io.BytesIO(WAVS["a.wav"]))
    seen = look({"manifest.jsonl": dump([{"file": "x.wav", "shard_id": 3}]), "part_3.tar": file.getvalue(),
                 "m.csv": "file,shard_id\nx.wav,3\n", "other/m.jsonl": dump([{"file": "x.wav", "shard_id": 3}])})
    made = follow(seen, command(seen("extract", "manifest.jsonl").messages))
    assert paths(seen("extract", made)) == ["part_3.tar::x.wav"]
    for table in ("m.csv", "other/m.jsonl"):
        observed = seen("extract", table)
        assert "ARCHIVE::member" in observed.messages and "jq" not in observed.messages, observed.messages


# --- How the text is stored

STORED = {"gzip": ("m.csv.gz", lambda text: gzip.compress(text.encode())), "BOM": ("m.csv", lambda text: text.encode("utf-8-sig")),
          "UTF-16": ("m.csv", lambda text: text.encode("utf-16")), "UTF-16 without BOM": ("m.csv", lambda text: text.encode("utf-16-be")),
          "gzip and BOM": ("m.csv.gz", lambda text: gzip.compress(text.encode("utf-8-sig")))}


@pytest.mark.parametrize("how", STORED)
def test_advice_for_encodings(look, how):
    name, encoded = STORED[how]
    seen = look({name: encoded("a.wav,wren é\nb.wav,robin\n"), name.replace("csv", "json"): encoded(json.dumps({"data": ROWS}, indent=1)),
                 name.replace("csv", "list.json"): encoded(json.dumps(ROWS))})
    observed = seen("extract", follow(seen, command(seen("extract", name).messages)))
    assert paths(observed) == ["a.wav", "b.wav"] and observed.rows[0]["label"] == "wren é"
    if shutil.which("jq"):
        for table in (name.replace("csv", "json"), name.replace("csv", "list.json")):
            found = seen("extract", table, "--format", "jsonl")
            assert paths(seen("extract", follow(seen, command(found.messages)))) == ["a.wav", "b.wav"]


@pytest.mark.parametrize("text, form", [
    ("a.wav,x\nb.wav,y\n", "csv"), pytest.param(json.dumps({"rows": ROWS}), "jsonl", marks=needs_jq),
    pytest.param(json.dumps(ROWS), "jsonl", marks=needs_jq)], ids=["table", "object", "array"])
def test_standard_input(look, text, form):
    seen = look({"in.txt": text})
    veery = f"{shlex.quote(str(seen.program))} split - --format {form} --ratio train=1 -o -"
    ended = subprocess.run(f"{veery} < in.txt", shell=True, cwd=seen.data, capture_output=True, text=True)
    code = command(ended.stderr, "such as by a filter before veery: ")
    assert "standard input" not in code
    made = shell(seen, f"cat in.txt | {code} | {veery}").decode()
    assert "a.wav" in made and "b.wav" in made, made


# --- JSON

def test_a_long_first_line_of_json_lines(look):
    words = [{"word": "hello", "start": index / 10} for index in range(20_000)]
    seen = look({"m.jsonl": dump([{"id": str(index), "path": f"{name}.wav", "label": "x", "words": words} for index, name in enumerate("abc")]),
                 "late.jsonl": dump([{"words": words, "path": f"{name}.wav"} for name in "abc"])})
    for table in ("m.jsonl", "late.jsonl"):
        assert seen("check", table).status == 0
        assert paths(seen("extract", table)) == ["a.wav", "b.wav", "c.wav"]


@pytest.mark.parametrize("line, text", [
    ('{"path":"a.wav","words":[{"a":1}],}', "line 1: holds '}'"), ('{"path":"a.wav","words":[{"a":1}],"x":nan}', "line 1: holds 'n'"),
    ('{"words":[{"a":1}],"x":nan,"path":"a.wav"}', "line 1: holds 'n'"), ('{"path":"a.wav","words":[{"a":1}]', "line 1: ends where")])
def test_a_mistake_in_the_first_line(look, line, text):
    seen = look({"m.jsonl": line + '\n{"path":"b.wav"}\n'})
    observed = seen("check", "m.jsonl")
    assert observed.status == 1 and text in observed.messages and "document" not in observed.messages, observed.messages


@needs_jq
def test_a_long_document_in_one_line(look):
    seen = look({"m.json": json.dumps({"rows": ROWS * 40_000})})
    assert "jq -c '.rows[]' m.json" in command(seen("check", "m.json").messages)


ROW = {"path": "a.wav", "start_time": 0.1, "end_time": 0.5, "class": "x", "annotation": "me"}


@pytest.mark.parametrize("name", ["m.json", "m.jsonl"])
@pytest.mark.parametrize("row", [ROW, {"path": "a.wav", "annotations": [{"namespace": "y"}]}, {"file": "a.wav", "annotations": [{"result": 1}]},
                                 {"label": "x", "annotation": [{"start_time": 1, "class": "x"}], "Path": "a.wav"},
                                 {"note": '"annotations" "namespace" "result"', "file": "a.wav"}])
def test_a_row_is_not_taken_for_a_document(look, name, row):
    assert paths(look({name: json.dumps(row) + "\n"})("extract", name)) == ["a.wav"]


def test_annotations_in_json_lines(look):
    table = {key: value for key, value in ROW.items() if key not in ("start_time", "end_time", "class")}
    seen = look({"t.jsonl": dump([{**table, "start": 0.1, "end": 0.5, "label": "x", "class": "y", "start_time": 0.1}])})
    observed = seen("clips", "a.wav", "--annotations", "t.jsonl")
    assert [(row["path"][-5:], row["label"]) for row in observed.rows] == [("a.wav", "x")], observed.messages


@pytest.mark.parametrize("document, title", [
    ({"annotated": True, "annotation": [{"class": "x", "start_time": 0.1}], "id": "a.wav"}, "batdetect2"),
    ({"annotations": [{"annotation_metadata": {}, "data": [], "namespace": "beat"}], "file_metadata": {}}, "JAMS"),
    ([{"id": 1, "annotations": [{"id": 2, "result": []}], "data": {"audio": "a.wav"}}], "Label Studio")])
@pytest.mark.parametrize("indent", [None, 2])
def test_documents_are_still_known(look, document, title, indent):
    seen = look({"a.json": json.dumps(document, indent=indent)})
    for words in (["check", "a.json"], ["clips", "a.wav", "--annotations", "a.json"]):
        observed = seen(*words)
        assert observed.status == 1 and title in observed.messages, observed.messages


def test_json_next_to_each_recording_takes_little_time(look):
    import resource

    def seconds():
        start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        assert seen("clips", ".").status == 0
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start
    seen = look({f"r{index}.wav": WAVS["a.wav"] for index in range(100)} | {f"r{index}.txt": "0.1\t0.5\tx\n" for index in range(100)})
    plain = seconds()
    write({f"r{index}.json": json.dumps({"x": ["some words of a text"] * 3000}) for index in range(100)}, seen.data)
    # 17 ms a file before.
    assert seconds() - plain < 100 * 0.010


def test_the_path_of_json_lines_in_other_capitals(look):
    seen = look({"m.jsonl": dump([{"Path": "a.wav", "x": 1}, {"Path": "b.wav", "x": 1}]), "two.jsonl": dump([{"file": "a.wav"}, {"path": "b.wav", "file": "x.wav"}]),
                 "twice.jsonl": '{"file": "a.wav", "file": "b.wav"}\n'})
    for options in ([], ["--column", "label=x"]):
        assert paths(seen("extract", "m.jsonl", *options)) == ["a.wav", "b.wav"]
    observed = seen("extract", "two.jsonl")
    assert observed.status == 1 and "line 2: gives 'path' and 'file'" in observed.messages, observed.messages
    assert "gives 'file' twice" in seen("extract", "twice.jsonl").messages


@pytest.mark.parametrize("options", [[], ["--column", "label=label"]])
def test_an_object_in_a_cell(look, options):
    seen = look({"m.csv": 'audio,label\n"{""path"": ""a.wav""}",x\n', "p.csv": "audio,label\n\"{'path': 'a.wav', 'bytes': None}\",x\n"})
    assert paths(seen("extract", "m.csv", *options)) == ["a.wav"]
    observed = seen("extract", "p.csv", *options)
    assert observed.status == 1 and "line 2: path is an object as Python prints it" in observed.messages, observed.messages


# --- Comments and headers

def test_a_name_that_is_a_mark(look):
    assert paths(look({"m.csv": "#,path,label\n1,a.wav,x\n2,b.wav,y\n"})("extract", "m.csv")) == ["a.wav", "b.wav"]


def test_the_number_of_a_line_without_header(look):
    seen = look({"m.csv": "# path,label\n# a comment\na.wav,x\nb.wav,y\n"})
    observed = seen("extract", "m.csv")
    assert "line 3 is a row" in observed.messages, observed.messages
    assert paths(seen("extract", follow(seen, command(observed.messages)))) == ["a.wav", "b.wav"]


# --- Formats without a reader

@pytest.mark.parametrize("name, content, rows", [
    ("a.stm", ";; a comment\na 1 p,q 0.1 0.4 <o> hello\n", ["p,q"]),
    ("a.phn", "1600 4800 h#\n", ["h#"])])
def test_the_table_of_a_format_without_a_reader(look, name, content, rows):
    seen = look({name: content, "annotations.csv": "mine\n"})
    made = follow(seen, command(seen("check", name).messages))
    assert made == "annotations-2.csv"
    observed = seen("clips", "a.wav", "--annotations", made)
    assert [row["label"] for row in observed.rows] == rows, observed.messages


@pytest.mark.parametrize("name, content, rows", [
    ("a.ctm", ";; a comment\na 1 0.1 0.3 yes,no 0.9\na 1 0.5 0.3 \"x\" 0.9\n", ["yes,no", '"x"']),
    ("ctm", "a 1 0.1 0.3 yes\n", ["yes"]),
    ("a.rttm", "SPKR-INFO a 1 <NA> <NA> <NA> unknown s1 <NA>\nSPEAKER a 1 0.1 0.3 <NA> <NA> s,1 <NA> <NA>\n", ["s,1"])])
def test_words_and_turns(look, name, content, rows):
    seen = look({name: content})
    for command in (["clips", "a.wav", "--annotations", name], ["clips", name], ["clips", ".", "--annotations", name]):
        observed = seen(*command)
        assert [row["label"] for row in observed.rows] == rows, observed.messages
        assert [row["path"].split("/")[-1] for row in observed.rows] == ["a.wav"] * len(rows)


def test_whole_seconds_are_not_htk(look):
    seen = look({"a.lab": "0 2 N\n2 3 E\n", "b.lab": "0 2000000 N\n"})
    assert "HTK" not in seen("clips", "a.wav", "--annotations", "a.lab").messages
    assert "HTK" in seen("clips", "b.wav", "--annotations", "b.lab").messages


# --- Names of labels and times

@pytest.mark.parametrize("name", [
    "lable", "lbl", "label_name", "Label_name", "my label", "class_id", "classID", "label_id", "event", "animal", "letter", "word", "taxon",
    "sound", "type", "y", "Species (it's)", "species"])
@pytest.mark.parametrize("also", ["", "label,", "labels,"])
def test_a_column_that_may_be_the_label(look, name, also):
    values = ["3", "4"] if name in ("class_id", "classID") else ["robin", "wren"]
    rows = "".join(f"{path},{',' if also else ''}{value}\n" for path, value in zip(["a.wav", "b.wav"], values))
    seen = look({"m.csv": f"path,{also}{name}\n{rows}"})
    observed = seen("extract", "m.csv")
    assert remarks(observed, "labels-unread"), (observed.messages, observed.remarks)
    [option] = re.findall(r"\((--column .*)\)[;.]", observed.messages) or re.findall(r"\((--column .*?)\)", observed.messages)
    again = seen("extract", "m.csv", *shlex.split(option))
    assert [row["label"] for row in again.rows] == values, (option, again.messages)


def test_numbers_and_sentences_are_not_labels(look):
    seen = look({"m.csv": "path,type,word,y,sound,note\na.wav,1,2,3.5,4,x\n"})
    assert seen("extract", "m.csv").kinds == set()


def test_labels_in_any_case(look):
    seen = look({"m.csv": "path,LABELS,n\na.wav,x|y,1\nb.wav,y,2\n", "sep.csv": "path, Labels\na.wav,x;y\nb.wav,y\n",
                 "hot.csv": "path,sp_a,SP_B\na.wav,1,1\nb.wav,0,1\n"})
    for options in (["m.csv"], ["m.csv", "--column", "id=n"], ["sep.csv", "--label-separator", ";"], ["hot.csv", "--one-hot", "sp_*"]):
        observed = seen("extract", *options)
        found = [json.loads(text) if (text := row["labels"]).startswith("[") else text.split("|") for row in observed.rows]
        assert [len(names) for names in found] == [2, 1], (options, found, observed.messages)


TIMES = [("StartSecond", "EndSecond"), ("call_start", "call_end"), ("begin_sec", "finish_sec"), ("onsetTime", "stopTime"), ("time", "length")]


@pytest.mark.parametrize("start, end", TIMES)
def test_times_under_other_names(look, start, end):
    seen = look({"one.csv": f"file,{start},{end},label\na.wav,0.1,0.5,x\nb.wav,0.2,0.5,y\n",
                 "two.csv": f"file,{start},{end},label\na.wav,0.1,0.5,x\na.wav,0.25,0.6,y\n"})
    assert "times-unread" in seen("extract", "one.csv").kinds
    observed = seen("extract", "two.csv")
    assert observed.status == 1
    options = re.search(r"give (--column .*)$", observed.messages, re.M)
    again = seen("extract", "two.csv", *shlex.split(options[1]))
    assert [row["start"] for row in again.rows] == [0.1, 0.25], again.messages


def test_times_in_other_units(look):
    seen = look({"ms.csv": "file,onset_ms,offset_ms\na.wav,100,500\na.wav,500,750\n",
                 "frames.csv": "file,start_frame,end_frame\na.wav,100,500\na.wav,500,750\n",
                 "none.csv": "file,label\na.wav,x\na.wav,y\n"})
    options = re.search(r"give (--column .*)$", seen("extract", "ms.csv").messages, re.M)
    assert [row["start"] for row in seen("extract", "ms.csv", *shlex.split(options[1])).rows] == [0.1, 0.5]
    observed = seen("extract", "frames.csv")
    assert "the seconds of 'start_frame' as 'start'" in observed.messages and "--column" not in observed.messages, observed.messages
    observed = seen("extract", "none.csv")
    assert "--column start=" in observed.messages and "if each is the whole recording" in observed.messages


@pytest.mark.parametrize("header, row", [
    ("path,duration,start_lat,end_lat", "a.wav,0.5,1,2"), ("path,start_freq,end_freq", "a.wav,100,200"), ("path,start_year", "a.wav,2001"),
    ("path,length", "a.wav,1.0"), ("path,recording_start,duration", "a.wav,3,0.5"), ("path,start,end,call_start,call_end", "a.wav,0,0.5,1,2")])
def test_columns_that_are_not_times(look, header, row):
    seen = look({"m.csv": f"{header}\n{row}\n"})
    observed = seen("extract", "m.csv")
    assert observed.status == 0 and "times-unread" not in observed.kinds, observed.messages


# --- Advice in a shell

def test_names_are_quoted_for_the_shell(look):
    seen = look({"t.csv": "file,Start Time (s),End Time (s),label\na.wav,0.1,0.5,x\na.wav,0.5,0.75,y\n", "r.csv": "Begin File,label\na.wav,x\n",
                 "e.csv": "path,duration,End Time (s)\na.wav,0.5,0.75\n"})
    for table in ("t.csv", "r.csv", "e.csv"):
        options = re.search(r"give (--column .*?)(?: \(with|;|$)", seen("extract", table).messages, re.M)
        code = f"printf '%s\\n' {options[1]}"
        words = shell(seen, code).decode().splitlines()
        again = seen("extract", table, *words)
        assert paths(again)[0] == "a.wav" or table == "e.csv", again.messages


@pytest.mark.parametrize("header, row, suggestion", [
    ("ML Catalog Number,Common Name,Date", "123.wav,Great Tit,2021-05-01", "ML Catalog Number"), ("Rate,Bath", "1,2", None),
    ("Date,Batch", "2021-05-01,7", None), ("filname,label", "a.wav,x", "filname"), ("files,label", "a.wav,x", "files"),
    ("Filenames,label", "a.wav,x", "Filenames"), ("IN FILE,label", "a.wav,x", "IN FILE"), ("Recording Name,label", "a.wav,x", "Recording Name"),
    ("audio_id,label", "a7,x", "audio_id"), ("name,track", "Anna,a.wav", "track"), ("pathh,label", "a7,x", "pathh")])
def test_which_column_is_suggested_for_the_path(look, header, row, suggestion):
    seen = look({"m.csv": f"{header}\n{row}\n", "m.jsonl": json.dumps(dict(zip(header.split(","), row.split(",")))) + "\n"})
    for table in ("m.csv", "m.jsonl"):
        observed = seen("extract", table)
        found = re.search(r"rename '(.*?)' to 'path'", observed.messages)
        assert observed.status == 1 and (found and found[1]) == suggestion, observed.messages


XENO_CANTO = "id,en,url,file,file-name\n1,Blackbird,//xeno-canto.org/1,//xeno-canto.org/1/download,a.wav\n2,Tit,//xeno-canto.org/2,//xeno-canto.org/2/download,b.wav\n"


def test_addresses_and_absolute_paths(look):
    seen = look({"xc.csv": XENO_CANTO, "abs.csv": "path\n/nowhere/at/all/a.wav\n", "net.csv": "path\nhttps://x.org/a.wav\n"})
    observed = seen("extract", "xc.csv")
    assert "2 paths are addresses of the network" in observed.messages and "--root" not in observed.messages, observed.messages
    option = re.search(r"give (--column \S+)", observed.messages)
    assert paths(seen("extract", "xc.csv", *option[1].split())) == ["a.wav", "b.wav"]
    for table in ("abs.csv", "net.csv"):
        for words, status in ((["extract", table], 1), (["check", table], 3)):
            observed = seen(*words)
            assert observed.status == status and "--root" not in observed.messages + observed.output, observed.messages + observed.output


# --- Lists

@pytest.mark.parametrize("value", ["{'a', 'b'}", "('a','c')", "[a, b]", "{'a'}"])
@pytest.mark.parametrize("options", [[], ["--label-separator", ","]])
def test_sets_and_tuples_are_refused(look, value, options):
    observed = look({"m.csv": f'path,labels\na.wav,"{value}"\n'})("extract", "m.csv", *options)
    assert observed.status == 1 and "line 2: labels is" in observed.messages, observed.messages


def test_names_that_may_be_several(look):
    seen = look({"semi.csv": "path,labels\na.wav,Cat;Dog\nb.wav,Cat\n", "mixed.csv": 'path,labels\na.wav,"x,y"\nb.wav,"[""x"", ""z""]"\n',
                 "good.csv": 'path,labels\na.wav,"x, y|z"\nb.wav,"[""x, y""]"\n', "named.csv": "path,labels\na.wav,(a)|[b]\nb.wav,{c}\n"})
    for table, separator in (("semi.csv", ";"), ("mixed.csv", ",")):
        observed = seen("extract", table)
        assert remarks(observed, "labels-joined") and f"--label-separator '{separator}'" in observed.messages, observed.messages
    for table in ("good.csv", "named.csv"):
        assert seen("extract", table).kinds == set()
