# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances as they are made and removed, and kernels that refuse a part of it."""

import errno
import os
import shutil

import pytest

from destutter_helper.api.names import HelperError
from destutter_helper.api.trace_events import OFF, SETUPS
from destutter_helper.api.tracing import DRIVES, EXPERT, GAME, PATHS, WAITS, Field
from destutter_helper.log import Log
from destutter_helper.trace_instances import LEFT_MAX, Instances
from tests.support.fake_tracefs import COMMON, EVENTS, TRACING, format_text
from tests.support.sampled import sampled

ID = "0123456789abcdef" * 2
NAME = f"destutter-{ID}"


@pytest.fixture
def instances(tree):
    """None is made yet; whatever is made is ended."""
    instances = Instances(tree, Log())
    yield instances
    for kind in SETUPS:
        instances.end(f"{NAME}-{kind}")


def names(root):
    return sorted(path.name for path in (root / TRACING / "instances").iterdir())


def refusal(work, *values):
    with pytest.raises(HelperError) as refused:
        work(*values)
    return refused.value


@pytest.mark.parametrize("kind", SETUPS)
def test_everything_is_set_up_before_the_first_event_is_switched_on(instances, tree, kind):
    """Clock, size, options, the dead man's handle, lists and filters; then events, and no more."""
    made = instances.make(ID, kind)
    if kind in (EXPERT, PATHS):  # it has no list before threads are asked for, and records nobody
        assert not [one for one in tree.written if one[0].endswith("/enable") and one[1] == "1"]
        instances.list_tasks(made, (os.getpid(),))
    written = [entry for entry in tree.written if entry[0]]
    files = [name for name, _text in written]
    first = files.index(next(name for name in files if name.endswith("/enable")))
    setup = [*((name, "0") for name in OFF), *SETUPS[kind].files]
    assert written[: len(setup)] == setup
    assert files.index("free_buffer") < first
    switched = {name for name, text in written if text == "1" and name.startswith("events/")}
    assert switched == {f"events/{event}/enable" for event in SETUPS[kind].events}
    for event, filter_ in SETUPS[kind].events.items():
        if filter_:
            at = files.index(f"events/{event}/enable")
            assert written[at - 1] == (f"events/{event}/filter", filter_)
    allowed = {"free_buffer", "set_event_pid", *(name for name, _text in setup)}
    allowed |= {f"events/{e}/{f}" for e in SETUPS[kind].events for f in ("enable", "filter")}
    assert set(files) <= allowed


def test_a48_what_a_kernel_cannot_record_need_not_be_switched_off(instances, root, tree):
    """One without stacks has no such option; one that keeps it on is not used."""
    (root / TRACING / "template" / OFF[1]).unlink()
    assert instances.make(ID, WAITS).events
    tree.faults[OFF[0]] = errno.EACCES
    assert refusal(instances.make, ID, DRIVES).name == "Refused"


def test_f72_missing_events_are_passed_over_and_named(instances, root):
    """A kernel without throttling, without btrfs: the rest is recorded."""
    shutil.rmtree(root / TRACING / "template/events/wbt")
    shutil.rmtree(root / TRACING / "template/events/btrfs")
    made = instances.make(ID, WAITS)
    assert made.missing == ["wbt/wbt_timer", "btrfs/btrfs_transaction_commit"]
    assert len(made.events) == 11


def test_f72_a_kernel_without_any_of_them_is_told_so(instances, root):
    """No event at all: an instance that records nothing, and all are named."""
    for path in (root / TRACING / "template/events").iterdir():
        if path.is_dir():
            shutil.rmtree(path)
    assert instances.make(ID, WAITS).missing == list(SETUPS[WAITS].events)


