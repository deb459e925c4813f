"""The contract of a store of meters, run over every store there is, on real files and real servers."""

from __future__ import annotations

from collections import Counter

from store_backends import open_store

from ordws.guard.detector_buffer import DetectorSum
from ordws.guard.gate import Admitted, MeterReading, Refused, StoredMeter
from ordws.guard.price import Charge, Mark, Meter

NOW = 1_000
NEW = frozenset()

UNITS = Meter("me/1/units", 3, 2_000)
OUTSIDE = Meter("me/1/outside", 2, 1_500)
WORLD = Meter("world/1/world", 2, 1_900)
WIDE = UNITS._replace(limit=9)
SHARE = DetectorSum("me/sign/share", 10, 5_000, 5_000)


def charge(*meters, adds=None, marks=(), trails=""):
    return Charge(meters, adds or {}, marks, trails)


def asked(word, ends=1_800):
    return Mark(word, ends, (UNITS.name, OUTSIDE.name))


def one(meter=UNITS):
    return charge(meter, adds={meter.name: 1})


def test_a_meter_holds_its_limit(store):
    """As much as the limit is admitted, and nothing beyond."""
    assert [store.admit(one(), NOW) for _ in range(4)] == [Admitted(NEW)] * 3 + [Refused("me/1/units", 1_000)]


def test_a_refused_charge_writes_nothing(store):
    """Neither the meters that would have held it nor the marks are written."""
    store.admit(charge(UNITS, OUTSIDE, adds={OUTSIDE.name: 2}), NOW)
    refused = store.admit(charge(UNITS, OUTSIDE, marks=(asked(b"a"),)), NOW)
    assert refused == Refused("me/1/outside", 500)
    assert store.read([UNITS, OUTSIDE], NOW) == [MeterReading(0, 2_000), MeterReading(2, 1_500)]
    assert store.find_mark_end(b"a", NOW) is None
    assert store.admit(charge(UNITS, marks=(Mark(b"a", 1_800, (UNITS.name,)),)), NOW) == Admitted(frozenset({b"a"}))
    assert store.read([UNITS], NOW) == [MeterReading(1, 2_000)]


def test_a_mark_counts_once(store):
    """The same mark again feeds nothing while it runs, and counts anew when it has ended."""
    question = charge(UNITS, OUTSIDE, marks=(asked(b"a"),))
    new, spent = [], []
    for now in (NOW, NOW + 1, 1_799, 1_800):
        new.append(set(store.admit(question, now).new_marks))
        spent.append(store.read([UNITS], now)[0].spent)
    assert (new, spent) == ([{b"a"}, set(), set(), {b"a"}], [1, 1, 1, 2])


def test_a_mark_is_not_prolonged(store):
    """To ask again does not keep a word known for longer."""
    for now, ends in ((NOW, 1_100), (1_090, 1_190), (1_100, 1_200)):
        store.admit(charge(UNITS, marks=(Mark(b"a", ends, (UNITS.name,)),)), now)
    assert store.read([UNITS], 1_100) == [MeterReading(2, 2_000)]
    assert (store.find_mark_end(b"a", 1_199), store.find_mark_end(b"a", 1_200)) == (1_200, None)


def test_several_marks_feed_together(store):
    """A question of several new words is admitted whole or not at all, and the new ones among them are told."""
    marks = tuple(Mark(b"%d" % n, 1_800, (UNITS.name,)) for n in range(4))
    assert store.admit(charge(UNITS, marks=marks), NOW) == Refused("me/1/units", 1_000)
    assert store.admit(charge(UNITS, marks=marks[:2]), NOW) == Admitted(frozenset({b"0", b"1"}))
    assert store.admit(charge(UNITS, marks=marks[1:3]), NOW) == Admitted(frozenset({b"2"}))
    assert store.read([UNITS], NOW) == [MeterReading(3, 2_000)]


def test_a_mark_may_feed_nothing(store):
    """Then it only tells whether it is new."""
    assert store.admit(charge(marks=(Mark(b"a", 1_800),)), NOW) == Admitted(frozenset({b"a"}))
    assert store.admit(charge(marks=(Mark(b"a", 1_800),)), NOW) == Admitted(NEW)


