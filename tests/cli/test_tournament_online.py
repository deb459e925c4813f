"""`ordws tournament online`: what it refuses, and what it writes."""

from __future__ import annotations

import pytest
from cli_installation import Command

GAME = "39ac7eedab3f5807b971fa43ab2a0017"


@pytest.fixture
def published(command: Command) -> Command:
    assert command("tournament", "new", "e", "--rounds", "3", "--seed", "1")[0] == 0
    assert command("tournament", "do", "e", "enter Ann", "enter Ben", "in all", "publish")[0] == 0
    return command


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
    published("tournament", "do", "e", f"bind 1 game {GAME}")
    status, out, err = published("tournament", "online", "e", *options)
    assert (status, out) == (0, "")
    assert err.startswith("ordws: note: The word judge does not answer")
