"""Measures what packing clips into one tensor is worth, against an HDF5 file with a dataset for each clip.

    python compare_layouts.py FEATURES.h5 --epochs 10

makes the other file itself, of the same clips, in a temporary folder; needs as much space there as the tensor. Then
every clip is read once an epoch, in random order, and the clips per second and the memory of the reading process are
printed:

- in one process (h5py and NumPy; started for the purpose, so that the memory is that of reading alone),
- by two workers of a PyTorch DataLoader, if torch can be imported. They live through all epochs.

The layouts take turns from epoch to epoch, so that a busy machine slows all of them alike: look at ratios. The files
lie in the system's cache, as those that fit into memory do from the second epoch on. Memory, in MB:

- private: what belongs to the process alone. This is what must not grow; where every worker grows, training dies.
- RSS: private memory, libraries, and the pages of a mapped file that the process has touched. Those last are the
  system's cache: there once for all processes, and freed when memory is short.
"""

import argparse
import multiprocessing
import os
import resource
import sys
import tempfile
import time

import h5py
import numpy as np

import veery


class Packed:
    """A feature file as the package reads it: mapped, unless it is compressed. Clips are copied, as for a batch."""

    def __init__(self, clips):
        self.clips = clips

    def __len__(self):
        return len(self.clips)

    def read(self, clip):
        return self.clips[clip].features.astype(np.float32)


class OpenedOnce:
    """A file that each process opens by h5py when it first reads from it."""

    def __init__(self, path, clips):
        self.path, self.clips, self.file, self.process = path, clips, None, None
        self.features = None

    def __len__(self):
        return self.clips

    def __getstate__(self):
        return {**self.__dict__, "file": None, "features": None, "process": None}

    def opened(self):
        if self.process != os.getpid():
            self.file, self.process = h5py.File(self.path), os.getpid()
        return self.file


class ThroughHDF5(OpenedOnce):
    """The packed file read by h5py alone, even where it could be mapped."""

    def __init__(self, clips):
        super().__init__(clips.path, len(clips))
        self.fixed = clips.layout == "fixed"
        self.start, self.count = clips.column("frame_start"), clips.lengths

    def read(self, clip):
        if self.features is None or self.process != os.getpid():
            self.features = self.opened()["features"]
        features, start, count = self.features, self.start[clip], self.count[clip]
        values = features[clip, :count] if self.fixed else features[start:start + count]
        return values.astype(np.float32, copy=False)


class DatasetPerClip(OpenedOnce):
    """A file in which every clip is a dataset, named by its number."""

    def read(self, clip):
        return self.opened()[f"{clip:08}"][:]

    @staticmethod
    def write(source, path):
        with h5py.File(path, "w") as file:
            for clip in range(len(source)):
                file[f"{clip:08}"] = source.read(clip)
        return DatasetPerClip(path, len(source))


