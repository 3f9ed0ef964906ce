"""Files whose clips are padded, cropped, or have rows dropped and added: equal to the package's rows in every layout, type and
road."""
import json
from types import SimpleNamespace

import h5py
import numpy as np
import pytest

import veery as package
from conftest import noise, write_manifest, write_wav
from test_commands import digest

RATE = 16_000
LENGTHS = [400, 5000, 16_000, 31_111, 40_000, 4007]


@pytest.fixture(scope="module", autouse=True)
def _library(library):
    """Skips nothing: without the library, all tests here fail."""


@pytest.fixture
def folder(tmp_path):
    rows = []
    for number, length in enumerate(LENGTHS):
        write_wav(tmp_path / f"{number}.wav", RATE, 0.2 + noise(number, length), dtype="<f4")
        rows.append({"path": f"{number}.wav", "label": "ab"[number % 2], "split": "train" if number < 4 else "test"})
    write_manifest(tmp_path / "all.csv", rows)
    write_manifest(tmp_path / "some.csv", rows[:4])
    return tmp_path


def signal(number):
    return (0.2 + noise(number, LENGTHS[number])).astype(np.float32)


def words(settings):
    return [word for key, value in settings.items() for word in ("--set", f"{key}={json.dumps(value)}")]


SETTINGS = {
    "count": {"rows.count": 60},
    "count and fill": {"rows.count": 60, "rows.fill": -2.5},
    "before": {"rows.count": 60, "rows.fill": -2.5, "rows.fill_order": "before"},
    "multiple": {"rows.multiple": 32, "rows.fill": 1.5},
    "multiple before": {"rows.multiple": 32, "rows.fill": 1.5, "rows.fill_order": "before"},
    "repeat": {"audio.duration": 1, "audio.fit": "repeat"},
    "repeat_pad, center": {"audio.duration": 1, "audio.fit": "repeat_pad", "audio.crop": "center"},
    "both": {"audio.duration": 1, "audio.fit": "zero", "rows.multiple": 64, "rows.fill_order": "before"},
    "real": {"transform": {"kind": "mel", "spectrum": "real", "order": "descending"}, "scale": {"kind": "power", "exponent": 0.3}},
    "raw": {"frame": {"length": 320, "hop": 320, "window": "rectangular", "fft_length": 320},
            "transform": {"kind": "raw"}, "scale": {"kind": "linear"}},
    "raw samples": {"frame": {"length": 1, "hop": 1, "window": "rectangular", "fft_length": 1},
                    "transform": {"kind": "raw"}, "scale": {"kind": "linear"}, "rows.multiple": 1000},
}
SCOPES = {"none": {"normalize.scope": "none"}, "clip": {"normalize.scope": "clip", "normalize.ddof": 1},
          "dataset": {}, "constant": {"normalize": {"scope": "constant", "mean": -5, "std": 3}}}


# Every setting and every scope in turn; all pairs are long.
PAIRS = [pytest.param(name, scope, marks=[] if (row - column) % len(SCOPES) == 0 else pytest.mark.long)
         for row, name in enumerate(SETTINGS) for column, scope in enumerate(SCOPES)]


