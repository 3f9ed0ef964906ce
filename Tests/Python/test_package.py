"""The Python package: what a file and its clips tell, mistakes, damage, and the commands as functions."""

import base64
import html.parser
import io
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import h5py
import jsonschema
import numpy as np
import pytest
from PIL import Image

import veery as package
from conftest import PACKAGE, noise, tone, write_manifest, write_wav
from test_commands import validate
from veery import _arguments, _program
from veery._normalization import Denormalization

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "Schemas/progress-event.schema.json").read_text())
# One label of the manifest is not among those of its column of lists: the command warns of it each time.
pytestmark = pytest.mark.filterwarnings("ignore::veery.CommandWarning")

SAMPLES = [16000, 4000, 9000, 5200, 400]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Five recordings and a missing one, with labels, lists of labels, and a column of the manifest's own."""
    folder = tmp_path_factory.mktemp("package")
    rows = []
    clips = [("dog", "train"), ("cat", "train"), ("dog", "val"), ("", ""), ("鳥", "test")]
    for number, (label, split) in enumerate(clips):
        sound = tone(16000, SAMPLES[number] / 16000, [300 + 200 * number]) + noise(number, SAMPLES[number], 0.1)
        write_wav(folder / f"{number}.wav", 16000, sound)
        rows.append({"path": f"{number}.wav", "id": f"clip <{number}>", "label": label, "split": split,
                     "labels": ["dog|cat", "", "cat", "owl", ""][number], "speaker": f"s{number % 2}"})
    write_manifest(folder / "m.csv", [*rows, {"path": "missing.wav", "split": "train"}])
    return folder


@pytest.fixture(scope="module")
def features(veery, folder):
    veery("extract", folder / "m.csv", "-o", folder / "f.h5", "--max-failures", 1)
    return folder / "f.h5"


@pytest.fixture(scope="module")
def file(features):
    return package.open(features)


# ------------------------------------------------------------------------------------------------- files and clips


def test_a_clip_tells_what_the_file_holds(file, features):
    with h5py.File(features) as stored:
        clips = stored["clips"]
        for index, clip in enumerate(file):
            start, count = clips["frame_start"][index], clips["frame_count"][index]
            assert clip.index == index and clip.frame_count == len(clip) == count
            assert np.array_equal(clip.features, stored["features"][start:start + count])
            for name in ("id", "path"):
                assert getattr(clip, name) == clips[name].asstr()[index]
            for name in ("label", "split"):
                assert getattr(clip, name) == (clips[name].asstr()[index] or None)
            for name in ("start", "duration", "sample_rate", "channels", "label_index"):
                assert getattr(clip, name) == clips[name][index] and type(getattr(clip, name)) in (int, float)
            assert clip.extra["speaker"] == f"s{index % 2}" and clip.channel is None and not clip.truncated
            assert np.allclose(clip.time, 0.0125 + 0.01 * np.arange(count), atol=1e-12)
        assert np.array_equal(file.frequency, stored["frequency"]) and file.coefficient is None
        assert [clip.labels for clip in file] == [["dog", "cat"], ["cat"], ["dog", "cat"], ["owl"], ["鳥"]]
        assert file.labels == ["cat", "dog", "owl", "鳥"] and file.splits == ["test", "train", "val"]
        assert np.array_equal(file.label_matrix, clips["label_matrix"])
        for name in ("mean", "std", "min", "max"):
            assert np.array_equal(getattr(file.statistics, name), stored["statistics"][name])
        assert file.statistics.count == stored["statistics"].attrs["count"] == 98 + 23
        assert file.statistics.fit == "train"
        assert file.configuration == json.loads(stored["provenance/configuration"][()])
        assert file.software["veery"] and file.manifest_sha256 == stored["provenance/manifest_sha256"][()].decode()
        assert (file.frame_period, file.first_frame_time) == (0.01, 0.0125) and file.units == "zscore of ln(power)"
        assert file.raw().units == "ln(power)" and file.frame_label_names is None and file[0].frame_labels is None
        assert file[0].statistics is None
    [failure] = file.failures
    assert (failure.id, failure.stage, failure.kind) == ("missing", "open", "cannot_open") and failure.reason


def test_columns_are_those_of_the_chosen_clips(file):
    chosen = file[[3, 0]]
    assert list(chosen.ids) == ["clip <3>", "clip <0>"] and list(chosen.lengths) == [31, 98]
    assert list(chosen.column("speaker")) == list(chosen.column("extra/speaker")) == ["s1", "s0"]
    assert list(chosen.column("duration")) == [5200 / 16000, 1] and list(chosen.label_index) == [-1, 1]
    assert chosen.label_matrix.tolist() == [[0, 0, 1, 0], [1, 1, 0, 0]]
    with pytest.raises(ValueError, match="no column 'durations'. Did you mean 'duration'"):
        file.column("durations")


