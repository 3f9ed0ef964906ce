"""Python's values as arguments of the command."""

from __future__ import annotations

import difflib
import functools
import inspect
import json
import math
import numbers
import os
import re
from collections import abc
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional, Union, get_args, get_origin, get_type_hints

import numpy as np

from ._errors import described, flag, of_numpy

Path = Union[str, os.PathLike[str]]


def options(values: Mapping[str, Any], function: Callable[..., Any]) -> list[str]:
    """Options by their names in Python: `max_failures` is `--max-failures`.

    The parameters of the function say what an option takes: a flag is True or False; a mapping gives NAME=VALUE for each
    entry, a list repeats the option, and a pair (a, b) of numbers is a:b. None gives no option. What the command can
    judge, such as the text of a number, is left to it.
    """
    arguments: list[str] = []
    known = kinds(function)
    for name, value in values.items():
        option, allowed = "--" + name.rstrip("_").replace("_", "-"), known[name]
        if value is None:
            continue
        if bool in allowed:
            arguments += [option] if flag(name, value) else []
        elif abc.Mapping in allowed and not (str in allowed and isinstance(value, (str, os.PathLike))):
            # One word, so that a value that starts with a hyphen is not mistaken for an option.
            arguments += [f"{option}={word(key, name)}={word(entry, name)}" for key, entry in mapping(value, name).items()]
        elif tuple in allowed:
            arguments.append(f"{option}={pair(value, name)}")
        elif abc.Iterable in allowed and is_several(value):
            one = path_of if os.PathLike in allowed else word
            arguments += [f"{option}={one(entry, name)}" for entry in value]
        elif os.PathLike in allowed:
            arguments.append(f"{option}={path_of(value, name)}")
        else:
            arguments.append(f"{option}={word(value, name, expected(allowed))}")
    return arguments


@functools.lru_cache(maxsize=None)
def kinds(function: Callable[..., Any]) -> dict[str, frozenset[Any]]:
    """The types that each parameter of a function takes, by its annotation; of `list[str]`, `list`."""
    def types(hint: Any) -> Iterator[Any]:
        if get_origin(hint) is Union:
            for part in get_args(hint):
                yield from types(part)
        else:
            yield get_origin(hint) or hint

    return {name: frozenset(types(hint)) for name, hint in get_type_hints(function).items()}


def expected(allowed: frozenset[Any]) -> str:
    """What an option with one value takes, in words."""
    words = ((int, "a whole number"), (float, "a number"), (str, "a text"))
    return " or ".join(text for kind, text in words if kind in allowed)


def is_several(value: Any) -> bool:
    """Whether a value is a collection of values, and not one text or path."""
    return isinstance(value, abc.Iterable) and not isinstance(value, (str, bytes, os.PathLike, abc.Mapping))


def word(value: Any, name: str, wanted: str = "a text or a number") -> str:
    """A value as a word of the command line."""
    if isinstance(value, np.generic):
        value = of_numpy(value)
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return str(int(value))
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        return repr(float(value))
    if isinstance(value, (str, bytes, os.PathLike)):
        return passed(os.fsdecode(value), name)
    raise TypeError(f"{name}: expected {wanted}, found {described(value)}")


def passed(text: str, name: str) -> str:
    """A text that the system can pass to a program, or look up as a path."""
    if "\0" in text:
        raise ValueError(f"{name}: {described(text)} holds a NUL character")
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        raise ValueError(f"{name}: {described(text)} holds half a surrogate pair, which is no Unicode text") from None
    return text


def path_of(value: Any, name: str) -> str:
    """A path as a text."""
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise TypeError(f"{name}: expected a path, found {described(value)}")
    text = os.fsdecode(value)
    if not text:
        raise ValueError(f"{name}: expected a path, found an empty text")
    return passed(text, name)


def positional(path: Any, name: str) -> str:
    """A path that is not mistaken for an option if it starts with a hyphen."""
    text = path_of(path, name)
    return os.path.join(".", text) if text.startswith("-") and text != "-" else text


def positionals(paths: Any, name: str) -> list[str]:
    """One path, or several; not the lines of an open file."""
    if not is_several(paths) or hasattr(paths, "read"):
        return [positional(paths, name)]
    return [positional(path, name) for path in paths]


def pair(value: Any, name: str) -> str:
    """Two numbers as a range."""
    ends = list(value) if is_several(value) else []
    if len(ends) != 2 or not all(isinstance(end, numbers.Real) and not isinstance(end, bool) for end in ends):
        raise TypeError(f"{name}: expected a pair of numbers, found {described(value)}")
    return ":".join(word(end, name) for end in ends)


EXAMPLES = {
    "column": '{"label": "species"}', "list": '{"test": "test.txt"}', "ratio": '{"train": 0.8, "test": 0.2}',
    "settings": '{"frame.hop": 160}', "configuration": '{"frame": {"hop": 160}}'}


def mapping(value: Any, name: str) -> Mapping[Any, Any]:
    """A value that has to be a mapping; the error shows what a text such as "frame.hop=160" is as one."""
    if isinstance(value, abc.Mapping):
        return value
    first = next(iter(value), None) if isinstance(value, (list, tuple)) else value
    example = EXAMPLES[name]
    if isinstance(first, str) and (parts := re.fullmatch(r"([\w.]+)=([^=]+)", first)):
        try:
            entry = json.loads(parts[2])
        except ValueError:
            entry = parts[2]
        example = json.dumps({parts[1]: entry}, ensure_ascii=False)
    raise TypeError(f"{name}: expected a mapping such as {example}, found {described(value)}")


