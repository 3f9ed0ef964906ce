"""Reading feature files into other libraries: PyTorch, Keras, pandas, xarray, Hugging Face datasets, matplotlib; types.

The installed package is tested; without one, that of the sources, with the environment variable VEERY.
"""

import itertools
import os
import pickle
import shutil
import subprocess
import sys
import wave
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Sources/Python"))
os.environ.setdefault("KERAS_BACKEND", "torch")

import veery

CLIPS = [  # label, split, samples
    ("dog", "train", 16000), ("cat", "train", 4000), ("dog", "val", 9000), ("", "train", 5200), ("鳥", "test", 400),
    ("cat", "val", 12345), ("dog", "train", 8000)]
LABELS = [1, 0, 1, -1, 2, 0, 1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reading")
    for number, (_, _, samples) in enumerate(CLIPS):
        sound = np.random.default_rng(number).uniform(-0.3, 0.3, samples)
        sound += 0.3 * np.sin(np.arange(samples) * (number + 1) / 20)
        with wave.open(str(folder / f"{number}.wav"), "wb") as file:
            file.setparams((1, 2, 16000, samples, "NONE", ""))
            file.writeframes(np.round(sound * 32767).astype("<i2").tobytes())
    return folder


@pytest.fixture(scope="module")
def rows():
    return [
        {"path": f"{number}.wav", "id": f"clip/{number}é", "label": label, "split": split, "speaker": f"s{number % 2}"}
        for number, (label, split, _) in enumerate(CLIPS)]


def extract(folder, rows, name, **settings):
    settings = {key.replace("__", "."): value for key, value in settings.items()}
    veery.extract(rows, folder / name, root=folder, settings=settings, overwrite=True)
    return veery.open(folder / name)


@pytest.fixture(scope="module")
def file(folder, rows):
    return extract(folder, rows, "f.h5")


VARIANTS = itertools.product(["packed", "fixed"], ["float32", "float16"], ["none", "deflate"])


@pytest.fixture(scope="module", params=list(VARIANTS), ids=" ".join)
def variant(request, folder, rows):
    layout, dtype, compression = request.param
    settings = {"store.layout": layout, "store.type": dtype, "store.compression": compression}
    settings.update({"audio.duration": 1} if layout == "fixed" else {})
    return extract(folder, rows, f"{layout}-{dtype}-{compression}.h5", **settings)


def singles(clips):
    return [clip.features.astype(np.float32) for clip in clips]


def equal(found, wanted):
    return len(found) == len(wanted) and all(np.array_equal(one, other) for one, other in zip(found, wanted))


# ---------------------------------------------------------------------------------------------------------- PyTorch


@pytest.mark.filterwarnings("error:.*not writable")
def test_the_dataset_gives_tensors_and_label_indices(variant):
    import torch
    from veery.torch import Dataset
    clips = singles(variant)
    dataset = Dataset(variant.path)
    assert len(dataset) == 7 and dataset.bins == 80 and dataset.labels == ["cat", "dog", "鳥"]
    assert all(clip.dtype == torch.float32 for clip, _ in dataset)
    assert equal([clip.numpy() for clip, _ in dataset], clips)
    assert [label for _, label in dataset] == LABELS
    part = pickle.loads(pickle.dumps(Dataset(variant.path, split="train", label=["dog", "cat"])))
    assert equal([clip.numpy() for clip, _ in part], [clips[clip] for clip in (0, 1, 6)])
    assert len(pickle.dumps(part)) < 800  # a path and three indices: workers read the labels from the file
    assert list(part.ids) == ["clip/0é", "clip/1é", "clip/6é"] and list(part.lengths) == [98, 23, 48]
    dataset[0][0][:] = 0  # a copy: what is done to it does not reach the file
    assert np.array_equal(dataset[0][0], clips[0])


def test_the_dataset_undoes_the_normalisation(file, folder, rows):
    from veery.torch import Dataset
    wanted = extract(folder, rows, "raw.h5", normalize__scope="none")
    for given in (Dataset(file, raw=True), Dataset(file.raw())):
        for (found, _), clip in zip(given, wanted):
            assert np.max(np.abs(found.numpy() - clip.features)) <= 1e-5


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork")
@pytest.mark.filterwarnings("ignore:.*use of fork.. may lead to deadlocks")
@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("compression", ["none", "deflate"])
def test_workers_read_the_same_as_one_process(folder, rows, method, compression):
    from torch.utils.data import DataLoader
    from veery.torch import Dataset, collate
    dataset = Dataset(extract(folder, rows, f"{compression}.h5", store__compression=compression))
    clips = singles(dataset.clips)
    dataset[0]  # open here before the workers start
    loader = DataLoader(
        dataset, 3, num_workers=2, collate_fn=collate, multiprocessing_context=method, persistent_workers=True)
    for _ in range(2):
        number = 0
        for values, lengths, labels in loader:
            assert values.shape == (len(labels), max(lengths), 80)
            for value, length, label in zip(values, lengths, labels):
                assert np.array_equal(value[:length], clips[number]) and not value[length:].any()
                assert label == LABELS[number]
                number += 1
        assert number == 7


def test_collate_pads_with_the_given_value():
    import torch
    from veery.torch import collate
    values, lengths, labels = collate([(torch.ones(2, 3), 5), (torch.ones(4, 3), -1)], padding=-2.0)
    assert values.shape == (2, 4, 3) and (values[0, 2:] == -2).all() and values.sum() == 6 - 12 + 12
    assert lengths.tolist() == [2, 4] and labels.tolist() == [5, -1]


def test_all_labels_and_labels_of_frames(folder, file):
    import torch
    from veery.torch import Dataset, collate
    (folder / "0.txt").write_text("0.2\t0.5\tsong\n")  # Audacity
    rows = [{"path": "0.wav", "labels": ["a", "b"]}, {"path": "1.wav", "labels": ["c"]}]
    veery.extract(rows, folder / "labels.h5", root=folder, frame_labels=folder / "0.txt")
    both = veery.open(folder / "labels.h5")
    _, _, labels = collate(list(Dataset(both, all_labels=True)))
    assert labels.dtype == torch.float32 and labels.tolist() == [[1, 1, 0], [0, 0, 1]]
    _, lengths, labels = collate(list(Dataset(both, frame_labels=True)))
    assert labels.shape == (2, 98) and labels.dtype == torch.int64 and lengths.tolist() == [98, 23]
    assert labels[0].tolist() == both[0].frame_labels.tolist() and set(labels[0].tolist()) == {-1, 0}
    assert (labels[1] == -1).all()
    assert both.to_hf()[0]["labels"] == [0, 1] and len(both.to_hf()[0]["frame_labels"]) == 98
    assert list(both.to_pandas()["labels"]) == [["a", "b"], ["c"]] and list(both[[1]].to_pandas()["labels"]) == [["c"]]
    assert both.to_xarray().label_matrix.sel(label_name="c").values.tolist() == [0, 1]
    with pytest.raises(ValueError, match="give either all_labels or frame_labels"):
        Dataset(both, all_labels=True, frame_labels=True)
    with pytest.raises(ValueError, match="frames have no labels"):
        Dataset(file, frame_labels=True)


@pytest.mark.parametrize("compression", ["none", "deflate"])
def test_files_that_are_cut_off_or_replaced_are_feature_file_errors(folder, rows, compression, tmp_path):
    import veery.lhotse
    from veery.torch import Dataset
    path = tmp_path / "f.h5"
    whole = Path(extract(folder, rows, f"{compression}.h5", store__compression=compression).path).read_bytes()
    for length in (0, 100, 5000, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        for read in (lambda: list(Dataset(path)), lambda: veery.open(path).to_xarray().load(), lambda: veery.open(path).to_hf(),
                     lambda: veery.lhotse.VeeryReader(path).read("0,3")):
            with pytest.raises(veery.FeatureFileError, match="f.h5"):
                read()
    path.write_bytes(whole)
    dataset, reader = Dataset(path), veery.lhotse.VeeryReader(path)
    for key in ("", "3", "a,b", None):
        with pytest.raises(ValueError, match="f.h5: storage_key: expected 'row,count' or more"):
            reader.read(key)
    dataset[0], reader.read("0,3")
    os.truncate(path, len(whole) // 2)
    for read in (lambda: list(dataset), lambda: reader.read("0,3")):
        with pytest.raises(veery.FeatureFileError, match="f.h5"):
            read()
    # As a worker that is spawned after the file was replaced.
    path.write_bytes(whole)
    packed = pickle.dumps(Dataset(path))
    os.replace(shutil.copy2(path, tmp_path / "copy.h5"), path)
    with pytest.raises(veery.FeatureFileError, match="replaced after it was opened"):
        pickle.loads(packed)


END = """
import ctypes, sys
import torch
import veery
if sys.argv[1] == "kept":
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(sys.modules["__main__"]))
plan = veery.FeaturePlan("whisper")
stream = plan.stream()
rows = torch.from_numpy(plan.features(torch.zeros(16000)))
"""


@pytest.mark.parametrize("kept", ["kept", "usual"])
def test_python_ends_silently_where_pytorch_is_imported(kept):
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join([str(Path(veery.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])}
    result = subprocess.run([sys.executable, "-c", END, kept], capture_output=True, text=True, env=environment)
    assert (result.returncode, result.stderr) == (0, "")


WORKER_MEMORY = """
import sys, numpy as np, torch
from torch.utils.data import DataLoader
import veery
from veery.torch import Dataset, collate

class Measured(Dataset):
    def __getitem__(self, item):
        features, _ = super().__getitem__(item)
        with open("/proc/self/status") as status:
            return features, next(int(line.split()[1]) for line in status if line.startswith("RssAnon"))

if __name__ == "__main__":
    file = veery.open(sys.argv[1])
    dataset = Measured(file[np.tile(file.indices, 300)])
    loader = DataLoader(dataset, 30, num_workers=2, persistent_workers=True, collate_fn=collate, shuffle=True,
                        multiprocessing_context=sys.argv[2])
    print([max(int(memory.max()) for _, _, memory in loader) // 1024 for _ in range(8)])
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc, so private memory is not known")
@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("compression", ["none", "deflate"])
def test_the_memory_of_workers_does_not_grow(folder, rows, compression, method, tmp_path):
    file = extract(folder, rows, f"{compression}.h5", store__compression=compression)
    (tmp_path / "memory.py").write_text(WORKER_MEMORY)
    # HDF5's allocations lie between the batches, and keep their memory from being freed at once: up to 40 MB, which
    # does not grow either. glibc frees blocks of this size at once.
    environment = {
        **os.environ, "MALLOC_MMAP_THRESHOLD_": "16384",
        "PYTHONPATH": os.pathsep.join([str(Path(veery.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])}
    result = subprocess.run(
        [sys.executable, tmp_path / "memory.py", file.path, method], capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stderr
    epochs = [int(number) for number in result.stdout.strip("[]\n").split(",")]
    # Seven epochs of reading without letting go would be 120 MB in each worker.
    assert len(epochs) == 8 and max(epochs[1:]) - epochs[1] <= 4, epochs


# ------------------------------------------------------------------------------------------------------------ Keras


def test_a_model_of_keras_is_trained(file):
    keras = pytest.importorskip("keras")
    from veery.keras import Batches
    chosen = Batches(file, 2, label=file.labels, frames=50, seed=1, padding=-9)
    assert len(chosen) == 3
    first = [chosen[index] for index in range(3)]
    wanted = list(veery.batches(file, 2, label=file.labels, frames=50, seed=1, padding=-9))
    for (features, labels), (others, indices) in zip(first, wanted):
        assert np.array_equal(features, others) and np.array_equal(labels, indices)
    layers = [keras.Input((50, 80)), keras.layers.GlobalAveragePooling1D(), keras.layers.Dense(3, "softmax")]
    model = keras.Sequential(layers)
    model.compile(loss="sparse_categorical_crossentropy")
    assert len(model.fit(chosen, epochs=3, verbose=0).history["loss"]) == 3
    assert not all(np.array_equal(chosen[index][0], first[index][0]) for index in range(3))  # another order
    with pytest.raises(IndexError):
        chosen[3]


def test_batches_of_tensorflow(file):
    pytest.importorskip("tensorflow")
    from veery.keras import dataset
    found = list(dataset(file, 3, seed=2).as_numpy_iterator())
    for (features, labels), (wanted, indices) in zip(found, veery.batches(file, 3, seed=2)):
        assert np.array_equal(features, wanted) and np.array_equal(labels, indices)


# ----------------------------------------------------------------------------------------------------------- tables


def test_the_clip_table_of_pandas(file):
    table = file.to_pandas()
    assert list(table.columns) == [
        "id", "path", "label", "split", "start", "duration", "sample_rate", "channels", "frame_count", "speaker"]
    assert list(table["id"]) == list(file.ids) and list(table["frame_count"]) == list(file.lengths)
    assert list(table["label"].cat.codes) == LABELS and list(table["label"].cat.categories) == file.labels
    assert list(table["split"]) == [split for _, split, _ in CLIPS]
    # The index is that of the file, so that what was found in the table can be read.
    found = table[(table.duration > 0.5) & (table.speaker == "s0")]
    assert list(file[found.index].indices) == [0, 2] and list(file.select("val").to_pandas().index) == [2, 5]
    assert len(file[:0].to_pandas()) == 0
    # A part of the clips has the rows of the whole table.
    assert file[[5, 0, 3]].to_pandas().equals(table.loc[[5, 0, 3]])


def test_a_dataset_of_hugging_face(variant):
    dataset = variant.to_hf()
    assert dataset.features["label"].names == variant.labels and dataset.num_rows == 7
    assert [row["label"] for row in dataset] == LABELS
    assert all(np.array_equal(row["features"], clip.features) for row, clip in zip(dataset, variant))
    shuffled = dataset.shuffle(seed=3)
    for row in shuffled:
        assert np.array_equal(row["features"], variant[row["id"]].features)
    test = dataset.train_test_split(0.3, seed=1)["test"]
    assert all(np.array_equal(row["features"], variant[row["id"]].features) for row in test)
    batch = dataset[2:5]
    assert [len(features) for features in batch["features"]] == list(variant.lengths[2:5])
    raw = variant.select("val").raw().to_hf()
    assert [row["id"] for row in raw] == ["clip/2é", "clip/5é"]
    assert np.array_equal(raw[1]["features"], variant[5].raw().features)
    assert np.array_equal(pickle.loads(pickle.dumps(dataset))[3]["features"], variant[3].features)


# ----------------------------------------------------------------------------------------------------------- xarray


def test_arrays_of_xarray_have_axes_and_units(variant):
    import xarray
    dataset = variant.to_xarray()
    features = dataset.features
    assert features.attrs["units"] == "zscore of ln(power)" and dataset.frequency.attrs["units"] == "Hz"
    assert dataset.time.attrs["units"] == "s" and list(dataset.id.values) == list(variant.ids)
    assert features.dtype == variant.dtype and np.array_equal(dataset.frequency, variant.frequency)
    clips = [clip.features for clip in variant]
    if variant.layout == "fixed":
        assert features.dims == ("clip", "time", "frequency") and features.shape == (7, 98, 80)
        for index, clip in enumerate(clips):
            assert np.array_equal(features[index, :len(clip)], clip) and not features[index, len(clip):].any()
        assert np.array_equal(features.isel(clip=[5, 1], time=slice(0, 90, 7), frequency=3),
                              np.array(features.values[[5, 1]][:, :90:7, 3]))
    else:
        assert features.dims == ("row", "frequency") and features.shape == (sum(map(len, clips)), 80)
        whole = np.concatenate(clips)
        assert np.array_equal(features, whole)
        assert np.array_equal(features[::-3, [4, 2]], whole[::-3, [4, 2]]) and np.array_equal(features[7], whole[7])
        assert np.array_equal(features[-1, 5:9], whole[-1, 5:9])
        assert np.array_equal(features[[9, 250, 3]], whole[[9, 250, 3]])
        assert np.array_equal(dataset.frame_start, np.cumsum([0, *map(len, clips[:-1])]))
        assert np.array_equal(dataset.row_clip, np.repeat(np.arange(7), list(map(len, clips))))
        assert np.allclose(dataset.time, np.concatenate([clip.time for clip in variant]))
    nearest = np.abs(variant.frequency - 1000).argmin()
    assert np.array_equal(features.sel(frequency=1000, method="nearest"), features.values[..., nearest])
    with xarray.open_dataset(variant.path, engine="h5netcdf") as opened:  # the axes that the file itself has
        assert opened.features.dims == features.dims
    for part in (variant.select("train"), variant.raw(), variant.select("train").raw()):
        found = part.to_xarray().features
        if variant.layout == "packed":
            assert np.array_equal(found, np.concatenate([clip.features for clip in part]))
        else:
            for row, clip in zip(found.values, part):  # no value is the inverse of the zeros after a clip's end
                assert np.array_equal(row[:len(clip)], clip.features)
                assert (np.isnan(row[len(clip):]) if part.is_raw else row[len(clip):] == 0).all()
        assert found.attrs["units"] == part.units and found.dtype == part.dtype
    clip = variant[1].to_xarray()
    assert clip.dims == ("time", "frequency") and np.array_equal(clip, clips[1])
    assert np.allclose(clip.time, variant[1].time)


def test_xarray_reads_what_is_asked_for(file):
    features = file.to_xarray().features
    assert np.shares_memory(features.values, file[0].features)  # of the map: nothing is copied
    assert not file.select("train").to_xarray().features.variable._in_memory


def test_columns_that_repeat_their_axis(folder, rows):
    deltas = extract(folder, rows, "deltas.h5", transform__deltas=1, normalize__scope="none")
    assert deltas.to_xarray().features.dims == ("row", "column")
    transform = {"kind": "mfcc", "bins": 13, "bands": 23}
    cepstra = extract(folder, rows, "mfcc.h5", transform=transform, normalize__scope="none")
    assert cepstra.to_xarray().features.dims == ("row", "coefficient") and cepstra.frequency is None


# -------------------------------------------------------------------------------------------------------- matplotlib


def test_a_clip_is_drawn_with_the_axes_of_render(file, folder, rows, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot
    clip = file[1]
    for axis in ("bins", "linear", "log"):
        ax = clip.plot(axis=axis)
        assert ax.get_xlabel() == "Time (s)" and ax.get_ylabel() == "Frequency (Hz)"
        assert ax.get_title("left") == "clip/1é  –  cat"
        assert ax.figure.axes[1].get_ylabel() == "zscore of ln(power)"
        mesh = ax.collections[0]
        assert np.array_equal(mesh.get_array().reshape(80, 23), clip.features.T)
        edges = mesh.get_coordinates()[0, :, 0]  # halfway between the middles of the frames
        assert np.allclose((edges[1:] + edges[:-1]) / 2, clip.time) and ax.get_xlim()[1] == edges[-1]
        if axis == "bins":  # bins are of equal height
            middle = ax.transData.transform([(0, hertz) for hertz in clip.frequency])[:, 1]
            assert np.ptp(np.diff(middle)) < 0.12 * np.diff(middle).mean()
            ticks = ax.get_yticks()
            assert {500, 1000, 5000} <= set(ticks) and len(ticks) > 5
        ax.figure.savefig(tmp_path / "clip.png")
        if axis != "linear":
            names = [tick.get_text() for tick in ax.get_yticklabels()]
            assert names == [f"{value:g}" for value in ax.get_yticks()]
        pyplot.close("all")
    spectrum = extract(folder, rows, "spectrum.h5", transform={"kind": "fft", "bins": None})
    ax = spectrum[1].plot(axis="log")
    # As in `veery render`: from the edge between the bins of 0 Hz and above.
    assert ax.get_ylim() == pytest.approx((spectrum.frequency[1] / 2, spectrum.frequency[-1] + spectrum.frequency[1] / 2))
    assert {20, 100, 1000} <= set(ax.get_yticks()) and len(ax.get_yticks()) < 13
    pyplot.close("all")
    with pytest.raises(ValueError, match="expected bins, linear or log"):
        clip.plot(axis="mel")
    cepstra = extract(folder, rows, "mfcc.h5", transform={"kind": "mfcc", "bins": 13, "bands": 23})
    _, axes = pyplot.subplots(2)
    assert cepstra[0].plot(axes[1], colorbar=False, cmap="magma") is axes[1] and axes[1].get_ylabel() == "Coefficient"
    pyplot.close("all")


# -------------------------------------------------------------------------------------------------------------- rows


def test_rows_may_come_from_parquet(folder, tmp_path):
    """Lists are arrays in the cells of pandas, lists in those of Arrow and of Hugging Face."""
    import datasets
    import pandas
    import pyarrow.parquet
    rows = [
        {"path": "0.wav", "labels": ["a", "b"], "meta": {"rain": True, "level": 2.5}, "raw": b"xyz", "count": 1},
        {"path": "1.wav", "labels": ["c"], "meta": {"rain": None, "level": None}, "raw": None, "count": None}]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "m.parquet")
    for read in (pandas.read_parquet, pyarrow.parquet.read_table, lambda path: datasets.Dataset.from_parquet(str(path))):
        veery.extract(read(tmp_path / "m.parquet"), tmp_path / "f.h5", root=folder, overwrite=True)
        first, second = veery.open(tmp_path / "f.h5")
        assert first.labels == ["a", "b"] and second.labels == ["c"]
        assert first.extra["meta"] == '{"level":2.5,"rain":true}' and first.extra["raw"] == "xyz" and second.extra["raw"] == ""
    with pytest.raises(TypeError, match="^manifest: row 1, column 'label': .*put all into the column 'labels'"):
        veery.extract(pandas.read_parquet(tmp_path / "m.parquet").rename(columns={"labels": "label"}), tmp_path / "f.h5")
    with pytest.raises(ValueError, match="^manifest: row 1, column 'x': expected a text, found 2 bytes that are not UTF-8"):
        veery.extract(pyarrow.Table.from_pylist([{"path": "0.wav", "x": b"\xff\xfe"}]), tmp_path / "f.h5")


# ------------------------------------------------------------------------------------------------------------- types


def test_the_package_is_typed(tmp_path):
    package = Path(veery.__file__).parent
    assert (package / "py.typed").exists()
    (tmp_path / "use.py").write_text(USE)
    # mypy finds an installed package by itself, and refuses its folder in MYPYPATH.
    sources = package.is_relative_to(ROOT / "Sources")
    environment = {**os.environ, "MYPYPATH": str(package.parent)} if sources else None
    for arguments in (["-p", "veery"], [str(tmp_path / "use.py")]):
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), *arguments]
        result = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert result.returncode == 0, result.stdout


USE = """
import veery
import numpy as np
import numpy.typing as npt
from pathlib import Path
from typing import Any, Optional

file: veery.FeatureFile = veery.open("features.h5")
part: veery.Clips = file.select(split="train", label=["dog", "cat"])[:10]
clip: veery.Clip = part[0]
values: npt.NDArray[Any] = clip.raw().features
sound: npt.NDArray[np.float32]
sound, rate = veery.load("song.mp3", 16000, channels="all")
sound, rate = clip.samples()
folder: Optional[Path] = file.root
recording: Path = clip.recording
rows: npt.NDArray[np.float32] = file.plan().features(Path("song.mp3"))
names: list[str] = file.labels
count: int = veery.extract("m.csv", "f.h5", progress=lambda event: print(event.done))["clips"]
"""
