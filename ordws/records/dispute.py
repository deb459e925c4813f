"""What becomes of a play once it is doubted: taken back, caught late, checked in the OSPD, rewarded. (RULES 6, 9.3)"""

from __future__ import annotations

from collections.abc import Sequence

from ordws.records.facts import AdjustedBy, Caught, CheckedOspd, Fact
from ordws.records.finding import Kind
from ordws.records.record import Event, Placing
from ordws.records.replay import Made, Owed, Replay
from ordws.rules.move import squares_of
from ordws.rules.ruleset import Challenge, CheckOspd, LateBadPlay


def withdraw(replay: Replay, event: Event, facts: Sequence[Fact]) -> None:
    """Take back the play just made; it has to be this player's and its points those that are lost."""
    seat = replay.find_seat(event)
    for fact in facts:
        if isinstance(fact, Caught):
            replay.swap(event, facts)
            _catch(replay, event, seat, fact.play)
            return
    made = replay.last
    if made is None or made.seat != seat:
        replay.tell(event, Kind.WITHDRAWAL, f"{replay.name(seat)} has not just made a play", event.points)
        replay.tally.settle(seat, event, None)
        return
    if event.rack and made.event.rack and sorted(event.rack) != sorted(made.event.rack):
        replay.tell(event, Kind.RACK, f'the rack of the play was "{made.event.rack}"', event.rack, made.event.rack)
    replay.plays.pop()
    replay.last = None
    _lift(replay, made)
    _clear(replay)
    replay.idle = made.idle
    replay.spend(replay.in_bag())
    _take_back(replay, event, made)
    _check_ospd(replay, event, made, [fact for fact in facts if isinstance(fact, CheckedOspd)])


def _lift(replay: Replay, made: Made) -> None:
    """A blank of the play may have been swapped since, so that what lies there counts."""
    tiles = [replay.board.at(*square) for square in made.tiles]
    replay.board = replay.board.put(dict.fromkeys(made.tiles, "."))
    replay.supply.lift(replay.letters.on_rack(tiles))


def _take_back(replay: Replay, event: Event, made: Made) -> None:
    because = f"the play made {made.points} points, {-(event.points or 0)} are taken back"
    replay.tally.settle(made.seat, event, -made.points, Kind.WITHDRAWAL, because, also=-(made.event.points or 0))


def _catch(replay: Replay, event: Event, seat: int, play: str) -> None:
    """RULES 9.3, A-31"""
    named = [i for i, made in enumerate(replay.plays) if made.seat == seat and _is_named(made, play)]
    if not named:
        replay.tell(event, Kind.WITHDRAWAL, f'{replay.name(seat)} has no play "{play}" on the board', play)
        replay.tally.settle(seat, event, None)
        return
    at = named[-1]
    made, later = replay.plays[at], replay.plays[at + 1 :]
    rule = replay.rules.late_bad_play
    if rule is LateBadPlay.STANDS or (rule is LateBadPlay.UNTIL_NEXT_TURN and made.move < replay.moves - 1):
        replay.tell(event, Kind.WITHDRAWAL, f'by these rules the play "{play}" stands', play)
    if any(_touches(each, made) for each in later):
        replay.plays[at] = made._replace(is_caught=True)
    else:
        del replay.plays[at]
        _lift(replay, made)
        _clear(replay)
    if made is replay.last:
        replay.last = None
    _take_back(replay, event, made)


def _clear(replay: Replay) -> None:
    """Plays that were caught when others hung on them come off once nothing does any more. (RULES 9.3)"""
    for at in range(len(replay.plays) - 1, -1, -1):
        made = replay.plays[at]
        if made.is_caught and not any(_touches(each, made) for each in replay.plays[at + 1 :]):
            del replay.plays[at]
            _lift(replay, made)


def _is_named(made: Made, play: str) -> bool:
    """Whether `12` or `8D WORD` means this play, which has not been caught yet."""
    deed = made.event.deed
    assert isinstance(deed, Placing)
    return not made.is_caught and play in (str(made.event.line), f"{deed.start} {deed.word}")


