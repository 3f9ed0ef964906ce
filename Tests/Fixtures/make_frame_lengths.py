"""Makes `frame-lengths.json`: how many samples the originals of presets take for 25 ms and 10 ms.

    python make_frame_lengths.py            writes the file
    python make_frame_lengths.py --check    compares it with what it would write, and changes nothing

Each original has its own arithmetic, which is repeated here operation by operation, in the precision that it has there. The
exact number is computed in integers. At the seven rates of `make parity` both are equal. Of all whole rates from 1 to 192 kHz
the file lists those at which the arithmetic misses the exact number; it does so by a sample.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np

PATH = Path(__file__).resolve().parent / "frame-lengths.json"
NAMED = (8000, 11025, 16000, 22050, 32000, 44100, 48000)
ALL = range(1000, 192_001)


def kaldi(rate, ms):
    """feature-window.h: samp_freq and frame_length_ms are float, 0.001 is double."""
    return int(float(np.float32(rate)) * 0.001 * float(np.float32(ms)))


def kaldi_native_fbank(rate, ms):
    """feature-window.h of kaldi-native-fbank and kaldifeat: all float."""
    return int(np.float32(rate) * np.float32(0.001) * np.float32(ms))


def torchaudio(rate, ms):
    """compliance/kaldi.py _get_waveform_and_window_properties"""
    return int(rate * ms * 0.001)


def lhotse(rate, ms):
    """features/kaldi/layers.py Wav2Win; seconds are literals."""
    return int(math.floor({25: 0.025, 10: 0.01}[ms] * rate))


def htk(rate, ms):
    """HParm.c: (int)(winDur / srcSampRate), in units of 100 ns."""
    return int(ms * 1e4 / (1e7 / rate))


def speechbrain(rate, ms):
    """processing/features.py STFT"""
    return int(round((rate / 1000.0) * ms))


def down(rate, ms):
    return rate * ms // 1000


def even(rate, ms):
    whole, rest = divmod(rate * ms, 1000)
    return whole + (rest > 500 or rest == 500 and whole % 2)


ORIGINALS = [
    ("Kaldi", kaldi, down, ("kaldi-fbank", "kaldi-mfcc")),
    ("kaldi-native-fbank", kaldi_native_fbank, down, ("kaldi-fbank", "kaldi-mfcc", "icefall")),
    ("HTK", htk, down, ("htk-mfcc",)),
    ("torchaudio", torchaudio, down, ("ast", "ast-speech-commands", "audiomae", "beats")),
    ("lhotse", lhotse, down, ("lhotse-fbank",)),
    ("SpeechBrain", speechbrain, even, ("speechbrain-fbank",)),
]


def made():
    cases = []
    for name, theirs, exact, presets in ORIGINALS:
        missed = [rate for rate in ALL if any(theirs(rate, ms) != exact(rate, ms) for ms in (25, 10))]
        if any(abs(theirs(rate, ms) - exact(rate, ms)) > 1 for rate in missed for ms in (25, 10)) or set(missed) & set(NAMED):
            sys.exit(f"{name} misses by more than a sample, or at a usual rate")
        rows = [[rate, theirs(rate, 25), theirs(rate, 10)] for rate in NAMED]
        cases.append({"original": name, "rounding": exact.__name__, "presets": presets, "samples": rows, "missed": missed})
    lines = ",\n".join("    " + json.dumps(case) for case in cases)
    generator = json.dumps({"script": Path(__file__).name})
    return f'{{\n  "generator": {generator},\n  "cases": [\n{lines}\n  ]\n}}\n'


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    text = made()
    if sys.argv[1:]:
        sys.exit(0 if PATH.read_text(encoding="utf-8") == text else f"{PATH.name} differs")
    PATH.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
