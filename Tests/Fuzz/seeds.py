#!/usr/bin/env python3
"""Writes a few small inputs for each fuzz target into DIR/TARGET/, for libFuzzer to begin with: seeds.py DIR"""
import base64
import io
import pathlib
import struct
import sys
import tarfile
import zipfile
import zlib

MANIFEST = "path,id,label,split,start,end,channel,note\na.wav,a,owl,train,0,1.5,0,\"x, \"\"y\"\"\"\nb.wav,b,wren,test,1,2,1,\n"
CONFIGURATION = """extends: whisper
audio: {sample_rate: 16000, channels: first}
frame: &f {length: 25 ms, hop: 160, window: {kind: kaiser, beta: 8.6}}
transform: {kind: mel, bins: 40, low: 20 Hz, high: 7.6 kHz}
scale: {kind: db, floor: 1.0e-10, top_db: 80}
condition: {dct_filter: {mode: band_pass, low: 300 Hz, high: 20 bins}}
normalize: {scope: dataset, method: zscore}
store: {type: float16, layout: fixed}
"""
STORED = (
    '{"audio":{"sample_rate":16000},"frame":{"hop":160,"length":400},"scale":{"kind":"ln"},"transform":{"bins":40,"kind":"mel"}}')


def chunk(name, content, order="<"):
    return name + struct.pack(order + "I", len(content)) + content + b"\0" * (len(content) % 2)


def wave(tag=1, bits=16, channels=1, extra=b""):
    frame = channels * bits // 8
    body = b"WAVE" + chunk(b"fmt ", struct.pack("<HHIIHH", tag, channels, 8000, 8000 * frame, frame, bits)) + extra
    body += chunk(b"data", bytes(range(8 * frame)))
    return b"RIFF" + struct.pack("<I", len(body)) + body


def aiff():
    rate = b"\x40\x0b\xfa\0\0\0\0\0\0\0"
    body = b"AIFF" + chunk(b"COMM", struct.pack(">HIH", 1, 8, 16) + rate, ">")
    body += chunk(b"SSND", struct.pack(">II", 0, 0) + bytes(16), ">")
    return b"FORM" + struct.pack(">I", len(body)) + body


def rf64():
    long = struct.pack("<QQQI", 96, 16, 8, 0)
    body = b"WAVE" + chunk(b"ds64", long) + chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, 8000, 16000, 2, 16))
    return b"RF64\xff\xff\xff\xff" + body + b"data\xff\xff\xff\xff" + bytes(16)


def w64():
    def name(text):
        return text + b"\xf3\xac\xd3\x11\x8c\xd1\0\xc0\x4f\x8e\xdb\x8a"
    body = name(b"wave") + name(b"fmt ") + struct.pack("<QHHIIHH", 40, 1, 1, 8000, 16000, 2, 16)
    body += name(b"data") + struct.pack("<Q", 24 + 16) + bytes(16)
    return b"riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0" + struct.pack("<Q", len(body) + 24) + body


def caf():
    description = struct.pack(">d4sIIIII", 8000, b"lpcm", 0, 2, 1, 1, 16)
    body = b"desc" + struct.pack(">q", len(description)) + description
    return b"caff\0\1\0\0" + body + b"data" + struct.pack(">qI", 20, 0) + bytes(16)


def checksum(content, width, polynomial):
    top, mask, total = 1 << (width - 1), (1 << width) - 1, 0
    for byte in content:
        total ^= byte << (width - 8)
        for _ in range(8):
            total = (total << 1 ^ polynomial if total & top else total << 1) & mask
    return total


def flac():
    rate, channels, bits, samples = 8000, 1, 16, 192
    packed = rate << 44 | (channels - 1) << 41 | (bits - 1) << 36 | samples
    info = struct.pack(">HH", 192, 192) + bytes(6) + packed.to_bytes(8, "big") + bytes(16)
    head = bytes([0xFF, 0xF8, 0x14, 0x08, 0])
    frame = head + bytes([checksum(head, 8, 7)]) + bytes([0, 0, 1])
    return b"fLaC\x80" + len(info).to_bytes(3, "big") + info + frame + checksum(frame, 16, 0x8005).to_bytes(2, "big")


def mp3():
    frame = b"\xff\xfb\x10\xc4" + bytes(17) + b"Xing" + struct.pack(">III", 3, 2, 300)
    return b"ID3\4\0\0\0\0\0\3abc" + frame + bytes(100)


