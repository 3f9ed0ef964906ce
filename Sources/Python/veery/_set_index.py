"""The index of a set of feature files: which files belong to it, and what they hold (Schemas/feature-set.schema.json)."""

from __future__ import annotations

import builtins
import hashlib
import json
import os
from dataclasses import dataclass
from typing import Any, Union

from ._errors import FeatureFileError

FORMAT = "veery-feature-set"


@dataclass(frozen=True)
class Member:
    """What the index says of a file."""

    name: str
    clips: int
    failures: int
    rows: int
    bytes: int
    metadata_xxh3: str


@dataclass(frozen=True)
class SetIndex:
    """The files of a set, in the order of their clips."""

    path: str
    manifest_sha256: str
    metadata_xxh3: str
    clips: int
    failures: int
    rows: int
    files: tuple[Member, ...]
    remarks: tuple[dict[str, Any], ...]
    """What was read from the manifest and all recordings, but not used."""
    checksum: str
    """Checksum of the text of the index, whose own checksums cover all values of the set."""

    def file(self, number: int) -> str:
        """The path of a file, beside the index."""
        return os.path.join(os.path.dirname(self.path), self.files[number].name)

    @staticmethod
    def read(path: str) -> SetIndex:
        """Reads an index; refuses a file that is not an index or contradicts itself."""
        with builtins.open(path, "rb") as file:
            content = file.read()
        try:
            found = json.loads(content)
        except ValueError as error:
            raise _refusal(path, "a file that is not JSON") from error
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise _refusal(path, f'another JSON file (without "format": "{FORMAT}")')
        version = str(found.get("format_version"))
        if version.partition(".")[0] != "1":
            raise _refusal(path, f"format_version {version}: a newer Veery reads it")
        files = found.get("files")
        if not isinstance(files, list) or not files:
            raise _refusal(path, "no files")
        members = tuple(_member(path, entry, number) for number, entry in enumerate(files))
        if len({member.name for member in members}) < len(members):
            raise _refusal(path, "a file twice")
        sums = {name: sum(getattr(member, name) for member in members) for name in ("clips", "failures", "rows")}
        if any(found.get(name) != value for name, value in sums.items()):
            raise _refusal(path, "totals that are not the sums of those of the files")
        manifest, metadata = (_value(path, found, name, str, "") for name in ("manifest_sha256", "metadata_xxh3"))
        return SetIndex(
            path, manifest, metadata, sums["clips"], sums["failures"], sums["rows"], members,
            _remarks(path, found), hashlib.sha256(content).hexdigest()[:32])


def is_index(path: str) -> bool:
    """Whether a file can be an index: it is JSON by its first byte. Opening a pipe would wait for its writer."""
    if not os.path.isfile(path):
        return False
    try:
        with builtins.open(path, "rb") as file:
            return file.read(1) == b"{"
    except OSError:
        return False


def _member(path: str, entry: Any, number: int) -> Member:
    where = f" of file {number}"
    if not isinstance(entry, dict):
        raise _refusal(path, f"another value than expected{where}")
    name = _value(path, entry, "name", str, where)
    if name in ("", ".", "..") or "/" in name or "\0" in name:
        raise _refusal(path, f"the name {name!r}, which is not that of a file beside the index")
    counts = [_value(path, entry, key, int, where) for key in ("clips", "failures", "rows", "bytes")]
    if not all(0 <= count <= 1 << 48 for count in counts):
        raise _refusal(path, f"impossible counts of {name!r}")
    clips, failures, rows, size = counts
    return Member(name, clips, failures, rows, size, _value(path, entry, "metadata_xxh3", str, where))


def _remarks(path: str, index: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    remarks = index.get("remarks", [])
    if not isinstance(remarks, list) or not all(isinstance(remark, dict) for remark in remarks):
        raise _refusal(path, "remarks that are no list of objects")
    return tuple(remarks)


def _value(path: str, entry: dict[str, Any], key: str, kind: type, where: str) -> Any:
    value = entry.get(key)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise _refusal(path, f"{key} = {value!r}{where}")
    return value


def _refusal(path: Union[str, os.PathLike[str]], found: str) -> FeatureFileError:
    return FeatureFileError(
        f"{path}: expected the index of a set of feature files, which 'veery extract' writes for several files, found {found}")
