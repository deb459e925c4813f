"""A bot that holds every seat of sealed games and plays only to learn; the tiles dealt limit what it can ask."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, prod
from typing import Any, Final, NamedTuple

from ordws.guard.policy import DAY
from ordws.movegen.graph import Graph
from ordws.movegen.moves import words_for
from ordws.records.notation import read_board, write_move
from ordws.rules.move import Exchange, Pass
from ordws.rules.ruleset import SCRABBLE_O
from tests.judged_plays import judged_plays
from tests.mining.attackers.cover_traffic import StealthCover
from tests.mining.attackers.knowledge import Knowledge
from tests.mining.attackers.scheduler import CoverTraffic
from tests.mining.attackers.steps import Attack, BenchCaller, BenchReply, BenchRequest, Wait, Words
from tests.mining.mined_lexicon import entropy_bits

RULES: Final = SCRABBLE_O
"""A rule set that judges every play at once."""

SEATS: Final = 2
_MAX_LENGTH: Final = 8
_DOUBTFUL_SAMPLE: Final = 20_000
_NO_VALUE: Final = -inf
_TILE_COST: Final = 0.05


class BotGame(NamedTuple):
    """A game, and the tokens of its seats, which one caller holds."""

    caller: BenchCaller
    id: str
    tokens: tuple[str, ...]


def play_games(
    callers: Sequence[BenchCaller], knowledge: Knowledge, *, games: int, cover: StealthCover | None = None
) -> Attack:
    """Open so many games, on as many days as that takes, and then play them all, each until a budget of it is spent."""
    graph = playable_words(knowledge)
    cover = cover or StealthCover(knowledge.lexicon)
    opened: list[BotGame] = []
    while len(opened) < games:
        caller = callers[len(opened) % len(callers)]
        seat = {} if caller.player is None else {"player": caller.player}
        body = {"rules": RULES.id, "options": {"check_ospd": "none"}, "seats": [seat] * SEATS}
        reply = yield BenchRequest(caller, "/v1/games", body)
        if reply.status == 201:
            tokens = [seat["token"] for seat in reply.body["seats"]]
            opened.append(BotGame(caller, reply.body["game"], tuple(tokens)))
            cover.start_day(reply.now // DAY)
            cover.record_game(caller, reply.body["game"])
        else:
            yield Wait(reply.now + max(1, reply.retry_after))
    for game in opened:
        yield from play_game(game, knowledge, graph, cover)


def playable_words(knowledge: Knowledge) -> Graph:
    """Return the words that a bot chooses its plays from."""
    # A sample of doubtful words is enough to choose from, and long words can rarely be played.
    doubtful = sorted([word for word in knowledge.lexicon.borderline if len(word) <= _MAX_LENGTH])
    vocabulary = knowledge.rng.sample(doubtful, min(len(doubtful), _DOUBTFUL_SAMPLE))
    vocabulary += [word for word in knowledge.lexicon.core if len(word) <= _MAX_LENGTH]
    return Graph.from_words(words_for(RULES, vocabulary))


def play_game(game: BotGame, knowledge: Knowledge, graph: Graph, cover: CoverTraffic) -> Attack:
    """Play a game in all its seats until it is over, or a budget of it or an alarm is near."""
    reply = yield _standing_request(game, 0)
    standing: Any = reply.body
    while standing["phase"] != "over":
        if standing["you"] != standing["mover"]:
            standing = (yield _standing_request(game, standing["mover"])).body
        move, words = _choose_move(knowledge, graph, standing)
        if not cover.may_ask(game.caller, words, game.id, knowledge.policy, reply.now // DAY):
            break
        reply = yield turn_request(game, standing, move)
        if reply.status != 200:
            break
        settled = find_turn_verdict(reply.body["happened"])
        if settled is not None:
            words, is_good = settled
            knowledge.record_verdict(words, is_good)
            cover.record_verdict(game.caller, words, game.id, is_good)
        standing = reply.body["standing"]


def turn_request(game: BotGame, standing: Any, move: str) -> BenchRequest:
    """Return the move of the seat that sees this standing."""
    token, body = game.tokens[standing["you"]], {"turn": standing["turn"], "move": move}
    path = f"/v1/games/{game.id}/turns"
    if game.caller.link:
        return BenchRequest(game.caller, path, body, seat_token=token)
    return BenchRequest(game.caller, path, {"seat": token, **body})


def find_turn_verdict(happened: Any) -> tuple[Words, bool] | None:
    """Return the words of a turn and whether all of them are in; None if no verdict was given."""
    if happened["outcome"] not in ("stands", "rejected"):
        return None
    return tuple(happened["words"]), happened["outcome"] == "stands"


def find_verdicts(request: BenchRequest, reply: BenchReply) -> list[tuple[Words, bool]]:
    """Return the verdicts that a reply gives, each with its words."""
    if reply.status != 200:
        return []
    if request.path.endswith("/turns"):
        verdict = find_turn_verdict(reply.body["happened"])
        return [] if verdict is None else [verdict]
    if request.path.endswith("/review-plays"):
        return [(tuple(play["words"]), play["valid"]) for play in reply.body["plays"]]
    if reply.verdict is None:
        return []
    if request.path == "/v1/visitors":
        return [((request.body["word"],), reply.verdict)]
    return [(tuple(reply.body.get("words") or request.body["words"]), reply.verdict)]


def _standing_request(game: BotGame, seat: int) -> BenchRequest:
    return BenchRequest(game.caller, f"/v1/games/{game.id}", {}, "GET", game.tokens[seat])


def _choose_move(knowledge: Knowledge, graph: Graph, standing: Any) -> tuple[str, Words]:
    """Return the play that teaches most, or else an exchange or a pass, and the words of which it asks a verdict.

    The value of a play is the number of words that it is expected to settle and a part of its entropy, less a little
    for each tile.
    """
    board, rack = read_board(standing["position"].split()[0]), standing["rack"]
    known, borderline = knowledge.inference.known, knowledge.lexicon.borderline
    best_value, best_play, best_words = _NO_VALUE, None, ()
    for play, legal in judged_plays(RULES, graph, board, rack):
        if not all(known.get(word, True) for word in legal.words):
            continue
        unknown = [word for word in legal.words if len(word) > 2 and not knowledge.is_known(word)]
        tiles = _TILE_COST * (len(play.letters) - play.letters.count(b"."))
        value = -tiles
        if non_core := sum([word in borderline for word in unknown]):
            chance = prod(map(knowledge.chance, unknown))
            # A no with several unknown words settles none of them.
            settled = 1.0 if len(unknown) == 1 else chance * non_core / len(unknown)
            value = settled + entropy_bits(chance) / 4 - tiles
        # Of plays of equal value the last one is taken.
        if value >= best_value:
            best_value, best_play, best_words = value, play, legal.words
    if best_play is not None and best_value > 0:
        return write_move(best_play), best_words
    if standing["bag"] >= RULES.exchange_min:
        return write_move(Exchange(rack)), ()
    return (write_move(Pass()), ()) if best_play is None else (write_move(best_play), best_words)
