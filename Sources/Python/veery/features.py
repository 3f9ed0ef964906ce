"""Opening feature files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Optional, Union

from ._arguments import path_of
from ._browse import BrowseServer, browse
from ._clip import Clip
from ._clips import Clips
from ._core import Failure
from ._set import core
from ._suspicion import Suspect, suspicious

__all__ = ["Clip", "Clips", "Failure", "FeatureFile", "Suspect", "open"]


class FeatureFile(Clips):
    """A feature file of Veery, or a set of them, as a sequence of its clips; see `Clips` for choosing among them.

        with veery.open("features.h5") as file:
            for clip in file.select(split="train", label="dog"):
                print(clip.id, clip.features.shape)

    Opening reads a few attributes. Columns are read, each as an array, when they are first used; the features of an
    uncompressed file are mapped into memory, and those of a compressed one read by h5py.
    """

    def __init__(
        self, path: Union[str, os.PathLike[str]], *, root: Union[str, os.PathLike[str], None] = None
    ) -> None:
        folder = None if root is None else os.path.abspath(path_of(root, "root"))
        super().__init__(core(os.path.abspath(path_of(path, "path")), folder))

    @property
    def root(self) -> Optional[Path]:
        """The folder that the paths of recordings start from: as the file says, relative to its own folder, or as `open` was given.

        None: the file does not say it. It is older, or its recordings were in no folder, as those of a tar that was read as a
        stream."""
        return self._core.root

    @property
    def layout(self) -> str:
        """`packed`: the frames of all clips one after another; `fixed`: the same number of frames for every clip."""
        return self._core.header.layout

    @property
    def is_mapped(self) -> bool:
        """Whether features are views of the mapped file; False: the file is compressed."""
        return bool(self._core.tensor.is_mapped)

    @property
    def format_version(self) -> str:
        """Version of the file format, such as `1.1`."""
        return self._core.header.format_version

    @property
    def generator(self) -> str:
        """The program that wrote the file, and its version."""
        return self._core.header.generator

    @property
    def software(self) -> dict[str, str]:
        """Versions of the program and the libraries that the file was made with."""
        return self._core.software

    @property
    def manifest_sha256(self) -> str:
        """SHA-256 of the manifest, hexadecimal."""
        return self._core.manifest_sha256

    @property
    def corrections_sha256(self) -> Optional[str]:
        """SHA-256 of the corrections of the manifest, hexadecimal; None: it was not corrected."""
        return self._core.corrections_sha256

    @property
    def failures(self) -> list[Failure]:
        """The clips of the manifest that are not in the file, and why."""
        return self._core.failures

    @property
    def remarks(self) -> list[dict[str, Any]]:
        """What was read from the manifest and the recordings, but not used: a dictionary for each remark, with `kind`, `loss`
        (whether data were left out), `source`, `count` and `first` (the names of the first three)."""
        return self._core.remarks

    def browse(
        self, *, root: Union[str, os.PathLike[str], None] = None, labels: Union[str, os.PathLike[str], None] = None,
        annotations: Union[str, os.PathLike[str], None] = None, view: Optional[str] = None, port: Optional[int] = None,
        open: Optional[bool] = None, timeout: float = 120,
    ) -> BrowseServer:
        """Serves a page to look at, listen to and correct the clips, and prints its address; see `veery.browse` for the arguments.

            server = file.browse()

        root:  None: as `open` was given, or as the file says.
        """
        return browse(
            self._core.path, root=self._core._root if root is None else root, labels=labels, annotations=annotations, view=view,
            port=port, open=open, timeout=timeout)

    def suspicious(self, *, leave_out: Optional[str] = None, jobs: Optional[int] = None) -> list[Suspect]:
        """The clips that may be wrong, the most suspicious first, by the command `veery inspect --suspicious`.

            for suspect in file.suspicious()[:20]:
                print(suspect.id, suspect.label, suspect.suggested, suspect.reasons)

        leave_out:  what must not vouch for a clip: the other clips of its `recording` (None), only itself (`clip`), or those with
                    the same value in a column, such as `speaker`.
        jobs:       number of threads; all processors unless given. The result does not depend on it.

        A list of named tuples, of which `pandas.DataFrame` makes a table. Recordings are looked for in `root`, to find clipping.
        """
        root = self.root
        return suspicious(
            self._core.path, leave_out=leave_out, root=root if root is not None and root.is_dir() else None, jobs=jobs)

    def close(self) -> None:
        """Closes what is open. Arrays that were read stay valid; reading again reopens the file."""
        self._core.close()

    def __enter__(self) -> FeatureFile:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()


def open(path: Union[str, os.PathLike[str]], *, root: Union[str, os.PathLike[str], None] = None) -> FeatureFile:
    """Opens a feature file for reading, or by their index all files of a set (`veery extract --files`) as one.

    root:  the folder that the paths of recordings start from; None: as the file says. Only `clip.recording` and
           `clip.samples` need it.

    Raises FeatureFileError (a ValueError) if it is not a feature file of Veery, incomplete, cut off, of another major version
    or damaged, and OSError if it cannot be read. So does everything that reads it later, also if it was replaced.
    """
    return FeatureFile(path, root=root)
