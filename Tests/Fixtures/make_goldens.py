"""Makes every golden file in this folder, by references that share no code with Veery.

    python make_goldens.py            writes the files
    python make_goldens.py --check    compares them with what it would write, and changes nothing

Everything is computed in float64 by NumPy, SciPy and librosa, and each table is computed a second way where there is
one; the script stops where the two differ. Inputs are written with the fewest digits that give the same float32
again (read them as Float); results have 10 significant digits, unless a comment says otherwise.
Random numbers come from Python's `random.Random(seed).random()`, whose sequence is the same in every version.
"""

import argparse
import json
import math
import platform
import random
import struct
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import librosa
import numpy as np
import scipy
import scipy.fft
import scipy.io.wavfile
import scipy.signal
import scipy.special

FOLDER = Path(__file__).resolve().parent
GENERATOR = {
    "script": Path(__file__).name,
    "python": platform.python_version(),
    "numpy": np.__version__,
    "scipy": scipy.__version__,
    "librosa": librosa.__version__,
}


# ---------------------------------------------------------------------------------------------------------- writing


def results(array):
    """Results: 10 significant digits."""
    return [float(f"{value:.10g}") for value in np.asarray(array, dtype=np.float64).ravel()]


def inputs(array):
    """Float32 values: the shortest decimals that are nearest to them and to no other float32."""
    array = np.asarray(array)
    assert array.dtype == np.float32
    texts = [float(str(value)) for value in array.ravel()]
    assert np.array_equal(np.array(texts, dtype=np.float64).astype(np.float32), array.ravel())
    return texts


def json_text(content):
    """JSON with a line for every key at the top and for every case, so that a change can be read as a difference."""
    lines = []
    for key, value in content.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            cases = ",\n".join("    " + json.dumps(case, allow_nan=False) for case in value)
            lines.append(f"  {json.dumps(key)}: [\n{cases}\n  ]")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value, allow_nan=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def agree(name, first, second, relative=1e-12, absolute=0.0):
    """Stops the script where two ways of computing the same differ by more than `relative` of the largest value."""
    first, second = np.asarray(first), np.asarray(second)
    if first.shape != second.shape:
        sys.exit(f"{name}: shapes {first.shape} and {second.shape}")
    if first.size == 0:
        return
    limit = relative * np.max(np.abs(second)) + absolute
    difference = np.max(np.abs(first - second))
    if not difference <= limit:
        sys.exit(f"{name}: the two references differ by {difference:.3g}, allowed is {limit:.3g}")


def uniform(count, seed):
    """Seeded float32 values from −1 to 1."""
    numbers = random.Random(seed)
    return np.array([2 * numbers.random() - 1 for _ in range(count)], dtype=np.float32)


# ---------------------------------------------------------------------------------------------------------- windows


WINDOW_LENGTHS = [1, 2, 3, 4, 5, 6, 16, 25, 256, 400, 401]

# Name in a configuration, the parameter and its values there, name in SciPy.
WINDOWS = [
    ("rectangular", None, [None], "boxcar"), ("hann", None, [None], "hann"), ("hamming", None, [None], "hamming"),
    ("blackman", None, [None], "blackman"), ("blackman_harris", None, [None], "blackmanharris"),
    ("nuttall", None, [None], "nuttall"), ("bartlett", None, [None], "bartlett"), ("flat_top", None, [None], "flattop"),
    ("povey", None, [None], None), ("kaiser", "beta", [0, 0.5, 6, 14, 150, 500], "kaiser"),
    ("gaussian", "sigma", [0.1, 1, 7, 50, 1e6], "gaussian"), ("tukey", "alpha", [0, 0.01, 0.1, 0.5, 0.9, 1], "tukey")]

COSINE_TERMS = {
    "rectangular": [1], "hann": [0.5, 0.5], "hamming": [0.54, 0.46], "blackman": [0.42, 0.5, 0.08],
    "blackman_harris": [0.35875, 0.48829, 0.14128, 0.01168],
    "nuttall": [0.3635819, 0.4891775, 0.1365995, 0.0106411],
    "flat_top": [0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368]}


