"""The contract of a meter store, run over every store there is, on real files and real servers."""

from __future__ import annotations

from collections import Counter

from store_backends import open_store

from ordws.guard.detector_buffer import DetectorSum
from ordws.guard.gate import Admitted, MeterReading, Refused, StoredMeter
from ordws.guard.price import Charge, ClientShare, Mark, Meter

NOW = 1_000
NEW = frozenset()

UNITS = Meter("me/1/units", 3, 2_000)
OUTSIDE = Meter("me/1/outside", 2, 1_500)
WIDE = UNITS._replace(limit=9)
SHARE = DetectorSum("me/sign/share", 10, 5_000, 5_000)


def charge(*meters, amounts=None, marks=(), fingerprint_meter="", long_kept=()):
    return Charge(meters, amounts or {}, marks, fingerprint_meter, long_kept=long_kept)


def word_mark(word, ends=1_800):
    return Mark(word, ends, (UNITS.name, OUTSIDE.name))


def one(meter=UNITS):
    return charge(meter, amounts={meter.name: 1})


def test_a_meter_holds_its_limit(store):
    """Charges are admitted up to the limit of a meter, and none beyond it."""
    assert [store.admit(one(), NOW) for _ in range(4)] == [Admitted(NEW)] * 3 + [Refused("me/1/units", 1_000)]


def test_a_refused_charge_writes_nothing(store):
    """A refused charge writes neither meters that had room nor marks."""
    store.admit(charge(UNITS, OUTSIDE, amounts={OUTSIDE.name: 2}), NOW)
    refused = store.admit(charge(UNITS, OUTSIDE, marks=(word_mark(b"a"),)), NOW)
    assert refused == Refused("me/1/outside", 500)
    assert store.read([UNITS, OUTSIDE], NOW) == [MeterReading(0, 2_000), MeterReading(2, 1_500)]
    assert store.find_mark_end(b"a", NOW, "me") is None
    assert store.admit(charge(UNITS, marks=(Mark(b"a", 1_800, (UNITS.name,)),)), NOW) == Admitted(frozenset({b"a"}))
    assert store.read([UNITS], NOW) == [MeterReading(1, 2_000)]


def test_a_mark_counts_once(store):
    """A mark feeds its meters once while it runs, and again after it has ended."""
    question = charge(UNITS, OUTSIDE, marks=(word_mark(b"a"),))
    new, spent = [], []
    for now in (NOW, NOW + 1, 1_799, 1_800):
        new.append(set(store.admit(question, now).new_marks))
        spent.append(store.read([UNITS], now)[0].spent)
    assert (new, spent) == ([{b"a"}, set(), set(), {b"a"}], [1, 1, 1, 2])


def test_a_mark_is_not_prolonged(store):
    """A repeated mark keeps its first end."""
    for now, ends in ((NOW, 1_100), (1_090, 1_190), (1_100, 1_200)):
        store.admit(charge(UNITS, marks=(Mark(b"a", ends, (UNITS.name,)),)), now)
    assert store.read([UNITS], 1_100) == [MeterReading(2, 2_000)]
    assert (store.find_mark_end(b"a", 1_199, "me"), store.find_mark_end(b"a", 1_200, "me")) == (1_200, None)


def test_several_marks_feed_together(store):
    """A question of several new words is admitted whole or not at all, and the new marks are returned."""
    marks = tuple(Mark(b"%d" % n, 1_800, (UNITS.name,)) for n in range(4))
    assert store.admit(charge(UNITS, marks=marks), NOW) == Refused("me/1/units", 1_000)
    assert store.admit(charge(UNITS, marks=marks[:2]), NOW) == Admitted(frozenset({b"0", b"1"}))
    assert store.admit(charge(UNITS, marks=marks[1:3]), NOW) == Admitted(frozenset({b"2"}))
    assert store.read([UNITS], NOW) == [MeterReading(3, 2_000)]


