"""The shipped proxy in front of the real service: the same answers, and every refusal as a problem."""

from __future__ import annotations

import json
import socket
import time
from contextlib import ExitStack, closing

import pytest
from deployment import NAME, Nginx, Systemd, ask, ask_once, read, read_reply
from each_row import each_row
from processes import TIMEOUT_SECONDS

from ordws.api.actions import ACTIONS
from ordws.api.problems import PROBLEMS, unauthorized
from ordws.api.requests import MAX_BODY_BYTES

ID = "0123456789abcdef0123456789abcdef"
KEYED_HEAD = b"POST /v1/judge HTTP/1.1\r\nHost: judge.example.org\r\nAuthorization: Bearer x\r\n"


@pytest.fixture(scope="module")
def service(shared_installation, tmp_path_factory):
    systemd = Systemd(tmp_path_factory.mktemp("host"), shared_installation.instance.root)
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
    """Run a proxy whose service is a socket of the test, which answers as the test likes."""
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
def key(shared_installation):
    return {"Authorization": f"Bearer {shared_installation.key}"}


def is_problem(reply, status, code):
    """Check that an answer is this problem in the service's form, from nginx; return whether its status is right."""
    got, headers, body = reply
    problem = json.loads(body)
    request_id = headers["x-request-id"]
    assert headers["content-type"] == "application/problem+json"
    assert headers["cache-control"] == "no-store"
    assert headers["server"] == "nginx"
    assert ("retry-after" in headers) is (status == 503)
    assert PROBLEMS[code] == (status, problem["title"])
    assert problem["detail"]
    assert problem == {
        "type": f"urn:ordws:problem:{code}",
        "title": problem["title"],
        "status": status,
        "detail": problem["detail"],
        "instance": f"urn:ordws:request:{request_id}",
        "code": code,
    }
    return got == status


def test_the_configuration_is_sound(nginx):
    """Nginx accepts the configuration without a warning."""
    assert [line for line in nginx.check().splitlines() if "[" in line and "user" not in line] == []


def test_the_proxy_changes_no_answer(service, nginx, key):
    """Verdicts, refusals, pages and lists have the same bytes and headers with and without the proxy."""
    requests = [
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
    for method, path, body in requests:
        replies = [ask_once(host, method, path, body, **key, **{"X-Request-Id": ID}) for host in (service, nginx)]
        direct, proxied = [
            (status, {name: value for name, value in headers.items() if name not in own}, body)
            for status, headers, body in replies
        ]
        assert proxied == direct, path
        assert replies[1][1]["x-request-id"] == ID


def test_cookies_are_secure(shared_installation, nginx, key):
    """The service knows that a request came over TLS, and a device's cookie is sent over nothing else."""
    shared_installation.register.add("club", "operator", 1_790_000_000)
    operator = {"Authorization": f"Bearer {shared_installation.register.add('club2', 'operator', 1_790_000_000)}"}
    status, _, body = ask_once(nginx, "POST", "/v1/devices", {"table": "Table 3"}, **operator)
    assert status == 201, body
    page = {"Origin": f"https://{NAME}", "Sec-Fetch-Site": "same-origin"}
    status, headers, body = ask_once(nginx, "POST", "/v1/pair", {"code": json.loads(body)["code"]}, **page)
    assert status == 200, body
    assert headers["set-cookie"].endswith("; Secure")
    foreign = {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}
    assert is_problem(ask_once(nginx, "POST", "/v1/pair", {"code": "x"}, **foreign), 403, "cross-site")


@pytest.mark.parametrize("path", ["/metrics", "/problem/too-busy", "/stub_status"])
def test_metrics_and_proxy_pages_are_not_public(nginx, path):
    """Neither the metrics nor the proxy's own pages are public."""
    assert is_problem(ask_once(nginx, "GET", path), 404, "not-found")


@each_row(
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
        (
            b"POST /v1/judge HTTP/1.1\r\nHost: judge.example.org\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            400,
            "bad-request",
        ),
    ],
)
def test_refusals_of_nginx_are_problems(nginx, sent, status, code):
    """Nginx answers broken HTTP, too large requests and unknown hosts with the service's problems."""
    connection = nginx.raw()
    connection.sendall(sent)
    assert is_problem(read_reply(connection), status, code)


def test_plain_http_is_refused(nginx):
    """Plain HTTP is refused on both ports, without a redirect that would hide an unencrypted key."""
    for port, status, code in ((nginx.plain, 404, "not-found"), (nginx.port, 400, "bad-request")):
        plain = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS)
        plain.sendall(b"GET / HTTP/1.1\r\nHost: judge.example.org\r\nConnection: close\r\n\r\n")
        assert is_problem(read_reply(plain), status, code)


