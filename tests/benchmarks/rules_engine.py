"""Figures 4 and 5: judging and scoring one play, by the plain and by the compiled engine.

Both are compared with an oracle whose board is a dict and which reads every word anew, the same that the tests use. The
plays are those of seeded games that lay common words across and beside each other, about four tiles and two words to a
play as in real games; the 21x21 board has the same plays, three rows and columns further in.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ordws.rules import engine
from ordws.rules.board import Axis, Board, board_from_rows, empty_board
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play, Ruling
from ordws.rules.published_lists import TWOS_101
from ordws.rules.receipt import build_receipt
from ordws.rules.ruleset import RULE_SETS, RuleSet
from tests.benchmarks.figure import Figure, time_interleaved
from tests.rules import naive_oracle
from tests.rules.plain_source import import_plain_source

GAMES = 16
PLAYS_A_GAME = 22
MAX_TRIES = 3_000
CANDIDATES_PER_PLAY = 6
MARGIN = 3
COMMON_WORDS = """
    ACE ACT AGE AIR AND ANT APE ARC ARM ART ASK ATE AWE BAD BAR BAT BED BEE BET BIT BOX BUS CAB CAR CAT COT COW DAY
    DEN DIE DOG DOT EAR EAT EEL EGG END ERA EVE FAN FAR FAT FEE FIT FOX GAS GET GIN GOT HAD HAT HEN HER HOT ICE INK
    JAR JET KEY LET LIE LOT MAN MAT MEN NET NOT NUT OAK OAR OAT ODE OLD ONE ORE OUR OWE PEN PET PIE PIT POT QUA RAN
    RAT RED ROD ROE ROT SAT SEA SET SIT SON TAN TAR TEA TEN TIE TIN TOE TON TOY TWO USE VAN VET WAR WAS WET YES YET
    ZOO AREA AUNT BEAR BONE CARE COAT DATE DEAR EARN EAST EASY EDGE FARE FISH GATE GOAT HEAT IDEA INTO IRON JOIN KNEE
    LATE LINE LION MEAT NEAR NEST NINE NOSE NOTE OVER QUIT RAIN RATE REST ROAD ROSE SAIL SEAT STAR TEAR TILE TIRE TONE
    TREE UNIT VEIN WINE YEAR ZERO AGREE ALIEN ARISE BOARD CRANE DANCE EARTH ENTER GRAIN HOUSE INERT LATER LEARN NOISE
    OCEAN QUEEN QUIET RAISE ROAST SHARE SNORE STAIN STONE TASTE TRAIN UNTIL WATER WORDS ACTION ATONES BOTTLE CORNER
    FINGER FRIEND GARDEN INTEND LETTER NATION ORANGE REPENT RETAIN SENIOR SISTER STREAM TRAINS YELLOW ACTIONS CERTAIN
    ENTRAIN FORTUNE LEATHER NATIONS OPINION READING RELATES SECTION STATION TRAINED TREASON
