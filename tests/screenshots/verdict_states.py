# SPDX-License-Identifier: GPL-3.0-or-later
"""Every verdict of a comparison, and recordings that try the page: many, long names, broken."""

import os

from destutter.analysis.reading.session_import import import_file
from tests.screenshots.session_states import AFTER, BEFORE, Do, Scene, SessionState
from tests.support.long_flights import TUNED, Flight, write_flight

_NAME = (
    "Frankfurt to New York with the new scenery, live traffic, all sliders to the right and the "
    "larger reserve of memory"
)


def _add(scene: Scene, name: str, flight: Flight, tunables: dict[str, str] | None = None) -> None:
    path = scene.sessions.folder / f"{name}.destutter"
    write_flight(path, flight, *(() if tunables is None else (tunables,)))
    scene.sessions.models.library.refresh()
    scene.wait()


def _worse(scene: Scene) -> None:
    scene.choose(BEFORE, AFTER)
    scene.page.details.swap.click()


def _against(flight: Flight) -> Do:
    def do(scene: Scene) -> None:
        _add(scene, "Second run", flight)
        scene.choose(BEFORE, "Second run")

    return do


def _nothing_common(scene: Scene) -> None:
    scene.choose(BEFORE, "Convoy night run")


def _wakeups(scene: Scene) -> None:
    scene.choose("Convoy night run")


def _sampled(scene: Scene) -> None:
    """An imported log that holds one frame in a tenth of a second."""
    log = scene.sessions.folder / "Night approach.csv"
    rows = (f"60,{16.2 + 0.1 * (at % 7):.1f},{100_000_000 * (at + 1)}" for at in range(1200))
    log.write_text("fps,frametime,elapsed\n" + "\n".join(rows) + "\n")
    import_file(log, scene.sessions.folder, lambda: None)
    log.unlink()
    scene.sessions.models.library.refresh()
    scene.wait()
    scene.choose("Night approach")


def _long_name(scene: Scene) -> None:
    _add(scene, _NAME, Flight(20, 0.5, "Microsoft Flight Simulator 2024 (Proton)"), TUNED)
    scene.choose(_NAME)


def _long_names(scene: Scene) -> None:
    _long_name(scene)
    scene.choose(BEFORE, _NAME)


def _many(scene: Scene) -> None:
    folder = scene.sessions.folder
    for number in range(80):
        os.link(folder / "Convoy night run.destutter", folder / f"Convoy {number:02}.destutter")
    scene.sessions.models.library.refresh()
    scene.wait()
    scene.choose("Convoy 40")


def _newer(scene: Scene) -> None:
    path = scene.sessions.folder / "Convoy night run.destutter"
    data = bytearray(path.read_bytes())
    data[16:20] = (99).to_bytes(2, "little") * 2
    path.write_bytes(data)
    scene.sessions.models.library.refresh()
    scene.wait()
    scene.choose("Convoy night run")


def _pointed(scene: Scene) -> None:
    scene.choose(BEFORE, AFTER)
    graph = scene.page.details.panel.graph
    graph.read(0.6 * graph.curves[0].length_s)


def _smooth(scene: Scene) -> None:
    scene.choose(AFTER)


def _scrolled(scene: Scene) -> None:
    scene.choose(BEFORE, AFTER)
    bar = scene.page.details._scroll.verticalScrollBar()
    bar.setValue(bar.maximum())


VERDICT_STATES = (
    SessionState("sessions-sampled", _sampled),
    SessionState("sessions-worse", _worse),
    SessionState("sessions-same", _against(Flight(24, 1.7, seed=1))),
    SessionState("sessions-close", _against(Flight(20, 1.35, seed=11))),
    SessionState("sessions-nothing-common", _nothing_common),
    SessionState("sessions-wakeups", _wakeups),
    SessionState("sessions-smooth", _smooth),
    SessionState("sessions-long-name", _long_name),
    SessionState("sessions-long-names", _long_names),
    SessionState("sessions-many", _many),
    SessionState("sessions-newer", _newer),
    SessionState("sessions-pointed", _pointed),
    SessionState("sessions-scrolled", _scrolled),
)
