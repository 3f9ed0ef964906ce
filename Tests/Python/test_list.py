"""`veery list`: the clips of a feature file as a table, as a manifest in CSV, and as JSON."""

import csv
import io
import json
import subprocess

import h5py
import numpy
import pytest

from conftest import noise, write_manifest, write_wav
from test_inspect import columns, in_pipe, in_terminal

ODD = ['say "hi", twice', "two\nlines", "tab\tand \x1b[31mred", "öl/ß", " blank ", "=1+1"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, program):
    folder = tmp_path_factory.mktemp("list")
    write_wav(folder / "a.wav", 8000, noise(1, 16_000))
    write_wav(folder / "b.wav", 44_100, noise(2, 30_001))
    rows = [{"path": "ab"[index % 2] + ".wav", "id": name, "label": ["dog", "cat", ""][index % 3], "split": ["train", "test"][index % 2],
             "start": ["", 0.1][index > 2], "end": ["", 0.4321][index > 2], "speaker": f"s,{index}"} for index, name in enumerate(ODD)]
    rows.append({"path": "gone.wav", "id": "gone", "label": "dog", "split": "test", "start": "", "end": "", "speaker": "x"})
    write_manifest(folder / "m.csv", rows)
    subprocess.run([program, "extract", "m.csv", "-o", "f.h5", "-q", "--max-failures", "1"], cwd=folder, check=True)
    many = [{"path": "a.wav", "id": f"clip/{index:05}", "start": index / 1000, "end": index / 1000 + 0.1} for index in range(1200)]
    write_manifest(folder / "many.csv", many)
    subprocess.run([program, "extract", "many.csv", "-o", "many.h5", "-q", "--preset", "mixer-fft"], cwd=folder, check=True)
    return folder


def listed(veery, folder, *options):
    return list(csv.DictReader(io.StringIO(veery("list", "f.h5", "--csv", *options, folder=folder).stdout, newline="")))


def test_csv_has_what_the_file_has(veery, folder):
    rows = listed(veery, folder)
    assert list(rows[0]) == ["path", "id", "label", "split", "start", "duration", "speaker"]
    assert [row["id"] for row in rows] == ODD
    with h5py.File(folder / "f.h5") as file:
        clips = file["clips"]
        for name in "path", "label", "split":
            assert [row[name] for row in rows] == list(clips[name].asstr()[:])
        assert [float(row["start"]) for row in rows] == list(clips["start"][:])
        assert [float(row["duration"]) for row in rows] == list(clips["duration"][:])
        assert [row["speaker"] for row in rows] == list(clips["extra/speaker"].asstr()[:])


def test_csv_is_a_manifest_of_the_same_clips(veery, folder, tmp_path):
    (folder / "again.csv").write_text(veery("list", "f.h5", "--csv", folder=folder).stdout)
    veery("extract", "again.csv", "-o", "again.h5", folder=folder)
    with h5py.File(folder / "f.h5") as old, h5py.File(folder / "again.h5") as new:
        assert numpy.array_equal(old["features"][:], new["features"][:])
        for name in "id", "label", "split", "audio_xxh3", "tensor_xxh3", "extra/speaker":
            assert list(old["clips"][name][:]) == list(new["clips"][name][:])
    (tmp_path / "test.csv").write_text(veery("list", folder / "f.h5", "--split", "test", "--csv").stdout)
    veery("extract", "test.csv", "-o", "t.h5", "--root", folder, "--stats-from", folder / "f.h5", folder=tmp_path)
    with h5py.File(tmp_path / "t.h5") as part:
        assert list(part["clips/id"].asstr()[:]) == ODD[1::2]
        with h5py.File(folder / "f.h5") as whole:
            assert list(part["clips/tensor_xxh3"][:]) == list(whole["clips/tensor_xxh3"][1::2])


def test_json_has_the_columns_of_an_export(veery, folder):
    found = json.loads(veery("list", "f.h5", "--json", folder=folder).stdout)
    assert found["file"] == "f.h5" and [clip["id"] for clip in found["clips"]] == ODD
    veery("export", "f.h5", "--to", "npy", "-o", "npy", "--overwrite", folder=folder)
    exported = [json.loads(line) for line in (folder / "npy/clips.jsonl").read_text().splitlines()]
    for clip, other in zip(found["clips"], exported, strict=True):
        assert clip == {name: value for name, value in other.items() if name != "frame_start"}


def test_clips_are_chosen_by_split_and_label(veery, folder):
    assert [row["id"] for row in listed(veery, folder, "--split", "test")] == ODD[1::2]
    assert [row["id"] for row in listed(veery, folder, "--label", "dog")] == ODD[::3]
    assert [row["id"] for row in listed(veery, folder, "--split", "train", "--label", "dog", "--first", "1")] == ODD[:1]
    assert "no clip is in the split 'trian'; expected one of: test, train" in veery(
        "list", "f.h5", "--split", "trian", folder=folder, status=1).stderr
    assert "no clip has the label 'cow'" in veery("list", "f.h5", "--label", "cow", folder=folder, status=1).stderr


