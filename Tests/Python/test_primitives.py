"""Steps that models need in addition to those of the programs in test_presets: each against NumPy in float64, from its formula."""

import numpy as np
import pytest
import scipy.fft
import scipy.signal

import veery as package
from conftest import noise

RATE, LENGTH, HOP, POINTS = 16_000, 400, 160, 512
WHOLE = {"transform": {"kind": "fft"}, "normalize": {"scope": "none"}}


@pytest.fixture(scope="module", autouse=True)
def _library(library):
    """Skips nothing: without the library, all tests here fail."""


def signal(seed=1, count=20_000):
    """Noise that rises from silence to above full scale, with a mean."""
    return (noise(seed, count, 1.0) * np.linspace(0, 1.3, count) ** 3 + 0.01).astype(np.float32)


def powers(x, points=POINTS):
    frames = np.lib.stride_tricks.sliding_window_view(np.asarray(x, np.float64), LENGTH)[::HOP]
    return np.abs(np.fft.rfft(frames * scipy.signal.get_window("hann", LENGTH), points)) ** 2


def features(x, **sections):
    configuration = {name: {**WHOLE.get(name, {}), **sections.get(name, {})} for name in {**WHOLE, **sections}}
    return package.FeaturePlan(configuration, RATE).features(x)


def close(found, expected, tolerance=2e-6):
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= tolerance * max(1.0, np.abs(expected).max())


@pytest.mark.parametrize("kind, logarithm", [("ln", np.log), ("log10", np.log10), ("db", lambda p: 10 * np.log10(p))])
def test_the_guard_of_a_logarithm_is_added(kind, logarithm):
    x = np.concatenate([np.zeros(1000, np.float32), signal()])
    for floor in (0.01, 1e-10, 2.0 ** -24):
        scale = {"kind": kind, "guard": "add", "floor": floor, "reference": 2, "offset": 1, "factor": 0.5}
        found = features(x, scale=scale)
        close(found, (logarithm((powers(x) + floor) / 2) + 1) * 0.5)
        assert np.isclose(found.min(), (logarithm(floor / 2) + 1) * 0.5)
        assert not np.allclose(found, features(x, scale={**scale, "guard": "max"}), atol=1e-3) or floor < 1e-9
    with pytest.raises(ValueError, match="scale.guard: expected max, or a scale.kind of db, ln or log10"):
        features(x, scale={"kind": "power", "guard": "add"})


