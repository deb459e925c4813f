"""The contract of a store of meters, run over every store there is, on real files and real servers."""

from __future__ import annotations

import threading
from collections import Counter
from multiprocessing import get_context

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_places import PLACES, open_store

from ordws.errors import StoreDown
from ordws.guard.gate import Admitted, Kept, Refused, Standing
from ordws.guard.policy import DAY
from ordws.guard.price import Charge, Mark, Meter
from ordws.guard.watch import Sign

NOW = 1_000
HOUR = 3_600
NEW = frozenset()
PATIENCE_SECONDS = 20

UNITS = Meter("me/1/units", 3, 2_000)
OUTSIDE = Meter("me/1/outside", 2, 1_500)
SHARE = Sign("me/sign/share", 10, 5_000)


def charge(*meters, adds=None, marks=(), trails=""):
    return Charge(meters, adds or {}, marks, trails)


def asked(word, ends=1_800):
    return Mark(word, ends, (UNITS.name, OUTSIDE.name))


def one(meter=UNITS):
    return charge(meter, adds={meter.name: 1})


@pytest.fixture(scope="module", params=PLACES)
def shared_place(request, tmp_path_factory):
    place = request.param(tmp_path_factory.mktemp("place"))
    yield place
    place.end()


@pytest.fixture
def place(shared_place):
    """A place where nothing was made yet."""
    shared_place.empty()
    return shared_place


@pytest.fixture
def store(place):
    store = place.create()
    yield store
    store.close()


def test_a_meter_holds_its_limit(store):
    """As much as the limit is admitted, and nothing beyond."""
    assert [store.admit(one(), NOW) for _ in range(4)] == [Admitted(NEW)] * 3 + [Refused("me/1/units", 1_000)]


def test_a_refused_charge_writes_nothing(store):
    """Neither the meters that would have held it nor the marks are written."""
    store.admit(charge(UNITS, OUTSIDE, adds={OUTSIDE.name: 2}), NOW)
    refused = store.admit(charge(UNITS, OUTSIDE, marks=(asked(b"a"),)), NOW)
    assert refused == Refused("me/1/outside", 500)
    assert store.read([UNITS, OUTSIDE], NOW) == [Standing(0, 2_000), Standing(2, 1_500)]
    assert store.marked(b"a", NOW) is None
    assert store.admit(charge(UNITS, marks=(Mark(b"a", 1_800, (UNITS.name,)),)), NOW) == Admitted(frozenset({b"a"}))
    assert store.read([UNITS], NOW) == [Standing(1, 2_000)]


def test_a_mark_counts_once(store):
    """The same mark again feeds nothing while it runs, and counts anew when it has ended."""
    question = charge(UNITS, OUTSIDE, marks=(asked(b"a"),))
    new, spent = [], []
    for now in (NOW, NOW + 1, 1_799, 1_800):
        new.append(set(store.admit(question, now).new))
        spent.append(store.read([UNITS], now)[0].spent)
    assert (new, spent) == ([{b"a"}, set(), set(), {b"a"}], [1, 1, 1, 2])


def test_a_mark_is_not_prolonged(store):
    """To ask again does not keep a word known for longer."""
    for now, ends in ((NOW, 1_100), (1_090, 1_190), (1_100, 1_200)):
        store.admit(charge(UNITS, marks=(Mark(b"a", ends, (UNITS.name,)),)), now)
    assert store.read([UNITS], 1_100) == [Standing(2, 2_000)]
    assert (store.marked(b"a", 1_199), store.marked(b"a", 1_200)) == (1_200, None)


def test_several_marks_feed_together(store):
    """A question of several new words is admitted whole or not at all, and the new ones among them are told."""
    marks = tuple(Mark(b"%d" % n, 1_800, (UNITS.name,)) for n in range(4))
    assert store.admit(charge(UNITS, marks=marks), NOW) == Refused("me/1/units", 1_000)
    assert store.admit(charge(UNITS, marks=marks[:2]), NOW) == Admitted(frozenset({b"0", b"1"}))
    assert store.admit(charge(UNITS, marks=marks[1:3]), NOW) == Admitted(frozenset({b"2"}))
    assert store.read([UNITS], NOW) == [Standing(3, 2_000)]


def test_a_mark_may_feed_nothing(store):
    """Then it only tells whether it is new."""
    assert store.admit(charge(marks=(Mark(b"a", 1_800),)), NOW) == Admitted(frozenset({b"a"}))
    assert store.admit(charge(marks=(Mark(b"a", 1_800),)), NOW) == Admitted(NEW)


def test_any_bytes_are_a_mark(store):
    """Keys of marks are digests."""
    keys = [bytes([n, 0, 255, n ^ 10, 13, 10]) for n in range(256)]
    assert store.admit(charge(marks=tuple([Mark(key, 1_800) for key in keys])), NOW) == Admitted(frozenset(keys))
    assert [store.marked(key, NOW) for key in keys] == [1_800] * 256


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
    assert store.read([later], 2_000) == [Standing(1, 3_000)]


