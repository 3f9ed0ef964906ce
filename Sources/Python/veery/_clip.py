"""One clip of a feature file."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._core import Core
from ._display import clip_html
from ._normalization import Statistics
from ._plot import plot
from ._recording import recording, samples
from ._xarray import clip_array

Classes = Optional[tuple[int, ...]]
"""The labels of a file that a selection numbers from 0, by their indices in the file, rising; None: all of them."""


def relabelled(numbers: Any, classes: Classes) -> Any:
    """Indices of labels in a file as indices in a selection of these labels; −1: none, or one that is not among them."""
    if classes is None:
        return numbers
    own = np.full(max(classes, default=0) + 2, -1, np.int32)
    own[list(classes)] = np.arange(len(classes), dtype=np.int32)
    return own[np.minimum(numbers, len(own) - 1)]


class Clip:
    """One clip of a feature file. Each attribute is read when it is used."""

    __slots__ = ("_classes", "_core", "_raw", "index")

    index: int
    """Index of the clip in its file."""

    def __init__(self, core: Core, index: int, raw: bool = False, classes: Classes = None) -> None:
        self._core, self.index, self._raw, self._classes = core, index, raw, classes

    @property
    def features(self) -> npt.NDArray[Any]:
        """The features, [frames, bins], float32 or float16 as stored; after `raw()`, float32 before normalisation.

        Where channels are apart, [frames, channels, bins] in both layouts.
        Where rows are grouped into patches, [patches, patch_length, bins] or, stacked, [patches, patch_length * bins].
        The array is read-only. If the file is not compressed, it is a view of the mapped file, without a copy.
        """
        return self._core.features(self.index, self._raw)

    def raw(self) -> Clip:
        """The same clip with the features before normalisation."""
        return Clip(self._core, self.index, True, self._classes)

    @property
    def id(self) -> str:
        """The unique name."""
        return self._core.table.text("id", self.index)

    @property
    def path(self) -> str:
        """Path of the recording, as the manifest gives it."""
        return self._core.table.text("path", self.index)

    @property
    def recording(self) -> Path:
        """The recording: `path` from the file's `root` on; it is not looked for.

        That of a member of an archive, such as "speech.tar::one.wav", is the path of no file: `veery.load` reads it.
        Raises FeatureFileError if that folder is not known, or what the file says of it is damaged.
        """
        return recording(self)

    def samples(self, *, verify: bool = True) -> tuple[npt.NDArray[np.float32], int]:
        """The samples that the features are computed of, and their rate in Hz: `file.plan().features(*clip.samples())`.

        They are the clip's part and channel of its recording, at the rate of the features, float32 [samples], full scale ±1;
        [channels, samples] if the features of channels are apart.

        verify:  whether the recording has to be the one that the features were computed of, by the checksum in the file.

        Raises FileNotFoundError if the recording is not there, CommandError if it cannot be read or has changed since, and
        FeatureFileError if the file does not say where its recordings are, or is damaged. ProgramNotFoundError, which is a
        FileNotFoundError, too: the program is not installed.
        """
        return samples(self, verify)

    @property
    def label(self) -> Optional[str]:
        """The label; None: the clip has none."""
        return self._core.table.text("label", self.index) or None

    @property
    def label_index(self) -> int:
        """Index of the label in the `labels` of the selection that the clip is from, or of the file; −1: the clip has none of them."""
        return int(relabelled(self._core.table["label_index"][self.index], self._classes))

    @property
    def labels(self) -> list[str]:
        """The label, if the clip has one, and those of the manifest's column `labels`."""
        matrix, label = self._core.label_matrix, self.label
        names = [] if matrix is None else [self._core.labels[index] for index in np.flatnonzero(matrix[self.index])]
        return names if label is None else [label, *(name for name in names if name != label)]

    @property
    def split(self) -> Optional[str]:
        """The split; None: the clip is in none."""
        return self._core.table.text("split", self.index) or None

    @property
    def start(self) -> float:
        """Start of the clip in its recording, in s."""
        return float(self._core.table["start"][self.index])

    @property
    def duration(self) -> float:
        """Length of the clip in s, by the samples that were read."""
        return float(self._core.table["duration"][self.index])

    @property
    def sample_rate(self) -> int:
        """Rate of the recording in Hz, before resampling."""
        return int(self._core.table["sample_rate"][self.index])

    @property
    def channels(self) -> int:
        """Channels of the recording, before they are mixed or one is chosen."""
        return int(self._core.table["channels"][self.index])

    @property
    def channel(self) -> Optional[int]:
        """The channel, from 0, that the manifest names; None: it names none."""
        if "channel" not in self._core.table.names or (channel := int(self._core.table["channel"][self.index])) < 0:
            return None
        return channel

    @property
    def truncated(self) -> bool:
        """Whether the clip is shorter than it should be, because its recording is cut off (`--truncated keep`)."""
        return "truncated" in self._core.table.names and bool(self._core.table["truncated"][self.index])

    @property
    def frame_count(self) -> int:
        """Number of frames; of patches, where rows are grouped into such."""
        return int(self._core.table.count[self.index])

    @property
    def extra(self) -> dict[str, str]:
        """The manifest's other columns, as strings; empty: no value."""
        table = self._core.table
        return {name: table.text(f"extra/{name}", self.index) for name in table.extra}

    @property
    def time(self) -> npt.NDArray[np.float64]:
        """Middle of each frame, [frames], in s from the clip's start; of each patch, that of its first frame."""
        return self._core.header.times(np.arange(self.frame_count))

    @property
    def frequency(self) -> Optional[npt.NDArray[np.float32]]:
        """Centre frequency of each bin, [bins], in Hz; None: the columns are cepstral coefficients."""
        return self._core.frequency

    @property
    def coefficient(self) -> Optional[npt.NDArray[np.float32]]:
        """Order of the cepstral coefficient in each column, [bins]; None: the columns have frequencies."""
        return self._core.coefficient

    @property
    def units(self) -> str:
        """Unit of the values, such as `zscore of ln(power)`."""
        return self._core.units(self._raw)

    @property
    def frame_labels(self) -> Optional[npt.NDArray[np.int32]]:
        """The label of each frame, [frames] or [patches, patch_length]: its index in the file's `frame_label_names`, or −1.

        None: the frames of the file have no labels.
        """
        return self._core.frame_labels(self.index)

    @property
    def statistics(self) -> Optional[Statistics]:
        """Statistics of this clip before normalisation; None: the file holds them for all clips together only."""
        return self._core.clip_statistics(self.index)

    def to_xarray(self) -> Any:
        """The features as `xarray.DataArray` [time, frequency], with units. Needs xarray."""
        return clip_array(self)

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draws the features by matplotlib: time in s to the right, frequency upwards. Returns the axes.

        ax:        axes to draw into; None: new ones.
        axis:      "bins": bins of equal height, as stored; "linear" or "log": frequency in equal steps, or octaves.
        colorbar:  whether to add the scale of the values, with their unit.
        title:     whether to write the id and the labels above.

        Other options go to `pcolormesh`, such as `cmap`, `vmin` and `vmax`. Colours reach from the 1st to the 99.5th
        percentile. Needs matplotlib.
        """
        return plot(self, ax, **options)

    def __len__(self) -> int:
        return self.frame_count

    def __repr__(self) -> str:
        parts = [f"{name} {value!r}" for name in ("label", "split") if (value := getattr(self, name))]
        parts.append(f"{self._core.header.described(self.frame_count)} of {self.units}")
        return f"<veery.Clip {self.id!r}: {', '.join(parts)}, {self.duration:.4g} s>"

    def _repr_html_(self) -> str:
        return clip_html(self)
