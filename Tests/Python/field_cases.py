"""Cases from the field: what they are made of, how they are run, and what is seen of a command."""

import io
import shutil
from dataclasses import dataclass
from typing import Callable, Optional

import numpy as np
import pytest
import soundfile
from mutations.expectations import accepts
from mutations.observation import run, write

RAVEN = "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tSpecies\n"


def noise(seed, seconds, channels=1, rate=16000, kind="FLAC", loud=None, **options):
    """A recording of noise, different for each seed; `loud` is a part in seconds, the rest is 40 dB softer."""
    samples = np.random.default_rng(seed).uniform(-0.5, 0.5, (round(seconds * rate), channels))
    if loud:
        softer = np.full(len(samples), 0.005)
        softer[round(loud[0] * rate):round(loud[1] * rate)] = 1
        samples *= softer[:, None]
    file = io.BytesIO()
    soundfile.write(file, samples, rate, format=kind, **options)
    return file.getvalue()


def wav(seed, seconds, channels=1, rate=16000):
    return noise(seed, seconds, channels, rate, "WAV")


@dataclass
class Seen:
    """What a command did in the folder of a case."""

    program: object
    data: object
    folder: object

    def __call__(self, *command):
        self.folder.mkdir(exist_ok=True)
        for old in self.folder.glob("out.*"):
            old.unlink()
        return run(self.program, command, self.data, self.folder)

    def parts(self, *parts):
        """The checksums of the features of parts (path, start, end, channel), extracted by a manifest that this function writes."""
        table = self.folder / "parts.csv"
        self.folder.mkdir(exist_ok=True)
        rows = [f"{number},{self.data / path},{start},{end},{channel}" for number,
                (path, start, end, channel) in enumerate(parts)]
        table.write_text("\n".join(["id,path,start,end,channel", *rows]) + "\n")
        seen = self("extract", table)
        assert seen.status == 0, seen.messages
        return [row["tensor_xxh3"] for row in seen.rows]


def remarks(seen, *kinds):
    return seen.status == 0 and accepts(kinds, seen.kinds)


@dataclass(frozen=True)
class Case:
    name: str
    real: Optional[str]  # the folder of the collection that it was made after; None: there is none
    files: Callable  # or a dictionary
    check: Callable


class Cases:
    """Cases of a module, each added by a decorator of its check."""

    def __init__(self):
        self.all = []

    def __call__(self, name, real, files):
        def add(check):
            self.all.append(Case(name, real, files, check))
            return check
        return add

    def tests(self):
        """The test of the cases that are made, and that of the collection's originals, in a copy."""
        @pytest.mark.parametrize("one", self.all, ids=lambda one: one.name)
        def made(program, tmp_path, one):
            write(one.files() if callable(one.files) else one.files, tmp_path / "data")
            one.check(Seen(program, tmp_path / "data", tmp_path / "out"))

        @pytest.mark.parametrize("one", [one for one in self.all if one.real], ids=lambda one: one.name)
        def original(program, tmp_path, collection, one):
            shutil.copytree(collection / "field" / one.real, tmp_path / "data")
            one.check(Seen(program, tmp_path / "data", tmp_path / "out"))

        return made, original
