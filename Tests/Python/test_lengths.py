"""One length for a recording, in every command: recordings whose header says nothing of it, or something wrong.

The MP3s are made by libsndfile's encoder, and taken apart here: the expected numbers are those of their frames. Where ffmpeg is
installed, it has to count the same.
"""

import csv
import io
import json
import shutil
import struct
import subprocess
import tarfile
import zipfile

import h5py
import numpy as np
import pytest
import soundfile
from PIL import Image
from conftest import noise, tone, write_manifest, write_wav

RATE = 16000
WINDOW = 0.25
OPTIONS = ["--set", "audio.sample_rate=null", "--set", "normalize.scope=none"]
BITRATES = {3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
            2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]}
# Samples that mpg123 leaves out at the start, beyond those of the encoder.
DELAY = 529


def frames(data, offset=0):
    """Offset and size of each frame of an MP3."""
    found = []
    while offset + 4 <= len(data) and data[offset] == 0xFF and data[offset + 1] & 0xE0 == 0xE0:
        version = data[offset + 1] >> 3 & 3
        rate = [44100, 48000, 32000][data[offset + 2] >> 2 & 3] // {3: 1, 2: 2, 0: 4}[version]
        bits = BITRATES[3 if version == 3 else 2][data[offset + 2] >> 4]
        size = (144 if version == 3 else 72) * 1000 * bits // rate + (data[offset + 2] >> 1 & 1)
        found.append((offset, size))
        offset += size
    assert offset == len(data)
    return found


def adts_frames(data):
    """Offset and size of each frame of AAC."""
    found, offset = [], 0
    while offset < len(data):
        size = (data[offset + 3] & 3) << 11 | data[offset + 4] << 3 | data[offset + 5] >> 5
        found.append((offset, size))
        offset += size
    return found


def samples(rate):
    """Samples of a frame."""
    return 1152 if rate >= 32000 else 576


def encoded(rate, signal, mode="VARIABLE", **options):
    """An MP3 with a tag, and the same without."""
    content = io.BytesIO()
    soundfile.write(content, signal, rate, format="MP3", bitrate_mode=mode, **options)
    data = content.getvalue()
    assert b"Xing" in data[:64] or b"Info" in data[:64]
    return data, data[frames(data)[0][1]:]


def loud_and_quiet(rate, loud_first, seed=1):
    quiet, loud = np.zeros(2 * rate), noise(seed, 2 * rate, 0.8)
    return np.concatenate([loud, quiet] if loud_first else [quiet, loud])


def tagged(data, count=None, size=None):
    """An MP3 with other numbers of frames and bytes in its tag."""
    start = max(data.find(b"Xing", 0, 64), data.find(b"Info", 0, 64))
    numbers = list(struct.unpack(">II", data[start + 8:start + 16]))
    for index, change in enumerate((count, size)):
        if change is not None:
            numbers[index] = change(numbers[index])
    return data[:start + 8] + struct.pack(">II", *numbers) + data[start + 16:]


def alone(data):
    """An MP3 whose tag has a number of frames and nothing else."""
    start = max(data.find(b"Xing", 0, 64), data.find(b"Info", 0, 64))
    return data[:start + 7] + b"\1" + data[start + 8:]


def gaps(data):
    """Samples that the encoder has put before and after the sound."""
    start = max(data.find(b"Xing", 0, 64), data.find(b"Info", 0, 64)) + 141
    return data[start] << 4 | data[start + 1] >> 4, (data[start + 1] & 15) << 8 | data[start + 2]


def chunk(name, content):
    return name + struct.pack("<I", len(content)) + content


