"""Mistakes that a new user makes, and what is said about them."""

import gzip
import json
import lzma
import re

import h5py
import numpy
import pytest
import soundfile

from conftest import noise, write_manifest, write_wav
from veery import open as open_features


@pytest.fixture
def folder(tmp_path):
    for name in "a", "b":
        soundfile.write(tmp_path / f"{name}.wav", numpy.random.default_rng(3).normal(0, 0.1, 8000), 16000)
    write_manifest(tmp_path / "m.csv", [{"path": "a.wav", "label": "x"}, {"path": "b.wav", "label": "y"}])
    return tmp_path


@pytest.fixture
def made(folder, veery):
    veery("extract", "m.csv", "-o", "f.h5", "--quiet", folder=folder)
    return folder


@pytest.mark.parametrize("word, command", [
    ("extrct", "extract"), ("info", "inspect"), ("plot", "render"), ("extract-features", "extract"), ("Check", "check"),
    ("preset", "presets"), ("scan", "crawl"), ("listen", "live")])
def test_a_wrong_command_suggests_the_right_one(veery, folder, word, command):
    for arguments in [word], [word, "m.csv", "-o", "f.h5"], ["help", word]:
        said = veery(*arguments, status=64, folder=folder).stderr
        assert f"there is no command '{word}'. Did you mean 'veery {command}'?" in said


@pytest.mark.parametrize("arguments, word, meant", [
    (["extract", "m.csv", "--ouput", "f.h5"], "--ouput", "--output"),
    (["extract", "m.csv", "--ouput=f.h5"], "--ouput", "--output"),
    (["extract", "m.csv", "-out", "f.h5"], "-out", "--output"),
    (["extract", "m.csv", "-o", "f.h5", "--pre", "whisper"], "--pre", "--preset"),
    (["extract", "m.csv", "-o", "f.h5", "--sample-rate", "8000"], "--sample-rate", "--set audio.sample_rate=VALUE"),
    (["extract", "m.csv", "-o", "f.h5", "--n_mels=40"], "--n_mels", "--set transform.bins=VALUE"),
    (["extract", "m.csv", "-o", "f.h5", "--threads", "2"], "--threads", "--jobs"),
    (["crawl", ".", "--ouput", "m2.csv"], "--ouput", "--output"),
    (["clips", "m.csv", "--outptu", "m2.csv"], "--outptu", "--output"),
    (["split", "m.csv", "--ouput", "m2.csv", "--ratio", "a=0.5,b=0.5"], "--ouput", "--output"),
    (["export", "f.h5", "-to", "npy", "-o", "folder"], "-to", "--to"),
    (["export", "f.h5", "--format", "npy", "-o", "folder"], "--format", "--to"),
    (["render", "f.h5", "--clip", "a", "--ouput", "a.png"], "--ouput", "--output"),
    (["conform", "a.npy", "a.wav", "--prset", "whisper"], "--prset", "--preset"),
    (["filter", "a.wav", "b.wav", "--bandpass", "300-400"], "--bandpass", "--band-pass"),
    (["filter", "a.wav", "b.wav", "--band-pass", "300-400", "--force"], "--force", "--overwrite"),
])
def test_a_misspelt_option_is_named_though_another_is_missing(veery, folder, arguments, word, meant):
    before = sorted(folder.iterdir())
    said = veery(*arguments, status=64, folder=folder).stderr
    assert f"Error: Unknown option '{word}'. Did you mean '{meant}'?\nUsage: veery {arguments[0]} " in said
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("arguments, words", [
    (["extract", "m.csv"], "Missing expected argument '--output <features.h5>'"),
    (["extract", "m.csv", "-o", "f.h5", "--jobs", "many"], "The value 'many' is invalid for '--jobs <n>'"),
    (["extract", "m.csv", "-o", "f.h5", "--set"], "Missing value for '--set"),
    (["extract", "m.csv", "-o", "f.h5", "-z"], "Unknown option '-z'"),
    (["render", "a.wav", "--start", "-3"], "Missing expected argument '-o <output>'"),
    (["render", "a.wav", "--end", "--ouput"], "The value '--ouput' is invalid for '--end <s>'"),
    (["extract", "m.csv", "-o", "f.h5", "--xyzzy"], "Unknown option '--xyzzy'\n"),
])
def test_other_mistakes_with_options_are_described_as_they_are(veery, folder, arguments, words):
    assert f"Error: {words}" in veery(*arguments, status=64, folder=folder).stderr


