"""Whether a path still names the same, unchanged file."""

from __future__ import annotations

import functools
import os
import platform
import zlib
from typing import NamedTuple

NUMBERED_ANEW = ("fuse", "cifs", "smb", "9p")
"""Starts of the names of file systems that may give a file another inode number while it is in use."""


class Identity(NamedTuple):
    """A file as it was when it was opened first.

    It may have been replaced by a file of the same size and time, such as a copy with its times preserved: that has
    another inode. Inode numbers are valid for processes that see the same file systems; a copy of a reader may be
    unpickled elsewhere, where only size and time can be compared.
    """

    size: int
    modified: int
    """Time of the last change of the content, in ns."""
    device: int
    inode: int
    changed: int
    """Time of the last change of the content, the name or the permissions, in ns."""
    where: str
    """The view of file systems that `device` and `inode` belong to."""

    @staticmethod
    def of(status: os.stat_result) -> Identity:
        """The identity of a file by its status."""
        return Identity(
            status.st_size, status.st_mtime_ns, status.st_dev, status.st_ino, status.st_ctime_ns, view())

    def may_be(self, other: Identity) -> bool:
        """Whether both may be the same, unchanged file; surely so if they are equal."""
        if (self.size, self.modified) != (other.size, other.modified):
            return False
        is_same = (self.device, self.inode) == (other.device, other.inode)
        return is_same or self.where != other.where or is_numbered_anew(self.device)


@functools.lru_cache(maxsize=None)
def view() -> str:
    """The machine since its last start, and the mounted file systems that this process sees, as a short text."""
    parts = [platform.node()]
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            parts = [file.read(), os.readlink("/proc/self/ns/mnt")]
    except OSError:
        pass  # no Linux
    return f"{zlib.crc32(' '.join(parts).encode('utf-8', 'surrogateescape')):08x}"


def is_numbered_anew(device: int) -> bool:
    """Whether files of a device may get another inode number while they are in use; False if that is not known."""
    number = f"{os.major(device)}:{os.minor(device)}"
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                mount, _, kind = line.partition(" - ")
                if mount.split(" ")[2] == number:
                    return kind.startswith(NUMBERED_ANEW)
    except (OSError, IndexError):
        pass
    return False