def mp3s():
    """Name, bytes, expected samples."""
    made = {}
    for rate in (8000, 22050, 44100, 48000):
        for loud_first in (False, True):
            data, plain = encoded(rate, loud_and_quiet(rate, loud_first))
            made[f"vbr-{rate}-{'loud' if loud_first else 'quiet'}-first"] = (plain, len(frames(plain)) * samples(rate))
    data, plain = encoded(44100, loud_and_quiet(44100, True))
    other, other_plain = encoded(44100, noise(9, 44100), "CONSTANT")
    count, more = len(frames(plain)), len(frames(other_plain))
    before, after = gaps(data)
    sound = 4 * 44100
    assert count * 1152 - before - after == sound
    id3 = b"ID3\3\0\0\0\0\2\0" + bytes([0xFF, 0xFB] * 128)
    # A header without items is the whole tag: 32 bytes at the start of one, 32 at its end.
    ape = b"APETAGEX" + struct.pack("<IIII", 2000, 32, 0, 0x20000000) + bytes(8)
    # At the start, a tag has a header, and at its end the same as a footer.
    ape_first = b"".join(b"APETAGEX" + struct.pack("<IIII", 2000, 32, 0, flags) + bytes(8) for flags in (0xA0000000, 0x80000000))
    footed = b"ID3\4\0\x10\0\0\2\0" + bytes([0xFF, 0xFB] * 128) + b"3DI\4\0\x10\0\0\2\0"
    id3v1 = b"TAG" + b"title".ljust(125, b" ")
    stereo = np.stack([noise(3, 44100), tone(44100, 1, [500])], 1)
    made |= {
        "tag": (data, sound),
        "cbr-no-tag": (other_plain, more * 1152),
        "stereo-no-tag": (lambda plain: (plain, len(frames(plain)) * 1152))(encoded(44100, stereo)[1]),
        "tags-around": (id3 + plain + ape + id3v1, count * 1152),
        "tags-around-tag": (id3 + data + ape + id3v1, sound),
        "ape-first": (ape_first + plain, count * 1152),
        "ape-first-tag": (ape_first + data, sound),
        "id3-footer": (footed + plain, count * 1152),
        "id3-footer-tag": (footed + data, sound),
        "id3-twice": (id3 + id3 + plain, count * 1152),
        "id3-twice-tag": (id3 + id3 + data, sound),
        "id3-ape-id3": (id3 + ape_first + footed + plain + id3v1, count * 1152),
        "id3-3000": (3000 * b"ID3\3\0\0\0\0\0\0" + plain, count * 1152),
        "zeros-at-the-end": (plain + bytes(3000), count * 1152),
        "zeros-between": (plain + bytes(3000) + other_plain, (count + more) * 1152),
        "two": (data + other, (count + 1 + more) * 1152 - before - DELAY),
        "two-with-tags": (id3 + data + id3v1 + id3 + other + id3v1, (count + 1 + more) * 1152 - before - DELAY),
        "two-no-tag": (plain + other_plain, (count + more) * 1152),
        "two-second-no-tag": (data + other_plain, (count + more) * 1152 - before - DELAY),
        "frames-half": (tagged(data, lambda n: n // 2), sound),
        "frames-double": (tagged(data, lambda n: 2 * n), sound),
        "frames-one-more": (tagged(data, lambda n: n + 1), sound),
        "frames-one-more-alone": (alone(tagged(data, lambda n: n + 1)), count * 1152 - DELAY),
        "frames-none": (tagged(data, lambda n: 0), sound),
        "bytes-half": (tagged(data, None, lambda n: n // 2), sound),
        "bytes-double": (tagged(data, None, lambda n: 2 * n), sound),
        "bytes-none": (tagged(data, None, lambda n: 0), sound),
        "in-a-wav": (b"RIFF" + struct.pack("<I", 74 + len(plain)) + b"WAVE" + chunk(
            b"fmt ", struct.pack("<HHIIHHHHIHHH", 0x55, 1, 44100, 16000, 1, 0, 12, 1, 2, 1152, 1, 0))
            + chunk(b"fact", struct.pack("<I", 1000)) + chunk(b"data", plain), count * 1152),
    }
    return made


def others():
    """The same for other formats. With a text in place of the number: every command refuses the file with these words."""
    def written(form, signal, **options):
        content = io.BytesIO()
        soundfile.write(content, signal, RATE, format=form, **options)
        return content.getvalue()
    one, two = noise(1, 2 * RATE), noise(2, 3 * RATE)
    made = {}
    for form in ("WAV", "RF64", "AIFF", "AU", "W64", "CAF", "NIST"):
        subtype = {"subtype": "PCM_16"}
        made[f"two.{form.lower()}"] = (written(form, one, **subtype) + written(form, two, **subtype), "found another one after")
    made["two.ogg"] = (written("OGG", one) + written("OGG", two), "chained")
    made["two.opus"] = (written("OGG", one, subtype="OPUS") + written("OGG", two, subtype="OPUS"), "chained")
    wav, flac, au, w64 = written("WAV", one), written("FLAC", one), written("AU", one), written("W64", one)
    made["two.flac"] = (flac + written("FLAC", two), "expected 32000 samples")
    made["no-length.flac"] = (flac[:21] + bytes([flac[21] & 0xF0]) + bytes(4) + flac[26:], 2 * RATE)
    made["id3.flac"] = (b"ID3\3\0\0\0\0\2\0" + bytes(256) + flac, 2 * RATE)
    made["id3-after.flac"] = (flac + b"TAG" + bytes(125), 2 * RATE)
    made["id3-3000.flac"] = (3000 * b"ID3\3\0\0\0\0\0\0" + flac, 2 * RATE)
    made["id3-3000.wav"] = (3000 * b"ID3\3\0\0\0\0\0\0" + wav, 2 * RATE)
    made["id3-ape.wav"] = (b"ID3\3\0\0\0\0\2\0" + bytes(256) + b"APETAGEX" + struct.pack("<IIII", 2000, 32, 0, 0xA0000000)
                           + bytes(40) + wav, 2 * RATE)
    made["id3-cut.flac"] = (3 * b"ID3\3\0\0\0\0\0\0" + flac[:3000], "cut off")
    made["id3.ogg"] = (b"ID3\3\0\0\0\0\2\0" + bytes(256) + written("OGG", one), 2 * RATE)
    made["id3.wav"] = (b"ID3\3\0\0\0\0\2\0" + bytes(256) + wav, 2 * RATE)
    made["id3-cut.wav"] = (b"ID3\3\0\0\0\0\2\0" + bytes(256) + wav[:-20000], "cut off: the header promises 2.00 s, 1.38 s")
    made["half.wav"] = (wav[:40] + struct.pack("<I", 2 * RATE) + wav[44:], "expected 16000 samples")
    made["pipe.wav"] = (wav[:4] + b"\xff" * 4 + wav[8:40] + b"\xff" * 4 + wav[44:], 2 * RATE)
    made["zero.wav"] = (wav[:40] + bytes(4) + wav[44:], 2 * RATE)
    made["half.au"] = (au[:8] + struct.pack(">I", 2 * RATE) + au[12:], "expected 16000 samples")
    made["pipe.au"] = (au[:8] + b"\xff" * 4 + au[12:], 2 * RATE)
    data = w64.index(b"data\xf3")
    more = b"junk" + w64[data + 4:data + 16] + struct.pack("<Q", 24 + 4000) + b"\x55" * 4000
    made["chunk-after.w64"] = (w64[:16] + struct.pack("<Q", len(w64) + len(more)) + w64[24:] + more, 2 * RATE)
    return made


def lengths(veery, folder, path):
    """The samples of a recording by each command, or why it refuses it."""
    manifest = write_manifest(folder / "m.csv", [{"path": path}])
    result = {}

    def refused(run):
        return " ".join((run.stderr + run.stdout).split())

    run = veery("check", manifest, "--json", status=(0, 3))
    report = json.loads(run.stdout)
    rate = next((entry["value"] for entry in report["sample_rates"]), None)
    result["check"] = round(report["audio_seconds"] * rate) if rate and not report["problems"] else json.dumps(report)

    run = veery("extract", manifest, "-o", folder / "dry.h5", *OPTIONS, "--dry-run", "--json", status=(0, 1, 3))
    plan = json.loads(run.stdout) if run.stdout else {"problems": 1}
    if plan["problems"]:
        # The reasons are in the report for people.
        run = veery("extract", manifest, "-o", folder / "dry.h5", *OPTIONS, "--dry-run", status=(0, 1, 3))
    result["dry-run"] = refused(run) if plan["problems"] else round(plan["audio_seconds"] * rate)

    run = veery("extract", manifest, "-o", folder / "e.h5", *OPTIONS, status=(0, 1, 3))
    if (folder / "e.h5").exists():
        with h5py.File(folder / "e.h5") as file:
            found = file["clips/duration"][:]
            result["extract"] = (round(found[0] * file["clips/sample_rate"][0]) if len(found)
                                 else file["failures/reason"].asstr()[0])
    else:
        result["extract"] = refused(run)

    run = veery("clips", manifest, "--window", f"{WINDOW}s", "-o", folder / "w.csv", status=(0, 1, 3))
    if (folder / "w.csv").exists():
        with open(folder / "w.csv", newline="") as file:
            last = list(csv.DictReader(file))[-1]
        # Windows are whole: the last one ends less than a window before the end.
        whole = result["check"] if isinstance(result["check"], int) else 0
        rest = whole / rate - float(last["end"])
        result["clips"] = whole if -1e-3 < rest < WINDOW else last
        run = veery("extract", folder / "w.csv", "-o", folder / "w.h5", *OPTIONS, status=(0, 3))
        result["windows"] = result["clips"] if run.returncode == 0 else refused(run)
    else:
        result["clips"] = refused(run)

    run = veery("filter", path, folder / "f.wav", "--band-pass", "100-2000", status=(0, 1))
    result["filter"] = soundfile.info(folder / "f.wav").frames if run.returncode == 0 else refused(run)

    run = veery("live", "--file", path, "--speed", 0, "--record", folder / "l.h5", "--set", "audio.sample_rate=null",
                status=(0, 1))
    if run.returncode == 0:
        with h5py.File(folder / "l.h5") as file:
            result["live"] = round(file["clips/duration"][0] * file["clips/sample_rate"][0])
    else:
        result["live"] = refused(run)
    return result


def check(found, expected):
    if isinstance(expected, str):
        assert all(isinstance(value, str) and expected in value for value in found.values()), found
    else:
        assert set(found.values()) == {expected}, found


@pytest.fixture(scope="module")
def recordings():
    return mp3s()


@pytest.fixture(scope="module")
def others_made():
    return others()


@pytest.mark.long
def test_every_command_counts_the_frames_of_an_mp3(veery, recordings, tmp_path):
    for name, (data, expected) in recordings.items():
        path = tmp_path / name / f"a.{'wav' if 'wav' in name else 'mp3'}"
        path.parent.mkdir()
        path.write_bytes(data)
        check(lengths(veery, path.parent, path), expected)


@pytest.mark.long
def test_every_command_gives_one_length_or_one_reason_for_each_alone(veery, others_made, tmp_path):
    for name, (data, expected) in others_made.items():
        path = tmp_path / f"of {name}" / name
        path.parent.mkdir()
        path.write_bytes(data)
        check(lengths(veery, path.parent, path), expected)


# Those of which one is filtered and played: a format and a fault each.
ALONE = ["two.wav", "two.ogg", "two.flac", "no-length.flac", "id3-3000.wav", "id3-cut.flac", "half.au", "pipe.wav"]


def test_every_command_gives_one_length_or_one_reason(veery, others_made, tmp_path):
    """All recordings at once, where a command takes many."""
    for name, (data, _) in others_made.items():
        (tmp_path / name).write_bytes(data)
    counts = {name: expected for name, (_, expected) in others_made.items() if not isinstance(expected, str)}
    reasons = {name: expected for name, (_, expected) in others_made.items() if isinstance(expected, str)}
    whole = sum(counts.values())
    write_manifest(tmp_path / "good.csv", [{"path": name, "id": name} for name in counts])
    write_manifest(tmp_path / "m.csv", [{"path": name, "id": name} for name in (*counts, *reasons)])

    def assert_refused(found):
        assert found.keys() == reasons.keys()
        assert all(words in found[name] for name, words in reasons.items()), found

    for command in (["check", "m.csv"], ["extract", "m.csv", "-o", "dry.h5", *OPTIONS, "--dry-run"]):
        report = json.loads(veery(*command, "--json", folder=tmp_path, status=(0, 3)).stdout)
        assert round(report["audio_seconds"] * RATE) == whole
        assert_refused({problem["id"]: problem["reason"] for problem in report["first_problems"]})

    veery("extract", "m.csv", "-o", "e.h5", *OPTIONS, folder=tmp_path, status=3)
    with h5py.File(tmp_path / "e.h5") as file:
        assert dict(zip(file["clips/id"].asstr(), np.round(file["clips/duration"][:] * RATE))) == counts
        assert_refused(dict(zip(file["failures/id"].asstr(), file["failures/reason"].asstr())))

    veery("clips", "good.csv", "--window", f"{WINDOW}s", "-o", "w.csv", folder=tmp_path)
    with open(tmp_path / "w.csv", newline="") as file:
        ends = {row["path"]: float(row["end"]) for row in csv.DictReader(file)}
    # Windows are whole: the last one ends less than a window before the end.
    assert ends.keys() == counts.keys() and all(-1e-3 < counts[name] / RATE - end < WINDOW for name, end in ends.items())
    veery("extract", "w.csv", "-o", "w.h5", *OPTIONS, folder=tmp_path)

    for name in ALONE:
        filtered = veery("filter", name, "f.wav", "--band-pass", "100-2000", folder=tmp_path, status=(0, 1))
        live = veery("live", "--file", name, "--speed", 0, "--record", "l.h5", "--set", "audio.sample_rate=null", folder=tmp_path,
                     status=(0, 1))
        if name in counts:
            assert soundfile.info(tmp_path / "f.wav").frames == counts[name]
            with h5py.File(tmp_path / "l.h5") as file:
                assert round(file["clips/duration"][0] * RATE) == counts[name]
            (tmp_path / "f.wav").unlink()
            (tmp_path / "l.h5").unlink()
        else:
            (tmp_path / "one.csv").write_text(f"path\n{name}\n")
            cut = veery("clips", "one.csv", "--window", f"{WINDOW}s", "-o", "none.csv", folder=tmp_path, status=(1, 3))
            for run in (filtered, live, cut):
                assert reasons[name] in " ".join((run.stderr + run.stdout).split()), (name, run.stderr)


@pytest.mark.parametrize("kind", ["a.tar", pytest.param("stored.zip", marks=pytest.mark.long), "deflated.zip"])
def test_a_member_of_an_archive_is_as_long_as_the_file(veery, recordings, others_made, tmp_path, kind):
    names, rows = [], []
    for name, (data, expected) in (recordings | others_made).items():
        file = name if "." in name else name + (".wav" if "wav" in name else ".mp3")
        (tmp_path / file).write_bytes(data)
        names.append(file)
    if kind.endswith("tar"):
        with tarfile.open(tmp_path / kind, "w") as archive:
            for name in names:
                archive.add(tmp_path / name, name)
    else:
        method = zipfile.ZIP_DEFLATED if "deflated" in kind else zipfile.ZIP_STORED
        with zipfile.ZipFile(tmp_path / kind, "w", method) as archive:
            for name in names:
                archive.write(tmp_path / name, name)
    found = []
    for path_of in (lambda name: name, lambda name: f"{kind}::{name}"):
        write_manifest(tmp_path / "m.csv", [{"id": name, "path": path_of(name)} for name in names])
        veery("extract", tmp_path / "m.csv", "-o", tmp_path / "m.h5", "--set", "normalize.scope=none", "--overwrite",
              "--max-failures", "100%", status=0)
        with h5py.File(tmp_path / "m.h5") as file:
            ids = file["clips/id"].asstr()[:]
            found.append({
                "clips": dict(zip(ids, zip(file["clips/duration"][:], file["clips/audio_xxh3"].asstr()[:]))),
                "failures": dict(zip(file["failures/id"].asstr()[:], file["failures/reason"].asstr()[:]))})
    assert found[0] == found[1]
    assert len(found[0]["clips"]) == sum(not isinstance(value[1], str) for value in (recordings | others_made).values())


@pytest.mark.parametrize("left, is_remarked", [pytest.param(100, False, marks=pytest.mark.long), (RATE // 2, True)])
def test_samples_after_those_of_the_header_are_remarked(veery, tmp_path, left, is_remarked):
    """Less than a second of samples after those of the header; a second and more is an error."""
    write_wav(tmp_path / "a.wav", RATE, noise(1, RATE + left))
    data = (tmp_path / "a.wav").read_bytes()
    (tmp_path / "a.wav").write_bytes(data[:40] + struct.pack("<I", 2 * RATE) + data[44:])
    manifest = write_manifest(tmp_path / "m.csv", [{"path": "a.wav", "id": "a"}])
    check(lengths(veery, tmp_path, tmp_path / "a.wav"), RATE)
    write_manifest(manifest, [{"path": "a.wav", "id": "a"}])
    for command in (["check"], ["clips", "--window", "0.5s", "-o", tmp_path / "x.csv"], ["extract", "-o", tmp_path / "x.h5"]):
        run = veery(command[0], manifest, *command[1:], "--json")
        kinds = [(remark["kind"], remark["loss"], remark["first"]) for remark in json.loads(run.stdout)["remarks"]]
        assert kinds == ([("lengths-differ", True, ["a"])] if is_remarked else []), command
        veery(command[0], manifest, *command[1:], "--strict", *(["--overwrite"] if command[1:] else []), status=1 if is_remarked else 0)


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("ffmpeg"), reason="ffmpeg is not installed")
def test_other_bytes_around_the_frames_of_aac(veery, tmp_path):
    write_wav(tmp_path / "s.wav", RATE, noise(1, 3 * RATE))
    subprocess.run(["ffmpeg", "-v", "error", "-i", tmp_path / "s.wav", "-c:a", "aac", tmp_path / "s.aac"], check=True)
    data = (tmp_path / "s.aac").read_bytes()
    count = len(adts_frames(data))
    id3 = b"ID3\3\0\0\0\0\2\0" + bytes([0xFF, 0xF1] * 128)
    other = bytes(np.random.default_rng(2).integers(0, 250, 5000, dtype=np.uint8))
    cases = {
        "plain": data, "random bytes": data + other, "zeros": data + bytes(3000), "ID3 at the end": data + b"TAG" + bytes(125),
        "tags at the start": id3 + id3 + data, "two": data + data, "a tag between": data + id3 + data}

    def read(folder):
        found = lengths(veery, folder, tmp_path / "a.aac")
        # They do not read AAC.
        return {name: value for name, value in found.items() if name not in ("filter", "live")}

    for name, content in cases.items():
        (tmp_path / "a.aac").write_bytes(content)
        folder = tmp_path / name
        folder.mkdir()
        check(read(folder), (2 if name in ("two", "a tag between") else 1) * count * 1024)
    for name, content in {"half": data[:len(data) // 2], "a byte": data[:-1]}.items():
        (tmp_path / "a.aac").write_bytes(content)
        folder = tmp_path / name
        folder.mkdir()
        check(read(folder), "cut off")
        # Its whole frames are there, and --truncated keep stores them.
        manifest = write_manifest(folder / "k.csv", [{"path": tmp_path / "a.aac"}])
        veery("extract", manifest, "-o", folder / "k.h5", "--truncated", "keep", *OPTIONS)
        with h5py.File(folder / "k.h5") as file:
            whole = len([1 for offset, size in adts_frames(data) if offset + size <= len(content)])
            assert round(file["clips/duration"][0] * RATE) == whole * 1024


def test_the_whole_recording_is_drawn(veery, recordings, tmp_path):
    data, _ = recordings["vbr-44100-loud-first"]
    (tmp_path / "a.mp3").write_bytes(data)
    veery("render", tmp_path / "a.mp3", "-o", tmp_path / "a.png", "--plain", "--set", "audio.sample_rate=null")
    pixels = np.asarray(Image.open(tmp_path / "a.png").convert("L"), float)
    # Noise in the first half, silence in the second.
    spread = pixels[:, :pixels.shape[1] // 5 * 5].reshape(len(pixels), 5, -1).std(axis=(0, 2))
    assert (spread[:2] > 5).all() and (spread[3:] < 1).all(), spread


@pytest.mark.parametrize("first, second, has_tag", [
    ((44100, 1), (22050, 1), True), ((44100, 1), (44100, 2), False),
    *(pytest.param((44100, 1), (48000, 1), has_tag, marks=pytest.mark.long) for has_tag in (True, False))])
def test_mp3s_of_other_rates_or_channels_behind_one_another_are_refused(veery, tmp_path, first, second, has_tag):
    parts = [encoded(rate, noise(1, 2 * rate).repeat(channels).reshape(-1, channels))[0 if has_tag else 1]
             for rate, channels in (first, second)]
    (tmp_path / "a.mp3").write_bytes(b"".join(parts))
    check(lengths(veery, tmp_path, tmp_path / "a.mp3"), f"{second[0]} Hz, {second[1]} channel")
    if shutil.which("ffmpeg"):
        # What the reason advises.
        subprocess.run(["ffmpeg", "-v", "error", "-i", tmp_path / "a.mp3", tmp_path / "out.wav"], check=True)
        (tmp_path / "out").mkdir()
        assert isinstance(lengths(veery, tmp_path / "out", tmp_path / "out.wav")["extract"], int)


def test_two_flacs_of_one_length_are_not_taken_for_one(veery, tmp_path):
    soundfile.write(tmp_path / "a.flac", noise(1, 2 * RATE), RATE)
    (tmp_path / "b.flac").write_bytes(2 * (tmp_path / "a.flac").read_bytes())
    found = lengths(veery, tmp_path, tmp_path / "b.flac")
    # The header and the last frame agree: that shows only while samples are read.
    for command in ("extract", "windows", "filter", "live"):
        assert "found another one after 32000 samples" in found[command], found
    deep = json.loads(veery("check", tmp_path / "m.csv", "--deep", "--json", status=3).stdout)
    assert ["found another one after 32000 samples" in one["reason"] for one in deep["first_problems"]] == [True], deep


@pytest.mark.parametrize("parts", [
    {"noise": 20, "other": 20}, {"silence": 20, "noise": 20}, {"noise": 20, "silence": 20}, {"noise": 20, "other": 20, "silence": 20},
    {"noise": 0.1, "other": 0.1}, {"silence": 0.1, "noise": 0.1}, {"noise": 600, "silence": 600}])
def test_no_segment_is_taken_from_the_second_of_two_flacs(veery, tmp_path, parts):
    """libFLAC bisects the file for a segment, and finds it in either."""
    seconds = next(iter(parts.values()))
    count = round(seconds * RATE)
    signals = {"noise": noise(1, count), "other": noise(2, count), "silence": np.zeros(count)}
    for name in parts:
        soundfile.write(tmp_path / f"{name}.flac", signals[name], RATE)
    (tmp_path / "all.flac").write_bytes(b"".join((tmp_path / f"{name}.flac").read_bytes() for name in parts))

    def segments(name):
        spans = [(share * seconds, (share + 0.3) * seconds) for share in (0.7, 0.6, 0.5, 0.4, 0.2)]
        write_manifest(tmp_path / f"{name}.csv", [
            {"path": f"{name}.flac", "id": f"{name}{start}", "start": start, "end": end} for start, end in spans])
        veery("extract", f"{name}.csv", "-o", f"{name}.h5", *OPTIONS, folder=tmp_path, status=3 if name == "all" else 0)
        with h5py.File(tmp_path / f"{name}.h5") as file:
            return len(file["clips/id"]), list(file["failures/reason"].asstr()) if "failures" in file else []

    for name in parts:
        assert segments(name) == (5, []), name
    read, reasons = segments("all")
    assert read == 0 and all(f"found another one after {count} samples" in reason for reason in reasons), reasons


@pytest.mark.parametrize("silent, noisy", [(600, 1), (60, 0.05)])
def test_a_short_flac_after_one_of_long_silence_is_found(veery, tmp_path, silent, noisy):
    """All of it fits in between the frames that are looked at."""
    soundfile.write(tmp_path / "silence.flac", np.zeros(silent * RATE), RATE)
    soundfile.write(tmp_path / "noise.flac", noise(1, round(noisy * RATE)), RATE)
    (tmp_path / "all.flac").write_bytes((tmp_path / "silence.flac").read_bytes() + (tmp_path / "noise.flac").read_bytes())
    assert veery("decode", "silence.flac", "-o", "silence.wav", folder=tmp_path)
    assert f"found another one after {silent * RATE} samples" in veery("decode", "all.flac", "-o", "all.wav", folder=tmp_path, status=1).stderr


def test_a_wav_of_more_than_4_GiB_with_sizes_of_32_bits_is_read_whole(veery, tmp_path):
    path, count = tmp_path / "long.wav", (1 << 31) + 8000 * 60
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", (2 * count + 36) & 0xFFFFFFFF) + b"WAVE"
                   + chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, 8000, 16000, 2, 16))
                   + b"data" + struct.pack("<I", 2 * count & 0xFFFFFFFF))
        # A file with a hole: it takes no space on the disk.
        file.seek(44 + 2 * (count - 8000))
        file.write(np.round(noise(1, 8000) * 32767).astype("<i2").tobytes())
    manifest = write_manifest(tmp_path / "m.csv", [{"path": path}])
    report = json.loads(veery("check", manifest, "--json").stdout)
    assert report["audio_seconds"] == count / 8000
    end = count / 8000
    write_manifest(tmp_path / "end.csv", [{"path": path, "start": end - 1, "end": end}])
    veery("extract", tmp_path / "end.csv", "-o", tmp_path / "end.h5", *OPTIONS)
    write_wav(tmp_path / "short.wav", 8000, noise(1, 8000))
    write_manifest(tmp_path / "short.csv", [{"path": tmp_path / "short.wav"}])
    veery("extract", tmp_path / "short.csv", "-o", tmp_path / "short.h5", *OPTIONS)
    with h5py.File(tmp_path / "end.h5") as found, h5py.File(tmp_path / "short.h5") as expected:
        assert found["clips/audio_xxh3"][0] == expected["clips/audio_xxh3"][0]
        assert np.array_equal(found["features"][:], expected["features"][:])


@pytest.mark.parametrize("name, encoding", [
    ("page.mp3", "utf-8"), ("page.Mp3", "utf-8"), ("page.mp3", "utf-16"), ("page.mp3", "utf-16-le"), ("page.mp3", "utf-16-be")])
def test_a_text_named_mp3_is_reported_once(program, tmp_path, name, encoding):
    """Of a page that a server has sent, mpg123 writes nothing: the failure is Veery's to report."""
    (tmp_path / name).write_text("<html><body>404 not found</body></html>\n" * 20, encoding)
    found = subprocess.run([program, "decode", name, "-o", "o.wav"], cwd=tmp_path, capture_output=True, text=True)
    assert found.returncode == 1 and found.stderr.count("\n") == 1, found.stderr
    assert found.stderr.startswith(f"Error: {name}: expected a recording, found text: '<html>"), found.stderr


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("ffmpeg"), reason="ffmpeg is not installed")
def test_ffmpeg_counts_the_same(recordings, tmp_path):
    # If a tag is wrong, it leaves out what the tag says at another position, or not at all.
    names = [name for name in recordings if not name.startswith(("frames-", "bytes-", "two-with-tags", "zeros-between", "ape-first-tag"))]
    assert len(names) > 12
    for name in names:
        data, expected = recordings[name]
        path = tmp_path / f"{name}.{'wav' if 'wav' in name else 'mp3'}"
        path.write_bytes(data)
        channels = soundfile.info(path).channels
        found = subprocess.run(["ffmpeg", "-v", "quiet", "-i", path, "-f", "s16le", "-"], capture_output=True).stdout
        assert len(found) // 2 // channels == expected, name


@pytest.mark.long
@pytest.mark.collection
def test_recordings_of_the_field(veery, collection, tmp_path):
    expected = {
        "bio/27_mp3_vbr_no_xing/loud_then_quiet_noxing.mp3": 531072, "bio/27_mp3_vbr_no_xing/quiet_then_loud_noxing.mp3": 531072,
        "bio/27_mp3_vbr_no_xing/pipe_q5.mp3": 531072, "speech/20-mp3/lame_cbr.mp3": 32000, "speech/20-mp3/lame_vbr.mp3": 32000,
        "speech/20-mp3/lame_notag.mp3": 33408, "speech/20-mp3/ff_noxing.mp3": 33408, "speech/20-mp3/hole.mp3": 32832,
        "speech/20-mp3/cut_mid.mp3": 9792, "speech/20-mp3/ff16.mp3": 32000, "speech/20-mp3/ff48.mp3": 96000,
        "speech/20-mp3/mp3named.wav": 32000, "speech/20-mp3/wavnamed.mp3": 32000, "speech/20-mp3/concat.mp3": 66287,
        "speech/22-concat/both.mp3": 58223, "speech/22-concat/bothv.mp3": 58223, "speech/66-id3/id3.wav": 24000,
        "speech/66-id3/id3.flac": 24000, "speech/66-id3/trail_id3.flac": 24000,
        "speech/22-concat/both.ogg": "chained", "speech/22-concat/both.wav": "found another one",
        "speech/22-concat/both.flac": "expected 24000 samples",
    }
    for number, (name, count) in enumerate(expected.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        check(lengths(veery, folder, collection / "field" / name), count)
