"""Requests that break the rules of the server of `veery browse`, one by one; how it starts and ends."""

import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time

import pytest
from browsing import Server, received
from recordings import noise, write_wav

RATE = 8000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("safety")
    for number, name in enumerate("ab"):
        write_wav(folder / f"{name}.wav", RATE, noise(number, RATE))
    (folder / "m.csv").write_text("path,label\na.wav,x\nb.wav,y\n")
    (folder / "secret.txt").write_text("secret")
    return folder


@pytest.fixture(scope="module")
def server(folder, program):
    with Server([program, "browse"], folder / "m.csv") as server:
        yield server
        assert server.token not in server.notes
        assert server.end() == (0, "")


def test_without_the_token_nothing_is_answered(server):
    for target in ("/", "/page.js", "/api/dataset", "/api/clips/0/sound.wav", "/nothing", "/favicon.svg"):
        for cookie in (None, "", f"veery_{server.port}=", f"veery_{server.port}={server.token[:-1]}", f"veery_{server.port}={server.token}0",
                       f"veery_{server.port + 1}={server.token}", server.token, f"veery_{server.port}={server.token[::-1]}",
                       f"veery_{server.port}={server.token.upper()}" if server.token.upper() != server.token else "x=y"):
            answer = server.get(target, Cookie=cookie)
            assert answer.status == 403 and server.token.encode() not in answer.body, (target, cookie)
    for token in ("", "x", server.token[:-1], server.token + "0", "%00"):
        answer = server.get(f"/?token={token}", Cookie=None)
        assert answer.status in (400, 403) and "Set-Cookie" not in answer.headers
    assert server.get(f"/?token={server.token}&token={server.token}", Cookie=None).status == 403
    assert server.get(f"/page.js?token={server.token}", Cookie=None).status == 403
    assert server.request("POST", f"/api/corrections?token={server.token}", "{}", Cookie=None).status == 403
    assert server.post((0, "checked")).status == 200
    # Cookies of other programs of this machine are in the same line.
    assert server.get("/api/dataset", Cookie=f"veery_{server.port}=other; a=b; {server.cookie}; c").status == 200


def test_the_token_becomes_a_cookie_that_scripts_and_other_sites_do_not_have(server):
    answer = server.get(f"/?token={server.token}", Cookie=None)
    assert (answer.status, answer.headers["Location"], answer.body) == (303, "/", b"")
    assert answer.headers["Set-Cookie"] == f"{server.cookie}; HttpOnly; SameSite=Strict; Path=/"
    answer = server.get(f"/?token={server.token}", Cookie=None, Sec_Fetch_Site="cross-site")
    assert answer.status == 200 and b'src="/opened.js"' in answer.body and server.token.encode() not in answer.body


def test_hosts_and_origins(server):
    port = server.port
    for host, cookie in [(f"127.0.0.1:{port}", port), (f"localhost:{port}", port), (f"[::1]:{port}", port), ("localhost:8888", 8888),
                         (f"LOCALHOST:{port}", port), ("localhost", 80)]:
        assert server.get("/api/dataset", Host=host, Cookie=f"veery_{cookie}={server.token}").status == 200, host
    for host in ("example.org", f"example.org:{port}", f"127.0.0.1.example.org:{port}", f"localhost.:{port}", "127.0.0.1:", "localhost:0",
                 "localhost:99999", f"0.0.0.0:{port}", f"127.1:{port}", f"127.0.0.2:{port}", "", f"a@localhost:{port}", f"localhost:{port}/x",
                 f"localhost: {port}", "localhost:+1"):
        assert server.get("/api/dataset", Host=host).status == 403, host
    head = f"Cookie: {server.cookie}\r\nConnection: close\r\n\r\n"
    for hosts in ("", f"Host: localhost:{port}\r\nHost: localhost:{port}\r\n"):
        assert server.raw(f"GET /api/dataset HTTP/1.1\r\n{hosts}{head}".encode()).startswith(b"HTTP/1.1 400"), hosts
    for origin in ("null", "http://example.org", f"https://127.0.0.1:{port}", f"http://localhost:{port}", f"http://127.0.0.1:{port + 1}",
                   "http://127.0.0.1", "file://", f"http://127.0.0.1:{port}/", "", None):
        body = '{"by": "a", "corrections": [{"clip": 0, "action": "checked"}]}'
        assert server.request("POST", "/api/corrections", body, Origin=origin).status == 403, origin
        assert server.get("/api/dataset", Origin=origin).status == (200 if origin is None else 403), origin
    for site in ("cross-site", "same-site", "x"):
        assert server.get("/api/dataset", Sec_Fetch_Site=site).status == 403
    for site in ("same-origin", "none"):
        assert server.get("/api/dataset", Sec_Fetch_Site=site).status == 200


