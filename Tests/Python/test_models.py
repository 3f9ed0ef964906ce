"""The presets of models and toolkits, against their formulas in float64 and against what the originals made
(Tests/Fixtures/models)."""

import json
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest
import scipy.io.wavfile

import veery as package

pytestmark = pytest.mark.shipped

FOLDER = Path(__file__).resolve().parents[1] / "Fixtures" / "models"
CASES = json.loads((FOLDER / "models.json").read_text())["cases"]
# Parts of the range; see Tests/Parity/README.md.
TOLERANCE = 1e-6


@pytest.fixture(scope="module", autouse=True)
def _library(library):
    """Skips nothing: without the library, all tests here fail."""


def configuration(case):
    changed = {"extends": case["preset"]}
    for key, value in case["set"].items():
        section, name = key.split(".")
        changed.setdefault(section, {})[name] = value
    return changed


def read(case):
    rate, samples = scipy.io.wavfile.read(FOLDER / case["file"])
    x = (samples / 32768).astype(np.float32)[:case.get("samples")] * np.float32(case.get("gain", 1))
    return rate, np.tile(x, case.get("repeat", 1))


CHANGES = ("samples", "gain", "repeat", "stereo")


def distance(found, expected):
    return np.abs(found.astype(np.float64) - expected).max() / np.ptp(expected)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_preset_equals_its_formula_and_the_original(case):
    rate, x = read(case)
    # A preset that keeps the recording's rate is told it.
    plan = package.FeaturePlan(configuration(case), sample_rate=rate if case["preset"] == "wide-log-mel" else None)
    assert plan.sample_rate == rate
    found = plan.features(x)
    expected = np.load(FOLDER / f"{case['name']}.npy")
    assert found.shape == expected.shape == tuple(case["shape"])
    assert distance(found, expected) <= TOLERANCE
    if "original" in case:
        original = np.load(FOLDER / f"{case['name']}.original.npy")
        assert abs(distance(original, expected) - case["distance"]) <= 1e-3 * case["distance"] + TOLERANCE
        assert distance(found, original) <= distance(original, expected) + TOLERANCE


@pytest.mark.parametrize("case", [case for case in CASES if not case["set"] and not any(key in case for key in CHANGES)], ids=lambda case: case["name"])
def test_extract_stores_the_same(veery, tmp_path, case):
    (tmp_path / "m.csv").write_text(f"path\n\"{FOLDER / case['file']}\"\n")
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--preset", case["preset"])
    with h5py.File(tmp_path / "f.h5") as file:
        found = file["features"][:]
    rate, x = read(case)
    plan = package.FeaturePlan(case["preset"], sample_rate=rate if case["preset"] == "wide-log-mel" else None)
    assert np.array_equal(found, plan.features(x))


@pytest.mark.parametrize("case", [case for case in CASES if case.get("stereo")], ids=lambda case: case["name"])
def test_the_channel_is_the_originals(veery, tmp_path, case):
    rate, x = read(case)
    scipy.io.wavfile.write(tmp_path / "stereo.wav", rate, np.stack([x, x[::-1]], axis=1))
    (tmp_path / "m.csv").write_text("path\nstereo.wav\n")
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--preset", case["preset"],
          *(word for key, value in case["set"].items() for word in ("--set", f"{key}={value}")))
    with h5py.File(tmp_path / "f.h5") as file:
        found = file["features"][:]
    assert distance(found, np.load(FOLDER / f"{case['name']}.npy")) <= TOLERANCE
    original = np.load(FOLDER / f"{case['name']}.original.npy")
    assert distance(found, original) <= case["distance"] + TOLERANCE
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--overwrite", "--preset", case["preset"], "--set", "audio.channels=mix",
          *(word for key, value in case["set"].items() for word in ("--set", f"{key}={value}")))
    with h5py.File(tmp_path / "f.h5") as file:
        assert distance(file["features"][:], original) > 10 * (case["distance"] + TOLERANCE)


def test_every_preset_of_a_model_or_toolkit_has_a_case(veery):
    listed = {line.split()[0] for line in veery("presets").stdout.splitlines() if line.startswith("  ") and line[2] != " "}
    # These have a golden of their own, Tests/Fixtures/preset-*.json.
    others = {path.stem.removeprefix("preset-") for path in FOLDER.parent.glob("preset-*.json")}
    assert listed - others <= {case["preset"] for case in CASES} <= listed


