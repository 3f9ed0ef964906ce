"""The account where a value, a folder or a declared length is easily lost: each test is of a loss that was silent."""

import csv
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import h5py
import pytest
from conftest import noise, write_manifest, write_wav
from test_account import remarks, stored
from test_commands import validate

RATE = 8_000
LENGTH = 0.5


def of(kind, result):
    return [remark for remark in remarks(result) if remark["kind"] == kind]


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def folder(tmp_path):
    for number in range(6):
        write_wav(tmp_path / f"{number}.wav", RATE, noise(number, int(LENGTH * RATE)))
    return tmp_path


def declare(folder, **lengths):
    """A manifest of which each recording has a length that may differ, by default the right one."""
    rows = [{"path": f"{number}.wav", "id": f"c{number}", "recording.duration": lengths.get(f"c{number}", f"{LENGTH}?")}
            for number in range(6)]
    write_manifest(folder / "m.csv", rows)
    return folder / "m.csv"


@pytest.fixture
def declared(folder):
    """Of two recordings the manifest says another length."""
    declare(folder, c1="9?", c4="7?")
    return folder


# --- clips


def test_clips_compares_declared_lengths_as_extract_does(veery, declared):
    expected = [{"kind": "lengths-differ", "loss": True, "source": "recordings", "count": 2, "first": ["c1", "c4"]}]
    assert of("lengths-differ", veery("extract", "m.csv", "-o", "f.h5", "--json", folder=declared)) == expected
    made = veery("clips", "m.csv", "--window", "0.1", "-o", "c.csv", "--json", folder=declared)
    assert of("lengths-differ", made) == expected and "left out: recordings: 2 clips have another length" in made.stderr
    refused = veery("clips", "m.csv", "--window", "0.1", "-o", "d.csv", "--strict", folder=declared, status=1)
    assert "c1, c4" in refused.stderr and not (declared / "d.csv").exists()
    veery("check", "m.csv", "--strict", folder=declared, status=1)


# --- --quiet


def test_quiet_prints_errors(veery, folder):
    write_manifest(folder / "m.csv", [{"path": "0.wav"}, {"path": "nowhere.wav"}])
    failed = veery("extract", "m.csv", "-o", "f.h5", "--quiet", folder=folder, status=3).stderr
    assert failed.splitlines()[0] == "1 clip failed:" and "nowhere.wav: " in failed and "more than --max-failures 0 allows" in failed
    assert "wrote" not in failed
    # The file is up to date, and still not right.
    assert veery("extract", "m.csv", "-o", "f.h5", "--quiet", folder=folder, status=3).stderr == failed
    allowed = veery("extract", "m.csv", "-o", "g.h5", "--quiet", "--max-failures", "1", folder=folder)
    assert allowed.stderr == ""


@pytest.mark.parametrize("command", [
    ["extract", "m.csv", "-o", "f.h5"], ["extract", "m.csv", "-o", "f.h5", "--shard", "1/2"], ["crawl", "nowhere", "-o", "c.csv"],
    ["clips", "m.csv", "-o", "c.csv", "--annotations", "nowhere.csv"], ["split", "nowhere.csv", "-o", "c.csv", "--folds", "2"],
    ["filter", "nowhere.wav", "o.wav", "--band-pass", "100-200"], ["export", "nowhere.h5", "--to", "npy", "-o", "e"],
    ["live", "--file", "nowhere.wav", "--record", "l.h5"],
])
def test_every_error_is_printed_with_quiet(program, folder, command):
    write_manifest(folder / "m.csv", [{"path": "0.wav", "start": "x"}])
    ended = subprocess.run([program, *command, "--quiet"], cwd=folder, capture_output=True, text=True, timeout=60)
    assert ended.returncode != 0 and ended.stderr.strip(), ended
