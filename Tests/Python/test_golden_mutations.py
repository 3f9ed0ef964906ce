"""Whether the goldens of presets notice each of their numbers: every one is changed by 1 %, or by one where it counts something, and some
golden has to differ then. Those of Tests/Fixtures/models, and the formulas of Tests/Parity for presets without a file there."""

import json
import warnings
from collections import Counter

import numpy as np
import pytest
from formulas import reference
from test_models import CASES, FOLDER, TOLERANCE, distance, read

import veery as package

pytestmark = pytest.mark.long

# Keys that count, and whose steps are whole.
COUNTS = {
    "audio.lead", "audio.multiple", "audio.sample_rate", "frame.fft_length", "frame.hop", "frame.length", "frame.lookahead",
    "normalize.ddof", "patches.hop", "patches.lead", "patches.length", "rows.count", "rows.multiple", "rows.resize_bins", "transform.bands",
    "transform.bins", "transform.delta_window", "transform.deltas", "transform.notes", "transform.points_per_note", "transform.step",
    "transform.type"}
# What the sections of how features are stored hold is not a number of a preset.
OTHERS = ("version", "store")
# The formulas are rounded to single precision at the end, as the features are.
OF_FORMULA = 2e-6


@pytest.fixture(scope="module", autouse=True)
def _library(library):
    """Skips nothing: without the library, all tests here fail."""


def numbers(configuration, path=()):
    """The paths of the numbers of a configuration, with times as text."""
    for key, value in configuration.items():
        if not path and key in OTHERS:
            continue
        if isinstance(value, dict):
            yield from numbers(value, (*path, key))
        elif isinstance(value, (int, float)) and not isinstance(value, bool) or isinstance(value, str) and value.endswith(" ms"):
            yield (*path, key), value


def acts(configuration, path):
    """Whether a number does something in this configuration."""
    key, (transform, scale, normalize) = ".".join(path), (configuration[name] for name in ("transform", "scale", "normalize"))
    is_logarithm = scale["kind"] in ("db", "ln", "log10")
    is_filled = (configuration["rows"]["count"] or configuration["rows"]["multiple"] > 1 or configuration["patches"]["rest"] == "fill")
    return {
        "transform.delta_window": transform.get("deltas", 0) > 0, "scale.floor": is_logarithm, "scale.exponent": scale["kind"] == "power",
        "scale.time_constant": scale["kind"] == "pcen" and scale.get("smoothing") is None,
        "normalize.ddof": normalize["method"] == "zscore" and normalize["scope"] in ("clip", "dataset"), "rows.fill": is_filled,
        # Signals have the plan's rate, and the points of notes are read at whole bins.
        "transform.tuning": transform["kind"] == "musical",
    }.get(key, True)


def changed(path, value):
    """The number that is tried instead; None: zero has no hundredth."""
    if isinstance(value, str):
        return f"{float(value.removesuffix(' ms')) * 1.01!r} ms"
    if ".".join(path) in COUNTS:
        return value + 1
    return value * 1.01 if value else None


def put(changes, configuration, path, value):
    """The changes of a preset with one more, of a value within a value by that."""
    section, key, *rest = path
    if rest:
        value = {**configuration[section][key], rest[0]: value}
    return {**changes, section: {**changes.get(section, {}), key: value}}


def expectations(preset):
    """Samples, rate, settings, rows and tolerance of each golden."""
    for case in CASES:
        if case["preset"] == preset and not case.get("stereo"):
            rate, x = read(case)
            yield x, rate, case["set"], case["name"], TOLERANCE
    if preset in reference.PRESETS:
        rate, x = read(next(case for case in CASES if case["file"] == "sound-16k-long.wav"))
        plan = package.FeaturePlan(preset, normalize=False, sample_rate=None if own_rate(preset) else rate)
        # At the preset's own rate the sound is the same samples.
        yield np.tile(x, 4), plan.sample_rate, {}, reference.PRESETS[preset], OF_FORMULA


def own_rate(preset):
    return configuration_of(preset)["audio"]["sample_rate"]


def configuration_of(preset):
    return json.loads(PRINTED[preset])


PRINTED = {}


def rows_of(expected, x, rate):
    if callable(expected):
        return expected(x[:, None], rate)
    return np.load(FOLDER / f"{expected}.npy")


def is_noticed(preset, changes):
    for x, rate, settings, expected, tolerance in expectations(preset):
        stated = changes
        for key, value in settings.items():
            stated = put(stated, {}, key.split("."), value)
        try:
            plan = package.FeaturePlan(
                {"extends": preset, **stated}, normalize=not callable(expected), sample_rate=None if own_rate(preset) else rate)
            found = plan.features(x)
        except package.FeatureError:
            return True
        rows = rows_of(expected, x, rate)
        if plan.sample_rate != rate or found.shape != rows.shape or not distance(found, rows) <= tolerance:
            return True
    return False


@pytest.fixture(scope="module")
def presets(veery):
    listed = [line.split()[0] for line in veery("presets").stdout.splitlines() if line.startswith("  ") and line[2] != " "]
    PRINTED.update({name: veery("presets", name, "--json").stdout for name in listed})
    return listed


def test_the_goldens_notice_every_number_of_every_preset(presets):
    counts, missed = Counter(), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for preset in presets:
            configuration = configuration_of(preset)
            assert not is_noticed(preset, {}), preset
            for path, value in numbers(configuration):
                other = changed(path, value) if acts(configuration, path) else None
                if other is None:
                    continue
                counts["mutations"] += 1
                if not is_noticed(preset, put({}, configuration, path, other)):
                    missed.append(f"{preset}: {'.'.join(path)} = {other} instead of {value}")
    print(f"\n{counts['mutations']} numbers of {len(presets)} presets, {len(missed)} not noticed")
    assert not missed, f"{len(missed)} of {counts['mutations']} not noticed:\n" + "\n".join(missed)
