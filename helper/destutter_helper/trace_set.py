# SPDX-License-Identifier: GPL-3.0-or-later
"""The closed set of what is recorded of the kernel, and what the kernel says about its form.

Nothing of it comes from a caller. A new event has to be measured first: what it is good for and
what it costs (``make bench ARGS=trace``). It must not be of those that `shows_addresses` refuses:
a raw record holds true addresses of the kernel, which are worth hiding.
"""

import re
from typing import NamedTuple

from destutter_helper.api.tracing import (
    CLOCK,
    DRIVES,
    EXPERT,
    GAME,
    WAITS,
    Event,
    Field,
    RingPage,
)


class Setup(NamedTuple):
    """How an instance is set up: its files, in this order, then its events, each with a filter."""

    files: tuple[tuple[str, str], ...]
    events: dict[str, str]


# Sizes are per processor. The size before anything is enabled: the kernel would give 1,410 KB
# first. Overwriting, for only then do the pages say what was lost. disable_on_free belongs to the
# dead man's handle (`trace_instances`). Of 0 percent, so that a reader can ask with poll whether
# there is anything: a ring that is read in vain costs three times as much.
_ON = (("buffer_percent", "0"), ("options/overwrite", "1"), ("options/disable_on_free", "1"))

SETUPS = {
    WAITS: Setup(
        (("trace_clock", CLOCK), ("buffer_size_kb", "512"), *_ON),
        {
            "vmscan/mm_vmscan_direct_reclaim_begin": "",
            "vmscan/mm_vmscan_direct_reclaim_end": "",
            "vmscan/mm_vmscan_memcg_reclaim_begin": "",
            "vmscan/mm_vmscan_memcg_reclaim_end": "",
            "vmscan/mm_vmscan_throttled": "",
            "compaction/mm_compaction_begin": "",
            "compaction/mm_compaction_end": "",
            "wbt/wbt_timer": "step > 0",
            "writeback/balance_dirty_pages": "pause > 0",
            "jbd2/jbd2_run_stats": "",
            "btrfs/btrfs_transaction_commit": "",
            # Without the filter it would be the whole log of the kernel.
            "printk/console": 'msg ~ "*split lock detection*" || msg ~ "*bus_lock trap*"',
            "oom/mark_victim": "",
        },
    ),
    DRIVES: Setup(
        (("trace_clock", CLOCK), ("buffer_size_kb", "1024"), *_ON),
        {f"block/block_{name}": "" for name in ("bio_queue", "rq_issue", "rq_complete")},
    ),
    GAME: Setup(
        # event-fork: new threads of those listed join, and the kernel takes off those that end.
        (("trace_clock", CLOCK), ("buffer_size_kb", "2048"), *_ON, ("options/event-fork", "1")),
        {"sched/sched_waking": "", "sched/sched_switch": ""},
    ),
    EXPERT: Setup(
        (("trace_clock", CLOCK), ("buffer_size_kb", "1024"), *_ON, ("options/event-fork", "1")),
        {
            "irq/irq_handler_entry": "",
            "irq/irq_handler_exit": "",
            "dma_fence/dma_fence_wait_start": "",
            "dma_fence/dma_fence_wait_end": "",
            "filemap/mm_filemap_fault": "",  # from Linux 6.12 on
        },
    ),
}
"""By instance. What is not here is never switched on."""

LISTED = (GAME, EXPERT)
"""The instances that record nothing but the threads on their list."""

_ADDRESS_NAMES = frozenset({"ip", "caller_ip", "tic"})

_ID = re.compile(r"^ID:[ \t]*(\d{1,5})$", re.ASCII | re.MULTILINE)
_FIELD = re.compile(
    r"^\tfield:([^;\n]{1,200});\toffset:(\d{1,6});\tsize:(\d{1,6});(?:\tsigned:([01]);)?$",
    re.ASCII | re.MULTILINE,
)
_DECLARED = re.compile(r"(.*[\s*\]])([A-Za-z_]\w*)(\[[^\]]*\])?", re.ASCII)


def parse_format(text: str) -> Event:
    """An event's ``format`` file: its number and its fields; ValueError when it is none.

    The form is that of ``f_show`` in kernel/trace/trace_events.c. What is printed comes after the
    fields and is not looked at.
    """
    head, _, _ = text.partition("\nprint fmt:")
    number, fields = _ID.search(head), _fields(head)
    if number is None or not fields:
        raise ValueError("is no format of an event")
    return Event(int(number[1]), fields)


def parse_header_page(text: str) -> RingPage:
    """``events/header_page``: what one read of a ring gives; ValueError when it is none."""
    found = {field.name: field for field in _fields(text)}
    if not {"timestamp", "commit", "data"} <= found.keys():
        raise ValueError("is no form of a page")
    timestamp, commit, data = (found[name] for name in ("timestamp", "commit", "data"))
    return RingPage(
        size=data.offset + data.size,
        timestamp=(timestamp.offset, timestamp.size),
        commit=(commit.offset, commit.size),
        data=data.offset,
    )


def shows_addresses(event: Event) -> bool:
    """Whether records of it hold addresses of the kernel, or what is known for being one."""
    return any("*" in field.type or field.name in _ADDRESS_NAMES for field in event.fields)


def _fields(text: str) -> tuple[Field, ...]:
    return tuple(
        Field(*_declared(declared), int(offset), int(size), signed == "1")
        for declared, offset, size, signed in _FIELD.findall(text)
    )


def _declared(text: str) -> tuple[str, str]:
    """Name and type out of a declaration in C, such as ``char comm[16]``."""
    match = _DECLARED.fullmatch(text)
    if match is None:
        raise ValueError("has a field without a name")
    return match[2], f"{match[1].rstrip()}{match[3] or ''}"
