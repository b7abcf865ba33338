# SPDX-License-Identifier: GPL-3.0-or-later
"""The D-Bus contract, the gate's table, the access table and the polkit actions are one thing."""

import itertools
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from unittest.mock import Mock

import pytest

from destutter.words.language import LANGUAGES
from destutter_helper import readers, service
from destutter_helper.api import lending, names, payload, tracing
from destutter_helper.api.methods import COSTLY, METHODS, OPEN, PROPERTIES
from destutter_helper.engine import Engine
from destutter_lender import worker
from tests.support.faulty_kernel import Computer, Queue

CHECKOUT = Path(__file__).resolve().parents[3]
HELPER = CHECKOUT / "helper/destutter_helper"
CONTRACT = CHECKOUT / "resources/dbus/io.github.destutter.Helper1.xml"
POLICY = CHECKOUT / "polkit/io.github.destutter.policy"


def root_of(path):
    return ET.parse(path).getroot()  # noqa: S314 (a file of ours)


def interfaces():
    return {node.get("name"): node for node in root_of(CONTRACT)}


def signature(method, direction):
    arguments = (arg for arg in method.iter("arg") if arg.get("direction") == direction)
    return "".join(arg.get("type") for arg in arguments)


def defaults():
    root = root_of(POLICY)
    return {
        action.get("id").rpartition(".")[2]: tuple(rule.text for rule in action.find("defaults"))
        for action in root.iter("action")
    }


def test_gate_knows_exactly_the_methods_of_the_contract():
    """Every method of the committed XML is in the gate with its signatures, and no other."""
    committed = {
        (interface, method.get("name")): (signature(method, "in"), signature(method, "out"))
        for interface, node in interfaces().items()
        for method in node.iter("method")
    }
    assert committed == {key: method[:2] for key, method in METHODS.items()}


def test_every_method_of_the_table_is_served():
    """What the gate lets in, the service has; members of two interfaces never share a name."""
    members = [member for _interface, member in METHODS]
    assert len(members) == len(set(members))
    assert not readers.READERS.keys() & service.JOBS.keys()
    assert readers.READERS.keys() | service.JOBS.keys() == set(members)


def test_every_method_of_the_lender_is_served():
    """What its table of signatures lets in has an answer."""
    assert worker.ANSWERS.keys() | {"GetVersion", "OpenChannel"} == lending.METHODS.keys()


def test_what_is_served_to_all_needs_no_permission():
    """The table of readers, past which polkit is not asked, has no member that must ask."""
    for (_interface, member), method in METHODS.items():
        assert member not in readers.READERS or method.actions == (OPEN,), member


def test_only_methods_that_change_nothing_are_open():
    """Without a check: the readers, Recover (any start does it), and what only owners may."""
    opened = {
        member for (_interface, member), method in METHODS.items() if method.actions[0] == OPEN
    }
    readers = {"GetState", "ListTunables", "GetPowerStates", "Preview", "Verify", "GetReport"}
    owners = {"Extend", "Bind", "Revert", "TraceFiles", "SetTraceTasks", "TracePath", "EndTrace"}
    theirs = {"ListForGames", "BeginForGame", "ForgetForGame"}
    assert opened == readers | owners | theirs | {"Recover", "Get", "GetAll", "Introspect"}


def test_every_method_is_dear_or_known_to_be_cheap():
    """A new one has to be decided about; ``COSTLY`` has those whose time is counted."""
    members = {member for _interface, member in METHODS}
    asked = {"Get", "GetAll", "GetState", "Recover"}
    of_owners = {"Extend", "Keep", "Revert", "EndTrace"}
    after_polkit = {"Undo"}
    assert members - COSTLY == asked | of_owners | after_polkit
    assert members >= COSTLY


def test_an_action_that_is_not_in_the_table_is_refused(monkeypatch):
    """A method that asks for another permission than its row allows does no work."""
    careless = OPEN, lambda: pytest.fail("it was done"), ""
    monkeypatch.setitem(service.JOBS, "Undo", lambda _service, _call: careless)

    class FakeCall:
        key = (names.INTERFACE, "Undo")

        def unpack(self):
            """Have no arguments."""

    one = service.Service(Mock(), Mock(), Mock(), Mock(), Mock())
    with pytest.raises(names.HelperError, match="nobody may do this"):
        one.serve(FakeCall())  # type: ignore[arg-type]


def test_properties_are_read_only_and_those_that_the_service_has():
    """No property can be written, and Properties.Set is no method at all."""
    committed = list(interfaces()[names.INTERFACE].iter("property"))
    assert {p.get("name") for p in committed} == {"ProtocolVersion", "Version", "Place", "State"}
    assert {p.get("access") for p in committed} == {"read"}
    assert (PROPERTIES, "Set") not in METHODS


def test_errors_of_the_contract_are_those_of_the_code():
    """The XML lists every error name, once."""
    text = " ".join(CONTRACT.read_text().split())
    listed = text.partition("with NAME one of: ")[2].partition(". -->")[0]
    assert tuple(listed.split(", ")) == names.ERROR_NAMES


def test_a03_no_argument_names_the_caller():
    """Who calls is the sender of the message; no argument could claim to be somebody."""
    telling = re.compile(r"sender|caller|uid|pid|user|cookie|subject", re.IGNORECASE)
    wrong = [
        arg.get("name")
        for node in interfaces().values()
        for arg in node.iter("arg")
        if telling.search(arg.get("name"))
    ]
    assert wrong == []


