# SPDX-License-Identifier: GPL-3.0-or-later
"""The source files of the project as syntax trees, for the tests that read code."""

import ast
import contextlib
import functools
import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
APP = ROOT / "app" / "destutter"
HELPER = ROOT / "helper" / "destutter_helper"
LENDER = ROOT / "helper" / "destutter_lender"
TESTS = ROOT / "tests"

PARSES_SOURCE = pytest.mark.xdist_group("source")
"""One worker parses the project for all rules: it takes longer than they do."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


OLDEST_PYTHON = (3, 11)


@dataclass(frozen=True)
class Module:
    """One Python file: where it is, its text and its tree."""

    path: Path
    text: str
    tree: ast.Module

    @functools.cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the tree: to walk it takes longer than the dozen rules that ask for it."""
        return tuple(ast.walk(self.tree))

    @property
    def name(self) -> str:
        """Path below the repository, as in messages."""
        return self.path.relative_to(ROOT).as_posix()

    def at(self, node: ast.AST, message: str) -> str:
        """Return the message with file and line in front."""
        return f"{self.name}:{getattr(node, 'lineno', 1)}: {message}"


@functools.cache
def modules_below(folder: Path) -> tuple[Module, ...]:
    """Return every Python file below the folder, in a stable order.

    A file with a syntax error counts as empty here; one test of its own names it.
    """
    found = map(module_at, sorted(folder.rglob("*.py")))
    return tuple(module for module in found if module is not None)


@functools.cache
def module_at(path: Path) -> Module | None:
    """One file, parsed once however many folders it is asked for with; None: a syntax error."""
    text = path.read_text(encoding="utf-8")
    with contextlib.suppress(SyntaxError):
        return Module(path, text, ast.parse(text, str(path), feature_version=OLDEST_PYTHON))
    return None


def product_modules() -> tuple[Module, ...]:
    """Return the files of all packages: what users run."""
    return modules_below(APP) + modules_below(HELPER) + modules_below(LENDER)


def all_modules() -> tuple[Module, ...]:
    """Return every Python file of the project."""
    return product_modules() + modules_below(TESTS)


def functions(module: Module) -> Iterator[Function]:
    """Yield every function and method, nested ones too."""
    for node in module.nodes:
        if isinstance(node, Function):
            yield node


def docstring_nodes(module: Module) -> set[ast.Constant]:
    """Return the constants that are docstrings, of modules, classes, functions and attributes."""
    found: set[ast.Constant] = set()
    for node in module.nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            found.add(node.value)
    return found


def imported_names(module: Module) -> Iterator[tuple[ast.AST, str]]:
    """Yield each imported module by its full dotted name, with its place."""
    for node in module.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node, alias.name
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node, node.module
            for alias in node.names:
                yield node, f"{node.module}.{alias.name}"


def dotted(node: ast.expr) -> str:
    """Return `a.b.c` for names and attributes, else an empty text."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (front := dotted(node.value)):
        return f"{front}.{node.attr}"
    return ""


def loaded(script: Path) -> ModuleType:
    """A program that is no part of a package, as a module."""
    spec = importlib.util.spec_from_file_location(script.stem, script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[script.stem] = module  # where its dataclasses look for themselves
    spec.loader.exec_module(module)
    return module


def untranslated(language: str, kind: str) -> set[str]:
    """What is marked of a "catalogue" or as a "page": ids, or names of files without the ending.

    ``packaging/translations/untranslated.py`` writes that list.
    """
    lines = (ROOT / "packaging/translations/untranslated.txt").read_text(encoding="utf-8")
    begin = f"{language} {kind} "
    return {line.removeprefix(begin) for line in lines.splitlines() if line.startswith(begin)}
