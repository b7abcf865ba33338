# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue: everything that is said has a text, in every language, with the same places."""

import ast
import json
import re
from collections.abc import Iterator

import pytest

from destutter.analysis.changes.helper_statements import statement_of
from destutter.words.catalogue import Plural, places, places_of, texts
from destutter.words.language import ENGLISH, LANGUAGES
from destutter.words.renderer import english
from destutter_helper.api.statement import Said, told
from destutter_helper.api.texts import TEXTS
from tests.house.source_tree import (
    PARSES_SOURCE,
    ROOT,
    modules_below,
    product_modules,
    untranslated,
)

pytestmark = PARSES_SOURCE

FOLDER = ROOT / "resources" / "catalogue"
SUBJECTS = sorted(path.stem for path in (FOLDER / ENGLISH).glob("*.json"))
IDS = {id_ for subject in SUBJECTS for id_ in texts(ENGLISH, subject)}
MAKERS = {"Statement", "told_with", "Said", "say"}
"""What makes a statement: its first argument is an id."""

REFUSERS = {"HelperError", "entry_error", "_invalid", "_error", "_refuse", "OwnError", "told"}
"""What the helper calls with what it says, rather than with a text."""


def _calls(tree: ast.AST, names: set[str]) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "attr", "") or getattr(node.func, "id", "")
            if name in names:
                yield node


def _pattern(text: ast.JoinedStr) -> re.Pattern[str]:
    parts = (
        re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*"
        for part in text.values
    )
    return re.compile("".join(parts))


def _ids(node: ast.expr) -> Iterator[str | re.Pattern[str]]:
    """What an expression can be, as far as it stands there."""
    if isinstance(node, ast.IfExp):
        yield from _ids(node.body)
        yield from _ids(node.orelse)
    elif isinstance(node, ast.JoinedStr):
        yield _pattern(node)
    elif isinstance(node, ast.Constant):
        yield str(node.value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_texts(language):
    """The same files with the same ids; plurals are plurals, and no place is lost or invented.

    Or marked: ``packaging/translations/untranslated.py``.
    """
    waiting = untranslated(language, "catalogue")
    assert sorted(path.stem for path in (FOLDER / language).glob("*.json")) == SUBJECTS
    wrong = []
    for subject in SUBJECTS:
        own, wanted = texts(language, subject), texts(ENGLISH, subject)
        wrong += sorted((own.keys() ^ wanted.keys()) - waiting)
        for id_ in own.keys() & wanted.keys():
            kinds = {getattr(text, "by", None) for text in (own[id_], wanted[id_])}
            if len(kinds) > 1 or places_of(own[id_]) != places_of(wanted[id_]):
                wrong.append(id_)
    assert not wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_can_be_written(language):
    """No brace without its partner, no empty text; a file has its own subject, and no id twice."""
    for subject in SUBJECTS:
        path = FOLDER / language / f"{subject}.json"
        pairs = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=list)
        ids = [id_ for id_, _ in pairs]
        assert len(ids) == len(set(ids))
        assert [id_ for id_ in ids if not re.fullmatch(rf"{subject}(\.[a-z0-9_]+)+", id_)] == []
        for id_, text in texts(language, subject).items():
            for form in text.forms if isinstance(text, Plural) else (text,):
                assert form.format_map(dict.fromkeys(places(id_), "x"))


def test_what_is_said_has_a_text():
    """Each id in the code is in the catalogue, and gets what its text has places for."""
    wrong = []
    for module in product_modules():
        for call in _calls(module.tree, MAKERS):
            for said in _ids(call.args[0]):
                if isinstance(said, re.Pattern):
                    known = any(said.fullmatch(id_) for id_ in IDS)
                else:
                    known = said in IDS and _given(call) >= places(said)
                if not known:
                    wrong.append(module.at(call, str(said)))
    assert not wrong


def _given(call: ast.Call) -> frozenset[str]:
    """The places that a call fills; every place where that does not stand there."""
    values = call.args[1] if len(call.args) > 1 else ast.Dict([], [])
    if not isinstance(values, ast.Dict) or not all(
        isinstance(key, ast.Constant) for key in values.keys
    ):
        return frozenset().union(*map(places, IDS))
    return frozenset(str(key.value) for key in values.keys if isinstance(key, ast.Constant))


def test_the_helper_says_the_same():
    """Its English is that of the catalogue, whatever is in its places."""
    assert texts(ENGLISH, "helper") == TEXTS
    names = tuple(map(told, "abc"))
    for id_ in TEXTS:
        for value in ("x", 3, -1, 75_214, told("y"), (), names[:1], names[:2], names):
            said = Said(id_, dict.fromkeys(places(id_), value))
            assert english(statement_of(said)) == str(said)


def test_the_helper_says_nothing_but_by_id():
    """No error of it and no note has a finished text: it would stay English for everybody."""
    wrong = [
        module.at(call, ast.unparse(each))
        for module in modules_below(ROOT / "helper")
        for call in _calls(module.tree, REFUSERS)
        for each in call.args
        if isinstance(each, ast.JoinedStr)
        or (isinstance(each, ast.Constant) and " " in str(each.value))
    ]
    assert not wrong


def test_no_text_is_left_over():
    """Each id stands in the code, fits what is put together there, or is one of a named kind."""
    said: set[str] = set()
    patterns: list[re.Pattern[str]] = []
    for module in product_modules():
        if module.path.name == "texts.py":  # the helper's own catalogue
            continue
        for node in module.nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                said.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                patterns.append(_pattern(node))
        for call in _calls(module.tree, {"named"}):
            names = (name for name in _ids(call.args[0]) if isinstance(name, str))
            patterns += [re.compile(rf"{re.escape(name)}\..+") for name in names]
    # What begins with a place could be anything.
    patterns = [each for each in patterns if each.pattern.partition("\\.")[0] in SUBJECTS]
    left = {id_ for id_ in IDS - said if not any(pattern.fullmatch(id_) for pattern in patterns)}
    assert sorted(left) == []
