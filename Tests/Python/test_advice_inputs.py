"""Advice about what is read: manifests, annotations, datasets, archives and recordings. Each is followed as it says."""

import csv
import gzip
import bz2
import json
import lzma
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile

import h5py
import numpy as np
import pytest
import soundfile

from advice import AGAIN, case, follow, quoted
from conftest import noise, tone, write_manifest, write_wav
from sounds import sphere_of_shorten

RATE = 8_000
EXTRACT = "veery extract m.csv -o f.h5"


# --- What is made


def recordings(folder, *names, seconds=0.5, rate=RATE):
    """Recordings of noise, each of its own; without names, a.wav and b.wav."""
    for path in names or ("a.wav", "b.wav"):
        write_wav(folder / path, rate, noise(sum(path.encode()), round(seconds * rate)))


def files(*names, seconds=0.5, rate=RATE, **texts):
    """Makes recordings, and files whose names are keywords with `_` for the dot."""
    def make(folder):
        recordings(folder, *names, seconds=seconds, rate=rate)
        for key, text in texts.items():
            path = folder / key.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return make


def table(text, *names, to="m.csv", **options):
    """Makes recordings and a manifest."""
    def make(folder):
        recordings(folder, *names, **options)
        (folder / to).write_bytes(text if isinstance(text, bytes) else text.encode())
    return make


def edit(old, new, path="m.csv"):
    """A step: a text in a file is replaced."""
    def step(folder, said):
        content = (folder / path).read_bytes()
        assert old.encode() in content
        (folder / path).write_bytes(content.replace(old.encode(), new.encode()))
    return step


