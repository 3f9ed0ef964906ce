"""Cases from the field: recordings far above and far below the rates of speech, and clocks with a zone.

A bat's call of 5 ms at 384 kHz, a whale's of 20 Hz at 250 Hz: the program says what default features leave out, and the default
picture shows the call.
"""

import json
import re

import h5py
import numpy as np
import pytest
from PIL import Image
from pictures import below_title
from recordings import noise, tone, write_wav

BAT, WHALE = 384_000, 250


def record(folder, name, rate, seconds=0.5):
    write_wav(folder / name, rate, noise(rate, round(rate * seconds)))


def bands(text):
    return [(remark["count"], remark["first"], remark["loss"]) for remark in json.loads(text)["remarks"]
            if remark["kind"] == "bands-above"]


@pytest.fixture
def bats(tmp_path):
    folder = tmp_path / "bats"
    record(folder, "a.wav", BAT)
    record(folder, "b.wav", 44_100)
    record(folder, "c.wav", 32_000)
    record(folder, "d.wav", 16_000)
    return tmp_path


def extract(veery, folder, *options, status=0):
    return veery("extract", "bats", "-o", "f.h5", "--json", *options, folder=folder, status=status)


EXPECTED = [(2, ["a", "b"], False)]


def test_default_features_say_which_recordings_have_most_of_their_band_above_them(veery, bats):
    done = extract(veery, bats)
    assert bands(done.stdout) == EXPECTED
    assert "2 clips have most of their recordings' band above 8 kHz, where the default features end: 'a', 'b'" in done.stderr
    assert bands(veery("inspect", "f.h5", "--json", folder=bats).stdout) == EXPECTED
    with h5py.File(bats / "f.h5") as file:  # it follows from what is stored
        assert "remarks" not in file["provenance"] and "remarks" not in file["clips"]


def test_annotations_above_the_default_features_are_named(veery, tmp_path):
    record(tmp_path, "a.wav", 24_000)
    (tmp_path / "m.csv").write_text("path,id,start,end,high_frequency\na.wav,x,0,0.2,7000\na.wav,y,0.2,0.4,10200\na.wav,z,0,0.4,\n")
    expected = [(1, ["y"], False)]
    above = lambda text: bands(text.replace("annotations-above", "bands-above"))
    run = ("extract", "m.csv", "-o", "f.h5", "--json")
    assert above(veery(*run, "--dry-run", folder=tmp_path).stdout) == expected
    done = veery(*run, folder=tmp_path)
    assert above(done.stdout) == expected
    assert "1 clip is annotated up to above 8 kHz (high_frequency), where the default features end: 'y'; to keep it" in done.stderr
    assert above(veery(*run, folder=tmp_path).stdout) == expected  # up to date
    assert above(veery("inspect", "f.h5", "--json", folder=tmp_path).stdout) == expected
    assert not above(veery(*run, "--overwrite", "--set", "audio.sample_rate=24k", folder=tmp_path).stdout)


def test_it_is_the_same_however_the_run_goes(veery, bats):
    assert bands(extract(veery, bats, "--dry-run").stdout) == EXPECTED
    extract(veery, bats)
    whole = (bats / "f.h5").read_bytes()
    assert bands(extract(veery, bats).stdout) == EXPECTED  # up to date
    assert bands(extract(veery, bats, "--strict", "--overwrite").stdout) == EXPECTED
    for shard in 1, 2:
        found = bands(veery("extract", "bats", "-o", "s.h5", "--shard", f"{shard}/2", "--json", folder=bats).stdout)
        assert found == ([(2, ["a", "b"], False)] if shard == 1 else [])
    assert bands(veery("extract", "bats", "-o", "s.h5", "--json", folder=bats).stdout) == EXPECTED
    assert (bats / "s.h5").read_bytes() == whole
    record(bats / "bats", "e.wav", 48_000)
    assert bands(extract(veery, bats, "--append").stdout) == [(3, ["a", "b", "e"], False)]


@pytest.mark.parametrize("options", [
    ["--set", "audio.sample_rate=384k"], ["--set", "transform.high=4000"], ["--preset", "whisper"],
    ["--preset", "kaldi-fbank"], ["--preset", "spectrogram", "--set", "audio.sample_rate=16k"]])
def test_features_that_were_chosen_are_not_remarked(veery, bats, options):
    assert bands(extract(veery, bats, *options).stdout) == []


