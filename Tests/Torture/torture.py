#!/usr/bin/env python3
"""Kills `veery extract` again and again, at every stage, and looks at what it leaves.

    make torture                    200 rounds
    make torture ROUNDS=1000 SEED=7

A round starts the program, ends it at a moment of some stage (by SIGKILL, sometimes by SIGINT or SIGTERM), does so up to
four times in a row, and then lets it come to its end. After every kill:
- under the final name is the older file, untouched, or the complete new one, which later kills leave there, and
  `veery inspect --verify` finds nothing wrong with it;
- SIGINT or SIGTERM has ended the program within two seconds, with status 130 or 143.
The next start resumes with every clip of which a whole record is in the spool, counted here (spool_records.py), not one
fewer; with --fresh it starts over. In the end the file has the bytes of one made without interruption, and nothing
else is left.

Settings, stages, signals and options take turns, so that about a dozen rounds have had them all; only moments are random.
Only the standard library is used. The recordings are noise, made here.
"""
import argparse
import collections
import hashlib
import math
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import wave

from spool_records import kept_clips

MEL = ["--preset", "log-mel", "--set", "audio.sample_rate=8000", "--set", "transform.high=4000"]
CLIP = ["--preset", "librosa-log-mel", "--set", "normalize.scope=clip"]
DEFLATE = ["--set", "store.compression=deflate"]
FIXED = ["--set", "store.layout=fixed", "--set", "audio.duration=5"]
HALF = ["--set", "store.type=float16"]


class Setting:
    """What a round's output is made with.

    `append`: to a file that a shorter manifest made; `stats`: normalised by another file's statistics.
    """

    def __init__(self, options, append=False, stats=False):
        self.options = options
        self.append = append
        self.stats = stats


SETTINGS = {
    "plain": Setting(["--preset", "scrolling-dct"]),
    "append": Setting(MEL, append=True),
    "dataset": Setting(MEL),
    "deflate": Setting([*MEL, *DEFLATE]),
    "append, each clip": Setting([*CLIP, *DEFLATE], append=True),
    "fixed": Setting([*MEL, *FIXED]),
    "statistics": Setting(MEL, stats=True),
    "float16": Setting([*MEL, *HALF]),
    "append, statistics": Setting([*MEL, *HALF], append=True, stats=True),
    "each clip": Setting(CLIP),
    "fixed, deflate, float16": Setting([*CLIP, *FIXED, *DEFLATE, *HALF]),
    "append, fixed": Setting([*MEL, *FIXED, *HALF], append=True),
    "deflate, statistics": Setting([*MEL, *DEFLATE, *HALF], stats=True),
}
STAGES = ["begin", "extract", "assemble", "rename", "tidy"]
# Turns of lengths without a common divisor, so that everything meets everything.
STAGE_TURNS = ["extract", "assemble", "extract", "rename", "extract", "begin", "assemble", "tidy"]
SIGNAL_TURNS = [signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGKILL, signal.SIGTERM]
CLIPS = 1500


class Broken(Exception):
    """The program has broken a promise."""


def make_recordings(folder, clips):
    """Recordings of noise; a manifest of segments of them, among which some fail; one of two thirds of its rows."""
    noise = random.Random(1)
    head = "id,path,label,split,start,end"
    rows = []
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
    (folder / "manifest.csv").write_text("\n".join([head, *rows]) + "\n")
    shorter = [row for clip, row in enumerate(rows) if clip % 3 != 1]
    (folder / "shorter.csv").write_text("\n".join([head, *shorter]) + "\n")


def digest(path):
    found = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            found.update(piece)
    return found.hexdigest()


