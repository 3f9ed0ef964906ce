"""What the presets of models that hear and make speech are, by their formulas, in float64; see reference_models.py, whose `MODELS` has
them."""

import numpy as np

from reference import (
    FLT_EPSILON, INT16, centred_frames, decibels, hamming, hann, log_with_floor, mel_weights, power_spectrum, povey, pre_emphasized,
    spectrum, whole_frames, without_mean)


def without_clip_mean(rows):
    return rows - rows.mean(axis=0) if len(rows) else rows


def at_most(x, level):
    """Samples beyond the ends of the range are brought to them."""
    return np.clip(np.asarray(x, np.float64), -level, level)


# ------------------------------------------------------------------------------------------------------ Kaldi's 80 bands


def kaldi_80(x, window, scale):
    frames = whole_frames(np.asarray(x, np.float64) * scale, 400, 160)
    power = power_spectrum(pre_emphasized(without_mean(frames), 0.97) * window, 512)
    return log_with_floor(power @ mel_weights(16000, 512, 80, 20, 8000, "htk", in_mel=True).T, FLT_EPSILON)


def low_frame_rate(rows, length=7, hop=6):
    """Each row with the three before and after it, every sixth; the first and the last row are repeated."""
    if not len(rows):
        return np.zeros((0, length * 80))
    index = hop * np.arange(-(-len(rows) // hop))[:, None] + np.arange(length) - (length - 1) // 2
    return rows[np.clip(index, 0, len(rows) - 1)].reshape(len(index), -1)


def paraformer(x, scale=INT16, mean=0.0, std=1.0):
    return (low_frame_rate(kaldi_80(x, hamming(400, symmetric=True), scale)) - mean) / std


def wespeaker(x):
    return without_clip_mean(kaldi_80(x, hamming(400, symmetric=True), INT16))


def three_d_speaker(x):
    return without_clip_mean(kaldi_80(x, povey(400), 1.0))


# -------------------------------------------------------------------------------------------------------------- speakers


def ecapa(x):
    """speechbrain-fbank with 80 bands, less the clip's mean."""
    hertz = 700 * (10 ** (np.linspace(0, 2595 * np.log10(1 + 8000 / 700), 82) / 2595) - 1)
    weights = np.maximum(0, 1 - np.abs(np.linspace(0, 8000, 201) - hertz[1:-1, None]) / np.diff(hertz)[:-1, None])
    frames = centred_frames(np.asarray(x, np.float64), 400, 160, 400, "zero") * hamming(400)
    return without_clip_mean(decibels(power_spectrum(frames, 400) @ weights.T, 1e-10, top_db=80))


def redimnet(x):
    """The first sample has the second before it."""
    x = np.asarray(x, np.float64)
    x = x - 0.97 * np.concatenate([x[1:2] if len(x) > 1 else x[:1], x[:-1]])
    frames = centred_frames(x, 400, 160, 512, "reflect") * hamming(400)
    return without_clip_mean(np.log(power_spectrum(frames, 512) @ mel_weights(16000, 512, 80, 20, 7600, "htk").T + 1e-6))


def resemblyzer(x):
    """Power of 40 bands, as it is."""
    frames = centred_frames(np.asarray(x, np.float64), 400, 160, 400, "zero") * hann(400)
    return power_spectrum(frames, 400) @ mel_weights(16000, 400, 40, 0, 8000, "slaney", area_norm=True).T


# ----------------------------------------------------------------------------------------------------------------- words


def openwakeword(x):
    """A window of 400 samples in the middle of 512."""
    frames = whole_frames(np.asarray(x, np.float64) * INT16, 512, 160)[:, 56:456] * hann(400)
    bands = power_spectrum(frames, 512) @ mel_weights(16000, 512, 32, 60, 3800, "slaney", area_norm=True).T
    return decibels(bands, 1e-10, top_db=80) / 10 + 2


def speecht5(x):
    found = np.abs(spectrum(centred_frames(np.asarray(x, np.float64), 1024, 256, 1024, "reflect") * hann(1024), 1024))
    return np.log10(np.maximum(found @ mel_weights(16000, 1024, 80, 80, 7600, "slaney", area_norm=True).T, 1e-10))


def phi4(x):
    frames = pre_emphasized(whole_frames(np.asarray(x, np.float64) * INT16, 400, 160), 0.97) * hamming(400, symmetric=True)
    return log_with_floor(power_spectrum(frames, 512) @ mel_weights(16000, 512, 80, 0, 7690, "htk", in_mel=True).T, 1.0)


def granite_speech(x):
    """Two rows as one; an odd last one is left out, after the greatest value is taken."""
    frames = centred_frames(np.asarray(x, np.float64), 400, 160, 512, "reflect") * hann(400)
    v = np.log10(np.maximum(power_spectrum(frames, 512) @ mel_weights(16000, 512, 80, 0, 8000, "htk").T, 1e-10))
    v = np.maximum(v, v.max() - 8) / 4 + 1
    return v[:len(v) // 2 * 2].reshape(-1, 160)


def clvp(x, seconds=6):
    """The first 6 s, zeros after what is shorter; bands of HTK with Slaney's areas."""
    count = round(22050 * seconds)
    x = np.asarray(x, np.float64)[:count]
    frames = centred_frames(np.pad(x, (0, count - len(x))), 1024, 256, 1024, "reflect") * hann(1024)
    return log_with_floor(power_spectrum(frames, 1024) @ mel_weights(22050, 1024, 80, 0, 8000, "htk", area_norm=True).T, 1e-5)


# -------------------------------------------------------------------------------------------------------------- vocoders


def half_frames(x, length, hop):
    """Frames about (t + ½) hop, of the signal mirrored by ⌊(length − hop)/2⌋ samples at both ends."""
    pad, x = (length - hop) // 2, np.asarray(x, np.float64)
    period = max(2 * (len(x) - 1), 1)
    index = np.arange(-pad, len(x) + pad) % period
    return whole_frames(x[np.minimum(index, period - index)] if len(x) > 1 else np.full(len(index), x[0]), length, hop)


def hifi_gan(x, rate, length, hop, bands, high):
    found = np.sqrt(power_spectrum(half_frames(x, length, hop) * hann(length), length) + 1e-9)
    return log_with_floor(found @ mel_weights(rate, length, bands, 0, high, "slaney", area_norm=True).T, 1e-5)


def hifi_gan_22k(x):
    return hifi_gan(x, 22050, 1024, 256, 80, 8000)


def bigvgan_24k(x):
    return hifi_gan(x, 24000, 1024, 256, 100, 12000)


def bigvgan_44k(x):
    return hifi_gan(x, 44100, 2048, 512, 128, 22050)


def cosyvoice(x):
    return hifi_gan(x, 24000, 1920, 480, 80, 8000)


def vocos(x, floor=1e-7):
    found = np.abs(spectrum(centred_frames(np.asarray(x, np.float64), 1024, 256, 1024, "reflect") * hann(1024), 1024))
    return log_with_floor(found @ mel_weights(24000, 1024, 100, 0, 12000, "htk").T, floor)


def vocos_same(x):
    """Its other padding"""
    found = np.abs(spectrum(half_frames(x, 1024, 256) * hann(1024), 1024))
    return log_with_floor(found @ mel_weights(24000, 1024, 100, 0, 12000, "htk").T, 1e-7)


def f5_tts(x):
    return vocos(x, 1e-5)


def styletts2(x):
    """The bands are those of 16 kHz, which the bins of 24 kHz are taken for."""
    frames = centred_frames(np.asarray(x, np.float64), 1200, 300, 2048, "reflect") * hann(1200)
    return (np.log(power_spectrum(frames, 2048) @ mel_weights(16000, 2048, 80, 0, 8000, "htk").T + 1e-5) + 4) / 4


VOICES = {
    "paraformer": paraformer, "wespeaker": wespeaker, "3d-speaker": three_d_speaker, "ecapa": ecapa, "redimnet": redimnet,
    "resemblyzer": resemblyzer, "openwakeword": openwakeword, "speecht5": speecht5, "phi4": phi4, "granite-speech": granite_speech,
    "clvp": clvp, "hifi-gan-22k": hifi_gan_22k, "bigvgan-24k": bigvgan_24k, "bigvgan-44k": bigvgan_44k, "cosyvoice": cosyvoice,
    "vocos": vocos, "f5-tts": f5_tts, "styletts2": styletts2,
}

VOICE_RATES = {
    "clvp": 22050, "hifi-gan-22k": 22050, "bigvgan-24k": 24000, "bigvgan-44k": 44100, "cosyvoice": 24000, "vocos": 24000, "f5-tts": 24000,
    "styletts2": 24000,
}
