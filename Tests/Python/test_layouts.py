"""Every layout, type and compression of /features, read by programs that know nothing of Veery."""

import hashlib
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
import pytest
import tables
import xarray
import xxhash

from conftest import noise, tone, write_manifest, write_wav

RATE, SECONDS = 16000, 1.0
LENGTHS = [16000, 400, 9000, 40000, 16000, 561, 23000, 8000, 12345, 31999, 4000]
COMBINATIONS = [
    (layout, type, compression)
    for layout in ("packed", "fixed") for type in ("float32", "float16") for compression in ("none", "deflate")]


@pytest.fixture(scope="module")
def manifest(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings")
    rows = []
    for i, length in enumerate(LENGTHS):
        write_wav(folder / f"{i}.wav", RATE, noise(i, length, 0.3 / (i + 1)) + tone(RATE, length / RATE, [300 + 200 * i]))
        rows.append({"path": f"{i}.wav", "label": "ab"[i % 2], "split": "train" if i % 3 else "test"})
    rows.insert(3, {"path": "missing.wav", "label": "a", "split": "train"})
    return write_manifest(folder / "manifest.csv", rows)


def extract(veery, manifest, path, *arguments, status=0):
    return veery("extract", manifest, "-o", path, "--max-failures", "100%", *arguments, status=status)


def settings(layout, type, compression):
    chosen = [f"store.layout={layout}", f"store.type={type}", f"store.compression={compression}"]
    # With the fixed layout a duration crops; packed clips would be padded with zeros.
    if layout == "fixed":
        chosen.append(f"audio.duration={SECONDS}")
    return [argument for setting in chosen for argument in ("--set", setting)]


@pytest.fixture(scope="module")
def plain(veery, manifest, tmp_path_factory):
    """Each clip's rows as float32, packed and uncompressed: before and after the crop to SECONDS."""
    path = tmp_path_factory.mktemp("plain") / "plain.h5"
    extract(veery, manifest, path)
    with h5py.File(path) as file:
        return clips(file)


def clips(file):
    starts, counts, features = file["clips/frame_start"][:], file["clips/frame_count"][:], file["features"][:]
    rows = features.reshape(-1, features.shape[-1])
    return [rows[start:start + count] for start, count in zip(starts, counts)]


@dataclass
class Made:
    path: Path
    file: h5py.File
    layout: str
    type: str
    compression: str


@pytest.fixture(scope="module", params=COMBINATIONS, ids="-".join)
def made(request, veery, manifest, tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "features.h5"
    extract(veery, manifest, path, *settings(*request.param))
    with h5py.File(path) as file:
        yield Made(path, file, *request.param)


def test_values_are_those_of_the_plain_file(made, veery, manifest, tmp_path, plain):
    expected = plain
    if made.layout == "fixed":
        # What is cropped changes the statistics, so the values to compare with are those of cropped recordings.
        import soundfile
        for recording in manifest.parent.glob("*.wav"):
            samples, rate = soundfile.read(recording, dtype="int16", frames=int(RATE * SECONDS))
            soundfile.write(tmp_path / recording.name, samples, rate, subtype="PCM_16")
        extract(veery, manifest, tmp_path / "cropped.h5", "--root", tmp_path)
        with h5py.File(tmp_path / "cropped.h5") as file:
            expected = clips(file)
    found = clips(made.file)
    assert len(found) == len(expected) == len(LENGTHS)
    for one, other in zip(found, expected):
        assert one.dtype == np.dtype("<f4" if made.type == "float32" else "<f2")
        assert np.array_equal(one, other.astype(one.dtype)), "NumPy's own rounding to half precision differs"


def test_shape_and_padding(made):
    features, starts, counts = made.file["features"], made.file["clips/frame_start"][:], made.file["clips/frame_count"][:]
    rows = features[:].reshape(-1, 80)
    own = np.zeros(len(rows), bool)
    for start, count in zip(starts, counts):
        own[start:start + count] = True
    assert np.isfinite(rows[own]).all()
    if made.layout == "fixed":
        frames = 1 + (int(RATE * SECONDS) - 400) // 160
        assert features.shape == (len(LENGTHS), frames, 80)
        assert starts.tolist() == [i * frames for i in range(len(LENGTHS))]
        assert counts.tolist() == [min(1 + (n - 400) // 160, frames) for n in LENGTHS]
        assert (rows[~own] == 0).all() and (~own).any()
        assert np.allclose(made.file["time"][:], 0.0125 + 0.01 * np.arange(frames))
    elif made.compression == "deflate":
        chunk = features.chunks[0]
        assert (starts % chunk == 0).all() and np.isnan(rows[~own]).all() and (~own).any()
        assert ((starts + (counts + chunk - 1) // chunk * chunk)[:-1] == starts[1:]).all()
    else:
        assert own.all()
        assert starts.tolist() == np.concatenate([[0], np.cumsum(counts)[:-1]]).tolist()
    if made.compression == "deflate":
        assert features.compression == "gzip" and features.shuffle
        assert features.compression_opts == (1 if made.type == "float32" else 4)
        assert np.isnan(features.fillvalue)
    else:
        assert features.chunks is None and features.id.get_offset() % 4096 == 0
        mapped = np.memmap(made.path, features.dtype, "r", features.id.get_offset(), features.shape)
        assert np.array_equal(mapped, features[:])


def test_checksums_of_rows(made):
    stored = made.file["clips/tensor_xxh3"].asstr()[:]
    for rows, checksum in zip(clips(made.file), stored):
        assert xxhash.xxh3_128(rows.tobytes()).hexdigest() == checksum


def test_verify_is_content(made, veery):
    veery("inspect", made.path, "--verify")
    report = json.loads(veery("inspect", made.path, "--json").stdout)
    assert (report["layout"], report["type"], report["compression"]) == (made.layout, made.type, made.compression)


def test_pytables_reads_the_arrays(made):
    with tables.open_file(str(made.path)) as file:
        found = file.get_node("/features")[:]
        assert found.dtype == made.file["features"].dtype
        assert np.array_equal(found, made.file["features"][:], equal_nan=True)
        for name in ("frame_start", "frame_count", "label_index", "duration"):
            assert np.array_equal(file.get_node(f"/clips/{name}")[:], made.file[f"clips/{name}"][:])
        assert file.get_node("/clips/id")[:].tolist() == made.file["clips/id"][:].tolist()


def test_h5dump_reads_it(made, tmp_path):
    if not shutil.which("h5dump"):
        pytest.skip("H5DUMP IS NOT INSTALLED (package hdf5-tools): the plain C library has not read this file")
    raw = tmp_path / "features.bin"
    result = subprocess.run(
        ["h5dump", "-d", "/features", "-b", "FILE", "-o", raw, made.path], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert raw.read_bytes() == made.file["features"][:].tobytes()


@pytest.mark.filterwarnings("ignore:The 'phony_dims' kwarg")
def test_xarray_names_dimensions_and_coordinates(made):
    with xarray.open_dataset(made.path, engine="h5netcdf") as opened:
        features = opened["features"]
        assert features.dims == (("row", "frequency") if made.layout == "packed" else ("clip", "time", "frequency"))
        for name in features.dims:
            assert (name in features.coords) == (name in ("time", "frequency"))
            if name in features.coords:
                assert np.array_equal(features.coords[name], made.file[name][:])
        assert np.array_equal(features.values, made.file["features"][:], equal_nan=True)


def test_jobs_do_not_change_a_byte(made, veery, manifest, tmp_path):
    for jobs in (1, 2, 3, 8):
        extract(veery, manifest, tmp_path / "f.h5", "--jobs", jobs, "--overwrite",
                *settings(made.layout, made.type, made.compression))
        assert (tmp_path / "f.h5").read_bytes() == made.path.read_bytes(), f"--jobs {jobs}"
        (tmp_path / "f.h5").unlink()


@pytest.mark.parametrize("compression", ["none", "deflate"])
def test_without_a_stored_clip_the_file_is_whole(veery, tmp_path, compression):
    (tmp_path / "noise.wav").write_text("noise")
    for layout in ("packed", "fixed"):
        manifest = write_manifest(tmp_path / "m.csv", [{"path": "noise.wav"}])
        path = tmp_path / f"{layout}.h5"
        extract(veery, manifest, path, *settings(layout, "float32", compression), "--set", "normalize.scope=none")
        veery("inspect", path, "--verify")
        with h5py.File(path) as file:
            assert file["features"].size == 0


# ------------------------------------------------------------------------------------------------------ half precision


def test_a_clip_that_half_precision_cannot_hold_is_a_failure(veery, tmp_path):
    write_wav(tmp_path / "quiet.wav", RATE, noise(1, 8000, 0.001))
    write_wav(tmp_path / "loud.wav", RATE, noise(2, 8000, 0.5))
    write_wav(tmp_path / "soft.wav", RATE, noise(3, 8000, 0.002))
    manifest = write_manifest(tmp_path / "m.csv", [{"path": f"{name}.wav"} for name in ("quiet", "loud", "soft")])
    raw = ["--set", "normalize.scope=none", "--set", "scale.kind=power", "--set", "scale.reference=0.00001"]
    with h5py.File(made_of(veery, manifest, tmp_path / "single.h5", *raw)) as file:
        most = [float(np.abs(rows).max()) for rows in clips(file)]
        count, mean = file["statistics"].attrs["count"], file["statistics/mean"][:]
    assert most[0] < 65520 and most[2] < 65520 < most[1], most
    for compression in ("none", "deflate"):
        half = [*raw, "--set", "store.type=float16", "--set", f"store.compression={compression}"]
        path = made_of(veery, manifest, tmp_path / f"{compression}.h5", *half)
        with h5py.File(path) as file:
            assert file["clips/id"].asstr()[:].tolist() == ["quiet", "soft"]
            assert file["failures/id"].asstr()[:].tolist() == ["loud"]
            assert file["failures/stage"].asstr()[0] == "store"
            reason = file["failures/reason"].asstr()[0]
            assert "65504" in reason and "store.type" in reason and "normalize.scope" in reason, reason
            assert np.isfinite(np.concatenate(clips(file))).all()
            # The statistics count what was computed, stored or not.
            assert file["statistics"].attrs["count"] == count and np.array_equal(file["statistics/mean"][:], mean)
        veery("inspect", path, "--verify")
        again = veery("extract", manifest, "-o", path, "--max-failures", "1", *half)
        assert "up to date" in again.stderr


def made_of(veery, manifest, path, *arguments):
    extract(veery, manifest, path, *arguments)
    return path


# ------------------------------------------------------------------------------------------------------- normalisation


def undone(values, statistics, method, axis):
    """The inverse of a normalisation, from the four statistics of each bin."""
    mean, std, least, greatest = (np.asarray(statistics[name], np.float64) for name in ("mean", "std", "min", "max"))
    if axis == "all":
        whole = mean.mean()
        std = np.sqrt((std**2 + (mean - whole) ** 2).mean()) * np.ones_like(mean)
        mean, least, greatest = whole, least.min() * np.ones_like(mean), greatest.max() * np.ones_like(mean)
    span = np.where(greatest > least, greatest - least, 1)
    return {
        "zscore": lambda x: x * np.where(std > 0, std, 1) + mean,
        "mean": lambda x: x + mean,
        "minmax": lambda x: x * span + least,
        "range": lambda x: (x + 1) / 2 * np.where(greatest > least, greatest - least, 2) + least,
    }[method](values.astype(np.float64))


@pytest.mark.parametrize("axis", ["bin", "all"])
@pytest.mark.parametrize("method", ["zscore", "mean", "minmax", "range"])
@pytest.mark.parametrize("scope", ["dataset", "clip"])
def test_the_stored_statistics_undo_the_normalisation(veery, manifest, tmp_path, scope, method, axis):
    raw = made_of(veery, manifest, tmp_path / "raw.h5", "--set", "normalize.scope=none")
    path = made_of(
        veery, manifest, tmp_path / "f.h5", "--set", f"normalize.scope={scope}", "--set", f"normalize.method={method}",
        "--set", f"normalize.axis={axis}")
    with h5py.File(raw) as before, h5py.File(path) as file:
        attributes = file["statistics"].attrs
        assert [attributes[name] for name in ("scope", "method", "axis", "source")] == [scope, method, axis, ""]
        for index, (expected, stored) in enumerate(zip(clips(before), clips(file))):
            group = file["clips/statistics"] if scope == "clip" else file["statistics"]
            statistics = {name: group[name][index] if scope == "clip" else group[name][:] for name in group}
            assert np.isfinite(stored).all()
            found = undone(stored, statistics, method, axis)
            assert np.abs(found - expected).max() < 1e-5 * max(1, np.abs(expected).max())
        assert ("statistics" in file["clips"]) == (scope == "clip")


def test_statistics_of_another_file_are_applied(veery, manifest, tmp_path):
    train = made_of(veery, manifest, tmp_path / "train.h5", "--set", "normalize.method=minmax", "--set", "normalize.axis=all")
    write_wav(tmp_path / "new.wav", RATE, noise(77, 20000, 0.2))
    new = write_manifest(tmp_path / "new.csv", [{"path": "new.wav", "split": "later"}])
    path = made_of(veery, new, tmp_path / "new.h5", "--stats-from", train, "--set", "store.type=float16")
    raw = made_of(veery, new, tmp_path / "raw.h5", "--set", "normalize.scope=none")
    with h5py.File(train) as given, h5py.File(path) as file, h5py.File(raw) as before:
        for name in ("mean", "std", "min", "max"):
            assert np.array_equal(file["statistics"][name][:], given["statistics"][name][:]), name
        for name in ("count", "fit", "scope", "method", "axis"):
            assert file["statistics"].attrs[name] == given["statistics"].attrs[name], name
        assert file["statistics"].attrs["source"] == given.attrs["metadata_xxh3"] != ""
        assert json.loads(file["provenance/configuration"].asstr()[()])["normalize"] == {
            "scope": "dataset", "method": "minmax", "axis": "all", "fit": "train", "ddof": 0, "epsilon": 0, "epsilon_in": "std",
            "mean": None, "std": None}
        least, greatest = given["statistics/min"][:].min(), given["statistics/max"][:].max()
        expected = (before["features"][:].astype(np.float64) - least) / (greatest - least)
        assert np.abs(file["features"][:] - expected).max() < 1e-3
    veery("inspect", path, "--verify")
    assert "up to date" in veery("extract", new, "-o", path, "--stats-from", train, "--set", "store.type=float16").stderr
    other = veery("extract", new, "-o", path, "--set", "store.type=float16", "--set", "normalize.method=minmax",
                  "--set", "normalize.axis=all", "--set", "normalize.fit=later", status=1)
    assert "--overwrite" in other.stderr


@pytest.mark.parametrize("change, words", [
    (["--set", "transform.bins=40"], ["transform"]),
    (["--set", "frame.hop=100", "--set", "scale.kind=db"], ["frame", "scale"]),
    (["--set", "audio.channels=first"], ["audio"]),
    (["--set", "normalize.scope=clip"], ["normalize.scope", "clip", "dataset"]),
])
def test_statistics_of_other_features_are_refused(veery, manifest, tmp_path, change, words):
    train = made_of(veery, manifest, tmp_path / "train.h5")
    result = veery("extract", manifest, "-o", tmp_path / "f.h5", "--stats-from", train, *change, status=1)
    assert all(word in result.stderr for word in [str(train), "--stats-from", *words]), result.stderr
    assert not (tmp_path / "f.h5").exists()


def test_statistics_of_an_unnormalised_or_foreign_file_are_refused(veery, manifest, tmp_path):
    train = made_of(veery, manifest, tmp_path / "train.h5", "--set", "normalize.scope=none")
    result = veery("extract", manifest, "-o", tmp_path / "f.h5", "--stats-from", train, status=1)
    assert "normalize.scope: none" in result.stderr
    for content in (b"", b"text\n", b"\x89HDF\r\n\x1a\n" + bytes(3000)):
        (tmp_path / "foreign.h5").write_bytes(content)
        result = veery("extract", manifest, "-o", tmp_path / "f.h5", "--stats-from", tmp_path / "foreign.h5", status=1)
        assert "foreign.h5: expected a feature file" in result.stderr


def test_constant_bins_and_clips_of_one_frame_are_finite(veery, tmp_path):
    write_wav(tmp_path / "silence.wav", RATE, np.zeros(4000))
    write_wav(tmp_path / "one.wav", RATE, noise(5, 400))
    manifest = write_manifest(tmp_path / "m.csv", [{"path": "silence.wav"}, {"path": "one.wav"}])
    for scope in ("clip", "dataset"):
        for method in ("zscore", "mean", "minmax", "range"):
            path = made_of(veery, manifest, tmp_path / f"{scope}-{method}.h5", "--set", f"normalize.scope={scope}",
                           "--set", f"normalize.method={method}")
            with h5py.File(path) as file:
                assert np.isfinite(file["features"][:]).all()
                if scope == "clip":
                    # No spread: the offset is taken away, and 1 divides.
                    assert (file["features"][:] == (-1 if method == "range" else 0)).all()


FRAMES = int(os.environ.get("VEERY_STATISTICS_FRAMES", 500_000))


def test_statistics_are_those_of_numpy_in_float64(veery, tmp_path):
    """VEERY_STATISTICS_FRAMES=10000000 is the full test: about 400 MB on disk, and a minute."""
    pieces = 8
    rows = []
    for i in range(pieces):
        samples = FRAMES // pieces * 4 + 4
        level = np.linspace(0.001, 0.9 / (i + 1), samples)
        write_wav(tmp_path / f"{i}.wav", RATE, noise(100 + i, samples, 1) * level)
        rows.append({"path": f"{i}.wav"})
    manifest = write_manifest(tmp_path / "m.csv", rows)
    arguments = ["--set", "frame.length=8", "--set", "frame.hop=4", "--set", "frame.fft_length=8",
                 "--set", "transform={kind: fft, bins: 3}", "--set", "normalize.scope=none"]
    digests = set()
    for jobs in (1, 3):
        path = made_of(veery, manifest, tmp_path / f"{jobs}.h5", *arguments, "--jobs", jobs)
        digests.add(hashlib.sha256(path.read_bytes()).hexdigest())
    assert len(digests) == 1
    with h5py.File(path) as file:
        values = file["features"][:].astype(np.float64)
        assert len(values) >= FRAMES * 0.99 and file["statistics"].attrs["count"] == len(values)
        scale = np.abs(values).max()
        for name, expected in [("mean", values.mean(axis=0)), ("std", values.std(axis=0)),
                               ("min", values.min(axis=0)), ("max", values.max(axis=0))]:
            assert np.abs(file[f"statistics/{name}"][:] - expected).max() <= 1e-6 * scale, name
