# SPDX-License-Identifier: GPL-3.0-or-later
"""What there is and how it stands, for reading: changes nothing."""

from destutter_helper.api import names
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Result, State, TunableState
from destutter_helper.api.tunables import BY_ID, POLICY, TUNABLES, Tunable, read_state, safe_range
from destutter_helper.device import Device
from destutter_helper.journal import DAMAGED, IDLE, TRIAL, Document, Entry, Wish
from destutter_helper.kept import Profile
from destutter_helper.kernel_writer import KernelWriter
from destutter_helper.restore import FAILED, FOREIGN, GONE, results_of, value_in

_NS_PER_S = 1_000_000_000


def list_tunables(kernel: KernelWriter, document: Document) -> tuple[TunableState, ...]:
    """Every setting on every device; knobs of an I/O scheduler only where it is active."""
    memory_kib = kernel.memory_kib()
    kinds = {one.device_kind for one in TUNABLES} - {""}
    present = {kind: kernel.devices(kind) for kind in kinds}
    nowhere: list[Device | None] = [None]
    lines = [
        _tunable_state(kernel, document, tunable, device, memory_kib)
        for tunable in TUNABLES
        for device in present.get(tunable.device_kind) or nowhere
    ]
    return tuple(one for one in lines if one.current is not None or not BY_ID[one.id].scheduler)


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
            current = kernel.value(tunable, device)
            unavailable = "" if current is not None else kernel.unavailable(tunable, device)
        except HelperError as error:
            unavailable = error.reason
    entry = document.find(tunable.cell, device)
    low, high = safe_range(tunable, memory_kib) or (None, None)
    return TunableState(
        id=tunable.id,
        device=device.name if device else "",
        label=tunable.label,
        unit=tunable.unit,
        kind=tunable.kind,
        current=current,
        low=low,
        high=high,
        choices=("other", "fifo:N", "rr:N") if tunable.kind == POLICY else tunable.choices,
        unavailable=unavailable,
        origin=value_in(entry.origin, tunable.id) if entry else None,
        keep=keep_word(entry) if entry and tunable.id in entry.ids else "",
    )


def state(
    document: Document, profile: Profile, *, is_read_only: bool, now_boottime_ns: int
) -> State:
    """The answer to GetState."""
    trial = document.trial
    left_ns = max(trial.deadline_boottime_ns - now_boottime_ns, 0) if trial else 0
    changed: list[Result] = []
    conflicts: list[Result] = []
    for entry in document.entries:
        if entry.conflict:
            conflicts += results_of(entry, FOREIGN, "", entry.conflict)
        elif entry.ours:
            changed += results_of(entry, "changed", entry.ours[-1], keep_word(entry))
    residue = [BY_ID[id_].residue for entry in document.entries for id_ in entry.ids]
    return State(
        state=_state_word(document, is_read_only=is_read_only),
        seconds_left=-(-left_ns // _NS_PER_S),
        owner_uid=trial.owner_uid if trial else -1,
        owner_name=trial.owner_name if trial else "",
        changed=tuple(changed),
        conflicts=tuple(conflicts),
        kept_always=tuple(one.change for one in profile.changes),
        residue=tuple(text for text in dict.fromkeys(residue) if text),
        notices=document.notices,
    )


def keep_word(entry: Entry) -> str:
    """How long the entry stays: trial, restart or always."""
    return "trial" if entry.moving or not entry.kept else entry.kept[-1].until


def _state_word(document: Document, *, is_read_only: bool) -> str:
    if is_read_only or document.phase == DAMAGED:
        return names.STATE_READ_ONLY
    if document.phase != IDLE:
        return names.STATE_TRIAL if document.phase == TRIAL else names.STATE_BUSY
    if any(entry.conflict for entry in document.entries):
        return names.STATE_CONFLICT
    return names.STATE_KEPT if document.entries else names.STATE_IDLE


def verify(kernel: KernelWriter, document: Document) -> tuple[Result, ...]:
    """How the kernel differs from the journal, entry by entry, and what came back."""
    results: list[Result] = []
    for entry in document.entries:
        results += results_of(entry, *compare(kernel, entry))
    for stone in document.tombstones:
        if document.find(stone.cell, stone.device) or not kernel.is_present(stone.device):
            continue
        if kernel.state(stone.cell, stone.device) == stone.state != stone.origin:
            note = "our old value is back: another program took it for the original"
            ghost = Entry(stone.cell, stone.device, stone.origin)
            ghost.kept = tuple(Wish(id_, "") for id_ in stone.ids)
            results += results_of(ghost, "resurrected", stone.state, note)
    return tuple(results)


def compare(kernel: KernelWriter, entry: Entry) -> tuple[str, str, str]:
    """Outcome, state of now and note of one entry: ok, reset, foreign, gone or failed."""
    if not kernel.is_present(entry.device):
        return GONE, "", "the device left"
    try:
        current = kernel.state(entry.cell, entry.device)
    except HelperError as error:
        return FAILED, "", error.reason
    if entry.ours and current == entry.ours[-1]:
        return "ok", current, ""
    if current == entry.origin:
        return "reset", current, "it has its value from before Destutter again"
    before, now = read_state(entry.ours[-1] if entry.ours else ""), read_state(current)
    other = [f"{id_}={value}" for id_, value in now.items() if before.get(id_) != value]
    return FOREIGN, current, f"somebody else changed it: {' '.join(other)}"
