# SPDX-License-Identifier: GPL-3.0-or-later
"""What pyproject.toml promises."""

import tomllib

from packaging.requirements import Requirement

from tests.house.source_tree import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _pyside_on(python: str) -> list[Requirement]:
    requirements = map(Requirement, PROJECT["project"]["dependencies"])
    return [
        requirement
        for requirement in requirements
        if requirement.name.startswith("PySide6")
        and requirement.marker
        and requirement.marker.evaluate({"python_version": python})
    ]


def test_python_3_11_never_gets_pyside_6_12():
    """PySide6 6.12.0 aborts below Python 3.12, so 3.11 gets an older one and 3.12 may have it."""
    (on_3_11,) = _pyside_on("3.11")
    (on_3_12,) = _pyside_on("3.12")
    assert not on_3_11.specifier.contains("6.12.0")
    assert on_3_11.specifier.contains("6.11.3")
    assert on_3_12.specifier.contains("6.12.0")


def test_bus_libraries_come_from_the_distribution():
    """dbus-python and PyGObject are never built or fetched by pip."""
    every = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]
    names = {Requirement(line).name.lower() for line in every}
    assert not names & {"dbus-python", "pygobject"}
