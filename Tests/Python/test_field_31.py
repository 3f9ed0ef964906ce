"""Cases from the field in which something was silently misread or left out.

Each case is made here after one of the collection's folder `field`, whose README names the source; where the collection is there,
the same holds for the original.
"""

import struct
import subprocess

import pytest
from field_cases import RAVEN, Cases, Seen, noise, remarks, wav
from mutations.files import dump

UNCLAIMED = {"tables-unclaimed", "annotations-unused", "metadata-unread"}
case = Cases()


def rows_of(seen, **values):
    return [row for row in seen.rows if all(row.get(name) == value for name, value in values.items())]


def refuses(seen, *files):
    return seen.status != 0 and any(file in seen.messages for file in files)


def sounds(seen):
    assert seen.status == 0, seen.messages
    return {row["id"]: row["tensor_xxh3"] for row in seen.rows}


# --- Channels

def array():
    return {"array.flac": noise(1, 4, 2),
            "array.Table.1.selections.txt": RAVEN + "1\tSpectrogram 1\t1\t0.5\t1.5\t500\t5000\tbird\n"
            "2\tSpectrogram 2\t2\t0.5\t1.5\t2000\t4000\ttone\n3\tSpectrogram 2\t2\t2.0\t3.0\t2000\t4000\ttone\n"}


@case("a selection is of its channel", "bio/25_raven_channels", array)
def check(look):
    seen = look("clips", ".")
    assert seen.status == 0, seen.messages
    found = sorted((float(row["start"]), row["label"], row.get("channel", "")) for row in seen.rows)
    assert found == [(0.5, "bird", "0"), (0.5, "tone", "1"), (2.0, "tone", "1")]


@case("windows of a channel have its labels", "bio/25_raven_channels", array)
def check(look):
    (look.folder).mkdir(exist_ok=True)
    table = look.folder / "m.csv"
    table.write_text(f"path,id,channel\n{look.data / 'array.flac'},c0,0\n{look.data / 'array.flac'},c1,1\n")
    seen = look("clips", table, "--window", "1s")
    assert seen.status == 0, seen.messages
    labels = {row["id"]: row["label"] for row in seen.rows}
    assert labels["c0#0-1"] == "bird" and labels["c1#0-1"] == "tone" and labels["c0#2-3"] == "" and labels["c1#2-3"] == "tone"


