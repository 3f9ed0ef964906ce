"""Whether the goldens of presets notice each of their numbers: every one is changed by 1 %, or by one where it counts something, and some
golden has to differ then: one of Tests/Fixtures/models, or a formula of Tests/Parity for a sound that shows the number (sounds.py)."""

import json
import warnings
from collections import Counter

import numpy as np
import pytest
from formulas import models
from sounds import formula, sounds
from test_models import CASES, FOLDER, TOLERANCE, read

import veery as package

pytestmark = pytest.mark.long

# Keys that count, and whose steps are whole.
COUNTS = {
    "audio.lead", "audio.multiple", "frame.fft_length", "frame.hop", "frame.length", "frame.lookahead",
    "normalize.ddof", "patches.hop", "patches.lead", "patches.length", "rows.count", "rows.multiple", "rows.resize_bins", "rows.resize_multiple",
    "transform.bands",
    "transform.bins", "transform.delta_window", "transform.deltas", "transform.notes", "transform.points_per_note", "transform.step",
    "transform.type"}
# What the sections of how features are stored hold is not a number of a preset.
OTHERS = ("version", "store")
# The formulas are rounded to single precision at the end, as the features are.
OF_FORMULA = 2e-6
# Numbers for which one more is the same, and why.
SAME = {
    ("seamless", "rows.multiple"): "rows are filled up to pairs already",
    ("gemma3n", "frame.lookahead"): "clips have an even number of samples, as the length and the hop of frames are",
    ("yamnet", "frame.lookahead"): "zeros are appended until the last patch is whole",
    ("yamnet", "audio.multiple"): "clips have an even number of samples, after zeros up to whole patches",
    ("bird-mae", "frame.lookahead"): "160 samples follow the last of the frames in 5 s",
    ("batdetect2", "rows.multiple"): "resized rows are multiples of 32 already",
    ("mt3", "audio.multiple"): "zeros are appended to the last frame in any case",
    **{(name, "rows.multiple"): "512 or 1024 rows are even" for name in ("ast", "ast-speech-commands", "audiomae", "eat", "bird-mae")},
}
# Numbers that the other keys of a preset allow no other value of: lookahead is that of frames which start at the first sample, a clip
# with a duration has no multiple, patches decide how many rows there are, a row that is one sample has no transform, and columns that are
# resized have no slopes.
ONLY_VALUES = {"frame.lookahead", "audio.multiple", "rows.multiple", "frame.length", "transform.deltas"}
# Sounds whose rows hardly change: in single precision before they are normalised by the clip, they are not what the formula gives.
STEADY = ("steady", "2^-20", "2^-26", "far")


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
        # That of a dataset is no number of a clip.
        "normalize.ddof": normalize["method"] == "zscore" and normalize["scope"] == "clip", "rows.fill": is_filled,
        # Signals have the plan's rate, and the points of notes are read at whole bins.
        "transform.tuning": transform["kind"] == "musical",
        # A row of samples has no transform.
        "frame.fft_length": transform["kind"] != "raw",
        # A factor of all powers is a constant of their logarithms, which the clip's mean takes away.
        "scale.reference": not (is_logarithm and normalize["scope"] == "clip"),
        "scale.factor": not (normalize["scope"] == "clip" and normalize["method"] in ("minmax", "range")),
    }.get(key, True)


