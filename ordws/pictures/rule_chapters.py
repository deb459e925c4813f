"""A rule set in plain words, chapter by chapter, as its options have it.

The pages of the rules and `ordws rules` show the same chapters; docs/rules.md is the precise text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ordws.pictures.slip import make_tile_sheet, write_minutes
from ordws.rules.ending import is_untimed
from ordws.rules.published_lists import TWOS_101
from ordws.rules.ruleset import (
    Challenge,
    CheckOspd,
    Clock,
    EndRule,
    HomeRules,
    LateBadPlay,
    MinimumLength,
    Offensive,
    Overdraw,
    Premium,
    RuleSet,
    Ties,
    UnplayedReward,
    UnplayedTiles,
    Wings,
    published_word_lists,
)
from ordws.rules.scoring import combined_factor

_TWOS_BOOK: Final = {TWOS_101: ": those of the OSPD, 4th edition, 2006; its later editions have more"}
"""The book of a list that is no rule book's own."""
_CHALLENGE: Final = {
    Challenge.NONE: "Good words only: any word that anybody doubts is looked up, and nobody pays for asking. If one new"
    " word is no good, the play comes off the board, scores nothing, and the turn is over.",
    Challenge.VOID: "Every play is checked as it is made, and one with a bad word cannot be made at all.",
    Challenge.SINGLE: "A bad word stays unless it is challenged before the next turn. A play with a bad word comes off;"
    " a challenge that fails costs nothing.",
    Challenge.DOUBLE: "A bad word stays unless it is challenged before the next turn. A play with a bad word comes off;"
    " if all its words are good, the challenger loses a turn.",
    Challenge.FIVE: "A bad word stays unless it is challenged before the next turn. A play with a bad word comes off;"
    " if its words are good, the player gets 5 points for each word challenged.",
    Challenge.TEN: "A bad word stays unless it is challenged before the next turn. A play with a bad word comes off;"
    " if its words are good, the player gets 10 points.",
    Challenge.TRIPLE: "A bad word stays unless it is challenged before the next turn. Whoever is wrong about it loses"
    " the game.",
}
_HOME_WORDS: Final = {
    HomeRules.REFERENCE: "Words are those of the players' dictionary, slang, old and technical ones among them.",
    HomeRules.TWO_BOOKS: "Words are those of a regular dictionary, and every form of them that the OSPD has: BASH makes"
    " BASHINGS good.",
    HomeRules.DOVER: "Words are those of the club's dictionary. Where it does not show a form of one of its words, made"
    " with RE-, UN-, -ER, -LESS and the like or a plural, the OSPD decides.",
}
_CHECK_OSPD: Final = {
    CheckOspd.NONE: [],
    CheckOspd.OFFICIAL: [
        "Check the OSPD: after a rejected play its player may have the words looked up there. If all of them are found,"
        " the play comes off, and another one may be made. If not, the turn is over and the whole value of the play is"
        " taken from the score."
    ],
    CheckOspd.DOVER: [
        "Check the OSPD: after a rejected play its player may name one new word after the other to be looked up there."
        " If all are found, the play comes off, and another one may be made. A word that is missing ends the turn and"
        " costs its face value, without premiums."
    ],
}
_MINIMUM: Final = {
    MinimumLength.NONE: "Words of two letters are long enough.",
    MinimumLength.MAIN3: "The main word, the one that holds all the tiles played, has at least three letters. One tile"
    " is enough if its main word is long enough, and the words across it may have two letters. The rule holds to the"
    " very end, with an empty bag too.",
    MinimumLength.ANY3: "At least one of the new words has three letters or more. The others may have two, and one tile"
    " is enough.",
}
_WINGS: Final = {
    Wings.ANYWHERE: "A play may lie anywhere, the wings included.",
    Wings.MAIN_WORD: "The main word covers at least one square of the inner board. A word may be stretched into the"
    " wings with tiles that all lie there; words that form there count like any others.",
    Wings.NEW_TILE: "Each play puts at least one tile on the inner board; the wings only make words longer.",
}
_END: Final = {
    EndRule.SCORELESS: "Once a word is on the board, it is also over after {turns} turns in a row that leave no new"
    " tile there.",
    EndRule.CYCLE_PLUS_ONE: "It is also over when nothing was added to the board in one turn more than there are"
    " players, each of them begun with fewer than {exchange} tiles in the bag.",
    EndRule.CYCLE: "With an empty bag it is also over when a whole round adds nothing to the board.",
}
_LATE: Final = {
    LateBadPlay.STANDS: "A bad play that nobody noticed in time stands.",
    LateBadPlay.UNTIL_NEXT_TURN: "A bad play that nobody noticed is undone if it is found before the next player has"
    " finished a turn: its points go, and so do its tiles, if no other word uses them.",
    LateBadPlay.ALWAYS: "A bad play that nobody noticed is undone whenever it is found, after the game too: its points"
    " go, and so do its tiles, if no other word uses them.",
}
_OVERDRAW: Final = {
    Overdraw.PLUS_TWO: "Too many tiles drawn: an opponent turns over two more than were drawn in excess, and chooses"
    " from them which go back.",
    Overdraw.ALL_EXPOSED: "Too many tiles drawn: the player shows all of them, and the opponents choose which go back.",
}