def put(path, content):
    def step(folder, said):
        (folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    return step


def shell(lead, after="\n", then="", before=""):
    """A step: the command that the message gives between two texts, with what comes before and after it."""
    return lambda folder, said: before + quoted(said, lead, after) + then


# --- What is right


def clips(path="f.h5"):
    with h5py.File(path) as file:
        return {"ids": list(file["clips/id"].asstr()[()]), "labels": list(file["clips/label"].asstr()[()]),
                "start": file["clips/start"][()], "duration": file["clips/duration"][()]}


def stored(*ids, labels=None, duration=None, path="f.h5"):
    """The ids, labels and lengths in seconds of the clips in the feature file."""
    def check(folder, said):
        found = clips(folder / path)
        if ids:
            assert found["ids"] == list(ids)
        if labels is not None:
            assert found["labels"] == list(labels)
        if duration is not None:
            assert np.allclose(found["duration"], duration, atol=1e-3), found["duration"]
    return check


def rows(path):
    text = path.read_text()
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    return list(csv.DictReader(text.splitlines(), delimiter="\t" if path.suffix == ".tsv" else ","))


def listed(column, *values, path="m.csv"):
    """The values of a column of a manifest that was written."""
    def check(folder, said):
        assert [row[column] for row in rows(folder / path)] == list(values)
    return check


def names_of_labels(*names, path="f.h5"):
    """The names of the label matrix of the feature file."""
    def check(folder, said):
        with h5py.File(folder / path) as file:
            assert list(file["labels"].asstr()[()]) == list(names)
    return check


def says_nothing_of(*words):
    def check(folder, said):
        for word in words:
            assert word not in said.text
    return check


def both(*checks):
    def check(folder, said):
        for one in checks:
            one(folder, said)
    return check


# --- Manifests: their columns

AB = "path,label\na.wav,x\nb.wav,y\n"
GOOD = stored("a", "b", labels=("x", "y"))



def options(before, after="\n", command=EXTRACT):
    """A step: the command with the options that the message gives between two texts."""
    return lambda folder, said: f"{command} {quoted(said, before, after)}"


def with_quotes(*lines):
    return "".join(line + "\n" for line in lines)


COLUMNS = [
    case("an id that comes twice", table("path,start,end\na.wav,0,0.2\nb.wav,0,0.2\na.wav,0,0.2\n"), EXTRACT,
         "line 4: the id 'a#0-0.2' is that of line 2 already; give the clips different ids in a column 'id'",
         put("m.csv", "path,start,end,id\na.wav,0,0.2,c1\nb.wav,0,0.2,c2\na.wav,0,0.2,c3\n"), AGAIN, right=stored("c1", "c2", "c3")),
    case("rows that may be parts", table("path,t_min,t_max\na.wav,0,0.2\na.wav,0.2,0.5\n"), EXTRACT,
         "the id 'a' is that of line 2 already; if the rows are parts of a recording, give --column start=t_min --column end=t_max",
         options("of a recording, give "), right=stored(duration=[0.2, 0.3])),
    case("rows that may be parts, with names of several words", table("path,Begin Time (s),End Time (s)\na.wav,0,0.2\na.wav,0.2,0.5\n"), EXTRACT,
         "give --column 'start=Begin Time (s)' --column 'end=End Time (s)'", options("of a recording, give "), right=stored(duration=[0.2, 0.3])),
    case("rows that are parts, of times that no name tells", table("path,A,B\na.wav,0,0.2\na.wav,0.2,0.5\n"), EXTRACT,
         "line 3: the id 'a' is that of line 2 already; if the rows are parts of the recording, say which columns are their times "
         "(--column start=NAME --column end=NAME)", EXTRACT + " --column start=A --column end=B", right=stored(duration=[0.2, 0.3])),
    case("ids that are missing in a dataset", files("d/a.wav", d__metadata_csv="file_name,label\na.wav,x\na.wav,y\n"), "veery extract d -o f.h5",
         "metadata.csv, line 3: the id 'a' is that of metadata.csv, line 2, already; if the rows are parts of the recording, say which columns "
         "are their times (--column start=NAME --column end=NAME); if each is the whole recording, give the clips different ids in a column 'id'",
         put("d/metadata.csv", "file_name,label,id\na.wav,x,1\na.wav,y,2\n"), AGAIN, right=stored("1", "2", labels=("x", "y"))),
    case("a column of recordings under an unknown name", table("clip,label\na.wav,x\nb.wav,y\n"), EXTRACT,
         "the columns are: 'clip', 'label'; rename 'clip' to 'path', or give --column path=clip", options(", or give "), right=GOOD),
    case("a column of recordings that nothing tells", table("clip,label\nwav,x\n", "wav"), EXTRACT,
         "the columns are: 'clip', 'label'; rename that of the recordings to 'path', or give --column path=NAME",
         EXTRACT + " --column path=clip", right=stored("wav", labels=["x"])),
    *(case(f"a column named {column}, {way}", table(f"{column},label\na.wav,x\nb.wav,y\n"), command,
           f"rename '{column}' to 'path', or give --column {option}", *steps, right=right)
      for column, option in (("uri", "path=uri"), ("paht", "path=paht"), ("Sound File", "'path=Sound File'"))
      for way, command, steps, right in (
          ("renamed", EXTRACT, (edit(column, "path"), AGAIN), GOOD),
          ("by --column", EXTRACT, (options(", or give "),), GOOD),
          ("checked", "veery check m.csv", (options(", or give ", command="veery check m.csv"),), None),
          ("split", "veery split m.csv -o s.csv --ratio train=1",
           (options(", or give ", command="veery split m.csv -o s.csv --ratio train=1"),), listed("path", "a.wav", "b.wav", path="s.csv")),
          ("windows", "veery clips m.csv --window 0.25 -o s.csv",
           (options(", or give ", command="veery clips m.csv --window 0.25 -o s.csv"),),
           listed("path", "a.wav", "a.wav", "b.wav", "b.wav", path="s.csv")))),
    case("names of columns in quotation marks", table('"path"\t"label"\n"a.wav"\t"x"\n"b.wav"\t"y"\n', to="m.tsv"),
         "veery extract m.tsv -o f.h5", "they are in quotation marks: give --quoting csv",
         options("marks: give ", command="veery extract m.tsv -o f.h5"), right=GOOD),
    case("fields in quotation marks that hold tabs", table('path\tlabel\na.wav\t"x\ty"\nb.wav\ty\n', to="m.tsv"),
         "veery extract m.tsv -o f.h5", "if fields of this file are quoted as in CSV, give --quoting csv",
         options("as in CSV, give ", command="veery extract m.tsv -o f.h5"), right=stored("a", "b", labels=("x\ty", "y"))),
    case("fields in quotation marks", table('path\tlabel\n"a.wav"\tx\n"b.wav"\ty\n', to="m.tsv"), "veery extract m.tsv -o f.h5",
         "the fields of a TSV are literal: give --quoting csv if the marks are not part of the text",
         "veery extract m.tsv -o f.h5 --quoting csv --overwrite", right=GOOD),
    case("two columns of a name", table("path,label,label\na.wav,x,1\nb.wav,y,2\n"), EXTRACT,
         "there are two columns named 'label'; rename or remove one", edit("label,label", "label,number"), AGAIN, right=GOOD),
    case("a column without a name", table(",path,label\n0,a.wav,x\n1,b.wav,y\n"), EXTRACT,
         "column 1 has no name; name it or remove it (pandas: to_csv(…, index=False))",
         edit(",path", "number,path"), AGAIN, right=GOOD),
    case("a column without a name, removed", table(",path,label\n0,a.wav,x\n1,b.wav,y\n"), EXTRACT, "name it or remove it (pandas",
         put("m.csv", AB), AGAIN, right=GOOD),
    case("a column of too many labels", table("path,labels\na.wav," + "|".join(map(str, range(65_537))) + "\n"), EXTRACT,
         "the column 'labels' has 65537 names; expected at most 65536. If it holds something else, rename it",
         edit("labels", "numbers"), AGAIN, right=stored("a")),
    case("--quoting for CSV", table(AB), EXTRACT + " --quoting literal", "m.csv: --quoting literal is for TSV; this manifest is CSV", EXTRACT,
         right=GOOD),
    case("a start under another name", table("path,onset,end\na.wav,0.1,0.3\nb.wav,0.2,0.3\n"), EXTRACT,
         "rename it to 'start' (in seconds), or to something else if it is not", edit("onset", "start"), AGAIN,
         right=stored(duration=[0.2, 0.1])),
    case("a start that is none", table("path,onset,end\na.wav,0.1,0.3\nb.wav,0.2,0.3\n"), EXTRACT,
         "rename it to 'start' (in seconds), or to something else if it is not", edit("onset", "remark"), AGAIN,
         right=stored(duration=[0.3, 0.3])),
    case("an end under another name", table("path,start,offset_s\na.wav,0.1,0.3\nb.wav,0.2,0.3\n"), EXTRACT,
         "rename it to 'end' (in seconds)", edit("offset_s", "end"), AGAIN, right=stored(duration=[0.2, 0.1])),
    case("an end and a duration that disagree", table("path,start,duration,stop\na.wav,0.1,0.1,0.4\nb.wav,0.2,0.1,0.4\n"), EXTRACT,
         "if the clip ends at 'stop', give --column end=stop; if it means something else, rename it",
         options("'stop', give ", ";"), right=stored(duration=[0.3, 0.2])),
    case("a stop that is none", table("path,start,duration,stop\na.wav,0.1,0.1,0.4\nb.wav,0.2,0.1,0.4\n"), EXTRACT,
         "if it means something else, rename it", edit("stop", "platform"), AGAIN, right=stored(duration=[0.1, 0.1])),
    case("an end in samples and a duration", table("path,start,duration,stop\na.wav,0.1,0.1,3200\nb.wav,0.2,0.1,3200\n"), EXTRACT,
         "give --column end=stop (with --time-unit samples or --time-unit ms if that is not in seconds)",
         put("m.csv", "path,start,duration,stop\na.wav,800,0.1,3200\nb.wav,1600,0.1,3200\n"),
         EXTRACT + " --column end=stop --time-unit samples", right=stored(duration=[0.3, 0.2])),
    case("end and duration, both given", table("path,start,end,duration\na.wav,0.1,0.3,0.3\n"), EXTRACT,
         "end 0.3 and start + duration 0.4 disagree; give one of end and duration",
         put("m.csv", "path,start,end\na.wav,0.1,0.3\n"), AGAIN, right=stored(duration=[0.2])),
    case("decimal commas", table('path,start,end\na.wav,"0,1","0,3"\n'), EXTRACT, "; write the decimal point as '.'",
         put("m.csv", "path,start,end\na.wav,0.1,0.3\n"), AGAIN, right=stored(duration=[0.2])),
    case("points between digits", table("path;start;end\na.wav;0,1;0,3\na.wav;2.000;4.000\n"), EXTRACT,
         "start is '2.000', and other numbers have a decimal comma; write it without a point between its digits",
         put("m.csv", "path;start;end\na.wav;0,1;0,3\na.wav;0,2;0,4\n"), AGAIN, right=stored(duration=[0.2, 0.2])),
    case("minutes", table("path,start,end\na.wav,0:00.1,0:00.3\n"), EXTRACT, "; write 1:30 as 90",
         put("m.csv", "path,start,end\na.wav,0.1,0.3\n"), AGAIN, right=stored(duration=[0.2])),
    case("several recordings in a row", table('path\n"[""a.wav"", ""b.wav""]"\n'), EXTRACT,
         "path is a list, such as of several recordings; expected one: write a row for each", put("m.csv", "path\na.wav\nb.wav\n"),
         AGAIN, right=stored("a", "b")),
    case("a column that may be the label", table("path,species\na.wav,x\nb.wav,y\n"), EXTRACT,
         "no label is read, and 1 column may hold labels: 'species' (--column label=species); if it does, give this option",
         options("(", ")", EXTRACT + " --overwrite"), right=GOOD),
    case("a name of two words that may be the label", table("path,Common Name\na.wav,x\nb.wav,y\n"), EXTRACT,
         "'Common Name' (--column 'label=Common Name'); if it does, give this option", options("(", ")", EXTRACT + " --overwrite"),
         right=GOOD),
    case("two columns that may be the label", table("path,species,type\na.wav,x,song\nb.wav,y,call\n"), EXTRACT,
         "2 columns may hold labels: 'species' (--column label=species), 'type' (--column label=type); give the option of the one that does",
         options("'species' (", ")", EXTRACT + " --overwrite"), right=GOOD),
    case("labels between commas", table('path,labels\na.wav,"x,y"\nb.wav,"y,z"\n'), EXTRACT,
         "names in the column 'labels' have commas or semicolons, and are not split there: 'x,y' (--label-separator ','), …; "
         "to split them, give this option", options("'x,y' (", ")", EXTRACT + " --overwrite"), right=names_of_labels("x", "y", "z")),
    case("labels between semicolons", table("path,labels\na.wav,x;y\nb.wav,y;z\n"), EXTRACT, "'x;y' (--label-separator ';')",
         options("'x;y' (", ")", EXTRACT + " --overwrite"), right=names_of_labels("x", "y", "z")),
    case("--label-separator without a column of labels", table("path,label\na.wav,x;y\n"), EXTRACT + " --label-separator ';'",
         "there is no column 'labels', which --label-separator is for; give --column labels=COLUMN for the one that has all labels of a clip",
         EXTRACT + " --label-separator ';' --column labels=label", right=names_of_labels("x", "y")),
    case("a list as the label, and a column of labels", table('path,tags,labels\na.wav,"[""x"",""y""]",z\n'), EXTRACT + " --column label=tags",
         "a list, and there are 'labels', too; give --column labels=COLUMN for the one column that has all labels of a clip",
         EXTRACT + " --column labels=tags", right=names_of_labels("x", "y")),
    case("a column named almost like one", table('{"path": "a.wav", "Label": "x"}\n{"path": "b.wav", "Label": "y"}\n', to="m.jsonl"),
         "veery extract m.jsonl -o f.h5", "rename what is meant to be read", "sed -i s/Label/label/ m.jsonl",
         "veery extract m.jsonl -o f.h5 --overwrite", right=GOOD),
    case("times under other names", table("path,onset,offset\na.wav,0.1,0.3\nb.wav,0.2,0.3\n"), EXTRACT,
         "'onset' (--column start=onset), 'offset' (--column end=offset); if they do, give these options",
         lambda folder, said: " ".join([EXTRACT, "--overwrite", *re.findall(r"\((--column [^)]*)\)", said.text)]),
         right=stored(duration=[0.2, 0.1])),
    case("a time under another name", table("path,onset\na.wav,0.1\nb.wav,0.2\n"), EXTRACT,
         "1 column that is not read may say where in them the clips are: 'onset' (--column start=onset); if it does, give this option",
         options("'onset' (", ")", EXTRACT + " --overwrite"), right=stored(duration=[0.4, 0.3])),
    case("times of frames", table("path,start_frame,end_frame\na.wav,0,20\na.wav,20,50\n"), EXTRACT,
         "if the rows are parts of a recording, write the seconds of 'start_frame' as 'start', 'end_frame' as 'end'",
         put("m.csv", "path,start,end\na.wav,0,0.2\na.wav,0.2,0.5\n"), AGAIN, right=stored(duration=[0.2, 0.3])),
    case("paths with a variable", table("path\n$DATA/a.wav\n~/b.wav\n", "wav/a.wav", "wav/b.wav"), EXTRACT,
         "write the folder out, or remove it and give --root", put("m.csv", "path\na.wav\nb.wav\n"),
         EXTRACT + " --root wav --overwrite", right=stored("a", "b")),
    case("paths with a variable, written out", table("path\n$DATA/a.wav\n~/b.wav\n", "wav/a.wav", "wav/b.wav"), EXTRACT,
         "write the folder out", put("m.csv", "path\nwav/a.wav\nwav/b.wav\n"), EXTRACT + " --overwrite", right=stored("wav/a", "wav/b")),
    case("addresses", table("path\nhttps://x.org/a.wav\n", "got/a.wav"), EXTRACT, "fetch them first",
         put("m.csv", "path\ngot/a.wav\n"), EXTRACT + " --overwrite", right=stored("got/a")),
    case("no recording but addresses", table("path\nhttps://x.org/a.wav\n", "got/a.wav"), EXTRACT,
         "it is an address of the network: fetch the recordings, and name their files in the table",
         put("m.csv", "path\ngot/a.wav\n"), EXTRACT + " --overwrite", right=stored("got/a")),
]

SYNTAX = [
    case("tabs in a CSV", table("path\tlabel\na.wav\tx\nb.wav\ty\n"), EXTRACT,
         "its columns are separated by tabs; expected commas in a CSV: give --format tsv, or name the file .tsv",
         EXTRACT + " --format tsv", right=GOOD),
    case("tabs in a CSV, renamed", table("path\tlabel\na.wav\tx\nb.wav\ty\n"), EXTRACT, "or name the file .tsv", "mv m.csv m.tsv",
         "veery extract m.tsv -o f.h5", right=GOOD),
    *(case(f"{what} in a TSV, {way}", table(f"path{mark}label\na.wav{mark}x\nb.wav{mark}y\n", to="m.tsv"),
           "veery extract m.tsv -o f.h5", f"separated by {what}; expected tabs in a TSV: give --format csv, or name the file .csv",
           *steps, right=GOOD)
      for what, mark in (("commas", ","), ("semicolons", ";"))
      for way, steps in (("as CSV", ("veery extract m.tsv -o f.h5 --format csv",)), ("renamed", ("mv m.tsv m.csv", EXTRACT)))),
    case("bars", table("path|label\na.wav|x\nb.wav|y\n"), EXTRACT, "export it with commas, or as TSV",
         "sed -i 's/|/,/' m.csv", AGAIN, right=GOOD),
    case("bars, as TSV", table("path|label\na.wav|x\nb.wav|y\n"), EXTRACT, "export it with commas, or as TSV",
         "tr '|' '\\t' < m.csv > m.tsv", "veery extract m.tsv -o f.h5", right=GOOD),
    *(case(f"a table between blanks, {way}", table(AB.replace(",", " "), to="m.txt"), "veery extract m.txt -o f.h5",
           "m.txt: cannot tell the format by the extension (csv, tsv, jsonl) or the first line: expected names of columns between commas, "
           "semicolons or tabs, one of them 'path', or a JSON object", *steps, **more)
      for way, steps, more in (
          ("with commas", ("tr ' ' ',' < m.txt > m.csv", EXTRACT), {"right": GOOD}),
          ("as CSV", ("veery extract m.txt -o f.h5 --format csv",),
           {"better": "the columns are: 'path label'; names of columns are separated by commas, semicolons or tabs"}),
          ("as JSON Lines", ("veery extract m.txt -o f.h5 --format jsonl",), {"better": "line 1"}))),
    case("a list of recordings", table("a.wav\nb.wav\n", to="list.txt"), "veery extract list.txt -o f.h5",
         "has no header: line 1 is a row, with the recording 'a.wav'; write the names of its columns above it ('label' is that of the labels), such as by: ",
         shell("such as by: "), "veery extract with-header.csv -o f.h5", right=stored("a", "b")),
    case("a list of recordings by find", files("d/a.wav", "d/b.wav"), "find d -name '*.wav' | sort > list; veery extract list -o f.h5",
         "; write the names of its columns above it ('label' is that of the labels), such as by: ", shell("such as by: "), "veery extract with-header.csv -o f.h5",
         right=stored("d/a", "d/b")),
    case("a table of unknown names", table("clip,label\na.wav,x\nb.wav,y\n", to="m.txt"), "veery extract m.txt -o f.h5",
         "if it is one of these, give --format csv, tsv or jsonl", "veery extract m.txt -o f.h5 --format csv",
         better="rename 'clip' to 'path', or give --column path=clip"),
    case("a table of unknown names, renamed", table("clip,label\na.wav,x\nb.wav,y\n", to="m.txt"), "veery extract m.txt -o f.h5",
         "one of them 'path'", edit("clip", "path", "m.txt"), AGAIN, right=GOOD),
    case("standard input without a format", table(AB), "tr ',' ' ' < m.csv | veery extract - -o f.h5",
         "cannot tell the format by the first line: expected names of columns between commas", "veery extract - -o f.h5 < m.csv", right=GOOD),
    case("a quotation mark inside a field", table('path,label\na.wav,x "y"\nb.wav,y\n'), EXTRACT,
         "a quotation mark inside the unquoted field 2; put the whole field in quotation marks and double those inside",
         edit('x "y"', '"x ""y"""'), AGAIN, right=stored("a", "b", labels=('x "y"', "y"))),
    case("a quotation mark that is not closed", table('path,label\na.wav,"x\nb.wav,y\nc.wav,"\n', "a.wav", "b.wav", "c.wav"), EXTRACT,
         "if it is one, close the quotation mark before it, or double one that belongs to the text", edit('"x', '"x"'), edit('c.wav,"', "c.wav,z"),
         AGAIN, right=stored("a", "b", "c", labels=("x", "y", "z"))),
    case("a field of several lines", table('path,label\na.wav,"x\nb.wav,y"\n'), EXTRACT,
         "if the field does hold line ends, write the manifest as JSON Lines", put("m.jsonl",
         json.dumps({"path": "a.wav", "label": "x\nb.wav,y"}) + "\n"), "veery extract m.jsonl -o f.h5", right=stored("a", labels=["x\nb.wav,y"])),
    case("a quotation mark of a TSV", table('path\tlabel\na.wav\t"x\nb.wav\ty"\n', to="m.tsv"),
         "veery extract m.tsv -o f.h5 --quoting csv", "(or give --quoting literal)", "veery extract m.tsv -o f.h5 --quoting literal",
         right=stored("a", "b", labels=('"x', 'y"'))),
    case("text after a quotation mark", table('path,label\na.wav,"x" y\nb.wav,y\n'), EXTRACT,
         "text after the closing quotation mark of field 2; double the quotation marks inside a field", edit('"x" y', '"""x"" y"'), AGAIN,
         right=stored("a", "b", labels=('"x" y', "y"))),
    case("line ends of an old Mac", table("path,label\ra.wav,x\rb.wav,y\r"), EXTRACT,
         "holds a carriage return without a line feed; end lines in LF or CR LF", "sed -i 's/\\r/\\n/g' m.csv", AGAIN, right=GOOD),
    case("a carriage return in a field", table("path,label\na.wav,x\rz\nb.wav,y\n"), EXTRACT, ", or put the field in quotation marks",
         edit("x\rz", '"x\rz"'), AGAIN, right=stored("a", "b", labels=("x\rz", "y"))),
    case("a control character in JSON", table('{"path": "a.wav", "label": "x\tz"}\n', to="m.jsonl"), "veery extract m.jsonl -o f.h5",
         "a string holds a control character at byte 30; write it as an escape", edit("x\tz", "x\\tz", "m.jsonl"), AGAIN,
         right=stored("a", labels=["x\tz"])),
    case("a mixture of encodings", table("path,label\na.wav,Küken\n".encode("latin-1") + "b.wav,Möwe\n".encode()), EXTRACT,
         "is not valid UTF-8; is the file Latin-1 (ISO 8859-1) or Windows-1252? Save it as UTF-8",
         put("m.csv", "path,label\na.wav,Küken\nb.wav,Möwe\n"), AGAIN, right=stored("a", "b", labels=("Küken", "Möwe"))),
    case("UTF-16 without a mark", table("鳥,path,label\n1,a.wav,x\n2,b.wav,y\n".encode("utf-16-le")), EXTRACT,
         "holds a NUL byte; is the file UTF-16? Save it as UTF-8", "iconv -f UTF-16LE -t UTF-8 m.csv > u.csv", "veery extract u.csv -o f.h5",
         right=GOOD),
    case("UTF-16 that is cut off", table(b"\xff\xfe" + AB.rstrip("\n").encode("utf-16-le") + b"\x3d"), EXTRACT,
         "has half of a character in UTF-16: the file is damaged or cut off; write it again, best as UTF-8",
         put("m.csv", AB), AGAIN, right=GOOD),
    case("a NUL byte", table(AB.replace("x", "x\0")), EXTRACT, "; otherwise remove the byte", "tr -d '\\0' < m.csv > u.csv",
         "veery extract u.csv -o f.h5", right=GOOD),
    case("a NUL byte in JSON Lines", table('{"path": "a.wav"}\0\n', to="m.jsonl"), "veery extract m.jsonl -o f.h5", "; otherwise remove the byte",
         "tr -d '\\0' < m.jsonl > u.jsonl", "veery extract u.jsonl -o f.h5", right=stored("a")),
    case("UTF-32", table(AB.encode("utf-32")), EXTRACT, "save it as UTF-8 (iconv -f UTF-32 -t UTF-8)",
         lambda folder, said: quoted(said, "UTF-8 (", ")") + " m.csv > u.csv", "veery extract u.csv -o f.h5", right=GOOD),
    *(case(f"compressed, to be unpacked by {program}", table(content, to=f"m.csv.{ending}"), f"veery extract m.csv.{ending} -o f.h5",
           f"unpack it first ({program})",
           lambda folder, said, ending=ending: quoted(said, "unpack it first (", ")") + f" -q -c m.csv.{ending} > u.csv",
           *(("veery extract u.csv -o f.h5",)), right=GOOD)
      for program, ending, content in (("bunzip2", "bz2", bz2.compress(AB.encode())), ("unxz", "xz", lzma.compress(AB.encode())))),
    case("compressed twice", table(gzip.compress(gzip.compress(AB.encode())), to="m.csv.gz"), "veery extract m.csv.gz -o f.h5",
         "is compressed by gzip twice; expected a manifest (CSV, TSV or JSON Lines) in UTF-8: unpack it first (gunzip)", "gunzip m.csv.gz", "mv m.csv n.csv.gz", "veery extract n.csv.gz -o f.h5", right=GOOD),
    case("a recording on standard input", files("a.wav", "b.wav"), "veery extract - -o f.h5 < a.wav",
         "is a recording; expected a manifest (CSV, TSV or JSON Lines) in UTF-8: give its path, its folder or a manifest",
         "veery extract a.wav -o f.h5", right=stored("a")),
    case("a recording on standard input, its folder", files("a.wav", "b.wav"), "veery extract - -o f.h5 < a.wav",
         "its folder or a manifest", "veery extract . -o f.h5", right=stored("a", "b")),
    case("a recording on standard input, in a manifest", files("a.wav", "b.wav"), "veery extract - -o f.h5 < a.wav",
         "a manifest", put("m.csv", "path\na.wav\n"), EXTRACT, right=stored("a")),
    case("a recording on standard input, by clips", files("a.wav", "b.wav"), "veery extract - -o f.h5 < a.wav",
         "such as one that 'veery clips' makes of it", "veery clips a.wav --window 0.25 -o m.csv", EXTRACT, right=stored("a#0-0.25", "a#0.25-0.5")),
    case("no such file", table(AB), "veery extract n.csv -o f.h5", "there is no such file or folder; check the path", EXTRACT, right=GOOD),
]


# --- Formats that are not read


RTTM = "SPEAKER a 1 0.100 0.300 <NA> <NA> ann <NA> <NA>\nSPEAKER b 1 0.200 0.200 <NA> <NA> bob <NA> <NA>\n"
STM = "a 1 ann 0.10 0.40 <o,f0> hello\nb 1 bob 0.20 0.40 <o,f0> world\n"
PARTS = stored(duration=[0.3, 0.2])


FOREIGN = [
    case("RTTM, given as a dataset", files("a.wav", "b.wav", t_rttm=RTTM), "veery extract t.rttm -o f.h5",
         "found RTTM, which is annotations: make clips of it by veery clips RECORDINGS --annotations t.rttm -o clips.csv",
         "veery clips . --annotations t.rttm -o m.csv && " + EXTRACT, right=stored(labels=("ann", "bob"), duration=[0.3, 0.2])),
    *(case(f"{title}, {way}", files("a.wav", "b.wav", **{f"t_{ending}": text}), command, ("found" if way == "extracted" else "it is") + f" {title}, for which Veery has no reader: make a table path,start,",
           shell("such as by: "), "veery extract annotations.csv -o f.h5" if way == "extracted" else
           "veery clips . --annotations annotations.csv -o m.csv && " + EXTRACT,
           right=stored(labels=labels, duration=[0.3, 0.2]))
      for title, ending, text, labels in (("STM", "stm", STM, ("ann", "bob")),)
      for way, command in (("extracted", f"veery extract t.{ending} -o f.h5"),
                           ("of recordings", f"veery clips . --annotations t.{ending} -o m.csv"))),
    case("TIMIT", files("a.wav", a_phn="0 1600 h#\n1600 4000 sh\n"), "veery extract a.phn -o f.h5", "found a label file of TIMIT",
         shell("such as by: "), "veery extract annotations.csv -o f.h5 --column start=start_sample --column end=end_sample --time-unit samples",
         right=stored(labels=("h#", "sh"), duration=[0.2, 0.3])),
    case("TIMIT, by clips", files("a.wav", a_phn="0 1600 h#\n1600 4000 sh\n"), "veery clips a.wav --annotations a.phn -o m.csv",
         "it is a label file of TIMIT", shell("such as by: "), "veery clips a.wav --annotations annotations.csv -o m.csv && " + EXTRACT,
         right=stored(labels=("h#", "sh"), duration=[0.2, 0.3])),
    *(case(f"a table made of .{ending}", files("a.wav", **{f"t_{ending}": text}), f"veery extract t.{ending} -o f.h5",
           f"found {title}, for which Veery has no reader: make a table path,start,{end},label of it, in seconds",
           put("labels.csv", f"path,start,{end},label\na.wav,0.1,{value},x\n"), "veery extract labels.csv -o f.h5",
           right=stored(labels=["x"], duration=[0.2]))
      for title, ending, end, value, text in (
          ("a label file of HTK with times in units of 100 ns", "mlf", "end", 0.3, '#!MLF!#\n"*/a.lab"\n0 3000000 x\n.\n'),
          ("a label file of HTK with times in units of 100 ns", "lab", "end", 0.3, "1000000 3000000 x\n"),
          ("JSON of batdetect2", "json", "end", 0.3, '{"annotation": [{"start_time": 0.1, "class": "x"}]}'),
          ("JAMS", "jams", "duration", 0.2, '{"annotations": [{"namespace": "tag_open"}]}'),
          ("SubRip", "srt", "end", 0.3, "1\n00:00:00,100 --> 00:00:00,300\nx\n"),
          ("WebVTT", "vtt", "end", 0.3, "WEBVTT\n\n00:00.100 --> 00:00.300\nx\n"),
          ("Transcriber", "trs", "end", 0.3, "<!DOCTYPE Trans SYSTEM 'trans-14.dtd'>"), ("CHAT", "cha", "end", 0.3, "@Begin\n*A: x\n@End\n"))),
    *(case(f"{title}, {way}", files("a.wav", **{f"t_{ending}": text}), f"veery clips a.wav --annotations t.{ending} -o m.csv",
           says, put(name, exported), f"veery clips a.wav --annotations {name} -o m.csv && " + EXTRACT,
           right=stored(labels=["x"], duration=[0.2]))
      for title, ending, text, says, exports in (
          ("ELAN", "eaf", "<ANNOTATION_DOCUMENT>", "export it as a Praat TextGrid (File, Export As), or make a table path,start,end,label of it",
           {"TextGrid": 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n0.5\n<exists>\n1\n"IntervalTier"\n"t"\n0\n0.5\n3\n'
            '0\n0.1\n""\n0.1\n0.3\n"x"\n0.3\n0.5\n""\n', "csv": "path,start,end,label\na.wav,0.1,0.3,x\n"}),
          ("JSON of Label Studio", "json", '[{"annotations": [{"result": []}]}]',
           "export it as CSV, or make a table path,start,end,label of it, in seconds", {"csv": "path,start,end,label\na.wav,0.1,0.3,x\n"}),
          ("a layer of Sonic Visualiser", "svl", "<!DOCTYPE sonic-visualiser>",
           "export the annotation layer as CSV with a header, or make a table path,start,end,label of it, in seconds",
           {"csv": "TIME,DURATION,LABEL\n0.1,0.2,x\n", "table.csv": "path,start,end,label\na.wav,0.1,0.3,x\n"}),
          ("a project of Audacity", "aup3", "SQLite format 3\0", "export its labels (File, Export Other, Export Labels), which are read",
           {"txt": "0.1\t0.3\tx\n"}),
          ("a binary TextGrid", "TextGrid", "ooBinaryFile\x08TextGrid", "save it as a text file in Praat, which is read",
           {"text.TextGrid": 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n0.5\n<exists>\n1\n"IntervalTier"\n"t"\n0\n0.5\n3\n'
            '0\n0.1\n""\n0.1\n0.3\n"x"\n0.3\n0.5\n""\n'}))
      for way, exported in exports.items() for name in [f"exported.{way}"]),
    case("the strong labels of AudioSet", files("a.wav", t_tsv="segment_id\tstart_time_seconds\tend_time_seconds\tlabel\na_30000\t0.1\t0.3\tx\n"),
         "veery clips . --annotations t.tsv -o m.csv",
         "make a table path,start,end,label of it; segment_id is the name of the video and its start in milliseconds",
         put("labels.csv", "path,start,end,label\na.wav,0.1,0.3,x\n"), "veery extract labels.csv -o f.h5",
         right=stored(labels=["x"], duration=[0.2])),
    case("TIMIT, without the columns", files("a.wav", a_csv="path,start_sample,end_sample,label\na.wav,0,1600,h#\na.wav,1600,4000,sh\n"),
         "veery extract a.csv -o f.h5", "give --column start=start_sample --column end=end_sample --time-unit samples",
         options("of a recording, give ", command="veery extract a.csv -o f.h5"), right=stored(labels=("h#", "sh"), duration=[0.2, 0.3])),
    case("Zstandard", files("a.wav", "b.wav", m_csv=AB), "zstd -q m.csv && veery extract m.csv.zst -o f.h5", "unpack it first (unzstd)",
         "rm m.csv && unzstd -q m.csv.zst", EXTRACT, right=GOOD, program="zstd"),
    case("a workbook of Excel", table(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), to="m.xls"), "veery extract m.xls -o f.h5",
         "an Excel workbook; expected a manifest (CSV, TSV or JSON Lines) in UTF-8: save the sheet as 'CSV UTF-8'",
         put("m.csv", b"\xef\xbb\xbf" + AB.replace("\n", "\r\n").encode()), EXTRACT, right=GOOD),
    case("a workbook of Excel, as it is today", lambda folder: (recordings(folder), zipfile.ZipFile(folder / "m.zip", "w").writestr("xl/x", "x")), "cp m.zip m.xlsx; veery extract m.xlsx -o f.h5",
         "unpack it, or save the sheet as 'CSV UTF-8'", put("m.csv", b"\xef\xbb\xbf" + AB.replace("\n", "\r\n").encode()), EXTRACT, right=GOOD),
    *(case(f"an array of JSON{way}", table(json.dumps([{"path": "a.wav", "label": "x"}, {"path": "b.wav", "label": "y"}], indent=indent),
                                           to="all.jsonl"), "veery extract all.jsonl -o f.h5", "write an object on every line, such as by: ",
           shell("such as by: "), "veery extract manifest.jsonl -o f.h5", right=GOOD, program="jq")
      for way, indent in (("", None), (", indented", 1))),
    case("a database", table(b"SQLite format 3\0" + bytes(600), to="m.db"), "veery extract m.db -o f.h5", "export its table as CSV",
         put("m.csv", AB), EXTRACT, right=GOOD),
]


