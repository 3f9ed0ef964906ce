"""What the guide's page for R shows is run in R, and every number that it reads is that of h5py, to the last bit."""

import os
import re
import shutil
import subprocess

import h5py
import numpy as np
import pytest
import veery
from sessions import ROOT, code_of

from conftest import noise, tone, write_manifest, write_wav

PAGE = ROOT / "Schemas/guide/r-and-matlab.md"
LABELS = [("robin", "train"), ("wren", "train"), ("grüne Ente", "test"), ("wren", "train"), ("", "test")]
VARIANTS = {
    "packed": {}, "deflate": {"store.compression": "deflate"}, "float16": {"store.type": "float16"},
    "clip": {"normalize.scope": "clip"}, "fixed": {"store.layout": "fixed", "audio.duration": 0.5},
}
# Each array as numbers of 8 bytes, or texts, after its dimensions.
KEEP = """
keep <- function(name, value) {
  if (is.character(value)) return(writeLines(enc2utf8(as.character(value)), paste0(name, ".txt"), useBytes = TRUE))
  writeBin(as.double(if (is.null(dim(value))) length(value) else dim(value)), paste0(name, ".dim"))
  writeBin(as.double(value), paste0(name, ".bin"))
}
"""


@pytest.fixture(scope="module")
def rscript():
    found = shutil.which("Rscript")
    if found is None:
        pytest.skip("SKIPPED: no Rscript, so the page for R was not tested (Debian: r-base-core, r-cran-hdf5r, r-bioc-rhdf5)")
    for package in ("hdf5r", "rhdf5"):
        command = [found, "-e", f"quit(status = !requireNamespace('{package}', quietly = TRUE))"]
        if subprocess.run(command, capture_output=True, timeout=120).returncode:
            pytest.skip(f"SKIPPED: R has no {package}, so the page for R was not tested (Debian: r-cran-hdf5r, r-bioc-rhdf5)")
    return found


@pytest.fixture(scope="module")
def folder(veery, tmp_path_factory):
    """A file of each kind: five clips of different lengths, and one that fails."""
    folder = tmp_path_factory.mktemp("r")
    rows = []
    for index, (label, split) in enumerate(LABELS):
        seconds = 0.31 + 0.11 * index
        signal = tone(16000, seconds, [300 + 200 * index])
        write_wav(folder / f"{index}.wav", 16000, signal + noise(index, len(signal), 0.05))
        rows.append({"path": f"{index}.wav", "label": label, "split": split, "site": f"s{index}", "labels": f"{label}|b"})
    rows.append({"path": "missing.wav", "label": "wren", "split": "train"})
    write_manifest(folder / "m.csv", rows)
    for name, settings in VARIANTS.items():
        options = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        veery("extract", folder / "m.csv", "-o", folder / f"{name}.h5", "--max-failures", 1, *options)
    return folder


def r(rscript, code, file, folder):
    """Runs code in a folder with this file as features.h5, in an unfriendly locale."""
    (folder / "features.h5").symlink_to(file)
    (folder / "script.R").write_text(KEEP + code, encoding="utf-8")
    result = subprocess.run(
        [rscript, "--encoding=UTF-8", "script.R"], cwd=folder, capture_output=True, text=True, timeout=120, errors="replace",
        env={**os.environ, "LC_ALL": "C"})
    assert result.returncode == 0, result.stderr
    return result


