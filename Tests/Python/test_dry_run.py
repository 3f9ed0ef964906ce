"""`veery extract --dry-run` where earlier runs have left files: says what is there, and changes nothing."""

import json
import re

import pytest

from conftest import noise, write_manifest, write_wav
from test_commands import validate


@pytest.fixture
def folder(tmp_path):
    """Recordings, and a manifest of some of them and of all."""
    rows = []
    for clip in range(6):
        write_wav(tmp_path / f"{clip}.wav", 16000, noise(clip, 4000 + 500 * clip))
        rows.append({"path": f"{clip}.wav", "label": "a", "split": "train"})
    write_manifest(tmp_path / "some.csv", rows[:4])
    write_manifest(tmp_path / "all.csv", rows)
    return tmp_path


def state(folder):
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in folder.rglob("*")}


def plan(veery, folder, *arguments, status=0):
    """The report as JSON, after a look at the text."""
    before = state(folder)
    command = ["extract", folder / "all.csv", "-o", folder / "f.h5", "--dry-run", *arguments]
    text = veery(*command, status=status).stdout
    report = json.loads(veery(*command, "--json", status=status).stdout)
    assert state(folder) == before
    validate(report, "extraction-report")
    assert ("obstacle" in report) == (status == 1) and report.get("obstacle", "") in text
    return report, text


def test_clips_that_an_append_keeps_need_no_recordings(veery, folder):
    veery("extract", folder / "some.csv", "-o", folder / "f.h5")
    (folder / "1.wav").unlink()
    report, text = plan(veery, folder, "--append")
    assert report["existing_output"] == "grows" and report["problems"] == 0
    assert (report["kept_clips"], report["clips_left"], report["clips"]) == (4, 2, 6)
    assert "would keep     4 clips\n" in text
    veery("extract", folder / "all.csv", "-o", folder / "f.h5", "--append")
    made = json.loads(veery("inspect", folder / "f.h5", "--json").stdout)
    assert (made["clips"], made["rows"]) == (report["clips"], report["rows"])
    report, text = plan(veery, folder, "--append")
    assert report["existing_output"] == "up_to_date" and report["clips_left"] == 0 and text.startswith("nothing to do")


def test_clips_whose_rows_have_become_a_file_are_done_only_if_it_is_there(veery, folder):
    options = ["--set", "normalize.scope=none"]
    spool = folder / "f.h5.spool"
    # The state after the file has been renamed and before the clips are deleted.
    spool.mkdir()
    (spool / "lock").touch()
    (spool / "features.h5").mkdir()
    veery("extract", folder / "all.csv", "-o", folder / "f.h5", *options, status=1)
    (spool / "features.h5").rmdir()
    assert (spool / "rows").exists()
    for command in (["inspect", spool], ["render", spool, "--clip", "0", "-o", folder / "a.png"]):
        assert "it has the finished clips of a run of 'veery extract' that has not ended: give the same command again" in veery(
            *command, status=1).stderr
    assert plan(veery, folder, *options)[0]["clips_left"] == 0
    (spool / "rows").rename(folder / "rows")
    assert plan(veery, folder, *options)[0]["clips_left"] == 6
    veery("extract", folder / "all.csv", "-o", folder / "g.h5", *options)
    (folder / "g.h5").rename(folder / "f.h5")
    assert plan(veery, folder, *options)[0]["clips_left"] == 0
    assert "up to date" in veery("extract", folder / "all.csv", "-o", folder / "f.h5", *options).stderr
    assert not spool.exists()


def test_an_obstacle_is_named_and_the_status_is_that_of_the_run(veery, folder):
    veery("extract", folder / "some.csv", "-o", folder / "f.h5")
    report, text = plan(veery, folder, status=1)
    assert "was made from another manifest" in report["obstacle"] and "would not run" in text
    assert plan(veery, folder, "--overwrite")[0]["existing_output"] == "replaced"
    assert "frame.hop was 160 and is 200 now" in plan(
        veery, folder, "--append", "--set", "frame.hop=200", status=1)[0]["obstacle"]
    (folder / "f.h5").write_text("my notes\n")
    assert "is no feature file" in plan(veery, folder, "--overwrite", status=1)[0]["obstacle"]


@pytest.mark.parametrize("rate", [1, 15, 2_000_000_000])
def test_a_rate_that_cannot_be_resampled_is_seen_as_the_run_sees_it(veery, folder, rate):
    wave = bytearray((folder / "0.wav").read_bytes())
    wave[24:28] = rate.to_bytes(4, "little")
    (folder / "0.wav").write_bytes(wave)
    report, text = plan(veery, folder)
    assert (report["clips"], report["problems"]) == (5, 1)
    said = f"0.wav (0): condition: cannot resample from {rate} Hz to 16000 Hz: the rates are too far apart"
    assert said in text
    assert said in veery("extract", folder / "all.csv", "-o", folder / "f.h5", status=3).stderr


