# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules for the tests themselves."""

import ast
from collections.abc import Iterator

import pytest

from tests.house.source_tree import PARSES_SOURCE, TESTS, Module, dotted, functions, modules_below

pytestmark = PARSES_SOURCE

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

RUN_BY_PYTEST = ("unit", "house", "gui", "dbus", "kernel", "support", "guards")
SLEEPING = {"time.sleep", "sleep", "QTest.qWait", "QThread.msleep", "QTimer.singleShot"}
MARK = "# on purpose: "


def _test_files() -> list[Module]:
    return [module for module in modules_below(TESTS) if module.path.name.startswith("test_")]


def test_every_test_says_what_it_proves():
    """Each test has a docstring, and its first line is the specification."""
    wrong = [
        module.at(function, function.name)
        for module in _test_files()
        for function in functions(module)
        if function.name.startswith("test_")
        and not (ast.get_docstring(function) or "").partition("\n")[0].strip()
    ]
    assert not wrong, wrong


def test_no_test_is_skipped():
    """No test is skipped or expected to fail: it passes, or it is fixed, or it goes."""
    wrong = [
        module.at(node, dotted(node))
        for module in modules_below(TESTS)
        for node in module.nodes
        if isinstance(node, ast.Attribute) and dotted(node) in SKIPPING
    ]
    assert not wrong, wrong


def test_unit_tests_need_no_window_and_no_bus():
    """Tests below tests/unit import neither Qt nor a bus."""
    forbidden = {"PySide6", "pyqtgraph", "pytestqt", "dbus", "dbusmock"}
    wrong = [
        module.at(node, ast.unparse(node))
        for module in modules_below(TESTS / "unit")
        for node in module.nodes
        if (isinstance(node, ast.Import) and _roots(node) & forbidden)
        or (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in forbidden)
    ]
    assert not wrong, wrong


def _roots(node: ast.Import) -> set[str]:
    return {alias.name.partition(".")[0] for alias in node.names}


def test_nothing_waits_for_a_fixed_time():
    """A pause polls for a state in a loop that ends with it, or says at its line what it is for.

    Programs in strings, which tests start, are not looked at.
    """
    wrong = [
        module.at(node, f"wait for what is meant, or say why not with '{MARK}...'")
        for folder in RUN_BY_PYTEST
        for module in modules_below(TESTS / folder)
        for node in _fixed_waits(module.tree)
        if MARK not in module.text.splitlines()[node.lineno - 1]
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("code", "is_fixed"),
    [
        ("time.sleep(1)", True),
        ("qtbot.wait(100)", True),
        ("QTimer.singleShot(500, stop)", True),
        ("QTimer.singleShot(0, stop)", False),
        ("process.wait(10)", False),
        ("while not is_done(): time.sleep(0.1)", False),
        ("for _ in range(9): time.sleep(0.1)", True),
        ("while True:\n if is_done(): break\n time.sleep(0.1)", False),
        ("while time.monotonic() < end: time.sleep(0.1)", True),
        ("while time.monotonic() < end and not is_done(): time.sleep(0.1)", False),
        ("while True:\n def nap(): time.sleep(1)\n if is_done(): break", True),
    ],
)
def test_what_is_a_fixed_wait(code, is_fixed):
    """The rule above, on lines of each kind."""
    assert bool([*_fixed_waits(ast.parse(code))]) == is_fixed


def _fixed_waits(tree: ast.AST, is_polling: bool = False) -> Iterator[ast.Call]:
    """Every pause that nothing but the clock ends."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Call) and _is_pause(node) and not is_polling:
            yield node
        if isinstance(node, ast.While | ast.For):
            yield from _fixed_waits(node, _ends_with_a_state(node))
        else:
            is_apart = isinstance(node, ast.Lambda | ast.FunctionDef)
            yield from _fixed_waits(node, is_polling and not is_apart)


def _is_pause(call: ast.Call) -> bool:
    name = dotted(call.func)
    is_soon = bool(call.args) and isinstance(call.args[0], ast.Constant) and not call.args[0].value
    return (name in SLEEPING and not is_soon) or name.endswith("qtbot.wait")


def _ends_with_a_state(loop: ast.While | ast.For) -> bool:
    """Whether it can end before its time: from within, or by its condition."""
    if any(isinstance(node, ast.Break | ast.Return | ast.Assert) for node in ast.walk(loop)):
        return True
    if isinstance(loop, ast.For) or isinstance(loop.test, ast.Constant):
        return False
    return not isinstance(loop.test, ast.Compare) or "monotonic" not in ast.unparse(loop.test)
