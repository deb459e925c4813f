"""`ordws serve`: errors before the start, and the preparation of meters."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import httpx
import pytest
from preloaded_commands import run_preloaded
from redis import Redis
from redis_server import DURABLE, RedisServer

from ordws.api.services import open_play_links
from ordws.cli import ordws, run
from ordws.cli.serve import warn_if_closed
from ordws.guard.stores.lmdb import LmdbMeterStore
from ordws.guard.stores.redis import RedisMeterStore
from ordws.stream.notify import DatagramReceiver

ROOT = Path(__file__).parents[2]
MAIN = "from ordws.cli import main; main()"


@pytest.fixture
def serve(installation):
    """Return a function that runs a service that is not to start, and gives its status and errors."""

    def serve(*arguments, **environment):
        command = ["ordws", "--instance", str(installation.instance.root), "serve", *arguments]
        done = run_preloaded(command, {"PATH": "", **environment}, "")
        assert done.stdout == ""
        return done.returncode, done.stderr

    return serve


def test_a_taken_port_is_an_error(serve):
    """The error for a taken port names the address and the option that changes it."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert serve("--bind", f"127.0.0.1:{port}") == (
            2,
            f'ordws: error: cannot listen on "127.0.0.1:{port}": Address already in use\n'
            "ordws: hint: --bind names another HOST:PORT\n",
        )


def test_a_second_service_of_an_installation_is_refused(serve, installation):
    """A service whose stream could not run beside that of another is refused before it answers anything."""
    with closing(DatagramReceiver(installation.instance.stream_notices)):
        status, err = serve("--bind", "127.0.0.1:0", "--metrics", "off")
    assert (status, err) == (
        2,
        f'ordws: error: another stream process runs on "{installation.instance.root}"\n'
        "ordws: hint: stop it, or the ordws serve that started it, first; --stream off starts none\n",
    )


def test_on_a_loopback_address_a_play_link_is_shown(installation):
    """Whoever sits at the machine reads where to play a friend, by the port that the service listens on."""
    with closing(open_play_links(installation.instance)) as links:
        token = links.add_local(1)
    arguments = ["serve", "--workers", "1", "--metrics", "off", "--stream", "off", "--bind", "127.0.0.1:0"]
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, "--instance", installation.instance.root, *arguments],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    ) as service:
        try:
            address = next(line.split()[-1] for line in service.stderr if "play a friend" in line)
        finally:
            service.terminate()
    assert re.fullmatch(rf"http://127\.0\.0\.1:[1-9][0-9]+/play#link={token}", address)


def test_a_terminal_shows_no_requests_and_ctrl_c_starts_nothing_again(installation):
    """A terminal shows no request, and nothing is started again after Ctrl-C, which the whole process group gets."""
    ours, terminal = os.openpty()
    arguments = ["serve", "--workers", "1", "--metrics", "off", "--computer", "off", "--bind", "127.0.0.1:0"]
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, "--instance", installation.instance.root, *arguments],
        cwd=ROOT,
        stdout=terminal,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as service:
        os.close(terminal)
        try:
            lines = iter(service.stderr.readline, "")
            url = next(line.split()[-1] for line in lines if "is served at" in line).removesuffix("/docs")
            assert next(line for line in lines if "the stream is at" in line)
            with httpx.Client(transport=httpx.HTTPTransport(retries=8), timeout=60) as client:
                assert client.get(f"{url}/readyz").status_code == 200
        finally:
            os.killpg(service.pid, signal.SIGINT)
        assert (service.stderr.read(), service.wait(60)) == ("", 0)
    shown = b""
    with suppress(OSError):  # a terminal that all others have closed
        while data := os.read(ours, 65_536):
            shown += data
    os.close(ours)
    assert [json.loads(line)["event"] for line in shown.splitlines()] == ["a worker begins with edition 1"]


def test_both_sockets_may_be_paths(installation, tmp_path):
    """A service and its stream answer on Unix sockets, whatever the default address is, and show no play link there."""
    with closing(open_play_links(installation.instance)) as links:
        links.add_local(1)
    arguments = ["--instance", installation.instance.root, "serve", "--workers", "1", "--metrics", "off"]
    paths = [tmp_path / "ordws.sock", tmp_path / "stream.sock"]
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, *arguments, "--bind", f"unix:{paths[0]}", "--stream", f"unix:{paths[1]}"],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    ) as service:
        try:
            lines = []
            while "the stream is at" not in (line := service.stderr.readline()):
                assert line
                lines.append(line)
            assert not [line for line in lines if "ordws_play" in line]
            with httpx.Client(transport=httpx.HTTPTransport(uds=str(paths[0])), timeout=60) as client:
                assert client.get("http://ordws/readyz").status_code == 200
        finally:
            service.terminate()


