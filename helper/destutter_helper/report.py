# SPDX-License-Identifier: GPL-3.0-or-later
"""What there is and how it stands, for reading: changes nothing."""

from collections.abc import Iterable, Sequence

from destutter_helper.api import names, safe_values, tunables
from destutter_helper.api.devices import Device, is_present, name_of
from destutter_helper.api.names import HelperError, said_of
from destutter_helper.api.payload import Change, Result, State, TunableState
from destutter_helper.api.statement import Said
from destutter_helper.api.states import parts
from destutter_helper.api.tunables import BY_ID, POLICY, TUNABLES, Tunable, read_state
from destutter_helper.journal import DAMAGED, IDLE, NEWER, TRIAL, Document, Entry
from destutter_helper.kernel_writer import KernelWriter

FOREIGN, GONE, FAILED, RESET = "foreign", "gone", "failed", "reset"  # outcomes of `Result`
_SOMEBODY_ELSE = "helper.note.somebody_else"
_RESURRECTED = Said("helper.note.resurrected")
_LEFT_TOLD_MAX = 20  # of 64; all with their notes may be more than is read again (VALUES_MAX)

Notes = tuple[Said, ...]
Ids = Iterable[str] | None


def results_of(
    entry: Entry, outcome: str, state: str, notes: Notes = (), ids: Ids = None, until: str = ""
) -> list[Result]:
    """One line for people for each setting of the entry that a user asked for, or of ``ids``."""
    name, origin = name_of(entry.device), entry.origin
    return [
        Result(id_, name, outcome, value_in(state, id_), value_in(origin, id_), until, notes)
        for id_ in (entry.ids if ids is None else ids)
    ]


def somebody_else(words: Iterable[str]) -> Said:
    """That the words of a state are what somebody else has made of it."""
    return Said(_SOMEBODY_ELSE, {"settings": " ".join(words)})


def conflict_of(entry: Entry) -> Notes:
    """Why an undo left an entry alone, if one has."""
    return () if entry.conflict is None else (entry.conflict,)


def in_conflict(entry: Entry) -> list[str]:
    """The settings that the conflict of an entry is about: those it names, else all."""
    if entry.conflict is None:
        return []
    named = read_state(str(entry.conflict.values.get("settings", "")))
    return [id_ for id_ in entry.ids if id_ in named] or list(entry.ids)


def not_all_back(reason: Said, left: Sequence[Result]) -> Said:
    """Why a set was not written, and what of it is still there, with the note of each."""
    told = [said_of(one.id, one.device, one.notes[0]) for one in left[:_LEFT_TOLD_MAX]]
    if len(left) > _LEFT_TOLD_MAX:
        told.append(Said("helper.trial.more_left", {"count": len(left) - _LEFT_TOLD_MAX}))
    return Said("helper.trial.not_all_back", {"reason": reason, "left": tuple(told)})


def value_in(state: str, id_: str) -> str | None:
    """A setting's value in a state; of the inactive one of a pair, the state as a whole."""
    return read_state(state).get(id_) or (state if BY_ID[id_].twin and state else None)


def look(kernel: KernelWriter, entry: Entry) -> tuple[str, str, Notes]:
    """An entry's state of now, between an outcome and notes that say why there is none."""
    if entry.device and not is_present(kernel.tree, entry.device):
        return GONE, "", (Said("helper.note.device_left"),)
    try:
        return "", kernel.state(entry.cell, entry.device), ()
    except HelperError as error:
        return FAILED, "", (error.said,)


def list_tunables(kernel: KernelWriter, document: Document) -> tuple[TunableState, ...]:
    """Every setting on every device; knobs of an I/O scheduler only where it is active."""
    memory_kib = kernel.memory_kib()
    present = {kind: kernel.devices(kind) for kind in tunables.DEVICE_KINDS}
    nowhere: list[Device | None] = [None]
    lines = [
        _line(kernel, document, memory_kib, tunable, device)
        for tunable in TUNABLES
        for device in present.get(tunable.device_kind) or nowhere
    ]
    return tuple(one for one in lines if one.current is not None or not BY_ID[one.id].scheduler)


