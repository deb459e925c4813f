"""`ordws tournament bind` and `online`: what they refuse, and what they write."""

from __future__ import annotations

import json

import pytest
from cli_installation import Command

GAME = "39ac7eedab3f5807b971fa43ab2a0017"


@pytest.fixture
def published(command: Command) -> Command:
    for line in ("new e --rounds 3 --seed 1", "enter e Ann Ben", "check-in e --all", "publish e"):
        assert command("tournament", *line.split())[0] == 0
    return command


@pytest.mark.parametrize("place", [("--device", "Table 3"), ("--game", GAME)])
def test_a_pairing_is_bound_once(published: Command, place: tuple[str, str]) -> None:
    """A binding is a fact, and the same again adds none."""
    status, out, _ = published("tournament", "bind", "e", "1", "1", *place, "--json")
    assert (status, [each["kind"] for each in json.loads(out)["facts"]]) == (0, ["bound"])
    _, out, _ = published("tournament", "bind", "e", "1", "1", *place, "--json")
    assert json.loads(out)["facts"] == []


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ((), "name one place: --game ID or --device NAME"),
        (("--game", GAME, "--device", "Table 3"), "name one place"),
        (("--game", "4"), '"4" is no id of a game: it has 32 digits and letters a to f'),
        (("--game", GAME, "--second"), "there is no game 2: a round has one game"),
    ],
)
def test_a_binding_that_cannot_be_is_refused(published: Command, options: tuple[str, ...], reason: str) -> None:
    """Neither no place, nor two, nor what is no id, nor a game that there is not, can be bound."""
    status, _, err = published("tournament", "bind", "e", "1", "1", *options)
    assert status == 2
    assert reason in err


def test_on_line_rounds_need_a_key(published: Command) -> None:
    """A missing key is named before anything is asked."""
    status, _, err = published("tournament", "online", "e", "--service", "http://127.0.0.1:9", "--key-file", "none")
    assert status != 0
    assert 'no key at "none"' in err


def test_a_step_without_a_service_is_a_note(
    published: Command, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event in person has nothing to ask, and a desk without a service says what it waits for."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    monkeypatch.setattr("ordws.desk.operators.PATIENCE_SECONDS", 0.0)
    key = tmp_path_factory.mktemp("keys") / "key"
    key.write_text("ordws_live_x\n")
    options = ["--service", "http://127.0.0.1:9", "--key-file", str(key), "--once"]
    assert published("tournament", "online", "e", *options) == (0, "", "")
    published("tournament", "bind", "e", "1", "1", "--game", GAME)
    status, out, err = published("tournament", "online", "e", *options)
    assert (status, out) == (0, "")
    assert err.startswith("ordws: note: The word judge does not answer")
