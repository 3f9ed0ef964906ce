"""The order of the calls that decide what a power cut leaves on the disk, as `durability.c` logs them.

The tests compare the order of calls, not their times, so that they pass on a slow machine.
"""

import collections
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "Torture"))
sys.path.insert(0, str(Path(__file__).parents[1] / "Benchmarks"))
import preload
from conftest import noise, write_manifest, write_wav
from spool_records import kept_clips

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or shutil.which("cc") is None,
    reason="NO LINUX, OR NO cc: what is synced to the disk, and in which order, is not tested")

CLIPS = 90
Call = collections.namedtuple("Call", "time name path other")
# The clips are so small that workers gather them in memory and write several at once, 200 ms after the first at the latest.
SETTINGS = ["--set", "transform.bins=8", "--set", "normalize.fit=train"]


@pytest.fixture(scope="module")
def shim():
    with preload.built(Path(__file__).with_name("durability.c")) as library:
        yield library


@pytest.fixture(scope="module")
def manifests(tmp_path_factory):
    """A manifest, and a shorter one of its first clips."""
    folder = tmp_path_factory.mktemp("durability")
    for i in range(6):
        write_wav(folder / f"{i}.wav", 16000, noise(i, 8000))
    rows = [{"path": f"{i % 6}.wav", "id": f"clip-{i}", "label": "ab"[i % 2], "split": "train"} for i in range(CLIPS)]
    rows[7]["path"] = "missing.wav"
    return write_manifest(folder / "m.csv", rows), write_manifest(folder / "short.csv", rows[:CLIPS // 3])


def arguments(manifest, output, *options):
    return ["extract", manifest, "-o", output, "--max-failures", "100%", "--quiet", *SETTINGS, *options]


def watched(program, shim, log, command, slow=None, fail=None, status=0):
    """Runs the program under the shim; returns its calls in their order, and its standard error."""
    environment = dict(os.environ, LD_PRELOAD=str(shim), DURABILITY_LOG=str(log))
    if slow:
        environment["DURABILITY_SLOW"] = str(slow)
    if fail:
        environment["DURABILITY_FAIL"] = fail
    result = subprocess.run(
        [program, *map(str, command)], env=environment, capture_output=True, text=True, timeout=120)
    assert result.returncode == status, f"status {result.returncode}: {result.stderr}"
    calls = [Call(int(time), *rest) for time, *rest in (line.split("\t") for line in log.read_text().splitlines())]
    assert calls, "the shim has seen nothing: is the program linked statically?"
    return calls, result.stderr


def indices(calls, name, path, other=None):
    """Indices of the calls that have this name, this path and, if `other` is given, this new path."""
    return [
        i for i, call in enumerate(calls)
        if call.name == name and Path(call.path) == Path(path) and (other is None or Path(call.other) == Path(other))]


def renames(calls, path):
    """The renames to this path: the index of each call, and the name that the file had before."""
    return [
        (i, call.path) for i, call in enumerate(calls) if call.name == "rename" and Path(call.other) == Path(path)]


def clips_files(calls):
    return sorted({call.path for call in calls if Path(call.path).name.startswith("clips-")})


def is_synced_between(calls, folder, first, last):
    return any(first < i < last for i in indices(calls, "fsync", folder))


@pytest.mark.parametrize("case", ["plain", "in place", "scratch", "deflate", "fixed", "overwrite", "append", "fresh", "resumed"])
def test_a_power_cut_leaves_the_old_file_or_the_new_one(program, veery, shim, manifests, tmp_path, case):
    output = tmp_path / "out" / "f.h5"
    spool = tmp_path / "out" / "f.h5.spool"
    output.parent.mkdir()
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    manifest, short = manifests
    options = {
        "scratch": ["--scratch", scratch], "deflate": ["--set", "store.compression=deflate"],
        "fixed": ["--set", "store.layout=fixed", "--set", "audio.duration=0.3"], "overwrite": ["--overwrite"],
        "append": ["--append"], "fresh": ["--fresh"], "in place": ["--set", "normalize.scope=none"],
    }.get(case, [])
    if case == "overwrite":
        veery(*arguments(manifest, output, "--set", "scale.kind=db"))
    elif case == "append":
        veery(*arguments(short, output))
    elif case in ("fresh", "resumed"):
        watched(program, shim, tmp_path / "first", arguments(manifest, output), fail="fsync features.h5", status=75)
        assert list(spool.glob("clips-*"))
    calls, _ = watched(program, shim, tmp_path / "log", arguments(manifest, output, *options, "--jobs", 2))

    # run.json, which says what run the clips belong to, is on the disk before any clip: clips without it are never used.
    files = clips_files(calls)
    assert files
    home = Path(files[0]).parent
    first_clip = min(i for file in files for i in indices(calls, "write", file)) if case != "resumed" else None
    identity = home / "run.json"
    if case == "resumed":
        assert not renames(calls, identity), "run.json exists already"
        assert sum(len(indices(calls, "write", file)) for file in files) == 1, "only the clip whose recording is missing is tried again"
    else:
        (written, part), = renames(calls, identity)
        assert indices(calls, "write", part)[0] < indices(calls, "fsync", part)[0] < written
        assert is_synced_between(calls, home, written, first_clip), "the name run.json is on the disk before any clip"
    if case == "scratch":
        assert home != spool
        (pointed, part), = renames(calls, spool / "elsewhere")
        assert any(i < pointed for i in indices(calls, "fsync", part))
        assert is_synced_between(calls, spool, pointed, first_clip)
    if case == "fresh":
        thrown = [i for file in files for i in indices(calls, "unlink", file)]
        assert indices(calls, "unlink", identity)[0] < min(thrown), "run.json is deleted before the first clips"

    # The whole file is synced before it is renamed to its final name, and that name is synced before the clips are deleted.
    # "In place", rows are written to the file that becomes the feature file.
    in_progress = spool / ("rows" if case == "in place" else "features.h5")
    named, = indices(calls, "rename", in_progress, output)
    changes = [i for name in ("write", "ftruncate") for i in indices(calls, name, in_progress) if i < named]
    assert changes
    assert any(
        changes[-1] < i < named for name in ("fsync", "fdatasync") for i in indices(calls, name, in_progress))
    deleted = [i for file in files for i in indices(calls, "unlink", file) if i > named]
    assert deleted
    assert is_synced_between(calls, output.parent, named, min(deleted))
    assert not [call for call in calls if Path(call.path) == output], "nothing else is done to the final name"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("jobs, options", [(1, []), (2, []), (1, ["--set", "normalize.scope=none"])])
def test_clips_are_synced_to_the_disk(program, shim, manifests, tmp_path, jobs, options):
    """A thread syncs them once a second. If a file has not been synced for two seconds, its writer syncs it at the next write.

    90 reads of at least 45 ms take one worker at least 4 s, and two workers 2 s.
    """
    calls, _ = watched(
        program, shim, tmp_path / "log", arguments(manifests[0], tmp_path / "f.h5", "--jobs", jobs, *options), slow=45)
    files = clips_files(calls)
    assert len(files) == jobs
    writes = [call.time for call in calls if call.path in files and call.name == "write"]
    assert len(writes) > 8, "no clip stays in memory until there are many"
    if options:
        rows = tmp_path / "f.h5.spool" / "rows"
        assert len(indices(calls, "fdatasync", rows)) >= 3
    synced = 0
    for file in files:
        own = [call for call in calls if call.path == file and call.name in ("create", "ftruncate", "write", "fdatasync")]
        last = own[0].time
        for call, following in zip(own, own[1:]):
            if call.name == "fdatasync":
                last = call.time
                synced += 1
            elif call.name == "write" and call.time - last >= 2e9:
                assert following.name == "fdatasync", f"{file}: two seconds after the last sync, another clip was written"
    assert synced >= (3 if jobs == 1 else 1)


@pytest.mark.parametrize("options", [[], ["--set", "normalize.scope=none"]], ids=["spool", "in place"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_clips_in_memory_are_written_at_a_signal(program, veery, shim, manifests, tmp_path, number, options):
    """Small clips are written together. The signal arrives while some are finished, but not yet written."""
    output, expected, log = tmp_path / "f.h5", tmp_path / "expected.h5", tmp_path / "log"
    veery(*arguments(manifests[0], expected, *options))
    command = [x for x in arguments(manifests[0], output, "--jobs", 2, *options) if x != "--quiet"]
    process = subprocess.Popen(
        [program, *map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=dict(os.environ, LD_PRELOAD=str(shim), DURABILITY_LOG=str(log), DURABILITY_SLOW="25"))

    def calls():
        """Number of recordings read so far, and of those read since clips were last written."""
        # The last line may be written at this moment.
        whole = log.read_text().rpartition("\n")[0] if log.exists() else ""
        found = [line.split("\t")[1:3] for line in whole.splitlines()]
        read = [i for i, (name, _) in enumerate(found) if name == "read"]
        written = [i for i, (name, path) in enumerate(found) if name == "write" and ".spool/clips-" in path]
        return len(read), len([i for i in read if i > max(written, default=-1)])

    # Two workers each read a recording every 25 ms.
    while process.poll() is None and not (calls()[0] >= 20 and calls()[1] >= 6):
        time.sleep(0.005)
    process.send_signal(number)
    assert process.wait(60) == (-number if number == signal.SIGKILL else 128 + number), "the program ended before the signal"
    read, _ = calls()
    kept = len(kept_clips([tmp_path / "f.h5.spool"]))
    # Each of two workers has a clip that is not finished.
    assert kept >= read - 2 if number != signal.SIGKILL else 0 < kept
    result = veery(*command)
    assert f"resuming an interrupted run: {kept} of {CLIPS} clips are done" in result.stderr
    assert output.read_bytes() == expected.read_bytes()


@pytest.fixture(scope="module")
def with_a_long_one(tmp_path_factory):
    """A manifest of 40 clips, each of a recording of its own: all small but one, which is long."""
    folder = tmp_path_factory.mktemp("long")
    rows = []
    for i in range(40):
        write_wav(folder / f"{i}.wav", 16000, noise(i, 160 * 16000 if i == 20 else 8000))
        rows.append({"path": f"{i}.wav", "id": f"clip-{i}", "split": "train"})
    return write_manifest(folder / "m.csv", rows)


@pytest.mark.parametrize("options", [[], ["--set", "normalize.scope=none"]], ids=["spool", "in place"])
def test_small_clips_do_not_wait_for_a_long_one(program, shim, with_a_long_one, tmp_path, options):
    """The small clips before the long one are written while it is being read, although the buffer has space for more clips. The long
    clip's own rows do not cause that write: they are less than 1 MiB, and written at its end."""
    calls, _ = watched(
        program, shim, tmp_path / "log", arguments(with_a_long_one, tmp_path / "f.h5", "--jobs", 1, *options), slow=20)
    long = indices(calls, "read", with_a_long_one.with_name("20.wav"))
    before = indices(calls, "read", with_a_long_one.with_name("19.wav"))[-1]
    file, = clips_files(calls)
    written = indices(calls, "write", file)
    # The long recording takes 40 reads of 20 ms; a finished clip may wait for 10 of them.
    assert len(long) >= 40 and any(before < i < long[-1] for i in written)
    if options:
        rows = indices(calls, "write", tmp_path / "f.h5.spool" / "rows")
        assert any(before < i < min(j for j in written if j > before) for i in rows), "rows are written before their records"


@pytest.mark.parametrize("options", [[], ["--set", "normalize.scope=none"]], ids=["spool", "in place"])
def test_a_small_recording_takes_few_calls(program, shim, with_a_long_one, tmp_path, options):
    """One `stat`, one `open` and one `read` for each."""
    calls, _ = watched(program, shim, tmp_path / "log", arguments(with_a_long_one, tmp_path / "f.h5", "--jobs", 2, *options))
    for i in range(40):
        own = collections.Counter(
            call.name for call in calls if Path(call.path) == with_a_long_one.with_name(f"{i}.wav"))
        # Before the long recording, a worker may open those that follow it once more, to learn their lengths.
        assert own["open"] == 1 or own["open"] == 2 and 20 < i < 40, f"{i}: {own}"
        if i < 20:
            assert own == {"stat": 1, "open": 1, "read": 1} or own == {"open": 1, "read": 1}, f"{i}: {own}"


def test_the_name_of_a_new_file_of_clips_is_synced(program, shim, manifests, tmp_path):
    spool = tmp_path / "f.h5.spool"
    calls, _ = watched(
        program, shim, tmp_path / "log", arguments(manifests[0], tmp_path / "f.h5", "--jobs", 2), slow=45)
    for file in clips_files(calls):
        created = indices(calls, "create", file)[0]
        synced = indices(calls, "fdatasync", file)[0]
        following = [i for i in indices(calls, "write", file) if i > synced]
        assert is_synced_between(calls, spool, created, following[0] if following else len(calls)), (
            f"{file}: its clips are synced, but not its name in the folder")


@pytest.mark.parametrize("case", ["next to the output", "scratch"])
def test_the_name_of_a_new_folder_of_clips_is_synced(program, shim, manifests, tmp_path, case):
    output = tmp_path / "out" / "f.h5"
    scratch = tmp_path / "scratch"
    output.parent.mkdir()
    scratch.mkdir()
    options = ["--scratch", scratch] if case == "scratch" else []
    calls, _ = watched(
        program, shim, tmp_path / "log", arguments(manifests[0], output, "--jobs", 1, *options), slow=20)
    synced = indices(calls, "fdatasync", clips_files(calls)[0])[0]
    made = {Path(call.path): i for i, call in enumerate(calls) if call.name == "mkdir"}
    assert len(made) == 1 + len(options) // 2
    for folder, index in made.items():
        assert is_synced_between(calls, folder.parent, index, synced), (
            f"{folder}: its clips are synced, but not its own name")


PLAIN = ["--set", "normalize.scope=none"]


@pytest.mark.parametrize("fail, kept, options", [
    ("fsync features.h5", CLIPS, []), ("fdatasync .spool", 1, []), ("write .spool", 0, []),
    ("fdatasync rows", 1, PLAIN), ("write rows", 0, PLAIN), ("rename rows", CLIPS, PLAIN)])
def test_no_clip_is_lost_when_the_disk_fails(program, veery, shim, manifests, tmp_path, fail, kept, options):
    output, expected = tmp_path / "f.h5", tmp_path / "expected.h5"
    veery(*arguments(manifests[0], expected, *options))
    older = b""
    if kept == CLIPS:
        veery(*arguments(manifests[1], output, *options))
        older = output.read_bytes()
    calls, said = watched(
        program, shim, tmp_path / "log", arguments(manifests[0], output, "--jobs", 1, "--overwrite", *options),
        slow=45 if "fdatasync" in fail else None, fail=fail, status=75)
    assert "Input/output error" in said and str(tmp_path) in said
    assert (output.read_bytes() if output.exists() else b"") == older, "the file of the final name is unchanged"
    if kept:
        assert "give the same command again" in said
        result = veery(*(x for x in arguments(manifests[0], output, "--overwrite", *options) if x != "--quiet"))
        assert "resuming an interrupted run" in result.stderr
    else:
        veery(*arguments(manifests[0], output, "--overwrite", *options))
    assert output.read_bytes() == expected.read_bytes()


def test_a_failing_disk_is_reported_at_once(program, shim, manifests, tmp_path):
    """The run stops at the first error, not when all clips are done, which may be hours later."""
    calls, _ = watched(
        program, shim, tmp_path / "log", arguments(manifests[0], tmp_path / "f.h5", "--jobs", 1, *PLAIN), slow=45,
        fail="fdatasync rows", status=75)
    records = indices(calls, "write", tmp_path / "f.h5.spool" / "clips-0.spool")
    assert len(records) < 5


def test_a_recording_that_could_not_be_opened_is_tried_again(program, veery, shim, manifests, tmp_path):
    """A recording is not at fault for an error of the disk: it is not a failed clip, and the file is that of an uninterrupted run."""
    output, expected = tmp_path / "f.h5", tmp_path / "expected.h5"
    veery(*arguments(manifests[0], expected))
    watched(
        program, shim, tmp_path / "log", arguments(manifests[0], output), fail="open 3.wav,fsync features.h5", status=75)
    veery(*arguments(manifests[0], output))
    assert output.read_bytes() == expected.read_bytes()