@pytest.mark.parametrize("arguments, name", [
    (["export", "f.h5", "--to", "npy", "-o", "x", "--label", "A", "--label", "B"], "--label"),
    (["export", "f.h5", "--to", "npy", "-o", "x", "--split=A", "--split", "B"], "--split"),
    (["clips", "m.csv", "-o", "x", "--tier", "A", "--tier=B"], "--tier"),
    (["split", "m.csv", "-o", "x", "--ratio", "A", "--ratio", "B"], "--ratio"),
    (["extract", "m.csv", "-o", "A", "--output", "B"], "--output"), (["extract", "m.csv", "-o", "A", "-qo", "B"], "-o"),
    (["extract", "m.csv", "-o", "x", "--preset", "A", "--config", "c", "--preset", "B"], "--preset"),
    (["extract", "m.csv", "-o", "x", "--config", "A", "--config", "B"], "--config"),
    (["live", "--record", "A", "--record", "B"], "--record"), (["filter", "a.wav", "b.wav", "--pages", "A", "--pages", "B"], "--pages"),
])
def test_an_option_with_one_value_is_refused_if_it_is_given_twice(veery, made, arguments, name):
    before = sorted(made.iterdir())
    said = veery(*arguments, status=64, folder=made).stderr
    assert f"{name} is given twice: 'A' and 'B'. Give it once.\nUsage: veery {arguments[0]} " in said
    assert sorted(made.iterdir()) == before


def test_a_key_with_two_letters_exchanged_is_found(veery, folder):
    said = veery("extract", "m.csv", "-o", "f.h5", "--set", "frame.hpo=160", status=64, folder=folder).stderr
    assert "unknown configuration key 'frame.hpo': did you mean 'frame.hop'?" in said


def test_an_engine_that_this_build_lacks_is_not_suggested(veery, folder):
    said = veery("extract", "m.csv", "-o", "f.h5", "--set", "transform.engine=fftx", status=64, folder=folder).stderr
    assert "expected one of lanes, fftw, found 'fftx'" in said
    assert ("did you mean 'fftw'" in said) == ("\nfftw " in veery("--version").stdout)


def test_a_feature_file_that_is_cut_off_is_told_by_its_bytes(veery, made):
    whole = (made / "f.h5").read_bytes()
    (made / "cut.h5").write_bytes(whole[:5000])
    said = veery("inspect", "cut.h5", status=1, folder=made).stderr
    assert f"found a file that is cut off, with 5000 of its {len(whole)} bytes: copy it again, or extract it again" in said


def test_a_sync_that_keeps_no_clip_says_none(veery, made):
    soundfile.write(made / "c.wav", numpy.random.default_rng(4).normal(0, 0.1, 8000), 16000)
    write_manifest(made / "m.csv", [{"path": "c.wav", "label": "x"}])
    assert "kept none of the clips; 1 added, 2 removed" in veery("extract", "m.csv", "-o", "f.h5", "--sync", folder=made).stderr


def test_options_that_may_be_repeated_are_accepted_twice(veery, made):
    veery("extract", "m.csv", "-o", "g.h5", "--set", "frame.hop=200", "--quiet", "--quiet", "--set", "normalize.scope=none", folder=made)
    assert json.loads(veery("inspect", "g.h5", "--json", folder=made).stdout)["configuration"]["frame"]["hop"] in (200, "200", "200 samples")


def test_a_file_in_place_of_a_command_has_advice(veery, made):
    for name, command in [("m.csv", "extract m.csv"), ("f.h5", "inspect f.h5"), ("a.wav", "render a.wav"), (".", "crawl .")]:
        assert f"'veery {command}" in veery(name, status=64, folder=made).stderr


