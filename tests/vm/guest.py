# SPDX-License-Identifier: GPL-3.0-or-later
"""Boot the guest, let it run one job, and bring back what the job said and made.

The job is a set of files with a program named ``run`` among them, which the guest runs as root
once it is up. Its output is the second serial port; what it leaves in ``out/`` comes back. The
guest is emulated (no KVM), so that it runs wherever QEMU runs, and it has no network.
"""

import io
import json
import shlex
import socket
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from tests.vm.image import Image

EXCHANGE_BYTES = 256 << 20
RESULT_BYTES = 32 << 20
DATA_DISK_BYTES = 64 << 20
DISK_FILE = "root.qcow2"
POLL_S = 0.2
SAVE_S = 120.0
CONSOLE_TAIL = 15
REQUEST = "# host: "
"""What a job says when it wants something done to the computer from outside."""

Job = Mapping[str, bytes | Path]
"""What the guest runs: programs in full, or files and folders of this computer, by name."""

DISKS: Mapping[str, str] = {
    "nvme": "nvme,id=hotnvme,bus=bay,drive={name},serial=GUEST-NVME",
    "sleepy": "nvme,bus=bay,drive={name},serial=GUEST-SLEEPY,exit-us=95000,start-ms=100",
    "sata": "ide-hd,drive={name},bus=ide.0,serial=GUEST-SATA",
    "virtio": "virtio-blk-pci,drive={name},serial=GUEST-VIRTIO",
    "state": "virtio-blk-pci,drive={name},serial=GUEST-STATE",
}
"""The data disks that a guest may have, as QEMU devices; ``sleepy`` needs the patched one."""


def plugging_in(name: str) -> dict[str, Any]:
    """QEMU's command that plugs in a disk which was not plugged in when it started."""
    words = DISKS[name].format(name=name).split(",")
    options = dict(word.split("=", 1) for word in words[1:])
    return {"execute": "device_add", "arguments": {"driver": words[0], **options}}


class GuestError(Exception):
    """The guest did not do what a guest must; the text ends with its last console lines."""


@dataclass(frozen=True)
class Machine:
    """What is booted. ``kernel`` is the beginning of a release, memory is shared by the nodes.

    ``unplugged`` disks can be plugged in while it runs. ``per_s`` is how many requests each data
    disk serves in a second; 0 is all it can. ``qemu`` is the program that emulates it.
    A lean start is one in seconds, without systemd: the helper's boot run, then the job.
    """

    kernel: str = "6.1."
    arguments: tuple[str, ...] = ()
    cpus: int = 2
    memory_mib: int = 2048
    numa_nodes: int = 1
    disks: tuple[str, ...] = ("nvme", "sata", "virtio")
    unplugged: tuple[str, ...] = ()
    per_s: int = 0
    qemu: str = "qemu-system-x86_64"
    is_lean: bool = False


@dataclass(frozen=True)
class Result:
    """What came back: the job's lines, its files, and None as status when it never ended."""

    lines: tuple[str, ...]
    files: Mapping[str, bytes]
    exit_status: int | None


