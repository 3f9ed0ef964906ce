"""Features computed in Python: to the last bit those that `veery extract` stores, however a signal is cut."""

import concurrent.futures
import contextlib
import ctypes
import dataclasses
import json
import os
import pickle
import subprocess
import sys
import threading
import warnings
from types import SimpleNamespace

import h5py
import numpy as np
import pytest
import scipy.io.wavfile
import soundfile

from conftest import ROOT, noise, tone, write_manifest, write_wav

pytestmark = pytest.mark.usefixtures("library")

PRESETS = [
    "log-mel", "spectrogram", "scrolling-dct", "mixer-fft", "musical-spectrum", "live-waveform", "librosa-log-mel",
    "librosa-mfcc", "torchaudio-log-mel", "torchaudio-mfcc", "kaldi-fbank", "kaldi-mfcc", "htk-mfcc", "whisper"]
RATE = 22_050


@pytest.fixture(scope="module")
def plans():
    from veery import plan
    return plan


def recordings(folder, collection):
    """Paths of recordings of one channel: three that are made here, and real ones where there are any."""
    made = {
        "a.wav": (RATE, tone(RATE, 2.3, [220, 1000, 3000], 0.7) + noise(1, round(2.3 * RATE), 0.05)),
        "b.wav": (44_100, noise(2, 44_100, 0.8) * np.linspace(0, 1, 44_100)),
        "c.wav": (16_000, noise(3, 16_123, 0.01))}
    for name, (rate, signal) in made.items():
        write_wav(folder / name, rate, signal, dtype="<f4")
    paths = [folder / name for name in made]
    if collection:
        paths += sorted(collection.glob("fsdd/**/*.wav"))[:300:60] + sorted(collection.glob("soundscape_day_night/*.wav"))[:1]
        paths += sorted(collection.glob("instruments/**/*.flac"))[:60:30]
        paths += sorted(collection.glob("birds/bengalese_finch_Bird0/*.wav"))[:1]
    return paths


def samples(path):
    signal, rate = soundfile.read(path, dtype="float32")
    assert signal.ndim == 1, path
    return signal, rate


def extracted(veery, folder, paths, *options, name="f"):
    """What `veery extract` stores of each recording, with the file."""
    manifest = write_manifest(folder / f"{name}.csv", [{"path": path, "id": index} for index, path in enumerate(paths)])
    veery("extract", manifest, "-o", folder / f"{name}.h5", *options)
    file = h5py.File(folder / f"{name}.h5")
    starts, counts = file["clips/frame_start"][:], file["clips/frame_count"][:]
    assert len(counts) == len(paths)
    return file, [file["features"][start:start + count] for start, count in zip(starts, counts)]


def streamed(plan, signal, rate, cuts, flush=True):
    stream = plan.stream(rate)
    pieces = [stream.push(piece, flush=flush) for piece in np.split(signal, cuts)]
    return np.concatenate([*pieces, stream.finish()])


@pytest.mark.shipped
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_gives_the_bits_of_the_file(veery, plans, collection_if_any, tmp_path, preset):
    own = plans.FeaturePlan(preset, 16_000, normalize=False).configuration["audio"]["sample_rate"]
    paths = [path for path in recordings(tmp_path, collection_if_any) if len(samples(path)[0]) >= 8192]
    if own is None:  # At the recordings' own rate, which all of a file share.
        rates = {path: samples(path)[1] for path in paths}
        groups = [[path for path in paths if rates[path] == rate] for rate in sorted(set(rates.values()))]
    else:
        groups = [paths]
    compared = 0
    for number, group in enumerate(groups):
        file, stored = extracted(
            veery, tmp_path, group, "--preset", preset, "--set", "normalize.scope=none", name=f"{number}")
        for path, rows in zip(group, stored):
            signal, rate = samples(path)
            plan = plans.FeaturePlan(preset, rate if own is None else None, normalize=False)
            assert np.array_equal(plan.features(signal, rate), rows), path
            random = np.random.default_rng(len(signal))
            for cuts, flush in [
                    (random.integers(0, len(signal), 40), True), (np.arange(0, len(signal), 1000), False),
                    (np.arange(0, 600, 1), True)]:
                rows_of_stream = streamed(plan, signal, rate, np.sort(cuts), flush)
                assert np.array_equal(rows_of_stream, rows), (path, len(cuts))
            compared += len(rows)
        # The file's own configuration makes the same plan.
        configuration = json.loads(file["provenance/configuration"][()])
        plan = plans.FeaturePlan(configuration, rate if own is None else None)
        assert np.array_equal(plan.features(signal, rate), stored[-1])
        assert plan.configuration == configuration
        axis = file["frequency" if "frequency" in file else "coefficient"]
        assert np.array_equal(plan.axis, axis[:]) and plan.axis_kind in file
        assert plan.units == file["features"].attrs["units"]
        assert plan.frame_period == file["features"].attrs["frame_period"]
        assert plan.first_frame_time == file["features"].attrs["first_frame_time"]
    assert compared > (25 if collection_if_any else 10)


