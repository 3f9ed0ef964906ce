"""Kaldi's data directories: kaldi-asr.org/doc/data_prep.html. Segments and their channel after src/featbin/extract-segments.cc:
channels from 0, an end of -1 is that of the recording, --max-overshoot is 0.5 s, several channels need one to be named."""

from .expectations import CHANGED, ERROR, NEUTRAL, REMARKED, SAME
from .files import add, both, double_line, drop_line, edit, move, put, remove, sub
from .samples import Sample
from .sounds import recording

DOC = "kaldi-asr.org/doc/data_prep.html; kaldi/src/featbin/extract-segments.cc"
FILES = {
    "data/wav.scp": "call a.wav\nr2 b.wav\n",
    "data/segments": "u1 call 0.2 0.5 1\nu2 call 0.2 0.5 0\nu3 r2 0.5 1.0\nu4 r2 0.0 -1\n",
    "data/text": "u1 eins\nu2 zwei drei\nu3 fünf\nu4 vier\n",
    "data/utt2spk": "u1 s1\nu2 s2\nu3 s1\nu4 s2\n",
    "data/spk2utt": "s1 u1 u3\ns2 u2 u4\n",
    "data/spk2gender": "s1 f\ns2 m\n",
    "data/reco2dur": "call 1.0\nr2 1.0\n",
    "a.wav": recording("AB"), "b.wav": recording("C")}
TRUTH = {
    "u1": {"sound": "B@0.20-0.50", "text": "eins", "speaker": "s1", "gender": "f"},
    "u2": {"sound": "A@0.20-0.50", "text": "zwei drei", "speaker": "s2", "gender": "m"},
    "u3": {"sound": "C@0.50-1.00", "text": "fünf"}, "u4": {"sound": "C@0.00-1.00", "text": "vier"}}
kaldi = Sample("Kaldi", DOC, {name: text.encode() if isinstance(text, str) else text for name, text in FILES.items()},
               ("extract", "data"), TRUTH)
UNUSED = ("annotations-unused", "entries-without-recording", "supervisions-left-out")
UNREAD = ("metadata-unread", "tables-unclaimed")
LONGER = CHANGED({key: {"remarks": "lengths-differ"} for key in ("u3", "u4")})
kaldi.encodings("data/text", utf16=NEUTRAL | ERROR(), mark=NEUTRAL | ERROR())
kaldi.encodings("data/segments", latin1=None, utf16=NEUTRAL | ERROR(), mark=NEUTRAL | ERROR())
kaldi.encodings("data/wav.scp", latin1=None, utf16=NEUTRAL | ERROR(), mark=NEUTRAL | ERROR(), blank=None)
kaldi.text(
    "data/segments",
    ("segments: the other channel", sub("0.5 1\n", "0.5 0\n"), CHANGED({"u1": {"sound": "A@0.20-0.50", "channel": 0}})),
    ("segments: a channel that is not there", sub("0.5 1\n", "0.5 2\n"), ERROR("a.wav", "segments")),
    ("segments: channel -1", sub("0.5 1\n", "0.5 -1\n"), ERROR()),
    # extract-segments has numbers alone; B is that of reco2file_and_channel, and cannot mean another one.
    ("segments: a channel as a letter", sub("0.5 1\n", "0.5 B\n"), NEUTRAL),
    ("segments: a channel as a word", sub("0.5 1\n", "0.5 left\n"), ERROR()),
    ("segments: no channel of two", sub("0.5 1\n", "0.5\n"), ERROR("a.wav", "segments") | REMARKED("channels-chosen")
     | CHANGED({"u1": {"sound": "A+B@0.20-0.50"}}, free=["channel"])),
    ("segments: an end 0.3 s late", sub("0.5 1.0\n", "0.5 1.3\n"), REMARKED("ends-cut", change=CHANGED({"u3": {"remarks": "ends-cut"}}))),
    ("segments: an end 0.7 s late", sub("0.5 1.0\n", "0.5 1.7\n"), ERROR("b.wav", "segments")),
    ("segments: an end of -1", sub("0.5 1.0\n", "0.5 -1\n"), NEUTRAL),
    ("segments: another end", sub("0.5 1.0\n", "0.5 0.8\n"), CHANGED({"u3": {"sound": "C@0.50-0.80"}})),
    ("segments: in milliseconds", sub("0.2 0.5 1", "200 500 1"), sub("0.2 0.5 0", "200 500 0"), ERROR("segments", "a.wav")),
    ("segments: a start after the recording", sub("0.5 1.0\n", "1.5 1.7\n"), ERROR("b.wav", "segments")),
    ("segments: an end before its start", sub("0.5 1.0\n", "0.5 0.4\n"), ERROR()),
    ("segments: a field too few", sub("u3 r2 0.5 1.0", "u3 r2 0.5"), ERROR()),
    ("segments: a field too many", sub("0.5 1\n", "0.5 1 x\n"), ERROR()),
    ("segments: an unknown recording", sub("u3 r2", "u3 r9"), ERROR()),
    ("segments: a line dropped", drop_line(2), REMARKED(*UNUSED, change=CHANGED({"u3": None}))),
    ("segments: a line twice", double_line(2), ERROR()),
    ("segments: tabs", sub(" ", "\t", 99), NEUTRAL))
