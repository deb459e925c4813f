"""Games that people with a small vocabulary played, in the form of client requests: simulated once and stored.

`python -m tests.load.games > tests/vectors/load/games.jsonl` plays them anew. Their words are so common that every
edition has them, so that the requests suit a real edition too.
"""

from __future__ import annotations

import sys
from functools import cache
from itertools import count, islice
from pathlib import Path
from typing import Final

from ordws.fairplay.recorded_games import RULES, RecordedGame, read_game
from ordws.movegen.graph import Graph
from ordws.movegen.moves import words_for
from tests.mining.mined_lexicon import MinedLexicon, make_mined_lexicon
from tests.mining.selfplay import SelfPlaySetup, play_game

GAMES: Final = 32
SHORTEST: Final = 30
MOST_REJECTED: Final = 14
_SEED: Final = 7
_VECTORS: Final = Path(__file__).parents[1] / "vectors"
_FILE: Final = _VECTORS / "load" / "games.jsonl"
_KNOWN_TIER, _DOUBTFUL_TIER = 1, 6


@cache
def common_words() -> tuple[str, ...]:
    """Return the words that these games are played with."""
    return tuple((_VECTORS / "mining" / "common.txt").read_text("ascii").split())


@cache
def table_games() -> tuple[RecordedGame, ...]:
    """Return the stored games."""
    return tuple([read_game(line) for line in _FILE.read_text("ascii").splitlines()])


def self_play_setup() -> SelfPlaySetup:
    """Return the setting of the games, in which common words are acceptable and as many invented ones are not."""
    common = common_words()
    made_up = [
        word for word in make_mined_lexicon(_SEED, 6 * len(common)).words if len(word) < 7 and word not in common
    ]
    tiers = dict.fromkeys(made_up[:: len(made_up) // len(common)], _DOUBTFUL_TIER) | dict.fromkeys(common, _KNOWN_TIER)
    lexicon = MinedLexicon(tuple([(word,) for word in tiers]), tiers)
    return SelfPlaySetup(lexicon, frozenset(common), Graph.from_words(words_for(RULES, lexicon.words)))


def main() -> None:
    setup = self_play_setup()
    lines = filter(_is_within_budgets, (play_game(setup, _SEED, number) for number in count()))
    for line in islice(lines, GAMES):
        sys.stdout.write(line + "\n")


def _is_within_budgets(line: str) -> bool:
    """Return whether a game has many plays, so that a run needs few people, and few enough bad plays for budgets."""
    plays = read_game(line).plays
    return len(plays) >= SHORTEST and sum(not play.accepted for play in plays) <= MOST_REJECTED


if __name__ == "__main__":
    main()