@pytest.mark.parametrize("name", ["f.txt", "f.csv", "f.wav", "F.PNG", "f.npy", "f.h5.gz", "f.jsonl", "folder/"])
def test_a_name_of_another_kind_of_file_is_refused(veery, folder, name):
    before = sorted(folder.iterdir())
    for arguments in ["extract", "m.csv", "-o", name], ["extract", "m.csv", "-o", name, "--dry-run"]:
        said = veery(*arguments, status=64, folder=folder).stderr
        assert "expected" in said and ".h5" in said
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("name", ["f.h5", "f.hdf5", "f.he5", "f.hdf", "f", "f.H5", "run.1", "features.v2.new"])
def test_a_name_that_may_be_hdf5_is_written(veery, folder, name):
    veery("extract", "m.csv", "-o", name, "--quiet", folder=folder)
    with h5py.File(folder / name) as file:
        assert len(file["clips/id"]) == 2


def test_a_list_needs_no_picture(veery, made):
    listed = veery("render", "f.h5", "--sheet", "--list", folder=made).stdout
    assert [line.split("\t")[:2] for line in listed.splitlines()] == [["x", "a"], ["y", "b"]]
    assert listed == veery("render", "f.h5", "--sheet", "--list", "-o", "s.png", folder=made).stdout
    for arguments in ["f.h5", "--sheet"], ["a.wav"], ["f.h5", "--list"]:
        veery("render", *arguments, status=64, folder=made)


def test_crawl_leaves_out_what_the_expression_does_not_match(veery, folder):
    command = ["crawl", ".", "--label-from", "^(?<label>a)"]
    result = veery(*command, "-o", "c.csv", folder=folder)
    assert "left out: .: --label-from does not match 1 recording: 'b.wav'" in result.stderr
    assert (folder / "c.csv").read_text().splitlines()[1:] == ["a.wav,a,a"]
    assert "'b.wav'" in veery(*command, "-o", "d.csv", "--strict", status=1, folder=folder).stderr
    assert "does not match 2 files" in veery("crawl", ".", "--label-from", "(?<label>z)", "-o", "d.csv", status=1,
                                             folder=folder).stderr
    assert not (folder / "d.csv").exists()
    for name in "m.csv", "c.csv":  # they may say something of the recordings
        (folder / name).unlink()
    veery("crawl", ".", "-o", "d.csv", "--strict", folder=folder)


@pytest.mark.parametrize("name, content, said", [
    ("m.csv", lzma.compress(b"path\na.wav\n"), "is compressed by xz; expected a manifest (CSV, TSV or JSON Lines)"),
    ("m.csv.gz", gzip.compress(b"path\na.wav\n", mtime=0)[:-8], "cannot be unpacked: its compressed data is cut off"),
    ("m.csv", "path\na.wav\n".encode("utf-32"), "is UTF-32; expected a manifest (CSV, TSV or JSON Lines) in UTF-8"),
    ("m.tsv", b"path;label\na.wav;x\n", "its columns are separated by semicolons; expected tabs in a TSV"),
    ("m.tsv", b"path,label\na.wav,x\n", "its columns are separated by commas; expected tabs in a TSV: give --format csv"),
    ("m.xlsx", b"PK\x03\x04" + bytes(40), "is a ZIP archive or an Excel workbook"),
    ("m.txt", b"", "is empty"),
])
def test_a_manifest_that_is_none_is_named_as_what_it_is(veery, folder, name, content, said):
    (folder / name).write_bytes(content)
    for command in ["check", name], ["extract", name, "-o", "f.h5"]:
        assert said in veery(*command, status=1, folder=folder).stderr


def test_clips_missing_in_an_append_are_named_by_cause(veery, made):
    write_manifest(made / "n.csv", [{"path": "b.wav", "id": "new"}, {"path": "x/a.wav"}])
    for more in [], ["--dry-run"]:
        result = veery("extract", "n.csv", "-o", "f.h5", "--append", *more, status=1, folder=made)
        said = result.stderr + result.stdout
        assert "its clip 'a' is not in the manifest (its recording seems to have moved to 'x/a.wav')" in said
        assert "nor is 1 more of its 2 clips: 'b' (its recording is there as 'new')" in said
    write_manifest(made / "n.csv", [{"path": "b.wav"}, {"path": "a.wav"}])
    said = veery("extract", "n.csv", "-o", "f.h5", "--append", status=1, folder=made).stderr
    assert "not in the file's order: the manifest has all of its clips, in another one" in said


