"""What an unverified client reserves of the budget of all, which is on another node than its own meters."""

from __future__ import annotations

from store_charges import ME, NOON, TODAY, asked, word
from test_store_contract import ANN, BOB, spent

from ordws.guard.charge import (
    CORE,
    CORE_WORD,
    DRAWN_CORE,
    DRAWN_UNITS,
    NOBODY,
    UNIT,
    UNITS,
    WORLD,
    Admitted,
    Amount,
    Charge,
    ClientShare,
    RecordRef,
    Refused,
    day_key,
)
from ordws.guard.policy import DAY
from ordws.guard.stores.redis import RedisMeterStore

WORLD_DAY = day_key(WORLD + NOBODY, TODAY)
MOST = 12
"""What all may spend of units, and of core words, in a day: one client a quarter of it."""


class Overtaken(RedisMeterStore):
    """A store before which another host asks two words for Ann, after it has reserved what its own question needs."""

    other = None

    def _reserve(self, charge, shared, more, now):
        refused = super()._reserve(charge, shared, more, now)
        if self.other is not None:
            first, self.other = self.other, None
            assert isinstance(first.apply(asked("EEE", "FFF", subject=ME + ANN), now), Admitted)
        return refused


def question(player, units, core):
    """Return the charge of an unverified client for units and core words; its player may spend three units a day."""
    midnight = (TODAY + 1) * DAY
    records = [RecordRef(day_key(subject, TODAY), midnight) for subject in (ME + player, ME + NOBODY, WORLD + NOBODY)]
    amounts = (
        Amount(0, UNITS, (UNIT,), "units", 3),
        Amount(1, DRAWN_UNITS, (UNIT,), "world", share=ClientShare(2, UNITS, MOST, 0)),
        Amount(1, DRAWN_CORE, (CORE_WORD,), "world", share=ClientShare(2, CORE, MOST, 0)),
        Amount(2, UNITS, (UNIT,), "world", MOST),
        Amount(2, CORE, (CORE_WORD,), "world", MOST),
    )
    marks = [word(name, subject=ME + player, kind=UNIT) for name in units]
    marks += [word(name, subject=ME + player, kind=CORE_WORD) for name in core]
    return Charge(tuple(records), amounts, tuple(marks))


def test_a_charge_that_is_refused_gives_back_all_that_it_reserved(cluster):
    """A question that another host overtakes leaves the budget of all, and the client's share of it, as they were."""
    store, other = Overtaken.create(cluster.url), RedisMeterStore(cluster.url)
    store.other = other
    refused = store.apply(question(ANN, ["AAA", "BBB"], ["CCC", "DDD", "GGG"]), NOON)
    assert refused == Refused("units", DAY // 2)
    assert spent(store, day_key(ME + ANN, TODAY)) == 2
    (together,) = store.read([WORLD_DAY])
    assert (together.counts[UNITS], together.counts[CORE]) == (0, 0)
    # Of twelve that are left, the client may still draw three of each.
    assert isinstance(store.apply(question(BOB, ["HHH", "III", "JJJ"], ["KKK", "LLL", "MMM"]), NOON), Admitted)
    (together,) = store.read([WORLD_DAY])
    assert (together.counts[UNITS], together.counts[CORE]) == (3, 3)
    store.close()
    other.close()
