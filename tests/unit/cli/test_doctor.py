# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter doctor`` and the chain to the root helper."""

import json
import os
import socket
from pathlib import Path

import pytest

from destutter.analysis.changes.helper_origin import describe_helper
from destutter.commands import checkup, doctor, helper_chain
from destutter.commands.helper_chain import DOCTOR_SHOWS, FROM_OUTSIDE, first_failing, static_steps
from destutter.commands.helper_state import HelperAnswer
from destutter.core.catalog import SLOW_PERIODS_S
from destutter.core.sample import Header
from destutter.core.statement import Statement, told
from destutter.words.renderer import renderer
from destutter_helper.api.names import HELPER_VERSION
from tests.support.flatpak_sandbox import sandbox_this_process
from tests.support.scripted_source import START_NS, Script

BUS_NAME = "io.github.destutter.Helper1"
PROGRAM = "/usr/libexec/destutter/destutter-helper"


@pytest.fixture
def installed(tmp_path):
    """A root with everything that the helper needs, and a bus that answers."""
    root = tmp_path / "root"
    files = {
        f"usr/share/dbus-1/system-services/{BUS_NAME}.service": (
            f"[D-BUS Service]\nName={BUS_NAME}\nExec={PROGRAM}\nUser=root\n"
        ),
        f"usr/share/dbus-1/system.d/{BUS_NAME}.conf": "<busconfig/>",
        "usr/share/polkit-1/actions/io.github.destutter.policy": "<policyconfig/>",
        "usr/share/dbus-1/system-services/org.freedesktop.PolicyKit1.service": "",
        PROGRAM.lstrip("/"): "#!/usr/bin/python3 -I\n",
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o644)
    return root


@pytest.fixture
def bus(tmp_path):
    """A socket that takes connections, as a bus address."""
    path = tmp_path / "bus"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        yield f"unix:path={path}"


def _steps(root, bus, monkeypatch):
    monkeypatch.setattr(helper_chain, "_running_agent", lambda _files: "gnome-shell")
    if os.getuid() != 0:
        monkeypatch.setattr(helper_chain, "_is_owned_by_root", lambda _info: True)
    return static_steps(root, bus)


def test_a_complete_installation_has_no_failing_step(installed, bus, monkeypatch):
    """Bus, activation, program, both policies, polkit, and somebody who asks."""
    steps = _steps(installed, bus, monkeypatch)
    assert [step.name for step in steps if not step.is_fine] == []
    assert first_failing(steps) is None


@pytest.mark.parametrize(
    ("missing", "failing"),
    [
        (f"usr/share/dbus-1/system-services/{BUS_NAME}.service", "how the bus starts the helper"),
        (f"usr/share/dbus-1/system.d/{BUS_NAME}.conf", "who may speak on the bus"),
        ("usr/share/polkit-1/actions/io.github.destutter.policy", "what may be asked of polkit"),
        (PROGRAM.lstrip("/"), "the helper's program"),
    ],
)
def test_the_exact_missing_link_is_named(installed, bus, monkeypatch, missing, failing):
    """One file less, and that very step is the first that fails."""
    (installed / missing).unlink()
    step = first_failing(_steps(installed, bus, monkeypatch))
    assert step is not None
    assert str(step.name) == failing


def test_of_two_helpers_the_one_that_runs_is_told(installed, bus, monkeypatch):
    """A package beside an AppImage's: systemd takes the units in /etc, and the way out is said."""
    activation = installed / f"opt/destutter/share/dbus-1/system-services/{BUS_NAME}.service"
    program = installed / "opt/destutter/libexec/destutter/destutter-helper"
    for path, text in (
        (activation, "Exec=/opt/destutter/libexec/destutter/destutter-helper\n"),
        (program, "#!/usr/bin/python3 -I\n"),
    ):
        path.parent.mkdir(parents=True)
        path.write_text(text)
        path.chmod(0o644)
    steps = {str(step.name): step for step in _steps(installed, bus, monkeypatch)}
    step = steps["the helper's program"]
    assert step.is_fine
    detail = str(step.detail)
    assert detail.startswith(f"{program}, the AppImage's, runs; ")
    assert f"{installed}{PROGRAM} is installed beside it and does not" in detail
    assert "'destutter uninstall-helper'" in detail


def test_a_bus_that_does_not_answer(installed, tmp_path, monkeypatch):
    """No socket, or nobody behind it, or an address of another kind."""
    for address in (f"unix:path={tmp_path}/gone", "tcp:host=x", ""):
        step = first_failing(_steps(installed, address, monkeypatch))
        assert step is not None
        assert str(step.name) == "the system bus"


def test_a_program_that_others_can_change_is_not_trusted(installed, bus, monkeypatch):
    """Root runs it, so nobody else may write it."""
    (installed / PROGRAM.lstrip("/")).chmod(0o666)
    step = first_failing(_steps(installed, bus, monkeypatch))
    assert step is not None
    assert "can be changed by others" in str(step.detail)


