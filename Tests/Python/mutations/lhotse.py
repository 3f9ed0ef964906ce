"""lhotse's manifests: lhotse.readthedocs.io/en/latest/corpus.html and cuts.html; lhotse/supervision.py (channel: 0 if missing),
lhotse/qa.py (the length of a recording may differ by 25 ms)."""

import json
from copy import deepcopy

from .expectations import CHANGED, ERROR, NEUTRAL, REMARKED, SAME
from .files import GONE, add, both, convert_key, double_line, drop_line, dump, edit, move, put, record, remove, rename_key, sub
from .samples import Sample
from .sounds import recording

DOC = "lhotse.readthedocs.io/en/latest/corpus.html, cuts.html; lhotse/supervision.py, lhotse/qa.py"


def described(name, path, channels):
    return {"id": name, "sources": [{"type": "file", "channels": channels, "source": path}], "sampling_rate": 8000,
            "num_samples": 8000, "duration": 1.0,
            "channel_ids": channels}


R1, R2 = described("r1", "a.wav", [0, 1]), described("r2", "b.wav", [0])


def supervision(name, of, start, duration, channel, text, speaker):
    return {"id": name, "recording_id": of, "start": start, "duration": duration, "channel": channel, "text": text,
            "language": "de", "speaker": speaker,
            "gender": "f", "custom": {"snr": 10}}


SUPERVISIONS = [
    supervision("s1", "r1", 0.2, 0.3, 1, "eins", "k"), supervision("s2", "r1", 0.2, 0.3, 0, "zwei", "l"),
    supervision("s3", "r2", 0.0, 1.0, 0, "fünf", "k"), supervision("s4", "r2", 0.5, 0.5, 0, "vier", "k")]
WAVES = {"data/a.wav": recording("AB"), "data/b.wav": recording("C")}
TRUTH = {
    "s1": {"sound": "B@0.20-0.50", "text": "eins", "speaker": "k", "snr": "10", "gender": "f"},
    "s2": {"sound": "A@0.20-0.50", "speaker": "l"},
    "s3": {"sound": "C@0.00-1.00", "text": "fünf"}, "s4": {"sound": "C@0.50-1.00", "language": "de"}}
pair = Sample("lhotse, supervisions", DOC, {"data/recordings.jsonl": dump([R1, R2]).encode(),
    "data/supervisions.jsonl": dump(SUPERVISIONS).encode(), **WAVES}, ("extract", "data"), TRUTH)
UNREAD = ("metadata-unread", "columns-unused")
pair.encodings("data/supervisions.jsonl", utf16=NEUTRAL | ERROR(), mark=NEUTRAL | ERROR())
pair.text(
    "data/supervisions.jsonl",
    ("supervisions: the other channel", record(0, channel=0), CHANGED({"s1": {"sound": "A@0.20-0.50", "channel": 0}})),
    ("supervisions: no channel", record(0, channel=GONE), CHANGED({"s1": {"sound": "A@0.20-0.50", "channel": 0}}) | ERROR()
     | REMARKED("channels-chosen")),
    ("supervisions: both channels", record(0, channel=[0, 1]), CHANGED({"s1": {"sound": "A+B@0.20-0.50"}}, free=["channel"])),
    ("supervisions: a channel that is not there", record(2, channel=1), ERROR()),
    ("supervisions: an unknown recording", record(2, recording_id="r9"), ERROR()),
    ("supervisions: key text renamed", rename_key("text", "transcript"), REMARKED(*UNREAD) | ERROR()),
    ("supervisions: key text renamed in one", rename_key("text", "Text", 2), REMARKED(*UNREAD) | ERROR()),
    ("supervisions: key speaker renamed", rename_key("speaker", "spk"), REMARKED(*UNREAD) | ERROR()),
    ("supervisions: key start renamed", rename_key("start", "begin"), ERROR() | REMARKED(*UNREAD)),
    ("supervisions: key duration renamed", rename_key("duration", "dur"), ERROR() | REMARKED(*UNREAD)),
    ("supervisions: a speaker missing", record(0, speaker=GONE), CHANGED({"s1": {"speaker": ""}})),
    ("supervisions: custom missing", record(0, custom=GONE), CHANGED({"s1": {"snr": ""}})),
    ("supervisions: another custom field", record(0, custom={"snr": 10, "emotion": "glad"}),
     CHANGED({"s1": {"emotion": "glad"}})),
    ("supervisions: an alignment", record(0, alignment={"word": [["eins", 0.2, 0.3, None]]}),
     REMARKED("metadata-unread", "annotations-unused") | CHANGED(free=["alignment"])),
    ("supervisions: in milliseconds", convert_key("start", lambda x: x * 1000), convert_key("duration", lambda x: x * 1000),
     ERROR("supervisions.jsonl", "a.wav")),
    ("supervisions: an end 0.3 s late", record(3, duration=0.8), ERROR("supervisions.jsonl", "b.wav") | REMARKED("ends-cut")),
    ("supervisions: a start after the recording", record(3, start=1.2), ERROR("supervisions.jsonl", "b.wav")),
    ("supervisions: a line dropped", drop_line(3), CHANGED({"s4": None})),
    ("supervisions: a line twice", double_line(3), ERROR()),
    ("supervisions: all of a recording dropped", drop_line(3), drop_line(2),
     REMARKED("recordings-without-annotations", change=CHANGED({"s3": None, "s4": None}))))