def frames(count=4, second=0xFB, rates=(9, 5, 1), tag=b""):
    content = b""
    for number in range(count):
        rate = rates[number % len(rates)]
        size = 144000 * [0, 32, 40, 48, 56, 64, 80, 96, 112, 128][rate] // 44100
        content += (bytes([0xFF, second, rate << 4, 0xC0]) + bytes(17) + (tag if number == 0 else b"")).ljust(size, b"\0")
    return content


def adts(count=3):
    return b"".join(bytes([0xFF, 0xF1, 0x50, 0x80, 0x01, 0xFF, 0xFC]) + bytes(8) for _ in range(count))


# A tag at the start of a file: a header and the same as a footer.
APE = b"".join(b"APETAGEX" + struct.pack("<IIII", 2000, 32, 0, flags) + bytes(8) for flags in (0xA0000000, 0x80000000))


def ogg(*pages):
    content = b""
    for number, (flags, granule, body) in enumerate(pages):
        content += b"OggS\0" + struct.pack("<BqIIIBB", flags, granule, 1, number, 0, 1, len(body)) + body
    return content


def spool_clip(rows_at, records, bins=2, rows=2):
    """The payload of a finished clip."""
    payload = struct.pack("<QQqq", rows_at, records, 100, 5) + struct.pack("<IIddQQQI", 8000, 1, 0, 1, 1, 2, rows, bins)
    return payload + bytes(bins * 24)


def spool(*records):
    return b"".join(struct.pack("<BBH", kind, clip, len(payload)) + payload for kind, clip, payload in records)


def tar(*members):
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as file:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            file.addfile(info, io.BytesIO(data))
    return content.getvalue()[:4096]


def zip_of(*members, method=zipfile.ZIP_DEFLATED):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as file:
        for name, data in members:
            file.writestr(zipfile.ZipInfo(name), data, method)
    return content.getvalue()


def text(number, content):
    return bytes([number]) + content.encode()


# By h5py 3.16: File(name, "w", libver="earliest") with the attributes format=numpy.bytes_("veery") and note="text in a heap", and
# create_dataset("features", data=numpy.arange(4, dtype="f4").reshape(2, 2), chunks=(2, 2), compression="gzip"); deflated.
HDF5 = zlib.decompress(base64.b64decode(
    "eNrt2L9OwkAcB/DftRQrIhQ1QV3o6OYraARhMELUwcnQ6BFMFAxWg3FQN30TH8PR0VfwLbphr3cntGpMSEwUv5+kOe7/9fi1Te6hVt6czSxnSL"
    "BtSpFDowZKsBrP6/qmSplK71X6aOhyK6pbVOWOGt81Zb6myvd2KhXRepCg5+mnZGoT/Ee1ynpDpPsqr+Pp2Yi3a3HPv+jxc0rE5dqY8+p4DYrx"
    "eM/Sihp/KoxJm1rd3qnnE82HE1oj815y3ruK8mlZxvS6VH9DFujb+Co1wzsWLQtuieSj4FLRpuKNqrfCNYh6w5QDzoT14gd7n0/UMzrirRPP52"
    "oM8TzJnTQN88kaTiku1aTxI//n7na9zKJVSW0TMT4O8d5kn7w3577pF+Tj+WS8pbC1AAAAABOlf3DYpLv0tftK5RxNV9kt9gQAAGDSFdS5ZvK8"
    "PqtOSsW5/QLZ1On6XOSXGIt6OKSPMG3VTsqFV1CiWBkAAAD8LtWN+lb0nXbow3dc8Hnfd487rue2uXc27PeSx94BAAAAAAAA/BVvUspd8Q=="))

def npy(descr, shape, data, fortran="False"):
    """An array of NumPy."""
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + data


def safetensors(header, data):
    return struct.pack("<Q", len(header)) + header.encode() + data


