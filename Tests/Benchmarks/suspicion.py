#!/usr/bin/env python3
"""Times `veery inspect --suspicious` on 100,000 clips of 80 bins against the same in NumPy: `make bench CASE=suspicion`.

The feature file is made once: 20,000 recordings of filtered noise, five clips each, 40 labels, of which 1 % are changed. Both read it
from the page cache, on all cores. NumPy computes the vectors of the clips, their principal axes, the features of a Gaussian kernel with
as many landmarks, and the scores with each recording left out; Veery also searches similar pairs, unusual and silent clips, and writes its report.
"""
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import wave

import numpy as np

CLIPS, CLIPS_OF_RECORDING, LABELS, BINS, RATE, SECONDS = 100_000, 5, 40, 80, 8000, 0.5
PARTS, AXES, LANDMARKS, REGULARISATION, SAMPLE = 4, 64, 256, 0.1, 4096


def recordings(folder, rng):
    """Writes the recordings; yields the rows of a manifest."""
    count = round(SECONDS * RATE)
    frequencies = np.linspace(0, 1, CLIPS_OF_RECORDING * count // 2 + 1)
    # The spectrum of a label has four peaks; that of a recording shifts them, and has another slope.
    peaks = rng.uniform(0.03, 0.95, (LABELS, 4))
    for number in range(CLIPS // CLIPS_OF_RECORDING):
        label = number % LABELS
        own = peaks[label] * rng.normal(1, 0.04, 4)
        envelope = 0.02 + np.exp(-((frequencies[:, None] - own) / 0.03) ** 2 / 2).sum(1)
        envelope *= np.exp(rng.normal(0, 1) * frequencies)
        spectrum = (rng.standard_normal(len(frequencies)) + 1j * rng.standard_normal(len(frequencies))) * envelope
        samples = np.fft.irfft(spectrum, CLIPS_OF_RECORDING * count)
        samples *= np.repeat(rng.uniform(0.3, 1, CLIPS_OF_RECORDING), count) * 9000 / np.abs(samples).max()
        with wave.open(str(folder / f"{number}.wav"), "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            file.writeframes(samples.astype("<i2").tobytes())
        for part in range(CLIPS_OF_RECORDING):
            given = rng.integers(LABELS) if rng.random() < 0.01 else label
            yield [f"{number}-{part}", f"{number}.wav", given, ["train", "train", "test"][number % 3], part * SECONDS, (part + 1) * SECONDS]


def made(program, work):
    """The feature file."""
    output = work / "suspicion.h5"
    if output.exists():
        return output
    with tempfile.TemporaryDirectory(prefix="suspicion-", dir=work) as folder:
        folder = pathlib.Path(folder)
        with open(folder / "m.csv", "w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["id", "path", "label", "split", "start", "end"])
            rows.writerows(recordings(folder, np.random.default_rng(1)))
        settings = [f"audio.sample_rate={RATE}", "frame.length=200", "frame.hop=80", "frame.fft_length=256", f"transform.bins={BINS}",
                    "transform.high=4000", "normalize.scope=none"]
        subprocess.run([program, "extract", folder / "m.csv", "-o", output, "--quiet", *(word for each in settings for word in ("--set", each))],
                       check=True)
    return output


def with_numpy(path):
    """The scores of all clips."""
    import h5py
    with h5py.File(path) as file:
        rows, clips = file["features"], file["clips"]
        starts, counts = clips["frame_start"][:], clips["frame_count"][:]
        labels, groups = clips["label_index"][:], np.unique(clips["path"][:], return_inverse=True)[1]
        vectors = np.empty((len(starts), (PARTS + 1) * BINS + 1), np.float32)
        step = 2000
        for first in range(0, len(starts), step):
            own, count = starts[first:first + step], counts[first:first + step]
            block = rows[own[0]:own[-1] + count[-1]].astype(np.float64)
            bounds = (own - own[0])[:, None] + np.arange(PARTS) * count[:, None] // PARTS
            sums = np.add.reduceat(block, bounds.ravel(), 0).reshape(len(own), PARTS, BINS)
            lengths = np.diff(np.append(bounds.ravel(), len(block))).reshape(len(own), PARTS, 1)
            squares = np.add.reduceat(block * block, own - own[0], 0) / count[:, None]
            deviation = np.sqrt(np.maximum(squares - (sums.sum(1) / count[:, None]) ** 2, 0))
            vectors[first:first + step] = np.concatenate(
                [(sums / lengths).reshape(len(own), -1), deviation, np.log(count)[:, None]], 1)
    order = np.random.default_rng(0).permutation(len(vectors))
    sample = vectors[order[:SAMPLE]]
    mean, deviation = sample.mean(0), sample.std(0)
    scale = np.where(deviation > 1e-6 * np.abs(mean), 1 / np.maximum(deviation, 1e-30), 0).astype(np.float32)
    values, axes = np.linalg.eigh(np.cov(((sample - mean) * scale).T, bias=True))
    values, axes = values[::-1][:AXES], axes[:, ::-1][:, :AXES]
    points = ((vectors - mean) * scale) @ (axes / values ** 0.25).astype(np.float32)

    def squared(one, other):
        return np.maximum((one ** 2).sum(1)[:, None] + (other ** 2).sum(1) - 2 * one @ other.T, 0)

    few = points[order[:2048]]
    width = 3 * np.median(np.partition(squared(few, few), 10, 1)[:, 10])
    landmarks = points[order[:LANDMARKS]].astype(np.float64)
    kernel = np.exp(-squared(landmarks, landmarks) / (2 * width)) + 1e-6 * np.eye(LANDMARKS)
    root = np.linalg.inv(np.linalg.cholesky(kernel)).T
    gram, products = np.zeros((LANDMARKS, LANDMARKS)), np.zeros((LANDMARKS, LABELS))
    step = 10_000

    def features(first):
        return np.exp(-squared(points[first:first + step], landmarks) / (2 * width)) @ root

    for first in range(0, len(points), step):
        block = features(first)
        gram += block.T @ block
        products += block.T @ np.eye(LABELS)[labels[first:first + step]]
    inverse = np.linalg.inv(gram + REGULARISATION * np.eye(LANDMARKS))
    weights, factor = inverse @ products, np.linalg.cholesky(inverse)
    scores = np.empty(len(points))
    for first in range(0, len(points), step):
        block, own = features(first), labels[first:first + step]
        # The clips of a recording follow one another, and all have as many.
        assert (np.diff(groups[first:first + step].reshape(-1, CLIPS_OF_RECORDING), axis=1) == 0).all()
        targets = np.eye(LABELS)[own]
        left = (block @ factor).reshape(-1, CLIPS_OF_RECORDING, LANDMARKS)
        residuals = np.linalg.solve(
            np.eye(CLIPS_OF_RECORDING) - left @ left.transpose(0, 2, 1),
            (targets - block @ weights).reshape(-1, CLIPS_OF_RECORDING, LABELS)).reshape(-1, LABELS)
        predicted = targets - residuals
        given = predicted[np.arange(len(own)), own].copy()
        predicted[np.arange(len(own)), own] = -9
        scores[first:first + step] = predicted.max(1) - given
    return scores


def run(words, output):
    """Wall time in s, processor time in s, and peak memory in MB of a program. This process stays small: a child counts the memory of its
    parent, until it has become the program."""
    begin = time.monotonic()
    process = os.posix_spawn(words[0], [str(word) for word in words], os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)])
    _, status, usage = os.wait4(process, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{' '.join(map(str, words))}: status {os.waitstatus_to_exitcode(status)}")
    scale = 1 if sys.platform == "darwin" else 1024
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * scale / 1e6


def main():
    program, work, rounds = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
    path = made(program, work)
    with open(path, "rb") as file:  # Into the page cache.
        while file.read(1 << 24):
            pass
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(run([program, "inspect", path, "--suspicious", "--json"], work / "suspicion.json"))
        _, _, peak = run([sys.executable, __file__, path, work / "scores.npy"], work / "seconds.txt")
        theirs.append((*map(float, (work / "seconds.txt").read_text().split()), peak))
    report, scores = json.loads((work / "suspicion.json").read_text())["suspicion"], np.load(work / "scores.npy")
    first = CLIPS // 100
    ranked = [clip["clip"] for clip in sorted(report["clips"], key=lambda clip: -clip.get("score", -1))][:first]
    common = len(set(ranked) & set(np.argsort(-scores)[:first])) / first
    ratios = [seconds / wall for (wall, _, _), (seconds, _, _) in zip(ours, theirs)]
    middle = statistics.median
    print("| **wall time, NumPy ÷ Veery** | least–most | processor time, NumPy ÷ Veery | Veery, s | NumPy, s | its processor time, s "
          "| NumPy's | Veery, MB | NumPy, MB | first 1 % in common |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    print(f"| **{middle(ratios):.2f}** | {min(ratios):.2f}–{max(ratios):.2f} | {middle([b[1] / a[1] for a, b in zip(ours, theirs)]):.2f} | "
          f"{middle([wall for wall, _, _ in ours]):.1f} | {middle([wall for wall, _, _ in theirs]):.1f} | "
          f"{middle([cpu for _, cpu, _ in ours]):.1f} | {middle([cpu for _, cpu, _ in theirs]):.1f} | "
          f"{max(peak for _, _, peak in ours):.0f} | {max(peak for _, _, peak in theirs):.0f} | {100 * common:.0f} % |")


def numpy():
    """The part of NumPy, in a process of its own: prints its time, and its processor time."""
    import h5py  # noqa: F401  Imports are not timed.
    begin, used = time.monotonic(), time.process_time()
    scores = with_numpy(sys.argv[1])
    print(time.monotonic() - begin, time.process_time() - used)
    np.save(sys.argv[2], scores)


if __name__ == "__main__":
    main() if len(sys.argv) == 4 else numpy()