def test_any_bytes_are_a_mark(store):
    """Keys of marks are digests."""
    keys = [bytes([n, 0, 255, n ^ 10, 13, 10]) for n in range(256)]
    assert store.admit(charge(marks=tuple([Mark(key, 1_800) for key in keys])), NOW) == Admitted(frozenset(keys))
    assert [store.find_mark_end(key, NOW) for key in keys] == [1_800] * 256


def test_a_spent_meter_lets_free_questions_pass(store):
    """What adds nothing is admitted, whatever is spent."""
    store.admit(charge(UNITS, adds={UNITS.name: 3}), NOW)
    assert store.admit(charge(UNITS), NOW) == Admitted(NEW)


def test_a_meter_that_ended_begins_anew(store):
    """From its end on a meter is empty, and it ends when the new charge says."""
    store.admit(charge(UNITS, adds={UNITS.name: 3}), NOW)
    later = UNITS._replace(ends=3_000)
    assert store.admit(one(later), 1_999) == Refused("me/1/units", 1)
    assert store.admit(one(later), 2_000) == Admitted(NEW)
    assert store.read([later], 2_000) == [MeterReading(1, 3_000)]


def test_a_running_meter_keeps_its_end(store):
    """A game that was opened yesterday ends when it was to end, however late it is asked in."""
    store.admit(charge(UNITS), NOW)
    store.admit(one(UNITS._replace(ends=9_000)), 1_500)
    assert store.read([UNITS], 1_500) == [MeterReading(1, 2_000)]


def test_the_meter_that_ends_last_is_told(store):
    """It is of no use to ask again before all that refused have ended."""
    both = charge(OUTSIDE, UNITS, adds={OUTSIDE.name: 9, UNITS.name: 9})
    assert store.admit(both, NOW) == Refused("me/1/units", 1_000)


def test_a_lowered_limit_holds_at_once(store):
    """Limits come from the policy and are not stored."""
    store.admit(charge(UNITS, adds={UNITS.name: 2}), NOW)
    assert store.admit(one(UNITS._replace(limit=2)), NOW) == Refused("me/1/units", 1_000)


def test_to_read_writes_nothing(store):
    """A meter that nobody charged stands at nothing and ends as it says."""
    assert store.read([UNITS, OUTSIDE], NOW) == [MeterReading(0, 2_000), MeterReading(0, 1_500)]
    assert store.read([], NOW) == []
    assert store.admit(charge(UNITS._replace(ends=1_700)), NOW) == Admitted(NEW)
    assert store.read([UNITS], NOW) == [MeterReading(0, 1_700)]


def test_what_was_held_is_given_back(store):
    """Settling adds to a running meter, also less than nothing, which never makes it less than empty."""
    store.admit(charge(UNITS, adds={UNITS.name: 2}), NOW)
    stands = []
    for by in (0, -1, 2, -5):
        store.settle(UNITS.name, by, NOW)
        stands.append(store.read([UNITS], NOW)[0].spent)
    assert stands == [2, 1, 3, 0]


def test_what_has_ended_is_not_settled(store):
    """A verdict that comes after the game's end changes no other game's meter; an unknown meter is none."""
    store.admit(charge(UNITS, adds={UNITS.name: 2}), NOW)
    store.settle(UNITS.name, -1, 2_000)
    store.settle("nobody/1/units", -1, NOW)
    assert store.read([UNITS], 1_999) == [MeterReading(2, 2_000)]


def test_trails_of_new_marks_are_kept(store):
    """The meter that keeps trails has those of all marks that were new, in the order they came."""
    words = [Mark(letter, 1_800, (UNITS.name,), letter * 4) for letter in (b"a", b"b", b"c")]
    store.admit(charge(UNITS, OUTSIDE, marks=tuple(words[:2]), trails=UNITS.name), NOW)
    store.admit(charge(UNITS, OUTSIDE, marks=tuple(words[1:]), trails=UNITS.name), NOW)
    store.admit(charge(UNITS, marks=tuple(words), trails=UNITS.name), NOW)
    assert list(store.stored_meters("me/")) == [StoredMeter("me/1/units", 3, b"aaaabbbbcccc")]