def window_direct(name, parameter, length, symmetric):
    """The window by its formula, over length − 1 intervals (symmetric) or length of them (periodic)."""
    if length == 1:
        return np.ones(1)
    intervals = length - symmetric
    n = np.arange(length)
    x = 2 * n / intervals - 1
    if name in COSINE_TERMS:
        return sum((-1) ** i * a * np.cos(2 * np.pi * i * n / intervals) for i, a in enumerate(COSINE_TERMS[name]))
    if name == "bartlett":
        return 1 - np.abs(x)
    if name == "povey":
        # Kaldi, feature-window.cc: pow(0.5 - 0.5 * cos(a * i), 0.85), a = 2 pi / (length - 1).
        return np.array([math.pow(0.5 - 0.5 * math.cos(2 * math.pi / intervals * i), 0.85) for i in range(length)])
    if name == "kaiser":
        return scipy.special.i0e(parameter * np.sqrt(1 - x**2)) * np.exp(parameter * (np.sqrt(1 - x**2) - 1)) / (
            scipy.special.i0e(parameter))
    if name == "gaussian":
        return np.exp(-(((n - intervals / 2) / parameter) ** 2) / 2)
    # Tukey: the distance from the nearer end against half the tapered share.
    distance = np.minimum(n, intervals - n) / intervals
    if parameter == 0:
        return np.ones(length)
    return np.where(distance < parameter / 2, 0.5 * (1 + np.cos(np.pi * (2 * distance / parameter - 1))), 1)


def windows():
    """scipy.signal.windows; a window of one sample is 1. Beyond 25 samples every 11th value."""
    cases = []
    for name, key, parameters, scipy_name in WINDOWS:
        for parameter in parameters:
            for symmetric in (True, False):
                for length in WINDOW_LENGTHS:
                    direct = window_direct(name, parameter, length, symmetric)
                    if scipy_name is None:
                        values = scipy.signal.get_window("hann", length, fftbins=not symmetric) ** 0.85
                    else:
                        shape = scipy_name if parameter is None else (scipy_name, parameter)
                        values = scipy.signal.get_window(shape, length, fftbins=not symmetric)
                    # Next to its ends a power below 1 makes much of the rounding of a Hann window.
                    agree(f"window {name} {parameter} {length}", values, direct, 1e-12 if name == "povey" else 1e-13)
                    # Some ends are 0 except for rounding (Blackman: −1.4e−17): written as 0.
                    values = np.where(np.abs(values) < 1e-15, 0, values)
                    every = 1 if length <= 25 else 11
                    window = name if key is None else {"kind": name, key: parameter}
                    cases.append({"window": window, "symmetric": symmetric, "length": length, "every": every,
                                  "values": results(values[::every])})
    return {"cases": cases}


# ------------------------------------------------------------------------------------------------------- transforms

TRANSFORM_LENGTHS = [*range(1, 17), 17, 25, 31, 32, 60, 64, 97, 100, 127, 128, 255, 256]


def dct_direct(x):
    """X[k] = Σ x[n] cos(πk(n + ½)/N), by the formula; the product k(2n + 1) is reduced exactly before the cosine."""
    count = len(x)
    k, n = np.meshgrid(np.arange(count), np.arange(count), indexing="ij")
    return np.cos(np.pi * ((k * (2 * n + 1)) % (4 * count)) / (2 * count)) @ x


