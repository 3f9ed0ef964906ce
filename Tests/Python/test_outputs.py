"""What every command that writes has in common: the name of its output is checked before the work, and what a killed run left is
deleted by the next."""

import contextlib
import os
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest
import soundfile
from recordings import noise, write_manifest, write_wav


@pytest.fixture(scope="module")
def folder(veery, tmp_path_factory):
    folder = tmp_path_factory.mktemp("outputs")
    for number in range(6):
        write_wav(folder / f"r{number}.wav", 16000, 0.1 * noise(number, 16000))
    write_manifest(folder / "m.csv", [{"path": f"r{number}.wav", "id": f"c{number}", "label": "x"} for number in range(6)])
    write_manifest(folder / "failing.csv", [{"path": "missing.wav", "id": "a"}, {"path": "r0.wav", "id": "b"}])
    veery("extract", folder / "m.csv", "-o", folder / "f.h5", "-q")
    return folder


# Each command with an output, OUT, and the name of that.
COMMANDS = {
    "crawl": (["crawl", ".", "-o", "OUT"], "out.csv"),
    "crawl --overwrite": (["crawl", ".", "-o", "OUT", "--overwrite"], "out.csv"),
    "clips": (["clips", "m.csv", "--window", "0.2s", "-o", "OUT"], "out.csv"),
    "split": (["split", "m.csv", "--ratio", "train=0.8,test=0.2", "-o", "OUT"], "out.csv"),
    "check --mend": (["check", "m.csv", "--mend", "OUT"], "out.csv"),
    "check --html": (["check", "m.csv", "--html", "OUT"], "out.html"),
    "extract --failures-out": (["extract", "failing.csv", "-o", "g.h5", "--failures-out", "OUT"], "out.csv"),
    "extract --failures-out --overwrite": (
        ["extract", "failing.csv", "-o", "g.h5", "--failures-out", "OUT", "--overwrite"], "out.csv"),
    "presets --golden": (["presets", "whisper", "--golden", "OUT"], "out"),
    "inspect --html": (["inspect", "f.h5", "--html", "OUT"], "out.html"),
    "inspect --plots": (["inspect", "f.h5", "--plots", "OUT"], "out"),
    "render --clip": (["render", "f.h5", "--clip", "c0", "-o", "OUT"], "out.png"),
    "render": (["render", "r0.wav", "-o", "OUT"], "out.svg"),
    "render --sheet": (["render", "f.h5", "--sheet", "-o", "OUT"], "out.png"),
    "render --filter-bank": (["render", "--filter-bank", "whisper", "-o", "OUT"], "out.pdf"),
    "filter": (["filter", "r0.wav", "OUT", "--band-pass", "300-3400"], "out.flac"),
    "filter --overwrite": (["filter", "r0.wav", "OUT", "--band-pass", "300-3400", "--overwrite"], "out.wav"),
    "decode": (["decode", "r0.wav", "-o", "OUT"], "out.wav"),
    "decode --overwrite": (["decode", "r0.wav", "-o", "OUT", "--overwrite"], "out.wav"),
    "export": (["export", "f.h5", "--to", "npy", "-o", "OUT"], "out"),
    "export --overwrite": (["export", "f.h5", "--to", "npy", "-o", "OUT", "--overwrite"], "out"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_link_to_nothing_is_refused(veery, folder, tmp_path, name):
    command, output = COMMANDS[name]
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    for target in ("nothing", "no/folder/nothing", output):
        link = copy / output
        link.symlink_to(target)
        before = sorted(os.listdir(copy))
        said = veery(*(output if word == "OUT" else word for word in command), status=1, folder=copy).stderr
        assert f"{output}: this symbolic link leads to nothing: delete it, or choose another" in said, said
        assert sorted(os.listdir(copy)) == before and os.readlink(link) == target
        link.unlink()
    # Without the link, the command is one that works.
    veery(*(output if word == "OUT" else word for word in command), status=(0, 3), folder=copy)


def test_a_link_is_kept_where_its_destination_can_be_written(veery, folder, tmp_path):
    """Feature files alone: a run by the link, and one by the file's own name, have one output and one lock."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "f.h5").symlink_to("disk/real.h5")
    veery("extract", folder / "m.csv", "-o", tmp_path / "f.h5", "-q")
    assert (tmp_path / "f.h5").is_symlink() and (tmp_path / "disk/real.h5").stat().st_size > 0
    (tmp_path / "g.h5").symlink_to("no/folder.h5")
    said = veery("extract", folder / "m.csv", "-o", tmp_path / "g.h5", status=1).stderr
    assert "there is no such folder" in said and not (tmp_path / "g.h5.spool").exists()


def begun(program, folder, output):
    """A command that is stopped while it writes its output."""
    def partial():
        # A new file may have the name and the inode of one that was deleted.
        found = set()
        for path in folder.glob(".veery-*"):
            with contextlib.suppress(FileNotFoundError):
                found.add((path.name, path.stat().st_mtime_ns, path.stat().st_size))
        return {entry for entry in found if entry[2] > 0}

    before = partial()
    process = subprocess.Popen(
        [program, "filter", "in.w64", output, "--band-pass", "300-3400", "--overwrite"], cwd=folder, stderr=subprocess.DEVNULL)
    while not partial() - before and process.poll() is None:
        time.sleep(0.001)
    process.send_signal(signal.SIGSTOP)
    assert process.poll() is None
    return process


@pytest.mark.long
def test_the_next_command_deletes_what_a_killed_one_left_over(program, veery, folder, tmp_path):
    """A leftover of the same name, unless another process is still writing it."""
    with soundfile.SoundFile(tmp_path / "in.w64", "w", 48000, 8, subtype="FLOAT") as file:
        block = 0.1 * noise(1, 8 * 48000).reshape(-1, 8).astype(np.float32)
        for _ in range(200):
            file.write(block)
    short = folder / "r0.wav"
    given = {"in.w64"}

    def left():
        return set(os.listdir(tmp_path)) - given

    killed = begun(program, tmp_path, "out.wav")
    killed.kill()
    killed.wait()
    name, = left()
    assert name.startswith(".veery-") and name.endswith(".partial")
    # A run with another output does not delete it.
    veery("filter", short, tmp_path / "other.wav", "--band-pass", "300-3400")
    assert left() == {name, "other.wav"}
    living = begun(program, tmp_path, "out.wav")
    try:
        at_work = left() - {"other.wav"}
        assert len(at_work) == 1
        veery("filter", short, tmp_path / "out.wav", "--band-pass", "300-3400")
        assert left() == {"other.wav", "out.wav", *at_work}
        second = begun(program, tmp_path, "out.wav")
        second.kill()
        second.wait()
        assert len(left()) == 4
    finally:
        living.send_signal(signal.SIGCONT)
    assert living.wait(120) == 0
    # A temporary file under a second name, which is taken where the first is in use, is not found again. That takes two runs at once
    # and a kill.
    veery("filter", short, tmp_path / "out.wav", "--band-pass", "300-3400", "--overwrite")
    assert left() >= {"other.wav", "out.wav"} and len(left()) <= 3


def test_a_run_in_a_deleted_folder_is_named_as_such(program, folder, tmp_path):
    shutil.copytree(folder, tmp_path / "r")
    (tmp_path / "r/gone").mkdir()
    script = f"cd gone && rmdir ../gone && '{program}' extract ../m.csv -o ../g.h5"
    said = subprocess.run(["sh", "-c", script], cwd=tmp_path / "r", capture_output=True, text=True, check=True).stderr
    assert "the folder that the command ran in was deleted, so the file does not say where they are" in said and "UTF-8" not in said, said


def test_a_folder_of_clips_that_goes_during_the_work_is_a_fault_of_the_machine(program, veery, folder, tmp_path):
    rows = [{"path": str(folder / f"r{number % 6}.wav"), "id": f"c{number}"} for number in range(3000)]
    write_manifest(tmp_path / "m.csv", rows)
    running = subprocess.Popen([program, "extract", "m.csv", "-o", "f.h5", "--jobs", "2"], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    while not list((tmp_path / "f.h5.spool").glob("clips-*.spool")):
        assert running.poll() is None
        time.sleep(0.01)
    # What follows is that of a disk that is unmounted.
    (tmp_path / "f.h5.spool").rename(tmp_path / "away")
    said = running.communicate(timeout=120)[1]
    assert running.returncode == 75 and "f.h5.spool: the folder of finished clips has gone during the work (was its disk unmounted?): bring" in said
    (tmp_path / "away").rename(tmp_path / "f.h5.spool")
    assert "resum" in veery("extract", "m.csv", "-o", "f.h5", folder=tmp_path).stderr