def changed(path, value):
    """The numbers that are tried instead, until one of them is not refused. None: zero has no hundredth."""
    if isinstance(value, str):
        return [f"{float(value.removesuffix(' ms')) * factor!r} ms" for factor in (1.01, 0.99)]
    key = ".".join(path)
    if key == "audio.sample_rate":
        return [round(value * 1.01), round(value * 0.99)]
    if key in COUNTS:
        # A type is one of a few, hops of patches divide their lengths, and some lengths are powers of two.
        return [other for other in (value + 1, value - 1, value + 2, 2 * value, value // 2) if other != value]
    return [value * 1.01, value * 0.99] if value else []


def put(changes, configuration, path, value):
    """The changes of a preset with one more, of a value within a value by that."""
    section, key, *rest = path
    if rest:
        value = {**configuration[section][key], rest[0]: value}
    return {**changes, section: {**changes.get(section, {}), key: value}}


class Goldens:
    """What a preset gives for the sounds that it has goldens of: files, then formulas."""

    def __init__(self, preset, configuration):
        self.preset, self.configuration = preset, configuration
        self.files = [(case["name"], *reversed(read(case)), case["set"], np.load(FOLDER / f"{case['name']}.npy"), TOLERANCE)
                      for case in CASES if case["preset"] == preset and not case.get("stereo")]
        self.formulas, self.rate = [], configuration["audio"]["sample_rate"] or models.RATES.get(preset, 16000)
        if formula(preset):
            # With rows that follow the samples.
            counting = {"audio": {"duration": None, "fit": None}, "rows": {"count": None, "multiple": 1, "fill": 0, "fill_order": "after"}} if configuration["rows"]["count"] else {}
            for name, x in sounds(self.plan({}, self.rate), self.plan(counting, self.rate), configuration):
                golden = (name, x, self.rate, {}, formula(preset)(x, self.rate), OF_FORMULA)
                if name in STEADY and configuration["normalize"]["scope"] == "clip" and self.difference({}, *golden):
                    continue
                self.formulas.append(golden)

    def plan(self, stated, rate):
        is_own = self.configuration["audio"]["sample_rate"] is not None
        return package.FeaturePlan({"extends": self.preset, **stated}, normalize=self.configuration["normalize"]["scope"] != "dataset",
                                   sample_rate=None if is_own else rate)

    def difference(self, changes, name, x, rate, settings, expected, tolerance):
        """How a configuration with changes differs from a golden; None: it does not."""
        stated = changes
        for key, value in settings.items():
            stated = put(stated, {}, key.split("."), value)
        try:
            plan = self.plan(stated, rate)
            # A plan of another rate resamples, so that its values count, not its rate.
            found = plan.features(x) if plan.sample_rate == rate else plan.features(x, rate)
        except package.FeatureError as error:
            return f"{name}: {error}"
        if found.shape != expected.shape:
            return f"{name}: {found.shape} rows and columns, expected {expected.shape}"
        if not found.size:
            return None
        # As in Tests/Parity: 0 is within the range, and a constant with rounding errors has none.
        extent = max(expected.max(), 0) - min(expected.min(), 0)
        distance = np.abs(found - expected).max() / (extent if extent > 1e-6 or not self.is_logarithmic else 1)
        return None if distance <= tolerance else f"{name}: {distance:.2g} of the range"

    def is_refused(self, changes):
        """Whether there is no plan with changes."""
        try:
            self.plan(changes, self.rate)
        except package.FeatureError:
            return True
        return False

    @property
    def is_logarithmic(self):
        return self.configuration["scale"]["kind"] in ("db", "ln", "log10")

    def differing(self, changes):
        """The first golden that a configuration with changes does not give."""
        return next((found for golden in self.files + self.formulas if (found := self.difference(changes, *golden))), None)


@pytest.fixture(scope="module")
def goldens(veery):
    """By preset."""
    listed = [line.split()[0] for line in veery("presets").stdout.splitlines() if line.startswith("  ") and line[2] != " "]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield {name: Goldens(name, json.loads(veery("presets", name, "--json").stdout)) for name in listed}


def test_presets_equal_their_goldens_for_sounds_of_all_lengths_and_levels(goldens):
    wrong = {preset: found for preset, golden in goldens.items() if (found := golden.differing({}))}
    assert not wrong, "\n".join(f"{preset}: {found}" for preset, found in wrong.items())


def test_the_goldens_notice_every_number_of_every_preset(goldens):
    counts, missed, refused = Counter(), [], Counter()
    for preset, golden in goldens.items():
        for path, value in numbers(golden.configuration):
            if not acts(golden.configuration, path) or (preset, ".".join(path)) in SAME:
                continue
            others = changed(path, value)
            if not others:
                continue
            other = next((other for other in others if not golden.is_refused(put({}, golden.configuration, path, other))), None)
            if other is None:
                refused[".".join(path)] += 1
                continue
            counts["mutations"] += 1
            if not golden.differing(put({}, golden.configuration, path, other)):
                missed.append(f"{preset}: {'.'.join(path)} = {other} instead of {value}")
    print(f"\n{counts['mutations']} numbers of {len(goldens)} presets, {len(missed)} not noticed; no other value is allowed for "
          f"{refused.total()} more: {dict(refused)}")
    assert not missed, f"{len(missed)} of {counts['mutations']} not noticed:\n" + "\n".join(missed)
    assert set(refused) <= ONLY_VALUES, refused
