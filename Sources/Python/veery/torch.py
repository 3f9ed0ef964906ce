"""A PyTorch dataset of a feature file's clips, and a function that pads them to batches. Needs torch.

    from torch.utils.data import DataLoader
    from veery.torch import Dataset, collate

    train = Dataset("features.h5", split="train")
    loader = DataLoader(train, batch_size=32, shuffle=True, num_workers=2, collate_fn=collate)
    for features, lengths, labels in loader:      # [batch, frames, bins], [batch], [batch]
        mask = torch.arange(features.shape[1]) < lengths[:, None]      # False: padding

Workers may be forked or spawned: each opens the file for itself when it reads its first clip. They share the pages of a
mapped file in the system's cache, and their memory does not grow.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np
import numpy.typing as npt

from ._batches import Source, clips_of
from ._clip import relabelled
from ._errors import described, flag
from ._optional import require
from ._padding import labels_of
from ._protocols import Names

torch: Any = require("torch", "veery.torch")
_Dataset: Any = require("torch.utils.data", "veery.torch").Dataset

Item = tuple[Any, Any]


class Dataset(_Dataset):  # type: ignore[misc]
    """Clips of a feature file. An item is a pair: features [frames, bins], float32, and the index of the label, or −1.

    source:        path of a feature file, or clips of one.
    split:         only clips of this split, or of these if it is a list.
    label:         only clips of this label, or of these if it is a list.
    raw:           whether features are those before normalisation.
    all_labels:    whether the label of an item is all labels of its clip: [labels], float32 of 0 and 1, as for
                   BCEWithLogitsLoss.
    frame_labels:  whether it is the label of each frame: [frames], int64, indices in
                   `clips.frame_label_names`; −1: none, as `ignore_index` of CrossEntropyLoss.
    """

    def __init__(
        self, source: Source, split: Optional[Names] = None, label: Optional[Names] = None, *, raw: bool = False,
        all_labels: bool = False, frame_labels: bool = False,
    ) -> None:
        self.clips = clips_of(source, split, label, raw)
        all_labels, frame_labels = flag("all_labels", all_labels), flag("frame_labels", frame_labels)
        if all_labels and frame_labels:
            raise ValueError("give either all_labels or frame_labels")
        if frame_labels and self.clips.frame_label_names is None:
            raise ValueError(f"{self.clips.path}: frames have no labels; give --frame-labels to 'veery extract'")
        if all_labels:
            labels_of(self.clips, all_labels)  # that there are any
        self.all_labels, self.frame_labels = all_labels, frame_labels

    @property
    def labels(self) -> list[str]:
        """The name of each label index: those of the clips: of a file or a selection all labels of the file, so that the indices of training and test agree."""
        return self.clips.labels

    @property
    def bins(self) -> int:
        """Values in a frame."""
        return self.clips.bins

    @property
    def ids(self) -> npt.NDArray[Any]:
        """The id of each item's clip, [items], text."""
        return self.clips.ids

    @property
    def lengths(self) -> npt.NDArray[np.int32]:
        """Frames of each item, [items], int32: to sort clips into batches of like length."""
        return self.clips.lengths

    def __len__(self) -> int:
        return len(self.clips)

    def __getitem__(self, item: int) -> Item:
        core, clip, classes = self.clips._core, self.clips._index(item), self.clips._classes
        # A copy: tensors of PyTorch have to be writable, and the map is not.
        features = torch.from_numpy(core.features(clip, self.clips.is_raw).astype(np.float32))
        # Labels are read from the file by each worker, and not sent to it.
        if self.frame_labels:
            return features, torch.from_numpy(np.array(core.frame_labels(clip), np.int64))
        if self.all_labels and core.label_matrix is not None:
            row = core.label_matrix[clip]
            return features, torch.from_numpy((row if classes is None else row[list(classes)]).astype(np.float32))
        return features, int(relabelled(core.table["label_index"][clip], classes))


def collate(items: Sequence[Item], padding: float = 0.0, label_padding: int = -1) -> tuple[Any, Any, Any]:
    """A batch: features [batch, frames, bins], float32, lengths [batch], int64, and labels.

    Labels are [batch], int64; of a dataset with `all_labels` [batch, labels], float32; with `frame_labels` [batch,
    frames], int64, padded with `label_padding`. Features are padded with `padding` to the length of the longest clip.
    """
    if not isinstance(items, (list, tuple)) or not all(isinstance(item, tuple) and len(item) == 2 for item in items):
        raise TypeError(f"items: expected a list of items of a veery.torch.Dataset, found {described(items)}")
    if not items:
        raise ValueError("items: expected at least one item of a veery.torch.Dataset, found none")
    features: Any
    features, labels = zip(*items)
    pad = torch.nn.utils.rnn.pad_sequence
    lengths = torch.tensor([len(clip) for clip in features])
    padded = pad(features, batch_first=True, padding_value=padding)
    if not torch.is_tensor(labels[0]):
        return padded, lengths, torch.tensor(labels)
    if labels[0].dtype == torch.int64:
        return padded, lengths, pad(labels, batch_first=True, padding_value=label_padding)
    return padded, lengths, torch.stack(labels)


__all__ = ["Dataset", "collate"]
