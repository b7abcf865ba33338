# SPDX-License-Identifier: GPL-3.0-or-later
"""Any sequence of trials, kills, refusals, foreign changes and undos ends well."""

import contextlib

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import UndoRequest
from destutter_helper.engine import Engine
from tests.support.faulty_kernel import NS_PER_S, Computer
from tests.support.helper_moves import change_set

CHANGES = (
    "vm.swappiness=10",
    "vm.swappiness=5",
    "vm.dirty_bytes=268435456",
    "vm.dirty_ratio=7",
    "vm.dirty_background_bytes=67108864",
    "thp.enabled=never",
    "thp.enabled=always",
    "vm.min_free_kbytes=50000",
    "block.scheduler@sda=bfq",
    "block.scheduler@sda=none",
    "block.scheduler@sda=kyber",
    "block.nr_requests@sda=24",
    "block.iosched.low_latency@sda=0",
    "block.iosched.async_depth@sda=12",
    "block.iosched.strict_guarantees@sda=1",
    "block.wbt_lat_usec@sda=1000",
    "block.read_ahead_kb@sda=512",
    "block.scheduler@nvme0n1=kyber",
    "nvme.latency_tolerance@nvme0=0",
    "sata.link_power@host0=max_performance",
    "softirq.policy=fifo:2",
    "cpu.dma_latency=20",
)
FOREIGN = (
    ("/proc/sys/vm/swappiness", "37"),
    ("/proc/sys/vm/dirty_ratio", "33"),
    ("/proc/sys/vm/min_free_kbytes", "99999"),
    ("/sys/kernel/mm/transparent_hugepage/enabled", "never"),
    ("/sys/block/sda/queue/scheduler", "mq-deadline"),
    ("/sys/block/sda/queue/nr_requests", "20"),
    ("/sys/block/sda/queue/wbt_lat_usec", "4321"),
    ("/sys/block/nvme0n1/queue/scheduler", "bfq"),
    ("/sys/class/nvme/nvme0/power/pm_qos_latency_tolerance_us", "5000"),
)
sets = st.lists(st.sampled_from(CHANGES), min_size=1, max_size=4, unique=True)


class Sequence(RuleBasedStateMachine):
    """The values that are to come back are the computer's own until somebody else writes one."""

    @initialize()
    def start(self) -> None:
        """A computer with a few values of its user's own."""
        self.computer = Computer()
        self.computer.kernel.set("/sys/block/sda/queue/nr_requests", "30")
        self.computer.kernel.set("/sys/block/sda/queue/iosched/async_depth", "16")
        self.stock = self.computer.kernel.dump()
        self.is_foreign = False
        self.engine = self._new_helper()

    def _new_helper(self) -> Engine:
        engine = self.computer.start()
        engine.recover()
        return engine

    @rule(changes=sets)
    def attempt(self, changes: list[str]) -> None:
        """A trial, accepted or refused: if refused, nothing has changed."""
        before = self.computer.kernel.dump()
        try:
            self.engine.begin_trial(
                change_set(*changes), owner_uid=1, owner_name=":1.1", seconds=30
            )
        except HelperError:
            assert self.computer.kernel.dump() == before

    @rule(changes=sets, number=st.integers(1, 8))
    def attempt_with_a_refusing_kernel(self, changes: list[str], number: int) -> None:
        """The nth write of a trial fails: the set is taken back, as far as the kernel lets us."""
        before = self.computer.kernel.dump()
        kernel = self.computer.kernel
        kernel.writes.clear()
        paths = ("scheduler", "swappiness", "enabled", "nr_requests", "dirty_bytes")
        kernel.refused = dict.fromkeys(
            (path for path in before if path.endswith(paths[number % len(paths)])), 22
        )
        is_ours_already = self.engine.trial is not None
        with contextlib.suppress(HelperError):
            self.engine.begin_trial(
                change_set(*changes), owner_uid=1, owner_name=":1.1", seconds=30
            )
        kernel.refused = {}
        if self.engine.trial is not None and not is_ours_already:
            self.engine.revert(self.engine.trial.txid, "reverted")
        if not self.engine.state().conflicts:
            assert kernel.dump() == before

    @precondition(lambda self: self.engine.trial is not None)
    @rule(until=st.sampled_from(["restart", "always"]))
    def keep(self, until: str) -> None:
        """Keep, where it is possible."""
        assert self.engine.trial is not None
        with contextlib.suppress(HelperError):
            self.engine.keep(self.engine.trial.txid, until)

    @rule(seconds=st.integers(1, 60))
    def wait(self, seconds: int) -> None:
        """Time passes; overdue trials end."""
        self.computer.kernel.now_ns += seconds * NS_PER_S
        self.engine.expire()

    @rule(change=st.sampled_from(FOREIGN))
    def meddle(self, change: tuple[str, str]) -> None:
        """Somebody else writes a value."""
        with contextlib.suppress(OSError):
            self.computer.kernel.set(*change)
            self.is_foreign = True

    @rule(changes=sets, crash_at=st.integers(1, 60))
    def be_killed_in_a_trial(self, changes: list[str], crash_at: int) -> None:
        """The helper is killed while it begins a trial; a new one recovers."""

        def work() -> None:
            with contextlib.suppress(HelperError):
                self.engine.begin_trial(
                    change_set(*changes), owner_uid=1, owner_name=":1.1", seconds=30
                )

        self.computer.run(work, crash_at)
        self.engine = self._new_helper()

    @rule(crash_at=st.integers(1, 60))
    def be_killed_in_an_undo(self, crash_at: int) -> None:
        """The helper is killed while it takes everything back; a new one goes on."""
        self.computer.run(lambda: self.engine.undo(UndoRequest()), crash_at)
        self.engine = self._new_helper()

    @rule(name=st.sampled_from(sorted({change.partition("=")[0] for change in CHANGES})))
    def undo_one(self, name: str) -> None:
        """One setting is taken back."""
        self.engine.undo(UndoRequest((name,)))

    @rule()
    def undo_everything(self) -> None:
        """All is stock again, or somebody else's."""
        self.engine.undo(UndoRequest())
        if not self.is_foreign:
            assert self.computer.kernel.dump() == self.stock
            assert self.engine.state().state == "idle"

    @rule()
    def restart(self) -> None:
        """The computer starts anew; what is kept for every start is set."""
        self.computer.power_cut()
        self.stock, self.is_foreign = self.computer.kernel.dump(), False
        booting = self.computer.start()
        with contextlib.suppress(HelperError):
            booting.boot()
        booting.close()
        self.engine = self._new_helper()
        self.engine.confirm_boot()

    @invariant()
    def what_is_reported_is_true(self) -> None:
        """Without meddling every value of ours is where the state says it is."""
        if hasattr(self, "engine") and not self.is_foreign:
            assert {one.outcome for one in self.engine.verify()} <= {"ok", "resurrected"}

    def teardown(self) -> None:
        """In the end force takes everything of ours back, and nothing is left in conflict."""
        if not hasattr(self, "engine"):
            return
        self.engine.undo(UndoRequest())
        names = tuple({one.id for one in self.engine.state().conflicts})
        self.engine.undo(UndoRequest(force=names))
        left = tuple({one.id for one in self.engine.state().conflicts})
        self.engine.undo(UndoRequest(ids=(), accept=left))
        assert self.engine.state().state == "idle"
        if not self.is_foreign:
            assert self.computer.kernel.dump() == self.stock
        self.computer.kernel.kill_process()


TestAnySequence = Sequence.TestCase
TestAnySequence.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
