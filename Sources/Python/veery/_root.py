"""The folder of the recordings in a feature file. Paths are made of it, so it is used only if it is what was written."""

from __future__ import annotations

from typing import Any, Optional

from ._errors import shortened
from ._hdf5 import Source
from ._xxh3 import xxh3_128


def stored_root(source: Source, file: Any) -> Optional[str]:
    """The way from the folder of the file to the one that the paths of recordings start from; None: the file names none.

    Raises FeatureFileError if its checksum is that of something else, or if it is no relative path."""
    root, expected = (attribute(source, file, name) for name in ("root", "root_xxh3"))
    found = None if root is None else xxh3_128(root.encode(errors="replace"))
    if found != expected:
        raise source.damaged(
            f"/provenance has an attribute root with the checksum {found or 'of none'}, not {expected or 'any'}")
    if root is not None and (not root or "\0" in root or root.startswith("/")):
        raise source.damaged(f"/provenance has an attribute root that is no relative path: {shortened(repr(root))}")
    return root


def attribute(source: Source, file: Any, name: str) -> Optional[str]:
    """A text of /provenance; None: there is none. Bytes that are not UTF-8 are replaced, so that its checksum is another."""
    value = file["provenance"].attrs.get(name)
    if isinstance(value, bytes):  # of a fixed length
        value = value.rstrip(b"\0").decode(errors="replace")
    if value is not None and not isinstance(value, str):
        raise source.damaged(f"/provenance has an attribute {name} that is no text: {shortened(repr(value))}")
    return value
