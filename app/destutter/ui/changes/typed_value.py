# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody types for a setting: the kernel's number, or a value as the page writes it."""

import re
from decimal import Decimal

from destutter_helper.api.tunables import BY_ID, HOLD, INT, LATENCY

# Three digits behind a mark may be thousands as well: "1,023 MB" is how a page writes them.
_TYPED = re.compile(r"([0-9]+(?:[.,](?:[0-9]{1,2}|[0-9]{4,}))?)\s*([a-zµμ%]+)", re.IGNORECASE)

_SIZES = {"b": 1, "kb": 2**10, "mb": 2**20, "gb": 2**30, "tb": 2**40}
_TIMES_NS = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}

_SCALES: dict[str, tuple[dict[str, int], int]] = {
    "bytes": (_SIZES, 1),
    "KiB": (_SIZES, 2**10),
    "ns": (_TIMES_NS, 1),
    "µs": (_TIMES_NS, 1_000),
    "ms": (_TIMES_NS, 1_000_000),
    "cs": (_TIMES_NS, 10_000_000),
    "%": ({"%": 1}, 1),
    "1/10000": ({"%": 100}, 1),
}
"""By the registry's unit: what the units that may be typed are in a common one, and what one of
the registry's is in it."""


def typed_value(tunable: str, text: str) -> str:
    """The number to be written for ``text``: "256 MB" and "0.71 %" were refused beside a range
    that is written so. Sizes are in steps of 1024, as everywhere. What has no unit that fits is
    given back as it is, for whoever judges it.
    """
    text = text.strip()
    known = BY_ID.get(tunable)
    found = _TYPED.fullmatch(text.replace("\N{NO-BREAK SPACE}", " "))
    if known is None or found is None or known.kind not in (HOLD, INT, LATENCY):
        return text
    units, one = _SCALES.get(known.unit, ({}, 1))
    unit = found[2].lower().replace("µ", "u").replace("μ", "u").replace("ib", "b")
    if unit not in units:
        return text
    return str(round(Decimal(found[1].replace(",", ".")) * units[unit] / one))
