"""Features of signals in memory: to the last bit those that `veery extract` stores."""

from __future__ import annotations

import ctypes
import dataclasses
import json
import os
import warnings
import weakref
from types import SimpleNamespace, TracebackType
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Protocol, Union, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arguments import json_of, mapping, refuse_unknown
from ._errors import described, flag, whole_number
from ._library import FeatureError as FeatureError
from ._library import PlanInfo, library, owned
from ._memory import Recording, is_recording, name_of
from ._sound import decoded

if TYPE_CHECKING:
    Array = NDArray[np.float32]

_AXES = ("frequency", "coefficient")
_NORMALIZATIONS = ("none", "clip", "dataset", "constant")


class PlanStatistics(Protocol):
    """The statistics to normalise by: the group /statistics of a feature file, `veery.open(path).statistics`."""

    @property
    def mean(self) -> NDArray[np.float64]: ...
    @property
    def std(self) -> NDArray[np.float64]: ...
    @property
    def min(self) -> NDArray[np.float64]: ...
    @property
    def max(self) -> NDArray[np.float64]: ...
    @property
    def count(self) -> int: ...


class Preset(NamedTuple):
    """A configuration with a name."""

    name: str
    summary: str

    @property
    def aliases(self) -> list[str]:
        """The names of models that take the same, with the keys that differ: `whisper-large-v3 transform.bins=128`."""
        index = next((index for index, preset in enumerate(presets()) if preset.name == self.name), None)
        return [] if index is None else library().text("preset_aliases", index).splitlines()


def presets() -> list[Preset]:
    """All presets, with a line about each."""
    found = library()
    return [Preset(found.text("preset_name", index), found.text("preset_summary", index))
            for index in range(found.preset_count())]


def library_versions() -> str:
    """Veery's version, and those of the libraries that compute: `veery 0.2.0, lanes 2, libsoxr-0.1.3`."""
    return f"veery {library().text('version')}, {library().text('library_versions')}"


