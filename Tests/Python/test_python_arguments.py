"""Rows of manifests and arguments of wrong kinds: understood, or named with what was found and what to pass."""

import collections
import datetime
import decimal
import enum
import inspect
import json
import subprocess
import traceback
import uuid
from pathlib import Path
from typing import get_type_hints

import numpy as np
import pytest

import veery as package
from conftest import noise, write_manifest, write_wav
from veery import _arguments, _rows

pytestmark = pytest.mark.filterwarnings("ignore::veery.CommandWarning")


@pytest.fixture(scope="module")
def folder(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("arguments")
    for number in range(3):
        write_wav(folder / f"{number}.wav", 16000, 0.1 * noise(number, 8000))
    rows = [{"path": f"{number}.wav", "label": "ab"[number % 2], "split": "train"} for number in range(3)]
    package.extract(write_manifest(folder / "m.csv", rows), folder / "f.h5", settings={"normalize.scope": "none"})
    return folder


def stored(folder, output, manifest, **options):
    package.extract(manifest, output, root=folder, overwrite=True, settings={"normalize.scope": "none"}, **options)
    return package.open(output)


# --------------------------------------------------------------------------------------------------------------- rows


class Species(enum.Enum):
    WREN = "wren"


class Grade(str, enum.Enum):
    GOOD = "good"


UNDERSTOOD = [
    ("x", float("inf"), "inf"), ("x", float("-inf"), "-inf"), ("x", np.float32("inf"), "inf"), ("x", float("nan"), ""),
    ("x", None, ""), ("x", b"abc", "abc"), ("x", bytearray("é".encode()), "é"), ("x", np.bytes_(b"abc"), "abc"),
    ("x", np.int32(3), "3"), ("x", np.longdouble("1.5"), "1.5"), ("x", np.array(np.longdouble("1.5")), "1.5"),
    ("x", np.ma.masked, ""), ("x", np.ma.array([1, 2], mask=[0, 1]), "[1,null]"), ("x", range(3), "[0,1,2]"), ("x", np.bool_(True), "true"), ("x", np.array(2.5), "2.5"), ("x", 1 << 70, str(1 << 70)),
    ("x", {"b": 1, "a": [None, float("inf"), b"c"]}, '{"a":[null,"inf","c"],"b":1}'), ("x", {}, "{}"),
    ("x", [1, [2.5, "c"]], '[1,[2.5,"c"]]'), ("x", np.array(["a", "b"], object), '["a","b"]'), ("x", (), "[]"),
    ("x", np.arange(4).reshape(2, 2), "[[0,1],[2,3]]"), ("x", {"b", "a"}, '["a","b"]'),
    ("x", "\u2028 \U0001f600", "\u2028 \U0001f600"),
    ("x", decimal.Decimal("1.50"), "1.50"), ("x", decimal.Decimal("NaN"), ""), ("x", Path("a/b"), "a/b"),
    ("x", datetime.date(2024, 2, 29), "2024-02-29"), ("x", np.datetime64("2024-02-29"), "2024-02-29"),
    ("x", np.datetime64("NaT", "s"), ""), ("x", datetime.timedelta(seconds=90), "0:01:30"), ("x", Species.WREN, "wren"),
    ("x", Grade.GOOD, "good"), ("x", uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"), ("x", "a\\u0000b", "a\\u0000b"),
]


def test_cells_that_are_understood(folder, tmp_path):
    rows = [{"path": "0.wav", "id": str(number), name: value} for number, (name, value, _) in enumerate(UNDERSTOOD)]
    file = stored(folder, tmp_path / "f.h5", rows)
    assert [clip.extra["x"] for clip in file] == [text for _, _, text in UNDERSTOOD]
    rows = [
        {"path": b"0.wav", "id": "bytes", "labels": np.array(["a", "b"], object), "start": datetime.timedelta(milliseconds=100),
         "end": np.timedelta64(400, "ms")},
        {"path": Path("1.wav"), "id": Grade.GOOD, "labels": {"b", "a|c"}, "start": decimal.Decimal("0.125"), "end": None},
        {"path": "2.wav", "id": 7, "labels": [b"a"], 5: "five", np.int64(6): "six"}]
    file = stored(folder, tmp_path / "f.h5", iter(rows))
    assert list(file.ids) == ["bytes", "good", "7"] and [clip.start for clip in file] == [0.1, 0.125, 0]
    assert [clip.labels for clip in file] == [["a", "b"], ["a|c", "b"], ["a"]] and file[0].duration == pytest.approx(0.3)
    assert (file[2].extra["5"], file[2].extra["6"]) == ("five", "six")


INFINITE = "expected a finite number, found inf"
REFUSED = [
    ("end", float("inf"), ValueError, f"{INFINITE}; leave it out for a clip that lasts to the end"),
    ("start", float("-inf"), ValueError, "expected a finite number, found -inf"),
    ("channel", np.inf, ValueError, INFINITE),
    ("x", b"\xff\xfe", ValueError, "expected a text, found 2 bytes that are not UTF-8; decode them"),
    ("x", "a\ud800", ValueError, r"the text 'a\\ud800' is no Unicode text"),
    ("x", {"a": ["\udcff"]}, ValueError, r"'\\udcff' is no"),
    ("path", b"\xff.wav", ValueError, "is no Unicode text: it is the name of a file that is not UTF-8"),
    ("x\udcff", 1, ValueError, r"the text 'x\\udcff' is no Unicode text"),
    ("x", "a\0b", ValueError, "it holds a NUL character"),
    ("x", {"a": "\0"}, ValueError, "it holds a NUL character"),
    ("label", {"a": 1}, TypeError, "expected a text or a number, found a dict; take one of its values"),
    ("labels", {"a": 1}, TypeError, "expected a text or a number, found a dict"),
    ("label", ["a", "b"], TypeError, "found a list of 2; take one of its values, or put all into the column 'labels'"),
    ("path", np.array(["a"]), TypeError, "expected a text or a number, found a list of 1"),
    ("start", np.datetime64("2020"), TypeError, "expected a number of seconds, found a datetime64 object; count from the start"),
    ("end", datetime.datetime(2020, 1, 1), TypeError, "expected a number of seconds, found a datetime object"),
    ("x", {1: 2, "1": 3}, ValueError, "two keys of a dict have the name '1'"),
    ("start", (1, 2), TypeError, "a list of|tuple of 2"),
    ("x", object(), TypeError, "expected a text, a number, .* found an object object"),
    ("x", iter([]), TypeError, "a list_iterator"),
    ("x", print, TypeError, "found a builtin_function"), ("x", int, TypeError, "found a type object"),
    ("x", [object()], TypeError, "found an object object"),
]


@pytest.mark.parametrize("column, value, error, text", REFUSED, ids=[f"{row[0]!a} {row[1]!a:.20}" for row in REFUSED])
def test_cells_that_are_refused_are_named(tmp_path, column, value, error, text):
    rows = [{"path": "0.wav"}, {"path": "1.wav", column: value}]
    beginning = f"^manifest: row 2, column {column!r}: "
    for call in (lambda: package.extract(rows, tmp_path / "g.h5"), lambda: package.check(rows),
                 lambda: package.split(rows, ratio={"a": 1})):
        with pytest.raises(error, match=text) as found:
            call()
        assert str(found.value).startswith(beginning[1:])
    assert not (tmp_path / "g.h5").exists()


def test_rows_of_another_kind_are_errors(tmp_path):
    mapping = r'expected a mapping such as \{"path": "a.wav"\}, found '
    single = "expected rows, a mapping for every clip, found a single mapping"
    for manifest, error, text in [
        (["a.wav"], TypeError, rf"row 1: {mapping}the text 'a.wav'. For recordings, pass \[{{\"path\": path}} for path in paths"),
        ([Path("a.wav")], TypeError, rf"row 1: {mapping}the path 'a.wav'. For recordings"),
        ([{"path": "a.wav"}, 5], TypeError, rf"row 2: {mapping}5$"), ([["a.wav"]], TypeError, rf"row 1: {mapping}a list of 1$"),
        (np.array([[1.0]]), TypeError, rf"row 1: {mapping}a"),
        ({"path": "a.wav"}, TypeError, single),
        ({"path": ["a.wav"], "label": "a"}, TypeError, "column 'label': expected a list of values, as of the other columns"),
        (5, TypeError, "expected a path, or rows, a mapping for every clip, found 5"),
        (None, TypeError, "expected a path, or rows, .*, found None"),
        ((row for row in ()), ValueError, "expected rows, a mapping for every clip, found none"),
        ([{"path": "a.wav", ("a", "b"): 1}], TypeError, "row 1: expected texts as names of columns, found a tuple of 2"),
        ([{"path": "a.wav", 1: 1, "1": 2}], ValueError, "row 1: two columns have the name '1'"),
        ("", ValueError, "expected a path, found an empty text"), ("a\0b", ValueError, "the text .* holds a NUL character"),
    ]:
        with pytest.raises(error, match=f"^manifest: {text}"):
            package.extract(manifest, tmp_path / "g.h5")


def test_tables_of_pandas_are_read(folder, tmp_path):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({
        "path": ["0.wav", "1.wav"], "labels": [np.array(["a", "b"], object), ["c"]], "count": pandas.array([1, None], "Int64"),
        "day": pandas.to_datetime(["2024-02-29", None]), "end": pandas.to_timedelta([0.25, 0.3], "s"),
        "flag": pandas.array([True, None], "boolean"), "kind": pandas.Categorical(["x", None]), 0: [1.5, float("nan")]})
    file = stored(folder, tmp_path / "f.h5", table)
    assert [clip.labels for clip in file] == [["a", "b"], ["c"]] and file[0].duration == pytest.approx(0.25)
    names = ("count", "day", "flag", "kind", "0")
    assert [file[0].extra[name] for name in names] == ["1", "2024-02-29 00:00:00", "true", "x", "1.5"]
    assert {file[1].extra[name] for name in names} == {""}
    twice = pandas.concat([table["path"], table["path"]], axis=1)
    with pytest.raises(ValueError, match="^manifest: two columns of the table have the name 'path'; rename one"):
        package.extract(twice, tmp_path / "g.h5")
    with pytest.raises(TypeError, match=r"^manifest: row 1: expected a mapping .*, found the text '0.wav'"):
        package.extract(table["path"], tmp_path / "g.h5")


def test_tables_of_arrow_and_polars_are_read():
    """With stand-ins that have the methods of those tables; Tests/Wheel reads real ones from Parquet."""
    rows = [{"path": "0.wav", "labels": ["a", "b"]}]
    arrow = type("Table", (), {"to_pylist": lambda self: rows})()
    polars = type("DataFrame", (), {"to_dicts": lambda self: rows, "columns": ["path"], "to_dict": None})()
    for table in (arrow, polars):
        with _rows.rows_as_file(table) as (file, _):
            assert file.read() == b'{"path": "0.wav", "labels": ["a", "b"]}\n'


# ---------------------------------------------------------------------------------------------------------- arguments


@pytest.mark.parametrize("settings, text", [
    ("a=b", r'expected a mapping such as \{"a": "b"\}, found the text \'a=b\''),
    ("frame.hop=160", r'such as \{"frame.hop": 160\}, found'),
    (["frame.hop=160"], r'such as \{"frame.hop": 160\}, found a list of 1'),
    ("frame", r'such as \{"frame.hop": 160\}, found the text'), (5, "found 5"), (["a"], "found a list of 1"),
    ([("frame.hop", 160)], "found a list of 1"), (Path("a.yaml"), "found the path 'a.yaml'"), ("", "found the text ''"),
    ({5: 1}, "expected texts as keys, found 5"), ({"frame.hop": [1]}, "frame.hop: expected a text, a number, .*, found a list"),
    ({"frame.hop": b"1"}, "frame.hop: expected a text"), ({"frame": {"hop": object()}}, "frame.hop: expected a text"),
])
def test_settings_of_another_kind_are_errors(folder, tmp_path, settings, text):
    for call in (lambda: package.extract(folder / "m.csv", tmp_path / "f.h5", settings=settings),
                 lambda: package.render(folder / "0.wav", tmp_path / "a.png", settings=settings)):
        with pytest.raises(TypeError, match=f"^settings: .*{text}"):
            call()


def test_settings_may_be_numbers_of_numpy(folder, tmp_path):
    settings = {"transform.bins": np.int16(20), "normalize.scope": np.str_("none"), "frame.remove_dc": np.bool_(True),
                "scale.floor": np.longdouble(0.5)}
    package.extract(folder / "m.csv", tmp_path / "f.h5", settings=settings)
    configuration = package.open(tmp_path / "f.h5").configuration
    keys = (("transform", "bins"), ("frame", "remove_dc"), ("scale", "floor"))
    assert [configuration[section][key] for section, key in keys] == [20, True, 0.5]


def test_a_configuration_of_another_kind_is_an_error(folder, tmp_path):
    for config, error, text in [
        (5, TypeError, "expected a path, found 5"), (["a.yaml"], TypeError, "expected a path, found a list of 1"),
        ({"frame": {"hop": object()}}, TypeError, "expected texts, numbers, True, False, None and mappings, found an object"),
        ({"scale": {"floor": float("nan")}}, ValueError, ""),
    ]:
        with pytest.raises(error, match=f"^config: {text}"):
            package.extract(folder / "m.csv", tmp_path / "f.h5", config=config)
    config = {"transform": {"bins": np.int64(20)}, "scale": {"floor": np.longdouble(0.5)}, "normalize": {"scope": "none"}}
    package.extract(folder / "m.csv", tmp_path / "f.h5", config=config)
    assert package.open(tmp_path / "f.h5").bins == 20


# Options of commands that their functions do not have, and parameters that are not options, each with the reason.
JSON, QUIET = "the function always gives it, and returns what it prints", "nothing is printed; remarks become warnings"
ROWS, ARRAY = "the function returns rows, and writes no manifest", "the function returns an array, and writes no file"
LEFT_OUT = {
    "extract": {"json": JSON, "quiet": QUIET, "set": "settings"}, "inspect": {"json": JSON}, "check": {"json": JSON},
    "render": {"json": "the function returns what is printed as it is", "set": "settings"},
    "crawl": {"json": ROWS, "quiet": QUIET, "output": ROWS, "output-format": ROWS, "format": ROWS, "overwrite": ROWS},
    "split": {"json": ROWS, "quiet": QUIET, "output": ROWS, "output-format": ROWS, "overwrite": ROWS},
    "browse": {"no-open": "open"},
    "load": {"quiet": QUIET, "output": ARRAY, "overwrite": ARRAY, "audio-xxh3": "clip.samples() gives it"},
}
COMMANDS = {"load": "decode"}
ADDED = {
    "extract": {"manifest": "positional", "settings": "set"}, "inspect": {"path": "positional"}, "check": {"manifest": "positional"},
    "render": {"inputs": "positional", "settings": "set"}, "crawl": {"folders": "positional"}, "split": {"manifest": "positional"},
    "load": {"path": "positional"},
    "browse": {"path": "positional", "open": "no-open", "timeout": "of the start; a terminal has Ctrl-C"},
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_annotations_can_be_evaluated(name):
    """By tools that know nothing of the modules they are in."""
    assert get_type_hints(getattr(package, name))["return"]


@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_function_has_the_options_of_its_command(program, name):
    shown = subprocess.run([program, COMMANDS.get(name, name), "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout
    names = {name["name"] for argument in json.loads(shown)["command"]["arguments"]
             if argument["shouldDisplay"] for name in argument.get("names", [])
             if name["kind"] == "long"} - {"help", "version"}
    parameters = {parameter.rstrip("_").replace("_", "-") for parameter in inspect.signature(getattr(package, name)).parameters}
    # What is caught to be named.
    parameters -= {"unknown"}
    assert names - parameters == set(LEFT_OUT[name]), "give the function a parameter, or LEFT_OUT a reason"
    assert parameters - names == set(ADDED[name]), "the command has no such option"
    # The docstring names every option, or says which of the command's it has not.
    text = getattr(package, name).__doc__
    if "--help`" in text:
        unnamed = {option for option in LEFT_OUT[name] if option not in ADDED[name].values() and f"`--{option}`" not in text}
    else:
        unnamed = {option for option in parameters if option.replace("-", "_") not in text}
    assert not unnamed, "name it in the docstring"


def test_options_of_another_kind_are_errors(folder, tmp_path):
    call = {
        "extract": lambda **options: package.extract(folder / "m.csv", tmp_path / "f.h5", **options),
        "render": lambda **options: package.render(folder / "0.wav", tmp_path / "a.png", **options),
        "split": lambda **options: package.split(folder / "m.csv", **{"ratio": {"a": 1}, **options}),
        "crawl": lambda **options: package.crawl(folder, **options),
        "inspect": lambda **options: package.inspect(folder / "f.h5", **options)}
    for function, options, text in [
        ("extract", {"overwrite": "yes"}, "expected True or False, found the text 'yes'"),
        ("extract", {"overwrite": 2}, "expected True or False, found 2"),
        ("extract", {"jobs": [2]}, "expected a whole number, found a list of 1"),
        ("extract", {"jobs": True}, "expected a whole number, found True"),
        ("extract", {"preset": ["a"]}, "expected a path, found a list of 1"),
        ("extract", {"max_failures": {}}, "expected a whole number or a text, found a dict"),
        ("extract", {"column": "label"}, r'expected a mapping such as \{"label": "species"\}, found the text'),
        ("extract", {"column": "label=x"}, r'expected a mapping such as \{"label": "x"\}, found the text'),
        ("extract", {"root": 5}, "expected a path, found 5"),
        ("extract", {"frame_labels": {"a": 1}}, "expected a path, found a dict"),
        ("extract", {"frame_labels": [5]}, "expected a path, found 5"),
        ("extract", {"shard": object()}, "expected a text, found an object"),
        ("extract", {"progress": "yes"}, "expected True, or a function that takes an event, found the text 'yes'"),
        ("render", {"range": 3}, "expected a pair of numbers, found 3"),
        ("render", {"range": (1, 2, 3)}, "expected a pair of numbers, found a tuple of 3"),
        ("render", {"percentiles": "1:2"}, "expected a pair of numbers, found the text"),
        ("render", {"width": (1, 2)}, "expected a whole number, found a tuple of 2"),
        ("split", {"ratio": [0.8, 0.2]}, r'expected a mapping such as \{"train": 0.8, "test": 0.2\}, found a list of 2'),
        ("split", {"list": "test.txt"}, r'expected a mapping such as \{"test": "test.txt"\}, found the text'),
        ("crawl", {"label_level": object()}, "expected a whole number"), ("inspect", {"verify": "x"}, "expected True or False"),
    ]:
        [name] = options
        with pytest.raises(TypeError, match=f"^{name}: {text}"):
            call[function](**options)
    for function, options in [("extract", {"shard": "a\0"}), ("extract", {"preset": "\ud800"}), ("split", {"by": "a\0"}),
                              ("crawl", {"include": ["\ud800"]})]:
        [name] = options
        with pytest.raises(ValueError, match=f"^{name}: the text .* holds (a NUL character|half a surrogate pair)"):
            call[function](**options)
    options = {"range": np.array([1, 2.5]), "percentiles": (1, 2), "sheet": np.bool_(True), "plain": 0, "clip": np.array(["a"])}
    assert _arguments.options(options, package.render) == ["--range=1.0:2.5", "--percentiles=1:2", "--sheet", "--clip=a"]


class Thing:
    """A value of a kind that no argument takes."""


def kinds():
    yield from (None, 5, 2.5, float("nan"), True, "zzz", "", "a\0b", "\ud800", b"zzz", Path("zzz"), ["zzz"], [1], [], {1},
                {"zzz": 1}, {5: Thing()}, Thing(), int, np.zeros((2, 2)), np.array([0.5, 1]), -7, [[1, [2]], 3])
    yield (Thing() for _ in range(2))


def every_argument(folder):
    """Calls of everything that reads or computes in this process, each with a value for one argument."""
    file = package.open(folder / "f.h5")
    plan = package.FeaturePlan("whisper")
    calls = collections.ChainMap({
        "key": lambda value: file[value], "name": lambda value: file.column(value), "channel": lambda value: file.plan(value),
        "split": lambda value: file.select(split=value), "label": lambda value: file.select(label=value),
        "path": package.open, "configuration": package.FeaturePlan, "plan": package.FeatureStream,
        "samples": lambda value: (plan.features(value), plan.stream().push(value), plan.frame_count(value)),
        "frames": lambda value: plan.times(value), "out": lambda value: plan.features(np.zeros(9, np.float32), out=value),
        "position": lambda value: file._index(value), "index": lambda value: file.statistics.channel(value)})
    for name in ("settings", "statistics", "sample_rate", "normalize"):
        calls[name] = lambda value, name=name: package.FeaturePlan(**{name: value})
    for function in (package.batches, package.steps):
        for name in inspect.signature(function).parameters:
            calls[f"{function.__name__} {name}"] = lambda value, name=name, function=function: function(
                **{**({"source": file} if name != "source" else {}), name: value})
    return calls


def test_no_argument_of_another_kind_fails_inside_another_library(folder, library):
    """Whatever is passed, the error is one of this package: a kind of value, a value, or a name that is not there."""
    tried = 0
    for name, call in every_argument(folder).items():
        for value in kinds():
            try:
                found = call(value)
                if inspect.isgenerator(found):
                    next(found, None)
            except (TypeError, ValueError, LookupError, OSError, package.CommandError) as error:
                frame = traceback.extract_tb(error.__traceback__)[-1]
                assert Path(frame.filename).parent == Path(package.__file__).parent, (name, value, error)
                for sign in ("object is not iterable", "not supported between", "has no attribute", "truth value", "unhashable"):
                    assert sign not in str(error), (name, value, error)
            tried += 1
    assert tried > 600


def test_paths_may_be_bytes(folder, tmp_path):
    path = str(folder / "f.h5").encode()
    assert len(package.open(path)) == len(next(package.batches(path, 3))[1]) == 3 and package.inspect(path)["clips"] == 3
    package.extract(str(folder / "m.csv").encode(), str(tmp_path / "b.h5").encode(), settings={"normalize.scope": "none"})
    assert (tmp_path / "b.h5").exists()
