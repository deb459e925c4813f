"""An attack through the directors' look over finished boards: invented games, registered by tables of a rogue club."""

from __future__ import annotations

from collections.abc import Sequence

from tests.mining.attackers.boards import crossing_words, invented_record
from tests.mining.attackers.cover_traffic import StealthCover
from tests.mining.attackers.knowledge import Knowledge
from tests.mining.attackers.steps import Attack, BenchCaller, BenchRequest


def reviews(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Register invented games as tables and ask a verdict on each of their plays as directors, below every alarm.

    Every second caller is a director. The attack ends when a budget of the club is spent.
    """
    tables, directors = callers[::2], callers[1::2]
    cover = StealthCover(knowledge.lexicon)
    boards = knowledge.policy.games_a_day * min(len(tables), len(directors))
    for number, words in zip(range(boards), crossing_words(knowledge), strict=False):
        table, director = tables[number % len(tables)], directors[number % len(directors)]
        label = f"game {number}"
        for request in cover.cover_requests(director, words, label, knowledge):
            reply = yield request
            if reply.verdict is None:
                return
            knowledge.record_verdict(tuple(request.body["words"]), reply.verdict)
            cover.record_verdict(director, request.body["words"], request.body.get("game"), reply.verdict)
        reply = yield BenchRequest(table, "/v1/boards", {"game": label, "record": invented_record(words)})
        if reply.status != 201:
            return
        reply = yield BenchRequest(director, f"/v1/boards/{reply.body['id']}/review-plays", {})
        if reply.status != 200:
            return
        for play in reply.body["plays"]:
            knowledge.record_verdict(tuple(play["words"]), play["valid"])
            cover.record_verdict(director, play["words"], label, play["valid"])
