"""Manifests as other programs write them, through the program."""

import csv
import json

import h5py
import numpy
import pytest
import soundfile

SENTENCES = ['She said "no".', '"Never," she said', 'and left, shouting "never again"', '"It\'s," he said, "over."', '"',
             'plain', '""', 'six (6") inches']


@pytest.fixture
def voices(tmp_path):
    """A table as Common Voice writes it (QUOTE_NONE), with its recordings."""
    noise = numpy.random.default_rng(5)
    rows = ["client_id\tpath\tsentence\tup_votes\tlabel"]
    for number, sentence in enumerate(SENTENCES):
        soundfile.write(tmp_path / f"cv_{number}.wav", noise.normal(0, 0.1, 8000), 16000)
        rows.append(f"{number:x}\tcv_{number}.wav\t{sentence}\t2\t{'ab'[number % 2]}")
    path = tmp_path / "validated.tsv"
    path.write_text("\n".join(rows) + "\n")
    return path


def sentences(path):
    with h5py.File(path) as file:
        return list(file["clips/extra/sentence"].asstr()[:])


def test_quotation_marks_of_a_tsv_are_text_and_no_row_vanishes(veery, voices, tmp_path):
    assert "8 clips" in veery("check", voices).stdout
    veery("extract", voices, "-o", tmp_path / "f.h5")
    assert sentences(tmp_path / "f.h5") == SENTENCES
    assert f"{len(SENTENCES)} clips" in veery("extract", voices, "-o", tmp_path / "f.h5", "--dry-run").stdout
    assert "--quoting csv is for TSV" in veery("check", voices, "--format", "jsonl", "--quoting", "csv", status=64).stderr
    assert "line 2" in veery("check", voices, "--quoting", "csv", status=1).stderr


def test_a_quoted_tsv_is_read_as_such_when_asked(veery, voices, tmp_path):
    rows = [line.split("\t") for line in voices.read_text().splitlines()]
    path = tmp_path / "quoted.tsv"
    with open(path, "w", newline="") as file:
        csv.writer(file, delimiter="\t", quoting=csv.QUOTE_ALL).writerows(rows)
    assert "they are in quotation marks: give --quoting csv" in veery("check", path, status=1).stderr
    veery("extract", path, "--quoting", "csv", "-o", tmp_path / "f.h5")
    assert sentences(tmp_path / "f.h5") == SENTENCES


def test_the_same_tsv_understood_otherwise_is_another_manifest(veery, tmp_path):
    soundfile.write(tmp_path / "a.wav", numpy.random.default_rng(5).normal(0, 0.1, 8000), 16000)
    path = tmp_path / "m.tsv"
    path.write_text('path\tid\tlabel\na.wav\ta\t"owl"\n')
    output = tmp_path / "f.h5"
    veery("extract", path, "-o", output)
    assert "up to date" in veery("extract", path, "-o", output).stderr
    for more in [], ["--dry-run"]:
        error = veery("extract", path, "-o", output, "--quoting", "csv", *more, status=1)
        assert "another meaning of its quotation marks" in error.stderr + error.stdout
    veery("extract", path, "-o", output, "--quoting", "csv", "--append")
    with h5py.File(output) as file:
        assert file["clips/label"].asstr()[:].tolist() == ["owl"]
    veery("extract", path, "-o", output, "--quoting", "csv", "--overwrite")
    assert "up to date" in veery("extract", path, "-o", output, "--quoting", "csv").stderr


@pytest.mark.parametrize("name", ["m.csv", "m.tsv"])
def test_rows_between_two_quotation_marks_do_not_vanish(veery, tmp_path, name):
    for stem in "abc":
        soundfile.write(tmp_path / f"{stem}.wav", numpy.zeros(8000), 16000)
    comma = "," if name == "m.csv" else "\t"
    path = tmp_path / name
    path.write_text("\n".join(comma.join(row) for row in [
        ("path", "label"), ("a.wav", '"x'), ("b.wav", "y"), ("c.wav", 'z"')]) + "\n")
    if name == "m.tsv":
        assert "3 clips" in veery("check", path).stdout
    else:
        error = veery("check", path, status=1).stderr
        assert "line 2: a quoted field continues" in error and "line 3 in it would be a row of its own (2 fields" in error


