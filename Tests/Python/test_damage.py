"""Damaged feature files: every command that reads one says so in a line, and neither crashes nor hangs; nothing is appended to
them, no statistics are taken from them, and where `inspect --verify` finds nothing, all values are the original ones.

VEERY_MUTATIONS sets how many files are tried; 10000 is the full test.
"""

import json
import os
import random
import shutil
import subprocess
import sys

import h5py
import pytest

from conftest import noise, write_manifest, write_wav

pytestmark = pytest.mark.long

COUNT = int(os.environ.get("VEERY_MUTATIONS", 240))
# Layout, compression, scope of the normalisation.
KINDS = [
    ("packed", "none", "dataset"), ("packed", "deflate", "dataset"), ("fixed", "none", "clip"), ("fixed", "deflate", "dataset")]
# Findings of `inspect --verify` that do not keep other runs from using the file: rows after a clip's own, which are never read, and
# the offset and size of the tensor. (`--append` checks the rows of a clip when it copies them.)
OF_ROWS = ("after the clip, holds", "not at a multiple of 4096", "rows together, but /features has")
ATTRIBUTES = {
    "/": ["format", "generator", "layout", "metadata_xxh3"],
    "/features": ["units", "long_name", "frame_period", "first_frame_time"],
    "/statistics": ["count", "fit", "scope", "method", "axis", "source"],
}
# Prints, for each further file, the items whose values differ from those of the first. In a process of its own: h5py may crash, too.
COMPARISON = f"""
import json, sys, h5py, numpy
def values(path, names):
    found = dict.fromkeys([*names, *{[f"{name}@{key}" for name, keys in ATTRIBUTES.items() for key in keys]!r}])
    try:
        file = h5py.File(path, "r")
    except OSError:
        return found
    with file:
        if not names:
            file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
        for name in names:
            if name in ("row", "clip"):
                continue
            try:
                value = numpy.asarray(file[name][()])
                kind = value.dtype.kind
                found[name] = repr((value.shape, value.tolist() if kind in "SO" else
                                    value.astype("f8" if kind == "f" else "i8").tobytes()))
            except Exception:
                found[name] = None
        for name, keys in {ATTRIBUTES!r}.items():
            for key in keys:
                try:
                    found[name + "@" + key] = str(file[name].attrs[key])
                except Exception:
                    found[name + "@" + key] = None
    return found
names = []
expected = values(sys.argv[1], names)
assert None not in expected.values()
for path in sys.argv[2:]:
    print(path, end=" ", flush=True)
    found = values(path, names)
    # A newer libhdf5 may refuse what Veery's libhdf5 reads: that is not a wrong value.
    print(json.dumps({{name: found[name][:200] for name in expected if found[name] not in (None, expected[name])}}), flush=True)
"""


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    """A manifest, and one that has grown: new clips before, between and after the old ones."""
    folder = tmp_path_factory.mktemp("damage")
    for i in range(8):
        write_wav(folder / f"{i}.wav", 16000, noise(i, 800 + 400 * i))
    rows = [{"path": f"{i}.wav", "label": "ab"[i % 2], "split": "train", "speaker": f"s{i}"} for i in range(8)]
    missing = {"path": "missing.wav", "split": "train"}
    return (write_manifest(folder / "m.csv", [*rows[:5], missing]),
            write_manifest(folder / "grown.csv", [rows[5], *rows[:2], rows[6], *rows[2:5], missing, rows[7]]))


def settings(layout, compression, scope):
    duration = ["--set", "audio.duration=0.1"] if layout == "fixed" else []
    return ["--max-failures", "100%", "--quiet", "--set", "transform.bins=8", *duration, "--set", f"store.layout={layout}",
            "--set", f"store.compression={compression}", "--set", f"normalize.scope={scope}"]


def made(veery, manifest, folder, kind):
    path = folder / f"{'-'.join(kind)}.h5"
    veery("extract", manifest, "-o", path, *settings(*kind))
    return path


def built(veery, recordings, path, kind):
    """Bytes of the file that `--append` makes of a file, and of the one that takes its statistics; the file itself does not change."""
    whole = path.read_bytes()
    greater, other = path.with_name("greater.h5"), path.with_name("other.h5")
    greater.write_bytes(whole)
    veery("extract", recordings[1], "-o", greater, "--append", *settings(*kind))
    assert greater.read_bytes() != whole
    if kind[2] != "dataset":
        return greater.read_bytes(), None
    veery("extract", recordings[0], "-o", other, "--stats-from", path, *settings(*kind))
    return greater.read_bytes(), other.read_bytes()


def mutated(whole, offsets, numbers):
    """Bytes changed, moved or cut off."""
    kind = numbers.randrange(10)
    if kind == 0:
        return whole[:numbers.randrange(len(whole))]
    data = bytearray(whole)
    if kind == 1:
        # Cut off and padded to its length: HDF5 refuses a short file by its length alone.
        start = numbers.randrange(len(data))
        data[start:] = bytes([numbers.choice([0, 255])]) * (len(data) - start)
        return bytes(data)
    if kind == 2:
        start, end = sorted(numbers.choices(offsets, k=2))
        length = min(end - start, 512)
        data[start:start + length] = data[end - length:end]
        return bytes(data)
    for _ in range(numbers.randint(1, 5)):
        data[numbers.choice(offsets)] = numbers.choice([0, 255, 127, 128, numbers.randrange(256)])
    return bytes(data)


