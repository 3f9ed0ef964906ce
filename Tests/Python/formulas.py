"""The formulas in float64 of Tests/Parity, whose module `reference` has the name of one of the tests of Python."""

import importlib
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "Parity"


def loaded():
    """The modules reference and reference_models; the tests' own module keeps its name."""
    mine = sys.modules.pop("reference", None)
    sys.path.insert(0, str(FOLDER))
    try:
        models = importlib.import_module("reference_models")
        return sys.modules["reference"], models
    finally:
        sys.path.remove(str(FOLDER))
        sys.modules.pop("reference", None)
        if mine is not None:
            sys.modules["reference"] = mine


reference, models = loaded()
