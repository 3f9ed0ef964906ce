"""`inspect` works on as many threads as --jobs says. What it finds and writes does not depend on their number, so no other test
would notice a pass on one thread."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "Benchmarks"))
import preload
from conftest import noise, write_manifest, write_wav

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or shutil.which("cc") is None,
    reason="the threads are counted by a preloaded library, which needs Linux and a C compiler")


@pytest.fixture(scope="module")
def threads(program, tmp_path_factory):
    """The number of threads that the program starts."""
    log = tmp_path_factory.mktemp("threads") / "log"

    def count(*arguments):
        log.unlink(missing_ok=True)
        subprocess.run(
            [program, *map(str, arguments)], env=dict(os.environ, LD_PRELOAD=str(library), THREADS_LOG=str(log)),
            check=True, capture_output=True, timeout=120)
        return int(log.read_text())

    with preload.built(Path(__file__).with_name("threads.c")) as library:
        yield count


@pytest.fixture(scope="module")
def clips(veery, tmp_path_factory):
    folder = tmp_path_factory.mktemp("clips")
    for clip in range(200):
        write_wav(folder / f"{clip}.wav", 16000, noise(clip, 3000))
    write_manifest(
        folder / "m.csv", [{"path": f"{clip}.wav", "label": "abcd"[clip % 4], "split": "train"} for clip in range(200)])
    veery("extract", "m.csv", "-o", "f.h5", folder=folder)
    return folder


def added(threads, *arguments):
    """Threads that four jobs start beyond those of one."""
    return threads(*arguments, "--jobs", 4) - threads(*arguments, "--jobs", 1)


def test_rows_are_checked_by_all(threads, clips):
    assert added(threads, "inspect", clips / "f.h5", "--verify") == 3


def test_the_passes_of_the_report_are_made_by_all(threads, clips, tmp_path):
    """Profiles, pictures of labels, the search for recordings at full scale, and the sounds of players: three threads more for each. The
    search for suspicious clips has passes of its own, some of them with fewer parts than threads."""
    assert added(threads, "inspect", clips / "f.h5", "--html", tmp_path / "f.html") >= 4 * 3
