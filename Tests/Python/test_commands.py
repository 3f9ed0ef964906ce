"""The commands: exit statuses, texts, the file under the final name, interruption."""

import csv
import json
import os
import re
import signal
import struct
import subprocess
import time
import zlib
from pathlib import Path

import h5py
import jsonschema
import numpy as np
import pytest
import referencing

from conftest import noise, tone, write_manifest, write_wav
from recordings import digest

SCHEMAS = Path(__file__).resolve().parents[2] / "Schemas"


def validate(report, name):
    """Holds a report to Schemas/NAME.schema.json, which may refer to its neighbours."""
    schemas = {path.name: json.loads(path.read_text()) for path in SCHEMAS.glob("*.schema.json")}
    schema = schemas[f"{name}.schema.json"]
    jsonschema.Draft202012Validator.check_schema(schema)
    registry = referencing.Registry().with_resources(
        (key, referencing.Resource.from_contents(schemas[name]))
        for name in schemas for key in {name, schemas[name].get("$id", name)})
    jsonschema.Draft202012Validator(schema, registry=registry).validate(report)


@pytest.fixture
def folder(tmp_path):
    """Two good recordings, one that is too short, and manifests of them."""
    write_wav(tmp_path / "audio/a.wav", 16000, tone(16000, 0.5, [440, 2000]))
    write_wav(tmp_path / "audio/b.wav", 16000, noise(1, 9000))
    write_wav(tmp_path / "audio/short.wav", 16000, noise(2, 100))
    good = [{"path": "audio/a.wav", "id": "a", "label": "tone", "split": "train"},
            {"path": "audio/b.wav", "id": "b", "label": "noise", "split": "val"}]
    bad = [{"path": "audio/short.wav", "id": "short", "label": "noise", "split": "train"},
           {"path": "audio/missing.wav", "id": "missing", "label": "noise", "split": "train"}]
    write_manifest(tmp_path / "good.csv", good)
    write_manifest(tmp_path / "mixed.csv", good + bad)
    return tmp_path


@pytest.fixture
def made(folder, veery):
    veery("extract", folder / "good.csv", "-o", folder / "f.h5")
    return folder / "f.h5"


def left_over(folder, name):
    """Whether there is something under the final name."""
    return os.path.lexists(folder / name)


# ------------------------------------------------------------------------------------------------------ exit statuses


def test_help_and_version(veery):
    assert "extract" in veery("--help").stdout
    assert veery("-V").stdout == veery("--version").stdout == veery("extract", "-V").stdout
    assert veery("-V", "--licences").stdout == veery("--licences").stdout
    assert veery("help", "extract").stdout == veery("extract", "--help").stdout != veery("extract", "-h").stdout
    assert veery().stdout == veery("-h").stdout != veery("help").stdout == veery("--help").stdout
    lines = veery("--version").stdout.splitlines()
    assert re.fullmatch(r"veery \d+\.\d+\.\d+", lines[0])
    assert [line.split()[0] for line in lines if not line.startswith("fftw ")] == [
        "veery", "libsndfile", "hdf5", "libdeflate", "soxr", "transform", "cairo", "libpng", "zlib",
        "libzstd"]
    transform = next(line for line in lines if line.startswith("transform "))
    assert re.fullmatch(r"transform lanes \d+, with \w+", transform)
    assert all(re.fullmatch(r"\w+ \d[\w.-]*", line) for line in lines if line != transform)
    for command in ("extract", "inspect", "render", "crawl", "check", "export", "presets"):
        assert command in veery("--help").stdout
        assert "USAGE" in veery(command, "--help").stdout.upper()


@pytest.mark.parametrize("arguments", [
    ["nonsense"], ["extract"], ["extract", "m.csv"], ["extract", "m.csv", "-o", "f.h5", "--nonsense"],
    ["extract", "m.csv", "-o", "f.h5", "--jobs", "0"], ["extract", "m.csv", "-o", "f.h5", "--jobs", "many"],
    ["extract", "m.csv", "-o", "f.h5", "--max-failures", "some"], ["extract", "m.csv", "-o", "f.h5", "--max-failures", "101%"],
    ["extract", "m.csv", "-o", "f.h5", "--progress", "loud"], ["extract", "m.csv", "-o", "f.h5", "--max-failures=-1"],
    ["render"], ["inspect"],
])
def test_wrong_usage_is_64(veery, tmp_path, arguments):
    result = veery(*arguments, status=64, folder=tmp_path)
    assert result.stderr.strip()
    assert not result.stdout.strip()
    assert not left_over(tmp_path, "f.h5")


def test_more_failures_than_allowed_is_3_and_the_file_is_written(veery, folder):
    for allowed, status in [("0", 3), ("1", 3), ("2", 0), ("49%", 3), ("50%", 0), ("100%", 0)]:
        result = veery("extract", folder / "mixed.csv", "-o", folder / "f.h5", "--max-failures", allowed, "--overwrite",
                       status=status)
        with h5py.File(folder / "f.h5") as file:
            assert file.attrs["complete"] == 1
            assert list(file["failures/id"].asstr()) == ["short", "missing"]
        if status == 3:
            assert "short" in result.stderr and "missing" in result.stderr
    veery("extract", folder / "mixed.csv", "-o", folder / "default.h5", status=3)
    assert left_over(folder, "default.h5")


