"""File systems and privileges of a single thread: they end with it, so that even a killed test leaves nothing."""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
_LIBC = ctypes.CDLL(None, use_errno=True)
_CLONE_NEWNS, _CLONE_NEWNET = 0x0002_0000, 0x4000_0000
_MS_RDONLY, _MS_REMOUNT, _MS_REC, _MS_PRIVATE = 1, 32, 0x4000, 1 << 18
_CAPABILITY_VERSION_3 = 0x2008_0522


def in_own_namespaces(does: Callable[[], T]) -> T:
    """Return the result of a function, run in a thread of its own that has ended by then."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(does).result()


def mount_small_disk(folder: Path, size: str) -> None:
    """Mount a file system of this size for this thread alone."""
    _check(_LIBC.unshare(_CLONE_NEWNS))
    _mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)
    folder.mkdir(exist_ok=True)
    _mount(b"tmpfs", bytes(folder), b"tmpfs", 0, f"size={size},mode=700".encode())


def forbid_writing(folder: Path) -> None:
    _mount(b"tmpfs", bytes(folder), b"tmpfs", _MS_REMOUNT | _MS_RDONLY, None)


def allow_writing(folder: Path) -> None:
    _mount(b"tmpfs", bytes(folder), b"tmpfs", _MS_REMOUNT, None)


def drop_privilege() -> None:
    """Make root an ordinary user in this thread, bound by the permissions of its own files."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    _check(_LIBC.capset(header, (ctypes.c_uint32 * 6)()))


def fill(folder: Path) -> Path:
    """Fill the rest of a disk with a file, and return the file."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (65_536, 4_096, 1):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                continue
    return filler


class Network:
    """A network namespace that exists as long as this object, with an executor inside it."""

    def __init__(self) -> None:
        self._holder = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "unshare", "--net", "sh", "-c", "ip link set lo up && echo && exec cat"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._holder.stdout is not None
        assert self._holder.stdout.readline() == b"\n"
        self.pid = self._holder.pid
        self.inside = ("nsenter", f"--net=/proc/{self.pid}/ns/net")
        self.threads = ThreadPoolExecutor(32, initializer=self._enter)

    def _enter(self) -> None:
        handle = os.open(f"/proc/{self.pid}/ns/net", os.O_RDONLY)
        _check(_LIBC.setns(handle, _CLONE_NEWNET))
        os.close(handle)

    def ip(self, *words: str) -> None:
        subprocess.run([*self.inside, "ip", *words], check=True)

    def join(self, other: Network, mine: str, address: str, theirs: str, their_address: str) -> None:
        """Connect this namespace with another by a virtual cable."""
        self.ip("link", "add", mine, "type", "veth", "peer", "name", theirs, "netns", str(other.pid))
        for network, name, at in ((self, mine, address), (other, theirs, their_address)):
            network.ip("addr", "add", f"{at}/30", "dev", name)
            network.ip("link", "set", name, "up")

    def end(self) -> None:
        self.threads.shutdown()
        self._holder.kill()
        self._holder.communicate()


def _mount(source: bytes, target: bytes, kind: bytes | None, flags: int, data: bytes | None) -> None:
    _check(_LIBC.mount(source, target, kind, ctypes.c_ulong(flags), data))


def _check(result: Any) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
