"""A disk that refuses one call: the command ends with 75, says so, and leaves nothing that looks complete.

The calls fail in `durability.c`, which is preloaded. Of `filter` every call that changes the output fails once; of the other
commands one of each kind. `make torture` lets every call of every command fail.
"""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

sys.path.insert(0, str(Path(__file__).parents[1] / "Benchmarks"))
import preload
from conftest import noise, write_manifest, write_wav
from recordings import digest

pytestmark = [pytest.mark.long, pytest.mark.promised, pytest.mark.skipif(
    not sys.platform.startswith("linux") or shutil.which("cc") is None,
    reason="NO LINUX, OR NO cc: what a failing disk leads to is not tested")]

TRY_AGAIN = 75
WORDS = {
    errno.EIO: "Input/output error (the disk, or the connection to it, is failing",
    errno.ENOSPC: "No space left on device (delete something on that disk, or write to another one)",
    errno.EDQUOT: "Disk quota exceeded (delete files of yours on that disk",
    errno.EROFS: "Read-only file system (write to another disk",
}
# Names of Swift, which no message may show.
INSIDES = ["Error(", "SystemError", "AtomicFile", "NSError", "Fatal error"]


@pytest.fixture(scope="module")
def shim():
    with preload.built(Path(__file__).with_name("durability.c")) as library:
        yield library


@pytest.fixture(scope="module")
def run(program, shim):
    """Runs the program while calls fail: `fail` as `durability.c` reads it."""

    def run(*command, fail="", error=errno.EIO, log=None, folder=None, output=subprocess.PIPE):
        environment = dict(os.environ, LD_PRELOAD=str(shim), LC_ALL="C", DURABILITY_FAIL=fail, DURABILITY_ERROR=str(error))
        if log:
            environment["DURABILITY_LOG"] = str(log)
        result = subprocess.run(
            [program, *map(str, command)], env=environment, cwd=folder, stdout=output, stderr=subprocess.PIPE, text=True,
            timeout=120)
        assert result.returncode >= 0, result
        assert not [name for name in INSIDES if name in result.stderr], result.stderr
        return result

    return run


@pytest.fixture(scope="module")
def data(veery, tmp_path_factory):
    """Recordings, a manifest, annotations, a configuration and a feature file."""
    folder = tmp_path_factory.mktemp("disk")
    rows = []
    for number in range(4):
        write_wav(folder / f"{number}.wav", 16000, noise(number, 8000))
        rows.append({"path": f"{number}.wav", "id": f"clip-{number}", "label": "ab"[number % 2], "split": "train"})
    write_manifest(folder / "m.csv", rows)
    (folder / "marks.csv").write_text("path,start,end,label\n0.wav,0.1,0.3,a\n1.wav,0.1,0.3,b\n")
    (folder / "c.yaml").write_text("version: 1\nextends: log-mel\n")
    veery("extract", "m.csv", "-o", "f.h5", "--quiet", folder=folder)
    return folder


def expect_fault(result, error):
    assert result.returncode == TRY_AGAIN, (result.returncode, result.stderr)
    assert WORDS[error] in result.stderr, result.stderr


# MARK: - veery filter

FORMATS = ["wav", "rf64", "w64", "aiff", "au", "caf", "flac", "ogg", "opus", "mp3"]


@pytest.mark.parametrize("name", FORMATS)
def test_a_filter_is_done_only_if_every_call_was(run, veery, tmp_path, name):
    rate = 48000
    soundfile.write(tmp_path / "in.wav", noise(1, 20000), rate, subtype="PCM_16")
    output, log = tmp_path / f"out.{name}", tmp_path / "log"
    command = ["filter", tmp_path / "in.wav", output, "--band-pass", "300-3400", "--overwrite", "--quiet"]
    first = run(*command, log=log)
    if first.returncode == 64 and name in first.stderr:
        pytest.skip(f"THIS libsndfile WRITES NO .{name}")
    assert first.returncode == 0, first.stderr
    expected = output.read_bytes()
    calls = [line.split("\t")[1] for line in log.read_text().splitlines() if ".partial" in line]
    counts = {call: calls.count(call) for call in ("write", "fsync", "rename")}
    assert counts["write"] >= 1 and counts["fsync"] == counts["rename"] == 1
    output.write_bytes(b"")
    errors = [errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS]
    failures = [f"{number}:{call}" for call, count in counts.items() for number in range(1, count + 1)]
    # Once; every write; every close, of which the first are those of reading the file back.
    for index, failure in enumerate([*failures, "write", "close"]):
        error = errors[index % len(errors)]
        result = run(*command, fail=f"{failure} .partial", error=error)
        expect_fault(result, error)
        assert str(output) in result.stderr
        assert output.read_bytes() == b"" and len(list(tmp_path.iterdir())) == 3, failure
    veery(*command)
    # In Ogg, libsndfile gives each stream a random serial number.
    assert output.read_bytes() == expected or name in ("ogg", "opus") and len(output.read_bytes()) == len(expected)


