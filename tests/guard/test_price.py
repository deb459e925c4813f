"""Tests of the charge for a question, and of the names of meters."""

from __future__ import annotations

import pytest

from ordws.guard.policy import DAY, Policy
from ordws.guard.price import Identity, Meter, Question, detector_prefix, owner_key
from ordws.guard.pricing import Pricing

CORE = frozenset({"CAT", "PLAY"})
NOON = 1_795_262_400  # 2026-11-21, 12:00 UTC
MIDNIGHT = NOON + 12 * 3_600
HOME = Identity("1", NOON - 40 * DAY)
ANN = Identity("2", NOON - 40 * DAY, "ann")
UNVERIFIED_CAP = 777


def cost(*words, identity=HOME, edition=1, game=None, turn=None, now=NOON, key=b"k", is_new=False, **fields):
    pricing = Pricing(Policy(), key * 32)
    question = Question(words, edition, game, turn, **fields)
    return pricing.price(identity, question, CORE, now, unverified_cap=UNVERIFIED_CAP, is_new=is_new).charge


def kind(name):
    return name.rpartition("/")[2]


def limits(charge):
    return {kind(meter.name): (meter.limit, meter.ends) for meter in charge.meters}


def amounts(charge):
    return {kind(name): number for name, number in charge.amounts.items()}


def feeds(charge):
    return [[kind(name) for name in mark.feeds] for mark in charge.marks]


def test_a_word_outside_a_game_draws_on_three_meters():
    """A word outside a game draws on the day's units, those outside games, and the shared ones, until midnight UTC."""
    charge = cost("QUIZ")
    assert limits(charge) == {"units": (356, MIDNIGHT), "outside": (20, MIDNIGHT), "world": (UNVERIFIED_CAP, MIDNIGHT)}
    assert (amounts(charge), feeds(charge)) == ({}, [["units", "outside", "world"]])


def test_a_word_in_a_game_draws_on_six_meters():
    """The meters of a game last until the end of the next day, and begin together, whatever is asked first."""
    charge = cost("QUIZ", game="g")
    assert limits(charge) == {
        "units": (356, MIDNIGHT),
        "game": (28, MIDNIGHT + DAY),
        "world": (UNVERIFIED_CAP, MIDNIGHT),
        "plays": (60, MIDNIGHT + DAY),
        "invalid": (16, MIDNIGHT + DAY),
        "games": (12, MIDNIGHT),
    }
    assert amounts(charge) == {"plays": 1, "invalid": 1}
    assert feeds(charge) == [["units", "game", "world"], ["games"]]
    assert set(limits(cost("AT", game="g"))) == {"game", "plays", "invalid", "games"}


def test_a_word_in_a_sealed_game_is_one_of_a_turn():
    """A turn of a sealed game is marked, so that it counts as one play; the game was charged when it was opened."""
    charge = cost("QUIZ", game="g", turn="3 8D QUIZ")
    assert set(limits(charge)) == {"units", "game", "world", "plays", "invalid"}
    assert (amounts(charge), feeds(charge)) == ({}, [["units", "game", "world"], ["plays", "invalid"]])
    assert charge.marks[0].is_pinned


def test_all_seats_of_a_sealed_game_share_its_meters():
    """The seats of a sealed game share its 28 units; the day's units belong to each identity."""
    players = ANN, ANN._replace(player="bob")
    mine, theirs = (cost("QUIZ", identity=identity, game="g", turn="1") for identity in players)
    shared = {meter.name for meter in mine.meters} & {meter.name for meter in theirs.meters}
    assert {kind(name) for name in shared} == {"game", "plays", "invalid", "operator", "world"}


def test_a_players_word_draws_on_its_operators_total_too():
    """A player's word draws on the operator's total: the keeper's number if set, else the policy's."""
    assert limits(cost("QUIZ", identity=ANN))["operator"] == (2_000, MIDNIGHT)
    assert limits(cost("QUIZ", identity=ANN._replace(units=50)))["operator"] == (50, MIDNIGHT)
    assert feeds(cost("QUIZ", identity=ANN)) == [["units", "outside", "operator", "world"], []]


def test_a_core_word_is_charged_to_the_player_and_to_the_operator_once():
    """A player's core word feeds the player's meter and the world's; its mark of the operator feeds the operator's."""
    ann, bob = cost("CAT", identity=ANN), cost("CAT", identity=ANN._replace(player="bob"))
    assert limits(ann) == {
        "core": (540, MIDNIGHT),
        "operator-core": (4_600, MIDNIGHT),
        "players-core": (1 << 40, MIDNIGHT),
        "world-core": (4 * UNVERIFIED_CAP, MIDNIGHT),
    }
    assert feeds(ann) == [["core", "players-core", "world-core"], ["operator-core"]]
    assert ann.marks[0].key != bob.marks[0].key
    assert ann.marks[1] == bob.marks[1]
    verified = ANN._replace(is_verified=True)
    assert feeds(cost("CAT", identity=verified)) == [["core"], ["operator-core"]]
    assert [share.of for share in cost("CAT", "QUIZ", identity=verified).shares] == [ann.meters[1].name]


