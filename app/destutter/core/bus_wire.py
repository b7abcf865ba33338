# SPDX-License-Identifier: GPL-3.0-or-later
"""Values and messages in the wire format of D-Bus, as far as this program needs it.

Qt's binding for Python sends every whole number as "i" and has no way to say "u"; the service of
notifications refuses a call whose types are not exactly its own. ARCHITECTURE.md says why this is
not a library. Format: D-Bus Specification, "Marshaling (Wire Format)", always little-endian when
sent.
"""

import struct
from typing import Any

_FIXED = {
    "y": "B",
    "b": "I",
    "n": "h",
    "q": "H",
    "i": "i",
    "u": "I",
    "x": "q",
    "t": "Q",
    "d": "d",
    "h": "I",
}
_ALIGNMENT = {"s": 4, "o": 4, "g": 1, "a": 4, "v": 1, "(": 8, "{": 8}
_CALL, METHOD_RETURN, ERROR, SIGNAL = 1, 2, 3, 4
_PATH, _INTERFACE, _MEMBER, _ERROR_NAME, _REPLY_SERIAL, _DESTINATION, _SIGNATURE, _FDS = (
    1, 2, 3, 4, 5, 6, 8, 9,
)  # fmt: skip
FIXED_HEADER = 16
MAX_MESSAGE_BYTES = 1 << 20  # D-Bus lets 128 MiB through; no answer to us has more than some kB


class WireError(Exception):
    """Bytes that are no message, or a value that does not fit its signature."""


class Variant:
    """A value that carries its own signature."""

    def __init__(self, signature: str, value: Any) -> None:
        self.signature = signature
        self.value = value


def split(signature: str) -> list[str]:
    """The single complete types of a signature. Raises ``WireError``."""
    parts = []
    while signature:
        end = _end_of_type(signature)
        parts.append(signature[:end])
        signature = signature[end:]
    return parts


def _end_of_type(signature: str) -> int:
    first = signature[:1]
    if first == "a":
        return 1 + _end_of_type(signature[1:])
    if first in ("(", "{"):
        depth = 0
        for index, letter in enumerate(signature):
            depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(letter, 0)
            if depth == 0:
                return index + 1
        raise WireError(f"{signature} does not end")
    if first in _FIXED or first in ("s", "o", "g", "v"):
        return 1
    raise WireError(f"{signature!r} begins with no type")


class Writer:
    """Collects values."""

    def __init__(self) -> None:
        self.data = bytearray()

    def align(self, size: int) -> None:
        """Fill up with zeros."""
        self.data += bytes(-len(self.data) % size)

    def write(self, signature: str, value: Any) -> None:
        """Append one value of one complete type. Raises ``WireError``."""
        kind = signature[0]
        try:
            if kind in _FIXED:
                code = _FIXED[kind]
                self.align(struct.calcsize(code))
                self.data += struct.pack("<" + code, value)
            elif kind in ("s", "o", "g"):
                self._write_text(kind, value)
            elif kind == "a":
                self._write_array(signature[1:], value)
            elif kind == "v":
                self._write_text("g", value.signature)
                self.write(value.signature, value.value)
            else:
                self.align(8)
                for part, each in zip(split(signature[1:-1]), value, strict=True):
                    self.write(part, each)
        except (struct.error, TypeError, ValueError, AttributeError) as error:
            raise WireError(f"{ascii(value)[:60]} is no '{signature}' ({error})") from None

    def _write_text(self, kind: str, value: str) -> None:
        data = value.encode()
        if kind == "g":
            self.data += bytes([len(data)]) + data + b"\0"
            return
        self.write("u", len(data))
        self.data += data + b"\0"

    def _write_array(self, element: str, value: Any) -> None:
        self.write("u", 0)
        place = len(self.data) - 4
        self.align(_alignment(element))
        start = len(self.data)
        for each in value.items() if element[0] == "{" else value:
            self.write(element, each)
        struct.pack_into("<I", self.data, place, len(self.data) - start)


def _alignment(signature: str) -> int:
    kind = signature[0]
    return struct.calcsize(_FIXED[kind]) if kind in _FIXED else _ALIGNMENT[kind]


