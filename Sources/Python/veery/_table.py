"""The columns of /clips as arrays, each read when it is first used, and clips by their id.

Columns are arrays, not lists: a forked worker would copy a list page by page, since reading a Python object writes to
it (its reference count).
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._hdf5 import Header, Source, dataset, text

OPTIONAL = ("channel", "truncated", "zeroed_samples", "remarks")
"""Columns that depend on the manifest and on options of `extract`."""


class ClipTable:
    """The columns of a feature file's clips, in the order of the file."""

    def __init__(self, source: Source, header: Header) -> None:
        self._source, self._header = source, header
        self._columns: dict[str, npt.NDArray[Any]] = {}
        self._names: Optional[tuple[str, ...]] = None
        self._extra: Optional[tuple[str, ...]] = None
        self._sorted: Optional[tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]] = None

    def __len__(self) -> int:
        return self._header.clips

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the datasets in /clips that this file has."""
        if self._names is None:
            with self._source.opened() as file:
                self._names = tuple(file["clips"])
        return self._names

    @property
    def extra(self) -> tuple[str, ...]:
        """The names of the manifest's other columns."""
        if self._extra is None:
            with self._source.opened() as file:
                self._extra = tuple(file.get("clips/extra", ()))
        return self._extra

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        """A column such as `frame_count` or `extra/speaker`, [clips], read-only; strings are bytes of UTF-8."""
        column = self._columns.get(name)
        if column is None:
            column = self._columns[name] = self.read(name)
            column.flags.writeable = False
        return column

    def read(self, name: str) -> npt.NDArray[Any]:
        """A column, read anew by each call."""
        with self._source.opened() as file:
            stored = dataset(self._source, file, f"clips/{name}", 1)
            if stored.shape[0] != len(self):
                raise self._source.damaged(
                    f"/clips/{name} has {stored.shape[0]} rows, /clips/frame_count {len(self)}")
            column: npt.NDArray[Any] = stored[:]
        return column

    def texts(self, name: str, indices: Optional[npt.NDArray[np.int64]] = None) -> npt.NDArray[Any]:
        """A column of strings, [clips], str, of all clips or of some."""
        column = self[name]
        return np.char.decode(column if indices is None else column[indices], "utf-8", "replace")

    def text(self, name: str, clip: int) -> str:
        """The string of one clip in a column."""
        return text(self[name][clip])

    @property
    def start(self) -> npt.NDArray[np.int64]:
        """The first row of each clip."""
        return self._extents()[0]

    @property
    def count(self) -> npt.NDArray[np.int32]:
        """The number of rows of each clip."""
        return self._extents()[1]

    def find(self, identifier: str) -> Optional[int]:
        """The index of the clip with an id; None: there is no such clip. The first search sorts hashes of the ids."""
        ids = self["id"]
        key = identifier.encode("utf-8", "surrogatepass")
        if len(key) > ids.dtype.itemsize:
            return None
        if self._sorted is None:
            # Without a lock, which a fork in another thread would leave locked: two threads may both sort.
            every = hashes(ids)
            order = np.argsort(every)
            self._sorted = every[order], order
        sums, order = self._sorted
        wanted = hashes(np.array([key], ids.dtype))[0]
        first, end = np.searchsorted(sums, wanted, "left"), np.searchsorted(sums, wanted, "right")
        return next((int(clip) for clip in order[first:end] if ids[clip] == key), None)

    def _extents(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
        start, count = self._columns.get("frame_start"), self._columns.get("checked frame_count")
        if start is None or count is None:
            start, count = self["frame_start"], self["frame_count"]
            header = self._header
            end = start + count.astype(np.int64)
            wrong = (start < 0) | (count < 1) | (end > header.rows)
            if header.layout == "fixed" and header.rows:
                wrong |= start // header.block != (end - 1) // header.block
            if wrong.any():
                clip = int(np.flatnonzero(wrong)[0])
                raise self._source.damaged(
                    f"clip {clip} has rows from {start[clip]}, {count[clip]} of them, of {header.rows}")
            self._columns["checked frame_count"] = count
        return start, count


def hashes(texts: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """A hash of each string, [strings]: numbers are sorted several times faster than strings."""
    words = -(-texts.dtype.itemsize // 8)
    sums = np.empty(len(texts), np.uint64)
    for start in range(0, len(texts), 65_536):
        block = texts[start:start + 65_536].astype(f"S{8 * words}").view("<u8").reshape(-1, words)
        hashed = np.zeros(len(block), np.uint64)
        for column in block.T:
            hashed = (hashed ^ column) * np.uint64(0x9E3779B97F4A7C15)
            hashed ^= hashed >> np.uint64(29)
        sums[start:start + 65_536] = hashed
    return sums
