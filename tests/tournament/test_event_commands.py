"""Commands of an event: what they change, what they refuse, and how two directors are kept apart."""

from __future__ import annotations

import re
from itertools import islice, permutations

import pytest
from each_row import each_row
from event_driver import DrivenEvent, refused, result

from ordws.desk.deeds import late_offer
from ordws.desk.views import find_late
from ordws.errors import BadInput
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.decide import decide
from ordws.tournament.facts import EventPairing, EventSettings, TableResult
from ordws.tournament.names import find_doubles, find_entrant
from ordws.tournament.state import Entrant, TournamentState


@each_row(
    ("changes", "message"),
    [
        ({"rounds": 0}, "0 rounds: expected 1 to 320"),
        ({"rounds": 161, "games_a_round": 2}, "161 rounds: expected 1 to 160"),
        ({"rules": "chess"}, 'there is no rule set "chess": expected classic'),
        ({"games_a_round": 3}, "3 games a round: expected 1 or 2"),
        ({"options": ("premium",)}, 'option "premium" is not of the form NAME=VALUE'),
        ({"options": ("premium=purple",)}, "option premium: "),
        ({"settings": EventSettings(entry_fee=-1)}, "entry_fee is -1: expected 0 or more"),
        (
            {"settings": EventSettings(prize_fund=10**4_001)},
            "prize_fund is too large: expected 100,000,000,000 at most",
        ),
        ({"settings": EventSettings(forfeit_minutes=10_081)}, "forfeit_minutes is too large: expected 10,080 at most"),
        ({"settings": EventSettings(fee_percent=101)}, "fee_percent is 101: expected 0 to 100"),
        ({"settings": EventSettings(pairing="luck")}, 'there is no pairing method "luck": expected average'),
    ],
)
def test_an_event_that_cannot_be(changes, message):
    """An event with impossible rounds, rules or settings is not begun, and the error names what is wrong."""
    create = f.Created(**({"name": "x", "rules": "classic", "rounds": 3, "seed": 1} | changes))
    with pytest.raises(BadInput, match=f"^{re.escape(message)}"):
        decide(TournamentState(), create)


def test_names_are_compared_as_they_sound():
    """A name that differs only in case, accents, spaces or punctuation is taken."""
    event = DrivenEvent("Zoë  O'Hara")
    assert event.state.entrants[1].name == "Zoë O'Hara"
    assert refused(event, c.Enter(name="ZOE O'HARA")) == '"ZOE O\'HARA" is entered already, as #1 "Zoë O\'Hara"'
    assert find_entrant(event.state, "zoe").number == 1
    assert find_entrant(event.state, "#1").number == 1
    event.do(c.Enter(name='Bo "The Hand" O’Dea'), c.Enter(name="Żółć"), c.Enter(name="Dee-Dee Ray"))
    for typed, number in (("bo the hand odea", 2), ("Bo the", 2), ("zolc", 3), ("dee dee", 4)):
        assert find_entrant(event.state, typed).number == number


@each_row(
    ("name", "message"),
    [
        ("  ", "the name of an entrant is empty"),
        ("#12", 'the name "#12" begins with "#"'),
        ("x" * 61, 'the name "xxxxxxxxxxxxxxxxxxxx..." has 61 characters'),
        ("A\x00b", "the name 'A\\x00b' has characters that cannot be printed"),
        ("A\u202eb", "the name 'A\\u202eb' has characters that cannot be printed"),
        ("\u200b\u0301", "the name of an entrant is empty"),
    ],
)
def test_names_that_cannot_be_printed(name, message):
    """A name that is empty, too long, or no name is refused."""
    assert refused(DrivenEvent(), c.Enter(name=name)).startswith(message)


def test_all_of_a_batch_or_nothing():
    """Where one name of a list is refused, nobody is entered."""
    event = DrivenEvent()
    assert refused(event, c.Enter(name="Ann"), c.Enter(name="Ben"), c.Enter(name="ann")).startswith('"ann" is entered')
    assert event.state.entrants == {}


