# SPDX-License-Identifier: GPL-3.0-or-later
"""English words for what diagnosis says.

A ``Statement`` is a template's id and numbers. The end of a place's name says its unit (``_ms``,
``_bytes``, ``_pct``, ``_s``, ...), so that a translation can write the number in its own way.
Between number and unit stands a no-break space. The window has translations of the same ids.
"""

import functools
import string
from collections.abc import Callable, Mapping

from destutter.diagnosis.cause_words import (
    CAUSE_WORDS,
    CAUSING_MORE,
    CAUSING_ONE,
    VERDICT,
)
from destutter.diagnosis.finding import Confidence, Finding, Group, Statement
from destutter.diagnosis.verdict_words import VERDICTS, Plural

NBSP = "\N{NO-BREAK SPACE}"


GROUP_NAMES: Mapping[Group, str] = {
    Group.MEMORY: "Memory",
    Group.STORAGE: "Storage",
    Group.CPU: "CPU",
    Group.GPU: "GPU",
    Group.POWER: "Power",
}
GROUPS_INSIDE: Mapping[Group, str] = {
    group: name if name.isupper() else name.lower() for group, name in GROUP_NAMES.items()
}
"""Names of groups inside a sentence; other languages have other rules for capitals."""

CONFIDENCE_NAMES: Mapping[Confidence, str] = {
    Confidence.HIGH: "high",
    Confidence.MEDIUM: "medium",
    Confidence.LOW: "low",
}

CAUSE_NAMES: dict[str, str] = {
    "direct_reclaim": "Waiting for free memory",
    "dirty_throttling": "Writing held back",
    "slow_device": "Slow drive",
    "run_queue_delay": "Waiting for a core",
    **{cause: words.name for cause, words in CAUSE_WORDS.items()},
    "slow_device.limit": "The game's limit for the drive",
    "run_queue_delay.limit": "The game's limit for the processor",
    "swap_thrash.paged": "The game's memory was paged out",
}
"""Names of causes, and of the ways in which one comes about that need another explanation."""

