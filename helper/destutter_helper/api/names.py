# SPDX-License-Identifier: GPL-3.0-or-later
"""Names and limits of the contract between the application and the root helper."""

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

# States of the helper (property State).
STATE_IDLE = "idle"  # nothing of ours is in the kernel
STATE_TRIAL = "trial"  # a change set is on trial
STATE_KEPT = "kept"  # values of ours are in the kernel, confirmed
STATE_CONFLICT = "conflict"  # values that an undo left alone wait for a decision
STATE_BUSY = "busy"  # writing right now (or a killed helper was, and recovery has not run)
STATE_READ_ONLY = "read-only"  # the journal is damaged, or written by a newer version

REQUEST_MAX_BYTES = 16 * 1024
REPLY_MAX_BYTES = 4 * 1024 * 1024  # ListTunables with 1,600 drives, all under bfq
CHANGES_MAX = 64
ID_MAX_BYTES = 96
VALUE_MAX_BYTES = 32
TRIAL_MIN_S = 5
TRIAL_MAX_S = 120
TRIAL_USUAL_S = 60  # what window and terminal ask for unless told otherwise
TRIAL_TOTAL_MAX_S = 600
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


class HelperError(Exception):
    """A request that could not be done; nothing was changed, or all of it was taken back.

    Attributes: ``name`` one of ``ERROR_NAMES`` (the D-Bus error is ``ERROR_PREFIX + name``),
    ``id`` and ``device`` of the entry that failed (empty when no single entry did), ``reason``
    in plain words. ``str()`` is one line for people that names the entry.
    """

    def __init__(self, name: str, reason: str, *, id: str = "", device: str = "") -> None:  # noqa: A002 (the wire's word)
        assert name in ERROR_NAMES, name  # noqa: S101 (a wrong name is our own mistake)
        where = f"{id} on {device}: " if device else f"{id}: " if id else ""
        super().__init__(where + reason)
        self.name = name
        self.id = id
        self.device = device
        self.reason = reason
