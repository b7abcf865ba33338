# SPDX-License-Identifier: GPL-3.0-or-later
"""English sentences of the parts of the program that know nothing of translations.

A sentence is a literal text or an f-string of two words or more that stands where people will
read it: as an argument of an error, of a recommendation and its like, or in the modules that hold
nothing but advice. Places of an f-string are numbered: "{0} more cannot be used".
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

_WHOLE = ("app/destutter/bridge/helper_client.py",)
"""Modules in which every sentence is for people."""

_NAMED = {
    "app/destutter/session/replay.py": {"problems"},
    "app/destutter/bridge/background_jobs.py": {"run"},
    "app/destutter/analysis/examining/examination.py": {"rejected_sentences"},
    "app/destutter/bridge/feed.py": {"_finished"},
    "app/destutter/analysis/reading/reading_apart.py": {"_UNEXPECTED"},
    "app/destutter/bridge/replay_feed.py": {"__init__", "start"},
    "app/destutter/analysis/reading/session_reader.py": {"reason_of"},
    "app/destutter/settings.py": {"put_damaged_aside", "save_settings"},
}
"""Functions and constants in which every sentence is for people, by their modules."""

_CALLS = re.compile(r"Kept|\w*Error|\w*Refusal|Trouble|NotMeasured|CausedBy|_fail|refuse")
_KEYWORDS = {"unmeasurable"}
"""Arguments that are a sentence for people, whatever is called."""

_VARIABLES = {"reason", "absent", "_ABSENT", "ABSENT", "_NO_GROUP", "_SOMEBODY_ELSES"}
"""Names under which a sentence waits for the error that tells it."""

_FOLDERS = (
    "app/destutter/sampling",
    "app/destutter/session",
    "app/destutter/diagnosis",
    "app/destutter/analysis",
    "app/destutter/bridge",
    "app/destutter/core/bus_caller.py",
    "app/destutter/core/bus_wire.py",
    "app/destutter/core/lent_files.py",
    "app/destutter/settings.py",
)
_SENTENCE = re.compile(r"[A-Za-zµ'{][^\n]*\s\S*[A-Za-z]")
_WORDS = 2


def collect(root: Path) -> list[str]:
    """All templates, sorted, each once."""
    found: set[str] = set()
    for name in _FOLDERS:
        for path in sorted((root / name).rglob("*.py")) or [root / name]:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            module = str(path.relative_to(root))
            places = [tree] if module in _WHOLE else [*_calls(tree)]
            places += _named(tree, _NAMED.get(module, set()))
            found.update(_sentences(tree, places))
    return sorted(found)


def _sentences(tree: ast.Module, places: list[ast.AST]) -> Iterator[str]:
    documentation = set(_documentation(tree))
    for place in places:
        for node in _texts(place):
            text = None if node in documentation else _template(node)
            if text is not None and _is_sentence(text):
                yield text


def _calls(tree: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _CALLS.fullmatch(_last_name(node.func)):
            yield node
        is_argument = isinstance(node, ast.keyword) and node.arg in _KEYWORDS
        is_kept = isinstance(node, ast.Assign) and _last_name(node.targets[0]) in _VARIABLES
        if is_argument or is_kept:
            yield node


def _named(tree: ast.Module, names: set[str]) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        is_function = isinstance(node, ast.FunctionDef) and node.name in names
        is_constant = isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id in names for target in node.targets
        )
        if is_function or is_constant:
            yield node


def _texts(place: ast.AST) -> Iterator[ast.expr]:
    """Texts below a node; not those inside an f-string, which belong to it."""
    waiting = [place]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.JoinedStr):
            yield node
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node
        waiting.extend(ast.iter_child_nodes(node))


def _template(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if not isinstance(node, ast.JoinedStr):
        return None
    parts, count = [], 0
    for part in node.values:
        if isinstance(part, ast.Constant):
            parts.append(str(part.value))
        else:
            parts.append(f"{{{count}}}")
            count += 1
    return "".join(parts)


def _is_sentence(text: str) -> bool:
    bare = re.sub(r"\{\d+\}", "", text)
    words = re.findall(r"[A-Za-z]{2,}", bare)
    return len(words) >= _WORDS and _SENTENCE.match(text) is not None and "_ " not in text


def _documentation(tree: ast.Module) -> Iterator[ast.expr]:
    """Docstrings, also those below an assignment."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            if isinstance(statement, ast.Expr):
                yield statement.value


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def units() -> list[str]:
    """Units of metrics."""
    from destutter.core.metric_table import METRICS

    return sorted({metric.unit for metric in METRICS if re.search("[a-z]", metric.unit)})
