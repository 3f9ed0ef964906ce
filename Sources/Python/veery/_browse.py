"""The page of `veery browse`, as a function."""

from __future__ import annotations

import atexit
import html
import importlib
import os
import selectors
import subprocess
import sys
import tempfile
import time
from typing import IO, Any, Iterable, Mapping, Optional, Union

from ._arguments import Path, options, positional, refuse_unknown, with_keywords
from ._errors import flag
from ._process import _kill, _report
from ._program import find_program

PATIENCE = 5.0
"""Seconds that a server has for its end."""


class BrowseServer:
    """A server of `veery browse`. It runs until `stop`, the end of a `with` block, or the end of Python.

        with file.browse(open=False) as server:
            print(server.address)

    address:  of the page, for a browser on this machine. It holds the token: whoever has it may see, hear and correct the dataset.
    port:     the port on 127.0.0.1.
    """

    def __init__(self, process: subprocess.Popen[bytes], address: str) -> None:
        self.address = address
        self.port = int(address.split("/")[2].rpartition(":")[2])
        self._process = process
        self._owner = os.getpid()
        atexit.register(self.stop)

    def stop(self) -> None:
        """Ends the server. Corrections are in their file since they were made."""
        atexit.unregister(self.stop)
        # A fork of this process ends without the server of its parent.
        if os.getpid() == self._owner:
            _end(self._process)

    def __enter__(self) -> BrowseServer:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<veery browse: {self.address if self._process.poll() is None else 'ended'}>"


def browse(
    path: Path, *, root: Optional[Path] = None, labels: Optional[Path] = None, annotations: Optional[Path] = None,
    view: Optional[str] = None, port: Optional[int] = None, open: Optional[bool] = None, timeout: float = 120,
    format: Optional[str] = None, quoting: Optional[str] = None, column: Optional[Mapping[str, str]] = None,
    label_separator: Optional[str] = None, one_hot: Union[str, Iterable[str], None] = None, extension: Optional[str] = None,
    time_unit: Optional[str] = None, jobs: Optional[int] = None, **unknown: Any,
) -> BrowseServer:
    """Serves a page to look at, listen to and correct a dataset, by the command `veery browse`, and prints its address.

        server = veery.browse("speech.csv", root="recordings")
        server.stop()

    path:         a feature file, the index of a set, or a manifest.
    root:         the folder that the paths of recordings start from.
    labels:       the file of corrections, which is written to; None: NAME.corrections.csv in the folder of the dataset.
    annotations:  a table of annotations, which are drawn.
    view:         what the page shows first: its button "Copy command" gives it.
    port:         None: any that is free.
    open:         whether the browser of this machine opens the page, where it has one. None: unless in a notebook.
    timeout:      seconds until the page has to be there; otherwise the server is ended, and a TimeoutError is raised.

    The other options are those of `veery browse --help`, with `_` for `-`, but for `--no-open`, which is `open=False`.

    In a notebook, a link to the page is shown. It is not shown inside the notebook: a page in a frame could be covered by another
    page, which lets the user click what he does not see, so its server forbids frames (`frame-ancestors 'none'`); and browsers keep its
    cookie from it there. Where the notebook runs on another machine, the link needs a tunnel: ssh -N -L PORT:127.0.0.1:PORT HOST.

    The server ends with this process, but not if that is killed (SIGKILL): the program then runs on, without effect on any file.

    Returns a BrowseServer. Raises CommandError if the dataset cannot be opened.
    """
    values = {name: value for name, value in locals().items() if name not in ("path", "open", "timeout", "unknown")}
    refuse_unknown("browse", [*values, "path", "open", "timeout"], unknown)
    notebook = _display()
    is_opened = notebook is None if open is None else flag("open", open)
    command = [
        find_program(), "browse", positional(path, "path"), *options(values, browse), *([] if is_opened else ["--no-open"])]
    with tempfile.TemporaryFile() as notes:
        # Ctrl-C in a terminal is for Python alone.
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=notes, start_new_session=True)
        try:
            assert process.stdout is not None
            address = _first_line(process.stdout, timeout)
            if not address.startswith("http://"):
                process.wait(PATIENCE)
            notes.seek(0)
            text = with_keywords(notes.read().decode("utf-8", "replace"), browse)
            _report(process.poll() or 0, text, command, (0,) if address else (), 2)
            server = BrowseServer(process, address)
        except BaseException:
            _end(process)
            raise
    print(address)
    if notebook is not None:
        notebook({"text/html": _link(server), "text/plain": address}, raw=True)
    return server


def _first_line(stream: IO[bytes], timeout: float) -> str:
    """The first line of a program's output; empty if it ends before."""
    latest = time.monotonic() + timeout
    line = b""
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while not line.endswith(b"\n"):
            if not selector.select(max(0, latest - time.monotonic())):
                raise TimeoutError(f"veery browse took longer than {timeout} s to open the dataset")
            piece = os.read(stream.fileno(), 4096)
            if not piece:
                return ""
            line += piece
    return line.decode("utf-8", "replace").strip()


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            _kill(process)
            process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _display() -> Any:
    """The function that shows something in a notebook; None: this is no notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return importlib.import_module("IPython.display").display if hasattr(shell, "kernel") else None


def _link(server: BrowseServer) -> str:
    address = html.escape(server.address)
    note = f"If this notebook runs on another machine, run on yours first: ssh -N -L {server.port}:127.0.0.1:{server.port} HOST"
    return (
        f'<div><a href="{address}" target="_blank" rel="noopener noreferrer">Open the page of veery browse</a>'
        f'<div style="font-size:85%;opacity:.75">{note}</div></div>')
