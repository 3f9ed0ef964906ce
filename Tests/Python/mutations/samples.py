"""A sample of a format, and its mutations."""

from dataclasses import dataclass, field
from typing import Callable

from .expectations import ERROR, NEUTRAL, SAME, Expectation
from .files import crlf, edit, encode, insert_line

SAMPLES = []


@dataclass(frozen=True)
class Mutation:
    name: str
    change: Callable
    expected: Expectation
    file: str  # that is changed, which an error has to name


@dataclass(frozen=True)
class Sample:
    """Files of a dataset, and the command that reads it.

    - `source`: where the format is documented.
    - `command`: the words after `veery`, without the output; the current folder is that of the files.
    - `truth`: by id, values of the rows that the command makes of the true sample; these rows and no others.
    """

    name: str
    source: str
    files: dict
    command: tuple
    truth: dict
    mutations: list = field(default_factory=list)

    def __post_init__(self):
        SAMPLES.append(self)

    def change(self, name, file, change, expected):
        """Adds a mutation of a file."""
        assert all(name != one.name for one in self.mutations), (self.name, name)
        self.mutations.append(Mutation(name, change, expected, file))

    def text(self, file, *cases):
        """Adds mutations of a file's text: a name, an edit or several, and the expectation."""
        for name, *edits, expected in cases:
            self.change(name, file, edit(file, *edits), expected)

    def encodings(self, file, *, latin1=ERROR(), utf16=NEUTRAL, mark=NEUTRAL, blank=NEUTRAL):
        """Adds the encodings of a text file, which has to hold a letter beyond ASCII unless `latin1` is None."""
        cases = [
            ("byte order mark", encode(file, "utf-8-sig"), mark),
            ("UTF-16, little-endian", encode(file, "utf-16-le", b"\xff\xfe"), utf16),
            ("UTF-16, big-endian", encode(file, "utf-16-be", b"\xfe\xff"), utf16), ("CR LF", edit(file, crlf), NEUTRAL),
            ("blank line at the end", edit(file, lambda text: text + "\n"), NEUTRAL),
            ("no line end at the end", edit(file, lambda text: text.rstrip("\n")), NEUTRAL)]
        if blank is not None:
            cases.append(("blank line in between", edit(file, insert_line(2, "")), blank))
        if latin1 is not None:
            text = self.files[file].decode()
            assert not text.isascii(), (self.name, file)
            cases.append(("Latin-1", encode(file, "latin-1"), latin1))
        for name, change, expected in cases:
            self.change(f"{file}: {name}", file, change, expected)


def cases():
    """Every sample with each of its mutations, and with none."""
    return [(sample, mutation) for sample in SAMPLES for mutation in [None, *sample.mutations]]


def name(case):
    sample, mutation = case
    return f"{sample.name}: {mutation.name if mutation else 'true'}"