kaldi.text(
    "data/text",
    ("text: a line dropped", drop_line(2), REMARKED("recordings-without-annotations", *UNUSED, *UNREAD,
        change=CHANGED({"u3": {"text": ""}})) | ERROR()),
    ("text: a line of another utterance", sub("u4 vier\n", "u4 vier\nu9 neun\n"), REMARKED(*UNUSED, change=SAME) | ERROR()),
    ("text: a line twice", double_line(2), ERROR()),
    ("text: an id with a capital", sub("u3 ", "U3 "), REMARKED(*UNUSED, "recordings-without-annotations") | ERROR()),
    ("text: another word", sub("eins", "uno"), CHANGED({"u1": {"text": "uno"}})),
    ("text: tabs after the id", sub(" ", "\t", 1), NEUTRAL))
kaldi.text(
    "data/utt2spk",
    ("utt2spk: another speaker", sub("u1 s1", "u1 s2"),
     REMARKED("values-disagree", change=CHANGED({"u1": {"speaker": "s2", "gender": "m"}}))),
    ("utt2spk: a word after the speaker", sub("u1 s1", "u1 s1 x"), ERROR()),
    ("utt2spk: a line dropped", drop_line(0), REMARKED("recordings-without-annotations", *UNUSED, *UNREAD) | ERROR()),
    ("utt2spk: no speaker", sub("u1 s1", "u1"), REMARKED("recordings-without-annotations", *UNUSED, *UNREAD) | ERROR()))
kaldi.text(
    "data/spk2gender",
    ("spk2gender: a line dropped", drop_line(0), REMARKED("recordings-without-annotations", *UNUSED, *UNREAD) | ERROR()
     | CHANGED({"u1": {"gender": ""}, "u3": {"gender": ""}})),
    ("spk2gender: an unknown speaker", sub("s1 f", "s9 f"), REMARKED(*UNUSED, *UNREAD, "recordings-without-annotations")
     | ERROR()))
kaldi.text(
    "data/wav.scp",
    ("wav.scp: a recording dropped", drop_line(1), ERROR("segments", "wav.scp")),
    ("wav.scp: a line twice", double_line(1), ERROR()),
    ("wav.scp: a missing recording", sub("b.wav", "missing.wav"), ERROR("missing.wav")),
    ("wav.scp: a command", sub("b.wav", "sox b.wav -t wav - |"), ERROR()),
    ("wav.scp: a part of an archive", sub("b.wav", "b.ark:16"), ERROR()),
    ("wav.scp: no path", sub("r2 b.wav", "r2"), ERROR()),
    ("wav.scp: the recordings exchanged", sub("a.wav", "t"), sub("b.wav", "a.wav"), sub("t\n", "b.wav\n"),
     ERROR("b.wav", "segments")))
kaldi.change("wav.scp: a recording without a segment", "data/wav.scp",
             both(edit("data/wav.scp", sub("r2 b.wav\n", "r2 b.wav\nr3 c.wav\n")), add("c.wav", recording("E"))),
             REMARKED("recordings-without-annotations", "recordings-not-listed", change=SAME))
