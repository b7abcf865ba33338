# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of the engine for another process of ours: JSON and arrays, read back by their types.

A dataclass is the list of its fields in order, an array a number: its place in the list of arrays
that travels beside the JSON, because numbers as text would take the window's time. What is read is
checked against the annotations, so that half an answer is an error and not a half-empty page.
No Qt.
"""

import json
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from destutter.core.statement import Statement, plain_statement, read_statement

Array = NDArray[np.float64]
T = TypeVar("T")

_SCALARS = (bool, int, float, str)


class NotAPlainValue(Exception):
    """This is not a value of the type that was asked for."""


def pack(value: object) -> tuple[str, list[Array]]:
    """A value as one line of JSON and the arrays of float64 that it refers to.

    Raises ``TypeError`` for what is neither a dataclass nor one of the plain types.
    """
    arrays: list[Array] = []
    return json.dumps(_plain(value, arrays), separators=(",", ":")), arrays


def unpack(kind: type[T], line: str | bytes, arrays: list[Array]) -> T:
    """The value that ``pack`` was given. Raises ``NotAPlainValue`` for anything else."""
    try:
        found: T = _value(kind, json.loads(line), arrays)
    except (ValueError, RecursionError) as error:
        raise NotAPlainValue(f"not a value: {error}") from None
    return found


def _plain(value: object, arrays: list[Array]) -> object:
    if isinstance(value, np.ndarray):
        arrays.append(np.ascontiguousarray(value, np.float64))
        return len(arrays) - 1
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, _SCALARS):
        return value
    if isinstance(value, Statement):
        return plain_statement(value)
    if isinstance(value, Mapping):
        return {key: _plain(each, arrays) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each, arrays) for each in value]
    if is_dataclass(value):
        return [_plain(getattr(value, each.name), arrays) for each in fields(value)]
    raise TypeError(type(value).__name__)


def _value(kind: Any, plain: Any, arrays: list[Array]) -> Any:
    """``plain`` as the annotation ``kind`` says."""
    if kind is Any:
        return plain
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _one_of(get_args(kind), plain, arrays)
    if origin is np.ndarray:
        return _array(plain, arrays)
    if origin is tuple:
        inner, _ = get_args(kind)
        return tuple(_value(inner, each, arrays) for each in _need(list, plain))
    if origin is not None and issubclass(origin, Mapping):
        _, inner = get_args(kind)
        return {key: _value(inner, each, arrays) for key, each in _need(dict, plain).items()}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(plain)
    if kind is Statement:
        return _statement(plain)
    if kind in _SCALARS:
        return _scalar(kind, plain)
    return _dataclass(kind, plain, arrays)


def _dataclass(kind: Any, plain: Any, arrays: list[Array]) -> Any:
    hints = _hints(kind)
    values = _need(list, plain)
    if len(values) != len(hints):
        raise NotAPlainValue(f"{kind.__name__} has {len(hints)} fields, not {len(values)}")
    return kind(*(_value(hint, each, arrays) for hint, each in zip(hints, values, strict=True)))


@lru_cache(64)
def _hints(kind: type) -> tuple[Any, ...]:
    if not is_dataclass(kind):
        raise NotAPlainValue(f"{kind!r} cannot be read")
    found = get_type_hints(kind)
    return tuple(found[each.name] for each in fields(kind))


def _one_of(kinds: tuple[Any, ...], plain: Any, arrays: list[Array]) -> Any:
    if plain is None and types.NoneType in kinds:
        return None
    if type(plain) in kinds:
        return plain
    others = [kind for kind in kinds if kind is not types.NoneType]
    if len(others) != 1:
        raise NotAPlainValue(f"{ascii(plain)[:40]} is none of {kinds}")
    return _value(others[0], plain, arrays)


def _statement(plain: Any) -> Statement:
    statement = read_statement(plain)
    if statement is None:
        raise NotAPlainValue(f"{ascii(plain)[:40]} is not a statement")
    return statement


def _array(plain: Any, arrays: list[Array]) -> Array:
    if type(plain) is not int or not 0 <= plain < len(arrays):
        raise NotAPlainValue(f"{ascii(plain)[:40]} is not the place of an array")
    return arrays[plain]


def _scalar(kind: type, plain: Any) -> Any:
    if type(plain) is kind or (kind is float and type(plain) is int):
        return plain
    raise NotAPlainValue(f"{ascii(plain)[:40]} is not {kind.__name__}")


def _need(kind: type[T], plain: Any) -> T:
    if not isinstance(plain, kind):
        raise NotAPlainValue(f"{ascii(plain)[:40]} is not {kind.__name__}")
    return plain
