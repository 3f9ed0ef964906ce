"""Small true samples of every format, each changed by one thing: what is not as stated is said, or it is an error."""

import collections
import concurrent.futures
import copy
import os
import pickle
import tempfile
from pathlib import Path

import pytest
from mutations import formats  # noqa: F401: adds the samples to the list
from mutations.observation import observe
from mutations.samples import SAMPLES, cases, name
from mutations.verdict import RIGHT, SILENT, VERDICTS, Verdict, clean, judge

pytestmark = pytest.mark.long

CASES = cases()


class Runs:
    """Runs each case once, whichever process of the tests asks for it first."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        folder.mkdir(exist_ok=True)

    def __call__(self, sample, mutation):
        stored = self.folder / f"{SAMPLES.index(sample)}-{sample.mutations.index(mutation) if mutation else 'true'}"
        if stored.exists():
            return pickle.loads(stored.read_bytes())
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            seen = observe(self.program, sample, mutation and mutation.change, Path(folder))
        part = stored.with_name(f"{stored.name}.{os.getpid()}.part")
        part.write_bytes(pickle.dumps(seen))
        part.rename(stored)
        return seen

    def verdict(self, case):
        sample, mutation = case
        seen = self(sample, mutation)
        true = self(sample, None)
        if mutation and true.status != 0:
            return seen, Verdict("refused", "the true sample is refused")
        return seen, judge(seen, true, mutation, sample)


@pytest.fixture(scope="session")
def runs(program, tmp_path_factory):
    base = tmp_path_factory.getbasetemp()
    return Runs(program, (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "mutations")


@pytest.mark.parametrize("case", CASES, ids=name)
def test_a_mutation_is_what_is_stated(runs, case):
    sample, mutation = case
    seen, verdict = runs.verdict(case)
    assert verdict.name == RIGHT, (
        f"{verdict.name}: {name(case)}\nstated: {mutation.expected if mutation else 'the truth, without a remark'}\n{verdict.why}\n"
        f"format: {sample.source}\nveery {' '.join(map(str, sample.command))}: exit status {seen.status}\n{clean(seen.messages)}")


def test_nothing_is_silent(runs):
    """The count of all verdicts. It runs what the tests above have not run."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts = list(pool.map(runs.verdict, CASES))
    counts = collections.defaultdict(collections.Counter)
    for (sample, _), (_, verdict) in zip(CASES, verdicts):
        counts[sample.name][verdict.name] += 1
    rows = [("sample", "mutations", *VERDICTS)]
    rows += [(key, sum(count.values()) - 1, *(count[one] for one in VERDICTS)) for key, count in counts.items()]
    total = sum(counts.values(), collections.Counter())
    rows.append((f"{len(SAMPLES)} samples", len(CASES) - len(SAMPLES), *(total[one] for one in VERDICTS)))
    table = "\n".join(f"{row[0]:32}" + "".join(f"{value:>10}" for value in row[1:]) for row in rows)
    print("\n" + table)
    silent = [f"{name(case)}: {verdict.why}" for case, (_, verdict) in zip(CASES, verdicts) if verdict.name == SILENT]
    assert not silent, f"{len(silent)} silent:\n" + "\n".join(silent) + "\n" + table


def test_remarks_of_clips_are_compared(runs):
    """The verdict notices a remark on another clip, one too many, and one in the account that no clip has."""
    sample, mutation = next(case for case in CASES if name(case).endswith("reco2dur: twice the length"))
    true = runs(sample, None)

    def verdict(*changed, mutation=mutation, seen=None):
        seen = copy.deepcopy(seen or runs(sample, mutation))
        for row in seen.rows:
            if row["id"] in changed:
                row["remarks"] = "" if row["remarks"] else "lengths-differ"
        return judge(seen, true, mutation, sample)

    assert verdict().name == RIGHT
    assert "in the JSON" in verdict("u3").why and "in the JSON" in verdict("u1").why
    # Where the JSON has as many of them, but of other clips than stated.
    seen = copy.deepcopy(runs(sample, mutation))
    for row in seen.rows:
        row["remarks"] = "lengths-differ" if row["id"] in ("u1", "u3") else ""
    next(one for one in seen.remarks if one["kind"] == "lengths-differ")["first"] = ["u1", "u3"]
    assert "u4: remarks is '', expected 'lengths-differ'" in judge(seen, true, mutation, sample).why
