"""The HDF5 file: every item of format version 1.0, read by programs that know nothing of Veery."""

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
import soundfile
import xarray
import xxhash

import reference
from conftest import noise, tone, write_manifest, write_wav
from reference import LOG_MEL, MIXER_FFT, SCROLLING_DCT, changed


# ------------------------------------------------------------------------------------------------------ the dataset


@dataclass
class Expected:
    """A row of the manifest, and what is known of it."""

    row: dict
    id: str
    rate: int = 0
    channels: int = 0
    samples: np.ndarray = None  # of the segment only; None: cannot be read
    start: float = 0.0
    stage: tuple = ()  # of the failure where it cannot be read


@dataclass
class Dataset:
    manifest: Path
    rows: list


def build(folder):
    """Recordings of several lengths, rates, channels and sample types; a manifest with everything in it."""
    mono = write_wav(folder / "audio/mono.wav", 16000, tone(16000, 1.0, [440, 1500, 5200]) + noise(1, 16000, 0.05))
    left, right = tone(16000, 0.5, [700]) + noise(2, 8000, 0.02), tone(16000, 0.5, [2300, 3100]) + noise(3, 8000, 0.01)
    stereo = write_wav(folder / "audio/stereo.wav", 16000, np.stack([left, right], axis=1))
    long = write_wav(folder / "audio/long.wav", 16000, noise(4, 32000) * np.linspace(0, 1, 32000))
    silent = write_wav(folder / "audio/part silent.wav", 16000, noise(5, 6000) * (np.arange(6000) < 2000))
    float32 = write_wav(folder / "audio/float.wav", 16000, noise(6, 7777), "<f4")
    low_rate = write_wav(folder / "audio/vogel-8k.wav", 8000, tone(8000, 0.7, [500, 1200]))
    frame = write_wav(folder / "audio/one-frame.wav", 16000, noise(7, 400))
    write_wav(folder / "audio/short.wav", 16000, noise(8, 399))
    (folder / "audio/text.wav").write_text("This is not a recording.\n")
    broken = noise(9, 4000).astype("<f4")
    broken[3000] = np.nan
    write_wav(folder / "audio/not-a-number.wav", 16000, broken, "<f4")

    rows = [
        Expected(dict(path="audio/mono.wav", id="mono", label="dog", split="train", speaker="Anna"),
                 "mono", 16000, 1, mono),
        Expected(dict(path="audio/missing.wav", id="missing", label="dog", split="train", speaker="Nobody"),
                 "missing", stage=("open",)),
        Expected(dict(path="audio/stereo.wav", id="both", label="cat", split="train", speaker='Smith, "J"'),
                 "both", 16000, 2, stereo),
        Expected(dict(path="audio/stereo.wav", id="right", label="cat", split="val", channel="1", speaker="two\nlines"),
                 "right", 16000, 2, stereo),
        Expected(dict(path="audio/long.wav", label="dog", split="train", start="0.5", end="1.25"),
                 "audio/long#0.5-1.25", 16000, 1, long[8000:20000], 0.5),
        Expected(dict(path="audio/long.wav", id="tail", label="鳥", split="test", start="1.5"),
                 "tail", 16000, 1, long[24000:], 1.5),
        Expected(dict(path="audio/part silent.wav", label="Ärger", split="train", speaker="Зоя"),
                 "audio/part silent", 16000, 1, silent),
        Expected(dict(path="audio/short.wav", id="short", label="dog", split="train"),
                 "short", 16000, 1, stage=("transform",)),
        Expected(dict(path="audio/float.wav", id="float", split="train"), "float", 16000, 1, float32),
        Expected(dict(path="audio/text.wav", id="text", label="cat", split="val"), "text", stage=("open", "decode")),
        Expected(dict(path="audio/not-a-number.wav", id="nan", label="cat", split="val"), "nan", stage=("decode",)),
        Expected(dict(path="audio/vogel-8k.wav", id="low-rate", label="鳥", split="test"), "low-rate", 8000, 1, low_rate),
        Expected(dict(path="audio/one-frame.wav", id="one-frame", label="", split="val"), "one-frame", 16000, 1, frame),
    ]
    return Dataset(write_manifest(folder / "manifest.csv", [row.row for row in rows]), rows)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    return build(tmp_path_factory.mktemp("dataset"))


