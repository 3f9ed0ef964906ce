"""What the machine does not give: memory, threads, descriptors, space on the disk, /proc.

A run that cannot go on ends with a sentence and exit status 75, which tells a scheduler to try again; it never traps, hangs or
calls a recording damaged. Finished clips are kept, and the file that the next run completes has the bytes of one that was never
interrupted.
"""
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import h5py
import pytest

from conftest import noise, tone, write_manifest, write_wav
from recordings import digest

linux = pytest.mark.skipif(sys.platform != "linux", reason="limits of memory and threads are Linux's here")
root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can change user, mount and unmount")
TRY_AGAIN = 75
MIB = 1 << 20
CASES = {
    "normalised": [],
    "in place": ["--set", "normalize.scope=none"],
    "deflate": ["--set", "store.compression=deflate"],
    # 22.05 kHz from 44.1, and rows that are in memory until the clip's peak is known.
    "whole clips": ["--preset", "librosa-mfcc", "--set", "audio.sample_rate=22050"],
}


@pytest.fixture(scope="module")
def work(program, tmp_path_factory):
    """Recordings of several formats at 44.1 kHz, and a manifest of them."""
    folder = tmp_path_factory.mktemp("machine")
    folder.chmod(0o755)
    rows = []
    for i in range(4):
        write_wav(folder / f"{i}.wav", 44100, noise(i, 50_000 + 9000 * i))
        for kind in ("wav", "flac", "mp3", "ogg"):
            if kind != "wav":
                subprocess.run(
                    [program, "filter", folder / f"{i}.wav", folder / f"{i}.{kind}", "--band-pass", "0-22050"],
                    check=True, capture_output=True)
            rows += [{"path": f"{i}.{kind}", "id": f"{kind}-{i}-{n}", "label": kind, "split": "train"} for n in range(3)]
    write_manifest(folder / "m.csv", rows)
    return folder


@pytest.fixture(scope="module")
def expected(program, work):
    """Each case's file."""
    files = {}
    for case, options in CASES.items():
        output = work / f"expected {case}.h5"
        subprocess.run(
            [program, "extract", work / "m.csv", "-o", output, *options], check=True, capture_output=True)
        files[case] = output
    return files


def limited(command, limit=None, timeout=100, **more):
    """Runs a command under limits; a hang is a failure of its own."""
    try:
        return subprocess.run(
            [*map(str, command)], capture_output=True, text=True, timeout=timeout, preexec_fn=limit, **more)
    except subprocess.TimeoutExpired as error:
        pytest.fail(f"still running after {timeout} s: {error.stderr}", pytrace=False)


def address_space(mebibytes):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (mebibytes * MIB, mebibytes * MIB))


def says_no_secrets(said):
    for sign in ("Fatal error", "Backtrace", "Thread 0", "assertion", "Assertion", "terminate called", "Current stack"):
        assert sign not in said, said


@pytest.fixture(scope="module")
def floor(program):
    """Mebibytes of addresses that the program needs to say its version: with less, the system cannot even start it."""
    low, high = 1, 4096
    while low < high:
        middle = (low + high) // 2
        if limited([program, "--version"], address_space(middle)).returncode == 0:
            high = middle
        else:
            low = middle + 1
    return low


@pytest.mark.long
@linux
@pytest.mark.parametrize("jobs", [1, 8])
@pytest.mark.parametrize("case", CASES)
def test_little_memory_ends_with_a_sentence_or_a_file(program, work, expected, floor, tmp_path, case, jobs):
    output = tmp_path / "f.h5"
    command = [program, "extract", work / "m.csv", "-o", output, "--jobs", jobs, "--progress", "none", *CASES[case]]
    seen = set()
    for more in [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 32, 64, 256]:
        result = limited(command, address_space(floor + more))
        seen.add(result.returncode)
        where = f"{floor} + {more} MiB, status {result.returncode}: {result.stderr}"
        says_no_secrets(result.stderr)
        if result.returncode != 0:
            assert result.returncode == TRY_AGAIN and not output.exists(), where
            assert "memory" in result.stderr, where
            result = limited(command)
            assert result.returncode == 0, result.stderr
            if "are done and kept" in where:
                assert "resuming an interrupted run" in result.stderr
        assert digest(output) == digest(expected[case]), where
        output.unlink()
    assert 0 in seen, "256 MiB more than nothing are enough"


