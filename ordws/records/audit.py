"""The audit of a record: everything computed again, what its scores fit better, and the boards of its game.

Every score, total, challenge, exchange and end adjustment is computed again (docs/interfaces.md 3). The final board of
a game is read more strictly: a record that stops early, or whose tiles do not lie as the rules ask, has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from ordws.records.finding import INEXACT_KINDS, AuditFinding, FindingKind
from ordws.records.header import KNOWN_LAYOUTS, RecordHeader, read_header, with_layout
from ordws.records.record import (
    ChallengeBonus,
    GcgEvent,
    OspdDeduction,
    PassedTurn,
    Pragma,
    Record,
    SwapsBefore,
    TileExchange,
    TilePlacement,
    TimePenalty,
    UnknownMove,
    UnplayedTilesScore,
    Withdrawal,
    events_with_extensions,
)
from ordws.records.replay import PlacedPlay, Replay, Square, replay_exchange, replay_pass, replay_play
from ordws.records.replay_challenges import (
    replay_challenge_bonus,
    replay_ospd_deduction,
    replay_withdrawal,
    report_challenge_rule,
    report_missing_deduction,
)
from ordws.records.replay_end import find_unfinished, replay_overtime, replay_unplayed_tiles
from ordws.records.tiles import TILE_DISTRIBUTIONS, TileDistribution, english_distribution, score_with_distribution
from ordws.rules.board import Board, empty_board
from ordws.rules.fault import Illegal
from ordws.rules.layout import STANDARD
from ordws.rules.move import Legal, squares_of
from ordws.rules.ruleset import RULE_SETS, RuleSet
from ordws.rules.scoring import is_stretch, longest_run
from ordws.rules.statistics import average, words_on
from ordws.rules.swap import swap

ScoredPlays: TypeAlias = list[tuple[GcgEvent, Legal]]

_MAX_PLAYS: Final = 200
"""The number of plays that are examined: more than any board takes; plays that are withdrawn count too."""

_MIN_PLAYS: Final = 8
"""The number of plays from which a single wrong score can mean another board rather than a slip."""

_OTHER_BONUSES: Final = (40, 35)
"""The bonuses that other games give for a full rack."""


class _Alternative(NamedTuple):
    """Another way to score: its rules and tiles, and their name in a finding of this kind."""

    kind: FindingKind
    name: str
    rules: RuleSet
    distribution: TileDistribution


def diagnose(rules: RuleSet, distribution: TileDistribution, scored: ScoredPlays) -> AuditFinding | None:
    """Return what the scores fit better than these rules and tiles, or that they fit nothing known; None otherwise.

    Another way to score counts only if it leaves at most a quarter of the scores wrong that are wrong now.
    """
    scored = scored[:_MAX_PLAYS]
    wrong = _mismatches(rules, distribution, scored)
    if not wrong or (len(wrong) < 2 and len(scored) < _MIN_PLAYS):
        return None
    best, misfits = None, len(wrong) // 4 + 1  # each alternative has to beat the best one so far
    for other in _alternatives(rules, distribution, wide=len(wrong) > max(2, len(scored) // 4)):
        remaining = len(_mismatches(other.rules, other.distribution, scored, misfits))
        if remaining < misfits:
            best, misfits = other, remaining
        if not misfits:
            break
    line = wrong[0].line
    if best is not None:
        fit = "all scores fit" if not misfits else f"all but {misfits} of {len(scored)} scores fit"
        return AuditFinding(line, best.kind, None, best.name, f"{fit} {best.name}")
    if len(wrong) > max(2, len(scored) // 2):
        message = f"{len(wrong)} of {len(scored)} scores differ, and fit no known layout"
        return AuditFinding(line, FindingKind.LAYOUT, None, None, message)
    return None


def _mismatches(
    rules: RuleSet, distribution: TileDistribution, scored: ScoredPlays, limit: int = 1_000
) -> list[GcgEvent]:
    """Return the events whose written points differ from those computed so, `limit` of them at most."""
    mismatches: list[GcgEvent] = []
    for event, ruling in scored:
        if event.points is not None and event.points != score_with_distribution(distribution, rules, ruling):
            mismatches.append(event)
            if len(mismatches) >= limit:
                break
    return mismatches


def _alternatives(rules: RuleSet, distribution: TileDistribution, *, wide: bool) -> Iterator[_Alternative]:
    """Yield other layouts and rule sets; if `wide`, all combinations of layouts, tiles and bonuses after them."""
    layouts = [known for known in KNOWN_LAYOUTS if known.layout.side == rules.layout.side]
    for known in layouts:
        if known.layout != rules.layout:
            varied = replace(rules, layout=known.layout)
            yield _Alternative(FindingKind.LAYOUT, f"the layout {known.names[0]}", varied, distribution)
    for other in RULE_SETS.values():
        if other.layout.side == rules.layout.side and other.id != rules.id:
            yield _Alternative(FindingKind.RULES, f"the rule set {other.id}", other, english_distribution(other))
    full = len(rules.big_play) - 1
    bonuses = (None, *_OTHER_BONUSES) if full > 0 else (None,)
    for bonus, known, tiles in product(bonuses, layouts, (distribution, *TILE_DISTRIBUTIONS)) if wide else ():
        names = [f"the layout {known.names[0]}"] if known.layout != rules.layout else []
        names += [f"the {tiles.name} tiles"] if tiles is not distribution else []
        names += [f"{bonus} points for a full rack"] if bonus is not None else []
        if names:
            table = rules.big_play if bonus is None else (*rules.big_play[:full], bonus)
            kind = FindingKind.LAYOUT if known.layout != rules.layout else FindingKind.LETTERS
            yield _Alternative(kind, " and ".join(names), replace(rules, layout=known.layout, big_play=table), tiles)


_RACK_PRAGMAS: Final = ("rack1", "rack2", "rack3", "rack4")
_TURN_MOVES: Final = (TilePlacement, TileExchange, PassedTurn, UnknownMove)
_OTHER_LAYOUTS: Final = ("SuperCrosswordGame", "CrosswordGame with wings", "ScrabbleDuel")
"""The layouts of other sizes, which are tried when coordinates do not fit the standard board."""


@dataclass(frozen=True)
class RecordAudit:
    """The result of an audit: the findings, the computed totals and the last board."""

    rules: RuleSet
    encoding: str
    players: tuple[str, ...]
    """Nicks, in the order of the seats."""

    moves: int
    totals: dict[str, int]
    """As computed; of two players with one nick the second is called `nick#2`."""

    turns: dict[str, int]
    """The number of turns of each player (docs/rules.md A-44)."""

    turn_points: dict[str, int]
    """The points of these turns, without what the end of the game adds or takes."""

    points_per_turn: dict[str, float | None]

    findings: tuple[AuditFinding, ...]
    """In the order of the lines."""

    board: Board
    plays: tuple[PlacedPlay, ...]
    """The plays whose tiles lie on the board, in their order."""

    last_play: tuple[Square, ...]
    """The squares of the last play that stands."""

    stretched: tuple[Square, ...]
    """The squares of the run that the last play stretched; empty if it earned no stretch bonus."""

    @property
    def is_exact(self) -> bool:
        """True if no finding is of a kind that makes a record inexact."""
        return not any(finding.kind in INEXACT_KINDS for finding in self.findings)


def audit_record(record: Record, rules: RuleSet | None = None) -> RecordAudit:
    """Return every discrepancy of a record under these rules, or else under those it names, or else under `classic`."""
    header = read_header(record, rules)
    replay = _replay_best(record, header)
    findings = header.findings + replay.findings
    # The search tries many layouts and tiles and takes longer than the replay, so that a record without a wrong score
    # is spared it.
    if any(finding.kind is FindingKind.SCORE for finding in replay.findings):
        other = diagnose(replay.rules, replay.distribution, replay.scored_plays)
        findings += [other] if other else []
    last = replay.plays[-1] if replay.plays else None
    stretched: list[Square] = []
    if last and last.ruling and last.ruling.bonus and is_stretch(replay.rules, last.ruling.spans[0]):
        main = last.ruling.spans[0]
        start, length = longest_run(main)
        offset = start - main[1]
        stretched = squares_of(replay.rules.layout.side, main)[offset : offset + length]
    by_nick = replay.score_sheet.by_nick()
    return RecordAudit(
        replay.rules,
        record.encoding,
        tuple([seat.nick for seat in replay.score_sheet.seats]),
        replay.moves,
        {nick: seat.total for nick, seat in by_nick.items()},
        {nick: seat.turns for nick, seat in by_nick.items()},
        {nick: seat.turn_points for nick, seat in by_nick.items()},
        {nick: average(seat.turn_points, seat.turns) for nick, seat in by_nick.items()},
        # The sort is stable: findings in the same line keep the order in which they were made.
        tuple(sorted(findings, key=lambda finding: finding.line)),
        replay.board,
        tuple(replay.plays),
        tuple(last.tiles) if last else (),
        tuple(stretched),
    )


def _replay_best(record: Record, header: RecordHeader) -> Replay:
    """Return the record replayed as its header says, or with other tiles or on another board if these plainly fit.

    Other tiles are those of the edition that the header names, or else of those that can spell a word that English
    tiles cannot.
    """
    rules = header.rules
    replay = replay_record(record, header, rules, english_distribution(rules))
    others = [header.distribution] if header.distribution else []
    words = [event.move.word for event in record.events if isinstance(event.move, TilePlacement)]
    if not others and not all(word.isascii() and "[" not in word for word in words):
        others = [each for each in TILE_DISTRIBUTIONS if all(each.encode_word(word) is not None for word in words)]
    replays = [replay_record(record, header, rules, distribution) for distribution in others]
    # The first of equals wins: the edition that is named, but English rather than one that is only guessed.
    best = min([*replays, replay] if header.distribution else [replay, *replays], key=_count_faults)
    if best is not replay:
        name = best.distribution.name
        best.findings.append(AuditFinding(1, FindingKind.LETTERS, None, name, f"replayed with the {name} tiles"))
        return best
    if not replay.off_board_plays or rules.layout != STANDARD:
        return replay
    replays = [replay]
    for name in _OTHER_LAYOUTS:
        rules = with_layout(header.rules, name)
        other = replay_record(record, header, rules, english_distribution(rules))
        message = f"replayed on the layout {name}, which the coordinates fit"
        other.findings.append(AuditFinding(1, FindingKind.LAYOUT, None, name, message))
        replays.append(other)
    return min(replays, key=_count_faults)


def replay_record(record: Record, header: RecordHeader, rules: RuleSet, distribution: TileDistribution) -> Replay:
    """Return the record replayed under these rules with these tiles."""
    replay = Replay(rules, distribution, record.players, lettered_rows=header.lettered_rows)
    last_line = 1
    for event, extensions in events_with_extensions(record.items):
        if event is None:
            replay.apply_extensions(extensions)
            continue
        last_line = event.line
        if replay.pending_deduction is not None and isinstance(event.move, _TURN_MOVES):
            report_missing_deduction(replay)
        match event.move:
            case TilePlacement() as move:
                replay_play(replay, event, move, extensions)
            case TileExchange() as move:
                replay_exchange(replay, event, move, extensions)
            case (PassedTurn() | UnknownMove()) as move:
                replay_pass(replay, event, move, extensions)
            case Withdrawal():
                replay_withdrawal(replay, event, extensions)
            case ChallengeBonus():
                replay_challenge_bonus(replay, event, extensions)
            case TimePenalty() if OspdDeduction() in extensions:
                replay_ospd_deduction(replay, event)
            case TimePenalty():
                replay_overtime(replay, event, extensions)
            case UnplayedTilesScore() as move:
                replay_unplayed_tiles(replay, event, move)
        replay.apply_extensions(extensions)
    report_missing_deduction(replay)
    if unfinished := find_unfinished(replay, last_line):
        line, message = unfinished
        replay.findings.append(AuditFinding(line, FindingKind.UNFINISHED, None, None, message))
    # Racks of an unfinished game stand behind its last event.
    for item in record.items:
        if isinstance(item, Pragma) and item.name in _RACK_PRAGMAS and item.line > last_line:
            replay.tile_tracker.check_rack(item.line, item.text.strip())
    report_challenge_rule(replay)
    return replay


class RecordedPosition(NamedTuple):
    """An event of a record, the board before it, behind its swaps for the blank, and the play that it put there."""

    event: GcgEvent
    board: Board
    placed: PlacedPlay | None
    """None for another move, and for a play that came off."""


def iter_positions(record: Record, audit: RecordAudit) -> Iterator[RecordedPosition]:
    """Yield each event of a record with its board, as far as it is certain which tiles lie there.

    Behind a swap that does not fit it is not, and nothing more is yielded.
    """
    standing = {placed.event.line: placed for placed in audit.plays}
    board = empty_board(audit.rules.layout.side)
    for event, extensions in events_with_extensions(record.items):
        if event is None:  # what stands before all events
            continue
        for square in [at for found in extensions if isinstance(found, SwapsBefore) for at in found.squares]:
            swapped = swap(audit.rules, board, None, *square)
            if isinstance(swapped, Illegal):
                return
            board = swapped[0]
        placed = standing.get(event.line)
        yield RecordedPosition(event, board, placed)
        if placed is not None:
            board = board.with_letters(placed.tiles)


def _count_faults(replay: Replay) -> int:
    """Return how many findings speak against the tiles and the board of a replay."""
    return sum([finding.kind in INEXACT_KINDS or finding.kind is FindingKind.LINE for finding in replay.findings])


_DOUBTS: Final = frozenset(
    (
        FindingKind.UNFINISHED,
        FindingKind.PLACEMENT,
        FindingKind.WITHDRAWAL,
        FindingKind.LINE,
        FindingKind.MISPLACED,
        FindingKind.RULES,
        FindingKind.SAME_NICK,
    )
)
"""The findings with which it is not certain that the game was played to its end, or what lies on its board."""


class BoardPlay(NamedTuple):
    """A play whose tiles lie on the final board."""

    move: str
    """As the record writes it: `8D ..AiN`."""
    player: int
    """The seat."""
    score: int
    words: tuple[str, ...]
    """The words it formed, in capitals, the main word first."""


class FinalBoard(NamedTuple):
    """The board of a finished game, with its rules, its players and the plays that lie on it, in their order."""

    rules: RuleSet
    players: tuple[str, ...]
    board: Board
    plays: tuple[BoardPlay, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The words on the board, each once."""
        return tuple(dict.fromkeys(words_on(self.board)))


def read_final_board(record: Record) -> FinalBoard | AuditFinding:
    """Return the final board of a record, or the first finding that says why it has none."""
    header = read_header(record, None)
    replay = replay_record(record, header, header.rules, english_distribution(header.rules))
    findings = sorted([*header.findings, *replay.findings], key=lambda finding: finding.line)
    if (doubt := next((finding for finding in findings if finding.kind in _DOUBTS), None)) is not None:
        return doubt
    plays = []
    for placed in replay.plays:
        assert placed.ruling is not None
        assert isinstance(placed.event.move, TilePlacement)
        move, words = placed.event.move, tuple(placed.ruling.words)
        plays.append(BoardPlay(f"{move.start} {move.word}", placed.seat, placed.points, words))
    if not plays:
        return AuditFinding(1, FindingKind.UNFINISHED, None, None, "no play lies on the board")
    names = {player.nick: player.name or player.nick for player in record.players}
    players = tuple([names.get(seat.nick, seat.nick) for seat in replay.score_sheet.seats])
    return FinalBoard(replay.rules, players, replay.board, tuple(plays))
