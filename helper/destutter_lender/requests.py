# SPDX-License-Identifier: GPL-3.0-or-later
"""What a call asks for, as far as it makes sense."""

import json
from typing import Any

from destutter_helper.api import lending
from destutter_lender.files import Wanted

_NAME_MAX = 96  # the longest in the lists has 68


class RequestError(Exception):
    """A request that makes no sense, in words."""


def read_request(text: str) -> list[Wanted]:
    """The files of ``[[pid, tid, name], ...]``. Raises ``RequestError``."""
    if len(text.encode("utf-8", "surrogatepass")) > lending.REQUEST_MAX_BYTES:
        raise RequestError(f"a request has at most {lending.REQUEST_MAX_BYTES} bytes")
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        raise RequestError("the request is no JSON") from None
    if not isinstance(rows, list) or not 0 < len(rows) <= lending.FILES_MAX:
        raise RequestError(f"a request names 1 to {lending.FILES_MAX} files")
    return [_wanted(row) for row in rows]


def _wanted(row: Any) -> Wanted:
    if not (isinstance(row, list) and len(row) == 3):
        raise RequestError("a file is [pid, tid, name]")
    pid, tid, name = row
    is_number = all(type(one) is int and 0 <= one < 1 << 31 for one in (pid, tid))
    if not is_number or not isinstance(name, str) or len(name) > _NAME_MAX:
        raise RequestError("a file is [pid, tid, name]")
    return Wanted(pid, tid, name)
