# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings of trials as fixtures: what has to be said beside them, strangers without a name."""

import json
from dataclasses import replace
from pathlib import Path

from destutter.core.sample import Facts, Header, Layout, Message
from destutter.session.recorder import Recorder
from destutter.session.replay import ReplaySource
from tests.truth.outcome import Outcome

_OF_PROCESSES = ("process", "thread", "realtime")
_ON_DRIVES = "process_drive"
_KNOWN = frozenset(
    "victim victim-main stall dd fio cat gcc cc1 as sh python python3 timeout destutter".split()
)
_KNOWN_STARTS = ("dxvk-shader-",)
_KERNEL_THREADS = ("kworker/", "ksoftirqd/", "kswapd", "kcompactd", "khugepaged", "rcu_", "loop")


def keep(recording: Path, outcome: Outcome, folder: Path) -> None:
    """Put a recording and what is true about it into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{outcome.scenario}.{outcome.make}.destutter"
    target.unlink(missing_ok=True)
    _copy(recording, target, _KNOWN.union(outcome.culprits, outcome.innocents, outcome.names))
    truth = {
        "causes": outcome.causes,
        "also": sorted(outcome.true - set(outcome.causes)),
        "culprits": outcome.culprits,
        "innocents": outcome.innocents,
        "expects": outcome.expects,
        "make": outcome.make,
        "seed": outcome.seed,
        "names": outcome.names,
        "thread": outcome.thread,
        "stutters": outcome.stutters,
        "felt": outcome.felt,
        "is_named": outcome.is_named,
        "is_judged": outcome.is_judged,
    }
    target.with_suffix(".json").write_text(json.dumps(truth, indent=1) + "\n")


def _copy(recording: Path, target: Path, known: frozenset[str]) -> None:
    source = ReplaySource(recording)
    try:
        messages = source.messages()
        header = next(iter(messages))
        assert isinstance(header, Header)
        machine = {**header.machine, "kernel": _plain(str(header.machine.get("kernel", "")))}
        with Recorder(target, replace(header, machine=machine)) as recorder:
            for message in messages:
                recorder.accept_message(_without_strangers(message, known))
    finally:
        source.close()


def _without_strangers(message: Message, known: frozenset[str]) -> Message:
    if isinstance(message, Layout) and message.source in _OF_PROCESSES and message.instances:
        instances = tuple(_renamed(each, known) for each in message.instances)
        return replace(message, instances=instances)
    if isinstance(message, Layout) and message.source == _ON_DRIVES and message.instances:
        rows = (each.partition(" ") for each in message.instances)
        instances = tuple(f"{drive} {_renamed(each, known)}" for drive, _, each in rows)
        return replace(message, instances=instances)
    if isinstance(message, Facts) and "kernel.release" in message.facts:
        release = _plain(message.facts["kernel.release"])
        return replace(message, facts={**message.facts, "kernel.release": release})
    return message


def _renamed(instance: str, known: frozenset[str]) -> str:
    number, _, name = instance.partition(" ")
    is_known = name in known or name.startswith(_KERNEL_THREADS + _KNOWN_STARTS)
    return instance if is_known or not number.isdecimal() else f"{number} other"


def _plain(release: str) -> str:
    """A kernel's release without the name that its builder gave it."""
    return release.split("-", 1)[0]