LENGTH = ERROR("recordings.jsonl", "b.wav") | REMARKED("lengths-differ")
pair.text(
    "data/recordings.jsonl",
    # lhotse: what is declared and the recording does not have, except for 25 ms, is an error when it is loaded.
    ("recordings: half the length", record(1, num_samples=4000, duration=0.5), LENGTH),
    ("recordings: twice the length", record(1, num_samples=16000, duration=2.0), LENGTH),
    ("recordings: 12 ms longer", record(1, num_samples=8100, duration=1.0125), NEUTRAL | SAME),
    ("recordings: samples and seconds that disagree", record(1, num_samples=4000), LENGTH),
    ("recordings: another rate", record(1, sampling_rate=16000, num_samples=16000), ERROR("recordings.jsonl", "b.wav")),
    ("recordings: an id twice", double_line(1), ERROR()),
    ("recordings: a line dropped", drop_line(1), ERROR("supervisions.jsonl", "recordings.jsonl")),
    ("recordings: no sources", record(1, sources=[]), ERROR()),
    ("recordings: a command", record(1, sources__0__type="command"), ERROR()),
    ("recordings: an address", record(1, sources__0__type="url"), ERROR()),
    ("recordings: to be changed", record(1, transforms=[{"name": "Speed", "kwargs": {"factor": 1.1}}]), ERROR()),
    ("recordings: a missing recording", record(1, sources__0__source="missing.wav"), ERROR("missing.wav")),
    ("recordings: channels exchanged", record(0, sources__0__channels=[1, 0]),
     CHANGED({"s1": {"sound": "A@0.20-0.50"}, "s2": {"sound": "B@0.20-0.50"}}, free=["channel"])),
    ("recordings: one channel more than the file has", record(1, sources__0__channels=[0, 1], channel_ids=[0, 1]),
     ERROR("recordings.jsonl", "b.wav") | CHANGED(free=["channel"]) | REMARKED("channels-chosen")),
    ("recordings: key sources renamed", rename_key("sources", "source"), ERROR("recordings.jsonl", "data")))
pair.change("recordings: one without supervisions", "data/recordings.jsonl", both(
    edit("data/recordings.jsonl", lambda text: text + dump([described("r3", "c.wav", [0])])), add("data/c.wav", recording("E"))),
    REMARKED("recordings-without-annotations", change=SAME))
pair.change("supervisions missing", "data/supervisions.jsonl", remove("data/supervisions.jsonl"), CHANGED(
    {**{key: None for key in TRUTH}, "r1": {"sound": "A+B@0.00-1.00"}, "r2": {"sound": "C@0.00-1.00"}}))
pair.change("supervisions renamed", "data/supervisions.jsonl", move("data/supervisions.jsonl", "data/segments.jsonl"),
            REMARKED("tables-unclaimed", "supervisions-left-out", "metadata-unread"))
pair.change("recordings missing", "data/recordings.jsonl", remove("data/recordings.jsonl"), ERROR("data")
            | REMARKED("tables-unclaimed", "supervisions-left-out", "metadata-unread"))
pair.change("supervisions of another part", "data/supervisions_dev.jsonl",
            add("data/supervisions_dev.jsonl", dump(SUPERVISIONS[:1])),
            REMARKED("tables-unclaimed", "supervisions-left-out", "splits-left-out", change=SAME))
CUT = {"id": "c1", "start": 0.2, "duration": 0.3, "channel": 1, "supervisions": [deepcopy(SUPERVISIONS[0])], "recording": R1,
       "type": "MonoCut"}
CUT["supervisions"][0].update(start=0.0)
pair.change("cuts beside", "data/cuts.jsonl", add("data/cuts.jsonl", dump([CUT])),
            REMARKED("tables-unclaimed", "supervisions-left-out", "metadata-unread", change=SAME))
pair.change("a recording missing", "data/b.wav", remove("data/b.wav"), ERROR())
pair.change("a recording of another length", "data/b.wav", put("data/b.wav", recording("C", 0.5)), LENGTH)
pair.change("a recording of another rate", "data/b.wav", put("data/b.wav", recording("C", rate=16000)),
            ERROR("recordings.jsonl", "b.wav"))

