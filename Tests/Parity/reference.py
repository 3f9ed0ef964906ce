"""What every preset's values are, by the definitions, in float64. Shares no code with Veery, and none with the peers.

A feature is computed by small steps: frames, windows, spectra, bands, logarithms, cepstra, differences. The functions
at the end put them together, one for each preset; `PRESETS` lists them. A signal is an array [samples, channels] on the
unit scale (±1) at the preset's own rate; the result is [frames, bins].

Sources of the formulas: the papers and manuals named at each step.
"""

import math

import numpy as np
import scipy.fft

INT16 = 32768.0
FLT_EPSILON = 2.0**-23

# ------------------------------------------------------------------------------------------------------------ signals


def mixed(signal):
    return signal.mean(axis=1)


def first(signal):
    return signal[:, 0]


# ------------------------------------------------------------------------------------------------------------- frames


def whole_frames(x, length, hop):
    """Frame i is samples i·hop … i·hop + length − 1; only whole frames (Kaldi: snip-edges=true)."""
    count = 1 + (len(x) - length) // hop if len(x) >= length else 0
    return x[hop * np.arange(count)[:, None] + np.arange(length)]


def centred_frames(x, length, hop, fft_length, pad):
    """Frame i of fft_length samples has sample i·hop in its middle; the window lies in the middle of the frame.

    The signal is padded with ⌊fft_length/2⌋ samples at both ends: zeros (librosa) or the signal mirrored, without
    repeating the edge (torch.stft), again and again where it is too short. Returned are the `length` samples under
    the window, which begins ⌊(fft_length − length)/2⌋ samples into the frame.
    """
    half = fft_length // 2
    count = 1 + (len(x) + 2 * half - fft_length) // hop
    start = hop * np.arange(count) - half + (fft_length - length) // 2
    index = start[:, None] + np.arange(length)
    if pad == "zero":
        return np.where((index >= 0) & (index < len(x)), x[np.clip(index, 0, len(x) - 1)], 0.0)
    if len(x) == 1:
        return np.full(index.shape, x[0])
    period = 2 * (len(x) - 1)
    index = index % period
    return x[np.minimum(index, period - index)]


