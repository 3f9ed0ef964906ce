"""Damaged feature files: every command that reads one says so in a line, and neither crashes nor hangs.

VEERY_MUTATIONS sets how many files are tried; 10000 is the full test.
"""

import os
import random
import subprocess

import h5py
import pytest

from conftest import noise, write_manifest, write_wav

COUNT = int(os.environ.get("VEERY_MUTATIONS", 240))
KINDS = [("packed", "none"), ("packed", "deflate"), ("fixed", "none"), ("fixed", "deflate")]


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("damage")
    for i in range(5):
        write_wav(folder / f"{i}.wav", 16000, noise(i, 800 + 400 * i))
    rows = [{"path": f"{i}.wav", "label": "ab"[i % 2], "split": "train", "speaker": f"s{i}"} for i in range(5)]
    return write_manifest(folder / "m.csv", [*rows, {"path": "missing.wav", "split": "train"}])


def made(veery, manifest, folder, layout, compression):
    path = folder / f"{layout}-{compression}.h5"
    duration = ["--set", "audio.duration=0.1"] if layout == "fixed" else []
    veery("extract", manifest, "-o", path, "--max-failures", "100%", "--set", "transform.bins=8", *duration,
          "--set", f"store.layout={layout}", "--set", f"store.compression={compression}")
    return path


def mutated(whole, places, numbers):
    """Bytes changed, moved or cut off."""
    kind = numbers.randrange(10)
    if kind == 0:
        return whole[:numbers.randrange(len(whole))]
    data = bytearray(whole)
    if kind == 1:
        # Cut off and filled up again: HDF5 refuses a short file by its length alone.
        start = numbers.randrange(len(data))
        data[start:] = bytes([numbers.choice([0, 255])]) * (len(data) - start)
        return bytes(data)
    if kind == 2:
        start, end = sorted(numbers.choices(places, k=2))
        length = min(end - start, 512)
        data[start:start + length] = data[end - length:end]
        return bytes(data)
    for _ in range(numbers.randint(1, 5)):
        data[numbers.choice(places)] = numbers.choice([0, 255, 127, 128, numbers.randrange(256)])
    return bytes(data)


def run(program, *arguments):
    """Exit status and what was said; 120 s would be a hang, also on a busy machine."""
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
    result = subprocess.run(
        [program, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=120, env=environment)
    return result.returncode, result.stdout + result.stderr


@pytest.mark.parametrize("layout, compression", KINDS)
def test_mutated_files_are_an_error_or_a_finding(program, veery, recordings, tmp_path, layout, compression):
    path = made(veery, recordings, tmp_path, layout, compression)
    whole = path.read_bytes()
    # Places near bytes that are not zero: where something stands.
    places = [i for i in range(len(whole)) if any(whole[max(0, i - 8):i + 9])]
    outcomes = {"sound": 0, "refused": 0, "contained": 0}
    for seed in range(COUNT // len(KINDS)):
        numbers = random.Random(f"{layout} {compression} {seed}")
        path.write_bytes(mutated(whole, places, numbers))
        command = numbers.choice([
            ["inspect", path, "--verify"], ["inspect", path, "--verify"], ["inspect", path, "--json"],
            ["render", path, "--clip", "3", "-o", tmp_path / "p.png"],
            ["extract", recordings, "-o", tmp_path / "new.h5", "--stats-from", path, "--set", "transform.bins=8", "--dry-run"],
            ["extract", recordings, "-o", path, "--max-failures", "100%", "--quiet"],
        ])
        status, said = run(program, *command)
        assert status in (0, 1, 64), f"seed {seed}: status {status} of {command}: {said}"
        assert "Fatal" not in said and "Backtrace" not in said, f"seed {seed}: {said}"
        if status:
            assert str(path) in said or status == 64, f"seed {seed}: {command}: {said}"
        outcomes["sound" if status == 0 else "contained" if "HDF5 crashed" in said else "refused"] += 1
    print(layout, compression, outcomes)
    assert outcomes["refused"] > COUNT // len(KINDS) // 10, "the changes mean to hit what matters"


@pytest.mark.parametrize("layout, compression", KINDS)
def test_flipped_bits_are_found_with_the_clip(veery, recordings, tmp_path, layout, compression):
    path = made(veery, recordings, tmp_path, layout, compression)
    whole = path.read_bytes()
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
    for place, clip in spots:
        data = bytearray(whole)
        data[place] ^= 1 << place % 8
        path.write_bytes(data)
        result = veery("inspect", path, "--verify", status=1)
        assert clip in result.stdout + result.stderr, f"byte {place} of clip {clip}: {result.stdout}{result.stderr}"
