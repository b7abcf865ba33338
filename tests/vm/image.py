# SPDX-License-Identifier: GPL-3.0-or-later
"""The guest's disk image: a release of Debian, a desktop user, and the job of a boot.

debootstrap makes it from the mirror that this computer's own apt uses, so no mirror is named
here. It is cached below ``.cache/vm`` under a hash of everything that decides its content.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.vm.releases import BOOKWORM, Release

HERE = Path(__file__).parent
CACHE = HERE.parents[1] / ".cache" / "vm"
FILES = HERE / "image_files"

REACH_TIMEOUT_S = 30
PLAYER, SIBLING = "player", "sibling"
PASSWORD = "let me play"  # noqa: S105 (of a user in a guest without a network)
TOOLS = ("debootstrap", "mkfs.ext4", "qemu-img", "qemu-system-x86_64", "unshare", "setpriv")
DISK_SIZE = "4G"
SLOW_UNITS = (
    *("apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer"),
    *("fstrim.timer", "man-db.timer", "e2scrub_reap.service", "systemd-timesyncd.service"),
    *("getty-static.service", "serial-getty@ttyS0.service"),
)
"""What a guest of minutes need not start: under emulation every one costs time."""
DEAD_WEIGHT = ("usr/share/doc", "usr/share/locale", "usr/share/man", "var/lib/apt/lists")

APT = "apt-get -q -y -o Dpkg::Use-Pty=0"
INSTALL = f"{APT} --no-install-recommends install"
# The bus of every guest is dbus-daemon, unless its layout says otherwise.
PACKAGES_SCRIPT = f"""
set -eu
mount -t proc proc "$1/proc"
mount --bind "$2" "$1/var/cache/apt/archives"
exec chroot "$1" sh -eu -c '
{APT} update
{INSTALL} $0
[ -z "$1" ] || {INSTALL} -t "$1" linux-image-amd64 || echo "no kernel from $1"
useradd --create-home --shell /bin/bash --groups sudo {PLAYER}
echo "{PLAYER}:{PASSWORD}" | chpasswd
useradd --create-home --shell /bin/bash {SIBLING}
chown -R {PLAYER}: /home/{PLAYER}
chown -R {SIBLING}: /home/{SIBLING}
systemctl enable guest-job.service getty@tty2.service
systemctl disable ssh.service
systemctl disable dbus-broker.service || true
systemctl mask {" ".join(SLOW_UNITS)}
' "$3" "$4"
"""


class ImageError(Exception):
    """The image cannot be made; the text says why and where the log is."""


@dataclass(frozen=True)
class Image:
    """A built image: its folder, and the release of each kernel in it, oldest first."""

    folder: Path
    kernels: tuple[str, ...]

    @property
    def root_disk(self) -> Path:
        """The ext4 file system of the guest's root, never written after it was made."""
        return self.folder / "root.img"

    def kernel_release(self, wanted: str) -> str:
        """The first release that begins with ``wanted``; raises ``ImageError`` without one."""
        for release in self.kernels:
            if release.startswith(wanted):
                return release
        raise ImageError(f"no kernel {wanted} in the guest, only {', '.join(self.kernels)}")


def ensure_image(release: Release = BOOKWORM) -> Image:
    """The cached image, built first when its inputs have changed (minutes, and as root)."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        raise ImageError(f"the guest needs these programs: {', '.join(missing)}")
    CACHE.mkdir(parents=True, exist_ok=True)
    folder = CACHE / f"image-{release.suite}-{inputs_key(release)}"
    with _locked(CACHE / "lock"):
        if not folder.exists():
            _build(folder, release)
    releases = [path.name.removeprefix("vmlinuz-") for path in folder.glob("vmlinuz-*")]
    return Image(folder, tuple(sorted(releases, key=_version)))


def inputs_key(release: Release) -> str:
    """A hash of this file, of the release and of the files that go into the image."""
    digest = hashlib.sha256(Path(__file__).read_bytes() + repr(release).encode())
    for path in sorted(FILES.rglob("*")):
        if path.is_file():
            digest.update(str(path.relative_to(FILES)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def own_mirror(environ: Mapping[str, str]) -> str:
    """Where this computer's apt gets Debian from; DESTUTTER_DEBIAN_MIRROR names another."""
    if given := environ.get("DESTUTTER_DEBIAN_MIRROR"):
        return given
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)"]
    wanted = ["Created-By: Packages", "Origin: Debian"]
    if shutil.which("apt-get"):
        answer = subprocess.run([*command, *wanted], capture_output=True, text=True, check=True)
        if lines := answer.stdout.split():
            return lines[0].rstrip("/")
    raise ImageError("apt knows no Debian mirror here; name one in DESTUTTER_DEBIAN_MIRROR")


