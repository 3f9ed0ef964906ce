"""Samples: `veery decode`, and `load`, `samples` and players of the Python package. They are those that `extract` computes features of."""

import base64
import io
import json
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from pathlib import Path
from shlex import quote

import h5py
import numpy as np
import pytest
import scipy.signal
import soundfile
import xxhash

import veery as package
from conftest import PACKAGE, noise, tone, write_manifest, write_wav

RATE = 22_050
RAW = {"normalize.scope": "none"}
FORMATS = {"wav": "PCM_16", "flac": "PCM_24", "mp3": None, "ogg": "VORBIS"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Recordings of two channels in four formats, of one channel, and one that is long."""
    folder = tmp_path_factory.mktemp("load")
    left = tone(RATE, 2.3, [220, 1000, 3000], 0.5) + noise(1, round(2.3 * RATE), 0.1)
    stereo = np.stack([left, np.roll(left, 100) * np.linspace(0, 1, len(left))], axis=1)
    for ending, subtype in FORMATS.items():
        soundfile.write(folder / f"stereo.{ending}", stereo, RATE, subtype=subtype)
        soundfile.write(folder / f"mono.{ending}", left, RATE, subtype=subtype)
    soundfile.write(folder / "float.wav", stereo.astype("f4"), RATE, subtype="FLOAT")
    return folder


def decoded(path, **options):
    return soundfile.read(path, dtype="float32", always_2d=True, **options)[0].T


# --------------------------------------------------------------------------------------------------------------- load


@pytest.mark.parametrize("name", ["stereo.wav", "stereo.flac", "float.wav"])
def test_samples_are_those_of_another_decoder(folder, name):
    expected = decoded(folder / name)
    samples, rate = package.load(folder / name)
    assert rate == RATE and type(rate) is int and samples.dtype == np.float32 and samples.flags.writeable
    assert np.array_equal(samples, (expected[0] + expected[1]) / 2)
    every, _ = package.load(str(folder / name), channels="all")
    assert np.array_equal(every, expected) and every.flags.c_contiguous
    for channels, index in (("first", 0), (0, 0), (1, 1), (np.int64(1), 1), ("1", 1)):
        assert np.array_equal(package.load(folder / name, channels=channels)[0], expected[index])
    part, _ = package.load(folder / name, start=0.5, end=1.2, channels=1)
    assert np.array_equal(part, expected[1, round(0.5 * RATE):round(1.2 * RATE)])
    assert np.array_equal(package.load(folder / name, start=2, channels=0)[0], expected[0, 2 * RATE:])


def test_one_channel_is_two_dimensional_only_where_all_are_asked_for(folder):
    one, _ = package.load(folder / "mono.wav")
    assert one.ndim == 1
    every, _ = package.load(folder / "mono.wav", channels="all")
    assert every.shape == (1, len(one)) and np.array_equal(every[0], one)


@pytest.mark.parametrize("ending", FORMATS)
def test_a_rate_is_reached_as_soxr_does_it(folder, ending):
    own, _ = package.load(folder / f"stereo.{ending}")
    samples, rate = package.load(folder / f"stereo.{ending}", 16_000)
    assert rate == 16_000 and abs(len(samples) - len(own) * 16_000 / RATE) <= 1
    # All channels together give the same samples as each by itself.
    every, _ = package.load(folder / f"stereo.{ending}", 16_000, "all")
    for index in range(2):
        assert np.array_equal(every[index], package.load(folder / f"stereo.{ending}", 16_000, index)[0])


def test_a_resampler_is_the_one_that_is_named(folder):
    own, _ = package.load(folder / "mono.wav")
    samples, _ = package.load(folder / "mono.wav", 16_000, resampler="polyphase")
    expected = scipy.signal.resample_poly(own.astype(float), 320, 441)
    assert len(samples) == len(expected) and np.abs(samples - expected).max() < 1e-6
    usual, _ = package.load(folder / "mono.wav", 16_000)
    assert np.array_equal(package.load(folder / "mono.wav", 16_000, resampler="soxr-hq")[0], usual)
    apart = {name: np.abs(package.load(folder / "mono.wav", 16_000, resampler=name)[0][:len(usual) - 1] - usual[:-1]).max()
             for name in ("soxr-vhq", "soxr-mq", "torchaudio", "kaiser_best", "kaiser_fast")}
    assert all(0 < value < 0.2 for value in apart.values()), apart
    # All channels together give the same samples as each by itself.
    every, _ = package.load(folder / "stereo.flac", 16_000, "all", resampler="kaiser_best")
    for index in range(2):
        assert np.array_equal(every[index], package.load(folder / "stereo.flac", 16_000, index, resampler="kaiser_best")[0])
    for options, words in (({"sample_rate": 16_000, "resampler": "sinc"}, "soxr-hq, soxr-vhq"), ({"resampler": "polyphase"}, "needs sample_rate")):
        with pytest.raises(package.CommandError, match=words) as caught:
            package.load(folder / "mono.wav", **options)
        assert caught.value.status == 64


def test_a_plan_resamples_recordings_arrays_and_streams_as_extract_does(folder, tmp_path, veery):
    manifest = write_manifest(tmp_path / "m.csv", [{"id": "a", "path": folder / "mono.wav"}])
    for resampler in "torchaudio", "kaiser_fast", "soxr-vhq":
        settings = {**RAW, "audio.resampler": resampler}
        veery("extract", manifest, "-o", tmp_path / f"{resampler}.h5", *(f"--set={key}={value}" for key, value in settings.items()))
        with h5py.File(tmp_path / f"{resampler}.h5") as file:
            stored = file["features"][:]
            software = json.loads(file["provenance/software"][()])
            assert json.loads(file["provenance/configuration"][()])["audio"]["resampler"] == resampler
        assert software.get("resampler") == (f"{resampler}, phases 1" if resampler[0] != "s" else None)
        plan = package.FeaturePlan(settings=settings)
        own, rate = package.load(folder / "mono.wav")
        assert np.array_equal(plan.features(folder / "mono.wav"), stored)
        assert np.array_equal(plan.features(own, rate), stored)
        stream = plan.stream(rate)
        pieces = [stream.push(piece) for piece in np.array_split(own, 37)]
        assert np.array_equal(np.concatenate([*pieces, stream.finish()]), stored)


def test_a_recording_of_which_nothing_is_left_is_a_failure(tmp_path, veery):
    write_wav(tmp_path / "short.wav", 44_100, np.full((2, 1), 0.5))
    result = veery("decode", tmp_path / "short.wav", "--sample-rate", "16000", "--resampler", "kaiser_best", "-o", tmp_path / "out.wav", status=1)
    assert "kaiser_best makes no sample of 2 samples" in result.stderr
    assert not (tmp_path / "out.wav").exists()


def test_errors_are_those_of_the_command(folder, tmp_path):
    for options, status, words in (
            ({"channels": 2}, 1, "expected channel 2"), ({"channels": "left"}, 64, "mix, first, all or a channel number"),
            ({"start": 3}, 1, "start"), ({"start": 1, "end": 0.5}, 64, "start"), ({"sample_rate": 0}, 64, "sample-rate|sample_rate"),
            ({"sample_rate": 1}, 1, "too far apart"), ({"truncated": "no"}, 64, "truncated")):
        with pytest.raises(package.CommandError, match=words) as caught:
            package.load(folder / "stereo.wav", **options)
        assert caught.value.status == status
    with pytest.raises(package.CommandError, match="No such file"):
        package.load(tmp_path / "none.wav")
    with pytest.raises(TypeError, match="path: expected a path, bytes or a file that is open for reading bytes, found a"):
        package.load(np.zeros(9))
    with pytest.raises(TypeError, match="sample_rate"):
        package.load(folder / "mono.wav", sample_rate=[16000])
    (tmp_path / "text.wav").write_text("not a recording, but text")
    with pytest.raises(package.CommandError, match="text.wav"):
        package.load(tmp_path / "text.wav")


def test_a_damaged_recording_has_the_error_of_an_extraction(veery, folder, tmp_path):
    whole = (folder / "mono.wav").read_bytes()
    (tmp_path / "cut.wav").write_bytes(whole[:len(whole) // 2])
    veery("extract", "cut.wav", "-o", "f.h5", status=3, folder=tmp_path)
    reason = package.open(tmp_path / "f.h5").failures[0].reason
    with pytest.raises(package.CommandError) as caught:
        package.load(tmp_path / "cut.wav")
    assert caught.value.message.startswith(f"{tmp_path / 'cut.wav'}: {reason}; copy or download the recording again, or give truncated=\"keep\"")
    with pytest.warns(package.CommandWarning, match="cut off") as warned:
        samples, _ = package.load(tmp_path / "cut.wav", truncated="keep")
    assert warned[0].filename == __file__
    assert np.array_equal(samples, package.load(folder / "mono.wav")[0][:len(samples)]) and len(samples) > 9000
    sound = np.zeros(9000, "f4")
    sound[99] = np.nan
    soundfile.write(tmp_path / "nan.wav", sound, RATE, subtype="FLOAT")
    with pytest.raises(package.CommandError, match="99"):
        package.load(tmp_path / "nan.wav")
    with pytest.warns(package.CommandWarning, match="became 0"):
        assert not package.load(tmp_path / "nan.wav", non_finite="zero")[0].any()


@pytest.mark.parametrize("preset, channels", [("whisper", ""), ("kaldi-fbank", ", channels='first'")])
def test_the_advice_for_a_damaged_recording_of_a_plan_is_pythons(folder, tmp_path, monkeypatch, preset, channels):
    whole = (folder / "mono.wav").read_bytes()
    (tmp_path / "cut.wav").write_bytes(whole[:len(whole) // 2])
    soundfile.write(tmp_path / "nan.wav", np.full(9000, np.nan, "f4"), RATE, subtype="FLOAT")
    monkeypatch.chdir(tmp_path)
    plan = package.FeaturePlan(preset)
    for name, argument in (("cut.wav", 'truncated="keep"'), ("nan.wav", 'non_finite="zero"')):
        call = f"plan.features(*veery.load('{name}'{channels}, {argument}))"
        with pytest.raises(package.CommandError, match=f", or call {re.escape(call)}, which") as caught:
            plan.features(name)
        assert "--" not in caught.value.message
        with pytest.warns(package.CommandWarning):
            assert len(eval(call, {"plan": plan, "veery": package}))


def in_memory(path):
    """What a server may have of a recording."""
    content = path.read_bytes()
    yield from (content, bytearray(content), memoryview(content), memoryview(content).cast("b"), io.BytesIO(content))
    with open(path, "rb") as file:
        yield file
    with tempfile.SpooledTemporaryFile(max_size=100) as file:  # as uploads of web frameworks are
        file.write(content)
        file.seek(0)
        yield file


@pytest.mark.parametrize("ending", FORMATS)
def test_recordings_in_memory_are_read_as_files_are(library, folder, tmp_path, monkeypatch, ending):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    expected, _ = package.load(folder / f"stereo.{ending}", 16_000, channels=1, start=0.5)
    plan = package.FeaturePlan("whisper")
    features = plan.features(folder / f"stereo.{ending}")
    for given in in_memory(folder / f"stereo.{ending}"):
        samples, rate = package.load(given, 16_000, channels=1, start=0.5)
        assert rate == 16_000 and np.array_equal(samples, expected)
    for given in in_memory(folder / f"stereo.{ending}"):
        assert plan.features(given).tobytes() == features.tobytes()
    assert not list(tmp_path.iterdir())
    # A memoryview of numbers with a fraction is one of samples.
    signal = tone(16_000, 1, [440]).astype("f4")
    assert plan.features(memoryview(signal)).tobytes() == plan.features(signal).tobytes()


def test_an_open_file_is_read_from_where_it_is(folder, tmp_path):
    content = (folder / "mono.flac").read_bytes()
    (tmp_path / "upload").write_bytes(b"a header of another program" + content)
    with open(tmp_path / "upload", "rb") as file:
        file.seek(-len(content), os.SEEK_END)
        samples, _ = package.load(file)
        assert not file.read() and not file.closed
    assert np.array_equal(samples, package.load(folder / "mono.flac")[0])


def test_what_ffmpeg_decodes_is_read_from_memory(folder, tmp_path):
    if shutil.which("ffmpeg") is None:
        pytest.skip("ffmpeg is not installed")
    for ending in "m4a", "mkv":
        subprocess.run(["ffmpeg", "-v", "error", "-i", folder / "mono.wav", "-c:a", "aac", tmp_path / f"a.{ending}"], check=True, stdin=subprocess.DEVNULL)
        assert np.array_equal(package.load((tmp_path / f"a.{ending}").read_bytes())[0], package.load(tmp_path / f"a.{ending}")[0])


def read_to_its_end(content):
    file = io.BytesIO(content)
    file.read()
    return file


def test_errors_of_recordings_in_memory_name_no_file(library, folder, tmp_path):
    whole = (folder / "stereo.wav").read_bytes()
    cut, plan = whole[:len(whole) // 2], package.FeaturePlan("log-mel", normalize=False)
    (tmp_path / "song.wav").write_bytes(cut)
    (tmp_path / "song").write_bytes(cut)
    for call in package.load, plan.features:
        for given, error, words in (
                (cut, package.CommandError, "^the bytes given: cut off: .*truncated"), (io.BytesIO(cut), package.CommandError, "^the file given: cut off"),
                (b"song.wav", ValueError, "^the bytes given are a path, b'song.wav': bytes are the content of a recording; pass a str for a path$"),
                (str(tmp_path / "song.wav").encode(), ValueError, "pass a str for a path$"),
                (bytes(tmp_path / "song"), ValueError, "pass a str for a path$"),
                (b'{"error": "no song.wav"}', package.CommandError, "^the bytes given: expected a recording, found text"),
                (b"<html>\nsong.wav", package.CommandError, "^the bytes given: expected a recording, found text"),
                (io.BytesIO(), ValueError, r"^the file given is empty, or was read to its end: call seek\(0\) first$"),
                (read_to_its_end(whole), ValueError, r"call seek\(0\) first$"),
                (b"", package.CommandError, "^the bytes given: expected a recording, found an empty file"),
                (io.StringIO("RIFF"), TypeError, r"expected a file whose read\(\) gives bytes, as that of open\(path, 'rb'\), found the text 'RIFF'")):
            with pytest.raises(error, match=words) as caught:
                call(given)
            assert "veery-" not in str(caught.value) and not isinstance(caught.value, FileNotFoundError)
    assert np.array_equal(package.load(os.fsdecode(bytes(folder / "stereo.wav")))[0], package.load(whole)[0])  # as advised
    with pytest.raises(package.CommandError, match=r"call plan\.features\(\*veery\.load\(recording, truncated=\"keep\"\)\)"):
        plan.features(cut)
    with pytest.warns(package.CommandWarning) as caught:
        assert len(package.load(cut, truncated="keep")[0])
    assert all("veery-" not in str(warning.message) for warning in caught)
    with pytest.raises(package.FeatureError, match="^the bytes given: this configuration takes each of the 2 channels"):
        package.FeaturePlan("log-mel", normalize=False, settings={"audio.channels": "all"}).features(whole)
    write_wav(tmp_path / "short.wav", 16_000, np.zeros(9))
    with pytest.raises(package.FeatureError, match="^the file given: .*the recording is too short"):
        plan.features(open(tmp_path / "short.wav", "rb"))
    for given in whole, io.BytesIO(whole):
        with pytest.raises(package.FeatureError, match="veery.load decodes") as caught:
            plan.stream().push(given)
        assert len(str(caught.value)) < 300
    with pytest.raises(TypeError, match="inputs: expected a path, found a BytesIO object"):
        package.render(io.BytesIO(whole), tmp_path / "p.png")


def test_a_member_of_an_archive_and_ffmpegs_formats_are_read(folder, tmp_path):
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        tar.add(folder / "mono.flac", "deep/mono.flac")
    samples, _ = package.load(f"{tmp_path / 'a.tar'}::deep/mono.flac")
    assert np.array_equal(samples, package.load(folder / "mono.flac")[0])
    if shutil.which("ffmpeg") is None:
        pytest.skip("SKIPPED: the second half needs ffmpeg")
    subprocess.run(["ffmpeg", "-v", "error", "-i", folder / "mono.wav", tmp_path / "mono.m4a"], check=True, stdin=subprocess.DEVNULL)
    samples, rate = package.load(tmp_path / "mono.m4a")
    assert rate == RATE and len(samples) >= 2.2 * RATE
    with pytest.raises(package.CommandError, match="ffmpeg"):
        package.load(tmp_path / "mono.m4a", no_ffmpeg=True)


def children():
    listed = subprocess.run(["ps", "--ppid", str(os.getpid()), "-o", "comm="], capture_output=True, text=True).stdout
    return [name for name in listed.split() if name.startswith("veery")]


@pytest.mark.skipif(sys.platform != "linux", reason="the command of the test is Linux's")
def test_an_interrupted_call_leaves_no_process(monkeypatch, tmp_path):
    slow = tmp_path / "veery"
    slow.write_text("#!/bin/sh\nsleep 60 & sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setenv("VEERY", str(slow))
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        package.load("a.wav")
    assert time.monotonic() - start < 20 and not children()
    from veery import _sound
    with pytest.raises(TimeoutError):
        _sound.decoded("a.wav", {}, timeout=0.3)
    assert not children()


# ------------------------------------------------------------------------------------------------------- plan.features


@pytest.mark.usefixtures("library")
class TestFeatures:
    @pytest.mark.parametrize("name", [f"{kind}.{ending}" for kind in ("mono", "stereo") for ending in FORMATS] + ["float.wav"])
    @pytest.mark.parametrize("preset", ["log-mel", "whisper", "kaldi-fbank", "librosa-mfcc"])
    def test_features_of_a_path_are_what_extract_stores(self, folder, tmp_path, name, preset):
        own = preset == "librosa-mfcc"
        package.extract(folder / name, tmp_path / "f.h5", preset=preset, settings=RAW)
        file = package.open(tmp_path / "f.h5")
        for plan in (file.plan(), package.FeaturePlan(preset, RATE if own else None, settings=RAW)):
            features = plan.features(folder / name)
            assert features.tobytes() == file[0].features.tobytes() and len(features) > 50
            assert plan.features(str(folder / name)).tobytes() == features.tobytes()
        assert file.plan().features(*file[0].samples()).tobytes() == file[0].features.tobytes()

    def test_the_channel_is_that_of_the_configuration(self, folder):
        one = package.FeaturePlan("log-mel", settings={**RAW, "audio.channels": 1})
        samples, rate = package.load(folder / "stereo.flac", channels=1)
        assert one.features(folder / "stereo.flac").tobytes() == one.features(samples, rate).tobytes()
        every = package.FeaturePlan("log-mel", settings={**RAW, "audio.channels": "all"})
        with pytest.raises(package.FeatureError, match=r"each of the 2 channels .*veery\.load"):
            every.features(folder / "stereo.flac")
        assert len(every.features(folder / "mono.flac")) > 50

    def test_mistakes_say_what_to_do(self, folder):
        plan = package.FeaturePlan("log-mel", normalize=False)
        with pytest.raises(package.FeatureError, match="has its own rate"):
            plan.features(folder / "mono.wav", sample_rate=RATE)
        with pytest.raises(package.FeatureError, match="veery.load decodes"):
            plan.stream().push("mono.wav")
        with pytest.raises(package.CommandError, match="none.wav"):
            plan.features("none.wav")
        out = np.empty((500, plan.bins), np.float32)
        assert plan.features(folder / "mono.wav", out=out).base is out

    def test_samples_of_16_bits_are_refused_at_the_same_sample_however_they_are_cut(self, folder):
        signal = np.round(package.load(folder / "mono.wav")[0] * 32768)
        first = int(np.flatnonzero(np.abs(signal) >= 256)[0])
        words = rf"sample {first}: expected samples within ±1, found {signal[first]:g}(\.0)?: divide samples of 16-bit PCM by 32768"
        for preset in ("log-mel", "whisper", "kaldi-fbank"):
            plan = package.FeaturePlan(preset, normalize=False)
            for rate in (plan.sample_rate, RATE):
                with pytest.raises(package.FeatureError, match=words):
                    plan.features(signal, rate)
                for size in (1, 7, 8, 100, 4096, len(signal)):
                    stream = plan.stream(rate)
                    with pytest.raises(package.FeatureError, match=words):
                        for start in range(0, len(signal), size):
                            stream.push(signal[start:start + size])
            # What presets multiply by 32768 themselves is on the unit scale, too.
            assert np.isfinite(plan.features(signal / 32768, RATE)).all()
        plan = package.FeaturePlan("log-mel", normalize=False)
        for value, fits in ((255.9, True), (-255.9, True), (256, False), (-256, False), (np.inf, False), (-np.inf, False), (np.nan, False)):
            for position in (0, 7, 8, 999, 1003):
                sound = np.zeros(1004, "f4")
                sound[position] = value
                if fits:
                    plan.features(sound)
                else:
                    with pytest.raises(package.FeatureError, match=f"sample {position}: expected"):
                        plan.features(sound)


# ------------------------------------------------------------------------------------------------------- clip.samples


@pytest.fixture(scope="module")
def project(folder, tmp_path_factory):
    """Recordings in `audio`, and `out/f.h5` with parts, channels and rates of them."""
    project = tmp_path_factory.mktemp("project")
    shutil.copytree(folder, project / "audio")
    rows = [
        {"path": f"{kind}.{ending}", "id": f"{kind}-{ending}-{number}", "start": start, "end": end, "channel": channel}
        for kind in ("mono", "stereo") for ending in FORMATS
        for number, (start, end, channel) in enumerate(
            [("", "", ""), (0.1234567, 1.5, ""), (1.00001, 2.3, 1 if kind == "stereo" else 0), (0.5 / RATE, 1.5 + 0.5 / RATE, 0)])]
    write_manifest(project / "m.csv", rows)
    (project / "out").mkdir()
    package.extract(project / "m.csv", project / "out/f.h5", settings=RAW, root=project / "audio")
    return project


def test_samples_of_clips_give_their_features(library, project):
    file = package.open(project / "out/f.h5")
    assert file.root == project / "audio" and len(file) == 32
    plan = file.plan()
    for clip in file:
        assert clip.recording == project / "audio" / clip.path
        samples, rate = clip.samples()
        assert rate == 16_000
        assert plan.features(samples, rate).tobytes() == clip.features.tobytes(), clip.id
    # In another process, too.
    assert pickle.loads(pickle.dumps(file)).root == file.root
    assert len(pickle.loads(pickle.dumps(file[3])).samples()[0])


def test_features_of_channels_have_samples_of_channels(library, project, tmp_path):
    settings = {**RAW, "audio.channels": "all", "audio.sample_rate": None}
    package.extract(project / "audio/stereo.flac", tmp_path / "f.h5", settings=settings)
    file = package.open(tmp_path / "f.h5")
    samples, rate = file[0].samples()
    assert samples.shape[0] == 2 and rate == RATE
    for channel in range(2):
        rows = file.plan(channel=channel).features(samples[channel], rate)
        assert np.array_equal(rows, file[0].features[:, channel])


def test_a_changed_recording_is_not_read(project, tmp_path):
    shutil.copytree(project, tmp_path / "copy")
    changed = tmp_path / "copy/audio/mono.wav"
    content = bytearray(changed.read_bytes())
    content[1000] ^= 1
    changed.write_bytes(content)
    file = package.open(tmp_path / "copy/out/f.h5")
    with pytest.raises(package.CommandError, match="was changed or replaced.*verify=False"):
        file["mono-wav-0"].samples()
    assert len(file["mono-wav-0"].samples(verify=False)[0])
    # A part that is as it was can be read.
    assert len(file["mono-wav-2"].samples()[0])
    page = file["mono-wav-0"]._repr_html_()
    assert "<audio" not in page and "has changed since" in page


def test_where_recordings_are(project, tmp_path):
    shutil.copytree(project, tmp_path / "moved")
    assert package.open(tmp_path / "moved/out/f.h5").root == tmp_path / "moved/audio"
    # A link to the file counts as what it leads to.
    (tmp_path / "link.h5").symlink_to(tmp_path / "moved/out/f.h5")
    assert len(package.open(tmp_path / "link.h5")[0].samples()[0])
    alone = tmp_path / "f.h5"
    shutil.copy(tmp_path / "moved/out/f.h5", alone)
    clip = package.open(alone)[0]
    with pytest.raises(FileNotFoundError, match=r"mono\.wav.*veery\.open\(path, root=folder\)"):
        clip.samples()
    assert "<audio" not in clip._repr_html_()
    given = package.open(alone, root=project / "audio")
    assert given.root == project / "audio" and len(given[0].samples()[0])
    assert pickle.loads(pickle.dumps(given)).root == project / "audio"
    # Older files do not say it.
    with h5py.File(alone, "r+") as file:
        del file["provenance"].attrs["root"], file["provenance"].attrs["root_xxh3"]
    clip = package.open(alone)[0]
    assert package.open(alone).root is None
    for use in (lambda: clip.recording, clip.samples):
        with pytest.raises(package.FeatureFileError, match=r"does not say where .*'mono\.wav'.*root=folder"):
            use()
    assert "<audio" not in clip._repr_html_()
    assert len(package.open(alone, root=project / "audio")[0].samples()[0])


FOLDERS = {
    "another": "../audjo", "an array": np.array([b"../audio"]), "nothing": h5py.Empty("S8"), "a number": 5, "no UTF-8": np.bytes_(b"../\xff"),
    "absolute": "/audio", "empty": "", "with NUL": np.bytes_(b"../au\0dio"), "no root": None}


@pytest.mark.parametrize("change, checksum", [
    *((change, "own") for change in FOLDERS), ("another", "that of the file"), ("another", "none"), ("another", "an array"),
    ("empty", "none"), ("no root", "that of the file"), ("no root", "none"), ("no root", "an array")])
def test_a_damaged_folder_of_recordings_is_not_used(veery, project, tmp_path, change, checksum):
    """Where the checksum is that of another folder, or there is one of the two alone; or the folder is none that a file may have."""
    damaged, value = tmp_path / "f.h5", FOLDERS[change]
    shutil.copy(project / "out/f.h5", damaged)
    with h5py.File(damaged, "r+") as file:
        attributes = file["provenance"].attrs
        del attributes["root"]
        if value is not None:
            attributes["root"] = value
        raw = value.encode() if isinstance(value, str) else value if isinstance(value, bytes) else b""
        if checksum != "that of the file":
            del attributes["root_xxh3"]
        if checksum == "own":
            attributes["root_xxh3"] = xxhash.xxh3_128_hexdigest(raw)
        elif checksum == "an array":
            attributes["root_xxh3"] = np.array([xxhash.xxh3_128_hexdigest(raw).encode()])
    file = package.open(damaged)
    if (change, checksum) == ("another", "own"):
        assert file.root == tmp_path.parent / "audjo"
        return
    if (change, checksum) == ("no root", "none"):
        assert file.root is None
        return
    for use in (lambda: file.root, lambda: file[0].recording, file[0].samples):
        with pytest.raises(package.FeatureFileError, match=r"f\.h5: the file is damaged: /provenance has an attribute root") as error:
            use()
    if change in ("another", "no root") and checksum != "an array":
        shown = veery("render", damaged, "--clip", file[0].id, "--waveform", "-o", tmp_path / "p.png", status=1).stderr
        assert f"Error: {error.value}\n" in shown
    assert "<audio" not in file[0]._repr_html_() and np.isfinite(file[0].features).all()
    assert len(package.open(damaged, root=project / "audio")[0].samples()[0])


def test_the_checksum_of_a_folder_is_xxh3():
    from veery._xxh3 import xxh3_128

    numbers = np.random.default_rng(3)
    for count in (*range(600), 1023, 1024, 1025, 1088, 1089, 2048, 2049, 4095, 4096):
        data = numbers.bytes(count)
        assert xxh3_128(data) == xxhash.xxh3_128_hexdigest(data), count


@pytest.mark.parametrize("length", [3, 16, 200, 700])
def test_folders_of_every_length_are_found(folder, tmp_path, length):
    name = "/".join(["ö" * 50] * (length // 101))
    name += ("/" if name and length % 101 else "") + "a" * (length - len(name.encode()) - 1 if name else length)
    recordings = tmp_path / name
    recordings.mkdir(parents=True)
    shutil.copy(folder / "mono.wav", recordings)
    package.extract([{"path": "mono.wav"}], tmp_path / "f.h5", settings=RAW, root=recordings)
    file = package.open(tmp_path / "f.h5")
    assert file.root == recordings and len(file[0].samples()[0])
    assert abs(len(os.path.relpath(file.root, tmp_path).encode()) - length) <= 1


def test_sets_and_archives(library, folder, tmp_path):
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        for name in ("mono.wav", "stereo.flac", "mono.flac"):
            tar.add(folder / name, f"deep/{name}")
    package.extract(tmp_path / "a.tar", tmp_path / "out.h5", settings=RAW, files=2)
    files = package.open(tmp_path / "out.index.json")
    assert files.root == tmp_path
    for clip in files:
        assert files.plan().features(*clip.samples()).tobytes() == clip.features.tobytes()
        # Of a member, it is the path of no file.
        assert not clip.recording.exists() and len(package.load(clip.recording)[0])
    package.extract(tmp_path / "a.tar", tmp_path / "stream.h5", settings=RAW, tar=True)
    clip = package.open(tmp_path / "stream.h5")[0]
    with pytest.raises(package.FeatureFileError, match="root=folder"):
        clip.samples()
    (tmp_path / "a.tar").unlink()
    with pytest.raises(FileNotFoundError, match="no such recording"):
        files[0].samples()


def test_cut_and_zeroed_recordings_are_read_as_they_were(library, folder, tmp_path, recwarn):
    whole = (folder / "mono.wav").read_bytes()
    (tmp_path / "cut.wav").write_bytes(whole[:len(whole) // 2])
    sound = noise(1, 30_000).astype("f4")
    sound[99] = np.nan
    soundfile.write(tmp_path / "nan.wav", sound, RATE, subtype="FLOAT")
    write_manifest(tmp_path / "m.csv", [{"path": "cut.wav"}, {"path": "nan.wav"}])
    package.extract(tmp_path / "m.csv", tmp_path / "f.h5", settings=RAW, truncated="keep", non_finite="zero")
    recwarn.clear()
    file = package.open(tmp_path / "f.h5")
    for clip in file:
        assert file.plan().features(*clip.samples()).tobytes() == clip.features.tobytes()
        assert "<audio" in clip._repr_html_()
    assert not recwarn.list


@pytest.mark.collection
def test_samples_of_real_recordings_give_their_features(library, collection, tmp_path):
    paths = [path for ending in ("wav", "flac", "mp3", "ogg", "opus") for path in sorted(collection.rglob(f"*.{ending}"))[:400:150]]
    paths = [path for path in paths if path.stat().st_size < 20e6]
    package.extract([{"path": path, "id": str(path)} for path in paths], tmp_path / "f.h5", settings=RAW, max_failures="50%")
    file = package.open(tmp_path / "f.h5")
    assert len(file) > len(paths) / 2 > 1
    for clip in file:
        assert file.plan().features(clip.recording).tobytes() == clip.features.tobytes(), clip.path
        assert file.plan().features(*clip.samples()).tobytes() == clip.features.tobytes(), clip.path


# ----------------------------------------------------------------------------------------------------------- notebooks


def played(page):
    found = re.findall(r'<audio controls[^>]* src="data:audio/wav;base64,([^"]*)"', page)
    assert len(found) <= 1
    return base64.b64decode(found[0]) if found else None


def test_a_clip_can_be_played(project, tmp_path):
    clip = package.open(project / "out/f.h5")["stereo-flac-2"]
    page = clip._repr_html_()
    (tmp_path / "played.wav").write_bytes(played(page))
    sound, rate = soundfile.read(tmp_path / "played.wav", dtype="int16")
    samples, expected = clip.samples()
    assert rate == expected and np.abs(sound / 32767 - samples).max() < 1 / 32767 and "the first" not in page
    # Of many clips, none is played.
    assert "<audio" not in package.open(project / "out/f.h5")._repr_html_()
    assert "<audio" not in package.open(project / "out/f.h5")[:1]._repr_html_()


def test_what_is_played_is_short(tmp_path, monkeypatch):
    soundfile.write(tmp_path / "long.wav", noise(1, 48_000 * 40), 48_000)
    package.extract(tmp_path / "long.wav", tmp_path / "f.h5", settings={"audio.sample_rate": 48_000})
    clip = package.open(tmp_path / "f.h5")[0]
    page = clip._repr_html_()
    assert len(played(page)) <= 200_044 and len(page) < 400_000 and "the first 4.54 s of 40 s" in page
    # Without the program, in a hurry, and for very long clips there is no player, and no error.
    from veery import _recording
    for name, value in (("PATIENCE", 0.001), ("DECODED_SECONDS", 30.0)):
        with monkeypatch.context() as patch:
            patch.setattr(_recording, name, value)
            assert played(clip._repr_html_()) is None
    monkeypatch.setenv("VEERY", str(tmp_path / "none"))
    assert played(clip._repr_html_()) is None


# -------------------------------------------------------------------------------------------------------- the command


def test_times_of_a_part_as_on_a_clock(veery, tmp_path):
    write_wav(tmp_path / "a.wav", 100, noise(1, 9000))
    cut = {}
    for name, start, end in (("s", "61.5", "70"), ("m", "1:01.5", "1:10"), ("h", "0:01:01.5", "00:01:10")):
        veery("decode", tmp_path / "a.wav", "--start", start, "--end", end, "-o", tmp_path / f"{name}.wav")
        cut[name] = (tmp_path / f"{name}.wav").read_bytes()
    assert cut["s"] == cut["m"] == cut["h"] and len(cut["s"]) > 850
    for wrong in ("5h", "1.5:00"):
        said = veery("decode", tmp_path / "a.wav", "--start", wrong, "-o", tmp_path / "x.wav", status=64).stderr
        assert "expected seconds, or minutes and seconds such as 1:30.5 or 5:30:00" in said


def test_decode_writes_a_file_and_a_stream_of_the_same_samples(veery, program, folder, tmp_path):
    options = ["--channels", "all", "--sample-rate", 16000, "--start", 0.5, "--end", 1.5]
    result = veery("decode", folder / "stereo.mp3", *options, "-o", tmp_path / "a.wav")
    assert result.stdout == "" and "16,000 samples at 16000 Hz, stereo" in result.stderr
    with open(tmp_path / "b.wav", "wb") as file:
        subprocess.run([program, "decode", folder / "stereo.mp3", *map(str, options)], stdout=file, check=True)
    samples, _ = package.load(folder / "stereo.mp3", 16000, "all", 0.5, 1.5)
    for name in ("a.wav", "b.wav"):
        assert np.array_equal(decoded(tmp_path / name), samples)
        assert np.array_equal(package.load(tmp_path / name, channels="all")[0], samples)
    for ending in ("w64", "rf64", "aiff", "au", "caf"):
        assert veery("decode", folder / "stereo.mp3", *options, "-q", "-o", tmp_path / f"a.{ending}").stderr == ""
        assert np.array_equal(decoded(tmp_path / f"a.{ending}"), samples)
    # The file is the same each time.
    veery("decode", folder / "stereo.mp3", *options, "-o", tmp_path / "again.wav")
    assert (tmp_path / "again.wav").read_bytes() == (tmp_path / "a.wav").read_bytes()


@pytest.mark.parametrize("arguments, status, words", [
    (["none.wav"], 1, "none.wav: cannot read"), (["mono.wav", "-o", "a.flac"], 64, "expected a name that ends in .wav"),
    (["mono.wav", "-o", "mono.wav", "--overwrite"], 1, "input and output are the same file"),
    (["mono.wav", "-o", "mono.flac"], 64, ".wav"), (["mono.wav", "--overwrite"], 64, "give -o"),
    (["mono.wav", "-o", "float.wav"], 1, "float.wav: the file exists: give --overwrite"),
    (["mono.wav", "--audio-xxh3", "12"], 64, "32 hexadecimal digits"),
    (["mono.wav", "--audio-xxh3", "0" * 32, "-o", "a.wav"], 1, "expected samples with the checksum 0000"),
    (["mono.wav", "-o", "none/a.wav"], 1, "none/a.wav"), ([], 64, "input")])
def test_errors_of_decode(veery, folder, tmp_path, arguments, status, words):
    shutil.copytree(folder, tmp_path / "copy")
    before = sorted(os.listdir(tmp_path / "copy"))
    assert words in veery("decode", *arguments, status=status, folder=tmp_path / "copy").stderr
    assert sorted(os.listdir(tmp_path / "copy")) == before


def test_a_wrong_checksum_leaves_no_file(veery, folder, tmp_path):
    veery("decode", folder / "mono.wav", "--audio-xxh3", "0" * 32, "-o", tmp_path / "a.wav", status=1)
    assert os.listdir(tmp_path) == []
    package.extract(folder / "mono.wav", tmp_path / "f.h5")
    with h5py.File(tmp_path / "f.h5") as file:
        checksum = file["clips/audio_xxh3"][0].decode()
    veery("decode", folder / "mono.wav", "--audio-xxh3", checksum, "--sample-rate", 8000, "-o", tmp_path / "a.wav")


def test_a_reader_that_goes_away_ends_it(program, folder):
    command = f"{quote(str(program))} decode {quote(str(folder / 'mono.wav'))} | head -c 100 | wc -c; exit ${{PIPESTATUS[0]}}"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert result.stdout.strip() == "100" and result.stderr == ""


def test_decode_is_read_by_live(program, folder, tmp_path):
    sound, features, own = (quote(str(path)) for path in (folder / "mono.mp3", tmp_path / "l.h5", program))
    command = f"{own} decode {sound} | {own} live --record {features}"
    subprocess.run(["bash", "-c", command], check=True, capture_output=True, timeout=60)
    assert package.open(tmp_path / "l.h5")[0].duration == pytest.approx(2.3, abs=0.1)


# ------------------------------------------------------------------------------------- a recording in place of a manifest


def test_a_recording_is_a_dataset_of_one_clip(veery, folder, tmp_path):
    result = veery("extract", folder / "mono.mp3", "-o", tmp_path / "f.h5")
    assert f"{folder / 'mono.mp3'}: read as a recording" in result.stderr
    clip, = package.open(tmp_path / "f.h5")
    assert (clip.id, clip.path, clip.label, clip.split) == ("mono", "mono.mp3", None, None)
    assert clip.recording == folder / "mono.mp3"
    # By its content where its name says nothing, and in other commands.
    shutil.copy(folder / "mono.wav", tmp_path / "take")
    assert package.extract(tmp_path / "take", tmp_path / "g.h5")["clips"] == 1
    assert package.open(tmp_path / "g.h5")[0].id == "take"
    assert "1 clip" in veery("check", folder / "mono.mp3").stdout
    veery("extract", "mono.wav", "-o", tmp_path / "h.h5", "--format", "folder", folder=folder)
    assert veery("extract", folder / "mono.wav", "-o", tmp_path / "i.h5", "--format", "kaldi", status=1).stderr
    # The same features as from a manifest.
    write_manifest(tmp_path / "m.csv", [{"path": str(folder / "mono.mp3"), "id": "mono"}])
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "j.h5")
    assert np.array_equal(package.open(tmp_path / "j.h5")[0].features, clip.features)


def test_the_code_of_the_guide_runs(library, tmp_path, monkeypatch):
    """The page is Schemas/guide/python.md. Its command is run by test_page_commands.py."""
    page = (Path(PACKAGE).parents[1] / "Schemas/guide/python.md").read_text()
    section = page[page.index("\n## Sound\n"):page.index("\n## Training\n")]
    code = re.findall(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert len(code) == 2
    soundfile.write(tmp_path / "song.mp3", noise(1, 4 * RATE), RATE)
    monkeypatch.chdir(tmp_path)
    names = {"veery": package}
    for block in code:
        exec(block, names)
    assert names["features"].tobytes() == names["clip"].features.tobytes() and names["sample_rate"] == 16_000


def test_decode_says_what_it_wrote_and_takes_a_dash_for_standard_output(veery, program, tmp_path):
    for channels, words in ((1, "mono"), (2, "stereo"), (8, "8 channels")):
        sound = np.random.default_rng(channels).uniform(-1, 1, (1000, channels))
        soundfile.write(tmp_path / "a.wav", sound, 8000, subtype="FLOAT")
        text = veery("decode", tmp_path / "a.wav", "--channels", "all", "-o", tmp_path / f"{channels}.wav").stderr
        assert f"1,000 samples at 8000 Hz, {words}" in text, text
    two = [subprocess.run([program, "decode", tmp_path / "a.wav", *more], capture_output=True, check=True).stdout
           for more in ((), ("-o", "-"))]
    assert two[0] == two[1] and len(two[0]) > 4000


@pytest.mark.parametrize("part", [("--end", "0.2"), ("--start", "5"), ("--start", "5000", "--end", "6000")])
def test_decode_advises_no_option_that_it_does_not_have(veery, tmp_path, part):
    soundfile.write(tmp_path / "a.wav", np.zeros(1000), 8000)
    text = veery("decode", tmp_path / "a.wav", *part, "-o", tmp_path / "o.wav", status=1).stderr
    assert "0.125 s" in text and "--" not in text, text
