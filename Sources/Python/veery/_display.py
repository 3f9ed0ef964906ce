"""Feature files and clips in notebooks: a summary as HTML, with pictures in it."""

from __future__ import annotations

import html
import os
from typing import Iterable, Optional

import numpy as np

from ._picture import data_uri, png
from ._progress import duration
from ._protocols import ClipLike, ClipsLike
from ._recording import clip_player

LABELS = 8
"""Maximum number of labels in the summary."""
PICTURES = 6
"""Number of clips that are drawn."""
FRAMES = 40_000
"""Maximum number of frames of a clip that are read for a small picture."""

LEFT = "text-align:left"
IMAGE = "image-rendering:pixelated;display:block"
CAPTION = "font-size:85%;opacity:.75"


def clip_html(clip: ClipLike) -> str:
    """A clip: what it is, its features over time, and its sound."""
    rows = [
        ("label", ", ".join(clip.labels) or None), ("split", clip.split), ("recording", recording(clip)),
        ("features", f"{clip._core.header.described(clip.frame_count)}, {clip.units}"),
        *((name, value or None) for name, value in clip.extra.items())]
    picture = (
        f'<div style="display:inline-block">{image(clip, 480, 120, "width:480px;height:120px")}'
        f'<div style="{CAPTION};display:flex;justify-content:space-between">'
        f"<span>0 s</span><span>{html.escape(frequencies(clip))}</span><span>{clip.duration:.4g} s</span></div></div>")
    return f"<div><b>{html.escape(clip.id)}</b>{table(rows)}{picture}{clip_player(clip)}</div>"


def clips_html(clips: ClipsLike) -> str:
    """A file or a selection: numbers, labels, splits, and pictures of a few clips."""
    header = clips._core.header
    seconds = float(clips.column("duration").sum())
    frames = int(clips.lengths.sum())
    of = f" of {header.clips:,}" if clips._indices is not None else ""
    rows = [
        ("clips", f"{len(clips):,}{of}, {duration(seconds)} of audio"),
        ("features", f"{header.described(frames)}, {clips.dtype}, {header.layout}"
         + (", compressed" if header.compression else "")),
        ("values", f"{header.long_name}, {clips.units}, a frame every {header.frame_period * 1000:.4g} ms"),
        ("labels", counted(clips, "label")), ("splits", counted(clips, "split")),
        ("failures", f"{len(clips._core.failures):,} of the manifest" if clips._core.failures else None)]
    pictures = "".join(
        f'<figure style="display:inline-block;margin:4px">{image(clip, 160, 80, "width:160px;height:80px")}'
        f'<figcaption style="{CAPTION};max-width:160px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">'
        f"{html.escape(clip.label or clip.id)}, {clip.duration:.3g} s</figcaption></figure>"
        for clip in examples(clips))
    return f"<div><b>{html.escape(os.path.basename(clips.path))}</b>{table(rows)}{pictures}</div>"


def table(rows: Iterable[tuple[str, Optional[str]]]) -> str:
    """Names and values; those without a value are left out."""
    cells = "".join(
        f'<tr><th style="{LEFT}">{html.escape(name)}</th><td style="{LEFT}">{html.escape(value)}</td></tr>'
        for name, value in rows if value is not None)
    return f"<table>{cells}</table>"


def image(clip: ClipLike, columns: int, rows: int, style: str) -> str:
    """The features of a clip, or of its first frames if it is very long."""
    source = data_uri(png(clip._core.header.frames(clip.features[:FRAMES]), columns, rows))
    return f'<img alt="features" style="{IMAGE};{style}" src="{source}">'


def examples(clips: ClipsLike) -> list[ClipLike]:
    """The first clip of each of the first labels, and then the first clips."""
    labels = clips.label_index
    positions = np.unique(labels, return_index=True)[1].tolist()
    first = [position for position in positions if labels[position] >= 0][:PICTURES]
    others = [position for position in range(min(len(clips), 2 * PICTURES)) if position not in first]
    return [clips[position] for position in (first + others)[:PICTURES]]


def counted(clips: ClipsLike, name: str) -> Optional[str]:
    """The most frequent labels or splits, with their numbers of clips; None: there are none."""
    if name == "label":
        numbers = np.bincount(clips.label_index + 1, minlength=len(clips.labels) + 1)[1:]
        names, counts = clips.labels, numbers.tolist()
    else:
        column = clips._core.table["split"]
        values, found = np.unique(column if clips._indices is None else column[clips._indices], return_counts=True)
        names, counts = [value.decode("utf-8", "replace") for value in values.tolist()], found.tolist()
    ranked = sorted(((count, name) for name, count in zip(names, counts) if name and count), key=lambda pair: -pair[0])
    if not ranked:
        return None
    text = ", ".join(f"{name} {count:,}" for count, name in ranked[:LABELS])
    return text + (f", and {len(ranked) - LABELS:,} more" if len(ranked) > LABELS else "")


def recording(clip: ClipLike) -> str:
    """Where a clip comes from."""
    part = f", {clip.start:.4g} s to {clip.start + clip.duration:.4g} s" if clip.start else f", {clip.duration:.4g} s"
    return f"{clip.path}{part}, {clip.sample_rate:,} Hz"


def frequencies(clip: ClipLike) -> str:
    """What the picture shows from the bottom to the top."""
    if (hertz := clip.frequency) is not None and bool((np.diff(hertz) > 0).all()):
        return f"{hertz[0]:,.0f} Hz to {hertz[-1]:,.0f} Hz"
    return f"{clip._core.header.bins} columns" if hertz is not None else f"{clip._core.header.bins} coefficients"
