"""`veery browse` opens the user's browser where there is a screen, with an address that is valid once."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

from conftest import noise, write_wav

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="macOS has a program of its own that opens browsers")


@pytest.fixture
def dataset(tmp_path):
    write_wav(tmp_path / "a.wav", 8000, noise(1, 8000))
    (tmp_path / "m.csv").write_text("path,id,label\na.wav,a,x\n")
    return tmp_path / "m.csv"


@pytest.fixture
def opener(tmp_path):
    """A stand-in for xdg-open, which writes down its arguments."""
    folder = tmp_path / "programs"
    folder.mkdir()
    script = folder / "xdg-open"
    script.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > '{folder}/new' && mv '{folder}/new' '{folder}/given'\n")
    script.chmod(0o755)
    return folder


def started(program, dataset, opener, *options, **variables):
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION")}
    environment = {**kept, "PATH": f"{opener}:{os.environ['PATH']}", **variables}
    server = subprocess.Popen([program, "browse", str(dataset), *options], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return server, server.stdout.readline().strip()


def stopped(server):
    server.send_signal(signal.SIGINT)
    _, said = server.communicate(timeout=20)
    assert server.returncode == 0
    return said


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def status(address):
    try:
        return urllib.request.build_opener(NoRedirect).open(address, timeout=20).status
    except urllib.error.HTTPError as error:
        return error.code


def given(opener, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if (opener / "given").exists():
            return (opener / "given").read_text().splitlines()
        time.sleep(0.02)
    return None


def test_a_browser_is_opened_with_an_address_that_is_valid_once(program, dataset, opener):
    server, printed = started(program, dataset, opener, "--view", "sort=label", DISPLAY=":0")
    arguments = given(opener, 20)
    assert len(arguments) == 1
    address, fragment = arguments[0].split("#")
    assert fragment == "sort=label" and printed.endswith("#sort=label")
    # The printed secret is in no argument, where other users of the machine can read it.
    assert address != printed.split("#")[0] and address.split("?")[0] == printed.split("?")[0]
    assert status(address) == 303
    assert status(address) == 403
    assert [status(printed), status(printed)] == [303, 303]
    token = printed.split("token=")[1].split("#")[0]
    assert token not in stopped(server)


@pytest.mark.parametrize("options, variables", [(["--no-open"], {"DISPLAY": ":0"}), ([], {}), ([], {"DISPLAY": ""}),
                                                ([], {"DISPLAY": ":0", "SSH_CONNECTION": "1 2 3 4"})],
                         ids=["not wanted", "no screen", "empty", "another machine's screen"])
def test_no_browser_is_opened(program, dataset, opener, options, variables):
    server, printed = started(program, dataset, opener, *options, **variables)
    assert status(printed) == 303
    assert "ssh -L" in stopped(server)
    assert given(opener, 0.1) is None
