"""Whether the program did with a mutation what is stated."""

import math
import re
from dataclasses import dataclass
from pathlib import Path

from .expectations import NEUTRAL, OF_CLIPS, Changed, Failed, Neutral, Remarked, accepts
from .observation import LINES_OF_REMARKS

RIGHT = "right"
SILENT = "SILENT"  # exit status 0, the output is not as stated, and not a word
WARNED = "warned"  # the same with a warning or a remark of another kind
REFUSED = "refused"  # an error where there should be none
UNCLEAR = "unclear"  # an error that does not name the file
NOISY = "noisy"  # a remark of what is right
BROKEN = "broken"  # a crash, or remarks that contradict each other
VERDICTS = [RIGHT, SILENT, WARNED, REFUSED, UNCLEAR, NOISY, BROKEN]

# Whether each kind of remark is a loss, as the guide says.
LOSSES = {kind: word == "yes" for kind, word in re.findall(
    r"^\| `([a-z-]+)` \| (yes|no)", (Path(__file__).resolve().parents[3] / "Schemas/guide/account.md").read_text(), re.M)}

# Values that are compared although they are not in a table: other stored values are checked by other tests.
_COMPARED = {"audio_xxh3", "tensor_xxh3", "frame_count", "duration", "channels", "sample_rate", "truncated"}


@dataclass(frozen=True)
class Verdict:
    name: str
    why: str = ""


def judge(seen, true, mutation, sample):
    """The verdict on an observation; `true` is that of the true sample."""
    broken = _broken(seen)
    if broken:
        return Verdict(BROKEN, broken)
    if mutation is None:
        return _judge_true(seen, sample)
    reasons = []
    for expected in mutation.expected.alternatives():
        wrong = _wrong(seen, true, expected, mutation)
        if wrong is None:
            return Verdict(RIGHT)
        reasons.append(f"{expected}: {wrong}")
    why = "; ".join(reasons)
    if seen.status != 0:
        expects_error = any(isinstance(one, Failed) for one in mutation.expected.alternatives())
        return Verdict(UNCLEAR if expects_error else REFUSED, why)
    if seen.remarks or seen.lines or seen.warnings - true.warnings:
        only_neutral = mutation.expected == NEUTRAL and seen.loses and seen.features == true.features
        return Verdict(NOISY if only_neutral else WARNED, why)
    return Verdict(SILENT, why)


def _broken(seen):
    if seen.status < 0 or seen.status in (70, 132, 133, 134, 136, 139) or "Fatal error" in seen.messages:
        return f"exit status {seen.status}"
    if len(seen.lines) > LINES_OF_REMARKS:
        return f"{len(seen.lines)} lines of remarks"
    for remark in seen.remarks:
        if remark["loss"] != LOSSES[remark["kind"]]:
            return f"{remark['kind']}: the guide says otherwise of its being a loss"
    if seen.remarks and not seen.lines:
        return "remarks in the JSON, and none on standard error"
    words = [line.split(":")[0] for line in seen.lines]
    if words != sorted(words):
        return "a loss after a remark that is none"
    return _contradiction(seen)


def _contradiction(seen):
    """How the remarks of the rows differ from those of the JSON about recordings; None: they do not."""
    if not all("remarks" in row for row in seen.rows):
        return None  # a manifest, which has no remarks of clips
    rows = [(row["id"], kind) for row in seen.rows for kind in row["remarks"].split()]
    said = {remark["kind"]: remark for remark in seen.remarks if remark["source"] == "recordings"}
    for kind in OF_CLIPS & ({kind for _, kind in rows} | set(said)):
        ids = [key for key, own in rows if own == kind]
        remark = said.get(kind, {"count": 0, "first": []})
        if (len(ids), ids[:3]) != (remark["count"], remark["first"]):
            return f"{kind} of the clips {ids}, and in the JSON of {remark['count']}: {remark['first']}"
    return None


