# SPDX-License-Identifier: GPL-3.0-or-later
"""What there is and how it stands, for reading: changes nothing."""

from destutter_helper.api.names import (
    STATE_BUSY,
    STATE_CONFLICT,
    STATE_IDLE,
    STATE_KEPT,
    STATE_READ_ONLY,
    STATE_TRIAL,
    HelperError,
)
from destutter_helper.api.payload import Result, State, TunableState
from destutter_helper.api.tunables import BY_ID, POLICY, TUNABLES, Tunable, safe_range
from destutter_helper.device import Device
from destutter_helper.journal import DAMAGED, IDLE, TRIAL, Document, Entry
from destutter_helper.kept import Profile, plain_value
from destutter_helper.kernel_writer import KernelWriter
from destutter_helper.restore import FOREIGN, GONE, is_asked, result_of

_NS_PER_S = 1_000_000_000


def list_tunables(kernel: KernelWriter, document: Document) -> tuple[TunableState, ...]:
    """Every setting on every device; knobs of an I/O scheduler only where it is active."""
    memory_kib = kernel.memory_kib()
    found = []
    for tunable in TUNABLES:
        kind = tunable.device_kind
        devices: list[Device | None] = [*kernel.devices(kind)] if kind else [None]
        for device in devices or [None]:
            line = _tunable_state(kernel, document, tunable, device, memory_kib)
            if line.current is not None or not tunable.scheduler:
                found.append(line)
    return tuple(found)


def _tunable_state(
    kernel: KernelWriter,
    document: Document,
    tunable: Tunable,
    device: Device | None,
    memory_kib: int,
) -> TunableState:
    current, unavailable = None, "this computer has no such device"
    if device is not None or not tunable.device_kind:
        try:
            current = kernel.read(tunable, device)
            unavailable = "" if current is not None else kernel.unavailable(tunable, device)
        except HelperError as error:
            unavailable = error.reason
    if current is not None and tunable.twin:
        current = plain_value(current) if current.startswith(f"{tunable.id}=") else "0"
    entry = document.find(tunable.cell, device)
    limits = safe_range(tunable, memory_kib) or (None, None)
    return TunableState(
        id=tunable.id,
        device=device.name if device else "",
        label=tunable.label,
        unit=tunable.unit,
        kind=tunable.kind,
        current=current,
        low=limits[0],
        high=limits[1],
        choices=tunable.choices if tunable.kind != POLICY else ("other", "fifo:N", "rr:N"),
        unavailable=unavailable,
        origin=entry.origin if entry else None,
        keep=_keep_word(entry) if entry else "",
    )


def _keep_word(entry: Entry) -> str:
    return "trial" if entry.want is not None else entry.keep


def state(
    document: Document, profile: Profile, *, is_read_only: bool, now_boottime_ns: int
) -> State:
    """The answer to GetState."""
    trial = document.trial
    left_ns = max(trial.deadline_boottime_ns - now_boottime_ns, 0) if trial else 0
    asked = [entry for entry in document.entries if is_asked(entry)]
    return State(
        state=_state_word(document, is_read_only=is_read_only),
        seconds_left=-(-left_ns // _NS_PER_S),
        owner_uid=trial.owner_uid if trial else -1,
        owner_name=trial.owner_name if trial else "",
        changed=tuple(
            result_of(entry, "changed", entry.ours[-1], _keep_word(entry))
            for entry in asked
            if not entry.conflict and entry.ours
        ),
        conflicts=tuple(
            result_of(entry, FOREIGN, None, entry.conflict)
            for entry in document.entries
            if entry.conflict
        ),
        kept_always=tuple(change.change for change in profile.changes),
        residue=tuple(
            dict.fromkeys(
                residue for entry in document.entries if (residue := BY_ID[entry.id].residue)
            )
        ),
        notices=document.notices,
    )


def _state_word(document: Document, *, is_read_only: bool) -> str:
    if is_read_only or document.phase == DAMAGED:
        return STATE_READ_ONLY
    if document.phase == TRIAL:
        return STATE_TRIAL
    if document.phase != IDLE:
        return STATE_BUSY
    if any(entry.conflict for entry in document.entries):
        return STATE_CONFLICT
    return STATE_KEPT if document.entries else STATE_IDLE


def verify(kernel: KernelWriter, document: Document) -> tuple[Result, ...]:
    """How the kernel differs from the journal, entry by entry, and what came back."""
    results = []
    for entry in document.entries:
        result = _verify(kernel, entry)
        if is_asked(entry) or result.outcome != "ok":
            results.append(result)
    for stone in document.tombstones:
        tunable = BY_ID[stone.id]
        if document.find(tunable.cell, stone.device) or not kernel.is_present(stone.device):
            continue
        current = kernel.read(tunable, stone.device)
        if current == stone.state != stone.origin:
            name = stone.device.name if stone.device else ""
            note = "our old value is back: another program took it for the original"
            results.append(Result(stone.id, name, "resurrected", current, stone.origin, note))
    return tuple(results)


def _verify(kernel: KernelWriter, entry: Entry) -> Result:
    tunable = BY_ID[entry.id]
    if not kernel.is_present(entry.device):
        return result_of(entry, GONE, None, "the device left")
    try:
        current = kernel.read(tunable, entry.device)
    except HelperError as error:
        return result_of(entry, "failed", None, error.reason)
    if entry.ours and current == entry.ours[-1]:
        return result_of(entry, "ok", current)
    if current == entry.origin:
        return result_of(entry, "reset", current, "it has its value from before Destutter again")
    return result_of(entry, FOREIGN, current, "somebody else changed it")