@case("a picture of a channel has its boxes", "bio/25_raven_channels", array)
def check(look):
    table = "array.Table.1.selections.txt"
    head, *rows = (look.data / table).read_text().splitlines()
    look.folder.mkdir(exist_ok=True)
    (look.folder / table).write_text("\n".join([head, *(row for row in rows if row.split("\t")[2] == "1")]) + "\n")
    pictures = []
    for folder in (look.data, look.folder):
        picture = look.folder / f"{len(pictures)}.png"
        words = [look.program, "render", look.data / "array.flac", "--channel", "0", "--annotations", folder / table, "-o",
                 picture]
        ended = subprocess.run(words, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr
        pictures.append(picture.read_bytes())
    assert pictures[0] == pictures[1], "boxes of another channel are drawn"


@case("reco2file_and_channel gives the channel", "speech/05-kaldi-reco2file", lambda: {
    "wav.scp": "call-A call.wav\ncall-B call.wav\n", "segments": "u1-A call-A 0.0 1.0\nu2-B call-B 0.5 1.5\n",
    "reco2file_and_channel": "call-A call A\ncall-B call B\n",
    "call.wav": wav(2, 2, 2, 8000)})
def check(look):
    seen = look("extract", ".")
    if refuses(seen, "call.wav", "segments", "wav.scp", "reco2file_and_channel"):
        return
    found = sounds(seen)
    row = next(row for row in seen.rows if row["id"].endswith("B"))
    start, end = row["start"], row["start"] + row["duration"]
    assert found[row["id"]] == look.parts(("call.wav", start, end, 1))[0]


@case("rows that differ in the channel alone", "speech/31-stereo-rows", lambda: {
    "m.csv": "path,channel,speaker\ncall.wav,0,agent\ncall.wav,1,customer\n", "call.wav": wav(2, 2, 2, 8000)})
def check(look):
    seen = look("extract", "m.csv")
    assert seen.status == 0 and [row["id"] for row in seen.rows] == ["call#ch0", "call#ch1"], seen.messages


def calls():
    return {
        "call.wav": wav(3, 2, 2, 8000), "m.csv": "path,channel,id\ncall.wav,0,agent\ncall.wav,1,customer\n",
        "one.csv": "path,id,channel\ncall.wav,customer,1\n",
        "seg.csv": "path,start,end,label,channel\ncall.wav,0.1,0.7,agent,0\ncall.wav,0.5,1.2,customer,1\n",
        "agent_only.csv": "path,start,end,label,channel\ncall.wav,0.1,0.7,agent,0\n"}


@case("labels of frames are those of the channel", "speech/50-diar", calls)
def check(look):
    seen = look("extract", "m.csv", "--frame-labels", "seg.csv")
    labels = {row["id"]: row["frame_labels"] for row in seen.rows}
    assert "agent" in labels["agent"] and "customer" not in labels["agent"]
    assert "customer" in labels["customer"] and "agent" not in labels["customer"]


@case("clips of a channel are those of its annotations", "speech/50-diar", calls)
def check(look):
    seen = look("clips", "m.csv", "--annotations", "seg.csv")
    assert sorted((row["label"], row["channel"]) for row in seen.rows) == [("agent", "0"), ("customer", "1")], seen.messages


@case("an annotation's channel is that of the clip", "speech/50-diar", calls)
def check(look):
    seen = look("clips", "call.wav", "--annotations", "seg.csv")
    assert sorted((row["label"], row.get("channel", "")) for row in seen.rows) == [("agent", "0"),
        ("customer", "1")], seen.messages


@case("annotations of another channel mark nothing", "speech/50-diar", calls)
def check(look):
    seen = look("extract", "one.csv", "--frame-labels", "agent_only.csv")
    if not refuses(seen, "agent_only.csv"):
        assert [row["frame_labels"].split(":")[0] for row in seen.rows] == ["-"] and len(seen.rows[0]["frame_labels"].split()) == 1
        assert remarks(seen, "annotations-unused", "channels-chosen", "recordings-without-annotations"), seen.messages


CLUSTER = "INDIR,FOLDER,IN FILE,CHANNEL,OFFSET,DURATION,Fmin,Fmean,Fmax,DATE,TIME,HOUR,TOP1MATCH,TOP1DIST,MANUAL ID\n"


@case("Kaleidoscope's channel", "bio/04_kaleidoscope", lambda: {
    "Data/SM4A_20230517_193000.flac": noise(4, 8, 2),
    "cluster.csv": CLUSTER + "D:\\Rec,Data,SM4A_20230517_193000.flac,0,1.25,0.8,2100,2500,3100,2023-05-17,19:30:01,19,Cluster 3,0.41,EUNI\n"
    "D:\\Rec,Data,SM4A_20230517_193000.flac,1,5.5,1.2,2100,2500,3100,2023-05-17,19:30:05,19,Cluster 3,0.52,EUNI\n"})
def check(look):
    seen = look("clips", "cluster.csv")
    assert seen.status == 0 and seen.rows, seen.messages
    # The recordings of the collection have one channel, of which nothing is to be said.
    channels = [row.get("channel", "") for row in seen.rows]
    assert not any("CHANNEL" in name for name in seen.rows[0]) and channels in (["0", "1"], [""] * len(channels)), seen.rows[0]


# --- Times


@case("times of Raven that count over several files", "bio/02_raven_cumulative/b", lambda: {
    "A_20240612_053000.flac": noise(5, 5), "B_20240612_054000.flac": noise(6, 10), "deployment.Table.1.selections.txt":
    RAVEN.replace("Species", "Begin File\tSpecies") + "1\tSpectrogram 1\t1\t1.0\t2.5\t2000\t6000\tA_20240612_053000.flac\tWOTH\n"
    "2\tSpectrogram 1\t1\t6.0\t7.0\t2000\t6000\tB_20240612_054000.flac\tWOTH\n3\tSpectrogram 1\t1\t8.5\t9.5\t2000\t6000\tB_20240612_054000.flac\tEATO\n"})
def check(look):
    seen = look("clips", "deployment.Table.1.selections.txt")
    if not refuses(seen, "deployment.Table.1.selections.txt"):
        assert sorted(float(row["start"]) for row in seen.rows if row["path"].endswith("B_20240612_054000.flac")) == [1.0,
            3.5], seen.messages


@case("a segment of Kaldi that ends late", "speech/04-kaldi-overshoot", lambda: {
    "wav.scp": "r1 a.wav\n", "segments": "u1 r1 0.0 0.7\nu2 r1 0.7 1.53\nu3 r1 1.2 -1\n", "a.wav": wav(7, 1.5)})
def check(look):
    seen = look("extract", ".")
    assert seen.status == 0 and len(seen.rows) == 3, seen.messages
    assert sounds(seen)["u2"] == look.parts(("a.wav", 0.7, "", ""))[0] and remarks(look("extract", "."), "ends-cut")


@case("what lhotse declares of the rate", "speech/07-lhotse-source", lambda: {
    "a.wav": wav(7, 1.5), "wrongrate.jsonl": dump([{
        "id": "r1-0", "start": 0.2, "duration": 1.0, "channel": 0, "supervisions": [], "type": "MonoCut",
        "recording": {"id": "r1", "sources": [{"type": "file", "channels": [0], "source": "a.wav"}], "sampling_rate": 8000,
                      "num_samples": 12000, "duration": 1.5}}])})
def check(look):
    seen = look("extract", "wrongrate.jsonl")
    assert refuses(seen, "a.wav", "wrongrate.jsonl") or remarks(seen, "lengths-differ"), seen.messages


@case("durations of NeMo that are not those of the recordings", "speech/08-nemo", lambda: {
    "a.wav": wav(7, 1.5), "b.wav": wav(8, 2), "wrongdur.json": dump([{"audio_filepath": "a.wav", "duration": 1.4, "text": "p"},
        {"audio_filepath": "b.wav", "duration": 2.3, "text": "q"}])})
def check(look):
    seen = look("extract", "wrongdur.json")
    assert refuses(seen, "b.wav") or remarks(seen, "lengths-differ"), seen.messages
    assert [row["duration"] for row in seen.rows if row["path"] == "a.wav"] == pytest.approx([1.4]) or seen.status == 1


def half():
    return {"b.wav": wav(8, 2), "m.json": dump([{"audio_filepath": "b.wav", "duration": 0.5, "text": "half"}]),
            "m0.json": dump([{"audio_filepath": "b.wav", "offset": 0, "duration": 0.5, "text": "half"}])}


@case("a duration of NeMo without an offset", "speech/63-nemo-duration", half)
def check(look):
    assert list(sounds(look("extract", "m.json")).values()) == look.parts(("b.wav", 0, 0.5, ""))


@case("a duration of NeMo without an offset in JSON Lines and in CSV", "speech/63-nemo-duration", half)
def check(look):
    with_offset = look("extract", "m0.json").rows
    without = look("extract", "m.json").rows
    assert [row["tensor_xxh3"] for row in without] == [row["tensor_xxh3"] for row in with_offset]


def rounded():
    return {
        "u1.wav": wav(11, 1.496375), "u2.wav": wav(12, 1.49375), "u3.wav": wav(13, 1.99375),
        "m.csv": "path,text,duration\nu1.wav,hi,1.50\nu2.wav,yo,1.49\nu3.wav,aha,1.99\n",
        "m2.csv": "wav_filename,wav_filesize,transcript,duration\nu1.wav,1,hi,1.50\nu3.wav,2,yo,2\n",
        "ms.csv": "path,text,duration\nu1.wav,hi,1500\nu3.wav,aha,1994\n",
        "m.jsonl": dump([{"path": "u1.wav", "duration": 1.5}, {"path": "u3.wav", "duration": 1.99}])}


for table, options, recordings in [
    ("m.csv", [], ["u1", "u2", "u3"]), ("m2.csv", ["--column", "path=wav_filename"], ["u1", "u3"]),
    ("m.jsonl", [], ["u1", "u3"])]:
    @case(f"rounded durations are those of whole recordings: {table}", "speech/45-csv-duration", rounded)
    def check(look, table=table, options=options, recordings=recordings):
        seen = look("extract", table, *options)
        assert seen.status == 0 and [row["id"] for row in seen.rows] == recordings, seen.messages
        assert list(sounds(seen).values()) == look.parts(*[(f"{name}.wav", "", "", "") for name in recordings])


@case("durations in milliseconds", "speech/45-csv-duration", rounded)
def check(look):
    seen = look("extract", "ms.csv")
    if seen.status == 0:
        assert list(sounds(seen).values()) == look.parts(("u1.wav", "", "", ""), ("u3.wav", "", "", ""))
    else:
        assert "ms.csv" in seen.messages and "millisecond" in seen.messages, seen.messages


def voices():
    header, first = "ID,duration,wav,start,stop,spk_id\n", "k--07_0.0_0.5,2.0,id11251/x/00007.wav,0,8000,k\n"
    second = "k--08_0.0_0.5,1.5,id11251/x/00008.wav,0,8000,k\n"
    return {"id11251/x/00007.wav": wav(14, 2), "id11251/x/00008.wav": wav(15, 1.5), "train.csv": header + first + second,
            "train2.csv": header + first + second + "k--08_0.5_1.0,1.5,id11251/x/00008.wav,8000,16000,k\n"}


for table in ("train.csv", "train2.csv"):
    @case(f"a stop in samples and the duration of the file: {table}", "speech/57-vox3s", voices)
    def check(look, table=table):
        for command in ("extract", "check"):
            seen = look(command, table, "--column", "path=wav", "--column", "label=spk_id")
            if command == "check":
                assert seen.status != 0 or seen.remarks or "no problems" not in seen.output, seen.output
            elif seen.status == 0:
                wanted = look.parts(("id11251/x/00007.wav", 0, 0.5, ""), ("id11251/x/00008.wav", 0, 0.5, ""))
                assert list(sounds(look(command, table, "--column", "path=wav", "--column",
                                        "label=spk_id")).values())[:2] == wanted
            else:
                assert "stop" in seen.messages and "sample" in seen.messages, seen.messages


# --- Lengths of recordings


def without_tag(mp3):
    """An MP3 without its first frame, which holds the tag Xing or Info."""
    assert b"Xing" in mp3[:200] or b"Info" in mp3[:200]
    return mp3[frame_length(mp3):]


def frame_length(mp3):
    """The length of the first frame of an MPEG-1 or MPEG-2 layer III file."""
    rates = [[0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
             [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]]
    version = mp3[1] >> 3 & 3  # 3: MPEG-1, 2: MPEG-2, 0: MPEG-2.5
    samples_of = {3: [44100, 48000, 32000], 2: [22050, 24000, 16000], 0: [11025, 12000, 8000]}
    bitrate, rate = rates[version == 3][mp3[2] >> 4] * 1000, samples_of[version][mp3[2] >> 2 & 3]
    return (144 if version == 3 else 72) * bitrate // rate + (mp3[2] >> 1 & 1)


def variable():
    def made(seed, loud):
        return without_tag(noise(seed, 12, rate=44100, kind="MP3", subtype="MPEG_LAYER_III", loud=loud, bitrate_mode="VARIABLE",
                                 compression_level=0.5))

    return {"loud_then_quiet_noxing.mp3": made(21, (0, 2)), "quiet_then_loud_noxing.mp3": made(22, (10, 12)),
            "seg.csv": "path,label,start,end\nquiet_then_loud_noxing.mp3,x,13,14\nquiet_then_loud_noxing.mp3,y,1,2\nloud_then_quiet_noxing.mp3,z,8,9\n"}


@case("a part of an MP3 of variable rate without a tag", "bio/27_mp3_vbr_no_xing", variable)
def check(look):
    look.folder.mkdir(exist_ok=True)
    table = look.folder / "seg.csv"
    table.write_text(f"path,id,start,end\n{look.data}/quiet_then_loud_noxing.mp3,y,1,2\n{look.data}/loud_then_quiet_noxing.mp3,z,8,9\n")
    assert set(sounds(look("extract", table))) == {"y", "z"}


for name in ("quiet_then_loud", "loud_then_quiet"):
    @case(f"windows of an MP3 of variable rate without a tag: {name}", "bio/27_mp3_vbr_no_xing", variable)
    def check(look, name=name):
        # seg.csv marks a part after the end, and would be read.
        seen = look("clips", f"{name}_noxing.mp3", "--window", "3s", "--annotations-named", "none")
        assert refuses(seen, f"{name}_noxing.mp3") or [float(row["end"]) for row in seen.rows] == [3, 6, 9,
            12], [row["end"] for row in seen.rows]


@case("one length for check and extract", "bio/27_mp3_vbr_no_xing", variable)
def check(look):
    seen = look("check", "seg.csv")
    assert seen.status != 0, "a clip from 13 s on is no clip of a recording of 12 s"


@case("two MP3s in one file", "speech/22-concat", lambda: {"both.mp3": noise(23, 1.5, kind="MP3") + noise(24, 2, kind="MP3"),
    "both.csv": "path,id\nboth.mp3,mp3cbr\n"})
def check(look):
    look.folder.mkdir(exist_ok=True)
    table = look.folder / "both.csv"
    table.write_text(f"path,id\n{look.data}/both.mp3,both\n")
    seen = look("extract", table)
    assert refuses(seen, "both.mp3") or seen.rows[0]["duration"] == pytest.approx(3.5, abs=0.15), seen.rows[0]["duration"]


def test_a_wav_longer_than_its_header_can_say(program, tmp_path):
    """bio/28: 13 hours at 48 kHz are more than 4 GiB, and the sizes in the header have wrapped. The file is sparse."""
    rate, seconds = 48000, 13 * 3600
    count = rate * seconds * 2
    (tmp_path / "data").mkdir()
    with open(tmp_path / "data/day.wav", "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", count + 36 & 0xFFFFFFFF) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, rate,
            rate * 2, 2, 16))
        file.write(b"data" + struct.pack("<I", count & 0xFFFFFFFF))
        file.truncate(44 + count)
    look = Seen(program, tmp_path / "data", tmp_path / "out")
    seen = look("clips", "day.wav", "--window", "600s")
    assert refuses(seen, "day.wav") or len(seen.rows) == seconds // 600, len(seen.rows)
    seen = look("check", "day.wav")
    assert seen.status != 0 or "34 min" not in seen.output, seen.output


