"""Recorded plays in doubt: withdrawn, caught late, checked in the OSPD, or rewarded (docs/rules.md 6, 9.3).

`ordws.rules.challenges` says what a challenge, a check or a late discovery costs and when it is allowed.
"""

from __future__ import annotations

from collections.abc import Sequence

from ordws.records.finding import FindingKind
from ordws.records.record import CaughtPlay, CheckedOspd, DirectorAdjustment, GcgEvent, GcgExtension, TilePlacement
from ordws.records.replay import PendingDeduction, PlacedPlay, Replay
from ordws.rules.challenges import (
    challenge_bonus,
    dover_deduction,
    find_late_fault,
    supports_later_word,
    words_to_check,
)
from ordws.rules.ruleset import Challenge, CheckOspd


def replay_withdrawal(replay: Replay, event: GcgEvent, extensions: Sequence[GcgExtension]) -> None:
    """Take back the play just made, which has to be this player's; its points are those that are lost."""
    seat = replay.find_seat(event)
    caught = next((extension for extension in extensions if isinstance(extension, CaughtPlay)), None)
    if caught is not None:
        replay.apply_swaps(event, extensions)
        _catch_bad_play(replay, event, seat, caught.play)
        return
    made = replay.last_play
    if made is None or made.seat != seat:
        replay.report(event, FindingKind.WITHDRAWAL, f"{replay.nick(seat)} has not just made a play", event.points)
        replay.score_sheet.record_points(seat, event, None)
        return
    if event.rack and made.event.rack and sorted(event.rack) != sorted(made.event.rack):
        message = f'the rack of the play was "{made.event.rack}"'
        replay.report(event, FindingKind.RACK, message, event.rack, made.event.rack)
    replay.plays.pop()
    replay.last_play = None
    _remove_play(replay, made)
    _remove_caught_plays(replay)
    # The withdrawn play has become an idle turn like those before it (docs/rules.md 7.2).
    replay.idle_bag_counts = made.idle_bag_counts
    replay.record_idle_turn(replay.bag_count())
    _deduct_play_points(replay, event, made)
    if checks := [extension for extension in extensions if isinstance(extension, CheckedOspd)]:
        _check_ospd(replay, event, made, checks)


def _remove_play(replay: Replay, made: PlacedPlay) -> None:
    # A blank of the play may have been swapped since, so that the board and not the play says what lies there.
    tiles = [replay.board.letter_at(*square) for square in made.tiles]
    replay.board = replay.board.with_letters(dict.fromkeys(made.tiles, "."))
    replay.tile_tracker.remove(replay.distribution.as_rack_tiles(tiles))


def _deduct_play_points(replay: Replay, event: GcgEvent, made: PlacedPlay) -> None:
    explanation = f"the play made {made.points} points, {-(event.points or 0)} are taken back"
    # A wrong score was reported with the play, so that the same wrong points may be taken back.
    replay.score_sheet.record_points(
        made.seat, event, -made.points, FindingKind.WITHDRAWAL, explanation, also_accepted=-(made.event.points or 0)
    )


def _catch_bad_play(replay: Replay, event: GcgEvent, seat: int, play: str) -> None:
    """Take back an earlier play of a seat, named as `12`, its line, or as `8D WORD` (docs/rules.md 9.3, A-31)."""
    candidates = []
    for at, made in enumerate(replay.plays):
        move = made.event.move
        assert isinstance(move, TilePlacement)
        if made.seat == seat and not made.is_caught and play in (str(made.event.line), f"{move.start} {move.word}"):
            candidates.append(at)
    if not candidates:
        replay.report(event, FindingKind.WITHDRAWAL, f'{replay.nick(seat)} has no play "{play}" on the board', play)
        replay.score_sheet.record_points(seat, event, None)
        return
    at = candidates[-1]
    made, later = replay.plays[at], replay.plays[at + 1 :]
    # The last move may be a play that is still in question, and is then no completed turn.
    if find_late_fault(replay.rules, replay.moves - 1 - made.move) is not None:
        replay.report(event, FindingKind.WITHDRAWAL, f'by these rules the play "{play}" stands', play)
    if _supports(made, later):
        replay.plays[at] = made._replace(is_caught=True)
    else:
        del replay.plays[at]
        _remove_play(replay, made)
        _remove_caught_plays(replay)
    if made is replay.last_play:
        replay.last_play = None
    _deduct_play_points(replay, event, made)


def _remove_caught_plays(replay: Replay) -> None:
    """Take caught plays off the board on which no later word depends any more (docs/rules.md 9.3)."""
    # The last play first: an earlier one may lie free once it is gone.
    for at in range(len(replay.plays) - 1, -1, -1):
        made = replay.plays[at]
        if made.is_caught and not _supports(made, replay.plays[at + 1 :]):
            del replay.plays[at]
            _remove_play(replay, made)


