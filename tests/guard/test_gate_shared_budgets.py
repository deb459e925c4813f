"""Tests of the gate: budgets of players, seats and all together, and alarms."""

from __future__ import annotations

from gate_helpers import ALARMING, CLUB, CORE, HOME, MIDNIGHT, NOON, OTHER, PLENTY, ask, left, words

from ordws.guard.charge import ClientShare, Identity, Question, Refused
from ordws.guard.gate import Allowance
from ordws.guard.policy import DAY, Policy


def test_an_operators_players_share_its_total(gate):
    """The players of an operator share its daily total, 2,000 by default, besides budgets of their own."""
    small = CLUB._replace(units=30)
    for player in ("ann", "bob"):
        for word in words(ord(player[0]), 15):
            assert ask(gate, small._replace(player=player), word) is None
    assert ask(gate, small._replace(player="cid"), *words(300, 1)) == "operator"
    assert left(gate, small._replace(player="ann"))["outside"] == 5
    assert left(gate, CLUB._replace(player="ann"))["operator"] == 1_970


def test_an_operator_has_twenty_new_players_a_day(gate, open_gate):
    """A player counts as new on its first day alone, in any process, and its ramp of thirty days begins then."""
    asks = [ask(gate, CLUB._replace(player=f"p{n}"), "AT", game="g") for n in range(21)]
    assert asks == [None] * 20 + ["players"]
    other = open_gate()
    assert ask(other, CLUB._replace(player="p20"), "AT") == "players"
    assert ask(other, CLUB._replace(player="p3"), "AT") is None
    assert ask(other, CLUB._replace(player="p20"), "AT", now=MIDNIGHT) is None
    assert left(other, CLUB._replace(player="p3"), now=NOON + 3 * DAY)["games"] == 3
    assert left(other, CLUB._replace(player="p20"), now=NOON + 3 * DAY)["games"] == 2
    assert left(other, CLUB._replace(player="p20"), now=NOON + 4 * DAY)["players"] == 20


def test_a_verified_operators_devices_are_no_new_players(gate, open_gate):
    """Paired devices of a verified operator do not count as new players; its pseudonyms do."""
    known = CLUB._replace(is_verified=True, is_club_device=True, units=2)
    asks = [ask(gate, known._replace(player=f"d{n}"), "AT", game="g") for n in range(24)]
    assert asks == [None] * 24
    assert left(gate, known)["players"] == 20
    words_asked = [ask(gate, known._replace(player=f"d{n}"), *words(n, 1)) for n in range(3)]
    assert words_asked == [None, None, "operator"]
    assert ask(open_gate(), known._replace(player="ann", is_club_device=False), "AT") is None
    assert left(gate, known)["players"] == 19


def test_a_verified_operators_players_begin_with_twelve_games(gate):
    """The players of a verified operator have twelve games at once, those of others two."""
    assert left(gate, CLUB._replace(is_verified=True))["games"] == 12
    assert left(gate, CLUB)["games"] == 2


def test_a_new_player_who_was_refused_is_still_new(gate):
    """A refused question does not use up one of the day's new players."""
    assert ask(gate, CLUB, "AT", game="a") is None
    bob = CLUB._replace(player="bob", units=0)
    assert ask(gate, bob, "QUIZ") == "operator"
    assert left(gate, bob)["players"] == 19


def test_unverified_callers_share_one_cap(open_gate):
    """Unverified callers share one cap, on which a word counts for each who asks it; verified ones do not."""
    gate = open_gate(Policy(world_floor=20, world_ceiling=20, units_a_game=8, first_games_a_day=1, games_a_day=1))
    known = Identity("7", NOON, is_verified=True)
    for number, count in enumerate((5, 5, 5, 5)):
        assert ask(gate, Identity(f"c{number}", 0), *words(0, count)) is None
    assert ask(gate, OTHER, *words(0, 1)) == "world"
    assert ask(gate, known, *words(0, 8)) is None
    assert ask(gate, Identity("c0", 0), *words(0, 5)) is None
    assert ask(gate, OTHER, *words(13, 1), now=MIDNIGHT) is None


