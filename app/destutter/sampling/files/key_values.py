# SPDX-License-Identifier: GPL-3.0-or-later
"""Steam's text format, in which its library lists and the manifests of its games are written.

Words in quotes, or bare ones, name a value or a group in braces; a backslash keeps the next
character, "//" begins a remark (https://developer.valvesoftware.com/wiki/KeyValues). Of the two
libraries for it on PyPI one is ten times as long as this and the other reads by recursion.
"""

import re

KeyValues = dict[str, "str | KeyValues"]

_TOKEN = re.compile(r'//[^\n]*|"((?:\\.|[^"\\])*)"|([{}])|([^\s{}"]+)', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t"}
_MOST_CHARACTERS = 1 << 22
_DEEPEST = 16  # the files of Steam have four levels


def parse_key_values(text: str) -> KeyValues:
    """The groups and values of a file, names in lower case, the first of equal names.

    What is damaged ends early or is left out; nothing is an error.
    """
    outermost: KeyValues = {}
    groups = [outermost]
    name: str | None = None
    for match in _TOKEN.finditer(text[:_MOST_CHARACTERS]):
        quoted, brace, bare = match.groups()
        if brace == "{":
            if len(groups) >= _DEEPEST:
                break
            group: KeyValues = {}
            known = groups[-1].setdefault(name, group) if name is not None else group
            groups.append(known if isinstance(known, dict) else group)
            name = None
        elif brace == "}":
            if len(groups) == 1:
                break
            groups.pop()
            name = None
        elif quoted is not None or bare is not None:
            word = bare if quoted is None else _ESCAPED.sub(_unescaped, quoted)
            if name is None:
                name = word.lower()
            else:
                groups[-1].setdefault(name, word)
                name = None
    return outermost


def group_of(values: KeyValues, name: str) -> KeyValues:
    """The group of this name; an empty one where there is none."""
    found = values.get(name)
    return found if isinstance(found, dict) else {}


def text_of(values: KeyValues, name: str) -> str:
    """The value of this name; empty where there is none."""
    found = values.get(name)
    return found if isinstance(found, str) else ""


def _unescaped(match: re.Match[str]) -> str:
    return _PLAIN.get(match[1], match[1])