METRIC_NAMES: dict[str, str] = {
    "memory.direct_reclaim_per_s": "Pages that programs freed themselves",
    "memory.allocstall_per_s": "Times that a program had to free memory first",
    "memory.dirty_of_threshold_pct": "Unwritten data, of the limit",
    "memory.writeback_bytes": "Data on its way to the drive",
    "pressure.some_pct": "Time that programs of the whole computer lost",
    "disk.read_await_ms": "Wait for a read",
    "disk.write_await_ms": "Wait for a write",
    "disk.reads_in_flight": "Reads without an answer",
    "disk.queue_depth": "Requests in the queue",
    "write.worst_write_ms": "Longest write of the probe",
    "game.run_delay_ms_per_s": "Wait of the game's main thread for a core",
    "thread.run_delay_ms_per_s": "Wait of a game thread for a core",
    "cpu.running": "Tasks that wanted a core",
    "cpu.busy_pct": "Processor in use",
    "wakeup.worst_ms": "Latest wake-up",
    "wakeup.average_ms": "Wake-ups on average",
    "game.blocked_pct": "Time in which the game's main thread could not be woken",
    "game.dirty_wait_pct": "Time in which the game was held back from writing",
    "game.journal_wait_pct": "Time in which the game waited for the file system",
    "game.pressure_some_pct": "Time that the game's own group lost",
    "thread.waiting": "Thread of the game that was found waiting",
    "worker.run_delay_ms_per_s": "Wait of a game thread for a core",
    "realtime.run_ms_per_s": "Time that a real-time task ran",
    "memory.dirty_of_sum_pct": "Unwritten data, of both limits together",
    "cgroup.cpu_limit_ms_per_s": "Time that the game's limit for the processor withheld",
    "cgroup.read_limit_bytes_per_s": "What the game's group may read",
    "cgroup.read_limit_per_s": "Reads that the game's group may make",
    "cgroup.write_limit_bytes_per_s": "What the game's group may write",
    "cgroup.write_limit_per_s": "Writes that the game's group may make",
    "firmware.events_per_s": "Events of the firmware",
    "cgroup.limit_events_per_s": "Times that the game reached its memory limit",
    "cgroup.direct_reclaim_per_s": "Pages that the game freed itself",
    "cgroup.pressure_some_pct": "Time that the game's group lost to memory",
    "memory.kswapd_low_quickly_per_s": "Times that memory was low again at once",
    "memory.refault_file_per_s": "Pages of files that were needed again",
    "memory.compact_stall_per_s": "Waits for connected memory",
    "memory.drop_caches_per_s": "Times that the page cache was emptied",
    "memory.swap_in_per_s": "Pages that came back from swap",
    "memory.swap_out_per_s": "Pages that went to swap",
    "game.swap_bytes": "Memory that the game's swap changed by",
    "game.page_faults_per_s": "Page faults of the game",
    "game.system_ms_per_s": "Work of the kernel for the game",
    "memory.zone_reclaim_per_s": "Attempts to free memory in one node",
    "memory.numa_miss_per_s": "Pages taken from a far node",
    "game.major_faults_per_s": "Pages that the game had to wait for",
    "process.cpu_pct": "Share of a core that a program used over a few seconds",
    "process.io_bytes_per_s": "Data that a program moved",
    "process.write_bytes_per_s": "Data that a program wrote",
    "disk.flush_await_ms": "Wait for a flush",
    "cpu.steal_pct": "Time that the host took",
    "cpu.context_switches_per_s": "Changes between tasks",
    "cpuidle.entered_per_s": "Times that cores went to sleep",
    "thread.cpu_ms_per_s": "Work of a game thread",
    "throttle.core_ms_per_s": "Time that cores were slowed down",
    "throttle.package_ms_per_s": "Time that the processor was slowed down",
    "temperature.celsius": "Temperature",
    "interrupt.per_s": "Interrupts",
    "core.irq_pct": "Share of a core that interrupts used",
    "kernel_thread.run_delay_ms_per_s": "Wait of the kernel's own threads",
    "realtime.cpu_pct": "Share of a core that a real-time task used over a few seconds",
    "gpu.busy_pct": "Use of the graphics card",
    "gpu.vram_used_pct": "Memory of the graphics card in use",
    "gpu.throttle_reasons": "Reasons to slow down (bits)",
    "gpu.link_width_pct": "Lanes of the graphics card in use, of all",
    "gpu.link_speed_pct": "Speed of the graphics card's link, of the highest",
}

_WAITS = {cause: words.waited for cause, words in CAUSE_WORDS.items()} | {
    "slow_device": "while {device} was slow to answer"
}