def test_clips_are_found_by_index_id_slice_and_array(file):
    assert file[-1].index == 4 and file[np.int64(2)].index == 2 and file["clip <3>"].index == 3
    assert list(file[1:4].indices) == [1, 2, 3] and list(file[::-2].indices) == [4, 2, 0]
    assert list(file[[4, 0, 4]].indices) == [4, 0, 4] and list(file[["clip <4>", "clip <1>"]].indices) == [4, 1]
    assert list(file[file.lengths > 30].indices) == [0, 2, 3] and list(file[[]].indices) == []
    part = file[1:4]
    assert part[0].index == 1 and part[-1].index == 3 and part["clip <2>"].index == 2 and list(part[1:][[1, 0]].indices) == [3, 2]
    assert "clip <2>" in part and "clip <0>" not in part and "clip <0>" in file and 0 not in file
    assert [clip.index for clip in part] == [1, 2, 3] and len(part) == 3
    assert list(file.select(speaker="s1").indices) == list(file.select(speaker=["s1"]).indices) == [1, 3]
    assert list(file[np.array(["clip <4>", "clip <1>"], object)].indices) == [4, 1]
    assert list(file[2:].at(np.array([1, 0]))) == [3, 2]
    assert list(file.select(label="cat").indices) == [0, 1, 2]  # as label, or in the column 'labels'
    assert list(file.select(label=["owl", "鳥"], split="test").indices) == [4]
    for key, error in [(5, IndexError), (-6, IndexError), ([True], IndexError), (1.0, TypeError), ([[1]], TypeError)]:
        with pytest.raises(error):
            file[key]
    for key, text in [("clip <8>", "Did you mean 'clip <"), ("xyz", "there are 'clip <0>', 'clip <1>'"),
                      ("clip <1>.wav", "Did you mean 'clip <1>'"), ("x" * 1000, "no clip with the id")]:
        with pytest.raises(KeyError) as error:
            file[key]
        assert text in str(error.value)
    with pytest.raises(KeyError, match="clip <0>"):
        part["clip <0>"]
    with pytest.raises(ValueError, match="no column 'speakr'. Did you mean 'speaker'"):
        file.select(speakr="s1")
    with pytest.raises(ValueError, match="no clip with speaker 's9'; there are 's0', 's1'"):
        file.select(speaker=["s1", "s9"])
    with pytest.raises(ValueError, match="size: expected at least 1"):
        package.steps(file, 0)
    with pytest.raises(ValueError, match="no column 'splt'. Did you mean 'split'"):
        file.select(splt="train")


def test_a_selection_of_raw_clips_is_raw(file, features):
    raw = file.raw()
    wanted = {clip.id: clip.raw().features for clip in file}
    mask = np.array([True, False, True, False, True])
    ids = [clip.id for clip in file]
    for chosen in (raw[1:4], raw[[3, 1]], raw[mask], raw[ids[2:]], raw.select("train"), raw.select(label="dog"), raw.select("train")[:1],
                   pickle.loads(pickle.dumps(raw)), pickle.loads(pickle.dumps(raw[1:]))):
        assert chosen.is_raw and len(chosen) and chosen.units == "ln(power)"
        assert all(np.array_equal(clip.features, wanted[clip.id]) for clip in chosen)
    assert np.array_equal(raw["clip <1>"].features, wanted["clip <1>"]) and np.array_equal(raw[-1].features, wanted[ids[-1]])


def test_raw_clips_that_were_not_normalised_are_as_stored(veery, folder, tmp_path):
    veery("extract", folder / "m.csv", "-o", tmp_path / "f.h5", "--max-failures", 1, "--set", "normalize.scope=none", "--set",
          "store.type=float16")
    raw = package.open(tmp_path / "f.h5").raw()
    assert raw.dtype == raw[0].features.dtype == np.float16 and raw.units == "ln(power)"


def test_the_tab_key_offers_ids(file):
    assert file._ipython_key_completions_() == [clip.id for clip in file]
    assert file.select(label="dog")._ipython_key_completions_() == [clip.id for clip in file if clip.label == "dog"]


def test_every_id_is_found_among_many(veery, folder, tmp_path):
    ids = [f"{number * 7919 % 1000:03}{'é' * (number % 3)}" for number in range(1000)]
    rows = [{"path": folder / "4.wav", "id": name} for name in ids]
    veery("extract", write_manifest(tmp_path / "m.csv", rows), "-o", tmp_path / "f.h5")
    many = package.open(tmp_path / "f.h5")
    assert [many[name].index for name in ids] == list(range(1000))
    for missing in ("", "999é", "1000", "000\0"):
        assert missing not in many


def test_the_text_of_a_file_says_what_it_is(file):
    assert repr(file) == "<veery.FeatureFile f.h5: 5 clips, 80 bins of zscore of ln(power), float32, packed, 4 labels>"
    assert repr(file[0]) == \
        "<veery.Clip 'clip <0>': label 'dog', split 'train', 98 frames × 80 bins of zscore of ln(power), 1 s>"
    assert "2 of 5 clips" in repr(file.select("train")) and "ln(power), float32" in repr(file.raw())