# --- What is passed over

SELECTIONS = RAVEN + "1\tSpectrogram 1\t1\t1.0\t2.0\t500\t3000\tWOTH\n"
NAMES = {
    "case": ("REC01.FLAC", "rec01.Table.1.selections.txt"), "underscore": ("rec.flac", "rec_selections.txt"),
    "annotator": ("rec.flac", "rec_JS.Table.1.selections.txt"),
    "raven_lite": ("rec.flac", "rec.Table01.txt"), "subdir": ("rec.flac", "Selections/rec.Table.1.selections.txt")}
for kind, (recording, table) in NAMES.items():
    @case(f"a table of another name: {kind}", f"bio/30_table_names/{kind}", lambda recording=recording,
          table=table: {recording: noise(31, 6), table: SELECTIONS})
    def check(look):
        seen = look("clips", ".", "--window", "3s")
        assert seen.status != 0 or any(row["label"] for row in seen.rows) or remarks(seen, *UNCLAIMED), seen.messages


@case("recordings without a table, and one that has one", "bio/32_one_table_of_three", lambda: {
    "ARU01/a.flac": noise(32, 6), "ARU01/b.flac": noise(33, 6), "ARU02/c.flac": noise(34, 6),
    "tables/a.Table.1.selections.txt": SELECTIONS})
