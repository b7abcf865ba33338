# SPDX-License-Identifier: GPL-3.0-or-later
"""The window on the kit's system bus, offscreen, driven by real clicks and keys.

Runs inside the kit as an ordinary user. JSON lines on stdin and stdout, as `bus_kit.Peer` speaks
them: `click` a button by its words, `type` a new value of a setting, `keys`, and `look`.
"""

import json
import os
import sys
from typing import Any

from PySide6.QtCore import QEvent, QLocale, QObject, QSocketNotifier, Qt
from PySide6.QtDBus import QDBusConnection
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit

from destutter.analysis.examining.pipeline import Pipeline, Snapshot
from destutter.application.trace_wiring import TraceWiring
from destutter.application.tuning_wiring import TuningWiring
from destutter.bridge.feed import LiveFeed
from destutter.core.kernel_files import KernelFiles
from destutter.diagnosis.assessor import Assessor
from destutter.resource_folder import resource_folder
from destutter.sampling.programs import LiveOptions
from destutter.ui.changes.changes_page import ALL, CHANGED, ChangesPage
from destutter.ui.look.desktop_scheme import DesktopScheme
from destutter.ui.look.icons import Icons
from destutter.ui.look.theme import Theme
from destutter.ui.pages.page_sources import PageSources
from destutter.ui.shell.main_window import MainWindow
from destutter_helper.api.payload import Change
from tests.support import live_scenes
from tests.support.known_snapshots import snapshots_of


def make_window(app: QApplication) -> tuple[MainWindow, TuningWiring]:
    """The window with the real client of the helper, and nothing that measures."""
    files = KernelFiles("/")
    wiring = TuningWiring(QDBusConnection.systemBus(), files)
    scheme = DesktopScheme(app.styleHints(), None, wiring)
    theme = Theme(app, scheme, Icons(resource_folder() / "icons"), "dark", wiring)
    english = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
    window = MainWindow(theme, dict, locale=english)
    tracing = TraceWiring(window)
    window.offer_sources(PageSources(wiring.model, trace=tracing.trace))
    return window, wiring