def run(program, *arguments):
    """Exit status and what was said; what takes 120 s hangs, even on a busy machine."""
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
    result = subprocess.run(
        [program, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=120, env=environment)
    return result.returncode, result.stdout + result.stderr


def findings(program, path):
    """What `inspect --verify` finds in a file: clip (or None) and text; that it cannot be read is a finding, too."""
    status, said = run(program, "inspect", "--verify", "--json", path)
    if status == 0:
        return []
    try:
        return [(finding.get("clip"), finding["text"]) for finding in json.loads(said)["findings"]]
    except ValueError:
        return [(None, said)]


def forbidding(found, command):
    """The findings for which `--append` or `--stats-from` must refuse the file: for its statistics, only what belongs to no
    clip."""
    return [(clip, text) for clip, text in found
            if not any(words in text for words in OF_ROWS)
            and (command == "append" or clip is None and " /clips/" not in text)]


def differences(paths):
    """For each file but the first: which of its items h5py reads in another way, and how."""
    result = subprocess.run(
        [sys.executable, "-c", COMPARISON, *map(str, paths)], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, f"h5py: {result.stdout[-300:]}{result.stderr}"
    return [json.loads(line.split(" ", 1)[1]) for line in result.stdout.splitlines()]


@pytest.mark.parametrize("kind", KINDS, ids="-".join)
def test_mutated_files_are_an_error_or_a_finding(program, veery, recordings, tmp_path, kind):
    path = made(veery, recordings[0], tmp_path, kind)
    whole = path.read_bytes()
    greater, other = built(veery, recordings, path, kind)
    original = tmp_path / "original.h5"
    original.write_bytes(whole)
    # Offsets near bytes that are not zero: the file has large parts of zeros.
    offsets = [i for i in range(len(whole)) if any(whole[max(0, i - 8):i + 9])]
    new = tmp_path / "new.h5"
    options = settings(*kind)
    commands = {
        "verify": ["inspect", path, "--verify"],
        "inspect": ["inspect", path, "--json"],
        "render": ["render", path, "--clip", "3", "-o", tmp_path / "p.png"],
        "statistics": ["extract", recordings[0], "-o", new, "--stats-from", path, *options],
        "append": ["extract", recordings[1], "-o", path, "--append", *options],
        "again": ["extract", recordings[0], "-o", path, *options],
        "overwrite": ["extract", recordings[0], "-o", path, "--overwrite", *options],
    }
    if other is None:
        del commands["statistics"]
    outcomes = {"sound": 0, "refused": 0, "contained": 0}
    sound, built_on = [], 0
    for seed in range(COUNT // len(KINDS)):
        numbers = random.Random(f"{kind} {seed}")
        data = mutated(whole, offsets, numbers)
        path.write_bytes(data)
        name = numbers.choice(["verify", "append", "statistics" if other else "append", *commands])
        status, said = run(program, *commands[name])
        case = f"seed {seed}, {name}"
        assert status in (0, 1, 64), f"{case}: status {status}: {said}"
        assert "Fatal" not in said and "Backtrace" not in said, f"{case}: {said}"
        if status:
            assert str(path) in said or status == 64, f"{case}: {said}"
            assert path.read_bytes() == data, f"{case}: it was refused, but it has been changed"
        outcomes["sound" if status == 0 else "contained" if "HDF5 crashed" in said else "refused"] += 1
        if status == 0 and name == "verify":
            sound.append(tmp_path / f"sound-{seed}.h5")
            sound[-1].write_bytes(data)
        if status == 0 and name in ("append", "statistics"):
            # The damage has not reached the new file.
            assert (path.read_bytes() == greater) if name == "append" else (new.read_bytes() == other), case
            path.write_bytes(data)
            found = forbidding(findings(program, path), name)
            assert not found, f"{case}: built on a file of which inspect --verify says: {found}"
            built_on += 1
        if status == 0 and name in ("again", "overwrite"):
            assert path.read_bytes() in (data, whole), case
        new.unlink(missing_ok=True)
        for folder in tmp_path.glob("*.spool"):
            shutil.rmtree(folder)
    print(*kind, outcomes, f"{len(sound)} sound, {built_on} built on")
    assert outcomes["refused"] > COUNT // len(KINDS) // 10, "too few changes hit what is checked"
    for file, other in zip(sound, differences([original, *sound])):
        assert not other, f"{file.name}: inspect --verify finds nothing, but h5py reads other values: {other}"


def metadata_offsets(path):
    """Names and offsets of bytes that belong to no clip, and that later runs use."""
    whole = path.read_bytes()
    found = []
    with h5py.File(path) as file:
        def add(name, item):
            if isinstance(item, h5py.Dataset) and not name.startswith("clips/") and name not in ("features", "row", "clip", "time"):
                offset, size = item.id.get_offset(), item.id.get_storage_size()
                if offset is not None:
                    found.extend((name, offset + size * k // 2) for k in range(2))

        file.visititems(add)
        for name, keys in ATTRIBUTES.items():
            for key in keys:
                value = file[name].attrs[key]
                stored = value.encode() if isinstance(value, str) else value.tobytes()
                at = whole.find(stored) if stored else -1
                for _ in range(2):
                    if at >= 0:
                        found.append((f"{name}@{key}", at))
                        at = whole.find(stored, at + 1)
    assert {"/features@units", "/statistics@method", "/statistics@count", "/@metadata_xxh3"} <= {name for name, _ in found}
    return found


@pytest.mark.parametrize("kind", KINDS, ids="-".join)
def test_nothing_is_built_on_damaged_metadata(program, veery, recordings, tmp_path, kind):
    path = made(veery, recordings[0], tmp_path, kind)
    whole = path.read_bytes()
    _, other = built(veery, recordings, path, kind)
    offsets = metadata_offsets(path)
    with h5py.File(path) as file:
        columns = []
        file["clips"].visititems(lambda name, item: columns.append(name) if isinstance(item, h5py.Dataset) else None)
        for number, name in enumerate(columns):
            offset, size = file["clips"][name].id.get_offset(), file["clips"][name].id.get_storage_size()
            offsets.append((f"clips/{name}", offset + size * (number % 5) // 5))
    counts = {"append": 0, "statistics": 0}
    for number, (name, offset) in enumerate(offsets):
        data = bytearray(whole)
        data[offset] ^= 1 << number % 7
        path.write_bytes(data)
        # A byte may only look like an attribute's.
        found = findings(program, path) if "@" in name else [("0" if "clips/" in name else None, name)]
        # The two take turns, over what both build on.
        for command, new in (("append", path), ("statistics", tmp_path / "new.h5")):
            is_turn = other is None or "clips/" in name or number % 2 == (command == "append")
            if not forbidding(found, command) or not is_turn or command == "statistics" and other is None:
                continue
            options = ["--append"] if command == "append" else ["--stats-from", path]
            manifest = recordings[1 if command == "append" else 0]
            status, said = run(program, "extract", manifest, "-o", new, *options, *settings(*kind))
            assert status == 1 and str(path) in said, f"{name}, byte {offset}, {command}: status {status}: {said}"
            assert path.read_bytes() == data
            assert command == "append" or not new.exists()
            counts[command] += 1
            for folder in tmp_path.glob("*.spool"):
                shutil.rmtree(folder)
    assert counts["append"] > 20 and counts["statistics"] > (10 if other else -1), counts


@pytest.mark.parametrize("kind", KINDS, ids="-".join)
def test_flipped_bits_are_found_with_the_clip(program, veery, recordings, tmp_path, kind):
    layout, compression, _ = kind
    path = made(veery, recordings[0], tmp_path, kind)
    whole = path.read_bytes()
    greater, _ = built(veery, recordings, path, kind)
    spots = []
    with h5py.File(path) as file:
        features, starts = file["features"], file["clips/frame_start"][:]
        ids = file["clips/id"].asstr()[:]
        if compression == "none":
            first, row = features.id.get_offset(), features.dtype.itemsize * 8
            for i in range(0, features.size * 4, 997):
                spots.append((first + i, ids[sum(starts <= i // row) - 1]))
        else:
            for i in range(features.id.get_num_chunks()):
                chunk = features.id.get_chunk_info(i)
                row = chunk.chunk_offset[0] if layout == "packed" else chunk.chunk_offset[0] * features.shape[1]
                spots += [(chunk.byte_offset + k, ids[sum(starts <= row) - 1]) for k in range(2, chunk.size, 61)]
        for name in ("path", "duration", "frame_start", "tensor_xxh3", "extra/speaker"):
            column = file[f"clips/{name}"]
            for clip in range(5):
                spots.append((column.id.get_offset() + clip * column.dtype.itemsize, ids[clip]))
    for number, (offset, clip) in enumerate(spots):
        data = bytearray(whole)
        data[offset] ^= 1 << offset % 8
        path.write_bytes(data)
        result = veery("inspect", path, "--verify", status=1)
        assert clip in result.stdout + result.stderr, f"byte {offset} of clip {clip}: {result.stdout}{result.stderr}"
        if number % 5:
            continue
        status, said = run(program, "extract", recordings[1], "-o", path, "--append", *settings(*kind))
        if status == 0:
            # The damaged rows are those after the clip's own, which are not copied.
            assert path.read_bytes() == greater and "after the clip" in result.stdout, f"byte {offset} of clip {clip}"
        else:
            assert status == 1 and str(path) in said and path.read_bytes() == data, f"byte {offset} of clip {clip}: {said}"
        shutil.rmtree(f"{path}.spool", ignore_errors=True)
