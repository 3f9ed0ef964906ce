#!/usr/bin/env python3
"""Damages feature files, and measures what `veery` takes to read them.

    make damage-features                        500 mutations of files of nine kinds, each through seven commands
    make damage-features ROUNDS=3000 SEED=7

A mutation overwrites one to three fields of a file with numbers that lengths and addresses must not be (nothing, all ones, far
beyond the file, just beyond it, a field's neighbour, the address of another structure), changes single bytes, copies, zeroes or
cuts off a piece. Most hit HDF5's own structures: headers, trees, heaps. Each file goes through `inspect`, `inspect --json`,
`inspect --verify`, `inspect --html`, `list`, `render`, and `export` to a format that copies the rows and to one that refers to them.

A run is *equal* where it prints (or draws) what the intact file gives, *other* where it reads something else (`--verify` must
not do that), *refused* where it ends with status 1 and a line that names the file, *contained* where that line comes from the
guard around HDF5. It is a finding where it takes 1 GB or more, 4 s of processor time or more, or dies: the file is then
copied to --keep, a line is printed, and the exit status is 1. Only the standard library is used. The recordings are noise, made here.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import wave

MOST_BYTES = 1 << 30
MOST_SECONDS = 4.0
# Where a run is ended: by then it is a finding.
END_BYTES = 3 << 30
END_SECONDS = 60.0

SMALL = ["--preset", "log-mel", "--set", "audio.sample_rate=8000", "--set", "transform.high=4000", "--set", "transform.bins=8"]
DEFLATE = ["--set", "store.compression=deflate"]
FIXED = ["--set", "store.layout=fixed", "--set", "audio.duration=0.3"]
HALF = ["--set", "store.type=float16"]
CLIP = ["--set", "normalize.scope=clip"]
COMPLEX = ["--set", "transform.kind=fft", "--set", "scale.kind=complex", "--set", "normalize.scope=none", "--set",
           "frame.length=64", "--set", "frame.hop=64"]
FRAME_LABELS = ["--frame-labels", "annotations.csv"]
# What each file is made with, of twelve clips, one of which fails; `append`: two thirds of them first.
KINDS = {
    "packed": (SMALL, False),
    "packed, deflate": ([*SMALL, *DEFLATE], False),
    "packed, float16": ([*SMALL, *HALF], False),
    "fixed": ([*SMALL, *FIXED], False),
    "fixed, deflate, float16, each clip": ([*SMALL, *FIXED, *DEFLATE, *HALF, *CLIP], False),
    "each clip": ([*SMALL, *CLIP], False),
    "complex": (["--set", "audio.sample_rate=8000", *COMPLEX], False),
    "appended, deflate": ([*SMALL, *DEFLATE], True),
    "many chunks": ([*SMALL, *DEFLATE], False),
    "labels": ([*SMALL, *FRAME_LABELS], False),
    "labels, fixed, deflate": ([*SMALL, *FIXED, *DEFLATE, *FRAME_LABELS], False),
}
COMMANDS = {
    "inspect": ["inspect", "{file}"],
    "json": ["inspect", "{file}", "--json"],
    "verify": ["inspect", "{file}", "--verify"],
    "list": ["list", "{file}"],
    "list-csv": ["list", "{file}", "--csv"],
    "list-failures": ["list", "{file}", "--failures", "--json"],
    "html": ["inspect", "{file}", "--html", "{output}"],
    "render": ["render", "{file}", "--clip", "clip-3", "-o", "{output}"],
    "tensors": ["export", "{file}", "--to", "safetensors", "-o", "{output}", "--quiet"],
    "zarr": ["export", "{file}", "--to", "zarr", "-o", "{output}", "--quiet"],
}
OUTPUTS = {"html": "page.html", "render": "clip.svg", "tensors": "tensors", "zarr": "reference"}
OUTCOMES = ("equal", "other", "refused", "contained", "finding")
SIGNS = ("Fatal error", "Backtrace", "Thread 0", "AddressSanitizer")


class Run:
    """How a command ended, what it said, and what it took."""

    def __init__(self, program, arguments, folder):
        environment = dict(os.environ, SWIFT_BACKTRACE="enable=no", LC_ALL="C.UTF-8")
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen([str(program), *arguments], stdout=said, stderr=said, stdin=subprocess.DEVNULL,
                                       cwd=folder, env=environment)
            begin, pause, self.ended = time.monotonic(), 0.002, ""
            while True:
                number, status, usage = os.wait4(process.pid, os.WNOHANG)
                if number:
                    break
                time.sleep(pause)
                pause = min(pause * 1.1, 0.05)
                if not self.ended:
                    self.ended = self.excess(process.pid, time.monotonic() - begin)
                    if self.ended:
                        os.kill(process.pid, signal.SIGKILL)
            process.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            self.said = said.read().decode(errors="replace")
        self.status = process.returncode
        # Linux counts in kB, macOS in bytes.
        self.memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        self.seconds = usage.ru_utime + usage.ru_stime

    @staticmethod
    def excess(number, seconds):
        """Why a process is ended now, if it is."""
        if seconds > END_SECONDS:
            return f"not done after {END_SECONDS:.0f} s"
        try:
            pages = int(pathlib.Path(f"/proc/{number}/statm").read_text().split()[1])
        except (OSError, IndexError):
            return ""
        return "ended for its memory" if pages * resource.getpagesize() > END_BYTES else ""

    def finding(self, path):
        """What must not be; empty: nothing."""
        if self.ended:
            return self.ended
        if self.status not in (0, 1):
            return f"status {self.status}: {self.said[-200:]!r}"
        if any(sign in self.said for sign in SIGNS):
            return self.said[-200:]
        if self.status and str(path) not in self.said:
            return f"a refusal that does not name the file: {self.said[-200:]!r}"
        if self.memory >= MOST_BYTES:
            return f"{self.memory / 1e6:.0f} MB"
        if self.seconds >= MOST_SECONDS:
            return f"{self.seconds:.1f} s of processor time"
        return ""


def make_files(program, folder):
    """A feature file of each kind: {name: bytes}."""
    noise = random.Random(1)
    for number in range(3):
        with wave.open(str(folder / f"{number}.wav"), "wb") as file:
            file.setparams((1, 2, 8000, 0, "NONE", ""))
            file.writeframes(struct.pack("<8000h", *(noise.randint(-9000, 9000) for _ in range(8000))))
    def rows(count):
        found = [f"clip-{clip},{'gone' if clip == 5 else clip % 3}.wav,label {clip % 4},{'test' if clip % 3 else 'train'},"
                 f"{clip % 7 / 10},{clip % 7 / 10 + 0.3},speaker {clip % 5}" for clip in range(count)]
        return "\n".join(["id,path,label,split,start,end,speaker", *found]) + "\n"

    (folder / "manifest.csv").write_text(rows(12))
    (folder / "shorter.csv").write_text(rows(8))
    # So many chunks that their tree has two levels.
    (folder / "many.csv").write_text(rows(150))
    lists = [line + "," + "|".join(f"label {clip * step % 4}" for step in range(clip % 4)) for clip, line in
             enumerate(rows(12).splitlines()[1:])]
    (folder / "labels.csv").write_text("\n".join(["id,path,label,split,start,end,speaker,labels", *lists]) + "\n")
    (folder / "annotations.csv").write_text("file,onset,offset,label\n" + "".join(
        f"{number}.wav,{mark / 10 + number / 50},{mark / 10 + 0.08},mark {mark % 3}\n" for number in range(3) for mark in range(9)))
    files = {}
    for name, (options, append) in KINDS.items():
        path = folder / "made.h5"
        manifests = ["shorter", "manifest"] if append else [
            "many" if name.startswith("many") else "labels" if name.startswith("labels") else "manifest"]
        for turn, manifest in enumerate(manifests):
            arguments = ["extract", f"{manifest}.csv", "-o", path.name, "--max-failures", "100%", "--quiet", *options]
            subprocess.run([program, *arguments, *(["--append"] if turn else [])], cwd=folder, check=True)
        files[name] = path.read_bytes()
        path.unlink()
    return files


def own_offsets(whole):
    """Offsets of bytes in HDF5's own structures: in its first 96 bytes, after signatures, and in object headers."""
    offsets = set(range(96))
    for signature in (b"TREE", b"SNOD", b"HEAP", b"GCOL"):
        for found in re.finditer(signature, whole):
            offsets.update(range(found.start(), min(len(whole), found.start() + 200)))
    # An object's header: version 1, its number of messages, its references, its length.
    for at in range(96, len(whole) - 16, 8):
        version, _, messages, references, length = struct.unpack_from("<BBHIIxxxx", whole, at)
        if version == 1 and whole[at + 1] == 0 and 0 < messages < 100 and 0 < references < 50 and 8 <= length <= 8192:
            offsets.update(range(at, min(len(whole), at + 16 + length)))
    return sorted(at for at in offsets if any(whole[max(0, at - 8):at + 9]))


