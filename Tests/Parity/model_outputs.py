"""Runs models, whose weights are in packages, on their own arrays and on Veery's, for real recordings.

    python model_outputs.py --audio DIR [--table FILE] [--only TEXT]

Runs the program in the environment variable VEERY, as models.py. Goal: the greatest output is the same one in 99.9 % of all frames or
windows, of which there are at least 1000. The greatest difference of an output is printed: of a probability, or of an embedding
of length 1. Exit status 1 where the goal is missed.

- resemblyzer: windows of 160 rows; the greatest of 256 numbers of the embedding.
- openWakeWord: windows of 76 rows; the greatest of 96 numbers of Google's speech embedding, and of 16 such embeddings whether a word
  was heard, for each of five words.
- BatDetect2: for each column of the picture, at each of its frequencies, the most probable species. There are no bats among the
  recordings: their samples are taken for those of 256 kHz, as if they were played 5.8 times as fast.
- Silero VAD: 512 samples, with 64 before them; whether there is speech.
"""

import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import onnxruntime
import soundfile
import torch

import peers_sound
import peers_voices
from clips import excerpt, spread, write, write_manifest
from loading import as_imported, located
from models import main

SHARE, LEAST = 0.999, 1000


def windows(rows, length, hop):
    """[windows, length, columns]"""
    if len(rows) < length:
        return np.zeros((0, length, rows.shape[1]), np.float32)
    found = np.lib.stride_tricks.sliding_window_view(rows, length, axis=0)[::hop].swapaxes(1, 2)
    return np.ascontiguousarray(found, np.float32)


# -------------------------------------------------------------------------------------------------------------- models


@functools.cache
def voice_encoder():
    as_imported("resemblyzer", "resemblyzer/hparams.py")
    return as_imported("resemblyzer", "resemblyzer/voice_encoder.py").VoiceEncoder("cpu", verbose=False).eval()


def resemblyzer(rows):
    with torch.no_grad():
        return {"embedding": voice_encoder()(torch.from_numpy(windows(rows, 160, 10))).numpy()}