def test_policy_has_the_five_actions_with_their_defaults():
    """Any, inactive, active: undo is free for who sits there, keeping for ever always asks."""
    asks, keeps = "auth_admin", "auth_admin_keep"
    assert defaults() == {
        "trace": (asks, asks, keeps),
        "trace-expert": (asks, asks, keeps),
        "apply": (asks, asks, keeps),
        "persist": (asks, asks, asks),
        "undo": (asks, asks, "yes"),
    }


def test_actions_of_the_policy_are_those_of_the_code():
    """The ids in the policy file and in names.py are the same."""
    coded = {names.ACTION_APPLY, names.ACTION_PERSIST, names.ACTION_UNDO}
    coded |= {tracing.ACTION_TRACE, tracing.ACTION_TRACE_EXPERT}
    root = root_of(POLICY)
    assert {action.get("id") for action in root.iter("action")} == coded
    assert all(re.fullmatch(r"[a-z][a-z0-9.-]*", name) for name in coded)


def test_policy_speaks_every_language():
    """Every description and message is there in English and in each of the others."""
    language = "{http://www.w3.org/XML/1998/namespace}lang"
    for action in root_of(POLICY).iter("action"):
        for element in ("description", "message"):
            found = {text.get(language) for text in action.iter(element)}
            assert found == {None, *LANGUAGES[1:]}


def test_version_is_that_of_the_project():
    """The helper reports the version in pyproject.toml."""
    text = (CHECKOUT / "pyproject.toml").read_text()
    assert f'version = "{names.HELPER_VERSION}"' in text


def test_a01_process_ids_are_never_asked_about():
    """polkit's racy subject kinds do not occur in the helper's code."""
    for path in HELPER.rglob("*.py"):
        code = re.sub(r'""".*?"""', "", path.read_text(), flags=re.DOTALL)
        assert "unix-process" not in code, path
        assert "unix-session" not in code, path


def test_a15_no_rules_are_shipped():
    """Nothing of ours can widen somebody else's polkit action: there is no .rules file."""
    assert [
        path
        for path in CHECKOUT.rglob("*.rules")
        if not {".venv", ".cache", "build"} & set(path.parts)
    ] == []
    assert ".rules" not in (CHECKOUT / "packaging/system/install-helper").read_text()


@pytest.mark.parametrize("word", ["pickle", "marshal", "shelve", "yaml", "eval(", "exec("])
def test_a27_nothing_is_deserialised_into_code(word):
    """Only JSON with a checksum and typed readers is ever loaded."""
    wrong = [
        path
        for path in HELPER.rglob("*.py")
        if re.search(rf"\b{re.escape(word)}", path.read_text())
    ]
    assert wrong == []


def _with_drives(number: int) -> Engine:
    """The engine of a computer with so many drives, all under the scheduler with most settings."""
    computer = Computer()
    for name in [f"sd{one}" for one in range(number)]:
        computer.kernel.queues[name] = Queue()
        computer.kernel.queues[name].switch("bfq")
        computer.kernel.plug(f"block/{name}")
    return computer.start()


def test_the_list_of_a_thousand_drives_fits_into_an_answer():
    """Every line of it, in a text that the client's reader takes."""
    engine = _with_drives(1000)
    text = readers.READERS["ListTunables"](engine, Mock())
    assert payload.decode(payload.Tunables, text).tunables == engine.list_tunables()


def test_a_list_that_no_client_would_take_is_refused_by_name(monkeypatch):
    """Beyond the limit: TooLarge, instead of a text that the client or the bus throws away."""
    monkeypatch.setattr(names, "REPLY_MAX_BYTES", 100_000)
    assert len(readers.READERS["ListTunables"](_with_drives(1), Mock())) < 100_000
    with pytest.raises(names.HelperError, match="settings of this computer") as caught:
        readers.READERS["ListTunables"](_with_drives(100), Mock())
    assert caught.value.name == "TooLarge"


@pytest.mark.parametrize(
    ("member", "request_", "most"),
    [
        (
            "BeginTrial",
            ('{"changes":[{"id":"vm.swappiness","value":"10"}]}', 30, False),
            names.TRIALS_PER_MINUTE_MAX,
        ),
        ("BeginTrace", ("{}", False), tracing.GRANTS_PER_MINUTE_MAX),
    ],
)
def test_a19_who_began_something_is_forgotten_after_a_minute(monkeypatch, member, request_, most):
    """However many users a computer has, or somebody makes up: memory for those of one minute."""
    clock = itertools.count()
    monkeypatch.setattr("time.monotonic", lambda: float(next(clock)))
    one = service.Service(Mock(), Mock(), Mock(), Mock(), Mock())
    for uid in range(1000):
        service.JOBS[member](one, Mock(uid=uid, arguments=request_, allows_dialog=False))
    recent = {"BeginTrial": one.recent_trials, "BeginTrace": one.recent_traces}[member]
    assert len(recent) <= 60
    for _ in range(most - 1):
        service.JOBS[member](one, Mock(uid=999, arguments=request_, allows_dialog=False))
    with pytest.raises(names.HelperError, match="a minute at most"):
        service.JOBS[member](one, Mock(uid=999, arguments=request_, allows_dialog=False))