@pytest.mark.parametrize("name, scope", PAIRS)
def test_a_file_has_the_rows_of_the_package(veery, folder, name, scope):
    settings = {**SETTINGS[name], **SCOPES[scope]}
    veery("extract", "all.csv", "-o", "f.h5", *words(settings), "--jobs", 3, folder=folder)
    veery("inspect", "f.h5", "--verify", folder=folder)
    # Compressed, or on one thread, they are the same rows; half precision rounds them.
    others = {"deflate": {"store.compression": "deflate"}, "half": {"store.type": "float16"}}
    for other, more in others.items():
        veery("extract", "all.csv", "-o", f"{other}.h5", *words({**settings, **more}), "--jobs", 1, folder=folder)
        veery("inspect", f"{other}.h5", "--verify", folder=folder)
    with h5py.File(folder / "f.h5") as file:
        group = file["statistics"]
        statistics = SimpleNamespace(
            mean=group["mean"][:], std=group["std"][:], min=group["min"][:], max=group["max"][:],
            count=int(group.attrs["count"])) if scope == "dataset" else None
        plan = package.FeaturePlan(json.loads(file["provenance/configuration"][()]), statistics=statistics)
        rows, starts, counts = file["features"][:], file["clips/frame_start"][:], file["clips/frame_count"][:]
        assert len(rows) == counts.sum() and (starts == np.cumsum(counts) - counts).all()
        for number in range(len(LENGTHS)):
            own = rows[starts[number]:starts[number] + counts[number]]
            assert np.array_equal(own, plan.features(signal(number))), number
            for other in others:
                with h5py.File(folder / f"{other}.h5") as second:
                    start, count = second["clips/frame_start"][number], second["clips/frame_count"][number]
                    expected = own.astype(np.float16) if other == "half" else own
                    assert np.array_equal(second["features"][start:start + count], expected), (number, other)
        if "rows.count" in settings:
            assert (counts == 60).all()
        elif "rows.multiple" in settings:
            assert (counts % settings["rows.multiple"] == 0).all()
        elif "audio.duration" in settings:
            assert (counts == 98).all()
        if scope == "dataset" and name in ("count and fill", "before"):
            # 3, 29, 60, 60 rows of the clips of the split train; added ones count only before.
            frames = [1 + (length - 400) // 160 for length in LENGTHS[:4]]
            assert statistics.count == (240 if name == "before" else sum(min(60, count) for count in frames))


@pytest.mark.parametrize("name, scope", [("count", "none"), ("before", "clip"), ("repeat", "dataset"), ("both", "none")])
def test_blocks_of_one_length(veery, folder, name, scope):
    settings = {**SETTINGS[name], **SCOPES[scope], "store.layout": "fixed"}
    veery("extract", "all.csv", "-o", "f.h5", *words(settings), folder=folder)
    veery("inspect", "f.h5", "--verify", folder=folder)
    frames = {"count": 60, "before": 60, "repeat": 98, "both": 128}[name]
    with h5py.File(folder / "f.h5") as file:
        assert file["features"].shape[:2] == (6, frames)
        counts = file["clips/frame_count"][:]
        own = np.minimum([1 + (length - 400) // 160 for length in LENGTHS], 60)
        assert (counts == (own if name == "count" else frames)).all()
        for clip, count in enumerate(counts):
            assert (file["features"][clip, count:] == 0).all()
            assert np.isfinite(file["features"][clip]).all()


@pytest.mark.long
@pytest.mark.parametrize("scope", ["none", "clip", "constant"])
@pytest.mark.parametrize("name", ["count and fill", "before", "multiple", "repeat_pad, center", "raw"])
def test_added_clips_are_those_of_a_fresh_run(veery, folder, name, scope):
    options = words({**SETTINGS[name], **SCOPES[scope]})
    veery("extract", "all.csv", "-o", "whole.h5", *options, folder=folder)
    veery("extract", "some.csv", "-o", "f.h5", *options, folder=folder)
    veery("extract", "all.csv", "-o", "f.h5", "--append", *options, folder=folder)
    with h5py.File(folder / "f.h5") as file, h5py.File(folder / "whole.h5") as whole:
        for path in ("features", "clips/frame_count", "clips/tensor_xxh3"):
            assert np.array_equal(file[path][:], whole[path][:])
    assert "up to date" in veery("extract", "all.csv", "-o", "f.h5", *options, folder=folder).stderr
    # Another arrangement is another file.
    said = veery("extract", "all.csv", "-o", "f.h5", *options, "--set", "rows.count=640", status=1, folder=folder).stderr
    assert "another configuration" in said, said
    before = digest(folder / "whole.h5")
    veery("extract", "all.csv", "-o", "again.h5", *options, "--jobs", 1, folder=folder)
    with h5py.File(folder / "again.h5") as again, h5py.File(folder / "whole.h5") as whole:
        assert np.array_equal(again["features"][:], whole["features"][:])
    assert digest(folder / "whole.h5") == before


@pytest.mark.parametrize("name", ["count and fill", "repeat", "real", "raw"])
def test_pictures_and_summaries(veery, folder, name):
    options = words({**SETTINGS[name], "normalize.scope": "none"})
    veery("extract", "all.csv", "-o", "f.h5", *options, folder=folder)
    summary = veery("inspect", "f.h5", folder=folder).stdout
    expected = {"count and fill": "60 rows, filled with -2.5", "repeat": "short clips repeated", "raw": "samples",
                "real": "of real parts, highest first"}[name]
    assert expected in " ".join(summary.split()), summary
    veery("render", "f.h5", "--clip", "3", "-o", "stored.png", folder=folder)
    veery("render", "1.wav", *options, "-o", "recording.png", folder=folder)
    veery("inspect", "f.h5", "--html", "report.html", folder=folder)
    with package.open(folder / "f.h5") as features:
        assert features[3].features.shape[1] == len(features.plan().axis)