def mutated(whole, own, numbers):
    """A damaged copy of a file."""
    data = bytearray(whole)
    everywhere = numbers.random() < 0.1
    def offset():
        return numbers.randrange(len(data)) if everywhere else numbers.choice(own)
    kind = numbers.random()
    if kind < 0.02:
        return bytes(data[:numbers.randrange(len(data))])
    if kind < 0.04:
        start = numbers.randrange(len(data))
        data[start:] = bytes([numbers.choice([0, 255])]) * (len(data) - start)
    elif kind < 0.08:
        start, source, length = offset(), offset(), numbers.choice([8, 16, 40, 512])
        piece = data[source:source + length]
        data[start:start + len(piece)] = piece
        del data[len(whole):]
    elif kind < 0.1:
        start, length = offset(), numbers.choice([8, 64, 512])
        data[start:start + length] = bytes(min(length, len(data) - start))
    elif kind < 0.4:
        for _ in range(numbers.randint(1, 4)):
            at = offset()
            data[at] = numbers.choice([0, 1, 255, 127, 128, data[at] ^ 1 << numbers.randrange(8), numbers.randrange(256)])
    else:
        for _ in range(numbers.choice([1, 1, 1, 2, 3])):
            size = numbers.choice([2, 4, 4, 8])
            at = min(offset() // size * size, len(data) - size)
            most = 1 << 8 * size
            known = int.from_bytes(data[at:at + size], "little")
            new = numbers.choice([
                0, 1, most - 1, most // 2, most // 2 - 1, most - 16, 1 << numbers.randrange(8 * size), len(data), len(data) - 8,
                known * 2, known * 256, known + 8, known - 8, known + 1, known - 1, known << 16, numbers.choice(own), (1 << 30) + 8,
                (1 << 32) - 64, numbers.randrange(most), known ^ 1 << numbers.randrange(8 * size),
                int.from_bytes(data[numbers.choice(own) // 8 * 8:][:size], "little")])
            data[at:at + size] = (new % most).to_bytes(size, "little")
    return bytes(data)


class Damage:
    """Runs commands on damaged files."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.files = make_files(program, folder)
        self.own = {name: own_offsets(whole) for name, whole in self.files.items()}
        self.expected = {name: self.results(whole, folder / "intact") for name, whole in self.files.items()}
        for name, results in self.expected.items():
            for command, (run, _) in results.items():
                if run.status or run.finding("features.h5"):
                    raise SystemExit(f"{name}: {command} of the intact file: {run.finding('features.h5') or run.said}")

    def results(self, data, folder):
        """What each command does with a file: {command: (Run, what it wrote)}."""
        folder.mkdir(exist_ok=True)
        (folder / "features.h5").write_bytes(data)
        found = {}
        for command, words in COMMANDS.items():
            output = folder / OUTPUTS.get(command, "none")
            if output.is_dir():
                shutil.rmtree(output)
            output.unlink(missing_ok=True)
            arguments = [word.format(file="features.h5", output=output.name) for word in words]
            run = Run(self.program, arguments, folder)
            parts = sorted(output.iterdir()) if output.is_dir() else [output] if output.exists() else []
            # A reference holds the path of the file.
            own = str(folder.resolve()).encode()
            found[command] = (run, b"".join(part.read_bytes().replace(own, b"") for part in parts))
        return found

    def round(self, seed):
        """A mutation: its kind, its bytes, and what each command does with it."""
        numbers = random.Random(seed)
        kind = numbers.choice(list(self.files))
        data = mutated(self.files[kind], self.own[kind], numbers)
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        try:
            return seed, kind, data, self.results(data, folder)
        finally:
            shutil.rmtree(folder)

    def outcome(self, kind, command, run, written):
        if run.finding("features.h5"):
            return "finding"
        if run.status:
            return "contained" if "HDF5 crashed" in run.said else "refused"
        expected, output = self.expected[kind][command]
        return "equal" if (run.said, written) == (expected.said, output) else "other"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=500, help="mutations (500)")
    parser.add_argument("--seed", type=int, default=1, help="where the mutations begin (1)")
    parser.add_argument("--jobs", type=int, default=2, help="mutations at a time (2)")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for files with a finding")
    options = parser.parse_args()
    counts = {command: collections.Counter() for command in COMMANDS}
    most = {command: [0, 0.0] for command in COMMANDS}
    findings = 0
    with tempfile.TemporaryDirectory(prefix="damaged-features-") as folder:
        damage = Damage(options.program.resolve(), pathlib.Path(folder))
        base = {command: max(results[command][0].memory for results in damage.expected.values()) for command in COMMANDS}
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            seeds = range(options.seed * 1_000_000, options.seed * 1_000_000 + options.rounds)
            for seed, kind, data, results in pool.map(damage.round, seeds):
                for command, (run, written) in results.items():
                    outcome = damage.outcome(kind, command, run, written)
                    counts[command][outcome] += 1
                    most[command] = [max(most[command][0], run.memory), max(most[command][1], run.seconds)]
                    if outcome == "finding" or outcome == "other" and command == "verify":
                        findings += 1
                        what = run.finding("features.h5") or "says something else, and finds nothing"
                        print(f"seed {seed}, {kind}, {command}: {what}", flush=True)
                        if options.keep:
                            options.keep.mkdir(parents=True, exist_ok=True)
                            (options.keep / f"{seed}.h5").write_bytes(data)
    print(f"{options.rounds} mutations of {len(KINDS)} kinds of files, each through {len(COMMANDS)} commands\n")
    print(f"{'command':10}" + "".join(f"{name:>11}" for name in OUTCOMES) + "  most memory  (intact)    most time")
    for command in COMMANDS:
        print(f"{command:10}" + "".join(f"{counts[command][name]:11}" for name in OUTCOMES)
              + f"{most[command][0] / 1e6:10.0f} MB{base[command] / 1e6:6.0f} MB{most[command][1]:11.2f} s")
    if findings:
        print(f"\n{findings} findings")
        sys.exit(1)


if __name__ == "__main__":
    main()
