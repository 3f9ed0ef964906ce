"""Compares Veery's values with librosa's, torchaudio's, Kaldi's and Whisper's, and with a float64 reference.

    python parity.py [--audio DIR] [--table FILE] [--keep DIR]

Runs the program in the environment variable VEERY (default: .build/release/veery) on excerpts of real recordings
(clips.py), reads what it wrote by h5py, and compares every clip of every preset. Exit status 1 where a goal is missed.
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import h5py
import numpy as np
import soxr

import peers
import reference
from clips import COUNTS, SHORT, Clip, make_clips

ROOT = Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- parity: begin -->", "<!-- parity: end -->"
# Largest difference allowed, as a part of the range (greatest less least reference value) of the clip.
PEER_GOAL, REFERENCE_GOAL = 1e-4, 1e-5


@dataclass(frozen=True)
class Row:
    """One line of the table: what is run, on which clips, and what it is compared with."""

    name: str
    arguments: tuple[str, ...]
    rates: tuple[int, ...]
    reference: Callable
    peer: Callable | None = None
    peer_name: str = "none"
    first_channel: bool = False
    resampled_to: int | None = None


ALL, AT_16K, AT_11K = tuple(COUNTS), (16000,), (11025,)
EVEN = tuple(rate for rate in ALL if rate % 2 == 0)


def preset(name, *settings):
    return ("--preset", name, *(part for setting in settings for part in ("--set", setting)))


def with_options(function, **options):
    return lambda signal, rate: function(signal, rate, **options)


KALDI_8K = ("audio.sample_rate=8000", "frame.length=200", "frame.hop=80", "frame.fft_length=256")
LIBROSA = f"librosa {peers.VERSIONS['librosa']}"
TORCHAUDIO = f"torchaudio {peers.VERSIONS['torchaudio'].split('+')[0]}"
KALDI = f"kaldi-native-fbank {peers.VERSIONS['kaldi-native-fbank']}"
WHISPER = f"openai-whisper {peers.VERSIONS['whisper']}"

ROWS = [
    Row("log-mel", preset("log-mel"), AT_16K, reference.log_mel, peers.log_mel, LIBROSA),
    Row("log-mel, resampled by Veery", preset("log-mel"), tuple(r for r in ALL if r != 16000), reference.log_mel, resampled_to=16000),
    Row("scrolling-dct", preset("scrolling-dct"), ALL, reference.scrolling_dct, first_channel=True),
    Row("mixer-fft", preset("mixer-fft"), ALL, reference.mixer_fft),
    Row("musical-spectrum", preset("musical-spectrum"), AT_11K, reference.musical_spectrum),
    Row("musical-spectrum, 2048 bins", preset("musical-spectrum", "transform.kind=fft"), AT_11K, reference.musical_spectrum_bins),
    Row("live-waveform", preset("live-waveform"), ALL, reference.live_waveform, first_channel=True),
    Row("librosa-log-mel", preset("librosa-log-mel"), ALL, reference.librosa_log_mel, peers.librosa_log_mel, LIBROSA),
    Row("librosa-mfcc", preset("librosa-mfcc"), ALL, reference.librosa_mfcc, peers.librosa_mfcc, LIBROSA),
    Row("torchaudio-log-mel", preset("torchaudio-log-mel"), EVEN, reference.torchaudio_log_mel, peers.torchaudio_log_mel, TORCHAUDIO),
    Row("torchaudio-mfcc", preset("torchaudio-mfcc"), EVEN, reference.torchaudio_mfcc, peers.torchaudio_mfcc, TORCHAUDIO),
    Row("kaldi-fbank", preset("kaldi-fbank"), AT_16K, reference.kaldi_fbank, peers.kaldi_fbank, KALDI),
    Row("kaldi-fbank, snip-edges=false", preset("kaldi-fbank", "frame.align=kaldi"), AT_16K,
        with_options(reference.kaldi_fbank, mirror=True), with_options(peers.kaldi_fbank, mirror=True), KALDI),
    Row("kaldi-mfcc", preset("kaldi-mfcc"), AT_16K, reference.kaldi_mfcc, peers.kaldi_mfcc, KALDI),
    Row("kaldi-mfcc, snip-edges=false", preset("kaldi-mfcc", "frame.align=kaldi"), AT_16K,
        with_options(reference.kaldi_mfcc, mirror=True), with_options(peers.kaldi_mfcc, mirror=True), KALDI),
    Row("kaldi-mfcc at 8 kHz", preset("kaldi-mfcc", *KALDI_8K), (8000,), reference.kaldi_mfcc, peers.kaldi_mfcc, KALDI),
    Row("htk-mfcc", preset("htk-mfcc"), AT_16K, reference.htk_mfcc, peers.htk_mfcc, KALDI + " as HTK"),
    Row("whisper", preset("whisper"), AT_16K, reference.whisper, peers.whisper_log_mel, WHISPER),
    Row("whisper, 128 bands", preset("whisper", "transform.bins=128"), AT_16K,
        with_options(reference.whisper, bands=128), with_options(peers.whisper_log_mel, bands=128), WHISPER),
]


@dataclass
class Figures:
    """What was measured for one row; differences as parts of the clip's range, with the clip that has the greatest."""

    clips: int = 0
    frames: int = 0
    empty: int = 0
    refused: int = 0
    with_peer: int = 0
    worst: dict = field(default_factory=dict)
    problems: list = field(default_factory=list)

    def note(self, what, difference, span, clip):
        share = difference / span if span else (math.inf if difference else 0.0)
        self.worst["abs " + what] = max(self.worst.get("abs " + what, 0.0), difference)
        if share >= self.worst.get(what, (0.0, ""))[0]:
            self.worst[what] = (share, clip)

    def share(self, what):
        return self.worst[what][0] if what in self.worst else None


