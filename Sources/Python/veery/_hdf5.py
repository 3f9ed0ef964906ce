"""A feature file as HDF5: opened for a moment, or once in each process, and checked to be the same file each time."""

from __future__ import annotations

import builtins
import errno
import json
import os
import stat
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, Iterator, Optional

import h5py  # type: ignore[import-untyped]
import numpy as np
import numpy.typing as npt

from ._errors import FeatureFileError
from ._identity import Identity


class Source:
    """Opens one file, again and again.

    Columns are read when they are first used, and a copy in another process opens the file for itself. So the file may
    have been replaced in the meantime. Rows of one file and columns of another would be wrong without a sign of it;
    every opening therefore compares the file with that of the first one: its status, and its checksum of what belongs to
    no clip, since another file may get the inode of one that was deleted.
    """

    def __init__(self, path: str, identity: Optional[Identity] = None, checksum: Optional[str] = None) -> None:
        self.path = path
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if not stat.S_ISREG(status.st_mode):
            raise FeatureFileError(f"{path}: expected a feature file of Veery, found a pipe, a device or a socket")
        self.identity = identity if identity is not None else Identity.of(status)
        self.checksum = checksum
        self._kept: Optional[Any] = None
        self._process = 0

    @contextmanager
    def opened(self) -> Iterator[Any]:
        """The file as `h5py.File`, closed afterwards."""
        file = self.open()
        try:
            with self.reading():
                yield file
        finally:
            file.close()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Turns what h5py raises where a file is cut off or damaged into a FeatureFileError.

        h5py chooses the exception by the part of HDF5 that fails. An error of the system has a number, and is passed on."""
        try:
            yield
        except FeatureFileError:
            raise
        except (KeyError, RuntimeError, ValueError) as error:
            raise self.damaged(str(error)) from error
        except OSError as error:
            if error.errno is None:
                raise self.damaged(str(error)) from error
            raise

    def kept(self) -> Any:
        """The file as `h5py.File`, left open for compressed features. Each process has its own."""
        if self._kept is None or self._process != os.getpid():
            # After a fork, HDF5 would hand out the parent's descriptor again, were it not closed first.
            self.close()
            self._kept, self._process = self.open(), os.getpid()
        return self._kept

    def close(self) -> None:
        """Closes the file that `kept` has opened."""
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    @contextmanager
    def binary(self) -> Iterator[BinaryIO]:
        """The bytes of the file, to be mapped."""
        with builtins.open(self.path, "rb") as file:
            # While it is open, no other file gets its inode.
            if not self._is_surely_same(os.fstat(file.fileno())):
                self.open().close()
            yield file

    def damaged(self, found: str) -> FeatureFileError:
        """The error for a file that is not as the format says."""
        return FeatureFileError(f"{self.path}: the file is damaged: {found}")

    def replaced(self) -> FeatureFileError:
        """The error for another file than the one that was opened first."""
        return FeatureFileError(f"{self.path}: the file was replaced after it was opened: open it again")

    def open(self) -> Any:
        """The file as `h5py.File`, which the caller closes."""
        try:
            file = h5py.File(self.path, "r")
        except OSError as error:
            if error.errno is not None:  # there is no such file, or it cannot be read or locked
                raise OSError(error.errno, error.strerror, self.path) from error
            self._is_surely_same(os.stat(self.path))  # it may have been cut off since
            if "signature" in str(error):
                found = "a file that is not HDF5" if self.identity.size else "an empty file"
                raise FeatureFileError(f"{self.path}: expected a feature file of Veery, found {found}") from error
            raise self.damaged(f"{error}: it may be cut off") from error
        try:
            with self.reading():
                self._check(file)
        except BaseException:
            file.close()
            raise
        return file

    def _check(self, file: Any) -> None:
        """Compares an opened file with the first one."""
        status = os.stat(self.path)
        is_same = self._is_surely_same(status)
        # HDF5 does not look again at a file that this process has open elsewhere.
        if status.st_size < (end := file.id.get_filesize()):
            raise self.damaged(f"it has {status.st_size} bytes, not {end}: it is cut off")
        checksum = text(file.attrs.get("metadata_xxh3"))
        if self.checksum is None:
            self.checksum = checksum
        if checksum != self.checksum:
            raise self.replaced()
        if not is_same:  # it was renamed, has other permissions, or is looked at from another machine
            self.identity = Identity.of(status)

    def _is_surely_same(self, status: os.stat_result) -> bool:
        """Whether a file is the first one by its status; False: the checksum has to be compared."""
        found = Identity.of(status)
        if not found.may_be(self.identity):
            raise self.replaced()
        return found == self.identity


@dataclass(frozen=True)
class Header:
    """What is read of a feature file at once: a few attributes and extents, whatever the number of clips."""

    layout: str
    generator: str
    format_version: str
    metadata_xxh3: str
    clips: int
    shape: tuple[int, ...]
    dtype: Any
    compression: Optional[str]
    offset: Optional[int]
    """Where the features start in the file, in bytes; None: they are compressed, or there are none."""
    units: str
    long_name: str
    frame_period: float
    first_frame_time: float
    patch_length: Optional[int]
    """Frames of a patch; None: rows are frames."""
    patch_hop: Optional[int]
    channels: Optional[int]
    """Channels of a clip, where the features have an axis for them."""
    is_stacked: bool
    """Whether the frames of a patch lie end to end in one row of the dataset."""

    @property
    def bins(self) -> int:
        """Values of a frame."""
        return self.shape[-1] // (self.patch_length or 1) if self.is_stacked else self.shape[-1]

    @property
    def row_shape(self) -> tuple[int, ...]:
        """Shape of a row, which is a frame, of all channels if there are several, or a patch."""
        if self.channels is not None:
            return self.channels, self.bins
        return self.shape[2 if self.layout == "fixed" else 1:]

    @property
    def rows(self) -> int:
        """Rows of the tensor, of all clips and between them."""
        return self.clips * self.block if self.layout == "fixed" else self.shape[0]

    @property
    def block(self) -> int:
        """Rows of the block of a clip in the fixed layout."""
        return self.shape[1 if self.channels is None else 2]

    @property
    def column_shape(self) -> tuple[int, ...]:
        """Shape of an array with a number for each column: (bins,) or (channels, bins)."""
        return (self.bins,) if self.channels is None else (self.channels, self.bins)

    def times(self, frames: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """The middle of frames, or of the first frame of patches, in s from the start of their clip."""
        return self.first_frame_time + self.frame_period * (self.patch_hop or 1) * frames.astype(np.float64)

    def frames(self, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The frames of a clip's rows, [frames, bins]; those that two patches share once, of channels the first."""
        if self.channels is not None:
            return rows[:, 0]
        if self.patch_length is None or self.patch_hop is None or not len(rows):
            return rows.reshape(-1, self.bins)
        patches = rows.reshape(len(rows), self.patch_length, self.bins)
        return np.concatenate([patches[:-1, :self.patch_hop].reshape(-1, self.bins), patches[-1]])

    def described(self, rows: int) -> str:
        """A number of rows, in words."""
        if self.patch_length is None:
            channels = "" if self.channels is None else f"{self.channels} channels × "
            return f"{rows:,} frames × {channels}{self.bins} bins"
        stacked = ", stacked" if self.is_stacked else ""
        return f"{rows:,} patches of {self.patch_length} frames × {self.bins} bins{stacked}"

    def frame_times(self, count: int) -> npt.NDArray[np.float64]:
        """The middle of the first `count` frames, in s from the start of their clip."""
        return self.first_frame_time + self.frame_period * np.arange(count, dtype=np.float64)

    @staticmethod
    def read(source: Source, file: Any) -> Header:
        """Reads the header, and refuses what is not a complete feature file of a version 1.x."""
        path, attributes = source.path, file.attrs
        if text(attributes.get("format")) != "veery-features":
            raise FeatureFileError(f"{path}: expected a feature file of Veery, found another HDF5 file")
        version = text(attributes.get("format_version", "none"))
        if version.partition(".")[0] != "1":
            raise FeatureFileError(f"{path}: expected format version 1.x, found {version}: a newer Veery reads it")
        if attributes.get("complete") != 1:
            raise FeatureFileError(f"{path}: the file is not complete")
        layout = text(attributes.get("layout"))
        features = dataset(source, file, "features")
        length, hop, channels = (whole(source, features, name) for name in ("patch_length", "patch_hop", "channels"))
        rank = 3 if layout == "fixed" else 2
        is_stacked = length is not None and features.ndim == rank
        rank += channels is not None
        if channels is not None and (length is not None or features.ndim != rank or features.shape[1] != channels):
            raise source.damaged(f"features of the shape {features.shape} with {channels} channels")
        if layout not in ("packed", "fixed") or features.ndim != rank + (length is not None and not is_stacked):
            raise source.damaged(f"layout {layout!r}, and features with {features.ndim} dimensions")
        if features.dtype not in (np.dtype("<f4"), np.dtype("<f2")) or features.shape[-1] < 1:
            raise source.damaged(f"features of the type {features.dtype}, with {features.shape[-1]} bins")
        if length is not None and (features.shape[-1] % length if is_stacked else features.shape[-2] != length):
            raise source.damaged(f"features of the shape {features.shape} in patches of {length}")
        if hop is not None and (length is None or hop > length):
            raise source.damaged(f"patches of {length} frames every {hop}")
        period, first = (number(source, features, name) for name in ("frame_period", "first_frame_time"))
        contiguous = features.chunks is None
        return Header(
            layout=layout, generator=text(attributes.get("generator")), format_version=version,
            metadata_xxh3=text(attributes.get("metadata_xxh3")),
            clips=dataset(source, file, "clips/frame_count", 1).shape[0], shape=features.shape,
            dtype=features.dtype, compression=None if contiguous else "deflate",
            offset=features.id.get_offset() if contiguous else None,
            units=text(features.attrs.get("units")), long_name=text(features.attrs.get("long_name")),
            frame_period=period, first_frame_time=first, patch_length=length, patch_hop=hop or length,
            channels=channels,
            is_stacked=is_stacked)