def test_symmetric_triangles_are_as_wide_above_as_below():
    """`Filterbank` of SpeechBrain: 1 − |f − c| / (c − the centre below), by 2595 log10(1 + f/700)."""
    x = signal(2)
    points, bands = 400, 40
    mel = np.linspace(0, 2595 * np.log10(1 + 8000 / 700), bands + 2)
    hertz = 700 * (10 ** (mel / 2595) - 1)
    bins = np.arange(points // 2 + 1) * RATE / points
    centre, gap = hertz[1:-1, None], np.diff(hertz)[:-1, None]
    bank = np.maximum(0, 1 - np.abs(bins - centre) / gap)
    found = features(
        x, frame={"fft_length": points}, scale={"kind": "power"}, transform={
            "kind": "mel", "bins": bands, "mel_scale": "htk", "mel_norm": "none", "triangles": "symmetric", "high": 8000})
    expected = powers(x, points) @ bank.T
    assert np.abs(found - expected).max() <= 1e-6 * expected.max()
    narrow = features(
        x, frame={"fft_length": points}, scale={"kind": "power"}, transform={
            "kind": "mel", "bins": bands, "mel_scale": "htk", "mel_norm": "none", "triangles": "hertz", "high": 8000})
    assert np.abs(found - narrow).max() > 1e-3 * expected.max()


@pytest.mark.parametrize("start", ["one", "first"])
@pytest.mark.parametrize("smoothing", [0.1, 0.025, 1.0, None])
def test_energy_normalisation_by_a_coefficient_and_from_the_first_row(start, smoothing):
    x = signal(3)
    energy = powers(x)
    numbers = {"gain": 0.5, "bias": 2.0, "power": 0.5, "eps": 1e-6, "start": start, "smoothing": smoothing}
    share = smoothing
    if share is None:
        frames = 0.4 / 0.01
        share = (np.sqrt(1 + 4 * frames ** 2) - 1) / (2 * frames ** 2)
    past = np.ones(energy.shape[1]) if start == "one" else energy[0]
    expected = np.empty_like(energy)
    for row, values in enumerate(energy):
        past = (1 - share) * past + share * values
        expected[row] = (values / (1e-6 + past) ** 0.5 + 2) ** 0.5 - 2 ** 0.5
    close(features(x, scale={"kind": "pcen", **numbers}), expected, 5e-6)
    # A second signal starts anew.
    plan = package.FeaturePlan({**WHOLE, "scale": {"kind": "pcen", **numbers}}, RATE)
    stream = plan.stream()
    stream.push(signal(4))
    stream.finish()
    assert np.array_equal(np.concatenate([stream.push(x[:7777]), stream.push(x[7777:]), stream.finish()]), plan.features(x))


@pytest.mark.parametrize("remove_dc", [False, True])
@pytest.mark.parametrize("gain, formula", [
    ("peak", lambda x, mean: x / np.abs(x).max()),
    ({"kind": "peak", "level": 0.25}, lambda x, mean: 0.25 * x / np.abs(x).max()),
    ({"kind": "minmax", "epsilon": 1e-6}, lambda x, mean: 2 * ((x - x.min()) / (np.ptp(x) + 1e-6) - 0.5)),
    ({"kind": "zscore", "epsilon": 1e-7}, lambda x, mean: (x - x.mean()) / np.sqrt(x.var() + 1e-7)),
    ({"kind": "rms", "epsilon": 1e-8}, lambda x, mean: x / (1e-8 + np.sqrt((x ** 2).mean()))),
    ("int16", lambda x, mean: np.trunc(32767 * np.clip(x, -1, 1)) / 32767),
], ids=lambda value: value["kind"] if isinstance(value, dict) else value if isinstance(value, str) else "")
def test_samples_are_brought_to_a_level(remove_dc, gain, formula):
    x = signal(5)
    prepared = x.astype(np.float64)
    if remove_dc:
        mean = prepared.mean()
        # The steps of 16 bits are found in single precision, where a difference may lie on the other side of an edge.
        prepared = (x - np.float32(mean)).astype(np.float64) if gain == "int16" else prepared - mean
    expected = powers(formula(prepared, None))
    found = features(x, condition={"gain": gain, "remove_dc": remove_dc}, scale={"kind": "power"})
    assert np.abs(found - expected).max() <= 2e-6 * expected.max()
    bare = features(x, condition={"remove_dc": remove_dc}, scale={"kind": "power"})
    assert np.abs(found - bare).max() > 1e-6 * expected.max()


@pytest.mark.parametrize("condition, text", [
    ({"gain": "loud"}, "condition.gain: expected one of none, int16, peak, minmax, zscore, rms, clamp, found 'loud'"),
    ({"gain": {"kind": "peak", "level": 0}}, "condition.gain.level: expected a number from 1e-09 to 1e9"),
    ({"gain": {"kind": "int16", "level": 1}}, "condition.gain.level"),
    ({"gain": 3}, "condition.gain"),
])
def test_gains_that_do_not_exist_are_refused(condition, text):
    with pytest.raises(ValueError) as error:
        features(signal(), condition=condition)
    assert text in str(error.value)


def mel_bank(bands, low, high, points):
    """2595 log10(1 + f/700), peak 1, straight in Hz."""
    mel = np.linspace(*(2595 * np.log10(1 + np.array([low, high]) / 700)), bands + 2)
    hertz = 700 * (10 ** (mel / 2595) - 1)
    bins = np.arange(points // 2 + 1) * RATE / points
    left, centre, right = hertz[:-2, None], hertz[1:-1, None], hertz[2:, None]
    return np.maximum(0, np.minimum((bins - left) / (centre - left), (right - bins) / (right - centre)))


def spectra(x, points=POINTS):
    frames = np.lib.stride_tricks.sliding_window_view(np.asarray(x, np.float64), LENGTH)[::HOP]
    return np.fft.rfft(frames * scipy.signal.get_window("hann", LENGTH), points)


@pytest.mark.parametrize("points", [512, 514], ids=["own transform", "FFTW"])
@pytest.mark.parametrize("order", ["ascending", "descending"])
def test_bands_of_real_parts_raised_to_a_power_and_in_falling_order(points, order):
    """BirdNET: the real part alone, the square of a band, an exponent below 1, the highest band first."""
    x = signal(6)
    bank = {"kind": "mel", "bins": 24, "low": 500, "high": 7000, "mel_scale": "htk", "mel_norm": "none",
            "spectrum": "real", "order": order}
    sums = spectra(x, points).real @ mel_bank(24, 500, 7000, points).T
    if order == "descending":
        sums = sums[:, ::-1]
    frame = {"fft_length": points}
    found = features(x, frame=frame, transform=bank, scale={"kind": "magnitude"})
    assert found.min() < 0
    close(found, sums)
    close(features(x, frame=frame, transform=bank, scale={"kind": "power"}), sums ** 2)
    exponent = 1 / (1 + np.exp(1.23))
    found = features(
        x, frame=frame, transform=bank,
        scale={"kind": "power", "exponent": exponent, "reference": 4, "offset": 1, "factor": 2, "limit": 5})
    close(found, np.minimum(((sums ** 2 / 4) ** exponent + 1) * 2, 5))
    plan = package.FeaturePlan({**WHOLE, "frame": frame, "transform": bank, "scale": {"kind": "power"}}, RATE)
    rises = np.diff(plan.axis) > 0
    assert rises.all() if order == "ascending" else not rises.any()


@pytest.mark.parametrize("kind, logarithm", [("ln", np.log), ("log10", np.log10), ("db", lambda p: 10 * np.log10(p))])
@pytest.mark.parametrize("guard", ["max", "add"])
def test_scales_and_cepstra_of_real_parts_are_those_of_their_squares(kind, logarithm, guard):
    x = signal(7)
    bank = {"bins": 24, "low": 500, "high": 7000, "mel_scale": "htk", "mel_norm": "none", "spectrum": "real"}
    sums = (spectra(x).real @ mel_bank(24, 500, 7000, POINTS).T) ** 2
    scale = {"kind": kind, "guard": guard, "floor": 0.05}
    expected = logarithm(sums + 0.05 if guard == "add" else np.maximum(sums, 0.05))
    close(features(x, transform={"kind": "mel", **bank}, scale=scale), expected)
    cepstra = scipy.fft.dct(expected, axis=1, norm="ortho")[:, :8]
    mfcc = {"kind": "mfcc", **bank, "bands": 24, "bins": 8, "dct_norm": "ortho"}
    close(features(x, transform=mfcc, scale=scale), cepstra, 4e-6)
    # Slopes over two rows to either side, within the signal.
    found = features(x, transform={"kind": "mel", **bank, "deltas": 1, "delta_window": 2}, scale=scale)
    close(found[:, :24], expected)
    slopes = (expected[3:-1] - expected[1:-3] + 2 * (expected[4:] - expected[:-4])) / 10
    close(found[2:-2, 24:], slopes)


def test_energies_of_real_parts_are_normalised():
    x = signal(8)
    bank = {"kind": "mel", "bins": 24, "low": 500, "high": 7000, "mel_scale": "htk", "mel_norm": "none", "spectrum": "real"}
    sums = (spectra(x).real @ mel_bank(24, 500, 7000, POINTS).T) ** 2
    found = features(x, transform=bank, scale={"kind": "pcen", "smoothing": 0.1, "start": "first"})
    smooth, expected = sums[0], np.empty_like(sums)
    for row, value in enumerate(sums):
        smooth = 0.9 * smooth + 0.1 * value
        expected[row] = (value / (1e-6 + smooth) ** 0.98 + 2) ** 0.5 - 2 ** 0.5
    close(found, expected)


@pytest.mark.parametrize("guard", ["max", "add"])
def test_the_energy_of_a_frame_has_the_guard_of_the_bands(guard):
    x = signal(9)
    frames = np.lib.stride_tricks.sliding_window_view(x.astype(np.float64), LENGTH)[::HOP]
    energy = (frames ** 2).sum(axis=1)
    found = features(
        x, transform={"kind": "mfcc", "bins": 8, "bands": 24, "c0": "energy"},
        scale={"kind": "ln", "guard": guard, "floor": 0.5})
    close(found[:, 0], np.log(energy + 0.5 if guard == "add" else np.maximum(energy, 0.5)))


def test_symmetric_triangles_with_areas_of_one():
    """Slaney's norm is 2 over the width that a band has, which is twice the distance from the centre below."""
    x, points, bands = signal(10), 400, 20
    mel = np.linspace(0, 2595 * np.log10(1 + 8000 / 700), bands + 2)
    hertz = 700 * (10 ** (mel / 2595) - 1)
    centre, gap = hertz[1:-1, None], np.diff(hertz)[:-1, None]
    bank = np.maximum(0, 1 - np.abs(np.arange(points // 2 + 1) * RATE / points - centre) / gap) / gap
    found = features(
        x, frame={"fft_length": points}, scale={"kind": "power"}, transform={
            "kind": "mel", "bins": bands, "mel_scale": "htk", "mel_norm": "slaney", "triangles": "symmetric", "high": 8000})
    expected = powers(x, points) @ bank.T
    assert np.abs(found - expected).max() <= 1e-6 * expected.max()


def test_values_too_large_for_single_precision_are_limited():
    x = (signal(11) * 0.5).astype(np.float32)
    loud = {"audio": {"scale": "int16"}, "scale": {"kind": "power", "exponent": 20, "limit": 5}}
    found = features(x, **loud)
    assert found.max() == 5 and (found == 5).sum() > 1000
    with pytest.raises(ValueError, match="loud|infinite|range"):
        features(x, **{**loud, "scale": {"kind": "power", "exponent": 20}})


@pytest.mark.parametrize("sections, text", [
    ({"transform": {"kind": "mfcc", "order": "descending"}}, "transform.order"),
    ({"transform": {"kind": "mel", "order": "falling"}}, "transform.order: expected one of ascending, descending"),
    ({"scale": {"kind": "db", "exponent": 2}}, "scale.exponent: expected 1, or scale.kind: power"),
    ({"scale": {"kind": "power", "exponent": 0}}, "scale.exponent: expected a number above 0, at most 100"),
    ({"audio": {"fit": "repeat"}}, "audio.fit: expected null, or audio.duration"),
    ({"audio": {"crop": "center"}}, "audio.crop: expected start, or audio.duration"),
    ({"audio": {"fit": "repeat", "duration": 5000}}, "audio.duration: expected at most 67108864 samples"),
    ({"rows": {"fill": 1}}, "rows.fill: expected 0, or rows.count, rows.multiple or patches.rest: fill as well"),
    ({"rows": {"fill_order": "before"}}, "rows.fill_order: expected after, or rows.count or rows.multiple as well"),
    ({"rows": {"count": 10, "multiple": 4}}, "rows.count: expected null or a multiple of rows.multiple"),
    ({"rows": {"count": 0}}, "rows.count: expected null or a whole number from 1 to 16777216"),
    ({"rows": {"count": 9, "fill": 7e4, "fill_order": "before"}, "store": {"type": "float16"}}, "rows.fill"),
    ({"rows": {"count": 9, "fill": 1}, "store": {"layout": "fixed"}, "normalize": {"scope": "clip"}}, "rows.fill"),
    ({"transform": {"kind": "raw"}}, "scale.kind: expected one of linear"),
    ({"transform": {"kind": "raw"}, "scale": {"kind": "linear"}}, "frame.window: expected rectangular"),
])
def test_settings_that_contradict_each_other_are_refused(sections, text):
    with pytest.raises(ValueError) as error:
        features(signal(), **sections)
    assert text in str(error.value)


@pytest.mark.parametrize("frame, padded", [
    ({}, lambda x: x), ({"align": "center", "pad": "zero"}, lambda x: np.pad(x, 200)),
    ({"align": "center"}, lambda x: np.pad(x, 200, "reflect")), ({"align": "kaldi"}, lambda x: np.pad(x, 120, "symmetric"))])
def test_pre_emphasis_leaves_no_noise_in_faint_bins(frame, padded):
    """Rounded to single precision, it would be 0.1 off in bins 140 dB below the loudest."""
    x = (0.9 * np.sin(2 * np.pi * 50 * np.arange(RATE) / RATE)).astype(np.float32)
    x[RATE // 2:] = 1e-7 * np.random.default_rng(4).standard_normal(RATE // 2)
    exact = x.astype(np.float64)
    expected = np.log(powers(padded(np.append(exact[:1], exact[1:] - 0.97 * exact[:-1]))))
    plan = package.FeaturePlan(
        {**WHOLE, "audio": {"sample_rate": RATE}, "condition": {"pre_emphasis": 0.97}, "scale": {"floor": 1e-30}, "frame": frame}, RATE)
    found = plan.features(x)
    assert found.shape == expected.shape and np.abs(found - expected).max() < 1e-5
    stream = plan.stream()
    pieces = [stream.push(x[start:start + 777]) for start in range(0, RATE, 777)]
    assert np.array_equal(np.concatenate([*pieces, stream.finish()]), found)


@pytest.mark.parametrize("crop", ["start", "center"])
@pytest.mark.parametrize("fit", ["zero", "repeat", "repeat_pad", None])
@pytest.mark.parametrize("count", [1, 399, 7000, 15_999, 16_000, 16_001, 20_001])
def test_clips_of_one_length(fit, crop, count):
    """Each of one second: padded with zeros, repeated, or cut at its end or at both ends."""
    x = signal(7, max(count, 2))[:count] + np.float32(0.2)
    audio = {"duration": 1, "fit": fit, "crop": crop}
    first = (count - RATE) // 2 if crop == "center" and count > RATE else 0
    part = x[first:first + RATE].astype(np.float64)
    for condition, prepared in [
            ({}, part), ({"remove_dc": True, "gain": {"kind": "peak", "level": 0.5}},
                         0.5 * (part - part.mean()) / max(np.abs(part - part.mean()).max(), 1e-300)),
            ({"pre_emphasis": 0.97}, np.append(part[:1], part[1:] - np.float32(0.97) * part[:-1]))]:
        repeated = np.tile(prepared, RATE // len(prepared) + (fit == "repeat"))[:RATE]
        padded = repeated if fit in ("repeat", "repeat_pad") else prepared
        padded = np.append(padded, np.zeros(RATE - len(padded)))
        plan = package.FeaturePlan(
            {**WHOLE, "audio": {"sample_rate": RATE, **audio}, "condition": condition, "scale": {"kind": "power"}}, RATE)
        found = plan.features(x)
        expected = powers(padded)
        assert found.shape == expected.shape == (98, 257)
        assert np.abs(found - expected).max() <= 3e-6 * max(expected.max(), 1e-3)
        stream = plan.stream()
        pieces = [stream.push(x[start:start + 1777]) for start in range(0, count, 1777)]
        assert np.array_equal(np.concatenate([*pieces, stream.finish()]), found)


def arranged(values, rows, normalise):
    """A clip's rows as `rows` has them, from its rows of frames in double precision."""
    values = values[:rows.get("count")]
    count = rows.get("count") or -(-len(values) // rows.get("multiple", 1)) * rows.get("multiple", 1)
    added = np.full((count - len(values), values.shape[1]), rows.get("fill", 0.0))
    if rows.get("fill_order") == "before":
        return normalise(np.concatenate([values, added]))
    return np.concatenate([normalise(values), added])


@pytest.mark.parametrize("rows", [
    {"count": 64}, {"count": 200, "fill": -3.5}, {"count": 200, "fill": -3.5, "fill_order": "before"},
    {"multiple": 100}, {"multiple": 7, "fill": 2, "fill_order": "before"}, {"count": 123, "multiple": 3}, {"multiple": 1},
], ids=str)
@pytest.mark.parametrize("normalize, formula", [
    ({"scope": "none"}, lambda v: v),
    ({"scope": "constant", "mean": -4.2677393, "std": 9.1379948}, lambda v: (v + 4.2677393) / 9.1379948),
    ({"scope": "clip", "ddof": 1, "epsilon": 1e-5}, lambda v: (v - v.mean(0)) / (v.std(0, ddof=1) + 1e-5)),
], ids=["none", "constant", "clip"])
@pytest.mark.parametrize("transform", [
    {"kind": "fft"}, {"kind": "mel", "bins": 20, "deltas": 2}], ids=["fft", "deltas"])
def test_rows_are_dropped_and_added(rows, normalize, formula, transform):
    x = signal(8)
    scale = {"kind": "ln", "floor": 1e-6}
    if transform["kind"] == "fft":
        values = np.log(np.maximum(powers(x), 1e-6))
    else:
        values = features(x, transform=transform, scale=scale).astype(np.float64)
    expected = arranged(values, rows, formula)
    plan = package.FeaturePlan(
        {**WHOLE, "transform": transform, "scale": scale, "normalize": normalize, "rows": rows}, RATE)
    found = plan.features(x)
    close(found, expected, 5e-6)
    stream = plan.stream()
    pieces = [stream.push(x[start:start + 997]) for start in range(0, len(x), 997)]
    assert np.array_equal(np.concatenate([*pieces, stream.finish()]), found)
    # The next signal of the same stream is arranged anew.
    again = [stream.push(x[:5000]), stream.finish()]
    assert np.array_equal(np.concatenate(again), plan.features(x[:5000]))
    assert len(plan.features(x[:100])) == 0


@pytest.mark.parametrize("length, hop", [(1, 1), (513, 513), (400, 160)])
@pytest.mark.parametrize("align", ["start", "center"])
def test_the_samples_themselves(length, hop, align):
    x = signal(9)
    frame = {"length": length, "hop": hop, "window": "rectangular", "align": align, "pad": "zero", "fft_length": length}
    configuration = {
        "audio": {"sample_rate": RATE}, "frame": frame, "transform": {"kind": "raw"}, "scale": {"kind": "linear"}}
    plan = package.FeaturePlan({**configuration, "normalize": {"scope": "none"}}, RATE)
    padded = x if align == "start" else np.pad(x, (length // 2, length))
    count = 1 + (len(x) - length) // hop if align == "start" else 1 + (len(x) - length % 2) // hop
    expected = np.lib.stride_tricks.sliding_window_view(padded, length)[::hop][:count]
    assert np.array_equal(plan.features(x), expected)
    assert plan.bins == length and plan.units == "amplitude"
    normalised = package.FeaturePlan(
        {**configuration, "normalize": {"scope": "clip", "axis": "all", "epsilon": 1e-7, "epsilon_in": "variance"}}, RATE)
    wide = expected.astype(np.float64)
    close(normalised.features(x), (wide - wide.mean()) / np.sqrt(wide.var() + 1e-7), 1e-6)


# ------------------------------------------------------------------------------------------------- lengths of clips


def rows(x, audio, **sections):
    """Rows of a whole signal and of a stream in pieces, which are equal; the count is the one that the plan foretells."""
    plan = package.FeaturePlan({**WHOLE, "audio": {"sample_rate": RATE, **audio}, **sections})
    found = plan.features(x)
    stream = plan.stream()
    pieces = [stream.push(x[start:start + 777]) for start in range(0, len(x), 777)] + [stream.finish()]
    assert np.array_equal(np.concatenate(pieces), found)
    return found


@pytest.mark.parametrize("audio, padded", [
    ({"minimum": 0.5}, lambda n: max(n, 8000)),
    ({"multiple": 128}, lambda n: -(-n // 128) * 128),
    ({"minimum": 0.5, "multiple": 3001}, lambda n: -(-max(n, 8000) // 3001) * 3001),
    ({"duration": 0.5, "fit": "keep"}, lambda n: min(n, 8000)),
    ({"duration": 0.5, "fit": "keep", "multiple": 640}, lambda n: -(-min(n, 8000) // 640) * 640),
    ({"duration": 0.5, "fit": "keep", "minimum": 0.1}, lambda n: max(min(n, 8000), 1600)),
])
@pytest.mark.parametrize("lookahead", [0, 1, 700])
def test_clips_are_completed_by_zeros_or_keep_their_length(audio, padded, lookahead):
    for count in (1, 399, 400, 401, 7_999, 8_000, 8_001, 12_345):
        x = signal(7, count)
        whole = np.zeros(padded(count), np.float32)
        present = min(count, 8000 if "duration" in audio else count)
        whole[:present] = x[:present]
        found = rows(x, audio, frame={"lookahead": lookahead})
        expected = max(0, (len(whole) - 400 - lookahead) // 160 + 1) if len(whole) >= 400 + lookahead else 0
        assert len(found) == expected
        assert np.array_equal(found, rows(whole, {})[:expected])


def test_the_minimum_of_samples_counts_zeros():
    def minimum(**audio):
        return package.FeaturePlan({**WHOLE, "audio": {"sample_rate": RATE, **audio}, "frame": {"lookahead": 1}}).minimum_samples

    assert [minimum(), minimum(minimum=0.5), minimum(multiple=128), minimum(multiple=401)] == [401, 1, 385, 1]


@pytest.mark.parametrize("sections, text", [
    ({"audio": {"minimum": 1, "duration": 2}}, "audio.minimum: expected null, or audio.fit: keep"),
    ({"audio": {"multiple": 2, "duration": 2}}, "audio.multiple: expected 1, or audio.fit: keep"),
    ({"audio": {"minimum": 3, "duration": 2, "fit": "keep"}}, "audio.minimum: expected null, or at most audio.duration"),
    ({"audio": {"fit": "keep"}}, "audio.fit: expected null, or audio.duration"),
    ({"audio": {"multiple": 0}}, "audio.multiple"),
    ({"frame": {"lookahead": 1, "align": "center"}}, "frame.lookahead: expected 0, or frame.align: start"),
])
def test_lengths_that_contradict_each_other_are_refused(sections, text):
    with pytest.raises(ValueError) as error:
        features(signal(), **sections)
    assert text in str(error.value)


@pytest.mark.parametrize("layout", ["packed", "fixed"])
def test_extract_completes_clips_and_foretells_their_rows(veery, tmp_path, layout):
    import h5py
    import scipy.io.wavfile

    counts = (1, 500, 513, 514, 15_999, 20_000)
    for count in counts:
        scipy.io.wavfile.write(tmp_path / f"{count}.wav", RATE, signal(8, count))
    (tmp_path / "m.csv").write_text("path,id\n" + "".join(f"{count}.wav,{count}\n" for count in counts))
    settings = ["audio.duration=1", "audio.fit=keep", "audio.multiple=128", "frame.lookahead=1", f"store.layout={layout}"]
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--preset", "gemma3n", "--max-failures", "100%",
          *(word for text in settings for word in ("--set", text)))
    plan = package.FeaturePlan("gemma3n", settings={"audio": {"duration": 1}})
    with h5py.File(tmp_path / "f.h5") as file:
        ids, found = list(file["clips/id"].asstr()[:]), list(file["clips/frame_count"][:])
        assert list(file["failures/id"].asstr()[:]) == ["1", "500"]
        assert ids == ["513", "514", "15999", "20000"] and found == [1, 1, 97, 97]
        for row, name in enumerate(ids):
            x = signal(8, int(name))
            start = file["clips/frame_start"][row]
            stored = file["features"][row] if layout == "fixed" else file["features"][start:]
            assert np.array_equal(stored[:found[row]], plan.features(x))