def test_a_mark_may_feed_nothing(store):
    """A mark that feeds no meter still tells whether it is new."""
    assert store.admit(charge(marks=(Mark(b"a", 1_800),)), NOW) == Admitted(frozenset({b"a"}))
    assert store.admit(charge(marks=(Mark(b"a", 1_800),)), NOW) == Admitted(NEW)


def test_any_bytes_are_a_mark(store):
    """Any bytes may be the key of a mark."""
    keys = [bytes([n, 0, 255, n ^ 10, 13, 10]) for n in range(256)]
    assert store.admit(charge(marks=tuple([Mark(key, 1_800) for key in keys])), NOW) == Admitted(frozenset(keys))
    assert [store.find_mark_end(key, NOW) for key in keys] == [1_800] * 256


def test_a_spent_meter_lets_free_questions_pass(store):
    """A charge that adds nothing is admitted, whatever is spent."""
    store.admit(charge(UNITS, amounts={UNITS.name: 3}), NOW)
    assert store.admit(charge(UNITS), NOW) == Admitted(NEW)


def test_a_meter_that_ended_begins_anew(store):
    """A meter is empty from its end on, and gets its next end from the next charge."""
    store.admit(charge(UNITS, amounts={UNITS.name: 3}), NOW)
    later = UNITS._replace(ends=3_000)
    assert store.admit(one(later), 1_999) == Refused("me/1/units", 1)
    assert store.admit(one(later), 2_000) == Admitted(NEW)
    assert store.read([later], 2_000) == [MeterReading(1, 3_000)]


def test_a_running_meter_keeps_its_end(store):
    """A running meter keeps its first end."""
    store.admit(charge(UNITS), NOW)
    store.admit(one(UNITS._replace(ends=9_000)), 1_500)
    assert store.read([UNITS], 1_500) == [MeterReading(1, 2_000)]


def test_a_refusal_names_the_meter_that_ends_last(store):
    """A refusal names the meter that ends last, since asking again before that is of no use."""
    both = charge(OUTSIDE, UNITS, amounts={OUTSIDE.name: 9, UNITS.name: 9})
    assert store.admit(both, NOW) == Refused("me/1/units", 1_000)


def test_a_lowered_limit_holds_at_once(store):
    """A lowered limit holds at once, since limits are not stored."""
    store.admit(charge(UNITS, amounts={UNITS.name: 2}), NOW)
    assert store.admit(one(UNITS._replace(limit=2)), NOW) == Refused("me/1/units", 1_000)


def test_reading_writes_nothing(store):
    """Reading a meter that nobody charged gives zero and its own end, and writes nothing."""
    assert store.read([UNITS, OUTSIDE], NOW) == [MeterReading(0, 2_000), MeterReading(0, 1_500)]
    assert store.read([], NOW) == []
    assert store.admit(charge(UNITS._replace(ends=1_700)), NOW) == Admitted(NEW)
    assert store.read([UNITS], NOW) == [MeterReading(0, 1_700)]


def test_settling_refunds(store):
    """Settling adds any amount to a running meter, which never falls below zero."""
    store.admit(charge(UNITS, amounts={UNITS.name: 2}), NOW)
    stands = []
    for by in (0, -1, 2, -5):
        store.settle(UNITS.name, by, NOW)
        stands.append(store.read([UNITS], NOW)[0].spent)
    assert stands == [2, 1, 3, 0]


def test_an_ended_meter_is_not_settled(store):
    """Settling a meter that has ended, or never was, changes nothing."""
    store.admit(charge(UNITS, amounts={UNITS.name: 2}), NOW)
    store.settle(UNITS.name, -1, 2_000)
    store.settle("nobody/1/units", -1, NOW)
    assert store.read([UNITS], 1_999) == [MeterReading(2, 2_000)]