@pytest.mark.parametrize("rates, advice", [
    ([50_000], "give the recordings' own rate, --set audio.sample_rate=50000"),
    ([48_000, 48_000, 96_000, 16_000], "give the recordings' own rate, such as --set audio.sample_rate=48000, the most frequent")])
def test_the_advice_names_the_rate_of_these_recordings(veery, tmp_path, rates, advice):
    for number, rate in enumerate(rates):
        record(tmp_path / "bats", f"{number}.wav", rate)
    expected = re.compile(f"; to keep it, {re.escape(advice)}$", re.MULTILINE)
    for options in [["--dry-run"], [], []]:  # the last: up to date
        assert expected.search(extract(veery, tmp_path, *options).stderr), options
    assert expected.search(veery("inspect", "f.h5", folder=tmp_path).stdout)


def test_the_advice_keeps_the_band(veery, bats):
    # The rate of the highest recording: the others have a warning, since their upper bins hold nothing.
    extract(veery, bats, "--set", "audio.sample_rate=384k")
    with h5py.File(bats / "f.h5") as file:
        assert json.loads(file["provenance/configuration"][()])["transform"]["high"] == 192_000


def hot(path):
    """The columns and rows of pixels that the loudest values are in, without the colour bar."""
    picture = np.asarray(Image.open(path).convert("RGB")).astype(int)
    picture = picture[:, :int(0.85 * picture.shape[1])]
    yellow = (picture[..., 0] > 200) & (picture[..., 1] > 190) & (picture[..., 2] < 110)
    return yellow.any(axis=0).sum(), yellow.any(axis=1).sum()


def test_a_call_of_5_ms_at_384_khz_is_short_in_the_default_picture(veery, tmp_path):
    signal = np.zeros(round(0.2 * BAT))
    call = round(0.1 * BAT)
    length = round(0.005 * BAT)
    signal[call:call + length] = tone(BAT, 0.005, [45_000]) * np.hanning(length)
    write_wav(tmp_path / "bat.wav", BAT, signal + noise(1, len(signal), 0.0003))
    veery("render", "bat.wav", "-o", "own.png", folder=tmp_path)
    veery("render", "bat.wav", "--preset", "spectrogram", "-o", "preset.png", folder=tmp_path)
    own, preset = hot(tmp_path / "own.png")[0], hot(tmp_path / "preset.png")[0]
    width = Image.open(tmp_path / "own.png").width
    assert own < 0.45 * preset  # the preset's frames are five calls long
    assert own / width < 0.05  # of 200 ms


def test_calls_of_20_and_40_hz_at_250_hz_are_two_in_the_default_picture(veery, tmp_path):
    signal = np.concatenate([tone(WHALE, 20, [20]), noise(1, 20 * WHALE, 0.001)]) + noise(2, 40 * WHALE, 0.001)
    write_wav(tmp_path / "whale.wav", WHALE, signal)
    veery("render", "whale.wav", "-o", "own.png", folder=tmp_path)
    veery("render", "whale.wav", "--preset", "spectrogram", "-o", "preset.png", folder=tmp_path)
    own, preset = hot(tmp_path / "own.png")[1], hot(tmp_path / "preset.png")[1]
    height = Image.open(tmp_path / "own.png").height
    assert own < 0.4 * preset  # six samples tell 0 Hz from 40 Hz at best
    assert own / height < 0.12  # of 125 Hz


@pytest.mark.parametrize("rate", [8000, 11_025, 16_000, 22_050, 44_100, 48_000])
def test_at_usual_rates_the_default_picture_is_the_preset(veery, tmp_path, rate):
    record(tmp_path, "a.wav", rate)
    veery("render", "a.wav", "-o", "own.png", folder=tmp_path)
    veery("render", "a.wav", "--preset", "spectrogram", "-o", "preset.png", folder=tmp_path)
    assert below_title(tmp_path / "own.png") == below_title(tmp_path / "preset.png")


