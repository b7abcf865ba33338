# SPDX-License-Identifier: GPL-3.0-or-later
"""What helps first where another program held the game up: that this one rests meanwhile."""

from destutter.core.interpreters import is_interpreter
from destutter.core.statement import Statement, Value
from destutter.diagnosis.finding import (
    OWN_LIMIT,
    OWN_READING,
    OWN_SAVING,
    Confidence,
    Culprit,
    Finding,
    Group,
)

_GROUPS = (Group.STORAGE, Group.CPU, Group.MEMORY)
_PROGRAMS = ("process", "realtime")
# Of a core: less is what a meter or a shell's tool uses beside whoever holds the game up.
_LEAST_PCT = 25.0
# Without these there is no desktop, no sound or no game, or the kernel works in them for others.
_NEEDED = (
    "systemd",
    "init",
    "dbus-",
    "Xorg",
    "Xwayland",
    "kwin",
    "gnome-shell",
    "plasmashell",
    "mutter",
    "sway",
    "Hyprland",
    "cinnamon",
    "xfwm",
    "gamescope",
    "pipewire",
    "wireplumber",
    "pulseaudio",
    "wineserver",
    "kworker",
    "ksoftirqd",
    "kswapd",
    "kcompactd",
    "khugepaged",
    "kthreadd",
    "kdamond",
    "migration/",
    "rcu_",
    "irq/",
    "jbd2",
)


def remedy(finding: Finding) -> Statement | None:
    """To close or to limit the program that did it; None where none did, or it is a guess."""
    if finding.kind in (OWN_SAVING, OWN_READING) and finding.is_answer:
        return Statement(f"remedy.{finding.kind}")
    is_sure = finding.is_answer and finding.confidence is not Confidence.LOW
    if not is_sure or finding.group not in _GROUPS:
        return None
    if finding.kind == OWN_LIMIT:
        return Statement("remedy.limit")
    programs = (each for each in finding.culprits if _may_rest(each, finding.group))
    rival = next(programs, None)
    # Of one that did little nothing is gained, and another one stands behind it for a reason.
    if rival is None or not _did_much(rival):
        return None
    return Statement(f"remedy.{finding.group.value}", {"program": _program(rival)})


def _may_rest(culprit: Culprit, group: Group) -> bool:
    """Whether it is a program of which something was measured, and that nobody needs."""
    why = culprit.why
    if culprit.what not in _PROGRAMS or why is None or ".own" in why.id:
        return False
    if group is Group.MEMORY and why.id.startswith("culprit.cpu"):
        return False  # who computes took no memory from anybody
    return not culprit.comm.startswith(_NEEDED)


def _did_much(culprit: Culprit) -> bool:
    used = _LEAST_PCT if culprit.why is None else culprit.why.values.get("cpu_pct", _LEAST_PCT)
    return isinstance(used, int | float) and used >= _LEAST_PCT


def _program(culprit: Culprit) -> Value:
    """What a player closes: of a program that is gone at once whoever starts the next one."""
    name = _name(culprit)
    if not culprit.starter or culprit.starter.startswith(_NEEDED):
        return name
    return Statement("remedy.starter", {"program": name, "starter": culprit.starter})


def _name(culprit: Culprit) -> str:
    is_told_by_id = is_interpreter(culprit.comm) and culprit.pid is not None
    return f"{culprit.comm} ({culprit.pid})" if is_told_by_id else culprit.comm
