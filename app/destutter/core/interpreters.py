# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of programs that say only in which language what they run is written."""

_INTERPRETERS = frozenset(
    {"python", "perl", "ruby", "node", "java", "bash", "sh", "dash", "zsh", "php", "lua"}
)


def is_interpreter(name: str) -> bool:
    """Whether it is one of these, with or without a version."""
    return name.rstrip("0123456789.") in _INTERPRETERS
