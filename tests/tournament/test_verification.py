"""Verification: every round is drawn again, from what was known when it was published."""

from __future__ import annotations

from event_driver import DrivenEvent, result

from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.certificate import verify_draws
from ordws.tournament.facts import EventPairing


def test_a_round_that_was_not_drawn_is_found():
    """Pairings that no draw gives are named, with the fact that published them."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee", "Eve", "Fay")
    event.play_round()
    first, second, third = event.state.rounds[0].pairings
    again = (first.first, second.first), (first.second, third.first), (second.second, third.second)
    pairings = tuple([EventPairing(table, *pair) for table, pair in enumerate(again, 1)])
    event.publish()
    event.do(f.Voided(round=2, reason="by hand instead"))
    event.do(f.Published(round=2, pairings=pairings))
    published = len(event.facts)
    report = verify_draws(event.facts)
    assert report.rounds == 3
    assert report.faults == (f"round 2, published as fact {published}, is not what the draw gives",)


def test_what_came_later_does_not_matter():
    """A correction, an undoing and a withdrawal after a draw leave it verified."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee", "Eve", rounds=4)
    event.play_round()
    event.do(f.Withdrawn(entrant=5))
    event.do(c.Undo())
    event.play_round()
    event.do(f.Corrected(round=1, table=1, result=result("300:280/13", "500:470/13"), reason="wrong way round"))
    event.do(c.Configure(rounds=3))
    event.do(f.Constrained(a=1, b=2, constraint="forbid", reason="a couple"))
    event.play_round()
    assert verify_draws(event.facts).faults == ()
