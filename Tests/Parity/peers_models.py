"""What the originals themselves make of a signal: the extractors of transformers and lhotse, torchlibrosa, SpeechBrain's,
ESPnet's and NeMo's layers, torchaudio as BEATs and AudioMAE call it. All compute in float32, but LASR's.

A function takes a mono float32 signal on the unit scale at the preset's rate, and returns [rows, bins], or [patches, rows, bins].
Those that are compared at other rates, too, take the rate (rates.py).
Where the original raises, so does the function. `ORIGINALS` lists them by the name of the preset, with the name of the program.
"""

import functools
import importlib.metadata
import platform

import kaldi_native_fbank
import lhotse
import numpy as np
import scipy.signal
import torch
import torchaudio
import torchlibrosa
from lhotse.features.kaldi import extractors as lhotse_extractors
from transformers.audio_utils import mel_filter_bank, spectrogram, window_function

import peers_sound
import peers_voices
from loading import extractor, file_of
from reference_models import padded_for_yamnet

INT16 = 32768.0


def version(package):
    return importlib.metadata.version(package)


VERSIONS = {
    "python": platform.python_version(), "numpy": np.__version__, "torch": torch.__version__,
    **{name: version(name) for name in (
        "torchaudio", "transformers", "lhotse", "kaldi-native-fbank", "torchlibrosa", "torchvggish", "librosa", "speechbrain", "espnet",
        "nemo_toolkit", "resampy", "scipy", "avex", "batdetect2", "bigvgan", "f5-tts", "funasr", "hear21passt", "nnaudio", "onnxruntime",
        "openwakeword", "pyannote-audio", "vocos")},
}

# -------------------------------------------------------------------------------------------------------- transformers


AST = extractor("ASTFeatureExtractor", max_length=1)


def ast_extractor(x, mean, std, count, rate):
    """ASTFeatureExtractor by torchaudio."""
    AST.mean, AST.std, AST.max_length, AST.sampling_rate = mean, std, count, rate
    return np.asarray(AST(x, sampling_rate=rate)["input_values"][0])


def ast(x, count=1024, rate=16000):
    return ast_extractor(x, -4.2677393, 4.5689974, count, rate)


def ast_speech_commands(x, rate=16000):
    return ast_extractor(x, -6.845978, 5.5654526, 128, rate)


AST_FILTERS = mel_filter_bank(
    257, 128, 20, 8000, 16000, norm=None, mel_scale="kaldi", triangularize_in_mel_space=True)


def ast_without_torchaudio(x, count=1024):
    """What ASTFeatureExtractor does where torchaudio is not installed: `_extract_fbank_features`, its second branch."""
    values = spectrogram(
        x, window_function(400, "hann", periodic=False), 400, 160, 512, power=2.0, center=False, preemphasis=0.97,
        mel_filters=AST_FILTERS, log_mel="log", mel_floor=1.192092955078125e-07, remove_dc_offset=True).T[:count]
    return (np.pad(values, ((0, count - len(values)), (0, 0))) + 4.2677393) / (2 * 4.5689974)


PARAKEET = {bands: extractor("ParakeetFeatureExtractor", feature_size=bands) for bands in (80, 128)}
VOXTRAL, LASR = extractor("VoxtralRealtimeFeatureExtractor"), extractor("LasrFeatureExtractor")


def parakeet(x, bands=80):
    made = PARAKEET[bands](x, sampling_rate=16000, return_tensors="np")
    return made["input_features"][0][made["attention_mask"][0].astype(bool)]


def voxtral(x):
    return VOXTRAL(x, sampling_rate=16000, return_tensors="np")["input_features"][0].T


NEMO = file_of("nemo_toolkit", "nemo/collections/asr/parts/preprocessing/features.py").FilterbankFeatures(
    n_window_size=400, n_window_stride=160, nfilt=80, n_fft=512, dither=0, pad_to=0).eval()


def parakeet_nemo(x):
    """FilterbankFeatures of NeMo, with the options of Parakeet; the row after the last valid one is cut off."""
    values, count = NEMO(torch.from_numpy(x)[None], torch.tensor([len(x)]))
    return values[0, :, :int(count[0])].T.numpy()


def lasr(x):
    return LASR(x, sampling_rate=16000, return_tensors="np")["input_features"][0]


QWEN3_ASR = extractor("Qwen3ASRFeatureExtractor")