class Guest:
    """A running guest; made by ``running``, which also ends it."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path) -> None:
        self._process = process
        self._folder = folder
        self._done = 0

    def lines(self) -> tuple[str, ...]:
        """The whole lines that the job has said so far."""
        text = _text(self._folder / "lines")
        return tuple(text[: text.rfind("\n") + 1].splitlines())

    def console_tail(self) -> str:
        """The last lines of the console, for an error message."""
        return "\n".join(_text(self._folder / "console").splitlines()[-CONSOLE_TAIL:])

    def wait(self, timeout_s: float) -> Result:
        """Wait until the guest powers off, doing what it asks for meanwhile.

        Raises ``GuestError`` when the job says nothing for so long: on a busy host an emulated
        guest needs ten times as long as on an idle one, and each line shows that it goes on.
        """
        told, deadline = 0, time.monotonic() + timeout_s
        while self._process.poll() is None:
            if (count := len(self.lines())) > told:
                told, deadline = count, time.monotonic() + timeout_s
            if time.monotonic() > deadline:
                text = f"the guest said nothing for {timeout_s:.0f} s after:\n"
                raise GuestError(text + "\n".join(self.lines()[-8:]) + "\n" + self.console_tail())
            self._do_requests()
            time.sleep(POLL_S)
        if status := self._process.returncode:
            raise GuestError(f"QEMU ended with {status}:\n{_text(self._folder / 'qemu')}")
        return self.result()

    def wait_for_line(self, wanted: str, timeout_s: float) -> None:
        """Wait until the job says a line, doing what it asks for meanwhile.

        Raises ``GuestError`` when the line does not come.
        """
        deadline = time.monotonic() + timeout_s
        while wanted not in self.lines():
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise GuestError(f"the guest never said {wanted!r}:\n{self.console_tail()}")
            self._do_requests()
            time.sleep(POLL_S)

    def _do_requests(self) -> None:
        requests = [line for line in self.lines() if line.startswith(REQUEST)]
        for request in requests[self._done :]:
            ask_qemu(self._folder / "qmp", json.loads(request.removeprefix(REQUEST)))
        self._done = len(requests)

    def cut_power(self) -> None:
        """End the guest at once, as a power cut does."""
        self._process.kill()
        self._process.wait()

    def save(self, file: Path) -> None:
        """Write the guest's state, with which it stops; raises ``GuestError`` when QEMU cannot."""
        place = self._folder / "qmp"
        fast = {"max-bandwidth": 1 << 40}
        ask_qemu(place, {"execute": "migrate-set-parameters", "arguments": fast})
        target = {"uri": f"exec:cat >{shlex.quote(str(file))}"}
        ask_qemu(place, {"execute": "migrate", "arguments": target})
        deadline = time.monotonic() + SAVE_S
        while (told := ask_qemu(place, {"execute": "query-migrate"}))["status"] != "completed":
            if told["status"] == "failed" or time.monotonic() > deadline:
                raise GuestError(f"QEMU did not save the guest: {told}")
            time.sleep(POLL_S)

    def result(self) -> Result:
        """What the job has said and, when it has ended, what it left."""
        files = _read_exchange(self._folder / "exchange")
        status = files.pop("exit_status", None)
        return Result(self.lines(), files, None if status is None else int(status))


def ask_qemu(socket_file: Path, command: Mapping[str, Any]) -> Any:
    """Give QEMU one command of its machine protocol; its answer, or ``GuestError``."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(socket_file))
        with connection.makefile("rw") as stream:
            stream.readline()
            _ask(stream, {"execute": "qmp_capabilities"})
            return _ask(stream, command)


def _ask(stream: TextIO, command: Mapping[str, Any]) -> Any:
    stream.write(json.dumps(command) + "\n")
    stream.flush()
    answer = json.loads(stream.readline())
    while "event" in answer:
        answer = json.loads(stream.readline())
    if "error" in answer:
        raise GuestError(f"QEMU refused {command}: {answer['error']['desc']}")
    return answer["return"]


def boot(
    image: Image, machine: Machine, job: Job, timeout_s: float, saved: Path | None = None
) -> Result:
    """Boot a fresh guest, run the job to its end and forget the guest."""
    with (
        tempfile.TemporaryDirectory(prefix="destutter-guest-") as folder,
        running(image, machine, job, Path(folder), saved) as guest,
    ):
        return guest.wait(timeout_s)


@contextmanager
def running(
    image: Image, machine: Machine, job: Job, folder: Path, saved: Path | None = None
) -> Iterator[Guest]:
    """A guest with its disks in ``folder``; disks that are there already are booted again.

    ``saved`` is the folder with a state and its disk: this machine's, which goes on from there.
    """
    _make_disks(image, machine, folder, saved)
    _write_exchange(folder / "exchange", job)
    for name in ("lines", "console"):
        (folder / name).write_bytes(b"")
    command = command_line(image, machine, folder)
    if saved:
        command += ["-incoming", f"exec:cat {shlex.quote(str(saved / 'state'))}"]
    with (folder / "qemu").open("wb") as said:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT
        )
    try:
        yield Guest(process, folder)
    finally:
        process.kill()
        process.wait()


def command_line(image: Image, machine: Machine, folder: Path) -> list[str]:
    """QEMU's command for this machine; the guest dies with the process that started it."""
    release = image.kernel_release(machine.kernel)
    arguments = [
        "root=/dev/vda",
        "rw",
        "console=ttyS0",
        "panic=-1",
        "mitigations=off",
        # Of a busy host an emulated timer gets too few ticks for the kernel's own check of it,
        # which ends in a panic; kernels that see KVM leave it out, too.
        "no_timer_check",
        *machine.arguments,
    ]
    if machine.is_lean:
        arguments += ["quiet", "init=/usr/local/sbin/guest-start"]
    command = ["setpriv", "--pdeathsig", "KILL", machine.qemu]
    command += ["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"]
    command += ["-machine", "q35", "-accel", "tcg,thread=multi", "-cpu", "Nehalem"]
    command += ["-smp", str(machine.cpus), "-m", f"{machine.memory_mib}M"]
    command += _nodes(machine)
    command += ["-kernel", str(image.folder / f"vmlinuz-{release}")]
    command += ["-initrd", str(image.folder / f"initrd.img-{release}")]
    command += ["-append", " ".join(arguments)]
    command += ["-serial", f"file:{folder / 'console'}", "-serial", f"file:{folder / 'lines'}"]
    command += ["-device", "virtio-rng-pci", "-device", "pcie-root-port,id=bay,chassis=1"]
    command += ["-qmp", f"unix:{folder / 'qmp'},server=on,wait=off"]
    command += _drive("root", folder / DISK_FILE, "qcow2", "virtio-blk-pci,drive={name}")
    exchange = "virtio-blk-pci,drive={name},serial=exchange"
    command += _drive("exchange", folder / "exchange", "raw", exchange)
    for name in machine.disks:
        file = folder / f"{name}.img"
        command += _drive(name, file, "raw", DISKS[name], per_s=machine.per_s)
    for name in machine.unplugged:
        command += _drive(name, folder / f"{name}.img", "raw")
    return command


