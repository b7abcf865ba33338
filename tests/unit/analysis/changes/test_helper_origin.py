# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose helper answers, and whether it fits."""

import pytest

from destutter.analysis.changes.helper_origin import (
    Fit,
    Origin,
    describe_helper,
    fit_of,
    origin_of,
)
from destutter_helper.api.names import HELPER_VERSION


@pytest.mark.parametrize(
    ("place", "origin"),
    [
        ("/usr/libexec/destutter/destutter_helper", Origin.SYSTEM),
        ("/usr/local/libexec/destutter/destutter_helper", Origin.SYSTEM),
        ("/opt/destutter/libexec/destutter/destutter_helper", Origin.BUNDLE),
        ("/var/opt/destutter/libexec/destutter/destutter_helper", Origin.BUNDLE),
        ("/home/somebody/destutter/helper/destutter_helper", Origin.TREE),
        ("/opt/destutter-other/destutter_helper", Origin.TREE),
        ("", Origin.UNTOLD),
    ],
)
def test_place_says_whose_it_is(place, origin):
    """A package's, an AppImage's, a tree's, or one from before it said so."""
    assert origin_of(place) is origin


@pytest.mark.parametrize(
    ("version", "fit"),
    [
        ("1.2.3", Fit.SAME),
        ("1.2.2", Fit.OLDER),
        ("1.1.9", Fit.OLDER),
        ("1.2", Fit.OLDER),
        ("1.2.10", Fit.NEWER),
        ("2.0", Fit.NEWER),
        ("", Fit.OLDER),
        ("one", Fit.OLDER),
        ("1.2.x", Fit.OLDER),
    ],
)
def test_versions_are_compared_by_number(version, fit):
    """Not by letters: 10 is more than 3."""
    assert fit_of(version, "1.2.3") is fit


@pytest.mark.parametrize(
    ("version", "place", "words"),
    [
        (HELPER_VERSION, "/opt/destutter/libexec", ["AppImage's", "it fits this program"]),
        ("0.0.1", "/opt/destutter/libexec", ["older than this program", "update-helper"]),
        ("0.0.1", "/usr/libexec/destutter/x", ["older than this program", "update its package"]),
        ("0.0.1", "", ["does not say from where", "older than this program"]),
        ("99.0", "/home/me/tree", ["development tree", "newer", "update this program"]),
    ],
)
def test_line_says_version_place_and_what_to_do(version, place, words):
    """One line for doctor."""
    line = str(describe_helper(version, place))
    for word in (f"version {version}", place, *words):
        assert word in line