@pytest.mark.parametrize("event", sampled(EVENTS, [*EVENTS][::8]))
@pytest.mark.parametrize("field", ["ip", "caller_ip", "tic", "a_pointer"])
def test_a48_an_event_that_shows_addresses_is_never_switched_on(
    instances, tree, root, event, field
):
    """Any of the list, on a kernel in which it has grown such a field."""
    kind = "void *" if field == "a_pointer" else "unsigned long"
    text = format_text(999, [*COMMON, Field(field, kind, 8, 8, signed=False)])
    (root / TRACING / f"template/events/{event}/format").write_text(text)
    of = next(kind for kind, setup in SETUPS.items() if event in setup.events)
    made = instances.make(ID, of)
    assert made.missing == [event]
    assert (f"events/{event}/enable", "1") not in tree.written


def test_a48_an_event_without_its_filter_is_not_switched_on(instances, tree):
    """The log of the kernel has more than split locks."""
    tree.faults["printk/console/filter"] = errno.EINVAL
    assert instances.make(ID, WAITS).missing == ["printk/console"]
    assert ("events/printk/console/enable", "1") not in tree.written


def test_f72_a_format_of_another_form_is_passed_over(instances, root):
    """A file that is no format is an event that is missing, no crash."""
    (root / TRACING / "template/events/oom/mark_victim/format").write_bytes(b"\xff\x00 nonsense")
    assert instances.make(ID, WAITS).missing == ["oom/mark_victim"]


@pytest.mark.parametrize(
    ("file", "number"),
    [
        ("-waits", errno.EROFS),
        ("-waits", errno.EACCES),
        ("trace_clock", errno.EINVAL),
        ("buffer_size_kb", errno.ENOMEM),
        ("options/disable_on_free", errno.ENOENT),
        ("free_buffer", errno.EMFILE),
    ],
)
def test_f73_a_kernel_that_refuses_is_told_in_words_and_nothing_is_left(
    instances, tree, root, file, number
):
    """A read-only tracefs, no memory, an old kernel: Refused, with the kernel's own reason."""
    tree.faults[file] = number
    error = refusal(instances.make, ID, WAITS)
    assert error.name == "Refused"
    assert "did not let it be set up" in str(error)
    assert names(root) == []


def test_a53_a_squatted_name_is_left_alone(instances, root):
    """Somebody else's instance of that very name: refused, and nothing of it is touched."""
    theirs = root / TRACING / f"instances/{NAME}-waits"
    theirs.mkdir()
    (theirs / "tracing_on").write_text("theirs")
    assert refusal(instances.make, ID, WAITS).name == "Refused"
    assert (theirs / "tracing_on").read_text() == "theirs"


def test_a_page_of_another_form_is_refused(instances, root):
    """Without it nobody could read anything."""
    (root / TRACING / "template/events/header_page").write_text("something else")
    assert refusal(instances.page, instances.make(ID, WAITS)).name == "Refused"


def test_f73_a_locked_kernel_is_told_in_words(instances, root):
    """lockdown=confidentiality: no instances, or nothing at all, but the kernel says why."""
    shutil.rmtree(root / TRACING / "instances")
    error = refusal(instances.check)
    assert (error.name, error.said.id) == ("Unsupported", "helper.trace.locked")
    shutil.rmtree(root / TRACING / "events")
    assert refusal(instances.check).said.id == "helper.trace.no_tracefs"
    lockdown = root / "sys/kernel/security/lockdown"
    lockdown.parent.mkdir()
    lockdown.write_text("none integrity [confidentiality]\n")
    assert refusal(instances.check).said.id == "helper.trace.locked"


def test_f73_no_tracefs_is_told_in_words(instances, root):
    """Nothing mounted, or no such directory."""
    shutil.rmtree(root / TRACING)
    assert refusal(instances.check).said.id == "helper.trace.no_tracefs"
    (root / TRACING).mkdir()
    assert refusal(instances.check).said.id == "helper.trace.no_tracefs"
    instances.clear()
    assert not instances.are_left