def _touches(later: Made, made: Made) -> bool:
    """Whether a word of the later play runs over a tile of the other."""
    if later.ruling is None:
        return False
    side = later.ruling.rules.layout.side
    return any(square in made.tiles for span in later.ruling.spans for square in squares_of(side, span))


def _check_ospd(replay: Replay, event: Event, made: Made, checks: list[CheckedOspd]) -> None:
    """RULES 6.4, 6.5: in vain it costs points, and in Dover's form every word has to be found, one by one."""
    if not checks:
        return
    rule = replay.rules.check_ospd
    words = made.ruling.words if made.ruling else []
    vain = next((check for check in checks if not check.found), None)
    if rule is CheckOspd.NONE:
        replay.tell(event, Kind.DEDUCTION, "these rules have no check of the OSPD")
    elif vain is not None:
        cost = made.points if rule is CheckOspd.OFFICIAL else _face(replay, made, vain.word)
        replay.owed = Owed(made.seat, cost, event)
    elif rule is CheckOspd.OFFICIAL or {check.word for check in checks}.issuperset(words):
        replay.next_seat, replay.idle = made.seat, made.idle


def _face(replay: Replay, made: Made, word: str) -> int:
    """What the tiles of one of a play's words are worth, without premiums."""
    for tiles, _, _, _ in made.ruling.spans if made.ruling else ():
        if tiles.decode("latin-1").upper() == word:
            return sum(tiles.translate(replay.letters.face))
    return replay.letters.sum(word)


def check_owed(replay: Replay) -> None:
    """What a check of the OSPD costs is taken off before the next turn."""
    if replay.owed is not None:
        seat, cost, at = replay.owed
        replay.owed = None
        replay.tell(at, Kind.DEDUCTION, f"{cost} points are not taken off {replay.name(seat)}'s total", 0, -cost)


def deduct(replay: Replay, event: Event) -> None:
    """Take off what a check of the OSPD cost."""
    seat = replay.find_seat(event)
    owed, replay.owed = replay.owed, None
    if owed is None or owed.seat != seat:
        message = f"{replay.name(seat)} has not just checked the OSPD in vain"
        replay.tell(event, Kind.DEDUCTION, message, event.points)
        replay.tally.settle(seat, event, None)
        return
    because = f"the check costs {owed.points} points, {-(event.points or 0)} are taken off"
    replay.tally.settle(seat, event, -owed.points, Kind.DEDUCTION, because)


def reward(replay: Replay, event: Event, facts: Sequence[Fact]) -> None:
    """Points for a play that was challenged and stood: 5, 10, or 5 for each word, unless the director gave them."""
    seat = replay.find_seat(event)
    made = replay.last
    replay.supply.read_rack(event.line, event.rack)
    if any(isinstance(fact, AdjustedBy) for fact in facts):
        pass
    elif made is None or made.seat != seat:
        replay.tell(event, Kind.CHALLENGE, f"{replay.name(seat)} has not just made a play", event.points)
    else:
        words = len(made.ruling.spans) if made.ruling else 1
        replay.bonuses.append((event, words))
        if event.points not in {None, 0, 5, 10, *range(5, 5 * words + 1, 5)}:
            message = f"{event.points} points are what no challenge rule gives, 5 or 10 are"
            replay.tell(event, Kind.CHALLENGE, message, event.points, 5)
    replay.tally.settle(seat, event, None)


def tell_challenge_rule(replay: Replay) -> None:
    """Which challenge rule the bonuses show, where they cannot come from that of the rule set."""
    has = replay.rules.challenge
    given = [(event, words) for event, words in replay.bonuses if event.points and event.points % 5 == 0]
    if not given or all(_may_give(has, event.points or 0, words) for event, words in given):
        return
    shown = Challenge.TEN if all(event.points == 10 for event, _ in given) else Challenge.FIVE
    if has is not shown:
        message = f'the points show the challenge rule "{shown.value}", the rule set has "{has.value}"'
        replay.tell(given[0][0], Kind.CHALLENGE, message, shown.value, has.value)


def _may_give(rule: Challenge, points: int, words: int) -> bool:
    return (rule is Challenge.TEN and points == 10) or (rule is Challenge.FIVE and points <= 5 * words)
