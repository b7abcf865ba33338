# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose helper answers, by where its code lies, and whether its version fits this program's."""

from enum import Enum
from pathlib import PurePosixPath

from destutter.core.statement import Statement
from destutter_helper.api import names


class Origin(Enum):
    """Who put the helper there, and so who brings it up to date."""

    SYSTEM = "system"
    """A package, or 'make install-helper', which use the same places."""
    BUNDLE = "bundle"
    """An AppImage."""
    TREE = "tree"
    """A folder with the source code."""
    UNTOLD = "untold"
    """A helper from before it said so."""


class Fit(Enum):
    """How the helper's version stands to the one that this program knows."""

    SAME = "same"
    OLDER = "older"
    NEWER = "newer"


_BUNDLES = (PurePosixPath("/opt/destutter"), PurePosixPath("/var/opt/destutter"))
_SYSTEMS = tuple(map(PurePosixPath, ("/usr/libexec/destutter", "/usr/local/libexec/destutter")))


def origin_of(place: str) -> Origin:
    """Who put a helper there whose code lies in ``place``; empty when it does not say."""
    if not place:
        return Origin.UNTOLD
    parents = PurePosixPath(place).parents
    if any(folder in parents for folder in _BUNDLES):
        return Origin.BUNDLE
    return Origin.SYSTEM if any(folder in parents for folder in _SYSTEMS) else Origin.TREE


def fit_of(version: str, own: str = names.HELPER_VERSION) -> Fit:
    """How a helper's version stands to our own; what is no number counts as older."""
    if version == own:
        return Fit.SAME
    return Fit.NEWER if _key(version) > _key(own) else Fit.OLDER


def describe_helper(version: str, place: str) -> Statement:
    """One line for a terminal: version, whose helper it is, and what to do if it does not fit."""
    origin, fit = origin_of(place).value, fit_of(version).value
    return Statement(
        f"doctor.helper.{fit}",
        {
            "version": version,
            "whose": Statement(f"doctor.helper.of.{origin}", {"place": place}),
            "known": names.HELPER_VERSION,
            "way": Statement(f"doctor.helper.way.{origin}"),
        },
    )


def _key(version: str) -> tuple[int, ...]:
    numbers = version.split("+")[0].split(".")
    return tuple(int(part) if part.isdecimal() else -1 for part in numbers)
