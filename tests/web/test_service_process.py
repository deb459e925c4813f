"""Tests of the hardening of the service's processes, and of its address."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest

from ordws.errors import BadInput
from ordws.listeners import resolve_address


def run(script):
    """Return the output of a child process that runs this script after importing `harden`."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", f"from ordws.server import harden\n{script}"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_a_hardened_process_leaves_nothing_behind():
    """A hardened process must not be dumpable, and writes no core file and no stack on a fault."""
    script = (
        "import ctypes, faulthandler, resource\n"
        "print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), faulthandler.is_enabled())\n"
        "harden()\n"
        "print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), faulthandler.is_enabled())\n"
        "print(resource.getrlimit(resource.RLIMIT_CORE))"
    )
    assert run(script) == (0, "1 True\n0 False\n(0, 0)\n", "")


def test_a_debugger_is_refused():
    """A traced process must refuse to run, because its tracer would see every word that is asked."""
    status, _, said = run("import sys\nsys.settrace(lambda *_: None)\nharden()")
    assert status == 1
    assert "BadInput: the service does not run under a debugger or a tracer" in said


@pytest.mark.parametrize(
    "script",
    [
        "harden()\n{}['ZZXQV']",
        "import threading\nharden()\nt = threading.Thread(target={}.__getitem__, args=('ZZXQV',))\nt.start(); t.join()",
    ],
)
def test_an_uncaught_exception_is_logged_without_its_values(script):
    """An uncaught exception must be written by type and place, in every thread."""
    said = run(script)[2]
    assert said.startswith("ordws: error: KeyError at ")
    assert "ZZXQV" not in said
    assert "Traceback" not in said


def test_a_worker_leaves_sigint_to_the_main_process():
    """An interrupt, which a terminal sends to every process, must not reach a worker, nor a SIGHUP."""
    script = (
        "import os, signal\n"
        "from ordws.server import init_worker\n"
        "for each in (signal.SIGINT, signal.SIGHUP): signal.signal(each, signal.SIG_DFL)\n"  # as in a terminal
        "init_worker()\n"
        "for each in (signal.SIGINT, signal.SIGHUP): os.kill(os.getpid(), each)\n"
        "print('goes on', signal.SIGTERM in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    )
    assert run(script) == (0, "goes on True\n", "")


def test_a_taken_port_is_refused():
    """A port in use must be refused, because granian itself would share it."""
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BadInput, match=f'cannot listen on "127.0.0.1:{port}": Address already in use'):
            resolve_address("127.0.0.1", port)


def test_port_0_gives_a_free_port():
    """For port 0 an address must be returned that can be listened on."""
    address, port = resolve_address("127.0.0.1", 0)
    assert address == "127.0.0.1"
    assert port > 0


def test_a_host_name_is_resolved():
    """A host name must be resolved, because granian takes numeric addresses alone."""
    assert resolve_address("localhost", 0)[0] in ("127.0.0.1", "::1")


def test_an_address_of_another_host_is_refused():
    """An address of another host must be refused."""
    with pytest.raises(BadInput, match=r'cannot listen on "192\.0\.2\.1:8000": Cannot assign requested address'):
        resolve_address("192.0.2.1", 8000)


def test_a_worker_tunes_the_garbage_collector_after_loading(installation):
    """Loading a worker's application must tune the garbage collector, after everything is loaded."""
    script = (
        "import gc, sys\n"
        "from functools import partial\n"
        "from pathlib import Path\n"
        "from ordws.api.services import open_services\n"
        "from ordws.instance import Instance\n"
        "from ordws.web.telemetry import RequestCounts\n"
        "from ordws.web.serving import load_app\n"
        f"opener = partial(open_services, Instance(Path({str(installation.instance.root)!r})))\n"
        "load_app(opener, RequestCounts.create(1))\n"
        "print(len(gc.callbacks), gc.get_freeze_count() > 10_000)"
    )
    status, said, errors = run(script)
    assert (status, said) == (0, "1 True\n"), errors
