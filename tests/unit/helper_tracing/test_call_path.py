# SPDX-License-Identifier: GPL-3.0-or-later
"""The way into a sleep: read out of the kernel's text, as names, of a thread of the caller's."""

import json
import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter_helper.api.call_path import (
    MOST_FUNCTIONS,
    PATHS_MAX,
    UNNAMED,
    CallPath,
    Sleep,
    decode_path,
    decode_sleep,
    encode_path,
    encode_sleep,
    is_function,
)
from destutter_helper.api.names import HelperError
from destutter_helper.api.trace_events import SETUPS
from destutter_helper.api.tracing import PATHS, TraceOptions, decode_formats
from destutter_helper.trace_path import functions_in
from tests.support.fake_tracefs import TRACING, add_process

ALICE, BOB = 1000, 1001
S = 10**9
AT_NS = 12_633_940_193_000
# As Linux 6.18 wrote it.
STACK = """\
 => trace_event_raw_event_sched_switch
 => __traceiter_sched_switch
 => __schedule
 => schedule
 => io_schedule
 => folio_wait_bit_common
 => ext4_fsync_nojournal.constprop.0
 => dm_submit_bio [dm_mod]
 => entry_SYSCALL_64_after_hwframe
"""
NAMES = tuple(line.removeprefix(" => ") for line in STACK.splitlines())


def record(
    tid: int = 700,
    at_us: int = AT_NS // 1000,
    stack: str = STACK,
    comm: str = "game",
    next_comm: str = "swapper/0",
) -> str:
    """One sleep in the kernel's words."""
    at, then = (f"{us // 10**6}.{us % 10**6:06}" for us in (at_us, at_us + 215))
    head = f"{comm:>16}-{tid:<7} [000] d..2. "
    switch = (
        f"prev_comm={comm} prev_pid={tid} prev_prio=120 prev_state=D ==> next_comm={next_comm}"
    )
    return (
        f"{head}{at}: sched_switch: {switch} next_pid=0 next_prio=120\n"
        f"{head}{then}: <stack trace>\n{stack}"
    )


def found(text: str, tid: int = 700, begin_ns: int = AT_NS) -> tuple[str, ...] | None:
    answer = functions_in(f"# tracer: nop\n#\n{text}", Sleep(tid, begin_ns))
    return None if answer is None else answer[1]


def refusal(work, *values) -> str:
    with pytest.raises(HelperError) as refused:
        work(*values)
    return refused.value.name


def test_the_functions_are_those_of_the_sleep_that_is_meant():
    """Of this thread, and the nearest in time: two instances do not look at the clock at once."""
    other = record(stack=" => other\n", at_us=AT_NS // 1000 - 900)
    text = record(tid=70) + other + record(at_us=AT_NS // 1000 + 3) + record(tid=7000)
    assert found(text) == NAMES
    assert found(text, begin_ns=AT_NS - 900_000) == ("other",)
    assert found(text, tid=701) is None
    assert found(text, begin_ns=AT_NS + S) is None
    assert found("") is None


def test_a58_an_address_is_no_name():
    """The kernel writes the number of what it has no name for, as of code made by a program."""
    addresses = (
        " => 0xffffffffb455efc5\n => ffffffff8283d4c0\n => deadbeefcafe [evil]\n => a+0x1f/0x20\n"
    )
    assert found(record(stack=f"{addresses} => schedule\n")) == (*[UNNAMED] * 4, "schedule")


@pytest.mark.parametrize("next_comm", ["\n x-700 [000] ", "-700 [000] d.. ", ": sched_switch:"])
def test_a58_a_name_of_a_program_passes_for_nothing(next_comm):
    """A stranger goes to sleep before a thread that calls itself like a line of the kernel's."""
    assert len(next_comm) <= 15
    assert found(record(tid=900, next_comm=next_comm)) is None
    assert found(record(tid=900, comm=next_comm)) is None


@pytest.mark.parametrize("name", ["z\n => EVIL28", "\n\n\n", "a\n next_pid=1", "\n-700 [0"])
def test_a59_a_line_break_in_a_name_takes_no_path_away(name):
    """Of the thread itself, and of a stranger's that runs behind it, which anybody can arrange."""
    assert found(record(next_comm=name)) == NAMES
    assert found(record(comm=name)) == NAMES
    assert found(record(comm=name, next_comm=name)) == NAMES
    assert found(record(tid=900, comm=name, next_comm=name)) is None


def test_a59_a_stack_without_end_is_cut():
    """So many functions, and each so long."""
    names = found(record(stack=" => a\n" * 200))
    assert names == ("a",) * MOST_FUNCTIONS
    assert found(record(stack=f" => {'a' * 500}\n")) == (UNNAMED,)
    assert len(encode_path(CallPath(("a" * 128,) * MOST_FUNCTIONS))) < 16 * 1024


@given(st.text(max_size=200), st.text(max_size=40))
def test_a58_whatever_stands_there_only_names_leave(text, name):
    """Any text of a stack."""
    stack = "".join(f" => {line}\n" for line in (name, text) if "\n" not in line)
    for function in found(record(stack=stack or " => a\n")) or ():
        assert function == UNNAMED or is_function(function)
        assert not re.search(r"0x|[0-9a-f]{12}", function.split()[0]) or not function[0].isdigit()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("{}", "InvalidArgument"),
        ('{"thread": 0, "begin_ns": 1}', "InvalidArgument"),
        ('{"thread": 4194305, "begin_ns": 1}', "InvalidArgument"),
        ('{"thread": 1, "begin_ns": -1}', "InvalidArgument"),
        ('{"thread": 1, "begin_ns": 9223372036854775808}', "InvalidArgument"),
        ('{"thread": true, "begin_ns": 1}', "InvalidArgument"),
        ('{"thread": "1|.*", "begin_ns": 1}', "InvalidArgument"),
        ('{"thread": 1, "begin_ns": 1, "cpu": "../.."}', "InvalidArgument"),
        ("[" * 20_000, "TooLarge"),
    ],
)
def test_a59_another_form_is_refused_by_name(text, error):
    """Before anything is looked at."""
    assert refusal(decode_sleep, text) == error


