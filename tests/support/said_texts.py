# SPDX-License-Identifier: GPL-3.0-or-later
"""Anything that a helper of another version, or whoever plants its journal, may say."""

import string

from hypothesis import strategies as st

from destutter_helper.api.statement import Said
from destutter_helper.api.texts import TEXTS

_HOSTILE = ("{0.__class__}", "{settings!r}", "%s", "vm.swappiness=1 x", "{", "}")
_LETTERS = string.ascii_lowercase + string.digits + "_"

_names = st.text(_LETTERS, min_size=1, max_size=9)
ids = st.sampled_from(sorted(TEXTS)) | _names.map("helper.{}".format)
places = st.sampled_from(["settings", "reason", "name", "value", "text", "left", "error"])
texts = st.sampled_from(_HOSTILE) | st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z")), max_size=20
)
numbers = st.integers(-(2**53), 2**53)


def _with(inner: st.SearchStrategy[Said]) -> st.SearchStrategy[Said]:
    lists = st.lists(inner, max_size=3).map(tuple)
    values = texts | numbers | inner | lists
    return st.builds(Said, ids, st.dictionaries(places, values, max_size=3))


saids = st.recursive(
    st.builds(Said, ids, st.dictionaries(places, texts | numbers, max_size=3)), _with, max_leaves=6
)
"""Of any depth; what is too deep becomes a text."""
