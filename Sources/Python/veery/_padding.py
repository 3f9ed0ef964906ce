"""Padded batches of clips, in NumPy alone."""

from __future__ import annotations

import itertools
import numbers
from typing import Any, Iterator, Optional

import numpy as np
import numpy.typing as npt

from ._errors import described, flag, whole_number
from ._protocols import ClipsLike, Names

Features = npt.NDArray[np.float32]
Batch = tuple[Any, npt.NDArray[Any]]


def batches(
    clips: ClipsLike, size: int = 32, *, split: Optional[Names] = None, label: Optional[Names] = None,
    seed: Optional[int] = None, epochs: Optional[int] = 1, raw: bool = False, lengths: bool = False,
    padding: float = 0.0, frames: Optional[int] = None, all_labels: bool = False,
) -> Iterator[Batch]:
    """See `veery.batches`."""
    size = checked_size(size, frames, seed, padding, epochs)
    clips = clips._chosen(split, label, raw)
    if len(clips) == 0:
        raise ValueError(f"{clips.path}: no clip to make batches of")
    labels = labels_of(clips, all_labels)
    # Checked here: a generator's code does not run before its first batch is requested.
    return _batches(clips, labels, size, seed, epochs, flag("lengths", lengths), padding, frames)


def checked_size(
    size: int, frames: Optional[int], seed: Optional[int], padding: float, epochs: Optional[int] = None
) -> int:
    """The clips in a batch; refuses arguments with which there are no batches."""
    for name, value, least in (("frames", frames, 1), ("seed", seed, 0)):
        if value is not None:
            whole_number(name, value, least)
    if not isinstance(padding, numbers.Real):
        raise TypeError(f"padding: expected a number, found {described(padding)}")
    size = whole_number("size", size, 1)
    if epochs is not None:
        whole_number("epochs", epochs, 0)
    return size


def labels_of(clips: ClipsLike, all_labels: bool) -> npt.NDArray[Any]:
    """Label indices [clips], or with `all_labels` the label matrix [clips, labels]."""
    if not flag("all_labels", all_labels):
        return clips.label_index
    matrix = clips.label_matrix
    if matrix is None:
        raise ValueError(f"{clips.path}: the file has no label matrix; its manifest needs a column 'labels'")
    return matrix


def order_of(clips: int, seed: Optional[int], epoch: int) -> npt.NDArray[np.int64]:
    """The order of the clips in an epoch: a function of both numbers, so an epoch does not depend on earlier ones."""
    return np.arange(clips) if seed is None else np.random.default_rng([seed, epoch]).permutation(clips)


def padded(
    clips: ClipsLike, batch: npt.NDArray[np.int64], padding: float = 0.0, frames: Optional[int] = None
) -> tuple[Features, npt.NDArray[np.int32]]:
    """Some of the clips, by their positions, as [batch, frames, bins] or [batch, patches, *row_shape], and the frames or
    patches of each, [batch]."""
    core, indices = clips._core, clips.at(batch)
    counts = np.minimum(core.table.count[indices], frames or np.iinfo(np.int32).max).astype(np.int32)
    features = np.full((len(batch), frames or int(counts.max()), *core.header.row_shape), padding, np.float32)
    # In the order of the file, which is faster on disks.
    for position in np.argsort(core.table.start[indices]):
        count = counts[position]
        features[position, :count] = core.features(int(indices[position]), clips.is_raw)[:count]
    return features, counts


def labels_in(labels: npt.NDArray[Any], batch: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """The labels of a batch: indices as int64, a matrix as float32."""
    return labels[batch].astype(np.int64 if labels.ndim == 1 else np.float32)


def _batches(
    clips: ClipsLike, labels: npt.NDArray[Any], size: int, seed: Optional[int], epochs: Optional[int], lengths: bool,
    padding: float, frames: Optional[int],
) -> Iterator[Batch]:
    for epoch in itertools.count() if epochs is None else range(epochs):
        order = order_of(len(clips), seed, epoch)
        for start in range(0, len(order), size):
            batch = order[start:start + size]
            features, counts = padded(clips, batch, padding, frames)
            yield (features, counts) if lengths else features, labels_in(labels, batch)
