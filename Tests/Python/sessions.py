"""The commands of the project's pages: read from them, and run as somebody types them. Importing this module changes nothing."""

import errno
import os
import re
import shlex
import signal
import subprocess
import textwrap
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
# In an item of a list, a block is indented: by how much, its language, its lines.
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """The commands of a block. In a session (console), each command comes after those before it; others are alternatives."""
    commands: list[str]
    is_session: bool
    shown: list[list[str]]  # the lines that a session shows of each command


def blocks(page):
    """The commands in the text of a page: a block without a language has one in each line; in sessions they follow prompts."""
    found = []
    for _, language, text in FENCE.findall(page):
        lines = textwrap.dedent(text).replace("\\\n", " ").splitlines()
        if language == "console":
            block = Block([], True, [])
            for line in lines:
                if line.startswith("$ "):
                    block.commands.append(line[2:])
                    block.shown.append([])
                elif line and line != "⋯":
                    block.shown[-1].append(line)
            found.append(block)
        elif language == "":
            commands = [line for line in lines if line.strip() and not line.startswith("#")]
            found.append(Block(commands, False, [[] for _ in commands]))
    return found


def code_of(page, language):
    """The blocks of a page in this language, in their order."""
    return [textwrap.dedent(text) for _, found, text in FENCE.findall(page.read_text()) if found == language]


def bare(command):
    """A command without the comment after it."""
    return re.sub(r"\s+# .*$", "", command)


class Result(NamedTuple):
    status: int
    output: str


def run(commands, folder, environment, work):
    """Runs the commands in one bash, as in a terminal; returns their exit statuses and outputs. `work`: a folder for these."""
    work.mkdir(parents=True, exist_ok=True)
    script = "".join(
        f"{{ {command}\n}} </dev/null >\"$WORK/{number}\" 2>&1\nprintf '%s\\n' $? >>\"$WORK/statuses\"\n"
        for number, command in enumerate(commands))
    subprocess.run(["bash", "-c", script], cwd=folder, env={**environment, "WORK": str(work)}, timeout=300, check=False)
    statuses = [int(line) for line in (work / "statuses").read_text().split()]
    return [Result(status, (work / f"{number}").read_text(errors="replace")) for number, status in enumerate(statuses)]


def run_in_a_terminal(command, folder, environment):
    """The same for one command that shows something on the screen."""
    master, slave = os.openpty()
    process = subprocess.Popen(
        ["bash", "-c", command], cwd=folder, env={**environment, "TERM": "xterm-256color"}, stdin=slave, stdout=slave, stderr=slave,
        start_new_session=True)
    os.close(slave)
    output = b""
    try:
        while piece := os.read(master, 65536):
            output += piece
    except OSError as error:  # Linux says so where the last program has closed the terminal.
        if error.errno != errno.EIO:
            raise
    finally:
        os.close(master)
    return Result(process.wait(timeout=60), output.decode(errors="replace"))


def run_a_server(command, folder, environment):
    """The same for a command that serves a page: it ends by Ctrl-C, once it has printed its address. No browser is opened."""
    words = [*shlex.split(command, comments=True), "--no-open"]
    with subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    return Result(process.returncode if address.startswith("http://127.0.0.1:") else 1, address + output + errors)
