"""What the originals themselves make of a signal: models that hear and make speech; see peers_models.py, whose `ORIGINALS` has them.
Packages where there are some; else the lines that a model's code has, by the packages that it calls."""

import functools
import types

import librosa
import numpy as np
import onnxruntime
import torch
import torchaudio

from loading import extractor, file_of, located

# -------------------------------------------------------------------------------------------------------------- Kaldi

FUNASR = file_of("funasr", "funasr/frontends/wav_frontend.py")
FUNASR.kaldi = file_of("funasr", "funasr/utils/fbank.py")
PARAFORMER = FUNASR.WavFrontend(lfr_m=7, lfr_n=6, dither=0.0)


def paraformer(x):
    """WavFrontend, without dither and without the constants of am.mvn"""
    return PARAFORMER(torch.from_numpy(x)[None], torch.tensor([len(x)]))[0][0].numpy()


def paraformer_normed(x, shift, factor):
    """The same with the constants of an am.mvn, as load_cmvn returns them"""
    rows = torch.from_numpy(paraformer(x))
    return FUNASR.apply_cmvn(rows, torch.tensor(np.array([shift, factor]), dtype=torch.float32)).numpy()


FUN_ASR = extractor("FunAsrNanoFeatureExtractor")


def fun_asr(x):
    """The same of samples from -1 to 1"""
    return FUN_ASR(x, sampling_rate=16000)["input_features"][0].numpy()


WESPEAKER = file_of("pyannote-audio", "pyannote/audio/models/embedding/wespeaker/__init__.py").BaseWeSpeakerResNet
WESPEAKER_SELF = types.SimpleNamespace(
    hparams=types.SimpleNamespace(fbank_centering_span=None), _fbank=functools.partial(
        torchaudio.compliance.kaldi.fbank, num_mel_bins=80, frame_length=25.0, round_to_power_of_two=True, frame_shift=10.0, snip_edges=True,
        dither=0.0, sample_frequency=16000, window_type="hamming", use_energy=False))


def wespeaker(x):
    """compute_fbank of pyannote, the options those of its constructor"""
    return WESPEAKER.compute_fbank(WESPEAKER_SELF, torch.from_numpy(x)[None, None])[0].numpy()


def three_d_speaker(x):
    """FBank of processor.py with mean_nor"""
    feat = torchaudio.compliance.kaldi.fbank(torch.from_numpy(x)[None], num_mel_bins=80, sample_frequency=16000, dither=0)
    return (feat - feat.mean(0, keepdim=True)).numpy()


# -------------------------------------------------------------------------------------------------------------- speakers


class PreEmphasis(torch.nn.Module):
    """Of features.py: a reflected sample in front, and a convolution"""

    def forward(self, x):
        x = torch.nn.functional.pad(x[:, None], (1, 0), "reflect")
        return torch.nn.functional.conv1d(x, torch.tensor([[[-0.97, 1.0]]]))[:, 0]


REDIMNET = torch.nn.Sequential(PreEmphasis(), torchaudio.transforms.MelSpectrogram(
    sample_rate=16000, n_fft=512, win_length=400, hop_length=160, f_min=20, f_max=7600, n_mels=80, window_fn=torch.hamming_window))


def redimnet(x):
    """MelBanks of features.py"""
    with torch.no_grad():
        found = (REDIMNET(torch.from_numpy(x)[None]) + 1e-6).log()
        return (found - torch.mean(found, dim=-1, keepdim=True))[0].T.numpy()


def resemblyzer(x):
    """wav_to_mel_spectrogram of audio.py"""
    return librosa.feature.melspectrogram(y=x, sr=16000, n_fft=400, hop_length=160, n_mels=40).astype(np.float32).T


# ----------------------------------------------------------------------------------------------------------------- words


@functools.cache
def openwakeword_model(name="melspectrogram.onnx"):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    path = located("openwakeword", f"openwakeword/resources/models/{name}")
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def openwakeword(x):
    """_get_melspectrogram of utils.py; the network is given the samples as float32, in steps of 16 bits or not"""
    found = openwakeword_model().run(None, {"input": x[None] * np.float32(32768)})[0]
    return found.reshape(-1, 32) / 10 + 2