@pytest.mark.sampled(2)
@linux
@pytest.mark.parametrize("command", [
    ["check", "m.csv"], ["inspect", "f.h5"], ["inspect", "f.h5", "--verify"], ["inspect", "f.h5", "--json"],
    ["inspect", "f.h5", "--html", "page.html"], ["render", "f.h5", "--clip", "wav-0-0", "-o", "p.png"],
    ["render", "f.h5", "--sheet", "-o", "p.svg"], ["render", "0.flac", "--preset", "log-mel", "-o", "p.pdf"],
    ["filter", "0.ogg", "out.flac", "--band-pass", "300-3400"], ["crawl", ".", "-o", "c.csv"],
    ["live", "--file", "0.wav", "--speed", "1000", "--record", "l.h5"], ["extract", "m.csv", "-o", "n.h5", "--dry-run"],
], ids=" ".join)
def test_every_command_ends_so(program, work, floor, tmp_path, command):
    folder = tmp_path / "work"
    shutil.copytree(work, folder)
    subprocess.run(
        [program, "extract", "m.csv", "-o", "f.h5"], cwd=folder, check=True, capture_output=True)
    before = {path.name for path in folder.iterdir()}
    seen = set()
    for more in [0, 1, 2, 3, 4, 6, 8, 10, 12, 16, 24, 256]:
        result = limited([program, *command], address_space(floor + more), cwd=folder, stdin=subprocess.DEVNULL)
        seen.add(result.returncode)
        where = f"{floor} + {more} MiB, status {result.returncode}: {result.stderr}"
        says_no_secrets(result.stderr)
        assert result.returncode in (0, TRY_AGAIN), where
        if result.returncode == TRY_AGAIN:
            assert "memory" in result.stderr, where
            assert {path.name for path in folder.iterdir() if path.suffix != ".part"} >= before
        for path in folder.iterdir():
            if path.name not in before:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert 0 in seen, "256 MiB more than nothing are enough"


def without_threads(count):
    """What a command runs as: a user who may have `count` threads, including those that it has already."""
    def limit():
        resource.setrlimit(resource.RLIMIT_NPROC, (count, count))
        os.setgid(62345)
        os.setuid(62345)
    return limit


@pytest.fixture
def anyones(program, work, tmp_path_factory):
    """A copy of the program and its recordings that any user can read, and a folder that anyone can write to."""
    import tempfile
    with tempfile.TemporaryDirectory(prefix="veery-") as name:
        folder = os.path.join(name, "work")
        shutil.copytree(work, folder)
        for path in (name, folder):
            os.chmod(path, 0o777)
        copy = os.path.join(name, "veery")
        shutil.copy(program, copy)
        os.chmod(copy, 0o755)
        if limited([copy, "--version"], without_threads(100)).returncode != 0:
            pytest.skip("another user cannot run programs in the folder for temporary files")
        yield copy, folder


@pytest.mark.sampled(2)
@linux
@root
@pytest.mark.parametrize("most", [1, 2, 3, 5])
@pytest.mark.parametrize("case", ["normalised", "in place", "deflate"])
def test_the_file_is_made_with_as_many_threads_as_there_are(anyones, expected, most, case):
    program, folder = anyones
    output = os.path.join(folder, "f.h5")
    result = limited(
        [program, "extract", "m.csv", "-o", output, "--jobs", 8, *CASES[case]], without_threads(most), cwd=folder)
    assert result.returncode == 0, result.stderr
    assert digest(pathlib.Path(output)) == digest(expected[case])
    for command in (["check", "m.csv"], ["inspect", output, "--verify"], ["inspect", output, "--html", "p.html"],
                    ["filter", "0.wav", "out.wav", "--band-pass", "300-3400"]):
        result = limited([program, *command], without_threads(most), cwd=folder)
        assert result.returncode == 0, (command, result.stderr)


@linux
@root
@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_live_analysis_that_gets_no_thread_says_so(anyones, most):
    program, folder = anyones
    result = limited(
        [program, "live", "--file", "0.wav", "--speed", 1000, "--record", "l.h5"], without_threads(most), cwd=folder,
        stdin=subprocess.DEVNULL)
    assert result.returncode == TRY_AGAIN and "no thread could be started" in result.stderr, result.stderr
    assert "l.h5" not in os.listdir(folder) and "l.h5.spool" not in os.listdir(folder)


@linux
@root
@pytest.mark.parametrize("most", [1, 3])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_run_without_threads_obeys_signals(anyones, expected, most, number):
    program, folder = anyones
    output = os.path.join(folder, "f.h5")
    rows = [{"path": "0.wav", "id": str(i)} for i in range(20_000)]
    write_manifest(pathlib.Path(folder, "long.csv"), rows)
    command = [program, "extract", "long.csv", "-o", output, "--set", "normalize.scope=none"]
    process = subprocess.Popen(
        command, cwd=folder, stderr=subprocess.PIPE, text=True, preexec_fn=without_threads(most))
    spool = os.path.join(folder, "f.h5.spool")
    while process.poll() is None and not (os.path.isdir(spool) and "rows" in os.listdir(spool)):
        time.sleep(0.01)
    time.sleep(0.3)
    process.send_signal(number)
    try:
        _, said = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        pytest.fail("the signal was ignored", pytrace=False)
    assert process.returncode in (128 + number, -number), said
    assert not os.path.exists(output) and any(name.startswith("clips-") for name in os.listdir(spool))


