"""A record audited: every score, total, challenge, exchange and end adjustment computed again. (INTERFACES 3)"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ordws.records.diagnosis import diagnose
from ordws.records.dispute import check_owed, deduct, reward, tell_challenge_rule, withdraw
from ordws.records.ending import count_unplayed, find_unfinished, overtime
from ordws.records.facts import Deducted, Fact, read_fact
from ordws.records.finding import INEXACT, Finding, Kind
from ordws.records.header import Header, on_board, read_header
from ordws.records.letters import EDITIONS, Letters, english
from ordws.records.record import (
    ChallengeBonus,
    Event,
    Exchanging,
    Item,
    Note,
    Passing,
    Placing,
    Pragma,
    Record,
    TimePenalty,
    Unclear,
    Unplayed,
    Withdrawing,
)
from ordws.records.replay import Replay, Square
from ordws.records.turns import exchange, give_up, place
from ordws.rules.board import Board
from ordws.rules.layout import STANDARD
from ordws.rules.move import Legal, squares_of
from ordws.rules.ruleset import RuleSet
from ordws.rules.scoring import is_stretch, longest_run

_RACKS: Final = ("rack1", "rack2", "rack3", "rack4")
_TURNS: Final = (Placing, Exchanging, Passing, Unclear)
_OTHER_SIDES: Final = ("SuperCrosswordGame", "CrosswordGame with wings", "ScrabbleDuel")


@dataclass(frozen=True)
class Audit:
    """What a record says and what it should say."""

    rules: RuleSet
    encoding: str
    players: tuple[str, ...]
    """Nicks, in the order of the seats."""

    moves: int
    totals: dict[str, int]
    """As computed; of two players with one nick the second is called `nick#2`."""

    findings: tuple[Finding, ...]
    """In the order of the lines."""

    board: Board
    last: tuple[Square, ...]
    """The squares of the last play that stands."""

    stretched: tuple[Square, ...]
    """The run that it stretched."""

    @property
    def exact(self) -> bool:
        return not any(finding.kind in INEXACT for finding in self.findings)


def audit(record: Record, rules: RuleSet | None = None) -> Audit:
    """Every discrepancy of a record under these rules, or under those it names, or else the regular ones."""
    header = read_header(record, rules)
    replay = _replay_best(record, header)
    findings = header.findings + replay.findings
    if any(finding.kind is Kind.SCORE for finding in replay.findings):
        other = diagnose(replay.rules, replay.letters, replay.scored)
        findings += [other] if other else []
    last = replay.plays[-1] if replay.plays else None
    return Audit(
        replay.rules,
        record.encoding,
        tuple([seat.nick for seat in replay.tally.seats]),
        replay.moves,
        replay.tally.totals(),
        tuple(sorted(findings, key=lambda finding: finding.line)),
        replay.board,
        tuple(last.tiles) if last else (),
        _stretched(last.ruling) if last and last.ruling else (),
    )


def _stretched(ruling: Legal) -> tuple[Square, ...]:
    """The run on the board for whose stretch a bonus was given."""
    main = ruling.spans[0]
    if not (ruling.bonus and is_stretch(ruling.rules, main)):
        return ()
    start, length = longest_run(main)
    offset = start - main[1]
    return tuple(squares_of(ruling.rules.layout.side, main)[offset : offset + length])


def _replay_best(record: Record, header: Header) -> Replay:
    """The record replayed as its header asks; with other tiles or on another board where it plainly has these."""
    rules = header.rules
    replay = _replay(record, header, rules, english(rules))
    others = [_replay(record, header, rules, letters) for letters in _other_letters(record, header)]
    best = min([*others, replay] if header.letters else [replay, *others], key=_faults)
    if best is not replay:
        name = best.letters.name
        best.findings.append(Finding(1, Kind.LETTERS, None, name, f"replayed with the {name} tiles"))
        return best
    if not replay.strayed or rules.layout != STANDARD:
        return replay
    return min([replay, *_replays_elsewhere(record, header)], key=_faults)


def _other_letters(record: Record, header: Header) -> list[Letters]:
    """The editions whose tiles a record may have been played with: the one it names, or those that spell its words."""
    if header.letters is not None:
        return [header.letters]
    words = [event.deed.word for event in record.events if isinstance(event.deed, Placing)]
    if all(word.isascii() and "[" not in word for word in words):
        return []
    return [each for each in EDITIONS if all(each.find_bytes(word) is not None for word in words)]


def _replays_elsewhere(record: Record, header: Header) -> Iterator[Replay]:
    """On boards of other sizes, each with a finding that says so."""
    for name in _OTHER_SIDES:
        rules = on_board(header.rules, name)
        replay = _replay(record, header, rules, english(rules))
        message = f"replayed on the layout {name}, which the coordinates fit"
        replay.findings.append(Finding(1, Kind.LAYOUT, None, name, message))
        yield replay


def _replay(record: Record, header: Header, rules: RuleSet, letters: Letters) -> Replay:
    replay = Replay(rules, letters, record.players, lettered_rows=header.lettered_rows)
    last = 1
    for event, facts in _with_facts(record.items):
        if event is not None:
            _take(replay, event, facts)
            last = event.line
        replay.note(facts)
    check_owed(replay)
    if unfinished := find_unfinished(replay, last):
        line, message = unfinished
        replay.findings.append(Finding(line, Kind.UNFINISHED, None, None, message))
    for item in record.items:
        if isinstance(item, Pragma) and item.name in _RACKS and item.line > last:
            replay.supply.read_rack(item.line, item.text.strip())
    tell_challenge_rule(replay)
    return replay


def _take(replay: Replay, event: Event, facts: list[Fact]) -> None:
    """Take the game one event further."""
    if replay.owed is not None and isinstance(event.deed, _TURNS):
        check_owed(replay)
    match event.deed:
        case Placing() as deed:
            place(replay, event, deed, facts)
        case Exchanging() as deed:
            exchange(replay, event, deed, facts)
        case (Passing() | Unclear()) as deed:
            give_up(replay, event, deed, facts)
        case Withdrawing():
            withdraw(replay, event, facts)
        case ChallengeBonus():
            reward(replay, event, facts)
        case TimePenalty():
            deduct(replay, event) if Deducted() in facts else overtime(replay, event, facts)
        case Unplayed() as deed:
            count_unplayed(replay, event, deed)


def _with_facts(items: tuple[Item, ...]) -> Iterator[tuple[Event | None, list[Fact]]]:
    """Each event with the facts of the notes behind it; first, without an event, those that stand before all."""
    event: Event | None = None
    facts: list[Fact] = []
    for item in items:
        if isinstance(item, Event):
            yield event, facts
            event, facts = item, []
        elif isinstance(item, Note):
            fact = read_fact(item.text)
            if fact is not None and not isinstance(fact, str):
                facts.append(fact)
    yield event, facts


def _faults(replay: Replay) -> int:
    """What speaks against the tiles and the board that were taken."""
    return sum([finding.kind in INEXACT or finding.kind is Kind.LINE for finding in replay.findings])
