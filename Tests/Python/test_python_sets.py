"""The package opens a set of feature files by its index, and says of it what it says of one file with the same clips."""

import copy
import json
import multiprocessing
import pickle
import shutil
import subprocess

import numpy as np
import pytest
import veery
from recordings import noise, write_manifest, write_wav
from veery._set import MAXIMUM_OPEN, Members

CLIPS = 60
SETTINGS = {
    "packed": [],
    "not normalised": ["normalize.scope=none", "store.type=float16"],
    "each clip": ["normalize.scope=clip", "store.compression=deflate"],
    "fixed": ["store.layout=fixed", "audio.duration=1", "normalize.scope=clip"],
    "fixed, compressed": ["store.layout=fixed", "audio.duration=1", "store.compression=deflate", "store.type=float16"],
    "patches": ["patches.length=24", "patches.hop=12"],
    "stacked patches": ["patches.length=8", "patches.stacked=true", "store.compression=deflate"],
    "channels": ["audio.channels=all"],
    "channels, fixed": ["audio.channels=all", "store.layout=fixed", "audio.duration=1"],
}
# Every setting with three files; other numbers for one.
CASES = [*((name, 3) for name in SETTINGS), ("packed", 1),
         *(pytest.param(name, count, marks=pytest.mark.long) for name in SETTINGS for count in (7, 100))]


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings")
    rows = []
    for number in range(CLIPS):
        if number % 19 == 4:
            (folder / f"r{number}.wav").write_bytes(b"no recording")
        else:
            samples = 0.1 * noise(number, 2 * (7_000 + 700 * (number % 11))).reshape(-1, 2)
            write_wav(folder / f"r{number}.wav", 16000, samples)
        rows.append({
            "path": f"r{number}.wav", "id": f"clip {number}", "label": f"l{number % 3}", "speaker": f"s{number % 4}",
            "split": ("train", "test")[number % 5 == 0], "labels": "a;b" if number % 2 else ""})
    write_manifest(folder / "m.csv", rows)
    (folder / "a.csv").write_text(
        "path,start,end,label\n" + "".join(f"r{number}.wav,0.1,0.3,x\n" for number in range(0, CLIPS, 2)))
    return folder


@pytest.fixture(scope="module")
def made(recordings, veery_program, tmp_path_factory):
    """The one file and the set of a configuration, made when they are first needed."""
    folder = tmp_path_factory.mktemp("made")

    def make(name, count):
        stem = f"{list(SETTINGS).index(name)}"
        options = [part for setting in SETTINGS[name] for part in ("--set", setting)]
        options += ["--frame-labels", recordings / "a.csv", "--max-failures", "100%", "-q"]
        for output, own in [(f"{stem}.h5", []), (f"{stem} {count}.h5", ["--files", count])]:
            if not (folder / output).exists() and not (folder / f"{stem} {count}.index.json").exists():
                veery_program("extract", recordings / "m.csv", "-o", folder / output, *options, *own)
        return folder / f"{stem}.h5", folder / f"{stem} {count}.index.json"

    return make


@pytest.fixture(scope="module")
def veery_program(program):
    def run(*arguments):
        result = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
        assert result.returncode == 0, result.stderr

    return run


def same(one, other):
    if isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype
    else:
        assert one == other


def compare(one, other):
    """A file or a selection of it, and the same of a set."""
    assert len(one) == len(other) and (one.ids == other.ids).all()
    for name in ("labels", "splits", "bins", "row_shape", "dtype", "units", "long_name", "frame_period", "first_frame_time",
                 "label_index", "lengths", "label_matrix", "indices", "frame_label_names", "frequency", "coefficient"):
        same(getattr(one, name), getattr(other, name))
    for name in ("path", "start", "duration", "sample_rate", "channels", "speaker", "audio_xxh3", "tensor_xxh3", "frame_start"):
        same(one.column(name), other.column(name))
    for own, its in zip(one, other):
        assert (own.id, own.label, own.labels, own.split, own.extra, own.index) == (
            its.id, its.label, its.labels, its.split, its.extra, its.index)
        same(own.features, its.features)
        same(own.raw().features, its.raw().features)
        same(own.frame_labels, its.frame_labels)
        assert not its.features.flags.writeable
        if own.statistics is None:
            assert its.statistics is None
        else:
            for name in ("mean", "std", "min", "max", "count"):
                same(getattr(own.statistics, name), getattr(its.statistics, name))


