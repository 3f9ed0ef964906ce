"""A few calls of every command that writes, made to fail: Tests/Torture/failing_writes.py. `make torture` takes all of them.

The preloaded library, too, is tested: it sees every call that changes a file, and makes the chosen ones fail.
"""
import collections
import errno
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Torture"))
import failing_writes  # noqa: E402
import writing_commands  # noqa: E402

pytestmark = [pytest.mark.long, pytest.mark.promised, pytest.mark.skipif(
    not sys.platform.startswith("linux") or not any(map(shutil.which, ("cc", "clang", "gcc"))),
    reason="NO LINUX, OR NO COMPILER: writes that fail are not tested")]


@pytest.fixture(scope="module")
def shim():
    with failing_writes.preload.built(Path(failing_writes.__file__).with_name("failing_writes.c")) as library:
        yield library


@pytest.fixture
def torture(program, shim, tmp_path):
    def make(**more):
        (tmp_path / "torture").mkdir()
        return failing_writes.Torture(program, tmp_path / "torture", shim, 2, **more)

    return make


def test_no_write_that_fails_is_forgotten(torture):
    made = torture(most=5, errors=[("ENOSPC", "once"), ("EIO", "ever")])
    for variant in made.left_out:
        print(f"LEFT OUT, since ffmpeg is missing: {variant.name}")
    made.run()
    assert not made.wrong, f"{made.report()}\n{made.findings()}"
    # Some calls depend on threads and on the time, and are not made in every run.
    assert sum(made.not_made.values()) <= sum(made.runs.values()) / 20, made.report()
    assert len(made.calls) == len(made.variants), made.report()


def test_a_program_that_is_killed_at_a_call_has_lost_nothing(torture):
    """Some calls of every kind of run; `make torture PART=sweep` takes all of them."""
    made = torture(most=6, errors=failing_writes.failures_of(["KILL"]), only=[r"^extract (--shard|--file|--sync|--append|of shards)"])
    made.run()
    assert not made.wrong, f"{made.report()}\n{made.findings()}"
    # Under load, a run may make a call less than the one before: then there is nothing to kill it at.
    assert sum(made.runs.values()) >= 80 and sum(made.not_made.values()) <= 4, made.report()


def test_every_command_that_writes_is_in_the_table(program):
    assert writing_commands.missing(program, list(writing_commands.table())) == []


@pytest.mark.parametrize("left_out, found", [
    (r"^crawl", "veery crawl: no command of the table"), ("--mend", "veery check --mend out.csv"),
    ("--failures-out", "veery extract --failures-out manifest"), ("--to zarr", "veery export --to zarr"),
    ("filter to mp3", "veery filter to .mp3"), ("--shard", "veery extract --shard"), ("^live --recover", "veery live --recover"),
    ("inspect --json", "veery inspect --json > file"), ("as pdf", "veery render to .pdf"), ("golden", "veery presets --golden"),
])
def test_a_command_that_is_missing_is_named(program, left_out, found):
    missing = writing_commands.missing(
        program, [variant for variant in writing_commands.table() if not re.search(left_out, variant.name)])
    assert any(sentence.startswith(found) for sentence in missing), missing


# Names that strace has for the calls, and the flags of an open that may change a file.
CALLS = {
    "write": "write", "pwrite64": "write", "writev": "write", "pwritev": "write", "open": "open", "openat": "open", "creat": "open",
    "truncate": "truncate", "ftruncate": "truncate", "fallocate": "allocate", "rename": "rename", "renameat": "rename",
    "renameat2": "rename", "link": "link", "linkat": "link", "unlink": "unlink", "unlinkat": "unlink", "rmdir": "rmdir",
    "mkdir": "mkdir", "mkdirat": "mkdir", "chmod": "chmod", "fchmod": "chmod", "fchmodat": "chmod"}
OTHERS = "copy_file_range,sendfile,splice,symlink,symlinkat,pwritev2,setxattr,fsetxattr,utimensat,io_uring_setup,fchown,chown"


@pytest.mark.skipif(shutil.which("strace") is None, reason="NO strace: whether the library sees every call is not tested")
@pytest.mark.parametrize("name", [
    "extract", "extract in place", "extract --sync", "extract --scratch", "extract --tar", "extract of shards", "extract --files 2",
    "extract of what ffmpeg reads", "live --record", "filter to wav", "filter to flac", "filter to mp3", "export --overwrite",
    "inspect --plots, older plots", "check --mend", "render a clip as pdf", "presets --golden", "clips", "--help > file"])
