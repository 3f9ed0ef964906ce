"""Every shape of a row with every layout and type, through every command that writes or reads features: a covering subset."""
import base64
import io
import json
import random
import re
import shutil
import subprocess
import tarfile
import time

import h5py
import numpy as np
import pytest
from PIL import Image

import veery as package
from conftest import noise, tone, write_manifest, write_wav
from test_export import tensors as read_tensors

RATE = 16_000
FIXED = {"store.layout": "fixed"}
DEFLATE = {"store.compression": "deflate"}
HALF = {"store.type": "float16"}
RAW = {"frame": {"length": 320, "hop": 320, "fft_length": 320, "window": "rectangular"}, "transform": {"kind": "raw"},
       "scale": {"kind": "linear"}}

# Each shape with each form at least once over the kinds of normalisation.
SHAPES = {
    "channels": {"audio.channels": "all", "normalize.scope": "clip", "normalize.ddof": 1},
    "channels, deflate": {"audio.channels": "all", **DEFLATE},
    "channels, fixed, half": {"audio.channels": "all", "audio.duration": 0.75, "normalize.scope": "none", **FIXED, **DEFLATE,
                              **HALF},
    "channels, fixed": {"audio.channels": "all", "audio.duration": 0.75, "normalize.scope": "clip", **FIXED},
    "patches, drop, half": {"patches.length": 12, "patches.hop": 5, **HALF},
    "patches, fill, fixed": {"patches.length": 12, "patches.rest": "fill", "rows.count": 60, "normalize.scope": "clip", **FIXED},
    "patches, fill": {"patches.length": 12, "patches.rest": "fill", "rows.fill": -1, "normalize.scope": "none", **DEFLATE},
    "patches, zeros": {"patches.length": 12, "patches.hop": 6, "patches.rest": "zeros", "normalize.scope": "clip"},
    "stacked": {"patches.length": 3, "patches.stacked": True, "normalize.scope": "none"},
    "stacked, fixed": {"patches.length": 3, "patches.stacked": True, "audio.duration": 0.75, **FIXED, **DEFLATE},
    "rows before": {"rows.count": 50, "rows.fill": -3, "rows.fill_order": "before", "normalize.scope": "clip", **DEFLATE},
    "rows after": {"rows.multiple": 32, "rows.fill": -3, "normalize": {"scope": "constant", "mean": -5, "std": 3}},
    "rows, fixed": {"rows.count": 50, **FIXED, **HALF},
    "repeat": {"audio.duration": 1, "audio.fit": "repeat", "condition.remove_dc": True, "scale.floor": 1e-30,
               "normalize.scope": "clip"},
    "crop": {"audio.duration": 0.5, "audio.fit": "repeat_pad", "audio.crop": "center", "normalize.scope": "none", **FIXED},
    "raw": {**RAW, "normalize.scope": "clip", **HALF},
}


def words(settings):
    return [word for key, value in settings.items() for word in ("--set", f"{key}={json.dumps(value)}")]


@pytest.fixture(scope="module", autouse=True)
def _library(library):
    """Skips nothing: without the library, all tests here fail."""


@pytest.fixture(scope="module")
def sounds(tmp_path_factory):
    """Fourteen recordings of two channels, some silent, after which nothing of the noise before may be left."""
    folder, rows = tmp_path_factory.mktemp("shapes"), []
    draw = random.Random(18)
    for number in range(14):
        isSilent = number % 5 == 3
        # Short, so that it is repeated.
        length = 9000 if isSilent else draw.randrange(4000, 30_000)
        samples = np.stack([(c + 1) * 0.1 * noise(10 * number + c, length) + 0.05 for c in range(2)], axis=1)
        if isSilent:
            samples[:] = 0
        write_wav(folder / f"{number:02}.wav", RATE, samples, dtype="<f4")
        rows.append({"path": f"{number:02}.wav", "label": "ab"[number % 2], "split": "train"})
    write_manifest(folder / "all.csv", rows)
    write_manifest(folder / "some.csv", rows[:7])
    write_manifest(folder / "silent.csv", rows[3:4])
    write_wav(folder / "one.wav", RATE, 0.1 * noise(99, 20_100) + 0.05, dtype="<f4")
    write_manifest(folder / "one.csv", [{"path": "one.wav"}])
    with tarfile.open(folder / "all.tar", "w") as archive:
        for row in rows:
            archive.add(folder / row["path"], row["path"])
    return folder


