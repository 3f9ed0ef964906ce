"""`veery export`, read by the programs that the formats are for: NumPy, safetensors, kaldiio, kaldi_native_io, webdataset, lhotse,
zarr, xarray with kerchunk. Every value has to be that of the feature file, to the bit."""

import importlib.util
import json
import itertools
import multiprocessing
import os
import pathlib
import shutil
import subprocess
import warnings
from urllib.parse import unquote

import h5py
import kaldi_native_io
import kaldiio
import lhotse
import lhotse.dataset
import lhotse.qa
import numpy as np
import pandas
import pytest
import safetensors
import safetensors.numpy
import safetensors.torch
import torch
import webdataset
import xarray
import zarr

import veery.lhotse

HERE = pathlib.Path(__file__).resolve().parent
RATE = 16_000
VARIANTS = list(itertools.product(["packed", "fixed"], ["float32", "float16"], ["none", "deflate"]))
FORMATS = ["npy", "safetensors", "kaldi", "webdataset", "lhotse", "zarr"]


def recordings():
    """The helpers of Tests/Python: not a `recordings.py` of this folder."""
    spec = importlib.util.spec_from_file_location("recordings_for_tests", HERE.parent / "Python" / "recordings.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(*arguments, folder=None):
    program = os.environ.get("VEERY") or shutil.which("veery")
    assert program, "set the environment variable VEERY to the path of the program, or install the wheel"
    result = subprocess.run([program, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr


def clips_of(path):
    with h5py.File(path) as file:
        features = file["features"][:]
        rows = features.reshape(-1, features.shape[-1])
        return {name: rows[start:start + count] for name, start, count in zip(
            file["clips/id"].asstr()[:], file["clips/frame_start"][:], file["clips/frame_count"][:])}


def equal(a, b):
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder, make = tmp_path_factory.mktemp("export"), recordings()
    names = ["a.b c/d", "a.c", "ü%20\u3000x", "Z", "plain", "n" * 180, "line\nbreak", "日本.語"]
    rows = []
    for index, name in enumerate(names):
        make.write_wav(folder / f"{index}.wav", RATE, make.noise(index + 1, int((0.2 + 0.137 * index) * RATE)))
        rows.append({"path": f"{index}.wav", "id": name, "label": ["owl", "", "wren x"][index % 3],
                     "labels": ["wren|owl", "", "owl"][index % 3], "split": ["train", "test"][index % 2],
                     "speaker": f"s {index % 3}", "text": f"word {index}"})
    make.write_manifest(folder / "clips.csv", rows)
    return folder


@pytest.fixture(scope="module", params=VARIANTS, ids="-".join)
def source(request, folder):
    """A feature file, and its exports in the same folder."""
    layout, element, compression = request.param
    path = folder / f"{'-'.join(request.param)}.h5"
    options = ["--set", "audio.duration=0.9"] if layout == "fixed" else []
    run("extract", folder / "clips.csv", "-o", path, "-q", "--set", f"store.layout={layout}", "--set", f"store.type={element}",
        "--set", f"store.compression={compression}", *options)
    for form in FORMATS:
        run("export", path, "--to", form, "-o", path.with_suffix("." + form))
    return path


def test_numpy_and_pandas(source):
    export = source.with_suffix(".npy")
    features = np.load(export / "features.npy", mmap_mode="r")
    clips = pandas.read_json(export / "clips.jsonl", lines=True)
    rows = features.reshape(-1, features.shape[-1])
    for clip, (name, own) in zip(clips.itertuples(), clips_of(source).items(), strict=True):
        assert clip.id == name and equal(rows[clip.frame_start:clip.frame_start + clip.frame_count], own)


def test_safetensors(source):
    path = source.with_suffix(".safetensors") / "features.safetensors"
    own = clips_of(source)
    tensors = safetensors.numpy.load_file(path)
    whole = np.load(source.with_suffix(".npy") / "features.npy")
    assert equal(tensors["features"], whole)
    assert equal(safetensors.torch.load_file(path)["features"].numpy(), whole)
    with safetensors.safe_open(path, "pt") as file:
        part = file.get_slice("features")
        assert list(part.get_shape()) == list(whole.shape) and equal(part[1:3].numpy(), whole[1:3])
        assert file.metadata()["ids"].startswith("[")
    rows = whole.reshape(-1, whole.shape[-1])
    for start, count, expected in zip(tensors["frame_start"], tensors["frame_count"], own.values(), strict=True):
        assert equal(rows[start:start + count], expected)


def test_kaldi(source):
    export, own = source.with_suffix(".kaldi"), clips_of(source)
    expected = {name: rows.astype(np.float32) for name, rows in own.items()}
    found = kaldiio.load_scp(str(export / "feats.scp"))
    assert {unquote(name) for name in found} == set(expected)
    assert all(equal(found[name], expected[unquote(name)]) for name in found)
    assert {unquote(name) for name, _ in kaldiio.load_ark(str(export / "feats.ark"))} == set(expected)
    count = 0
    with kaldi_native_io.SequentialFloatMatrixReader(f"scp:{export}/feats.scp") as reader:
        for name, rows in reader:
            assert equal(np.asarray(rows), expected[unquote(name)])
            count += 1
    # The random access of Kaldi's programs relies on the order.
    with kaldi_native_io.RandomAccessFloatMatrixReader(f"scp,s,cs:{export}/feats.scp") as reader:
        for name in sorted(found, key=lambda name: name.encode()):
            assert equal(np.asarray(reader[name]), expected[unquote(name)])
    assert count == len(expected)


def test_webdataset(source):
    own = clips_of(source)
    [shard] = source.with_suffix(".webdataset").glob("*.tar")
    found = {}
    for sample in webdataset.WebDataset(str(shard), shardshuffle=False).decode():
        found[unquote(sample["__key__"])] = sample
        assert unquote(sample["__key__"]) == sample["json"]["id"]
        assert sample.get("cls", -1) == sample["json"]["label_index"]
    assert list(found) == list(own)
    assert all(equal(found[name]["npy"], rows) for name, rows in own.items())


def test_webdataset_in_shards(source, tmp_path):
    own = clips_of(source)
    run("export", source, "--to", "webdataset", "-o", tmp_path / "w", "--shard-size", "80kB")
    shards = sorted(map(str, (tmp_path / "w").glob("*.tar")))
    assert len(shards) > 1
    dataset = webdataset.WebDataset(shards, shardshuffle=False).decode().to_tuple("json", "npy")
    assert {about["id"]: rows.tobytes() for about, rows in dataset} == {name: rows.tobytes() for name, rows in own.items()}


def cuts_of(source):
    return lhotse.CutSet.from_file(source.with_suffix(".lhotse") / "cuts.jsonl.gz")


def test_lhotse(source):
    own, cuts = clips_of(source), cuts_of(source)
    lhotse.qa.validate(cuts.to_eager(), read_data=True)
    for cut, (name, rows) in zip(cuts, own.items(), strict=True):
        assert cut.id == name and equal(cut.load_features(), rows.astype(np.float32))
        assert cut.num_frames == len(rows) and cut.supervisions[0].speaker.startswith("s ")
        assert cut.supervisions[0].custom["labels"] == {0: ["owl", "wren"], 1: [], 2: ["owl"]}[list(own).index(name) % 3]


def test_parts_of_cuts_are_parts_of_clips(source):
    own = clips_of(source)
    for cut in cuts_of(source):
        rows = own[cut.id].astype(np.float32)
        part = cut.truncate(offset=0.03, duration=0.11)
        assert equal(part.load_features(), rows[3:14])
        # Past the end of a clip lies the next one, which is never read.
        assert equal(part.features.load(start=0.05, duration=99), rows[5:])
        assert len(part.features.load(start=cut.duration)) == 0
        windows = [window.load_features() for window in cut.cut_into_windows(0.1)]
        assert equal(np.concatenate(windows), rows)
        # Here, lhotse pads in double precision.
        padded = cut.pad(duration=2).load_features()
        assert np.array_equal(padded[:len(rows)], rows) and len(padded) == 200
        joined = cut.append(part).append(cut).pad(duration=3).load_features()[:2 * len(rows) + 11]
        assert np.array_equal(joined, np.concatenate([rows, rows[3:14], rows]))
        with pytest.raises(Exception, match="cannot be mixed where they overlap"):
            cut.mix(part, snr=10).load_features()


def test_the_dataset_of_k2(source):
    own = clips_of(source)
    dataset = lhotse.dataset.K2SpeechRecognitionDataset(return_cuts=True)
    sampler = lhotse.dataset.SimpleCutSampler(cuts_of(source), max_cuts=3, shuffle=False)
    with warnings.catch_warnings():
        # A tensor that cannot be written to would be shared with the file.
        warnings.simplefilter("error", UserWarning)
        batches = [dataset[cuts] for cuts in sampler]
    seen = 0
    for batch in batches:
        about = batch["supervisions"]
        for index, cut in enumerate(about["cut"]):
            sequence, frames = about["sequence_idx"][index], about["num_frames"][index]
            assert equal(batch["inputs"][sequence, :frames].numpy(), own[cut.id].astype(np.float32))
            assert about["text"][index].startswith("word")
            seen += 1
    assert seen == len(own)


def load(path):
    return [cut.load_features().tobytes() for cut in cuts_of(path)]


def test_workers_read_what_the_parent_has_open(source):
    """A forked process opens compressed files again: libhdf5 does not survive a fork."""
    expected = [rows.astype(np.float32).tobytes() for rows in clips_of(source).values()]
    assert load(source) == expected
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(load, [source] * 4) == [expected] * 4
    assert load(source) == expected


def test_a_feature_file_that_moved_or_changed(source, tmp_path):
    own = clips_of(source)
    moved = tmp_path / "moved.h5"
    shutil.copy(source, moved)
    cuts = veery.lhotse.with_features_file(cuts_of(source), moved)
    assert {cut.features.storage_path for cut in cuts} == {str(moved)}
    for cut in cuts:
        assert equal(cut.load_features(), own[cut.id].astype(np.float32))
    # The same clips in another file may lie elsewhere.
    run("extract", source.parent / "clips.csv", "-o", moved, "-q", "--overwrite", "--set", "store.layout=packed", "--set",
        "transform.bins=40")
    with pytest.raises(ValueError, match="has changed since its cuts were exported"):
        next(iter(cuts)).load_features()


SETS = {
    "packed": [], "each clip": ["--set", "normalize.scope=clip", "--set", "store.compression=deflate"],
    "fixed": ["--set", "store.layout=fixed", "--set", "audio.duration=0.9", "--set", "store.type=float16"],
    "fixed, compressed": ["--set", "store.layout=fixed", "--set", "audio.duration=0.9", "--set", "store.compression=deflate"],
    "stacked": ["--set", "patches.length=4", "--set", "patches.hop=4", "--set", "patches.stacked=true"],
}


@pytest.mark.parametrize("count", [1, 3, 11])
@pytest.mark.parametrize("kind", SETS)
def test_lhotse_reads_a_set(folder, tmp_path, kind, count):
    """By its index, in whatever order: as it reads one file with the same clips. Of eleven files, three have no clips."""
    found = []
    for output, options in [("one.h5", []), ("f.h5", ["--files", count])]:
        run("extract", folder / "clips.csv", "-o", tmp_path / output, "-q", *SETS[kind], *options)
        path = tmp_path / ("f.index.json" if options else output)
        run("export", path, "--to", "lhotse", "-o", tmp_path / output.replace(".h5", ""))
        cuts = lhotse.CutSet.from_file(tmp_path / output.replace(".h5", "") / "cuts.jsonl.gz").to_eager()
        lhotse.qa.validate(cuts, read_data=True)
        found.append(cuts)
    one, cuts = found
    assert {cut.features.storage_path for cut in cuts} == {str(tmp_path / "f.index.json")}
    assert [cut.id for cut in cuts] == [cut.id for cut in one] and len(one) == 8
    for own, other in sorted(zip(cuts, one), key=lambda pair: pair[0].id):
        rows = other.load_features()
        assert equal(own.load_features(), rows) and len(rows) > 1
        step = own.frame_shift
        part = own.truncate(offset=step, duration=2 * step) if len(rows) > 3 else own
        assert equal(part.load_features(), rows[1:3] if len(rows) > 3 else rows)
        assert len(own.features.load(start=own.duration)) == 0
    expected = [cut.load_features().tobytes() for cut in one]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(load_cuts, [cuts] * 3) == [expected] * 3
    # Moved together, and then one of them replaced.
    moved = tmp_path / "moved"
    moved.mkdir()
    for path in tmp_path.glob("f[-.]*"):
        if path.is_file():
            shutil.copy(path, moved)
    there = veery.lhotse.with_features_file(cuts, moved / "f.index.json")
    assert load_cuts(there) == expected
    files = json.loads((moved / "f.index.json").read_text())["files"]
    name = next(file["name"] for file in files if file["clips"])
    shutil.copy(moved / name, tmp_path / "other.h5")
    with h5py.File(tmp_path / "other.h5", "r+") as file:
        file.attrs["metadata_xxh3"] = "0" * 32
    os.replace(tmp_path / "other.h5", moved / name)
    with pytest.raises(ValueError, match="is not the one that .*f.index.json names"):
        load_cuts(there)
    run("extract", folder / "clips.csv", "-o", moved / "f.h5", "-q", *SETS[kind], "--files", count, "--overwrite", "--set",
        "transform.bins=40")
    with pytest.raises(ValueError, match="has changed since its cuts were exported"):
        load_cuts(there)


def load_cuts(cuts):
    return [cut.load_features().tobytes() for cut in cuts]


def test_files_that_were_read_are_closed_one_day(folder, tmp_path):
    """Each that is compressed has a descriptor."""
    run("extract", folder / "clips.csv", "-o", tmp_path / "f.h5", "-q", "--set", "store.compression=deflate")
    rows = clips_of(tmp_path / "f.h5")["Z"]
    with h5py.File(tmp_path / "f.h5") as file:
        index = list(file["clips/id"].asstr()).index("Z")
        key = f"{file['clips/frame_start'][index]},{len(rows)}"
    before = len(os.listdir("/proc/self/fd"))
    for copy in range(100):
        shutil.copy(tmp_path / "f.h5", tmp_path / f"{copy}.h5")
        assert equal(veery.lhotse.VeeryReader(tmp_path / f"{copy}.h5").read(key), rows)
    opened = len(os.listdir("/proc/self/fd")) - before
    # The columns of each are mapped, too.
    assert opened <= 4 * veery.lhotse._OpenFiles.maximum


@pytest.mark.parametrize("lengths", [(0.45, 0.35), (0.4, 0.4)], ids=["moved", "in place"])
def test_a_clip_that_changed_in_a_file_that_is_otherwise_the_same(tmp_path, lengths):
    """The manifest, the statistics and the number of rows stay the same, and with them `metadata_xxh3`."""
    make = recordings()

    def record(name, seed, seconds):
        make.write_wav(tmp_path / name, RATE, make.noise(seed, round(seconds * RATE)))

    for index, seconds in enumerate([0.4, 0.4, 0.5]):
        record(f"{index}.wav", index, seconds)
    make.write_manifest(
        tmp_path / "m.csv", [{"path": f"{index}.wav", "split": "train" if index == 2 else "test"} for index in range(3)])
    features = tmp_path / "f.h5"

    def extract():
        run("extract", tmp_path / "m.csv", "-o", features, "-q", "--overwrite", "--set", "normalize.fit=train")
        with h5py.File(features) as file:
            return file.attrs["metadata_xxh3"]

    before = extract()
    run("export", features, "--to", "lhotse", "-o", tmp_path / "cuts", "-q")
    cuts = lhotse.CutSet.from_file(tmp_path / "cuts/cuts.jsonl.gz").to_eager()
    own = clips_of(features)
    assert all(equal(cut.load_features(), own[cut.id].astype(np.float32)) for cut in cuts)
    for index, seconds in enumerate(lengths):
        record(f"{index}.wav", 10 + index, seconds)
    assert extract() == before
    for name in ("0", "1"):
        with pytest.raises(ValueError, match="has changed since its cuts were exported"):
            cuts[name].load_features()
    assert equal(cuts["2"].load_features(), own["2"].astype(np.float32))


def test_zarr_and_xarray(source, tmp_path, monkeypatch):
    reference = str(source.with_suffix(".zarr") / "features.json")
    with h5py.File(source) as file:
        features, ids = file["features"][:], list(file["clips/id"].asstr()[:])
        starts, labels = file["clips/frame_start"][:], file["clips/label_matrix"][:]
    # From any folder.
    monkeypatch.chdir(tmp_path)
    with xarray.open_dataset(reference, engine="kerchunk") as dataset:
        assert equal(dataset.features.values, features) and equal(dataset.frame_start.values, starts)
        assert list(dataset.id.values) == ids and dataset.features.attrs["units"].startswith("zscore")
        assert equal(dataset.label_matrix.values, labels)
        assert "frequency" in dataset.coords and dataset.features.dims[-1] == "frequency"
        train = dataset.isel(clip=np.flatnonzero(dataset.split.values == "train"))
        assert list(train.id.values) == ids[::2]
        assert set(dataset.text.values) == {f"word {index}" for index in range(len(ids))}
    group = zarr.open_group("reference://", storage_options={"fo": reference}, mode="r", zarr_format=2)
    assert equal(group["features"][:], features) and equal(group["features"][1:3], features[1:3])


@pytest.mark.parametrize("element", ["float32", "float16"])
def test_a_reference_of_several_chunks_with_a_short_last_one(folder, tmp_path, element):
    make = recordings()
    make.write_wav(tmp_path / "a.wav", RATE, make.noise(1, 30 * RATE))
    make.write_manifest(tmp_path / "m.csv", [{"path": "a.wav", "id": str(index)} for index in range(9)])
    for layout, options in (("packed", []), ("fixed", ["--set", "audio.duration=7"])):
        path = tmp_path / f"{layout}.h5"
        run("extract", tmp_path / "m.csv", "-o", path, "-q", "--set", f"store.layout={layout}", "--set", f"store.type={element}",
            *options)
        run("export", path, "--to", "zarr", "-o", tmp_path / layout)
        with h5py.File(path) as file:
            expected = file["features"][:]
        group = zarr.open_group(
            "reference://", storage_options={"fo": str(tmp_path / layout / "features.json")}, mode="r", zarr_format=2)
        assert group["features"].chunks[0] < len(expected)
        assert equal(group["features"][:], expected) and equal(group["features"][-1:], expected[-1:])


@pytest.mark.parametrize("preset", ["musical-spectrum", "kaldi-mfcc", "librosa-log-mel", "htk-mfcc", "whisper", "live-waveform"])
def test_cuts_of_every_frame_shift_are_valid(tmp_path, preset):
    make = recordings()
    make.write_wav(tmp_path / "a.wav", RATE, make.noise(1, 3 * RATE + 77))
    make.write_wav(tmp_path / "b.wav", RATE, make.noise(1, 4 * RATE + 1234))
    make.write_manifest(tmp_path / "m.csv", [{"path": "a.wav"}, {"path": "b.wav"}])
    run("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "-q", "--preset", preset)
    run("export", tmp_path / "f.h5", "--to", "lhotse", "-o", tmp_path / "f.lhotse")
    cuts = cuts_of(tmp_path / "f.h5")
    lhotse.qa.validate(cuts.to_eager(), read_data=True)
    for cut, rows in zip(cuts, clips_of(tmp_path / "f.h5").values(), strict=True):
        assert equal(cut.load_features(), rows)


def test_an_empty_export(tmp_path):
    (tmp_path / "text.wav").write_text("no sound")
    recordings().write_manifest(tmp_path / "m.csv", [{"path": "text.wav"}])
    run("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "-q", "--max-failures", "1")
    for form in FORMATS:
        run("export", tmp_path / "f.h5", "--to", form, "-o", tmp_path / form)
    assert safetensors.numpy.load_file(tmp_path / "safetensors/features.safetensors")["features"].shape == (0, 80)
    assert kaldiio.load_scp(str(tmp_path / "kaldi/feats.scp")) == {}
    assert lhotse.CutSet.from_file(tmp_path / "lhotse/cuts.jsonl.gz") is None
    with xarray.open_dataset(str(tmp_path / "zarr/features.json"), engine="kerchunk") as dataset:
        assert dataset.features.shape == (0, 80)
    assert torch.from_numpy(np.load(tmp_path / "npy/features.npy")).shape == (0, 80)