@pytest.mark.parametrize("rate, frames, seconds", [(250, 200, 20), (4000, 200, 8), (96_000, 1200, 2), (384_000, 1200, 0.5)])
def test_at_other_rates_its_frames_are_200_or_1200_samples(veery, tmp_path, rate, frames, seconds):
    record(tmp_path, "a.wav", rate, seconds)

    def picture(*settings):
        options = [word for value in settings for word in ("--set", value)]
        veery("render", "a.wav", *options, "-o", "a.png", folder=tmp_path)
        return below_title(tmp_path / "a.png")

    assert picture("frame.hop=50") == picture("frame.hop=50", f"frame.length={frames}")
    assert picture("frame.hop=50") != picture("frame.hop=50", "frame.length='25 ms'")
    # A value that is chosen is kept, also with its section.
    section = "frame={length: 60, hop: 50, fft_length: null, align: center}"
    assert picture("frame.hop=50", "frame.length=60", "frame.fft_length=null") == picture(section)


@pytest.mark.long
@pytest.mark.parametrize("seconds", [0.004, 0.02, 0.1, 0.5, 1, 2, 3, 7])
@pytest.mark.parametrize("rate", [250, 1000, 384_000])
def test_short_recordings_have_a_picture_wherever_the_preset_has_one(veery, tmp_path, rate, seconds):
    if round(rate * seconds) < 1:
        pytest.skip("no sample")
    record(tmp_path, "a.wav", rate, seconds)
    preset = veery("render", "a.wav", "--preset", "spectrogram", "-o", "preset.png", folder=tmp_path, status=(0, 1))
    own = veery("render", "a.wav", "-o", "own.png", folder=tmp_path, status=(0, 1))
    assert own.returncode == preset.returncode


@pytest.mark.parametrize("begins", ["2020-12-14T19:22:55-05:00", "19:22:55Z", "2020-12-14 19:22+0530", "19:22+02"])
def test_the_start_of_a_recording_may_have_a_zone(veery, tmp_path, begins):
    record(tmp_path, "a.wav", 8000)
    bare = begins.replace("-05:00", "").replace("+05:30", "").replace("+0530", "").replace("+02", "").replace("Z", "")
    for name, time in ("zone", begins), ("bare", bare):
        veery("render", "a.wav", "-o", f"{name}.svg", "--begins", time, folder=tmp_path)
    assert (tmp_path / "zone.svg").read_bytes() != (tmp_path / "bare.svg").read_bytes()  # the axis names the zone


def test_the_name_of_a_recording_says_when_it_started(veery, tmp_path):
    record(tmp_path, "site_20201214_192255.WAV", 8000)
    for name, options in ("name", ["--time", "clock"]), ("given", ["--begins", "2020-12-14T19:22:55"]), ("seconds", []):
        veery("render", "site_20201214_192255.WAV", "-o", f"{name}.svg", *options, folder=tmp_path)
    drawn = {name: (tmp_path / f"{name}.svg").read_bytes() for name in ("name", "given", "seconds")}
    assert drawn["name"] == drawn["given"] != drawn["seconds"]


@pytest.mark.parametrize("begins", ["19:22:55-5", "19:22:55+24:00", "19:22 EST", "19:22:55+01:60"])
def test_what_is_not_a_zone_is_refused(veery, tmp_path, begins):
    record(tmp_path, "a.wav", 8000)
    assert "such as 05:30:00 or 2024-05-01T05:30:00-05:00" in veery(
        "render", "a.wav", "-o", "zone.pdf", "--begins", begins, folder=tmp_path, status=64).stderr


def test_boxes_of_one_annotator_and_of_a_label_that_is_given(veery, tmp_path):
    """What chooses rows and labels of a table is the same for `clips`, `extract --frame-labels` and `render`."""
    record(tmp_path, "a.wav", 8000, 2)

    def boxes(name, text, *options, status=0):
        (tmp_path / "boxes.csv").write_text(text)
        done = veery("render", "a.wav", "--annotations", "boxes.csv", *options, "-o", f"{name}.svg", folder=tmp_path, status=status)
        return (tmp_path / f"{name}.svg").read_bytes() if status == 0 else done.stderr

    both = "path,start,end,label,annotator\na.wav,0.1,0.5,wren,amy\na.wav,1.1,1.5,robin,bob\n"
    amys = "path,start,end,label\na.wav,0.1,0.5,wren\n"
    assert boxes("one", both, "--annotator", "amy") == boxes("amy", amys)
    assert "the annotators are: 'amy', 'bob'" in boxes("none", both, "--annotator", "eve", status=1)
    bare = "path,start,end\na.wav,0.1,0.5\n"
    assert boxes("label", bare, "--label", "wren") == boxes("amy", amys) != boxes("bare", bare)
