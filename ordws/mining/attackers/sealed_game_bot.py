"""A bot that sits in every seat of a sealed game and plays only to learn: what was dealt decides what it can ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, Final, NamedTuple

from ordws.mining.attackers.cover_traffic import StealthCover
from ordws.mining.attackers.knowledge import Knowledge, entropy_bits
from ordws.mining.attackers.steps import Attack, BenchCaller, BenchRequest, Wait, Words
from ordws.mining.dawg import Dawg, build_dawg
from ordws.mining.move_generator import generate_plays, words_for
from ordws.records.cgp import read_board
from ordws.records.move_notation import write_move
from ordws.rules.move import Exchange, Legal, Pass, Play
from ordws.rules.rulesets import SCRABBLE_O

RULES: Final = SCRABBLE_O
"""Every play is judged at once."""

SEATS: Final = 2
_MAX_LENGTH: Final = 8
_DOUBTFUL_SAMPLE: Final = 20_000
_AVOIDED_VALUE: Final = -1.0
_TILE_COST: Final = 0.05
_CAREFUL_AFTER: Final = 13
"""Bad plays of a game, of 16, after which a play that is likely bad is left alone."""


class BotGame(NamedTuple):
    """A game, and the token of each of its seats, all of one caller's."""

    caller: BenchCaller
    id: str
    tokens: tuple[str, ...]


def play_games(
    callers: Sequence[BenchCaller], knowledge: Knowledge, *, games: int, cover: StealthCover | None = None
) -> Attack:
    """Opens so many games, on as many days as that takes, and then plays them all."""
    graph = build_dawg(words_for(RULES, _vocabulary(knowledge)))
    cover = cover or StealthCover(knowledge.lexicon, knowledge.rng)
    opened: list[BotGame] = []
    while len(opened) < games:
        caller = callers[len(opened) % len(callers)]
        answer = yield BenchRequest(caller, "/v1/games", _opening_body(caller))
        if answer.status == 201:
            tokens = [seat["token"] for seat in answer.body["seats"]]
            opened.append(BotGame(caller, answer.body["game"], tuple(tokens)))
        else:
            yield Wait(answer.now + max(1, answer.retry_after))
    for game in opened:
        yield from _play_game(game, knowledge, graph, cover)


def _vocabulary(knowledge: Knowledge) -> list[str]:
    """Core words, and as many others as there are enough of to choose from; few long ones can be played."""
    doubtful = sorted([word for word in knowledge.lexicon.borderline if len(word) <= _MAX_LENGTH])
    chosen = knowledge.rng.sample(doubtful, min(len(doubtful), _DOUBTFUL_SAMPLE))
    return [*chosen, *(word for word in knowledge.lexicon.core if len(word) <= _MAX_LENGTH)]


def _play_game(game: BotGame, knowledge: Knowledge, dawg: Dawg, cover: StealthCover) -> Attack:
    """A game to its end, or until one of its budgets is; core words outside hide it from the signs of mining."""
    bad = 0
    standing: Any = (yield _standing_request(game, 0)).body
    while standing["phase"] != "over":
        if standing["you"] != standing["mover"]:
            standing = (yield _standing_request(game, standing["mover"])).body
        for beside in cover.cover_requests(game.caller, ("",), None, knowledge):
            if (verdict := (yield beside).verdict) is None:
                break
            knowledge.record_verdict(tuple(beside.body["words"]), verdict)
            cover.record_cover_verdict(beside, verdict)
        is_careful = bad >= _CAREFUL_AFTER or cover.is_near_alarm(game.caller, "invalid", 1)
        move = _choose_move(knowledge, dawg, standing, is_careful=is_careful)
        body = {"seat": game.tokens[standing["you"]], "turn": standing["turn"], "move": move}
        answer = yield BenchRequest(game.caller, f"/v1/games/{game.id}/turns", body)
        if answer.status != 200:
            return
        told = find_turn_verdict(answer.body["happened"])
        if told is not None:
            words, is_good = told
            dear = tuple(
                [word for word in words if word in knowledge.lexicon.borderline and not knowledge.is_known(word)]
            )
            knowledge.record_verdict(words, is_good)
            cover.record_verdict(game.caller, dear, game.id, is_good)
            bad += not is_good
        standing = answer.body["standing"]


def find_turn_verdict(happened: Any) -> tuple[Words, bool] | None:
    """The words of a turn and whether all of them are in; None where that was not said."""
    if happened["outcome"] not in ("stands", "rejected"):
        return None
    return tuple(happened["words"]), happened["outcome"] == "stands"


def _standing_request(game: BotGame, seat: int) -> BenchRequest:
    return BenchRequest(game.caller, f"/v1/games/{game.id}", {}, "GET", game.tokens[seat])


def _opening_body(caller: BenchCaller) -> dict[str, Any]:
    seat = {} if caller.player is None else {"player": caller.player}
    return {"rules": RULES.id, "options": {"check_ospd": "none"}, "seats": [seat] * SEATS}


def _choose_move(knowledge: Knowledge, dawg: Dawg, standing: Any, *, is_careful: bool) -> str:
    """The play that teaches most, or else other tiles, where there are some."""
    board, rack = read_board(standing["position"].split()[0]), standing["rack"]
    known = knowledge.inference.known
    worths = [
        (_play_value(knowledge, play, legal, is_careful=is_careful), number, play)
        for number, (play, legal) in enumerate(generate_plays(RULES, dawg, board, rack))
        if all(known.get(word, True) for word in legal.words)
    ]
    best = max(worths, default=None)
    is_good = best is not None and best[0] > _AVOIDED_VALUE
    if best is not None and (best[0] > 0 or (is_good and is_careful)):
        return write_move(best[2])
    if standing["bag"] >= RULES.exchange_min:
        return write_move(Exchange(rack))
    return write_move(best[2] if best is not None and is_good else Pass())


def _play_value(knowledge: Knowledge, play: Play, legal: Legal, *, is_careful: bool) -> float:
    """The words that a play is expected to settle, a little of its bits, less a little for each tile it takes."""
    unknown = list(_unknown_words(knowledge, legal))
    tiles = _TILE_COST * (len(play.letters) - play.letters.count(b"."))
    if not any(word in knowledge.lexicon.borderline for word in unknown):
        return -tiles
    chance = prod(map(knowledge.chance, unknown))
    if is_careful and chance < 0.8:
        return _AVOIDED_VALUE - tiles
    dear = sum([word in knowledge.lexicon.borderline for word in unknown])
    settled = 1.0 if len(unknown) == 1 else chance * dear / len(unknown)
    return settled + entropy_bits(chance) / 4 - tiles


def _unknown_words(knowledge: Knowledge, legal: Legal) -> Iterator[str]:
    return (word for word in legal.words if len(word) > 2 and not knowledge.is_known(word))
