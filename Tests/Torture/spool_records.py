"""Counts the clips in what an interrupted run has left, without using Veery's code.

A file `clips-N.spool` is a sequence of records, little-endian: checksum (8 bytes), magic (4), kind (4), clip (8), length of the
payload (8), payload. A clip's records of rows (kind 1) come before the one that says that it is done (2); a clip that has failed has
one record (6). Records that withdraw a clip (4), and those of failures by version 0.1 (3), do not count. A clip whose rows are in the
file `rows`, at the offset that they will have in the feature file, has no records of rows, and `IN_ROWS_FILE` where their number would
be. Checksums are not compared: a killed program leaves the last record short, not wrong.
"""
import struct

HEADER = struct.Struct("<QIIQQ")
MAGIC = 0x4C505356
ROWS, FINISHED, FAILED_WITHOUT_KIND, WITHDRAWN, FAILED = 1, 2, 3, 4, 6
# The head of a finished clip: offset of the first record of rows, their number, the recording's size and time, its rate, channels,
# start, duration, checksum of the samples; rows, bins, and whether each value is followed by its rest, a number more.
FINISHED_HEAD = struct.Struct("<QQqqIIddQQQII")
IN_ROWS_FILE = 2**63 - 1


def clips_of(path, with_unopened=False):
    """Numbers of the clips in a file, as far as its records are whole."""
    clips = set()
    with open(path, "rb") as file:
        size = file.seek(0, 2)
        offset, first, records, length = 0, None, 0, 0
        while offset + HEADER.size <= size:
            file.seek(offset)
            _, magic, kind, clip, count = HEADER.unpack(file.read(HEADER.size))
            if magic != MAGIC or offset + HEADER.size + count > size:
                break
            if kind == ROWS:
                if records == 0:
                    first = offset
                records, length = records + 1, length + count
            else:
                if kind == FINISHED:
                    fields = FINISHED_HEAD.unpack(file.read(FINISHED_HEAD.size))
                    rows, bins, rests = fields[-3:]
                    if fields[1] == IN_ROWS_FILE:
                        if records or not rows:
                            break
                    elif fields[1] != records or records and fields[0] != first or rows * bins * (8 if rests else 4) != length:
                        break
                    clips.add(clip)
                elif kind == FAILED:
                    # After the recording's size and time: the step that failed, as a text with its length before it.
                    payload = file.read(count)
                    step = payload[20:20 + int.from_bytes(payload[16:20], "little")]
                    if with_unopened or step != b"open":
                        clips.add(clip)
                elif kind not in (WITHDRAWN, FAILED_WITHOUT_KIND):
                    break
                first, records, length = None, 0, 0
            offset += HEADER.size + count
    return clips


def kept_clips(folders, with_unopened=False):
    """Numbers of the clips that a run can resume with: those in folders with a `run.json`, which says whose they are.

    A recording that could not be opened is recorded, but tried again: it counts only `with_unopened`.
    """
    clips = set()
    for folder in folders:
        if (folder / "run.json").exists():
            for path in folder.glob("clips-*.spool"):
                clips |= clips_of(path, with_unopened)
    return clips
