"""Trains a linear classifier on the split train, and tests it on the split test: python classify.py FEATURES.h5"""
import sys

import numpy as np
import veery

file = veery.open(sys.argv[1])
if not {"train", "test"} <= set(file.splits):
    sys.exit(f"classify.py: {file.path}: its clips need the splits train and test: 'veery split' makes a manifest with them")


def table(split):
    """A row for each labelled clip: the mean of every bin in each third of the clip, and its deviation over the clip."""
    clips = file.select(split=split, label=file.labels)
    rows = [[part.mean(axis=0) for part in np.array_split(clip.features, 3)] + [clip.features.std(axis=0)] for clip in clips]
    return np.reshape(rows, (len(clips), -1)).astype(float), clips.label_index


(x, y), (test_x, test_y) = table("train"), table("test")
mean, std = x.mean(axis=0), x.std(axis=0) + 1e-9
x, test_x = (np.c_[(rows - mean) / std, np.ones(len(rows))] for rows in (x, test_x))
targets = np.eye(len(file.labels))[y]
weights = np.linalg.solve(x.T @ x + len(x) * np.eye(x.shape[1]), x.T @ targets)     # least squares, kept small
found = (test_x @ weights).argmax(axis=1)

for index, label in enumerate(file.labels):
    clips = test_y == index
    print(f"{label:20} {np.sum(found[clips] == index):4} of {np.sum(clips):4} right")
most = np.bincount(y).argmax()
right, by_chance = 100 * np.mean(found == test_y), 100 * np.mean(test_y == most)
print(f"all: {right:.1f} % of {len(test_y)} clips; always '{file.labels[most]}': {by_chance:.1f} %")