def test_a_refusal_of_the_cap_tells_nothing_about_the_words_of_others(open_gate):
    """What a caller's question leaves of the shared cap is the same, whether others have asked its word or not."""
    for known in (False, True):
        gate = open_gate(Policy(world_floor=20, world_ceiling=20, units_a_game=6))
        day = NOON + known * DAY
        assert ask(gate, HOME, *words(0, 5), now=day) is None
        for number in range(14):
            assert ask(gate, Identity(f"c{number}", 0), words(0 if known else 30 + number, 1)[0], now=day) is None
        # One unit is left: whether the last question's word was known to the world does not show in this one.
        asks = [ask(gate, OTHER, word, now=day) for word in words(60, 2)]
        assert asks == [None, "world"]


def test_a_full_cap_is_named_only_if_no_budget_of_the_callers_own_refuses(open_gate):
    """Of two budgets that refuse until midnight, the caller's own is named."""
    gate = open_gate(Policy(world_floor=8, world_ceiling=8))
    assert ask(gate, HOME, *words(0, 8)) is None
    for n in range(12):
        assert ask(gate, OTHER, "AT", game=f"g{n}") is None
    assert [ask(gate, OTHER, *words(n, 1), game="more") for n in (0, 8)] == ["games"] * 2


def spend_all(gate, identity, first, core_list=CORE):
    """Ask one new word after another, in as many games as there are, until every budget refuses; return how many."""
    asked = 0
    for game in (None, *[f"{identity.player}{n}" for n in range(12)]):
        while ask(gate, identity, *words(first + asked, 1), game=game, core_list=core_list) is None:
            asked += 1
    return asked


def test_one_unverified_operator_does_not_shut_out_newcomers(open_gate):
    """One unverified operator, whatever its age, gets a quarter of the cap, and a newcomer's first game stays open."""
    gate = open_gate(Policy(tightened_percent=100))
    old = Identity("4", NOON - 400 * DAY, "p0")
    spent = sum(spend_all(gate, old._replace(player=f"p{n}"), 1_000 * n) for n in range(8))
    assert spent == 125
    assert ask(gate, old._replace(player="p9"), *words(9_000, 1)) == "world"
    newcomers = [Identity(f"n{n}", NOON) for n in range(6)]
    games = [[ask(gate, each, *words(100 * n, 17), game="first") for n, each in enumerate(newcomers)] for _ in "12"]
    assert games == [[None] * 6] * 2


def test_many_keys_leave_ever_less_and_never_more_than_what_is_left(open_gate):
    """Each next key gets a quarter of what is left, two games' worth at least; together they never pass the cap."""
    gate = open_gate(Policy(tightened_percent=100))
    spent = [spend_all(gate, Identity(f"k{n}", NOON - 400 * DAY), 400 * n) for n in range(12)]
    assert spent == [125, 93, 75, 56, 56, 56, 39, 0, 0, 0, 0, 0]
    assert sum(spent) == 500


CORE_WORDS = words(0, 6_000)


def read_core(gate, identities, count):
    """Ask core words, eight a question, each identity as many as it may; return how many had an answer."""
    answered, remaining = 0, list(CORE_WORDS[:count])
    for identity in identities:
        while remaining and ask(gate, identity, *remaining[:8], core_list=CORE_WORDS) is None:
            answered += len(remaining[:8])
            del remaining[:8]
    return answered


def test_paired_devices_of_a_verified_club_read_no_more_core_words_than_the_club_may(gate):
    """43 devices of one verified club have 4,600 core words answered a day, and not 540 each."""
    devices = [Identity("3", NOON, f"d{n}", is_verified=True, is_club_device=True, units=2_000) for n in range(43)]
    assert read_core(gate, devices, 6_000) == 4_600
    assert ask(gate, devices[-1], CORE_WORDS[-1], core_list=CORE_WORDS) == "operator"
    assert ask(gate, devices[0], *CORE_WORDS[:8], core_list=CORE_WORDS) is None


