"""`audio.channels: all`: every channel as if it were a recording of its own, in every layout, type and scope."""
import json
import re
import subprocess
import time

import h5py
import numpy as np
import pytest

import veery as package
from conftest import noise, write_manifest, write_wav

RATE = 16_000
LENGTHS = [5000, 16_000, 31_111, 4007]
CHANNELS = 3


@pytest.fixture(scope="module", autouse=True)
def _library(library):
    """Skips nothing: without the library, all tests here fail."""


@pytest.fixture
def folder(tmp_path):
    rows = []
    for number, length in enumerate(LENGTHS):
        samples = np.stack([(c + 1) * 0.1 * noise(10 * number + c, length) for c in range(CHANNELS)], axis=1)
        write_wav(tmp_path / f"{number}.wav", 22_050 if number == 1 else RATE, samples, dtype="<f4")
        rows.append({"path": f"{number}.wav", "label": "ab"[number % 2]})
    write_manifest(tmp_path / "all.csv", rows)
    write_manifest(tmp_path / "some.csv", rows[:2])
    return tmp_path


def words(settings):
    return [word for key, value in settings.items() for word in ("--set", f"{key}={json.dumps(value)}")]


SETTINGS = {
    "none": {"normalize.scope": "none"},
    "clip": {"normalize.scope": "clip", "normalize.ddof": 1},
    "clip, all": {"normalize.scope": "clip", "normalize.axis": "all", "condition.gain": "rms"},
    "dataset": {},
    "dataset, all": {"normalize.axis": "all", "scale": {"kind": "db", "top_db": 60}},
    "constant": {"normalize": {"scope": "constant", "mean": -5, "std": 3}, "rows.multiple": 16, "rows.fill": 2},
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("layout", ["packed", "fixed"])
@pytest.mark.parametrize("name", SETTINGS)
def test_a_channel_is_as_if_it_were_alone(veery, folder, name, layout):
    settings = dict(SETTINGS[name])
    if layout == "fixed":
        settings |= {"store.layout": "fixed", "audio.duration": 1.5}
        settings.pop("rows.fill", None)
    forms = {"plain": {}, "deflate": {"store.compression": "deflate"}, "half": {"store.type": "float16"}}
    alone = []
    for channel in range(CHANNELS):
        veery("extract", "all.csv", "-o", f"{channel}.h5", *words({**settings, "audio.channels": channel}), folder=folder)
        alone.append(h5py.File(folder / f"{channel}.h5"))
    for form, more in forms.items():
        jobs = 1 if form == "deflate" else 3
        options = words({**settings, **more, "audio.channels": "all"})
        veery("extract", "all.csv", "-o", "f.h5", *options, "--jobs", jobs, "--overwrite", folder=folder)
        assert "complete and consistent" in veery("inspect", "f.h5", "--verify", folder=folder).stdout
        with h5py.File(folder / "f.h5") as file:
            features = file["features"][:]
            assert features.shape[1] == CHANNELS and features.shape[-1] == 80
            assert (file["channel"][:] == np.arange(CHANNELS)).all() and file["features"].attrs["channels"] == CHANNELS
            counts, starts = file["clips/frame_count"][:], file["clips/frame_start"][:]
            for channel, other in enumerate(alone):
                for key in ("mean", "std", "min", "max"):
                    assert np.array_equal(file[f"statistics/{key}"][channel], other[f"statistics/{key}"][:])
                    if name.startswith("clip"):
                        assert np.array_equal(
                            file[f"clips/statistics/{key}"][:, channel], other[f"clips/statistics/{key}"][:])
                own = other["features"][:]
                if form == "half":
                    own = own.astype(np.float16)
                if layout == "fixed":
                    assert np.array_equal(features[:, channel], own)
                    continue
                for clip, (start, count) in enumerate(zip(starts, counts)):
                    first = other["clips/frame_start"][clip]
                    assert np.array_equal(features[start:start + count, channel], own[first:first + count])
        with package.open(folder / "f.h5") as opened:
            for clip, count in enumerate(counts):
                found = opened[clip].features
                assert found.shape == (count, CHANNELS, 80)
                if layout == "fixed":
                    assert np.array_equal(found, features[clip, :, :count].transpose(1, 0, 2))
                else:
                    assert np.array_equal(found, features[starts[clip]:starts[clip] + count])
                if form == "plain" and "constant" not in name:
                    for channel in range(CHANNELS):
                        single = package.open(folder / f"{channel}.h5")[clip].raw().features
                        assert np.array_equal(opened[clip].raw().features[:, channel], single)


def test_another_number_of_channels_is_a_failure(veery, folder):
    write_wav(folder / "mono.wav", RATE, noise(5, 5000), dtype="<f4")
    write_manifest(folder / "mixed.csv", [{"path": path} for path in ("0.wav", "mono.wav", "2.wav")])
    said = veery(
        "extract", "mixed.csv", "-o", "f.h5", "--set", "audio.channels=all", "--set", "normalize.scope=none", status=3,
        folder=folder)
    expected = "expected a recording of 3 channels, as the first clip has, since audio.channels is all, found 1"
    assert expected in said.stderr
    with h5py.File(folder / "f.h5") as file:
        assert len(file["clips/id"]) == 2 and file["failures/kind"][0] == b"other_channels"
        assert file["features"].shape[1] == 3
    # It fails again for the same reason, so there is nothing to do.
    again = veery(
        "extract", "mixed.csv", "-o", "f.h5", "--set", "audio.channels=all", "--set", "normalize.scope=none", status=(0, 3),
        folder=folder)
    assert "up to date" in again.stderr, again.stderr
    dry = veery(
        "extract", "mixed.csv", "-o", "g.h5", "--set", "audio.channels=all", "--dry-run", status=(0, 1, 3), folder=folder)
    assert expected in dry.stdout + dry.stderr
    # One channel is an axis of one.
    write_manifest(folder / "one.csv", [{"path": "mono.wav"}])
    veery("extract", "one.csv", "-o", "one.h5", "--set", "audio.channels=all", folder=folder)
    with h5py.File(folder / "one.h5") as file:
        assert file["features"].shape[1:] == (1, 80)


@pytest.mark.parametrize("layout", ["packed", "fixed"])
@pytest.mark.parametrize("scope", ["none", "clip"])
def test_added_clips_are_those_of_a_fresh_run(veery, folder, scope, layout):
    settings = {"audio.channels": "all", "normalize.scope": scope, "store.layout": layout}
    if layout == "fixed":
        settings["audio.duration"] = 1
    options = words(settings)
    veery("extract", "all.csv", "-o", "whole.h5", *options, folder=folder)
    veery("extract", "some.csv", "-o", "f.h5", *options, folder=folder)
    veery("extract", "all.csv", "-o", "f.h5", "--append", *options, folder=folder)
    assert (folder / "f.h5").read_bytes() == (folder / "whole.h5").read_bytes()
    assert "up to date" in veery("extract", "all.csv", "-o", "f.h5", *options, folder=folder).stderr
    # Clips cannot be appended to a file with another number of channels.
    write_wav(folder / "mono.wav", RATE, noise(5, 5000), dtype="<f4")
    write_manifest(folder / "mono.csv", [{"path": "mono.wav"}])
    veery("extract", "mono.csv", "-o", "mono.h5", *options, folder=folder)
    before = (folder / "mono.h5").read_bytes()
    said = veery("extract", "all.csv", "-o", "mono.h5", "--append", *options, status=1, folder=folder).stderr
    assert (folder / "mono.h5").read_bytes() == before, said


def test_patches_are_of_one_signal(veery, folder):
    said = veery(
        "extract", "all.csv", "-o", "f.h5", "--set", "audio.channels=all", "--set", "patches.length=4", status=64,
        folder=folder).stderr
    assert "patches.length" in said and "audio.channels: all" in said


@pytest.mark.parametrize("layout", ["packed", "fixed"])
def test_pictures_summaries_and_exports(veery, folder, layout):
    settings = {"audio.channels": "all", "store.layout": layout, "normalize.scope": "clip"}
    settings |= {"audio.duration": 1.5} if layout == "fixed" else {}
    veery("extract", "all.csv", "-o", "f.h5", *words(settings), folder=folder)
    for channel in range(CHANNELS):
        veery("extract", "all.csv", "-o", f"{channel}.h5", *words({**settings, "audio.channels": channel}), folder=folder)
    # A panel for each channel: its pixels are those of the channel alone.
    veery("render", "f.h5", "--clip", "2", "--plain", "-o", "all.png", folder=folder)
    veery("render", "2.wav", *words({**settings, "store.layout": "packed"}), "-o", "recording.png", folder=folder)
    veery("render", "f.h5", "--sheet", "-o", "sheet.png", folder=folder)
    veery("inspect", "f.h5", "--html", "report.html", folder=folder)
    summary = json.loads(veery("inspect", "f.h5", "--json", folder=folder).stdout)
    assert summary["feature_channels"] == CHANNELS and summary["bins"] == 80
    assert {len(summary["statistics"][name]) for name in ("mean", "std", "min", "max", "frequency")} == {CHANNELS * 80}
    assert f"{CHANNELS} channels × 80 bins" in veery("inspect", "f.h5", folder=folder).stdout
    with h5py.File(folder / "f.h5") as file:
        features, counts = file["features"][:], file["clips/frame_count"][:]
        own = file["clips/statistics/mean"][:]
    veery("export", "f.h5", "--to", "npy", "-o", "npy", folder=folder)
    expected = features if layout == "packed" else features.transpose(0, 2, 1, 3)
    assert np.array_equal(np.load(folder / "npy/features.npy"), expected)
    assert np.array_equal(np.load(folder / "npy/clip_statistics.npy")[:, 0], own)
    for form in ("kaldi", "lhotse"):
        assert "matrices" in veery("export", "f.h5", "--to", form, "-o", form, status=1, folder=folder).stderr
    with package.open(folder / "f.h5") as opened:
        batch, _ = next(package.batches(opened, 4))
        assert batch.shape[2:] == (CHANNELS, 80)
        for clip, count in enumerate(counts):
            assert np.array_equal(batch[clip, :count], opened[clip].features)
            assert np.array_equal(opened[clip].statistics.mean, own[clip])


def test_a_stream_becomes_one_signal(veery, folder):
    said = veery("live", "--file", "0.wav", "--record", "l.h5", "--set", "audio.channels=all", status=(1, 64), folder=folder)
    assert "audio.channels" in said.stderr and not (folder / "l.h5").exists()


@pytest.mark.parametrize("layout", ["packed", "fixed"])
@pytest.mark.parametrize("change", [0, 2, 2**31])
def test_a_damaged_number_of_channels_is_refused(veery, folder, layout, change):
    settings = {"audio.channels": "all", "store.layout": layout, "audio.duration": 1, "audio.fit": "zero"}
    veery("extract", "all.csv", "-o", "f.h5", *words(settings), folder=folder)
    with h5py.File(folder / "f.h5", "r+") as file:
        file["features"].attrs["channels"] = np.int64(change)
    assert "shape" in veery("inspect", "f.h5", status=1, folder=folder).stderr
    with pytest.raises(package.FeatureFileError):
        package.open(folder / "f.h5")


def test_a_manifest_that_names_channels_is_refused(veery, folder):
    """Whichever row comes first: a clip of one channel must not set the number of channels for all."""
    for rows in ([("0.wav", ""), ("1.wav", "1")], [("0.wav", "2"), ("1.wav", "")]):
        (folder / "named.csv").write_text("path,channel\n" + "".join(f"{path},{channel}\n" for path, channel in rows))
        clip, channel = next((path[0], channel) for path, channel in rows if channel)
        for more in ([], ["--dry-run"]):
            said = veery(
                "extract", "named.csv", "-o", "f.h5", "--set", "audio.channels=all", *more, status=1, folder=folder).stderr
            assert f"named.csv: the clip '{clip}#ch{channel}' names channel {channel}, but audio.channels is all" in said
        assert not (folder / "f.h5").exists()
    # A column of empty fields names no channel.
    (folder / "named.csv").write_text("path,channel\n0.wav,\n1.wav,\n")
    veery("extract", "named.csv", "-o", "f.h5", "--set", "audio.channels=all", folder=folder)


def test_a_resumed_run_does_not_mix_numbers_of_channels(veery, program, folder):
    rows = []
    for number in range(60):
        write_wav(folder / f"r{number}.wav", RATE, np.stack([0.1 * noise(number, 40_000)] * 2, axis=1), dtype="<f4")
        # Many clips and many frames of few values: a run of seconds that writes little.
        rows += [{"path": f"r{number}.wav", "id": f"{number}-{copy}"} for copy in range(20)]
    write_manifest(folder / "many.csv", rows)
    options = ["--set", "audio.channels=all", "--set", "normalize.scope=none", "--set", "frame.hop=20",
               "--set", "transform.bins=2", "--jobs", 1]
    command = [program, "extract", "many.csv", "-o", "f.h5", *map(str, options)]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        # Terminated when some clips are done, and not all: those are kept.
        while process.poll() is None and not any(
                path.stat().st_size for path in (folder / "f.h5.spool").glob("clips-*.spool")):
            time.sleep(0.001)
        process.terminate()
    assert process.returncode == 143 and not (folder / "f.h5").exists()
    for row in rows:
        write_wav(folder / row["path"], RATE, np.stack([0.1 * noise(7, 40_000)] * 3, axis=1), dtype="<f4")
    said = veery(*map(str, command[1:]), status=1, folder=folder).stderr
    assert "the clips had 2 channels and have 3 now" in said


def test_statistics_of_channels_are_taken_from_a_file_of_as_many(veery, folder):
    options = ["--set", "audio.channels=all"]
    veery("extract", "all.csv", "-o", "all.h5", *options, folder=folder)
    veery("extract", "all.csv", "-o", "same.h5", "--stats-from", "all.h5", *options, folder=folder)
    with h5py.File(folder / "all.h5") as a, h5py.File(folder / "same.h5") as b:
        assert np.array_equal(a["features"][:], b["features"][:], equal_nan=True)
    veery("extract", "all.csv", "-o", "one.h5", "--set", "audio.channels=0", folder=folder)
    veery("extract", "all.csv", "-o", "f.h5", "--stats-from", "one.h5", *options, status=(1, 64), folder=folder)
    veery("extract", "all.csv", "-o", "f.h5", "--stats-from", "all.h5", "--set", "audio.channels=0", status=(1, 64), folder=folder)


def test_a_plan_of_a_file_takes_one_channel(veery, folder):
    veery("extract", "all.csv", "-o", "all.h5", "--set", "audio.channels=all", folder=folder)
    samples = np.stack([(c + 1) * 0.1 * noise(c, LENGTHS[0]) for c in range(CHANNELS)], axis=1).astype(np.float32)
    with package.open(folder / "all.h5") as file:
        with pytest.raises(package.FeatureError, match=r"3 channels by statistics of its own: name one, as in plan\(channel=0\)"):
            file.plan()
        with pytest.raises(package.FeatureError, match="channel: expected a number from 0 to 2, found 3"):
            file.plan(channel=3)
        with pytest.raises(package.FeatureError, match=r"take those of one channel: statistics.channel\(c\)"):
            package.FeaturePlan(file.configuration, statistics=file.statistics)
        for channel in range(CHANNELS):
            plan = file.plan(channel=channel)
            found = plan.features(np.ascontiguousarray(samples[:, channel]))
            assert np.array_equal(found, file[0].features[:, channel])
        with pytest.raises(package.FeatureError, match=r"each channel as a signal of its own: features of samples\[:, c\]"):
            plan.features(samples)
        assert file.raw().plan().features(np.ascontiguousarray(samples[:, 0])).shape == file[0].features[:, 0].shape


@pytest.mark.parametrize("what", ["channel", "ddof", "epsilon", "epsilon_in", "constant_mean", "constant_std"])
def test_verify_sees_a_change_of_the_axis_and_of_the_statistics(veery, folder, what):
    settings = {"normalize": {"scope": "constant", "mean": -5, "std": 3}} if "constant" in what else {
        "audio.channels": "all", "normalize.scope": "clip", "normalize.ddof": 1, "normalize.epsilon": 1e-5,
        "normalize.epsilon_in": "variance"}
    veery("extract", "some.csv", "-o", "f.h5", *words(settings), folder=folder)
    assert "complete and consistent" in veery("inspect", "f.h5", "--verify", folder=folder).stdout
    with h5py.File(folder / "f.h5", "r+") as file:
        if what == "channel":
            file["channel"][:] = [0, 2, 1]
        else:
            changed = {"ddof": np.int64(0), "epsilon_in": "std"}.get(what, 77.0)
            file["statistics"].attrs[what] = changed
    assert "metadata_xxh3" in veery("inspect", "f.h5", "--verify", status=(1, 2), folder=folder).stdout


def test_reports_tell_channels_apart(veery, folder):
    """Statistics of each channel; in the pictures, frequencies rise, whatever their stored order."""
    pages = {}
    for order in ("ascending", "descending"):
        options = words({"audio.channels": "all", "normalize.scope": "none", "transform.order": order})
        veery("extract", "all.csv", "-o", f"{order}.h5", *options, folder=folder)
        veery("inspect", f"{order}.h5", "--html", f"{order}.html", "--root", ".", folder=folder)
        pages[order] = (folder / f"{order}.html").read_text()
        assert "3 channels × 80 values" in pages[order] and "Pictures show the mean of 3 channels." in pages[order]
        for channel in range(CHANNELS):
            assert f"Bins as stored, channel {channel}" in pages[order]
        text = veery("inspect", f"{order}.h5", folder=folder).stdout
        curves = [line.split() for line in text.splitlines() if line.split()[:1] in (["mean"], ["std"])]
        assert [curve[1] for curve in curves] == ["0", "0", "1", "1", "2", "2"]
        pages[order + " curves"] = curves
    assert pages["ascending curves"] == pages["descending curves"]
    pictures = {order: re.findall(r'src="(data:image/png[^"]*)"', pages[order]) for order in ("ascending", "descending")}
    assert pictures["ascending"] and pictures["ascending"] == pictures["descending"]
