# SPDX-License-Identifier: GPL-3.0-or-later
"""tracefs as plain files below a scratch tree, and a tree that notes and refuses writes to it.

The kernel's own part is played as far as the helper sees it: a directory that is made has its
files at once. tests/kernel/helper and tests/dbus/test_real_traces.py have the real one.
"""

import errno
import os
from collections.abc import Iterable
from pathlib import Path

from destutter_helper.api.trace_events import OFF, SETUPS
from destutter_helper.api.tracing import Field
from destutter_helper.kernel_tree import Life
from tests.support.helper_tree import ScratchTree

TRACING = "sys/kernel/tracing"
EVENTS = tuple(dict.fromkeys(event for setup in SETUPS.values() for event in setup.events))
COMMON = (
    Field("common_type", "unsigned short", 0, 2, False),
    Field("common_flags", "unsigned char", 2, 1, False),
    Field("common_preempt_count", "unsigned char", 3, 1, False),
    Field("common_pid", "int", 4, 4, True),
)
HEADER_PAGE = (
    "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
    "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
    "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
    "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n"
)
_FILES = (
    *("trace_clock", "buffer_size_kb", "buffer_percent", "tracing_on", "free_buffer"),
    *("set_event_pid", "events/enable", "options/overwrite"),
    *("options/disable_on_free", "options/event-fork", *OFF),
    *(f"options/{name}" for name in ("sym-addr", "sym-offset", "latency-format")),
)


def format_text(number: int, fields: Iterable[Field], name: str = "an_event") -> str:
    """The text of a ``format`` file (f_show in kernel/trace/trace_events.c)."""
    lines = [f"name: {name}", f"ID: {number}", "format:"]
    for index, field in enumerate(fields):
        kind, bracket, length = field.type.partition("[")
        # An array's length stands behind its name, unless the value lies elsewhere in the event.
        is_array = bracket and not kind.startswith("__data_loc")
        declared = f"{kind} {field.name}[{length}" if is_array else f"{field.type} {field.name}"
        numbers = f"offset:{field.offset};\tsize:{field.size};\tsigned:{int(field.signed)};"
        lines += [""] if index == len(COMMON) else []
        lines.append(f"\tfield:{declared};\t{numbers}")
    return "\n".join([*lines, "", 'print fmt: "%d field:int x;", REC->x', ""])


def build(root: Path, cpus: int = 2, without: Iterable[str] = ()) -> Path:
    """Put a tracefs below a scratch tree whose kernel lacks some events; its directory."""
    place = root / TRACING
    (place / "instances").mkdir(parents=True)
    (place / "events").mkdir()
    files = dict.fromkeys(_FILES, "")
    files["events/header_page"] = HEADER_PAGE
    for cpu in range(cpus):
        files |= {f"per_cpu/cpu{cpu}/{name}": "" for name in ("trace_pipe_raw", "trace")}
    for number, event in enumerate(EVENTS, 300):
        if event not in without:
            files |= {f"events/{event}/{name}": "" for name in ("enable", "filter")}
            files[f"events/{event}/format"] = format_text(number, COMMON)
    for name, text in files.items():
        path = place / "template" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for cpu in range(cpus):
        add_process(root, 15 + cpu, 0, name=f"ksoftirqd/{cpu}", flags=0x00200000)
    return place


def add_process(
    root: Path, pid: int, uid: int, threads: Iterable[int] = (), name: str = "game", flags: int = 0
) -> None:
    """Put a process there with the files that the helper looks at, also under its threads."""
    zeros = " 0" * 5
    for tid in (pid, *threads):
        directory = root / "proc" / str(tid)
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "stat").write_text(f"{tid} ({name}) S{zeros} {flags} 0 0\n")
        owners = "\t".join([str(uid)] * 4)
        (directory / "status").write_text(
            f"Name:\t{name}\nTgid:\t{pid}\nUid:\t{owners}\nGid:\t0\n"
        )
        (root / "proc" / str(pid) / "task" / str(tid)).mkdir(parents=True, exist_ok=True)


class FaultyTree(ScratchTree):
    """Notes what is written to tracefs, and refuses what a test says, by the end of its path."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self.written: list[tuple[str, str]] = []
        self.faults: dict[str, int] = {}
        self.now_ns = 1_000_000_000

    def write(self, path: str, data: bytes, life: Life | None = None) -> None:
        """See KernelTree."""
        self._note(path, data)
        super().write(path, data, life)

    def write_list(self, path: str, data: bytes) -> None:
        """See KernelTree."""
        self._note(path, data)
        super().write_list(path, data)

    def open_trace(self, path: str, flags: int) -> int:
        """See KernelTree."""
        self._note(path, b"")
        return super().open_trace(path, flags)

    def make_instance(self, path: str) -> None:
        """See KernelTree."""
        self._note(path, b"")
        super().make_instance(path)

    def remove_instance(self, path: str) -> None:
        """See KernelTree."""
        for end, number in self.faults.items():
            if path.endswith(end) and number == errno.EBUSY:
                raise OSError(number, os.strerror(number))
        super().remove_instance(path)

    def boottime_ns(self) -> int:
        """The test's clock."""
        return self.now_ns

    def _note(self, path: str, data: bytes) -> None:
        for end, number in self.faults.items():
            if path.endswith(end) and number != errno.EBUSY:
                raise OSError(number, os.strerror(number))
        self.written.append((path.partition("/instances/")[2].partition("/")[2], data.decode()))
