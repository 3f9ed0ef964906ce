"""Extracts features on a Ray cluster: a task for each shard, then one that writes the file.

    python extract.py SHARDS MANIFEST OUTPUT.h5 [OPTIONS of veery extract]

All nodes see the recordings and the folder of the output under the same paths. RAY_ADDRESS says where the cluster is.
"""

import os
import socket
import subprocess
import sys

import ray


class TryAgain(Exception):
    """The machine failed, and not the work: status 75, or a signal."""


# Ray also runs the tasks of a node again that is lost.
@ray.remote(num_cpus=1, max_retries=5, retry_exceptions=[TryAgain])
def extract(arguments, folder):
    done = subprocess.run(
        ["veery", "extract", *arguments, "--progress", "none"], cwd=folder, stderr=subprocess.PIPE, text=True)
    said = f"{socket.gethostname()}: {done.stderr.strip()}"
    if done.returncode == 75 or done.returncode < 0 or done.returncode > 128:
        raise TryAgain(said)
    if done.returncode != 0:
        raise RuntimeError(f"status {done.returncode} on {said}")
    return said


def of_shards(options):
    """The options without those for all clips, which are for the command that writes the file, and refused with a shard."""
    words, rest = iter(options), []
    for word in words:
        if word in FOR_ALL_CLIPS:
            next(words, None)
        elif word.split("=")[0] not in FOR_ALL_CLIPS:
            rest.append(word)
    return rest


FOR_ALL_CLIPS = ("--max-failures", "--failures-out")


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    shards, (manifest, output), options = int(sys.argv[1]), sys.argv[2:4], sys.argv[4:]
    folder = os.getcwd()
    ray.init(address="auto", log_to_driver=False)
    command = [manifest, "-o", output]
    if not any(option.partition("=")[0] == "--jobs" for option in options):
        command += ["--jobs", "1"]
    waiting = [extract.remote([*command, *of_shards(options), "--shard", f"{shard}/{shards}"], folder) for shard in range(1, shards + 1)]
    try:
        while waiting:
            done, waiting = ray.wait(waiting)
            print(*ray.get(done), sep="\n", flush=True)
        print(ray.get(extract.remote([*command, *options], folder)))
    except ray.exceptions.RayTaskError as error:
        # What has failed for good would fail in every shard.
        for task in waiting:
            ray.cancel(task)
        sys.exit(f"{error.cause}")


if __name__ == "__main__":
    main()
