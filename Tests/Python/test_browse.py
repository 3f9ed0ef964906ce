"""`veery.browse` and `file.browse()`: the server is started, found and ended; in a notebook there is a link."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import types
import urllib.error
import urllib.request

import pytest
import veery as package
from conftest import ROOT
from recordings import tone, write_manifest, write_wav

PAGE = ROOT / "Sources/DatasetBrowser/Resources"


def test_the_guide_has_every_key_of_the_page():
    groups = re.findall(r'group\("(\w+)",(.*?)(?=\n    group|\n  \];)', (PAGE / "keys.js").read_text(), re.DOTALL)
    keys = [found for _, text in groups for found in re.findall(r'^ +\[\[.*?\], "([^"]+)", "([^"]+)", ', text, re.MULTILINE)]
    assert len(groups) == 4 and len(keys) == sum(text.count("\n      [[") for _, text in groups)
    rows = re.findall(r"^\| (`.*`) \| (.*) \|$", (ROOT / "Schemas/guide/browse.md").read_text(), re.MULTILINE)
    assert [(" ".join(re.findall("`([^`]+)`", names)), text) for names, text in rows] == [key for key in keys if key[0] != "?"]


STAND_IN = """
import json, os, signal, sys, time
json.dump([sys.argv[1:], os.getpid()], open({called!r}, "w"))
{body}
"""
SERVE = """
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
print("note: this is on standard error", file=sys.stderr)
print("http://127.0.0.1:4321/?token=abc", flush=True)
time.sleep(60)
"""


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """A program instead of veery, which writes down how it was called."""
    folder = tmp_path / "stand in"
    folder.mkdir()

    def make(body=SERVE):
        program = folder / "veery"
        script = folder / "veery.py"
        script.write_text(STAND_IN.format(called=str(folder / "called.json"), body=body))
        # A line with "#!" could not name a Python in a folder with spaces.
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(script))} "$@"\n')
        program.chmod(0o755)
        monkeypatch.setenv("VEERY", str(program))

        def called():
            return json.loads((folder / "called.json").read_text())

        return called

    return make


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def gone(pid):
    """Whether a process ends within some seconds."""
    latest = time.monotonic() + 20
    while is_running(pid) and time.monotonic() < latest:
        time.sleep(0.02)
    return not is_running(pid)


def test_the_address_is_printed_and_the_server_ends_with_the_block(stand_in, capsys):
    called = stand_in()
    with package.browse("-a.h5", root="r", labels="c.csv", annotations="t.csv", view="q=it's", port=4321, open=False) as server:
        arguments, pid = called()
        assert arguments == [
            "browse", "./-a.h5", "--root=r", "--labels=c.csv", "--annotations=t.csv", "--view=q=it's", "--port=4321", "--no-open"]
        assert (server.address, server.port) == ("http://127.0.0.1:4321/?token=abc", 4321)
        assert capsys.readouterr().out == "http://127.0.0.1:4321/?token=abc\n"
        assert is_running(pid) and "token=abc" in repr(server)
    assert not is_running(pid)
    assert repr(server) == "<veery browse: ended>"
    server.stop()


def test_how_a_manifest_is_read_can_be_said(stand_in):
    called = stand_in()
    package.browse("a.csv", format="csv", column={"label": "species"}, one_hot=["sp_*", "x_*"], jobs=2, open=False).stop()
    assert called()[0] == ["browse", "a.csv", "--format=csv", "--column=label=species", "--one-hot=sp_*", "--one-hot=x_*", "--jobs=2", "--no-open"]


def test_the_browser_opens_the_page_unless_told_otherwise(stand_in):
    called = stand_in()
    for given, is_opened in [({}, True), ({"open": True}, True), ({"open": False}, False), ({"open": None}, True)]:
        package.browse("a.csv", **given).stop()
        assert ("--no-open" not in called()[0]) is is_opened


def test_in_a_notebook_there_is_a_link(stand_in, monkeypatch):
    called = stand_in(SERVE.replace("abc", "abc#q=<b>"))
    shown = []
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=1)))
    monkeypatch.setitem(sys.modules, "IPython.display", types.SimpleNamespace(display=lambda data, raw: shown.append(data)))
    with package.browse("a.csv"):
        assert "--no-open" in called()[0]
    [data] = shown
    assert data["text/plain"] == "http://127.0.0.1:4321/?token=abc#q=<b>"
    assert 'href="http://127.0.0.1:4321/?token=abc#q=&lt;b&gt;" target="_blank" rel="noopener noreferrer"' in data["text/html"]
    assert "ssh -N -L 4321:127.0.0.1:4321" in data["text/html"] and "iframe" not in data["text/html"]
    # A terminal of IPython is no notebook.
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace()))
    with package.browse("a.csv"):
        assert "--no-open" not in called()[0]
    assert len(shown) == 1


def test_what_the_program_says_is_an_exception_or_a_warning(stand_in):
    stand_in('print("Error: a.csv: line 3: no; use --root DIR", file=sys.stderr); sys.exit(1)')
    with pytest.raises(package.CommandError, match="^a.csv: line 3: no; use root=DIR$") as error:
        package.browse("a.csv")
    assert error.value.status == 1
    stand_in("")
    with pytest.raises(package.CommandError) as error:
        package.browse("a.csv")
    assert error.value.status == 0
    stand_in('print("remark: a line is torn", file=sys.stderr)' + SERVE)
    with pytest.warns(package.CommandWarning, match="^remark: a line is torn$"):
        package.browse("a.csv").stop()


def test_a_server_that_does_not_start_is_ended(stand_in):
    called = stand_in("time.sleep(60)")
    with pytest.raises(TimeoutError, match="^veery browse took longer than 2 s to open the dataset$"):
        package.browse("a.csv", timeout=2)
    assert gone(called()[1])


def test_a_server_that_does_not_end_is_killed(stand_in, monkeypatch):
    monkeypatch.setattr("veery._browse.PATIENCE", 0.2)
    called = stand_in(SERVE.replace("lambda *_: sys.exit(0)", "signal.SIG_IGN"))
    server = package.browse("a.csv")
    server.stop()
    assert not is_running(called()[1])


def test_wrong_arguments_start_nothing(stand_in, tmp_path):
    stand_in()
    for arguments, error in [
            ({"path": 5}, "path: expected a path"), ({"port": "a\0"}, "port"), ({"open": "yes"}, "open: expected True or False"),
            ({"roots": "a"}, "unexpected keyword argument 'roots'. Did you mean 'root'"), ({"labels": {}}, "labels: expected a path")]:
        with pytest.raises((TypeError, ValueError), match=error):
            package.browse(**{"path": "a.csv", **arguments})
    assert not (tmp_path / "stand in/called.json").exists()


@pytest.mark.parametrize("end", ["pass", "raise SystemExit(3)", "os.kill(os.getpid(), signal.SIGINT); time.sleep(9)"])
def test_the_server_ends_with_python(stand_in, end):
    """Also if nobody holds the object; a fork that ends before does not end it."""
    called = stand_in()
    code = f"""
