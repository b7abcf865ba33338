# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernel writes of stacks, read for one sleep of one thread: names of functions.

The text, not the records: those have the addresses themselves. In each line the kernel has put the
number of the thread that it is of. A name of a program has at most 15 letters, line breaks among
them, too few for what stands around that number, so that no name can pass for it.
"""

import re

from destutter_helper.api.call_path import MOST_FUNCTIONS, UNNAMED, Sleep, is_function

AT_ONCE_US = 1_000  # nearer no two sleeps of a thread can be told apart, and none needs to be
_FAR_US = 100_000  # a thread that was stopped between the records of two instances
_NAMES = r"prev_comm=(?s:.{0,15}) prev_pid=[^\n]* next_comm=(?s:.{0,15}) next_pid=[^\n]*"


def functions_in(text: str, sleep: Sleep) -> tuple[int, tuple[str, ...]] | None:
    """How far from the sleep, in us, and in which functions the thread went to sleep; None where
    the text has nothing near it.

    ``text`` is of one processor: there a record and the stack behind it follow each other.
    """
    begin_us = sleep.begin_ns // 1000
    found = [
        (abs(int(each["s"]) * 1_000_000 + int(each["us"]) - begin_us), each["calls"])
        for each in _records(sleep.thread).finditer(text)
    ]
    far_us, calls = min(found, default=(_FAR_US, ""))
    return (far_us, _names(calls)) if far_us < _FAR_US else None


def _records(thread: int) -> re.Pattern[str]:
    head = rf"^(?s:.{{0,17}})-{thread} +\[\d{{1,4}}\] \S{{1,8}} +"
    return re.compile(
        rf"{head}(?P<s>\d{{1,12}})\.(?P<us>\d{{6}}): sched_switch: (?:{_NAMES}|[^\n]*)\n"
        rf"{head}\d{{1,12}}\.\d{{6}}: <stack trace>\n"
        rf"(?P<calls>(?: => [^\n]*\n){{1,256}})",
        re.ASCII | re.MULTILINE,
    )


def _names(calls: str) -> tuple[str, ...]:
    called = (line.removeprefix(" => ") for line in calls.splitlines()[:MOST_FUNCTIONS])
    return tuple(name if is_function(name) else UNNAMED for name in called)
