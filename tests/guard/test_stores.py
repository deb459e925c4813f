"""The contract of a store of meters, run over every store there is."""

from __future__ import annotations

import threading
from collections import Counter

import pytest

from ordws.errors import StoreDown
from ordws.guard.gate import Refused, Standing
from ordws.guard.price import DAY, Charge, Mark, Meter
from ordws.guard.stores.sqlite import SqliteStore

NOW = 1_000


def charge(*meters, adds=None, marks=()):
    return Charge(meters, adds or {}, marks)


UNITS = Meter("me/1/units", 3, 2_000)
OUTSIDE = Meter("me/1/outside", 2, 1_500)


def asked(word, ends=1_800):
    return Mark(word, ends, (UNITS.name, OUTSIDE.name))


class TestStore:
    """What holds for each store."""

    @pytest.fixture(params=[SqliteStore])
    def path(self, request, tmp_path):
        self.kind = request.param
        return tmp_path / "meters.db"

    @pytest.fixture
    def store(self, path):
        store = self.kind.create(path)
        yield store
        store.close()

    def test_a_meter_holds_its_limit(self, store):
        """As much as the limit is admitted, and nothing beyond."""
        one = charge(UNITS, adds={UNITS.name: 1})
        assert [store.admit(one, NOW) for _ in range(4)] == [None, None, None, Refused("me/1/units", 1_000)]

    def test_a_refused_charge_writes_nothing(self, store):
        """Neither the meters that would have held it nor the marks are written."""
        store.admit(charge(UNITS, OUTSIDE, adds={OUTSIDE.name: 2}), NOW)
        refused = store.admit(charge(UNITS, OUTSIDE, marks=(asked(b"a"),)), NOW)
        assert refused == Refused("me/1/outside", 500)
        assert store.read([UNITS, OUTSIDE], NOW) == [Standing(0, 2_000), Standing(2, 1_500)]
        assert store.admit(charge(UNITS, marks=(Mark(b"a", 1_800, (UNITS.name,)),)), NOW) is None
        assert store.read([UNITS], NOW) == [Standing(1, 2_000)]

    def test_a_mark_counts_once(self, store):
        """The same mark again feeds nothing while it runs, and counts anew when it has ended."""
        question = charge(UNITS, OUTSIDE, marks=(asked(b"a"),))
        spent = []
        for now in (NOW, NOW + 1, 1_799, 1_800):
            store.admit(question, now)
            spent.append(store.read([UNITS], now)[0].spent)
        assert spent == [1, 1, 1, 2]

    def test_a_mark_is_not_prolonged(self, store):
        """To ask again does not keep a word known for longer."""
        store.admit(charge(UNITS, marks=(Mark(b"a", 1_100, (UNITS.name,)),)), NOW)
        store.admit(charge(UNITS, marks=(Mark(b"a", 1_190, (UNITS.name,)),)), 1_090)
        store.admit(charge(UNITS, marks=(Mark(b"a", 1_200, (UNITS.name,)),)), 1_100)
        assert store.read([UNITS], 1_100) == [Standing(2, 2_000)]

    def test_several_marks_feed_together(self, store):
        """A question of several new words is admitted whole or not at all."""
        marks = tuple(Mark(b"%d" % n, 1_800, (UNITS.name,)) for n in range(4))
        assert store.admit(charge(UNITS, marks=marks), NOW) == Refused("me/1/units", 1_000)
        assert store.admit(charge(UNITS, marks=marks[:3]), NOW) is None
        assert store.read([UNITS], NOW) == [Standing(3, 2_000)]

    def test_a_spent_meter_lets_free_questions_pass(self, store):
        """What adds nothing is admitted, whatever is spent."""
        store.admit(charge(UNITS, adds={UNITS.name: 3}), NOW)
        assert store.admit(charge(UNITS), NOW) is None

    def test_a_meter_that_ended_begins_anew(self, store):
        """From its end on a meter is empty, and it ends when the new charge says."""
        store.admit(charge(UNITS, adds={UNITS.name: 3}), NOW)
        later = UNITS._replace(ends=3_000)
        assert store.admit(charge(later, adds={UNITS.name: 1}), 1_999) == Refused("me/1/units", 1)
        assert store.admit(charge(later, adds={UNITS.name: 1}), 2_000) is None
        assert store.read([later], 2_000) == [Standing(1, 3_000)]

    def test_a_running_meter_keeps_its_end(self, store):
        """A game that was opened yesterday ends when it was to end, however late it is asked in."""
        store.admit(charge(UNITS), NOW)
        store.admit(charge(UNITS._replace(ends=9_000), adds={UNITS.name: 1}), 1_500)
        assert store.read([UNITS], 1_500) == [Standing(1, 2_000)]

    def test_the_meter_that_ends_last_is_told(self, store):
        """It is of no use to ask again before all that refused have ended."""
        both = charge(OUTSIDE, UNITS, adds={OUTSIDE.name: 9, UNITS.name: 9})
        assert store.admit(both, NOW) == Refused("me/1/units", 1_000)

    def test_a_lowered_limit_holds_at_once(self, store):
        """Limits come from the policy and are not stored."""
        store.admit(charge(UNITS, adds={UNITS.name: 2}), NOW)
        assert store.admit(charge(UNITS._replace(limit=2), adds={UNITS.name: 1}), NOW) == Refused("me/1/units", 1_000)

    def test_to_read_writes_nothing(self, store):
        """A meter that nobody charged stands at nothing and ends as it says."""
        assert store.read([UNITS, OUTSIDE], NOW) == [Standing(0, 2_000), Standing(0, 1_500)]
        assert store.sweep(9_000 + DAY) == 0

    def test_what_is_spent_survives_a_restart(self, store, path):
        """Another process, now or later, finds the meters as they were."""
        store.admit(charge(UNITS, adds={UNITS.name: 2}), NOW)
        store.close()
        again = self.kind(path)
        assert again.read([UNITS], NOW) == [Standing(2, 2_000)]
        again.close()

    def test_to_create_again_keeps_what_is_spent(self, store, path):
        """`create` over meters leaves them."""
        store.admit(charge(UNITS, adds={UNITS.name: 2}), NOW)
        self.kind.create(path).close()
        assert store.read([UNITS], NOW) == [Standing(2, 2_000)]

    def test_a_closed_store_refuses_everything(self, store):
        """After a restore even a free question waits, every budget counts as spent, and then all goes on."""
        store.close_until(1_200)
        assert store.admit(charge(UNITS), NOW) == Refused("closed", 200)
        assert store.read([UNITS, OUTSIDE], NOW) == [Standing(3, 1_200), Standing(2, 1_200)]
        assert store.admit(charge(UNITS, adds={UNITS.name: 1}), 1_200) is None
        assert store.read([UNITS], 1_200) == [Standing(1, 2_000)]

    def test_to_close_for_less_does_not_open(self, store):
        """The later of two moments holds."""
        store.close_until(1_200)
        store.close_until(1_100)
        assert store.admit(charge(UNITS), 1_150) == Refused("closed", 50)

    def test_a_sweep_forgets_what_ended(self, store):
        """Meters and marks go a day after they ended; running ones stay."""
        store.admit(charge(UNITS, OUTSIDE, marks=(asked(b"a", 1_100), asked(b"b", 1_900))), NOW)
        assert store.sweep(1_099 + DAY) == 0
        assert store.sweep(1_600 + DAY) == 2
        assert store.read([UNITS], 1_600) == [Standing(2, 2_000)]
        store.admit(charge(UNITS, marks=(Mark(b"b", 1_900, (UNITS.name,)),)), 1_600)
        assert store.read([UNITS], 1_600) == [Standing(2, 2_000)]

    def test_a_late_question_finds_its_budget_as_it_was(self, store):
        """One asked before midnight that comes after another worker's sweep is charged to the day it was asked."""
        spent = charge(UNITS, adds={UNITS.name: UNITS.limit})
        assert store.admit(spent, UNITS.ends - 1) is None
        store.sweep(UNITS.ends)
        assert store.admit(charge(UNITS, adds={UNITS.name: 1}), UNITS.ends - 1) == Refused("me/1/units", 1)

    def test_a_long_sweep_forgets_all(self, store):
        """However much has ended, nothing of it is left."""
        marks = [Mark(b"%d" % number, 1_100, ()) for number in range(4_500)]
        for first in range(0, 4_500, 500):
            store.admit(charge(UNITS, marks=tuple(marks[first : first + 500])), NOW)
        assert store.sweep(1_100 + DAY) == 4_500
        assert store.sweep(9_000 + DAY) == 1

    def test_threads_get_exactly_the_limit(self, store):
        """Of 400 questions of eight threads a meter of 100 admits 100."""
        meter = Meter("me/1/units", 100, 2_000)
        granted = Counter()

        def ask(thread):
            for n in range(50):
                mark = Mark(b"%d/%d" % (thread, n), 1_800, (meter.name,))
                granted[store.admit(charge(meter, marks=(mark,)), NOW) is None] += 1

        threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert granted == {True: 100, False: 300}

    def test_a_store_that_is_gone_admits_nothing_and_comes_back(self, store, path):
        """Every verb fails while the store is away; then it stands where it stood."""
        store.admit(charge(UNITS, adds={UNITS.name: 1}), NOW)
        away = path.with_name("away")
        path.rename(away)
        for verb in (
            lambda: store.admit(charge(UNITS), NOW), lambda: store.read([UNITS], NOW), lambda: store.sweep(NOW),
            lambda: store.close_until(NOW),
        ):  # fmt: skip
            with pytest.raises(StoreDown):
                verb()
        away.rename(path)
        assert store.read([UNITS], NOW) == [Standing(1, 2_000)]

    def test_a_store_that_was_never_made_is_not_made_by_asking(self, path):
        """Meters that were lost are noticed, not begun anew."""
        store = self.kind(path)
        with pytest.raises(StoreDown):
            store.admit(charge(UNITS), NOW)
        assert not path.exists()
