"""Writes resamplers.json: what torchaudio, resampy and SciPy make of noise at 23 pairs of rates.

    python make_resampler_goldens.py            writes the file
    python make_resampler_goldens.py --check    compares it with what it would write, and changes nothing

It needs what `make parity` installs: torchaudio 2.11.0, resampy 0.4.3, SciPy.

resampy and SciPy compute in double precision. torchaudio computes its filter in single precision, as it does for samples of that
precision, and the sums with its weights here in double precision. Sample n of the noise is the upper half of number n + 1 of a
generator (`noise`), so that it need not be stored.
"""

import importlib.metadata
import json
import sys
from pathlib import Path

import numpy as np
import resampy
import scipy.signal
import torch
import torchaudio.functional.functional as torchaudio

# From, to, and the number of samples.
CASES = [
    (44100, 16000, 1), (44100, 16000, 20_000), (48000, 16000, 9001), (32000, 16000, 5000), (22050, 16000, 3), (8000, 16000, 1),
    (8000, 16000, 2500), (11025, 16000, 700), (16000, 44100, 40), (16000, 22050, 4001), (96000, 32000, 12_000), (192_000, 22050, 30_000),
    (44100, 48000, 3000), (48000, 44100, 3000), (44100, 15999, 40_000), (12000, 11999, 6000), (16000, 16, 70_000), (25, 16000, 30),
    (250_000, 256_000, 2000), (250_000, 48000, 12_000), (300_000, 15999, 30_000), (99, 1, 5000), (8000, 11025, 4_800_000),
]
PART = 10
PATH = Path(__file__).with_name("resamplers.json")


def noise(count):
    """16 bits of each number of a linear congruential generator, from -1 to 1."""
    step, add = 1664525, 1013904223
    block = np.empty(1024, np.uint64)
    state = 1
    for index in range(len(block)):
        state = (step * state + add) % 2**32
        block[index] = state
    jump = pow(step, len(block), 2**32)
    total = add * sum(pow(step, index, 2**32) for index in range(len(block))) % 2**32
    blocks = [block]
    while len(blocks) * len(block) < count:
        blocks.append((blocks[-1] * np.uint64(jump) + np.uint64(total)) % np.uint64(2**32))
    return (np.concatenate(blocks)[:count] >> np.uint64(16)).astype(np.float64) / 32768 - 1


def of_torchaudio(signal, old, new):
    divisor = int(np.gcd(old, new))
    kernel, width = torchaudio._get_sinc_resample_kernel(old, new, divisor, dtype=torch.float32)
    return torchaudio._apply_sinc_resample_kernel(torch.from_numpy(signal), old, new, divisor, kernel.double(), width).numpy()


METHODS = {
    "torchaudio": of_torchaudio,
    "kaiser_best": lambda signal, old, new: resampy.resample(signal, old, new, filter="kaiser_best"),
    "kaiser_fast": lambda signal, old, new: resampy.resample(signal, old, new, filter="kaiser_fast"),
    "polyphase": lambda signal, old, new: scipy.signal.resample_poly(signal, new, old),
}


def golden(method, old, new, count):
    try:
        found = METHODS[method](noise(count), old, new)
    except (ValueError, ZeroDivisionError) as error:
        print(f"{method}: {old} to {new} Hz, {count} samples: {type(error).__name__}: {error}")
        return None
    if not found.any():
        # Its loops end with a division by zero, of which nothing is said.
        print(f"{method}: {old} to {new} Hz, {count} samples: zeros alone")
        return None
    starts = sorted({0, max(0, len(found) // 2 - PART // 2), max(0, len(found) - PART)})
    parts = {start: [float(f"{value:.9g}") for value in found[start:start + PART]] for start in starts}
    return {"count": len(found), "parts": [{"start": start, "values": values} for start, values in parts.items()]}


def made():
    cases = [{"from": old, "to": new, "samples": count, "methods": {name: golden(name, old, new, count) for name in METHODS}}
             for old, new, count in CASES]
    versions = {name: importlib.metadata.version(name) for name in ("torch", "torchaudio", "resampy", "scipy", "numpy")}
    lines = ",\n".join("    " + json.dumps(case, separators=(",", ":")) for case in cases)
    generator = json.dumps({"script": Path(__file__).name, **versions})
    return f'{{\n  "generator": {generator},\n  "cases": [\n{lines}\n  ]\n}}\n'


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    text = made()
    if sys.argv[1:]:
        stored = json.loads(PATH.read_text(encoding="utf-8"))["cases"]
        sys.exit(0 if stored == json.loads(text)["cases"] else f"{PATH.name} differs")
    PATH.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
