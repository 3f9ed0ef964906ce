"""The commands crawl, split and check as functions, over manifests in files or in memory."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import IO, Any, Iterable, Iterator, Mapping, Optional, Union, cast

from ._arguments import Path, options, positional, positionals, refuse_unknown, word
from ._errors import described
from ._process import CommandError, parsed, run
from ._progress import ProgressOption, display
from ._rows import Row, rows_as_file

Manifest = Union[Path, Iterable[Mapping[str, Any]], Mapping[str, Iterable[Any]]]


def crawl(
    folders: Union[Path, Iterable[Path]], *, dataset: Optional[str] = None, quoting: Optional[str] = None,
    label_from: Optional[str] = None, label_level: Optional[int] = None,
    include: Union[str, Iterable[str], None] = None, exclude: Union[str, Iterable[str], None] = None,
    strict: bool = False, no_archives: bool = False, no_ffmpeg: bool = False, **unknown: Any,
) -> list[Row]:
    """The recordings below a folder or in an archive, by the command `veery crawl`.

        rows = veery.crawl("speech", label_from="^(?<label>[^/]+)/(?<speaker>[^/]+)/")
        veery.extract(rows, "speech.h5")

    folders:     a folder, an archive, or several.
    label_from:  a regular expression for the path, with named groups: `label`, and others, which become columns.

    The other options are those of `veery crawl --help`, with `_` for `-`, but for `--output`, `--output-format`, `--format`,
    `--overwrite`, `--json` and `--quiet`: no manifest is written.

    Returns the rows of a manifest, each with `path`, `id`, `label` and further columns. Paths are relative to the
    folder, to that of the archive, or, with several folders, to the current one, from where they may go up (`../`). The rows
    remember it (`row.root`), so the other functions need no `root`; a copy such as `{**row}` does not.
    """
    values = {name: value for name, value in locals().items() if name not in ("folders", "unknown")}
    refuse_unknown("crawl", [*values, "folders"], unknown)
    given = positionals(folders, "folders")
    arguments = ["crawl", *given, *AS_ROWS, *options(values, crawl)]
    root = os.getcwd()
    if len(given) == 1:
        root = os.path.abspath(given[0])
        root = root if os.path.isdir(root) else os.path.dirname(root)
    return [Row(row, root) for row in _rows(run(crawl, arguments)[1])]


def split(
    manifest: Manifest, *, ratio: Union[Mapping[str, float], str, None] = None, folds: Optional[int] = None,
    list: Optional[Mapping[str, Path]] = None, rest: Optional[str] = None, by: Optional[str] = None,
    stratify: bool = False, seed: Optional[int] = None, keep: bool = False, format: Optional[str] = None,
    quoting: Optional[str] = None, column: Optional[Mapping[str, str]] = None, label_separator: Optional[str] = None,
    one_hot: Union[str, Iterable[str], None] = None, extension: Optional[str] = None, root: Optional[Path] = None,
    time_unit: Optional[str] = None, corrections: Optional[Path] = None, strict: bool = False, **unknown: Any,
) -> list[dict[str, Any]]:
    """Gives every clip of a manifest a split, by the command `veery split`.

        rows = veery.split(rows, ratio={"train": 0.8, "test": 0.2}, by="speaker")

    manifest:  as for `extract`: a path, or rows.
    ratio:     the splits and their shares of the groups.
    by:        what keeps clips together: `recording`, `clip`, `folder`, or a column; None: `recording`. The split of a recording depends
               on its path from the current folder, without `../`, as of a manifest that is written there.
    list:      the splits and files that list their clips.

    The other options are those of `veery split --help`, with `_` for `-`, but for `--output`, `--output-format`, `--overwrite`,
    `--json` and `--quiet`: no manifest is written.

    Returns the rows with the column `split`; paths are those of the manifest, and the rows remember their folder as those of
    `crawl` do.
    """
    values = {name: value for name, value in locals().items() if name not in ("manifest", "ratio", "unknown")}
    refuse_unknown("split", [*values, "manifest", "ratio"], unknown)
    shares = ratio
    if isinstance(ratio, Mapping):
        shares = ",".join(f"{word(name, 'ratio')}={word(share, 'ratio')}" for name, share in ratio.items())
    with opened(manifest, values) as (source, stdin):
        arguments = ["split", source, *AS_ROWS, *options({**values, "ratio": shares}, split)]
        start = values["root"]
        if start is None and stdin is None:
            path = os.path.abspath(os.fsdecode(cast(Path, manifest)))
            start = path if os.path.isdir(path) else os.path.dirname(path)
            # The paths of some formats start from another folder than the table's: the command changes them.
            arguments.append(f"--paths-from={start}")
        rows = _rows(run(split, arguments, stdin=stdin)[1])
    return rows if start is None else [Row(row, os.path.abspath(os.fsdecode(start))) for row in rows]


def check(
    manifest: Manifest, *, deep: bool = False, features: Optional[Path] = None, by: Optional[str] = None, mend: Optional[Path] = None,
    html: Optional[Path] = None, overwrite: bool = False, jobs: Optional[int] = None, progress: ProgressOption = None,
    truncated: Optional[str] = None, no_ffmpeg: bool = False, format: Optional[str] = None,
    quoting: Optional[str] = None, column: Optional[Mapping[str, str]] = None, label_separator: Optional[str] = None,
    one_hot: Union[str, Iterable[str], None] = None, extension: Optional[str] = None, root: Optional[Path] = None,
    time_unit: Optional[str] = None, corrections: Optional[Path] = None, overshoot: Optional[float] = None, strict: bool = False,
    **unknown: Any,
) -> dict[str, Any]:
    """Finds the problems of a dataset before a run, by the command `veery check`.

        for problem in veery.check(rows, root="speech", deep=True)["kinds"]:
            print(problem["severity"], problem["clips"], problem["meaning"])

    manifest:  as for `extract`: a path, or rows.
    deep:      whether to decode all recordings; otherwise their headers are read.
    features:  a feature file of these clips, for labels that may be wrong.
    by:        a column whose values must not be in several splits; None: `speaker`, if there is one.
    progress:  as for `extract`.

    The other options are those of `veery check --help`, with `_` for `-`, but for `--json`, which is always given.

    Returns the report, as `veery check --json` prints it (Schemas/check-report.schema.json). Problems of the dataset do not
    raise an exception.
    """
    values = {name: value for name, value in locals().items() if name not in ("manifest", "progress", "unknown")}
    refuse_unknown("check", [*values, "manifest", "progress"], unknown)
    events = display(progress)
    with opened(manifest, values) as (source, stdin):
        arguments = ["check", source, "--json", "--progress=json", *options(values, check)]
        status, text, _ = run(check, arguments, events=events, stdin=stdin, allowed=(0, 3))
    return parsed(text, status, arguments)


AS_ROWS = ["--output=-", "--output-format=jsonl"]
"""Options that print a manifest as rows."""


@contextmanager
def opened(manifest: Manifest, values: dict[str, Any]) -> Iterator[tuple[str, Optional[IO[bytes]]]]:
    """A manifest as an argument of the command, and its standard input. Rows are passed as JSON Lines, and set the options `format`
    and `root`, if they remember theirs."""
    if isinstance(manifest, (str, bytes, os.PathLike)):
        yield positional(manifest, "manifest"), None
        return
    format = values["format"]
    if format is not None and not (isinstance(format, str) and format == "jsonl"):
        raise ValueError(f"format: rows are passed as jsonl, found {described(format)}")
    with rows_as_file(manifest, values["root"]) as (file, values["root"]):
        values["format"] = "jsonl"
        yield "-", file


def _rows(text: str) -> list[dict[str, Any]]:
    try:
        return [dict(json.loads(line)) for line in text.split("\n") if line]
    except ValueError as error:
        raise CommandError(0, "veery printed no manifest", text, []) from error