def test_a_misspelt_name_is_answered_with_the_closest():
    """An unknown name is answered with those that are most alike."""
    event = DrivenEvent("Ann Lee", "Anna Ode", "Ben Poe")
    for typed, hint in (
        ("Ben Pow", '"Ben Poe"'),
        ("Ane Lee", '"Ann Lee"'),
    ):
        with pytest.raises(BadInput) as caught:
            find_entrant(event.state, typed)
        assert hint in str(caught.value.hint)
    assert find_entrant(event.state, "ben").number == 3


def test_doubles_are_pointed_out():
    """Two names that may be one person's are pointed out; different ones are not."""
    event = DrivenEvent("Ann Lee", "Anne Lee", "Lee Ann", "Jan Kok", "Ben Ode")
    assert find_doubles(event.state) == [("Ann Lee", "Anne Lee"), ("Ann Lee", "Lee Ann"), ("Anne Lee", "Lee Ann")]
    assert find_doubles(event.state, {3}) == [("Ann Lee", "Lee Ann"), ("Anne Lee", "Lee Ann")]
    assert find_doubles(event.state, {5}) == []


def test_a_few_doubles_are_told_where_thousands_are_alike():
    """Two thousand names of the same parts are told by twenty pairs, in place of two million."""
    names = [" ".join(parts) for parts in islice(permutations("abcdefgh"), 2_000)]
    state = TournamentState(entrants={at: Entrant(at, name, 0) for at, name in enumerate(names, 1)})
    assert len(find_doubles(state)) == 20
    assert find_doubles(state, {2_000})[0] == (names[0], names[-1])


def test_who_is_not_checked_in_is_not_paired():
    """Only entrants who are checked in are paired; the absent neither lose nor have a bye."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee", "Eve", checked_in=False)
    event.do(*[f.CheckedIn(entrant=number) for number in (1, 2, 3, 4)])
    played = event.play_round()
    assert (played.bye, played.absent) == (None, (5,))
    assert event.line("Eve").games == 0


def test_a_round_needs_two():
    """A round that nobody or one alone could play is not drawn."""
    from ordws.tournament.decide_rounds import check_may_draft

    for names, message in (((), "nobody is checked in"), (("Ann",), 'only "Ann" is checked in')):
        with pytest.raises(BadInput, match=message):
            check_may_draft(DrivenEvent(*names).state)


def test_a_round_is_closed_with_all_results_alone():
    """A round with a missing result is neither closed nor followed by another, and the error names the table."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    first = event.publish().pairings[0]
    event.do(f.Resulted(round=1, table=2, result=result()))
    names = f"{event.name(first.first)} - {event.name(first.second)}"
    assert refused(event, f.Closed(round=1)) == f"round 1 is not over: no result of table 1 ({names})"
    event.play()
    event.close()
    assert event.do(f.Closed(round=1)).phase == "between"


def test_a_result_is_keyed_in_once():
    """The same result again changes nothing; another is refused, and replaced by a correction with a reason alone."""
    event = DrivenEvent("Ann", "Ben")
    event.publish()
    event.do(f.Resulted(round=1, table=1, result=result()))
    known = len(event.facts)
    event.do(f.Resulted(round=1, table=1, result=result()))
    assert len(event.facts) == known
    other = result("371:380/13", "412:398/13")
    assert "has the result 412:398/13 371:380/13 already" in refused(event, f.Resulted(round=1, table=1, result=other))
    assert "without a reason" in refused(event, f.Corrected(round=1, table=1, result=other, reason=" "))
    event.do(f.Corrected(round=1, table=1, result=other, reason="slip misread"))
    assert event.line(event.name(event.state.rounds[0].pairings[0].second)).wins == 1


