"""Features by models' own files: `veery extract --preset FILE` compared with the extractor that the file is of.

Files are made by the packages themselves, with the defaults of each class and with each field that acts on the features changed. The
greatest difference, as a part of the range of a clip's values, must be at most 1e-4.

Usage: python Tests/Parity/model_files.py [--only NAME] [--table FILE]      VEERY: the program
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import warnings
from dataclasses import dataclass, field
from pathlib import Path

os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
warnings.filterwarnings("ignore")

import h5py
import numpy as np
import soundfile
import torch
import transformers

LIMIT = 1e-4


@dataclass
class Case:
    """A file, and the rows of the original for a signal."""

    name: str
    changed: str
    file: str
    text: str
    rate: int
    #: Takes float32 samples, returns [rows, bins].
    original: object
    #: Rows that the original has more, or that hold padding, are left out before comparing.
    trim: object = None
    limit: float = LIMIT


def signals(rate):
    """Chirps, a tone and noise of 5 s and of an odd number of samples."""
    noise = np.random.default_rng(38)
    found = {}
    for name, samples in (("long", 5 * rate), ("odd", int(1.37 * rate) + 7)):
        t = np.arange(samples) / rate
        chirp = np.sin(2 * np.pi * (100 * t + 0.5 * (0.4 * rate - 100) / t[-1] * t**2))
        envelope = 0.5 + 0.5 * np.sin(2 * np.pi * 1.5 * t)
        found[name] = (0.3 * chirp * envelope + 0.1 * np.sin(2 * np.pi * 440 * t)
                       + 0.02 * noise.standard_normal(samples)).astype(np.float32)
    return found


def described(change):
    """The changed fields, in short."""
    return ", ".join(f"{key}={'…' if isinstance(value, (list, dict)) else value}" for key, value in change.items()) or "defaults"


def valid(features, key, mask):
    rows = np.asarray(features[key][0])
    return rows[np.asarray(features[mask][0]).astype(bool)]


def text_of(extractor, more):
    """The file that the package writes, with the fields that it takes and does not write."""
    return json.dumps({**json.loads(extractor.to_json_string()), **more}, indent=2)


def transformers_cases():
    def make(name, original, *changes, base=None, unwritten=(), **options):
        kind = getattr(transformers, name)
        for change in ({}, *changes):
            given = {**(base or {}), **change}
            extractor = kind(**given)
            rate = given.get("sampling_rate", extractor.sampling_rate)
            more = {key: value for key, value in given.items() if key in unwritten}
            changed = described(change)
            yield Case(name, changed, "preprocessor_config.json", text_of(extractor, more), rate,
                       lambda x, extractor=extractor, rate=rate: np.asarray(original(extractor, x, rate), np.float32), **options)

    def of(key, transposed=False):
        def rows(extractor, x, rate):
            values = np.asarray(extractor(x, sampling_rate=rate, return_tensors="np")[key][0])
            return values.T if transposed else values
        return rows

    def tensors(key, transposed=False):
        def rows(extractor, x, rate):
            values = np.asarray(extractor(x, sampling_rate=rate, return_tensors="pt")[key][0])
            return values.T if transposed else values
        return rows

    mels = tensors("input_features", transposed=True)
    rate8 = {"sampling_rate": 24000}
    yield from make("WhisperFeatureExtractor", of("input_features", True), {"feature_size": 128}, {"hop_length": 320},
                    {"n_fft": 512}, {"chunk_length": 8}, rate8)
    yield from make("VoxtralRealtimeFeatureExtractor", mels, {"feature_size": 80}, {"hop_length": 320}, {"n_fft": 512, "win_length": 512},
                    {"global_log_mel_max": 0.5}, {"global_log_mel_max": None}, rate8)
    yield from make("Dots3NoteFeatureExtractor", mels, {"feature_size": 80}, {"hop_length": 320}, {"n_fft": 512}, {"chunk_length": 30}, rate8)
    yield from make("Qwen3ASRFeatureExtractor", mels, {"feature_size": 80}, {"hop_length": 320}, {"n_fft": 512}, {"chunk_length": 4},
                    {"chunk_length": 1, "min_length": 30000}, {"n_window": 30, "chunk_length": 3}, {"n_window": 0}, rate8)

    yield from make("ASTFeatureExtractor", of("input_values"), {"num_mel_bins": 64}, {"max_length": 300}, {"mean": -6.6, "std": 5.4},
                    {"do_normalize": False}, {"sampling_rate": 22050})

    seamless = of("input_features")
    yield from make("SeamlessM4TFeatureExtractor", seamless, {"num_mel_bins": 40}, {"stride": 3}, {"stride": 1}, {"padding_value": 1.0},
                    {"sampling_rate": 24000})
    yield from make("Speech2TextFeatureExtractor", of("input_features"), {"num_mel_bins": 40, "feature_size": 40},
                    {"do_ceptral_normalize": False}, {"normalize_vars": False}, {"normalize_means": False, "normalize_vars": False},
                    {"sampling_rate": 22050})
    yield from make("Phi4MultimodalFeatureExtractor", tensors("audio_input_features"), {"feature_size": 40}, {"hop_length": 200},
                    {"n_fft": 1024}, {"win_length": 320}, {"preemphasis": 0.5}, {"mel_min_frequency": 100, "mel_max_frequency": 6000},
                    {"sampling_rate": 24000}, unwritten=("mel_min_frequency", "mel_max_frequency"))

    masked = lambda extractor, x, rate: valid(extractor(x, sampling_rate=rate, return_tensors="pt"), "input_features", "attention_mask")
    nemo = ({"feature_size": 128}, {"hop_length": 200}, {"n_fft": 1024}, {"win_length": 320}, {"preemphasis": 0.9}, {"preemphasis": None},
            {"sampling_rate": 24000})
    yield from make("ParakeetFeatureExtractor", masked, *nemo)
    yield from make("NemotronAsrStreamingFeatureExtractor", masked, *nemo)
    yield from make("CohereAsrFeatureExtractor", masked, *nemo, base={"dither": 0.0})

    clap = lambda extractor, x, rate: np.asarray(extractor(x.astype(np.float64), sampling_rate=rate, return_tensors="np")["input_features"][0][0])
    yield from make("ClapFeatureExtractor", clap, {"truncation": "rand_trunc"}, {"frequency_min": 50}, {"frequency_max": 12000},
                    {"padding": "repeat"}, {"padding": "pad"}, {"hop_length": 320}, {"fft_window_size": 2048}, {"feature_size": 80},
                    {"max_length_s": 7}, {"sampling_rate": 32000})
    lasr = lambda extractor, x, rate: np.asarray(extractor(x, sampling_rate=rate, return_tensors="pt")["input_features"][0])
    yield from make("LasrFeatureExtractor", lasr, {"feature_size": 80}, {"hop_length": 200}, {"n_fft": 1024}, {"win_length": 320}, {"sampling_rate": 24000})
    def gemma(extractor, x, rate):
        return np.asarray(extractor(x, return_tensors="np")["input_features"][0])
    yield from make("Gemma3nAudioFeatureExtractor", gemma, {"feature_size": 80}, {"frame_length_ms": 25.0}, {"hop_length_ms": 12.5},
                    {"min_frequency": 50.0, "max_frequency": 7000.0}, {"preemphasis": 0.5}, {"preemphasis": 0.0}, {"fft_overdrive": False},
                    {"input_scale_factor": 3.0}, {"mel_floor": 1e-3}, {"sampling_rate": 24000}, unwritten=("frame_length_ms", "hop_length_ms"))
    per_bin = {"per_bin_mean": [0.5 * i - 3 for i in range(128)], "per_bin_stddev": [1 + 0.01 * i for i in range(128)]}
    yield from make("Gemma3nAudioFeatureExtractor", gemma, base=per_bin)
    def gemma4(extractor, x, rate):
        return valid(extractor([x], return_tensors="np"), "input_features", "input_features_mask")
    yield from make("Gemma4AudioFeatureExtractor", gemma4, {"feature_size": 80}, {"frame_length_ms": 25.0}, {"hop_length_ms": 12.5},
                    {"min_frequency": 50.0, "max_frequency": 7000.0}, {"preemphasis": 0.5}, {"fft_overdrive": True},
                    {"input_scale_factor": 3.0}, {"mel_floor": 1e-5}, per_bin, {"sampling_rate": 24000}, unwritten=("frame_length_ms", "hop_length_ms"))
    univnet = lambda extractor, x, rate: np.asarray(extractor(x, sampling_rate=rate)["input_features"][0])
    yield from make("UnivNetFeatureExtractor", univnet, {"num_mel_bins": 80}, {"hop_length": 300}, {"win_length": 2048, "filter_length": 2048},
                    {"fmin": 50.0, "fmax": 8000.0}, {"mel_floor": 1e-3}, {"compression_clip_val": 1e-2}, {"compression_factor": 3.0},
                    {"do_normalize": True}, {"max_length_s": 3}, {"win_function": "hamming_window"}, {"sampling_rate": 16000})
    inkling = lambda extractor, x, rate: np.asarray(extractor(x, sampling_rate=rate, return_tensors="pt")["input_features"][0])
    yield from make("InklingFeatureExtractor", inkling, {"feature_size": 40}, {"audio_token_duration_s": 0.04}, {"window_size_multiplier": 1.5, "n_fft": 1600},
                    {"n_fft": 2048}, {"sampling_rate": 24000})
    nano = lambda extractor, x, rate: np.asarray(extractor(x, sampling_rate=rate)["input_features"][0])
    yield from make("FunAsrNanoFeatureExtractor", nano, {"feature_size": 40}, {"frame_length": 32}, {"frame_shift": 20}, {"num_frames_lfr": 5, "stride_lfr": 3},
                    {"window": "povey"}, {"sampling_rate": 24000}, unwritten=("window",))
    def speecht5(extractor, x, rate):
        return np.asarray(extractor(audio_target=x, sampling_rate=rate)["input_values"][0])
    yield from make("SpeechT5FeatureExtractor", speecht5, {"num_mel_bins": 40}, {"hop_length": 10}, {"win_length": 50}, {"win_function": "hamming_window"},
                    {"fmin": 20, "fmax": 7000}, {"mel_floor": 1e-3}, {"do_normalize": True}, {"sampling_rate": 24000})
    clvp = lambda extractor, x, rate: np.asarray(extractor(x, sampling_rate=rate, return_tensors="np")["input_features"][0]).T
    yield from make("ClvpFeatureExtractor", clvp, {"feature_size": 40}, {"default_audio_length": 3}, {"hop_length": 300}, {"n_fft": 2048},
                    {"chunk_length": 10}, {"mel_norms": [1 + 0.01 * i for i in range(80)]}, {"sampling_rate": 24000})
    def granite(extractor, x, rate):
        return np.asarray(extractor(torch.from_numpy(x)[None])["input_features"][0])
    yield from make("GraniteSpeechFeatureExtractor", granite, {"n_fft": 1024}, {"win_length": 320}, {"hop_length": 200}, {"n_mels": 40},
                    {"sampling_rate": 24000}, unwritten=("n_fft", "win_length", "hop_length", "n_mels"))

    samples = lambda extractor, x, rate: np.asarray(extractor(x, sampling_rate=rate)["input_values"][0]).reshape(-1, 1)
    yield from make("Wav2Vec2FeatureExtractor", samples, {"do_normalize": False}, {"sampling_rate": 24000})
    if hasattr(transformers, "OmniASRFeatureExtractor"):
        yield from make("OmniASRFeatureExtractor", samples, {"do_normalize": False})
    yield from make("DacFeatureExtractor", samples, {"hop_length": 320}, {"sampling_rate": 44100})
    yield from make("DiaFeatureExtractor", samples, {"hop_length": 320}, {"sampling_rate": 44100})
    yield from make("EncodecFeatureExtractor", samples, {"chunk_length_s": 1.0, "overlap": 0.01}, {"sampling_rate": 32000}, trim="shorter")
    kyutai = lambda extractor, x, rate: np.asarray(extractor(x, sampling_rate=rate)["input_values"][0]).reshape(-1, 1)
    yield from make("KyutaiSpeechToTextFeatureExtractor", kyutai, {"audio_silence_prefix_seconds": 0.5, "audio_delay_seconds": 1.0}, trim="shorter")
    if hasattr(transformers, "WavTokenizerFeatureExtractor"):
        yield from make("WavTokenizerFeatureExtractor", samples, {"normalize_audio": True}, {"normalize_audio": True, "target_peak_dB_FS": -9.0})


def yaml_of(values, indent=0):
    """Values as PyYAML writes them, which no program here needs to be installed for."""
    lines = []
    for key, value in values.items():
        if isinstance(value, dict):
            lines.append(" " * indent + f"{key}:")
            lines += yaml_of(value, indent + 2)
        else:
            shown = "null" if value is None else str(value).lower() if isinstance(value, bool) else value
            if isinstance(value, float) and "e" in repr(value) and "." not in repr(value):
                shown = repr(value).replace("e", ".0e")
            lines.append(" " * indent + f"{key}: {shown}")
    return lines


def nemo_cases():
    from peers_models import file_of

    featurizer = file_of("nemo_toolkit", "nemo/collections/asr/parts/preprocessing/features.py").FilterbankFeatures
    target = "nemo.collections.asr.modules.AudioToMelSpectrogramPreprocessor"

    def original(rate, **given):
        window = given.pop("window_size", 0.02)
        stride = given.pop("window_stride", 0.01)
        bands = given.pop("features", 64)
        kind = featurizer(sample_rate=rate, n_window_size=int(window * rate), n_window_stride=int(stride * rate), nfilt=bands, **given)
        kind.eval()

        def rows(x):
            values, length = kind(torch.from_numpy(x)[None], torch.tensor([len(x)]))
            return values[0, :, : int(length[0])].numpy().T
        return rows

    changes = (
        {}, {"window_size": 0.025}, {"window_stride": 0.02}, {"features": 80}, {"n_fft": 1024}, {"window": "hamming"},
        {"normalize": "all_features"}, {"normalize": None}, {"normalize": "NA"}, {"preemph": 0.9}, {"preemph": None},
        {"lowfreq": 50, "highfreq": 7000}, {"log": False}, {"log_zero_guard_type": "clamp"}, {"log_zero_guard_value": 1e-05},
        {"normalize": {"fixed_mean": [0.1 * i - 8 for i in range(64)], "fixed_std": [1 + 0.01 * i for i in range(64)]}}, {"log_zero_guard_value": "eps"}, {"mag_power": 1.0}, {"mel_norm": None}, {"sample_rate": 24000})
    for change in changes:
        rate = change.get("sample_rate", 16000)
        given = {key: value for key, value in change.items() if key != "sample_rate"}
        section = {"_target_": target, "sample_rate": rate, "dither": 1e-05, "pad_to": 16, **given}
        text = "\n".join(yaml_of({"sample_rate": rate, "preprocessor": section, "encoder": {"d_model": 512}})) + "\n"
        changed = described(change)
        yield Case("NeMo AudioToMelSpectrogramPreprocessor", changed, "model_config.yaml", text, rate, original(rate, **given))


def kaldi_cases():
    import kaldi_native_fbank as knf

    def compute(kind, options, rate):
        def rows(x):
            made = kind(options)
            made.accept_waveform(rate, (x * 32768).tolist())
            made.input_finished()
            return np.stack([made.get_frame(i) for i in range(made.num_frames_ready)])
        return rows

    def options(kind, rate, change):
        made = kind()
        made.frame_opts.dither = 0
        made.frame_opts.samp_freq = rate
        made.energy_floor = 0.0
        for key, value in change.items():
            where = {"frame-length": (made.frame_opts, "frame_length_ms"), "frame-shift": (made.frame_opts, "frame_shift_ms"),
                     "preemphasis-coefficient": (made.frame_opts, "preemph_coeff"), "remove-dc-offset": (made.frame_opts, "remove_dc_offset"),
                     "window-type": (made.frame_opts, "window_type"), "round-to-power-of-two": (made.frame_opts, "round_to_power_of_two"),
                     "snip-edges": (made.frame_opts, "snip_edges"), "num-mel-bins": (made.mel_opts, "num_bins"),
                     "low-freq": (made.mel_opts, "low_freq"), "high-freq": (made.mel_opts, "high_freq"),
                     "use-log-fbank": (made, "use_log_fbank"), "use-power": (made, "use_power"), "num-ceps": (made, "num_ceps"),
                     "cepstral-lifter": (made, "cepstral_lifter"), "use-energy": (made, "use_energy")}
            if key not in where:
                continue
            setattr(*where[key], value)
        return made

    frames = ({"frame-length": 32.0}, {"frame-shift": 12.5}, {"preemphasis-coefficient": 0.9}, {"remove-dc-offset": False},
              {"window-type": "hamming"}, {"window-type": "hanning"}, {"window-type": "rectangular"}, {"window-type": "blackman"},
              {"snip-edges": False}, {"low-freq": 60.0, "high-freq": 7000.0}, {"high-freq": -400.0}, {"sample-frequency": 22050})
    for kind, file, made, changes in (
        (knf.OnlineFbank, "fbank.conf", knf.FbankOptions,
         ({}, {"num-mel-bins": 80}, {"use-log-fbank": False}, {"use-power": False}, *frames)),
        (knf.OnlineMfcc, "mfcc.conf", knf.MfccOptions,
         ({}, {"num-mel-bins": 40}, {"num-ceps": 20}, {"cepstral-lifter": 0.0}, {"use-energy": False}, *frames)),
    ):
        for change in changes:
            rate = change.get("sample-frequency", 16000)
            lines = [f"--{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in {"dither": 0.0, **change}.items()]
            changed = described(change)
            yield Case(f"Kaldi {file}", changed, file, "# options\n" + "\n".join(lines) + "\n", rate,
                       compute(kind, options(made, rate, change), rate))


def lhotse_cases():
    from lhotse.features.kaldi.extractors import Fbank, FbankConfig, Mfcc, MfccConfig

    frames = ({"frame_length": 0.032}, {"frame_shift": 0.0125}, {"preemph_coeff": 0.9}, {"remove_dc_offset": False},
              {"window_type": "hamming"}, {"window_type": "hanning"}, {"window_type": "rectangular"}, {"window_type": "blackman"},
              {"snip_edges": True}, {"round_to_power_of_two": False}, {"use_fft_mag": True}, {"low_freq": 60.0, "high_freq": 7000.0},
              {"sampling_rate": 22050}, {"num_mel_bins": 60})
    for kind, config, changes in ((Fbank, FbankConfig, ({}, {"num_filters": 40}, *frames)),
                                  (Mfcc, MfccConfig, ({}, {"num_filters": 40}, {"num_ceps": 20}, {"cepstral_lifter": 10}, *frames))):
        for change in changes:
            made = kind(config(**change))
            # In single precision the original itself is up to 1.1e-4 off.
            made.extractor.double()
            text = "\n".join(yaml_of({**made.config.to_dict(), "feature_type": made.name})) + "\n"
            changed = described(change)
            rate = change.get("sampling_rate", 16000)
            yield Case(f"lhotse {made.name}", changed, "feature_config.yaml", text, rate,
                       lambda x, made=made, rate=rate: np.asarray(made.extract(x.astype(np.float64), rate)))


def wenet_cases():
    import torchaudio.compliance.kaldi as kaldi

    for name, standard, change in (
        ("WeNet fbank_conf", {"num_mel_bins": 23}, {}), ("WeNet fbank_conf", {}, {"num_mel_bins": 80}),
        ("WeNet fbank_conf", {"num_mel_bins": 23}, {"frame_length": 32}), ("WeNet fbank_conf", {"num_mel_bins": 23}, {"frame_shift": 20}),
        ("WeNet fbank_conf", {"num_mel_bins": 23}, {"window_type": "hamming"}), ("WeNet fbank_conf", {"num_mel_bins": 23}, {"rate": 22050}),
        ("WeSpeaker fbank_args", {"num_mel_bins": 80}, {}), ("WeSpeaker fbank_args", {}, {"num_mel_bins": 40}),
        ("WeSpeaker fbank_args", {"num_mel_bins": 80}, {"frame_length": 32}), ("WeSpeaker fbank_args", {"num_mel_bins": 80}, {"frame_shift": 20}),
    ):
        rate = change.get("rate", 16000)
        given = {key: value for key, value in change.items() if key != "rate"}
        is_speaker = name.startswith("WeSpeaker")
        fields = {**given, "dither": 0.0}
        text = ({"dataset_args": {"resample_rate": rate, "speed_perturb": True, "fbank_args": fields}, "model": "ResNet34"} if is_speaker else
                {"cmvn": "global_cmvn", "dataset_conf": {"resample_conf": {"resample_rate": rate}, "fbank_conf": fields, "spec_aug": True}})

        def rows(x, arguments={**standard, **given}, rate=rate, is_speaker=is_speaker):
            values = kaldi.fbank(torch.from_numpy(x)[None] * 32768, dither=0.0, energy_floor=0.0, sample_frequency=rate,
                                 **({"window_type": "hamming"} if is_speaker else {}), **arguments)
            return (values - values.mean(dim=0) if is_speaker else values).numpy()
        yield Case(name, described(change), "train.yaml",
                   "\n".join(yaml_of(text)) + "\n", rate, rows)


def funasr_cases():
    import torchaudio.compliance.kaldi as kaldi

    def stacked(rows, length, hop):
        """Low frame rate, by its definition: copies of the first row in front, the last one repeated."""
        lead, count = (length - 1) // 2, math.ceil(len(rows) / hop)
        index = np.clip(np.arange(count)[:, None] * hop + np.arange(length)[None] - lead, 0, len(rows) - 1)
        return rows[index].reshape(count, -1)

    for change in ({}, {"n_mels": 40}, {"window": "povey"}, {"frame_length": 32}, {"frame_shift": 20}, {"snip_edges": False}, {"upsacle_samples": False},
                   {"lfr_m": 7, "lfr_n": 6}, {"lfr_m": 5, "lfr_n": 1}, {"fs": 8000}):
        conf = {"fs": 16000, "window": "hamming", "n_mels": 80, "frame_length": 25, "frame_shift": 10, "dither": 0.0, "lfr_m": 1, "lfr_n": 1, **change}
        text = "\n".join(yaml_of({"model": "Paraformer", "frontend": "WavFrontend", "frontend_conf": conf})) + "\n"

        def rows(x, conf=conf):
            scale = 32768 if conf.get("upsacle_samples", True) else 1
            values = kaldi.fbank(torch.from_numpy(x)[None] * scale, num_mel_bins=conf["n_mels"], frame_length=conf["frame_length"],
                                 frame_shift=conf["frame_shift"], dither=0.0, energy_floor=0.0, window_type=conf["window"],
                                 sample_frequency=conf["fs"], snip_edges=conf.get("snip_edges", True)).numpy()
            return values if conf["lfr_m"] == conf["lfr_n"] == 1 else stacked(values, conf["lfr_m"], conf["lfr_n"])
        yield Case("FunASR WavFrontend", described(change), "config.yaml", text,
                   conf["fs"], rows)


def espnet_cases():
    import librosa

    for change in ({}, {"fs": "8k"}, {"n_fft": 400}, {"hop_length": 160}, {"win_length": 400}, {"window": "hamming"}, {"center": False},
                   {"n_mels": 40}, {"fmin": 60, "fmax": 7000}, {"htk": True}, {"normalize": "utterance_mvn"},
                   {"win_length": 400, "center": False}, {"normalize": "utterance_mvn", "normalize_conf": {"norm_means": True, "norm_vars": True}}):
        outer = {key: value for key, value in change.items() if key.startswith("normalize")}
        conf = {key: value for key, value in change.items() if key not in outer}
        rate = 8000 if conf.get("fs") == "8k" else 16000
        text = "\n".join(yaml_of({"frontend": "default", "frontend_conf": conf or {"n_fft": 512}, "specaug": "specaug", **outer})) + "\n"

        def rows(x, conf=conf, rate=rate, outer=outer):
            size = conf.get("n_fft", 512)
            length = conf.get("win_length") or size
            window = getattr(torch, f"{conf.get('window', 'hann')}_window")(length)
            spectrum = torch.stft(torch.from_numpy(x), size, conf.get("hop_length", 128), length, window, conf.get("center", True),
                                  "reflect", False, True, return_complex=True)
            power = spectrum.abs().numpy().T.astype(np.float64) ** 2
            bank = librosa.filters.mel(sr=rate, n_fft=size, n_mels=conf.get("n_mels", 80), fmin=conf.get("fmin", 0),
                                       fmax=conf.get("fmax", rate / 2), htk=conf.get("htk", False))
            values = np.log(np.maximum(power @ bank.T.astype(np.float64), 1e-10))
            if outer:
                values = values - values.mean(axis=0)
                if "normalize_conf" in outer:
                    values = values / np.maximum(np.sqrt((values**2).mean(axis=0)), 1e-20)
            return values
        yield Case("ESPnet DefaultFrontend", described(change), "config.yaml", text,
                   rate, rows)


def function_cases():
    import librosa
    import torchaudio

    for change in ({}, {"n_fft": 1024}, {"win_length": 300}, {"hop_length": 160}, {"f_min": 60.0, "f_max": 7000.0}, {"n_mels": 40}, {"power": 1.0},
                   {"center": False}, {"win_length": 300, "center": False}, {"pad_mode": "constant"}, {"norm": "slaney"}, {"mel_scale": "slaney"}):
        kind = torchaudio.transforms.MelSpectrogram(sample_rate=16000, **change)
        yield Case("torchaudio MelSpectrogram", described(change), "mel.json",
                   json.dumps({"sample_rate": 16000, "n_fft": 400, **change}), 16000, lambda x, kind=kind: kind(torch.from_numpy(x)).numpy().T)
    for change in ({}, {"n_mfcc": 20}, {"log_mels": True}, {"melkwargs": {"n_fft": 512, "n_mels": 64, "mel_scale": "slaney"}}):
        kind = torchaudio.transforms.MFCC(sample_rate=16000, **change)
        yield Case("torchaudio MFCC", described(change), "mfcc.json",
                   json.dumps({"sample_rate": 16000, "n_mfcc": 40, **change}), 16000, lambda x, kind=kind: kind(torch.from_numpy(x)).numpy().T)
    shared = ({"n_fft": 1024}, {"win_length": 1000}, {"win_length": 1000, "center": False}, {"hop_length": 256}, {"window": "hamming"}, {"center": False}, {"pad_mode": "reflect"},
              {"power": 1.0}, {"n_mels": 64}, {"fmin": 60, "fmax": 8000}, {"htk": True})
    for change in ({}, *shared, {"norm": None}):
        yield Case("librosa melspectrogram", described(change), "mel.json",
                   json.dumps({"sr": 22050, "n_fft": 2048, **change}), 22050,
                   lambda x, change=change: librosa.feature.melspectrogram(y=x, sr=22050, **change).T)
    for change in ({}, *shared, {"n_mfcc": 13}, {"lifter": 22}, {"mel_norm": None}):
        yield Case("librosa mfcc", described(change), "mfcc.json",
                   json.dumps({"sr": 22050, "n_mfcc": 20, **change}), 22050, lambda x, change=change: librosa_mfcc(x, **change))


def librosa_mfcc(x, mel_norm="slaney", n_mfcc=20, lifter=0, **mel):
    import librosa

    power = librosa.feature.melspectrogram(y=x, sr=22050, norm=mel_norm, **mel)
    return librosa.feature.mfcc(S=librosa.power_to_db(power), n_mfcc=n_mfcc, lifter=lifter).T


FAMILIES = {"transformers": transformers_cases, "nemo": nemo_cases, "kaldi": kaldi_cases, "lhotse": lhotse_cases, "wenet": wenet_cases, "funasr": funasr_cases,
            "espnet": espnet_cases, "functions": function_cases}


def compared(case, folder, program):
    """The greatest difference over the signals as a part of the range, or why there is none."""
    path = folder / case.file
    path.write_text(case.text)
    sounds = signals(case.rate)
    if case.trim == "odd":
        # Where the number of samples is a multiple of the hop, the original has a hop of zeros more: a remark says so.
        del sounds["long"]
    rows = ["path,id"]
    for name, samples in sounds.items():
        soundfile.write(folder / f"{name}-{case.rate}.wav", samples, case.rate, subtype="FLOAT")
        rows.append(f"{name}-{case.rate}.wav,{name}")
    (folder / "manifest.csv").write_text("\n".join(rows) + "\n")
    output = folder / "features.h5"
    command = [program, "extract", folder / "manifest.csv", "-o", output, "--preset", path, "--progress", "none", "--quiet", "--overwrite"]
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode:
        return math.inf, result.stderr.strip()
    worst, why = 0.0, ""
    with h5py.File(output) as file:
        values, clips = file["features"][:], file["clips"]
        ids = [name.decode() for name in clips["id"][:]]
        for name, start, count in zip(ids, clips["frame_start"][:], clips["frame_count"][:]):
            ours = values[start : start + count].astype(np.float64)
            theirs = np.asarray(case.original(sounds[name]), np.float64)
            if case.trim == "shorter":
                least = min(len(ours), len(theirs))
                ours, theirs = ours[:least], theirs[:least]
            if ours.shape != theirs.shape:
                return math.inf, f"{name}: expected shape {list(theirs.shape)}, found {list(ours.shape)}"
            extent = max(theirs.max(), 0) - min(theirs.min(), 0)
            share = float(np.max(np.abs(ours - theirs)) / extent)
            if not share <= worst:
                worst, why = share, name
    return worst, why


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--table", type=Path)
    arguments = parser.parse_args()
    program = os.environ.get("VEERY", ".build/release/veery")
    sys.path.insert(0, str(Path(__file__).parent))
    found, failures = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for family, cases in FAMILIES.items():
            for case in cases():
                if arguments.only and arguments.only.lower() not in f"{family} {case.name}".lower():
                    continue
                worst, why = compared(case, Path(folder), program)
                count, most = found.get(case.name, (0, 0.0))
                found[case.name] = (count + 1, max(most, worst))
                if not worst <= case.limit:
                    failures += 1
                    print(f"FAILED {case.name} ({case.changed}): {worst:.3g} {why}", flush=True)
    lines = ["| class | files compared | greatest difference, as a part of the range |", "|---|---|---|"]
    lines += [f"| {name} | {count} | {most:.1e} |" for name, (count, most) in found.items()]
    print("\n".join(lines))
    print(f"{sum(count for count, _ in found.values())} files, {failures} differ by more than {LIMIT:g}")
    if arguments.table:
        write(arguments.table, lines)
    return 1 if failures or not found else 0


def write(path, lines):
    """Puts the table between its marks."""
    start, end = "<!-- model files: written by Tests/Parity/model_files.py -->", "<!-- end of model files -->"
    text = path.read_text()
    before, rest = text.split(start)
    path.write_text(before + "\n".join([start, *lines, end]) + rest.split(end)[1])


if __name__ == "__main__":
    sys.exit(main())