def transforms():
    """numpy.fft.rfft, and scipy.fft.dct type 2 halved, which is X[k] = Σ x[n] cos(πk(n + ½)/N)."""
    cases = []
    for length in TRANSFORM_LENGTHS:
        x32 = uniform(length, 1000 + length)
        x = x32.astype(np.float64)
        spectrum = np.fft.rfft(x)
        k, n = np.meshgrid(np.arange(length // 2 + 1), np.arange(length), indexing="ij")
        agree(f"fft {length}", spectrum, np.exp(-2j * np.pi * ((k * n) % length) / length) @ x, 1e-13)
        # The imaginary parts of the terms at 0 and at half the rate are exactly 0.
        cases.append({"kind": "fft", "length": length, "input": inputs(x32), "re": results(spectrum.real),
                      "im": results(spectrum.imag + 0.0)})
    for length in TRANSFORM_LENGTHS:
        x32 = uniform(length, 2000 + length)
        x = x32.astype(np.float64)
        values = scipy.fft.dct(x, type=2) / 2
        agree(f"dct {length}", values, dct_direct(x), 1e-13)
        cases.append({"kind": "dct", "length": length, "input": inputs(x32), "values": results(values)})
    return {"cases": cases}


# -------------------------------------------------------------------------------------------------------------- mel


def hz_to_mel(f, htk):
    f = np.asarray(f, dtype=np.float64)
    if htk:
        return 2595 * np.log10(1 + f / 700)
    return np.where(f < 1000, 3 * f / 200, 15 + 27 * np.log(np.maximum(f, 1e-9) / 1000) / np.log(6.4))


def mel_to_hz(m, htk):
    m = np.asarray(m, dtype=np.float64)
    if htk:
        return 700 * (10 ** (m / 2595) - 1)
    return np.where(m < 15, 200 * m / 3, 1000 * np.exp((m - 15) * np.log(6.4) / 27))


def mel_edges(bands, low, high, htk):
    return mel_to_hz(np.linspace(hz_to_mel(low, htk), hz_to_mel(high, htk), bands + 2), htk)


def mel_direct(rate, fft_length, bands, low, high, htk, slaney_norm):
    """Triangles in Hz between neighbouring edges, straight from the definition."""
    edges = mel_edges(bands, low, high, htk)
    frequencies = np.arange(fft_length // 2 + 1) * rate / fft_length
    weights = np.zeros((bands, len(frequencies)))
    for band in range(bands):
        left, centre, right = edges[band:band + 3]
        rise = (frequencies - left) / (centre - left)
        fall = (right - frequencies) / (right - centre)
        weights[band] = np.maximum(0, np.minimum(rise, fall))
        if slaney_norm:
            weights[band] *= 2 / (right - left)
    return weights


def mel():
    """librosa.filters.mel, checked against a second formula."""
    cases = []
    for rate, fft_length, bands, low, high, scale, norm in [
        (16000, 512, 80, 0.0, 8000.0, "slaney", "slaney"),
        (16000, 512, 40, 20.0, 7600.0, "htk", "none"),
        (22050, 2048, 128, 0.0, 11025.0, "slaney", "slaney"),
        (8000, 256, 23, 0.0, 4000.0, "htk", "slaney"),
    ]:
        htk = scale == "htk"
        weights = librosa.filters.mel(
            sr=rate, n_fft=fft_length, n_mels=bands, fmin=low, fmax=high, htk=htk,
            norm=None if norm == "none" else norm, dtype=np.float64)
        agree("mel", weights, mel_direct(rate, fft_length, bands, low, high, htk, norm == "slaney"), 1e-12)
        edges = mel_edges(bands, low, high, htk)
        agree("mel edges", edges, librosa.mel_frequencies(bands + 2, fmin=low, fmax=high, htk=htk), 1e-12)
        # A bin on a band's edge weighs 0 except for rounding: weights below 1e−12 of the largest are left out.
        band, index = np.nonzero(weights > 1e-12 * weights.max())
        cases.append({
            "sample_rate": rate, "fft_length": fft_length, "bands": bands, "low": low, "high": high,
            "mel_scale": scale, "mel_norm": norm, "centres": results(edges[1:-1]),
            "band": band.tolist(), "bin": index.tolist(), "weight": results(weights[band, index])})
    return {"cases": cases}


# ---------------------------------------------------------------------------------------------------------- framing


def start_count(samples, length, hop):
    return 1 + (samples - length) // hop if samples >= length else 0


def centre_frames(x, length, hop, fft_length, pad):
    """Frame i of `length` samples begins at sample i·hop − P, P = ⌊fft_length/2⌋ − ⌊(fft_length − length)/2⌋.

    librosa's frame of n_fft samples begins at i·hop − ⌊n_fft/2⌋, and pad_center puts the window of `length` samples at
    ⌊(n_fft − length)/2⌋ in it; beyond the window everything is multiplied by zero.
    """
    count = 1 + (len(x) + 2 * (fft_length // 2) - fft_length) // hop
    before = fft_length // 2 - (fft_length - length) // 2
    after = max(0, (count - 1) * hop - before + length - len(x))
    padded = np.pad(x, (before, after), mode="reflect" if pad == "reflect" else "constant")
    return np.stack([padded[i * hop:i * hop + length] for i in range(count)])


def reflected(x, index):
    """The signal mirrored at its ends without end, by arithmetic on the index."""
    if len(x) == 1:
        return x[0]
    period = 2 * (len(x) - 1)
    index %= period
    return x[index if index < len(x) else period - index]


def framing():
    """Counts by librosa; contents by numpy.pad, checked against arithmetic on the index."""
    counts = []
    for length, hop, fft_length in [(400, 160, 512), (400, 160, 400), (7, 3, 8), (8, 8, 8), (5, 9, 16), (25, 10, 25)]:
        for samples in (1, 2, 3, 10, 100, 399, 400, 401, 560, 561, 1000, 1600):
            x = np.arange(1, samples + 1, dtype=np.float64)
            start = start_count(samples, length, hop)
            if samples >= length:
                assert start == librosa.util.frame(x, frame_length=length, hop_length=hop).shape[-1]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                centre = librosa.stft(x, n_fft=fft_length, hop_length=hop, win_length=length, center=True,
                                      pad_mode="constant").shape[-1]
            assert centre == len(centre_frames(x, length, hop, fft_length, "zero"))
            counts.append({"samples": samples, "length": length, "hop": hop, "fft_length": fft_length,
                           "start": start, "center": centre})
    frames = []
    for length, hop, fft_length in [(7, 3, 8), (8, 8, 8), (5, 9, 16), (3, 2, 3), (4, 1, 7), (4, 2, 11)]:
        for samples in (1, 2, 3, 5, 10, 17):
            x = np.arange(1, samples + 1, dtype=np.float64)
            count = start_count(samples, length, hop)
            whole = [x[i * hop:i * hop + length] for i in range(count)]
            frames.append({"align": "start", "pad": "zero", "samples": samples, "length": length, "hop": hop,
                           "fft_length": fft_length, "rows": count, "values": results(np.array(whole))})
            for pad in ("reflect", "zero"):
                rows = centre_frames(x, length, hop, fft_length, pad)
                before = fft_length // 2 - (fft_length - length) // 2
                for i, row in enumerate(rows):
                    at = range(i * hop - before, i * hop - before + length)
                    inside = [x[j] if 0 <= j < samples else 0.0 for j in at]
                    direct = [reflected(x, j) for j in at] if pad == "reflect" else inside
                    assert np.array_equal(row, direct), (length, hop, fft_length, samples, pad, i)
                frames.append({"align": "center", "pad": pad, "samples": samples, "length": length, "hop": hop,
                               "fft_length": fft_length, "rows": len(rows), "values": results(rows)})
    return {
        "definition": "centred frame i begins at sample i*hop - P, P = floor(fft_length/2) - floor((fft_length - length)/2)",
        "signal": "x[n] = n + 1 for n = 0 ... samples - 1",
        "counts": counts, "frames": frames}


# ------------------------------------------------------------------------------------------------------- recordings


def int16(signal):
    assert np.max(np.abs(signal)) < 1
    return np.round(32767 * signal).astype("<i2")


def tone_16k():
    """0.3 s, mono: 440 Hz and 2500 Hz, a chirp from 200 Hz to 7 kHz, noise; digital silence in samples 2560 … 3583."""
    time = np.arange(4800) / 16000
    signal = 0.25 * np.sin(2 * np.pi * 440 * time) + 0.1 * np.sin(2 * np.pi * 2500 * time + 0.3)
    signal += 0.3 * np.sin(2 * np.pi * (200 * time + (7000 - 200) / (2 * 0.3) * time**2))
    signal += 0.02 * uniform(4800, 1).astype(np.float64)
    signal[2560:3584] = 0
    return int16(signal)


def stereo_8k():
    """0.3 s, stereo: left a tone of 300 Hz, its harmonics and noise; right a falling chirp that swells."""
    time = np.arange(2400) / 8000
    left = sum(0.4 / h * np.sin(2 * np.pi * 300 * h * time + h) for h in range(1, 6))
    left = 0.8 * left + 0.05 * uniform(2400, 2).astype(np.float64)
    right = 0.9 * time / 0.3 * np.sin(2 * np.pi * (3500 * time - (3500 - 100) / (2 * 0.3) * time**2))
    return int16(np.stack([left, right], axis=1))


def wav_bytes(rate, samples):
    """A WAV file of 16-bit PCM with the 44-byte header and nothing else."""
    channels = 1 if samples.ndim == 1 else samples.shape[1]
    data = samples.tobytes()
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, channels, rate, rate * channels * 2, channels * 2, 16)
    return b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVE" + form + b"data" + struct.pack("<I", len(data)) + data


RECORDINGS = {"tone-16k.wav": (16000, tone_16k), "stereo-8k.wav": (8000, stereo_8k)}


def recording(name):
    """Samples of the file unchanged, int16 values in float64, one row a sample, one column a channel."""
    rate, samples = scipy.io.wavfile.read(FOLDER / name)
    assert samples.dtype == np.int16
    return rate, samples.reshape(len(samples), -1).astype(np.float64)


# ---------------------------------------------------------------------------------------------------------- presets


def matrix(values):
    return {"rows": values.shape[0], "bins": values.shape[1], "values": results(values)}


def whole_frames(x, length, hop):
    return np.stack([x[i * hop:i * hop + length] for i in range(start_count(len(x), length, hop))])


def periodic_hann(length):
    return 0.5 * (1 - np.cos(2 * np.pi * np.arange(length) / length))


def preset_log_mel():
    """ln(max(mel power, 1e−10)) of tone-16k.wav, and its z-score over that one clip."""
    rate, samples = recording("tone-16k.wav")
    x = samples.mean(axis=1) / 32768
    frames = whole_frames(x, 400, 160) * periodic_hann(400)
    power = np.abs(np.fft.rfft(frames, 512, axis=1)) ** 2
    mel_power = power @ mel_direct(rate, 512, 80, 0, 8000, False, True).T
    # librosa puts the window in the middle of its n_fft samples, (512 − 400) / 2 = 56 in: with 56 zeros before the
    # signal and 56 after, its frame i covers the same 400 samples, and a shift within the transform leaves the power.
    reference = librosa.feature.melspectrogram(
        y=np.pad(x, 56), sr=rate, n_fft=512, hop_length=160, win_length=400, window="hann", center=False,
        power=2.0, n_mels=80, fmin=0.0, fmax=8000.0, htk=False, norm="slaney", dtype=np.float64).T
    agree("log-mel against librosa", mel_power, reference, 1e-6)
    heard = reference > 1e-9
    assert np.max(np.abs(mel_power[heard] / reference[heard] - 1)) < 1e-6
    log_mel = np.log(np.maximum(mel_power, 1e-10))
    mean, std = log_mel.mean(axis=0), log_mel.std(axis=0)
    assert std.min() > 0.1
    zscore = (log_mel - mean) / std
    return {"cases": [{
        "file": "tone-16k.wav", "rows": log_mel.shape[0], "bins": 80,
        "values": results(log_mel), "zscore": results(zscore), "mean": results(mean), "std": results(std)}]}


def preset_scrolling_dct():
    """|X[k]| of the first channel, and 10·log10(max(|X|², 1e−12) / 1024²), without the floor of the preset (0 dB)."""
    cases = []
    for name in RECORDINGS:
        _, samples = recording(name)
        frames = whole_frames(samples[:, 0], 1024, 512) * periodic_hann(1024)
        magnitude = np.abs(scipy.fft.dct(frames, type=2, axis=1) / 2)
        agree("scrolling-dct", magnitude, np.abs(np.stack([dct_direct(frame) for frame in frames])), 1e-12)
        decibels = 10 * np.log10(np.maximum(magnitude**2, 1e-12) / 1024**2)
        heard = magnitude > 1e-6
        agree("scrolling-dct dB", decibels[heard], 20 * np.log10(magnitude[heard] / 1024), 1e-12)
        cases.append({"file": name, "rows": magnitude.shape[0], "bins": 1024,
                      "magnitude": results(magnitude), "db": results(decibels)})
    return {"cases": cases}


def preset_mixer_fft():
    """|X[k]| / 512 of the mean of the channels, k = 0 … 255."""
    cases = []
    for name in RECORDINGS:
        _, samples = recording(name)
        frames = whole_frames(samples.mean(axis=1) / 32768, 512, 512)
        values = np.abs(np.fft.rfft(frames, axis=1))[:, :256] / 512
        k, n = np.meshgrid(np.arange(256), np.arange(512), indexing="ij")
        direct = np.abs(frames @ np.exp(-2j * np.pi * ((k * n) % 512) / 512).T) / 512
        agree("mixer-fft", values, direct, 1e-12)
        cases.append({"file": name, **matrix(values)})
    return {"cases": cases}


def preset_spectrogram():
    """10·log10(max(|X|², 1e−10)) of the mean of the channels: 25 ms of periodic Hann around every 5 ms, mirrored ends."""
    cases = []
    for name in RECORDINGS:
        rate, samples = recording(name)
        x = samples.mean(axis=1) / 32768
        length, hop = rate * 25 // 1000, rate * 5 // 1000
        fft_length = 2 ** math.ceil(math.log2(length))
        half = length // 2
        mirrored = np.pad(x, half, mode="reflect")
        frames = np.stack([mirrored[i * hop:i * hop + length] for i in range(1 + len(x) // hop)]) * periodic_hann(length)
        power = np.abs(np.fft.rfft(frames, fft_length, axis=1)) ** 2
        # librosa pads by half the transform, and puts the window in its middle: the same samples, elsewhere in the transform.
        stft = librosa.stft(
            x, n_fft=fft_length, hop_length=hop, win_length=length, window="hann", center=True, pad_mode="reflect",
            dtype=np.complex128).T
        agree("spectrogram against librosa", power, np.abs(stft) ** 2, 1e-12)
        levels = 10 * np.log10(np.maximum(power, 1e-10))
        frames = list(range(0, len(levels), 7))
        cases.append({"file": name, "settings": {"preset": "spectrogram"}, "rows": levels.shape[0],
                      "bins": levels.shape[1], "frames": frames, "values": results(levels[frames])})
    return {"cases": cases}


# ------------------------------------------------------------------------------------------------- statistics and ln


def exact_statistics(values):
    """Mean and population standard deviation of float32 values, in rational arithmetic."""
    numbers = [Fraction(float(value)) for value in values]
    mean = sum(numbers) / len(numbers)
    variance = sum((number - mean) ** 2 for number in numbers) / len(numbers)
    return float(mean), math.sqrt(variance)


def statistics():
    """Mean, standard deviation (population), least and greatest, of each bin and of all; 17 digits: exact except for the last."""
    constant = np.stack([uniform(9, 31), np.full(9, 0.1, dtype=np.float32), uniform(9, 32)], axis=1)
    cases = []
    for name, values in [
        ("uniform", uniform(350, 21).reshape(50, 7)),
        ("large offset", (1e6 + uniform(350, 22).astype(np.float64)).astype(np.float32).reshape(50, 7)),
        ("one frame", uniform(7, 23).reshape(1, 7)),
        ("a constant bin", constant),
    ]:
        exact = [exact_statistics(column) for column in values.T]
        wide = values.astype(np.float64)
        agree(f"mean of {name}", wide.mean(axis=0), [mean for mean, _ in exact], 1e-14)
        agree(f"standard deviation of {name}", wide.std(axis=0), [std for _, std in exact], 1e-8, absolute=1e-16)
        mean, std = exact_statistics(values.ravel())
        cases.append({
            "name": name, "rows": values.shape[0], "bins": values.shape[1], "values": inputs(values),
            "mean": [mean for mean, _ in exact], "std": [std for _, std in exact],
            "min": inputs(values.min(axis=0)), "max": inputs(values.max(axis=0)),
            "all": {"mean": mean, "std": std, "min": inputs(values.min())[0], "max": inputs(values.max())[0]}})
    return {"cases": cases}


def log():
    """ln of normal float32 values; 17 digits. Nearest to 1 the logarithm is smallest, and a poor one is worst."""
    values = {np.float32(np.finfo(np.float32).smallest_normal), np.finfo(np.float32).max, np.float32(3e38), np.float32(1e-10)}
    values |= {np.float32(10.0**exponent) for exponent in range(-37, 39)}
    for exponent in [*range(-126, -8, 9), *range(-8, 9), *range(17, 128, 10), 127]:
        power = np.float32(2.0**exponent)
        values |= {power, np.nextafter(power, np.float32(np.inf))}
        if exponent > -126:
            values.add(np.nextafter(power, np.float32(0)))
    for step in (1, 2, 3, 10, 100, 10_000, 1_000_000):
        values |= {np.float32(1 + step * 2.0**-23), np.float32(1 - step * 2.0**-24)}
    # Where programs change the range: √½ and √2, and their neighbours.
    for root in (np.float32(0.5**0.5), np.float32(2**0.5)):
        values |= {root, np.nextafter(root, np.float32(0)), np.nextafter(root, np.float32(4))}
    numbers = random.Random(41)
    values |= {np.float32(math.exp(numbers.uniform(math.log(1.2e-38), math.log(3.3e38)))) for _ in range(150)}
    values |= {np.float32(numbers.uniform(0.5, 2)) for _ in range(50)}
    x = np.array(sorted(values), dtype=np.float32)
    assert x[0] > 1.17e-38 and np.isfinite(x[-1])
    logarithm = [math.log(float(value)) for value in x]
    agree("ln", np.log(x.astype(np.float64)), logarithm, 1e-15)
    return {"x": inputs(x), "ln": logarithm}


# ------------------------------------------------------------------------------------------------------------- main

FILES = {
    "windows.json": windows, "transforms.json": transforms, "mel.json": mel, "framing.json": framing,
    "preset-log-mel.json": preset_log_mel, "preset-scrolling-dct.json": preset_scrolling_dct,
    "preset-mixer-fft.json": preset_mixer_fft, "preset-spectrogram.json": preset_spectrogram, "statistics.json": statistics, "log.json": log,
}


def same(first, second):
    """Whether two JSON values are equal, numbers to the digits that are written."""
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    if isinstance(first, list) and isinstance(second, list):
        if first and isinstance(first[0], float):
            limit = 1e-9 * max(map(abs, first))
            return len(first) == len(second) and all(abs(a - b) <= limit for a, b in zip(first, second))
        return len(first) == len(second) and all(map(same, first, second))
    if isinstance(first, float) and isinstance(second, (int, float)):
        return math.isclose(first, second, rel_tol=1e-9)
    return first == second


def main(description, recordings, files, generator):
    """Writes the files, or compares them, as the command line says. The other scripts of this folder use it, too."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 where a file differs")
    check = parser.parse_args().check
    differing = []
    for name, (rate, make) in recordings.items():
        content = wav_bytes(rate, make())
        path = FOLDER / name
        if not check:
            path.write_bytes(content)
        elif not path.exists() or path.read_bytes() != content:
            differing.append(name)
    for name, make in files.items():
        content = json.loads(json_text({"generator": generator, **make()}))
        path = FOLDER / name
        if not check:
            path.write_text(json_text(content))
        else:
            stored = json.loads(path.read_text()) if path.exists() else {}
            if not same({**content, "generator": 0}, {**stored, "generator": 0}):
                differing.append(name)
    if differing:
        sys.exit(f"differ from what {generator['script']} makes: {', '.join(differing)}")


if __name__ == "__main__":
    main("Makes the golden files of this folder.", RECORDINGS, FILES, GENERATOR)
