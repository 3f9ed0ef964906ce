"""Compares presets whose originals take a sample rate with these originals at seven rates, on real recordings.

    python rates.py --audio DIR [--table FILE] [--only TEXT]

Runs the program in the environment variable VEERY (default: .build/release/veery). The originals that define frames by times turn
them into samples by rules of their own, which differ at 11,025, 22,050 and 44,100 Hz. For each rate there are 24 excerpts of real
recordings and the made clips of models.py, whose goals hold here, too; that of report.py for cepstra. Exit status 1 where one is missed.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import peers
import peers_models
import reference
import reference_models
from clips import COUNTS, recordings
from measure import extent_of, extract
from models import GOAL, MINIMUM, ROOT, Figures, clips_at, compare, greatest
from report import REFERENCE_GOAL

BEGIN, END = "<!-- rates: begin (written by rates.py) -->", "<!-- rates: end -->"
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
    # Settings besides the rate.
    settings: Callable = lambda rate: ()
    # What rounding rows before normalisation explains, for each column.
    rounding: Callable | None = None
    # The original takes half of an odd rate rounded down to a whole number of Hz: the formula with that.
    quirk: Callable | None = None
    # Of Veery from float64.
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
         lambda x, rate: peers_models.seamless(x, rate=rate), 7e-2, rounding=reference_models.seamless_rounding,
         quirk=lambda x, rate: reference_models.seamless(x, rate=rate, nyquist=rate // 2)),
    Case("espnet", "ESPnet", reference_models.espnet, peers_models.espnet, 2.3e-3),
]


def measure(program, case, rate, clips, manifest, folder):
    """The figures of a preset at a rate, and the greatest distance of the original from its own definition."""
    settings = (f"audio.sample_rate={rate}", *case.settings(rate))
    arguments = ["--preset", case.preset, *(word for text in settings for word in ("--set", text))]
    ours, reasons = extract(program, arguments, manifest, folder / "features.h5", normalize=True)
    figures, own = Figures(), 0.0
    rounding = case.rounding and (lambda x: case.rounding(x, rate))
    definition = case.quirk if case.quirk and rate % 2 else case.formula
    for clip in clips:
        compare(clip, ours.get(clip.id), reasons.get(clip.id), lambda x: case.formula(x, rate), (lambda x: case.original(x, rate), case.program),
                rounding, figures, goal=case.goal)
        own = max(own, distance(case.original, definition, clip, rate))
    if not own <= case.limit:
        figures.problems.append(f"the original is {own:.1e} of the range from its definition, more than {case.limit:.1e}")
    return figures, own


def distance(original, definition, clip, rate):
    """Of the original from its definition, as a part of the clip's range; 0 where there is nothing to compare, or silence."""
    x = clip.mono(True)
    expected = definition(x, rate)
    try:
        theirs = np.asarray(original(x, rate), np.float64)
    except Exception:  # noqa: BLE001: `compare` counts it
        return 0.0
    if theirs.shape != expected.shape or not len(expected) or not np.isfinite(theirs).all() or "silence" in clip.id:
        return 0.0
    extent = extent_of(expected)
    return greatest(theirs, expected) / extent if extent > 1e-6 else 0.0


def cell(figures):
    return f"{figures.apart:.1e} ({figures.unexplained:.0e})" + (" missed" if figures.problems else "")


def table(measured, source):
    versions = ", ".join(f"{name} {peers_models.VERSIONS[name]}" for name in (
        "python", "numpy", "torch", "torchaudio", "transformers", "lhotse", "kaldi-native-fbank", "speechbrain", "espnet"))
    heads = ["preset", "original", *(f"{rate / 1000:g} kHz" for rate in RATES), "original to its definition", "goals"]
    lines = [f"Measured on {source}, with {versions}: Veery to the original, and in brackets to float64.", "",
             "| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for case, found in measured:
        goal = "missed" if any(figures.problems for figures, _ in found) else "met"
        cells = [case.preset, case.program, *(cell(figures) for figures, _ in found), f"{max(own for _, own in found):.1e}", goal]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description="Compares presets with their originals at several sample rates.")
    parser.add_argument("--audio", type=Path, required=True, help="folder of recordings")
    parser.add_argument("--table", type=Path, help="Markdown file to write the table into, between its marker lines")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="only the presets whose name contains it")
    options = parser.parse_args()
    program = Path(os.environ.get("VEERY", ROOT / ".build" / "release" / "veery")).resolve()
    found = recordings(options.audio) if options.audio.is_dir() else []
    if len(found) < MINIMUM:
        print(f"rates: SKIPPED: {len(found)} recordings in {options.audio}, at least {MINIMUM} are needed", file=sys.stderr)
        return
    measured, missed, made = [], [], {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for case in CASES:
            if options.only and not any(part in case.preset for part in options.only):
                continue
            started, results = time.monotonic(), []
            for rate in RATES:
                if rate not in made:
                    made[rate] = clips_at(rate, folder, options.audio, found, REAL)
                figures, own = measure(program, case, rate, *made[rate], folder)
                results.append((figures, own))
                missed += [f"{case.preset} at {rate} Hz: {problem}" for problem in figures.problems[:5]]
            measured.append((case, results))
            print(f"rates: {case.preset}: {time.monotonic() - started:.1f} s", file=sys.stderr)
    count = sum(len(clips) for clips, _ in made.values()) // len(RATES)
    text = table(measured, f"{REAL} excerpts of {len(found)} recordings and {count - REAL} made clips at each rate")
    print(text)
    if options.table and not options.only:
        before, rest = options.table.read_text(encoding="utf-8").split(BEGIN)
        options.table.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}", encoding="utf-8")
    if missed:
        sys.exit("rates: " + "\nrates: ".join(missed))


if __name__ == "__main__":
    main()
