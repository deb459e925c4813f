"""The papers for the table as plain text of a fixed width: the rules on a slip, and a set of tiles on a sheet.

A sheet has counts, values and the difference from standard sets, to print and to assemble the set by. For the browser,
ordws/web/pages/static/slip-content.js has what a slip says, and slip-card.js makes a card of it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import combinations, groupby, pairwise, zip_longest
from textwrap import wrap
from typing import Final, NamedTuple

from ordws.rules.bag import pool
from ordws.rules.layout import STANDARD_ROWS
from ordws.rules.options import changed_options
from ordws.rules.ruleset import (
    DOVER,
    RULE_SETS,
    Challenge,
    CheckOspd,
    Clock,
    MinimumLength,
    Offensive,
    Premium,
    RuleSet,
    Wings,
    published_word_lists,
)
from ordws.rules.scoring import combined_factor
from ordws.rules.tiles import BLANK, CLASSIC_TILES, LETTERS, TILE_VALUES


def write_minutes(seconds: int) -> str:
    """Return a time of a clock in words: `25 minutes`, `1 minute`, or `1:30`."""
    minutes, rest = divmod(seconds, 60)
    if rest:
        return f"{minutes}:{rest:02}"
    return f"{minutes} minute{'' if minutes == 1 else 's'}"


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


SHEET_WIDTH: Final = 43


class TileRow(NamedTuple):
    """A letter, or the blank, in a set of tiles."""

    tile: str
    value: int
    quantity: int
    standard: int
    """The number of these tiles in as many standard sets as have the same total."""

    @property
    def difference(self) -> int:
        return self.quantity - self.standard


class TileSheet(NamedTuple):
    """The tiles that a bag is filled from."""

    rows: tuple[TileRow, ...]
    """From A to Z, then the blank."""
    scoop: int
    """The number of tiles that one game is played with."""

    @property
    def total(self) -> int:
        return sum([row.quantity for row in self.rows])

    @property
    def blanks(self) -> int:
        return self.rows[-1].quantity

    @property
    def face_total(self) -> int:
        return sum([row.quantity * row.value for row in self.rows])

    @property
    def standard_sets(self) -> int:
        """The number of standard sets that make as many tiles."""
        return self.total // CLASSIC_TILES.total

    @property
    def removed(self) -> str:
        """The tiles to take out of the standard sets: `2 A, 4 I`; empty if none."""
        return ", ".join([f"{-row.difference} {row.tile}" for row in self.rows if row.difference < 0])

    @property
    def added(self) -> str:
        """The tiles to put in for them, from further sets."""
        return ", ".join([f"{row.difference} {row.tile}" for row in self.rows if row.difference > 0])


def make_tile_sheet(rules: RuleSet) -> TileSheet:
    """Return the sheet of the tiles of a rule set (docs/rules.md 2.1, 2.2, A-33)."""
    tiles = pool(rules)
    sets = len(tiles) // CLASSIC_TILES.total
    rows = [
        TileRow("blank" if tile == BLANK else tile, TILE_VALUES[tile], tiles.count(tile), sets * standard)
        for tile, standard in zip(LETTERS + BLANK, CLASSIC_TILES.counts, strict=True)
    ]
    return TileSheet(tuple(rows), rules.scoop)


def published_tile_sheets() -> dict[TileSheet, list[str]]:
    """Return the sheets of all rule sets with their titles, and that of Dover's older mix with A, E and O (A-33)."""
    sheets: dict[TileSheet, list[str]] = {}
    for rules in RULE_SETS.values():
        sheets.setdefault(make_tile_sheet(rules), []).append(rules.title)
    sheets[make_tile_sheet(replace(DOVER, three_i_to_aeo=True))] = [f"{DOVER.title}, with A, E and O for three I"]
    return sheets


def render_tile_sheet(rules: RuleSet) -> str:
    """Return the sheet as text, with a box to tick for each letter whose tiles are counted."""
    sheet = make_tile_sheet(rules)
    letters = sheet.total - sheet.blanks
    lines = [
        f"{rules.id.upper().replace('-', ' ')}: {sheet.total} tiles",
        f"{letters} letters and {sheet.blanks} blanks, face value {sheet.face_total}.",
    ]
    if sheet.scoop < sheet.total:
        lines.append(f"Each game: a fresh scoop of {sheet.scoop}, unseen.")
    is_changed = bool(sheet.removed)
    heading = " tile  points  tiles"
    if is_changed:
        heading += f"{'standard' if sheet.standard_sets == 1 else f'{sheet.standard_sets} sets':>10}  change"
    lines += ["", heading]
    for row in sheet.rows:
        change = f"{row.standard:>10}{f'{row.difference:+}' if row.difference else '':>8}" if is_changed else ""
        lines.append(f"{row.tile:>5}{row.value:>8}{row.quantity:>7}{change}  [ ]")
    lines += [f"{'all':>5}{'':8}{sheet.total:>7}", ""]
    source = "the standard set" if sheet.standard_sets == 1 else f"{sheet.standard_sets} standard sets"
    if is_changed:
        lines += _wrap_counts(f"To assemble it, take out of {source}:", sheet.removed)
        lines += _wrap_counts("Put in:", sheet.added)
    else:
        lines.append(f"This is {source}.")
    return "\n".join(lines) + "\n"


def _wrap_counts(text: str, counts: str) -> list[str]:
    """Return lines in which no count stands apart from its letter."""
    kept = counts.replace(" ", "\N{NO-BREAK SPACE}").replace(",\N{NO-BREAK SPACE}", ", ")
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in wrap(f"{text} {kept}.", SHEET_WIDTH)]
