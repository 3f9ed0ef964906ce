"""`extract --tar`: a tar that is read once, forward. Every value equals that of the same tar on the disk, and of the unpacked
recordings."""

import io
import random
import re
import signal
import subprocess
import tarfile
import time
import zlib

import h5py
import pytest

from conftest import noise, tone, write_wav
from test_archives import DIFFERENT, OPTIONS, assert_equal, compressed, datasets, pack, sounds  # noqa: F401

OWN_RATE = ["--set", "normalize.scope=none", "--set", "audio.sample_rate=null"]


@pytest.fixture(scope="session")
def stream(program):
    """Runs `extract --tar -` with bytes for standard input."""

    def run(data, output, *options, status=0):
        result = subprocess.run(
            [program, "extract", "--tar", "-", "-o", str(output), *map(str, options)], input=data, capture_output=True, timeout=300)
        text = result.stderr.decode()
        allowed = status if isinstance(status, tuple) else (status,)
        assert result.returncode in allowed, f"exit status {result.returncode}: {text}"
        for sign in ("Fatal error", "Backtrace", "Thread 0", "NSError", "Error Domain"):
            assert sign not in text, text
        return text

    return run


def tar(members):
    """A tar of names and bytes."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return file.getvalue()


def wav(seed, count=8000):
    """Bytes of a small recording."""
    samples = (noise(seed, count) * 32767).astype("<i2").tobytes()
    header = b"RIFF" + (36 + len(samples)).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
    header += b"\1\0\1\0" + (16000).to_bytes(4, "little") + (32000).to_bytes(4, "little") + b"\2\0\x10\0data"
    return header + len(samples).to_bytes(4, "little") + samples


@pytest.mark.parametrize("kind, options", [
    ("a.tar", []), ("pax.tar", OWN_RATE), ("a.tar.gz", OWN_RATE), ("a.tar.zst", [])], ids=["tar", "pax", "gz", "zst"])
def test_every_value_equals_that_of_the_unpacked_recordings(veery, stream, sounds, tmp_path, kind, options):
    folder, names = sounds
    if "audio.sample_rate=null" in options:
        # Those of the first rate; the first members cannot be opened.
        names = [name for name in names if name in ("mixed/text.wav", "mixed/empty.wav") or name[:3] in ("yes", "no/")]
    random.Random(1).shuffle(names)
    names.sort(key=lambda name: name not in ("mixed/text.wav", "mixed/empty.wav"))
    data = pack(tmp_path / kind, folder, names).read_bytes()
    unpacked = tmp_path / "unpacked"
    with tarfile.open(fileobj=io.BytesIO(pack(tmp_path / "plain.tar", folder, names).read_bytes())) as file:
        file.extractall(unpacked, filter="data")
    settings = [*OPTIONS[:2], *options]
    veery("extract", unpacked, "-o", tmp_path / "u.h5", *settings, "--quiet", status=(0, 3))
    veery("extract", tmp_path / kind, "-o", tmp_path / "f.h5", *settings, "--quiet", status=(0, 3))
    first = None
    for jobs in (1, 3):
        output = tmp_path / f"s{jobs}.h5"
        stream(data, output, *settings, "--jobs", jobs, "--quiet", status=(0, 3))
        found, expected = assert_equal(output, tmp_path / "u.h5", DIFFERENT - {"clips/id", "failures/id", "failures/reason"} )
        assert_equal(output, tmp_path / "f.h5", DIFFERENT - {"clips/id", "failures/id", "failures/reason"})
        # The paths in the tar are those below the unpacked folder, and so are the records.
        assert found["clips/path"].tolist() == expected["clips/path"].tolist()
        assert found["clips/record_xxh3"].tolist() == expected["clips/record_xxh3"].tolist()
        assert found["failures/path"].tolist() == expected["failures/path"].tolist() and len(expected["failures/path"]) >= 2
        first = first or output.read_bytes()
        assert output.read_bytes() == first
        assert not list(tmp_path.glob("*.spool"))
    veery("inspect", tmp_path / "s1.h5", "--verify")


@pytest.mark.parametrize("kind", [
    "a.tar.zst", *(pytest.param(kind, marks=pytest.mark.long) for kind in ("a.tar", "a.tar.gz"))])
def test_real_recordings(veery, stream, collection, tmp_path, kind):
    endings = {".wav", ".flac", ".ogg", ".mp3", ".aiff", ".au", ".w64", ".caf", ".opus", ".sph", ".voc", ".rf64"}
    names = sorted(str(path.relative_to(collection)) for path in collection.rglob("*") if path.suffix.lower() in endings)
    assert len(names) > 900
    random.Random(2).shuffle(names)
    data = pack(tmp_path / kind, collection, names).read_bytes()
    veery("extract", tmp_path / kind, "-o", tmp_path / "f.h5", *OPTIONS, status=(0, 3))
    stream(data, tmp_path / "s.h5", *OPTIONS, "--jobs", 2, status=(0, 3))
    found, expected = assert_equal(
        tmp_path / "s.h5", tmp_path / "f.h5", {"clips/path", "clips/record_xxh3", "failures/path"})
    assert [f"{kind}::".encode() + path for path in found["clips/path"]] == expected["clips/path"].tolist()


def shards():
    """Two WebDataset shards."""
    for shard in range(2):
        members = []
        for index in range(6):
            key = f"{shard}{index:05}"
            members += [(f"{key}.wav", wav(10 * shard + index)), (f"{key}.cls", b"owl\n" if index % 2 else b"wren"),
                        (f"{key}.json", f'{{"speaker": "s{index % 3}", "split": "train", "n{shard}": {index}}}'.encode())]
            if index == 3:
                members.append((f"{key}.txt", "Grüße".encode()))
            # The text may come first.
            if index == 4:
                members[-3:] = members[-2:] + members[-3:-2]
        yield tar(members)


def test_shards_that_follow_one_another(veery, stream, tmp_path):
    one, two = shards()
    (tmp_path / "both.tar").write_bytes(tar([]) + one + two)
    with tarfile.open(fileobj=io.BytesIO(one)) as a, tarfile.open(fileobj=io.BytesIO(two)) as b:
        joined = tar([(item.name, file.extractfile(item).read()) for file in (a, b) for item in file])
    (tmp_path / "joined.tar").write_bytes(joined)
    veery("extract", tmp_path / "joined.tar", "-o", tmp_path / "f.h5", "--quiet")
    stream(one + two, tmp_path / "s.h5", "--quiet")
    found, expected = assert_equal(tmp_path / "s.h5", tmp_path / "f.h5", {"clips/path", "clips/record_xxh3"})
    assert {"clips/extra/speaker", "clips/extra/text", "clips/extra/n0", "clips/extra/n1"} <= set(found)
    assert len(found["clips/id"]) == 12 and [name.decode() for name in found["labels"]] == ["owl", "wren"]
    # Compressed, too, each for itself; and from a named pipe or a file.
    packed = zlib.compress(one, wbits=31) + zlib.compress(two, wbits=31)
    stream(packed, tmp_path / "z.h5", "--quiet")
    assert (tmp_path / "z.h5").read_bytes() == (tmp_path / "s.h5").read_bytes()
    veery("extract", "--tar", tmp_path / "joined.tar", "-o", tmp_path / "j.h5", "--quiet")
    assert_equal(tmp_path / "j.h5", tmp_path / "s.h5", set())


@pytest.mark.parametrize("order", [
    ["a.cls", "b.png", "a.wav"], ["a.cls", "a.png", "a.wav"], ["a.wav", "b.txt", "a.cls"], ["b.png", "a.wav", "a.cls"]], ids=" ".join)
def test_a_member_in_between_ends_a_sample(veery, stream, tmp_path, order):
    contents = {"wav": wav(1), "cls": b"owl", "txt": b"text", "png": b"picture"}
    data = tar([(name, contents[name[2:]]) for name in order] + [("c.wav", wav(2)), ("c.cls", b"wren")])
    (tmp_path / "t.tar").write_bytes(data)
    veery("extract", tmp_path / "t.tar", "-o", tmp_path / "f.h5", "--quiet")
    stream(data, tmp_path / "s.h5", "--quiet")
    assert_equal(tmp_path / "s.h5", tmp_path / "f.h5", {"clips/path", "clips/record_xxh3"})


@pytest.mark.parametrize("later", [["a.wav"], ["a.wav", "a.cls"]], ids=" ".join)
def test_a_recording_that_is_replaced_later_keeps_its_label(veery, stream, tmp_path, later):
    """`tar -r` leaves such an archive."""
    members = [("a.wav", wav(1)), ("a.cls", b"owl"), ("b.wav", wav(2)), ("b.cls", b"wren")]
    members += [(name, wav(3) if name == "a.wav" else b"barn owl") for name in later]
    (tmp_path / "t.tar").write_bytes(tar(members))
    veery("extract", tmp_path / "t.tar", "-o", tmp_path / "f.h5", "--quiet")
    stream(tar(members), tmp_path / "s.h5", "--quiet")
    found, _ = assert_equal(tmp_path / "s.h5", tmp_path / "f.h5", {"clips/path", "clips/record_xxh3"})
    assert [name.decode() for name in found["labels"]] == ["owl" if len(later) == 1 else "barn owl", "wren"]


def test_names_and_kinds(veery, stream, tmp_path):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, data in [("./x/a.wav", wav(1)), ("x/b.wav", wav(2)), ("x/a.wav", wav(3)), ("x/.hidden.wav", wav(4)),
                           ("../up.wav", wav(5)), ("x/notes.md", b"text"), ("y/" + "long/" * 40 + "c.wav", wav(6))]:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        link = tarfile.TarInfo("x/link.wav")
        link.type, link.linkname = tarfile.SYMTYPE, "a.wav"
        archive.addfile(link)
    (tmp_path / "n.tar").write_bytes(file.getvalue())
    text = stream(file.getvalue(), tmp_path / "s.h5")
    assert "'../up.wav' (its name leads out of the folder" in text, text
    assert "'x/link.wav' (expected a regular file, found a symbolic link" in text, text
    assert "1 recording occurs several times, and is taken once: 'x/a.wav'" in text, text
    veery("extract", tmp_path / "n.tar", "-o", tmp_path / "f.h5", "--quiet")
    found, _ = assert_equal(tmp_path / "s.h5", tmp_path / "f.h5", {"clips/path", "clips/record_xxh3"})
    assert [path.decode() for path in found["clips/path"]] == ["x/a.wav", "x/b.wav", "y/" + "long/" * 40 + "c.wav"]
    assert [name.decode() for name in found["labels"]] == ["long", "x"]


def many(count=60):
    return [(f"{'owl' if index % 2 else 'wren'}/{index:03}.wav", wav(index, 4000 + 100 * index)) for index in range(count)]


@pytest.mark.parametrize("attempts", [1, pytest.param(8, marks=pytest.mark.long)])
def test_a_killed_run_is_resumed(program, stream, tmp_path, attempts):
    """Killed while the stream pauses after any number of members; the same stream gives the same bytes.

    TaskSituationTests stops it within the library."""
    members = many()
    data = tar(members)
    stream(data, tmp_path / "expected.h5", "--quiet")
    expected = (tmp_path / "expected.h5").read_bytes()
    chance = random.Random(5)
    resumed = 0
    for attempt in range(attempts):
        output = tmp_path / f"k{attempt}.h5"
        for _ in range(chance.randrange(1, 3)):
            process = subprocess.Popen(
                [program, "extract", "--tar", "-", "-o", output, "--jobs", "2", "--progress", "none"],
                stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
            process.stdin.write(data[:chance.randrange(len(data) // 10, len(data))])
            process.stdin.flush()
            time.sleep(chance.choice([0.05, 0.3, 1.5] if attempt else [0.3]))
            process.send_signal(signal.SIGKILL)
            process.wait()
            process.stdin.close()
            assert not output.exists()
        text = stream(data, output, "--jobs", chance.randrange(1, 4))
        assert output.read_bytes() == expected, f"attempt {attempt}"
        resumed += "resuming an interrupted run" in text
    assert resumed or attempts < 3, "no run was resumed"


def test_only_equal_recordings_are_resumed(stream, tmp_path):
    members = many(20)
    data = tar(members)
    output = tmp_path / "o.h5"
    text = stream(data[:len(data) * 3 // 4 // 512 * 512], output, status=1)
    assert "standard input: it is cut off at byte" in text and "give the same command again to resume" in text, text
    # One recording has changed, and one is gone, so that those after it have another number.
    changed = [(name, wav(500, 5000) if index == 3 else data) for index, (name, data) in enumerate(members) if index != 9]
    stream(tar(changed), tmp_path / "expected.h5", "--quiet")
    text = stream(tar(changed), output)
    assert "resuming an interrupted run" in text and output.read_bytes() == (tmp_path / "expected.h5").read_bytes(), text
    # With the same stream, nothing is decoded again.
    stream(data.rstrip(b"\0") + bytes(-len(data.rstrip(b"\0")) % 512), tmp_path / "p.h5", status=1)
    before = sorted((path.name, path.stat().st_size) for path in (tmp_path / "p.h5.spool").glob("*"))
    text = stream(data[:-10240 * 4], tmp_path / "p.h5", status=1)
    assert "resuming an interrupted run: 20 clips of it are kept" in text, text
    assert sorted((path.name, path.stat().st_size) for path in (tmp_path / "p.h5.spool").glob("*")) == before
    stream(data, tmp_path / "p.h5")
    # Another configuration is refused.
    stream(data[:100000], tmp_path / "q.h5", status=1)
    text = stream(data, tmp_path / "q.h5", "--set", "transform.bins=20", status=1)
    assert "transform.bins was 80 and is 20 now" in text, text
    stream(data, tmp_path / "q.h5", "--set", "transform.bins=20", "--fresh")


def test_a_stream_that_breaks_at_once_loses_nothing(stream, tmp_path):
    """The download fails at its first byte, inside the first member, or is not a tar at all: what an earlier run did stays."""
    data = tar(many(20))
    output = tmp_path / "o.h5"
    stream(data[:len(data) * 3 // 4], output, status=1)
    before = {path.name: path.read_bytes() for path in (tmp_path / "o.h5.spool").iterdir()}
    assert sum(map(len, before.values())) > 50_000
    for broken in (b"", data[:1000], b"<html>503 Service Unavailable</html>" * 40):
        text = stream(broken, output, status=1)
        after = {path.name: path.read_bytes() for path in (tmp_path / "o.h5.spool").iterdir()}
        assert all(after.get(name, b"").startswith(content) for name, content in before.items() if len(content) > 1000), text
    text = stream(data, output)
    assert "resuming an interrupted run: 1" in text, text
    stream(data, tmp_path / "expected.h5", "--quiet")
    assert output.read_bytes() == (tmp_path / "expected.h5").read_bytes()


def test_a_stream_that_is_cut_off_never_makes_a_file(stream, tmp_path):
    members = many(6)
    data = tar(members)
    end = len(data.rstrip(b"\0")) + 511 & ~511
    # Also exactly between two members, where only the end of the tar is missing; every other length is a case of TarStreamTests.
    with tarfile.open(fileobj=io.BytesIO(data)) as file:
        border = [item.offset for item in file][3]
    for cut in [511, 700, border, end]:
        output = tmp_path / f"{cut}.h5"
        text = stream(data[:cut], output, status=1)
        expected = "it may be cut off: the zeros that end a tar are missing at byte"
        if cut % 512 > 0:
            expected = "it is not a tar archive" if cut < 512 else "it is cut off at byte"
        assert expected in text, (cut, text)
        assert not output.exists()
    packed = zlib.compress(data, wbits=31)
    for cut in (len(packed) // 2, len(packed) - 1):
        text = stream(packed[:cut], tmp_path / "z.h5", "--fresh", status=1)
        assert "it is cut off" in text and not (tmp_path / "z.h5").exists(), text


@pytest.mark.parametrize("kind", ["gz", "zst"])
def test_damaged_compression_never_makes_a_file(stream, tmp_path, kind):
    data = tar(many(12))
    packed = compressed(data, kind)
    output = tmp_path / "o.h5"
    chance = random.Random(9)
    for _ in range(3):
        damaged = bytearray(packed)
        damaged[chance.randrange(20, len(packed) - 8)] ^= 1 << chance.randrange(8)
        text = stream(bytes(damaged), output, status=1)
        assert "standard input: " in text and not output.exists(), text
    # Clips that were read from damaged bytes are not used.
    stream(packed, output, "--quiet")
    stream(data, tmp_path / "expected.h5", "--quiet")
    assert output.read_bytes() == (tmp_path / "expected.h5").read_bytes()


def test_a_bomb_ends_the_run(stream, tmp_path):
    head = tarfile.TarInfo("a.wav")
    head.size = 5 << 30
    # Pieces that were packed each for itself are one stream.
    packed = compressed(head.tobuf(), "zst") + 80 * compressed(bytes(1 << 24), "zst")
    text = stream(packed, tmp_path / "o.h5", status=1)
    assert "more than 100 times as large" in text and not (tmp_path / "o.h5").exists(), text


@pytest.mark.parametrize("data, words", [
    (b"", "expected a tar, found nothing (0 bytes)"),
    (b"no tar, just text\n" * 100, "it is not a tar archive"),
    (b"PK\3\4" + bytes(1000), "a zip has its list at its end: give it as a file, without --tar"),
    (b"\xfd7zXZ\0" + bytes(1000), "archives compressed by xz are not read"),
    (tar([("notes.txt", b"x"), ("b.md", b"y")]), "expected a tar with recordings, found none among 1 other file"),
    (tar([]), "expected a tar with recordings, found no files at all"),
    (tar([("a.wav", b"")]), "a.wav"),
])
def test_what_is_not_a_tar_of_recordings(stream, tmp_path, data, words):
    text = stream(data, tmp_path / "o.h5", "--set", "audio.sample_rate=null", status=1)
    assert words in text, text
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", [["--append"], ["--frame-labels", "a.csv"], ["--dry-run"], ["--root", "."], ["--format", "kaldi"], ["--column", "label=x"]])
def test_options_that_need_a_manifest(stream, tmp_path, option):
    text = stream(b"", tmp_path / "o.h5", *option, status=64)
    assert f"{option[0]} is not for --tar" in text, text


def test_an_existing_file_is_replaced_only_with_overwrite(stream, tmp_path):
    data = tar(many(3))
    output = tmp_path / "o.h5"
    stream(data, output)
    before = output.read_bytes()
    text = stream(data, output, status=1)
    assert "a stream cannot be compared with it before it is read: give --overwrite" in text, text
    assert output.read_bytes() == before
    stream(tar(many(4)), output, "--overwrite")
    assert len(datasets(output)["clips/id"]) == 4
    (tmp_path / "notes.h5").write_text("not features")
    assert "is no feature file" in stream(data, tmp_path / "notes.h5", "--overwrite", status=1)


def test_failures_are_kept_and_listed(stream, tmp_path):
    data = tar(many(3) + [("owl/bad.wav", b"not a recording" * 10), ("owl/empty.wav", b"")])
    text = stream(data, tmp_path / "o.h5", "--failures-out", tmp_path / "f.csv", status=3)
    assert "owl/bad.wav" in text and (tmp_path / "f.csv").read_text().count("owl/") >= 2
    with h5py.File(tmp_path / "o.h5") as file:
        assert file["failures/path"].asstr()[:].tolist() == ["owl/bad.wav", "owl/empty.wav"]


def test_a_stream_that_breaks_off_says_how_many_of_its_clips_failed(stream, tmp_path):
    data = tar([("owl/bad.wav", b"not a recording" * 10)] + many(10))
    said = [stream(data[:len(data) // share], tmp_path / "o.h5", status=1) for share in (2, 3)]
    # The second run comes less far, and keeps what the first one has done.
    found = [re.search(r"\n *(\d+) clips are done and kept in .* \(1 of them failed\): give the same command again", text) for text in said]
    assert found[0] and found[1] and int(found[0][1]) == int(found[1][1]) > 2, said


def test_an_interrupt_ends_a_stream_that_waits(program, tmp_path):
    data = tar(many(10))
    process = subprocess.Popen(
        [program, "extract", "--tar", "-", "-o", tmp_path / "o.h5"], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write(data[:len(data) // 2])
    process.stdin.flush()
    while process.poll() is None and not any(path.stat().st_size for path in tmp_path.glob("o.h5.spool/clips-*.spool")):
        time.sleep(0.001)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    text = process.stderr.read().decode()
    assert process.wait(timeout=30) == 130 and time.monotonic() - start < 20
    assert "clips are done and kept" in text and not (tmp_path / "o.h5").exists(), text


def test_memory_and_disk_do_not_grow_with_the_stream(program, peak_memory, tmp_path):
    """120 MB pass through, and neither memory nor disk holds them."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    one = wav(1, 500_000)

    def run(count):
        path = tmp_path / f"{count}.tar"
        with tarfile.open(path, "w") as archive:
            for index in range(count):
                info = tarfile.TarInfo(f"{index}.wav")
                info.size = len(one)
                archive.addfile(info, io.BytesIO(one))
        with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as stream:
            return peak_memory(
                program, "extract", "--tar", "-", "-o", tmp_path / f"{count}.h5", "--scratch", scratch, "--jobs", "2",
                "--set", "frame.hop=0.1s", "--quiet", stdin=stream.stdout)

    small, large = run(10), run(120)
    assert large - small < 30e6, (small, large)
