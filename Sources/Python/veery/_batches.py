"""Batches and their number, of a feature file or of clips of one."""

from __future__ import annotations

import math
import os
from typing import Iterator, Optional, Union

from ._arguments import path_of
from ._clips import Clips
from ._errors import whole_number
from ._padding import Batch, checked_size
from ._padding import batches as batches_of
from ._protocols import Names
from .features import open as open_file

Source = Union[str, os.PathLike[str], Clips]
"""A feature file, or clips of one."""


def clips_of(
    source: Source, split: Optional[Names] = None, label: Optional[Names] = None, raw: bool = False
) -> Clips:
    """The given clips, or those of a file, reduced to a split and a label."""
    clips = source if isinstance(source, Clips) else open_file(path_of(source, "source"))
    return clips._chosen(split, label, raw)


def batches(
    source: Source, size: int = 32, *, split: Optional[Names] = None, label: Optional[Names] = None,
    seed: Optional[int] = None, epochs: Optional[int] = 1, raw: bool = False, lengths: bool = False,
    padding: float = 0.0, frames: Optional[int] = None, all_labels: bool = False,
) -> Iterator[Batch]:
    """Yields pairs: features [batch, frames, bins], float32, and label indices [batch], int64 (−1: no label).

    Clips are padded with `padding` to the length of the longest in their batch. The last batch of an epoch may be
    smaller.

    source:      path of a feature file, or clips of one.
    size:        clips in a batch.
    split:       only clips of this split, or of these if it is a list.
    label:       only clips of this label, or of these if it is a list. The index of a label does not depend on it.
    seed:        each epoch has an order of its own, which depends on the seed alone; None: the order of the file.
    epochs:      number of passes over the clips; None: no end, as Keras expects it.
    raw:         whether features are those before normalisation.
    lengths:     whether to yield ((features, frames of each clip [batch], int32), labels) instead.
    padding:     the value that short clips are padded with.
    frames:      length of every batch in frames; longer clips are cropped. None: that of its longest clip.
    all_labels:  whether to yield all labels of each clip: [batch, labels], float32 of 0 and 1.
    """
    checked_size(size, frames, seed, padding, epochs)  # before the file is opened
    return batches_of(
        clips_of(source, split, label, raw), size, seed=seed, epochs=epochs, lengths=lengths, padding=padding,
        frames=frames, all_labels=all_labels)


def steps(source: Source, size: int = 32, *, split: Optional[Names] = None, label: Optional[Names] = None) -> int:
    """Batches in an epoch."""
    size = whole_number("size", size, 1)
    return math.ceil(len(clips_of(source, split, label)) / size)
