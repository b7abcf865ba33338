# SPDX-License-Identifier: GPL-3.0-or-later
"""What an expert's trace tells of a game: interrupts, the card, files, the longest wait's path."""

from collections.abc import Container

from PySide6.QtCore import QCoreApplication

from destutter.analysis.examining.longest_path import KnownPath
from destutter.analysis.examining.traced_sums import TracedSums
from destutter.core.traced import FILE, GPU, INTERRUPT, LONG_WAIT_NS, TracedTally
from destutter.ui.system.section import Cell, Section
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import spoken
from destutter.words.traced import called

_EVENTS = {
    INTERRUPT: "irq/irq_handler_entry",
    GPU: "dma_fence/dma_fence_wait_start",
    FILE: "filemap/mm_filemap_fault",
}
"""Without this one a kernel tells nothing of the kind."""

_COST_US = {INTERRUPT: 1.0, GPU: 1.0, FILE: 0.5}
"""What the events of each cost the game: two events of a request to a drive took 0.8 us (``make
bench ARGS=trace``)."""
_STACK_COST_US = 5.0  # a switch with its stack, in a ping-pong of two processes
_FILES_SINCE = "6.12"  # the first Linux with mm_filemap_fault


def inside_sections(
    sums: TracedSums, missing: Container[str], quantities: Quantities
) -> list[Section]:
    """A card for each kind; ``missing`` are the events that the kernel does not have."""
    translate = QCoreApplication.translate
    count, total, longest = (
        translate("System", "How often"),
        translate("System", "In all"),
        translate("System", "Longest"),
    )
    timed = (30, 14, 14, 14)
    heads = {
        INTERRUPT: (translate("System", "Handler"), count, total, longest),
        GPU: (translate("System", "Thread, driver"), count, total, longest),
        FILE: (translate("System", "File"), translate("System", "Pages")),
    }
    titles = {
        INTERRUPT: translate("System", "Interrupts that stopped the game's threads"),
        GPU: translate("System", "Waits of the game's threads for the graphics card"),
        FILE: translate("System", "Files of which the game's threads waited for pages"),
    }
    return [
        Section(
            kind,
            titles[kind],
            heads[kind] if sums.of(kind) else (),
            tuple(_row(each, quantities) for each in sums.of(kind)),
            _note(kind, sums, missing, quantities),
            timed if kind != FILE else (60, 12),
        )
        for kind in _EVENTS
    ]


def path_section(
    known: KnownPath | None, sums: TracedSums, quantities: Quantities, *, is_replay: bool
) -> Section:
    """In which functions of the kernel the longest sleep was; ``known`` None: there was none."""
    translate = QCoreApplication.translate
    cost = translate(
        "System", "Cost: about {time} more for each sleep for a drive or a lock."
    ).format(time=quantities.milliseconds(_STACK_COST_US / 1000))
    told = ""
    functions: tuple[str, ...] = ()
    if known is not None:
        functions = known.functions
        told = translate("System", "{thread} slept {time}; the innermost function stands first.")
        if not functions:
            told = translate("System", "{thread} slept {time}; its call path is kept no more.")
        if is_replay:
            told = translate("System", "{thread} slept {time}; a recording has no call paths.")
        length = quantities.milliseconds(known.sleep.duration_ns / 1e6)
        told = told.format(thread=called(known.sleep.thread), time=length)
    elif not sums.is_empty:
        told = translate("System", "No thread of the game slept for {time} in the kernel.").format(
            time=quantities.milliseconds(LONG_WAIT_NS / 1e6)
        )
    return Section(
        "path",
        translate("System", "Call path of the longest wait in the kernel"),
        (translate("System", "Function"),) if functions else (),
        tuple((Cell(each, is_technical=True),) for each in functions),
        spoken().sentences(filter(None, (told, cost))),
        (1,),
    )


def cost_text(sums: TracedSums, quantities: Quantities) -> str:
    """How much was read, what that took, and whether something is missing in it."""
    translate = QCoreApplication.translate
    if not sums.taken_ns:
        return ""
    told = [
        translate("System", "{count} events in {time}, read with {share} of a core.").format(
            count=quantities.number(sums.events),
            time=quantities.duration(sums.taken_ns / 1e9),
            share=quantities.percent(sums.cost_pct, 2),
        )
    ]
    if sums.partly_ns:
        partly = quantities.duration(sums.partly_ns / 1e9)
        told.append(translate("System", "{time} not measured in full.").format(time=partly))
    return spoken().sentences(told)


def _row(tally: TracedTally, quantities: Quantities) -> tuple[Cell, ...]:
    name, count = Cell(tally.name, is_technical=True), Cell(quantities.number(tally.count))
    if tally.kind == FILE:
        return name, count
    lengths = (tally.total_ns, tally.longest_ns)
    return name, count, *(Cell(quantities.milliseconds(each / 1e6)) for each in lengths)


def _note(kind: str, sums: TracedSums, missing: Container[str], quantities: Quantities) -> str:
    translate = QCoreApplication.translate
    event = _EVENTS[kind]
    if event in missing:
        told = translate("System", "Not measured: this kernel has no event {event}.")
        if kind == FILE:
            told = translate(
                "System", "Not measured: the event {event} is in Linux {version} and newer only."
            )
        return told.format(event=event, version=_FILES_SINCE)
    cost = {
        INTERRUPT: translate("System", "Cost: about {time} more for each interrupt."),
        GPU: translate("System", "Cost: about {time} more for each wait, some for each frame."),
        FILE: translate("System", "Cost: about {time} more for each page that has to be read."),
    }[kind].format(time=quantities.milliseconds(_COST_US[kind] / 1000))
    if sums.is_empty or sums.of(kind):
        return cost
    nothing = {
        INTERRUPT: translate("System", "No interrupt stopped a thread of the game."),
        GPU: translate("System", "No thread of the game waited for the graphics card."),
        FILE: translate("System", "No thread of the game waited for a page of a file."),
    }[kind]
    return spoken().sentences((nothing, cost))