def test_an_unverified_client_has_a_share_of_what_all_of_them_have():
    """The share of a home client is that of its own meters, the share of an operator that of all its players."""
    for identity, units, core in ((HOME, "units", "core"), (ANN, "operator", "players-core")):
        shares = [share for share in cost("CAT", "QUIZ", identity=identity).shares if share.divisor > 1]
        assert [(kind(share.meter), kind(share.of), share.least, share.divisor) for share in shares] == [
            (core, "world-core", 80, 4),
            (units, "world", 56, 4),
        ]
        assert cost("AT", identity=identity).shares == ()


def test_what_a_report_needs_is_kept_long():
    """The totals of clients and of all unverified callers are kept for long, and those of a player's core words not."""
    assert {kind(name) for name in cost("CAT").long_kept} == {"units", "core", "games", "world", "world-core"}
    kept = cost("CAT", identity=ANN._replace(is_verified=True)).long_kept
    assert {kind(name) for name in kept} == {"units", "operator", "operator-core", "operator-games"}


def test_a_check_of_the_reference_is_charged_as_core_words_of_the_identity_alone():
    """A checked word costs no unit and nothing shared, and its mark is not that of a word that was judged."""
    check, judged = cost("CAT", "QUIZ", identity=ANN, is_check=True), cost("CAT", "QUIZ", identity=ANN)
    assert (limits(check), feeds(check)) == ({"core": (540, MIDNIGHT)}, [["core"], ["core"]])
    assert {mark.key for mark in check.marks}.isdisjoint({mark.key for mark in judged.marks})


def test_a_new_player_counts_against_the_new_ones_of_the_day():
    """A new player's mark lasts ten years, and counts as a new player of the day."""
    charge = cost("AT", identity=ANN, is_new=True)
    assert limits(charge) == {"players": (20, MIDNIGHT)}
    assert feeds(charge) == [["players"]]
    assert charge.marks[0].ends == NOON + 3_650 * DAY


def test_verified_callers_draw_on_nothing_that_strangers_share():
    """What unverified callers share does not bind a verified one, so that a flood does not shut it out."""
    charge = cost("CAT", "QUIZ", identity=HOME._replace(is_verified=True))
    assert (set(limits(charge)), charge.shares) == ({"core", "units", "outside"}, ())


def test_an_alarm_leaves_a_quarter_of_the_units_and_core_words():
    """An alarm reduces core words, and units of the day, outside games and in a game; plays and games stay."""
    pricing, alarming = Pricing(Policy(), b"k" * 32), HOME._replace(is_alarming=True)
    budgets = pricing.budgets(alarming, "g", NOON)
    assert {budget: meter.limit for budget, meter in budgets.items()} == {
        "core": 135,
        "units": 89,
        "outside": 5,
        "games": 12,
        "reference": 15,
        "game": 7,
        "plays": 60,
        "invalid": 16,
    }


def test_an_operators_alarm_leaves_a_quarter_of_its_totals():
    """An alarm of an operator as a whole reduces its units and core words, and not those of its players."""
    alarming = ANN._replace(is_operator_alarming=True)
    found = limits(cost("CAT", "QUIZ", identity=alarming))
    assert [found[budget][0] for budget in ("operator", "operator-core", "core", "units")] == [500, 1_150, 540, 356]


def test_a_word_is_marked_for_a_day_and_keeps_its_edition():
    """A word is marked for a day, with the edition that it is charged under; only a sealed game pins it."""
    (mark,) = cost("QUIZ", edition=7).marks
    assert (mark.ends, mark.edition, mark.is_pinned) == (NOON + DAY, 7, False)


def test_core_words_cost_no_unit():
    """A core word has a mark, as any word has, and feeds budgets of its own."""
    charge = cost("CAT", "PLAY", "QUIZ")
    assert feeds(charge) == [["core", "world-core"], ["core", "world-core"], ["units", "outside", "world"]]
    assert limits(charge)["core"] == (540, MIDNIGHT)
    assert [mark.fingerprint for mark in charge.marks[:2]] == [b"", b""]


