"""Counts the clips in what an interrupted run has left, without a line of Veery's.

A file `clips-N.spool` is a row of records, little-endian: checksum (8 bytes), magic (4), kind (4), clip (8), length of the
payload (8), payload. A clip's records of rows (kind 1) stand before the one that says that it is done (2); a clip that has
failed has one record (6); what was withdrawn (4), and what version 0.1 recorded of failures (3), counts no more. A clip whose rows are in the file `rows`, where they will
lie in the feature file, has no records of rows, and a mark where their number would be. Checksums are not looked at: a killed program leaves the
last record short, not wrong.
"""
import struct

HEADER = struct.Struct("<QIIQQ")
MAGIC = 0x4C505356
ROWS, FINISHED, FAILED_WITHOUT_KIND, WITHDRAWN, FAILED = 1, 2, 3, 4, 6
# Of a finished clip: offset of the first record of rows, their number, the recording's size and time, its rate, channels,
# start, duration, checksum of the samples; rows and bins.
FINISHED_HEAD = struct.Struct("<QQqqIIddQQQI")
PLACED = 2**63 - 1


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
                    rows, bins = fields[-2:]
                    if fields[1] == PLACED:
                        if records or not rows:
                            break
                    elif fields[1] != records or records and fields[0] != first or rows * bins * 4 != length:
                        break
                    clips.add(clip)
                elif kind == FAILED:
                    # After the recording's size and time: at which step, as a text with its length before it.
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
    """Numbers of the clips that a run can go on with: those in folders of which one knows whose they are.

    What could not be opened is noted, and yet tried again: it counts only if that is asked for.
    """
    clips = set()
    for folder in folders:
        if (folder / "run.json").exists():
            for path in folder.glob("clips-*.spool"):
                clips |= clips_of(path, with_unopened)
    return clips
