#!/usr/bin/env python3
"""Writes lhotse's and Kaldi's descriptions of recordings that Tests/Python/test_formats.py makes, with lhotse itself.

    pip install lhotse==1.33.0 && python make.py

The recordings do not exist here: their paths are relative, and their lengths are written down.
"""
import pathlib
import shutil

import lhotse
from lhotse import CutSet, Recording, RecordingSet, SupervisionSegment, SupervisionSet
from lhotse.audio import AudioSource
from lhotse.kaldi import export_to_kaldi

assert lhotse.__version__ == "1.33.0"
here = pathlib.Path(__file__).parent


def recording(name, rate, samples, sources):
    return Recording(id=name, sampling_rate=rate, num_samples=samples, duration=samples / rate, sources=sources)


def file(path, channels):
    return AudioSource(type="file", channels=channels, source=path)


recordings = RecordingSet.from_recordings([
    recording("one", 16_000, 16_000, [file("audio/one.wav", [0])]),
    recording("stereo", 16_000, 24_000, [file("audio/stereo.wav", [0, 1])]),
    recording("array", 16_000, 16_000, [file("audio/left.wav", [0]), file("audio/right.wav", [1])]),
])
supervisions = SupervisionSet.from_segments([
    SupervisionSegment("one-whole", "one", 0.0, 1.0, 0, text="the whole of it", speaker="s1", language="en", gender="F"),
    SupervisionSegment("one-part", "one", 0.25, 0.5, 0, text="a \u201cpart\u201d, größer", speaker="s1", language="en",
                       custom={"label": "wren", "snr": 12.5, "tags": ["a", "b"]}),
    SupervisionSegment("stereo-right", "stereo", 0.1, 0.7, 1, text="right", speaker="s2"),
    SupervisionSegment("stereo-both", "stereo", 0.5, 1.0, [0, 1], text="both", speaker="s2"),
    SupervisionSegment("array-right", "array", 0.0, 1.0, 1, text="second file", speaker="s3"),
])
target = here / "lhotse"
shutil.rmtree(target, ignore_errors=True)
target.mkdir()
recordings.to_file(target / "demo_recordings_train-clean-5.jsonl.gz")
supervisions.to_file(target / "demo_supervisions_train-clean-5.jsonl.gz")
cuts = CutSet.from_manifests(recordings=recordings, supervisions=supervisions.filter(lambda s: s.recording_id == "one"))
cuts = CutSet.from_cuts([cut for cut in cuts if cut.recording_id == "one"]).trim_to_supervisions(keep_overlapping=False)
cuts.to_file(here / "cuts.jsonl")
CutSet.from_cuts([next(iter(cuts)).pad(duration=2.0)]).to_file(here / "mixed.jsonl")

target = here / "kaldi"
shutil.rmtree(target, ignore_errors=True)
single = recordings.filter(lambda r: r.id == "one")
export_to_kaldi(single, supervisions.filter(lambda s: s.recording_id == "one"), target, map_underscores_to="-")