TEMPLATES: dict[str, str | Plural] = {
    **VERDICTS,
    # Tiles
    "tile.waiting": "Measuring…",
    "tile.not_measured": "{why}",
    "tile.memory.clear": "No program had to wait for memory; {available_bytes} available",
    "tile.memory.clear.plain": "No program had to wait for memory",
    "tile.memory.waited": "Programs waited for memory in {share_pct} of the last half minute",
    "tile.storage.clear": "{device} answered reads within {await_ms}",
    "tile.storage.idle": "Hardly any reads in the last half minute",
    "tile.cpu.clear.game": "The game waited {delay_ms} a second for a core",
    "tile.cpu.clear.wakeup": "A program that wakes up got a core within {late_ms}",
    "tile.cpu.late": "A program that woke up got a core up to {late_ms} late",
    "tile.cpu.clear": "{busy_pct} of the processor in use",
    "tile.gpu.clear": "{busy_pct} busy",
    "tile.gpu.clear.vram": "{busy_pct} busy, {vram_pct} of its memory in use",
    "tile.gpu.clear.plain": "The graphics card can be read",
    "tile.power.clear.temperature": "No throttling; the hottest sensor shows {celsius}",
    "tile.power.clear.clock": "The processor runs at {clock_pct} of its highest clock",
    "tile.power.clear": "No throttling",
    "tile.causing.direct_reclaim": Plural(
        "explained",
        "Direct reclaim hit {explained} stutter, up to {pages_per_s}",
        "Direct reclaim hit {explained} stutters, up to {pages_per_s}",
    ),
    "tile.watch.direct_reclaim": "Programs freed memory themselves, up to {pages_per_s}",
    "tile.causing.direct_reclaim.plain": Plural(
        "explained",
        "Direct reclaim hit {explained} stutter",
        "Direct reclaim hit {explained} stutters",
    ),
    "tile.watch.direct_reclaim.plain": "Programs freed memory themselves",
    "tile.causing.dirty_throttling": Plural(
        "explained",
        "Unwritten data met {explained} stutter, up to {value_pct} of the limit",
        "Unwritten data met {explained} stutters, up to {value_pct} of the limit",
    ),
    "tile.watch.dirty_throttling": "Unwritten data reached {value_pct} of the limit",
    "tile.causing.dirty_throttling.plain": Plural(
        "explained",
        "A burst of writing met {explained} stutter",
        "A burst of writing met {explained} stutters",
    ),
    "tile.watch.dirty_throttling.plain": "Much unwritten data went to the drive",
    "tile.causing.slow_device": Plural(
        "explained",
        "{device} was slow at {explained} stutter",
        "{device} was slow at {explained} stutters",
    ),
    "tile.watch.slow_device": "{device} was slow to answer reads",
    "tile.causing.slow_device.plain": Plural(
        "explained",
        "The drive was slow at {explained} stutter",
        "The drive was slow at {explained} stutters",
    ),
    "tile.watch.slow_device.plain": "The drive was slow to answer",
    "tile.causing.run_queue_delay": Plural(
        "explained",
        "The processor was crowded at {explained} stutter",
        "The processor was crowded at {explained} stutters",
    ),
    "tile.watch.run_queue_delay": "More tasks wanted a core than there are cores",
    "tile.causing.run_queue_delay.limit": Plural(
        "explained",
        "The game's limit for the processor was used up at {explained} stutter",
        "The game's limit for the processor was used up at {explained} stutters",
    ),
    "tile.watch.run_queue_delay.limit": "The game's limit for the processor was used up",
    "tile.causing.slow_device.limit": Plural(
        "explained",
        "The game's limit for the drive was used up at {explained} stutter",
        "The game's limit for the drive was used up at {explained} stutters",
    ),
    "tile.causing.swap_thrash.paged": Plural(
        "explained",
        "Memory of the game had been paged out at {explained} stutter",
        "Memory of the game had been paged out at {explained} stutters",
    ),
    "tile.watch.swap_thrash.paged": "Memory of the game had been paged out",
    "tile.watch.slow_device.limit": "The game's limit for the drive was used up",
    "tile.causing.gpu_throttling.link": Plural(
        "explained",
        "The graphics card's link was slower than it can be at {explained} stutter",
        "The graphics card's link was slower than it can be at {explained} stutters",
    ),
    "tile.watch.busy": "{busy} was busy at stutters",
    "tile.watch.gpu_throttling.link": "The graphics card's link is slower than it can be",
    **{f"verdict.{cause}": VERDICT.format(waited=waited) for cause, waited in _WAITS.items()},
    **{
        f"verdict.{cause}.plain": VERDICT.format(waited=waited.replace("{device}", "the drive"))
        for cause, waited in _WAITS.items()
        if "{device}" in waited
    },
    **{
        f"tile.causing.{cause}": Plural(
            "explained",
            CAUSING_ONE.format(tile=words.tile),
            CAUSING_MORE.format(tile=words.tile),
        )
        for cause, words in CAUSE_WORDS.items()
    },
    **{f"tile.watch.{cause}": words.tile for cause, words in CAUSE_WORDS.items()},
    # Why a finding is as sure as it is
    "reason.timing": "{met} of {total} fell together with it; by chance it would be {expected}",
    "reason.direct": "The wait itself was measured",
    "reason.stolen": "The host took up to {share_pct} of the time in which the game wanted a core",
    "reason.limit_part": (
        "In {met} of {total} the limit is a part of the reason, with up to {held_ms}: the game "
        "itself worked for longer"
    ),
    "reason.drive_limit": (
        "The limit is one of the game's control group or of one above it (io.max, or "
        "blkio.throttle of version 1): raise it or take it away"
    ),
    "reason.worked": (
        "At {met} of {total} {thread} of the game computed all the while, which alone explains them"
    ),
    "reason.constant": "Time is lost in {share_pct} of all seconds, and it is there each time",
    "reason.seen": "At {met} of {total} the game itself was found waiting for it",
    "reason.seen.thread": "At {met} of {total} its thread {thread} was found waiting for it",
    "reason.paged": (
        "At {met} of {total} memory of the game that had been paged out came back, without a "
        "wait that is counted: the kernel worked on it for up to {kernel_ms}"
    ),
    "reason.busy": (
        "{busy} was busy in {met} of {total}; that the game waited for it could not be seen. "
        "Whether it did is measured when the game is started as: systemd-run --user --scope GAME"
    ),
    "reason.met": (
        "{busy} was busy in {met} of {total}; that the game waited for it could not be seen"
    ),
    "reason.dropped": (
        "Shortly before {met} of {total} something had emptied the page cache (drop_caches): the "
        "kernel does not tell who"
    ),
    "reason.explained_by": "On the same drive {met} of them have another explanation: {cause}",
    "reason.no_match": "No stutter fell together with it",
    "reason.always_there": (
        "{met} of {total} fell together with it, but so would {share_pct} of any others: it is "
        "there much of the time"
    ),
    "reason.period": (
        "{met} of {total} pauses between them fit a beat of {period_s}; by chance it would be "
        "{expected}"
    ),
    "reason.period.overlay": "An overlay or a meter that looks twice a second does that",
    "reason.period.sensor": "A plugin, a sensor or a meter that looks each second does that",
    "reason.period.writeback": "The kernel's and the file system's timers for writing do that",
    "reason.period.poller": "A program in the background that looks now and then does that",
    "reason.period.scenery": "A simulator that loads the next piece of scenery does that",
    "reason.period.other": "No usual program is known for this beat",
    # Who did it
    "culprit.grew": "took {grown_bytes} more memory",
    "culprit.traffic": "read and wrote {io_bytes_per_s}",
    "culprit.wrote": "wrote {io_bytes_per_s}",
    "culprit.cpu": "used {cpu_pct} of one core",
    "culprit.system": "used {cpu_pct} of one core in the kernel",
    "culprit.started": "started programs that used {cpu_pct} of one core",
    "culprit.loop": "its kernel workers used {cpu_pct} of one core",
    "culprit.realtime": "used {cpu_pct} of one core at real-time priority",
    "culprit.realtime.stutter": "had {cpu_pct} of one core in a stutter, at real-time priority",
}


