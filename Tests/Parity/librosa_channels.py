"""Compares `audio.channels: all` with librosa 1.0, which takes `top_db` from each channel's own maximum, as Veery does.

    python librosa_channels.py --audio DIR [--table FILE]

For an environment of its own: librosa 1.0 needs Python 3.12. Runs the program in the environment variable VEERY (default:
.build/release/veery). Clips: real recordings of several channels, and real ones with an added channel that is 80 dB quieter, where
a common maximum would show. Goal: 1e-6 of the range of the clip. Exit status 1 where it is missed.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import librosa
import numpy as np
import soundfile

from clips import Clip, recordings, spread, write_manifest

ROOT = Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- librosa 1.0: begin (written by librosa_channels.py) -->", "<!-- librosa 1.0: end -->"
GOAL, REAL, SECONDS = 1e-6, 40, 3.0
PRESETS = {
    "librosa-log-mel": lambda y, rate: librosa.power_to_db(librosa.feature.melspectrogram(y=y, sr=rate)),
    "librosa-mfcc": lambda y, rate: librosa.feature.mfcc(y=y, sr=rate)}


def signals(folder):
    """Two channels each, float32, and their rate."""
    found = [(path, rate) for path, rate in recordings(folder) if rate >= 8000]
    several = [item for item in found if soundfile.info(item[0]).channels == 2]
    for path, rate in spread(several, min(REAL // 2, len(several))) + spread(found, REAL):
        with soundfile.SoundFile(path) as file:
            samples = file.read(int(SECONDS * rate), dtype="float32", always_2d=True)
        if len(samples) < 2048:
            continue
        if samples.shape[1] != 2:
            samples = np.stack([samples[:, 0], samples[::-1, 0] * np.float32(1e-4)], axis=1)
        yield samples, rate


def features(program, preset, manifest, output):
    command = [program, "extract", manifest, "-o", output, "--preset", preset, "--set", "audio.channels=all", "--quiet", "--overwrite"]
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit status {result.returncode}\n{result.stderr}")
    with h5py.File(output) as file:
        values = file["features"][...]
        rows = zip(file["clips/id"].asstr()[...], file["clips/frame_start"][...], file["clips/frame_count"][...])
        return {name: values[start:start + count] for name, start, count in rows}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--audio", type=Path, required=True)
    parser.add_argument("--table", type=Path)
    options = parser.parse_args()
    program = os.environ.get("VEERY", ROOT / ".build" / "release" / "veery")
    lines = [f"Measured with librosa {librosa.__version__}, numpy {np.__version__}, two channels a clip.", "",
             "| preset | clips | Veery to librosa | goal |", "|---|---|---|---|"]
    is_missed = False
    with tempfile.TemporaryDirectory() as folder:
        for preset, original in PRESETS.items():
            worst, clips = 0.0, 0
            # A file holds clips of one rate, where the preset keeps the recording's.
            by_rate = {}
            for index, (samples, rate) in enumerate(signals(options.audio)):
                path = Path(folder) / f"{index}.wav"
                soundfile.write(path, samples, rate, subtype="FLOAT")
                by_rate.setdefault(rate, []).append((path, samples))
            for rate, members in by_rate.items():
                manifest = Path(folder) / "clips.csv"
                write_manifest(manifest, [Clip(path.stem, path, rate, samples) for path, samples in members])
                ours = features(program, preset, manifest, Path(folder) / "features.h5")
                for path, samples in members:
                    theirs = original(np.ascontiguousarray(samples.T), rate).transpose(2, 0, 1)
                    found = ours[path.stem]
                    if found.shape != theirs.shape:
                        sys.exit(f"{preset}, {path.stem}: shapes {found.shape} and {theirs.shape}")
                    extent = max(theirs.max(), 0) - min(theirs.min(), 0)
                    worst = max(worst, float(np.abs(found.astype(np.float64) - theirs).max() / extent))
                    clips += 1
            is_missed |= not worst <= GOAL or clips < REAL
            lines.append(f"| {preset} | {clips} | {worst:.1e} | {'met' if worst <= GOAL else 'missed'} |")
    table = "\n".join(lines)
    print(table)
    if options.table:
        text = options.table.read_text()
        start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
        options.table.write_text(f"{text[:start]}\n{table}\n{text[end:]}")
    return 1 if is_missed else 0


if __name__ == "__main__":
    sys.exit(main())
