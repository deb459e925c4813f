"""Games that people with a small vocabulary played, as a client asks about them: simulated once and kept.

`python -m tests.load.games > tests/vectors/load/games.jsonl` plays them anew. Their words are so common that any
edition has them, so that they can be asked of a real one as well.
"""

from __future__ import annotations

import sys
from functools import cache
from itertools import count, islice
from pathlib import Path
from typing import Final

from ordws.mining.dawg import build_dawg
from ordws.mining.move_generator import words_for
from ordws.mining.recorded_games import RULES, RecordedGame, read_game
from ordws.mining.selfplay import SelfPlaySetup, play_game
from ordws.mining.synthetic_lexicon import SyntheticLexicon, make_lexicon

GAMES: Final = 32
SHORTEST: Final = 30
MOST_REJECTED: Final = 14
_SEED: Final = 7
_VECTORS: Final = Path(__file__).parents[1] / "vectors"
_FILE: Final = _VECTORS / "load" / "games.jsonl"
_KNOWN_TIER, _DOUBTFUL_TIER = 1, 6


@cache
def common_words() -> tuple[str, ...]:
    """The words that these games are played with."""
    return tuple((_VECTORS / "mining" / "common.txt").read_text("ascii").split())


@cache
def table_games() -> tuple[RecordedGame, ...]:
    """The games that are kept."""
    return tuple([read_game(line) for line in _FILE.read_text("ascii").splitlines()])


def room() -> SelfPlaySetup:
    """Where they were played: common words are in, as many made-up ones are out, and both come to people's minds."""
    common = common_words()
    made_up = [word for word in make_lexicon(_SEED, 6 * len(common)).words if len(word) < 7 and word not in common]
    tiers = dict.fromkeys(made_up[:: len(made_up) // len(common)], _DOUBTFUL_TIER) | dict.fromkeys(common, _KNOWN_TIER)
    world = SyntheticLexicon(tuple([(word,) for word in tiers]), tiers)
    return SelfPlaySetup(world, frozenset(common), build_dawg(words_for(RULES, world.words)))


def main() -> None:
    where = room()
    lines = filter(_is_within_budgets, (play_game(where, _SEED, number) for number in count()))
    for line in islice(lines, GAMES):
        sys.stdout.write(line + "\n")


def _is_within_budgets(line: str) -> bool:
    """Whether a game has many plays, so that a run needs few people, and no more bad ones than budgets allow."""
    plays = read_game(line).plays
    return len(plays) >= SHORTEST and sum(not play.accepted for play in plays) <= MOST_REJECTED


if __name__ == "__main__":
    main()
