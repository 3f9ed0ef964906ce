"""One run of the program on a sample."""

import csv
import functools
import hashlib
import json
import os
import re
import subprocess
from dataclasses import dataclass, field

import h5py

from .expectations import UNSHOWN
from .sounds import SETTINGS, heard

LINES_OF_REMARKS = 10
# Columns that follow from others, or from how a file is stored.
_DERIVED = {"label_index", "frame_start", "record_xxh3", "frame_label_xxh3", "remarks"}


@dataclass
class Observation:
    status: int
    output: str
    messages: str
    remarks: list = field(default_factory=list)  # as in the JSON: kind, loss, source, count, first
    rows: list = field(default_factory=list)  # of clips, in order: values by columns
    features: str = ""  # a digest of their bytes
    failures: list = field(default_factory=list)

    @property
    def loses(self):
        """Whether a remark says that something was left out."""
        return any(remark["loss"] for remark in self.remarks) or bool(re.search(r"^(?:left out|loss): ", self.messages, re.M))

    @property
    def kinds(self):
        return {remark["kind"] for remark in self.remarks}

    @property
    def lines(self):
        """The lines of remarks on standard error."""
        return re.findall(r"^(?:remark|left out|loss): .*$", self.messages, re.M)

    @property
    def warnings(self):
        """Lines that are not remarks of a kind, but say something of what was read, without their numbers."""
        return {
            re.sub(r"\d+", "…", line) for line in self.messages.splitlines()
            if re.match(r"(warning|note): ", line) and not line.startswith("note: annotations: ")}


@functools.cache
def has_json(program, command):
    """Whether a command has --json, which not all had always."""
    return "--json" in subprocess.run([program, command, "--help"], capture_output=True, text=True).stdout


def remarks_of(output):
    """The remarks in the JSON on standard output, except for those that are never shown."""
    try:
        report = json.loads(output)
    except ValueError:
        return []
    found = report.get("remarks", []) if isinstance(report, dict) else []
    return [remark for remark in found if remark["kind"] not in UNSHOWN]


def observe(program, sample, change, folder):
    """Writes the sample, changed, into a folder, and runs its command there."""
    files = dict(sample.files)
    if change:
        change(files)
    data = folder / "data"
    data.mkdir()
    write(files, data)
    return run(program, sample.command, data, folder)


def write(files, folder):
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())


def run(program, command, data, folder):
    """Runs a command in the folder of its data; its output goes to another one."""
    verb, *arguments = command
    words = [verb, *arguments]
    output = folder / ("out.h5" if verb == "extract" else "out.csv")
    if verb != "check":
        words += ["-o", output]
    if verb == "extract":
        words += ["--progress", "none", "--jobs", "1"]
        words += [word for key, value in SETTINGS.items() for word in ("--set", f"{key}={value}")]
    if has_json(program, verb):
        words.append("--json")
    ended = subprocess.run(
        [program, *map(str, words)], cwd=data, capture_output=True, text=True, errors="replace", timeout=60,
        env={**os.environ, "TZ": "UTC"})
    seen = Observation(ended.returncode, ended.stdout, ended.stderr, remarks_of(ended.stdout))
    if verb == "extract":
        if output.exists():
            _read_features(output, seen)
    elif output.exists():
        with open(output, newline="", encoding="utf-8") as file:
            seen.rows = list(csv.DictReader(file))
    return seen


def _read_features(path, seen):
    with h5py.File(path) as file:
        features = file["features"][:]
        seen.features = hashlib.sha256(features.tobytes()).hexdigest()
        columns = {name: item for name, item in file["clips"].items() if isinstance(item, h5py.Dataset) and name not in _DERIVED}
        columns |= dict(file["clips/extra"].items())
        values = {name: item.asstr()[:] if item.dtype.kind in "SO" else item[:] for name, item in columns.items()}
        frame_labels, remarks = _frame_labels(file), _remarks_of_clips(file)
        for index, start in enumerate(file["clips/frame_start"][:]):
            end = start + values["frame_count"][index]
            row = {name: column[index].tolist() if hasattr(column[index], "tolist") else column[index] for name,
                   column in values.items()}
            if row.get("channel") == -1:
                row["channel"] = ""  # as in a file without that column
            row["sound"] = heard(features[start:end])
            row["remarks"] = remarks[index] if remarks else ""
            if frame_labels is not None:
                row["frame_labels"] = _runs(frame_labels[start:end])
            seen.rows.append(row)
        failures = file["failures"]
        seen.failures = list(zip(failures["id"].asstr()[:].tolist(), failures["reason"].asstr()[:].tolist()))


def _remarks_of_clips(file):
    """The kinds of each clip, by the names that the file gives its bits; None: no clip has any."""
    if "clips/remarks" not in file:
        return None
    column = file["clips/remarks"]
    meanings = column.attrs["flag_meanings"]
    kinds = (meanings.decode() if isinstance(meanings, bytes) else meanings).split()
    return [" ".join(kind for bit, kind in enumerate(kinds) if bits >> bit & 1) for bits in column[:].tolist()]


def _frame_labels(file):
    if "frame_label" not in file:
        return None
    names = next(
        file[name].asstr()[:].tolist() for name in ("frame_labels", "frame_label_names", "labels") if name in file)
    return [names[index] if index >= 0 else "-" for index in file["frame_label"][:]]


def _runs(labels):
    """`-:2 wren:4` for two frames without a label and four of a wren."""
    runs = []
    for label in labels:
        if runs and runs[-1][0] == label:
            runs[-1][1] += 1
        else:
            runs.append([label, 1])
    return " ".join(f"{label}:{count}" for label, count in runs)
