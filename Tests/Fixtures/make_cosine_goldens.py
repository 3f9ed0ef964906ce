"""Makes cosine.json: discrete cosine transforms of type 1 to 4, by SciPy in float64.

    python make_cosine_goldens.py            writes the file
    python make_cosine_goldens.py --check    compares it with what it would write, and changes nothing

`none` is half of scipy.fft.dct(x, type, norm=None): the plain sums. `ortho` is scipy's norm="ortho". Both are computed a
second way, by the definitions, and the script stops where the two differ. The conventions for digits, inputs and random
numbers are those of make_goldens.py beside it, whose functions it uses.
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

PATH = Path(__file__).resolve().parent / "cosine.json"
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


def cases():
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


def main():
    parser = argparse.ArgumentParser(description="Makes cosine.json.")
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 where the file differs")
    content = json_text({"generator": GENERATOR, **cases()})
    if not parser.parse_args().check:
        PATH.write_text(content)
        return
    stored = json.loads(PATH.read_text()) if PATH.exists() else {}
    if not same({**json.loads(content), "generator": 0}, {**stored, "generator": 0}):
        sys.exit(f"differs from what {Path(__file__).name} makes: {PATH.name}")


if __name__ == "__main__":
    main()