# --- Annotations


RAVEN = "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tBegin File\tSpecies\n"


def raven(*rows, more=""):
    head = RAVEN.rstrip("\n") + more + "\n"
    return head + "".join(f"{number}\tSpectrogram 1\t1\t{start}\t{end}\t100\t900\t{file}\t{label}{rest}\n"
                          for number, (start, end, file, label, *rest) in enumerate(rows, 1) for rest in ["".join(rest)])


def grid(*tiers):
    text = f'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n0.5\n<exists>\n{len(tiers)}\n'
    for tier, label in tiers:
        text += f'"IntervalTier"\n"{tier}"\n0\n0.5\n3\n0\n0.1\n""\n0.1\n0.3\n"{label}"\n0.3\n0.5\n""\n'
    return text


CLIPS = "veery clips . --annotations t.csv -o m.csv"
OWLS = "path,start,end,label,annotator\na.wav,0.1,0.3,owl,ann\na.wav,0.1,0.3,owl,bob\n"

ANNOTATIONS = [
    case("no such file", files("a.wav", t_csv="path,start,end\na.wav,0.1,0.3\n"), "veery clips a.wav --annotations u.csv -o m.csv",
         "there is no such file; check the path", "veery clips a.wav --annotations t.csv -o m.csv", right=listed("start", "0.1")),
    case("a unit of seconds alone", files("a.wav", a_txt="0.1\t0.3\tx\n"), "veery clips a.wav --annotations a.txt --time-unit ms -o m.csv",
         "whose times are in seconds: leave it out, or convert the times to seconds", "veery clips a.wav --annotations a.txt -o m.csv",
         right=listed("start", "0.1")),
    case("a unit of seconds alone, converted", files("a.wav", a_txt="100\t300\tx\n"),
         "veery clips a.wav --annotations a.txt --time-unit ms -o m.csv", "or convert the times to seconds",
         put("a.txt", "0.1\t0.3\tx\n"), "veery clips a.wav --annotations a.txt -o m.csv", right=listed("start", "0.1")),
    case("an annotator who is not there", files("a.wav", t_csv=OWLS), CLIPS + " --annotator eve",
         "no annotation is by 'eve' (--annotator); the annotators are: 'ann', 'bob'", CLIPS + " --annotator ann",
         right=listed("label", "owl")),
    case("annotators who agree", files("a.wav", t_csv=OWLS), CLIPS, "; --annotator takes those of one annotator, --tier those of one tier",
         CLIPS + " --annotator ann --overwrite", right=listed("label", "owl")),
    case("tiers that agree", files("a.wav", a_TextGrid=grid(("ann", "owl"), ("bob", "owl"))), "veery clips . -o m.csv --tier '*'",
         "; --annotator takes those of one annotator, --tier those of one tier", "veery clips . -o m.csv --tier ann --overwrite",
         right=listed("label", "owl")),
    case("an annotator of a TextGrid", files("a.wav", a_TextGrid=grid(("ann - words", "owl"), ("bob - words", "owl"))),
         "veery clips . -o m.csv --tier '* - words' --annotator ann",
         "a TextGrid has tiers in place of annotators: --tier takes one, or those that match a pattern",
         "veery clips . -o m.csv --tier 'ann - words'", right=listed("label", "owl")),
    case("two columns of a name", files("a.wav", t_csv="onset,offset,file,label,label\n0.1,0.3,a.wav,x,y\n"), CLIPS,
         "there are 2 columns 'label'; expected one: rename or remove the others",
         put("t.csv", "onset,offset,file,label,other\n0.1,0.3,a.wav,x,y\n"), AGAIN, right=listed("label", "x")),
    case("no column of labels of the name", files("a.wav", t_csv="path,start,end,species\na.wav,0.1,0.3,x\n"), CLIPS + " --label-column kind",
         "there is no column 'kind', which --label-column names", CLIPS + " --label-column species", right=listed("label", "x")),
    case("no column of recordings of the name", files("a.wav", t_csv="path,start,end,label\na.wav,0.1,0.3,x\n"), CLIPS + " --path-column file",
         "there is no column 'file', which --path-column names; the columns are: 'path'", CLIPS + " --path-column path",
         right=listed("label", "x")),
    case("selections of several recordings", files("a.wav", "b.wav", t_txt=raven((0.1, 0.3, "a.wav", "x"), (0.6, 0.8, "b.wav", "y"))),
         "veery clips . --annotations t.txt -o m.csv",
         "and there is no column 'File Offset (s)', so the times may count from the start of the first one: add that column in Raven",
         put("t.txt", raven((0.1, 0.3, "a.wav", "x", "\t0.1"), (0.6, 0.8, "b.wav", "y", "\t0.1"), more="\tFile Offset (s)")), AGAIN,
         right=listed("start", "0.1", "0.1")),
    case("selections of several recordings, each from its start",
         files("a.wav", "b.wav", t_txt=raven((0.1, 0.2, "a.wav", "x"), (0.3, 0.4, "b.wav", "y"))), "veery clips . --annotations t.txt -o m.csv",
         "where they count from the start of each recording, add it as a copy of 'Begin Time (s)'",
         put("t.txt", raven((0.1, 0.2, "a.wav", "x", "\t0.1"), (0.3, 0.4, "b.wav", "y", "\t0.3"), more="\tFile Offset (s)")), AGAIN,
         right=listed("start", "0.1", "0.3")),
    *(case(f"several tiers, {way}", files("a.wav", a_TextGrid=grid(("words", "x"), ("phones", "y"))), "veery clips . -o m.csv",
           "expected one tier, found 2: ", f"veery clips . -o m.csv --tier {tier}", right=listed("label", label))
      for way, tier, label in (("by name", "phones", "y"), ("by number", "'#1'", "x"))),
    case("tiers of one name", files("a.wav", a_TextGrid=grid(("words", "x"), ("words", "y"))), "veery clips . --tier words -o m.csv",
         "choose one by its number, such as --tier '#1'", options("choose one by its number, such as ", command="veery clips . -o m.csv"),
         right=listed("label", "x")),
    case("more than is counted", files("a.wav", a_TextGrid=grid(("words", "x"), ("phones", "y")).replace("<exists>\n2", "<exists>\n1")),
         "veery clips . -o m.csv", "expected the end of the file after what it counts", edit("<exists>\n1", "<exists>\n2", "a.TextGrid"),
         "veery clips . -o m.csv --tier words", right=listed("label", "x")),
    case("columns of times under other names", files("a.wav", t_csv="file,in,out,label\na.wav,0.1,0.3,x\n"), CLIPS + " --label-column label --annotations-format times",
         "; name them with --start-column and --end-column", CLIPS + " --start-column in --end-column out", right=listed("start", "0.1")),
    case("a NUL byte", files("a.wav", t_csv=b"path,start,end,label\na.wav,0.1,0.3,x\0\n"), CLIPS, "or has a NUL byte; save it as UTF-8, without",
         put("t.csv", "path,start,end,label\na.wav,0.1,0.3,x\n"), AGAIN, right=listed("label", "x")),
    case("bytes of no text", files("a.wav", t_csv=b"path,start,end,label\na.wav,0.1,0.3,\x81\x8d\n"), CLIPS,
         "it is not valid UTF-8, UTF-16 or Windows-1252 (Latin-1), or has a NUL byte; save it as UTF-8, without",
         put("t.csv", "path,start,end,label\na.wav,0.1,0.3,ü\n"), AGAIN, right=listed("label", "ü")),
    case("Latin-1", files("a.wav", t_csv="onset,offset,file,label\n0.1,0.3,a.wav,Küken\n".encode("latin-1")), CLIPS,
         "save as UTF-8 what is in another encoding", "iconv -f latin1 -t utf-8 t.csv > u.csv && mv u.csv t.csv", CLIPS + " --overwrite",
         right=listed("label", "Küken")),
    case("a manifest beside recordings", files("a.wav", t__m_csv="path,start,end,label\na.wav,0.1,0.3,x\n", t__a_txt="0.1\t0.2\ty\n"),
         "veery clips a.wav --annotations t -o m.csv", "to read one, give the file itself with --annotations",
         "veery clips a.wav --annotations t/a.txt --annotations t/m.csv -o m.csv --overwrite", right=listed("label", "y", "x")),
    case("tables of two kinds beside a recording", files("a.wav", a_csv="onset,offset,label\n0.1,0.3,x\n", a_TextGrid=grid(("t", "y"))),
         "veery clips . -o m.csv", "choose for all recordings by --annotations-named '*.TextGrid' or '*.csv'",
         "veery clips . -o m.csv --annotations-named '*.csv'", right=listed("label", "x")),
    case("a delimiter in a field", files("a.wav", t_csv="file,start,end,label\na.wav,0.1,0.3,x,y\n"), CLIPS,
         "line 2: has 5 fields; the header has 4; put a field that holds the delimiter in quotation marks", edit("x,y", '"x,y"', "t.csv"), AGAIN,
         right=listed("label", "x,y")),
    *(case(f"a selection whose recording is in doubt, {way}", files(
           "a.wav", t_txt=raven(*((start, end, "", "x", f"\t{name}") for start, end, name in ((0.1, 0.2, "a.wav"), (0.3, 0.4, "b"))), more="\tFile")
           .replace("Begin File\t", "").replace("\t\tx", "\tx")),
           "mv t.txt a.Table.1.selections.txt; veery clips . -o m.csv",
           "expected the name of a recording with its extension; if the column is something else, rename it",
           edit(old, new, "a.Table.1.selections.txt"), "veery clips . -o m.csv", right=listed("start", "0.1", "0.3"))
      for way, old, new in (("named", "\tb\n", "\ta.wav\n"), ("renamed", "\tFile\n", "\tRemark\n"))),
    case("a column of recordings under another name", files("a.wav", "b.wav", t_csv="take,start,end,label\na.wav,0.1,0.3,x\nb.wav,0.1,0.3,y\n"),
         CLIPS, "; --path-column names the column of recordings, if it has one", CLIPS + " --path-column take", right=listed("label", "x", "y")),
    *(case(f"a table that may be of two recordings, {way}", lambda folder: (
           [(folder / name).mkdir() for name in ("s1", "s2")], recordings(folder, "s1/a.wav", "s2/a.wav"),
           (folder / "a.txt").write_text("0.1\t0.3\tx\n")), command, "move it into the folder of its recording", "mv a.txt s2",
           "veery clips . -o m.csv", right=listed("path", "s2/a.wav"))
      for way, command in (("found", "veery clips . -o m.csv"), ("given", "veery clips . --annotations a.txt -o m.csv"))),
    *(case(f"a table {what}", files("a.wav", t_csv=f"file,{columns},label\na.wav,0.1,0.3,x\n"), "veery clips . -o m.csv", says,
           "veery clips . -o m.csv " + option, right=listed("end", end))
      for what, columns, says, option, end in (
          ("without an end", "start,till", "no column of ends or lengths is known in it: --end-column or --duration-column names one",
           "--end-column till", "0.3"),
          ("without a length", "start,extent", "no column of ends or lengths is known in it: --end-column or --duration-column names one",
           "--duration-column extent", "0.4"),
          ("without a start", "since,end", "no column of starts is known in it: --start-column names one", "--start-column since", "0.3"))),
    case("no labels", files("a.wav", t_csv="path,start,end,kind_of\na.wav,0.1,0.3,x\n"), CLIPS,
         "name one with --label-column, or give all the same with --label", CLIPS + " --label-column kind_of --overwrite",
         right=listed("label", "x")),
    case("no labels, all the same", files("a.wav", t_csv="path,start,end,kind_of\na.wav,0.1,0.3,x\n"), CLIPS,
         "or give all the same with --label", CLIPS + " --label owl --overwrite", right=listed("label", "owl")),
    case("values that are not understood", files("a.wav", t_csv="path,start,end,low,label\na.wav,0.1,0.3,deep,x\n"), CLIPS,
         "correct them, or leave their fields empty", edit("deep", "100", "t.csv"), CLIPS + " --overwrite", right=listed("label", "x")),
    case("values that are not understood, left empty", files("a.wav", t_csv="path,start,end,low,label\na.wav,0.1,0.3,deep,x\n"), CLIPS,
         "or leave their fields empty", edit("deep", "", "t.csv"), CLIPS + " --overwrite", right=listed("label", "x")),
    case("a table of a recording with a longer name", files("a.wav", t_txt=raven((0.1, 0.3, "a.wav", "x"))),
         "mv t.txt a_JS.Table.1.selections.txt; veery clips . -o m.csv",
         "if one is of another recording, rename it, or give the right files with --annotations",
         "veery clips a.wav --annotations a_JS.Table.1.selections.txt -o m.csv --overwrite", right=listed("label", "x")),
    case("a table of a recording with a longer name, renamed", files("a.wav", "b.wav", t_txt=raven((0.1, 0.3, "", "x")).replace("Begin File\t", "").replace("\t\tx", "\tx")),
         "mv t.txt a_JS.Table.1.selections.txt; veery clips . -o m.csv", "if one is of another recording, rename it",
         "mv a_JS.Table.1.selections.txt b.Table.1.selections.txt", "veery clips . -o m.csv --overwrite", right=listed("path", "b.wav")),
    case("an annotation of a channel", lambda folder: (write_wav(folder / "a.wav", RATE, np.stack([noise(1, 4000), noise(2, 4000)], 1)),
         (folder / "a.Table.1.selections.txt").write_text(raven((0.1, 0.3, "a.wav", "x")))), "veery clips . -o m.csv",
         "--channel mix takes the mean of all", "veery clips . -o m.csv --channel mix --overwrite",
         right=lambda folder, said: rows(folder / "m.csv")[0].get("channel", "") == "" or pytest.fail("it has a channel")),
]