SPEECHT5, PHI4, GRANITE_SPEECH = (
    extractor(f"{name}FeatureExtractor") for name in ("SpeechT5", "Phi4Multimodal", "GraniteSpeech"))


def speecht5(x):
    return np.asarray(SPEECHT5(audio_target=x, sampling_rate=16000)["input_values"][0])


def phi4(x):
    return np.asarray(PHI4(x, sampling_rate=16000)["audio_input_features"][0])


def granite_speech(x):
    return np.asarray(GRANITE_SPEECH(x)["input_features"][0])


@functools.cache
def clvp_extractor(seconds):
    return extractor("ClvpFeatureExtractor", default_audio_length=seconds)


def clvp(x, seconds=6):
    return np.asarray(clvp_extractor(seconds)(x, sampling_rate=22050)["input_features"][0]).T


# -------------------------------------------------------------------------------------------------------------- vocoders

BIGVGAN = file_of("bigvgan", "bigvgan/meldataset.py")
# matplotlib is not needed for the function.


def hifi_gan(x, rate, length, hop, bands, high):
    """mel_spectrogram of BigVGAN, which is that of HiFi-GAN, and of Matcha-TTS, which CosyVoice calls"""
    return BIGVGAN.mel_spectrogram(torch.from_numpy(x)[None], length, bands, rate, hop, length, 0, high)[0].T.numpy()


def hifi_gan_22k(x):
    return hifi_gan(x, 22050, 1024, 256, 80, 8000)


def bigvgan_24k(x):
    return hifi_gan(x, 24000, 1024, 256, 100, None)


def bigvgan_44k(x):
    return hifi_gan(x, 44100, 2048, 512, 128, None)


def cosyvoice(x):
    return hifi_gan(x, 24000, 1920, 480, 80, 8000)


UNIVNET = extractor("UnivNetFeatureExtractor")


def univnet(x):
    return UNIVNET.mel_spectrogram(x).astype(np.float32)


VOCOS = file_of("vocos", "vocos/feature_extractors.py")
VOCOS.safe_log = file_of("vocos", "vocos/modules.py").safe_log


@functools.cache
def vocos_layer(padding):
    return VOCOS.MelSpectrogramFeatures(padding=padding)


def vocos(x, padding="center"):
    with torch.no_grad():
        return vocos_layer(padding)(torch.from_numpy(x)[None])[0].T.numpy()


F5 = file_of("f5-tts", "f5_tts/model/modules.py")


def f5_tts(x):
    with torch.no_grad():
        return F5.get_vocos_mel_spectrogram(torch.from_numpy(x)[None])[0].T.numpy()


TO_MEL = torchaudio.transforms.MelSpectrogram(n_mels=80, n_fft=2048, win_length=1200, hop_length=300)


def styletts2(x):
    """preprocess of meldataset.py"""
    with torch.no_grad():
        found = TO_MEL(torch.from_numpy(x).float())
        return ((torch.log(1e-5 + found.unsqueeze(0)) - -4) / 4)[0].T.numpy()


VOICES = {
    "paraformer": (paraformer, "FunASR"), "wespeaker": (wespeaker, "pyannote.audio"),
    "3d-speaker": (three_d_speaker, "torchaudio as processor.py calls it"), "redimnet": (redimnet, "torchaudio as features.py calls it"),
    "resemblyzer": (resemblyzer, "librosa as resemblyzer calls it"), "openwakeword": (openwakeword, "openWakeWord's melspectrogram.onnx"),
    "speecht5": (speecht5, "SpeechT5FeatureExtractor"), "phi4": (phi4, "Phi4MultimodalFeatureExtractor"),
    "granite-speech": (granite_speech, "GraniteSpeechFeatureExtractor"), "clvp": (clvp, "ClvpFeatureExtractor"),
    "hifi-gan-22k": (hifi_gan_22k, "BigVGAN"), "bigvgan-24k": (bigvgan_24k, "BigVGAN"), "bigvgan-44k": (bigvgan_44k, "BigVGAN"),
    "cosyvoice": (cosyvoice, "BigVGAN's function, as Matcha-TTS has it"), "vocos": (vocos, "vocos"), "f5-tts": (f5_tts, "F5-TTS"),
    "styletts2": (styletts2, "torchaudio as meldataset.py calls it"),
}
