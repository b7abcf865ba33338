# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of what is inside the frozen bundles, without freezing one."""

from types import ModuleType

import pytest

from tests.house.source_tree import ROOT, loaded


@pytest.fixture(scope="module")
def parts() -> ModuleType:
    """The program that writes the list."""
    return loaded(ROOT / "packaging" / "release" / "parts.py")


@pytest.fixture
def python_part(parts):
    """The interpreter in a bundle."""
    return parts.Part("libpython3", "3", "pkg:deb/debian/libpython3@3", "Python-2.0.1")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("PySide6/Qt/lib/libQt6Core.so.6", "Qt"),
        ("PySide6/Qt/lib/libicudata.so.73", "ICU"),
        ("PySide6/QtCore.abi3.so", "PySide6_Essentials"),
        ("shiboken6/Shiboken.abi3.so", "shiboken6"),
        ("numpy.libs/libscipy_openblas64_-1.so", "OpenBLAS"),
        ("numpy.libs/libgfortran-1-2.so.5.0.0", "libgfortran"),
        ("numpy/fft/_pocketfft_umath.so", "numpy"),
        ("pyqtgraph/colors/maps/a.csv", "pyqtgraph"),
        ("lib-dynload/_bz2.so", "libpython3"),
        ("base_library.zip", "libpython3"),
    ],
)
def test_each_file_belongs_to_a_part(parts, python_part, path, name):
    """Part, version and licence are known of what wheels and the interpreter bring."""
    found = parts.part_of_file(path, python_part)
    assert found.name == name
    assert found.version
    assert found.licence


def test_own_files_are_no_part(parts, python_part):
    """Destutter itself is what the list is about."""
    assert parts.part_of_file("resources/icons/cpu.svg", python_part) is None
    assert parts.part_of_module("destutter", python_part) is None


def test_what_nobody_knows_is_an_error(parts, python_part):
    """A new library, module or package must get its licence first."""
    with pytest.raises(parts.PartError, match="comes from"):
        parts.part_of_file("libnowhere.so.1", python_part)
    with pytest.raises(parts.PartError, match="module strange"):
        parts.part_of_module("strange", python_part)
    with pytest.raises(parts.PartError, match=r"its licence is not in \[python\]"):
        parts.licence_of("python", "strange")


def test_list_names_bundles_and_is_the_same_each_time(parts, python_part):
    """CycloneDX, sorted, without a number or a time of its own."""
    other = parts.Part("b", "1", "pkg:generic/b@1", "public domain")
    bundles = {"deb": [python_part], "AppImage": [other, python_part]}
    made = parts.document(bundles, "1.0", 1_764_028_800)
    assert made == parts.document(dict(reversed(bundles.items())), "1.0", 1_764_028_800)
    assert made["metadata"]["timestamp"] == "2025-11-25T00:00:00Z"
    first, second = made["components"]
    assert first["licenses"] == [{"license": {"name": "public domain"}}]
    assert second["licenses"] == [{"expression": "Python-2.0.1"}]
    assert second["properties"] == [{"name": "destutter:inside", "value": "AppImage, deb"}]
