# SPDX-License-Identifier: GPL-3.0-or-later
"""Who may import what, beyond what import-linter's contracts in pyproject.toml can say."""

import subprocess
import sys

from tests.house.source_tree import APP, HELPER, PARSES_SOURCE, ROOT, imported_names, modules_below

pytestmark = PARSES_SOURCE

ENGINE = ("core", "sampling", "session", "diagnosis", "tuning", "proving", "analysis")

IMPORT_WITHOUT_QT = """
import importlib, pkgutil, sys

class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"PySide6", "shiboken6", "pyqtgraph"}:
            raise ImportError(f"{name} is not for the engine")

sys.meta_path.insert(0, NoQt())
for name in sys.argv[1:]:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        importlib.import_module(module.name)
"""


SESSIONS = APP / "ui" / "sessions"
DRAW_WITH_PYQTGRAPH = {SESSIONS / f"{name}.py" for name in ("graph", "graph_axis", "graph_plot")}


def test_pyqtgraph_stays_behind_the_graph_of_sessions():
    """Nobody pays 31 MB for it who only watches."""
    wrong = [
        module.at(node, name)
        for module in modules_below(APP)
        if module.path not in DRAW_WITH_PYQTGRAPH
        for node, name in imported_names(module)
        if name.partition(".")[0] == "pyqtgraph"
    ]
    assert not wrong, wrong


def test_bridge_holds_what_needs_qt():
    """What needs no Qt stands on the floor of its subject, but for what asks the desktop."""
    of_the_desktop = {"portals.py", "x11_screen.py"}
    without_qt = {
        module.path.name
        for module in modules_below(APP / "bridge")
        if not any(name.startswith("PySide6") for _node, name in imported_names(module))
    }
    assert without_qt - {"__init__.py"} == of_the_desktop


def test_application_sees_only_the_contract_of_the_helper():
    """The application imports destutter_helper.api and nothing else of the helper."""
    wrong = [
        module.at(node, name)
        for module in modules_below(APP)
        for node, name in imported_names(module)
        if name.startswith("destutter_helper.") and name.split(".")[1] != "api"
    ]
    assert not wrong, wrong


def test_helper_imports_little():
    """The helper imports the standard library, dbus, gi and itself; its api not even the two."""
    allowed = sys.stdlib_module_names | {"destutter_helper"}
    wrong = [
        module.at(node, name)
        for module in modules_below(HELPER)
        for node, name in imported_names(module)
        if name.partition(".")[0]
        not in (allowed if "api" in module.path.parts else allowed | {"dbus", "gi"})
    ]
    assert not wrong, wrong


def test_helper_starts_no_program():
    """The helper has no way to start a program: nothing that could is even imported."""
    forbidden = ("subprocess", "multiprocessing", "pty", "pickle", "marshal", "shelve", "code")
    wrong = [
        module.at(node, name)
        for module in modules_below(HELPER)
        for node, name in imported_names(module)
        if name.partition(".")[0] in forbidden
    ]
    assert not wrong, wrong


def test_core_and_sampling_import_only_the_standard_library():
    """Core and sampler need the standard library, themselves, and NVML's binding: no numpy."""
    allowed = sys.stdlib_module_names | {"destutter", "destutter_helper", "pynvml"}
    wrong = [
        module.at(node, name)
        for package in ("core", "sampling")
        for module in modules_below(APP / package)
        for node, name in imported_names(module)
        if name.partition(".")[0] not in allowed
    ]
    assert not wrong, wrong


def test_engine_runs_without_qt():
    """Every module of the engine and of the helper's contract imports where Qt is missing."""
    names = [f"destutter.{name}" for name in ENGINE if (APP / name).is_dir()]
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_WITHOUT_QT, *names, "destutter_helper.api"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
