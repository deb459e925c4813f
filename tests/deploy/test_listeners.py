"""The sockets of the service: an address, a path, or the socket from systemd."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from contextlib import ExitStack

import pytest
from deployment import Systemd
from each_row import each_row
from processes import ROOT

from ordws.cli.listening import listener_url, open_listeners
from ordws.errors import BadInput
from ordws.listeners import listen, listen_unix, take_systemd_socket


def test_a_unix_socket_is_for_owner_and_group_alone(tmp_path):
    """A Unix socket can be used by its owner and group only."""
    with listen_unix(tmp_path / "s") as listener:
        assert stat.S_IMODE((tmp_path / "s").stat().st_mode) == 0o660
        assert listener_url(listener) == f"unix:{tmp_path}/s"


def test_a_unix_socket_in_use_is_refused(tmp_path):
    """A second server does not take the path of the first, but replaces a socket on which nobody listens."""
    with listen_unix(tmp_path / "s"), pytest.raises(BadInput, match=r'listen on "unix:.*/s": Address already in use'):
        listen_unix(tmp_path / "s")
    assert (tmp_path / "s").is_socket()
    listen_unix(tmp_path / "s").close()


@each_row(("name", "why"), [("x" * 200, "AF_UNIX path too long"), ("no/s", "No such file"), ("file", "already in use")])
def test_an_unusable_path_is_an_error(tmp_path, name, why):
    """An unusable path is an error that says why, and a file that is no socket is left alone."""
    (tmp_path / "file").write_text("kept")
    with pytest.raises(BadInput, match=why):
        listen_unix(tmp_path / name)
    assert (tmp_path / "file").read_text() == "kept"


def test_the_service_removes_its_socket(tmp_path):
    """The service removes the socket that it created."""
    with ExitStack() as stack:
        open_listeners(stack, tmp_path / "s", 2, is_given=True)
        assert (tmp_path / "s").is_socket()
    assert list(tmp_path.iterdir()) == []


def test_sockets_of_one_service_alone_share_its_port():
    """The sockets of one service share its port, and a second service cannot join them."""
    with ExitStack() as stack:
        first, second = [stack.enter_context(listener) for listener in listen("127.0.0.1", 0, 2)]
        port = first.getsockname()[1]
        assert second.getsockname() == first.getsockname()
        assert listener_url(first) == f"http://127.0.0.1:{port}"
        with pytest.raises(BadInput, match="Address already in use"):
            listen("127.0.0.1", port)


@each_row("environ", [{}, {"LISTEN_FDS": "1"}, {"LISTEN_FDS": "1", "LISTEN_PID": "1"}])
def test_a_socket_handed_to_another_process_is_not_taken(environ):
    """Only the process that LISTEN_PID names takes the socket: its children inherit the variables, not the socket."""
    assert take_systemd_socket(environ) is None


def test_two_sockets_are_an_error():
    """Two sockets from systemd are an error, since nobody would answer on the second."""
    with pytest.raises(BadInput, match='LISTEN_FDS is "2", and one socket is served'):
        take_systemd_socket({"LISTEN_FDS": "2", "LISTEN_PID": str(os.getpid())})


def refused(installation, systemd, *options):
    """Return the message of a service that gets a socket from systemd and is not to start."""
    systemd.start(*options)
    assert systemd.process.wait(120) == 2
    return systemd.errors_file.read_text()


def test_a_handed_socket_and_an_address_contradict_each_other(installation, tmp_path):
    """A socket from systemd together with --bind is an error."""
    systemd = Systemd(tmp_path, installation.instance.root)
    message = refused(installation, systemd, "--bind", "127.0.0.1:0")
    systemd.close()
    assert (
        message == "ordws: error: a socket was handed over, and --bind names another\nordws: hint: leave --bind out\n"
    )


def taken_over(number, script):
    """Run a script in a process that gets a file as systemd's socket; the script finds what was taken as `s`."""
    command = (
        "import os; from ordws.listeners import take_systemd_socket;"
        f"s = take_systemd_socket({{'LISTEN_FDS': '1', 'LISTEN_PID': str(os.getpid())}}); {script}"
    )
    handing = (
        "import os, sys; os.dup2(int(sys.argv[1]), 3);os.execv(sys.executable, [sys.executable, '-c', sys.argv[2]])"
    )
    return subprocess.run(
        [sys.executable, "-c", handing, str(number), command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        pass_fds=[number],
    )


def test_a_handed_descriptor_must_be_a_listening_socket():
    """A file, or a socket that does not listen, is refused."""
    with socket.socket() as idle:
        message = taken_over(idle.fileno(), "").stderr
    assert "BadInput: the socket that was handed over cannot be served: it does not listen" in message


def test_a_handed_socket_is_not_inherited_by_children(tmp_path):
    """The socket from systemd is not inherited by child processes."""
    with listen_unix(tmp_path / "s") as listener:
        assert (
            taken_over(listener.fileno(), "print(s.get_inheritable(), s.getsockname())").stdout
            == f"False {tmp_path}/s\n"
        )