def test_the_buffer_holds_resampled_signals_of_every_length(plans):
    settings = {"frame.hop": 1, "frame.length": 64, "frame.fft_length": 64, "transform.bins": 8}  # a sample more is a row more
    plan = plans.FeaturePlan(settings=settings, normalize=False)
    for rate in (8000, 11_025, 12_000, 22_050, 44_100, 48_000, 96_000):
        for length in range(400, 900, 17):
            assert len(plan.features(noise(1, length).astype(np.float32), rate)) > 0


@pytest.mark.parametrize("method", ["zscore", "mean", "minmax", "range"])
@pytest.mark.parametrize("axis", ["bin", "all"])
@pytest.mark.parametrize("scope", ["clip", "dataset"])
def test_normalised_rows_are_those_of_the_file(veery, plans, collection_if_any, tmp_path, scope, method, axis):
    paths = recordings(tmp_path, collection_if_any)
    options = [f"normalize.{key}={value}" for key, value in [("scope", scope), ("method", method), ("axis", axis)]]
    extras = [[], ["scale.top_db=60", "transform.kind=mfcc", "transform.deltas=1"], ["condition.remove_dc=true"],
              ["condition.gain={kind: peak, level: 0.25}", "condition.remove_dc=true"], ["condition.gain=int16"]]
    if method != "zscore" or axis != "bin":
        extras = extras[:1]
    else:
        extras += [["normalize.ddof=1", "normalize.epsilon=0.01"],
                   ["normalize.epsilon=0.01", "normalize.epsilon_in=variance", "condition.gain={kind: zscore, epsilon: 0.01}"]]
    for number, extra in enumerate(extras):
        settings = [word for option in options + extra for word in ("--set", option)]
        file, stored = extracted(veery, tmp_path, paths, *settings, name=f"{number}")
        group = file["statistics"]
        statistics = SimpleNamespace(
            mean=group["mean"][:], std=group["std"][:], min=group["min"][:], max=group["max"][:],
            count=int(group.attrs["count"]))
        configuration = json.loads(file["provenance/configuration"][()])
        plan = plans.FeaturePlan(configuration, statistics=statistics if scope == "dataset" else None)
        assert plan.normalization == scope
        for path, rows in zip(paths, stored):
            signal, rate = samples(path)
            assert np.array_equal(plan.features(signal, rate), rows), path
            assert np.array_equal(streamed(plan, signal, rate, np.arange(100, len(signal), 777)), rows), path
        assert np.array_equal(pickle.loads(pickle.dumps(plan)).features(signal, rate), rows)


@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("arguments", [
    {"preset": "ast"}, {"preset": "ast", "sample_rate": 8000}, {"preset": "whisper", "settings": {"transform.bins": 40}},
    {"configuration": {"extends": "ast", "transform": {"bins": 64}}}, {"preset": "whisper-large-v3", "sample_rate": 24_000},
    {"preset": ROOT / "Tests/Fixtures/model-files/whisper/preprocessor_config.json", "settings": {"transform.bins": 40}}])
def test_a_pickled_plan_warns_as_before(plans, arguments, normalize):
    with pytest.warns(UserWarning) if arguments != {"preset": "ast"} else contextlib.nullcontext():
        plan = plans.FeaturePlan(**arguments, normalize=normalize)
    assert said(lambda: pickle.loads(pickle.dumps(plan))) == []
    again = pickle.loads(pickle.dumps(plan))
    assert plan.warnings and again.warnings == plan.warnings
    assert (again.configuration, again.sample_rate) == (plan.configuration, plan.sample_rate)


def test_a_pickled_plan_keeps_its_configuration_where_its_preset_has_changed(plans):
    plan = plans.FeaturePlan("whisper", normalize=False)
    restored, (kind, source, *rest) = plan.__reduce__()
    for text in ('{"extends": "log-mel"}', '{"extends": "is-gone"}'):
        again = restored(kind, dataclasses.replace(source, text=text), *rest)
        assert again.configuration == plan.configuration and again.sample_rate == plan.sample_rate


@pytest.mark.parametrize("options", [
    [], ["--preset", "librosa-log-mel"], ["--set", "normalize.scope=clip", "--set", "store.layout=fixed", "--set", "audio.duration=1"],
    ["--set", "normalize.method=minmax", "--set", "store.compression=deflate"]])
def test_a_file_makes_the_plan_that_serves_its_model(veery, tmp_path, options):
    from veery import open as open_features
    signal = noise(9, 22_050)
    write_wav(tmp_path / "a.wav", RATE, signal, dtype="<f4")
    write_wav(tmp_path / "b.wav", RATE, 0.1 * signal[::-1], dtype="<f4")
    manifest = write_manifest(tmp_path / "f.csv", [{"path": "a.wav"}, {"path": "b.wav"}])
    veery("extract", manifest, "-o", tmp_path / "f.h5", *options)
    with open_features(tmp_path / "f.h5") as features:
        plan = pickle.loads(pickle.dumps(features.plan()))
        assert np.array_equal(plan.features(samples(tmp_path / "a.wav")[0], RATE), features[0].features)
        raw = features.raw()
        difference = raw.plan().features(samples(tmp_path / "a.wav")[0], RATE) - raw[0].features
        assert np.abs(difference).max() < 1e-4


