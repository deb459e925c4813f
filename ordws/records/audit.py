"""A record audited: every score, total, challenge, exchange and end adjustment computed again. (INTERFACES 3)"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ordws.records.diagnosis import diagnose
from ordws.records.finding import INEXACT_KINDS, AuditFinding, FindingKind
from ordws.records.gcg_extensions import GcgExtension, OspdDeduction, read_extension
from ordws.records.header import RecordHeader, read_header, with_layout
from ordws.records.record import (
    ChallengeBonus,
    GcgEvent,
    Note,
    PassedTurn,
    Pragma,
    Record,
    RecordItem,
    TileExchange,
    TilePlacement,
    TimePenalty,
    UnknownMove,
    UnplayedTilesScore,
    Withdrawal,
)
from ordws.records.replay import Replay, Square
from ordws.records.replay_challenges import (
    replay_challenge_bonus,
    replay_ospd_deduction,
    replay_withdrawal,
    report_challenge_rule,
    report_missing_deduction,
)
from ordws.records.replay_end import find_unfinished, replay_overtime, replay_unplayed_tiles
from ordws.records.replay_moves import replay_exchange, replay_pass, replay_play
from ordws.records.tile_distributions import TILE_DISTRIBUTIONS, TileDistribution, english_distribution
from ordws.rules.board import Board
from ordws.rules.layout import STANDARD
from ordws.rules.move import Legal, squares_of
from ordws.rules.ruleset import RuleSet
from ordws.rules.scoring import is_stretch, longest_run

_RACK_PRAGMAS: Final = ("rack1", "rack2", "rack3", "rack4")
_TURN_MOVES: Final = (TilePlacement, TileExchange, PassedTurn, UnknownMove)
_OTHER_LAYOUTS: Final = ("SuperCrosswordGame", "CrosswordGame with wings", "ScrabbleDuel")


@dataclass(frozen=True)
class RecordAudit:
    """What a record says and what it should say."""

    rules: RuleSet
    encoding: str
    players: tuple[str, ...]
    """Nicks, in the order of the seats."""

    moves: int
    totals: dict[str, int]
    """As computed; of two players with one nick the second is called `nick#2`."""

    findings: tuple[AuditFinding, ...]
    """In the order of the lines."""

    board: Board
    last_play: tuple[Square, ...]
    """The squares of the last play that stands."""

    stretched: tuple[Square, ...]
    """The run that it stretched."""

    @property
    def is_exact(self) -> bool:
        return not any(finding.kind in INEXACT_KINDS for finding in self.findings)


def audit_record(record: Record, rules: RuleSet | None = None) -> RecordAudit:
    """Every discrepancy of a record under these rules, or under those it names, or else the regular ones."""
    header = read_header(record, rules)
    replay = _replay_best(record, header)
    findings = header.findings + replay.findings
    if any(finding.kind is FindingKind.SCORE for finding in replay.findings):
        other = diagnose(replay.rules, replay.distribution, replay.scored_plays)
        findings += [other] if other else []
    last = replay.plays[-1] if replay.plays else None
    return RecordAudit(
        replay.rules,
        record.encoding,
        tuple([seat.nick for seat in replay.score_sheet.seats]),
        replay.moves,
        replay.score_sheet.totals(),
        tuple(sorted(findings, key=lambda finding: finding.line)),
        replay.board,
        tuple(last.tiles) if last else (),
        _stretched_squares(last.ruling) if last and last.ruling else (),
    )


def _stretched_squares(ruling: Legal) -> tuple[Square, ...]:
    """The run on the board for whose stretch a bonus was given."""
    main = ruling.spans[0]
    if not (ruling.bonus and is_stretch(ruling.rules, main)):
        return ()
    start, length = longest_run(main)
    offset = start - main[1]
    return tuple(squares_of(ruling.rules.layout.side, main)[offset : offset + length])


def _replay_best(record: Record, header: RecordHeader) -> Replay:
    """The record replayed as its header asks; with other tiles or on another board where it plainly has these."""
    rules = header.rules
    replay = _replay(record, header, rules, english_distribution(rules))
    others = [_replay(record, header, rules, letters) for letters in _other_distributions(record, header)]
    best = min([*others, replay] if header.distribution else [replay, *others], key=_count_faults)
    if best is not replay:
        name = best.distribution.name
        best.findings.append(AuditFinding(1, FindingKind.LETTERS, None, name, f"replayed with the {name} tiles"))
        return best
    if not replay.off_board_plays or rules.layout != STANDARD:
        return replay
    return min([replay, *_replay_other_layouts(record, header)], key=_count_faults)


def _other_distributions(record: Record, header: RecordHeader) -> list[TileDistribution]:
    """The editions whose tiles a record may have been played with: the one it names, or those that spell its words."""
    if header.distribution is not None:
        return [header.distribution]
    words = [event.move.word for event in record.events if isinstance(event.move, TilePlacement)]
    if all(word.isascii() and "[" not in word for word in words):
        return []
    return [each for each in TILE_DISTRIBUTIONS if all(each.encode_word(word) is not None for word in words)]


def _replay_other_layouts(record: Record, header: RecordHeader) -> Iterator[Replay]:
    """On boards of other sizes, each with a finding that says so."""
    for name in _OTHER_LAYOUTS:
        rules = with_layout(header.rules, name)
        replay = _replay(record, header, rules, english_distribution(rules))
        message = f"replayed on the layout {name}, which the coordinates fit"
        replay.findings.append(AuditFinding(1, FindingKind.LAYOUT, None, name, message))
        yield replay


def _replay(record: Record, header: RecordHeader, rules: RuleSet, distribution: TileDistribution) -> Replay:
    replay = Replay(rules, distribution, record.players, lettered_rows=header.lettered_rows)
    last = 1
    for event, facts in _with_extensions(record.items):
        if event is not None:
            _replay_event(replay, event, facts)
            last = event.line
        replay.apply_extensions(facts)
    report_missing_deduction(replay)
    if unfinished := find_unfinished(replay, last):
        line, message = unfinished
        replay.findings.append(AuditFinding(line, FindingKind.UNFINISHED, None, None, message))
    for item in record.items:
        if isinstance(item, Pragma) and item.name in _RACK_PRAGMAS and item.line > last:
            replay.tile_tracker.check_rack(item.line, item.text.strip())
    report_challenge_rule(replay)
    return replay


def _replay_event(replay: Replay, event: GcgEvent, extensions: list[GcgExtension]) -> None:
    """Take the game one event further."""
    if replay.pending_deduction is not None and isinstance(event.move, _TURN_MOVES):
        report_missing_deduction(replay)
    match event.move:
        case TilePlacement() as deed:
            replay_play(replay, event, deed, extensions)
        case TileExchange() as deed:
            replay_exchange(replay, event, deed, extensions)
        case (PassedTurn() | UnknownMove()) as deed:
            replay_pass(replay, event, deed, extensions)
        case Withdrawal():
            replay_withdrawal(replay, event, extensions)
        case ChallengeBonus():
            replay_challenge_bonus(replay, event, extensions)
        case TimePenalty():
            replay_ospd_deduction(replay, event) if OspdDeduction() in extensions else replay_overtime(
                replay, event, extensions
            )
        case UnplayedTilesScore() as deed:
            replay_unplayed_tiles(replay, event, deed)


def _with_extensions(items: tuple[RecordItem, ...]) -> Iterator[tuple[GcgEvent | None, list[GcgExtension]]]:
    """Each event with the facts of the notes behind it; first, without an event, those that stand before all."""
    event: GcgEvent | None = None
    facts: list[GcgExtension] = []
    for item in items:
        if isinstance(item, GcgEvent):
            yield event, facts
            event, facts = item, []
        elif isinstance(item, Note):
            fact = read_extension(item.text)
            if fact is not None and not isinstance(fact, str):
                facts.append(fact)
    yield event, facts


def _count_faults(replay: Replay) -> int:
    """What speaks against the tiles and the board that were taken."""
    return sum([finding.kind in INEXACT_KINDS or finding.kind is FindingKind.LINE for finding in replay.findings])
