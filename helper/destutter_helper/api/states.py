# SPDX-License-Identifier: GPL-3.0-or-later
"""States of cells, part by part: what is compared when something is taken back."""

from destutter_helper.api.tunables import BY_ID


def part_of(id_: str) -> str:
    """The name of the part of a state that a setting is: a pair has one part, named by either."""
    return min(id_, BY_ID[id_].twin or id_) if id_ in BY_ID else id_


def parts(state: str) -> dict[str, str]:
    """The words of a state, which are compared one by one."""
    return {part_of(word.partition("=")[0]): word for word in state.split()}