def test_rows_that_depend_on_the_whole_signal_come_at_its_end(plans):
    signal = noise(1, 40_000).astype(np.float32)
    clip = plans.FeaturePlan(settings={"normalize.scope": "clip"})
    for plan in [plans.FeaturePlan("whisper"), clip, plans.FeaturePlan("librosa-mfcc", 16_000),
                 plans.FeaturePlan(settings={"condition.remove_dc": True}, normalize=False)]:
        assert plan.needs_whole_signal
        stream = plan.stream()
        assert len(stream.push(signal)) == 0
        assert np.array_equal(stream.finish(), plan.features(signal))
    plan = plans.FeaturePlan(normalize=False)
    assert not plan.needs_whole_signal and plan.stream().push(signal).shape == (248, 80)


@pytest.mark.parametrize("settings", [
    {}, {"condition.remove_dc": True}, {"normalize.scope": "clip"}, {"scale.top_db": 40, "transform.kind": "mfcc", "transform.deltas": 2},
    {"normalize.scope": "clip", "condition.remove_dc": True, "scale.top_db": 60}, {"condition.gain": "int16"},
    {"condition.gain": "minmax"}, {"condition.gain": {"kind": "rms", "epsilon": 1e-8}, "scale.top_db": 60}])
@pytest.mark.parametrize("rate", [16_000, 22_050])
@pytest.mark.parametrize("discards", [False, True], ids=["one after another", "with discarded ones"])
def test_signals_of_one_stream_do_not_touch_one_another(plans, settings, rate, discards):
    plan = plans.FeaturePlan(settings={"normalize.scope": "none", **settings})
    stream = plan.stream(rate)
    for number, length in enumerate([9000, 300, 20_001, 0, 9000]):
        signal = (0.3 + noise(number, length)).astype(np.float32)
        pieces = [stream.push(piece, flush=number % 2 == 0) for piece in np.array_split(signal, 7)]
        assert np.array_equal(np.concatenate([*pieces, stream.finish()]), plan.features(signal, rate)), length
        if discards:  # It leaves nothing.
            stream.push(np.full(5000, 0.9, np.float32))
            stream.reset()


def said(call):
    """The texts that a call warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(one.message) for one in caught]


@pytest.mark.parametrize("arguments, seconds, words", [
    ({"preset": "clap"}, 10, "the signal is longer than the features take (audio.duration or rows.count), and the rest of it is left out"),
    ({"preset": "ast"}, (1024 * 160 + 399) / 16_000, "the signal is longer than the features take (audio.duration or rows.count), and the rest of it is left out"),
    ({"preset": "perch-2"}, 5, "perch-2, windows of 5 s: the signal is longer than the model takes at a time, and not cut into such windows"),
    ({"configuration": {"extends": "openl3"}}, 1, "openl3, windows of 1 s: the signal is longer than the model takes at a time, and not cut into such windows")])
def test_signals_that_are_longer_than_the_features_take_are_warned_of_once(plans, arguments, seconds, words):
    rate = 48_000
    signal = noise(1, round(seconds * rate) + 3).astype(np.float32)
    exact, expected = signal[:-3], [f"{words}; give each part as a signal of its own"]
    plan = plans.FeaturePlan(**arguments)
    assert said(lambda: plan.features(exact, rate)) == []
    assert said(lambda: plan.features(signal, rate)) == expected
    # Once for each rate. A stream knows at its end.
    assert said(lambda: plan.features(signal, rate)) == []
    again = pickle.loads(pickle.dumps(plan))
    stream = again.stream(rate)
    assert said(lambda: [stream.push(piece) for piece in np.array_split(signal, 5)]) == []
    assert said(stream.finish) == expected
    assert said(lambda: again.features(signal, rate)) == []
    # What was discarded does not count, nor does an earlier signal.
    stream = plans.FeaturePlan(**arguments).stream(rate)
    assert said(lambda: [stream.push(signal[:rate]), stream.reset(), stream.push(exact), stream.finish(), stream.push(exact), stream.finish()]) == []


def test_each_kind_of_what_is_not_in_features_is_said_once(plans):
    plan = plans.FeaturePlan("log-mel", settings={"audio.duration": 1}, normalize=False)
    lower, cut = "the signal has a lower sample rate", "the signal is longer than the features take"
    signal = noise(1, 20_000).astype(np.float32)
    for samples, expected in [(4000, [lower]), (8000, []), (8001, [cut]), (20_000, []), (4000, [])]:
        found = said(lambda: plan.features(signal[:samples], 8000))
        assert len(found) == len(expected) and all(text.startswith(words) for text, words in zip(found, expected)), samples


def test_a_warning_that_is_an_error_leaves_no_rows_to_the_next_signal(plans):
    plan = plans.FeaturePlan("log-mel", settings={"audio.duration": 1}, normalize=False)
    signal = noise(1, 16_001).astype(np.float32)
    stream = plan.stream()
    stream.push(signal)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="longer than the features take"):
            stream.finish()
        rows = [stream.push(signal[:8000]), stream.finish()]
    np.testing.assert_array_equal(np.concatenate(rows), plan.features(signal[:8000]))


def test_signals_that_are_shorter_than_the_window_of_a_model_are_warned_of(plans):
    plan, words = plans.FeaturePlan("perch-2"), "perch-2, windows of 5 s: the signal is "
    short = f"{words}shorter than the model takes at a time, and has too few rows for it; audio.minimum: 5 appends zeros"
    signal = noise(1, 192_000).astype(np.float32)
    assert said(lambda: [plan.features(signal[:80_000]), plan.features(signal[:80_000])]) == [short]
    # That it was too short once does not hide that another one is too long.
    assert [text.startswith(f"{words}longer") for text in said(lambda: plan.features(signal))] == [True]
    assert len(plans.FeaturePlan("perch-2", settings={"audio.minimum": 5}).features(signal[:80_000])) == 500


@pytest.mark.parametrize("given", ["birdset-convnext", "batdetect2", "ast"])
@pytest.mark.parametrize("as_json", [False, True])
def test_a_plan_without_normalisation_warns_of_the_same(plans, given, as_json):
    """Its rows are not the model's input yet, and are as long, and of the same bands."""
    configuration = plans.FeaturePlan(given).configuration if as_json else given
    plan, raw = plans.FeaturePlan(configuration), plans.FeaturePlan(configuration, normalize=False)
    assert raw.warnings == plan.warnings and (given != "ast" or "leave transform.bins as it is" in raw.warnings[0])
    long = noise(1, plan.sample_rate * 12).astype(np.float32)
    found, expected = ([said(lambda: one.features(signal)) for signal in (long, long[:plan.sample_rate])] for one in (raw, plan))
    assert found == expected and any("longer than the" in text for text in found[0])


