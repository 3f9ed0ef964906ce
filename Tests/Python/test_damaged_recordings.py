"""A part of Tests/Torture/damage.py: flipped bits, cuts and mutations of recordings in every format. `make damage` does more.

Nothing is stored that differs from the undamaged recording where the format has checksums, or where its end is missing; no
command crashes or hangs.
"""
import csv
import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Torture"))
import damage as damages  # noqa: E402

pytestmark = pytest.mark.long

ROUNDS = int(os.environ.get("VEERY_DAMAGE", 24))


@pytest.fixture(scope="module", params=["made", pytest.param("real", marks=pytest.mark.collection)])
def damage(program, tmp_path_factory, request):
    real = request.getfixturevalue("collection") if request.param == "real" else None
    return damages.Damage(program, tmp_path_factory.mktemp("damage"), real, seed=14)


@pytest.fixture(autouse=True)
def findings(damage):
    """The findings of this test alone, without those of earlier ones."""
    damage.findings.clear()
    return damage.findings


@pytest.mark.parametrize("kind", damages.KINDS)
def test_a_flipped_bit_is_noticed_where_there_are_checksums(damage, findings, kind):
    counts = damage.flips(kind, ROUNDS)
    assert sum(counts[part][outcome] for part in counts for outcome in ("equal", "refused", "different")) == ROUNDS
    assert not findings
    if kind in damages.CHECKED:
        assert counts["sound"]["refused"] > ROUNDS / 2 and counts["sound"]["different"] == 0


@pytest.mark.parametrize("kind", damages.KINDS)
def test_a_cut_is_noticed(damage, findings, kind):
    counts = damage.cuts(kind, ROUNDS)
    assert not findings
    assert counts["refused"] > ROUNDS / 4, counts


@pytest.mark.parametrize("kind", damages.KINDS)
def test_which_windows_fail_depends_on_the_recording_alone(damage, findings, kind):
    """One flipped bit in a FLAC made intact windows fail, hours away, others in each run: those that a reader read after the damage."""
    counts = damage.windows(kind, ROUNDS // 3)
    assert not findings
    if kind in damages.CHECKED:
        assert counts["refused"] > 0 and counts["different"] == 0, counts
    if kind == "flac":
        # Frames of half a second, windows of a quarter: a change of up to 16 kB is in three frames or four.
        assert counts["refused"] < 10 * (ROUNDS // 3), counts


@pytest.mark.parametrize("jobs", [1, 2, 3, 4, 8])
def test_a_deep_check_finds_the_windows_that_fail(damage, findings, tmp_path, jobs):
    source, content = next((path, content) for path, content, _ in damage.recordings["flac"] if path.stem == "long")
    path = tmp_path / "damaged.flac"
    path.write_bytes(content[:len(content) // 3] + bytes(64) + content[len(content) // 3 + 64:])
    times = [(number / 4, (number + 1) / 4) for number in range(36)]
    stored = damage.extract_rows([(path, *time) for time in times])
    usable = tmp_path / "usable.csv"
    damage.run("check", damage.folder / "manifest.csv", "--deep", "--jobs", str(jobs), "--mend", usable, allowed=(3,))
    assert not findings
    with open(usable, newline="") as file:
        ids = [row["id"] for row in csv.DictReader(file)]
    assert ids == [str(number) for number, found in enumerate(stored) if not isinstance(found, str)]
    assert 30 <= len(ids) < 36


def test_no_command_crashes_or_hangs_on_what_is_left_of_recordings(damage, findings):
    counts = damage.mutations(6 * ROUNDS, commands=2 * ROUNDS)
    assert not findings
    for kind in damages.CHECKED:
        assert counts[kind]["refused"] > 0 and counts[kind]["different"] == 0, counts
    assert damage.runs["render"] >= 2 * ROUNDS and damage.runs["filter"] >= 2 * ROUNDS
