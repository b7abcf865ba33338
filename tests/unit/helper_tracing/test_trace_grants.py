# SPDX-License-Identifier: GPL-3.0-or-later
"""Who has a grant, what they get, and what ends it; threads of whom."""

import contextlib
import errno
import os
import select
import shutil

import pytest

from destutter_helper.api.names import HelperError
from destutter_helper.api.tracing import (
    EXPERT_MAX_S,
    GRANT_MAX_S,
    INSTANCES,
    MOST_DESCRIPTORS,
    TraceOptions,
    decode_formats,
)
from destutter_helper.log import Log
from destutter_helper.trace_grants import LOOK_S, TIMES_LENT_MAX, Grants
from destutter_helper.trace_tasks import threads_of
from tests.support.fake_tracefs import TRACING, add_process, build

ALICE, BOB, CAROL = 1000, 1001, 1002
WITH_GAME = TraceOptions(game=True)


@pytest.fixture
def holds():
    """The ends of the pipes that callers keep."""
    ends: list[int] = []
    yield ends
    for end in ends:
        with contextlib.suppress(OSError):
            os.close(end)


@pytest.fixture
def begin(grants, holds):
    """Begin a grant; its id."""

    def begin(uid=ALICE, sender=":1.1", options=WITH_GAME):
        id_, _formats, hold = grants.begin(uid, sender, options)
        holds.append(hold)
        return id_

    return begin


def names(root):
    return sorted(path.name for path in (root / TRACING / "instances").iterdir())


def refusal(work, *values):
    with pytest.raises(HelperError) as refused:
        work(*values)
    return refused.value.name


def listed(root, id_):
    return (root / TRACING / f"instances/destutter-{id_}-game/set_event_pid").read_text()


def test_a_grant_tells_how_to_read_it(grants, tree, holds):
    """Formats of all instances, processors, the page, and when it ends."""
    id_, text, hold = grants.begin(ALICE, ":1.1", WITH_GAME)
    holds.append(hold)
    formats = decode_formats(text)
    assert len(id_) == 32
    assert formats.instances == INSTANCES
    assert formats.cpus == (0, 1)
    assert {"sched/sched_switch", "oom/mark_victim"} <= formats.events.keys()
    assert formats.ends_at_ns == tree.now_ns + GRANT_MAX_S * 10**9
    assert formats.tick_ns in {10_000_000, 4_000_000, 3_333_333, 1_000_000}


def test_a49_every_grant_has_fresh_instances(begin, grants, root):
    """Another id each time, and the ones before are gone."""
    first = begin(options=TraceOptions())
    assert names(root) == [f"destutter-{first}-drives", f"destutter-{first}-waits"]
    grants.end(first, ":1.1")
    second = begin()
    assert first != second
    assert names(root) == [f"destutter-{second}-{kind}" for kind in sorted(INSTANCES)]


def test_f74_one_of_each_user_and_two_in_all(begin, grants):
    """A third user, and a second connection of the first, are told Busy."""
    begin(ALICE, ":1.1")
    assert refusal(grants.check, ALICE) == "Busy"
    begin(BOB, ":1.2")
    assert refusal(grants.check, CAROL) == "Busy"
    assert refusal(grants.begin, CAROL, ":1.3", WITH_GAME) == "Busy"


def test_a50_only_its_owner_may_do_anything_with_it(begin, grants):
    """The id of somebody else's, of nobody's, and of one that has ended."""
    id_ = begin()
    for work, *more in ((grants.open_rings, 0), (grants.set_tasks, ()), (grants.end,)):
        assert refusal(work, id_, ":1.2", *more) == "NotOwner"
        assert refusal(work, "0" * 32, ":1.1", *more) == "NoSuchTransaction"
        assert refusal(work, "../waits", ":1.1", *more) == "NoSuchTransaction"
    grants.end(id_, ":1.1")
    assert refusal(grants.end, id_, ":1.1") == "NoSuchTransaction"