def test_a_running_meter_keeps_its_end(store):
    """A game that was opened yesterday ends when it was to end, however late it is asked in."""
    store.admit(charge(UNITS), NOW)
    store.admit(one(UNITS._replace(ends=9_000)), 1_500)
    assert store.read([UNITS], 1_500) == [Standing(1, 2_000)]


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
    assert store.read([UNITS, OUTSIDE], NOW) == [Standing(0, 2_000), Standing(0, 1_500)]
    assert store.read([], NOW) == []
    assert store.admit(charge(UNITS._replace(ends=1_700)), NOW) == Admitted(NEW)
    assert store.read([UNITS], NOW) == [Standing(0, 1_700)]


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
    assert store.read([UNITS], 1_999) == [Standing(2, 2_000)]


def test_trails_of_new_marks_are_kept(store):
    """The meter that keeps trails has those of all marks that were new, in the order they came."""
    words = [Mark(letter, 1_800, (UNITS.name,), letter * 4) for letter in (b"a", b"b", b"c")]
    store.admit(charge(UNITS, OUTSIDE, marks=tuple(words[:2]), trails=UNITS.name), NOW)
    store.admit(charge(UNITS, OUTSIDE, marks=tuple(words[1:]), trails=UNITS.name), NOW)
    store.admit(charge(UNITS, marks=tuple(words), trails=UNITS.name), NOW)
    assert list(store.kept("me/")) == [Kept("me/1/units", 3, b"aaaabbbbcccc")]


def test_trails_begin_anew_with_their_meter(store):
    """What an ended meter of the same name had is not of the new one."""
    for now, letter in ((NOW, b"a"), (2_000, b"b")):
        mark = Mark(letter, now + 9, (UNITS.name,), letter * 4)
        store.admit(charge(UNITS._replace(ends=now + 1_000), marks=(mark,), trails=UNITS.name), now)
    assert list(store.kept("")) == [Kept("me/1/units", 1, b"bbbb")]


def test_what_is_kept_is_found_by_how_its_name_begins(store):
    """The world's meters and those with trails, in the order of their names, running or ended; no other."""
    for name in ("ab/1/units", "ab.cd/1/units", "abc/1/units", "b/1/units"):
        meter = Meter(name, 9, 2_000)
        store.admit(charge(meter, OUTSIDE, adds={name: 1, OUTSIDE.name: 0}, trails=name), NOW)
    world = Meter("world/1/world", 9, 2_000)
    store.admit(one(world), NOW)
    store.watch([(SHARE, 20)], NOW)
    store.settle(world.name, 2, 1_999)
    store.admit(charge(), 9_000)
    assert [kept.name for kept in store.kept("ab")] == ["ab.cd/1/units", "ab/1/units", "abc/1/units"]
    assert list(store.kept("world/")) == [Kept("world/1/world", 3, b"")]
    assert len(list(store.kept(""))) == 5


def test_much_is_kept(store):
    """However many there are, each is found once."""
    for hundred in range(11):
        store.admit(charge(*[Meter(f"world/{100 * hundred + n}/world", 9, 2_000) for n in range(100)]), NOW)
    assert Counter(kept.name for kept in store.kept("world/")) == {f"world/{n}/world": 1 for n in range(1_100)}


def test_a_sign_tells_its_alarm_once(store):
    """It is told when it comes to its alarm, and stays there until it ends, whatever is added."""
    told = [store.watch([(SHARE, by)], now) for now, by in ((1, 9), (2, 0), (3, 1), (4, 5), (5, -50), (6, 50))]
    assert told == [(), (), ("me/sign/share",), (), (), ()]
    assert store.alarming(4_999) == {"me/sign/share"}
    assert store.alarming(5_000) == frozenset()
    assert store.watch([(SHARE._replace(ends=9_000), 9)], 5_000) == ()
    assert store.alarming(5_000) == frozenset()


def test_a_sign_does_not_fall_below_nothing(store):
    """A player's good habits do not allow him a sweep afterwards."""
    for by in (-100, 4, -100, 9):
        assert store.watch([(SHARE, by)], NOW) == ()
    assert store.watch([(SHARE, 1)], NOW) == ("me/sign/share",)


def test_signs_are_apart(store):
    """Several are told together, each by its own sum."""
    other = SHARE._replace(name="you/sign/run")
    assert store.watch([(SHARE, 9), (other, 10)], NOW) == ("you/sign/run",)
    assert store.alarming(NOW) == {"you/sign/run"}
    assert store.watch([(SHARE, 1), (other, 1)], NOW) == ("me/sign/share",)
    assert store.alarming(NOW) == {"me/sign/share", "you/sign/run"}
    assert store.watch([], NOW) == ()