def test_the_largest_body_passes(nginx, key):
    """The proxy passes the largest body that the service reads."""
    body = b'{"words": ["CAT"]}'.ljust(MAX_BODY_BYTES)
    assert ask_once(nginx, "POST", "/v1/judge", body, **key)[0] == 200
    # A key sends no games of a table station: what matters is that the service says so, and not the proxy.
    largest = body.ljust(ACTIONS["POST", "/v1/stations/games"].max_body_bytes)
    assert ask_once(nginx, "POST", "/v1/stations/games", largest, **key)[0] == 401


def accept_request(idle):
    """Accept a connection from the proxy, and return it with the first request on it."""
    connection, _ = idle.listener.accept()
    connection.settimeout(TIMEOUT_SECONDS)
    return connection, connection.recv(65_536)


def test_a_stranger_is_refused_before_the_body(nginx):
    """Who sends no credential where one is needed gets the service's own refusal, and need not send a body for it."""
    for path in ("/v1/judge", "/v1/games", "/v1/games/x/turns", "/v1/practice/due"):
        with closing(nginx.raw()) as stranger:
            stranger.sendall(
                b"POST %s HTTP/1.1\r\nHost: judge.example.org\r\nContent-Length: 40\r\n\r\n" % path.encode()
            )
            reply = read_reply(stranger)
        assert is_problem(reply, 401, "unauthorized")
        assert json.loads(reply[2])["detail"] == unauthorized().detail
        assert reply[1]["www-authenticate"] == "Bearer"
    assert is_problem(ask_once(nginx, "POST", "/v1/pair", {"code": "x"}, Origin=f"https://{NAME}"), 403, "bad-code")
    assert is_problem(ask_once(nginx, "POST", "/v1/practice", {}, Origin=f"https://{NAME}"), 503, "no-program")


def test_a_slow_body_does_not_reach_the_service(idle):
    """The service gets a request only when it is complete, so a slow caller holds no thread of it."""
    with closing(idle.raw()) as slow, closing(idle.raw()) as whole:
        slow.sendall(KEYED_HEAD + b"Content-Length: 4\r\n\r\nab")
        whole.sendall(b"GET /second HTTP/1.1\r\nHost: judge.example.org\r\nConnection: close\r\n\r\n")
        connection, request = accept_request(idle)
        with connection:
            assert request.startswith(b"GET /second ")
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n2")
        assert read_reply(whole)[2] == b"2"
        slow.sendall(b"cd")
        connection, request = accept_request(idle)
        with connection:
            assert request.startswith(b"POST /v1/judge ")
            assert request.endswith(b"\r\n\r\nabcd")
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n1")


@pytest.mark.parametrize(
    ("path", "times"),
    [
        ("/v1/judge", 2),
        ("/v1/games/x/turns", 2),
        ("/v1/games", 1),
        ("/v1/practice", 1),
        ("/v1/pair", 1),
        ("/v1/devices", 1),
    ],
)
def test_nginx_repeats_a_question_but_not_the_opening_of_a_game(idle, path, times):
    """When a connection breaks before the answer, nginx repeats a question, but not the opening of a game.

    The caller of the latter is told that it may have been carried out, and not to repeat it.
    """
    with closing(idle.connect()) as connection:
        connection.request("POST", path, b"{}", {"Host": NAME, "Authorization": "Bearer x"})
        for _ in range(times):
            broken, request = accept_request(idle)
            broken.close()
            assert request.startswith(f"POST {path} ".encode())
        problem = (503, "too-busy") if times == 2 else (500, "internal-error")
        assert is_problem(read(connection.getresponse()), *problem)


def test_nginx_enforces_the_rate_limits(idle):
    """Nginx refuses requests beyond the limit of one caller, or of the service, without passing them on."""
    with ExitStack() as stack:

        def waiting(address):
            connection = stack.enter_context(closing(idle.connect(address)))
            connection.request("POST", "/v1/games", b"{}", {"Host": NAME, "Authorization": "Bearer x"})
            return connection

        for address in ("127.0.0.1", "127.0.0.2"):
            for _ in range(4):
                waiting(address)
                stack.enter_context(accept_request(idle)[0])
            if address == "127.0.0.1":
                assert is_problem(read(waiting(address).getresponse()), 503, "too-busy")
        assert is_problem(read(waiting("127.0.0.3").getresponse()), 503, "too-busy")


