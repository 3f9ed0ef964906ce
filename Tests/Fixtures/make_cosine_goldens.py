"""Makes cosine.json, dct-filter.json and dct-filter-overlapping.json: cosine transforms of type 1 to 4, and the equaliser
made of them, of separate and of overlapping pages, in float64.

    python make_cosine_goldens.py            writes the files
    python make_cosine_goldens.py --check    compares them with what it would write, and changes nothing

`none` is half of scipy.fft.dct(x, type, norm=None): the plain sums. `ortho` is scipy's norm="ortho". Both are computed a
second way, by the definitions, and the script stops where the two differ. The conventions for digits, inputs and random
numbers are those of make_goldens.py, whose functions it uses.
"""

import argparse
import json
import platform
import sys
from pathlib import Path

import numpy as np
import scipy
import scipy.fft

from make_goldens import agree, inputs, json_text, results, same, uniform

FOLDER = Path(__file__).resolve().parent
GENERATOR = {
    "script": Path(__file__).name,
    "python": platform.python_version(),
    "numpy": np.__version__,
    "scipy": scipy.__version__,
}
LENGTHS = [*range(1, 13), 16, 17, 25, 31, 32, 60, 64, 97, 100, 127, 128, 129, 200]


def direct(x, kind):
    """The sums as they are defined; the integer in each angle is reduced exactly before the cosine."""
    count = len(x)
    k, n = np.meshgrid(np.arange(count), np.arange(count), indexing="ij")
    x = x.copy()
    if kind == 1:
        x[0] /= 2
        x[-1] /= 2
        return np.cos(np.pi * ((n * k) % (2 * (count - 1))) / (count - 1)) @ x
    if kind == 2:
        return np.cos(np.pi * ((k * (2 * n + 1)) % (4 * count)) / (2 * count)) @ x
    if kind == 3:
        x[0] /= 2
        return np.cos(np.pi * ((n * (2 * k + 1)) % (4 * count)) / (2 * count)) @ x
    return np.cos(np.pi * (((2 * n + 1) * (2 * k + 1)) % (8 * count)) / (4 * count)) @ x


def orthogonal(x, kind):
    """The orthogonal transform, by the sums and the factors that make their matrix orthogonal."""
    count = len(x)
    x = x.copy()
    root = np.sqrt(2)
    if kind in (1, 3):
        x[0] *= root
    if kind == 1:
        x[-1] *= root
    values = direct(x, kind) * np.sqrt(2 / (count - 1 if kind == 1 else count))
    if kind in (1, 2):
        values[0] /= root
    if kind == 1:
        values[-1] /= root
    return values


def cosines():
    made = []
    for kind in (1, 2, 3, 4):
        for length in LENGTHS:
            if kind == 1 and length < 2:
                continue
            x32 = uniform(length, 3000 + 1000 * kind + length)
            x = x32.astype(np.float64)
            none = scipy.fft.dct(x, type=kind) / 2
            ortho = scipy.fft.dct(x, type=kind, norm="ortho")
            agree(f"DCT {kind} of {length}", none, direct(x, kind), 1e-13)
            agree(f"orthogonal DCT {kind} of {length}", ortho, orthogonal(x, kind), 1e-13)
            agree(f"energy of DCT {kind} of {length}", [np.sum(ortho**2)], [np.sum(x**2)], 1e-12)
            made.append({"type": kind, "length": length, "input": inputs(x32), "none": results(none),
                         "ortho": results(ortho)})
    return {"cases": made}


def envelope(mode, low, high):
    """The straight lines through the given points, for bins 0 … 1023."""
    band_pass = np.interp(np.arange(1024), [low - 2, low, high, high + 2], [0, 1, 1, 0])
    return band_pass if mode == "band_pass" else 1 - band_pass


def shaped_pages(pages, factors):
    """DCT-II, times the factors, inverse."""
    shaped = scipy.fft.idct(scipy.fft.dct(pages, type=2, axis=1) * factors, type=2, axis=1)
    k, n = np.meshgrid(np.arange(1024), np.arange(1024), indexing="ij")
    basis = np.cos(np.pi * ((k * (2 * n + 1)) % 4096) / 2048)
    coefficients = pages @ basis.T * factors
    coefficients[:, 0] /= 2
    agree("equaliser", shaped, coefficients @ basis / 512, 1e-12)
    return shaped


def equalised(x, factors):
    """Pages of 1024, the last padded with zeros."""
    pages = np.pad(x, (0, -len(x) % 1024)).reshape(-1, 1024)
    return shaped_pages(pages, factors).ravel()[:len(x)]


def equalised_overlapping(x, factors):
    """A page every 256 samples, from 768 before the signal on, zeros beyond its ends; Hann before and after; ⅔ of the sum."""
    n = np.arange(1024)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * (n + 0.5) / 1024)
    agree("sum of the squares", (window**2).reshape(4, 256).sum(axis=0), np.full(256, 1.5), 1e-15)
    starts = range(0, 768 + len(x), 256)
    padded = np.pad(x, (768, 1024))
    shaped = shaped_pages(np.stack([padded[s:s + 1024] * window for s in starts]), factors)
    total = np.zeros(len(padded))
    for start, page in zip(starts, shaped):
        total[start:start + 1024] += page * window * 2 / 3
    return total[768:768 + len(x)]


def filters(equalised=equalised):
    made = []
    bands = [("band_pass", 14, 158), ("band_stop", 14, 158), ("band_pass", 0, 1024), ("band_pass", 1, 1),
             ("band_stop", 0, 300), ("band_pass", 1022, 1024)]
    for seed, (mode, low, high) in enumerate(bands):
        factors = envelope(mode, low, high)
        for length in (1, 2500) if seed < 2 else (700,):
            x32 = uniform(length, 8000 + 10 * seed + length)
            made.append({"mode": mode, "low": low, "high": high, "envelope": results(factors),
                         "input": inputs(x32), "output": results(equalised(x32.astype(np.float64), factors))})
    return {"cases": made}


FILES = {"cosine.json": cosines, "dct-filter.json": filters,
         "dct-filter-overlapping.json": lambda: filters(equalised_overlapping)}


def main():
    parser = argparse.ArgumentParser(description="Makes cosine.json and the dct-filter files.")
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 where a file differs")
    check = parser.parse_args().check
    differing = []
    for name, make in FILES.items():
        content = json_text({"generator": GENERATOR, **make()})
        path = FOLDER / name
        if not check:
            path.write_text(content)
            continue
        stored = json.loads(path.read_text()) if path.exists() else {}
        if not same({**json.loads(content), "generator": 0}, {**stored, "generator": 0}):
            differing.append(name)
    if differing:
        sys.exit(f"differ from what {Path(__file__).name} makes: {', '.join(differing)}")


if __name__ == "__main__":
    main()