class BonusTable(NamedTuple):
    """Points by number of tiles; `note` may be empty."""

    title: str
    points: tuple[tuple[int, int], ...]
    """Pairs of tiles and points."""
    note: str


class RuleChapter(NamedTuple):
    """A part of the rules: its name, its paragraphs, and the tables of bonuses in it."""

    name: str
    title: str
    paragraphs: tuple[str, ...]
    tables: tuple[BonusTable, ...] = ()


def describe_rules(rules: RuleSet) -> list[RuleChapter]:
    """Return the chapters of a rule set with its options; a chapter without a rule is left out."""
    chapters = [
        RuleChapter(name, title, tuple(describe(rules)), bonus_tables(rules) if name == "scoring" else ())
        for name, title, describe in _CHAPTERS
    ]
    return [chapter for chapter in chapters if chapter.paragraphs]


def describe_equipment(rules: RuleSet) -> list[str]:
    """Return what lies on the table."""
    layout, sheet = rules.layout, make_tile_sheet(rules)
    side, inner, players = layout.side, len(layout.rows), rules.most_players
    board = f"The board has {side} by {side} squares."
    if layout.wings:
        board += (
            f" The outer {layout.wings} rows on each side are wings without premium squares; the {inner} by {inner}"
            " squares within are the inner board."
        )
    tiles = f"There are {sheet.total} tiles, {sheet.blanks} of them blank."
    if sheet.scoop < sheet.total:
        tiles += f" Each game is played with {sheet.scoop} of them, a fresh scoop that nobody has seen."
    if sheet.removed:
        sets = "a standard set" if sheet.standard_sets == 1 else f"{sheet.standard_sets} standard sets"
        added = sheet.added if f" {sheet.added}".endswith(" 1 blank") else sheet.added.replace("blank", "blanks")
        tiles += f" They are {sets} without {sheet.removed}, and with {added} more."
    elif sheet.standard_sets > 1:
        tiles += f" They are {sheet.standard_sets} standard sets."
    who = "Two play" if players == 2 else f"Two to {players} play"
    return [board, tiles, f"{who}, each with {rules.rack_size} tiles on the rack."]


def describe_turn(rules: RuleSet) -> list[str]:
    """Return what a player may do in a turn, and where tiles may go."""
    return [
        "In a turn a player makes a play, exchanges tiles or passes, and then draws until the rack is full.",
        "The tiles of a play go on one row or column without a gap. The first play covers the centre; each later one"
        " touches a tile on the board.",
        _MINIMUM[rules.minimum],
        *([_WINGS[rules.wings]] if rules.layout.wings else []),
        f"An exchange takes at least {rules.exchange_min} tiles in the bag, and scores nothing.",
    ]


def describe_scoring(rules: RuleSet) -> list[str]:
    """Return how a play is scored."""
    doubles, triples = [combined_factor(rules, [factor, factor]) for factor in (2, 3)]
    way = "add up" if rules.premium is Premium.ADD else "multiply"
    paragraphs = [
        "Each new word scores: its letters, with the letter premiums under new tiles, times its word squares. Only"
        " squares that are newly covered count. A blank counts 0.",
        f"Several word squares under one word {way}: two double ones count {doubles} times, two triple ones {triples}"
        " times.",
    ]
    if rules.small_word_cap:
        paragraphs.append(
            "Small word point cap: in words of two, three and four letters no letter counts more than the word has"
            " letters. A tile in two words may count differently in each."
        )
    if any(rules.big_play):
        paragraphs.append("A big play, of many tiles from the rack at once, earns a bonus, whatever its words are.")
    if any(rules.stretch):
        paragraphs.append(
            f"A stretch makes a word of {rules.stretch_from} letters or more on the board longer, at its front, its end"
            " or both, and earns a bonus by the tiles added. Hooking or crossing a word does not stretch it."
        )
    return paragraphs


def bonus_tables(rules: RuleSet) -> tuple[BonusTable, ...]:
    """Return the tables of big plays and of stretches that a rule set has."""
    tables = []
    if any(rules.big_play):
        points = tuple([(n, each) for n, each in enumerate(rules.big_play) if each])
        tables.append(BonusTable("Big play", points, ""))
    if any(rules.stretch):
        points = tuple([(n, each) for n, each in enumerate(rules.stretch) if n])
        note = "A stretch that is a big play too earns this bonus alone." if any(rules.big_play) else ""
        tables.append(BonusTable("Stretch", points, note))
    return tuple(tables)