CASES = {
    "log-mel": ([], LOG_MEL),
    "log-mel as it is": (["--set", "normalize.scope=none"], changed(LOG_MEL, normalize={"scope": "none"})),
    "centred": (
        ["--set", "normalize.scope=none", "--set", "frame.align=center"],
        changed(LOG_MEL, normalize={"scope": "none"}, frame={"align": "center"})),
    "centred, zeros": (
        ["--set", "normalize.scope=none", "--set", "frame.align=center", "--set", "frame.pad=zero",
         "--set", "frame.window=hamming", "--set", "scale.kind=db"],
        changed(LOG_MEL, normalize={"scope": "none"}, frame={"align": "center", "pad": "zero", "window": "hamming"},
                scale={"kind": "db"})),
    "other mel bands": (
        ["--set", "normalize.scope=none", "--set", "transform.bins=40", "--set", "transform.mel_scale=htk",
         "--set", "transform.mel_norm=none", "--set", "transform.low=20", "--set", "transform.high=7600",
         "--set", "scale.kind=log10", "--set", "frame.window=blackman", "--set", "frame.symmetric=true"],
        changed(LOG_MEL, normalize={"scope": "none"}, scale={"kind": "log10"},
                transform={"bins": 40, "mel_scale": "htk", "mel_norm": "none", "low": 20, "high": 7600},
                frame={"window": "blackman", "symmetric": True})),
    "scrolling-dct": (["--preset", "scrolling-dct"], SCROLLING_DCT),
    "mixer-fft": (["--preset", "mixer-fft"], MIXER_FFT),
    "mixer-fft, power": (
        ["--preset", "mixer-fft", "--set", "scale.kind=power", "--set", "audio.channels=first"],
        changed(MIXER_FFT, scale={"kind": "power"}, audio={"channels": "first"})),
}


@dataclass
class Case:
    """A file made with one configuration, and what has to be in it."""

    name: str
    path: Path
    file: h5py.File
    configuration: dict
    rate: int
    stored: list
    failed: list
    dataset: Dataset

    def clip(self, index):
        """A clip's rows as stored."""
        first, count = self.file["clips/frame_start"][index], self.file["clips/frame_count"][index]
        return self.file["features"][first:first + count]


@pytest.fixture(scope="module", params=CASES)
def case(request, veery, dataset, tmp_path_factory):
    arguments, configuration = CASES[request.param]
    path = tmp_path_factory.mktemp("output") / "features.h5"
    veery("extract", dataset.manifest, "-o", path, "--max-failures", "100%", *arguments)
    # Without a sample rate in the configuration the first clip's counts, and others fail. Who is too short depends on
    # the frame.
    rate = configuration["audio"]["sample_rate"] or 16000
    least = configuration["frame"]["length"] if configuration["frame"]["align"] == "start" else 1
    stored, failed = [], []
    for row in dataset.rows:
        if row.id == "short" and least < 399:
            row = Expected(row.row, "short", 16000, 1, short_samples(dataset))
        if row.samples is None:
            failed.append((row, row.stage))
        elif configuration["audio"]["sample_rate"] is None and row.rate != rate:
            failed.append((row, ("open", "condition")))
        elif len(row.samples) * rate // row.rate < least:
            failed.append((row, ("transform",)))
        else:
            stored.append(row)
    with h5py.File(path) as file:
        yield Case(request.param, path, file, configuration, rate, stored, failed, dataset)


def short_samples(dataset):
    import scipy.io.wavfile

    _, samples = scipy.io.wavfile.read(dataset.manifest.parent / "audio/short.wav")
    return (samples / 32768).astype(np.float32).reshape(-1, 1)


def texts(dataset):
    """Strings of a dataset, after a check of their type."""
    info = h5py.check_string_dtype(dataset.dtype)
    assert info is not None, f"{dataset.name} is {dataset.dtype}, not text"
    assert info.encoding == "utf-8", f"{dataset.name}: {info}"
    assert info.length is not None, f"{dataset.name} has strings of variable length"
    return list(np.atleast_1d(dataset.asstr()[()]))


def text(value):
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


# ----------------------------------------------------------------------------------------------------- the structure