def assignments(settings: Optional[Mapping[str, Any]]) -> list[str]:
    """`--set` for each setting: {"frame.hop": 160} as well as {"frame": {"hop": 160}}."""
    arguments: list[str] = []
    for key, value in mapping({} if settings is None else settings, "settings").items():
        if not isinstance(key, str):
            raise TypeError(f"settings: expected texts as keys, found {described(key)}")
        if "." not in key and isinstance(value, abc.Mapping):
            arguments += assignments({f"{key}.{name}": entry for name, entry in value.items()})
        else:
            arguments.append(passed(f"--set={key}={yaml(value, key)}", "settings"))
    return arguments


def yaml(value: Any, key: str) -> str:
    """A value in one line, as YAML and JSON write it: None is null, True is true, a string is quoted."""
    if isinstance(value, np.generic):
        value = of_numpy(value)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        # A plain word needs no quotes, unless YAML reads it as something else.
        plain = re.fullmatch("[A-Za-z][A-Za-z0-9_-]*", value) and value.lower() not in (
            "true", "false", "yes", "no", "on", "off", "null", "y", "n")
        return value if plain else json.dumps(value, ensure_ascii=False)
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        if not math.isfinite(value):
            raise ValueError(f"settings: {key}: expected a finite number, found {value}")
        text = repr(float(value))
        return text if "." in text or "e" not in text else text.replace("e", ".0e")  # 1e-10 is a text in YAML 1.1
    if isinstance(value, abc.Mapping):
        entries = (f"{json.dumps(str(name))}: {yaml(entry, f'{key}.{name}')}" for name, entry in value.items())
        return "{" + ", ".join(entries) + "}"
    is_list = key in ("normalize.mean", "normalize.std") and isinstance(value, (list, tuple, np.ndarray))
    if is_list and np.ndim(value) == 1 and len(value):
        return "[" + ", ".join(yaml(entry, key) for entry in np.asarray(value).tolist()) + "]"
    raise TypeError(
        f"settings: {key}: expected a text, a number, True, False, None or a mapping, found {described(value)}")


def json_of(configuration: Mapping[str, Any], name: str) -> str:
    """A configuration as JSON."""
    try:
        return json.dumps(configuration, default=_plain, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None


def _plain(value: Any) -> Any:
    """A value that JSON has: of a number of NumPy, of a mapping."""
    if isinstance(value, np.generic):
        return of_numpy(value)
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, abc.Mapping):
        return dict(value)
    raise TypeError(f"expected texts, numbers, True, False, None and mappings, found {described(value)}")


def with_keywords(text: str, function: Callable[..., Any]) -> str:
    """A message of the command in which options have the names of a function's keyword arguments.

    `--overwrite` is `overwrite=True`, `--truncated keep` is `truncated="keep"`, `--max-failures N` is `max_failures=N`,
    `--set frame.hop=160` is `settings={"frame.hop": 160}`.
    """
    parameters = inspect.signature(function).parameters

    def keyword(found: re.Match[str]) -> str:
        if found["key"]:
            return f'settings={{"{found["key"]}": {literal(found["setting"])}}}' if "settings" in parameters else found[0]
        option, value = found["option"].replace("-", "_"), found["value"]
        name = {"set": "settings"}.get(option, option if option in parameters else f"{option}_")
        if name not in parameters:
            return found[0]
        if isinstance(parameters[name].default, bool):
            return f"{name}=True" + (f" {value}" if value else "")
        if value in ("keep", "zero"):
            return f'{name}="{value}"'
        return f"{name}={value}" if value else name

    return re.sub(
        r"(?<![\w-])--(?:set (?P<quote>')?(?P<key>\w+(?:\.\w+)*)=(?P<setting>(?(quote)[^'=]*|[\w.-]*\w))(?(quote)')"
        r"|(?P<option>[a-z]+(?:-[a-z]+)*)(?: (?P<value>[A-Z]{2,}\b|N\b|keep\b|zero\b))?)", keyword, text)


def literal(value: str) -> str:
    """The value of a setting as Python writes it: a number, None, True, False, or a text; a word such as SECONDS, which is to be
    replaced, as it is."""
    words = {"null": "None", "true": "True", "false": "False"}
    if value in words or re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?|[A-Z]{2,}|N", value):
        return words.get(value, value)
    return value if value.startswith('"') else f'"{value}"'


RATE_NAMES = ("sr", "rate", "fs", "samplerate", "sampling_rate", "orig_sr", "target_sr")
"""What other packages call `sample_rate`."""


def refuse_unknown(function: str, known: Iterable[str], unknown: Iterable[str]) -> None:
    """Raises a TypeError for unknown keyword arguments; it suggests the nearest known one."""
    for name in unknown:
        names = list(known)
        is_rate = name in (*RATE_NAMES, "sample_rate")
        near = ["sample_rate"] if is_rate and "sample_rate" in names else difflib.get_close_matches(name, names, 1)
        hint = f". Did you mean {near[0]!r}?" if near else ""
        if is_rate and "sample_rate" not in names and "settings" in names:
            hint = '. Give the rate of the features as settings={"audio.sample_rate": …}'
        elif name == "overwrite" and function == "render":
            hint = f": {function} replaces an output that is there"
        raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")