def test_birdnet_by_magnitude_squares_the_band_with_the_exponent_of_the_note():
    x = read(next(case for case in CASES if case["preset"] == "birdnet-low"))[1]
    x = np.tile(x, 2)[:40_000].astype(np.float64)
    found = features("birdnet-low", x.astype(np.float32), transform={"spectrum": "magnitude"}, scale={"exponent": 0.4523628514610924})
    y = 2 * ((x - x.min()) / (np.ptp(x) + 1e-6) - 0.5)
    frames = np.lib.stride_tricks.sliding_window_view(y, 2048)[::278]
    spectrum = np.abs(np.fft.rfft(frames * (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(2048) / 2048))))
    mel = 1127 * np.log1p(np.arange(1025) * 48_000 / 2048 / 700)
    edges = np.linspace(0, 1127 * np.log1p(3000 / 700), 98)
    step = edges[1]
    bank = np.maximum(0, np.minimum((mel[:, None] - edges[:-2]) / step, (edges[2:] - mel[:, None]) / step))
    bank[0] = 0
    expected = (((spectrum @ bank) ** 2) ** (1 / (1 + np.exp(1.23))))[:, ::-1]
    assert distance(found, expected) < 1e-6


def test_every_preset_of_a_model_or_toolkit_says_where_its_numbers_are_from(veery):
    text = veery("presets").stdout
    for case in CASES:
        printed = veery("presets", case["preset"]).stdout
        source = next(line for line in printed.splitlines() if line.startswith("# Source: "))
        assert source.removeprefix("# Source: ") in text


# --------------------------------------------------------------------------------------------------- what notes promise


def features(preset, x, **sections):
    # A section of null is that without anything set, as for --set.
    given = {name: value for name, value in sections.items() if value is not None}
    empty = {name: None for name, value in sections.items() if value is None}
    return package.FeaturePlan({"extends": preset, **given}, settings=empty).features(x)


def test_icefall_is_lhotse_and_kaldi_with_its_options():
    x = read(CASES[0])[1]
    assert np.array_equal(features("icefall", x), features("lhotse-fbank", x))
    kaldi = features("kaldi-fbank", x, frame={"align": "kaldi"}, transform={"bins": 80, "high": 7600})
    # 2 ln 32768 = 20.8, except what lies at the floor.
    loud = features("icefall", x) > np.log(2**-23) + 1e-3
    assert np.abs((kaldi - features("icefall", x))[loud] - 2 * np.log(32768)).max() < 1e-4


def test_ast_pads_its_rows_before_normalisation_or_has_those_of_the_clip():
    x = read(CASES[0])[1]
    own = features("ast", x, rows=None)
    padded = features("ast", x)
    assert own.shape == (58, 128) and padded.shape == (1024, 128) and np.array_equal(padded[:58], own)
    assert np.abs(padded[58:] - 4.2677393 / 9.1379948).max() < 1e-7
    assert np.array_equal(features("ast", x, rows={"count": 512})[:58], own)
    assert len(features("ast-speech-commands", np.tile(x, 4))) == 128


def test_vggish_is_yamnet_but_for_the_guard_and_the_patches():
    x = read(next(case for case in CASES if case["preset"] == "vggish"))[1]
    own = features("vggish", x, patches=None)
    assert np.array_equal(own[:96], features("vggish", x)[0])
    # Logarithms up to 5, each rounded to single precision.
    one, other = (np.exp(rows.astype(np.float64)) for rows in (own, features("yamnet", x, patches=None)))
    assert (np.abs(one - other - 0.009) / one).max() < 2e-6
    assert [len(features("yamnet", x[:count])) for count in (1, 15_600, 15_601, 18_000)] == [1, 1, 2, 2]
    assert len(features("vggish", x[:15_599])) == 0 and len(features("vggish", x[:15_600])) == 1


def test_seamless_pairs_an_odd_row_with_zeros_and_gives_0_for_one_row():
    x = read(CASES[0])[1]
    rows = features("seamless", x[:9_500], patches=None)
    pairs = features("seamless", x[:9_500])
    assert rows.shape == (57, 80) and pairs.shape == (29, 160)
    assert np.array_equal(pairs.reshape(-1, 80)[:57], rows) and not pairs[-1, 80:].any()
    assert not features("seamless", x[:500]).any() and not features("seamless", np.zeros(8000, np.float32)).any()


