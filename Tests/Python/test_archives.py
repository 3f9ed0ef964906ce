"""Recordings in archives: every value equals that of the unpacked recordings, and damage is a failure of the clips it concerns."""

import csv
import io
import random
import shutil
import signal
import struct
import subprocess
import tarfile
import time
import zipfile
import zlib
from pathlib import Path

import h5py
import numpy as np
import pytest

from conftest import noise, tone, write_manifest, write_wav

KINDS = ["a.tar", "pax.tar", "a.tar.gz", "a.tgz", "a.tar.zst", "stored.zip", "deflated.zip"]
# What has to differ: names, the manifest's hash, and a checksum of each clip's record, which covers its path.
DIFFERENT = {"clips/id", "clips/path", "clips/record_xxh3", "failures/id", "failures/path", "failures/reason"}


@pytest.fixture(scope="module")
def sounds(tmp_path_factory):
    """A folder of small recordings of several formats; the names of the files in it."""
    import soundfile
    folder = tmp_path_factory.mktemp("sounds") / "s"
    for index in range(6):
        label = "yes" if index % 2 else "no"
        write_wav(folder / label / f"{index}.wav", 16000, tone(16000, 0.5 + index / 10, [300 + 50 * index, 1000]))
    stereo = np.stack([noise(1, 9000), noise(2, 9000)], axis=1)
    write_wav(folder / "mixed/stereo.wav", 8000, stereo)
    write_wav(folder / "mixed/float.wav", 22050, noise(3, 20000), dtype="<f4")
    for name, options in [("a.flac", {}), ("b.ogg", {}), ("c.aiff", {}), ("d.mp3", {}), ("e.opus", {"format": "OGG", "subtype": "OPUS"}),
                          ("f.au", {}), ("g.caf", {}), ("h.w64", {})]:
        rate = 48000 if name in ("e.opus",) else 16000
        soundfile.write(folder / "mixed" / name, noise(4, rate), rate, **options)
    # Recordings that fail have to fail in the same way.
    (folder / "mixed/text.wav").write_bytes(b"not a recording at all, but long enough to be read as one" * 20)
    (folder / "mixed/empty.wav").write_bytes(b"")
    cut = (folder / "mixed/a.flac").read_bytes()
    (folder / "mixed/cut.flac").write_bytes(cut[:len(cut) // 2])
    (folder / "é ü.wav").write_bytes((folder / "yes/1.wav").read_bytes())
    return folder, sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def pack(path, folder, names, prefix=""):
    """An archive of the kind that its name says."""
    kind = path.name
    if kind.endswith(".zip"):
        method = zipfile.ZIP_DEFLATED if "deflated" in kind else zipfile.ZIP_STORED
        with zipfile.ZipFile(path, "w", method) as file:
            for name in names:
                file.write(folder / name, prefix + name)
        return path
    plain = io.BytesIO()
    form = tarfile.PAX_FORMAT if "pax" in kind else tarfile.GNU_FORMAT
    with tarfile.open(fileobj=plain, mode="w", format=form) as file:
        for name in names:
            file.add(folder / name, prefix + name)
    path.write_bytes(compressed(plain.getvalue(), kind))
    return path


def compressed(data, kind):
    if kind.endswith("gz"):
        return zlib.compress(data, wbits=31)
    if kind.endswith("zst"):
        if shutil.which("zstd") is None:
            pytest.skip("SKIPPED: no program zstd")
        return subprocess.run(["zstd", "-q", "-c", "--check"], input=data, capture_output=True, check=True).stdout
    return data


def manifest(path, names, locate):
    return write_manifest(path, [{"id": f"c{index}", "path": locate(name)} for index, name in enumerate(names)])


def datasets(path):
    found = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: found.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
    return {name: value for name, value in found.items() if not name.startswith("provenance")}


def assert_equal(found, expected, different=frozenset(DIFFERENT)):
    found, expected = datasets(found), datasets(expected)
    assert set(found) == set(expected)
    for name, value in expected.items():
        if name not in different:
            assert np.array_equal(found[name], value, equal_nan=value.dtype.kind == "f"), name
    return found, expected


OPTIONS = ["--set", "audio.sample_rate=16000", "--quiet"]


def extract(veery, source, output, *options, status=(0, 3)):
    return veery("extract", source, "-o", output, *OPTIONS, *options, status=status)


def reasons(path):
    with h5py.File(path) as file:
        return dict(zip(file["failures/id"].asstr()[:], file["failures/reason"].asstr()[:])) if "failures" in file else {}


def values(path):
    """The rows of each clip, by id."""
    with h5py.File(path) as file:
        rows, offsets, counts = file["features"][:], file["clips/frame_start"][:], file["clips/frame_count"][:]
        return {name: rows[start:start + count].tobytes()
                for name, start, count in zip(file["clips/id"].asstr()[:], offsets, counts)}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", [[], ["--set", "normalize.scope=none"]], ids=["normalised", "in-place"])
def test_every_value_equals_that_of_the_unpacked_recordings(veery, sounds, tmp_path, kind, options):
    folder, names = sounds
    pack(tmp_path / kind, folder, names)
    manifest(tmp_path / "r.csv", names, lambda name: folder / name)
    manifest(tmp_path / "m.csv", names, lambda name: f"{kind}::{name}")
    extract(veery, tmp_path / "r.csv", tmp_path / "r.h5", *options)
    for jobs in (1, 2):
        extract(veery, tmp_path / "m.csv", tmp_path / f"m{jobs}.h5", "--jobs", jobs, *options)
        found, expected = assert_equal(tmp_path / f"m{jobs}.h5", tmp_path / "r.h5")
        assert len(expected["clips/path"]) == len(names) - 3
        assert found["clips/id"].tolist() == expected["clips/id"].tolist()
        assert found["failures/kind"].tolist() == expected["failures/kind"].tolist()
    # Nothing changes a second time, and the samples are those of the unpacked recordings.
    assert "up to date" in veery("extract", tmp_path / "m.csv", "-o", tmp_path / "m1.h5", *OPTIONS[:2], *options, status=(0, 3)).stderr


@pytest.mark.parametrize("kind", ["a.tar", "a.tar.gz", "deflated.zip"])
def test_parts_of_a_recording(veery, tmp_path, kind):
    folder = tmp_path / "s"
    write_wav(folder / "long.wav", 16000, tone(16000, 20, [500, 900]))
    import soundfile
    soundfile.write(folder / "long.ogg", tone(16000, 20, [500, 900]), 16000)
    soundfile.write(folder / "long.flac", tone(16000, 20, [500, 900]), 16000)
    names = ["long.wav", "long.ogg", "long.flac"]
    pack(tmp_path / kind, folder, names)

    def rows(locate):
        return [{"id": f"{name}{start}", "path": locate(name), "start": start, "end": start + 0.7}
                for name in names for start in range(0, 19)]
    write_manifest(tmp_path / "r.csv", rows(lambda name: folder / name))
    write_manifest(tmp_path / "m.csv", rows(lambda name: f"{kind}::./{name}"))
    for name in ("r", "m"):
        extract(veery, tmp_path / f"{name}.csv", tmp_path / f"{name}.h5", "--jobs", 2)
    assert_equal(tmp_path / "m.h5", tmp_path / "r.h5")


@pytest.mark.long
@pytest.mark.parametrize("kind", ["a.tar", "a.tar.gz", "a.tar.zst", "stored.zip", "deflated.zip"])
def test_real_recordings(veery, collection, tmp_path, kind):
    endings = {".wav", ".flac", ".ogg", ".mp3", ".aiff", ".au", ".w64", ".caf", ".opus", ".sph", ".voc", ".rf64"}
    names = sorted(str(path.relative_to(collection)) for path in collection.rglob("*") if path.suffix.lower() in endings)
    assert len(names) > 900
    pack(tmp_path / kind, collection, names)
    manifest(tmp_path / "r.csv", names, lambda name: collection / name)
    manifest(tmp_path / "m.csv", names, lambda name: f"{kind}::{name}")
    for name in ("r", "m"):
        extract(veery, tmp_path / f"{name}.csv", tmp_path / f"{name}.h5", "--jobs", 2)
    found, expected = assert_equal(tmp_path / "m.h5", tmp_path / "r.h5")
    assert found["failures/kind"].tolist() == expected["failures/kind"].tolist()
    assert found["failures/reason"].tolist() == expected["failures/reason"].tolist()


def test_a_wav_behind_a_tag_of_ID3(veery, tmp_path):
    write_wav(tmp_path / "a.wav", 16000, noise(1, 16000))
    tag = b"ID3\x03\0\0" + bytes([0, 0, 2, 0]) + bytes(256)
    (tmp_path / "a.wav").write_bytes(tag + (tmp_path / "a.wav").read_bytes())
    pack(tmp_path / "a.tar", tmp_path, ["a.wav"])
    manifest(tmp_path / "r.csv", ["a.wav"], lambda name: tmp_path / name)
    manifest(tmp_path / "m.csv", ["a.wav"], lambda name: f"a.tar::{name}")
    for name in ("r", "m"):
        extract(veery, tmp_path / f"{name}.csv", tmp_path / f"{name}.h5")
    assert_equal(tmp_path / "m.h5", tmp_path / "r.h5")


# ------------------------------------------------------------------------------------------------------------- damage

def check_damaged(veery, tmp_path, kind, names, damaged, expected):
    """Each clip equals the undamaged one, or fails at its opening with the names of archive and member."""
    (tmp_path / kind).write_bytes(damaged)
    output = tmp_path / "d.h5"
    output.unlink(missing_ok=True)
    result = veery("extract", tmp_path / "m.csv", "-o", output, *OPTIONS, "--fresh", status=(0, 1, 3))
    if not output.exists():
        assert result.returncode == 1 and kind in result.stderr
        return len(names)
    found = values(output)
    for clip, rows in found.items():
        assert rows == expected[clip], (kind, clip)
    failed = reasons(output)
    assert len(found) + len(failed) == len(names)
    with h5py.File(output) as file:
        if "failures" in file:
            assert set(file["failures/stage"].asstr()[:]) <= {"open"}
            assert set(file["failures/kind"].asstr()[:]) <= {"cannot_open_member"}
    for clip, reason in failed.items():
        assert kind in reason and names[int(clip[1:])] in reason, reason
    return len(failed)


@pytest.fixture
def damageable(veery, tmp_path):
    folder = tmp_path / "s"
    names = [f"{index}.wav" for index in range(8)]
    for index, name in enumerate(names):
        write_wav(folder / name, 16000, noise(index, 24000))
    # No normalisation: a clip's rows do not depend on the others.
    manifest(tmp_path / "r.csv", names, lambda name: folder / name)
    veery("extract", tmp_path / "r.csv", "-o", tmp_path / "r.h5", *OPTIONS, "--set", "normalize.scope=none")

    def run(*arguments, **keywords):
        arguments = list(arguments)
        if arguments[0] == "extract":
            arguments += ["--set", "normalize.scope=none"]
        return veery(*arguments, **keywords)
    return run, folder, names, values(tmp_path / "r.h5")


@pytest.mark.long
@pytest.mark.parametrize("kind", ["a.tar.gz", "a.tar.zst", "stored.zip", "deflated.zip"])
def test_no_flipped_bit_changes_a_clip(damageable, tmp_path, kind):
    run, folder, names, expected = damageable
    whole = pack(tmp_path / kind, folder, names).read_bytes()
    manifest(tmp_path / "m.csv", names, lambda name: f"{kind}::{name}")
    chance = random.Random(kind)
    concerned = 0
    for _ in range(40):
        damaged = bytearray(whole)
        position = chance.randrange(len(whole))
        damaged[position] ^= 1 << chance.randrange(8)
        concerned += check_damaged(run, tmp_path, kind, names, damaged, expected) > 0
    assert concerned > 20


@pytest.mark.long
@pytest.mark.parametrize("kind", ["a.tar", "a.tar.gz", "a.tar.zst", "stored.zip", "deflated.zip"])
def test_a_truncated_archive_gives_what_is_whole(damageable, tmp_path, kind):
    run, folder, names, expected = damageable
    whole = pack(tmp_path / kind, folder, names).read_bytes()
    manifest(tmp_path / "m.csv", names, lambda name: f"{kind}::{name}")
    failed = []
    for part in [0, 1, 5, 100, 511, 512, 513, 1500] + [len(whole) * step // 16 for step in range(1, 16)] + [len(whole) - 1]:
        failed.append(check_damaged(run, tmp_path, kind, names, whole[:part], expected))
    assert failed[0] == len(names) and failed == sorted(failed, reverse=True), failed
    # What lies before the cut is read; of a compressed tar nothing that its checksum does not cover.
    assert len(set(failed)) >= 7 if kind == "a.tar" else set(failed) == {len(names)}, failed


def test_the_length_and_checksum_of_each_gzip_member_count(damageable, tmp_path):
    run, folder, names, expected = damageable
    tar = pack(tmp_path / "a.tar", folder, names).read_bytes()
    half = len(tar) // 2
    parts = [zlib.compress(part, wbits=31) for part in (tar[:half], tar[half:])]
    manifest(tmp_path / "m.csv", names, lambda name: f"a.tar.gz::{name}")
    assert check_damaged(run, tmp_path, "a.tar.gz", names, b"".join(parts), expected) == 0
    assert check_damaged(run, tmp_path, "a.tar.gz", names, b"".join(parts) + bytes(300), expected) == 0
    for position in range(1, 9):
        damaged = bytearray(parts[0])
        damaged[-position] ^= 1
        assert check_damaged(run, tmp_path, "a.tar.gz", names, bytes(damaged) + parts[1], expected) == len(names)
    assert check_damaged(run, tmp_path, "a.tar.gz", names, b"".join(parts) + b"rubbish", expected) == 0
    # Damage in the second does not concern what the first one holds.
    damaged = bytearray(b"".join(parts))
    damaged[-100] ^= 1
    assert check_damaged(run, tmp_path, "a.tar.gz", names, damaged, expected) == len(names) // 2
    assert check_damaged(run, tmp_path, "a.tar.gz", names, parts[0], expected) == len(names) // 2


# ------------------------------------------------------------------------------------------- names, links, bombs, absence

def failures(veery, tmp_path, paths, *options):
    write_manifest(tmp_path / "f.csv", [{"id": f"c{index}", "path": path} for index, path in enumerate(paths)])
    extract(veery, tmp_path / "f.csv", tmp_path / "f.h5", "--overwrite", *options, status=3)
    found = reasons(tmp_path / "f.h5")
    return [found.get(f"c{index}") for index in range(len(paths))]


def test_only_regular_files_below_the_archive_are_read(veery, tmp_path):
    write_wav(tmp_path / "good.wav", 16000, noise(1, 8000))
    data = (tmp_path / "good.wav").read_bytes()
    outside = tmp_path.parent / "outside.wav"
    with tarfile.open(tmp_path / "a.tar", "w") as file:
        def add(name, kind=tarfile.REGTYPE, link="", content=b""):
            info = tarfile.TarInfo(name)
            (info.type, info.linkname, info.size) = (kind, link, len(content))
            file.addfile(info, io.BytesIO(content))
        add("good.wav", content=data)
        add("../outside.wav", content=data)
        add("a/../../outside.wav", content=data)
        add("/tmp/absolute.wav", content=data)
        add("link.wav", tarfile.SYMTYPE, "good.wav")
        add("hard.wav", tarfile.LNKTYPE, "good.wav")
        add("null.wav", tarfile.CHRTYPE)
        add("pipe.wav", tarfile.FIFOTYPE)
        add("folder.wav", tarfile.DIRTYPE)
    names = ["good.wav", "../outside.wav", "a/../../outside.wav", "/tmp/absolute.wav", "link.wav", "hard.wav", "null.wav",
             "pipe.wav", "folder.wav", "gone.wav"]
    found = failures(veery, tmp_path, [f"a.tar::{name}" for name in names])
    expected = [None] + 3 * ["its name leads out of the folder"] + [
        "found a symbolic link", "found a hard link", "found a device", "found a pipe", "found a folder", "no member of this name"]
    for reason, words in zip(found, expected):
        assert (reason is None) if words is None else words in reason, reason
    assert not outside.exists() and not Path("/tmp/absolute.wav").exists()
    # A link in a zip, by its mode.
    with zipfile.ZipFile(tmp_path / "l.zip", "w") as file:
        info = zipfile.ZipInfo("link.wav")
        info.create_system, info.external_attr = 3, 0o120777 << 16
        file.writestr(info, "good.wav")
        file.writestr("good.wav", data)
    found = failures(veery, tmp_path, ["l.zip::link.wav", "l.zip::good.wav"])
    assert "found a symbolic link" in found[0] and found[1] is None


def test_missing_archives_and_members_have_different_errors(veery, tmp_path):
    write_wav(tmp_path / "s/good.wav", 16000, noise(1, 8000))
    pack(tmp_path / "a.tar", tmp_path / "s", ["good.wav"])
    (tmp_path / "text.tar").write_text("not an archive " * 100)
    (tmp_path / "empty.zip").write_bytes(b"")
    (tmp_path / "folder.tar").mkdir()
    (tmp_path / "a.tar.xz").write_bytes(b"\xfd7zXZ\0" + bytes(100))
    # A file that has the whole name takes precedence.
    shutil.copy(tmp_path / "s/good.wav", tmp_path / "a.tar::real.wav")
    found = failures(veery, tmp_path, [
        "a.tar::good.wav", "a.tar::real.wav", "b.tar::good.wav", "a.tar::bad.wav", "text.tar::x.wav", "empty.zip::x.wav",
        "folder.tar::x.wav", "a.tar.xz::x.wav", "a.txt::x.wav", "a.tar::"])
    expected = [None, None, "there is no such archive (No such file", "no member of this name", "it is neither a tar archive nor a zip",
                "empty file", "not a regular file", "compressed by xz", "No such file or directory", "No such file or directory"]
    for reason, words in zip(found, expected):
        assert (reason is None) if words is None else words in reason, (reason, words)
    assert found[2].startswith("cannot read 'good.wav' in the archive 'b.tar':")


@pytest.mark.long
def test_bombs_are_failures(veery, tmp_path):
    write_wav(tmp_path / "s/good.wav", 16000, noise(1, 8000))
    data = (tmp_path / "s/good.wav").read_bytes()
    # More than 1 GiB of zeros after a member: a megabyte of gzip.
    header = tarfile.TarInfo("zeros.wav")
    header.size = 5 << 28
    packer = zlib.compressobj(9, wbits=31)
    pieces = [packer.compress(header.tobuf(tarfile.GNU_FORMAT))]
    block = bytes(1 << 24)
    pieces += [packer.compress(block) for _ in range(header.size >> 24)]
    (tmp_path / "b.tar.gz").write_bytes(b"".join(pieces) + packer.flush())
    with zipfile.ZipFile(tmp_path / "b.zip", "w", zipfile.ZIP_DEFLATED) as file:
        with file.open("zeros.wav", "w", force_zip64=True) as member:
            for _ in range(header.size >> 24):
                member.write(block)
        file.writestr("good.wav", data)
    # A zip whose directory gives a smaller size than the member has.
    liar = io.BytesIO()
    with zipfile.ZipFile(liar, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("l.wav", bytes(1 << 20))
    liar = bytearray(liar.getvalue())
    directory = liar.rindex(b"PK\1\2")
    liar[directory + 24:directory + 28] = struct.pack("<I", 1000)
    (tmp_path / "l.zip").write_bytes(liar)
    # A sparse file of 8 TB.
    with open(tmp_path / "sparse.wav", "wb") as file:
        file.truncate(1 << 30)
    if subprocess.run(["tar", "-C", tmp_path, "-Scf", tmp_path / "p.tar", "sparse.wav"], capture_output=True).returncode:
        pytest.skip("SKIPPED: tar does not know sparse files")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    found = failures(veery, tmp_path, ["b.tar.gz::zeros.wav", "b.zip::zeros.wav", "b.zip::good.wav", "l.zip::l.wav", "p.tar::sparse.wav"],
                     "--scratch", scratch)
    assert "more than 100 times as large" in found[0] and "more than 100 times as large" in found[1]
    assert found[2] is None and "found a sparse file" in found[4], found
    assert "l.wav" in found[3]
    assert not any(scratch.iterdir()), "nothing is left"


def test_of_equal_names_the_last_member_counts(veery, tmp_path):
    for index in range(2):
        write_wav(tmp_path / f"s{index}/x.wav", 16000, noise(index, 8000))
    with tarfile.open(tmp_path / "a.tar", "w") as file:
        for index in range(2):
            file.add(tmp_path / f"s{index}/x.wav", ["./x.wav", "x.wav"][index])
    for name, path in [("r", "s1/x.wav"), ("m", "a.tar::x.wav"), ("n", "a.tar::./x.wav")]:
        write_manifest(tmp_path / f"{name}.csv", [{"id": "c", "path": path}])
        extract(veery, tmp_path / f"{name}.csv", tmp_path / f"{name}.h5", status=0)
    for name in ("m", "n"):
        assert_equal(tmp_path / f"{name}.h5", tmp_path / "r.h5")


# --------------------------------------------------------------------------------------------------- resuming, appending

@pytest.mark.long
def test_a_killed_run_is_resumed(program, veery, tmp_path):
    folder = tmp_path / "s"
    names = [f"{index}.wav" for index in range(120)]
    for index, name in enumerate(names):
        write_wav(folder / name, 16000, noise(index, 80000))
    for kind in ("a.tar", "a.tar.gz", "deflated.zip"):
        pack(tmp_path / kind, folder, names)
    paths = [f"{('a.tar', 'a.tar.gz', 'deflated.zip')[index % 3]}::{name}" for index, name in enumerate(names)]
    manifest(tmp_path / "r.csv", names, lambda name: folder / name)
    write_manifest(tmp_path / "m.csv", [{"id": f"c{index}", "path": path} for index, path in enumerate(paths)])
    extract(veery, tmp_path / "r.csv", tmp_path / "r.h5", status=0)
    for attempt in range(30):
        running = subprocess.Popen([program, "extract", tmp_path / "m.csv", "-o", tmp_path / "m.h5", *OPTIONS, "--jobs", "2"])
        time.sleep(0.15 + attempt / 50)
        running.send_signal(signal.SIGKILL)
        running.wait()
        size = sum(path.stat().st_size for path in (tmp_path / "m.h5.spool").glob("*")) if (tmp_path / "m.h5.spool").exists() else 0
        if size > 100_000 and not (tmp_path / "m.h5").exists():
            break
        if (tmp_path / "m.h5").exists():
            (tmp_path / "m.h5").unlink()
    result = veery("extract", tmp_path / "m.csv", "-o", tmp_path / "m.h5", *OPTIONS[:2])
    assert "resum" in result.stderr, result.stderr
    assert_equal(tmp_path / "m.h5", tmp_path / "r.h5")


def test_a_changed_archive_is_read_again(veery, tmp_path):
    folder = tmp_path / "s"
    for index in range(3):
        write_wav(folder / f"{index}.wav", 16000, noise(index, 8000))
    names = ["0.wav", "1.wav"]
    for kind in ("a.tar", "a.tar.gz", "stored.zip"):
        pack(tmp_path / kind, folder, names)
        manifest(tmp_path / "m.csv", names, lambda name: f"{kind}::{name}")
        extract(veery, tmp_path / "m.csv", tmp_path / f"{kind}.h5", status=0)
        other = dict(zip(names, ["2.wav", "1.wav"]))
        shutil.copytree(folder, tmp_path / "t", dirs_exist_ok=True)
        shutil.copy(folder / "2.wav", tmp_path / "t/0.wav")
        pack(tmp_path / kind, tmp_path / "t", names)
        result = veery("extract", tmp_path / "m.csv", "-o", tmp_path / f"{kind}.h5", *OPTIONS[:2], status=1)
        assert "changed" in result.stderr or "differ" in result.stderr or "other" in result.stderr, result.stderr
        extract(veery, tmp_path / "m.csv", tmp_path / f"{kind}.h5", "--overwrite", status=0)
        manifest(tmp_path / "r.csv", names, lambda name: folder / other[name])
        extract(veery, tmp_path / "r.csv", tmp_path / "r.h5", "--overwrite", status=0)
        assert_equal(tmp_path / f"{kind}.h5", tmp_path / "r.h5")


@pytest.mark.parametrize("kind", ["a.tar", "a.tar.zst", "deflated.zip"])
def test_append(veery, sounds, tmp_path, kind):
    folder, names = sounds
    names = [name for name in names if "text" not in name and "empty" not in name and "cut" not in name]
    pack(tmp_path / kind, folder, names)
    for name, locate in [("r", lambda name: folder / name), ("m", lambda name: f"{kind}::{name}")]:
        manifest(tmp_path / f"{name}.csv", names[:5], locate)
        extract(veery, tmp_path / f"{name}.csv", tmp_path / f"{name}.h5", status=0)
        manifest(tmp_path / f"{name}.csv", names, locate)
        extract(veery, tmp_path / f"{name}.csv", tmp_path / f"{name}.h5", "--append", status=0)
    assert_equal(tmp_path / "m.h5", tmp_path / "r.h5")


def test_a_recording_of_an_archive_leaks_like_any_other(veery, tmp_path):
    write_wav(tmp_path / "s/x.wav", 16000, noise(1, 32000))
    write_wav(tmp_path / "s/y.wav", 16000, noise(2, 32000))
    pack(tmp_path / "a.tar", tmp_path / "s", ["x.wav", "y.wav"])

    def check(first, second):
        write_manifest(tmp_path / "m.csv", [
            {"id": "a", "path": first, "split": "train", "start": 0, "end": 1},
            {"id": "b", "path": second, "split": "test", "start": 0.5, "end": 1.5}])
        return veery("check", tmp_path / "m.csv", status=(0, 3)).returncode
    assert check("a.tar::x.wav", "./a.tar::./x.wav") == 3
    assert check("a.tar::x.wav", "a.tar::y.wav") == 0


def test_a_missing_archive_keeps_what_was_read_before(program, veery, tmp_path):
    """A disk that is not mounted must not lead to a file without its clips."""
    write_wav(tmp_path / "s/x.wav", 16000, noise(1, 16000))
    pack(tmp_path / "a.tar", tmp_path / "s", ["x.wav"])
    write_manifest(tmp_path / "m.csv", [{"id": "a", "path": "a.tar::x.wav"}])
    extract(veery, tmp_path / "m.csv", tmp_path / "m.h5", status=0)
    (tmp_path / "a.tar").rename(tmp_path / "b.tar")
    write_wav(tmp_path / "s/y.wav", 16000, noise(2, 16000))
    write_manifest(tmp_path / "m.csv", [{"id": "a", "path": "a.tar::x.wav"}, {"id": "b", "path": "s/y.wav"}])
    result = veery("extract", tmp_path / "m.csv", "-o", tmp_path / "m.h5", *OPTIONS[:2], "--append", status=0)
    assert "kept unchecked: the recordings are missing" in result.stderr


# ------------------------------------------------------------------------------------------------------ crawl and render

def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("kind", ["d/speech.tar", "d/speech.tar.gz", "d/speech.zip"])
def test_crawl_takes_an_archive_for_a_folder(veery, sounds, tmp_path, kind):
    folder, names = sounds
    shutil.copytree(folder, tmp_path / "r/d/speech")
    write_wav(tmp_path / "r/top.wav", 16000, noise(1, 8000))
    shutil.copytree(tmp_path / "r", tmp_path / "a")
    shutil.rmtree(tmp_path / "a/d/speech")
    pack(tmp_path / "a" / kind, folder, names, "./" if "tar" in kind else "")
    for options in ([], ["--label-from", "(?<label>[^/]+)/(?<number>[^/]+)$"]):
        for root in ("r", "a"):
            result = veery("crawl", root, "-o", f"{root}.csv", "--overwrite", *options, folder=tmp_path)
        assert "1 archive looked into" in result.stderr
        unpacked, packed = rows(tmp_path / "r.csv"), rows(tmp_path / "a.csv")
        assert [{**row, "path": ""} for row in packed] == [{**row, "path": ""} for row in unpacked]
        assert packed[0]["path"].startswith(f"a/{kind}::")
    for root in ("r", "a"):
        extract(veery, tmp_path / f"{root}.csv", tmp_path / f"{root}.h5")
    assert_equal(tmp_path / "a.h5", tmp_path / "r.h5", DIFFERENT - {"clips/id", "failures/id"})
    # The archive itself, as the folder itself.
    veery("crawl", f"a/{kind}", "-o", "a.csv", "--overwrite", folder=tmp_path)
    veery("crawl", "r/d/speech", "-o", "r.csv", "--overwrite", folder=tmp_path)
    unpacked, packed = rows(tmp_path / "r.csv"), rows(tmp_path / "a.csv")
    assert [{**row, "path": ""} for row in packed] == [{**row, "path": ""} for row in unpacked]
    veery("check", tmp_path / "a.csv", status=3)
    veery("crawl", "a", "-o", "n.csv", "--no-archives", folder=tmp_path)
    assert len(rows(tmp_path / "n.csv")) == 1
    first = packed[0]["path"]
    veery("render", first, "-o", "p.png", folder=tmp_path)
    veery("render", folder / first.split("::")[1], "-o", "q.png", folder=tmp_path)
    assert (tmp_path / "p.png").stat().st_size > 1000
    extract(veery, tmp_path / "a.csv", tmp_path / "a.h5", "--overwrite")
    with h5py.File(tmp_path / "a.h5") as file:
        clip = file["clips/id"].asstr()[0]
    veery("render", "a.h5", "--clip", clip, "--waveform", "-o", "w.png", folder=tmp_path)
    assert "clipped" in veery("inspect", "a.h5", "--html", "page.html", folder=tmp_path).stdout + (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("kind", ["speech.tar", "speech.tar.zst", "speech.zip"])
def test_extract_takes_an_archive_for_a_folder(veery, sounds, tmp_path, kind):
    folder, names = sounds
    pack(tmp_path / kind, folder, names)
    result = veery("extract", tmp_path / kind, "-o", tmp_path / "a.h5", *OPTIONS[:2], status=3)
    assert "read as an archive of recordings" in result.stderr
    extract(veery, folder, tmp_path / "r.h5")
    assert_equal(tmp_path / "a.h5", tmp_path / "r.h5", DIFFERENT - {"clips/id", "failures/id"})
    # The archive that a folder was unpacked from may be next to it.
    shutil.copytree(folder, tmp_path / "both/speech")
    shutil.copy(tmp_path / kind, tmp_path / "both")
    extract(veery, tmp_path / "both", tmp_path / "b.h5")
    with h5py.File(tmp_path / "b.h5") as file, h5py.File(tmp_path / "r.h5") as other:
        assert len(file["clips/id"]) == 2 * len(other["clips/id"])


def test_crawl_says_what_it_passes_over(veery, tmp_path):
    write_wav(tmp_path / "s/x.wav", 16000, noise(1, 8000))
    (tmp_path / "a").mkdir()
    data = (tmp_path / "s/x.wav").read_bytes()
    with tarfile.open(tmp_path / "a/t.tar", "w") as file:
        for name, kind in [("x.wav", tarfile.REGTYPE), ("../y.wav", tarfile.REGTYPE), ("l.wav", tarfile.SYMTYPE),
                           (".hidden/z.wav", tarfile.REGTYPE), ("._x.wav", tarfile.REGTYPE), ("notes.txt", tarfile.REGTYPE)]:
            info = tarfile.TarInfo(name)
            (info.type, info.size) = (kind, len(data) if kind == tarfile.REGTYPE else 0)
            file.addfile(info, io.BytesIO(data))
    whole = (tmp_path / "a/t.tar").read_bytes()
    (tmp_path / "a/cut.tar").write_bytes(whole[:2000])
    (tmp_path / "a/bad.zip").write_bytes(b"PK\3\4 and nothing")
    result = veery("crawl", "a", "-o", "m.csv", folder=tmp_path)
    assert [row["path"] for row in rows(tmp_path / "m.csv")] == ["a/t.tar::x.wav"]
    for words in ["'t.tar::../y.wav' (its name leads out", "'t.tar::l.wav' (expected a regular file",
                  "'bad.zip' (it is cut off", "'cut.tar' (it is cut off at byte 2000",
                  "'cut.tar::x.wav' (", "1 other file skipped"]:
        assert words in result.stderr, (words, result.stderr)
    assert "cannot be read as an archive" in veery("crawl", "a/bad.zip", "-o", "n.csv", folder=tmp_path, status=1).stderr


# ------------------------------------------------------------------------------------------------------------ WebDataset

def shard(path, samples, prefix=""):
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as file:
        for key, members in samples:
            for ending, content in members.items():
                info = tarfile.TarInfo(f"{prefix}{key}.{ending}")
                info.size = len(content)
                file.addfile(info, io.BytesIO(content))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(compressed(plain.getvalue(), path.name))


@pytest.mark.parametrize("ending", ["tar", "tar.gz"])
def test_webdataset_shards(veery, tmp_path, ending):
    def sound(index):
        write_wav(tmp_path / "x.wav", 16000, noise(index, 8000))
        return (tmp_path / "x.wav").read_bytes()
    for number in range(2):
        shard(tmp_path / f"w/train-{number:06}.{ending}", [
            (f"a/{number}{index:03}", {"wav": sound(index), "cls": f"{index % 2}\n".encode(), "txt": "Grüße,\nzwei".encode(),
                                       "json": b'{"speaker": "s%d", "duration": 0.5, "split": "train", "n": 7}' % index})
            for index in range(3)])
    # A sample without text, and one with damaged JSON.
    shard(tmp_path / f"w/val-000000.{ending}", [("0", {"flac.wav": sound(9), "cls": b"5"}), ("1", {"json": b"{", "wav": sound(8)})])
    result = veery("crawl", "w", "-o", "m.csv", folder=tmp_path)
    assert "WebDataset shards" in result.stderr and "'1.json' beside it" in result.stderr
    found = rows(tmp_path / "m.csv")
    assert len(found) == 8 and "other file" not in result.stderr
    assert found[0] == {
        "path": f"w/train-000000.{ending}::a/0000.wav", "id": "train-000000/a/0000", "label": "0", "split": "train",
        "text": "Grüße,\nzwei", "speaker": "s0", "json_duration": "0.5", "n": "7"}, found[0]
    assert [row["label"] for row in found] == ["0", "1", "0", "0", "1", "0", "5", ""]
    extract(veery, tmp_path / "m.csv", tmp_path / "m.h5", status=0)
    with h5py.File(tmp_path / "m.h5") as file:
        assert file["clips/extra/speaker"].asstr()[1] == "s1"
    # An ordinary archive with a list of its recordings is not a WebDataset shard.
    shard(tmp_path / f"o/plain.{ending}", [("list", {"txt": b"a"}), ("a", {"wav": sound(1)}), ("b", {"wav": sound(2)})])
    result = veery("crawl", "o", "-o", "o.csv", folder=tmp_path)
    assert "WebDataset" not in result.stderr and [row["label"] for row in rows(tmp_path / "o.csv")] == ["plain", "plain"]


def test_an_archive_that_is_compressed_otherwise_is_passed_over_and_not_called_damaged(veery, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    write_wav(data / "a.wav", 16000, noise(1, 8000))
    with tarfile.open(data / "rec.tar.xz", "w:xz") as file:
        file.add(data / "a.wav", "b.wav")
    said = veery("crawl", "data", "-o", "m.csv", folder=tmp_path).stderr
    assert "1 file is passed over that may be a recording: 'rec.tar.xz' (archives compressed by xz are not read: unpack it" in said, said
    assert "damaged" not in said and "fetch" not in said, said
