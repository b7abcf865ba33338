# SPDX-License-Identifier: GPL-3.0-or-later
"""Longer fuzzing of what a stranger can send to the helper or plant on its disk: `make fuzz`.

    make fuzz                          every target for a minute each
    make fuzz ARGS="journal 3600"      one target for an hour
    sudo make fuzz ARGS="interleavings 3600"    strangers, kills and bad disks in any order
    sudo make fuzz ARGS="interleavings 3600 --kernel"    the same on the real settings

Needs atheris, which no other command needs; `make fuzz` installs it. A finding is
written to .cache/fuzz/ and is given to the target as an argument to run it alone.
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.fuzz import interleavings
from tests.fuzz.targets import TARGETS

CHECKOUT = Path(__file__).resolve().parents[2]
FINDINGS = CHECKOUT / ".cache/fuzz"
SECONDS = 60
INTERLEAVINGS = "interleavings"
MISSING = """atheris is missing, the fuzzer that this needs:
    .venv/bin/python -m pip install atheris
(Linux on x86-64; it brings its own libFuzzer.)"""


def run(name: str, seconds: int) -> bool:
    """Fuzz one target in a process of its own; libFuzzer ends that process without its ado.

    Its trees lie in a folder of this process therefore, in memory where there is such a place.
    """
    corpus = FINDINGS / "corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tests.fuzz.targets", name, f"-max_total_time={seconds}"]
    command += [f"-artifact_prefix={FINDINGS}/{name}-", "-print_final_stats=1", "-verbosity=0"]
    command += ["-max_len=20000", str(corpus)]
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="destutter-fuzz-", dir=memory) as place:
        environment = os.environ | {"TMPDIR": place}
        done = subprocess.run(command, cwd=CHECKOUT, env=environment, check=False)
    print(f"{name}: {'nothing found' if done.returncode == 0 else 'FOUND, see ' + str(FINDINGS)}")
    return done.returncode == 0


def main(arguments: list[str]) -> int:
    """Run the targets; 1 when one found something or atheris is missing."""
    if arguments[:1] == [INTERLEAVINGS]:
        return interleavings.main(arguments[1:])
    numbers = [word for word in arguments if word.isdecimal()]
    chosen = [word for word in arguments if not word.isdecimal()] or sorted(TARGETS)
    unknown = set(chosen) - set(TARGETS)
    if unknown or len(numbers) > 1:
        print(f"usage: make fuzz ARGS='[{'|'.join(sorted(TARGETS))}] [SECONDS]'", file=sys.stderr)
        return 2
    if importlib.util.find_spec("atheris") is None:
        print(MISSING, file=sys.stderr)
        return 1
    seconds = int(numbers[0]) if numbers else SECONDS
    outcomes = [run(name, seconds) for name in chosen]
    return int(not all(outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
