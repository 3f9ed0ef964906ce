#!/usr/bin/env python3
"""Damages recordings, and looks at what `veery` makes of them.

    make damage                         100 flipped bits and 100 cuts of each format, then 300 mutations
    make damage ROUNDS=1000 SEED=7      ten times as many
    make damage AUDIO=DIR               of other recordings, too (../shared/data, where it exists)

Sweep: a single flipped bit, or a tail cut off. All copies of a format go through one `veery extract`. What is stored of each is
equal to what is stored of the undamaged recording (the decoded samples' checksum, rate, channels), or the clip is a failure,
or it is stored and different. The last must not happen to a flipped bit in FLAC, Vorbis and Opus, which have checksums, nor to
any cut, except for the exceptions that Schemas/guide names (limits.md, damaged-recordings.md): an MP3 without a note of its
length, and less than one sample frame. For formats without checksums the share is printed.

Windows: bits flipped, bytes zeroed or removed. Whether a window of a recording is stored, with which samples, and why not, is the same
with one worker and several, from the last window to the first, and for a window that is alone in a file of its own.

Mutations: bytes changed, inserted, removed, blocks swapped, copied, zeroed, one to three at a time, through `extract`, `check`,
`render` and `filter`: no crash, no hang, and nothing stored and different where the format has checksums.

A finding stops nothing; its file is copied to --keep, and the exit status is 1. The recordings are those of the folder, and noise
made here by soundfile. Needs the packages of Tests/Python/requirements.txt.
"""
import argparse
import collections
import csv
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np
import soundfile

CHECKED = ("flac", "vorbis", "opus")
# Format and subtype for soundfile, and the extension.
MADE = {
    "flac": ("FLAC", "PCM_16", ".flac"), "vorbis": ("OGG", "VORBIS", ".ogg"), "opus": ("OGG", "OPUS", ".opus"),
    "mp3": ("MP3", "MPEG_LAYER_III", ".mp3"), "wav": ("WAV", "PCM_16", ".wav"), "aiff": ("AIFF", "PCM_16", ".aiff"),
    "caf": ("CAF", "PCM_16", ".caf"), "rf64": ("RF64", "PCM_24", ".rf64"), "w64": ("W64", "PCM_16", ".w64"),
    "au": ("AU", "PCM_16", ".au"),
}
KINDS = tuple(MADE)
ENDINGS = {".flac": "flac", ".ogg": "vorbis", ".opus": "opus", ".mp3": "mp3", ".wav": "wav", ".aiff": "aiff", ".caf": "caf",
           ".rf64": "rf64", ".w64": "w64", ".au": "au"}
LONG_SECONDS = 9.0
# Larger recordings are left out: a hundred copies of each are made.
MOST_BYTES = 400_000
SETTINGS = ["--set", "audio.sample_rate=16000", "--set", "normalize.scope=none", "--max-failures", "100%", "--progress", "none"]
SIGNS = ("Fatal error", "Backtrace", "Thread 0", "NSError", "Error Domain", "AddressSanitizer")


def make_recordings(folder):
    """Noise and a tone in every format: a list of (kind, path)."""
    made = []
    for kind, (form, subtype, ending) in MADE.items():
        for name, rate, channels, seconds in (("mono", 16_000, 1, 1.3), ("stereo", 48_000, 2, 0.7), ("long", 8000, 1, LONG_SECONDS)):
            count = round(rate * seconds)
            noise = np.random.default_rng(count).normal(0, 0.05, (count, channels))
            tone = 0.3 * np.sin(2 * np.pi * 440 * np.arange(count) / rate)
            path = folder / f"{name}{ending}"
            soundfile.write(path, noise + tone[:, None], rate, format=form, subtype=subtype)
            made.append((kind, path))
    return made


def real_recordings(folder, kinds, most):
    """Up to `most` of each kind, of all folders, in a fixed order: a list of (kind, path)."""
    found = collections.defaultdict(list)
    for path in sorted(folder.rglob("*")):
        kind = ENDINGS.get(path.suffix)
        if kind in kinds and "broken" not in path.parts and path.is_file() and path.stat().st_size <= MOST_BYTES:
            found[kind].append(path)
    for paths in found.values():
        random.Random(1).shuffle(paths)
    return [(kind, path) for kind in kinds for path in found[kind][:most]]


def sound_offset(kind, content):
    """Where the samples begin; 0: the header is not a part by itself."""
    if kind == "au":
        return int.from_bytes(content[4:8], "big")
    mark, offset = {"wav": (b"data", 8), "rf64": (b"data", 8), "w64": (b"data", 24), "aiff": (b"SSND", 16),
                    "caf": (b"data", 16)}.get(kind, (None, 0))
    return content.index(mark) + offset if mark else 0


