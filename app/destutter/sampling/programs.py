# SPDX-License-Identifier: GPL-3.0-or-later
"""The processes that measure live: their command lines.

Window and terminal start the same ones. How their output is read differs: the window's event
loop must never wait, so it lets Qt read (`bridge/feed.py`); the terminal waits for nothing else,
and loads no Qt (`sampling/live.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from destutter.core.source import BATCH_MS
from destutter.sampling.own_program import own_command

SAMPLER = "sampler"
PROBE_OPTIONS = {"wakeup": "--wakeup-probe", "write": "--write-probe"}


@dataclass(frozen=True, slots=True)
class LiveOptions:
    """What to measure; see ``destutter.sampling.child`` for the meaning of each.

    ``pid`` None: the sampler looks for a game, unless ``is_searching`` is off. ``probes`` are
    names of sources that a probe delivers: "wakeup", "write". They measure this computer, so they
    are only started when it is the one that is read. ``frames`` is a frame log to follow or a
    folder of them, ``xplane`` the address of an X-Plane; at most one of the two.
    """

    root: str = "/"
    interval_ms: int = 100
    pid: int | None = None
    seconds: float | None = None
    batch_ms: int = BATCH_MS
    is_searching: bool = True
    probes: tuple[str, ...] = ()
    frames: str | None = None
    xplane: str | None = None

    def programs(self, base: Sequence[str] | None = None) -> dict[str, list[str]]:
        """The command lines by name; the sampler's is the first. ``base`` starts this program."""
        command = list(own_command() if base is None else base)
        programs = {SAMPLER: [*command, *self.sampler_arguments()]}
        if self.root == "/":
            batch = ["--batch-ms", str(self.batch_ms)]
            programs |= {each: [*command, PROBE_OPTIONS[each], *batch] for each in self.probes}
        return programs

    def sampler_arguments(self) -> list[str]:
        arguments = ["--sampler", "--root", self.root, "--interval-ms", str(self.interval_ms)]
        arguments += ["--batch-ms", str(self.batch_ms)]
        if self.pid is not None:
            arguments += ["--pid", str(self.pid)]
        if self.seconds is not None:
            arguments += ["--seconds", str(self.seconds)]
        if self.frames is not None:
            arguments += ["--frames", self.frames]
        elif self.xplane is not None:
            arguments += ["--xplane", self.xplane]
        return arguments if self.is_searching else [*arguments, "--no-auto"]
