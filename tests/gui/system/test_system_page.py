# SPDX-License-Identifier: GPL-3.0-or-later
"""The page about the computer: cards, text, and that it reads only while it is seen."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from destutter.bridge.system_model import SystemModel
from destutter.core.bus_caller import BusCaller
from destutter.core.kernel_files import KernelFiles
from destutter.tuning.drive_health import (
    Condition,
    Health,
    HealthReport,
    NoHealth,
    read_health,
)
from destutter.tuning.other_programs import OtherPrograms
from destutter.tuning.system_reading import SystemReading, read_system
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.pages.feed_state import FeedKind, FeedState
from destutter.ui.pages.page_scroll import PageScroll
from destutter.ui.system.section import Cell
from destutter.ui.system.system_page import SystemPage
from destutter.ui.words.quantities import Quantities
from tests.gui.live_window import settle, snapshots_of
from tests.screenshots.around_states import HARDWARE
from tests.support.pseudo_language import LongTexts
from tests.support.roots import FOLDER, unpacked
from tests.support.session_bus import mocked, session_bus
from tests.support.window_kit import make_theme

MakePage = Callable[..., SystemPage]
HEALTH = HealthReport(
    {"sda": Health(Condition.GOOD, 38.0, 1204), "sdb": Health(Condition.FAILING, None, None)}
)


@pytest.fixture(scope="module")
def reading() -> SystemReading:
    """A made-up desktop with an SSD, a hard disk and two nodes."""
    files = unpacked(FOLDER / "synthetic-intel-desktop.tar.gz")
    return read_system(files)


UNSEEN: dict[str, Any] = dict.fromkeys(
    ("aspm", "nvme_max_latency_us", "zswap", "thp", "thp_defrag")
)


@pytest.fixture
def make_page(qapp: QApplication, qtbot, reading) -> Iterator[MakePage]:
    """Makes pages on that desktop."""
    made: list[tuple[SystemPage, SystemModel]] = []

    def make(
        scene: str | None = None,
        health: HealthReport = HEALTH,
        reading: SystemReading = reading,
    ) -> SystemPage:
        model = SystemModel(lambda _threads: reading, lambda: health, lambda: HARDWARE)
        locale = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
        page = SystemPage(make_theme(qapp), Quantities(locale), model)
        made.append((page, model))
        for snapshot in snapshots_of(scene) if scene else ():
            page.show_snapshot(snapshot)
        page.resize(1000, 900)
        page.show()
        qtbot.waitUntil(lambda: "drives" in page.cards, timeout=10_000)
        settle(qapp)
        return page

    yield make
    for page, model in made:
        page.hide()
        model.stop()
        page.deleteLater()
        model.deleteLater()


def test_page_shows_every_subject(make_page: MakePage):
    """Drives, zones, swap, interrupts, threads, tools, kernel and what is missing: a card each."""
    page = make_page("stuttering")
    assert [section.id for section in page.sections] == [
        "hardware",
        "drives",
        "zones",
        "swap",
        "kernel",
        "folded",
        "missing",
    ]
    assert set(page.cards) == {section.id for section in page.sections}
    (folded,) = [each for each in page.sections if each.id == "folded"]
    unmeasured, none = folded.note.split("\n")
    assert unmeasured.startswith("Interrupts per core, Busiest interrupts, Real-time threads: ")
    assert none == "Other tools that change settings: None of the known ones runs."


def test_the_overview_is_what_one_posts_in_a_forum(make_page: MakePage):
    """Processor with its dies, cards with memory and link, drives with what is free; what is
    measured of them now stands beside, and in the text."""
    page = make_page("stuttering")
    overview = page.sections[0]
    rows = [
        tuple(text.replace("\xa0", " ") for text in (row[0].text, *_both(row[1]), row[2].text))
        for row in overview.rows
    ]
    assert rows[0][:2] == ("Processor", "AMD Ryzen 9 7950X3D 16-Core Processor")
    assert "2 dies with a cache of their own: 96 MB + 32 MB" in rows[0][2]
    assert rows[0][3].endswith("busy")
    card = next(row for row in rows if row[1] == "NVIDIA GeForce RTX 4080")
    assert card[2] == "16 GB · PCIe 4.0 x16 · NVIDIA 580.95.05"
    free = {row[1]: row[3] for row in rows if row[0] == "Drive"}
    assert free == {"Made-up SSD 1TB": "198 GB free", "Made-up HDD 4TB": "–"}
    assert "NVIDIA GeForce RTX 4080" in page.text
    assert "Arch Linux" in page.text


def _both(cell: Cell) -> tuple[str, str]:
    return cell.text, cell.note


def test_health_is_shown_or_the_reason_why_not(make_page: MakePage):
    """A drive is good, failing, or not measured with the reason; never nothing."""
    drives = make_page().sections[1]
    assert [row[-1].text for row in drives.rows] == ["Good", "Failing"]
    assert "38" in drives.rows[0][-1].note
    without = make_page(health=HealthReport(missing=NoHealth.NO_UDISKS)).sections[1]
    assert {(row[-1].text, row[-1].note) for row in without.rows} == {
        ("Not measured", "UDisks2 does not run")
    }


def test_in_a_flatpak_the_page_says_what_is_hidden(make_page: MakePage, reading):
    """Never that there is none: tools, power saving, huge pages, and the health of drives."""
    hidden = replace(
        reading,
        kernel=replace(reading.kernel, **UNSEEN, is_partly_hidden=True),
        programs=OtherPrograms(are_hidden=True),
    )
    page = make_page(health=HealthReport(missing=NoHealth.HIDDEN), reading=hidden)
    sections = {section.id: section for section in page.sections}
    kernel = {row[0].text: row[1] for row in sections["kernel"].rows}
    for name in ("PCI Express power saving", "NVMe power states"):
        assert kernel[name].text == "Not measured"
        assert kernel[name].note == "hidden by the Flatpak's sandbox"
    assert "Not measured: the Flatpak's sandbox" in sections["folded"].note
    assert sections["swap"].note.count("hidden by the Flatpak's sandbox") == 3
    assert {row[-1].note for row in sections["drives"].rows} == {"the Flatpak may not ask UDisks2"}


def test_no_real_time_thread_is_told_only_where_threads_were_looked_at(make_page: MakePage):
    """In a Flatpak none is seen, which is not that there is none."""
    page = make_page("stuttering")
    folded = {section.id: section.note for section in page.sections}["folded"].split("\n")
    assert any("Real-time threads: This is not measured here." in line for line in folded)
    last = snapshots_of("stuttering")[-1]
    looked = replace(last.metrics[-1], instanced={"realtime.cpu_pct": {}})
    page.show_snapshot(replace(last, metrics=(looked,)))
    folded = {section.id: section.note for section in page.sections}["folded"].split("\n")
    assert "Real-time threads: No program runs under a real-time policy." in folded


def test_zone_below_its_watermark_says_so(make_page: MakePage):
    """The state of a zone is a word with a sign; node 1 of this computer is short of memory."""
    rows = {row[0].text: row[-1] for row in make_page().sections[2].rows}
    assert rows["node0/DMA"].text == "Enough free"
    assert (rows["node1/Normal"].text, rows["node1/Normal"].tone) == (
        "Below low: being freed",
        "warn",
    )


def test_everything_can_be_copied_as_text(make_page: MakePage, qapp: QApplication, qtbot):
    """One button puts all cards into the clipboard as plain text."""
    page = make_page("stuttering")
    qtbot.mouseClick(page.copy, Qt.MouseButton.LeftButton)
    text = qapp.clipboard().text()
    assert text.startswith("Destutter\n")
    for section in page.sections:
        assert section.title in text
    assert page.copy.text() == "Copied"


def test_page_reads_only_while_it_is_seen(make_page: MakePage, qtbot, reading):
    """Hidden, it reads nothing; shown again, it reads at once."""
    calls: list[int] = []

    def read(_threads: object) -> SystemReading:
        calls.append(1)
        found: SystemReading = reading
        return found

    page = make_page()
    model = SystemModel(read, HealthReport)
    with qtbot.waitSignal(model.changed, timeout=10_000):
        model.start()
    model.rest()
    seen = len(calls)
    with qtbot.waitSignal(model.changed, timeout=10_000):
        model.start()
    assert len(calls) == seen + 1
    model.stop()
    model.deleteLater()
    page.hide()


def test_recording_is_told_apart_from_this_computer(make_page: MakePage):
    """While a recording is played, the page says what comes from it and what does not."""
    page = make_page("stuttering")
    page.show_feed_state(FeedState(FeedKind.REPLAY, "x.destutter"))
    labels = [label.full_text for label in page.findChildren(ElidedLabel)]
    assert any("those of the recording" in text for text in labels)


def test_page_fits_a_narrow_window_with_long_texts(make_page: MakePage, qapp: QApplication):
    """With texts 40 % longer nothing asks for more width than the smallest window has."""
    translator = LongTexts(qapp)
    qapp.installTranslator(translator)
    page = make_page("stuttering")
    qapp.removeTranslator(translator)
    assert page.minimumSizeHint().width() <= 560
    for label in page.findChildren(ElidedLabel):
        assert label.fontMetrics().horizontalAdvance(label.text()) <= label.width() + 1


@pytest.mark.parametrize("width", [900, 1240])
def test_nothing_of_a_card_is_cut_off(make_page: MakePage, qapp: QApplication, width: int):
    """A text that is too long for its column takes another line, in a wide font and in German."""
    page = make_page("stuttering")
    page.resize(width, page.heightForWidth(width))
    settle(qapp)
    labels = [each for each in page.findChildren(QLabel) if each.isVisible() and each.text()]
    texts = {each.text().replace("\N{ZERO WIDTH SPACE}", "") for each in labels}
    cells = [cell for section in page.sections for row in section.rows for cell in row]
    assert {cell.text for cell in cells} | {cell.note for cell in cells} - {""} <= texts
    for label in labels:
        assert label.width() >= label.minimumSizeHint().width(), label.text()
        if label.wordWrap():
            assert label.height() >= label.heightForWidth(label.width()), label.text()


def test_new_cards_have_their_room_before_they_are_painted(
    qapp: QApplication, qtbot, reading: SystemReading
):
    """At the first visit rows were empty and texts cut for as long as the computer was busy."""
    model = SystemModel(lambda _threads: reading, lambda: HEALTH, lambda: HARDWARE)
    page = SystemPage(make_theme(qapp), Quantities(QLocale(QLocale.Language.English)), model)
    scroll = PageScroll(page)
    qtbot.addWidget(scroll)
    cut: list[str] = []
    seen: list[int] = []

    def look() -> None:
        labels = [each for each in page.findChildren(QLabel) if each.isVisible() and each.text()]
        seen.append(len(labels))
        cut.extend(
            each.text() for each in labels if each.height() < each.minimumSizeHint().height()
        )

    model.changed.connect(look)
    for snapshot in snapshots_of("stuttering"):
        page.show_snapshot(snapshot)
    scroll.resize(1060, 700)
    scroll.show()
    qtbot.waitUntil(lambda: "drives" in page.cards, timeout=10_000)
    model.stop()
    assert max(seen) > 50
    assert cut == []


def test_names_of_the_kernel_stand_in_its_letters(make_page: MakePage, qapp: QApplication):
    """A font of equal widths tells them apart from words; choosing a card does not change that."""
    page = make_page("stuttering")
    page.cards["drives"].setFocus()
    settle(qapp)
    (name,) = [each for each in page.findChildren(QLabel) if each.text() == "sda"]
    # Not every font of equal widths says that it is one: Noto Sans Mono does not.
    metrics = QFontMetricsF(name.font())
    assert metrics.horizontalAdvance("iii") == metrics.horizontalAdvance("WWW")


def test_keyboard_reaches_button_and_cards(make_page: MakePage):
    """The button has a name; every card can have the focus and is described."""
    page = make_page("stuttering")
    assert all(button.text() for button in page.findChildren(QPushButton))
    for card in page.cards.values():
        assert card.focusPolicy() & Qt.FocusPolicy.TabFocus
        assert card.accessibleName()
        assert card.accessibleDescription()


def test_real_computer_is_read(qapp: QApplication):
    """The files of the computer that runs the tests are read without an error."""
    assert read_system(KernelFiles("/")).kernel.release


UDISKS, PATH = "org.freedesktop.UDisks2", "/org/freedesktop/UDisks2"


def test_health_comes_from_udisks(tmp_path):
    """Drives are found by their device; temperature and warnings are those of the service."""
    blocks = ", ".join(
        f"dbus.ObjectPath('/b/{name}'): {{'{UDISKS}.Block': dbus.Dictionary({{"
        f"'Device': dbus.ByteArray(b'/dev/{name}\\0'), 'Drive': dbus.ObjectPath('{drive}')}},"
        " signature='sv')}"
        for name, drive in (("nvme0n1", "/d/n"), ("sda", "/d/s"), ("loop0", "/"))
    )
    nvme = (
        f"{{'{UDISKS}.NVMe.Controller': dbus.Dictionary({{'SmartUpdated': dbus.UInt64(1),"
        "'SmartTemperature': dbus.UInt16(311), 'SmartPowerOnHours': dbus.UInt64(12),"
        "'SmartCriticalWarning': dbus.Array([], signature='s')}, signature='sv')}"
    )
    ata = (
        f"{{'{UDISKS}.Drive.Ata': dbus.Dictionary({{'SmartUpdated': dbus.UInt64(1),"
        "'SmartFailing': True, 'SmartTemperature': 313.15,"
        "'SmartPowerOnSeconds': dbus.UInt64(7200)}, signature='sv')}"
    )
    drives = f"dbus.ObjectPath('/d/n'): {nvme}, dbus.ObjectPath('/d/s'): {ata}"
    code = f"ret = dbus.Dictionary({{{blocks}, {drives}}}, signature='oa{{sa{{sv}}}}')"
    manager = "org.freedesktop.DBus.ObjectManager"
    with session_bus(tmp_path) as address, mocked(address, UDISKS, PATH, UDISKS) as service:
        service.AddMethod(manager, "GetManagedObjects", "", "a{oa{sa{sv}}}", code)
        caller = BusCaller(address)
        report = read_health(caller)
        caller.close()
    assert report.missing is None
    assert report.drives["nvme0n1"].condition is Condition.GOOD
    assert round(report.drives["nvme0n1"].celsius or 0) == 38
    assert report.drives["sda"].condition is Condition.FAILING
    assert report.drives["sda"].power_on_hours == 2
    assert set(report.drives) == {"nvme0n1", "sda"}


def test_without_udisks_the_reason_is_told(tmp_path):
    """A bus without the service, and no bus at all, are two different reasons."""
    with session_bus(tmp_path) as address:
        caller = BusCaller(address)
        assert read_health(caller).missing is NoHealth.NO_UDISKS
        caller.close()
    assert read_health(BusCaller(f"unix:path={tmp_path}/no")).missing is NoHealth.NO_BUS