"""
WORDS = sorted(TWOS_101.union(COMMON_WORDS.split()))
WORD_SET = frozenset(WORDS)
LONGER_WORDS = [word for word in WORDS if len(word) > 3]


class PlayCase(NamedTuple):
    """A play with its rack and its board, in the types of the engine and of the oracle."""

    board: Board
    play: Play
    rack: str
    tiles: dict[tuple[int, int], str]


class EngineForm(NamedTuple):
    """The engine in one of its forms."""

    judge: Callable[[RuleSet, Board, Play, str], Ruling]
    rules: dict[str, RuleSet]


INSTALLED = EngineForm(judge, RULE_SETS)


def measure() -> Iterator[Figure]:
    """Yield how much faster the engine is than the oracle, in both forms, and what a larger board costs."""
    written, sets = import_plain_source("judge", "ruleset")
    plain = EngineForm(written.judge, sets.RULE_SETS)
    small = list(generate_cases(random.Random(4)))
    large = [on_larger_board(case) for case in small]
    for form in (plain, INSTALLED):
        check_against_oracle(form, small, "classic")
        check_against_oracle(form, large, "scrabble-i")
    slow, one, winged, two, with_receipts = time_interleaved(
        lambda _: judge_with_oracle(small, "classic"),
        lambda _: judge_cases(plain, small, "classic"),
        lambda _: judge_cases(plain, large, "scrabble-i"),
        lambda _: judge_cases(INSTALLED, small, "classic"),
        lambda _: judge_with_receipts(small, "classic"),
    )
    n = len(small)
    each = ", ".join(
        f"{name} {took / n / 1e3:.1f}"
        for name, took in zip(
            ("the oracle", "plain", engine.engine_build(), "with its receipt"),
            (slow, one, two, with_receipts),
            strict=True,
        )
    )
    print(f"  a play, in us: {each}", file=sys.stderr)
    yield Figure(
        4,
        "judging and scoring a play, interpreted: times as fast as a naive oracle",
        round(slow / one, 1),
        "x",
        ">= 10",
    )
    yield Figure(4, "the same on a board of 21x21, against 15x15", round(winged / one, 2), "x", "<= 1.5")
    form = engine.engine_build()
    yield Figure(
        5, f"the same source as installed, {form}: times as fast as the oracle", round(slow / two, 1), "x", ">= 30"
    )
    yield Figure(5, f"judging and scoring a play as installed, {form}", round(two / n / 1e3, 1), "us")


def judge_cases(form: EngineForm, cases: list[PlayCase], name: str) -> None:
    rules, judge = form.rules[name], form.judge
    for board, play, rack, _ in cases:
        judge(rules, board, play, rack)


def judge_with_oracle(cases: list[PlayCase], name: str) -> None:
    options = naive_oracle.options_of(name)
    for _, (row, column, axis, letters), rack, tiles in cases:
        naive_oracle.rule(options, tiles, (row, column), axis is Axis.DOWN, letters.decode(), rack)


def judge_with_receipts(cases: list[PlayCase], name: str) -> None:
    rules = RULE_SETS[name]
    for board, play, rack, _ in cases:
        ruling = judge(rules, board, play, rack)
        assert isinstance(ruling, Legal)
        build_receipt(ruling)


def check_against_oracle(form: EngineForm, cases: list[PlayCase], name: str) -> None:
    """Assert that engine and oracle agree: a comparison of speed needs equal results."""
    options = naive_oracle.options_of(name)
    for board, play, rack, tiles in cases:
        ruling = form.judge(form.rules[name], board, play, rack)
        slow = naive_oracle.rule(
            options, tiles, (play.row, play.column), play.axis is Axis.DOWN, play.letters.decode(), rack
        )
        match slow:
            case naive_oracle.Fits():
                assert (ruling.words, ruling.score) == (slow.words, slow.total)
            case fault:
                assert ruling.fault.value == fault


def generate_cases(rng: random.Random) -> Iterator[PlayCase]:
    for _ in range(GAMES):
        board = empty_board(15)
        for _ in range(PLAYS_A_GAME):
            play = find_play(board, rng)
            if play is None:
                break
            placed = {at: chr(play.letters[i]) for i, at in enumerate(squares(play)) if board.letter_at(*at) == "."}
            rack = "".join("?" if letter.islower() else letter for letter in placed.values()).ljust(7, "E")
            yield PlayCase(board, play, rack, tiles_of(board))
            board = board.with_letters(placed)


def find_play(board: Board, rng: random.Random) -> Play | None:
    """Return the best of the first few legal plays that random placements of known words give."""
    taken = list(tiles_of(board)) or [(7, 7)]
    candidates: list[tuple[int, Play]] = []
    for _ in range(MAX_TRIES):
        play = random_play(taken, rng)
        ruling = judge(RULE_SETS["classic"], board, play)
        if isinstance(ruling, Legal) and WORD_SET.issuperset(ruling.words):
            candidates.append((ruling.score, play))
            if len(candidates) == CANDIDATES_PER_PLAY:
                break
    return with_dots(board, max(candidates)[1]) if candidates else None


def random_play(occupied: list[tuple[int, int]], rng: random.Random) -> Play:
    """Return a word across or down through a tile of the board, or beside one, sometimes with a blank."""
    word, axis = rng.choice(LONGER_WORDS), rng.choice([*Axis])
    row, column = rng.choice(occupied)
    if rng.random() < 0.4:
        row, column = row + rng.choice((-1, 0, 1)), column + rng.choice((-1, 0, 1))
    back = rng.randrange(len(word))
    row, column = (row - back, column) if axis is Axis.DOWN else (row, column - back)
    if rng.random() < 0.1:
        i = rng.randrange(len(word))
        word = word[:i] + word[i].lower() + word[i + 1 :]
    return Play(row, column, axis, word.encode())


def with_dots(board: Board, play: Play) -> Play:
    """Return the play as a record writes it, with a dot for each tile that is already there."""
    pairs = zip(squares(play), play.letters, strict=True)
    return play._replace(letters=bytes([letter if board.letter_at(*at) == "." else ord(".") for at, letter in pairs]))


def squares(play: Play) -> list[tuple[int, int]]:
    row, column, axis, letters = play
    return [(row + i, column) if axis is Axis.DOWN else (row, column + i) for i in range(len(letters))]


def tiles_of(board: Board) -> dict[tuple[int, int], str]:
    return {(r, c): letter for r, row in enumerate(board.rows()) for c, letter in enumerate(row) if letter != "."}


def on_larger_board(case: PlayCase) -> PlayCase:
    """Return the same case in the middle of the larger board."""
    board, (row, column, axis, letters), rack, tiles = case
    edge = "." * MARGIN
    bare = ["." * (board.side + 2 * MARGIN)] * MARGIN
    winged = board_from_rows([*bare, *(edge + line + edge for line in board.rows()), *bare])
    moved = {(r + MARGIN, c + MARGIN): letter for (r, c), letter in tiles.items()}
    return PlayCase(winged, Play(row + MARGIN, column + MARGIN, axis, letters), rack, moved)