def test_the_library_sees_every_call_that_changes_a_file(torture, tmp_path, name):
    made = torture(only=[f"^{re.escape(name)}$"])
    if not made.variants:
        pytest.skip("ffmpeg is missing")
    workspace = made.workspaces.get()
    workspace.prepare(made.variants[0])
    log = tmp_path / "strace.txt"
    traced = [f"--trace={','.join(CALLS)},{OTHERS},mmap", "--follow-forks", "--decode-fds=path", "--string-limit=0",
              f"--output={log}"]
    if subprocess.run(["strace", *traced, "true"], capture_output=True).returncode != 0:
        pytest.skip("NO WAY TO TRACE PROGRAMS: whether the library sees every call is not tested")
    variant = made.variants[0]
    workspace.program, words = "strace", [*traced, f"--env=LD_PRELOAD={workspace.shim}", made.program, *variant.words]
    workspace.shim = ""
    status, said, calls = workspace.run(words, variant.stdin, variant.stdout)
    assert status == variant.status, said
    seen = collections.Counter(call.name for call in calls if call.name not in ("fsync", "close"))
    folder = re.escape(str(workspace.folder))
    found, lines = collections.Counter(), []
    for line in log.read_text().splitlines():
        # The end of a call may be on a line of its own, after calls of other threads.
        call = re.match(r"\d+ +(\w+)\((.*)", line)
        if call is None or not re.search(rf"<{folder}/(out|tmp)|\"({folder}/)?(out|tmp)/", line):
            continue
        name, arguments = call.groups()
        if name == "mmap":
            assert "MAP_SHARED" not in arguments or "PROT_WRITE" not in arguments, line
        elif CALLS.get(name) != "open" or re.search("O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", arguments):
            assert name in CALLS, f"not a call that the library knows: {line}"
            found["rmdir" if name == "unlinkat" and "AT_REMOVEDIR" in arguments else CALLS[name]] += 1
            lines.append(line)
    assert found and seen == found, "\n".join(["strace has", *lines, "the library has", *map(str, calls)])


# ------------------------------------------------------------------------------------------------------------ the library

WRITER = """
import functools, os, subprocess, sys
say = functools.partial(print, file=sys.stderr)
file = os.open("out/a", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
for number in range(3):
    try:
        say(os.write(file, b"abcdefgh"))
    except OSError as error:
        say(error.errno)
try:
    os.close(file)
    os.rename("out/a", "out/b")
    os.unlink("out/b")
    say("deleted")
except OSError as error:
    say(error.errno)
say(subprocess.run(["sh", "-c", "echo x > out/c && cat out/c"], capture_output=True, text=True).stdout.strip())
"""


@pytest.mark.parametrize("call, error, mode, expected", [
    ("write\tout/a\t9", "EIO", "once", [8, 8, 8, "deleted"]),
    ("write\tout/a\t1", "ENOSPC", "once", [8, errno.ENOSPC, 8, "deleted"]),
    ("write\tout/?\t1", "ENOSPC", "ever", [8, errno.ENOSPC, errno.ENOSPC, errno.ENOSPC]),
    ("write\tout/a\t0", "ENOSPC", "short", [4, errno.ENOSPC, 8, "deleted"]),
    ("write\tout/a\t1", "EIO", "short, ever", [8, 4, errno.EIO, errno.EIO]),
    ("close\tout/a\t0", "EDQUOT", "once", [8, 8, 8, errno.EDQUOT]),
    ("rename\tout/*\t0", "EROFS", "ever", [8, 8, 8, errno.EROFS]),
    # Deleting takes no space.
    ("rename\tout/x\t0", "ENOSPC", "ever", [8, 8, 8, "deleted"]),
    ("unlink\tout/b\t0", "EIO", "once", [8, 8, 8, errno.EIO]),
], ids=lambda value: "".join(map(str, value)).replace("\t", " ") if isinstance(value, str) else None)
def test_the_call_fails_that_is_to_fail(shim, tmp_path, call, error, mode, expected):
    (tmp_path / "inputs").mkdir()
    workspace = failing_writes.Workspace(sys.executable, shim, tmp_path / "workspace", tmp_path / "inputs")
    (workspace.folder / "out").mkdir()
    status, said, calls = workspace.run(["-c", WRITER], call=call, error=error, mode=mode)
    # The library does not affect the programs that the program starts.
    assert said.split() == [str(value) for value in expected] + ["x"] and status == 0
    assert [each.outcome for each in calls].count("failed") == sum(value not in (4, 8, "deleted") for value in expected)
    assert not any(each.path == "out/c" for each in calls)


@pytest.mark.parametrize("call, mode, expected", [
    ("write\tout/a\t1", "once", ["done", "killed"]), ("write\tout/a\t1", "short", ["done", "short"]),
    ("rename\tout/a\t0", "once", ["done", "done", "done", "done", "killed"])])
def test_the_program_is_killed_in_place_of_the_call(shim, tmp_path, call, mode, expected):
    (tmp_path / "inputs").mkdir()
    workspace = failing_writes.Workspace(sys.executable, shim, tmp_path / "workspace", tmp_path / "inputs")
    (workspace.folder / "out").mkdir()
    status, _, calls = workspace.run(["-c", WRITER], call=call, error="KILL", mode=mode)
    assert status == -9 and [each.outcome for each in calls if each.name != "open"] == expected
    assert (workspace.folder / "out/a").stat().st_size == (24 if "rename" in call else 12 if mode == "short" else 8)
