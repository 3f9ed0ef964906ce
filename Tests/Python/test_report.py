"""inspect --html and --plots: the page as a browser's parser sees it, its numbers against NumPy's, its Python run."""

import csv
import itertools
import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from html.parser import HTMLParser

import h5py
import numpy as np
import pytest

import veery as package
from conftest import noise, tone, write_manifest, write_wav

VOID = {"meta", "input", "img", "br", "hr", "link"}
HOSTILE = ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "a'b\"\u0301 onmouseover=alert(1)", "&lt;b&gt;",
           "{{style}}", "🐦 鳥 قُبَّرة", "x" * 5000, "\u202eturned", "</title></style></script>"]


class Page(HTMLParser):
    """The elements of a page; that they are closed in order is checked on the way."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.texts, self.tables = [], [], [], {}
        self.rows = self.cell = None
        self.feed(text)
        self.close()
        assert self.open == [], f"never closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert len(set(names)) == len(names), f"{tag} has an attribute twice: {names}"
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.rows = []
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("th", "td", "caption", "pre"):
            self.cell = ""

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing that is open"
        if tag == "caption":
            self.tables[self.cell] = self.rows
        elif tag in ("th", "td"):
            self.rows[-1].append(self.cell)
        elif tag == "pre":
            self.texts.append(("pre", self.cell))
            self.cell = None

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else "", data))
        if self.cell is not None:
            self.cell += data

    def table(self, beginning):
        """The rows of the table whose caption begins so, without its header."""
        found = [rows for caption, rows in self.tables.items() if caption.startswith(beginning)]
        assert len(found) == 1, f"{beginning}: {list(self.tables)}"
        return found[0][1:]

    def values(self, name):
        return [attributes[name] for _, attributes in self.elements if name in attributes]


def number(text):
    return float(re.sub(r"[, %s]|< ", "", text.replace("−", "-")))


def same(found, wanted):
    """Whether four digits of every number are right."""
    return np.allclose([number(text) for text in found], wanted, rtol=6e-4, atol=1e-12)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    """Recordings of two kinds with one of every fault; a manifest."""
    folder = tmp_path_factory.mktemp("report")
    rows = []

    def add(name, samples, label, split):
        write_wav(folder / f"{name}.wav", 16000, samples)
        rows.append({"path": f"{name}.wav", "id": name, "label": label, "split": split})

    for clip in range(40):
        label = ["finch", "wren"][clip % 2]
        length = 12000 + 500 * (clip % 7)
        sound = tone(16000, length / 16000, [600 if label == "finch" else 2500, 4000], 0.1 + 0.02 * (clip % 5))
        add(f"{label}-{clip}", sound + noise(clip, length, 0.01), label, ["train", "train", "test"][clip % 3])
    add("odd-finch", noise(98, 12000, 0.6), "finch", "train")
    add("silence", np.zeros(9000), "wren", "train")
    loud = tone(16000, 0.8, [700], 0.5)
    add("clipped", np.clip(loud * 4, -1, 1), "finch", "train")
    add("longest", noise(99, 90000, 0.1), "", "train")
    add("shortest", noise(97, 401, 0.1), "wren", "train")
    rows.append({"path": "wren-5.wav", "id": "copy-of-wren-5", "label": "finch", "split": "train"})
    near = tone(16000, 12000 / 16000, [1000, 3300], 0.2) + noise(77, 12000, 0.02)
    add("near-a", near, "finch", "train")
    add("near-b", near[:-700] * 0.998, "finch", "test")
    rows.append({"path": "missing.wav", "id": "missing", "label": "finch", "split": "train"})
    return write_manifest(folder / "m.csv", rows)


@pytest.fixture(scope="module")
def features(veery, dataset):
    path = dataset.parent / "features.h5"
    veery("extract", dataset, "-o", path, "--max-failures", 1, "--set", "normalize.scope=none")
    return path


@pytest.fixture(scope="module")
def text(veery, features):
    path = features.parent / "report.html"
    result = veery("inspect", features, "--html", path)
    assert result.stdout == f"{path}\n"
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


@pytest.fixture(scope="module")
def clips(features):
    """The clips' rows and columns, by h5py."""
    with h5py.File(features) as file:
        columns = {name: file[f"clips/{name}"].asstr()[:] for name in ("id", "label", "split")}
        columns["duration"] = file["clips/duration"][:]
        rows = [file["features"][a:a + n] for a, n in zip(file["clips/frame_start"], file["clips/frame_count"])]
        return columns, rows


