"""The data that a feature file and all its views and clips share: opened once, read on demand."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Callable, Optional, TypeVar

import numpy as np
import numpy.typing as npt

from ._errors import FeatureFileError
from ._hdf5 import Header, Source, dataset, mapping, text, texts
from ._identity import Identity
from ._normalization import Denormalization, Statistics
from ._root import stored_root
from ._table import ClipTable
from ._tensor import StoredArray, Tensor


@dataclass(frozen=True)
class Failure:
    """A clip of the manifest that is not in the file.

    id, path:  as in the manifest.
    stage:     `open`, `decode`, `condition`, `transform` or `store`.
    kind:      the failure as a fixed name, for programs, such as `too_short`; empty in files of format 1.0.
    reason:    what was expected and what was found, for people.
    """

    id: str
    path: str
    stage: str
    kind: str
    reason: str


Value = TypeVar("Value")

STATISTICS = ("mean", "std", "min", "max")


class Core:
    """One feature file. It is pickled as its path: the copy opens the file, and checks that it is the same."""

    table: ClipTable
    tensor: Any

    def __init__(
        self, path: str, identity: Optional[Identity] = None, checksum: Optional[str] = None, root: Optional[str] = None
    ) -> None:
        self._root = root
        self.source = Source(path, identity, checksum)
        with self.source.opened() as file:
            self.header = Header.read(self.source, file)
        self.table = ClipTable(self.source, self.header)
        self.tensor = Tensor(self.source, self.header)

    def __reduce__(self) -> tuple[type[Core], tuple[Any, ...]]:
        return Core, (self.path, self.source.identity, self.source.checksum, self._root)

    @property
    def path(self) -> str:
        return self.source.path

    # ------------------------------------------------------------------------------------------------------ features

    def features(self, clip: int, raw: bool) -> npt.NDArray[Any]:
        """A clip's rows as stored, or before normalisation; read-only."""
        values: npt.NDArray[Any] = self.tensor.rows(int(self.table.start[clip]), int(self.table.count[clip]))
        if not raw or not self.is_normalized:
            return values
        values = self.denormalization(clip)(values)
        values.flags.writeable = False
        return values

    @property
    def is_normalized(self) -> bool:
        return bool(self.normalize["scope"] != "none")

    @cached_property
    def normalize(self) -> dict[str, Any]:
        """How values were normalised: the section `normalize` of the configuration."""
        section = self.configuration.get("normalize")
        if not isinstance(section, dict) or not {"scope", "method", "axis"} <= set(section):
            raise self.source.damaged("the configuration has no section 'normalize'")
        return section

    def units(self, raw: bool) -> str:
        """The unit of the values: before normalisation, without `zscore of`."""
        is_constant = self.normalize["scope"] == "constant"
        text, prefix = self.header.units, "normalised " if is_constant else f"{self.normalize['method']} of "
        return text[len(prefix):] if raw and self.is_normalized and text.startswith(prefix) else text

    def denormalization(self, clip: int) -> Denormalization:
        """The inverse of the normalisation of a clip."""
        if self.normalize.get("minimum") is not None:
            raise FeatureFileError(
                f"{self.path}: the values before normalisation are lost: what was below {self.normalize['minimum']} was raised to it "
                "(normalize.minimum)")
        if self.normalize["scope"] != "clip":
            return self._undo
        rows = self.configuration.get("rows") or {}
        if "resize" in rows or "resize_bins" in rows:
            raise FeatureFileError(
                f"{self.path}: the values before normalisation are lost: each clip was normalised before its rows were resized "
                "(rows.resize, rows.resize_bins)")
        statistics = self.clip_statistics(clip)
        if statistics is None:
            raise FeatureFileError(
                f"{self.path}: each clip was normalised by itself, and the file does not hold their statistics")
        return Denormalization(statistics)

    @cached_property
    def _undo(self) -> Denormalization:
        normalize = self.normalize
        if normalize["scope"] == "constant":
            mean, std = (np.asarray(normalize[name], np.float64) for name in ("mean", "std"))
            # A list has a number for each column of a row or, where patches are stacked, of a stacked row.
            columns = max(mean.size, std.size)
            is_stacked = columns > 1 and columns != self.header.bins
            return Denormalization.by(mean, std, (columns,) if is_stacked else self.header.column_shape)
        return Denormalization(self.statistics)

    # ---------------------------------------------------------------------------------------------------- statistics

    @cached_property
    def statistics(self) -> Statistics:
        """The statistics in /statistics."""
        with self.source.opened() as file:
            arrays = [dataset(self.source, file, f"statistics/{name}")[()].astype(np.float64) for name in STATISTICS]
            if any(array.shape != self.header.column_shape for array in arrays):
                raise self.source.damaged(f"/statistics is not of {self.header.bins} bins")
            attributes = file["statistics"].attrs
            count, fit, source = (attributes.get(name) for name in ("count", "fit", "source"))
        return self._statistics(arrays, int(count or 0), text(fit), text(source))

    def clip_statistics(self, clip: int) -> Optional[Statistics]:
        """The statistics of one clip; None: the file holds none."""
        if self._clip_arrays is None:
            return None
        arrays = [array[clip].astype(np.float64) for array in self._clip_arrays]
        # Where rows were added after normalisation, or grouped, their number is not that of the rows that were counted.
        computed = self.table["computed_frames"] if "computed_frames" in self.table.names else self.table.count
        return self._statistics(arrays, int(computed[clip]))

    @cached_property
    def _clip_arrays(self) -> Optional[list[StoredArray]]:
        if "statistics" not in self.table.names:
            return None
        shape = (self.header.clips, *self.header.column_shape)
        with self.source.opened() as file:
            return [StoredArray.find(self.source, file, f"clips/statistics/{name}", shape) for name in STATISTICS]

    def _statistics(
        self, arrays: list[npt.NDArray[np.float64]], count: int, fit: str = "", source: str = ""
    ) -> Statistics:
        for array in arrays:
            array.flags.writeable = False
        mean, std, least, greatest = arrays
        normalize = self.normalize
        return Statistics(
            mean, std, least, greatest, count, fit, normalize["scope"], normalize["method"], normalize["axis"], source,
            int(normalize.get("ddof", 0)), float(normalize.get("epsilon", 0)), str(normalize.get("epsilon_in", "std")))

    # -------------------------------------------------------------------------------------------------------- labels

    @cached_property
    def labels(self) -> list[str]:
        return self._read(lambda file: texts(self.source, file, "labels"))

    @cached_property
    def splits(self) -> list[str]:
        return [name.decode("utf-8", "replace") for name in np.unique(self.table["split"]).tolist() if name]

    @cached_property
    def label_matrix(self) -> Optional[npt.NDArray[np.uint8]]:
        return self.read_label_matrix()

    def read_label_matrix(self) -> Optional[npt.NDArray[np.uint8]]:
        """The label matrix, read anew by each call."""
        if "label_matrix" not in self.table.names:
            return None
        with self.source.opened() as file:
            stored = dataset(self.source, file, "clips/label_matrix", 2)
            if stored.shape != (self.header.clips, len(self.labels)):
                raise self.source.damaged(f"/clips/label_matrix has the shape {stored.shape}")
            matrix: npt.NDArray[np.uint8] = stored[:]
        matrix.flags.writeable = False
        return matrix

    @cached_property
    def frame_label_names(self) -> Optional[list[str]]:
        return self._read(
            lambda file: texts(self.source, file, "frame_label_names") if "frame_label_names" in file else None)

    def frame_labels(self, clip: int) -> Optional[npt.NDArray[np.int32]]:
        """The label of each frame of a clip, as its index in `frame_label_names`; −1: none."""
        if self.frame_label_names is None:
            return None
        start, count = int(self.table.start[clip]), int(self.table.count[clip])
        if self.header.layout == "fixed":
            block, start = divmod(start, self.header.block)
            return self._frame_labels[block, start:start + count]
        return self._frame_labels[start:start + count]

    @cached_property
    def _frame_labels(self) -> StoredArray:
        with self.source.opened() as file:
            header = self.header
            patch = () if header.patch_length is None else (header.patch_length,)
            rows = (header.clips, header.block) if header.layout == "fixed" else (header.rows,)
            shape = (*rows, *patch)
            return StoredArray.find(self.source, file, "frame_label", shape)

    # ---------------------------------------------------------------------------------------------------- recordings

    @cached_property
    def root(self) -> Optional[Path]:
        """The folder that paths of recordings start from; None: the file names none."""
        if self._root is not None:
            return Path(self._root)
        stored = self._read(lambda file: stored_root(self.source, file))
        if stored is None:
            return None
        # Relative to the file's own folder, both without symbolic links.
        return Path(os.path.normpath(os.path.join(os.path.dirname(os.path.realpath(self.path)), stored)))

    # -------------------------------------------------------------------------------------------------------- the rest

    @cached_property
    def configuration(self) -> dict[str, Any]:
        return self._read(lambda file: mapping(self.source, file, "provenance/configuration"))

    @cached_property
    def software(self) -> dict[str, str]:
        return self._read(lambda file: mapping(self.source, file, "provenance/software"))

    @cached_property
    def manifest_sha256(self) -> str:
        return self._read(lambda file: text(dataset(self.source, file, "provenance/manifest_sha256", 0)[()]))

    @cached_property
    def corrections_sha256(self) -> Optional[str]:
        name = "provenance/corrections_sha256"
        return self._read(lambda file: text(dataset(self.source, file, name, 0)[()]) if name in file else None)

    @cached_property
    def frequency(self) -> Optional[npt.NDArray[np.float32]]:
        return self._axis("frequency")

    @cached_property
    def coefficient(self) -> Optional[npt.NDArray[np.float32]]:
        return self._axis("coefficient")

    @cached_property
    def failures(self) -> list[Failure]:
        return self.read_failures()

    @cached_property
    def remarks(self) -> list[dict[str, Any]]:
        def read(file: Any) -> list[dict[str, Any]]:
            name = "provenance/remarks"
            if name not in file:
                return []
            try:
                return [dict(json.loads(entry)) for entry in texts(self.source, file, name)]
            except ValueError as error:
                raise self.source.damaged(f"/{name} is not JSON") from error

        return self._read(read)

    @property
    def failure_count(self) -> int:
        """Number of failed clips."""
        return self._read(lambda file: int(dataset(self.source, file, "failures/id", 1).shape[0]))

    def read_failures(self) -> list[Failure]:
        """The failed clips, read anew by each call."""
        def read(file: Any) -> list[Failure]:
            columns = [texts(self.source, file, f"failures/{name}") for name in ("id", "path", "stage")]
            reasons = texts(self.source, file, "failures/reason")
            kinds = texts(self.source, file, "failures/kind") if "failures/kind" in file else [""] * len(reasons)
            return [Failure(*row) for row in zip(*columns, kinds, reasons)]

        return self._read(read)

    def _axis(self, name: str) -> Optional[npt.NDArray[np.float32]]:
        def read(file: Any) -> Optional[npt.NDArray[np.float32]]:
            if name not in file:
                return None
            values: npt.NDArray[np.float32] = dataset(self.source, file, name, 1)[:]
            if len(values) != self.header.bins:
                raise self.source.damaged(f"/{name} has {len(values)} values, the features {self.header.bins} bins")
            values.flags.writeable = False
            return values

        return self._read(read)

    def close(self) -> None:
        """Closes what is open. What is read afterwards opens the file again."""
        self.tensor.close()
        self.source.close()

    def _read(self, function: Callable[[Any], Value]) -> Value:
        with self.source.opened() as file:
            return function(file)
