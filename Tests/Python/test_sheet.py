"""`veery render --sheet`: which clips are on it, held to NumPy and h5py, and what it looks like as a file."""

import csv
import io
import os
import signal
import struct
import subprocess
import xml.etree.ElementTree

import h5py
import numpy as np
import pytest
from PIL import Image

from conftest import noise, tone, write_manifest, write_wav

LABELS = {"owl": 30, "wren": 12, "tit, blue": 7}
ODD = 17


@pytest.fixture(scope="module")
def made(program, tmp_path_factory):
    """Noise of three colours; one owl is a quiet tone."""
    folder = tmp_path_factory.mktemp("sheet")
    rows = []
    for number, (label, count) in enumerate(LABELS.items()):
        for clip in range(count):
            seed = 100 * number + clip
            samples = noise(seed, 3000 + 200 * (seed % 20))
            samples = np.convolve(samples, np.ones(number * 4 + 1) / (number * 4 + 1))[:len(samples)]
            if label == "owl" and clip == ODD:
                samples = tone(16000, 0.4, [3000], amplitude=0.001)
            write_wav(folder / f"{number}-{clip}.wav", 16000, samples)
            rows.append({"path": f"{number}-{clip}.wav", "label": label, "split": "train" if clip % 3 else "test"})
    rows.append({"path": "0-0.wav", "id": "unlabelled", "label": "", "split": "train"})
    write_manifest(folder / "m.csv", rows)
    path = folder / "f.h5"
    subprocess.run([program, "extract", folder / "m.csv", "-o", path], check=True, capture_output=True)
    return path


def chosen(veery, made, tmp_path, *options):
    """The clips of each label, in their order, with their distances, as --list prints them."""
    result = veery("render", made, "--sheet", "--list", "-o", tmp_path / "s.png", *options)
    groups = {}
    for line in result.stdout.splitlines():
        label, clip, distance, seconds = line.split("\t")
        groups.setdefault(label, []).append((clip, float(distance), float(seconds)))
    return groups


def distances(made, split=None):
    """For each label the indices and distances of its clips, by the definition."""
    with h5py.File(made) as file:
        labels, splits = file["clips/label"].asstr()[:], file["clips/split"].asstr()[:]
        ids = file["clips/id"].asstr()[:]
        means = np.stack([file["features"][start:start + count].astype(float).mean(axis=0) for start, count in
                          zip(file["clips/frame_start"][:], file["clips/frame_count"][:])])
    result = {}
    for label in list(LABELS) + [""]:
        indices = np.flatnonzero((labels == label) & ((splits == split) | (split is None)))
        rows = means[indices]
        spread = rows.std(axis=0)
        spread[spread < 1e-9] = np.inf
        result[label] = {ids[index]: (index, value) for index, value in
                         zip(indices, np.sqrt((((rows - rows.mean(axis=0)) / spread) ** 2).mean(axis=1)))}
    return result


