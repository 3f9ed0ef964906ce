"""Writes frame-label-goldens.json: the syllables of real songs as crowsetta reads them, and the labels that vak gives the frames
of each song, as runs [first frame, frames, label].

pip install crowsetta; pip install --no-deps vak; python make_frame_label_goldens.py [--check]

vak's function is taken from its file (vak/transforms/frame_labels/functional.py), since importing vak needs torch.
"""
import ast
import csv
import json
import pathlib
import sys
import wave
from importlib.metadata import distribution, version

import crowsetta
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
BIRDS = HERE.parents[2] / "shared" / "data" / "birds"
# The preset log-mel: frames of 400 samples every 160 at 16 kHz.
RATE, LENGTH, HOP = 16_000, 400, 160
FRAMES = {"period": HOP / RATE, "first": LENGTH / 2 / RATE}


def vak_function():
    path = next(file for file in distribution("vak").files if str(file).endswith("transforms/frame_labels/functional.py"))
    tree = ast.parse(pathlib.Path(path.locate()).read_text())
    tree.body = [node for node in tree.body if getattr(node, "name", "") == "from_segments"]
    for argument in tree.body[0].args.args:
        argument.annotation = None
    tree.body[0].returns = None
    names = {"np": np}
    exec(compile(tree, "vak", "exec"), names)
    return names["from_segments"]


def frames(path):
    with wave.open(str(path)) as file:
        samples = round(file.getnframes() * RATE / file.getframerate())
    return 1 + (samples - LENGTH) // HOP


def songs():
    finch = BIRDS / "bengalese_finch_Bird0"
    found = crowsetta.formats.seq.BirdsongRec.from_file(finch / "Annotation.xml", wav_path=finch / "Wave").to_annot(round_times=False)
    for annotation in found:
        segments = [(s.onset_s, s.offset_s, s.label) for s in annotation.seq.segments]
        yield finch / "Wave" / pathlib.Path(annotation.notated_path).name, segments
    other = BIRDS / "bengalese_finch_gy6or6"
    with open(other / "annotations.csv") as file:
        rows = list(csv.DictReader(file))
    for name in dict.fromkeys(row["file"] for row in rows):
        yield other / name, [(float(r["onset_s"]), float(r["offset_s"]), r["label"]) for r in rows if r["file"] == name]


def goldens():
    from_segments = vak_function()
    found = {}
    for path, segments in songs():
        names = sorted({label for _, _, label in segments})
        bins = FRAMES["first"] + np.arange(frames(path)) * FRAMES["period"]
        onsets, offsets = np.array([s[0] for s in segments]), np.array([s[1] for s in segments])
        labels = from_segments([names.index(s[2]) for s in segments], onsets, offsets, bins, background_label=-1)
        edges = [0, *(np.flatnonzero(np.diff(labels)) + 1), len(labels)]
        found[str(path.relative_to(BIRDS))] = {
            "frames": len(labels), "segments": segments,
            "vak": [[int(a), int(b - a), names[labels[a]]] for a, b in zip(edges, edges[1:]) if labels[a] >= 0]}
    return {"frame": FRAMES, "songs": found, "generator": {
        "script": pathlib.Path(__file__).name, "python": sys.version.split()[0],
        **{name: version(name) for name in ("crowsetta", "vak", "numpy")}}}


if __name__ == "__main__":
    target = HERE / "frame-label-goldens.json"
    text = json.dumps(goldens(), ensure_ascii=False, sort_keys=True).replace('"birds', '\n"birds').replace('{"frames"', '\n{"frames"') + "\n"
    if "--check" in sys.argv:
        sys.exit(0 if target.read_text() == text else f"{target.name} differs")
    target.write_text(text)