def test_nginx_limits_the_pace_of_an_address(service, tmp_path):
    """Beyond its pace and a burst an address is refused by nginx itself, whatever its key, and others are not."""
    slower = {"rate=120r/s": "rate=1r/m", "burst=264 delay=200": "burst=2 nodelay"}
    nginx = Nginx(tmp_path, service.folder / "ordws.sock", slower).start()
    try:
        with closing(nginx.connect()) as connection, closing(nginx.connect("127.0.0.2")) as other:
            replies = [ask(connection, "GET", "/healthz") for _ in range(4)]
            assert [status for status, _, _ in replies[:3]] == [200] * 3
            assert is_problem(replies[3], 503, "too-busy")
            assert ask(other, "GET", "/healthz")[0] == 200
    finally:
        nginx.stop()


def test_a_network_of_ipv6_counts_as_one_address(service, tmp_path):
    """All addresses of an IPv6 /64 share a pace; other networks, and IPv4 addresses written as IPv6, have their own."""
    changed = {
        "rate=120r/s": "rate=1r/m",
        "burst=264 delay=200": "burst=1 nodelay",
        # Only so can one host send from many networks.
        "server_tokens off;": "server_tokens off; set_real_ip_from 127.0.0.1; real_ip_header X-From;",
    }
    nginx = Nginx(tmp_path, service.folder / "ordws.sock", changed).start()
    groups = [
        ["2001:db8:1:2::1", "2001:db8:1:2:ffff::7", "2001:db8:1:2:0:0:0:a0a"],
        ["2001:db8::1", "2001:db8:0:0:5::", "2001:db8:0:0:a::"],
        ["192.0.2.1", "::ffff:192.0.2.1", "64:ff9b::192.0.2.1"],
        ["::ffff:192.0.2.2", "::ffff:192.0.2.2", "192.0.2.2"],
    ]
    try:
        with closing(nginx.connect()) as connection:
            for group in groups:
                replies = [ask(connection, "GET", "/healthz", **{"X-From": address})[0] for address in group]
                assert replies == [200, 200, 503], group
    finally:
        nginx.stop()


def test_a_burst_waits_rather_than_being_refused(service, nginx):
    """What one address may send at once is never refused for its pace: 300 pages in a row are answered."""
    with closing(nginx.connect("127.0.0.7")) as connection:
        assert {ask(connection, "GET", "/healthz")[0] for _ in range(300)} == {200}


@pytest.mark.parametrize("path", ["/v1/judge", "/v1/games"])
def test_nginx_tells_the_service_the_address(idle, path):
    """The service gets the address of the caller from nginx alone, whatever the caller says of it."""
    with closing(idle.connect("127.0.0.5")) as connection:
        connection.request(
            "POST", path, b"{}", {"Host": NAME, "Authorization": "Bearer x", "X-Forwarded-For": "192.0.2.1"}
        )
        passed, request = accept_request(idle)
        with passed:
            assert [line for line in request.split(b"\r\n") if line.lower().startswith(b"x-forwarded-for")] == [
                b"X-Forwarded-For: 127.0.0.5"
            ]
            passed.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n1")
        assert read(connection.getresponse())[0] == 200


def test_an_unavailable_service_is_a_problem(tmp_path):
    """If nobody listens, the caller is told to repeat the request later."""
    nginx = Nginx(tmp_path, tmp_path / "nobody.sock").start()
    try:
        assert is_problem(ask_once(nginx, "GET", "/healthz"), 503, "too-busy")
        assert is_problem(ask_once(nginx, "POST", "/v1/games", {}, Authorization="Bearer x"), 503, "too-busy")
    finally:
        nginx.stop()


def test_what_the_proxy_refuses_itself_fills_no_disk(nginx):
    """Requests that no limit counts, since no service sees them, are not logged one by one; others are."""
    log = nginx.folder / "ordws.log"
    before = log.read_text().count("\n")
    for _ in range(30):
        assert ask_once(nginx, "POST", "/v1/judge", {})[0] == 401
    assert ask_once(nginx, "GET", "/healthz")[0] == 200
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while (lines := log.read_text().count("\n") - before) < 1 and time.monotonic() < deadline:
        pass  # a line follows its reply
    assert 1 <= lines <= 4


def test_proxy_logs_hold_nothing_of_a_caller(nginx, key, shared_installation):
    """The proxy's logs hold no address, path, query or key."""
    spelled = "ZZXQV"
    ask_once(nginx, "GET", f"/{spelled}?{spelled}", **key, **{"User-Agent": spelled, "Referer": spelled})
    nginx.stop()
    written = "".join((nginx.folder / name).read_text() for name in ("ordws.log", "error.log"))
    lines = [json.loads(line) for line in (nginx.folder / "ordws.log").read_text().splitlines()]
    assert {frozenset(line) for line in lines} == {frozenset(("time", "id", "status", "service", "seconds"))}
    for secret in (spelled, "127.0.0.1", "healthz", "judge", shared_installation.key):
        assert secret not in written
