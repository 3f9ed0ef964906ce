"""The guide's pages about training and the first ten minutes: their code runs block after block, and the weights are right.

Where there is no PyTorch, its blocks are left out here; Tests/Wheel runs all of them."""

import importlib.util
import os

import numpy as np
import pytest
import veery
from recordings import noise, write_manifest, write_wav
from sessions import ROOT, code_of

PAGE = ROOT / "Schemas/guide/training.md"
HAS_TORCH = importlib.util.find_spec("torch") is not None
# A split, a label, all labels. "late" is no label of the split train.
CLIPS = [("train", "wren", "wren|rain")] * 8 + [("train", "robin", "robin"), ("train", "robin", "robin|wren")] + [
    ("train", "", ""), ("test", "late", "late"), ("test", "wren", "wren")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with features.h5, whose clips have labels, and so have their frames."""
    folder = tmp_path_factory.mktemp("training")
    for index in range(len(CLIPS)):
        write_wav(folder / f"{index}.wav", 16000, noise(index, 3000 + 400 * index))
    rows = [{"path": f"{index}.wav", "split": split, "label": label, "labels": labels}
            for index, (split, label, labels) in enumerate(CLIPS)]
    write_manifest(folder / "m.csv", rows)
    calls = [{"path": f"{index}.wav", "start": 0, "end": 0.1, "label": "song" if index else "call"}
             for index in range(len(CLIPS))]
    write_manifest(folder / "calls.csv", calls)
    veery.extract(folder / "m.csv", folder / "features.h5", frame_labels=folder / "calls.csv")
    return folder


@pytest.fixture(scope="module")
def steps(folder):
    """The names that the page has set after each of its blocks; None: the block was left out."""
    here, found, names = os.getcwd(), [], {}
    os.chdir(folder)
    try:
        for code in code_of(PAGE, "python"):
            if not HAS_TORCH and ("torch." in code or "Dataset(" in code):
                found.append(None)
                continue
            exec(code, names)  # noqa: S102
            found.append(dict(names))
    finally:
        os.chdir(here)
    assert len(found) == 7
    return found


def test_balanced_weights(steps):
    names = steps[0]
    assert names["train"].labels == ["late", "rain", "robin", "wren"] and len(names["train"]) == 10
    # n / (labels · clips of the label), by the labels that there are, as scikit-learn has it.
    assert np.array_equal(names["weights"], [0, 0, 10 / (2 * 2), 10 / (2 * 8)])
    assert np.mean(names["weights"][names["train"].label_index]) == 1


def test_draws_without_pytorch(steps):
    assert len(steps[3]["epoch"]) == 10 and steps[3]["labels"].shape == (10,)
    share, index = steps[3]["share"], steps[0]["train"].label_index
    assert np.isclose(share[index == 2].sum(), 0.5) and np.isclose(share[index == 3].sum(), 0.5)


def test_weights_of_several_labels(steps):
    # 11 clips of the split train: 9 wrens, 8 with rain, 2 robins.
    assert np.array_equal(steps[4]["pos_weight"], [1, 3 / 8, 9 / 2, 2 / 9])


def test_weights_of_frames(steps):
    names = steps[6]
    counts = np.bincount(np.concatenate([clip.frame_labels for clip in names["train"]]) + 1, minlength=3)[1:]
    assert names["names"] == ["call", "song"] and counts[0] > 0 and counts[1] > 5 * counts[0]
    assert np.allclose(names["weights"], counts.sum() / (2 * counts))


@pytest.mark.skipif(not HAS_TORCH, reason="could not import 'torch': the blocks with PyTorch run in Tests/Wheel")
def test_losses_and_samplers_of_pytorch(steps):
    import torch
    loss = steps[1]["loss"]
    scores = torch.randn(10, 4, generator=torch.Generator().manual_seed(0))
    index = torch.tensor(steps[0]["train"].label_index, dtype=torch.int64)
    weight = torch.tensor(steps[0]["weights"], dtype=torch.float32)[index]
    each = torch.nn.functional.cross_entropy(scores, index, reduction="none")
    assert torch.isclose(loss(scores, index), (each * weight).sum() / weight.sum())
    labels = torch.cat([labels for _ in range(40) for _, _, labels in steps[2]["loader"]])
    assert 0.4 < float((labels == 2).float().mean()) < 0.6 and not (labels == 0).any()
    features, _, targets = next(iter(steps[5]["loader"]))
    assert targets.shape == (11, 4) and torch.isfinite(steps[5]["loss"](torch.zeros(11, 4), targets)) and features.shape[2] == 80


def test_the_code_of_ten_minutes(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    code, = code_of(ROOT / "Schemas/guide/ten-minutes.md", "python")
    exec(code, {})  # noqa: S102
    first = veery.open("features.h5")[0]
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 and lines[0] == f"0 wren {first.features.shape}"
