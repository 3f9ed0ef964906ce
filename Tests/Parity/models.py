"""Compares the presets of models and toolkits with the originals and with float64, on real recordings.

    python models.py --audio DIR [--table FILE] [--only TEXT]

Runs the program in the environment variable VEERY (default: .build/release/veery). Every clip is at the preset's own rate: at least
100 excerpts of real recordings, and for each rate clips of 1 sample to 60 s, silence, and full scale. Goals: Veery is within 1e-6
of a clip's range of float64, and no farther from the original than float64 is, plus 1e-6; the original itself is within
`peers_models.LIMITS` of float64, except for silence and clips that it computes differently. Exit status 1 where a goal is missed. A
second table says what another resampler changes.
"""

import argparse
import math
import os
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import resampy
import soxr
import torch
import torchaudio

import peers_models
from clips import excerpt, recordings, spread, write, write_manifest
from measure import extent_of, extract
from reference_models import MODELS, RATES, ast, clap, panns_cnn14, parakeet, seamless
from reference_sound import batdetect2, eat, passt
from reference_voices import paraformer, vocos_same

ROOT = Path(__file__).resolve().parents[2]
MARKS = {name: (f"<!-- {name}: begin (written by {script}) -->", f"<!-- {name}: end -->")
         for name, script in (("models", "models.py"), ("resampling", "models.py"), ("rates", "rates.py"), ("resamplers", "resamplers.py"),
                              ("outputs", "model_outputs.py"))}
GOAL, MINIMUM = 1e-6, 100
REAL = 120
# Seconds that an excerpt has to have for a row: a patch is longer than most recordings of words.
SECONDS = {"vggish": 1}
# How the originals' own code, or its examples, resamples to the model's rate where that is not soxr.
RESAMPLED = {
    "vggish": "resampy", "yamnet": "resampy", "birdnet-low": "resampy, kaiser_fast", "birdnet-high": "resampy, kaiser_fast",
    "seamless": "torchaudio", "wav2vec2": "torchaudio", "encodec": "torchaudio"}
RESAMPLED_CLIPS, RESAMPLED_FROM = 40, 44100
# Samples: about a hop, a frame, half an FFT and an FFT of each preset, on both sides.
LENGTHS = (1, 2, 3, 10, 79, 80, 100, 120, 159, 160, 161, 199, 200, 201, 239, 240, 256, 257, 279, 280, 281, 319, 320, 321, 399, 400, 401, 479,
           480, 512, 513, 559, 560, 640, 1023, 1024, 1025, 1600, 4000, 8000, 8001)
VARIANTS = [
    ("parakeet, 128 bands", "parakeet", ("transform.bins=128",), lambda x: parakeet(x, 128),
     (lambda x: peers_models.parakeet(x, 128), "ParakeetFeatureExtractor")),
    ("parakeet", "parakeet", (), MODELS["parakeet"], (peers_models.parakeet_nemo, "NeMo's FilterbankFeatures")),
    ("ast", "ast", (), MODELS["ast"], (peers_models.ast_without_torchaudio, "ASTFeatureExtractor, NumPy")),
    ("ast, rows of the clip", "ast", ("rows=null",), lambda x: ast(x, count=None), None),
    ("clap, not quantised", "clap", ("condition.gain=none",), lambda x: clap(x, False),
     (lambda x: peers_models.clap(x[:480000], is_quantized=False), "ClapFeatureExtractor")),
    ("seamless, w2v-BERT's padding", "seamless", ("rows.fill=1",), lambda x: seamless(x, 1.0),
     (lambda x: peers_models.seamless(x, 1.0), "SeamlessM4TFeatureExtractor, padding_value 1")),
    ("clap, bands of the fused model", "clap", ("transform.mel_scale=htk", "transform.mel_norm=none"), lambda x: clap(x, is_fused=True),
     (lambda x: peers_models.clap(x[:480000], is_fused=True), "ClapFeatureExtractor, quantised before")),
    ("paraformer, Fun-ASR-Nano", "paraformer", ("audio.scale=unit",), lambda x: paraformer(x, 1.0),
     (peers_models.peers_voices.fun_asr, "FunAsrNanoFeatureExtractor")),
    ("eat, AVEX", "eat", ("normalize.mean=-5.553", "normalize.std=9.212"), lambda x: eat(x, mean=-5.553, std=4.606), (peers_models.peers_sound.eat_of_avex, "avex")),
    ("bigvgan-24k, UnivNet", "bigvgan-24k", (), MODELS["bigvgan-24k"], (peers_models.peers_voices.univnet, "UnivNetFeatureExtractor")),
    ("passt, its own upper edge", "passt", ("transform.high=15500",), lambda x: passt(x, 15500),
     (lambda x: peers_models.peers_sound.passt(x, 15500), "hear21passt")),
    ("vocos, padding same", "vocos", ("frame.align=half",), vocos_same, (lambda x: peers_models.peers_voices.vocos(x, "same"), "vocos")),
    ("panns-cnn14, not quantised", "panns-cnn14", ("condition.gain=none",), lambda x: panns_cnn14(x, False), None),
]