def qwen3_asr(x):
    """Without the zeros up to 30 s, as its processor asks for."""
    return QWEN3_ASR(x, sampling_rate=16000, padding="longest", return_tensors="np")["input_features"][0].T


GEMMA3N = extractor("Gemma3nAudioFeatureExtractor")


@functools.cache
def seamless_extractor(padding, rate):
    return extractor("SeamlessM4TFeatureExtractor", padding_value=padding, sampling_rate=rate)


def seamless(x, padding=0.0, rate=16000):
    """`padding`: the padding_value, 1 in the preprocessor_config.json of w2v-BERT 2.0."""
    return seamless_extractor(padding, rate)(x, sampling_rate=rate, return_tensors="np")["input_features"][0]


def seamless_stereo(x):
    """[channels, samples], of which the extractor takes the first channel."""
    return seamless_extractor(0.0, 16000)([x], sampling_rate=16000, return_tensors="np")["input_features"][0]


def gemma3n(x):
    return GEMMA3N(x, return_tensors="np")["input_features"][0]


WAV2VEC2 = {is_normed: extractor("Wav2Vec2FeatureExtractor", do_normalize=is_normed) for is_normed in (True, False)}
ENCODEC = extractor("EncodecFeatureExtractor")


def wav2vec2(x):
    return WAV2VEC2[True](x, sampling_rate=16000)["input_values"][0][:, None]


def moonshine(x):
    return WAV2VEC2[False](x, sampling_rate=16000)["input_values"][0][:, None]


def encodec(x):
    return ENCODEC(x, sampling_rate=24000)["input_values"][0].T


CLAP = {seconds: extractor("ClapFeatureExtractor", frequency_min=50, max_length_s=seconds) for seconds in (2, 10)}


def clap(x, seconds=10, is_fused=False, is_quantized=True):
    """The quantising of the authors' data.py (int16_to_float32 of float32_to_int16), the first seconds, then the extractor of
    transformers, whose bands depend on the truncation. A clip that is not cut is four equal channels with fusion."""
    if is_quantized:
        stored = (np.clip(x, -1, 1) * 32767.0).astype(np.int16)
        x = (stored / 32767.0).astype(np.float32)
    x = x[:48000 * seconds]
    made = CLAP[seconds](x, truncation="fusion" if is_fused else "rand_trunc", sampling_rate=48000)
    return made["input_features"][0][0]


# ---------------------------------------------------------------------------------------------------------- torchaudio


def beats(x, rate=16000):
    """BEATs.preprocess, in which the rate is a constant."""
    waveform = torch.from_numpy(x).unsqueeze(0) * 2**15
    values = torchaudio.compliance.kaldi.fbank(
        waveform, num_mel_bins=128, sample_frequency=rate, frame_length=25, frame_shift=10)
    return ((values - 15.41663) / (2 * 6.55582)).numpy()


def audiomae(x, count=1024, rate=16000):
    """AudiosetDataset._wav2fbank and __getitem__, without augmentation, at the rate of the file; [samples], or as torchaudio.load
    returns [channels, samples]"""
    waveform = torch.from_numpy(np.atleast_2d(x))
    values = torchaudio.compliance.kaldi.fbank(
        waveform - waveform.mean(), htk_compat=True, sample_frequency=rate, use_energy=False, window_type="hanning",
        num_mel_bins=128, dither=0.0, frame_shift=10)
    values = torch.nn.ZeroPad2d((0, 0, 0, max(0, count - len(values))))(values)[:count]
    return ((values - -4.2677393) / (4.5689974 * 2)).numpy()


# --------------------------------------------------------------------------------------------------------------- PANNs

PANNS_SPECTROGRAM = torchlibrosa.Spectrogram(
    n_fft=1024, hop_length=320, win_length=1024, window="hann", center=True, pad_mode="reflect", freeze_parameters=True)
PANNS_BANDS = torchlibrosa.LogmelFilterBank(
    sr=32000, n_fft=1024, n_mels=64, fmin=50, fmax=14000, ref=1.0, amin=1e-10, top_db=None, freeze_parameters=True)


def panns_cnn14(x):
    """utilities.float32_to_int16 and back, as the training data was stored, then the layers of Cnn14."""
    stored = (np.clip(x, -1, 1) * 32767.0).astype(np.int16)
    x = (stored / 32767.0).astype(np.float32)
    with torch.no_grad():
        return PANNS_BANDS(PANNS_SPECTROGRAM(torch.from_numpy(x)[None]))[0, 0].numpy()


