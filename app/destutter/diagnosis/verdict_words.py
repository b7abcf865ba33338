# SPDX-License-Identifier: GPL-3.0-or-later
"""English words of the banner: whether it stutters, and where the time went."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plural:
    """Two forms of a sentence, chosen by the number at ``key``."""

    key: str
    one: str
    other: str


_BY_WORKER = "The main thread waited for {thread}, which"

_BY_FILE: Mapping[str, str] = {
    "locks": "waited for the lock of a file that {holder} has",
    "locks_untold": "waited for the lock of a file; who has it the kernel does not tell",
    "serves": "waited for a file system that a program runs (FUSE): {holder}",
    "serves_untold": "waited for a file system that a program runs (FUSE)",
}
HELD_BY_FILE = (
    *(f"elsewhere_{how}" for how in _BY_FILE),
    *(f"worker_elsewhere_{how}" for how in _BY_FILE),
)
"""Waits for whoever has a file's lock, or answers for its file system."""

STOPPED = ("stopped", "stopped_traces", "stopped_traces_untold")
"""The game stood still because somebody else wanted it to."""

_UNEXPLAINED: Mapping[str, str] = {
    "own_work": "The game's own thread {thread} computed for {run_ms} of {of_ms}.",
    "own_work_limit": (
        "The game's own thread {thread} computed for {run_ms} of {of_ms}, and for {held_ms} its "
        "own limit for the processor withheld the core."
    ),
    "own_work_brief": (
        "The game itself computed for {run_ms} of {of_ms}, in threads that it started for that or "
        "that are too many to follow."
    ),
    "own_kernel_fresh": (
        "The kernel worked for the game for {kernel_ms} of {of_ms}: the game took new memory."
    ),
    "own_kernel_faults": (
        "The kernel worked for the game for {kernel_ms} of {of_ms}, on page faults. The game "
        "itself can be the reason, or a program that changes its memory; which could not be seen."
    ),
    "own_kernel_calls": (
        "The kernel worked for the game for {kernel_ms} of {of_ms}, as it does for who gives "
        "memory back or reads from the cache; for what could not be seen."
    ),
    "own_crowd": (
        "The game's own threads filled all {cores} cores and waited for each other, not for "
        "others."
    ),
    "timer": "The game's main thread slept on a timer of its own.",
    "handed_on": (
        "The game's main thread waited for another of its threads or a helper program; what kept "
        "that one could not be seen."
    ),
    "handed_on_alone": (
        "The game has one thread, and that slept until its own time ran out or a program that "
        "shares memory with it woke it (futex); which of both cannot be seen."
    ),
    "elsewhere": (
        "No drive had work: the game waited for a server, a device, a lock or a program that it "
        "started."
    ),
    "held_back": (
        "No drive had the game's requests for so long: above the drives a limit, a frozen file "
        "system, a file server or a lock held it back."
    ),
    "frozen": (
        "The game's file system stood still: a snapshot or a backup had frozen it (fsfreeze), or "
        "the kernel held a lock of that kind."
    ),
    "stopped": (
        "The game was stopped from outside: by a signal, with its control group or by a debugger. "
        "Who sent a signal the kernel does not tell."
    ),
    "stopped_traces": "The game was stopped by {holder}, which traces it as a debugger does.",
    "stopped_traces_untold": (
        "The game was stopped by a program that traces it as a debugger does; which one cannot be "
        "seen here."
    ),
    "maps": (
        "The game's threads waited for its memory map; a program that reads it makes that longer."
    ),
    "socket": "The game's main thread waited for an answer of the network or another program.",
    "pipe": "The game's main thread waited for another program.",
    "gpu": "The game's main thread waited for the graphics card.",
    "worker_timer": f"{_BY_WORKER} slept on a timer.",
    "worker_socket": f"{_BY_WORKER} waited for the network or another program.",
    "worker_pipe": f"{_BY_WORKER} waited for another program.",
    "worker_gpu": f"{_BY_WORKER} waited for the graphics card.",
    "worker_elsewhere": f"{_BY_WORKER} waited for a server, a device or a lock.",
    "worker_held_back": (
        f"{_BY_WORKER} waited, and no drive had its requests for so long: above the drives a "
        "limit, a frozen file system, a file server or a lock held it back."
    ),
    "worker_frozen": (
        f"{_BY_WORKER} waited for a file system that stood still: a snapshot or a backup had "
        "frozen it (fsfreeze), or the kernel held a lock of that kind."
    ),
    **{f"elsewhere_{how}": f"The game {waited}." for how, waited in _BY_FILE.items()},
    **{f"worker_elsewhere_{how}": f"{_BY_WORKER} {waited}." for how, waited in _BY_FILE.items()},
    "unseen": "What the game waited for could not be seen.",
    "wakeup": "Up to {worst_ms} late; what held the wake-up back could not be seen.",
    "virtual": (
        "Up to {worst_ms} late. In a virtual machine the host can be the reason, which cannot be "
        "seen from inside."
    ),
}
"""What is said of stutters without a cause of the computer's."""

