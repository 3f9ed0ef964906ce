"""Files of format 1.0 and 1.1, with and without each addition of 1.1: made by h5py from those of the program.

The checksum of what belongs to no clip is computed here from the words of Schemas/features-1.0.md.
"""
import json
import re
import struct

import h5py
import numpy as np
import pytest
import xxhash

from conftest import noise, tone, write_manifest, write_wav

pytestmark = pytest.mark.shipped


def text(value):
    value = value if isinstance(value, bytes) else str(value).encode()
    return struct.pack("<I", len(value)) + value


def entries(values, form):
    return struct.pack("<q", len(values)) + b"".join(form(value) for value in values)


def metadata_checksum(file):
    """`metadata_xxh3` as the page on the format says it."""
    def column(name):
        return [cell for cell in file[name][()]]

    root, features, statistics = file.attrs, file["features"], file["statistics"]
    axis = "coefficient" if "coefficient" in file else "frequency"
    f8, f4 = struct.Struct("<d").pack, struct.Struct("<f").pack
    i8, shape = struct.Struct("<q").pack, []
    if "patch_time" in file:
        shape += [i8(features.attrs["patch_length"]), i8(features.attrs["patch_hop"]), entries(column("patch_time"), f8)]
    if "channel" in file:
        shape.append(entries(column("channel"), i8))
    forms = {"ddof": i8, "epsilon": f8, "epsilon_in": text, "constant_mean": f8, "constant_std": f8}
    parts = [
        text(root["generator"]), text(root["layout"]), entries(features.shape, struct.Struct("<q").pack),
        text(features.attrs["units"]), text(features.attrs["long_name"]), f8(features.attrs["frame_period"]),
        f8(features.attrs["first_frame_time"]), text(axis), entries(column(axis), f4),
        entries(column("time") if "time" in file else [], f8), *shape, entries(column("labels"), text),
        struct.pack("<q", statistics.attrs["count"]),
        *(text(statistics.attrs[name]) for name in ("fit", "scope", "method", "axis", "source")),
        *(text(name) + form(statistics.attrs[name]) for name, form in forms.items() if name in statistics.attrs),
        *(entries(column(f"statistics/{name}"), f8) for name in ("mean", "std", "min", "max")),
        *(text(file[f"provenance/{name}"][()]) for name in ("configuration", "manifest_sha256", "software")),
        entries(sorted(name.encode() for name in file["clips/extra"]), text),
    ]
    if "frame_label_names" in file:
        parts += [entries(column("frame_label_names"), text), text(file["provenance/annotations_sha256"][()])]
    if "corrections_sha256" in file["provenance"]:
        parts += [text("corrections_sha256"), text(file["provenance/corrections_sha256"][()])]
    columns = [name for name in ("id", "path", "stage", "kind", "reason") if name in file["failures"]]
    for row in zip(*(column(f"failures/{name}") for name in columns)):
        parts += [text(cell) for cell in row]
    return xxhash.xxh3_128_hexdigest(b"".join(parts))


def record_checksums(file):
    """`/clips/record_xxh3` as the page on the format says it."""
    clips, scalar, f8 = file["clips"], struct.Struct("<q").pack, struct.Struct("<d").pack
    numbers = ["label_index", "sample_rate", "channels", "frame_start", "frame_count"]
    numbers += [name for name in ("channel", "truncated", "zeroed_samples") if name in clips]
    for row in range(len(clips["id"])):
        parts = [text(clips[name][row]) for name in ("id", "path", "label", "split")]
        parts += [scalar(int(clips[name][row])) for name in numbers]
        parts += [f8(clips[name][row]) for name in ("start", "duration")]
        parts += [text(clips[name][row]) for name in ("audio_xxh3", "tensor_xxh3", "frame_label_xxh3") if name in clips]
        if "label_matrix" in clips:
            parts.append(clips["label_matrix"][row].tobytes())
        if "statistics" in clips:
            parts += [clips[f"statistics/{name}"][row].astype("<f8").tobytes() for name in ("mean", "std", "min", "max")]
        for name in sorted(clips["extra"], key=str.encode):
            parts += [text(name), text(clips[f"extra/{name}"][row])]
        yield xxhash.xxh3_128_hexdigest(b"".join(parts))


def as_1_0(file):
    """The same file in format 1.0."""
    del file["failures/kind"]
    file.attrs["format_version"] = "1.0"
    file.attrs["metadata_xxh3"] = metadata_checksum(file)


