"""The rules on a slip of paper for the table, as plain text of a fixed width.

For the browser, ordws/web/pages/static/slip-content.js has what a slip says, and slip-card.js makes a card of it.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, groupby, pairwise, zip_longest
from textwrap import wrap
from typing import Final, NamedTuple

from ordws.pictures.clock_text import write_minutes
from ordws.rules.layout import STANDARD_ROWS
from ordws.rules.options import changed_options
from ordws.rules.ruleset import Challenge, CheckOspd, Clock, MinimumLength, Offensive, Premium, RuleSet, Wings
from ordws.rules.rulesets import published_word_lists
from ordws.rules.scoring import combined_factor

SLIP_WIDTH: Final = 42
_MARGIN: Final = 2
_COLUMNS: Final = 5
_TABLE_WIDTH: Final = 19
"""The column where the two-letter words begin, as on the slips that the rule books print."""

_SUGGESTED_MINUTES: Final = 25
"""The total of time that is suggested where a rule set leaves it to the players (docs/rules.md 8.2)."""

_DECENT_WORDS: Final = {2: "twos", 3: "threes", 4: "fours", 5: "fives", 6: "sixes", 7: "sevens"}
_MINIMUM: Final = {
    MinimumLength.NONE: ("EVERY WORD", "2-letter minimum"),
    MinimumLength.MAIN3: ("MAIN WORD", "3-letter minimum"),
    MinimumLength.ANY3: ("ONE NEW WORD", "3-letter minimum"),
}
_TILES: Final = {
    "classic": "Classic 100 tile set with 9I, 2 blank",
    "eight-i": "Classic 100 tile set with 8I, 3 blank",
    "three-sets": "3 standard sets",
    "pool-300": "nice 300-tile set",
}
_WINGS: Final = {
    Wings.ANYWHERE: "",
    Wings.MAIN_WORD: "Main word must touch the inner board.",
    Wings.NEW_TILE: "Each play: a tile on the inner board.",
}
_CHALLENGE: Final = {
    Challenge.NONE: "Regular dictionary; all words checked.",
    Challenge.VOID: "No invalid word can be played.",
    Challenge.SINGLE: "Invalid words stand unless challenged. A lost challenge costs nothing.",
    Challenge.DOUBLE: "Invalid words stand unless challenged. A lost challenge costs the turn.",
    Challenge.FIVE: "Invalid words stand unless challenged. A lost challenge gives 5 points a word.",
    Challenge.TEN: "Invalid words stand unless challenged. A lost challenge gives 10 points.",
    Challenge.TRIPLE: "Invalid words stand unless challenged. A lost challenge costs the game.",
}
_CHECK_OSPD: Final = {
    CheckOspd.NONE: "",
    CheckOspd.OFFICIAL: "CHECK THE OSPD: found, play again; if not, lose the play's full value.",
    CheckOspd.DOVER: "CHECK THE OSPD: found, play again; if not, lose the word's face value.",
}


class SlipBonus(NamedTuple):
    """The bonus for a number of tiles; `is_starred` if it includes that of a big play."""

    tiles: int
    points: int
    is_starred: bool = False


class SlipContent(NamedTuple):
    """Everything that a slip says, without the options that differ from the original rule set."""

    minimum: tuple[str, str]
    big_play: list[SlipBonus]
    stretch_from: str
    """The words that may be stretched, as in `fours`."""
    stretch: list[SlipBonus]
    """Empty where there is no bonus for stretches."""
    twos: list[str]
    notes: list[str]


def slip_content(rules: RuleSet) -> SlipContent:
    """Return what the slip of a rule set says, for any form of it."""
    return SlipContent(
        minimum=_MINIMUM[rules.minimum],
        big_play=[SlipBonus(n, points) for n, points in enumerate(rules.big_play) if points],
        stretch_from=_DECENT_WORDS.get(rules.stretch_from, f"{rules.stretch_from}s"),
        stretch=[
            SlipBonus(n, points, _is_big_play(rules, n))
            for n, points in enumerate(rules.stretch)
            if n and any(rules.stretch)
        ],
        twos=sorted(published_word_lists(rules).twos),
        notes=_notes(rules),
    )


def render_slip(rules: RuleSet) -> str:
    """Return the slip as plain text: bonuses beside the two-letter words, then notes, which name changed options."""
    content = slip_content(rules)
    left = [rules.id.upper().replace("-", " "), *content.minimum]
    if content.big_play:
        left += ["", "BIG PLAY Bonus", "Tiles  Pts"]
        left += [f"{line.tiles:>6}{line.points:>7}" for line in content.big_play]
    if content.stretch:
        left += ["", "STRETCH Bonus", f"(on {content.stretch_from} and up)", "Ltrs   Pts"]
        left += [f"{line.tiles:>6}{line.points:>7}{' *' * line.is_starred}" for line in content.stretch]
    left = [line if line.startswith(" ") else " " * ((17 - len(line)) // 2) + line for line in left]
    columns = _even_columns(tuple(content.twos))
    right = [" Two-Letter Words", *["  ".join(row) for row in zip_longest(*columns, fillvalue="  ")]]
    lines = [f"{bonus:{_TABLE_WIDTH}}{words}" for bonus, words in zip_longest(left, right, fillvalue="")]
    changed = [pair for pair in changed_options(rules).items() if pair[0] not in ("layout", "allow", "strike")]
    for note in [*content.notes, *[f"Played here with {name}={value}." for name, value in changed]]:
        # The values of options have hyphens and stay whole.
        lines += wrap(note, SLIP_WIDTH - 2 * _MARGIN, subsequent_indent="  ", break_on_hyphens=False)
    if rules.layout.rows != STANDARD_ROWS:
        lines += ["Played here on these premium squares:", *["  " + " ".join(row) for row in rules.layout.rows]]
    return "".join([f"{' ' * _MARGIN}{line}".rstrip() + "\n" for line in lines])


def _is_big_play(rules: RuleSet, n: int) -> bool:
    """Return whether a stretch by n tiles is also a big play, whose bonus is then included."""
    table = rules.big_play
    return any(table) and table[min(n, len(table) - 1)] > 0


@lru_cache(maxsize=32)  # all ways to break some twenty groups are compared; clubs may have lists of their own
def _even_columns(words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return sorted words in columns of the most even height, with a gap between first letters.

    A column begins with a new first letter. Of equally even ways the first one, with a short first column, is taken.
    """
    groups = [("  ", *group) for _, group in groupby(words, key=lambda word: word[0])]
    heights = [len(group) for group in groups]

    def unevenness(breaks: tuple[int, ...]) -> int:
        return sum([(sum(heights[a:b]) - 1) ** 2 for a, b in pairwise(breaks)])

    # A club's own list may begin with fewer letters than there are columns, or be empty.
    inner = combinations(range(1, len(groups)), min(_COLUMNS, max(1, len(groups))) - 1)
    best = min([(0, *breaks, len(groups)) for breaks in inner], key=unevenness)
    return tuple([tuple([word for group in groups[a:b] for word in group][1:]) for a, b in pairwise(best)])