OWN_BUSINESS = frozenset(_UNEXPLAINED) - {"unseen", "wakeup", "virtual"}
"""Those of them that say where the game itself spent the time."""

_CAME_LATE = "Frames came up to {worst_ms} late."

BESIDE: Mapping[str, str] = {
    "own_work": (
        "The game's own thread {thread} ran for {run_ms} of {of_ms} while {group} was busy: it "
        "computed, or waited without sleeping."
    ),
    "socket": (
        "The game's main thread waited for an answer of the network or another program while "
        "{group} was busy."
    ),
    "pipe": "The game's main thread waited for another program while {group} was busy.",
    "worker_socket": (
        f"{_BY_WORKER} waited for the network or another program while {{group}} was busy."
    ),
    "worker_pipe": f"{_BY_WORKER} waited for another program while {{group}} was busy.",
}
"""The same where something else may stand behind it."""

_SHOWED_NOTHING = "{quiet} showed nothing at the time."

_HEADLINE_ENDS: Mapping[str, str] = {
    "own": " — the game itself took the time",
    "kernel": " — the kernel worked for the game",
    "program": " — the game waited for the network or another program",
    "held": " — the game waited for a server, a device or a lock",
    "card": " — the game waited for the graphics card",
    "above": " — the game was held back above the drives",
    "frozen": " — a file system of the game stood still",
    "stopped": " — the game was stopped from outside",
}
"""Where the time of most stutters went, which is no cause of the computer's."""

_REST: Mapping[str, str] = {
    "cause": "{cause}.",
    "unseen": "what held them up could not be seen.",
    **{told: f"{end.removeprefix(' — ')}." for told, end in _HEADLINE_ENDS.items()},
}
"""What is said of the stutters that the cause in the headline does not explain."""

_POSSIBLE = (
    "What the game waited for could not be seen. Possible at {explained} of {total}: {cause}."
)

_TO_CHECK: Mapping[str, str] = {
    "memory": "To check, close other programs with much memory and play again.",
    "storage": "To check, play again while nothing else reads or writes.",
    "cpu": "To check, close other programs and play again.",
    "gpu": "To check, lower the graphics settings and play again.",
    "power": "To check, play again on mains power and with the computer cool.",
}
"""How a guess of each group is told from chance."""