class FeaturePlan:
    """A configuration at a sample rate, which turns signals into features.

    >>> plan = veery.FeaturePlan("whisper")
    >>> features = plan.features(samples, sample_rate=44100)        # float32 [frames, bins]

    configuration: the name of a preset; or the path of a model's own file, such as preprocessor_config.json of transformers, or of
        the folder that it is in, which the program `veery` reads; or a configuration as a mapping or as JSON, such as
        `veery.open(path).configuration`. What a mapping leaves out is as in the preset `log-mel`, or in the one that its
        key `extends` names.
    sample_rate: rate in Hz that features are computed at. None: the configuration's own. Presets that compute at the
        recording's own rate need one. Another rate than that of a preset, or of a model's own file, is as `--set audio.sample_rate=`
        of the command: frames have another number of samples, or last otherwise, and where they are a model's input, that is a
        UserWarning.
    settings: single values set over the configuration, by their keys: `{"transform.bins": 128, "frame.hop": "5 ms"}`.
    statistics: of a dataset, where the configuration normalises by them (`normalize.scope` is `dataset`):
        `veery.open(path).statistics`, or a mapping with its `mean`, `std`, `min`, `max` and `count`. Their values are those before
        normalisation, float64 [bins].
    preset: the same as `configuration`, by the name that it has in `veery.extract`: a preset or a model's own file.
    normalize: whether rows are normalised as the configuration says; False: they are those before normalisation.

    A plan never changes, may be used by any number of threads at once, and may be pickled.

    Raises FeatureError where the configuration is refused, or normalises by statistics and none are given.
    """

    _handle: ctypes.c_void_p
    _destroy: weakref.finalize[..., Any]

    def __init__(
        self, configuration: Union[str, bytes, os.PathLike[str], Mapping[str, Any]] = "log-mel",
        sample_rate: Optional[int] = None, *, settings: Optional[Mapping[str, Any]] = None,
        statistics: Union[PlanStatistics, Mapping[str, Any], None] = None, normalize: bool = True,
        preset: Union[str, os.PathLike[str], None] = None,
    ) -> None:
        rate = _rate("sample_rate", sample_rate)
        if preset is not None:
            if configuration != "log-mel":
                raise TypeError("expected either a configuration or preset, found both")
            configuration = preset
        if _is_file(configuration):
            configuration = _of_model(configuration, _set_rate(rate, settings))
        elif isinstance(configuration, (str, os.PathLike)) and _looks_like_path(os.fspath(configuration)):
            raise FeatureError(f"{os.fspath(configuration)}: expected the name of a preset, a model's own file, or the folder "
                               "that it is in; there is no such file")
        if isinstance(configuration, bytes):  # as h5py reads /provenance/configuration
            configuration = configuration.decode(errors="replace")
        text = _text(cast(Union[str, Mapping[str, Any]], configuration), mapping({} if settings is None else settings, "settings"))
        if text is None:
            name = str(configuration).encode(errors="replace")
            if b"\0" in name:
                raise FeatureError(f"unknown preset {configuration!r}")
            self._make_preset(name, rate)
        else:
            self._make("plan_create_json", text, len(text), rate)
        self._statistics: Optional[_Statistics] = None
        if not flag("normalize", normalize):
            self._make("plan_unnormalized", self._handle)
        elif self._info().needs_statistics:
            if statistics is None:
                raise FeatureError(
                    "the configuration normalises by the statistics of a dataset: give them, as in statistics="
                    "veery.open('features.h5').statistics, or normalize=False for the values before normalisation")
            self._normalize(statistics)
        self._keep_info()
        self._model = _model_in(text)
        self._source = _Source(
            json.dumps({"extends": str(configuration)}) if text is None else text.decode(), sample_rate, normalize)
        self._warn(f". Signals of {rate} Hz: {_of_signals(str(configuration), rate)}" if text is None else "")

    def _warn(self, hint: str) -> None:
        """Warns of values that a model was not trained with. Their texts start with the name of its preset or file."""
        names = {preset.name for preset in presets()} | {str((self._model or {}).get("name"))}
        for text in self.warnings:
            if text.partition(": ")[0] in names:
                warnings.warn(text + hint, stacklevel=3)

    def _warn_of_signal(self, samples: int, rate: int, level: int) -> None:
        """Warns of what of a signal is not in its features, or missing in it, once for each text and rate; 0: the plan's."""
        if not (self._may_cut or 0 < rate < self.sample_rate):
            return
        for text in library().text("plan_signal_warnings", self._handle, samples, rate).splitlines():
            self._say_once(text, rate, level + 1)

    def _warn_of_no_rate(self, rate: Optional[int], call: str, level: int) -> None:
        """Warns, once, of samples without a rate where the recordings of the plan's feature file all had another one than the plan."""
        rates = self._source.recordings
        if rate is None and rates and self.sample_rate not in rates:
            self._say_once(
                f"the samples are taken for samples of {self.sample_rate} Hz, the rate of the plan, but the recordings of its feature file "
                f"have {' or '.join(map(str, rates[:3]))} Hz: say which rate they have, as in {call}sample_rate={rates[0]})", 0, level + 1)

    def _say_once(self, text: str, rate: int, level: int, kind: Optional[str] = None) -> None:
        """Warns, once for each rate and kind; None: the text is the kind."""
        if (kind or text, rate) not in self._said:
            self._said.add((kind or text, rate))
            warnings.warn(text, stacklevel=level)

    def _came_from(self, recordings: tuple[int, ...]) -> FeaturePlan:
        """The plan, which now knows the rates of the recordings of its feature file."""
        self._source = dataclasses.replace(self._source, recordings=recordings)
        return self

    def _make_preset(self, name: bytes, rate: int) -> None:
        """The plan of a preset at a rate, 0 for its own. Where only the rate is refused, says how signals of that rate are used."""
        try:
            return self._make("plan_create", name, rate)
        except FeatureError as error:
            refused = error
        try:
            self._make("plan_create", name, 0)
        except FeatureError:
            raise refused from None
        preset = name.decode(errors="replace")
        raise FeatureError(f"{refused}: for signals of {rate} Hz, {_of_signals(preset, rate)}") from None

    def _keep_info(self) -> None:
        info = self._info()
        #: Rate of the samples that frames are cut from, in Hz.
        self.sample_rate: int = info.sample_rate
        #: Columns of the result: values of a frame or, where patches are stacked, of all frames of one.
        self.bins: int = info.bins
        #: Frames of a patch, and from one patch to the next; None: rows are not grouped into patches.
        self.patch_length: Optional[int] = info.patch_length or None
        self.patch_hop: Optional[int] = info.patch_hop or None
        #: Shape of a row of the result: (bins,), (patch_length, bins) or, stacked, (patch_length * bins,).
        self.row_shape: tuple[int, ...] = (self.bins,)
        # The library hands over the rows of patches that are not stacked one by one.
        is_grouped = info.patch_length and not info.patches_are_stacked
        self._group: int = info.patch_length if is_grouped else 1
        if is_grouped:
            self.row_shape = (info.patch_length, self.bins)
        #: Seconds from a row of the result to the next; in patches that are not stacked, from a frame to the next.
        self.frame_period: float = info.frame_period
        self._period: float = info.frame_period * (info.patch_hop if is_grouped else 1)
        #: Samples, at `sample_rate`.
        self.frame_length: int = info.frame_length
        self.hop_length: int = info.hop_length
        self.fft_length: int = info.fft_length
        #: The number of samples, at `sample_rate`, that one row takes at least.
        self.minimum_samples: int = info.minimum_samples
        #: The length in samples that every signal is cropped to, or padded with zeros; None: its own.
        self.fixed_length: Optional[int] = info.fixed_length or None
        #: Time of the middle of row 0 in the signal, in seconds.
        self.first_frame_time: float = info.first_frame_time
        #: Whether a stream hands over its rows after the end of the signal, since they depend on all of it.
        self.needs_whole_signal = bool(info.needs_whole_signal)
        #: What normalises the rows: "none", "clip" (each signal's own statistics), "dataset" or "constant".
        self.normalization: str = _NORMALIZATIONS[info.normalization]
        #: The meaning of `axis`: "frequency" in Hz, or "coefficient".
        self.axis_kind: str = _AXES[info.axis]
        # Whether a very long signal is cut, or longer than the model takes, which then may be shorter, too.
        self._may_cut = bool(library().text("plan_signal_warnings", self._handle, 1 << 45, 0))
        self._said: set[tuple[str, int]] = set()

        self._is_made = True

    def __setattr__(self, name: str, value: Any) -> None:
        if getattr(self, "_is_made", False) and not name.startswith("_"):
            raise AttributeError(f"a plan never changes: make another one for another {name}")
        super().__setattr__(name, value)

    def _make(self, name: str, *arguments: Any) -> None:
        """Replaces the plan by one that a function of the library makes."""
        found, made = library(), ctypes.c_void_p()
        found.call(name, *arguments, ctypes.byref(made))
        if hasattr(self, "_destroy"):
            self._destroy()
        self._handle, self._destroy = made, owned(self, made, found.plan_destroy)

    def _normalize(self, statistics: Union[PlanStatistics, Mapping[str, Any]]) -> None:
        given = statistics
        if isinstance(statistics, Mapping):
            statistics = cast(PlanStatistics, SimpleNamespace(**statistics))
        missing = [name for name in ("mean", "std", "min", "max", "count") if not hasattr(statistics, name)]
        if missing:
            raise TypeError(
                "statistics: expected those of a feature file, as in veery.open('features.h5').statistics, found "
                f"{described(given)} without {missing[0]!r}")
        columns = [np.ascontiguousarray(values, np.float64)
                   for values in (statistics.mean, statistics.std, statistics.min, statistics.max)]
        info = self._info()
        bins = info.bins // (info.patch_length if info.patches_are_stacked else 1)
        for name, values in zip(("mean", "std", "min", "max"), columns):
            if values.shape != (bins,):
                hint = "; take those of one channel: statistics.channel(c)" if values.shape[1:] == (bins,) else ""
                raise FeatureError(
                    f"statistics.{name}: expected {bins} values, one a bin, found shape {values.shape}{hint}")
        pointers = [values.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for values in columns]
        count = whole_number("statistics.count", statistics.count, 0)
        if count < 1:
            raise FeatureError(f"statistics.count: expected at least 1 frame, found {count}")
        self._make("plan_normalized", self._handle, *pointers, bins, count)
        mean, std, low, high = columns
        self._statistics = _Statistics(mean, std, low, high, count)

    def _info(self) -> PlanInfo:
        info = PlanInfo(size=ctypes.sizeof(PlanInfo))
        library().call("plan_get_info", self._handle, info)
        return info

    @property
    def configuration(self) -> dict[str, Any]:
        """Every key of the configuration, as /provenance/configuration of a feature file has them."""
        return json.loads(library().text("plan_configuration", self._handle))  # type: ignore[no-any-return]

    @property
    def units(self) -> str:
        """The unit of the values, such as `zscore of ln(power)`."""
        return library().text("plan_units", self._handle)

    @property
    def warnings(self) -> list[str]:
        """Likely mistakes in the configuration, and what of a model's own file is not part of the features.

        A feature file keeps the configuration, and not what the model's file says beyond it, such as a dither: so the plan of a
        feature file, `veery.open(path).plan()`, does not repeat that.
        """
        return library().text("plan_warnings", self._handle).splitlines()

    @property
    def axis(self) -> Array:
        """The frequency of each column in Hz, or the order of its cepstral coefficient: float32 [bins]. Of stacked rows, each frame's."""
        values = np.empty(self.bins, np.float32)
        pointer = values.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        library().call("plan_axis", self._handle, pointer, self.bins)
        return values

    def times(self, frames: int) -> NDArray[np.float64]:
        """The time of the middle of each of so many rows, in seconds: float64 [frames]; of a patch, its first frame's."""
        rows = np.arange(whole_number("frames", frames, 0), dtype=np.float64)
        return self.first_frame_time + rows * self._period

    def frame_count(self, samples: int) -> int:
        """The number of rows, or patches, of a signal of `samples` samples at the plan's rate."""
        return self._row_limit(samples, 0) // self._group

    def _row_limit(self, samples: int, rate: int) -> int:
        rows = ctypes.c_size_t()
        if not 0 <= whole_number("samples", samples, 0) <= 1 << 45:
            raise FeatureError(f"samples: expected 0 to 2**45, found {samples}")
        library().call("plan_row_limit", self._handle, samples, rate, ctypes.byref(rows))
        return rows.value

    def features(
        self, samples: Union[ArrayLike, Recording], sample_rate: Optional[int] = None, *,
        out: Optional[Array] = None, **unknown: Any,
    ) -> Array:
        """The features of a whole signal: float32 [frames, bins] or [patches, *row_shape].

        samples: one channel, [samples], full scale ±1. An array of float32 is not copied, others are
            converted. Integers are refused, and so are numbers of 256 and more: divide 16-bit PCM by 32768. Or a
            recording: its path, its content as bytes, or a file that is open for reading bytes. It is decoded as by `veery.load`,
            at its own rate.
        sample_rate: their rate in Hz; None: the plan's. Another rate is resampled by the configuration's
            `audio.resampler`, as in `veery extract`.
        out: where the rows go, C-contiguous float32 [at least frames, bins]; the result is a view of it. None: a new
            array.

        Samples that are too short for a row give none, [0, bins], with a UserWarning; a recording that is too short is a FeatureError, as it
        is a failure of `veery extract`. `plan.minimum_samples` is the number that a row takes at the plan's rate.

        Once for each rate and kind, a UserWarning says what of a signal is not in its features, as `veery extract` does: the rest of one that is
        longer than they take (`audio.duration`, `rows.count`) or than the windows of the model, and bands above half of a lower rate. So
        it does of a signal that is shorter than such a window.
        It also warns of samples without a rate where the recordings of the plan's feature file have another rate than the plan.
        Of a recording whose first channel alone is taken, a CommandWarning says so.

        Other threads run meanwhile. Raises FeatureError for samples that are not finite, and CommandError for a recording
        that cannot be read.
        """
        refuse_unknown("features", ("samples", "sample_rate", "out"), unknown)
        is_decoded = is_recording(samples)
        if is_decoded:
            if sample_rate is not None:
                raise FeatureError(f"sample_rate: expected None, since a recording has its own rate, found {sample_rate!r}")
            signal, rate = self._decoded(samples)
        else:
            signal, rate = _signal(cast(ArrayLike, samples), self), _rate("sample_rate", sample_rate)
            self._warn_of_no_rate(sample_rate, "features(samples, ", level=3)
        group = self._group
        limit = self._row_limit(len(signal), rate) // group
        if out is None:
            out = np.empty((limit, *self.row_shape), np.float32)
        elif not isinstance(out, np.ndarray):
            raise FeatureError(f"out: expected an array, found {type(out).__name__}")
        elif out.dtype != np.float32 or out.shape[1:] != self.row_shape or out.ndim < 2 or not (
                out.flags.c_contiguous and out.flags.writeable and out.flags.aligned):
            raise FeatureError(
                f"out: expected a writeable C-contiguous array of float32 "
                f"[frames, {', '.join(map(str, self.row_shape))}], found {out.dtype} "
                f"{list(out.shape)}")
        elif rate in (0, self.sample_rate) and len(out) < limit:
            raise FeatureError(f"out: expected space for {limit} rows, found space for {len(out)}")
        rows = ctypes.c_size_t()
        self._warn_of_signal(len(signal), rate, level=3)
        library().call(
            "plan_features", self._handle, signal.ctypes.data, len(signal), rate, out.ctypes.data,
            len(out) * group,
            ctypes.byref(rows))
        if not rows.value:
            self._found_too_short(samples if is_decoded else None, len(signal), rate)
        return out[:rows.value // group]

    def _found_too_short(self, recording: Any, samples: int, rate: int) -> None:
        """Raises an error for a recording without a row, as `extract` has it; warns, once for each rate, of samples without one."""
        found = samples if rate in (0, self.sample_rate) else round(samples * self.sample_rate / rate)
        wanted = f"expected at least {self.minimum_samples} samples at {self.sample_rate} Hz, found {found}"
        if recording is not None:
            raise FeatureError(f"{name_of(recording)}: {wanted}: the recording is too short")
        self._say_once(f"{wanted}: the samples are too short for a row, so there is none", rate, level=4, kind="short")

    def _decoded(self, recording: Any) -> tuple[Array, int]:
        """The signal of a recording and its rate in Hz, which the warnings of a lower rate need; 0: the plan's."""
        from ._process import CommandError

        options = {"channels": self.configuration["audio"]["channels"]}
        try:
            samples, found = decoded(recording, options, level=3, plan=FeaturePlan.__init__)
        except CommandError as error:
            message, output = (_by_load(text, recording, options["channels"]) for text in (error.message, error.output))
            raise type(error)(error.status, message, output, error.command) from None
        rate = 0 if found == self.sample_rate else found
        if samples.ndim == 1:
            return samples, rate
        if len(samples) > 1:
            raise FeatureError(
                f"{name_of(recording)}: this configuration takes each of the {len(samples)} channels as a signal of its own: "
                "load them by veery.load(recording, plan.sample_rate, 'all'), and pass on one at a time")
        return samples.reshape(-1), rate

    def stream(self, sample_rate: Optional[int] = None, **unknown: Any) -> FeatureStream:
        """A signal that comes in pieces, at `sample_rate` Hz; None: the plan's."""
        refuse_unknown("stream", ("sample_rate",), unknown)
        self._warn_of_no_rate(sample_rate, "stream(", level=3)
        return FeatureStream(self, sample_rate)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._source, self._statistics, self.configuration, self.sample_rate)

    def __repr__(self) -> str:
        kind = self.configuration["transform"]["kind"]
        return (f"<veery.FeaturePlan {kind}: {self.bins} bins, frames of {self.frame_length} samples every "
                f"{self.hop_length} at {self.sample_rate} Hz, {self.units}>")