def test_an_activation_file_without_a_program(installed, bus, monkeypatch):
    """A file of the right name with nothing in it."""
    (installed / f"usr/share/dbus-1/system-services/{BUS_NAME}.service").write_text("")
    step = first_failing(_steps(installed, bus, monkeypatch))
    assert step is not None
    assert "names no program" in str(step.detail)


@pytest.mark.parametrize("name", ["var/lib/destutter", "run/destutter"])
def test_a_directory_that_the_helper_does_not_trust_is_told_with_the_reason(
    installed, bus, monkeypatch, name
):
    """A link, a file, another owner, or open to writing: the helper ends at its start then."""
    path = installed / name
    path.parent.mkdir(parents=True, exist_ok=True)

    def trouble():
        step = first_failing(_steps(installed, bus, monkeypatch))
        return None if step is None else (str(step.name).split()[-1], str(step.detail))

    path.mkdir(mode=0o700)
    assert trouble() is None
    path.chmod(0o777)
    what = "it can be written to by others than root (mode 0777)"
    assert trouble() == (f"/{name}", what)
    path.rmdir()
    path.write_text("")
    assert trouble() == (f"/{name}", "it is no directory")
    path.unlink()
    path.symlink_to(installed)
    assert trouble() == (f"/{name}", "it is a link, which the helper does not follow")


def test_the_doctor_tells_why_a_helper_does_not_start_and_what_it_says(
    examined, installed, bus, monkeypatch
):
    """Not the sentence that sends people here, but how to see more; notices where it answers."""
    why = Statement(
        "change.helper", {"why_sentences": (told("it cannot be reached"), DOCTOR_SHOWS)}
    )
    silent = HelperAnswer(is_ready=False, detail=why)
    steps = _steps(installed, bus, monkeypatch)
    monkeypatch.setattr(checkup, "static_steps", lambda *_: steps)
    monkeypatch.setattr(checkup, "ask_helper", lambda _root: silent)
    monkeypatch.setattr(checkup, "helper_program", lambda: PROGRAM)
    output = examined.run("doctor").output
    assert str(DOCTOR_SHOWS) not in output
    assert f"It cannot be reached. 'sudo {PROGRAM} --recover' starts it by hand" in output
    noted = HelperAnswer(is_ready=True, detail=told("ready"), notices=(told("it was damaged"),))
    monkeypatch.setattr(checkup, "ask_helper", lambda _root: noted)
    assert "  It says: it was damaged\n" in examined.run("doctor").output
    assert json.loads(examined.run("doctor", "--json").output)["notices"] == ["it was damaged"]


def test_files_of_the_administrator_count_as_well(installed, bus, monkeypatch):
    """Image-based systems have them below /etc and /usr/local."""
    for old, new in (
        (f"usr/share/dbus-1/system.d/{BUS_NAME}.conf", f"etc/dbus-1/system.d/{BUS_NAME}.conf"),
        (
            "usr/share/polkit-1/actions/io.github.destutter.policy",
            "etc/polkit-1/actions/io.github.destutter.policy",
        ),
    ):
        (installed / new).parent.mkdir(parents=True)
        (installed / old).rename(installed / new)
    assert first_failing(_steps(installed, bus, monkeypatch)) is None


def test_without_anybody_who_asks_for_a_password(installed, bus, monkeypatch):
    """No agent of a desktop, none for text, and not root: this is the failing step."""
    monkeypatch.setattr(helper_chain, "_running_agent", lambda _files: None)
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert not helper_chain._agent().is_fine
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    assert "pkttyagent" in str(helper_chain._agent().detail)
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert helper_chain._agent().is_fine


@pytest.fixture
def examined(commands, monkeypatch):
    """A computer that reports no pressure; no helper is installed."""
    script = Script(("vmstat", "meminfo", "stat", "disk", "cpu"))
    script.trouble("pressure", "this kernel does not report pressure; start it with psi=1")
    commands.source = script.run(3).source()
    monkeypatch.setattr("destutter.commands.checkup.static_steps", lambda *_: [])
    monkeypatch.setattr(
        "destutter.commands.checkup.static_steps",
        lambda *_: static_steps(Path("/nowhere"), "unix:path=/nowhere/bus"),
    )
    return commands


def test_the_doctor_tells_what_is_missing_and_why(examined):
    """Each source and each cause with yes or no, and the step at which the helper fails."""
    outcome = examined.run("doctor")
    assert (outcome.status, outcome.errors) == (0, "")
    lines = [line.strip() for line in outcome.output.splitlines()]
    assert "yes Memory reclaim (vmstat)" in lines
    assert "yes Waiting for free memory (direct_reclaim)" in lines
    assert (
        "no  Pressure (PSI) (pressure): This kernel does not report pressure; "
        "start it with psi=1." in lines
    )
    assert any(line.startswith("no  Graphics card (gpu): ") for line in lines)
    assert "Fails at: the system bus. Everything can be measured without it." in lines


