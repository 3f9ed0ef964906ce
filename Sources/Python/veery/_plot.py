"""Clips drawn by matplotlib, with the axes of `veery render`."""

from __future__ import annotations

from typing import Any, Literal, Optional

import numpy as np
import numpy.typing as npt

from ._optional import require
from ._picture import colour_range
from ._protocols import ClipLike

Axis = Literal["bins", "linear", "log"]


def plot(
    clip: ClipLike, ax: Any = None, *, axis: Axis = "bins", colorbar: bool = True, title: bool = True, **options: Any
) -> Any:
    """Draws the features of a clip: time in s to the right, frequency in Hz or kHz upwards. Needs matplotlib.

    ax:        axes to draw into; None: new ones.
    axis:      `bins`: bins are of equal height, as they are stored; `linear` or `log`: so is frequency.
    colorbar:  whether to add the scale of the values, with their unit.
    title:     whether to write the id and the label above.

    The colours reach from the 1st to the 99.5th percentile. Other options go to `pcolormesh`, such as `cmap` or `vmin`.
    Returns the axes.
    """
    if not isinstance(axis, str) or axis not in ("bins", "linear", "log"):
        raise ValueError(f"axis: expected bins, linear or log, found {axis!r}")
    if ax is None:
        ax = require("matplotlib.pyplot", "plot()").subplots(figsize=(9, 3.8), layout="constrained")[1]
    header = clip._core.header
    features = header.frames(clip.features).astype(np.float32)
    low, high = colour_range(features)
    # Edges of the frames, halfway between their middles.
    time = header.frame_times(len(features) + 1) - header.frame_period / 2
    scale, label, edges = _vertical(clip, features.shape[1], axis)
    mesh = ax.pcolormesh(
        time, edges, features.T,
        **{"shading": "flat", "vmin": low, "vmax": high, "rasterized": True, **options})
    ax.set_xlim(min(time[0], 0.0), time[-1])
    ax.set_xlabel("Time (s)")
    ax.set_ylabel(label)
    if scale is not None:
        kind, arguments = scale
        ax.set_yscale(kind, **arguments)
        # 0 Hz has no logarithm: that axis starts at the edge between the first two bins, as in `veery render`.
        bottom = edges[1] if kind == "log" and clip.frequency is not None and clip.frequency[0] <= 0 else edges[0]
        ax.set_ylim(bottom, edges[-1])
        ax.set_yticks(_ticks(edges, bottom, kind == "log"))
        ax.yaxis.set_major_formatter("{x:g}")
        ax.yaxis.minorticks_off()
    if title:
        ax.set_title(f"{clip.id}  –  {', '.join(clip.labels)}" if clip.labels else clip.id, loc="left")
    if colorbar:
        ax.figure.colorbar(mesh, ax=ax, label=clip.units, extend="both")
    return ax


def _vertical(
    clip: ClipLike, bins: int, axis: Axis
) -> tuple[Optional[tuple[str, dict[str, Any]]], str, npt.NDArray[np.float64]]:
    """The scale of the vertical axis, its name, and the edges of the bins."""
    hertz = clip.frequency
    if hertz is None or not bool((np.diff(hertz) > 0).all()):
        # Cepstra; or columns in several parts, such as deltas, whose frequencies repeat.
        is_order = clip.coefficient is not None and len(np.unique(clip.coefficient)) == bins
        return None, "Coefficient" if is_order else "Column", np.arange(bins + 1, dtype=np.float64) - 0.5
    unit, divisor = ("kHz", 1000.0) if hertz[-1] >= 10_000 else ("Hz", 1.0)
    centre = hertz.astype(np.float64) / divisor
    middle = (centre[1:] + centre[:-1]) / 2
    first = centre[0] - (middle[0] - centre[0]) if bins > 1 else centre[0] - 0.5
    last = centre[-1] + (centre[-1] - middle[-1]) if bins > 1 else centre[0] + 0.5
    edges = np.concatenate([[max(first, 0.0)], middle, [last]])
    name = f"Frequency ({unit})"
    if axis == "linear" or bins == 1:
        return None, name, edges
    if axis == "log":
        edges[0] = edges[0] or edges[1] / 2
        return ("log", {}), name, edges
    bin_of = np.arange(bins + 1, dtype=np.float64) - 0.5

    def forward(frequency: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return _interpolated(frequency, edges, bin_of)

    def inverse(position: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return _interpolated(position, bin_of, edges)

    return ("function", {"functions": (forward, inverse)}), name, edges


def _ticks(edges: npt.NDArray[np.float64], bottom: float, logarithmic: bool) -> list[float]:
    """Round frequencies, at least a twelfth of the axis apart; 1 comes before 5, 2, 3 and 7."""
    decades = 10.0 ** np.arange(-3, 7)

    def height(value: float) -> float:
        if logarithmic:
            return float(np.log(value / bottom) / np.log(edges[-1] / bottom))
        return float(np.interp(value, edges, np.arange(len(edges)))) / (len(edges) - 1)

    chosen: dict[float, float] = {}
    for digit in (1, 5, 2, 3, 7):
        for value in (digit * decades)[::-1].tolist():
            if bottom <= value <= edges[-1] and all(
                abs(height(value) - other) >= 1 / 12 for other in chosen.values()
            ):
                chosen[value] = height(value)
    return sorted(chosen)


def _interpolated(
    values: npt.NDArray[np.float64], x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Linear interpolation that is extended past both ends, so that it can be inverted there, too."""
    values = np.asarray(values, np.float64)
    below = y[0] + (values - x[0]) * (y[1] - y[0]) / (x[1] - x[0])
    above = y[-1] + (values - x[-1]) * (y[-1] - y[-2]) / (x[-1] - x[-2])
    inside = np.interp(values, x, y)
    return np.where(values < x[0], below, np.where(values > x[-1], above, inside))