def test_what_is_spent_survives_a_restart(store, place):
    """Another process, now or later, finds the meters as they were."""
    store.admit(charge(UNITS, adds={UNITS.name: 2}, marks=(Mark(b"a", 1_800),)), NOW)
    store.close()
    again = open_store(place.address)
    assert again.read([UNITS], NOW) == [Standing(2, 2_000)]
    assert again.marked(b"a", NOW) == 1_800
    again.close()


def test_to_create_again_keeps_what_is_spent(store, place):
    """`create` over meters leaves them, and tells that they are not new."""
    assert store.is_new
    store.admit(charge(UNITS, adds={UNITS.name: 2}), NOW)
    again = place.create()
    assert not again.is_new
    again.close()
    assert store.read([UNITS], NOW) == [Standing(2, 2_000)]


def test_a_closed_store_refuses_everything(store):
    """After a restore even a free question waits, every budget counts as spent, and then all goes on."""
    store.close_until(1_200)
    assert store.admit(charge(UNITS), NOW) == Refused("closed", 200)
    assert store.read([UNITS, OUTSIDE], NOW) == [Standing(3, 1_200), Standing(2, 1_200)]
    assert store.admit(one(), 1_200) == Admitted(NEW)
    assert store.read([UNITS], 1_200) == [Standing(1, 2_000)]


def test_to_close_for_less_does_not_open(store):
    """The later of two moments holds."""
    store.close_until(1_200)
    store.close_until(1_100)
    assert store.admit(charge(UNITS), 1_150) == Refused("closed", 50)


@pytest.mark.parametrize(
    ("jump", "is_served"), [(-HOUR, True), (-DAY, True), (-DAY - HOUR, False), (-2 * DAY, False), (9 * DAY, True)]
)
def test_a_clock_may_go_back_by_a_day(store, jump, is_served):
    """Further back budgets may have been forgotten, so nothing is admitted there; all goes on where it was."""
    there = 100 * DAY
    store.admit(charge(), there)
    if is_served:
        assert store.admit(charge(), there + jump) == Admitted(NEW)
    else:
        with pytest.raises(StoreDown, match="the clock stands more than a day before"):
            store.admit(charge(), there + jump)
        assert store.admit(charge(), there) == Admitted(NEW)


def test_a_wrong_clock_forgets_nothing(store):
    """A sweep by a clock that is far ahead leaves the budgets of the days on which questions were admitted."""
    today = Meter("me/100/units", 1, 101 * DAY)
    store.admit(one(today), 100 * DAY)
    store.sweep(200 * DAY)
    assert store.admit(one(today), 100 * DAY) == Refused("me/100/units", DAY)


