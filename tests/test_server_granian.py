"""The parts of granian, most of them private, that `ordws/server.py` overrides or relies on.

After an upgrade a failure here names the part that changed. Then read granian's changes, adapt `ordws/server.py`, run
`tests/web/test_server.py` and `tests/deploy`, and raise the bound in pyproject.toml.
"""

from __future__ import annotations

import inspect
import signal
import socket
from dataclasses import fields
from types import SimpleNamespace

from each_row import each_row
from granian import Granian, _signals
from granian.constants import Interfaces
from granian.http import HTTP1Settings
from granian.net import SocketHolder
from granian.server import common, mp

from ordws import server
from ordws.listeners import BACKLOG

METHODS = {
    "_init_shared_socket": ["self"],
    "_spawn_worker": ["self", "idx", "target", "callback_loader"],
    "_drop_shared_socket": ["self"],
}
"""The private methods of the server that are overridden, with their parameters."""

CALLERS = {
    "_init_shared_socket": [common.AbstractServer.startup],
    "_spawn_worker": [common.AbstractServer._spawn_workers, common.AbstractServer._respawn_workers],
    "_drop_shared_socket": [common.AbstractServer.shutdown],
}
"""The methods of granian that call them.

At the start, for every worker and each of its successors, and at the end.
"""

SETTINGS = {
    "target",
    "interface",
    "workers",
    "http",
    "blocking_threads",
    "backpressure",
    "backlog",
    "websockets",
    "http1_settings",
    "workers_kill_timeout",
    "respawn_failed_workers",
    "respawn_interval",
    "log_level",
    "log_dictconfig",
}
"""The arguments of the server that are set."""


def parameters_of(function) -> list[str]:
    return list(inspect.signature(function).parameters)


def test_the_server_runs_its_workers_as_processes():
    """Granian has to be the server of worker processes, of which its methods are overridden."""
    assert Granian is mp.MPServer


@each_row("name", METHODS)
def test_an_overridden_method_has_its_parameters(name):
    """Each private method that is overridden must exist, here and in granian, with the same parameters."""
    assert name in vars(server._Server)
    assert parameters_of(getattr(Granian, name)) == METHODS[name]
    assert parameters_of(getattr(server._Server, name))[:2] == METHODS[name][:2]


@each_row("name", METHODS)
def test_an_overridden_method_is_called(name):
    """Each private method that is overridden must still be called by granian where it was."""
    for caller in CALLERS[name]:
        assert name in caller.__code__.co_names, caller.__qualname__


def test_a_second_signal_does_not_wait_for_the_first():
    """A signal that comes while another is handled does not touch the event, whose lock the first may hold."""
    told = []

    def tell():
        told.append(granian.interrupt_signal)
        granian.signal_handler_interrupt(signal.SIGTERM, None)

    granian = object.__new__(server._Server)
    granian.interrupt_signal, granian.main_loop_interrupt = False, SimpleNamespace(set=tell)
    granian.signal_handler_interrupt(signal.SIGTERM, None)
    assert told == [True]


def test_a_worker_gets_the_socket_in_its_place(monkeypatch):
    """A worker must get `((_ssp, _shd), _sso)`, of which `_shd` alone is ours, as its fourth argument."""
    monkeypatch.setattr(mp, "WorkerProcess", SimpleNamespace)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        granian = server._Server("ordws", interface=Interfaces.WSGI, listeners=[listener])
        granian._init_shared_socket()
        (spec, handover), shared = granian._spawn_worker(0, target=None, callback_loader=None).args[3]
    assert (spec, shared) == (None, None)
    assert isinstance(handover, server._SocketHandover)


def test_a_worker_serves_from_what_it_gets():
    """A worker must unpack the pair of sockets and take the second one where the first is None."""
    source = inspect.getsource(mp)
    assert "sock, _sso = sock" in source
    assert "(sock[0] or sock[1]).is_uds()" in inspect.getsource(Granian._spawn_wsgi_worker)


def test_a_socket_holder_takes_a_descriptor():
    """SocketHolder must take a descriptor, whether it is a Unix socket, and the backlog, and keep the first two."""
    assert SocketHolder.__text_signature__ == "(fd, uds, backlog)"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        holder = SocketHolder(listener.detach(), False, BACKLOG)
        with socket.socket(fileno=holder.get_fd()) as held:
            assert (holder.is_uds(), held.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)) == (False, 1)


def test_a_worker_stops_by_its_handler_of_sigterm():
    """A WSGI worker must install a handler of SIGTERM that may be called from another thread, with any frame."""
    assert "set_sync_signals" in Granian._spawn_wsgi_worker.__wrapped__.__code__.co_names
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        stopped = _signals.set_sync_signals()
        signal.getsignal(signal.SIGTERM)(signal.SIGTERM, None)
        assert hasattr(stopped, "set")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_the_settings_exist():
    """Every argument that `ordws/server.py` sets must be one of granian's."""
    assert set(parameters_of(Granian.__init__)) >= SETTINGS
    assert {"target_loader", "wrap_loader"} <= set(parameters_of(Granian.serve))
    assert {"header_read_timeout", "max_buffer_size"} <= {field.name for field in fields(HTTP1Settings)}