def test_the_doctor_tells_programs_the_same(examined):
    """Machine, sources, causes, frame-time tools, settings, steps and the failing one."""
    told = json.loads(examined.run("doctor", "--json").output)
    sources = {each["id"]: each for each in told["sources"]}
    assert sources["vmstat"]["is_measured"] is True
    assert sources["pressure"]["is_measured"] is False
    assert told["failing_step"] == "the system bus"
    assert told["settings_here"] > 0
    assert {each["id"] for each in told["causes"]} >= {"direct_reclaim", "slow_device"}


def test_a_captured_tree_has_no_helper(commands, tmp_path):
    """The helper belongs to the running computer."""
    (tmp_path / "proc").mkdir()
    commands.source = Script(("vmstat",)).run(2).source()
    told = json.loads(commands.run("doctor", "--json", "--root", tmp_path).output)
    assert told["failing_step"] == "the running computer"


def test_nothing_measured_is_an_error(commands):
    """A doctor who finds no pulse does not say that all is well."""
    commands.source = Script(()).source()
    outcome = commands.run("doctor")
    assert outcome.status == 1
    assert outcome.complaint == "nothing can be measured below /"


def test_doctor_watches_until_programs_were_compared():
    """A shorter look would say that this computer does not show its programs."""
    assert SLOW_PERIODS_S["process"] < doctor._SECONDS


def test_in_a_flatpak_the_doctor_looks_at_the_bus_alone_and_sends_people_outside(
    examined, bus, monkeypatch, tmp_path
):
    """Files of the helper, polkit and the desktop's programs cannot be seen from there."""
    sandbox_this_process(tmp_path, monkeypatch)
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", bus)
    absent = HelperAnswer(is_ready=False, detail=FROM_OUTSIDE)
    monkeypatch.setattr(checkup, "ask_helper", lambda _root: absent)
    output = examined.run("doctor").output
    assert "yes the system bus" in output
    assert "./Destutter-*.AppImage install-helper" in output
    assert "no  MangoHud: cannot be seen from the Flatpak; this follows its logs: " in output
    assert "flatpak run --share=network io.github.destutter.Destutter" in output
    for of_a_package in ("make install-helper", "polkitd", "pkttyagent", "not installed; it logs"):
        assert of_a_package not in output
    report = json.loads(examined.run("doctor", "--json").output)
    assert report["failing_step"] == "the helper's answer"


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        (
            "de_DE.UTF-8",
            (
                "Arbeitsspeicher: 15,6 GB",
                "Grafikkarten: keine",
                "Virtuelle Maschine: nein",
                "nein der Systembus: /nowhere/bus antwortet nicht: Datei oder Ordner nicht",
                "nein wie der Bus den Hilfsdienst startet: dbus-1/system-services/",
                "ja   der eigene Ordner des Hilfsdienstes /var/lib/destutter: noch nicht da",
                "Es scheitert an: der Systembus.",
            ),
        ),
        (
            "zh_CN.UTF-8",
            (
                "内存\uff1a15.6 GB",
                "显卡\uff1a无",
                "否 系统总线\uff1a/nowhere/bus 没有应答\uff1a",
                "失败于\uff1a系统总线。",
            ),
        ),
        ("C", ("Memory: 15.6 GB", "Graphics cards: none", "no  the system bus: /nowhere/bus")),
    ],
)
def test_the_doctor_speaks_the_language(examined, monkeypatch, locale, words):
    """What this computer is, and each step of the way to the helper."""
    machine = {"memory_kib": 16_357_784, "gpus": [], "virtual_machine": "no", "newer": 7}
    script = Script(("vmstat", "meminfo"))
    script.messages[0] = Header(START_NS, 1.7e9, 100, machine)
    examined.source = script.run(3).source()
    monkeypatch.setenv("LC_ALL", locale)
    output = examined.run("doctor").output.replace("\N{NO-BREAK SPACE}", " ")
    assert [each for each in words if each not in output] == []
    assert "newer" in output


def test_a_helper_that_does_not_fit_is_told_in_the_language(installed, monkeypatch):
    """Version, whose it is, and what to do; the JSON of status and doctor stays English."""
    german = renderer("de")
    for version, words in (("0.0.1", "älter"), ("99.0.0", "neuer"), (HELPER_VERSION, "passt")):
        for place in ("", "/opt/destutter/lib/x", "/usr/libexec/destutter/x", "/src/x"):
            said = describe_helper(version, place)
            assert words in german.text(said)
            assert str(said).startswith(f"version {version}, ")
