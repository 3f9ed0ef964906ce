"""The errors of the package, and suggestions for misspelt names."""

from __future__ import annotations

import difflib
import itertools
from typing import Iterable, Optional

COMPARED = 20_000
"""Maximum number of names that a wrong one is compared with."""


class FeatureFileError(ValueError):
    """A file is no feature file of Veery, is incomplete, of another version, or damaged."""


class UnknownNameError(KeyError, ValueError):
    """A feature file has no such id, split, label or column. The message suggests the nearest one."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would show the repr


def near(name: str, known: Iterable[str], count: int = 1) -> list[str]:
    """The names nearest to a wrong one, the nearest first."""
    return difflib.get_close_matches(name, list(itertools.islice(known, COMPARED)), count, 0.6)


def listed(names: Iterable[str], limit: int) -> str:
    """Quoted names, the first ones if there are many."""
    shown = list(itertools.islice(names, limit + 1))
    quoted = [repr(name if len(name) <= 80 else f"{name[:79]}…") for name in shown[:limit]]
    return ", ".join(quoted) + (" …" if len(shown) > limit else "")


def unknown(path: str, kind: str, name: object, known: Iterable[str]) -> UnknownNameError:
    """The error for a name that a file does not have."""
    names = list(itertools.islice(known, COMPARED))
    nearest: Optional[list[str]] = near(name, names) if isinstance(name, str) else None
    if nearest:
        return UnknownNameError(f"{path}: no {kind} {name!r}. Did you mean {nearest[0]!r}?")
    limit = 5 if kind == "clip with the id" else 20
    return UnknownNameError(f"{path}: no {kind} {name!r}; there are {listed(names, limit) or 'none'}")