# ------------------------------------------------------------------------------------------------------- the page


def well_formed(page, text):
    ids = page.values("id")
    assert len(set(ids)) == len(ids), [name for name in ids if ids.count(name) > 1]
    targets = [href[1:] for href in page.values("href")]
    assert targets and all(href.startswith("#") for href in page.values("href")) and set(targets) <= set(ids)
    for names in page.values("aria-labelledby"):
        assert set(names.split()) <= set(ids)
    for tag, attributes in page.elements:
        if "src" in attributes:
            assert attributes["src"].startswith({"img": "data:image/png;base64,", "audio": "data:audio/wav;base64,"}[tag])
    assert all(attributes.keys() == {"controls", "preload", "aria-label", "src"} and attributes["preload"] == "none"
               and attributes["aria-label"].startswith("Sound of ") for tag, attributes in page.elements if tag == "audio")
    assert not [tag for tag, attributes in page.elements if tag == "script" and attributes]
    assert not [tag for tag, _ in page.elements if tag in ("link", "iframe", "object", "base")]
    assert not re.search(r"https?://|@import|url\(", text.replace("http://www.w3.org/2000/svg", ""))
    handlers = [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    assert handlers == []


def test_the_page_is_well_formed_and_needs_nothing_but_itself(page, text):
    well_formed(page, text)
    assert text.startswith("<!DOCTYPE html>\n<html lang=\"en\">")


def test_the_page_can_be_read_without_seeing_it(page):
    tags = [tag for tag, _ in page.elements]
    for tag in ("header", "nav", "main", "footer", "h1"):
        assert tags.count(tag) == 1, tag
    levels = [int(tag[1]) for tag in tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1 and all(after <= before + 1 for before, after in itertools.pairwise(levels))
    assert all(attributes.get("alt") for tag, attributes in page.elements if tag == "img")
    assert all(attributes.get("scope") in ("col", "row") for tag, attributes in page.elements if tag == "th")
    figures = [attributes for tag, attributes in page.elements if tag == "svg"]
    assert len(figures) == 5 and all(figure["role"] == "img" and figure["aria-labelledby"] for figure in figures)
    # The first thing that a keyboard reaches leads past everything else.
    focusable = [attributes for tag, attributes in page.elements if tag in ("a", "button", "input")]
    assert focusable[0]["href"] == "#main"
    assert tags.count("table") == len(page.tables)


def test_the_page_is_the_same_every_time_and_replaces_no_file_but_a_page(veery, features, text, tmp_path):
    path = tmp_path / "again.html"
    for _ in range(2):
        veery("inspect", features, "--html", path)
        assert path.read_text(encoding="utf-8") == text
    for name, content in [("notes.html", b"<p>mine</p>"), ("song.wav", (features.parent / "clipped.wav").read_bytes())]:
        other = tmp_path / name
        other.write_bytes(content)
        assert "not a page that veery wrote" in veery("inspect", features, "--html", other, status=1).stderr
        assert other.read_bytes() == content
    veery("inspect", features, "--html", path, "--json", status=64)
    veery("inspect", features, "--root", tmp_path, status=64)
    assert not list(tmp_path.glob("*.partial")) and not list(tmp_path.glob(".*"))


# ---------------------------------------------------------------------------------------------------- its numbers


def test_clips_are_counted_by_label_and_split(page, clips):
    columns, rows = clips
    found = {row[0]: row for row in page.table("Clips, frames and length of each label")}
    assert set(found) == {"finch", "wren", "(none)"}
    for label, row in found.items():
        wanted = columns["label"] == (label if label != "(none)" else "")
        assert number(row[1]) == wanted.sum()
        assert [number(cell) for cell in row[4:6]] == [(wanted & (columns["split"] == s)).sum() for s in ("test", "train")]
        assert number(row[2]) == sum(len(rows[clip]) for clip in np.flatnonzero(wanted))


def test_lengths_are_counted(page, clips):
    table = page.table("Clips by length")
    edges = [number(row[0]) for row in table] + [number(table[-1][1])]
    counts, _ = np.histogram(clips[0]["duration"], edges)
    assert [number(row[2]) for row in table] == list(counts) and counts.sum() == len(clips[1])


def test_means_and_deviations_of_bins_are_those_of_the_file(page, features, clips):
    values = np.concatenate(clips[1]).astype("f8")
    stored = page.table("Bins as stored")
    assert same([row[2] for row in stored], values.mean(0)) and same([row[3] for row in stored], values.std(0))
    before = page.table("Bins before normalisation")
    with h5py.File(features) as file:
        assert same([row[2] for row in before], file["statistics/mean"][:])
        assert same([row[3] for row in before], file["statistics/std"][:])


def test_the_values_are_counted_and_their_share_at_the_floor(page, text, clips):
    values = np.concatenate(clips[1])
    table = page.table("Stored values by interval")
    edges = np.array([number(row[0]) for row in table] + [number(table[-1][1])])
    counts = [((values >= low) & (values < high)).sum() for low, high in itertools.pairwise(edges)]
    assert [number(row[2]) for row in table] == counts and len(table) > 20
    share = np.mean(values <= np.log(1e-10) + 1e-4)
    assert 0.001 < share < 0.5 and f"{share * 100:.1f} % lie at the floor of the scale" in text
    assert f"{(values < edges[0]).sum():,} lie below what is drawn, {(values >= edges[-1]).sum():,} above" in text or (
        (values < edges[0]).sum() == 0 and (values >= edges[-1]).sum() == 0)


def test_the_most_typical_and_extreme_clips_are_those_of_the_definition(page, clips):
    columns, rows = clips
    means = np.stack([row.astype("f8").mean(0).astype("f4").astype("f8") for row in rows])
    shown = [data for tag, data in page.texts if re.match(r"typical|extreme|mean|of \d+ clips", data)]
    tiles = re.findall(r"(typical|extreme), d\s([\d.]+), ", "\n".join(shown))
    wanted = []
    for label in ["finch", "wren", ""]:
        members = np.flatnonzero(columns["label"] == label)
        own = means[members]
        spread = own.std(0)
        scaled = np.divide(own - own.mean(0), spread, out=np.zeros_like(own), where=spread > 1e-9 * np.abs(own.mean(0)))
        distance = np.sqrt((scaled ** 2).mean(1))
        order = sorted(range(len(members)), key=lambda i: (distance[i], members[i]))
        wanted += [("typical", f"{distance[i]:.2f}") for i in order[:3]]
        furthest = sorted(range(len(members)), key=lambda i: (-distance[i], members[i]))
        wanted += [("extreme", f"{distance[i]:.2f}") for i in furthest[:3] if i not in order[:3]]
    assert tiles == wanted
    names = [data for tag, data in page.texts if tag == "bdi"]
    assert "odd-finch" in names


def test_the_planted_faults_are_found(page, text):
    # A clipped tone whose period divides the hop has equal frames: unchanging, not silent.
    assert [(row[0], row[-1]) for row in page.table("Silent and unchanging clips")] == [
        ("silence", "silent"), ("clipped", "unchanging")]
    assert page.table("The longest clips")[0][0] == "longest" and page.table("The shortest clips")[0][0] == "shortest"
    assert [row[0] for row in page.table("Clips with the greatest share of clipped samples")] == ["clipped"]
    assert page.table("Groups of equal clips") == [
        ["wren-5, copy-of-wren-5", "test, train", "wren, finch", "samples", "leak, different labels"]]
    nearest = page.table("Pairs of clips of different splits")[0]
    assert {nearest[0], nearest[3]} == {"near-a", "near-b"} and {nearest[2], nearest[5]} == {"train", "test"}
    failures = page.table("Failures by kind and reason")
    assert len(failures) == 1 and failures[0][1:] == ["open", "cannot_open", "1", "missing"]
    assert "1 group of equal clips lies in different splits" in text and "1 clipped recording" in text


def test_without_recordings_the_page_says_how_to_find_clipped_ones(veery, features, tmp_path):
    veery("inspect", features, "--html", tmp_path / "r.html", "--root", tmp_path)
    text = (tmp_path / "r.html").read_text()
    assert "Not known: the recordings were not found." in text and "--root" in text and str(tmp_path) not in text


def test_values_that_are_not_numbers_are_named_with_their_clips(veery, features, tmp_path):
    path = tmp_path / "damaged.h5"
    shutil.copy(features, path)
    with h5py.File(path, "r+") as file:
        starts, counts = file["clips/frame_start"][:], file["clips/frame_count"][:]
        names = file["clips/id"].asstr()[:]
        file["features"][starts[3] + 2, :5] = np.nan
        file["features"][starts[7]:starts[7] + counts[7]] = -np.inf
        file["features"][:, 9] = np.nan
        file["features"].attrs["units"] = "u" * 5000
        values = np.concatenate([file["features"][a:a + n] for a, n in zip(starts, counts)]).astype("f8")
    veery("inspect", path, "--html", tmp_path / "r.html", "--root", features.parent)
    text = (tmp_path / "r.html").read_text()
    page = Page(text)
    well_formed(page, text)
    finite = np.isfinite(values)
    rows = page.table("Clips with the most values that are no numbers")
    assert rows[0][0] == names[7] and number(rows[0][-1]) == counts[7] * 80
    assert f"{(~finite).sum():,} values infinite or not a number" in text and "u" * 70 not in text
    means = [row[2] for row in page.table("Bins as stored")]
    assert means.pop(9) == "nan"
    wanted = [column[good].mean() for column, good in zip(values.T, finite.T) if good.any()]
    assert same(means, wanted)
    with h5py.File(path, "r+") as file:
        file["features"][:] = np.nan
    veery("inspect", path, "--html", tmp_path / "r.html", "--root", features.parent)
    text = (tmp_path / "r.html").read_text()
    well_formed(Page(text), text)
    assert "Bins as stored" not in text and "Stored values" not in text


# ----------------------------------------------------------------------------------------------------- its Python

VARIANTS = [
    ("packed", "float32", "none", "dataset", "zscore", "bin"), ("fixed", "float16", "deflate", "dataset", "minmax", "all"),
    ("packed", "float16", "deflate", "clip", "zscore", "bin"), ("fixed", "float32", "none", "clip", "range", "all"),
    ("packed", "float32", "none", "dataset", "mean", "all"), ("fixed", "float32", "deflate", "none", "zscore", "bin"),
]


@pytest.mark.parametrize("layout, dtype, compression, scope, method, axis", VARIANTS)
def test_the_python_on_the_page_loads_the_file(
    veery, dataset, features, tmp_path, layout, dtype, compression, scope, method, axis
):
    path = tmp_path / "a 'file' é.h5"
    options = [f"store.layout={layout}", f"store.type={dtype}", f"store.compression={compression}",
               f"normalize.scope={scope}", f"normalize.method={method}", f"normalize.axis={axis}"]
    options += ["audio.duration=6"] * (layout == "fixed")
    veery("extract", dataset, "-o", path, "--max-failures", 1, *[f"--set={option}" for option in options])
    veery("inspect", path, "--html", tmp_path / "r.html", "--root", dataset.parent)
    program = next(data for tag, data in Page((tmp_path / "r.html").read_text()).texts if tag == "pre" and "h5py" in data)
    (tmp_path / "load.py").write_text(program, encoding="utf-8")
    result = subprocess.run([sys.executable, "load.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    names = {}
    before, _, _ = program.partition("with h5py.File(path) as file:")
    exec(compile(before, "page", "exec"), names)  # our own page's
    with h5py.File(path) as file, h5py.File(features) as raw:
        splits = file["clips/split"].asstr()[:]
        first = np.flatnonzero(splits == "train")[0]
        assert result.stdout.startswith(str(file["clips/id"].asstr()[first]))
        for clip in [0, 5, len(splits) - 1]:
            start, count = raw["clips/frame_start"][clip], raw["clips/frame_count"][clip]
            wanted = raw["features"][start:start + count]
            found = names["load"](file, clip)
            assert found.shape == wanted.shape and found.dtype == np.float32
            if scope != "none":
                assert not np.allclose(found, wanted, atol=0.1)
                found = names["before_normalisation"](file, clip, found)
            # Eleven bits of a value that was divided by the spread.
            assert np.max(np.abs(found - wanted)) < (0.05 if dtype == "float16" else 1e-4)


SHAPES = {
    "channels": {"audio.channels": "all", "normalize.scope": "clip"},
    "channels, one value": {"audio.channels": "all", "normalize.axis": "all", "normalize.ddof": 1},
    "channels, one range": {"audio.channels": "all", "normalize.axis": "all", "normalize.method": "minmax"},
    "channels, fixed": {"audio.channels": "all", "store.layout": "fixed", "audio.duration": 1, "normalize.scope": "clip"},
    "channels, fixed, dataset": {"audio.channels": "all", "store.layout": "fixed", "audio.duration": 1},
    "patches": {"patches.length": 20, "patches.hop": 8, "normalize.scope": "clip", "normalize.ddof": 1},
    "patches, padded": {"patches.length": 20, "patches.rest": "fill", "normalize.scope": "clip", "normalize.ddof": 1,
                        "normalize.axis": "all"},
    "stacked": {"patches.length": 2, "patches.stacked": True, "normalize.scope": "clip", "normalize.epsilon": 0.5},
    "stacked, fixed": {"patches.length": 2, "patches.stacked": True, "store.layout": "fixed", "audio.duration": 1},
    "late rows": {"rows.multiple": 64, "normalize.scope": "clip", "normalize.ddof": 1},
    "constant": {"patches.length": 5, "normalize": {"scope": "constant", "mean": -5, "std": 3}},
}


@pytest.mark.long
@pytest.mark.parametrize("name", SHAPES)
def test_the_python_on_the_page_loads_every_shape(veery, library, tmp_path, name):
    for number, length in enumerate([4000, 16_000, 31_111]):
        samples = np.stack([(channel + 1) * 0.2 * noise(10 * number + channel, length) for channel in range(2)], axis=1)
        write_wav(tmp_path / f"{number}.wav", 16_000, samples, dtype="<f4")
    write_manifest(tmp_path / "m.csv", [{"path": f"{number}.wav", "split": "train"} for number in range(3)])
    settings = {**SHAPES[name], "scale.floor": 1e-9}
    options = [word for key, value in settings.items() for word in ("--set", f"{key}={json.dumps(value)}")]
    veery("extract", "m.csv", "-o", "f.h5", *options, folder=tmp_path)
    veery("inspect", "f.h5", "--html", "r.html", "--root", ".", folder=tmp_path)
    program = next(data for tag, data in Page((tmp_path / "r.html").read_text()).texts if tag == "pre" and "h5py" in data)
    (tmp_path / "load.py").write_text(program, encoding="utf-8")
    result = subprocess.run([sys.executable, "load.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    names = {}
    exec(compile(program.partition("with h5py.File(path) as file:")[0], "page", "exec"), names)  # our own page's
    with h5py.File(tmp_path / "f.h5") as file, package.open(tmp_path / "f.h5") as opened:
        for number, clip in enumerate(opened):
            found = names["load"](file, number)
            stored = np.asarray(clip.features)
            # The page's program divides stacked rows into patches.
            assert np.array_equal(found.reshape(stored.shape), stored)
            described = re.search(r"clip with an index, \[(.*)\]", names["load"].__doc__).group(1).split(", ")
            assert described[0] in ("frames", "patches") and found.shape[1:] == tuple(map(int, described[1:]))
            computed = file["clips"].get("computed_frames", file["clips/frame_count"])[number]
            undone = names["before_normalisation"](file, number, found)
            raw = np.asarray(clip.raw().features).reshape(undone.shape)
            assert np.isfinite(undone).all() and np.max(np.abs(undone - raw)) < 1e-4, (number, computed)


# ------------------------------------------------------------------------------------------------ names and sizes


@pytest.fixture(scope="module")
def large(veery, tmp_path_factory):
    """The page of 10,000 clips with 200 labels, some of which contain HTML."""
    folder = tmp_path_factory.mktemp("large")
    write_wav(folder / "long.wav", 16000, noise(5, 16000 * 1000, 0.3) * np.linspace(0.1, 1, 16000 * 1000))
    labels = HOSTILE + [f"species {number}" for number in range(200 - len(HOSTILE))]
    rows = [{"path": "long.wav", "id": f"clip {clip} {HOSTILE[clip % 5] if clip % 50 == 0 else ''}", "label": labels[clip % 200],
             "split": ["train", "test"][clip % 7 == 0], "start": clip / 10, "end": (clip + 1) / 10} for clip in range(10_000)]
    manifest = write_manifest(folder / "m.csv", rows)
    veery("extract", manifest, "-o", folder / "f.h5", "--quiet")
    veery("inspect", folder / "f.h5", "--html", folder / "report.html")
    return folder / "report.html"


@pytest.fixture(scope="module")
def medium(veery, tmp_path_factory):
    """The page of 30 labels, whose pictures are closer together, with clips in folders, and without label and split."""
    folder = tmp_path_factory.mktemp("medium")
    (folder / "recordings of the first day").mkdir()
    write_wav(folder / "recordings of the first day/one.wav", 16000, noise(6, 16000 * 20, 0.3) * np.linspace(0.1, 1, 320_000))
    rows = [{"path": "recordings of the first day/one.wav", "label": f"species {clip % 30}" if clip else "",
             "split": ["train", "train", "test", ""][clip % 4], "start": clip / 10, "end": (clip + 1.5) / 10} for clip in range(150)]
    manifest = write_manifest(folder / "m.csv", rows)
    veery("extract", manifest, "-o", folder / "f.h5", "--quiet")
    veery("inspect", folder / "f.h5", "--html", folder / "report.html")
    return folder / "report.html"


def test_clips_without_a_label_or_a_split_are_shown(medium):
    page = Page(medium.read_text(encoding="utf-8"))
    links = [data for tag, data in page.texts if tag == "a"]
    assert "1 clip without a label, where others have one" in links
    assert "37 clips without a split, where others have one" in links
    assert any(data.startswith("30 labels, the largest with 5 clips, the smallest with 4:") for _, data in page.texts)
    names = [data.replace("\u2060", "") for tag, data in page.texts if tag == "bdi"]
    assert any(re.fullmatch(r"…one#[\d.]+-[\d.]+|…/one#[\d.]+-[\d.]+|….* day/one#[\d.]+-[\d.]+", name) for name in names)
    assert max(len(name) for name in names) <= 64


@pytest.mark.long
def test_ten_thousand_clips_of_two_hundred_labels_make_a_page_below_five_megabytes(large):
    text = large.read_text(encoding="utf-8")
    assert 300_000 < large.stat().st_size < 5_000_000
    page = Page(text)
    assert len(page.table("Clips, frames and length of each label")) == 200
    assert sum(number(row[1]) for row in page.table("Clips, frames and length of each label")) == 10_000
    assert len([tag for tag, _ in page.elements if tag == "img"]) >= 600


def test_hostile_names_are_names(large):
    text = large.read_text(encoding="utf-8")
    page = Page(text)
    well_formed(page, text)
    scripts = [data for tag, data in page.texts if tag == "script"]
    assert not any("alert" in script for script in scripts) and len(scripts) == 1
    labels = {row[0] for row in page.table("Clips, frames and length of each label")}
    assert {"<script>alert(1)</script>", "{{style}}", "&lt;b&gt;", "🐦 鳥 قُبَّرة", "turned", "a'b\"\u0301 onmouseover=alert(1)"} <= labels
    assert "x" * 70 not in text and "\u202e" not in text


# --------------------------------------------------------------------------------------------------------- --plots


def test_figures_are_files_that_are_listed(veery, features, tmp_path):
    folder = tmp_path / "figures"
    written = veery("inspect", features, "--plots", folder).stdout.splitlines()
    assert sorted(written) == sorted(str(path) for path in folder.iterdir())
    with open(folder / "index.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [str(folder / row["file"]) for row in rows] == written[1:]
    figures = [row["file"] for row in rows if row["file"].endswith(".svg")]
    assert figures == ["labels.svg", "durations.svg", "bins-before.svg", "bins-stored.svg", "values.svg"]
    for name in figures:
        root = xml.parse(folder / name).getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg" and float(root.get("width")) == 480
        assert root.find("{http://www.w3.org/2000/svg}title").text and root.find("{http://www.w3.org/2000/svg}desc").text
        assert "prefers-color-scheme:dark" in root.find("{http://www.w3.org/2000/svg}style").text
        for value in re.findall(r'\b(?:x|y|width|height|x1|y2)="([^"]*)"', (folder / name).read_text()):
            assert re.fullmatch(r"-?\d+(\.\d{1,2})?", value)
    assert {row["figure"] for row in rows if row["file"].endswith(".png")} == {"mean", "typical", "extreme"}
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    veery("inspect", features, "--plots", folder)
    assert before == {path.name: path.read_bytes() for path in folder.iterdir()}
    (folder / "mine.txt").write_text("mine")
    assert "found 'mine.txt'" in veery("inspect", features, "--plots", folder, status=1).stderr


# -------------------------------------------------------------------------------------------------------- a browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """Runs a headless Chromium; returns what it writes to standard output and standard error."""
    program = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
    if program is None:
        pytest.skip("no chromium or google-chrome is installed, so the page is not opened: apt-get install chromium")
    profile = tmp_path_factory.mktemp("profile")

    def run(*arguments):
        command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                   f"--user-data-dir={profile}", "--enable-logging=stderr", "--virtual-time-budget=5000", *map(str, arguments)]
        result = subprocess.run(command, capture_output=True, text=True, timeout=180)
        assert result.returncode == 0, result.stderr
        assert "CONSOLE" not in result.stderr, result.stderr
        return result.stdout

    return run


# Runs after the page's own script: presses every button, types into every field, and records the results.
PROBE = r"""
<script>
var wide = [];
document.querySelectorAll("body *").forEach(function (element) {
  var box = element.getBoundingClientRect();
  if (box.right > innerWidth + 1 && !element.closest(".scroll, pre, nav ul, .skip")) { wide.push(element.outerHTML.slice(0, 80)); }
});
document.querySelectorAll(".label img, .label span, .chart svg").forEach(function (element) {
  var box = element.getBoundingClientRect(), card = element.closest(".label, .chart").getBoundingClientRect();
  if (box.right > card.right || box.bottom > card.bottom) { wide.push("out of its card: " + element.outerHTML.slice(0, 80)); }
});
var width = [innerWidth, document.scrollingElement.scrollWidth], rows = [], themes = [];
// The name of everything that a keyboard reaches, and the least contrast of all texts in both themes.
var nameless = [];
document.querySelectorAll("a, button, input, summary, [tabindex]").forEach(function (element) {
  var label = element.labels && element.labels.length ? element.labels[0].textContent : "";
  if (!(element.getAttribute("aria-label") || label || element.textContent).trim()) { nameless.push(element.outerHTML.slice(0, 80)); }
  if (element.tabIndex > 0) { nameless.push("out of order: " + element.outerHTML.slice(0, 80)); }
});
function light(color) {
  var parts = color.match(/[0-9.]+/g).map(Number);
  return [0.2126, 0.7152, 0.0722].reduce(function (sum, weight, index) {
    var share = parts[index] / 255;
    return sum + weight * (share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4));
  }, 0);
}
function contrast() {
  var least = [Infinity, ""];
  document.querySelectorAll("body, body *").forEach(function (element) {
    var hasText = Array.prototype.some.call(element.childNodes, function (node) { return node.nodeType === 3 && node.data.trim(); });
    if (!hasText || ["SCRIPT", "STYLE", "title", "desc"].indexOf(element.tagName) >= 0) { return; }
    var behind = element, style = getComputedStyle(element);
    while (behind && /, 0\)$|transparent/.test(getComputedStyle(behind).backgroundColor)) { behind = behind.parentElement; }
    var one = light(element instanceof SVGElement ? style.fill : style.color);
    var other = light(getComputedStyle(behind || document.body).backgroundColor);
    var ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < least[0]) { least = [ratio, element.outerHTML.slice(0, 80)]; }
  });
  return least;
}
var contrasts = [];
document.querySelectorAll("details").forEach(function (one) { one.open = true; });
var table = document.querySelector("table.sortable");
Array.prototype.forEach.call(table.querySelectorAll("thead button"), function (button) {
  button.click();
  rows.push(table.tBodies[0].rows[0].cells[0].textContent);
});
document.querySelectorAll(".theme button").forEach(function (button) {
  button.click();
  themes.push([button.getAttribute("aria-pressed"), document.documentElement.getAttribute("data-theme"),
    getComputedStyle(document.body).backgroundColor]);
  contrasts.push(contrast());
});
document.querySelectorAll("input").forEach(function (input) {
  input.value = "no such name";
  input.dispatchEvent(new Event("input"));
});
var result = {width: width, wide: wide.slice(0, 5), rows: rows, themes: themes, nameless: nameless, contrasts: contrasts,
  statuses: Array.prototype.map.call(document.querySelectorAll("[role=status]"), function (one) { return one.textContent; }),
  shown: Array.prototype.filter.call(document.querySelectorAll(".label"), function (one) { return !one.hidden; }).length};
document.documentElement.setAttribute("data-result", JSON.stringify(result));
</script>
"""


def probe(browser, path, folder, width):
    """What the page looks like and does in a frame of a width; a window cannot be as narrow as a phone."""
    page = path.read_text(encoding="utf-8").replace("</body>", PROBE + "</body>")
    frame = folder / f"frame-{width}.html"
    inner = page.replace("&", "&amp;").replace('"', "&quot;")
    frame.write_text(
        f'<!DOCTYPE html><meta charset="utf-8"><body style="margin:0"><iframe style="border:0;width:{width}px;height:3000px" '
        f'srcdoc="{inner}"></iframe><script>onload = function () {{ document.body.setAttribute("data-result", '
        f'document.querySelector("iframe").contentDocument.documentElement.dataset.result); }};</script>', encoding="utf-8")
    dump = Found(browser(f"--window-size={max(1400, width + 20)},3000", "--dump-dom", frame.as_uri()))
    return json.loads(dump.result)


class Found(HTMLParser):
    """The attribute that a probe leaves."""

    def __init__(self, text):
        super().__init__()
        self.result = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "body":
            self.result = dict(attributes).get("data-result", self.result)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["report", "medium", "large"])
@pytest.mark.parametrize("width", [1920, 1280, 768, 375, 320])
def test_a_browser_shows_the_page_without_errors_and_without_scrolling_sideways(
    browser, request, features, text, tmp_path, name, width
):
    path = features.parent / "report.html" if name == "report" else request.getfixturevalue(name)
    result = probe(browser, path, tmp_path, width)
    assert result["width"] == [width, width] and result["wide"] == []
    assert result["rows"] and [theme[:2] for theme in result["themes"]] == [["true", None], ["true", "light"], ["true", "dark"]]
    assert result["themes"][1][2] != result["themes"][2][2]
    assert result["nameless"] == [] and len(result["contrasts"]) == 3
    assert all(ratio >= 4.5 for ratio, _ in result["contrasts"]), result["contrasts"]
    if name != "report":
        assert result["statuses"] and all(re.fullmatch(r"0 of \d+", status) for status in result["statuses"])
        assert result["shown"] == 0 and (name != "large" or len(set(result["rows"])) > 1)


@pytest.mark.parametrize("width", [1280, 500])
def test_a_browser_draws_the_page(browser, features, text, tmp_path, width):
    picture = tmp_path / "page.png"
    browser(f"--window-size={width},2400", f"--screenshot={picture}", (features.parent / "report.html").as_uri())
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 50_000


def test_a_browser_prints_the_page_in_light_colours_with_all_of_its_pictures(browser, features, text, tmp_path):
    # Colours of the dark theme are for screens alone: paper is white.
    rules = re.findall(r"@media ([^{]*)\{[^@]*?--page:#14181e", text)
    assert len(rules) == text.count("--page:#14181e") == 2 and all(rule.startswith("screen") for rule in rules)
    # What is loaded when it comes into view is not there on paper.
    assert 'loading="lazy"' not in text
    browser(f"--print-to-pdf={tmp_path / 'page.pdf'}", (features.parent / "report.html").as_uri())
    pdf = (tmp_path / "page.pdf").read_bytes()
    assert pdf.startswith(b"%PDF") and len(set(re.findall(rb"/Subtype ?/Image", pdf))) and len(pdf) > 50_000


# ------------------------------------------------------------------------------------------------------------ memory


def test_memory_does_not_grow_with_the_length_of_clips(program, veery, peak_memory, tmp_path):
    peaks = []
    for name, seconds in [("short", 1), ("long", 100)]:
        write_wav(tmp_path / f"{name}.wav", 16000, noise(1, 16000 * seconds, 0.3))
        manifest = write_manifest(tmp_path / f"{name}.csv", [{"path": f"{name}.wav", "label": "a", "split": "train"}])
        path = tmp_path / f"{name}.h5"
        veery("extract", manifest, "-o", path, "--set", "transform.kind=fft", "--set", "frame.length=256",
              "--set", "frame.fft_length=256", "--set", "frame.hop=16")
        peaks.append(peak_memory(
            program, "inspect", path, "--html", tmp_path / "r.html", stdout=subprocess.DEVNULL))
    with h5py.File(path) as file:
        clip = file["clips/frame_count"][0] * file["features"].shape[1] * 4
    # Only some blocks of 2 MiB of the clip's 52 MB are in memory.
    assert clip > 50_000_000 and peaks[1] - peaks[0] < 15_000_000


@pytest.mark.parametrize("clips, limit", [(100, None), (101, 100)])
def test_a_mean_of_some_clips_is_explained(veery, tmp_path, clips, limit):
    write_wav(tmp_path / "a.wav", 16000, noise(1, 16000 * 3))
    rows = [{"path": "a.wav", "id": i, "label": "wren", "start": i / 50, "end": i / 50 + 0.1} for i in range(clips)]
    veery("extract", write_manifest(tmp_path / "m.csv", rows), "-o", tmp_path / "f.h5")
    veery("inspect", tmp_path / "f.h5", "--html", tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text()
    assert f"of {51 if limit else clips} clips" in text
    said = "Of a label with more than 100 clips, the mean is that of at most 100, evenly chosen."
    assert (said in text) == (limit is not None)
