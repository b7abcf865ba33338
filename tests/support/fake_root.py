# SPDX-License-Identifier: GPL-3.0-or-later
"""Small trees of kernel files for the tests of the samplers, and damaged copies of larger ones."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from destutter.core.kernel_files import KernelFiles


class FakeRoot:
    """A tree below a folder; paths are those of the kernel, such as "/proc/vmstat"."""

    def __init__(self, folder: Path, files: Mapping[str, str | bytes] | None = None) -> None:
        self.folder = folder
        (folder / "proc").mkdir(parents=True, exist_ok=True)
        self.files = KernelFiles(folder)
        for path, content in (files or {}).items():
            self.put(path, content)

    def put(self, path: str, content: str | bytes | int) -> None:
        """Write a file in place, so that a descriptor that is held open sees the new content."""
        target = self.folder / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else f"{content}".encode()
        with target.open("r+b" if target.exists() else "wb") as file:
            file.truncate()
            file.write(data)

    def remove(self, path: str) -> None:
        """Take away a file or a folder with all in it."""
        target = self.folder / path.lstrip("/")
        if target.is_dir():
            for child in sorted(target.rglob("*"), reverse=True):
                child.rmdir() if child.is_dir() else child.unlink()
            target.rmdir()
        else:
            target.unlink()

    def put_process(self, pid: int, name: str, **fields: int | str) -> None:
        """A process with its line "stat"; ``fields`` as in ``process_stat``."""
        self.put(f"/proc/{pid}/stat", process_stat(pid, name, **fields))

    def put_thread(self, pid: int, tid: int, name: str, run_ns: int = 0) -> None:
        """A thread with "stat" and "schedstat"."""
        base = f"/proc/{pid}/task/{tid}"
        self.put(f"{base}/stat", process_stat(tid, name))
        self.put(f"{base}/schedstat", f"{run_ns} 20 3\n")


class OverlaidFiles(KernelFiles):
    """Another tree in which some files are replaced (bytes) or missing (None)."""

    def __init__(self, below: KernelFiles, folder: Path, changes: Mapping[str, bytes | None]):
        super().__init__(below.root)
        self._places = {}
        for number, (path, content) in enumerate(changes.items()):
            place = folder / str(number)
            if content is None:
                place.unlink(missing_ok=True)
            else:
                place.write_bytes(content)
            self._places[path] = str(place)

    def locate(self, path: str) -> str:
        """The place of the replacement, or of the file in the other tree."""
        return self._places.get(path) or super().locate(path)


class WatchedFiles(KernelFiles):
    """A tree that remembers which paths were asked for."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self.asked: dict[str, None] = {}

    def locate(self, path: str) -> str:
        """The place of a file, remembered."""
        self.asked[path] = None
        return super().locate(path)


# Fields of proc_pid_stat(5) behind the name, with what an idle process has there.
_STAT_FIELDS = """
state ppid pgrp session tty tpgid flags minflt cminflt majflt cmajflt utime stime cutime cstime
priority nice threads itrealvalue starttime vsize rss rsslim startcode endcode startstack kstkesp
kstkeip signal blocked sigignore sigcatch wchan nswap cnswap exit_signal processor rt_priority
policy blkio guest cguest start_data end_data start_brk arg_start arg_end env_start env_end exit
""".split()


def process_stat(pid: int, name: str, **fields: int | str) -> str:
    """A line of /proc/PID/stat."""
    values: dict[str, int | str] = dict.fromkeys(_STAT_FIELDS, 0)
    values |= {"state": "S", "ppid": 1, "threads": 1, "rss": 100, "priority": 20}
    assert fields.keys() <= values.keys(), fields.keys() - values.keys()
    values |= fields
    return f"{pid} ({name}) {' '.join(str(values[field]) for field in _STAT_FIELDS)}\n"


def proc_stat(cpus: Iterable[str] = ("cpu0", "cpu1"), interrupts: int = 5000) -> str:
    """A file /proc/stat in which each CPU has used 1, 2, 3, ... ticks of each kind."""
    times = "1 2 3 400 5 6 7 8 9 10"
    lines = [f"cpu  {times}", *(f"{cpu} {times}" for cpu in cpus)]
    lines += [f"intr {interrupts} 0 0 7 0", "ctxt 900", "btime 1700000000", "processes 70"]
    lines += ["procs_running 2", "procs_blocked 1", "softirq 44 1 2 3 4 5 6 7 8 9 10"]
    return "\n".join(lines) + "\n"


def diskstats_row(name: str, numbers: Iterable[int], major: int = 259) -> str:
    """A row of /proc/diskstats with as many numbers as the kernel's age has."""
    return f" {major:3} 0 {name} {' '.join(map(str, numbers))}\n"


def interrupts_table(cpus: Iterable[str], rows: Iterable[str]) -> str:
    """A file /proc/interrupts."""
    return "           " + "       ".join(cpus) + "\n" + "".join(f"{row}\n" for row in rows)


def zone_text(node: int, name: str, managed: int = 1000, *, boost: bool = True) -> str:
    """One zone of /proc/zoneinfo, with or without the lines that came with Linux 6."""
    extra = "        boost    11\n" if boost else ""
    promo = "        promo    80\n" if boost else ""
    return (
        f"Node {node}, zone {name:>8}\n"
        f"  pages free     500\n{extra}        min      50\n        low      60\n"
        f"        high     70\n{promo}        spanned  4095\n        present  3998\n"
        f"        managed  {managed}\n        cma      0\n"
        "        protection: (0, 3017, 5065, 5065, 5065)\n"
        "      nr_free_pages 500\n  pagesets\n    cpu: 0\n              count:    7\n"
        "              high:     14\n              batch:    1\n"
    )
