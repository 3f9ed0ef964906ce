"""Packages that only some functions need: imported when they are used."""

from __future__ import annotations

import importlib
from typing import Any


def require(module: str, purpose: str, package: str = "") -> Any:
    """Imports a module that Veery does not install; the error says what to install, and what needs it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = package or module.partition(".")[0]
        if error.name is not None and error.name.partition(".")[0] != module.partition(".")[0]:
            raise  # the package is there, and lacks something itself
        raise ImportError(f"{purpose} needs {package}: pip install {package}", name=error.name) from error