def test_clap_is_the_authors_code_by_default_and_that_of_transformers_without_the_gain():
    x = read(next(case for case in CASES if case["preset"] == "clap"))[1]
    extractor = np.load(FOLDER / "clap-float.original.npy")
    assert 0.01 < distance(features("clap", x, audio={"duration": 2}), extractor) < 0.2
    assert distance(features("clap", x, audio={"duration": 2}, condition={"gain": "none"}), extractor) < 2e-7


def test_the_padding_of_w2v_bert_is_in_half_of_the_last_row_alone():
    x = read(CASES[0])[1][:9_500]
    own, other = features("seamless", x), features("seamless", x, rows={"fill": 1})
    assert np.array_equal(own[:-1], other[:-1]) and np.array_equal(own[-1, :80], other[-1, :80])
    assert (own[-1, 80:] == 0).all() and (other[-1, 80:] == 1).all()


def test_clap_repeats_short_clips_and_takes_the_start_of_long_ones():
    x = read(next(case for case in CASES if case["preset"] == "clap"))[1]
    assert features("clap", x).shape == (1001, 64)
    long = np.tile(x, 20)
    assert np.array_equal(features("clap", long), features("clap", long[:480_000]))
    repeated = np.append(np.tile(x, 16), np.zeros(480_000 - 16 * len(x), np.float32))
    assert np.array_equal(features("clap", x), features("clap", repeated))


def test_birdnet_has_511_rows_in_3_s_and_the_highest_band_first():
    for preset, edges in ("birdnet-low", (0, 3000)), ("birdnet-high", (500, 15_000)):
        plan = package.FeaturePlan(preset)
        assert (np.diff(plan.axis) < 0).all() and edges[0] < plan.axis[-1] and plan.axis[0] < edges[1]
        x = np.sin(2 * np.pi * plan.axis[40] * np.arange(144_000) / 48_000).astype(np.float32)
        found = plan.features(x)
        assert found.shape == (511, 96) and np.abs(found.mean(axis=0).argmax() - 40) <= 1
        # The level makes no difference. Relative to 0.02, epsilon is an offset of 5e-5, which shows where the values are near 0.
        faint = plan.features(np.float32(0.01) * x)
        assert np.abs(faint - found)[found > 0.1 * found.max()].max() < 1e-3 * found.max()


def test_samples_are_those_of_the_clip():
    for preset in "moonshine", "encodec":
        x = read(next(case for case in CASES if case["preset"] == preset))[1]
        assert np.array_equal(features(preset, x)[:, 0], x)
    x = read(next(case for case in CASES if case["preset"] == "wav2vec2"))[1]
    found = features("wav2vec2", x)
    assert abs(found.mean()) < 1e-6 and abs(found.std() - 1) < 1e-5
    assert np.array_equal(features("wav2vec2", x, condition={"gain": "none"})[:, 0], x)
    assert not features("wav2vec2", np.zeros(100, np.float32)).any()


def test_qwen3_asr_is_whisper_with_rows_of_zeros_to_hundreds():
    x = read(CASES[0])[1]
    found = features("qwen3-asr", x)
    assert found.shape == (100, 128) and not found[60:].any()
    assert np.array_equal(found[:60], features("whisper", x, transform={"bins": 128}))


def test_audiomae_is_ast_and_the_mean_of_the_clip_changes_only_rounding():
    x = read(CASES[0])[1]
    assert np.array_equal(features("audiomae", x), features("ast", x))
    assert np.abs(features("audiomae", x, condition={"remove_dc": True}) - features("ast", x)).max() < 1e-5


def test_beats_is_kaldis_bands_normalised():
    x = read(CASES[0])[1]
    bands = features("kaldi-fbank", x, transform={"bins": 128})
    assert np.abs((bands - 15.41663) / 13.11164 - features("beats", x)).max() < 1e-6


def test_a_row_of_voxtral_does_not_depend_on_the_clip():
    x = read(CASES[0])[1]
    whole, start = features("voxtral", x), features("voxtral", x[:4000])
    assert np.array_equal(whole[:20], start[:20])
    whisper = {"transform": {"bins": 128}}
    assert not np.array_equal(features("whisper", x, **whisper)[:20], features("whisper", x[:4000], **whisper)[:20])


def test_parakeet_gives_0_for_one_row_and_for_silence():
    x = read(CASES[0])[1]
    assert not features("parakeet", x[:160]).any() and len(features("parakeet", x[:160])) == 1
    assert len(features("parakeet", x[:159])) == 0
    assert np.abs(features("parakeet", np.zeros(16000, np.float32))).max() < 1e-6