def describe_swap(rules: RuleSet) -> list[str]:
    """Return the swap for the blank, if there is one."""
    if not rules.swap:
        return []
    return [
        "When your turn comes, you may take a blank from the board and put the letter that it stands for in its place."
        " You may do so with several blanks, whoever played them.",
        "Swap before you play; it does not use up your turn, and scores nothing. The blank is yours, to use at once or"
        " later. The letter now counts in every word that is made with it.",
    ]


def describe_words(rules: RuleSet) -> list[str]:
    """Return which words are good, and what becomes of a play with one that is not."""
    lists = published_word_lists(rules)
    paragraphs = [
        f"{_HOME_WORDS[rules.home_rules]} Names, abbreviations, and words with a hyphen or an apostrophe do not count.",
        "The judge of this service asks a word set of its own, which it keeps secret.",
        _CHALLENGE[rules.challenge],
        *_CHECK_OSPD[rules.check_ospd],
        f"{len(lists.twos)} two-letter words are good, and no others{_TWOS_BOOK.get(lists.twos, '')}. Everybody may"
        " look at their list during play.",
    ]
    if lists.struck:
        paragraphs.append(
            f"{len(lists.struck)} words are out although a dictionary or the OSPD may have them. A play with one of"
            " them comes off, and its player makes another play: no turn is lost."
        )
    if rules.offensive is Offensive.DISALLOWED:
        paragraphs.append("A word that the dictionary labels offensive or vulgar in every sense is out.")
    own = [
        f"{', '.join(sorted(words))} {'is' if len(words) == 1 else 'are'} {verdict} here."
        for words, verdict in ((rules.allow, "good"), (rules.strike, "out"))
        if words
    ]
    return [*paragraphs, *own]


def describe_end(rules: RuleSet) -> list[str]:
    """Return when the game is over, and what becomes of the tiles that are left."""
    end = _END[rules.end].format(turns=rules.scoreless_turns, exchange=rules.exchange_min)
    if rules.end is not EndRule.SCORELESS and is_untimed(rules):
        turns = rules.scoreless_turns
        end += f" Since no clock ends this game, {turns} turns in a row without a new tile do so as well."
    doubles = rules.unplayed_tiles is UnplayedTiles.DOUBLE
    out = "the player who went out gains what the others lose."
    if doubles:
        out = "of two players the one who went out gains twice the other's tiles; of more, what the others lose."
    ties = "A tie remains a tie."
    if rules.ties is Ties.BEFORE_UNPLAYED:
        ties = "A tie goes to the player who led before unplayed tiles were counted."
    paragraphs = [
        f"The game is over when the bag is empty and a player has played out. {end}",
        f"Tiles left on the racks are counted at face value. If somebody went out, {out} If not, each player loses"
        " their own.",
        ties,
    ]
    if rules.expose_final_rack:
        paragraphs.append("Two players show their racks to each other once the bag is empty.")
    if rules.unplayed_tiles_round:
        match rules.unplayed_reward:
            case UnplayedReward.SCORE:
                reward = "the score of the play"
            case UnplayedReward.FACE:
                reward = "the face value of the tiles from the rack"
            case int() as points:
                reward = f"{points} points"
        paragraphs.append(
            "After a game of two, a player whose opponent has tiles left and added none in the last turn may propose"
            f" one play with them, within a minute. The reward is {reward}; a bad word costs nothing."
        )
    return paragraphs


def describe_time(rules: RuleSet) -> list[str]:
    """Return what time each player has."""
    time = write_minutes(rules.clock_seconds) + (" minutes" if rules.clock_seconds % 60 else "")
    if rules.clock is Clock.TOTAL and not rules.clock_seconds:
        return ["Players may agree on a total of time for each; one whose time is up takes no more turns."]
    if rules.clock is Clock.NONE or not rules.clock_seconds:
        return ["The game is not timed."]
    match rules.clock:
        case Clock.OVERTIME:
            return [
                f"Each player has {time} for the game. Each minute begun over that costs {rules.overtime_points}"
                f" points, and more than {rules.overtime_minutes} minutes over lose the game."
            ]
        case Clock.TOTAL:
            return [f"Each player has {time} for the game; one whose time is up takes no more turns."]
        case Clock.TURN:
            return [f"Each turn has {time}; then the player has to make a play, or loses the turn."]


def describe_mishaps(rules: RuleSet) -> list[str]:
    """Return what becomes of mistakes at the table."""
    return [_OVERDRAW[rules.overdraw], _LATE[rules.late_bad_play]]


_CHAPTERS: Final[tuple[tuple[str, str, Callable[[RuleSet], list[str]]], ...]] = (
    ("equipment", "Board and tiles", describe_equipment),
    ("turn", "A turn", describe_turn),
    ("scoring", "Scoring", describe_scoring),
    ("swap", "Swap for the blank", describe_swap),
    ("words", "Words", describe_words),
    ("end", "The end", describe_end),
    ("time", "Time", describe_time),
    ("mishaps", "When something goes wrong", describe_mishaps),
)