def _line(
    kernel: KernelWriter, document: Document, ram_kib: int, tunable: Tunable, device: Device | None
) -> TunableState:
    current: str | None = None
    unavailable: Said | None = Said("helper.absent.kind_of_device")
    if device is not None or not tunable.device_kind:
        try:
            current = kernel.value(tunable, device)
            unavailable = None if current is not None else kernel.unavailable(tunable)
        except HelperError as error:
            unavailable = error.said
    entry = document.find(tunable.cell, device)
    low, high = safe_values.safe_range(tunable, ram_kib) or (None, None)
    return TunableState(
        id=tunable.id,
        device=name_of(device),
        label=tunable.label,
        unit=tunable.unit,
        kind=tunable.kind,
        current=current,
        low=low,
        high=high,
        choices=("other", "fifo:N", "rr:N") if tunable.kind == POLICY else tunable.offered,
        unavailable=unavailable,
        origin=value_in(entry.origin, tunable.id) if entry else None,
        keep=keep_word(entry) if entry and tunable.id in entry.ids else "",
    )


def state(document: Document, now_boottime_ns: int) -> State:
    """The answer to GetState."""
    trial = document.trial
    entries = document.entries
    changed: list[Result] = []
    conflicts: list[Result] = []
    for entry in entries:
        left = in_conflict(entry)
        word = FOREIGN if entry.conflict and entry.conflict.id == _SOMEBODY_ELSE else FAILED
        conflicts += results_of(entry, word, "", conflict_of(entry), left)
        if entry.ours:
            ids, until = [id_ for id_ in entry.ids if id_ not in left], keep_word(entry)
            changed += results_of(entry, "changed", entry.ours[-1], (), ids, until)
    residue = [BY_ID[id_].residue for entry in entries for id_ in entry.ids]
    return State(
        state=_state_word(document),
        seconds_left=trial.seconds_left(now_boottime_ns) if trial else 0,
        owner_uid=trial.owner_uid if trial else -1,
        owner_name=trial.owner_name if trial else "",
        changed=tuple(changed),
        conflicts=tuple(conflicts),
        kept_always=tuple(Change(e.id, e.value, name_of(e.device)) for e in document.profile),
        residue=tuple(one for one in dict.fromkeys(residue) if one is not None),
        notices=document.notices,
        leaves_out_kept=document.is_suspended,
    )


def keep_word(entry: Entry) -> str:
    """How long the entry stays: trial, restart or always."""
    return "trial" if entry.goal is not None or not entry.kept else entry.kept[-1].until


def _state_word(document: Document) -> str:
    if document.phase in {DAMAGED, NEWER}:
        return names.STATE_READ_ONLY
    if document.phase != IDLE:
        return names.STATE_TRIAL if document.phase == TRIAL else names.STATE_BUSY
    if any(entry.conflict for entry in document.entries):
        return names.STATE_CONFLICT
    return names.STATE_KEPT if document.entries else names.STATE_IDLE


def verify(kernel: KernelWriter, document: Document) -> tuple[Result, ...]:
    """How the kernel differs from the journal, entry by entry, and what came back."""
    results = [one for e in document.entries for one in results_of(e, *compare(kernel, e))]
    for stone in document.tombstones:
        _trouble, current, _why = look(kernel, stone)
        ours = parts((stone.ours or ("",))[-1])  # in a planted journal there may be none (A28)
        now, origin = parts(current), parts(stone.origin)
        is_back = ours != {} and all(now.get(id_) == word for id_, word in ours.items())
        is_back = is_back and any(origin.get(id_) != word for id_, word in ours.items())
        if is_back and document.find(stone.cell, stone.device) is None:
            results += results_of(stone, "resurrected", current, (_RESURRECTED,))
    return tuple(results)


def compare(kernel: KernelWriter, entry: Entry) -> tuple[str, str, Notes]:
    """Outcome, state of now and notes of one entry: ok, reset, foreign, gone or failed."""
    trouble, current, notes = look(kernel, entry)
    if trouble:
        return trouble, current, notes
    ours, now, origin = parts((entry.ours or ("",))[-1]), parts(current), parts(entry.origin)
    off = [id_ for id_, word in ours.items() if now.get(id_) != word]
    if ours and not off:
        return "ok", current, ()
    if current == entry.origin or (off and all(now.get(id_) == origin.get(id_) for id_ in off)):
        return RESET, current, (Said("helper.note.origin_again"),)
    others = [now[id_] for id_ in off if id_ in now]
    gone = tuple(Said("helper.note.setting_gone", {"name": id_}) for id_ in off if id_ not in now)
    return FOREIGN, current, ((somebody_else(others),) if others or not gone else ()) + gone
