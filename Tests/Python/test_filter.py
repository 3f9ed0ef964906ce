"""`veery filter`: its output is compared with a filter computed in float64, for many formats, rates and channels."""

import os
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest
import scipy.fft
import scipy.signal
import soundfile

from conftest import noise, tone, write_manifest

PAGE = 1024
HOP = {"overlapping": PAGE // 4, "separate": PAGE}


def envelope(mode, low, high):
    """The factor of each bin: 1 in the band, 0 from two bins outside it, linear in between; for band-stop 1 minus that."""
    band = np.interp(np.arange(PAGE), [low - 2, low, high, high + 2], [0, 1, 1, 0])
    return band if mode == "band-pass" else 1 - band


def reference(samples, factors, pages="overlapping"):
    """The filtered samples: each channel is cut into pages of 1024 samples, with zeros beyond its ends.

    Overlapping pages are multiplied by a Hann window before the transform and after its inverse.
    """
    hop = HOP[pages]
    window = np.ones(PAGE) if hop == PAGE else 0.5 - 0.5 * np.cos(2 * np.pi * (np.arange(PAGE) + 0.5) / PAGE)
    columns = []
    for column in samples.astype(np.float64).T:
        padded = np.pad(column, (PAGE - hop, PAGE))
        starts = range(0, PAGE - hop + len(column), hop)
        cut = np.stack([padded[start:start + PAGE] * window for start in starts])
        shaped = scipy.fft.idct(scipy.fft.dct(cut, axis=1) * factors, axis=1) * window
        total = np.zeros(len(padded))
        for start, page in zip(starts, shaped):
            total[start:start + PAGE] += page
        columns.append(total[PAGE - hop:][:len(column)] / (1.5 if hop < PAGE else 1))
    return np.stack(columns, axis=1)


def bins(rate, low, high):
    return round(low * 2 * PAGE / rate), round(high * 2 * PAGE / rate)


def signals(count, channels, seed=1, amplitude=0.4):
    return np.stack([noise(seed + channel, count, amplitude) for channel in range(channels)], axis=1)


def write(path, rate, samples, subtype, **more):
    soundfile.write(path, samples, rate, subtype=subtype, **more)
    return soundfile.read(path, always_2d=True)[0]


def read(path):
    return soundfile.read(path, always_2d=True)[0]


def file_names(folder):
    return sorted(entry.name for entry in folder.iterdir())


# ------------------------------------------------------------------------------------------------------------ values


@pytest.mark.parametrize("pages", [None, "overlapping", "separate"])
@pytest.mark.parametrize("mode", ["band-pass", "band-stop"])
@pytest.mark.parametrize("rate", [8000, 11025, 16000, 22050, 44100, 48000, 96000, 192000])
def test_float_equals_the_reference_at_every_rate(veery, tmp_path, rate, mode, pages):
    samples = write(tmp_path / "in.wav", rate, signals(rate // 4 + 77, 2), "FLOAT")
    asked = ["--pages", pages] if pages else []
    result = veery("filter", tmp_path / "in.wav", tmp_path / "out.wav", f"--{mode}", "300-3400", *asked)
    assert ("separate pages" in result.stderr) == (pages == "separate")
    expected = reference(samples, envelope(mode, *bins(rate, 300, 3400)), pages or "overlapping")
    found = read(tmp_path / "out.wav")
    assert found.shape == expected.shape and soundfile.info(tmp_path / "out.wav").samplerate == rate
    assert np.max(np.abs(found - expected)) <= 1e-6


@pytest.mark.sampled(26)
@pytest.mark.parametrize("pages", ["overlapping", "separate"])
@pytest.mark.parametrize("count", [1, 2, 255, 256, 257, 1000, 1023, 1024, 1025, 16384, 16385, 40001])
@pytest.mark.parametrize("channels", [1, 2, 3, 6])
def test_every_channel_and_every_length(veery, tmp_path, count, channels, pages):
    samples = write(tmp_path / "in.wav", 16000, signals(count, channels), "FLOAT")
    veery("filter", tmp_path / "in.wav", tmp_path / "out.wav", "--band-pass", "20-300bins", "--pages", pages)
    found = read(tmp_path / "out.wav")
    assert found.shape == samples.shape
    assert np.max(np.abs(found - reference(samples, envelope("band-pass", 20, 300), pages))) <= 1e-6


@pytest.mark.parametrize("rate", [8000, 16000, 44100, 48000])
def test_a_tone_does_not_click(veery, tmp_path, rate):
    """Tones at least 13 bins from an edge are kept in the band and removed outside it; the error is 70 dB below their peak."""
    low, high = bins(rate, 500, 2500)
    width = rate / 2 / PAGE
    tones = {bin: bin * width for bin in (low - 16.2, low + 13.4, (low + high) / 2 + 0.3, high - 25.7, high + 13.2)
             if bin > 4}
    assert len(tones) >= 4
    samples = np.stack([tone(rate, 1, [frequency]) for frequency in tones.values()], axis=1)
    samples = write(tmp_path / "in.wav", rate, samples, "FLOAT")
    ideal = np.where([low < bin < high for bin in tones], samples, 0)
    worst = {}
    for pages in HOP:
        veery("filter", tmp_path / "in.wav", tmp_path / f"{pages}.wav", "--band-pass", f"{low}-{high}bins", "--pages", pages)
        difference = np.abs(read(tmp_path / f"{pages}.wav") - ideal)[PAGE:-PAGE]
        worst[pages] = 20 * np.log10(difference.max(axis=0) / 0.3)
    assert worst["overlapping"].max() <= -70, worst
    assert worst["separate"].max() > -20, worst


@pytest.mark.parametrize("name", [
    "birds/soundscapes/spinetail.wav", "birds/soundscapes/Recording_1_Segment_07-snippet.wav",
    "soundscape_day_night/*.wav", "sentences/*.wav", "fsdd/*.wav"])
def test_real_recordings_equal_the_reference_and_have_little_power_outside_the_band(veery, collection, tmp_path, name):
    samples, rate = soundfile.read(sorted(collection.glob(name))[0], always_2d=True)
    samples = write(tmp_path / "in.wav", rate, samples, "FLOAT")
    low, high = bins(rate, 300, 3400)
    outside = np.zeros(PAGE + 1, bool)
    outside[:max(low - 20, 0)] = outside[high + 20:] = True
    spectrum = dict(window="blackmanharris", nperseg=2 * PAGE, detrend=False, axis=0)
    powers = {}
    for pages in HOP:
        veery("filter", tmp_path / "in.wav", tmp_path / f"{pages}.wav", "--band-pass", "300-3400", "--pages", pages)
        found = read(tmp_path / f"{pages}.wav")
        assert np.max(np.abs(found - reference(samples, envelope("band-pass", low, high), pages))) <= 1e-6
        powers[pages] = scipy.signal.welch(found, rate, **spectrum)[1].sum(axis=1)
    if outside.any():
        quiet, loud = powers["overlapping"][outside].sum(), powers["separate"][outside].sum()
        assert loud > 0 and 10 * np.log10(quiet / loud) < -40


@pytest.mark.parametrize("name, subtype, bits", [
    ("wav", "PCM_16", 16), ("wav", "PCM_24", 24), ("wav", "PCM_U8", 8), ("flac", "PCM_16", 16), ("flac", "PCM_24", 24),
    ("aiff", "PCM_16", 16), ("au", "PCM_16", 16), ("caf", "ALAC_16", 16), ("w64", "PCM_24", 24), ("rf64", "PCM_16", 16),
])
def test_integer_samples_are_those_of_the_reference_rounded(veery, tmp_path, name, subtype, bits):
    samples = write(tmp_path / f"in.{name}", 44100, signals(30001, 2), subtype)
    veery("filter", tmp_path / f"in.{name}", tmp_path / f"out.{name}", "--band-stop", "300Hz-3.4kHz")
    found = read(tmp_path / f"out.{name}")
    expected = reference(samples, envelope("band-stop", 14, 158))
    assert found.shape == samples.shape
    assert soundfile.info(tmp_path / f"out.{name}").subtype == subtype
    # Half a quantization step, and the error of single precision.
    assert np.max(np.abs(found - expected)) <= 0.5 / 2 ** (bits - 1) + 1e-6


@pytest.mark.parametrize("name, subtype", [("wav", "PCM_16"), ("flac", "PCM_16"), ("aiff", "PCM_16"), ("wav", "PCM_U8"),
                                           ("au", "ULAW"), ("wav", "ALAW"), ("caf", "ALAC_16")])
@pytest.mark.parametrize("pages", ["overlapping", "separate"])
def test_a_band_of_all_frequencies_returns_the_same_samples(veery, tmp_path, name, subtype, pages):
    samples = signals(50000, 2, amplitude=1)
    samples[:2] = [[-1, -1], [1, 1]]
    before = write(tmp_path / f"in.{name}", 44100, samples, subtype)
    veery("filter", tmp_path / f"in.{name}", tmp_path / f"out.{name}", "--band-pass", "0-22050", "--pages", pages)
    assert np.array_equal(read(tmp_path / f"out.{name}"), before)


@pytest.mark.parametrize("subtype", ["FLOAT", "DOUBLE", "PCM_24", "PCM_32"])
def test_a_band_of_all_frequencies_returns_samples_of_24_bits_or_more_within_a_millionth(veery, tmp_path, subtype):
    before = write(tmp_path / "in.wav", 44100, signals(50000, 2, amplitude=0.999), subtype)
    veery("filter", tmp_path / "in.wav", tmp_path / "out.wav", "--band-pass", "0-1024bins")
    assert np.max(np.abs(read(tmp_path / "out.wav") - before)) <= 1e-6


@pytest.mark.parametrize("name, subtype", [("ogg", "VORBIS"), ("opus", "OPUS"), ("mp3", "MPEG_LAYER_III")])
def test_compressed_recordings_keep_format_and_length(veery, tmp_path, name, subtype):
    container = {"mp3": "MP3"}.get(name, "OGG")
    time = np.arange(48000) / 48000
    samples = 0.2 * np.sin(2 * np.pi * 400 * time) + 0.2 * np.sin(2 * np.pi * 6000 * time)
    write(tmp_path / f"in.{name}", 48000, samples, subtype, format=container)
    veery("filter", tmp_path / f"in.{name}", tmp_path / f"out.{name}", "--band-pass", "300-3400")
    assert soundfile.info(tmp_path / f"out.{name}").subtype == subtype
    found = read(tmp_path / f"out.{name}")
    assert found.shape == (48000, 1)
    spectrum = np.abs(np.fft.rfft(found[8000:40000, 0]))
    assert spectrum[6000 * 32000 // 48000] < 0.01 * spectrum[400 * 32000 // 48000]


def test_another_extension_is_another_format(veery, tmp_path):
    samples = write(tmp_path / "in.wav", 16000, signals(5000, 2), "FLOAT")
    expected = reference(samples, envelope("band-pass", *bins(16000, 300, 3400)))
    for name, subtype in [("flac", "PCM_24"), ("aif", "FLOAT"), ("ogg", "VORBIS")]:
        result = veery("filter", tmp_path / "in.wav", tmp_path / f"out.{name}", "--band-pass", "300-3400")
        assert soundfile.info(tmp_path / f"out.{name}").subtype == subtype
        assert str(tmp_path / f"out.{name}") in result.stderr and result.stdout == ""
        if subtype != "VORBIS":
            assert np.max(np.abs(read(tmp_path / f"out.{name}") - expected)) <= 1.2e-7 + 1e-6


def test_samples_beyond_full_scale_are_clipped_and_counted(veery, tmp_path):
    square = np.where(np.arange(16000) // 100 % 2 == 0, 0.999, -0.999)
    samples = write(tmp_path / "in.wav", 16000, square, "PCM_16")
    result = veery("filter", tmp_path / "in.wav", tmp_path / "out.wav", "--band-pass", "0-1000")
    expected = np.round(reference(samples, envelope("band-pass", 0, 128)) * 32768)
    beyond = np.count_nonzero((expected > 32767) | (expected < -32768))
    assert beyond > 100 and f"{beyond:,} samples of 16,000" in result.stderr
    found = read(tmp_path / "out.wav") * 32768
    assert np.max(np.abs(found - np.clip(expected, -32768, 32767))) <= 1
    assert "clipped" not in veery(
        "filter", tmp_path / "in.wav", tmp_path / "quiet.wav", "--band-pass", "0-1000", "--quiet").stderr


def test_tags_are_kept(veery, tmp_path):
    for name in ("wav", "flac", "ogg", "mp3"):
        with soundfile.SoundFile(tmp_path / f"in.{name}", "w", 16000, 1) as file:
            file.title, file.artist, file.comment = "Dawn – утро", "A robin", "by the river"
            file.write(signals(3000, 1))
        veery("filter", tmp_path / f"in.{name}", tmp_path / f"out.{name}", "--band-pass", "300-3400")
        with soundfile.SoundFile(tmp_path / f"out.{name}") as file:
            assert (file.title, file.artist, file.comment) == ("Dawn – утро", "A robin", "by the river"), name
    result = veery("filter", tmp_path / "in.wav", tmp_path / "out.au", "--band-pass", "300-3400")
    assert "title" in result.stderr and "artist" in result.stderr


def test_ranges_may_be_written_in_several_ways(veery, tmp_path):
    write(tmp_path / "in.wav", 16000, signals(5000, 1), "FLOAT")
    outputs = []
    for number, text in enumerate(["300-3400", "300-3400Hz", "300Hz-3.4kHz", "0.3-3.4kHz", "38-435bins", "300 hz-435bins"]):
        veery("filter", tmp_path / "in.wav", tmp_path / f"{number}.wav", "--band-pass", text)
        outputs.append((tmp_path / f"{number}.wav").read_bytes())
    assert len(set(outputs)) == 1


# ---------------------------------------------------------------------------------------------------------- features


def test_features_are_those_of_the_filtered_recording(veery, tmp_path):
    """`condition.dct_filter` equals `veery filter` to the last bit, and the file says which kind of pages was used."""
    write(tmp_path / "in.wav", 16000, signals(40000, 1), "FLOAT")
    write_manifest(tmp_path / "in.csv", [{"path": "in.wav"}])
    options = ["--set", "normalize.scope=none", "--set"]
    stored = {}
    for pages in [None, "overlapping", "separate"]:
        more = f", pages: {pages}" if pages else ""
        section = f"condition.dct_filter={{mode: band_pass, low: 300, high: 3400{more}}}"
        output = tmp_path / f"{pages}.h5"
        veery("extract", tmp_path / "in.csv", "-o", output, *options, section)
        with h5py.File(output) as file:
            stored[pages] = file["features"][:]
            text = file["provenance/configuration"].asstr()[()]
        assert f'"pages":"{pages or "overlapping"}"' in text
        # The stored configuration gives the same file again.
        again = tmp_path / f"{pages}.json"
        again.write_text(text)
        veery("extract", tmp_path / "in.csv", "-o", tmp_path / "again.h5", "--config", again, "--overwrite")
        assert (tmp_path / "again.h5").read_bytes() == output.read_bytes()

        asked = ["--pages", pages] if pages else []
        veery("filter", tmp_path / "in.wav", tmp_path / f"{pages}.wav", "--band-pass", "300-3400", *asked)
        write_manifest(tmp_path / "filtered.csv", [{"path": f"{pages}.wav"}])
        veery("extract", tmp_path / "filtered.csv", "-o", tmp_path / "filtered.h5", "--overwrite", *options, "frame.hop=160")
        with h5py.File(tmp_path / "filtered.h5") as file:
            assert np.array_equal(file["features"][:], stored[pages])
    assert np.array_equal(stored[None], stored["overlapping"])
    assert not np.array_equal(stored[None], stored["separate"])


def test_pages_are_not_mixed_in_one_file(veery, tmp_path):
    for name in ("a", "b"):
        write(tmp_path / f"{name}.wav", 16000, signals(20000, 1), "FLOAT")
    write_manifest(tmp_path / "one.csv", [{"path": "a.wav"}])
    write_manifest(tmp_path / "two.csv", [{"path": "a.wav"}, {"path": "b.wav"}])
    section = "condition.dct_filter={{mode: band_stop, low: 45, high: 1000, pages: {}}}".format
    options = ["-o", tmp_path / "f.h5", "--set", "normalize.scope=none", "--set"]
    veery("extract", tmp_path / "one.csv", *options, section("separate"))
    before = (tmp_path / "f.h5").read_bytes()
    result = veery("extract", tmp_path / "two.csv", *options, section("overlapping"), "--append", status=1)
    assert "condition.dct_filter.pages was separate and is overlapping now" in result.stderr
    assert (tmp_path / "f.h5").read_bytes() == before
    veery("extract", tmp_path / "two.csv", *options, section("separate"), "--append")


# ------------------------------------------------------------------------------------------------------------ errors


@pytest.mark.parametrize("arguments, status, words", [
    (["in.wav", "out.wav"], 64, ["--band-pass", "--band-stop"]),
    (["in.wav", "out.wav", "--band-pass", "1-2", "--band-stop", "3-4"], 64, ["--band-pass", "--band-stop"]),
    (["in.wav", "out.wav", "--band-pass", "300"], 64, ["300", "--band-pass"]),
    (["in.wav", "out.wav", "--band-pass", "300-3,4kHz"], 64, ["--band-pass"]),
    (["in.wav", "out.wav", "--band-pass", "3400-300"], 64, ["--band-pass", "lower", "3400 Hz", "300 Hz"]),
    (["in.wav", "out.wav", "--band-stop", "300-300"], 64, ["--band-stop", "less than"]),
    (["in.wav", "out.wav", "--band-pass", "1-2", "--pages", "double"], 64, ["--pages", "overlapping", "separate"]),
    (["in.wav", "out.wav", "--band-pass", "20-1025bins"], 64, ["1024", "1025 bins"]),
    (["in.wav", "out.wav", "--band-pass", "300-8001"], 1, ["--band-pass", "upper", "8000 Hz", "8001 Hz", "in.wav"]),
    (["in.wav", "out.wav", "--band-pass", "900bins-2kHz"], 1, ["--band-pass", "lower", "900 bins", "2000 Hz"]),
    (["in.wav", "out.xyz", "--band-pass", "300-3400"], 64, ["out.xyz", ".wav", ".flac", ".aiff"]),
    (["in.wav", "out", "--band-pass", "300-3400"], 64, ["out", ".wav", ".flac"]),
    (["none.wav", "out.wav", "--band-pass", "300-3400"], 1, ["none.wav", "No such file"]),
    (["text.wav", "out.wav", "--band-pass", "300-3400"], 1, ["text.wav"]),
    (["nan.wav", "out.wav", "--band-pass", "300-3400"], 1, ["nan.wav", "finite", "sample 2"]),
    (["in.wav", "none/out.wav", "--band-pass", "300-3400"], 1, ["none/out.wav", "No such file"]),
    (["in.wav", "folder.wav", "--band-pass", "300-3400", "--overwrite"], 1, ["folder.wav", "regular file"]),
    (["in.wav", "in.wav", "--band-pass", "300-3400", "--overwrite"], 1, ["in.wav", "same file"]),
    (["in.wav", "link.wav", "--band-pass", "300-3400", "--overwrite"], 1, ["link.wav", "same file"]),
    (["in.wav", "old.wav", "--band-pass", "300-3400"], 1, ["old.wav", "--overwrite"]),
    (["odd.wav", "out.opus", "--band-pass", "300-3400"], 1, ["out.opus", "44100 Hz", "48000"]),
    (["high.wav", "out.mp3", "--band-pass", "300-3400"], 1, ["out.mp3", "96000 Hz", "48000"]),
    (["ultrasound.wav", "out.ogg", "--band-pass", "20-100kHz"], 1, ["out.ogg", "300000 Hz", "200000"]),
    (["wide.wav", "out.flac", "--band-pass", "300-3400"], 1, ["out.flac", "9 channels", "8 channels"]),
])
def test_errors_say_what_is_wrong_and_leave_no_new_file(veery, tmp_path, arguments, status, words):
    write(tmp_path / "in.wav", 16000, signals(3000, 1), "PCM_16")
    write(tmp_path / "nan.wav", 16000, np.array([0, 0, np.nan, 0]), "FLOAT")
    write(tmp_path / "odd.wav", 44100, signals(3000, 1), "PCM_16")
    write(tmp_path / "high.wav", 96000, signals(3000, 1), "PCM_16")
    write(tmp_path / "ultrasound.wav", 300_000, signals(3000, 1), "PCM_16")
    write(tmp_path / "wide.wav", 16000, signals(3000, 9), "PCM_16")
    (tmp_path / "text.wav").write_text("no recording")
    (tmp_path / "old.wav").write_text("an old file")
    (tmp_path / "folder.wav").mkdir()
    os.link(tmp_path / "in.wav", tmp_path / "link.wav")
    before, input_bytes = file_names(tmp_path), (tmp_path / "in.wav").read_bytes()
    result = veery("filter", *arguments, status=status, folder=tmp_path)
    for word in words:
        assert word in result.stderr, result.stderr
    assert file_names(tmp_path) == before
    assert (tmp_path / "old.wav").read_text() == "an old file"
    assert (tmp_path / "in.wav").read_bytes() == input_bytes


def test_overwrite_replaces_the_old_file(veery, tmp_path):
    samples = write(tmp_path / "in.wav", 16000, signals(3000, 1), "FLOAT")
    (tmp_path / "out.wav").write_text("an old file")
    veery("filter", tmp_path / "in.wav", tmp_path / "out.wav", "--band-pass", "20-300bins", "--overwrite")
    assert np.max(np.abs(read(tmp_path / "out.wav") - reference(samples, envelope("band-pass", 20, 300)))) <= 1e-6
    assert file_names(tmp_path) == ["in.wav", "out.wav"]


def test_a_recording_that_is_cut_off_is_an_error(veery, tmp_path):
    write(tmp_path / "whole.flac", 16000, signals(50000, 1), "PCM_16")
    content = (tmp_path / "whole.flac").read_bytes()
    (tmp_path / "cut.flac").write_bytes(content[:len(content) // 2])
    result = veery("filter", tmp_path / "cut.flac", tmp_path / "out.wav", "--band-pass", "300-3400", status=1)
    assert "cut.flac" in result.stderr and file_names(tmp_path) == ["cut.flac", "whole.flac"]


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interruption_removes_the_unfinished_output(program, tmp_path, number, status):
    with soundfile.SoundFile(tmp_path / "in.w64", "w", 48000, 8, subtype="FLOAT") as file:
        block = signals(48000, 8).astype(np.float32)
        for _ in range(300):
            file.write(block)
    process = subprocess.Popen(
        [program, "filter", tmp_path / "in.w64", tmp_path / "out.flac", "--band-pass", "300-3400"],
        stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while len(file_names(tmp_path)) < 2 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert file_names(tmp_path)[0].endswith(".partial")
    process.send_signal(number)
    error = process.communicate(timeout=60)[1]
    assert process.returncode == status, error
    assert "nothing was written" in error and file_names(tmp_path) == ["in.w64"]


def test_memory_does_not_grow_with_the_length(program, peak_memory, tmp_path):
    peaks = []
    for seconds in (5, 200):
        with soundfile.SoundFile(tmp_path / f"{seconds}.wav", "w", 48000, 2, subtype="FLOAT") as file:
            block = signals(48000, 2).astype(np.float32)
            for _ in range(seconds):
                file.write(block)
        peaks.append(peak_memory(
            program, "filter", tmp_path / f"{seconds}.wav", tmp_path / f"{seconds}-out.wav", "--band-pass", "300-3400",
            "--quiet"))
    # The longer recording has 75 MB more of samples.
    assert peaks[1] - peaks[0] < 8e6, peaks
