"""Compares every value of audio.resampler with its original: the samples that `veery decode` writes, and their number.

    python resamplers.py [--table FILE] [--only TEXT]

Runs the program in the environment variable VEERY (default: .build/release/veery). Signals are made: noise at full scale, a chirp, an
impulse, a constant. Goals: samples within 1e-6 of full scale of the original in double precision, as many as there; the original in
single precision, which users have, is its own rounding off. Exit status 1 where a goal is missed.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import resampy
import scipy.signal
import soundfile
import soxr
import torch
import torchaudio
import torchaudio.functional.functional as functional

from models import ROOT, put
from peers_models import VERSIONS

GOAL = 1e-6
# From, to, and the number of samples.
PAIRS = [
    (44100, 16000, 1), (44100, 16000, 44_100), (44100, 16000, 26_460_000), (48000, 16000, 28_800_000), (48000, 16000, 17), (8000, 16000, 4_800_000),
    (22050, 16000, 3), (22050, 16000, 60_000), (11025, 16000, 700), (16000, 8000, 2), (16000, 22050, 90_001), (16000, 44100, 40_000),
    (44100, 48000, 200_000), (48000, 44100, 200_000), (48000, 32000, 100), (96000, 32000, 12_000), (96000, 22050, 300_000), (192_000, 48000, 50_000),
    (250_000, 48000, 250_000), (300_000, 32000, 90_000), (384_000, 256_000, 40_000), (44100, 15999, 100_000), (12000, 11999, 60_000),
    (8000, 48000, 1), (16000, 16, 300_000), (16, 16000, 30), (99, 1, 9000), (1, 1000, 9),
]


def signal(count, seed):
    """Noise, a chirp, an impulse and a constant, one after another."""
    random = np.random.default_rng(seed)
    samples = random.uniform(-1, 1, count).astype(np.float32)
    quarter = count // 4
    time = np.arange(quarter)
    samples[quarter:2 * quarter] = 0.9 * np.sin(np.pi / 2 * time * time / max(quarter, 1))
    samples[2 * quarter:3 * quarter] = 0
    samples[2 * quarter + quarter // 2] = 1
    samples[3 * quarter:3 * quarter + quarter // 2] = 0.5
    return samples


def of_torchaudio(samples, old, new):
    """Its filter is that of single precision; the sums are in the precision of the samples."""
    divisor = int(np.gcd(old, new))
    kernel, width = functional._get_sinc_resample_kernel(old, new, divisor, dtype=torch.float32)
    wave = torch.from_numpy(samples)
    return functional._apply_sinc_resample_kernel(wave, old, new, divisor, kernel.to(wave.dtype), width).numpy()


def of_resampy(name):
    def original(samples, old, new):
        found = resampy.resample(samples, old, new, filter=name)
        if not found.any():
            raise ValueError("zeros alone")
        return found
    return original


def of_soxr(quality):
    return lambda samples, old, new: soxr.resample(samples.astype(np.float32), old, new, quality=quality)


# soxr computes in single precision what Veery has from the same library.
ORIGINALS = {
    "torchaudio": (of_torchaudio, "torchaudio"), "kaiser_best": (of_resampy("kaiser_best"), "resampy"),
    "kaiser_fast": (of_resampy("kaiser_fast"), "resampy"),
    "polyphase": (lambda samples, old, new: scipy.signal.resample_poly(samples, new, old), "scipy"),
    "soxr-hq": (of_soxr("HQ"), "soxr"), "soxr-vhq": (of_soxr("VHQ"), "soxr"), "soxr-mq": (of_soxr("MQ"), "soxr"),
}


def veery(program, folder, name, samples, old, new):
    """The samples; None: an error."""
    recording, result = folder / "in.wav", folder / "out.wav"
    soundfile.write(recording, samples, old, subtype="FLOAT")
    found = subprocess.run(
        [program, "decode", recording, "--sample-rate", str(new), "--resampler", name, "-o", result, "--overwrite", "--quiet"],
        stderr=subprocess.PIPE, text=True)
    if found.returncode:
        return None
    return soundfile.read(result, dtype="float32")[0]


class Results:
    def __init__(self):
        self.pairs, self.samples, self.double, self.single, self.refused, self.problems = 0, 0, 0.0, 0.0, 0, []

    def add(self, what, ours, double, single):
        self.pairs += 1
        if double is None or ours is None:
            self.refused += 1
            if (double is None) != (ours is None):
                self.problems.append(f"{what}: one of the two refuses")
            return
        if len(ours) != len(double):
            self.problems.append(f"{what}: {len(ours)} samples, {len(double)} in the original")
        count = min(len(ours), len(double))
        self.samples += count
        for found, expected in (("double", double), ("single", single)):
            apart = float(np.abs(ours[:count].astype(np.float64) - expected[:count]).max(initial=0))
            setattr(self, found, max(getattr(self, found), apart))
            if found == "double" and not apart <= GOAL:
                self.problems.append(f"{what}: {apart:.1e} off")


def compared(name, program, folder):
    original, results = ORIGINALS[name][0], Results()
    for index, (old, new, count) in enumerate(PAIRS):
        samples = signal(count, index)
        try:
            double, single = original(samples.astype(np.float64), old, new), original(samples, old, new)
        except (ValueError, ZeroDivisionError):
            double = single = None
        results.add(f"{name}, {count} samples from {old} to {new} Hz", veery(program, folder, name, samples, old, new), double, single)
    return results


def table(measured):
    versions = ", ".join(f"{name} {VERSIONS[name]}" for name in ("torchaudio",))
    versions += f", resampy {resampy.__version__}, SciPy {scipy.__version__}, soxr {soxr.__version__}"
    lines = [f"Measured on {len(PAIRS)} signals of 1 sample to 10 minutes between as many pairs of rates, with {versions}: the greatest difference in "
             "parts of full scale. torchaudio's filter is in single precision, as for samples of that precision, also where its sums are in double.", "",
             "| `audio.resampler` | original | signals | refused by both | samples | Veery to double precision | to single precision | goals |",
             "|---|---|---|---|---|---|---|---|"]
    for name, results in measured:
        goal = "missed" if results.problems else "met"
        lines.append(f"| {name} | {ORIGINALS[name][1]} | {results.pairs} | {results.refused} | {results.samples:,} | {results.double:.1e} | "
                     f"{results.single:.1e} | {goal} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description="Compares resamplers with their originals.")
    parser.add_argument("--table", type=Path, help="Markdown file to write the table into, between its marker lines")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="only those whose name contains it")
    options = parser.parse_args()
    program = Path(os.environ.get("VEERY", ROOT / ".build" / "release" / "veery")).resolve()
    measured = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ORIGINALS:
            if not options.only or any(part in name for part in options.only):
                measured.append((name, compared(name, program, Path(folder))))
                print(f"resamplers: {name}", file=sys.stderr)
    text = table(measured)
    print(text, end="\n\n")
    if options.table and not options.only:
        put(options.table, "resamplers", text)
    missed = [problem for _, results in measured for problem in results.problems]
    if missed:
        sys.exit("resamplers: " + "\nresamplers: ".join(missed))


if __name__ == "__main__":
    main()
