"""Compares presets whose originals take a sample rate with these originals at seven rates, on real recordings.

    python rates.py --audio DIR [--table FILE] [--only TEXT]

Runs the program in the environment variable VEERY (default: .build/release/veery). The originals that define frames by times turn
them into samples by rules of their own, which differ at 11,025, 22,050 and 44,100 Hz. For each rate there are 24 excerpts of real
recordings and the made clips of models.py, whose goals hold here, too; that of report.py for cepstra. Every clip that the original
computes has to have as many rows there. Exit status 1 where a goal is missed.
"""

import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import peers
import peers_models
import reference
import reference_models
from clips import COUNTS
from models import GOAL, Results, check_original, compare, main
from report import REFERENCE_GOAL

RATES, REAL = tuple(COUNTS), 24


@dataclass(frozen=True)
class Case:
    preset: str
    program: str
    # Functions of the samples and the rate.
    formula: Callable
    original: Callable
    # Greatest distance of the original from the formula: about three times what was measured.
    limit: float
    # Settings in addition to the rate.
    settings: Callable = lambda rate: ()
    # The original takes half of an odd rate rounded down to a whole number of Hz: the formula with that.
    quirk: Callable | None = None
    # Greatest distance of Veery from float64.
    goal: float = GOAL


def of_signal(formula):
    """A function of reference.py, of a mono signal."""
    return lambda x, rate: formula(np.asarray(x, np.float64)[:, None], rate)


def speechbrain_length(rate):
    """The default is 400, which is too short for 25 ms above 16 kHz: there, the next power of two."""
    return 400 if rate <= 16000 else 1 << (rate * 25 // 1000).bit_length()


def with_length(function, **options):
    return lambda x, rate: function(x, rate, speechbrain_length(rate), **options)


def below_the_edge(rate):
    """lhotse's and icefall's high_freq is -400."""
    return (f"transform.high={rate / 2 - 400}",)


CASES = [
    Case("kaldi-fbank", "kaldi-native-fbank", of_signal(reference.kaldi_fbank), peers.kaldi_fbank, 4e-2),
    Case("kaldi-mfcc", "kaldi-native-fbank", of_signal(reference.kaldi_mfcc), peers.kaldi_mfcc, 2e-2, goal=REFERENCE_GOAL),
    Case("htk-mfcc", "kaldi-native-fbank set up as HTK", of_signal(reference.htk_mfcc), peers.htk_mfcc, 2e-5),
    Case("icefall", "kaldi-native-fbank", reference_models.icefall, peers_models.icefall, 4e-3, below_the_edge),
    Case("lhotse-fbank", "lhotse", reference_models.lhotse_fbank, peers_models.lhotse_fbank, 5e-4, below_the_edge),
    Case("ast", "ASTFeatureExtractor, torchaudio", lambda x, rate: reference_models.ast(x, rate=rate),
         lambda x, rate: peers_models.ast(x, rate=rate), 5e-4),
    Case("ast-speech-commands", "ASTFeatureExtractor, torchaudio", reference_models.ast_speech_commands, peers_models.ast_speech_commands, 5e-4),
    Case("audiomae", "torchaudio as dataset.py calls it", lambda x, rate: reference_models.audiomae(x, rate=rate),
         lambda x, rate: peers_models.audiomae(x, rate=rate), 3.5e-4),
    Case("beats", "torchaudio as BEATs.py calls it", reference_models.beats, peers_models.beats, 9e-2),
    Case("speechbrain-fbank", "SpeechBrain", with_length(reference_models.speechbrain_fbank), with_length(peers_models.speechbrain_fbank), 1.3e-4,
         lambda rate: (f"frame.fft_length={speechbrain_length(rate)}",),
         quirk=lambda x, rate: reference_models.speechbrain_fbank(x, rate, speechbrain_length(rate), rate // 2)),
    Case("seamless", "SeamlessM4TFeatureExtractor", lambda x, rate: reference_models.seamless(x, rate=rate),
         lambda x, rate: peers_models.seamless(x, rate=rate), 7e-2,
         quirk=lambda x, rate: reference_models.seamless(x, rate=rate, nyquist=rate // 2)),
    Case("espnet", "ESPnet", reference_models.espnet, peers_models.espnet, 2.3e-3),
]


def compared(run, case, rate):
    """The results of a preset at a rate."""
    clips, manifest = run.clips(rate)
    ours, reasons = run.extract(case.preset, (f"audio.sample_rate={rate}", *case.settings(rate)), manifest)
    results = Results()
    definition = case.quirk and rate % 2 and (lambda x: case.quirk(x, rate))
    for clip in clips:
        compare(clip, ours.get(clip.id), reasons.get(clip.id), lambda x: case.formula(x, rate), (lambda x: case.original(x, rate), case.program),
                results, goal=case.goal, definition=definition)
    check_original(results, (case.limit, math.inf), run.real)
    # Lengths and hops that are a sample off show here first.
    results.problems += [f"{count} clips have another number of rows in the original: {remark}"
                         for remark, count in results.remarks.items() if " rows: " in remark]
    return results


def cell(results):
    return f"{results.apart:.1e} ({results.exact:.0e})" + (" missed" if results.problems else "")


def table(measured, source):
    versions = ", ".join(f"{name} {peers_models.VERSIONS[name]}" for name in (
        "python", "numpy", "torch", "torchaudio", "transformers", "lhotse", "kaldi-native-fbank", "speechbrain", "espnet"))
    heads = ["preset", "original", *(f"{rate / 1000:g} kHz" for rate in RATES), "original to its definition", "goals"]
    lines = [f"Measured on {source}, with {versions}: Veery to the original, and in brackets to float64.", "",
             "| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for case, found in measured:
        goal = "missed" if any(results.problems for results in found) else "met"
        cells = [case.preset, case.program, *map(cell, found), f"{max(results.original for results in found):.1e}", goal]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def measure(run):
    """The table, and the goals that are missed."""
    measured = []
    for case in CASES:
        if run.wants(case.preset):
            started = time.monotonic()
            measured.append((case, [compared(run, case, rate) for rate in RATES]))
            print(f"rates: {case.preset}: {time.monotonic() - started:.1f} s", file=sys.stderr)
    missed = [f"{case.preset} at {rate} Hz: {problem}" for case, found in measured for rate, results in zip(RATES, found)
              for problem in results.problems[:5]]
    return {"rates": table(measured, f"{run.source} each rate")}, missed


if __name__ == "__main__":
    main("rates", "Compares presets with their originals at several sample rates.", measure, REAL)
