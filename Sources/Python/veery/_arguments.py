"""Python's values as arguments of the command."""

from __future__ import annotations

import difflib
import inspect
import json
import math
import numbers
import os
import re
from typing import Any, Callable, Iterable, Mapping, Union

Path = Union[str, "os.PathLike[str]"]


def options(values: Mapping[str, Any]) -> list[str]:
    """Options by their names in Python: `max_failures` is `--max-failures`.

    True gives an option without a value; None and False give none; a list repeats the option, a mapping gives
    NAME=VALUE for each entry, and a pair (a, b) of numbers a:b.
    """
    arguments: list[str] = []
    for name, value in values.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(option)
        elif isinstance(value, Mapping):
            # One word, so that a value that starts with a hyphen is not mistaken for an option.
            arguments += [f"{option}={key}={word(entry)}" for key, entry in value.items()]
        elif isinstance(value, tuple) and len(value) == 2 and all(isinstance(end, numbers.Real) for end in value):
            arguments.append(f"{option}={word(value[0])}:{word(value[1])}")
        elif isinstance(value, Iterable) and not isinstance(value, (str, bytes, os.PathLike)):
            arguments += [f"{option}={word(entry)}" for entry in value]
        else:
            arguments.append(f"{option}={word(value)}")
    return arguments


def word(value: Any) -> str:
    """A value as a word of the command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    return os.fsdecode(value) if isinstance(value, (bytes, os.PathLike)) else str(value)


def positional(path: Path) -> str:
    """A path that is not mistaken for an option if it starts with a hyphen."""
    text = os.fspath(path)
    return os.path.join(".", text) if text.startswith("-") and text != "-" else text


def assignments(settings: Mapping[str, Any]) -> list[str]:
    """`--set` for each setting: {"frame.hop": 160} as well as {"frame": {"hop": 160}}."""
    arguments: list[str] = []
    for key, value in settings.items():
        if "." not in key and isinstance(value, Mapping):
            arguments += assignments({f"{key}.{name}": entry for name, entry in value.items()})
        else:
            arguments.append(f"--set={key}={yaml(value, key)}")
    return arguments


def yaml(value: Any, key: str) -> str:
    """A value in one line, as YAML and JSON write it: None is null, True is true, a string is quoted."""
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
    if isinstance(value, Mapping):
        entries = (f"{json.dumps(name)}: {yaml(entry, f'{key}.{name}')}" for name, entry in value.items())
        return "{" + ", ".join(entries) + "}"
    found = type(value).__name__
    raise TypeError(f"settings: {key}: expected a text, a number, a bool, None or a mapping, found {found}")


def with_keywords(text: str, function: Callable[..., Any]) -> str:
    """A message of the command in which options have the names of a function's keyword arguments.

    `--overwrite` is `overwrite=True`, `--truncated keep` is `truncated="keep"`, `--max-failures N` is `max_failures=N`.
    """
    parameters = inspect.signature(function).parameters

    def keyword(found: re.Match[str]) -> str:
        option, value = found["option"].replace("-", "_"), found["value"]
        name = {"set": "settings"}.get(option, option if option in parameters else f"{option}_")
        if name not in parameters:
            return found[0]
        if isinstance(parameters[name].default, bool):
            return f"{name}=True" + (f" {value}" if value else "")
        if value in ("keep", "zero"):
            return f'{name}="{value}"'
        return f"{name}={value}" if value else name

    return re.sub(r"(?<![\w-])--(?P<option>[a-z]+(?:-[a-z]+)*)(?: (?P<value>[A-Z]{2,}\b|N\b|keep\b|zero\b))?", keyword, text)


def refuse_unknown(function: str, known: Iterable[str], unknown: Iterable[str]) -> None:
    """Raises a TypeError for unknown keyword arguments; it suggests the nearest known one."""
    for name in unknown:
        near = difflib.get_close_matches(name, list(known), 1)
        hint = f". Did you mean {near[0]!r}?" if near else ""
        raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")
