"""A part of Tests/Torture/damaged_features.py: what damaged feature files cost. `make damage-features` does more.

No command takes 1 GB or 4 s for a file of 40 kB, whatever it contains, and none crashes, in HDF5 or elsewhere.
"""

import os
import pathlib
import resource
import sys

import h5py
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Torture"))
import damaged_features as damages  # noqa: E402

pytestmark = pytest.mark.long

ROUNDS = int(os.environ.get("VEERY_DAMAGE", 60))


def most_memory():
    """The limit in bytes: 200 MB, or the peak of this process, which the system counts for its children, too."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return max(200e6, own + 1e6)


def test_damaged_feature_files_take_little_time_and_memory(program, tmp_path):
    damage = damages.Damage(pathlib.Path(program).resolve(), tmp_path)
    counts = {outcome: 0 for outcome in damages.OUTCOMES}
    for seed in range(14_000_000, 14_000_000 + ROUNDS):
        _, kind, _, results = damage.round(seed)
        for command, (run, written) in results.items():
            outcome = damage.outcome(kind, command, run, written)
            assert outcome != "finding", f"seed {seed}, {kind}, {command}: {run.finding('features.h5')}"
            assert (command, outcome) != ("verify", "other"), f"seed {seed}, {kind}: {run.said}"
            counts[outcome] += 1
    print(counts)
    assert counts["refused"] > ROUNDS and counts["equal"] > ROUNDS / 2, "changes that matter, and some that do not"


def test_a_number_of_four_gigabytes_is_refused_at_once(program, tmp_path):
    damage = damages.Damage(pathlib.Path(program).resolve(), tmp_path)
    data = bytearray(damage.files["packed"])
    offset = data.find(bytes([0x11, 0x20, 0x3F, 0, 8, 0, 0, 0]))
    data[offset + 4:offset + 8] = b"\xff" * 4
    for command, (run, _) in damage.results(bytes(data), tmp_path / "large").items():
        assert run.status == 1 and f"at byte {offset} promises values of 4294967295 bytes" in run.said, f"{command}: {run.said}"
        assert run.memory < most_memory() and run.seconds < 1


def test_channels_that_no_recording_has_take_no_memory(program, tmp_path):
    damage = damages.Damage(pathlib.Path(program).resolve(), tmp_path)
    path = tmp_path / "channels.h5"
    path.write_bytes(damage.files["packed"])
    with h5py.File(path, "r+") as file:
        file["clips/channels"][:] = 2_000_000_000
        file["clips/channels"][1] = -5
    # Where the recordings are, so that the page looks into them.
    run = damages.Run(program, ["inspect", path.name, "--html", "page.html"], tmp_path)
    assert run.status == 0 and not run.finding(path.name), run.said
    assert run.memory < most_memory()
