"""The programs of Tests/Benchmarks: where they stop, and what they write where. What they measure is not tested."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, noise, write_manifest, write_wav

sys.path.insert(0, str(ROOT / "Tests/Benchmarks"))
import bench
import native
import preload
import wide

needs_shim = pytest.mark.skipif(
    not sys.platform.startswith("linux") or shutil.which("cc") is None, reason="NO LINUX, OR NO cc: libraries are not preloaded")


@pytest.fixture
def work(tmp_path):
    """A folder like that of bench.py, with spaces in its path and fewer recordings."""
    work = tmp_path / "a folder" / "of the benchmark"
    for name in wide.CASES:
        (work / name).mkdir(parents=True)
        for i in range(16):
            write_wav(work / name / f"{i}.wav", 16000, noise(i, 4000))
        write_manifest(work / f"{name}.csv", [{"id": i, "path": work / name / f"{i}.wav"} for i in range(16)])
    return work


@needs_shim
def test_recordings_wait_in_a_folder_with_spaces(program, work, capsys):
    wide.waiting(program, work, rounds=1)
    rows = [line.split("|") for line in capsys.readouterr().out.splitlines()[2:]]
    assert [int(row[1]) for row in rows] == [8, 32, 128]
    # 16 openings of 0.1 s by 8 workers.
    assert float(rows[0][2]) >= 0.2
    assert not (work / "features.h5").exists()


@needs_shim
def test_recordings_that_do_not_wait_are_not_a_measurement(program, work, monkeypatch):
    shim = work / "slow_disk.so"
    monkeypatch.setattr(native, "slow_disk", lambda *arguments: {"LD_PRELOAD": str(shim)})
    with pytest.raises(SystemExit, match="no recording has waited"):
        wide.waiting(program, work, rounds=1)


def test_a_run_that_fails_is_not_a_measurement(work, monkeypatch):
    monkeypatch.setattr(wide, "one_file_rate", lambda work: 1e9)
    with pytest.raises(SystemExit, match="wide: a run of speech-wav failed with status 1"):
        wide.model(shutil.which("false"), work, rounds=1)


@pytest.mark.parametrize("missing, cases", [
    (["speech-wav", "long", "seconds"], "a-z,d,e"), (["seconds"], "e"), (["long"], "d")])
def test_wide_says_how_to_get_its_recordings(work, missing, cases):
    for name in missing:
        shutil.rmtree(work / name)
    result = subprocess.run(
        [sys.executable, ROOT / "Tests/Benchmarks/wide.py", "--work", work], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == f"wide: there are no recordings; first: make bench CASE={cases} ROUNDS=1\n"


@needs_shim
def test_a_library_is_built_where_it_can_be_preloaded(tmp_path, monkeypatch):
    folder = tmp_path / "with spaces: and a colon"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    with preload.built(Path(__file__).with_name("threads.c")) as library:
        assert preload.is_loaded(library)
        shutil.copy(library, folder)
        assert not preload.is_loaded(folder / library.name)
    assert not library.exists()


@pytest.mark.parametrize("target", ["bench", "bench-guard", "scale", "wide"])
def test_only_what_is_measured_is_on_standard_output(tmp_path, target):
    """The Makefile with programs that say who they are."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    bin = tmp_path / "bin"
    for path in ".ci/setup", ".ci/build", ".ci/bench", "examples/fetch-recordings.sh", "bin/python3":
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(f"#!/bin/sh\necho {path}\n")
        (tmp_path / path).chmod(0o755)
    result = subprocess.run(
        ["make", target], cwd=tmp_path, capture_output=True, text=True, check=True,
        env={"PATH": f"{bin}:/usr/local/bin:/usr/bin:/bin"})
    assert result.stdout == (".ci/bench\n" if target == "bench" else "bin/python3\n")
    assert result.stderr.startswith(".ci/setup\n.ci/build\n")


def test_single_calls_have_the_library_that_the_benchmark_builds():
    """bench.py calls .ci/library before, so where the library is remains the package's own decision."""
    code = "import calls; from veery import _library; print(_library.path())"
    environment = {name: value for name, value in os.environ.items() if name != "VEERY_LIBRARY"}
    result = subprocess.run(
        [sys.executable, "-c", code, ROOT, "no kernels"], cwd=ROOT / "Tests/Benchmarks", env=environment, capture_output=True, text=True)
    assert result.stderr == ""
    written = (ROOT / ".ci/library").read_text()
    assert Path(result.stdout.strip()).parent == ROOT / ".build/library" and "folder=.build/library\n" in written


def test_one_is_not_several():
    assert [bench.count(1, "round"), bench.count(3, "round"), bench.count(7200, "clip")] == ["1 round", "3 rounds", "7,200 clips"]


def test_a_goal_below_1_says_how_many_times_the_others_time():
    assert [bench.goal_text(goal) for goal in (None, 1, 1.85, 1 / 1.3, 1 / 1.15)] == [
        "–", "≥ 1.00", "≥ 1.85", "≥ 0.77 (1.3 times)", "≥ 0.87 (1.15 times)"]