def draws_on_all(*letters, known=()):
    """A charge for words that are new to the asker, of which some are known to the world."""
    mine = [Mark(b"mine" + letter, 1_800, (UNITS.name,), letter * 4) for letter in letters]
    worlds = [Mark(b"all" + letter, 9_000, (WORLD.name,)) for letter in letters if letter not in known]
    return Charge((UNITS, WORLD), {}, (*mine, *worlds), UNITS.name, WORLD.name)


def test_a_shared_meter_refuses_whatever_others_have_asked(store):
    """It takes what is new to all, and holds no question with more words new to the asker than are left in it."""
    assert isinstance(store.admit(draws_on_all(b"a", known=(b"a",)), NOW), Admitted)
    assert store.read([WORLD], NOW) == [MeterReading(0, 1_900)]
    assert isinstance(store.admit(draws_on_all(b"b"), NOW), Admitted)
    assert store.read([WORLD], NOW) == [MeterReading(1, 1_900)]
    for known in ((), (b"c",), (b"c", b"d")):
        assert store.admit(draws_on_all(b"c", b"d", known=known)._replace(meters=(WIDE, WORLD)), NOW) == Refused(
            WORLD.name, 900
        )
    assert isinstance(store.admit(draws_on_all(b"a"), NOW), Admitted)


def test_a_shared_meter_is_named_last(store):
    """Where a meter of the asker's own refuses too it is the one that is named, though it end sooner."""
    full = charge(WORLD, adds={WORLD.name: 2})
    assert isinstance(store.admit(full, NOW), Admitted)
    mine = Meter(UNITS.name, 0, 1_100)
    assert store.admit(draws_on_all(b"a")._replace(meters=(mine, WORLD)), NOW) == Refused(UNITS.name, 100)
    assert store.admit(draws_on_all(b"a")._replace(meters=(WORLD, mine)), NOW) == Refused(UNITS.name, 100)
    assert store.admit(draws_on_all(b"a"), NOW) == Refused(WORLD.name, 900)


def test_trails_begin_anew_with_their_meter(store):
    """What an ended meter of the same name had is not of the new one."""
    for now, letter in ((NOW, b"a"), (2_000, b"b")):
        mark = Mark(letter, now + 9, (UNITS.name,), letter * 4)
        store.admit(charge(UNITS._replace(ends=now + 1_000), marks=(mark,), trails=UNITS.name), now)
    assert list(store.stored_meters("")) == [StoredMeter("me/1/units", 1, b"bbbb")]


def test_what_is_kept_is_found_by_how_its_name_begins(store):
    """The world's meters and those with trails, in the order of their names, running or ended; no other."""
    for name in ("ab/1/units", "ab.cd/1/units", "abc/1/units", "b/1/units"):
        meter = Meter(name, 9, 2_000)
        store.admit(charge(meter, OUTSIDE, adds={name: 1, OUTSIDE.name: 0}, trails=name), NOW)
    world = Meter("world/1/world", 9, 2_000)
    store.admit(one(world), NOW)
    store.update_detectors([(SHARE, 20)], NOW)
    store.settle(world.name, 2, 1_999)
    store.admit(charge(), 9_000)
    assert [kept.name for kept in store.stored_meters("ab")] == ["ab.cd/1/units", "ab/1/units", "abc/1/units"]
    assert list(store.stored_meters("world/")) == [StoredMeter("world/1/world", 3, b"")]
    assert len(list(store.stored_meters(""))) == 5


def test_much_is_kept(store):
    """However many there are, each is found once."""
    for hundred in range(11):
        store.admit(charge(*[Meter(f"world/{100 * hundred + n}/world", 9, 2_000) for n in range(100)]), NOW)
    assert Counter(kept.name for kept in store.stored_meters("world/")) == {f"world/{n}/world": 1 for n in range(1_100)}


