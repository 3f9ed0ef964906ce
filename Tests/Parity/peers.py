"""What the peers themselves make of a signal: librosa, torchaudio, Kaldi (kaldi-native-fbank) and Whisper, in float32.

Each function takes a mono float32 signal on the unit scale and its rate, and returns [frames, bins], or None where the
peer refuses the signal. Their defaults are used wherever a preset is named after them.
"""

import importlib.metadata
import platform
import warnings

import kaldi_native_fbank
import librosa
import numpy as np
import scipy
import scipy.fft
import torch
import torchaudio
import whisper.audio

warnings.filterwarnings("ignore", message=".*n_fft=.* is too large.*")
warnings.filterwarnings("ignore", message="At least one mel filterbank has all zero values.*")
warnings.filterwarnings("ignore", message="Empty filters detected.*")
torch.set_num_threads(1)

VERSIONS = {
    "python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__,
    "librosa": librosa.__version__, "torch": torch.__version__, "torchaudio": torchaudio.__version__,
    "kaldi-native-fbank": importlib.metadata.version("kaldi-native-fbank"),
    "whisper": importlib.metadata.version("openai-whisper"),
    "soxr": importlib.metadata.version("soxr"),
}
INT16 = np.float32(32768)


def refused_as_none(function):
    """torch.stft refuses to mirror more samples than there are: then there is nothing to compare with."""

    def run(x, rate, **options):
        try:
            return np.asarray(function(x, rate, **options))
        except RuntimeError as error:
            if "Padding size should be less than" not in str(error):
                raise
            return None

    return run


def in_float64(function, x, rate, **options):
    """What torchaudio gives when all it computes with is float64: its definition, without its rounding."""
    torch.set_default_dtype(torch.float64)
    try:
        return function(x.astype(np.float64), rate, **options)
    finally:
        torch.set_default_dtype(torch.float32)


# ------------------------------------------------------------------------------------------------------------ librosa


def log_mel(x, rate):
    """No peer has log-mel as a default; librosa makes it where the frames are moved to the start of the signal.

    librosa centres the window of 400 in 512 samples: 56 zeros put its frame i over the same samples.
    """
    if len(x) < 400:
        return None
    mel = librosa.feature.melspectrogram(
        y=np.pad(x, 56), sr=rate, n_fft=512, win_length=400, hop_length=160, center=False, n_mels=80, fmin=0, fmax=8000)
    return np.log(np.maximum(mel, np.float32(1e-10))).T


def librosa_log_mel(x, rate):
    return librosa.power_to_db(librosa.feature.melspectrogram(y=x, sr=rate)).T


def librosa_mfcc(x, rate):
    return librosa.feature.mfcc(y=x, sr=rate).T


def librosa_pcen(x, rate):
    """librosa.pcen of 40 bands of the magnitude, all its other defaults, on the unit scale."""
    mel = librosa.feature.melspectrogram(y=x, sr=rate, n_mels=40, power=1)
    return librosa.pcen(mel, sr=rate).T


def librosa_stft(x, rate):
    """Real parts of all bins, then imaginary parts."""
    stft = librosa.stft(x).T
    return np.concatenate([stft.real, stft.imag], axis=1)


# --------------------------------------------------------------------------------------------------------- torchaudio


@refused_as_none
def torchaudio_log_mel(x, rate):
    mel = torchaudio.transforms.MelSpectrogram(rate)(torch.from_numpy(x))
    return torch.log(torch.clamp(mel, min=1e-10)).T


@refused_as_none
def torchaudio_mfcc(x, rate):
    return torchaudio.transforms.MFCC(rate)(torch.from_numpy(x)).T


@refused_as_none
def torchaudio_lfcc(x, rate):
    return torchaudio.transforms.LFCC(rate)(torch.from_numpy(x)).T


# -------------------------------------------------------------------------------------------------------------- Kaldi


def kaldi_rows(computer, x, rate):
    computer.accept_waveform(rate, (x * INT16).tolist())
    computer.input_finished()
    rows = [computer.get_frame(index) for index in range(computer.num_frames_ready)]
    return np.stack(rows) if rows else np.zeros((0, computer.dim), dtype=np.float32)


def kaldi_options(options, rate, mirror):
    options.frame_opts.samp_freq = rate
    options.frame_opts.dither = 0
    options.frame_opts.snip_edges = not mirror
    return options


def kaldi_fbank(x, rate, mirror=False):
    options = kaldi_options(kaldi_native_fbank.FbankOptions(), rate, mirror)
    return kaldi_rows(kaldi_native_fbank.OnlineFbank(options), x, rate)


def kaldi_mfcc(x, rate, mirror=False):
    options = kaldi_options(kaldi_native_fbank.MfccOptions(), rate, mirror)
    return kaldi_rows(kaldi_native_fbank.OnlineMfcc(options), x, rate)


def htk_mfcc(x, rate):
    """HTK's values by Kaldi's filter bank: Hamming, no pre-emphasis, the mean left in, bands floored at 1 (ln 1 = 0).

    The cepstra are SciPy's DCT, the differences librosa's; no program of HTK can be had as a package.
    """
    options = kaldi_options(kaldi_native_fbank.FbankOptions(), rate, False)
    options.frame_opts.window_type, options.frame_opts.preemph_coeff = "hamming", 0
    options.frame_opts.remove_dc_offset = False
    options.mel_opts.low_freq, options.mel_opts.high_freq = 0, rate / 2
    bands = np.maximum(kaldi_rows(kaldi_native_fbank.OnlineFbank(options), x, rate), 0)
    if not len(bands):
        return np.zeros((0, 39), dtype=np.float32)
    cepstra = scipy.fft.dct(bands, norm="ortho", axis=1)[:, :13]
    cepstra[:, 0] *= np.sqrt(2)
    cepstra[:, 1:] *= 1 + 11 * np.sin(np.pi * np.arange(1, 13) / 22)
    cepstra = np.concatenate([cepstra[:, 1:], cepstra[:, :1]], axis=1)
    speed = librosa.feature.delta(cepstra, width=5, axis=0, mode="nearest")
    return np.concatenate([cepstra, speed, librosa.feature.delta(speed, width=5, axis=0, mode="nearest")], axis=1)


# ------------------------------------------------------------------------------------------------------------ Whisper


@refused_as_none
def whisper_log_mel(x, rate, bands=80):
    """log_mel_spectrogram without its padding to 30 s."""
    return whisper.audio.log_mel_spectrogram(torch.from_numpy(x), n_mels=bands).T
