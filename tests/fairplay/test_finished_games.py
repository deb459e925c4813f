"""Finished sealed games become numbers: by the real service, in files that name no word (docs/fairplay.md 4)."""

from __future__ import annotations

import json
import logging
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing, suppress
from itertools import permutations
from pathlib import Path

import pytest
from click.testing import CliRunner
from leaks import find_leaks, scan_folder
from sealed_game import COMMON_WORDS, NOON, SealedGame, install_edition, new_service_sender, play_out
from small_installation import write_edition

from ordws.cli import fairplay_commands
from ordws.fairplay.flags import create_store, open_flags, open_store
from ordws.fairplay.forms import DEFAULT_FORMS
from ordws.fairplay.lexicons import Lexicons
from ordws.fairplay.process import FairPlay, open_queue
from ordws.fairplay.turns import MOST_PLAYS, ChosenPlay, RarityLists, TurnReader, turns_taken
from ordws.instance import Instance
from ordws.movegen.graph import Graph
from ordws.referee.sealed_game import SubmissionOutcome
from ordws.rules.board import Axis, board_from_rows, empty_board
from ordws.rules.move import Play
from ordws.rules.ruleset import CLASSIC, SCRABBLE_I_CLASSIC

GAMES = (("classic", 2, {}), ("scrabble-o", 2, {}), ("classic", 2, {"challenge": "void"}))
LONG_WORDS = [word for word in COMMON_WORDS if len(word) > 5]


class Played:
    """Games that were played over a service, and the process that takes them."""

    def __init__(self, installation):
        self.installation, self.instance = installation, installation.instance
        install_edition(installation, COMMON_WORDS, number=2, core=COMMON_WORDS[::2], reference=COMMON_WORDS)
        self.services = installation.services()
        club = installation.register.add("club", "operator", NOON - 40 * 86_400)
        send = new_service_sender(self.services, club)
        rng = random.Random(21)
        self.services.games.chance = random.Random(22)
        self.games = []
        for number, (rules, players, options) in enumerate(GAMES):
            names = " ".join(f"{name}-{number}" for name in ("ann", "ben", "cleo"))
            game = SealedGame(send, rules, players, names, options=options)
            play_out(game, rng)
            self.games.append(game.opened["game"])
        self.store = create_store(self.instance)

    def process(self, threshold=11.7):
        queue = open_queue(self.instance, None)
        return FairPlay(queue, Lexicons(self.instance), self.store, DEFAULT_FORMS, threshold)


@pytest.fixture(scope="module")
def played(shared_installation):
    return Played(shared_installation)


@pytest.fixture(scope="module")
def taken(played):
    return played.process().take_games(NOON + 60)


def test_every_finished_game_is_taken_once(played, taken):
    """A second process over the same files must find nothing left to do."""
    assert taken == (len(GAMES), 0, 0, 0)
    before = played.store.all_seats()
    assert played.process().take_games(NOON + 120) == (0, 0, 0, 0)
    assert played.store.all_seats() == before
    assert len(before) == sum(players for _, players, _ in GAMES)


def test_the_numbers_are_those_of_the_plays(played, taken):
    """Best plays, bands, rejections and times must be those that the rows of the games show."""
    for id in played.games:
        sealed_game = played.services.games.find_by_id(id, NOON)
        rows = [(seat, turn, outcome.value) for seat, turn, outcome in turns_taken(sealed_game)]
        kept = {seat.seat: seat for seat in played.store.all_seats() if seat.game == id}
        rejected = [outcome in ("rejected", "unacceptable") for _, _, outcome in rows]
        laid_badly = sum(turn.is_rejected for seat in kept.values() for turn in seat.turns) - sum(rejected)
        assert 0 <= laid_badly <= sum(outcome == "laid" for *_, outcome in rows)
        for seat in kept.values():
            assert {len(turn.likelihoods) for turn in seat.turns} == {DEFAULT_FORMS.count}
            for turn in seat.turns:
                assert turn.is_rejected or max(turn.likelihoods) <= 0
                assert turn.is_borderline == (turn.band > 0)
                assert not turn.is_best or turn.tied_bests > 0
        assert sum(turn.is_best for seat in kept.values() for turn in seat.turns) > len(rows) // 3


