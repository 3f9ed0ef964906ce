"""The progress of `extract`: events of the command, and the line that shows them."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, fields
from typing import Callable, Optional, TextIO, Union

from ._errors import described


@dataclass(frozen=True)
class Progress:
    """How far `extract` is: about once a second, and once at the end.

    phase:            `preparing`, `extracting`, `assembling` or `finished`.
    done:             clips that are done in this phase, failed ones included.
    total:            clips of the manifest; 0 while it is read, and until the end of a stream.
    failed:           clips that have failed.
    resumed:          clips among `done` that an interrupted run had done.
    audio_seconds:    audio read, by an interrupted run too, in s.
    elapsed_seconds:  time since the start of the run, in s.
    seconds_left:     estimate of the time until all clips are read, in s; None: there is none.
    """

    phase: str
    done: int
    total: int
    failed: int
    resumed: int
    audio_seconds: float
    elapsed_seconds: float
    seconds_left: Optional[float] = None

    @staticmethod
    def parse(line: str) -> Optional[Progress]:
        """The event of a line; None: the line is a message."""
        if not line.startswith("{"):
            return None
        try:
            values = json.loads(line)
            return Progress(**{field.name: values[field.name] for field in fields(Progress) if field.name in values})
        except (ValueError, TypeError):
            return None

    def __str__(self) -> str:
        if self.phase == "finished" and not self.done:
            return "finished: nothing was left to do"
        count = f"{self.done:,} of {self.total:,} clips" if self.total else f"{self.done:,} clips"
        parts = [f"{self.phase}: {count}"]
        if self.failed:
            parts.append(f"{self.failed:,} failed")
        if self.phase == "extracting" and self.seconds_left is not None:
            parts.append(f"{duration(self.seconds_left)} left")
        elif self.phase == "finished":
            parts.append(f"{duration(self.audio_seconds)} of audio in {duration(self.elapsed_seconds)}")
        return ", ".join(parts)


ProgressOption = Union[None, bool, Callable[[Progress], object]]
"""True: one line; a function: called with each event; None or False: nothing."""


def duration(seconds: float) -> str:
    """A time in words, such as 7 min 02 s."""
    if seconds < 60:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"


class Line:
    """A line that each event overwrites, in a terminal or notebook; elsewhere, a line after each phase."""

    def __init__(self, stream: Optional[TextIO] = None) -> None:
        self._stream = stream if stream is not None else sys.stderr
        # A notebook is not a terminal, but handles carriage returns.
        self._overwrites = self._stream.isatty() or "ipykernel" in sys.modules
        self._width = 0
        self._last: Optional[Progress] = None

    def __call__(self, event: Progress) -> None:
        if self._overwrites:
            text = str(event)
            self._stream.write("\r" + text.ljust(self._width) + ("\n" if event.phase == "finished" else ""))
            self._width = 0 if event.phase == "finished" else len(text)
        elif event.phase == "finished" or self._last is not None and event.phase != self._last.phase:
            self._stream.write(f"{event}\n")
        self._last = event
        self._stream.flush()

    def end(self) -> None:
        """Ends the line of a run that did not finish."""
        if self._width:
            self._stream.write("\n")
            self._stream.flush()
            self._width = 0


def display(option: ProgressOption) -> Optional[Callable[[Progress], object]]:
    """What is called with each event; None: nothing."""
    if option is True:
        return Line()
    if option is None or option is False:
        return None
    if not callable(option):
        raise TypeError(f"progress: expected True, or a function that takes an event, found {described(option)}")
    return option
