"""`veery render --filter-bank`: weights and windows as numbers and as pictures."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pictures import below_title

ROOT = Path(__file__).resolve().parents[2]
# Under another name: the Python tests have a module `reference`, too.
SPECIFICATION = importlib.util.spec_from_file_location("parity_reference", ROOT / "Tests" / "Parity" / "reference.py")
parity = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(parity)


PRESETS = [
    "log-mel", "whisper", "kaldi-fbank", "kaldi-mfcc", "speechbrain-fbank", "perch-1", "librosa-log-mel", "musical-spectrum",
    "mixer-fft", "scrolling-dct", "spectrogram"]


def bank(veery, name, *arguments):
    return json.loads(veery("render", "--filter-bank", name, "--json", *arguments).stdout)


def matrix(found):
    """Bands × bins."""
    weights = np.zeros((len(found["bands"]), found["fft_length"] // 2 + 1))
    for band in found["bands"]:
        weights[band["band"], band["first_bin"]:band["first_bin"] + len(band["weights"])] = band["weights"]
    return weights


def test_weights_are_those_of_librosas_golden(veery, tmp_path):
    golden = json.loads((ROOT / "Tests/Fixtures/mel.json").read_text())
    compared = 0
    for case in golden["cases"]:
        settings = {"audio.sample_rate": case["sample_rate"], "frame.fft_length": case["fft_length"], "frame.length": case["fft_length"],
                    "transform.bins": case["bands"], "transform.low": case["low"], "transform.high": case["high"],
                    "transform.mel_scale": case["mel_scale"], "transform.mel_norm": case["mel_norm"]}
        found = bank(veery, "log-mel", *(word for key, value in settings.items()
                                         for word in ("--set", f"{key}={json.dumps(value).strip(chr(34))}")))
        expected = np.zeros((case["bands"], case["fft_length"] // 2 + 1))
        expected[case["band"], case["bin"]] = case["weight"]
        assert np.abs(matrix(found) - expected).max() <= 1e-6 * expected.max()
        compared += 1
    assert compared == 4


def test_weights_are_kaldis_and_htks(veery):
    for name, bands, low in [("kaldi-fbank", 23, 20), ("kaldi-mfcc", 23, 20), ("htk-mfcc", 23, 0)]:
        expected = parity.mel_weights(16000, 512, bands, low, 8000, "htk", in_mel=True)
        found = bank(veery, name)
        assert (found["low"], found["high"]) == (low, 8000)
        assert np.abs(matrix(found) - expected).max() <= 1e-6


@pytest.mark.parametrize("name", PRESETS)
def test_numbers_and_pictures_of_presets(veery, tmp_path, name):
    result = veery("render", "--filter-bank", name, "--json", "-o", tmp_path / "bank.png")
    found = json.loads(result.stdout)
    window = found["window"]
    assert len(window["values"]) == window["length"] and max(window["values"]) <= 1 + 1e-12
    assert window["milliseconds"] == pytest.approx(1000 * window["length"] / found["sample_rate"])
    with Image.open(tmp_path / "bank.png") as image:
        assert image.size == (1000, 560)
        assert len(image.getcolors(1 << 20)) > 20
    if found.get("bands"):
        for band in found["bands"]:
            if name != "musical-spectrum" and band["weights"]:
                peak = band["first_bin"] + int(np.argmax(band["weights"]))
                assert abs(peak * found["bin_width"] - band["center"]) <= found["bin_width"]
    else:
        assert "bands" not in found and len(found["frequencies"]) > 1
    first = (tmp_path / "bank.png").read_bytes()
    veery("render", "--filter-bank", name, "-o", tmp_path / "again.png")
    assert (tmp_path / "again.png").read_bytes() == first


def test_any_configuration_and_its_settings(veery, tmp_path):
    (tmp_path / "raw.yaml").write_text(
        "transform: {kind: raw}\nscale: {kind: linear}\nframe: {window: rectangular}\nnormalize: {scope: none}\n")
    found = bank(veery, tmp_path / "raw.yaml", "-o", tmp_path / "raw.svg")
    assert "bands" not in found and "frequencies" not in found and found["window"]["values"] == [1] * 400
    assert b"<svg" in (tmp_path / "raw.svg").read_bytes()
    falling = bank(veery, "log-mel", "--set", "transform.order=descending")
    rising = bank(veery, "log-mel")
    assert np.array_equal(matrix(falling), matrix(rising)[::-1])
    assert bank(veery, "log-mel", "--set", "transform.bins=40", "--set", "frame.window=povey")["window"]["kind"] == "povey"
    (tmp_path / "c.yaml").write_text("audio: {sample_rate: null}\n")
    assert "--sample-rate" in veery("render", "--filter-bank", tmp_path / "c.yaml", "--json", status=64).stderr
    assert bank(veery, tmp_path / "c.yaml", "--sample-rate", 8000)["high"] == 4000


def test_a_rate_is_for_configurations_that_keep_the_recordings_rate(veery):
    assert bank(veery, "librosa-log-mel")["sample_rate"] == 22050
    assert bank(veery, "librosa-log-mel", "--sample-rate", 44100)["high"] == 22050
    assert bank(veery, "log-mel", "--sample-rate", 16000)["sample_rate"] == 16000
    assert "16000 Hz" in veery("render", "--filter-bank", "log-mel", "--json", "--sample-rate", 8000, status=64).stderr


def test_axes_bands_and_themes(veery, tmp_path):
    seen = set()
    for arguments in [[], ["--axis", "mel"], ["--axis", "log"], ["--band", "0-1000"], ["--theme", "dark"], ["--colors", "grey-inverted"],
                      ["--width", "600", "--height", "700"]]:
        veery("render", "--filter-bank", "whisper", "-o", tmp_path / "p.png", *arguments)
        seen.add((tmp_path / "p.png").read_bytes())
    assert len(seen) == 7


def test_mistakes_are_named_and_nothing_is_overwritten(veery, tmp_path):
    (tmp_path / "mine.png").write_text("not a picture")
    assert "not replaced" in veery("render", "--filter-bank", "whisper", "-o", tmp_path / "mine.png", status=1).stderr
    assert (tmp_path / "mine.png").read_text() == "not a picture"
    assert "Did you mean 'whisper'" in veery("render", "--filter-bank", "wisper", "-o", tmp_path / "a.png", status=64).stderr
    assert "no recording" in veery("render", "a.wav", "--filter-bank", "whisper", "-o", tmp_path / "a.png", status=64).stderr
    assert "-o" in veery("render", "--filter-bank", "whisper", status=64).stderr
    assert "--filter-bank" in veery("render", "a.wav", "--json", "-o", tmp_path / "a.png", status=64).stderr
    assert "<inputs>" in veery("render", "-o", tmp_path / "a.png", status=64).stderr
    assert not (tmp_path / "a.png").exists()


# ------------------------------------------------------------------------------------------------- falling frequencies


@pytest.fixture(scope="module")
def song(tmp_path_factory):
    from conftest import noise, tone, write_wav
    folder = tmp_path_factory.mktemp("falling")
    write_wav(folder / "song.wav", 16000, tone(16000, 1.0, [700, 3000], 0.6) + noise(5, 16000, 0.02))
    return folder / "song.wav"


SETTINGS = ["--preset", "log-mel", "--set", "normalize.scope=none"]
FALLING = [*SETTINGS, "--set", "transform.order=descending"]


@pytest.mark.parametrize("arguments", [[], ["--plain"], ["--axis", "log"], ["--axis", "mel", "--band", "500-4000"]])
def test_pictures_of_falling_frequencies_are_those_of_rising_ones(veery, song, tmp_path, arguments):
    for name, settings in [("rising", SETTINGS), ("falling", FALLING)]:
        veery("render", song, *settings, *arguments, "-o", tmp_path / f"{name}.png")
        (tmp_path / "m.csv").write_text(f"path,id,label\n{song},a,x\n{song},b,x\n")
        veery("extract", tmp_path / "m.csv", "-o", tmp_path / f"{name}.h5", *settings)
        veery("render", tmp_path / f"{name}.h5", "--clip", "a", *arguments, "-o", tmp_path / f"{name}-stored.png")
    for end in (".png", "-stored.png"):
        rising, falling = tmp_path / f"rising{end}", tmp_path / f"falling{end}"
        assert rising.read_bytes() == falling.read_bytes() if "--plain" in arguments else below_title(rising) == below_title(falling)


def test_sheets_reports_and_figures_of_falling_frequencies(veery, song, tmp_path):
    import re
    (tmp_path / "m.csv").write_text(f"path,id,label\n{song},a,x\n{song},b,x\n")
    sheets, pictures, curves = [], [], []
    for settings in (SETTINGS, FALLING):
        veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", *settings, "--overwrite")
        veery("render", tmp_path / "f.h5", "--sheet", "-o", tmp_path / "sheet.png")
        sheets.append((tmp_path / "sheet.png").read_bytes())
        veery("inspect", tmp_path / "f.h5", "--html", tmp_path / "f.html")
        page = (tmp_path / "f.html").read_text()
        pictures.append(re.findall(r"data:image/png;base64,[^\"']+", page))
        curves.append([line for line in veery("inspect", tmp_path / "f.h5").stdout.splitlines() if line.startswith("  mean")])
    assert sheets[0] == sheets[1]
    assert pictures[0] and pictures[0] == pictures[1]
    assert curves[0] and curves[0] == curves[1]


def test_columns_of_raw_frames_are_samples(veery, song, tmp_path):
    raw = [*SETTINGS, "--set", "transform.kind=raw", "--set", "scale.kind=linear", "--set", "frame.window=rectangular"]
    (tmp_path / "m.csv").write_text(f"path,id\n{song},song\n")
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", *raw)
    text = veery("inspect", tmp_path / "f.h5").stdout
    assert " sample " in text and "c57" not in text and "order" not in text
    veery("inspect", tmp_path / "f.h5", "--html", tmp_path / "f.html")
    page = (tmp_path / "f.html").read_text()
    assert "Sample of a frame" in page and "Time in the frame" in page and "Coefficient" not in page
    veery("render", tmp_path / "f.h5", "--clip", "song", "-o", tmp_path / "p.png")


def test_a_band_above_the_bank_is_named(veery, tmp_path):
    said = veery("render", "--filter-bank", "whisper", "--band", "9000-9500", "-o", tmp_path / "p.png", status=64).stderr
    assert "--band: expected a band below 8000 Hz, half the rate of whisper; found one that starts at 9000 Hz" in said
    assert not (tmp_path / "p.png").exists()


def test_bands_fill_the_width_and_coefficients_of_a_dct_are_half_a_bin_apart(veery, tmp_path):
    """The highest band of birdnet-low ends at 3000 Hz, an eighth of the spectrum; scrolling-dct has 1,024 coefficients."""
    def colored(*options):
        veery("render", "--filter-bank", "birdnet-low", "-o", tmp_path / "p.png", "--width", 800, *options)
        picture = np.asarray(Image.open(tmp_path / "p.png").convert("RGB")).astype(int)
        rows = picture[90:300]
        columns = np.nonzero((rows.max(axis=2) - rows.min(axis=2) > 40).any(axis=0))[0]
        return columns.max() - columns.min()

    assert colored() > 600 and colored("--band", "0-24000") < 200
    bank = json.loads(veery("render", "--filter-bank", "scrolling-dct", "--json").stdout)
    assert bank["bin_width"] == pytest.approx(44100 / 2048)
