"""A torch DataLoader, as in training: its workers read recordings and make torchaudio's log-mel spectrograms, eight at a
time; the main process takes them and writes them to one file."""
import json
import os
import sys
import time

import worker

import numpy as np  # noqa: E402
import torch  # noqa: E402
from torch.utils.data import DataLoader, Dataset  # noqa: E402
from with_torchaudio import make  # noqa: E402


class Clips(Dataset):
    """The clips of a list; every worker makes its own transforms and reader at its first clip."""

    def __init__(self, arguments):
        self.arguments, self.rows = arguments, list(worker.clips(arguments.list))
        self.features = self.read = None

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        if self.features is None:
            self.features, self.read = make(self.arguments), worker.Reader()
        return torch.from_numpy(np.ascontiguousarray(self.features(*self.read(*self.rows[index])), dtype=np.float32))


def joined(clips):
    """A batch, and the number, processor time and memory of the process that made it."""
    return torch.cat(clips), os.getpid(), time.process_time(), worker.peak_bytes()


def main():
    arguments = worker.read_arguments()
    # The workers live on from round to round.
    loader = DataLoader(
        Clips(arguments), batch_size=worker.AT_ONCE, num_workers=arguments.jobs, collate_fn=joined, persistent_workers=True)
    worker.answer(["torch", "torchaudio"])
    before = {}
    for _ in sys.stdin:
        frames = bins = 0
        times, peaks = {}, {}
        begin = time.process_time()
        with open(f"{arguments.output}.0", "wb", buffering=1 << 20) as file:
            for rows, process, cpu, peak in loader:
                rows.numpy().tofile(file)
                frames, bins = frames + len(rows), rows.shape[1]
                times[process], peaks[process] = cpu, peak
        cpu = time.process_time() - begin + sum(times[process] - before.get(process, 0) for process in times)
        before.update(times)
        print(json.dumps({
            "frames": frames, "bins": bins, "cpu": cpu, "peak_bytes": max([worker.peak_bytes(), *peaks.values()])}), flush=True)


if __name__ == "__main__":
    main()