class Reader:
    """Reads values from bytes; a variant is given as its value."""

    def __init__(self, data: bytes, *, is_little: bool = True) -> None:
        self._data = data
        self._order = "<" if is_little else ">"
        self.position = 0

    def align(self, size: int) -> None:
        """Skip what fills up."""
        self.position += -self.position % size

    def read_all(self, signature: str) -> list[Any]:
        """One value for each type. Raises ``WireError``."""
        try:
            return [self._read(part, 0) for part in split(signature)]
        except (struct.error, IndexError, UnicodeDecodeError) as error:
            raise WireError(f"cut or damaged ({error})") from None

    def _read(self, signature: str, depth: int) -> Any:
        if depth > 16:
            raise WireError("nested too deep")
        kind = signature[0]
        if kind in _FIXED:
            number = self._number(_FIXED[kind])
            return bool(number) if kind == "b" else number
        if kind in ("s", "o", "g"):
            return self._text(self._number("B" if kind == "g" else "I"))
        if kind == "v":
            inner = split(self._text(self._number("B")))
            if len(inner) != 1:
                raise WireError("a variant holds one value")
            return self._read(inner[0], depth + 1)
        if kind == "a":
            return self._array(signature[1:], depth)
        self.align(8)
        return tuple(self._read(part, depth + 1) for part in split(signature[1:-1]))

    def _number(self, code: str) -> Any:
        self.align(struct.calcsize(code))
        (value,) = struct.unpack_from(self._order + code, self._data, self.position)
        self.position += struct.calcsize(code)
        return value

    def _text(self, length: int) -> str:
        end = self.position + length
        if end >= len(self._data):
            raise WireError("a text is longer than the message")
        text = self._data[self.position : end].decode()
        self.position = end + 1
        return text

    def _array(self, element: str, depth: int) -> Any:
        length = self._number("I")
        self.align(_alignment(element))
        end = self.position + length
        if end > len(self._data):
            raise WireError("an array is longer than the message")
        found = []
        while self.position < end:
            before = self.position
            found.append(self._read(element, depth + 1))
            if self.position == before:
                raise WireError("an array of nothing")
        return dict(found) if element[0] == "{" else found


def method_call(
    serial: int,
    destination: str,
    path: str,
    member: tuple[str, str],
    signature: str,
    arguments: tuple[Any, ...],
) -> bytes:
    """The bytes of a call; ``member`` is (interface, method). Raises ``WireError``."""
    body = Writer()
    parts = split(signature)
    if len(parts) != len(arguments):
        raise WireError(f"'{signature}' needs {len(parts)} arguments")
    for part, value in zip(parts, arguments, strict=True):
        body.write(part, value)
    fields = [
        (_PATH, Variant("o", path)),
        (_INTERFACE, Variant("s", member[0])),
        (_MEMBER, Variant("s", member[1])),
        (_DESTINATION, Variant("s", destination)),
    ]
    if signature:
        fields.append((_SIGNATURE, Variant("g", signature)))
    head = Writer()
    head.data += struct.pack("<cBBBII", b"l", _CALL, 0, 1, len(body.data), serial)
    head.write("a(yv)", fields)
    head.align(8)
    return bytes(head.data + body.data)


class BusMessage:
    """A message that came in: its kind, the serial that it answers or what it tells, its values.

    ``member`` is (interface, name) of a call or a signal; ``descriptors``: how many came with it.
    """

    def __init__(self, data: bytes) -> None:
        """Raises ``WireError``."""
        is_little = data[:1] == b"l"
        reader = Reader(data, is_little=is_little)
        _, self.kind, _, _, _, _, fields = reader.read_all("yyyyuua(yv)")
        by_code = dict(fields)
        self.reply_to = by_code.get(_REPLY_SERIAL)
        self.path = str(by_code.get(_PATH, ""))
        self.error = by_code.get(_ERROR_NAME, "")
        self.member = str(by_code.get(_INTERFACE, "")), str(by_code.get(_MEMBER, ""))
        self.descriptors = by_code.get(_FDS, 0)
        reader.align(8)
        self.signature = str(by_code.get(_SIGNATURE, ""))
        self.values = reader.read_all(self.signature)

    def values_with(self, descriptors: list[int]) -> list[Any]:
        """The values, where each "h", or "ah", has the descriptors of its numbers.

        Raises ``WireError`` unless each descriptor is named once, and no other.
        """
        left = dict(enumerate(descriptors))
        try:
            values = [
                left.pop(value)
                if part == "h"
                else [left.pop(number) for number in value]
                if part == "ah"
                else value
                for part, value in zip(split(self.signature), self.values, strict=True)
            ]
        except KeyError:
            raise WireError("a number stands for no descriptor") from None
        if left:
            raise WireError("a descriptor stands for nothing")
        return values


def message_length(head: bytes) -> int:
    """The length of a whole message by its first 16 bytes. Raises ``WireError``."""
    order = {b"l": "<", b"B": ">"}.get(head[:1])
    if order is None or len(head) < FIXED_HEADER:
        raise WireError("no message begins so")
    body, _, fields = struct.unpack_from(order + "III", head, 4)
    length = FIXED_HEADER + int(fields) + (-int(fields) % 8) + int(body)
    if length > MAX_MESSAGE_BYTES:
        raise WireError("the message is too long")
    return length
