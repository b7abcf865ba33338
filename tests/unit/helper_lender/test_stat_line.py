# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lender tells of /proc/PID/stat."""

import os
import re
import subprocess
from contextlib import closing
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from destutter.sampling.files.process_files import parse_process_stat
from destutter_lender.files import Lender, Wanted
from destutter_lender.stat_line import without_addresses
from tests.support.bus_kit import eventually

ADDRESSES = {*range(23, 28), 32, *range(42, 50)}  # proc_pid_stat(5), counted from the state
NUMBERS = st.lists(st.integers(0, 1 << 64).map(str), min_size=49, max_size=52)


def test_l22_no_address_of_a_program_is_told():
    """L22: none of those in its maps, neither of the process nor of its thread."""
    with subprocess.Popen(["sleep", "60"]) as process, closing(Lender(os.getuid())) as lender:
        pid = process.pid
        # It rests, and has no more faults.
        eventually(lambda: ") S " in Path(f"/proc/{pid}/stat").read_text())
        real = Path(f"/proc/{pid}/stat").read_text()
        maps = Path(f"/proc/{pid}/maps").read_text()
        asked = Wanted(pid, 0, "stat"), Wanted(pid, pid, "stat")
        told = [text for _, text in lender.tell(asked)]
        process.kill()
    spans = [
        tuple(int(one, 16) for one in found)
        for found in re.findall(r"^([0-9a-f]+)-([0-9a-f]+) ", maps, re.MULTILINE)
    ]

    def addresses(line: str) -> list[int]:
        numbers = map(int, re.findall(r"[0-9]+", line.rpartition(")")[2]))
        return [one for one in numbers if any(start <= one <= end for start, end in spans)]

    assert len(addresses(real)) > 5
    assert [addresses(text) for text in told] == [[], []]
    assert parse_process_stat("", told[0].encode()) == parse_process_stat("", real.encode())


@given(st.text(max_size=15), NUMBERS)
def test_all_else_stays(name, numbers):
    """Whatever a program calls itself; newer kernels may tell more."""
    line = f"7 ({name}) S {' '.join(numbers)}\n"
    told = without_addresses(line)
    start, mark, behind = told.rpartition(") ")
    assert f"{start}{mark}".startswith(f"7 ({name}) ")
    fields = behind.split()
    assert len(fields) == len(numbers) + 1
    changed = {place for place, old in enumerate(["S", *numbers]) if fields[place] != old}
    assert {fields[place] for place in changed} <= {"0"}
    assert changed <= ADDRESSES
