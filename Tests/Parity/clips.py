"""Clips for the comparison: excerpts of real recordings, at several rates and lengths, written as WAV files.

Recordings are read by libsndfile (soundfile) and, where a rate lacks recordings of its own, resampled by soxr; what is
written is float32, so that Veery and the peers get the same samples, to the bit.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile
import soxr

# Rates, and how many clips of each, not counting the short ones; more at 16 kHz and at 11,025 Hz, the rates of presets.
COUNTS = {8000: 40, 11025: 200, 16000: 200, 22050: 40, 32000: 40, 44100: 40, 48000: 40}
# Samples of the short clips: less than a hop, a frame, half an FFT, and one about each.
SHORT = (1, 2, 3, 10, 80, 100, 159, 160, 200, 201, 399, 400, 401, 512, 1023, 1024, 1025, 2047, 2048, 4096, 8192)
SECONDS = 3.0
SUFFIXES = {".wav", ".flac", ".ogg", ".mp3"}


@dataclass(frozen=True)
class Clip:
    id: str
    path: Path
    rate: int
    signal: np.ndarray  # float32 [samples, channels], as in the file

    def mono(self, first_channel):
        """The first channel, or the mix of all, in float32: what Veery, the peers and the reference start from."""
        if first_channel:
            return np.ascontiguousarray(self.signal[:, 0])
        return self.signal.astype(np.float64).mean(axis=1).astype(np.float32)


def recordings(folder, seconds=0):
    """Readable recordings with sound in them, of at least so many seconds: path and rate. Deliberately broken ones are left out."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in SUFFIXES or "broken" in path.parts:
            continue
        try:
            with soundfile.SoundFile(path) as file:
                frames, rate = file.frames, file.samplerate
                if frames < max(1024, seconds * rate):
                    continue
                # A header can state more samples than there are.
                file.seek(frames - 1)
                file.read(1)
        except soundfile.LibsndfileError:
            continue
        found.append((path, rate))
    return found


def spread(items, count):
    """`count` items evenly over the list; from its start again where it is shorter."""
    if count <= len(items):
        return [items[i * len(items) // count] for i in range(count)]
    return [items[i % len(items)] for i in range(count)]


def excerpt(path, rate, turn):
    """At most SECONDS of a recording, from its middle (later turns: elsewhere), at the rate asked for."""
    signal, own = soundfile.read(path, dtype="float32", always_2d=True)
    length = min(len(signal), round(SECONDS * own))
    latest = len(signal) - length
    start = (latest // 2 + turn * length) % (latest + 1)
    signal = signal[start:start + length]
    return signal if own == rate else soxr.resample(signal, own, rate, quality="HQ").astype(np.float32)


def make_clips(folder, into):
    """Clips by rate, a manifest for each rate, and what they are, in words."""
    found = recordings(folder)
    if not found:
        raise SystemExit(f"parity: no recordings in {folder}")
    clips, manifests, used = {}, {}, set()
    for rate, count in COUNTS.items():
        own = spread([item for item in found if item[1] == rate], min(count, sum(r == rate for _, r in found)))
        others = [item for item in found if item[1] != rate]
        chosen = own + spread(others, count - len(own))
        seen, these = {}, []
        for path, _ in chosen:
            turn = seen[path] = seen.get(path, -1) + 1
            used.add(path)
            these.append((f"r{rate}-{len(these):03}", excerpt(path, rate, turn)))
        source = next(signal for _, signal in these if len(signal) >= max(SHORT))
        middle = len(source) // 4
        these += [(f"r{rate}-n{n:04}", source[min(middle, len(source) - n):][:n]) for n in SHORT]
        clips[rate] = [write(into, name, rate, signal) for name, signal in these]
        manifests[rate] = into / f"{rate}.csv"
        write_manifest(manifests[rate], clips[rate])
    total = sum(map(len, clips.values()))
    seconds = sum(len(clip.signal) / clip.rate for of_rate in clips.values() for clip in of_rate)
    return clips, manifests, f"{total} clips ({seconds:.0f} s) of {len(used)} recordings, {len(COUNTS)} rates"


def write(into, name, rate, signal):
    path = into / f"{name}.wav"
    soundfile.write(path, signal, rate, subtype="FLOAT")
    return Clip(name, path, rate, signal)


def write_manifest(path, clips):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["path", "id"])
        writer.writerows([clip.path.name, clip.id] for clip in clips)
    return path
