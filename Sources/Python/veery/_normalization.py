"""Statistics of a feature file, and the inverse of the normalisation."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import whole_number

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Statistics:
    """Statistics of each bin before normalisation, in the unit of the scale.

    mean, std, min, max:  [bins], of a file with an axis of channels [channels, bins]; float64. std is that of the population (divided by count).
    count:   frames that were counted.
    fit:     the split whose clips were counted; empty: all clips.
    scope:   what values are normalised over: `none`, `clip` or `dataset`; `constant`: by given numbers.
    method:  `zscore`, `minmax`, `mean` or `range`.
    axis:    `bin`: each column by its own statistics; `all`: all columns by those of all values.
    source:  `metadata_xxh3` of the file that the statistics were taken from (`--stats-from`); empty: of this file.
    ddof, epsilon, epsilon_in:  of `zscore`: the divisor is std √(n / (n − ddof)) + epsilon, or, if `epsilon_in` is
             `variance`, √(std² n / (n − ddof) + epsilon).
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
    ddof: int = 0
    epsilon: float = 0.0
    epsilon_in: str = "std"

    def channel(self, index: int) -> Statistics:
        """The statistics of one channel, of a file with an axis of channels."""
        if self.mean.ndim < 2:
            raise ValueError("these statistics have no axis of channels")
        if whole_number("index", index, 0) >= len(self.mean):
            raise IndexError(f"index: channel {index} of {len(self.mean)}")
        mean, std, least, greatest = (values[index] for values in (self.mean, self.std, self.min, self.max))
        return replace(self, mean=mean, std=std, min=least, max=greatest)

    def over_all_bins(self) -> Statistics:
        """The statistics of all values, repeated for each bin; merged in the order in which the program does it."""
        if self.mean.ndim > 1:
            parts = [self.channel(index).over_all_bins() for index in range(len(self.mean))]
            means, deviations, least, greatest = (
                np.stack([getattr(part, name) for part in parts]) for name in ("mean", "std", "min", "max"))
            return replace(parts[0], mean=means, std=deviations, min=least, max=greatest)
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
            self.scope, self.method, "bin", self.source, self.ddof, self.epsilon, self.epsilon_in)

    def spread(self) -> Floats:
        """What `zscore` divides by, [bins], before rounding to single precision."""
        std = self.std
        if self.axis == "all":
            std = self.over_all_bins().std
        if not self.ddof and not self.epsilon:
            return std
        values = self.count * (std.shape[-1] if self.axis == "all" else 1)
        correction = values / (values - self.ddof) if values > self.ddof else 0.0
        spread: Floats
        if self.epsilon_in == "variance":
            spread = np.sqrt(std * std * correction + self.epsilon)
        else:
            spread = std * np.sqrt(correction) + self.epsilon
        return spread


class Denormalization:
    """The inverse of y = (x − offset) / spread + base.

    The numbers are those that the program divides by, to the last bit, and x is rounded once. The error of x is that of
    y times the spread: about two units in the last place of float32, half a unit of float16.
    """

    def __init__(self, statistics: Statistics) -> None:
        method = statistics.method
        used = statistics.over_all_bins() if statistics.axis == "all" else statistics
        if method in ("zscore", "mean"):
            self.offset = used.mean
            spread = statistics.spread() if method == "zscore" else np.ones_like(used.std)
        elif method in ("minmax", "range"):
            self.offset = used.min
            spread = (used.max - used.min) / (2 if method == "range" else 1)
        else:
            raise ValueError(f"expected the method zscore, minmax, mean or range, found {method!r}")
        self._set(spread, -1.0 if method == "range" else 0.0)

    @classmethod
    def by(cls, mean: Floats, std: Floats, shape: tuple[int, ...]) -> Denormalization:
        """The inverse of y = (x − mean) / std, with numbers for all columns of this shape, or the same for all."""
        made = cls.__new__(cls)
        made.offset = np.broadcast_to(mean, shape)
        made._set(np.broadcast_to(std, shape), 0.0)
        return made

    def _set(self, spread: Floats, base: float) -> None:
        limits = np.finfo(np.float32)
        # A column without a spread was divided by 1. Divisors are of single precision.
        divisor = np.where(spread > limits.tiny, np.minimum(spread, limits.max), 1).astype(np.float32)
        self.spread: Floats = divisor.astype(np.float64)
        self.base = base

    def __call__(self, values: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """Values before normalisation, float32, of rows as they are stored: [frames, bins], or patches of such."""
        exact = values.astype(np.float64).reshape(-1, *self.offset.shape)
        if self.base:
            exact -= self.base
        exact *= self.spread
        exact += self.offset
        with np.errstate(over="ignore"):
            return exact.astype(np.float32).reshape(values.shape)
