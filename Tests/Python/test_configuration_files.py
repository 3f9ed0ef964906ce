"""Which files the values of a configuration were read from: `/provenance/configuration_files`."""

import json
import shutil

import h5py
import jsonschema
import numpy as np
import pytest
import soundfile
import xxhash
from conftest import ROOT, noise

import veery as package

RATE = 16_000


def checksum(path):
    return xxhash.xxh3_128(path.read_bytes()).hexdigest()


def entries(path):
    with h5py.File(path) as file:
        if "provenance/configuration_files" not in file:
            return []
        dataset = file["provenance/configuration_files"]
        texts = [text.decode() for text in dataset[:]]
        assert dataset.attrs["xxh3"] == xxhash.xxh3_128("".join(text + "\n" for text in texts).encode()).hexdigest()
    found = [json.loads(text) for text in texts]
    assert texts == [json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False) for entry in found]
    return found


def entry(kind, path, name=None):
    return {"kind": kind, "name": name or path.name, "xxh3": checksum(path)}


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "Öl und Wasser"
    (folder / "constants").mkdir(parents=True)
    soundfile.write(folder / "a.wav", noise(1, 8_000, 0.3), RATE)
    (folder / "m.csv").write_text("path\na.wav\n")
    np.save(folder / "constants" / "mean.npy", np.arange(80) / 8)
    (folder / "constants" / "std ö.txt").write_text(" ".join(["2"] * 80))
    return folder


@pytest.fixture
def extract(veery, folder):
    def run(output, *options, **more):
        veery("extract", "m.csv", "-o", output, *options, folder=folder, **more)
        return folder / output

    return run


CONSTANTS = ("--set", "normalize.scope=constant", "--set", "normalize.mean=constants/mean.npy", "--set",
             "normalize.std=constants/std ö.txt")


def both(folder):
    return [entry("mean", folder / "constants" / "mean.npy"), entry("std", folder / "constants" / "std ö.txt")]


def test_constants_by_set_and_in_a_configuration(veery, extract, folder):
    by_set = extract("a.h5", *CONSTANTS)
    assert entries(by_set) == both(folder)
    (folder / "c.yaml").write_text("extends: log-mel\nnormalize: {scope: constant, mean: constants/mean.npy, std: constants/std ö.txt}\n")
    by_file = extract("b.h5", "--config", folder / "c.yaml")
    assert by_set.read_bytes() == by_file.read_bytes()
    again = extract("c.h5", *CONSTANTS, "--jobs", 3)
    assert again.read_bytes() == by_set.read_bytes()
    veery("inspect", by_set, "--verify")
    # Folders are not named.
    assert b"constants/" not in by_set.read_bytes()


def test_inspect_shows_them(veery, extract, folder):
    output = extract("a.h5", *CONSTANTS)
    found = json.loads(veery("inspect", output, "--json").stdout)
    assert found["configuration_files"] == both(folder)
    schema = json.loads((ROOT / "Schemas" / "inspect.schema.json").read_text())
    jsonschema.validate(found["configuration_files"], schema["$defs"]["summary"]["properties"]["configuration_files"])
    text = " ".join(veery("inspect", output).stdout.split())
    assert f"normalize.mean from mean.npy (XXH3 {checksum(folder / 'constants' / 'mean.npy')})" in text
    assert "normalize.std from std ö.txt" in text
    plain = extract("b.h5")
    assert "configuration_files" not in json.loads(veery("inspect", plain, "--json").stdout)
    assert entries(plain) == []


def test_numbers_that_are_given_have_no_file(extract, folder):
    assert entries(extract("a.h5", "--set", "normalize.scope=constant", "--set", "normalize.mean=1", "--set", "normalize.std=2")) == []
    later = extract("b.h5", *CONSTANTS, "--set", "normalize.mean=1")
    assert entries(later) == both(folder)[1:]
    assert entries(extract("c.h5", *CONSTANTS, "--set", "normalize.scope=none")) == []


def test_a_file_remains_up_to_date_where_only_the_names_differ(veery, extract, folder):
    before = extract("a.h5", *CONSTANTS)
    content, status = before.read_bytes(), before.stat()
    shutil.copy(folder / "constants" / "mean.npy", folder / "constants" / "other.npy")
    changed = [word.replace("mean.npy", "other.npy") for word in CONSTANTS]
    result = veery("extract", "m.csv", "-o", "a.h5", *changed, folder=folder)
    assert "up to date" in result.stdout + result.stderr
    assert before.read_bytes() == content and before.stat().st_mtime_ns == status.st_mtime_ns
    anew = extract("b.h5", *changed)
    assert entries(anew) == [entry("mean", folder / "constants" / "other.npy"), *both(folder)[1:]]
    with h5py.File(before) as file, h5py.File(anew) as other:
        assert file.attrs["metadata_xxh3"] == other.attrs["metadata_xxh3"]


