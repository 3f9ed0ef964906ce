"""Recordings that are damaged or cut off: nothing of them is stored in silence, by any command."""

import csv
import json
import re
import struct

import h5py
import numpy as np
import pytest
import soundfile

from conftest import noise, tone, write_manifest, write_wav
from test_commands import validate

RATE = 16000
SETTINGS = ["--preset", "log-mel", "--set", "audio.sample_rate=null", "--set", "normalize.scope=none",
            "--set", "transform.high=null"]
# Containers with the size of their samples in the header: format, extension.
CONTAINERS = [("WAV", "wav"), ("WAVEX", "wav"), ("RF64", "rf64"), ("W64", "w64"), ("AIFF", "aiff"), ("AU", "au"),
              ("CAF", "caf"), ("NIST", "sph")]


def write(path, samples, container, subtype="PCM_16"):
    soundfile.write(path, samples, RATE, format=container, subtype=subtype)
    return path.read_bytes()


def extract(veery, folder, names, *arguments, output="f.h5", status=0):
    write_manifest(folder / "m.csv", [{"path": str(name)} for name in names])
    return veery("extract", folder / "m.csv", "-o", folder / output, *SETTINGS, *arguments, status=status)


def stored(path):
    """Checksum of the samples and rows of each clip, and the reason of each failure, by path."""
    with h5py.File(path) as file:
        paths = file["clips/path"].asstr()[:]
        starts, counts = file["clips/frame_start"][:], file["clips/frame_count"][:]
        rows = file["features"][:]
        clips = {
            name: (checksum, rows[start:start + count].tobytes())
            for name, checksum, start, count in zip(paths, file["clips/audio_xxh3"].asstr()[:], starts, counts)}
        failures = dict(zip(file["failures/path"].asstr()[:], file["failures/reason"].asstr()[:]))
    return clips, failures


@pytest.mark.sampled(10)
@pytest.mark.parametrize("container, extension", CONTAINERS)
@pytest.mark.parametrize("subtype", ["PCM_16", "PCM_24", "FLOAT", "ULAW"])
def test_a_cut_recording_fails_and_is_kept_where_asked(veery, tmp_path, container, extension, subtype):
    if not soundfile.check_format(container, subtype):
        pytest.skip(f"libsndfile writes no {container} of {subtype}")
    samples = noise(3, 2 * RATE)
    whole = write(tmp_path / f"whole.{extension}", samples, container, subtype)
    frame = {"PCM_16": 2, "PCM_24": 3, "FLOAT": 4, "ULAW": 1}[subtype]
    present = RATE // 2
    header = len(whole) - 2 * RATE * frame
    # What follows the samples, such as a PEAK chunk, is missing, too.
    end = header + present * frame
    if container == "CAF":
        end = whole.index(b"data") + 16 + present * frame
    (tmp_path / f"cut.{extension}").write_bytes(whole[:end])
    names = [f"whole.{extension}", f"cut.{extension}"]
    extract(veery, tmp_path, names, status=3)
    clips, failures = stored(tmp_path / "f.h5")
    assert list(clips) == names[:1]
    assert failures[names[1]] == "cut off: the header promises 2.00 s, 0.50 s are there"
    checked = veery("check", tmp_path / "m.csv", status=3)
    assert f"{names[1]} (cut): decode: cut off: the header promises 2.00 s, 0.50 s are there" in checked.stdout

    result = extract(veery, tmp_path, names, "--truncated", "keep", output="kept.h5")
    assert "1 clip ended early because the recording is cut off: see /clips/truncated" in result.stderr
    with h5py.File(tmp_path / "kept.h5") as file:
        assert file.attrs["format_version"] == "1.1"
        assert file["clips/truncated"].dtype == np.uint8 and list(file["clips/truncated"][:]) == [0, 1]
        assert list(file["clips/duration"][:]) == [2, 0.5]
    kept, _ = stored(tmp_path / "kept.h5")
    first = kept[names[1]][1]
    assert kept[names[0]] == clips[names[0]] and kept[names[0]][1].startswith(first) and first
    veery("inspect", tmp_path / "kept.h5", "--verify")