def test_pseudonyms_of_an_unverified_operator_read_its_share_of_core_words(open_gate):
    """Twenty pseudonyms of an unverified operator have a quarter of the shared 2,000 core words answered, together."""
    gate = open_gate(Policy(tightened_percent=100))
    players = [Identity("4", NOON - 400 * DAY, f"p{n}") for n in range(20)]
    assert read_core(gate, players, 6_000) == 496
    young = [Identity("5", NOON, f"p{n}") for n in range(20)]
    assert read_core(gate, young, 6_000) == 400


def test_a_refusal_of_the_operators_total_tells_nothing_about_the_words_of_other_players(gate):
    """Where an operator may ask no more core words, a player is refused those that others asked as well."""
    club = Identity("3", NOON, is_verified=True, units=20)
    assert ask(gate, club._replace(player="victim"), *CORE_WORDS[:6], core_list=CORE_WORDS) is None
    assert ask(gate, club._replace(player="ann"), *CORE_WORDS[6:45], core_list=CORE_WORDS) is None
    spy = club._replace(player="spy")
    asks = [ask(gate, spy, *CORE_WORDS[first : first + 2], core_list=CORE_WORDS) for first in (0, 4, 44, 50, 60)]
    assert asks == ["operator"] * 5
    # One is left, and stays where the word was known: that is what remains to be seen (docs/guard.md 6).
    assert ask(gate, spy, CORE_WORDS[0], core_list=CORE_WORDS) is None
    assert ask(gate, spy, CORE_WORDS[70], core_list=CORE_WORDS) is None
    assert [ask(gate, spy, CORE_WORDS[n], core_list=CORE_WORDS) for n in (1, 71)] == ["operator"] * 2
    assert ask(gate, spy, CORE_WORDS[0], CORE_WORDS[70], core_list=CORE_WORDS) is None


def test_the_shared_core_words_tell_nothing_about_the_words_of_other_players(open_gate):
    """A core word takes as much of what unverified callers share, whether another player asked it before or not."""
    answered = []
    for first in (0, 70):
        gate = open_gate(Policy(world_floor=20, world_ceiling=20))
        day = NOON + first * DAY
        ann = Identity("4", NOON - 40 * DAY, "ann")
        assert ask(gate, ann, *CORE_WORDS[:70], core_list=CORE_WORDS, now=day) is None
        bob = ann._replace(player="bob")
        answered.append([ask(gate, bob, CORE_WORDS[first + n], core_list=CORE_WORDS, now=day) for n in range(12)])
    assert answered[0] == answered[1] == [None] * 10 + ["world"] * 2


def test_what_others_spend_is_seen_in_twentieths_of_the_cap():
    """The share of an unverified client stays the same until others have spent another 25 units."""
    share = ClientShare(0, 0, 500, 56)
    assert [share.limit(100 + others, 100) for others in (0, 1, 24, 25, 49, 50, 400)] == [
        *[125] * 3,
        *[118] * 2,
        112,
        56,
    ]


def test_unverified_keys_read_the_shared_core_words_together(open_gate):
    """However many unverified keys there are, they have 2,000 core words answered a day together."""
    gate = open_gate(Policy(tightened_percent=100))
    assert read_core(gate, [Identity(f"k{n}", NOON - 400 * DAY) for n in range(60)], 6_000) == 2_000


def test_the_totals_of_a_new_unverified_operator_grow_with_its_age(open_gate):
    """An unverified operator has two twelfths of its total on its first day, and all of it after thirty days."""
    gate = open_gate(PLENTY)
    assert [left(gate, Identity("4", NOON, "ann"), now=NOON + days * DAY)["operator"] for days in (0, 15, 30)] == [
        333,
        1_166,
        2_000,
    ]