def test_a_run_of_nothing_but_failures_does_not_crash(veery, folder):
    for configuration in ([], ["--preset", "mixer-fft"]):
        manifest = write_manifest(folder / "bad.csv", [{"path": "audio/short.wav"}, {"path": "nowhere.wav"}])
        veery("extract", manifest, "-o", folder / "f.h5", "--overwrite", *configuration, status=(1, 3))


@pytest.mark.parametrize("rows, words", [
    ("id,label\na,b\n", ["path"]),
    ("path,id\naudio/a.wav,x\naudio/b.wav,x\n", ["x", "3", "2"]),
    ("path,start,end\naudio/a.wav,0.2,0.1\n", ["2", "end"]),
    ("path,start\naudio/a.wav,soon\n", ["2", "start", "soon"]),
    ("path,channel\naudio/a.wav,left\n", ["2", "channel", "left"]),
    ("path,label\naudio/a.wav,\"open\n", ["2"]),
    ("path,label\naudio/a.wav,b,c,d\n", ["2"]),
    ("", []),
], ids=["no path column", "duplicate id", "end before start", "start is no number", "channel is no number",
        "open quote", "too many fields", "empty file"])
def test_a_bad_manifest_is_refused_with_its_line(veery, folder, rows, words):
    (folder / "bad.csv").write_text(rows)
    result = veery("extract", folder / "bad.csv", "-o", folder / "f.h5", status=1)
    assert "bad.csv" in result.stderr
    for word in words:
        assert word in result.stderr
    assert not left_over(folder, "f.h5")


def test_all_problems_of_a_manifest_at_once(veery, folder):
    (folder / "bad.csv").write_text("path,id,start,end\naudio/a.wav,x,2,1\naudio/a.wav,y,,\naudio/b.wav,y,,\naudio/b.wav,z,-1,\n")
    result = veery("extract", folder / "bad.csv", "-o", folder / "f.h5", status=1)
    for line in ("2", "4", "5"):
        assert line in result.stderr
    assert not left_over(folder, "f.h5")


def test_a_missing_manifest(veery, folder):
    result = veery("extract", folder / "nowhere.csv", "-o", folder / "f.h5", status=1)
    assert "nowhere.csv" in result.stderr
    assert not left_over(folder, "f.h5")


@pytest.mark.parametrize("setting, words", [
    ("frame.lenght=400", ["frame.lenght", "frame.length"]),
    ("fram.length=400", ["fram", "frame"]),
    ("frame.length=-1", ["frame.length", "-1"]),
    ("frame.hop=0", ["frame.hop", "0"]),
    ("frame.fft_length=100", ["frame.fft_length", "100", "400"]),
    ("frame.window=hanning", ["frame.window", "hanning", "hann"]),
    ("transform.high=9000", ["transform.high", "9000", "8000"]),
    ("scale.floor=0", ["scale.floor"]),
    ("store.layout=fixed", ["store.layout", "fixed", "packed", "audio.duration"]),
    ("store.layout=ragged", ["store.layout", "ragged", "packed", "fixed"]),
    ("store.type=float64", ["store.type", "float64", "float16", "float32"]),
    ("audio.sample_rate=fast", ["audio.sample_rate", "fast"]),
    ("n_mels=40", ["n_mels is transform.bins here"]),
    ("hop=160", ["hop is frame.hop or patches.hop here"]),
    ("frame.hop", ["section.key=value"]),
])
def test_an_invalid_setting_names_the_key_and_is_wrong_usage(veery, folder, setting, words):
    result = veery("extract", folder / "good.csv", "-o", folder / "f.h5", "--set", setting, status=64)
    for word in words:
        assert word in result.stderr
    assert "Usage: veery extract" in result.stderr
    assert not left_over(folder, "f.h5")


def test_a_setting_that_the_manifest_lacks_is_not_a_usage_error(veery, folder):
    result = veery("extract", folder / "good.csv", "-o", folder / "f.h5", "--set", "normalize.fit=training", status=1)
    assert "normalize.fit" in result.stderr and "training" in result.stderr
    assert not left_over(folder, "f.h5")


def test_the_file_is_to_blame_for_its_mistakes_and_the_command_for_its_own(veery, folder):
    command = ["extract", folder / "good.csv", "-o", folder / "f.h5", "--config", folder / "c.yaml"]
    (folder / "c.yaml").write_text("frame: {hop: 0}\n")
    result = veery(*command, "--set", "frame.length=400", status=1)
    assert "c.yaml: configuration frame.hop" in result.stderr and "Usage" not in result.stderr
    assert "c.yaml" in veery(*command, "--set", "frame.lenght=400", status=1).stderr
    # Mended by the command, it is not a mistake.
    veery(*command, "--dry-run", "--set", "frame.hop=160")
    (folder / "c.yaml").write_text("extends: log-mel\nframe: {hop: 80}\n")
    result = veery(*command, "--set", "frame.hop=0", status=64)
    assert "c.yaml" not in result.stderr and "--set frame.hop=0: configuration frame.hop" in result.stderr
    (folder / "c.yaml").write_text("extends: log-mell\n")
    assert "did you mean 'log-mel'?" in veery(*command, status=1).stderr
    veery(*command[:-2], "--preset", "log-mell", status=64)
    words = " ".join(veery("--help").stdout.split())
    assert "64 wrong usage, --preset and --set included" in words
    assert not left_over(folder, "f.h5")


