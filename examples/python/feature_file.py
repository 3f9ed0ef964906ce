"""Random access to the clips of a feature file: what the other examples here share. Needs h5py and NumPy.

    from feature_file import FeatureFile
    file = FeatureFile("features.h5")
    for clip in file.select(split="train", label="dog"):
        print(file.id(clip), file.read(clip).shape)

It reads every file that Veery writes: layout packed or fixed, float32 or float16, with or without compression. An
object may be pickled, and used on both sides of a fork: every process opens the tensor when it first reads from it.
"""

import json
import os

import h5py
import numpy as np


class FeatureFile:
    """The clips of a feature file, by their place in it: 0 is the first.

    labels, splits:            the names there are.
    label_index, split_index:  [clips], place of each clip's label in `labels` (-1: no label), of its split in `splits`.
    start, count:              [clips], where a clip begins in the rows of the tensor, and its number of frames.
    bins:                      values in a frame.
    label_matrix:              [clips, labels] of 0 and 1, all labels of each clip; None: the manifest had no column `labels`.
    frame_label_names:         the names of `frame_labels`; None: frames have no labels.

    The columns are arrays and not lists: of a list, every worker process would come to have a copy of its own, bit by
    bit, because even looking at a Python object writes to it (its reference count).
    """

    def __init__(self, path):
        self.path = os.path.abspath(path)
        with h5py.File(self.path) as file:
            if file.attrs.get("format") != "veery-features":
                raise ValueError(f"{path}: expected a feature file of Veery, found another HDF5 file")
            version = str(file.attrs.get("format_version", "none"))
            if not version.startswith("1."):
                raise ValueError(f"{path}: expected format version 1.x, found {version}")
            if file.attrs.get("complete") != 1:
                raise ValueError(f"{path}: the file is not complete")
            clips, features = file["clips"], file["features"]
            self._ids = clips["id"][:]  # UTF-8: four times smaller than Python's text
            self.labels, self.label_index = list(file["labels"].asstr()), clips["label_index"][:].astype(np.int64)
            splits, self.split_index = np.unique(clips["split"][:], return_inverse=True)
            self.splits = [split.decode() for split in splits]
            self.start, self.count = clips["frame_start"][:], clips["frame_count"][:]
            self.label_matrix = clips["label_matrix"][:] if "label_matrix" in clips else None
            names = file.get("frame_label_names")
            self.frame_label_names = None if names is None else list(names.asstr())
            self.bins, self.dtype, self._values = features.shape[-1], features.dtype, features.size
            # Where the tensor lies in the file, if it lies there in one piece: HDF5 is not needed to read it then.
            self.offset = features.id.get_offset() if features.chunks is None else None
            self.normalize = json.loads(file["provenance/configuration"][()])["normalize"]
        self._forget()

    def __len__(self):
        return len(self.start)

    def __getstate__(self):
        # Neither an open file nor a map can go to another process: the copy there opens its own.
        return {**self.__dict__, "_file": None, "_tensor": None, "_process": None, "_statistics": None}

    def id(self, clip):
        """The unique name of a clip, or an array of names for several."""
        return np.char.decode(self._ids[clip], "utf-8")[()]

    def select(self, split=None, label=None):
        """The places of the clips of a split and of a label; of several where a list is given, of all where None."""
        chosen = np.ones(len(self), bool)
        for kind, wanted, names, index in [
            ("split", split, self.splits, self.split_index), ("label", label, self.labels, self.label_index)
        ]:
            if wanted is not None:
                wanted = np.atleast_1d(wanted).tolist()
                if unknown := [name for name in wanted if name not in names]:
                    raise ValueError(f"{self.path}: there is no {kind} {unknown[0]!r}, but {names}")
                chosen &= np.isin(index, [names.index(name) for name in wanted])
        return np.flatnonzero(chosen)

    def read(self, clip, raw=False):
        """The features of a clip, [frames, bins], as float32; with raw, as they were before normalisation."""
        tensor, start, count = self._open(), self.start[clip], self.count[clip]
        # In the fixed layout all that lies behind frame_count is padding.
        values = tensor[clip, :count] if tensor.ndim == 3 else tensor[start:start + count]
        # A copy: a view could not be written to, and tensors of PyTorch have to be writable.
        values = np.array(values, np.float32)
        return self._undo_normalization(values, clip) if raw else values

    def frame_labels(self, clip):
        """The label of each frame of a clip, [frames], as its place in `frame_label_names` (-1: none)."""
        start, count = self.start[clip], self.count[clip]
        with h5py.File(self.path) as file:
            labels = file["frame_label"]
            return labels[clip, :count] if labels.ndim == 2 else labels[start:start + count]

    def _open(self):
        """The tensor: a map of the file as [rows, bins] where it lies in one piece, else h5py's dataset."""
        if self._process != os.getpid():
            # After a fork, parent and child would read through the same open file; the child opens its own.
            if self._process is not None and self._file is not None:
                self._file.close()
            self._forget()
            if self.offset is None:
                self._file = h5py.File(self.path)
                self._tensor = self._file["features"]
            else:
                # All processes that map a file share the pages that the system keeps of it.
                self._tensor = np.memmap(self.path, self.dtype, "r", self.offset, (self._values,))
                self._tensor = self._tensor.view(np.ndarray).reshape(-1, self.bins)  # slices faster than memmap
            self._process = os.getpid()
        return self._tensor

    def _forget(self):
        self._file = self._tensor = self._process = self._statistics = None

    def _undo_normalization(self, values, clip):
        """The way back from stored values y = (x - offset) / spread + base to x."""
        scope, method, axis = (self.normalize[key] for key in ("scope", "method", "axis"))
        if scope == "none":
            return values
        if self._statistics is None:
            with h5py.File(self.path) as file:
                # Of all clips together, [bins], or of each one, [clips, bins].
                group = file.get("clips/statistics" if scope == "clip" else "statistics")
                if group is None:
                    raise ValueError(f"{self.path}: clips were normalised one by one, and their statistics not stored")
                self._statistics = [group[name][:] for name in ("mean", "std", "min", "max")]
        mean, std, least, most = (figure[clip] if scope == "clip" else figure for figure in self._statistics)
        if axis == "all":  # the figures of all bins together
            mean, std = np.mean(mean), np.sqrt(np.mean(std ** 2) + np.var(mean))
            least, most = np.min(least), np.max(most)
        offset = mean if method in ("zscore", "mean") else least
        spread = {"zscore": std, "mean": 1, "minmax": most - least, "range": (most - least) / 2}[method]
        spread = np.where(spread > np.finfo(np.float32).tiny, spread, 1)  # a constant bin was divided by 1
        base = -1 if method == "range" else 0
        return ((values.astype(np.float64) - base) * spread + offset).astype(np.float32)
