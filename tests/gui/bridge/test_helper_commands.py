# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter apply`` and ``undo``: others in between, a helper or a bus that ends, lost records.

The real helper on a bus of its own above a scratch tree; the command reads that tree.
"""

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtDBus import QDBusConnection

from destutter.commands import terminal as output
from destutter.commands.changes import apply_in, talk_of_undo
from destutter.commands.helper_session import HelperSession, parse_changes
from destutter.commands.terminal import CommandError, UsageError
from destutter.commands.trial_watch import TrialWatch
from destutter.core.kernel_files import KernelFiles
from destutter_helper.api.payload import ChangeSet
from tests.support import private_bus, scratch_tree
from tests.support.bus_kit import PYTHON

_SERVICE = """[D-BUS Service]
Name=io.github.destutter.Helper1
Exec={python} -IS {program} --root {root} --bus {address}
"""


class Terminal:
    """Somebody at a terminal, whose commands speak to the helper of a private bus."""

    def __init__(self, bus: private_bus.PrivateBus) -> None:
        self.bus = bus
        self.connection = QDBusConnection.connectToBus(bus.address, bus.address)
        self.session = HelperSession(self.connection)
        self.language = "en"

    @property
    def output(self) -> output.Terminal:
        """What the command writes to."""
        return output.Terminal(sys.stdout, sys.stderr, self.language)

    def value(self, name: str = "vm/swappiness") -> str:
        """What the scratch tree holds."""
        return scratch_tree.value(self.bus.root, name)

    def journal(self) -> Path:
        """Where the helper has its journal."""
        return self.bus.root / "var/lib/destutter"

    def apply(
        self,
        *words: str,
        in_trial: Callable[[], None] = lambda: None,
        keep: str | None = None,
        as_json: bool = False,
        seconds: int = 60,
    ) -> int:
        """Run the command; ``in_trial`` happens as soon as its trial runs. The exit status."""
        change_set = ChangeSet(parse_changes(words))
        arguments = argparse.Namespace(trial=seconds, keep=keep, json=as_json)
        watch = TrialWatch(KernelFiles(str(self.bus.root)), change_set)
        begun = self.session.client.trial_begun
        later = begun.connect(lambda _trial: QTimer.singleShot(0, in_trial))
        try:
            self.session.connect()
            return apply_in(self.session, change_set, watch, arguments, self.output)
        finally:
            begun.disconnect(later)

    def undo(
        self, *names: str, force: bool = False, accept: bool = False, as_json: bool = False
    ) -> int:
        """Run the command; without names for everything. The exit status."""
        arguments = argparse.Namespace(
            ids=names, all=not names, force=force, accept=accept, json=as_json
        )
        self.session.connect()
        files = KernelFiles(str(self.bus.root))
        return talk_of_undo(self.session, files, arguments, self.output)

    def keep(self, *words: str, until: str = "restart") -> None:
        """Try and keep at once."""
        assert self.apply(*words, keep=until) == 0

    def write(self, text: str) -> None:
        """Somebody else sets the swappiness."""
        (self.bus.root / "proc/sys/vm/swappiness").write_text(text + "\n")

    def damage_and_kill(self) -> None:
        """Both processes die at once, and nothing can be read of journal, copy and history."""
        self.bus.kill_all()
        for name in ("journal.json", "journal.prev.json", "history.jsonl"):
            (self.journal() / name).write_text("x")
        (self.bus.root / "run/destutter/journal.copy.json").write_text("x")

    def close(self) -> None:
        """Leave the bus."""
        self.session.close()
        self.session.client.deleteLater()
        QDBusConnection.disconnectFromBus(self.bus.address)


@pytest.fixture
def quiet(granted: private_bus.PrivateBus) -> Iterator[Terminal]:
    """A bus without the helper, which cannot be started either; polkit grants everything."""
    made = Terminal(granted)
    yield made
    made.close()


@pytest.fixture
def terminal(qapp: object, quiet: Terminal) -> Terminal:
    """The same with the helper running."""
    quiet.bus.start_helper()
    return quiet


@pytest.fixture
def starting(program: Path, tmp_path: Path) -> None:
    """The bus starts the helper when somebody calls it."""
    services = tmp_path / "services"
    services.mkdir()
    (services / "io.github.destutter.Helper1.service").write_text(
        _SERVICE.format(
            python=PYTHON,
            program=program,
            root=tmp_path / "tree",
            address=f"unix:path={tmp_path}/bus",
        )
    )


def test_lost_record_is_told_from_the_kernel_not_from_the_helper(
    qapp: object, starting: None, quiet: Terminal, capfd: pytest.CaptureFixture[str]
) -> None:
    """The helper's successor knows of nothing: the value is still there, and that is said."""
    quiet.bus.start_helper()
    status = quiet.apply("vm.swappiness=10", in_trial=quiet.damage_and_kill)
    told, errors = capfd.readouterr()
    assert status == 1
    assert quiet.value() == "10"
    assert "vm.swappiness: still 10: the helper has lost its record of it\n" in told
    assert "took everything back" not in told
    assert "sudo sysctl -w vm.swappiness=60" in errors


