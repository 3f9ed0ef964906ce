"""Shows one clip, of the train split if there is one: python read_features.py FEATURES.h5 (needs h5py)."""
import sys

from feature_file import FeatureFile

file = FeatureFile(sys.argv[1])
train = file.select(split="train") if "train" in file.splits else range(len(file))
print(f"{len(train)} of {len(file)} clips to train on; labels: {file.labels}")
clip = train[0]
tensor = file.read(clip)              # what a model sees: frames × bins, normalised
before = file.read(clip, raw=True)    # as it was before normalisation
label = file.labels[file.label_index[clip]] if file.label_index[clip] >= 0 else ""
print(f"{file.id(clip)} is '{label}': {tensor.shape}")
print(f"normalised from {tensor.min():.2f} to {tensor.max():.2f}; before that from {before.min():.2f} to {before.max():.2f}")