def test_an_evening_of_sixty_new_players(gate):
    """Sixty players whom a verified club brings for the first time play four rounds of two in sealed games."""
    club = Identity("3", NOON, is_verified=True, units=2_000)
    players = [club._replace(player=f"p{n}") for n in range(60)]
    for game_round in range(4):
        for table in range(30):
            seats = players[2 * table : 2 * table + 2]
            assert gate.open_game(seats, f"{game_round}/{table}", NOON) is None
    assert left(gate, players[0])["players"] == 65


def test_a_seat_has_its_share_of_units_and_plays(gate):
    """A seat may spend 18 of a game's 28 units and make 40 of its 60 plays, even if one key holds all seats."""
    assert gate.open_game((HOME,), "s", NOON) is None

    def play(seat, turn, *words_asked, is_doubt=False):
        outcome = gate.admit(HOME, Question(words_asked, 1, "s", f"{turn}", seat, is_doubt), CORE, NOON)
        return outcome.budget if isinstance(outcome, Refused) else None

    assert play(0, 1, *words(0, 18)) is None
    assert play(0, 2, *words(18, 1)) == "game"
    assert [play(0, turn, "AT") for turn in range(3, 43)] == [None] * 39 + ["plays"]
    assert play(0, 43, "AT", is_doubt=True) is None
    assert play(1, 44, *words(18, 10)) is None
    assert play(1, 45, *words(28, 1)) == "game"
    assert [play(1, turn, "AT") for turn in range(46, 65)] == [None] * 18 + ["plays"]


def test_a_keeper_ends_an_alarm(open_gate):
    """Clearing alarms restores the budgets of a client and all its players, and of nobody else."""
    gate = open_gate(ALARMING)
    club = CLUB._replace(is_verified=True)
    # Five games of 27 units are more than those of a home client explain, and eight of them more than a player's.
    for identity, games in ((HOME, 5), (club, 8), (club._replace(player="other"), 8)):
        for n in range(games):
            ask(gate, identity, *words(27 * n, 27), game=f"g{n}")
    assert gate.tick(NOON) == ("pace",) * 3
    assert left(gate, HOME)["units"] == 0
    assert gate.clear_alarms(CLUB.client, NOON) == ("pace",)
    gate.tick(NOON + 1)
    assert left(gate, club)["units"] == 356 - 8 * 27
    assert left(gate, HOME)["units"] == 0
    assert gate.clear_alarms("unknown", NOON) == ()
    # What it had asked by then is its allowance for the days that follow.
    assert ask(gate, club, *words(300, 20), game="g8") is None
    assert gate.tick(NOON + 2) == ()


def test_the_cap_follows_what_was_spent(open_gate):
    """The cap is half more than the median of the days before, and stays the same through a day in all processes."""
    policy = Policy(world_floor=20, world_ceiling=100)
    for day in range(3):
        for n in range(16):
            assert ask(open_gate(policy), HOME, *words(20 * day + n, 1), now=NOON + day * DAY) is None
        open_gate(policy).store.collect(NOON + day * DAY)
    later = NOON + 3 * DAY
    gate = open_gate(policy)
    assert gate.unverified_cap(later) == 24
    assert ask(gate, HOME, *words(100, 20), now=later) is None
    assert (gate.unverified_cap(later), open_gate(policy).unverified_cap(later)) == (24, 24)
    assert gate.unverified_spent(later) == {20_778: 16, 20_779: 16, 20_780: 16, 20_781: 20}


def test_seats_share_units_and_spend_a_game_each(gate):
    """Two seats of a sealed game spend one game each, and share its 28 units and 60 plays."""
    ann, bob = [CLUB._replace(player=player, is_verified=True) for player in ("ann", "bob")]
    assert gate.open_game((ann, bob), "s", NOON) is None
    assert gate.open_game((ann, bob), "s", NOON) is None
    assert [left(gate, identity)["games"] for identity in (ann, bob)] == [11, 11]
    assert ask(gate, ann, *words(0, 20), game="s", turn="1") is None
    assert ask(gate, bob, *words(20, 9), game="s", turn="2") == "game"
    assert ask(gate, bob, *words(20, 8), game="s", turn="2") is None
    assert [left(gate, identity)["units"] for identity in (ann, bob)] == [336, 348]
    assert left(gate, ann, "s", is_sealed=True)["plays"] == 58
    assert left(gate, ann)["games"] == 11


