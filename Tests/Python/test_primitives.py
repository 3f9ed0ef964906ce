"""Steps that models need besides those of the programs in test_presets: each against NumPy in float64, from its formula."""

import numpy as np
import pytest
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
    figures = {"gain": 0.5, "bias": 2.0, "power": 0.5, "eps": 1e-6, "start": start, "smoothing": smoothing}
    share = smoothing
    if share is None:
        frames = 0.4 / 0.01
        share = (np.sqrt(1 + 4 * frames ** 2) - 1) / (2 * frames ** 2)
    past = np.ones(energy.shape[1]) if start == "one" else energy[0]
    expected = np.empty_like(energy)
    for row, values in enumerate(energy):
        past = (1 - share) * past + share * values
        expected[row] = (values / (1e-6 + past) ** 0.5 + 2) ** 0.5 - 2 ** 0.5
    close(features(x, scale={"kind": "pcen", **figures}), expected, 5e-6)
    # A second signal starts anew.
    plan = package.FeaturePlan({**WHOLE, "scale": {"kind": "pcen", **figures}}, RATE)
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
    ({"gain": "loud"}, "condition.gain: expected one of none, int16, peak, minmax, zscore, rms, found 'loud'"),
    ({"gain": {"kind": "peak", "level": 0}}, "condition.gain.level: expected a number from 1e-09 to 1e9"),
    ({"gain": {"kind": "int16", "level": 1}}, "condition.gain.level"),
    ({"gain": 3}, "condition.gain"),
])
def test_gains_that_do_not_exist_are_refused(condition, text):
    with pytest.raises(ValueError) as error:
        features(signal(), condition=condition)
    assert text in str(error.value)