@functools.cache
def session(package, path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(located(package, path), options, providers=["CPUExecutionProvider"])


WORDS = ("alexa", "hey_jarvis", "hey_marvin", "hey_mycroft", "weather")


def openwakeword(rows):
    """The embeddings of windows of 76 rows every 8, and the words by 16 of them."""
    model = session("openwakeword", "openwakeword/resources/models/embedding_model.onnx")
    embeddings = model.run(None, {"input_1": windows(rows, 76, 8)[..., None]})[0].reshape(-1, 96)
    made = {"embedding": embeddings}
    for word in WORDS:
        network = session("openwakeword", f"openwakeword/resources/models/{word}_v0.1.onnx")
        name, count = network.get_inputs()[0].name, network.get_inputs()[0].shape[1]
        found = [network.run(None, {name: window[None]})[0].ravel()[:1] for window in windows(embeddings, count, 1)]
        made[word] = heard(np.array(found))
    return made


def heard(probability):
    """The probabilities of nothing and of something: [windows, 2]"""
    return np.concatenate([1 - probability, probability], axis=1) if len(probability) else np.zeros((0, 2))


@functools.cache
def bat_network():
    as_imported("batdetect2", "batdetect2/types.py")
    as_imported("batdetect2", "batdetect2/detector/model_helpers.py")
    networks = as_imported("batdetect2", "batdetect2/detector/models.py")
    stored = torch.load(located("batdetect2", "batdetect2/models/Net2DFast_UK_same.pth.tar"), map_location="cpu", weights_only=True)
    of = stored["params"]
    network = networks.Net2DFast(of["num_filters"], num_classes=len(of["class_names"]), emb_dim=of["emb_dim"], ip_height=of["ip_height"],
                                 resize_factor=of["resize_factor"])
    network.load_state_dict(stored["state_dict"])
    return network.eval()


def batdetect2(rows):
    """The probabilities of species and background: [columns x frequencies, species + 1]"""
    picture = torch.from_numpy(np.ascontiguousarray(rows.T, np.float32))[None, None]
    with torch.no_grad():
        found = bat_network()(picture).pred_class[0].numpy()
    return {"species": found.reshape(len(found), -1).T}


def silero_vad(rows):
    """Each row is a chunk with the samples before it; the state goes from one to the next."""
    model, state, found = session("silero-vad", "silero_vad/data/silero_vad.onnx"), np.zeros((2, 1, 128), np.float32), []
    for row in rows.astype(np.float32):
        probability, state = model.run(None, {"input": row[None], "state": state, "sr": np.array(16000, np.int64)})
        found.append(probability[0])
    return {"speech": heard(np.array(found))}


def silero_chunks(x):
    """OnnxWrapper of utils_vad.py: the last 64 samples of a chunk go before the next, zeros complete the last chunk"""
    x = np.pad(x, (0, -len(x) % 512))
    context, made = np.zeros(64, np.float32), []
    for start in range(0, len(x), 512):
        made.append(np.concatenate([context, x[start:start + 512]]))
        context = made[-1][-64:]
    return np.array(made).reshape(-1, 576)


# ------------------------------------------------------------------------------------------------------------ comparison


@dataclass(frozen=True)
class Model:
    preset: str
    settings: tuple
    rate: int
    # The model's own array, of samples.
    own: Callable
    # Its outputs, by what they are: [windows, numbers].
    outputs: Callable
    package: str
    # Excerpts of recordings; samples at their own rate are taken for those of the model's.
    clips: int = 200
    is_sped_up: bool = False


MODELS = {
    "resemblyzer": Model("resemblyzer", (), 16000, peers_voices.resemblyzer, resemblyzer, "resemblyzer"),
    "openwakeword": Model("openwakeword", (), 16000, peers_voices.openwakeword, openwakeword, "openwakeword"),
    "batdetect2": Model("batdetect2", (), 256000, peers_sound.batdetect2, batdetect2, "batdetect2", 40, True),
    "silero-vad": Model("silero-vad", (), 16000, silero_chunks, silero_vad, "silero-vad"),
}


def clips_of(model, run):
    made, turns = [], {}
    # Long enough for several windows, and for a sped up one.
    found = [item for item in run.found if soundfile.info(item[0]).duration >= 3 and (not model.is_sped_up or item[1] >= 44100)]
    for path, rate in spread(found, model.clips):
        turn = turns[path] = turns.get(path, -1) + 1
        try:
            mono = excerpt(path, rate if model.is_sped_up else model.rate, turn).mean(axis=1, keepdims=True).astype(np.float32)
        except soundfile.LibsndfileError:
            # A recording that says a length which it does not have.
            continue
        if model.is_sped_up:
            # 256 columns of the picture.
            mono = mono[:512 + 128 * 511]
        made.append(write(run.folder, f"{model.preset}-{len(made):03}", model.rate, mono))
    return made, write_manifest(run.folder / f"{model.preset}.csv", made)


def compared(model, run):
    """By output: number of windows, of those with another greatest number, the greatest difference; and that of the arrays."""
    clips, manifest = clips_of(model, run)
    ours, _ = run.extract(model.preset, model.settings, manifest)
    counts, apart = {}, 0.0
    for clip in clips:
        x = clip.mono(True)
        own = np.asarray(model.own(x), np.float32)
        if clip.id not in ours or not len(own):
            continue
        if own.shape != ours[clip.id].shape:
            sys.exit(f"{model.preset}: {clip.id}: its own array is {own.shape}, Veery's {ours[clip.id].shape}")
        apart = max(apart, float(np.abs(own - ours[clip.id]).max() / (np.ptp(own) or 1)))
        theirs, found = model.outputs(own), model.outputs(ours[clip.id])
        for name, expected in theirs.items():
            count = counts.setdefault(name, [0, 0, 0.0])
            count[0] += len(expected)
            if len(expected):
                count[1] += int((expected.argmax(axis=1) != found[name].argmax(axis=1)).sum())
                count[2] = max(count[2], float(np.abs(expected - found[name]).max()))
    return counts, apart


def measure(run):
    rows, missed = [], []
    for name, model in MODELS.items():
        if not run.wants(name):
            continue
        counts, apart = compared(model, run)
        for what, (count, other, difference) in counts.items():
            is_met = count >= LEAST and other <= (1 - SHARE) * count
            rows.append(f"| {name} | {what} | {count:,} | {count - other:,} | {difference:.1e} | {apart:.1e} | {'met' if is_met else 'missed'} |")
            if not is_met:
                missed.append(f"{name}, {what}: {other} of {count} differ")
    heads = ("model", "output", "frames or windows", "the same is greatest", "greatest difference of an output", "of the arrays, part of the range",
             "goals")
    return {"outputs": "\n".join(["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), *rows])}, missed


if __name__ == "__main__":
    main("model_outputs", "Runs models on their own arrays and on Veery's.", measure, 0)