def test_clips_that_are_added_keep_them(veery, extract, folder):
    output = extract("a.h5", *CONSTANTS)
    soundfile.write(folder / "b.wav", noise(2, 8_000, 0.3), RATE)
    (folder / "m.csv").write_text("path\na.wav\nb.wav\n")
    extract("a.h5", "--append")
    assert entries(output) == both(folder)
    assert len(package.open(output)) == 2
    # As in a file made at once.
    assert entries(extract("b.h5", *CONSTANTS)) == entries(output)


def test_files_of_a_set_and_shards_have_them(veery, folder):
    for number in range(4):
        soundfile.write(folder / f"{number}.wav", noise(number, 8_000, 0.3), RATE)
    (folder / "m.csv").write_text("path\n" + "".join(f"{number}.wav\n" for number in range(4)))
    veery("extract", "m.csv", "-o", "s.h5", "--files", 2, *CONSTANTS, folder=folder)
    members = [path for path in sorted(folder.glob("s*.h5"))]
    assert len(members) == 2 and all(entries(path) == both(folder) for path in members)
    found = json.loads(veery("inspect", next(folder.glob("s*.index.json")), "--json").stdout)
    assert found["configuration_files"] == both(folder)
    for number in (1, 2):
        veery("extract", "m.csv", "-o", "p.h5", "--shard", f"{number}/2", *CONSTANTS, folder=folder)
    veery("extract", "m.csv", "-o", "p.h5", *CONSTANTS, folder=folder)
    assert entries(folder / "p.h5") == both(folder)


MODEL = {"feature_extractor_type": "WhisperFeatureExtractor", "feature_size": 80, "sampling_rate": 16000, "hop_length": 160, "n_fft": 400,
         "chunk_length": 30, "n_samples": 480000, "nb_max_frames": 3000, "padding_side": "right", "padding_value": 0.0,
         "return_attention_mask": False}


def test_a_models_own_file(veery, extract, folder):
    (folder / "model").mkdir()
    path = folder / "model" / "preprocessor_config.json"
    path.write_text(json.dumps(MODEL))
    by_file, by_folder = extract("a.h5", "--preset", path), extract("b.h5", "--preset", folder / "model")
    assert entries(by_file) == [entry("model", path)]
    assert by_file.read_bytes() == by_folder.read_bytes()
    assert "the model from preprocessor_config.json" in " ".join(veery("inspect", by_file).stdout.split())
    changed = extract("c.h5", "--preset", path, *CONSTANTS)
    assert entries(changed) == [*both(folder), entry("model", path)]


def test_the_checksum_is_that_of_the_bytes(extract, folder):
    """A byte order mark is no part of the text."""
    path = folder / "preprocessor_config.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(MODEL).replace(", ", ",\r\n").encode())
    assert entries(extract("a.h5", "--preset", path)) == [entry("model", path)]


def test_what_a_models_file_names(extract, folder):
    """FunASR's constants, in a file that its configuration names."""
    numbers = " ".join(["0.5"] * 560)
    (folder / "am.mvn").write_text(
        f"<Nnet>\n<AddShift> 560 560\n<LearnRateCoef> 0 [ {numbers} ]\n<Rescale> 560 560\n<LearnRateCoef> 0 [ {numbers} ]\n</Nnet>\n")
    path = folder / "config.yaml"
    path.write_text(
        "frontend: WavFrontend\nfrontend_conf:\n  fs: 16000\n  window: hamming\n  n_mels: 80\n  frame_length: 25\n"
        "  frame_shift: 10\n  lfr_m: 7\n  lfr_n: 6\n  cmvn_file: am.mvn\n")
    output = extract("a.h5", "--preset", path)
    assert entries(output) == [entry("model", folder / "am.mvn"), entry("model", path)]


def test_a_member_of_an_archive(extract, folder):
    import tarfile

    member = folder / "model_config.yaml"
    member.write_text(
        "preprocessor:\n  _target_: nemo.collections.asr.modules.AudioToMelSpectrogramPreprocessor\n  sample_rate: 16000\n"
        "  normalize: per_feature\n  window_size: 0.025\n  window_stride: 0.01\n  window: hann\n  features: 80\n  n_fft: 512\n"
        "  log: true\n  frame_splicing: 1\n  dither: 0.0\n  pad_to: 0\n")
    with tarfile.open(folder / "m.nemo", "w") as archive:
        archive.add(member, "model_config.yaml")
    output = extract("a.h5", "--preset", folder / "m.nemo")
    assert entries(output) == [entry("model", member, "m.nemo/model_config.yaml")]


def test_a_recording_has_them(veery, extract, folder):
    """live --record, of what extract makes of the same file."""
    veery("live", "--file", "a.wav", "--record", "l.h5", "--preset", "log-mel", *CONSTANTS, folder=folder)
    assert entries(folder / "l.h5") == both(folder)


def test_damage_is_found(veery, extract):
    output = extract("a.h5", *CONSTANTS)
    with h5py.File(output, "r+") as file:
        dataset = file["provenance/configuration_files"]
        texts = dataset[:]
        texts[0] = texts[0].replace(b"mean.npy", b"wean.npy")
        dataset[:] = texts
    result = veery("inspect", output, "--verify", status=1)
    assert "/provenance/configuration_files has the checksum" in " ".join((result.stdout + result.stderr).split())
