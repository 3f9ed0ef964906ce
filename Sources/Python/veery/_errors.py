"""The errors of the package, and suggestions for misspelt names."""

from __future__ import annotations

import difflib
import itertools
import operator
import os
import re
from typing import Any, Iterable, Optional

import numpy as np

COMPARED = 20_000
"""Maximum number of names that a wrong one is compared with."""


class FeatureFileError(ValueError):
    """A file is not a feature file of Veery, is incomplete, cut off, of another version or damaged, or was replaced."""


class UnknownNameError(KeyError, ValueError):
    """A feature file has no such id, split, label or column. The message suggests the nearest one."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would show the repr


def described(value: object) -> str:
    """A value in an error: what was found, in few words."""
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    if isinstance(value, str):
        return f"the text {shortened(ascii(value) if not value.isprintable() else repr(value))}"
    if isinstance(value, os.PathLike):
        return f"the path {shortened(repr(os.fspath(value)))}"
    if isinstance(value, bytes):
        return f"the bytes {shortened(repr(value))}"
    name = type(value).__name__
    article = "an" if name[:1].lower() in "aeiou" else "a"
    if isinstance(value, (list, tuple, set, frozenset)):
        return f"{article} {name} of {len(value)}"
    return f"{article} {name}" if isinstance(value, (dict, type(iter([])))) else f"{article} {name} object"


def of_numpy(value: Any) -> Any:
    """The value of Python for a scalar of NumPy, or an array of one without dimensions."""
    own = value.item()
    if isinstance(own, np.longdouble):  # of these, `item()` gives themselves
        return float(own)
    return complex(own) if isinstance(own, np.clongdouble) else own


def whole_number(name: str, value: object, least: int) -> int:
    """An argument that is a whole number, of Python or NumPy."""
    found: Any = value
    try:
        number = operator.index(found)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise TypeError(f"{name}: expected a whole number, found {described(value)}")
    if number < least:
        raise ValueError(f"{name}: expected at least {least}, found {number}")
    return number


def flag(name: str, value: object) -> bool:
    """An argument that is True or False; 1 and 0 are accepted, too."""
    if isinstance(value, (bool, np.bool_)) or isinstance(value, int) and value in (0, 1):
        return bool(value)
    raise TypeError(f"{name}: expected True or False, found {described(value)}")


def shortened(text: str, limit: int = 80) -> str:
    return text if len(text) <= limit else f"{text[:limit - 1]}…"


def near(name: str, known: Iterable[str], count: int = 1) -> list[str]:
    """The names nearest to a wrong one, the nearest first: among those that have all of its words, if there are any."""
    names = list(itertools.islice(known, COMPARED))
    longer = [one for one in names if _has_words(one, name)]
    return _closest(name, longer, count) or _closest(name, names, count)


def _closest(name: str, names: list[str], count: int) -> list[str]:
    """As `difflib.get_close_matches`; of names that are equally near, the first ones."""
    matcher = difflib.SequenceMatcher(b=name)
    scores = []
    for index, one in enumerate(names):
        matcher.set_seq1(one)
        if min(matcher.real_quick_ratio(), matcher.quick_ratio()) >= 0.6 and (ratio := matcher.ratio()) >= 0.6:
            scores.append((-ratio, index))
    return [names[index] for _, index in sorted(scores)[:count]]


def _has_words(name: str, asked: str) -> bool:
    """Whether a name has all words of another one, in their order."""
    words = iter(re.findall(r"[^\W_]+", name))
    return all(word in words for word in re.findall(r"[^\W_]+", asked))


def listed(names: Iterable[str], limit: int) -> str:
    """Quoted names, the first ones if there are many."""
    shown = list(itertools.islice(names, limit + 1))
    quoted = [repr(shortened(name)) for name in shown[:limit]]
    return ", ".join(quoted) + (" …" if len(shown) > limit else "")


def unknown(path: str, kind: str, name: object, known: Iterable[str]) -> UnknownNameError:
    """The error for a name that a file does not have."""
    names = list(itertools.islice(known, COMPARED))
    nearest: Optional[list[str]] = near(name, names) if isinstance(name, str) else None
    if nearest:
        return UnknownNameError(f"{path}: no {kind} {name!r}. Did you mean {nearest[0]!r}?")
    limit = 5 if kind == "clip with the id" else 20
    return UnknownNameError(f"{path}: no {kind} {name!r}; there are {listed(names, limit) or 'none'}")
