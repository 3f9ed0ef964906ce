"""What the presets of models and toolkits are, by their formulas, in float64; like reference.py, whose steps it uses.

A function takes a mono signal on the unit scale at the preset's own rate, in any precision, and returns [rows, bins], or [patches,
rows, bins]. Those of presets that are compared at other rates, too, take the rate (rates.py).
`MODELS` lists them by the name of the preset. Sources: `veery presets NAME` names file and lines.
"""

import numpy as np

from reference import (
    FLT_EPSILON, INT16, centred_frames, decibels, hamming, hann, kaldi_lengths, log_with_floor, mel_weights, mirrored_frames,
    power_spectrum, povey, pre_emphasized, samples_to_even, spectrum, whole_frames, without_mean)
from reference_sound import SOUND, SOUND_RATES
from reference_voices import VOICE_RATES, VOICES

# ------------------------------------------------------------------------------------------------------------- Kaldi


def kaldi_log_bands(frames, window, bands, low, high, rate, nyquist=None):
    """Frames as Kaldi prepares them, transformed with the next power of two, and the logarithm of its bands."""
    fft_length = 1 << (frames.shape[1] - 1).bit_length()
    power = power_spectrum(pre_emphasized(without_mean(frames), 0.97) * window, fft_length)
    weights = mel_weights(rate, fft_length, bands, low, high, "htk", in_mel=True, nyquist=nyquist)
    return log_with_floor(power @ weights.T, FLT_EPSILON)


def of_dataset(values, mean, std):
    return (values - mean) / (2 * std)


def ast(x, mean=-4.2677393, std=4.5689974, count=1024, rate=16000):
    """`count` rows, the missing ones 0 before normalisation; None: those of the clip."""
    length, hop = kaldi_lengths(rate)
    frames = whole_frames(np.asarray(x, np.float64), length, hop)
    bands = kaldi_log_bands(frames, hann(length, symmetric=True), 128, 20, rate / 2, rate)[:count]
    if count and len(bands):
        bands = np.pad(bands, ((0, count - len(bands)), (0, 0)))
    return of_dataset(bands, mean, std)


def ast_speech_commands(x, rate=16000):
    return ast(x, -6.845978, 5.5654526, 128, rate)


def audiomae(x, count=1024, rate=16000):
    x = np.asarray(x, np.float64)
    return ast(x - x.mean(), count=count, rate=rate)


def beats(x, rate=16000):
    length, hop = kaldi_lengths(rate)
    frames = whole_frames(np.asarray(x, np.float64) * INT16, length, hop)
    return of_dataset(kaldi_log_bands(frames, povey(length), 128, 20, rate / 2, rate), 15.41663, 6.55582)


def seamless_bands(x, rate=16000, nyquist=None):
    """Frames of 400 samples every 160, at any rate."""
    frames = whole_frames(np.asarray(x, np.float64) * INT16, 400, 160)
    return kaldi_log_bands(frames, povey(400), 80, 20, nyquist or rate / 2, rate, nyquist)


def seamless(x, padding=0.0, rate=16000, nyquist=None):
    v = seamless_bands(x, rate, nyquist)
    if not len(v):
        return v.reshape(0, 160)
    away = v - v.mean(axis=0)
    normed = away / np.sqrt((away**2).sum(axis=0) / max(len(v) - 1, 1) + 1e-7)
    return np.pad(normed, ((0, len(v) % 2), (0, 0)), constant_values=padding).reshape(-1, 160)


def icefall(x, rate=16000, lead=None):
    """The upper edge is 400 Hz below half the rate."""
    length, hop = kaldi_lengths(rate)
    frames = mirrored_frames(np.asarray(x, np.float64), length, hop, lead)
    return kaldi_log_bands(frames, povey(length), 80, 20, rate / 2 - 400, rate)


