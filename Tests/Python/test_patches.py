"""Rows that are grouped into patches: equal to NumPy's grouping of the rows of a file without them, in every layout and type."""
import json
from types import SimpleNamespace

import h5py
import numpy as np
import pytest

import veery as package
from conftest import noise, write_manifest, write_wav

RATE = 16_000
LENGTHS = [5000, 400 + 19 * 160, 16_000, 31_111, 40_000, 4007, 400 + 23 * 160]
LABELS = [("a", 0, 0.5), ("b", 0.5, 1.0), ("a", 1.2, 1.4)]


@pytest.fixture(scope="module", autouse=True)
def _library(library):
    """Skips nothing: without the library, all tests here fail."""


@pytest.fixture
def folder(tmp_path):
    rows = []
    for number, length in enumerate(LENGTHS):
        write_wav(tmp_path / f"{number}.wav", RATE, 0.2 + noise(number, length), dtype="<f4")
        rows.append({"path": f"{number}.wav", "label": "ab"[number % 2], "split": "train" if number < 4 else "test"})
    write_manifest(tmp_path / "all.csv", rows)
    write_manifest(tmp_path / "some.csv", rows[:4])
    return tmp_path


def signal(number):
    return (0.2 + noise(number, LENGTHS[number])).astype(np.float32)


def words(settings):
    return [word for key, value in settings.items() for word in ("--set", f"{key}={json.dumps(value)}")]


def grouped(rows, length, hop=None, rest="drop", stacked=False, fill=0.0):
    """The patches of a clip's rows."""
    hop = hop or length
    if rest == "fill":
        missing = (length - len(rows)) if len(rows) < length else -(len(rows) - length) % hop
        rows = np.concatenate([rows, np.full((missing, rows.shape[1]), fill, rows.dtype)])
    patches = np.array([rows[start:start + length] for start in range(0, len(rows) - length + 1, hop)])
    patches = patches.reshape(len(patches), length, rows.shape[1])
    return patches.reshape(len(patches), -1) if stacked else patches


SETTINGS = {
    "whole": dict(length=20),
    "overlapping": dict(length=20, hop=7),
    "padded": dict(length=24, rest="fill"),
    "overlapping, padded": dict(length=24, hop=10, rest="fill"),
    "stacked": dict(length=2, stacked=True, rest="fill"),
    "stacked, overlapping": dict(length=7, hop=6, stacked=True),
    "single": dict(length=1),
}
SCOPES = {"none": {"normalize.scope": "none"}, "clip": {"normalize.scope": "clip", "normalize.ddof": 1},
          "dataset": {}, "constant": {"normalize": {"scope": "constant", "mean": -5, "std": 3}}}


def patch_words(name, fill):
    settings = {f"patches.{key}": value for key, value in SETTINGS[name].items()}
    return {**settings, **({"rows.fill": fill} if SETTINGS[name].get("rest") == "fill" else {})}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("name", SETTINGS)