# --- Datasets


def kaldi(**texts):
    """Two recordings, and the files of a folder of Kaldi."""
    def make(folder):
        recordings(folder, "a.wav", "b.wav", seconds=0.5)
        for key, text in texts.items():
            (folder / "d").mkdir(exist_ok=True)
            (folder / "d" / key.replace("_scp", ".scp")).write_text(text)
    return make


def stereo(folder, name="s.wav"):
    write_wav(folder / name, RATE, np.stack([noise(1, 4000), noise(2, 4000)], 1))


def both_sides(folder):
    stereo(folder)
    (folder / "d").mkdir()
    (folder / "d/wav.scp").write_text("s-A s.wav\ns-B s.wav\n")
    (folder / "d/segments").write_text("u1 s-A 0.1 0.3\nu2 s-B 0.1 0.3\n")


def ark(folder):
    recordings(folder)
    (folder / "raw.ark").write_bytes(b"a " + (folder / "a.wav").read_bytes())
    (folder / "d").mkdir()
    (folder / "d/wav.scp").write_text("a raw.ark:2\n")


KALDI = "veery extract d -o f.h5"
CUT = {"id": "c", "start": 0.1, "duration": 0.2, "channel": 0, "type": "MonoCut", "supervisions": [],
       "recording": {"id": "a", "sources": [{"type": "file", "channels": [0], "source": "a.wav"}], "sampling_rate": RATE,
                     "num_samples": 4000, "duration": 0.5}}
