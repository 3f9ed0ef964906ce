"""Shows one clip, of the train split if there is one: python read_features.py FEATURES.h5 (needs h5py; made with --preset log-mel)."""
import sys

import h5py

with h5py.File(sys.argv[1]) as file:
    clips, statistics = file["clips"], file["statistics"]
    splits = clips["split"].asstr()[:]
    train = [i for i, split in enumerate(splits) if split == "train"] or range(len(splits))
    print(f"{len(train)} of {len(splits)} clips to train on; labels: {list(file['labels'].asstr())}")
    clip = train[0]
    start, count = clips["frame_start"][clip], clips["frame_count"][clip]
    tensor = file["features"][start:start + count]              # what a model sees: z-scores, frames × bins
    log_mel = tensor * statistics["std"][:] + statistics["mean"][:]  # as they were: ln of the power
    print(f"{clips['id'].asstr()[clip]} is '{clips['label'].asstr()[clip]}': {tensor.shape}")
    print(f"z-scores from {tensor.min():.2f} to {tensor.max():.2f}; ln(power) from {log_mel.min():.2f} to {log_mel.max():.2f}")
