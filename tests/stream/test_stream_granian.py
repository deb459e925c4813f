"""The parts of granian, most of them private, that `ordws/stream/process.py` overrides or relies on.

After an upgrade a failure here names the part that changed. Then read granian's changes, adapt the process, and run
`tests/stream`.
"""

from __future__ import annotations

import inspect
import socket

from granian.server import common, embed

from ordws.stream.process import _Server


def test_the_server_serves_from_our_socket():
    """The embedded server must take its socket from `_shd`, which `_init_shared_socket` sets as it starts."""
    assert "_init_shared_socket" in vars(common.AbstractServer)
    assert "_init_shared_socket" in embed.Server.startup.__code__.co_names
    assert "(self._ssp, self._shd)" in inspect.getsource(embed.Server._spawn_worker)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = _Server(None, listener)
        server._init_shared_socket()
        assert server._ssp is None
        assert not server._shd.is_uds()
        with socket.socket(fileno=server._shd.get_fd()) as held:
            assert held.getsockname() == listener.getsockname()


def test_the_server_ends_when_it_is_told():
    """`stop` must end `serve`, which waits for its interrupt, and then for its workers."""
    assert "signal_handler_interrupt" in embed.Server.stop.__code__.co_names
    assert inspect.iscoroutinefunction(embed.Server.serve)
    assert inspect.iscoroutinefunction(embed.Server.shutdown)
