"""Tests of a full disk: nothing unwritten is acknowledged, nothing is lost, and work resumes when there is room."""

from __future__ import annotations

import json
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from namespaces import fill, in_own_namespaces, mount_small_disk
from sealed_game import SealedGame, install_edition, new_service_sender
from small_installation import CORE, WORDS, FakeClock, InProcessService, build_installation

from ordws.cli import ordws, run
from ordws.errors import StoreDown
from ordws.referee.stores.sqlite import SqliteGameStore


@pytest.fixture
def on_disk(tmp_path):
    """Return a decorator that runs a test's body over an installation with a disk of its own."""

    def run(body, size="2m"):
        def run_body():
            place = tmp_path / "disk"
            mount_small_disk(place, size)
            with build_installation(place / "instance") as installation:
                body(installation, place)

        in_own_namespaces(run_body)

    return run


def code(reply):
    return reply.status_code, reply.json["code"]


def test_questions_get_503_while_the_disk_is_full(on_disk):
    """Questions get 503 and no verdict while a charge cannot be written; with room the budget is as it was."""

    def body(installation, place):
        service = InProcessService(installation.services(), installation.key, FakeClock())
        assert service.judge("LOVERS").json == {"valid": True}
        filler = fill(place)
        # The journal still has the rest of its last page.
        asked = [(f"QQ{letter}{game}", game) for game in "ABC" for letter in "ABCDEFGHIJKLMNOPQRST"]
        refused = [service.judge(word, game=game) for word, game in asked]
        failures = [reply for reply in refused if reply.status_code == 503]
        assert len(failures) > 5
        assert {code(reply) for reply in failures} == {(503, "store-down")}
        assert {reply.headers["Retry-After"] for reply in failures} == {"2"}
        filler.unlink()
        answered = sum(reply.status_code == 200 for reply in refused)
        assert service.quota()["units"] == 355 - answered
        assert service.judge("LOVERS").json == {"valid": True}
        assert service.quota()["units"] == 355 - answered

    on_disk(body)


def test_readiness_fails_while_the_disk_is_full(on_disk):
    """A host that cannot write a charge reports that it is not ready, until it can."""

    def body(installation, place):
        service = InProcessService(installation.services(), installation.key, clock := FakeClock())
        assert service.http.get("/readyz").status_code == 200
        filler, began = fill(place), clock.now
        # Each time something is written, and the journal still has the rest of its last page.
        while service.http.get("/readyz").status_code == 200 and clock.now < began + 100:
            clock.now += 1
        assert code(service.http.get("/readyz")) == (503, "store-down")
        assert service.http.get("/healthz").status_code == 200
        filler.unlink()
        assert service.http.get("/readyz").status_code == 200

    on_disk(body)


def test_a_turn_gets_503_while_the_disk_is_full(on_disk):
    """A turn that cannot be written gets 503 and is not taken; earlier turns stand, and it is taken with room."""

    def body(installation, place):
        install_edition(installation, WORDS, number=2, core=CORE, reference=CORE)
        game = SealedGame(new_service_sender(installation.services(), installation.key), "scrabble-o")
        game.take(game.standing()["mover"], "-")
        standing, filler = game.standing(), fill(place)
        failures = [game.post(standing["mover"], 2, "-") for _ in range(3)]
        assert (failures[0][0], json.loads(failures[0][1])["code"]) == (503, "store-down")
        assert len({body for status, body in failures if status == 200}) <= 1, "what has given way may have made room"
        filler.unlink()
        game.post(standing["mover"], 2, "-")
        assert game.standing()["turn"] == 3
        for seat, turn, fields, sent in list(game.accepted):
            assert game.post(seat, turn, **fields) == (200, sent)

    on_disk(body)


def test_turns_that_arrive_together_on_a_full_disk_fail_together(on_disk):
    """Of turns that share a commit none is acknowledged unless it is written; with room each game takes its turn."""

    def body(installation, place):
        path = installation.instance.games
        store = SqliteGameStore(path)
        for number in range(16):
            store.open(f"{number}", 1, b"header", 1)
        # With a second connection, or the first, when it fails, would remove the log and so make room.
        store.rows("0", 0)
        rows = [os.urandom(4_000) for _ in range(16)]
        filler = fill(place)
        failed = set()
        with ThreadPoolExecutor(16) as pool:
            told = [pool.submit(store.append, f"{number}", 1, rows[number]) for number in range(16)]
            for number, each in enumerate(told):
                if each.exception() is None:
                    assert store.rows(f"{number}", 0) == [b"header", rows[number]]
                else:
                    assert isinstance(each.exception(), StoreDown)
                    assert store.rows(f"{number}", 0) == [b"header"]
                    failed.add(number)
        assert len(failed) > 10
        filler.unlink()
        for number in failed:
            assert store.append(f"{number}", 1, b"with room") == b"with room"
        store.close()

    on_disk(body)


def test_an_idempotent_request_gets_503_while_the_disk_is_full(on_disk):
    """A request whose reply cannot be stored gets 503; repeated with room it is answered and charged once."""

    def body(installation, place):
        services = installation.services()
        service = InProcessService(services, installation.key, clock := FakeClock())
        filler = fill(place)

        def ask(number):
            headers = {"Authorization": f"Bearer {installation.key}", "Idempotency-Key": f"{number}"}
            return service.http.post("/v1/judge", json={"words": ["LOVERS"]}, headers=headers).status_code

        assert 503 in [ask(number) for number in range(40)]
        filler.unlink()
        clock.now += 5
        assert [ask(39), ask(39)] == [200, 200]
        assert service.quota()["outside"] == 19

    on_disk(body)


def test_an_edition_is_refused_while_the_disk_is_full(on_disk, caplog):
    """An edition that cannot be stored is refused with the reason, and the old one served, until there is room."""

    def body(installation, place):
        clock = FakeClock()
        service = InProcessService(installation.services(), installation.key, clock)
        installation.deliver(*WORDS, *[f"{a}{b}QQQ" for a in "BCDFGHJKLMNPQRST" for b in "BCDFGHJKLMNPQRST"], number=2)
        filler = fill(place)
        clock.now += 1
        assert service.judge("CAT").status_code in (200, 503)
        assert service.services.editions.current.number == 1
        folder = installation.instance.editions
        why = f'edition 2 cannot be kept in "{folder}": No space left on device'
        assert service.services.editions.refusal == why
        assert f"a delivered edition is refused: {why}" in caplog.messages
        assert sorted(path.name for path in folder.iterdir()) == [".lock", "0001"]
        filler.unlink()
        for _ in range(61):
            clock.now += 1
            service.judge("CAT")
        assert (service.services.editions.current.number, service.services.editions.refusal) == (2, None)

    on_disk(body)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (("init", "--serving"), "No space left on device"),
        (("clients", "add", "club"), "does not answer: database or disk is full"),
    ],
)
def test_commands_fail_with_a_sentence_on_a_full_disk(on_disk, capsys, monkeypatch, line, message):
    """A command fails with one sentence that names the disk; with room the same command works."""

    def body(installation, place):
        if line[0] == "init":
            shutil.rmtree(place / "instance")
        filler = fill(place)
        monkeypatch.setattr(sys, "argv", ["ordws", "--instance", str(place / "instance"), *line])
        assert run(ordws, "ordws") == 2
        err = capsys.readouterr().err
        assert err.startswith("ordws: error: ")
        assert message in err
        filler.unlink()
        assert run(ordws, "ordws") == 0

    on_disk(body)
