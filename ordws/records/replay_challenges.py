"""What becomes of a play once it is doubted: taken back, caught late, checked in the OSPD, rewarded. (RULES 6, 9.3)"""

from __future__ import annotations

from collections.abc import Sequence

from ordws.records.finding import FindingKind
from ordws.records.gcg_extensions import CaughtPlay, CheckedOspd, DirectorAdjustment, GcgExtension
from ordws.records.record import GcgEvent, TilePlacement
from ordws.records.replay import PendingDeduction, PlacedPlay, Replay
from ordws.rules.challenges import dover_deduction
from ordws.rules.move import squares_of
from ordws.rules.ruleset import Challenge, CheckOspd, LateBadPlay


def replay_withdrawal(replay: Replay, event: GcgEvent, extensions: Sequence[GcgExtension]) -> None:
    """Take back the play just made; it has to be this player's and its points those that are lost."""
    seat = replay.find_seat(event)
    for fact in extensions:
        if isinstance(fact, CaughtPlay):
            replay.apply_swaps(event, extensions)
            _catch_bad_play(replay, event, seat, fact.play)
            return
    made = replay.last_play
    if made is None or made.seat != seat:
        replay.report(event, FindingKind.WITHDRAWAL, f"{replay.nick(seat)} has not just made a play", event.points)
        replay.score_sheet.record_points(seat, event, None)
        return
    if event.rack and made.event.rack and sorted(event.rack) != sorted(made.event.rack):
        replay.report(
            event, FindingKind.RACK, f'the rack of the play was "{made.event.rack}"', event.rack, made.event.rack
        )
    replay.plays.pop()
    replay.last_play = None
    _remove_play(replay, made)
    _remove_caught_plays(replay)
    replay.idle_bag_counts = made.idle_bag_counts
    replay.record_idle_turn(replay.bag_count())
    _deduct_play_points(replay, event, made)
    _check_ospd(replay, event, made, [fact for fact in extensions if isinstance(fact, CheckedOspd)])


def _remove_play(replay: Replay, made: PlacedPlay) -> None:
    """A blank of the play may have been swapped since, so that what lies there counts."""
    tiles = [replay.board.letter_at(*square) for square in made.tiles]
    replay.board = replay.board.with_letters(dict.fromkeys(made.tiles, "."))
    replay.tile_tracker.remove(replay.distribution.as_rack_tiles(tiles))


def _deduct_play_points(replay: Replay, event: GcgEvent, made: PlacedPlay) -> None:
    because = f"the play made {made.points} points, {-(event.points or 0)} are taken back"
    replay.score_sheet.record_points(
        made.seat, event, -made.points, FindingKind.WITHDRAWAL, because, also_accepted=-(made.event.points or 0)
    )


def _catch_bad_play(replay: Replay, event: GcgEvent, seat: int, play: str) -> None:
    """RULES 9.3, A-31"""
    named = [i for i, made in enumerate(replay.plays) if made.seat == seat and _is_named(made, play)]
    if not named:
        replay.report(event, FindingKind.WITHDRAWAL, f'{replay.nick(seat)} has no play "{play}" on the board', play)
        replay.score_sheet.record_points(seat, event, None)
        return
    at = named[-1]
    made, later = replay.plays[at], replay.plays[at + 1 :]
    rule = replay.rules.late_bad_play
    if rule is LateBadPlay.STANDS or (rule is LateBadPlay.UNTIL_NEXT_TURN and made.move < replay.moves - 1):
        replay.report(event, FindingKind.WITHDRAWAL, f'by these rules the play "{play}" stands', play)
    if any(_touches(each, made) for each in later):
        replay.plays[at] = made._replace(is_caught=True)
    else:
        del replay.plays[at]
        _remove_play(replay, made)
        _remove_caught_plays(replay)
    if made is replay.last_play:
        replay.last_play = None
    _deduct_play_points(replay, event, made)


def _remove_caught_plays(replay: Replay) -> None:
    """Plays that were caught when others hung on them come off once nothing does any more. (RULES 9.3)"""
    for at in range(len(replay.plays) - 1, -1, -1):
        made = replay.plays[at]
        if made.is_caught and not any(_touches(each, made) for each in replay.plays[at + 1 :]):
            del replay.plays[at]
            _remove_play(replay, made)


def _is_named(made: PlacedPlay, play: str) -> bool:
    """Whether `12` or `8D WORD` means this play, which has not been caught yet."""
    deed = made.event.move
    assert isinstance(deed, TilePlacement)
    return not made.is_caught and play in (str(made.event.line), f"{deed.start} {deed.word}")


