"""Reading feature files from Python: values, selection, normalisation, processes, batches, memory; examples."""

import importlib.util
import itertools
import multiprocessing
import pickle
import re
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

from conftest import noise, tone, write_manifest, write_wav

EXAMPLES = Path(__file__).resolve().parents[2] / "examples/python"
sys.path.insert(0, str(EXAMPLES))

import compare_layouts
import veery as package
from veery import batches, steps

CLIPS = [  # label, split, samples
    ("dog", "train", 16000), ("cat", "train", 4000), ("dog", "val", 9000), ("", "train", 5200), ("鳥", "test", 400),
    ("cat", "val", 12345), ("dog", "train", 8000)]
VARIANTS = list(itertools.product(["packed", "fixed"], ["f4", "f2"], ["none", "deflate"]))


@pytest.fixture(scope="module")
def manifest(tmp_path_factory):
    folder = tmp_path_factory.mktemp("readers")
    rows = []
    for number, (label, split, samples) in enumerate(CLIPS):
        sound = tone(16000, samples / 16000, [300 + 200 * number, 2000]) + noise(number, samples, 0.1)
        write_wav(folder / f"{number}.wav", 16000, sound)
        rows.append({"path": f"{number}.wav", "id": f"clip/{number}é", "label": label, "split": split})
    return write_manifest(folder / "m.csv", rows)


@pytest.fixture(scope="module")
def features(veery, manifest):
    path = manifest.parent / "features.h5"
    veery("extract", manifest, "-o", path)
    return path


@pytest.fixture(scope="module")
def unnormalized(veery, manifest):
    path = manifest.parent / "raw.h5"
    veery("extract", manifest, "-o", path, "--set", "normalize.scope=none")
    return path


def expected(path):
    """The clips of a packed file, as the definition of the format says."""
    with h5py.File(path) as file:
        return [
            file["features"][start:start + count]
            for start, count in zip(file["clips/frame_start"], file["clips/frame_count"])]


