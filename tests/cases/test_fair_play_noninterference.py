"""Fair play changes no byte of a reply: twin lists give the same traffic with it on and off (figure C6)."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import replace

import pytest
from sealed_game import NOON, FixedDraws, SealedGame, install_edition, new_service_sender
from small_installation import build_installation

from ordws.atomic_files import PUBLIC_MODE, SECRET_MODE, write_atomically
from ordws.cases.store import open_case_files, write_register
from ordws.fairplay.forms import DEFAULT_FORMS
from ordws.fairplay.lexicons import Lexicons
from ordws.fairplay.process import FairPlay, FinishedGames
from ordws.fairplay.store import FairPlayStore
from ordws.referee.games import SealedGames
from ordws.referee.results import Results
from ordws.referee.stores.sqlite import SqliteGameStore, SqliteResultStore
from tests.cases.case_steps import CaseWalk

IDS = re.compile(rb"urn:ordws:request:[0-9a-f-]+")
SCRIPT = ((0, "8E HEAL"), (1, "challenge"), (1, "-CEI"), (0, "-"), (1, "-"), (0, "resign"))
TWINS = (["HEAL", "HEAT"], ["HEAL", "QUIZ"])
"""Two lists that differ in words which nobody plays."""


class FairPlayBeside:
    """The process of fair play and the case files, beside a service; between all requests they do what they have to."""

    def __init__(self, services, instance):
        write_atomically(instance.fairplay_key, bytes(32), SECRET_MODE)
        self.store = FairPlayStore.create(instance.fairplay, bytes(32))
        queue = FinishedGames(services.games.results, services.games)
        self.process = FairPlay(queue, Lexicons(instance), self.store, DEFAULT_FORMS, 0.0)
        self.files, self.instance, self.taken = open_case_files(instance), instance, 0
        CaseWalk(self.files, now=NOON - 200 * 86_400).until_published()

    def step(self):
        self.taken += self.process.take_games(NOON + 60).games
        write_atomically(self.instance.register, write_register(self.files.register(NOON)), PUBLIC_MODE)

    def close(self):
        self.store.close()
        self.files.close()


def traffic(root, words, *, is_on):
    """Return every reply, with its headers, of a game and of questions about words, and the number of games taken."""
    with build_installation(root) as installation:
        install_edition(installation, words, number=2, reference=["HAET"])
        instance = installation.instance
        results = Results(SqliteResultStore.create(root / "world-results.db"), bytes(32))
        store = SqliteGameStore.create(root / "world.db")
        games = SealedGames(store, bytes(32), FixedDraws("AEHLTVZ", "CEILOQU"), lambda: "ab" * 16, results=results)
        services = replace(installation.services(), games=games)
        told = []
        ask = new_service_sender(services, installation.register.add("world", "home", 0))
        with closing(FairPlayBeside(services, instance)) if is_on else closing(store) as beside:

            def send(method, path, headers, body):
                status, answered, data = ask(method, path, headers, body)
                told.append((status, [each for each in answered if each[0] != "X-Request-Id"], IDS.sub(b"", data)))
                if is_on:
                    beside.step()
                return status, answered, data

            game = SealedGame(send, "classic")
            for seat, move in SCRIPT:
                game.post(seat, game.standing(seat)["turn"], move)
                game.get(1 - seat)
            send("POST", "/v1/judge", {}, b'{"words":["HEAL","LOVER"]}')
            send("GET", "/v1/quota", {}, None)
            return told, beside.taken if is_on else 0


@pytest.mark.parametrize("words", TWINS)
def test_traffic_is_byte_equal_with_fair_play_on_and_off(tmp_path, words):
    """The game is finished and taken, a case is open and one is in the register: no reply shows it."""
    off, _ = traffic(tmp_path / "off", words, is_on=False)
    on, taken = traffic(tmp_path / "on", words, is_on=True)
    assert taken == 1
    assert on == off


def test_twin_lists_are_equal_with_fair_play_on(tmp_path):
    one, other = [traffic(tmp_path / str(at), words, is_on=True)[0] for at, words in enumerate(TWINS)]
    assert len(one) > 15
    assert one == other
