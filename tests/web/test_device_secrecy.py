"""Tests of what paired devices leave in a running service's log, files and other processes."""

from __future__ import annotations

import json

import pytest
from http_replies import send
from leaks import scan_folder
from service_process import ServiceProcess, serve_command

CANARIES = ["ZQXVJKA", "ZWVQXBA", "ZKJXQWVA", "ZFJQXKA"]
PLACE = "Zxqvfjtable"


@pytest.fixture
def real(installation, tmp_path):
    """`ordws serve` with two workers, as a keeper starts it."""
    command = serve_command(installation.instance.root, "--workers", "2", "--metrics", "off")
    (tmp_path / "said").mkdir()
    running = ServiceProcess(tmp_path / "said", installation.register.add("club", "operator", 1), command)
    yield running
    running.stop()


def ask(real, method, path, body=None, **headers):
    """Return status, headers and body of a reply, over a new connection, which any worker may serve."""
    return send(real.port, method, path, body, **headers)


def misused(real, code, token):
    """Return every status of requests that put secrets wherever a log or an error could pick them up."""
    word, key = CANARIES[0], {"Authorization": f"Bearer {real.key}"}
    for secret in (code, token, word, PLACE):
        yield ask(real, "GET", f"/v1/pair?code={secret}")[0]
        yield ask(real, "POST", f"/v1/pair?{secret}", {"code": code})[0]
        yield ask(real, "POST", f"/v1/pair/{secret}", {"code": code})[0]
        yield ask(real, "POST", "/v1/pair", {"code": secret})[0]
        yield ask(real, "POST", "/v1/pair", {"code": code, secret: 1})[0]
        yield ask(real, "POST", "/v1/pair", f'{{"code": "{secret}'.encode())[0]
        yield ask(real, "POST", "/v1/devices", {"table": f"{secret}\n"}, **key)[0]
        yield ask(real, "POST", "/v1/devices", {"table": PLACE, "log": secret}, **key)[0]
        yield ask(real, "POST", f"/v1/devices/{secret}/revoke", {}, **key)[0]
        yield ask(real, "GET", f"/v1/devices/log?before={secret}", **key)[0]
        yield ask(real, "POST", "/v1/devices/log/find", {"words": [f"{secret}4"]}, **key)[0]
        yield ask(real, "GET", "/v1/device", Cookie=f"{secret}={secret}; ordws_device={secret}{secret}")[0]
        yield ask(real, "POST", "/v1/ospd", {"words": [f"{secret}4"]}, Cookie=f"ordws_device={token}")[0]
        yield ask(real, "POST", "/v1/ospd", {"words": [word], "rules": secret}, Cookie=f"ordws_device={token}")[0]
        yield ask(real, "GET", "/v1/device", Origin=f"https://{secret}", Cookie=f"ordws_device={token}")[0]


def test_no_code_cookie_or_word_is_in_log_or_files(real, installation, tmp_path):
    """All workers must know a device until it is revoked, and no code, cookie or word may be in log or files."""
    key = {"Authorization": f"Bearer {real.key}"}
    code = json.loads(ask(real, "POST", "/v1/devices", {"table": PLACE, "log": True}, **key)[2])["code"]
    unused = json.loads(ask(real, "POST", "/v1/devices", {"table": PLACE}, **key)[2])["code"]
    status, headers, _ = ask(real, "POST", "/v1/pair", {"code": code})
    token = headers["Set-Cookie"].partition(";")[0].partition("=")[2]
    cookie = {"Cookie": f"ordws_device={token}"}
    assert (status, len(token)) == (200, 43)
    assert {ask(real, "GET", "/v1/device", **cookie)[0] for _ in range(12)} == {200}
    for word in CANARIES:
        assert ask(real, "POST", "/v1/judge", {"words": [word], "game": "g"}, **cookie)[2] == b'{"valid":false}'
        assert ask(real, "POST", "/v1/ospd", {"words": [word]}, **cookie)[2] == b'{"found":false}'
    assert set(misused(real, code, token)) <= {400, 401, 403, 404, 405, 422}
    installation.instance.judge_log.rename(tmp_path / "away")
    assert ask(real, "POST", "/v1/judge", {"words": [CANARIES[0]]}, **cookie)[0] == 200
    (tmp_path / "away").rename(installation.instance.judge_log)
    assert ask(real, "POST", "/v1/devices/1/revoke", {}, **key)[0] == 200
    assert {ask(real, "GET", "/v1/device", **cookie)[0] for _ in range(12)} == {401}
    assert real.stop() == 0
    assert scan_folder(tmp_path, CANARIES) == {}
    files = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    secrets = [part for secret in (code, unused, token) for part in (secret, secret.replace("-", ""))]
    assert [(name, secret) for name, data in files.items() for secret in secrets if secret.encode() in data] == []
    named = {name.name.partition("-wal")[0] for name, data in files.items() if PLACE.encode() in data}
    assert named == {"clients.db", "judge-log.db"}
