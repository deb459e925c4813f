"""`ordws curate` in a process of its own: its address, and bodies that come slowly or never."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from select import select

import pytest
from console_installation import families, make_installation
from console_process import ConsoleProcess, SignedInClient, make_console_key
from http_replies import send

BEGUN = b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\na"
FLOODER, ELSEWHERE = "127.0.0.1", "127.0.0.9"
HELD, REFUSED = 16, 44


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConsoleProcess]:
    instance, ledger = make_installation(tmp_path_factory.mktemp("console") / "instance", families(1))
    ledger.close()
    make_console_key(instance)
    with ConsoleProcess(instance) as console:
        yield console


def test_the_command_notes_its_address_for_links(console: ConsoleProcess) -> None:
    """`ordws curate` notes the address that it prints, and redirects from 127.0.0.1 to it."""
    assert console.instance.console_address.read_text() == console.origin
    status, headers, _ = send(console.port, "GET", "/queue")
    assert (status, headers["Location"]) == (307, f"{console.origin}/queue")


def test_sixty_bodies_that_never_end_keep_nobody_else_waiting(console: ConsoleProcess) -> None:
    """Sixteen bodies of an address are read at once, further ones are refused, and all others are answered."""
    with ExitStack() as sockets:
        keeper = SignedInClient(console, "Kay", "keeper")
        begun = []
        for _ in range(HELD + REFUSED):
            begun.append(sockets.enter_context(socket.create_connection((FLOODER, console.port), 60)))
            begun[-1].sendall(BEGUN)
        # Those that are not answered are being read.
        waiting = set(begun)
        while len(waiting) > HELD:
            for each in select(waiting, [], [], 60)[0]:
                assert each.recv(4_096).startswith(b"HTTP/1.1 503")
                waiting.remove(each)
        assert ask(console, "GET", "/", ELSEWHERE) == 200
        assert ask(console, "POST", "/sign-in", ELSEWHERE) == 403
        assert ask(console, "GET", "/", FLOODER) == 200
        assert ask(console, "POST", "/sign-in", FLOODER) == 503
        assert keeper.form("/account/sessions")[0] == 303
        for each in waiting:
            each.sendall(b"a" * 99)
        assert all(each.recv(4_096).startswith(b"HTTP/1.1 ") for each in waiting), "who ends is answered"


def ask(console: ConsoleProcess, method: str, path: str, address: str) -> int:
    """Return the status of a request from an address."""
    headers = {"Host": f"localhost:{console.port}", "Content-Type": "application/x-www-form-urlencoded"}
    return send(console.port, method, path, "name=x" if method == "POST" else None, source=address, **headers).status