def test_a_play_far_behind_the_best_has_the_band_of_its_own_words():
    """A play behind those that are looked at must be as likely as at random, and in its own band."""
    words = ["".join(letters) for letters in permutations("AEIQXZJ", 3)]
    reader = TurnReader(DEFAULT_FORMS, Graph.from_words(words), RarityLists(core={"AEI"}, reference=()))
    play = Play(7, 7, Axis.ACROSS, b"AEI")
    chosen = ChosenPlay(CLASSIC, empty_board(15), "AEIQXZJ", play, ())
    ranked, made, _ = reader.rank(chosen)
    assert made > len(ranked.scores) == MOST_PLAYS
    numbers = reader.read(chosen, SubmissionOutcome.LAID)
    assert (numbers.band, numbers.is_borderline, numbers.is_best) == (0, False, False)
    likely = [form for form, value in enumerate(numbers.likelihoods) if value > -25_000]
    assert likely == [DEFAULT_FORMS.knowers]


@pytest.mark.parametrize(("blanks", "rack"), [(9, "EEIQXZJ"), (2, "EEIQ???"), (3, "EEIQXZ?")])
def test_a_position_with_more_swaps_or_blanks_than_anybody_weighs_up_is_left_out(blanks, rack):
    """A player who lays many blanks keeps the program busy with no game, and is charged with no turn."""
    board = board_from_rows([(blanks * "e").ljust(15, "."), *(14 * [15 * "."])])
    reader = TurnReader(DEFAULT_FORMS, Graph.from_words(["QIE", "JEE"]), RarityLists(core=(), reference=()))
    chosen = ChosenPlay(SCRABBLE_I_CLASSIC, board, rack, Play(7, 7, Axis.ACROSS, b"QIE"), ())
    assert reader.read(chosen, SubmissionOutcome.LAID) is None


class Damage:
    """Copies of the files of an installation, which a test damages, and a store of numbers that is empty."""

    def __init__(self, root, instance):
        shutil.copytree(instance.root, root)
        self.instance = Instance(root)
        self.instance.fairplay.unlink()
        self.store = create_store(self.instance)

    def process(self):
        return FairPlay(open_queue(self.instance, None), Lexicons(self.instance), self.store, DEFAULT_FORMS, 11.7)

    def change(self, path, statement, *values):
        """Change a database, and return the rows that were there."""
        with closing(sqlite3.connect(path)) as connection, connection:
            return connection.execute(statement, values).fetchall()


@pytest.fixture
def damage(played, taken, tmp_path):
    damage = Damage(tmp_path / "inst", played.instance)
    yield damage
    damage.store.close()


def test_a_game_whose_rows_are_gone_is_counted_and_not_asked_for_again(damage):
    """A result without rows must not stop the process, nor come again."""
    damage.change(damage.instance.games, "delete from turns")
    process = damage.process()
    assert process.take_games(NOON + 180) == (len(GAMES), len(GAMES), 0, 0)
    assert process.take_games(NOON + 240) == (0, 0, 0, 0)
    assert damage.store.all_seats() == []


@pytest.mark.parametrize("part", ["rows", "result"])
def test_a_game_that_cannot_be_read_is_put_aside_until_it_can(damage, played, part, caplog):
    """One damaged game must be named once, hold up no other, and be taken when it can be read again."""
    id = played.games[0]
    path, table, column = {
        "rows": (damage.instance.games, "turns", "row"),
        "result": (damage.instance.results, "results", "result"),
    }[part]
    damage.change(path, f"update {table} set {column} = zeroblob(40) where game = ?", id)
    process = damage.process()
    assert process.take_games(NOON + 180) == (len(GAMES) - 1, 0, 0, 1)
    assert process.take_games(NOON + 240) == (0, 0, 0, 1)
    (named,) = [record.getMessage() for record in caplog.records if id in record.getMessage()]
    assert named.startswith(f"game {id} is put aside until it can be read: ")
    assert find_leaks(named.encode(), LONG_WORDS) == set()


def test_games_of_an_edition_that_does_not_open_are_put_aside_until_it_does(damage, played, caplog):
    """Games of a damaged edition must not be given up: when it is whole again they are taken."""
    write_edition(damage.instance, played.installation.keyring, COMMON_WORDS, 3, (), ())
    process = damage.process()
    sealed = damage.instance.editions / "0002" / "ordws.sealed"
    whole = sealed.read_bytes()
    sealed.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert process.take_games(NOON + 180) == (0, 0, 0, len(GAMES))
    named = [record.getMessage() for record in caplog.records if "is put aside" in record.getMessage()]
    assert sorted(named) == [
        f"game {id} is put aside until it can be read: edition 2 does not open" for id in sorted(played.games)
    ]
    sealed.write_bytes(whole)
    assert process.take_games(NOON + 240) == (len(GAMES), 0, 0, 0)
    assert damage.store.all_seats() == played.store.all_seats()


