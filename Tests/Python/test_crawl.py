"""`veery crawl`: several folders, levels and patterns of names, and datasets in formats of their own."""

import csv
import shutil
from pathlib import Path

import h5py
import numpy as np
import pytest
from conftest import noise, write_wav

FIXTURES = Path(__file__).resolve().parents[1] / "Fixtures" / "formats"
NAMES = ["north/wren/a.wav", "north/wren/deep/b.wav", "north/noise_1/c.wav", "south/robin/a_mono.wav", "south/robin/b.flac.wav", "top.wav"]


@pytest.fixture
def sites(tmp_path):
    for name in NAMES:
        write_wav(tmp_path / "rec" / name, 8_000, noise(len(name), 800))
    return tmp_path


def crawl(veery, folder, *arguments, status=0):
    result = veery("crawl", *arguments, "-o", "-", folder=folder, status=status)
    return {row["path"]: row for row in csv.DictReader(result.stdout.splitlines())}, result.stderr


@pytest.mark.parametrize("level, labels", [
    ("1", ["north", "north", "north", "south", "south", ""]), ("2", ["wren", "wren", "noise_1", "robin", "robin", ""]),
    ("3", ["", "deep", "", "", "", ""]), ("-1", ["wren", "deep", "noise_1", "robin", "robin", ""]),
    ("-2", ["north", "wren", "north", "south", "south", ""]), ("-4", [""] * 6),
])
def test_label_levels(veery, sites, level, labels):
    rows, _ = crawl(veery, sites, "rec", "--label-level", level)
    assert [rows[name]["label"] for name in NAMES] == labels


@pytest.mark.parametrize("options, taken", [
    (["--exclude", "noise*"], [0, 1, 3, 4, 5]), (["--include", "*_mono.wav"], [3]), (["--include", "north/*"], [0, 1, 2]),
    (["--include", "[ab].wav"], [0, 1]), (["--exclude", "*/robin/*", "--exclude", "deep"], [0, 2, 5]),
    (["--include", "a*", "--include", "top.*", "--exclude", "south/*"], [0, 5]), (["--include", "wren"], []),
])
def test_patterns(veery, sites, options, taken):
    rows, said = crawl(veery, sites, "rec", *options, status=0 if taken else 1)
    assert sorted(rows) == sorted(NAMES[n] for n in taken)
    assert f"{6 - len(taken)} recordings left out" in said or "1 recording left out" in said or "6 that --include and --exclude leave out" in said


def test_several_folders(veery, sites):
    rows, _ = crawl(veery, sites, "rec/north", "rec/south")
    assert {path: row["id"] for path, row in rows.items()} == {
        "rec/" + name: (name.removesuffix(".wav")) for name in NAMES[:5]}
    veery("crawl", "rec/south", "rec/north", "-o", "out.csv", folder=sites)
    with open(sites / "out.csv", newline="") as file:
        assert [row["path"] for row in csv.DictReader(file)][:2] == ["rec/south/robin/a_mono.wav", "rec/south/robin/b.flac.wav"]
    rows, said = crawl(veery, sites, "rec", "rec/south")
    assert len(rows) == 6 and "2 recordings occur several times, and are taken once" in said
    rows, _ = crawl(veery, sites, "rec/north", "rec/south", "--label-from", "^(?<label>[^/]+)/(?<name>.)")
    assert [row["name"] for row in rows.values()] == ["c", "a", "d", "a", "b"]
    (sites / "other/north").mkdir(parents=True)
    shutil.copy(sites / "rec/north/wren/a.wav", sites / "other/north/a.wav")
    rows, _ = crawl(veery, sites, "rec/north", "other/north")
    assert rows["other/north/a.wav"]["id"] == "other/north/a" and rows["rec/north/wren/a.wav"]["id"] == "rec/north/wren/a"
    veery("check", "out.csv", folder=sites)


def test_datasets(veery, tmp_path):
    folder = tmp_path / "data"
    shutil.copytree(FIXTURES / "kaldi", folder / "kaldi")
    write_wav(folder / "audio/one.wav", 16_000, noise(1, 16_000))
    result = veery("crawl", folder / "kaldi", "-o", folder / "k.csv")
    assert "read as a Kaldi data directory (wav.scp)" in result.stderr and "2 clips" in result.stderr
    with open(folder / "k.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["path"], row["speaker"], float(row["end"])) for row in rows] == [
        ("one-part", "audio/one.wav", "s1", 0.75), ("one-whole", "audio/one.wav", "s1", 1.0)]
    # The manifest that it writes gives the same features.
    veery("extract", folder / "kaldi", "-o", folder / "a.h5", "--set", "normalize.scope=none")
    veery("extract", folder / "k.csv", "-o", folder / "b.h5", "--set", "normalize.scope=none")
    with h5py.File(folder / "a.h5") as one, h5py.File(folder / "b.h5") as other:
        assert np.array_equal(one["features"], other["features"]) and list(one["clips/id"]) == list(other["clips/id"])
    veery("crawl", folder / "kaldi", "-o", folder / "x.csv", "--dataset", "folder", status=1)
    veery("crawl", folder, "-o", folder / "y.csv", "--dataset", "librispeech", status=1)
    for wrong in [["--dataset", "csv"], ["--dataset", "kaldi", "--label-level", "1"], ["--label-level", "0"],
                  ["--label-level", "1", "--label-from", "(?<label>.)"]]:
        veery("crawl", folder, "-o", folder / "z.csv", *wrong, status=64)
