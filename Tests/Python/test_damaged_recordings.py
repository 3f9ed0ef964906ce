"""A part of Tests/Torture/damage.py: flipped bits, cuts and mutations of recordings in every format. `make damage` does more.

Nothing is stored that differs from the undamaged recording where the format has checksums, or where its end is missing; no
command crashes or hangs.
"""
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


def test_no_command_crashes_or_hangs_on_what_is_left_of_recordings(damage, findings):
    counts = damage.mutations(6 * ROUNDS, commands=2 * ROUNDS)
    assert not findings
    for kind in damages.CHECKED:
        assert counts[kind]["refused"] > 0 and counts[kind]["different"] == 0, counts
    assert damage.runs["render"] >= 2 * ROUNDS and damage.runs["filter"] >= 2 * ROUNDS
