"""Shards and sets that disagree: what killed, late and second tasks leave next to an output, and what the next command does."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import pytest
from recordings import SLOW, digest, noise, write_manifest, write_wav

CLIPS = 36


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    """18 recordings, of which one is missing; 36 clips."""
    folder = tmp_path_factory.mktemp("recordings")
    rows = []
    for number in range(18):
        if number != 11:
            write_wav(folder / f"r{number}.wav", 16000, 0.1 * noise(number, 8_000 + 700 * (number % 5)))
        rows += [{"path": f"r{number}.wav", "label": f"l{number % 3}", "id": f"{number}{part}"} for part in "ab"]
    write_manifest(folder / "m.csv", rows)
    return folder


def extract(veery, recordings, folder, *options, output="f.h5", status=3):
    return veery("extract", recordings / "m.csv", "-o", folder / output, *options, status=status)


def start(program, recordings, folder, *options, output="f.h5"):
    return subprocess.Popen(
        [program, "extract", recordings / "m.csv", "-o", folder / output, *map(str, options)], stderr=subprocess.PIPE, text=True)


def shards(veery, recordings, folder, count, *options):
    for number in range(1, count + 1):
        extract(veery, recordings, folder, *options, "--shard", f"{number}/{count}", status=0)


@pytest.fixture(scope="module")
def finished(recordings, veery, tmp_path_factory):
    """A file and a set, and the shards that they were made from, each in a folder of its own."""
    folder = tmp_path_factory.mktemp("finished")
    shards(veery, recordings, folder, 3)
    shutil.move(folder / "f.h5.shards", folder / "shards")
    (folder / "file").mkdir()
    (folder / "set").mkdir()
    for kind, options in [("file", []), ("set", ["--files", 2])]:
        shutil.copytree(folder / "shards", folder / kind / "f.h5.shards")
        extract(veery, recordings, folder / kind, *options)
        assert not (folder / kind / "f.h5.shards").exists()
    return folder


def contents(folder):
    """Every file in a folder, with its bytes."""
    return {str(path.relative_to(folder)): digest(path) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("kind", ["file", "set"])
def test_shards_beside_what_is_finished(recordings, veery, finished, tmp_path, kind):
    """A task was killed while it deleted the shards, or one came late: the output is up to date, and they go."""
    folder = tmp_path / kind
    shutil.copytree(finished / kind, folder)
    before = contents(folder)
    for command in (["--files", 2] if kind == "set" else [], ["--shard", "2/3"], ["--file", "1/2"]):
        if kind == "file" and command[:1] == ["--file"]:
            continue
        for number in (1, 3):
            name = f"0000{number}-of-00003"
            shutil.copytree(finished / "shards" / name, folder / "f.h5.shards" / name, dirs_exist_ok=True)
        status = 0 if command[:1] in (["--shard"], ["--file"]) else 3
        said = extract(veery, recordings, folder, *command, status=status).stderr
        assert "is up to date" in said or "is there already" in said, said
        if command[:1] != ["--shard"]:
            assert contents(folder) == before
            assert not (folder / "f.h5.shards").exists()


def test_an_attempt_beside_what_is_finished(recordings, veery, finished, tmp_path):
    folder = tmp_path / "file"
    shutil.copytree(finished / "file", folder)
    before = contents(folder)
    shutil.copytree(finished / "shards/00002-of-00003", folder / "f.h5.shards/00002-of-00003.host-1-abc")
    assert "is up to date" in extract(veery, recordings, folder).stderr
    assert contents(folder) == before and not (folder / "f.h5.shards").exists()


def test_the_recordings_count_and_not_the_shards(recordings, veery, finished, tmp_path):
    """A recording that has changed is named, whether or not its shard is left; one that was only touched is not."""
    mine = tmp_path / "mine"
    shutil.copytree(recordings, mine)
    folder = tmp_path / "file"
    for number, left in [(2, 1), (2, 3)]:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(finished / "file", folder)
        name = f"0000{left}-of-00003"
        shutil.copytree(finished / "shards" / name, folder / "f.h5.shards" / name)
        os.utime(mine / f"r{number}.wav")
        assert "is up to date" in extract(veery, mine, folder).stderr
        shutil.copytree(finished / "shards" / name, folder / "f.h5.shards" / name)
        sound = (mine / f"r{number}.wav").read_bytes()
        write_wav(mine / f"r{number}.wav", 16000, 0.1 * noise(77, 9_000))
        said = extract(veery, mine, folder, status=1).stderr
        assert f"the recording r{number}.wav is not what it was made from" in said
        (mine / f"r{number}.wav").write_bytes(sound)


def test_shards_of_another_run_beside_what_is_finished(recordings, veery, finished, tmp_path):
    """Such shards may be about to replace the output: they are kept, and named."""
    folder = tmp_path / "file"
    shutil.copytree(finished / "file", folder)
    extract(veery, recordings, folder, "--shard", "1/2", "--set", "frame.hop=200", "--overwrite", status=0)
    before = contents(folder)
    said = extract(veery, recordings, folder).stderr
    assert "is up to date" in said and "frame.hop was 200 and is 160 now" in said and f"{folder}/f.h5.shards" in said, said
    assert contents(folder) == before
    # Where the output is not right, they are an obstacle as before.
    said = extract(veery, recordings, folder, "--set", "frame.hop=240", status=1).stderr
    assert "frame.hop was 200 and is 240 now" in said, said


@pytest.fixture
def open_folder():
    """A folder that every user may write to."""
    folder = Path(tempfile.mkdtemp(prefix="veery-leftovers-"))
    folder.chmod(0o777)
    yield folder
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir():
            path.chmod(0o777)
    shutil.rmtree(folder)


@contextlib.contextmanager
def protected_from_deletion(folder, run):
    """Gives `run` for a user who cannot delete what is in a folder: root runs as another user, and others may not write there."""
    folder.chmod(0o555)
    # Nobody: a number that every system has.
    yield (lambda command: run(command, user=65534)) if os.geteuid() == 0 else run


def test_shards_of_another_user(recordings, program, veery, finished, open_folder):
    folder = open_folder
    shutil.copy(finished / "file/f.h5", folder / "f.h5")
    shutil.copytree(recordings, folder / "recordings")
    for path in [folder / "f.h5", folder / "recordings", *(folder / "recordings").iterdir()]:
        path.chmod(0o777)
    shard = folder / "f.h5.shards/00002-of-00003"
    shutil.copytree(finished / "shards/00002-of-00003", shard)
    for path in shard.iterdir():
        path.chmod(0o444)
    shard.parent.chmod(0o777)
    shutil.copy(program, folder / "program")

    def run(command, **options):
        return subprocess.run([folder / "program", *map(str, command)], capture_output=True, text=True, timeout=300, **options)

    with protected_from_deletion(shard, run) as run:
        if run(["--version"]).returncode != 0:
            pytest.skip("ANOTHER USER CANNOT RUN THE PROGRAM: shards of another user are not tested")
        for _ in range(2):
            result = run(["extract", folder / "recordings/m.csv", "-o", folder / "f.h5"])
            assert result.returncode == 3 and "is up to date" in result.stderr, result.stderr
            assert f"could not be deleted: {shard} (Permission denied)" in result.stderr, result.stderr
    assert digest(folder / "f.h5") == digest(finished / "file/f.h5")
    assert sorted(os.listdir(folder / "f.h5.shards")) == [shard.name]


def test_a_shard_whose_run_cannot_be_read(recordings, program, finished, open_folder):
    """Another user's shard that may not be read, in a folder that may be written to: it is not deleted, and is named."""
    if os.geteuid() != 0:
        pytest.skip("NOT ROOT: files that another user may delete and not read are not tested")
    folder = open_folder
    shutil.copy(finished / "file/f.h5", folder / "f.h5")
    shutil.copytree(recordings, folder / "recordings")
    shard = folder / "f.h5.shards/00002-of-00003"
    shutil.copytree(finished / "shards/00002-of-00003", shard)
    for path in [folder / "f.h5", *folder.glob("recordings/**/*"), folder / "recordings", shard, shard.parent]:
        path.chmod(0o777)
    (shard / "run.json").chmod(0o600)
    shutil.copy(program, folder / "program")
    before = contents(shard)
    result = subprocess.run(
        [folder / "program", "extract", folder / "recordings/m.csv", "-o", folder / "f.h5"], capture_output=True, text=True,
        timeout=300, user=65534)
    assert result.returncode == 3 and "is up to date" in result.stderr, result.stderr
    assert contents(shard) == before
    assert f"could not be deleted: {shard} (Permission denied)" in result.stderr, result.stderr