class WindowPeer(QObject):
    """Does with a window what a user does, and tells what the user sees."""

    def __init__(self, app: QApplication, window: MainWindow, wiring: TuningWiring) -> None:
        super().__init__()
        self.window = window
        self._wiring = wiring
        self._partial = b""
        self._reader = QSocketNotifier(0, QSocketNotifier.Type.Read, self)
        self._reader.activated.connect(self._read)
        self._app = app
        self._feed: LiveFeed | None = None
        self._looks = 0
        # The program's own composition has its own.
        self._tracing = next(iter(window.findChildren(TraceWiring)), None)

    def start(self) -> None:
        """Show the window on the page of changes, and ask the helper."""
        self.window.resize(1440, 900)
        self.window.show()
        self.window.activateWindow()  # there is no window manager that would
        for _ in range(10):
            self._app.processEvents()
        self.window.show_page("changes")
        self.begin()
        print(json.dumps({"id": 0, "name": QDBusConnection.systemBus().baseService()}), flush=True)

    def begin(self) -> None:
        """Ask the helper."""
        self._wiring.start(asks_helper=True)

    @property
    def page(self) -> ChangesPage:
        """The page of changes."""
        page = self.window.page_of("changes")
        assert isinstance(page, ChangesPage)
        return page

    def _read(self) -> None:
        data = os.read(0, 1 << 16)
        if not data:
            if self._feed is not None:
                self._feed.stop()
            if self._tracing is not None:
                self._tracing.stop()
            self._wiring.stop()
            self._app.quit()
            return
        *lines, self._partial = (self._partial + data).split(b"\n")
        for line in lines:
            command = json.loads(line)
            answer = getattr(self, command["op"])(command)
            print(json.dumps({"id": command["id"], **answer}), flush=True)

    # --- what a test may ask -----------------------------------------------------------------

    def click(self, command: dict[str, Any]) -> dict[str, Any]:
        """Click the visible button with these words, or whose words begin so (``begins``)."""
        wanted = command["words"]
        for button in self.window.findChildren(QAbstractButton):
            texts = (button.text().strip(), button.accessibleName())
            words = [text.replace("\xa0", " ") for text in texts]
            begins = command.get("begins") and any(each.startswith(wanted) for each in words)
            if (wanted in words or begins) and button.isVisible() and button.isEnabled():
                QTest.mouseClick(button, Qt.MouseButton.LeftButton)
                return {"clicked": True}
        return {"clicked": False}

    def type(self, command: dict[str, Any]) -> dict[str, Any]:
        """Type a new value beside a setting in the list of all settings."""
        self.page.choose_view(ALL)
        tree = self.page.tunables.tree
        self.page.tunables.select(command["key"])
        tree.setFocus()
        QTest.keyClick(tree, Qt.Key.Key_F2)
        editors = tree.findChildren(QLineEdit)
        QTest.keyClicks(editors[-1], command["value"])
        QTest.keyClick(editors[-1], Qt.Key.Key_Return)
        self._app.processEvents()  # an editor hands over after the key, not in it
        return {"wish": tree.wish(command["key"])}

    def try_for(self, command: dict[str, Any]) -> dict[str, Any]:
        """Try a value for less time than the button does."""
        change = Change(command["key"], command["value"])
        self._wiring.model.try_changes((change,), command["seconds"])
        return {}

    def keys(self, command: dict[str, Any]) -> dict[str, Any]:
        """Press a key sequence in the window."""
        QTest.keySequence(self.window, QKeySequence(command["keys"]))
        return {}

    def show_changed(self, _command: dict[str, Any]) -> dict[str, Any]:
        """Go to the view of what was changed."""
        self.page.choose_view(CHANGED)
        return {}

    def stutter(self, command: dict[str, Any]) -> dict[str, Any]:
        """Show measurements of a computer that waits for memory, on the live page; ``scene`` is
        another one of `live_scenes`."""
        self.window.show_page("live")
        self.window.live.prepare_graphs()
        self.window.live.show_watching(watches_computer=True)
        scene = getattr(live_scenes, command.get("scene", "whole_computer"))
        for snapshot in snapshots_of(scene):
            self._wiring.accept_snapshot(snapshot)
            self.window.show_snapshot(snapshot)
        banner = self.window.live.banner
        return {"headline": banner.headline.full_text, "detail": banner.detail.full_text}

    def measure(self, _command: dict[str, Any]) -> dict[str, Any]:
        """Measure this computer, as the program does."""
        programs = list(LiveOptions("/", 100, None).programs().values())
        self._feed = feed = LiveFeed(Pipeline(Assessor()), programs, self)
        feed.snapshot_taken.connect(self._measured)
        feed.start()
        assert self._tracing is not None
        self._tracing.use(feed)
        return {}

    def _measured(self, snapshot: Snapshot) -> None:
        self._looks += len(snapshot.looks)
        if self._tracing is not None:
            self._tracing.accept_snapshot(snapshot)

    def look_at_trace(self, _command: dict[str, Any]) -> dict[str, Any]:
        """What the page of causes says of the kernel's trace, and how many looks came of it."""
        row = self.window.causes.trace_row
        return {
            "said": row.text.full_text if row.isVisible() else "",
            "link": row.link.text(),
            "looks": self._looks,
        }

    def look_at_cause(self, _command: dict[str, Any]) -> dict[str, Any]:
        """What the page of causes says."""
        page = self.window.causes
        detail = page.detail
        return {
            "page": self.window.page,
            "title": detail.title.full_text,
            "rows": {row.key: row.state.value for row in detail.table.rows},
            "apply": detail.action_bar.apply.text(),
            "banner": page.banner.headline.full_text if page.banner.isVisible() else "",
        }

    def look(self, _command: dict[str, Any]) -> dict[str, Any]:
        """What model and window say."""
        model, banner = self._wiring.model, self.page.banner
        trial = model.trial
        outcome = model.outcome
        return {
            "status": model.status.availability.value,
            "busy": model.busy,
            "outcome": "" if outcome is None else f"{outcome.kind} {outcome.what} {outcome.name}",
            "changed": {each.key: [each.origin, each.value] for each in model.journal_changes},
            "seconds_left": 0 if trial is None else trial.seconds_left,
            "trial": self._trial_words(),
            "banner": banner.headline.full_text if banner.isVisible() else "",
            "values": {key: each.value for key, each in model.values.items()},
        }

    def _trial_words(self) -> str:
        shown = self.window.trial
        if shown is None or not shown.banner.isVisible():
            return ""
        return shown.banner.headline.full_text


def main() -> None:
    """Run until stdin ends."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app = QApplication(sys.argv[:1])
    peer = WindowPeer(app, *make_window(app))
    peer.start()
    app.exec()
    peer.window.close()
    peer.window.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


if __name__ == "__main__":
    main()
