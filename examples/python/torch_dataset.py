"""A PyTorch Dataset over a feature file, and a collate function that pads. Needs torch, h5py and NumPy.

    python torch_dataset.py FEATURES.h5 --split train --batch 32 --workers 2

runs an epoch over the file and prints shapes. In a program of your own:

    from torch.utils.data import DataLoader
    from torch_dataset import FeatureDataset, collate
    train = FeatureDataset("features.h5", split="train")
    loader = DataLoader(train, batch_size=32, shuffle=True, num_workers=2, collate_fn=collate)
    for features, lengths, labels in loader:      # [batch, frames, bins], [batch], [batch]
        ...

Workers may be forked or spawned: each opens the file for itself when it reads its first clip. An uncompressed file is
mapped into memory, so that all workers share the pages that the system keeps of it.
"""

import argparse
import time

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

from feature_file import FeatureFile


class FeatureDataset(Dataset):
    """The clips of a feature file, or those of a split and a label.

    An item is a pair: the features as a float32 tensor [frames, bins], and the label as its place in `labels` (-1: the
    clip has no label).

    path:   the feature file.
    split:  only clips of this split, or of these if it is a list.
    label:  only clips of this label, or of these if it is a list.
    raw:    whether to undo the normalisation that the file was made with.
    all_labels:  whether an item has all labels of its clip: a float32 tensor [labels] of 0 and 1, as for BCEWithLogitsLoss.
    """

    def __init__(self, path, split=None, label=None, raw=False, all_labels=False):
        self.file = FeatureFile(path)
        if all_labels and self.file.label_matrix is None:
            raise ValueError(f"{path}: the file has no label matrix; its manifest needs a column 'labels'")
        self.all_labels = all_labels
        self.clips = self.file.select(split, label)
        self.raw = raw

    @property
    def labels(self):
        """The name of each label index. All of the file's, so that the indices of train and test agree."""
        return self.file.labels

    @property
    def bins(self):
        """Values in a frame."""
        return self.file.bins

    @property
    def ids(self):
        """The name of each clip, in the order of the items."""
        return self.file.id(self.clips)

    @property
    def lengths(self):
        """Frames of each clip, in the order of the items: to sort clips into batches of like length."""
        return self.file.count[self.clips]

    def __len__(self):
        return len(self.clips)

    def __getitem__(self, item):
        clip = self.clips[item]
        label = int(self.file.label_index[clip])
        if self.all_labels:
            label = torch.from_numpy(self.file.label_matrix[clip].astype("float32"))
        return torch.from_numpy(self.file.read(clip, self.raw)), label


def collate(items, padding=0.0):
    """A batch of clips of different lengths: features [batch, frames, bins], lengths [batch], label indices [batch] or
    all labels [batch, labels].

    Every clip is filled with `padding` up to the length of the longest. To leave padding out of a model's sums:
    mask = torch.arange(features.shape[1]) < lengths[:, None]
    """
    features, labels = zip(*items)
    lengths = torch.tensor([len(clip) for clip in features])
    labels = torch.stack(labels) if torch.is_tensor(labels[0]) else torch.tensor(labels)
    return pad_sequence(features, batch_first=True, padding_value=padding), lengths, labels


def main():
    parser = argparse.ArgumentParser(description="Run an epoch over a feature file and print shapes.")
    parser.add_argument("file")
    parser.add_argument("--split", help="only clips of this split")
    parser.add_argument("--label", help="only clips of this label")
    parser.add_argument("--raw", action="store_true", help="undo the normalisation")
    parser.add_argument("--batch", type=int, default=32, help="clips in a batch (default: 32)")
    parser.add_argument("--workers", type=int, default=2, help="processes that read (default: 2; 0: none but this)")
    parser.add_argument("--start", choices=["fork", "spawn"], help="how they are started (default: the system's way)")
    parser.add_argument("--seed", type=int, default=0, help="of the shuffling (default: 0)")
    arguments = parser.parse_args()

    try:
        dataset = FeatureDataset(arguments.file, arguments.split, arguments.label, arguments.raw)
        if len(dataset) == 0:
            raise ValueError(f"{arguments.file}: no clip to make batches of")
        loader = DataLoader(
            dataset, arguments.batch, shuffle=True, num_workers=arguments.workers, collate_fn=collate,
            multiprocessing_context=arguments.start if arguments.workers else None,
            generator=torch.Generator().manual_seed(arguments.seed))
    except (OSError, ValueError) as error:
        raise SystemExit(f"torch_dataset.py: {error}")
    print(f"{len(dataset)} clips of {dataset.bins} bins; labels: {', '.join(dataset.labels)}")
    clips = frames = 0
    begin = time.perf_counter()
    for number, (features, lengths, labels) in enumerate(loader):
        if number < 3 or number == len(loader) - 1:
            print(f"batch {number}: features {tuple(features.shape)}, lengths {lengths.min()} to {lengths.max()}, "
                  f"labels {tuple(labels.shape)}")
        clips, frames = clips + len(lengths), frames + int(lengths.sum())
    print(f"an epoch: {clips} clips, {frames} frames, {clips / (time.perf_counter() - begin):.0f} clips/s")


if __name__ == "__main__":
    main()