# -------------------------------------------------------------------------------------------------------------- VGGish

VGGISH = file_of("torchvggish", "torchvggish/mel_features.py")


def vggish_patches(x, guard, hop):
    """vggish_input.waveform_to_examples"""
    rows = VGGISH.log_mel_spectrogram(
        x, audio_sample_rate=16000, log_offset=guard, window_length_secs=0.025, hop_length_secs=0.010, num_mel_bins=64,
        lower_edge_hertz=125, upper_edge_hertz=7500)
    return VGGISH.frame(rows, window_length=96, hop_length=hop)


def vggish(x):
    return vggish_patches(x, 0.01, 96)


def yamnet(x):
    """features.py of YAMNet asks TensorFlow for the same; pad_waveform comes first."""
    return vggish_patches(padded_for_yamnet(x), 0.001, 48)


# ------------------------------------------------------------------------------------------------------------ toolkits


@functools.cache
def lhotse_extractor(rate):
    return lhotse_extractors.Fbank(lhotse_extractors.FbankConfig(sampling_rate=rate))


def lhotse_fbank(x, rate=16000):
    return lhotse_extractor(rate).extract(x, rate)


def icefall(x, rate=16000):
    """The options of icefall's pretrained.py for kaldifeat, given to kaldi-native-fbank by the same author."""
    options = kaldi_native_fbank.FbankOptions()
    options.frame_opts.dither, options.frame_opts.snip_edges, options.frame_opts.samp_freq = 0, False, rate
    options.mel_opts.num_bins, options.mel_opts.high_freq = 80, -400
    computer = kaldi_native_fbank.OnlineFbank(options)
    computer.accept_waveform(rate, x.tolist())
    computer.input_finished()
    rows = [computer.get_frame(index) for index in range(computer.num_frames_ready)]
    return np.stack(rows) if rows else np.zeros((0, 80), np.float32)


SPEECHBRAIN = file_of("speechbrain", "speechbrain/processing/features.py")