def test_failures_have_their_reasons(veery, folder):
    [row] = listed(veery, folder, "--failures")
    assert row["path"] == "gone.wav" and row["id"] == "gone" and row["failure_stage"] == "open" and "No such file" in row["failure_reason"]
    [failure] = json.loads(veery("list", "f.h5", "--failures", "--json", folder=folder).stdout)["failures"]
    assert failure["id"] == "gone" and failure["reason"] == row["failure_reason"]
    assert "gone" in veery("list", "f.h5", "--failures", folder=folder).stdout
    assert veery("list", "many.h5", "--failures", folder=folder).stdout == "no clip failed\n"
    assert "--split and --label are for stored clips" in veery("list", "f.h5", "--failures", "--split", "x", folder=folder, status=64).stderr


@pytest.fixture(scope="module")
def table(program, folder):
    return lambda *arguments, **terminal: in_terminal(program, "list", *[folder / a if a.endswith(".h5") else a for a in arguments], **terminal)


def test_the_table_fits_the_terminal_and_shows_controls(table):
    for width in 60, 80, 140:
        text = table("f.h5", width=width)
        lines = [line for line in text.replace("\r", "").replace("\x1b[2m", "").replace("\x1b[0m", "").split("\n") if line]
        assert len(lines) == 1 + len(ODD) and all(columns(line) <= width for line in lines)
        assert "\x1b" not in "".join(lines) and lines[0].split()[0] == "id"
    assert 'say "hi", twice' in text and "two lines" in text


def test_a_terminal_has_the_first_clips_and_a_pipe_all(program, folder, table):
    shown = table("many.h5")
    assert "clip/00099" in shown and "clip/00100" not in shown
    assert "and 1,100 more: --first 0 lists all, --csv whole names" in shown
    whole = table("many.h5", "--first", "0")
    assert "clip/01199" in whole and "more:" not in whole
    piped = in_pipe(program, "list", folder / "many.h5").splitlines()
    assert len(piped) == 1201 and piped[-1].split()[0] == "clip/01199" and piped[-1].endswith("a.wav")
    cut = in_pipe(program, "list", folder / "many.h5", "--first", "2").splitlines()
    assert len(cut) == 4 and cut[-1].startswith("and 1,198 more")


def test_it_ends_quietly_with_its_reader(program, folder):
    result = subprocess.run(["bash", "-c", '"$0" list many.h5 --csv | head -1; echo "${PIPESTATUS[0]}"', program], cwd=folder,
                            capture_output=True, text=True)
    header, status = result.stdout.splitlines()
    # It may have written all before the reader went away.
    assert result.stderr == "" and header == "path,id,start,duration" and status in ("0", "141")


def test_wrong_files_and_options_are_refused(veery, folder):
    assert "expected a feature file" in veery("list", "m.csv", folder=folder, status=1).stderr
    assert "there is no such file" in veery("list", "none.h5", folder=folder, status=1).stderr
    assert "Give either --csv or --json" in veery("list", "f.h5", "--csv", "--json", folder=folder, status=64).stderr
    assert "--first: expected 0 to" in veery("list", "f.h5", "--first", "-1", folder=folder, status=64).stderr


def test_a_set_is_listed_as_one_file(veery, folder):
    veery("extract", "many.csv", "-o", "set.h5", "--files", "3", "--quiet", "--preset", "mixer-fft", folder=folder)
    one, several = (veery("list", name, "--csv", folder=folder).stdout for name in ("many.h5", "set.index.json"))
    assert one == several


@pytest.mark.long
def test_memory_does_not_grow_with_the_clips(program, peak_memory, tmp_path):
    write_wav(tmp_path / "a.wav", 8000, noise(1, 1600))
    count = 200_000
    write_manifest(tmp_path / "m.csv", [{"path": "a.wav", "id": f"{index:07}", "end": 0.1} for index in range(count)])
    subprocess.run([program, "extract", "m.csv", "-o", "f.h5", "-q", "--preset", "mixer-fft"], cwd=tmp_path, check=True)
    small, whole = (peak_memory(program, "list", tmp_path / "f.h5", "--csv", "--first", first, stdout=subprocess.DEVNULL)
                    for first in (10, 0))
    assert whole - small < 40_000_000


def test_a_list_of_a_file_without_splits_or_labels_is_a_manifest_too(veery, folder, tmp_path):
    """An empty column of splits would say that no clip is in the split that statistics are taken from."""
    for columns_ in ((), ("label",), ("split",)):
        rows = [{"path": "a.wav", "id": f"c{n}", "start": n / 10, "end": n / 10 + 0.5, "label": "xy"[n % 2], "split": "train"} for n in range(4)]
        rows = [{key: value for key, value in row.items() if key in ("path", "id", "start", "end", *columns_)} for row in rows]
        name = "-".join(columns_) or "none"
        write_manifest(tmp_path / f"{name}.csv", rows)
        veery("extract", f"{name}.csv", "--root", folder, "-o", f"{name}.h5", "-q", folder=tmp_path)
        text = veery("list", f"{name}.h5", "--csv", folder=tmp_path).stdout
        assert text.splitlines()[0].split(",") == ["path", "id", *columns_, "start", "duration"]
        (tmp_path / "again.csv").write_text(text)
        veery("extract", "again.csv", "--root", folder, "-o", f"{name}2.h5", "-q", folder=tmp_path)
        with h5py.File(tmp_path / f"{name}.h5") as one, h5py.File(tmp_path / f"{name}2.h5") as other:
            assert (one["features"][:] == other["features"][:]).all()
