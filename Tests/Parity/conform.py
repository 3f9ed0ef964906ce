"""Tests `veery conform` with arrays that librosa, torchaudio and transformers make, with right and wrong details.

Usage: conform.py --audio DIR [--clips N]      VEERY: the program, if not the release build
Programs that are not installed are left out, and named. The exit status is 1 if a finding is not as expected.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import scipy.io.wavfile
import soundfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("VEERY", ROOT / ".build/release/veery")
RATE = 16000


def cases_of_librosa():
    import librosa

    def log_mel(x, top_db=80.0, **options):
        return librosa.power_to_db(librosa.feature.melspectrogram(y=x, sr=RATE, **options), top_db=top_db).T

    yield "librosa-log-mel", {}, log_mel
    for key, value, options in [
            ("transform.mel_scale", "htk", {"htk": True}), ("transform.mel_norm", "none", {"norm": None}),
            ("transform.high", "7600", {"fmax": 7600}), ("transform.spectrum", "magnitude", {"power": 1.0}),
            ("frame.window", "hamming", {"window": "hamming"}), ("frame.pad", "reflect", {"pad_mode": "reflect"}),
            ("frame.align", "start", {"center": False}), ("transform.bins", "64", {"n_mels": 64}),
            ("scale.top_db", "null", {"top_db": None}), ("frame.hop", "160", {"hop_length": 160})]:
        yield "librosa-log-mel", {key: value}, lambda x, options=options: log_mel(x, **options)


def cases_of_torchaudio():
    import torch
    import torchaudio.compliance.kaldi as kaldi

    def bands(x, **options):
        settings = {"sample_frequency": RATE, "num_mel_bins": 23, "dither": 0.0, **options}
        return kaldi.fbank(torch.tensor(x[None] * settings.pop("range", 32768.0)), **settings).numpy()

    def cepstra(x, **options):
        settings = {"sample_frequency": RATE, "dither": 0.0, "energy_floor": 0.0, "use_energy": True, **options}
        return kaldi.mfcc(torch.tensor(x[None] * 32768), **settings).numpy()

    yield "kaldi-mfcc", {}, cepstra
    yield "kaldi-mfcc", {"transform.energy": "windowed"}, lambda x: cepstra(x, raw_energy=False)
    # Kaldi's default is no floor, torchaudio's is 1.
    yield "kaldi-mfcc", {"transform.energy_floor": "1"}, lambda x: cepstra(x, energy_floor=1.0)
    yield "kaldi-mfcc", {"transform.lifter": "0"}, lambda x: cepstra(x, cepstral_lifter=0.0)
    yield "kaldi-mfcc", {"transform.vtln_warp": "0.9"}, lambda x: cepstra(x, vtln_warp=0.9)
    yield "kaldi-mfcc", {}, lambda x: cepstra(x).astype(np.float16)
    yield "kaldi-fbank", {}, bands
    yield "kaldi-fbank", {"transform.vtln_warp": "1.2"}, lambda x: bands(x, vtln_warp=1.2)
    yield "kaldi-fbank", {"transform.vtln_warp": "0.85", "transform.vtln_low": "300"}, lambda x: bands(x, vtln_warp=0.85, vtln_low=300.0)
    for key, value, options in [
            ("frame.window", "hamming", {"window_type": "hamming"}), ("frame.window", "hann", {"window_type": "hanning"}),
            ("audio.scale", "unit", {"range": 1.0}), ("transform.low", "0", {"low_freq": 0.0}),
            ("transform.high", "7600", {"high_freq": 7600.0}), ("transform.bins", "80", {"num_mel_bins": 80}),
            ("frame.remove_dc", "false", {"remove_dc_offset": False}),
            ("frame.pre_emphasis", "0", {"preemphasis_coefficient": 0.0}),
            ("frame.align", "kaldi", {"snip_edges": False})]:
        yield "kaldi-fbank", {key: value}, lambda x, options=options: bands(x, **options)


def cases_of_transformers():
    from transformers.models.whisper.feature_extraction_whisper import WhisperFeatureExtractor

    def whisper(x, **options):
        return WhisperFeatureExtractor(**options)(x, sampling_rate=RATE, padding="do_not_pad", return_tensors="np")["input_features"][0].T

    yield "whisper", {}, whisper
    yield "whisper", {"transform.bins": "128"}, lambda x: whisper(x, feature_size=128)


def run(array, audio, preset):
    result = subprocess.run(
        [PROGRAM, "conform", array, audio, "--preset", preset, "--json"], capture_output=True, text=True)
    if result.returncode not in (0, 1) or not result.stdout:
        sys.exit(f"veery conform {array} {audio}: exit status {result.returncode}\n{result.stderr}")
    return json.loads(result.stdout)


def excerpts(folder, count):
    """Up to `count` recordings of at least half a second, cut after 4 s, as mono of 16 kHz: their rate is taken to be that."""
    found = []
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in (".wav", ".flac", ".ogg"))
    for path in paths[::max(1, len(paths) // (3 * count))]:
        try:
            samples, _ = soundfile.read(path, frames=4 * RATE, dtype="float32", always_2d=True)
        except soundfile.LibsndfileError:
            continue
        if len(samples) >= RATE // 2 and np.abs(samples).max() > 0.01:
            found.append((path.name, np.round(samples[:, 0] * 32767).astype("<i2")))
        if len(found) == count:
            break
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--audio", type=pathlib.Path, required=True)
    parser.add_argument("--clips", type=int, default=3)
    options = parser.parse_args()
    clips = excerpts(options.audio, options.clips)
    assert clips, f"{options.audio} has no recordings"
    wrong = total = 0
    with tempfile.TemporaryDirectory() as folder:
        audio, array = pathlib.Path(folder, "a.wav"), pathlib.Path(folder, "a.npy")
        for cases in cases_of_librosa, cases_of_torchaudio, cases_of_transformers:
            try:
                list_of_cases = list(cases())
            except ImportError as error:
                print(f"left out: {error.name}")
                continue
            for name, stored in clips:
                scipy.io.wavfile.write(audio, RATE, stored)
                samples = stored.astype(np.float32) / 32768
                for preset, expected, make in list_of_cases:
                    values = make(samples)
                    if not expected:
                        usual = values
                    elif values.shape == usual.shape and np.allclose(values, usual, rtol=0, atol=1e-6 * np.ptp(usual)):
                        expected = {}  # such as a limit that no value reaches
                    np.save(array, values)
                    report = run(array, audio, preset)
                    found = {
                        change.get("key"): change.get("value") for change in report.get("explanation", {}).get("changes", [])
                        if change.get("value") != change.get("expected")}
                    first = report["recordings"][0]
                    left = report.get("explanation", first)["difference"]["typical"]
                    right = report["equal"] if not expected else found == expected and report["explanation"]["complete"]
                    total += 1
                    wrong += not right
                    sign = "  " if right else "! "
                    print(f"{sign}{cases.__name__[9:]:13}{name[:24]:25}{preset:16}{expected or 'as it is'}: {found or 'equal'}, {left:.1e}")
    print(f"{total - wrong} of {total} findings as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
