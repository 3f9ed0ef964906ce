"""`veery extract --shard`: parts of a manifest, on machines that share nothing but a folder."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from recordings import SLOW, digest, noise, write_manifest, write_wav
from test_commands import validate

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Torture"))
from spool_records import kept_clips  # noqa: E402

@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    """40 recordings, of which one is missing and one damaged; 97 clips, those of a recording not always adjacent."""
    folder = tmp_path_factory.mktemp("recordings")
    rows = []
    for number in range(40):
        name = f"r{number}.wav"
        if number == 17:
            (folder / name).write_bytes(b"RIFF and nothing more")
        elif number != 23:
            write_wav(folder / name, 16000, 0.1 * noise(number, 9_000 + 700 * (number % 11)))
        rows.append({"path": name, "label": f"l{number % 3}", "id": f"{number}"})
        if number % 2:
            rows.append({"path": name, "label": "part", "id": f"{number}a", "start": "0.1", "end": "0.3"})
    rows += [{"path": f"r{number}.wav", "id": f"{number}z", "label": "late", "start": "0.2"} for number in range(0, 37)]
    write_manifest(folder / "m.csv", rows)
    assert len(rows) == 97
    return folder


def shards(folder, output="f.h5"):
    """The names in the folder of shards: those that are done, and the attempts."""
    place = folder / f"{output}.shards"
    names = sorted(os.listdir(place)) if place.exists() else []
    return [name for name in names if "." not in name], [name for name in names if "." in name]


def extract(veery, recordings, folder, *options, output="f.h5", status=3):
    return veery("extract", recordings / "m.csv", "-o", folder / output, *options, status=status)


@pytest.fixture(scope="module")
def whole(recordings, veery, tmp_path_factory):
    """The digest of the file of one run."""
    folder = tmp_path_factory.mktemp("whole")
    extract(veery, recordings, folder)
    return digest(folder / "f.h5")


def test_all_shards_make_the_file_of_one_run(recordings, whole, veery, tmp_path):
    clips = 0
    for number in (3, 1, 2):
        report = json.loads(extract(veery, recordings, tmp_path, "--shard", f"{number}/3", "--json", status=0).stdout)
        validate(report, "extraction-report")
        assert not report["was_done"]
        clips += report["clips"]
    assert clips == 97 and not (tmp_path / "f.h5").exists()
    said = extract(veery, recordings, tmp_path).stderr
    # Clips that could not be opened are tried again, as in any run that is resumed.
    done = int(re.search(r"taking up shards: (\d+) of 97 clips are done", said)[1])
    again = int(re.search(r"\((\d+) could not be opened", said)[1])
    assert done + again == clips and again <= 6, said
    assert digest(tmp_path / "f.h5") == whole
    assert os.listdir(tmp_path) == ["f.h5"]


def test_the_parts_are_whole_recordings(recordings, veery, tmp_path):
    """Each shard reads its own recordings only: the others may not even be there."""
    rows = [line.split(",") for line in (recordings / "m.csv").read_text().splitlines()]
    names = rows[0]
    paths = [dict(zip(names, row))["path"] for row in rows[1:]]
    for number in range(1, 6):
        extract(veery, recordings, tmp_path, "--shard", f"{number}/5", status=0)
    # The expected parts: recordings in order of their first clip, ⌊c·n/C⌋ for one with c of C clips before it.
    part, before = {}, 0
    for path in dict.fromkeys(paths):
        part[path] = before * 5 // len(paths) + 1
        before += paths.count(path)
    expected = {number: [index for index, path in enumerate(paths) if part[path] == number] for number in range(1, 6)}
    assert sum(map(len, expected.values())) == 97
    failing = {index for index, path in enumerate(paths) if path in ("r17.wav", "r23.wav")}
    for number, clips in expected.items():
        found = kept_clips([tmp_path / f"f.h5.shards/0000{number}-of-00005"])
        assert sorted(found) == [clip for clip in clips if clip not in failing], number


def start(program, recordings, folder, *options):
    return subprocess.Popen(
        [program, "extract", recordings / "m.csv", "-o", folder / "f.h5", *map(str, options)], stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("number, status", [
    pytest.param(signal.SIGKILL, -9, marks=pytest.mark.long), (signal.SIGTERM, 143),
    pytest.param(signal.SIGINT, 130, marks=pytest.mark.long)])
def test_a_shard_that_was_stopped_is_taken_up(recordings, program, veery, tmp_path, number, status):
    extract(veery, recordings, tmp_path, *SLOW, output="one.h5")
    process = start(program, recordings, tmp_path, *SLOW, "--shard", "1/2")
    while process.poll() is None and not any(
            path.stat().st_size for path in (tmp_path / "f.h5.shards").glob("*/clips-*.spool")):
        time.sleep(0.001)
    process.send_signal(number)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == status, said
    done, attempts = shards(tmp_path)
    assert not done and len(attempts) == 1
    if number != signal.SIGKILL:
        assert "clips are done and kept" in said
    # The attempt counts without being completed.
    result = extract(veery, recordings, tmp_path, *SLOW, "--shard", "1/2", "--json", status=0)
    assert json.loads(result.stdout)["resumed_clips"] > 0
    assert shards(tmp_path) == (["00001-of-00002"], [])
    extract(veery, recordings, tmp_path, *SLOW)
    assert digest(tmp_path / "f.h5") == digest(tmp_path / "one.h5")
    assert sorted(os.listdir(tmp_path)) == ["f.h5", "one.h5"]


def test_parts_of_something_else_are_refused_by_name(recordings, veery, tmp_path):
    extract(veery, recordings, tmp_path, "--shard", "2/3", status=0)
    place = str(tmp_path / "f.h5.shards")
    before = sorted(os.walk(place))
    for options, words in [
            (["--shard", "2/4"], "there are shards of 3 here, not of 4"),
            (["--shard", "1/3", "--set", "frame.hop=200"], None),
            (["--shard", "2/3", "--set", "frame.hop=200"], "frame.hop was 160 and is 200 now"),
            (["--set", "frame.hop=200"], "frame.hop was 160 and is 200 now"),
            (["--truncated", "keep"], "--truncated")]:
        if words is None:
            continue
        said = extract(veery, recordings, tmp_path, *options, status=1).stderr
        assert words in said and place in said, said
    (tmp_path / "other.csv").write_text((recordings / "m.csv").read_text().replace("late", "early"))
    said = veery("extract", tmp_path / "other.csv", "-o", tmp_path / "f.h5", "--root", recordings, status=1).stderr
    assert "the manifest has changed" in said and f"{place}/00002-of-00003" in said
    # A shard of another version of the program, which is in the shard's description.
    description = tmp_path / "f.h5.shards/00002-of-00003/run.json"
    text = description.read_text()
    version = veery("--version").stdout.split()[1]
    assert version in text
    description.write_text(text.replace(version, "0.0.9"))
    said = extract(veery, recordings, tmp_path, status=1).stderr
    assert "0.0.9" in said and f"{place}/00002-of-00003" in said, said
    description.write_text("{")
    assert "its description cannot be read" in extract(veery, recordings, tmp_path, status=1).stderr
    description.write_text(text)
    assert sorted(os.walk(place)) == before


def test_the_index_is_taken_from_the_engine(recordings, program, veery, tmp_path):
    def run(status, **variables):
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("VEERY_SHARD_INDEX", "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX")}
        result = subprocess.run(
            [program, "extract", recordings / "m.csv", "-o", tmp_path / "f.h5", "--shard", "auto/3", "--json"],
            env=dict(environment, **variables), capture_output=True, text=True)
        assert result.returncode == status, result.stderr
        return json.loads(result.stdout)["shard"] if status == 0 else result.stderr

    assert run(0, SLURM_ARRAY_TASK_ID="1") == "1/3"
    assert run(0, SLURM_ARRAY_TASK_ID="3") == "3/3"
    assert run(0, JOB_COMPLETION_INDEX="0") == "1/3"
    assert run(0, JOB_COMPLETION_INDEX="2") == "3/3"
    assert run(0, VEERY_SHARD_INDEX="2", SLURM_ARRAY_TASK_ID="1", JOB_COMPLETION_INDEX="0") == "2/3"
    assert "expected 1 to 3 in SLURM_ARRAY_TASK_ID, found '0'" in run(64, SLURM_ARRAY_TASK_ID="0")
    assert "expected 0 to 2 in JOB_COMPLETION_INDEX, found '3'" in run(64, JOB_COMPLETION_INDEX="3")
    for number in (-1 << 63, (1 << 63) - 1):
        assert f"expected 0 to 2 in JOB_COMPLETION_INDEX, found '{number}'" in run(64, JOB_COMPLETION_INDEX=str(number))
        assert f"expected 1 to 3 in VEERY_SHARD_INDEX, found '{number}'" in run(64, VEERY_SHARD_INDEX=str(number))
    assert "expected 1 to 3 in VEERY_SHARD_INDEX, found 'x'" in run(64, VEERY_SHARD_INDEX="x")
    assert "none of VEERY_SHARD_INDEX, SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX is set" in run(64)


@pytest.mark.parametrize("value", ["0/3", "4/3", "1/0", "1", "/3", "1/", "-1/3", "1/3/3", "a/3", "auto", "auto/x", "1/1000001"])
def test_shards_that_do_not_exist(recordings, veery, tmp_path, value):
    said = extract(veery, recordings, tmp_path, f"--shard={value}", status=64).stderr
    assert "--shard" in said and not shards(tmp_path)[0]


@pytest.mark.parametrize("option", ["--append", "--sync", "--retry-failed"])
def test_options_that_are_for_the_whole(recordings, veery, tmp_path, option):
    assert f"without {option}" in extract(veery, recordings, tmp_path, "--shard", "1/2", option, status=64).stderr


def test_an_interrupted_assembly_is_resumed(recordings, veery, whole, tmp_path):
    """Clips of the run itself take precedence over those of shards, and nothing of a shard is lost."""
    extract(veery, recordings, tmp_path, "--shard", "1/3", status=0)
    # The file in progress has the name of a folder: the run ends with all of its clips done.
    (tmp_path / "f.h5.spool/features.h5").mkdir(parents=True)
    (tmp_path / "f.h5.spool/lock").touch()
    extract(veery, recordings, tmp_path, status=1)
    (tmp_path / "f.h5.spool/features.h5").rmdir()
    extract(veery, recordings, tmp_path, "--shard", "3/3", status=0)
    assert shards(tmp_path) == (["00001-of-00003", "00003-of-00003"], [])
    said = extract(veery, recordings, tmp_path, "--dry-run", status=0).stdout
    assert f"an interrupted run in {tmp_path}/f.h5.spool, with shards in {tmp_path}/f.h5.shards" in said
    extract(veery, recordings, tmp_path)
    assert digest(tmp_path / "f.h5") == whole and os.listdir(tmp_path) == ["f.h5"]


def test_a_file_that_is_there(recordings, veery, tmp_path):
    extract(veery, recordings, tmp_path)
    said = extract(veery, recordings, tmp_path, "--shard", "1/2", status=0).stderr
    assert "is there already: nothing to do for shard 1/2" in said and not (tmp_path / "f.h5.shards").exists()
    said = extract(veery, recordings, tmp_path, "--shard", "1/2", "--set", "frame.hop=200", status=1).stderr
    assert "--overwrite" in said


def test_files_of_others_are_not_deleted(recordings, veery, whole, tmp_path):
    extract(veery, recordings, tmp_path, "--shard", "1/2", status=0)
    place = tmp_path / "f.h5.shards"
    (place / "notes.txt").write_text("mine")
    (place / "00001-of-00002/clips-007.spool").write_text("mine")
    (place / "00002-of-00002").mkdir()
    (place / "00002-of-00002/thesis.tex").write_text("mine")
    said = extract(veery, recordings, tmp_path, "--shard", "2/2", status=1).stderr
    assert f"{place}/00002-of-00002: expected a folder made by veery, or none, found one with the file 'thesis.tex'" in said
    extract(veery, recordings, tmp_path)
    assert digest(tmp_path / "f.h5") == whole
    kept = sorted(str(path.relative_to(place)) for path in place.rglob("*") if path.is_file())
    assert kept == ["00001-of-00002/clips-007.spool", "00002-of-00002/thesis.tex", "notes.txt"]


def test_a_full_disk_ends_a_shard_with_75(recordings, program, veery, whole, tmp_path):
    if os.geteuid() != 0:
        pytest.skip("mounting needs the rights of root")
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "none", disk], capture_output=True, text=True)
    if mount.returncode != 0:
        pytest.skip(f"mount: {mount.stderr}")
    try:
        said = veery("extract", recordings / "m.csv", "-o", disk / "f.h5", "--shard", "1/1", status=75).stderr
        assert "No space left" in said, said
        subprocess.run(["mount", "-o", "remount,size=40m", disk], check=True)
        extract(veery, recordings, disk, "--shard", "1/1", status=0)
        extract(veery, recordings, disk)
        assert digest(disk / "f.h5") == whole
    finally:
        subprocess.run(["umount", disk], check=True)


def test_progress_is_a_line_of_json_a_second(recordings, veery, tmp_path):
    said = extract(veery, recordings, tmp_path, *SLOW, "--shard", "1/1", "--progress", "json", status=0).stderr
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    assert lines and lines[-1]["done"] == lines[-1]["total"] == 97, lines[-1:]


def test_the_python_package_takes_shards(recordings, veery, whole, tmp_path):
    import veery as package

    for number in (1, 2):
        report = package.extract(recordings / "m.csv", tmp_path / "f.h5", shard=f"{number}/2")
        assert report["shard"] == f"{number}/2" and report["done"]
    package.extract(recordings / "m.csv", tmp_path / "f.h5", max_failures=6)
    assert digest(tmp_path / "f.h5") == whole
