# SPDX-License-Identifier: GPL-3.0-or-later
"""That a probe was started: a fact of the stream until the probe itself speaks.

It takes a moment, on a starved computer seconds, and meanwhile nothing tells it from one that is
switched off.
"""

from collections.abc import Iterable

from destutter.core.sample import Facts

WAKES_PER_S = 200
"""How often the wake-up probe wakes: any stall of 10 ms or more spans two of its deadlines."""


def probe_fact(source: str) -> str:
    """The name of the fact for the probe that delivers this source."""
    return f"probe.{source}"


def probes_started(monotonic_ns: int, sources: Iterable[str]) -> Facts:
    """What is told when the probes of these sources were started."""
    return Facts(monotonic_ns, {probe_fact(source): "started" for source in sources})
