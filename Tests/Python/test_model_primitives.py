"""Steps of models' front ends that follow no toolkit: each against NumPy in float64, from its formula."""

import json
import pickle
import types

import h5py
import numpy as np
import pytest
import scipy.fft
import soundfile

import veery as package
from conftest import noise

RATE = 16_000
NONE = {"scope": "none"}
POWER = {"kind": "power"}


@pytest.fixture(scope="module", autouse=True)
def _library(library):
    """Skips nothing: without the library, all tests here fail."""


def signal(seed=1, count=20_000):
    """Noise that rises from silence to above full scale, with a mean."""
    return (noise(seed, count, 1.0) * np.linspace(0, 1.3, count) ** 3 + 0.01).astype(np.float32)


def plan(**sections):
    return package.FeaturePlan({"normalize": NONE, **sections}, RATE)


def streamed(made, x, cuts):
    """The rows of a signal in pieces."""
    stream = made.stream()
    inside = sorted({cut for cut in cuts if 0 < cut < len(x)})
    parts = [stream.push(part) for part in np.split(x, inside)] + [stream.finish()]
    return np.concatenate([part for part in parts if len(part)])


def close(found, expected, tolerance=2e-6):
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= tolerance * max(1.0, np.abs(expected).max())


def hann(length):
    return np.ones(1) if length == 1 else 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(length) / length)


def powers(x, length, hop, points, offset=0):
    """|X|² of the whole frames of `points` samples, the window from sample `offset` on."""
    window = np.zeros(points)
    window[offset:offset + length] = hann(length)
    frames = np.lib.stride_tricks.sliding_window_view(np.asarray(x, np.float64), points)[::hop]
    return np.abs(np.fft.rfft(frames * window)) ** 2


# ---------------------------------------------------------------------------------------------------------- frames


@pytest.mark.parametrize("pad, mode", [("reflect", "reflect"), ("zero", "constant"), ("edge", "edge")])
@pytest.mark.parametrize("length, hop, points", [
    (400, 160, 512), (512, 128, 512), (300, 161, 512), (100, 256, 512), (256, 255, 256), (3, 1, 8), (511, 100, 511)])
