"""`veery export`: what NumPy and the standard library can check. Tests/Wheel/test_export.py has the programs that the formats
are for."""

import base64
import gzip
import io
import itertools
import json
import signal
import subprocess
import tarfile
import time
import zlib
from urllib.parse import unquote

import h5py
import numpy as np
import pytest
from conftest import noise, write_manifest, write_wav
from test_commands import digest

RATE = 16_000
FORMATS = ["npy", "safetensors", "kaldi", "webdataset", "lhotse", "zarr"]
VARIANTS = list(itertools.product(["packed", "fixed"], ["float32", "float16"], ["none", "deflate"]))
# What some format does not allow: dots, spaces, slashes, line breaks, percent signs, white space beyond ASCII, long names.
CLIPS = [("a.b c/d", 0.5, "owl"), ("a.c", 0.3, ""), ("ü%20\u3000x", 0.41, "wren\tx"), ("Z", 0.2, "owl"), ("plain", 0.8, ""),
         ("n" * 180, 0.6, "owl"), ("line\nbreak", 0.25, "a.b")]


def clips_of(path):
    """The clips of a feature file by their ids, in its order: rows as stored."""
    with h5py.File(path) as file:
        features = file["features"][:]
        rows = features.reshape(-1, features.shape[-1])
        ids = file["clips/id"].asstr()[:]
        return {name: rows[start:start + count]
                for name, start, count in zip(ids, file["clips/frame_start"][:], file["clips/frame_count"][:])}


def column(path, name):
    with h5py.File(path) as file:
        values = file[f"clips/{name}"]
        return list(values.asstr()[:] if values.dtype.kind == "S" else values[:])


def equal(a, b):
    """Equal to the bit, and in type."""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    rows = []
    for index, (name, seconds, label) in enumerate(CLIPS):
        write_wav(folder / f"{index}.wav", RATE, noise(index + 1, int(seconds * RATE)))
        rows.append({"path": f"{index}.wav", "id": name, "label": label, "split": ["train", "test", ""][index % 3],
                     "speaker": ["s 1", "", "s2"][index % 3], "text": f"word {index}  x"})
    write_manifest(folder / "clips.csv", rows)
    several = [{**row, "labels": json.dumps([["wren", "owl"], [], ["owl"]][index % 3])} for index, row in enumerate(rows)]
    write_manifest(folder / "several.csv", several)
    write_manifest(folder / "annotations.csv", [
        {"file": "0.wav", "onset": 0.1, "offset": 0.2, "label": "call"}, {"file": "4.wav", "onset": 0, "offset": 0.7, "label": "song"}])
    return folder


@pytest.fixture(scope="module")
def features(folder, veery):
    """Makes a feature file, once for each layout, type and compression; `options` as `extract` has them."""
    made = {}

    def make(layout="packed", element="float32", compression="none", *options, manifest="clips.csv"):
        key = layout, element, compression, options, manifest
        if key not in made:
            path = folder / f"{len(made)}.h5"
            duration = ["--set", "audio.duration=0.5"] if layout == "fixed" else []
            veery("extract", folder / manifest, "-o", path, "-q", "--set", f"store.layout={layout}", "--set",
                  f"store.type={element}", "--set", f"store.compression={compression}", *duration, *options)
            made[key] = path
        return made[key]

    return make


