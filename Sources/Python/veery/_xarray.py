"""Features as arrays of xarray, with named axes and units, read lazily."""

from __future__ import annotations

from typing import Any, Callable, Union

import numpy as np
import numpy.typing as npt

from ._core import Core
from ._optional import require
from ._protocols import ClipLike, ClipsLike
from ._tables import columns

ATTRIBUTES = {
    "start": {"units": "s", "long_name": "start of the clip in its recording"},
    "duration": {"units": "s", "long_name": "length of the clip"},
    "sample_rate": {"units": "Hz", "long_name": "rate of the recording"},
    "frame_count": {"long_name": "frames of the clip"},
}
PATCH_TIME = {"units": "s", "long_name": "time of the frame from the first of its patch"}
TIME = {"units": "s", "long_name": "middle of the frame, from the start of the clip"}


def to_xarray(clips: ClipsLike) -> Any:
    """See `Clips.to_xarray`."""
    xarray = require("xarray", "to_xarray()")
    header = clips._core.header
    inner, axis = _inner(clips._core)
    table: dict[str, Any] = {
        key: ("clip", column, dict(ATTRIBUTES.get(key, {}))) for key, column in columns(clips).items()}
    table["label"], table["split"] = ("clip", _labels(clips), {}), ("clip", clips.column("split"), {})
    if (matrix := clips.label_matrix) is not None:
        table["label_matrix"] = (("clip", "label_name"), matrix, {})
        axis["label_name"] = ("label_name", np.array(clips.labels, str), {})
    reader: Union[FixedReader, PackedReader]
    dimensions: tuple[str, ...]
    if header.layout == "fixed":
        reader, dimensions = FixedReader(clips), ("clip", "time", *inner)
        axis["time"] = ("time", header.times(np.arange(header.block)), TIME)
    else:
        reader = packed = PackedReader(clips)
        dimensions = ("row", *inner)
        rows = packed.shape[:1]
        # As in the CF conventions, for ragged arrays.
        table["frame_count"][2]["sample_dimension"] = "row"
        table["frame_start"] = ("clip", packed.starts[:-1], {"long_name": "first row of the clip"})
        axis["row_clip"] = (
            "row", lazy(lambda rows: packed.find(rows)[0], rows, np.dtype(np.int64)),
            {"long_name": "position of the row's clip in the dimension clip"})
        axis["time"] = ("row", lazy(packed.time, rows, np.dtype(np.float64)), TIME)
    tensor = clips._core.tensor
    is_whole = (
        tensor.is_one_array and header.channels is None and clips._indices is None and tensor.is_mapped
        and not (clips.is_raw and clips._core.is_normalized))
    values = tensor.stored.mapped() if is_whole else lazy(reader.read, reader.shape, reader.dtype)
    attributes = {
        "units": clips.units, "long_name": header.long_name, "frame_period": header.frame_period,
        "first_frame_time": header.first_frame_time}
    dataset = xarray.Dataset(
        {"features": xarray.Variable(dimensions, values, attributes), **table}, {**axis},
        {"source": clips.path, "generator": header.generator})
    return dataset.set_coords([key for key in ("id", "label", "split") if key in dataset])


def clip_array(clip: ClipLike) -> Any:
    """See `Clip.to_xarray`."""
    xarray = require("xarray", "to_xarray()")
    inner, axis = _inner(clip._core)
    return xarray.DataArray(
        clip.features, {"time": ("time", clip.time, TIME), **axis}, ("time", *inner), "features",
        {"units": clip.units, "long_name": clip._core.header.long_name, "id": clip.id, "label": clip.label or ""})


