# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes pictures of every state: dark and light, wide and narrow, long texts and mirrored.

`python -m tests.screenshots [NAME...]` writes into ./screenshots. `--replay FILE` makes the
pictures of one real recording instead. The streams of the others are scripted test data.
`--language` makes them in another language, with long texts, or mirrored; `--scale 2` as on a
screen with twice the pixels. `--every-screen` makes each page in all sizes of screens, dark and
light, in every language: some hundred pictures.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QLocale, Qt
from PySide6.QtWidgets import QApplication

from destutter.resource_folder import resource_folder
from destutter.ui.shell.main_window import MainWindow
from destutter.ui.words.translations import install_translations
from destutter.words.language import LANGUAGES
from tests.screenshots.around_states import (
    AROUND_STATES,
    STRIP_SCENES,
    open_around,
    strip_picture,
)
from tests.screenshots.causes_states import CAUSES_STATES, open_state
from tests.screenshots.changes_states import CHANGES_STATES, open_changes
from tests.screenshots.every_screen import make_all
from tests.screenshots.flatpak_states import FLATPAK_STATES
from tests.screenshots.guide_states import GUIDE_STATES
from tests.screenshots.live_pictures import fill, open_window, settle
from tests.screenshots.session_states import SESSION_STATES, RecordedFlights
from tests.screenshots.states import STATES
from tests.screenshots.verdict_states import VERDICT_STATES
from tests.support import window_kit
from tests.support.live_scenes import snapshots
from tests.support.pseudo_language import LongTexts, MirroredTexts
from tests.support.window_kit import make_theme

SIZES = ((1440, 900), (1024, 740))
THEMES = ("dark", "light")
Look = tuple[str, tuple[int, int]]
LONG, MIRRORED = "long", "mirrored"