LHOTSE = "veery extract cuts.jsonl -o f.h5"


def cuts(**changes):
    """A cut whose recording has other values."""
    def make(folder):
        recordings(folder)
        cut = json.loads(json.dumps(CUT))
        for key, value in changes.items():
            (cut if key == "type" else cut["recording"])[key] = value
        (folder / "cuts.jsonl").write_text(json.dumps(cut) + "\n")
    return make


SAVED = put("cuts.jsonl", json.dumps(CUT) + "\n")
LIST = table("path,label\na.wav,x\nb.wav,y\n")

DATASETS = [
    case("a table in a folder below", files("d/x/a.wav", "d/x/b.wav", d__x__labels_csv="file,label\na.wav,x\nb.wav,y\n"), "veery extract d -o f.h5",
         "'d/x/labels.csv' (it is not in the folder itself: give d/x)",
         shell("itself: give ", ")", then=" -o f.h5 --overwrite", before="veery extract "), right=GOOD),
    *(case(f"a table in an archive, {way}", files("x/a.wav", "x/b.wav", x__labels_csv="file,label\na.wav,x\nb.wav,y\n"), command,
           "labels.csv' (it is in an archive: unpack it)", *steps, right=GOOD)
      for way, command, steps in (
          ("given", "tar cf t.tar -C x . && veery extract t.tar -o f.h5",
           ("mkdir t && tar xf t.tar -C t", "veery extract t -o f.h5 --overwrite")),
          ("in a folder", "mkdir t && tar cf t/t.tar -C x . && veery extract t -o f.h5",
           ("tar xf t/t.tar -C t && rm t/t.tar", "veery extract t -o f.h5 --overwrite")))),
    *(case(f"a name that two recordings of a folder have, {way}", files("d/s1/a.wav", "d/s2/a.wav", "d/s2/b.wav", d__labels_csv=f"file,label\n{rows}"),
           "veery extract d -o f.h5", "'a.wav' is the name of 2 recordings: 's1/a.wav', 's2/a.wav'; write their folders in the table",
           put("d/labels.csv", "file,label\ns1/a.wav,x\ns2/a.wav,y\ns2/b.wav,z\n"), "veery extract d -o f.h5 --overwrite",
           right=stored("s1/a", "s2/a", "s2/b", labels=("x", "y", "z")))
      for way, rows in (("the only row", "a.wav,x\n"), ("one of its rows", "b.wav,z\na.wav,x\n"))),
    case("a folder's table with a mistake, without it", files("d/a.wav", "d/b.wav", d__labels_csv="path,label\na.wav,x\n,y\n"), "veery extract d -o f.h5",
         "nothing was done: correct the table, or read the folder without it by --format folder (of crawl: --dataset folder)",
         "veery extract d -o f.h5 --format folder", right=stored("a", "b")),
    case("a folder's table with a mistake, crawled without it", files("d/a.wav", "d/b.wav", d__labels_csv="path,label\na.wav,x\n,y\n"),
         "veery crawl d -o m.csv", "read the folder without it by --format folder (of crawl: --dataset folder)",
         "veery crawl d -o m.csv --dataset folder", right=listed("id", "a", "b")),
    case("a folder's table with a mistake, corrected", files("d/a.wav", "d/b.wav", d__labels_csv="path,label\na.wav,x\n,y\n"), "veery extract d -o f.h5",
         "nothing was done: correct the table", edit("\n,y", "\nb.wav,y", "d/labels.csv"), AGAIN, right=GOOD),
    case("parts of a Kaldi directory", files("a.wav", "b.wav", d__1__wav_scp="a a.wav\n", d__2__wav_scp="b b.wav\n"), "veery extract d -o f.h5",
         "found Kaldi data directories that are not named like splits: give one of them, such as d/1",
         shell("such as ", then=" -o f.h5", before="veery extract "), right=stored("a")),
    case("a copy of a Kaldi directory", files("a.wav", d__train__wav_scp="a a.wav\n", d__dev__wav_scp="a a.wav\n"), KALDI,
         "; where two folders have the same clips, give one of them, such as d/dev", "veery extract d/dev -o f.h5", right=stored("a")),
    case("two sides of a call", both_sides, KALDI, "and nothing says which channel each of them is: add reco2file_and_channel",
         put("d/reco2file_and_channel", "s-A s 0\ns-B s 1\n"), AGAIN, right=stored("u1", "u2", duration=[0.2, 0.2])),
    case("a line that is missing", lambda folder: (both_sides(folder), (folder / "d/reco2file_and_channel").write_text("s-A s 0\n")), KALDI,
         "reco2file_and_channel has no line for the recording 's-B': add one", put("d/reco2file_and_channel", "s-A s 0\ns-B s 1\n"), AGAIN,
         right=stored("u1", "u2")),
    case("a file that is not needed", kaldi(wav_scp="a a.wav\nb b.wav\n", reco2file_and_channel="a a 0\n"), KALDI,
         "or remove the file if all channels are meant", "rm d/reco2file_and_channel", AGAIN, right=stored("a", "b")),
    case("a command", kaldi(wav_scp="a cat a.wav |\n"), KALDI, "write its output to a file (Kaldi: wav-copy, or extract-segments), and name that",
         "cat a.wav > c.wav", put("d/wav.scp", "a c.wav\n"), AGAIN, right=stored("a")),
    case("a part of an archive", ark, KALDI, "is a part of a Kaldi archive; write it to a file of its own (wav-copy), and name that",
         "tail -c +3 raw.ark > c.wav", put("d/wav.scp", "a c.wav\n"), AGAIN, right=stored("a")),
    case("a folder below that is one, too", kaldi(wav_scp="a a.wav\n"), "mkdir d/more d/test && echo 'b b.wav' > d/more/wav.scp && mv d/wav.scp d/test && " + KALDI + " --set 'normalize.fit=\"\"'",
         "'more' (--format kaldi reads it by itself)", "veery extract d/more --format kaldi -o f.h5 --overwrite", right=stored("b")),
    case("a cut that is mixed", cuts(type="MixedCut"), LHOTSE, "expected a MonoCut: save the audio of the cuts (cuts.save_audios), and name that",
         SAVED, AGAIN, right=stored("c")),
    case("a recording that is changed", cuts(transforms=[{"name": "Speed"}]), LHOTSE, "(Speed); save its audio, and name that", SAVED, AGAIN,
         right=stored("c")),
    case("cuts of lhotse Shar", lambda folder: (tar(folder, "recording.000000.tar"), recordings(folder), (folder / "cuts.000000.jsonl").write_text(
         json.dumps({**CUT, "recording": {**CUT["recording"], "sources": [{"type": "shar", "channels": [0], "source": ""}]}}) + "\n")),
         "veery extract . -o f.h5", "by lhotse.CutSet.from_shar(in_dir=FOLDER).save_audios(OTHER).to_file(CUTS), and name those cuts",
         SAVED, LHOTSE, right=stored("c")),
    case("recordings of lhotse Shar", lambda folder: (tar(folder, "recording.000000.tar"), (folder / "cuts.000000.jsonl").write_text(
         json.dumps({**CUT, "recording": {**CUT["recording"], "sources": [{"type": "shar", "channels": [0], "source": ""}]}}) + "\n")),
         "veery extract . -o f.h5", "; or read the recordings alone, without their texts: ",
         lambda folder, said: f"veery extract {quoted(said, 'without their texts: ')} -o f.h5", right=stored("r/a", "r/b")),
    case("a recording from elsewhere", cuts(sources=[{"type": "url", "channels": [0], "source": "https://x.org/a.wav"}]), LHOTSE,
         "is an address of the network; expected a file: save the audio, and name that", SAVED, AGAIN, right=stored("c")),
    case("recordings that no row names", files("d/a.wav", "d/b.wav", d__metadata_csv="file_name,label\na.wav,x\n"), "veery extract d -o f.h5",
         "--format folder takes all recordings", "veery extract d --format folder -o f.h5 --overwrite", right=stored("a", "b")),
    case("a pattern that does not match", files("d/wren/a.wav", "d/owl_2/b.wav"), "veery crawl d --label-from '^(?<label>[0-9]+)/' -o m.csv",
         "does not match 2 files; extend it:", "veery crawl d --label-from '^(?<label>[a-z]+)(_[0-9]+)?/' -o m.csv",
         right=listed("label", "owl", "wren")),
    case("lines without a recording", files("d/yes/ab_nohash_0.wav", "d/yes/cd_nohash_0.wav", d__testing_list_txt="yes/ef_nohash_0.wav\n",
         d__validation_list_txt=""), "mv d/testing.list.txt d/testing_list.txt; mv d/validation.list.txt d/validation_list.txt; veery extract d -o f.h5",
         "check the names, and the folder that they start from", put("d/testing_list.txt", "yes/cd_nohash_0.wav\n"),
         "veery extract d -o f.h5 --overwrite", right=stored("yes/ab_nohash_0", "yes/cd_nohash_0")),
    case("another table", files("d/a.wav", d__list_csv="path,start,end\na.wav,0.1,0.3\n"), "veery extract d -o f.h5",
         "give a manifest instead of the folder", "veery extract d/list.csv -o f.h5 --overwrite", right=stored(duration=[0.2])),
    case("another table, as annotations", files("d/a.wav", d__list_csv="path,start,end\na.wav,0.1,0.3\n"), "veery extract d -o f.h5",
         "and annotations to 'veery clips' as --annotations", "veery clips d --annotations d/list.csv -o m.csv && " + EXTRACT + " --overwrite",
         right=stored(duration=[0.2])),
    case("another table, moved", files("d/a.wav", d__list_csv="path,start,end\na.wav,0.1,0.3\n"), "veery extract d -o f.h5",
         "or move it elsewhere", "mv d/list.csv .", "veery extract d -o f.h5 --overwrite", right=stored("a")),
    case("other recordings", lambda folder: (recordings(folder, "d/a.wav"), (folder / "d/b.opus2").write_bytes(b"x"),
                                             (folder / "d/b.ape").write_bytes(b"x")), "veery extract d -o f.h5",
         "unpack archives, and convert other recordings to WAV or FLAC", "cp d/a.wav d/b.wav && rm d/b.ape", "veery extract d -o f.h5 --overwrite",
         right=stored("a", "b")),
    case("clips in no list", files("a.wav", "b.wav", m_csv=AB, train_txt="a.wav\n"), "veery split m.csv --list train=train.txt -o s.csv",
         "--rest gives them one", "veery split m.csv --list train=train.txt --rest test -o s.csv --overwrite",
         right=listed("split", "train", "test", path="s.csv")),
    case("an archive that is cut off", lambda folder: (recordings(folder, "r/a.wav", "r/b.wav"),
         subprocess.run("tar cf all.tar r && head -c 10240 all.tar > r.tar", shell=True, cwd=folder, check=True)), "veery extract r.tar -o f.h5",
         "fetch them again", "cp all.tar r.tar", "veery extract r.tar -o f.h5 --overwrite", right=stored("r/a", "r/b")),
]


# --- Archives


def tar(folder, name="r.tar"):
    recordings(folder, "r/a.wav", "r/b.wav")
    subprocess.run(["tar", "cf", name, "r"], cwd=folder, check=True)
    shutil.rmtree(folder / "r")


IN_TAR = stored("r/a", "r/b")

ARCHIVES = [
    *(case(f"a tar in {program}, {way}", tar, f"{program} -q r.tar && veery extract r.tar.{ending} -o f.h5",
           "are not read: unpack it, or compress the tar with gzip or zstd", *steps, right=right, program="zstd" if "zstd" in way else program)
      for program, ending in (("xz", "xz"), ("bzip2", "bz2"))
      for way, steps, right in (
          ("unpacked", (f"tar xf r.tar.{ending}", "veery extract r -o f.h5"), stored("a", "b")),
          ("by gzip", (f"{program} -q -d r.tar.{ending} && gzip r.tar", "veery extract r.tar.gz -o f.h5"), IN_TAR),
          ("by zstd", (f"{program} -q -d r.tar.{ending} && zstd -q r.tar", "veery extract r.tar.zst -o f.h5"), IN_TAR))),
    case("a large window", tar, "cat r.tar | zstd -q --long=28 > r.tar.zst && veery extract r.tar.zst -o f.h5", "compress it without --long",
         "zstd -q -d -c --long=31 r.tar.zst | zstd -q > s.tar.zst", "veery extract s.tar.zst -o f.h5", right=IN_TAR, program="zstd"),
    case("a zip as a stream", lambda folder: (recordings(folder, "r/a.wav", "r/b.wav"), subprocess.run(
         ["python3", "-m", "zipfile", "-c", "r.zip", "r"], cwd=folder, check=True)), "veery extract --tar - -o f.h5 < r.zip",
         "a zip has its list at its end: give it as a file, without --tar", "veery extract r.zip -o f.h5", right=IN_TAR),
    case("a damaged tar with a zip at its end", lambda folder: (recordings(folder, "r/a.wav", "r/b.wav"), subprocess.run(
         "python3 -m zipfile -c r.zip r && rm -r r && tar cf r.tar r.zip && printf x | dd of=r.tar conv=notrunc status=none", shell=True,
         cwd=folder, check=True)), "veery extract r.tar -o f.h5", "it starts like a damaged tar, and ends like a zip: unpack it",
         "python3 -m zipfile -e r.tar d", "veery extract d -o f.h5", right=IN_TAR),
    case("far larger than it was", lambda folder: (recordings(folder, "r/a.wav"), subprocess.run(
         "truncate -s 1100M r/zeros && tar cf - r | zstd -q -1 > r.tar.zst && rm -r r", shell=True, cwd=folder, check=True)),
         "veery extract r.tar.zst -o f.h5", "unpack it yourself if you trust it", "zstd -d -c r.tar.zst | veery extract --tar - -o f.h5",
         right=stored("r/a"), program="zstd"),
    case("an archive as the folder", lambda folder: (tar(folder), (folder / "m.csv").write_text("path\nr/a.wav\nr/b.wav\n")),
         EXTRACT + " --root r.tar", "name recordings in the table as 'r.tar::MEMBER' (veery crawl r.tar -o members.csv lists them)",
         lambda folder, said: quoted(said, "MEMBER' (", " lists them)"), "veery extract members.csv -o f.h5 --overwrite", right=IN_TAR),
]


