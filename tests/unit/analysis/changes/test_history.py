# SPDX-License-Identifier: GPL-3.0-or-later
"""The helper's log of changes is read whatever is in it, and answers who, when and what last."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from destutter.analysis.changes.history import last_changes, last_kept, read_history

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


def _line(event: str, id_: str, time: str, **more: Any) -> str:
    entry = {"event": event, "id": id_, "device": "", "outcome": "changed", "value": "10"}
    return json.dumps({**entry, "origin": "60", "note": "", "time": time, **more})


def test_newest_change_of_each_setting_and_what_was_kept_together() -> None:
    """Trials, keeps and starts count as changes; what was kept at the last moment is one."""
    text = "\n".join(
        (
            _line("keep", "vm.swappiness", "2026-11-12T10:00:00Z", uid=1000),
            _line("trial", "vm.page-cluster", "2026-11-20T10:00:00Z", uid=1001),
            _line("keep", "vm.page-cluster", "2026-11-20T10:00:30Z"),
            _line("keep", "vm.dirty_ratio", "2026-11-20T10:00:30Z"),
            _line("undo", "vm.dirty_ratio", "2026-11-21T10:00:30Z"),
        )
    )
    entries = read_history(text)
    when = last_changes(entries)
    assert when["vm.swappiness"] == (1_794_477_600.0, 1000)
    assert when["vm.page-cluster"][1] is None
    assert when["vm.dirty_ratio"][0] < (entries[-1].at or 0)
    assert last_kept(entries) == ("vm.page-cluster", "vm.dirty_ratio")
    assert last_kept(()) == ()


def test_lines_of_an_older_or_newer_helper_are_passed_over() -> None:
    """Cut, foreign and incomplete lines cost only themselves; a wrong time is no time."""
    good = _line("keep", "vm.swappiness", "sometime", uid="root", value=7)
    entries = read_history('{"event": "ke\n[1]\n{"id": 3}\n' + good + "\n\n")
    assert [(each.key, each.at, each.uid, each.value) for each in entries] == [
        ("vm.swappiness", None, None, None)
    ]


@given(st.lists(st.text(max_size=40) | _JSON.map(json.dumps), max_size=12))
def test_any_text_is_read_without_an_error(lines: list[str]) -> None:
    """Whatever the log holds, reading it gives entries and raises nothing."""
    entries = read_history("\n".join(lines))
    last_changes(entries)
    last_kept(entries)
    assert all(isinstance(each.id, str) for each in entries)
