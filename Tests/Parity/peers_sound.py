"""What the originals themselves make of a signal: models for birds, bats, music and other sound; see peers_models.py, whose `ORIGINALS`
has them. Packages where there are some; else the lines that a model's code has, by the packages that it calls."""

import functools
import types

import librosa
import nnAudio.features
import numpy as np
import scipy.signal
import torch
import torchaudio
import torchlibrosa

from loading import extractor, file_of


def mel_of_torchaudio(x, **options):
    """torchaudio's MelSpectrogram, with all its other defaults: [rows, bands]"""
    with torch.no_grad():
        return spectrogram_of(tuple(sorted(options.items())))(torch.from_numpy(x)[None])[0].T


@functools.cache
def spectrogram_of(options):
    return torchaudio.transforms.MelSpectrogram(**dict(options))


@functools.cache
def decibels_of(top_db):
    return torchaudio.transforms.AmplitudeToDB(top_db=top_db)


# ------------------------------------------------------------------------------------------------------ Kaldi's bands


def kaldi_hanning(waveform, rate):
    return torchaudio.compliance.kaldi.fbank(
        waveform, htk_compat=True, sample_frequency=rate, use_energy=False, window_type="hanning", num_mel_bins=128, dither=0.0, frame_shift=10)


def eat(x, count=1024, mean=-4.268, std=4.569):
    """preprocess_audio of inference.py"""
    wav = torch.from_numpy(x)
    mel = kaldi_hanning((wav - wav.mean())[None], 16000)[None]
    missing = count - mel.shape[1]
    mel = torch.nn.ZeroPad2d((0, 0, 0, missing))(mel) if missing > 0 else mel[:, :count]
    return ((mel - mean) / (std * 2))[0].numpy()


EAT_OF_AVEX = file_of("avex", "avex/models/eat/audio_processor.py").EATAudioProcessor


def eat_of_avex(x, count=1024):
    return EAT_OF_AVEX(target_length=count, norm_mean=-5.553, norm_std=4.606)(torch.from_numpy(x))[0].numpy()


@functools.cache
def sequences(rate):
    """The extractor that fills a batch, as SequenceFeatureExtractor does."""
    return extractor("Wav2Vec2FeatureExtractor", sampling_rate=rate, do_normalize=False)


def bird_mae(x, count=512, seconds=5):
    """_process_waveforms, _compute_fbank_features and _pad_and_normalize of transforms.py, for a batch of one clip"""
    values = sequences(32000)([x], padding="max_length", max_length=round(32000 * seconds), truncation=True, return_tensors="pt")["input_values"]
    values = values - values.mean(axis=1, keepdims=True)
    rows = torch.stack([kaldi_hanning(waveform[None], 32000) for waveform in values])
    missing = count - rows[0].shape[0]
    rows = torch.nn.functional.pad(rows, (0, 0, 0, missing), value=rows.min().item())
    return ((rows - -7.2) / (4.43 * 2))[0].numpy()


PASST = file_of("hear21passt", "hear21passt/models/preprocess.py")


@functools.cache
def passt_layer(high):
    return PASST.AugmentMelSTFT(n_mels=128, sr=32000, win_length=800, hopsize=320, n_fft=1024, freqm=0, timem=0, fmin=0.0, fmax=high).eval()


def passt(x, high=15000):
    """AugmentMelSTFT, in evaluation; the function that it takes the spectrum from asks for complex numbers today."""
    def stft(signal, *sizes, return_complex=False, **options):
        return torch.view_as_real(OWN_STFT(signal, *sizes, return_complex=True, **options))

    torch.stft = stft
    try:
        with torch.no_grad():
            return passt_layer(high)(torch.from_numpy(x)[None])[0].T.numpy()
    finally:
        torch.stft = OWN_STFT


OWN_STFT = torch.stft

# ------------------------------------------------------------------------------------------------------- birds and bats


