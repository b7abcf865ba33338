# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes as commands that an administrator can copy."""

import re
from collections.abc import Sequence

from destutter.core.kernel_names import KSOFTIRQD
from destutter.tuning.exported import not_plain
from destutter_helper.api.payload import Change
from destutter_helper.api.tunables import BY_ID, POLICY, SYSCTLS

_PLAIN = re.compile(r"[A-Za-z0-9_.:,+!-]*")
_POLICY_OPTIONS = {"fifo": "--fifo", "rr": "--rr"}


def as_commands(changes: Sequence[Change]) -> str:
    """One command a line; what no command can do is a comment that says so.

    Raises ``NotExportableError`` for a device or a value that is no plain word, ``KeyError`` for
    an id that is not in the registry: our own advice has none.
    """
    ordered = sorted(changes, key=lambda each: BY_ID[each.id].rank)
    return "\n".join(command(each) for each in ordered)


def command(change: Change) -> str:
    """The command for one change; see ``as_commands``."""
    for text in (change.device, change.value):
        if not _PLAIN.fullmatch(text):
            raise not_plain(text)
    tunable = BY_ID[change.id]
    if tunable.kind == POLICY:
        return _policy_command(change)
    if not tunable.path or tunable.path.startswith("/dev/"):
        return f"# {change.id}: {change.value} lasts only while a program holds it"
    path = tunable.path_on(change.device)
    if path.startswith(SYSCTLS):
        name = path.removeprefix(SYSCTLS).replace("/", ".")
        return f"sudo sysctl -w {name}={change.value}"
    return f"echo {change.value} | sudo tee {path}"


def _policy_command(change: Change) -> str:
    thread = f"{KSOFTIRQD}{change.device.removeprefix('cpu')}"
    policy, _, priority = change.value.partition(":")
    option = _POLICY_OPTIONS.get(policy, "--other")
    return f"sudo chrt {option} -p {priority or 0} $(pgrep -x {thread})"