def test_root_attributes(case):
    attributes = {name: value for name, value in case.file.attrs.items()}
    assert text(attributes["format"]) == "veery-features"
    assert text(attributes["format_version"]) == "1.1"
    assert text(attributes["generator"]).startswith("veery ")
    assert text(attributes["layout"]) == "packed"
    assert attributes["complete"] == 1


def test_nothing_is_missing_and_nothing_is_strange(case):
    names = []
    case.file.visit(names.append)
    columns = "id path label split label_index start duration sample_rate channels channel frame_start frame_count audio_xxh3 tensor_xxh3 record_xxh3"
    assert set(names) - {"clip"} == {
        "features", "frequency", "row", "labels",
        "clips", *(f"clips/{name}" for name in columns.split()), "clips/extra", "clips/extra/speaker",
        "statistics", *(f"statistics/{name}" for name in ("mean", "std", "min", "max")),
        "failures", *(f"failures/{name}" for name in ("id", "path", "stage", "kind", "reason")),
        "provenance", *(f"provenance/{name}" for name in ("configuration", "manifest_sha256", "software")),
    }


def test_features_can_be_mapped_into_memory(case):
    features = case.file["features"]
    assert features.dtype == np.dtype("<f4")
    assert features.chunks is None and features.compression is None
    assert features.maxshape == features.shape
    offset = features.id.get_offset()
    assert offset is not None and offset % 4096 == 0
    mapped = np.memmap(case.path, dtype="<f4", mode="r", offset=offset, shape=features.shape)
    assert np.array_equal(mapped, features[:])
    assert np.isfinite(mapped).all()


def test_features_attributes(case):
    attributes, frame = case.file["features"].attrs, case.configuration["frame"]
    assert attributes["frame_period"] == pytest.approx(frame["hop"] / case.rate, rel=1e-12)
    # The time of a frame is that of its middle.
    middle = 0 if frame["align"] == "center" else frame["length"] / 2 / case.rate
    assert attributes["first_frame_time"] == pytest.approx(middle, rel=1e-12)
    assert text(attributes["long_name"])
    unit = {"ln": "ln(power)", "log10": "log10(power)"}.get(
        case.configuration["scale"]["kind"], case.configuration["scale"]["kind"].replace("db", "dB"))
    normalized = case.configuration["normalize"]["scope"] != "none"
    assert text(attributes["units"]) == (f"zscore of {unit}" if normalized else unit)


def test_axes_are_named(case):
    rows, frequency = case.file["features"].dims
    assert [scale.name for scale in rows.values()] == ["/row"]
    assert [scale.name for scale in frequency.values()] == ["/frequency"]
    assert h5py.h5ds.is_scale(case.file["frequency"].id)
    assert h5py.h5ds.is_scale(case.file["row"].id)
    assert case.file["row"].shape == case.file["features"].shape[:1]


def test_frequencies_are_the_bins_centres(case):
    frequency = case.file["frequency"]
    assert frequency.dtype == np.dtype("<f4")
    expected = reference.frequencies(case.configuration, case.rate)
    assert frequency.shape == case.file["features"].shape[1:] == expected.shape
    assert np.allclose(frequency[:], expected, rtol=1e-6, atol=1e-6)
    assert text(frequency.attrs["units"]) == "Hz"


# ---------------------------------------------------------------------------------------------------------- the clips


def test_clips_are_in_the_manifests_order(case):
    assert texts(case.file["clips/id"]) == [row.id for row in case.stored]
    for column in ("path", "label", "split"):
        assert texts(case.file[f"clips/{column}"]) == [row.row.get(column, "") for row in case.stored]
    assert texts(case.file["clips/extra/speaker"]) == [row.row.get("speaker", "") for row in case.stored]


def test_clips_say_what_the_recordings_are(case):
    clips = case.file["clips"]
    for name, dtype, expected in [
        ("sample_rate", "<i4", [row.rate for row in case.stored]),
        ("channels", "<i4", [row.channels for row in case.stored]),
        ("channel", "<i4", [int(row.row.get("channel") or -1) for row in case.stored]),
        ("start", "<f8", [row.start for row in case.stored]),
        ("duration", "<f8", [len(row.samples) / row.rate for row in case.stored]),
    ]:
        assert clips[name].dtype == np.dtype(dtype), name
        assert clips[name][:].tolist() == pytest.approx(expected, rel=1e-12), name


