# SPDX-License-Identifier: GPL-3.0-or-later
"""The runner of the benchmarks; what it runs is measured by `make bench`, not here."""

import ast

from tests.bench.__main__ import FOLDER, table
from tests.bench.row import Row


def test_table_says_what_was_missed():
    """The table has one aligned line for each row, and a missed goal stands out."""
    rows = [
        Row("tick of the sampler", 0.512, "ms", "psutil loop, 4.1 ms", 0.125, "<= 0.25", True),
        Row("size", 12.0, "MB/h", "", None, "<= 10 MB/h", False),
    ]
    lines = table(rows).splitlines()
    assert len(lines) == 4
    assert lines[2].endswith("0.125  <= 0.25     yes")
    assert lines[3].endswith("NO")


def test_every_benchmark_can_be_run():
    """Each bench_*.py has a function run()."""
    for path in sorted(FOLDER.glob("bench_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert "run" in names, path.name