def perch_2(x):
    """MelSpectrogram of chirp with SciPy in place of JAX's copy of it, power 1, and LogScalingConfig."""
    x = x - np.mean(x)
    peak = np.max(np.abs(x))
    x = np.divide(x, peak, where=peak > 0, out=np.zeros_like(x)) * np.float32(0.25)
    _, _, found = scipy.signal.stft(x, nperseg=640, noverlap=320, nfft=1024, padded=False)
    magnitude = np.abs(found[:, :len(x) // 320].T)
    edges = np.linspace(1127 * np.log1p(60 / 700), 1127 * np.log1p(16000 / 700), 130)
    bins = 1127 * np.log1p(np.linspace(0, 16000, 513)[1:] / 700)[:, None]
    lower = (bins - edges[:-2]) / (edges[1:-1] - edges[:-2])
    upper = (edges[2:] - bins) / (edges[2:] - edges[1:-1])
    bands = magnitude @ np.pad(np.maximum(0, np.minimum(lower, upper)), ((1, 0), (0, 0)))
    return 0.1 * np.log(np.maximum(bands, 1e-2))


@functools.cache
def birdset_layers(length, hop, bands):
    return (torchaudio.transforms.Spectrogram(n_fft=length, hop_length=hop, power=2.0),
            torchaudio.transforms.MelScale(n_mels=bands, n_stft=length // 2 + 1, sample_rate=32_000))


def birdset(x, length, hop, bands):
    """preprocess of convnext_bs.py and efficientnet_bs.py, PowerToDB of augmentations.py"""
    with torch.no_grad():
        found = torch.from_numpy(x)[None]
        for layer in birdset_layers(length, hop, bands):
            found = layer(found)
        decibels = 10.0 * torch.log10(torch.maximum(found, torch.tensor(1e-10)))
        decibels = torch.maximum(decibels, decibels.max() - 80)
        return ((decibels - -4.268) / 4.569)[0].T.numpy()


def birdset_convnext(x):
    return birdset(x, 1024, 320, 128)


def birdset_efficientnet(x):
    return birdset(x, 2048, 256, 256)


AVEX = file_of("avex", "avex/data/audio_utils.py").AudioProcessor(types.SimpleNamespace(
    sample_rate=16000, n_fft=800, hop_length=160, win_length=800, window="hann", n_mels=128, representation="mel_spectrogram",
    normalize=True, target_length_seconds=10, window_selection="random", center=True))


def avex_effnet(x):
    return AVEX(torch.from_numpy(x))[0].T.numpy()


BATDETECT = file_of("batdetect2", "batdetect2/utils/detector_utils.py", without=("pandas",))
BATDETECT.au = file_of("batdetect2", "batdetect2/utils/audio_utils.py")
BATS = file_of("batdetect2", "batdetect2/detector/parameters.py").DEFAULT_SPECTROGRAM_PARAMETERS


def batdetect2(x):
    """compute_spectrogram, whose result the network takes"""
    return BATDETECT.compute_spectrogram(x, 256000, BATS, torch.device("cpu"), return_np=True)[2].T


# ------------------------------------------------------------------------------------------------------------- any sound


@functools.cache
def torchlibrosa_layers(rate):
    return (torchlibrosa.Spectrogram(n_fft=1024, hop_length=320, win_length=1024, window="hann", center=True, pad_mode="reflect",
                                     freeze_parameters=True),
            torchlibrosa.LogmelFilterBank(sr=rate, n_fft=1024, n_mels=64, fmin=50, fmax=14000, ref=1.0, amin=1e-10, top_db=None,
                                          freeze_parameters=True))


def ms_clap(x, rate, seconds):
    """load_audio_into_tensor of CLAPWrapper.py, the start in place of a random part; then the layers of Cnn14 in audio.py, or of
    htsat.py, whose rate is that of config.py and not the samples'."""
    count = round(seconds * 44100)
    if count >= len(x):
        x = np.tile(x, int(np.ceil(count / len(x))))
    found = torch.from_numpy(x[:count])[None]
    with torch.no_grad():
        for layer in torchlibrosa_layers(rate):
            found = layer(found)
    return found[0, 0].numpy()


def ms_clap_2022(x, seconds=5):
    return ms_clap(x, 44100, seconds)


def ms_clap_2023(x, seconds=7):
    return ms_clap(x, 32000, seconds)


@functools.cache
def m2d_layer():
    return nnAudio.features.MelSpectrogram(
        sr=16000, n_fft=400, win_length=400, hop_length=160, n_mels=80, fmin=50, fmax=8000, center=True, power=2, verbose=False)


def m2d(x):
    """get_to_melspec of runtime_audio.py, to_log_mel_spec and normalize_batch of portable_m2d.py"""
    with torch.no_grad():
        found = (m2d_layer()(torch.from_numpy(x)[None]) + torch.finfo().eps).log()
    return ((found - -7.1) / 4.2)[0].T.numpy()


def dasheng(x):
    """The layers front_end of models.py, with the defaults of Dasheng; those of CED are the same."""
    mel = mel_of_torchaudio(x, f_min=0, sample_rate=16000, win_length=512, center=True, n_fft=512, f_max=8000, hop_length=160, n_mels=64)
    return decibels_of(120)(mel).numpy()


def wide_log_mel(x):
    """By librosa, at 44.1 kHz"""
    found = librosa.feature.melspectrogram(y=x, sr=44100, n_fft=2048, win_length=1103, hop_length=441, n_mels=128, pad_mode="reflect")
    return librosa.power_to_db(found, ref=1.0, amin=1e-10, top_db=None).T


# ----------------------------------------------------------------------------------------------------------------- music


def musicfm(x):
    """MelSTFT of features.py, preprocessing and normalize of musicfm_25hz.py, with the numbers of msd_stats.json"""
    found = decibels_of(None)(mel_of_torchaudio(x, sample_rate=24000, n_fft=2048, hop_length=240, n_mels=128))[:-1]
    return ((found - 6.768444971712967) / 18.417922652295623).numpy()


TENSORFLOW = file_of("torchvggish", "torchvggish/mel_features.py")


def mt3(x):
    """compute_logmel of spectral_ops.py, with the functions that were written for VGGish after TensorFlow's"""
    count = -(-len(x) // 128)
    magnitude = TENSORFLOW.stft_magnitude(np.pad(x, (0, 128 * (count - 1) + 2048 - len(x))), 2048, 128, 2048)
    mel = magnitude @ TENSORFLOW.spectrogram_to_mel_matrix(
        num_mel_bins=512, num_spectrogram_bins=1025, audio_sample_rate=16000, lower_edge_hertz=20.0, upper_edge_hertz=7600.0)
    return np.log(np.where(mel <= 0.0, 1e-5, mel))


def musicnn(x):
    """batch_data of extractor.py, without its float16"""
    found = librosa.feature.melspectrogram(y=x, sr=16000, hop_length=256, n_fft=512, n_mels=96).T
    return np.log10(10000 * found + 1)


def openl3(x):
    """_librosa_mel_frontend of core.py"""
    found = librosa.feature.melspectrogram(y=x, sr=48000, n_mels=256, n_fft=2048, hop_length=242, center=True, power=1.0)
    found = librosa.power_to_db(S=found, ref=1.0, amin=1e-10, top_db=80.0)
    return (found - found.max()).T


SOUND = {
    "eat": (eat, "torchaudio as inference.py calls it"), "bird-mae": (bird_mae, "torchaudio as transforms.py calls it"),
    "passt": (passt, "hear21passt"), "perch-2": (perch_2, "SciPy, as frontend.py calls JAX"),
    "birdset-convnext": (birdset_convnext, "torchaudio as convnext_bs.py calls it"),
    "birdset-efficientnet": (birdset_efficientnet, "torchaudio as efficientnet_bs.py calls it"), "avex-effnet": (avex_effnet, "avex"),
    "batdetect2": (batdetect2, "batdetect2"), "ms-clap-2022": (ms_clap_2022, "torchlibrosa as msclap calls it"),
    "ms-clap-2023": (ms_clap_2023, "torchlibrosa as msclap calls it"), "m2d": (m2d, "nnAudio as portable_m2d.py calls it"),
    "dasheng": (dasheng, "torchaudio as dasheng calls it"), "wide-log-mel": (wide_log_mel, "librosa"),
    "musicfm": (musicfm, "torchaudio as features.py calls it"), "mt3": (mt3, "torchvggish, in double precision"),
    "musicnn": (musicnn, "librosa as musicnn calls it"), "openl3": (openl3, "librosa as openl3 calls it"),
}

# As LIMITS of peers_models.py.
LIMITS = {
    "eat": (3e-4, 3e-5), "avex-effnet": (4e-4, 3.5e-5), "m2d": (2e-3, 3.5e-6), "dasheng": (4.5e-3, 7.5e-5), "musicnn": (1.5e-2, 3.5e-7),
    "musicfm": (1.5e-1, 2e-3), "bird-mae": (3e-4, 3.5e-5), "passt": (3e-4, 3e-5), "perch-2": (9e-6, 1.5e-7),
    "birdset-convnext": (1.5e-4, 2e-5), "birdset-efficientnet": (3.5e-4, 3.5e-5), "ms-clap-2022": (4.5e-3, 2.5e-5),
    "ms-clap-2023": (2e-3, 4e-5), "wide-log-mel": (5.5e-7, 3.5e-7), "openl3": (3e-6, 5e-7), "mt3": (1e-6, 1e-8), "batdetect2": (7e-7, 3e-7),
}
