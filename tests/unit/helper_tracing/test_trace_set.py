# SPDX-License-Identifier: GPL-3.0-or-later
"""The closed set of events, and the reader of what the kernel says about their form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter_helper.api.trace_events import LISTED, SETUPS
from destutter_helper.api.tracing import (
    DRIVES,
    EXPERT,
    GAME,
    INSTANCES,
    PATHS,
    WAITS,
    Event,
    Field,
    RingPage,
)
from destutter_helper.trace_set import parse_format, parse_header_page, shows_addresses
from tests.support.fake_tracefs import COMMON, HEADER_PAGE, format_text

# Linux 6.18, without what is printed.
RQ_ISSUE = """name: block_rq_issue
ID: 2104
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:dev_t dev;	offset:8;	size:4;	signed:0;
	field:sector_t sector;	offset:16;	size:8;	signed:0;
	field:unsigned int nr_sector;	offset:24;	size:4;	signed:0;
	field:char rwbs[10];	offset:34;	size:10;	signed:0;
	field:__data_loc char[] cmd;	offset:60;	size:4;	signed:0;

print fmt: "%d,%d %s", ((unsigned int) ((REC->dev) >> 20)), REC->rwbs
"""
names = st.from_regex(r"[a-z_][a-z0-9_]{0,20}", fullmatch=True)
types = st.sampled_from(
    ["int", "unsigned long", "char[16]", "u8[16]", "__data_loc char[]", "void *", "const char *"]
)
fields = st.builds(Field, names, types, st.integers(0, 4000), st.integers(0, 256), st.booleans())


def test_the_set_is_that_of_the_design():
    """Sixteen events of the whole computer, of the game's threads two, for an expert five,
    and the sleeps of which the helper reads the way in.
    """
    assert tuple(SETUPS) == (*INSTANCES, EXPERT, PATHS)
    assert len(SETUPS[EXPERT].events) == 5
    assert (GAME, EXPERT, PATHS) == LISTED
    assert SETUPS[PATHS].events == {"sched/sched_switch": "prev_state == 2"}
    assert len(SETUPS[WAITS].events) == 13
    assert all(event.startswith("block/") for event in SETUPS[DRIVES].events)
    assert len(SETUPS[DRIVES].events) == 3
    assert set(SETUPS[GAME].events) == {"sched/sched_waking", "sched/sched_switch"}
    listed = [event for setup in SETUPS.values() for event in setup.events]
    for word in ("stack", "wbt_step", "syscalls", "xfs", "kmem", "probe"):
        assert not [event for event in listed if word in event]


def test_a48_no_option_or_trigger_widens_it():
    """Only clock, sizes and three options are written; no stacks in what is lent, no triggers."""
    for kind, setup in SETUPS.items():
        if kind == PATHS:  # of which nothing is lent
            continue
        assert {file for file, _text in setup.files} <= {
            *("trace_clock", "buffer_size_kb", "buffer_percent", "options/overwrite"),
            *("options/disable_on_free", "options/event-fork"),
        }


def test_a_real_format_is_read():
    """Numbers, common fields, arrays and what lies elsewhere in the event, as declared."""
    event = parse_format(RQ_ISSUE)
    assert event.id == 2104
    assert event.fields[:4] == COMMON
    assert event.fields[4:] == (
        Field("dev", "dev_t", 8, 4, signed=False),
        Field("sector", "sector_t", 16, 8, signed=False),
        Field("nr_sector", "unsigned int", 24, 4, signed=False),
        Field("rwbs", "char[10]", 34, 10, signed=False),
        Field("cmd", "__data_loc char[]", 60, 4, signed=False),
    )
    assert not shows_addresses(event)


def test_a_real_page_is_read():
    """What one read gives: 16 bytes of head, then records."""
    assert parse_header_page(HEADER_PAGE) == RingPage(4096, (0, 8), (8, 8), 16)


@pytest.mark.parametrize(
    "declared",
    [
        "void * skaddr",
        "struct page *page",
        "unsigned long ip",
        "unsigned long caller_ip",
        "int tic",
    ],
)
def test_a48_addresses_of_the_kernel_are_refused(declared):
    """A pointer, or a field that is known for being one, whatever its type says."""
    line = f"\tfield:{declared};\toffset:16;\tsize:8;\tsigned:0;\n\nprint fmt:"
    assert shows_addresses(parse_format(RQ_ISSUE.replace("\nprint fmt:", line)))


@given(st.integers(1, 65535), st.lists(fields, min_size=1, max_size=8).map(tuple))
def test_whatever_the_kernel_writes_is_read_again(number, given_fields):
    """Each field with its type, place and sign; addresses are known by their star or name."""
    event = parse_format(format_text(number, given_fields))
    assert event == Event(number, given_fields)
    forbidden = {"ip", "caller_ip", "tic"}
    is_telling = any("*" in one.type or one.name in forbidden for one in given_fields)
    assert shows_addresses(event) == is_telling


@pytest.mark.parametrize("read", [parse_format, parse_header_page])
@given(
    text=st.text(max_size=300)
    | st.lists(
        st.sampled_from(["ID: 5\n", "\tfield:", "int x;", "\toffset:8;", "\tsize:4;", "\n", "x"])
    ).map("".join)
)
def test_nothing_else_is_taken_for_one(read, text):
    """Any other text is refused in one way, and what is taken has numbers of its kind."""
    try:
        found = read(text)
    except ValueError:
        return
    assert isinstance(found, (Event, RingPage))


@pytest.mark.parametrize("declared", ["int", "char [16]", "5", "int 5x"])
def test_a_field_without_a_name_is_refused(declared):
    """Where it lies would be told of nothing."""
    line = f"\tfield:{declared};\toffset:16;\tsize:8;\tsigned:0;\n\nprint fmt:"
    with pytest.raises(ValueError, match="without a name"):
        parse_format(RQ_ISSUE.replace("\nprint fmt:", line))


def test_a_page_without_its_parts_is_refused():
    """Each of the three is needed."""
    for name in ("timestamp", "commit", "data"):
        with pytest.raises(ValueError, match="no form of a page"):
            parse_header_page(HEADER_PAGE.replace(name, "another"))