def test_perch_has_500_rows_in_5_s_and_an_unfinished_row_where_it_is_asked_for():
    x = np.tile(read(next(case for case in CASES if case["preset"] == "perch-1"))[1], 9)[:160_000]
    assert features("perch-1", x).shape == (500, 160)
    assert features("perch-1", x, audio={"duration": 5}).shape == (500, 160)
    assert len(features("perch-1", x[:1000])) == 3 and len(features("perch-1", x[:1000], frame={"drop_last": False})) == 4
    assert not features("perch-1", np.zeros(3200, np.float32)).any()


def test_panns_has_1001_rows_in_10_s():
    x = read(next(case for case in CASES if case["preset"] == "panns-cnn14"))[1]
    assert features("panns-cnn14", x, audio={"duration": 10}).shape == (1001, 64)


@pytest.mark.parametrize("scope, kept", [("none", False), ("clip", False), ("constant", True)])
def test_another_scope_drops_what_it_has_no_use_for(veery, tmp_path, scope, kept):
    (tmp_path / "m.csv").write_text(f"path\n\"{FOLDER / 'sound-16k.wav'}\"\n")
    for number, options in enumerate([
            ["--preset", "ast", "--set", f"normalize.scope={scope}"], ["--config", tmp_path / "c.yaml"]]):
        (tmp_path / "c.yaml").write_text(f"extends: ast\nnormalize: {{scope: {scope}}}\n")
        veery("extract", tmp_path / "m.csv", "-o", tmp_path / f"{number}.h5", *options)
        with h5py.File(tmp_path / f"{number}.h5") as file:
            normalize = json.loads(file["provenance/configuration"][()])["normalize"]
        assert normalize["scope"] == scope and (normalize["mean"] is not None) == kept and (normalize["std"] is not None) == kept
    parakeet = ["--preset", "parakeet", "--set", "normalize.scope=constant", "--set", "normalize.mean=1", "--set", "normalize.std=2"]
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "p.h5", *parakeet)


@pytest.mark.parametrize("count", [512, 513, 5000, 5120])
def test_silero_vad_takes_chunks_with_the_samples_before_them(count):
    """Chunks of 512 samples, the last one completed with zeros, each after the last 64 samples of the one before: at first zeros."""
    x = np.random.default_rng(count).uniform(-1, 1, count).astype(np.float32)
    plan = package.FeaturePlan("silero-vad")
    padded = np.pad(x, (64, -count % 512))
    expected = np.stack([padded[start:start + 576] for start in range(0, len(padded) - 575, 512)])
    found = plan.features(x)
    assert len(found) == -(-count // 512) and np.array_equal(found, expected)
    assert plan.sample_rate == 16_000 and plan.configuration["audio"]["resampler"] == "torchaudio"


@pytest.mark.parametrize("name", ["cosyvoice", "3d-speaker"])
def test_presets_whose_originals_resample_by_torchaudio(name, tmp_path):
    x = np.random.default_rng(7).uniform(-0.5, 0.5, 44_100).astype(np.float32)
    scipy.io.wavfile.write(tmp_path / "a.wav", 44_100, x)
    plan = package.FeaturePlan(name)
    resampled, _ = package.load(tmp_path / "a.wav", plan.sample_rate, resampler="torchaudio")
    assert np.array_equal(plan.features(x, 44_100), plan.features(resampled))
    other = package.FeaturePlan(name, settings={"audio.resampler": "soxr-hq"})
    assert not np.array_equal(plan.features(x, 44_100), other.features(x, 44_100))


def test_other_names_are_listed(veery):
    listed = veery("presets").stdout
    for described in json.loads(veery("presets", "--json").stdout):
        names = [text.split()[0] for text in described.get("aliases", [])]
        preset = next(each for each in package.presets() if each.name == described["name"])
        assert preset.aliases == described.get("aliases", [])
        section = listed.split(f"\n  {preset.name} ")[1].split("\n  " + "\n  ")[0]
        lines = section.splitlines()[2:]
        own = "".join(line for line in lines[:next((i for i, line in enumerate(lines) if line[:3] != "   "), len(lines))])
        assert [name for word in own.replace("also: ", "").split(",") if (name := word.strip())] == names, preset.name
    assert all(len(line) < 130 for line in listed.splitlines() if "also: " in line)
