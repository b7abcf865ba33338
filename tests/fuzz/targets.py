# SPDX-License-Identifier: GPL-3.0-or-later
"""What the fuzzer calls: bytes go in, and only named errors may come out.

`request`: texts of Preview, Undo and traces on a scratch tree; a preview may write nothing.
`journal`: a journal with a right checksum, as a hostile disk could hold it; recovery may write
values that the kernel would take, to settings that exist, and nothing else.
`kernel`: what a file of the kernel could contain.
"""

import hashlib
import importlib
import itertools
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from destutter_helper.api import payload, tracing
from destutter_helper.api.names import HelperError
from destutter_helper.api.tunables import BY_ID
from destutter_helper.engine import Engine, open_engine
from destutter_helper.kernel_writer import KernelWriter
from tests.support import scratch_tree, wire
from tests.support.helper_tree import ScratchTree

CHANGE_SETS = (
    wire.swappiness(10),
    '{"changes":[{"id":"vm.dirty_bytes","value":"268435456"},{"id":"thp.enabled","value":"never"}]}',
    '{"changes":[{"id":"block.scheduler","value":"none","device":"sda"}]}',
)
UNDO_REQUESTS = ("{}", '{"ids":["vm.swappiness"],"force":["vm.swappiness"],"accept":[]}')
TRACE_REQUESTS = ('{"game":true}', "[1,4194304]")
OWN_DIRECTORIES = ("var/lib/destutter", "run/")


def say_nothing(_line: str) -> None:
    """Take a line of the helper's log."""


@contextmanager
def opened(root: Path) -> Iterator[Engine]:
    """Open the engine above a scratch tree."""
    engine = open_engine(ScratchTree(str(root)), log=say_nothing)
    try:
        yield engine
    finally:
        engine.close()


def contents(root: Path) -> dict[str, str]:
    """Return the tree's files that are the kernel's."""
    found = {str(path.relative_to(root)): path for path in root.rglob("*") if path.is_file()}
    return {
        name: path.read_text(errors="replace")
        for name, path in found.items()
        if not name.startswith(OWN_DIRECTORIES)
    }


class Scratch:
    """A tree, and a journal of a running trial as seed. libFuzzer's end leaves the tree behind."""

    def __init__(self) -> None:
        """Build the tree and run one trial in it."""
        self.root = scratch_tree.build(Path(tempfile.mkdtemp(prefix="destutter-fuzz-")))
        self.journal = self.root / "var/lib/destutter/journal.json"
        with opened(self.root) as engine:
            change_set = payload.read_change_set(CHANGE_SETS[0])
            engine.begin_trial(change_set, owner_uid=1000, owner_name=":1.2", seconds=60)
        self.seed = self.journal.read_bytes().partition(b"\n")[2]
        with opened(self.root) as engine:
            engine.recover()
            engine.undo(payload.UndoRequest())
        self.before = contents(self.root)


def request_target(scratch: Scratch) -> Callable[[bytes], None]:
    """Texts of a client: read, and previewed."""

    engine = open_engine(ScratchTree(str(scratch.root)), log=say_nothing)  # until the process ends

    def fuzz(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        with suppress(HelperError):
            engine.preview(payload.read_change_set(text))
        for read in (payload.read_undo_request, tracing.decode_options, tracing.decode_pids):
            with suppress(HelperError):
                read(text)
        assert contents(scratch.root) == scratch.before

    return fuzz


def journal_target(scratch: Scratch) -> Callable[[bytes], None]:
    """Journals with a right checksum: recovered, shown, set as at a start, undone."""

    def fuzz(data: bytes) -> None:
        for name, text in scratch.before.items():
            (scratch.root / name).write_text(text)
        scratch.journal.write_bytes(hashlib.sha256(data).hexdigest().encode() + b"\n" + data)
        with suppress(HelperError), opened(scratch.root) as engine:
            engine.recover()
            payload.encode(engine.state())
            engine.verify()
            with suppress(HelperError):
                engine.boot()
            engine.undo(payload.UndoRequest())
        after = contents(scratch.root)
        assert after.keys() == scratch.before.keys()
        known = {tunable.path.lstrip("/") for tunable in BY_ID.values()}
        changed = {name for name, text in after.items() if text != scratch.before[name]}
        assert changed <= known, changed
        check_values(scratch.root)

    return fuzz


def check_values(root: Path) -> None:
    """Assert that every number in the tree is one that the kernel takes."""
    for tunable in BY_ID.values():
        path = root / tunable.path.lstrip("/")
        if tunable.kind == "int" and not tunable.device_kind and path.is_file():
            value = int(path.read_text())
            assert tunable.low <= value <= tunable.high or (tunable.twin and value == 0)


def kernel_target(scratch: Scratch) -> Callable[[bytes], None]:
    """Contents of a kernel file: a value, nothing, or a named error."""
    tree = ScratchTree(str(scratch.root))
    writer = KernelWriter(tree, {})
    tunables = itertools.cycle(
        (BY_ID["vm.swappiness"], BY_ID["thp.enabled"], BY_ID["vm.dirty_ratio"])
    )

    def fuzz(data: bytes) -> None:
        tunable = next(tunables)
        (scratch.root / tunable.path.lstrip("/")).write_bytes(data)
        with suppress(HelperError):
            value = writer.value(tunable)
            assert value is None or isinstance(value, str)

    return fuzz


TARGETS = {"request": request_target, "journal": journal_target, "kernel": kernel_target}


def seeds(name: str, scratch: Scratch) -> list[bytes]:
    """Return valid inputs, from which the fuzzer departs."""
    if name == "request":
        return [text.encode() for text in CHANGE_SETS + UNDO_REQUESTS + TRACE_REQUESTS]
    if name == "journal":
        document = json.loads(scratch.seed)
        return [scratch.seed, json.dumps(document | {"phase": "restoring"}).encode()]
    return [b"60\n", b"always [madvise] never\n", b"0\n"]


def main() -> None:
    """Fuzz the target named first; the rest is for libFuzzer, the corpus directory last."""
    atheris: Any = importlib.import_module("atheris")  # only this process needs it
    name, corpus = sys.argv[1], Path(sys.argv[-1])
    scratch = Scratch()
    if corpus.is_dir():
        for number, seed in enumerate(seeds(name, scratch)):
            (corpus / f"seed{number}").write_bytes(seed)
    atheris.instrument_all()
    atheris.Setup([sys.argv[0], *sys.argv[2:]], TARGETS[name](scratch))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
