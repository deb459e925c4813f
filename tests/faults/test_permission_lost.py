"""Tests of lost permissions: nothing uncharged is answered, nothing is lost, and work resumes when they return.

A thread without privileges of its own stands for the user that the service runs as.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from namespaces import allow_writing, drop_privilege, forbid_writing, in_own_namespaces, mount_small_disk
from sealed_game import SealedGame, new_service_sender
from small_installation import WORDS, FakeClock, InProcessService, build_installation

from ordws.errors import OrdwsError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def as_user(tmp_path):
    """Return a decorator that runs a test's body over a new installation, bound by the permissions of its files."""

    def run(body):
        def run_body():
            drop_privilege()
            with build_installation(tmp_path / "instance") as installation:
                body(installation)

        in_own_namespaces(run_body)

    return run


def code(reply):
    return reply.status_code, reply.json.get("code")


def test_requests_get_503_without_access_to_the_folder(as_user):
    """Questions, turns and readiness get 503; after the permission returns all is as it was."""

    def body(installation):
        service = InProcessService(installation.services(), installation.key, FakeClock())
        game = SealedGame(new_service_sender(installation.services(), installation.key), "scrabble-o")
        assert service.judge("LOVERS").json == {"valid": True}
        game.take(game.standing()["mover"], "-")
        standing, root = game.standing(), installation.instance.root
        root.chmod(0)
        assert code(service.judge("ZAX")) == (503, "store-down")
        assert code(service.http.get("/readyz")) == (503, "store-down")
        status, body = game.post(standing["mover"], 2, "-")
        assert (status, json.loads(body)["code"]) == (503, "store-down")
        assert service.http.get("/healthz").status_code == 200
        root.chmod(0o700)
        assert service.http.get("/readyz").status_code == 200
        assert service.judge("ZAX").json == {"valid": True}
        assert service.quota()["outside"] == 18
        assert game.standing() == standing

    as_user(body)


@pytest.mark.parametrize("name", ["meters/map-*[!k]", "games.db", "replies.db", "clients.db"])
def test_a_new_process_fails_without_access_to_a_store(as_user, name):
    """A process that has a store open goes on; a new one refuses or names the file until the permission returns."""

    def body(installation):
        service = InProcessService(installation.services(), installation.key, FakeClock())
        assert service.judge("LOVERS").json == {"valid": True}
        (path,) = installation.instance.root.glob(name)
        path.chmod(0)
        assert service.judge("LOVERS").json == {"valid": True}
        if name in ("replies.db", "clients.db"):
            with pytest.raises(OrdwsError, match=name):
                installation.services()
        else:
            service.services.gate.store.close()
            service.services.games.store.close()
            request = {"rules": "scrabble-o", "seats": [{}, {}]}
            assert code(service.post(request, path="/v1/games")) == (503, "store-down")
        path.chmod(0o600)
        begun = InProcessService(installation.services(), installation.key, FakeClock())
        assert begun.judge("LOVERS").json == {"valid": True}
        assert begun.quota()["outside"] == 19

    as_user(body)


FORBIDDEN = {
    "the keys": ("keys", '"{root}/keys" cannot be read: Permission denied'),
    "an edition": ("ordws.sealed", '"{root}/ordws.sealed" cannot be read: Permission denied'),
    "the adopted editions": ("editions", 'edition 2 cannot be kept in "{root}/editions": Permission denied'),
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_an_unreadable_delivery_is_refused(as_user, caplog, what):
    """The old edition is served and the log names the file; after the permission returns the new one is taken."""

    def body(installation):
        name, why = FORBIDDEN[what]
        service = InProcessService(installation.services(), installation.key, clock := FakeClock())
        installation.deliver(*WORDS, "FLUTIST", number=2)
        path = installation.instance.root / name
        mode = path.stat().st_mode
        path.chmod(0)
        clock.now += 1
        # Not the new word, whose repeats would be answered by the old edition for a day.
        assert service.judge("REPENT").json == {"valid": True}
        assert service.services.editions.current.number == 1
        reason = why.format(root=installation.instance.root)
        assert [line for line in caplog.messages if line.startswith(f"a delivered edition is refused: {reason}")]
        assert service.http.get("/readyz").status_code == 200
        path.chmod(mode)
        for _ in range(61):
            clock.now += 1
            service.http.get("/healthz")
        assert service.judge("FLUTIST").json == {"valid": True}

    as_user(body)


@pytest.mark.parametrize("name", ["keys", "keys/pepper.key", "keys/meter.key", "clients.db", "ordws.sealed"])
def test_an_unreadable_file_is_named(as_user, name):
    """The error names the file that may not be read."""

    def body(installation):
        path = installation.instance.root / name
        path.chmod(0)
        with pytest.raises(OrdwsError, match=r"ermission denied|unable to open database file") as raised:
            installation.services()
        assert path.name in str(raised.value)

    as_user(body)


@pytest.mark.parametrize("name", ["keys/pepper.key", "."])
def test_a_service_without_access_to_a_file_does_not_start(tmp_path, name):
    """A service that may not read a file ends with a sentence that names the file."""
    with build_installation(tmp_path / "instance") as installation:
        path = installation.instance.root / name
        path.chmod(0)
        command = [
            sys.executable,
            "-c",
            "from ordws.cli import main; main()",
            "--instance",
            str(installation.instance.root),
        ]
        done = subprocess.run(
            [
                "setpriv",
                "--bounding-set=-all",
                "--inh-caps=-all",
                *command,
                "serve",
                "--computer",
                "off",
                "--stream",
                "off",
                "--bind",
                "127.0.0.1:0",
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        path.chmod(0o700)
    assert done.returncode == 2, done.stderr
    first = done.stderr.splitlines()[0]
    assert first.startswith("ordws: error: ")
    assert path.name in first
    assert "ermission denied" in first or "unable to open database file" in first


def test_requests_get_503_on_a_read_only_disk(tmp_path):
    """Requests get 503 while nothing can be written; afterwards all is as it was and goes on."""

    def body():
        place = tmp_path / "disk"
        mount_small_disk(place, "4m")
        with build_installation(place / "instance") as installation:
            service = InProcessService(services := installation.services(), installation.key, FakeClock())
            game = SealedGame(new_service_sender(services, installation.key), "scrabble-o")
            assert service.judge("LOVERS").json == {"valid": True}
            standing = game.standing()
            stores = (
                installation.register,
                services.register,
                services.gate.store,
                services.toy.gate.store,
                services.games.store,
            )
            for held in (
                *stores,
                services.idempotency._store,
                services.devices,
                services.judge_log,
                services.kept_games,
                services.bound_stations,
                services.play_links,
                services.practice_register,
                services.games.results,
            ):
                held.close()  # or the kernel would not let it be made so; where a disk fails it does
            forbid_writing(place)
            assert code(service.judge("ZAX")) == (503, "store-down")
            assert code(service.http.get("/readyz")) == (503, "store-down")
            assert game.post(standing["mover"], 1, "-")[0] == 503
            allow_writing(place)
            replies = [service.judge("ZAX") for _ in range(2)]
            assert replies[-1].json == {"valid": True}
            assert service.http.get("/readyz").status_code == 200
            assert service.quota()["outside"] == 18
            game.post(standing["mover"], 1, "-")
            game.take(game.standing()["mover"], "-")

    in_own_namespaces(body)