@pytest.mark.parametrize("name, count", CASES)
def test_a_set_is_read_as_one_file(made, name, count):
    one, index = made(name, count)
    with veery.open(one) as file, veery.open(index) as set_:
        compare(file, set_)
        compare(file.select(split="train", label="l1"), set_.select(split="train", label="l1"))
        compare(file[[50, 3, 20]], set_[[50, 3, 20]])
        compare(file.select(speaker="s2").raw(), set_.select(speaker="s2").raw())
        assert set_["clip 50"].index == file["clip 50"].index and "clip 50" in set_ and "clip 500" not in set_
        for name_ in ("layout", "is_mapped", "format_version", "generator", "software", "manifest_sha256", "corrections_sha256", "failures"):
            assert getattr(file, name_) == getattr(set_, name_), name_
        for name_ in ("mean", "std", "min", "max", "count", "fit", "source"):
            same(getattr(file.statistics, name_), getattr(set_.statistics, name_))
        assert file._core.header.metadata_xxh3 == set_._core.header.metadata_xxh3
        for own, its in zip(file.batches(7, seed=3), set_.batches(7, seed=3)):
            same(own[0], its[0])
            same(own[1], its[1])
        assert repr(set_).replace(index.name, one.name) == repr(file)


@pytest.mark.parametrize("name", ["packed", "fixed", "patches"])
def test_conversions_of_a_set_equal_those_of_one_file(made, name):
    one, index = made(name, 3)
    with veery.open(one) as file, veery.open(index) as set_:
        assert file.to_pandas().equals(set_.to_pandas())
        own, its = file.to_xarray(), set_.to_xarray()
        assert its.attrs.pop("source") == str(index) and own.attrs.pop("source") == str(one)
        assert own.identical(its.load())


def test_other_processes_open_it_for_themselves(made):
    one, index = made("packed", 3)
    file, set_ = veery.open(one), veery.open(index)
    for copied in (pickle.loads(pickle.dumps(set_)), copy.deepcopy(set_), pickle.loads(pickle.dumps(set_[40:]))):
        same(copied[-1].features, file[-1].features)
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            for clip, features in zip(file, pool.map(features_of, [(set_, number) for number in range(len(set_))])):
                same(clip.features, features)


def features_of(argument):
    clips, number = argument
    return np.array(clips[number].features)


def test_torch(made):
    torch = pytest.importorskip("torch")
    from veery.torch import Dataset, collate

    one, index = made("packed", 7)
    loaders = [
        torch.utils.data.DataLoader(Dataset(veery.open(path)), batch_size=8, num_workers=2, collate_fn=collate)
        for path in (one, index)]
    for own, its in zip(*loaders):
        for part, other in zip(own, its):
            assert torch.equal(part, other)


def test_few_files_are_mapped_at_a_time(made, monkeypatch):
    one, index = made("packed", 12)
    monkeypatch.setattr("veery._set.MAXIMUM_OPEN", 3)
    file, set_ = veery.open(one), veery.open(index)
    kept = set_[0].features
    order = np.random.default_rng(1).permutation(len(file))
    for number in order:
        same(file[int(number)].features, set_[int(number)].features)
        open_ = [core for core in set_._core._members._cores.values() if core.tensor._rows is not None]
        assert len(open_) <= 3
    same(kept, file[0].features)
    assert MAXIMUM_OPEN < 100


@pytest.fixture
def spoiled(made, tmp_path):
    _, index = made("packed", 3)
    for path in index.parent.glob("0 3-*.h5"):
        shutil.copy(path, tmp_path)
    shutil.copy(index, tmp_path)
    return tmp_path / index.name


def change(index, function):
    found = json.loads(index.read_text())
    function(found)
    index.write_text(json.dumps(found))


def test_a_file_that_is_missing(spoiled):
    lost = spoiled.parent / "0 3-00002-of-00003.h5"
    lost.unlink()
    with pytest.raises(FileNotFoundError) as error:
        veery.open(spoiled)
    assert str(lost) in str(error.value) and f"{spoiled} names it as one of its set" in str(error.value)


def test_files_that_have_changed(spoiled, made):
    path = spoiled.parent / "0 3-00002-of-00003.h5"
    data = path.read_bytes()
    path.write_bytes(data + b"x")
    with pytest.raises(veery.FeatureFileError, match=f"00002-of-00003.h5: the file is not the one that .* it has {len(data) + 1:,} bytes"):
        veery.open(spoiled)
    # Another file of the same size shows when it is opened.
    path.write_bytes(data)
    change(spoiled, lambda index: index["files"][1].update(metadata_xxh3="0" * 32))
    set_ = veery.open(spoiled)
    with pytest.raises(veery.FeatureFileError, match="00002-of-00003.h5.*metadata_xxh3 is"):
        set_.ids


