# SPDX-License-Identifier: GPL-3.0-or-later
"""What the process has given away it cannot take back; each test confines a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

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
