"""Makes frame-counts.json: how many frames librosa, PyTorch and Kaldi make of 1 … 5000 samples.

    python make_peer_goldens.py            writes the file
    python make_peer_goldens.py --check    compares it with what it would write, and changes nothing

Every count is the number of frames that the program itself returned for a signal of that many samples: no formula is
used. `make parity` installs the packages into .venv-parity.
"""

import platform
import warnings
from pathlib import Path

import kaldi_native_fbank
import librosa
import numpy as np
import torch

from make_goldens import main

GENERATOR = {
    "script": Path(__file__).name,
    "python": platform.python_version(),
    "numpy": np.__version__,
    "librosa": librosa.__version__,
    "torch": torch.__version__,
    "kaldi-native-fbank": kaldi_native_fbank.__version__,
}
LONGEST = 5000
SHAPES = [  # length, hop, fft_length
    (400, 160, 512), (400, 160, 400), (200, 80, 256), (400, 200, 400), (1024, 256, 1024), (2048, 512, 2048),
    (512, 512, 512), (401, 163, 401), (399, 161, 511), (551, 220, 1024), (100, 250, 257), (25, 10, 32), (7, 3, 8), (5, 9, 16),
    (3, 2, 3)]


def librosa_stft(center):
    def count(x, length, hop, fft_length):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return librosa.stft(x, n_fft=fft_length, hop_length=hop, win_length=length, center=center).shape[-1]

    return count


def librosa_frame(x, length, hop, fft_length):
    return librosa.util.frame(x, frame_length=length, hop_length=hop).shape[-1]


def torch_stft(center):
    def count(x, length, hop, fft_length):
        return torch.stft(
            torch.from_numpy(x), fft_length, hop, length, torch.ones(length), center=center, return_complex=True).shape[-1]

    return count


def kaldi(snip_edges):
    def count(x, length, hop, fft_length):
        options = kaldi_native_fbank.RawAudioSamplesOptions()
        options.frame_opts.samp_freq = 1000
        options.frame_opts.frame_length_ms = length
        options.frame_opts.frame_shift_ms = hop
        options.frame_opts.dither = 0
        options.frame_opts.snip_edges = snip_edges
        return frames_of(kaldi_native_fbank.OnlineRawAudioSamples(options), x)

    return count


def frames_of(computer, x):
    computer.accept_waveform(1000, x.tolist())
    computer.input_finished()
    return computer.num_frames_ready


COUNTERS = {
    "librosa_center": librosa_stft(True), "librosa_start": librosa_stft(False), "librosa_frame": librosa_frame,
    "torch_center": torch_stft(True), "torch_start": torch_stft(False),
    "kaldi_snip": kaldi(True), "kaldi_mirror": kaldi(False)}


def count_or_none(counter, x, shape):
    """None where the program refuses the signal."""
    try:
        return counter(x, *shape)
    except (librosa.ParameterError, RuntimeError):
        return None


def segments(counts):
    """[first n, count, every]: from n on the count is that, and grows by one every so many samples (0: it is constant).

    This describes any sequence; one that grows evenly becomes short. Each segment holds until the next one's first n.
    """
    runs = []
    for n, count in enumerate(counts, start=1):
        if not runs or count != runs[-1][1]:
            runs.append([n, count, 0])
        runs[-1][2] += 1
    found = []
    for index, (n, count, extent) in enumerate(runs):
        is_last = index == len(runs) - 1
        if found and count is not None and found[-1][1] is not None:
            start, first, every = found[-1]
            # The segment's first run tells the step; this run goes on from it, and may be cut short by the end.
            if n - start == every * (count - first) and (extent == every or (is_last and extent < every)):
                continue
        found.append([n, count, extent])
    for index, segment in enumerate(found):
        following = found[index + 1][0] if index + 1 < len(found) else len(counts) + 1
        if segment[1] is None or following - segment[0] <= segment[2]:
            segment[2] = 0
    assert expanded(found, len(counts)) == counts
    return found


def expanded(found, total):
    counts = []
    for index, (n, count, every) in enumerate(found):
        following = found[index + 1][0] if index + 1 < len(found) else total + 1
        counts += [count + (i // every if every else 0) if count is not None else None for i in range(following - n)]
    return counts


def frame_counts():
    noise = np.random.default_rng(0).uniform(-1, 1, LONGEST).astype(np.float32)
    cases = []
    for shape in SHAPES:
        case = dict(zip(("length", "hop", "fft_length"), shape))
        for name, counter in COUNTERS.items():
            case[name] = segments([count_or_none(counter, noise[:n], shape) for n in range(1, LONGEST + 1)])
        cases.append(case)
    return {
        "definition": "numbers of frames for n = 1 ... longest samples; each list holds [first n, count, every]: from n on, until "
                      "the next entry's n, count + floor((samples - n) / every), or just count where every is 0; a count of null: refused",
        "longest": LONGEST, "cases": cases}


if __name__ == "__main__":
    main("Makes frame-counts.json.", {}, {"frame-counts.json": frame_counts}, GENERATOR)