def test_an_attempt_that_loses_its_folder(recordings, program, veery, tmp_path):
    """All is done, but the output cannot be seen here yet: another attempt would find that out, so the status is 75."""
    process = start(program, recordings, tmp_path, *SLOW, "--shard", "1/2")
    folder_of_shards = tmp_path / "f.h5.shards"
    while process.poll() is None and not any(path.stat().st_size for path in folder_of_shards.glob("*/clips-*.spool")):
        time.sleep(0.001)
    process.send_signal(signal.SIGSTOP)
    assert process.poll() is None
    shutil.rmtree(folder_of_shards)
    process.send_signal(signal.SIGCONT)
    said = process.communicate(timeout=120)[1]
    assert process.returncode == 75 and "give the same command again" in said, said


def test_clips_of_another_attempt_that_cannot_be_read(recordings, veery, tmp_path):
    """A slow mount may show an older size of the attempt's files: clips past it are computed again."""
    extract(veery, recordings, tmp_path, "--jobs", 1, "--shard", "1/1", status=0)
    folder_of_shards = tmp_path / "f.h5.shards"
    attempt = folder_of_shards / "00001-of-00001.other-1-abc"
    for damage in ("rows", "cut", "no clips"):
        shutil.rmtree(attempt, ignore_errors=True)
        (folder_of_shards / "00001-of-00001").rename(attempt)
        path = attempt / "clips-0.spool"
        data = bytearray(path.read_bytes())
        if damage == "rows":
            data[len(data) // 2] ^= 1
            path.write_bytes(data)
        elif damage == "cut":
            path.write_bytes(data[:len(data) // 2])
        else:
            path.unlink()
        extract(veery, recordings, tmp_path, "--shard", "1/1", status=0)
        assert os.listdir(folder_of_shards) == ["00001-of-00001"]
    extract(veery, recordings, tmp_path)
    extract(veery, recordings, tmp_path, output="g.h5")
    assert digest(tmp_path / "f.h5") == digest(tmp_path / "g.h5")


@pytest.mark.parametrize("size", ["half", 0])
def test_an_output_that_this_machine_cannot_see_completely_yet(recordings, veery, finished, tmp_path, size):
    """A slow mount shows an older size of what another machine has just completed: the task may be tried again."""
    shutil.copy(finished / "file/f.h5", tmp_path / "f.h5")
    data = (tmp_path / "f.h5").read_bytes()
    (tmp_path / "f.h5").write_bytes(data[:len(data) // 2 if size == "half" else size])
    said = extract(veery, recordings, tmp_path, "--shard", "1/3", status=75).stderr
    assert f"{tmp_path}/f.h5: the file exists and cannot be read: give the same command again" in said, said
    (tmp_path / "f.h5").write_bytes(data)
    said = extract(veery, recordings, tmp_path, "--shard", "1/3", status=0).stderr
    assert "f.h5 is there already" in said, said
    # A user's file will never become complete by waiting, and a damaged file is replaced where that is asked for.
    (tmp_path / "f.h5").write_text("path,label\n")
    extract(veery, recordings, tmp_path, "--shard", "1/3", status=1)
    (tmp_path / "f.h5").write_bytes(data[:len(data) // 2])
    extract(veery, recordings, tmp_path, "--shard", "1/3", "--overwrite", status=0)


@pytest.mark.parametrize("loss", ["cut off", "missing"])
def test_a_set_that_this_machine_cannot_see_completely_yet(recordings, veery, finished, tmp_path, loss):
    folder = tmp_path / "set"
    shutil.copytree(finished / "set", folder)
    path = folder / "f-00001-of-00002.h5"
    data = path.read_bytes()
    path.unlink()
    if loss == "cut off":
        path.write_bytes(data[:len(data) // 2])
    for task in (["--shard", "1/3"], ["--file", "2/2"]):
        said = extract(veery, recordings, folder, *task, status=75).stderr
        assert f"{folder}/f.index.json: the file exists and cannot be read: give the same command again" in said, said
    path.write_bytes(data)
    for task in (["--shard", "1/3"], ["--file", "2/2"]):
        extract(veery, recordings, folder, *task, status=0)


@pytest.fixture(scope="module")
def statistics(recordings, veery, tmp_path_factory):
    """Two files with statistics, which belong to other clips."""
    folder = tmp_path_factory.mktemp("statistics")
    for number in (1, 2):
        write_manifest(folder / f"{number}.csv", [{"path": f"r{number}.wav", "id": "x"}])
        veery("extract", folder / f"{number}.csv", "-o", folder / f"{number}.h5", "--root", recordings)
    return [folder / "1.h5", folder / "2.h5"]


@pytest.mark.parametrize("kind, made, asked, words", [
    ("file", None, 0, "was normalised by other statistics"), ("set", 0, 1, "was normalised by other statistics"),
    ("file", 0, None, "is normalised by the statistics of another")])
def test_a_file_with_other_statistics_is_another(recordings, veery, statistics, tmp_path, kind, made, asked, words):
    """The tasks say what the whole command says."""
    def given(number):
        return [] if number is None else ["--stats-from", statistics[number]]

    whole = ["--files", 2] if kind == "set" else []
    extract(veery, recordings, tmp_path, *whole, *given(made))
    before = contents(tmp_path)
    for task in (whole, ["--shard", "1/2"], ["--file", "1/2"]):
        if kind == "file" and task[:1] == ["--file"]:
            continue
        said = extract(veery, recordings, tmp_path, *task, *given(asked), status=1).stderr
        assert words in said and "--overwrite" in said, said
    assert contents(tmp_path) == before
    for task in ["--shard", "1/2"], ["--file", "1/2"]:
        if kind == "set" or task[0] == "--shard":
            extract(veery, recordings, tmp_path, *task, *given(made), status=0)
    assert contents(tmp_path) == before


def test_appending_nothing_with_other_statistics(recordings, veery, statistics, tmp_path):
    write_manifest(tmp_path / "m.csv", [{"path": f"r{number}.wav", "id": number} for number in range(4)])
    command = ["extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--root", recordings]
    veery(*command, "--stats-from", statistics[0])
    before = digest(tmp_path / "f.h5")
    for options in ([], ["--stats-from", statistics[0]]):
        assert "up to date" in veery(*command, "--append", *options).stderr
    said = veery(*command, "--append", "--stats-from", statistics[1], status=1).stderr
    assert f"it was not normalised by the statistics of {statistics[1]}" in said, said
    assert digest(tmp_path / "f.h5") == before


def test_a_shard_of_another_configuration_is_refused_at_once(recordings, veery, tmp_path):
    extract(veery, recordings, tmp_path, "--shard", "1/2", status=0)
    folder_of_shards = tmp_path / "f.h5.shards"
    before = contents(tmp_path)
    (tmp_path / "other.csv").write_text((recordings / "m.csv").read_text().replace("l1", "l9"))
    for manifest, options, words in [
            (recordings / "m.csv", ["--set", "frame.hop=200"], "frame.hop was 160 and is 200 now"),
            (recordings / "m.csv", ["--truncated", "keep"], "--truncated was fail and is keep now"),
            (tmp_path / "other.csv", [], "the manifest has changed")]:
        said = veery(
            "extract", manifest, "-o", tmp_path / "f.h5", "--root", recordings, "--shard", "2/2", *options, status=1).stderr
        assert f"{folder_of_shards}/00001-of-00002: this shard of the same output was made otherwise: {words}" in said, said
        assert contents(tmp_path) == {**before, "other.csv": digest(tmp_path / "other.csv")}
        assert os.listdir(folder_of_shards) == ["00001-of-00002"]
    # Shards hold no normalised or stored values, so that these settings may differ. With --fresh each task replaces its own shard.
    extract(veery, recordings, tmp_path, "--shard", "2/2", "--set", "normalize.scope=none", status=0)
    for number in (2, 1):
        extract(veery, recordings, tmp_path, "--shard", f"{number}/2", "--set", "frame.hop=200", "--fresh", status=0)
    extract(veery, recordings, tmp_path, "--set", "frame.hop=200")
    extract(veery, recordings, tmp_path, "--set", "frame.hop=200", output="g.h5")
    assert digest(tmp_path / "f.h5") == digest(tmp_path / "g.h5")


@pytest.mark.parametrize("other, words", [
    (["--set", "normalize.scope=none"], ["normalize.scope was dataset and is none now"]),
    (["--set", "normalize.scope=dataset", "--set", "normalize.ddof=1"], ["normalize.ddof was 0 and is 1 now"]),
    ("statistics", ["is normalised by", "statistics"])], ids=["scope", "ddof", "statistics"])
def test_files_of_one_set_with_other_normalisations(recordings, veery, statistics, tmp_path, other, words):
    """The second says so when it ends, and what to do; that mends it."""
    other = ["--stats-from", statistics[0]] if other == "statistics" else other
    shards(veery, recordings, tmp_path, 2)
    first, second = 2, 1
    extract(veery, recordings, tmp_path, "--file", f"{first}/2", status=0)
    result = extract(veery, recordings, tmp_path, "--file", f"{second}/2", *other, "--json", status=0)
    said = result.stderr
    path = tmp_path / f"f-0000{first}-of-00002.h5"
    assert f"the set is not complete: {path} " in said, said
    assert f"--file {first}/2 --overwrite with the options of this file" in said, said
    if other[0] != "--stats-from":
        assert all(word in said for word in words), said
    else:
        assert "was normalised by other statistics" in said, said
    report = json.loads(result.stdout)
    assert report.get("index") is None and str(path) in report["obstacle"]
    assert not (tmp_path / "f.index.json").exists()
    extract(veery, recordings, tmp_path, "--file", f"{first}/2", *other, "--overwrite", status=0)
    assert (tmp_path / "f.index.json").exists() and not (tmp_path / "f.h5.shards").exists()
    extract(veery, recordings, tmp_path, *other, output="one.h5")
    with h5py.File(tmp_path / "one.h5") as one:
        assert json.loads((tmp_path / "f.index.json").read_text())["metadata_xxh3"] == one.attrs["metadata_xxh3"]


KILLED = """
// Preloaded: ends the program at the n-th call, among those that change names, of a file in the folder KILL_IN.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <stdio.h>

static int calls;

static void count(const char *path) {
    const char *folder = getenv("KILL_IN");
    if (!folder || strncmp(path, folder, strlen(folder)) != 0) return;
    if (++calls == atoi(getenv("KILL_AT"))) kill(getpid(), SIGKILL);
}

int unlink(const char *path) {
    count(path);
    return ((int (*)(const char *))dlsym(RTLD_NEXT, "unlink"))(path);
}

int rename(const char *old, const char *path) {
    count(path);
    return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(old, path);
}

int rmdir(const char *path) {
    count(path);
    return ((int (*)(const char *))dlsym(RTLD_NEXT, "rmdir"))(path);
}
"""


@pytest.fixture(scope="module")
def killer(tmp_path_factory):
    if not sys.platform.startswith("linux") or shutil.which("cc") is None:
        pytest.skip("NO LINUX, OR NO cc: a program that is killed while it deletes files is not tested")
    folder = tmp_path_factory.mktemp("killer")
    (folder / "killer.c").write_text(KILLED)
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", folder / "killer.so", folder / "killer.c", "-ldl"], check=True)
    return folder / "killer.so"


def killed(program, killer, folder, at, command):
    """Runs the program until its n-th change of names in a folder; whether it was killed there."""
    environment = dict(os.environ, LD_PRELOAD=str(killer), KILL_IN=str(folder), KILL_AT=str(at))
    result = subprocess.run([program, *map(str, command)], env=environment, capture_output=True, text=True, timeout=300)
    assert result.returncode in (0, 3, -signal.SIGKILL), result.stderr
    return result.returncode == -signal.SIGKILL


@pytest.mark.long
def test_killed_while_the_shards_are_deleted(recordings, program, killer, veery, finished, tmp_path):
    """After a kill at any call that changes a name, the same command says that the file is up to date, or completes it."""
    kills = 0
    while True:
        folder = tmp_path / f"{kills}"
        folder.mkdir()
        shutil.copytree(finished / "shards", folder / "f.h5.shards")
        if not killed(program, killer, folder, kills + 1, ["extract", recordings / "m.csv", "-o", folder / "f.h5"]):
            break
        kills += 1
        was_there = (folder / "f.h5").exists()
        said = extract(veery, recordings, folder).stderr
        assert "is up to date" in said or not was_there, said
        assert contents(folder) == {"f.h5": digest(finished / "file/f.h5")} and os.listdir(folder) == ["f.h5"]
        shutil.rmtree(folder)
    assert kills > 20


@pytest.mark.long
def test_a_set_is_replaced_whenever_it_is_killed(recordings, program, killer, veery, finished, tmp_path):
    """The old set or the new one can be read at any moment; the same command, again, leaves no file of the old one."""
    old = tmp_path / "old"
    old.mkdir()
    extract(veery, recordings, old, "--files", 4, "--set", "frame.hop=200")
    expected = contents(finished / "set")
    kills = 0
    while True:
        folder = tmp_path / "now"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(old, folder)
        command = ["extract", recordings / "m.csv", "-o", folder / "f.h5", "--files", 2]
        if not killed(program, killer, folder, kills + 1, [*command, "--overwrite"]):
            break
        kills += 1
        names = [entry["name"] for entry in json.loads((folder / "f.index.json").read_text())["files"]]
        veery("inspect", folder / "f.index.json", "--verify")
        # Where the new set is complete, no --overwrite is needed.
        veery(*command, *(["--overwrite"] if len(names) == 4 else []), status=3)
        assert contents(folder) == expected, kills
    assert kills > 8 and contents(folder) == expected


def test_a_set_is_replaced_by_one_of_as_many_files(recordings, veery, finished, tmp_path):
    """The files of both sets have the same names: no new file is deleted as an old one."""
    extract(veery, recordings, tmp_path, "--files", 2, "--set", "frame.hop=200")
    extract(veery, recordings, tmp_path, "--files", 2, "--overwrite")
    assert contents(tmp_path) == contents(finished / "set")


@pytest.mark.long
def test_tasks_replace_a_set_whenever_they_are_killed(recordings, program, killer, veery, finished, tmp_path):
    old = tmp_path / "old"
    old.mkdir()
    extract(veery, recordings, old, "--files", 4, "--set", "frame.hop=200")
    shutil.copytree(finished / "shards", old / "f.h5.shards")
    extract(veery, recordings, old, "--file", "1/2", "--overwrite", status=0)
    expected = contents(finished / "set")
    kills = 0
    while True:
        folder = tmp_path / "now"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(old, folder)
        command = ["extract", recordings / "m.csv", "-o", folder / "f.h5", "--file", "2/2"]
        if not killed(program, killer, folder, kills + 1, [*command, "--overwrite"]):
            break
        kills += 1
        names = [entry["name"] for entry in json.loads((folder / "f.index.json").read_text())["files"]]
        veery("inspect", folder / "f.index.json", "--verify")
        veery(*command, *(["--overwrite"] if len(names) == 4 else []))
        assert contents(folder) == expected, kills
    assert kills > 8 and contents(folder) == expected


def test_the_error_for_a_set_that_is_being_replaced(recordings, veery, finished, tmp_path):
    """Files of the same names are replaced one by one: a run that was killed in between leaves neither set."""
    folder = tmp_path / "set"
    shutil.copytree(finished / "set", folder)
    other = tmp_path / "other"
    other.mkdir()
    extract(veery, recordings, other, "--files", 2, "--set", "frame.hop=200")
    shutil.copy(other / "f-00001-of-00002.h5", folder)
    words = "a run that was to replace the set may have been stopped: give its command again"
    assert words in veery("inspect", folder / "f.index.json", status=1).stderr
    import veery as package

    with pytest.raises(package.FeatureFileError, match=words):
        package.open(folder / "f.index.json")


def test_files_of_a_set_whose_index_was_deleted_are_kept(recordings, program, killer, veery, finished, tmp_path):
    """A run that was to replace the set was killed before it did; then its user took the index away, and made another set."""
    folder = tmp_path / "set"
    shutil.copytree(finished / "set", folder)
    command = ["extract", recordings / "m.csv", "-o", folder / "f.h5", "--files", 3]
    at = 0
    while not (folder / "f.index.json.replaced").exists():
        at += 1
        assert killed(program, killer, folder, at, [*command, "--overwrite"]), at
    members = {name: digest(folder / name) for name in os.listdir(folder) if "-of-00002" in name}
    assert len(members) == 2
    (folder / "f.index.json").unlink()
    veery(*command, status=3)
    assert {name: digest(folder / name) for name in os.listdir(folder) if "-of-00002" in name} == members
    assert not (folder / "f.index.json.replaced").exists()


SWAPPED = """
// Preloaded: before the folder FOLDER is synced to the disk, which fails, another process gives the name NAME in it to OTHER.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int fsync(int file) {
    struct stat status, folder, name, other;
    if (fstat(file, &status) == 0 && stat(getenv("FOLDER"), &folder) == 0 && status.st_ino == folder.st_ino
        && stat(getenv("NAME"), &name) == 0 && stat(getenv("OTHER"), &other) == 0) {
        char away[4096];
        snprintf(away, sizeof away, "%s.away", getenv("NAME"));
        rename(getenv("NAME"), away);
        rename(getenv("OTHER"), getenv("NAME"));
        errno = EIO;
        return -1;
    }
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}
"""


@pytest.mark.parametrize("kind", ["file", "export"])
def test_the_name_of_another_is_not_taken_back(recordings, program, veery, finished, tmp_path, kind):
    """The rename fails, and meanwhile somebody has given the name to another file."""
    if not sys.platform.startswith("linux") or shutil.which("cc") is None:
        pytest.skip("NO LINUX, OR NO cc: a name that two want is not tested")
    (tmp_path / "swapped.c").write_text(SWAPPED)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "swapped.so", tmp_path / "swapped.c", "-ldl"], check=True)
    folder, other = tmp_path / "folder", tmp_path / "other"
    folder.mkdir()
    if kind == "file":
        name, theirs = folder / "f.h5", folder / "f.h5"
        other.write_text("somebody's")
        command = ["extract", recordings / "m.csv", "-o", name]
    else:
        name, theirs = folder / "e", folder / "e/mine"
        other.mkdir()
        (other / "mine").write_text("somebody's")
        command = ["export", finished / "file/f.h5", "--to", "npy", "-o", name]
    environment = dict(os.environ, LD_PRELOAD=str(tmp_path / "swapped.so"), FOLDER=str(folder), NAME=str(name), OTHER=str(other))
    result = subprocess.run([program, *map(str, command)], env=environment, capture_output=True, text=True, timeout=300)
    assert result.returncode == 75, result.stderr
    assert theirs.read_text() == "somebody's"