class PackedReader:
    """The rows of clips, one after another: [rows, bins]."""

    def __init__(self, clips: ClipsLike) -> None:
        self._core, self._raw, self._indices = clips._core, clips.is_raw, clips.indices
        self.starts = np.concatenate([[0], np.cumsum(clips.lengths, dtype=np.int64)])
        self.shape, self.dtype = (int(self.starts[-1]), *clips._core.header.row_shape), clips.dtype

    def find(self, rows: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The position of each row's clip, and the row's index in it."""
        clip = np.searchsorted(self.starts, rows, "right") - 1
        return clip, rows - self.starts[clip]

    def time(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """The time of each row, in s from the start of its clip."""
        return self._core.header.times(self.find(rows)[1])

    def read(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Some rows, in any order."""
        values = np.empty((len(rows), *self.shape[1:]), self.dtype)
        clips, frames = self.find(rows)
        for start, end in _runs(clips):
            found = self._core.features(int(self._indices[clips[start]]), self._raw)
            values[start:end] = found[frames[start:end]]
        return values


class FixedReader:
    """Clips of the same number of frames: [clips, frames, bins]. With `raw()`, frames past a clip's end are NaN."""

    def __init__(self, clips: ClipsLike) -> None:
        self._core, self._raw, self._indices = clips._core, clips.is_raw, clips.indices
        self.shape, self.dtype = (len(clips), clips._core.header.block, *clips._core.header.row_shape), clips.dtype

    def read(self, clips: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Some clips, in any order."""
        undone = self._raw and self._core.is_normalized
        values = np.full((len(clips), *self.shape[1:]), np.nan if undone else 0, self.dtype)
        for position, clip in enumerate(self._indices[clips]):
            features = self._core.features(int(clip), self._raw)
            values[position, :len(features)] = features
        return values


def lazy(read: Callable[[npt.NDArray[np.int64]], Any], shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """A lazy array of xarray: `read` returns parts of it, by indices of the first dimension."""
    backends = require("xarray.backends", "to_xarray()")
    indexing = require("xarray.core.indexing", "to_xarray()")

    class Array(backends.BackendArray):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            self.shape, self.dtype = shape, dtype

        def __getitem__(self, key: Any) -> Any:
            return indexing.explicit_indexing_adapter(key, shape, indexing.IndexingSupport.OUTER, self._get)

        def _get(self, key: tuple[Any, ...]) -> Any:
            first, *others = key
            rows = np.arange(shape[0])[first] if not isinstance(first, slice) else np.arange(*first.indices(shape[0]))
            values = read(np.atleast_1d(rows))
            for dimension, part in reversed(list(enumerate(others, 1))):
                values = values[(slice(None),) * dimension + (part,)]
            return values[0] if np.ndim(rows) == 0 else values

    return indexing.LazilyIndexedArray(Array())


def _inner(core: Core) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The names of the dimensions of a row, and their coordinates."""
    header = core.header
    name, axis = _axis(core)
    if header.channels is not None:
        return ("channel", name), {"channel": ("channel", np.arange(header.channels), {}), **axis}
    if header.patch_length is None:
        return (name,), axis
    if header.is_stacked:
        return ("column",), {}
    time = header.frame_period * np.arange(header.patch_length, dtype=np.float64)
    return ("patch_time", name), {"patch_time": ("patch_time", time, PATCH_TIME), **axis}


def _axis(core: Core) -> tuple[str, dict[str, Any]]:
    """The name of the last dimension, and its coordinates."""
    for name, values, attributes in (
        ("frequency", core.frequency, {"units": "Hz", "long_name": "centre frequency of the bin"}),
        ("coefficient", core.coefficient, {"units": "1", "long_name": "order of the cepstral coefficient"}),
    ):
        if values is not None:
            # Deltas, and imaginary parts, repeat the values: coordinates that repeat cannot be looked up.
            dimension = name if len(np.unique(values)) == len(values) else "column"
            return dimension, {name: (dimension, values, attributes)}
    return "column", {}


def _labels(clips: ClipsLike) -> npt.NDArray[Any]:
    return np.array([*clips.labels, ""], str)[clips.label_index]


def _runs(values: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    """The ranges of equal neighbours."""
    bounds = [0, *(np.flatnonzero(np.diff(values)) + 1).tolist(), len(values)]
    return [(start, end) for start, end in zip(bounds, bounds[1:]) if start < end]
