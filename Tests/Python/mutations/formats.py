"""All formats: importing this module fills the list of samples."""

from . import (  # noqa: F401
    annotations, archives, corpora, detections, folders, kaldi, lhotse, manifests, nemo, selections, windows)
