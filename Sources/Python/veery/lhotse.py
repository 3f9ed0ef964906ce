"""Feature files as a storage of lhotse: ``import veery.lhotse`` registers what reads them.

``veery export features.h5 --to lhotse -o DIR`` writes cuts that refer to features in the feature file::

    import lhotse
    import veery.lhotse

    cuts = lhotse.CutSet.from_file("DIR/cuts.jsonl.gz")
    cuts[0].load_features()          # float32, frames x bins

Uncompressed files are mapped into memory: worker processes share them, and a part of a clip reads only that part. Cuts of a set
name its index, and files of the set are opened as their clips are read.
"""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt
from lhotse.cut import Cut, CutSet  # type: ignore[import-untyped]
from lhotse.features.base import FeatureExtractor, register_extractor  # type: ignore[import-untyped]
from lhotse.features.io import FeaturesReader, register_reader  # type: ignore[import-untyped]
from lhotse.utils import fastcopy  # type: ignore[import-untyped]

from ._errors import FeatureFileError, described
from ._hdf5 import Source
from ._set_index import SetIndex, is_index

__all__ = ["VeeryFeatures", "VeeryReader", "with_features_file"]


class _OpenFile:
    """Rows of a feature file by their index, whatever its layout, type and compression."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._source = Source(path)
        file = self._source.open()
        try:
            with self._source.reading():
                self._read(file)
        except BaseException:
            file.close()
            raise

    def _read(self, file: Any) -> None:
        path = self.path
        if file.attrs.get("format") != "veery-features":
            raise FeatureFileError(f"{path}: expected a feature file of Veery, found another HDF5 file")
        #: Checksum of everything that belongs to no clip.
        self.checksum = str(file.attrs.get("metadata_xxh3", ""))
        features = file["features"]
        #: Values in a row.
        self.bins: int = features.shape[-1]
        #: Rows of the block of a clip in the fixed layout, otherwise None.
        self._block: Optional[int] = features.shape[1] if file.attrs.get("layout") == "fixed" else None
        #: Where each clip lies, and the checksum of its rows.
        self._clips = tuple(_mapped(path, file[f"clips/{name}"]) for name in ("frame_start", "frame_count", "tensor_xxh3"))
        self._rows: Optional[npt.NDArray[Any]] = None
        self._dataset: Any = None
        if features.id.get_offset() is not None:
            self._rows = _mapped(path, features).reshape(-1, self.bins)
            file.close()
        elif features.size == 0:
            self._rows = np.empty((0, self.bins), features.dtype)
            file.close()
        else:
            # The dataset keeps the file open.
            self._dataset = features

    def has(self, row: int, count: int, checksum: str, clip: int, rows: str) -> bool:
        """Whether these are still the rows of the clip whose cut was exported."""
        starts, counts, checksums = self._clips
        return (self.checksum.startswith(checksum) and clip < len(starts) and starts[clip] == row and counts[clip] == count
                and bytes(checksums[clip]).startswith(rows.encode()))

    def close(self) -> None:
        """Closes what HDF5 has open."""
        if self._dataset is not None:
            self._dataset.file.close()

    def read(self, start: int, stop: int) -> npt.NDArray[np.float32]:
        """A copy of rows of one clip, shape (stop - start, bins)."""
        if start == stop:
            return np.empty((0, self.bins), np.float32)
        if self._rows is not None:
            return np.array(self._rows[start:stop], np.float32)
        with self._source.reading():
            if self._block is None:
                return np.asarray(self._dataset[start:stop], np.float32)
            clip, frame = divmod(start, self._block)
            return np.asarray(self._dataset[clip, frame : frame + stop - start], np.float32)


def _mapped(path: str, dataset: Any) -> npt.NDArray[Any]:
    """A dataset as a map of the file; one that is compressed or empty is read."""
    offset = dataset.id.get_offset()
    return dataset[()] if offset is None else np.memmap(path, dataset.dtype, "r", offset, dataset.shape)


class _OpenSet:
    """Rows of the files of a set by their index, counted through all files."""

    def __init__(self, path: str) -> None:
        self.index = index = SetIndex.read(path)
        #: Checksum of everything that belongs to no clip, in one file with all clips.
        self.checksum = index.metadata_xxh3
        with Source(index.file(0)).open() as file:
            patch = int(file["features"].attrs.get("patch_length", 1))
        rows = [member.rows // patch for member in index.files]
        # The first rows, and the first clips, of each file.
        self._rows = np.cumsum([0, *rows[:-1]], dtype=np.int64)
        self._clips = np.cumsum([0, *(member.clips for member in index.files[:-1])], dtype=np.int64)

    def has(self, row: int, count: int, checksum: str, clip: int, rows: str) -> bool:
        """Whether these are still the rows of the clip whose cut was exported."""
        number = int(np.searchsorted(self._clips, clip, "right")) - 1
        if number < 0 or not self.checksum.startswith(checksum):
            return False
        expected = self.index.files[number].metadata_xxh3
        own = clip - int(self._clips[number])
        return self._file(number).has(row - int(self._rows[number]), count, expected, own, rows)

    def close(self) -> None:
        """The files are closed as all others are."""

    def read(self, start: int, stop: int) -> npt.NDArray[np.float32]:
        """A copy of rows of one clip, shape (stop - start, bins)."""
        number = int(np.searchsorted(self._rows, start, "right")) - 1
        first = int(self._rows[number])
        return self._file(number).read(start - first, stop - first)

    def _file(self, number: int) -> _OpenFile:
        path = self.index.file(number)
        found = _opened(path)
        if not isinstance(found, _OpenFile) or found.checksum != self.index.files[number].metadata_xxh3:
            raise FeatureFileError(f"{path}: the file is not the one that {self.index.path} names")
        return found


class _OpenFiles:
    """The files that this process has read from."""

    maximum = 64

    def __init__(self) -> None:
        self._files: dict[str, tuple[tuple[int, int, int, int], Union[_OpenFile, _OpenSet]]] = {}
        self._process = os.getpid()

    def __call__(self, path: str) -> Union[_OpenFile, _OpenSet]:
        """The file, or the set, as it is now."""
        if self._process != os.getpid():
            # After a fork, HDF5 would hand out the parent's descriptor again, were it not closed first.
            self.close()
            self._process = os.getpid()
        status = os.stat(path)
        identity = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
        found = self._files.get(path)
        if found is None or found[0] != identity:
            if found is not None:
                self._files.pop(path)[1].close()
            elif len(self._files) >= self.maximum:
                self._files.pop(next(iter(self._files)))[1].close()
            found = self._files[path] = (identity, _OpenSet(path) if is_index(path) else _OpenFile(path))
        return found[1]

    def close(self) -> None:
        for _, file in self._files.values():
            file.close()
        self._files.clear()


_opened = _OpenFiles()


@register_reader
class VeeryReader(FeaturesReader):  # type: ignore[misc]
    """Reads clips from a feature file.

    ``storage_path`` is the file, or the index of a set. ``storage_key`` is ``row,count``: the index of the clip's first
    row, counted through all blocks in the fixed layout and through all files of a set, and its number of frames. Further
    parts tell whether these are still the rows of the clip: the start of the file's ``metadata_xxh3``, the index of the
    clip, and the start of its ``tensor_xxh3``. Reading fails if the file has others.
    """

    name = "veery"

    def __init__(self, storage_path: Union[str, Path], *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self.storage_path = str(storage_path)

    def read(
        self, key: str, left_offset_frames: int = 0, right_offset_frames: Optional[int] = None
    ) -> npt.NDArray[np.float32]:
        """Frames of a clip, shape (frames, bins), float32; never rows of another clip.

        :param key: ``row,count`` or ``row,count,checksum,clip,checksum of its rows``.
        :param left_offset_frames: the first frame.
        :param right_offset_frames: the frame after the last; None, or more than the clip has: all.
        """
        try:
            row, count, *rest = key.split(",")
            int(row), int(count)
        except (AttributeError, ValueError):
            raise ValueError(
                f"{self.storage_path}: storage_key: expected 'row,count' or more, as 'veery export --to lhotse' writes it, "
                f"found {described(key)}") from None
        file = _opened(self.storage_path)
        if rest and not (len(rest) == 3 and file.has(int(row), int(count), rest[0], int(rest[1]), rest[2])):
            raise ValueError(
                f"{self.storage_path}: the feature file has changed since its cuts were exported: "
                "run 'veery export --to lhotse' again")
        start, stop, _ = slice(left_offset_frames, right_offset_frames).indices(int(count))
        return file.read(int(row) + start, int(row) + max(start, stop))


@dataclass
class VeeryFeaturesConfig:
    """No settings: the feature file has the configuration."""


@register_extractor
class VeeryFeatures(FeatureExtractor):  # type: ignore[misc]
    """What lhotse asks of the type of features when it joins cuts (``append``, ``pad``): it computes no features.

    Cuts that follow one another are joined without a change of any value. Cuts that overlap cannot be mixed, because
    values may be normalised or have any scale.
    """

    name = "veery"
    config_type = VeeryFeaturesConfig
    #: What lhotse puts before and after the features of a track.
    _padding = -1000.0

    def extract(self, samples: Any, sampling_rate: int) -> Any:
        raise NotImplementedError("'veery extract' computes features; lhotse reads those of a feature file")

    @property
    def frame_shift(self) -> float:
        raise NotImplementedError("each cut has the frame shift of its feature file")

    def feature_dim(self, sampling_rate: int) -> int:
        raise NotImplementedError("each cut has the number of values of its feature file")

    @staticmethod
    def compute_energy(features: npt.NDArray[np.float32]) -> float:
        """No energy is known; it is needed only for cuts that overlap."""
        return 1.0

    @staticmethod
    def mix(
        features_a: npt.NDArray[np.float32], features_b: npt.NDArray[np.float32], energy_scaling_factor_b: float
    ) -> npt.NDArray[np.float32]:
        """Joins two arrays of shape (frames, values) of which at most one has a frame; the other is padded there."""
        without_a = (features_a == VeeryFeatures._padding).all(axis=-1, keepdims=True)
        without_b = (features_b == VeeryFeatures._padding).all(axis=-1, keepdims=True)
        if not (without_a | without_b).all():
            raise ValueError(
                "cuts with features of a feature file cannot be mixed where they overlap: mix the recordings before "
                "'veery extract'")
        return np.where(without_a, features_b, features_a)


def _moved(cut: Cut, path: str) -> Cut:
    features = getattr(cut, "features", None)
    if features is None or features.storage_type != VeeryReader.name:
        return cut
    return fastcopy(cut, features=fastcopy(features, storage_path=path))


def with_features_file(cuts: CutSet, path: Union[str, Path]) -> CutSet:
    """The cuts with another path of their feature file, or index, for one that was moved or renamed since they were exported."""
    return cuts.map(functools.partial(_moved, path=str(path)))