# --- Recordings


def sphere(folder):
    # By this name, ffmpeg is not given it.
    samples = np.round(8000 * tone(RATE, 0.5, [440])).astype(int)
    (folder / "a.voc").write_bytes(sphere_of_shorten(samples, RATE))
    (folder / "m.csv").write_text("path\na.voc\n")


def chained(folder):
    soundfile.write(folder / "a.ogg", noise(1, 4000), RATE)
    soundfile.write(folder / "b.ogg", noise(2, 4000), RATE)
    (folder / "c.ogg").write_bytes((folder / "a.ogg").read_bytes() + (folder / "b.ogg").read_bytes())
    (folder / "m.csv").write_text("path\nc.ogg\n")


def two_waves(folder):
    recordings(folder)
    (folder / "c.wav").write_bytes((folder / "a.wav").read_bytes() + (folder / "b.wav").read_bytes())
    (folder / "m.csv").write_text("path\nc.wav\n")


def two_layers(folder):
    soundfile.write(folder / "a.mp3", noise(1, 16000), 16000)
    soundfile.write(folder / "b.mp3", noise(2, 22050), 44100)
    (folder / "c.mp3").write_bytes((folder / "a.mp3").read_bytes() + (folder / "b.mp3").read_bytes())
    (folder / "m.csv").write_text("path\nc.mp3\n")


def long_mp3(folder):
    """A clip after the first hour."""
    soundfile.write(folder / "a.mp3", noise(1, 80_000), 8000)
    (folder / "l.mp3").write_bytes(370 * (folder / "a.mp3").read_bytes())
    (folder / "m.csv").write_text("path,id,start,end\nl.mp3,late,3650,3652\n")


def media(folder, ending="m4a", name="a.m4a"):
    recordings(folder)
    subprocess.run(f"ffmpeg -v error -i a.wav x.{ending} && mv x.{ending} {name}", shell=True, cwd=folder, check=True)
    (folder / "m.csv").write_text(f"path\n{name}\n")