def rewrite(source, target, layout, dtype, compression):
    """The same clips in another layout, type and compression, laid out by h5py as the format's definition says."""
    clips = expected(source)
    counts = [len(clip) for clip in clips]
    if layout == "fixed":
        tensor = np.zeros((len(clips), max(counts), clips[0].shape[1]), dtype)
        starts = [number * max(counts) for number in range(len(clips))]
        for number, clip in enumerate(clips):
            tensor[number, :len(clip)] = clip
        chunks = (1, 16, tensor.shape[2])
    else:
        chunk = 16 if compression == "deflate" else 1  # every clip begins on the boundary of a chunk
        starts = np.cumsum([0] + [-(-count // chunk) * chunk for count in counts])
        tensor = np.full((starts[-1], clips[0].shape[1]), np.nan, dtype)
        for start, clip in zip(starts, clips):
            tensor[start:start + len(clip)] = clip
        chunks = (chunk, tensor.shape[1])
    options = dict(chunks=chunks, shuffle=True, compression=1) if compression == "deflate" else {}
    with h5py.File(source) as old, h5py.File(target, "w") as new:
        for name in ["clips", "labels", "statistics", "provenance", "frequency", "failures"]:
            old.copy(name, new)
        new.attrs.update(old.attrs)
        new.attrs["layout"] = layout
        new.create_dataset("features", data=tensor, **options)
        for name in ["units", "long_name", "frame_period", "first_frame_time"]:
            new["features"].attrs[name] = old["features"].attrs[name]
        new["clips/frame_start"][:] = starts[:len(clips)]
    return target


@pytest.fixture(scope="module", params=VARIANTS, ids=" ".join)
def variant(request, features):
    layout, dtype, compression = request.param
    path = features.parent / f"{layout}-{dtype}-{compression}.h5"
    return rewrite(features, path, *request.param), [clip.astype(dtype) for clip in expected(features)]


def equal(found, wanted):
    return len(found) == len(wanted) and all(
        one.shape == other.shape and one.dtype == other.dtype and np.array_equal(one, other)
        for one, other in zip(found, wanted))


def features_of(clips):
    return [clip.features for clip in clips]


def undone_to_the_precision_of_the_type(file, wanted):
    """Whether raw values are right to 1e-5, and from float16 to 1e-5 plus what rounding a z-score to it costs."""
    with h5py.File(file.path) as opened:
        std = opened["statistics/std"][:]
    rounding = 2.0 ** -11 if file.dtype == np.float16 else 0
    return all(
        raw.features.dtype == np.float32
        and np.all(np.abs(raw.features - values) <= 1e-5 + rounding * np.abs(clip.features.astype("f8")) * std)
        for clip, raw, values in zip(file, file.raw(), wanted))


# ------------------------------------------------------------------------------------------------------- veery.open


def test_clips_are_the_rows_of_the_file_in_every_layout(variant, unnormalized):
    path, clips = variant
    file = package.open(path)
    assert file.is_mapped != path.name.endswith("deflate.h5")
    assert equal(features_of(file), clips)
    assert undone_to_the_precision_of_the_type(file, expected(unnormalized))
    # Nothing reaches the file, or the next one who reads.
    for clip in (file[1], file[1].raw()):
        with pytest.raises(ValueError, match="read-only"):
            clip.features[:] = 0
    # Where the file is mapped, all clips are views of one map: nothing is copied.
    assert not file.is_mapped or np.shares_memory(file[1].features, file._core.tensor.stored.mapped())
    assert file.bins == 80 and file.dtype == clips[0].dtype
    assert [file[clip].id for clip in (0, 6)] == ["clip/0é", "clip/6é"]


@pytest.mark.parametrize("layout, dtype, compression", VARIANTS)
def test_files_of_the_program_are_read_in_every_layout(
    veery, manifest, features, unnormalized, tmp_path, layout, dtype, compression
):
    path = tmp_path / "f.h5"
    settings = {"layout": layout, "type": {"f4": "float32", "f2": "float16"}[dtype], "compression": compression}
    options = [option for key, value in settings.items() for option in ("--set", f"store.{key}={value}")]
    # The longest clip lasts just so long, and no clip is changed.
    options += ["--set", "audio.duration=1"] * (layout == "fixed")
    result = veery("extract", manifest, "-o", path, *options, status=(0, 1))
    if refusal := re.search(r"store\.\w+: expected one of \w+, found '\w+'", result.stderr):
        pytest.skip(f"this build of Veery has no such files yet: {refusal[0]}")
    assert result.returncode == 0, result.stderr
    file = package.open(path)
    assert file.is_mapped != (compression == "deflate") and file.layout == layout
    assert equal(features_of(file), [clip.astype(dtype) for clip in expected(features)])
    assert undone_to_the_precision_of_the_type(file, expected(unnormalized))


def test_clips_are_chosen_by_split_and_label(features):
    file = package.open(features)
    assert file.labels == ["cat", "dog", "鳥"] and file.splits == ["test", "train", "val"]
    assert list(file.select().indices) == [0, 1, 2, 3, 4, 5, 6]
    assert list(file.select("train").indices) == [0, 1, 3, 6]
    assert list(file.select(["val", "test"]).indices) == [2, 4, 5]
    assert list(file.select(label="鳥").indices) == [4]
    assert list(file.select(label=file.labels).indices) == [0, 1, 2, 4, 5, 6]  # all that have one
    assert list(file.select("train", "dog").indices) == [0, 6]
    assert list(file.select("test", "dog")) == []
    assert list(file.select("train").select(label="dog").indices) == [0, 6]
    for error in (ValueError, KeyError):
        with pytest.raises(error, match=r"features.h5: no split 'dev'; there are 'test', 'train', 'val'"):
            file.select("dev")
    with pytest.raises(ValueError, match="no split 'trian'. Did you mean 'train'"):
        file.select("trian")
    with pytest.raises(ValueError, match=r"no label 3; there are 'cat', 'dog', '鳥'"):
        file.select(label=3)


@pytest.mark.parametrize("method", ["zscore", "minmax", "mean", "range"])
@pytest.mark.parametrize("axis", ["bin", "all"])
def test_normalisation_over_the_dataset_is_undone(veery, manifest, unnormalized, tmp_path, method, axis):
    path = tmp_path / "f.h5"
    veery("extract", manifest, "-o", path, "--set", f"normalize.method={method}", "--set", f"normalize.axis={axis}")
    for clip, wanted in zip(package.open(path), expected(unnormalized)):
        assert not np.allclose(clip.features, wanted, atol=0.1)
        raw = clip.raw().features
        assert raw.dtype == np.float32 and np.max(np.abs(raw - wanted)) <= 1e-5


def test_a_file_that_is_not_normalised_is_raw(unnormalized):
    file = package.open(unnormalized)
    assert np.array_equal(file[2].features, file[2].raw().features) and file.raw().units == file.units == "ln(power)"


def test_constant_bins_come_back(veery, tmp_path):
    write_wav(tmp_path / "silence.wav", 16000, np.zeros(4000))
    manifest = write_manifest(tmp_path / "m.csv", [{"path": "silence.wav"}])
    for method in ["zscore", "minmax", "mean", "range"]:
        veery("extract", manifest, "-o", tmp_path / f"{method}.h5", "--set", f"normalize.method={method}")
        raw = package.open(tmp_path / f"{method}.h5").raw()[0].features
        assert np.allclose(raw, np.log(1e-10), rtol=1e-6)


def test_normalisation_of_each_clip_needs_its_statistics(veery, manifest, unnormalized, tmp_path):
    path = tmp_path / "f.h5"
    veery("extract", manifest, "-o", path, "--set", "normalize.scope=clip")
    with h5py.File(path, "a") as file:  # whether this version of the program stores them or not
        if "clips/statistics" in file:
            del file["clips/statistics"]
    with pytest.raises(ValueError, match="each clip was normalised by itself, and the file does not hold their stat"):
        package.open(path)[0].raw().features
    wanted = expected(unnormalized)
    with h5py.File(path, "a") as file:
        for name, function in [("mean", np.mean), ("std", np.std), ("min", np.min), ("max", np.max)]:
            file[f"clips/statistics/{name}"] = np.stack([function(clip.astype("f8"), axis=0) for clip in wanted])
    file = package.open(path).raw()
    for clip in [6, 4, 0]:  # 4 has one frame
        assert np.max(np.abs(file[clip].features - wanted[clip])) <= 1e-5


def test_other_files_are_refused(features, tmp_path):
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["features"] = [1.0]
    with pytest.raises(ValueError, match="other.h5: expected a feature file of Veery"):
        package.open(tmp_path / "other.h5")
    for name, value, text in [
        ("format_version", "2.0", "expected format version 1.x, found 2.0"), ("complete", 0, "the file is not complete")
    ]:
        path = tmp_path / f"{name}.h5"
        path.write_bytes(features.read_bytes())
        with h5py.File(path, "a") as file:
            file.attrs[name] = value
        with pytest.raises(package.FeatureFileError, match=text):
            package.open(path)


def read_in_worker(file, clips):
    return [file[clip].features for clip in clips]


@pytest.mark.long
@pytest.mark.promised
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork")
@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("compression", ["none", "deflate"])
def test_a_reader_works_in_several_processes_at_once(features, tmp_path, method, compression):
    path = rewrite(features, tmp_path / "f.h5", "packed", "f4", compression)
    clips = expected(features)
    file = package.open(path)
    file[0].features  # open here before the processes start
    order = list(np.random.default_rng(1).integers(0, len(file), 300))
    for given in ([file, file] if method == "fork" else [file, pickle.loads(pickle.dumps(file))]):
        with multiprocessing.get_context(method).Pool(2) as pool:
            parts = [pool.apply_async(read_in_worker, (given, order[part::2])) for part in range(2)]
            here = read_in_worker(given, order)
            found = [part.get(60) for part in parts]
        assert equal(here, [clips[clip] for clip in order])
        assert all(equal(found[part], [clips[clip] for clip in order[part::2]]) for part in range(2))


FORKED = None


def read_forked(clips):
    return read_in_worker(FORKED, clips)


@pytest.mark.parametrize("compression", ["none", "deflate"])
def test_an_open_reader_survives_a_fork(features, tmp_path, compression):
    # What Pool is given goes through pickle; this goes through the fork itself.
    global FORKED
    FORKED = package.open(rewrite(features, tmp_path / "f.h5", "packed", "f4", compression))
    clips = expected(features)
    order = [int(clip) for clip in np.random.default_rng(2).integers(0, len(FORKED), 300)]
    wanted = [clips[clip] for clip in order]
    FORKED[0].features
    with multiprocessing.get_context("fork").Pool(2) as pool:
        parts = [pool.apply_async(read_forked, (order,)) for _ in range(4)]
        assert equal(read_forked(order), wanted)
        assert all(equal(part.get(60), wanted) for part in parts)
    assert equal(read_forked(order), wanted)


# ---------------------------------------------------------------------------------------------------- veery.batches


def test_batches_hold_every_clip_once_and_are_padded(variant):
    path, clips = variant
    found = {}
    for (features, lengths), labels in batches(path, size=3, seed=5, lengths=True, padding=-7):
        assert features.dtype == np.float32 and features.shape == (len(labels), lengths.max(), 80)
        for clip, length, label in zip(features, lengths, labels):
            assert (clip[length:] == -7).all()
            found[int(length)] = clip[:length], label
    assert steps(path, 3) == 3
    for clip, label in zip(clips, package.open(path).label_index):  # all lengths differ
        assert np.array_equal(found[len(clip)][0], clip) and found[len(clip)][1] == label
    assert len(found) == len(clips)


def orders(*arguments, **options):
    """The lengths of the clips of each epoch; every clip has another."""
    epochs = options.pop("take", 1)
    batch = itertools.islice(batches(*arguments, size=7, lengths=True, **options), epochs)
    return [[int(length) for length in lengths] for (_, lengths), _ in batch]


def test_the_order_is_that_of_the_seed(features):
    in_file = [len(clip) for clip in expected(features)]
    assert orders(features, epochs=2, take=3) == [in_file, in_file]
    first = orders(features, seed=1, epochs=None, take=5)
    assert first == orders(features, seed=1, epochs=None, take=5) != orders(features, seed=2, epochs=None, take=5)
    assert all(sorted(order) == sorted(in_file) for order in first) and len(set(map(tuple, first))) == 5


def test_batches_of_a_split_without_lengths(features, unnormalized):
    for path, raw in [(features, True), (unnormalized, False)]:
        [(values, labels)] = batches(path, split="val", raw=raw)
        assert list(labels) == [1, 0]  # dog, cat: as in the whole file
        assert np.max(np.abs(values[0, :54] - expected(unnormalized)[2])) <= 1e-5 and not values[0, 54:].any()
    assert steps(features, 1, split="val") == 2 and steps(features, 2, split="val") == 1


def test_batches_of_a_given_number_of_frames(features):
    clips = expected(features)
    [((values, lengths), _)] = batches(features, frames=50, lengths=True, padding=9)
    assert values.shape == (7, 50, 80) and list(lengths) == [min(len(clip), 50) for clip in clips]
    for value, length, clip in zip(values, lengths, clips):
        assert np.array_equal(value[:length], clip[:50]) and (value[length:] == 9).all()


def test_mistakes_are_reported_at_once(features):
    with pytest.raises(ValueError, match="no split 'dev'"):
        batches(features, split="dev")
    with pytest.raises(ValueError, match="no clip to make batches of"):
        batches(features, split="test", label="dog")
    with pytest.raises(ValueError, match="size: expected at least 1, found 0"):
        batches(features, size=0)
    with pytest.raises(ValueError, match="frames: expected at least 1"):
        batches(features, frames=0)


# ------------------------------------------------------------------------------------------------------- examples


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc, so private memory is not known")
@pytest.mark.parametrize("compression", ["none", "deflate"])
def test_memory_does_not_grow_from_epoch_to_epoch(features, tmp_path, compression):
    file = package.open(rewrite(features, tmp_path / "f.h5", "packed", "f4", compression))
    many = file[np.tile(file.indices, 300)]  # 2,100 clips
    results = compare_layouts.one_process({"packed": compare_layouts.Packed(many)}, 10)["packed"]
    private = [weight[1] for _, weight in results]
    # Ten epochs of reading without letting go would be 2 GB.
    assert len(private) == 10 and max(private[1:]) - private[1] <= 2, private


def run(script, *arguments, status=0):
    result = subprocess.run(
        [sys.executable, EXAMPLES / script, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert result.returncode == status, result.stdout + result.stderr
    return result


@pytest.mark.long
@pytest.mark.promised
def test_compare_layouts_prints_a_table(features, tmp_path):
    text = run("compare_layouts.py", features, "--epochs", 2, "--batch", 2).stdout
    assert "7 clips, 47 frames on average, 80 bins" in text
    for name in ["one process", "packed, mapped", "packed, h5py", "dataset per clip"]:
        assert f"\n{name}" in text
    two = text.split("two workers")[1]
    if importlib.util.find_spec("torch"):
        assert "dataset per clip" in two
    else:
        assert two.strip() == ": not measured, torch cannot be imported"
    compressed = rewrite(features, tmp_path / "f.h5", "packed", "f4", "deflate")
    text = run("compare_layouts.py", compressed, "--epochs", 1).stdout
    assert "mapped" not in text and "\npacked, veery" in text


def test_the_file_it_is_compared_with_holds_the_same(features, tmp_path):
    file = package.open(features)
    single = compare_layouts.DatasetPerClip.write(compare_layouts.Packed(file), tmp_path / "clips.h5")
    for reader in (single, compare_layouts.ThroughHDF5(file)):
        assert equal([pickle.loads(pickle.dumps(reader)).read(clip) for clip in range(7)], expected(features))


def test_the_scripts_say_what_is_wrong_in_one_line(veery, features, tmp_path):
    (tmp_path / "text.h5").write_text("no HDF5")
    (tmp_path / "noise.wav").write_text("noise")
    scripts = ["batches.py", "compare_layouts.py"] + ["torch_dataset.py"] * bool(importlib.util.find_spec("torch"))
    veery(  # a file without clips is a feature file too
        "extract", write_manifest(tmp_path / "m.csv", [{"path": "noise.wav"}]), "-o", tmp_path / "empty.h5", "--set",
        "normalize.scope=none", status=3)
    for script in scripts:
        mistakes = [("missing.h5", "o such file"), ("text.h5", "not HDF5"), ("empty.h5", "empty.h5: no clip to ")]
        for wrong, text in mistakes:
            error = run(script, tmp_path / wrong, status=1).stderr
            assert error.startswith(f"{script}: ") and text in error and error.count("\n") == 1, error
    write_wav(tmp_path / "tone.wav", 16000, tone(16000, 1, [440]))
    veery("extract", write_manifest(tmp_path / "m.csv", [{"path": "tone.wav", "label": "a"}]), "-o", tmp_path / "plain.h5")
    error = run("classify.py", tmp_path / "plain.h5", status=1).stderr
    assert re.fullmatch(r"classify.py: .*plain.h5: its clips need the splits train and test: 'veery split' .*\n", error), error
    assert "no split 'dev'" in run("batches.py", features, "--split", "dev", status=1).stderr


def test_batches_of_a_file_are_shown(features):
    text = run("batches.py", features, "--split", "train", "--batch", 3).stdout
    assert text.splitlines()[-1] == "an epoch: 4 clips in 2 batches"
    assert "batch 1: features (1, " in text


def test_h5py_and_numpy_are_all_that_is_needed(features):
    code = f"import sys; sys.path.insert(0, {str(EXAMPLES)!r}); import veery, batches, compare_layouts; " \
        f"next(veery.batches({str(features)!r})); veery.open({str(features)!r})._repr_html_(); " \
        "print({'torch', 'tensorflow', 'keras', 'pandas', 'xarray', 'matplotlib', 'veery.plan'} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout == "set()\n", result.stderr
