# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks under two settings in turns, in the guest: what a game met under each, and a verdict.

A block is a minute of the frames of the truth bench's victim, while something troubles it. The
blocks of one setting, put together, are one session for ``destutter compare``, which wants eight
minutes of each and judges minute by minute.
"""

import json
import os
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.vm.inside import say
from tests.vm.installed import begin, call, run, until

PAIRS = 8
BLOCK_S = 60.0
SPARE_S = 1.0
TRIAL_S = 120
LOG = Path("/dev/shm/game.csv")
HEADER_LINES = 3
NS_PER_S = 1_000_000_000

Figures = Mapping[str, float]
Trouble = Callable[[float], Figures]
"""Troubles the game until a moment of the monotonic clock; figures of what it met itself."""
Change = tuple[str, str, str]
"""Id, device and value of a setting."""


@dataclass
class Arm:
    """One setting: the rows of its session, and the figures of each block."""

    name: str
    rows: list[str] = field(default_factory=list)
    blocks: list[Figures] = field(default_factory=list)


def order(pairs: int) -> list[bool]:
    """Which block is under the change: pairs in turns forwards and backwards."""
    return [is_second == bool(pair % 2) for pair in range(pairs) for is_second in (True, False)]


def _nothing() -> None:
    """The usual preparation."""


def measure(
    wanted: Sequence[Change],
    trouble: Trouble,
    options: Mapping[str, object],
    prepare: Callable[[], None] = _nothing,
) -> tuple[Arm, Arm]:
    """Play all blocks, with and without what is ``wanted`` on trial; ``options``: the game's.

    ``prepare`` brings about the same beginning for each of them.
    """
    arms = Arm("present"), Arm("changed")
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    command = ["./victim", "--log", str(LOG), "--seconds", "86400", *words]
    with subprocess.Popen(command) as game:
        try:
            until(lambda: LOG.exists() and len(LOG.read_text().splitlines()) > HEADER_LINES)
            _play(arms, wanted, trouble, prepare)
        finally:
            game.kill()
    return arms


def _play(
    arms: tuple[Arm, Arm],
    wanted: Sequence[Change],
    trouble: Trouble,
    prepare: Callable[[], None],
) -> None:
    head = LOG.read_text().splitlines()[:HEADER_LINES]
    for arm in arms:
        arm.rows += head
    for number, is_changed in enumerate(order(PAIRS), 1):
        arm = arms[is_changed]
        with _on_trial(wanted if is_changed else ()):
            prepare()
            arm.blocks.append(_block(arm, trouble))
        told = ", ".join(f"{name} {value:.4g}" for name, value in arm.blocks[-1].items())
        say(f"# block {number} of {2 * PAIRS}, {arm.name}: {told}")


def _block(arm: Arm, trouble: Trouble) -> Figures:
    position = LOG.stat().st_size
    figures = trouble(time.monotonic() + BLOCK_S + SPARE_S)
    with LOG.open() as log:
        log.seek(position)
        lines = log.read().splitlines()[:-1]
    arm.rows += rebased(lines, len(arm.blocks))
    return figures


def rebased(lines: Sequence[str], minute: int) -> Iterator[str]:
    """The rows of a block as the frames of this minute; of the last one also what is beyond."""
    base = None
    for line in lines:
        cells = line.split(",")
        elapsed = int(cells[4])
        if base is None:
            base = elapsed - round(float(cells[1]) * 1e6)
        since = elapsed - base
        if since <= BLOCK_S * NS_PER_S or minute == PAIRS - 1:
            cells[4] = str(round(minute * BLOCK_S * NS_PER_S) + since)
            yield ",".join(cells)


@contextmanager
def _on_trial(wanted: Sequence[Change]) -> Iterator[None]:
    if not wanted:
        yield
        return
    txid, hold = begin(wanted, TRIAL_S)
    try:
        yield
    finally:
        results = json.loads(call("Revert", txid))["results"]
        os.close(hold.take())
    outcomes = {one["outcome"] for one in results}
    assert outcomes <= {"restored", "already"}, results


def compared(arms: tuple[Arm, Arm]) -> str:
    """Tell the table of ``destutter compare`` and that of the blocks; the verdict in a word."""
    files = []
    for arm in arms:
        files.append(Path(arm.name, "victim.csv"))  # a log is named after its game
        files[-1].parent.mkdir()
        files[-1].write_text("".join(f"{row}\n" for row in arm.rows))
    for line in run("destutter", "compare", *map(str, files)).splitlines():
        say(f"# {line}")
    for line in table(arms):
        say(f"# {line}")
    told = json.loads(run("destutter", "compare", "--json", *map(str, files)))
    return str(told["verdict"])


def table(arms: tuple[Arm, Arm]) -> Iterator[str]:
    """Median and highest block of every figure under both settings."""
    columns = [f"{arm.name} {what}" for arm in arms for what in ("median", "highest")]
    yield f"{'per block':<28}" + "".join(f"{column:>18}" for column in columns)
    for name in arms[0].blocks[0]:
        cells = []
        for arm in arms:
            values = [block[name] for block in arm.blocks]
            cells += [f"{statistics.median(values):.1f}", f"{max(values):.1f}"]
        yield f"{name:<28}" + "".join(f"{cell:>18}" for cell in cells)