def test_successor_that_takes_it_back_is_told_as_that(
    qapp: object, starting: None, quiet: Terminal, capfd: pytest.CaptureFixture[str]
) -> None:
    """The journal is in order: the next helper restores, and the kernel agrees."""
    quiet.bus.start_helper()
    status = quiet.apply("vm.swappiness=10", in_trial=quiet.bus.kill_all)
    told, errors = capfd.readouterr()
    assert status == 0
    assert quiet.value() == "60"
    assert "vm.swappiness: back to 60" in told
    assert "the helper went away in the trial" in errors


def test_helper_that_cannot_start_again_ends_the_command(
    terminal: Terminal, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nobody answers any more: what is in the kernel is said, with ways out, and status 1."""
    status = terminal.apply("vm.swappiness=10", in_trial=terminal.bus.kill_all)
    told, errors = capfd.readouterr()
    assert status == 1
    assert "vm.swappiness: still 10: the helper does not answer" in told
    assert "destutter doctor" in errors


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_helper_that_is_ended_takes_its_trial_back(
    terminal: Terminal, capfd: pytest.CaptureFixture[str], number: int
) -> None:
    """Its guardian lives a moment longer; the command sees it in the kernel and ends with 0."""
    helper = terminal.bus.helper
    assert helper is not None
    status = terminal.apply("vm.swappiness=10", in_trial=lambda: helper.send_signal(number))
    assert (status, terminal.value()) == (0, "60")
    assert "vm.swappiness: back to 60" in capfd.readouterr().out


def test_bus_that_ends_under_a_trial(
    terminal: Terminal, capfd: pytest.CaptureFixture[str]
) -> None:
    """The helper takes back what it can no longer be asked for, and the command says so."""
    status = terminal.apply("vm.swappiness=10", in_trial=terminal.bus.end_bus, as_json=True)
    assert (status, terminal.value()) == (0, "60")
    (result,) = json.loads(capfd.readouterr().out)
    assert (result["outcome"], result["value"]) == ("restored", "60")


def test_interrupt_ends_a_trial_whose_helper_does_not_answer(
    terminal: Terminal, capfd: pytest.CaptureFixture[str]
) -> None:
    """A helper that is stopped: Ctrl-C lets go of the trial, and its guardian takes it back."""
    helper, other = terminal.bus.helper, terminal.bus.client()
    assert helper is not None

    def stop() -> None:
        other.call("GetState")  # it lets go of its own copy of the hold before the next call
        helper.send_signal(signal.SIGSTOP)
        os.kill(os.getpid(), signal.SIGINT)

    try:
        status = terminal.apply("vm.swappiness=10", in_trial=stop)
    finally:
        helper.send_signal(signal.SIGCONT)
    assert (status, terminal.value()) == (0, "60")
    assert "vm.swappiness: back to 60" in capfd.readouterr().out


def test_interrupt_while_nobody_answers_a_question(terminal: Terminal) -> None:
    """A password dialog that never ends: Ctrl-C ends the command."""
    terminal.bus.allow("apply", "hang")
    look = QTimer(interval=10)
    look.timeout.connect(
        lambda: os.kill(os.getpid(), signal.SIGINT) if terminal.bus.questions() else None
    )
    look.start()
    with pytest.raises(KeyboardInterrupt):
        terminal.apply("vm.swappiness=10")
    look.stop()
    assert terminal.value() == "60"


def test_value_of_somebody_else_in_a_lost_trial_is_not_ours(
    terminal: Terminal, capfd: pytest.CaptureFixture[str]
) -> None:
    """Neither the old value nor the one on trial: somebody else has set it."""

    def lose() -> None:
        terminal.bus.kill_all()
        (terminal.bus.root / "proc/sys/vm/swappiness").write_text("77\n")

    assert terminal.apply("vm.swappiness=10", in_trial=lose) == 1
    assert "left alone at 77: somebody else has set it since" in capfd.readouterr().out


def test_keeping_what_is_over_is_refused_and_does_not_wait(terminal: Terminal) -> None:
    """The trial is gone before Keep is asked."""
    terminal.session.connect()
    client = terminal.session.client
    client.trial_begun.connect(lambda _trial: client.release())
    with pytest.raises(CommandError, match="ended before it could be kept"):
        terminal.apply("vm.swappiness=10", keep="restart")
    assert terminal.value() == "60"


def test_undo_of_everything_by_force_takes_back_what_others_have_set(
    terminal: Terminal, capfd: pytest.CaptureFixture[str]
) -> None:
    """At once, and also after an undo has left it alone; what is ours goes back as well."""
    terminal.keep("vm.swappiness=10", "vm.page-cluster=0")
    terminal.write("77")
    assert terminal.undo(force=True) == 0
    assert (terminal.value(), terminal.value("vm/page-cluster")) == ("60", "3")
    assert "vm.swappiness: back to 60 (somebody else had set 77)" in capfd.readouterr().out
    terminal.keep("vm.swappiness=10")
    terminal.write("77")
    assert terminal.undo() == 1
    assert terminal.value() == "77"
    assert terminal.undo(force=True) == 0
    assert terminal.value() == "60"


def test_a_value_of_somebody_else_is_left_with_both_ways_out(
    terminal: Terminal, capfd: pytest.CaptureFixture[str]
) -> None:
    """Said once, and the second way leaves the value and forgets it."""
    terminal.keep("vm.swappiness=10")
    terminal.write("77")
    assert terminal.undo("vm.swappiness") == 1
    told = capfd.readouterr().out
    assert told.count("somebody else") == 1
    assert "'destutter undo vm.swappiness --force' sets 60" in told
    assert "'destutter undo vm.swappiness --accept' leaves it" in told
    assert terminal.undo("vm.swappiness", accept=True) == 0
    assert "left as it is, and forgotten" in capfd.readouterr().out
    assert terminal.undo() == 0
    assert "Nothing to do" in capfd.readouterr().out
    assert terminal.value() == "77"


def test_accepting_at_once_and_never_what_is_ours(
    terminal: Terminal, capfd: pytest.CaptureFixture[str]
) -> None:
    """No undo has to be refused before; a value as Destutter set it is not to be accepted."""
    terminal.keep("vm.swappiness=10")
    with pytest.raises(CommandError, match="as Destutter set it"):
        terminal.undo("vm.swappiness", accept=True)
    assert terminal.value() == "10"
    terminal.write("77")
    assert terminal.undo("vm.swappiness", accept=True) == 0
    assert terminal.value() == "77"
    assert terminal.undo("vm.swappiness", force=True) == 0
    assert "Nothing to do" in capfd.readouterr().out


def test_undo_of_a_drive_that_is_not_there_is_wrong_usage(
    terminal: Terminal, capfd: pytest.CaptureFixture[str]
) -> None:
    """A typing error is not "nothing to do"; the drives that there are get named."""
    terminal.keep("block.read_ahead_kb@sda=512")
    with pytest.raises(UsageError, match="there is no device sdA; there are sda"):
        terminal.undo("block.read_ahead_kb@sdA")
    assert terminal.undo("block.nr_requests@sda") in (0, 1)
    assert terminal.undo("vm.swappiness") == 0
    assert "Nothing to do" in capfd.readouterr().out


def test_keeping_until_the_restart_says_what_every_start_still_sets(
    terminal: Terminal, capfd: pytest.CaptureFixture[str]
) -> None:
    """What was kept for every start before stays so."""
    terminal.keep("vm.swappiness=10", until="always")
    assert "60 -> 10, at every start" in capfd.readouterr().out
    terminal.keep("vm.swappiness=20")
    assert "every start still sets vm.swappiness to 10" in capfd.readouterr().err
    assert terminal.undo() == 0


def test_a_damaged_journal_is_not_nothing(terminal: Terminal) -> None:
    """Of what it held nothing is known: the helper says so, and the command ends with that."""
    terminal.keep("vm.swappiness=10")
    terminal.damage_and_kill()
    terminal.bus.start_helper()
    with pytest.raises(CommandError, match="not known what was changed"):
        terminal.undo()


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "de",
            (
                "Auf Probe für 60 s; dann geht es zurück. Strg-C nimmt es gleich zurück.\n"
                "vm.swappiness: zurück auf 60\n"
            ),
        ),
        ("zh_CN", "试用 60 秒，然后恢复。按 Ctrl-C 立即恢复。\nvm.swappiness：已恢复为 60\n"),
    ],
)
def test_a_trial_is_told_in_the_language(
    terminal: Terminal, capfd: pytest.CaptureFixture[str], language: str, told: str
) -> None:
    """What is announced, and what became of it."""
    terminal.language = language
    interrupt = partial(os.kill, os.getpid(), signal.SIGINT)
    assert terminal.apply("vm.swappiness=10", in_trial=interrupt) == 0
    assert capfd.readouterr().out == told


@pytest.mark.parametrize(
    ("language", "left", "nothing"),
    [
        (
            "de",
            "vm.swappiness: bei 77 belassen: jemand anderes hat es seither gesetzt. ",
            "Nichts zu tun: Destutter hat nichts davon geändert. Geändert hat es vm.swappiness.\n",
        ),
        (
            "zh_CN",
            "vm.swappiness：保持 77 未改动：之后已被其他人设置。",
            "无需操作：Destutter 没有更改其中任何设置。它更改了 vm.swappiness。\n",
        ),
    ],
)
def test_an_undo_is_told_in_the_language(
    terminal: Terminal,
    capfd: pytest.CaptureFixture[str],
    language: str,
    left: str,
    nothing: str,
) -> None:
    """That there is nothing to do, and what somebody else has set."""
    terminal.language = language
    terminal.keep("vm.swappiness=10")
    terminal.write("77")
    capfd.readouterr()
    assert terminal.undo("vm.page-cluster") == 0
    assert capfd.readouterr().out == nothing
    assert terminal.undo("vm.swappiness") == 1
    assert capfd.readouterr().out.startswith(left)