def named_as(finding: Finding) -> str:
    """What the name and the explanation of a finding stand under: its way, or else its cause."""
    return finding.told_as if finding.told_as in CAUSE_NAMES else finding.cause


def render(statement: Statement) -> str:
    """The sentence in English."""
    template = TEMPLATES[statement.id]
    if isinstance(template, Plural):
        template = template.one if statement.values[template.key] == 1 else template.other
    return template.format(**{key: place(key, value) for key, value in statement.values.items()})


@functools.cache
def places(template_id: str) -> frozenset[str]:
    """The places that a template has. Raises ``KeyError`` for an unknown template."""
    template = TEMPLATES[template_id]
    text = template.other if isinstance(template, Plural) else template
    return frozenset(name for _, name, _, _ in string.Formatter().parse(text) if name)


def told_with(template_id: str, values: Mapping[str, str | int | float]) -> Statement:
    """The sentence with these values, or its plain one, which does without what is missing."""
    if not places(template_id) <= values.keys():
        template_id += ".plain"
    return Statement(template_id, dict(values))


def place(key: str, value: str | float) -> str:
    """What stands at one place of a template: the number with the unit that its name ends in."""
    if isinstance(value, str):
        return _WORDS[key](value) if key in _WORDS else value
    for ending, unit in _UNITS:
        if key.endswith(ending):
            return unit(value)
    return number(value, 0 if float(value).is_integer() else 1)