@pytest.mark.parametrize("scope", ["dataset", "clip", "constant"])
@pytest.mark.parametrize("axis", ["bin", "all"])
@pytest.mark.parametrize("ddof, epsilon, epsilon_in", [(1, 0, "std"), (0, 0.25, "std"), (1, 0.25, "variance")])
def test_zscores_with_ddof_epsilon_and_constants_are_those_of_numpy(
        folder, tmp_path, scope, axis, ddof, epsilon, epsilon_in):
    options = {"scope": scope, "axis": axis}
    options |= {"mean": -4.25, "std": 9.125} if scope == "constant" else {
        "ddof": ddof, "epsilon": epsilon, "epsilon_in": epsilon_in}
    package.extract(folder / "m.csv", tmp_path / "raw.h5", max_failures=1, settings={"normalize.scope": "none"})
    package.extract(folder / "m.csv", tmp_path / "f.h5", max_failures=1, settings={"normalize": options})
    stored, before = package.open(tmp_path / "f.h5"), package.open(tmp_path / "raw.h5")
    fitted = before.select(split="train") if before.splits else before
    everything = np.concatenate([clip.features for clip in fitted]).astype("f8")
    signal = noise(3, 30_000).astype("f4")
    plan, bare = stored.plan(), before.plan()
    assert plan.normalization == scope
    for own, raw, rows, values in [
        *((clip, clip.raw().features, clip.features, other.features) for clip, other in zip(stored, before)),
        (None, None, plan.features(signal), bare.features(signal)),
    ]:
        values = values.astype("f8")
        counted = values if scope == "clip" else everything
        over = None if axis == "all" else 0
        mean = counted.mean(over)
        count = counted.size if axis == "all" else len(counted)
        # A single frame has no spread.
        variance = ((counted - mean) ** 2).sum(over) / max(count - ddof, 1)
        spread = np.sqrt(variance + epsilon) if epsilon_in == "variance" else np.sqrt(variance) + epsilon
        if scope == "constant":
            mean, spread = -4.25, 9.125
        expected = (values - mean) / np.where(spread > 0, spread, 1)
        assert np.abs(rows - expected).max() <= 3e-6 * max(1, np.abs(expected).max())
        if raw is not None:
            assert np.abs(raw - values).max() <= 1e-6 * np.abs(values).max()
    assert stored.units == ("normalised ln(power)" if scope == "constant" else "zscore of ln(power)")
    assert stored.raw().units == "ln(power)"


@pytest.mark.parametrize("scope", ["dataset", "clip"])
@pytest.mark.parametrize("method", ["zscore", "minmax", "mean", "range"])
@pytest.mark.parametrize("axis", ["bin", "all"])
def test_normalisation_is_undone_to_the_last_digits(veery, folder, tmp_path, scope, method, axis):
    options = {"scope": scope, "method": method, "axis": axis}
    for name, settings in [("f", options), ("raw", {"scope": "none"})]:
        sets = [word for key, value in settings.items() for word in ("--set", f"normalize.{key}={value}")]
        veery("extract", folder / "m.csv", "-o", tmp_path / f"{name}.h5", "--max-failures", 1, *sets)
    stored = package.open(tmp_path / "f.h5")
    for clip, wanted in zip(stored, package.open(tmp_path / "raw.h5")):
        statistics = clip.statistics or stored.statistics
        used = statistics.over_all_bins() if axis == "all" else statistics
        spread = {"zscore": used.std, "mean": np.ones(80), "minmax": used.max - used.min,
                  "range": (used.max - used.min) / 2}[method]
        # The stored value is right to two units of its last bit; the result is rounded once.
        unit = 2.0 ** -23
        bound = (2 * np.abs(clip.features) + (method == "range")) * unit * spread + np.abs(wanted.features) * unit
        if scope == "clip":
            # These are computed in double precision, and those without normalisation are not (test_precise_rows.py has float64).
            bound = bound + 4 * unit * np.abs(wanted.features).max()
        assert np.all(np.abs(clip.raw().features.astype("f8") - wanted.features) <= bound + 1e-30)
        if axis == "all" and scope == "clip":
            whole = wanted.features.astype("f8")
            assert np.allclose([used.mean[0], used.std[0]], [whole.mean(), whole.std()], rtol=1e-6)


def test_divisors_are_those_of_the_program():
    """Divisors are of single precision, and 1 for a column whose spread is 0 or too small for single precision."""
    deviation = np.array([0.1, 1 / 3, 1e-39, 0, 1e39])
    mean = np.array([0.5, -7, 2, 3, 0])
    statistics = package.Statistics(mean, deviation, mean, mean, 10, "", "dataset", "zscore")
    values = np.random.default_rng(0).normal(size=(1000, 5)).astype(np.float32)
    divisors = np.array([np.float32(0.1), np.float32(1 / 3), 1, 1, np.finfo(np.float32).max]).astype(np.float64)
    raw = Denormalization(statistics)(values)
    with np.errstate(over="ignore"):
        assert np.array_equal(raw, (values.astype(np.float64) * divisors + mean).astype(np.float32))
        assert not np.array_equal(raw[:, 1], (values[:, 1].astype(np.float64) / 3 - 7).astype(np.float32))


def test_labels_of_frames(veery, folder, tmp_path):
    (tmp_path / "0.txt").write_text("0.2\t0.5\tsong\n0.4\t0.9\tcall\n")  # Audacity
    rows = [{"path": folder / "0.wav"}, {"path": folder / "1.wav"}]
    manifest = write_manifest(tmp_path / "m.csv", rows)
    for layout in ("packed", "fixed"):
        output = tmp_path / f"{layout}.h5"
        veery("extract", manifest, "-o", output, "--frame-labels", tmp_path / "0.txt", "--set", "audio.duration=1",
              "--set", f"store.layout={layout}")
        labelled = package.open(output)
        assert labelled.frame_label_names == ["call", "song"]
        with h5py.File(output) as stored:
            wanted = stored["frame_label"][:].reshape(-1)
            for clip, start, count in zip(labelled, stored["clips/frame_start"], stored["clips/frame_count"]):
                assert np.array_equal(clip.frame_labels, wanted[start:start + count])
        assert set(labelled[0].frame_labels.tolist()) == {-1, 0, 1} and not (labelled[1].frame_labels != -1).any()