def test_patches_are_groups_of_the_rows(veery, folder, name, scope):
    fill = -1.25
    veery("extract", "all.csv", "-o", "rows.h5", *words(SCOPES[scope]), folder=folder)
    settings = {**patch_words(name, fill), **SCOPES[scope]}
    others = {"packed": {}, "deflate": {"store.compression": "deflate"}, "half": {"store.type": "float16"}}
    with h5py.File(folder / "rows.h5") as file:
        rows, counts = file["features"][:], file["clips/frame_count"][:]
        values = [file[f"statistics/{key}"][:] for key in ("mean", "std", "min", "max")]
        own = np.split(rows, np.cumsum(counts)[:-1])
        own_raw = package.open(folder / "rows.h5").raw()
        expected = [grouped(clip, fill=fill, **SETTINGS[name]) for clip in own]
        statistics = SimpleNamespace(
            **dict(zip(("mean", "std", "min", "max"), values)),
            count=int(file["statistics"].attrs["count"])) if scope == "dataset" else None
    for other, more in others.items():
        jobs = 1 if other == "deflate" else 3
        veery("extract", "all.csv", "-o", f"{other}.h5", *words({**settings, **more}), "--jobs", jobs, folder=folder)
        assert "complete and consistent" in veery("inspect", f"{other}.h5", "--verify", folder=folder).stdout
        with h5py.File(folder / f"{other}.h5") as file:
            features, starts = file["features"][:], file["clips/frame_start"][:]
            assert (file["clips/computed_frames"][:] == counts).all()
            assert (file["clips/frame_count"][:] == [len(patches) for patches in expected]).all()
            # Each row counts once in the statistics, whatever the patches.
            assert all(np.array_equal(file[f"statistics/{key}"][:], one)
                       for key, one in zip(("mean", "std", "min", "max"), values))
            attributes = file["features"].attrs
            length = SETTINGS[name]["length"]
            assert attributes["patch_length"] == length
            assert attributes["patch_hop"] == SETTINGS[name].get("hop", length)
            assert np.allclose(file["patch_time"][:], np.arange(length) * 0.01)
            for start, patches in zip(starts, expected):
                assert features.shape[1:] == patches.shape[1:]
                wanted = patches.astype(np.float16) if other == "half" else patches
                assert np.array_equal(features[start:start + len(wanted)], wanted), other
        with package.open(folder / f"{other}.h5") as opened:
            for number, patches in enumerate(expected):
                assert np.array_equal(opened[number].features, features[starts[number]:starts[number] + len(patches)])
                if other == "packed":
                    wanted = grouped(np.asarray(own_raw[number].features), **{**SETTINGS[name], "rest": "drop"})
                    assert np.allclose(
                        opened[number].raw().features[:len(wanted)], wanted, rtol=0, atol=2e-5), number
    plan = package.FeaturePlan(package.open(folder / "packed.h5").configuration, statistics=statistics)
    for number, patches in enumerate(expected):
        assert np.array_equal(plan.features(signal(number)), patches)
        assert plan.frame_count(LENGTHS[number]) == len(patches)
        stream = plan.stream()
        pieces = [stream.push(piece) for piece in np.array_split(signal(number), 9)] + [stream.finish()]
        assert np.array_equal(np.concatenate(pieces), patches)
    assert plan.row_shape == expected[0].shape[1:]


@pytest.mark.parametrize("compression", ["none", "deflate"])
@pytest.mark.parametrize("name", ["whole", "overlapping, padded", "stacked"])
@pytest.mark.parametrize("scope", ["none", "clip", "dataset"])
def test_blocks_of_one_length(veery, folder, name, scope, compression):
    more = {**SCOPES[scope], "audio.duration": 1, "audio.fit": "zero"}
    veery("extract", "all.csv", "-o", "rows.h5", *words(more), folder=folder)
    settings = {**patch_words(name, 0), **more, "store.layout": "fixed", "store.compression": compression}
    veery("extract", "all.csv", "-o", "f.h5", *words(settings), folder=folder)
    assert "complete and consistent" in veery("inspect", "f.h5", "--verify", folder=folder).stdout
    with h5py.File(folder / "rows.h5") as rows, h5py.File(folder / "f.h5") as file:
        features = file["features"][:]
        expected = [grouped(clip, **SETTINGS[name]) for clip in np.split(rows["features"][:], len(LENGTHS))]
        assert features.shape == (len(LENGTHS), *expected[0].shape)
        assert np.array_equal(features, expected)
        count = len(expected[0])
        assert (file["clips/frame_count"][:] == count).all()
        assert (file["clips/frame_start"][:] == np.arange(len(LENGTHS)) * count).all()
        hop = SETTINGS[name].get("hop", SETTINGS[name]["length"])
        assert np.allclose(file["time"][:], 0.0125 + np.arange(count) * hop * 0.01)
    with package.open(folder / "f.h5") as opened:
        assert np.array_equal(opened[3].features, expected[3])


