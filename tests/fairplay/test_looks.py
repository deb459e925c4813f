"""Looks at milestones: flags raised once, evidence in bands, kept for 400 days (docs/fairplay.md 4, 5)."""

from __future__ import annotations

import os
from contextlib import closing

import pytest

from ordws import row_cipher
from ordws.atomic_files import write_new
from ordws.errors import Missing, OrdwsError
from ordws.fairplay.flags import (
    BANDS,
    CATEGORIES,
    Flag,
    create_store,
    open_flags,
    open_store,
    player_id,
)
from ordws.fairplay.forms import DEFAULT_FORMS, HonestForms
from ordws.fairplay.looks import (
    Field,
    LookTerms,
    band_of,
    evidence,
    evidence_of,
    first_turns,
    look,
    look_at_all,
    measure_field,
)
from ordws.fairplay.milestones import FieldSize
from ordws.fairplay.store import FairPlayStore, SeatNumbers, TurnNumbers
from ordws.instance import Instance

NOW = 1_795_262_400
TERMS = LookTerms(DEFAULT_FORMS, FieldSize(200, 3).threshold, Field())
HELPED = TurnNumbers((-3_000,) * DEFAULT_FORMS.count, True, 1, 0, False, False, 9_000)
HONEST = HELPED._replace(is_best=False, likelihoods=(-1_500,) * DEFAULT_FORMS.count)


def seat(player, game, turns, *, forms=DEFAULT_FORMS.version, quits=False):
    return SeatNumbers(player, game, 0, NOW, forms, quits, quits, 0.8, turns)


@pytest.fixture
def instance(tmp_path):
    folder = Instance(tmp_path)
    folder.make_folders()
    folder.fairplay_key.write_bytes(os.urandom(32))
    return folder


@pytest.fixture
def store(instance):
    with closing(FairPlayStore.create(instance.fairplay, instance.fairplay_key.read_bytes())) as store:
        yield store


def keep_games(store, player, games, turns, **fields):
    for number in range(games):
        game = f"{player}-{number}"
        store.keep_game(game, NOW, [seat(player, game, turns, **fields)])


def test_a_helped_player_is_flagged_once_at_each_milestone(store, instance):
    """Looks must take the first turns of a milestone, raise each flag once, and nothing of the honest player."""
    keep_games(store, "club/ann", 10, (HELPED,) * 12)
    keep_games(store, "club/ben", 10, (HONEST,) * 12)
    (flag,) = look(store, "club/ann", TERMS, NOW)
    assert (flag.kind, flag.milestone, flag.games, flag.calibrated) == ("choices", 120, 10, False)
    assert flag.gain > flag.threshold == pytest.approx(11.7)
    assert look(store, "club/ann", TERMS, NOW) == look(store, "club/ben", TERMS, NOW) == []
    keep_games(store, "club/ann", 21, (HELPED,) * 12)
    assert [each.milestone for each in look(store, "club/ann", TERMS, NOW)] == [240]
    assert open_flags(instance) == [
        each._replace(number=number)
        for number, each in enumerate([flag, look_again(instance)._replace(milestone=240, games=20)], start=1)
    ]


def test_a_look_takes_eight_games_where_these_are_long(store, instance):
    """120 turns that come from six long games must not raise a flag; the look takes all of the first eight."""
    keep_games(store, "club/ann", 7, (HELPED,) * 20)
    assert look_at_all(store, DEFAULT_FORMS, TERMS.threshold, NOW) == 0
    assert evidence(instance, "club/ann", TERMS.threshold).counted == 140
    keep_games(store, "club/ann", 9, (HELPED,) * 20)
    (flag,) = look(store, "club/ann", TERMS, NOW)
    assert (flag.kind, flag.milestone, flag.games, flag.forms) == ("choices", 120, 8, DEFAULT_FORMS.version)
    seen = evidence(instance, "club/ann", TERMS.threshold)
    assert (seen.turns, seen.counted) == (180, 160)
    assert [(period.first_turn, period.last_turn) for period in seen.periods] == [(1, 160), (161, 180)]