kaldi.text(
    "data/reco2dur",
    # A declared length that the recording does not have.
    ("reco2dur: twice the length", sub("r2 1.0", "r2 2.0"), REMARKED("lengths-differ", change=LONGER) | ERROR("reco2dur", "b.wav")),
    ("reco2dur: in milliseconds", sub("r2 1.0", "r2 1000"), REMARKED("lengths-differ", change=LONGER) | ERROR("reco2dur", "b.wav")),
    ("reco2dur: an unknown recording", sub("r2 1.0", "r9 1.0"), NEUTRAL | REMARKED(*UNUSED, *UNREAD)),
    ("reco2dur: rounded", sub("r2 1.0", "r2 1.005"), NEUTRAL))
kaldi.change("segments missing", "data/segments", remove("data/segments"), REMARKED(*UNUSED) | ERROR("segments", "text", "data"))
kaldi.change("segments renamed", "data/segments", move("data/segments", "data/segments.txt"), REMARKED(*UNUSED, *UNREAD)
             | ERROR("segments", "text", "data"))
kaldi.change("text renamed", "data/text", move("data/text", "data/text.txt"), REMARKED(*UNREAD))
kaldi.change("text missing", "data/text", remove("data/text"), CHANGED(columns={"text": None}))
kaldi.change("utt2spk renamed", "data/utt2spk", move("data/utt2spk", "data/utt2speaker.txt"), REMARKED(*UNREAD, *UNUSED))
kaldi.change("utt2spk missing", "data/utt2spk", remove("data/utt2spk"), SAME)
kaldi.change("spk2gender missing", "data/spk2gender", remove("data/spk2gender"), CHANGED(columns={"gender": None}))
kaldi.change("wav.scp renamed", "data/wav.scp", move("data/wav.scp", "data/wavs.scp"), ERROR("data", "wav.scp"))
kaldi.change("a recording missing", "b.wav", remove("b.wav"), ERROR())
kaldi.change("a recording of one channel", "a.wav", put("a.wav", recording("A")), ERROR())
# Files that Kaldi's own steps write into the folder, on which no clip or column depends.
kaldi.change("feats.scp beside", "data/feats.scp",
             both(add("data/feats.scp", "u1 mfcc.ark:5\n"), add("data/cmvn.scp", "s1 cmvn.ark:3\n"),
                  add("data/frame_shift", "0.01\n")), NEUTRAL)
kaldi.change("utt2lang beside", "data/utt2lang", add("data/utt2lang", "u1 de\nu2 de\nu3 de\nu4 en\n"),
             CHANGED({key: {"language": "en" if key == "u4" else "de"} for key in TRUTH}))
kaldi.change("rttm beside", "data/rttm", add("data/rttm", "SPEAKER call 1 0.20 0.30 <NA> <NA> s1 <NA> <NA>\n"),
             REMARKED(*UNREAD, "annotations-unused", change=SAME))
kaldi.change("ctm beside", "data/ctm", add("data/ctm", "call 1 0.20 0.30 eins\n"),
             REMARKED(*UNREAD, "annotations-unused", change=SAME))
kaldi.change("reco2file_and_channel beside", "data/reco2file_and_channel",
             add("data/reco2file_and_channel", "call call A\nr2 b A\n"), NEUTRAL | ERROR("reco2file_and_channel", "segments")
             | REMARKED("channels-chosen"))

# Telephone speech: two recordings of one file, each of a channel (A is 0), as of Switchboard.
PHONE = {
    "data/wav.scp": b"call-A call.wav\ncall-B call.wav\n", "data/reco2file_and_channel": b"call-A call A\ncall-B call B\n",
    "data/segments": b"ua call-A 0.2 0.5\nub call-B 0.2 0.5\n", "data/text": b"ua eins\nub zwei\n",
    "data/utt2spk": b"ua s1\nub s2\n", "data/spk2utt": b"s1 ua\ns2 ub\n", "call.wav": recording("AB")}
phone = Sample("Kaldi, telephone", DOC + "; reco2file_and_channel: 'recording-id file A-or-B'", PHONE, ("extract", "data"), {
    "ua": {"sound": "A@0.20-0.50"}, "ub": {"sound": "B@0.20-0.50"}})
