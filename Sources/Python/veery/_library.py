"""libveery, loaded when it is first needed: the functions of veery.h, with errors as exceptions."""

from __future__ import annotations

import ctypes
import functools
import os
import sys
import weakref
from ctypes import (
    POINTER, Structure, c_char, c_char_p, c_double, c_float, c_int32, c_size_t, c_uint32, c_uint64, c_void_p)
from pathlib import Path
from typing import Any, Callable

INTERFACE_VERSION = 1


class FeatureError(ValueError):
    """Features cannot be computed: of this configuration, or of this signal. The message says why."""


class Error(Structure):
    """veery_error."""

    _fields_ = [("status", c_int32), ("text", c_char * 1020)]


class PlanInfo(Structure):
    """veery_plan_info."""

    _fields_ = [
        ("size", c_size_t), ("sample_rate", c_uint32), ("axis", c_uint32), ("normalization", c_uint32),
        ("needs_statistics", c_uint32), ("needs_whole_signal", c_uint32), ("patches_are_stacked", c_uint32),
        ("bins", c_size_t),
        ("frame_length", c_size_t), ("hop_length", c_size_t), ("fft_length", c_size_t), ("minimum_samples", c_size_t),
        ("fixed_length", c_size_t), ("frame_period", c_double), ("first_frame_time", c_double),
        ("patch_length", c_size_t), ("patch_hop", c_size_t)]


_OUT_OF_MEMORY = 10
_BUSY = 9
_STREAM_FAILED = 8

_handle, _error = c_void_p, POINTER(Error)
_numbers, _size = c_void_p, POINTER(c_size_t)

_STATUS_FUNCTIONS: dict[str, list[Any]] = {
    "plan_create": [c_char_p, c_uint32, POINTER(_handle)],
    "plan_create_json": [c_char_p, c_size_t, c_uint32, POINTER(_handle)],
    "plan_normalized": [
        _handle, POINTER(c_double), POINTER(c_double), POINTER(c_double), POINTER(c_double), c_size_t, c_uint64,
        POINTER(_handle)],
    "plan_unnormalized": [_handle, POINTER(_handle)],
    "plan_get_info": [_handle, POINTER(PlanInfo)],
    "plan_axis": [_handle, POINTER(c_float), c_size_t],
    "plan_row_limit": [_handle, c_size_t, c_uint32, _size],
    "plan_features": [_handle, _numbers, c_size_t, c_uint32, _numbers, c_size_t, _size],
    "stream_create": [_handle, c_uint32, POINTER(_handle)],
    "stream_push": [_handle, _numbers, c_size_t, _size],
    "stream_flush": [_handle, _size],
    "stream_finish": [_handle, _size],
    "stream_read": [_handle, _numbers, c_size_t, _size],
    "stream_reset": [_handle],
}
_TEXT_FUNCTIONS: dict[str, list[Any]] = {
    "version": [], "library_versions": [], "preset_name": [c_size_t], "preset_summary": [c_size_t],
    "preset_aliases": [c_size_t],
    "plan_configuration": [_handle], "plan_units": [_handle], "plan_warnings": [_handle],
    "plan_signal_warnings": [_handle, c_size_t, c_uint32],
}
_MAY_BE_EMPTY = ("plan_warnings", "plan_signal_warnings", "preset_aliases")


def path() -> Path:
    """Where the library is: the environment variable VEERY_LIBRARY, or in this package, or where `make library` puts it if this is
    the package of a checkout."""
    given = os.environ.get("VEERY_LIBRARY")
    if given:
        return Path(given)
    name = "libveery.dylib" if sys.platform == "darwin" else "libveery.so"
    package = Path(__file__).resolve().parent
    packed = package / "_bundle" / name
    checkout = package.parents[2]
    if packed.exists() or package.parts[-3:-1] != ("Sources", "Python") or not (checkout / "Package.swift").exists():
        return packed
    return checkout / ".build" / "library" / name


class Library:
    """The functions of veery.h. While one of them runs, other threads of Python run too."""

    def __init__(self, path: Path) -> None:
        try:
            self._library = ctypes.CDLL(str(path))
        except OSError as error:
            raise ImportError(
                f"{path}: cannot load libveery, which computes the features: {error}. The wheel of veery has it; in a "
                "checkout, 'make library' builds it. The environment variable VEERY_LIBRARY names another file") from None
        interface: int = self._library.veery_interface_version()
        if interface != INTERFACE_VERSION:
            raise ImportError(f"{path}: expected version {INTERFACE_VERSION} of the interface, found {interface}")
        self.plan_destroy = self._function("plan_destroy", [_handle], None)
        self.stream_destroy = self._function("stream_destroy", [_handle], None)
        self.preset_count = self._function("preset_count", [], c_size_t)
        self._status = {
            name: self._function(name, [*types, _error], c_int32) for name, types in _STATUS_FUNCTIONS.items()}
        self._texts = {
            name: self._function(name, [*types, c_char_p, c_size_t], c_size_t)
            for name, types in _TEXT_FUNCTIONS.items()}

    def _function(self, name: str, arguments: list[Any], result: Any) -> Callable[..., Any]:
        function = getattr(self._library, f"veery_{name}")
        function.argtypes, function.restype = arguments, result
        return function  # type: ignore[no-any-return]

    def call(self, name: str, *arguments: Any) -> None:
        """Calls a function that can fail.

        Raises FeatureError, MemoryError, or RuntimeError for calls in the wrong order."""
        error = Error()
        status = self._status[name](*arguments, error)
        if status == 0:
            return
        text = error.text.decode()
        if status == _OUT_OF_MEMORY:
            raise MemoryError(text)
        if status in (_BUSY, _STREAM_FAILED):
            raise RuntimeError(text)
        raise FeatureError(text)

    def text(self, name: str, *arguments: Any) -> str:
        """Calls a function that gives a text.

        Raises MemoryError where an empty text means that memory runs out."""
        function = self._texts[name]
        length = function(*arguments, None, 0)
        buffer = ctypes.create_string_buffer(length + 1)
        # Memory may run out before the second call, too, which then gives an empty text.
        written = function(*arguments, buffer, length + 1)
        if written != length or length == 0 and name not in _MAY_BE_EMPTY:
            raise MemoryError("memory runs out: libveery cannot make a text")
        return buffer.value.decode()


def owned(owner: object, handle: c_void_p, destroy: Callable[..., Any]) -> weakref.finalize[..., Any]:
    """Destroys a handle when nothing refers to its owner any more.

    Not at the end of Python, when a `__del__` would find the modules that it uses emptied: threads may still compute with
    the handle, and the system frees everything.
    """
    finalizer = weakref.finalize(owner, destroy, handle)
    finalizer.atexit = False
    return finalizer


@functools.lru_cache(maxsize=None)
def library() -> Library:
    """The library, loaded once."""
    return Library(path())