@pytest.mark.parametrize("preset, lack", [("whisper", "bins above 4000 Hz hold nothing"), ("wav2vec2", "samples hold nothing above 4000 Hz")])
def test_signals_of_a_lower_rate_than_the_models_are_warned_of(plans, preset, lack):
    plan, signal = plans.FeaturePlan(preset), noise(1, 8000).astype(np.float32)
    words = "the signal has a lower sample rate than the features (16000 Hz), 8000 Hz: its "
    expected = said(lambda: plan.features(signal, 8000))
    assert [text.partition("; ")[0] for text in expected] == [words + lack] and f"; the model of {preset} expects 16000 Hz" in expected[0]
    assert said(lambda: [plan.features(signal, 8000), plan.features(signal), plan.features(signal, 44_100)]) == []
    # The configuration in full says the same, with and without the normalisation, which is the model's, too.
    for copy in (plans.FeaturePlan(plan.configuration), plans.FeaturePlan(plan.configuration, normalize=False)):
        assert said(lambda: copy.features(signal, 8000)) == expected


@pytest.mark.parametrize("preset", ["whisper", "wav2vec2", "perch-2"])
def test_recordings_are_warned_of_as_their_samples_are(plans, tmp_path, program, preset):
    """A path has the warnings, and the bits, of what veery.load makes of it."""
    from veery import load
    for name, rate, seconds in (("low", 8000, 1), ("long", 44_100, 35)):
        write_wav(tmp_path / f"{name}.wav", rate, noise(3, rate * seconds))
        path, array = [], []
        made = said(lambda: path.append(plans.FeaturePlan(preset).features(tmp_path / f"{name}.wav")))
        assert made == said(lambda: array.append(plans.FeaturePlan(preset).features(*load(tmp_path / f"{name}.wav"))))
        assert np.array_equal(path[0], array[0])
        assert any("has a lower sample rate than the features" in text for text in made) == (name == "low")


def test_channels_of_a_recording_that_are_left_out_are_warned_of(plans, tmp_path, program):
    for channels in (1, 2):
        write_wav(tmp_path / f"{channels}.wav", 16_000, noise(2, 16_000 * channels).reshape(-1, channels))
    plan = plans.FeaturePlan("kaldi-fbank")
    found = said(lambda: plan.features(tmp_path / "2.wav"))
    assert len(found) == 1 and "1 clip is of the first channel alone (audio.channels), and the others of its recording are left out" in found[0]
    assert said(lambda: plan.features(tmp_path / "1.wav")) == []
    assert said(lambda: plans.FeaturePlan("kaldi-fbank", settings={"audio.channels": "mix"}).features(tmp_path / "2.wav")) == []