phone.text(
    "data/reco2file_and_channel",
    ("channels exchanged", sub("call A", "call t"), sub("call B", "call A"), sub("call t", "call B"), CHANGED(
        {"ua": {"sound": "B@0.20-0.50"}, "ub": {"sound": "A@0.20-0.50"}}, free=["channel"])),
    ("a channel that is not there", sub("call B", "call C"), ERROR("reco2file_and_channel", "call.wav")),
    ("a line dropped", drop_line(1), ERROR("reco2file_and_channel", "call.wav") | REMARKED("channels-chosen")),
    ("a line twice", double_line(1), ERROR()),
    ("an unknown recording", sub("call-B", "call-X"), ERROR() | REMARKED("channels-chosen", *UNUSED)),
    ("a field too few", sub("call-B call B", "call-B call"), ERROR()),
    ("lower-case channels", sub("call A", "call a"), sub("call B", "call b"), ERROR() | CHANGED(free=["channel"])))
phone.text("data/segments", ("segments contradict the channel", sub("call-B 0.2 0.5", "call-B 0.2 0.5 0"),
                             ERROR("reco2file_and_channel", "segments") | REMARKED("channels-chosen")))
phone.change("reco2file_and_channel missing", "data/reco2file_and_channel", remove("data/reco2file_and_channel"),
             ERROR("call.wav", "segments") | REMARKED("channels-chosen") | CHANGED(
    {"ua": {"sound": "A+B@0.20-0.50"}, "ub": {"sound": "A+B@0.20-0.50"}}, free=["channel"]))

# A recipe's folder: a data directory for each part.
def part(name, ids, path):
    return {f"data/{name}/wav.scp": f"{ids} {path}\n".encode(), f"data/{name}/text": f"{ids} wort\n".encode(),
            f"data/{name}/utt2spk": f"{ids} s{ids}\n".encode()}


parts = Sample("Kaldi, parts", DOC, {**part("train", "u1", "a.wav"), **part("dev", "u2", "b.wav"), **part("test", "u3", "c.wav"),
                                     "a.wav": recording("A"), "b.wav": recording("C"), "c.wav": recording("D")},
                                     ("extract", "data"), {
    "u1": {"sound": "A@0.00-1.00", "split": "train"}, "u2": {"sound": "C@0.00-1.00", "split": "dev"},
    "u3": {"sound": "D@0.00-1.00", "split": "test"}})
parts.change("a part with a name of its own", "data/test", move("data/test", "data/eval2000"), REMARKED("splits-left-out")
             | CHANGED({"u3": {"split": "eval2000"}}) | CHANGED({"u3": {"split": "eval"}}))
parts.change("a part with any name", "data/test", move("data/test", "data/swbd"), REMARKED("splits-left-out")
             | CHANGED({"u3": {"split": ""}}) | CHANGED({"u3": {"split": "swbd"}}))
parts.change("a part with words after its name", "data/train", move("data/train", "data/train_clean"), SAME)
parts.change("another directory", "data/unlabelled",
             both(*[add(name, text) for name, text in part("unlabelled", "u4", "d.wav").items()], add("d.wav", recording("E"))),
             REMARKED("splits-left-out", change=SAME) | CHANGED({"u4": {"sound": "E@0.00-1.00"}}))
parts.change("a folder of the recipe", "data/local/dict/lexicon.txt", add("data/local/dict/lexicon.txt", "wort v o r t\n"),
             NEUTRAL)
parts.change("a part without wav.scp", "data/test/wav.scp", remove("data/test/wav.scp"),
             REMARKED("splits-left-out", *UNREAD, *UNUSED, change=CHANGED({"u3": None})) | ERROR("test"))
parts.change("an id in two parts", "data/test/wav.scp",
             both(edit("data/test/wav.scp", sub("u3", "u1")), edit("data/test/text", sub("u3", "u1")),
                  edit("data/test/utt2spk", sub("u3", "u1"))), ERROR())
parts.change("a text of one part missing", "data/dev/text", remove("data/dev/text"), CHANGED({"u2": {"text": ""}}))
