"""A few rounds of Tests/Torture/torture.py: the program killed at every stage. `make torture` does two hundred."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Torture"))
import torture as kills  # noqa: E402


@pytest.fixture(scope="module")
def torture(program, tmp_path_factory):
    return kills.Torture(program, tmp_path_factory.mktemp("torture"), seed=20, clips=400)


@pytest.mark.parametrize("number", range(12))
def test_nothing_is_lost_whenever_the_program_is_killed(torture, number):
    torture.round()


def test_the_rounds_hit(torture):
    assert sum(torture.kills.values()) >= 8, torture.report()
    assert torture.resumed >= 3, torture.report()