def _notes(rules: RuleSet) -> list[str]:
    """Return the notes on equipment, words, time and the rest."""
    side, rack, tiles = rules.layout.side, rules.rack_size, _TILES[rules.tiles.name]
    if rules.scoop < rules.tiles.total:
        tiles = f"Random scoop from {tiles}" if rules.scoop == 100 else f"Scoop of {rules.scoop} from {tiles}"
    classic = "Classic " if rack == 7 else ""
    equipment = [f"{classic}{side}x{side} board and {rack}-tile rack."]
    if rules.layout.wings:
        equipment = [f"{classic}{rack}-tile rack.", "Extended board.", _WINGS[rules.wings]]
    sign = "+" if rules.premium is Premium.ADD else "x"
    squares = [f"{factor}{sign}{factor}={combined_factor(rules, [factor, factor])}" for factor in (2, 3)]
    time = write_minutes(rules.clock_seconds)
    match rules.clock:
        case Clock.TOTAL:
            total = (
                f"{time} each" if rules.clock_seconds else f"Agree on a total, say {_SUGGESTED_MINUTES} minutes each"
            )
            clock = f"{total}. Time's up when time's up."
        case Clock.OVERTIME if rules.clock_seconds:
            clock = f"{time} each; over, -{rules.overtime_points} a minute."
        case Clock.TURN if rules.clock_seconds:
            clock = f"{time} a turn, then make a play."
        case Clock.NONE | Clock.OVERTIME | Clock.TURN:
            clock = ""
    starred = any(_is_big_play(rules, n) for n in range(len(rules.stretch)))
    notes = [
        *equipment,
        f"{tiles}.",
        _CHALLENGE[rules.challenge],
        "Disallowed word: make another play." if rules.disallowed_words != "none" else "",
        "Words labelled offensive are not allowed." if rules.offensive is Offensive.DISALLOWED else "",
        f"Allowed here: {', '.join(sorted(rules.allow))}." if rules.allow else "",
        f"Struck out here: {', '.join(sorted(rules.strike))}." if rules.strike else "",
        _CHECK_OSPD[rules.check_ospd],
        f"Word squares {rules.premium.value}: {', '.join(squares)}.",
        "Small word point cap." if rules.small_word_cap else "",
        "Expose final rack (two players)." if rules.expose_final_rack else "",
        clock,
        "SWAP for the blank." if rules.swap else "",
        "* Bonus incorporates BIG PLAY bonus." if starred else "",
    ]
    return [note for note in notes if note]