def test_crawl_writes_only_what_reads_back(veery, tmp_path):
    folder = tmp_path / "r" / 'the "owl"'
    folder.mkdir(parents=True)
    soundfile.write(folder / "a.wav", numpy.zeros(8000), 16000)
    veery("crawl", tmp_path / "r", "-o", tmp_path / "r/m.tsv")
    assert (tmp_path / "r/m.tsv").read_text() == 'path\tid\tlabel\nthe "owl"/a.wav\tthe "owl"/a\tthe "owl"\n'
    assert json.loads(veery("check", tmp_path / "r/m.tsv", "--json").stdout)["readable"] == 1
    (folder / "a.wav").rename(folder / "tab\there.wav")
    error = veery("crawl", tmp_path / "r", "-o", tmp_path / "r/n.tsv", status=1).stderr
    assert "holds a tab or a line end, which no field of a TSV can; write CSV or JSON Lines" in error
    assert not (tmp_path / "r/n.tsv").exists()
    veery("crawl", tmp_path / "r", "-o", tmp_path / "r/n.tsv", "--quoting", "csv")
    assert json.loads(veery("check", tmp_path / "r/n.tsv", "--quoting", "csv", "--json").stdout)["readable"] == 1


def test_annotations_between_tabs_keep_their_quotation_marks(veery, tmp_path):
    soundfile.write(tmp_path / "a.wav", numpy.random.default_rng(5).normal(0, 0.1, 64000), 16000)
    table = tmp_path / "t.tsv"
    table.write_text('path\tstart\tend\tlabel\na.wav\t0\t1\t"x\na.wav\t1\t2\ty"\n')
    veery("render", tmp_path / "a.wav", "--annotations", table, "-o", tmp_path / "a.svg")
    error = veery("render", tmp_path / "a.wav", "--annotations", table, "--quoting", "csv", "-o", tmp_path / "b.svg",
                  status=1).stderr
    assert "line 3 in it would be a row of its own" in error


def leaky(tmp_path):
    soundfile.write(tmp_path / "a.wav", numpy.random.default_rng(5).normal(0, 0.1, (64000, 2)), 16000)
    path = tmp_path / "m.csv"
    path.write_text("path,id,label,split,start,end,channel\na.wav,1,x,train,0,1,0\n./a.wav,2,x,test,0.5,1.5,1\n")
    return path


def test_windows_of_one_recording_across_splits_are_leaks(veery, tmp_path):
    manifest = leaky(tmp_path)
    result = veery("check", manifest, status=3)
    assert "leak: 2 clips of 1 recording overlap in time" in result.stdout
    assert "a.wav: '1' (train, 0–1 s) and '2' (test, 0.5–1.5 s)" in result.stdout
    assert result.stdout.rstrip().endswith("2 leaking clips") and "no problems" not in result.stdout
    report = json.loads(veery("check", manifest, "--json", status=3).stdout)
    assert report["leaks"] == 2 and report["problems"] == 0
    veery("extract", manifest, "-o", tmp_path / "f.h5", "--quiet")
    veery("inspect", tmp_path / "f.h5", "--html", tmp_path / "f.html")
    page = (tmp_path / "f.html").read_text()
    assert "Leaks: clips of different splits overlap in time in 1 recording" in page
    assert "Recordings with overlapping clips in different splits" in page


def test_neighbours_of_one_recording_across_splits_are_a_warning(veery, tmp_path):
    manifest = leaky(tmp_path)
    manifest.write_text(manifest.read_text().replace("0.5,1.5", "1,2"))
    result = veery("check", manifest)
    assert "warning: 1 recording has clips in several splits, without overlap in time" in result.stdout
    veery("extract", manifest, "-o", tmp_path / "f.h5", "--quiet")
    veery("inspect", tmp_path / "f.h5", "--html", tmp_path / "f.html")
    assert "1 recording has clips in several splits, without overlap in time" in (tmp_path / "f.html").read_text()
