# SPDX-License-Identifier: GPL-3.0-or-later
"""The helper's grants on the running kernel, in a process of their own, as confined as the helper.

It has mounts of its own, so that a tracefs is there for it and for nobody else, whoever mounts or
unmounts it beside. It is steered by JSON over one socket, which also carries descriptors.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from destutter_helper.api.call_path import Sleep
from destutter_helper.api.names import HelperError
from destutter_helper.api.tracing import Formats, TraceOptions, decode_formats
from destutter_helper.confine import confine
from destutter_helper.kernel_tree import KernelTree
from destutter_helper.log import Log
from destutter_helper.trace_grants import Grants
from destutter_helper.trace_instances import Instances

ROOT = Path(__file__).resolve().parents[2]
PLACE = "/sys/kernel/tracing"
MOUNTED = f"mount -t tracefs tracefs {PLACE}"
READ_ONLY = f"{MOUNTED} && mount -o remount,bind,ro {PLACE}"
ABSENT = f"mount -t tmpfs tmpfs {PLACE}"
SECURITY = "/sys/kernel/security"
# As Linux 6.12 shows itself with lockdown=confidentiality: an empty directory, and why.
LOCKED = (
    f"mount -t tmpfs tmpfs {PLACE} && mount -t tmpfs tmpfs {SECURITY}"
    f" && echo 'none integrity [confidentiality]' > {SECURITY}/lockdown"
)
OWNER = ":1.1"
MOST = 1 << 20


class TraceLender:
    """The process, as a test has it."""

    def __init__(self, mounts: str = MOUNTED) -> None:
        """Start it behind these mounts."""
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(30)
        self._lent: set[int] = set()
        script = f'{mounts} && exec "$0" -m tests.support.trace_lender "$1"'
        command = ["unshare", "--mount", "--propagation", "private", "sh", "-ec", script]
        with theirs:
            self.process = subprocess.Popen(
                [*command, sys.executable, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env={"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT}:{ROOT}/helper"},
                cwd=ROOT,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let it end its grants, and wait for it.

        What a failed test still holds is closed first: an instance with an open ring stays, and
        every later test would fail beside it.
        """
        self.close(*self._lent)
        self._socket.close()
        self.process.wait(30)

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.wait()

    def close(self, *descriptors: int) -> None:
        """Give these back."""
        for descriptor in descriptors:
            self._lent.remove(descriptor)
            os.close(descriptor)

    def ask(self, op: str, **fields: Any) -> Any:
        """Its answer; HelperError's name and text as {"error": ..., "text": ...}."""
        answer, descriptors = self._exchange(op, fields)
        assert not descriptors
        return answer

    def begin(self, uid: int, *, game: bool, expert: bool = False) -> tuple[str, Formats, int]:
        """A new grant: its id, its formats, and hold."""
        wanted = {"uid": uid, "game": game, "expert": expert}
        answer, (hold,) = self._exchange("begin", wanted)
        return answer["id"], decode_formats(answer["formats"]), hold

    def rings(self, id_: str, first: int = 0) -> list[int]:
        """The descriptors of a portion."""
        return self._exchange("rings", {"id": id_, "first": first})[1]

    def _exchange(self, op: str, fields: dict[str, Any]) -> tuple[Any, list[int]]:
        self._socket.send(json.dumps({"op": op, **fields}).encode())
        data, descriptors, _flags, _address = socket.recv_fds(self._socket, MOST, 32)
        self._lent.update(descriptors)
        assert data, "the lender ended"
        return json.loads(data), list(descriptors)


class _Lender:
    """The process itself."""

    def __init__(self, opened: contextlib.ExitStack) -> None:
        self._opened = opened
        self._tree = KernelTree("/")
        self._grants: Grants | None = None

    @property
    def grants(self) -> Grants:
        """Made at first use: it clears what is left, and a test may want to look before."""
        if self._grants is None:
            self._grants = self._opened.enter_context(
                contextlib.closing(Grants(self._tree, Log()))
            )
        return self._grants

    def obey(self, request: dict[str, Any]) -> tuple[Any, list[int]]:
        """Do one request; the answer and descriptors, which are closed when they are sent."""
        op = request["op"]
        if op == "begin":
            options = TraceOptions(game=request["game"], expert=request.get("expert", False))
            id_, formats, hold = self.grants.begin(request["uid"], OWNER, options)
            return {"id": id_, "formats": formats}, [hold]
        if op == "rings":
            return {}, self.grants.open_rings(request["id"], OWNER, request["first"])
        if "path" in request:
            return self._at(Path(PLACE, request["path"]), op, request), []
        return self._granted(op, request), []

    def _granted(self, op: str, request: dict[str, Any]) -> Any:
        """What the owner of a grant may ask, and what the helper does by itself."""
        if op == "tasks":
            self.grants.set_tasks(request["id"], OWNER, request["pids"])
        elif op == "functions":
            sleep = Sleep(request["thread"], request["begin_ns"])
            return list(self.grants.call_path(request["id"], OWNER, sleep).functions)
        elif op == "end":
            self.grants.end(request["id"], OWNER)
        elif op == "look":
            self.grants.look()
        elif op == "make":
            Instances(self._tree, Log()).make(request["id"], request["kind"])
        else:
            raise ValueError(op)
        return {}

    def _at(self, path: Path, op: str, request: dict[str, Any]) -> Any:
        """What root does in tracefs beside the helper."""
        if op == "read":
            return path.read_text()
        if op == "names":
            return sorted(os.listdir(path))
        acts: dict[str, Callable[[], object]] = {
            "set": lambda: path.write_text(request["text"]),
            "mkdir": path.mkdir,
            "rmdir": path.rmdir,
        }
        acts[op]()
        return {}


def main() -> None:
    """Serve until the other side closes: SOCKET_FD."""
    with contextlib.ExitStack() as opened:
        control = opened.enter_context(socket.socket(fileno=int(sys.argv[1])))
        confine()
        lender = _Lender(opened)
        while data := control.recv(MOST):
            try:
                answer, descriptors = lender.obey(json.loads(data))
            except HelperError as error:
                answer, descriptors = {"error": error.name, "text": str(error)}, []
            socket.send_fds(control, [json.dumps(answer).encode()], descriptors)
            for descriptor in descriptors:
                os.close(descriptor)


if __name__ == "__main__":
    main()
