# SPDX-License-Identifier: GPL-3.0-or-later
"""The helper of the AppImage, set up by a button: the password program is played by a script."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QLabel

from destutter.bridge import helper_installation
from destutter.bridge.helper_client import Availability, HelperStatus
from destutter.core.statement import Statement
from destutter.helper_setup import INSTALL, UNINSTALL, HelperSetup
from destutter.resource_folder import source_folder
from destutter.ui.help import advice_view
from destutter.ui.help.helper_view import HelperView
from destutter_helper.api.names import HELPER_VERSION
from tests.support.flatpak_sandbox import sandbox_this_process
from tests.support.window_kit import make_theme

ARCHIVE = b"archive\n" * 50_000
PAGE = "the page"
BUNDLED = "/opt/destutter/libexec/destutter-helper"


@pytest.fixture
def rights(tmp_path, monkeypatch):
    """What pkexec does, in shell; it finds the page, the verb and the sum as its arguments."""

    def play(script):
        program = tmp_path / "pkexec"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    return play


@pytest.fixture
def view(qapp):
    """The view in a window of an AppImage."""
    made = HelperView(make_theme(qapp), None, HelperSetup(ARCHIVE, PAGE))
    made.resize(360, 700)
    made.show()
    yield made
    made.hide()
    made.deleteLater()


def test_button_hands_over_the_archive_and_its_sum(view, rights, qtbot, tmp_path):
    """Root gets the page and the sum as arguments, and the archive through a pipe."""
    rights(f'cat > {tmp_path}/got; printf "%s|" "$@" > {tmp_path}/words')
    with qtbot.waitSignal(view.done, timeout=10_000):
        view.buttons[INSTALL].setFocus()
        view.buttons[INSTALL].click()
        assert not view.buttons[INSTALL].isEnabled()
        assert view.outcome.isVisible()
        assert view.hasFocus(), "it went to Help, at the side of the window"
    assert (tmp_path / "got").read_bytes() == ARCHIVE
    sum_ = hashlib.sha256(ARCHIVE).hexdigest()
    page = f"# Destutter: install its helper\n{PAGE}"
    words = f"--disable-internal-agent|/bin/sh|-c|{page}|sh|install|{sum_}|"
    assert (tmp_path / "words").read_text() == words
    assert view.outcome.text() == "The helper is set up. A button of Settings takes it away again."
    assert view.sum.text().replace(" ", "") == sum_


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("exit 126", "the window for the password was closed"),
        ("exit 127", "no right to do this, a wrong password, or nothing on this desktop"),
        ("echo first >&2; echo destutter: a package has it already >&2; exit 1", "a package has"),
        ("exit 3", "exit status 3"),
    ],
)
def test_failure_is_told_and_can_be_tried_again(view, rights, qtbot, script, told):
    """A dialog that was closed, what the page said last, and a status alone."""
    rights(script)
    view.buttons[INSTALL].click()
    qtbot.waitUntil(view.buttons[INSTALL].isEnabled, timeout=10_000)
    assert view.outcome.text().startswith("Not set up: ")
    assert told in view.outcome.text()
    rights("cat > /dev/null")
    with qtbot.waitSignal(view.done, timeout=10_000):
        view.buttons[INSTALL].click()


def test_computer_without_anybody_to_ask(view, monkeypatch, tmp_path):
    """Neither pkexec nor run0 nor sudo."""
    monkeypatch.setenv("PATH", str(tmp_path))
    view.buttons[INSTALL].click()
    assert "none of pkexec, run0 and sudo" in view.outcome.text()


def test_panel_that_closes_holds_nothing_up(qapp, rights, qtbot, tmp_path):
    """Root goes on, and the window does not wait for it."""
    rights(f"cat > /dev/null; sleep 1; touch {tmp_path}/done")
    made = HelperView(make_theme(qapp), None, HelperSetup(ARCHIVE, PAGE))
    made.buttons[INSTALL].click()
    shiboken6.delete(made)
    assert not (tmp_path / "done").exists()
    qtbot.waitUntil((tmp_path / "done").exists, timeout=10_000)
    qtbot.waitUntil(lambda: not helper_installation._at_work, timeout=10_000)


def _lines(made):
    return [label.accessibleName() or label.text() for label in made.findChildren(QLabel)]


def test_a_package_says_how(qapp, monkeypatch):
    """No button there: commands that can be copied."""
    monkeypatch.setattr(advice_view, "source_folder", lambda: None)
    made = HelperView(make_theme(qapp), None, None)
    texts = _lines(made)
    assert {"sudo apt install ./destutter-helper_*.deb", "make install-helper"} <= {*texts}
    assert not made.buttons
    made.deleteLater()


def test_a_checkout_says_the_line_that_works_from_everywhere(qapp, monkeypatch):
    """Who has the source code has no package: its command failed, and came first."""
    monkeypatch.setattr(advice_view, "source_folder", lambda: Path("/home/me/my games"))
    made = HelperView(make_theme(qapp), None, None)
    texts = _lines(made)
    assert "make -C '/home/me/my games' install-helper" in texts
    assert not any("apt" in text for text in texts)
    made.deleteLater()


def test_this_is_a_checkout():
    """The folder with the script that installs the helper."""
    folder = source_folder()
    assert folder is not None
    assert (folder / "Makefile").is_file()


def _there(version, place=BUNDLED):
    return HelperStatus(Availability.READY, version=version, place=place)


def test_older_helper_of_an_appimage_is_brought_up_to_date(qapp, rights, qtbot, tmp_path):
    """The button says so, and installs over it what this AppImage has inside."""
    made = HelperView(make_theme(qapp), _there("0.0.1"), HelperSetup(ARCHIVE, PAGE))
    made.show()
    assert made.buttons[INSTALL].text() == "Bring the helper up to date"
    shown = made.findChildren(QLabel)
    texts = " ".join(label.accessibleName() or label.text() for label in shown)
    assert "Version 0.0.1. It is older than this program" in texts
    rights(f"cat > {tmp_path}/got")
    with qtbot.waitSignal(made.done, timeout=10_000):
        made.buttons[INSTALL].click()
    assert (tmp_path / "got").read_bytes() == ARCHIVE
    made.hide()
    made.deleteLater()


@pytest.mark.parametrize(
    ("version", "place", "verbs"),
    [
        pytest.param(HELPER_VERSION, BUNDLED, [UNINSTALL], id="fits"),
        pytest.param("99.0", BUNDLED, [UNINSTALL], id="newer"),
        pytest.param("0.0.1", BUNDLED, [INSTALL, UNINSTALL], id="older"),
        pytest.param("0.0.1", "/usr/libexec/destutter/destutter-helper", [], id="of a package"),
        pytest.param("0.0.1", "/home/me/destutter/helper", [], id="of a tree"),
        pytest.param("0.0.1", "", [], id="does not say"),
    ],
)
def test_no_button_for_what_is_not_ours(qapp, version, place, verbs):
    """A package's helper is its package's; a fitting or newer one is only taken away."""
    made = HelperView(make_theme(qapp), _there(version, place), HelperSetup(ARCHIVE, PAGE))
    assert list(made.buttons) == verbs
    made.deleteLater()


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("cat > {}/got; echo $6 > {}/verb", "The helper is removed. Every change"),
        ("exit 127", "Not removed: no right to do this"),
    ],
)
def test_the_helper_is_taken_away_by_a_button(qapp, rights, qtbot, tmp_path, script, told):
    """An AppImage has no command of its own: "destutter uninstall-helper" led nowhere."""
    made = HelperView(make_theme(qapp), _there(HELPER_VERSION), HelperSetup(ARCHIVE, PAGE))
    qtbot.addWidget(made)
    made.show()
    rights(script.format(tmp_path, tmp_path))
    made.buttons[UNINSTALL].click()
    waiting = made.outcome.full_text
    assert "taking back and removing" in waiting
    qtbot.waitUntil(lambda: made.outcome.full_text != waiting, timeout=10_000)
    assert made.outcome.full_text.startswith(told)
    is_done = "removed." in told
    assert made.buttons[UNINSTALL].isVisible() is not is_done
    if is_done:
        assert (tmp_path / "verb").read_text().strip() == "uninstall"


def test_a_view_is_outdated_when_the_helper_came_or_went(qapp):
    """But not by a call that is under way."""
    absent = HelperStatus(Availability.ABSENT, Statement("bridge.helper.absent"))
    there = _there(HELPER_VERSION)
    made = HelperView(make_theme(qapp), absent, None)
    assert made.is_outdated(there)
    assert not made.is_outdated(replace(absent, is_busy=True))
    made.deleteLater()
    made = HelperView(make_theme(qapp), there, None)
    assert made.is_outdated(absent)
    made.deleteLater()
    made = HelperView(make_theme(qapp), None, None)
    assert made.is_outdated(there)
    made.deleteLater()


@pytest.mark.parametrize("is_done", [True, False])
def test_what_a_view_installs_does_not_close_it(qapp, rights, qtbot, is_done):
    """The outcome stands in it; when it failed, another way may have succeeded since."""
    absent = HelperStatus(Availability.ABSENT, Statement("bridge.helper.absent"))
    made = HelperView(make_theme(qapp), absent, HelperSetup(ARCHIVE, PAGE))
    qtbot.addWidget(made)
    made.show()
    rights("cat > /dev/null" if is_done else "exit 126")
    made.buttons[INSTALL].click()
    assert not made.is_outdated(_there(HELPER_VERSION))
    waiting = made.outcome.full_text
    qtbot.waitUntil(lambda: made.outcome.full_text != waiting, timeout=10_000)
    assert made.is_outdated(_there(HELPER_VERSION)) is not is_done


def test_flatpak_says_what_to_do_outside(qapp, tmp_path, monkeypatch):
    """The package's command and the AppImage's; neither a button nor a folder of sources."""
    sandbox_this_process(tmp_path, monkeypatch)
    made = HelperView(make_theme(qapp), None, None)
    texts = [label.accessibleName() or label.text() for label in made.findChildren(QLabel)]
    assert "sudo apt install ./destutter-helper_*.deb" in texts
    assert "./Destutter-*.AppImage install-helper" in texts
    assert "make install-helper" not in texts
    assert not made.buttons
    made.deleteLater()


def test_without_a_bus_no_way_to_install_is_shown(qapp, qtbot):
    """Neither helps there, and the page says why."""
    no_bus = HelperStatus(Availability.NO_BUS, Statement("bridge.helper.no_bus"))
    made = HelperView(make_theme(qapp), no_bus, HelperSetup(ARCHIVE, PAGE))
    qtbot.addWidget(made)
    assert not made.buttons
    texts = " ".join(label.text() for label in made.findChildren(QLabel))
    assert "has no system bus (D-Bus) that answers" in texts
    assert "Installing it would not help" in texts
    assert "sudo" not in texts
