# SPDX-License-Identifier: GPL-3.0-or-later
"""What the process has given away it cannot take back; each test confines a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from destutter_helper.confine import exec_numbers

WIDE, LITTLE_ENDIAN_64 = 0x80000000, 0xC0000000  # linux/audit.h
CHECKOUT = Path(__file__).resolve().parents[3]

CONFINED = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
from destutter_helper.confine import confine
confine()
status = dict(line.split(":", 1) for line in open("/proc/self/status").read().splitlines())
found = {name: status[name].strip() for name in ("NoNewPrivs", "Seccomp", "CapEff", "CapBnd")}
for attempt in (lambda: os.execv("/bin/true", ["true"]), lambda: os.system("/bin/true")):
    try:
        found.setdefault("outcomes", []).append(attempt())
    except OSError as error:
        found.setdefault("outcomes", []).append(error.strerror)
print(json.dumps(found))
"""


def confined():
    command = [sys.executable, "-c", CONFINED, str(CHECKOUT / "helper")]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def test_a07_no_program_can_be_started():
    """execve is refused by the kernel; a child of fork cannot run a shell either."""
    refused, status = confined()["outcomes"]
    assert refused == "Operation not permitted"
    assert status != 0


def test_rights_are_given_away_for_good():
    """No new privileges, a system call filter, and at most CAP_SYS_NICE of all capabilities."""
    found = confined()
    assert (found["NoNewPrivs"], found["Seccomp"]) == ("1", "2")
    assert int(found["CapEff"], 16) in (0, 1 << 23)


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_f41_a_program_of_32_bits_is_filtered_by_its_own_numbers(machine):
    """On a kernel of 64 bits it has another architecture, which is not refused everything."""
    wide, narrow = exec_numbers(machine, 8), exec_numbers(machine, 4)
    assert wide is not None
    assert narrow is not None
    assert wide[0] & LITTLE_ENDIAN_64 == LITTLE_ENDIAN_64
    assert narrow[0] & LITTLE_ENDIAN_64 == LITTLE_ENDIAN_64 & ~WIDE
    assert narrow[1] == 11


def test_f41_an_unknown_machine_has_no_filter_rather_than_a_wrong_one():
    """What is not in the table is confined by capabilities alone."""
    assert exec_numbers("riscv64", 8) is None