def test_a_flag_is_counted_once_where_a_look_was_cut_short(store):
    """A process that was ended between two tests of a look must not count the first one's flag again."""
    keep_games(store, "club/ann", 10, (HELPED,) * 12)
    store.keep_look("club/ann", f"choices/{DEFAULT_FORMS.version}", 120, NOW, None)
    assert look(store, "club/ann", TERMS, NOW) == []
    assert store.has_looked("club/ann", f"quitting/{DEFAULT_FORMS.version}", 120)


def test_nobody_is_looked_at_more_often_than_the_threshold_was_set_for(store):
    """A threshold for three milestones must not be used at a fourth, where its error was not planned."""
    keep_games(store, "club/ann", 82, (HELPED,) * 12)
    assert look_at_all(store, DEFAULT_FORMS, TERMS.threshold, NOW) == 3
    assert [flag.milestone for flag in look(store, "club/ann", TERMS._replace(milestones=4), NOW)] == [960]


def look_again(instance):
    """Return the last flag that is kept."""
    return open_flags(instance)[-1]


def test_numbers_of_other_forms_are_not_counted(store):
    """After a calibration only games that were taken with the forms in force may count."""
    keep_games(store, "club/ann", 10, (HELPED,) * 12, forms="older")
    assert look(store, "club/ann", TERMS, NOW) == []
    with pytest.raises(Missing, match="forms in force"):
        evidence_of(store, "club/ann", TERMS)


def test_a_look_before_a_calibration_does_not_stand_for_one_after_it(store):
    """Whoever was looked at by uncalibrated forms must be looked at by those in force, over games since."""
    keep_games(store, "club/ann", 10, (HONEST,) * 12)
    assert look(store, "club/ann", TERMS, NOW) == []
    fitted = HonestForms(DEFAULT_FORMS.parameters, calibrated=True)
    for number in range(10):
        game = f"new-{number}"
        store.keep_game(game, NOW + 1, [seat("club/ann", game, (HELPED,) * 12, forms=fitted.version)])
    (flag,) = look(store, "club/ann", TERMS._replace(forms=fitted), NOW + 1)
    assert (flag.milestone, flag.games, flag.calibrated) == (120, 10, True)


def test_a_quitter_is_flagged_by_the_same_looks(store):
    """Half of twenty games left behind with time, in a field that leaves few, must raise the flag of quitting."""
    for number in range(20):
        game = f"g{number}"
        numbers = [seat("club/ann", game, (HONEST,) * 6, quits=number % 2 == 0), seat("club/ben", game, (HONEST,) * 6)]
        store.keep_game(game, NOW, [numbers[0], numbers[1]._replace(seat=1)])
    terms = TERMS._replace(field=Field(quitting_rate=0.02))
    assert [flag.kind for flag in look(store, "club/ann", terms, NOW)] == ["quitting"]
    assert measure_field(store.all_seats(), DEFAULT_FORMS).quitting_rate == 0.25


def test_games_left_before_the_first_play_count_as_left(store):
    """Whoever goes as soon as the other side has scored must not be spared for having made no play."""
    keep_games(store, "club/ann", 10, (HONEST,) * 12)
    for number in range(10):
        store.keep_game(f"gone-{number}", NOW - 1, [seat("club/ann", f"gone-{number}", (), quits=True)])
    terms = TERMS._replace(field=Field(quitting_rate=0.02))
    (flag,) = look(store, "club/ann", terms, NOW)
    assert (flag.kind, flag.games) == ("quitting", 20)
    assert [len(first_turns(store.seats_of("club/ann"), *part)) for part in ((60, 0), (120, 60))] == [15, 5]


