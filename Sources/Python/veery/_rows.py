"""Rows of a manifest in memory, as the lines of JSON that the command reads."""

from __future__ import annotations

import datetime
import enum
import json
import math
import os
import tempfile
from contextlib import contextmanager
from typing import IO, Any, Iterable, Iterator, Mapping, NoReturn, Optional

import numpy as np

from ._arguments import Path
from ._errors import described, of_numpy

SECONDS = ("start", "end", "duration")
SINGLE = ("path", "id", "label", "split", "channel", *SECONDS)
"""Columns with one value. All but `labels` are such, and the others are the manifest's own."""


class Row(dict[str, Any]):
    """A row of a manifest that remembers the folder that its path starts from."""

    def __init__(self, cells: Mapping[str, Any], root: str) -> None:
        super().__init__(cells)
        self.root = root


@contextmanager
def rows_as_file(manifest: Any, root: Optional[Path] = None) -> Iterator[tuple[IO[bytes], Optional[Path]]]:
    """Rows as JSON Lines, to be read as standard input; and the folder that their paths start from: `root`, or the one that all of
    them remember."""
    with tempfile.TemporaryFile() as file:
        number = 0
        # Those of relative paths, and those of absolute ones, which start from none; None: the current folder.
        roots: tuple[set[Optional[str]], set[Optional[str]]] = set(), set()
        for number, row in enumerate(rows_of(manifest), 1):
            file.write(line_of(row, number))
            roots[is_absolute(row.get("path"))].add(row.root if isinstance(row, Row) else None)
        if not number:
            raise ValueError("manifest: expected rows, a mapping for every clip, found none")
        # A folder has several names if links lead to it.
        folders = {os.path.realpath(start or os.curdir): start for start in roots[False] or roots[True]}
        if root is None and len(folders) > 1 and roots[False]:
            raise ValueError("manifest: the paths of its rows start from different folders, as rows of several calls of crawl do: make "
                             "them start from one, and pass it as root=FOLDER")
        file.seek(0)
        yield file, next(iter(folders.values())) if root is None and len(folders) == 1 else root


def is_absolute(path: Any) -> bool:
    """Whether a cell is an absolute path."""
    return isinstance(path, (str, bytes, os.PathLike)) and os.path.isabs(os.fspath(path))


def rows_of(manifest: Any) -> Iterable[Any]:
    """The rows of a table of pandas, polars or Arrow, or of anything that has rows one after another."""
    if isinstance(manifest, Mapping):
        return rows_of_columns(manifest)
    for name in ("to_pylist", "to_dicts"):  # of Arrow, of polars
        if hasattr(manifest, name):
            rows: Iterable[Any] = getattr(manifest, name)()
            return rows
    if hasattr(manifest, "to_dict") and hasattr(manifest, "columns"):  # of pandas
        if not manifest.columns.is_unique:
            twice = manifest.columns[manifest.columns.duplicated()][0]
            raise ValueError(f"manifest: two columns of the table have the name {twice!r}; rename one")
        rows = manifest.to_dict("records")
        return rows
    if not isinstance(manifest, Iterable):
        raise TypeError(
            f"manifest: expected a path, or rows, a mapping for every clip, found {described(manifest)}")
    return manifest


def rows_of_columns(columns: Mapping[Any, Any]) -> list[dict[Any, Any]]:
    """The rows of a mapping of columns, each a list of its values."""
    texts = [name for name, values in columns.items() if not is_column(values)]
    if texts and len(texts) == len(columns):
        raise TypeError(
            "manifest: expected rows, a mapping for every clip, found a single mapping. Pass [row] for one clip, or a mapping of "
            "columns, each a list")
    if texts:
        raise TypeError(f"manifest: column {texts[0]!r}: expected a list of values, as of the other columns, found "
                        f"{described(columns[texts[0]])}")
    lists = {name: list(values) for name, values in columns.items()}
    if len({len(values) for values in lists.values()}) > 1:
        found = ", ".join(f"{name!r} {len(values)}" for name, values in lists.items())
        raise ValueError(f"manifest: expected columns of one length, found {found}")
    return [dict(zip(lists, values)) for values in zip(*lists.values())]


def is_column(values: Any) -> bool:
    """Whether a value is a list of values: a set has no order in which its values could be those of rows."""
    return isinstance(values, Iterable) and not isinstance(values, (str, bytes, os.PathLike, Mapping, set, frozenset)) \
        and getattr(values, "ndim", 1) > 0


