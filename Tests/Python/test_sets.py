"""`veery extract --files` and `--file`: a set of feature files and its index instead of one file."""

import json
import os
import shutil
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest
from recordings import digest, noise, write_manifest, write_wav
from test_commands import validate

SETTINGS = {
    "normalised": [],
    "not normalised": ["--set", "normalize.scope=none"],
    "each clip": ["--set", "normalize.scope=clip", "--set", "store.compression=deflate"],
    "fixed": ["--set", "store.layout=fixed", "--set", "audio.duration=1", "--set", "store.type=float16"],
    "fixed, compressed": ["--set", "store.layout=fixed", "--set", "audio.duration=1", "--set", "store.compression=deflate"],
    "patches": ["--set", "patches.length=24", "--set", "patches.hop=12", "--set", "store.compression=deflate"],
    "of a split": ["--set", "normalize.fit=train", "--set", "store.type=float16"],
    "too large for some": ["--set", "normalize.scope=none", "--set", "store.type=float16", "--set", "scale.kind=power",
                           "--set", "scale.factor=5e6"],
}
CLIPS = 97


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
            rows.append({"path": name, "label": "part", "id": f"{number}a", "start": "0.1", "end": "0.45"})
    rows += [{"path": f"r{number}.wav", "id": f"{number}z", "label": "late", "start": "0.2"} for number in range(0, 37)]
    for number, row in enumerate(rows):
        row["split"] = ("train", "test")[number % 5 == 0]
    write_manifest(folder / "m.csv", rows)
    assert len(rows) == CLIPS
    return folder


def extract(veery, recordings, folder, *options, output="f.h5", status=3):
    return veery("extract", recordings / "m.csv", "-o", folder / output, *options, status=status)


def index(folder, name="f"):
    found = json.loads((folder / f"{name}.index.json").read_text())
    validate(found, "feature-set")
    return found


def member(folder, number, count, name="f"):
    return folder / f"{name}-{number:05}-of-{count:05}.h5"


def members(folder, count, name="f"):
    return [member(folder, number, count, name) for number in range(1, count + 1)]


def shards(veery, recordings, folder, count, *options):
    for number in range(1, count + 1):
        extract(veery, recordings, folder, *options, "--shard", f"{number}/{count}", status=0)


def tree(file):
    """Every dataset of a file, by its path."""
    found = {}
    file.visititems(lambda name, item: found.update({name: item}) if isinstance(item, h5py.Dataset) else None)
    return found


def check_set(one, folder, count, name="f"):
    """The files of the set hold what the one file holds, and the index says so."""
    found = index(folder, name)
    assert [entry["name"] for entry in found["files"]] == [path.name for path in members(folder, count, name)]
    with h5py.File(one) as whole:
        assert found["metadata_xxh3"] == whole.attrs["metadata_xxh3"]
        assert found["manifest_sha256"] == whole["provenance/manifest_sha256"][()].decode()
        files = [h5py.File(path) for path in members(folder, count, name)]
        patch = whole["features"].attrs.get("patch_length", 1)
        starts = np.cumsum([0] + [len(file["features"]) for file in files])
        per_clip = {"features", "frame_label"} | {path for path in tree(whole) if path.startswith(("clips/", "failures/"))}
        for path, dataset in tree(whole).items():
            values = [file[path][()] for file in files]
            if path == "clips/frame_start" and whole.attrs["layout"] == "packed":
                values = [value + start for value, start in zip(values, starts)]
            elif path == "clips/frame_start":
                frames = whole["features"].shape[1]
                values = [value + start * frames for value, start in zip(values, starts)]
            if path == "clips/record_xxh3":  # they cover frame_start, which each file counts from its own first row
                continue
            if path in per_clip:
                np.testing.assert_array_equal(np.concatenate([value for value in values if len(value)]), dataset[()], path)
            elif path not in ("row", "clip"):
                for value in values:
                    np.testing.assert_array_equal(value, dataset[()], path)
        for file, path, entry in zip(files, members(folder, count, name), found["files"]):
            assert entry["clips"] == len(file["clips/id"]) and entry["failures"] == len(file["failures/id"])
            rows = len(file["features"]) * patch
            if whole.attrs["layout"] == "fixed":
                rows *= file["features"].shape[1]
            assert entry["rows"] == rows and entry["bytes"] == path.stat().st_size
            assert entry["metadata_xxh3"] == file.attrs["metadata_xxh3"]
            assert dict(file.attrs) | {"metadata_xxh3": 0} == dict(whole.attrs) | {"metadata_xxh3": 0}
            assert dict(file["statistics"].attrs) == dict(whole["statistics"].attrs)
        for key, column in [("clips", "clips/id"), ("failures", "failures/id")]:
            assert found[key] == len(whole[column]) == sum(entry[key] for entry in found["files"])
        assert found["rows"] == sum(entry["rows"] for entry in found["files"])
        for file in files:
            file.close()