def test_a47_a_list_is_exchanged_while_nothing_is_recorded(instances, tree, root):
    """Off, list, on: an emptied list would show everybody; ksoftirqd is in each."""
    made = instances.make(ID, GAME)
    tree.written.clear()
    instances.list_tasks(made, (700, 71))
    assert tree.written == [
        ("events/sched/sched_waking/enable", "0"),
        ("events/sched/sched_switch/enable", "0"),
        ("set_event_pid", "15 16 71 700"),
        ("events/sched/sched_waking/enable", "1"),
        ("events/sched/sched_switch/enable", "1"),
    ]
    assert (root / TRACING / f"instances/{NAME}-game/set_event_pid").read_text() == "15 16 71 700"


def test_a47_without_anybody_to_list_nothing_is_recorded(instances, tree, root):
    """A kernel that shows no ksoftirqd: an empty list would show everybody."""
    for pid in (15, 16):
        shutil.rmtree(root / f"proc/{pid}")
    instances.make(ID, GAME)
    assert not [entry for entry in tree.written if entry[0] == "set_event_pid"]
    assert not [entry for entry in tree.written if entry[0].endswith("enable") and entry[1] == "1"]


def test_a47_a_list_that_the_kernel_refuses_leaves_nothing_recorded(instances, tree):
    """It is empty by then: the events stay off."""
    made = instances.make(ID, GAME)
    tree.written.clear()
    tree.faults["set_event_pid"] = errno.ENOMEM
    assert refusal(instances.list_tasks, made, (700,)).name == "Refused"
    assert [text for name, text in tree.written if name.endswith("enable")] == ["0", "0"]


def test_a49_what_is_kept_open_is_stopped_and_emptied_and_tried_again(instances, tree, root):
    """Somebody keeps a descriptor: nothing more is recorded, and a later look removes it."""
    instances.make(ID, WAITS)
    tree.faults["-waits"] = errno.EBUSY
    tree.written.clear()
    assert not instances.end(f"{NAME}-waits")
    assert tree.written == [("events/enable", "0"), ("tracing_on", "0"), ("buffer_size_kb", "4")]
    instances.clear()
    assert names(root) == [f"{NAME}-waits"]
    assert instances.are_left
    tree.faults.clear()
    instances.clear()
    assert names(root) == []
    assert not instances.are_left


def test_a53_only_ours_is_cleared_and_no_grant_of_now(instances, root):
    """Names that only look alike stay, as does what is in use."""
    instances.make(ID, WAITS)
    others = ["trace-cmd", "destutter", "destutter-1-waits", f"destutter-{'f' * 32}-other"]
    left = f"destutter-{'f' * 32}-game"
    for name in (*others, left):
        (root / TRACING / "instances" / name).mkdir()
    instances.clear()
    assert names(root) == sorted([*others, f"{NAME}-waits"])


def test_a51_too_much_that_is_kept_open_ends_the_lending(instances, tree, root):
    """Descriptors kept after the end, again and again: no more memory of the kernel for that."""
    tree.faults["-waits"] = errno.EBUSY
    for number in range(LEFT_MAX):
        (root / TRACING / f"instances/destutter-{number:032x}-waits").mkdir()
    error = refusal(instances.check)
    assert (error.name, error.said.id) == ("Busy", "helper.trace.descriptors_kept")
    tree.faults.clear()
    instances.check()
    assert names(root) == []


def test_f73_a_tracefs_that_is_closed_to_us_is_told_in_words(instances, tree, monkeypatch):
    """Refused with the kernel's reason; nothing is there to be cleared."""

    def refuse(path):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    monkeypatch.setattr(tree, "names", refuse)
    assert "Permission denied" in str(refusal(instances.check))
    instances.clear()
    assert not instances.are_left


def test_what_is_left_is_told_to_the_log(instances, tree, root, capfd):
    """One line with the names, once, however often it is tried again."""
    tree.faults["-waits"] = errno.EBUSY
    (root / TRACING / f"instances/{NAME}-waits").mkdir()
    instances.clear()
    instances.clear()
    assert capfd.readouterr().err.count(f"may no longer read: {NAME}-waits") == 1