def line_of(row: Any, number: int) -> bytes:
    """A row as a line of JSON, without its empty cells."""
    if not isinstance(row, Mapping):
        hint = '. For recordings, pass [{"path": path} for path in paths]; a manifest or a folder is passed by itself'
        raise TypeError(
            f'manifest: row {number}: expected a mapping such as {{"path": "a.wav"}}, found {described(row)}'
            + (hint if isinstance(row, (str, bytes, os.PathLike)) else ""))
    cells: dict[str, Any] = {}
    for name, value in row.items():
        if not isinstance(name, str):
            name = name_of(name, number)
        if name in cells:
            raise ValueError(f"manifest: row {number}: two columns have the name {name!r}")
        value = value if type(value) is str else Cell(number, name).plain(value)
        if value is not None:
            cells[name] = value
    try:
        line = json.dumps(cells, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        refuse_surrogates(cells, number)
        raise
    if b"\\u0000" in line:
        for name, value in cells.items():
            if any("\0" in text for text in (name, *texts_in(value))):
                Cell(number, name).refuse(ValueError, "it holds a NUL character (\\0); remove it")
    return line + b"\n"


def refuse_surrogates(cells: dict[str, Any], number: int) -> None:
    """Raises a ValueError that names the cell with a text that is not Unicode text."""
    for name, value in cells.items():
        for text in (name, *texts_in(value)):
            if any("\ud800" <= letter <= "\udfff" for letter in text):
                Cell(number, name).refuse(
                    ValueError, f"{described(text)} is no Unicode text: it is the name of a file that is not UTF-8, or holds "
                    "half a surrogate pair. Rename the file, or replace the text")


def texts_in(value: Any) -> Iterator[str]:
    """All texts of a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, entry in value.items():
            yield name
            yield from texts_in(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from texts_in(entry)


def name_of(name: Any, number: int) -> str:
    """The name of a column that is not text: a table of pandas may number its columns."""
    if isinstance(name, (int, np.integer)):
        return str(name)
    raise TypeError(f"manifest: row {number}: expected texts as names of columns, found {described(name)}")


class Cell:
    """One cell, which errors name."""

    def __init__(self, row: int, column: str) -> None:
        self.row, self.column = row, column

    def plain(self, value: Any) -> Any:
        """Its value as one of JSON; None: it is empty, as NaN and NaT of pandas and masked values of NumPy are, too."""
        if value is np.ma.masked:
            return None
        if value is None or isinstance(value, (str, bool, int)):
            return value.value if isinstance(value, enum.Enum) else value
        if isinstance(value, (np.datetime64, np.timedelta64)):
            return None if np.isnat(value) else self.time(value)
        if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
            return self.plain(of_numpy(value))
        if isinstance(value, float):
            return self.number(value)
        if isinstance(value, enum.Enum):
            return self.plain(value.value)
        if isinstance(value, os.PathLike):
            return self.plain(os.fspath(value))
        if isinstance(value, (bytes, bytearray, memoryview)):
            return self.text(bytes(value))
        if isinstance(value, Mapping):
            return self.mapping(value)
        if hasattr(value, "tolist"):
            value = value.tolist()  # an array of NumPy, as Parquet's lists are read, or a column of pandas
        if isinstance(value, (set, frozenset)):
            value = sorted(value, key=str)
        if isinstance(value, (list, tuple, range)):
            return self.several(value)
        return self.other(value)

    def number(self, value: float) -> Any:
        if math.isfinite(value):
            return value
        if math.isnan(value):
            return None
        if self.column in (*SECONDS, "channel"):
            self.refuse(ValueError, f"expected a finite number, found {value}"
                        + ("; leave it out for a clip that lasts to the end" if self.column in ("end", "duration") else ""))
        return str(value)  # JSON has no infinity

    def text(self, value: bytes) -> str:
        if self.column == "path":
            return os.fsdecode(value)
        try:
            return value.decode()
        except UnicodeDecodeError:
            self.refuse(ValueError, f"expected a text, found {len(value)} bytes that are not UTF-8; decode them, or leave out "
                        "the column")

    def mapping(self, value: Mapping[Any, Any]) -> dict[str, Any]:
        if self.column in (*SINGLE, "labels"):
            self.refuse(TypeError, f"expected a text or a number, found {described(value)}; take one of its values")
        entries: dict[str, Any] = {}
        for name, entry in value.items():
            if str(name) in entries:
                self.refuse(ValueError, f"two keys of a dict have the name {str(name)!r}; rename one")
            entries[str(name)] = self.plain(entry)
        return entries

    def several(self, value: Iterable[Any]) -> list[Any]:
        if self.column in SINGLE:
            self.refuse(TypeError, f"expected a text or a number, found {described(value)}; take one of its values"
                        + (", or put all into the column 'labels'" if self.column == "label" else ""))
        return [self.plain(entry) for entry in value]

    def time(self, value: Any) -> Any:
        """A point in time as its text; a duration in s, where the column is one."""
        if self.column in SECONDS and isinstance(value, datetime.timedelta):
            return value.total_seconds()
        if self.column in SECONDS and isinstance(value, np.timedelta64):
            return float(value / np.timedelta64(1, "s"))
        if self.column in SECONDS:
            self.refuse(TypeError, f"expected a number of seconds, found {described(value)}; count from the start of the recording")
        return str(value)

    def other(self, value: Any) -> Any:
        try:
            if value != value:
                return None  # NaT of pandas
        except (TypeError, ValueError):
            return None if type(value).__name__ == "NAType" else self.refuse_kind(value)
        if isinstance(value, (datetime.date, datetime.time, datetime.timedelta)):
            return self.time(value)
        shown = {name for kind in type(value).__mro__[:-1] for name in vars(kind)}
        is_nameless = "__str__" not in shown and "__repr__" not in shown
        if is_nameless or callable(value) or isinstance(value, Iterator) or hasattr(value, "__array__"):
            self.refuse_kind(value)
        return str(value)

    def refuse_kind(self, value: Any) -> NoReturn:
        self.refuse(
            TypeError, "expected a text, a number, True, False, None, a date, bytes of UTF-8, or a list or mapping of these, "
            f"found {described(value)}")

    def refuse(self, error: type[Exception], text: str) -> NoReturn:
        raise error(f"manifest: row {self.row}, column {self.column!r}: {text}")