# Descriptors and files at their limit: test_torture.py. Here the disk is full.
@linux
@root
@pytest.mark.parametrize("kibibytes", [64, 400, 1000, 2500])
def test_a_full_disk_ends_with_75_and_the_clips_that_are_done_are_kept(program, work, expected, tmp_path, kibibytes):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={kibibytes}k", "none", disk], capture_output=True, text=True)
    if mounted.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr}")
    try:
        for case in ("normalised", "in place"):
            command = [program, "extract", work / "m.csv", "-o", disk / "f.h5", "--progress", "none", *CASES[case]]
            result = limited(command)
            # 2.2 MB of rows: in place they are written once, and fit.
            if (case, kibibytes) == ("in place", 2500):
                assert result.returncode == 0, result.stderr
            else:
                assert result.returncode == TRY_AGAIN and "No space left" in result.stderr, result.stderr
                assert not (disk / "f.h5").exists()
                subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
                assert limited(command).returncode == 0
            assert digest(disk / "f.h5") == digest(expected[case])
            (disk / "f.h5").unlink()
            subprocess.run(["mount", "-o", f"remount,size={kibibytes}k", disk], check=True)
        try:
            with open(disk / "rest", "wb", buffering=0) as file:
                while True:
                    file.write(b"\0" * 4096)
        except OSError:
            pass
        for command in (["filter", "0.wav", disk / "o.wav", "--band-pass", "300-3400"],
                        ["render", "0.wav", "--preset", "log-mel", "-o", disk / "p.png"], ["crawl", ".", "-o", disk / "c.csv"],
                        ["live", "--file", "0.wav", "--speed", "1000", "--record", disk / "l.h5"]):
            result = limited([program, *command], cwd=work, stdin=subprocess.DEVNULL)
            assert result.returncode == TRY_AGAIN, (command, result.returncode, result.stderr)
            assert "No space left" in result.stderr or "Disk quota" in result.stderr, (command, result.stderr)
        with open("/dev/full", "wb") as nowhere:
            status = subprocess.run([program, "presets"], stdout=nowhere, stderr=subprocess.DEVNULL).returncode
        assert status == TRY_AGAIN
    finally:
        subprocess.run(["umount", disk], check=True)


@linux
def test_a_feature_file_that_cannot_be_opened_for_want_of_descriptors_is_not_called_another_file(program, work, tmp_path):
    subprocess.run([program, "extract", work / "m.csv", "-o", tmp_path / "f.h5", "--quiet"], check=True, timeout=300)
    before = (tmp_path / "f.h5").read_bytes()
    refused = 0
    for limit in range(3, 9):
        for command in ["inspect", tmp_path / "f.h5"], ["extract", work / "m.csv", "-o", tmp_path / "f.h5", "--overwrite"]:
            shell = ["bash", "-c", f'ulimit -n {limit}; exec "$0" "$@"', program, *command]
            result = subprocess.run(shell, capture_output=True, text=True, timeout=300)
            # 127: the system's loader found no descriptor for a library.
            assert result.returncode in (0, TRY_AGAIN, 127), (limit, result.stderr)
            if result.returncode == TRY_AGAIN:
                refused += 1
                assert "Too many open files" in result.stderr and "expected a feature file" not in result.stderr
        assert (tmp_path / "f.h5").read_bytes() == before
    assert refused > 1


@linux
@root
def test_without_proc_every_command_works(program, work, expected, tmp_path):
    """A chroot may lack /proc: the arguments come from the system, not from /proc/self/cmdline."""
    def hidden(*command, status=0):
        result = subprocess.run(
            ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh", *map(str, command)],
            cwd=work, capture_output=True, text=True, timeout=100, stdin=subprocess.DEVNULL)
        if "unshare failed" in result.stderr or "mount:" in result.stderr:
            pytest.skip(f"/proc cannot be hidden here: {result.stderr}")
        assert result.returncode == status, (command, result.returncode, result.stdout, result.stderr)
        return result

    assert hidden("ls", "/proc").stdout == ""
    assert re.fullmatch(r"veery [0-9.]+\n(?:[a-z0-9]+ [0-9.a-z, -]+\n)+", hidden(program, "--version").stdout)
    assert "window: povey" in hidden(program, "presets", "kaldi-fbank").stdout
    output = tmp_path / "f.h5"
    hidden(program, "extract", "m.csv", "-o", output, "--jobs", 3)
    assert digest(output) == digest(expected["normalised"])
    assert "up to date" in hidden(program, "extract", "m.csv", "-o", output).stderr
    assert '"clips"' in hidden(program, "inspect", output, "--json").stdout
    hidden(program, "inspect", output, "--verify")
    hidden(program, "render", "0.wav", "--preset", "log-mel", "-o", tmp_path / "p.svg")
    hidden(program, "filter", "0.wav", tmp_path / "o.wav", "--band-pass", "300-3400")
    hidden(program, "crawl", ".", "-o", tmp_path / "c.csv")
    hidden(program, "check", "m.csv")
    hidden(program, "live", "--file", "0.wav", "--speed", "1000", "--record", tmp_path / "l.h5")
    assert (tmp_path / "p.svg").exists() and (tmp_path / "o.wav").exists() and (tmp_path / "l.h5").exists()
    assert "USAGE: veery extract" in hidden(program, "extract", "--help").stdout
    assert "Usage: veery" in hidden(program, "extract", status=64).stderr
    assert "no-such.csv" in hidden(program, "check", "no-such.csv", status=1).stderr
    # Names that are not UTF-8, and empty words.
    hidden(program, "presets", "", status=64)
