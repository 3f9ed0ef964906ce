"""The commands extract, inspect and render as functions."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack
from typing import Any, Iterable, Mapping, Optional, Union

from ._arguments import (
    Path, assignments, json_of, options, path_of, positional, positionals, refuse_unknown)
from ._manifests import Manifest, opened
from ._process import ClipsFailedError, CommandError, parsed, run
from ._progress import ProgressOption, display
from .features import open as open_file

Configuration = Union[Path, Mapping[str, Any], None]
Texts = Union[Path, Iterable[Path], None]


def extract(
    manifest: Manifest, output: Path, *, preset: Optional[Path] = None, config: Configuration = None,
    settings: Optional[Mapping[str, Any]] = None, jobs: Optional[int] = None, progress: ProgressOption = None,
    max_failures: Union[int, str, None] = None, overwrite: bool = False, dry_run: bool = False,
    format: Optional[str] = None, quoting: Optional[str] = None, column: Optional[Mapping[str, str]] = None,
    label_separator: Optional[str] = None, one_hot: Union[str, Iterable[str], None] = None, extension: Optional[str] = None,
    root: Optional[Path] = None, tar: bool = False, shard: Optional[str] = None, files: Optional[int] = None, file: Optional[str] = None,
    allow_mixed: bool = False, append: bool = False, sync: bool = False,
    retry_failed: bool = False, new_statistics: bool = False, frame_labels: Texts = None,
    label_column: Optional[str] = None, path_column: Optional[str] = None, label: Optional[str] = None,
    annotator: Optional[str] = None, channel: Optional[str] = None, tier: Optional[str] = None,
    time_unit: Optional[str] = None, corrections: Optional[Path] = None, overshoot: Optional[float] = None,
    truncated: Optional[str] = None, non_finite: Optional[str] = None, no_ffmpeg: bool = False, fresh: bool = False, verify_inputs: bool = False,
    keep_missing: bool = False, scratch: Optional[Path] = None, stats_from: Optional[Path] = None,
    failures_out: Optional[Path] = None, strict: bool = False, **unknown: Any,
) -> dict[str, Any]:
    """Computes the features of every clip in a manifest into one HDF5 file, by the command `veery extract`.

        veery.extract("speech.csv", "speech.h5", preset="kaldi-fbank", settings={"transform.bins": 40}, progress=True)

    manifest:  path of a manifest, of a dataset in another format, of a folder of recordings or of a recording; or rows, each a mapping
               with the key `path` and optionally `id`, `label`, `labels`, `split`, `start`, `end`, `duration`, `channel` and
               others, or a table of pandas, polars, Arrow or Hugging Face, or a mapping of columns, each a list. Relative paths of rows start from `root`, or
               from the current folder.
    output:    the feature file to write.
    preset:    a configuration by name, or a model's own file, such as preprocessor_config.json, or the folder that it is in; None:
               `log-mel`.
    config:    a configuration as a file of YAML or JSON, or as a dictionary of sections.
    settings:  single values of the configuration: {"frame.hop": 160, "scale.kind": "db", "store": {"type": "float16"}}.
    jobs:      number of threads; None: one for each processor, and more while they wait for a slow disk.
    progress:  True: shows one line. A function: is called with each `Progress`, about once a second.
    max_failures:  clips that may fail: a number, or a share such as "1%".
    overwrite:     replaces an existing output, once the new one is complete.
    dry_run:       changes nothing; the report says what would be done.
    files:         writes so many files and their index instead of one; `output` of the report is the index, which
                   `veery.open` opens as one file.
    corrections:   a file of corrections of labels, which leaves out the clips that it excludes.
    shard, file:   a part of the manifest such as "3/16", and a file of the set such as "3/8": for many machines. The report
                   is that of the part. `max_failures` and `failures_out` are for all clips, and refused with them.

    The other options are those of `veery extract --help`, with `_` for `-`, but for `--json` and `--quiet`; `column` is a mapping.

    Returns the report, as `veery extract --json` prints it (Schemas/extraction-report.schema.json): `clips`,
    `failures`, `rows`, `bins`, `bytes`, … An output that is up to date is left as it is.

    Raises ClipsFailedError if the file is written, but more clips failed than `max_failures`, TypeError or ValueError for
    an argument or a cell of the rows that cannot be passed on, and CommandError for everything else. Ctrl-C is passed on to the command: finished clips are kept, and the same call resumes the run.
    """
    values = {name: value for name, value in locals().items() if name not in GIVEN}
    refuse_unknown("extract", [*values, *GIVEN], unknown)
    events = display(progress)
    with ExitStack() as stack:
        source, stdin = stack.enter_context(opened(manifest, values))
        arguments = [
            # Events are requested even if they are not used: if this process is killed, the command ends as soon as
            # it writes one.
            "extract", source, f"--output={path_of(output, 'output')}", "--json", "--progress=json",
            *options({**values, "preset": preset, "config": stack.enter_context(ConfigurationPath(config))}, extract),
            *assignments(settings)]
        status, text, printed = run(extract, arguments, events=events, stdin=stdin, allowed=(0, 3))
    report = parsed(text, status, arguments)
    if status == 3:
        # With `files`, the index is what can be opened.
        raise _failed(report, report["output"], printed, arguments)
    return report


GIVEN = {"manifest", "output", "preset", "config", "settings", "progress", "unknown"}
"""Arguments of `extract` that are not options of the command by the same name and value."""


def inspect(
    path: Path, *, verify: bool = False, suspicious: bool = False, leave_out: Optional[str] = None, html: Optional[Path] = None,
    plots: Optional[Path] = None, root: Optional[Path] = None, jobs: Optional[int] = None,
) -> dict[str, Any]:
    """Summary of a feature file, as `veery inspect --json` prints it (Schemas/inspect.schema.json).

    verify:  reads every value and compares it with the checksums. The result is that of the check instead: `sound`,
             True or False, and `findings`.
    suspicious:  ranks the clips that may be wrong. The result is `file` and `suspicion`; `FeatureFile.suspicious` makes a list of it.
    leave_out:   for `suspicious`, what must not vouch for a clip: `recording`, `clip` or a column.
    html:    also writes the report as a page.
    plots:   also writes its figures into a folder.
    root:    the folder that the recordings' paths are relative to, for `html` and `suspicious`.
    jobs:    number of threads; all processors unless given. The result does not depend on it.

    Raises CommandError if the file is not a feature file, or is damaged.
    """
    file = positional(path, "path")
    if html is not None or plots is not None:
        run(inspect, ["inspect", file, *options({"html": html, "plots": plots, "root": root, "jobs": jobs}, inspect)])
    chosen = {"verify": verify, "suspicious": suspicious, "leave_out": leave_out, "root": root if suspicious else None, "jobs": jobs}
    arguments = ["inspect", file, "--json", *options(chosen, inspect)]
    status, text, printed = run(inspect, arguments, allowed=(0, 1) if verify else (0,))
    if status and not text.strip():
        raise CommandError(status, printed.partition("Error: ")[2].strip() or printed.strip(), printed, arguments)
    return parsed(text, status, arguments)


def render(
    inputs: Texts, output: Path, *, clip: Union[str, Iterable[str], None] = None, preset: Optional[Path] = None,
    config: Configuration = None, settings: Optional[Mapping[str, Any]] = None, start: Optional[float] = None,
    end: Optional[float] = None, channel: Optional[int] = None, truncated: Optional[str] = None,
    non_finite: Optional[str] = None, no_ffmpeg: bool = False, axis: Optional[str] = None,
    mel_scale: Optional[str] = None, tuning: Optional[float] = None, band: Optional[str] = None,
    time: Optional[str] = None, begins: Optional[str] = None, waveform: bool = False,
    annotations: Optional[Path] = None, quoting: Optional[str] = None, label_column: Optional[str] = None,
    path_column: Optional[str] = None, label: Optional[str] = None, annotator: Optional[str] = None, tier: Optional[str] = None,
    annotations_as: Optional[str] = None, root: Optional[Path] = None, across: Optional[int] = None, plain: bool = False, columns: Optional[int] = None, sheet: bool = False,
    per_label: Optional[int] = None, choose: Optional[str] = None, seed: Optional[int] = None,
    labels: Union[str, Iterable[str], None] = None, split: Optional[str] = None, seconds: Optional[float] = None,
    no_average: bool = False, list_: bool = False, colors: Optional[str] = None,
    range: Optional[tuple[float, float]] = None, percentiles: Optional[tuple[float, float]] = None,
    below_peak: Optional[float] = None, theme: Optional[str] = None, width: Optional[int] = None,
    height: Optional[int] = None, dpi: Optional[float] = None, font_size: Optional[float] = None,
    filter_bank: Union[str, Path, None] = None, sample_rate: Optional[float] = None, **unknown: Any,
) -> str:
    """Draws clips of a feature file, recordings, or a filter bank as PNG, SVG or PDF, by the command `veery render`.

        veery.render("speech.h5", "seven.png", clip="english/digits/7", axis="mel")
        veery.render("song.wav", "song.svg", waveform=True)
        veery.render([], "bank.png", filter_bank="parakeet")

    inputs:       a feature file, or one recording or several; none for a filter bank.
    output:       the picture; its extension chooses the format.
    clip:         ids of clips in the feature file.
    filter_bank:  a preset or a configuration file whose bands and window are drawn.
    sample_rate:  the rate in Hz of a filter bank whose configuration has none.

    The other options are those of `veery render --help`, with `_` for `-`, but for `--json`; `list_` is `--list`; `range` and
    `percentiles` are pairs of numbers.

    Returns what the command prints on standard output: with `list_` the chosen clips, otherwise nothing.
    Raises CommandError.
    """
    given = {"inputs", "output", "config", "settings", "unknown"}
    values = {name: value for name, value in locals().items() if name not in (*given, "given")}
    refuse_unknown("render", [*values, "config", "settings"], unknown)
    paths = [] if inputs is None else positionals(inputs, "inputs")
    with ConfigurationPath(config) as path:
        return run(render, [
            "render", *paths, f"--output={path_of(output, 'output')}", *options({**values, "config": path}, render),
            *assignments(settings)])[1]


class ConfigurationPath:
    """The path of a configuration; a dictionary is written to a temporary file."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None

    def __enter__(self) -> Optional[str]:
        if self._configuration is None:
            return None
        if not isinstance(self._configuration, Mapping):
            return path_of(self._configuration, "config")
        text = json_of(self._configuration, "config")
        self._folder = tempfile.TemporaryDirectory()
        path = os.path.join(self._folder.name, "configuration.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def __exit__(self, *error: object) -> None:
        if self._folder is not None:
            self._folder.cleanup()


def _failed(report: dict[str, Any], output: str, printed: str, command: list[str]) -> ClipsFailedError:
    failures = open_file(output).failures
    first = failures[0] if failures else None
    message = f"{output} is written, but {len(failures):,} of {len(failures) + report['clips']:,} clips failed"
    if first is not None:
        message += f", such as {first.id!r}: {first.stage}: {first.reason}"
    error = ClipsFailedError(3, message, printed, command)
    error.report, error.failures = report, failures
    return error