def test_labels_are_sorted_and_indexed(case):
    labels = texts(case.file["labels"])
    assert labels == sorted({row.row.get("label", "") for row in case.stored} - {""})
    index = case.file["clips/label_index"]
    assert index.dtype == np.dtype("<i4")
    expected = [labels.index(row.row["label"]) if row.row.get("label") else -1 for row in case.stored]
    assert index[:].tolist() == expected


def test_frames_follow_one_another_without_a_gap(case):
    start, count = case.file["clips/frame_start"], case.file["clips/frame_count"]
    assert start.dtype == np.dtype("<i8") and count.dtype == np.dtype("<i4")
    expected = [
        len(reference.frames(case.configuration, np.zeros(round(len(row.samples) * case.rate / row.rate))))
        for row in case.stored]
    assert count[:].tolist() == expected
    assert start[:].tolist() == [sum(expected[:i]) for i in range(len(expected))]
    assert case.file["features"].shape[0] == sum(expected)


def test_checksums_of_audio_and_tensors(case):
    audio, tensor = texts(case.file["clips/audio_xxh3"]), texts(case.file["clips/tensor_xxh3"])
    for index, row in enumerate(case.stored):
        assert audio[index] == xxhash.xxh3_128(row.samples.astype("<f4").tobytes()).hexdigest(), row.id
        assert tensor[index] == xxhash.xxh3_128(case.clip(index).astype("<f4").tobytes()).hexdigest(), row.id


def test_failures_are_listed_with_stage_and_reason(case):
    failures = case.file["failures"]
    assert texts(failures["id"]) == [row.id for row, _ in case.failed]
    assert texts(failures["path"]) == [row.row["path"] for row, _ in case.failed]
    reasons = dict(zip(texts(failures["id"]), texts(failures["reason"])))
    for (row, stages), stage in zip(case.failed, texts(failures["stage"])):
        assert stage in stages, f"{row.id}: {reasons[row.id]}"
        assert len(reasons[row.id]) > 10
        assert str(case.dataset.manifest.parent) not in reasons[row.id]
    if "short" in reasons:
        assert "399" in reasons["short"] and str(case.configuration["frame"]["length"]) in reasons["short"]
    if "low-rate" in reasons:
        for word in ("8000", "16000", "audio.sample_rate"):
            assert word in reasons["low-rate"].replace(",", "").replace("8 kHz", "8000").replace("16 kHz", "16000")
    assert "3000" in reasons["nan"].replace(",", "")


# --------------------------------------------------------------------------------------------------------- the values


def undone(case, index):
    """A clip's features before normalisation, from the file alone."""
    values = case.clip(index).astype(np.float64)
    if case.configuration["normalize"]["scope"] == "none":
        return values
    statistics = case.file["statistics"]
    spread = np.where(statistics["std"][:] > 0, statistics["std"][:], 1)
    return values * spread + statistics["mean"][:]


def test_values_are_those_of_a_float64_reference(case):
    compared = 0
    for index, row in enumerate(case.stored):
        if row.rate == case.rate:
            channel = int(row.row["channel"]) if row.row.get("channel") else None
            x = reference.signal(case.configuration, row.samples, channel)
            reference.assert_features(case.configuration, undone(case, index), x, case.rate)
            compared += 1
    assert compared >= 5


def test_resampled_tones_are_the_tones_at_the_new_rate(case):
    """The recording at 8 kHz holds two tones; at 16 kHz they are the same tones, except for the ends."""
    if case.configuration["audio"]["sample_rate"] is None:
        assert "low-rate" in [row.id for row, _ in case.failed]
        return
    index = [row.id for row in case.stored].index("low-rate")
    x = tone(16000, 0.7, [500, 1200])
    expected = np.sqrt(np.maximum(reference.powers(case.configuration, x, 16000), case.configuration["scale"]["floor"]))
    found = reference.amplitudes(case.configuration, undone(case, index))
    inner = slice(6, -6)
    assert np.abs(found - expected)[inner].max() < 2e-3 * expected.max()


