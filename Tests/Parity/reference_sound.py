"""What the presets of models for birds, bats, music and other sound are, by their formulas, in float64; see reference_models.py, whose
`MODELS` has them."""

import numpy as np

from reference import (
    FLT_EPSILON, centred_frames, decibels, hann, log_with_floor, mel_weights, pcen, power_spectrum, pre_emphasized, spectrum,
    whole_frames, without_mean)


def centred(x, length, hop, fft_length=None, pad="reflect", symmetric=False):
    """Frames about samples 0, hop, 2 hop … in a Hann window."""
    return centred_frames(np.asarray(x, np.float64), length, hop, fft_length or length, pad) * hann(length, symmetric)


def of_range(values, epsilon=0.0):
    """From the least and the greatest value of the clip to 0 and 1."""
    low, high = values.min(), values.max()
    return (values - low) / (high - low + epsilon) if high > low else np.zeros_like(values)


# ------------------------------------------------------------------------------------------------------ Kaldi's bands


def kaldi_rows(x, rate, count, mean, std, fill):
    """Kaldi's rows in a Hann window, `count` of them, the others `fill` (None: the least value); mean and twice the deviation."""
    frames = whole_frames(np.asarray(x, np.float64), rate // 40, rate // 100)
    if not len(frames):
        return np.zeros((0, 128))
    fft_length = 1 << (rate // 40 - 1).bit_length()
    power = power_spectrum(pre_emphasized(without_mean(frames), 0.97) * hann(rate // 40, symmetric=True), fft_length)
    rows = log_with_floor(power @ mel_weights(rate, fft_length, 128, 20, rate / 2, "htk", in_mel=True).T, FLT_EPSILON)[:count]
    rows = np.pad(rows, ((0, count - len(rows)), (0, 0)), constant_values=rows.min() if fill is None else fill)
    return (rows - mean) / (2 * std)


def eat(x, count=1024, mean=-4.268, std=4.569):
    return kaldi_rows(x, 16000, count, mean, std, 0.0)


def bird_mae(x, count=512, seconds=5):
    """The first 5 s, zeros after what is shorter; then rows of the least value."""
    x = np.asarray(x, np.float64)[:round(32000 * seconds)]
    return kaldi_rows(np.pad(x, (0, round(32000 * seconds) - len(x))), 32000, count, -7.2, 4.43, None)


def passt(x, high=15000):
    """The first sample has none before it, and is left out."""
    x = np.asarray(x, np.float64)
    if len(x) < 2:
        return np.zeros((0, 128))
    power = power_spectrum(centred(x[1:] - 0.97 * x[:-1], 800, 320, 1024, symmetric=True), 1024)
    return (np.log(power @ mel_weights(32000, 1024, 128, 0, high, "htk", in_mel=True).T + 1e-5) + 4.5) / 5


# ------------------------------------------------------------------------------------------------------- birds and bats


def perch_2(x):
    x = np.asarray(x, np.float64)
    x = x - x.mean()
    peak = np.abs(x).max()
    x = x / peak * 0.25 if peak > 0 else x
    frames = centred(x, 640, 320, 1024, "zero")[:len(x) // 320] / hann(640).sum()
    bands = np.abs(spectrum(frames, 1024)) @ mel_weights(32000, 1024, 128, 60, 16000, "htk", in_mel=True).T
    return 0.1 * log_with_floor(bands, 0.01)


def birdset(x, length, hop, bands):
    power = power_spectrum(centred(x, length, hop), length)
    return (decibels(power @ mel_weights(32000, length, bands, 0, 16000, "htk").T, 1e-10, top_db=80) + 4.268) / 4.569


def birdset_convnext(x):
    return birdset(x, 1024, 320, 128)


def birdset_efficientnet(x):
    return birdset(x, 2048, 256, 256)


def avex_effnet(x):
    power = power_spectrum(centred(x, 800, 160), 800)
    return of_range(np.log(power @ mel_weights(16000, 800, 128, 0, 8000, "htk").T + 1e-6), 1e-8)


def resized(values, count, axis, precision=np.float64):
    """Linear interpolation to `count` values of an axis, whose values are areas: torch's with align_corners=False. `precision`: of
    the positions."""
    step = precision(values.shape[axis] / count)
    position = np.clip((np.arange(count, dtype=precision) + precision(0.5)) * step - precision(0.5), 0, values.shape[axis] - 1)
    first = np.floor(position).astype(int)
    share = (position - first).reshape(-1, *[1] * (values.ndim - 1 - axis))
    next_one = np.minimum(first + 1, values.shape[axis] - 1)
    return values.take(first, axis) * (1 - share) + values.take(next_one, axis) * share


def batdetect2_rows(x):
    """Bins 240 to 21 of 512 samples, PCEN, less the mean of each bin, at least 0"""
    found = np.abs(spectrum(whole_frames(x, 512, 128) * hann(512), 512))[:, 21:241][:, ::-1]
    # librosa's time constant, for a tenth of the rate and its default hop.
    values = pcen(found * 2.0**31, 25600, 512)
    return np.maximum(values - values.mean(axis=0), 0)


def batdetect2(x, precision=np.float64):
    """Zeros until half the frames are 64 or more, and a multiple of 32; half the rows, and 128 columns. `precision`: of the positions
    between the rows."""
    x = np.asarray(x, np.float64)
    if not len(x):
        return np.zeros((0, 128))
    half = (len(x) - 384) // 128 // 2
    wanted = max(-(-half // 32) * 32, 64)
    if wanted != half:
        x = np.pad(x, (0, 384 + 256 * wanted - len(x)))
    rows = batdetect2_rows(x)
    return resized(resized(rows, len(rows) // 2, 0, precision), 128, 1)


# ------------------------------------------------------------------------------------------------------------- any sound


def ms_clap(x, rate, seconds):
    """The first seconds, or the clip over and over; the bands are those of `rate`, whatever the samples'."""
    x = np.resize(np.asarray(x, np.float64), round(44100 * seconds)) if len(x) < 44100 * seconds else x[:round(44100 * seconds)]
    power = power_spectrum(centred(x, 1024, 320), 1024)
    return decibels(power @ mel_weights(rate, 1024, 64, 50, 14000, "slaney", area_norm=True).T, 1e-10)


def ms_clap_2022(x, seconds=5):
    return ms_clap(x, 44100, seconds)


def ms_clap_2023(x, seconds=7):
    return ms_clap(x, 32000, seconds)


def m2d(x):
    power = power_spectrum(centred(x, 400, 160), 400)
    return (np.log(power @ mel_weights(16000, 400, 80, 50, 8000, "slaney", area_norm=True).T + FLT_EPSILON) + 7.1) / 4.2


def dasheng(x):
    return decibels(power_spectrum(centred(x, 512, 160), 512) @ mel_weights(16000, 512, 64, 0, 8000, "htk").T, 1e-10, top_db=120)


def wide_log_mel(x, rate=44100):
    """25 ms around every 10 ms, in whole samples."""
    length, hop = int(0.025 * rate + 0.5), int(0.01 * rate + 0.5)
    fft_length = 1 << (length - 1).bit_length()
    weights = mel_weights(rate, fft_length, 128, 0, rate / 2, "slaney", area_norm=True)
    return decibels(power_spectrum(centred(x, length, hop, fft_length), fft_length) @ weights.T, 1e-10)


# ----------------------------------------------------------------------------------------------------------------- music


def musicfm(x):
    """Without the last frame; the mean and deviation of the Million Song Dataset."""
    bands = power_spectrum(centred(x, 2048, 240)[:-1], 2048) @ mel_weights(24000, 2048, 128, 0, 12000, "htk").T
    return (decibels(bands, 1e-10) - 6.768444971712967) / 18.417922652295623


def mt3(x):
    """As many frames as begin in the signal, with zeros after it."""
    x = np.asarray(x, np.float64)
    count = -(-len(x) // 128)
    frames = whole_frames(np.pad(x, (0, 128 * (count - 1) + 2048 - len(x))), 2048, 128) * hann(2048)
    bands = np.abs(spectrum(frames, 2048)) @ mel_weights(16000, 2048, 512, 20, 7600, "htk", in_mel=True).T
    return np.log(np.where(bands > 0, bands, 1e-5))


def musicnn(x):
    power = power_spectrum(centred(x, 512, 256, pad="zero"), 512)
    return np.log10(1 + 10000 * (power @ mel_weights(16000, 512, 96, 0, 8000, "slaney", area_norm=True).T))


def openl3(x):
    """Decibels of a sum of magnitudes, less the clip's greatest."""
    found = np.abs(spectrum(centred(x, 2048, 242, pad="zero"), 2048))
    values = decibels(found @ mel_weights(48000, 2048, 256, 0, 24000, "slaney", area_norm=True).T, 1e-10, top_db=80)
    return values - values.max()


SOUND = {
    "eat": eat, "bird-mae": bird_mae, "passt": passt, "perch-2": perch_2, "birdset-convnext": birdset_convnext,
    "birdset-efficientnet": birdset_efficientnet, "avex-effnet": avex_effnet, "batdetect2": batdetect2, "ms-clap-2022": ms_clap_2022,
    "ms-clap-2023": ms_clap_2023, "m2d": m2d, "dasheng": dasheng, "wide-log-mel": wide_log_mel, "musicfm": musicfm, "mt3": mt3,
    "musicnn": musicnn, "openl3": openl3,
}

SOUND_RATES = {
    "bird-mae": 32000, "passt": 32000, "perch-2": 32000, "birdset-convnext": 32000, "birdset-efficientnet": 32000, "batdetect2": 256000,
    "ms-clap-2022": 44100, "ms-clap-2023": 44100, "wide-log-mel": 44100, "musicfm": 24000, "openl3": 48000,
}