@pytest.mark.parametrize("key, value", [("clips", 1), ("rows", 1), ("failures", 1)])
def test_files_with_other_counts(spoiled, key, value):
    def shift(index):
        index["files"][1][key] += value
        index[key] += value

    change(spoiled, shift)
    with pytest.raises(veery.FeatureFileError, match=f"00002-of-00003.h5.*{key} is"):
        veery.open(spoiled).ids


def test_files_of_different_sets(spoiled, made):
    _, other = made("not normalised", 3)
    name = "1 3-00002-of-00003.h5"
    shutil.copy(other.parent / name, spoiled.parent)
    theirs = json.loads(other.read_text())["files"][1]

    def swap(index):
        own = index["files"][1]
        for key in ("clips", "rows", "failures"):
            index[key] += theirs[key] - own[key]
        index["files"][1] = theirs

    change(spoiled, swap)
    with pytest.raises(veery.FeatureFileError, match=f"{name}.*it differs from .* in the type"):
        veery.open(spoiled).ids


def test_a_set_that_is_replaced(spoiled):
    set_ = veery.open(spoiled)
    dumped = pickle.dumps(set_)
    path = spoiled.parent / "0 3-00003-of-00003.h5"
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data)
    with pytest.raises(veery.FeatureFileError, match="replaced"):
        pickle.loads(dumped)
    with pytest.raises(veery.FeatureFileError, match="replaced"):
        set_[-1].features


@pytest.mark.parametrize("text, words", [
    ("{", "not JSON"), ("{}", "another JSON file"), ('{"format": "veery-feature-set", "format_version": "2.0"}', "format_version 2.0"),
    ('{"format": "veery-feature-set", "format_version": "1.0", "files": []}', "no files"),
    ('{"format": "veery-feature-set", "format_version": "1.0", "files": [1]}', "another value than expected of file 0"),
])
def test_what_is_not_an_index(tmp_path, text, words):
    (tmp_path / "x.index.json").write_text(text)
    with pytest.raises(veery.FeatureFileError, match=words):
        veery.open(tmp_path / "x.index.json")


@pytest.mark.parametrize("change_, words", [
    (lambda index: index["files"][0].update(name="../x.h5"), "not that of a file beside the index"),
    (lambda index: index["files"][0].update(name=".."), "not that of a file beside the index"),
    (lambda index: index["files"][0].update(name=index["files"][1]["name"]), "a file twice"),
    (lambda index: index["files"][0].update(clips=-1), "impossible counts"),
    (lambda index: index["files"][0].update(clips="3"), "clips = '3'"),
    (lambda index: index["files"][0].pop("bytes"), "bytes = None"),
    (lambda index: index.update(clips=1), "totals"),
    (lambda index: index.pop("metadata_xxh3"), "metadata_xxh3 = None"),
])
def test_an_index_that_contradicts_itself(spoiled, change_, words):
    change(spoiled, change_)
    with pytest.raises(veery.FeatureFileError, match=words):
        veery.open(spoiled)


def test_extract_makes_one(recordings, tmp_path):
    report = veery.extract(recordings / "m.csv", tmp_path / "f.h5", files=4, max_failures="100%")
    assert report["output"] == str(tmp_path / "f.index.json")
    with veery.open(report["output"]) as set_:
        assert len(set_) == report["clips"] and len(set_.failures) == report["failures"]
    with pytest.raises(veery.ClipsFailedError, match="g.index.json is written, but"):
        veery.extract(recordings / "m.csv", tmp_path / "g.h5", files=2)
    for number in (1, 2):
        veery.extract(recordings / "m.csv", tmp_path / "h.h5", shard=f"{number}/2")
    reports = [veery.extract(recordings / "m.csv", tmp_path / "h.h5", file=f"{number}/3") for number in (1, 2, 3)]
    assert [report.get("index") for report in reports] == [None, None, str(tmp_path / "h.index.json")]
    summary = veery.inspect(tmp_path / "h.index.json")
    assert summary["clips"] == len(veery.open(tmp_path / "h.index.json"))


def test_members_are_looked_for_once(made, monkeypatch):
    """Opening a set opens one file: the others are looked at, and opened when they are needed."""
    _, index = made("packed", 7)
    set_ = veery.open(index)
    assert sorted(set_._core._members._cores) == [0]
    assert isinstance(set_._core._members, Members)
