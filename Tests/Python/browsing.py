"""The server of `veery browse` as a test starts it, and requests to it."""

import contextlib
import http.client
import io
import json
import signal
import socket
import subprocess
import tempfile
import urllib.parse

import numpy as np
import soundfile


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        return self.json["error"]

    def number(self, name):
        return float(self.headers[name])

    @property
    def picture(self):
        """Rows of bins."""
        return np.frombuffer(self.body, "<f4").reshape(int(self.headers["X-Rows"]), int(self.headers["X-Bins"]))

    @property
    def sound(self):
        """Samples and rate of a WAV file of one channel."""
        return soundfile.read(io.BytesIO(self.body), dtype="float32")


class Server:
    """A server of one dataset, of which the address was printed."""

    def __init__(self, command, *options, start=subprocess.Popen, **more):
        self.notes_file = tempfile.TemporaryFile("w+")
        self.process = start(
            [*map(str, command), *map(str, options), "--no-open"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self.notes_file, text=True, **more)
        self.address = self.process.stdout.readline().strip()
        if not self.address.startswith("http://127.0.0.1:"):
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"no address in the first line: {self.address!r}\n{self.notes}")
        parts = urllib.parse.urlsplit(self.address)
        self.port, self.token = parts.port, urllib.parse.parse_qs(parts.query)["token"][0]
        self.fragment = parts.fragment
        self.origin = f"http://127.0.0.1:{self.port}"
        self.known = ""
        self.cookie = f"veery_{self.port}={self.token}"

    @property
    def notes(self):
        self.notes_file.seek(0)
        return self.notes_file.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end(signal.SIGKILL)

    def end(self, number=signal.SIGTERM):
        """Sends a signal; the exit status, and what was printed after the address."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        rest = self.process.stdout.read()
        return self.process.wait(timeout=30), rest

    def request(self, method, target, body=None, **headers):
        """A request with the cookie; None as the value of a header leaves it out."""
        sent = {"Cookie": self.cookie}
        if method == "POST":
            sent |= {"Origin": self.origin, "Content-Type": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, target, body, {name: value for name, value in sent.items() if value is not None})
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def get(self, target, **headers):
        return self.request("GET", target, **headers)

    def json(self, target):
        answer = self.get(target)
        assert answer.status == 200, answer.body
        return answer.json

    def clip(self, number, part="", **query):
        """A part of a clip, which there is."""
        answer = self.get(f"/api/clips/{number}" + (f"/{part}" if part else "") + ("?" + urllib.parse.urlencode(query) if query else ""))
        assert answer.status == 200, answer.body
        return answer

    def clips(self, count=50_000):
        """The columns of all clips, asked for in pieces."""
        found = None
        while found is None or len(found["id"]) < self.count:
            piece = self.json(f"/api/clips?from={len(found['id']) if found else 0}&count={count}")
            columns = piece.pop("columns")
            piece = {name: values for name, values in piece.items() if isinstance(values, list)} | {
                f"columns/{name}": values for name, values in columns.items()}
            if found is None:
                found = piece
            else:
                for name, values in piece.items():
                    found[name] += values
        return found

    @property
    def count(self):
        dataset = self.json("/api/dataset")
        return dataset["clips"] + dataset["failures"]

    def post(self, *corrections, by="test", **more):
        """Sends corrections: (clip, action) or (clip, action, label), or the objects themselves."""
        items = [item if isinstance(item, dict) else dict(zip(("clip", "action", "label"), item)) for item in corrections]
        return self.request(
            "POST", "/api/corrections", json.dumps({"generation": self.generation, "by": by, "corrections": items, **more}))

    @property
    def generation(self):
        """What a page that is opened now says that it shows; of a dataset that was replaced, what it was before."""
        if (answer := self.get("/api/dataset")).status == 200:
            self.known = answer.json["generation"]
        return self.known

    def raw(self, data, wait=20):
        """Sends bytes; what is answered until the connection is closed."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as connection:
            try:
                connection.sendall(data)
            except OSError:
                pass
            return received(connection)


@contextlib.contextmanager
def starting(program, **settings):
    """A function that starts servers, which are ended with the block."""
    with contextlib.ExitStack() as servers:
        yield lambda *arguments, **more: servers.enter_context(Server([program, "browse"], *arguments, **settings, **more))


def received(connection):
    """All bytes until the other side closes the connection."""
    found = b""
    while True:
        try:
            piece = connection.recv(1 << 16)
        except ConnectionResetError:
            return found
        if not piece:
            return found
        found += piece
