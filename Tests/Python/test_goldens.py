"""`veery presets --golden`: the sound and the array that other projects test against."""

import hashlib
import json
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest
import scipy.io.wavfile
from formulas import models, reference

import veery as package

pytestmark = pytest.mark.shipped

ROOT = Path(__file__).resolve().parents[2]
MODELS = models.MODELS
FIXTURES = ROOT / "Tests" / "Fixtures" / "models"
# The sound of the program is that of the fixtures which last as long; for a preset that needs more of it, the program repeats it.
CASES = [case for case in json.loads((FIXTURES / "models.json").read_text())["cases"]
         if case["name"] == case["preset"] and case["file"] in ("sound-16k.wav", "sound-24k.wav", "sound-32k.wav", "sound-48k.wav")]


@pytest.fixture(scope="module", autouse=True)
def _library(library):
    """Skips nothing: without the library, all tests here fail."""


@pytest.fixture(scope="module")
def goldens(veery, tmp_path_factory):
    folder = tmp_path_factory.mktemp("goldens") / "new"
    veery("presets", "--golden", folder)
    return folder


def names(goldens):
    return sorted(path.stem for path in goldens.glob("*.json"))


def distance(found, expected):
    return np.abs(found.astype(np.float64) - expected).max() / max(np.ptp(expected), 1e-30)


def test_every_preset_has_three_files_that_fit(veery, goldens):
    listed = veery("presets").stdout
    for name in names(goldens):
        assert f"\n  {name} " in listed
        about = json.loads((goldens / f"{name}.json").read_text())
        array = np.load(goldens / about["array"])
        assert array.dtype == np.float32 and list(array.shape) == about["shape"] and array.flags.c_contiguous
        assert np.isfinite(array).all()
        rate, samples = scipy.io.wavfile.read(goldens / about["sound"])
        assert (rate, len(samples), samples.dtype) == (about["sample_rate"], about["samples"], np.int16)
        assert len(samples) % round(0.6 * rate) == 0
        for key in ("sound", "array"):
            assert hashlib.sha256((goldens / about[key]).read_bytes()).hexdigest() == about[f"{key}_sha256"]
        printed = veery("presets", name, "--json").stdout
        assert hashlib.sha256(printed.encode()).hexdigest() == about["configuration_sha256"]
        assert json.loads(printed) == about["configuration"]
        assert about["generator"].startswith("veery ")
    assert len(names(goldens)) * 3 == len(list(goldens.iterdir()))
    assert len(names(goldens)) == listed.count(" Hz, 1 s: ")


def test_arrays_equal_the_stored_goldens_in_float64(goldens):
    for case in CASES:
        name = case["name"]
        array = np.load(goldens / f"{name}.npy")
        assert (goldens / f"{name}.wav").read_bytes() == (FIXTURES / case["file"]).read_bytes(), name
        if not case["set"]:
            expected = np.load(FIXTURES / f"{name}.npy")
            assert array.shape == expected.shape and distance(array, expected) <= 1e-6, name
    assert {case["name"] for case in CASES} == MODELS.keys() - models.SOUND.keys() - models.VOICES.keys() - {"vggish", "yamnet"}


@pytest.mark.parametrize("name", MODELS)
def test_arrays_equal_the_formulas_of_models_in_float64(goldens, name):
    _, samples = scipy.io.wavfile.read(goldens / f"{name}.wav")
    expected = MODELS[name]((samples / 32768).astype(np.float32))
    array = np.load(goldens / f"{name}.npy")
    assert array.shape == expected.shape and distance(array, expected) <= 1e-6


@pytest.mark.parametrize("name", reference.PRESETS)
def test_arrays_equal_the_formulas_in_float64(goldens, name):
    rate, samples = scipy.io.wavfile.read(goldens / f"{name}.wav")
    expected = reference.PRESETS[name]((samples / 32768).astype(np.float32)[:, None], rate)
    array = np.load(goldens / f"{name}.npy")
    assert array.shape == expected.shape and distance(array, expected) <= 2e-6


def test_arrays_are_those_of_the_package_and_conform(veery, goldens):
    for name in names(goldens):
        rate, samples = scipy.io.wavfile.read(goldens / f"{name}.wav")
        array = np.load(goldens / f"{name}.npy")
        is_of_dataset = "dataset" in json.loads((goldens / f"{name}.json").read_text())["normalization"]
        plan = package.FeaturePlan(name, sample_rate=rate, normalize=not is_of_dataset)
        assert np.array_equal(plan.features((samples / 32768).astype(np.float32)), array), name
        assert "equal to" in veery("conform", goldens / f"{name}.npy", goldens / f"{name}.wav", "--preset", name).stdout