def test_both_sides_agree_on_the_form():
    """What is asked and what is answered, and that an answer holds names only."""
    assert json.loads(encode_sleep(Sleep(7, 8))) == {"thread": 7, "begin_ns": 8}
    assert decode_sleep(encode_sleep(Sleep(7, 8))) == Sleep(7, 8)
    path = CallPath((*NAMES, UNNAMED))
    assert decode_path(encode_path(path)) == path
    for wrong in (("0xffffffffb455efc5",), ("a",) * (MOST_FUNCTIONS + 1), ("a b",)):
        assert refusal(decode_path, encode_path(CallPath(wrong))) == "InvalidArgument"


@pytest.fixture
def begun(grants, root):
    """A minute of alice's, and her game; the id, and where texts of stacks go."""
    add_process(root, 700, ALICE, threads=(701,))
    id_, text, hold = grants.begin(ALICE, ":1.1", TraceOptions(game=True, expert=True))
    place = root / TRACING / f"instances/destutter-{id_}-paths"
    yield id_, place, decode_formats(text)
    grants.end(id_, ":1.1")
    os.close(hold)


def test_a58_the_records_of_stacks_are_never_lent(grants, begun):
    """They hold addresses: no descriptor leads there, and no form of them is told."""
    id_, place, formats = begun
    assert place.is_dir()
    assert PATHS not in formats.instances
    opened = grants.open_rings(id_, ":1.1", 0)
    paths = [os.readlink(f"/proc/self/fd/{one}") for one in opened]
    for one in opened:
        os.close(one)
    assert len(paths) == len(formats.instances) * len(formats.cpus)
    assert not [path for path in paths if "-paths/" in path]


def test_a_sleep_of_the_owners_thread_is_told(grants, begun):
    """From whichever processor it was on."""
    id_, place, _formats = begun
    grants.set_tasks(id_, ":1.1", (700,))
    assert (place / "set_event_pid").read_text() == "700 701"
    (place / "per_cpu/cpu0/trace").write_text(record(tid=701, at_us=AT_NS // 1000 - 4000))
    (place / "per_cpu/cpu1/trace").write_text(record(tid=701, stack=" => folio_wait_bit\n"))
    assert grants.call_path(id_, ":1.1", Sleep(701, AT_NS)).functions == ("folio_wait_bit",)
    assert grants.call_path(id_, ":1.1", Sleep(701, AT_NS - 4_000_000)).functions == NAMES
    assert refusal(grants.call_path, id_, ":1.1", Sleep(700, AT_NS)) == "Refused"


def test_a58_nobody_elses_sleep_is_told(grants, begun, root):
    """Though its stack is there: the kernel records who had the core before the game's thread."""
    id_, place, _formats = begun
    add_process(root, 900, BOB)
    (place / "per_cpu/cpu0/trace").write_text(record(tid=900) + record(tid=15))
    for tid in (900, 15):
        assert refusal(grants.call_path, id_, ":1.1", Sleep(tid, AT_NS)) == "NotAuthorized"
    assert refusal(grants.call_path, id_, ":1.1", Sleep(999, AT_NS)) == "Refused"
    assert refusal(grants.call_path, id_, ":1.2", Sleep(700, AT_NS)) == "NotOwner"
    assert refusal(grants.call_path, "0" * 32, ":1.1", Sleep(700, AT_NS)) == "NoSuchTransaction"


def test_a59_paths_are_not_told_without_end(grants, begun):
    """Each takes the helper some milliseconds."""
    id_, place, _formats = begun
    (place / "per_cpu/cpu0/trace").write_text(record())
    for _ in range(PATHS_MAX):
        assert grants.call_path(id_, ":1.1", Sleep(700, AT_NS)).functions == NAMES
    assert refusal(grants.call_path, id_, ":1.1", Sleep(700, AT_NS)) == "RateLimited"


def test_f83_a_kernel_without_stacks_has_the_rest(grants, holds_nothing, root, tree):
    """No option for them: the minute is granted, and only this is refused."""
    (root / TRACING / "template/options/stacktrace").unlink()
    id_, _text = holds_nothing(TraceOptions(game=True, expert=True))
    assert refusal(grants.call_path, id_, ":1.1", Sleep(700, AT_NS)) == "Unsupported"
    assert not [path for path in (root / TRACING / "instances").iterdir() if "-paths" in path.name]


def test_f83_a_usual_trace_tells_no_paths(grants, holds_nothing):
    """Only an expert's was asked for with the words that say so."""
    id_, _text = holds_nothing(TraceOptions(game=True))
    assert refusal(grants.call_path, id_, ":1.1", Sleep(700, AT_NS)) == "Unsupported"


@pytest.fixture
def holds_nothing(grants):
    """Begin a minute whose owner keeps no descriptor; it goes with the grants."""

    def begin(options):
        id_, text, hold = grants.begin(ALICE, ":1.1", options)
        os.close(hold)
        return id_, text

    return begin


def test_a58_the_text_has_names_whatever_was_set_for_the_whole_kernel():
    """A new instance takes over how its text is written."""
    files = dict(SETUPS[PATHS].files)
    assert (files["options/sym-addr"], files["options/sym-offset"]) == ("0", "0")
