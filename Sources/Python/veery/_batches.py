"""Padded batches, in NumPy alone."""

from __future__ import annotations

import itertools
import math
import numbers
import os
from typing import Any, Iterator, Optional, Union

import numpy as np
import numpy.typing as npt

from ._arguments import path_of
from ._clips import Clips, Names
from ._errors import described, flag, whole_number
from .features import open as open_file

Source = Union[str, "os.PathLike[str]", Clips]
"""A feature file, or clips of one."""

Features = npt.NDArray[np.float32]
Batch = tuple[Any, npt.NDArray[Any]]


def clips_of(
    source: Source, split: Optional[Names] = None, label: Optional[Names] = None, raw: bool = False
) -> Clips:
    """The given clips, or those of a file, reduced to a split and a label."""
    clips = source if isinstance(source, Clips) else open_file(path_of(source, "source"))
    if split is not None or label is not None:
        clips = clips.select(split, label)
    return clips.raw() if flag("raw", raw) else clips


def batches(
    source: Source, size: int = 32, *, split: Optional[Names] = None, label: Optional[Names] = None,
    seed: Optional[int] = None, epochs: Optional[int] = 1, raw: bool = False, lengths: bool = False,
    padding: float = 0.0, frames: Optional[int] = None, all_labels: bool = False,
) -> Iterator[Batch]:
    """Yields pairs: features [batch, frames, bins], float32, and label indices [batch], int64 (−1: no label).

    A clip is filled with `padding` up to the length of the longest in its batch. The last batch of an epoch may be
    smaller.

    source:      path of a feature file, or clips of one.
    size:        clips in a batch.
    split:       only clips of this split, or of these if it is a list.
    label:       only clips of this label, or of these if it is a list. The index of a label does not depend on it.
    seed:        each epoch has an order of its own, which depends on the seed alone; None: the order of the file.
    epochs:      number of passes over the clips; None: no end, as Keras expects it.
    raw:         whether features are those before normalisation.
    lengths:     whether to yield ((features, frames of each clip [batch], int32), labels) instead.
    padding:     what short clips are filled with.
    frames:      length of every batch in frames; longer clips are cropped. None: that of its longest clip.
    all_labels:  whether to yield all labels of each clip: [batch, labels], float32 of 0 and 1.
    """
    size = checked_size(size, frames, seed, padding)
    if epochs is not None:
        whole_number("epochs", epochs, 0)
    clips = clips_of(source, split, label, raw)
    if len(clips) == 0:
        raise ValueError(f"{clips.path}: no clip to make batches of")
    labels = labels_of(clips, all_labels)
    # Checked here: a generator's code does not run before its first batch is requested.
    return _batches(clips, labels, size, seed, epochs, flag("lengths", lengths), padding, frames)


def checked_size(size: int, frames: Optional[int], seed: Optional[int], padding: float) -> int:
    """The clips in a batch; refuses arguments of batches that are none."""
    for name, value, least in (("frames", frames, 1), ("seed", seed, 0)):
        if value is not None:
            whole_number(name, value, least)
    if not isinstance(padding, numbers.Real):
        raise TypeError(f"padding: expected a number, found {described(padding)}")
    return whole_number("size", size, 1)


def steps(source: Source, size: int = 32, *, split: Optional[Names] = None, label: Optional[Names] = None) -> int:
    """Batches in an epoch."""
    size = whole_number("size", size, 1)
    return math.ceil(len(clips_of(source, split, label)) / size)


def labels_of(clips: Clips, all_labels: bool) -> npt.NDArray[Any]:
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
    clips: Clips, batch: npt.NDArray[np.int64], padding: float = 0.0, frames: Optional[int] = None
) -> tuple[Features, npt.NDArray[np.int32]]:
    """Some of the clips, by their positions, as [batch, frames, bins] or [batch, patches, *row_shape], and the frames or
    patches of each, [batch]."""
    core, indices = clips._core, clips.at(batch)
    counts = np.minimum(core.table.count[indices], frames or np.iinfo(np.int32).max).astype(np.int32)
    features = np.full((len(batch), frames or int(counts.max()), *clips.row_shape), padding, np.float32)
    # In the order of the file, which is faster on disks.
    for position in np.argsort(core.table.start[indices]):
        count = counts[position]
        features[position, :count] = core.features(int(indices[position]), clips.is_raw)[:count]
    return features, counts


def labels_in(labels: npt.NDArray[Any], batch: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """The labels of a batch: indices as int64, a matrix as float32."""
    return labels[batch].astype(np.int64 if labels.ndim == 1 else np.float32)


def _batches(
    clips: Clips, labels: npt.NDArray[Any], size: int, seed: Optional[int], epochs: Optional[int], lengths: bool,
    padding: float, frames: Optional[int],
) -> Iterator[Batch]:
    for epoch in itertools.count() if epochs is None else range(epochs):
        order = order_of(len(clips), seed, epoch)
        for start in range(0, len(order), size):
            batch = order[start:start + size]
            features, counts = padded(clips, batch, padding, frames)
            yield (features, counts) if lengths else features, labels_in(labels, batch)
