"""Recordings that libsndfile cannot read, decoded by an installed ffmpeg.

The tests make the files from WAVs by ffmpeg; the reference is the output of `ffmpeg -f f32le`, which they run themselves.
"""

import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
import scipy.signal
import xxhash
from conftest import noise, tone, write_manifest, write_wav
from sounds import sphere_of_shorten

RATE = 22_050

pytestmark = pytest.mark.skipif(
    not (shutil.which("ffmpeg") and shutil.which("ffprobe")), reason="ffmpeg is not installed")


def ffmpeg(*arguments):
    return subprocess.run(
        ["ffmpeg", "-nostdin", "-y", "-v", "error", *map(str, arguments)], check=True, capture_output=True).stdout


def decoded(path):
    """The samples as ffmpeg decodes them, interleaved."""
    return np.frombuffer(ffmpeg("-i", path, "-map", "0:a:0", "-vn", "-f", "f32le", "pipe:1"), "<f4")


def sound(seconds=2.5, rate=RATE):
    left = tone(rate, seconds, (310, 1270, 3300)) + 0.02 * noise(1, round(rate * seconds))
    right = tone(rate, seconds, (440, 990)) + 0.02 * noise(2, round(rate * seconds))
    return np.stack([left, right], axis=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One sound as recordings in many formats."""
    folder = tmp_path_factory.mktemp("media")
    write_wav(folder / "o.wav", RATE, sound())
    one = folder / "o.wav"
    ffmpeg("-i", one, folder / "a.m4a")
    ffmpeg("-i", one, folder / "a.aac")
    ffmpeg("-i", one, folder / "a.wma")
    ffmpeg("-i", one, "-c:a", "libopus" if b"libopus" in ffmpeg("-encoders") else "opus", folder / "a.webm")
    ffmpeg("-i", one, "-c:a", "aac", folder / "a.flv")
    ffmpeg("-i", one, "-c:a", "flac", folder / "a.mkv")
    ffmpeg("-i", one, "-c:a", "pcm_s16le", folder / "p.mov")
    ffmpeg("-i", one, "-c:a", "pcm_s16le", folder / "p.mkv")
    ffmpeg("-i", one, "-c:a", "pcm_s16le", folder / "p.avi")
    picture = ("-f", "lavfi", "-i", "testsrc=size=64x48:rate=5:duration=4", "-i", one, "-map", "0:v", "-map", "1:a")
    ffmpeg(*picture, "-c:v", "mpeg4", "-c:a", "aac", folder / "v.mp4")
    ffmpeg(*picture, "-c:v", "mpeg4", "-c:a", "pcm_s16le", folder / "v.avi")
    ffmpeg(*picture, "-c:v", "mpeg4", "-c:a", "aac", folder / "v.mkv")
    return folder


MEDIA = "a.m4a a.aac a.wma a.webm a.flv a.mkv p.mov p.mkv p.avi v.mp4 v.avi v.mkv".split()


def extract(veery, folder, rows, name, *options, status=0):
    manifest = folder / f"{name}.csv"
    write_manifest(manifest, rows)
    output = folder / f"{name}.h5"
    result = veery("extract", manifest, "-o", output, "--overwrite", "--root", folder, *options, status=status)
    return h5py.File(output) if output.exists() else None, result


def failures(file):
    return {
        path.decode() if isinstance(path, bytes) else path: (kind.decode(), reason.decode())
        for path, kind, reason in zip(file["failures/path"], file["failures/kind"], file["failures/reason"])
    }


def checksum(samples):
    return xxhash.xxh3_128(np.ascontiguousarray(samples, "<f4").tobytes()).hexdigest()


def checksums(file):
    return [text.decode() for text in file["clips/audio_xxh3"]]


@pytest.fixture(scope="module", autouse=True)
def hanging(request, program, folder, tmp_path_factory):
    """A run with an ffmpeg that hangs, which takes a minute: begun before the other tests, which need the processor meanwhile."""
    if not any(item.name == "test_a_program_that_hangs_is_killed" for item in request.session.items):
        yield None
        return
    made, mark = tmp_path_factory.mktemp("hanging"), f"4{os.getpid()}"
    env = fake(made / "bin", f"exec sleep {mark}")
    write_manifest(made / "m.csv", [{"path": str(folder / "a.m4a")}])
    process = subprocess.Popen([program, "extract", made / "m.csv", "-o", made / "f.h5"], env=env, stderr=subprocess.PIPE, text=True)
    yield process, made / "f.h5", mark
    process.kill()
    process.communicate()


def run(program, *arguments, env=None, status=0, timeout=300):
    result = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, env=env, timeout=timeout)
    assert result.returncode == status, result.stderr
    return result


def test_samples_are_those_of_ffmpeg(veery, folder):
    rows = [{"path": name, "id": name} for name in MEDIA]
    file, _ = extract(veery, folder, rows, "all", "--set", "audio.sample_rate=16000")
    assert len(file["clips/path"]) == len(MEDIA), failures(file)
    original = sound()[:, 0]
    for index, name in enumerate(MEDIA):
        samples = decoded(folder / name)
        assert file["clips/channels"][index] == 2
        assert checksums(file)[index] == checksum(samples), name
        rate = file["clips/sample_rate"][index]
        assert rate == (48_000 if name == "a.webm" else RATE)
        assert abs(file["clips/duration"][index] - 2.5) < 0.15, name
        if rate == RATE:
            left = samples.reshape(-1, 2)[:, 0]
            lags = range(min(4200, len(left) - 40_000 + 1))
            products = scipy.signal.correlate(left[:40_000 + lags[-1]], original[:40_000] - original[:40_000].mean(), "valid")
            energies = np.array([left[lag:lag + 40_000].std() for lag in lags]) * original[:40_000].std() * 40_000
            best = (products / energies).max()
            assert best > 0.99, (name, best)
    version = subprocess.run(["ffmpeg", "-version"], capture_output=True, text=True).stdout.split()[2]
    assert json.loads(file["provenance/software"][()])["ffmpeg"] == version


def test_pcm_in_containers_equals_the_wav(veery, folder):
    rows = [{"path": name, "id": name} for name in ("o.wav", "p.mov", "p.mkv", "p.avi", "v.avi", "a.mkv")]
    file, _ = extract(veery, folder, rows, "pcm")
    assert len(set(checksums(file))) == 1 and len(file["clips/path"]) == len(rows)
    starts, counts = file["clips/frame_start"][()], file["clips/frame_count"][()]
    first = file["features"][:counts[0]]
    for start, count in zip(starts, counts):
        assert np.array_equal(file["features"][start:start + count], first)


@pytest.mark.long
def test_bytes_do_not_depend_on_jobs(veery, folder):
    rows = [{"path": name, "start": start, "end": start + 0.5, "id": f"{name}-{start}"}
            for name in MEDIA for start in (0, 0.25, 0.5, 1.2, 1.9)] + [{"path": name, "id": name} for name in MEDIA]
    contents = []
    for jobs in (1, 3):
        file, _ = extract(veery, folder, rows, f"jobs{jobs}", "--set", "audio.sample_rate=16000", "--jobs", jobs)
        assert len(file["clips/path"]) == len(rows)
        # The name of the manifest is not part of the file.
        contents.append((folder / f"jobs{jobs}.h5").read_bytes())
    assert contents[0] == contents[1]


def test_segments_are_exact(veery, folder):
    """Parts in order, overlapping, and back at the start: each has the samples of that part of the decoded whole."""
    parts = [(0.1, 0.4), (0.4, 0.9), (0.6, 1.1), (2.0, 2.3), (0.0, 0.2)]
    for name in ("a.m4a", "a.flv", "p.mov"):
        samples = decoded(folder / name).reshape(-1, 2)
        rows = [{"path": name, "id": i, "start": a, "end": b} for i, (a, b) in enumerate(parts)]
        file, _ = extract(veery, folder, rows, "parts", "--jobs", 1)
        assert checksums(file) == [checksum(samples[round(a * RATE):round(b * RATE)]) for a, b in parts]


def test_a_long_recording_takes_little_memory(program, veery, peak_memory, tmp_path):
    write_wav(tmp_path / "o.wav", RATE, np.tile(noise(3, RATE * 60), 10))
    ffmpeg("-i", tmp_path / "o.wav", "-c:a", "pcm_s16le", tmp_path / "p.mov")
    rows = [{"path": "p.mov", "id": i, "start": s, "end": s + 3} for i, s in enumerate(np.arange(0, 590, 40.5))]
    wav = [{**row, "path": "o.wav"} for row in rows]
    (one, _), (other, _) = extract(veery, tmp_path, rows, "mov"), extract(veery, tmp_path, wav, "wav")
    assert checksums(one) == checksums(other)
    write_manifest(tmp_path / "whole.csv", [{"path": "p.mov"}])
    # The whole recording decoded would take 53 MB.
    assert peak_memory(program, "extract", tmp_path / "whole.csv", "-o", tmp_path / "w.h5", "--jobs", 1) < 110e6


def test_damage_is_a_failure(veery, folder, tmp_path):
    whole = (folder / "a.m4a").read_bytes()
    (tmp_path / "no-index.m4a").write_bytes(whole[:len(whole) // 2])
    # A file that starts with its index, and lacks a part of the samples.
    ffmpeg("-i", folder / "a.m4a", "-c", "copy", "-movflags", "faststart", tmp_path / "fast.m4a")
    fast = (tmp_path / "fast.m4a").read_bytes()
    (tmp_path / "cut.m4a").write_bytes(fast[:-len(fast) // 3])
    (tmp_path / "cut.mkv").write_bytes((folder / "p.mkv").read_bytes()[:150_000])
    damaged = bytearray(fast)
    damaged[-9000:-6000] = bytes(3000)
    (tmp_path / "zeros.m4a").write_bytes(damaged)
    ffmpeg("-f", "lavfi", "-i", "testsrc=size=64x48:rate=5:duration=1", "-c:v", "mpeg4", tmp_path / "silent.mp4")
    names = ["no-index.m4a", "cut.m4a", "cut.mkv", "zeros.m4a", "silent.mp4"]
    rows = [{"path": name, "id": name} for name in names]
    rows += [{"path": name, "id": f"part {name}", "start": 0, "end": 0.1} for name in names]
    rows.append({"path": str(folder / "a.m4a"), "id": "good"})
    file, _ = extract(veery, tmp_path, rows, "damaged", status=3)
    found = failures(file)
    assert set(found) == set(names) and len(file["failures/path"]) == 2 * len(names)
    for kind, reason in found.values():
        assert kind == "ffmpeg_failed" and len(reason) < 260 and "0x" not in reason and str(tmp_path) not in reason
    assert "no sound" in found["silent.mp4"][1] and "moov" in found["no-index.m4a"][1]
    # The reasons are the same in every run, and do not contain paths of outputs.
    again, _ = extract(veery, tmp_path, rows, "again", "--jobs", 1, status=3)
    assert failures(again) == found


def shorten(path, target, frames):
    """The recording with an index of fewer samples, but the length as before: a container that promises more."""
    data = bytearray(path.read_bytes())
    stsz = data.index(b"stsz")
    size = struct.unpack(">I", data[stsz + 8:stsz + 12])[0]
    count = stsz + 12
    before = struct.unpack(">I", data[count:count + 4])[0]
    assert size == 0 and before > frames
    target.write_bytes(data)
    return before


def test_a_promise_that_is_not_kept_is_a_failure(veery, folder, tmp_path):
    """Matroska states the length of the sound; one without its last clusters and their sizes is read without a warning."""
    ffmpeg("-i", folder / "o.wav", "-t", "1", "-c:a", "pcm_s16le", tmp_path / "short.mkv")
    data = (tmp_path / "short.mkv").read_bytes()
    assert data.count(b"00:00:01.000000000") == 1
    (tmp_path / "lies.mkv").write_bytes(data.replace(b"00:00:01.000000000", b"00:00:01.100000000"))
    (tmp_path / "near.mkv").write_bytes(data.replace(b"00:00:01.000000000", b"00:00:01.001000000"))
    rows = [{"path": name} for name in ("lies.mkv", "near.mkv")]
    rows += [{"path": "lies.mkv", "id": "before", "start": 0, "end": 0.9}, {"path": "lies.mkv", "id": "after", "start": 0.9, "end": 1.05}]
    file, _ = extract(veery, tmp_path, rows, "short", status=3)
    assert [path.decode() for path in file["clips/id"]] == ["near", "before"]
    assert {kind for kind, _ in failures(file).values()} == {"cut_off"} and len(file["failures/path"]) == 2
    file, _ = extract(veery, tmp_path, rows, "kept", "--truncated", "keep")
    assert len(file["clips/id"]) == 4 and list(file["clips/truncated"][()]) == [1, 0, 0, 1]


def test_recordings_that_refer_to_other_files_are_refused(veery, folder, tmp_path):
    """Playlists and movies with samples in other files are refused, whatever their name and first bytes."""
    secret = tmp_path / "secret.wav"
    write_wav(secret, RATE, noise(9, RATE))
    ffmpeg("-i", secret, tmp_path / "secret.ts")
    (tmp_path / "hls.m4a").write_text(
        f"#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1.0,\n{tmp_path}/secret.ts\n#EXT-X-ENDLIST\n")
    (tmp_path / "concat.m4a").write_text(f"ffconcat version 1.0\nfile {secret}\n")
    ffmpeg("-i", secret, "-c:a", "pcm_s16le", tmp_path / "whole.mov")
    # ffmpeg finds a playlist after other bytes, too; here these are the signature of AAC.
    (tmp_path / "tail.aac").write_bytes(b"\xff\xf1" + (tmp_path / "hls.m4a").read_bytes())
    (tmp_path / "free.m4a").write_bytes(
        b"\0\0\0\x08free" + (tmp_path / "hls.m4a").read_bytes())
    data = bytearray((tmp_path / "whole.mov").read_bytes())
    # Clears the flag of the `url ` entry that means "the samples are in this file": it now refers to an address.
    at = data.index(b"url ", data.index(b"dref"))
    assert data[at + 4:at + 8] == b"\0\0\0\x01"
    data[at + 4:at + 8] = b"\0\0\0\0"
    (tmp_path / "url.mov").write_bytes(data)
    (tmp_path / "alias.mov").write_bytes(alias_movie(bytes((tmp_path / "whole.mov").read_bytes()), "whole.mov"))
    names = ["hls.m4a", "concat.m4a", "tail.aac", "free.m4a", "alias.mov"]
    rows = [{"path": name} for name in names] + [{"path": str(folder / "a.m4a")}]
    file, _ = extract(veery, tmp_path, rows, "lists", status=3)
    assert set(failures(file)) == set(names), failures(file)
    assert len(file["clips/path"]) == 1


def alias_movie(movie, target):
    """A QuickTime file whose samples are in another file, by an alias record."""
    alias = bytearray(150)
    name = target.encode()
    alias[4:6] = struct.pack(">H", 150)  # length
    alias[6:8] = struct.pack(">H", 2)  # version
    alias[10:11] = bytes([4]); alias[11:15] = b"disk"
    alias[50:51] = bytes([len(name)]); alias[51:51 + len(name)] = name
    path = b"disk:" + name
    alias += struct.pack(">hH", 2, len(path)) + path + (b"\0" if len(path) % 2 else b"")
    alias += struct.pack(">hH", 18, len(name) + 1) + b"/" + name + (b"\0" if (len(name) + 1) % 2 else b"")
    alias += struct.pack(">hH", -1, 0)
    entry = struct.pack(">I4sI", 12 + len(alias), b"alis", 0) + bytes(alias)

    def rebuild(data, path=()):
        out, offset = b"", 0
        while offset + 8 <= len(data):
            size, kind = struct.unpack(">I4s", data[offset:offset + 8])
            size = size or len(data) - offset
            body = data[offset + 8:offset + size]
            if kind in (b"moov", b"trak", b"mdia", b"minf", b"dinf"):
                body = rebuild(body)
            elif kind == b"dref":
                body = struct.pack(">II", 0, 1) + entry
            elif kind == b"mdat":
                body = bytes(len(body))
            out += struct.pack(">I4s", 8 + len(body), kind) + body
            offset += size
        return out

    return rebuild(movie)


def test_signature_and_extension_decide_who_decodes(veery, folder, tmp_path):
    shutil.copy(folder / "a.m4a", tmp_path / "wrong.wav")
    shutil.copy(folder / "o.wav", tmp_path / "wav.m4a")
    (tmp_path / "text.m4a").write_text("no sound\n" * 100)
    rows = [{"path": name} for name in ("wrong.wav", "wav.m4a", "text.m4a")]
    file, _ = extract(veery, tmp_path, rows, "names", status=3)
    found = failures(file)
    assert found["wrong.wav"][0] == "needs_ffmpeg" and "rename" in found["wrong.wav"][1]
    assert found["text.m4a"][0] == "not_decodable"
    assert [path.decode() for path in file["clips/path"]] == ["wav.m4a"]


def test_without_ffmpeg(program, veery, folder, tmp_path):
    (tmp_path / "empty").mkdir()
    shutil.copy(folder / "a.m4a", tmp_path / "a.m4a")
    shutil.copy(folder / "o.wav", tmp_path / "o.wav")
    write_manifest(tmp_path / "m.csv", [{"path": "a.m4a"}, {"path": "o.wav"}])
    plain = {**os.environ, "PATH": str(tmp_path / "empty")}
    for name, env, options, words in (
            ("none", plain, [], "install ffmpeg"), ("off", None, ["--no-ffmpeg"], "--no-ffmpeg was given")):
        output = tmp_path / f"{name}.h5"
        run(program, "extract", tmp_path / "m.csv", "-o", output, *options, env=env, status=3)
        with h5py.File(output) as file:
            assert words in failures(file)["a.m4a"][1]
            assert "ffmpeg" not in json.loads(file["provenance/software"][()])
        assert words in run(program, "check", tmp_path / "m.csv", *options, env=env, status=3).stdout
        crawled = run(program, "crawl", tmp_path, "-o", "-", *options, env=env)
        assert "a.m4a" not in crawled.stdout and "1 file is passed over" in crawled.stderr
        run(program, "render", tmp_path / "a.m4a", "-o", tmp_path / "p.png", *options, env=env, status=1)
    crawled = run(program, "crawl", tmp_path, "-o", "-")
    assert "a.m4a" in crawled.stdout and "passed over" not in crawled.stderr
    assert "2" in run(program, "check", tmp_path / "m.csv").stdout
    run(program, "render", tmp_path / "a.m4a", "-o", tmp_path / "p.png")
    # Without such recordings ffmpeg is not run, and the bytes are the same.
    write_manifest(tmp_path / "w.csv", [{"path": "o.wav"}])
    for name, env in (("x", plain), ("y", None)):
        run(program, "extract", tmp_path / "w.csv", "-o", tmp_path / f"{name}.h5", env=env)
    assert (tmp_path / "x.h5").read_bytes() == (tmp_path / "y.h5").read_bytes()


def fake(folder, ffmpeg_script, version="9.9"):
    """Makes a folder with an ffmpeg that prints a version or else runs a script, and the real ffprobe.

    Returns an environment in whose PATH that folder comes first.
    """
    folder.mkdir()
    (folder / "ffmpeg").write_text(
        f'#!/bin/sh\nif [ "$1" = -version ]; then echo "ffmpeg version {version} Copyright"; exit; fi\n{ffmpeg_script}\n')
    (folder / "ffprobe").symlink_to(shutil.which("ffprobe"))
    (folder / "ffmpeg").chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


def test_a_run_with_another_version_of_ffmpeg_is_refused(program, folder, tmp_path):
    shutil.copy(folder / "a.m4a", tmp_path / "a.m4a")
    write_manifest(tmp_path / "m.csv", [{"path": "a.m4a"}])
    real = shutil.which("ffmpeg")
    for version in ("9.9", "10.0"):
        env = fake(tmp_path / version, f'exec {real} "$@"', version)
        status = 0 if version == "9.9" else 1
        result = run(program, "extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", env=env, status=status)
    assert "other versions of the software" in result.stderr
    with h5py.File(tmp_path / "f.h5") as file:
        assert json.loads(file["provenance/software"][()])["ffmpeg"] == "9.9"


@pytest.mark.parametrize("script, words", [
    ("exit 3", "ended with status 3"),
    ("kill -TERM $$", "was ended by signal 15"),
    ("echo 'it is broken' >&2; sleep 100", "it is broken"),
    ("echo 'not a header'", "wrote no samples"),
    ("yes | head -c 10000000 >&2; sleep 100", "ffmpeg cannot decode the recording: y"),
])
def test_the_reason_says_how_ffmpeg_failed(program, folder, tmp_path, script, words):
    env = fake(tmp_path / "bin", script)
    write_manifest(tmp_path / "m.csv", [{"path": str(folder / "a.m4a")}])
    run(program, "extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", env=env, status=3)
    with h5py.File(tmp_path / "f.h5") as file:
        assert words in failures(file)[str(folder / "a.m4a")][1]


def children(script):
    """Ids of the processes whose command line contains a text."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if script.encode() in entry.read_bytes():
                found.append(int(entry.parent.name))
        except OSError:
            pass
    return found


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


@linux
@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("start", ["exec ", ""], ids=["program", "script"])
def test_a_cancelled_run_leaves_no_child(program, folder, tmp_path, number, status, start):
    mark = f"7{os.getpid()}{status}{len(start)}"
    # If ffmpeg is a script, the program that it has started is ended, too.
    env = fake(tmp_path / "bin", f"{start}sleep {mark}\nexit")
    write_manifest(tmp_path / "m.csv", [{"path": str(folder / "a.m4a")}, {"path": str(folder / "v.mp4")}])
    process = subprocess.Popen(
        [program, "extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--set", "audio.sample_rate=16000",
         "--jobs", "2"], env=env, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 30
    while len(children(mark)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(children(mark)) == 2
    process.send_signal(number)
    process.communicate(timeout=20)
    assert process.returncode == status and not children(mark)
    # No failure was stored: the same command, with a working ffmpeg of that version, has all clips.
    real = shutil.which("ffmpeg")
    shutil.rmtree(tmp_path / "bin")
    env = fake(tmp_path / "bin", f'exec {real} "$@"')
    run(program, "extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--set", "audio.sample_rate=16000", env=env)


@linux
def test_children_have_no_descriptors_of_ours(program, folder, tmp_path):
    """ffmpeg inherits none of the spool, the HDF5 file and the pipes of other children, which are open when it starts."""
    real = shutil.which("ffmpeg")
    env = fake(
        tmp_path / "bin",
        # No command substitution and no pipe: the shell would open descriptors for them.
        f'ls -l /proc/$$/fd >> {tmp_path}/fds; exec {real} "$@"')
    names = MEDIA * 4
    write_manifest(tmp_path / "m.csv", [{"path": str(folder / n), "id": i} for i, n in enumerate(names)])
    run(program, "extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--set", "audio.sample_rate=16000", "--jobs",
        "6", env=env)
    lines = [line for line in (tmp_path / "fds").read_text().splitlines() if " -> " in line]
    assert len(lines) >= 3 * len(names)
    for line in lines:
        number, _, target = line.split(maxsplit=8)[8].partition(" -> ")
        # The shell's own: its script, maybe the list, and the descriptors that it saves, from 10 on.
        own = int(number) > 9 or target.startswith((str(tmp_path / "bin"), str(tmp_path / "fds")))
        assert own or int(number) < 3 and target.startswith(("pipe:", "/dev/null")), line
    assert not any(".h5" in line or ".spool" in line for line in lines)


def test_members_of_archives(veery, folder, tmp_path):
    ffmpeg("-i", folder / "a.m4a", "-c", "copy", "-movflags", "faststart", tmp_path / "fast.m4a")
    shutil.copy(tmp_path / "fast.m4a", folder / "fast.m4a")
    streams = ["a.aac", "a.wma", "a.webm", "a.flv", "a.mkv", "p.mkv", "v.mkv", "fast.m4a"]
    others = ["a.m4a", "p.avi"]
    for kind in ("tar", "tar.gz"):
        with tarfile.open(tmp_path / f"x.{kind}", "w:gz" if kind.endswith("gz") else "w") as archive:
            for name in streams + others:
                archive.add(folder / name, name)
        rows = [{"path": f"{tmp_path}/x.{kind}::{name}", "id": name} for name in streams + others]
        file, _ = extract(veery, tmp_path, rows, "packed", "--set", "audio.sample_rate=16000", status=3)
        unpacked, _ = extract(
            veery, folder, [{"path": name, "id": name} for name in streams], "unpacked",
            "--set", "audio.sample_rate=16000")
        assert checksums(file) == checksums(unpacked)
        found = failures(file)
        assert len(found) == 2 and all(
            kind == "needs_ffmpeg" and "unpack" in reason for kind, reason in found.values())
    assert "x::a.m4a" not in veery("crawl", tmp_path / "x.tar", "-o", "-").stdout
    assert "x.tar::a.m4a" in veery("crawl", tmp_path / "x.tar", "-o", "-").stdout


def test_samples_of_formats(veery, collection, tmp_path):
    """Recordings of other encoders; the one that wrote the AMR file has damaged it."""
    rows = [{"path": collection / "formats" / name} for name in ("ffmpeg_aac.m4a", "ffmpeg_wma.wma", "sox_amr_nb_8k.amr-nb")]
    file, _ = extract(veery, tmp_path, rows, "formats", "--set", "audio.sample_rate=16000", status=3)
    assert checksums(file) == [checksum(decoded(row["path"])) for row in rows[:2]]
    assert [kind for kind, _ in failures(file).values()] == ["ffmpeg_failed"]


@pytest.mark.long
@linux
def test_a_program_that_hangs_is_killed(hanging, folder):
    """The last test here: its run has the time that the others take."""
    process, output, mark = hanging
    _, said = process.communicate(timeout=300)
    assert process.returncode == 3, said
    with h5py.File(output) as file:
        assert "wrote nothing for 60 s" in failures(file)[str(folder / "a.m4a")][1]
    assert not children(mark)


def test_sphere_that_shorten_compressed(veery, tmp_path):
    """As of the LDC: with a length, the same samples as in a WAV, a part, a member of an archive, and a failure where it is cut off."""
    samples = np.round(8000 * tone(8000, 0.5, [440])).astype(np.int16)
    packed = sphere_of_shorten(samples, 8000)
    (tmp_path / "a.sph").write_bytes(packed)
    (tmp_path / "cut.sph").write_bytes(packed[:len(packed) // 2])
    (tmp_path / "other.sph").write_bytes(packed.replace(b"-s26 pcm,", b"-s27 ulaw,"))
    # Samples of another kind than the header says, which ffmpeg does not know.
    (tmp_path / "odd.sph").write_bytes(packed[:1024] + b"ajkg\2" + bytes.fromhex("9808fbffc907faffd705f8") * 40)
    write_wav(tmp_path / "w.wav", 8000, samples / 32768)
    with tarfile.open(tmp_path / "r.tar", "w") as archive:
        archive.add(tmp_path / "a.sph", "a.sph")
    rows = [{"path": "w.wav"}, {"path": "a.sph", "id": "a"}, {"path": "r.tar::a.sph", "id": "t"},
            {"path": "w.wav", "id": "wp", "start": 0.1, "end": 0.4}, {"path": "a.sph", "id": "ap", "start": 0.1, "end": 0.4},
            {"path": "cut.sph"}, {"path": "other.sph"}, {"path": "odd.sph"}]
    file, _ = extract(veery, tmp_path, rows, "sphere", status=3)
    assert [name.decode() for name in file["clips/id"]] == ["w", "a", "t", "wp", "ap"]
    whole, *others, part, other = checksums(file)
    assert others == [whole, whole] and other == part
    found = failures(file)
    assert found["cut.sph"][0] in ("ffmpeg_failed", "cut_off")
    assert found["other.sph"][0] == "unknown_format" and "sph2pipe" in found["other.sph"][1]
    assert found["odd.sph"][0] == "ffmpeg_failed"
    assert found["odd.sph"][1].endswith("; if the file is intact, sph2pipe -f wav in.sph out.wav makes a WAV of it")
    assert "ffmpeg" in json.loads(file["provenance/software"][()])
    none, _ = extract(veery, tmp_path, [{"path": "w.wav"}, {"path": "a.sph"}], "none", "--no-ffmpeg", status=3)
    assert failures(none)["a.sph"][0] == "needs_ffmpeg"
