"""An attack through the directors' look over finished boards: invented games, registered by tables of a rogue club."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from ordws.mining.attackers.cover_traffic import StealthCover
from ordws.mining.attackers.knowledge import Knowledge
from ordws.mining.attackers.question_order import words_by_likelihood
from ordws.mining.attackers.steps import Attack, BenchCaller, BenchRequest, Words

MOST_TILES: Final = 7
CENTRE_ROW: Final = 8
CENTRE_COLUMN: Final = 7
"""The index of the column of the centre, in which the word across ends."""


def reviews(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Register invented games as tables and ask a verdict on each of their plays as directors, below every alarm.

    Every second caller is a director. The attack ends when a budget of the club is spent.
    """
    tables, directors = callers[::2], callers[1::2]
    cover = StealthCover(knowledge.lexicon, knowledge.rng)
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


def crossing_words(knowledge: Knowledge) -> Iterator[Words]:
    """Yield a word across and words that come down to every second letter of it, likely words first."""
    words = [word for word in words_by_likelihood(knowledge) if len(word) <= MOST_TILES]
    by_ending: defaultdict[str, list[str]] = defaultdict(list)
    for word in reversed(words):
        by_ending[word[-1]].append(word)
    used: set[str] = set()
    for across in words:
        if across in used:
            continue
        group = [across]
        for letter in across[::2]:
            stock = by_ending[letter]
            while stock and stock[-1] in (used | {*group}):
                stock.pop()
            group.append(stock.pop() if stock else "")
        used.update(group)
        yield tuple(group)


def invented_record(words: Words) -> str:
    """Return the record of a game of these plays: the first word across the centre, the others down to its letters."""
    across, *down = words
    first = CENTRE_COLUMN - len(across) + 1
    plays = [f"{CENTRE_ROW}{_letter(first)} {across}"]
    for number, word in enumerate(down):
        if word:
            plays.append(f"{_letter(first + 2 * number)}{CENTRE_ROW - len(word) + 1} {word[:-1]}.")
    lines = [f">{'ab'[number % 2]}: ? {play} +0 0" for number, play in enumerate(plays)]
    head = ("#player1 a", "#player2 b", "#description ordws rules=classic")
    return "\n".join([*head, *lines, "#note ordws ended forfeit"])


def _letter(column: int) -> str:
    return chr(ord("A") + column)