def test_fingerprints_of_new_marks_are_kept(store):
    """The fingerprint meter has the fingerprints of all marks that were new, in the order they came."""
    words = [Mark(letter, 1_800, (UNITS.name,), letter * 4) for letter in (b"a", b"b", b"c")]
    store.admit(charge(UNITS, OUTSIDE, marks=tuple(words[:2]), fingerprint_meter=UNITS.name), NOW)
    store.admit(charge(UNITS, OUTSIDE, marks=tuple(words[1:]), fingerprint_meter=UNITS.name), NOW)
    store.admit(charge(UNITS, marks=tuple(words), fingerprint_meter=UNITS.name), NOW)
    assert list(store.stored_meters("me/")) == [StoredMeter("me/1/units", 3, b"aaaabbbbcccc")]


def test_a_repeated_mark_tells_the_edition_it_was_charged_under(store):
    """A mark that runs keeps its edition, and tells it to a charge under another one; a new one has the charge's."""
    told = []
    for now, edition in ((NOW, 5), (NOW, 5), (NOW, 6), (1_799, 7), (1_800, 7), (1_801, 6)):
        mark = Mark(b"a", now + 800, (UNITS.name,), edition=edition)
        outcome = store.admit(charge(WIDE, marks=(mark,)), now)
        told.append((len(outcome.new_marks), dict(outcome.editions)))
    assert told == [(1, {}), (0, {}), (0, {b"a": 5}), (0, {b"a": 5}), (1, {}), (0, {b"a": 7})]
    assert store.read([WIDE], NOW) == [MeterReading(2, 2_000)]


def test_a_pinned_mark_is_charged_anew_under_another_edition(store):
    """A pinned mark is free under its own edition alone; charged under another one, it replaces what ran before."""
    told = []
    for edition, is_pinned in ((5, False), (4, True), (4, True), (5, False), (5, True), (4, False)):
        mark = Mark(b"a", 1_800 + edition, (UNITS.name,), b"aaaa", edition, is_pinned)
        outcome = store.admit(charge(WIDE, marks=(mark,), fingerprint_meter=UNITS.name), NOW)
        told.append((len(outcome.new_marks), dict(outcome.editions)))
    assert told == [(1, {}), (1, {}), (0, {}), (0, {b"a": 4}), (1, {}), (0, {b"a": 5})]
    assert store.read([WIDE], NOW) == [MeterReading(3, 2_000)]
    assert store.find_mark_end(b"a", NOW, "me") == 1_805


def test_a_refused_pinned_mark_keeps_what_ran_before(store):
    """A refused charge changes neither the end nor the edition of a mark."""
    store.admit(charge(UNITS, marks=(Mark(b"a", 1_800, edition=5),)), NOW)
    pinned = Mark(b"a", 1_900, (UNITS.name,), edition=4, is_pinned=True)
    assert store.admit(charge(UNITS._replace(limit=0), marks=(pinned,)), NOW) == Refused("me/1/units", 1_000)
    assert store.admit(charge(UNITS, marks=(Mark(b"a", 1_900, edition=6),)), NOW) == Admitted(NEW, {b"a": 5})
    assert store.find_mark_end(b"a", NOW, "me") == 1_800


def spend(store, client, amount, *, limit=100, least=8, now=NOW):
    """Spend units of a client's share of a meter that all draw on; return the meter that refuses, or None."""
    mine, world = Meter(f"{client}/1/units", 1_000, 2_000), Meter("world/1/world", limit, 2_000)
    share = ClientShare(f"{client}/1/share", mine.name, world.name, least)
    cost = Charge((mine, world), {mine.name: amount, world.name: amount}, (), shares=(share,))
    outcome = store.admit(cost, now)
    return outcome.meter if isinstance(outcome, Refused) else None


def test_a_client_has_a_quarter_of_what_the_others_left(store):
    """A client may spend a quarter of what the others left of a shared meter, counted in twentieths of its limit."""
    taken = []
    for client in ("ann", "bob", "cid"):
        taken.append(sum(spend(store, client, 1) is None for _ in range(60)))
    assert taken == [25, 18, 15]
    assert spend(store, "ann", 1) == "ann/1/share"
    assert spend(store, "ann", 0) is None
    assert store.read([Meter("world/1/world", 100, 2_000)], NOW) == [MeterReading(58, 2_000)]