def check(look):
    assert remarks(look("clips", ".", "--annotations", "tables", "--window", "3s"), "recordings-without-annotations")


@case("combined tables of BirdNET", "bio/36_birdnet_combined_beside", lambda: {
    "A.flac": noise(35, 12), "B.flac": noise(36, 12),
    "BirdNET_CombinedTable.csv": "Start (s),End (s),Scientific name,Common name,Confidence,File\n"
    "0.0,3.0,Corvus brachyrhynchos,American Crow,0.84,A.flac\n3.0,6.0,Cardinalis cardinalis,Northern Cardinal,0.9,B.flac\n"})
def check(look):
    seen = look("clips", ".", "--window", "3s")
    assert refuses(seen, "BirdNET_CombinedTable.csv") or any(row["label"] for row in seen.rows) or remarks(seen,
        *UNCLAIMED), seen.messages


@case("a table in another encoding", "bio/26_raven_cp1252", lambda: {
    **{f"ARU{site}_20240612_{hour}3000.flac": noise(40 + site + int(hour), 9) for site,
       hour in ((1, "05"), (1, "06"), (2, "05"))},
    "ARU1_20240612_053000.Table.1.selections.txt": SELECTIONS.replace("WOTH", "Grünspecht").encode("cp1252"),
    "ARU1_20240612_063000.Table.1.selections.txt": SELECTIONS,
    "ARU2_20240612_053000.Table.1.selections.txt": SELECTIONS})
