# SPDX-License-Identifier: GPL-3.0-or-later
"""What may be written, from a client's change set or from what is kept for every start.

Everything is checked before anything is written.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from destutter_helper.api.checks import check_change_set
from destutter_helper.api.devices import Device, name_of
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change, ChangeSet, Plan, PlanStep, Result, summary
from destutter_helper.api.statement import Said
from destutter_helper.api.tunables import BY_ID, Tunable, is_accepted, is_kernel_value
from destutter_helper.journal import IDLE, Document, Setting
from destutter_helper.kernel_writer import KernelWriter, entry_error

SWITCH_OFF = "destutter=off"
_NO_LONGER = Said("helper.note.no_longer_kept")
_BY_RULE = Said("helper.note.by_rule")


def resolve(kernel: KernelWriter, changes: Sequence[Change]) -> list[Setting]:
    """What is to be written for changes, on which devices, in the order of writing.

    HelperError InvalidArgument, UnknownKey, OutOfRange (see ``api.checks``), DeviceGone or
    Unsupported. How many there may be is a question of who asks.
    """
    check_change_set(ChangeSet(tuple(changes)), kernel.memory_kib())
    settings = [
        Setting(change.id, change.value, device)
        for change in changes
        for device in _devices(kernel, change)
    ]
    for setting in settings:
        _check_possible(kernel, setting, settings)
    return sorted(settings, key=lambda setting: setting.tunable.rank)


def _devices(kernel: KernelWriter, change: Change) -> Sequence[Device | None]:
    kind = BY_ID[change.id].device_kind
    if not kind:
        return [None]
    found = kernel.devices(kind, change.device)
    if change.device and not found:
        reason = Said("helper.absent.device")
        raise HelperError("DeviceGone", reason, id=change.id, device=change.device)
    return found


def _check_possible(kernel: KernelWriter, setting: Setting, settings: list[Setting]) -> None:
    tunable, device = setting.tunable, setting.device
    current = kernel.value(tunable, device)
    reason = None
    if tunable.device_kind == "block":
        scheduler = _scheduler(kernel, device, settings)
        if tunable.id == "block.wbt_lat_usec" and scheduler == "bfq":
            reason = Said("helper.absent.throttling")
        elif tunable.scheduler == scheduler and current is None:
            return  # it appears with the scheduler of this set
        elif tunable.scheduler not in {"", scheduler}:
            current = None
    if current is None:
        reason = reason or kernel.unavailable(tunable)
    elif not is_kernel_value(tunable, current) and not (tunable.twin and current == "0"):
        reason = Said("helper.value.no_way_back", {"value": ascii(current)[:40]})
    if reason is not None:
        raise entry_error("Unsupported", reason, tunable, device)
    kernel.check_writable(tunable, device)


def _scheduler(kernel: KernelWriter, device: Device | None, settings: list[Setting]) -> str | None:
    """The I/O scheduler that the drive will have."""
    id_ = "block.scheduler"
    wanted = (one.value for one in settings if (one.id, one.device) == (id_, device))
    return next(wanted, kernel.value(BY_ID[id_], device))


def _ended(document: Document, settings: list[Setting]) -> list[str]:
    """The kept knobs of a scheduler that the settings take away."""
    return [
        wish.id
        for one in settings
        if one.id == "block.scheduler" and (entry := document.find(one.cell, one.device))
        for wish in entry.kept
        if BY_ID[wish.id].scheduler not in {"", one.value}
    ]


def plan(
    kernel: KernelWriter, document: Document, settings: list[Setting], foreign: list[str]
) -> Plan:
    """What writing them means; ``foreign`` are ids that others changed since."""
    steps = []
    moved: dict[Tunable, dict[str, None]] = {}  # what each moves on any of its devices, in order
    for one in settings:
        current = kernel.value(one.tunable, one.device)
        steps.append(PlanStep(one.id, name_of(one.device), current, one.value))
        there = [
            id_ for id_ in one.tunable.moves if kernel.value(BY_ID[id_], one.device) is not None
        ]
        moved.setdefault(one.tunable, {}).update(dict.fromkeys(there))
    twice = [one.id for one in moved if kernel.administrator_sets(one)]
    notes = [Said("helper.plan.set_by_administrator", {"name": id_}) for id_ in twice]
    notes += [Said("helper.plan.foreign", {"name": id_}) for id_ in dict.fromkeys(foreign)]
    notes += [Said("helper.plan.ends", {"name": id_}) for id_ in _ended(document, settings)]
    side_effects = tuple(
        Said("helper.plan.moves", {"name": one.id, "names": ", ".join(ids)})
        for one, ids in moved.items()
        if ids
    )
    residue = tuple(one.residue for one in moved if one.residue is not None)
    return Plan(tuple(steps), side_effects, residue, tuple(notes), summary(tuple(steps)))


def reason_to_wait(kernel: KernelWriter, document: Document) -> Said | None:
    """Why the profile must not be set now; None when it may."""
    if document.phase != IDLE:
        return Said("helper.start.not_in_order")
    if SWITCH_OFF in kernel.command_line():
        return Said("helper.start.switched_off", {"word": SWITCH_OFF})
    return Said("helper.start.unfinished") if document.is_suspended else None


def resolve_kept(kernel: KernelWriter, document: Document) -> tuple[list[Setting], list[Result]]:
    """What can be set on this computer as it is today, and what cannot, with the reason.

    What this boot has set already is left out without a word.
    """
    left_out: list[Result] = []
    changes: list[Change] = []
    done = {(wish.id, name_of(e.device)) for e in document.entries for wish in e.kept}
    for kept in document.profile:
        found = [Change(s.id, s.value, name_of(s.device)) for s in present(kernel, kept)]
        changes += [one for one in found if (one.id, one.device) not in done]
        if not found:
            left_out.append(kept.result("gone", Said("helper.note.not_here")))
    while True:  # ends: each time there are fewer
        try:
            return resolve(kernel, changes), left_out
        except HelperError as error:
            wrong = [one for one in changes if (one.id, one.device) == (error.id, error.device)]
            if not wrong:
                raise
            changes = [one for one in changes if one not in wrong]
            why = "", (error.said,)
            left_out += [Result(w.id, w.device, "failed", None, None, *why) for w in wrong]


def by_todays_names(kernel: KernelWriter, kept: Iterable[Setting]) -> tuple[Setting, ...]:
    """What is kept, each drive by the name that it has now; by its old one while it is away.

    The kernel numbers drives in the order in which it finds them, anew at every start. Where
    another drive has got that name, "-away" tells the two apart.
    """
    return tuple((present(kernel, one) or [_away(kernel, one)])[0] for one in kept)


def _away(kernel: KernelWriter, kept: Setting) -> Setting:
    device, name = kept.device, name_of(kept.device)
    if device is None or not kernel.devices(device.kind, name):
        return kept
    return Setting(kept.id, kept.value, replace(device, name=f"{name}-away"))


def expected_of_udev(kernel: KernelWriter, document: Document) -> list[Setting]:
    """What udev shall set without an entry of ours: at a drive that comes late, or has come so.

    Nothing in a start that does not set what is kept.
    """
    if reason_to_wait(kernel, document) is not None:
        return []
    drives = [one for one in document.profile if one.device]
    return [s for s in drives if not present(kernel, s) or _set_by_udev(kernel, document, s)]


def _set_by_udev(kernel: KernelWriter, document: Document, kept: Setting) -> list[Setting]:
    """Where our rule set it at a drive that came later: nobody recorded what was there."""
    return [
        one
        for one in present(kernel, kept)
        if is_accepted(one.tunable, one.value, kernel.value_if_told(one.tunable, one.device))
        and document.find(one.cell, one.device) is None
    ]


def no_longer_kept(
    kernel: KernelWriter, document: Document, dropped: list[Setting], told: list[Result]
) -> list[Result]:
    """What was kept for every start, and has no entry of this start by which it is taken back.

    ``told`` are those of which something is said already.
    """
    by_udev = [found for one in dropped for found in _set_by_udev(kernel, document, one)]
    results = [one.result("until-restart", _BY_RULE, one.value) for one in by_udev]
    names = {(one.id, one.device) for one in (*told, *results)}
    names |= {(id_, name_of(e.device)) for e in document.entries for id_ in e.ids}
    for one in dropped:
        if (one.id, name_of(one.device)) not in names:
            now = (kernel.value_if_told(of.tunable, of.device) for of in present(kernel, one))
            results.append(one.result("already", _NO_LONGER, next(now, None)))
    return results


def present(kernel: KernelWriter, kept: Setting) -> list[Setting]:
    """What is kept, for the devices of today that it is meant for, first one of the same name."""
    if kept.device is None:
        return [kept]
    same = [one for one in kernel.devices(kept.device.kind) if one.is_same_hardware(kept.device)]
    same.sort(key=lambda one: one.name != name_of(kept.device))
    return [Setting(kept.id, kept.value, device) for device in same]
