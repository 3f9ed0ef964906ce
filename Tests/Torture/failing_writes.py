#!/usr/bin/env python3
"""Makes every system call by which `veery` changes files fail, one after another, once or from then on, and checks what is left.

    make torture PART=writes
    make torture PART=writes COMMAND='extract --files 2' CALLS=10
    make torture PART=sweep                                       kills at every call of every `extract`

The calls of a command are those of a run that nothing hinders, as failing_writes.c logs them. Each is then made to fail in a
run of its own, with each error, once or from then on; of a write, also, half of the bytes are taken before. After every run:
- status 0 (or that of the unhindered run) only where everything that was to be written has the bytes of the unhindered run;
- any other run ends with status 75 and says why; each name has the older file or the whole new one, or nothing where there was
  nothing; nothing else is left except what the same command resumes from, and what could not be deleted;
- then the same command, unhindered, leaves what the unhindered run left.

With `--errors KILL`, the program is killed (SIGKILL) in place of each call, and after half of each write. Then the same names have the
older file or the whole new one, and the same command, unhindered, leaves what the unhindered run left, and nothing else.

The commands are those of writing_commands.py. Only the standard library is used.
"""
import argparse
import collections
import concurrent.futures
import errno
import hashlib
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import writing_commands

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Benchmarks"))
import preload  # noqa: E402

ERRORS = ["ENOSPC", "EDQUOT", "EIO", "EROFS"]
# once: the call fails. ever: all that follow, too. With "short", a write takes half of its bytes before.
MODES = ["once", "ever"]
SHORT_MODES = {"ENOSPC": ["short"], "EIO": ["short, ever"], "KILL": ["short"]}
# Names that differ from run to run, as patterns of fnmatch.
RANDOM = [(r"\.veery-[^/]+\.partial$", ".veery-*.partial"), (r"\.partial-[^/]+", ".partial-*"),
          (r"/veery-\w{6}( \(deleted\))?$", r"/veery-??????\1"), (r"(/\d{5}-of-\d{5})\.[^/]+", r"\1.*"),
          (r"/file-[^/]+", "/file-*"), (r"-[0-9a-f]{16}\.spool", "-*.spool")]
# What an unfinished command leaves for the next one to resume from.
KEPT = re.compile(r"(\.spool|\.shards|^out/scratch)(/|$)|\.index\.json\.replaced$")
INSIDES = re.compile(r"Fatal error|Backtrace|Thread \d+|NSError|Error Domain|bug in libsndfile|\w+Error\(|\.swift:\d|\w+\(\w+: ")
EMPTY = hashlib.sha256().hexdigest()
PATIENCE = 60
CHUNK = 40

Call = collections.namedtuple("Call", "name path other bytes outcome")
Case = collections.namedtuple("Case", "number call pattern nth error mode")
Wrong = collections.namedtuple("Wrong", "variant case what said")


def pattern(path):
    """A pattern of fnmatch that the path matches in every run."""
    path = re.sub(r"[\[*?]", lambda found: f"[{found[0]}]", path)
    for random, fixed in RANDOM:
        path = re.sub(random, fixed, path)
    return path


def digest(path):
    """Of a file's contents, without what differs from run to run."""
    data = path.read_bytes()
    if path.name == "lock":
        # It holds the number of the process.
        data = b""
    if path.suffix in (".ogg", ".opus"):
        # libsndfile gives each stream another number, which the checksum of each page contains.
        data = re.sub(rb"(?s)(OggS.{10}).{4}(.{4}).{4}", rb"\1\2", data)
    return hashlib.sha256(data).hexdigest()


