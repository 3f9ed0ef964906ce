"""`veery extract --append` where recordings were replaced: what is stale is never called up to date."""
import csv
import json
import os

import h5py
import numpy as np
import pytest

from conftest import noise, write_manifest, write_wav
from test_commands import digest, validate


@pytest.fixture
def folder(tmp_path):
    rows = []
    for clip in range(6):
        write_wav(tmp_path / f"{clip}.wav", 16000, noise(clip, 8000))
        rows.append({"path": f"{clip}.wav", "label": "a", "split": "train"})
    write_manifest(tmp_path / "some.csv", rows[:4])
    write_manifest(tmp_path / "all.csv", rows)
    return tmp_path


def replace(path, seed):
    """Other samples, of the same size and time of change."""
    before = path.stat()
    write_wav(path, 16000, noise(seed, 8000))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size


@pytest.mark.parametrize("manifest, options", [("some.csv", []), ("all.csv", ["--set", "normalize.scope=none"])], ids=["some", "all"])
def test_a_replaced_recording_is_named(veery, folder, manifest, options):
    command = ["extract", manifest, "-o", "f.h5", "--append", *options]
    veery("extract", "some.csv", "-o", "f.h5", *options, folder=folder)
    older = digest(folder / "f.h5")
    replace(folder / "1.wav", 70)
    said = veery(*command, status=1, folder=folder).stderr
    assert "1.wav" in said and "up to date" not in said and "--overwrite" in said
    assert digest(folder / "f.h5") == older and sorted(path.name for path in folder.glob("f.h5*")) == ["f.h5"]
    # The dry run tells the same.
    report = veery(*command, "--dry-run", "--json", status=1, folder=folder)
    validate(json.loads(report.stdout), "extraction-report")
    assert json.loads(report.stdout)["obstacle"] in said
    # And so does the command without --append, where the manifest is the file's.
    if manifest == "some.csv":
        assert "1.wav" in veery("extract", manifest, "-o", "f.h5", *options, status=1, folder=folder).stderr

    # The recording put back.
    replace(folder / "1.wav", 1)
    assert ("up to date" in veery(*command, folder=folder).stderr) == (manifest == "some.csv")


def test_a_message_says_that_missing_recordings_are_unchecked(veery, folder):
    veery("extract", "some.csv", "-o", "f.h5", folder=folder)
    (folder / "2.wav").unlink()
    for _ in range(2):
        dry = veery("extract", "all.csv", "-o", "f.h5", "--append", "--dry-run", folder=folder).stdout
        assert "not compared" in dry and "2.wav" in dry
        said = veery("extract", "all.csv", "-o", "f.h5", "--append", folder=folder).stderr
        assert "warning: 1 clip of the existing file, such as 2.wav, is kept unchecked" in said
    assert "up to date" in said
    replace(folder / "3.wav", 70)
    assert "3.wav" in veery("extract", "all.csv", "-o", "f.h5", "--append", status=1, folder=folder).stderr


def test_a_file_with_datasets_of_others_is_still_up_to_date(veery, folder):
    veery("extract", "some.csv", "-o", "f.h5", folder=folder)
    with h5py.File(folder / "f.h5", "a") as file:
        file["mine"] = np.arange(5)
    older = digest(folder / "f.h5")
    assert "up to date" in veery("extract", "some.csv", "-o", "f.h5", "--append", folder=folder).stderr
    # A new file would not hold it.
    assert "mine" in veery("extract", "all.csv", "-o", "f.h5", "--append", status=1, folder=folder).stderr
    assert digest(folder / "f.h5") == older


def test_failed_clips_become_a_manifest_that_is_given_back(veery, tmp_path):
    """--failures-out: mend the recordings, extract the list, and nothing of the dataset is missing."""
    (tmp_path / "lists").mkdir()
    for name in "abc":
        write_wav(tmp_path / f"{name}.wav", 16_000, noise(ord(name), 16_000))
    (tmp_path / "c.wav").write_bytes(b"no sound")
    write_manifest(tmp_path / "m.csv", [dict(path=f"{name}.wav", label="x,y", site="s\"1", start=0.25, end=0.75) for name in ("a", "b", "c", "gone")])
    run = ["extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--failures-out", tmp_path / "lists/failed.csv"]
    assert "wrote" in veery(*run, status=3).stderr
    with open(tmp_path / "lists/failed.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["label"], row["site"], row["start"], row["failure_stage"]) for row in rows] == [
        ("c#0.25-0.75", "x,y", 's"1', "0.25", "open"), ("gone#0.25-0.75", "x,y", 's"1', "0.25", "open")]
    assert all(row["failure_reason"] and row["failure_kind"] for row in rows)
    assert "--overwrite" in veery(*run, status=1).stderr
    write_wav(tmp_path / "c.wav", 16_000, noise(7, 16_000))
    write_wav(tmp_path / "gone.wav", 16_000, noise(8, 16_000))
    veery("extract", tmp_path / "lists/failed.csv", "-o", tmp_path / "rest.h5", "--failures-out", tmp_path / "none.csv")
    assert not (tmp_path / "none.csv").exists()
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "all.h5", "--set", "normalize.scope=none", "--overwrite")
    veery("extract", tmp_path / "lists/failed.csv", "-o", tmp_path / "rest.h5", "--set", "normalize.scope=none", "--overwrite")
    with h5py.File(tmp_path / "all.h5") as whole, h5py.File(tmp_path / "rest.h5") as rest:
        assert np.array_equal(whole["features"][-len(rest["features"]):], rest["features"])
    for wrong, status in [("x.txt", 64), ("none/x.csv", 1)]:
        veery("extract", tmp_path / "m.csv", "-o", tmp_path / "g.h5", "--failures-out", tmp_path / wrong, status=status)
        assert not (tmp_path / "g.h5").exists()


def test_a_forgotten_root_is_named(veery, tmp_path):
    write_wav(tmp_path / "audio/a.wav", 16_000, noise(1, 16_000))
    write_manifest(tmp_path / "m.csv", [dict(path="a.wav")])
    message = veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", status=1).stderr
    assert f"in the folder '{tmp_path}'" in message and "--root" in message and not (tmp_path / "f.h5").exists()


def test_the_folder_is_not_to_blame_for_recordings_that_the_system_refuses(veery, tmp_path):
    os.symlink("a.wav", tmp_path / "a.wav")
    write_manifest(tmp_path / "m.csv", [dict(path="a.wav")])
    message = veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", status=3).stderr
    assert "symbolic link" in message and "no file was written" not in message and "--root" not in message