def quantity(value: float, unit: str) -> str:
    """A metric's value with its unit, as ``MetricSpec.unit`` names it."""
    writer = _QUANTITIES.get(unit)
    return writer(value) if writer else with_unit(value, unit)


def number(value: float, decimals: int = 0) -> str:
    """A plain number with separators: 75,214."""
    return f"{value:,.{decimals}f}"


def with_unit(value: float, unit: str) -> str:
    """A number in two or three figures with its unit."""
    figure = number(value, 0 if abs(value) >= 100 or float(value).is_integer() else 1)
    return f"{figure}{NBSP}{unit}" if unit else figure


def duration(value_s: float) -> str:
    """A span in the words of everyday: 45 seconds, 2 minutes, 3 hours."""
    for seconds, one in ((3600, "hour"), (60, "minute")):
        # Nearly two minutes are two minutes, and not 119 seconds.
        if value_s >= 1.95 * seconds or value_s == seconds:
            count = 1 if value_s == seconds else max(2, int(value_s // seconds))
            return f"{count}{NBSP}{one}{'' if count == 1 else 's'}"
    value_s = max(value_s, 0.0)
    shown = f"{value_s:.1f}" if value_s < 2 and value_s != round(value_s) else f"{value_s:.0f}"
    return f"{shown}{NBSP}second{'' if shown == '1' else 's'}"


def size(value_bytes: float) -> str:
    """A size in steps of 1024: 1.4 GB."""
    for power, unit in ((3, "GB"), (2, "MB"), (1, "kB")):
        if abs(value_bytes) >= 1024**power:
            return with_unit(value_bytes / 1024**power, unit)
    return with_unit(value_bytes, "bytes")


def milliseconds(value_ms: float) -> str:
    """A wait: 0.4 ms, 214 ms, 12 s."""
    if value_ms >= 10_000:
        return with_unit(value_ms / 1000, "s")
    return (
        with_unit(value_ms, "ms") if value_ms >= 0.05 or value_ms == 0 else f"<{NBSP}0.1{NBSP}ms"
    )


def listed(names: str) -> str:
    """Comma-separated group ids as words: "Memory, storage and CPU"."""
    groups = [Group(name) for name in names.split(",") if name]
    words = [GROUP_NAMES[group] for group in groups[:1]]
    words += [GROUPS_INSIDE[group] for group in groups[1:]]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


_WORDS: Mapping[str, Callable[[str], str]] = {
    "group": lambda name: (lambda word: word if word.isupper() else word.lower())(
        GROUP_NAMES[Group(name)]
    ),
    "cause": lambda cause: CAUSE_NAMES[cause],
    "confidence": lambda name: CONFIDENCE_NAMES[Confidence(name)],
    "who": lambda name: name or "A program",
    "quiet": listed,
    "busy": listed,
}
_QUANTITIES: Mapping[str, Callable[[float], str]] = {
    "ms": milliseconds,
    "B": size,
    "B/s": lambda value: size(value) + "/s",
    "s": duration,
}
_UNITS: tuple[tuple[str, Callable[[float], str]], ...] = (
    ("_pages_per_s", lambda value: with_unit(round(value), "pages/s")),
    ("pages_per_s", lambda value: with_unit(round(value), "pages/s")),
    ("_bytes_per_s", _QUANTITIES["B/s"]),
    ("_bytes", size),
    ("_ms", milliseconds),
    ("_pct", lambda value: with_unit(value, "%")),
    ("_s", duration),
    ("celsius", lambda value: with_unit(value, "°C")),
)
