# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter apply`` and ``undo`` as a user types them: the installed helper, the real kernel."""

import json
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.support.bus_kit import BusKit
from tests.support.kernel_dump import kernel_dump
from tests.support.kit_init import USERS

_SWAPPINESS = Path("/proc/sys/vm/swappiness")


@dataclass(frozen=True)
class Ran:
    """What a command answered."""

    status: int
    out: str
    err: str


def _run(kit: BusKit, user: str, *words: str, before: str = "") -> Ran:
    """Run the command line as a user with an active session at the computer."""
    session = kit.session(user, "active")
    uid = USERS[user]
    # A checkout may lie where other users may not look (root's home); reading it is all that
    # this capability allows, and nobody on the bus asks for it.
    reading = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
    user_id = [f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
    program = ["env", "HOME=/nonexistent", sys.executable, "-m", "destutter", *words]
    command = shlex.join(["setpriv", *user_id, *reading, "--", *program])
    joined = f"mkdir -p {session}; echo $$ > {session}/cgroup.procs; {before} exec {command}"
    answer = kit.ask("shell", command=f"sh -c {shlex.quote(joined)}")
    return Ran(int(answer["rc"]), str(answer["out"]), str(answer["err"]))


def test_kept_value_stays_and_is_undone_exactly(kit: BusKit) -> None:
    """apply --keep restart leaves the value in the kernel; undo brings back what was there."""
    before = kernel_dump()
    ran = _run(kit, "alice", "apply", "vm.swappiness=33", "--keep", "restart")
    assert (ran.status, ran.err) == (0, "")
    assert "vm.swappiness" in ran.out
    assert _SWAPPINESS.read_text() == "33\n"
    ran = _run(kit, "alice", "undo", "--all", "--json")
    assert ran.status == 0
    assert [result["outcome"] for result in json.loads(ran.out)] == ["restored"]
    assert kernel_dump() == before


def test_trial_ends_by_itself_and_says_so(kit: BusKit) -> None:
    """After its seconds everything is back, and the command reports it with status 0."""
    before = kernel_dump()
    ran = _run(kit, "alice", "apply", "vm.swappiness=34", "vm.page-cluster=0", "--trial", "5")
    assert (ran.status, ran.err) == (0, "")
    assert "On trial for 5 s" in ran.out
    assert "back to" in ran.out
    assert kernel_dump() == before


def test_a_trace_shows_this_kernel_and_leaves_nothing(kit: BusKit) -> None:
    """A user's own look at waits and requests, through the installed helper."""
    place = "/sys/kernel/tracing"
    kit.shell(f"mountpoint -q {place} || mount -t tracefs tracefs {place}")
    ran = _run(kit, "alice", "trace", "--seconds", "1", "--json")
    assert (ran.status, ran.err) == (0, "")
    looks = [json.loads(line) for line in ran.out.splitlines()]
    assert looks[-1]["end_ns"] - looks[0]["begin_ns"] > 5e8
    assert kit.shell(f"ls {place}/instances").split() == []


def test_interrupt_takes_a_trial_back_at_once(kit: BusKit) -> None:
    """Ctrl-C ends a long trial; the value is back before the command has ended."""
    before = kernel_dump()
    interrupt = "(sleep 4; kill -INT $$) &"
    ran = _run(kit, "alice", "apply", "vm.swappiness=35", "--trial", "90", before=interrupt)
    assert (ran.status, ran.err) == (0, "")
    assert "back to" in ran.out
    assert kernel_dump() == before


def test_what_cannot_be_kept_is_back_when_the_reason_is_said(kit: BusKit) -> None:
    """The command does not end before the values of its trial are taken back."""
    before = kernel_dump()
    changes = ("vm.swappiness=36", "vm.page-cluster=1", "thp.enabled=never", "cpu.dma_latency=90")
    ran = _run(kit, "alice", "apply", *changes, "--keep", "always")
    assert kernel_dump() == before
    assert (ran.status, ran.out) == (1, "")
    assert "only as long as it is held" in ran.err


def test_refusals_are_one_line_and_change_nothing(kit: BusKit) -> None:
    """Denied, out of range, unknown and malformed: which entry and why, and no value moved."""
    before = kernel_dump()
    for user, word, status, told in (
        ("bob", "vm.swappiness=36", 1, "polkit"),
        ("alice", "vm.swappiness=900", 1, "vm.swappiness"),
        ("alice", "kernel.core_pattern=x", 2, "kernel.core_pattern"),
        ("alice", "block.scheduler@nodrive=none", 1, "nodrive"),
        ("alice", "vm.swappiness", 2, "ID=VALUE"),
    ):
        ran = _run(kit, user, "apply", word, "--trial", "5")
        assert ran.status == status, ran
        assert ran.err.count("\n") == 1, ran
        assert ran.err.startswith("destutter: "), ran
        assert told in ran.err or user == "bob", ran
    assert kernel_dump() == before


def test_value_of_somebody_else_is_left_until_forced(kit: BusKit) -> None:
    """undo does not overwrite what another tool set meanwhile, says so, and can be told to."""
    before = kernel_dump()
    assert _run(kit, "alice", "apply", "vm.swappiness=37", "--keep", "restart").status == 0
    _SWAPPINESS.write_text("70")
    ran = _run(kit, "alice", "undo", "vm.swappiness")
    assert ran.status == 1
    assert "somebody else" in ran.out
    assert _SWAPPINESS.read_text() == "70\n"
    ran = _run(kit, "alice", "undo", "vm.swappiness", "--force")
    assert ran.status == 0, ran
    assert kernel_dump() == before


def test_value_of_somebody_else_in_a_pair_can_be_accepted(kit: BusKit) -> None:
    """What undo advises is what works: the administrator's ratio stays, and nothing of ours."""
    before = kernel_dump()
    wanted = ("vm.dirty_bytes=268435456", "--keep", "restart")
    assert _run(kit, "alice", "apply", *wanted).status == 0
    ratio = Path("/proc/sys/vm/dirty_ratio")
    try:
        ratio.write_text("30")
        ran = _run(kit, "alice", "undo", "vm.dirty_bytes")
        assert ran.status == 1
        ran = _run(kit, "alice", "undo", "vm.dirty_bytes", "--accept")
        assert (ran.status, ran.err) == (0, "")
        assert "forgotten" in ran.out
        assert "Nothing to do" in _run(kit, "alice", "undo", "--all").out
        assert ratio.read_text() == "30\n"
    finally:
        ratio.write_text(before["/proc/sys/vm/dirty_ratio"])
    assert kernel_dump() == before


def test_undo_is_free_for_the_user_at_the_computer_and_apply_is_not(kit: BusKit) -> None:
    """dave has no grant: without an agent his apply is refused, his undo is not."""
    assert _run(kit, "alice", "apply", "vm.swappiness=38", "--keep", "restart").status == 0
    assert _run(kit, "dave", "apply", "vm.page-cluster=0", "--trial", "5").status == 1
    assert _run(kit, "dave", "undo", "--all").status == 0
    assert _SWAPPINESS.read_text() != "38\n"


def test_what_is_kept_for_a_game_is_listed_and_forgotten(kit: BusKit) -> None:
    """apply --for-game changes nothing now; status has it for its user and nobody else."""
    before = kernel_dump()
    ran = _run(kit, "alice", "apply", "vm.swappiness=33", "--for-game", "X-Plane 12")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("X-Plane 12: vm.swappiness=33\n")
    for user, games in (("alice", ["X-Plane 12"]), ("bob", [])):
        told = json.loads(_run(kit, user, "status", "--json").out)
        assert [each["game"] for each in told["kept_for_games"]] == games
    assert _run(kit, "bob", "undo", "--for-game", "X-Plane 12").status == 1
    ran = _run(kit, "alice", "undo", "--for-game", "X-Plane 12")
    assert (ran.status, ran.err) == (0, "")
    assert json.loads(_run(kit, "alice", "status", "--json").out)["kept_for_games"] == []
    assert kernel_dump() == before
