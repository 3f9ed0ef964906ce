"""Advice of `veery browse` and of its page. Each is followed as it says."""

import os
import shutil
import socket
import subprocess
import urllib.error
import urllib.request

import pytest
from browsing import Server
from recordings import noise, write_wav

RATE = 8000


@pytest.fixture
def folder(tmp_path):
    for name in ("a", "b"):
        write_wav(tmp_path / f"{name}.wav", RATE, noise(ord(name), RATE // 2))
    (tmp_path / "m.csv").write_text("path,id,label\na.wav,a,x\nb.wav,b,y\n")
    return tmp_path


@pytest.fixture
def serve(program, folder):
    servers = []

    def start(*arguments):
        servers.append(Server([program, "browse"], *arguments, cwd=folder))
        return servers[-1]

    yield start
    for server in servers:
        server.__exit__()


def refused(program, folder, *arguments):
    """What a command says that ends at once."""
    done = subprocess.run([program, "browse", *arguments, "--no-open"], cwd=folder, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert done.returncode != 0 and done.stdout == ""
    return done.stderr


def test_a_manifest_from_standard_input(program, folder, serve):
    assert "give the name of a file" in refused(program, folder, "-")
    assert serve("m.csv").json("/api/dataset")["clips"] == 2


def test_a_port_in_use(program, folder, serve):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        said = refused(program, folder, "m.csv", "--port", str(port))
        assert f"port {port} is in use by another program: give another one, or leave out --port" in said
        assert serve("m.csv").json("/api/dataset")["clips"] == 2
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert serve("m.csv", "--port", port).port == port


def test_a_recording_that_is_elsewhere(folder, serve):
    (folder / "audio").mkdir()
    for name in ("a.wav", "b.wav"):
        shutil.move(folder / name, folder / "audio" / name)
    recording = serve("m.csv").json("/api/clips/0")["recording"]
    assert not recording["found"] and recording["message"].endswith("give the folder that its path starts from with --root.")
    assert serve("m.csv", "--root", "audio").json("/api/clips/0")["recording"]["found"]


def test_a_manifest_has_no_suspicion(program, folder, serve):
    answer = serve("m.csv").json("/api/suspicion")
    assert answer["state"] == "none" and "the file that 'veery extract' makes" in answer["note"]
    subprocess.run([program, "extract", "m.csv", "-o", "f.h5", "--quiet"], cwd=folder, check=True)
    server = serve("f.h5")
    while (answer := server.json("/api/suspicion"))["state"] == "computing":
        pass
    assert answer["state"] == "done" and len(answer["score"]) == 2


def test_a_new_label(serve):
    server = serve("m.csv")
    answer = server.post((0, "relabel", "thrush"))
    assert answer.status == 400 and "give it as a new one" in answer.error
    assert server.post({"clip": 0, "action": "relabel", "label": "thrush", "new": True}).status == 200


def test_a_recording_that_changed(folder, serve):
    server = serve("m.csv")
    server.clip(0)
    write_wav(folder / "a.wav", RATE, noise(9, RATE))
    os.utime(folder / "a.wav", ns=(1, 1))
    answer = server.post((0, "checked"))
    assert answer.status == 409 and "look at it again first" in answer.error
    server.clip(0)
    assert server.post((0, "checked")).status == 200


def test_a_part_that_is_too_long_to_play(folder, serve):
    # Silence that takes no space on the disk.
    header = (folder / "a.wav").read_bytes()[:44]
    size = 2 * ((1 << 26) + RATE)
    header = header[:4] + (size + 36).to_bytes(4, "little") + header[8:40] + size.to_bytes(4, "little")
    with open(folder / "a.wav", "wb") as file:
        file.write(header)
        file.truncate(44 + size)
    server = serve("m.csv")
    answer = server.get("/api/clips/0/sound.wav")
    assert answer.status == 413 and "select a shorter one" in answer.error
    assert len(server.clip(0, "sound.wav", after=-8000).sound[0]) > RATE


def test_an_address_without_its_secret(serve):
    server = serve("m.csv")
    answer = server.get("/", Cookie=None)
    assert answer.status == 403 and b"Copy the whole of it" in answer.body
    assert urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(server.address, timeout=20).status == 200


def test_a_page_of_another_server(serve):
    server = serve("m.csv")
    answer = server.get("/", Sec_Fetch_Site="cross-site")
    assert answer.status == 403 and b"Copy the address into the address bar" in answer.body
    assert server.get("/", Sec_Fetch_Site="none").status == 200


def test_no_such_folder(program, folder, serve):
    assert "there is no such folder; check --root" in refused(program, folder, "m.csv", "--root", "recording")
    assert serve("m.csv", "--root", ".").json("/api/clips/0")["recording"]["found"]


def test_a_report_without_players(veery, folder):
    veery("extract", folder / "m.csv", "-o", folder / "f.h5")
    (folder / "audio").mkdir()
    for name in ("a.wav", "b.wav"):
        shutil.move(folder / name, folder / "audio" / name)
    page = folder / "page.html"
    veery("inspect", folder / "f.h5", "--html", page)
    assert "give that folder as --root" in page.read_text() and "<audio" not in page.read_text()
    veery("inspect", folder / "f.h5", "--html", page, "--root", folder / "audio")
    assert "<audio" in page.read_text()
