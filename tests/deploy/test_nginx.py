"""The proxy that ships, in front of the real service: the same answers, and every refusal as a problem."""

from __future__ import annotations

import json
import socket
from contextlib import ExitStack, closing

import pytest
from deployment import NAME, Nginx, Systemd, ask_once, read, read_reply
from service_process import TIMEOUT_SECONDS

from ordws.api.problems import PROBLEMS
from ordws.web.middleware import MAX_BODY_BYTES

ID = "0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="module")
def service(shared_house, tmp_path_factory):
    systemd = Systemd(tmp_path_factory.mktemp("host"), shared_house.instance.root)
    systemd.start()
    yield systemd
    systemd.close()


@pytest.fixture(scope="module")
def nginx(service):
    nginx = Nginx(service.folder, service.folder / "ordws.sock")
    yield nginx.start()
    nginx.stop()


@pytest.fixture(scope="module")
def idle(tmp_path_factory):
    """A proxy whose service is a socket of the test's, on which it says or leaves what it likes."""
    folder = tmp_path_factory.mktemp("idle")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "ordws.sock"))
        listener.listen(2048)
        listener.settimeout(TIMEOUT_SECONDS)
        few = {"limit_conn callers 64;": "limit_conn callers 4;", "max_conns=64;": "max_conns=4;"}
        nginx = Nginx(folder, folder / "ordws.sock", few).start()
        nginx.listener = listener
        yield nginx
        nginx.stop()


@pytest.fixture
def key(shared_house):
    return {"Authorization": f"Bearer {shared_house.key}"}


def is_problem(reply, status, code):
    """Whether an answer is that problem, told as the service tells it, and names no server but the proxy."""
    got, headers, body = reply
    told = json.loads(body)
    request_id = headers["x-request-id"]
    assert headers["content-type"] == "application/problem+json"
    assert headers["cache-control"] == "no-store"
    assert headers["server"] == "nginx"
    assert ("retry-after" in headers) is (status == 503)
    assert PROBLEMS[code] == (status, told["title"])
    assert told["detail"]
    assert told == {
        "type": f"urn:ordws:problem:{code}",
        "title": told["title"],
        "status": status,
        "detail": told["detail"],
        "instance": f"urn:ordws:request:{request_id}",
        "code": code,
    }
    return got == status


def test_the_configuration_is_sound(nginx):
    """Nginx has nothing to say against it."""
    assert [line for line in nginx.check().splitlines() if "[" in line and "user" not in line] == []


def test_the_proxy_changes_no_answer(service, nginx, key):
    """Verdicts, refusals, pages and lists are the same bytes with the same headers as directly."""
    asked = [
        ("POST", "/v1/judge", {"words": ["CAT"]}),
        ("POST", "/v1/judge", {"words": ["C4T"]}),
        ("POST", "/v1/judge", b"{"),
        ("PUT", "/v1/judge", {}),
        ("GET", "/v1/quota", None),
        ("GET", "/judge", None),
        ("GET", "/v1/rules/dover", None),
        ("GET", "/readyz", None),
        ("HEAD", "/healthz", None),
        ("GET", "/nowhere", None),
        ("GET", "/openapi.json", None),
    ]
    own = ("server", "date", "connection", "strict-transport-security")
    for method, path, body in asked:
        replies = [ask_once(host, method, path, body, **key, **{"X-Request-Id": ID}) for host in (service, nginx)]
        direct, proxied = [
            (status, {name: value for name, value in headers.items() if name not in own}, body)
            for status, headers, body in replies
        ]
        assert proxied == direct, path
        assert replies[1][1]["x-request-id"] == ID


def test_cookies_are_secure(shared_house, nginx, key):
    """The service learns that it was asked over TLS, and a device's cookie is sent over nothing else."""
    shared_house.register.add("club", "operator", 1_790_000_000)
    operator = {"Authorization": f"Bearer {shared_house.register.add('club2', 'operator', 1_790_000_000)}"}
    status, _, body = ask_once(nginx, "POST", "/v1/devices", {"table": "Table 3"}, **operator)
    assert status == 201, body
    page = {"Origin": f"https://{NAME}", "Sec-Fetch-Site": "same-origin"}
    status, headers, body = ask_once(nginx, "POST", "/v1/pair", {"code": json.loads(body)["code"]}, **page)
    assert status == 200, body
    assert headers["set-cookie"].endswith("; Secure")
    foreign = {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}
    assert is_problem(ask_once(nginx, "POST", "/v1/pair", {"code": "x"}, **foreign), 403, "cross-site")


@pytest.mark.parametrize("path", ["/metrics", "/problem/too-busy", "/stub_status"])
def test_what_is_not_public_is_not_found(nginx, path):
    """Neither the metrics nor the proxy's own pages can be asked for."""
    assert is_problem(ask_once(nginx, "GET", path), 404, "not-found")


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"\x00\x01\x02\r\n\r\n", 400, "bad-request"),
        (b"GET /healthz HTTP/3.7\r\nHost: judge.example.org\r\n\r\n", 400, "bad-request"),
        (b"GET /healthz HTTP/1.1\r\n\r\n", 400, "bad-request"),
        (b"GET /healthz HTTP/1.1\r\nHost: judge.example.org\r\nHost: b\r\n\r\n", 400, "bad-request"),
        (b"GET /%s HTTP/1.1\r\nHost: judge.example.org\r\n\r\n" % (b"A" * 5000), 400, "bad-request"),
        (b"GET / HTTP/1.1\r\nHost: judge.example.org\r\nX: %s\r\n\r\n" % (b"A" * 5000), 400, "bad-request"),
        (b"GET / HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n", 404, "not-found"),
        (b"TRACE / HTTP/1.1\r\nHost: judge.example.org\r\n\r\n", 405, "method-not-allowed"),
        (
            b"POST / HTTP/1.1\r\nHost: judge.example.org\r\nConnection: close\r\nContent-Length: 16385\r\n\r\n%s"
            % (b" " * 16385),
            413,
            "too-large",
        ),
        (b"POST / HTTP/1.1\r\nHost: judge.example.org\r\nContent-Length: x\r\n\r\n", 400, "bad-request"),
        (b"POST / HTTP/1.1\r\nHost: judge.example.org\r\nTransfer-Encoding: odd\r\n\r\n", 400, "bad-request"),
        (b"POST / HTTP/1.1\r\nHost: judge.example.org\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400, "bad-request"),
    ],
)
def test_what_nginx_refuses_is_a_problem(nginx, sent, status, code):
    """Broken HTTP, too much of it, and a host that is not ours, in the words of the service."""
    connection = nginx.raw()
    connection.sendall(sent)
    assert is_problem(read_reply(connection), status, code)


