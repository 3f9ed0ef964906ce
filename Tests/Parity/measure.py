"""Runs Veery for one row of the table, and compares every clip with the peer and with the float64 reference."""

import math
import subprocess
from dataclasses import dataclass, field

import h5py
import numpy as np
import soxr

REFERENCE, PEER, PEER_TO_REFERENCE, QUIRK = "reference", "peer", "peer to reference", "peer to its own definition"


@dataclass(frozen=True)
class Difference:
    """The greatest difference over one clip, in the feature's unit and as a fraction of the clip's range."""

    clip: str
    absolute: float
    share: float


@dataclass
class Results:
    clips: int = 0
    frames: int = 0
    without_frames: int = 0
    refused: int = 0
    differences: dict[str, list[Difference]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def add(self, what, clip, first, second, extent):
        absolute = float(np.max(np.abs(first.astype(np.float64) - second.astype(np.float64))))
        if not math.isfinite(absolute):
            self.problems.append(f"{clip}: a value is not a number")
            return
        share = absolute / extent if extent else (math.inf if absolute else 0.0)
        self.differences.setdefault(what, []).append(Difference(clip, absolute, share))

    def worst(self, what):
        return max(self.differences.get(what, []), key=lambda difference: difference.share, default=None)

    def median(self, what):
        shares = [difference.share for difference in self.differences.get(what, [])]
        return float(np.median(shares)) if shares else None


def extent_of(values):
    """The range of the values: from the least to the greatest of the clip, and 0 within."""
    return float(max(values.max(), 0) - min(values.min(), 0))


def extract(program, arguments, manifest, output, normalize=False):
    """Runs Veery; returns the features by clip id, and the reasons of the clips that have none."""
    command = [program, "extract", manifest, "-o", output, *arguments, *([] if normalize else ["--set", "normalize.scope=none"]),
               "--max-failures", "100%", "--progress", "none", "--quiet", "--overwrite"]
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit status {result.returncode}\n{result.stderr.strip()}")
    with h5py.File(output) as file:
        features = file["features"][...]
        ids, reasons = file["clips/id"].asstr()[...], {}
        if "failures" in file:
            reasons = dict(zip(file["failures/id"].asstr()[...], file["failures/reason"].asstr()[...]))
        spans = zip(ids, file["clips/frame_start"][...], file["clips/frame_count"][...])
        return {name: features[start:start + count] for name, start, count in spans}, reasons


def compare(row, clip, ours, reason, results):
    x = clip.mono(row.first_channel)
    rate, wide = clip.rate, x.astype(np.float64)
    if row.resampled_to:
        rate, wide = row.resampled_to, soxr.resample(wide, clip.rate, row.resampled_to, quality="HQ")
    expected = row.reference(wide[:, None], rate)
    theirs = row.peer(x, rate) if row.peer else None
    results.clips += 1
    results.refused += row.peer is not None and theirs is None
    for name, other in (("the reference", expected), (row.peer_name, theirs)):
        if other is not None and len(other) != (0 if ours is None else len(ours)):
            results.problems.append(f"{clip.id}: {name} has {len(other)} frames, Veery {reason or len(ours)}")
            return
    if not len(expected):
        results.without_frames += 1
        return
    if ours.shape != expected.shape:
        results.problems.append(f"{clip.id}: Veery's shape is {ours.shape}, the reference's {expected.shape}")
        return
    results.frames += len(expected)
    extent = extent_of(expected)
    results.add(REFERENCE, clip.id, ours, expected, extent)
    if theirs is not None:
        results.add(PEER, clip.id, ours, theirs, extent)
        results.add(PEER_TO_REFERENCE, clip.id, theirs, expected, extent)
        if row.quirk:
            results.add(QUIRK, clip.id, theirs, row.quirk(wide[:, None], rate), extent)


def measure(program, row, clips, manifests, output):
    results = Results()
    for rate in row.rates:
        ours, reasons = extract(program, row.arguments, manifests[rate], output)
        for clip in clips[rate]:
            compare(row, clip, ours.get(clip.id), reasons.get(clip.id), results)
    return results
