# SPDX-License-Identifier: GPL-3.0-or-later
"""What a helper may answer to the wish for a trace; tests/dbus has the real one."""

import json
import os

import pytest

from destutter.analysis.changes.trace_grant import TraceGrant, TraceGrantError
from destutter.core.bus_caller import BusCaller, BusCallError
from destutter_helper.api.tracing import encode_formats
from tests.support.built_pages import recorded_formats

FORMATS = encode_formats(recorded_formats())
ERROR = "io.github.destutter.Helper1.Error."


class Bus:
    """A connection whose answers a test gives; ``files`` are how many come in each portion."""

    def __init__(self) -> None:
        self.formats = FORMATS
        self.files = [6]
        self.errors: dict[str, BusCallError] = {}
        self.asked: list[tuple[str, tuple[object, ...]]] = []
        self.lent: list[int] = []
        self.timeout_s = 0.0
        self.is_closed = False

    def call(self, _name, _path, member, _takes, arguments, *, gives):
        self.asked.append((member[1], arguments))
        if member[1] in self.errors:
            raise self.errors[member[1]]
        if gives == "ssh":
            return ["an id", self.formats, self._lend()]
        if gives == "ah":
            return [[self._lend() for _ in range(self.files.pop(0))]]
        return []

    def close(self):
        self.is_closed = True

    def _lend(self):
        self.lent.append(os.open("/dev/null", os.O_RDONLY))
        return self.lent[-1]

    def open_descriptors(self):
        """Those that were lent and not closed."""
        return [each for each in self.lent if os.path.exists(f"/proc/self/fd/{each}")]


@pytest.fixture
def bus():
    """The connection that the next grant has."""
    return Bus()


def refusal(name, *values):
    """An error of the bus."""
    error = BusCallError(name)
    error.name, error.values = name, values
    return error


def test_files_are_taken_in_portions_until_all_are_there(bus):
    """And the next portion begins where the one before ended."""
    bus.files = [4, 2]
    with TraceGrant(bus, game=True) as grant:
        assert len(grant.descriptors) == 6
        grant.watch(4711)
        assert not grant.is_over
    assert bus.asked == [
        ("BeginTrace", ('{"game": true}', True)),
        ("TraceFiles", ("an id", 0)),
        ("TraceFiles", ("an id", 4)),
        ("SetTraceTasks", ("an id", "[4711]")),
        ("EndTrace", ("an id",)),
    ]
    assert bus.open_descriptors() == []
    assert bus.is_closed


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (refusal("org.freedesktop.DBus.Error.UnknownMethod", "no"), "knows nothing of tracing"),
        (
            refusal(
                f"{ERROR}InvalidArgument",
                "English",
                json.dumps({"id": "helper.request.no_method", "values": {}}),
            ),
            "knows nothing of tracing",
        ),
        (refusal("org.freedesktop.DBus.Error.ServiceUnknown", "no"), "is not installed"),
        (refusal("org.freedesktop.DBus.Error.AccessDenied", "no"), "the helper cannot be reached"),
        (refusal("", "no"), "the helper cannot be reached"),
        (
            refusal(
                f"{ERROR}Unsupported",
                "English",
                json.dumps({"id": "helper.trace.locked", "values": {}}),
            ),
            "the kernel is locked",
        ),
        (refusal(f"{ERROR}Busy", "English only"), "English only"),
        (refusal(f"{ERROR}Busy"), "the helper cannot be reached"),
    ],
)
@pytest.mark.parametrize("method", ["BeginTrace", "TraceFiles"])
def test_every_no_is_said_in_words(bus, error, said, method):
    """And nothing stays open."""
    bus.errors[method] = error
    with pytest.raises(TraceGrantError, match=said):
        TraceGrant(bus, game=False)
    assert bus.open_descriptors() == []


@pytest.mark.parametrize(
    "formats", ["", "{}", "[]", FORMATS.replace('"version":1', '"version":2')]
)
def test_formats_of_another_version_are_refused(bus, formats):
    """With what is wrong in them."""
    bus.formats = formats
    with pytest.raises(TraceGrantError, match="the formats of the trace could not be read"):
        TraceGrant(bus, game=False)
    assert bus.open_descriptors() == []


@pytest.mark.parametrize("files", [[5, 0], [7]])
def test_another_number_of_files_is_refused(bus, files):
    """Too few, too many."""
    bus.files = files
    with pytest.raises(TraceGrantError, match="not one for each processor"):
        TraceGrant(bus, game=True)
    assert bus.open_descriptors() == []


def test_without_a_bus_the_one_sentence_for_that_is_said(tmp_path):
    """Not "No such file or directory"; there is a page that says what it means."""
    caller = BusCaller(f"unix:path={tmp_path}/nothing", timeout_s=1.0)
    with pytest.raises(TraceGrantError) as caught:
        TraceGrant(caller, game=True)
    assert caught.value.statement.id == "bridge.helper.no_bus"
    assert caught.value.is_absent
