"""From JSON to the dataclasses of `model`, led by their annotations.

Fields that this version does not know are left out: a report may get more of them without a new
version of its schema.
"""

import dataclasses
import typing
from typing import Any, Type, TypeVar

from . import model

Record = TypeVar("Record")
_hints: "dict[type, dict[str, Any]]" = {}


def record(kind: Type[Record], data: "dict[str, Any]") -> Record:
    """A dataclass of `model`. Raises `ValueError` if a field that it needs is not there."""
    if kind not in _hints:
        _hints[kind] = typing.get_type_hints(kind, vars(model))
    known = {name: hint for name, hint in _hints[kind].items() if name in data}
    fields = {name: _value(hint, data[name], name) for name, hint in known.items()}
    try:
        return kind(**fields)
    except TypeError as error:
        raise ValueError(f"no {kind.__name__}: {error}") from None


def _value(hint: Any, data: Any, name: str) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Union:
        if data is None and type(None) in arguments:
            return None
        [inner, *others] = [one for one in arguments if one is not type(None)]
        # Unions of several types are words only.
        return data if others else _value(inner, data, name)
    if origin is typing.Literal:
        # A newer respin may have words that this package does not know.
        return data
    if origin is list and isinstance(data, list):
        return [_value(arguments[0], one, name) for one in data]
    if origin is tuple and isinstance(data, list) and len(data) == len(arguments):
        return tuple(_value(hint, one, name) for hint, one in zip(arguments, data))
    if dataclasses.is_dataclass(hint) and isinstance(hint, type) and isinstance(data, dict):
        return record(hint, data)
    if hint is float and type(data) is int:
        return float(data)
    if isinstance(hint, type) and type(data) is hint:
        return data
    raise ValueError(f"`{name}` is no {hint}: {data!r}")