# Up to this many samples, SciPy shortens the window.
OTHER = {"perch-1": 639, "perch-2": 639}
OTHERS = "takes a shorter window"
# What the original computes where that is not the formula: its limit is the distance from this.
QUIRKS = {"batdetect2": (lambda x: batdetect2(x, np.float32), "halves an odd number of rows at positions in single precision")}


@dataclass
class Results:
    """Greatest differences as fractions of the clip's range, and what the original does not compute."""

    clips: int = 0
    frames: int = 0
    without_rows: int = 0
    exact: float = 0.0
    original: float = 0.0
    apart: float = 0.0
    silence: tuple[float, float] | None = None
    # The differences of the original from float64, as shares of the extent, by clip.
    shares: list[float] = field(default_factory=list)
    remarks: Counter = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


def clips_at(rate, folder, audio, found, real=REAL):
    """Real excerpts, then the made clips: by id."""
    sounds, seen = [], {}
    for path, _ in spread(found, real):
        turn = seen[path] = seen.get(path, -1) + 1
        mono = excerpt(path, rate, turn).mean(axis=1, keepdims=True).astype(np.float32)
        sounds.append((f"r{len(sounds):03}", mono))
    source = max((mono for _, mono in sounds), key=lambda mono: (np.abs(mono).max() > 0.05, len(mono)))
    middle = len(source) // 3
    sounds += [(f"n{count:05}", source[min(middle, len(source) - count):][:count]) for count in LENGTHS]
    # At 256 kHz, what the memory of a small machine holds.
    whole = np.concatenate([mono for _, mono in sounds[:real]] * (240 // max(real, 1)))[:min(60 * rate, 4_000_000)]
    noise = np.random.default_rng(5).uniform(-1, 1, (rate, 1)).astype(np.float32)
    steps = np.sign(np.sin(2 * np.pi * 441.3 * np.arange(rate) / rate))[:, None].astype(np.float32)
    sounds += [
        ("60-s", whole), ("silence", np.zeros((rate, 1), np.float32)), ("full-scale-noise", noise), ("full-scale-steps", steps),
        ("offset", (0.5 + 0.001 * noise).astype(np.float32)), ("faint", (1e-5 * noise).astype(np.float32)),
        ("silence-then-sound", np.concatenate([np.zeros((rate // 2, 1), np.float32), 0.3 * noise[:rate // 2]]))]
    clips = [write(folder, f"{rate}-{name}", rate, signal) for name, signal in sounds]
    return clips, write_manifest(folder / f"{rate}.csv", clips)


def original_of(clip, x, call, results):
    """The original's rows; None: it raises or gives no numbers, which is counted."""
    try:
        rows = np.asarray(call(x), np.float64)
    except Exception as error:  # noqa: BLE001: whatever the original raises is a finding
        results.remarks[f"raises {type(error).__name__}: {sizes(x)}"] += 1
        return None
    if rows.size and not np.isfinite(rows).all():
        results.remarks[f"gives NaN: {sizes(x)}"] += 1
        return None
    return rows


def sizes(x):
    limit = next((limit for limit in (200, 256, 320, 400, 512, 640) if len(x) <= limit), None)
    return f"up to {limit} samples" if limit else "longer"


def compare(clip, ours, reason, reference, original, results, others=0, goal=GOAL, definition=None, quirk=None):
    """`others`: up to this many samples, the original does something else, which is counted. `definition`: what the original computes
    where that is not the reference; `quirk` says what that is, and the clips where it matters are counted."""
    x = clip.mono(True)
    expected = reference(x)
    results.clips += 1
    theirs = original_of(clip, x, original[0], results) if original else None
    if len(expected) != (0 if ours is None else len(ours)):
        results.problems.append(f"{clip.id}: float64 has {len(expected)} rows, Veery {reason or len(ours)}")
        return
    if theirs is not None and len(theirs) != len(expected):
        results.remarks[f"{len(theirs) - len(expected):+d} rows: {sizes(x)}"] += 1
        theirs = None
    if theirs is not None and len(expected) and len(x) <= others:
        results.remarks[f"{OTHERS}: {sizes(x)}"] += 1
        theirs = None
    if not len(expected):
        results.without_rows += 1
        return
    results.frames += len(expected)
    # A constant with rounding errors has no range.
    is_silent = not extent_of(expected) > 1e-6
    extent = 1.0 if is_silent else extent_of(expected)
    exact = greatest(ours, expected) / extent
    if not exact <= goal:
        results.problems.append(f"{clip.id}: {exact:.1e} of the range from float64")
    results.exact = max(results.exact, exact)
    if theirs is None:
        return
    own, apart = greatest(theirs, expected) / extent, greatest(theirs, ours) / extent
    if not apart <= own + goal:
        results.problems.append(f"{clip.id}: {apart:.1e} of the range from the original, which is {own:.1e} from float64")
    if is_silent or clip.id.endswith("silence"):
        before = results.silence or (0.0, 0.0)
        results.silence = (max(before[0], exact * extent), max(before[1], own * extent))
    else:
        if definition:
            defined = definition(x)
            if quirk and greatest(defined, expected) / extent > goal:
                results.remarks[quirk] += 1
            own = greatest(theirs, defined) / extent
        results.original, results.apart = max(results.original, own), max(results.apart, apart)
        results.shares.append(own)


def check_original(results, limit, least):
    """A formula that is wrong in the preset and in float64 alike shows only against the original, of `least` clips or more."""
    if len(results.shares) < least:
        results.problems.append(f"only {len(results.shares)} clips were compared with the original, fewer than {least}")
    for what, found, allowed in zip(("at most", "in the median"), (results.original, float(np.median(results.shares or [0]))), limit):
        if not found <= allowed:
            results.problems.append(f"the original is {what} {found:.1e} of the range from float64, more than {allowed:.1e}")


def greatest(first, second):
    """The greatest difference."""
    value = float(np.max(np.abs(first.astype(np.float64) - second)))
    return value if math.isfinite(value) else math.inf


def line(name, what, results):
    peer = "–" if what is None else what
    numbers = [f"{results.exact:.1e}", "–" if what is None else f"{results.original:.1e}", "–" if what is None else f"{results.apart:.1e}"]
    silence = "–" if results.silence is None else f"{results.silence[0]:.1e}, {results.silence[1]:.1e}"
    goal = "missed" if results.problems else "met"
    cells = [name, peer, str(results.clips), f"{results.frames:,}", *numbers, silence, goal]
    return "| " + " | ".join(cells) + " |"


def table(measured, source):
    heads = ("preset", "original", "clips", "rows", "Veery to float64", "original to float64", "Veery to original",
             "silence: Veery, original", "goals")
    versions = ", ".join(f"{name} {version}" for name, version in peers_models.VERSIONS.items())
    compared = [what for name, what, _ in measured if name in MODELS]
    against = sum(what is not None for what in compared)
    lines = [f"Measured on {source}, with {versions}.", "",
             f"Of {len(compared)} presets, {against} are run against an original, and {len(compared) - against} against the formula alone (–).", "",
             "| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += [line(name, what, results) for name, what, results in measured]
    notes = [f"- {name} ({what}): " + "; ".join(f"{text}, {count} {'clip' if count == 1 else 'clips'}" for text, count in sorted(results.remarks.items())) + "."
             for name, what, results in measured if results.remarks]
    if notes:
        lines += ["", "Clips that the original does not compute, or otherwise, by their length:", "", *notes]
    return "\n".join(lines)


def resampler(name, signal, rate):
    """What the originals' resamplers make of a signal, and soxr, which Veery has."""
    if name == "soxr":
        return soxr.resample(signal, RESAMPLED_FROM, rate, quality="HQ")
    if name == "torchaudio":
        return torchaudio.functional.resample(torch.from_numpy(signal), RESAMPLED_FROM, rate).numpy()
    return resampy.resample(signal, RESAMPLED_FROM, rate, filter="kaiser_fast" if "fast" in name else "kaiser_best")


def resampling(found):
    """The table of what another resampler changes, both computed in float64 from the formula."""
    own = [path for path, rate in found if rate == RESAMPLED_FROM]
    signals = [excerpt(path, RESAMPLED_FROM, 0).mean(axis=1).astype(np.float32) for path in own]
    signals = [signal for signal in signals if len(signal) >= RESAMPLED_FROM][:RESAMPLED_CLIPS]
    lines = ["| preset | resampled by | clips | median | maximum |", "|---|---|---|---|---|"]
    for name, other in RESAMPLED.items():
        shares, rate = [], RATES.get(name, 16000)
        for signal in signals:
            ours, theirs = (resampler(how, signal, rate) for how in ("soxr", other))
            count = min(len(ours), len(theirs))
            expected = MODELS[name](ours[:count])
            if len(expected) and extent_of(expected):
                shares.append(greatest(MODELS[name](theirs[:count]), expected) / extent_of(expected))
        if shares:
            lines.append(f"| {name} | {other} | {len(shares)} | {np.median(shares):.1e} | {max(shares):.1e} |")
    return "\n".join([
        f"The resampler of the original against soxr HQ, from {RESAMPLED_FROM} Hz: the greatest difference of a clip's features.", "", *lines])


def put(path, name, text):
    begin, end = MARKS[name]
    before, rest = path.read_text(encoding="utf-8").split(begin)
    path.write_text(f"{before}{begin}\n{text}\n{end}{rest.split(end)[1]}", encoding="utf-8")


def main(name, description, measure, real):
    """What models.py and rates.py have in common. `measure`, a function of the `Run`, returns the tables by their names in `MARKS`, and
    the goals that are missed. `real`: the number of excerpts of recordings at a rate."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--audio", type=Path, required=True, help="folder of recordings")
    parser.add_argument("--table", type=Path, help="Markdown file to write the tables into, between their marker lines")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="only the presets whose name contains it")
    options = parser.parse_args()
    program = Path(os.environ.get("VEERY", ROOT / ".build" / "release" / "veery")).resolve()
    found = recordings(options.audio) if options.audio.is_dir() else []
    if len(found) < MINIMUM:
        print(f"{name}: SKIPPED: {len(found)} recordings in {options.audio}, at least {MINIMUM} are needed", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as temporary:
        run = Run(program, Path(temporary), options, found, real)
        tables, missed = measure(run)
    for text in tables.values():
        print(text, end="\n\n")
    if options.table and not options.only:
        for mark, text in tables.items():
            put(options.table, mark, text)
    if missed:
        sys.exit(f"{name}: " + f"\n{name}: ".join(missed))


@dataclass
class Run:
    """The program, the recordings and the clips that are made of them, for each rate once."""

    program: Path
    folder: Path
    options: argparse.Namespace
    found: list
    real: int
    made: dict = field(default_factory=dict)

    def clips(self, rate, seconds=0):
        """The clips at a rate, of recordings of at least so many seconds, and their manifest."""
        if (rate, seconds) not in self.made:
            found = recordings(self.options.audio, seconds) if seconds else self.found
            folder = self.folder / f"{rate}-{seconds}"
            folder.mkdir()
            self.made[rate, seconds] = clips_at(rate, folder, self.options.audio, found, self.real)
        return self.made[rate, seconds]

    def wants(self, name):
        return not self.options.only or any(part in name for part in self.options.only)

    def extract(self, preset, settings, manifest):
        """The features by clip, and why others have none."""
        arguments = ["--preset", preset, *(word for text in settings for word in ("--set", text))]
        return extract(self.program, arguments, manifest, self.folder / "features.h5", normalize=True)

    @property
    def source(self):
        clips, _ = next(iter(self.made.values()))
        return f"{self.real} excerpts of {len(self.found)} recordings and {len(clips) - self.real} made clips at"


def measure(run):
    """The tables of all presets, and the goals that are missed."""
    rows = [(name, name, (), MODELS[name], peers_models.ORIGINALS.get(name)) for name in MODELS] + VARIANTS
    measured = []
    for name, preset, settings, reference, original in rows:
        if not run.wants(name):
            continue
        started, results = time.monotonic(), Results()
        clips, manifest = run.clips(RATES.get(preset, 16000), SECONDS.get(preset, 0))
        ours, reasons = run.extract(preset, settings, manifest)
        definition, quirk = QUIRKS.get(name, (None, None))
        for clip in clips:
            compare(clip, ours.get(clip.id), reasons.get(clip.id), reference, original, results, OTHER.get(preset, 0),
                    definition=definition, quirk=quirk)
        if original:
            check_original(results, peers_models.LIMITS.get((name, original[1])) or peers_models.LIMITS[preset], MINIMUM)
        measured.append((name, original and original[1], results))
        print(f"models: {name}: {time.monotonic() - started:.1f} s", file=sys.stderr)
    rates = ", ".join(str(rate // 1000) for rate in sorted({rate for rate, _ in run.made}))
    tables = {"models": table(measured, f"{run.source} {rates} kHz each")}
    if not run.options.only:
        tables["resampling"] = resampling(run.found)
    return tables, [f"{name}: {problem}" for name, _, results in measured for problem in results.problems[:5]]


if __name__ == "__main__":
    main("models", "Compares the presets of models with the originals and with float64.", measure, REAL)
