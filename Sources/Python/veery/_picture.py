"""Small pictures of features: a PNG of indexed colours, made with zlib alone."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

# Nine colours of viridis. The others are interpolated, and differ from its table by less than 2 %.
ANCHORS = (
    (68, 1, 84), (71, 44, 122), (59, 81, 139), (44, 113, 142), (33, 144, 141), (39, 173, 129), (92, 200, 99),
    (170, 220, 50), (253, 231, 37))


def colour_range(values: npt.NDArray[Any]) -> tuple[float, float]:
    """The values at the two ends of the colours: the 1st and the 99.5th percentile, as in `veery render`."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return 0.0, 1.0
    low, high = np.percentile(finite.astype(np.float64), [1, 99.5])
    return float(low), float(high) if high > low else float(low) + 1


def png(features: npt.NDArray[Any], columns: int = 480, rows: int = 120) -> bytes:
    """A picture of features [frames, bins]: time to the right, the lowest bin at the bottom.

    It has at most this number of columns and rows. A pixel is the mean of its values.
    """
    values = reduced(reduced(features.astype(np.float32), columns).T, rows)[::-1]
    low, high = colour_range(values)
    indices = np.clip(np.nan_to_num((values - low) / (high - low)), 0, 1)
    pixels = np.round(indices * 255).astype(np.uint8)
    lines = np.concatenate([np.zeros((len(pixels), 1), np.uint8), pixels], axis=1)  # each begins with its filter: none
    header = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], 8, 3, 0, 0, 0)
    parts = [(b"IHDR", header), (b"PLTE", palette()), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts)


def data_uri(picture: bytes) -> str:
    """A PNG as a data URI."""
    return "data:image/png;base64," + base64.b64encode(picture).decode()


def palette() -> bytes:
    """256 colours of three bytes."""
    position = np.linspace(0, len(ANCHORS) - 1, 256)
    channels = [np.interp(position, np.arange(len(ANCHORS)), channel) for channel in zip(*ANCHORS)]
    return np.round(np.stack(channels, axis=1)).astype(np.uint8).tobytes()


def reduced(values: npt.NDArray[np.float32], count: int) -> npt.NDArray[np.float32]:
    """Means of neighbouring rows, so that at most `count` remain."""
    if len(values) <= count:
        return values
    edges = np.linspace(0, len(values), count + 1).astype(np.intp)
    sums = np.add.reduceat(values.astype(np.float64), edges[:-1], axis=0)
    return (sums / np.diff(edges)[:, None]).astype(np.float32)