def test_methods_and_kinds_of_bodies(server):
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "PROPFIND"):
        target = "/api/corrections" if method != "CONNECT" else "localhost:80"
        assert server.raw(f"{method} {target} HTTP/1.1\r\nHost: localhost:{server.port}\r\nCookie: {server.cookie}\r\n\r\n".encode())[9:12] in (
            b"405", b"400"), method
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp", "", None):
        assert server.request("POST", "/api/corrections", "{}", Content_Type=kind).status == 415, kind
    assert server.request("POST", "/api/corrections", "{}", Content_Type="Application/JSON; charset=utf-8").status == 400
    assert server.request("GET", "/api/dataset", "{}").status == 400
    assert server.request("POST", "/api/corrections", b" " * (1 << 20)).status == 400
    assert server.raw(f"POST /api/corrections HTTP/1.1\r\nHost: localhost:{server.port}\r\nOrigin: http://localhost:{server.port}\r\n"
                      f"Content-Type: application/json\r\nCookie: {server.cookie}\r\nContent-Length: {(1 << 20) + 1}\r\n\r\n".encode())[9:12] == b"413"
    chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
    assert server.raw(
        f"POST /api/corrections HTTP/1.1\r\nHost: localhost:{server.port}\r\nOrigin: http://localhost:{server.port}\r\n"
        f"Content-Type: application/json\r\nCookie: {server.cookie}\r\nTransfer-Encoding: chunked\r\n\r\n".encode() + 20 * chunk)[9:12] == b"413"