def test_a_file_of_many_clips_is_opened_without_reading_them(features, tmp_path):
    count = 200_000
    with h5py.File(features) as old, h5py.File(tmp_path / "many.h5", "w") as new:
        new.attrs.update(old.attrs)
        for name in ("labels", "statistics", "provenance", "frequency", "failures"):
            old.copy(name, new)
        new["features"] = np.arange(count * 2 * 80, dtype="f4").reshape(-1, 80)
        for name in ("units", "long_name", "frame_period", "first_frame_time"):
            new["features"].attrs[name] = old["features"].attrs[name]
        new["clips/id"] = np.char.mod("clip-%08d", np.arange(count)[::-1]).astype("S")
        for name in ("path", "label", "split"):
            new[f"clips/{name}"] = np.full(count, b"train")
        new["clips/frame_start"], new["clips/frame_count"] = 2 * np.arange(count), np.full(count, 2, "i4")
        new["clips/label_index"] = np.full(count, -1, "i4")
    tracemalloc.start()
    many = package.open(tmp_path / "many.h5")
    assert many[count - 1].frame_count == 2
    assert tracemalloc.get_traced_memory()[1] < 40 * count  # of two columns, 12 bytes a clip, and the checks of them
    tracemalloc.stop()
    assert many["clip-00000007"].index == count - 8 and len(many.select("train")) == count
    assert np.array_equal(many[123_456].features[:, 0], [2 * 123_456 * 80, (2 * 123_456 + 1) * 80])
    assert len(pickle.dumps(many)) < 500  # a path, and no columns
    assert sum(len(features) for features, _ in package.batches(many[:1000], 64)) == 1000


def test_arrays_outlive_their_file(features):
    with package.open(features) as opened:
        first = opened[0].features
        wanted = first.copy()
    assert np.array_equal(first, wanted) and np.array_equal(opened[0].features, wanted)  # it is opened again


# ------------------------------------------------------------------------------------------- damaged and other files


@pytest.mark.long
def test_files_that_are_cut_off_are_refused(features, tmp_path):
    """Neither h5py nor a memory map reads past the end; without the check, reading the map kills the process."""
    whole = bytearray(features.read_bytes())
    code = "import sys, veery\ntry:\n    for c in veery.open(sys.argv[1]): c.features.sum(), c.id, c.raw().features\n" \
        "except (OSError, ValueError) as error: print(type(error).__name__); sys.exit(9)"
    with h5py.File(features) as stored:
        offset = stored["features"].id.get_offset()
    for end in [0, 100, 2000, offset, offset + 5000, len(whole) - 20000, len(whole) - 1]:
        for eof in {len(whole), end}:
            cut = whole[:end]
            cut[40:48] = eof.to_bytes(8, "little")[:max(min(8, end - 40), 0)]  # what the superblock says is the end
            (tmp_path / "cut.h5").write_bytes(cut)
            result = subprocess.run([sys.executable, "-c", code, tmp_path / "cut.h5"], capture_output=True, text=True)
            assert result.returncode == 9, (end, eof, result)


def changed(features, path, change):
    path.write_bytes(features.read_bytes())
    with h5py.File(path, "a") as stored:
        change(stored)
    return path


def replace(name, values):
    def change(stored):
        del stored[name]
        if values is not None:
            stored[name] = values
    return change


def set_row(name, row, value):
    def change(stored):
        stored[name][row] = value
    return change


@pytest.mark.parametrize("change, text", [
    (set_row("clips/frame_start", 2, 10**9), "clip 2 has rows from"),
    (set_row("clips/frame_start", 3, -5), "clip 3 has rows from"),
    (set_row("clips/frame_count", 0, -1), "clip 0 has rows from"),
    (replace("clips/id", [b"a"]), "/clips/id has 1 rows"), (replace("clips/id", None), "no /clips/id"),
    (replace("clips/frame_count", np.int32(3)), "/clips/frame_count with 0 dimensions"),
    (replace("features", np.zeros(3)), "features with 1 dimensions"),
    (replace("frequency", np.zeros(3)), "/frequency has 3"),
    (replace("statistics/mean", np.zeros(3)), "/statistics is not of 80 bins"),
    (replace("provenance/configuration", b"{"), "is no JSON"),
], ids=lambda value: value if isinstance(value, str) else "")
def test_columns_that_do_not_fit_are_errors(features, tmp_path, change, text):
    with pytest.raises(package.FeatureFileError, match="the file is damaged") as error:
        damaged = package.open(changed(features, tmp_path / "f.h5", change))
        damaged[0].features, damaged[0].id, damaged.frequency, damaged.statistics
    assert text in str(error.value) and str(tmp_path) in str(error.value)


def test_rows_of_two_blocks_are_errors(veery, folder, tmp_path):
    veery("extract", folder / "m.csv", "-o", tmp_path / "fixed.h5", "--max-failures", 1, "--set", "audio.duration=1", "--set",
          "store.layout=fixed")
    path = changed(tmp_path / "fixed.h5", tmp_path / "f.h5", set_row("clips/frame_start", 1, 97))
    with pytest.raises(package.FeatureFileError, match="the file is damaged: clip 1 has rows from 97"):
        package.open(path)[0].features