@pytest.mark.parametrize("arguments, status", [
    (["extract", "m.csv"], 64), (["extract", "-o", "f.h5"], 64), (["extract", "m.csv", "-o", "f.h5", "--colour"], 64),
    (["extract", "none.csv", "-o", "g.h5"], 1), (["extract", ".", "-o", "g.h5"], 0), (["check", "."], 0), (["check", "none"], 1),
    (["check", "f.h5"], 1), (["check", "a.wav"], 0), (["inspect", "m.csv"], 1), (["inspect", "a.wav"], 1), (["inspect", "."], 1),
    (["render", "m.csv", "-o", "p.png"], 1), (["render", "a.wav", "-o", "p.jpg"], 64), (["render", "f.h5", "-o", "p.png"], 64),
    (["render", "f.h5", "--clip", "c", "-o", "p.png"], 1), (["crawl", "a.wav", "-o", "c.csv"], 1),
    (["crawl", ".", "-o", "c.txt"], 64), (["extract", "m.csv", "-o", "g.h5", "--config", "m.csv"], 1),
    (["extract", "m.csv", "-o", "g.h5", "--append", "--verify-inputs"], 64), (["filter", "a.wav", "o.wav"], 64),
    (["filter", "m.csv", "o.wav", "--band-pass", "1-2"], 1), (["presets", "x", "y"], 64), (["--nothing"], 64), (["help"], 0), ([], 0),
], ids=lambda value: " ".join(value) if isinstance(value, list) else str(value))
def test_words_are_64_and_files_are_1(veery, made, arguments, status):
    result = veery(*arguments, status=status, folder=made)
    assert status == 0 or result.stderr.startswith("Error: ") and not result.stdout


