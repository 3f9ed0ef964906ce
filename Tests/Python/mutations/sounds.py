"""Recordings of which every 50 ms have a frequency of their own, so that features say which file, channel and time were read."""

import functools
import io

import numpy as np
import soundfile

RATE = 8000
STEP = 0.05
STEPS = 20  # at most, in one recording
TRACKS = "ABCDEFGHI"
_SPACING = 20  # Hz, also the width of a bin
_FIRST = 10  # the first bin that is used

# Frames of one step each, without overlap: bin number n is the sine of n periods.
SETTINGS = {
    "audio.sample_rate": RATE, "frame.length": 400, "frame.hop": 400, "frame.fft_length": 400, "transform.kind": "fft",
    "scale.kind": "magnitude", "normalize.scope": "none"}


@functools.cache
def recording(tracks, seconds=1.0, kind="WAV", rate=RATE):
    """The bytes of a recording with a channel for each letter of `tracks`."""
    time = np.arange(int(STEP * rate)) / rate
    channels = [
        np.concatenate([
            0.5 * np.sin(2 * np.pi * _SPACING * (_FIRST + STEPS * TRACKS.index(track) + step) * time)
            for step in range(round(seconds / STEP))])
        for track in tracks]
    file = io.BytesIO()
    soundfile.write(file, np.stack(channels, axis=1), rate, format=kind)
    return file.getvalue()


def heard(spectrum):
    """What the frames of a clip are: `A@0.20-0.50` is track A from 0.2 to 0.5 s, `A+B@…` a mix of two."""
    found = []
    for frame in spectrum:
        peaks = np.flatnonzero(frame > 0.7 * frame.max()) if frame.max() > 1e-3 else []
        found.append([divmod(int(peak) - _FIRST, STEPS) for peak in peaks])
    if not found or not all(found):
        return "nothing" if not any(found) else f"gaps {found}"
    tracks = [track for track, _ in found[0]]
    start = found[0][0][1]
    regular = [[(track, start + number) for track in tracks] for number in range(len(found))]
    if found != regular:
        return f"irregular {found}"
    return f"{'+'.join(TRACKS[track] for track in tracks)}@{start * STEP:.2f}-{(start + len(found)) * STEP:.2f}"