def test_statistics_are_those_of_the_train_split_before_normalisation(case, veery, dataset, tmp_path):
    statistics = case.file["statistics"]
    assert text(statistics.attrs["fit"]) == "train"
    raw = case.file
    if case.configuration["normalize"]["scope"] != "none":
        arguments, _ = CASES[case.name]
        veery("extract", dataset.manifest, "-o", tmp_path / "raw.h5", "--max-failures", "100%", *arguments,
              "--set", "normalize.scope=none")
        raw = h5py.File(tmp_path / "raw.h5")
    first, count = raw["clips/frame_start"][:], raw["clips/frame_count"][:]
    train = np.concatenate([
        raw["features"][first[i]:first[i] + count[i]]
        for i, split in enumerate(texts(raw["clips/split"])) if split == "train"]).astype(np.float64)
    assert statistics.attrs["count"] == len(train)
    scale = np.abs(train).max()
    for name, expected in [("mean", train.mean(axis=0)), ("std", train.std(axis=0)),
                           ("min", train.min(axis=0)), ("max", train.max(axis=0))]:
        assert statistics[name].dtype == np.dtype("<f8")
        assert statistics[name].shape == expected.shape
        assert np.abs(statistics[name][:] - expected).max() <= 1e-9 * scale, name
    if raw is not case.file:
        normalized = (raw["features"][:].astype(np.float64) - train.mean(axis=0)) / train.std(axis=0)
        assert np.allclose(case.file["features"][:], normalized, rtol=1e-6, atol=1e-6)
        raw.close()


# ----------------------------------------------------------------------------------------------------- the provenance


def test_the_configuration_is_the_effective_one(case):
    assert json.loads("".join(texts(case.file["provenance/configuration"]))) == case.configuration


def test_the_manifests_digest(case):
    digest = hashlib.sha256(case.dataset.manifest.read_bytes()).hexdigest()
    assert texts(case.file["provenance/manifest_sha256"]) == [digest]


def test_the_versions_of_the_software(case):
    software = " ".join(texts(case.file["provenance/software"])).lower()
    for name in ("veery", "libsndfile", "hdf5", "libdeflate", "soxr", "transform"):
        assert name in software


# ------------------------------------------------------------------------------------------------------ other readers


def test_h5dump_reads_it(case):
    if not shutil.which("h5dump"):
        pytest.skip("H5DUMP IS NOT INSTALLED (package hdf5-tools): the plain C library has not read this file")
    header = subprocess.run(["h5dump", "-H", case.path], capture_output=True, text=True)
    assert header.returncode == 0, header.stderr
    assert 'DATASET "features"' in header.stdout
    everything = subprocess.run(["h5dump", "-d", "/clips/id", case.path], capture_output=True, text=True)
    assert everything.returncode == 0 and '"mono' in everything.stdout


@pytest.mark.filterwarnings("ignore:The 'phony_dims' kwarg")
def test_xarray_names_the_axes(case):
    with xarray.open_dataset(case.path, engine="h5netcdf") as opened:
        features = opened["features"]
        assert features.dims == ("row", "frequency")
        assert "frequency" in features.coords
        assert np.array_equal(features.coords["frequency"], case.file["frequency"][:])
        assert np.array_equal(features, case.file["features"][:])


# ------------------------------------------------------------------------------------------------------ normalisation


def raw_and(veery, dataset, folder, *arguments):
    """The features before and after a normalisation; the open files."""
    common = ["extract", dataset.manifest, "--max-failures", "100%"]
    veery(*common, "-o", folder / "raw.h5", "--set", "normalize.scope=none")
    veery(*common, "-o", folder / "normalized.h5", *arguments)
    return h5py.File(folder / "raw.h5"), h5py.File(folder / "normalized.h5")


def formula(method, values, least, greatest, mean, std):
    spread = np.where(greatest > least, greatest - least, 1)
    return {
        "zscore": (values - mean) / np.where(std > 0, std, 1),
        "mean": values - mean,
        "minmax": (values - least) / spread,
        "range": 2 * (values - least) / spread - 1,
    }[method]


def pooled(statistics):
    """Statistics over all bins from those of each: every bin has as many values."""
    mean = statistics["mean"].mean()
    variance = (statistics["std"] ** 2 + (statistics["mean"] - mean) ** 2).mean()
    return {"min": statistics["min"].min(), "max": statistics["max"].max(), "mean": mean, "std": np.sqrt(variance)}


