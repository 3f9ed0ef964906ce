"""Runs an epoch over a feature file by padded batches in NumPy, and prints shapes.

    python batches.py FEATURES.h5 --split train --batch 32
"""

import argparse

import veery


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
        chosen = veery.open(arguments.file).select(arguments.split, arguments.label)
        generator = veery.batches(chosen, arguments.batch, seed=arguments.seed, raw=arguments.raw, lengths=True)
        count = veery.steps(chosen, arguments.batch)
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
