"""Rows that remain in double precision until their clip is normalised, or its maximum subtracted, against NumPy in float64.

Where a clip's bands hardly vary, what single precision drops of a logarithm is a large part of what normalisation leaves."""

import json

import h5py
import numpy as np
import pytest
import soundfile
from conftest import noise
from formulas import models

import veery as package

RATE = 16_000
# Parts of the range: the rounding of the result to single precision, and a little for the order of sums.
TOLERANCE = 3e-7
PRESETS = ("parakeet", "seamless", "avex-effnet", "redimnet", "ecapa", "3d-speaker", "wespeaker")


@pytest.fixture(scope="module", autouse=True)
def _library(library):
    """Skips nothing: without the library, all tests here fail."""


def faint(count=16_000):
    return (1e-5 * noise(3, count, 1.0)).astype(np.float32)


def narrow(count=16_000):
    """Nothing above 2 kHz, as of recordings at another rate."""
    spectrum = np.fft.rfft(noise(4, count, 0.5).astype(np.float64))
    spectrum[count // 8:] = 0
    return np.fft.irfft(spectrum, count).astype(np.float32)


def steps(count=16_000):
    return np.sign(np.sin(2 * np.pi * 441.3 * np.arange(count) / RATE)).astype(np.float32)


def offset(count=16_000):
    return (0.5 + 0.001 * noise(5, count, 1.0)).astype(np.float32)


# A few rows have hardly any spread.
SIGNALS = {
    "faint": faint(), "narrow": narrow(), "steps": steps(), "offset": offset(), "three rows": noise(6, 721, 0.3).astype(np.float32),
    "a minute": np.tile(noise(7, 16_000, 0.3).astype(np.float32), 60)}


def distance(found, expected):
    extent = np.ptp(expected)
    return np.abs(found.astype(np.float64) - expected).max() / (extent if extent > 1e-6 else 1)


@pytest.mark.parametrize("name", SIGNALS)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_clips_normalisation_loses_no_digit_before_it(preset, name):
    x = SIGNALS[name]
    expected = models.MODELS[preset](x)
    found = package.FeaturePlan(preset).features(x)
    assert found.reshape(expected.shape).shape == expected.shape
    assert distance(found.reshape(expected.shape), expected) <= TOLERANCE


@pytest.mark.parametrize("count", [1, 2, 2048, 48_000])
def test_what_is_relative_to_the_clips_maximum(count):
    x = noise(8, count, 0.2).astype(np.float32)
    expected = models.MODELS["openl3"](x)
    found = package.FeaturePlan("openl3").features(x)
    assert distance(found.reshape(expected.shape), expected) <= TOLERANCE


# Every step after the transform: PCEN, a clip's maximum, cepstra with an energy, slopes, rows that are added, all methods.
CONFIGURATIONS = [
    {},
    {"normalize": {"scope": "clip", "method": "minmax"}},
    {"normalize": {"scope": "clip", "method": "range", "axis": "all"}},
    {"normalize": {"scope": "clip", "method": "mean", "minimum": 0}},
    {"transform": {"kind": "fft"}, "scale": {"kind": "db", "top_db": 60}},
    {"transform": {"kind": "fft"}, "scale": {"kind": "complex"}},
    {"transform": {"kind": "dct", "norm": "ortho"}},
    {"transform": {"kind": "dct", "type": 3}, "scale": {"kind": "magnitude"}},
    {"scale": {"kind": "pcen"}},
    {"scale": {"kind": "log10", "top_db": 40, "offset": 4, "factor": 0.25}, "transform": {"deltas": 2, "delta_window": 3}},
    {"transform": {"kind": "mfcc", "deltas": 1}, "scale": {"top_db": 70}},
    {"transform": {"kind": "mfcc", "c0": "energy"}},
    {"transform": {"spectrum": "magnitude"}, "rows": {"count": 60, "fill": "min", "fill_order": "before"}},
    {"rows": {"multiple": 32, "fill": -3.3, "fill_order": "before"}, "store": {"type": "float16"}},
    {"patches": {"length": 3, "hop": 2, "rest": "repeat", "stacked": True}},
    {"transform": {"kind": "musical"}, "frame": {"length": "40 ms", "fft_length": 2048}, "scale": {"kind": "magnitude"}},
    {"scale": {"kind": "power", "exponent": 0.3}},
]


def completed(changed):
    return {**changed, "normalize": {"scope": "clip", **changed.get("normalize", {})}}


@pytest.mark.parametrize("changed", CONFIGURATIONS, ids=lambda changed: json.dumps(changed)[:60])
def test_pieces_files_jobs_and_the_library_agree(veery, tmp_path, changed):
    """To the last bit: whole, in pieces, by extract with one thread or three, at the end of a manifest or alone."""
    plan = package.FeaturePlan(completed(changed), RATE)
    x = noise(9, 30_000, 0.4).astype(np.float32) * np.linspace(0, 1, 30_000, dtype=np.float32)
    whole = plan.features(x)
    for cuts in ([], [1, 7, 4_000, 4_001, 29_999], list(range(0, 30_000, 611))):
        stream = plan.stream()
        parts = [stream.push(part) for part in np.split(x, [cut for cut in cuts if cut])] + [stream.finish()]
        joined = np.concatenate([part for part in parts if len(part)])
        assert np.array_equal(joined, whole), cuts
    for number in range(4):
        soundfile.write(tmp_path / f"{number}.wav", x[number * 3_000:], RATE, subtype="FLOAT")
    (tmp_path / "m.csv").write_text("path\n0.wav\n1.wav\n2.wav\n3.wav\n")
    (tmp_path / "c.json").write_text(json.dumps({**completed(changed), "audio": {"sample_rate": RATE}}))
    for jobs in (1, 3):
        veery("extract", tmp_path / "m.csv", "-o", tmp_path / f"{jobs}.h5", "--config", tmp_path / "c.json", "--jobs", jobs)
    assert (tmp_path / "1.h5").read_bytes() == (tmp_path / "3.h5").read_bytes()
    opened = package.open(tmp_path / "1.h5")
    stored = np.asarray(opened[0].features)
    expected = whole if stored.dtype == np.float32 else whole.astype(np.float16)
    assert np.array_equal(stored.reshape(expected.shape), expected)
    veery("inspect", tmp_path / "1.h5", "--verify")


def test_statistics_in_the_file_have_all_digits(veery, tmp_path):
    x = faint()
    soundfile.write(tmp_path / "a.wav", x, RATE, subtype="FLOAT")
    (tmp_path / "m.csv").write_text("path\na.wav\n")
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "a.h5", "--preset", "avex-effnet")
    with h5py.File(tmp_path / "a.h5") as file:
        software = json.loads(file["provenance/software"][()])
        assert software["transform"].endswith("double rows")
        least, most = (file[f"clips/statistics/{name}"][0] for name in ("min", "max"))
        values = file["features"][:]
    span = most.max() - least.min()
    # Undone in float64, the least value of each bin is the stored minimum, to the digits of the normalised values.
    assert np.abs(values.min(axis=0) * span + least.min() - least).max() <= 1e-7 * span


def test_other_plans_are_single_precision_as_before(veery, tmp_path):
    soundfile.write(tmp_path / "a.wav", faint(), RATE, subtype="FLOAT")
    (tmp_path / "m.csv").write_text("path\na.wav\n")
    for normalize in ("none", "dataset"):
        veery("extract", tmp_path / "m.csv", "-o", tmp_path / "a.h5", "--overwrite", "--set", f"normalize.scope={normalize}")
        with h5py.File(tmp_path / "a.h5") as file:
            assert "double" not in file["provenance/software"][()].decode()
            least = file["statistics/min"][:]
        assert np.array_equal(least, least.astype(np.float32))
