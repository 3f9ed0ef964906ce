"""All formats: importing this module adds their samples to the list."""

from . import (  # noqa: F401
    annotations, archives, corpora, detections, folders, kaldi, lhotse, manifests, nemo, selections, windows)