def mirrored_frames(x, length, hop, lead=None):
    """Kaldi with snip-edges=false: ⌊(n + hop/2)/hop⌋ frames, frame i about sample (i + ½)·hop, the edges mirrored
    with the edge sample repeated (feature-window.cc: NumFrames, FirstSampleOfFrame, ExtractWindow). `lead`: the samples
    before the signal, where they are not Kaldi's."""
    count = (len(x) + hop // 2) // hop
    start = hop * np.arange(count) - (length // 2 - hop // 2 if lead is None else lead)
    index = (start[:, None] + np.arange(length)) % max(2 * len(x), 1)
    return x[np.minimum(index, 2 * len(x) - 1 - index)]


def without_mean(frames):
    return frames - frames.mean(axis=1, keepdims=True)


def pre_emphasized(frames, a):
    """y[n] = x[n] − a·x[n−1] within each frame; the first sample has itself before it."""
    return frames - a * np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)


# ------------------------------------------------------------------------------------------------------------ windows


def cosine_angle(length, symmetric):
    return 2 * np.pi * np.arange(length) / (length - 1 if symmetric else length)


def hann(length, symmetric=False):
    return 0.5 - 0.5 * np.cos(cosine_angle(length, symmetric))


def hamming(length, symmetric=False):
    return 0.54 - 0.46 * np.cos(cosine_angle(length, symmetric))


def povey(length):
    """Kaldi's own: the symmetric Hann window to the power of 0.85 (feature-window.cc)."""
    return hann(length, symmetric=True) ** 0.85


# ------------------------------------------------------------------------------------------------------------ spectra


def spectrum(frames, fft_length):
    return np.fft.rfft(frames, fft_length, axis=1)


def power_spectrum(frames, fft_length):
    return np.abs(spectrum(frames, fft_length)) ** 2


def musical_points(magnitude, rate, fft_length, lowest=440 * 2 ** (-45 / 12), notes=89, points_per_note=8):
    """Magnitudes at equal steps of pitch, by quadratic interpolation between the bins.

    Point p lies half a note below the lowest note, and p/points_per_note notes above that; between bins b − 1, b and
    b + 1 the values follow the parabola through them.
    """
    point = np.arange(notes * points_per_note)
    hertz = lowest * 2 ** (-1 / 24) * 2 ** (point / (12 * points_per_note))
    position = hertz * fft_length / rate
    b = np.maximum(np.floor(position).astype(int), 1)
    a = position - b
    left, middle, right = magnitude[:, b - 1], magnitude[:, b], magnitude[:, b + 1]
    return 0.5 * (left * (a**2 - a) + middle * (2 - 2 * a**2) + right * (a**2 + a))


# -------------------------------------------------------------------------------------------------------------- bands


def slaney_mel(hertz):
    """Slaney, Auditory Toolbox: linear below 1000 Hz, then 27 steps for each factor of 6.4."""
    hertz = np.asarray(hertz, dtype=float)
    return np.where(hertz < 1000, 3 * hertz / 200, 15 + 27 * np.log(np.maximum(hertz, 1000) / 1000) / np.log(6.4))


def slaney_hertz(mel):
    return np.where(mel < 15, 200 * mel / 3, 1000 * 6.4 ** ((mel - 15) / 27))


def htk_mel(hertz):
    """The HTK Book, 5.4: 2595 log10(1 + f/700)."""
    return 2595 * np.log10(1 + np.asarray(hertz, dtype=float) / 700)


def htk_hertz(mel):
    return 700 * (10 ** (mel / 2595) - 1)


def triangles(position, edges):
    """weights[band, bin]: 0 at edges b and b + 2, 1 at edge b + 1, straight between; `position` in the unit of the edges."""
    left, centre, right = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    return np.maximum(0, np.minimum((position - left) / (centre - left), (right - position) / (right - centre)))


def mel_weights(rate, fft_length, bands, low, high, scale, area_norm=False, in_mel=False, nyquist=None):
    """Triangles whose edges are equally spaced in mel; straight in Hz (librosa, torchaudio) or in mel (HTK, Kaldi).

    `area_norm`: Slaney's, 2 / (right − left edge in Hz). `nyquist`: the frequency given to the last bin; half the rate.
    """
    to_mel, to_hertz = {"slaney": (slaney_mel, slaney_hertz), "htk": (htk_mel, htk_hertz)}[scale]
    hertz = np.linspace(0, rate / 2 if nyquist is None else nyquist, fft_length // 2 + 1)
    edges = np.linspace(to_mel(low), to_mel(high), bands + 2)
    if in_mel:
        return triangles(to_mel(hertz), edges)
    edges = to_hertz(edges)
    weights = triangles(hertz, edges)
    return weights * 2 / (edges[2:] - edges[:-2])[:, None] if area_norm else weights


def linear_weights(rate, fft_length, bands, low, high):
    """Triangles equally spaced in Hz."""
    return triangles(np.linspace(0, rate / 2, fft_length // 2 + 1), np.linspace(low, high, bands + 2))


# ---------------------------------------------------------------------------------------------------------- logarithms


def decibels(power, floor, top_db=None):
    """10·log10(max(p, floor)), and nothing more than top_db below the clip's greatest value."""
    db = 10 * np.log10(np.maximum(power, floor))
    return db if top_db is None or not db.size else np.maximum(db, db.max() - top_db)


def log_with_floor(power, floor):
    return np.log(np.maximum(power, floor))


def pcen(s, rate, hop, gain=0.98, bias=2.0, power=0.5, time_constant=0.4, eps=1e-6):
    """Wang et al. (2017), Trainable frontend; the smoother's constant and its start at 1 are librosa's."""
    t = time_constant * rate / hop
    b = (np.sqrt(1 + 4 * t**2) - 1) / (2 * t**2)
    smooth, before = np.zeros_like(s), np.ones(s.shape[1])
    for index, row in enumerate(s):
        before = smooth[index] = (1 - b) * before + b * row
    return (s / (eps + smooth) ** gain + bias) ** power - bias**power


# ------------------------------------------------------------------------------------------------------------ cepstra


def cosines(bands, count):
    """cos(πk(j + ½)/bands), one row for each k."""
    return np.cos(np.pi * np.arange(count)[:, None] * (np.arange(bands) + 0.5) / bands)


def ortho_cepstrum(log_bands, count):
    bands = log_bands.shape[1]
    factors = np.full(count, np.sqrt(2 / bands))
    factors[0] = np.sqrt(1 / bands)
    return log_bands @ cosines(bands, count).T * factors


def htk_cepstrum(log_bands, count):
    """The HTK Book, 5.6: √(2/N) for every coefficient, c0 among them."""
    bands = log_bands.shape[1]
    return log_bands @ cosines(bands, count).T * np.sqrt(2 / bands)


def lifter(count, l):
    return 1 + l / 2 * np.sin(np.pi * np.arange(count) / l)


def deltas(c, window=2):
    """The HTK Book, 5.9: Σ θ (c[t+θ] − c[t−θ]) / (2 Σ θ²); the first and the last row are repeated."""
    if not len(c):
        return c
    padded = np.concatenate([np.repeat(c[:1], window, axis=0), c, np.repeat(c[-1:], window, axis=0)])
    total = sum(
        theta * (padded[window + theta:window + theta + len(c)] - padded[window - theta:window - theta + len(c)])
        for theta in range(1, window + 1))
    return total / (2 * sum(theta**2 for theta in range(1, window + 1)))


def with_deltas(c, order, window=2):
    parts = [c]
    for _ in range(order):
        parts.append(deltas(parts[-1], window))
    return np.concatenate(parts, axis=1)


# ------------------------------------------------------------------------------------------------------------ presets


def log_mel(signal, rate):
    power = power_spectrum(whole_frames(mixed(signal), 400, 160) * hann(400), 512)
    return log_with_floor(power @ mel_weights(rate, 512, 80, 0, 8000, "slaney", area_norm=True).T, 1e-10)


def spectrogram(signal, rate):
    """10·log10(max(|X|², 1e-10)) of 25 ms around every 5 ms, in whole samples; the transform is the next power of two."""
    length, hop = math.floor(0.025 * rate + 0.5), math.floor(0.005 * rate + 0.5)
    fft_length = 1 << (length - 1).bit_length()
    frames = centred_frames(mixed(signal), length, hop, fft_length, "reflect") * hann(length)
    return decibels(power_spectrum(frames, fft_length), 1e-10)


def scrolling_dct(signal, rate):
    """20·log10(|X|/1024), at least −80 dB; X[k] = Σ x[n] w[n] cos(πk(n + ½)/N) on the int16 scale."""
    frames = whole_frames(first(signal) * INT16, 1024, 512) * hann(1024)
    magnitude = np.abs(scipy.fft.dct(frames, type=2, axis=1) / 2)
    return 10 * np.log10(np.maximum(magnitude**2, 1e-8 * 1024.0**2) / 1024.0**2)


def mixer_fft(signal, rate):
    return np.abs(spectrum(whole_frames(mixed(signal), 512, 512), 512))[:, :256] / 512


def musical_spectrum_bins(signal, rate):
    return np.abs(spectrum(whole_frames(mixed(signal), 4096, 1102) * hann(4096), 4096))[:, :2048]


def musical_spectrum(signal, rate):
    return musical_points(musical_spectrum_bins(signal, rate), rate, 4096)


def live_waveform(signal, rate):
    return np.minimum(np.abs(spectrum(whole_frames(first(signal), 8192, 8192), 8192))[:, :200], 100)


def librosa_spectrum(signal, rate):
    return spectrum(centred_frames(mixed(signal), 2048, 512, 2048, "zero") * hann(2048), 2048)


def librosa_power(signal, rate):
    return np.abs(librosa_spectrum(signal, rate)) ** 2


def librosa_stft(signal, rate):
    """Real parts of all bins, then imaginary parts."""
    values = librosa_spectrum(signal, rate)
    return np.concatenate([values.real, values.imag], axis=1)


def librosa_pcen(signal, rate):
    magnitude = np.abs(librosa_spectrum(signal, rate))
    return pcen(magnitude @ mel_weights(rate, 2048, 40, 0, rate / 2, "slaney", area_norm=True).T, rate, 512)


def librosa_log_mel(signal, rate):
    bands = librosa_power(signal, rate) @ mel_weights(rate, 2048, 128, 0, rate / 2, "slaney", area_norm=True).T
    return decibels(bands, 1e-10, top_db=80)


def librosa_mfcc(signal, rate):
    return ortho_cepstrum(librosa_log_mel(signal, rate), 20)


def torchaudio_power(signal, rate):
    return power_spectrum(centred_frames(mixed(signal), 400, 200, 400, "reflect") * hann(400), 400)


def torchaudio_bands(signal, rate, nyquist=None):
    high = rate / 2 if nyquist is None else nyquist
    return torchaudio_power(signal, rate) @ mel_weights(rate, 400, 128, 0, high, "htk", nyquist=nyquist).T


def torchaudio_log_mel(signal, rate, nyquist=None):
    return log_with_floor(torchaudio_bands(signal, rate, nyquist), 1e-10)


def torchaudio_mfcc(signal, rate, nyquist=None):
    return ortho_cepstrum(decibels(torchaudio_bands(signal, rate, nyquist), 1e-10, top_db=80), 40)


def torchaudio_lfcc(signal, rate):
    bands = torchaudio_power(signal, rate) @ linear_weights(rate, 400, 128, 0, rate / 2).T
    return ortho_cepstrum(decibels(bands, 1e-10, top_db=80), 40)


def kaldi_lengths(rate):
    """25 ms and 10 ms as Kaldi, HTK, torchaudio and lhotse take them: whole samples, rounded down."""
    return rate * 25 // 1000, rate // 100


def samples_to_even(ms, rate):
    """A time of whole ms in samples as Python's round has it: halves to the even number."""
    whole, rest = divmod(rate * ms, 1000)
    return whole + (rest > 500 or rest == 500 and whole % 2)


def kaldi_frames(signal, rate, mirror):
    """Frames of 25 ms every 10 ms on the int16 scale, each without its mean: what Kaldi takes the raw energy of."""
    x, (length, hop) = first(signal) * INT16, kaldi_lengths(rate)
    return without_mean(mirrored_frames(x, length, hop) if mirror else whole_frames(x, length, hop))


def kaldi_bands(frames, rate):
    length = frames.shape[1]
    fft_length = 1 << (length - 1).bit_length()
    power = power_spectrum(pre_emphasized(frames, 0.97) * povey(length), fft_length)
    weights = mel_weights(rate, fft_length, 23, 20, rate / 2, "htk", in_mel=True)
    return log_with_floor(power @ weights.T, FLT_EPSILON)


def kaldi_fbank(signal, rate, mirror=False):
    return kaldi_bands(kaldi_frames(signal, rate, mirror), rate)


def kaldi_mfcc(signal, rate, mirror=False):
    frames = kaldi_frames(signal, rate, mirror)
    cepstra = ortho_cepstrum(kaldi_bands(frames, rate), 13) * lifter(13, 22)
    cepstra[:, 0] = log_with_floor((frames**2).sum(axis=1), FLT_EPSILON)
    return cepstra


def htk_mfcc(signal, rate):
    """HCopy, MFCC_0_D_A with USEPOWER: c1 … c12, c0, then their deltas, then the deltas of those."""
    length, hop = kaldi_lengths(rate)
    fft_length = 1 << (length - 1).bit_length()
    frames = whole_frames(first(signal) * INT16, length, hop) * hamming(length, symmetric=True)
    bands = power_spectrum(frames, fft_length) @ mel_weights(rate, fft_length, 23, 0, rate / 2, "htk", in_mel=True).T
    cepstra = htk_cepstrum(log_with_floor(bands, 1.0), 13) * lifter(13, 22)
    return with_deltas(np.roll(cepstra, -1, axis=1), 2)


def whisper(signal, rate, bands=80):
    power = power_spectrum(centred_frames(mixed(signal), 400, 160, 400, "reflect")[:-1] * hann(400), 400)
    mel = power @ mel_weights(rate, 400, bands, 0, rate / 2, "slaney", area_norm=True).T
    log_mel = decibels(mel, 1e-10, top_db=80) / 10
    return (log_mel + 4) / 4


PRESETS = {
    "log-mel": log_mel, "spectrogram": spectrogram, "scrolling-dct": scrolling_dct, "mixer-fft": mixer_fft, "musical-spectrum": musical_spectrum,
    "live-waveform": live_waveform, "librosa-log-mel": librosa_log_mel, "librosa-mfcc": librosa_mfcc,
    "torchaudio-log-mel": torchaudio_log_mel, "torchaudio-mfcc": torchaudio_mfcc, "kaldi-fbank": kaldi_fbank,
    "kaldi-mfcc": kaldi_mfcc, "htk-mfcc": htk_mfcc, "whisper": whisper,
}