def test_no_path_leads_to_a_file(server, folder):
    for target in ("/../secret.txt", "/api/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/%5c..%5csecret.txt", "/secret.txt",
                   "/m.csv", f"{folder}/secret.txt", f"/{folder}/secret.txt", "//secret.txt", "/api//dataset", "/./api/dataset", "/page.js/",
                   "/%00", "/page.js%00.css", "/api/clips/../dataset", "/%", "/%zz", "/%c0%ae%c0%ae/", "http://example.org/",
                   f"http://localhost:{server.port}/api/dataset", "/api/clips/0/../../dataset", "/Resources/page.js", "/page.html", "/a\\b",
                   "*", "/\x7f", "/api/dataset#x", "/\u00e9"):
        answer = server.raw(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {server.cookie}\r\nConnection: close\r\n\r\n".encode())
        assert answer[9:12] in (b"400", b"404") and b"secret" not in answer.split(b"\r\n\r\n", 1)[-1], target
    for target in ("/api", "/api/", "/api/nothing", "/api/clips/a", "/api/clips/-1", "/api/clips/2", f"/api/clips/{2**63}", "/api/clips/1e0",
                   "/api/clips/%31/nothing", "/api/clips/0/sound.wav/x", "/api/clips/0x0", "/api/clips/0/", "/api/dataset/x", "/api/state/0"):
        assert server.get(target).status in (400, 404), target


def test_numbers_out_of_range(server):
    for query in ("before=inf", "before=nan", "before=-1e999", "after=1e308&before=1e308", "before=-1e308", "before=x", "after=", "before=0x10",
                  "size=16&frames=1000000", "columns=99999999", "columns=-1", "columns=0", f"columns={2**64}", "frames=0", f"before={'9' * 400}"):
        for part in ("sound.wav", "waveform", "spectrogram"):
            answer = server.get(f"/api/clips/0/{part}?{query}")
            assert answer.status in (200, 400) and len(answer.body) < 1e7, (query, part, answer.body[:200])


def test_more_connections_than_are_allowed(server):
    """The first 64 are kept, the others closed; once these are gone, one is answered."""
    open_ones = [socket.create_connection(("127.0.0.1", server.port), timeout=20) for _ in range(70)]
    closed = 0
    for connection in open_ones:
        connection.settimeout(0.02)
        try:
            closed += connection.recv(1) == b""
        except TimeoutError:
            pass
        except ConnectionResetError:
            closed += 1
    assert closed == 6
    for connection in open_ones:
        connection.close()
    latest = time.monotonic() + 20
    while True:
        try:
            assert server.get("/api/dataset").status == 200
            break
        except (ConnectionError, OSError):
            assert time.monotonic() < latest
            time.sleep(0.05)


def test_more_requests_than_can_wait(folder, program, tmp_path):
    """Some of sixty at once are refused; asked again, all are answered."""
    write_wav(tmp_path / "a.wav", RATE, noise(1, 120 * RATE))
    (tmp_path / "m.csv").write_text("path\na.wav\n")
    with Server([program, "browse"], tmp_path / "m.csv") as server:
        statuses, threads = [], []

        def ask():
            while True:
                answer = server.get("/api/clips/0/spectrogram?size=4096")
                statuses.append(answer.status)
                if answer.status != 503:
                    return
                assert answer.error == "Too many requests are waiting. Try again in a second." and answer.headers["Retry-After"] == "1"
                time.sleep(1)

        for _ in range(60):
            threads.append(threading.Thread(target=ask))
            threads[-1].start()
        for thread in threads:
            thread.join()
        assert statuses.count(200) == 60 and set(statuses) == {200, 503}


def test_heads_that_are_too_long_or_no_http(server):
    host = f"Host: 127.0.0.1:{server.port}\r\n"
    for head, statuses in [
            (f"GET / HTTP/1.1\r\n{host}X: {'a' * 20_000}\r\n\r\n", (b"431",)),
            (f"GET / HTTP/1.1\r\n{host}" + "".join(f"X{n}: a\r\n" for n in range(200)) + "\r\n", (b"431",)),
            (f"GET /{'a' * 70_000} HTTP/1.1\r\n{host}\r\n", (b"431", b"400")), ("hello\r\n\r\n", (b"400",)), ("GET / HTTP/9.9\r\n\r\n", (b"400",)),
            (f"GET / HTTP/1.1\r\n{host}Content-Length: 5\r\nContent-Length: 6\r\n\r\n", (b"400",)),
            (f"POST / HTTP/1.1\r\n{host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", (b"400", b"403")),
            (f"GET / HTTP/1.1\r\n{host}X\x00: a\r\n\r\n", (b"400",)), (f"GET / HTTP/1.1\r\n{host} folded\r\n\r\n", (b"400", b"403")),
            ("\x16\x03\x01\x02\x00", (b"400", b""))]:
        answer = server.raw(head.encode("latin-1"))
        assert answer[9:12] in statuses, (head[:60], answer[:200])
    assert server.get("/api/dataset").status == 200


def test_a_second_request_is_not_smuggled(server):
    """Of what could be read as two requests, the second is not answered."""
    text = (f"POST /api/corrections HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: {server.origin}\r\nCookie: {server.cookie}\r\n"
            "Content-Type: application/json\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            f"GET /api/dataset HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {server.cookie}\r\n\r\n")
    answer = server.raw(text.encode())
    assert answer.count(b"HTTP/1.1 ") == 1 and b"framePeriod" not in answer


def test_what_every_answer_says(server):
    for target, status in [("/", 200), ("/page.js", 200), ("/api/clips/0/sound.wav", 200), ("/nothing", 404), ("/api/dataset", 200)]:
        answer = server.get(target)
        assert answer.status == status
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "script-src 'self';" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
        assert (answer.headers["Cache-Control"], answer.headers["X-Content-Type-Options"], answer.headers["Referrer-Policy"]) == (
            "no-store", "nosniff", "no-referrer")
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin" and "Access-Control-Allow-Origin" not in answer.headers
    html = server.get("/").body.decode()
    assert not re.search(r"\son\w+=|style=|javascript:|<script(?![^>]*\bsrc=)", html)
    for name in set(re.findall(r'(?:src|href)="([^"#]+)"', html)):
        assert not name.startswith("http") and server.get("/" + name.lstrip("./")).status == 200


@pytest.mark.long
def test_heads_that_never_end(server):
    """Ten seconds after its first byte, the head of a request has to be there, however it drips."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as slow:
        start = time.monotonic()
        slow.sendall(b"GET / HTTP/1.1\r\n")
        for _ in range(8):
            time.sleep(1)
            slow.sendall(b"X: y\r\n")
        assert server.get("/api/dataset").status == 200
        assert received(slow)[9:12] in (b"408", b"") and 9 < time.monotonic() - start < 25


def test_it_listens_on_this_machine_alone(server):
    found = subprocess.run(["ss", "-ltnH", f"sport = :{server.port}"], capture_output=True, text=True).stdout if os.path.exists("/usr/bin/ss") else ""
    assert f"0.0.0.0:{server.port}" not in found and f"*:{server.port}" not in found and f"[::]:{server.port}" not in found
    with pytest.raises(OSError):
        socket.create_connection(("::1", server.port), timeout=5)
    name = socket.gethostbyname(socket.gethostname()) if not os.environ.get("CI_NO_NAMES") else "127.0.0.1"
    if not name.startswith("127."):
        with pytest.raises(OSError):
            socket.create_connection((name, server.port), timeout=5)


# ------------------------------------------------------------------------------------------------------- start and end


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_it_with_0_also_with_a_request_under_way(folder, program, number):
    with Server([program, "browse"], folder / "m.csv") as server:
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\n")
            assert server.end(number) == (0, "")
        assert "Ctrl-C" in server.notes and f"ssh -L {server.port}:127.0.0.1:{server.port}" in server.notes
        assert server.token not in server.notes
        with pytest.raises(OSError):
            server.get("/")


def test_a_port_in_use_and_a_port_of_choice(folder, program, veery, server):
    said = veery("browse", folder / "m.csv", "--no-open", "--port", server.port, status=1)
    assert f"port {server.port} is in use by another program: give another one, or leave out --port" in said.stderr and not said.stdout
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with Server([program, "browse"], folder / "m.csv", "--port", port) as other:
        assert other.port == port and other.get("/api/dataset").status == 200


def test_every_start_has_a_token_of_its_own(folder, program, server):
    with Server([program, "browse"], folder / "m.csv") as other:
        assert other.token != server.token and re.fullmatch("[0-9a-f]{64}", other.token)
        assert other.get("/api/dataset", Cookie=f"veery_{other.port}={server.token}").status == 403


@pytest.mark.parametrize("arguments, status, words", [
    (["nothing.h5"], 1, "nothing.h5"), (["nothing.csv"], 1, "nothing.csv"), (["a.wav", "--port", "70000"], 64, "port"),
    (["m.csv", "--port", "-1"], 64, "port"), (["m.csv", "--port", "x"], 64, "port"), (["-"], 64, "standard input"), ([], 64, "manifest"),
    (["m.csv", "--corrections", "c.csv"], 64, "--labels"), (["m.csv", "--labels", "secret.txt"], 1, "secret.txt"),
    (["m.csv", "--labels", "."], 1, "file"), (["m.csv", "--annotations", "nothing.csv"], 1, "nothing.csv"), (["m.csv", "--jobs", "0"], 64, "jobs"),
    (["m.csv", "--root", "nowhere"], 1, "nowhere"), (["m.csv", "--tokn"], 64, "--tokn")])
def test_what_is_wrong_is_said_and_nothing_is_served(folder, veery, arguments, status, words):
    said = veery("browse", *arguments, "--no-open", status=status, folder=folder)
    assert words in said.stderr and not said.stdout, said.stderr
    assert len(said.stderr) < 2000


@pytest.mark.parametrize("wrong, right", [
    (["-"], ["m.csv"]), (["m.csv", "--corrections", "c.csv"], ["m.csv", "--labels", "c.csv"]), (["m.csv", "--root", "nowhere"], ["m.csv", "--root", "."])])
def test_what_is_wrong_is_said_and_what_it_advises_works(folder, program, veery, wrong, right, tmp_path):
    for name in ("a.wav", "b.wav", "m.csv"):
        shutil.copy(folder / name, tmp_path)
    veery("browse", *wrong, "--no-open", status=(1, 64), folder=tmp_path)
    with Server([program, "browse"], *right, cwd=tmp_path) as server:
        assert server.json("/api/dataset")["clips"] == 2 and server.json("/api/clips/0")["recording"]["found"]
        assert server.post((0, "checked")).status == 200
        assert (tmp_path / ("c.csv" if "c.csv" in right else "m.corrections.csv")).exists()


def test_a_feature_file_takes_no_options_of_manifests(folder, veery, tmp_path):
    veery("extract", folder / "m.csv", "-o", tmp_path / "f.h5", "--set", "audio.sample_rate=8000", "--set", "transform.high=4000")
    assert "feature file" in veery("browse", tmp_path / "f.h5", "--no-open", "--format", "csv", status=64).stderr
    (tmp_path / "cut.h5").write_bytes((tmp_path / "f.h5").read_bytes()[:3000])
    assert "cut.h5" in veery("browse", tmp_path / "cut.h5", "--no-open", status=1).stderr