@pytest.mark.parametrize("axis", ["bin", "all"])
@pytest.mark.parametrize("method", ["zscore", "mean", "minmax", "range"])
def test_dataset_statistics_undo_every_method(veery, dataset, tmp_path, method, axis):
    raw, normalized = raw_and(
        veery, dataset, tmp_path, "--set", f"normalize.method={method}", "--set", f"normalize.axis={axis}")
    with raw, normalized:
        values = raw["features"][:].astype(np.float64)
        split = np.repeat(texts(raw["clips/split"]), raw["clips/frame_count"][:])
        train = values[split == "train"]
        over = 0 if axis == "bin" else None
        expected = formula(method, values, train.min(axis=over), train.max(axis=over), train.mean(axis=over), train.std(axis=over))
        assert np.allclose(normalized["features"][:], expected, rtol=1e-6, atol=1e-6)
        statistics = {name: normalized[f"statistics/{name}"][:] for name in ("min", "max", "mean", "std")}
        if axis == "all":
            statistics = pooled(statistics)
        again = formula(method, values, statistics["min"], statistics["max"], statistics["mean"], statistics["std"])
        assert np.allclose(again, expected, rtol=1e-9, atol=1e-9), "the statistics in the file do not undo it"


@pytest.mark.parametrize("axis", ["bin", "all"])
@pytest.mark.parametrize("method", ["zscore", "mean", "minmax", "range"])
def test_each_clip_by_its_own_statistics(veery, dataset, tmp_path, method, axis):
    raw, normalized = raw_and(
        veery, dataset, tmp_path, "--set", "normalize.scope=clip", "--set", f"normalize.method={method}",
        "--set", f"normalize.axis={axis}")
    over = 0 if axis == "bin" else None
    with raw, normalized:
        for clip, (start, count) in enumerate(zip(raw["clips/frame_start"][:], raw["clips/frame_count"][:])):
            values = raw["features"][start:start + count].astype(np.float64)
            expected = formula(
                method, values, values.min(axis=over), values.max(axis=over), values.mean(axis=over), values.std(axis=over))
            # A bin whose spread is that of rounding alone is not a fair question.
            fair = values.std(axis=over) > 1e-4 if count > 1 else np.full(values.shape[1:], True)
            found = normalized["features"][start:start + count]
            assert np.isfinite(found).all()
            # The rows without normalisation are rounded, those before it are not: what a digit is, in parts of the spread.
            digit = 2.0**-22 * np.abs(values).max() * np.abs(formula(
                method, np.ones_like(values), 0 * values.min(axis=over), values.max(axis=over) - values.min(axis=over),
                0 * values.mean(axis=over), values.std(axis=over)) + (method == "range"))
            close = np.abs(found - expected) <= 1e-5 + 1e-5 * np.abs(expected) + digit
            assert (close[:, fair] if axis == "bin" else close).all()
            # Undone by the file's own statistics, every value is that of the rows without normalisation, to their digits.
            own = {name: normalized[f"clips/statistics/{name}"][clip] for name in ("min", "max", "mean", "std")}
            if axis == "all":
                own = pooled(own)
            nothing = formula(method, np.zeros(values.shape), own["min"], own["max"], own["mean"], own["std"])
            one = formula(method, np.ones(values.shape), own["min"], own["max"], own["mean"], own["std"])
            undone = (found - nothing) / (one - nothing)
            assert (np.abs(undone - values) <= 2.0**-21 * np.abs(values).max()).all()


def test_without_a_split_column_all_clips_count(veery, tmp_path):
    write_wav(tmp_path / "a.wav", 16000, noise(21, 4000))
    write_wav(tmp_path / "b.wav", 16000, noise(22, 9000, 0.1))
    manifest = write_manifest(tmp_path / "m.csv", [{"path": "a.wav"}, {"path": "b.wav"}])
    veery("extract", manifest, "-o", tmp_path / "f.h5")
    with h5py.File(tmp_path / "f.h5") as file:
        assert file["statistics"].attrs["count"] == len(file["features"])
        assert np.allclose(file["features"][:].astype(np.float64).mean(axis=0), 0, atol=1e-5)
        assert np.allclose(file["features"][:].astype(np.float64).std(axis=0), 1, atol=1e-5)
        assert file["labels"].shape == (0,)
        assert file["clips/label_index"][:].tolist() == [-1, -1]
        assert file["failures/id"].shape == (0,)
        assert texts(file["clips/id"]) == ["a", "b"]