@pytest.mark.parametrize("arguments, status, said", [
    (["inspect", "m.csv"], 1, "expected a feature file, which 'veery extract' makes; this is a manifest by its name"),
    (["inspect", "a.wav"], 1, "this is a recording by its name: 'veery render' draws one"),
    (["render", "m.csv", "-o", "p.png"], 1, "expected a feature file or a recording; this is a manifest by its name"),
    (["render", "a.wav", "--clip", "a", "-o", "p.png"], 1, "expected a feature file for --clip"),
    (["render", "f.h5", "a.wav", "-o", "p.png"], 64, "f.h5 is a feature file: give it alone, and name its clips with --clip"),
    (["render", "f.h5", "--clip", "a.wav", "-o", "p.png"], 1, "no clip with the id 'a.wav'. Did you mean 'a'?"),
    (["extract", "m.csv", "-o", "g.h5", "--stats-from", "m.csv"], 1, "expected a feature file for --stats-from"),
    (["crawl", ".", "-o", "c.csv", "--label-from", "*.wav"], 64, "--label-from: the pattern '*.wav' cannot be used"),
    (["crawl", "nothing", "-o", "c.csv"], 1, "found no files at all"),
    (["check", "m.csv", "--jobs", "-1"], 64, "--jobs: expected 1 to 1024, found -1"),
    (["check", "named.csv"], 1, "rename 'sound file' to 'path'"), (["check", "clock.csv"], 1, "start is '0:30'; expected a finite"),
    (["check", "clock.csv"], 1, "write 1:30 as 90"), (["check", "windows.csv"], 3, "remark: windows.csv: 1 path has backslashes between folders"),
    (["check", "home.csv"], 3, "remark: home.csv: 2 paths start with '~'"), (["check", "web.csv"], 3, "remark: web.csv: 1 path is an address of the network"),
    (["check", "array.json"], 1, "is one JSON document (an array); expected a manifest (CSV, TSV or JSON Lines) in UTF-8: write an object on every"),
    (["check", "array.jsonl"], 1, "is one JSON document"),
], ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_mistakes_of_new_users_are_answered_in_their_words(veery, made, arguments, status, said):
    (made / "nothing").mkdir()
    (made / "named.csv").write_text("sound file,label\na.wav,x\n")
    (made / "clock.csv").write_text("path,start\na.wav,0:30\n")
    (made / "windows.csv").write_text("path\nC:\\data\\a.wav\n")
    (made / "home.csv").write_text("path\n~/a.wav\n~/b.wav\n")
    (made / "web.csv").write_text("path\nhttps://example.org/a.wav\n")
    for name in "array.json", "array.jsonl":
        (made / name).write_text('[\n  {"path": "a.wav"},\n  {"path": "b.wav"}\n]\n')
    assert said in veery(*arguments, status=status, folder=made).stderr


def test_the_help_says_which_status_is_which(veery):
    said = " ".join(veery("--help").stdout.split())
    assert "1 an error in a file" in said and "64 wrong usage" in said
    assert json.loads(veery("presets", "log-mel", "--json").stdout)


def test_an_id_that_lacks_a_part_is_nearer_than_one_with_another_word(veery, tmp_path):
    ids = ["bird48s#5-10", "bird44s.wav#5-10", "bird44s.mp3#10-15"]
    write_wav(tmp_path / "a.wav", 16000, noise(1, 8000))
    write_manifest(tmp_path / "m.csv", [{"path": "a.wav", "id": one} for one in ids])
    veery("extract", "m.csv", "-o", "f.h5", folder=tmp_path)
    for asked, meant in (("bird44s#5-10", ids[1]), ("bird44s#10-15", ids[2]), ("bird48s#5-11", ids[0])):
        said = veery("render", "f.h5", "--clip", asked, "-o", "p.png", folder=tmp_path, status=1).stderr
        assert f"Did you mean '{meant}'?" in said
        with open_features(tmp_path / "f.h5") as features, pytest.raises(KeyError, match=f"Did you mean '{meant}'"):
            features[asked]


@pytest.mark.parametrize("command", [
    ["inspect"], ["inspect", "--verify"], ["export", "--to", "npy", "-o", "out"], ["render", "--sheet", "-o", "p.png"],
    ["render", "--clip", "a", "-o", "p.png"]])
def test_folders_and_missing_files_are_named_in_the_same_words(veery, made, command):
    verb, *options = command
    said = veery(verb, "gone.h5", *options, folder=made, status=1).stderr
    assert said == "Error: gone.h5: there is no such file; check the path\n"
    (made / "folder").mkdir(exist_ok=True)
    said = veery(verb, "folder", *options, folder=made, status=1).stderr
    assert said.startswith("Error: folder: is a folder; expected a feature file")
    assert "gone.csv: there is no such file or folder; check the path" in veery(
        "extract", "gone.csv", "-o", "x.h5", folder=made, status=1).stderr


@pytest.mark.parametrize("root", ["gone", "file"])
def test_a_folder_of_recordings_that_is_none_is_refused(veery, made, root):
    (made / "file").touch()
    said = veery("inspect", "f.h5", "--html", "r.html", "--root", root, folder=made, status=1).stderr
    assert said == f"Error: {root}: there is no such folder; check --root\n"
    assert not (made / "r.html").exists()


@pytest.mark.parametrize("names, table, options", [
    (["a.wav", "b.wav"], "labels.csv", ["--extension", "wav"]),  # The table names them without their extension.
    (["a.wav", "b.wav"], "classes.csv", ["--extension", "wav"]),
    (["a.wav", "b.wav"], "classes.csv", []),
])
def test_a_column_of_a_table_that_is_not_read(veery, tmp_path, names, table, options):
    """The message names the table, and the same command with the table works."""
    for index, name in enumerate(names):
        write_wav(tmp_path / "sounds" / name, 16000, noise(index, 16000))
    rows = [f"{name.removesuffix('.wav') if options else name},{'ab'[index]}" for index, name in enumerate(names)]
    (tmp_path / "sounds" / table).write_text("\n".join(["filename,instrument", *rows]) + "\n")
    for command in (["check", "sounds"], ["split", "sounds", "-o", "s.csv", "--ratio", "a=0.5,b=0.5"], ["extract", "sounds", "-o", "f.h5"]):
        result = veery(*command, "--column", "label=instrument", folder=tmp_path, status=1)
        named, = re.findall(r"give it in place of the folder: '([^']+)'", result.stderr)
        command[1] = named
        found = veery(*command, "--column", "label=instrument", *options, folder=tmp_path)
        assert "2 labels" in found.stdout or command[0] != "check", found.stdout