@each_row(
    ("command", "message"),
    [
        (f.Resulted(round=2, table=1, result=result()), "there is no round 2: round 1 alone is published"),
        (f.Resulted(round=1, table=3, result=result()), "round 1 has no table 3: its tables are 1 to 2"),
        (f.Resulted(round=1, table=0, result=result()), "round 1 has no table 0: its tables are 1 to 2"),
        (f.Resulted(round=1, table=1, game=2, result=result()), "there is no game 2: a round has one game"),
        (f.Corrected(round=1, table=1, result=result(), reason="x"), "round 1, table 1 ("),
        (f.CheckedIn(entrant=9), "there is no entrant #9"),
        (f.Voided(round=3, reason="x"), "there is no round 3: round 1 alone is published"),
        (f.Voided(round=1, reason=""), "round 1 cannot be voided without a reason"),
        (f.Voided(round=1, reason="x", began=(5,)), "round 1 has no table 5: its tables are 1 to 2"),
        (f.Finished(), "round 1 is not closed"),
        (f.Published(round=2, pairings=()), "round 1 is not over: no result of table 1"),
        (f.Bound(round=1, table=1), "a pairing is bound to a sealed game or to a device: name one of them"),
        (f.Constrained(a=1, b=1, constraint="forbid"), '"Ann" cannot meet themselves'),
        (f.Unconstrained(a=1, b=2), 'there is no constraint on "Ann" and "Ben"'),
        (c.Configure(rounds=0), "0 rounds: expected 1 to 320"),
        (f.Returned(entrant=1), None),
        (f.Erased(entrant=1), '"Ann" takes part in the event'),
        (c.Undo(number=99), "there is no fact 99"),
    ],
)
def test_commands_about_something_that_is_not_there(command, message):
    """A command about a round, table, game, entrant or fact that does not exist says what there is."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    event.publish()
    if message is None:
        assert event.do(command) == event.state
    else:
        assert refused(event, command).startswith(message)


def test_a_draft_pairs_everybody_once():
    """Pairings that leave somebody out, name somebody twice or are not numbered from 1 are not published."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    for pairings, bye in (
        ([EventPairing(1, 1, 2)], None),
        ([EventPairing(1, 1, 2), EventPairing(2, 2, 3)], 4),
        ([EventPairing(1, 1, 2), EventPairing(2, 3, 9)], None),
    ):
        message = refused(event, f.Published(round=1, pairings=tuple(pairings), bye=bye))
        assert message.startswith("the draft does not pair everyone who is present once")
    twice = (EventPairing(1, 1, 2), EventPairing(1, 3, 4))
    assert refused(event, f.Published(round=1, pairings=twice)) == "the tables of a draft are numbered from 1"


def test_the_second_of_two_directors_hears_what_came_between():
    """A command on what another has changed since is refused, and the message tells the change in words."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    event.publish()
    seen = event.state.version
    event.do(f.Resulted(round=1, table=1, result=result()), actor="Una")
    # Another table, and what both want, are no conflict.
    event.do(f.Resulted(round=1, table=2, result=result()), actor="Dan", expected=seen)
    event.do(f.Resulted(round=1, table=1, result=result()), actor="Dan", expected=seen)
    with pytest.raises(c.EventConflict) as caught:
        event.do(f.Resulted(round=1, table=1, result=result("500:400/13")), actor="Dan", expected=seen)
    assert str(caught.value) == (
        "somebody else was faster: round 1, table 1 (Ben - Ann): 412:398/13 371:380/13 was keyed in, by Una"
    )
    assert [each.actor for each in caught.value.facts] == ["Una"]


def test_a_draft_that_is_out_of_date_is_not_published():
    """A draft drawn before somebody withdrew is not published."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    seen = event.state.version
    event.do(f.Withdrawn(entrant=2, reason="ill"))
    stale = f.Published(round=1, pairings=(EventPairing(1, 1, 2), EventPairing(2, 3, 4)))
    with pytest.raises(c.EventConflict, match=r"somebody else was faster: Ben withdrew \(ill\), by desk"):
        event.do(stale, expected=seen)


def test_an_undoing_is_a_conflict_too():
    """Whoever saw what was undone since hears of the undoing."""
    event = DrivenEvent("Ann", "Ben")
    event.do(f.Withdrawn(entrant=2))
    seen = event.state.version
    event.do(c.Undo(), actor="Una")
    assert event.state.entrants[2].status == "present"
    with pytest.raises(c.EventConflict, match="it was undone that Ben withdrew, by Una"):
        event.do(f.CheckedOut(entrant=2), expected=seen)


def test_nobody_plays_without_consent_where_it_is_required():
    """Where consent is required, who has not agreed is not checked in."""
    event = DrivenEvent(checked_in=False, settings=EventSettings(consent_required=True))
    event.do(c.Enter(name="Ann"))
    assert refused(event, f.CheckedIn(entrant=1)) == '"Ann" has not agreed to the conditions of the event'
    event.do(f.Agreed(entrant=1, version="1", digest="ab" * 32), f.CheckedIn(entrant=1))
    assert event.state.present == (1,)