def test_every_command_says_that_a_recording_is_cut_off(veery, tmp_path):
    samples = write_wav(tmp_path / "whole.wav", RATE, tone(RATE, 2, [500, 3000]))
    whole = (tmp_path / "whole.wav").read_bytes()
    cut = tmp_path / "cut.wav"
    cut.write_bytes(whole[:44 + RATE])
    sentence = "cut off: the header promises 2.00 s, 0.50 s are there"
    for arguments in (
            ["render", cut, "-o", tmp_path / "cut.png"], ["filter", cut, tmp_path / "out.wav", "--band-pass", "300-3400"],
            ["live", "--file", cut, "--speed", "0", "--record", tmp_path / "live.h5"]):
        refused = veery(*arguments, status=1)
        assert sentence in refused.stderr, refused.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cut.wav", "whole.wav"]

    drawn = veery("render", cut, "-o", tmp_path / "cut.png", "--waveform", "--truncated", "keep")
    assert "the recording is cut off: what is there of it is drawn" in drawn.stderr and (tmp_path / "cut.png").exists()
    filtered = veery("filter", cut, tmp_path / "out.wav", "--band-pass", "0-1024bins", "--truncated", "keep")
    assert sentence in filtered.stderr
    assert len(soundfile.read(tmp_path / "out.wav")[0]) == RATE // 2
    played = veery(
        "live", "--file", cut, "--speed", "0", "--truncated", "keep", "--record", tmp_path / "live.h5", status=64)
    assert "--record stores whole recordings" in played.stderr

    # Before the cut nothing is missing, and the warning says where it is.
    write_manifest(tmp_path / "m.csv", [{"path": "cut.wav", "start": 0.1, "end": 0.4}])
    result = veery("extract", tmp_path / "m.csv", "-o", tmp_path / "part.h5", *SETTINGS)
    assert "1 clip is complete, but its recording is cut off later: 'cut#" in result.stderr
    assert "1 clip is complete, but its recording is cut off later" in veery("check", tmp_path / "m.csv").stdout
    report = json.loads(veery("check", tmp_path / "m.csv", "--json").stdout)
    validate(report, "check-report")
    assert report["before_cut"] == 1 and report["truncated"] == 0 and report["problems"] == 0
    write_manifest(tmp_path / "m.csv", [{"path": "whole.wav", "start": 0.1, "end": 0.4}])
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "same.h5", *SETTINGS)
    assert list(stored(tmp_path / "part.h5")[0].values()) == list(stored(tmp_path / "same.h5")[0].values())
    assert len(samples) == 2 * RATE


@pytest.mark.parametrize("name,subtype", [("a.flac", "PCM_16"), ("a.mp3", "MPEG_LAYER_III")])
def test_check_names_what_its_end_shows(veery, tmp_path, name, subtype):
    soundfile.write(tmp_path / name, noise(3, 2 * RATE), RATE, subtype=subtype)
    write_manifest(tmp_path / "m.csv", [{"path": name}])
    assert "no problems" in veery("check", tmp_path / "m.csv").stdout
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[:len(whole) * 6 // 10])
    result = veery("check", tmp_path / "m.csv", status=3)
    assert re.search(r"cut off: the header promises 2\.\d+ s, and less is there", result.stdout), result.stdout
    failed = veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", *SETTINGS, status=3)
    assert re.search(r"cut off: the header promises 2\.\d+ s, 1\.\d+ s are there", failed.stderr), failed.stderr
    assert "(--truncated keep stores the readable part" in failed.stderr
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "kept.h5", *SETTINGS, "--truncated", "keep")
    with h5py.File(tmp_path / "kept.h5") as file:
        assert file["clips/truncated"][:].tolist() == [1] and 1 < file["clips/duration"][0] < 1.3


