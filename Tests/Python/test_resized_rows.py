"""Rows and columns that are resized (`rows.resize`, `rows.resize_bins`): against NumPy in float64, and everything that follows from them in
files, plans, streams and pictures."""

import json

import h5py
import numpy as np
import pytest
import soundfile
from test_model_primitives import NONE, POWER, RATE, close, plan, signal, streamed

import veery as package

FRAME = {"length": 400, "hop": 160, "fft_length": 512}


@pytest.fixture(scope="module", autouse=True)
def _library(library):
    """Skips nothing: without the library, all tests here fail."""


def resized(rows, factor=None, bins=None, method="bilinear"):
    """By a matrix for each axis, as torch's interpolate with a size and align_corners=False."""
    found = np.asarray(rows, np.float64)
    for axis, count in ((0, None if factor is None else int(len(rows) * factor)), (1, bins)):
        if count is None:
            continue
        old = found.shape[axis]
        weights = np.zeros((count, old))
        for i in range(count):
            position = min(max((i + 0.5) * old / count - 0.5, 0), old - 1) if method == "bilinear" else min(i * old // count, old - 1)
            first = int(position)
            weights[i, first] += 1 - (position - first)
            if position > first:
                weights[i, first + 1] += position - first
        found = np.moveaxis(np.tensordot(weights, found, (1, axis)), 0, axis)
    return found


def keys(factor=None, bins=None, method="bilinear", multiple=1):
    named = {"resize": factor, "resize_bins": bins, "resize_method": method, "resize_multiple": multiple}
    defaults = {"resize": None, "resize_bins": None, "resize_method": "bilinear", "resize_multiple": 1}
    return {key: value for key, value in named.items() if value != defaults[key]}


@pytest.mark.parametrize("factor, bins", [(0.5, 128), (0.5, None), (None, 31), (None, 200), (1, 80), (1, 40), (0.3, 7), (1 / 3, 1), (0.9, 81), (0.013, 80),
                                          # Quotients that end just below a whole number when they are rounded before the product.
                                          (None, 154), (None, 245), (0.47, None)])
@pytest.mark.parametrize("method", ["bilinear", "nearest"])
def test_rows_and_columns(factor, bins, method):
    for samples in (400, 560, 5000, 9001, 20_000, 40_000):
        x = signal(31, samples)
        bare = plan(frame=FRAME).features(x)
        made = plan(frame=FRAME, rows=keys(factor, bins, method))
        expected = resized(bare, factor, bins, method)
        found = made.features(x)
        assert made.bins == (bins or 80)
        if not len(expected):
            assert len(found) == 0 and samples < made.minimum_samples
            continue
        close(found, expected, 1e-7)
        assert samples >= made.minimum_samples
        for cuts in ([1, 399, 400, 4000], range(0, samples, 777)):
            assert np.array_equal(streamed(made, x, cuts), found)
    least = made.minimum_samples
    assert len(made.features(signal(31, least))) == 1 and len(made.features(signal(31, least - 1))) == 0


@pytest.mark.parametrize("normalize", [
    {"scope": "clip", "method": "mean", "minimum": 0}, {"scope": "clip"}, {"scope": "clip", "axis": "all", "method": "minmax"},
    {"scope": "constant", "mean": -9, "std": 2}], ids=["cut at 0", "zscore", "minmax", "constants"])
def test_a_clips_own_normalisation_comes_first(normalize):
    x = signal(32, 9000)
    sections = {"frame": FRAME, "normalize": normalize}
    bare = package.FeaturePlan(sections, RATE).features(x)
    made = package.FeaturePlan({**sections, "rows": keys(0.5, 32)}, RATE)
    close(made.features(x), resized(bare, 0.5, 32), 1e-6)
    assert np.array_equal(streamed(made, x, [1, 5000]), made.features(x))
    assert made.normalization == normalize["scope"] and made.needs_whole_signal


def test_constants_of_resized_columns():
    x = signal(33, 9000)
    mean, std = np.linspace(-12, -5, 32), np.linspace(0.5, 3, 32)
    made = package.FeaturePlan(
        {"frame": FRAME, "rows": keys(None, 32), "normalize": {"scope": "constant", "mean": mean.tolist(), "std": std.tolist()}}, RATE)
    close(made.features(x), (resized(plan(frame=FRAME).features(x), None, 32) - mean) / std)


@pytest.mark.parametrize("multiple, minimum", [(1, None), (2, None), (32, None), (32, 0.5), (7, None)])
def test_zeros_until_rows_are_enough(multiple, minimum):
    audio = {"minimum": minimum}
    bare, made = plan(frame=FRAME, audio=audio), plan(frame=FRAME, audio=audio, rows=keys(0.5, 40, "bilinear", multiple))
    for samples in (1, 399, 720, 3000, 400 + 160 * 127, 400 + 160 * 128, 399 + 160 * 129, 400 + 160 * 129, 20_001):
        x = signal(34, samples)
        rows = len(bare.features(x))
        wanted = max(-(-(rows // 2) // multiple), 1) * multiple
        if wanted != rows // 2 and multiple > 1:
            x_padded = np.pad(x, (0, max(400 + 160 * (2 * wanted - 1) - samples, 0)))
        else:
            x_padded = x
        expected = resized(bare.features(x_padded), 0.5, 40)
        found = made.features(x)
        assert len(found) % multiple == 0 and made.frame_count(samples) == len(expected)
        if len(expected):
            close(found, expected, 1e-7)
            assert np.array_equal(streamed(made, x, [5, samples // 2]), found)


@pytest.mark.parametrize("multiple, length", [(2, 5), (32, 40), (32, 32), (32, 33), (32, 1)])
def test_the_minimum_of_samples_is_that_of_a_patch(multiple, length):
    made = plan(frame=FRAME, rows=keys(0.5, None, "bilinear", multiple), patches={"length": length})
    least = made.minimum_samples
    assert len(made.features(signal(38, least))) >= 1 and made.frame_count(least - 1) == 0
    assert (least == 1) == (length <= multiple)


def test_maxima_are_those_before():
    x = signal(35, 9000)
    scale = {"kind": "db", "top_db": 30, "reference": "max"}
    bare = plan(frame=FRAME, scale=scale).features(x)
    close(plan(frame=FRAME, scale=scale, rows=keys(0.5, 40)).features(x), resized(bare, 0.5, 40), 1e-7)


def test_slopes_of_all_rows():
    x = signal(36, 9000)
    transform = {"kind": "mfcc", "deltas": 2, "mel_norm": "none"}
    bare = plan(frame=FRAME, transform=transform).features(x)
    close(plan(frame=FRAME, transform=transform, rows=keys(0.5)).features(x), resized(bare, 0.5), 1e-7)


def test_rows_are_added_and_grouped_after_it():
    x = signal(37, 9000)
    half = plan(frame=FRAME, rows=keys(0.5, 40)).features(x)
    made = plan(frame=FRAME, rows={**keys(0.5, 40), "multiple": 16, "fill": -1}, patches={"length": 4, "hop": 2, "stacked": True})
    padded = np.concatenate([half, np.full((-len(half) % 16, 40), -1, np.float32)])
    expected = np.stack([padded[i:i + 4].ravel() for i in range(0, len(padded) - 3, 2)])
    assert np.array_equal(made.features(x), expected)


def test_times_and_frequencies():
    bare = plan(frame=FRAME, transform={"kind": "fft"}, scale=POWER)
    made = plan(frame=FRAME, transform={"kind": "fft"}, scale=POWER, rows=keys(0.25, 100))
    assert np.isclose(made.frame_period, 0.04) and np.isclose(made.first_frame_time, 200 / RATE + 0.015)
    assert np.allclose(made.axis, resized(bare.axis[None], None, 100)[0], rtol=1e-6)
    nearest = plan(frame=FRAME, rows=keys(0.25, None, "nearest"))
    assert np.isclose(nearest.first_frame_time, 200 / RATE)
    # A click is in the row whose time is nearest to it.
    x = np.zeros(40_000, np.float32)
    x[23_456] = 1
    energies = made.features(x).sum(axis=1)
    centre = (energies * (made.first_frame_time + made.frame_period * np.arange(len(energies)))).sum() / energies.sum()
    assert abs(centre - 23_456 / RATE) < 0.003


@pytest.mark.parametrize("sections, text", [
    ({"rows": {"resize": 0}}, "rows.resize: expected null or a number from 0.0001 to 1"),
    ({"rows": {"resize": 2}}, "rows.resize: expected null or a number from 0.0001 to 1"),
    ({"rows": {"resize_bins": 0}}, "rows.resize_bins: expected null or a whole number from 1 to 8192"),
    ({"rows": {"resize_method": "bicubic", "resize": 0.5}}, "rows.resize_method"),
    ({"rows": {"resize_method": "nearest"}}, "rows.resize_method: expected bilinear, or rows.resize or rows.resize_bins as well"),
    ({"rows": {"resize_multiple": 2, "resize_bins": 9}}, "rows.resize_multiple: expected 1, or rows.resize as well"),
    ({"rows": {"resize": 0.0001, "resize_multiple": 65536}}, "rows.resize_multiple: expected at most 262144 times rows.resize"),
    ({"rows": {"resize": 0.5, "count": 9}}, "rows.resize: expected null, or null for rows.count, found 0.5 with rows.count"),
    ({"rows": {"resize_bins": 9, "count": 9}}, "rows.resize_bins: expected null, or null for rows.count"),
    ({"rows": {"resize": 0.5, "multiple": 4, "fill_order": "before"}}, "null, or after for rows.fill_order, found 0.5 with rows.fill_order: before"),
    ({"rows": {"resize": 0.5}, "audio": {"channels": "all"}}, "audio.channels: all"),
    ({"rows": {"resize": 0.5}, "patches": {"length": 4, "rest": "zeros"}}, "patches.rest: zeros"),
    ({"rows": {"resize": 0.5}, "scale": {"kind": "db", "top_db": 80}, "normalize": {"scope": "clip"}},
     "null, or only one of scale.top_db and normalize.scope: clip, since"),
    ({"rows": {"resize": 0.5}, "scale": {"kind": "db", "reference": "max"}, "normalize": {"scope": "clip"}},
     "null, or only one of scale.reference: max and normalize.scope: clip, since"),
    ({"rows": {"resize": 0.5, "resize_multiple": 4}, "audio": {"duration": 1}}, "audio.duration already decides"),
    ({"rows": {"resize_bins": 9}, "transform": {"kind": "mfcc"}}, "rows.resize_bins: expected null: columns that are resized"),
    ({"rows": {"resize_bins": 9}, "transform": {"deltas": 1}}, "transform.deltas: 1"),
    ({"rows": {"resize_bins": 9}, "transform": {"kind": "fft"}, "scale": {"kind": "complex"}}, "scale.kind: complex"),
])
def test_what_cannot_be_resized_is_refused(sections, text):
    with pytest.raises(ValueError) as error:
        plan(**sections)
    assert text in str(error.value)


# ----------------------------------------------------------------------------------------------------------- files


def extracted(veery, folder, sounds, configuration, *options, output="f.h5"):
    for name, x in sounds.items():
        soundfile.write(folder / name, x, RATE, subtype="FLOAT")
    (folder / "m.csv").write_text("path\n" + "".join(f"{name}\n" for name in sounds))
    (folder / "c.json").write_text(json.dumps(configuration))
    veery("extract", folder / "m.csv", "-o", folder / output, "--config", folder / "c.json", *options)
    veery("inspect", folder / output, "--verify")
    return folder / output


SOUNDS = {"a.wav": signal(41, 20_000), "b.wav": signal(42, 5001), "c.wav": signal(43, 900), "long.wav": signal(44, 16_000 * 70)}


@pytest.mark.parametrize("layout", ["packed", "fixed"])
@pytest.mark.parametrize("normalize", [NONE, {"scope": "clip", "method": "mean", "minimum": 0}, {"scope": "dataset", "fit": ""}], ids=lambda n: n["scope"])
def test_a_file_has_resized_rows_throughout(veery, tmp_path, normalize, layout):
    audio = {"duration": 1, "fit": "keep"} if layout == "fixed" else {}
    configuration = {
        "frame": FRAME, "normalize": normalize, "rows": keys(0.5, 33), "audio": audio,
        "store": {"layout": layout, "compression": "deflate" if layout == "packed" else "none"}}
    path = extracted(veery, tmp_path, SOUNDS, configuration, "--jobs", "2")
    opened = package.open(path)
    served = package.FeaturePlan(opened.configuration, RATE, statistics=opened.statistics)
    with h5py.File(path) as file:
        assert file["features"].shape[-1] == 33 and file["frequency"].shape == file["statistics/mean"].shape == (33,)
        assert np.array_equal(file["frequency"][:], served.axis)
        assert file["features"].attrs["frame_period"] == served.frame_period == 0.02
        assert file["features"].attrs["first_frame_time"] == served.first_frame_time
        assert "clips/statistics" not in file
        stored = json.loads(file["provenance/configuration"][()])
        assert stored["rows"]["resize"] == 0.5 and "resize_method" not in stored["rows"]
    for index, x in enumerate(SOUNDS.values()):
        assert np.array_equal(opened[index].features, served.features(x))
    if normalize["scope"] == "clip":
        with pytest.raises(ValueError, match="the values before normalisation are lost"):
            opened.raw()[0].features
    one = extracted(veery, tmp_path, SOUNDS, configuration, "--jobs", "1", output="g.h5")
    assert path.read_bytes() == one.read_bytes()


def test_what_was_normalised_before_is_not_undone(veery, tmp_path):
    configuration = {"frame": FRAME, "normalize": {"scope": "clip"}, "rows": keys(0.5, 33)}
    path = extracted(veery, tmp_path, {"b.wav": SOUNDS["b.wav"]}, configuration)
    with pytest.raises(ValueError, match="each clip was normalised before its rows were resized"):
        package.open(path).raw()[0].features
    # Its statistics are of what is stored.
    with h5py.File(path) as file:
        assert file["statistics"].attrs["scope"] == "none" and file["features"].attrs["units"].startswith("zscore of ")
        assert np.allclose(file["statistics/mean"][:], file["features"][:].mean(0, np.float64), atol=1e-6)
    said = veery("inspect", path).stdout
    assert "Values as stored, " in said and "before normalisation" not in said
    veery("inspect", path, "--plots", tmp_path / "figures")
    assert (tmp_path / "figures/bins-stored.svg").exists() and not (tmp_path / "figures/bins-before.svg").exists()
    # The advice: again without it.
    path = extracted(veery, tmp_path, {"b.wav": SOUNDS["b.wav"]}, configuration, "--set", "normalize.scope=none", "--overwrite")
    opened = package.open(path)
    assert np.array_equal(opened.raw()[0].features, opened[0].features)


def test_long_clips_are_computed_twice(veery, tmp_path):
    """More values than are kept of a clip: 4,194,304."""
    long = np.tile(signal(45, 30_000), 20)
    configuration = {
        "frame": {"length": 400, "hop": 20, "fft_length": 512}, "transform": {"kind": "fft"}, "scale": POWER,
        "normalize": {"scope": "clip", "method": "mean", "minimum": 0}, "rows": keys(0.31, 20)}
    path = extracted(veery, tmp_path, {"a.wav": long}, configuration)
    rows = package.FeaturePlan({**configuration, "rows": {}}, RATE).features(long)
    assert rows.size > 1 << 22
    found = package.open(path)[0].features
    close(found, resized(rows, 0.31, 20), 1e-6)
    assert np.array_equal(package.FeaturePlan(configuration, RATE).features(long), found)
    assert np.array_equal(streamed(package.FeaturePlan(configuration, RATE), long, [7, 100_000]), found)


def test_labels_of_resized_rows(veery, tmp_path):
    soundfile.write(tmp_path / "a.wav", signal(46, 16_000), RATE, subtype="FLOAT")
    (tmp_path / "m.csv").write_text("path\na.wav\n")
    (tmp_path / "marks.csv").write_text("path,start,end,label\na.wav,0.2,0.5,owl\n")
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--frame-labels", tmp_path / "marks.csv", "--set", "normalize.scope=none",
          "--set", "rows.resize=0.25", "--set", "rows.resize_bins=9")
    clip = package.open(tmp_path / "f.h5")[0]
    with h5py.File(tmp_path / "f.h5") as file:
        times = file["features"].attrs["first_frame_time"] + file["features"].attrs["frame_period"] * np.arange(len(clip.features))
        labels = file["frame_label"][:]
    assert np.array_equal(labels >= 0, (times >= 0.2) & (times < 0.5)) and (labels >= 0).sum() == 7


def test_clips_are_added_and_compared(veery, tmp_path):
    configuration = {"frame": FRAME, "normalize": {"scope": "clip", "method": "mean"}, "rows": keys(0.5, 33)}
    two = {name: SOUNDS[name] for name in ("a.wav", "b.wav")}
    extracted(veery, tmp_path, two, configuration)
    (tmp_path / "m.csv").write_text("path\nb.wav\na.wav\nc.wav\n")
    soundfile.write(tmp_path / "c.wav", SOUNDS["c.wav"], RATE, subtype="FLOAT")
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--config", tmp_path / "c.json", "--sync")
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "new.h5", "--config", tmp_path / "c.json")
    assert (tmp_path / "f.h5").read_bytes() == (tmp_path / "new.h5").read_bytes()


def test_shards_that_were_normalised_otherwise_are_refused(veery, tmp_path):
    """Of rows that are resized, shards hold what a clip's own statistics have normalised."""
    configuration = {"frame": FRAME, "normalize": {"scope": "clip", "method": "mean"}, "rows": keys(0.5, 33)}
    whole = extracted(veery, tmp_path, {"a.wav": SOUNDS["a.wav"], "b.wav": SOUNDS["b.wav"]}, configuration)
    command = ["extract", tmp_path / "m.csv", "-o", tmp_path / "g.h5", "--config", tmp_path / "c.json"]
    veery(*command, "--shard", "1/2")
    said = veery(*command, "--set", "normalize.method=zscore", status=1).stderr
    assert "normalize.method was mean and is zscore now" in said
    veery(*command)
    assert (tmp_path / "g.h5").read_bytes() == whole.read_bytes()


def test_pictures_and_arrays_of_resized_rows(veery, tmp_path):
    configuration = {"frame": FRAME, "normalize": {"scope": "clip", "method": "mean", "minimum": 0}, "rows": keys(0.5, 33)}
    path = extracted(veery, tmp_path, {"a.wav": SOUNDS["a.wav"]}, configuration)
    veery("render", tmp_path / "a.wav", "--config", tmp_path / "c.json", "-o", tmp_path / "own.png")
    veery("render", path, "--clip", "a", "-o", tmp_path / "stored.png")
    veery("export", path, "--to", "npy", "-o", tmp_path / "arrays")
    found = package.open(path)[0].features
    np.save(tmp_path / "a.npy", found)
    said = veery("conform", tmp_path / "a.npy", tmp_path / "a.wav", "--config", tmp_path / "c.json")
    assert "equal" in said.stdout
    nearest = package.FeaturePlan({**configuration, "rows": keys(0.5, 33, "nearest")}, RATE).features(SOUNDS["a.wav"])
    np.save(tmp_path / "b.npy", nearest)
    said = veery("conform", tmp_path / "b.npy", tmp_path / "a.wav", "--config", tmp_path / "c.json", status=(0, 1))
    assert "rows.resize_method=nearest" in said.stdout


def test_live_sound_is_not_resized(veery, tmp_path):
    soundfile.write(tmp_path / "a.wav", SOUNDS["b.wav"], RATE, subtype="FLOAT")
    said = veery("live", "--file", tmp_path / "a.wav", "--record", tmp_path / "f.h5", "--set", "rows.resize=0.5", status=1)
    assert "rows.resize: rows are resized once the whole recording is known" in said.stderr and "--set rows=null" in said.stderr


def test_a_value_that_is_not_finite_fails_the_clip(veery, tmp_path):
    soundfile.write(tmp_path / "a.wav", np.full(5000, 1e38, np.float32), RATE, subtype="FLOAT")
    soundfile.write(tmp_path / "b.wav", SOUNDS["b.wav"], RATE, subtype="FLOAT")
    (tmp_path / "m.csv").write_text("path\na.wav\nb.wav\n")
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--max-failures", "1", "--set", "rows.resize=0.1", "--set",
                 "rows.resize_method=nearest", "--set", "normalize.scope=clip", "--set", "scale.kind=power")
    with h5py.File(tmp_path / "f.h5") as file:
        assert file["failures/id"].asstr()[:].tolist() == ["a"] and file["clips/id"].asstr()[:].tolist() == ["b"]