def take(app: QApplication, window: MainWindow, path: Path) -> None:
    """Write a picture of the window, and close it."""
    settle(app)
    if window.live.card is not None:
        window.live.card._repaint()
    settle(app)
    window.grab().save(str(path))
    window.close()
    window.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def main() -> int:
    """Make the pictures that are asked for."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    parser = argparse.ArgumentParser(prog="python -m tests.screenshots", description=__doc__)
    parser.add_argument("names", nargs="*", help="states; all without a name")
    parser.add_argument("--out", type=Path, default=Path("screenshots"))
    parser.add_argument("--replay", type=Path, help="a recording instead of scripted streams")
    parser.add_argument("--few", action="store_true", help="pages: only dark wide, light narrow")
    parser.add_argument("--language", choices=(*LANGUAGES, LONG, MIRRORED), default="en")
    usual = float(os.environ.get("QT_SCALE_FACTOR", "1"))
    parser.add_argument("--scale", type=float, default=usual, help="of the screen, such as 2")
    parser.add_argument("--size", nargs="+", type=size_of, default=SIZES, metavar="WxH")
    parser.add_argument("--theme", nargs="+", choices=THEMES, default=THEMES)
    parser.add_argument(
        "--every-screen", action="store_true", help="each page in all sizes, themes and languages"
    )
    options = parser.parse_args()
    if options.every_screen:
        return make_all(options.out, options.names)
    looks = [(theme, size) for theme in options.theme for size in options.size]
    os.environ["QT_SCALE_FACTOR"] = str(options.scale)
    app = QApplication(sys.argv[:1])
    speak(app, options.language)
    options.out /= "" if options.language == "en" else options.language
    options.out /= "" if options.scale == 1 else f"scale-{options.scale:g}"
    options.out.mkdir(parents=True, exist_ok=True)
    if options.replay is not None:
        return replay(app, options.replay, options.out)
    for state in STATES:
        if options.names and state.name not in options.names:
            continue
        given = list(snapshots(state.scene().script.messages))
        for theme, size in looks:
            name = f"{state.name}-{theme}-{size[0]}x{size[1]}.png"
            window = open_window(app, state, theme, size)
            fill(app, window, given)
            state.do(window)
            take(app, window, options.out / name)
            print(options.out / name)
    pages(app, options.names, options.out, looks[:: 3 if options.few else 1])
    strips(app, options.names, options.out)
    if not options.names or "check" in options.names:
        checks(app, options.out)
    return 0


def size_of(text: str) -> tuple[int, int]:
    """A size such as "1280x800"."""
    width, _, height = text.partition("x")
    return int(width), int(height)


def speak(app: QApplication, texts: str) -> None:
    """Write in a language, or in texts that try the layout."""
    if texts in LANGUAGES:
        window_kit.LOCALE = QLocale(texts if texts != "en" else "en_US")
        install_translations(app, resource_folder() / "translations", texts)
    else:
        app.installTranslator(LongTexts(app) if texts == LONG else MirroredTexts(app))
    if texts == MIRRORED:
        app.setLayoutDirection(Qt.LayoutDirection.RightToLeft)


def pages(app: QApplication, names: list[str], out: Path, looks: Sequence[Look]) -> None:
    """The other pages in their states."""
    flights = RecordedFlights()
    causes = [(state.name, partial(open_state, app, state)) for state in CAUSES_STATES]
    changes = [(state.name, partial(open_changes, app, state)) for state in CHANGES_STATES]
    recorded = (*SESSION_STATES, *VERDICT_STATES, *GUIDE_STATES)
    sessions = [(s.name, partial(flights.open_sessions, app, s)) for s in recorded]
    around_states = (*AROUND_STATES, *FLATPAK_STATES)
    around = [(state.name, partial(open_around, app, state)) for state in around_states]
    known: list[tuple[str, Callable[..., Any]]] = [*causes, *changes, *sessions, *around]
    for state_name, open_page in known:
        if names and state_name not in names:
            continue
        for theme, size in looks:
            window, scene = open_page(make_theme(app, theme), size)
            path = out / f"{state_name}-{theme}-{size[0]}x{size[1]}.png"
            window.grab().save(str(path))
            print(path)
            window.close()
            window.deleteLater()
            scene.close()
            app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def strips(app: QApplication, names: list[str], out: Path) -> None:
    """The compact strip, which is a window of its own."""
    for name, scene in STRIP_SCENES.items():
        for theme in THEMES if not names or name in names else ():
            strip = strip_picture(app, make_theme(app, theme), scene)
            path = out / f"{name}-{theme}.png"
            strip.grab().save(str(path))
            print(path)
            strip.hide()
            strip.deleteLater()


def checks(app: QApplication, out: Path) -> None:
    """The live page with long texts and mirrored."""
    state = next(state for state in STATES if state.name == "live")
    given = list(snapshots(state.scene().script.messages))
    for name, translator, direction in (
        ("check-long", LongTexts(app), Qt.LayoutDirection.LeftToRight),
        ("check-rtl", MirroredTexts(app), Qt.LayoutDirection.RightToLeft),
    ):
        app.installTranslator(translator)
        app.setLayoutDirection(direction)
        for size, theme in zip(SIZES, THEMES, strict=True):
            window = open_window(app, state, theme, size)
            fill(app, window, given)
            state.do(window)
            take(app, window, out / f"{name}-{theme}-{size[0]}x{size[1]}.png")
        app.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        app.removeTranslator(translator)


def replay(app: QApplication, file: Path, out: Path) -> int:
    """The end of a real recording on the live page, and its causes."""
    from destutter.session.replay import ReplaySource

    source = ReplaySource(str(file))
    try:
        given = list(snapshots(source.messages()))
    finally:
        source.close()
    length_s = (given[-1].assessment.monotonic_ns - given[0].assessment.monotonic_ns) / 1e9
    span_s = 120.0 if length_s > 45 else 30.0
    for page in ("live", "causes"):
        for theme in THEMES:
            for size in SIZES:
                window = open_window(app, STATES[0], theme, size)
                fill(app, window, given)
                assert window.live.card is not None
                window.live.card.set_span(span_s)
                window.show_page(page)
                path = out / f"{page}-real-{theme}-{size[0]}x{size[1]}.png"
                take(app, window, path)
                print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