class Torture:
    """The rounds. `settings` names those that take turns; all of them by default."""

    def __init__(self, program, folder, seed, clips=CLIPS, settings=None):
        self.program = str(program)
        self.folder = folder
        self.random = random.Random(seed)
        self.output = folder / "out" / "features.h5"
        self.spool = folder / "out" / "features.h5.spool"
        self.scratch = folder / "scratch"
        self.old = folder / "old"
        self.names = list(settings or SETTINGS)
        self.clips = clips
        self.rounds, self.starts, self.attempts = 0, 0, 0
        self.kills, self.signals, self.seen = collections.Counter(), collections.Counter(), collections.Counter()
        self.resumed, self.clips_kept, self.fresh_starts = 0, 0, 0
        self.slowest = 0.0
        make_recordings(folder, clips)
        self.old.mkdir()
        self.statistics = self.old / "statistics.h5"
        self.run(MEL, self.statistics, manifest="shorter.csv")
        self.sources = {self.statistics: digest(self.statistics)}
        self.expected, self.seconds, self.bases = {}, {}, {}
        for name in self.names:
            self.make(name)

    def make(self, name):
        """Makes a setting's file without interruption and keeps its digest, and the file that it is appended to."""
        setting, path = SETTINGS[name], self.old / "new.h5"
        options = self.options(setting)
        if setting.append:
            base = self.old / f"base {len(self.bases)}.h5"
            self.run([option for option in options if option != "--append"], base, manifest="shorter.csv")
            shutil.copy(base, path)
            self.bases[name] = base
            self.sources[base] = digest(base)
        begin = time.monotonic()
        self.run([*options, "--jobs", "2"], path)
        self.seconds[name] = time.monotonic() - begin
        self.expected[name] = digest(path)
        if setting.append and self.expected[name] == self.sources[base]:
            raise Broken(f"{name}: nothing was appended")
        path.unlink()

    def options(self, setting):
        return [*setting.options, *(["--append"] if setting.append else []),
                *(["--stats-from", str(self.statistics)] if setting.stats else [])]

    def command(self, options, output, manifest="manifest.csv"):
        return [self.program, "extract", str(self.folder / manifest), "-o", str(output), "--max-failures", "99",
                "--progress", "none", *options]

    def run(self, options, output, manifest="manifest.csv"):
        result = subprocess.run(self.command(options, output, manifest), capture_output=True, text=True, timeout=300)
        if result.returncode != 0:
            raise Broken(f"status {result.returncode}: {result.stderr}")
        return result.stderr

    def wait_for(self, process, condition):
        """Waits, looking without pause, for a condition or the end of the program."""
        while process.poll() is None and not condition():
            pass

    def spools(self):
        return [self.spool, *self.scratch.iterdir()]

    def clips_left(self, with_unopened=False):
        return len(kept_clips((folder for folder in self.spools() if folder.is_dir()), with_unopened))

    def kill_at(self, process, stage, seconds, number):
        """Ends the program at some moment of a stage; returns whether it was still running, and what it said."""
        before = self.output.stat().st_ino if self.output.exists() else None
        in_progress = self.spool / "features.h5"
        if stage == "begin":
            what = self.random.choice([self.spool, self.spool / "lock", self.spool / "run.json"])
            self.wait_for(process, what.exists)
        elif stage == "extract":
            self.wait_for(process, lambda: any((folder / "clips-0.spool").exists() for folder in self.spools()))
            time.sleep(self.random.uniform(0, 0.7 * seconds))
        elif stage == "assemble":
            self.wait_for(process, in_progress.exists)
            time.sleep(self.random.choice([0, self.random.uniform(0, seconds / 4)]))
        else:
            self.wait_for(process, lambda: self.output.exists() and self.output.stat().st_ino != before)
            if stage == "tidy":
                time.sleep(self.random.uniform(0, 0.005))
        begin = time.monotonic()
        process.send_signal(number)
        _, error = process.communicate(timeout=60)
        took = time.monotonic() - begin
        if process.returncode == 0:
            return False, error
        if process.returncode not in (-signal.SIGKILL, -number, 128 + number):
            raise Broken(f"{signal.Signals(number).name} at {stage}: status {process.returncode}: {error}")
        if number != signal.SIGKILL:
            self.slowest = max(self.slowest, took)
            if took > 2:
                raise Broken(f"{signal.Signals(number).name} at {stage}: ended after {took:.1f} s")
        self.kills[stage] += 1
        self.signals[number] += 1
        return True, error

    def look(self, before, old, new):
        """Checks that the file under the final name is whole: the older one, untouched, or the new one in place of it.

        `before` is the inode of the older file; returns whether it has been replaced.
        """
        if not self.output.exists():
            if old is not None:
                raise Broken("the older file is gone")
            return False
        is_old = self.output.stat().st_ino == before
        if digest(self.output) != (old if is_old else new):
            raise Broken("under the final name is " + (
                "the older file, but it has been changed" if is_old else "neither the older file nor the new one"))
        result = subprocess.run(
            [self.program, "inspect", "--verify", str(self.output)], capture_output=True, text=True, timeout=60)
        if result.returncode != 0:
            raise Broken(f"inspect --verify: {result.stderr}{result.stdout}")
        return not is_old

    def check_notice(self, error, left, fresh, must_say):
        """Compares the number of clips that a run says it resumes with, with the number that were there when it started."""
        notice = re.search(r"resuming an interrupted run: (\d+) of (\d+) clips are done, (\d+) are left", error)
        if notice is None:
            if must_say and left and not fresh:
                raise Broken(f"{left} clips were there to go on with, but the run began anew: {error}")
            return
        if fresh:
            raise Broken(f"--fresh goes on with what was there: {error}")
        done, total, rest = map(int, notice.groups())
        if done != left or done + rest != total:
            raise Broken(f"{left} clips were there to go on with, but the run says: {notice[0]}")
        if "have changed" in error:
            raise Broken(f"no recording has changed, but the run says: {error}")
        self.resumed += 1
        self.clips_kept += done

    def check_last_words(self, error):
        """A run that could still speak has named the number of clips that it leaves."""
        words = re.search(r"(\d+) of \d+ clips are done and kept in", error)
        if words and int(words[1]) != (left := self.clips_left(with_unopened=True)):
            raise Broken(f"{left} clips are left, but the run said: {words[0]}")

    def start_options(self, options, is_fresh):
        """The options of the next start: --jobs takes turns."""
        self.starts += 1
        self.fresh_starts += is_fresh
        return [*options, "--jobs", str(1 + self.starts % 4), *(["--fresh"] if is_fresh else [])]

    def round(self):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        shutil.rmtree(self.scratch, ignore_errors=True)
        (self.folder / "out").mkdir()
        self.scratch.mkdir()
        number, self.rounds = self.rounds, self.rounds + 1
        name = self.names[number % len(self.names)]
        setting = SETTINGS[name]
        options = self.options(setting)
        older = self.bases.get(name)
        if older is None and self.bases and number % 3 == 0:
            older = self.random.choice(list(self.bases.values()))
            options.append("--overwrite")
        if number % 4 == 3:
            options += ["--scratch", str(self.scratch)]
        old, before = None, None
        if older is not None:
            shutil.copy(older, self.output)
            old, before = self.sources[older], self.output.stat().st_ino
            # Held open, so that no other file gets its number.
        keeper = open(self.output, "rb") if older is not None else None
        try:
            self.kill_and_finish(name, options, old, before, fresh_at=1 if number % 5 == 2 else None)
        except Broken as broken:
            raise Broken(f"{name}: {broken}") from broken
        finally:
            if keeper:
                keeper.close()
        self.seen[name] += 1

    def kill_and_finish(self, name, options, old, before, fresh_at):
        attempts = self.random.randint(1, 4) if fresh_at is None else self.random.randint(fresh_at + 1, 4)
        is_new = False
        for attempt in range(attempts):
            left = self.clips_left()
            is_fresh = attempt == fresh_at
            stage = STAGE_TURNS[self.attempts % len(STAGE_TURNS)]
            end = SIGNAL_TURNS[self.attempts % len(SIGNAL_TURNS)]
            seconds = self.seconds[name] * (1 if is_fresh else 1 - left / self.clips)
            self.attempts += 1
            if fresh_at == attempt + 1:
                # --fresh needs clips to delete, but not those of a complete run.
                stage, seconds = "extract", seconds / 3
            command = self.command(self.start_options(options, is_fresh), self.output)
            process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
            was_running, error = self.kill_at(process, stage, seconds, end)
            self.check_notice(error, left, is_fresh, must_say=not was_running and not is_new)
            self.check_last_words(error)
            was_new, is_new = is_new, self.look(before, old, self.expected[name])
            if was_new and not is_new:
                raise Broken("the new file has been taken back")
            if not was_running:
                break
        left = self.clips_left()
        error = self.run(self.start_options(options, False), self.output)
        self.check_notice(error, left, False, must_say=not is_new)
        if digest(self.output) != self.expected[name]:
            raise Broken("the file differs from the one made without interruption")
        kept = sorted(path.name for folder in (self.folder / "out", self.scratch) for path in folder.iterdir())
        if kept != ["features.h5"]:
            raise Broken(f"left behind: {kept}")
        for path, known in self.sources.items():
            if digest(path) != known:
                raise Broken(f"{path} has been changed")

    def report(self):
        kills = ", ".join(f"{stage} {self.kills[stage]}" for stage in STAGES)
        return (f"kills that hit: {sum(self.kills.values())} ({kills}); runs that went on: {self.resumed}, with "
                f"{self.clips_kept} clips; --fresh: {self.fresh_starts}; slowest end after a signal: {self.slowest:.2f} s")


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
