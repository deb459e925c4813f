"""A bot that sits in every seat of a sealed game and plays only to learn: what was dealt decides what it can ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, Final, NamedTuple

from ordws.mining.attackers.mimicry import Watched
from ordws.mining.attackers.mind import Mind, bits
from ordws.mining.attackers.steps import Ask, Attack, Caller, Wait, Words
from ordws.mining.generator import generate, words_for
from ordws.mining.graph import Graph, graph_of
from ordws.records.cgp import read_board
from ordws.records.moves import write_move
from ordws.rules.move import Exchange, Legal, Pass, Play
from ordws.rules.rulesets import SCRABBLE_O

RULES: Final = SCRABBLE_O
"""Every play is judged at once."""

SEATS: Final = 2
_LONGEST: Final = 8
_DOUBTFUL: Final = 20_000
_LEFT_ALONE: Final = -1.0
_TILE: Final = 0.05
_CAREFUL: Final = 13
"""Bad plays of a game, of 16, after which a play that is likely bad is left alone."""


class Seated(NamedTuple):
    """A game, and the token of each of its seats, all of one caller's."""

    caller: Caller
    id: str
    tokens: tuple[str, ...]


def play_games(callers: Sequence[Caller], mind: Mind, *, games: int, cover: Watched | None = None) -> Attack:
    """Opens so many games, on as many days as that takes, and then plays them all."""
    graph = graph_of(words_for(RULES, _vocabulary(mind)))
    cover = cover or Watched(mind.world, mind.rng)
    opened: list[Seated] = []
    while len(opened) < games:
        caller = callers[len(opened) % len(callers)]
        answer = yield Ask(caller, "/v1/games", _opening(caller))
        if answer.status == 201:
            tokens = [seat["token"] for seat in answer.body["seats"]]
            opened.append(Seated(caller, answer.body["game"], tuple(tokens)))
        else:
            yield Wait(answer.now + max(1, answer.retry_after))
    for game in opened:
        yield from _play(game, mind, graph, cover)


def _vocabulary(mind: Mind) -> list[str]:
    """Core words, and as many others as there are enough of to choose from; few long ones can be played."""
    doubtful = sorted([word for word in mind.world.borderline if len(word) <= _LONGEST])
    chosen = mind.rng.sample(doubtful, min(len(doubtful), _DOUBTFUL))
    return [*chosen, *(word for word in mind.world.core if len(word) <= _LONGEST)]


def _play(game: Seated, mind: Mind, graph: Graph, cover: Watched) -> Attack:
    """A game to its end, or until one of its budgets is; core words outside hide it from the signs of mining."""
    bad = 0
    standing: Any = (yield _look(game, 0)).body
    while standing["phase"] != "over":
        if standing["you"] != standing["mover"]:
            standing = (yield _look(game, standing["mover"])).body
        for beside in cover.before(game.caller, ("",), None, mind):
            if (verdict := (yield beside).verdict) is None:
                break
            mind.told(tuple(beside.body["words"]), verdict)
            cover.noted(beside, verdict)
        is_careful = bad >= _CAREFUL or cover.is_near(game.caller, "invalid", 1)
        move = _choose(mind, graph, standing, is_careful=is_careful)
        body = {"seat": game.tokens[standing["you"]], "turn": standing["turn"], "move": move}
        answer = yield Ask(game.caller, f"/v1/games/{game.id}/turns", body)
        if answer.status != 200:
            return
        told = find_told(answer.body["happened"])
        if told is not None:
            words, is_good = told
            dear = tuple([word for word in words if word in mind.world.borderline and not mind.is_known(word)])
            mind.told(words, is_good)
            cover.told(game.caller, dear, game.id, is_good)
            bad += not is_good
        standing = answer.body["standing"]


def find_told(happened: Any) -> tuple[Words, bool] | None:
    """The words of a turn and whether all of them are in; None where that was not said."""
    if happened["outcome"] not in ("stands", "rejected"):
        return None
    return tuple(happened["words"]), happened["outcome"] == "stands"


def _look(game: Seated, seat: int) -> Ask:
    return Ask(game.caller, f"/v1/games/{game.id}", {}, "GET", game.tokens[seat])


def _opening(caller: Caller) -> dict[str, Any]:
    seat = {} if caller.player is None else {"player": caller.player}
    return {"rules": RULES.id, "options": {"check_ospd": "none"}, "seats": [seat] * SEATS}


def _choose(mind: Mind, graph: Graph, standing: Any, *, is_careful: bool) -> str:
    """The play that teaches most, or else other tiles, where there are some."""
    board, rack = read_board(standing["position"].split()[0]), standing["rack"]
    known = mind.ledger.known
    worths = [
        (_worth(mind, play, legal, is_careful=is_careful), number, play)
        for number, (play, legal) in enumerate(generate(RULES, graph, board, rack))
        if all(known.get(word, True) for word in legal.words)
    ]
    best = max(worths, default=None)
    is_good = best is not None and best[0] > _LEFT_ALONE
    if best is not None and (best[0] > 0 or (is_good and is_careful)):
        return write_move(best[2])
    if standing["bag"] >= RULES.exchange_min:
        return write_move(Exchange(rack))
    return write_move(best[2] if best is not None and is_good else Pass())


def _worth(mind: Mind, play: Play, legal: Legal, *, is_careful: bool) -> float:
    """The words that a play is expected to settle, a little of its bits, less a little for each tile it takes."""
    unknown = list(_unknown(mind, legal))
    tiles = _TILE * (len(play.letters) - play.letters.count(b"."))
    if not any(word in mind.world.borderline for word in unknown):
        return -tiles
    chance = prod(map(mind.chance, unknown))
    if is_careful and chance < 0.8:
        return _LEFT_ALONE - tiles
    dear = sum([word in mind.world.borderline for word in unknown])
    settled = 1.0 if len(unknown) == 1 else chance * dear / len(unknown)
    return settled + bits(chance) / 4 - tiles


def _unknown(mind: Mind, legal: Legal) -> Iterator[str]:
    return (word for word in legal.words if len(word) > 2 and not mind.is_known(word))
