# SPDX-License-Identifier: GPL-3.0-or-later
"""Names and limits of the contract between the application and the root helper."""

from destutter_helper.api.statement import Said, told

API_VERSION = 1
HELPER_VERSION = "0.1.0"  # of pyproject.toml, by packaging/release/derive.py
BUS_NAME = "io.github.destutter.Helper1"
HOLDS_NAME = BUS_NAME + ".Holds"  # of the connection for the power profile
OBJECT_PATH = "/io/github/destutter/Helper1"
INTERFACE = BUS_NAME
ERROR_PREFIX = BUS_NAME + ".Error."

ACTION_APPLY = "io.github.destutter.apply"
ACTION_PERSIST = "io.github.destutter.persist"
ACTION_UNDO = "io.github.destutter.undo"

KEEP_RESTART = "restart"
KEEP_ALWAYS = "always"

# Why a trial ended (argument of the signal TrialEnded).
ENDED_KEPT = "kept"
ENDED_REVERTED = "reverted"
ENDED_DEADLINE = "deadline"
ENDED_OWNER_GONE = "owner-gone"
ENDED_HOLD_CLOSED = "hold-closed"
ENDED_SHUTDOWN = "shutdown"
ENDED_GAME = "game-ended"

# States of the helper (property State).
STATE_IDLE = "idle"  # nothing of ours is in the kernel
STATE_TRIAL = "trial"  # a change set is on trial
STATE_KEPT = "kept"  # values of ours are in the kernel, confirmed
STATE_CONFLICT = "conflict"  # values that an undo left alone wait for a decision
STATE_BUSY = "busy"  # writing right now (or a killed helper was, and recovery has not run)
STATE_READ_ONLY = "read-only"  # the journal is damaged, or written by a newer version

# The bus lets texts of 31 MiB through, and one of any user cost 111 MB.
REQUEST_MAX_BYTES = 16 * 1024
REPLY_MAX_BYTES = 4 * 1024 * 1024  # ListTunables with 1,600 drives, all under bfq
CHANGES_MAX = 64  # all settings of a computer with one drive are 46
ID_MAX_BYTES = 96  # of a setting or a device, which are shorter; each goes into the journal
VALUE_MAX_BYTES = 32  # the longest choice has 22
GAME_MAX_CHARACTERS = 64  # of the name by which somebody keeps something for a game
TRIAL_MIN_S = 5  # shorter, and nobody has read the question
TRIAL_MAX_S = 120  # longer, and a computer whose screen hangs stays so
TRIAL_USUAL_S = 60  # what window and terminal ask for unless told otherwise
TRIAL_TOTAL_MAX_S = 600  # with all that it is extended by; what lasts longer is to be kept
FLIGHT_MAX_S = 12 * 3600  # of a trial that is tied to a game; longer than anybody plays at a time
TRIALS_PER_MINUTE_MAX = 10  # of one user

ERROR_NAMES = (
    "NotAuthorized",
    "Dismissed",
    "InvalidArgument",
    "UnknownKey",
    "OutOfRange",
    "Busy",
    "NotOwner",
    "NoSuchTransaction",
    "Conflict",
    "Refused",
    "DeviceGone",
    "JournalUnavailable",
    "TooLarge",
    "RateLimited",
    "Unsupported",
    "Internal",
)


_ENTRY, _ENTRY_ON = "helper.entry", "helper.entry_on"


class HelperError(Exception):
    """A request that could not be done; nothing was changed, or all of it was taken back.

    Attributes: ``name`` one of ``ERROR_NAMES`` (the D-Bus error is ``ERROR_PREFIX + name``),
    ``id`` and ``device`` of the entry that failed (empty when no single entry did), ``said``
    why; a text is one that has no id. ``whole`` names the entry as well, and ``str()`` is that in
    English.
    """

    def __init__(self, name: str, said: Said | str, *, id: str = "", device: str = "") -> None:  # noqa: A002 (the wire's word)
        assert name in ERROR_NAMES, name  # noqa: S101 (a wrong name is our own mistake)
        self.name = name
        self.id = id
        self.device = device
        self.said = said if isinstance(said, Said) else told(said)
        self.whole = said_of(id, device, self.said) if id else self.said
        super().__init__(str(self.whole))

    @property
    def reason(self) -> str:
        """Why, in English."""
        return str(self.said)


def said_of(id_: str, device: str, said: Said) -> Said:
    """What is said of a setting, perhaps on a device."""
    if not device:
        return Said(_ENTRY, {"name": id_, "reason": said})
    return Said(_ENTRY_ON, {"name": id_, "device": device, "reason": said})


def error_of(name: str, whole: Said) -> HelperError:
    """The error again, from its name and what crossed the bus."""
    values = whole.values
    id_, device, said = values.get("name"), values.get("device", ""), values.get("reason")
    if whole.id in {_ENTRY, _ENTRY_ON} and id_ and isinstance(said, Said):
        return HelperError(name, said, id=str(id_), device=str(device))
    return HelperError(name, whole)
