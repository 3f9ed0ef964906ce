"""The clip table for pandas and for Hugging Face's datasets."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._optional import require
from ._protocols import ClipsLike
from ._table import OPTIONAL

NUMBERS = ("start", "duration", "sample_rate", "channels")


def columns(clips: ClipsLike) -> dict[str, npt.NDArray[Any]]:
    """The columns of the clip table that are neither label, split nor checksum, by name; each [clips]."""
    names = ["id", "path", *NUMBERS, *(name for name in OPTIONAL if name in clips._core.table.names)]
    found = {name: clips.column(name) for name in names}
    found["frame_count"] = clips.lengths
    for name in clips._core.table.extra:
        # The manifest may have a column of one of our names.
        key = f"extra/{name}" if name in found or name in ("label", "labels", "split", "clip", "features") else name
        found[key] = clips.column(f"extra/{name}")
    return found


def split_index(clips: ClipsLike) -> npt.NDArray[np.int64]:
    """Index in `splits` of each clip's split, [clips]; −1: none."""
    if not clips.splits:
        return np.full(len(clips), -1)
    column = clips._core.table["split"][clips.indices]
    return np.where(column == b"", -1, np.searchsorted(np.array([name.encode() for name in clips.splits]), column))


def to_pandas(clips: ClipsLike) -> Any:
    """See `Clips.to_pandas`."""
    pandas = require("pandas", "to_pandas()")
    table = columns(clips)
    frame = pandas.DataFrame(table, index=pandas.Index(clips.indices, name="clip"))
    frame.insert(2, "label", pandas.Categorical.from_codes(clips.label_index, clips.labels))
    frame.insert(3, "split", pandas.Categorical.from_codes(split_index(clips), clips.splits))
    if (matrix := clips.label_matrix) is not None:
        names = np.array(clips.labels, object)
        frame.insert(3, "labels", pandas.Series([list(names[row != 0]) for row in matrix], frame.index, object))
    return frame


class ReadFeatures:
    """Adds features and labels of frames to rows of the table whenever these are read."""

    def __init__(self, clips: ClipsLike) -> None:
        self.core, self.is_raw = clips._core, clips.is_raw

    def __call__(self, rows: dict[str, list[Any]]) -> dict[str, list[Any]]:
        if "clip" not in rows:
            return rows  # only other columns were asked for
        rows = {**rows, "features": [self.core.features(clip, self.is_raw) for clip in rows["clip"]]}
        if self.core.frame_label_names is not None:
            rows["frame_labels"] = [self.core.frame_labels(clip) for clip in rows["clip"]]
        return rows


def to_hf(clips: ClipsLike) -> Any:
    """See `Clips.to_hf`.

    The table is Arrow's, with the index of each clip in its file; the features are added by a transform whenever rows
    are read, and are not stored again. `shuffle`, `select`, `train_test_split` and `sort` keep it.
    """
    datasets = require("datasets", "to_hf()")
    table: dict[str, Any] = {"clip": clips.indices, **columns(clips)}
    types = {
        "i": lambda column: datasets.Value(str(column.dtype)), "u": lambda column: datasets.Value(str(column.dtype)),
        "f": lambda column: datasets.Value("float64"), "U": lambda column: datasets.Value("string")}
    features = {name: types[column.dtype.kind](column) for name, column in table.items()}
    table["split"], features["split"] = clips.column("split"), datasets.Value("string")
    if clips.labels:
        table["label"], features["label"] = clips.label_index, datasets.ClassLabel(names=clips.labels)
    if (matrix := clips.label_matrix) is not None:
        table["labels"] = [np.flatnonzero(row) for row in matrix]
        features["labels"] = datasets.Sequence(datasets.ClassLabel(names=clips.labels))
    # A table of Arrow: Dataset.from_dict converts every cell by itself, which takes several times as long.
    pyarrow = require("pyarrow", "to_hf()")
    schema = datasets.Features(features).arrow_schema
    arrays = [pyarrow.array(table[field.name], field.type) for field in schema]
    return datasets.Dataset(pyarrow.Table.from_arrays(arrays, schema=schema)).with_transform(ReadFeatures(clips))
