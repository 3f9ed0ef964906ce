"""Models' own files wherever a preset is named: what each becomes, what is refused, and where.

The files in Tests/Fixtures/model-files are written anew, as the toolkits write them. The settings that each becomes are worked out
by hand from the formulas of its class; Tests/Parity/model_files.py compares the values with the originals.
"""

import io
import json
import pickle
import re
import shlex
import shutil
import tarfile
import warnings
from pathlib import Path

import h5py
import numpy as np
import pytest

from conftest import ROOT, noise, tone, write_manifest, write_wav
from veery import FeatureError, FeaturePlan

FILES = ROOT / "Tests/Fixtures/model-files"
KALDI = (
    "audio.channels=first frame.fft_length=512 frame.symmetric=true frame.remove_dc=true frame.pre_emphasis=0.97 transform.low=20 "
    "transform.mel_scale=htk transform.mel_norm=none transform.triangles=mel scale.floor=1.1920928955078125e-07 normalize.scope=none ")
RAW = (
    "frame.length=1 frame.hop=1 frame.fft_length=1 frame.window=rectangular transform.kind=raw scale.kind=linear "
    "normalize.scope=none ")
NEMO = (
    "frame.length=400 frame.hop=160 frame.fft_length=512 frame.symmetric=true frame.align=center frame.pad=zero frame.drop_last=true "
    "transform.bins=80 transform.high=8000 condition.pre_emphasis=0.97 scale.floor=5.960464477539063e-08 "
    "scale.reference=5.960464477539063e-08 scale.guard=add normalize.scope=clip normalize.ddof=1 normalize.epsilon=1e-05 ")
# 10^(1.5 - 8).
VOXTRAL_FLOOR = "3.162277660168379e-07"

# What differs from a configuration that says nothing. Kinds and scopes first.
GOLDEN = {
    "whisper/preprocessor_config.json":
        "audio.duration=30 frame.length=400 frame.hop=160 frame.fft_length=400 frame.align=center frame.drop_last=true transform.bins=128 "
        "transform.high=8000 scale.kind=log10 scale.top_db=80 scale.offset=4 scale.factor=0.25 normalize.scope=none",
    "wav2vec2/preprocessor_config.json": RAW + "condition.gain.kind=zscore condition.gain.epsilon=1e-07",
    "ast/preprocessor_config.json":
        KALDI + "transform.bins=128 transform.high=8000 normalize.scope=constant normalize.mean=-6.845978 normalize.std=11.1309052 "
        "rows.count=128 rows.fill_order=before",
    "seamless/preprocessor_config.json":
        KALDI + "audio.scale=int16 frame.window=povey transform.bins=80 transform.high=8000 normalize.scope=clip normalize.ddof=1 normalize.epsilon=1e-07 "
        "normalize.epsilon_in=variance rows.fill=1 patches.length=2 patches.rest=fill patches.stacked=true",
    "speech2text/preprocessor_config.json":
        KALDI + "audio.scale=int16 frame.window=povey transform.bins=80 transform.high=8000 normalize.scope=clip",
    "clap/preprocessor_config.json":
        "audio.sample_rate=48000 audio.duration=10 audio.fit=repeat_pad frame.length=1024 frame.hop=480 frame.fft_length=1024 "
        "frame.align=center transform.bins=64 transform.low=50 transform.high=14000 scale.kind=db normalize.scope=none",
    "parakeet/processor_config.json": NEMO,
    "gemma3n/preprocessor_config.json":
        "audio.duration=30 audio.fit=keep audio.multiple=128 frame.length=512 frame.hop=160 frame.fft_length=1024 frame.pre_emphasis=0.97 "
        "frame.lookahead=1 transform.bins=128 transform.low=125 transform.high=7600 transform.mel_scale=htk transform.mel_norm=none "
        "transform.spectrum=magnitude scale.floor=1e-05 normalize.scope=none",
    "speecht5/preprocessor_config.json":
        "frame.length=1024 frame.hop=256 frame.fft_length=1024 frame.align=center transform.low=80 transform.high=7600 "
        "transform.spectrum=magnitude scale.kind=log10 normalize.scope=none",
    "encodec/preprocessor_config.json": RAW + "audio.sample_rate=48000 audio.channels=all",
    "granite/preprocessor_config.json":
        "frame.length=400 frame.hop=160 frame.fft_length=512 frame.align=center transform.bins=80 transform.mel_scale=htk "
        "transform.mel_norm=none scale.kind=log10 scale.top_db=80 scale.offset=4 scale.factor=0.25 normalize.scope=none patches.length=2 "
        "patches.stacked=true",
    "voxtral/processor_config.json":
        "frame.length=400 frame.hop=160 frame.fft_length=400 frame.align=center frame.drop_last=true transform.bins=128 transform.high=8000 "
        f"scale.kind=log10 scale.floor={VOXTRAL_FLOOR} scale.offset=4 scale.factor=0.25 normalize.scope=none",
    "nemo/model_config.yaml": NEMO,
    "nemo-recipe/conformer.yaml":
        "frame.length=320 frame.hop=160 frame.fft_length=512 frame.window=hamming frame.symmetric=true frame.align=center frame.pad=zero "
        "frame.drop_last=true transform.bins=64 transform.high=8000 condition.pre_emphasis=0.97 scale.floor=1.2e-38 normalize.scope=clip "
        "normalize.axis=all normalize.ddof=1 normalize.epsilon=1e-05",
    "nemo-mfcc/model_config.yaml":
        "transform.kind=mfcc frame.length=400 frame.hop=160 frame.fft_length=512 frame.align=center transform.bins=64 transform.bands=64 "
        "transform.high=8000 transform.mel_scale=htk transform.mel_norm=none scale.floor=1e-06 scale.guard=add normalize.scope=none",
    "kaldi/fbank.conf": KALDI + "audio.scale=int16 frame.window=povey frame.align=kaldi transform.bins=80 transform.high=7600",
    "kaldi/mfcc.conf":
        "transform.kind=mfcc " + KALDI + "audio.scale=int16 frame.window=povey transform.bins=40 transform.bands=40 transform.high=7600 "
        "transform.lifter=22",
    "kaldi/mfcc_8k.conf":
        "transform.kind=mfcc " + KALDI.replace("=512", "=256").replace("low=20", "low=40") + "audio.sample_rate=8000 audio.scale=int16 frame.length=200 "
        "frame.hop=80 frame.window=povey transform.bands=23 transform.high=3800 transform.lifter=22 transform.c0=energy",
    "lhotse/feature_config.yaml": KALDI + "frame.window=povey frame.align=lhotse transform.bins=80 transform.high=7600",
    "lhotse-mfcc/feature_config":
        "transform.kind=mfcc " + KALDI.replace("=512", "=256") + "audio.sample_rate=8000 frame.length=200 frame.hop=80 frame.window=hamming "
        "transform.bands=23 transform.high=4000 transform.lifter=22",
    "htk/config":
        "transform.kind=mfcc audio.channels=first audio.scale=int16 frame.fft_length=512 frame.window=hamming frame.symmetric=true "
        "frame.pre_emphasis=0.97 transform.bins=13 transform.bands=26 transform.high=8000 transform.mel_scale=htk transform.mel_norm=none "
        "transform.triangles=mel transform.spectrum=magnitude transform.dct_norm=htk transform.lifter=22 transform.c0=last "
        "transform.deltas=2 scale.floor=1 normalize.scope=none",
    "htk-fbank/config":
        "audio.sample_rate=null audio.channels=first audio.scale=int16 frame.length='25.6 ms' frame.hop='10 ms' frame.rounding=down "
        "frame.fft_length=null frame.window=hamming frame.symmetric=true frame.pre_emphasis=0.97 transform.bins=24 transform.low=64 "
        "transform.high=8000 transform.mel_scale=htk transform.mel_norm=none transform.triangles=mel scale.floor=1 normalize.scope=none",
    "espnet/config.yaml":
        "audio.channels=first frame.length=400 frame.hop=160 frame.fft_length=512 frame.align=center transform.high=8000 normalize.scope=clip "
        "normalize.method=mean",
    "funasr/config.yaml": KALDI + "audio.scale=int16 frame.window=hamming transform.high=8000",
    "wenet/train.yaml": KALDI + "audio.scale=int16 frame.window=povey transform.high=8000",
    "wespeaker/config.yaml":
        KALDI + "audio.scale=int16 frame.window=hamming transform.high=8000 normalize.scope=clip normalize.method=mean",
    "torchaudio/mel.json":
        "audio.sample_rate=22050 frame.length=1024 frame.hop=256 frame.fft_length=1024 frame.align=center transform.high=8000 "
        "transform.spectrum=magnitude scale.kind=power normalize.scope=none",
    "torchaudio/mfcc.json":
        "transform.kind=mfcc frame.length=400 frame.hop=160 frame.fft_length=400 frame.align=center transform.bins=40 transform.bands=64 "
        "transform.high=8000 transform.mel_scale=htk transform.mel_norm=none scale.kind=db scale.top_db=80 normalize.scope=none",
    "librosa/mel.json":
        "audio.sample_rate=22050 frame.length=2048 frame.hop=512 frame.fft_length=2048 frame.align=center frame.pad=zero transform.bins=128 "
        "transform.high=8000 scale.kind=power normalize.scope=none",
    "librosa/mfcc.json":
        "transform.kind=mfcc frame.length=512 frame.hop=160 frame.fft_length=512 frame.align=center frame.pad=zero transform.bins=13 "
        "transform.bands=40 transform.high=8000 transform.mel_scale=htk scale.kind=db scale.top_db=80 normalize.scope=none",
}
# Kaldi, and those that resample by torchaudio, whose filter Kaldi's is.
for _name in GOLDEN:
    if _name.split("/")[0] in ("kaldi", "lhotse", "lhotse-mfcc", "wenet", "wespeaker", "funasr"):
        GOLDEN[_name] += " audio.resampler=torchaudio"


def flat(value, path=""):
    """The values of a configuration by their keys."""
    if not isinstance(value, dict):
        return {path: value}
    return {key: found for name, inner in value.items() for key, found in flat(inner, f"{path}.{name}" if path else name).items()}


