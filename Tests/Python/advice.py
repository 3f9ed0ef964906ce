"""Following an advice as a reader does: the driver of test_advice_inputs.py and test_advice_runs.py."""

import os
import shutil
import subprocess
from typing import NamedTuple

import pytest

# The command of a case, run again.
AGAIN = object()


class Said(NamedTuple):
    status: int
    output: str
    errors: str

    @property
    def text(self):
        return self.output + self.errors


class Case(NamedTuple):
    """What makes an advice appear, and what is done to follow it.

    `make(folder)` makes the files; `command` is run in the folder by a shell, as are the steps, in which `veery` is the
    program. A step is a command; AGAIN; or a function of (folder, said), which changes files or returns a command, such
    as one that it takes from `said`, the first command's output. The last step that is a command has to end with status 0;
    if `better` is given, with another one and a message that has this text instead. `right(folder, said)` checks with
    assertions that what was wrong is right now, `said` being what the last command printed.
    """

    make: object
    command: str
    says: str
    steps: tuple
    right: object = None
    better: str = None
    status: tuple = (0, 1, 2, 3, 64)


def case(name, make, command, says, *steps, right=None, better=None, program=None, **settings):
    """A case of `pytest.mark.parametrize`, skipped where another program that it needs is not installed."""
    marks = [pytest.mark.skipif(not shutil.which(program), reason=f"needs {program}")] if program else []
    return pytest.param(Case(make, command, says, steps or (AGAIN,), right, better, **settings), id=name, marks=marks)


def run(program, folder, command):
    environment = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    result = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True,
                            stdin=subprocess.DEVNULL, timeout=120)
    for sign in ("Fatal error", "Backtrace", "command not found", "syntax error"):
        assert sign not in result.stderr, f"{command}\n{result.stderr}"
    return Said(result.returncode, result.stdout, result.stderr)


def shown(command, said):
    return f"$ {command}\n{said.text}exit status {said.status}"


def follow(program, folder, case):
    """Runs the command of a case, then does what its advice says."""
    if case.make:
        case.make(folder)
    first = run(program, folder, case.command)
    story = [shown(case.command, first)]
    assert first.status in case.status and case.says in first.text, f"expected {case.says!r} in:\n{story[0]}"
    last = None
    for step in case.steps:
        command = case.command if step is AGAIN else step if isinstance(step, str) else step(folder, first)
        if command is not None:
            last = run(program, folder, command)
            story.append(shown(command, last))
            assert step is case.steps[-1] or last.status == 0, "\n".join(story)
    if last is None:
        last = run(program, folder, case.command)
        story.append(shown(case.command, last))
    text = "\n".join(story)
    assert case.says not in last.text, f"the same message again:\n{text}"
    if case.better is None:
        assert last.status == 0, text
    else:
        assert last.status != 0 and case.better in last.text, f"expected a better error, with {case.better!r}:\n{text}"
    if case.right:
        try:
            case.right(folder, last)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{text}") from error


def quoted(said, before, after="\n"):
    """What the output says between two texts, such as a command to run."""
    text = said.text
    assert before in text, text
    return text.split(before, 1)[1].split(after, 1)[0]