def test_without_an_edition_there_is_an_error(serve, installation):
    """A missing edition is an error that names its file."""
    installation.instance.sealed_edition.unlink()
    status, err = serve("--bind", "127.0.0.1:0")
    assert status == 2
    assert err.startswith(f'ordws: error: "{installation.instance.sealed_edition}" cannot be read')


@pytest.mark.parametrize("bind", ["8000", "127.0.0.1", ":8000", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:x"])
def test_an_address_that_is_not_host_and_port_is_an_error(bind, monkeypatch, capsys):
    """An address that is not HOST:PORT is an error with an example."""
    monkeypatch.setattr("sys.argv", ["ordws", "serve", "--bind", bind])
    assert run(ordws, "ordws") == 2
    assert f'"{bind}" is not HOST:PORT, as in 127.0.0.1:8000' in capsys.readouterr().err


def test_debug_mode_is_refused(serve):
    """The service refuses debug mode, in which a debugger would show values to whoever causes an error."""
    assert serve("--bind", "127.0.0.1:0", FLASK_DEBUG="1") == (
        2,
        "ordws: error: the service does not run in debug mode, which shows values\nordws: hint: unset FLASK_DEBUG\n",
    )


NOON = 1_795_262_400
SPENT = "ordws: warning: today's budgets count as spent; nothing is answered before the next day, UTC\n"


def test_lost_meters_are_refused_with_what_to_do(serve, installation):
    """If meters are lost, the service does not start, and says which command makes new ones."""
    shutil.rmtree(installation.instance.meters)
    status, err = serve("--bind", "127.0.0.1:0")
    assert status == 2
    assert "ordws: hint: ordws guard new-meters makes new ones, and refuses all questions until midnight UTC\n" in err
    assert not installation.instance.meters.exists()


def test_a_keeper_is_told_of_a_day_that_counts_as_spent(installation, capsys):
    """While everything is refused, the keeper is told so at each start."""
    warn_if_closed(installation.instance, NOON)
    assert capsys.readouterr().err == ""
    with closing(LmdbMeterStore(installation.instance.meters)) as store:
        store.refuse_until(NOON + 43_200)
    warn_if_closed(installation.instance, NOON)
    assert capsys.readouterr().err == SPENT
    warn_if_closed(installation.instance, NOON + 43_200)
    assert capsys.readouterr().err == ""


def test_an_empty_redis_is_refused_until_a_keeper_calls_it_new(serve, installation, command, tmp_path):
    """A Redis without meters may have lost them: one command says that it is new, and it begins open then."""
    with RedisServer(tmp_path / "redis", *DURABLE) as server:
        installation.instance.settings.write_text(f'[store]\nredis = "{server.url}"\n')
        status, err = serve("--bind", "127.0.0.1:0")
        assert status == 2
        assert "ordws: hint: ordws guard new-meters, with --first where nothing was ever asked" in err
        root = str(installation.instance.root)
        made = command("--instance", root, "guard", "new-meters", "--first")
        assert made == (0, "new meters: open\n", "")
        with closing(RedisMeterStore(server.url)) as store:
            assert store.closed_until() == 0
        status, _, err = command("--instance", root, "guard", "new-meters")
        assert (status, "the server has meters already, and nothing was changed" in err) == (2, True)
        with Redis.from_url(server.url) as client:
            client.flushall()
        made = command("--instance", root, "guard", "new-meters")
        assert made == (0, "new meters: nothing is answered before the next day, UTC\n", "")
        with closing(RedisMeterStore(server.url)) as store:
            assert store.closed_until() > time.time()


def test_a_redis_that_may_forget_writes_is_an_error(serve, installation, tmp_path):
    """The service does not start over a Redis that may forget writes, and says what to set."""
    with RedisServer(tmp_path / "redis", "--appendonly", "no") as server:
        installation.instance.settings.write_text(f'[store]\nredis = "{server.url}"\n')
        status, err = serve("--bind", "127.0.0.1:0")
    assert status == 2
    assert 'the server does not keep every write: its "appendonly" is "no", not "yes"\n' in err
    assert err.endswith(
        "ordws: hint: set in redis.conf: appendonly yes, appendfsync always, maxmemory-policy noeviction\n"
    )