def states_length(content):
    """Whether an MP3 says how long it is."""
    return any(note in content[:1 << 17] for note in (b"Xing", b"Info", b"VBRI"))


def flip(content, position):
    changed = bytearray(content)
    changed[position // 8] ^= 1 << position % 8
    return bytes(changed)


def wound(random, content, start):
    """A change of one kind, as of a disk or a card, from an offset on; says which."""
    changed = bytearray(content)
    offset = random.randrange(start, len(content))
    kind, length = random.choice(("flip", "zero", "zero", "remove", "remove")), random.choice((1, 8, 64, 512, 4096, 16384))
    if kind == "flip":
        changed[offset] ^= 1 << random.randrange(8)
    elif kind == "zero":
        changed[offset:offset + length] = bytes(len(changed[offset:offset + length]))
    else:
        del changed[offset:offset + length]
    return bytes(changed), f"{kind} {1 if kind == 'flip' else length} bytes at {offset}"


def mutate(random, content):
    """One to three changes; says which."""
    changed, notes = bytearray(content), []
    for _ in range(random.randint(1, 3)):
        size = len(changed)
        start = random.randrange(min(size, 200)) if random.random() < 0.25 else random.randrange(size)
        length = min(random.choice((1, 2, 4, 16, 64, 512, 4096)), size - start)
        there = random.randrange(size)
        kind = random.choice(("set", "set", "flip", "insert", "remove", "swap", "copy", "zero", "ones", "cut", "append"))
        notes.append(f"{kind} {length} bytes at {start}")
        if kind == "set":
            changed[start:start + length] = random.randbytes(length)
        elif kind == "flip":
            for position in range(start, start + length):
                changed[position] ^= 1 << random.randrange(8)
        elif kind == "insert":
            changed[start:start] = random.randbytes(length)
        elif kind == "remove":
            del changed[start:start + length]
        elif kind == "swap":
            block, other = bytes(changed[start:start + length]), bytes(changed[there:there + length])
            changed[start:start + len(other)] = other
            changed[there:there + len(block)] = block
        elif kind == "copy":
            changed[there:there + length] = changed[start:start + length]
        elif kind == "zero":
            changed[start:start + length] = bytes(length)
        elif kind == "ones":
            changed[start:start + length] = b"\xff" * length
        elif kind == "cut":
            del changed[max(start, 1):]
        else:
            changed += random.randbytes(length)
        if not changed:
            changed += b"\0"
    return bytes(changed), ", ".join(notes)


class Damage:
    """Runs the program on damaged copies, and counts what became of them."""

    def __init__(self, program, folder, audio=None, seed=1, keep=None, recordings=6):
        self.program = pathlib.Path(program).resolve()
        self.folder = pathlib.Path(folder)
        self.random = random.Random(seed)
        self.keep = pathlib.Path(keep) if keep else None
        self.findings = []
        self.runs = collections.Counter()
        made = self.folder / "made"
        made.mkdir()
        candidates = make_recordings(made) + (real_recordings(audio, KINDS, recordings) if audio else [])
        whole, stored = collections.defaultdict(list), self.extract([path for _, path in candidates])
        for kind, path in candidates:
            if not isinstance(stored[path], str):
                whole[kind].append((path, path.read_bytes(), stored[path]))
        self.recordings = dict(whole)
        assert set(self.recordings) == set(KINDS), f"no whole recording of {set(KINDS) - set(self.recordings)}"

    def run(self, *arguments, allowed, path=None):
        """Runs the program; a finding where it crashes, hangs, or ends with another status."""
        command = [str(argument) for argument in (self.program, *arguments)]
        self.runs[command[1]] += 1
        try:
            result = subprocess.run(command, capture_output=True, timeout=120)
        except subprocess.TimeoutExpired:
            self.note(f"{' '.join(command[1:])}: does not end", path)
            return None
        said = result.stderr.decode(errors="replace")
        if result.returncode not in allowed or any(sign in said for sign in SIGNS):
            self.note(f"{' '.join(command[1:])}: exit status {result.returncode}: {said[-400:]}", path)
            return None
        return result

    def note(self, text, path=None):
        if path and self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            text += f" ({shutil.copy(path, self.keep / f'{len(self.findings)}-{path.name}')})"
        self.findings.append(text)
        print("FINDING:", text, file=sys.stderr, flush=True)

    def extract(self, paths):
        """What is stored of each recording (checksum of its samples, rate, channels, length), or why it is not."""
        found = self.extract_rows([(path,) for path in paths])
        if found is None:
            # Which one was it?
            if len(paths) > 1:
                middle = len(paths) // 2
                return self.extract(paths[:middle]) | self.extract(paths[middle:])
            self.note("the recording that it was", paths[0])
            return {paths[0]: "crash"}
        return dict(zip(paths, found))

    def extract_rows(self, rows, *options):
        """The same of each row: a path, or a path, a start and an end; None: the program did not end well."""
        manifest, output = self.folder / "manifest.csv", self.folder / "features.h5"
        with open(manifest, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerows([("id", "path", "start", "end")[:1 + len(rows[0])],
                              *((str(number), *row) for number, row in enumerate(rows))])
        output.unlink(missing_ok=True)
        if self.run("extract", manifest, "-o", output, "--fresh", *options, *SETTINGS, allowed=(0,)) is None:
            return None
        found = {}
        with h5py.File(output) as file:
            clips = file["clips"]
            for number, *values in zip(clips["id"].asstr()[:], clips["audio_xxh3"].asstr()[:], clips["sample_rate"][:],
                                       clips["channels"][:], clips["duration"][:]):
                found[int(number)] = tuple(values)
            for number, reason in zip(file["failures/id"].asstr()[:], file["failures/reason"].asstr()[:]):
                found[int(number)] = reason
        assert len(found) == len(rows), "a clip is neither stored nor a failure"
        return [found[number] for number in range(len(rows))]

    def judge(self, copies):
        """Extracts copies, each a (name, content, what is stored of the original): yields each with an outcome."""
        folder = self.folder / "copies"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        paths = []
        for number, (source, content, _) in enumerate(copies):
            paths.append(folder / f"{number}{source.suffix}")
            paths[-1].write_bytes(content)
        stored = self.extract(paths)
        for path, copy in zip(paths, copies):
            found = stored[path]
            if isinstance(found, str):
                yield path, copy, "refused", found
            elif found == copy[2]:
                yield path, copy, "equal", ""
            else:
                names = ("sound", "rate", "channels", "length")
                yield path, copy, "different", " and ".join(
                    name for name, a, b in zip(names, found, copy[2]) if a != b)

    def flips(self, kind, count):
        """Counts of outcomes of single flipped bits, in the header and in the sound."""
        copies, bits = [], []
        for number in range(count):
            source, content, stored = self.random.choice(self.recordings[kind])
            start = sound_offset(kind, content)
            # Half of them in the header, or where one may be.
            low, high = (0, start or min(4096, len(content))) if number % 2 else (start, len(content))
            position = self.random.randrange(8 * low, 8 * high)
            copies.append((source, flip(content, position), stored))
            bits.append(("header" if number % 2 and start else "sound", position))
        counts = {"header": collections.Counter(), "sound": collections.Counter()}
        for (path, (source, *_), outcome, detail), (part, position) in zip(self.judge(copies), bits):
            counts[part][outcome] += 1
            if outcome == "different":
                counts[part][f"different {'sound' if 'sound' in detail else detail}"] += 1
                if kind in CHECKED:
                    self.note(f"{source}: bit {position} flipped: other {detail} stored", path)
        return counts

    def cuts(self, kind, count):
        """Counts of outcomes of tails cut off."""
        copies, sizes = [], []
        for number in range(count):
            source, content, stored = self.random.choice(self.recordings[kind])
            size = self.random.choice((
                self.random.randrange(1, len(content)), self.random.randrange(len(content) // 2, len(content)),
                len(content) - self.random.randint(1, min(64, len(content) - 1))))
            copies.append((source, content[:size], stored))
            sizes.append((size, len(content) - size))
        counts = collections.Counter()
        for (path, (source, *_, stored), outcome, detail), (size, lost) in zip(self.judge(copies), sizes):
            if outcome == "different":
                if kind == "mp3" and not states_length(source.read_bytes()):
                    outcome = "documented"
                elif kind not in (*CHECKED, "mp3") and lost < soundfile_frame_size(source):
                    outcome = "documented"
                else:
                    self.note(f"{source}: cut to {size} bytes: other {detail} stored", path)
            counts[outcome] += 1
        return counts

    def windows(self, kind, count, seconds=0.25):
        """Counts of outcomes of windows of damaged recordings, in several orders and alone.

        Of a recording with checksums, `stored` counts all windows without damage; more of them may fail only next to it.
        """
        folder = self.folder / "windows"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        source, content = max(((path, content) for path, content, _ in self.recordings[kind]), key=lambda one: one[0].stem == "long")
        times = [(number * seconds, (number + 1) * seconds) for number in range(int(LONG_SECONDS / seconds))]
        whole = self.extract_rows([(source, *time) for time in times])
        rows, single, notes = [], [], []
        for number in range(count):
            changed, note = wound(self.random, content, max(sound_offset(kind, content), 1000))
            path = folder / f"{number}{source.suffix}"
            path.write_bytes(changed)
            notes.append((path, note))
            for index, time in enumerate(times):
                rows.append((path, *time))
                single.append((folder / f"{number}-{index}{source.suffix}", *time))
                single[-1][0].write_bytes(changed)
        alone = self.extract_rows(single)
        orders = {"one worker": self.extract_rows(rows, "--jobs", "1"), "four workers": self.extract_rows(rows, "--jobs", "4"),
                  "the last first": self.extract_rows(rows[::-1])[::-1]}
        counts = collections.Counter()
        for number, (path, note) in enumerate(notes):
            part = slice(number * len(times), (number + 1) * len(times))
            for name, found in orders.items():
                others = [time for time, a, b in zip(times, found[part], alone[part]) if a != b]
                if others:
                    self.note(f"{source}: {note}: with {name}, {len(others)} windows differ from those alone, from {others[0][0]} s on",
                              path)
            for found, right in zip(alone[part], whole):
                counts["refused" if isinstance(found, str) else "equal" if found == right else "different"] += 1
        return counts

    def mutations(self, count, commands=0):
        """Outcomes of mutations, by kind of recording; the first `commands` of them through the other commands as well."""
        copies, notes = [], []
        for number in range(count):
            kind = KINDS[number % len(KINDS)]
            source, content, stored = self.random.choice(self.recordings[kind])
            changed, note = mutate(self.random, content)
            copies.append((source, changed, stored))
            notes.append((kind, note))
        counts = collections.defaultdict(collections.Counter)
        for number, ((path, (source, *_), outcome, detail), (kind, note)) in enumerate(zip(self.judge(copies), notes)):
            counts[kind][outcome] += 1
            if outcome == "different" and kind in CHECKED:
                self.note(f"{source}: {note}: other {detail} stored", path)
            if number < commands:
                picture, filtered = self.folder / "picture.png", self.folder / "filtered.wav"
                self.run("render", path, "-o", picture, allowed=(0, 1), path=path)
                self.run("filter", path, filtered, "--band-pass", "300-3000", "--overwrite", allowed=(0, 1), path=path)
        manifest = self.folder / "manifest.csv"
        self.run("check", manifest, allowed=(0, 1, 3))
        return counts


def soundfile_frame_size(path):
    info = soundfile.info(path)
    return info.channels * {"PCM_S8": 1, "PCM_U8": 1, "ULAW": 1, "ALAW": 1, "PCM_16": 2, "PCM_24": 3, "PCM_32": 4, "FLOAT": 4,
                            "DOUBLE": 8}.get(info.subtype, 0)


def shown(counts):
    total = sum(count for name, count in counts.items() if not name.startswith("different "))
    parts = [f"{name} {counts[name]}" for name in ("equal", "refused", "different", "documented") if counts[name]]
    details = [f"{name[10:]} {count}" for name, count in sorted(counts.items()) if name.startswith("different ")]
    return f"{total}: {', '.join(parts)}" + (f" ({', '.join(details)})" if details else "") if total else "none"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the program, such as .build/release/veery")
    parser.add_argument("--rounds", type=int, default=100, help="flips and cuts of each format; three times as many mutations")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--audio", type=pathlib.Path, help="a folder of recordings")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the files of findings")
    parser.add_argument("--only", choices=["sweep", "mutations"])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="veery-damage-") as folder:
        damage = Damage(arguments.program, folder, arguments.audio, arguments.seed, arguments.keep)
        for kind in KINDS if arguments.only != "mutations" else ():
            flips = damage.flips(kind, arguments.rounds)
            print(f"{kind:7} {len(damage.recordings[kind])} recordings")
            for part in flips:
                if flips[part]:
                    print(f"        flips in {'the header' if part == 'header' else 'the sound'} {shown(flips[part])}")
            print(f"        cuts {shown(damage.cuts(kind, arguments.rounds))}")
            print(f"        windows {shown(damage.windows(kind, arguments.rounds // 5 + 1))}", flush=True)
        if arguments.only != "sweep":
            for kind, counts in damage.mutations(3 * arguments.rounds, commands=arguments.rounds).items():
                print(f"{kind:7} mutations {shown(counts)}")
        runs = ", ".join(f"{name} {count}" for name, count in sorted(damage.runs.items()))
        print(f"runs: {runs}; findings: {len(damage.findings)}")
        return 1 if damage.findings else 0


if __name__ == "__main__":
    sys.exit(main())