@pytest.fixture
def folder(sounds, tmp_path):
    shutil.copytree(sounds, tmp_path, dirs_exist_ok=True)
    return tmp_path


def same_rows(one, other):
    """That two files hold equal features and statistics, where their provenance may differ."""
    with h5py.File(one) as a, h5py.File(other) as b:
        assert a["features"].dtype == b["features"].dtype
        assert np.array_equal(a["features"][:], b["features"][:], equal_nan=True)
        for name in ("frame_start", "frame_count", "computed_frames"):
            assert (name in a["clips"]) == (name in b["clips"])
            assert name not in a["clips"] or np.array_equal(a["clips"][name][:], b["clips"][name][:])
        for name in ("mean", "std", "min", "max"):
            assert np.array_equal(a["statistics"][name][:], b["statistics"][name][:])


@pytest.mark.long
@pytest.mark.parametrize("name", SHAPES)
def test_bytes_do_not_depend_on_how_a_file_came_about(veery, program, folder, name):
    options = words(SHAPES[name])
    veery("extract", "all.csv", "-o", "two.h5", *options, "--jobs", 2, folder=folder)
    wanted = (folder / "two.h5").read_bytes()
    started = time.monotonic()
    veery("extract", "all.csv", "-o", "one.h5", *options, "--jobs", 1, folder=folder)
    took = time.monotonic() - started
    assert (folder / "one.h5").read_bytes() == wanted
    draw = random.Random(name)
    for _ in range(3):
        with subprocess.Popen(
                [program, "extract", "all.csv", "-o", "killed.h5", *options, "--jobs", "1"], cwd=folder,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(draw.uniform(0, took))
            process.kill()
    veery("extract", "all.csv", "-o", "killed.h5", *options, folder=folder)
    assert (folder / "killed.h5").read_bytes() == wanted
    assert "complete and consistent" in veery("inspect", "two.h5", "--verify", folder=folder).stdout
    veery("extract", "some.csv", "-o", "grown.h5", *options, folder=folder)
    veery("extract", "some.csv", "-o", "followed.h5", *options, folder=folder)
    veery("extract", "all.csv", "-o", "grown.h5", "--append", *options, folder=folder)
    scope = SHAPES[name].get("normalize.scope", "constant" if "normalize" in SHAPES[name] else "dataset")
    fresh = ["--new-statistics"] if scope == "dataset" else []
    veery("extract", "all.csv", "-o", "followed.h5", "--sync", *fresh, *options, folder=folder)
    assert (folder / "followed.h5").read_bytes() == wanted
    if scope == "clip":
        assert (folder / "grown.h5").read_bytes() == wanted
    elif scope != "dataset":
        with h5py.File(folder / "grown.h5") as grown, h5py.File(folder / "two.h5") as whole:
            assert np.array_equal(grown["features"][:], whole["features"][:], equal_nan=True)
    if scope != "dataset":
        # A clip does not depend on those before it: silence after noise is silence alone.
        veery("extract", "silent.csv", "-o", "silent.h5", *options, folder=folder)
        with package.open(folder / "silent.h5") as alone, package.open(folder / "two.h5") as whole:
            assert np.array_equal(alone["03"].features, whole["03"].features)
    if scope == "dataset":
        veery("extract", "all.csv", "-o", "same.h5", "--stats-from", "two.h5", *options, folder=folder)
        same_rows(folder / "same.h5", folder / "two.h5")


@pytest.mark.parametrize("name", ["channels", "channels, fixed", "patches, zeros", "rows after", "raw"])
def test_a_stream_of_recordings_gives_the_features_of_the_files(veery, folder, name):
    options = [*words(SHAPES[name]), "--jobs", 1]
    veery("extract", "all.csv", "-o", "files.h5", *options, folder=folder)
    veery("extract", "--tar", "all.tar", "-o", "tar.h5", *options, folder=folder)
    same_rows(folder / "files.h5", folder / "tar.h5")


@pytest.mark.parametrize("name", [name for name in SHAPES if "channels" not in name])
def test_live_recordings_are_extracted_ones(veery, folder, name):
    # What needs the whole recording first is refused.
    options = words({**SHAPES[name], "condition.remove_dc": False, "audio.crop": "start"})
    veery("extract", "one.csv", "-o", "f.h5", *options, folder=folder)
    veery("live", "--file", "one.wav", "--speed", 0, "--preset", "log-mel", *options, "--record", "l.h5", folder=folder)
    same_rows(folder / "l.h5", folder / "f.h5")
    assert "complete and consistent" in veery("inspect", "l.h5", "--verify", folder=folder).stdout


@pytest.mark.long
@pytest.mark.parametrize("name", ["patches, fill", "patches, zeros", "rows before", "rows after", "stacked"])
def test_a_recording_that_was_killed_has_whole_rows_and_patches(veery, program, folder, name):
    settings = SHAPES[name]
    write_wav(folder / "long.wav", RATE, 0.1 * noise(5, 10 * RATE), dtype="<f4")
    command = [program, "live", "--file", "long.wav", "--speed", "1", "--preset", "log-mel", *words(settings), "--record", "k.h5"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(2.2)
        process.kill()
    veery("live", "--recover", "k.h5", folder=folder)
    assert "complete and consistent" in veery("inspect", "k.h5", "--verify", folder=folder).stdout
    with h5py.File(folder / "k.h5") as file:
        count = file["clips/frame_count"][0]
        features = file["features"][:count]
        assert len(features) == count > 0 and np.isfinite(features).all()
        rows = features.reshape(-1, 80)
        if "rows.multiple" in settings:
            assert len(rows) % settings["rows.multiple"] == 0
            computed = file["clips/computed_frames"][0]
            assert computed < len(rows) and (rows[computed:] == settings["rows.fill"]).all()
            assert (rows[:computed] != settings["rows.fill"]).any(axis=1).all()


# -------------------------------------------------------------------------------------------------------- exports


def exported(veery, folder, kind):
    veery("export", "f.h5", "--to", kind, "-o", kind, folder=folder)
    return folder / kind


@pytest.mark.parametrize("name", [
    "channels", "channels, fixed", "patches, drop, half", "patches, fill, fixed", "stacked", "rows after"])
def test_exports_hold_the_clips_in_their_shapes(veery, folder, name):
    write_manifest(folder / "marks.csv", [
        {"path": f"{number:02}.wav", "start": 0.03, "end": 0.11, "label": "ab"[number % 2]} for number in range(14)])
    veery("extract", "all.csv", "-o", "f.h5", *words(SHAPES[name]), "--frame-labels", "marks.csv", folder=folder)
    with h5py.File(folder / "f.h5") as file:
        stored, labels = file["features"][:], file["frame_label"][:]
        counts, ids = file["clips/frame_count"][:], file["clips/id"].asstr()[:]
        starts, isFixed = file["clips/frame_start"][:], file.attrs["layout"] == "fixed"
        channels = file["features"].attrs.get("channels")
        mean = file["statistics/mean"][:]

    def own(array, clip, hasChannels=True):
        if not isFixed:
            return array[starts[clip]:starts[clip] + counts[clip]]
        if channels is not None and hasChannels:
            return array[clip, :, :counts[clip]].transpose(1, 0, 2)
        return array[clip, :counts[clip]]

    arrays = exported(veery, folder, "npy")
    # Rows between clips are left out.
    features, marks = np.load(arrays / "features.npy"), np.load(arrays / "frame_label.npy")
    tensors = exported(veery, folder, "safetensors") / "features.safetensors"
    loaded, about = read_tensors(tensors)
    assert about.get("channels") == (None if channels is None else str(channels))
    assert np.array_equal(loaded["features"], features) and np.array_equal(loaded["frame_label"], marks)
    assert np.array_equal(loaded["statistics"][0], mean)
    shards = sorted(exported(veery, folder, "webdataset").glob("*.tar"))
    members = {}
    for shard in shards:
        with tarfile.open(shard) as archive:
            members.update((member.name, archive.extractfile(member).read()) for member in archive)
    first = 0
    for clip, count in enumerate(counts):
        wanted = own(stored, clip)
        if isFixed:
            # Frames come before channels, as in a clip.
            exportedRows, exportedMarks = features[clip, :count], marks[clip, :count]
        else:
            exportedRows, exportedMarks = features[first:first + count], marks[first:first + count]
        first += count
        assert np.array_equal(exportedRows, wanted)
        assert np.array_equal(exportedMarks, own(labels, clip, hasChannels=False))
        key = ids[clip]
        assert np.array_equal(np.load(io.BytesIO(members[f"{key}.npy"])), wanted)
        assert np.array_equal(np.load(io.BytesIO(members[f"{key}.frame_label.npy"])), own(labels, clip, hasChannels=False))
    reference = exported(veery, folder, "zarr")
    entries = json.loads(next(reference.glob("*.json")).read_text())["refs"]
    about = json.loads(entries["features/.zattrs"])
    assert json.loads(entries["features/.zarray"])["shape"] == list(stored.shape)
    columns = {"stacked": ["column"]}.get(name, ["frequency"])
    first = ["clip", "time"] if isFixed else ["row"]
    if channels is not None:
        first.insert(1, "channel")
    assert about["_ARRAY_DIMENSIONS"] == first + ["patch_time"] * ("patches" in name) + columns
    isMatrix = stored.ndim == (3 if isFixed else 2)
    for kind in ("kaldi", "lhotse"):
        said = veery("export", "f.h5", "--to", kind, "-o", kind, status=(0, 1, 2, 64), folder=folder)
        assert (said.returncode == 0) == isMatrix, said.stderr
        assert isMatrix or "this format holds matrices" in said.stderr


# --------------------------------------------------------------------------------------------- Python, and pictures


@pytest.mark.parametrize("name", [name for name in SHAPES if "channels" in name or "patches" in name or "stacked" in name])
def test_xarray_has_the_rows_of_every_shape(veery, folder, name):
    veery("extract", "all.csv", "-o", "f.h5", *words(SHAPES[name]), folder=folder)
    with package.open(folder / "f.h5") as opened:
        array, first = opened.to_xarray()["features"], 0
        for number, clip in enumerate(opened):
            found = clip.to_xarray()
            assert found.shape == clip.features.shape and np.array_equal(found.values, clip.features)
            # Rows between clips are left out; frames come before channels.
            own = array[number, :clip.frame_count] if "clip" in array.dims else array[first:first + clip.frame_count]
            first += clip.frame_count
            assert np.array_equal(own.values, clip.features)
        # What the package reads, mapped or unpacked, is what h5py reads.
        with h5py.File(folder / "f.h5") as file:
            starts, counts = file["clips/frame_start"][:], file["clips/frame_count"][:]
            stored, layout = file["features"][:], file.attrs["layout"]
        for number, clip in enumerate(opened):
            count = counts[number]
            if layout == "packed":
                wanted = stored[starts[number]:starts[number] + count]
            elif "channels" in name:
                wanted = stored[number, :, :count].transpose(1, 0, 2)
            else:
                wanted = stored[number, :count]
            assert np.array_equal(np.asarray(clip.features).reshape(wanted.shape), wanted)
        assert ("channel" in array.dims) == ("channels" in name)


def test_labels_of_frames_lie_where_a_cropped_segment_lies(veery, folder):
    """Segments are cropped to their middle; the recording has another rate, and frames start at a sample after resampling."""
    rate = 22_050
    write_wav(folder / "y.wav", rate, 0.1 * noise(4, 5 * rate), dtype="<f4")
    segments = {"whole": ("", ""), "part": (0.713, 4.302), "short": (0.5, 0.9), "exact": (1, 2)}
    write_manifest(folder / "y.csv", [
        {"path": "y.wav", "id": name, "start": start, "end": end} for name, (start, end) in segments.items()])
    write_manifest(folder / "marks.csv", [
        {"path": "y.wav", "start": tenth / 10, "end": (tenth + 1) / 10, "label": tenth} for tenth in range(50)])
    options = words({"audio.duration": 1, "audio.crop": "center", "audio.fit": "repeat", "normalize.scope": "none"})
    veery("extract", "y.csv", "-o", "y.h5", "--frame-labels", "marks.csv", *options, folder=folder)
    with package.open(folder / "y.h5") as opened:
        for clip in opened:
            start = round(clip.start * rate) / rate
            first = start + max(round(clip.duration * RATE) - RATE, 0) // 2 / RATE
            times = first + 0.0125 + 0.01 * np.arange(clip.frame_count)
            # At an edge of two marks, or past the clip's end, either may be meant.
            sure = (np.abs(times * 10 - np.round(times * 10)) > 0.02) & (times < start + clip.duration)
            found = [opened.frame_label_names[label] if label >= 0 else None for label in clip.frame_labels]
            assert sure.sum() > 30
            for time_, label in zip(times[sure], np.asarray(found, object)[sure]):
                assert label == str(int(time_ * 10)), (clip.id, time_, label)


def panels(path):
    """The images of the panels of an SVG, brightness by [row, column]; the last image is the bar of the colours."""
    data = re.findall(r'<image[^>]*href="data:image/png;base64,([^"]*)"', path.read_text())
    images = [Image.open(io.BytesIO(base64.b64decode(text))).convert("RGB") for text in data]
    return [np.asarray(image).astype(float).sum(axis=2) for image in images[:-1]]


def test_pictures_show_each_channel(veery, folder):
    """A channel has a low tone, the other a high one: each panel is brightest in the row of its channel's tone."""
    low, high = tone(RATE, 1, [440]), tone(RATE, 1, [5000])
    options = words({"normalize.scope": "none", "audio.sample_rate": RATE, "audio.channels": "all"})
    for name, channels in {"st": [low, high], "twice": [low, low]}.items():
        write_wav(folder / f"{name}.wav", RATE, np.stack(channels, axis=1), dtype="<f4")
        write_manifest(folder / f"{name}.csv", [{"path": f"{name}.wav", "id": "x", "label": "x"}])
        veery("extract", f"{name}.csv", "-o", f"{name}.h5", *options, folder=folder)
    recording = ["st.wav", "--preset", "log-mel", *options]
    for number, source in enumerate((["st.h5", "--clip", "x"], recording)):
        veery("render", *source, "-o", f"{number}.svg", "--colors", "magma", "--theme", "dark", folder=folder)
        found = [image.mean(axis=1).argmax() / len(image) for image in panels(folder / f"{number}.svg")]
        # From the top: 440 Hz is at 15 % of the height of 80 mel bands, 5000 Hz at 85 %.
        assert len(found) == 2 and abs(found[0] - 0.85) < 0.05 and abs(found[1] - 0.15) < 0.05, found
    # A sheet shows the mean of the channels: of equal ones, the picture of one.
    veery("extract", "st.csv", "-o", "low.h5", *options, "--set", "audio.channels=0", folder=folder)
    for file in ("st", "twice", "low"):
        veery("render", f"{file}.h5", "--sheet", "--range=-20:10", "-o", f"sheet-{file}.svg", folder=folder)
    sheets = {file: re.findall('<image.*', (folder / f"sheet-{file}.svg").read_text()) for file in ("st", "twice", "low")}
    assert sheets["low"] and sheets["twice"] == sheets["low"] != sheets["st"]


def test_a_picture_of_some_rows_shows_as_much_as_they_last(veery, folder):
    """60 rows of 5 ms are 0.3 s of a recording that is silent before and after; a shorter hop would show less of it."""
    samples = 0.3 * noise(3, 3 * RATE)
    write_wav(folder / "long.wav", RATE, samples, dtype="<f4")
    veery("render", "long.wav", "--set", "rows.count=60", "-o", "r.svg", folder=folder)
    fixed = ["--set", "frame.hop=5 ms", "--set", "frame.fft_length=512"]
    veery("render", "long.wav", "--set", "rows.count=60", *fixed, "-o", "s.svg", folder=folder)
    times = [axis_labels(folder / name) for name in ("r.svg", "s.svg")]
    assert times[0] == times[1]


def axis_labels(path):
    """Their letters; the settings are in the title, which ends at 50."""
    lines = [line for line in path.read_text().splitlines() if "<use" in line and ' y="' in line]
    return [line for line in lines if float(line.split(' y="')[1].split('"')[0]) > 50]
