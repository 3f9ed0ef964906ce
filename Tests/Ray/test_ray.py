"""examples/ray on a Ray cluster of this machine: a head and two workers, of which one is lost.

    make test-ray
"""

import os
import random
import re
import subprocess
import sys
import time
import wave
from pathlib import Path

import pytest
from ray.cluster_utils import Cluster

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/ray/extract.py"
# Frames enough for a shard of a second or so that writes little.
OPTIONS = ["--preset", "log-mel", "--set", "audio.sample_rate=8000", "--set", "transform.high=4000", "--set", "frame.hop=2",
           "--set", "frame.length=2048", "--set", "frame.fft_length=2048", "--set", "transform.bins=2"]
SHARDS = 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ray")
    noise = random.Random(1)
    for number in range(120):
        with wave.open(str(folder / f"{number}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(8000)
            file.writeframes(noise.randbytes(2 * 24_000))
    rows = "".join(f"{number}.wav,l{number % 3}\n" for number in range(120))
    (folder / "m.csv").write_text("path,label\n" + rows)
    (folder / "bin").mkdir()
    (folder / "bin/veery").symlink_to(Path(os.environ["VEERY"]).resolve())
    os.environ["PATH"] = f"{folder / 'bin'}:{os.environ['PATH']}"
    subprocess.run(["veery", "extract", "m.csv", "-o", "one.h5", "-q", *OPTIONS], cwd=folder, check=True)
    return folder


@pytest.fixture
def cluster(folder):
    # The head computes nothing: its loss would be the end.
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    cluster.workers = [cluster.add_node(num_cpus=2) for _ in range(2)]
    cluster.wait_for_nodes()
    yield cluster
    cluster.shutdown()


def start(cluster, folder, output, *options):
    return subprocess.Popen(
        [sys.executable, EXAMPLE, str(SHARDS), "m.csv", output, *OPTIONS, *options], cwd=folder, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, RAY_ADDRESS=cluster.address))


def finish(process):
    out, error = process.communicate(timeout=300)
    return process.returncode, out + error


def working(process, folder, output):
    """Waits until attempts at shards have clips."""
    while process.poll() is None and not any(
            path.stat().st_size for path in folder.glob(f"{output}.shards/*.*/clips-*.spool")):
        time.sleep(0.01)
    assert process.poll() is None, finish(process)


def test_all_goes_well(cluster, folder):
    status, said = finish(start(cluster, folder, "quiet.h5"))
    assert status == 0, said
    assert sorted(map(int, re.findall(rf"shard (\d+)/{SHARDS}: 10 clips", said))) == list(range(1, SHARDS + 1))
    assert (folder / "quiet.h5").read_bytes() == (folder / "one.h5").read_bytes()


def test_a_node_is_lost(cluster, folder):
    process = start(cluster, folder, "lost.h5")
    working(process, folder, "lost.h5")
    cluster.remove_node(cluster.workers[0], allow_graceful=False)
    status, said = finish(process)
    assert status == 0, said
    assert (folder / "lost.h5").read_bytes() == (folder / "one.h5").read_bytes()
    assert not list(folder.glob("lost.h5.*"))


def test_a_task_is_killed(cluster, folder):
    process = start(cluster, folder, "killed.h5")
    working(process, folder, "killed.h5")
    subprocess.run(["pkill", "-9", "-o", "-f", "veery extract m.csv -o killed.h5"], check=True)
    status, said = finish(process)
    assert status == 0, said
    assert (folder / "killed.h5").read_bytes() == (folder / "one.h5").read_bytes()


def test_an_error_that_would_recur_ends_the_run(cluster, folder):
    status, said = finish(start(cluster, folder, "bad.h5", "--set", "frame.hop=-3"))
    assert status != 0 and "frame.hop" in said and "status 64" in said, said
    assert not (folder / "bad.h5").exists()
