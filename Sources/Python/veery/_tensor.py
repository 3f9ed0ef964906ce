"""Large arrays of a feature file: mapped into memory if they are contiguous, otherwise read by HDF5."""

from __future__ import annotations

import mmap
import os
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._errors import FeatureFileError
from ._hdf5 import Header, Source, dataset


class StoredArray:
    """A dataset of which parts are read.

    All processes that map a file share the pages that the system keeps of it, and a map survives a fork. A dataset that
    HDF5 has to read is opened by each process for itself.
    """

    def __init__(
        self, source: Source, name: str, shape: tuple[int, ...], dtype: Any, compressed: bool, offset: Optional[int]
    ) -> None:
        self._source, self._name, self._offset = source, name, offset
        self.shape, self.dtype, self.is_mapped = shape, dtype, not compressed
        self._map: Optional[npt.NDArray[Any]] = None
        self._pages: Optional[mmap.mmap] = None
        self._end = 0
        self._file: Any = None
        self._dataset: Any = None

    @staticmethod
    def find(source: Source, file: Any, name: str, shape: tuple[int, ...]) -> StoredArray:
        """A dataset of the open file, which has to have this shape."""
        found = dataset(source, file, name)
        if found.shape != shape:
            raise source.damaged(f"/{name} has the shape {found.shape}, not {shape}")
        compressed = found.chunks is not None
        return StoredArray(source, name, shape, found.dtype, compressed, None if compressed else found.id.get_offset())

    def __getitem__(self, key: Any) -> npt.NDArray[Any]:
        """A part of the array, read-only: a view of the map, if there is one."""
        if self.is_mapped:
            return self.mapped()[key]  # type: ignore[no-any-return]
        file = self._source.kept()
        if self._file is not file:
            self._file, self._dataset = file, file[self._name]
        with self._source.reading():
            values: npt.NDArray[Any] = self._dataset[key]
        values.flags.writeable = False
        return values

    def mapped(self) -> npt.NDArray[Any]:
        """The whole array as a map, if it is not compressed."""
        if self._map is None:
            self._map = self._mapped()
        self.check()
        return self._map

    def check(self) -> None:
        """Refuses a mapped file that was cut off in the meantime: reading the map would kill the process."""
        if self._pages is not None and (length := self._pages.size()) < self._end:
            raise self._cut_off(length)

    def close(self) -> None:
        """Drops the map, which lives as long as views of it, and the dataset."""
        self._map = self._pages = self._file = self._dataset = None

    def _mapped(self) -> npt.NDArray[Any]:
        size = int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize
        if size == 0:
            empty = np.empty(self.shape, self.dtype)
            empty.flags.writeable = False
            return empty
        if self._offset is None:
            raise self._source.damaged(f"/{self._name} has no address")
        self._end = self._offset + size
        start = self._offset - self._offset % mmap.ALLOCATIONGRANULARITY
        with self._source.binary() as file:
            length = os.fstat(file.fileno()).st_size
            if self._end > length:
                raise self._cut_off(length)
            self._pages = mmap.mmap(file.fileno(), self._end - start, access=mmap.ACCESS_READ, offset=start)
        return np.ndarray(self.shape, self.dtype, self._pages, self._offset - start)

    def _cut_off(self, length: int) -> FeatureFileError:
        return self._source.damaged(f"/{self._name} ends at byte {self._end} of {length}: the file is cut off")


class Tensor:
    """Rows of /features by their index, in both layouts: row r of the fixed one is `/features[r // T, r % T]`.

    A row is a frame, or a patch."""

    is_one_array = True
    """Whether all rows are parts of `stored`."""

    def __init__(self, source: Source, header: Header) -> None:
        self.stored = StoredArray(
            source, "features", header.shape, header.dtype, header.compression is not None, header.offset)
        self._shape, self._is_fixed = header.row_shape, header.layout == "fixed"
        self._block = header.block if self._is_fixed else 0
        self._is_by_channel = self._is_fixed and header.channels is not None
        self._rows: Optional[npt.NDArray[Any]] = None

    def rows(self, start: int, count: int) -> npt.NDArray[Any]:
        """Rows as they are stored, [count, bins] or [count, *row_shape], read-only; with the fixed layout, of one clip."""
        rows = self._rows
        if rows is not None:
            self.stored.check()
            return rows[start:start + count]
        stored = self.stored
        if self._is_by_channel:
            clip, start = divmod(start, self._block)
            return stored[clip, :, start:start + count].transpose(1, 0, 2)
        if stored.is_mapped:
            self._rows = stored.mapped().reshape(-1, *self._shape)
            return self._rows[start:start + count]
        if self._is_fixed:
            clip, start = divmod(start, self._block)
            return stored[clip, start:start + count]
        return stored[start:start + count]

    @property
    def is_mapped(self) -> bool:
        """Whether rows are views of a map."""
        return self.stored.is_mapped

    def close(self) -> None:
        """Drops the map, which lives as long as views of it."""
        self._rows = None
        self.stored.close()