def memory():
    """RSS and private memory of this process in MB. Without /proc: the greatest RSS so far, and no second number."""
    try:
        with open("/proc/self/status") as file:
            fields = dict(line.split(":", 1) for line in file)
        return tuple(int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon"))
    except (OSError, KeyError):
        unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit, np.nan


# ---------------------------------------------------------------------------------------------------- one process


def start(given):
    global reader
    reader = given


def read_epoch(seed):
    """Clips per second, and memory after them. Runs in a process of its own, whose reader start() has set."""
    order = np.random.default_rng(seed).permutation(len(reader))
    started = time.perf_counter()
    for clip in order:
        reader.read(clip)
    return len(order) / (time.perf_counter() - started), memory()


def one_process(readers, epochs):
    """For each layout a list of (clips/s, (RSS, private)), one for each epoch."""
    context = multiprocessing.get_context("spawn")
    pools = {name: context.Pool(1, start, (reader,)) for name, reader in readers.items()}
    try:
        results = {name: [] for name in readers}
        for epoch in range(epochs):
            for name, pool in pools.items():
                results[name].append(pool.apply(read_epoch, (epoch,)))
        return results
    finally:
        for pool in pools.values():
            pool.terminate()
            pool.join()


# ------------------------------------------------------------------------------------- two workers of a DataLoader


class Items:
    """What a DataLoader needs of a dataset: length and items."""

    def __init__(self, reader):
        self.reader = reader

    def __len__(self):
        return len(self.reader)

    def __getitem__(self, clip):
        return self.reader.read(clip)


def collate_and_weigh(clips):
    """Runs in the worker: a padded batch, and the worker's memory."""
    import torch
    clips = [torch.from_numpy(clip) for clip in clips]
    return torch.nn.utils.rnn.pad_sequence(clips, batch_first=True), memory()


def two_workers(readers, epochs, batch):
    """As one_process; memory is that of the larger worker at the end of the epoch."""
    import torch
    from torch.utils.data import DataLoader
    loaders = {
        name: DataLoader(
            Items(reader), batch, shuffle=True, num_workers=2, persistent_workers=True, collate_fn=collate_and_weigh,
            generator=torch.Generator().manual_seed(1))
        for name, reader in readers.items()}
    results = {name: [] for name in readers}
    for _ in range(epochs):
        for name, loader in loaders.items():
            start, last = time.perf_counter(), []
            for features, weight in loader:
                last = [*last[-1:], weight]  # of the last two batches: one from each worker
            results[name].append((len(loader.dataset) / (time.perf_counter() - start), tuple(np.max(last, axis=0))))
    return results


# ---------------------------------------------------------------------------------------------------------- tables


def show(title, results):
    base = np.median([rate for rate, _ in results["dataset per clip"]])
    print(f"\n{title}\n{'':18} clips/s  ratio   memory in MB after each epoch")
    for name, epochs in results.items():
        rate = np.median([rate for rate, _ in epochs])
        for row, kind in enumerate(["RSS", "private"]):
            left = f"{name:18} {rate:7.0f} {rate / base:5.2f}x" if row == 0 else " " * 33
            print(f"{left}  {kind:8}" + "".join(f"{weight[row]:6.0f}" for _, weight in epochs))


def main():
    parser = argparse.ArgumentParser(description="Compare a feature file with one that has a dataset for each clip.")
    parser.add_argument("file")
    parser.add_argument("--epochs", type=int, default=10, help="how often all clips are read (default: 10)")
    parser.add_argument("--batch", type=int, default=32, help="clips in a batch of the DataLoader (default: 32)")
    arguments = parser.parse_args()
    try:
        file = veery.open(arguments.file)
        if len(file) == 0:
            raise ValueError(f"{arguments.file}: no clip to read")
        if arguments.epochs < 1 or arguments.batch < 1:
            raise ValueError("expected at least one epoch, and one clip in a batch")
    except (OSError, ValueError) as error:
        raise SystemExit(f"compare_layouts.py: {error}")
    with tempfile.TemporaryDirectory() as folder:
        single = DatasetPerClip.write(Packed(file), os.path.join(folder, "clips.h5"))
        sizes = [os.path.getsize(path) / 1e6 for path in (file.path, single.path)]
        print(f"{len(file)} clips, {file.lengths.mean():.0f} frames on average, {file.bins} bins; "
              f"{sizes[0]:.0f} MB, {sizes[1]:.0f} MB as a dataset per clip")
        readers = {"packed, mapped" if file.is_mapped else "packed, veery": Packed(file)}
        readers.update({"packed, h5py": ThroughHDF5(file), "dataset per clip": single})
        show("one process", one_process(readers, arguments.epochs))
        try:
            import torch
        except ImportError:
            print("\ntwo workers: not measured, torch cannot be imported")
        else:
            show("two workers of a DataLoader", two_workers(readers, arguments.epochs, arguments.batch))


if __name__ == "__main__":
    main()