@pytest.mark.long
def test_damaged_lists_of_datasets_are_errors(features, tmp_path):
    """h5py has another exception for each; each names the file here."""
    whole, path = features.read_bytes(), tmp_path / "f.h5"
    reads = [
        lambda file: file[0].features, lambda file: file.ids, lambda file: file.column("path"), lambda file: file[0].extra,
        lambda file: file.failures, lambda file: file.labels, lambda file: file.raw()[0].features,
        lambda file: file.frame_label_names, lambda file: file.software, lambda file: file._repr_html_()]
    refused = 0
    for found in re.finditer(b"TREE|HEAP|SNOD", whole):
        for offset in (0, 8, 24, 30):
            damaged = bytearray(whole)
            damaged[found.start() + offset] ^= 0xFF
            path.write_bytes(damaged)
            for read in reads:
                try:
                    read(package.open(path))
                except (package.FeatureFileError, package.UnknownNameError, OSError) as error:
                    assert str(path) in str(error)
                    refused += 1
    assert refused > 50


def test_a_version_that_is_not_known_is_refused_and_1_x_is_read(features, tmp_path):
    path = tmp_path / "f.h5"

    def version(text):
        return changed(features, path, lambda stored: stored.attrs.modify("format_version", text))

    assert len(package.open(version("1.27"))) == 5
    for text in ("2.0", "10.1", "0.9"):
        with pytest.raises(ValueError, match=f"expected format version 1.x, found {text}"):
            package.open(version(text))
    with pytest.raises(ValueError, match="the file is not complete"):
        package.open(changed(features, path, lambda stored: stored.attrs.pop("complete")))


def test_a_file_that_was_replaced_is_not_read_as_the_old_one(features, tmp_path):
    path = tmp_path / "f.h5"
    path.write_bytes(features.read_bytes())
    opened = package.open(path)
    packed = pickle.dumps(opened.select("train"))
    other = changed(features, tmp_path / "g.h5", lambda stored: None)
    os.utime(other, ns=(1, 1))
    other.rename(path)
    for read in (lambda: opened[0].features, lambda: opened[0].id, lambda: pickle.loads(packed)):
        with pytest.raises(ValueError, match="the file was replaced after it was opened: open it again"):
            read()
    assert len(package.open(path)[0].features) == 98