def check_reachable(mirror: str, suite: str) -> None:
    """Raise ``ImageError`` with one line when the mirror does not answer."""
    place = f"{mirror}/dists/{suite}/Release"
    try:
        with urllib.request.urlopen(place, timeout=REACH_TIMEOUT_S) as answer:  # noqa: S310
            answer.read(1)
    except (OSError, ValueError) as error:
        raise ImageError(f"the Debian mirror {mirror} cannot be reached: {error}") from error


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _build(folder: Path, release: Release) -> None:
    """Make the image beside its final place and move it there when it is whole."""
    if os.geteuid() != 0:
        raise ImageError("the guest's image is made by debootstrap, which needs root")
    work = CACHE / "building"
    shutil.rmtree(work, ignore_errors=True)
    (work / "image").mkdir(parents=True)
    debs = CACHE / "debs"
    debs.mkdir(exist_ok=True)
    root = work / "root"
    with (CACHE / "build.log").open("w") as log:
        _debootstrap(root, debs, release, log.fileno())
        script: list[str | Path] = ["unshare", "--mount", "sh", "-c", PACKAGES_SCRIPT, "sh"]
        wanted = [" ".join(release.packages), release.newer_kernels]
        _run([*script, root, debs, *wanted], log.fileno())
        _strip(root)
        _take_kernels(root, work / "image")
        disk = work / "image" / "root.img"
        _run(["mkfs.ext4", "-q", "-d", root, disk, DISK_SIZE], log.fileno())
    for old in CACHE.glob(f"image-{release.suite}-*"):
        shutil.rmtree(old)
    (work / "image").rename(folder)
    shutil.rmtree(work)


def _debootstrap(root: Path, debs: Path, release: Release, log: int) -> None:
    mirror = own_mirror(os.environ)
    check_reachable(mirror, release.suite)
    options = ["--variant=minbase", f"--cache-dir={debs.resolve()}"]
    _run(["debootstrap", *options, release.suite, root, mirror], log)
    shutil.copytree(FILES, root, dirs_exist_ok=True)
    suites = [suite for suite in (release.suite, release.newer_kernels) if suite]
    sources = "".join(f"deb {mirror} {suite} main\n" for suite in suites)
    (root / "etc/apt/sources.list").write_text(sources)


def _strip(root: Path) -> None:
    """Take away what came from this computer, and what only costs space."""
    for name in DEAD_WEIGHT:
        shutil.rmtree(root / name, ignore_errors=True)
    for name in ("etc/apt/sources.list", "etc/resolv.conf", "etc/machine-id"):
        (root / name).write_text("")
    (root / "etc/dpkg/dpkg.cfg.d/guest").write_text("force-unsafe-io\n")
    (root / "etc/hostname").write_text("guest\n")
    (root / "etc/fstab").write_text("/dev/vda / ext4 defaults 0 1\n")


def _take_kernels(root: Path, image: Path) -> None:
    for kernel in (root / "boot").glob("vmlinuz-*"):
        initrd = kernel.with_name(kernel.name.replace("vmlinuz-", "initrd.img-"))
        shutil.copy(kernel, image / kernel.name)
        shutil.copy(initrd, image / initrd.name)


def _run(command: list[str | Path], log: int) -> None:
    """Run a step of the build; its output goes to the log."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False)
    if done.returncode != 0:
        raise ImageError(f"{command[0]} failed; see {CACHE / 'build.log'}")


def _version(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.split("+")[0].split("-")[0].split("."))
