"""Packages that only some functions need: imported when they are used."""

from __future__ import annotations

import importlib
from typing import Any


def require(module: str, purpose: str, package: str = "") -> Any:
    """A module that Veery does not install; if it is missing, the error says what to install, and what for."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = package or module.partition(".")[0]
        if error.name is not None and error.name.partition(".")[0] != module.partition(".")[0]:
            raise  # the package is there, and lacks something itself
        raise ImportError(f"{purpose} needs {package}: pip install {package}", name=error.name) from error