def _judge_true(seen, sample):
    if seen.status != 0:
        return Verdict(REFUSED, f"exit status {seen.status}")
    found = {row["id"]: row for row in seen.rows} if seen.rows else {}
    if sample.truth is not None and set(found) != set(sample.truth):
        return Verdict(SILENT, f"the clips are {sorted(found)}, expected {sorted(sample.truth)}")
    for key, values in (sample.truth or {}).items():
        for name, value in values.items():
            if not _equal(found[key].get(name, ""), value):
                return Verdict(SILENT, f"{key}: {name} is {found[key].get(name, '')!r}, expected {value!r}")
    # That clips are of the one channel that a table names is said of every such table: it once was the mean of all.
    lines = [line for line in seen.lines if "of the one channel that" not in line]
    said = lines + sorted(line for line in seen.warnings if line.startswith("warning")) + sorted(
        seen.kinds - {"channels-chosen"})
    return Verdict(NOISY, said[0]) if said else Verdict(RIGHT)


def _wrong(seen, true, expected, mutation):
    """Why an observation is not the expected one; None: it is."""
    if isinstance(expected, Failed):
        if seen.status == 0:
            return "exit status 0"
        files = expected.files or (mutation.file.rsplit("/", 1)[-1],)
        return None if any(file in seen.messages for file in files) else f"the message does not name {' or '.join(files)}"
    if seen.status != 0:
        return f"exit status {seen.status}"
    if isinstance(expected, Remarked):
        if not accepts(expected.kinds, seen.kinds):
            return f"remarks: {', '.join(sorted(seen.kinds)) or 'none'}"
        return _difference(seen, true, expected.change, expected.kinds) if expected.change else None
    if isinstance(expected, Neutral):
        if seen.loses:
            return "a remark of a loss"
        if seen.features != true.features:
            return "the features differ" + _suffix(_difference(seen, true, Changed()))
        if [sorted(row.items()) for row in seen.rows] != [sorted(row.items()) for row in true.rows]:
            return "the columns of clips differ" + _suffix(_difference(seen, true, Changed()))
        return None
    return _difference(seen, true, expected)


def _suffix(text):
    return f": {text}" if text else ""


def _difference(seen, true, expected, kinds=frozenset()):
    """How rows differ from those of the true sample with the stated changes; None: they do not.

    Where a row's remarks are not stated, it may have those of `kinds`, too.
    """
    wanted, stated = {}, {}
    for row in true.rows:
        values = {expected.columns.get(name, name): value for name, value in row.items()}
        values.pop(None, None)
        change = expected.rows.get(row["id"], {})
        if change is not None:
            wanted[row["id"]] = _with(values, change)
    originals = {row["id"]: row for row in true.rows}
    for key, change in expected.rows.items():
        if key not in originals and change is not None:
            change = dict(change)
            like = change.pop("like", None)
            if like and like not in originals:
                return f"the true sample has no clip {like}"
            wanted[key] = _with({**originals[like], "id": key}, change) if like else change
            # For a row without a model, what is not stated is not compared.
            stated[key] = None if like else set(change)
    found = {row["id"]: row for row in seen.rows}
    if set(found) != set(wanted):
        return f"the clips are {sorted(found)}, expected {sorted(wanted)}"
    for key, row in wanted.items():
        # A column that is not there holds nothing.
        for name in sorted(stated.get(key) or set(row) | set(found[key])):
            value, got = row.get(name, ""), found[key].get(name, "")
            if name == "remarks" and name not in (expected.rows.get(key) or {}) and set(got.split()) - kinds == set(value.split()):
                continue
            if name not in expected.free and value is not ... and not _equal(got, value):
                return f"{key}: {name} is {got!r}, expected {value!r}"
    return None


def _with(row, change):
    """A row with changes. Checksums and counts follow from the sound that is stated."""
    row = {**row, **change}
    if "sound" in change:
        for name in _COMPARED & set(row) - set(change):
            row[name] = ...
    return row


def _equal(one, other):
    if one == other:
        return True
    try:
        return math.isclose(float(one), float(other), abs_tol=1e-6)
    except (TypeError, ValueError):
        return False


def clean(text):
    """A message without what differs between runs."""
    return re.sub(r"in [0-9.]+ s \(.*?\)", "in … s", text)