def test_plain_http_is_refused(nginx):
    """A key that comes unencrypted gets no answer that would hide it, and neither does plain HTTP on the TLS port."""
    for port, status, code in ((nginx.plain, 404, "not-found"), (nginx.port, 400, "bad-request")):
        plain = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS)
        plain.sendall(b"GET / HTTP/1.1\r\nHost: judge.example.org\r\nConnection: close\r\n\r\n")
        assert is_problem(read_reply(plain), status, code)


def test_the_largest_body_passes(nginx, key):
    """What the proxy lets through is what the service reads."""
    body = b'{"words": ["CAT"]}'.ljust(MAX_BODY_BYTES)
    assert ask_once(nginx, "POST", "/v1/judge", body, **key)[0] == 200


def taken(idle):
    """A connection of the proxy to the service, and what it asks first."""
    connection, _ = idle.listener.accept()
    connection.settimeout(TIMEOUT_SECONDS)
    return connection, connection.recv(65_536)


def test_a_slow_body_does_not_reach_the_service(idle):
    """The service is asked when the whole request is there, and nobody holds a place of it meanwhile."""
    with closing(idle.raw()) as slow, closing(idle.raw()) as whole:
        slow.sendall(b"POST /v1/judge HTTP/1.1\r\nHost: judge.example.org\r\nContent-Length: 4\r\n\r\nab")
        whole.sendall(b"GET /second HTTP/1.1\r\nHost: judge.example.org\r\nConnection: close\r\n\r\n")
        connection, asked = taken(idle)
        with connection:
            assert asked.startswith(b"GET /second ")
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n2")
        assert read_reply(whole)[2] == b"2"
        slow.sendall(b"cd")
        connection, asked = taken(idle)
        with connection:
            assert asked.startswith(b"POST /v1/judge ")
            assert asked.endswith(b"\r\n\r\nabcd")
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n1")


@pytest.mark.parametrize(
    ("path", "times"),
    [("/v1/judge", 2), ("/v1/games/x/turns", 2), ("/v1/games", 1), ("/v1/pair", 1), ("/v1/devices", 1)],
)
def test_what_may_be_repeated_is_asked_again(idle, path, times):
    """When a connection breaks before the answer, a question goes to the service again, and a new game does not.

    Of that the caller is told that it may have been carried out, and not to come again.
    """
    with closing(idle.connect()) as connection:
        connection.request("POST", path, b"{}", {"Host": NAME})
        for _ in range(times):
            broken, asked = taken(idle)
            broken.close()
            assert asked.startswith(f"POST {path} ".encode())
        told = (503, "too-busy") if times == 2 else (500, "internal-error")
        assert is_problem(read(connection.getresponse()), *told)


def test_too_much_is_refused_by_the_proxy(idle):
    """More than one caller may have under way, or more than the service is to hold, is refused without asking it."""
    with ExitStack() as stack:

        def waiting(address):
            connection = stack.enter_context(closing(idle.connect(address)))
            connection.request("POST", "/v1/games", b"{}", {"Host": NAME})
            return connection

        for address in ("127.0.0.1", "127.0.0.2"):
            for _ in range(4):
                waiting(address)
                stack.enter_context(taken(idle)[0])
            if address == "127.0.0.1":
                assert is_problem(read(waiting(address).getresponse()), 503, "too-busy")
        assert is_problem(read(waiting("127.0.0.3").getresponse()), 503, "too-busy")


def test_a_service_that_is_gone_is_a_problem(tmp_path):
    """Where nobody listens at all the caller is told to come again."""
    nginx = Nginx(tmp_path, tmp_path / "nobody.sock").start()
    try:
        assert is_problem(ask_once(nginx, "GET", "/healthz"), 503, "too-busy")
        assert is_problem(ask_once(nginx, "POST", "/v1/games", {}), 503, "too-busy")
    finally:
        nginx.stop()


def test_nothing_of_a_caller_is_written(nginx, key, shared_house):
    """The proxy's logs hold no address, no path, no query and no key."""
    spelled = "ZZXQV"
    ask_once(nginx, "GET", f"/{spelled}?{spelled}", **key, **{"User-Agent": spelled, "Referer": spelled})
    nginx.stop()
    written = "".join((nginx.folder / name).read_text() for name in ("ordws.log", "error.log"))
    lines = [json.loads(line) for line in (nginx.folder / "ordws.log").read_text().splitlines()]
    assert {frozenset(line) for line in lines} == {frozenset(("time", "id", "status", "service", "seconds"))}
    for secret in (spelled, "127.0.0.1", "healthz", "judge", shared_house.key):
        assert secret not in written