def span(values):
    """The range of a feature over a clip. Where all values are equal (digital silence), their size."""
    extent = float(np.ptp(values))
    return extent if extent else float(np.max(np.abs(values)))


def difference(first, second):
    """The greatest difference; infinite where a value is not a number."""
    found = float(np.max(np.abs(first.astype(np.float64) - second.astype(np.float64))))
    return found if math.isfinite(found) else math.inf


# ---------------------------------------------------------------------------------------------------------- measuring


def extract(program, row, manifest, output):
    """Runs Veery; returns the features by clip id, and the reasons of the clips that have none."""
    command = [program, "extract", manifest, "-o", output, *row.arguments, "--set", "normalize.scope=none",
               "--max-failures", "100%", "--progress", "none", "--quiet", "--overwrite"]
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit status {result.returncode}\n{result.stderr.strip()}")
    with h5py.File(output) as file:
        features = file["features"][...]
        ids = [name.decode() for name in file["clips/id"][...]]
        starts, counts = file["clips/frame_start"][...], file["clips/frame_count"][...]
        failures = {}
        if "failures" in file:
            names, reasons = file["failures/id"][...], file["failures/reason"][...]
            failures = {name.decode(): reason.decode() for name, reason in zip(names, reasons)}
    return {name: features[start:start + count] for name, start, count in zip(ids, starts, counts)}, failures


def compare(row, clip: Clip, ours, failure, figures):
    figures.clips += 1
    if row.resampled_to:
        wide = soxr.resample(clip.wide, clip.rate, row.resampled_to, quality="HQ")
        expected = row.reference(wide, row.resampled_to)
    else:
        expected = row.reference(clip.wide, clip.rate)
    if ours is None:
        if len(expected) or "frame" not in (failure or ""):
            figures.problems.append(f"{clip.id}: {len(expected)} frames expected, Veery failed: {failure}")
        figures.empty += 1
        return
    if ours.shape != expected.shape:
        figures.problems.append(f"{clip.id}: Veery's shape is {ours.shape}, the reference's {expected.shape}")
        return
    if not len(expected):
        figures.empty += 1
        return
    figures.frames += len(expected)
    extent = span(expected)
    figures.note("reference", difference(ours, expected), extent, clip.id)
    if row.peer is None:
        return
    theirs = row.peer(clip.first if row.first_channel else clip.mono, clip.rate)
    if theirs is None:
        figures.refused += 1
        return
    if theirs.shape != ours.shape:
        figures.problems.append(f"{clip.id}: Veery's shape is {ours.shape}, {row.peer_name}'s {theirs.shape}")
        return
    figures.with_peer += 1
    figures.note("peer", difference(ours, theirs), extent, clip.id)
    figures.note("peer and reference", difference(theirs, expected), extent, clip.id)


def measure(program, row, clips, manifests, folder):
    figures = Figures()
    for rate in row.rates:
        ours, failures = extract(program, row, manifests[rate], folder / "features.h5")
        for clip in clips[rate]:
            compare(row, clip, ours.get(clip.id), failures.get(clip.id), figures)
    return figures


def main():
    parser = argparse.ArgumentParser(description="Compares Veery with its peers and with a float64 reference.")
    parser.add_argument("--audio", type=Path, default=ROOT / ".demo" / "audio", help="folder of recordings")
    parser.add_argument("--table", type=Path, help="file to write the table into, between its two marker lines")
    parser.add_argument("--keep", type=Path, help="keep the clips in this folder")
    parser.add_argument("--only", action="append", help="only rows whose name contains this")
    options = parser.parse_args()
    program = Path(os.environ.get("VEERY", ROOT / ".build" / "release" / "veery")).resolve()
    if not os.access(program, os.X_OK):
        sys.exit(f"parity: {program} is not a program; build it, or set VEERY")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        clips, manifests, found = make_clips(options.audio, folder)
        print(f"parity: {sum(map(len, clips.values()))} clips of {found} recordings", file=sys.stderr)
        measured = []
        for row in ROWS:
            if options.only and not any(part in row.name for part in options.only):
                continue
            begin = time.monotonic()
            figures = measure(program, row, clips, manifests, folder)
            measured.append((row, figures))
            print(row.name, figures.clips, figures.frames, figures.empty, figures.refused, figures.worst, figures.problems[:5],
                  f"{time.monotonic() - begin:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
