"""Pictures: their sizes, their pixels where known tones and marks are, and that equal input gives equal bytes."""

import colorsys
import json
import math
import re
import shutil
import socket
import stat
import struct
import subprocess
import xml.etree.ElementTree as ElementTree
import zlib
from pathlib import Path

import h5py
import numpy as np
import pytest
import scipy.fft
from PIL import Image

from conftest import noise, tone, write_manifest, write_wav

FIXTURES = Path(__file__).parents[1] / "Fixtures"


def read_png(path):
    """The pixels as an array of rows, columns and colours, and the chunks before them by name."""
    with Image.open(path) as image:
        assert image.format == "PNG" and image.mode == "RGB"
        pixels = np.asarray(image)
    content, at, chunks = path.read_bytes(), 8, {}
    while (kind := content[at + 4:at + 8].decode()) != "IDAT":
        length = struct.unpack(">I", content[at:at + 4])[0]
        chunks[kind] = content[at + 8:at + 8 + length]
        checksum = struct.unpack(">I", content[at + 8 + length:at + 12 + length])[0]
        assert checksum == zlib.crc32(content[at + 4:at + 8 + length])
        at += 12 + length
    return pixels, chunks


def tables():
    """The colour tables, from the golden file."""
    golden = json.loads((FIXTURES / "plotting-colors.json").read_text())
    rgb = {name: np.array([[int(c[i:i + 2], 16) for i in (1, 3, 5)] for c in colours]) for name, colours in golden.items()}
    rgb["false-color"] = rgb.pop("falseColor")
    rgb["grey"] = np.repeat(np.arange(256)[:, None], 3, axis=1)
    rgb["grey-inverted"] = rgb["grey"][::-1]
    return rgb


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("render")
    rate = 16_000
    write_wav(folder / "tones.wav", rate, tone(rate, 2.0, [1000, 4000], 0.8))
    write_wav(folder / "noise.wav", rate, noise(3, 2 * rate))
    write_wav(folder / "short.wav", rate, noise(4, rate // 2))
    write_manifest(folder / "m.csv", [
        {"path": "tones.wav", "id": "tones", "label": "sine"},
        {"path": "noise.wav", "id": "noise", "label": "hiss"},
        {"path": "short.wav", "id": "short", "label": "hiss"},
        {"path": "noise.wav", "id": "part", "label": "hiss", "start": 0.5, "end": 1.5},
    ])
    return folder


@pytest.fixture(scope="module")
def features(veery, folder):
    veery("extract", folder / "m.csv", "-o", folder / "f.h5", "--preset", "log-mel", "--set", "normalize.scope=none",
          "--quiet")
    return folder / "f.h5"


FFT = ["--preset", "log-mel", "--set", "audio.sample_rate=null", "--set", "frame.length=512", "--set", "frame.hop=256", "--set",
       "frame.fft_length=512", "--set", "transform.kind=fft", "--set", "scale.kind=db", "--set", "normalize.scope=none"]

# ------------------------------------------------------------------------------------------------------- plain pictures


def scrolling_dct_picture(samples, columns):
    """Reference system 1, written from its formulas: index of each pixel's entry before rounding, then the entries."""
    frames = 1 + (len(samples) - 1024) // 512
    window = 0.5 * (1 - np.cos(2 * np.pi * np.arange(1024) / 1024))
    spectrum = np.array([scipy.fft.dct(samples[512 * i:512 * i + 1024] * window, 2) / 2 for i in range(frames)])
    with np.errstate(divide="ignore"):
        decibels = 20 * np.log10(np.abs(spectrum) / 1024)
    index = np.clip(decibels / (20 * np.log10(32767 / 1024)), 0, 1) * 255
    picture = np.zeros((1024, columns))
    newest = index[-columns:].T[::-1]
    picture[:, columns - newest.shape[1]:] = newest
    return picture


def false_color(index):
    fraction = index / 255
    red, green, blue = colorsys.hsv_to_rgb(0.6666 - 0.6666 * fraction, 1, math.sqrt(fraction))
    return [int(green * 255), int(red * 255), int(blue * 255)]


@pytest.mark.parametrize("seconds, columns", [(3, 768), (12, 768), (3, None)])
def test_plain_false_colour_is_the_source_s_picture_pixel_by_pixel(veery, tmp_path, seconds, columns):
    rate = 44_100
    signal = tone(rate, seconds, [440, 1500, 6000], 0.5) + noise(7, rate * seconds, 0.02)
    write_wav(tmp_path / "a.wav", rate, signal)
    samples = np.round(signal * 32767)
    arguments = [] if columns is None else ["--columns", columns]
    veery("render", tmp_path / "a.wav", "--preset", "scrolling-dct", "--colors", "false-color", "--plain", *arguments,
          "-o", tmp_path / "a.png")
    pixels, _ = read_png(tmp_path / "a.png")
    expected = scrolling_dct_picture(samples, columns or 1 + (len(samples) - 1024) // 512)
    assert pixels.shape == (1024, expected.shape[1], 3)
    entries = np.array([false_color(index) for index in range(256)])
    # Half-way between two entries, 1e-3 dB decide; everywhere else the entry is certain.
    certain = np.abs(expected - np.floor(expected) - 0.5) > 0.01
    assert certain.mean() > 0.97
    assert np.array_equal(pixels[certain], entries[np.round(expected).astype(int)][certain])
    either = [np.all(pixels == entries[np.clip(rule(expected), 0, 255).astype(int)], axis=2)
              for rule in (np.floor, np.ceil)]
    assert np.all(either[0] | either[1])


@pytest.mark.parametrize("table", ["viridis", "magma", "inferno", "cividis", "grey", "grey-inverted", "false-color"])
def test_plain_pixels_are_the_stored_values_entries(veery, features, tmp_path, table):
    veery("render", features, "--clip", "noise", "--plain", "--colors", table, "--range", "-12:2", "-o", tmp_path / "p.png")
    pixels, _ = read_png(tmp_path / "p.png")
    with h5py.File(features) as file:
        index = [name.decode() for name in file["clips/id"][:]].index("noise")
        start, count = file["clips/frame_start"][index], file["clips/frame_count"][index]
        values = file["features"][start:start + count].astype(np.float64)
    index = np.clip((values + 12) / 14, 0, 1) * 255
    expected = tables()[table][np.round(index).astype(int)].transpose(1, 0, 2)[::-1]
    assert np.array_equal(pixels, expected)


def test_a_range_without_any_value_is_reported(veery, folder, tmp_path):
    said = veery("render", folder / "tones.wav", "--range", "400:900", "-o", tmp_path / "p.png").stderr
    assert re.search(r"warning: --range has none of the values, which are -?[\d.]+ to -?[\d.]+ \w", said)
    assert "--range" not in veery("render", folder / "tones.wav", "--range", "-900:900", "-o", tmp_path / "p.png").stderr


def test_plain_pictures_of_many_frames_hold_no_means(veery, tmp_path):
    """More frames than a picture has columns, and more values than a picture with axes holds in memory: 33 000 of 1025."""
    rate, hop, frames = 8000, 16, 33_000
    samples = noise(8, frames * hop + 2048) * np.linspace(0.1, 1, frames * hop + 2048)
    write_wav(tmp_path / "a.wav", rate, samples)
    settings = ["--preset", "log-mel", "--set", "audio.sample_rate=null", "--set", "frame.length=2048", "--set", f"frame.hop={hop}", "--set",
                "frame.fft_length=2048", "--set", "transform.kind=fft", "--set", "scale.kind=db", "--set",
                "normalize.scope=none"]
    grey = ["--plain", "--colors", "grey", "--range", "-60:40"]
    error = veery("render", tmp_path / "a.wav", *settings, *grey, "-o", tmp_path / "p.png", status=1).stderr
    assert "at most 32,000 frames" in error and "found 33,001 frames" in error and "--columns" in error, error
    assert "--start and --end" in error and not (tmp_path / "p.png").exists()
    veery("render", tmp_path / "a.wav", *settings, *grey, "--columns", 200, "-o", tmp_path / "p.png")
    # The same 200 frames, as a recording of their own.
    write_wav(tmp_path / "b.wav", rate, samples[(frames - 199) * hop:])
    veery("render", tmp_path / "b.wav", *settings, *grey, "-o", tmp_path / "q.png")
    last, own = (read_png(tmp_path / name)[0][:, :, 0] for name in ("p.png", "q.png"))
    assert last.shape == own.shape and last.shape[1] == 200
    assert np.array_equal(last, own)
    write_manifest(tmp_path / "m.csv", [{"path": "a.wav", "id": "a"}])
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--quiet", *settings)
    stored = ["render", tmp_path / "f.h5", "--clip", "a", *grey]
    error = veery(*stored, "-o", tmp_path / "r.png", status=1).stderr
    assert "found 33,001 frames" in error and "--columns" in error and "--start" not in error, error
    veery(*stored, "--columns", 200, "-o", tmp_path / "r.png")
    assert np.array_equal(read_png(tmp_path / "r.png")[0][:, :, 0], own)


def test_percentiles_are_numpy_s(veery, features, tmp_path):
    with h5py.File(features) as file:
        index = [name.decode() for name in file["clips/id"][:]].index("noise")
        start, count = file["clips/frame_start"][index], file["clips/frame_count"][index]
        values = file["features"][start:start + count].astype(np.float64)
    for given, ends in ([], (1, 99.5)), (["--percentiles", "5:95"], (5, 95)), (["--percentiles", "0:99.9"], (0, 99.9)):
        veery("render", features, "--clip", "noise", "--plain", "--colors", "grey", *given, "-o", tmp_path / "p.png")
        pixels, _ = read_png(tmp_path / "p.png")
        low, high = np.percentile(values, ends, method="lower")
        expected = np.round(np.clip((values - low) / (high - low), 0, 1) * 255).astype(int).T[::-1]
        assert np.array_equal(pixels[:, :, 0], expected)


# ------------------------------------------------------------------------------------------------------ axes and tones


def body(pixels, dark=False):
    """The rectangle within the spectrogram's frame: of the longest lines of ink the outermost but the colour bar's."""
    ink = np.all(pixels == ([0xE4, 0xE6, 0xEA] if dark else [0x22, 0x22, 0x22]), axis=2)
    rows = [y for y in range(len(ink)) if longest_run(ink[y])[1] > pixels.shape[1] // 2]
    start, length = longest_run(ink[rows[0]])
    return start + 1, rows[0] + 1, length - 2, rows[-1] - rows[0] - 1


def longest_run(line):
    edges = np.flatnonzero(np.diff(np.concatenate([[0], line.astype(int), [0]])))
    if len(edges) == 0:
        return 0, 0
    lengths = edges[1::2] - edges[::2]
    best = int(np.argmax(lengths))
    return int(edges[::2][best]), int(lengths[best])


def slaney(hertz):
    return 3 * hertz / 200 if hertz < 1000 else 15 + 27 * math.log(hertz / 1000) / math.log(6.4)


def htk(hertz):
    return 2595 * math.log10(1 + hertz / 700)


STEP, TOP, LOW = 31.25, 8000 + 31.25 / 2, 31.25 / 2
HEIGHTS = {
    "bins": lambda f: (f / STEP + 0.5) / 257,
    "linear": lambda f: f / TOP,
    "mel": lambda f: slaney(f) / slaney(TOP),
    "mel --mel-scale htk": lambda f: htk(f) / htk(TOP),
    "log": lambda f: math.log(f / LOW) / math.log(TOP / LOW),
    "musical": lambda f: math.log(f / LOW) / math.log(TOP / LOW),
}


@pytest.mark.parametrize("axis", HEIGHTS)
def test_tones_are_at_their_heights(veery, folder, tmp_path, axis):
    veery("render", folder / "tones.wav", *FFT, "--axis", *axis.split(), "--colors", "grey", "--range", "-40:60", "--height",
          "800", "-o", tmp_path / "p.png")
    pixels, _ = read_png(tmp_path / "p.png")
    x, y, width, height = body(pixels)
    column = pixels[y:y + height, x + width // 2, 0].astype(float)
    for hertz in (1000, 4000):
        # Bins 32 and 128 hold the tones; half a bin to either side belongs to them.
        edges = [(1 - HEIGHTS[axis](hertz + side * STEP / 2)) * height for side in (1, -1)]
        middle = (edges[0] + edges[1]) / 2
        near = np.arange(int(max(edges[0] - 3, 0)), int(edges[1] + 4))
        bright = near[column[near] >= column[near].max() - 1e-9]
        assert abs(bright.mean() + 0.5 - middle) <= 1, (axis, hertz, bright, edges)


@pytest.mark.parametrize("begin", [0.0, 0.25])
def test_a_click_is_at_its_time(veery, tmp_path, begin):
    rate = 16_000
    signal = np.zeros(rate)
    signal[rate // 2:rate // 2 + 16] = 0.9
    write_wav(tmp_path / "click.wav", rate, signal)
    veery("render", tmp_path / "click.wav", *FFT, "--start", begin, "--colors", "grey", "--waveform", "-o", tmp_path / "p.png")
    pixels, _ = read_png(tmp_path / "p.png")
    ink = np.all(pixels == [0x22, 0x22, 0x22], axis=2)
    rows = [y for y in range(len(ink)) if longest_run(ink[y])[1] > 500]
    top, _, lower, bottom = rows[0], rows[1], rows[2], rows[3]
    start, length = longest_run(ink[rows[0]])
    wave = np.all(pixels[top + 1, start + 1:start + length - 1] == [0x3A, 0x5A, 0x94], axis=1)
    frames = 1 + (rate - int(begin * rate) - 512) // 256
    # The axis begins with the signal, the first frame's pixels half a hop before its centre.
    span = 128 / rate + frames * 256 / rate
    expected = (0.5 - begin) / span * (length - 2)
    assert np.flatnonzero(wave).min() == pytest.approx(expected, abs=1)
    line = pixels[(lower + bottom) // 2, start + 1:start + length - 1, 0].astype(int)
    # Before the first frame there is paper.
    line[:math.ceil(128 / rate / span * (length - 2)) + 1] = 0
    assert np.flatnonzero(line > 128).mean() == pytest.approx(expected, abs=512 / rate / span * length)


# ----------------------------------------------------------------------------------------------------- sizes and files


def test_sizes_formats_and_resolution(veery, folder, tmp_path):
    command = ["render", folder / "tones.wav", "--width", 640, "--height", 320]
    for dpi, scale, per_metre in (96, 1, 3780), (192, 2, 7559):
        veery(*command, "--dpi", dpi, "-o", tmp_path / "p.png")
        pixels, chunks = read_png(tmp_path / "p.png")
        assert pixels.shape == (320 * scale, 640 * scale, 3)
        assert struct.unpack(">IIB", chunks["pHYs"]) == (per_metre, per_metre, 1)
        veery(*command, "--dpi", dpi, "-o", tmp_path / "p.svg")
        root = ElementTree.parse(tmp_path / "p.svg").getroot()
        assert root.tag.endswith("svg") and root.get("viewBox") == "0 0 480 240"
        images = [element for element in root.iter() if element.tag.endswith("image")]
        assert len(images) == 2 and all("pixelated" in image.get("style") for image in images)
        veery(*command, "--dpi", dpi, "-o", tmp_path / "p.pdf")
        content = (tmp_path / "p.pdf").read_bytes()
        assert content.startswith(b"%PDF-") and b"CreationDate" not in content
        assert re.search(rb"/MediaBox \[ 0 0 480 240 \]", content)


@pytest.mark.parametrize("extension", ["png", "svg", "pdf"])
def test_equal_input_gives_equal_bytes(veery, folder, features, tmp_path, extension):
    for arguments in (["render", folder / "tones.wav", "--waveform", "--axis", "mel"],
                      ["render", features, "--clip", "tones", "--clip", "short", "--theme", "dark"]):
        for name in "ab":
            veery(*arguments, "-o", tmp_path / f"{name}.{extension}")
        assert (tmp_path / f"a.{extension}").read_bytes() == (tmp_path / f"b.{extension}").read_bytes()


def test_other_extensions_are_refused_and_other_files_not_replaced(veery, folder, tmp_path):
    for name in "p.jpg", "p", "p.png.txt":
        error = veery("render", folder / "tones.wav", "-o", tmp_path / name, status=64).stderr
        assert ".png, .svg or .pdf" in error and not (tmp_path / name).exists()
    veery("render", folder / "tones.wav", "-o", tmp_path / "p.png")
    for name in "p.svg", "p.pdf":
        (tmp_path / name).write_bytes((tmp_path / "p.png").read_bytes())
        error = veery("render", folder / "tones.wav", "-o", tmp_path / name, status=1).stderr
        assert f"is no {name[2:].upper()} picture" in error
        (tmp_path / name).write_bytes(b"")
        veery("render", folder / "tones.wav", "-o", tmp_path / name)
        veery("render", folder / "tones.wav", "-o", tmp_path / name)


def test_a_path_that_is_not_a_readable_picture_is_not_replaced(veery, folder, tmp_path, monkeypatch):
    (tmp_path / "p.png").mkdir()
    error = veery("render", folder / "tones.wav", "-o", tmp_path / "p.png", status=1).stderr
    assert "is no PNG picture, so it is not replaced" in error
    # Nobody may open a socket as a file, not even root.
    with socket.socket(socket.AF_UNIX) as listener:
        monkeypatch.chdir(tmp_path)
        listener.bind("q.png")
        error = veery("render", folder / "tones.wav", "-o", tmp_path / "q.png", status=1).stderr
        assert "is no PNG picture, so it is not replaced" in error
        assert stat.S_ISSOCK((tmp_path / "q.png").stat().st_mode)


def test_names_do_not_act_on_the_terminal(veery, folder, tmp_path):
    write_manifest(tmp_path / "m.csv", [
        {"path": str(folder / "short.wav"), "id": "a\x1b[31m\u202eb", "label": "x\x1b]0;y\u2066"}])
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--quiet")
    error = veery("render", tmp_path / "f.h5", "-o", tmp_path / "p.png", status=64).stderr
    listed = veery("render", tmp_path / "f.h5", "--sheet", "--list", "-o", tmp_path / "s.png").stdout
    assert "'a\ufffd[31m\ufffdb'" in error
    # For another program, as they are; what a terminal gets, test_terminal.py looks at.
    assert listed.split("\t")[:2] == ["x\x1b]0;y\u2066", "a\x1b[31m\u202eb"]


def test_dark_paper(veery, folder, tmp_path):
    veery("render", folder / "tones.wav", "--theme", "dark", "-o", tmp_path / "p.png")
    pixels, _ = read_png(tmp_path / "p.png")
    assert pixels[0, 0].tolist() == [0x15, 0x17, 0x1C]
    assert body(pixels, dark=True)[2] > 700


# ------------------------------------------------------------------------------------------------- panels, annotations


def bodies(pixels):
    """The rectangles within the frames of spectrograms below one another."""
    ink = np.all(pixels == [0x22, 0x22, 0x22], axis=2)
    rows = [y for y in range(len(ink)) if longest_run(ink[y])[1] > pixels.shape[1] // 2]
    start, length = longest_run(ink[rows[0]])
    return [(start + 1, upper + 1, length - 2, lower - upper - 1) for upper, lower in zip(rows[::2], rows[1::2])]


@pytest.mark.parametrize("given, ends", [([], (1, 99.5)), (["--percentiles", "20:80"], (20, 80))])
def test_several_clips_have_one_range(veery, tmp_path, given, ends):
    """Two clips that share no value: the pixels of each are those of percentiles over both."""
    rate = 16_000
    for name, seed, amplitude in ("loud", 3, 0.5), ("quiet", 4, 0.002):
        write_wav(tmp_path / f"{name}.wav", rate, noise(seed, rate, amplitude))
    write_manifest(tmp_path / "m.csv", [{"path": f"{name}.wav", "id": name} for name in ("loud", "quiet")])
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--set", "normalize.scope=none", "--quiet")
    with h5py.File(tmp_path / "f.h5") as file:
        ids = [name.decode() for name in file["clips/id"][:]]
        starts, counts = file["clips/frame_start"][:], file["clips/frame_count"][:]
        values = {name: file["features"][start:start + count].astype(np.float64)
                  for name, start, count in zip(ids, starts, counts)}
        first, period = file["features"].attrs["first_frame_time"], file["features"].attrs["frame_period"]
    low, high = np.percentile(np.concatenate([values["loud"].ravel(), values["quiet"].ravel()]), ends, method="lower")
    veery("render", tmp_path / "f.h5", "--clip", "loud", "--clip", "quiet", "--height", 700, "--colors", "grey", *given,
          "-o", tmp_path / "two.png")
    pixels, _ = read_png(tmp_path / "two.png")
    areas = bodies(pixels)
    assert len(areas) == 2
    for (x, y, width, height), name in zip(areas, ("loud", "quiet")):
        expected = np.round(np.clip((values[name] - low) / (high - low), 0, 1) * 255).astype(int)
        frames, bins = expected.shape
        # The axis begins with the signal, a little before the first frame's pixels.
        lead = (first - period / 2) / (first - period / 2 + frames * period)
        skipped = round(lead * width)
        columns = x + skipped + ((np.arange(frames) + 0.5) / frames * (width - skipped)).astype(int)
        rows = y + height - 1 - ((np.arange(bins) + 0.5) / bins * height).astype(int)
        assert np.array_equal(pixels[np.ix_(rows, columns)][:, :, 0].T, expected), name


def test_pictures_of_several_clips_have_their_sizes(veery, features, tmp_path):
    alone = veery("render", features, "--clip", "noise", "--clip", "short", "--percentiles", "0:100", "--colors", "grey",
                  "-o", tmp_path / "two.png")
    assert alone.stderr == ""
    pixels, _ = read_png(tmp_path / "two.png")
    assert pixels.shape == (500, 1000, 3)
    veery("render", features, "--clip", "noise", "--clip", "short", "--across", 2, "-o", tmp_path / "side.png")
    assert read_png(tmp_path / "side.png")[0].shape == (420, 1000, 3)


def test_annotation_boxes_are_at_their_pixels(veery, folder, tmp_path):
    (tmp_path / "marks.txt").write_text("0.5\t1.25\twren\n\\\t2000\t6000\n")
    veery("render", folder / "noise.wav", *FFT, "--axis", "linear", "--range", "-300:-200", "--colors", "grey", "--height", 600,
          "--annotations", tmp_path / "marks.txt", "-o", tmp_path / "p.png")
    pixels, _ = read_png(tmp_path / "p.png")
    x, y, width, height = body(pixels)
    black = np.all(pixels[y:y + height, x:x + width] == 0, axis=2)
    # The axis begins with the signal, the first frame's pixels half a hop before its centre.
    span = 128 / 16_000 + (1 + (32_000 - 512) // 256) * 256 / 16_000
    left = [time / span * width for time in (0.5, 1.25)]
    upper = [(1 - hertz / TOP) * height for hertz in (6000, 2000)]
    # The label is above the box, so its lower and side edges are the box's own.
    rows = np.flatnonzero(black.any(axis=1))
    columns = np.flatnonzero(black[int(upper[0]) + 5:].any(axis=0))
    assert (columns.min(), columns.max() + 1) == (math.floor(left[0]), math.ceil(left[1]))
    assert rows.max() + 1 == math.ceil(upper[1])
    line = black[:, math.floor(left[1]) - 5]
    assert np.flatnonzero(line).min() == math.floor(upper[0])


def test_annotations_of_a_part_are_at_its_times(veery, folder, features, tmp_path):
    write_manifest(tmp_path / "marks.csv", [
        {"path": str(folder / "noise.wav"), "start": 1.0, "end": 1.2, "label": "x"},
        {"path": "other.wav", "start": 0.5, "end": 0.6, "label": "y"}])
    veery("render", features, "--clip", "part", "--colors", "grey", "--range", "-300:-200", "--annotations",
          tmp_path / "marks.csv", "-o", tmp_path / "p.png")
    pixels, _ = read_png(tmp_path / "p.png")
    x, y, width, height = body(pixels)
    black = np.all(pixels[y + height - 4, x:x + width] == 0, axis=1)
    with h5py.File(features) as file:
        index = [name.decode() for name in file["clips/id"][:]].index("part")
        frames = int(file["clips/frame_count"][index])
        first, period = file["features"].attrs["first_frame_time"], file["features"].attrs["frame_period"]
    left = [(time - 0.5) / (first - period / 2 + frames * period) * width for time in (1.0, 1.2)]
    columns = np.flatnonzero(black)
    assert (columns.min(), columns.max() + 1) == (math.floor(left[0]), math.ceil(left[1]))


def test_many_labels_leave_the_spectrogram_to_be_seen(veery, folder, tmp_path):
    lines = [f"{0.0009 * index:.4f}\t{0.0009 * index + 0.001:.4f}\tspecies {index % 400}\n\\\t2000\t4000\n" for index in range(2000)]
    command = ["render", folder / "noise.wav", "--width", 900, "--height", 400, "--colors", "viridis"]
    for count in 0, 6, 2000:
        (tmp_path / "marks.txt").write_text("".join(lines[::max(2000 // count, 1)] if count else lines[:1]))
        shown = veery(*command, *(["--annotations", tmp_path / "marks.txt"] if count else []), "-o", tmp_path / f"{count}.png")
        said = shown.stderr
        if count < 2000:
            assert said == ""
    plain, _ = read_png(tmp_path / "0.png")
    many, _ = read_png(tmp_path / "2000.png")
    x, y, width, height = body(plain)
    # Labels are black; the boxes' lines are mixed with the values.
    black = np.all(many[y:y + height, x:x + width] == 0, axis=2).mean()
    assert 0.01 < black < 0.1, black
    assert re.fullmatch(r"note: [\d,]+ of [12],\d\d\d labelled boxes are named, [^\n]*--start and --end[^\n]*--width[^\n]*\n", said), said
    # Below and above the boxes' band nothing but labels is changed.
    assert (np.any(many[y:y + height, x:x + width] != plain[y:y + height, x:x + width], axis=2)).mean() < 0.5


WARNINGS = {
    "empty.txt": ("", "the table has no rows"),
    "raven.txt": ("Selection\tView\tBegin Time (s)\tEnd Time (s)\n", "the table has no rows"),
    "timeless.csv": ("path,id,label\nnoise.wav,a,x\nnoise.wav,b,y\n", "expected rows with start, and end or duration, found none in 2 rows"),
    "other.csv": ("path,start,end,label\nother.wav,0.1,0.2,x\n", "no row names 'noise.wav'; rows name 'other.wav'"),
    "late.txt": ("7\t8\ta\n9\t10\tb\n", "of 2 rows, none is within the picture: 2 after 1.50 s"),
    "around.txt": ("0.1\t0.2\ta\n7\t8\tb\n", "of 2 rows, none is within the picture: 1 before 0.50 s, 1 after 1.50 s"),
    "low.txt": ("0.6\t0.7\ta\n\\\t10\t20\n", "of 1 row, none is within the picture: 1 at other frequencies"),
}


@pytest.mark.parametrize("name", WARNINGS)
@pytest.mark.parametrize("stored", [False, True])
def test_annotations_that_draw_nothing_are_reported(veery, folder, features, tmp_path, name, stored):
    content, reason = WARNINGS[name]
    (tmp_path / name).write_text(content)
    source = [features, "--clip", "part"] if stored else [folder / "noise.wav", "--start", 0.5, "--end", 1.5]
    result = veery("render", *source, "--band", "1000-8000", "--annotations", tmp_path / name, "-o", tmp_path / "p.png")
    # The first frame begins a little after the part does, the last ends a little before.
    said = re.sub(r"1\.4\d s", "1.50 s", re.sub(r"0\.5\d s", "0.50 s", result.stderr))
    assert said.startswith("warning: ") and said.endswith(f"{name}: {reason}: no box is drawn\n"), result.stderr
    plain = veery("render", *source, "--band", "1000-8000", "-o", tmp_path / "q.png")
    assert plain.stderr == "" and (tmp_path / "p.png").read_bytes() == (tmp_path / "q.png").read_bytes()


def test_rows_past_the_recording_s_end_are_reported(veery, folder, tmp_path):
    (tmp_path / "marks.txt").write_text("0.1\t0.2\ta\n5\t6\tb\n7\t8\tc\n")
    command = ["render", folder / "noise.wav", "--annotations", tmp_path / "marks.txt", "-o", tmp_path / "p.png"]
    said = veery(*command).stderr
    assert "2 of 3 rows start after the recording's last frame" in said and said.startswith("warning: ")
    assert veery(*command, "--end", 1).stderr == ""


# ------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("arguments, message", [
    (["tones.wav", "--range", "0:1", "--percentiles", "1:99"], "one of --range, --percentiles and --below-peak"),
    (["tones.wav", "--preset", "log-mel", "--below-peak", "60"], "--below-peak: expected values in dB, found 'ln(power)'"),
    (["tones.wav", "--percentiles", "1:101"], "--percentiles: expected two numbers from 0 to 100"),
    (["tones.wav", "--columns", "5"], "--columns is for --plain"),
    (["tones.wav", "--plain", "--waveform"], "--plain draws only the values"),
    (["tones.wav", "noise.wav", "--plain"], "--plain draws one clip or recording, found 2"),
    (["tones.wav", "--time", "clock"], "--begins 05:30:00"),
    (["tones.wav", "--percentiles", "99:5"], "'--percentiles <low:high>': expected two numbers from 0 to 100, the lower first"),
    (["tones.wav", "--percentiles", "-1:50"], "--percentiles: expected two numbers from 0 to 100"),
    (["tones.wav", "--range", "0:-80"], "'--range <low:high>': expected two numbers, the lower first, such as -80:0"),
    (["tones.wav", "--begins", "25:00"], "'--begins <time>': expected a time from 00:00 to 23:59:59, such as 05:30:00"),
    (["tones.wav", "--band", "300"], "'--band <low-high>': expected two frequencies, the first below the second"),
    (["tones.wav", "--below-peak", "-60"], "--below-peak: expected more than 0 dB, found -60"),
    (["tones.wav", "--start", "-1"], "--start and --end: expected 0 ≤ start < end"),
    (["tones.wav", "--band", "3000-300"], "--band: expected two frequencies"),
    (["tones.wav", "--band", "3-30bins"], "--band: expected two frequencies"),
    (["tones.wav", "--dpi", "10000"], "--dpi: expected 24 to 1200, found 10000"),
    (["tones.wav", "--font-size", "2"], "--font-size: expected 6 to 48"),
    (["tones.wav", "--annotations-as", "strip"], "--annotations-as is for --annotations"),
    (["tones.wav", "--annotator", "amy"], "--annotator is for --annotations"),
    (["tones.wav", "--label", "call"], "--label is for --annotations"),
    (["tones.wav", "--axis", "log", "--tuning", "432"], "--tuning is for --axis musical"),
    (["f.h5"], "name a clip with --clip, such as 'tones', 'noise', 'short'"),
    (["f.h5", "f.h5", "--clip", "tones"], "one feature file, found 2"),
], ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_contradicting_options_are_errors(veery, folder, features, tmp_path, arguments, message):
    error = veery("render", *arguments, "-o", tmp_path / "p.png", folder=folder, status=64).stderr
    assert message in " ".join(error.split()), error
    assert not (tmp_path / "p.png").exists()


@pytest.mark.parametrize("arguments, message", [
    (["tones.wav", "--preset", "librosa-mfcc", "--axis", "log"], "values without a frequency"),
    (["f.h5", "--clip", "tones", "--waveform", "--root", "/nowhere"], "is not at /nowhere/tones.wav"),
    (["tones.wav", "--preset", "log-mel", "--band", "9000-10000"], "expected frequencies within 18.62 to 7843.619 Hz, found 9000 to 10000 Hz"),
    (["f.h5", "--clip", "tonse"], "no clip with the id 'tonse'. Did you mean 'tones'?"),
    (["f.h5", "--clip", "something else"], "no clip with the id 'something else'; 'veery list f.h5' shows the ids"),
    (["tones.wav", "--annotations", "nowhere.txt"], "nowhere.txt: there is no such file"),
    (["tones.wav", "--annotations", "m.h5"], "m.h5"),
], ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_inputs_that_cannot_be_drawn_are_an_error(veery, folder, features, tmp_path, arguments, message):
    error = veery("render", *arguments, "-o", tmp_path / "p.png", folder=folder, status=1).stderr
    assert message in " ".join(error.split()), error
    assert not (tmp_path / "p.png").exists()


def test_notes_name_the_axis_of_the_musical_preset(veery, folder, tmp_path):
    # Glyphs have no text; but another axis is another picture, and asking for the default is not.
    command = ["render", folder / "noise.wav", "--preset", "musical-spectrum"]
    for name, arguments in ("default", []), ("musical", ["--axis", "musical"]), ("bins", ["--axis", "bins"]):
        veery(*command, *arguments, "-o", tmp_path / f"{name}.png")
    content = {path.stem: path.read_bytes() for path in tmp_path.glob("*.png")}
    assert content["default"] == content["musical"] != content["bins"]


def test_the_musical_preset_is_not_warned_of_but_its_changes_are(veery, folder, tmp_path):
    command = ["render", folder / "noise.wav", "--preset", "musical-spectrum", "-o", tmp_path / "p.png"]
    assert veery(*command).stderr == ""
    assert "transform.points_per_note" in veery(*command, "--set", "transform.points_per_note=9").stderr


def test_below_peak_spans_decibels(veery, folder, tmp_path):
    write_manifest(tmp_path / "m.csv", [{"path": str(folder / "noise.wav"), "id": "noise"}])
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", *FFT, "--quiet")
    with h5py.File(tmp_path / "f.h5") as file:
        values = file["features"][:].astype(np.float64)
    for below in 40, 15:
        veery("render", folder / "noise.wav", *FFT, "--plain", "--colors", "grey", "--below-peak", below, "-o",
              tmp_path / "a.png")
        expected = np.round(np.clip((values - values.max() + below) / below, 0, 1) * 255).astype(int).T[::-1]
        assert np.array_equal(read_png(tmp_path / "a.png")[0][:, :, 0], expected)


def test_a_letter_that_the_usual_font_lacks_is_taken_from_another(veery, folder, tmp_path):
    def families(query, letter):
        found = subprocess.run(["fc-list", f"{query}:charset={ord(letter):x}", "family"], capture_output=True, text=True)
        return found.stdout.strip()

    if shutil.which("fc-list") is None:
        pytest.skip("fc-list is not installed: which fonts have which letters is not known")
    usual = subprocess.run(["fc-match", "-f", "%{family[0]}", "sans-serif"], capture_output=True, text=True).stdout
    # Signs of other fonts of DejaVu's, and letters of Japanese, Korean, Hindi.
    letters = [letter for letter in "\u2336\u2900鳥한अ" if families("", letter) and not families(f":family={usual}", letter)]
    if not letters:
        pytest.skip(f"no font has a letter that {usual} lacks")
    nothing = "\U0010FFF0"
    rows = [{"path": "noise.wav", "id": f"a{letter}b", "start": 0, "end": 0.1 + number / 1000}
            for number, letter in enumerate([*letters, nothing])]
    write_manifest(folder / "letters.csv", rows)
    veery("extract", "letters.csv", "-o", tmp_path / "letters.h5", "--preset", "log-mel", folder=folder)

    def title(letter):
        veery("render", tmp_path / "letters.h5", "--clip", f"a{letter}b", "-o", tmp_path / "letter.png")
        return read_png(tmp_path / "letter.png")[0][:30]

    box = title(nothing)
    for letter in letters:
        assert not np.array_equal(title(letter), box), letter


# ------------------------------------------------------------------------------------------- what is drawn unasked


def spectrogram(x, rate, hop, fft_length):
    """dB below the peak of 25 ms around every hop samples, written from its formula."""
    length = math.floor(0.025 * rate + 0.5)
    # The frame lies in the middle of the transform, and that around the sample.
    before = fft_length // 2 - (fft_length - length) // 2
    mirrored = np.pad(x, (before, length), mode="reflect")
    frames = np.stack([mirrored[hop * i:hop * i + length] for i in range(1 + len(x) // hop)])
    window = 0.5 * (1 - np.cos(2 * np.pi * np.arange(length) / length))
    levels = 10 * np.log10(np.maximum(np.abs(np.fft.rfft(frames * window, fft_length)) ** 2, 1e-10))
    return levels - levels.max()


@pytest.mark.parametrize("rate, fft_length", [(8000, 256), (44_100, 2048), (250_000, 8192)])
def test_by_default_a_recording_is_drawn_up_to_half_its_rate_in_decibels_below_its_peak(veery, tmp_path, rate, fft_length):
    signal = tone(rate, 0.5, [0.11 * rate, 0.43 * rate], 0.8) + noise(5, rate // 2, 0.01)
    x = write_wav(tmp_path / "a.wav", rate, signal)[:, 0].astype(np.float64)
    plain = ["--plain", "--colors", "grey", "--range", "-80:0", "-o", tmp_path / "p.png"]
    said = [veery("render", tmp_path / "a.wav", *given, *plain).stderr for given in ([], ["--preset", "spectrogram"])]
    assert said == ["", ""]
    expected = np.clip(spectrogram(x, rate, math.floor(0.005 * rate + 0.5), fft_length) / 80 + 1, 0, 1).T[::-1] * 255
    pixels = read_png(tmp_path / "p.png")[0][:, :, 0]
    assert pixels.shape == expected.shape and np.abs(pixels - expected).max() < 0.51
    # With axes: ticks and all, both tones at their heights; above 8 kHz, too.
    veery("render", tmp_path / "a.wav", "--colors", "grey", "-o", tmp_path / "p.png")
    pixels, _ = read_png(tmp_path / "p.png")
    left, top, width, height = body(pixels)
    column = pixels[top:top + height, left + width // 2, 0].astype(int)
    for part in 0.11, 0.43:
        row = int((1 - 2 * part) * height)
        assert column[row - 2:row + 3].max() > 2 * np.median(column) and np.median(column) < 60, (part, column)
    # Half a second fills the width, so that neighbouring columns of pixels are different frames.
    middle = pixels[top:top + height, left + 5:left + width - 5].astype(int)
    assert np.mean(np.any(middle[:, 1:] != middle[:, :-1], axis=(0, 2))) > 0.95


def test_annotations_outside_the_band_of_a_preset_are_reported(veery, tmp_path):
    write_wav(tmp_path / "a.wav", 44_100, noise(6, 44_100))
    (tmp_path / "marks.txt").write_text("0.1\t0.2\tx\n\\\t2000\t12000\n0.3\t0.4\ty\n\\\t9000\t12000\n0.5\t0.6\tz\n\\\t500\t900\n")
    marks = ["--annotations", tmp_path / "marks.txt", "-o", tmp_path / "p.png"]
    said = veery("render", tmp_path / "a.wav", "--preset", "log-mel", *marks).stderr
    assert "frequencies up to 22050 Hz, the picture ends at 8000 Hz; --preset spectrogram shows all" in said
    assert "of 3 boxes, 1 is cut at the picture's edge and 1 is outside" in said
    assert veery("render", tmp_path / "a.wav", *marks).stderr == ""
    said = veery("render", tmp_path / "a.wav", "--band", "0-8000", *marks).stderr
    assert "the picture ends" not in said and "1 is cut at the picture's edge and 1 is outside" in said
    # A recording that has no more than the preset is shown whole.
    write_wav(tmp_path / "b.wav", 16_000, noise(6, 16_000))
    assert veery("render", tmp_path / "b.wav", "--preset", "log-mel", "-o", tmp_path / "q.png").stderr == ""


def test_what_is_true_of_a_recording_is_said_once_and_not_of_each_channel(veery, tmp_path):
    write_wav(tmp_path / "a.wav", 44_100, noise(6, 3 * 44_100).reshape(-1, 3))
    (tmp_path / "cut.wav").write_bytes((tmp_path / "a.wav").read_bytes()[:100_000])
    run = ["render", tmp_path / "a.wav", tmp_path / "cut.wav", "--truncated", "keep", "--preset", "kaldi-fbank", "-o", tmp_path / "p.png"]
    once, each = (veery(*run, *options).stderr for options in ([], ["--set", "audio.channels=all"]))
    assert [once.count(words) for words in ("the picture ends at 8000 Hz", "is cut off", "of the first channel alone")] == [2, 1, 1]
    # Only that the others are left out is no longer true.
    assert each.splitlines() == [line for line in once.splitlines() if "first channel alone" not in line]


def test_many_labels_without_frequencies_are_a_strip_below(veery, folder, tmp_path):
    lines = [f"{0.015 * index:.3f}\t{0.015 * index + 0.01:.3f}\tspecies {index % 5}\n" for index in range(120)]
    (tmp_path / "marks.txt").write_text("".join(lines))
    command = ["render", folder / "noise.wav", "--width", 900, "--height", 500]
    given = ["--annotations", tmp_path / "marks.txt"]
    said = {}
    for name, arguments in ("plain", []), ("auto", given), ("strip", [*given, "--annotations-as", "strip"]), \
            ("boxes", [*given, "--annotations-as", "boxes"]):
        said[name] = veery(*command, *arguments, "-o", tmp_path / f"{name}.png").stderr
    pixels = {name: read_png(tmp_path / f"{name}.png")[0] for name in said}
    assert np.array_equal(pixels["auto"], pixels["strip"]) and not np.array_equal(pixels["boxes"], pixels["strip"])
    assert said["strip"] == "" and said["auto"] == ""
    # Nothing is drawn over the values, and below the time axis each label has a bar of its own colour wherever it is.
    x, y, width, height = body(pixels["strip"])
    below = pixels["strip"][y + height + 25:, x:x + width].astype(int)
    colors = {tuple(color) for row in below for color in row if max(color) - min(color) > 60}
    bars = [np.all(below == color, axis=2) for color in colors]
    bars = [bar for bar in bars if bar.sum() > 100]
    assert len(bars) == 5
    for bar in bars:
        columns = bar.any(axis=0).astype(int)
        assert np.count_nonzero(np.diff(columns, prepend=0) == 1) == 24
    # Few labels are still drawn as boxes.
    (tmp_path / "marks.txt").write_text("".join(lines[:5]))
    veery(*command, *given, "-o", tmp_path / "few.png")
    veery(*command, *given, "--annotations-as", "boxes", "-o", tmp_path / "few-boxes.png")
    assert (tmp_path / "few.png").read_bytes() == (tmp_path / "few-boxes.png").read_bytes()


# ----------------------------------------------------------------------------------------------------------------- fonts


def test_without_any_font_pictures_have_no_text_and_the_program_says_so(veery, folder, features, tmp_path, monkeypatch):
    (tmp_path / "fonts.conf").write_text(
        f'<?xml version="1.0"?><fontconfig><cachedir>{tmp_path / "cache"}</cachedir></fontconfig>')
    write_manifest(tmp_path / "none.csv", [{"path": str(folder / "noise.wav"), "id": "Küste", "label": "鳥"}])
    veery("extract", tmp_path / "none.csv", "-o", tmp_path / "f.h5", "--quiet")
    (tmp_path / "marks.txt").write_text("0.1\t0.2\twren\n")
    monkeypatch.setenv("FONTCONFIG_FILE", str(tmp_path / "fonts.conf"))
    monkeypatch.setenv("FONTCONFIG_PATH", str(tmp_path))
    for extension in "png", "svg", "pdf":
        picture = tmp_path / f"p.{extension}"
        for arguments in (["render", folder / "tones.wav", "--annotations", tmp_path / "marks.txt", "--waveform"],
                          ["render", tmp_path / "f.h5", "--clip", "Küste"], ["render", tmp_path / "f.h5", "--sheet"]):
            picture.unlink(missing_ok=True)
            said = veery(*arguments, "-o", picture).stderr
            assert "warning: no font was found, so the picture has no text" in said and "DejaVu".lower() in said.lower()
            assert picture.stat().st_size > 5000
    # The values are there, and no label's black bar over them.
    veery("render", folder / "tones.wav", "--annotations", tmp_path / "marks.txt", "-o", tmp_path / "p.png")
    pixels, _ = read_png(tmp_path / "p.png")
    x, y, width, height = body(pixels)
    assert len(np.unique(pixels[y:y + height, x:x + width].reshape(-1, 3), axis=0)) > 50
    # Values alone need no font, and the page of a dataset brings its text itself.
    assert veery("render", folder / "tones.wav", "--plain", "-o", tmp_path / "q.png").stderr == ""
    veery("inspect", tmp_path / "f.h5", "--html", tmp_path / "page.html", "--plots", tmp_path / "plots")
    assert (tmp_path / "page.html").stat().st_size > 10_000 and any((tmp_path / "plots").iterdir())


def test_the_text_of_a_pdf_is_text(veery, folder, tmp_path):
    veery("render", folder / "tones.wav", "-o", tmp_path / "p.pdf")
    veery("render", folder / "tones.wav", "-o", tmp_path / "p.svg")
    content = (tmp_path / "p.pdf").read_bytes()
    # Fonts with a table from glyphs to characters, which is what search and copying go by.
    assert b"/FontFile2" in content and b"/ToUnicode" in content
    # In an SVG, letters are shapes.
    assert "<text" not in (tmp_path / "p.svg").read_text()