def _supports(made: PlacedPlay, later: Sequence[PlacedPlay]) -> bool:
    return supports_later_word(made.tiles, [play.ruling for play in later if play.ruling is not None])


def _check_ospd(replay: Replay, event: GcgEvent, made: PlacedPlay, checks: list[CheckedOspd]) -> None:
    """Apply checks of the OSPD: a failed one costs points, else another play follows (docs/rules.md 6.4, 6.5).

    In Dover's form every word has to be found, one by one.
    """
    rules = replay.rules
    failed = next((check for check in checks if not check.found), None)
    if rules.check_ospd is CheckOspd.NONE:
        replay.report(event, FindingKind.DEDUCTION, "these rules have no check of the OSPD")
    elif failed is not None:
        cost = made.points
        if rules.check_ospd is CheckOspd.DOVER:
            spans = made.ruling.spans if made.ruling else []
            try:
                cost = dover_deduction([tiles for tiles, _, _, _ in spans], failed.word, replay.distribution.face)
            except ValueError:  # a damaged record may name a word that the play does not form
                cost = replay.distribution.total_value(failed.word)
        replay.pending_deduction = PendingDeduction(made.seat, cost, event)
    elif made.ruling is None or {check.word for check in checks}.issuperset(words_to_check(rules, made.ruling)):
        replay.next_seat = replay.plays_again = made.seat
        replay.idle_bag_counts = made.idle_bag_counts


def report_missing_deduction(replay: Replay) -> None:
    """Report the cost of a failed check of the OSPD that was not deducted before the next turn."""
    if replay.pending_deduction is not None:
        seat, cost, at = replay.pending_deduction
        replay.pending_deduction = None
        message = f"{cost} points are not taken off {replay.nick(seat)}'s total"
        replay.report(at, FindingKind.DEDUCTION, message, 0, -cost)


def replay_ospd_deduction(replay: Replay, event: GcgEvent) -> None:
    """Deduct the cost of a failed check of the OSPD."""
    seat = replay.find_seat(event)
    pending, replay.pending_deduction = replay.pending_deduction, None
    if pending is None or pending.seat != seat:
        message = f"{replay.nick(seat)} has not just checked the OSPD in vain"
        replay.report(event, FindingKind.DEDUCTION, message, event.points)
        replay.score_sheet.record_points(seat, event, None)
        return
    explanation = f"the check costs {pending.points} points, {-(event.points or 0)} are taken off"
    replay.score_sheet.record_points(seat, event, -pending.points, FindingKind.DEDUCTION, explanation)


def replay_challenge_bonus(replay: Replay, event: GcgEvent, extensions: Sequence[GcgExtension]) -> None:
    """Add the points for a play that was challenged and stood; they must fit a challenge rule, or be the director's."""
    seat = replay.find_seat(event)
    made = replay.last_play
    replay.tile_tracker.check_rack(event.line, event.rack)
    if any(isinstance(extension, DirectorAdjustment) for extension in extensions):
        pass
    elif made is None or made.seat != seat:
        replay.report(event, FindingKind.CHALLENGE, f"{replay.nick(seat)} has not just made a play", event.points)
    else:
        words = len(made.ruling.spans) if made.ruling else 1
        replay.challenge_bonuses.append((event, words))
        # The points of any challenge rule will do here: in the end `report_challenge_rule` names the rule they show.
        if event.points is not None and not any(event.points in _possible_bonuses(rule, words) for rule in Challenge):
            message = f"{event.points} points are what no challenge rule gives, 5 or 10 are"
            replay.report(event, FindingKind.CHALLENGE, message, event.points, 5)
    replay.score_sheet.record_points(seat, event, None)


def report_challenge_rule(replay: Replay) -> None:
    """Report the challenge rule that the bonuses show, if they cannot come from that of the rule set."""
    rule = replay.rules.challenge
    given = [(event, words) for event, words in replay.challenge_bonuses if event.points and event.points % 5 == 0]
    if all(event.points in _possible_bonuses(rule, words) for event, words in given):
        return
    shown = Challenge.TEN if all(event.points == 10 for event, _ in given) else Challenge.FIVE
    if rule is not shown:
        message = f'the points show the challenge rule "{shown.value}", the rule set has "{rule.value}"'
        replay.report(given[0][0], FindingKind.CHALLENGE, message, shown.value, rule.value)


def _possible_bonuses(rule: Challenge, words: int) -> set[int]:
    """Return the bonuses that a play of so many new words may get: a record does not say which were challenged."""
    return {challenge_bonus(rule, challenged) for challenged in range(1, words + 1)}