def written(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.fixture
def understood(veery):
    """The configuration that a file becomes."""
    return lambda path: json.loads(veery("presets", path, "--json").stdout)


def test_every_file_has_a_golden():
    assert sorted(GOLDEN) == sorted(str(path.relative_to(FILES)) for path in FILES.rglob("*") if path.is_file())


def planned(words):
    """Every key of a configuration with these settings and otherwise none. A later setting of a key wins."""
    settings = {}
    for setting in shlex.split(words):
        key, value = setting.split("=", 1)
        try:
            settings[key] = json.loads(value)
        except ValueError:
            settings[key] = value
    rate = 16000 if settings.get("audio.sample_rate", 0) is None else None
    return FeaturePlan({}, rate, settings=settings).configuration


@pytest.mark.parametrize("name", GOLDEN)
def test_a_file_becomes_its_settings(name, understood):
    assert flat(understood(FILES / name)) == flat(planned(GOLDEN[name]))


def fields(name):
    """The names of the fields of a file's front end."""
    text = (FILES / name).read_text()
    if text.startswith("{"):
        found = json.loads(text)
        return [key for key in found.get("feature_extractor", found)]
    return []


@pytest.mark.parametrize("name", [name for name in GOLDEN if name.endswith(".json")])
def test_every_field_is_accounted_for(name, veery):
    text = veery("presets", FILES / name).stdout
    for field in fields(name):
        assert field in text, field
    # The configuration is at the end, and can be used as it is.
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines[0] == "version: 1" and len(lines) > 5


def test_what_is_printed_names_the_source_of_each_key(veery):
    text = veery("presets", FILES / "whisper/preprocessor_config.json").stdout
    head = text.splitlines()[0]
    assert head.endswith("preprocessor_config.json: WhisperFeatureExtractor, as in transformers 5.23 and 5.24")
    rows = {line.split()[1]: line.split(maxsplit=2)[2] for line in text.splitlines() if line.startswith("#   ") and "=" in line.split()[1]}
    assert rows["transform.bins=128"] == "feature_size"
    assert rows["frame.length=400"] == rows["frame.fft_length=400"] == "n_fft"
    assert rows["scale.top_db=80"] == "(WhisperFeatureExtractor)"
    assert "#   n_samples: it follows from other fields" in text


@pytest.mark.parametrize("command", ["extract", "render", "bank", "conform", "live"])
def test_a_file_is_taken_wherever_a_preset_is_named(command, veery, tmp_path):
    wav, model = tmp_path / "a.wav", FILES / "parakeet"
    signal = write_wav(wav, 16000, tone(16000, 1, [440]))[:, 0]
    if command == "extract":
        veery("extract", wav, "-o", tmp_path / "a.h5", "--preset", model, "--quiet")
        veery("inspect", tmp_path / "a.h5")
    elif command == "render":
        veery("render", wav, "--preset", model, "-o", tmp_path / "a.png")
    elif command == "bank":
        veery("render", "--filter-bank", model / "processor_config.json", "-o", tmp_path / "a.png")
        veery("render", "--filter-bank", FILES / "kaldi/fbank.conf", "-o", tmp_path / "b.png")
    elif command == "conform":
        np.save(tmp_path / "a.npy", FeaturePlan(model).features(signal))
        veery("conform", tmp_path / "a.npy", wav, "--preset", model, status=0)
    else:
        veery("live", "--file", wav, "--speed", 0, "--preset", FILES / "kaldi/fbank.conf", "--record", tmp_path / "a.h5", "--quiet")


def test_python_takes_a_path(tmp_path):
    path = FILES / "whisper"
    for plan in (FeaturePlan(path), FeaturePlan(str(path)), FeaturePlan(preset=path),
                 FeaturePlan(preset=str(path / "preprocessor_config.json"))):
        assert plan.bins == 128 and plan.configuration["audio"]["duration"] == 30
    assert FeaturePlan(preset="whisper").bins == 80
    assert FeaturePlan(path, settings={"transform.bins": 64}).bins == 64
    with pytest.raises(FeatureError, match="n_fft: expected a whole number"):
        FeaturePlan(written(tmp_path / "preprocessor_config.json", changed("whisper/preprocessor_config.json", n_fft="400")))
    with pytest.raises(TypeError, match="either a configuration or preset"):
        FeaturePlan("whisper", preset=path)


def test_a_folder_of_a_presets_name_is_passed_over_with_a_word(veery, tmp_path):
    wav = tmp_path / "a.wav"
    write_wav(wav, 16000, tone(16000, 1, [440]))
    (tmp_path / "canary").mkdir()
    written(tmp_path / "canary" / "preprocessor_config.json", changed("whisper/preprocessor_config.json"))
    note = "'canary' is taken for the preset parakeet with transform.bins=128, not for the file or folder of that name: give that as ./canary"
    assert note in veery("extract", wav, "-o", tmp_path / "a.h5", "--preset", "canary", folder=tmp_path).stderr
    assert note not in veery("extract", wav, "-o", tmp_path / "b.h5", "--preset", "./canary", folder=tmp_path).stderr
    assert json.loads(veery("inspect", tmp_path / "b.h5", "--json").stdout)["rows"] == 3000


def test_normalisation_of_wespeaker_is_its_usual_one_or_an_error(veery, tmp_path):
    text = (FILES / "wespeaker" / "config.yaml").read_text()
    usual = text.replace("  spec_aug", "  cmvn: true\n  cmvn_args: {norm_mean: true, norm_var: false}\n  spec_aug")
    assert "normalize.method=mean" in veery("presets", written(tmp_path / "a.yaml", usual)).stdout
    off = written(tmp_path / "b.yaml", text.replace("  spec_aug", "  cmvn: false\n  spec_aug"))
    assert re.search(r"#   normalize\.scope=none +dataset_args\.cmvn\n", veery("presets", off).stdout)
    wav = tmp_path / "a.wav"
    write_wav(wav, 16000, tone(16000, 1, [440]))
    assert "wrong results" not in veery("extract", wav, "-o", tmp_path / "a.h5", "--preset", off).stderr
    written(tmp_path / "c.yaml", text)
    other = written(tmp_path / "d.yaml", text.replace("  spec_aug", "  cmvn_args: {norm_var: true}\n  spec_aug"))
    error = veery("presets", other, status=1).stderr
    assert "dataset_args.cmvn_args.norm_var" in error and "set the keys of normalize over a copy without this line" in error
    veery("extract", wav, "-o", tmp_path / "b.h5", "--preset", tmp_path / "c.yaml", "--set", "normalize.method=zscore")


def test_numbers_that_no_product_holds_are_refused(veery, tmp_path):
    huge = 2 ** 62
    path = written(tmp_path / "q.json", '{"feature_extractor_type": "Qwen3ASRFeatureExtractor", "n_window": %d}' % huge)
    assert "n_window: expected a whole number from 1" in veery("presets", path, status=1).stderr
    (tmp_path / "am.mvn").write_text("<AddShift> 1 1\n[ 1 ]\n<Rescale> 1 1\n[ 1 ]\n")
    path = written(tmp_path / "config.yaml", "frontend: WavFrontend\nfrontend_conf: {n_mels: %d, lfr_m: 7, lfr_n: 6}\n" % huge)
    assert "n_mels" in veery("presets", path, status=1).stderr


def test_rows_are_not_filled_without_a_window(veery, tmp_path):
    path = written(tmp_path / "q.json", '{"feature_extractor_type": "Qwen3ASRFeatureExtractor", "n_window": 0}')
    assert json.loads(veery("presets", path, "--json").stdout)["rows"]["multiple"] == 1


def test_kaldis_energy_after_the_window(veery, tmp_path):
    found = veery("presets", written(tmp_path / "mfcc.conf", "--raw-energy=false\n--energy-floor=1.0\n")).stdout
    assert "transform.energy=windowed" in found and "transform.energy_floor=1" in found


def test_the_mean_that_kaldi_subtracts(veery, tmp_path):
    options = "--num-mel-bins=23\n--dither=0\n"
    write_wav(tmp_path / "a.wav", 16000, noise(1, 16000))
    plain, path = written(tmp_path / "fbank.conf", options), written(tmp_path / "mean/fbank.conf", options + "--subtract-mean=true\n")
    for name, conf in (("a.h5", plain), ("b.h5", path)):
        # It is in the file: no warning says to leave it out.
        assert "wrong results" not in veery("extract", "a.wav", "-o", name, "--preset", conf, folder=tmp_path).stderr
    with h5py.File(tmp_path / "a.h5") as a, h5py.File(tmp_path / "b.h5") as b:
        rows = a["features"][:].astype(np.float64)
        assert np.allclose(b["features"][:], rows - rows.mean(axis=0), atol=1e-4)


def test_what_kaldi_does_afterwards_is_no_change_of_its_features(veery, tmp_path):
    """The guide says so of CMVN, deltas and spliced frames: no warning contradicts it."""
    write_wav(tmp_path / "a.wav", 16000, noise(1, 16000))
    path = written(tmp_path / "mfcc.conf", "--dither=0\n")
    settings = {"normalize.scope": "clip", "normalize.method": "mean", "transform.deltas": 2, "patches.length": 9, "patches.hop": 1, "patches.stacked": True}
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={json.dumps(value)}")]
    said = veery("extract", "a.wav", "-o", "a.h5", "--preset", path, *words, folder=tmp_path).stderr
    assert "wrong results" not in said
    assert not any("wrong results" in text for text in FeaturePlan(path, settings=settings).warnings)
    # What the file itself says is not open.
    said = veery("extract", "a.wav", "-o", "b.h5", "--preset", path, "--set", "transform.lifter=0", folder=tmp_path).stderr
    assert "mfcc.conf: transform.lifter is 0 instead of 22" in said and "wrong results" in said
    path = written(tmp_path / "mean/mfcc.conf", "--dither=0\n--subtract-mean=true\n")
    said = veery("extract", "a.wav", "-o", "c.h5", "--preset", path, "--set", "normalize.scope=none", folder=tmp_path).stderr
    assert "normalize.scope is none instead of clip" in said


def test_the_order_of_htk_in_kaldis_files(veery, tmp_path):
    """c0 is last, and sqrt(2) times as large; a filter bank without energy is the same."""
    write_wav(tmp_path / "a.wav", 16000, noise(1, 16000))
    found = {}
    for name, text in (("mfcc", "--use-energy=false\n--dither=0\n"), ("fbank", "--dither=0\n")):
        for order in ("false", "true"):
            path = written(tmp_path / order / f"{name}.conf", f"{text}--htk-compat={order}\n")
            veery("extract", "a.wav", "-o", f"{name}-{order}.h5", "--preset", path, "--quiet", folder=tmp_path)
            with h5py.File(tmp_path / f"{name}-{order}.h5") as file:
                found[name, order] = file["features"][:]
    expected = np.roll(found["mfcc", "false"], -1, axis=1)
    expected[:, -1] *= np.sqrt(2)
    assert np.allclose(found["mfcc", "true"], expected, atol=1e-3)
    assert np.array_equal(found["fbank", "true"], found["fbank", "false"])


def test_comments_alone_are_the_defaults_of_kaldi(understood, veery, tmp_path):
    """Recipes keep such a file where the defaults are right."""
    path = written(tmp_path / "fbank.conf", "# No non-default options for now.\n\n")
    assert understood(path) == understood(written(tmp_path / "other/fbank.conf", "--num-mel-bins=23\n"))
    assert understood(written(tmp_path / "mfcc_hires.conf", "# none\n"))["transform"]["kind"] == "mfcc"
    # Another file of comments says nothing, and an empty one may be cut off.
    assert "expected a mapping of fields" in veery("presets", written(tmp_path / "feats.conf", "# none\n"), status=1).stderr
    assert "it is empty" in veery("presets", written(tmp_path / "fbank.conf", ""), status=1).stderr


@pytest.mark.parametrize("name, text, other", [
    ("plp.conf", "--sample-frequency=8000\n", "compute-plp-feats"), ("plp_8k.conf", "--num-ceps=13\n--cepstral-lifter=22\n", "compute-plp-feats"),
    ("feats.conf", "--lpc-order=12\n", "compute-plp-feats"), ("pitch.conf", "--sample-frequency=8000\n--min-f0=50\n", "compute-kaldi-pitch-feats"),
    ("online.conf", "--max-f0=400\n", "compute-kaldi-pitch-feats")])
def test_other_programs_of_kaldi_are_named(name, text, other, veery, tmp_path):
    error = veery("presets", written(tmp_path / name, text), status=1).stderr
    assert f"{name}: the features of '{other}' cannot be computed; those of Kaldi 5.5 that can are compute-fbank-feats, compute-mfcc-feats" in error


def test_every_wrong_line_is_named(veery, tmp_path):
    path = written(tmp_path / "fbank.conf", "--frame-length=25ms\n--dither=0\n--bogus=1\n--snip-edges=maybe\n")
    lines = veery("presets", path, status=1).stderr.splitlines()
    assert len(lines) == 3 and "frame-length: expected a finite number, found '25ms'" in lines[0], lines
    assert "  bogus: compute-fbank-feats of Kaldi 5.5 has no such field" in lines[1]
    assert "  snip-edges: expected true or false, found 'maybe'" in lines[2]
    path = written(path, "".join(f"--bogus{number}=1\n" for number in range(20)))
    lines = veery("presets", path, status=1).stderr.splitlines()
    assert len(lines) == 9 and lines[-1] == "  and 12 more"


def test_short_utterances_that_kaldi_leaves_out_are_remarked(veery, tmp_path):
    write_wav(tmp_path / "a.wav", 16000, tone(16000, 1, [440]))
    words = "min-duration is 2: the original leaves out utterances that are shorter, which are not left out here"
    path = written(tmp_path / "fbank.conf", "--min-duration=2.0\n--dither=0\n")
    assert words in veery("extract", "a.wav", "-o", "a.h5", "--preset", path, folder=tmp_path).stderr
    assert any(words in one for one in FeaturePlan(path).warnings)


def test_a_preset_wins_over_a_file_of_its_name(veery, tmp_path):
    written(tmp_path / "whisper", changed("whisper/preprocessor_config.json"))
    assert "bins: 80" in veery("presets", "whisper", folder=tmp_path).stdout
    assert "bins=128" in veery("presets", "./whisper", folder=tmp_path).stdout


def test_settings_change_what_a_file_says(veery, tmp_path):
    wav = tmp_path / "a.wav"
    write_wav(wav, 16000, tone(16000, 1, [440]))
    veery("extract", wav, "-o", tmp_path / "a.h5", "--preset", FILES / "whisper", "--set", "audio.duration=null", "--quiet")
    assert json.loads(veery("inspect", tmp_path / "a.h5", "--json").stdout)["rows"] == 100


# --------------------------------------------------------------------------------------------------------- sample rates

# Files with a sample rate: what their programs define as times, or by half the rate, follows that, and numbers of samples do not.
NEMO_RATED = "preprocessor: {{_target_: a.AudioToMelSpectrogramPreprocessor, sample_rate: {rate}, window_size: 0.025, window_stride: 0.01{more}}}\n"
RATED = {
    "Kaldi": ("fbank.conf", "--num-mel-bins=40\n--dither=0\n--sample-frequency={rate}\n"),
    "Kaldi, edges that count from half the rate": (
        "fbank.conf", "--sample-frequency={rate}\n--high-freq=-400\n--vtln-warp=1.1\n--vtln-high=-700\n--snip-edges=false\n"),
    "Kaldi, transforms as long as frames": ("mfcc.conf", "--frame-length=23.7\n--frame-shift=12.5\n--round-to-power-of-two=false\n--sample-frequency={rate}\n"),
    "lhotse": ("feature_config.yaml", "feature_type: kaldi-fbank\nsampling_rate: {rate}\n"),
    "FunASR": ("config.yaml", "frontend: WavFrontend\nfrontend_conf: {{fs: {rate}, n_mels: 80}}\n"),
    "WeNet": ("train.yaml", "dataset_conf: {{fbank_conf: {{num_mel_bins: 80}}, resample_conf: {{resample_rate: {rate}}}}}\n"),
    "WeSpeaker": ("config.yaml", "dataset_args: {{fbank_args: {{num_mel_bins: 40, frame_length: 20}}, resample_rate: {rate}}}\n"),
    "NeMo": ("model_config.yaml", NEMO_RATED.replace("{more}", "")),
    "NeMo with a length of transforms": ("model_config.yaml", NEMO_RATED.replace("{more}", ", n_fft: 2048")),
    "ESPnet": ("config.yaml", "frontend: default\nfrontend_conf: {{fs: {rate}}}\nnormalize: null\n"),
    "librosa": ("mel.json", '{{"_target_": "librosa.feature.melspectrogram", "sr": {rate}, "hop_length": 160}}'),
    "torchaudio": ("mel.json", '{{"_target_": "torchaudio.transforms.MelSpectrogram", "sample_rate": {rate}, "n_fft": 400}}'),
    "SpeechT5": ("preprocessor_config.json", '{{"feature_extractor_type": "SpeechT5FeatureExtractor", "sampling_rate": {rate}, "fmax": 3000}}'),
    "Gemma": ("preprocessor_config.json", '{{"feature_extractor_type": "Gemma3nAudioFeatureExtractor", "sampling_rate": {rate}, "max_frequency": 3000}}'),
    "Inkling": ("preprocessor_config.json", '{{"feature_extractor_type": "InklingFeatureExtractor", "sampling_rate": {rate}}}'),
    "Parakeet": ("preprocessor_config.json", '{{"feature_extractor_type": "ParakeetFeatureExtractor", "sampling_rate": {rate}, "hop_length": 160}}'),
}


@pytest.mark.parametrize("rate", [8000, 11_025, 44_100])
@pytest.mark.parametrize("case", RATED)
def test_a_rate_that_is_set_is_as_one_in_the_file(case, rate, understood, veery, tmp_path):
    name, text = RATED[case]
    path, other = written(tmp_path / "own" / name, text.format(rate=16_000)), written(tmp_path / "other" / name, text.format(rate=rate))
    expected = understood(other)
    wav = tmp_path / "a.wav"
    write_wav(wav, 16_000, tone(16_000, 1, [440]))
    veery("extract", wav, "-o", tmp_path / "a.h5", "--preset", path, "--set", f"audio.sample_rate={rate}", "--quiet")
    with h5py.File(tmp_path / "a.h5") as file:
        assert json.loads(file["provenance/configuration"][()]) == expected
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for plan in (FeaturePlan(path, settings={"audio.sample_rate": rate}), FeaturePlan(path, rate),
                     FeaturePlan(path, settings={"audio": {"sample_rate": rate}}),
                     FeaturePlan(path, settings={"audio.sample_rate": f"{rate / 1000:g} kHz"})):
            assert plan.configuration == expected and pickle.loads(pickle.dumps(plan)).configuration == expected


def test_frames_of_kaldi_keep_their_times(veery, tmp_path):
    """25 ms every 10 ms up to half the rate, as compute-fbank-feats has them with --sample-frequency in its command."""
    path = written(tmp_path / "fbank.conf", "--num-mel-bins=40\n--dither=0\n")
    samples = write_wav(tmp_path / "a.wav", 8000, noise(1, 8000))[:, 0]
    said = veery("presets", path).stdout
    rows = {line.split("  ")[1].strip(): line.split("  ")[-1].strip() for line in said.splitlines() if line.startswith("#   ")}
    assert rows["frame.length=25 ms"] == "frame-length (by default)" and rows["frame.hop=10 ms"] == "frame-shift (by default)"
    assert rows["transform.high=half"] == "high-freq (by default)"
    # What is printed may be changed, as that of a preset.
    copy = written(tmp_path / "copy.yaml", said.replace("sample_rate: 16000", "sample_rate: 8000"))
    run = veery("extract", "a.wav", "-o", "own.h5", "--preset", path, "--set", "audio.sample_rate=8k", folder=tmp_path)
    # A rate that the file does not state is no change of a model's input.
    assert "wrong results" not in run.stderr
    veery("extract", "a.wav", "-o", "null.h5", "--preset", path, "--set", "audio.sample_rate=null", "--quiet", folder=tmp_path)
    veery("extract", "a.wav", "-o", "copy.h5", "--config", copy, "--quiet", folder=tmp_path)
    veery("extract", "a.wav", "-o", "preset.h5", "--preset", "kaldi-fbank", "--set", "audio.sample_rate=8k", "--set", "transform.bins=40", "--quiet", folder=tmp_path)
    found = {}
    for name in ("own", "null", "copy", "preset"):
        with h5py.File(tmp_path / f"{name}.h5") as file:
            found[name] = file["features"][:]
    assert found["own"].shape == (98, 40)
    for name in ("null", "copy", "preset"):
        assert np.array_equal(found["own"], found[name]), name
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        features = FeaturePlan(path, settings={"audio.sample_rate": 8000}).features(samples)
    assert np.array_equal(features, found["own"])
    np.save(tmp_path / "a.npy", features)
    veery("conform", "a.npy", "a.wav", "--preset", path, "--set", "audio.sample_rate=8k", folder=tmp_path)
    veery("render", "a.wav", "-o", "a.png", "--preset", path, "--set", "audio.sample_rate=8k", folder=tmp_path)


def test_a_rate_that_is_set_keeps_what_else_is_set(veery, tmp_path):
    path = written(tmp_path / "fbank.conf", "--sample-frequency=16000\n--high-freq=7600\n--dither=0\n")
    write_wav(tmp_path / "a.wav", 8000, noise(1, 8000))
    settings = ["--set", "transform.high=3800", "--set", "frame.hop=5 ms"]
    for order in (["--set", "audio.sample_rate=8k", *settings], [*settings, "--set", "audio.sample_rate=8k"]):
        said = veery("extract", "a.wav", "-o", "a.h5", "--overwrite", "--preset", path, *order, folder=tmp_path).stderr
        # A rate that the file states is the model's.
        assert "fbank.conf: audio.sample_rate is 8000 instead of 16000, frame.hop is 40 instead of " in said
        with h5py.File(tmp_path / "a.h5") as file:
            found = json.loads(file["provenance/configuration"][()])
        assert (found["frame"]["length"], found["frame"]["hop"], found["transform"]["high"]) == (200, 40, 3800)
    # An edge that the file gives as a frequency is refused, as by Kaldi.
    error = veery("extract", "a.wav", "-o", "b.h5", "--preset", path, "--set", "audio.sample_rate=8k", folder=tmp_path, status=64).stderr
    assert "transform.high" in error


# -------------------------------------------------------------------------------------------------------------- folders


def test_a_folder_is_looked_into(veery, tmp_path):
    snapshot = tmp_path / "snapshot"
    shutil.copytree(FILES / "whisper", snapshot)
    written(snapshot / "config.json", '{"architectures": ["WhisperForConditionalGeneration"], "model_type": "whisper"}')
    assert "preprocessor_config.json: WhisperFeatureExtractor" in veery("presets", snapshot).stdout
    # An extractor inside of a processor's file wins, as in transformers.
    shutil.copy(FILES / "parakeet/processor_config.json", snapshot)
    assert "processor_config.json: ParakeetFeatureExtractor" in veery("presets", snapshot).stdout
    error = veery("presets", tmp_path / "snapshot/config.json", status=1).stderr
    assert "preprocessor_config.json, next to it" in error


def test_files_that_disagree_are_refused(veery, tmp_path):
    shutil.copy(FILES / "kaldi/fbank.conf", tmp_path)
    shutil.copy(FILES / "kaldi/mfcc.conf", tmp_path)
    error = veery("presets", tmp_path, status=1).stderr
    assert "fbank.conf and" in error and "mfcc.conf describe different features" in error


def test_a_folder_without_a_file_is_refused(veery, tmp_path):
    assert "found none" in veery("presets", tmp_path, status=1).stderr


W2V = {"do_normalize": True, "feature_size": 1, "padding_side": "right", "padding_value": 0.0, "sampling_rate": 16000}
SEAMLESS = {"feature_size": 80, "num_mel_bins": 80, "padding_value": 1, "sampling_rate": 16000, "stride": 2}


@pytest.mark.parametrize("type_, name, file", [
    ("wav2vec2", "Wav2Vec2FeatureExtractor", W2V), ("hubert", "Wav2Vec2FeatureExtractor", W2V), ("wavlm", "Wav2Vec2FeatureExtractor", W2V),
    ("whisper", "WhisperFeatureExtractor", {"feature_size": 80, "sampling_rate": 16000, "chunk_length": 30}),
    ("seamless_m4t", "SeamlessM4TFeatureExtractor", SEAMLESS),
    ("audio-spectrogram-transformer", "ASTFeatureExtractor", {"feature_size": 1, "sampling_rate": 16000, "num_mel_bins": 128, "max_length": 1024})])
def test_a_class_that_the_file_does_not_name_is_that_of_the_model(type_, name, file, understood, veery, tmp_path):
    named = understood(written(tmp_path / "named.json", json.dumps({**file, "feature_extractor_type": name})))
    path = written(tmp_path / "model/preprocessor_config.json", json.dumps(file))
    written(tmp_path / "model/config.json", json.dumps({"model_type": type_, "hidden_size": 768}))
    assert understood(path) == understood(path.parent) == named
    # A processor's file that names no extractor says nothing.
    written(tmp_path / "model/processor_config.json", '{"processor_class": "Wav2Vec2Processor"}')
    assert understood(path.parent) == named
    said = veery("presets", path).stdout
    assert f"#   feature_extractor_type: the file has none; {name} is that of the model_type in config.json, {type_}\n" in said
    # Both files say what the features are.
    write_wav(tmp_path / "a.wav", 16000, tone(16000, 1, [440]))
    veery("extract", tmp_path / "a.wav", "-o", tmp_path / "a.h5", "--preset", path.parent, "--quiet")
    assert {"preprocessor_config.json", "config.json"} <= {one["name"] for one in json.loads(
        veery("inspect", tmp_path / "a.h5", "--json").stdout)["configuration_files"]}
    # A class that the file names wins.
    written(path, json.dumps({**W2V, "feature_extractor_type": "Wav2Vec2FeatureExtractor"}))
    assert ": Wav2Vec2FeatureExtractor, as in" in veery("presets", path).stdout


def test_a_folder_says_what_is_wrong_with_its_files(veery, tmp_path):
    path = written(tmp_path / "preprocessor_config.json", json.dumps(W2V))
    words = 'has no feature_extractor_type: add the name of the class, such as "feature_extractor_type": "Wav2Vec2FeatureExtractor"'
    error = veery("presets", tmp_path, status=1).stderr
    assert words in error and str(path) in error and "found none" not in error
    written(tmp_path / "config.json", '{"model_type": "wav2vec9"}')
    error = veery("presets", tmp_path, status=1).stderr
    assert "has no feature_extractor_type, and the model_type in config.json, 'wav2vec9', has no extractor that is known here: add" in error
    written(tmp_path / "config.yaml", "lr: 0.1\n")
    error = veery("presets", tmp_path, status=1).stderr
    assert f"{tmp_path}: no file in it is read as a model's own: preprocessor_config.json: it looks like a file of transformers" in error
    assert "; config.yaml: nothing in it says whose configuration it is" in error


@pytest.mark.parametrize("file, name", [
    (W2V, "Wav2Vec2FeatureExtractor"), (SEAMLESS, "SeamlessM4TFeatureExtractor"),
    ({"feature_size": 1, "sampling_rate": 16000, "num_mel_bins": 128, "max_length": 1024, "mean": 0, "std": 1}, "ASTFeatureExtractor"),
    ({"feature_size": 80, "sampling_rate": 16000, "chunk_length": 30, "hop_length": 160, "n_fft": 400, "n_samples": 480000, "nb_max_frames": 3000},
     "WhisperFeatureExtractor")])
def test_the_class_of_an_example_has_the_fields_of_the_file(file, name, veery, tmp_path):
    path = written(tmp_path / "preprocessor_config.json", json.dumps(file))
    assert f'such as "feature_extractor_type": "{name}"' in veery("presets", path, status=1).stderr
    veery("presets", written(path, json.dumps({**file, "feature_extractor_type": name})))


@pytest.mark.parametrize("compression", ["", "gz"])
def test_a_nemo_archive_is_read_inside(compression, veery, tmp_path):
    archive = tmp_path / "model.nemo"
    with tarfile.open(archive, f"w:{compression}") as tar:
        for name, data in (("./model_weights.ckpt", b"0" * 100_000), ("./model_config.yaml", (FILES / "nemo/model_config.yaml").read_bytes())):
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    expected = json.loads(veery("presets", FILES / "nemo/model_config.yaml", "--json").stdout)
    assert json.loads(veery("presets", archive, "--json").stdout) == expected
    assert json.loads(veery("presets", tmp_path, "--json").stdout) == expected


def test_an_archive_without_a_configuration_is_refused(veery, tmp_path):
    with tarfile.open(tmp_path / "model.nemo", "w") as tar:
        tar.addfile(tarfile.TarInfo("a.txt"))
    assert "no member of this name" in veery("presets", tmp_path / "model.nemo", status=1).stderr


# --------------------------------------------------------------------------------------------------------------- errors


def changed(name, drop=(), **more):
    """A file of JSON with other fields."""
    values = {**json.loads((FILES / name).read_text()), **more}
    return json.dumps({key: value for key, value in values.items() if key not in drop})


WHISPER, NEMO_FILE = "whisper/preprocessor_config.json", "nemo/model_config.yaml"
REFUSED = {
    "unknown field": ("preprocessor_config.json", lambda: changed(WHISPER, hop_lenght=160),
                      "hop_lenght: WhisperFeatureExtractor of transformers 5.23 and 5.24 has no such field (did you mean 'hop_length'?)"),
    "wrong type": ("preprocessor_config.json", lambda: changed(WHISPER, n_fft="400"), "n_fft: expected a whole number, found '400'"),
    "flag for a number": ("preprocessor_config.json", lambda: changed(WHISPER, feature_size=True), "feature_size: expected a whole number, found true"),
    "fraction": ("preprocessor_config.json", lambda: changed(WHISPER, hop_length=160.5), "hop_length: expected a whole number, found 160.5"),
    "list": ("preprocessor_config.json", lambda: changed(WHISPER, hop_length=[160]), "hop_length: expected a whole number, found a list of 1"),
    "not a number": ("preprocessor_config.json", lambda: changed(WHISPER, chunk_length=float("nan")), "chunk_length: expected a number, found 'NaN'"),
    "infinite": ("preprocessor_config.json", lambda: changed(WHISPER).replace('"chunk_length": 30', '"chunk_length": 1e999'),
                 "chunk_length: expected a finite number"),
    "out of range": ("preprocessor_config.json", lambda: changed(WHISPER, sampling_rate=0), "sampling_rate: configuration audio.sample_rate: expected"),
    "huge": ("preprocessor_config.json", lambda: changed(WHISPER, n_fft=10**30), "n_fft: expected a whole number"),
    "negative": ("preprocessor_config.json", lambda: changed(WHISPER, n_fft=-400), "n_fft"),
    "left": ("preprocessor_config.json", lambda: changed(WHISPER, padding_side="left"), "padding_side: expected right, found 'left'"),
    "fill": ("preprocessor_config.json", lambda: changed(WHISPER, padding_value=-1.0), "padding_value: expected 0, found -1.0"),
    "own code": ("preprocessor_config.json", lambda: changed(WHISPER, auto_map={"AutoFeatureExtractor": "x.Y"}), "auto_map: expected null, found a mapping"),
    "no class": ("preprocessor_config.json", lambda: changed(WHISPER, drop=["feature_extractor_type"]), "it looks like a file of transformers, and has no feature_extractor_type"),
    "other class": ("preprocessor_config.json", lambda: changed(WHISPER, feature_extractor_type="Pop2PianoFeatureExtractor"),
                    "feature_extractor_type: the features of 'Pop2PianoFeatureExtractor' cannot be computed"),
    "twice": ("preprocessor_config.json", lambda: changed(WHISPER)[:-1] + ', "n_fft": 512}', "n_fft is given twice"),
    "deviation alone": ("preprocessor_config.json", lambda: changed("speech2text/preprocessor_config.json", normalize_means=False), "normalize_vars: expected false"),
    "flavour": ("preprocessor_config.json", lambda: changed("gemma3n/preprocessor_config.json", preemphasis_htk_flavor=False), "preemphasis_htk_flavor: expected true"),
    "window": ("preprocessor_config.json", lambda: changed("speecht5/preprocessor_config.json", win_function="kaiser"), "win_function: expected one of"),
    "no JSON": ("preprocessor_config.json", lambda: '{"n_fft": 400,', "expected JSON"),
    "nested": ("preprocessor_config.json", lambda: '{"a": ' + "[" * 500 + "]" * 500 + "}", "nested more than 64 deep"),
    "deep YAML": ("model_config.yaml", lambda: "a: " + "[" * 900 + "]" * 900 + "\n", "expected YAML"),
    "deeper YAML": ("model_config.yaml", lambda: "a: " + "[" * 100_000, "expected YAML"),
    "aliases": ("model_config.yaml", lambda: "a: &a [1]\n" + "".join(f"b{i}: *a\n" for i in range(50)), "aliases"),
    "not UTF-8": ("preprocessor_config.json", lambda: changed(WHISPER).encode().replace(b"Whisper", b"Whisp\xe9r"), "UTF-8"),
    "empty": ("preprocessor_config.json", lambda: "", "it is empty"),
    "a list": ("preprocessor_config.json", lambda: "[1, 2]", "expected a mapping of fields"),
    "nothing known": ("model.json", lambda: '{"a": 1}', "nothing in it says whose configuration it is"),
    "ambiguous": ("mel.json", lambda: '{"n_fft": 512, "hop_length": 160, "n_mels": 80}', "arguments of torchaudio or of librosa"),
    "function": ("mel.json", lambda: '{"_target_": "librosa.feature.tempogram", "sr": 16000}', "the features of 'librosa.feature.tempogram' cannot be computed"),
    "power": ("mel.json", lambda: '{"sr": 22050, "n_fft": 512, "power": 1.5}', "power: expected 1 or 2, found 1.5"),
    "type of DCT": ("mfcc.json", lambda: '{"sr": 22050, "n_mfcc": 13, "dct_type": 3}', "dct_type: expected 2, found 3"),
    "splicing": ("model_config.yaml", lambda: nemo("frame_splicing: 1", "frame_splicing: 3"), "preprocessor.frame_splicing: expected 1, found 3"),
    "interpolation": ("model_config.yaml", lambda: nemo("features: 80", "features: ${model.bands}"),
                      "preprocessor.features: expected a value, or the name of one in the file, found ${model.bands}"),
    "no target": ("model_config.yaml", lambda: nemo("  _target_: nemo.collections.asr.modules.AudioToMelSpectrogramPreprocessor\n", ""), "preprocessor._target_ is missing"),
    "other target": ("model_config.yaml", lambda: nemo("AudioToMelSpectrogramPreprocessor", "AudioToSpectrogram"), "AudioToSpectrogram' cannot be computed"),
    "YAML twice": ("model_config.yaml", lambda: nemo("features: 80", "features: 80\n  features: 64"), "duplicate key: 'features'"),
    "exponent": ("feature_config.yaml", lambda: "feature_type: kaldi-fbank\nlow_freq: 2e1\n", "low_freq: expected a number: this is a text in YAML 1.1"),
    "lhotse class": ("feature_config.yaml", lambda: "feature_type: whisper-fbank\n", "the features of 'whisper-fbank' cannot be computed"),
    "lhotse rate": ("feature_config.yaml", lambda: "feature_type: fbank\nhigh_freq: -400.0\n", "high_freq: expected 0 or more"),
    "Kaldi which": ("feats.conf", lambda: "--num-mel-bins=80\n", "nothing says which"),
    "Kaldi option": ("fbank.conf", lambda: "--num-mel-bin=80\n", "num-mel-bin: compute-fbank-feats of Kaldi 5.5 has no such field (did you mean 'num-mel-bins'?)"),
    "Kaldi nested": ("fbank.conf", lambda: "--config=other.conf\n", "config: expected no other file"),
    "Kaldi energy": ("fbank.conf", lambda: "--use-energy=true\n", "use-energy: expected false, found 'true'"),
    "Kaldi value": ("fbank.conf", lambda: "--num-mel-bins=many\n", "num-mel-bins: expected a finite number, found 'many'"),
    "HTK kind": ("config", lambda: "TARGETKIND = MFCC_E_D\nTARGETRATE = 100000\n", "TARGETKIND: expected MFCC with _0, _D and _A alone"),
    "HTK field": ("config", lambda: "TARGETKIND = MFCC_0\nTARGETRATE = 100000\nNUMCHAN = 26\n", "NUMCHAN: HCopy of HTK 3.4 has no such field"),
    "ESPnet statistics": ("config.yaml", lambda: "frontend: default\nnormalize: global_mvn\nnormalize_conf: {stats_file: a.npz}\n", "normalize: expected utterance_mvn or null"),
    "ESPnet frontend": ("config.yaml", lambda: "frontend: s3prl\nfrontend_conf: {}\n", "the features of 's3prl' cannot be computed"),
    "ESPnet network": ("config.yaml", lambda: "frontend: default\nfrontend_conf: {frontend_conf: {use_wpe: true}}\n", "use_wpe: false"),
    "Kaldi without hyphens": ("fbank.conf", lambda: "num-mel-bins=80\n", "num-mel-bins: expected --num-mel-bins=80, since Kaldi reads an option by two hyphens in front of it, "
                              "found num-mel-bins=80: correct it in a copy of the file"),
    "Kaldi, a line without hyphens": ("mfcc.conf", lambda: "# 8 kHz\n--num-ceps=13\nsample_frequency=8000 # Hz\n", "sample-frequency: expected --sample_frequency=8000"),
    "Kaldi, one hyphen": ("fbank.conf", lambda: "--dither=0\n-snip-edges=false\n", "snip-edges: expected --snip-edges=false"),
    "WeNet": ("train.yaml", lambda: "dataset_conf: {feats_type: log_mel_spectrogram}\n", "the features of 'log_mel_spectrogram' cannot be computed"),
}


def nemo(old, new):
    text = (FILES / NEMO_FILE).read_text()
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_is_named(case, veery, tmp_path):
    name, text, words = REFUSED[case]
    path = written(tmp_path / name, text())
    result = veery("presets", path, status=1)
    assert words in result.stderr and str(path) in result.stderr, result.stderr
    assert result.stdout == "" and ("--" not in words or "Kaldi" in case)


def test_rows_are_drawn_before_constants_of_stacked_rows(veery, tmp_path):
    write_wav(tmp_path / "a.wav", 16000, noise(5, 16000))
    np.save(tmp_path / "mean.npy", np.linspace(-3, 3, 80))

    def drawn(name, normalize):
        # In a file, whose name is in the picture: settings would be, too.
        (tmp_path / "c.yaml").write_text(
            f"extends: log-mel\ntransform: {{bins: 40}}\npatches: {{length: 2, stacked: true}}\nnormalize: {{{normalize}}}\n")
        veery("render", "a.wav", "-o", f"{name}.png", "--config", "c.yaml", folder=tmp_path)
        return (tmp_path / f"{name}.png").read_bytes()

    constant = "scope: constant, std: 2, mean: mean.npy"
    plain = drawn("plain", "scope: none")
    # The label is that of values as they are, too.
    assert drawn("stacked", constant) == plain
    np.save(tmp_path / "mean.npy", np.linspace(-3, 3, 40))
    assert drawn("rows", constant) != plain


def test_constants_of_columns_come_with_a_file(understood, veery, tmp_path):
    # (v + shift) scale.
    shift, scale = np.linspace(-9, -7, 560), np.linspace(0.1, 0.3, 560)
    text = "".join(f"<{name}> 560 560\n<LearnRateCoef> 0 [ {' '.join(map(str, values))} ]\n" for name, values in (("AddShift", shift), ("Rescale", scale)))
    written(tmp_path / "am.mvn", "<Nnet>\n<Splice> 560 560\n[ 0 ]\n" + text + "</Nnet>\n")
    conf = "frontend: WavFrontend\nfrontend_conf: {fs: 16000, n_mels: 80, dither: 0.0, lfr_m: 7, lfr_n: 6%s}\n"
    named = understood(written(tmp_path / "config.yaml", conf % ", cmvn_file: am.mvn"))
    assert named["patches"] == {**named["patches"], "length": 7, "hop": 6, "rest": "repeat", "stacked": True, "lead": 3}
    assert np.allclose(named["normalize"]["mean"], -shift) and np.allclose(named["normalize"]["std"], 1 / scale)
    # A snapshot has it without naming it, or names it in configuration.json.
    assert understood(written(tmp_path / "config.yaml", conf % "")) == named
    written(tmp_path / "configuration.json", '{"file_path_metas": {"frontend_conf": {"cmvn_file": "am.mvn"}}}')
    assert understood(tmp_path / "config.yaml") == named == understood(tmp_path)
    # Any white space is between numbers, and brackets need none: in this file as in one that normalize.mean names.
    written(tmp_path / "am.mvn", text.replace("[ ", "[").replace(" ]", "\f]").replace(" -8", "\v-8"))
    assert understood(tmp_path / "config.yaml") == named
    write_wav(tmp_path / "a.wav", 16000, noise(3, 16000))
    veery("extract", "a.wav", "-o", "a.h5", "--preset", "paraformer", *(f"--set=normalize.{key}" for key in (
        "scope=constant", "mean=am.mvn", "std=am.mvn")), folder=tmp_path)
    with h5py.File(tmp_path / "a.h5") as file:
        assert json.loads(file["provenance/configuration"][()])["normalize"] == named["normalize"]
    for number, found in ("x", "'x'"), ("inf", "inf in column"), ("1e999", "inf in column"):
        written(tmp_path / "am.mvn", text.replace("-9.0", number))
        error = veery("presets", tmp_path, status=1).stderr
        assert "cmvn_file: expected numbers" in error and f"found {found}" in error and "of 'am.mvn'" in error
    written(tmp_path / "am.mvn", text)
    # The file of the constants is named as it is given.
    said = veery("presets", tmp_path / "config.yaml").stdout
    assert re.search(r"normalize\.mean=\[560 numbers\] +frontend_conf\.cmvn_file \(am\.mvn(, by default)?\)\n", said), said
    (tmp_path / "constants").mkdir()
    # What configuration.json names would win.
    (tmp_path / "configuration.json").unlink()
    (tmp_path / "am.mvn").rename(tmp_path / "constants" / "am.mvn")
    path = written(tmp_path / "config.yaml", conf % ", cmvn_file: constants/am.mvn")
    assert understood(path) == named
    assert re.search(r"normalize\.std=\[560 numbers\] +frontend_conf\.cmvn_file \(constants/am\.mvn\)\n", veery("presets", path).stdout)
    # One that is wrong is named with its column.
    for value in "0", "-1", "nan":
        written(tmp_path / "constants" / "am.mvn", text.replace(f"{scale[2]} ", f"{value} ", 1))
        error = veery("presets", path, status=1).stderr
        assert "cmvn_file: expected " in error and "'constants/am.mvn'" in error
        assert value == "nan" or f"in <Rescale>, found {float(value)} in column 2 (counted from 0) of 'constants/am.mvn'" in error
    path = written(tmp_path / "config.yaml", conf % "")
    written(tmp_path / "am.mvn", text.replace("-9.0 ", "", 1))
    error = veery("presets", tmp_path, status=1).stderr
    assert "cmvn_file: expected 560 numbers of <AddShift> and of <Rescale>" in error and "found 559 and 560 of 'am.mvn'" in error
    (tmp_path / "am.mvn").unlink()
    written(tmp_path / "configuration.json", '{"file_path_metas": {"frontend_conf": {"cmvn_file": "am.mvn"}}}')
    assert "cmvn_file: expected the name of a file in the folder of this one" in veery("presets", tmp_path, status=1).stderr


def constants(rows, scale=1.0):
    return "".join(f"<{name}> {rows} {rows}\n<LearnRateCoef> 0 [ {' '.join([str(value)] * rows)} ]\n" for name, value in (("AddShift", 1.0), ("Rescale", scale)))


def test_constants_at_the_top_level_of_funasr_are_not_passed_over(understood, veery, tmp_path):
    conf = "frontend: WavFrontend\nfrontend_conf: {n_mels: 80, dither: 0.0, lfr_m: 7, lfr_n: 6%s}\n%s"
    top = "cmvn_file: stats.mvn\n"
    written(tmp_path / "stats.mvn", constants(560, 0.5))
    error = veery("presets", written(tmp_path / "config.yaml", conf % ("", top)), status=1).stderr
    assert "cmvn_file: expected the constants by frontend_conf.cmvn_file, found 'stats.mvn'" in error
    assert "move the line into frontend_conf in a copy of the file" in error and "or take it out if" in error
    # As it says.
    assert understood(written(tmp_path / "a.yaml", conf % (", cmvn_file: stats.mvn", "")))["normalize"]["std"] == [2] * 560
    assert understood(written(tmp_path / "b.yaml", conf % ("", "")))["normalize"]["scope"] == "none"
    # Null names nothing, and FunASR's own places win.
    said = veery("presets", written(tmp_path / "config.yaml", conf % ("", "cmvn_file: null\n"))).stdout
    assert "normalize.scope=none" in said and "#   cmvn_file: the constants are those that frontend_conf or am.mvn has" in said
    assert understood(written(tmp_path / "config.yaml", conf % (", cmvn_file: stats.mvn", "cmvn_file: /train/other.mvn\n")))["normalize"]["std"] == [2] * 560
    written(tmp_path / "am.mvn", constants(560, 0.25))
    assert understood(written(tmp_path / "config.yaml", conf % ("", top)))["normalize"]["std"] == [4] * 560
    # What configuration.json names wins over a null, and over another name.
    written(tmp_path / "configuration.json", '{"file_path_metas": {"frontend_conf": {"cmvn_file": "stats.mvn"}}}')
    for named in "null", "am.mvn":
        assert understood(written(tmp_path / "config.yaml", conf % (f", cmvn_file: {named}", "")))["normalize"]["std"] == [2] * 560


def test_stacked_rows_of_funasr_without_constants_are_remarked(veery, tmp_path):
    wav = tmp_path / "a.wav"
    write_wav(wav, 16000, tone(16000, 1, [440]))
    conf = "frontend: WavFrontend\nfrontend_conf: {n_mels: 80, dither: 0.0, lfr_m: %d, lfr_n: %d%s}\n"
    words = "frontend_conf.lfr_m is 7, and the constants of the model (am.mvn) are not in the file's folder: rows are not normalised"
    for more in "", ", cmvn_file: null":
        path = written(tmp_path / "config.yaml", conf % (7, 6, more))
        assert words in veery("presets", path).stdout
        assert f"warning: {path}: {words}" in veery("extract", wav, "-o", tmp_path / "a.h5", "--preset", path, "--overwrite").stderr
    assert "am.mvn" not in veery("presets", written(tmp_path / "config.yaml", conf % (1, 1, ""))).stdout
    path = written(tmp_path / "config.yaml", conf % (7, 6, ""))
    written(tmp_path / "am.mvn", constants(560))
    assert words not in veery("presets", path).stdout


def test_normalisation_next_to_a_front_end_is_accounted_for(veery, tmp_path):
    layer = "the normalisation by it is a layer of the model"
    text = (FILES / "wenet/train.yaml").read_text()
    said = veery("presets", written(tmp_path / "train.yaml", text + "is_json_cmvn: true\ncmvn_file: global_cmvn\n")).stdout
    assert f"is_json_cmvn: {layer}" in said and f"cmvn_file: {layer}" in said
    text = (FILES / "funasr/config.yaml").read_text()
    said = veery("presets", written(tmp_path / "config.yaml", text + "normalize: utterance_mvn\n")).stdout
    assert f"#   normalize: {layer}" in said
    # Trained models of ESPnet have the field; a recipe leaves it to the command line.
    recipe = "frontend: default\nfrontend_conf: {n_fft: 512}\n"
    assert "the file has no normalize, so nothing is normalised" in veery("presets", written(tmp_path / "config.yaml", recipe)).stdout
    assert "no normalize" not in veery("presets", written(tmp_path / "config.yaml", recipe + "normalize: null\n")).stdout


def test_other_classes_of_transformers_are_refused_by_name(veery, tmp_path):
    for name in ("GraniteSpeech5FeatureExtractor", "MarkupLMFeatureExtractor", "MusicgenMelodyFeatureExtractor",
                 "PeAudioFeatureExtractor", "PocketTTSFeatureExtractor", "Pop2PianoFeatureExtractor", "VibeVoiceAcousticTokenizerFeatureExtractor",
                 "Xcodec2FeatureExtractor", "FutureFeatureExtractor"):
        path = written(tmp_path / "preprocessor_config.json", json.dumps({"feature_extractor_type": name, "sampling_rate": 16000}))
        error = veery("presets", path, status=1).stderr
        assert f"the features of '{name}' cannot be computed" in error and "WhisperFeatureExtractor" in error


def test_marks_of_bytes_and_line_ends_do_not_matter(understood, tmp_path):
    for name in ("whisper/preprocessor_config.json", "nemo/model_config.yaml", "kaldi/fbank.conf", "htk/config"):
        data = (FILES / name).read_bytes()
        expected = understood(FILES / name)
        path = tmp_path / name
        assert understood(written(path, b"\xef\xbb\xbf" + data)) == expected
        assert understood(written(path, data.replace(b"\n", b"\r\n"))) == expected


def test_a_huge_file_is_refused_at_once(veery, tmp_path):
    path = tmp_path / "preprocessor_config.json"
    with open(path, "wb") as file:
        file.truncate(1 << 30)
    assert "expected a configuration of at most 8388608 bytes, found 1073741824" in veery("presets", path, status=1).stderr


def test_a_model_file_is_no_configuration(veery, tmp_path):
    wav = tmp_path / "a.wav"
    write_wav(wav, 16000, tone(16000, 1, [440]))
    for name in ("whisper/preprocessor_config.json", "nemo/model_config.yaml", "kaldi/fbank.conf", "htk/config", "espnet/config.yaml",
                 "wenet/train.yaml", "lhotse/feature_config.yaml"):
        error = veery("extract", wav, "-o", tmp_path / "a.h5", "--config", FILES / name, status=1).stderr
        assert "a model's own file, and no configuration of Veery: give it by --preset instead of --config" in error


def test_a_missing_file_is_named(veery):
    assert "'./missing.json': there is no such file" in veery("presets", "./missing.json", status=64).stderr
    assert "Unknown preset 'wisper'. Did you mean 'whisper'?" in veery("presets", "wisper", status=64).stderr


def test_a_remark_is_a_warning_in_python_too():
    path = FILES / "kaldi/mfcc.conf"
    plan = FeaturePlan(path)
    noise = "mfcc.conf: dither is 1 by default: the original adds noise, which is random; none is added here"
    assert noise in plan.warnings
    assert noise in pickle.loads(pickle.dumps(plan)).warnings
    assert noise in FeaturePlan(path, normalize=False).warnings
    assert "model" not in plan.configuration
    # A configuration does not have it, so neither does the plan of a feature file.
    assert noise not in FeaturePlan(plan.configuration).warnings


def test_the_advice_for_a_file_that_no_model_has_is_pythons(tmp_path):
    path = written(tmp_path / "my.conf", "--num-mel-bins=80\n")
    with pytest.raises(FeatureError) as caught:
        FeaturePlan(preset=path)
    assert str(caught.value).endswith(
        "; if it is a configuration of Veery, read the file first, as by json.loads(path.read_text())") and "--config" not in str(caught.value)


def test_what_is_changed_over_a_file_is_a_warning_as_over_a_preset(veery, tmp_path):
    path = written(tmp_path / "preprocessor_config.json", '{"feature_extractor_type": "SpeechT5FeatureExtractor"}')
    with pytest.warns(UserWarning, match="a model gives wrong results"):
        plan = FeaturePlan(path, settings={"audio.sample_rate": 8000, "transform.high": 4000})
    assert any("audio.sample_rate is 8000 instead of 16000" in text and text.startswith("preprocessor_config.json: ") for text in plan.warnings)
    # 64 ms every 16 ms, although the file alone, whose upper edge is too high, is refused at this rate.
    assert (plan.frame_length, plan.hop_length, plan.fft_length) == (512, 128, 512)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", ".*wrong results")
        assert not any("wrong results" in text for text in FeaturePlan(path, settings={"audio.channels": "first"}).warnings)
    wav = tmp_path / "a.wav"
    write_wav(wav, 16000, tone(16000, 1, [440]))
    said = veery("extract", wav, "-o", tmp_path / "a.h5", "--preset", path, "--set", "audio.sample_rate=8000", "--set", "transform.high=4000").stderr
    assert "preprocessor_config.json: audio.sample_rate is 8000 instead of 16000, " in said and "transform.high is 4000 instead of 7600" in said
    assert "a model gives wrong results for input that it was not trained with" in said
    assert "wrong results" not in veery("extract", wav, "-o", tmp_path / "b.h5", "--preset", path).stderr
    # A refused change is not answered by what else to change.
    error = veery("extract", wav, "-o", tmp_path / "c.h5", "--preset", path, "--set", "audio.sample_rate=8000", status=64).stderr
    assert "which the model of preprocessor_config.json expects: leave that change out, since recordings of any rate are resampled" in error
    # Recordings of a lower rate than the model's.
    write_wav(tmp_path / "low.wav", 8000, tone(8000, 1, [440]))
    said = veery("extract", tmp_path / "low.wav", "-o", tmp_path / "d.h5", "--preset", path).stderr
    assert "the model of preprocessor_config.json expects 16000 Hz: use originals of that rate if there are any" in said


@pytest.mark.parametrize("preset", ["file", "ast"])
def test_clips_that_are_cut_to_the_length_of_a_model_are_counted(veery, tmp_path, preset):
    source = FILES / "whisper" if preset == "file" else preset
    limit = 10.255 if preset == "ast" else 30
    for name, seconds in (("long", limit + 1), ("exact", limit), ("short", 2)):
        write_wav(tmp_path / f"{name}.wav", 16000, noise(3, round(seconds * 16000)))
    write_manifest(tmp_path / "m.csv", [{"path": f"{name}.wav", "id": name} for name in ("long", "exact", "short")])
    run = veery("extract", "m.csv", "-o", "a.h5", "--preset", source, folder=tmp_path)
    assert "remark: recordings: 1 clip is longer than the features take (audio.duration or rows.count), and the rest of it is left out: 'long'" in run.stderr
    for report in (veery("extract", "m.csv", "-o", "b.h5", "--preset", source, "--json", folder=tmp_path), veery("inspect", "a.h5", "--json", folder=tmp_path)):
        found = [one for one in json.loads(report.stdout)["remarks"] if one["kind"] == "clips-shortened"]
        assert [(one["count"], one["first"], one["loss"]) for one in found] == [(1, ["long"], False)]
    if preset != "ast":
        said = veery("extract", "m.csv", "-o", "c.h5", "--preset", source, "--set", "audio.duration=null", folder=tmp_path).stderr
        assert "longer than the features take" not in said


@pytest.mark.parametrize("preset", ["file", "ast"])
def test_recordings_that_are_cut_to_the_length_of_a_model_are_warned_of(veery, tmp_path, preset):
    source = FILES / "whisper" if preset == "file" else preset
    limit = 10.255 if preset == "ast" else 30
    for name, seconds in (("long", limit + 1), ("exact", limit)):
        write_wav(tmp_path / f"{name}.wav", 16000, noise(3, round(seconds * 16000)))
    words = "warning: recordings: 1 clip is longer than the features take (audio.duration or rows.count), and the rest of it is left out: "
    said = veery("render", "exact.wav", "long.wav", "-o", "a.png", "--preset", source, folder=tmp_path).stderr
    assert [line for line in said.splitlines() if line.startswith(f"{words}'long.wav'; 'veery clips long.wav --window {10.24 if preset == 'ast' else 30}s --partial keep -o windows.csv' makes a clip of each part")]
    said += veery("live", "--file", "long.wav", "--speed", 0, "--record", "a.h5", "--preset", source, folder=tmp_path).stderr
    assert [line for line in said.splitlines() if line.startswith(f"{words}'long'; ")]
    # What is drawn or recorded whole, or a part that is, has no warning.
    said = veery("render", "exact.wav", "-o", "b.png", "--preset", source, folder=tmp_path).stderr
    said += veery("render", "long.wav", "--start", 1, "-o", "c.png", "--preset", source, folder=tmp_path).stderr
    said += veery("live", "--file", "exact.wav", "--speed", 0, "--record", "b.h5", "--preset", source, folder=tmp_path).stderr
    assert "longer than the features take" not in said


@pytest.mark.parametrize("rate", [8000, 48_000])
def test_clips_of_more_rows_than_are_kept_are_counted_at_the_rate_of_recordings(veery, tmp_path, rate):
    # 101 frames of 25 ms, every 10 ms: 1.025 s.
    for name, seconds in (("long", 1.03), ("short", 1.02)):
        write_wav(tmp_path / f"{name}.wav", rate, noise(3, round(seconds * rate)))
    write_manifest(tmp_path / "m.csv", [{"path": f"{name}.wav", "id": name} for name in ("long", "short")])
    run = veery("extract", "m.csv", "-o", "a.h5", "--set", "rows.count=100", "--set", "audio.sample_rate=null", "--json", folder=tmp_path)
    for report in (run, veery("inspect", "a.h5", "--json", folder=tmp_path)):
        found = [one for one in json.loads(report.stdout)["remarks"] if one["kind"] == "clips-shortened"]
        assert [(one["count"], one["first"]) for one in found] == [(1, ["long"])]


def test_fields_that_set_no_key_are_named(veery, tmp_path):
    said = veery("presets", written(tmp_path / "fbank.conf", "--vtln-low=100\n--use-energy=false\n")).stdout
    assert "# Fields that set no key:" in said and "#   vtln-low: it has its default, for which no key has to be set" in said
    said = veery("presets", written(tmp_path / "fbank.conf", "--vtln-low=80\n")).stdout
    assert "#   vtln-low: with the values of this file, no key has to be set for it" in said


def test_which_file_of_a_folder_is_read_is_no_warning(veery, tmp_path):
    wav = tmp_path / "a.wav"
    write_wav(wav, 16000, tone(16000, 1, [440]))
    line = "preprocessor_config.json says what the features are"
    said = veery("extract", wav, "-o", tmp_path / "a.h5", "--preset", FILES / "whisper").stderr
    assert [one for one in said.splitlines() if line in one and not one.startswith("warning")]
    assert line not in veery("extract", wav, "-o", tmp_path / "b.h5", "--preset", FILES / "whisper", "--quiet").stderr
    assert line not in veery("extract", wav, "-o", tmp_path / "c.h5", "--preset", FILES / "whisper/preprocessor_config.json").stderr


def test_other_files_of_kaldi_in_a_folder_are_named(veery, tmp_path):
    write_wav(tmp_path / "a.wav", 16000, tone(16000, 1, [440]))
    conf = tmp_path / "conf"
    for name, text in (("mfcc.conf", "--use-energy=false\n"), ("mfcc_hires.conf", "--num-ceps=40\n--num-mel-bins=40\n"), ("fbank_8k.conf", "--sample-frequency=8000\n"),
                       ("pitch.conf", "--min-f0=50\n"), ("slurm.conf", "command sbatch\n")):
        written(conf / name, text)
    said = veery("extract", "a.wav", "-o", "a.h5", "--preset", conf, folder=tmp_path).stderr
    assert f"{conf}/mfcc.conf says what the features are, and not fbank_8k.conf, mfcc_hires.conf\n" in said
    said = veery("extract", "a.wav", "-o", "b.h5", "--preset", conf / "mfcc.conf", folder=tmp_path).stderr
    assert "says what the features are" not in said


def test_errors_of_a_file_say_what_to_do(veery, tmp_path):
    path = tmp_path / "preprocessor_config.json"
    for text, words in (
            ('{"feature_extractor_type": "WhisperFeatureExtractor", ', "correct it, or fetch the file again"),
            ('{"feature_extractor_type": "WhisperFeatureExtractor", "n_fft": "400"}', "correct it in a copy of the file"),
            ('{"feature_extractor_type": "WhisperFeatureExtractor", "hop_length": 0}', "correct that in a copy of the file"),
            ('{"feature_extractor_type": "EncodecFeatureExtractor", "feature_size": 3}', "such a value can be set in a copy of the file")):
        error = veery("presets", written(path, text), status=1).stderr
        assert words in error and str(path) in error, error


def test_a_name_that_is_neither_a_preset_nor_a_file_is_told_so():
    with pytest.raises(FeatureError, match="the name of a preset, or a model's own file; did you mean 'whisper'"):
        FeaturePlan("wisper")
    with pytest.raises(FeatureError, match="./missing.json: expected the name of a preset, a model's own file, or the folder"):
        FeaturePlan("./missing.json")


def test_two_channels_of_encodec_are_two(veery, tmp_path):
    path = written(tmp_path / "preprocessor_config.json", '{"feature_extractor_type": "EncodecFeatureExtractor", "feature_size": 2, "sampling_rate": 48000}')
    signal = np.stack([tone(48000, 1, [440]), tone(48000, 1, [1000])], axis=1)
    stored = write_wav(tmp_path / "a.wav", 48000, signal)
    veery("extract", tmp_path / "a.wav", "-o", tmp_path / "a.h5", "--preset", path)
    with h5py.File(tmp_path / "a.h5") as file:
        assert np.array_equal(file["features"][:].reshape(-1, 2), stored)


def kaldi_warp(f, factor, low, high, first, last):
    left, right = first * max(1, factor), last * min(1, factor)
    return np.where(f < left, low + (left / factor - low) / (left - low) * (f - low),
                    np.where(f < right, f / factor, high + (high - right / factor) / (high - right) * (f - high)))


def htk_warp(f, factor, low, high, first, last):
    scale = 1 / factor
    right, left = last * 2 / (1 + scale), first * 2 / (1 + scale)
    above = (high - right * scale) / (high - right) * (f - right) + scale * right
    below = (left * scale - low) / (left - low) * (f - low) + low if left > low else f
    return np.where(f > right, above, np.where(f < left, below, scale * f))


def centres(bins, low, high):
    mel = np.linspace(*(1127 * np.log(1 + np.array([low, high]) / 700)), bins + 2)[1:-1]
    return 700 * (np.exp(mel / 1127) - 1)


@pytest.mark.parametrize("name, text, low, high, warp, arguments", [
    ("fbank.conf", "--num-mel-bins=30\n--vtln-warp=0.9\n", 20, 8000, kaldi_warp, (0.9, 100, 7500)),
    ("fbank.conf", "--num-mel-bins=30\n--vtln-warp=1.15\n--vtln-low=60\n--vtln-high=7000\n--high-freq=-400\n", 20, 7600, kaldi_warp, (1.15, 60, 7000)),
    ("fbank.conf", "--num-mel-bins=30\n--vtln-warp=1.15\n--vtln-high=-700\n", 20, 8000, kaldi_warp, (1.15, 100, 7300)),
    ("feature_config.yaml", "feature_type: fbank\nnum_mel_bins: 30\nhigh_freq: 8000.0\nvtln_warp: 0.85\nvtln_low: 200.0\n", 20, 8000, kaldi_warp, (0.85, 200, 7500)),
    ("config", "TARGETKIND = FBANK\nSOURCERATE = 625\nTARGETRATE = 100000\nNUMCHANS = 30\nWARPFREQ = 0.9\nWARPLCUTOFF = 120\nWARPUCUTOFF = 6000\n",
     0, 8000, htk_warp, (0.9, 120, 6000)),
    ("config", "TARGETKIND = FBANK\nSOURCERATE = 625\nTARGETRATE = 100000\nNUMCHANS = 30\nWARPFREQ = 1.2\nWARPLCUTOFF = 150\nWARPUCUTOFF = 5000\nLOFREQ = 60\n"
     "HIFREQ = 7000\n", 60, 7000, htk_warp, (1.2, 150, 5000)),
    # Without a lower cutoff, and without both: then frequencies stay.
    ("config", "TARGETKIND = FBANK\nSOURCERATE = 625\nTARGETRATE = 100000\nNUMCHANS = 30\nWARPFREQ = 1.1\nWARPUCUTOFF = 6500\n",
     0, 8000, htk_warp, (1.1, 0, 6500)),
    ("config", "TARGETKIND = FBANK\nSOURCERATE = 625\nTARGETRATE = 100000\nNUMCHANS = 30\nWARPFREQ = 1.1\n", 0, 8000, lambda f, *_: f, (1.1, 0, 0)),
])
def test_the_length_of_the_vocal_tract_in_files(name, text, low, high, warp, arguments, tmp_path):
    plan = FeaturePlan(written(tmp_path / name, text), 16000 if name.endswith("yaml") else None)
    expected = warp(centres(30, low, high), arguments[0], low, high, *arguments[1:])
    assert np.allclose(plan.axis, expected, rtol=1e-6)


def test_warps_that_cannot_be_computed_are_refused(veery, tmp_path):
    htk = "TARGETKIND = FBANK\nSOURCERATE = 625\nTARGETRATE = 100000\nWARPFREQ = 1.2\nWARPUCUTOFF = {}\nWARPLCUTOFF = {}\nLOFREQ = 60\n"
    for name, text, words in (
            ("fbank.conf", "--vtln-warp=1.1\n--vtln-low=10\n", "vtln-low: configuration transform.vtln_low"),
            ("fbank.conf", "--vtln-map=ark:map\n", "frequencies are warped for each speaker then"),
            ("feature_config.yaml", "feature_type: fbank\nhigh_freq: 0.0\nvtln_warp: 0.9\nvtln_high: -700.0\n", "vtln_high: expected -500, or a frequency above 0"),
            ("config", htk.format(5000, 20), "WARPLCUTOFF: expected a frequency above LOFREQ"),
            ("config", htk.format(100, 200), "WARPUCUTOFF: expected a frequency between WARPLCUTOFF and the upper edge")):
        assert words.split(": configuration")[0] in (error := veery("presets", written(tmp_path / name, text), status=1).stderr), error


def test_the_energy_of_lhotses_mfcc(understood, tmp_path):
    text = "feature_type: mfcc\nhigh_freq: 8000.0\nuse_energy: true\nraw_energy: false\nenergy_floor: 1.0\n"
    transform = understood(written(tmp_path / "feature_config.yaml", text))["transform"]
    assert (transform["c0"], transform["energy"], transform["energy_floor"]) == ("energy", "windowed", 1)


def test_noise_is_a_remark(veery, tmp_path):
    wav = tmp_path / "a.wav"
    write_wav(wav, 16000, tone(16000, 1, [440]))
    error = veery("extract", wav, "-o", tmp_path / "a.h5", "--preset", FILES / "kaldi/mfcc.conf").stderr
    assert "dither is 1 by default: the original adds noise, which is random; none is added here" in error


# What an error says to do, done: the file that is refused, a part of the error, and the file, or the name, that is taken then.
KALDI_OPTIONS = "--num-mel-bins=80\n--dither=0\n"
ADVICE = {
    "Kaldi's options without a program": ({"feats.conf": KALDI_OPTIONS}, "feats.conf", "Name the file fbank.conf or mfcc.conf",
                                          {"fbank.conf": KALDI_OPTIONS}, "fbank.conf"),
    "a file that names another one": ({"fbank.conf": "--config=inner/fbank.conf\n", "inner/fbank.conf": KALDI_OPTIONS}, "fbank.conf",
                                      "give that file itself", {}, "inner/fbank.conf"),
    "the energy of Kaldi's filter bank": ({"fbank.conf": KALDI_OPTIONS + "--use-energy=true\n"}, "fbank.conf",
                                          "take the line out of a copy of the file for the other columns", {"fbank.conf": KALDI_OPTIONS}, "fbank.conf"),
    "the energy of Kaldi's MFCC, last": ({"mfcc.conf": "--htk-compat=true\n"}, "mfcc.conf",
                                         "htk-compat: expected false where use-energy is true, found 'true': the energy is the last column then: take the line out",
                                         {"mfcc.conf": "--use-energy=true\n"}, "mfcc.conf"),
    "a value without an equals sign": ({"fbank.conf": "--dither=0\n--num-mel-bins 40\n"}, "fbank.conf",
                                       "num-mel-bins: expected --num-mel-bins=40, since Kaldi reads a value after an equals sign, found '--num-mel-bins 40'",
                                       {"fbank.conf": "--dither=0\n--num-mel-bins=40\n"}, "fbank.conf"),
    "arguments without a function": ({"mel.json": '{"n_fft": 512, "n_mels": 40}'}, "mel.json", "add which function takes them",
                                     {"mel.json": '{"_target_": "torchaudio.transforms.MelSpectrogram", "n_fft": 512, "n_mels": 40}'}, "mel.json"),
    "no frontend": ({"config.yaml": "frontend_conf: {n_fft: 512}\n"}, "config.yaml", "add frontend: default (ESPnet)",
                    {"config.yaml": "frontend: default\nfrontend_conf: {n_fft: 512}\n"}, "config.yaml"),
    "statistics of ESPnet": ({"config.yaml": "frontend: default\nnormalize: global_mvn\n"}, "config.yaml", "set normalize: null in a copy of the file",
                             {"config.yaml": "frontend: default\nnormalize: null\n"}, "config.yaml"),
    "an interpolation": ({"model_config.yaml": "preprocessor: {_target_: a.AudioToMelSpectrogramPreprocessor, features: '${x.y}'}\n"},
                         "model_config.yaml", "put the value itself into a copy of the file",
                         {"model_config.yaml": "preprocessor: {_target_: a.AudioToMelSpectrogramPreprocessor, features: 80}\n"}, "model_config.yaml"),
    "no class of NeMo": ({"model_config.yaml": "preprocessor: {features: 80}\n"}, "model_config.yaml", "add the class, such as nemo.collections",
                         {"model_config.yaml": "preprocessor: {_target_: nemo.collections.asr.modules.AudioToMelSpectrogramPreprocessor}\n"}, "model_config.yaml"),
    "no class of transformers": ({"preprocessor_config.json": '{"feature_size": 80, "sampling_rate": 16000}'}, "preprocessor_config.json",
                                 "add the name of the class, such as \"feature_extractor_type\"",
                                 {"preprocessor_config.json": '{"feature_extractor_type": "SeamlessM4TFeatureExtractor", "sampling_rate": 16000}'},
                                 "preprocessor_config.json"),
    "no class in a processor": ({"processor_config.json": '{"feature_extractor": {"sampling_rate": 16000}}'}, "processor_config.json",
                                "has no feature_extractor.feature_extractor_type: add the name of the class, such as \"feature_extractor_type\"",
                                {"processor_config.json": '{"feature_extractor": {"feature_extractor_type": "WhisperFeatureExtractor"}}'},
                                "processor_config.json"),
    "a file that is cut off": ({"preprocessor_config.json": '{"feature_extractor_type": "WhisperFeatureExtractor", '}, "preprocessor_config.json",
                               "correct it, or fetch the file again",
                               {"preprocessor_config.json": '{"feature_extractor_type": "WhisperFeatureExtractor"}'}, "preprocessor_config.json"),
    "a text where a number is expected": ({"preprocessor_config.json": '{"feature_extractor_type": "WhisperFeatureExtractor", "n_fft": "400"}'},
                                          "preprocessor_config.json", "correct it in a copy of the file",
                                          {"a.json": '{"feature_extractor_type": "WhisperFeatureExtractor", "n_fft": 400}'}, "a.json"),
    "a value out of range": ({"preprocessor_config.json": '{"feature_extractor_type": "WhisperFeatureExtractor", "hop_length": 0}'},
                             "preprocessor_config.json", "correct that in a copy of the file",
                             {"a.json": '{"feature_extractor_type": "WhisperFeatureExtractor", "hop_length": 80}'}, "a.json"),
    "a field twice": ({"a.json": '{"sr": 16000, "n_fft": 512, "n_fft": 400}'}, "a.json", "leave one of them in a copy of the file",
                      {"a.json": '{"sr": 16000, "n_fft": 400}'}, "a.json"),
    "an unknown field": ({"a.json": '{"sr": 16000, "n_fft": 512, "note": "mine"}'}, "a.json", "take it out of a copy of the file",
                         {"a.json": '{"sr": 16000, "n_fft": 512}'}, "a.json"),
    "a folder without a file": ({"models/mel.json": '{"sr": 16000, "n_fft": 512}'}, "models", "give the file itself", {}, "models/mel.json"),
    "files that disagree": ({"conf/fbank.conf": KALDI_OPTIONS, "conf/mfcc.conf": "--dither=0\n"}, ".", "give the one that the model uses", {}, "conf/mfcc.conf"),
    "a missing file": ({"b.json": '{"sr": 16000, "n_fft": 512}'}, "./a.json", "takes the name of a preset, a model's own file", {}, "./b.json"),
}


@pytest.mark.parametrize("case", ADVICE)
def test_what_an_error_says_to_do(case, veery, tmp_path):
    files, given, words, mended, then = ADVICE[case]
    for name, text in files.items():
        written(tmp_path / name, text)
    assert words in veery("presets", given, status=(1, 64), folder=tmp_path).stderr
    for name, text in mended.items():
        written(tmp_path / name, text)
    veery("presets", then, folder=tmp_path)
    wav = tmp_path / "a.wav"
    write_wav(wav, 16000, tone(16000, 1, [440]))
    veery("extract", wav, "-o", tmp_path / "a.h5", "--preset", then, "--set", "audio.sample_rate=16000", "--quiet", folder=tmp_path)


def test_a_model_file_given_as_a_configuration(veery, tmp_path):
    wav = tmp_path / "a.wav"
    write_wav(wav, 16000, tone(16000, 1, [440]))
    path = FILES / "whisper/preprocessor_config.json"
    assert "give it by --preset instead of --config" in veery("extract", wav, "-o", tmp_path / "a.h5", "--config", path, status=1).stderr
    veery("extract", wav, "-o", tmp_path / "a.h5", "--preset", path, "--quiet")


@pytest.mark.parametrize("name", ["CohereAsrFeatureExtractor", "Dots3NoteFeatureExtractor"])
def test_long_recordings_are_given_as_clips(name, veery, tmp_path):
    path = written(tmp_path / "preprocessor_config.json", json.dumps({"feature_extractor_type": name, "sampling_rate": 16000}))
    write_wav(tmp_path / "a.wav", 16000, tone(16000, 4, [440]))
    assert "as clips of their own" in veery("presets", path).stdout
    written(tmp_path / "clips.csv", "path,start,end\na.wav,0,2\na.wav,2,4\n")
    veery("extract", tmp_path / "clips.csv", "-o", tmp_path / "a.h5", "--preset", path, "--quiet")


@pytest.mark.parametrize("name, file, fields, more", [
    ("WhisperFeatureExtractor", {"sampling_rate": 8000}, "sampling_rate", "found 8000.0, the value of WhisperFeatureExtractor itself; correct that in a copy of the file"),
    ("LasrFeatureExtractor", {"sampling_rate": 8000}, "sampling_rate", "found 7500.0, the value of LasrFeatureExtractor itself; correct"),
    # A default is right with the others of its class.
    ("SpeechT5FeatureExtractor", {"sampling_rate": 8000}, "sampling_rate", "found 7600.0, the value of SpeechT5FeatureExtractor itself; correct"),
    ("SpeechT5FeatureExtractor", {"sampling_rate": 8000, "fmax": 7000}, "fmax, sampling_rate", "found 7000.0; correct that in a copy of the file"),
    ("SpeechT5FeatureExtractor", {"fmax": 9000}, "fmax", "found 9000.0; correct that in a copy of the file"),
    ("SpeechT5FeatureExtractor", {"fmin": 7700}, "fmin", "found 7600.0, the value of SpeechT5FeatureExtractor itself; correct that in a copy of the file")])
def test_an_error_of_the_configuration_names_the_fields_of_the_file(name, file, fields, more, veery, tmp_path):
    path = written(tmp_path / "preprocessor_config.json", json.dumps({"feature_extractor_type": name, **file}))
    error = veery("presets", path, status=1).stderr
    assert f"{path}: {fields}: configuration transform." in error and more in error
    assert ("sampling_rate is the rate of the features, to which recordings of any rate are resampled" in error) == ("sampling_rate" in file)
    veery("presets", written(path, json.dumps({"feature_extractor_type": name})))


@pytest.mark.parametrize("name, words", [
    *((name, "the last row of the original, of zeros that attention_mask leaves out, is not part of the features")
      for name in ("ParakeetFeatureExtractor", "NemotronAsrStreamingFeatureExtractor", "CohereAsrFeatureExtractor")),
    ("KyutaiSpeechToTextFeatureExtractor", "the zeros that the original appends to a recording, and padding_mask leaves out, are not part of the features")])
def test_what_an_extractor_appends_and_masks_is_said(name, words, veery, tmp_path):
    path = written(tmp_path / "preprocessor_config.json", json.dumps({"feature_extractor_type": name}))
    assert f"# Not part of the features:\n#   {words}\n" in veery("presets", path).stdout
    write_wav(tmp_path / "a.wav", 16000, tone(16000, 1, [440]))
    assert f"warning: {path}: {words}" in veery("extract", tmp_path / "a.wav", "-o", tmp_path / "a.h5", "--preset", path).stderr


@pytest.mark.parametrize("file, values, floor", [
    ({"sample_rate": 16000, "n_fft": 512, "power": 1.0}, "magnitudes", "1e-05"), ({"sample_rate": 16000, "n_fft": 512}, "powers", "1e-10"),
    ({"sr": 16000, "n_fft": 512, "power": 1.0}, "magnitudes", "1e-05"), ({"sr": 16000, "n_fft": 512}, "powers", "1e-10")])
def test_functions_without_a_logarithm_leave_the_scale_open(file, values, floor, veery, tmp_path):
    path = written(tmp_path / "mel.json", json.dumps(file))
    words = f"values are {values}, without a logarithm: scale.kind=ln with a floor, such as scale.floor={floor}, gives one"
    assert f"# What the file leaves open:\n#   {words}\n" in veery("presets", path).stdout
    write_wav(tmp_path / "a.wav", 16000, tone(16000, 1, [440]))
    run = ["extract", tmp_path / "a.wav", "-o", tmp_path / "a.h5", "--overwrite", "--preset", path]
    assert f"warning: {path}: {words}" in veery(*run).stderr
    logarithm = {"scale.kind": "ln", "scale.floor": float(floor)}
    said = veery(*run, "--set", "scale.kind=ln", "--set", f"scale.floor={floor}").stderr
    assert "wrong results" not in said and "logarithm" not in said
    # Other changes are warned of, with the logarithm too.
    said = veery(*run, "--set", "scale.kind=ln", "--set", "frame.hop=200").stderr
    assert "mel.json: frame.hop is 200 instead of" in said and "scale" not in said
    # In Python as well.
    assert f"mel.json: {words}" in FeaturePlan(path).warnings
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        said = "\n".join(FeaturePlan(path, settings=logarithm).warnings)
    assert "wrong results" not in said and "logarithm" not in said
    # A file that says what the scale is leaves nothing open.
    path = written(tmp_path / "mfcc.json", json.dumps({**file, "n_mfcc": 13}) if "sr" in file else json.dumps({"n_mfcc": 13, "melkwargs": {"n_fft": 512}}))
    assert "wrong results" in veery(*run[:-1], path, "--set", "scale.kind=ln").stderr


def test_a_path_with_a_folder_is_no_name_of_a_preset(veery, library, tmp_path, monkeypatch):
    for name in ("ast", "whisper"):
        shutil.copytree(FILES / name, tmp_path / "models" / name)
    for path in ("models/ast", tmp_path / "models/ast", "./models/../models/ast"):
        said = json.loads(veery("presets", path, "--json", folder=tmp_path).stdout)
        assert said["rows"]["count"] == 128, path
    # A folder that is not there is no publisher.
    said = veery("presets", "modelz/whisper", folder=tmp_path, status=64).stderr
    assert "modelz/whisper" in said
    assert json.loads(veery("presets", "OpenAI/whisper", "--json", folder=tmp_path).stdout)["frame"]["length"] == 400
    monkeypatch.chdir(tmp_path / "models")
    said = veery("presets", "whisper", folder=tmp_path / "models").stderr
    assert said.startswith("warning: 'whisper' is taken for the preset whisper, not for the file or folder of that name: give that as ./whisper")
    said = veery("render", "--filter-bank", "whisper", "-o", "bank.png", folder=tmp_path / "models").stderr
    assert "warning: 'whisper' is taken for the preset whisper, not for the file or folder of that name" in said
    with pytest.warns(UserWarning, match="'ast' is taken for the preset, not for the file or folder of that name: give that as ./ast"):
        assert FeaturePlan("ast").features(np.zeros(16_000, "f4")).shape == (1024, 128)
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert FeaturePlan("models/ast").features(np.zeros(16_000, "f4")).shape == (128, 128)
    monkeypatch.chdir(tmp_path / "models")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert FeaturePlan("./ast").features(np.zeros(16_000, "f4")).shape == (128, 128)
        assert FeaturePlan(Path("ast")).features(np.zeros(16_000, "f4")).shape == (128, 128)
    with pytest.raises(FeatureError, match="modelz/whisper: expected the name of a preset, a model's own file, or the folder"):
        FeaturePlan("modelz/whisper")


def test_a_name_with_a_folder_that_is_not_there_is_a_missing_file(veery, tmp_path):
    write_wav(tmp_path / "a.wav", 16000, tone(16000, 1, [440]))
    for command in (["presets"], ["extract", "a.wav", "-o", "a.h5", "--preset"], ["render", "a.wav", "-o", "a.png", "--preset"]):
        said = veery(*command, "models/nothere", status=64, folder=tmp_path).stderr
        assert "'models/nothere': there is no such file; --preset takes the name of a preset" in said and "librosa-mfcc" not in said
        said = veery(*command, "modelz/whisper", status=64, folder=tmp_path).stderr
        assert "there is no such file" in said and "Did you mean 'whisper'?" in said and "librosa-mfcc" not in said
        # All names are for a name that is like none.
        said = veery(*command, "wisper", status=64, folder=tmp_path).stderr
        assert "Did you mean 'whisper'?" in said and "librosa-mfcc" not in said
        assert "There are: log-mel, " in veery(*command, "qqqq", status=64, folder=tmp_path).stderr
    for name in "models/nothere", "wisper":
        with pytest.raises(FeatureError) as raised:
            FeaturePlan(name)
        assert "librosa-mfcc" not in str(raised.value)
    with pytest.raises(FeatureError, match="there are: log-mel"):
        FeaturePlan("qqqq")
    said = veery("presets", "--json", "a.yaml", status=64, folder=tmp_path).stderr
    assert "'a.yaml': there is no such file" in said
    written(tmp_path / "a.yaml", "extends: wisper\n")
    said = veery("extract", "a.wav", "-o", "a.h5", "--config", "a.yaml", status=1, folder=tmp_path).stderr
    assert "found 'wisper'; did you mean 'whisper'?" in said and "librosa-mfcc" not in said
