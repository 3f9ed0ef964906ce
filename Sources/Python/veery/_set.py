"""A set of feature files, read as one: `veery extract --files`."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any, Iterator, Optional

import numpy as np
import numpy.typing as npt

from ._core import Core, Failure
from ._errors import FeatureFileError
from ._hdf5 import Header, Source
from ._identity import Identity
from ._normalization import Statistics
from ._set_index import SetIndex, is_index
from ._table import ClipTable

MAXIMUM_OPEN = 64
"""The maximum number of files of a set that are mapped, or in use by h5py, at the same time."""


def core(path: str, root: Optional[str] = None) -> Core:
    """The reader of a feature file, or, if the path is that of an index, of a set; `root` is the folder of its recordings."""
    return SetCore(path, root=root) if is_index(path) else Core(path, root=root)


class Members:
    """The files of a set, each opened when it is first needed, and compared with the index and the first file."""

    def __init__(self, index: SetIndex, identities: tuple[Identity, ...]) -> None:
        self.index, self.identities = index, identities
        self._cores: dict[int, Core] = {}
        self._recent: dict[int, None] = {}

    @staticmethod
    def identify(index: SetIndex) -> tuple[Identity, ...]:
        """The identity of each file. Raises an error if one is missing, or has another size than the index states."""
        identities = []
        for number, member in enumerate(index.files):
            path = index.file(number)
            try:
                status = os.stat(path)
            except FileNotFoundError as error:
                raise FileNotFoundError(
                    errno.ENOENT, f"the file is missing: {index.path} names it as one of its set", path) from error
            if status.st_size != member.bytes:
                raise _changed(index, number, f"it has {status.st_size:,} bytes, not {member.bytes:,}")
            identities.append(Identity.of(status))
        return tuple(identities)

    def __getitem__(self, number: int) -> Core:
        core = self._cores.get(number)
        if core is None:
            core = Core(self.index.file(number), self.identities[number])
            self._check(number, core)
            self._cores[number] = core
        return core

    def __iter__(self) -> Iterator[Core]:
        return (self[number] for number in range(len(self.index.files)))

    def for_rows(self, number: int) -> Core:
        """A file to read rows from. If too many are open, closes the one used longest ago; its arrays remain valid."""
        self._recent.pop(number, None)
        self._recent[number] = None
        if len(self._recent) > MAXIMUM_OPEN:
            oldest = next(iter(self._recent))
            del self._recent[oldest]
            self[oldest].close()
        return self[number]

    def close(self) -> None:
        for core in self._cores.values():
            core.close()
        self._recent.clear()

    def _check(self, number: int, core: Core) -> None:
        member, header = self.index.files[number], core.header
        rows = header.rows * (header.patch_length or 1)
        for name, found, expected in (
            ("clips", header.clips, member.clips), ("rows", rows, member.rows),
            ("failures", core.failure_count, member.failures),
            ("metadata_xxh3", header.metadata_xxh3, member.metadata_xxh3),
            ("the manifest", core.manifest_sha256, self.index.manifest_sha256),
        ):
            if found != expected:
                raise _changed(self.index, number, f"{name} is {found}, not {expected}")
        if number > 0:
            first = self[0]
            own, others = _common(core), _common(first)
            for name, value in own.items():
                if value != others[name]:
                    raise _changed(self.index, number, f"it differs from {first.path} in {name}")
            if rows and first.header.rows and header.compression != first.header.compression:
                raise _changed(self.index, number, f"it differs from {first.path} in compression")


def _common(core: Core) -> dict[str, Any]:
    """What all files of a set have in common."""
    header = core.header
    return {
        "layout": header.layout, "the version of the format": header.format_version, "the program": header.generator,
        "the type": header.dtype, "the shape of clips": header.shape[1:], "units": header.units,
        "the time of frames": (header.frame_period, header.first_frame_time),
        "the shape of patches": (header.patch_length, header.patch_hop, header.is_stacked),
        "the number of channels": header.channels, "the configuration": core.configuration, "labels": core.labels}


def _changed(index: SetIndex, number: int, found: str) -> FeatureFileError:
    return FeatureFileError(
        f"{index.file(number)}: the file is not the one that {index.path} names: {found} "
        "(a run that was to replace the set may have been stopped: give its command again)")


class SetSource(Source):
    """The index as a source: what all files have in common is read from the first file."""

    def __init__(self, path: str, identity: Optional[Identity], members: Members) -> None:
        super().__init__(path, identity, members.index.checksum)
        self._members = members

    @contextmanager
    def opened(self) -> Iterator[Any]:
        with self._members[0].source.opened() as file:
            yield file

    def kept(self) -> Any:
        return self._members[0].source.kept()

    def damaged(self, found: str) -> FeatureFileError:
        return FeatureFileError(f"{self.path}: the files of the set are damaged: {found}")

    def close(self) -> None:
        self._members.close()


class SetTable(ClipTable):
    """The clips of all files, one after another."""

    def __init__(self, source: Source, header: Header, members: Members, starts: npt.NDArray[np.int64]) -> None:
        super().__init__(source, header)
        self._members, self._starts = members, starts

    @property
    def names(self) -> tuple[str, ...]:
        return self._members[0].table.names

    @property
    def extra(self) -> tuple[str, ...]:
        return self._members[0].table.extra

    def read(self, name: str) -> npt.NDArray[Any]:
        parts = [member.table.read(name) for member in self._members]
        if name == "frame_start":  # each file counts from its own first row
            parts = [part + start for part, start in zip(parts, self._starts)]
        return np.concatenate(parts)


class SetTensor:
    """The rows of all files, one after another. Those of a clip are in one file."""

    is_one_array = False

    def __init__(self, members: Members, starts: npt.NDArray[np.int64], is_mapped: bool) -> None:
        self._members, self._starts, self.is_mapped = members, starts, is_mapped

    def rows(self, start: int, count: int) -> npt.NDArray[Any]:
        """See `Tensor.rows`. All rows have to be of one clip."""
        number = int(np.searchsorted(self._starts, start, "right")) - 1
        rows: npt.NDArray[Any] = self._members.for_rows(number).tensor.rows(start - int(self._starts[number]), count)
        return rows

    def close(self) -> None:
        """Releases the maps; each is unmapped once no array refers to it."""
        self._members.close()


class SetCore(Core):
    """A set of feature files. It is pickled as the path of its index: the copy opens it, and checks that no file has changed."""

    def __init__(
        self, path: str, identity: Optional[tuple[Identity, ...]] = None, checksum: Optional[str] = None,
        root: Optional[str] = None,
    ) -> None:
        self._root = root
        index = SetIndex.read(path)
        found = Members.identify(index)
        self._members = members = Members(index, found if identity is None else identity[1:])
        self.source = SetSource(path, None if identity is None else identity[0], members)
        if identity is not None:
            now = (Identity.of(os.stat(path)), *found)
            is_same = len(now) == len(identity) and all(own.may_be(expected) for own, expected in zip(now, identity))
            if not is_same or index.checksum != checksum:
                raise FeatureFileError(f"{path}: the set was replaced after it was opened: open it again")
        first = members[0].header
        # A file without rows has no compression.
        stored = next((number for number, member in enumerate(index.files) if member.rows), 0)
        units = index.clips if first.layout == "fixed" else index.rows // (first.patch_length or 1)
        self.header = replace(
            first, clips=index.clips, shape=(units, *first.shape[1:]), metadata_xxh3=index.metadata_xxh3, offset=None,
            compression=members[stored].header.compression)
        rows = [member.rows // (first.patch_length or 1) for member in index.files]
        starts = np.concatenate([[0], np.cumsum(rows, dtype=np.int64)])[:-1]
        self._clip_starts = np.concatenate([[0], np.cumsum([member.clips for member in index.files], dtype=np.int64)])
        self.table = SetTable(self.source, self.header, members, starts)
        self.tensor = SetTensor(members, starts, self.header.compression is None)

    def __reduce__(self) -> tuple[type[Core], tuple[Any, ...]]:
        return SetCore, (
            self.path, (self.source.identity, *self._members.identities), self.source.checksum, self._root)

    def clip_statistics(self, clip: int) -> Optional[Statistics]:
        member, own = self._find(clip)
        return member.clip_statistics(own)

    def frame_labels(self, clip: int) -> Optional[npt.NDArray[np.int32]]:
        member, own = self._find(clip)
        return member.frame_labels(own)

    @cached_property
    def label_matrix(self) -> Optional[npt.NDArray[np.uint8]]:
        if "label_matrix" not in self.table.names:
            return None
        matrix = np.concatenate([part for part in (member.read_label_matrix() for member in self._members) if part is not None])
        matrix.flags.writeable = False
        return matrix

    @cached_property
    def failures(self) -> list[Failure]:
        return [failure for member in self._members for failure in member.read_failures()]

    @cached_property
    def remarks(self) -> list[dict[str, Any]]:
        return [dict(remark) for remark in self._members.index.remarks]

    def _find(self, clip: int) -> tuple[Core, int]:
        number = int(np.searchsorted(self._clip_starts, clip, "right")) - 1
        return self._members.for_rows(number), clip - int(self._clip_starts[number])