def test_existing_files_are_kept_unless_asked(veery, goldens, tmp_path):
    veery("presets", "whisper", "--golden", tmp_path)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(made) == {"whisper.wav", "whisper.npy", "whisper.json"}
    assert made == {name: (goldens / name).read_bytes() for name in made}
    # Equal files are not an obstacle; others are, and nothing is written then.
    assert "all 3 files are there already, with the same content" in veery("presets", "whisper", "--golden", tmp_path).stderr
    (tmp_path / "whisper.npy").write_bytes(b"mine")
    (tmp_path / "whisper.json").unlink()
    error = veery("presets", "whisper", "--golden", tmp_path, status=1).stderr
    assert "whisper.npy" in error and "--overwrite" in error
    assert (tmp_path / "whisper.npy").read_bytes() == b"mine" and not (tmp_path / "whisper.json").exists()
    assert "wrote 2 files" in veery("presets", "whisper", "--golden", tmp_path, "--overwrite").stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == made
    (tmp_path / "file").write_text("")
    assert veery("presets", "whisper", "--golden", tmp_path / "file", status=1).stderr
    assert "--golden" in veery("presets", "whisper", "--overwrite", status=64).stderr
    assert "--golden" in veery("presets", "whisper", "--golden", tmp_path, "--json", status=64).stderr


@pytest.mark.parametrize("given, folder, golden, name, origin", [
    ("model", ".", "model", "model-preprocessor_config.json-golden", (None, "preprocessor_config.json")),
    ("model/preprocessor_config.json", ".", "new/goldens", "model-preprocessor_config.json-golden", (None, "preprocessor_config.json")),
    (".", "model", "g g", "model-preprocessor_config.json-golden", (None, "preprocessor_config.json")),
    ("openai/whisper-large-v3", ".", "goldens", "whisper-large-v3", ("whisper", None))])
def test_models_have_goldens_like_presets(veery, tmp_path, given, folder, golden, name, origin):
    """A model's own file, the folder that it is in, and a name that is a preset with settings."""
    (tmp_path / "model").mkdir()
    source = ROOT / "Tests/Fixtures/model-files/whisper/preprocessor_config.json"
    (tmp_path / "model/preprocessor_config.json").write_bytes(source.read_bytes())
    folder = tmp_path / folder
    assert "wrote 3 files of 3 to " in veery("presets", given, "--golden", golden, folder=folder).stderr
    # The folder exists now, which changes nothing.
    assert "all 3 files are there already" in veery("presets", given, "--golden", golden, folder=folder).stderr
    about = json.loads((folder / golden / f"{name}.json").read_text())
    array = np.load(folder / golden / about["array"])
    assert list(array.shape) == about["shape"] and (about.get("preset"), about.get("file")) == origin
    # Nothing of the model's own is replaced.
    assert (tmp_path / "model/preprocessor_config.json").read_bytes() == source.read_bytes()
    # The very command, in the folder of the golden.
    command, *arguments = shlex.split(about["check"])
    assert command == "veery" and arguments[:3] == ["conform", "YOURS.npy", f"{name}.wav"]
    shutil.copy(folder / golden / about["array"], folder / golden / "YOURS.npy")
    assert "equal to" in veery(*arguments, folder=folder / golden).stdout
    printed = veery("presets", given, "--json", folder=folder).stdout
    assert hashlib.sha256(printed.encode()).hexdigest() == about["configuration_sha256"]


def test_goldens_of_two_models_go_into_one_folder(veery, tmp_path):
    files = ROOT / "Tests/Fixtures/model-files"
    (tmp_path / "v1.0").mkdir()
    shutil.copytree(files / "kaldi", tmp_path / "v1.0/conf")
    # Two files of one stem, in one folder.
    shutil.copy(files / "wespeaker/config.yaml", tmp_path / "v1.0/conf/fbank.yaml")
    for path in (files / "whisper", files / "ast/preprocessor_config.json", tmp_path / "v1.0/conf/fbank.conf",
                 tmp_path / "v1.0/conf/fbank.yaml"):
        veery("presets", path, "--golden", tmp_path / "goldens")
    assert {path.name for path in (tmp_path / "goldens").glob("*.npy")} == {f"{name}-golden.npy" for name in (
        "whisper-preprocessor_config.json", "ast-preprocessor_config.json", "v1.0-fbank.conf", "v1.0-fbank.yaml")}