def test_a_plan_says_what_it_is(plans):
    plan = plans.FeaturePlan("whisper", settings={"frame.fft_length": 512, "audio.duration": 2, "frame.drop_last": False})
    assert (plan.sample_rate, plan.bins, plan.frame_length, plan.hop_length, plan.fft_length) == (16_000, 80, 400, 160, 512)
    assert (plan.fixed_length, plan.minimum_samples, plan.frame_period, plan.first_frame_time) == (32_000, 1, 0.01, 0)
    assert plans.FeaturePlan(normalize=False).minimum_samples == 400 and plans.FeaturePlan(normalize=False).fixed_length is None
    assert plan.times(3).tolist() == [0, 0.01, 0.02]
    with pytest.raises(AttributeError, match="never changes"):
        plan.bins = 1
    with pytest.raises(AttributeError):
        plan.stream().plan = plan
    with pytest.raises(plans.FeatureError, match="2\\*\\*45"):
        plan.frame_count(2**64 + 16_000)

    kind = type("Own", (plans.FeaturePlan,), {"__module__": __name__})
    globals()["Own"] = kind
    assert type(pickle.loads(pickle.dumps(kind("whisper")))) is kind
    # What a program may hold a configuration in.
    text = json.dumps(plan.configuration)
    for same in (text, text.encode(), plan.configuration, {**plan.configuration, "frame": SimpleNamespace(**plan.configuration["frame"]).__dict__}):
        assert plans.FeaturePlan(same).configuration == plan.configuration
    changed = plans.FeaturePlan({"set": {"transform.bins": np.int64(40)}}, settings={"frame.hop": "5 ms"}, normalize=False)
    assert (changed.bins, changed.hop_length) == (40, 80)


def test_a_stream_gives_a_row_as_soon_as_its_frame_is_complete(plans):
    plan = plans.FeaturePlan(normalize=False)
    stream = plan.stream()
    signal = noise(4, 4000).astype(np.float32)
    counts = [len(stream.push(signal[sample:sample + 1])) for sample in range(4000)]
    assert np.flatnonzero(counts).tolist() == list(range(399, 4000, 160)) and max(counts) == 1
    assert len(stream.finish()) == 0
    # The next signal starts afresh, and one that is discarded leaves nothing.
    stream.push(signal[:999])
    stream.reset()
    assert np.array_equal(np.concatenate([stream.push(signal), stream.finish()]), plan.features(signal))


def test_times_rates_and_settings_are_those_that_were_given(plans):
    plan = plans.FeaturePlan({"extends": "log-mel", "set": {"transform.bins": 40}}, normalize=False, settings={"transform.bins": 20})
    assert plan.bins == 20 and plan.stream().sample_rate == 16_000 and plan.stream(44_100).sample_rate == 44_100
    assert np.allclose(plan.times(3), [0.0125, 0.0225, 0.0325], atol=1e-12)


def test_rows_may_wait_and_a_with_statement_discards_them(plans):
    plan = plans.FeaturePlan(normalize=False)
    signal = noise(4, 2400).astype(np.float32)
    expected = plan.features(signal)
    with plan.stream() as stream:
        assert len(stream.push(signal[:2000], flush=False)) == 0 and len(stream.push(signal[:0])) == 11
        stream.push(signal)
    assert np.array_equal(np.concatenate([stream.push(signal), stream.finish()]), expected)


def test_settings_are_those_of_the_command(veery, plans, tmp_path):
    for preset, settings in [
            ("whisper", {"transform.bins": 128}), ("log-mel", {"transform.kind": "mfcc", "frame.hop": "5 ms"}),
            ("musical-spectrum", {"transform.kind": "fft"}), ("log-mel", {"frame.window.kind": "kaiser", "frame.window.beta": 9.5}),
            ("log-mel", {"audio.sample_rate": 8000}), ("kaldi-mfcc", {"transform.deltas": 2, "frame.align": "kaldi"})]:
        options = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        write_wav(tmp_path / "a.wav", 16_000, noise(1, 20_000))
        file, _ = extracted(veery, tmp_path, [tmp_path / "a.wav"], "--preset", preset, *options, "--overwrite")
        plan = plans.FeaturePlan(preset, settings=settings, statistics=SimpleNamespace(
            **{name: file["statistics"][name][:] for name in ("mean", "std", "min", "max")}, count=1))
        assert plan.configuration == json.loads(file["provenance/configuration"][()])
        file.close()
    # Another rate is that of the samples, and times follow it.
    plan = plans.FeaturePlan("log-mel", 8000, normalize=False)
    assert (plan.sample_rate, plan.frame_length, plan.axis[-1] < 4000) == (8000, 200, True)


