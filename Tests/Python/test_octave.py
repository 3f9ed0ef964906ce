"""What the guide's page shows for MATLAB and Octave is run in GNU Octave, and every number is that of h5py, to the last bit.

Octave has no h5read: the code for MATLAB runs with one that reads what h5py has read, by the rules of MATLAB's manual."""

import shutil
import subprocess

import h5py
import numpy as np
import pytest
import veery
from sessions import ROOT, code_of

from conftest import noise, tone, write_manifest, write_wav

PAGE = ROOT / "Schemas/guide/r-and-matlab.md"
LABELS = [("robin", "train"), ("wren", "train"), ("ente", "test"), ("wren", "train"), ("", "test")]
KINDS = {"float32": "single", "float64": "double"}  # by their names in Octave
H5READ = """
function x = h5read(file, name, start, count)
  base = ['h5' strrep(name, '/', '-')];
  kind = fileread([base '.kind']);
  if strcmp(kind, 'text')
    x = strsplit(fileread([base '.bin']), "\\n")';
    return
  end
  x = reshape(fread(fopen([base '.bin']), Inf, [kind '=>' kind]), load([base '.dims']));
  if nargin > 2
    parts = cell(1, numel(start));
    for i = 1:numel(start)
      last = min(start(i) + count(i) - 1, size(x, i));
      parts{i} = start(i):last;
    end
    x = x(parts{:});
  end
end
"""
H5READATT = """
function x = h5readatt(file, object, name)
  x = load(['h5' strrep(object, '/', '-') '@' name]);
end
"""
KEEP = """
function keep(name, value)
  fwrite(fopen([name '.dim'], 'w'), size(value), 'double');
  fwrite(fopen([name '.out'], 'w'), double(value), 'double');
end
"""


@pytest.fixture(scope="module")
def octave():
    found = shutil.which("octave-cli")
    if found is None:
        pytest.skip("SKIPPED: no octave-cli, so the page for MATLAB and Octave was not tested (Debian: octave)")
    return found


@pytest.fixture(scope="module")
def folder(veery, tmp_path_factory):
    folder = tmp_path_factory.mktemp("octave")
    rows = []
    for index, (label, split) in enumerate(LABELS):
        signal = tone(16000, 0.31 + 0.11 * index, [300 + 200 * index])
        write_wav(folder / f"{index}.wav", 16000, signal + noise(index, len(signal), 0.05))
        rows.append({"path": f"{index}.wav", "label": label, "split": split})
    write_manifest(folder / "m.csv", rows)
    for name, settings in {
            "packed": [], "deflate": ["store.compression=deflate"], "fixed": ["store.layout=fixed", "audio.duration=0.5"]}.items():
        options = [word for setting in settings for word in ("--set", setting)]
        veery("extract", folder / "m.csv", "-o", folder / f"{name}.h5", *options)
    return folder


def run(octave, code, file, folder):
    """Runs code in a folder with this file as features.h5."""
    (folder / "features.h5").symlink_to(file)
    with h5py.File(file) as stored:
        for name in (*(f"clips/{column}" for column in ("frame_start", "frame_count", "label", "split")),
                     "features", "statistics/mean", "statistics/std"):
            base, values = folder / f"h5-{name.replace('/', '-')}", stored[name][:]
            kind = "text" if values.dtype.kind == "S" else KINDS.get(values.dtype.name, values.dtype.name)
            base.with_suffix(".kind").write_text(kind)
            base.with_suffix(".bin").write_bytes(b"\n".join(values) if kind == "text" else values.tobytes())
            base.with_suffix(".dims").write_text(" ".join(map(str, [*values.shape[::-1], 1][:max(2, values.ndim)])))
        for name in ("first_frame_time", "frame_period"):
            (folder / f"h5-features@{name}").write_text(repr(float(stored["features"].attrs[name])))
    for name, text in {"h5read": H5READ, "h5readatt": H5READATT, "keep": KEEP, "script": code}.items():
        (folder / f"{name}.m").write_text(text)
    result = subprocess.run([octave, "--norc", "--quiet", "script.m"], cwd=folder, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    assert "error" not in result.stderr.lower(), result.stderr


def kept(folder, name):
    dimensions = np.fromfile(folder / f"{name}.dim").astype(int)
    return np.fromfile(folder / f"{name}.out").reshape(dimensions[::-1]).T


def test_matlab(octave, folder, tmp_path):
    first, second, _ = code_of(PAGE, "matlab")
    run(octave, f"{first}\n{second}\nkeep('x', x); keep('wren', wren); keep('time', time); keep('before', before);",
        folder / "packed.h5", tmp_path)
    file = veery.open(folder / "packed.h5")
    clip = file[1]
    assert np.array_equal(kept(tmp_path, "wren").ravel(), [2, 4]) and np.array_equal(kept(tmp_path, "x"), clip.features)
    assert np.allclose(kept(tmp_path, "time").ravel(), clip.time, rtol=0, atol=1e-12)
    before = clip.features.astype(float) * file.statistics.std + file.statistics.mean
    assert np.array_equal(kept(tmp_path, "before"), before)


def test_matlab_with_the_fixed_layout(octave, folder, tmp_path):
    line = next(line for line in PAGE.read_text().splitlines() if line.startswith("In the fixed layout"))
    code = code_of(PAGE, "matlab")[0].partition("\nx = ")[0]
    run(octave, f"{code}\n{line.rpartition('`')[0].rpartition('`')[2]}; keep('x', x)", folder / "fixed.h5", tmp_path)
    assert np.array_equal(kept(tmp_path, "x"), veery.open(folder / "fixed.h5")[1].features)


@pytest.mark.skipif(shutil.which("h5dump") is None, reason="no h5dump, so the page for Octave was not tested")
@pytest.mark.parametrize("name", ["packed", "deflate"])
def test_octave(octave, folder, tmp_path, name):
    run(octave, f"{code_of(PAGE, 'matlab')[2]}\nkeep('x', x); keep('before', before)", folder / f"{name}.h5", tmp_path)
    file = veery.open(folder / f"{name}.h5")
    clip = file[1]
    assert np.array_equal(kept(tmp_path, "x"), clip.features)
    assert np.array_equal(kept(tmp_path, "before"), clip.features.astype(float) * file.statistics.std + file.statistics.mean)


def test_what_octave_cannot_read(octave, folder, tmp_path):
    """Arrays of texts. Once it can, the page should say so."""
    code = """
try
  found = load('-hdf5', 'features.h5', 'clips');
  keep('read', isfield(found.clips, 'label'));
catch
  keep('read', 0);
end
"""
    (tmp_path / "keep.m").write_text(KEEP)
    (tmp_path / "script.m").write_text(code)
    (tmp_path / "features.h5").symlink_to(folder / "packed.h5")
    subprocess.run([octave, "--norc", "--quiet", "script.m"], cwd=tmp_path, capture_output=True, timeout=120, check=True)
    assert not kept(tmp_path, "read").any()