def _touches(later: PlacedPlay, made: PlacedPlay) -> bool:
    """Whether a word of the later play runs over a tile of the other."""
    if later.ruling is None:
        return False
    side = later.ruling.rules.layout.side
    return any(square in made.tiles for span in later.ruling.spans for square in squares_of(side, span))


def _check_ospd(replay: Replay, event: GcgEvent, made: PlacedPlay, checks: list[CheckedOspd]) -> None:
    """RULES 6.4, 6.5: in vain it costs points, and in Dover's form every word has to be found, one by one."""
    if not checks:
        return
    rule = replay.rules.check_ospd
    words = made.ruling.words if made.ruling else []
    vain = next((check for check in checks if not check.found), None)
    if rule is CheckOspd.NONE:
        replay.report(event, FindingKind.DEDUCTION, "these rules have no check of the OSPD")
    elif vain is not None:
        cost = made.points
        if rule is CheckOspd.DOVER:
            spans = made.ruling.spans if made.ruling else []
            try:
                cost = dover_deduction([tiles for tiles, _, _, _ in spans], vain.word, replay.distribution.face)
            except ValueError:  # a damaged record may name a word that the play does not form
                cost = replay.distribution.total_value(vain.word)
        replay.pending_deduction = PendingDeduction(made.seat, cost, event)
    elif rule is CheckOspd.OFFICIAL or {check.word for check in checks}.issuperset(words):
        replay.next_seat, replay.idle_bag_counts = made.seat, made.idle_bag_counts


def report_missing_deduction(replay: Replay) -> None:
    """What a check of the OSPD costs is taken off before the next turn."""
    if replay.pending_deduction is not None:
        seat, cost, at = replay.pending_deduction
        replay.pending_deduction = None
        replay.report(
            at, FindingKind.DEDUCTION, f"{cost} points are not taken off {replay.nick(seat)}'s total", 0, -cost
        )


def replay_ospd_deduction(replay: Replay, event: GcgEvent) -> None:
    """Take off what a check of the OSPD cost."""
    seat = replay.find_seat(event)
    owed, replay.pending_deduction = replay.pending_deduction, None
    if owed is None or owed.seat != seat:
        message = f"{replay.nick(seat)} has not just checked the OSPD in vain"
        replay.report(event, FindingKind.DEDUCTION, message, event.points)
        replay.score_sheet.record_points(seat, event, None)
        return
    because = f"the check costs {owed.points} points, {-(event.points or 0)} are taken off"
    replay.score_sheet.record_points(seat, event, -owed.points, FindingKind.DEDUCTION, because)


def replay_challenge_bonus(replay: Replay, event: GcgEvent, extensions: Sequence[GcgExtension]) -> None:
    """Points for a play that was challenged and stood: 5, 10, or 5 for each word, unless the director gave them."""
    seat = replay.find_seat(event)
    made = replay.last_play
    replay.tile_tracker.check_rack(event.line, event.rack)
    if any(isinstance(fact, DirectorAdjustment) for fact in extensions):
        pass
    elif made is None or made.seat != seat:
        replay.report(event, FindingKind.CHALLENGE, f"{replay.nick(seat)} has not just made a play", event.points)
    else:
        words = len(made.ruling.spans) if made.ruling else 1
        replay.challenge_bonuses.append((event, words))
        if event.points not in {None, 0, 5, 10, *range(5, 5 * words + 1, 5)}:
            message = f"{event.points} points are what no challenge rule gives, 5 or 10 are"
            replay.report(event, FindingKind.CHALLENGE, message, event.points, 5)
    replay.score_sheet.record_points(seat, event, None)


def report_challenge_rule(replay: Replay) -> None:
    """Which challenge rule the bonuses show, where they cannot come from that of the rule set."""
    has = replay.rules.challenge
    given = [(event, words) for event, words in replay.challenge_bonuses if event.points and event.points % 5 == 0]
    if not given or all(_allows_bonus(has, event.points or 0, words) for event, words in given):
        return
    shown = Challenge.TEN if all(event.points == 10 for event, _ in given) else Challenge.FIVE
    if has is not shown:
        message = f'the points show the challenge rule "{shown.value}", the rule set has "{has.value}"'
        replay.report(given[0][0], FindingKind.CHALLENGE, message, shown.value, has.value)


def _allows_bonus(rule: Challenge, points: int, words: int) -> bool:
    return (rule is Challenge.TEN and points == 10) or (rule is Challenge.FIVE and points <= 5 * words)
