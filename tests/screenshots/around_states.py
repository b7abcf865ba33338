# SPDX-License-Identifier: GPL-3.0-or-later
"""The states around the pages: System, Settings, closing, the summary after a game, the strip."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from destutter.bridge.drive_watch import DriveWatch
from destutter.bridge.game_cover import Played
from destutter.bridge.helper_client import Availability
from destutter.bridge.kept_settings import KeptSettings
from destutter.bridge.power_states import PowerStatesModel
from destutter.bridge.system_model import HardwareReport, SystemModel
from destutter.core.statement import Statement
from destutter.core.traced import INTERRUPT
from destutter.sampling.hardware import CacheDie, GraphicsCard, Hardware
from destutter.settings import Places, Settings
from destutter.tuning.drive_health import Condition, Health, HealthReport, NoHealth
from destutter.tuning.system_reading import SystemReading, read_system
from destutter.ui.controls.banner import Urgency
from destutter.ui.look.theme import Theme
from destutter.ui.pages.page import Page
from destutter.ui.pages.page_sources import PageSources
from destutter.ui.shell.closing import closing_question
from destutter.ui.shell.failing_drives import FailingDrives
from destutter.ui.shell.main_window import MainWindow
from destutter.ui.shell.played import played_summary
from destutter.ui.strip.strip import Strip
from destutter.ui.system.system_page import INSIDE, SystemPage
from destutter.ui.words.words import Words
from destutter_helper.api.payload import Controller, PowerState
from tests.support import live_scenes
from tests.support.expert_trace import ScriptedTrace, expert_looks, expert_snapshot
from tests.support.known_snapshots import snapshots_of
from tests.support.live_scenes import Scene
from tests.support.roots import FOLDER, unpacked
from tests.support.tuning_scenes import ScriptedHelper
from tests.support.window_kit import make_window

_HEALTH = HealthReport(
    {"sda": Health(Condition.GOOD, 38.0, 1204), "sdb": Health(Condition.FAILING, 51.0, 39_000)}
)


HARDWARE = HardwareReport(
    Hardware(
        "AMD Ryzen 9 7950X3D 16-Core Processor",
        32,
        16,
        5759,
        (CacheDie(16, 98_304), CacheDie(16, 32_768)),
        (
            GraphicsCard(
                "card0",
                "NVIDIA GeForce RTX 4080",
                "nvidia",
                17_179_869_184,
                ("16.0 GT/s PCIe", "16"),
            ),
            GraphicsCard("card1", "AMD 0x164e", "amdgpu", 536_870_912, ("16.0 GT/s PCIe", "16")),
        ),
        32_708_608,
        "6.17.4-arch1-1",
        "Arch Linux",
        "NVIDIA 580.95.05",
        "KDE · wayland",
    ),
    {"sda": 212_600_000_000},
)


@dataclass(frozen=True)
class AroundState:
    """One picture: the stream, and what is shown after it."""

    name: str
    scene: Callable[[], Scene] | None
    do: Callable[["AroundScene"], None]


def _reading(computer: str) -> SystemReading:
    files = unpacked(FOLDER / f"{computer}.tar.gz")
    return read_system(files)


class AroundScene:
    """A window with settings of its own below a folder that goes with it."""

    def __init__(self, app: QApplication, theme: Theme, size: tuple[int, int]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="destutter-pictures-")
        place = self.place = Path(self._folder.name)
        self._app = app
        self.theme = theme
        self.health = _HEALTH
        self.model: SystemModel | None = None
        self.computer = "synthetic-intel-desktop"
        self.read = _reading
        self.helper = ScriptedHelper(Availability.ABSENT)
        self.trace = ScriptedTrace()
        self.window = make_window(theme, watches_computer=True)
        places = Places(place, Path("/home/user/.local/share/destutter"))
        self.settings = KeptSettings(places, Settings(), self.window)
        self.window.offer_sources(PageSources(settings=self.settings))
        self.window.offer("system", self._make_system)
        self.window.resize(*size)
        self.window.show()
        self.settle()

    def settle(self) -> None:
        """Let layouts and what is read in the background happen."""
        for _ in range(12):
            self._app.processEvents()

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Let events happen until this holds."""
        while not condition():
            QCoreApplication.processEvents()

    def _make_system(self, theme: Theme, quantities: object) -> Page:
        reading = self.read(self.computer)
        model = self.model = SystemModel(
            lambda _threads: reading, lambda: self.health, lambda: HARDWARE
        )
        power_states = PowerStatesModel(self.helper, self.window)
        return SystemPage(theme, self.window.quantities, model, power_states, self.trace)

    def close(self) -> None:
        """Stop what reads, and take the folder away."""
        if self.model is not None:
            self.model.stop()
        self.trace.stop()
        self._folder.cleanup()


def show_system(scene: AroundScene) -> None:
    """The page, with all that it reads."""
    scene.window.show_page("system")
    page = scene.window.page_of("system")
    assert isinstance(page, SystemPage)
    scene.wait_for(lambda: "drives" in page.cards)


def _system_asleep(scene: AroundScene) -> None:
    """An NVMe drive whose controller says how long it needs to wake from two depths of sleep."""
    states = [PowerState(0, 0, works=True)]
    states += [PowerState(9 * exit_us, exit_us, works=False) for exit_us in (10_000, 45_000)]
    scene.computer = "synthetic-amdgpu-laptop"
    scene.helper = ScriptedHelper()
    scene.helper.drives = (Controller("nvme0", tuple(states)),)
    show_system(scene)