def split_mix(seed, index):
    mask = (1 << 64) - 1
    mixed = (seed + (index + 1) * 0x9E3779B97F4A7C15) & mask
    mixed = ((mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9) & mask
    mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & mask
    return mixed ^ mixed >> 31


@pytest.mark.parametrize("split", [None, "train"])
@pytest.mark.parametrize("method", ["typical", "extreme", "random"])
def test_the_clips_are_those_of_numpy(veery, made, tmp_path, method, split):
    found = chosen(veery, made, tmp_path, "--choose", method, "--per-label", 5, *(["--split", split] if split else []))
    expected = distances(made, split)
    assert set(found) == set(expected)
    for label, clips in expected.items():
        key = {"typical": lambda clip: clips[clip][1], "extreme": lambda clip: -clips[clip][1],
               "random": lambda clip: split_mix(0, int(clips[clip][0]))}[method]
        assert [clip for clip, _, _ in found[label]] == sorted(clips, key=key)[:5]
        for clip, distance, _ in found[label]:
            assert distance == pytest.approx(clips[clip][1], rel=1e-4, abs=1e-6)


def test_an_odd_clip_is_the_most_extreme_and_never_typical(veery, made, tmp_path):
    assert chosen(veery, made, tmp_path, "--choose", "extreme", "--per-label", 1)["owl"][0][0] == f"0-{ODD}"
    typical = chosen(veery, made, tmp_path, "--choose", "typical", "--per-label", LABELS["owl"])["owl"]
    assert typical[-1][0] == f"0-{ODD}" and len(typical) == LABELS["owl"]


def test_the_seed_chooses(veery, made, tmp_path):
    sets = [tuple(clip for clip, _, _ in chosen(veery, made, tmp_path, "--seed", seed)["owl"]) for seed in (1, 1, 2)]
    assert sets[0] == sets[1] != sets[2]
    for clips in sets:
        assert len(set(clips)) == 6


def test_labels_are_chosen_by_name(veery, made, tmp_path):
    assert list(chosen(veery, made, tmp_path, "--labels", "wren,owl")) == ["wren", "owl"]
    assert list(chosen(veery, made, tmp_path, "--labels", "tit, blue")) == ["tit, blue"]
    assert list(chosen(veery, made, tmp_path, "--labels", "owl,")) == ["owl", ""]
    result = veery("render", made, "--sheet", "--labels", "wrem", "-o", tmp_path / "s.png", status=1)
    assert "no label 'wrem'" in result.stderr and "'wren'" in result.stderr


def test_many_labels_are_folded_to_the_largest(veery, tmp_path):
    write_wav(tmp_path / "a.wav", 16000, noise(1, 2000))
    rows = [{"path": "a.wav", "id": f"{label}-{clip}", "label": f"l{label:03}"}
            for label in range(100) for clip in range(1 + label * 7 % 31)]
    write_manifest(tmp_path / "m.csv", rows)
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5")
    found = chosen(veery, tmp_path / "f.h5", tmp_path, "--per-label", 1)
    sizes = {f"l{label:03}": 1 + label * 7 % 31 for label in range(100)}
    assert list(found) == sorted(sorted(sizes, key=lambda label: (-sizes[label], label))[:24])


def pixels(path):
    header = path.read_bytes()[:26]
    return struct.unpack(">II", header[16:24])


@pytest.mark.parametrize("format", ["png", "svg", "pdf"])
def test_equal_input_gives_equal_bytes(veery, made, tmp_path, format):
    files = [tmp_path / f"{number}.{format}" for number in range(2)]
    for file in files:
        veery("render", made, "--sheet", "-o", file, "--theme", "dark")
    assert files[0].read_bytes() == files[1].read_bytes()
    other = tmp_path / f"other.{format}"
    veery("render", made, "--sheet", "-o", other, "--theme", "dark", "--seed", 5)
    assert other.read_bytes() != files[0].read_bytes()
    if format == "svg":
        root = xml.etree.ElementTree.parse(files[0]).getroot()
        assert root.tag.endswith("svg") and root.attrib["width"].startswith("750")


def test_the_size_follows_from_width_and_resolution(veery, made, tmp_path):
    for number, (width, dpi) in enumerate([(1000, 96), (500, 192), (1700, 48)]):
        path = tmp_path / f"{number}.png"
        veery("render", made, "--sheet", "--width", width, "--dpi", dpi, "-o", path)
        assert pixels(path)[0] == width * dpi // 96
    heights = []
    for count in (2, 20):
        veery("render", made, "--sheet", "--per-label", count, "-o", tmp_path / "h.png")
        heights.append(pixels(tmp_path / "h.png")[1])
    assert heights[0] < heights[1]


@pytest.mark.parametrize("options, said", [
    (["--clip", "a"], "--sheet draws many clips"), (["--height", 500], "--height"), (["--plain"], "--plain"),
    (["--waveform"], "--waveform"), (["--preset", "log-mel"], "options for recordings"), (["--per-label=-1"], "--per-label"),
    (["--per-label", 0], "--per-label: expected 1 to 100, found 0"), (["--per-label", -1], "expected 1 to 100, found -1"),
    (["--seed", 3, "--choose", "typical"], "--seed is for --choose random"), (["--seconds", -1], "--seconds"), (["--seconds", 0], "--seconds"),
    (["--choose", "best"], "--choose"), (["--split", "dev"], "no clips of the split 'dev'"),
    (["--below-peak", 60], "--below-peak"), (["--width", 320, "--font-size", 48], "width"),
])
def test_options_that_a_sheet_does_not_have_are_refused(veery, made, tmp_path, options, said):
    result = veery("render", made, "--sheet", "-o", tmp_path / "s.png", *options, status=(1, 64))
    assert said in result.stderr
    assert not (tmp_path / "s.png").exists()


def test_options_of_the_sheet_need_it(veery, made, tmp_path):
    result = veery("render", made, "--clip", "0-0", "--seed", 3, "-o", tmp_path / "s.png", status=64)
    assert "--sheet" in result.stderr
    recording = made.with_name("0-0.wav")
    result = veery("render", recording, "--sheet", "-o", tmp_path / "s.png", status=1)
    assert "feature file" in result.stderr


def tile(path):
    """The pixels within the frame of the first tile."""
    with Image.open(path) as image:
        colours = np.asarray(image)
    frame = np.all(colours == 0x55, axis=2)
    for y in range(len(frame)):
        changes = np.flatnonzero(np.diff(np.concatenate([[0], frame[y].astype(int), [0]])))
        for left, right in zip(changes[::2], changes[1::2]):
            if right - left > 60:
                height = np.flatnonzero(~frame[y:, left])[0]
                return colours[y + 1:y + height - 1, left + 1:right - 1]
    raise AssertionError("no tile")


@pytest.mark.parametrize("seconds", [0.05, 0.3, 1, 1000])
def test_a_clip_ends_in_its_tile_where_the_time_says(veery, made, tmp_path, seconds):
    """In a tile that spans `seconds`, a clip fills the columns of its frames; the rest is the colour of paper."""
    with h5py.File(made) as file:
        index = list(file["clips/label"].asstr()[:]).index("")
        frames, period = int(file["clips/frame_count"][index]), float(file["features"].attrs["frame_period"])
    veery("render", made, "--sheet", "--labels", "", "--no-average", "--seconds", seconds, "-o", tmp_path / "s.png")
    paper = np.all(tile(tmp_path / "s.png") == 0xF4, axis=(0, 2))
    share = min(frames / max(round(seconds / period), 1), 1)
    drawn = max(round(share * len(paper)), 1)
    assert abs(np.count_nonzero(~paper) - drawn) <= 1 and not paper[0]
    assert not paper[:drawn - 1].any() and paper[drawn + 1:].all()


def test_durations_in_the_list_are_short(veery, made, tmp_path):
    listed = veery("render", made, "--sheet", "--list", "-o", tmp_path / "s.png").stdout
    assert all(len(line.split("\t")[3]) <= 9 for line in listed.splitlines()), listed


def test_names_in_the_list_are_those_of_the_clips(veery, tmp_path):
    ids = ["tab\tand", "two\nlines", 'a "mark"', '"first"', " blank "]
    write_wav(tmp_path / "a.wav", 16000, noise(1, 16000))
    write_manifest(tmp_path / "m.csv", [{"path": "a.wav", "id": id, "label": "x\ty"} for id in ids])
    veery("extract", "m.csv", "-o", "f.h5", folder=tmp_path)
    listed = veery("render", "f.h5", "--sheet", "--list", folder=tmp_path).stdout
    rows = list(csv.reader(io.StringIO(listed, newline=""), delimiter="\t"))
    assert {row[0] for row in rows} == {"x\ty"} and sorted(row[1] for row in rows) == sorted(ids)
    for row in rows:
        veery("render", "f.h5", "--clip", row[1], "-o", "p.png", folder=tmp_path)


@pytest.mark.parametrize("handler", [signal.SIG_DFL, signal.SIG_IGN])
def test_a_reader_of_the_list_that_leaves_is_not_an_error(program, made, tmp_path, handler):
    """As in `--list | head -1`, also where the shell has the program ignore the signal."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        result = subprocess.run(
            [program, "render", made, "--sheet", "--list", "-o", tmp_path / "s.png"], stdout=pipe, stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGPIPE, handler), restore_signals=False)
    assert result.stderr == b"" and result.returncode in (-signal.SIGPIPE, 128 + signal.SIGPIPE)
    assert (tmp_path / "s.png").exists()
