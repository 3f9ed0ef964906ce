"""Batches of a feature file for Keras and for tf.data. `Batches` needs keras, `dataset` needs tensorflow.

    from veery.keras import Batches

    train, test = (Batches("features.h5", 32, split=split, frames=200) for split in ("train", "test"))
    model.fit(train, validation_data=test, epochs=10)

with an input of shape (200, bins), or without `frames` of shape (None, bins), and sparse_categorical_crossentropy. A
Masking layer leaves padding out if `padding` is a number that no whole frame has, such as −1e9 (its mask_value).
`veery.batches` yields the same without Keras.
"""

from __future__ import annotations

import math
from typing import Any, Optional

import numpy as np

from ._batches import Source, clips_of
from ._optional import require
from ._padding import Batch, batches, checked_size, labels_in, labels_of, order_of, padded
from ._protocols import Names

_PyDataset: Any = require("keras", "veery.keras").utils.PyDataset


class Batches(_PyDataset):  # type: ignore[misc]
    """Batches for `fit`, `evaluate` and `predict`: features [batch, frames, bins], float32, and label indices [batch].

    The arguments are those of `veery.batches`. With a seed, each epoch has an order of its own. Further options, such
    as `workers` and `use_multiprocessing`, are those of `keras.utils.PyDataset`.
    """

    def __init__(
        self, source: Source, size: int = 32, *, split: Optional[Names] = None, label: Optional[Names] = None,
        seed: Optional[int] = None, raw: bool = False, padding: float = 0.0, frames: Optional[int] = None,
        all_labels: bool = False, **options: Any,
    ) -> None:
        super().__init__(**options)
        size = checked_size(size, frames, seed, padding)
        self.clips = clips_of(source, split, label, raw)
        if len(self.clips) == 0:
            raise ValueError(f"{self.clips.path}: no clip to make batches of")
        self.size, self.seed, self.padding, self.frames = size, seed, padding, frames
        self._labels = labels_of(self.clips, all_labels)
        self._epoch = 0
        self._order = order_of(len(self.clips), seed, 0)

    def __len__(self) -> int:
        return math.ceil(len(self.clips) / self.size)

    def __getitem__(self, index: int) -> Batch:
        if not 0 <= index < len(self):
            raise IndexError(f"batch {index} of {len(self)}")
        batch = self._order[index * self.size:(index + 1) * self.size]
        features, _ = padded(self.clips, batch, self.padding, self.frames)
        return features, labels_in(self._labels, batch)

    def on_epoch_end(self) -> None:
        """Called by Keras after every epoch: gives the next one its order."""
        self._epoch += 1
        self._order = order_of(len(self.clips), self.seed, self._epoch)


def dataset(source: Source, size: int = 32, *, frames: Optional[int] = None, **options: Any) -> Any:
    """The batches of `veery.batches` as `tf.data.Dataset`; without `lengths`. Needs tensorflow."""
    tensorflow = require("tensorflow", "veery.keras.dataset")
    clips = clips_of(source, options.pop("split", None), options.pop("label", None), options.pop("raw", False))
    labels = labels_of(clips, bool(options.get("all_labels", False)))
    signature = (
        tensorflow.TensorSpec((None, frames, *clips.row_shape), np.float32),
        tensorflow.TensorSpec((None, *labels.shape[1:]), np.int64 if labels.ndim == 1 else np.float32))
    return tensorflow.data.Dataset.from_generator(
        lambda: batches(clips, size, frames=frames, **options), output_signature=signature)