def test_a_client_has_the_least_share_as_long_as_anything_is_left(store):
    """However little is left, a client may spend the least share, and never more than what is left."""
    for n in range(12):
        assert spend(store, f"n{n}", 8) is None
    assert spend(store, "last", 5) == "world/1/world"
    assert spend(store, "last", 4) is None
    assert spend(store, "later", 1) == "world/1/world"


def test_a_share_is_refused_whole(store):
    """A question beyond a client's share writes nothing, though it would fit the meter that all share."""
    assert spend(store, "ann", 26) == "ann/1/share"
    assert spend(store, "ann", 25) is None


def test_a_share_counts_what_both_meters_spent_while_they_run(store):
    """What a client spent while it did not draw on the shared meter leaves the others' part as it is."""
    store.admit(one(Meter("ann/1/units", 99, 2_000))._replace(amounts={"ann/1/units": 30}), NOW)
    assert spend(store, "ann", 1) == "ann/1/share"
    assert spend(store, "bob", 25) is None
    assert spend(store, "ann", 25, now=2_000) is None


def test_fingerprints_begin_anew_with_their_meter(store):
    """A meter that begins anew does not keep the fingerprints of the one that ended."""
    for now, letter in ((NOW, b"a"), (2_000, b"b")):
        mark = Mark(letter, now + 9, (UNITS.name,), letter * 4)
        store.admit(charge(UNITS._replace(ends=now + 1_000), marks=(mark,), fingerprint_meter=UNITS.name), now)
    assert list(store.stored_meters("")) == [StoredMeter("me/1/units", 1, b"bbbb")]


def test_long_kept_meters_are_found_by_prefix(store):
    """Meters that are kept for long, and no others, are found by prefix, in the order of their names."""
    for name in ("ab/1/units", "ab.cd/1/units", "abc/1/units", "b/1/units"):
        meter, other = Meter(name, 9, 2_000), Meter(name.replace("units", "outside"), 9, 2_000)
        store.admit(charge(meter, other, amounts={name: 1}, fingerprint_meter=name), NOW)
    world = Meter("world/1/world", 9, 2_000)
    store.admit(one(world)._replace(long_kept=(world.name, "absent")), NOW)
    store.update_detectors([(SHARE, 20)], NOW)
    store.settle(world.name, 2, 1_999)
    store.admit(charge(), 9_000)
    assert [kept.name for kept in store.stored_meters("ab")] == ["ab.cd/1/units", "ab/1/units", "abc/1/units"]
    assert list(store.stored_meters("world/")) == [StoredMeter("world/1/world", 3, b"")]
    assert len(list(store.stored_meters(""))) == 5


def test_many_meters_are_kept(store):
    """Any number of long-kept meters is found, each once."""
    for hundred in range(11):
        names = tuple([f"world/{100 * hundred + n}/world" for n in range(100)])
        store.admit(charge(*[Meter(name, 9, 2_000) for name in names], long_kept=names), NOW)
    assert Counter(kept.name for kept in store.stored_meters("world/")) == {f"world/{n}/world": 1 for n in range(1_100)}


def test_an_alarm_is_returned_once(store):
    """A detector is returned when it reaches its threshold, and stays in alarm until its end, whatever is added."""
    returned = [
        store.update_detectors([(SHARE, by)], now) for now, by in ((1, 9), (2, 0), (3, 1), (4, 5), (5, -50), (6, 50))
    ]
    assert returned == [(), (), ("me/sign/share",), (), (), ()]
    assert store.active_alarms(4_999) == {"me/sign/share"}
    assert store.active_alarms(5_000) == frozenset()
    assert store.update_detectors([(SHARE._replace(ends=9_000), 9)], 5_000) == ()
    assert store.active_alarms(5_000) == frozenset()


