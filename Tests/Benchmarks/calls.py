"""Single calls from Python, 10 s of noise, one thread: `veery.FeaturePlan.features` against Veery in Swift, torchaudio and librosa.

    calls.py CHECKOUT KERNELS [ROUNDS]      KERNELS: the program of the package Kernels

Prints a Markdown table. Two functions are called alternately, so that other load affects both; the result is the median of the ratios
of all rounds. Everything that can be made once is made once: plans, transforms, filter banks.
"""
import importlib.util
import os
import pathlib
import statistics
import subprocess
import sys
import threading
import time

for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402

CHECKOUT, KERNELS = pathlib.Path(sys.argv[1]), sys.argv[2]
ROUNDS = int(sys.argv[3]) if sys.argv[3:] not in ([], ["worker"]) else 9
CALLS = 40
SECONDS = 10
sys.path.insert(0, str(CHECKOUT / "Sources" / "Python"))
from veery.plan import FeaturePlan  # noqa: E402


def signal(rate):
    return np.random.default_rng(1).uniform(-0.5, 0.5, SECONDS * rate).astype(np.float32)


def timed(function):
    """Seconds of CALLS calls."""
    begin = time.perf_counter()
    for _ in range(CALLS):
        function()
    return time.perf_counter() - begin


def row(name, goal, ours, theirs):
    """A row: how many times ours the others' time is."""
    ours(), theirs()
    pairs = []
    for number in range(ROUNDS):
        if number % 2:
            a, b = ours(), theirs()
        else:
            b, a = theirs(), ours()
        pairs.append((a, b))
    ratios = sorted(b / a for a, b in pairs)
    middle = statistics.median
    print(f"| {name} | **{middle(ratios):.2f}** | {ratios[0]:.2f}–{ratios[-1]:.2f} | {goal} "
          f"| {middle(a for a, _ in pairs) / CALLS * 1e3:.2f} | {middle(b for _, b in pairs) / CALLS * 1e3:.2f} |", flush=True)


def swift():
    process = subprocess.Popen([KERNELS, "--calls", str(SECONDS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run():
        print(CALLS, file=process.stdin, flush=True)
        return float(process.stdout.readline())

    return run


def torchaudio_log_mel():
    import torch
    import torchaudio
    torch.set_num_threads(1)
    # The geometry of Veery's log-mel: 56 zeros put torchaudio's centred windows over the same samples.
    mel = torchaudio.transforms.MelSpectrogram(
        16_000, n_fft=512, win_length=400, hop_length=160, pad=56, center=False, n_mels=80, f_min=0, f_max=8000,
        mel_scale="slaney", norm="slaney")
    samples = torch.from_numpy(signal(16_000))

    @torch.inference_mode()
    def call():
        return mel(samples).clamp_(min=1e-10).log_().T.numpy()

    return call


def librosa_defaults():
    import librosa
    samples = signal(22_050)
    return lambda: librosa.power_to_db(librosa.feature.melspectrogram(y=samples, sr=22_050)).T


def librosa_log_mel():
    import librosa
    samples = signal(16_000)
    return lambda: np.log(np.maximum(librosa.feature.melspectrogram(
        y=samples, sr=16_000, n_fft=400, hop_length=160, n_mels=80, center=False), 1e-10)).T


def main():
    samples = signal(16_000)
    plan = FeaturePlan("log-mel", normalize=False)

    def ours():
        return timed(lambda: plan.features(samples))

    print("| Veery in Python against | **time, other ÷ Veery** | least–most | goal | Veery, ms a call | other, ms a call |")
    print("|---|---|---|---|---|---|")
    row("Veery in Swift, `log-mel`", "≥ 0.91", ours, swift())
    peers = [
        ("torchaudio", "torchaudio, the same geometry", "≥ 3", ours, torchaudio_log_mel),
        ("librosa", "librosa, `power_to_db(melspectrogram(y))`, all defaults, against `librosa-log-mel`", "≥ 5", None, librosa_defaults),
        ("librosa", "librosa, 400/160/80, against the same of `log-mel`", "≥ 3", None, librosa_log_mel)]
    for package, name, goal, own, make in peers:
        if importlib.util.find_spec(package) is None:
            print(f"| {name} | not installed | | {goal} | | |")
            continue
        if own is None and make is librosa_defaults:
            music, defaults = signal(22_050), FeaturePlan("librosa-log-mel", 22_050)
            own = lambda: timed(lambda: defaults.features(music))  # noqa: E731
        elif own is None:
            short = FeaturePlan("log-mel", settings={"frame.fft_length": 400}, normalize=False)
            own = lambda: timed(lambda: short.features(samples))  # noqa: E731
        call = make()
        row(name, goal, own, lambda: timed(call))

    def threads():
        """The time that two threads need for twice the calls, doubled: as one thread would need for them."""
        begin = time.perf_counter()
        both = [threading.Thread(target=timed, args=(lambda: plan.features(samples),)) for _ in range(2)]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        return time.perf_counter() - begin

    row("two threads: twice the calls by one thread", "≥ 1.7", threads, lambda: 2 * ours())
    other = worker()

    def processes():
        """The same by two processes, which share nothing: what the machine gives two threads at most."""
        begin = time.perf_counter()
        print(CALLS, file=other.stdin, flush=True)
        ours()
        other.stdout.readline()
        return time.perf_counter() - begin

    row("two processes, against the same: the limit of the machine", "", processes, lambda: 2 * ours())
    other.stdin.close()


def worker():
    """Another process that answers a line by the calls of `ours`."""
    return subprocess.Popen([sys.executable, __file__, str(CHECKOUT), KERNELS, "worker"], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True)


def work():
    samples, plan = signal(16_000), FeaturePlan("log-mel", normalize=False)
    for _ in sys.stdin:
        print(timed(lambda: plan.features(samples)), flush=True)


if __name__ == "__main__":
    work() if sys.argv[3:] == ["worker"] else main()