def test_frames_in_the_middle_of_their_hops(length, hop, points, pad, mode):
    made = plan(
        frame={"length": length, "hop": hop, "fft_length": points, "align": "half", "pad": pad},
        transform={"kind": "fft"}, scale=POWER)
    for count in (points + 1, 5000, 5003, 5 * hop + points):
        x = signal(2, count)
        side = (points - hop) // 2
        padded = np.pad(x.astype(np.float64), side, mode=mode)
        expected = powers(padded, length, hop, points, (points - length) // 2)
        assert len(expected) == (count - (points - hop) % 2) // hop
        close(made.features(x), expected)
        assert np.array_equal(streamed(made, x, [1, 2, count // 3, count - 1]), made.features(x))
    assert made.features(signal(2, made.minimum_samples)).shape[0] == 1
    assert made.features(signal(2, made.minimum_samples - 1)).shape[0] == 0


def test_a_hop_longer_than_the_transform_has_no_middle():
    with pytest.raises(ValueError, match="frame.hop: expected at most frame.fft_length, 512 samples"):
        plan(frame={"length": 400, "hop": 513, "fft_length": 512, "align": "half"})


@pytest.mark.parametrize("length, hop, points", [(400, 160, 512), (512, 128, 512), (64, 100, 64), (1, 1, 2)])
def test_every_hop_starts_a_frame(length, hop, points):
    made = plan(
        frame={"length": length, "hop": hop, "fft_length": points, "pad_end": True}, transform={"kind": "fft"}, scale=POWER)
    for count in (1, hop, hop + 1, 10 * hop, 10 * hop - 1, 5000):
        x = signal(3, count) + np.float32(0.1)
        rows = -(-count // hop)
        padded = np.concatenate([x.astype(np.float64), np.zeros(rows * hop + points)])
        close(made.features(x), powers(padded, length, hop, points)[:rows])
        assert np.array_equal(streamed(made, x, [count // 2]), made.features(x))
    assert made.minimum_samples == 1


@pytest.mark.parametrize("length, hop, points", [(400, 160, 512), (401, 160, 512), (300, 700, 511)])
def test_a_window_in_the_middle_of_whole_frames(length, hop, points):
    frame = {"length": length, "hop": hop, "fft_length": points}
    made = plan(frame={**frame, "window_at": "center"}, transform={"kind": "fft"}, scale=POWER)
    for count in (points, points + hop - 1, points + hop, 5000):
        x = signal(4, count)
        close(made.features(x), powers(x, length, hop, points, (points - length) // 2))
        assert np.array_equal(streamed(made, x, [points - 1, count - 1]), made.features(x))
    assert made.minimum_samples == points
    # The middle of the window is that of the frame.
    assert np.isclose(made.first_frame_time, ((points - length) // 2 + length / 2) / RATE)


@pytest.mark.parametrize("frame, text", [
    ({"align": "center", "pad_end": True}, "frame.pad_end"),
    ({"lookahead": 3, "pad_end": True}, "frame.pad_end"),
    ({"align": "kaldi", "window_at": "center"}, "frame.window_at"),
    ({"align": "half", "drop_last": True}, "frame.drop_last"),
    ({"align": "middle"}, "frame.align: expected one of start, center, kaldi, lhotse, half"),
])
def test_keys_of_other_frames_are_refused(frame, text):
    with pytest.raises(ValueError, match=text):
        plan(frame=frame)


# ---------------------------------------------------------------------------------------------------------- signal


FIRST = {
    "keep": lambda x, a: np.concatenate([x[:1], x[1:] - a * x[:-1]]),
    "drop": lambda x, a: x[1:] - a * x[:-1],
    "reflect": lambda x, a: np.concatenate([x[:1] - a * (x[1:2] if len(x) > 1 else x[:1]), x[1:] - a * x[:-1]]),
}


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("remove_dc", [False, True])
def test_the_first_sample_of_pre_emphasis(first, remove_dc):
    condition = {"pre_emphasis": 0.97, "pre_emphasis_first": first, "remove_dc": remove_dc}
    frame = {"length": 64, "hop": 32, "fft_length": 64, "align": "center", "pad": "zero"}
    made = plan(condition=condition, frame=frame, transform={"kind": "fft"}, scale=POWER)
    for count in (2, 3, 64, 65, 5000):
        x = signal(5, count) + np.float32(0.3)
        exact = x.astype(np.float64) - (x.astype(np.float64).mean() if remove_dc else 0)
        padded = np.pad(FIRST[first](exact, 0.97), 32)
        found = made.features(x)
        close(found, powers(padded, 64, 32, 64))
        if not remove_dc:
            assert np.array_equal(streamed(made, x, [1]), found)
            assert np.array_equal(streamed(made, x, [1, 2, count - 1]), found)
    if first != "drop":
        one = np.full(1, 0.5, np.float32)
        close(plan(condition={**condition, "remove_dc": False}, frame=frame, transform={"kind": "fft"}, scale=POWER)
              .features(one), powers(np.pad(FIRST[first](one.astype(np.float64), 0.97), 32), 64, 32, 64))
    else:
        assert made.minimum_samples == 2


def test_samples_alone_show_the_first_sample():
    x = signal(6, 100)
    raw = {"frame": {"length": 1, "hop": 1, "window": "rectangular"}, "transform": {"kind": "raw"}, "scale": {"kind": "linear"}}
    for first, formula in FIRST.items():
        found = plan(condition={"pre_emphasis": 0.5, "pre_emphasis_first": first}, **raw).features(x)
        assert np.array_equal(found[:, 0], formula(x.astype(np.float64), 0.5).astype(np.float32))
    with pytest.raises(ValueError, match="condition.pre_emphasis_first"):
        plan(condition={"pre_emphasis_first": "drop"})


@pytest.mark.parametrize("level", [1, 0.25])
def test_samples_are_clamped(level):
    x = signal(7)
    assert np.abs(x).max() > 1
    raw = {"frame": {"length": 1, "hop": 1, "window": "rectangular"}, "transform": {"kind": "raw"}, "scale": {"kind": "linear"}}
    found = plan(condition={"gain": {"kind": "clamp", "level": level}}, **raw).features(x)
    assert np.array_equal(found[:, 0], np.clip(x, -level, level))
    if level == 1:
        assert np.array_equal(found, plan(condition={"gain": "clamp"}, **raw).features(x))


@pytest.mark.parametrize("lead", [1, 80, 5000, 70_000])
def test_zeros_in_front(lead):
    x = signal(8, 3000)
    frame = {"length": 400, "hop": 160, "fft_length": 512}
    made = plan(audio={"lead": lead}, frame=frame, transform={"kind": "fft"}, scale=POWER)
    padded = np.concatenate([np.zeros(lead), x])
    close(made.features(x), powers(np.pad(padded, (0, 112)), 400, 160, 512)[:1 + (len(padded) - 400) // 160])
    assert np.array_equal(streamed(made, x, [1, 1500]), made.features(x))
    assert np.isclose(made.first_frame_time, (200 - lead) / RATE)
    # The zeros come on top of what the length of the clip is brought to, and after what is done to its samples.
    whole = plan(
        audio={"lead": lead, "duration": 0.1}, condition={"gain": "minmax"}, frame=frame, transform={"kind": "fft"}, scale=POWER)
    ranged = x[:1600].astype(np.float64)
    ranged = 2 * ((ranged - ranged.min()) / np.ptp(ranged) - 0.5)
    padded = np.concatenate([np.zeros(lead), ranged])
    close(whole.features(x), powers(np.pad(padded, (0, 112)), 400, 160, 512)[:1 + (len(padded) - 400) // 160], 4e-6)


# ------------------------------------------------------------------------------------------------------- transforms


@pytest.mark.parametrize("low, high, first, last", [
    ("10 kHz", None, 3, 256), (1000, 4000, 32, 128), ("20 bins", "239 bins", 20, 239), ("0 bins", 8000, 0, 256),
    (1016, 1016, 33, 33)])
def test_a_lower_edge_of_a_spectrum(low, high, first, last):
    if low == "10 kHz":  # above half of 16 kHz
        with pytest.raises(ValueError, match="transform.low: expected null or at most half the sample rate, 8000 Hz"):
            plan(transform={"kind": "fft", "low": low})
        low, first = "100 Hz", 3
    x = signal(9)
    frame = {"length": 512, "hop": 200, "fft_length": 512}
    whole = powers(x, 512, 200, 512)[:, first:last + 1]
    made = plan(frame=frame, transform={"kind": "fft", "low": low, "high": high}, scale=POWER)
    close(made.features(x), whole)
    assert np.allclose(made.axis, np.arange(first, last + 1) * RATE / 512)
    if last - first > 20:
        some = plan(frame=frame, transform={"kind": "fft", "low": low, "high": high, "bins": 15, "step": 4}, scale=POWER)
        close(some.features(x), whole[:, :15:4])
        parts = plan(frame=frame, transform={"kind": "fft", "low": low, "high": high}, scale={"kind": "complex"}).features(x)
        close((parts.astype(np.float64) ** 2).reshape(len(parts), 2, -1).sum(axis=1), whole, 1e-5)


def bank(bands, low, high, points, rate):
    """2595 log10(1 + f/700), peak 1, straight in Hz."""
    mel = np.linspace(*(2595 * np.log10(1 + np.array([low, high]) / 700)), bands + 2)
    hertz = 700 * (10 ** (mel / 2595) - 1)
    bins = np.arange(points // 2 + 1) * rate / points
    left, centre, right = hertz[:-2, None], hertz[1:-1, None], hertz[2:, None]
    return np.maximum(0, np.minimum((bins - left) / (centre - left), (right - bins) / (right - centre))), hertz[1:-1]


def test_a_bank_of_another_rate():
    x = signal(10)
    transform = {"kind": "mel", "bins": 40, "mel_scale": "htk", "mel_norm": "none", "bank_rate": 24_000}
    frame = {"length": 1024, "hop": 300, "fft_length": 1024}
    weights, centres = bank(40, 0, 12_000, 1024, 24_000)
    made = plan(frame=frame, transform=transform, scale=POWER)
    close(made.features(x), powers(x, 1024, 300, 1024) @ weights.T)
    # Where the bands are in the signal.
    assert np.allclose(made.axis, centres * RATE / 24_000)
    with pytest.raises(ValueError, match="half transform.bank_rate, 4000.0 Hz"):
        plan(frame=frame, transform={**transform, "bank_rate": 8000, "high": 5000})


@pytest.mark.parametrize("epsilon", [1e-9, 1e-3])
def test_epsilon_within_the_magnitude(epsilon):
    x = signal(11)
    transform = {
        "kind": "mel", "bins": 40, "mel_scale": "htk", "mel_norm": "none", "spectrum": "magnitude", "spectrum_epsilon": epsilon}
    frame = {"length": 512, "hop": 128, "fft_length": 512}
    weights, _ = bank(40, 0, 8000, 512, RATE)
    found = plan(frame=frame, transform=transform, scale={"kind": "ln", "floor": 1e-9}).features(x)
    close(found, np.log(np.sqrt(powers(x, 512, 128, 512) + epsilon) @ weights.T), 3e-6)
    silence = plan(frame=frame, transform=transform, scale={"kind": "ln", "floor": 1e-9}).features(np.zeros(512, np.float32))
    close(silence, np.log(np.sqrt(epsilon) * weights.sum(axis=1))[None], 3e-6)
    with pytest.raises(ValueError, match="transform.spectrum_epsilon: expected 0, or transform.spectrum: magnitude"):
        plan(transform={"kind": "mel", "spectrum_epsilon": epsilon})


@pytest.mark.parametrize("form, start", [("htk", 0), ("librosa", 1)])
@pytest.mark.parametrize("c0", ["first", "last", "none"])
def test_both_lifters(form, start, c0):
    x = signal(12)
    transform = {
        "kind": "mfcc", "bins": 13, "bands": 40, "mel_scale": "htk", "mel_norm": "none", "lifter": 22, "lifter_form": form, "c0": c0}
    frame = {"length": 512, "hop": 128, "fft_length": 512}
    weights, _ = bank(40, 0, 8000, 512, RATE)
    bands = 10 * np.log10(np.maximum(powers(x, 512, 128, 512) @ weights.T, 1e-10))
    order = {"first": np.arange(13), "last": np.r_[1:13, 0], "none": np.arange(1, 14)}[c0]
    cepstra = scipy.fft.dct(bands, norm="ortho")[:, order] * (1 + 11 * np.sin(np.pi * (order + start) / 22))
    close(plan(frame=frame, transform=transform, scale={"kind": "db"}).features(x), cepstra)


@pytest.mark.parametrize("energy", ["raw", "windowed"])
@pytest.mark.parametrize("points", [512, 401])
@pytest.mark.parametrize("scale, factor", [("unit", 1), ("int16", 32_768)])
@pytest.mark.parametrize("floor", [0, 2.5])
def test_energies_before_and_after_the_window(energy, points, scale, factor, floor):
    x = signal(14)
    frame = {"length": 400, "hop": 160, "fft_length": points, "remove_dc": True, "pre_emphasis": 0.9}
    made = plan(audio={"scale": scale}, frame=frame, scale={"kind": "ln", "floor": 1e-7}, transform={
        "kind": "mfcc", "bins": 13, "bands": 20, "c0": "energy", "energy": energy, "energy_floor": floor})
    frames = np.lib.stride_tricks.sliding_window_view(x.astype(np.float64) * factor, 400)[::160]
    frames = frames - frames.mean(axis=1, keepdims=True)
    if energy == "windowed":
        before = np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)
        frames = (frames - 0.9 * before) * hann(400)
    expected = np.log(np.maximum((frames ** 2).sum(axis=1), max(floor, 1e-7)))
    found = made.features(x)
    close(found[:, 0], expected)
    assert np.array_equal(streamed(made, x, [1, 399, 400, 7000, 19_999]), found)
    assert np.isclose(made.features(np.zeros(400, np.float32))[0, 0], np.log(max(floor, 1e-7)))


@pytest.mark.parametrize("transform, text", [
    ({"kind": "mfcc", "c0": "first", "energy": "windowed"}, "transform.energy: expected raw, or transform.c0: energy"),
    ({"kind": "mfcc", "energy_floor": 1}, "transform.energy_floor: expected 0, or transform.c0: energy"),
    ({"kind": "mel", "vtln_low": 60}, "transform.vtln_low: expected 100, or transform.vtln_warp"),
    ({"kind": "mel", "vtln_high": 7000}, "transform.vtln_high: expected null, or transform.vtln_warp"),
    ({"kind": "mel", "vtln_warp": 1.1, "low": 100}, "transform.vtln_low: expected more than transform.low"),
    ({"kind": "mel", "vtln_warp": 1.1, "high": 7500}, "transform.vtln_high: expected less than the upper edge"),
    ({"kind": "mel", "vtln_warp": 4, "vtln_low": 2000}, "transform.vtln_warp: expected a factor that leaves"),
    ({"kind": "mel", "vtln_warp": 5}, "transform.vtln_warp: expected null or a number from 0.25 to 4"),
])
def test_keys_of_energies_and_warps_that_are_refused(transform, text):
    with pytest.raises(ValueError, match=text):
        plan(transform=transform)


def warped(f, factor, low, high, first, last):
    """Where corners of a bank go by Kaldi's vocal tract length normalisation."""
    left, right = first * max(1, factor), last * min(1, factor)
    return np.where(
        f < left, low + (left / factor - low) / (left - low) * (f - low),
        np.where(f < right, f / factor, high + (high - right / factor) / (high - right) * (f - high)))


@pytest.mark.parametrize("factor, first, last, low, high", [
    (0.8, 100, None, 20, None), (1.2, 100, None, 20, None), (0.9, 60, 7000, 20, 7600), (1.1, 300, 3400, 0, 4000), (1, 100, None, 20, None)])
@pytest.mark.parametrize("triangles", ["mel", "hertz"])
@pytest.mark.parametrize("kind", ["mel", "mfcc"])
def test_the_length_of_the_vocal_tract(factor, first, last, low, high, triangles, kind):
    x = signal(15)
    frame = {"length": 512, "hop": 200, "fft_length": 512}
    transform = {
        "low": low, "high": high, "mel_scale": "htk", "mel_norm": "none", "triangles": triangles, "vtln_warp": factor,
        "vtln_low": first, "vtln_high": last}
    upper = high or 8000
    edges = np.linspace(*(2595 * np.log10(1 + np.array([low, upper]) / 700)), 25)
    corners = warped(700 * (10 ** (edges / 2595) - 1), factor, low, upper, first, last or 7500)
    f = np.arange(257) * RATE / 512
    axis, ends = (f, corners) if triangles == "hertz" else (np.log(1 + f / 700), np.log(1 + corners / 700))
    left, centre, right = ends[:-2, None], ends[1:-1, None], ends[2:, None]
    weights = np.maximum(0, np.minimum((axis - left) / (centre - left), (right - axis) / (right - centre)))
    bands = np.log(np.maximum(powers(x, 512, 200, 512) @ weights.T, 1e-10))
    scale = {"kind": "ln", "floor": 1e-10}
    if kind == "mel":
        made = plan(frame=frame, transform={"kind": "mel", "bins": 23, **transform}, scale=scale)
        close(made.features(x), bands)
        assert np.allclose(made.axis, corners[1:-1])
    else:
        made = plan(frame=frame, transform={"kind": "mfcc", "bins": 13, "bands": 23, **transform}, scale=scale)
        close(made.features(x), scipy.fft.dct(bands, norm="ortho")[:, :13])


@pytest.mark.parametrize("align, pad", [("center", "reflect"), ("center", "zero"), ("half", "reflect")])
@pytest.mark.parametrize("length, hop, points", [(400, 160, 512), (100, 160, 512), (101, 75, 511), (200, 450, 512)])
@pytest.mark.parametrize("drop_last", [False, True])
def test_a_window_at_the_start_of_centred_frames(align, pad, length, hop, points, drop_last):
    if drop_last and align == "half":
        return
    frame = {"length": length, "hop": hop, "fft_length": points, "align": align, "pad": pad, "window_at": "left"}
    made = plan(frame={**frame, "drop_last": drop_last}, transform={"kind": "fft"}, scale=POWER)
    before = points // 2 if align == "center" else (points - hop) // 2
    for count in (points, 5000, 5001, 5007):
        x = signal(16, count)
        padded = np.pad(x.astype(np.float64), (before, points), mode={"zero": "constant"}.get(pad, pad))
        rows = ((count - points % 2) // hop + (0 if drop_last else 1)) if align == "center" else (count - (points - hop) % 2) // hop
        expected = powers(padded, length, hop, points)[:rows]
        found = made.features(x)
        close(found, expected)
        assert np.array_equal(streamed(made, x, [1, length - 1, length, hop, 2 * hop, 3000, count - 1]), found)
    with pytest.raises(ValueError, match="frame.window_at: expected start, or frame.align: center or half"):
        plan(frame={"align": "start", "window_at": "left"})


# ----------------------------------------------------------------------------------------------------- clips and rows


@pytest.mark.parametrize("length, hop", [(7, 6), (2, 2), (3, 1)])
def test_a_plan_of_stacked_rows_has_the_columns_and_the_period_of_the_rows_that_come_out(length, hop):
    sections = {"frame": {"length": 400, "hop": 160, "fft_length": 512}, "transform": {"kind": "mel", "bins": 20}, "scale": {"kind": "ln"}}
    single = plan(**sections)
    stacked = plan(**sections, patches={"length": length, "hop": hop, "stacked": True})
    apart = plan(**sections, patches={"length": length, "hop": hop})
    x = signal(21)
    found = stacked.features(x)
    assert stacked.bins == found.shape[1] == 20 * length and stacked.row_shape == (20 * length,)
    assert np.isclose(stacked.frame_period, hop * single.frame_period)
    assert np.array_equal(found.reshape(len(found), length, 20), apart.features(x))
    assert (apart.bins, apart.row_shape, apart.frame_period) == (20, (length, 20), single.frame_period)
    assert np.array_equal(stacked.axis, np.tile(single.axis, length))
    assert np.array_equal(stacked.times(len(found)), apart.times(len(found)))
    assert np.allclose(np.diff(stacked.times(len(found))), stacked.frame_period)
    assert stacked.frame_count(len(x)) == apart.frame_count(len(x)) == len(found)
    assert np.array_equal(streamed(stacked, x, [1, 399, 401, 5000, 12_345]), found)
    out = np.empty((len(found) + 3, 20 * length), np.float32)
    assert np.array_equal(stacked.features(x, out=out), found)
    with pytest.raises(ValueError, match=f"out: expected space for {len(found)} rows"):
        stacked.features(x, out=out[:len(found) - 1])
    assert np.array_equal(pickle.loads(pickle.dumps(stacked)).features(x), found)
    assert len(stacked.features(x, 48_000)) == stacked.frame_count(len(x) // 3)


def test_statistics_of_stacked_rows_are_those_of_frames():
    sections = {"frame": {"length": 400, "hop": 160, "fft_length": 512}, "transform": {"kind": "mel", "bins": 20}, "scale": {"kind": "ln"}}
    rows = plan(**sections).features(signal(22))
    statistics = types.SimpleNamespace(
        mean=rows.mean(axis=0), std=rows.std(axis=0), min=rows.min(axis=0), max=rows.max(axis=0), count=len(rows))
    made = package.FeaturePlan(
        {"normalize": {"scope": "dataset"}, **sections, "patches": {"length": 4, "hop": 4, "stacked": True}}, RATE, statistics=statistics)
    expected = ((rows - statistics.mean) / statistics.std)[:len(rows) // 4 * 4].reshape(-1, 80)
    close(made.features(signal(22)), expected, 1e-5)


@pytest.mark.parametrize("points, hop", [(512, 160), (512, 200), (511, 75), (400, 400)])
@pytest.mark.parametrize("length", [100, 101, 400])
def test_times_of_half_frames_with_the_window_at_their_start(points, hop, length):
    """The middle of the whole frame, wherever the window in it is."""
    made = plan(frame={"length": length, "hop": hop, "fft_length": points, "align": "half", "window_at": "left"}, transform={"kind": "fft"},
                scale=POWER)
    start = (points - hop) // 2
    assert np.isclose(made.first_frame_time * RATE, points / 2 - start, atol=1e-6)
    assert np.isclose(made.frame_period * RATE, hop)
    for row in (5, 9):
        x = np.zeros(5000, np.float32)
        # Half a frame before its middle, the window starts.
        x[round(made.times(10)[row] * RATE - points / 2) + length // 2] = 1
        energies = made.features(x).sum(axis=1)
        assert energies.argmax() == row, (row, energies[:12])


@pytest.mark.parametrize("lead", [1, 79, 161, 1000, 5001])
@pytest.mark.parametrize("more", [{}, {"pad_end": True}, {"align": "center"}])
def test_times_behind_zeros_that_are_no_whole_number_of_hops(lead, more):
    made = plan(audio={"lead": lead}, frame={"length": 400, "hop": 160, "fft_length": 400, **more}, transform={"kind": "fft"}, scale=POWER)
    middle = 0 if more.get("align") == "center" else 200
    assert np.isclose(made.first_frame_time * RATE, middle - lead, atol=1e-6)
    times = made.times(60)
    for row in (-(-lead // 160) + 4, 45):
        x = np.zeros(9000, np.float32)
        x[round(times[row] * RATE)] = 1
        assert made.features(x).sum(axis=1).argmax() == row


@pytest.mark.parametrize("kind, logarithm", [("ln", np.log), ("log10", np.log10), ("db", lambda p: 10 * np.log10(p))])
@pytest.mark.parametrize("top_db", [None, 40])
def test_values_relative_to_the_clips_maximum(kind, logarithm, top_db):
    frame = {"length": 400, "hop": 160, "fft_length": 512}
    made = plan(frame=frame, transform={"kind": "fft"}, scale={
        "kind": kind, "reference": "max", "top_db": top_db, "offset": 3, "factor": 0.5, "floor": 1e-7})
    x = signal(13)
    values = np.maximum(powers(np.pad(x, (0, 112)), 400, 160, 512)[:1 + (len(x) - 400) // 160], 1e-7)
    expected = logarithm(values / values.max())
    if top_db is not None:
        expected = np.maximum(expected, logarithm(10 ** (-top_db / 10)))
    found = made.features(x)
    close(found, (expected + 3) * 0.5)
    assert found.max() == 1.5
    assert np.all(made.features(np.zeros(3000, np.float32)) == 1.5)
    with pytest.raises(ValueError, match="scale.reference: expected a number, or a scale.kind of db, ln or log10"):
        plan(transform={"kind": "fft"}, scale={"kind": "power", "reference": "max"})


@pytest.mark.parametrize("normalize", [NONE, {"scope": "constant", "mean": -7.2, "std": 8.86}])
@pytest.mark.parametrize("order", ["before", "after"])
def test_rows_of_the_clips_least_value(order, normalize):
    frame = {"length": 400, "hop": 160, "fft_length": 512}
    x = signal(14, 5000)
    bare = package.FeaturePlan({"frame": frame, "normalize": normalize}, RATE).features(x)
    filled = package.FeaturePlan(
        {"frame": frame, "normalize": normalize, "rows": {"count": 64, "fill": "min", "fill_order": order}}, RATE).features(x)
    assert np.array_equal(filled[:len(bare)], bare)
    assert filled.shape[0] == 64 and np.allclose(filled[len(bare):], bare.min(), atol=1e-6)
    # The next clip has its own.
    louder = package.FeaturePlan(
        {"frame": frame, "normalize": normalize, "rows": {"count": 64, "fill": "min", "fill_order": order}}, RATE).features(x * 8)
    assert louder[-1, 0] > filled[-1, 0]


def stacked(rows, length, hop):
    """FunASR's apply_lfr."""
    lead = (length - 1) // 2
    count = -(-len(rows) // hop)
    padded = np.concatenate([np.repeat(rows[:1], lead, axis=0), rows])
    while len(padded) < (count - 1) * hop + length:
        padded = np.concatenate([padded, padded[-1:]])
    return np.stack([padded[i * hop:i * hop + length].ravel() for i in range(count)])


LFR = {"length": 7, "hop": 6, "lead": 3, "rest": "repeat", "stacked": True}


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 100])
@pytest.mark.parametrize("length, hop", [(7, 6), (5, 1), (3, 3), (2, 1)])
def test_stacking_with_copies_at_both_ends(rows, length, hop):
    frame = {"length": 400, "hop": 160, "fft_length": 512}
    x = signal(15, 400 + (rows - 1) * 160)
    bare = plan(frame=frame).features(x)
    assert len(bare) == rows
    patches = {"length": length, "hop": hop, "lead": (length - 1) // 2, "rest": "repeat", "stacked": True}
    made = plan(frame=frame, patches=patches)
    assert np.array_equal(made.features(x), stacked(bare, length, hop))
    assert np.isclose(made.first_frame_time, 200 / RATE - (length - 1) // 2 * 0.01)


@pytest.mark.parametrize("of", ["bands", "stacked rows"])
def test_constants_of_columns(of):
    frame = {"length": 400, "hop": 160, "fft_length": 512}
    x = signal(16, 9000)
    bare = plan(frame=frame).features(x)
    count = 80 if of == "bands" else 560
    random = np.random.default_rng(1)
    mean, std = random.normal(-8, 3, count), random.uniform(0.5, 4, count)
    normalize = {"scope": "constant", "mean": mean.tolist(), "std": std.tolist()}
    sections = {"frame": frame, "normalize": normalize, "patches": LFR}
    made = package.FeaturePlan(sections, RATE)
    rows = stacked(bare, 7, 6)
    expected = (rows - np.resize(mean, 560)) / np.resize(std, 560)
    close(made.features(x), expected)
    if of == "bands":
        close(package.FeaturePlan({"frame": frame, "normalize": normalize}, RATE).features(x), (bare - mean) / std)
        one = {**normalize, "std": 2}
        close(package.FeaturePlan({"frame": frame, "normalize": one}, RATE).features(x), (bare - mean) / 2)


@pytest.mark.parametrize("normalize, text", [
    ({"mean": [1.0] * 79, "std": 1}, "normalize.mean: expected a number, or a list of 80, a number for each column, found a list of 79"),
    ({"mean": 1, "std": [1.0] * 560}, "normalize.std: expected a number, or a list of 80, a number for each column, found a list of 560"),
    ({"mean": [1.0] * 80, "std": [1.0] * 81}, "normalize.std: expected as many numbers as normalize.mean has"),
    ({"mean": [1.0] * 80, "std": [1.0] * 7 + [0.0] * 73},
     "normalize.std: expected null, a number from 1e-30 to 1e30, or a list of them, found 0.0 in column 7 (counted from 0)"),
    ({"mean": [1.0] * 79 + [-2e30], "std": 1}, "or a list of them, found -2e+30 in column 79 (counted from 0)"),
    ({"mean": 1, "std": 0}, "normalize.std: expected null, a number from 1e-30 to 1e30, or a list of them, found 0.0"),
    ({"mean": ["a"], "std": 1}, "normalize.mean"),
    ({"mean": [], "std": 1}, "normalize.mean"),
    ({"mean": [[1.0]], "std": 1}, "normalize.mean"),
])
def test_constants_that_do_not_fit_are_refused(normalize, text):
    with pytest.raises(ValueError) as error:
        package.FeaturePlan({"normalize": {"scope": "constant", **normalize}}, RATE)
    assert text in str(error.value)


@pytest.mark.parametrize("scope", ["clip", "constant"])
def test_bands_less_their_mean_are_cut_at_zero(scope):
    frame = {"length": 400, "hop": 160, "fft_length": 512}
    x = signal(18, 9000)
    bare = plan(frame=frame).features(x).astype(np.float64)
    normalize = {"scope": "clip", "method": "mean", "minimum": 0}
    expected = np.maximum(bare - bare.mean(axis=0), 0)
    if scope == "constant":
        normalize, expected = {"scope": "constant", "mean": -9, "std": 2, "minimum": -0.5}, np.maximum((bare + 9) / 2, -0.5)
    found = package.FeaturePlan({"frame": frame, "normalize": normalize}, RATE).features(x)
    close(found, expected)
    assert found.min() == normalize["minimum"]
    with pytest.raises(ValueError, match="normalize.minimum"):
        plan(normalize={"scope": "none", "minimum": 0})


@pytest.mark.parametrize("patches, count", [({}, 80), (LFR, 80), (LFR, 560)], ids=["rows", "bands of stacked rows", "stacked rows"])
def test_a_file_keeps_constants_of_columns(veery, tmp_path, patches, count):
    """A plan from a feature file serves alone, and the values before normalisation come back."""
    x = signal(17, 16_000)
    soundfile.write(tmp_path / "a.wav", x, RATE, subtype="FLOAT")
    (tmp_path / "m.csv").write_text("path\na.wav\n")
    random = np.random.default_rng(2)
    mean, std = random.normal(-8, 3, count).tolist(), random.uniform(0.5, 4, count).tolist()
    configuration = {"normalize": {"scope": "constant", "mean": mean, "std": std}, **({"patches": patches} if patches else {})}
    (tmp_path / "c.json").write_text(json.dumps(configuration))
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--config", tmp_path / "c.json")
    veery("inspect", tmp_path / "f.h5", "--verify")
    with h5py.File(tmp_path / "f.h5") as file:
        assert file["statistics/constant_mean"][:].tolist() == mean
        assert file["statistics/constant_std"][:].tolist() == std
        stored = file["features"][:]
    opened = package.open(tmp_path / "f.h5")
    served = package.FeaturePlan(opened.configuration, RATE)
    assert np.array_equal(served.features(x), stored)
    bare = plan(**({"patches": patches} if patches else {})).features(x)
    close(np.asarray(opened.raw()[0].features).reshape(bare.shape), bare, 3e-6)


@pytest.mark.parametrize("form", ["npy", "text", "am.mvn"])
def test_constants_from_a_file(veery, tmp_path, form):
    """Next to a configuration, or by --set; the numbers are what the feature file keeps."""
    random = np.random.default_rng(3)
    mean, std = np.round(random.normal(-8, 3, 80), 6), 2.0 ** random.integers(-2, 3, 80)
    if form == "npy":
        np.save(tmp_path / "mean.npy", mean)
        np.save(tmp_path / "std.npy", std)
        names = ["mean.npy", "std.npy"]
    elif form == "text":
        (tmp_path / "mean.txt").write_text("\n".join(map(repr, mean.tolist())))
        (tmp_path / "std.txt").write_text(" ".join(map(repr, std.tolist())))
        names = ["mean.txt", "std.txt"]
    else:
        shift, scale = (" ".join(map(repr, values.tolist())) for values in (-mean, 1 / std))
        (tmp_path / "am.mvn").write_text(
            f"<Nnet>\n<Splice> 80 80\n[ 0 ]\n<AddShift> 80 80\n<LearnRateCoef> 0 [ {shift} ]\n<Rescale> 80 80\n"
            f"<LearnRateCoef> 0 [ {scale} ]\n</Nnet>\n")
        names = ["am.mvn", "am.mvn"]
    x = signal(19, 16_000)
    soundfile.write(tmp_path / "a.wav", x, RATE, subtype="FLOAT")
    (tmp_path / "m.csv").write_text("path\na.wav\n")
    (tmp_path / "c.yaml").write_text(f"extends: log-mel\nnormalize: {{scope: constant, mean: {names[0]}, std: {names[1]}}}\n")
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "a.h5", "--config", tmp_path / "c.yaml")
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "b.h5", "--set", "normalize.scope=constant", "--set",
          f"normalize.mean={names[0]}", "--set", f"normalize.std={names[1]}", folder=tmp_path)
    assert (tmp_path / "a.h5").read_bytes() == (tmp_path / "b.h5").read_bytes()
    opened = package.open(tmp_path / "a.h5")
    assert opened.configuration["normalize"]["mean"] == mean.tolist()
    close(opened[0].features, (plan().features(x) - mean) / std)
    error = veery("extract", tmp_path / "m.csv", "-o", tmp_path / "d.h5", "--set", "normalize.scope=constant", "--set",
                  "normalize.mean=no.npy", "--set", "normalize.std=1", folder=tmp_path, status=64).stderr
    assert "no.npy" in error and "No such file" in error
    if form == "am.mvn":
        scale = " ".join(["0.5"] * 3 + ["0"] + ["1"] * 76)
        (tmp_path / "wrong").write_text(f"<AddShift> 80 80 [ {shift} ]\n<Rescale> 80 80 [ {scale} ]\n")
    elif form == "npy":
        np.save(tmp_path / "wrong.npy", np.where(np.arange(80) == 3, 0, std))
        (tmp_path / "wrong.npy").rename(tmp_path / "wrong")
    else:
        (tmp_path / "wrong").write_text("1 1 1 0.0" + " 1" * 76)
    for path in "--config", "--set":
        (tmp_path / "c.yaml").write_text(f"extends: log-mel\nnormalize: {{scope: constant, mean: {names[0]}, std: wrong}}\n")
        options = ["--config", "c.yaml"] if path == "--config" else [
            "--set", "normalize.scope=constant", "--set", f"normalize.mean={names[0]}", "--set", "normalize.std=wrong"]
        error = veery("extract", "m.csv", "-o", "d.h5", *options, folder=tmp_path, status=(1, 64)).stderr
        assert "wrong: expected" in error and "from 1e-30 to 1e+30" in error and "found 0.0 in column 3 (counted from 0)" in error
    for value, found in (".nan", "nan"), ("0", "0.0"), ("-1", "-1.0"), (".inf", "inf"):
        error = veery("extract", "m.csv", "-o", "d.h5", "--set", "normalize.scope=constant", "--set", "normalize.mean=0", "--set",
                      f"normalize.std=[1, 2, {value}]", folder=tmp_path, status=64).stderr
        assert "normalize.std: expected null, a number from 1e-30 to 1e30, or a list of them, found" in error
        assert f"found {found} in column 2 (counted from 0)" in error
    (tmp_path / "short.txt").write_text("1 2 3")
    error = veery("extract", tmp_path / "m.csv", "-o", tmp_path / "d.h5", "--set", "normalize.scope=constant", "--set",
                  "normalize.mean=short.txt", "--set", "normalize.std=1", folder=tmp_path, status=64).stderr
    assert "normalize.mean: expected a number, or a list of 80, a number for each column, found a list of 3" in error


@pytest.mark.parametrize("kind, logarithm", [("ln", np.log), ("db", lambda p: 10 * np.log10(p))])
def test_the_floor_of_zeros_alone(kind, logarithm):
    x = np.concatenate([np.zeros(1000, np.float32), signal(20) * np.float32(1e-6)])
    frame = {"length": 400, "hop": 160, "fft_length": 512}
    found = plan(frame=frame, transform={"kind": "fft"}, scale={"kind": kind, "guard": "zero", "floor": 1e-5}).features(x)
    values = powers(np.pad(x, (0, 112)), 400, 160, 512)[:1 + (len(x) - 400) // 160]
    expected = logarithm(np.where(values > 0, np.maximum(values, np.finfo(np.float32).tiny), 1e-5))
    close(found, expected)
    assert found[0, 0] > found[-1].min()
    with pytest.raises(ValueError, match="scale.guard"):
        plan(transform={"kind": "fft"}, scale={"kind": "power", "guard": "zero"})


def test_rows_that_are_added_have_no_constants_of_stacked_rows():
    """Nor does a minimum act on rows before they are stacked; the advice leads on."""
    constants = {"scope": "constant", "mean": [-5.0] * 560, "std": 1, "minimum": 0}
    made = package.FeaturePlan({"normalize": constants, "patches": LFR}, RATE)
    x = signal(21, 9000)
    bare = plan(patches=LFR).features(x)
    close(made.features(x), np.maximum(bare.astype(np.float64) + 5, 0))
    patches = {**LFR, "rest": "fill", "lead": 0}
    with pytest.raises(ValueError, match="normalize.mean: expected patches.rest: drop or repeat, without rows.count"):
        package.FeaturePlan({"normalize": constants, "patches": patches}, RATE)
    with pytest.raises(ValueError, match="normalize.mean"):
        package.FeaturePlan({"normalize": constants, "patches": LFR, "rows": {"count": 60}}, RATE)
    early = {"count": 60, "fill_order": "before"}
    assert package.FeaturePlan({"normalize": constants, "patches": LFR, "rows": early}, RATE).features(x).shape == (10, 560)
    with pytest.raises(ValueError, match="patches.lead: expected 0, or patches.rest: drop, fill or repeat"):
        plan(patches={"length": 4, "hop": 2, "lead": 1, "rest": "zeros"})


def test_what_was_cut_off_is_not_undone(veery, tmp_path):
    soundfile.write(tmp_path / "a.wav", signal(22, 16_000), RATE, subtype="FLOAT")
    (tmp_path / "m.csv").write_text("path\na.wav\n")
    command = ["extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--set", "normalize.scope=clip"]
    veery(*command, "--set", "normalize.minimum=0")
    veery("inspect", tmp_path / "f.h5", "--verify")
    opened = package.open(tmp_path / "f.h5")
    assert opened[0].features.min() == 0
    with pytest.raises(ValueError, match="the values before normalisation are lost"):
        opened.raw()[0].features
    # The advice: again without it.
    veery(*command, "--overwrite")
    assert package.open(tmp_path / "f.h5").raw()[0].features.min() < 0


def test_large_lists_are_read_again(veery, tmp_path):
    """A plan from a feature file serves alone, with more numbers than a configuration by hand ever has."""
    columns = 4 * 1025
    np.save(tmp_path / "mean.npy", np.random.default_rng(4).normal(0, 1, columns))
    soundfile.write(tmp_path / "a.wav", signal(23, 16_000), RATE, subtype="FLOAT")
    (tmp_path / "m.csv").write_text("path\na.wav\n")
    settings = ["frame.length=2048", "frame.hop=512", "frame.fft_length=2048", "transform.kind=fft", "patches.length=4",
                "patches.stacked=true", "normalize.scope=constant", "normalize.mean=mean.npy", "normalize.std=2"]
    options = [word for text in settings for word in ("--set", text)]
    veery("extract", "m.csv", "-o", "f.h5", *options, folder=tmp_path)
    veery("extract", "m.csv", "-o", "g.h5", "--config", "f.h5", folder=tmp_path)
    assert (tmp_path / "f.h5").read_bytes() == (tmp_path / "g.h5").read_bytes()
    opened = package.open(tmp_path / "f.h5")
    assert np.array_equal(package.FeaturePlan(opened.configuration).features(signal(23, 16_000)), opened[0].features)
    np.save(tmp_path / "mean.npy", np.zeros(columns))
    error = veery("extract", "m.csv", "-o", "f.h5", *options, folder=tmp_path, status=1).stderr
    assert len(error) < 2000 and "a list of 4100" in error
