"""The part of its recording that a clip is: where it is, its samples, and how it sounds."""

from __future__ import annotations

import html
import math
import os
from pathlib import Path
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._errors import FeatureFileError, flag
from ._process import CommandError
from ._program import ProgramNotFoundError
from ._protocols import ClipLike
from ._sound import decoded, player

PLAYED_SECONDS, PLAYED_BYTES = 10.0, 200_000
"""What is played in a notebook, at most."""
PLAYED_RATE = 22_050
"""The highest rate of what is played, in Hz."""
DECODED_SECONDS = 300.0
"""The longest clip that is played: all of it is decoded, to compare it with its checksum."""
PATIENCE = 3.0
"""Seconds that this may take."""


def recording(clip: ClipLike) -> Path:
    """The path of a clip's recording."""
    path, root = Path(clip.path), clip._core.root
    if path.is_absolute():
        return path
    if root is None:
        raise FeatureFileError(
            f"{clip._core.path}: the file does not say where its recordings are: give the folder that {clip.path!r} starts "
            "from, as in veery.open(path, root=folder)")
    return root / path


def samples(clip: ClipLike, verify: bool) -> tuple[npt.NDArray[np.float32], int]:
    """A clip's samples, as features are computed of them."""
    path = existing(clip)
    return read(clip, path, verify=flag("verify", verify), sample_rate=clip._core.configuration["audio"]["sample_rate"])


def existing(clip: ClipLike) -> Path:
    """The path of a recording that is there; it may be in an archive."""
    path = recording(clip)
    archive, separator, _ = str(path).partition("::")
    if not path.exists() and not (separator and os.path.exists(archive)):
        raise FileNotFoundError(
            f"{path}: there is no such recording; if the recordings were moved, give their folder, as in "
            "veery.open(path, root=folder)")
    return path


def read(
    clip: ClipLike, path: Path, *, verify: bool, sample_rate: Optional[int], timeout: Optional[float] = None,
    channels: Any = None,
) -> tuple[npt.NDArray[np.float32], int]:
    """Decodes a clip's part of a recording; the channels are those of the features unless others are given."""
    core, index = clip._core, clip.index
    rate, channel = clip.sample_rate, clip.channel
    if channels is None:
        # A recording of one channel may stand for any channel that the manifest names.
        one = channel is not None and clip.channels > 1
        channels = channel if one else core.configuration["audio"]["channels"]
    first = math.floor(clip.start * rate)
    first += clip.start * rate - first >= 0.5
    last = first + round(clip.duration * rate)
    values = {
        "sample_rate": sample_rate, "channels": channels,
        "resampler": None if sample_rate is None else core.configuration["audio"].get("resampler"),
        "start": first / rate if first else None, "end": last / rate,
        "truncated": "keep" if clip.truncated else None}
    if "zeroed_samples" in core.table.names and core.table["zeroed_samples"][index] > 0:
        values["non_finite"] = "zero"
    checksum = core.table.text("audio_xxh3", index) if verify else None
    try:
        return decoded(path, values, checksum=checksum, timeout=timeout, level=0)
    except CommandError as error:
        if checksum is None or "with the checksum" not in error.message:
            raise
        raise CommandError(
            error.status, f"{error.message}; verify=False reads it nevertheless", error.output, error.command) from None


def clip_player(clip: ClipLike) -> str:
    """A clip's sound as HTML, from the first seconds of it; empty where there is no recording, or it cannot be read in time."""
    if clip.duration > DECODED_SECONDS:
        return ""
    rate = min(int(clip._core.configuration["audio"]["sample_rate"] or clip.sample_rate), PLAYED_RATE)
    try:
        sound, rate = read(clip, existing(clip), verify=True, sample_rate=rate, timeout=PATIENCE, channels=mono(clip))
    except CommandError as error:
        return note("its recording has changed since: not played") if "with the checksum" in error.message else ""
    except (OSError, ValueError, ProgramNotFoundError):
        return ""
    count = int(min(PLAYED_SECONDS * rate, PLAYED_BYTES // 2))
    cut = note(f"the first {count / rate:.3g} s of {len(sound) / rate:.4g} s") if len(sound) > count else ""
    return f"<div>{player(sound[:count], rate)}{cut}</div>"


def mono(clip: ClipLike) -> Any:
    """The channel that is played; None: that of the features."""
    return "mix" if clip.channel is None and clip._core.configuration["audio"]["channels"] == "all" else None


def note(text: str) -> str:
    return f'<div style="font-size:85%;opacity:.75">{html.escape(text)}</div>'