def test_no_word_is_written_or_logged(played, taken, caplog, tmp_path):
    """Neither files, nor logs, nor the report may hold a word of the games; a planted one must be found."""
    caplog.set_level(logging.DEBUG)
    runner = CliRunner()
    folder = ["--instance", str(played.instance.root)]
    ran = runner.invoke(fairplay_commands.report, folder)
    as_json = runner.invoke(fairplay_commands.report, [*folder, "--json"])
    assert (ran.exit_code, as_json.exit_code) == (0, 0), ran.output + as_json.output
    (tmp_path / "fairplay.db").write_bytes(played.instance.fairplay.read_bytes())
    with closing(open_store(played.instance)) as store:
        numbers = json.dumps(store.all_seats())
    (tmp_path / "numbers").write_text(numbers)
    (tmp_path / "output").write_text(ran.output + as_json.output + caplog.text)
    assert scan_folder(tmp_path, LONG_WORDS) == {}
    planted = LONG_WORDS[0]
    (tmp_path / "planted").write_text(json.dumps([planted.lower(), 1, 2]))
    assert scan_folder(tmp_path, LONG_WORDS) == {"planted": {planted}}


def test_the_report_says_uncalibrated_in_every_line(played, taken):
    """Nobody may be accused by forms that were not refitted, and the report must say so wherever one looks."""
    output = CliRunner().invoke(fairplay_commands.report, ["--instance", str(played.instance.root)]).output
    assert len(output.splitlines()) > 5
    assert all(line.startswith("uncalibrated: ") for line in output.splitlines())
    report = json.loads(
        CliRunner().invoke(fairplay_commands.report, ["--instance", str(played.instance.root), "--json"]).output
    )
    assert (report["calibrated"], report["games"], report["flags"]) == (False, len(GAMES), [])


def test_the_process_runs_alone_until_it_is_ended(played, taken):
    """A real process must find nothing left, listen nowhere, be idle and closed to others, and end on SIGTERM."""
    program = [sys.executable, "-c", "from ordws.cli import main; main()"]
    command = [*program, "fairplay", "run", "--instance", str(played.instance.root)]
    once = subprocess.run(
        [*command, "--once", "--players", "1000"], capture_output=True, text=True, check=True, timeout=300
    )
    assert once.stdout == "ordws: uncalibrated: nobody may be accused: 0 games taken, 0 of them gone, 0 flags raised\n"
    with (
        subprocess.Popen([*command, "--every", "1"], stderr=subprocess.PIPE, text=True) as process,
        ExitStack() as ending,
    ):
        ending.callback(process.kill)  # or a test that fails waits for it for ever
        assert "fair play is running, uncalibrated" in process.stderr.readline()
        status = Path(f"/proc/{process.pid}")
        schedulers = []
        for each in status.joinpath("task").iterdir():
            with suppress(ProcessLookupError):  # a thread that has ended meanwhile
                schedulers.append(os.sched_getscheduler(int(each.name)))
        assert {*schedulers} == {os.SCHED_IDLE}
        # Of an undumpable process not even the descriptors can be listed by others of the same user; root can.
        opened = []
        for each in status.joinpath("fd").iterdir() if os.geteuid() == 0 else ():
            with suppress(FileNotFoundError):  # closed meanwhile
                opened.append(str(each.readlink()))
        assert not any(each.startswith("socket:") for each in opened)
        process.terminate()
        assert process.wait(300) == 0
    # The second process was not told the size of the field, nor is the report: both have it from the first.
    report = json.loads(CliRunner().invoke(fairplay_commands.report, [*command[-2:], "--json"]).output)
    assert (report["field"], report["threshold"]) == ({"players": 1_000, "milestones": 3}, 13.3)
    other = CliRunner().invoke(fairplay_commands.report, [*command[-2:], "--json", "--milestones", "5"]).output
    assert json.loads(other)["field"] == {"players": 1_000, "milestones": 5}


def test_players_are_named_in_no_column(played, taken):
    """The file must hold players and games as keyed digests alone."""
    data = played.instance.fairplay.read_bytes()
    for seat in played.store.all_seats():
        assert seat.game.encode() not in data
        assert seat.player.encode() not in data
    assert open_flags(played.instance) == []
