"""The recordings that the benchmark reads, made once from the demo's (or one's own).

Usage: sets.py WORK NAME SOURCE     NAME: speech-wav, speech-flac, long, seconds, short or music; SOURCE: a folder of recordings

Of every set there is, in the folder WORK: a folder, a list for the floor and the peers (PATH, or PATH, START and COUNT
in samples, by tabs), a manifest for Veery, and a record: what it was made from, and its numbers of clips, files and seconds. A set
whose record is no longer right is made anew. This is a program of its own so that bench.py needs little memory: the peak memory
that the system reports of a program is never below its parent's.
"""
import csv
import hashlib
import json
import os
import pathlib
import random
import shutil
import sys

import numpy as np
import soundfile
import soxr

VERSION = 2
LEAST = 1024  # samples: a frame of every case
LONG_HOURS, SEGMENT_SECONDS = 6, 3
SMALL_CLIPS, SMALL_CONTENTS = 100_000, 5_000
SMALL_SECONDS = {"seconds": 1, "short": 0.3}
MUSIC_CLIPS, MUSIC_SECONDS = 400, (1.0, 8.0)


def recordings(folder):
    """Everything in a folder that libsndfile opens, in order of path."""
    endings = {"." + name.lower() for name in soundfile.available_formats()} | {".aif", ".aifc", ".opus", ".mp3"}
    return [path for path in sorted(folder.rglob("*")) if path.suffix.lower() in endings]


def read(path, rate):
    """A recording mixed to one channel, at a rate, float32; None where it cannot be read or is too short."""
    try:
        samples, own = soundfile.read(path, dtype="float32", always_2d=True)
    except soundfile.LibsndfileError as error:
        print(f"bench: left out: {error}", file=sys.stderr)
        return None
    samples = samples.mean(axis=1)
    if own != rate:
        samples = soxr.resample(samples, own, rate)
    return samples if len(samples) >= LEAST else None


class Set:
    """A set of clips on disk, at one rate in Hz."""

    def __init__(self, work, name, source, rate):
        self.name, self.source, self.rate = name, source, rate
        self.folder, self.list = work / name, work / f"{name}.list"
        self.manifest, self.record = work / f"{name}.csv", work / f"{name}.json"

    def origin(self):
        """What the set has to be made anew for."""
        paths = recordings(self.source)
        stamps = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in paths]
        return {"version": VERSION, "sources": hashlib.sha256(json.dumps(stamps).encode()).hexdigest()}

    def make(self, fill):
        """Lets `fill(self, folder)` write the recordings and yield (id, path, start, count); start None: all of it."""
        origin = self.origin()
        try:
            record = json.loads(self.record.read_text())
        except (OSError, ValueError):
            record = {}
        if record.get("origin") != origin:
            print(f"bench: making the recordings of {self.name}, once", file=sys.stderr)
            self.record.unlink(missing_ok=True)
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            clips, files, samples = 0, set(), 0
            with open(self.list, "w") as plain, open(self.manifest, "w", newline="") as table:
                rows = csv.writer(table, lineterminator="\n")
                rows.writerow(["id", "path", "start", "end"])
                for identifier, path, start, count in fill(self, self.folder):
                    whole = start is None
                    plain.write(f"{path}\n" if whole else f"{path}\t{start}\t{count}\n")
                    rows.writerow([identifier, path] + (
                        ["", ""] if whole else [start / self.rate, (start + count) / self.rate]))
                    clips, samples = clips + 1, samples + count
                    files.add(path)
            if not clips:
                sys.exit(f"bench: no recordings in {self.source} for {self.name}")
            record = {"origin": origin, "clips": clips, "files": len(files), "seconds": samples / self.rate,
                      "rate": self.rate}
            self.record.write_text(json.dumps(record, indent=1) + "\n")


def speech(work, name, source):
    """Every recording by itself, 16 kHz, 16 bits, as WAV or FLAC."""
    ending = name.split("-")[1]

    def fill(made, folder):
        for path in recordings(source):
            samples = read(path, made.rate)
            if samples is None:
                continue
            identifier = path.relative_to(source).with_suffix("")
            target = folder / f"{identifier}.{ending}"
            target.parent.mkdir(parents=True, exist_ok=True)
            soundfile.write(target, samples, made.rate, subtype="PCM_16")
            yield identifier, target, None, len(samples)

    Set(work, name, source, 16_000).make(fill)


def stream(source, rate):
    """The samples of all recordings, one after another, without end."""
    paths = recordings(source)
    while True:
        some = False
        for path in paths:
            samples = read(path, rate)
            if samples is not None:
                some = True
                yield samples
        if not some:
            sys.exit(f"bench: no recordings in {source}")


def long(work, name, source):
    """One recording of six hours, 16 kHz, as segments of three seconds."""
    def fill(made, folder):
        path, left = folder / "recording.wav", LONG_HOURS * 3600 * made.rate
        with soundfile.SoundFile(path, "w", made.rate, 1, "PCM_16") as file:
            for samples in stream(source, made.rate):
                file.write(samples[:left])
                left -= len(samples[:left])
                if left == 0:
                    break
        count = SEGMENT_SECONDS * made.rate
        for index in range(LONG_HOURS * 3600 // SEGMENT_SECONDS):
            yield f"segment-{index}", path, index * count, count

    Set(work, name, source, 16_000).make(fill)


def small_files(work, name, source):
    """100,000 files of a second or of 0.3 s, 16 kHz: 5,000 different ones under 20 names each, so that they fit on a disk."""
    def fill(made, folder):
        length = round(SMALL_SECONDS[name] * made.rate)
        rest, contents = np.zeros(0, np.float32), []
        for samples in stream(source, made.rate):
            rest = np.concatenate([rest, samples])
            while len(rest) >= length and len(contents) < SMALL_CONTENTS:
                path = folder / "contents" / f"{len(contents):04}.wav"
                path.parent.mkdir(exist_ok=True)
                soundfile.write(path, rest[:length], made.rate, subtype="PCM_16")
                contents.append(path)
                rest = rest[length:]
            if len(contents) == SMALL_CONTENTS:
                break
        for clip in range(SMALL_CLIPS):
            path = folder / f"{clip // 1000:03}" / f"{clip % 1000:03}.wav"
            path.parent.mkdir(exist_ok=True)
            os.link(contents[clip % SMALL_CONTENTS], path)
            yield f"clip-{clip}", path, None, length

    Set(work, name, source, 16_000).make(fill)


def music(work, name, source):
    """Clips of one to eight seconds, 44.1 kHz, 16 bits, cut from the recordings with a fixed seed."""
    def fill(made, folder):
        chosen, pieces, total = random.Random(1), [], 0
        for path in recordings(source):
            samples = read(path, made.rate)
            if samples is not None:
                pieces.append(samples)
                total += len(samples)
            if total > 3600 * made.rate:
                break
        if not pieces:
            return
        whole = np.concatenate(pieces)
        for clip in range(MUSIC_CLIPS):
            count = round(chosen.uniform(*MUSIC_SECONDS) * made.rate)
            first = chosen.randrange(len(whole))
            path = folder / f"{clip:03}.wav"
            soundfile.write(path, np.take(whole, range(first, first + count), mode="wrap"), made.rate, subtype="PCM_16")
            yield f"clip-{clip}", path, None, count

    Set(work, name, source, 44_100).make(fill)


MAKERS = {"speech-wav": speech, "speech-flac": speech, "long": long, "seconds": small_files, "short": small_files,
          "music": music}


if __name__ == "__main__":
    MAKERS[sys.argv[2]](pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]))
