"""NeMo's manifests: docs.nvidia.com/nemo-framework/user-guide/latest/nemotoolkit/asr/datasets.html; nemo/collections/common/parts/
preprocessing/manifest.py (offset None is 0, duration is passed on) and audio_to_label.py."""

from .expectations import ASSUMED, CHANGED, ERROR, NEUTRAL, REMARKED, SAME
from .files import GONE, add, convert_key, double_line, drop_line, dump, move, put, record, rename_key, sub
from .samples import Sample
from .sounds import recording

OBJECTS = [
    {"audio_filepath": "a.wav", "offset": 0.2, "duration": 0.3, "text": "eins", "label": "one"},
    {"audio_filepath": "a.wav", "offset": 0.5, "duration": 0.4, "text": "zwei", "label": "two"},
    {"audio_filepath": "b.wav", "duration": 1.0, "text": "fünf", "label": "five"}]
nemo = Sample(
    "NeMo", "docs.nvidia.com/nemo-framework/user-guide/latest/nemotoolkit/asr/datasets.html",
    {"m.json": dump(OBJECTS).encode(), "a.wav": recording("A"), "b.wav": recording("C"), "call.wav": recording("DE")},
    ("extract", "m.json"), {
        "a#0.2-0.5": {"sound": "A@0.20-0.50", "text": "eins", "label": "one"},
        "a#0.5-0.9": {"sound": "A@0.50-0.90", "text": "zwei"},
        "b": {"sound": "C@0.00-1.00", "text": "fünf", "label": "five"}})
FROM_ZERO = {"like": "b", "sound": "C@0.00-0.50"}
PART = CHANGED({"a#0.2-0.5": None, "a": {"like": "a#0.2-0.5", "sound": "A@0.00-0.30", "start": 0}}) | CHANGED(
    {"a#0.2-0.5": None, "a#0-0.3": {"like": "a#0.2-0.5", "sound": "A@0.00-0.30", "start": 0}})
nemo.encodings("m.json", latin1=ASSUMED, utf16=NEUTRAL | ERROR(), mark=NEUTRAL | ERROR())
nemo.text(
    "m.json",
    # NeMo reads `duration` seconds from `offset`, which is 0 if it is missing.
    ("a duration of a part, without an offset", record(2, duration=0.5), CHANGED({"b": None, "b#0-0.5": FROM_ZERO})
     | CHANGED({"b": {"sound": "C@0.00-0.50"}})),
    ("a duration rounded up", record(2, duration=1.004), NEUTRAL),
    ("a duration rounded down", record(2, duration=0.996), NEUTRAL),
    ("a duration longer than the recording", record(2, duration=1.5), ERROR("b.wav", "m.json") | REMARKED("lengths-differ")),
    ("a duration in milliseconds", record(2, duration=1000), ERROR("b.wav", "m.json") | REMARKED("lengths-differ")),
    ("all times in milliseconds", convert_key("offset", lambda x: x * 1000), convert_key("duration", lambda x: x * 1000),
     ERROR("m.json", "a.wav")),
    ("a duration null", record(2, duration=None), NEUTRAL),
    ("a duration missing", record(2, duration=GONE), NEUTRAL),
    ("an offset 0 with the whole duration", record(2, offset=0), NEUTRAL | CHANGED({"b": None, "b#0-1": {"like": "b"}})),
    ("an offset null", record(0, offset=None), PART),
    ("an offset missing", record(0, offset=GONE), PART),
    ("a duration null with an offset", record(1, duration=None),
     CHANGED({"a#0.5-0.9": None, "a#0.5-": {"like": "a#0.5-0.9", "sound": "A@0.50-1.00"}})),
    ("an offset after the recording", record(1, offset=1.5), ERROR("a.wav", "m.json")),
    ("key offset renamed", rename_key("offset", "start"), SAME | ERROR() | REMARKED("columns-unused", "columns-chosen")),
    ("key offset as start_time", rename_key("offset", "start_time"), SAME | ERROR()
     | REMARKED("columns-unused", "columns-chosen")),
    ("key duration renamed", rename_key("duration", "dur"), ERROR() | REMARKED("columns-unused", "lengths-differ")),
    ("key duration in another case", rename_key("duration", "Duration"), ERROR() | REMARKED("columns-unused", "lengths-differ")
     | SAME),
    ("key text renamed", rename_key("text", "transcript"), CHANGED(columns={"text": "transcript"})),
    ("key audio_filepath renamed", rename_key("audio_filepath", "audio"), ERROR()),
    ("key audio_filepath renamed in one line", rename_key("audio_filepath", "audio_file", 2), ERROR()),
    ("key audio_filepath in another case", rename_key("audio_filepath", "Audio_Filepath"), ERROR() | SAME),
    ("key label as command", rename_key("label", "command"), SAME),
    ("label and command", record(2, command="other"), REMARKED("columns-chosen", "columns-unused")
     | CHANGED({"b": {"command": "other"}}) | ERROR()),
    ("a channel of two", record(2, audio_filepath="call.wav", channel=1),
     CHANGED({"b": None, "call#ch1": {"like": "b", "path": "call.wav", "sound": "E@0.00-1.00", "channel": 1}})),
    ("a channel that is not there", record(2, channel=1), ERROR("b.wav", "m.json")),
    ("a list of two recordings", record(2, audio_filepath=["a.wav", "b.wav"]), ERROR()),
    ("a row dropped", drop_line(1), CHANGED({"a#0.5-0.9": None})),
    ("a row twice", double_line(1), ERROR()),
    ("a missing recording", record(2, audio_filepath="missing.wav"), ERROR("missing.wav")),
    ("one array of all", lambda text: "[" + ",\n".join(text.strip().split("\n")) + "]\n", ERROR() | SAME),
    ("numbers as texts", record(0, offset="0.2", duration="0.3"), NEUTRAL))
nemo.change("a recording renamed", "b.wav", move("b.wav", "b2.wav"), ERROR())
nemo.change("a recording of another length", "b.wav", put("b.wav", recording("C", 0.5)), ERROR() | REMARKED("lengths-differ"))
nemo.change("a recording beside that no line names", "x.wav", add("x.wav", recording("F")), NEUTRAL)
