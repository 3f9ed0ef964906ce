"""Clips of a feature file that may be wrong, by the command `veery inspect --suspicious`."""

from __future__ import annotations

from typing import NamedTuple, Optional

from ._arguments import Path, options, positional
from ._process import parsed, run


class Suspect(NamedTuple):
    """A clip that may be wrong.

    id:         its id: `file[suspect.id]` is the clip.
    score:      how much better another label fits than its own: below 0, its own fits; up to 1. None: its label could not be compared.
    reasons:    why, in sentences without a subject, the gravest first.
    label:      its label; empty: none.
    suggested:  the label that fits better; None: none does, or it has several.
    kinds:      the kinds of the reasons: `equal`, `silent`, `other_label`, `surplus_label`, `lacking_label`, `unlike`, `clipped`, `cut_off`.
    """

    id: str
    score: Optional[float]
    reasons: list[str]
    label: str
    suggested: Optional[str]
    kinds: list[str]


def suspicious(
    path: Path, *, leave_out: Optional[str] = None, root: Optional[Path] = None, jobs: Optional[int] = None,
) -> list[Suspect]:
    """The clips of a file that may be wrong: see `FeatureFile.suspicious`."""
    arguments = ["inspect", positional(path, "path"), "--suspicious", "--json",
                 *options({"leave_out": leave_out, "root": root, "jobs": jobs}, suspicious)]
    status, text, _ = run(suspicious, arguments)
    return [
        Suspect(
            clip["id"], clip.get("score"), [reason["text"] for reason in clip["reasons"]], clip["label"], clip.get("suggested"),
            [reason["kind"] for reason in clip["reasons"]])
        for clip in parsed(text, status, arguments)["suspicion"]["clips"]]
