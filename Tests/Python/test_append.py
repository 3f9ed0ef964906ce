"""`veery extract --append` beside recordings that were replaced: what is stale is never called up to date."""
import json
import os

import pytest

from conftest import noise, write_manifest, write_wav
from test_commands import digest, validate


@pytest.fixture
def folder(tmp_path):
    rows = []
    for clip in range(6):
        write_wav(tmp_path / f"{clip}.wav", 16000, noise(clip, 8000))
        rows.append({"path": f"{clip}.wav", "label": "a", "split": "train"})
    write_manifest(tmp_path / "some.csv", rows[:4])
    write_manifest(tmp_path / "all.csv", rows)
    return tmp_path


def replace(path, seed):
    """Other samples; the size and the time of change stay."""
    before = path.stat()
    write_wav(path, 16000, noise(seed, 8000))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size


@pytest.mark.parametrize("manifest", ["some.csv", "all.csv"])
@pytest.mark.parametrize("options", [[], ["--set", "normalize.scope=none"], ["--set", "store.compression=deflate"]],
                         ids=["normalised", "not normalised", "deflate"])
def test_a_replaced_recording_is_named(veery, folder, manifest, options):
    command = ["extract", manifest, "-o", "f.h5", "--append", *options]
    veery("extract", "some.csv", "-o", "f.h5", *options, folder=folder)
    older = digest(folder / "f.h5")
    replace(folder / "1.wav", 70)
    said = veery(*command, status=1, folder=folder).stderr
    assert "1.wav" in said and "up to date" not in said and "--overwrite" in said
    assert digest(folder / "f.h5") == older and sorted(path.name for path in folder.glob("f.h5*")) == ["f.h5"]
    # The dry run tells the same.
    report = veery(*command, "--dry-run", "--json", status=1, folder=folder)
    validate(json.loads(report.stdout), "extraction-report")
    assert json.loads(report.stdout)["obstacle"] in said
    # And so does the command without --append, where the manifest is the file's.
    if manifest == "some.csv":
        assert "1.wav" in veery("extract", manifest, "-o", "f.h5", *options, status=1, folder=folder).stderr

    # The recording put back.
    replace(folder / "1.wav", 1)
    assert ("up to date" in veery(*command, folder=folder).stderr) == (manifest == "some.csv")


def test_recordings_that_are_gone_are_said_to_be_unchecked(veery, folder):
    veery("extract", "some.csv", "-o", "f.h5", folder=folder)
    (folder / "2.wav").unlink()
    for _ in range(2):
        dry = veery("extract", "all.csv", "-o", "f.h5", "--append", "--dry-run", folder=folder).stdout
        assert "not compared" in dry and "2.wav" in dry
        said = veery("extract", "all.csv", "-o", "f.h5", "--append", folder=folder).stderr
        assert "warning: 1 clip of the existing file, such as 2.wav, is kept unchecked" in said
    assert "up to date" in said
    replace(folder / "3.wav", 70)
    assert "3.wav" in veery("extract", "all.csv", "-o", "f.h5", "--append", status=1, folder=folder).stderr