def lhotse_fbank(x, rate=16000):
    length, hop = kaldi_lengths(rate)
    return icefall(x, rate, (length - hop) // 2)


# ------------------------------------------------------------------------------------------------------ Slaney's bands


def parakeet_bands(x, bands=80):
    """The logarithms, less ln 2^-24, which normalisation takes away."""
    x = np.asarray(x, np.float64)
    emphasized = np.concatenate([x[:1], x[1:] - 0.97 * x[:-1]])
    frames = centred_frames(emphasized, 400, 160, 512, "zero")[:len(x) // 160] * hann(400, symmetric=True)
    weights = mel_weights(16000, 512, bands, 0, 8000, "slaney", area_norm=True)
    return np.log1p(power_spectrum(frames, 512) @ weights.T / 2.0**-24)


def parakeet(x, bands=80):
    v = parakeet_bands(x, bands)
    if not len(v):
        return v
    away = v - v.mean(axis=0)
    std = np.sqrt((away**2).sum(axis=0) / max(len(v) - 1, 1))
    return away / (std + 1e-5)


def whisper_log_bands(x):
    frames = centred_frames(np.asarray(x, np.float64), 400, 160, 400, "reflect")[:-1] * hann(400)
    mel = power_spectrum(frames, 400) @ mel_weights(16000, 400, 128, 0, 8000, "slaney", area_norm=True).T
    return np.log10(np.maximum(mel, 1e-10))


def voxtral(x):
    return (np.maximum(whisper_log_bands(x), 1.5 - 8) + 4) / 4


def qwen3_asr(x):
    """Zeros to 8,000 samples; rows of zeros to a multiple of 100."""
    v = whisper_log_bands(np.pad(x, (0, max(0, 8000 - len(x)))))
    return np.pad((np.maximum(v, v.max() - 8) + 4) / 4, ((0, -len(v) % 100), (0, 0)))


def espnet(x, rate=16000):
    """Frames of 512 samples every 128, at any rate."""
    frames = centred_frames(np.asarray(x, np.float64), 512, 128, 512, "reflect") * hann(512)
    return log_with_floor(
        power_spectrum(frames, 512) @ mel_weights(rate, 512, 80, 0, rate / 2, "slaney", area_norm=True).T, 1e-10)


def quantized(x):
    """The steps of 16 bits, which are those of the float32 sample."""
    return (np.trunc(np.clip(np.asarray(x, np.float32), -1, 1) * np.float32(32767)) / 32767).astype(np.float64)


def clap(x, is_quantized=True, seconds=10, is_fused=False):
    x = (quantized(x) if is_quantized else np.asarray(x, np.float64))[:48000 * seconds]
    x = np.tile(x, 48000 * seconds // len(x))
    x = np.pad(x, (0, 48000 * seconds - len(x)))
    weights = mel_weights(48000, 1024, 64, 50, 14000, "htk" if is_fused else "slaney", area_norm=not is_fused)
    return decibels(power_spectrum(centred_frames(x, 1024, 480, 1024, "reflect") * hann(1024), 1024) @ weights.T, 1e-10)


def panns_cnn14(x, is_quantized=True):
    x = quantized(x) if is_quantized else np.asarray(x, np.float64)
    frames = centred_frames(x, 1024, 320, 1024, "reflect") * hann(1024)
    return decibels(power_spectrum(frames, 1024) @ mel_weights(32000, 1024, 64, 50, 14000, "slaney", area_norm=True).T, 1e-10)


# ---------------------------------------------------------------------------------------------------------- other bands


def lasr(x):
    frames = whole_frames(np.asarray(x, np.float64), 400, 160) * hann(400, symmetric=True)
    return log_with_floor(power_spectrum(frames, 512) @ mel_weights(16000, 512, 128, 125, 7500, "htk", in_mel=True).T, 1e-5)


def magnitude_log_bands(x, guard):
    frames = whole_frames(np.asarray(x, np.float64), 400, 160) * hann(400)
    return np.log(np.abs(spectrum(frames, 512)) @ mel_weights(16000, 512, 64, 125, 7500, "htk", in_mel=True).T + guard)


def patches(rows, hop):
    if len(rows) < 96:
        return np.zeros((0, 96, rows.shape[1]))
    return np.lib.stride_tricks.sliding_window_view(rows, 96, axis=0)[::hop].swapaxes(1, 2)


def vggish(x):
    return patches(magnitude_log_bands(x, 0.01), 96)


def padded_for_yamnet(x):
    """Zeros to 15,600 samples, then to whole hops of 7,680."""
    return np.pad(x, (0, 15600 - len(x) if len(x) <= 15600 else -(len(x) - 15600) % 7680))


def yamnet(x):
    return patches(magnitude_log_bands(padded_for_yamnet(x), 0.001), 48)


def gemma3n(x):
    """30 s at most, zeros to a multiple of 128 samples, and a sample after each frame."""
    x = np.asarray(x, np.float64)[:480000]
    x = np.pad(x, (0, -len(x) % 128))
    frames = pre_emphasized(whole_frames(x, 513, 160)[:, :512], 0.97) * hann(512)
    return log_with_floor(np.abs(spectrum(frames, 1024)) @ mel_weights(16000, 1024, 128, 125, 7600, "htk").T, 1e-5)


def birdnet(x, length, hop, low, high):
    x = np.asarray(x, np.float64)
    x = 2 * ((x - x.min()) / (x.max() - x.min() + 1e-6) - 0.5)
    real = spectrum(whole_frames(x, length, hop) * hann(length), length).real
    bands = real @ mel_weights(48000, length, 96, low, high, "htk", in_mel=True).T
    return ((bands**2) ** (1 / (1 + np.exp(1.23))))[:, ::-1]


def birdnet_low(x):
    return birdnet(x, 2048, 278, 0, 3000)


def birdnet_high(x):
    return birdnet(x, 1024, 280, 500, 15000)


def speechbrain_fbank(x, rate=16000, fft_length=400, nyquist=None):
    length, hop = samples_to_even(25, rate), samples_to_even(10, rate)
    high = nyquist or rate / 2
    mel = np.linspace(0, 2595 * np.log10(1 + high / 700), 42)
    hertz = 700 * (10 ** (mel / 2595) - 1)
    gap = np.diff(hertz)[:-1, None]
    bins = np.linspace(0, high, fft_length // 2 + 1)
    weights = np.maximum(0, 1 - np.abs(bins - hertz[1:-1, None]) / gap)
    frames = centred_frames(np.asarray(x, np.float64), length, hop, fft_length, "zero") * hamming(length)
    return decibels(power_spectrum(frames, fft_length) @ weights.T, 1e-10, top_db=80)


def perch_1(x):
    x = np.asarray(x, np.float64)
    x = x - x.mean()
    peak = np.abs(x).max()
    x = x / peak * 0.25 if peak > 0 else x
    window = hann(640)
    frames = centred_frames(x, 640, 320, 1024, "zero")[:len(x) // 320] * window / window.sum()
    s = power_spectrum(frames, 1024) @ mel_weights(32000, 1024, 160, 60, 10000, "htk", in_mel=True).T
    smooth = np.empty_like(s)
    for index, row in enumerate(s):
        smooth[index] = row if index == 0 else 0.1 * row + 0.9 * smooth[index - 1]
    return np.sqrt(s / np.sqrt(1e-6 + smooth) + 2) - np.sqrt(2)


# ------------------------------------------------------------------------------------------------------------- samples


def samples(x):
    return np.asarray(x, np.float64)[:, None]


def wav2vec2(x):
    x = np.asarray(x, np.float64)
    return samples((x - x.mean()) / np.sqrt(x.var() + 1e-7))


MODELS = {
    "voxtral": voxtral, "qwen3-asr": qwen3_asr, "parakeet": parakeet, "lasr": lasr, "seamless": seamless, "gemma3n": gemma3n,
    "wav2vec2": wav2vec2, "moonshine": samples, "encodec": samples, "ast": ast, "ast-speech-commands": ast_speech_commands,
    "audiomae": audiomae, "beats": beats, "vggish": vggish, "yamnet": yamnet, "panns-cnn14": panns_cnn14, "clap": clap,
    "birdnet-low": birdnet_low, "birdnet-high": birdnet_high, "perch-1": perch_1, "espnet": espnet,
    "icefall": icefall, "lhotse-fbank": lhotse_fbank, "speechbrain-fbank": speechbrain_fbank, **SOUND, **VOICES,
}

# The rates of presets for recordings at another rate than 16 kHz.
RATES = {"panns-cnn14": 32000, "perch-1": 32000, "encodec": 24000, "clap": 48000, "birdnet-low": 48000, "birdnet-high": 48000,
         **SOUND_RATES, **VOICE_RATES}