def test_a_configuration_comes_from_a_pipe(program, veery, folder):
    command = '"$0" extract good.csv -o pipe.h5 --config <("$0" presets kaldi-fbank)'
    result = subprocess.run(["bash", "-c", command, str(program)], cwd=folder, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    veery("extract", folder / "good.csv", "-o", folder / "preset.h5", "--preset", "kaldi-fbank")
    assert digest(folder / "pipe.h5") == digest(folder / "preset.h5")


def test_annotations_from_a_pipe_without_a_writer_are_a_sentence_soon(veery, folder, tmp_path):
    os.mkfifo(tmp_path / "labels.txt")
    for command in (["clips", folder / "good.csv", "--annotations", tmp_path / "labels.txt", "-o", tmp_path / "c.csv"],
                    ["extract", folder / "good.csv", "--frame-labels", tmp_path / "labels.txt", "-o", tmp_path / "f.h5"]):
        error = veery(*command, status=1).stderr
        assert "labels.txt: expected a writer of the pipe, found none for 2 s" in error, error


def test_a_configuration_that_is_none_is_a_sentence_at_once(veery, folder):
    command = ["extract", folder / "good.csv", "-o", folder / "f.h5"]
    os.mkfifo(folder / "pipe")
    (folder / "many.yaml").write_text("".join(f"k{key}: 1\n" for key in range(300_000)))
    with open(folder / "huge.yaml", "wb") as file:
        file.truncate(20_000_000_000)
    for name, words in [("pipe", "expected a writer of the pipe"), ("many.yaml", "at most 1048576 bytes"),
                        ("huge.yaml", "at most 1048576 bytes, found 20000000000"), ("audio", "found a folder")]:
        error = veery(*command, "--config", folder / name, status=1).stderr
        assert words in error and len(error) < 400, error
    error = veery(*command, "--set", "x" * 60_000, status=64).stderr
    assert "section.key=value" in error and len(error) < 800, error
    error = veery(*command, "--set", "frame.hop=" + "x" * 60_000, status=64).stderr
    assert len(error) < 800, error
    error = veery(*command, "--preset", "x" * 60_000, status=64).stderr
    assert "There are: log-mel" in error and len(error) < 1500, error
    assert not left_over(folder, "f.h5")


def test_a_transform_that_takes_minutes_is_warned_of_before_it_begins(veery, folder):
    warning = veery("extract", folder / "good.csv", "-o", folder / "f.h5", "--set", "frame.fft_length=1000003", "--dry-run").stderr
    assert "may take longer than the sound lasts" in warning and "prime factor 1000003" in warning and "1048576" in warning


def test_a_configuration_file(veery, folder):
    (folder / "c.yaml").write_text("version: 1\nframe: {length: 25 ms, hop: 10 ms, wndow: hann}\n")
    result = veery("extract", folder / "good.csv", "-o", folder / "f.h5", "--config", folder / "c.yaml", status=1)
    assert "frame.wndow" in result.stderr and "frame.window" in result.stderr and "c.yaml" in result.stderr
    (folder / "c.yaml").write_text("frame: {length: 25 ms, hop: 10 ms, fft_length: 512}\ntransform: {high: 8000}\n")
    veery("extract", folder / "good.csv", "-o", folder / "f.h5", "--config", folder / "c.yaml")
    veery("extract", folder / "good.csv", "-o", folder / "default.h5")
    with h5py.File(folder / "f.h5") as file, h5py.File(folder / "default.h5") as expected:
        assert np.array_equal(file["features"][:], expected["features"][:])


def test_an_unknown_preset_is_named_and_the_known_ones_too(veery, folder):
    result = veery("extract", folder / "good.csv", "-o", folder / "f.h5", "--preset", "logmel", status=(1, 64))
    assert "logmel" in result.stderr and "log-mel" in result.stderr
    assert not left_over(folder, "f.h5")


def test_an_output_that_cannot_be_written(veery, folder):
    result = veery("extract", folder / "good.csv", "-o", folder / "no such folder/f.h5", status=1)
    assert "no such folder" in result.stderr
    (folder / "taken").mkdir()
    veery("extract", folder / "good.csv", "-o", folder / "taken", status=1)
    assert (folder / "taken").is_dir()


def test_a_full_disk_leaves_nothing_under_the_final_name(veery, program, folder):
    limited = subprocess.run(
        ["bash", "-c", 'ulimit -f 8; trap "" XFSZ; exec "$@"', "bash", str(program), "extract", str(folder / "good.csv"),
         "-o", str(folder / "f.h5"), "--set", "frame.hop=20"], capture_output=True, text=True, timeout=120)
    assert limited.returncode == 75, limited.stderr
    assert limited.stderr.strip()
    assert not left_over(folder, "f.h5")


def test_a_limit_of_file_sizes_is_an_error_and_the_run_goes_on_without_it(veery, program, folder):
    arguments = ["extract", folder / "good.csv", "-o", folder / "f.h5"]
    veery(*arguments[:3], folder / "whole.h5")
    limited = subprocess.run(
        ["bash", "-c", 'ulimit -f 16; exec "$0" "$@"', str(program), *map(str, arguments)], capture_output=True, text=True, timeout=60)
    assert limited.returncode == 75 and "File too large" in limited.stderr, (limited.returncode, limited.stderr)
    assert not (folder / "f.h5").exists()
    veery(*arguments)
    assert digest(folder / "f.h5") == digest(folder / "whole.h5")


# Without the note, and without a tag before it that makes libsndfile's estimate a long one, it stops at the estimate.
@pytest.mark.parametrize("states, tag", [(True, 0), (True, 33), (True, 40_000), (False, 40_000)])
def test_an_mp3_is_read_to_its_end_whether_or_not_it_says_where_that_is(veery, tmp_path, states, tag):
    write_wav(tmp_path / "a.wav", 16000, tone(16000, 2.5, [440, 1000]))
    veery("filter", tmp_path / "a.wav", tmp_path / "a.mp3", "--band-pass", "100-7000")
    data = (tmp_path / "a.mp3").read_bytes()
    start = data.index(b"\xff\xf3")  # MPEG-2, layer III, without a checksum
    bits, padding = data[start + 2] >> 4, data[start + 2] >> 1 & 1
    size = 72 * [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160][bits] * 1000 // 16000 + padding
    assert b"Info" in data[start:start + size] or b"Xing" in data[start:start + size]
    frames = data[start if states else start + size:]
    head = b"ID3\x04\0\0" + bytes(tag >> 7 * i & 127 for i in (3, 2, 1, 0)) + bytes(tag) if tag else b""
    (tmp_path / "b.mp3").write_bytes(head + frames)
    manifest = write_manifest(tmp_path / "m.csv", [
        {"id": "all", "path": "b.mp3"}, {"id": "rest", "path": "b.mp3", "start": 1},
        {"id": "part", "path": "b.mp3", "start": 1, "end": 2}])
    veery("extract", manifest, "-o", tmp_path / "f.h5")
    with h5py.File(tmp_path / "f.h5") as file:
        whole, rest, part = file["clips/duration"][:]
        assert 2.5 <= whole < 2.7 and abs(whole - rest - 1) < 1e-9 and part == 1
    write_manifest(tmp_path / "m.csv", [{"id": "all", "path": "b.mp3"}, {"id": "past", "path": "b.mp3", "start": 1, "end": 5}])
    result = veery("extract", tmp_path / "m.csv", "-o", tmp_path / "g.h5", status=3)
    assert "recording" in result.stderr and "lasts" in result.stderr


def test_an_end_that_lies_behind_any_file_is_one_clips_failure(veery, tmp_path):
    """If a recording does not state its length, an end beyond any file decides neither its rows nor where others begin."""
    write_wav(tmp_path / "a.wav", 16000, tone(16000, 2.5, [440, 1000]))
    veery("filter", tmp_path / "a.wav", tmp_path / "a.mp3", "--band-pass", "100-7000")
    data = (tmp_path / "a.mp3").read_bytes()
    for note in (b"Info", b"Xing"):
        data = data.replace(note, b"\0\0\0\0")
    (tmp_path / "b.mp3").write_bytes(data)
    far = [{"id": f"far-{i}", "path": "b.mp3", "start": i / 10, "end": 7.2e13} for i in range(5)]
    good = [{"id": f"good-{i}", "path": "a.wav"} for i in range(2)]
    for rows in (far + good, far[:1] + good + far[1:]):
        manifest = write_manifest(tmp_path / "m.csv", rows)
        result = veery(
            "extract", manifest, "-o", tmp_path / "f.h5", "--set", "normalize.scope=none", "--max-failures", "100%",
            "--overwrite")
        assert "File too large" not in result.stderr
        with h5py.File(tmp_path / "f.h5") as file:
            assert list(file["clips/id"].asstr()) == ["good-0", "good-1"] and len(file["failures/id"]) == 5
            assert file["features"].shape[0] == 2 * 248


# ------------------------------------------------------------------------------------------------- an existing output


def test_an_output_that_is_up_to_date_is_left_alone(veery, folder, made):
    before = (made.stat().st_mtime_ns, made.stat().st_ino, digest(made))
    result = veery("extract", folder / "good.csv", "-o", made)
    assert "up to date" in result.stderr + result.stdout
    assert (made.stat().st_mtime_ns, made.stat().st_ino, digest(made)) == before


@pytest.mark.parametrize("change", ["configuration", "manifest", "recording", "not a feature file"])
def test_an_output_of_something_else_is_refused(veery, folder, made, change):
    arguments = ["extract", folder / "good.csv", "-o", made]
    if change == "configuration":
        arguments += ["--set", "frame.hop=200"]
    elif change == "manifest":
        with open(folder / "good.csv", "a") as file:
            file.write("audio/a.wav,again,tone,train\n")
    elif change == "recording":
        time.sleep(0.02)
        write_wav(folder / "audio/b.wav", 16000, noise(77, 9000))
    else:
        made.write_text("my notes\n")
    before = digest(made)
    result = veery(*arguments, status=1)
    assert "--overwrite" in result.stderr and "f.h5" in result.stderr
    assert digest(made) == before
    if change == "not a feature file":
        veery(*arguments, "--overwrite", status=1)
        assert made.read_text() == "my notes\n"
        return
    veery(*arguments, "--overwrite")
    assert digest(made) != before
    with h5py.File(made) as file:
        assert file.attrs["complete"] == 1


@pytest.mark.parametrize("options", [[], ["--append"], ["--overwrite"]])
def test_a_file_that_another_program_writes_to_is_left_to_it(veery, folder, made, options):
    with h5py.File(made, "r+"):
        for arguments in [["extract", folder / "good.csv", "-o", made, *options], ["inspect", made]]:
            result = veery(*arguments, status=1)
            assert "f.h5: another program" in result.stderr and "has the file open for writing" in result.stderr
    veery("inspect", "--verify", made)


def test_a_dry_run_says_so_too(veery, folder, made):
    with h5py.File(made, "r+"):
        for options in ([], ["--overwrite"]):
            result = veery("extract", folder / "good.csv", "-o", made, "--dry-run", *options, status=1)
            assert "has the file open for writing" in result.stdout + result.stderr


def test_append_does_not_drop_what_someone_has_added(veery, folder, made):
    with h5py.File(made, "r+") as file:
        file["my_embeddings"] = [1, 2, 3]
    before = digest(made)
    with open(folder / "good.csv", "a") as file:
        file.write("audio/a.wav,again,tone,train\n")
    result = veery("extract", folder / "good.csv", "-o", made, "--append", status=1)
    assert "'/my_embeddings'" in result.stderr
    assert digest(made) == before


def test_a_recording_replaced_by_an_older_one_is_another_input(veery, folder, made):
    write_wav(folder / "audio/b.wav", 16000, noise(78, 9000))
    os.utime(folder / "audio/b.wav", (1_000_000_000, 1_000_000_000))
    before = digest(made)
    veery("extract", folder / "good.csv", "-o", made, status=1)
    assert digest(made) == before


def test_recordings_with_new_times_are_the_same_inputs(veery, folder, made):
    """After a clone or a copy, recordings have new times but the same samples: the file is up to date."""
    for path in (folder / "audio").iterdir():
        os.utime(path, (2_000_000_000, 2_000_000_000))
    result = veery("extract", folder / "good.csv", "-o", made)
    assert "up to date" in result.stderr + result.stdout


def test_the_old_file_is_left_when_overwriting_fails(veery, folder, made):
    before = digest(made)
    (folder / "bad.csv").write_text("path,start,end\naudio/a.wav,2,1\n")
    veery("extract", folder / "bad.csv", "-o", made, "--overwrite", status=1)
    assert digest(made) == before


def test_a_dry_run_writes_nothing(veery, folder):
    before = sorted(folder.rglob("*"))
    result = veery("extract", folder / "good.csv", "-o", folder / "f.h5", "--dry-run")
    assert "2" in result.stdout + result.stderr
    assert sorted(folder.rglob("*")) == before


def test_nothing_but_the_output_is_left_behind(veery, folder):
    before = set(folder.rglob("*"))
    result = veery("extract", folder / "good.csv", "-o", folder / "f.h5", "--quiet")
    assert set(folder.rglob("*")) - before == {folder / "f.h5"}
    assert result.stderr == ""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full IS NOT THERE: a full standard output is not tested")
@pytest.mark.parametrize("arguments", [["presets"], ["presets", "log-mel"], ["inspect", "f.h5"], ["inspect", "f.h5", "--json"],
                                       ["list", "f.h5"], ["list", "f.h5", "--csv"], ["check", "good.csv"], ["check", "good.csv", "--json"], ["--help"]], ids=" ".join)
def test_a_standard_output_that_cannot_be_written_causes_no_crash(program, folder, made, arguments):
    with open("/dev/full", "w") as full:
        result = subprocess.run([program, *arguments], cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 75, result.stderr[:500]
    assert "Fatal error" not in result.stderr


@pytest.mark.parametrize("arguments", [["presets", "log-mel"], ["inspect", "f.h5", "--json"]], ids=" ".join)
def test_a_reader_that_ends_causes_no_crash(program, folder, made, arguments):
    """As in `veery inspect f.h5 --json | head -1`."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        result = subprocess.run([program, *arguments], cwd=folder, stdout=pipe, stderr=subprocess.PIPE, text=True)
    assert result.returncode in (0, 1, -signal.SIGPIPE), result.stderr[:500]
    assert "Fatal error" not in result.stderr


def test_progress_as_json(veery, folder):
    result = veery("extract", folder / "good.csv", "-o", folder / "f.h5", "--progress", "json")
    events = [json.loads(line) for line in result.stderr.splitlines() if line.startswith("{")]
    assert events
    for event in events:
        validate(event, "progress-event")


# -------------------------------------------------------------------------------------------------------- interruption


SLOW = ["--config", "c.yaml", "--jobs", "1", "--progress", "none"]


@pytest.fixture(scope="module")
def slow(veery, tmp_path_factory):
    """A folder with a manifest that takes a second or more; how many seconds; the digest of the file it makes."""
    folder = tmp_path_factory.mktemp("slow")
    write_wav(folder / "a.wav", 16000, noise(5, 160_000))
    write_manifest(folder / "m.csv", [{"path": "a.wav", "id": f"clip-{i}", "split": "train"} for i in range(40)])
    (folder / "c.yaml").write_text(
        "frame: {length: 400, hop: 160, fft_length: 8192}\ntransform: {kind: fft, bins: 16}\n"
        "scale: {kind: ln, floor: 1.0e-10}\n")
    begin = time.monotonic()
    veery("extract", "m.csv", "-o", "whole.h5", *SLOW, folder=folder)
    return folder, time.monotonic() - begin, digest(folder / "whole.h5")


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_an_interrupted_run_leaves_nothing_under_the_final_name(program, veery, slow, tmp_path, number, status):
    folder, _, whole = slow
    output = tmp_path / "f.h5"
    command = ["extract", "m.csv", "-o", output, *SLOW]
    for _ in range(5):
        process = subprocess.Popen([program, *map(str, command)], cwd=folder, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not list(tmp_path.glob("f.h5.spool/*.spool")):
            time.sleep(0.005)
        process.send_signal(number)
        _, error = process.communicate(timeout=120)
        if process.returncode != 0:
            break
        # On a busy machine the signal can come when the work is done: that run counts for nothing.
        output.unlink()
    assert process.returncode == status, error
    assert not output.exists()
    # Finished clips are left for the next run, and the program says so; a run that was stopped before has no clips and leaves nothing.
    assert list(tmp_path.iterdir()) in ([tmp_path / "f.h5.spool"], [])
    assert number == signal.SIGKILL or "stopped" in error
    if number != signal.SIGKILL and list(tmp_path.iterdir()):
        assert "of 40 clips are done and kept" in error and "give the same command again" in error
    again = veery(*command, "--json", folder=folder)
    if "are done and kept" in error:
        assert "resuming an interrupted run" in again.stderr
        assert 0 < json.loads(again.stdout)["resumed_clips"] < 40
    assert digest(output) == whole
    assert list(tmp_path.iterdir()) == [output]


def test_append_adds_what_is_new_and_keeps_the_rest(veery, tmp_path):
    for name in "abc":
        write_wav(tmp_path / f"{name}.wav", 16000, noise(ord(name), 16_000))
    rows = [{"path": f"{name}.wav", "label": name, "split": "train"} for name in "abc"]
    write_manifest(tmp_path / "small.csv", rows[:2])
    write_manifest(tmp_path / "grown.csv", [rows[0], rows[2], rows[1]])
    veery("extract", "small.csv", "-o", "f.h5", folder=tmp_path)
    with h5py.File(tmp_path / "f.h5") as file:
        before, mean = file["features"][98:196], file["statistics/mean"][:]
    result = veery("extract", "grown.csv", "-o", "f.h5", "--append", "--json", folder=tmp_path)
    report = json.loads(result.stdout)
    validate(report, "extraction-report")
    assert report["kept_clips"] == 2 and report["clips"] == 3 and "kept 2 clips, added 1" in result.stderr
    with h5py.File(tmp_path / "f.h5") as file:
        assert file["clips/id"].asstr()[:].tolist() == ["a", "c", "b"]
        start = file["clips/frame_start"][2]
        np.testing.assert_array_equal(file["features"][start:start + 98], before)
        np.testing.assert_array_equal(file["statistics/mean"][:], mean)
    assert "up to date" in veery("extract", "grown.csv", "-o", "f.h5", "--append", folder=tmp_path).stderr
    before = digest(tmp_path / "f.h5")
    error = veery("extract", "small.csv", "-o", "f.h5", "--append", status=1, folder=tmp_path).stderr
    assert "'c' is not in the manifest" in error and digest(tmp_path / "f.h5") == before
    assert sorted(path.name for path in tmp_path.glob("f.h5*")) == ["f.h5"]


def test_two_runs_on_one_output(program, veery, slow, tmp_path):
    folder, _, _ = slow
    output = tmp_path / "f.h5"
    command = ["extract", "m.csv", "-o", output, *SLOW]
    first = subprocess.Popen([program, *map(str, command)], cwd=folder, stderr=subprocess.DEVNULL)
    while first.poll() is None and not list(tmp_path.glob("f.h5.spool/*.spool")):
        time.sleep(0.005)
    result = veery(*command, status=1, folder=folder)
    assert str(first.pid) in result.stderr
    first.terminate()
    assert first.wait(timeout=60) == 143


def test_two_runs_on_one_output_with_scratch_folders_of_their_own(program, veery, slow, tmp_path):
    folder, _, whole = slow
    output = tmp_path / "f.h5"
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    command = ["extract", "m.csv", "-o", output, *SLOW, "--scratch"]
    first = subprocess.Popen([program, *map(str, command), str(tmp_path / "one")], cwd=folder, stderr=subprocess.DEVNULL)
    while first.poll() is None and not list(tmp_path.glob("one/*/*.spool")):
        time.sleep(0.005)
    assert first.poll() is None, "the run ended before the second began"
    assert str(first.pid) in veery(*command, tmp_path / "two", status=1, folder=folder).stderr
    assert first.wait(timeout=120) == 0
    assert digest(output) == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.h5", "one", "two"]


def test_more_workers_than_descriptors_for_each_pair(program, veery, slow, tmp_path):
    folder, _, whole = slow
    command = 'ulimit -n 256; exec "$0" extract m.csv -o "$1" --config c.yaml --jobs 60 --quiet'
    subprocess.run(["bash", "-c", command, str(program), str(tmp_path / "f.h5")], cwd=folder, check=True)
    assert digest(tmp_path / "f.h5") == whole


# ------------------------------------------------------------------------------------------------------------- inspect


def test_inspect_as_json(veery, folder, made):
    report = json.loads(veery("inspect", made, "--json").stdout)
    text = json.dumps(report)
    assert "tone" in text and "noise" in text and "train" in text
    validate(report, "inspect")
    veery("extract", folder / "mixed.csv", "-o", folder / "mixed.h5", "--max-failures", "2")
    validate(json.loads(veery("inspect", folder / "mixed.h5", "--json").stdout), "inspect")
    validate(json.loads(veery("inspect", folder / "mixed.h5", "--verify", "--json").stdout), "inspect")


@pytest.mark.parametrize("dataset, value", [
    ("clips/duration", -1e300), ("clips/duration", float("nan")), ("clips/start", float("inf")), ("clips/sample_rate", 0),
    ("clips/label_index", 99), ("clips/frame_start", 5), ("statistics/mean", 1e9), ("statistics/std", float("nan")),
    ("frequency", float("nan")), ("features", 0.5)])
def test_verify_finds_a_changed_value_and_inspect_survives_it(veery, made, dataset, value):
    veery("inspect", made, "--verify")
    with h5py.File(made, "r+") as file:
        file[dataset][(0,) * file[dataset].ndim] = value
    assert "damaged" in veery("inspect", made, "--verify", status=1).stdout
    for arguments in ([], ["--json"]):
        veery("inspect", made, *arguments)


@pytest.mark.parametrize("dataset, values", [
    ("frame_count", [-1, 0, 0]), ("frame_count", [float("nan")] * 3), ("frame_start", [1e300, 0, 0]), ("frame_start", [-1, 0, 0])])
def test_rows_that_a_clip_cannot_have_are_read_by_no_command(veery, made, dataset, values):
    with h5py.File(made, "r+") as file:
        name = file["clips/id"].asstr()[0]
        del file[f"clips/{dataset}"]
        file[f"clips/{dataset}"] = np.resize(values, len(file["clips/id"]))
    for arguments in (["render", made, "--clip", name, "-o", made.parent / "p.png"],
                      ["render", made, "--sheet", "-o", made.parent / "p.png"], ["list", made],
                      ["inspect", made, "--suspicious"], ["inspect", made, "--html", made.parent / "p.html"],
                      ["export", made, "--to", "npy", "-o", made.parent / "p"]):
        run = veery(*arguments, status=1)
        assert "the file is damaged: clip " in run.stderr and " has rows from " in run.stderr, arguments


@pytest.mark.parametrize("dataset", ["id", "frame_count"])
@pytest.mark.parametrize("shape", ["short", "empty", "scalar"])
def test_a_column_that_is_too_short_hides_no_clip(veery, made, dataset, shape):
    with h5py.File(made, "r+") as file:
        values = file[f"clips/{dataset}"][:]
        del file[f"clips/{dataset}"]
        file[f"clips/{dataset}"] = {"short": values[:-1], "empty": values[:0], "scalar": values[0]}[shape]
    for arguments in (["export", made, "--to", "npy", "-o", made.parent / "p"], ["list", made], ["inspect", made],
                      ["inspect", made, "--verify"], ["inspect", made, "--suspicious"], ["render", made, "--sheet", "--list"]):
        run = veery(*arguments, status=1)
        assert "the file is damaged: /clips/id has the shape " in run.stderr, arguments


def test_inspect_as_text(veery, folder):
    veery("extract", folder / "mixed.csv", "-o", folder / "f.h5", "--max-failures", "2")
    report = veery("inspect", folder / "f.h5").stdout
    for word in ("tone", "noise", "train", "val", "missing"):
        assert word in report


def test_inspect_verifies_the_checksums(veery, made):
    veery("inspect", "--verify", made)
    with h5py.File(made) as file:
        offset = file["features"].id.get_offset()
        second = int(file["clips/frame_start"][1])
    with open(made, "r+b") as file:
        at = offset + second * 80 * 4 + 1
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 1]))
    result = veery("inspect", "--verify", made, status=1)
    assert "b" in (result.stderr + result.stdout).split() or "'b'" in result.stderr + result.stdout


@pytest.mark.parametrize("damage", ["half", "empty", "text", "missing", "other HDF5"])
def test_a_damaged_file_is_an_error_and_causes_no_crash(veery, made, damage):
    content = made.read_bytes()
    if damage == "half":
        made.write_bytes(content[:len(content) // 2])
    elif damage == "empty":
        made.write_bytes(b"")
    elif damage == "text":
        made.write_text("no features here\n" * 100)
    elif damage == "missing":
        made.unlink()
    else:
        made.unlink()
        with h5py.File(made, "w") as file:
            file["x"] = 1
    for arguments in (["inspect", made], ["render", made, "--clip", "a", "-o", made.with_suffix(".png")]):
        result = veery(*arguments, status=1)
        assert "f.h5" in result.stderr
        assert not made.with_suffix(".png").exists()


# -------------------------------------------------------------------------------------------------------------- render


def png(path):
    """Width and height, after every chunk's checksum and the pixels' compression have been checked."""
    content = path.read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    at, pixels, size = 8, b"", None
    while at < len(content):
        length, kind = struct.unpack(">I4s", content[at:at + 8])
        data = content[at + 8:at + 8 + length]
        assert struct.unpack(">I", content[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + data)
        if kind == b"IHDR":
            size = struct.unpack(">II", data[:8])
        if kind == b"IDAT":
            pixels += data
        at += 12 + length
    pixels = zlib.decompress(pixels)
    assert len(set(pixels)) > 16, "the picture is empty"
    return size


@pytest.mark.parametrize("arguments", [
    ["f.h5", "--clip", "a"], ["audio/b.wav", "--preset", "log-mel"],
    ["audio/b.wav", "--preset", "scrolling-dct"], ["audio/b.wav", "--preset", "mixer-fft"],
], ids=" ".join)
def test_render_draws(veery, folder, made, arguments):
    veery("render", *arguments, "-o", "picture.png", folder=folder)
    width, height = png(folder / "picture.png")
    assert width >= 100 and height >= 50


def test_render_says_what_is_wrong(veery, folder, made):
    path = folder / "picture.png"
    assert "nobody" in veery("render", made, "--clip", "nobody", "-o", path, status=1).stderr
    assert "short.wav" in veery("render", folder / "audio/short.wav", "--preset", "log-mel", "-o", path, status=1).stderr
    assert "nowhere.wav" in veery("render", folder / "nowhere.wav", "--preset", "log-mel", "-o", path, status=1).stderr
    assert not path.exists()


def test_render_replaces_pictures_only(veery, folder, tmp_path):
    path = tmp_path / "call.png"
    path.write_bytes(b"RIFF, a recording with a wrong name")
    command = ["render", folder / "audio/b.wav", "--preset", "log-mel", "-o", path]
    assert "call.png: the file exists and is no PNG picture" in veery(*command, status=1).stderr
    assert path.read_bytes().startswith(b"RIFF")
    path.write_bytes(b"")
    veery(*command)
    veery(*command)
    png(path)


def test_render_warns_of_what_is_likely_not_meant(veery, folder, tmp_path):
    result = veery("render", folder / "audio/b.wav", "--preset", "log-mel", "--set", "transform.bins=300",
                   "-o", tmp_path / "p.png")
    assert "warning: " in result.stderr and "bands" in result.stderr


# ----------------------------------------------------------------------------------------------- crawl, check, presets


@pytest.mark.parametrize("name", ["manifest.csv", "manifest.tsv", "manifest.jsonl", "elsewhere/manifest.csv"])
def test_crawl_makes_a_manifest_that_extract_reads(veery, tmp_path, name):
    for path in ("sounds/dog/1.wav", "sounds/dog/2.wav", "sounds/cat/a, b.wav", "sounds/cat/ñandú.wav"):
        write_wav(tmp_path / path, 16000, noise(len(path), 4000))
    (tmp_path / "sounds/readme.txt").write_text("not a recording\n")
    (tmp_path / "elsewhere").mkdir()
    manifest = tmp_path / name
    veery("crawl", tmp_path / "sounds", "-o", manifest)
    if name == "manifest.csv":
        with open(manifest, encoding="utf-8", newline="") as file:
            paths = [row["path"] for row in csv.DictReader(file)]
        assert len(paths) == 4 and paths == sorted(paths)
    veery("extract", manifest, "-o", tmp_path / "f.h5")
    with h5py.File(tmp_path / "f.h5") as file:
        assert len(file["clips/id"]) == 4
    veery("crawl", tmp_path / "sounds", "-o", tmp_path / "again", status=(0, 1, 64))
    result = veery("crawl", tmp_path / "nowhere", "-o", tmp_path / "n.csv", status=1)
    assert "nowhere" in result.stderr and not left_over(tmp_path, "n.csv")


def test_check_reads_headers_and_writes_nothing(veery, folder):
    before = sorted(folder.rglob("*"))
    veery("check", folder / "good.csv")
    result = veery("check", folder / "mixed.csv", status=(1, 3))
    assert "missing.wav" in result.stdout + result.stderr
    (folder / "bad.csv").write_text("path,start,end\naudio/a.wav,2,1\n")
    assert "2" in veery("check", folder / "bad.csv", status=1).stderr
    (folder / "bad.csv").unlink()
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("name", ["log-mel", "scrolling-dct", "mixer-fft"])
def test_a_printed_preset_is_a_configuration_with_the_same_bytes(veery, folder, name):
    assert name in veery("presets").stdout
    (folder / "c.yaml").write_text(veery("presets", name).stdout)
    veery("extract", folder / "good.csv", "-o", folder / "config.h5", "--config", folder / "c.yaml")
    veery("extract", folder / "good.csv", "-o", folder / "preset.h5", "--preset", name)
    assert digest(folder / "config.h5") == digest(folder / "preset.h5")


def test_an_unknown_preset_in_presets(veery):
    result = veery("presets", "log-mell", status=(1, 64))
    assert "log-mell" in result.stderr and "log-mel" in result.stderr


@pytest.mark.parametrize("arguments", [
    ["render", "f.h5", "-o", "picture.gif"],
    ["render", "f.h5", "-o", "picture.png"],
    ["live", "--file", "audio/a.wav", "--display", "equalizer", "--file", "audio/b.wav"],
    ["extract", "good.csv", "-o", "g.h5", "--preset", "unknown"],
    ["extract", "good.csv", "-o", "g.h5", "--jobs", "0"],
])
def test_wrong_usage_is_answered_with_the_usage_of_the_command(arguments, folder, made, veery):
    """Also if the error is found while the command runs, when the argument parser no longer knows the command."""
    said = veery(*arguments, status=64, folder=folder).stderr
    assert f"Usage: veery {arguments[0]} " in said and f"'veery {arguments[0]} --help'" in said
    assert "<subcommand>" not in said and said.startswith("Error: ") and said.count("Usage") == 1


def test_files_left_over_by_a_killed_check_of_the_folder_are_removed_and_others_are_kept(veery, tmp_path):
    write_wav(tmp_path / "a.wav", 16000, tone(16000, 0.2, [440]))
    (tmp_path / "m.csv").write_text("path\na.wav\n")
    left = tmp_path / "f.h5.probe"
    left.touch()
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5")
    assert not left.exists()
    left.write_text("mine")
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--overwrite", "--set", "transform.bins=40")
    assert left.read_text() == "mine"