def test_refusals_say_why(plans):
    def refused(*arguments, **options):
        with pytest.raises(plans.FeatureError) as caught:
            plans.FeaturePlan(*arguments, **options)
        return str(caught.value)

    assert "did you mean 'whisper'" in refused("wisper") and "log-mel" in refused("")
    assert "sample rate" in refused("librosa-mfcc") and "audio.sample_rate is null" in refused("librosa-mfcc")
    assert "statistics" in refused("log-mel")
    assert "frame.hop" in refused({"frame": {"hop": 0}}) and "frame.hopp" in refused({"frame": {"hopp": 1}})
    assert "JSON" in refused("{") and "1048576" in refused("{" + " " * 1_100_000 + "}")
    assert "16000 Hz" in refused({"audio": {"sample_rate": 16_000}}, 8000)
    for rate in (0, -1, 1.5, 10_000_001, float("nan")):
        assert "sample_rate" in refused("whisper", rate)
    assert "transform.bins" in refused("whisper", settings={"transform.bins": "many"})
    assert "80 values" in refused(statistics=SimpleNamespace(mean=[1], std=[1], min=[1], max=[1], count=1))
    bad = dict.fromkeys(("mean", "std", "min", "max"), np.ones(80))
    assert "mean[0]" in refused(statistics=SimpleNamespace(**{**bad, "mean": np.full(80, np.nan)}, count=1))
    assert "deviation[0]" in refused(statistics=SimpleNamespace(**{**bad, "std": np.full(80, -1.0)}, count=1))
    assert "at least 1" in refused(statistics=SimpleNamespace(**bad, count=0))

    # The text of an error is cut to its buffer between two characters: one letter with 600 accents is cut, too.
    for letters in ("e", "ee"):
        text = refused(letters + 600 * "\u0301")
        assert 1018 <= len(text.encode()) < 1020 and text.endswith("\u0301")

    plan = plans.FeaturePlan("whisper")
    for value, words in [
            (np.zeros((2, 9), "f4"), r"samples.mean\(axis=0\)"), (np.zeros((9, 2), "f4"), r"samples.mean\(axis=1\)"),
            (None, "veery.load"), (np.ma.zeros(9), "mask"), (np.zeros(9, "i2"), "32768"), (3.0, "one channel"),
            ([0.0] * 7 + [np.nan], "sample 7"), (np.array([0, np.inf], "f4"), "sample 1"),
            (np.full(9000, 3e38, "f4"), "32768"), (np.array(["a"]), "numbers")]:
        with pytest.raises(plans.FeatureError, match=words):
            plan.features(value)
    with pytest.raises(plans.FeatureError, match=r"samples\[:, 0\]"):
        plans.FeaturePlan("kaldi-fbank").features(np.zeros((9000, 2)))
    for rate in ("44k", 0, None.__class__):
        with pytest.raises(plans.FeatureError, match="sample_rate"):
            plan.features(np.zeros(9000), sample_rate=rate)
    with pytest.raises(plans.FeatureError, match="JSON"):
        plans.FeaturePlan("{", settings={"transform.bins": 1})
    with pytest.raises(plans.FeatureError, match="levels"):
        plans.FeaturePlan('{"a":' * 505)
    with pytest.raises(plans.FeatureError, match="too far apart"):
        plan.features(np.zeros(100), sample_rate=10)
    assert plan.features([]).shape == (0, 80) and plan.features(np.zeros(100)).shape == (0, 80)


def test_a_sample_that_is_not_finite_is_not_taken(plans):
    plan = plans.FeaturePlan(normalize=False)
    signal = noise(5, 5000).astype(np.float32)
    stream = plan.stream()
    rows = [stream.push(signal[:2000])]
    with pytest.raises(plans.FeatureError, match="sample 2003"):
        stream.push(np.array([0, 0, 0, np.nan], "f4"))
    assert np.array_equal(np.concatenate([*rows, stream.push(signal[2000:]), stream.finish()]), plan.features(signal))
    with pytest.raises(plans.FeatureError, match="sample 1: .* divide"):
        stream.push(np.array([0, 256, np.nan], "f4"))
    # After another failure the stream has to be reset.
    plan = plans.FeaturePlan(settings={"scale.kind": "power", "scale.reference": 1e-37}, normalize=False)
    stream = plan.stream()
    with pytest.raises(plans.FeatureError, match="single precision"):
        stream.push(np.full(9000, 200, "f4"))
    with pytest.raises(RuntimeError, match="reset"):
        stream.push(signal)
    stream.reset()
    assert len(stream.push(signal)) == 29
    # Samples are counted from the start of their signal.
    stream.finish()
    stream.push(signal[:100])
    with pytest.raises(plans.FeatureError, match="sample 101:"):
        stream.push(np.array([0, np.inf], "f4"))


def test_arrays_are_used_where_they_lie(plans):
    plan = plans.FeaturePlan(normalize=False)
    signal = noise(6, 32_000).astype(np.float32)
    expected = plan.features(signal)
    assert np.array_equal(plan.features(signal.astype(np.float64)), expected)
    assert np.array_equal(plan.features(np.repeat(signal, 2)[::2]), expected)
    read_only = signal.copy()
    read_only.flags.writeable = False
    assert np.array_equal(plan.features(read_only), expected)
    out = np.full((300, 80), 7, np.float32)
    rows = plan.features(signal, out=out)
    assert rows.base is out and np.array_equal(rows, expected) and (out[len(rows):] == 7).all()
    for wrong in [np.empty((300, 79), "f4"), np.empty((300, 80)), np.empty((80, 300), "f4").T, np.empty(9, "f4")]:
        with pytest.raises(plans.FeatureError, match="out: expected"):
            plan.features(signal, out=wrong)
    out.flags.writeable = False
    with pytest.raises(plans.FeatureError, match="out: expected"):
        plan.features(signal, out=out)
    out.flags.writeable = True
    with pytest.raises(plans.FeatureError, match="198 rows"):
        plan.features(signal, out=out[:100])
    assert (plan.features(signal, out=out[:198]) == expected).all()