def test_paths_that_cannot_be_read(tmp_path):
    with pytest.raises(FileNotFoundError, match="missing.h5"):
        package.open(tmp_path / "missing.h5")
    with pytest.raises(IsADirectoryError):
        package.open(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(package.FeatureFileError, match="pipe: expected a feature file of Veery, found a pipe"):
        package.open(tmp_path / "pipe")


# --------------------------------------------------------------------------------------------------------- commands


def test_features_are_extracted_from_a_manifest_and_from_rows(folder, tmp_path, features):
    settings = {"frame": {"length": "20 ms", "window": {"kind": "kaiser", "beta": 8}}, "scale.floor": 1e-9,
                "transform.bins": np.int64(40), "normalize.scope": "none", "audio.duration": None}
    report = package.extract(folder / "m.csv", tmp_path / "a.h5", settings=settings, jobs=1, max_failures="20%")
    assert (report["clips"], report["failures"], report["bins"]) == (5, 1, 40)
    configuration = package.open(tmp_path / "a.h5").configuration
    assert configuration["frame"]["window"] == {"kind": "kaiser", "beta": 8} and configuration["scale"]["floor"] == 1e-9
    assert configuration["audio"]["duration"] is None and configuration["normalize"]["scope"] == "none"
    rows = [
        {"path": Path(f"{number}.wav"), "id": f"clip <{number}>", "label": float("nan"), "take": np.int32(number)}
        for number in range(3)]
    config = {"extends": "kaldi-fbank", "transform": {"bins": 30}}
    report = package.extract(rows, tmp_path / "b.h5", root=folder, config=config)
    made = package.open(tmp_path / "b.h5")
    assert made.bins == 30 and list(made.column("take")) == ["0", "1", "2"] and made[0].label is None
    assert package.extract(rows, tmp_path / "b.h5", root=folder, config=config)["up_to_date"]
    plan = package.extract(folder / "m.csv", tmp_path / "c.h5", dry_run=True, column={"label": "speaker"})
    assert plan["clips"] == 5 and not (tmp_path / "c.h5").exists()
    package.extract(folder / "m.csv", tmp_path / "c.h5", column={"label": "speaker"}, max_failures=1)
    assert package.open(tmp_path / "c.h5").labels[-2:] == ["s0", "s1"]


@pytest.mark.parametrize("value, text", [
    (None, "null"), (True, "true"), (False, "false"), (3, "3"), (np.float32(0.5), "0.5"), (1e-10, "1.0e-10"),
    (1.5e-7, "1.5e-07"), ("db", "db"), ("no", '"no"'), ("1e3", '"1e3"'), ("25 ms", '"25 ms"'), ("", '""'),
    ({"kind": "tukey", "alpha": 1e-05}, '{"kind": tukey, "alpha": 1.0e-05}'),
])
def test_settings_are_written_as_yaml(value, text):
    from veery._arguments import assignments

    assert assignments({"a.b": value}) == [f"--set=a.b={text}"]
    assert assignments({"a": {"b": value}}) == [f"--set=a.b={text}"] or isinstance(value, dict)


def test_errors_of_the_command_are_exceptions(folder, tmp_path):
    with pytest.raises(package.ClipsFailedError, match="1 of 6 clips failed, such as 'missing': open: ") as error:
        package.extract(folder / "m.csv", tmp_path / "f.h5")
    assert error.value.status == 3 and error.value.report["clips"] == 5
    assert [failure.id for failure in error.value.failures] == ["missing"] and len(package.open(tmp_path / "f.h5")) == 5
    for status, text, call in [
        (1, "nope.csv: there is no such file", lambda: package.extract("nope.csv", tmp_path / "g.h5")),
        (1, "another configuration", lambda: package.extract(folder / "m.csv", tmp_path / "f.h5", preset="whisper")),
        (64, "Unknown preset 'nope'", lambda: package.extract(folder / "m.csv", tmp_path / "g.h5", preset="nope")),
        (64, "frame.hopp", lambda: package.extract(folder / "m.csv", tmp_path / "g.h5", settings={"frame.hopp": 1})),
        (1, "expected a feature file", lambda: package.inspect(folder / "m.csv")),
        (1, "expected a feature file", lambda: package.inspect(folder / "m.csv", verify=True)),
        (1, "no clip with the id 'x'", lambda: package.render(tmp_path / "f.h5", tmp_path / "x.png", clip="x")),
    ]:
        with pytest.raises(package.CommandError) as error:
            call()
        assert error.value.status == status and text in str(error.value) and "Usage:" not in str(error.value)
        assert pickle.loads(pickle.dumps(error.value)).status == status
    with pytest.raises(TypeError, match=r"extract\(\) got an unexpected keyword argument 'job'. Did you mean 'jobs'"):
        package.extract("m.csv", "f.h5", job=3)
    with pytest.raises(TypeError, match="'colours'. Did you mean 'colors'"):
        package.render("f.h5", "x.png", colours="magma")
    with pytest.raises(ValueError, match="expected a finite number"):
        package.extract("m.csv", "f.h5", settings={"scale.floor": float("nan")})


def test_messages_name_arguments_of_the_function_instead_of_options(folder, tmp_path):
    with pytest.raises(package.CommandError, match="^append=True keeps all clips.* without sync=True and retry_failed="):
        package.extract(folder / "m.csv", tmp_path / "f.h5", append=True, sync=True)
    with pytest.raises(package.CommandError, match="^overwrite=True is for mend"):
        package.check(folder / "m.csv", overwrite=True)
    with pytest.raises(package.CommandError, match="^the rows: there is no column 'x'"):
        package.extract([{"path": "a.wav"}], tmp_path / "f.h5", column={"label": "x"})
    with pytest.raises(package.CommandError, match="so there is nothing to write: give the folder with root$"):
        package.extract([{"path": "a.wav"}], tmp_path / "f.h5", max_failures=1)
    with pytest.raises(ValueError, match="^manifest: expected rows, a mapping for every clip, found none"):
        package.extract([], tmp_path / "g.h5")
    for text, expected in [
        ("--truncated keep stores the rest", 'truncated="keep" stores the rest'),
        ("give --set frame.hop=160.", 'give settings={"frame.hop": 160}.'),
        ("such as --set audio.sample_rate=44.1k, the", 'such as settings={"audio.sample_rate": "44.1k"}, the'),
        ("--set scale.floor=-80.5: or", 'settings={"scale.floor": -80.5}: or'),
        ("--set audio.sample_rate=null; --set audio.channels=mix", 'settings={"audio.sample_rate": None}; settings={"audio.channels": "mix"}'),
        ("'--set audio.minimum=SECONDS'", "'settings={\"audio.minimum\": SECONDS}'"),
        ("(--set 'normalize.fit=\"\"')", '(settings={"normalize.fit": ""})'), ("or --set rows=null.", 'or settings={"rows": None}.'),
        ("--set scale.b2=0.5.", 'settings={"scale.b2": 0.5}.'),
        ("--set needs a value", "settings needs a value"), ("see --max-failures N.", "see max_failures=N."),
        ("'a --overwritten name' --other x--root", "'a --overwritten name' --other x--root"),
    ]:
        assert _arguments.with_keywords(text, package.extract) == expected


def test_warnings_of_the_command_are_warnings(folder, tmp_path):
    with pytest.warns(package.CommandWarning, match="24000 Hz|last") as warned:
        package.extract(folder / "m.csv", tmp_path / "f.h5", preset="librosa-log-mel", max_failures=1,
                        settings={"audio.sample_rate": 24000})
    assert warned[0].filename == __file__


def test_progress_is_reported_as_events(folder, tmp_path, capsys):
    events = []
    package.extract(folder / "m.csv", tmp_path / "f.h5", progress=events.append, max_failures=1)
    assert events and (events[-1].phase, events[-1].total, events[-1].failed) == ("finished", 6, 1)
    for event in events:
        jsonschema.validate({name: value for name, value in vars(event).items() if value is not None}, SCHEMA)
    package.extract(folder / "m.csv", tmp_path / "g.h5", progress=True, max_failures=1)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert re.search(r"^finished: 6 of 6 clips, 1 failed, 2\.16 s of audio in .*\n\Z", shown.err, re.M)
    package.extract(folder / "m.csv", tmp_path / "g.h5", progress=True, max_failures=1)
    assert capsys.readouterr().err == "finished: nothing was left to do\n"
    from veery._progress import Line

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    line = Line(Terminal())
    for phase, left in [("extracting", 75.0), ("extracting", 5.0), ("finished", None)]:
        line(package.Progress(phase, 1000, 2000, 1, 0, 3600, 10, left))
    first, second, last = line._stream.getvalue().split("\r")[1:]
    assert first == "extracting: 1,000 of 2,000 clips, 1 failed, 1 min 15 s left"
    assert second.rstrip() == "extracting: 1,000 of 2,000 clips, 1 failed, 5 s left" and len(second) == len(first)
    assert last.endswith("1 h 00 min of audio in 10 s\n")


INTERRUPTED = """
import sys, veery
def show(event):
    print(event.phase, event.done, event.resumed, flush=True)
try:
    veery.extract(sys.argv[1], sys.argv[2], jobs=1, progress=show, settings={"frame.hop": 20, "transform.bins": 2})
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_an_interrupt_is_passed_on_and_the_run_resumes(folder, tmp_path, veery):
    write_wav(tmp_path / "long.wav", 16000, noise(1, 16000 * 60))
    rows = [{"path": "long.wav", "id": str(number)} for number in range(200)]
    manifest = write_manifest(tmp_path / "m.csv", rows)
    command = [sys.executable, "-c", INTERRUPTED, manifest, tmp_path / "f.h5"]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for line in run.stdout:
        if line.startswith("extracting") and int(line.split()[1]) > 0:
            run.send_signal(signal.SIGINT)
            break
    assert run.communicate(timeout=60)[0].endswith("interrupted\n") and run.returncode == 0
    assert not (tmp_path / "f.h5").exists() and (tmp_path / "f.h5.spool").exists()
    events = []
    # Many frames of few values: a run of seconds that writes little.
    settings = {"frame.hop": 20, "transform.bins": 2}
    report = package.extract(manifest, tmp_path / "f.h5", progress=events.append, settings=settings)
    assert report["resumed_clips"] > 0 and report["clips"] == 200

    def stop(event):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):  # an error in the function stops the command, too
        package.extract(manifest, tmp_path / "g.h5", progress=stop, settings=settings)
    assert not (tmp_path / "g.h5").exists()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc, where processes are looked up")
def test_the_command_ends_with_the_process_that_called_it(tmp_path, veery):
    write_wav(tmp_path / "long.wav", 16000, noise(1, 16000 * 60))
    manifest = write_manifest(tmp_path / "m.csv", [{"path": "long.wav", "id": str(number)} for number in range(1000)])
    code = "import sys, veery; print('started', flush=True); veery.extract(sys.argv[1], sys.argv[2], jobs=1)"
    run = subprocess.Popen([sys.executable, "-c", code, manifest, tmp_path / "f.h5"], stdout=subprocess.PIPE)
    run.stdout.readline()
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
    deadline = time.monotonic() + 60
    while not (child := children.read_text().split()) and time.monotonic() < deadline:
        time.sleep(0.05)
    run.kill()
    run.wait()

    def runs():
        try:  # Z: it has ended, and its status was not asked for
            return Path(f"/proc/{child[0]}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            return False

    while runs() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not runs() and not (tmp_path / "f.h5").exists()


def test_a_file_is_inspected_and_drawn(folder, features, tmp_path):
    summary = package.inspect(features)
    assert summary["clips"] == 5 and summary["bins"] == 80
    assert package.inspect(features, verify=True)["sound"] is True
    package.inspect(features, html=tmp_path / "page.html", root=folder)
    assert (tmp_path / "page.html").stat().st_size > 1000
    damaged = bytearray(features.read_bytes())
    with h5py.File(features) as stored:
        damaged[stored["features"].id.get_offset()] ^= 1
    (tmp_path / "damaged.h5").write_bytes(damaged)
    report = package.inspect(tmp_path / "damaged.h5", verify=True)
    assert report["sound"] is False and "clip <0>" in json.dumps(report["findings"])
    package.render(features, tmp_path / "c.png", clip="clip <0>", width=600, range=(-3, 3), theme="dark")
    assert Image.open(tmp_path / "c.png").size[0] == 600
    package.render([folder / "0.wav", folder / "1.wav"], tmp_path / "r.svg", settings={"scale.kind": "ln"})
    assert "clip <" in package.render(features, tmp_path / "s.png", sheet=True, list_=True)


def test_recordings_are_found_split_and_checked(folder, tmp_path):
    rows = package.crawl(folder, label_from="^(?<label>(?<take>[0-9]))", exclude=["4*"])
    assert [row["path"] for row in rows] == ["0.wav", "1.wav", "2.wav", "3.wav"]
    assert rows[1] == {"path": "1.wav", "id": "1", "label": "1", "take": "1"}
    rows = [{**row, "start": 0.01, "speaker": "ab"[index % 2]} for index, row in enumerate(rows)]
    parts = package.split(rows, ratio={"train": 0.5, "test": 0.5}, by="speaker", seed=1, root=folder)
    assert [{name: value for name, value in row.items() if name != "split"} for row in parts] == rows
    assert all(row["split"] in ("train", "test") for row in parts)
    assert parts[0]["split"] == parts[2]["split"] and parts[1]["split"] == parts[3]["split"]
    (tmp_path / "val.txt").write_text("1\n")
    assert [row["split"] for row in package.split(rows, list={"val": tmp_path / "val.txt"}, rest="train")] == [
        "train", "val", "train", "train"]
    with pytest.warns(package.CommandWarning, match="1 clip without a value in the column 'speaker'"):
        package.split([{**rows[0], "speaker": ""}, *rows[1:]], ratio={"train": 1}, by="speaker")
    events = []
    report = package.check(parts, root=folder, deep=True, by="speaker", progress=events.append)
    validate(report, "check-report")
    assert report["clips"] == 4 and report["deep"] and events[-1].phase == "finished"
    assert not any(kind["severity"] == "error" for kind in report["kinds"])
    # Problems of a dataset are its report, and what hinders the check is an error.
    report = package.check(folder / "m.csv", mend=tmp_path / "usable.csv")
    assert "missing.wav" in json.dumps(report["kinds"]) and (tmp_path / "usable.csv").is_file()
    for status, text, call in [
        (1, "nope", lambda: package.crawl(tmp_path / "nope")),
        (64, "ratio", lambda: package.split(rows)),
        (1, "nope.csv", lambda: package.check("nope.csv")),
    ]:
        with pytest.raises(package.CommandError, match=text) as error:
            call()
        assert error.value.status == status
    with pytest.raises(TypeError, match="unexpected keyword argument 'ratios'. Did you mean 'ratio'"):
        package.split(rows, ratios={"train": 1})
    package.extract(parts, tmp_path / "f.h5", root=folder)
    assert package.open(tmp_path / "f.h5").column("speaker").tolist() == ["a", "b", "a", "b"]


@pytest.mark.parametrize("command", ["check", "crawl", "extract", "inspect", "render", "split"])
def test_every_option_of_the_command_is_an_argument(command, veery):
    import inspect

    options = set(re.findall(r"^  (?:-\w, )?--([a-z-]+)", veery(command, "--help").stdout, re.MULTILINE))
    arguments = {name.rstrip("_").replace("_", "-") for name in inspect.signature(getattr(package, command)).parameters}
    arguments |= {"set"} if "settings" in arguments else set()
    # What the functions decide themselves.
    decided = {"output", "output-format", "format", "overwrite"} if command in ("crawl", "split") else set()
    assert options - arguments <= {"version", "help", "json", "quiet"} | decided
    assert arguments - options <= {"manifest", "settings", "unknown", "inputs", "path", "folders"}


def test_the_program_is_found(program, monkeypatch, tmp_path):
    assert Path(package.find_program()).resolve() == program
    monkeypatch.setenv("VEERY", str(tmp_path / "nothing"))
    with pytest.raises(package.ProgramNotFoundError, match="VEERY is .*nothing', which is not an executable file"):
        package.find_program()
    monkeypatch.delenv("VEERY")
    monkeypatch.setattr(_program, "script_folders", lambda: iter([str(tmp_path / "scripts")]))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    with pytest.raises(package.ProgramNotFoundError, match="scripts nor in PATH. Install the wheel, which 'make wheel' puts into dist,"):
        package.find_program()
    for name in ("path", "scripts"):  # the later one comes first
        (tmp_path / name).mkdir()
        (tmp_path / name / "veery").symlink_to(program)
        assert package.find_program() == str(tmp_path / name / "veery")


def test_the_module_is_the_command(program):
    for arguments, status in [(["--version"], 0), (["inspect", "nope.h5"], 1)]:
        run = subprocess.run([sys.executable, "-m", "veery", *arguments], capture_output=True, text=True)
        direct = subprocess.run([program, *arguments], capture_output=True, text=True)
        assert (run.returncode, run.stdout, run.stderr) == (status, direct.stdout, direct.stderr)


# ---------------------------------------------------------------------------------------------------------- display


class Page(html.parser.HTMLParser):
    """Checks that all elements end, and keeps texts and pictures."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.pictures = [], [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        if tag == "img":
            kind, data = dict(attributes)["src"].split(",")
            assert kind == "data:image/png;base64"
            self.pictures.append(Image.open(io.BytesIO(base64.b64decode(data))))
        else:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_notebooks_show_files_and_clips(file):
    page = Page(file._repr_html_())
    assert len(page.pictures) == 5 and "f.h5" in page.texts and "1 of the manifest" in page.texts
    assert "dog 2, cat 1, 鳥 1" in page.texts and "train 2, test 1, val 1" in page.texts
    page = Page(file[0]._repr_html_())
    [picture] = page.pictures
    assert picture.size == (98, 80) and "clip <0>" in page.texts and "dog, cat" in page.texts
    # The loudest value is yellow, the lowest bin at the bottom.
    values = file[0].features
    frame, column = np.unravel_index(values.argmax(), values.shape)
    assert picture.convert("RGB").getpixel((int(frame), 79 - int(column))) == (253, 231, 37)
    assert Page(file[:0]._repr_html_()).pictures == []


def test_importing_the_package_needs_no_program_and_no_library(tmp_path):
    code = "import sys, veery; print({'veery.plan', 'torch', 'pandas'} & set(sys.modules) or 'none')"
    environment = {"PYTHONPATH": PACKAGE, "PATH": ""}
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert result.stdout.strip() == "none", result.stderr


def test_a_missing_package_is_named(file, monkeypatch):
    for module, call in [("pandas", file.to_pandas), ("xarray", file.to_xarray), ("datasets", file.to_hf)]:
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(ImportError, match=rf"to_\w+\(\) needs {module}: pip install {module}"):
            call()
