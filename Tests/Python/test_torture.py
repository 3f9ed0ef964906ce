"""A few rounds of Tests/Torture/torture.py: the program killed at every stage. `make torture` does two hundred.

Also runs with a low limit of open files, by which no clip may fail.
"""
import pathlib
import resource
import signal
import subprocess
import sys

import h5py
import pytest

from conftest import noise, write_manifest, write_wav

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Torture"))
import torture as kills  # noqa: E402

pytestmark = [pytest.mark.long, pytest.mark.promised]


@pytest.fixture(scope="module")
def torture(program, tmp_path_factory):
    return kills.Torture(program, tmp_path_factory.mktemp("torture"), seed=20, clips=400)


@pytest.mark.parametrize("number", range(len(kills.SETTINGS)))
def test_nothing_is_lost_whenever_the_program_is_killed(torture, number):
    torture.round()


def test_the_rounds_hit(torture):
    assert set(torture.seen) == set(kills.SETTINGS)
    assert sum(torture.kills.values()) >= 12, torture.report()
    assert torture.kills["extract"] >= 3 and torture.kills["assemble"] >= 1, torture.report()
    assert set(torture.signals) == {signal.SIGKILL, signal.SIGINT, signal.SIGTERM}, torture.report()
    assert torture.resumed >= 5 and torture.clips_kept >= 100, torture.report()
    assert torture.fresh_starts >= 1, torture.report()


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A manifest of 300 clips, of which one is missing; recordings so long that eight workers are reading at a time."""
    folder = tmp_path_factory.mktemp("many")
    for i in range(20):
        write_wav(folder / f"{i}.wav", 16000, noise(i, 40_000))
    rows = [{"path": f"{i % 20}.wav", "id": f"clip-{i}", "label": "ab"[i % 2]} for i in range(300)]
    rows[100]["path"] = "missing.wav"
    return write_manifest(folder / "m.csv", rows)


def few_files(program, soft, hard, *arguments):
    def limit():
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, most if hard is None else hard))

    result = subprocess.run(
        [program, *map(str, arguments)], capture_output=True, text=True, timeout=120, preexec_fn=limit)
    return result.returncode, result.stderr


# 12 files are too few for eight workers: two a worker, in addition to those of the program itself.
@pytest.mark.parametrize("soft, hard", [(64, 64), (20, None), (20, 20), (16, 16), (12, 12), (9, 9), (7, 7)])
@pytest.mark.parametrize(
    "options",
    # Without normalisation rows are written in place: a worker ends while others wait for the row count of its clip.
    [[], ["--append"], ["--set", "audio.sample_rate=null"], ["--set", "normalize.scope=none"]], ids=" ".join)
def test_no_clip_is_lost_with_few_open_files(program, veery, many, tmp_path, soft, hard, options):
    expected, output = tmp_path / "expected.h5", tmp_path / "f.h5"
    command = ["extract", many, "--max-failures", "100%", "--jobs", "8", "--progress", "none", *options]
    older = None
    if "--append" in options:
        lines = many.read_text().splitlines(keepends=True)
        short = many.with_name("short.csv")
        short.write_text("".join(lines[:101]))
        veery("extract", short, "-o", expected)
        output.write_bytes(expected.read_bytes())
        older = output.read_bytes()
    veery(*command, "-o", expected)
    status, said = few_files(program, soft, hard, *command, "-o", output)
    if status != 0:
        assert hard is None or hard < 64, f"so many are enough: {said}"
        assert status == 75, f"status {status}: {said}"
        assert "open files" in said, said
        assert (output.read_bytes() if output.exists() else None) == older, "nothing under the final name, or the older file"
        veery(*command, "-o", output)
    with h5py.File(output) as file:
        assert list(file["failures/id"].asstr()) == ["clip-100"], said
    assert output.read_bytes() == expected.read_bytes()


# A limit on the size of files: a write fails in the spool, in the file of rows, or when the feature file is assembled.
@pytest.mark.parametrize("share", [0, 0.01, 0.3, 0.9, 0.999])
@pytest.mark.parametrize("jobs", [1, 8])
def test_a_write_that_fails_ends_every_worker(program, veery, many, tmp_path, share, jobs):
    expected, output = tmp_path / "expected.h5", tmp_path / "f.h5"
    command = ["extract", many, "--max-failures", "100%", "--jobs", jobs, "--progress", "none",
               "--set", "normalize.scope=none"]
    veery(*command, "-o", expected)
    most = int(share * expected.stat().st_size)

    # Without restore_signals the program gets an error, as of a full disk, and not the signal that goes with it.
    result = subprocess.run(
        [program, *map(str, command), "-o", output], capture_output=True, text=True, timeout=120,
        restore_signals=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
    assert result.returncode == 75, result.stderr
    assert "File too large" in result.stderr and "f.h5" in result.stderr, result.stderr
    assert not output.exists()

    veery(*command, "-o", output)
    assert output.read_bytes() == expected.read_bytes()
