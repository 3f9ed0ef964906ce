#!/usr/bin/env python3
"""Kills `veery extract` again and again, at every stage, and looks at what it leaves.

    make torture                    200 rounds
    make torture ROUNDS=1000 SEED=7

A round starts the program, ends it at a moment of some stage (by SIGKILL, sometimes by SIGINT or SIGTERM), does so up to
four times in a row, and then lets it come to its end. After every kill:
- what stands under the final name is the file that stood there before the round, or the complete new one, and
  `veery inspect --verify` finds nothing wrong with it;
- a signal that asks has ended the program within two seconds, with status 130 or 143.
In the end the file has the bytes of one made without interruption, and nothing else is left.

Only the standard library is used. The recordings are noise, made here.
"""
import argparse
import collections
import hashlib
import math
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import wave

# What the output is made with; the digests of uninterrupted runs are taken first.
SETTINGS = {
    "plain": ["--preset", "scrolling-dct"],
    "dataset": ["--preset", "log-mel", "--set", "audio.sample_rate=8000", "--set", "transform.high=4000"],
    "clip": ["--preset", "librosa-log-mel", "--set", "normalize.scope=clip"],
}
STAGES = ["begin", "extract", "assemble", "rename", "tidy"]
CLIPS = 1500


class Broken(Exception):
    """The program has broken a promise."""