def with_additions(file):
    """Adds datasets such as later versions may write."""
    file["clips/later_matrix"] = np.zeros((file["clips/id"].shape[0], 2), "u1")
    file["later_frames"] = np.full(file["features"].shape[0], -1, "i4")


VARIANTS = {"1.1": lambda file: None, "1.0": as_1_0, "1.1 with all": with_additions,
            "1.0 with all": lambda file: (as_1_0(file), with_additions(file))}


@pytest.fixture(scope="module")
def made(veery, tmp_path_factory):
    """A file with truncated clips' column, and failures of four kinds: two of them too short, of different lengths."""
    folder = tmp_path_factory.mktemp("format")
    write_wav(folder / "a.wav", 8000, tone(8000, 0.5, [440]))
    write_wav(folder / "b.wav", 8000, noise(1, 4000))
    write_wav(folder / "short.wav", 8000, noise(2, 10))
    write_wav(folder / "shorter.wav", 8000, noise(3, 7))
    (folder / "text.wav").write_text("no recording")
    names = ["a.wav", "short.wav", "gone.wav", "b.wav", "shorter.wav", "text.wav"]
    rows = [{"id": name[:-4], "path": name, "label": "x", "split": "train"} for name in names]
    rows += [{"id": "channel", "path": "a.wav", "channel": "3"}]
    write_manifest(folder / "m.csv", rows)
    veery(*extract(folder))
    return folder


def extract(folder, *options, output="f.h5"):
    return ["extract", folder / "m.csv", "-o", folder / output, "--max-failures", "100%", "--truncated", "keep",
            "--set", "transform.bins=12", *options]


@pytest.fixture(params=VARIANTS)
def variant(request, made):
    path = made / "variant.h5"
    path.write_bytes((made / "f.h5").read_bytes())
    with h5py.File(path, "a") as file:
        VARIANTS[request.param](file)
    yield request.param, path
    path.unlink()


@pytest.mark.parametrize("scope", ["none", "clip"])
@pytest.mark.parametrize("lenient", [False, True], ids=["strict", "lenient"])
def test_the_checksum_of_each_clip_is_what_the_page_says(veery, tmp_path, scope, lenient):
    for number in range(3):
        write_wav(tmp_path / f"{number}.wav", 8000, noise(number, 4000))
    write_manifest(tmp_path / "m.csv", [
        {"path": f"{number}.wav", "label": "öx"[number % 2], "split": "train", "start": number / 10, "end": 0.4,
         "zebra": f"z{number}", "Ärger": "", "alpha": "a b", **({"channel": 0} if lenient else {})}
        for number in range(3)])
    options = ["--truncated", "keep", "--non-finite", "zero"] if lenient else []
    veery("extract", tmp_path / "m.csv", "-o", tmp_path / "f.h5", "--set", "audio.sample_rate=8k", "--set",
          f"normalize.scope={scope}", *options)
    with h5py.File(tmp_path / "f.h5") as file:
        assert list(file["clips/record_xxh3"].asstr()[:]) == list(record_checksums(file))
        assert ("channel" in file["clips"]) == ("zeroed_samples" in file["clips"]) == lenient
        assert file["clips/start"].attrs["units"] == file["clips/duration"].attrs["units"] == "s"


def columns(path):
    """The names of all one-dimensional datasets of clips and failures."""
    names = []
    with h5py.File(path) as file:
        file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) and item.ndim == 1
                        and name.split("/")[0] in ("clips", "failures") else None)
    return names


@pytest.mark.long
def test_a_column_of_two_dimensions_is_damage_and_causes_no_crash(veery, made, tmp_path):
    for name in columns(made / "f.h5"):
        path = tmp_path / "f.h5"
        path.write_bytes((made / "f.h5").read_bytes())
        with h5py.File(path, "a") as file:
            values = file[name][()]
            del file[name]
            file[name] = np.repeat(values[:, None], 2, axis=1)
        for command in (["inspect", path], ["inspect", path, "--json"], ["inspect", path, "--verify"],
                        extract(made, output=path), [*extract(made, output=path), "--append"]):
            result = veery(*command, status=(0, 1, 2, 3))
            if "--verify" in command:
                said = result.stdout + result.stderr
                assert re.search(rf"/{re.escape(name)}( does not have one value for each row| has (the shape )?\[)", said), said


def test_the_checksum_is_what_the_page_says(made):
    with h5py.File(made / "f.h5") as file:
        assert file.attrs["format_version"] == "1.1" and file.attrs["metadata_xxh3"] == metadata_checksum(file)
        kinds = dict(zip(file["failures/id"].asstr()[:], file["failures/kind"].asstr()[:]))
    assert kinds == {"short": "too_short", "gone": "cannot_open", "shorter": "too_short", "text": "not_decodable",
                     "channel": "no_such_channel"}


