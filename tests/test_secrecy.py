"""Tests that no word of the set stands anywhere unsealed after build, service, misuse, crash and backup."""

from __future__ import annotations

import base64
import gzip
import json
import random
import re
import subprocess
import zlib
from contextlib import contextmanager

import pytest
from free_ports import free_port
from http_replies import send, status_of
from keeper import BIN, Keeper
from leaks import MARISA, SQLITE, find_leaks, scan_folder
from processes import children, server_process
from sample_dictionaries import IN_BOTH, write_sources

LETTERS = "BCDFGJKQVWXZ"
CHANCE = random.Random(200)
CANARIES = sorted({"Z" + "".join(CHANCE.choices(LETTERS, k=CHANCE.randint(6, 9))) + "A" for _ in range(220)})[:200]
VOTED = CANARIES[150:175]
UNDECIDED = CANARIES[175:]


@pytest.fixture
def keeper(tmp_path):
    """Return a keeper whose dictionaries hold 150 settled canaries, 25 to be voted in and 25 left borderline."""
    keeper = Keeper(tmp_path / "house")
    (tmp_path / "tmp").mkdir()
    keeper.environment["TMPDIR"] = str(tmp_path / "tmp")
    both = [*IN_BOTH, *(f"{word.lower()} n" for word in CANARIES[:150])]
    write_sources(keeper.sources, both, first=[f"{word.lower()} v" for word in VOTED + UNDECIDED])
    return keeper


@contextmanager
def serving(keeper, log):
    """Run a real server on a free port, with two workers; its output goes to a file that is scanned too."""
    port = free_port()
    command = [BIN / "ordws", "serve", "--workers", "2", "--computer", "off", "--bind", f"127.0.0.1:{port}"]
    with server_process(command, log, lambda: status_of(port, "/readyz") == 200, env=keeper.environment) as server:
        yield server, port


def answer(port, method, path, body=None, **headers):
    """Return status and body of a reply; (0, b"") if there was none."""
    try:
        status, _, data = send(port, method, path, body, **headers)
    except OSError:
        return 0, b""
    return status, data


def ask(port, key, words, **more):
    body = json.dumps({"words": words, **more})
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    return answer(port, "POST", "/v1/judge", body, **headers)


def misuse(port, key):
    """Put canaries wherever a log or an error could pick them up, and return every reply."""
    word, other = CANARIES[:2]
    auth, kind = {"Authorization": f"Bearer {key}"}, {"Content-Type": "application/json"}
    yield answer(port, "GET", f"/v1/judge/{word}", **auth)
    yield answer(port, "GET", f"/v1/judge?word={word}", **auth)
    yield answer(port, "POST", f"/v1/judge?{word}", json.dumps({"words": [word]}), **auth, **kind)
    yield answer(port, word, "/v1/judge", **auth)
    yield answer(port, "POST", "/v1/judge", json.dumps({"words": [f"{word}-{other}"]}), **auth, **kind)
    yield answer(port, "POST", "/v1/judge", json.dumps({"words": [word], word: 1}), **auth, **kind)
    yield answer(port, "POST", "/v1/judge", json.dumps({"words": word}), **auth, **kind)
    yield answer(port, "POST", "/v1/judge", json.dumps({"words": [word], "rules": word}), **auth, **kind)
    yield answer(port, "POST", "/v1/judge", f'{{"words": ["{word}"'.encode(), **auth, **kind)
    yield answer(port, "POST", "/v1/judge", word.encode() * 4000, **auth, **kind)
    yield answer(port, "POST", "/v1/judge", json.dumps({"words": [word]}), Authorization=f"Bearer {word}", **kind)
    yield answer(port, "GET", "/healthz", **{"X-Request-Id": word, "User-Agent": word})


