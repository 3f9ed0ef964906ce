"""What `veery inspect` shows in a terminal and in a pipe, and that its numbers are those of the file."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
import unicodedata

import h5py
import numpy as np
import pytest

from conftest import noise, tone, write_manifest, write_wav

CODES = re.compile(r"\x1b\[[0-9;]*m")


def columns(text):
    """The width of a text without sequences of emoji."""
    width = 0
    for character in text:
        if unicodedata.category(character) in ("Mn", "Me", "Cf"):
            continue
        width += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return width


def environment(**changes):
    clean = {name: value for name, value in os.environ.items()
             if name not in ("NO_COLOR", "TERM", "LC_ALL", "LC_CTYPE", "LANG", "COLUMNS")}
    clean |= {"TERM": "xterm-256color", "LANG": "C.UTF-8"} | changes
    return {name: value for name, value in clean.items() if value is not None}


def in_pipe(program, *arguments, **changes):
    result = subprocess.run([program, *map(str, arguments)], capture_output=True, env=environment(**changes), timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout.decode()


def in_terminal(program, *arguments, width=80, **changes):
    """What the program writes to a terminal of so many columns."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    process = subprocess.Popen([program, *map(str, arguments)], stdout=its, stderr=subprocess.PIPE, env=environment(**changes))
    os.close(its)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    assert process.wait(timeout=60) == 0, process.stderr.read()
    return shown.decode().replace("\r\n", "\n")


LABELS = ["dog", "日本語のとても長いラベル" * 6, "e\u0301" * 50, "a-very-long-label/" * 40, "red\x1b[31m", "cat"]