def _system_without_udisks(scene: AroundScene) -> None:
    scene.health = HealthReport(missing=NoHealth.NO_UDISKS)
    show_system(scene)


def _failing_drive(scene: AroundScene) -> None:
    failing = Health(Condition.FAILING, 51.0, 39_000, model="WDC WD40EZRZ-00GXCB0")
    watch = DriveWatch(lambda: HealthReport({"sdb": failing}), scene.window)
    banner = FailingDrives(scene.window, watch, scene.window)
    for snapshot in snapshots_of(live_scenes.stuttering):
        scene.window.show_snapshot(snapshot)
    watch.start()
    scene.wait_for(banner.banner.isVisible)
    watch.stop()


def inside(scene: AroundScene) -> SystemPage:
    """The view for an expert, with a game that runs."""
    show_system(scene)
    page = scene.window.page_of("system")
    assert isinstance(page, SystemPage)
    page.choose_view(INSIDE)
    page.show_snapshot(expert_snapshot(()))
    page.inside.refresh()
    return page


def _inside_offered(scene: AroundScene) -> None:
    inside(scene)


def _inside_recording(scene: AroundScene) -> None:
    """A minute that is nearly over."""
    page = inside(scene)
    scene.trace.lend(left_s=17)
    page.show_snapshot(expert_snapshot(expert_looks()))
    page.inside.refresh()


def _inside_done(scene: AroundScene) -> None:
    """On a kernel that is too old for one event and has no driver with another."""
    page = inside(scene)
    scene.trace.lend(left_s=1)
    looks = expert_looks(kinds=(INTERRUPT,))
    missing = "filemap/mm_filemap_fault,dma_fence/dma_fence_wait_start"
    page.show_snapshot(expert_snapshot(looks, missing))
    scene.trace.end()
    page.inside.refresh()


def _inside_refused(scene: AroundScene) -> None:
    inside(scene)
    scene.trace.refuse(Statement("helper.trace.no_tracefs"))


def _inside_without_game(scene: AroundScene) -> None:
    page = inside(scene)
    page.show_snapshot(expert_snapshot((), game=""))
    page.inside.refresh()


def _settings(scene: AroundScene) -> None:
    scene.window.show_page("settings")


def _settings_not_saved(scene: AroundScene) -> None:
    settings = scene.settings
    _settings(scene)
    settings.change(sessions_folder="/run/media/user/Games and recordings of the year 2026/films")
    settings.failed.emit(
        "Settings were not saved: Read-only file system (/home/user/.config/destutter/settings)"
    )


def _closing(scene: AroundScene) -> None:
    question = scene.window.banner_area.banner(Urgency.TRIAL)
    question.show_text(closing_question(is_recording=True))
    question.show()


def _played(scene: AroundScene) -> None:
    quantities = scene.window.quantities
    played = Played(2460.0, 22, (("link_power", 18), ("direct_reclaim", 1)), lost_ms=9100.0)
    text = played_summary(played, Words(quantities), quantities)
    assert text is not None
    summary = scene.window.banner_area.banner(Urgency.STUTTER)
    summary.show_text(text)
    summary.show()


AROUND_STATES = (
    AroundState("live-failing-drive", None, _failing_drive),
    AroundState("system", live_scenes.stuttering, show_system),
    AroundState("system-asleep", live_scenes.stuttering, _system_asleep),
    AroundState("system-missing", live_scenes.virtual_machine, _system_without_udisks),
    AroundState("system-nothing", None, _system_without_udisks),
    AroundState("inside", live_scenes.stuttering, _inside_offered),
    AroundState("inside-recording", live_scenes.stuttering, _inside_recording),
    AroundState("inside-done", live_scenes.stuttering, _inside_done),
    AroundState("inside-refused", live_scenes.stuttering, _inside_refused),
    AroundState("inside-no-game", live_scenes.stuttering, _inside_without_game),
    AroundState("preferences", live_scenes.first_seconds, _settings),
    AroundState("preferences-failed", live_scenes.first_seconds, _settings_not_saved),
    AroundState("closing", live_scenes.smooth, _closing),
    AroundState("played", live_scenes.stuttering, _played),
)


def open_around(
    app: QApplication, state: AroundState, theme: Theme, size: tuple[int, int]
) -> tuple[MainWindow, AroundScene]:
    """A window in this state; close both."""
    scene = AroundScene(app, theme, size)
    for snapshot in snapshots_of(state.scene) if state.scene else ():
        scene.window.show_snapshot(snapshot)
    state.do(scene)
    scene.settle()
    return scene.window, scene


def strip_picture(app: QApplication, theme: Theme, scene: Callable[[], Scene]) -> Strip:
    """The strip after a scene; hide it afterwards."""
    window = make_window(theme)
    strip = Strip(theme, window.quantities, platform="xcb")
    strip.show()
    app.processEvents()  # what nobody sees yet is not drawn
    for snapshot in snapshots_of(scene):
        strip.show_snapshot(snapshot)
    for _ in range(8):
        app.processEvents()
    window.deleteLater()
    return strip


STRIP_SCENES = {
    "strip": live_scenes.stuttering,
    "strip-smooth": live_scenes.smooth,
    "strip-whole-computer": live_scenes.whole_computer,
}
