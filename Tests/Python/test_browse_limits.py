"""`veery browse` where the system refuses it something."""

import os
import resource
import signal
import socket
import subprocess
import sys
import time

import pytest

from conftest import noise, write_wav


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the used processor time from /proc")
def test_without_descriptors_it_waits_and_then_answers_again(program, tmp_path):
    write_wav(tmp_path / "a.wav", 8000, noise(1, 8000))
    (tmp_path / "m.csv").write_text("path,id,label\na.wav,a,x\n")
    # Of the connections, many fewer than the 64 that it takes otherwise find a descriptor.
    limited = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))  # noqa: E731
    server = subprocess.Popen([program, "browse", "m.csv", "--no-open"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              preexec_fn=limited)
    address = server.stdout.readline().strip()
    port = int(address.split(":")[2].split("/")[0])

    def used():
        with open(f"/proc/{server.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def answers():
        with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            return connection.recv(100)

    assert answers().startswith(b"HTTP/1.1 403")
    connections = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(60)]
    before = used()
    time.sleep(2)
    assert used() - before < 0.1
    for connection in connections:
        connection.close()
    end = time.monotonic() + 30
    while True:
        try:
            if answers().startswith(b"HTTP/1.1 403"):
                break
        except OSError:
            pass
        assert time.monotonic() < end, "it does not answer again"
        time.sleep(0.1)
    server.send_signal(signal.SIGTERM)
    assert server.wait(20) == 0
