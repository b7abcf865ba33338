# SPDX-License-Identifier: GPL-3.0-or-later
"""What results of the helper mean together."""

from collections.abc import Iterable

from destutter_helper.api.payload import Result

_LEFT_BEHIND = frozenset({"foreign", "failed"})


def is_partial(results: Iterable[Result]) -> bool:
    """Whether something is not as it was asked for."""
    return any(result.outcome in _LEFT_BEHIND for result in results)