def test_temporary_files_are_named_where_there_are_some(veery, folder):
    twice, once = "; and the same for temporary files\n", "; if interrupted, the same for temporary files\n"
    plain = ["--set", "normalize.scope=none"]
    assert twice in plan(veery, folder)[1]
    assert once in plan(veery, folder, *plain)[1]
    for options in (["--scratch", folder], ["--set", "store.compression=deflate"], ["--files", 2]):
        assert twice in plan(veery, folder, *plain, *options)[1]
    # An interrupted run: its clips are in temporary files.
    (folder / "f.h5.spool/features.h5").mkdir(parents=True)
    (folder / "f.h5.spool/lock").touch()
    veery("extract", folder / "all.csv", "-o", folder / "f.h5", status=1)
    (folder / "f.h5.spool/features.h5").rmdir()
    assert twice in plan(veery, folder)[1]


def test_temporary_files_have_the_rows_before_normalisation_and_conversion(veery, folder):
    for options, rests in (["--set", "normalize.scope=clip"], "2 × "), (["--set", "store.type=float16"], ""):
        report, text = plan(veery, folder, *options)
        found = re.search(r", ([\d,.]+) (\w?B); and ([\d,.]+) (\w?B) for temporary files\n", text)
        assert found and found[2] == found[4] and float(found[3]) == pytest.approx(2 * float(found[1]), rel=0.01), text
        shard = plan(veery, folder, *options, "--shard", "1/2")[1]
        assert f", {rests}float32, " in shard and "B, before normalisation" in shard, shard


def test_a_shard(veery, folder):
    """The clips left; those that an attempt has done; and that the shard is done, by itself or in the output."""
    report, text = plan(veery, folder, "--shard", "1/2")
    assert (report["clips_left"], report["clips"], report["existing_output"]) == (3, 3, "absent")
    assert report["output"].endswith("f.h5.shards/00001-of-00002") and "into           " + report["output"] in text
    command = ["extract", folder / "all.csv", "-o", folder / "f.h5"]
    veery(*command, "--shard", "1/2")
    report, text = plan(veery, folder, "--shard", "1/2")
    assert report["existing_output"] == "up_to_date" and report["clips_left"] == 0
    assert text == f"nothing to do  {folder}/f.h5.shards/00001-of-00002 is done\n"
    report, text = plan(veery, folder, "--shard", "1/3", status=1)
    assert "there are shards of 2 here, not of 3" in report["obstacle"]
    report, text = plan(veery, folder, "--shard", "2/2", "--set", "frame.hop=200", status=1)
    assert "this shard of the same output was made otherwise: frame.hop" in report["obstacle"]
    veery(*command)
    report, text = plan(veery, folder, "--shard", "2/2")
    assert report["existing_output"] == "comparable" and "unless the output has its clips" in text
    assert report["clips"] == 3


def test_a_file_of_a_set(veery, folder):
    """The shards that it lacks; then what it would hold; and that it is there."""
    command = ["extract", folder / "all.csv", "-o", folder / "f.h5"]
    report, text = plan(veery, folder, "--file", "1/3", status=1)
    assert "expected all shards to be done, found none" in report["obstacle"]
    veery(*command, "--shard", "1/2")
    report, text = plan(veery, folder, "--file", "1/3", status=1)
    assert "found 1 of 2 missing: 2" in report["obstacle"]
    veery(*command, "--shard", "2/2")
    report, text = plan(veery, folder, "--file", "2/3")
    assert (report["clips"], report["clips_left"], report["existing_output"]) == (2, 0, "absent")
    assert report["output"] == f"{folder}/f-00002-of-00003.h5" and "of the rows in the shards" in text
    assert text.startswith("would write    2 clips, ")
    for number in (1, 2, 3):
        veery(*command, "--file", f"{number}/3")
    report, text = plan(veery, folder, "--file", "2/3")
    assert report["existing_output"] == "comparable"
    report, text = plan(veery, folder, "--file", "2/3", "--set", "frame.hop=200", status=1)
    assert "was made with another configuration (frame.hop was" in report["obstacle"]


def test_a_set(veery, folder):
    report, text = plan(veery, folder, "--files", "2")
    assert report["output"] == f"{folder}/f.index.json" and "2 files and their index" in text
    veery("extract", folder / "all.csv", "-o", folder / "f.h5", "--files", "2")
    report, text = plan(veery, folder, "--files", "2")
    assert report["existing_output"] == "comparable"