def test_descriptors_come_in_portions_by_instance_and_processor(tree, root, holds):
    """20 processors with three instances: 16, 16, 16, 12, none; those of waits first."""
    shutil.rmtree(root / TRACING)
    build(root, cpus=20)
    with contextlib.closing(Grants(tree, Log())) as grants:
        id_, _formats, hold = grants.begin(ALICE, ":1.1", WITH_GAME)
        holds.append(hold)
        found = []
        for first in (0, 16, 32, 48, 60, 2**32 - 1):
            opened = grants.open_rings(id_, ":1.1", first)
            found.append([os.readlink(f"/proc/self/fd/{one}").split("/")[-4:] for one in opened])
            for one in opened:
                assert not os.get_blocking(one)
                os.close(one)
    assert [len(portion) for portion in found] == [*[MOST_DESCRIPTORS] * 3, 12, 0, 0]
    paths = [path for portion in found for path in portion]
    assert [path[2] for path in paths] == [f"cpu{cpu}" for _ in range(3) for cpu in range(20)]
    assert [path[0].rpartition("-")[2] for path in paths] == [
        kind for kind in INSTANCES for _ in range(20)
    ]


def test_a51_rings_are_not_lent_without_end(begin, grants):
    """Each a few times, for a reader that starts anew; then it takes a new trace."""
    id_ = begin()
    for _ in range(TIMES_LENT_MAX):
        for descriptor in grants.open_rings(id_, ":1.1", 0):
            os.close(descriptor)
    assert refusal(grants.open_rings, id_, ":1.1", 0) == "RateLimited"
    grants.end(id_, ":1.1")
    for descriptor in grants.open_rings(begin(), ":1.1", 0):
        os.close(descriptor)


def test_a_ring_that_cannot_be_opened_leaves_no_descriptor(begin, grants, tree):
    """The second of them is refused: the first is closed again."""
    id_ = begin()
    tree.faults["cpu1/trace_pipe_raw"] = errno.ENODEV
    before = len(os.listdir("/proc/self/fd"))
    assert refusal(grants.open_rings, id_, ":1.1", 0) == "Refused"
    assert len(os.listdir("/proc/self/fd")) == before


def test_f71_it_ends_when_the_last_copy_of_hold_is_closed(begin, grants, holds, root):
    """A copy elsewhere keeps it; what is written into it does nothing."""
    begin()
    hold = holds.pop()
    copy = os.dup(hold)
    os.write(copy, b"x" * 4096)
    os.close(hold)
    grants.hear()
    assert grants.are_running
    assert not select.select([grants.fileno()], [], [], 0)[0]
    os.close(copy)
    assert select.select([grants.fileno()], [], [], 1)[0]
    grants.hear()
    assert not grants.are_running
    assert names(root) == []


def test_f71_it_ends_when_its_owner_leaves_the_bus(begin, grants, root):
    """And nobody else's does."""
    begin(ALICE, ":1.1")
    other = begin(BOB, ":1.2", TraceOptions())
    assert grants.owners == {":1.1", ":1.2"}
    grants.forget(":1.1")
    grants.forget(":1.9")
    assert grants.owners == {":1.2"}
    assert names(root) == [f"destutter-{other}-drives", f"destutter-{other}-waits"]


def test_f76_it_ends_after_four_hours_of_which_some_may_be_slept(begin, grants, tree, root):
    """By the clock that goes on in a sleep, and at the last look before."""
    begin()
    tree.now_ns += (GRANT_MAX_S - LOOK_S) * 10**9
    grants.look()
    assert grants.are_running
    tree.now_ns += 1
    grants.look()
    assert not grants.are_running
    assert names(root) == []


def test_a49_a_look_removes_what_was_kept_open(begin, grants, tree, root):
    """As soon as the descriptor is closed, though nobody asks for anything."""
    tree.faults["-waits"] = errno.EBUSY
    grants.end(begin(), ":1.1")
    grants.look()
    assert len(names(root)) == 1
    tree.faults.clear()
    grants.look()
    assert names(root) == []


def test_f76_what_an_expert_sees_ends_after_a_minute(begin, grants, tree, root):
    """With everything else of that grant; it is of the game's threads, and of nobody else's."""
    add_process(root, 700, ALICE, [701])
    id_ = begin(options=TraceOptions(expert=True))
    grants.set_tasks(id_, ":1.1", [700])
    for kind, tids in (("game", "15 16 700 701"), ("expert", "700 701")):
        listed = root / TRACING / f"instances/destutter-{id_}-{kind}/set_event_pid"
        assert listed.read_text() == tids
    tree.now_ns += (EXPERT_MAX_S - LOOK_S) * 10**9 + 1
    grants.look()
    assert not grants.are_running
    assert names(root) == []


def test_its_owner_sees_the_end(begin, grants, holds):
    """The end of the pipe that is kept becomes an error there."""
    id_ = begin()
    poll = select.poll()
    poll.register(holds[0], 0)
    assert poll.poll(0) == []
    grants.end(id_, ":1.1")
    assert poll.poll(1000) == [(holds[0], select.POLLERR)]


