# SPDX-License-Identifier: GPL-3.0-or-later
"""What a finding may give as evidence has a name for people: without one its id is shown."""

import ast
from collections.abc import Iterator

from destutter.core.metric_table import METRIC_BY_ID
from destutter.words.catalogue import texts
from destutter.words.language import ENGLISH
from tests.house.source_tree import APP, PARSES_SOURCE, functions, modules_below

pytestmark = PARSES_SOURCE

_FIGURE = 4
"""Of a figure that becomes evidence: metric, unit, value, least (wait_evidence.py)."""


def _metrics(node: ast.AST) -> set[str]:
    texts = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
    return {text for text in texts if isinstance(text, str) and text in METRIC_BY_ID}


def _named(statements: Iterator[ast.AST]) -> dict[str, set[str]]:
    """Which metrics each name may stand for."""
    found: dict[str, set[str]] = {}
    for node in statements:
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.For | ast.comprehension):
            targets, value = [node.target], node.iter
        else:
            continue
        for name in (each for target in targets for each in ast.walk(target)):
            if isinstance(name, ast.Name):
                found.setdefault(name.id, set()).update(_metrics(value))
    return found


def _given(node: ast.AST) -> ast.expr | None:
    """The metric of what becomes evidence here."""
    match node:
        case ast.Call(func=ast.Name(id="worst"), args=[_, metric, *_]):
            return metric
        case ast.Call(func=ast.Name(id="Evidence"), args=[metric, *_]):
            return metric
        case ast.Tuple(elts=[ast.Constant() | ast.Name() as metric, *rest]):
            return metric if len(rest) + 1 >= _FIGURE else None
        case _:
            return None


def _evidence() -> Iterator[tuple[str, str]]:
    """Each metric that is given as evidence, and where."""
    for module in modules_below(APP / "diagnosis"):
        of_module = _named(iter(module.tree.body))
        for function in functions(module):
            own = of_module | _named(ast.walk(function))
            for node in ast.walk(function):
                given = _given(node)
                if given is None:
                    continue
                names = {each.id for each in ast.walk(given) if isinstance(each, ast.Name)}
                for metric in _metrics(given).union(*(own.get(name, ()) for name in names)):
                    yield metric, module.at(node, metric)


def test_every_metric_that_is_evidence_has_a_text():
    """In ``metric.json``; the graph of a cause is drawn for those that have one."""
    named = {id_.removeprefix("metric.") for id_ in texts(ENGLISH, "metric")}
    found = list(_evidence())
    assert len({metric for metric, _ in found}) > 50
    assert [where for metric, where in found if metric not in named] == []


def test_every_text_is_of_a_metric():
    """A name that stayed when its metric went is found nowhere else."""
    named = {id_.removeprefix("metric.") for id_ in texts(ENGLISH, "metric")}
    assert named <= METRIC_BY_ID.keys()