def test_threads_share_a_plan(plans):
    plan = plans.FeaturePlan("librosa-mfcc", 16_000)
    signals = [noise(seed, 20_000 + 37 * seed).astype(np.float32) for seed in range(40)]
    expected = [plan.features(signal, 22_050) for signal in signals]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for found, rows in zip(pool.map(lambda signal: plan.features(signal, 22_050), signals * 3), expected * 3):
            assert np.array_equal(found, rows)


def test_a_stream_refuses_a_second_thread(plans):
    """Each call either works or is refused: 'busy', or where one was refused inside a pair of calls."""
    plan = plans.FeaturePlan(normalize=False)
    stream = plan.stream()
    piece = noise(1, 400_000).astype(np.float32)
    refused = []

    def push():
        for _ in range(20):
            try:
                stream.push(piece)
            except RuntimeError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=push) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused and all("one thread at a time" in words for words in refused)


FORKS = """
import os, signal, sys, threading, time
import numpy as np
from veery.plan import FeaturePlan

plan = FeaturePlan("whisper")
x = np.random.default_rng(0).uniform(-0.5, 0.5, 8000).astype(np.float32)
expected = plan.features(x)
stop = threading.Event()
def work():
    while not stop.is_set():
        # Plans of other lengths, so that the planner is at work.
        for length in (400, 401, 409, 512):
            other = FeaturePlan("whisper", settings={"frame.length": length, "frame.fft_length": length})
            other.features(x)
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads: thread.start()
bad = 0
for _ in range(200):
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        made = FeaturePlan("whisper")
        os._exit(0 if np.array_equal(plan.features(x), expected) and np.array_equal(made.features(x), expected) else 1)
    bad = os.waitpid(child, 0)[1]
    if bad: break
stop.set()
for thread in threads: thread.join()
print("bad", bad)
"""


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_200_children_of_a_process_whose_threads_compute(library):
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKS], capture_output=True, text=True, timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert result.returncode == 0 and result.stdout == "bad 0\n", result.stdout + result.stderr


@pytest.mark.long
@pytest.mark.parametrize("arguments", [
    '"whisper"', '"log-mel", normalize=False', '"log-mel", statistics=statistics', '"log-mel", settings={"normalize.scope": "clip"}'])