def test_reviewers_see_bands_and_the_player_against_themselves(store, instance):
    """Evidence must be bands by category and period, counts and ids of games, and nothing else."""
    keep_games(store, "club/ann", 10, (HONEST,) * 12)
    for number in range(10, 21):
        store.keep_game(f"late-{number}", NOW + 1, [seat("club/ann", f"late-{number}", (HELPED,) * 12)])
    seen = evidence(instance, "club/ann", TERMS.threshold)
    assert (seen.player, seen.turns, len(seen.games), seen.calibrated) == ("club/ann", 252, 21, False)
    assert set(seen.bands) == set(CATEGORIES)
    assert all(0 <= band < len(BANDS) for period in seen.periods for band in period.bands.values())
    assert [(period.first_turn, period.last_turn) for period in seen.periods] == [(1, 120), (121, 240), (241, 252)]
    assert [BANDS[period.bands["choices"]] for period in seen.periods[:2]] == ["none", "overwhelming"]
    # Of a larger field the same gain is less than what its flags want.
    season = evidence(instance, "club/ann", 10_000.0)
    assert [BANDS[period.bands["choices"]] for period in season.periods[:2]] == ["none", "strong"]


def test_turns_are_cut_at_a_milestone(store):
    """The first turns of a milestone must be just so many, in the order of the games."""
    seats = [seat("p", f"g{number}", (HONEST._replace(milliseconds=number),) * 5) for number in range(4)]
    assert [len(each.turns) for each in first_turns(seats, 12)] == [5, 5, 2]
    assert [len(each.turns) for each in first_turns(seats, 18, 7)] == [3, 5, 3]
    assert [band_of(gain, 11.7) for gain in (0.9, 1, 4, 8, 11.7)] == [0, 1, 2, 3, 4]


def test_a_game_is_kept_once_and_forgotten_after_400_days(store):
    """Keeping again must replace; the sweep must leave nothing of old games, looks and flags."""
    keep_games(store, "club/ann", 10, (HELPED,) * 12)
    keep_games(store, "club/ann", 10, (HELPED,) * 12)
    assert (store.game_count(), len(store.seats_of("club/ann"))) == (10, 10)
    look(store, "club/ann", TERMS, NOW)
    test = f"choices/{DEFAULT_FORMS.version}"
    assert store.has_looked("club/ann", test, 120)
    assert store.sweep(NOW + 400 * 86_400 - 1) == 0
    # Of ten games a row for the game and one for its seat, the milestones that were looked at, and the flag.
    assert store.sweep(NOW + 400 * 86_400) > 20
    assert (store.all_seats(), store.flags(), store.game_count()) == ([], [], 0)
    assert not store.has_looked("club/ann", test, 120)
    store.keep_look("club/ben", "choices", 120, NOW, Flag(0, "club/ben", "choices", 120, 9, 12.0, 11.7, False, {}, NOW))
    assert [number for number, *_ in store.flags()] == [2]


def test_the_size_of_the_field_is_remembered(instance, store):
    """The last size must be found again."""
    assert store.field() is None
    store.keep_field(FieldSize(1_000, 5))
    store.keep_field(FieldSize(2_000, 4))
    with closing(open_store(instance)) as other:
        assert other.field() == FieldSize(2_000, 4)


def test_two_processes_that_begin_at_once_have_one_key(tmp_path, monkeypatch):
    """The key that another process has just made must be used: numbers under a lost one would open no more."""
    instance = Instance(tmp_path / "inst")
    instance.make_folders()

    def write_second(path, data, mode):
        path.write_bytes(bytes(32))
        write_new(path, data, mode)

    monkeypatch.setattr(row_cipher, "write_new", write_second)
    create_store(instance).close()
    assert instance.fairplay_key.read_bytes() == bytes(32)
    with closing(open_store(instance)) as store:
        assert store.all_seats() == []


def test_flags_need_the_file_and_its_key(instance, store):
    """Without the file or its key nothing may open, and the error must say what to do."""
    assert player_id("7", None) == "7"
    assert player_id("7", "ann") == "7/ann"
    store.keep_look("7", "choices", 120, NOW, Flag(0, "7", "choices", 120, 9, 12.0, 11.7, False, {}, NOW))
    assert open_flags(instance)[0].number == 1
    instance.fairplay_key.write_bytes(os.urandom(32))
    with pytest.raises(OrdwsError, match="does not open"):
        open_flags(instance)
    instance.fairplay_key.unlink()
    with pytest.raises(Missing, match="no key"):
        open_store(instance)
    instance.fairplay.unlink()
    with pytest.raises(Missing, match="no numbers"):
        open_flags(instance)