def contents(folder):
    """The digest of each file below a folder by its path, without those that are read; of folders the word."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if name != "in" and not name.startswith("in/"):
            found[name] = "folder" if path.is_dir() else digest(path)
    return found


class Workspace:
    """A folder in which commands run one after another; its `in` is a link to what all of them read."""

    def __init__(self, program, shim, folder, inputs):
        self.program, self.shim, self.folder = program, shim, folder
        folder.mkdir()
        os.symlink(inputs, folder / "in")
        self.log = folder.parent / f"{folder.name}.log"
        self.older = folder.parent / f"{folder.name}.older"

    def run(self, words, stdin=None, stdout=None, call=None, error=None, mode=None):
        """Runs the program under the shim; returns the status (or "hangs"), what it said, and its calls."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("FAILING_", "VEERY_"))}
        environment.update(LD_PRELOAD=str(self.shim), FAILING_FOLDER=str(self.folder), FAILING_LOG=str(self.log), LC_ALL="C.UTF-8",
                           TZ="UTC", TMPDIR=str(self.folder / "tmp"), TERM="dumb")
        if call:
            environment.update(FAILING_CALL=call, FAILING_ERROR=str(getattr(errno, error, 0)))
            if "ever" in mode:
                environment["FAILING_FOREVER"] = "1"
            if "short" in mode:
                environment["FAILING_SHORT"] = "1"
        self.log.unlink(missing_ok=True)
        with open(self.folder / stdin if stdin else os.devnull, "rb") as source, \
                open(self.folder / stdout if stdout else os.devnull, "wb") as target:
            process = subprocess.Popen([self.program, *words], cwd=self.folder, env=environment, stdin=source, stdout=target,
                                       stderr=subprocess.PIPE, start_new_session=True)
            try:
                said = process.communicate(timeout=PATIENCE)[1].decode(errors="replace")
                status = process.returncode
            except subprocess.TimeoutExpired:
                process.kill()
                said, status = process.communicate()[1].decode(errors="replace"), "hangs"
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return status, said, [Call(*line.split("\t")) for line in lines]

    def prepare(self, variant):
        """Runs the commands that come before, and copies what they leave."""
        for name in ("out", "tmp"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
            (self.folder / name).mkdir()
        for step in variant.before:
            if step[0] == "folder":
                (self.folder / step[1]).mkdir()
            elif step[0] == "change":
                (self.folder / step[1]).write_bytes(b"something else")
            elif isinstance(step, tuple):
                words, call, path, *stdin = step
                status, said, calls = self.run(words, *stdin, call=f"{call}\t{path}\t0", error="ENOSPC", mode="once")
                if status != 75 or not any(each.outcome == "failed" for each in calls):
                    raise RuntimeError(f"{variant.name}: status {status} where the {call} of {path} fails: {said}")
            else:
                status, said, _ = self.run(step)
                if status != 0:
                    raise RuntimeError(f"{variant.name}: status {status} of {step}: {said}")
        shutil.rmtree(self.older, ignore_errors=True)
        shutil.copytree(self.folder / "out", self.older)
        self.before = contents(self.folder)

    def restore(self):
        for name in ("out", "tmp"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        shutil.copytree(self.older, self.folder / "out")
        (self.folder / "tmp").mkdir()

    def unhindered(self, variant):
        """The calls of the command where nothing fails; what it leaves is what every other run is compared with."""
        self.prepare(variant)
        status, said, calls = self.run(variant.words, variant.stdin, variant.stdout)
        if status != variant.status:
            raise RuntimeError(f"{variant.name}: status {status}, expected {variant.status}: {said}")
        self.follow(variant)
        self.after = self.clean(variant)
        return calls

    def follow(self, variant):
        """Runs the commands that use what this one has left; what they make counts. A sentence if one fails."""
        for words in variant.then:
            status, said, _ = self.run(words)
            if status != 0:
                return f"then status {status} of {' '.join(words[-2:])}: {said.strip()}"
        return None

    def clean(self, variant):
        """What is there, without what changes from run to run."""
        found = contents(self.folder)
        for name in found:
            if variant.varying and name == variant.stdout:
                data = (self.folder / name).read_bytes()
                for part in variant.varying:
                    data = part.sub(b"", data)
                found[name] = hashlib.sha256(data).hexdigest()
        return found

    # ------------------------------------------------------------------------------------------------------------ judging

    def judge(self, variant, case):
        """What is wrong about a run in which a call fails, as sentences; None: the call was not made."""
        self.restore()
        status, said, calls = self.run(
            variant.words, variant.stdin, variant.stdout, call=f"{case.call}\t{case.pattern}\t{case.nth}", error=case.error,
            mode=case.mode)
        hindered = [call for call in calls if call.outcome in ("failed", "short", "killed")]
        broken = self.follow(variant) if status == variant.status else None
        found = self.clean(variant)
        # A name that cannot be taken back leaves the older folder under its other name.
        undeletable = any(call.name in ("unlink", "rmdir", "rename") for call in hindered)
        wrong = [broken] if broken else self.faults(variant, case, status, said, found, undeletable)
        # A program that writes the other half again has met no failure.
        if status != variant.status and case.error != "KILL" and not any(call.outcome == "failed" for call in hindered):
            wrong.append("fails though no call has")
        if not wrong:
            wrong = self.again(variant, case, status, found, undeletable)
        return (wrong, f"status {status}: {said.strip()[-600:]}") if hindered else None

    def faults(self, variant, case, status, said, found, undeletable):
        if status == "hangs":
            return [f"does not end within {PATIENCE} s"]
        is_killed = status == -signal.SIGKILL and case.error == "KILL"
        if status < 0 and not is_killed:
            return [f"crashes by signal {-status}"]
        extra = [name for name in found if name not in self.after]
        if status == variant.status:
            wrong = [f"status {status}, but other bytes: {pattern(name)}" if name in found else
                     f"status {status}, but missing: {pattern(name)}"
                     for name in self.after if found.get(name) != self.after[name]]
            left = [] if undeletable else extra
            return wrong + [f"status {status}, but left behind: {pattern(name)}" for name in left]
        if status != 75 and not is_killed:
            return [f"status {status}"]
        wrong = []
        if INSIDES.search(said):
            wrong.append(f"shows its insides: {INSIDES.search(said)[0]}")
        if not is_killed and os.strerror(getattr(errno, case.error)) not in said:
            wrong.append("does not say why")
        for name in {**self.before, **self.after}:
            if name == variant.stdout or found.get(name) in (self.before.get(name), self.after.get(name)):
                continue
            if (name in found or name in self.before) and not KEPT.search(name):
                wrong.append(("half of it is left: " if name in found else "the older one is gone: ") + pattern(name))
        # What a killed program was about to delete, the next one deletes.
        for name in [] if is_killed else extra:
            if name not in self.before and not KEPT.search(name) and not undeletable and name != variant.stdout:
                wrong.append(f"left behind: {pattern(name)}")
        return wrong

    def again(self, variant, case, before, left, undeletable):
        """The same command, unhindered, where it failed."""
        if before == variant.status:
            return []
        words, stdin = variant.again or variant.words, variant.stdin
        # Nothing is recovered where no row was written: the same recording is made anew.
        is_recovered = variant.is_recording and any(
            re.search(r"\.spool/clips-\d+\.spool$", name) and state != EMPTY for name, state in left.items())
        if is_recovered:
            words, stdin = [*writing_commands.RECOVER, *(["--overwrite"] if "--overwrite" in variant.words else [])], None
        status, said, _ = self.run(words, stdin, None if is_recovered else variant.stdout)
        if is_recovered and self.is_shorter(status, said):
            return []
        is_advised = status == 1 and "--overwrite" in said and "--overwrite" not in words
        if is_advised and (case.mode.endswith("ever") or case.error == "KILL" and "--tar" in words):
            # In mode `ever` nothing could be undone either, and a stream cannot be compared with the file that was made of it: the
            # advice has to lead to success.
            status, said, _ = self.run([*words, "--overwrite"], stdin, variant.stdout)
        if status != variant.status:
            return [f"the same command fails afterwards: status {status}: {said.strip().splitlines()[0] if said else ''}"]
        if broken := self.follow(variant):
            return [broken]
        found = self.clean(variant)
        wrong = [f"afterwards {pattern(name)} " + ("has other bytes" if name in found else "is missing")
                 for name in self.after if found.get(name) != self.after[name]
                 # A report says what was left to do.
                 and not (name == variant.stdout and "out/f.h5" in self.after)]
        if not undeletable:
            wrong += [f"left behind afterwards: {pattern(name)}" for name in found if name not in self.after]
        return wrong

    def is_shorter(self, status, said):
        """Whether what is recovered of a recording is the beginning of it: sound that came after the failure is lost."""
        file = self.folder / "out/live.h5"
        if status != 0:
            return status == 1 and "not written, since no frame" in said
        verified = subprocess.run([self.program, "inspect", "--verify", file], capture_output=True)
        return verified.returncode == 0 and contents(self.folder)["out/live.h5"] != self.after["out/live.h5"]


def failures_of(errors):
    """Every error in every mode."""
    return [(error, mode) for error in errors for mode in (["once"] if error == "KILL" else MODES) + SHORT_MODES.get(error, [])]


class Torture:
    """All commands, all calls. `only`: parts of their names. `most`: calls of a command. `errors`: those that calls fail with, each
    with its mode."""

    def __init__(self, program, folder, shim, workspaces, only=(), most=None, errors=None):
        self.program = str(program)
        self.variants = [variant for variant in writing_commands.table()
                         if not only or any(re.search(part, variant.name) for part in only)]
        self.left_out = []
        if not shutil.which("ffmpeg"):
            self.left_out = [variant for variant in self.variants if variant.needs_ffmpeg]
            self.variants = [variant for variant in self.variants if not variant.needs_ffmpeg]
        self.most = most
        self.errors = errors or failures_of(ERRORS)
        self.missing = writing_commands.missing(self.program, list(writing_commands.table()))
        inputs = folder / "inputs"
        inputs.mkdir()
        writing_commands.make_inputs(self.program, inputs)
        self.workspaces = queue.SimpleQueue()
        self.count = workspaces
        for number in range(workspaces):
            self.workspaces.put(Workspace(self.program, shim, folder / f"workspace-{number}", inputs / "in"))
        self.calls, self.runs = collections.Counter(), collections.Counter()
        self.cases, self.not_made = collections.Counter(), collections.Counter()
        self.wrong = []

    def run(self):
        """Runs all; the result does not depend on how many run at once."""
        with concurrent.futures.ThreadPoolExecutor(self.count) as pool:
            planned = list(pool.map(self.plan, self.variants))
            chunks = [(variant, cases[start:start + CHUNK]) for variant, cases in zip(self.variants, planned)
                      for start in range(0, len(cases), CHUNK)]
            for found in pool.map(lambda chunk: self.run_chunk(*chunk), chunks):
                self.wrong += found
        return self.wrong

    def in_workspace(self, work):
        workspace = self.workspaces.get()
        try:
            return work(workspace)
        finally:
            self.workspaces.put(workspace)

    def plan(self, variant):
        """The cases of a command, in a fixed order."""
        calls = self.in_workspace(lambda workspace: workspace.unhindered(variant))
        if not calls:
            raise RuntimeError(f"{variant.name}: it changes no file, or the program does not load the library")
        self.calls[variant.name] = len(calls)
        cases, counts = [], collections.Counter()
        numbers = self.chosen(calls)
        for number, call in enumerate(calls):
            key = (call.name, pattern(call.path or call.other))
            nth, counts[key] = counts[key], counts[key] + 1
            if number in numbers:
                cases += [Case(number, *key, nth, error, mode) for error, mode in self.failures(call)]
        self.cases[variant.name] = len(cases)
        return cases

    def failures(self, call):
        return [(error, mode) for error, mode in self.errors if call.name == "write" or "short" not in mode]

    def chosen(self, calls):
        """Numbers of the calls that are made to fail: all, or some of each kind, the last of each before all others."""
        if self.most is None or self.most >= len(calls):
            return set(range(len(calls)))
        kinds = {}
        for number, call in enumerate(calls):
            kinds.setdefault((call.name, pattern(call.path)), []).append(number)
        last = {call.name: number for number, call in enumerate(calls)}
        chosen = [last[name] for name in ("write", "fsync", "close", "rename", "link", "open") if name in last][:self.most]
        rest = sorted({number for numbers in kinds.values() for number in (numbers[0], numbers[-1])} - set(chosen))
        left = self.most - len(chosen)
        if left < len(rest):
            rest = [rest[(2 * turn + 1) * len(rest) // (2 * left)] for turn in range(left)]
        return set(chosen + rest)

    def run_chunk(self, variant, cases):
        return self.in_workspace(lambda workspace: self.judge_all(workspace, variant, cases))

    def judge_all(self, workspace, variant, cases):
        wrong = []
        workspace.unhindered(variant)
        for case in cases:
            judged = workspace.judge(variant, case)
            # Threads may make their calls in another order, and some calls depend on the time: a second try.
            if judged is None:
                judged = workspace.judge(variant, case)
            self.runs[variant.name, case.error, case.mode.split(", ")[-1]] += 1
            if judged is None:
                self.not_made[variant.name] += 1
                continue
            wrong += [Wrong(variant.name, case, what, judged[1]) for what in judged[0]]
        return wrong

    # ------------------------------------------------------------------------------------------------------------- report

    def report(self):
        """Commands × calls × errors, and how many runs of each were wrong."""
        columns = [(error, mode) for error in [*ERRORS, "KILL"] for mode in ("once", "ever", "short")]
        columns = [column for column in columns if any(key[1:] == column for key in self.runs)]
        bad = {(wrong.variant, wrong.case) for wrong in self.wrong}
        counted = collections.Counter((name, case.error, case.mode.split(", ")[-1]) for name, case in bad)
        width = max(len(name) for name in self.calls)
        lines = [" " * width + "  calls   runs  wrong  not made  wrong of " + "  ".join(f"{e} {m}" for e, m in columns)]
        for name in [variant.name for variant in self.variants] + [None]:
            def total(counter, part=0):
                return sum(n for key, n in counter.items() if name in (None, key[part] if isinstance(key, tuple) else key))
            cells = []
            for column in columns:
                keys = [key for key in self.runs if key[1:] == column and name in (None, key[0])]
                cell = f"{sum(counted[key] for key in keys)}/{sum(self.runs[key] for key in keys)}"
                cells.append(cell.rjust(len(" ".join(column))))
            lines.append(f"{(name or 'all').ljust(width)} {total(self.calls):6} {total(self.runs):6} {total(counted):6} "
                         f"{total(self.not_made):9}           " + "  ".join(cells))
        return "\n".join(lines)

    def findings(self, most=3):
        """What is wrong, each kind once for a command, with some of its calls."""
        kinds = {}
        for wrong in self.wrong:
            kinds.setdefault((wrong.variant, wrong.what), []).append(wrong)
        lines = []
        for (name, what), all_of_kind in kinds.items():
            lines.append(f"{name}: {what} ({len(all_of_kind)})")
            for wrong in all_of_kind[:most]:
                case = wrong.case
                lines.append(f"    call {case.number}: {case.call} {case.pattern} #{case.nth}, {case.error} {case.mode}")
                lines.append("        " + wrong.said.replace("\n", "\n        "))
        return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the program, such as .build/release/veery")
    parser.add_argument("--only", action="append", default=[], help="commands whose name contains this regular expression")
    parser.add_argument("--most", type=int, help="calls of a command; default: all")
    parser.add_argument("--errors", help="such as ENOSPC,EIO; default: all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true", help="print the commands and their calls, and make none fail")
    arguments = parser.parse_args()
    if not sys.platform.startswith("linux"):
        print("LEFT OUT: writes that fail need Linux")
        return 0
    errors = failures_of(arguments.errors.split(",")) if arguments.errors else None
    with preload.built(pathlib.Path(__file__).with_name("failing_writes.c")) as shim, \
            tempfile.TemporaryDirectory(prefix="veery-failing-writes-") as folder:
        torture = Torture(pathlib.Path(arguments.program).resolve(), pathlib.Path(folder).resolve(), shim, arguments.jobs,
                          arguments.only, arguments.most, errors)
        for variant in torture.left_out:
            print(f"LEFT OUT, since ffmpeg is missing: {variant.name}")
        if arguments.list:
            for variant in torture.variants:
                print(variant.name)
                for number, call in enumerate(torture.in_workspace(lambda workspace: workspace.unhindered(variant))):
                    print(f"    {number:3} {call.name:8} {pattern(call.path)} {pattern(call.other)} {call.bytes} {call.outcome}")
            return 0
        torture.run()
        print(torture.report())
        print(torture.findings())
        for sentence in torture.missing:
            print(f"missing from the table: {sentence}")
        return 1 if torture.wrong or torture.missing else 0


if __name__ == "__main__":
    sys.exit(main())
