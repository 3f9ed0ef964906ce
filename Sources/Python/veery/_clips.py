"""A sequence of clips: a whole file, or a selection with the same interface."""

from __future__ import annotations

import operator
import os
from typing import Any, Iterable, Iterator, Optional, Union, overload

import numpy as np
import numpy.typing as npt

from ._clip import Classes, Clip, relabelled
from ._core import Core
from ._display import clips_html
from ._errors import COMPARED, UnknownNameError, described, flag, unknown, whole_number
from ._normalization import Statistics
from ._padding import Batch, batches
from ._protocols import Names
from ._tables import to_hf, to_pandas
from ._xarray import to_xarray

Indices = Union[slice, "npt.NDArray[Any]", "list[int]", "list[bool]", "list[str]"]


class Clips:
    """A sequence of clips: a whole file, or a selection of its clips.

        clips[7], clips["english/7"]        one clip, by its index in this sequence or its id
        clips[:100], clips[[3, 1]]          several, by indices or a mask (an array of bool)
        clips.select(split="train")         by split, label, or another column of the manifest
        clips.raw()                         the same clips, with features before normalisation

    A selection is an array of indices, with the labels, statistics and axes of its file. It may be pickled, and used on
    both sides of a fork: each process opens the file for itself.
    """

    def __init__(
        self, core: Core, indices: Optional[npt.NDArray[np.int64]] = None, raw: bool = False, classes: Classes = None,
    ) -> None:
        self._core, self._indices, self._raw, self._classes = core, indices, raw, classes

    def _clip(self, index: int) -> Clip:
        """The clip with an index in the file."""
        return Clip(self._core, index, self._raw, self._classes)

    def _chosen_clips(self, indices: Optional[npt.NDArray[np.int64]]) -> Clips:
        """Clips with indices in the file, otherwise as these."""
        return Clips(self._core, indices, self._raw, self._classes)

    # ------------------------------------------------------------------------------------------------------ selection

    def __len__(self) -> int:
        return self._core.header.clips if self._indices is None else len(self._indices)

    def __iter__(self) -> Iterator[Clip]:
        for index in range(len(self)) if self._indices is None else self._indices:
            yield self._clip(int(index))

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> npt.NDArray[Any]:
        """The clips as objects, such as for `rng.choice(file)`: their features have different lengths."""
        clips = np.empty(len(self), object)
        for index, clip in enumerate(self):
            clips[index] = clip
        return clips

    def _ipython_key_completions_(self) -> list[str]:
        """Ids, for the tab key in `file["…`."""
        return [str(name) for name in self.ids[:10_000]]

    @overload
    def __getitem__(self, key: Union[int, np.integer[Any], str]) -> Clip: ...

    @overload
    def __getitem__(self, key: Indices) -> Clips: ...

    def __getitem__(self, key: Union[int, np.integer[Any], str, Indices]) -> Union[Clip, Clips]:
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            return self._clip(self._index(int(key)))
        if isinstance(key, str):
            return self._clip(self._find(key))
        if isinstance(key, slice):
            return self._chosen_clips(self.indices[key])
        try:
            chosen = np.asarray(key)
        except ValueError:
            chosen = np.asarray(None)  # a list of lists
        if chosen.ndim == 1 and chosen.dtype.kind in "OT" and all(isinstance(name, str) for name in chosen):
            chosen = chosen.astype(str)  # a column of pandas
        if chosen.ndim != 1 or chosen.dtype.kind not in "iubU" and len(chosen):
            raise TypeError(f"expected an index, an id, a slice, or a list or array of them or of bool, found {described(key)}")
        if chosen.dtype.kind == "U":
            chosen = np.array([self._find(str(name)) for name in chosen], np.int64)
            return self._chosen_clips(chosen)
        if chosen.dtype.kind == "b" and len(chosen) != len(self):
            raise IndexError(f"expected a mask of {len(self)} clips, found one of {len(chosen)}")
        return self._chosen_clips(self.indices[chosen if len(chosen) else slice(0)])

    def __contains__(self, clip: object) -> bool:
        """Whether a clip with this id is among these."""
        if not isinstance(clip, str):
            return False
        index = self._core.table.find(clip)
        return index is not None and (self._indices is None or bool((self._indices == index).any()))

    def select(
        self, split: Optional[Names] = None, label: Optional[Names] = None, *, renumber: bool = False, **columns: Names,
    ) -> Clips:
        """The clips of a split, of a label, or with a value in another column of the manifest.

        A list means any of its values. A clip has a label if it is its label, or one of those in its column `labels`.
        Several conditions have to be met at once.

        renumber:  whether `labels`, `label_index` and `label_matrix` are of the chosen labels alone (without `label`, of those that the
                   clips have), from 0, as a classifier of some classes needs them. Otherwise they are those of the file, so that they agree
                   between selections. A clip whose own label is not among them, but another of its `labels` is, has the index −1.
        """
        table, core = self._core.table, self._core
        chosen = np.ones(len(table), bool)
        numbers: Optional[list[int]] = None
        if split is not None:
            known = self._known("split", split, core.splits)
            chosen &= np.isin(table["split"], [stored(name) for name in known])
        if label is not None:
            numbers = [core.labels.index(name) for name in self._known("label", label, core.labels)]
            has = np.isin(table["label_index"], numbers)
            if core.label_matrix is not None:
                has |= core.label_matrix[:, numbers].any(axis=1)
            chosen &= has
        for name, values in columns.items():
            if name not in table.extra:
                raise unknown(core.path, "column", name, ["split", "label", *table.extra])
            column, wanted = table[f"extra/{name}"], [str(value) for value in _names(values)]
            for value in wanted:
                if not (column == stored(value)).any():
                    found = [entry.decode("utf-8", "replace") for entry in np.unique(column).tolist()]
                    raise unknown(core.path, f"clip with {name}", value, found)
            chosen &= np.isin(column, [stored(value) for value in wanted])
        clips = self._chosen_clips(self.indices[chosen[self.indices]])
        return clips._renumbered(numbers) if flag("renumber", renumber) else clips

    def _renumbered(self, chosen: Optional[list[int]]) -> Clips:
        """These clips with the chosen labels alone, or with those that they have, numbered from 0."""
        core = self._core
        if chosen is not None:
            numbers = set(chosen)
        else:
            numbers = set(core.table["label_index"][self.indices].tolist()) - {-1}
            if core.label_matrix is not None:
                numbers |= set(np.flatnonzero(core.label_matrix[self.indices].any(axis=0)).tolist())
        return Clips(core, self._indices, self._raw, tuple(sorted(numbers)))

    def raw(self) -> Clips:
        """The same clips, with features before normalisation: float32.

        They are right to about two units in the last place of float32, times the spread that they were divided by;
        from float16, to half a unit of float16. If each clip was normalised by itself, the statistics of each are used.
        A bin that is constant comes back exactly, as does a clip of one frame that was normalised by itself.
        """
        return Clips(self._core, self._indices, True, self._classes)

    def _chosen(self, split: Optional[Names], label: Optional[Names], raw: bool) -> Clips:
        """These clips, reduced to a split and a label where these are given."""
        clips = self if split is None and label is None else self.select(split, label)
        return clips.raw() if flag("raw", raw) else clips

    @property
    def is_raw(self) -> bool:
        """Whether features are those before normalisation."""
        return self._raw

    @property
    def indices(self) -> npt.NDArray[np.int64]:
        """Index in the file of each of these clips, [clips], int64."""
        return np.arange(len(self), dtype=np.int64) if self._indices is None else self._indices

    # -------------------------------------------------------------------------------------------------------- columns

    @property
    def ids(self) -> npt.NDArray[Any]:
        """The unique name of each clip, [clips], str."""
        return self._core.table.texts("id", self._indices)

    @property
    def label_index(self) -> npt.NDArray[np.int32]:
        """Index in `labels` of each clip's label, [clips], int32; −1: none."""
        numbers: npt.NDArray[np.int32] = relabelled(self._of(self._core.table["label_index"]), self._classes)
        return numbers

    @property
    def lengths(self) -> npt.NDArray[np.int32]:
        """Number of frames of each clip, [clips], int32."""
        return self._of(self._core.table.count)

    @property
    def label_matrix(self) -> Optional[npt.NDArray[np.uint8]]:
        """All labels of each clip, [clips, labels], uint8: 1 where it has the label; None: the file has no matrix."""
        matrix = self._core.label_matrix
        if matrix is None:
            return None
        return self._of(matrix) if self._classes is None else self._of(matrix)[:, list(self._classes)]

    def column(self, name: str) -> npt.NDArray[Any]:
        """A column of the clip table, [clips]: `path`, `start`, `duration`, `sample_rate`, …, or one of the manifest.

        Columns of the manifest that Veery does not know are strings; empty: no value. If the table has a column of the
        same name, too, the manifest's is `extra/NAME`.
        """
        if not isinstance(name, str):
            raise TypeError(f"name: expected the name of a column, found {described(name)}")
        table = self._core.table
        own = name[len("extra/"):] if name.startswith("extra/") else name
        if own in table.extra and (own != name or name not in table.names):
            return table.texts(f"extra/{own}", self._indices)
        if name == "label_index":
            return self.label_index
        known = [known for known in table.names if known not in ("extra", "statistics", "label_matrix")]
        if name not in known:
            raise unknown(self.path, "column", name, [*known, *table.extra])
        return table.texts(name, self._indices) if table[name].dtype.kind == "S" else self._of(table[name])

    # ------------------------------------------------------------------------------------------------------- the file

    @property
    def path(self) -> str:
        """Path of the feature file."""
        return self._core.path

    @property
    def labels(self) -> list[str]:
        """The name of each `label_index`, and of each column of `label_matrix`, sorted: all labels of the file, or those of
        `select(renumber=True)`."""
        names = self._core.labels
        return names if self._classes is None else [names[number] for number in self._classes]

    @property
    def splits(self) -> list[str]:
        """The names of the file's splits, sorted."""
        return self._core.splits

    @property
    def bins(self) -> int:
        """Values in a frame."""
        return self._core.header.bins

    @property
    def row_shape(self) -> tuple[int, ...]:
        """Shape of a row: (bins,), or that of a patch, where frames are grouped into such."""
        return self._core.header.row_shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the features: float32 or float16; after `raw()`, float32."""
        return np.dtype(np.float32 if self._raw and self._core.is_normalized else self._core.header.dtype)

    @property
    def units(self) -> str:
        """Unit of the values, such as `zscore of ln(power)`."""
        return self._core.units(self._raw)

    @property
    def long_name(self) -> str:
        """What the values are, such as `mel spectrogram`."""
        return self._core.header.long_name

    @property
    def frequency(self) -> Optional[npt.NDArray[np.float32]]:
        """Centre frequency of each bin, [bins], in Hz; None: the columns are cepstral coefficients."""
        return self._core.frequency

    @property
    def coefficient(self) -> Optional[npt.NDArray[np.float32]]:
        """Order of the cepstral coefficient in each column, [bins]; None: the columns have frequencies."""
        return self._core.coefficient

    @property
    def frame_period(self) -> float:
        """Time from one frame to the next, in s."""
        return self._core.header.frame_period

    @property
    def first_frame_time(self) -> float:
        """Time of the middle of a clip's first frame, in s from the clip's start."""
        return self._core.header.first_frame_time

    @property
    def frame_label_names(self) -> Optional[list[str]]:
        """The name of each index in a clip's `frame_labels`; None: frames have no labels."""
        return self._core.frame_label_names

    @property
    def statistics(self) -> Statistics:
        """Statistics of each bin before normalisation, over the clips of the split `fit`."""
        return self._core.statistics

    @property
    def configuration(self) -> dict[str, Any]:
        """The configuration that the features were computed with, as a dictionary of sections."""
        return self._core.configuration

    def plan(self, channel: Optional[int] = None) -> Any:
        """A `veery.FeaturePlan`: the same features of new signals, normalised by the statistics of this file.

        channel: of a file with an axis of channels, the one whose statistics normalise; a plan takes one channel at a time.
        """
        from .plan import FeatureError, FeaturePlan

        channels = self._core.header.channels
        channel = None if channel is None else whole_number("channel", channel, 0)
        if channel is not None and not 0 <= channel < (channels or 0):
            raise FeatureError(
                f"channel: expected a number from 0 to {channels - 1}, found {channel!r}" if channels
                else "channel: this file has no axis of channels: leave it out")
        statistics = self.statistics if self._core.normalize["scope"] == "dataset" else None
        if statistics is not None and channels:
            if channel is None and channels > 1 and not self._raw:
                raise FeatureError(
                    f"this file normalises each of its {channels} channels by statistics of its own: name one, as in "
                    "plan(channel=0)")
            statistics = statistics.channel(channel or 0)
        rate = None
        if self.configuration.get("audio", {}).get("sample_rate") is None and self._core.header.clips:
            rate = int(self._core.table["sample_rate"][0])  # the same for all clips
        plan = FeaturePlan(self.configuration, rate, statistics=statistics, normalize=not self._raw)
        return plan if rate is not None else plan._came_from(tuple(np.unique(self._core.table["sample_rate"]).tolist()))

    # --------------------------------------------------------------------------------------------------------- others

    def batches(self, size: int = 32, **options: Any) -> Iterator[Batch]:
        """Padded batches of these clips; see `veery.batches`."""
        return batches(self, size, **options)

    def to_pandas(self) -> Any:
        """The clip table as `pandas.DataFrame`; its index is the clip's in the file. Needs pandas."""
        return to_pandas(self)

    def to_xarray(self) -> Any:
        """Features and clip table as `xarray.Dataset`: named axes, units, features read lazily. Needs xarray.

        Packed: features [row, frequency], the rows of all clips one after another, `frame_start` and `frame_count` of
        each. Fixed: features [clip, time, frequency].
        """
        return to_xarray(self)

    def to_hf(self) -> Any:
        """The clip table as `datasets.Dataset` of Hugging Face, features read from this file. Needs datasets."""
        return to_hf(self)

    def __repr__(self) -> str:
        count = f"{len(self):,}" + (f" of {self._core.header.clips:,}" if self._indices is not None else "")
        return f"<veery.{type(self).__name__} {os.path.basename(self.path)}: {count} clips, {self._summary()}>"

    def _repr_html_(self) -> str:
        return clips_html(self)

    def _summary(self) -> str:
        header = self._core.header
        inner = " × ".join(map(str, header.row_shape))
        shape = f"{header.block:,} × {inner}" if header.layout == "fixed" else inner
        labels = f", {len(self.labels)} labels" if self.labels else ""
        return f"{shape} bins of {self.units}, {self.dtype}, {header.layout}{labels}"

    def _of(self, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return column if self._indices is None else column[self._indices]

    def at(self, positions: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Index in the file of the clips at these positions, [positions], int64."""
        return positions if self._indices is None else self._indices[positions]

    def _index(self, position: int) -> int:
        try:
            position = operator.index(position)
        except TypeError:
            raise TypeError(f"expected the index of a clip, found {described(position)}") from None
        count = self._core.header.clips if self._indices is None else len(self._indices)
        if not -count <= position < count:
            raise IndexError(f"{self.path}: clip {position} of {count}")
        if position < 0:
            position += count
        return position if self._indices is None else int(self._indices[position])

    def _find(self, identifier: str) -> int:
        index = self._core.table.find(identifier)
        if index is not None and (self._indices is None or (self._indices == index).any()):
            return index
        stem = os.path.splitext(identifier)[0]  # it may be the path of the recording
        if stem != identifier and stem in self:
            raise UnknownNameError(f"{self.path}: no clip with the id {identifier!r}. Did you mean {stem!r}?")
        known = self._core.table.texts("id", self.indices[:COMPARED])
        raise unknown(self.path, "clip with the id", identifier, known.tolist())

    def _known(self, kind: str, wanted: Names, names: list[str]) -> list[str]:
        """The requested names. One that the file does not have is an error rather than an empty selection."""
        values = _names(wanted)
        for value in values:
            if not isinstance(value, str) or value not in names:
                raise unknown(self.path, kind, value, names)
        return values


def _names(wanted: Names) -> list[str]:
    return list(wanted) if isinstance(wanted, Iterable) and not isinstance(wanted, (str, bytes)) else [wanted]


def stored(name: str) -> bytes:
    """A name as a file has it; a text that is not Unicode text is in no file."""
    return name.encode("utf-8", "surrogatepass")
