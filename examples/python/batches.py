"""Padded batches from a feature file, shuffled, with nothing but h5py and NumPy.

    python batches.py FEATURES.h5 --split train --batch 32

runs an epoch over the file and prints shapes. What batches() yields, Keras' fit takes as it is:

    from batches import batches, steps
    file = "features.h5"
    model.fit(
        batches(file, size=32, split="train", seed=1, epochs=None), steps_per_epoch=steps(file, 32, "train"),
        validation_data=batches(file, 32, "val", epochs=None), validation_steps=steps(file, 32, "val"),
        epochs=10, shuffle=False)

with an input of shape (None, bins) and sparse_categorical_crossentropy; or of shape (200, bins), with frames=200. A
Masking layer leaves out what was padded, if `padding` is a number that no whole frame is filled with, such as -1e9 (its
mask_value).
"""

import argparse
import itertools
import math

import numpy as np

from feature_file import FeatureFile


def batches(
    path, size=32, split=None, label=None, seed=None, epochs=1, raw=False, lengths=False, padding=0.0, frames=None
):
    """Yields pairs: features [batch, frames, bins] as float32, and label indices [batch] as int64 (-1: no label).

    A clip is filled with `padding` up to the length of the longest in its batch. The last batch of an epoch may be
    smaller.

    path:     the feature file.
    size:     clips in a batch.
    split:    only clips of this split, or of these if it is a list.
    label:    only clips of this label, or of these if it is a list. The index of a label does not depend on it.
    seed:     a number: each epoch has its own order, the same whenever the seed is the same. None: the file's order.
    epochs:   how often the clips are gone through. None: without end, as Keras wants it.
    raw:      whether to undo the normalisation that the file was made with.
    lengths:  whether to yield ((features, frames of each clip), label indices) instead.
    frames:   a number of frames that every batch has: longer clips lose their end, shorter ones are filled.
    """
    if size < 1:
        raise ValueError(f"size: expected at least 1 clip in a batch, found {size}")
    if frames is not None and frames < 1:
        raise ValueError(f"frames: expected at least 1, found {frames}")
    file = FeatureFile(path)
    clips = file.select(split, label)
    if len(clips) == 0:
        raise ValueError(f"{path}: no clip to make batches of")
    # Checked here and not in the generator below, whose code does not run before the first batch is asked for.
    return _batches(file, clips, size, seed, epochs, raw, lengths, padding, frames)


def _batches(file, clips, size, seed, epochs, raw, lengths, padding, frames):
    for epoch in itertools.count() if epochs is None else range(epochs):
        # Made from both numbers, so that an epoch's order can be had again without going through those before it.
        order = clips if seed is None else np.random.default_rng([seed, epoch]).permutation(clips)
        for begin in range(0, len(order), size):
            batch = order[begin:begin + size]
            counts = np.minimum(file.count[batch], frames or np.iinfo(np.int32).max)
            features = np.full((len(batch), frames or counts.max(), file.bins), padding, np.float32)
            # In the order in which they lie in the file, which disks like better; their places in the batch stay.
            for place in np.argsort(file.start[batch]):
                features[place, :counts[place]] = file.read(batch[place], raw)[:counts[place]]
            yield (features, counts) if lengths else features, file.label_index[batch]


def steps(path, size=32, split=None, label=None):
    """Batches in an epoch."""
    return math.ceil(len(FeatureFile(path).select(split, label)) / size)


def main():
    parser = argparse.ArgumentParser(description="Run an epoch over a feature file and print shapes.")
    parser.add_argument("file")
    parser.add_argument("--split", help="only clips of this split")
    parser.add_argument("--label", help="only clips of this label")
    parser.add_argument("--raw", action="store_true", help="undo the normalisation")
    parser.add_argument("--batch", type=int, default=32, help="clips in a batch (default: 32)")
    parser.add_argument("--seed", type=int, default=0, help="of the shuffling (default: 0)")
    arguments = parser.parse_args()

    try:
        generator = batches(
            arguments.file, arguments.batch, arguments.split, arguments.label, arguments.seed, raw=arguments.raw,
            lengths=True)
        count = steps(arguments.file, arguments.batch, arguments.split, arguments.label)
    except (OSError, ValueError) as error:
        raise SystemExit(f"batches.py: {error}")
    clips = 0
    for number, ((features, lengths), labels) in enumerate(generator):
        if number < 3 or number == count - 1:
            print(f"batch {number}: features {features.shape}, lengths {lengths.min()} to {lengths.max()}, "
                  f"labels {labels.shape}")
        clips += len(labels)
    print(f"an epoch: {clips} clips in {count} batches")


if __name__ == "__main__":
    main()