def test_records_checksum(recordings, veery, tmp_path):
    xxhash = pytest.importorskip("xxhash")
    extract(veery, recordings, tmp_path, "--files", 3)
    for path, entry in zip(members(tmp_path, 3), index(tmp_path)["files"]):
        with h5py.File(path) as file:
            assert xxhash.xxh3_128_hexdigest(b"".join(file["clips/record_xxh3"][()])) == entry["records_xxh3"]


@pytest.fixture(scope="module")
def whole(recordings, veery, tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    for name, options in SETTINGS.items():
        extract(veery, recordings, folder, *options, output=f"{name}.h5")
    with h5py.File(folder / "too large for some.h5") as file:
        assert 5 < list(file["failures/stage"]).count(b"store") < 80
    return folder


@pytest.mark.parametrize("name, count", [
    *((name, 3) for name in SETTINGS), ("normalised", 7),
    *(pytest.param(name, count, marks=pytest.mark.long) for name in SETTINGS for count in (1, 120))])
def test_the_files_hold_what_one_file_holds(recordings, whole, veery, tmp_path, name, count):
    said = extract(veery, recordings, tmp_path, *SETTINGS[name], "--files", count).stderr
    assert f"wrote {tmp_path}/f.index.json: " in said
    check_set(whole / f"{name}.h5", tmp_path, count)
    assert sorted(os.listdir(tmp_path)) == sorted(path.name for path in members(tmp_path, count)) + ["f.index.json"]
    veery("inspect", members(tmp_path, count)[-1], "--verify")
    sizes = [entry["clips"] + entry["failures"] for entry in index(tmp_path)["files"]]
    assert max(sizes) - min(sizes) <= 1 and sum(sizes) == CLIPS


def test_a_summary_that_is_not_right(recordings, veery, whole, tmp_path):
    """A shard without an intact summary is read itself."""
    shards(veery, recordings, tmp_path, 2, "--jobs", 1)
    path = tmp_path / "f.h5.shards/00001-of-00002/clips-0.summary"
    data = bytearray(path.read_bytes())
    data[200] ^= 1
    path.write_bytes(data)
    for number in (1, 2):
        extract(veery, recordings, tmp_path, "--file", f"{number}/2", status=0)
    check_set(whole / "normalised.h5", tmp_path, 2)


def start(program, recordings, folder, *options, output="f.h5"):
    return subprocess.Popen(
        [program, "extract", recordings / "m.csv", "-o", folder / output, *map(str, options)], stderr=subprocess.PIPE,
        text=True)


@pytest.mark.long
def test_killed_while_it_writes(recordings, program, veery, tmp_path, whole):
    """Killed at any moment, again and again, the same command completes the set, and keeps files that are there."""
    kills = 0
    delay = 0.0
    while True:
        process = start(program, recordings, tmp_path, "--files", 40)
        time.sleep(delay)
        if process.poll() is None:
            process.kill()
            kills += 1
        said = process.communicate()[1]
        if process.returncode >= 0:
            assert process.returncode == 3, said
            break
        delay = 1.15 * delay + 0.003
        assert not (tmp_path / "f.index.json").exists() or index(tmp_path)
    assert kills > 3
    check_set(whole / "normalised.h5", tmp_path, 40)
    assert len(os.listdir(tmp_path)) == 41


@pytest.mark.long
def test_tasks_that_are_killed(recordings, program, veery, tmp_path, whole):
    shards(veery, recordings, tmp_path, 3)
    rest = {1, 2, 3}
    delay, kills = 0.0, 0
    while rest:
        for number in sorted(rest):
            process = start(program, recordings, tmp_path, "--file", f"{number}/3")
            time.sleep(delay)
            if process.poll() is None:
                process.kill()
                kills += 1
            said = process.communicate()[1]
            if process.returncode >= 0:
                assert process.returncode == 0, said
                rest.discard(number)
        delay = 1.3 * delay + 0.002
    assert kills > 3
    check_set(whole / "normalised.h5", tmp_path, 3)
    assert sorted(os.listdir(tmp_path)) == [path.name for path in members(tmp_path, 3)] + ["f.index.json"]


@pytest.mark.long
def test_all_tasks_at_once_and_each_twice(recordings, program, veery, tmp_path, whole):
    shards(veery, recordings, tmp_path, 4)
    running = [start(program, recordings, tmp_path, "--file", f"{number}/4") for number in (1, 2, 3, 4) * 2]
    for process in running:
        said = process.communicate(timeout=120)[1]
        assert process.returncode == 0, said
    check_set(whole / "normalised.h5", tmp_path, 4)
    assert sorted(os.listdir(tmp_path)) == [path.name for path in members(tmp_path, 4)] + ["f.index.json"]


@pytest.mark.long
def test_a_task_that_stood_still(recordings, program, veery, tmp_path, whole):
    """A task on a machine that was cut off does no harm when it comes back after others have completed the set."""
    shards(veery, recordings, tmp_path, 2)
    process = start(program, recordings, tmp_path, "--file", "1/2")
    time.sleep(0.012)
    process.send_signal(signal.SIGSTOP)
    for number in (1, 2):
        extract(veery, recordings, tmp_path, "--file", f"{number}/2", status=0)
    check_set(whole / "normalised.h5", tmp_path, 2)
    before = [digest(path) for path in members(tmp_path, 2)]
    process.send_signal(signal.SIGCONT)
    said = process.communicate(timeout=120)[1]
    assert process.returncode == 0, said
    assert [digest(path) for path in members(tmp_path, 2)] == before
    veery("inspect", member(tmp_path, 1, 2), "--verify")


def test_shards_that_a_killed_task_did_not_delete(recordings, veery, tmp_path):
    """The next task does, but leaves those of another configuration, which may be about to replace the set."""
    shards(veery, recordings, tmp_path, 2)
    place = tmp_path / "f.h5.shards"
    shutil.copytree(place, tmp_path / "kept")
    for number in (1, 2):
        extract(veery, recordings, tmp_path, "--file", f"{number}/2", status=0)
    assert not place.exists()
    shutil.copytree(tmp_path / "kept", place)
    (place / "00001-of-00002/run.json").unlink()  # the first that is deleted of each
    (place / "file-of-a-task-that-is-dead").write_text("part")
    said = extract(veery, recordings, tmp_path, "--file", "1/2", status=0).stderr
    assert "is there already" in said and not place.exists()
    extract(veery, recordings, tmp_path, "--shard", "1/2", "--set", "frame.hop=200", "--overwrite", status=0)
    extract(veery, recordings, tmp_path, "--file", "1/2", status=0)
    assert sorted(os.listdir(place)) == ["00001-of-00002"]


def test_shards_that_are_missing(recordings, veery, tmp_path):
    said = extract(veery, recordings, tmp_path, "--file", "1/2", status=75).stderr
    assert f"{tmp_path}/f.h5.shards: expected all shards to be done, found none" in said
    extract(veery, recordings, tmp_path, "--shard", "2/4", status=0)
    said = extract(veery, recordings, tmp_path, "--file", "1/2", status=75).stderr
    assert "found 3 of 4 missing: 1, 3, 4" in said
    assert not list(tmp_path.glob("*.json")) and not list(tmp_path.glob("*-of-*"))


def test_shards_of_something_else(recordings, veery, tmp_path):
    shards(veery, recordings, tmp_path, 2)
    said = extract(veery, recordings, tmp_path, "--file", "1/2", "--set", "frame.hop=200", status=1).stderr
    assert "frame.hop was 160 and is 200 now" in said and f"{tmp_path}/f.h5.shards/00001-of-00002" in said
    # Normalisation comes last: it may be another.
    for number in (1, 2):
        extract(veery, recordings, tmp_path, "--file", f"{number}/2", "--set", "normalize.scope=none", status=0)
    extract(veery, recordings, tmp_path, "--set", "normalize.scope=none", output="one.h5")
    check_set(tmp_path / "one.h5", tmp_path, 2)


def test_recordings_that_are_gone_do_not_matter_with_keep_missing(recordings, veery, tmp_path):
    mine = tmp_path / "mine"
    shutil.copytree(recordings, mine)
    shards(veery, mine, tmp_path, 2)
    (mine / "r2.wav").unlink()
    said = extract(veery, mine, tmp_path, "--file", "1/2", status=1).stderr
    assert "the recordings of 1 clip, such as r2.wav, have changed or are missing" in said, said
    extract(veery, mine, tmp_path, "--file", "1/2", "--keep-missing", status=0)


def test_up_to_date(recordings, veery, tmp_path):
    extract(veery, recordings, tmp_path, "--files", 3)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    said = extract(veery, recordings, tmp_path, "--files", 3).stderr
    assert f"{tmp_path}/f.index.json is up to date" in said
    report = json.loads(extract(veery, recordings, tmp_path, "--files", 3, "--json").stdout)
    assert report["up_to_date"] and report["output"] == f"{tmp_path}/f.index.json"
    assert report["bytes"] == sum(entry["bytes"] for entry in index(tmp_path)["files"])
    # Tasks that are submitted again have nothing to do.
    said = extract(veery, recordings, tmp_path, "--shard", "1/2", status=0).stderr
    assert "is there already: nothing to do for shard 1/2" in said
    said = extract(veery, recordings, tmp_path, "--file", "2/3", status=0).stderr
    assert "file 2/3 is there already" in said
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before


def test_another_set_is_replaced_as_a_whole(recordings, veery, tmp_path, whole):
    extract(veery, recordings, tmp_path, "--files", 5)
    for options, words in [
            (["--files", 3], "names 5 files, not 3"), (["--files", 5, "--set", "frame.hop=200"], "another configuration"),
            (["--file", "1/3"], "names 5 files, not 3")]:
        said = extract(veery, recordings, tmp_path, *options, status=1).stderr
        assert f"{tmp_path}/f.index.json: the file exists and " in said and words in said and "--overwrite" in said, said
    (tmp_path / "f-00001-of-00004.h5").write_text("someone's")
    extract(veery, recordings, tmp_path, "--files", 3, "--overwrite")
    check_set(whole / "normalised.h5", tmp_path, 3)
    # The files of the older set are gone, and nothing else.
    assert sorted(os.listdir(tmp_path)) == sorted(
        [path.name for path in members(tmp_path, 3)] + ["f.index.json", "f-00001-of-00004.h5"])


def test_files_that_are_not_replaced(recordings, veery, tmp_path):
    member(tmp_path, 2, 3).write_text("path,label\n")
    for options in (["--files", 3], ["--files", 3, "--overwrite"]):
        said = extract(veery, recordings, tmp_path, *options, status=1).stderr
        assert f"{member(tmp_path, 2, 3)}: the file exists and is no feature file, so it is not replaced" in said
    assert os.listdir(tmp_path) == [member(tmp_path, 2, 3).name]
    member(tmp_path, 2, 3).unlink()
    (tmp_path / "f.index.json").write_text("{}")
    said = extract(veery, recordings, tmp_path, "--files", 3, "--overwrite", status=1).stderr
    assert f"{tmp_path}/f.index.json: the file exists and is no feature file" in said


@pytest.mark.parametrize("loss", ["missing", "damaged"])
def test_a_lost_file_is_made_again(recordings, veery, tmp_path, whole, loss):
    extract(veery, recordings, tmp_path, "--files", 3)
    path = member(tmp_path, 2, 3)
    if loss == "missing":
        path.unlink()
    else:
        data = bytearray(path.read_bytes())
        data[5000] ^= 1
        path.write_bytes(data)
    said = extract(veery, recordings, tmp_path, "--files", 3, status=1).stderr
    assert path.name in said and "--overwrite" in said
    others = [member(tmp_path, number, 3) for number in (1, 3)]
    before = [path.stat().st_mtime_ns for path in others]
    extract(veery, recordings, tmp_path, "--files", 3, "--overwrite")
    assert [path.stat().st_mtime_ns for path in others] == before
    check_set(whole / "normalised.h5", tmp_path, 3)


def test_a_file_that_others_hold_open(recordings, veery, tmp_path, whole):
    """Without an index, a file under the name of one of the set is replaced only if that is asked for."""
    extract(veery, recordings, tmp_path, "--files", 3)
    (tmp_path / "f.index.json").unlink()
    path = member(tmp_path, 2, 3)
    size = path.stat().st_size
    with h5py.File(path, "r+"):
        said = extract(veery, recordings, tmp_path, "--files", 3, status=1).stderr
        assert f"{path}: the file exists and is not a complete feature file" in said and "--overwrite" in said
        assert path.stat().st_size == size
        extract(veery, recordings, tmp_path, "--files", 3, "--overwrite")
    check_set(whole / "normalised.h5", tmp_path, 3)


@pytest.mark.parametrize("options, words", [
    (["--files", 0], "--files: expected 1 to 99999, found 0"), (["--files", 100000], "found 100000"),
    (["--file", "4/3"], "--file"), (["--file", "0/3"], "--file"), (["--file", "3"], "--file"), (["--file", "1/100000"], "--file"),
    (["--files", 4, "--file", "1/3"], "--file is one of 3 files, but --files says 4"),
    (["--files", 2, "--append"], "without --append"), (["--files", 2, "--sync"], "without --sync"),
    (["--files", 2, "--retry-failed"], "without --retry-failed"), (["--file", "1/2", "--shard", "1/2"], "without --shard"),
    (["--file", "1/2", "--fresh"], "without --fresh"),
    (["--file", "auto/2"], "none of VEERY_SHARD_INDEX, SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX is set"),
])
def test_options_that_exclude_each_other(recordings, veery, tmp_path, options, words):
    said = extract(veery, recordings, tmp_path, *options, status=64).stderr
    assert words in said, said
    assert os.listdir(tmp_path) == []


def test_the_number_is_taken_from_the_engine(recordings, program, veery, tmp_path, whole):
    shards(veery, recordings, tmp_path, 2)
    for number in (0, 1, 2):
        environment = dict(os.environ, JOB_COMPLETION_INDEX=str(number))
        subprocess.run(
            [program, "extract", recordings / "m.csv", "-o", tmp_path / "f.h5", "--file", "auto/3"], env=environment, check=True)
    check_set(whole / "normalised.h5", tmp_path, 3)


def test_dry_run(recordings, veery, tmp_path):
    said = extract(veery, recordings, tmp_path, "--files", 3, "--dry-run", status=0).stdout
    assert f"into           3 files and their index {tmp_path}/f.index.json" in said
    assert os.listdir(tmp_path) == []


def test_labels_of_frames(recordings, veery, tmp_path):
    (tmp_path / "a.csv").write_text("path,start,end,label\n" + "".join(f"r{number}.wav,0.1,0.3,x\n" for number in range(40)))
    options = ["--frame-labels", tmp_path / "a.csv"]
    extract(veery, recordings, tmp_path, *options, output="one.h5")
    extract(veery, recordings, tmp_path, *options, "--files", 4)
    check_set(tmp_path / "one.h5", tmp_path, 4)
    shards(veery, recordings, tmp_path, 2, *options, "--overwrite")


def test_failures_of_a_set_as_a_manifest(recordings, veery, tmp_path):
    for options, output in [(["--files", 3], "f.h5"), ([], "g.h5")]:
        extract(veery, recordings, tmp_path, *options, "--failures-out", tmp_path / f"{output}.csv", output=output)
    assert (tmp_path / "f.h5.csv").read_text() == (tmp_path / "g.h5.csv").read_text()


@pytest.mark.parametrize("output, names", [
    ("a.b.hdf5", ["a.b-00001-of-00002.hdf5", "a.b-00002-of-00002.hdf5", "a.b.index.json"]),
    ("plain", ["plain-00001-of-00002", "plain-00002-of-00002", "plain.index.json"]),
    (".h5", [".h5-00001-of-00002", ".h5-00002-of-00002", ".h5.index.json"]),
])
def test_names(recordings, veery, tmp_path, output, names):
    extract(veery, recordings, tmp_path, "--files", 2, output=output)
    assert sorted(os.listdir(tmp_path)) == names