def dataset(source: Source, file: Any, name: str, dimensions: Optional[int] = None) -> Any:
    """A dataset that every feature file has."""
    found = file.get(name)
    if not isinstance(found, h5py.Dataset):
        raise source.damaged(f"no /{name}")
    if dimensions is not None and found.ndim != dimensions:
        raise source.damaged(f"/{name} with {found.ndim} dimensions")
    return found


def number(source: Source, features: Any, name: str) -> float:
    """An attribute that is a finite number."""
    value = features.attrs.get(name)
    if not isinstance(value, (float, int, np.number)) or not np.isfinite(value):
        raise source.damaged(f"/features has the attribute {name} = {value!r}")
    return float(value)


def whole(source: Source, features: Any, name: str) -> Optional[int]:
    """An attribute that is a whole number from 1 on; None: there is none."""
    value = features.attrs.get(name)
    if value is None:
        return None
    if not isinstance(value, (int, np.integer)) or value < 1:
        raise source.damaged(f"/features has the attribute {name} = {value!r}")
    return int(value)


def text(value: Any) -> str:
    """A text as HDF5 stores it, as Python's; empty if there is none."""
    if isinstance(value, bytes):
        return value.rstrip(b"\0").decode("utf-8", "replace")
    return "" if value is None else str(value)


def texts(source: Source, file: Any, name: str) -> list[str]:
    """A column of texts."""
    return [text(value) for value in dataset(source, file, name, 1)[:].tolist()]


def mapping(source: Source, file: Any, name: str) -> dict[str, Any]:
    """A text that is a JSON object."""
    try:
        value = json.loads(text(dataset(source, file, name, 0)[()]))
    except ValueError as error:
        raise source.damaged(f"/{name} is no JSON") from error
    if not isinstance(value, dict):
        raise source.damaged(f"/{name} is no JSON object")
    return value