def check(look):
    seen = look("clips", ".", "--window", "3s")
    assert refuses(seen, "ARU") or any("ü" in row["label"] or "ö" in row["label"] for row in seen.rows), seen.messages


@case("metadata.parquet", "speech/09-audiofolder/parquet",
      lambda: {"a.wav": wav(51, 1), "b.wav": wav(52, 1), "metadata.parquet": b"PAR1" + bytes(60) + b"PAR1"})
def check(look):
    seen = look("extract", ".")
    assert refuses(seen, "metadata.parquet") or remarks(seen, "metadata-unread", "tables-unclaimed"), seen.messages


FOREIGN = {"a.wav": wav(53, 1), "raw.pcm": bytes(3200), "x.raw": bytes(3200), "raw.ulaw": bytes(1600),
           "sp.spx": b"OggS" + bytes(60), "wp.wv": b"wvpk" + bytes(60)}
for command in (["extract", "."], ["check", "."], ["crawl", "."], ["clips", ".", "--window", "0.5s"],
                ["split", ".", "--ratio", "train=1"]):
    @case(f"recordings that are not read, by {command[0]}", "speech/24-skipped", lambda: FOREIGN)
    def check(look, command=command):
        seen = look(*command)
        assert remarks(seen, "recordings-passed-over"), seen.messages
        assert sum(remark["count"] for remark in seen.remarks if remark["kind"] == "recordings-passed-over") == 5, seen.remarks