def make_recordings(folder, clips):
    """Recordings of noise, and a manifest of segments of them, among which some fail."""
    noise = random.Random(1)
    rows = ["id,path,label,split,start,end"]
    for number in range(6):
        with wave.open(str(folder / f"{number}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(8000)
            count = 200_000 + 10_000 * number
            file.writeframes(struct.pack(f"<{count}h", *(noise.randint(-9000, 9000) for _ in range(count))))
    for clip in range(clips):
        start = noise.uniform(0, 8)
        path = "gone.wav" if clip % 41 == 40 else f"{noise.randrange(6)}.wav"
        split = noise.choice(["train", "train", "test"])
        rows.append(f"clip-{clip},{path},label {clip % 5},{split},{start:.3f},{start + noise.uniform(1, 12):.3f}")
    (folder / "manifest.csv").write_text("\n".join(rows) + "\n")


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Torture:
    def __init__(self, program, folder, seed, clips=CLIPS):
        self.program = str(program)
        self.folder = folder
        self.random = random.Random(seed)
        self.output = folder / "out" / "features.h5"
        self.spool = folder / "out" / "features.h5.spool"
        self.scratch = folder / "scratch"
        self.kills = collections.Counter()
        self.resumed = 0
        self.slowest = 0.0
        make_recordings(folder, clips)
        (folder / "old").mkdir()
        self.expected, self.seconds = {}, {}
        for name, settings in SETTINGS.items():
            path = folder / "old" / f"{name}.h5"
            begin = time.monotonic()
            self.run([*settings, "--jobs", "2"], path)
            self.seconds[name] = time.monotonic() - begin
            self.expected[name] = digest(path)

    def command(self, settings, output):
        return [self.program, "extract", str(self.folder / "manifest.csv"), "-o", str(output), "--max-failures", "99",
                "--progress", "none", *settings]

    def run(self, settings, output):
        result = subprocess.run(self.command(settings, output), capture_output=True, text=True, timeout=300)
        if result.returncode != 0:
            raise Broken(f"status {result.returncode}: {result.stderr}")
        return result.stderr

    def wait_for(self, process, condition):
        """Waits, looking without pause, for a condition or the end of the program."""
        while process.poll() is None and not condition():
            pass

    def kill_at(self, process, stage, seconds):
        """Ends the program at some moment of a stage; returns whether it was still running."""
        before = self.output.stat().st_ino if self.output.exists() else None
        in_progress = self.spool / "features.h5"
        if stage == "begin":
            what = self.random.choice([self.spool, self.spool / "lock", self.spool / "run.json"])
            self.wait_for(process, what.exists)
        elif stage == "extract":
            self.wait_for(process, lambda: any(
                (folder / "clips-0.spool").exists() for folder in [self.spool, *self.scratch.iterdir()]))
            time.sleep(self.random.uniform(0, 0.8 * seconds))
        elif stage == "assemble":
            self.wait_for(process, in_progress.exists)
            time.sleep(self.random.choice([0, self.random.uniform(0, seconds / 4)]))
        elif stage == "rename":
            self.wait_for(process, lambda: self.output.exists() and self.output.stat().st_ino != before)
        elif stage == "tidy":
            self.wait_for(process, lambda: self.output.exists() and self.output.stat().st_ino != before)
            time.sleep(self.random.uniform(0, 0.005))
        number = self.random.choice([signal.SIGKILL] * 4 + [signal.SIGINT, signal.SIGTERM])
        begin = time.monotonic()
        process.send_signal(number)
        _, error = process.communicate(timeout=60)
        took = time.monotonic() - begin
        if process.returncode == 0:
            return False
        if process.returncode not in (-signal.SIGKILL, -number, 128 + number):
            raise Broken(f"{signal.Signals(number).name} at {stage}: status {process.returncode}: {error}")
        if number != signal.SIGKILL:
            self.slowest = max(self.slowest, took)
            if took > 2:
                raise Broken(f"{signal.Signals(number).name} at {stage}: ended after {took:.1f} s")
        self.kills[stage] += 1
        return True

    def look(self, old, new):
        """What stands under the final name is whole, be it old or new."""
        if not self.output.exists():
            if old is not None:
                raise Broken("the older file is gone")
            return
        found = digest(self.output)
        if found not in (old, new):
            raise Broken("what stands under the final name is neither the older file nor the new one")
        result = subprocess.run(
            [self.program, "inspect", "--verify", str(self.output)], capture_output=True, text=True, timeout=60)
        if result.returncode != 0:
            raise Broken(f"inspect --verify: {result.stderr}{result.stdout}")

    def round(self):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        shutil.rmtree(self.scratch, ignore_errors=True)
        (self.folder / "out").mkdir()
        self.scratch.mkdir()
        name = self.random.choice(list(SETTINGS))
        options = list(SETTINGS[name])
        old = None
        if self.random.random() < 0.3:
            older = self.random.choice([other for other in SETTINGS if other != name])
            shutil.copy(self.folder / "old" / f"{older}.h5", self.output)
            old = self.expected[older]
            options.append("--overwrite")
        if self.random.random() < 0.25:
            options += ["--scratch", str(self.scratch)]
        for _ in range(self.random.randint(1, 4)):
            command = self.command([*options, "--jobs", str(self.random.randint(1, 4))], self.output)
            process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
            was_running = self.kill_at(process, self.random.choices(STAGES, [1, 4, 2, 2, 1])[0], self.seconds[name])
            self.look(old, self.expected[name])
            if not was_running:
                break
        error = self.run([*options, "--jobs", str(self.random.randint(1, 4))], self.output)
        self.resumed += "going on with an interrupted run" in error
        if digest(self.output) != self.expected[name]:
            raise Broken(f"{name}: the file differs from the one made without interruption")
        left = sorted(path.name for folder in (self.folder / "out", self.scratch) for path in folder.iterdir())
        if left != ["features.h5"]:
            raise Broken(f"left behind: {left}")

    def report(self):
        kills = ", ".join(f"{stage} {self.kills[stage]}" for stage in STAGES)
        return (f"kills that hit: {sum(self.kills.values())} ({kills}); runs that went on: {self.resumed}; "
                f"slowest end after a signal: {self.slowest:.2f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the program, such as .build/release/veery")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="veery-torture-") as folder:
        torture = Torture(pathlib.Path(arguments.program).resolve(), pathlib.Path(folder), arguments.seed)
        for number in range(arguments.rounds):
            try:
                torture.round()
            except Broken as broken:
                print(f"round {number} of seed {arguments.seed}: {broken}", file=sys.stderr)
                return 1
            if math.log2(number + 1) % 1 == 0 or (number + 1) % 25 == 0:
                print(f"{number + 1} rounds: {torture.report()}", flush=True)
    print(f"{arguments.rounds} rounds, nothing lost")
    return 0


if __name__ == "__main__":
    sys.exit(main())