VERDICTS: Mapping[str, str | Plural] = {
    # The banner
    "verdict.measuring": "Measuring… first result in {left_s}",
    "verdict.measuring.detail": "A few seconds of ordinary running come first.",
    "verdict.smooth": "Smooth for {span_s}",
    "verdict.smooth.wakeup": "No hiccup of the computer for {span_s}",
    "verdict.smooth.unframed.detail": (
        "Whether the game itself stutters is not measured: that needs its frame times."
    ),
    "verdict.smooth.frames.detail": "No frame took longer than three refreshes of the display.",
    "verdict.smooth.wakeup.detail": (
        "The computer was never late by {limit_ms} or more. Frame times are not measured."
    ),
    "verdict.smooth.sampled.detail": (
        "The computer was never late by {limit_ms} or more. The game's log leaves out most frames."
    ),
    "verdict.smooth.possible.detail": "{cause}: seen, but no stutter fell together with it.",
    "verdict.hitches": Plural(
        "count",
        "{count} hitch in the last {span_s}, but no stutter",
        "{count} hitches in the last {span_s}, but no stutter",
    ),
    "verdict.hitches.whole": Plural(
        "count",
        "{count} hitch in {span_s}, but no stutter",
        "{count} hitches in {span_s}, but no stutter",
    ),
    "verdict.hitches.detail": (
        f"{_CAME_LATE} {{cause}}: {{explained}} of {{total}}. Confidence: {{confidence}}."
    ),
    "verdict.hitches.possible.detail": (
        f"{_CAME_LATE} No cause stands out. Possible at {{explained}} of {{total}}: {{cause}}."
    ),
    "verdict.hitches.unexplained.detail": (
        "Frames came up to {worst_ms} late; no cause stands out."
    ),
    "verdict.stutter.frames": Plural(
        "count",
        "{count} stutter in the last {span_s} — most likely cause: {group}",
        "{count} stutters in the last {span_s} — most likely cause: {group}",
    ),
    "verdict.stutter.wakeup": Plural(
        "count",
        "{count} hiccup of the computer in the last {span_s} — most likely cause: {group}",
        "{count} hiccups of the computer in the last {span_s} — most likely cause: {group}",
    ),
    "verdict.unexplained.frames": Plural(
        "count",
        "{count} stutter in the last {span_s}, no cause stands out",
        "{count} stutters in the last {span_s}, no cause stands out",
    ),
    "verdict.unexplained.wakeup": Plural(
        "count",
        "{count} hiccup of the computer in the last {span_s}, no cause stands out",
        "{count} hiccups of the computer in the last {span_s}, no cause stands out",
    ),
    **{
        f"verdict.{told}.frames": Plural(
            "count",
            f"{{count}} stutter in the last {{span_s}}{end}",
            f"{{count}} stutters in the last {{span_s}}{end}",
        )
        for told, end in _HEADLINE_ENDS.items()
    },
    # The same of a whole recording, which is not what has just passed
    **{
        f"verdict.{told}.frames.whole": Plural(
            "count",
            f"{{count}} stutter in {{span_s}}{end}",
            f"{{count}} stutters in {{span_s}}{end}",
        )
        for told, end in _HEADLINE_ENDS.items()
    },
    "verdict.stutter.frames.whole": Plural(
        "count",
        "{count} stutter in {span_s} — most likely cause: {group}",
        "{count} stutters in {span_s} — most likely cause: {group}",
    ),
    "verdict.stutter.wakeup.whole": Plural(
        "count",
        "{count} hiccup of the computer in {span_s} — most likely cause: {group}",
        "{count} hiccups of the computer in {span_s} — most likely cause: {group}",
    ),
    "verdict.unexplained.frames.whole": Plural(
        "count",
        "{count} stutter in {span_s}, no cause stands out",
        "{count} stutters in {span_s}, no cause stands out",
    ),
    "verdict.unexplained.wakeup.whole": Plural(
        "count",
        "{count} hiccup of the computer in {span_s}, no cause stands out",
        "{count} hiccups of the computer in {span_s}, no cause stands out",
    ),
    **{
        f"verdict.possible.{group}.detail": f"{_POSSIBLE} {check}"
        for group, check in _TO_CHECK.items()
    },
    **{
        f"verdict.rest.{told}": Plural(
            "count", f"{{count}} other: {text}", f"{{count}} others: {text}"
        )
        for told, text in _REST.items()
    },
    "verdict.beat.detail": (
        "One comes every {period_s}, or at whole multiples of that; why could not be seen."
    ),
    "verdict.pending.detail": "Looking for the cause…",
    "verdict.not_measured": "Whether it stutters is not measured here",
    "verdict.not_measured.detail": "{why} {also}",
    "verdict.direct_reclaim": (
        "{who} waited up to {worst_ms} while the kernel freed memory. {explained} of {total} "
        "match. Confidence: {confidence}."
    ),
    "verdict.dirty_throttling": (
        "{who} waited up to {worst_ms} while unwritten data went to the drive. {explained} of "
        "{total} match. Confidence: {confidence}."
    ),
    "verdict.run_queue_delay": (
        "{who} waited up to {worst_ms} while other programs held the processor. {explained} of "
        "{total} match. Confidence: {confidence}."
    ),
    "verdict.run_queue_delay.limit": (
        "{who} waited up to {worst_ms} because its own limit for the processor was used up. "
        "{explained} of {total} match. Confidence: {confidence}."
    ),
    "verdict.slow_device.limit": (
        "{who} waited up to {worst_ms} because its own limit for {device} was used up. "
        "{explained} of {total} match. Confidence: {confidence}."
    ),
    "verdict.slow_device.limit.plain": (
        "{who} waited up to {worst_ms} because its own limit for the drive was used up. "
        "{explained} of {total} match. Confidence: {confidence}."
    ),
    "verdict.swap_thrash.paged": (
        "{who} was late by up to {worst_ms}: the kernel brought back its memory, which had been "
        "paged out. {explained} of {total} match. Confidence: {confidence}."
    ),
    "verdict.gpu_throttling.link": (
        "{who} waited up to {worst_ms} while the graphics card's link was slower than it can be. "
        "{explained} of {total} match. Confidence: {confidence}."
    ),
    **{f"verdict.{told}.detail": text for told, text in _UNEXPLAINED.items()},
    **{f"verdict.{told}.busy.detail": text for told, text in BESIDE.items()},
    **{
        f"verdict.hitches.{told}.detail": f"{_CAME_LATE} {text}"
        for told, text in _UNEXPLAINED.items()
        if told in OWN_BUSINESS
    },
    **{
        f"verdict.{told}.quiet.detail": f"{text} {_SHOWED_NOTHING}"
        for told, text in _UNEXPLAINED.items()
    },
}