SEEDS = {
    "manifest": [
        text(0, MANIFEST), text(1, MANIFEST.replace(",", "\t")), text(2, MANIFEST.replace(",", "\t")),
        text(3, '{"path": "a.wav", "start": 1, "end": 2.5e0, "label": "é\\u00e9", "more": {"b": [1, null]}}\n{"path":"b"}\n'),
        text(0, "path,note\r\na.wav,\"two\nlines\"\r\n\r\n"), text(0, "\ufeffpath\nx/y.wav\n"),
        text(1, "path\tlow\n\"a\"\t1\n"),
    ],
    "json": [b'{"a": [1, -2.5e+3, true, null, "\\ud83d\\ude00\\n"], "": {}}', b'"text"', b"[[[]]]", b"-0.5"],
    "annotations": [
        text(0, "Selection\tView\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tAnnotation\tBegin File\n"
             "1\tSpectrogram 1\t0.5\t1.5\t300\t4000\towl\trecording.wav\n"),
        text(0, "0,5\t1,5\towl\n\\\t300\t4000\n2\t3\twren\n"), text(66, "0\t1\t\"a \"\"b\"\"\"\n"),
        text(1, "path,start,end,label,low\nrecording.wav,0,1,owl,300\n"),
        text(1, "label,onset_s,offset_s,onset_sample,offset_sample,notated_path\n\"a, b\",0.1,0.2,100,200,recording.wav\n"),
        text(1, "Start (s),End (s),Scientific name,Common name,Confidence,File\n0.0,3.0,A b,C,0.9,recording.wav\n"),
        text(4, 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n2\n<exists>\n1\n"IntervalTier"\n"w"\n0\n2\n1\n0\n1\n"a"\n'),
        text(5, "<?xml version='1.0'?><Sequences><Sequence><WaveFileName>recording.wav</WaveFileName><Position>9</Position>"
             "<Note><Position>1</Position><Length>5</Length><Label>a</Label></Note></Sequence></Sequences>"),
    ],
    "dataset": [
        text(0, "r a.wav\nq b.flac |\n") + b"\xffu r 0 1.5\nv r 1.5 -1\n\xffu some words\nv more\n\xffu ann\nv bob\n\xffr 3\n",
        text(1, '{"id": "c", "start": 0.5, "duration": 1, "channel": 0, "type": "MonoCut", "supervisions": [{"id": "s", "start": 0,'
             ' "duration": 1, "text": "hi", "speaker": "ann", "custom": {"a": 1}}], "recording": {"id": "r", "sources":'
             ' [{"type": "file", "channels": [0], "source": "a.wav"}], "sampling_rate": 16000, "num_samples": 32000, "duration": 2}}\n'),
        text(2, '{"id": "r", "sources": [{"type": "file", "channels": [0], "source": "a.wav"}], "sampling_rate": 8000, "num_samples":'
             ' 8000, "duration": 1}\n') + b'\xff{"id": "s", "recording_id": "r", "start": 0, "duration": 0.5, "channel": 0, "text": "x"}\n',
        text(3, '{"audio_filepath": "a.wav", "duration": 1.5, "text": "hello", "offset": 0.5, "lang": "en"}\n'),
        text(4, "filename,fold,target,category,esc10,src_file,take\n1-100-A-0.wav,1,0,dog,True,100,A\n"),
        text(5, "slice_file_name,fsID,start,end,salience,fold,classID,class\n1-3-0-0.wav,1,0.0,0.3,1,5,3,dog_bark\n"),
        text(6, "client_id\tpath\tsentence\tup_votes\tage\n0a\tc.mp3\t\"Hi\" she said\t2\t\n"),
        text(7, "filename,start,end,label\na.wav,0.5,1.5,1\na.wav,2,,0\n"), text(8, "file_name,label\na.wav,owl\n"),
        text(9, '{"file_name": "b/a.wav", "text": "x"}\n'), text(21, "path,category\na.wav,owl\n"),
    ],
    "configuration": [CONFIGURATION.encode(), STORED.encode(), b"transform: {kind: musical, low: C1, tuning: 442}\n",
                      b"transform: {kind: mfcc, bins: 13, bands: 23, deltas: 2}\nscale: {kind: pcen}\n"],
    "settings": [text(0, "frame.hop=160\nscale.kind=db\n"), text(3, "transform.kind=mfcc\ntransform.bins=13"),
                 text(1, "frame.length='25 ms'\nframe.window.kind=kaiser\nframe.window.beta=4"), text(2, "condition={}")],
    "stored": [
        STORED.encode(),
        b'{"configuration": "{\\"frame\\":{\\"length\\":\\"25 ms\\"}}", "manifest": "0123", "clips": 2, "sampleRate": 8000.5,'
        b' "software": "{}", "truncated": "keep"}',
        b'{"configuration": "{}", "inputs": [{"channels": 1, "name": "-", "sampleRate": 48000}]}',
    ],
    "quantities": [b"300 Hz", b"3.4kHz", b"20 bins", b"25 ms", b"0.025 s", b"400", b"F#3", b"Bb-1", b"05:30:00.5",
                   b"2024-05-01T05:30:00", b"2024-02-29", b"0123456789abcdef0123456789ABCDEF", b"n_mels", b"a/b.wav", b"x.png"],
    "headers": [wave(), wave(3, 32, 2, chunk(b"LIST", b"INFO" + chunk(b"IART", b"x\0"))), aiff(), rf64(), w64(), caf(), flac(),
                mp3(), b".snd" + struct.pack(">IIIII", 24, 16, 3, 8000, 1) + bytes(16),
                b"NIST_1A\n   1024\nsample_count -i 8\nsample_n_bytes -i 2\nchannel_count -i 1\nend_head\n".ljust(1024) + bytes(16),
                b"FORM\0\0\0\x1c8SVXBODY" + struct.pack(">I", 16) + bytes(16),
                b"ID3\3\0\0\0\0\0\0" * 20 + wave(), APE + b"ID3\3\0\0\0\0\0\3abc" + flac()],
    "mpeg": [mp3(), frames(), frames(tag=b"Xing" + struct.pack(">III", 3, 3, 1043)), frames() + b"junk" + frames(),
             b"ID3\3\0\0\0\0\0\4abcd" + frames() + b"TAG" + bytes(125), frames(9) + frames(9, second=0xF3), frames(rates=(0,)),
             adts(), b"ID3\3\0\0\0\0\0\0" * 20 + frames(), APE + b"ID3\4\0\x10\0\0\0\0" + bytes(10) + frames(),
             APE + adts() + b"junk" + adts(), adts() + b"\xff\xf1\x50junk", adts()[:-3], b"ID3\3\0\0\0\0\0\0" * 20 + adts()],
    "ogg": [b"\0" + ogg((2, 0, b"head"), (0, 100, b"sound"), (4, 200, b"end")),
            b"\0" + ogg((2, 0, b"head"), (0, 100, b"sound")) + b"rubbish" + ogg((4, 300, b"end")), b"\1OggS\0rubbish"],
    "wave": [wave(), wave(3, 32, 2), rf64(), wave(extra=chunk(b"JUNK", b"odd"))],
    "archive": [
        b"\0" + tar(("a.wav", b"abc"), ("b/\u00e9.wav", b"x" * 600)), b"\1" + tar(("n" * 150 + ".wav", b"1")),
        b"\1" + zlib.compress(tar(("a.wav", b"abc")), wbits=31), b"\1" + zip_of(("a.wav", b"abc" * 30), ("../b.wav", b"")),
        b"\1" + zip_of(("a.wav", b"abc"), method=zipfile.ZIP_STORED),
        b"\1\x28\xb5\x2f\xfd\x04\x00\x19\x00\x00abc\xf9\x9f\x1d\x44",
    ],
    "arrays": [
        npy("<f4", "(2, 3)", bytes(24)), npy(">i2", "(4,)", bytes(8)), npy("|u1", "(2, 3, 4)", bytes(24), "True"),
        zip_of(("a.npy", npy("<f8", "(1, 2)", bytes(16))), ("b.npy", b"")),
        safetensors('{"m":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},"n":{"dtype":"BF16","shape":[1],"data_offsets":[8,10]}}',
                    bytes(10)),
        b"a [\n 1 2.5\n -3e1 nan ]\nb  [ 1 2 ]\n", b"x \0BFM \4" + struct.pack("<ibi", 2, 4, 1) + bytes(8) + b"y \0BDV \4" + bytes(4),
    ],
    "spool": [
        b"\1" + spool((0, 3, bytes(16)), (1, 3, spool_clip(0, 1))),
        b"\1" + spool((2, 1, struct.pack("<qqI", 100, 5, 4) + b"open"
                        + struct.pack("<I", 9) + b"is_folder" + struct.pack("<I", 3) + b"bad")),
        b"\1" + spool((0, 0, bytes(8)), (4, 0, struct.pack("<QQdQQ", 800, 2, 1, 1, 2))),
        b"\3" + spool((1, 0, spool_clip(0, (1 << 63) - 1) + bytes(16))), b"\0VSPL",
    ],
    "structure": [HDF5],
    "keys": [b"q\x1b[A\x1bOB\t\r", "é→😀".encode(), b"\x1b\x1b[1;5C", b"\x1b[\xff"],
    "text": [text(20, "a name that is too long, 中文 and 😀; more · still"), text(8, "\x1b[31mred\x1b[0m \x1b]0;t\x07 \u202e\u2028"),
             text(40, '{"a": "\u009b\\n"}'), text(0, "expected 16000 Hz, found -8.5 to 44100")],
}


def main():
    for target, inputs in SEEDS.items():
        folder = pathlib.Path(sys.argv[1], target)
        folder.mkdir(parents=True, exist_ok=True)
        for number, content in enumerate(inputs):
            (folder / f"seed-{number}").write_bytes(content)


if __name__ == "__main__":
    main()