def test_a_finished_event_stays_as_it_is():
    """After the end nothing changes but names, money and cases, until the end is undone."""
    event = DrivenEvent("Ann", "Ben", rounds=1)
    event.play_round()
    event.do(f.Finished())
    correction = f.Corrected(round=1, table=1, result=result("500:480/13"), reason="found late")
    assert refused(event, correction) == 'the event "Club" is finished'
    event.do(c.Configure(settings=EventSettings(prize_fund=12_000, currency="EUR")))
    assert event.state.settings.prize_fund == 12_000
    for other in (EventSettings(automatic=True), EventSettings(prize_fund=12_000, on_line=True)):
        assert refused(event, c.Configure(settings=other)) == 'the event "Club" is finished'
    assert refused(event, c.Configure(rounds=2, settings=EventSettings())) == 'the event "Club" is finished'
    event.do(c.Rename(entrant=1, name="Anna"), f.Frozen(entrant=2, case="7"))
    assert event.state.entrants[2].cases == frozenset({"7"})
    event.do(f.Unfrozen(entrant=2, case="7"))
    finished = next(each.number for each in event.facts if event.words()[each.number - 1].startswith("the event was"))
    event.do(c.Undo(number=finished), correction)
    assert event.state.phase == "between"
    assert event.state.settings.prize_fund == 12_000, "what was set after the end stays"


def test_settings_and_rounds_change_while_an_event_runs():
    """The number of rounds can change, but not below those published."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee", rounds=2)
    event.play_round()
    event.play_round()
    event.do(c.Configure(rounds=3))
    event.play_round()
    assert refused(event, c.Configure(rounds=2)) == "3 rounds are published, so there cannot be 2"


def test_two_games_a_round_are_one_meeting():
    """With two games a round both results are asked for, and the two have met once."""
    from ordws.tournament.played_event import problem_of

    event = DrivenEvent("Ann", "Ben", "Cy", "Dee", games_a_round=2)
    event.publish()
    event.do(f.Resulted(round=1, table=1, result=result()), f.Resulted(round=1, table=2, result=result()))
    assert "table 1" in refused(event, f.Closed(round=1))
    assert "game 2" in refused(event, f.Closed(round=1))
    event.do(f.Resulted(round=1, table=1, game=2, result=TableResult(forfeit="first")))
    event.play()
    event.close()
    assert {len(player.opponents) for player in problem_of(event.state).players} == {1}


def test_constraints_are_made_and_ended():
    """Two are forbidden to meet, or put together for the next draft, with a reason, until that ends."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    forbid = f.Constrained(a=1, b=2, constraint="forbid", reason="a couple")
    event.do(forbid)
    known = len(event.facts)
    event.do(forbid)
    assert len(event.facts) == known
    together = f.Constrained(a=1, b=2, constraint="together", round=1)
    assert refused(event, together) == '"Ann" and "Ben" are forbidden to meet already'
    event.do(f.Unconstrained(a=2, b=1), together)
    other = f.Constrained(a=2, b=3, constraint="together", round=1)
    assert refused(event, other) == '"Ann" and "Ben" are put together already'
    later = f.Constrained(a=3, b=4, constraint="together", round=2)
    assert refused(event, later) == "the next draft is that of round 1, not of round 2"
    event.publish()
    assert {"Ann", "Ben"} in event.pairs()


