# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that several commands share, and the checks of their values."""

import argparse
import math
import os

from destutter.commands.parsing import CommandParser
from destutter.commands.terminal import CommandError, UsageError
from destutter.core.kernel_files import KernelFiles
from destutter.core.sandbox import read_sandbox
from destutter.core.statement import Statement

MAX_SECONDS = 7 * 24 * 3600.0  # a week; what is longer is a slip of the keys
_NAME_BYTES = 255 - len(".1234567.part")  # of most file systems, beside what is being written
_MAX_PID = 1 << 22  # PID_MAX_LIMIT of 64-bit kernels


def add_place_options(parser: CommandParser) -> None:
    """``--root`` and ``--pid``; accepted before the command as well as after it."""
    add_root_option(parser)
    parser.add_argument(
        "--pid", type=process_id, default=argparse.SUPPRESS, help=parser.say("cli.pid")
    )


def add_root_option(parser: CommandParser) -> None:
    parser.add_argument(
        "--root",
        metavar="DIR",
        default=argparse.SUPPRESS,
        help=parser.say("cli.root"),
    )


def add_window_options(parser: CommandParser) -> None:
    """What the window begins with; a window that is open already does it."""
    group = parser.add_mutually_exclusive_group()
    for name in ("strip", "hidden", "record", "quit"):
        group.add_argument(
            f"--{name}",
            dest="action",
            action="store_const",
            const=name,
            default="",
            help=parser.say(f"cli.window.{name}"),
        )
    parser.add_argument("--xwayland", action="store_true", help=parser.say("cli.window.xwayland"))


def add_json_option(parser: CommandParser) -> None:
    parser.add_argument("--json", action="store_true", help=parser.say("cli.json"))


def add_frame_options(parser: CommandParser, what: Statement) -> None:
    """``--mangohud`` (also ``--frames``) and ``--xplane``; ``what`` says what a log is for."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--mangohud",
        "--frames",
        dest="frames",
        default=argparse.SUPPRESS,
        metavar="CSV",
        help=parser.say("cli.frames", {"what": what}),
    )
    group.add_argument(
        "--xplane",
        type=address,
        default=argparse.SUPPRESS,
        metavar="HOST:PORT",
        help=parser.say("cli.xplane"),
    )


def add_trace_option(parser: CommandParser) -> None:
    parser.add_argument("--trace", action="store_true", help=parser.say("cli.trace"))


def wants_trace(arguments: argparse.Namespace) -> bool:
    """Whether the kernel's trace is asked for. Raises ``UsageError`` for a captured computer."""
    is_wanted: bool = getattr(arguments, "trace", False)
    if is_wanted and root_of(arguments) != "/":
        raise UsageError(Statement("cli.trace.root"))
    return is_wanted


def address(text: str) -> str:
    """The address of an X-Plane, as it was written."""
    from destutter.sampling.frames.frame_feed import parse_address

    try:
        parse_address(text)
    except ValueError:
        raise UsageError(Statement("cli.no_address", {"text": text})) from None
    return text


def is_there(path: str) -> bool:
    """Whether there is anything of that name; not of one that no file system could have."""
    try:
        os.stat(path)
    except (OSError, ValueError):
        return False
    return True


def frames_of(arguments: argparse.Namespace, *, is_awaited: bool = False) -> str | None:
    """The log to follow, as an absolute path, or the folder whose newest log it is.

    Raises ``CommandError`` when there is nothing at the path. ``is_awaited``: a log whose folder
    is there may come yet, for MangoHud makes it when the game does.
    """
    path: str | None = getattr(arguments, "frames", None)
    if path is None:
        return None
    if "\0" not in path and os.path.exists(path):
        return os.path.abspath(path)
    sandbox = read_sandbox(KernelFiles())
    if sandbox is not None:
        # Nothing of what it hides would ever come.
        hidden = {"path": repr(path), "application": sandbox.application}
        raise CommandError(Statement("command.log_hidden", hidden))
    if is_awaited and "\0" not in path and os.path.isdir(os.path.dirname(path) or "."):
        return os.path.abspath(path)
    raise CommandError(Statement("command.no_log", {"path": repr(path)}))


def seconds(text: str) -> float:
    """A time in seconds above zero, at most a week."""
    try:
        value = float(text)
    except ValueError:
        raise UsageError(Statement("cli.no_seconds", {"text": text})) from None
    if not (math.isfinite(value) and 0 < value <= MAX_SECONDS):
        raise UsageError(Statement("cli.no_time", {"text": text}))
    return value


def process_id(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= _MAX_PID):
        raise UsageError(Statement("cli.no_process_id", {"text": text}))
    return int(text)


def root_of(arguments: argparse.Namespace) -> str:
    """The tree to read, as an absolute path. Raises ``CommandError`` when there is none."""
    root = os.path.abspath(getattr(arguments, "root", "/"))
    if not os.path.isdir(root):
        what = "command.no_folder" if os.path.exists(root) else "command.not_there"
        if root.endswith((".tar.gz", ".tgz")) and os.path.isfile(root):
            what = "command.archive"
        raise CommandError(Statement(what, {"path": f"--root {root}"}))
    if not os.path.isdir(os.path.join(root, "proc")):
        raise CommandError(Statement("command.no_capture", {"path": root}))
    return root


def pid_of(arguments: argparse.Namespace) -> int | None:
    """The process to watch, if one was named."""
    pid: int | None = getattr(arguments, "pid", None)
    return pid


def new_file(path: str) -> str:
    """A path at which a file can be made. Raises ``CommandError`` in words.

    Nothing is made yet: this tells before a long measurement what would fail after it.
    """
    folder, name = os.path.split(path)
    folder = folder or "."
    if not path or "\0" in path:
        raise CommandError(Statement("command.needs_name"))
    if len(os.fsencode(name)) > _NAME_BYTES:
        raise CommandError(Statement("command.long_name", {"path": path}))
    if os.path.isdir(path):
        raise CommandError(Statement("command.is_folder", {"path": path}))
    if os.path.lexists(path):
        raise CommandError(Statement("command.exists", {"path": path}))
    if not os.path.isdir(folder):
        raise CommandError(Statement("command.no_parent", {"path": path}))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise CommandError(Statement("command.unwritable_folder", {"path": path}))
    return path
