"""Guests who open games by the play link and play only to learn: alone, or in pairs, from as many addresses."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import cycle
from typing import Final

from ordws.guard.policy import DAY
from tests.mining.attackers.knowledge import Knowledge
from tests.mining.attackers.scheduler import CoverTraffic
from tests.mining.attackers.sealed_game_bot import RULES, BotGame, play_game, playable_words, turn_request
from tests.mining.attackers.steps import Attack, AttackStep, BenchCaller, BenchReply, BenchRequest, Wait

_OATH_VERSION: Final = 1


def play_as_guests(callers: Sequence[BenchCaller], knowledge: Knowledge, *, first_games: int = 0) -> Attack:
    """Open games as long as any address may, and play each to its end, which gives back what it did not spend.

    So many games are opened on the first day and played on the second, beside those of that day.
    """
    graph, cover = playable_words(knowledge), CoverTraffic()
    pairs = cycle(zip(callers, [*callers[1:], callers[0]], strict=True))
    waiting: list[BotGame] = []
    while len(waiting) < first_games and (game := (yield from _open_game(*next(pairs)))) is not None:
        waiting.append(game)
    if waiting:
        now = (yield Wait(0)).now
        yield Wait((now // DAY + 1) * DAY)
    refused = 0
    while waiting or refused < len(callers):
        game = waiting.pop() if waiting else (yield from _open_game(*next(pairs)))
        refused = refused + 1 if game is None else 0
        if game is not None:
            yield from play_game(game, knowledge, graph, cover)
            for token in game.tokens:
                # What is left of a game that nobody can ask in any more comes back when it is over.
                standing = (yield BenchRequest(game.caller, f"/v1/games/{game.id}", {}, "GET", token)).body
                if standing["phase"] != "over":
                    yield turn_request(game, standing, "resign")


def _open_game(opener: BenchCaller, other: BenchCaller) -> Generator[AttackStep, BenchReply, BotGame | None]:
    """Open a game for two addresses, which take its seats and swear; return None where it is refused."""
    body = {"link": opener.link, "name": "A", "rules": RULES.id, "options": {"check_ospd": "none"}, "first": "me"}
    opened = yield BenchRequest(opener, "/v1/guest-games", body)
    if opened.status != 201:
        return None
    path = f"/v1/games/{opened.body['game']}"
    taking = {"invitation": opened.body["invitations"][0]["invitation"], "name": "B"}
    taken = yield BenchRequest(other, f"{path}/seat", taking)
    game = BotGame(opener, opened.body["game"], (opened.cookie, taken.cookie))
    for token in game.tokens:
        yield BenchRequest(opener, f"{path}/oath", {"version": _OATH_VERSION}, seat_token=token)
    return game