@pytest.mark.parametrize("identity", [HOME, ANN])
@pytest.mark.parametrize("word", ["QUIZ", "CAT"])
def test_a_word_under_another_word_rule_is_another_question(identity, word):
    """Each mark of a word, also that of its operator, has the word rule, and costs the same under each."""
    charges = [cost(word, identity=identity, rule=rule) for rule in ("", "dover", "dover-inoffensive")]
    keys = [{mark.key for mark in charge.marks} for charge in charges]
    assert not keys[0] & keys[1] | keys[1] & keys[2] | keys[0] & keys[2]
    assert feeds(charges[0]) == feeds(charges[1]) == feeds(charges[2])


def test_the_regular_word_rule_keeps_its_keys():
    """Marks of the regular rule have the keys that they had before there were others: an upgrade gives nothing back."""
    pricing = Pricing(Policy(), b"k" * 32)
    mark, operators = cost("QUIZ", identity=ANN).marks
    assert mark.key == pricing.keyed_hash("word", pricing.identity_key(ANN), "QUIZ")[:8]
    assert operators.key == pricing.keyed_hash("operator-word", "2", "QUIZ")


def test_a_base_costs_a_unit_of_the_day_and_none_of_the_game():
    """A base is charged like a word of its rule, but not to the game, and anew when the edition has changed."""
    charge = cost("UNKEMPT", game="g", rule="dover", bases=("KEMPT", "UNKEMPT"))
    assert feeds(charge) == [["units", "world"], ["units", "game", "world"], ["games"]]
    assert [mark.is_pinned for mark in charge.marks] == [True, True, False]
    assert charge.marks[0].key == cost("KEMPT", rule="dover").marks[0].key
    outside = cost("CAT", rule="dover", bases=("KEMPT",))
    assert feeds(outside) == [["units", "outside", "world"], ["core", "world-core"]]


def test_a_base_is_no_word_that_was_asked():
    """A base is marked as one, so that the detectors of habits do not count it."""
    pricing = Pricing(Policy(), b"k" * 32)
    question = Question(("UNKEMPT",), 1, rule="dover", bases=("KEMPT",))
    priced = pricing.price(HOME, question, CORE, NOON, unverified_cap=0, is_new=False)
    assert [(word.word, word.is_base) for word in priced.words] == [("KEMPT", True), ("UNKEMPT", False)]


def test_checks_of_an_own_reference_have_a_budget_of_their_own():
    """A check of the installation's own list feeds its own meter, under another mark than a check of the open list."""
    own = cost("HAET", is_check=True, is_own_list=True)
    assert limits(own) == {"reference": (60, MIDNIGHT)}
    assert feeds(own) == [["reference"]]
    assert own.marks[0].key != cost("HAET", is_check=True).marks[0].key


def test_two_letter_words_are_free():
    """Two letters cost nothing, whether they are a word or not."""
    charge = cost("AT", "QI", "XX")
    assert (charge.meters, charge.amounts, charge.marks) == ((), {}, ())


def test_a_repeated_word_of_a_question_counts_once():
    """A word that stands twice in a question counts once."""
    charge = cost("QUIZ", "QUIZ", "CAT", "CAT")
    assert len(charge.marks) == 2


def test_a_game_is_marked_until_its_meters_end():
    """The mark of a game ends with its meters; otherwise the meter of an old game would serve a new one."""
    charge = cost(game="g")
    (mark,) = charge.marks
    assert mark.ends == limits(charge)["plays"][1]
    assert feeds(charge) == [["games"]]


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (cost("QUIZ", identity=Identity("9", 0)), False),
        (cost("QUIZ", identity=ANN), False),
        (cost("FISHERY"), False),
        (cost("QUIZ", key=b"l"), False),
        (cost("QUIZ", edition=2), True),
        (cost("QUIZ", game="g"), True),
        (cost("QUIZ", game="g", turn="1"), True),
        (cost("QUIZ", now=NOON + DAY), True),
    ],
)
def test_a_mark_is_of_one_word_and_identity(other, same):
    """Another word, meter key or identity has another mark; another edition or game has the same."""
    assert (cost("QUIZ").marks[0].key == other.marks[0].key) == same


def test_a_fingerprint_is_of_one_word_and_identity_in_all_editions():
    """A word's fingerprint has four bytes, differs by identity, and is the same in all editions."""
    pricing = Pricing(Policy(), b"k" * 32)
    me, you = pricing.identity_key(HOME), pricing.identity_key(ANN)
    assert pricing.fingerprint(me, "QUIZ") != pricing.fingerprint(you, "QUIZ")
    assert len(pricing.fingerprint(me, "QUIZ")) == 4
    for edition in (1, 2):
        charge = cost("QUIZ", edition=edition)
        assert [mark.fingerprint for mark in charge.marks] == [pricing.fingerprint(me, "QUIZ")]
        assert kind(charge.fingerprint_meter) == "units"


