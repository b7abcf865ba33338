# SPDX-License-Identifier: GPL-3.0-or-later
"""What the history knows of this boot's changes, for when the journal and its copy are lost."""

import contextlib
from typing import Any

from destutter_helper.api.names import KEEP_RESTART, HelperError
from destutter_helper.api.tunables import BY_ID
from destutter_helper.journal import Entry, Wish
from destutter_helper.kernel_writer import KernelWriter

_SET, _LEFT = frozenset({"changed", "ok"}), frozenset({"foreign", "failed", "gone", "reset"})


def recollect(kernel: KernelWriter, history: list[dict[str, Any]]) -> tuple[Entry, ...]:
    """Entries of the settings that have exactly the value that the last line says we set.

    A value that is not there any more is nobody's business, and what is written back is checked
    like anything else out of our own files.
    """
    last: dict[tuple[str, str], dict[str, Any]] = {}
    boot_id = kernel.boot_id()
    for line in history:
        key, outcome = (str(line.get("id")), str(line.get("device"))), line.get("outcome")
        if outcome in _SET and boot_id and line.get("boot") == boot_id:
            last[key] = line
        elif outcome not in _LEFT | _SET:
            last.pop(key, None)
    entries: dict[tuple[str, Any], Entry] = {}
    for (id_, name), line in last.items():
        tunable, origin, value = BY_ID.get(id_), line.get("origin"), line.get("value")
        if tunable is None or not isinstance(origin, str) or not isinstance(value, str):
            continue
        kind = tunable.device_kind
        for device in kernel.devices(kind, name) if kind else [None]:
            with contextlib.suppress(HelperError):
                if kernel.value(tunable, device) == value:
                    fresh = Entry(tunable.cell, device, "", ours=("",))
                    entry = entries.setdefault((tunable.cell, device), fresh)
                    word = origin if "=" in origin else f"{id_}={origin}"  # a pair's, as a whole
                    entry.origin = f"{entry.origin} {word}".strip()
                    entry.ours = (f"{entry.ours[0]} {id_}={value}".strip(),)
                    entry.wishes = (*entry.wishes, Wish(id_, value, KEEP_RESTART))
    return tuple(entries.values())