def test_a_sign_tells_its_alarm_once(store):
    """It is told when it comes to its alarm, and stays there until it ends, whatever is added."""
    told = [store.update_detectors([(SHARE, by)], now) for now, by in ((1, 9), (2, 0), (3, 1), (4, 5), (5, -50), (6, 50))]
    assert told == [(), (), ("me/sign/share",), (), (), ()]
    assert store.active_alarms(4_999) == {"me/sign/share"}
    assert store.active_alarms(5_000) == frozenset()
    assert store.update_detectors([(SHARE._replace(ends=9_000), 9)], 5_000) == ()
    assert store.active_alarms(5_000) == frozenset()


def test_a_sign_does_not_fall_below_nothing(store):
    """A player's good habits do not allow him a sweep afterwards."""
    for by in (-100, 4, -100, 9):
        assert store.update_detectors([(SHARE, by)], NOW) == ()
    assert store.update_detectors([(SHARE, 1)], NOW) == ("me/sign/share",)


def test_an_alarm_lasts_from_when_it_came(store):
    """However old its sign is by then."""
    lasting = SHARE._replace(alarm_ends=NOW + 8_000)
    store.update_detectors([(lasting, 9)], NOW)
    assert store.update_detectors([(lasting, 9)], NOW + 3_000) == (SHARE.name,)
    assert store.active_alarms(NOW + 7_999) == {SHARE.name}
    assert store.active_alarms(NOW + 8_000) == NEW


def test_a_sign_that_is_calmed_begins_anew(store):
    """It is in alarm no more, and comes to another one as if nothing had been."""
    store.update_detectors([(SHARE, 12)], NOW)
    store.reset_detectors([SHARE.name], NOW)
    assert store.active_alarms(NOW) == NEW
    assert store.update_detectors([(SHARE, 9)], NOW) == ()
    assert store.update_detectors([(SHARE, 9)], NOW) == (SHARE.name,)


def test_signs_are_apart(store):
    """Several are told together, each by its own sum."""
    other = SHARE._replace(name="you/sign/run")
    assert store.update_detectors([(SHARE, 9), (other, 10)], NOW) == ("you/sign/run",)
    assert store.active_alarms(NOW) == {"you/sign/run"}
    assert store.update_detectors([(SHARE, 1), (other, 1)], NOW) == ("me/sign/share",)
    assert store.active_alarms(NOW) == {"me/sign/share", "you/sign/run"}
    assert store.update_detectors([], NOW) == ()


def test_what_is_spent_survives_a_restart(store, place):
    """Another process, now or later, finds the meters as they were."""
    store.admit(charge(UNITS, adds={UNITS.name: 2}, marks=(Mark(b"a", 1_800),)), NOW)
    store.close()
    again = open_store(place.address)
    assert again.read([UNITS], NOW) == [MeterReading(2, 2_000)]
    assert again.find_mark_end(b"a", NOW) == 1_800
    again.close()


def test_to_create_again_keeps_what_is_spent(store, place):
    """`create` over meters leaves them, and tells that they are not new."""
    assert store.is_new
    store.admit(charge(UNITS, adds={UNITS.name: 2}), NOW)
    again = place.create()
    assert not again.is_new
    again.close()
    assert store.read([UNITS], NOW) == [MeterReading(2, 2_000)]


def test_a_closed_store_refuses_everything(store):
    """After a restore even a free question waits, every budget counts as spent, and then all goes on."""
    store.refuse_until(1_200)
    assert store.admit(charge(UNITS), NOW) == Refused("closed", 200)
    assert store.read([UNITS, OUTSIDE], NOW) == [MeterReading(3, 1_200), MeterReading(2, 1_200)]
    assert store.admit(one(), 1_200) == Admitted(NEW)
    assert store.read([UNITS], 1_200) == [MeterReading(1, 2_000)]


def test_to_close_for_less_does_not_open(store):
    """The later of two moments holds."""
    store.refuse_until(1_200)
    store.refuse_until(1_100)
    assert store.admit(charge(UNITS), 1_150) == Refused("closed", 50)