JUMPS = st.lists(
    st.tuples(st.sampled_from([0, 1, HOUR, DAY // 2, DAY, 2 * DAY, 9 * DAY]), st.sampled_from([1, -1]), st.booleans()),
    min_size=5, max_size=40,
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(JUMPS)
def test_no_jump_of_the_clock_makes_a_budget_whole_again(shared_place, jumps):
    """Over any jumps forward and back, with sweeps between, no day's budget admits more than its limit."""
    shared_place.empty()
    store, now, spent = shared_place.create(), 100 * DAY, Counter()
    for by, sign, is_swept in jumps:
        now += by * sign
        day = now // DAY
        if is_swept:
            store.sweep(now)
        for _ in range(2):
            try:
                outcome = store.admit(one(Meter(f"me/{day}/units", 3, (day + 1) * DAY)), now)
            except StoreDown:
                continue
            spent[day] += isinstance(outcome, Admitted)
    store.close()
    assert max(spent.values(), default=0) <= 3


def test_a_late_question_finds_its_budget_as_it_was(store):
    """One asked before midnight that comes after another worker's sweep is charged to the day it was asked."""
    spent = charge(UNITS, adds={UNITS.name: UNITS.limit})
    store.admit(spent, UNITS.ends - 1)
    store.sweep(UNITS.ends)
    assert store.admit(one(), UNITS.ends - 1) == Refused("me/1/units", 1)


def test_a_store_that_is_gone_admits_nothing_and_comes_back(store, place):
    """Every verb fails while the store is away; then it stands where it stood."""
    store.admit(one(), NOW)
    place.take_away()
    for verb in (
        lambda: store.admit(charge(UNITS), NOW), lambda: store.settle(UNITS.name, 1, NOW),
        lambda: store.watch([(SHARE, 1)], NOW), lambda: store.read([UNITS], NOW), lambda: store.alarming(NOW),
        lambda: store.marked(b"a", NOW), lambda: list(store.kept("")), lambda: store.close_until(NOW),
        lambda: store.sweep(NOW),
    ):  # fmt: skip
        with pytest.raises(StoreDown):
            verb()
    place.bring_back()
    assert store.read([UNITS], NOW) == [Standing(1, 2_000)]


def test_a_store_that_was_never_made_is_not_made_by_asking(place):
    """Meters that were lost are noticed, not begun anew."""
    store = open_store(place.address)
    for _ in range(2):
        for verb in (
            lambda: store.admit(charge(UNITS), NOW), lambda: store.settle(UNITS.name, 1, NOW),
            lambda: store.watch([(SHARE, 1)], NOW), lambda: store.read([], NOW), lambda: store.alarming(NOW),
            lambda: store.marked(b"a", NOW), lambda: list(store.kept("")), lambda: store.close_until(NOW),
            lambda: store.sweep(NOW),
        ):  # fmt: skip
            with pytest.raises(StoreDown):
                verb()
    store.close()


def ask_at_once(address, process):
    """In a process of its own, eight threads: how many of 160 charges were admitted."""
    store, granted, meter = open_store(address), Counter(), Meter("me/1/units", 200, 2_000)

    def ask(thread):
        for n in range(20):
            mark = Mark(b"%d/%d/%d" % (process, thread, n), 1_800, (meter.name,))
            granted[thread] += isinstance(store.admit(charge(meter, marks=(mark,)), NOW), Admitted)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()
    return sum(granted.values())


def test_threads_and_processes_get_exactly_the_limit(store, place):
    """Of 640 questions of eight threads in each of four processes a meter of 200 admits 200."""
    with get_context("spawn").Pool(4) as pool:
        granted = pool.starmap(ask_at_once, [(place.address, process) for process in range(4)])
    assert sum(granted) == 200
    assert store.read([UNITS], NOW) == [Standing(200, 2_000)]


def ask_until_killed(address, told):
    """In a process of its own: charge one mark after another, and tell how many were admitted."""
    store, meter = open_store(address), Meter("me/1/units", 1_000_000, 2_000)
    for n in range(1_000_000):
        store.admit(charge(meter, marks=(Mark(b"%d" % n, 1_800, (meter.name,)),)), NOW)
        told.send(n + 1)


def test_a_killed_worker_leaves_nothing_half(store, place):
    """What it was told is written, the meter agrees with the marks, and the others go on at once."""
    context = get_context("spawn")
    listens, tells = context.Pipe(duplex=False)
    worker = context.Process(target=ask_until_killed, args=(place.address, tells))
    worker.start()
    tells.close()
    while listens.recv() < 50:
        pass
    worker.kill()
    worker.join()
    admitted = 50
    while listens.poll():
        try:
            admitted = listens.recv()
        except EOFError:
            break
    listens.close()
    worker.close()
    (stands,) = store.read([UNITS], NOW)
    marked = next(n for n in range(1_000_000) if store.marked(b"%d" % n, NOW) is None)
    assert stands.spent == marked
    assert admitted <= marked <= admitted + 1
    assert store.admit(charge(marks=(Mark(b"x", 1_800),)), NOW) == Admitted(frozenset({b"x"}))


class Load:
    """Threads that charge one mark after another, whatever happens to the store."""

    def __init__(self, store):
        self.store, self.changed, self.is_over = store, threading.Condition(), False
        self.admitted, self.refusals = [], Counter()
        self.threads = [threading.Thread(target=self.ask, args=(n,)) for n in range(4)]
        for thread in self.threads:
            thread.start()

    def ask(self, thread):
        n = 0
        while not self.is_over:
            n += 1
            mark = Mark(b"%d/%d" % (thread, n), 1_800, ("me/1/units",))
            try:
                self.store.admit(charge(Meter("me/1/units", 1_000_000, 2_000), marks=(mark,)), NOW)
            except StoreDown:
                with self.changed:
                    self.refusals[thread] += 1
                    self.changed.notify_all()
            else:
                with self.changed:
                    self.admitted.append(mark.key)
                    self.changed.notify_all()

    def wait_until(self, is_so):
        with self.changed:
            assert self.changed.wait_for(is_so, PATIENCE_SECONDS)

    def end(self):
        self.is_over = True
        for thread in self.threads:
            thread.join()


def test_a_store_lost_under_load_forgets_nothing(store, place):
    """Killed or taken away while questions come: these get no answer, it recovers by itself, and all is there."""
    load = Load(store)
    try:
        load.wait_until(lambda: len(load.admitted) >= 100)
        place.take_away()
        load.wait_until(lambda: len(load.refusals) == 4)
        place.bring_back()
        before = len(load.admitted)
        load.wait_until(lambda: len(load.admitted) >= before + 100)
    finally:
        load.end()
    (stands,) = store.read([UNITS], NOW)
    assert len(load.admitted) <= stands.spent <= len(load.admitted) + 4
    assert [store.marked(key, NOW) for key in load.admitted] == [1_800] * len(load.admitted)