import os, signal, time, veery
veery.browse("a.csv")
if os.fork() == 0:
    raise SystemExit
os.wait()
print(flush=True)
input()
{end}
"""
    with subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as python:
        assert python.stdout.readline() and python.stdout.readline()
        assert is_running(called()[1])
        python.stdin.write(b"\n")
        python.stdin.flush()
    assert gone(called()[1])


@pytest.fixture(scope="module")
def made(tmp_path_factory, program):
    folder = tmp_path_factory.mktemp("brow sé")
    for name in ("a", "b"):
        write_wav(folder / f"{name}.wav", 8000, tone(8000, 0.5, [440]))
    write_manifest(folder / "m.csv", [{"path": f"{name}.wav", "label": name} for name in "ab"])
    subprocess.run([program, "extract", folder / "m.csv", "-o", folder / "f.h5", "--quiet"], check=True)
    return folder


def dataset(address):
    """What the server says of the dataset."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    opener.open(address).read()
    return json.load(opener.open(address.split("?")[0] + "api/dataset"))


def test_a_feature_file_a_manifest_and_a_set_are_served(made, tmp_path):
    with package.open(made / "f.h5").browse(open=False) as server:
        found = dataset(server.address)
        assert (found["kind"], found["clips"], found["name"]) == ("features", 2, "f.h5")
        with pytest.raises(urllib.error.HTTPError) as error:
            urllib.request.urlopen(server.address.split("?")[0] + "api/dataset")
        assert error.value.code == 403
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(server.address)
    with package.browse(made / "m.csv", open=False, labels=tmp_path / "c.csv", view="q=a") as server:
        assert server.address.endswith("#q=a")
        assert dataset(server.address)["kind"] == "manifest"
    package.extract(made / "m.csv", tmp_path / "s.h5", files=2)
    with package.open(tmp_path / "s.index.json").browse(open=False) as server:
        assert dataset(server.address)["clips"] == 2


def test_a_wrong_file_is_the_error_of_the_command(made, tmp_path):
    with pytest.raises(package.CommandError, match="nothing.h5") as error:
        package.browse(tmp_path / "nothing.h5", open=False)
    assert error.value.status == 1


def test_the_signals_that_end_the_program(made, program):
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen([program, "browse", made / "f.h5", "--no-open"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        address = process.stdout.readline()
        assert address.startswith("http://127.0.0.1:") and address.endswith("\n")
        process.send_signal(number)
        _, notes = process.communicate(timeout=30)
        assert process.returncode == 0
        assert "ssh -" in notes and "Ctrl-C" in notes
