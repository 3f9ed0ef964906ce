"""The pages' code that needs PyTorch; Tests/Python runs the rest of it."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "Sources/Python"), str(ROOT / "Tests/Python")]

from test_training import *  # noqa: F403
from test_training import HAS_TORCH, folder, steps  # noqa: F401


def test_pytorch_is_there():
    assert HAS_TORCH