def test_no_canary_is_in_a_file_log_or_reply(keeper, tmp_path):
    """Build, votes, service, misuse, lost store, crash, backup and restore leave no canary in file, log or reply."""
    said = keeper.types("ordws init")
    key = re.search(r"ordws_live_\S+", said).group()
    recovery = re.search(r"ordws_recovery_\S+", said).group()
    keeper.build()
    keeper.votes(*(f"{n}{who} {word} {who} in" for n, word in enumerate(VOTED) for who in ("ada", "ben")))
    (keeper.instance.parent / "ballots.csv").unlink()
    keeper.build()
    (keeper.instance / "settings.toml").write_text("[policy]\ntightened_percent = 100\n")  # canaries look like mining
    log, answers = tmp_path / "server.log", []
    with serving(keeper, log) as (server, port):
        assert ask(port, key, CANARIES[:8]) == (200, b'{"valid":true }')
        assert ask(port, key, [VOTED[0]]) == (200, b'{"valid":true }')
        assert ask(port, key, [UNDECIDED[0]]) == (200, b'{"valid":false}')
        answers += misuse(port, key)
        (keeper.instance / "meters").rename(keeper.instance / "away")
        answers.append(ask(port, key, CANARIES[8:10]))
        (keeper.instance / "away").rename(keeper.instance / "meters")
        for worker in children(server.pid):
            subprocess.run(["kill", "-SEGV", str(worker)], check=False)
        answers += [ask(port, key, CANARIES[10:12])]
        server.kill()
    for name, harm in (("second.csv", b"%s,noun,,,slot:%s\n"), ("first.json", b'[{"meta": "%s", "hwi": "%s"')):
        file = keeper.sources / name
        whole = file.read_bytes()
        file.write_bytes(whole + harm % (CANARIES[3].encode(), CANARIES[4].encode()))
        keeper.types(f"ordws-build run --keep-going --recipe {keeper.recipe}", status=2)
        file.write_bytes(whole)
    keeper.types("ordws status")
    keeper.types("ordws curation status")
    keeper.types(f"ordws backup {tmp_path}/backup.ordws")
    keeper.types(f"ordws restore {tmp_path}/backup.ordws --instance {tmp_path}/restored", stdin=recovery + "\n")
    (tmp_path / "said").write_text("\n".join(keeper.outputs))
    (tmp_path / "answers").write_bytes(b"\n".join(body for _, body in answers))
    apart = [keeper.sources, keeper.instance / "public", tmp_path / "restored" / "public"]
    assert scan_folder(tmp_path, CANARIES, apart_from=apart) == {}
    assert [path for path in tmp_path.rglob("core*") if path.is_file() and path.name != "core"] == []
    assert not (keeper.instance / "curation.db").read_bytes().startswith(SQLITE)
    assert 500 not in {status for status, _ in answers}
    assert log.stat().st_size > 0


@pytest.mark.parametrize(
    "leak",
    [
        lambda word: word.encode(),
        lambda word: word.lower().encode(),
        lambda word: word[::-1].encode(),
        lambda word: word.encode("utf-16"),
        lambda word: word.encode().hex().encode(),
        lambda word: base64.b64encode(word.encode()),
        lambda word: base64.b64encode(b"x" + word.encode() + b"y"),
        lambda word: base64.b64encode(b"xy" + word.lower().encode()),
        lambda word: gzip.compress(b"before " + word.encode()),
        lambda word: b"junk" + zlib.compress(word.encode()) + b"junk",
    ],
)
def test_the_scan_finds_a_planted_leak(tmp_path, leak):
    """A canary planted in any of the encodings is found, so that an empty result means something."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "file").write_bytes(b"\0" * 100 + leak(CANARIES[3]) + b"\xff" * 100)
    assert scan_folder(tmp_path, CANARIES) == {"deep/file": {CANARIES[3]}}


def test_the_scan_finds_a_trie():
    """A trie in the clear is found by its beginning, which a search for words would miss (docs/guard.md 4.1)."""
    assert find_leaks(b"..." + MARISA + b"\0...", CANARIES) == {"a trie"}
