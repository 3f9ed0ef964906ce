"""The modules of the Python package, by their sources: none imports a module that needs it, and their types are consistent."""

import ast
import os
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

import pytest
from conftest import PACKAGE


def modules():
    """The package and its modules by their names, each with its source."""
    found = {}
    for path in Path(PACKAGE, "veery").rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(source, package, names):
    """Which of these modules a source imports: at its top, in functions, for types alone, or anywhere else."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            wanted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            wanted = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in wanted:
            while name not in names and "." in name:
                name = name.rpartition(".")[0]  # what is imported of a module
            found |= {name} & set(names)
    return found


def cycle(imports):
    """Modules of which each imports the next, and the last the first again, as a sentence; None: there are none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return " imports ".join(reversed(error.args[1]))
    return None


@pytest.mark.parametrize("source", [
    "from ._b import name", "from . import _b", "from ._b import *", "import veery._b", "import veery._b as other",
    "from veery._b import name", "from veery import _b", "def function():\n    from ._b import name",
    "if TYPE_CHECKING:\n    from ._b import name", "class A:\n    def method(self):\n        from . import _b",
    "try:\n    import veery._b\nexcept ImportError:\n    pass"])
def test_an_import_is_found_wherever_it_is(source):
    assert imported(source, "veery", ["veery", "veery._a", "veery._b"]) == {"veery._b"}


def test_a_cycle_is_named():
    assert cycle({"a": {"b", "d"}, "b": {"c"}, "c": {"a"}, "d": set()}) in (
        "a imports b imports c imports a", "b imports c imports a imports b", "c imports a imports b imports c")
    assert cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) is None


def test_no_module_imports_one_that_needs_it():
    found = modules()
    assert {"veery", "veery._clips", "veery.features"} <= set(found)
    imports = {}
    for name, path in found.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        imports[name] = imported(path.read_text(encoding="utf-8"), package, found)
    assert cycle(imports) is None, f"{cycle(imports)}: what both need belongs in a module below them"


def test_types_are_consistent(tmp_path):
    """Without what PyTorch and others say of their types, which `make test-wheel` has: comments for them are of no use here."""
    command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--allow-subclassing-any", "--no-warn-unused-ignores",
               "--cache-dir", tmp_path, "-p", "veery"]
    result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(PACKAGE)})
    assert result.returncode == 0, result.stdout + result.stderr
