"""Recordings in memory and in open files, which the command reads from a temporary file."""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import contextmanager
from typing import Any, Iterator, Protocol, Union

from ._arguments import Path, path_of
from ._errors import described, shortened


class Readable(Protocol):
    """A file that is open for reading bytes, such as `open(path, "rb")`, an `io.BytesIO` or an upload of a web framework."""

    def read(self) -> bytes: ...


Recording = Union[Path, bytes, bytearray, memoryview, Readable]


def is_recording(value: object) -> bool:
    """Whether a value is a recording that has to be decoded, and not an array of samples. Bytes are one, and no path."""
    if isinstance(value, memoryview):
        return value.format in ("B", "b", "c")
    return isinstance(value, (str, os.PathLike, bytes, bytearray)) or _is_open_file(value)


def name_of(recording: Any) -> str:
    """What messages call a recording: its path, if it has one."""
    if _is_open_file(recording):
        return "the file given"
    return os.fsdecode(recording) if isinstance(recording, (str, os.PathLike)) else "the bytes given"


@contextmanager
def path_to(recording: Any, name: str) -> Iterator[str]:
    """The path of a recording; one without a path is in a temporary file meanwhile. An open file is read from where it is."""
    if not is_recording(recording):
        raise TypeError(f"{name}: expected a path, bytes or a file that is open for reading bytes, found {described(recording)}")
    if isinstance(recording, (str, os.PathLike)):
        yield path_of(recording, name)
        return
    content = recording.read() if _is_open_file(recording) else recording
    if not isinstance(content, (bytes, bytearray, memoryview)):
        raise TypeError(f"{name}: expected a file whose read() gives bytes, as that of open(path, 'rb'), found {described(content)} from it")
    if not len(content) and content is not recording:
        raise ValueError("the file given is empty, or was read to its end: call seek(0) first")
    if isinstance(recording, bytes) and _is_path(recording):
        raise ValueError(
            f"the bytes given are a path, {shortened(repr(recording))}: bytes are the content of a recording; pass a str for a path")
    # The command recognises formats by the content, but asks ffmpeg for none whose name is not that of a medium.
    with tempfile.NamedTemporaryFile(prefix="veery-", suffix=".m4a") as file:
        file.write(content)
        file.flush()
        yield file.name


def _is_path(content: bytes) -> bool:
    """Whether bytes are the path of a file, or look like one: recordings have bytes that are no text."""
    if len(content) > 4096 or any(byte < 0x20 for byte in content):
        return False
    return re.search(rb"[^ .]\.\w{1,8}$", content) is not None or os.path.isfile(content)


def _is_open_file(value: object) -> bool:
    return not isinstance(value, (type, os.PathLike)) and callable(getattr(value, "read", None))