def test_a_seat_opens_no_game_of_the_same_label(gate):
    """A label that equals the name of a sealed game opens a game of its own."""
    gate.open_game((HOME,), "s", NOON)
    ask(gate, HOME, "AT", game="s")
    assert left(gate, HOME)["games"] == 10


def test_a_sealed_game_is_charged_to_all_seats_or_none(gate):
    """A sealed game is charged to all its seats or to none."""
    ann, bob = CLUB, CLUB._replace(player="bob")
    for n in range(2):
        ask(gate, bob, "AT", game=f"g{n}")
    refused = gate.open_game((ann, bob), "s", NOON)
    assert refused.budget == "games"
    assert left(gate, ann)["games"] == 2


def test_seats_of_a_sealed_game_may_be_new_players(gate):
    """New players in a sealed game count as new players of the day, and their ramp begins."""
    ann, bob = CLUB, CLUB._replace(player="bob")
    assert gate.open_game((ann, bob), "s", NOON) is None
    assert left(gate, ann)["players"] == 18
    assert left(gate, ann, now=NOON + 3 * DAY)["games"] == 3


def test_the_quota_of_a_player_names_its_operators_too(gate):
    """The quota of a player includes the operator's total and new players of the day."""
    ask(gate, CLUB, "QUIZ")
    assert gate.quota(CLUB, None, NOON)[4:] == [
        Allowance("operator", 2_000, 1_999, MIDNIGHT),
        Allowance("players", 20, 19, MIDNIGHT),
    ]


def sweep(gate, identity, count, first=0):
    """Ask `count` words in alphabetical order, ten a game; return the alarms raised."""
    for n in range(first, first + count):
        ask(gate, identity, f"ABC{chr(65 + n // 26)}{chr(65 + n % 26)}", game=f"sweep{n // 10}")
    return gate.tick(NOON)


def test_a_sweep_raises_an_alarm_that_tightens_its_budgets(open_gate):
    """A sweep raises an alarm within seven words, which leaves a quarter of its units (docs/guard.md Decision 8)."""
    gate, other = open_gate(ALARMING), open_gate(ALARMING)
    assert sweep(gate, HOME, 30) == ("run",)
    # In alarm after seven words, so that a game has seven.
    assert left(gate, HOME, "sweep2") == {
        "game": 0,
        "plays": 53,
        "core": 135,
        "units": 89 - 3 * 7,
        "outside": 5,
        "games": 9,
    }
    assert ask(gate, HOME, *words(0, 6)) == "outside"
    assert ask(gate, HOME, *words(0, 5)) is None
    assert left(gate, OTHER)["units"] == 356
    assert other.tick(NOON + 1) == ()
    assert left(other, HOME)["units"] == 89 - 26


def test_an_alarm_ends(open_gate):
    """An alarm ends four weeks after it was raised."""
    gate = open_gate(ALARMING)
    sweep(gate, HOME, 30)
    assert left(gate, HOME, now=NOON + 28 * DAY - 1)["units"] == 89
    assert left(gate, HOME, now=NOON + 28 * DAY)["units"] == 356


def test_a_flood_is_reported_once_a_day(open_gate):
    """A flood of unverified callers is reported once a day, at four fifths of their cap."""
    gate, alarms_raised = open_gate(Policy(world_floor=10, world_ceiling=10)), []
    for day in range(2):
        for n in range(10):
            ask(gate, HOME, *words(20 * day + n, 1), now=NOON + day * DAY)
            alarms_raised.append(gate.tick(NOON + day * DAY))
    assert [n for n, alarms in enumerate(alarms_raised) if "world" in alarms] == [7, 17]
