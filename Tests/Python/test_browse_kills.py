"""The server of `veery browse` is killed while two pages send corrections: what was answered is in the file, and no line is half there."""

import csv
import random
import signal
import threading
import time

import pytest
from browsing import Server
from recordings import noise, write_wav
from test_browse_corrections import COLUMNS

pytestmark = pytest.mark.long

ROUNDS, SEED = 40, 37


class Client(threading.Thread):
    """Sends corrections until the server is gone: their notes, and those of them that were answered."""

    def __init__(self, server, name, size, length):
        super().__init__()
        self.server, self.name, self.size, self.length = server, name, size, length
        self.sent, self.answered, self.statuses = [], [], set()
        self.start()

    def run(self):
        while True:
            notes = [f"{self.name}.{len(self.sent) + number} \"{'x,' * self.length}\"" for number in range(self.size)]
            self.sent += notes
            try:
                answer = self.server.post(*[{"clip": number % 2, "action": "note", "note": note} for number, note in enumerate(notes)], by=self.name)
            except Exception:
                # Half of an answer is none.
                return
            self.statuses.add(answer.status)
            self.answered += notes


def test_what_was_answered_is_in_the_file_whenever_the_server_is_killed(tmp_path, program, veery):
    for name in "ab":
        write_wav(tmp_path / f"{name}.wav", 8000, noise(ord(name), 800))
    (tmp_path / "m.csv").write_text("path\na.wav\nb.wav\n")
    path, chance = tmp_path / "m.corrections.csv", random.Random(SEED)
    answered, sent, torn, killed_at_once = set(), set(), 0, 0
    for number in range(ROUNDS):
        with Server([program, "browse"], tmp_path / "m.csv") as server:
            known = server.json("/api/state")["corrections"]
            clients = [Client(server, f"{number}.small", 1, 0), Client(server, f"{number}.large", 1000, 100)]
            time.sleep(chance.uniform(0, 0.4))
            assert server.end(signal.SIGKILL)[0] == -signal.SIGKILL
            for client in clients:
                client.join()
                assert client.statuses <= {200}
                answered |= set(client.answered)
                sent |= set(client.sent)
            killed_at_once += not any(client.answered for client in clients)
        if not path.exists():
            assert not answered
            continue
        text = path.read_bytes()
        end = text.rfind(b"\n") + 1
        complete = text[:end].decode().splitlines()
        assert complete[0] == ",".join(COLUMNS)
        lines = [line for line in csv.reader(complete[1:]) if not line[-1] == "#torn"]
        torn += len(complete) - 1 - len(lines) + (end < len(text))
        assert all(len(line) == len(COLUMNS) and line[5] == "note" for line in lines)
        notes = [line[7] for line in lines]
        # Each once; whatever else is there was sent, too.
        assert len(set(notes)) == len(notes) and answered <= set(notes) <= sent, number
        assert known <= len(lines)
        if number % 10 == 9:
            said = veery("check", tmp_path / "m.csv", "--corrections", path, status=(0, 1, 3))
            assert "is no correction" not in said.stderr + said.stdout
            with Server([program, "browse"], tmp_path / "m.csv") as server:
                assert server.json("/api/state")["corrections"] == len(lines)
            # The file does not grow for ever.
            path.unlink()
            answered, sent = set(), set()
    print(f"{ROUNDS} kills, {killed_at_once} before the first answer; {torn} torn lines seen")
    assert killed_at_once < ROUNDS / 2