def cut_off(folder):
    recordings(folder)
    data = (folder / "a.wav").read_bytes()
    (folder / "whole.wav").write_bytes(data)
    (folder / "a.wav").write_bytes(data[:len(data) // 2])
    (folder / "m.csv").write_text("path\na.wav\nb.wav\n")


LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 100\n"
PAGE = b"<!DOCTYPE html>\n<html><title>404</title></html>\n"


def damaged(folder):
    """A FLAC whose middle is zeros, the same whole, and another recording."""
    recordings(folder)
    soundfile.write(folder / "whole.flac", noise(5, 40_000), RATE)
    data = bytearray((folder / "whole.flac").read_bytes())
    data[len(data) // 2:len(data) // 2 + 4000] = bytes(4000)
    (folder / "a.flac").write_bytes(data)
    (folder / "m.csv").write_text("path\na.flac\nb.wav\n")


def bad(content):
    def make(folder):
        recordings(folder)
        shutil.copy(folder / "a.wav", folder / "whole.wav")
        (folder / "a.wav").write_bytes(content)
        (folder / "m.csv").write_text("path\na.wav\nb.wav\n")
    return make


WHOLE = "cp whole.wav a.wav"


def not_finite(folder):
    samples = noise(1, 4000).astype("<f4")
    samples[77] = np.inf
    write_wav(folder / "a.wav", RATE, samples, dtype="<f4")
    (folder / "m.csv").write_text("path\na.wav\n")


def repeated(folder):
    """A W64 as a pipe gets it: its header once more where samples should begin."""
    soundfile.write(folder / "whole.w64", noise(5, 4000), RATE, subtype="PCM_16")
    data = (folder / "whole.w64").read_bytes()
    size = data.index(b"data\xf3\xac\xd3\x11") + 16
    (folder / "a.w64").write_bytes(data[:size] + (23).to_bytes(8, "little") + data)


def rates(folder):
    write_wav(folder / "a.wav", RATE, noise(1, 4000))
    write_wav(folder / "b.wav", 16000, noise(2, 8000))
    (folder / "m.csv").write_text("path\na.wav\nb.wav\n")


CHECK = "veery check m.csv"
MADE_ARRAY = f"""{shlex.quote(sys.executable)} -c "import numpy; numpy.save('x.npy', numpy.zeros((498, 80)))"; """

RECORDINGS = [
    case("SPHERE of shorten", sphere, EXTRACT, "found SPHERE whose samples are compressed ('pcm,embedded-shorten-v2.00'): convert it into a WAV",
         lambda folder, said: quoted(said, "such as by ").replace("in.sph", "a.voc").replace("out.wav", "a.wav"), put("m.csv", "path\na.wav\n"),
         EXTRACT + " --overwrite", right=stored("a", duration=[0.5]), program="ffmpeg"),
    *(case(f"SPHERE of shorten, {way}", sphere, f"veery {command}", "found SPHERE whose samples are compressed", "ffmpeg -v error -i a.voc a.wav",
           f"veery {command.replace('a.voc', 'a.wav')}", program="ffmpeg")
      for way, command in (("filtered", "filter a.voc o.wav --band-pass 300-400"), ("drawn", "render a.voc -o o.png"),
                           ("in windows", "clips a.voc --window 0.25 -o c.csv"),
                           ("played", "live --file a.voc --speed 1000 --record o.h5"))),
    case("SPHERE of shorten, checked", sphere, CHECK, "Replace or convert the recordings, or remove the rows with --mend.",
         "ffmpeg -v error -i a.voc a.wav", put("m.csv", "path\na.wav\n"), CHECK, program="ffmpeg"),
    case("a format that nothing knows", lambda folder: media(folder, "tta", "x.bin"), EXTRACT,
         "Format not recognised; if it is one, convert it into a WAV with the program that made it, or with ffmpeg -i in.xyz out.wav",
         lambda folder, said: quoted(said, ", or with ").replace("in.xyz", "x.bin").replace("out.wav", "x.wav"),
         put("m.csv", "path\nx.wav\n"), EXTRACT + " --overwrite", right=stored("x"), program="ffmpeg"),
    case("several streams of Ogg", chained, EXTRACT, "split the file, or make one stream of them",
         put("m.csv", "path\na.ogg\nb.ogg\n"), EXTRACT + " --overwrite", right=stored("a", "b")),
    case("several recordings in a file", two_waves, EXTRACT, "with a header of its own: split the file",
         put("m.csv", "path\na.wav\nb.wav\n"), EXTRACT + " --overwrite", right=stored("a", "b")),
    case("MP3 of two kinds", two_layers, EXTRACT, "split the file, or convert it into a WAV, such as by ffmpeg -i in.mp3 out.wav",
         lambda folder, said: quoted(said, "such as by ").replace("in.mp3", "c.mp3").replace("out.wav", "c.wav"), put("m.csv", "path\nc.wav\n"),
         EXTRACT + " --overwrite", right=stored("c"), program="ffmpeg"),
    case("a late clip of an MP3", long_mp3, EXTRACT,
         "remark: an hour of sound was decoded only to reach clips, because MP3s and what ffmpeg reads, unlike FLACs, are decoded from their start; "
         "convert them, such as by ffmpeg -i in.mp3 out.flac",
         lambda folder, said: quoted(said, "convert them, such as by ").replace("in.mp3", "l.mp3").replace("out.flac", "l.flac"),
         edit("l.mp3", "l.flac"), EXTRACT + " --overwrite", right=stored("late", duration=[2]), program="ffmpeg"),
    case("an MP4 without ffmpeg", media, "PATH=\"$(dirname \"$(which veery)\")\":/nowhere veery extract m.csv -o f.h5", "install ffmpeg (with ffprobe), which reads it",
         EXTRACT + " --overwrite", right=stored("a"), program="ffmpeg"),
    case("an MP4 named as a WAV", lambda folder: media(folder, name="c.wav"), EXTRACT,
         "rename it with an extension of that format, such as .m4a, .mp4, .aac, .wma or .mkv, and ffmpeg reads it", "mv c.wav c.m4a",
         put("m.csv", "path\nc.m4a\n"), EXTRACT + " --overwrite", right=stored("c"), program="ffmpeg"),
    case("an MP4 in an archive", lambda folder: (media(folder), subprocess.run("tar cf r.tar a.m4a", shell=True, cwd=folder, check=True)),
         "veery extract r.tar -o f.h5", "ffmpeg has to seek in it: unpack it from the archive", "mkdir r && tar xf r.tar -C r",
         "veery extract r -o f.h5 --overwrite", right=stored("a"), program="ffmpeg"),
    case("a damaged FLAC, copied", damaged, "veery render a.flac -o p.png", "; copy or download the recording again", "cp whole.flac a.flac", AGAIN),
    case("a damaged FLAC, in part", damaged, "veery render a.flac -o p.png", ", or give --start and --end of a part without the damage",
         "veery render a.flac -o p.png --start 0 --end 1"),
    case("a damaged FLAC, decoded", damaged, "veery decode a.flac -o o.wav", ", or give --start and --end of a part without the damage",
         "veery decode a.flac -o o.wav --overwrite --start 4 --end 5"),
    case("a damaged FLAC, filtered", damaged, "veery filter a.flac o.wav --band-pass 300-400", "; copy or download the recording again",
         "cp whole.flac a.flac", AGAIN),
    case("a damaged FLAC, compared", damaged, MADE_ARRAY + "veery conform x.npy a.flac --preset log-mel", ", or give --start and --end of a part "
         "without the damage", "veery conform x.npy a.flac --preset log-mel --start 0 --end 1", better="x.npy: differs from the features"),
    case("a damaged FLAC, extracted", damaged, EXTRACT, "(copy or download recordings that are broken again, and give --retry-failed, which "
         "computes their clips)", "cp whole.flac a.flac", EXTRACT + " --retry-failed", right=stored("a", "b")),
    case("a pointer of Git LFS, extracted", bad(LFS), EXTRACT, "(run git lfs pull in the repository of the recordings, and give --retry-failed, "
         "which computes their clips)", WHOLE, EXTRACT + " --retry-failed", right=stored("a", "b")),
    case("a recording that is cut off, drawn", cut_off, "veery render a.wav -o p.png", ", or give --truncated keep, which reads what is there",
         "veery render a.wav -o p.png --truncated keep"),
    case("samples that are infinite, drawn", not_finite, "veery render a.wav -o p.png", ", or give --non-finite zero, which sets such samples to 0",
         "veery render a.wav -o p.png --non-finite zero"),
    case("samples that are infinite, written again", not_finite, "veery render a.wav -o p.png", "; write the recording again",
         lambda folder, said: recordings(folder), "veery render a.wav -o p.png"),
    case("a header in the midst of a W64", repeated, "veery render a.w64 -o p.png", "; write the recording again, into a file rather than a pipe",
         "cp whole.w64 a.w64", AGAIN),
    case("a pointer of Git LFS, drawn", bad(LFS), "veery render a.wav -o p.png", "; run git lfs pull in its repository", WHOLE, AGAIN),
    case("a page of a server, drawn", bad(PAGE), "veery render a.wav -o p.png", "; download the recording again", WHOLE, AGAIN),
    case("a little past the end", table("path,start,end\na.wav,0.1,0.52\n"), EXTRACT, " cuts it at the end of the recording",
         lambda folder, said: EXTRACT + " --overwrite" + quoted(said, "lasts 0.5 s:", " cuts it"), right=stored(duration=[0.4])),
    case("milliseconds", table("path,start,end\na.wav,100.5,300.5\n"), EXTRACT, ": if the times are milliseconds, give --time-unit ms",
         options("milliseconds, give ", command=EXTRACT + " --overwrite"), right=stored(duration=[0.2])),
    case("samples", table("path,start,end\na.wav,800,2400\n"), EXTRACT, ": if the times are samples, give --time-unit samples",
         options("are samples, give ", command=EXTRACT + " --overwrite"), right=stored(duration=[0.2])),
    case("milliseconds or samples", table("path,start,end\na.wav,100,300\n"), EXTRACT,
         ": if the times are milliseconds or samples, give --time-unit ms or --time-unit samples",
         options("or samples, give ", " or", EXTRACT + " --overwrite"), right=stored(duration=[0.2])),
    case("times in another unit", table("path,start,end\na.wav,100.5,300.5\n"), EXTRACT,
         "(--time-unit reads the times of m.csv in another unit)", EXTRACT + " --overwrite --time-unit ms", right=stored(duration=[0.2])),
    case("values beyond float16", table("path\na.wav\n"), EXTRACT + " --set store.type=float16 --set scale.kind=power --set audio.scale=int16 --set normalize.scope=none",
         "set store.type to float32, ", EXTRACT + " --overwrite --set store.type=float32 --set scale.kind=power --set audio.scale=int16 --set normalize.scope=none",
         right=stored("a")),
    case("values beyond float16, normalised", table("path\na.wav\n"), EXTRACT + " --set store.type=float16 --set scale.kind=power --set "
         "audio.scale=int16 --set normalize.scope=none", "or normalize.scope to dataset or clip", EXTRACT + " --overwrite --set "
         "store.type=float16 --set scale.kind=power --set audio.scale=int16 --set normalize.scope=clip", right=stored("a")),
    case("two rates", rates, EXTRACT + " --set audio.sample_rate=null", "set audio.sample_rate, so that clips are resampled to one rate",
         EXTRACT + " --overwrite --set audio.sample_rate=8000", right=stored("a", "b")),
    case("two rates, checked", rates, CHECK, "extracted, --set audio.sample_rate=8000 resamples all to the most frequent rate; ",
         EXTRACT + " --set audio.sample_rate=8000", right=stored("a", "b")),
    case("two rates, checked, for a model", rates, CHECK, "a model's preset brings recordings to its own rate without it.",
         EXTRACT + " --preset whisper", right=stored("a", "b")),
    case("two rates of live inputs", rates, "veery live --file a.wav --file b.wav --speed 1000 --set audio.sample_rate=null --record f.h5",
         "set audio.sample_rate, so that both are resampled to one rate",
         "veery live --file a.wav --file b.wav --speed 1000 --set audio.sample_rate=8000 --record f.h5",
         right=lambda folder, said: len(clips(folder / "f.h5")["ids"]) == 2 or pytest.fail(said.text)),
    case("a preset that --set names", table("path\na.wav\n"), EXTRACT + " --set extends=librosa-mfcc",
         "nothing here: give a preset by --preset; only a file that --config names may extend one", EXTRACT + " --preset librosa-mfcc", right=stored("a")),
    case("a preset that a file extends", table("path\na.wav\n"), EXTRACT + " --set extends=librosa-mfcc",
         "only a file that --config names may extend one", "echo 'extends: librosa-mfcc' > c.yaml && " + EXTRACT + " --config c.yaml", right=stored("a")),
    case("an output that is there", files("a.wav"), "cp a.wav b.wav; veery filter a.wav b.wav --band-pass 300-400",
         "b.wav: the file exists: give --overwrite to replace it, or another name", "veery filter a.wav b.wav --band-pass 300-400 --overwrite"),
    case("an output that is there, under another name", files("a.wav"), "cp a.wav b.wav; veery filter a.wav b.wav --band-pass 300-400",
         "or another name", "veery filter a.wav c.wav --band-pass 300-400"),
    case("a format that does not take it", lambda folder: write_wav(folder / "a.wav", 384000, np.stack([noise(n, 38400) for n in range(3)], 1)),
         "veery filter a.wav b.mp3 --band-pass 300-400", "; choose another (", "veery filter a.wav b.flac --band-pass 300-400"),
]


# --- Disks


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("unshare"), reason="mounting needs the rights of root")
def test_a_disk_that_is_only_read(program, tmp_path):
    mount = "unshare -m sh -c 'mount -t tmpfs -o ro none disk && exec \"$@\"' sh "
    (tmp_path / "disk").mkdir()
    if subprocess.run(mount + "true", shell=True, cwd=tmp_path, capture_output=True).returncode != 0:
        pytest.skip("no file system can be mounted here")
    one = case("", table(AB), mount + "veery extract m.csv -o disk/f.h5", "write to another disk, or have this one mounted for writing",
               EXTRACT, right=GOOD, status=(75,)).values[0]
    follow(program, tmp_path, one)
    writable = case("", None, mount + "veery extract m.csv -o disk/f.h5", "write to another disk, or have this one mounted for writing",
                    mount.replace("-o ro ", "") + "sh -c 'veery extract m.csv -o disk/f.h5 && cp disk/f.h5 g.h5'",
                    right=stored("a", "b", path="g.h5"), status=(75,)).values[0]
    follow(program, tmp_path, writable)


# --- What check says


def checked(make, says, *steps, name=None, command=CHECK, **more):
    return case(name or says, make, command, "→ " + says, *steps, **more)


def splits(folder, second="a.wav", times=((0, 0.3), (0.2, 0.5)), groups=None):
    recordings(folder, "a.wav", "b.wav", "c.wav", "d.wav")
    columns = {"speaker": groups} if groups else {}
    (folder / "m.csv").write_text(
        "path,start,end,split,label" + ",speaker" * bool(groups) + "\n"
        + "".join(f"{path},{start},{end},{split},x{',' + group if groups else ''}\n" for (path, (start, end), split), group in zip(
            [("a.wav", times[0], "train"), (second, times[1], "test"), ("c.wav", (0, 0.3), "train"), ("d.wav", (0, 0.3), "train")],
            groups or [""] * 4)))


def copies(folder, label=("x", "x"), split=("train", "test")):
    recordings(folder)
    shutil.copy(folder / "a.wav", folder / "c.wav")
    (folder / "m.csv").write_text("path,label,split\n" + f"a.wav,{label[0]},{split[0]}\nc.wav,{label[1]},{split[1]}\nb.wav,y,train\n")


def dead(sounding):
    """A signal of two channels, of which one has sound."""
    return np.stack([noise(5, 4000) * (channel == sounding) for channel in range(2)], axis=1)


def made(*signals, extra=None):
    def make(folder):
        for number, signal in enumerate(signals):
            write_wav(folder / f"{number}.wav", RATE, signal)
        lines = extra or ["path", *(f"{number}.wav" for number in range(len(signals)))]
        (folder / "m.csv").write_text("\n".join(lines) + "\n")
    return make


def labelled(*labels):
    """A recording for each label, and the manifest."""
    def make(folder):
        recordings(folder, *(f"{number}.wav" for number in range(len(labels))))
        (folder / "m.csv").write_text("path,label\n" + "".join(f"{number}.wav,{label}\n" for number, label in enumerate(labels)))
    return make


def mislabelled(folder):
    """Twenty-five tones of either of two pitches, one of them with the label of the others."""
    for number in range(50):
        signal = 0.3 * tone(RATE, 0.5, [500 if number < 25 else 2000]) + 0.01 * noise(number, round(0.5 * RATE))
        write_wav(folder / f"{number}.wav", RATE, signal)
    labels = ["y" if number == 7 or number >= 25 else "x" for number in range(50)]
    (folder / "m.csv").write_text("path,label\n" + "".join(f"{number}.wav,{label}\n" for number, label in enumerate(labels)))


def mended(folder, said):
    return "veery check m.csv --mend usable.csv > report.txt; veery check usable.csv"


BY_FEATURES = EXTRACT + " -q; " + CHECK + " --features f.h5"
QUIET = 0.001 * noise(3, 4000)
CHECKED = [
    checked(table("path\nx/a.wav\nx/b.wav\n", "y/a.wav", "y/b.wav"), "The paths start from the folder '.'. Name another one: --root FOLDER.",
            edit("x/", ""), "veery check m.csv --root y"),
    checked(table("path\na.wav\nb.wav\nc.wav\n"), "Correct the paths or --root, or remove the rows with --mend.", edit("c.wav\n", "")),
    checked(table("path\na.wav\nb.wav\nc.wav\n"), "Correct the paths or --root, or remove the rows with --mend.", mended, name="paths, mended",
            right=listed("path", "a.wav", "b.wav", path="usable.csv")),
    checked(bad(LFS), "Run git lfs pull in the repository of the recordings.", WHOLE, CHECK),
    checked(bad(PAGE), "Fetch the recordings again: the files hold text, such as a page that a server has answered with.", WHOLE, CHECK),
    checked(bad(bytes(100)), "Replace or convert the recordings, or remove the rows with --mend.", WHOLE, CHECK),
    checked(bad(bytes(100)), "Replace or convert the recordings, or remove the rows with --mend.", mended, name="unreadable, mended",
            right=listed("path", "b.wav", path="usable.csv")),
    checked(cut_off, "Copy or download the recordings again, or extract with --truncated keep.", WHOLE, CHECK),
    checked(cut_off, "Copy or download the recordings again, or extract with --truncated keep.", EXTRACT + " --truncated keep",
            name="cut off, kept", right=stored("a", "b", duration=[0.2486, 0.5])),
    checked(table("path,start,end\na.wav,0.1,9\nb.wav,0,0.5\n"), "Correct start, end and channel: are the times in seconds, and of this recording?",
            edit("9", "0.4"), CHECK),
    checked(damaged, "Copy or download the recordings again, or remove the rows with --mend.", "cp whole.flac a.flac", CHECK + " --deep",
            command=CHECK + " --deep", name="damaged, copied"),
    checked(damaged, "Copy or download the recordings again, or remove the rows with --mend.",
            "veery check m.csv --deep --mend usable.csv > report.txt; veery check usable.csv --deep", command=CHECK + " --deep",
            name="damaged, mended", right=listed("path", "b.wav", path="usable.csv")),
    checked(not_finite, "Write the recordings again, or extract with --non-finite zero.", EXTRACT + " --non-finite zero",
            command=CHECK + " --deep", right=stored("a")),
    checked(splits, "Split by recording: veery split MANIFEST -o NEW --ratio train=0.8,val=0.1,test=0.1",
            lambda folder, said: quoted(said, "Split by recording: ").replace("MANIFEST", "m.csv").replace("NEW", "n.csv"), "veery check n.csv"),
    checked(lambda folder: splits(folder, second="b.wav", times=((0, 0.3), (0, 0.3)), groups=["s1", "s1", "s2", "s3"]),
            "Keep the groups together: veery split MANIFEST -o NEW --by speaker --ratio …",
            lambda folder, said: quoted(said, "Keep the groups together: ").replace("MANIFEST", "m.csv").replace("NEW", "n.csv").replace(
                "…", "train=0.5,test=0.5"), "veery check n.csv", name="a speaker in several splits"),
    checked(copies, "Keep one of the clips, or give them all one split.", edit("c.wav,x,test", "c.wav,x,train"), CHECK, command=CHECK + " --deep",
            name="one split for all"),
    checked(copies, "Keep one of the clips, or give them all one split.", edit("c.wav,x,test\n", ""), CHECK + " --deep",
            command=CHECK + " --deep", name="one of the clips"),
    checked(copies, "Keep one of the clips, or give them all one split. To split again, give them the same value in a column: "
            "veery split MANIFEST -o NEW --by COLUMN --ratio …", "sed -i '1s/$/,twin/; 2,$s/$/,/; /^[ac].wav/s/$/1/' m.csv",
            lambda folder, said: quoted(said, "in a column: ").replace("MANIFEST", "m.csv").replace("NEW", "n.csv").replace(
                "COLUMN", "twin").replace("…", "train=0.5,test=0.5"), "veery check n.csv --deep", command=CHECK + " --deep",
            name="split again by a column"),
    checked(lambda folder: copies(folder, split=("train", "train")), "Keep one of the rows.", edit("c.wav,x,train\n", ""), CHECK + " --deep",
            command=CHECK + " --deep"),
    checked(made(np.zeros(4000), noise(1, 4000)), "Listen to them; remove the rows if nothing was recorded.", edit("0.wav\n", ""),
            CHECK + " --deep", command=CHECK + " --deep", name="silence"),
    checked(made(dead(1), noise(2, 4000)), "Extract with --set audio.channels=1, or give these clips that channel in the column channel.",
            edit("1.wav\n", ""), EXTRACT + " --set audio.channels=1", command=CHECK + " --deep", right=stored("0"), name="a dead channel, by a setting"),
    checked(made(dead(1), noise(2, 4000)), "Extract with --set audio.channels=1, or give these clips that channel in the column channel.",
            put("m.csv", "path,channel\n0.wav,1\n1.wav,\n"), EXTRACT, CHECK + " --deep", command=CHECK + " --deep", right=stored("0#ch1", "1"),
            name="a dead channel, by a column"),
    checked(made(dead(1), dead(0)), "Give each of these clips a channel that has sound in the column channel, counted from 0.",
            put("m.csv", "path,channel\n0.wav,1\n1.wav,0\n"), CHECK + " --deep", command=CHECK + " --deep", name="dead channels"),
    checked(made(np.clip(9 * noise(1, 4000), -1, 1), noise(2, 4000)), "Record with less gain; check whether the clips are usable.",
            edit("0.wav\n", ""), CHECK + " --deep", command=CHECK + " --deep", name="full scale"),
    checked(made(0.5 + noise(1, 4000), noise(2, 4000)), "Extract with --set condition.remove_dc=true, which subtracts the mean.",
            EXTRACT + " --set condition.remove_dc=true", command=CHECK + " --deep", right=stored("0", "1")),
    checked(labelled("x", "X", "x"), "Choose one spelling.", edit("X", "x"), CHECK),
    checked(labelled(*"xxxxy"), "Add clips, or leave the label out: it cannot be both learnt and tested.", edit("4.wav,y\n", ""), CHECK),
    checked(labelled(*"xxxxy"), "Add clips, or leave the label out: it cannot be both learnt and tested.",
            lambda folder, said: recordings(folder, "5.wav", "6.wav"), edit("4.wav,y\n", "4.wav,y\n5.wav,y\n6.wav,y\n"), CHECK, name="more clips of a label"),
    checked(labelled("x", "x", "", "y", "y"), "Add the labels that are missing. Clips in which there is nothing to label may stay as they are.",
            edit("2.wav,\n", "2.wav,x\n"), CHECK, name="labels that are missing"),
    checked(labelled("x", "x", "", "y", "y"), "Add the labels that are missing. Clips in which there is nothing to label may stay as they are.",
            EXTRACT, name="negatives", right=stored("0", "1", "2", "3", "4", labels=("x", "x", "", "y", "y"))),
    checked(labelled(*["x"] * 21, "y", "y"), "Add clips, or weight the labels in training.", edit("21.wav,y", "21.wav,x"),
            edit("22.wav,y", "22.wav,x"), CHECK),
    checked(mislabelled, "Listen to the first ones, and correct the labels that are wrong: in the manifest, or with --corrections.",
            edit("7.wav,y", "7.wav,x"), CHECK + " --features f.h5", command=BY_FEATURES, name="a suspicious label, in the manifest"),
    checked(mislabelled, "Listen to the first ones, and correct the labels that are wrong: in the manifest, or with --corrections.",
            put("c.csv", "id,action,label\n7,relabel,x\n"), "veery check m.csv --features f.h5 --corrections c.csv",
            command=BY_FEATURES, name="a suspicious label, by corrections"),
    checked(lambda folder: (stereo(folder), recordings(folder), (folder / "m.csv").write_text("path\ns.wav\na.wav\nb.wav\n")),
            "Extract with --set audio.channels=mix (the mean of all), or first (--deep says whether one is silent).", EXTRACT + " --set audio.channels=mix", right=stored("s", "a", "b")),
    checked(lambda folder: (stereo(folder), recordings(folder), (folder / "m.csv").write_text("path\ns.wav\na.wav\nb.wav\n")),
            "Extract with --set audio.channels=mix (the mean of all), or first.", EXTRACT + " --set audio.channels=first",
            command=CHECK + " --deep", right=stored("s", "a", "b")),
    checked(lambda folder: (write_wav(folder / "s.wav", RATE, np.stack([np.zeros(4000), noise(2, 4000)], 1)), recordings(folder),
                            (folder / "m.csv").write_text("path\ns.wav\na.wav\nb.wav\n")),
            "Extract with --set audio.channels=mix (the mean of all).", EXTRACT + " --set audio.channels=mix", command=CHECK + " --deep",
            right=stored("s", "a", "b")),
    checked(table("path,start,end\n" + "".join(f"a.wav,0,0.{n}\n" for n in range(300, 325)) + "b.wav,0.1,0.11\n"), "Look at start and end: are they in seconds?",
            edit("0.11", "0.5"), CHECK),
    checked(lambda folder: (recordings(folder, *(f"{n}.wav" for n in range(6))), (folder / "m.csv").write_text(
            "path,label,split\n" + "".join(f"{n}.wav,{l},{s}\n" for n, l, s in zip(range(6), "xxxyyy", ["train", "train", "test"] + ["train"] * 3)))),
            "Split with --stratify, or add clips.", "veery split m.csv --stratify --ratio train=0.5,test=0.5 -o n.csv", "veery check n.csv"),
]


# --- What is written


def tabs(name="x\ty"):
    return lambda folder: (recordings(folder), (folder / "m.jsonl").write_text(
        json.dumps({"path": "a.wav", "label": "x", "note": name}) + "\n"))


SPLIT = "veery split m.jsonl --ratio train=1 -o"

WRITTEN = [
    case("a manifest that is there", table(AB), "cp m.csv n.csv; veery split m.csv --ratio train=1 -o n.csv",
         "n.csv: exists already; give --overwrite to replace it, or another name", "veery split m.csv --ratio train=1 -o n.csv --overwrite",
         right=listed("split", "train", "train", path="n.csv")),
    case("a manifest that is there, under another name", table(AB), "cp m.csv n.csv; veery split m.csv --ratio train=1 -o n.csv",
         "or another name", "veery split m.csv --ratio train=1 -o o.csv", right=listed("split", "train", "train", path="o.csv")),
    *(case(f"a tab in a TSV, {way}", tabs(), SPLIT + " n.tsv", "which no field of a TSV can; write CSV or JSON Lines",
           command, right=listed("note", "x\ty", path=path))
      for way, command, path in (("as CSV", SPLIT + " n.csv", "n.csv"), ("as JSON Lines", SPLIT + " n.jsonl", "n.jsonl"))),
    case("a line end that would be a row", tabs("x\nb.wav,b,y,z,train"), SPLIT + " n.csv",
         "holds a line end, and what follows it would look like a row; write JSON Lines", SPLIT + " n.jsonl",
         right=listed("note", "x\nb.wav,b,y,z,train", path="n.jsonl")),
    case("a column's name with a tab", lambda folder: (recordings(folder), (folder / "m.jsonl").write_text('{"path": "a.wav", "no\\tte": "x"}\n')),
         SPLIT + " n.tsv", "it holds a tab or a line end; write JSON Lines, or rename it", SPLIT + " n.jsonl",
         right=listed("no\tte", "x", path="n.jsonl")),
    case("a column's name with a tab, renamed", lambda folder: (recordings(folder), (folder / "m.jsonl").write_text(
         '{"path": "a.wav", "no\\tte": "x"}\n')), SPLIT + " n.tsv", "or rename it", edit("no\\tte", "note", "m.jsonl"), AGAIN,
         right=listed("note", "x", path="n.tsv")),
]


# --- Corrections

CORRECTED = EXTRACT + " --corrections c.csv"
SYNCED = CORRECTED + " --sync"
CORRECTION_COLUMNS = "id,path,start,end,audio_xxh3,action,label,note,given,by\n"


def corrections(*lines, header="id,audio_xxh3,action,label"):
    """Two recordings, a manifest of them, and corrections."""
    return files(m_csv=AB, c_csv="".join(f"{line}\n" for line in (header, *lines)))


ZEROS = "0" * 32
RELABELLED = stored("a", "b", labels=("z", "y"))
CORRECTIONS = [
    case("other samples, and the corrections are right", corrections(f"a,{ZEROS},relabel,z"), CORRECTED,
         "or delete audio_xxh3 from its corrections if they are still right", edit(ZEROS, "", "c.csv"), SYNCED, right=RELABELLED),
    case("other samples, corrected again", corrections(f"a,{ZEROS},relabel,z"), CORRECTED, "correct the clip again",
         lambda folder, said: "echo a,,relabel,z >> c.csv", SYNCED, right=RELABELLED),
    case("other samples, found by check", corrections(f"a,{ZEROS},relabel,z"), "veery check m.csv --deep --corrections c.csv",
         "or delete audio_xxh3 from their corrections if they are still right.", edit(ZEROS, "", "c.csv")),
    case("a label that is not one", corrections("a,,exclude,z"), CORRECTED, "leave it empty, or write relabel, add or remove",
         edit("exclude", "relabel", "c.csv"), right=RELABELLED),
    case("a label that is not one, left out", corrections("a,,exclude,z"), CORRECTED, "leave it empty, or write",
         edit("exclude,z", "exclude,", "c.csv"), right=stored("b")),
    case("a note that is not one", corrections("a,relabel,z,why", header="id,action,label,note"), CORRECTED,
         "leave it empty, and give the note a line of its own", edit("z,why", "z,\na,note,,why", "c.csv"), right=RELABELLED),
    case("corrections that are forgotten", corrections("a,,relabel,z"), f"{CORRECTED} -q; {EXTRACT}", "give them with --corrections, or",
         CORRECTED, right=RELABELLED),
    case("corrections that are taken back", corrections("a,,relabel,z"), f"{CORRECTED} -q; {EXTRACT} --sync",
         "or a file of corrections with a header alone to take them back", put("none.csv", CORRECTION_COLUMNS),
         EXTRACT + " --sync --corrections none.csv", right=GOOD),
    case("corrections that are new to a run for failed clips", corrections("a,,relabel,z"),
         f"{CORRECTED} -q; echo b,,relabel,w >> c.csv; {CORRECTED} --retry-failed", "the corrections have changed since: add --sync to apply them",
         SYNCED + " --retry-failed", right=stored("a", "b", labels=("z", "w"))),
    case("a clip that is another", corrections("a,old.wav,relabel,z", header="id,path,action,label"), CORRECTED,
         "delete from their lines what differs", edit("old.wav", "", "c.csv"), right=RELABELLED),
    case("a clip that is another, corrected again", corrections("a,old.wav,relabel,z", header="id,path,action,label"), CORRECTED,
         ": correct it again, or", lambda folder, said: "echo a,a.wav,relabel,z >> c.csv", CORRECTED, right=RELABELLED),
    case("clips of another manifest", corrections("a,,relabel,z", "q,,relabel,z"), CORRECTED, "or delete these lines",
         edit("q,,relabel,z\n", "", "c.csv"), right=RELABELLED),
    case("clips of another manifest, which is given", files("a.wav", "b.wav", "q.wav", m_csv=AB, all_csv=AB + "q.wav,w\n",
                                                            c_csv="id,action,label\nq,relabel,z\n"), CORRECTED,
         "give the manifest that was corrected", "veery extract all.csv -o f.h5 --corrections c.csv",
         right=stored("a", "b", "q", labels=("x", "y", "z"))),
    case("no such file", files(m_csv=AB, d_csv="id,action,label\na,relabel,z\n"), CORRECTED,
         "c.csv: there is no such file of corrections; check the path", EXTRACT + " --corrections d.csv", right=RELABELLED),
    case("an unknown column", corrections("a,relabel,z", header="id,action,lable"), CORRECTED, "rename or remove it",
         edit("lable", "label", "c.csv"), right=RELABELLED),
    case("an unknown column, removed", corrections("a,relabel,z,1", header="id,action,label,mine"), CORRECTED, "rename or remove it",
         lambda folder, said: "cut -d, -f1-3 c.csv > d.csv; mv d.csv c.csv", CORRECTED, right=RELABELLED),
    case("an action that is none", corrections("a,,relable,z"), CORRECTED, "nothing was done: correct it:",
         edit("relable", "relabel", "c.csv"), right=RELABELLED),
    case("a torn line", files(m_csv=AB, c_csv="id,action,label\na,relabel,z\nb,excl"), CORRECTED, "delete it, or complete it if it is yours",
         edit("\nb,excl", "\n", "c.csv"), SYNCED, right=RELABELLED),
    case("a line without its end", files(m_csv=AB, c_csv="id,action,label\na,relabel,z\nb,exclude,"), CORRECTED,
         "or complete it if it is yours", edit("b,exclude,", "b,exclude,\n", "c.csv"), SYNCED, right=stored("a", labels=["z"])),
]


def run_of(cases):
    return pytest.mark.parametrize("one", cases)


@run_of(COLUMNS)
def test_columns(program, tmp_path, one):
    follow(program, tmp_path, one)


@run_of(SYNTAX)
def test_syntax(program, tmp_path, one):
    follow(program, tmp_path, one)


@run_of(FOREIGN)
def test_other_formats(program, tmp_path, one):
    follow(program, tmp_path, one)


@run_of(ANNOTATIONS)
def test_annotations(program, tmp_path, one):
    follow(program, tmp_path, one)


@run_of(DATASETS)
def test_datasets(program, tmp_path, one):
    follow(program, tmp_path, one)


@pytest.mark.sampled(4)
@run_of(ARCHIVES)
def test_archives(program, tmp_path, one):
    follow(program, tmp_path, one)


@run_of(RECORDINGS)
def test_recordings(program, tmp_path, one):
    follow(program, tmp_path, one)


@run_of(CHECKED)
def test_check(program, tmp_path, one):
    follow(program, tmp_path, one)


@run_of(WRITTEN)
def test_written(program, tmp_path, one):
    follow(program, tmp_path, one)


@run_of(CORRECTIONS)
def test_corrections(program, tmp_path, one):
    follow(program, tmp_path, one)