SECOND = {"id": "c2", "start": 0.0, "duration": 1.0, "channel": 0, "supervisions": [{**SUPERVISIONS[2]}], "recording": R2,
          "type": "MonoCut"}
cuts = Sample("lhotse, cuts", DOC, {"data/cuts.jsonl": dump([CUT, SECOND]).encode(), **WAVES}, ("extract", "data/cuts.jsonl"), {
    "c1": {"sound": "B@0.20-0.50", "text": "eins", "snr": "10"}, "c2": {"sound": "C@0.00-1.00", "text": "fünf", "snr": "10"}})
cuts.encodings("data/cuts.jsonl", utf16=NEUTRAL | ERROR(), mark=NEUTRAL | ERROR(), blank=None)
other = {**SUPERVISIONS[2], "id": "s9", "text": "neun"}
cuts.text(
    "data/cuts.jsonl",
    ("the other channel", record(0, channel=0), CHANGED({"c1": {"sound": "A@0.20-0.50", "channel": 0}})
     | REMARKED("supervisions-left-out", "channels-chosen")),
    ("a channel that is not there", record(1, channel=1), ERROR()),
    ("custom of a cut, empty", record(1, custom={}), NEUTRAL),
    ("custom of a cut", record(1, custom={"shard_origin": 3}), CHANGED({"c2": {"shard_origin": "3"}})),
    ("custom of a cut with the name of its supervision's", record(1, custom={"snr": 20}),
     REMARKED("columns-chosen", "metadata-unread") | CHANGED({"c2": {"snr": "20", "supervision_snr": "10"}}) | ERROR()),
    ("two supervisions", record(1, supervisions=[SUPERVISIONS[2], other]), CHANGED({"c2": {"text": "fünf neun"}})),
    ("two supervisions of different custom fields", record(1, supervisions=[SUPERVISIONS[2], {**other, "custom": {"snr": 99}}]),
     REMARKED("columns-chosen", "metadata-unread", "supervisions-left-out") | CHANGED(
         {"c2": {"text": "fünf neun", "snr": "[10,99]"}})),
    ("two supervisions of different speakers", record(1, supervisions=[SUPERVISIONS[2], {**other, "speaker": "zz"}]),
     REMARKED("columns-chosen", "metadata-unread", "supervisions-left-out") | CHANGED(
         {"c2": {"text": "fünf neun", "speaker": json.dumps([SUPERVISIONS[2]["speaker"], "zz"], separators=(",", ":"), ensure_ascii=False)}})),
    ("a supervision of another channel", record(0, supervisions=[CUT["supervisions"][0],
        {**CUT["supervisions"][0], "id": "s8", "channel": 0, "text": "falsch"}]),
     REMARKED("supervisions-left-out", "channels-chosen", change=SAME)),
    ("no supervisions", record(1, supervisions=[]), CHANGED({"c2": {"text": "", "speaker": "", "language": "", "gender": "",
        "snr": ""}})),
    ("a mixed cut", record(1, type="MixedCut"), ERROR()),
    ("no type", record(1, type=GONE), NEUTRAL),
    ("no recording", record(1, recording=GONE), ERROR()),
    ("features in addition", record(1, features={"type": "fbank", "num_frames": 100}), NEUTRAL),
    ("half the length of the recording", record(1, recording={**R2, "num_samples": 4000, "duration": 0.5}, duration=0.5),
     ERROR("cuts.jsonl", "b.wav") | REMARKED("lengths-differ")),
    ("another rate of the recording", record(1, recording={**R2, "sampling_rate": 16000, "num_samples": 16000}),
     ERROR("cuts.jsonl", "b.wav")),
    ("an end 0.3 s late", record(1, start=0.5, duration=0.8), ERROR("cuts.jsonl", "b.wav") | REMARKED("ends-cut")),
    ("another part", record(1, start=0.5, duration=0.5), CHANGED({"c2": {"sound": "C@0.50-1.00", "start": 0.5}})
     | REMARKED("supervisions-left-out")),
    ("key start renamed", rename_key("start", "offset"), ERROR() | REMARKED(*UNREAD)),
    ("key channel renamed", rename_key("channel", "channels"), ERROR() | REMARKED(*UNREAD, "channels-chosen")),
    ("key supervisions renamed", rename_key("supervisions", "supervision"), REMARKED(*UNREAD, "supervisions-left-out") | ERROR()),
    ("a key of another program", record(1, label="five"), REMARKED(*UNREAD) | ERROR() | CHANGED({"c2": {"label": "five"}})),
    ("a line dropped", drop_line(1), CHANGED({"c2": None})),
    ("a line twice", double_line(1), ERROR()))