def test_memory_does_not_grow_with_calls_and_streams(plans, peak_memory, arguments):
    code = f"""
import types
import numpy as np
from veery.plan import FeaturePlan
x, ones = np.zeros(48000, np.float32), np.ones(80)
statistics = types.SimpleNamespace(mean=ones, std=ones, min=ones, max=ones, count=1)
for round in range(%d):
    plan = FeaturePlan({arguments})
    plan.features(x, 44100); stream = plan.stream(44100); stream.push(x); stream.finish(); stream.push(x)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    few, many = (peak_memory(sys.executable, "-c", code % rounds, env=environment) for rounds in (20, 500))
    assert many - few < 6e6, (few, many)


# ----------------------------------------------------------------------------------------------------- slips of users of a plan


@pytest.fixture(scope="module")
def of_recordings(veery, tmp_path_factory):
    """A feature file of recordings at 22,050 Hz, with features at 16,000 Hz."""
    import veery as package
    folder = tmp_path_factory.mktemp("recorded")
    write_wav(folder / "a.wav", RATE, noise(1, RATE))
    veery("extract", write_manifest(folder / "m.csv", [{"path": "a.wav", "label": "x"}]), "-o", folder / "f.h5")
    return package.open(folder / "f.h5")


def test_a_rate_that_is_left_out_is_noticed_where_the_recordings_had_another(of_recordings):
    """155 rows instead of 112, and no word, is what a server got."""
    import veery as package
    signal, rate = package.load(of_recordings[0].recording)
    plan = of_recordings.plan()
    assert said(lambda: [plan.features(signal, sample_rate=rate), plan.features(*of_recordings[0].samples()), plan.stream(16_000),
                         plan.features(of_recordings[0].recording)]) == []
    for one in (plan, pickle.loads(pickle.dumps(of_recordings.plan()))):
        text, = said(lambda: [one.features(signal), one.features(signal)])
        assert "16000 Hz, the rate of the plan, but the recordings of its feature file have 22050 Hz" in text
        assert "as in features(samples, sample_rate=22050)" in text
    assert "as in stream(sample_rate=22050)" in said(lambda: of_recordings.plan().stream())[0]


def test_a_rate_that_is_left_out_may_be_that_of_the_recordings(veery, plans, tmp_path):
    import veery as package
    for name, rate, settings in (("same", 16_000, ()), ("own", RATE, ("--preset", "librosa-log-mel"))):
        write_wav(tmp_path / f"{name}.wav", rate, noise(1, rate))
        veery("extract", tmp_path / f"{name}.wav", "-o", tmp_path / f"{name}.h5", *settings)
        with package.open(tmp_path / f"{name}.h5") as file:
            signal, _ = package.load(file[0].recording)
            assert said(lambda: file.plan().features(signal)) == []
    assert said(lambda: plans.FeaturePlan(normalize=False).features(signal)) == []


def test_what_is_too_short_for_a_row_is_noticed(veery, plans, tmp_path):
    """Otherwise a mean over no rows is NaN, and a label follows from that."""
    write_wav(tmp_path / "tiny.wav", RATE, noise(1, 300))
    plan = plans.FeaturePlan(normalize=False)
    reason = "expected at least 400 samples at 16000 Hz, found 218"
    assert f"{reason}: the clip is too short" in veery("extract", tmp_path / "tiny.wav", "-o", tmp_path / "f.h5", status=3).stderr
    with pytest.raises(plans.FeatureError, match=f"tiny.wav: {reason}: the recording is too short"):
        plan.features(tmp_path / "tiny.wav")
    signal = noise(1, 300).astype(np.float32)
    assert said(lambda: [plan.features(signal, RATE), plan.features(signal[:20], RATE)]) == [
        f"{reason}: the samples are too short for a row, so there is none"]
    assert len(said(lambda: plan.features(signal))) == 1


def test_statistics_may_be_a_mapping(of_recordings, plans):
    """As they come from JSON."""
    found = of_recordings.statistics
    stored = json.loads(json.dumps({
        "count": found.count, **{name: getattr(found, name).tolist() for name in ("mean", "std", "min", "max")}}))
    plan, signal = plans.FeaturePlan(of_recordings.configuration, statistics=stored), noise(3, 16_000).astype(np.float32)
    assert np.array_equal(plan.features(signal, RATE), of_recordings.plan().features(signal, RATE))
    del stored["std"]
    with pytest.raises(TypeError, match="found a dict without 'std'"):
        plans.FeaturePlan(of_recordings.configuration, statistics=stored)


def test_names_of_other_packages_are_answered(plans, of_recordings, tmp_path):
    import veery as package
    plan = plans.FeaturePlan(normalize=False)
    calls = {
        "load": lambda: package.load("a.wav", sr=16_000), "features": lambda: plan.features([0.0], sr=16_000),
        "stream": lambda: plan.stream(samplerate=16_000)}
    for name, call in calls.items():
        with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument '\w+'. Did you mean 'sample_rate'\?$"):
            call()
    with pytest.raises(TypeError, match="Did you mean 'start'"):
        package.load("a.wav", strat=1)
    for name in ("sr", "sample_rate"):
        with pytest.raises(TypeError, match='Give the rate of the features as settings={"audio.sample_rate": …}'):
            package.extract("a.csv", "a.h5", **{name: 16_000})
    package.extract(of_recordings[0].recording, tmp_path / "a.h5", settings={"audio.sample_rate": RATE})
    assert package.open(tmp_path / "a.h5").plan().sample_rate == RATE
    with pytest.raises(TypeError, match="'overwrite': render replaces an output that is there"):
        package.render("a.h5", "a.png", overwrite=True)


def test_clips_in_lists_are_not_read(of_recordings):
    """NumPy takes a clip for an object: a list of clips can be chosen from, whatever their lengths are."""
    clip = of_recordings[0]
    assert np.array([clip, clip], dtype=object).shape == (2,)
    assert np.random.default_rng(0).choice(of_recordings).id == clip.id and np.asarray(of_recordings).shape == (1,)


def test_a_recording_that_is_not_there(plans, tmp_path):
    """As for open() and clip.samples()."""
    import veery as package
    for call in (lambda: package.load(tmp_path / "no.wav"), lambda: plans.FeaturePlan("whisper").features(tmp_path / "no.wav")):
        with pytest.raises(FileNotFoundError) as caught:
            call()
        again = pickle.loads(pickle.dumps(caught.value))
        for error in (caught.value, again):
            assert isinstance(error, package.CommandError) and isinstance(error, package.RecordingNotFoundError)
            assert error.status == 1 and "no.wav: " in str(error) and str(error) == error.message
    (tmp_path / "bad.wav").write_text("no sound")
    with pytest.raises(package.CommandError) as caught:
        package.load(tmp_path / "bad.wav")
    assert not isinstance(caught.value, OSError)


def test_the_first_of_names_that_are_equally_near_is_suggested():
    """As the command does."""
    from veery._errors import near
    names = [f"yes/adam_{number}" for number in range(1, 6)]
    assert near("yes/adam", names) == ["yes/adam_1"] and near("yes/adam_33", names) == ["yes/adam_3"]
    assert near("yes/adm_2", names, 2) == ["yes/adam_2", "yes/adam_1"] and near("no", names) == []
