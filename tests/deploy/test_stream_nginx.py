"""A stream behind the shipped proxy: each event comes at once, over the socket that systemd would hold."""

from __future__ import annotations

import json
import sys
import threading
from contextlib import closing

import pytest
from deployment import NAME, Nginx, Systemd, ask_once
from processes import TIMEOUT_SECONDS
from service_process import ORDWS_COMMAND
from threaded_server import served_in_thread


@pytest.fixture(scope="module")
def host(shared_installation, tmp_path_factory):
    """Run the service and its stream on two sockets, as the units do, and nginx in front of both."""
    folder = tmp_path_factory.mktemp("host")
    root = shared_installation.instance.root
    service, stream = Systemd(folder, root), Systemd(folder, root, name="stream.sock")
    service.start()
    stream.start(command=[sys.executable, *ORDWS_COMMAND, "stream", "--instance", root, "--metrics", "off"])
    nginx = Nginx(folder, folder / "ordws.sock").start()
    yield nginx
    nginx.stop()
    assert stream.stop() == 0
    stream.close()
    service.close()


def next_data(reply):
    """Return the data of the next event of a stream."""
    while not (line := reply.readline()).startswith(b"data: "):
        assert line, "the stream ended"
    return json.loads(line[6:])


def test_the_proxy_keeps_no_event_back(tmp_path):
    """An event passes the proxy while the stream goes on; no body may be sent to it, which would hold a connection."""
    heard, waits = threading.Event(), []

    def stream(environ, start_response):
        start_response("200 OK", [("Content-Type", "text/event-stream")])
        yield b"data: 1\n\n"
        waits.append(heard.wait(TIMEOUT_SECONDS))
        yield b"data: 2\n\n"

    nginx, path = Nginx(tmp_path, tmp_path / "ordws.sock"), f"/v1/games/{'0' * 32}/events"
    with served_in_thread(stream, tmp_path / "stream.sock"):
        try:
            with closing(nginx.start().connect()) as connection:
                connection.request("GET", path, headers={"Host": NAME})
                reply = connection.getresponse()
                assert next_data(reply) == 1
                heard.set()
                assert next_data(reply) == 2
            assert ask_once(nginx, "POST", path, {})[0] == 405
        finally:
            nginx.stop()
    assert waits == [True]


@pytest.mark.long
def test_a_move_reaches_the_other_player_through_the_proxy(host, shared_installation):
    """The ticket's cookie is secure, and the proxy keeps no event back; without a ticket there is no stream."""
    key = {"Authorization": f"Bearer {shared_installation.key}"}
    opened = json.loads(ask_once(host, "POST", "/v1/games", {"rules": "scrabble-o", "seats": [{}, {}]}, **key)[2])
    path, tokens = f"/v1/games/{opened['game']}", [seat["token"] for seat in opened["seats"]]
    status, headers, body = ask_once(host, "POST", f"{path}/stream-tickets", {}, **key, **{"Seat-Token": tokens[1]})
    given = json.loads(body)
    assert (status, given["events"]) == (200, f"{path}/events")
    cookie, *attributes = headers["set-cookie"].split("; ")
    assert {"Secure", "HttpOnly", "SameSite=Lax", f"Path={path}/events"} <= set(attributes)
    with closing(host.connect()) as connection:
        connection.request("GET", given["events"], headers={"Host": NAME, "Cookie": cookie})
        reply = connection.getresponse()
        assert (reply.status, reply.headers["Content-Type"]) == (200, "text/event-stream")
        assert next_data(reply) == {"row": 0}
        assert "nonce" in next_data(reply)
        turn = {"seat": tokens[0], "turn": 1, "move": "-"}
        assert ask_once(host, "POST", f"{path}/turns", turn, **key)[0] == 200
        assert next(data for data in iter(lambda: next_data(reply), None) if "here" not in data) == {"row": 1}
    status, headers, body = ask_once(host, "GET", given["events"])
    assert (status, json.loads(body)["code"]) == (403, "bad-ticket")
    assert headers["content-type"] == "application/problem+json"
    # A slow body would count as a stream, of which an address may have many.
    assert ask_once(host, "POST", given["events"], {})[0] == 405
    log = (host.folder / "ordws.log").read_text()
    assert given["ticket"] not in log
    assert opened["game"] not in log
