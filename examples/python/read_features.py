"""Shows one clip, of the train split if there is one: python read_features.py FEATURES.h5"""
import sys

import veery

file = veery.open(sys.argv[1])
train = file.select(split="train") if "train" in file.splits else file
print(f"{len(train)} of {len(file)} clips to train on; labels: {file.labels}")
clip = train[0]
features = clip.features              # what a model sees: frames × bins, normalised
before = clip.raw().features          # as it was before normalisation
print(f"{clip.id} is {clip.label!r}: {features.shape}")
for name, values in [("normalised", features), ("before that", before)]:
    print(f"{name} from {values.min():.2f} to {values.max():.2f}")