@case("a table beside folders of splits", "speech/14-fleurs", lambda: {
    "audio/test/1001.wav": wav(54, 1), "audio/test/1002.wav": wav(55, 1),
    "test.tsv": "1675\t1001.wav\tA sentence.\ta sentence\t16000\tFEMALE\n1676\t1002.wav\tMore.\tmore\t16000\tMALE\n"})
def check(look):
    seen = look("extract", ".")
    assert refuses(seen, "test.tsv") or remarks(seen,
        *UNCLAIMED) or all(row.get("split") == "test" for row in seen.rows) and remarks(seen, *UNCLAIMED), seen.messages


def cut(custom):
    return dump([{
        "id": "c1", "start": 0, "duration": 1.2, "channel": 0, "type": "MonoCut", "custom": custom,
        "supervisions": [{"id": "s1", "recording_id": "r1", "start": 0.0, "duration": 1.2, "channel": 0, "text": "hi",
                          "speaker": "A",
                          "custom": {"emotion": "happy", "snr": 3.5, "label": "greet"}}],
        "recording": {"id": "r1", "sources": [{"type": "file", "channels": [0], "source": "a.wav"}], "sampling_rate": 16000,
                      "num_samples": 24000, "duration": 1.5}}])


def custom():
    return {"a.wav": wav(56, 1.5), "B_shard_origin.jsonl": cut({"shard_origin": "cuts.000000.jsonl.gz"}),
            "E_empty_custom.jsonl": cut({})}


for table in ("B_shard_origin.jsonl", "E_empty_custom.jsonl"):
    @case(f"custom fields of a supervision and of its cut: {table}", "speech/47-lhotse-align", custom)
    def check(look, table=table):
        seen = look("extract", table)
        assert seen.status == 0, seen.messages
        [row] = seen.rows
        assert (row.get("label"), row.get("emotion"), row.get("snr")) == ("greet", "happy", "3.5"), row
        assert "shard_origin" in row or table != "B_shard_origin.jsonl"


test_a_case_that_is_made, test_a_case_of_the_collection = case.tests()
