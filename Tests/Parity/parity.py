"""Compares Veery's values with librosa's, torchaudio's, Kaldi's and Whisper's, and with a float64 reference.

    python parity.py [--audio DIR] [--table FILE] [--keep DIR] [--only TEXT]

Runs the program in the environment variable VEERY (default: .build/release/veery) on excerpts of real recordings
(clips.py), and compares every clip of every row (rows.py). Exit status 1 where a goal is missed (report.py).
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import report
from clips import make_clips
from measure import measure
from rows import ROWS

ROOT = Path(__file__).resolve().parents[2]


def arguments():
    parser = argparse.ArgumentParser(description="Compares Veery with its peers and with a float64 reference.")
    parser.add_argument("--audio", type=Path, default=ROOT / ".demo" / "audio", help="folder of recordings (default: the demo's)")
    parser.add_argument("--table", type=Path, help="Markdown file to write the table into, between its marker lines")
    parser.add_argument("--keep", type=Path, help="folder to keep the clips and the last features in")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="only the rows whose name contains it")
    return parser.parse_args()


def main():
    options = arguments()
    program = Path(os.environ.get("VEERY", ROOT / ".build" / "release" / "veery")).resolve()
    if not os.access(program, os.X_OK):
        sys.exit(f"parity: {program} is not a program; build it, or set VEERY")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        clips, manifests, source = make_clips(options.audio, folder)
        print(f"parity: {source}", file=sys.stderr)
        measured = []
        for row in ROWS:
            if options.only and not any(part in row.name for part in options.only):
                continue
            begin = time.monotonic()
            measured.append((row, measure(program, row, clips, manifests, folder / "features.h5")))
            print(f"parity: {row.name}, {row.peer_name or 'reference alone'}: {time.monotonic() - begin:.1f} s", file=sys.stderr)
    text, missed = report.table(measured, source)
    print(text)
    if options.table:
        report.write(options.table, text)
    if missed:
        sys.exit("parity: " + "\nparity: ".join(missed))


if __name__ == "__main__":
    main()
