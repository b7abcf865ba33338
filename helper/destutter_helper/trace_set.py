# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernel says about the form of its events and pages, and which show addresses."""

import re

from destutter_helper.api.tracing import Event, Field, RingPage

_ADDRESS_NAMES = frozenset({"ip", "caller_ip", "tic"})

_ID = re.compile(r"^ID:[ \t]*(\d{1,5})$", re.ASCII | re.MULTILINE)
_FIELD = re.compile(
    r"^\tfield:([^;\n]{1,200});\toffset:(\d{1,6});\tsize:(\d{1,6});(?:\tsigned:([01]);)?$",
    re.ASCII | re.MULTILINE,
)
_DECLARED = re.compile(r"(.*[\s*\]])([A-Za-z_]\w*)(\[[^\]]*\])?", re.ASCII)


def parse_format(text: str) -> Event:
    """An event's ``format`` file: its number and its fields; ValueError when it is none.

    The form is that of ``f_show`` in kernel/trace/trace_events.c. What is printed comes after the
    fields and is not looked at.
    """
    head, _, _ = text.partition("\nprint fmt:")
    number, fields = _ID.search(head), _fields(head)
    if number is None or not fields:
        raise ValueError("is no format of an event")
    return Event(int(number[1]), fields)


def parse_header_page(text: str) -> RingPage:
    """``events/header_page``: what one read of a ring gives; ValueError when it is none."""
    found = {field.name: field for field in _fields(text)}
    if not {"timestamp", "commit", "data"} <= found.keys():
        raise ValueError("is no form of a page")
    timestamp, commit, data = (found[name] for name in ("timestamp", "commit", "data"))
    return RingPage(
        size=data.offset + data.size,
        timestamp=(timestamp.offset, timestamp.size),
        commit=(commit.offset, commit.size),
        data=data.offset,
    )


def shows_addresses(event: Event) -> bool:
    """Whether records of it hold addresses of the kernel, or what is known for being one."""
    return any("*" in field.type or field.name in _ADDRESS_NAMES for field in event.fields)


def _fields(text: str) -> tuple[Field, ...]:
    return tuple(
        Field(*_declared(declared), int(offset), int(size), signed == "1")
        for declared, offset, size, signed in _FIELD.findall(text)
    )


def _declared(text: str) -> tuple[str, str]:
    """Name and type out of a declaration in C, such as ``char comm[16]``."""
    match = _DECLARED.fullmatch(text)
    if match is None:
        raise ValueError("has a field without a name")
    return match[2], f"{match[1].rstrip()}{match[3] or ''}"
