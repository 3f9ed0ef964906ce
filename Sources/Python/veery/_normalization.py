"""Statistics of a feature file, and the inverse of the normalisation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Statistics:
    """Statistics of each bin before normalisation, in the unit of the scale.

    mean, std, min, max:  [bins], float64. std is that of the population (divided by count).
    count:   frames that were counted.
    fit:     the split whose clips were counted; empty: all clips.
    scope:   what values are normalised over: `none`, `clip` or `dataset`.
    method:  `zscore`, `minmax`, `mean` or `range`.
    axis:    `bin`: each column by its own statistics; `all`: all columns by those of all values.
    source:  `metadata_xxh3` of the file that the statistics were taken from (`--stats-from`); empty: of this file.
    """

    mean: Floats = field(repr=False)
    std: Floats = field(repr=False)
    min: Floats = field(repr=False)
    max: Floats = field(repr=False)
    count: int
    fit: str = ""
    scope: str = "none"
    method: str = "zscore"
    axis: str = "bin"
    source: str = ""

    def over_all_bins(self) -> Statistics:
        """The statistics of all values, repeated for each bin; merged in the order in which the program does it."""
        total, mean, squares = 0, 0.0, 0.0
        for other, std in zip(self.mean.tolist(), self.std.tolist()):
            distance, share = std * std * self.count, self.count / max(total + self.count, 1)
            delta = other - mean
            mean, squares = (
                (mean + delta * share, squares + (distance + delta * delta * total * share)) if total
                else (other, distance))
            total += self.count
        std = np.sqrt(squares / len(self.mean) / self.count) if self.count else 0.0

        def repeated(value: Any) -> Floats:
            return np.full(len(self.mean), value, np.float64)

        return Statistics(
            repeated(mean), repeated(std), repeated(self.min.min()), repeated(self.max.max()), self.count, self.fit,
            self.scope, self.method, "bin", self.source)


class Denormalization:
    """The inverse of y = (x − offset) / spread + base.

    The numbers are those that the program divides by, to the last bit, and x is rounded once. What is lost is what y
    was rounded by: about two units in the last place of float32 (float16: half a unit of float16) times the spread.
    """

    def __init__(self, statistics: Statistics) -> None:
        method = statistics.method
        figures = statistics.over_all_bins() if statistics.axis == "all" else statistics
        if method in ("zscore", "mean"):
            self.offset = figures.mean
            spread = figures.std if method == "zscore" else np.ones_like(figures.std)
        elif method in ("minmax", "range"):
            self.offset = figures.min
            spread = (figures.max - figures.min) / (2 if method == "range" else 1)
        else:
            raise ValueError(f"expected the method zscore, minmax, mean or range, found {method!r}")
        limits = np.finfo(np.float32)
        # A column without a spread was divided by 1. Divisors are of single precision.
        divisor = np.where(spread > limits.tiny, np.minimum(spread, limits.max), 1).astype(np.float32)
        self.spread: Floats = divisor.astype(np.float64)
        self.base = -1.0 if method == "range" else 0.0

    def __call__(self, values: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """Values before normalisation, float32, of rows as they are stored, [frames, bins]."""
        exact = values.astype(np.float64)
        if self.base:
            exact -= self.base
        exact *= self.spread
        exact += self.offset
        with np.errstate(over="ignore"):
            return exact.astype(np.float32)