class FeatureStream:
    """A signal that comes in pieces of any size: its rows are those of `FeaturePlan.features`, to the last bit.

    >>> stream = plan.stream()
    >>> for piece in pieces:
    ...     rows = stream.push(piece)                               # float32 [frames, bins], perhaps none
    >>> rows = stream.finish()

    A stream belongs to one thread at a time.
    """

    def __init__(self, plan: FeaturePlan, sample_rate: Optional[int] = None) -> None:
        if not isinstance(plan, FeaturePlan):
            raise TypeError(f"plan: expected a FeaturePlan, found {described(plan)}")
        self._handle = ctypes.c_void_p()
        self._plan = plan
        self._sample_rate = sample_rate if sample_rate is not None else plan.sample_rate
        found = library()
        found.call("stream_create", plan._handle, _rate("sample_rate", sample_rate), ctypes.byref(self._handle))
        owned(self, self._handle, found.stream_destroy)
        self._rate, self._count = _rate("sample_rate", sample_rate), 0

    @property
    def plan(self) -> FeaturePlan:
        """What is computed."""
        return self._plan

    @property
    def sample_rate(self) -> int:
        """Rate in Hz of the samples that come in."""
        return self._sample_rate

    def push(self, samples: ArrayLike, *, flush: bool = True) -> Array:
        """Takes samples; returns the rows that they complete, float32 [frames, bins], perhaps none.

        samples: as `FeaturePlan.features` takes them.
        flush: whether rows come as soon as their frame is complete; slopes over time wait for the frames that they need, and
            a resampler holds back some milliseconds. False: up to 15 rows wait for the next push, and 16 frames are
            computed together, which is up to several times faster where pieces are short.

        Where `plan.needs_whole_signal`, all rows come at `finish`. Raises FeatureError for samples that are not finite or not on
        the unit scale, and then none of them was taken.
        """
        signal = _signal(samples, self._plan)
        available = ctypes.c_size_t()
        library().call("stream_push", self._handle, signal.ctypes.data, len(signal), ctypes.byref(available))
        self._count += len(signal)
        if flush:
            library().call("stream_flush", self._handle, ctypes.byref(available))
        return self._read(available.value)

    def finish(self) -> Array:
        """Ends the signal; returns the rows that are left, those past its end included. Warns of the signal as `FeaturePlan.features`.

        The next push starts another signal."""
        available = ctypes.c_size_t()
        library().call("stream_finish", self._handle, ctypes.byref(available))
        # Read first: a warning may be raised as an error, and the next signal must not begin with these rows.
        rows, count = self._read(available.value), self._count
        self._count = 0
        self._plan._warn_of_signal(count, self._rate, level=3)
        return rows

    def reset(self) -> None:
        """Discards an unfinished signal."""
        library().call("stream_reset", self._handle)
        self._count = 0

    def _read(self, available: int) -> Array:
        group = self._plan._group
        values = np.empty((available // group, *self._plan.row_shape), np.float32)
        rows = ctypes.c_size_t()
        library().call("stream_read", self._handle, values.ctypes.data, len(values) * group, ctypes.byref(rows))
        return values[:rows.value // group]

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a FeatureStream cannot be pickled: pickle its plan, and make a stream of that")

    def __repr__(self) -> str:
        return f"<veery.FeatureStream of {self.sample_rate} Hz, {self.plan!r}>"

    def __enter__(self) -> FeatureStream:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.reset()


@dataclasses.dataclass(frozen=True)
class _Statistics:
    """Those that a plan normalises by, for pickling."""

    mean: NDArray[np.float64]
    std: NDArray[np.float64]
    min: NDArray[np.float64]
    max: NDArray[np.float64]
    count: int


@dataclasses.dataclass(frozen=True)
class _Source:
    """What a plan was made of, for pickling: its configuration alone does not say what a model takes that differs from it."""

    #: The configuration as JSON, with what it extends and changes.
    text: str
    sample_rate: Optional[int]
    normalize: bool
    #: The rates in Hz of the recordings of the feature file that the plan is of.
    recordings: tuple[int, ...] = ()


def _restored(
    kind: type[FeaturePlan], source: _Source, statistics: Optional[_Statistics], configuration: dict[str, Any], rate: int,
) -> FeaturePlan:
    plan = kind.__new__(kind)
    # What is to be said of the file was said where the plan was made.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            FeaturePlan.__init__(plan, source.text, source.sample_rate, statistics=statistics, normalize=source.normalize)
            is_equal = plan.configuration == configuration
        except FeatureError:
            is_equal = False
        if not is_equal:  # a preset of another version of Veery
            plan = kind.__new__(kind)
            FeaturePlan.__init__(plan, configuration, rate, statistics=statistics)
    return plan._came_from(source.recordings)


def _of_signals(preset: str, rate: int) -> str:
    """How signals of a rate become the input of a model."""
    return f"veery.FeaturePlan({preset!r}).features(signal, sample_rate={rate})"


def _by_load(text: str, recording: Any, channels: Union[str, int]) -> str:
    """A message of `veery decode` in which the options of the command are arguments of `veery.load`."""
    first = (repr(os.fspath(recording)) if isinstance(recording, (str, os.PathLike)) else "recording") + ("" if channels == "mix" else f", channels={channels!r}")
    for option, argument in (
            ("--truncated keep", 'truncated="keep"'), ("--non-finite zero", 'non_finite="zero"'), ("--start and --end", "start=…, end=…")):
        text = text.replace(f"give {option}", f"call plan.features(*veery.load({first}, {argument}))")
    return text


def _signal(samples: ArrayLike, plan: FeaturePlan) -> Array:
    """One channel of float32, in one piece; copied only where it is something else."""
    if samples is None or is_recording(samples):
        raise FeatureError(
            f"samples: expected an array of samples, found {described(samples)}; veery.load decodes a recording")
    if isinstance(samples, np.ma.MaskedArray):
        raise FeatureError("samples: expected an array without a mask; samples.filled(0) puts zeros in its place")
    try:
        array = np.asarray(samples)
    except (TypeError, ValueError, RuntimeError) as error:  # a ragged list; a tensor of PyTorch with a gradient
        raise FeatureError(f"samples: expected an array of samples: {error}") from None
    if array.ndim != 1:
        raise FeatureError(
            f"samples: expected one channel, an array of shape [samples], found shape {list(array.shape)}"
            + (f"; {_channel_hint(array, plan)}" if array.ndim == 2 else ""))
    if array.dtype.kind != "f" and array.size > 0:
        hint = "; divide 16-bit PCM by 32768" if array.dtype.kind == "i" else ""
        raise FeatureError(f"samples: expected numbers with a fraction, full scale ±1, found {array.dtype}{hint}")
    return np.require(array, np.float32, ["C", "A"])


def _channel_hint(array: NDArray[Any], plan: FeaturePlan) -> str:
    """How `audio.channels` makes one channel of these."""
    channels = plan.configuration["audio"]["channels"]
    last = array.shape[1] <= array.shape[0]
    if channels == "all":
        part = "[:, c]" if last else "[c]"
        return (f"this configuration takes each channel as a signal of its own: features of samples{part} for each channel "
                "c")
    if channels == "mix":
        return f"this configuration takes the mean of the channels: samples.mean(axis={int(last)})"
    number = 0 if channels == "first" else channels
    return f"this configuration takes one channel: samples[{f':, {number}' if last else number}]"


def _rate(name: str, rate: Optional[int]) -> int:
    """A rate as the library takes it: 0 for none."""
    if rate is None:
        return 0
    is_number = isinstance(rate, (int, float, np.number)) and not isinstance(rate, bool)
    if not (is_number and 1 <= rate <= 10_000_000 and int(rate) == rate):
        raise FeatureError(f"{name}: expected a whole number of Hz from 1 to 10000000, found {rate!r}")
    return int(rate)


def _is_file(configuration: Any) -> bool:
    """Whether a configuration is the path of a file or a folder. A preset wins over a file of its name, with a warning, but not over one
    with a folder in front."""
    if isinstance(configuration, os.PathLike):
        return True
    if not isinstance(configuration, str) or configuration.lstrip().startswith("{") or "\0" in configuration:
        return False
    if not os.path.exists(configuration):
        return False
    if "/" in configuration or not _is_name(configuration):
        return True
    warnings.warn(f"'{configuration}' is taken for the preset, not for the file or folder of that name: give that as ./{configuration}",
                  stacklevel=3)
    return False


def _is_name(name: str) -> bool:
    """Whether a text is the name of a preset, or of a model that has one."""
    found, made = library(), ctypes.c_void_p()
    try:
        found.call("plan_create", name.encode(errors="replace"), 0, ctypes.byref(made))
    except FeatureError as error:
        return "unknown preset" not in str(error).lower()
    found.plan_destroy(made)
    return True


def _looks_like_path(name: str) -> bool:
    """Whether a text is rather the name of a file that is missing than that of a preset."""
    ends = (".json", ".yaml", ".yml", ".conf", ".config", ".nemo")
    return not name.lstrip().startswith("{") and (
        name.lower().endswith(ends) or name.startswith(("/", "./", "../", "~")) or "\\" in name
        or "/" in name and not _is_name(name))


def _model_in(text: Optional[bytes]) -> Optional[dict[str, str]]:
    """The model's own file that a configuration is of: its name, and what is not part of the features."""
    found = None if text is None else json.loads(text).get("model")
    return found if isinstance(found, dict) else None


def _set_rate(rate: int, settings: Any) -> str:
    """The sample rate that is set over a model's own file, as it is written; empty: none."""
    given = settings.get("audio.sample_rate") if isinstance(settings, Mapping) else None
    if given is None and isinstance(settings, Mapping) and isinstance(settings.get("audio"), Mapping):
        given = settings["audio"].get("sample_rate")
    text = str(given if isinstance(given, (int, float, str, np.number)) else rate or "")
    return text if len(text) < 40 and text.isprintable() else ""  # the library says what is wrong with others


def _of_model(path: Any, rate: str) -> str:
    """The configuration that a model's own file describes, as JSON, by the program, at the sample rate that is set over it, if one is."""
    from ._process import CommandError, run

    name = os.fsdecode(path)
    # A path is never the name of a preset.
    name = name if "/" in name else os.path.join(os.curdir, name)
    try:
        at = [f"--rate={rate}"] if rate else []
        return run(FeaturePlan.__init__, ["presets", "--json", "--model", *at, "--", name])[1]
    except CommandError as error:
        raise FeatureError(str(error).replace(
            "a configuration of Veery is given by --config",
            "if it is a configuration of Veery, read the file first, as by json.loads(path.read_text())")) from None


def _text(configuration: Union[str, Mapping[str, Any]], settings: Mapping[str, Any]) -> Optional[bytes]:
    """The configuration as JSON; None: it is a preset as it is."""
    if isinstance(configuration, str):
        is_name = not configuration.lstrip().startswith("{")
        if not settings:
            return None if is_name else configuration.encode(errors="replace")
        try:
            configuration = {"extends": configuration} if is_name else json.loads(configuration)
        except ValueError as error:
            raise FeatureError(f"the configuration: expected JSON: {error}") from None
    whole = dict(mapping(configuration, "configuration"))
    if settings:
        whole["set"] = {**mapping(whole.get("set", {}), "set"), **settings}
    try:
        return json_of(whole, "the configuration").encode()
    except (TypeError, ValueError) as error:
        raise FeatureError(str(error)) from None
