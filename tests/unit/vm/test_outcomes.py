# SPDX-License-Identifier: GPL-3.0-or-later
"""How scenarios in a guest are told and judged; no guest is booted here."""

import itertools
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest

from tests.vm import guest as guests
from tests.vm.__main__ import main
from tests.vm.booted import BOOTED
from tests.vm.guest import Guest, GuestError, Machine, command_line, plugging_in
from tests.vm.image import Image, ImageError
from tests.vm.inside import run
from tests.vm.run import all_passed


def module_of(**functions):
    """A module of scenarios."""
    module = ModuleType("made_up")
    vars(module).update(functions)
    return module


def passing():
    """it works"""


def failing():
    """it does not work"""
    raise AssertionError("because")


def test_every_scenario_is_told(capsys):
    """A failing scenario is told with its reason, and does not stop those behind it."""
    failed = run(module_of(scenario_b=failing, helper=passing, scenario_a=passing))
    lines = capsys.readouterr().out.splitlines()
    assert failed == 1
    assert lines[:2] == ["1..2", "not ok 1 - it does not work"]
    assert "# AssertionError: because" in lines
    assert lines[-1] == "ok 2 - it works"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["1..2", "ok 1 - a", "ok 2 - b"], True),
        (["1..2", "some noise", "ok 1 - a", "# note", "ok 2 - b"], True),
        (["1..2", "ok 1 - a"], False),
        (["1..2", "ok 1 - a", "not ok 2 - b"], False),
        (["1..2", "ok 1 - a", "ok 2 - b", "ok 3 - c"], False),
        (["ok 1 - a"], False),
        (["1..0"], False),
        ([], False),
    ],
)
def test_only_a_whole_plan_passes(lines, expected):
    """A guest passes when it told as many good outcomes as it had planned, and no bad one."""
    assert all_passed(lines) is expected


def test_unknown_run_is_wrong_usage(capsys):
    """A run that does not exist is refused in one line, before anything is booted."""
    assert main(["nonesuch"]) == 2
    assert capsys.readouterr().err.startswith("no such run: nonesuch (of ")


def test_machine_becomes_a_command(tmp_path):
    """Kernel, memory, nodes and disks of a machine are in QEMU's command, and no network is."""
    image = Image(tmp_path, ("6.1.0-1-amd64", "6.12.1+deb12-amd64"))
    machine = Machine("6.12.", ("psi=0",), cpus=4, memory_mib=512, numa_nodes=2, disks=("nvme",))
    command = command_line(image, machine, tmp_path)
    text = " ".join(command)
    assert f"{tmp_path}/vmlinuz-6.12.1+deb12-amd64" in command
    assert "root=/dev/vda rw console=ttyS0" in text
    assert "no_timer_check psi=0" in command[command.index("-append") + 1]
    assert "node,memdev=ram1,cpus=2-3" in command
    assert "nvme,id=hotnvme,bus=bay,drive=nvme" in text
    assert "ide-hd" not in text
    assert "-nodefaults" in command
    assert "netdev" not in text


def test_slow_and_unplugged_disks(tmp_path):
    """A slow disk has a limit, and one that is not plugged in has a medium but no device."""
    image = Image(tmp_path, ("6.1.0-1-amd64",))
    machine = Machine(disks=("sata",), unplugged=("nvme",), per_s=400)
    text = " ".join(command_line(image, machine, tmp_path))
    assert "throttle-group,id=limit-sata,x-iops-total=400" in text
    assert "driver=throttle,node-name=sata,throttle-group=limit-sata" in text
    assert "limit-root" not in text
    assert "node-name=nvme," in text
    assert "-device nvme" not in text


def test_plugging_in():
    """A drive that comes later is the one that a machine would have had from the beginning."""
    wanted = {"driver": "nvme", "id": "hotnvme", "bus": "bay", "drive": "nvme"}
    wanted["serial"] = "GUEST-NVME"
    assert plugging_in("nvme") == {"execute": "device_add", "arguments": wanted}


def test_the_booted_computer_can_be_saved(tmp_path):
    """QEMU cannot save an NVMe drive, so the computer that is saved has none yet."""
    image = Image(tmp_path, ("6.1.0-1-amd64",))
    text = " ".join(command_line(image, BOOTED, tmp_path))
    assert "-device nvme" not in text
    assert "node-name=nvme," in text


def test_missing_kernel_is_said(tmp_path):
    """A kernel that the image has not is an error that names those it has."""
    with pytest.raises(ImageError, match=r"no kernel 7\.\d in the guest, only 6\.1\.0-1-amd64"):
        Image(tmp_path, ("6.1.0-1-amd64",)).kernel_release("7.0")


@pytest.fixture
def guest(tmp_path, monkeypatch):
    """A guest whose job says a line every two minutes, five times in all, and never ends."""
    clock = itertools.count(0.0, 1.0)
    lines = tmp_path / "lines"
    (tmp_path / "console").write_text("login:")

    def sleep(_seconds):
        now = next(clock)
        lines.write_text("ok\n" * min(int(now // 120), 5))
        return now

    sleep(0)
    monkeypatch.setattr(
        guests, "time", SimpleNamespace(monotonic=lambda: next(clock), sleep=sleep)
    )
    return Guest(cast(Any, SimpleNamespace(poll=lambda: None)), tmp_path)


def test_a_slow_guest_is_waited_for_while_it_goes_on(guest):
    """A guest is given up when it has been silent for the time, not when it takes longer."""
    with pytest.raises(GuestError, match=r"(?s)said nothing for 300 s after:\n(ok\n){5}login:"):
        guest.wait(300)


def test_a_guest_that_says_nothing_is_given_up(guest):
    """A silence longer than the time ends the wait, with what was said before."""
    with pytest.raises(GuestError, match=r"said nothing for 60 s after:\n\nlogin:"):
        guest.wait(60)
