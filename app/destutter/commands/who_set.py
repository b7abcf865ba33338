# SPDX-License-Identifier: GPL-3.0-or-later
"""Who set a value, from the kernel's value of now, the files, and what the helper knows.

What Destutter has set is told as Destutter's only while it is there: others write kernel settings
too, drives are swapped, and a helper that was killed may have lost its record.
"""

from collections.abc import Iterator, Mapping

from destutter.analysis.changes.tuning_state import LASTS_ALWAYS, LASTS_TRIAL
from destutter.commands.helper_state import HelperAnswer, Key
from destutter.commands.results import how_long, told_value
from destutter.core.statement import Statement, Value
from destutter.tuning.current import CurrentValue
from destutter.tuning.defaults import UNKNOWN
from destutter.tuning.ownership import NO_FILE, Ownership
from destutter_helper.api.payload import Result
from destutter_helper.api.tunables import BY_ID, is_accepted

BY_DESTUTTER = Statement("status.owner.kept")


def set_by(value: CurrentValue, owner: Ownership | None, answer: HelperAnswer) -> Statement:
    key = (value.id, value.device)
    by_files = owner.set_by if owner is not None else UNKNOWN
    changed, conflict = answer.changed.get(key), answer.conflicts.get(key)
    if changed is not None:
        return _of_ours(value, changed, by_files, is_gone=key in answer.gone)
    if conflict is not None:
        is_foreign = conflict.outcome == "foreign"
        return Statement(
            "status.owner.foreign" if is_foreign else "status.owner.failed",
            {"origin": told_value(conflict.origin)},
        )
    if value.value is not None and answer.kept_always.get(key) == value.value:
        return BY_DESTUTTER
    last = answer.history.get(key)
    if last is not None and last.is_setting and last.value == value.value != last.origin:
        return Statement("status.owner.left", {"origin": told_value(last.origin)})
    if answer.is_silent and by_files in (NO_FILE, UNKNOWN):
        return Statement("status.owner.silent")
    return by_files


def next_start(
    value: CurrentValue, owner: Ownership | None, answer: HelperAnswer
) -> tuple[str | None, Statement | None]:
    """The value that the next start brings and who does; None where that cannot be told."""
    key = (value.id, value.device)
    kept = answer.kept_always.get(key)
    if kept is not None and not answer.leaves_out_kept and key not in answer.gone:
        return kept, BY_DESTUTTER
    return (None, None) if owner is None else (owner.next_boot, owner.next_boot_by)


def not_in_force(
    values: Mapping[Key, CurrentValue], answer: HelperAnswer
) -> Iterator[tuple[Key, str, Value, str | None]]:
    """What is kept and not in the kernel: key, value, how long it lasts, the value of now."""
    kept = {
        key: (result.value or "", result.until)
        for key, result in answer.changed.items()
        if result.until != LASTS_TRIAL
    }
    kept = {key: (value, LASTS_ALWAYS) for key, value in answer.kept_always.items()} | kept
    for key, (wanted, lasts) in kept.items():
        read = values.get(key)
        now = None if read is None or key in answer.gone else read.value
        # What the helper read back is told exactly, a wish for every start as it was asked for.
        is_exact = key in answer.changed
        if now is None or not _is_there(key[0], wanted, now, is_exact=is_exact):
            now = None if read is None else read.value
            yield key, wanted, how_long(lasts), now


def _of_ours(
    value: CurrentValue, changed: Result, by_files: Statement, *, is_gone: bool
) -> Statement:
    had, origin = told_value(changed.value), told_value(changed.origin)
    if is_gone:
        return Statement("status.owner.gone", {"owner": by_files, "value": had})
    if value.value is None or _is_there(value.id, changed.value, value.value):
        return Statement("status.owner.ours", {"origin": origin})
    if value.value == changed.origin:
        return Statement("status.owner.put_back", {"value": had})
    return Statement("status.owner.since", {"value": had, "origin": origin})


def _is_there(id_: str, wanted: str | None, now: str, *, is_exact: bool = True) -> bool:
    # The passive member of a pair is told by the state of the pair: "ID=VALUE".
    if wanted is None or "=" in wanted or wanted == now:
        return True
    return not is_exact and id_ in BY_ID and is_accepted(BY_ID[id_], wanted, now)
