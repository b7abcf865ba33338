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
    if finding.kind == OWN_LIMIT and _is_sure(finding):
        return Statement("remedy.limit")
    rival = _rival(finding)
    if rival is None:
        return None
    program = {"program": _program(rival)}
    if finding.group is Group.MEMORY and not _has_memory(rival):
        return Statement("remedy.files", program)  # it holds none that it could take less of
    return Statement(f"remedy.{finding.group.value}", program)


def programs_to_close(finding: Finding) -> tuple[str, ...]:
    """The names of the program that the remedy speaks of, and of who keeps starting it."""
    rival = None if finding.kind in (OWN_SAVING, OWN_READING, OWN_LIMIT) else _rival(finding)
    if rival is None:
        return ()
    return (_name(rival), rival.starter) if _has_starter(rival) else (_name(rival),)


def _is_sure(finding: Finding) -> bool:
    is_told = finding.is_answer and finding.confidence is not Confidence.LOW
    return is_told and finding.group in _GROUPS


def _rival(finding: Finding) -> Culprit | None:
    if not _is_sure(finding):
        return None
    programs = (each for each in finding.culprits if _may_rest(each, finding.group))
    rival = next(programs, None)
    # Of one that did little nothing is gained, and another one stands behind it for a reason.
    return rival if rival is not None and _did_much(rival) else None


def _may_rest(culprit: Culprit, group: Group) -> bool:
    """Whether it is a program of which something was measured, and that nobody needs."""
    why = culprit.why
    if culprit.what not in _PROGRAMS or why is None or ".own" in why.id:
        return False
    if group is Group.MEMORY and why.id.startswith("culprit.cpu"):
        return False  # who computes took no memory from anybody
    return not culprit.comm.startswith(_NEEDED)


def _has_memory(culprit: Culprit) -> bool:
    return culprit.why is not None and culprit.why.id in ("culprit.grew", "culprit.holds")


def _did_much(culprit: Culprit) -> bool:
    used = _LEAST_PCT if culprit.why is None else culprit.why.values.get("cpu_pct", _LEAST_PCT)
    return isinstance(used, int | float) and used >= _LEAST_PCT


def _program(culprit: Culprit) -> Value:
    """What a player closes: of a program that is gone at once whoever starts the next one."""
    name = _name(culprit)
    if not _has_starter(culprit):
        return name
    return Statement("remedy.starter", {"program": name, "starter": culprit.starter})


def _has_starter(culprit: Culprit) -> bool:
    return bool(culprit.starter) and not culprit.starter.startswith(_NEEDED)


def _name(culprit: Culprit) -> str:
    is_told_by_id = is_interpreter(culprit.comm) and culprit.pid is not None
    return f"{culprit.comm} ({culprit.pid})" if is_told_by_id else culprit.comm
