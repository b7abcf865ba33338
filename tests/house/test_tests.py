# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules for the tests themselves."""

import ast

from tests.house.source_tree import TESTS, Module, dotted, functions, modules_below

SKIPPING = {
    "pytest.skip",
    "pytest.xfail",
    "pytest.importorskip",
    "pytest.mark.skip",
    "pytest.mark.skipif",
    "pytest.mark.xfail",
    "unittest.skip",
    "unittest.skipIf",
}


def _test_files() -> list[Module]:
    return [module for module in modules_below(TESTS) if module.path.name.startswith("test_")]


def test_every_test_says_what_it_proves():
    """Each test has a docstring, and its first line is the specification."""
    wrong = [
        module.at(function, function.name)
        for module in _test_files()
        for function in functions(module.tree)
        if function.name.startswith("test_")
        and not (ast.get_docstring(function) or "").partition("\n")[0].strip()
    ]
    assert not wrong, wrong


def test_no_test_is_skipped():
    """No test is skipped or expected to fail: it passes, or it is fixed, or it goes."""
    wrong = [
        module.at(node, dotted(node))
        for module in modules_below(TESTS)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and dotted(node) in SKIPPING
    ]
    assert not wrong, wrong


def test_unit_tests_need_no_window_and_no_bus():
    """Tests below tests/unit import neither Qt nor a bus."""
    forbidden = {"PySide6", "pyqtgraph", "pytestqt", "dbus", "dbusmock"}
    wrong = [
        module.at(node, ast.unparse(node))
        for module in modules_below(TESTS / "unit")
        for node in ast.walk(module.tree)
        if (isinstance(node, ast.Import) and _roots(node) & forbidden)
        or (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in forbidden)
    ]
    assert not wrong, wrong


def _roots(node: ast.Import) -> set[str]:
    return {alias.name.partition(".")[0] for alias in node.names}