def description(export):
    return json.loads((export / "export.json").read_text("utf-8"))


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def tensors(path):
    """A safetensors file by its definition, with its metadata."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + length])
    types = {"F32": "<f4", "F16": "<f2", "F64": "<f8", "I64": "<i8", "I32": "<i4", "U8": "|u1"}
    metadata = header.pop("__metadata__")
    found, end = {}, 0
    for name, tensor in header.items():
        start, stop = tensor["data_offsets"]
        dtype = np.dtype(types[tensor["dtype"]])
        assert start == end and (8 + length + start) % dtype.itemsize == 0, name
        end = stop
        found[name] = np.frombuffer(data[8 + length + start:8 + length + stop], dtype).reshape(tensor["shape"])
    assert 8 + length + end == len(data) and all(type(value) is str for value in metadata.values())
    return found, metadata


def matrix(data, offset):
    """The Kaldi matrix at an offset, and the offset after it."""
    assert data[offset:offset + 6] == b"\0BFM \x04" and data[offset + 10] == 4
    rows, bins = (int.from_bytes(data[start:start + 4], "little") for start in (offset + 6, offset + 11))
    end = offset + 15 + 4 * rows * bins
    return np.frombuffer(data[offset + 15:end], "<f4").reshape(rows, bins), end


def table(path):
    """A Kaldi table: sorted, with an id and a value on each line."""
    rows = [line.partition(b" ")[::2] for line in path.read_bytes().split(b"\n")[:-1]]
    assert [name for name, _ in rows] == sorted(name for name, _ in rows)
    return {unquote(name.decode()): value.decode() for name, value in rows}


def samples(export):
    """Members of all shards by the keys of their samples, which have to be adjacent."""
    found, last = {}, None
    for shard in sorted(export.glob("*.tar")):
        with tarfile.open(shard) as tar:
            for member in tar:
                assert member.isreg() and member.mtime == 0 and "/" not in member.name
                key, _, extension = member.name.partition(".")
                assert key == last or key not in found, member.name
                found.setdefault(key, {})[extension] = tar.extractfile(member).read()
                last = key
    return {unquote(key): members for key, members in found.items()}


def zarr(export):
    """The arrays of a Kerchunk reference, by its definition."""
    reference = json.loads((export / "features.json").read_text("utf-8"))
    assert reference["version"] == 1
    refs, found = reference["refs"], {}
    with open(reference["templates"]["u"], "rb") as file:
        def content(value):
            if isinstance(value, str):
                assert value.startswith("base64:")
                return base64.b64decode(value[7:], validate=True)
            url, offset, count = value
            assert url == "{{u}}"
            file.seek(offset)
            data = file.read(count)
            assert len(data) == count
            return data

        for key in [key for key in refs if key.endswith("/.zarray")]:
            name, meta = key[:-8], json.loads(refs[key])
            dtype, shape, chunk = np.dtype(meta["dtype"]), meta["shape"], meta["chunks"]
            grid = [range(-(-extent // size)) for extent, size in zip(shape, chunk)]
            array = np.zeros([len(steps) * size for steps, size in zip(grid, chunk)], dtype)
            for index in itertools.product(*grid):
                data = content(refs[f"{name}/{'.'.join(map(str, index))}"])
                if meta["compressor"]:
                    data = zlib.decompress(data)
                if meta["filters"]:
                    assert meta["filters"] == [{"id": "shuffle", "elementsize": dtype.itemsize}]
                    data = np.frombuffer(data, np.uint8).reshape(dtype.itemsize, -1).T.tobytes()
                array[tuple(slice(i * size, (i + 1) * size) for i, size in zip(index, chunk))] = (
                    np.frombuffer(data, dtype).reshape(chunk))
            found[name] = array[tuple(slice(extent) for extent in shape)]
            assert len(json.loads(refs[f"{name}/.zattrs"])["_ARRAY_DIMENSIONS"]) == len(shape)
    return found


# The rows of every format, for every way of storing them


@pytest.mark.parametrize("variant", VARIANTS, ids="-".join)
def test_rows_are_equal_to_the_bit(features, veery, tmp_path, variant):
    source = features(*variant)
    expected = clips_of(source)
    for form in FORMATS:
        veery("export", source, "--to", form, "-o", tmp_path / form)
        assert set(description(tmp_path / form)["files"]) == {path.name for path in (tmp_path / form).iterdir()}

    whole = np.load(tmp_path / "npy/features.npy")
    table_of_clips = lines(tmp_path / "npy/clips.jsonl")
    assert [clip["id"] for clip in table_of_clips] == list(expected)
    rows = whole.reshape(-1, whole.shape[-1])
    for clip in table_of_clips:
        assert equal(rows[clip["frame_start"]:clip["frame_start"] + clip["frame_count"]], expected[clip["id"]])
    if variant[0] == "fixed":
        with h5py.File(source) as file:
            assert equal(whole, file["features"][:])
    else:
        assert len(whole) == sum(map(len, expected.values()))

    found, metadata = tensors(tmp_path / "safetensors/features.safetensors")
    assert equal(found["features"], whole) and json.loads(metadata["ids"]) == list(expected)
    assert list(found["frame_start"]) == [clip["frame_start"] for clip in table_of_clips]
    assert list(found["frame_count"]) == [len(rows) for rows in expected.values()]

    data = (tmp_path / "kaldi/feats.ark").read_bytes()
    offset = 0
    for name, rows in expected.items():
        space = data.index(b" ", offset)
        assert unquote(data[offset:space].decode()) == name
        read, offset = matrix(data, space + 1)
        assert equal(read, rows.astype(np.float32))
    assert offset == len(data)

    by_key = samples(tmp_path / "webdataset")
    assert list(by_key) == list(expected)
    for name, members in by_key.items():
        assert equal(np.load(io.BytesIO(members["npy"])), expected[name])

    with h5py.File(source) as file:
        arrays = zarr(tmp_path / "zarr")
        assert equal(arrays["features"], file["features"][:])
        assert equal(arrays["frame_start"], file["clips/frame_start"][:])
        assert [text.decode() for text in arrays["id"]] == list(expected)

    with gzip.open(tmp_path / "lhotse/cuts.jsonl.gz", "rt", encoding="utf-8") as file:
        cuts = [json.loads(line) for line in file]
    with h5py.File(source) as file:
        rows = file["features"][:].reshape(-1, file["features"].shape[-1])
        checksum, ids, sums = file.attrs["metadata_xxh3"], file["clips/id"].asstr()[:], file["clips/tensor_xxh3"].asstr()[:]
    for cut, (name, own) in zip(cuts, expected.items(), strict=True):
        row, count, start, clip, own_start = cut["features"]["storage_key"].split(",")
        assert cut["id"] == name and checksum.startswith(start) and len(start) == 16
        assert ids[int(clip)] == name and sums[int(clip)].startswith(own_start) and len(own_start) == 16
        assert equal(rows[int(row):int(row) + int(count)], own)
        assert cut["features"]["num_frames"] == len(own) and cut["features"]["storage_path"] == str(source)
        assert cut["duration"] == cut["features"]["duration"] == pytest.approx(len(own) * 0.01, abs=1e-12)


def test_the_same_export_has_the_same_bytes(features, veery, tmp_path):
    for form in FORMATS:
        files = []
        for name in ("one", "two"):
            (tmp_path / name).mkdir(exist_ok=True)
            veery("export", features(), "--to", form, "-o", form, folder=tmp_path / name)
            files.append({path.name: digest(path) for path in (tmp_path / name / form).iterdir()})
        assert files[0] == files[1]


# What belongs to the rows


def test_the_columns_of_clips(features, veery, tmp_path):
    source = features()
    veery("export", source, "--to", "npy", "-o", tmp_path / "npy")
    clips = lines(tmp_path / "npy/clips.jsonl")
    for name in ("id", "path", "label", "label_index", "split", "start", "duration", "sample_rate", "channels", "frame_count"):
        assert [clip[name] for clip in clips] == column(source, name), name
    assert [clip["extra"] for clip in clips] == [
        {"speaker": speaker, "text": text}
        for speaker, text in zip(column(source, "extra/speaker"), column(source, "extra/text"))]
    about = description(tmp_path / "npy")
    with h5py.File(source) as file:
        assert about["labels"] == list(file["labels"].asstr()[:]) and about["source_metadata_xxh3"] == file.attrs["metadata_xxh3"]
        assert about["configuration"] == json.loads(file["provenance/configuration"].asstr()[()])
        assert np.array_equal(np.float32(about["frequency"]), file["frequency"][:])
        for name in ("mean", "std", "min", "max"):
            assert np.allclose(about["statistics"][name], file[f"statistics/{name}"][:], rtol=1e-7, atol=0)
        assert about["statistics"]["mean"] == list(file["statistics/mean"][:])
        assert about["units"] == file["features"].attrs["units"]


def test_the_columns_of_tensors(features, veery, tmp_path):
    source = features()
    veery("export", source, "--to", "safetensors", "-o", tmp_path / "s")
    found, metadata = tensors(tmp_path / "s/features.safetensors")
    with h5py.File(source) as file:
        for name in ("start", "duration", "label_index"):
            assert equal(found[name], file[f"clips/{name}"][:])
        assert equal(found["frequency"], file["frequency"][:])
        assert equal(found["statistics"], np.stack([file[f"statistics/{name}"][:] for name in ("mean", "std", "min", "max")]))
        assert json.loads(metadata["labels"]) == list(file["labels"].asstr()[:])
        assert metadata["configuration"] == file["provenance/configuration"].asstr()[()]
    splits = json.loads(metadata["splits"])
    assert splits == ["test", "train"]
    assert [splits[index] if index >= 0 else "" for index in found["split_index"]] == column(source, "split")


def test_several_labels_statistics_of_clips_and_labels_of_frames(features, folder, veery, tmp_path):
    for layout, compression in itertools.product(("packed", "fixed"), ("none", "deflate")):
        source = features(layout, "float32", compression, "--set", "normalize.scope=clip", "--frame-labels",
                          folder / "annotations.csv", manifest="several.csv")
        exports = tmp_path / f"{layout}-{compression}"
        exports.mkdir()
        for form in FORMATS:
            veery("export", source, "--to", form, "-o", exports / form)
        with h5py.File(source) as file:
            labels, per_clip = file["labels"].asstr()[:], file["clips/label_matrix"][:]
            statistics = np.stack([file[f"clips/statistics/{name}"][:] for name in ("mean", "std", "min", "max")], 1)
            start, count = file["clips/frame_start"][:], file["clips/frame_count"][:]
            stored = file["frame_label"][:].reshape(-1)
            frame_labels = [stored[first:first + number] for first, number in zip(start, count)]
            names = file["frame_label_names"].asstr()[:]
            arrays = zarr(exports / "zarr")
            assert equal(arrays["label_matrix"], per_clip) and equal(arrays["frame_label"], file["frame_label"][:])
            assert equal(arrays["clip_mean"], file["clips/statistics/mean"][:])
        assert any((own >= 0).any() for own in frame_labels) and per_clip.any()
        clips = lines(exports / "npy/clips.jsonl")
        found, metadata = tensors(exports / "safetensors/features.safetensors")
        for matrix_of_labels in (np.load(exports / "npy/label_matrix.npy"), found["label_matrix"]):
            assert equal(matrix_of_labels, per_clip)
        for values in (np.load(exports / "npy/clip_statistics.npy"), found["clip_statistics"]):
            assert equal(values, statistics)
        for values in (np.load(exports / "npy/frame_label.npy"), found["frame_label"]):
            assert values.dtype == np.int32 and values.shape == np.load(exports / "npy/features.npy").shape[:-1]
            flat = values.reshape(-1)
            for clip, own in zip(clips, frame_labels):
                assert np.array_equal(flat[clip["frame_start"]:clip["frame_start"] + clip["frame_count"]], own)
        assert json.loads(metadata["frame_label_names"]) == list(names) == description(exports / "npy")["frame_label_names"]
        by_key = samples(exports / "webdataset")
        utt2label = table(exports / "kaldi/utt2label")
        with gzip.open(exports / "lhotse/cuts.jsonl.gz", "rt", encoding="utf-8") as lhotse:
            cuts = [json.loads(line) for line in lhotse]
        for clip, row, own, cut in zip(clips, per_clip, frame_labels, cuts, strict=True):
            assert clip["labels"] == list(labels[row != 0]) == cut["supervisions"][0]["custom"]["labels"]
            assert np.array_equal(np.load(io.BytesIO(by_key[clip["id"]]["frame_label.npy"])), own)
            assert [unquote(word) for word in utt2label.get(clip["id"], "").split()] == clip["labels"]


def test_frames_past_the_end_of_a_clip_have_no_label(features, folder, veery, tmp_path):
    source = features("fixed", "float32", "none", "--frame-labels", folder / "annotations.csv")
    for form in ("npy", "safetensors"):
        veery("export", source, "--to", form, "-o", tmp_path / form)
    labels = np.load(tmp_path / "npy/frame_label.npy")
    assert equal(tensors(tmp_path / "safetensors/features.safetensors")[0]["frame_label"], labels)
    counts = column(source, "frame_count")
    assert labels.shape[0] == len(counts) and (labels != -1).any() and min(counts) < labels.shape[1]
    assert all((own[count:] == -1).all() for own, count in zip(labels, counts))


def test_the_tables_of_kaldi(features, veery, tmp_path):
    source = features()
    veery("export", source, "--to", "kaldi", "-o", "data/all", folder=tmp_path, status=1)
    (tmp_path / "data").mkdir()
    veery("export", source, "--to", "kaldi", "-o", "data/all/", folder=tmp_path)
    export, expected = tmp_path / "data/all", clips_of(source)
    assert {path.name for path in export.iterdir()} == {
        "feats.ark", "feats.scp", "utt2num_frames", "utt2dur", "utt2label", "text", "utt2spk", "spk2utt", "frame_shift", "export.json"}
    ids, labels = column(source, "id"), column(source, "label")
    data = (export / "feats.ark").read_bytes()
    for name, address in table(export / "feats.scp").items():
        path, _, offset = address.rpartition(":")
        assert path == "data/all/feats.ark" and equal(matrix(data, int(offset))[0], expected[name])
    assert table(export / "utt2num_frames") == {name: str(len(rows)) for name, rows in expected.items()}
    assert {name: float(text) for name, text in table(export / "utt2dur").items()} == dict(zip(ids, column(source, "duration")))
    assert {name: unquote(text) for name, text in table(export / "utt2label").items()} == {
        name: label for name, label in zip(ids, labels) if label}
    assert table(export / "text") == {name: " ".join(text.split()) for name, text in zip(ids, column(source, "extra/text"))}
    assert {name: unquote(text) for name, text in table(export / "utt2spk").items()} == {
        name: speaker or name for name, speaker in zip(ids, column(source, "extra/speaker"))}
    speakers = table(export / "spk2utt")
    assert list(speakers) == sorted(speakers) and sum(len(own.split()) for own in speakers.values()) == len(ids)
    for speaker, own in speakers.items():
        of_speaker = [name for name, other in table(export / "utt2spk").items() if unquote(other) == speaker]
        assert [unquote(name) for name in own.split()] == of_speaker
    assert float((export / "frame_shift").read_text()) == 0.01
    # Nothing in an id, a label or a speaker divides words or lines.
    for path in ("feats.scp", "utt2label", "utt2spk"):
        for line in (export / path).read_text("utf-8").splitlines():
            assert len(line.split()) == 2


@pytest.fixture(scope="module")
def speech(folder, veery):
    """A feature file with the columns of Hugging Face, Kaldi and lhotse."""
    rows = [{"path": f"{index}.wav", "id": f"u{index}", "transcription": f"word {index}", "speaker": "sb"[index % 2], "gender": gender,
             "language": ["en", "", "de"][index], "alignment": json.dumps({"word": [["word", 0.1, 0.2, None]] if index else [[]]}),
             "snr": ["20", "", "7.5"][index], "tags": '["a", "b"]', "code": ["1", "x", "2"][index]}
            for index, gender in enumerate(["", "f", "m"])]
    veery("extract", write_manifest(folder / "speech.csv", rows), "-o", folder / "speech.h5", "-q")
    return folder / "speech.h5"


def test_speakers_genders_and_languages_for_kaldi(speech, veery, tmp_path):
    said = veery("export", speech, "--to", "kaldi", "-o", tmp_path / "k").stderr
    assert {name: (tmp_path / "k" / name).read_text() for name in ("text", "utt2spk", "spk2utt", "spk2gender", "utt2lang")} == {
        "text": "u0 word 0\nu1 word 1\nu2 word 2\n", "utt2spk": "u0 s\nu1 b\nu2 s\n", "spk2utt": "b u1\ns u0 u2\n",
        "spk2gender": "b f\ns m\n", "utt2lang": "u0 en\nu2 de\n"}
    assert "note: 4 columns have no table in Kaldi, and are not exported: 'alignment', 'code', 'snr', 'tags'; --to npy has all columns" in said
    veery("export", speech, "--to", "npy", "-o", tmp_path / "all")
    assert {"alignment", "code", "snr", "tags"} <= set(lines(tmp_path / "all/clips.jsonl")[0]["extra"])


def test_a_speaker_with_two_genders_has_the_first_and_a_note(folder, veery, tmp_path):
    rows = [{"path": f"{index}.wav", "id": f"u{index}", "speaker": "sbs"[index], "gender": gender} for index, gender in enumerate("fmm")]
    veery("extract", write_manifest(folder / "genders.csv", rows), "-o", tmp_path / "f.h5", "-q")
    said = veery("export", tmp_path / "f.h5", "--to", "kaldi", "-o", tmp_path / "k").stderr
    assert (tmp_path / "k/spk2gender").read_text() == "b m\ns f\n"
    assert "note: 1 speaker has clips of several genders, of which spk2gender has the first: 's'" in said


def test_fields_of_lhotse(speech, veery, tmp_path):
    assert "note:" not in veery("export", speech, "--to", "lhotse", "-o", tmp_path / "l").stderr
    with gzip.open(tmp_path / "l/cuts.jsonl.gz", "rt", encoding="utf-8") as file:
        own = [json.loads(line)["supervisions"][0] for line in file]
    assert [(one["text"], one["speaker"], one.get("gender"), one.get("language")) for one in own] == [
        ("word 0", "s", None, "en"), ("word 1", "b", "f", None), ("word 2", "s", "m", "de")]
    aligned = {"word": [["word", 0.1, 0.2, None]]}
    assert [one.get("alignment") for one in own] == [None, aligned, aligned]
    # Numbers and lists are no texts; a column of which one value is a text has texts.
    assert [(one["custom"]["snr"], one["custom"]["tags"], one["custom"]["code"]) for one in own] == [
        (20, ["a", "b"], "1"), (None, ["a", "b"], "x"), (7.5, ["a", "b"], "2")]
    assert not {"gender", "language", "transcription"} & set(own[1]["custom"])


def test_an_export_without_words_says_so(folder, veery, tmp_path):
    write_manifest(folder / "words.csv", [{"path": "0.wav", "wording": "a b"}])
    veery("extract", folder / "words.csv", "-o", tmp_path / "w.h5", "-q")
    for form in ("kaldi", "lhotse"):
        said = veery("export", tmp_path / "w.h5", "--to", form, "-o", tmp_path / form).stderr
        assert "note: no transcripts are exported, since the feature file has none of the columns 'text', 'transcript'" in said
        assert "extract with --column text=COLUMN" in said
    veery("extract", folder / "words.csv", "-o", tmp_path / "w.h5", "-q", "--overwrite", "--column", "text=wording")
    said = veery("export", tmp_path / "w.h5", "--to", "kaldi", "-o", tmp_path / "kaldi", "--overwrite").stderr
    assert "note:" not in said and (tmp_path / "kaldi/text").read_text().split(" ", 1)[1] == "a b\n"


def test_the_members_of_webdataset(features, veery, tmp_path):
    source = features()
    veery("export", source, "--to", "webdataset", "-o", tmp_path / "w")
    labels = dict(zip(column(source, "id"), column(source, "label_index")))
    for name, members in samples(tmp_path / "w").items():
        assert list(members) == (["npy", "cls", "json"] if labels[name] >= 0 else ["npy", "json"])
        assert labels[name] < 0 or members["cls"] == str(labels[name]).encode()
        assert json.loads(members["json"])["id"] == name


def test_shards_are_no_larger_than_asked(features, veery, tmp_path):
    source = features()
    expected = clips_of(source)
    veery("export", source, "--to", "webdataset", "-o", tmp_path / "w", "--shard-size", "50kB")
    shards = sorted((tmp_path / "w").glob("*.tar"))
    assert [shard.name for shard in shards] == [f"features-{index:06}.tar" for index in range(len(shards))] and len(shards) > 2
    assert all(shard.stat().st_size <= 50_000 for shard in shards)
    assert {name: np.load(io.BytesIO(members["npy"])).tobytes() for name, members in samples(tmp_path / "w").items()} == {
        name: rows.tobytes() for name, rows in expected.items()}
    # A clip that is larger than a shard has one for itself.
    veery("export", source, "--to", "webdataset", "-o", tmp_path / "v", "--shard-size", "1KiB")
    assert len(list((tmp_path / "v").glob("*.tar"))) == len(expected)


def test_cuts_have_words_labels_and_speakers(features, veery, tmp_path):
    source = features()
    veery("export", source, "--to", "lhotse", "-o", tmp_path / "l")
    with gzip.open(tmp_path / "l/cuts.jsonl.gz", "rt", encoding="utf-8") as file:
        cuts = [json.loads(line) for line in file]
    for cut, label, text, speaker in zip(
            cuts, column(source, "label"), column(source, "extra/text"), column(source, "extra/speaker"), strict=True):
        [supervision] = cut["supervisions"]
        assert (supervision["text"], supervision["custom"]["label"], supervision.get("speaker", "")) == (text, label, speaker)
        assert supervision["duration"] == cut["duration"] and cut["features"]["sampling_rate"] == RATE


@pytest.mark.parametrize("preset", ["musical-spectrum", "mixer-fft", "scrolling-dct", "librosa-log-mel", "live-waveform"])
def test_frame_shifts_are_whole_numbers_of_samples(veery, tmp_path, preset):
    """lhotse refuses others. Where the preset resamples, the export states a rate at which the shift is a whole number."""
    write_wav(tmp_path / "n.wav", RATE, noise(1, 3 * RATE))
    write_manifest(tmp_path / "m.csv", [{"path": "n.wav"}])
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "-q", "--preset", preset)
    veery("export", tmp_path / "f.h5", "--to", "lhotse", "-o", tmp_path / "l")
    with gzip.open(tmp_path / "l/cuts.jsonl.gz", "rt", encoding="utf-8") as file:
        own = json.loads(next(file))["features"]
    hop = round(own["frame_shift"] * own["sampling_rate"], 12)
    assert hop == int(hop) and round(own["duration"] * own["sampling_rate"]) == own["num_frames"] * hop


# Which clips


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "zarr"])
@pytest.mark.parametrize("variant", [("packed", "float32", "none"), ("fixed", "float16", "deflate")], ids="-".join)
def test_only_the_clips_of_a_split_or_label(features, veery, tmp_path, form, variant):
    source = features(*variant)
    everything = clips_of(source)
    columns = zip(everything, column(source, "split"), column(source, "label"))
    wanted = {"split": [], "label": [], "both": [], "none": []}
    for name, split, label in columns:
        wanted["split"] += [name] if split == "train" else []
        wanted["label"] += [name] if label == "owl" else []
        wanted["both"] += [name] if split == "train" and label == "owl" else []
        wanted["none"] += [name] if split == "" else []
    options = {"split": ["--split", "train"], "label": ["--label", "owl"], "both": ["--split", "train", "--label", "owl"],
               "none": ["--split", ""]}
    for key, names in wanted.items():
        assert 0 < len(names) < len(everything)
        export = tmp_path / key
        veery("export", source, "--to", form, "-o", export, *options[key])
        if form == "npy":
            clips, array = lines(export / "clips.jsonl"), np.load(export / "features.npy")
            rows = array.reshape(-1, array.shape[-1])
            found = {clip["id"]: rows[clip["frame_start"]:clip["frame_start"] + clip["frame_count"]] for clip in clips}
        elif form == "safetensors":
            arrays, metadata = tensors(export / "features.safetensors")
            rows = arrays["features"].reshape(-1, arrays["features"].shape[-1])
            found = {name: rows[start:start + count] for name, start, count in zip(
                json.loads(metadata["ids"]), arrays["frame_start"], arrays["frame_count"])}
        elif form == "kaldi":
            data = (export / "feats.ark").read_bytes()
            addresses = table(export / "feats.scp")
            found = {name: matrix(data, int(addresses[name].rpartition(":")[2]))[0] for name in names}
            assert len(addresses) == len(names)
        elif form == "webdataset":
            found = {name: np.load(io.BytesIO(members["npy"])) for name, members in samples(export).items()}
        else:
            with gzip.open(export / "cuts.jsonl.gz", "rt", encoding="utf-8") as file:
                assert [json.loads(line)["id"] for line in file] == names
            continue
        assert list(found) == names
        for name in names:
            own = everything[name]
            assert equal(found[name], own.astype(np.float32) if form == "kaldi" else own)
        assert description(export)["clips"] == len(names)


def test_an_unknown_split_or_label_names_those_that_there_are(features, veery, tmp_path):
    result = veery("export", features(), "--to", "npy", "-o", tmp_path / "n", "--split", "dev", status=1)
    assert "no clip is in the split 'dev'; expected one of: test, train" in result.stderr
    result = veery("export", features(), "--to", "npy", "-o", tmp_path / "n", "--label", "robin", status=1)
    assert "no clip has the label 'robin'; expected one of: a.b, owl, wren" in result.stderr
    result = veery("export", features(), "--to", "npy", "-o", tmp_path / "n", "--label", "a.b", "--split", "test", status=1)
    assert "no clip of the split 'test' has the label 'a.b'" in result.stderr
    result = veery("export", features(), "--to", "zarr", "-o", tmp_path / "n", "--split", "test", status=64)
    assert "covers the whole feature file" in result.stderr
    veery("export", features(), "--to", "npy", "-o", tmp_path / "n", "--shard-size", "1GB", status=64)
    veery("export", features(), "--to", "parquet", "-o", tmp_path / "n", status=64)
    veery("export", features(), "--to", "webdataset", "-o", tmp_path / "n", "--shard-size", "0", status=64)
    assert not list(tmp_path.iterdir())


def test_control_characters_are_escaped(folder, veery, tmp_path):
    name = "a\x01\x1f\x7f\t\"\\b"
    (tmp_path / "m.jsonl").write_text(json.dumps({"path": str(folder / "0.wav"), "id": name, "label": name}) + "\n")
    veery("extract", tmp_path / "m.jsonl", "-o", tmp_path / "f.h5", "-q")
    for form in FORMATS:
        veery("export", tmp_path / "f.h5", "--to", form, "-o", tmp_path / form)
    assert [line["id"] for line in lines(tmp_path / "npy/clips.jsonl")] == [name]
    assert json.loads(tensors(tmp_path / "safetensors/features.safetensors")[1]["ids"]) == [name]
    assert description(tmp_path / "webdataset")["labels"] == [name] and json.loads((tmp_path / "zarr/features.json").read_text())
    assert unquote((tmp_path / "kaldi/feats.scp").read_text().split(" ")[0]) == name
    with gzip.open(tmp_path / "lhotse/cuts.jsonl.gz", "rt", encoding="utf-8") as file:
        assert json.loads(file.read())["id"] == name


def test_a_few_of_many_clips(folder, veery, tmp_path):
    """Columns are read 1,024 clips at a time, ids and splits 8,192."""
    ids = [f"{index:05}" for index in range(9000)]
    chosen = sorted({0, 1023, 1024, 5000, 8191, 8192, 8999})
    rows = [{"path": folder / f"{index % 2}.wav", "start": 0, "end": 0.03 + 0.01 * (index % 3), "id": name,
             "label": "x" if index in chosen else "", "split": "late" if index == 8999 else ""}
            for index, name in enumerate(ids)]
    veery("extract", write_manifest(tmp_path / "m.csv", rows), "-o", tmp_path / "f.h5", "-q", "--set", "normalize.scope=none")
    own = clips_of(tmp_path / "f.h5")
    assert list(own) == ids
    for form in ("npy", "safetensors"):
        veery("export", tmp_path / "f.h5", "--to", form, "-o", tmp_path / form, "--label", "x")
    table = lines(tmp_path / "npy/clips.jsonl")
    assert [line["id"] for line in table] == [ids[index] for index in chosen]
    found, metadata = tensors(tmp_path / "safetensors/features.safetensors")
    assert json.loads(metadata["ids"]) == [line["id"] for line in table] and metadata["splits"] == '["late"]'
    expected = np.concatenate([own[line["id"]] for line in table])
    assert equal(np.load(tmp_path / "npy/features.npy"), expected) and equal(found["features"], expected)
    assert list(found["frame_start"]) == [line["frame_start"] for line in table]


@pytest.mark.parametrize("layout", ["packed", "fixed"])
def test_a_file_without_clips(veery, tmp_path, layout):
    (tmp_path / "noise.wav").write_text("noise")
    write_manifest(tmp_path / "m.csv", [{"path": "noise.wav", "id": "x"}])
    options = ["--set", "store.layout=fixed", "--set", "audio.duration=1"] if layout == "fixed" else []
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "-q", "--max-failures", "1", *options)
    for form in FORMATS:
        result = veery("export", tmp_path / "f.h5", "--to", form, "-o", tmp_path / form)
        assert "has no clips: the export is empty" in result.stderr
    assert np.load(tmp_path / "npy/features.npy").shape == ((0, 80) if layout == "packed" else (0, 98, 80))
    assert tensors(tmp_path / "safetensors/features.safetensors")[0]["features"].shape[0] == 0
    assert (tmp_path / "kaldi/feats.ark").read_bytes() == (tmp_path / "kaldi/feats.scp").read_bytes() == b""
    assert samples(tmp_path / "webdataset") == {} and gzip.open(tmp_path / "lhotse/cuts.jsonl.gz").read() == b""
    assert zarr(tmp_path / "zarr")["features"].shape[0] == 0


# The folder


def test_an_existing_folder(features, veery, tmp_path):
    source, output = features(), tmp_path / "out"
    output.mkdir()
    veery("export", source, "--to", "npy", "-o", output)
    assert "exists and is not empty; --overwrite replaces it" in veery(
        "export", source, "--to", "kaldi", "-o", output, status=1).stderr
    veery("export", source, "--to", "kaldi", "-o", output, "--overwrite")
    assert (output / "feats.scp").exists() and not (output / "features.npy").exists()
    (output / "mine.txt").write_text("mine")
    result = veery("export", source, "--to", "npy", "-o", output, "--overwrite", status=1)
    assert "expected a folder that 'veery export' wrote, found 'mine.txt' in it" in result.stderr
    other = tmp_path / "other"
    other.mkdir()
    (other / "a").write_text("")
    veery("export", source, "--to", "npy", "-o", other, "--overwrite", status=1)
    veery("export", source, "--to", "npy", "-o", other / "a", "--overwrite", status=1)
    foreign = tmp_path / "foreign"  # another program's description of its files
    foreign.mkdir()
    (foreign / "export.json").write_text('{"generator": "other 1.0", "files": ["export.json"]}')
    veery("export", source, "--to", "npy", "-o", foreign, "--overwrite", status=1)
    assert [path.name for path in foreign.iterdir()] == ["export.json"]
    veery("export", source, "--to", "npy", "-o", ".", folder=other, status=1)
    veery("export", source, "--to", "npy", "-o", tmp_path / "no/such", status=1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["foreign", "other", "out"]
    assert (other / "a").read_text() == "" and (output / "mine.txt").read_text() == "mine"


def test_paths_that_a_format_cannot_hold(features, veery, tmp_path):
    for name, character in [("a|b", "'|'"), ("a\nb", "line break")]:
        (tmp_path / name).mkdir()
        shown = veery("export", features(), "--to", "kaldi", "-o", tmp_path / name / "x", status=1)
        assert character in shown.stderr and not list((tmp_path / name).iterdir())
    for name in ("a::b", "a{{b}}"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "f.h5").symlink_to(features())
        shown = veery("export", tmp_path / name / "f.h5", "--to", "zarr", "-o", tmp_path / "reference", status=1)
        assert f"'{name[1:3]}'" in shown.stderr and not (tmp_path / "reference").exists()


def test_other_files_are_refused(folder, veery, tmp_path):
    assert "a manifest by its name" in veery(
        "export", folder / "clips.csv", "--to", "npy", "-o", tmp_path / "n", status=1).stderr
    veery("export", tmp_path / "missing.h5", "--to", "npy", "-o", tmp_path / "n", status=1)
    assert not list(tmp_path.iterdir())


def test_damaged_statistics_are_not_copied(features, veery, tmp_path):
    (tmp_path / "f.h5").write_bytes(features().read_bytes())
    with h5py.File(tmp_path / "f.h5", "a") as file:
        file["statistics/mean"][7] += 1
    for form in FORMATS:
        assert "damaged" in veery("export", tmp_path / "f.h5", "--to", form, "-o", tmp_path / form, status=1).stderr
    assert [path.name for path in tmp_path.iterdir()] == ["f.h5"]


def test_damaged_rows_are_not_copied(features, veery, tmp_path):
    source = tmp_path / "f.h5"
    data = bytearray(features().read_bytes())
    with h5py.File(features()) as file:
        offset = file["features"].id.get_offset() + 4 * 80 * int(file["clips/frame_start"][3]) + 17
    data[offset] ^= 4
    source.write_bytes(data)
    for form in ("npy", "safetensors", "kaldi", "webdataset"):
        assert "the rows of clip 'Z' do not match their tensor_xxh3" in veery(
            "export", source, "--to", form, "-o", tmp_path / form, status=1).stderr
    # Formats that do not copy rows do not read them; and other clips can be exported.
    veery("export", source, "--to", "zarr", "-o", tmp_path / "zarr")
    veery("export", source, "--to", "npy", "-o", tmp_path / "test", "--split", "test")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.h5", "test", "zarr"]


def test_incompressible_chunks_in_a_reference(features, veery, tmp_path):
    """Chunks that deflate could not shrink are stored without it; a reference cannot say so, and holds them itself."""
    source = tmp_path / "f.h5"
    source.write_bytes(features("packed", "float16", "deflate").read_bytes())
    with h5py.File(source, "r+") as file:
        own = file["features"]
        expected = own[:]
        mask, data = own.id.read_direct_chunk((0, 0))
        assert mask == 0
        own.id.write_direct_chunk((0, 0), zlib.decompress(data), filter_mask=2)
    veery("export", source, "--to", "zarr", "-o", tmp_path / "z")
    with h5py.File(source) as file:
        assert equal(file["features"][:], expected) and equal(zarr(tmp_path / "z")["features"], expected)
    refs = json.loads((tmp_path / "z/features.json").read_text())["refs"]
    inline = [key for key, value in refs.items() if key.startswith("features/") and str(value).startswith("base64:")]
    assert inline == ["features/0.0"]
    # Without shuffling, a chunk could not be unpacked as the others are: the bytes of a value follow one another.
    plain = np.frombuffer(zlib.decompress(data), "u1").reshape(expected.dtype.itemsize, -1).T.tobytes()
    with h5py.File(source, "r+") as file:
        file["features"].id.write_direct_chunk((0, 0), zlib.compress(plain), filter_mask=1)
    assert "stored without a filter that the others have, which a reference cannot say: export it --to npy" in veery(
        "export", source, "--to", "zarr", "-o", tmp_path / "y", status=1).stderr
    veery("export", source, "--to", "npy", "-o", tmp_path / "npy")
    clips = clips_of(features("packed", "float16", "deflate"))
    assert len(np.load(tmp_path / "npy/features.npy")) == sum(map(len, clips.values()))


def test_a_file_in_a_newer_form_of_hdf5(features, veery, tmp_path):
    """Other programs may rewrite a file in a form whose chunks are listed otherwise."""
    old = features("packed", "float32", "deflate")
    with h5py.File(old) as file, h5py.File(tmp_path / "f.h5", "w", libver="latest") as new:
        for name in file:
            file.copy(name, new)
        for name, value in file.attrs.items():
            new.attrs[name] = value
        expected = file["features"][:]
    for form in ("zarr", "npy"):
        veery("export", tmp_path / "f.h5", "--to", form, "-o", tmp_path / form)
    assert equal(zarr(tmp_path / "zarr")["features"], expected)
    assert len(np.load(tmp_path / "npy/features.npy")) == sum(map(len, clips_of(old).values()))


@pytest.fixture(scope="module")
def large(tmp_path_factory, veery):
    """A feature file of 120 MB, packed; and the same rows fixed, compressed."""
    folder = tmp_path_factory.mktemp("large")
    write_wav(folder / "a.wav", RATE, noise(1, 60 * RATE))
    write_manifest(folder / "m.csv", [{"path": "a.wav", "id": f"{index:02}"} for index in range(20)])
    veery("extract", folder / "m.csv", "-o", folder / "f.h5", "-q", "--set", "transform.kind=fft", "--set", "normalize.scope=none")
    return folder / "f.h5"


@pytest.mark.long
@pytest.mark.parametrize("form", FORMATS)
def test_memory_does_not_grow_with_the_file(large, program, features, tmp_path, peak_memory, form):
    small = peak_memory(program, "export", features(), "--to", form, "-o", tmp_path / "small", "-q")
    assert peak_memory(program, "export", large, "--to", form, "-o", tmp_path / "large", "-q") < small + 16e6


def test_a_clip_that_is_larger_than_what_is_read_at_a_time(large, veery, tmp_path):
    veery("export", large, "--to", "npy", "-o", tmp_path / "n")
    with h5py.File(large) as file:
        assert file["clips/frame_count"][0] * 257 * 4 > 1 << 22
        assert equal(np.load(tmp_path / "n/features.npy", mmap_mode="r")[:], file["features"][:])


def test_a_file_that_appears_during_an_export_is_kept(large, features, program, veery, tmp_path):
    output = tmp_path / "out"
    veery("export", features(), "--to", "npy", "-o", output)
    process = subprocess.Popen(
        [program, "export", large, "--to", "npy", "-o", output, "--overwrite"], stderr=subprocess.PIPE, text=True)
    while not list(tmp_path.glob("*.partial-*/features.npy")) and process.poll() is None:
        time.sleep(0.001)
    assert process.poll() is None
    (output / "mine.txt").write_text("mine")
    assert "found 'mine.txt' in it" in process.communicate(timeout=60)[1] and process.returncode == 1
    assert (output / "mine.txt").read_text() == "mine" and [path.name for path in tmp_path.iterdir()] == ["out"]


def test_damage_in_a_large_clip_is_found(large, veery, tmp_path):
    data = bytearray(large.read_bytes())
    with h5py.File(large) as file:
        data[file["features"].id.get_offset() + 5_000_000] ^= 1
    (tmp_path / "f.h5").write_bytes(data)
    for form in ("npy", "kaldi"):
        assert "do not match their tensor_xxh3" in veery(
            "export", tmp_path / "f.h5", "--to", form, "-o", tmp_path / form, status=1).stderr
    assert [path.name for path in tmp_path.iterdir()] == ["f.h5"]


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interruption_leaves_no_folder(large, program, tmp_path, number, status):
    for attempt in range(5):
        output = tmp_path / f"{attempt}"
        process = subprocess.Popen(
            [program, "export", large, "--to", "webdataset", "-o", output], stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 30
        while not list(tmp_path.glob("*.partial-*/features*")) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
        process.send_signal(number)
        words = process.communicate()[1]
        assert not list(tmp_path.glob("*.partial-*"))
        if process.returncode == status:
            assert not output.exists() and "stopped; nothing was written" in words
            return
        assert process.returncode == 0, words
    pytest.fail("every export was complete before its signal")


def test_the_next_export_deletes_what_a_killed_one_left_over(large, features, program, veery, tmp_path):
    """Only under the same name, not while another export uses it, and nothing that is not an export's."""
    def begun(name):
        before = set(tmp_path.glob("*.partial-*/features.npy"))
        process = subprocess.Popen([program, "export", large, "--to", "npy", "-o", tmp_path / name, "-q"])
        while not set(tmp_path.glob("*.partial-*/features.npy")) - before and process.poll() is None:
            time.sleep(0.001)
        process.send_signal(signal.SIGSTOP)
        assert process.poll() is None
        return process

    def left():
        return {path.name for path in tmp_path.iterdir()}

    for name in ("out", "other"):
        process = begun(name)
        process.kill()
        process.wait()
    killed, other = (path.name for name in ("out", "other") for path in tmp_path.glob(f"{name}.partial-*"))
    living = begun("out")
    try:
        # The next one to the same name has deleted what the first left.
        assert killed not in left() and other in left()
        at_work, = (path.name for path in tmp_path.glob("out.partial-*"))
        strange = {f"out.partial-{name}" for name in ("mine", "0123456789abcdef", at_work[len("out.partial-"):][:-16])}
        for name in strange:
            (tmp_path / name).mkdir()
            (tmp_path / name / "features.npy").write_text("mine")
        veery("export", features(), "--to", "npy", "-o", tmp_path / "out")
        assert left() == {"out", other, at_work, *strange}
    finally:
        living.send_signal(signal.SIGCONT)
    # It finds the folder that is complete.
    assert living.wait(60) == 1
    assert left() == {"out", other, *strange}
    veery("export", features(), "--to", "kaldi", "-o", "other", folder=tmp_path)
    assert left() == {"out", "other", *strange}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("target", ["nothing", "no/folder", "itself"])
