"""`veery filter`: against the same pages, transform and envelope in float64, over formats, rates and channels."""

import os
import signal
import subprocess
import time

import numpy as np
import pytest
import scipy.fft
import soundfile

from conftest import noise

PAGE = 1024


def envelope(mode, low, high):
    """The straight lines through the points of the band's edges, in bins."""
    band = np.interp(np.arange(PAGE), [low - 2, low, high, high + 2], [0, 1, 1, 0])
    return band if mode == "band-pass" else 1 - band


def reference(samples, factors):
    """Each column in pages of 1024, the last filled up with zeros."""
    columns = []
    for column in samples.astype(np.float64).T:
        pages = np.pad(column, (0, -len(column) % PAGE)).reshape(-1, PAGE)
        shaped = scipy.fft.idct(scipy.fft.dct(pages, axis=1) * factors, axis=1)
        columns.append(shaped.ravel()[:len(column)])
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


def left(folder):
    return sorted(entry.name for entry in folder.iterdir())


# ------------------------------------------------------------------------------------------------------------ values


@pytest.mark.parametrize("mode", ["band-pass", "band-stop"])
@pytest.mark.parametrize("rate", [8000, 11025, 16000, 22050, 44100, 48000, 96000, 192000])
def test_float_equals_the_reference_at_every_rate(veery, tmp_path, rate, mode):
    samples = write(tmp_path / "in.wav", rate, signals(rate // 4 + 77, 2), "FLOAT")
    veery("filter", tmp_path / "in.wav", tmp_path / "out.wav", f"--{mode}", "300-3400")
    expected = reference(samples, envelope(mode, *bins(rate, 300, 3400)))
    found = read(tmp_path / "out.wav")
    assert found.shape == expected.shape and soundfile.info(tmp_path / "out.wav").samplerate == rate
    assert np.max(np.abs(found - expected)) <= 1e-6


@pytest.mark.parametrize("count", [1, 2, 1000, 1023, 1024, 1025, 16384, 16385, 40001])
@pytest.mark.parametrize("channels", [1, 2, 3, 6])
def test_every_channel_and_every_length(veery, tmp_path, count, channels):
    samples = write(tmp_path / "in.wav", 16000, signals(count, channels), "FLOAT")
    veery("filter", tmp_path / "in.wav", tmp_path / "out.wav", "--band-pass", "20-300bins")
    found = read(tmp_path / "out.wav")
    assert found.shape == samples.shape
    assert np.max(np.abs(found - reference(samples, envelope("band-pass", 20, 300)))) <= 1e-6


@pytest.mark.parametrize("name, subtype, bits", [
    ("wav", "PCM_16", 16), ("wav", "PCM_24", 24), ("wav", "PCM_U8", 8), ("flac", "PCM_16", 16), ("flac", "PCM_24", 24),
    ("aiff", "PCM_16", 16), ("au", "PCM_16", 16), ("caf", "ALAC_16", 16), ("w64", "PCM_24", 24), ("rf64", "PCM_16", 16),
])
def test_whole_numbers_are_the_reference_rounded(veery, tmp_path, name, subtype, bits):
    samples = write(tmp_path / f"in.{name}", 44100, signals(30001, 2), subtype)
    veery("filter", tmp_path / f"in.{name}", tmp_path / f"out.{name}", "--band-stop", "300Hz-3.4kHz")
    found = read(tmp_path / f"out.{name}")
    expected = reference(samples, envelope("band-stop", 14, 158))
    assert found.shape == samples.shape
    assert soundfile.info(tmp_path / f"out.{name}").subtype == subtype
    # Half a step, and what single precision adds.
    assert np.max(np.abs(found - expected)) <= 0.5 / 2 ** (bits - 1) + 1e-6


@pytest.mark.parametrize("name, subtype", [("wav", "PCM_16"), ("flac", "PCM_16"), ("aiff", "PCM_16"), ("wav", "PCM_U8"),
                                           ("au", "ULAW"), ("wav", "ALAW"), ("caf", "ALAC_16")])
def test_a_band_of_everything_returns_the_same_samples(veery, tmp_path, name, subtype):
    samples = signals(50000, 2, amplitude=1)
    samples[:2] = [[-1, -1], [1, 1]]
    before = write(tmp_path / f"in.{name}", 44100, samples, subtype)
    veery("filter", tmp_path / f"in.{name}", tmp_path / f"out.{name}", "--band-pass", "0-22050")
    assert np.array_equal(read(tmp_path / f"out.{name}"), before)


@pytest.mark.parametrize("subtype", ["FLOAT", "DOUBLE", "PCM_24", "PCM_32"])
def test_a_band_of_everything_returns_finer_samples_to_a_millionth(veery, tmp_path, subtype):
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


def test_what_goes_beyond_full_scale_is_cut_and_counted(veery, tmp_path):
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


# ------------------------------------------------------------------------------------------------------------ errors


@pytest.mark.parametrize("arguments, status, words", [
    (["in.wav", "out.wav"], 64, ["--band-pass", "--band-stop"]),
    (["in.wav", "out.wav", "--band-pass", "1-2", "--band-stop", "3-4"], 64, ["--band-pass", "--band-stop"]),
    (["in.wav", "out.wav", "--band-pass", "300"], 64, ["300", "--band-pass"]),
    (["in.wav", "out.wav", "--band-pass", "300-3,4kHz"], 64, ["--band-pass"]),
    (["in.wav", "out.wav", "--band-pass", "3400-300"], 64, ["--band-pass", "lower", "3400 Hz", "300 Hz"]),
    (["in.wav", "out.wav", "--band-stop", "300-300"], 64, ["--band-stop", "less than"]),
    (["in.wav", "out.wav", "--band-pass", "20-1025bins"], 64, ["1024", "1025 bins"]),
    (["in.wav", "out.wav", "--band-pass", "300-8001"], 1, ["--band-pass", "upper", "8000 Hz", "8001 Hz", "in.wav"]),
    (["in.wav", "out.wav", "--band-pass", "900bins-2kHz"], 1, ["--band-pass", "lower", "900 bins", "2000 Hz"]),
    (["in.wav", "out.xyz", "--band-pass", "300-3400"], 64, ["out.xyz", ".wav", ".flac", ".aiff"]),
    (["in.wav", "out", "--band-pass", "300-3400"], 1, ["out", ".wav", ".flac"]),
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
def test_errors_say_what_is_wrong_and_leave_nothing(veery, tmp_path, arguments, status, words):
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
    before, input_bytes = left(tmp_path), (tmp_path / "in.wav").read_bytes()
    result = veery("filter", *arguments, status=status, folder=tmp_path)
    for word in words:
        assert word in result.stderr, result.stderr
    assert left(tmp_path) == before
    assert (tmp_path / "old.wav").read_text() == "an old file"
    assert (tmp_path / "in.wav").read_bytes() == input_bytes


def test_overwrite_replaces(veery, tmp_path):
    samples = write(tmp_path / "in.wav", 16000, signals(3000, 1), "FLOAT")
    (tmp_path / "out.wav").write_text("an old file")
    veery("filter", tmp_path / "in.wav", tmp_path / "out.wav", "--band-pass", "20-300bins", "--overwrite")
    assert np.max(np.abs(read(tmp_path / "out.wav") - reference(samples, envelope("band-pass", 20, 300)))) <= 1e-6
    assert left(tmp_path) == ["in.wav", "out.wav"]


def test_a_recording_that_is_cut_off_is_no_success(veery, tmp_path):
    write(tmp_path / "whole.flac", 16000, signals(50000, 1), "PCM_16")
    content = (tmp_path / "whole.flac").read_bytes()
    (tmp_path / "cut.flac").write_bytes(content[:len(content) // 2])
    result = veery("filter", tmp_path / "cut.flac", tmp_path / "out.wav", "--band-pass", "300-3400", status=1)
    assert "cut.flac" in result.stderr and left(tmp_path) == ["cut.flac", "whole.flac"]


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interruption_removes_what_was_begun(program, tmp_path, number, status):
    with soundfile.SoundFile(tmp_path / "in.w64", "w", 48000, 8, subtype="FLOAT") as file:
        block = signals(48000, 8).astype(np.float32)
        for _ in range(300):
            file.write(block)
    process = subprocess.Popen(
        [program, "filter", tmp_path / "in.w64", tmp_path / "out.flac", "--band-pass", "300-3400"],
        stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while len(left(tmp_path)) < 2 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert left(tmp_path)[0].endswith(".partial")
    process.send_signal(number)
    error = process.communicate(timeout=60)[1]
    assert process.returncode == status, error
    assert "nothing was written" in error and left(tmp_path) == ["in.w64"]


def test_memory_does_not_grow_with_the_length(program, tmp_path):
    peaks = []
    for seconds in (5, 200):
        with soundfile.SoundFile(tmp_path / f"{seconds}.wav", "w", 48000, 2, subtype="FLOAT") as file:
            block = signals(48000, 2).astype(np.float32)
            for _ in range(seconds):
                file.write(block)
        process = subprocess.Popen(
            [program, "filter", tmp_path / f"{seconds}.wav", tmp_path / f"{seconds}-out.wav", "--band-pass", "300-3400",
             "--quiet"])
        peaks.append(os.wait4(process.pid, 0)[2].ru_maxrss)
    # 75 MB of samples more.
    assert peaks[1] - peaks[0] < 8000 * (1 if os.uname().sysname == "Linux" else 1024), peaks
