"""Spectral features of recordings: computed, stored, and read for training and serving.

    import veery

    veery.extract("speech.csv", "speech.h5", progress=True)         # the command, as a function
    file = veery.open("speech.h5")                                  # its clips, mapped into memory
    for clip in file.select(split="train", label="english"):
        print(clip.id, clip.features.shape)                         # [frames, bins]
    plan = file.plan()                                              # the same features of a new signal
    features = plan.features(samples, sample_rate=44100)            # or plan.features("new.mp3")

`veery.torch`, `veery.keras` and `veery.lhotse` are for these frameworks, and imported by themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._batches import batches, steps
from ._browse import BrowseServer, browse
from ._clip import Clip
from ._clips import Clips
from ._command import extract, inspect, render
from ._core import Failure
from ._errors import FeatureFileError, UnknownNameError
from ._manifests import check, crawl, split
from ._normalization import Statistics
from ._process import ClipsFailedError, CommandError, CommandWarning, RecordingNotFoundError
from ._program import ProgramNotFoundError, find_program
from ._progress import Progress
from ._sound import load
from .features import FeatureFile, open

if TYPE_CHECKING:
    from .plan import FeatureError as FeatureError
    from .plan import FeaturePlan as FeaturePlan
    from .plan import FeatureStream as FeatureStream
    from .plan import Preset as Preset
    from .plan import library_versions as library_versions
    from .plan import presets as presets

__version__ = "0.2.0"  # set by .ci/version

# Reading files does not need the library of the extractor: it is loaded when one of these is first used.
_OF_PLAN = ("FeatureError", "FeaturePlan", "FeatureStream", "Preset", "library_versions", "presets")

__all__ = [
    "BrowseServer", "Clip", "Clips", "ClipsFailedError", "CommandError", "CommandWarning", "Failure", "FeatureError",
    "FeatureFile", "FeatureFileError", "FeaturePlan", "FeatureStream", "Preset", "ProgramNotFoundError", "Progress",
    "RecordingNotFoundError", "Statistics", "UnknownNameError", "batches", "browse", "check", "crawl", "extract", "find_program", "inspect",
    "library_versions", "load", "open", "presets", "render", "split", "steps",
]


def __getattr__(name: str) -> Any:
    if name in _OF_PLAN:
        from . import plan

        return getattr(plan, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__} - {"Any", "TYPE_CHECKING", "annotations"})