def test_a_link_to_nothing_is_refused_before_the_work(veery, features, tmp_path, form, target):
    output = tmp_path / "itself"
    output.symlink_to(target)
    said = veery("export", features(), "--to", form, "-o", output, "--progress", "json", status=1).stderr
    assert f"{output}: this symbolic link leads to nothing" in said and '"extracting"' not in said, said
    assert [path.name for path in tmp_path.iterdir()] == ["itself"]


def test_progress(large, veery, tmp_path):
    events = veery("export", large, "--to", "npy", "-o", tmp_path / "n", "--progress", "json").stderr.splitlines()
    last = json.loads([line for line in events if line.startswith("{")][-1])
    assert (last["done"], last["total"]) == (20, 20) and events[-1].startswith(f"wrote {tmp_path}/n: 20 clips")
    assert veery("export", large, "--to", "npy", "-o", tmp_path / "q", "-q").stderr == ""


# Remarks

LONGER = "lengths-differ"


@pytest.fixture(scope="module")
def remarked(folder, veery):
    """A file of four clips, of which two have a remark of their own, and a manifest that has one, too; and a set of it."""
    subfolder = folder / "remarked"
    subfolder.mkdir()
    rows = [{"path": f"../{index}.wav", "id": name, "label": label, "split": ["train", "test"][index // 2], "Split": "x",
             "remarks": "of a user", "recording.duration": f"{9 if index in (2, 3) else seconds}?"}
            for index, (name, seconds, label) in enumerate(CLIPS[:4])]
    write_manifest(subfolder / "m.csv", rows)
    veery("extract", subfolder / "m.csv", "-o", subfolder / "f.h5", "-q")
    veery("extract", subfolder / "m.csv", "-o", subfolder / "set.h5", "--files", "2", "-q")
    return subfolder


def exported_remarks(veery, source, form, output, *options):
    """What an export says of each clip, and of all: kinds by ids, and the remarks of export.json."""
    veery("export", source, "--to", form, "-o", output, *options)
    about = description(output)["remarks"]
    if form == "npy":
        return {clip["id"]: clip["remarks"] for clip in lines(output / "clips.jsonl")}, about
    if form == "webdataset":
        found = [json.loads(members["json"]) for members in samples(output).values()]
        return {clip["id"]: clip["remarks"] for clip in found}, about
    if form == "safetensors":
        found, metadata = tensors(output / "features.safetensors")
        kinds = metadata["remark_meanings"].split()
        assert found["remarks"].dtype == np.int32
        return {key: [kind for bit, kind in enumerate(kinds) if bits >> bit & 1]
                for key, bits in zip(json.loads(metadata["ids"]), found["remarks"].tolist())}, about
    if form == "kaldi":
        found = table(output / "utt2remarks")
        return {key: found.get(key, "").split() for key in table(output / "utt2num_frames")}, about
    if form == "lhotse":
        with gzip.open(output / "cuts.jsonl.gz", "rt", encoding="utf-8") as file:
            cuts = [json.loads(line) for line in file]
        custom = {cut["id"]: cut["supervisions"][0]["custom"] for cut in cuts}
        assert {own["remarks"] for own in custom.values()} == {"of a user"}
        return {key: own["clip_remarks"] for key, own in custom.items()}, about
    reference = json.loads((output / "features.json").read_text())["refs"]
    kinds = json.loads(reference["remarks/.zattrs"])["flag_meanings"].split()
    found = zarr(output)
    return {key.decode().rstrip("\0"): [kind for bit, kind in enumerate(kinds) if bits >> bit & 1]
            for key, bits in zip(found["id"].tolist(), found["remarks"].tolist())}, about


@pytest.mark.parametrize("source", ["f.h5", "set.index.json"])
@pytest.mark.parametrize("form", FORMATS)
def test_remarks_are_exported(remarked, veery, tmp_path, form, source):
    if form == "zarr" and source != "f.h5":
        pytest.skip("a reference is to one file")
    ids = [name for name, *_ in CLIPS[:4]]
    own, about = exported_remarks(veery, remarked / source, form, tmp_path / "all")
    assert own == {name: [LONGER] * (index in (2, 3)) for index, name in enumerate(ids)}
    with h5py.File(remarked / "f.h5") as file:
        stored = [json.loads(text) for text in file["provenance/remarks"].asstr()[:]]
    assert about == stored and [(one["kind"], one["first"]) for one in stored if one["source"] == "recordings"] == [(LONGER, ids[2:])]
    if form == "zarr":
        return
    # Those of the clips that are exported, and those of the manifest.
    own, about = exported_remarks(veery, remarked / source, form, tmp_path / "train", "--split", "train")
    assert own == {name: [] for name in ids[:2]} and [one["kind"] for one in about] == ["columns-chosen"]
    own, about = exported_remarks(veery, remarked / source, form, tmp_path / "owl", "--label", "owl", "--split", "test")
    assert own == {ids[3]: [LONGER]}
    assert [(one["count"], one["first"]) for one in about if one["source"] == "recordings"] == [(1, [ids[3]])]


def test_without_remarks_exports_are_as_before(features, veery, tmp_path):
    for form in FORMATS:
        veery("export", features(), "--to", form, "-o", tmp_path / form)
        assert "remarks" not in description(tmp_path / form)
    assert all("remarks" not in clip for clip in lines(tmp_path / "npy/clips.jsonl"))
    assert not (tmp_path / "kaldi/utt2remarks").exists() and "remarks/.zarray" not in (tmp_path / "zarr/features.json").read_text()