@functools.cache
def speechbrain_layers(rate, fft_length, bands):
    """As Fbank makes them."""
    return (SPEECHBRAIN.STFT(sample_rate=rate, n_fft=fft_length),
            SPEECHBRAIN.Filterbank(n_mels=bands, sample_rate=rate, n_fft=fft_length, f_max=rate // 2))


def speechbrain_fbank(x, rate=16000, fft_length=400, count=40):
    """The steps of Fbank.forward: STFT, spectral_magnitude, Filterbank, each with its defaults."""
    stft, bands = speechbrain_layers(rate, fft_length, count)
    with torch.no_grad():
        magnitude = SPEECHBRAIN.spectral_magnitude(stft(torch.from_numpy(x)[None]))
        return bands(magnitude)[0].numpy()


ECAPA_NORM = SPEECHBRAIN.InputNormalization(norm_type="sentence", std_norm=False).eval()


def ecapa(x):
    """compute_features and mean_var_norm of hyperparams.yaml: Fbank with 80 bands, InputNormalization of a sentence without std_norm"""
    with torch.no_grad():
        return ECAPA_NORM(torch.from_numpy(speechbrain_fbank(x, count=80))[None], torch.ones(1))[0].numpy()


ESPNET_STFT = file_of("espnet", "espnet2/layers/stft.py").Stft()
ESPNET_LOG_MEL = file_of("espnet", "espnet2/layers/log_mel.py").LogMel


@functools.cache
def espnet_bands(rate):
    return ESPNET_LOG_MEL(fs=rate)


def espnet(x, rate=16000):
    """The steps of DefaultFrontend.forward: Stft, power, LogMel, each with its defaults; of [channels, samples] the first one, as
    in evaluation."""
    with torch.no_grad():
        found, _ = ESPNET_STFT(torch.from_numpy(x.T)[None])
        found = found[:, :, 0] if x.ndim > 1 else found
        power = found[..., 0] ** 2 + found[..., 1] ** 2
        return espnet_bands(rate)(power)[0][0].numpy()


# --------------------------------------------------------------------------------------------------------------- Perch


def perch_1(x):
    """MelSpectrogram of chirp with SciPy in place of JAX's copy of it, and the filter of 256 rows of ema_conv1d."""
    x = x - np.mean(x)
    peak = np.max(np.abs(x))
    x = np.divide(x, peak, where=peak > 0, out=np.zeros_like(x)) * np.float32(0.25)
    _, _, found = scipy.signal.stft(x, nperseg=640, noverlap=320, nfft=1024, padded=False)
    # With drop_last the last row is left out even where the signal does not fill it.
    power = np.abs(found[:, :len(x) // 320].T) ** 2
    edges = np.linspace(1127 * np.log1p(60 / 700), 1127 * np.log1p(10000 / 700), 162)
    bins = 1127 * np.log1p(np.linspace(0, 16000, 513)[1:] / 700)[:, None]
    lower = (bins - edges[:-2]) / (edges[1:-1] - edges[:-2])
    upper = (edges[2:] - bins) / (edges[2:] - edges[1:-1])
    s = power @ np.pad(np.maximum(0, np.minimum(lower, upper)), ((1, 0), (0, 0)))
    kernel = np.array([0.9**255] + [0.1 * 0.9**k for k in range(254, -1, -1)])
    history = np.concatenate([np.repeat(s[:1], 255, axis=0), s])
    smooth = np.lib.stride_tricks.sliding_window_view(history, 256, axis=0) @ kernel if len(s) else s
    return (s / (1e-6 + smooth) ** 0.5 + 2.0) ** 0.5 - 2.0**0.5


ORIGINALS = {
    "qwen3-asr": (qwen3_asr, "Qwen3ASRFeatureExtractor"), "seamless": (seamless, "SeamlessM4TFeatureExtractor"),
    "gemma3n": (gemma3n, "Gemma3nAudioFeatureExtractor"), "wav2vec2": (wav2vec2, "Wav2Vec2FeatureExtractor"),
    "moonshine": (moonshine, "Wav2Vec2FeatureExtractor, not normalised"), "encodec": (encodec, "EncodecFeatureExtractor"),
    "vggish": (vggish, "torchvggish"), "yamnet": (yamnet, "torchvggish, padded and guarded as YAMNet does"),
    "clap": (clap, "ClapFeatureExtractor, quantised before"),
    "voxtral": (voxtral, "VoxtralRealtimeFeatureExtractor"), "parakeet": (parakeet, "ParakeetFeatureExtractor"),
    "lasr": (lasr, "LasrFeatureExtractor"), "ast": (ast, "ASTFeatureExtractor, torchaudio"),
    "ast-speech-commands": (ast_speech_commands, "ASTFeatureExtractor, torchaudio"),
    "audiomae": (audiomae, "torchaudio as dataset.py calls it"), "beats": (beats, "torchaudio as BEATs.py calls it"),
    "panns-cnn14": (panns_cnn14, "torchlibrosa"), "perch-1": (perch_1, "SciPy, as frontend.py calls JAX"),
    "espnet": (espnet, "ESPnet"), "icefall": (icefall, "kaldi-native-fbank"), "lhotse-fbank": (lhotse_fbank, "lhotse"),
    "speechbrain-fbank": (speechbrain_fbank, "SpeechBrain"), "ecapa": (ecapa, "SpeechBrain"), **peers_sound.SOUND, **peers_voices.VOICES,
}

# Original to float64, the greatest share and the median: about three times what was measured.
LIMITS = {
    "voxtral": (2e-4, 1.5e-5), "qwen3-asr": (1.5e-4, 2e-5), "parakeet": (0.13, 8e-5), "lasr": (1.3e-7, 9e-8), "seamless": (1.2e-3, 7e-7),
    "gemma3n": (1.3e-2, 4e-4), "wav2vec2": (2.5e-5, 1.5e-7), "moonshine": (0, 0), "encodec": (0, 0), "ast": (6e-4, 4e-5),
    "ast-speech-commands": (6e-4, 4e-5), "audiomae": (4e-4, 4e-5), "beats": (7e-2, 7e-3), "vggish": (1e-12, 1e-13), "yamnet": (2e-12, 1e-13),
    "panns-cnn14": (9e-4, 5e-5), "clap": (2e-7, 1.2e-7), "perch-1": (6e-6, 4e-7), "espnet": (1e-3, 7e-5), "icefall": (4e-4, 3e-5),
    "lhotse-fbank": (4e-4, 3e-5), "speechbrain-fbank": (1.3e-4, 1.2e-5), ("parakeet, 128 bands", "ParakeetFeatureExtractor"): (0.14, 1.3e-4),
    ("ast", "ASTFeatureExtractor, NumPy"): (3e-7, 2e-7)}