def test_a_detector_does_not_fall_below_zero(store):
    """A player's good habits do not allow a sweep afterwards."""
    for by in (-100, 4, -100, 9):
        assert store.update_detectors([(SHARE, by)], NOW) == ()
    assert store.update_detectors([(SHARE, 1)], NOW) == ("me/sign/share",)


def test_an_alarm_lasts_from_when_it_was_raised(store):
    """An alarm has its full time, however old its detector sum is."""
    lasting = SHARE._replace(alarm_ends=NOW + 8_000)
    store.update_detectors([(lasting, 9)], NOW)
    assert store.update_detectors([(lasting, 9)], NOW + 3_000) == (SHARE.name,)
    assert store.active_alarms(NOW + 7_999) == {SHARE.name}
    assert store.active_alarms(NOW + 8_000) == NEW


def test_a_detector_sum_is_read_like_a_meter(store):
    """The sum and the end of a detector are read by its name."""
    store.update_detectors([(SHARE, 9)], NOW)
    assert store.read([Meter(SHARE.name, 0, NOW)], NOW) == [MeterReading(9, 5_000)]
    store.update_detectors([(SHARE._replace(alarm_ends=9_000), 9)], NOW)
    assert store.read([Meter(SHARE.name, 0, NOW)], NOW) == [MeterReading(18, 9_000)]


def test_a_reset_detector_begins_anew(store):
    """A detector that was reset is not in alarm, and can raise another alarm."""
    store.update_detectors([(SHARE, 12)], NOW)
    store.reset_detectors([SHARE.name], NOW)
    assert store.active_alarms(NOW) == NEW
    assert store.update_detectors([(SHARE, 9)], NOW) == ()
    assert store.update_detectors([(SHARE, 9)], NOW) == (SHARE.name,)


def test_detectors_are_updated_independently(store):
    """Several detectors are updated together, each by its own sum."""
    other = SHARE._replace(name="you/sign/run")
    assert store.update_detectors([(SHARE, 9), (other, 10)], NOW) == ("you/sign/run",)
    assert store.active_alarms(NOW) == {"you/sign/run"}
    assert store.update_detectors([(SHARE, 1), (other, 1)], NOW) == ("me/sign/share",)
    assert store.active_alarms(NOW) == {"me/sign/share", "you/sign/run"}
    assert store.update_detectors([], NOW) == ()


def test_meters_survive_a_restart(store, backend):
    """Another process finds the meters and marks as they were."""
    store.admit(charge(UNITS, amounts={UNITS.name: 2}, marks=(Mark(b"a", 1_800),)), NOW)
    store.close()
    again = open_store(backend.address)
    assert again.read([UNITS], NOW) == [MeterReading(2, 2_000)]
    assert again.find_mark_end(b"a", NOW, "me") == 1_800
    again.close()


def test_creating_again_keeps_existing_meters(store, backend):
    """`create` over existing meters leaves them, and says that they are not new."""
    assert store.is_new
    store.admit(charge(UNITS, amounts={UNITS.name: 2}), NOW)
    again = backend.create()
    assert not again.is_new
    again.close()
    assert store.read([UNITS], NOW) == [MeterReading(2, 2_000)]


def test_a_closed_store_refuses_everything(store):
    """A closed store refuses free questions too, counts every budget as spent, and opens by itself."""
    store.refuse_until(1_200)
    assert store.admit(charge(UNITS), NOW) == Refused("closed", 200)
    assert store.read([UNITS, OUTSIDE], NOW) == [MeterReading(3, 1_200), MeterReading(2, 1_200)]
    assert store.admit(one(), 1_200) == Admitted(NEW)
    assert store.read([UNITS], 1_200) == [MeterReading(1, 2_000)]


def test_the_later_of_two_closings_holds(store):
    """Of two moments until which a store is closed, the later holds."""
    store.refuse_until(1_200)
    store.refuse_until(1_100)
    assert store.admit(charge(UNITS), 1_150) == Refused("closed", 50)