@pytest.fixture(scope="module")
def made(program, tmp_path_factory):
    """A file with long, wide and few-membered labels, lengths from 0.05 s to 3 s, and failures of several kinds."""
    folder = tmp_path_factory.mktemp("inspect")
    rows = []
    for clip in range(60):
        seconds = 0.05 * 60 ** (clip / 59)
        write_wav(folder / f"audio/{clip}.wav", 16000, noise(clip, round(16000 * seconds)))
        rows.append({"path": f"audio/{clip}.wav", "label": LABELS[min(clip % 11, 5) if clip else 1],
                     "split": "train" if clip % 4 else "test", "session": clip % 3})
    for rate in (8000, 11025, 44100):
        write_wav(folder / f"audio/at-{rate}.wav", rate, tone(rate, 0.3, [300]))
        rows.append({"path": f"audio/at-{rate}.wav", "label": "cat", "split": "train", "session": 1})
    rows.append({"path": "audio/" + "missing/" * 30 + "x.wav", "label": "none-left", "split": "train", "session": 1})
    write_manifest(folder / "m.csv", rows)
    path = folder / "features.h5"
    result = subprocess.run([program, "extract", folder / "m.csv", "-o", path, "--set", "audio.sample_rate=null",
                             "--set", "transform.high=null", "--max-failures", "100%"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return path


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_a_terminal_gets_colours_and_lines_that_fit(program, made, width):
    shown = in_terminal(program, "inspect", made, width=width)
    assert CODES.search(shown)
    plain = CODES.sub("", shown)
    assert "\x1b" not in plain
    assert max(map(columns, plain.split("\n"))) <= width
    assert max(map(columns, plain.split("\n"))) > 0.75 * min(width, 100)


def test_a_pipe_gets_the_same_at_80_columns_without_codes(program, made):
    piped = in_pipe(program, "inspect", made)
    assert "\x1b" not in piped
    assert piped == CODES.sub("", in_terminal(program, "inspect", made, width=80))
    assert piped == in_pipe(program, "inspect", made, COLUMNS="200", CLICOLOR_FORCE="1")


@pytest.mark.parametrize("changes", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": None}], ids=str)
def test_a_terminal_that_wants_no_colours_gets_none(program, made, changes):
    assert in_terminal(program, "inspect", made, **changes) == in_pipe(program, "inspect", made)


@pytest.mark.parametrize("changes", [{"LANG": "C"}, {"LANG": None}, {"LC_ALL": "POSIX"}], ids=str)
def test_a_locale_without_unicode_gets_bars_of_ascii(program, made, changes):
    shown = in_pipe(program, "inspect", made, **changes)
    assert "####" in shown
    assert not re.search("[▁▂▃▄▅▆▇█▏…×·]", shown)
    assert "日本" in shown
    assert max(map(columns, shown.split("\n"))) <= 80


def test_the_numbers_are_those_of_the_file(program, made):
    shown = in_pipe(program, "inspect", made)
    report = json.loads(in_pipe(program, "inspect", made, "--json"))
    with h5py.File(made) as file:
        labels = file["clips/label"].asstr()[:]
        durations = file["clips/duration"][:]
        counts = {label: int((labels == label).sum()) for label in file["labels"].asstr()[:]}
        mean = file["statistics/mean"][:]
    assert {group["name"]: group["clips"] for group in report["labels"]} == counts
    table = shown[shown.index("  Labels (7)"):]
    rows = [re.split(r"  +", line.strip()) for line in table.split("\n")[1:8]]
    assert [int(row[1]) for row in rows] == sorted(counts.values(), reverse=True)
    assert rows[0][0] == "cat" and rows[-1][0] == "none-left" and rows[-1][1] == "0"
    fewest = min(count for count in counts.values() if count)
    assert f"largest to smallest {counts['cat'] / fewest:.2g} : 1 (cat {counts['cat']}," in shown
    assert "without clips: 1" in shown

    histogram = report["durations"]["histogram"]
    assert histogram["spacing"] == "logarithmic"
    edges = np.array(histogram["edges"])
    assert edges[0] <= durations.min() < edges[1] and edges[-2] < durations.max() <= edges[-1]
    preferred = 10 ** np.floor(np.log10(edges)) * np.array([1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8])[:, None]
    assert np.isclose(preferred, edges, rtol=1e-12).any(0).all() and np.all(np.diff(edges) > 0)
    assert histogram["counts"] == np.histogram(durations, histogram["edges"])[0].tolist()
    curve = re.search(r"0\.050 s ([▁▂▃▄▅▆▇█ ]+) 3\.00 s, log scale", shown).group(1)
    heights = [" ▁▂▃▄▅▆▇█".index(step) for step in curve]
    most = max(histogram["counts"])
    assert heights == [0 if count == 0 else 1 + min(count * 8 // most, 7) for count in histogram["counts"]]

    line = next(line for line in shown.split("\n") if line.startswith("  mean "))
    assert f"{mean.min():.4g} " in line and line.endswith(f" {mean.max():.4g}")
    curve = re.search("[▁▂▃▄▅▆▇█]+", line).group(0)
    means = np.array([part.mean() for part in
                      (mean[k * 80 // 48:(k + 1) * 80 // 48] for k in range(48))])
    expected = np.minimum(((means - means.min()) / np.ptp(means) * 8).astype(int), 7)
    assert np.abs(np.array(["▁▂▃▄▅▆▇█".index(step) for step in curve]) - expected).max() <= 1
    assert len(curve) == 48


def test_failures_of_one_kind_are_shown_with_the_range_of_their_numbers(program, made):
    shown = in_pipe(program, "inspect", made)
    assert "Failures (4)" in shown
    block = shown[shown.index("Failures (4)"):]
    assert re.search(r"  3  condition: .*8000 to 44100", " ".join(block.split("\n")[:3]))
    assert "first:" not in block and "audio/at-8000, audio/at-11025, audio/at-44100" in block
    groups = json.loads(in_pipe(program, "inspect", made, "--json"))["failures_by_reason"]
    assert [group["clips"] for group in groups] == [3, 1]
    assert "8000 to 44100" in groups[0]["pattern"] and "44100" not in groups[0]["reason"]


def test_thousands_of_labels_are_folded(program, tmp_path):
    write_wav(tmp_path / "a.wav", 16000, noise(1, 4000))
    rows = [{"path": "a.wav", "id": str(clip), "label": f"species-{int(clip ** 0.5 * 30)}"} for clip in range(4000)]
    write_manifest(tmp_path / "m.csv", rows)
    path = tmp_path / "f.h5"
    subprocess.run([program, "extract", tmp_path / "m.csv", "-o", path], check=True, capture_output=True)
    shown = in_pipe(program, "inspect", path)
    assert shown.count("\n") < 75
    counts = {}
    for row in rows:
        counts[row["label"]] = counts.get(row["label"], 0) + 1
    sizes = sorted(counts.values(), reverse=True)
    middle = sizes[16:-4]
    said = (f"{min(middle)} to {max(middle)} clips, median {np.median(middle):g}" if min(middle) < max(middle)
            else f"{middle[0]} clip{'' if middle[0] == 1 else 's'} each")
    assert f"  … and {len(middle):,} more with {said}\n" in shown
    assert f"Labels ({len(sizes):,})" in shown


def test_the_fixed_layout_says_how_many_clips_are_not_of_its_length(program, made, tmp_path):
    path = tmp_path / "fixed.h5"
    subprocess.run([program, "extract", made.with_name("m.csv"), "-o", path, "--set", "store.layout=fixed",
                    "--set", "audio.duration=0.5", "--set", "audio.sample_rate=16000", "--max-failures", "100%"],
                   check=True, capture_output=True)
    report = json.loads(in_pipe(program, "inspect", path, "--json"))
    with h5py.File(path) as file:
        durations = file["clips/duration"][:]
    expected = {"seconds": 0.5, "longer": int((durations > 0.5).sum()), "shorter": int((durations < 0.5).sum())}
    assert report["common_length"] == expected and expected["longer"] and expected["shorter"]
    shown = " ".join(in_pipe(program, "inspect", path).split())
    assert f"Stored 0.500 s of each clip, {expected['longer']} longer ones cropped, " \
           f"{expected['shorter']} shorter ones with fewer frames" in shown


@pytest.fixture
def clips(veery, tmp_path):
    """A feature file of forty clips, each of its own length."""
    lines = []
    for clip in range(40):
        write_wav(tmp_path / f"{clip}.wav", 8000, noise(clip, 2000 + 321 * clip))
        lines.append({"path": f"{clip}.wav", "id": f"clip-{clip}", "label": ["owl", "wren"][clip % 2]})
    write_manifest(tmp_path / "m.csv", lines)

    def made(*settings):
        veery("extract", "m.csv", "-o", "f.h5", "--set", "audio.sample_rate=8000", "--set", "transform.high=4000", "--overwrite",
              *[word for setting in settings for word in ("--set", setting)], folder=tmp_path)
        return tmp_path / "f.h5"
    return made


def by_jobs(veery, path, status):
    """What `--verify` finds and the page of `--html`, which do not depend on the number of threads."""
    found, pages = set(), set()
    for jobs in (1, 2, 7):
        found.add(veery("inspect", path, "--verify", "--jobs", str(jobs), status=status).stdout)
        veery("inspect", path, "--html", path.with_suffix(".html"), "--jobs", str(jobs))
        pages.add(path.with_suffix(".html").read_bytes())
    assert len(found) == 1 and len(pages) == 1
    return found.pop()


@pytest.mark.parametrize("settings", [
    [], ["store.type=float16", "normalize.scope=clip"], ["store.compression=deflate"], ["store.layout=fixed", "audio.duration=0.7"]])
def test_damage_in_several_clips_is_found_in_their_order_by_any_number_of_threads(veery, clips, settings):
    path = clips(*settings)
    assert "complete and consistent" in by_jobs(veery, path, 0)
    with h5py.File(path, "r+") as file:
        starts, counts = file["clips/frame_start"][:], file["clips/frame_count"][:]
        rows = file["features"]
        for clip, value in ((3, 0.5), (17, np.nan), (31, -np.inf), (32, 2)):
            if rows.ndim == 3:
                rows[clip, counts[clip] // 2, 1] = value
            else:
                rows[starts[clip] + counts[clip] // 2, 1] = value
        file["clips/start"][25] = 1
    text = by_jobs(veery, path, 1)
    named = [line.split("'")[1] for line in text.splitlines()[1:]]
    assert list(dict.fromkeys(named)) == ["clip-3", "clip-17", "clip-25", "clip-31", "clip-32"]


def test_rows_that_only_libhdf5_can_read_are_checked_too(veery, clips):
    path = clips()
    veery("inspect", path, "--html", path.with_name("own.html"))
    with h5py.File(path, "r+") as file:
        rows = file["features"][:]
        attributes = {name: value for name, value in file["features"].attrs.items() if name not in ("DIMENSION_LIST",)}
        del file["features"]
        # Filters of another program: no shuffle.
        made = file.create_dataset("features", data=rows, chunks=(1, rows.shape[1]), compression="gzip")
        made.attrs.update(attributes)
    # Whether the tensor is compressed is part of no checksum.
    assert "complete and consistent" in by_jobs(veery, path, 0)
    pages = [path.with_suffix(".html").read_text(), path.with_name("own.html").read_text()]
    pictures = [re.findall(r"data:image/png;base64,[^\"']+", page) for page in pages]
    assert len(pictures[0]) > 4 and pictures[0] == pictures[1]
    with h5py.File(path, "r+") as file:
        file["features"][100, 3] += 1
    assert by_jobs(veery, path, 1).count("tensor_xxh3") == 1