def test_f70_it_ends_with_the_helper(begin, tree, root, holds):
    """Closing ends all; a start after a kill clears what is there."""
    with contextlib.closing(Grants(tree, Log())) as grants:
        for uid in (ALICE, BOB):
            holds.append(grants.begin(uid, f":1.{uid}", WITH_GAME)[2])
        assert len(names(root)) == 6
    assert names(root) == []
    (root / TRACING / f"instances/destutter-{'a' * 32}-waits").mkdir()
    Grants(tree, Log()).close()
    assert names(root) == []


@pytest.mark.parametrize(
    "file", ["-game", "options/event-fork", "set_event_pid", "sched_switch/enable"]
)
def test_a_second_instance_that_fails_takes_the_first_along(grants, tree, root, file):
    """All or nothing, and no descriptor is left."""
    tree.faults[file] = errno.ENOSPC
    before = len(os.listdir("/proc/self/fd"))
    assert refusal(grants.begin, ALICE, ":1.1", WITH_GAME) == "Refused"
    assert names(root) == []
    assert len(os.listdir("/proc/self/fd")) == before
    assert not grants.are_running


def test_the_game_is_seen_with_all_its_threads(begin, grants, root):
    """A process, or one of its threads, stands for all of them; what has ended for none."""
    id_ = begin()
    assert listed(root, id_) == "15 16"
    add_process(root, 700, ALICE, threads=(701, 702))
    add_process(root, 800, ALICE, threads=(801,))
    grants.set_tasks(id_, ":1.1", (700, 801, 999))
    assert listed(root, id_) == "15 16 700 701 702 800 801"
    grants.set_tasks(id_, ":1.1", ())
    assert listed(root, id_) == "15 16"


@pytest.mark.parametrize("theirs", [700, 701, 15])
def test_a47_nobody_elses_threads_are_seen(begin, grants, root, theirs):
    """bob's process, one of its threads, a thread of the kernel: all of it is refused."""
    add_process(root, 600, ALICE)
    add_process(root, 700, BOB, threads=(701,))
    id_ = begin()
    assert refusal(grants.set_tasks, id_, ":1.1", (600, theirs)) == "NotAuthorized"
    assert listed(root, id_) == "15 16"


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a47_a_process_with_more_rights_than_its_user_is_somebody_elses(tree, root, place):
    """Real, effective or saved user another one: not the caller's own."""
    add_process(root, 700, ALICE)
    uids = [str(ALICE)] * 4
    uids[place] = "0"
    status = root / "proc/700/status"
    status.write_text("Tgid:\t700\nUid:\t" + "\t".join(uids) + "\n")
    assert refusal(threads_of, tree, ALICE, (700,)) == "NotAuthorized"


def test_programs_that_are_gone_or_hidden_are_told(tree, root):
    """None of them is there: that is said, rather than to watch nobody."""
    assert refusal(threads_of, tree, ALICE, (999,)) == "Refused"
    (root / "proc/998").mkdir()
    (root / "proc/998/status").write_text("nonsense")
    assert refusal(threads_of, tree, ALICE, (998,)) == "Refused"


@pytest.mark.parametrize("hidden", ["status", "task"])
def test_a_process_that_is_closed_to_us_is_told(tree, root, monkeypatch, hidden):
    """hidepid, or a security module: no crash, and nobody is watched."""
    add_process(root, 700, ALICE)
    work = {"status": "read", "task": "names"}[hidden]

    def refuse(path):
        raise PermissionError(errno.EACCES, path)

    monkeypatch.setattr(tree, work, refuse)
    assert refusal(threads_of, tree, ALICE, (700,)) == "Refused"


def test_a51_too_many_threads_are_refused(tree, root, monkeypatch):
    """The kernel's list has a limit of ours."""
    monkeypatch.setattr("destutter_helper.trace_tasks.MOST_TASKS", 2)
    add_process(root, 700, ALICE, threads=(701, 702))
    assert refusal(threads_of, tree, ALICE, (700,)) == "TooLarge"


def test_tasks_need_the_games_instance(begin, grants):
    """A grant for the waits of the computer has no list."""
    id_ = begin(options=TraceOptions())
    assert refusal(grants.set_tasks, id_, ":1.1", (1,)) == "InvalidArgument"
