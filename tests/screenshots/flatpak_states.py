# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window shows in a Flatpak whose computer has no helper, which would lend the rest."""

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from destutter.bridge.helper_client import Availability, HelperStatus
from destutter.core.sandbox import INFO, NAME
from destutter.tuning.drive_health import HealthReport, NoHealth
from destutter.tuning.system_reading import SystemReading, read_system
from tests.screenshots.around_states import AroundScene, AroundState, show_system
from tests.support import live_scenes
from tests.support.flatpak_sandbox import flatpak_info, sandbox_this_process
from tests.support.installed_games import wait_for_games
from tests.support.live_scenes import snapshots
from tests.support.opened_capture import open_capture
from tests.support.roots import FOLDER


def _hidden_reading(computer: str) -> SystemReading:
    """What is read of a computer from inside: without the folders that a Flatpak leaves out."""
    # A tree of its own, for it is changed.
    with tempfile.TemporaryDirectory(prefix="destutter-root-") as tree:
        files = open_capture(FOLDER / f"{computer}.tar.gz", tree)
        root = Path(files.root)
        (root / INFO.lstrip("/")).write_text(flatpak_info(), "utf-8")
        for folder in ("sys/kernel", "sys/module", "sys/fs", "sys/firmware"):
            shutil.rmtree(root / folder, ignore_errors=True)
        for process in (root / "proc").glob("[0-9]*"):
            shutil.rmtree(process)
        return read_system(files)


def _live(scene: AroundScene) -> None:
    """Two late wake-ups of a computer whose programs are hidden."""
    scene.window.show_helper(HelperStatus(Availability.ABSENT))
    for snapshot in snapshots(live_scenes.whole_computer(sees_programs=False).script.messages):
        assert snapshot.header is not None
        machine = {**snapshot.header.machine, "sandbox": NAME}
        header = replace(snapshot.header, machine=machine)
        scene.window.show_snapshot(replace(snapshot, header=header))
    scene.settle()


def _programs(scene: AroundScene) -> None:
    _live(scene)
    scene.window.live.panels.show_programs()


def _with_advice(scene: AroundScene, asks_for_helper: bool) -> None:
    _live(scene)
    panels = scene.window.live.panels
    with pytest.MonkeyPatch.context() as patch:
        sandbox_this_process(scene.place, patch)
        if asks_for_helper:
            panels.show_helper_advice(HelperStatus(Availability.ABSENT))
        else:
            panels.show_lane_advice("wakeup")
            wait_for_games(scene.window.live.panel.content)
        scene.settle()


def _helper(scene: AroundScene) -> None:
    _with_advice(scene, asks_for_helper=True)


def _frames(scene: AroundScene) -> None:
    _with_advice(scene, asks_for_helper=False)


def _system(scene: AroundScene) -> None:
    _live(scene)
    scene.health = HealthReport(missing=NoHealth.HIDDEN)
    scene.read = _hidden_reading
    show_system(scene)


FLATPAK_STATES = (
    AroundState("flatpak-live", None, _live),
    AroundState("flatpak-programs", None, _programs),
    AroundState("flatpak-helper", None, _helper),
    AroundState("flatpak-frames", None, _frames),
    AroundState("flatpak-system", None, _system),
)
