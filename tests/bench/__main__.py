# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the benchmarks and prints one table: `make bench`, or `make bench ARGS="sampler"`.

A benchmark is a file bench_NAME.py here with a function `run() -> list[Row]`. Each runs in a
process of its own: memory and imports of one must not be those of the next. A goal that is not
met is said, and is no error; a benchmark that fails is one.
"""

import argparse
import dataclasses
import importlib
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

from tests.bench.row import Row

FOLDER = Path(__file__).parent
TIMEOUT_S = 600
LONG = {"soak": 3600, "appimage": 600}
"""Benchmarks that run only when they are named, with the seconds that they may take."""
HEADINGS = ("benchmark", "value", "compared with", "ratio", "goal", "met")


def names() -> list[str]:
    """Return the names of all benchmarks, sorted."""
    return sorted(path.stem.removeprefix("bench_") for path in FOLDER.glob("bench_*.py"))


def run_here(name: str) -> None:
    """Run one benchmark in this process; its rows go to stdout as JSON, its own prints do not."""
    results = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    rows: list[Row] = importlib.import_module(f"tests.bench.bench_{name}").run()
    with results:
        json.dump([dataclasses.asdict(row) for row in rows], results)


def run_apart(name: str) -> list[Row] | None:
    """Run one benchmark in a process of its own; None when it failed."""
    command = [sys.executable, "-m", "tests.bench", "--here", name]
    limit_s = LONG.get(name, TIMEOUT_S)
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=limit_s)
        return [Row(**fields) for fields in json.loads(done.stdout)]
    except (subprocess.SubprocessError, ValueError) as error:
        print(f"bench_{name} failed: {error}", file=sys.stderr)
        return None


def cells(row: Row) -> tuple[str, ...]:
    """Return a row as texts, in the order of HEADINGS."""
    met = {True: "yes", False: "NO", None: ""}[row.is_met]
    ratio = "" if row.ratio is None else f"{row.ratio:.3g}"
    return (row.name, f"{row.value:.4g} {row.unit}".strip(), row.reference, ratio, row.goal, met)


def table(rows: list[Row]) -> str:
    """Return the rows as a table of text with aligned columns."""
    lines = [HEADINGS, *(cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    rule = tuple("-" * width for width in widths)
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in [HEADINGS, rule, *lines[1:]]
    )


def computer() -> str:
    """Say where this was measured, since numbers travel."""
    return (
        f"{os.cpu_count()} CPUs, {platform.machine()}, Linux {platform.release()}, "
        f"Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}"
    )


def main() -> int:
    """Run the benchmarks that are asked for; returns 1 when one of them failed."""
    parser = argparse.ArgumentParser(prog="make bench", description="Measure, and compare.")
    parser.add_argument(
        "names", nargs="*", help="benchmarks to run; without a name all but the long ones"
    )
    parser.add_argument("--here", metavar="NAME", help=argparse.SUPPRESS)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows to a file too")
    options = parser.parse_args()
    if options.here:
        run_here(options.here)
        return 0
    unknown = sorted(set(options.names) - set(names()))
    if unknown:
        parser.error(f"no such benchmark: {', '.join(unknown)}; there are: {', '.join(names())}")
    where = computer()
    results = []
    for name in options.names or [each for each in names() if each not in LONG]:
        print(f"measuring {name} ...", file=sys.stderr)
        results.append(run_apart(name))
    rows = [row for result in results if result is not None for row in result]
    print(f"{where}\n\n{table(rows)}")
    if options.json:
        options.json.write_text(json.dumps([dataclasses.asdict(row) for row in rows], indent=1))
    return 1 if None in results else 0


if __name__ == "__main__":
    sys.exit(main())