def test_long_files_too(run, tmp_path):
    """A call in the middle: with long files, libsndfile writes its buffer several times."""
    soundfile.write(tmp_path / "in.wav", np.stack([noise(1, 400_000)] * 2, axis=1), 48000, subtype="PCM_24")
    for name in ("wav", "flac", "ogg"):
        log = tmp_path / f"{name}.log"
        command = ["filter", tmp_path / "in.wav", tmp_path / f"out.{name}", "--band-pass", "300-3400", "--quiet"]
        assert run(*command, log=log).returncode == 0
        writes = sum("\twrite\t" in line and ".partial" in line for line in log.read_text().splitlines())
        (tmp_path / f"out.{name}").unlink()
        for number in {1, max(writes // 2, 1), writes}:
            expect_fault(run(*command, fail=f"{number}:write .partial", error=errno.ENOSPC), errno.ENOSPC)
            assert not (tmp_path / f"out.{name}").exists()


def test_a_recording_that_cannot_be_read_is_its_own_failure(run, data, tmp_path):
    result = run("filter", data / "0.wav", tmp_path / "o.wav", "--band-pass", "300-3400", fail="read 0.wav")
    assert result.returncode == 1 and "Input/output error" in result.stderr, result
    result = run("extract", data / "m.csv", "-o", tmp_path / "f.h5", "--quiet", fail="read 2.wav")
    assert result.returncode == 3 and (tmp_path / "f.h5").exists(), result
    assert not (tmp_path / "o.wav").exists()


# MARK: - what is written

def outputs(data, folder):
    """A command for every kind of output, and the end of the path of the file whose calls fail."""
    live = ["live", "--file", data / "0.wav", "--speed", "1000", "--quiet", "--record"]
    return {
        "crawl": (["crawl", data, "-o", folder / "m.csv"], ".partial"),
        "split": (["split", data / "m.csv", "-o", folder / "m.csv", "--ratio", "train=0.5,test=0.5"], ".partial"),
        "clips": (["clips", data / "m.csv", "--annotations", data / "marks.csv", "-o", folder / "m.csv"], ".partial"),
        "golden": (["presets", "log-mel", "--golden", folder / "golden"], ".partial"),
        "render": (["render", data / "0.wav", "-o", folder / "p.png"], ".partial"),
        "sheet": (["render", data / "f.h5", "--sheet", "-o", folder / "p.png"], ".partial"),
        "bank": (["render", "--filter-bank", "whisper", "-o", folder / "p.svg"], ".partial"),
        "html": (["inspect", data / "f.h5", "--html", folder / "p.html"], ".partial"),
        "plots": (["inspect", data / "f.h5", "--plots", folder / "plots"], ".partial"),
        "export": (["export", data / "f.h5", "--to", "npy", "-o", folder / "e"], ".npy"),
        "live": ([*live, folder / "f.h5"], ".spool"),
        "extract": (["extract", data / "m.csv", "-o", folder / "f.h5", "--quiet"], ".spool"),
        "identity": (["extract", data / "m.csv", "-o", folder / "f.h5", "--quiet"], ".partial"),
        "shard": (["extract", data / "m.csv", "-o", folder / "f.h5", "--quiet", "--shard", "1/2"], ".spool"),
    }


OUTPUTS = list(outputs(Path(), Path()))


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_write_that_fails_is_75(run, data, tmp_path, name):
    command, file = outputs(data, tmp_path)[name]
    errors = [errno.EIO, errno.ENOSPC, errno.EDQUOT]
    seen = 0
    for index, call in enumerate(["write", "fsync", "close", "rename"]):
        if file in (".spool", ".npy") and call != "write":
            continue
        folder = tmp_path / str(index)
        folder.mkdir()
        command, file = outputs(data, folder)[name]
        error = errors[index % len(errors)]
        result = run(*command, fail=f"{call} {file}", error=error, log=folder / "log")
        if result.returncode == 0 and call == "rename":
            # A hard link gave the name.
            continue
        expect_fault(result, error)
        seen += 1
    assert seen >= 1


@pytest.mark.parametrize("case", ["open", "mkdir", "probe", "folder", "golden"])
def test_other_calls_that_fail_are_75(run, data, tmp_path, case):
    features, export = tmp_path / "f.h5", tmp_path / "e"
    command, fail, error = {
        "open": (["crawl", data, "-o", tmp_path / "m.csv"], "open .partial", errno.EROFS),
        "mkdir": (["extract", data / "m.csv", "-o", features], "mkdir f.h5.spool", errno.EROFS),
        "probe": (["extract", data / "m.csv", "-o", features], "open .probe", errno.EROFS),
        "folder": (["export", data / "f.h5", "--to", "npy", "-o", export], f"fsync {tmp_path.name}/", errno.EIO),
        "golden": (["presets", "log-mel", "--golden", tmp_path / "g/h"], "mkdir g/h", errno.EDQUOT),
    }[case]
    expect_fault(run(*command, fail=fail, error=error), error)


def test_a_long_path_does_not_hide_the_error_of_the_system(run, data, tmp_path):
    """libhdf5's message has the path before the error."""
    folder = tmp_path / ("x" * 120) / ("y" * 120)
    folder.mkdir(parents=True)
    for fail in ("write features.h5", "open features.h5"):
        expect_fault(run("extract", data / "m.csv", "-o", folder / "f.h5", "--quiet", fail=fail), errno.EIO)


def test_a_folder_that_cannot_be_synchronized_is_not_a_failure(run, data, tmp_path):
    """Some file systems do not support fsync of folders."""
    for number, error in enumerate([errno.EINVAL, errno.ENOTSUP]):
        for command in (["export", data / "f.h5", "--to", "npy", "-o", tmp_path / f"e{number}"],
                        ["extract", data / "m.csv", "-o", tmp_path / f"{number}.h5", "--quiet"]):
            result = run(*command, fail=f"fsync {tmp_path.name}/", error=error)
            assert result.returncode == 0, result.stderr


def test_an_older_run_that_cannot_be_deleted_does_not_count(run, veery, data, tmp_path):
    """The run stops: the older run's clips would be taken for those of the new one."""
    output = tmp_path / "f.h5"
    command = ["extract", data / "m.csv", "-o", output, "--quiet"]
    assert run(*command, fail="fsync features.h5").returncode == TRY_AGAIN
    result = run(*command, "--fresh", fail="unlink clips-0.spool")
    expect_fault(result, errno.EIO)
    assert not output.exists()
    veery(*command, "--fresh")
    assert digest(output) == digest(data / "f.h5")


def test_the_shards_are_kept_until_the_index_of_a_set_has_its_name(run, veery, data, tmp_path):
    """Otherwise a power cut could undo the rename when the shards are already deleted."""
    command = ["extract", data / "m.csv", "-o", tmp_path / "f.h5", "--quiet"]
    for task in ("--shard", "1/2"), ("--shard", "2/2"), ("--file", "1/2"):
        veery(*command, *task)
    # The name of the file, and then that of the index.
    result = run(*command, "--file", "2/2", fail=f"2:fsync {tmp_path.name}/")
    expect_fault(result, errno.EIO)
    assert (tmp_path / "f.index.json").exists() and len(os.listdir(tmp_path / "f.h5.shards")) == 2
    veery(*command, "--file", "2/2")
    assert not (tmp_path / "f.h5.shards").exists()


def test_a_shard_that_is_gone_while_a_run_reads_it(run, veery, data, tmp_path):
    """A task that completes a shard deletes the attempts at it, whose clips the run may be about to use."""
    command = ["extract", data / "m.csv", "-o", tmp_path / "f.h5", "--quiet", "--jobs", 1]
    for task in ("--shard", "1/2"), ("--shard", "2/2"):
        veery(*command, *task)
    whole = shutil.copytree(tmp_path / "f.h5.shards", tmp_path / "whole")
    seen = 0
    for file in "run.json", "clips-0.spool", "clips-0.summary":
        for number in range(1, 9):
            result = run(*command, fail=f"{number}:open {file}", error=errno.ENOENT)
            # What is gone before the run looks at it is computed by the run itself.
            assert result.returncode in (0, TRY_AGAIN), (file, number, result.stderr)
            if result.returncode == TRY_AGAIN:
                assert "give the same command again" in result.stderr, result.stderr
                seen += 1
                assert run(*command).returncode == 0
            assert digest(tmp_path / "f.h5") == digest(data / "f.h5")
            (tmp_path / "f.h5").unlink()
            shutil.rmtree(tmp_path / "f.h5.shards", ignore_errors=True)
            shutil.copytree(whole, tmp_path / "f.h5.shards")
    assert seen > 1


def test_an_attempt_that_is_gone_while_its_clips_are_copied(run, veery, data, tmp_path):
    """Clips that cannot be read from it are computed again."""
    command = ["extract", data / "m.csv", "-o", tmp_path / "f.h5", "--quiet", "--jobs", 1]
    shards = tmp_path / "f.h5.shards"
    veery(*command, "--shard", "1/1")
    whole = shutil.move(shards, tmp_path / "whole")
    for number in range(1, 9):
        shutil.copytree(whole / "00001-of-00001", shards / "00001-of-00001.other-1-abc")
        result = run(*command, "--shard", "1/1", fail=f"{number}:open .other-1-abc/clips-0.spool", error=errno.ENOENT)
        assert result.returncode == 0, (number, result.stderr)
        veery(*command)
        assert digest(tmp_path / "f.h5") == digest(data / "f.h5")
        (tmp_path / "f.h5").unlink()


def test_a_shard_whose_name_the_disk_does_not_take_is_75(run, data, tmp_path):
    command = ["extract", data / "m.csv", "-o", tmp_path / "f.h5", "--quiet", "--shard", "1/2"]
    # The name of the attempt, and then that of the shard.
    expect_fault(run(*command, fail="2:fsync f.h5.shards/"), errno.EIO)
    assert run(*command).returncode == 0


def test_an_error_of_the_disk_while_rows_are_still_written_is_not_forgotten(run, data, tmp_path):
    """The system reports it once, to the first call that can."""
    command = ["extract", data / "m.csv", "-o", tmp_path / "f.h5", "--quiet", "--jobs", 1, "--set", "frame.hop=1",
               "--set", "store.compression=deflate"]
    log = tmp_path / "log"
    assert run(*command, log=log).returncode == 0
    if not any("\tfdatasync\t" in line and "features.h5" in line for line in log.read_text().splitlines()):
        pytest.skip("THE ROWS WERE WRITTEN BEFORE THE DISK WAS ASKED: an error in between is not tested")
    (tmp_path / "f.h5").unlink()
    expect_fault(run(*command, fail="1:fdatasync features.h5"), errno.EIO)
    assert not (tmp_path / "f.h5").exists()


@pytest.mark.parametrize("call", ["list f.h5.shards", "list 00001-of-00001", "unlink clips-0.spool", "rmdir 00001-of-00001"])
def test_shards_that_cannot_be_deleted_are_named(run, veery, data, tmp_path, call):
    command = ["extract", data / "m.csv", "-o", tmp_path / "f.h5", "--quiet", "--jobs", 1]
    shards = tmp_path / "f.h5.shards"
    veery(*command)
    veery(*command[:2], "-o", tmp_path / "g.h5", "--quiet", "--jobs", 1, "--shard", "1/1")
    for number in range(1, 12):
        shutil.copytree(tmp_path / "g.h5.shards", shards, dirs_exist_ok=True)
        result = run(*[word for word in command if word != "--quiet"], fail=f"{number}:{call}")
        assert result.returncode in (0, TRY_AGAIN), (number, result.stderr)
        assert digest(tmp_path / "f.h5") == digest(data / "f.h5")
        if result.returncode == 0 and shards.exists():
            assert "could not be deleted: " in result.stderr and str(shards) in result.stderr, (number, result.stderr)
            assert "Input/output error" in result.stderr, (number, result.stderr)


def test_a_file_of_a_replaced_set_that_cannot_be_deleted(run, veery, data, tmp_path):
    """The next run tries again."""
    command = ["extract", data / "m.csv", "-o", tmp_path / "f.h5", "--quiet", "--files"]
    veery(*command, 3)
    assert run(*command, 2, "--overwrite", fail="unlink f-00002-of-00003.h5").returncode == 0
    assert (tmp_path / "f-00002-of-00003.h5").exists() and not (tmp_path / "f-00003-of-00003.h5").exists()
    veery(*command, 2)
    assert sorted(os.listdir(tmp_path)) == ["f-00001-of-00002.h5", "f-00002-of-00002.h5", "f.index.json"]


@pytest.mark.parametrize("name", ["wav", "aiff", "caf", "w64", "flac"])
def test_writes_of_sound_that_the_disk_loses_without_an_error(run, tmp_path, name):
    soundfile.write(tmp_path / "in.wav", noise(1, 600_000), 48000, subtype="PCM_16")
    output, log = tmp_path / f"out.{name}", tmp_path / "log"
    command = ["filter", tmp_path / "in.wav", output, "--band-pass", "300-3400", "--overwrite", "--quiet"]
    assert run(*command, log=log).returncode == 0
    expected = output.read_bytes()
    count = sum(line.split("\t")[1] == "write" and ".partial" in line for line in log.read_text().splitlines())
    # The header is written first and last, and samples in between.
    assert count >= 3
    output.write_bytes(b"")
    for number in range(1, count + 1):
        result = run(*command, fail=f"{number}:write .partial", error=0)
        if result.returncode == 0:
            assert output.read_bytes() == expected, number
            output.write_bytes(b"")
        else:
            assert result.returncode == TRY_AGAIN and output.read_bytes() == b"", (number, result.stderr)


def test_an_export_is_on_the_disk_before_it_has_its_name(run, data, tmp_path):
    log = tmp_path / "log"
    folder = tmp_path / "out"
    folder.mkdir()
    assert run("export", data / "f.h5", "--to", "npy", "-o", folder / "e", log=log).returncode == 0
    calls = [line.split("\t")[1:] for line in log.read_text().splitlines()]
    named = next(index for index, call in enumerate(calls) if call[0] == "rename" and call[2] == str(folder / "e"))
    synchronized = [index for index, call in enumerate(calls) if call[0] == "fsync"]
    # The names in it, and then its own.
    assert any(index < named and calls[index][1] == calls[named][1] for index in synchronized), calls
    assert any(index > named and calls[index][1] == str(folder) for index in synchronized), calls
    for path in (folder / "e").iterdir():
        assert any(call[0] in ("fsync", "fdatasync") and call[1].endswith(f"/{path.name}") for call in calls[:named]), path


@pytest.mark.parametrize("options", [
    [], ["--set", "store.compression=deflate"], ["--set", "normalize.scope=none"], ["--files", 2],
    ["--set", "normalize.scope=none", "--files", 2]], ids=str)
def test_writes_that_the_disk_loses_without_an_error(run, data, tmp_path, options):
    """Each in turn: the output has the bytes of a run that lost nothing, or the status is 75."""
    command = ["extract", data / "m.csv", "-o", "f.h5", "--quiet", "--jobs", 1, *options]

    def contents(folder):
        return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}

    whole = tmp_path / "whole"
    whole.mkdir()
    log = tmp_path / "log"
    assert run(*command, folder=whole, log=log).returncode == 0
    names = [line.split("\t")[2] for line in log.read_text().splitlines() if line.split("\t")[1] == "write"]
    noticed = 0
    for file in ("features.h5", "rows"):
        count = sum(name.endswith(f"/{file}") for name in names)
        # The first, the last, and some between.
        for number in {*range(1, 6), *range(6, count - 4, 5), *range(count - 4, count + 1)} & {*range(1, count + 1)}:
            folder = tmp_path / f"{file}-{number}"
            folder.mkdir()
            result = run(*command, folder=folder, fail=f"{number}:write {file}", error=0)
            if result.returncode == 0:
                assert contents(folder) == contents(whole), (file, number)
                continue
            noticed += 1
            assert result.returncode == TRY_AGAIN, (file, number, result.stderr)
            assert run(*command, folder=folder).returncode == 0
            assert contents(folder) == contents(whole), (file, number)
    assert noticed > 8


# MARK: - what is read

@pytest.mark.parametrize("name", ["manifest", "configuration", "annotations", "features", "export", "array", "golden", "page"])
def test_another_input_than_a_recording_that_cannot_be_read_is_75(run, veery, data, tmp_path, name):
    if name == "array":
        veery("presets", "log-mel", "--golden", tmp_path)
    if name == "golden":
        (tmp_path / "log-mel.json").write_text("{}")
    if name == "page":
        (tmp_path / "p.html").write_text("<html>")
    command, file = {
        "manifest": (["check", data / "m.csv"], "m.csv"),
        "configuration": (["extract", data / "m.csv", "-o", tmp_path / "f.h5", "--config", data / "c.yaml"], "c.yaml"),
        "annotations": (["clips", data / "m.csv", "--annotations", data / "marks.csv", "-o", tmp_path / "m.csv"], "marks.csv"),
        "features": (["inspect", data / "f.h5"], "f.h5"),
        "export": (["export", data / "f.h5", "--to", "npy", "-o", tmp_path / "e"], "f.h5"),
        "array": (["conform", tmp_path / "log-mel.npy", tmp_path / "log-mel.wav", "--preset", "log-mel"], "log-mel.npy"),
        "golden": (["presets", "log-mel", "--golden", tmp_path], "log-mel.json"),
        "page": (["inspect", data / "f.h5", "--html", tmp_path / "p.html"], "p.html"),
    }[name]
    expect_fault(run(*command, fail=f"read {file}"), errno.EIO)


def test_a_header_that_cannot_be_read_is_not_taken_for_another_format(run, data, tmp_path):
    """The recording fails, with the system's message as the reason."""
    result = run("extract", data / "m.csv", "-o", tmp_path / "f.h5", "--jobs", 1, fail="read 0.wav")
    assert result.returncode == 3 and "1 clip failed" in result.stderr and "Input/output error" in result.stderr, result.stderr


def test_a_folder_of_annotations_that_cannot_be_listed_is_75(run, data, tmp_path):
    """The error is the disk's: the tables are not reported as missing."""
    (tmp_path / "tables/more").mkdir(parents=True)
    (tmp_path / "tables/0.txt").write_text("0.1\t0.3\ta\n")
    (tmp_path / "tables/more/1.txt").write_text("0.1\t0.3\tb\n")
    command = ["clips", data / "m.csv", "--annotations", tmp_path / "tables", "-o", tmp_path / "m.csv"]
    for folder in ("tables", "tables/more"):
        expect_fault(run(*command, fail=f"list {folder}"), errno.EIO)
        assert not (tmp_path / "m.csv").exists()
    result = run(*command)
    assert result.returncode == 0, result.stderr


# MARK: - standard output

TEXTS = [
    ["--help"], ["--version"], ["help", "extract"], ["extract", "--help"], ["presets"], ["presets", "log-mel"],
    ["presets", "--keys"], ["--experimental-dump-help"],
    *(["--generate-completion-script", shell] for shell in ("bash", "zsh", "fish")),
]


@pytest.mark.parametrize("command", TEXTS, ids=" ".join)
def test_standard_output_on_a_full_disk_is_75(run, command):
    with open("/dev/full", "w") as full:
        expect_fault(run(*command, output=full), errno.ENOSPC)


@pytest.mark.parametrize("name", ["inspect", "check", "crawl", "split", "live"])
def test_reports_and_sound_too(run, data, name):
    command = {
        "inspect": ["inspect", "f.h5", "--json"], "check": ["check", "m.csv"], "crawl": ["crawl", ".", "-o", "-"],
        "split": ["split", "m.csv", "-o", "-", "--ratio", "train=0.5,test=0.5"],
        "live": ["live", "--file", "0.wav", "--speed", "1000", "--band-pass", "300-3400"],
    }[name]
    with open("/dev/full", "w") as full:
        expect_fault(run(*command, output=full, folder=data), errno.ENOSPC)


@pytest.mark.parametrize("command", [["--help"], ["--version"], ["presets"], ["check"]], ids=" ".join)
def test_a_disk_that_is_full_only_when_the_output_is_closed(run, data, tmp_path, command):
    """NFS, for example, writes only when a file is closed."""
    command = [*command, data / "m.csv"] if command == ["check"] else command
    with open(tmp_path / "out.txt", "w") as output:
        expect_fault(run(*command, output=output, fail="close out.txt", error=errno.EDQUOT), errno.EDQUOT)
    with open(tmp_path / "out.txt", "w") as output:
        assert run(*command, output=output).returncode == 0


def test_a_reader_that_has_gone_is_not_an_error_of_the_disk(program):
    for command in ("--help", "--version"):
        reader, writer = os.pipe()
        os.close(reader)
        result = subprocess.run([program, command], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60)
        os.close(writer)
        assert result.returncode in (141, -13) and not result.stderr, result