def kept(folder, name):
    if (folder / f"{name}.txt").exists():
        return (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    dimensions = np.fromfile(folder / f"{name}.dim").astype(int)
    # Columns come first in R.
    return np.fromfile(folder / f"{name}.bin").reshape(dimensions[::-1]).T


def equal(found, wanted):
    """The same numbers, to the last bit, and the same dimensions."""
    wanted = np.asarray(wanted, np.float64)
    return found.shape == wanted.shape and np.array_equal(found, wanted, equal_nan=True)


def test_the_page_reads_what_h5py_reads(rscript, folder, tmp_path):
    """All blocks, one after another, as they are on the page."""
    hdf5r, rhdf5 = code_of(PAGE, "r")[:-1], code_of(PAGE, "r")[-1]
    assert "library(hdf5r)" in hdf5r[0] and "library(rhdf5)" in rhdf5
    keeps = [f'keep("{name}", {name})' for name in ("x", "wren", "time", "frequency", "before", "y")]
    keeps += [f'keep("{table}-{column}", {table}${column})' for table, columns in {
        "clips": ("id", "label", "split", "start", "count"), "failures": ("id", "stage", "reason")}.items() for column in columns]
    # hdf5r and rhdf5 have each an own libhdf5, and the file is closed in between, as the page does it.
    result = r(rscript, "\n".join([*hdf5r, rhdf5, *keeps]), folder / "packed.h5", tmp_path)
    assert "missing.wav" not in result.stderr and "NAs" not in result.stderr
    file = veery.open(folder / "packed.h5")
    with h5py.File(folder / "packed.h5") as stored:
        first, clips = 1, stored["clips"]
        start, count = clips["frame_start"][:], clips["frame_count"][:]
        assert equal(kept(tmp_path, "wren"), [2, 4]) and f"[1] {count[first]} 80" in " ".join(result.stdout.split())
        assert equal(kept(tmp_path, "x"), stored["features"][start[first]:start[first] + count[first]])
        assert equal(kept(tmp_path, "y"), stored["features"][start[0]:start[0] + count[0]])
        assert equal(kept(tmp_path, "clips-start"), start) and equal(kept(tmp_path, "clips-count"), count)
        assert equal(kept(tmp_path, "frequency"), stored["frequency"][:])
        for name in ("id", "label", "split"):
            assert kept(tmp_path, f"clips-{name}") == list(clips[name].asstr()[:])
        for name in ("id", "stage", "reason"):
            assert kept(tmp_path, f"failures-{name}") == list(stored["failures"][name].asstr()[:])
        before = stored["features"][start[first]:start[first] + count[first]].astype(float)
        assert equal(kept(tmp_path, "before"), before * stored["statistics/std"][:] + stored["statistics/mean"][:])
    assert np.allclose(kept(tmp_path, "time"), file[first].time, rtol=0, atol=1e-12)
    # The divisor was of single precision.
    raw = file[first].raw().features
    assert np.abs(kept(tmp_path, "before") - raw).max() <= 4 * np.spacing(np.abs(raw).max())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", VARIANTS)
def test_every_layout(rscript, folder, tmp_path, name):
    """The table of other layouts: each clip of each kind of file."""
    table = PAGE.read_text().split("### Other layouts")[1].split("###")[0]
    rows = re.findall(r"^\| ([^|]+) \| .*?`([^`]*(?:\[\[|<-)[^`]*)`", table, re.MULTILINE)
    cell = {first.strip("`"): code for first, code in rows}
    fixed, gaps = cell["store.layout: fixed"], cell["store.compression: deflate"]
    code = [code_of(PAGE, "r")[0].partition("\nwren <-")[0]]
    if name == "fixed":
        code += [f"features_of <- function(clip) {fixed}"]
    code += ['for (clip in seq_len(nrow(clips))) keep(paste0("clip", clip), features_of(clip))', "clip <- 2"]
    code += [f'keep("matrix", {cell["several labels for each clip"]})', f'keep("own", {cell["columns of your own"]})']
    code += ['keep("matrix-names", file[["labels"]][])']
    if name != "fixed":
        code += [gaps, 'all <- file[["features"]][, ]', 'keep("all", t(all[, rows]))', 'keep("gaps", t(all[, -rows]))']
    if name == "clip":
        code += ['keep("mean", file[["clips/statistics/mean"]][, clip])']
    r(rscript, "\n".join(code), folder / f"{name}.h5", tmp_path)
    file = veery.open(folder / f"{name}.h5")
    for index, clip in enumerate(file, 1):
        assert equal(kept(tmp_path, f"clip{index}"), clip.features)
    assert equal(kept(tmp_path, "matrix"), file.label_matrix[1]) and kept(tmp_path, "matrix-names") == file.labels
    assert kept(tmp_path, "own") == list(file.column("site"))
    if name != "fixed":
        assert equal(kept(tmp_path, "all"), np.concatenate([clip.features for clip in file]))
        gaps = kept(tmp_path, "gaps")
        assert np.isnan(gaps).all() and (len(gaps) > 0) == (name == "deflate")
    if name == "clip":
        assert equal(kept(tmp_path, "mean"), file[1].statistics.mean)


def test_what_is_said_of_integers(rscript, tmp_path):
    with h5py.File(tmp_path / "integers.h5", "w") as file:
        for name, value in {"small": 5, "large": 3_000_000_000, "huge": 2**60 + 1}.items():
            file[name] = np.array([0, value], np.int64)
    code = """
suppressPackageStartupMessages({ library(hdf5r); library(rhdf5) })
file <- H5File$new("features.h5", "r")
keep("kinds", sapply(c("small", "large", "huge"), function(name) class(file[[name]][])))
keep("large", as.numeric(file[["large"]][]))
file$close_all()
keep("rhdf5", h5read("features.h5", "large", bit64conversion = "double"))
keep("missing", suppressWarnings(h5read("features.h5", "large")))
"""
    r(rscript, code, tmp_path / "integers.h5", tmp_path)
    assert kept(tmp_path, "kinds") == ["integer", "numeric", "integer64"]
    assert equal(kept(tmp_path, "large"), [0, 3e9]) and equal(kept(tmp_path, "rhdf5"), [0, 3e9])
    assert equal(kept(tmp_path, "missing"), [0, np.nan])