def test_who_may_be_paired_late():
    """A late entrant plays whoever has the bye, where there is one whom they may meet and have not met."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee", "Eve")
    bye = event.publish().bye
    assert bye is not None
    event.do(c.Enter(name="Zoe"))
    late = c.PairLate(round=1, entrant=6)
    assert refused(event, late) == '"Zoe" is not checked in'
    event.do(f.CheckedIn(entrant=6), f.Constrained(a=6, b=bye, constraint="forbid", reason="sisters"))
    assert refused(event, late) == f'"Zoe" may not meet "{event.name(bye)}", who has the bye'
    event.do(f.Unconstrained(a=6, b=bye), f.Withdrawn(entrant=bye))
    assert refused(event, late) == f'"{event.name(bye)}", who has the bye of round 1, is not here any more'
    assert find_late(event.state) == []
    assert late_offer(event.state, event.state.entrants[6]).endswith("the next round has a place.")
    event.do(f.Returned(entrant=bye))
    assert "type late Zoe" in late_offer(event.state, event.state.entrants[6])
    assert [each.name for each in find_late(event.state)] == ["Zoe"]
    event.do(late)
    played = event.state.open_round
    assert played is not None
    assert (played.bye, {*played.pairings[-1].entrants}, played.pairings[-1].table) == (None, {6, bye}, 3)
    assert refused(event, late) == '"Zoe" is paired in round 1'
    event.play()
    event.close()
    assert refused(event, late) == "round 1 is closed"


def test_attendance_in_any_order():
    """What is so already changes nothing, and what cannot be is refused."""
    event = DrivenEvent("Ann", "Ben", checked_in=False)
    assert refused(event, f.Returned(entrant=1)) == '"Ann" has not withdrawn'
    event.do(f.CheckedIn(entrant=1), f.CheckedOut(entrant=2), f.Withdrawn(entrant=2))
    known = len(event.facts)
    event.do(f.CheckedIn(entrant=1), f.Withdrawn(entrant=2))
    assert len(event.facts) == known
    assert refused(event, f.CheckedIn(entrant=2)) == '"Ben" has withdrawn'
    event.do(f.Erased(entrant=2))
    assert refused(event, f.Returned(entrant=2)) == "the data of entrant #2 were erased for good"
    assert refused(event, c.Rename(entrant=2, name="Ben")) == "the data of entrant #2 were erased for good"


def test_every_kind_of_fact_is_told_in_words():
    """The history tells each kind of fact in a sentence of its own."""
    event = DrivenEvent("Ann", "Ben", "Cy", settings=EventSettings(consent_required=False))
    event.do(f.Agreed(entrant=1, version="2", digest="ab" * 32), f.CodeIssued(entrant=1, digest="cd" * 32))
    event.do(f.Frozen(entrant=1, case="7"), f.Unfrozen(entrant=1, case="7"), c.Configure(rounds=5))
    event.do(f.CheckedOut(entrant=1), f.CheckedIn(entrant=1), c.Rename(entrant=1, name="Anna"))
    pairing = event.publish().pairings[0]
    event.do(f.Bound(round=1, table=1, device="table-1"), f.Bound(round=1, table=1, sealed_game="game_x"))
    event.do(f.Began(round=1, table=1), c.ClaimResult(round=1, table=1, entrant=pairing.first, result=result()))
    event.do(c.ClaimResult(round=1, table=1, entrant=pairing.second, result=result("402:398/13")))
    event.do(c.ConfirmResult(round=1, table=1, reason="slip", result=result()), f.Closed(round=1), f.Finished())
    words = [text.removesuffix(", by desk") for text in event.words()]
    first, second = event.name(pairing.first), event.name(pairing.second)
    place = f"round 1, table 1 ({first} - {second})"
    expected = [
        "Anna agreed to the conditions, version 2",
        "Anna has a new entry code",
        "Anna gets no prize while case 7 is open",
        "Anna may get a prize, for case 7 is closed",
        "the settings were changed, with 5 rounds",
        "Anna was checked out",
        "Anna was checked in",
        "Anna has the name Anna now",
        f"{place} was bound to the device table-1",
        f"{place} was bound to a sealed game",
        f"{place} began",
        f"{place}: 412:398/13 371:380/13 was claimed by {first}",
        f"{place} was disputed by {second}, who has 402:398/13 371:380/13",
        f"{place} was confirmed by a director (slip)",
        "round 1 was closed",
        "the event was finished",
    ]
    assert [each for each in expected if each not in words] == []


def test_an_event_that_goes_on_line_asks_for_consent():
    """Whoever plays on line has agreed to the conditions, also where the event was made for a table."""
    event = DrivenEvent()
    event.do(c.Configure(settings=EventSettings(on_line=True)))
    assert event.state.settings.consent_required