# -------------------------------------------------------------------------------------------- the same bytes, always


def test_jobs_do_not_change_a_byte(veery, dataset, tmp_path):
    digests = {}
    for jobs in (1, 2, 3):
        path = tmp_path / f"jobs-{jobs}.h5"
        veery("extract", dataset.manifest, "-o", path, "--max-failures", "100%", "--jobs", jobs)
        digests[jobs] = hashlib.sha256(path.read_bytes()).hexdigest()
    assert len(set(digests.values())) == 1, digests


@pytest.mark.parametrize("form", ["OGG", "MP3", "FLAC", "OPUS"])
def test_jobs_do_not_change_a_byte_of_compressed_segments(veery, tmp_path, form):
    # A decoder that goes on from where it stood may give other samples than one that jumped there.
    seconds, rate = 20, 16000
    sound = 0.3 * np.random.default_rng(7).standard_normal(seconds * rate).astype(np.float32)
    subtype = {"MP3": "MPEG_LAYER_III", "OGG": "VORBIS", "OPUS": "OPUS", "FLAC": "PCM_16"}[form]
    soundfile.write(tmp_path / "a.bin", sound, rate, format="OGG" if form == "OPUS" else form, subtype=subtype)
    rows = [{"path": "a.bin", "start": i / 10, "end": (i + 1) / 10} for i in range(10 * seconds - 2)]
    write_manifest(tmp_path / "m.csv", rows)
    digests = set()
    for jobs in (1, 2, 4):
        path = tmp_path / f"{jobs}.h5"
        veery("extract", tmp_path / "m.csv", "-o", path, "--jobs", jobs)
        digests.add(hashlib.sha256(path.read_bytes()).hexdigest())
    assert len(digests) == 1


def test_folders_and_times_do_not_change_a_byte(veery, tmp_path):
    contents = []
    for name, time in [("here", 1_000_000_000), ("somewhere else, deeper/down", 1_600_000_000)]:
        folder = tmp_path / name
        folder.mkdir(parents=True)
        manifest = build(folder).manifest
        for path in folder.rglob("*"):
            os.utime(path, (time, time))
        veery("extract", manifest, "-o", folder / "f.h5", "--max-failures", "100%")
        contents.append((folder / "f.h5").read_bytes())
        assert str(tmp_path).encode() not in contents[-1]
    assert contents[0] == contents[1]


@pytest.mark.parametrize("form", ["tsv", "jsonl", "csv with BOM and CRLF"])
def test_every_form_of_manifest_gives_the_same_clips(veery, dataset, tmp_path, form):
    rows = [row.row for row in dataset.rows]
    if form == "jsonl":
        manifest = tmp_path / "m.jsonl"
        numbers = ("start", "end")
        converted = [
            {k: float(v) if k in numbers else int(v) if k == "channel" else v for k, v in row.items()} for row in rows]
        manifest.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in converted), encoding="utf-8")
    elif form == "tsv":
        manifest = write_manifest(tmp_path / "m.tsv", rows, delimiter="\t")
    else:
        manifest = write_manifest(tmp_path / "m.csv", rows)
        manifest.write_bytes(b"\xef\xbb\xbf" + manifest.read_bytes())
    root = dataset.manifest.parent
    # Fields of the table hold tabs and line ends, so that they are quoted as in a CSV.
    quoting = ["--quoting", "csv"] if form == "tsv" else []
    veery("extract", manifest, *quoting, "--root", root, "-o", tmp_path / "f.h5", "--max-failures", "100%")
    veery("extract", dataset.manifest, "-o", tmp_path / "csv.h5", "--max-failures", "100%")
    with h5py.File(tmp_path / "f.h5") as file, h5py.File(tmp_path / "csv.h5") as expected:
        names = []
        expected.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
        for name in names:
            if name != "provenance/manifest_sha256" and name != "row":
                assert np.array_equal(file[name][()], expected[name][()]), name
