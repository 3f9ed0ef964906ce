"""Samples of recordings, by the command `veery decode`: those that `veery extract` computes features of."""

from __future__ import annotations

import base64
import os
from typing import Any, Callable, Optional, Union

import numpy as np
import numpy.typing as npt

from ._arguments import options, positional, refuse_unknown
from ._memory import Recording, name_of, path_to
from ._process import CommandError, RecordingNotFoundError, output_of

Samples = npt.NDArray[np.float32]

HEADER = 44
"""Bytes before the first sample in what `veery decode` writes to a pipe."""


def load(
    path: Recording, sample_rate: Optional[int] = None, channels: Union[str, int] = "mix", start: Optional[float] = None,
    end: Optional[float] = None, *, truncated: Optional[str] = None, non_finite: Optional[str] = None,
    no_ffmpeg: bool = False, resampler: Optional[str] = None, **unknown: Any,
) -> tuple[Samples, int]:
    """Decodes a recording, or a part of it: the samples that `veery extract` computes features of, and their rate in Hz.

        samples, sample_rate = veery.load("song.mp3", sample_rate=16000)

    path:         a recording in any format that `extract` reads, also a member of an archive: "speech.tar::one.wav". Or the content
                  of one: bytes, or a file that is open for reading bytes, which is read from where it is to its end.
    sample_rate:  the rate to resample to, in Hz; None: the recording's own.
    channels:     "mix": the mean of all channels; "first" or a number from 0: one of them; "all".
    start, end:   of the part, in seconds; None: of the recording.
    truncated:    a recording that is cut off before the end of the part: "fail", or "keep" what can be read; None: "fail".
    non_finite:   samples that are infinite or NaN: "fail", or "zero": they become 0; None: "fail".
    resampler:    with a sample_rate, what resamples: "soxr-hq", "soxr-vhq", "soxr-mq", "torchaudio", "kaiser_best", "kaiser_fast",
                  "polyphase"; None: soxr-hq.
    no_ffmpeg:    does not use ffmpeg for what libsndfile cannot read (M4A, WMA, AMR, videos).

    The samples are float32, full scale ±1: [samples], or [channels, samples] with channels="all". `plan.features(*veery.load(path))`
    are the features of one channel.

    Each call starts the program, which takes about 25 ms. Content is in a temporary file meanwhile (`tempfile`, so TMPDIR says where). Raises CommandError if the recording cannot be read, with the message that
    `extract` has for it, and one that is a FileNotFoundError, too, if it is not there, TypeError or ValueError for an argument that cannot be passed on, and
    ProgramNotFoundError if the program is not installed. What "keep" and "zero" read is a CommandWarning.
    """
    values = dict(locals())
    refuse_unknown("load", values, values.pop("unknown"))
    return decoded(values.pop("path"), values)


def decoded(
    path: Recording, values: dict[str, Any], *, checksum: Optional[str] = None, timeout: Optional[float] = None, level: int = 2,
    plan: Optional[Callable[..., Any]] = None
) -> tuple[Samples, int]:
    """Samples by the options of `load`.

    checksum:  the XXH3-128 that the samples have to have before channels are chosen.
    timeout:   in seconds; after it, TimeoutError.
    level:     the stack level of warnings: 2 is the caller of the caller. 0: there are none.
    plan:      what makes the plan whose features need the samples: its settings chose the channels, and others are remarked.
    """
    given = options(values, load)
    if checksum is not None:
        given.append(f"--audio-xxh3={checksum}")
    if plan is not None:
        given.append("--remark-channels")
    if level == 0:
        given.append("--quiet")
    with path_to(path, "path") as file:
        try:
            written = output_of(
                plan or load, ["decode", positional(file, "path"), *given], timeout=timeout, level=level + 1, names={file: name_of(path)})
        except CommandError as error:
            # A member of an archive is looked for by the program alone.
            if os.path.exists(file.partition("::")[0]):
                raise
            raise RecordingNotFoundError(error.status, error.message, error.output, error.command) from None
    count, rate = int.from_bytes(written[22:24], "little"), int.from_bytes(written[24:28], "little")
    samples: Samples = np.frombuffer(written, "<f4", offset=HEADER)
    if values.get("channels") == "all":
        samples = np.ascontiguousarray(samples.reshape(-1, count).T)
    return samples, rate


# ------------------------------------------------------------------------------------------------------------ notebooks


def player(samples: Samples, sample_rate: int) -> str:
    """An `<audio>` element with the samples, [samples], as a WAV file of 16 bits."""
    pcm = np.round(np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes()
    header = b"".join([
        b"RIFF", (36 + len(pcm)).to_bytes(4, "little"), b"WAVEfmt ", (16).to_bytes(4, "little"),
        (1).to_bytes(2, "little"), (1).to_bytes(2, "little"), sample_rate.to_bytes(4, "little"),
        (2 * sample_rate).to_bytes(4, "little"), (2).to_bytes(2, "little"), (16).to_bytes(2, "little"),
        b"data", len(pcm).to_bytes(4, "little")])
    data = base64.b64encode(header + pcm).decode()
    return f'<audio controls preload="metadata" src="data:audio/wav;base64,{data}"></audio>'
