"""Finds the program `veery`, and runs it for `python -m veery`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from typing import Iterator, NoReturn, Sequence

NAME = "veery.exe" if os.name == "nt" else "veery"


class ProgramNotFoundError(FileNotFoundError):
    """The program `veery` is not installed. The message lists where it was searched."""


def find_program() -> str:
    """Path of the program.

    It is looked for in the environment variable VEERY (a path), in the folders of scripts that belong to this Python and
    to the folder that the package was installed into, and in PATH.
    """
    given = os.environ.get("VEERY")
    if given:
        if is_program(given):
            return os.path.abspath(given)
        raise ProgramNotFoundError(f"the environment variable VEERY is {given!r}, which is not an executable file")
    folders = list(dict.fromkeys(script_folders()))
    for folder in folders:
        path = os.path.join(folder, NAME)
        if is_program(path):
            return path
    found = shutil.which(NAME)
    if found:
        return found
    raise ProgramNotFoundError(
        f"the program 'veery' was found neither in {', '.join(folders)} nor in PATH. Install the wheel, which "
        "'make wheel' puts into dist, or set the environment variable VEERY to the path of the program")


def script_folders() -> Iterator[str]:
    """Where pip puts the programs of a package."""
    yield sysconfig.get_path("scripts")
    schemes = {"nt": "nt_user", "posix": "posix_user"}
    yield sysconfig.get_path("scripts", scheme=schemes.get(os.name, "posix_user"))
    site = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if os.path.basename(site) in ("site-packages", "dist-packages"):
        yield os.path.abspath(os.path.join(site, "..", "..", "..", "bin"))  # pip install --prefix FOLDER
    else:
        yield os.path.join(site, "bin")  # pip install --target FOLDER


def is_program(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def become_program(arguments: Sequence[str]) -> NoReturn:
    """Runs the program with these arguments instead of Python."""
    try:
        program = find_program()
    except ProgramNotFoundError as error:
        sys.exit(f"veery: {error}")
    if os.name == "nt":
        sys.exit(subprocess.run([program, *arguments]).returncode)
    os.execv(program, [program, *arguments])