def test_a_damaged_recording_is_not_a_recorded_clip(veery, tmp_path):
    """Played by veery live, a recording fails as it does in an extraction, and no file is made of a part of it."""
    soundfile.write(tmp_path / "a.flac", noise(3, 4 * RATE), RATE)
    soundfile.write(tmp_path / "b.wav", noise(4, RATE), RATE)
    damaged = bytearray((tmp_path / "a.flac").read_bytes())
    damaged[len(damaged) * 7 // 10] ^= 4
    (tmp_path / "a.flac").write_bytes(damaged)
    live = ["live", "--speed", "0", "--record", tmp_path / "l.h5", "--file", tmp_path / "a.flac"]
    assert "damaged near sample" in veery(*live, status=1).stderr
    assert not list(tmp_path.glob("l.h5*"))
    veery(*live, "--file", tmp_path / "b.wav", status=1)
    with h5py.File(tmp_path / "l.h5") as file:
        assert file["clips/id"].asstr()[:].tolist() == [str(tmp_path / "b")]
        assert file["failures/id"].asstr()[:].tolist() == [str(tmp_path / "a")]


def test_inspect_says_what_was_kept(veery, tmp_path):
    write_wav(tmp_path / "a.wav", RATE, noise(1, RATE))
    whole = (tmp_path / "a.wav").read_bytes()
    (tmp_path / "cut.wav").write_bytes(whole[:20_000])
    bad = noise(2, RATE).astype(np.float32)
    bad[[7, 700]] = np.nan, np.inf
    soundfile.write(tmp_path / "bad.wav", bad, RATE, subtype="FLOAT")
    names = ["a.wav", "cut.wav", "bad.wav"]
    extract(veery, tmp_path, names, "--truncated", "keep", "--non-finite", "zero")
    report = json.loads(veery("inspect", tmp_path / "f.h5", "--json").stdout)
    validate(report, "inspect")
    assert (report["format_version"], report["truncated_clips"]) == ("1.1", 1)
    assert (report["zeroed_clips"], report["zeroed_samples"]) == (1, 2)
    text = " ".join(veery("inspect", tmp_path / "f.h5").stdout.split())
    assert "Cut off 1 clip ended early (/clips/truncated)" in text
    assert "2 in 1 clip, infinite or not a number" in text and "format 1.1" in text
    page = tmp_path / "page.html"
    veery("inspect", tmp_path / "f.h5", "--html", page, "--root", tmp_path)
    assert "could not be read" not in page.read_text()
    with h5py.File(tmp_path / "f.h5") as file:
        assert list(file["clips/zeroed_samples"][:]) == [0, 0, 2] and file["clips/zeroed_samples"].dtype == np.int64
    # The result is that of a recording with zeros in place of these samples.
    bad[[7, 700]] = 0
    soundfile.write(tmp_path / "mended.wav", bad, RATE, subtype="FLOAT")
    extract(veery, tmp_path, ["mended.wav"], output="mended.h5")
    assert stored(tmp_path / "mended.h5")[0]["mended.wav"] == stored(tmp_path / "f.h5")[0]["bad.wav"]
    plain = json.loads(veery("inspect", tmp_path / "mended.h5", "--json").stdout)
    assert plain["format_version"] == "1.1" and not any("truncated" in key or "zeroed" in key for key in plain)


def test_files_made_with_and_without_the_options_never_mix(veery, tmp_path):
    write_wav(tmp_path / "a.wav", RATE, noise(1, RATE))
    (tmp_path / "cut.wav").write_bytes((tmp_path / "a.wav").read_bytes()[:20_000])
    names = ["a.wav", "cut.wav"]
    extract(veery, tmp_path, names, status=3)
    assert "up to date" in extract(veery, tmp_path, names, status=3).stderr
    bytes_before = (tmp_path / "f.h5").read_bytes()
    for more in ([], ["--append"]):
        for option in (["--truncated", "keep"], ["--non-finite", "zero"]):
            refused = extract(veery, tmp_path, names, *option, *more, status=1)
            assert f"{option[0]} was fail and is {option[1]} now" in refused.stderr, refused.stderr
            outlook = extract(veery, tmp_path, names, *option, *more, "--dry-run", status=1)
            assert option[0] in outlook.stdout
    assert (tmp_path / "f.h5").read_bytes() == bytes_before
    extract(veery, tmp_path, names, "--truncated", "keep", "--overwrite")
    assert "up to date" in extract(veery, tmp_path, names, "--truncated", "keep").stderr
    refused = extract(veery, tmp_path, names, status=1)
    assert "--truncated was keep and is fail now" in refused.stderr


def piped(container, samples, size):
    """A recording as a program writes it into a pipe, with a size that it cannot know."""
    data = np.round(samples * 32767).astype("<i2").tobytes()
    big = np.round(samples * 32767).astype(">i2").tobytes()
    wide = struct.pack("<HHIIHH", 1, 1, RATE, 2 * RATE, 2, 16)
    narrow = size & 0xFFFFFFFF
    if container == "wav":
        return b"RIFF" + struct.pack("<I", narrow) + b"WAVEfmt " + struct.pack("<I", 16) + wide + b"data" + struct.pack(
            "<I", narrow) + data
    if container == "rf64":  # ffmpeg -rf64 always: an empty ds64
        return (b"RF64" + b"\xff" * 4 + b"WAVEds64" + struct.pack("<I", 28) + bytes(28) + b"fmt " + struct.pack("<I", 16)
                + wide + b"data" + b"\xff" * 4 + data)
    if container == "aiff":
        return (b"FORM" + struct.pack(">I", narrow) + b"AIFFCOMM" + struct.pack(">IHIH", 18, 1, 0, 16)
                + bytes.fromhex("400cfa00000000000000") + b"SSND" + struct.pack(">III", narrow, 0, 0) + big)
    if container == "au":
        return b".snd" + struct.pack(">IIIII", 24, narrow, 3, RATE, 1) + big
    if container == "caf":
        return (b"caff" + struct.pack(">HH", 1, 0) + b"desc" + struct.pack(">qd", 32, RATE) + b"lpcm"
                + struct.pack(">IIIII", 2, 2, 1, 1, 16) + b"data" + struct.pack(">qI", size, 0) + data)
    raise ValueError(container)


@pytest.mark.parametrize("container, size", [
    ("wav", 0), ("wav", -1), ("wav", 0x7FFFF000), ("wav", 0x7F000000), ("rf64", 0), ("aiff", 0), ("aiff", -1),
    ("aiff", 0x7F000008), ("au", -1), ("au", 0), ("caf", -1), ("caf", 0)])
def test_a_file_that_was_written_through_a_pipe_is_read_to_its_end(veery, tmp_path, container, size):
    samples = noise(4, RATE)
    (tmp_path / f"piped.{container}").write_bytes(piped(container, samples, size))
    write_wav(tmp_path / "plain.wav", RATE, samples)
    extract(veery, tmp_path, [f"piped.{container}", "plain.wav"])
    clips, failures = stored(tmp_path / "f.h5")
    assert not failures and clips[f"piped.{container}"] == clips["plain.wav"]
    assert "cut off" not in veery("check", tmp_path / "m.csv").stdout


def test_damaged_flac_is_never_stored_as_sound(veery, tmp_path):
    # Fading noise: frames differ in size.
    samples = noise(5, 3 * RATE) * np.linspace(0, 1, 3 * RATE)
    whole = write(tmp_path / "whole.flac", samples, "FLAC")
    generator = np.random.default_rng(14)
    # The frames begin after the last block of metadata.
    first = 4
    while True:
        last, length = whole[first] & 0x80, int.from_bytes(whole[first + 1:first + 4], "big")
        first += 4 + length
        if last:
            break
    rows = [{"path": "whole.flac", "id": "whole", "start": "", "end": ""},
            {"path": "whole.flac", "id": "whole-part", "start": 0.5, "end": 0.7}]
    for number in range(250):
        damaged = bytearray(whole)
        damaged[int(generator.integers(first, len(whole)))] ^= 1 << int(generator.integers(8))
        (tmp_path / f"{number}.flac").write_bytes(damaged)
        rows += [{"path": f"{number}.flac", "id": f"{number}", "start": "", "end": ""},
                 {"path": f"{number}.flac", "id": f"{number}-part", "start": 0.5, "end": 0.7}]
    write_manifest(tmp_path / "m.csv", rows)
    for option in ([], ["--truncated", "keep"]):
        veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--overwrite", *SETTINGS, *option, status=3)
        with h5py.File(tmp_path / "f.h5") as file:
            found = dict(zip(file["clips/id"].asstr()[:], file["clips/audio_xxh3"].asstr()[:]))
            truncated = file["clips/truncated"][:] if option else np.zeros(len(found), int)
        short = {name for name, flag in zip(found, truncated) if flag}
        for name, checksum in found.items():
            assert checksum == found["whole-part" if name.endswith("-part") else "whole"] or name in short, name
        parts = sum(name.endswith("-part") for name in found)
        # Every flip is noticed in the whole recording; most are outside of the part.
        assert len(found) - parts - len(short) < 10 and parts > 120
        # Only damage in the last frame looks like a cut: no other is stored.
        assert len(short) < 80


def test_a_wav_that_is_whole_is_not_called_cut_off(veery, tmp_path):
    """Chunks after the samples, a missing pad byte, half a frame: none of it is a cut."""
    write_wav(tmp_path / "a.wav", RATE, noise(1, 4001), dtype="<f4")
    a = (tmp_path / "a.wav").read_bytes()
    (tmp_path / "junk.wav").write_bytes(a + b"junk")
    odd = write(tmp_path / "odd.wav", noise(2, 4001), "WAV", "PCM_U8")
    (tmp_path / "unpadded.wav").write_bytes(odd[:44 + 4001])
    (tmp_path / "half.wav").write_bytes(a[:-1])
    names = ["a.wav", "junk.wav", "odd.wav", "unpadded.wav", "half.wav"]
    extract(veery, tmp_path, names)
    assert "no problems" in veery("check", tmp_path / "m.csv").stdout


@pytest.mark.long
def test_every_intact_recording_of_the_collection_is_read(veery, collection, tmp_path):
    with open(collection / "formats/manifest.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    readable = [row for row in rows if row["samplerate"]]
    assert len(rows) == 97
    paths = [str(collection / "formats" / row["file"]) for row in readable]
    for rate in sorted({row["samplerate"] for row in readable}):
        own = [path for row, path in zip(readable, paths) if row["samplerate"] == rate]
        extract(veery, tmp_path, own, output="strict.h5")
        extract(veery, tmp_path, own, "--truncated", "keep", "--non-finite", "zero", output="lenient.h5")
        strict, failures = stored(tmp_path / "strict.h5")
        assert not failures and strict == stored(tmp_path / "lenient.h5")[0] and len(strict) == len(own)
        with h5py.File(tmp_path / "lenient.h5") as file:
            assert not file["clips/truncated"][:].any() and not file["clips/zeroed_samples"][:].any()
        for name in ("strict.h5", "lenient.h5"):
            (tmp_path / name).unlink()


def test_no_recording_of_the_collection_is_called_cut_off(veery, collection, tmp_path):
    endings = {".wav", ".flac", ".ogg", ".mp3", ".aiff", ".au", ".caf", ".w64", ".rf64", ".opus"}
    # Both folders have recordings that are cut off on purpose.
    paths = [path for path in sorted(collection.rglob("*"))
             if path.suffix.lower() in endings and not {"broken", "field"} & set(path.parts) and path.is_file()]
    assert len(paths) > 500
    write_manifest(tmp_path / "m.csv", [{"path": str(path), "id": str(number)} for number, path in enumerate(paths)])
    report = json.loads(veery("check", tmp_path / "m.csv", "--json", status=(0, 3)).stdout)
    assert not [problem for problem in report["first_problems"] if problem["kind"] == "cut_off"]
    assert report["before_cut"] == 0


def test_with_truncated_keep_the_hint_to_it_is_left_out(veery, tmp_path):
    """Nothing can be read of a recording whose first packet is cut in two, so `--truncated keep` would not help."""
    whole = write(tmp_path / "whole.ogg", noise(3, 2 * RATE), "OGG", "VORBIS")
    # The header's pages, and a half of the first page of sound.
    starts = [found.start() for found in re.finditer(b"OggS", whole)]
    (tmp_path / "cut.ogg").write_bytes(whole[:(starts[2] + starts[3]) // 2 if len(starts) > 3 else starts[2] + 200])
    hint = "(--truncated keep stores the readable part of a recording that is cut off)"
    failed = extract(veery, tmp_path, ["cut.ogg"], status=3)
    assert "decode: cut off: the end of the stream is missing" in failed.stderr and hint in failed.stderr
    kept = extract(veery, tmp_path, ["cut.ogg"], "--truncated", "keep", output="kept.h5", status=3)
    assert "decode: cut off: the end of the stream is missing, nothing can be read\n" in kept.stderr
    assert hint not in kept.stderr
    assert stored(tmp_path / "kept.h5")[1]["cut.ogg"] == "cut off: the end of the stream is missing, nothing can be read"


def test_after_clear_samples_the_hint_to_it_is_left_out(veery, tmp_path):
    samples = noise(3, RATE).astype("<f4")
    samples[77] = np.nan
    write_wav(tmp_path / "nan.wav", RATE, samples, dtype="<f4")
    (tmp_path / "cut.wav").write_bytes((tmp_path / "nan.wav").read_bytes()[:9000])
    hint = "(--non-finite zero sets infinite and NaN samples to 0)"
    assert hint in extract(veery, tmp_path, ["nan.wav"], status=3).stderr
    assert hint not in extract(
        veery, tmp_path, ["nan.wav", "cut.wav"], "--non-finite", "zero", output="g.h5", status=3).stderr
