"""Runs the command, and turns its exit status into a value or an exception."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import warnings
from typing import IO, Any, Callable, Mapping, Optional, Sequence

from ._arguments import with_keywords
from ._core import Failure
from ._program import find_program
from ._progress import Line, Progress

KINDS = {1: "could not run", 3: "clips failed", 64: "wrong usage", 75: "the system failed: try again"}


class CommandError(RuntimeError):
    """The command ended with another status than 0.

    status:    1: an error in a file, such as a manifest or a configuration; 3: see `ClipsFailedError`; 64: wrong usage,
               presets and settings included; 75: a failure of the system, such as a full disk: the same call resumes;
               128 + n or -n: ended by signal n.
    message:   the error that the command printed.
    output:    everything that it printed on standard error.
    command:   its arguments.
    """

    def __init__(self, status: int, message: str, output: str, command: Sequence[str]) -> None:
        super().__init__(message)
        self.status, self.message, self.output, self.command = status, message, output, list(command)

    def __reduce__(self) -> tuple[type[CommandError], tuple[int, str, str, list[str]]]:
        return type(self), (self.status, self.message, self.output, self.command)


class RecordingNotFoundError(CommandError, FileNotFoundError):
    """There is no such recording."""

    def __new__(cls, *arguments: Any) -> RecordingNotFoundError:
        return FileNotFoundError.__new__(cls)


class CommandWarning(UserWarning):
    """A warning of the command, such as of a band above half the rate of the recordings, or what it left out of a dataset."""


class ClipsFailedError(CommandError):
    """The feature file is written, but more clips failed than `max_failures` allows (status 3).

    report:    what `extract` would have returned.
    failures:  the clips that failed, and why.
    """

    report: dict[str, Any] = {}
    failures: list[Failure] = []


def run(
    function: Callable[..., Any], arguments: Sequence[str], *, events: Optional[Callable[[Progress], object]] = None,
    stdin: Optional[IO[bytes]] = None, allowed: Sequence[int] = (0,),
) -> tuple[int, str, str]:
    """Runs `veery`; returns its status, standard output and standard error.

    function:  the function of this package that was called: messages name its arguments instead of options.
    events:    called with each event of `--progress json`.
    allowed:   statuses that are not an error.

    Warnings of the command become Python's, a CommandWarning each.

    A KeyboardInterrupt is passed on as one SIGINT: the command has a session of its own, so that Ctrl-C in a terminal
    does not reach it a second time, which would end it at once. It keeps finished clips and ends; then the
    KeyboardInterrupt continues. A second one kills the command: even then finished clips are kept.
    """
    command = [find_program(), *arguments]
    process = subprocess.Popen(
        command, stdin=stdin if stdin is not None else subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, encoding="utf-8", errors="replace", start_new_session=True)
    assert process.stdout is not None and process.stderr is not None
    output: list[str] = []
    reader = threading.Thread(target=_drain, args=(process.stdout, output), daemon=True)
    reader.start()
    lines: list[str] = []
    try:
        for line in process.stderr:
            event = Progress.parse(line)
            if event is None:
                lines.append(line)
            elif events is not None:
                events(event)
        status = process.wait()
    except BaseException:
        # Ctrl-C, or an exception in the caller's function.
        _interrupt(process)
        raise
    finally:
        if isinstance(events, Line):
            events.end()
        reader.join()
        process.stdout.close()
        process.stderr.close()
    text = with_keywords("".join(lines), function)
    if stdin is not None:
        text = text.replace("standard input", "the rows")
    _report(status, text, command, allowed, 3)
    return status, "".join(output), text


def output_of(
    function: Callable[..., Any], arguments: Sequence[str], *, timeout: Optional[float] = None, level: int = 2,
    names: Mapping[str, str] = {},
) -> bytearray:
    """Runs `veery`; returns the bytes that it writes to standard output.

    names:  what messages call paths that the caller has not given.

    Errors and warnings are those of `run`. If this is interrupted, or takes longer than `timeout` seconds (TimeoutError), the
    command and the programs that it started are killed, and waited for.
    """
    command = [find_program(), *arguments]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    assert process.stdout is not None and process.stderr is not None
    messages: list[bytes] = []
    reader = threading.Thread(target=_drain, args=(process.stderr, messages), daemon=True)
    reader.start()
    is_late = threading.Event()

    def stop() -> None:
        is_late.set()
        _kill(process)

    timer = None if timeout is None else threading.Timer(timeout, stop)
    output = bytearray()
    try:
        if timer is not None:
            timer.start()
        while piece := process.stdout.read1(1 << 20):  # type: ignore[attr-defined]
            output += piece
        status = process.wait()
    except BaseException:
        _kill(process)
        raise
    finally:
        if timer is not None:
            timer.cancel()
        process.wait()
        reader.join()
        process.stdout.close()
        process.stderr.close()
    if is_late.is_set():
        raise TimeoutError(f"veery {arguments[0]} took longer than {timeout} s")
    text = with_keywords(b"".join(messages).decode("utf-8", "replace"), function)
    for path, name in names.items():
        text = text.replace(path, name)
    _report(status, text, command, (0,), level + 1)
    return output


def _kill(process: subprocess.Popen[Any]) -> None:
    """Kills a command that has a session of its own, and what it started."""
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (AttributeError, OSError):
            process.kill()


def _report(status: int, text: str, command: Sequence[str], allowed: Sequence[int], level: int) -> None:
    """Raises a CommandError for another status than the allowed ones, and warns of what the command warned of."""
    if status not in allowed:
        raise CommandError(status, message(status, text), text, command)
    for warning in re.findall("^(?:warning: |(?=left out: |remark: ))(.*)$", text, re.MULTILINE):
        warnings.warn(warning, CommandWarning, stacklevel=level + 1)


def _drain(stream: IO[Any], output: list[Any]) -> None:
    try:
        output.append(stream.read())
    except ValueError:
        pass  # closed


def _interrupt(process: subprocess.Popen[str]) -> None:
    try:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            # Its output has to be read: a full pipe would block it.
            assert process.stderr is not None
            for _ in process.stderr:
                pass
            process.wait()
    except BaseException:
        process.kill()
        process.wait()
        raise


def message(status: int, text: str) -> str:
    """The error in the command's output, without the usage."""
    if status < 0 or status > 128:
        number = -status if status < 0 else status - 128
        try:
            name = signal.Signals(number).name
        except ValueError:
            name = f"signal {number}"
        return f"veery was stopped by {name}; clips that are finished are kept, and the same call resumes"
    error = re.search(r"^Error: (.*?)(?=^Usage: |\Z)", text, re.MULTILINE | re.DOTALL)
    if error:
        return error[1].strip()
    return text.strip() or f"veery: {KINDS.get(status, f'exit status {status}')}"


def parsed(text: str, status: int, command: Sequence[str]) -> dict[str, Any]:
    """A report in JSON."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise CommandError(status, "veery printed no report", text, command) from error
    return dict(value)