def test_every_variant_is_read(veery, made, variant, tmp_path):
    name, path = variant
    assert "complete and consistent" in veery("inspect", path, "--verify").stdout
    report = json.loads(veery("inspect", path, "--json").stdout)
    assert report["format_version"] == name[:3] and (report["clips"], report["failures"]) == (2, 5)
    by_kind = [(group["stage"], group.get("kind"), group["clips"]) for group in report["failures_by_kind"]]
    groups = report["failures_by_reason"]
    short = next(group for group in groups if group["stage"] == "transform")
    assert short["clips"] == 2 and short["examples"] == ["short", "shorter"]
    assert "found 20:" in short["reason"] and "found 14 to 20:" in short["pattern"]
    if name.startswith("1.0"):
        assert by_kind == [("transform", None, 2), ("open", None, 2), ("condition", None, 1)]
        assert not any("kind" in group for group in groups)
    else:
        assert by_kind[0] == ("transform", "too_short", 2) and short["kind"] == "too_short"
        assert sorted(kind for _, kind, _ in by_kind) == ["cannot_open", "no_such_channel", "not_decodable", "too_short"]
    shown = veery("inspect", path).stdout
    assert "Failures (5)" in shown and "found 14 to 20" in shown and "No such file" in shown
    veery("inspect", path, "--html", tmp_path / "page.html")
    assert ("too_short" in (tmp_path / "page.html").read_text()) != name.startswith("1.0")
    veery("render", path, "--clip", "a", "-o", tmp_path / "a.png")


def test_every_variant_is_up_to_date_where_its_failures_are_the_same(veery, made, variant):
    _, path = variant
    before = path.read_bytes()
    assert "up to date" in veery(*extract(made, output=path.name)).stderr + veery(*extract(made, output=path.name)).stdout
    assert path.read_bytes() == before
    # A failure with other numbers is another.
    original = (made / "short.wav").read_bytes()
    try:
        write_wav(made / "short.wav", 8000, noise(2, 11))
        said = veery(*extract(made, output=path.name), status=1).stderr
        assert "the recording short.wav is not what it was made from" in said
    finally:
        (made / "short.wav").write_bytes(original)


def test_an_old_file_grows_into_one_with_kinds(veery, made, tmp_path):
    for name in ("a.wav", "b.wav", "short.wav", "text.wav"):
        (tmp_path / name).write_bytes((made / name).read_bytes())
    rows = [{"id": name, "path": name} for name in ("a.wav", "short.wav", "gone.wav", "b.wav")]
    write_manifest(tmp_path / "m.csv", rows[:3])
    veery(*extract(tmp_path))
    with h5py.File(tmp_path / "f.h5", "a") as file:
        as_1_0(file)
    write_manifest(tmp_path / "m.csv", rows)
    veery(*extract(tmp_path, "--append"))
    with h5py.File(tmp_path / "f.h5") as file:
        assert file.attrs["format_version"] == "1.1"
        assert file["clips/id"].asstr()[:].tolist() == ["a.wav", "b.wav"]
        assert file["failures/kind"].asstr()[:].tolist() == ["too_short", "cannot_open"]
    assert "complete and consistent" in veery("inspect", tmp_path / "f.h5", "--verify").stdout


@pytest.mark.parametrize("value", [b"", b"too_long", b"cannot_open"])
def test_a_changed_kind_is_found(veery, made, tmp_path, value):
    path = tmp_path / "f.h5"
    path.write_bytes((made / "f.h5").read_bytes())
    with h5py.File(path, "a") as file:
        file["failures/kind"][0] = value
    assert "metadata_xxh3" in veery("inspect", path, "--verify", status=(1, 2)).stdout


def test_a_kind_of_a_later_version_is_shown(veery, made, tmp_path):
    path = tmp_path / "f.h5"
    path.write_bytes((made / "f.h5").read_bytes())
    with h5py.File(path, "a") as file:
        file["failures/kind"][:] = b"of_a_later_version"
        file.attrs["metadata_xxh3"] = metadata_checksum(file)
    assert "complete and consistent" in veery("inspect", path, "--verify").stdout
    kinds = json.loads(veery("inspect", path, "--json").stdout)["failures_by_kind"]
    # A kind belongs to one stage, but a damaged file need not know that.
    assert {group["kind"] for group in kinds} == {"of_a_later_version"} and sum(group["clips"] for group in kinds) == 5
