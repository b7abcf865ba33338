# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program is called: of one that an interpreter runs the script as well.

"bash (22393)" says nothing to whoever has to stop a backup; the kernel keeps the name of the
interpreter, and the script stands in /proc/PID/cmdline. Nothing else of that is kept: not where
the script lies, and none of its arguments.
"""

from destutter.core.interpreters import is_interpreter
from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.sampling.files.measurement import text_of
from destutter.sampling.files.process_files import PROC, ProcessStat

_LONGEST = 32  # lists have room for an interpreter and a file's name
_MOST_KEPT = 256  # a build starts thousands of scripts; forgotten, one is read again
_MODULE = "-m"
# What stands before a script and takes no word of its own in any of the languages. Behind every
# other option the next word may be its value, and that may be a secret.
_FLAGS = frozenset({"-u", "-B", "-O", "-OO", "-x", "-l", "-w", "-eu", "-ex", "-eux"})


class Titles:
    """Keeps the titles of scripts, which do not change while they run."""

    def __init__(self, files: KernelFiles) -> None:
        self._files = files
        self._known: dict[tuple[int, int], str] = {}

    def of(self, pid: int, stat: ProcessStat) -> str:
        """The name of a program, of a script "bash backup.sh"."""
        if not is_interpreter(stat.name):
            return stat.name
        key = pid, stat.start_ticks
        if key not in self._known:
            if len(self._known) >= _MOST_KEPT:
                self._known = {}
            script = script_in(self._line(pid))
            self._known[key] = f"{stat.name} {script}" if script else stat.name
        return self._known[key]

    def _line(self, pid: int) -> bytes:
        try:
            return self._files.read_bytes(f"{PROC}/{pid}/cmdline") or b""
        except KernelFileError:
            return b""  # somebody else's, or hidden from a sandbox: the name alone is known


def script_in(line: bytes) -> str:
    """The script or module that a command line names; empty where it names none."""
    words = [text_of(each) for each in line.split(b"\0")][1:]
    for number, word in enumerate(words):
        if word == _MODULE:
            return _short(words[number + 1]) if number + 1 < len(words) else ""
        if word not in _FLAGS:
            return "" if word.startswith("-") else _short(word.rpartition("/")[2])
    return ""


def _short(name: str) -> str:
    """Of any length and with any signs, a name of one word."""
    return "_".join(name.split())[:_LONGEST]