def _drive(name: str, file: Path, kind: str, device: str = "", *, per_s: int = 0) -> list[str]:
    file_node = f"file.driver=file,file.filename={file},discard=unmap,file.discard=unmap"
    inner = f"quick-{name}" if per_s else name
    options = ["-blockdev", f"driver={kind},node-name={inner},{file_node}"]
    if per_s:
        options += ["-object", f"throttle-group,id=limit-{name},x-iops-total={per_s}"]
        outer = f"driver=throttle,node-name={name},throttle-group=limit-{name},file={inner}"
        options += ["-blockdev", outer]
    return [*options, "-device", device.format(name=name)] if device else options


def _nodes(machine: Machine) -> list[str]:
    """Memory and processors dealt to NUMA nodes in equal parts; nothing for one node."""
    if machine.numa_nodes == 1:
        return []
    options = []
    memory_mib = machine.memory_mib // machine.numa_nodes
    cpus = machine.cpus // machine.numa_nodes
    for node in range(machine.numa_nodes):
        options += ["-object", f"memory-backend-ram,id=ram{node},size={memory_mib}M"]
        first = node * cpus
        options += ["-numa", f"node,memdev=ram{node},cpus={first}-{first + cpus - 1}"]
    return options


def _make_disks(image: Image, machine: Machine, folder: Path, saved: Path | None) -> None:
    """The root disk is an overlay on the image or a saved disk, which stay as they were made."""
    root = folder / DISK_FILE
    if not root.exists():
        backing = ["-F", "raw", "-b", str(image.root_disk)]
        if saved:
            backing = ["-F", "qcow2", "-b", str(saved / DISK_FILE)]
        create = ["qemu-img", "create", "-q", "-f", "qcow2", *backing, str(root)]
        subprocess.run(create, check=True)
    for name in (*machine.disks, *machine.unplugged):
        with (folder / f"{name}.img").open("ab") as disk:
            disk.truncate(DATA_DISK_BYTES)


def _write_exchange(file: Path, job: Job) -> None:
    with tarfile.open(file, "w") as archive:
        for name, content in job.items():
            if isinstance(content, Path):
                archive.add(content, name, filter=_without_caches)
                continue
            member = tarfile.TarInfo(name)
            member.size = len(content)
            member.mode = 0o755
            archive.addfile(member, io.BytesIO(content))
    with file.open("ab") as disk:
        disk.truncate(max(EXCHANGE_BYTES, disk.tell() + RESULT_BYTES))


def _without_caches(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return None if member.name.endswith("__pycache__") else member


def _read_exchange(file: Path) -> dict[str, bytes]:
    """The files that the job left; empty while its own archive is still on the disk."""
    files = {}
    with tarfile.open(file) as archive:
        for member in archive:
            content = archive.extractfile(member)
            if member.isfile() and content is not None:
                files[member.name.removeprefix("./")] = content.read()
    return files if "exit_status" in files else {}


def _text(file: Path) -> str:
    return file.read_text(errors="replace").replace("\r\n", "\n")