def test_zeros_complete_the_last_patch(veery, folder):
    """YAMNet pads the signal to a whole patch, and then to whole hops, so the rest of the patch has features of zeros."""
    settings = {"patches.length": 24, "patches.hop": 12, "patches.rest": "zeros", "normalize.scope": "none"}
    veery("extract", "all.csv", "-o", "f.h5", *words(settings), folder=folder)
    plain = package.FeaturePlan({"normalize": {"scope": "none"}})
    plan = package.FeaturePlan(package.open(folder / "f.h5").configuration)
    opened = package.open(folder / "f.h5")
    first, further = 400 + 23 * 160, 12 * 160
    for number, length in enumerate(LENGTHS):
        padded = first + -(-max(length - first, 0) // further) * further
        rows = plain.features(np.pad(signal(number), (0, padded - length)))
        expected = grouped(rows, 24, 12)
        assert len(rows) == 24 + 12 * (len(expected) - 1), number
        assert np.array_equal(opened[number].features, expected), number
        assert np.array_equal(plan.features(signal(number)), expected), number
    assert opened[6].features.shape[0] == 1 and plan.minimum_samples == 1


@pytest.mark.long
@pytest.mark.parametrize("name", ["overlapping", "padded", "stacked"])
@pytest.mark.parametrize("scope", ["clip", "constant", "none"])
def test_added_clips_are_those_of_a_fresh_run(veery, folder, name, scope):
    options = words({**patch_words(name, -1), **SCOPES[scope]})
    veery("extract", "all.csv", "-o", "whole.h5", *options, folder=folder)
    veery("extract", "some.csv", "-o", "f.h5", *options, folder=folder)
    veery("extract", "all.csv", "-o", "f.h5", "--append", *options, folder=folder)
    with h5py.File(folder / "f.h5") as file, h5py.File(folder / "whole.h5") as whole:
        for path in ("features", "clips/frame_count", "clips/computed_frames", "clips/tensor_xxh3", "clips/record_xxh3"):
            assert np.array_equal(file[path][:], whole[path][:]), path
        assert np.allclose(file["statistics/mean"][:], whole["statistics/mean"][:], rtol=1e-12)
    assert "complete and consistent" in veery("inspect", "f.h5", "--verify", folder=folder).stdout
    assert "up to date" in veery("extract", "all.csv", "-o", "f.h5", *options, folder=folder).stderr


@pytest.mark.parametrize("layout", ["packed", "fixed"])
def test_labels_of_frames_follow_the_patches(veery, folder, layout):
    write_manifest(folder / "marks.csv", [
        {"path": "3.wav", "start": begin, "end": end, "label": label} for label, begin, end in LABELS])
    more = {"store.layout": layout, **({"audio.duration": 1.5, "audio.fit": "zero"} if layout == "fixed" else {})}
    veery("extract", "all.csv", "-o", "rows.h5", "--frame-labels", "marks.csv", *words(more), folder=folder)
    settings = {**patch_words("overlapping", 0), **more}
    veery("extract", "all.csv", "-o", "f.h5", "--frame-labels", "marks.csv", *words(settings), folder=folder)
    assert "complete and consistent" in veery("inspect", "f.h5", "--verify", folder=folder).stdout
    with package.open(folder / "rows.h5") as rows, package.open(folder / "f.h5") as file:
        for number in range(len(LENGTHS)):
            expected = grouped(rows[number].frame_labels[:, None], 20, 7)[:, :, 0]
            assert np.array_equal(file[number].frame_labels, expected)
        assert (expected == -1).all() and set(file[3].frame_labels.ravel()) == {-1, 0, 1}


def test_a_clip_shorter_than_a_patch(veery, folder):
    settings = words({"patches.length": 40, "normalize.scope": "none"})
    said = veery("extract", "all.csv", "-o", "f.h5", *settings, status=3, folder=folder)
    with h5py.File(folder / "f.h5") as file:
        reasons = [reason.decode() for reason in file["failures/reason"][:]]
        assert reasons == [
            f"expected at least {400 + 39 * 160} samples at 16000 Hz, found {length}: the clip is too short"
            for length in LENGTHS if length < 400 + 39 * 160], said.stderr
        assert len(file["clips/id"]) == 3
    dry = veery("extract", "all.csv", "-o", "g.h5", *settings, "--dry-run", status=(0, 1, 3), folder=folder)
    assert "too short" in dry.stdout + dry.stderr
    padded = words({"patches.length": 40, "patches.rest": "fill", "normalize.scope": "none"})
    veery("extract", "all.csv", "-o", "g.h5", *padded, folder=folder)
    with h5py.File(folder / "g.h5") as file:
        assert len(file["clips/id"]) == len(LENGTHS)


@pytest.mark.parametrize("settings,expected", [
    ({"patches.hop": 4}, "patches.hop"), ({"patches.stacked": True}, "patches.stacked"),
    ({"patches.length": 4, "patches.hop": 5}, "up to the length"), ({"patches.length": 0}, "patches.length"),
    ({"patches.length": 4, "patches.rest": "zeros", "audio.duration": 1}, "patches.rest"),
    ({"patches.length": 4, "patches.rest": "zeros", "rows.multiple": 2}, "patches.rest"),
    ({"patches.length": 61, "rows.count": 60}, "patches.length"), ({"rows.fill": 1}, "rows.fill"),
    ({"patches.length": 4, "rows.fill": 1}, "rows.fill"), ({"patches.length": 4, "rows.fill_order": "before"}, "rows.fill_order"),
])
def test_contradictions_are_named(veery, folder, settings, expected):
    said = veery("extract", "all.csv", "-o", "f.h5", *words(settings), status=64, folder=folder).stderr
    assert expected in said and not (folder / "f.h5").exists(), said


@pytest.mark.parametrize("name", ["overlapping", "stacked"])
def test_pictures_and_summaries(veery, folder, name):
    options = words({**patch_words(name, 0), "normalize.scope": "none"})
    veery("extract", "all.csv", "-o", "f.h5", *options, folder=folder)
    veery("extract", "all.csv", "-o", "rows.h5", *words({"normalize.scope": "none"}), folder=folder)
    summary = " ".join(veery("inspect", "f.h5", folder=folder).stdout.split())
    assert "patches of" in summary, summary
    for file in ("f", "rows"):
        veery("render", f"{file}.h5", "--clip", "4", "-o", f"{file}.png", folder=folder)
    # The frames that patches share are drawn once: 40,000 samples are 248 frames, all of them in stacked pairs.
    if name == "stacked":
        assert (folder / "f.png").read_bytes() == (folder / "rows.png").read_bytes()
    veery("inspect", "f.h5", "--html", "report.html", folder=folder)
    with package.open(folder / "f.h5") as opened, package.open(folder / "rows.h5") as rows:
        frames = opened[4]._core.header.frames(opened[4].features)
        assert np.array_equal(frames, rows[4].features[:len(frames)])


@pytest.mark.parametrize("name", ["whole", "overlapping, padded"])
def test_shorter_clips_in_blocks(veery, folder, name):
    """Clips shorter than a block: their own patches, then zeros; with rows.count, all patches of the block."""
    for more, counts in (({"audio.duration": 2}, None), ({"audio.duration": 2, "rows.count": 220}, 220)):
        settings = {**patch_words(name, 0), **more, "store.layout": "fixed", "normalize.scope": "clip"}
        veery("extract", "all.csv", "-o", "f.h5", *words(settings), "--overwrite", folder=folder)
        veery("extract", "all.csv", "-o", "rows.h5", *words({"audio.duration": 2, "store.layout": "fixed",
              "normalize.scope": "clip"}), "--overwrite", folder=folder)
        assert "complete and consistent" in veery("inspect", "f.h5", "--verify", folder=folder).stdout
        with h5py.File(folder / "rows.h5") as rows, h5py.File(folder / "f.h5") as file:
            for clip, count in enumerate(rows["clips/frame_count"][:]):
                own = rows["features"][clip, :count]
                if counts:
                    own = np.concatenate([own, np.zeros((counts - len(own), 80), np.float32)])
                expected = grouped(own, **SETTINGS[name])
                assert file["clips/frame_count"][clip] == len(expected)
                found = file["features"][clip]
                assert np.array_equal(found[:len(expected)], expected) and (found[len(expected):] == 0).all()


def test_added_rows_do_not_count_without_normalisation_either(veery, folder):
    for order, least in (("after", -30), ("before", -100)):
        settings = {"rows.multiple": 64, "rows.fill": -100, "rows.fill_order": order, "normalize.scope": "none"}
        veery("extract", "all.csv", "-o", f"{order}.h5", *words(settings), folder=folder)
    with h5py.File(folder / "after.h5") as after, h5py.File(folder / "before.h5") as before:
        assert np.array_equal(after["features"][:], before["features"][:])
        own = [1 + (length - 400) // 160 for length in LENGTHS]
        assert (after["clips/computed_frames"][:] == own).all() and "computed_frames" not in before["clips"]
        # The split train, the first four clips.
        assert after["statistics"].attrs["count"] == sum(own[:4])
        assert before["statistics"].attrs["count"] == before["clips/frame_count"][:4].sum()
        assert after["statistics/min"][:].min() > -30 and before["statistics/min"][:].min() == -100


def test_labels_of_the_middle_are_those_of_its_frames(veery, folder):
    write_manifest(folder / "marks.csv", [
        {"path": "4.wav", "start": begin, "end": begin + 0.1, "label": f"{begin:.1f}"} for begin in np.arange(0, 2.4, 0.1)])
    settings = {"audio.duration": 1, "audio.crop": "center", "normalize.scope": "none"}
    veery("extract", "all.csv", "-o", "f.h5", "--frame-labels", "marks.csv", *words(settings), folder=folder)
    veery("extract", "all.csv", "-o", "all.h5", "--frame-labels", "marks.csv", "--set", "normalize.scope=none", folder=folder)
    with package.open(folder / "f.h5") as cropped, package.open(folder / "all.h5") as whole:
        # 40,000 samples: 12,000 before the middle, 75 frames.
        assert np.array_equal(cropped[4].features, whole[4].features[75:75 + 98])
        names = [np.array(file.frame_label_names)[file[4].frame_labels] for file in (cropped, whole)]
        assert np.array_equal(names[0], names[1][75:75 + 98])


def test_added_rows_have_no_label(veery, folder):
    write_manifest(folder / "marks.csv", [{"path": "0.wav", "start": 0, "end": 0.3125, "label": "x"}])
    for settings in ({"rows.multiple": 100}, {"patches.length": 100, "patches.rest": "fill"}):
        veery("extract", "all.csv", "-o", "f.h5", "--frame-labels", "marks.csv", *words(settings), "--overwrite", folder=folder)
        with package.open(folder / "f.h5") as file:
            labels = file[0].frame_labels.ravel()
            assert (labels[:29] == 0).all() and (labels[29:] == -1).all() and len(labels) == 100


def test_exports_of_patches(veery, folder):
    for name in ("overlapping", "stacked"):
        veery("extract", "all.csv", "-o", "f.h5", *words(patch_words(name, 0)), "--overwrite", folder=folder)
        with h5py.File(folder / "f.h5") as file:
            features, starts, counts = file["features"][:], file["clips/frame_start"][:], file["clips/frame_count"][:]
        veery("export", "f.h5", "--to", "npy", "-o", "npy", "--overwrite", folder=folder)
        assert np.array_equal(np.load(folder / "npy/features.npy"), features)
        lines = [json.loads(line) for line in (folder / "npy/clips.jsonl").read_text().splitlines()]
        assert [line["frame_start"] for line in lines] == starts.tolist()
        assert [line["frame_count"] for line in lines] == counts.tolist()
        described = json.loads((folder / "npy/export.json").read_text())
        assert described["patch_length"] == SETTINGS[name]["length"] and described["frames"] == len(features)
        status = 0 if name == "stacked" else 1
        for form in ("kaldi", "lhotse"):
            said = veery("export", "f.h5", "--to", form, "-o", form, status=status, folder=folder)
            assert status == 0 or "matrices" in said.stderr
        if name == "stacked":
            counted = (folder / "kaldi/utt2num_frames").read_text().split()
            assert counted[1::2] == [str(count) for count in counts]
            assert float((folder / "kaldi/frame_shift").read_text()) == pytest.approx(0.02)


@pytest.mark.parametrize("change", [("patch_hop", 0), ("patch_hop", 8), ("patch_length", 3), ("patch_length", 2**40)])
def test_damaged_patches_are_refused(veery, folder, change):
    veery("extract", "all.csv", "-o", "f.h5", "--set", "patches.length=7", folder=folder)
    with h5py.File(folder / "f.h5", "r+") as file:
        file["features"].attrs[change[0]] = np.int64(change[1])
    said = veery("inspect", "f.h5", status=1, folder=folder).stderr
    assert change[0] in said or "shape" in said
    with pytest.raises(package.FeatureFileError):
        package.open(folder / "f.h5")


def test_a_live_recording_has_the_patches_of_an_extraction(veery, folder):
    options = words({"patches.length": 20, "patches.hop": 7, "normalize.scope": "none"})
    veery("live", "--file", "4.wav", "--speed", 0, "--record", "live.h5", "--preset", "log-mel", *options, folder=folder)
    write_manifest(folder / "one.csv", [{"path": "4.wav"}])
    veery("extract", "one.csv", "-o", "f.h5", *options, folder=folder)
    with h5py.File(folder / "live.h5") as live, h5py.File(folder / "f.h5") as file:
        assert np.array_equal(live["features"][:], file["features"][:])
    said = veery(
        "live", "--file", "4.wav", "--record", "c.h5", "--set", "audio.duration=1", "--set", "audio.crop=center",
        status=(1, 64), folder=folder)
    assert "audio.crop" in said.stderr and not (folder / "c.h5").exists()


def test_streams_of_several_signals(folder):
    plan = package.FeaturePlan({"patches": {"length": 20, "hop": 7}, "normalize": {"scope": "clip"}})
    stream = plan.stream()
    for number in (3, 0, 4):
        pieces = [stream.push(piece) for piece in np.array_split(signal(number), 5)] + [stream.finish()]
        assert np.array_equal(np.concatenate(pieces), plan.features(signal(number)))
    stream.push(signal(3)[:20_000])
    stream.reset()
    found = [stream.push(signal(4)), stream.finish()]
    assert np.array_equal(np.concatenate(found), plan.features(signal(4)))
    # Numbers that no array can have are refused, not a crash.
    huge = package.FeaturePlan({"patches": {"length": 65536, "hop": 1}, "normalize": {"scope": "none"}})
    assert huge.frame_count(1 << 45) > 0
