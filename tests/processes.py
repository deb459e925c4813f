"""Processes of this host: how a server is started, awaited, observed, stopped and killed."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

T = TypeVar("T")
ROOT: Final = Path(__file__).parents[1]
TIMEOUT_SECONDS: Final = 60
"""A deadline for a machine that has much else to do: servers have to start and end by it."""
_CPU_CLOCK: Final = 2
"""The clock of another process in nanoseconds, ended threads included, as in clock_getcpuclockid(3)."""
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_MOST_FILES: Final = 65_536


class Memory(NamedTuple):
    """The bytes of a process that are in memory, and how many of them are pages of files."""

    resident: int
    shared: int


class RunningServer(NamedTuple):
    """A server that answers on a port, 0 for a Unix socket, and its main process."""

    port: int
    pid: int

    def cpu_nanoseconds(self) -> int:
        """Return the processor time, user and system, that its processes have taken so far."""
        return sum([cpu_nanoseconds(pid) for pid in process_tree(self.pid)])

    def private_bytes(self) -> int:
        """Return the memory of its processes without pages of files, as of the meters' map.

        Those the kernel takes back when it needs them, and the map grows with the callers.
        """
        return sum([each.resident - each.shared for each in map(memory, process_tree(self.pid))])


@contextmanager
def server_process(
    command: Sequence[object], log: Path, is_ready: Callable[[], object], *, core: int | None = None, **settings: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server, on one core if one is given, from when it is ready to the end of the block.

    It runs in this folder, and its output is added to the log, unless `settings`, those of Popen, say otherwise.
    """
    with log.open("ab") as output, pin_to_core(core):
        given = {"cwd": ROOT, "stdout": output, "stderr": output, "start_new_session": True, **settings}
        process = subprocess.Popen([*map(str, command)], **given)
    try:
        await_start(process, is_ready, log)
        yield process
    finally:
        stop(process)


def await_start(process: subprocess.Popen[Any], is_ready: Callable[[], T], *logs: Path) -> T:
    """Return what tells that a process is ready, once it does; raise RuntimeError with its logs where it does not."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not (found := is_ready()):
        if has_ended(process) or time.monotonic() > deadline:
            raise RuntimeError("\n".join([f"{process.args!r} did not start", *[log.read_text() for log in logs]]))
    return found


def has_ended(process: subprocess.Popen[Any]) -> bool:
    """Return whether a process ends within 20 ms; a loop that waits for a process looks no more often than that."""
    try:
        process.wait(0.02)
    except subprocess.TimeoutExpired:
        return False
    return True


def stop(process: subprocess.Popen[Any]) -> int:
    """Terminate a process and return its status; raise TimeoutExpired where it had to be killed with its children."""
    process.terminate()
    try:
        return process.wait(TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        kill_tree(process.pid)
        process.wait()
        raise


def children(pid: int) -> list[int]:
    """Return the child processes of a process; none if it has ended."""
    try:
        lists = [listed.read_text() for listed in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return []
    return [int(child) for child in " ".join(lists).split()]


def process_tree(pid: int) -> list[int]:
    """Return a process and all that descend from it."""
    return [pid, *[each for child in children(pid) for each in process_tree(child)]]


def workers(pid: int) -> list[int]:
    """Return the processes that a service has started to answer requests."""
    return [child for child in children(pid) if b"spawn_main" in command_line(child)]


def command_line(pid: int) -> bytes:
    """Return the command line of a process, its arguments ended by NUL; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def cpu_nanoseconds(pid: int) -> int:
    """Return the processor time, user and system, that a process has taken so far; 0 if it has ended."""
    try:
        return time.clock_gettime_ns(~pid << 3 | _CPU_CLOCK)
    except OSError:
        return 0


def memory(pid: int) -> Memory:
    """Return the memory that a process holds; none if it has ended."""
    try:
        _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text().split()
    except OSError:
        return Memory(0, 0)
    return Memory(int(resident) * _PAGE, int(shared) * _PAGE)


def kill_process(pid: int) -> None:
    """Kill a process, unless it has ended already."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def kill_tree(pid: int) -> None:
    """Kill a process and all that descend from it."""
    for each in process_tree(pid):
        kill_process(each)


@contextmanager
def pin_to_core(core: int | None) -> Iterator[None]:
    """Keep this thread, and the processes that it starts within the block, on one core, if it may run there."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, before & {core} or before)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def allow_open_files() -> int:
    """Let this process and its children open as many files as the system allows, at most 65,536; return how many."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    most = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most