def test_games_of_one_label_are_of_one_identity():
    """Games with one label have other meters for another client, and for a sealed game of that name."""
    one, two, sealed = cost(game="g"), cost(game="g", identity=ANN), cost(game="g", turn="1")
    names = [{meter.name for meter in charge.meters} for charge in (one, two, sealed)]
    assert names[0].isdisjoint(names[1])
    assert names[0].isdisjoint(names[2])


def test_a_store_gets_nothing_readable():
    """No word, game, turn, client or player stands in what a store is given."""
    identity = Identity("CLIENT", 0, "SOMEBODY")
    for turn in (None, "MOVE"):
        text = repr(cost("QUIZ", game="LABEL", turn=turn, identity=identity, is_new=True))
        assert not any(secret in text for secret in ("QUIZ", "LABEL", "MOVE", "SOMEBODY", "CLIENT"))


def test_two_days_share_no_daily_meter():
    """A second before midnight and midnight have no daily meter in common."""
    pricing = Pricing(Policy(), b"k" * 32)
    before, after = (pricing.budgets(HOME, None, now) for now in (MIDNIGHT - 1, MIDNIGHT))
    assert {meter.name for meter in before.values()}.isdisjoint({meter.name for meter in after.values()})
    assert {meter.ends for meter in after.values()} == {MIDNIGHT + DAY}


def test_the_state_of_an_identity_changes_limits_and_not_names():
    """Verification, an alarm, age and an operator's total change limits, not the names of meters."""
    pricing, young = Pricing(Policy(), b"k" * 32), Identity("2", NOON, "ann")
    for identity, now, games, units, total in (
        (young, NOON, 2, 76, 333),
        (young, NOON + 3 * DAY, 3, 104, 500),
        (young._replace(first_seen=NOON + 3 * DAY), NOON + 3 * DAY, 2, 76, 500),
        (young._replace(is_verified=True), NOON, 12, 356, 2_000),
        (young._replace(is_alarming=True), NOON, 2, 19, 333),
        (young._replace(is_operator_alarming=True), NOON, 2, 76, 84),
        (young._replace(units=7, is_verified=True), NOON, 12, 356, 7),
    ):
        budgets = pricing.budgets(identity, None, now)
        assert [budgets[each].limit for each in ("games", "units", "operator")] == [games, units, total]


def test_a_sealed_game_costs_each_identity_one_game():
    """An identity with two seats of a sealed game pays one game, and new players count as such."""
    pricing = Pricing(Policy(), b"k" * 32)
    charge = pricing.opening_charge([(HOME, False), (ANN, True), (HOME, False)], "g", NOON)
    assert sorted(kind(meter.name) for meter in charge.meters) == ["games", "games", "operator-games", "players"]
    assert sorted(feeds(charge)) == [["games"], ["games", "operator-games"], ["players"]]
    assert (charge.amounts, charge.fingerprint_meter) == ({}, "")


def test_meter_names_begin_with_their_owners_key():
    """The names of meters and detector sums begin with the key of their client, and of its player."""
    pricing = Pricing(Policy(), b"k" * 32)
    me, ann = pricing.identity_key(HOME), pricing.identity_key(ANN)
    assert ann.startswith(f"{pricing.client_key('2')}.")
    assert pricing.client_key("1") == me
    assert owner_key(f"{detector_prefix(ann)}run") == ann
    assert cost("QUIZ").meters[-1] == Meter("world/20778/world", UNVERIFIED_CAP, MIDNIGHT)


def test_meter_names_and_marks_never_change():
    """The names, marks and fingerprints under a meter key never change, or an update would restore all budgets."""
    charge = cost("QUIZ", "CAT", identity=ANN, game="g", is_new=True)
    ann, game, operator = "17767f37214dac35.4e8929f81e829d98", "d804dcc0023057fa", "17767f37214dac35"
    assert [meter.name for meter in charge.meters] == [
        f"{ann}/20778/core",
        f"{operator}/20778/operator-core",
        f"{ann}/20778/units",
        f"{ann}/{game}/game",
        f"{operator}/20778/operator",
        f"{ann}/{game}/plays",
        f"{ann}/{game}/invalid",
        f"{ann}/20778/games",
        f"{operator}/20778/operator-games",
        f"{operator}/20778/players",
        f"{operator}/20778/players-core",
        "world/20778/world-core",
        "world/20778/world",
    ]
    assert [(mark.key.hex(), mark.fingerprint.hex()) for mark in charge.marks] == [
        ("3179f67a72dfedfd", "56269e13"),
        ("e1398318b9ba7a29b341f0519ee7b526", ""),
        ("1be83a4f00873612", ""),
        ("b8e4f49ee708a0b82db1872ed5965834", ""),
        ("d804dcc0023057fa2e40e63a45601bd6", ""),
        ("4e8929f81e829d98a5ce12ce8cadfd4b", ""),
    ]
