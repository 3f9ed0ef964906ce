"""Runs an epoch over a feature file by a DataLoader of PyTorch, and prints shapes. Needs torch.

    python torch_dataset.py FEATURES.h5 --split train --batch 32 --workers 2
"""

import argparse
import time

import torch
from torch.utils.data import DataLoader

from veery.torch import Dataset, collate


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
        dataset = Dataset(arguments.file, arguments.split, arguments.label, raw=arguments.raw)
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
    start = time.perf_counter()
    for number, (features, lengths, labels) in enumerate(loader):
        if number < 3 or number == len(loader) - 1:
            print(f"batch {number}: features {tuple(features.shape)}, lengths {lengths.min()} to {lengths.max()}, "
                  f"labels {tuple(labels.shape)}")
        clips, frames = clips + len(lengths), frames + int(lengths.sum())
    print(f"an epoch: {clips} clips, {frames} frames, {clips / (time.perf_counter() - start):.0f} clips/s")


if __name__ == "__main__":
    main()
