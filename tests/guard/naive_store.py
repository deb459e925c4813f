"""Charges of every kind, and a naive store in memory that applies them: what the stores are compared with."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

from hypothesis import strategies as st

from ordws.guard import charge as c
from ordws.guard.policy import DAY

WORLD_DAY = c.WORLD + c.NOBODY
DRAWN = (c.DRAWN_UNITS, c.DRAWN_CORE)


class NaiveStore:
    """What a charge does, told once more: line by line, with a dictionary for each kind of thing."""

    def __init__(self):
        self.records, self.marks = {}, {}

    def apply(self, charge, now):
        first = self.records.get(charge.records[0].key)
        is_first_running = first is not None and first.ends > now and not first.is_closed
        if charge.closes is None and is_first_running and charge.once in self.marks:
            return c.Admitted()
        new, fresh, editions = Counter(), [], {}
        for mark in charge.marks:
            edition = self.marks.get(mark.key)
            if edition is None or (mark.is_pinned and edition != mark.edition):
                new[mark.kind] += 1
                fresh.append(mark)
            elif edition != mark.edition != 0:
                editions[mark.word] = edition
        records = []
        for number, (key, ends) in enumerate(charge.records):
            found = self.records.get(key)
            is_running = found is not None and found.ends > now and not found.is_closed
            if number == charge.closes:
                if found is None or found.is_closed:
                    return c.Refused("guests", 0)
                record = SimpleNamespace(ends=found.ends, is_closed=True, counts=Counter(found.counts))
            elif is_running:
                is_later = charge.extends and number == charge.opening and ends > found.ends
                kept = ends if is_later else found.ends
                record = SimpleNamespace(ends=kept, is_closed=False, counts=Counter(found.counts))
            elif number == charge.needs:
                return c.Refused("guests", DAY - now % DAY)
            else:
                new[c.OPENING] += number == charge.opening
                record = SimpleNamespace(ends=ends, is_closed=False, counts=Counter())
            records.append(record)
        for amount in charge.amounts:
            counts, field = records[amount.record].counts, amount.field
            added = amount.flat + amount.each * sum(new[kind] for kind in amount.classes)
            held = added if amount.counted is None else sum(new[kind] for kind in amount.counted)
            limit = amount.limit
            if amount.share is not None:
                share = amount.share
                others = max(0, records[share.record].counts[share.field] - counts[field])
                twentieth = max(1, share.whole // 20)
                limit = min(limit, max(share.least, (share.whole - others // twentieth * twentieth) // 4))
            if held > 0 and counts[field] + held > limit:
                return c.Refused(amount.budget, records[amount.record].ends - now)
            counts[field] = max(0, counts[field] + added)
        gives = any(amount.flat for amount in charge.amounts)
        if fresh or gives or not charge.once == charge.opening == charge.closes:
            self.marks |= {mark.key: mark.edition for mark in fresh}
            self.records |= {key: record for (key, _), record in zip(charge.records, records, strict=True)}
        if charge.once is not None:
            self.marks[charge.once] = 0
        counts = tuple([[record.counts[field] for field in range(c.FIELDS)] for record in records])
        return c.Admitted(counts, tuple([new[kind] for kind in range(c.CLASSES)]), editions)

    def read(self, key):
        """Return a record as a store does."""
        found = self.records.get(key)
        if found is None:
            return None
        return c.MeterRecord(found.ends, found.is_closed, [found.counts[field] for field in range(c.FIELDS)])


def some(*elements, most=3):
    return st.lists(st.sampled_from(elements), max_size=most, unique=True).map(tuple)


LIMITS = st.sampled_from([0, 1, 2, 3, 5, 9, 1_000])
KINDS = (*range(8), *c.SEATS)


def own_amounts(count):
    """Amounts of records that are the client's, with limits, classes and flat costs of every kind."""
    limited = st.tuples(st.sampled_from(["core", "units", "game", "plays"]), LIMITS)
    fields = [field for field in range(c.FIELDS) if field not in DRAWN]
    return st.lists(
        st.builds(
            lambda record, field, classes, bound, flat, each, counted: c.Amount(
                record, field, classes, *bound, flat, each, counted
            ),
            st.integers(0, count - 1),
            st.sampled_from(fields),
            some(*KINDS),
            st.one_of(limited, limited, st.just((None, c.NO_LIMIT))),
            st.sampled_from([0, 0, 0, 1, 2, -1, -3]),
            st.sampled_from([1, 1, 1, 2, 5]),
            st.one_of(st.none(), st.none(), some(*KINDS)),
        ),
        max_size=6,
    )


def shared_amounts(whole, world):
    """Amounts that an unverified client draws on the record of all, in the order in which they are priced."""

    def build(units, core, most_units, most_core, least):
        shares = [c.ClientShare(world, c.UNITS, most_units, least), c.ClientShare(world, c.CORE, most_core, least)]
        return [
            c.Amount(whole, c.DRAWN_UNITS, units, "world", share=shares[0]),
            c.Amount(whole, c.DRAWN_CORE, core, "world", share=shares[1]),
            c.Amount(world, c.UNITS, units, "world", most_units),
            c.Amount(world, c.CORE, core, "world", most_core),
        ]

    return st.builds(build, some(*KINDS), some(*KINDS), LIMITS, LIMITS, st.integers(0, 3))


def marks(groups):
    """Marks of a few words in several groups, so that most come back under another edition."""
    return st.lists(
        st.builds(
            lambda group, word, kind, edition, is_pinned: c.Mark(
                group + word.encode() * 8, kind, word, edition, word.encode() * 4, is_pinned
            ),
            st.sampled_from(groups),
            st.sampled_from("ABCDEF"),
            st.sampled_from(KINDS),
            st.integers(0, 2),
            st.booleans(),
        ),
        max_size=4,
        unique_by=lambda mark: mark.key,
    )


RELATIONS = ({}, {"opening": 0}, {"opening": 0, "extends": True}, {"needs": 0}, {"closes": 0})
"""What a charge may ask of its first record, that of a game."""


@st.composite
def charges(draw, client, day):
    """Charges of one client on one UTC day, with its two players, its two games, and the share of all unverified."""
    player = draw(st.sampled_from([c.NOBODY, b"player-1", b"player-2"]))
    game = draw(st.sampled_from([b"--game-1", b"--game-2"]))
    midnight = (day + 1) * DAY
    ends = draw(st.sampled_from([midnight - DAY // 4, midnight, midnight + DAY]))
    records = [c.RecordRef(c.game_key(client, game), ends)]
    records += [c.RecordRef(c.day_key(client + each, day), midnight) for each in dict.fromkeys((player, c.NOBODY))]
    amounts = draw(own_amounts(len(records)))
    if draw(st.booleans()):
        records.append(c.RecordRef(c.day_key(WORLD_DAY, day), midnight))
        amounts += draw(shared_amounts(len(records) - 2, len(records) - 1))
    of_game = c.game_marks(client, game)
    words = draw(marks([c.word_marks(client + player, day), of_game]))
    once = draw(st.sampled_from([None, None, of_game + b"turn-001", of_game + b"turn-002"]))
    return c.Charge(tuple(records), tuple(amounts), tuple(words), once, **draw(st.sampled_from(RELATIONS)))
