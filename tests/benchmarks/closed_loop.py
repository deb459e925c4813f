"""A closed loop of connections that stay open: each sends its next request as soon as it has its answer."""

from __future__ import annotations

import select
import socket
from collections.abc import Sequence
from typing import Final

CONNECTIONS: Final = 32
_END: Final = b"\r\n\r\n"
_LENGTH: Final = b"content-length: "


class ClosedLoop:
    """Connections to one server."""

    def __init__(self, port: int, connections: int = CONNECTIONS) -> None:
        self._sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(connections)]
        self._by_file = {each.fileno(): each for each in self._sockets}
        self._poll = select.epoll()
        for each in self._sockets:
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._poll.register(each, select.EPOLLIN)

    def close(self) -> None:
        self._poll.close()
        for each in self._sockets:
            each.close()

    def send_all(self, requests: Sequence[bytes], status: bytes = b"200") -> None:
        """Send all requests; raises if one is answered with another status than this."""
        left, under_way = iter(requests), 0
        parts: dict[int, bytes] = {}
        for each, request in zip(self._sockets, left):  # noqa: B905 - as many as there are connections
            each.sendall(request)
            under_way += 1
        while under_way:
            for file, _ in self._poll.poll():
                answer = parts.pop(file, b"") + self._by_file[file].recv(65_536)
                if not _is_complete(answer):
                    parts[file] = answer
                    continue
                if answer[9:12] != status:
                    raise RuntimeError(f"a request was answered by {answer.decode()}")
                if request := next(left, b""):
                    self._by_file[file].sendall(request)
                else:
                    under_way -= 1


def _is_complete(answer: bytes) -> bool:
    """Tell whether an answer is complete; raises if the server has closed the connection instead."""
    if not answer:
        raise RuntimeError("the server closed a connection")
    head, end, body = answer.partition(_END)
    at = head.lower().find(_LENGTH) + len(_LENGTH)
    return bool(end) and len(body) == int(head[at:].partition(b"\r\n")[0])
