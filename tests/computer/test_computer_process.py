"""Tests of the program's process at a running service: what it can reach, and what its end at any point does."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from random import Random

import pytest
from practice_player import ForkedProgram, PracticeGame
from processes import children, command_line
from sealed_game import COMMON_WORDS, install_edition
from service_process import ORDWS_COMMAND, ServiceProcess
from small_installation import build_installation

from ordws.api.practice_register import write_credential
from ordws.computer.choose import choose
from ordws.computer.process import body_of, read_view
from ordws.computer.words import PublicWords, Strength
from ordws.instance import Instance
from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg
from ordws.web.serving import create_app

WORDS = PublicWords(COMMON_WORDS, COMMON_WORDS)
SHORT = {"scoop": "78"}
"""A game of fewer tiles."""


@pytest.fixture(scope="module")
def installation(tmp_path_factory):
    """Yield an installation whose public lists are common words."""
    with build_installation(tmp_path_factory.mktemp("practice") / "instance") as installation:
        install_edition(installation, ["ZAX"], number=2, core=COMMON_WORDS, reference=COMMON_WORDS)
        installation.instance.settings.write_text("[practice]\ngames = 200\ngames_an_address = 200\n", "utf-8")
        yield installation


def serve(installation, folder, computer):
    """Start a service, with the program or without."""
    options = ("--bind", "127.0.0.1:0", "--workers", "2", "--metrics", "off", "--stream", "off")
    command = [*ORDWS_COMMAND, "serve", *options, "--computer", computer, "--instance", installation.instance.root]
    return ServiceProcess(folder, installation.key, command)


@pytest.fixture(scope="module")
def service(installation, tmp_path_factory):
    """Yield a service that starts no program itself."""
    service = serve(installation, tmp_path_factory.mktemp("service"), "off")
    yield service
    service.stop()


def check(game, turns):
    """Assert that a finished game has each turn once and in its order, and that its record replays exactly."""
    assert [turn["happened"]["turn"] for turn in turns] == [*range(3, 3 + len(turns))]  # after two that took the seats
    audited = audit_record(read_gcg(game.record()))
    assert audited.is_exact, audited.findings
    scores = [seat["score"] for seat in game.standing()["seats"]]
    assert list(audited.totals.values()) == scores


def test_the_process_needs_its_credential_and_public_lists_alone(installation, service, tmp_path):
    """The program plays and reviews a game from a folder without an edition, any other key, or a database."""
    bare = Instance(tmp_path / "bare")
    bare.keys.mkdir(parents=True)
    shutil.copy(installation.instance.computer_key, bare.computer_key)
    shutil.copytree(installation.instance.public, bare.public)
    bare.computer_notices.parent.symlink_to(installation.instance.computer_notices.parent)
    options = ["--service", f"http://127.0.0.1:{service.port}", "--metrics", "off", "--instance", bare.root]
    program = subprocess.Popen([sys.executable, *ORDWS_COMMAND, "computer", *options], stderr=subprocess.PIPE)
    try:
        game = PracticeGame(service, WORDS, rules="classic", options=SHORT, strength="easy")
        turns = game.play_out()
        check(game, turns)
        review = game.review()
    finally:
        program.terminate()
        assert program.communicate()[1].count(b"\n") == 1  # where it plays, and no fault
    played = {turn["happened"]["turn"] for turn in turns if turn["happened"]["outcome"] in ("laid", "exchanged")}
    assert {each["turn"] for each in review} == played
    assert all(each["best"] for each in review)
    # The tiles are dealt by chance, so that a game may have no turn that lost nothing, or none that lost something.
    assert all(each["lost"] >= 0.0 for each in review)
    assert {each["lost"] for each in review if each["move"] == each["best"][0]["move"]} <= {0.0}


def test_serve_starts_the_program_again(installation, tmp_path):
    """`ordws serve` starts the program beside itself, and again when it is killed; the game goes on."""
    service = serve(installation, tmp_path, "on")
    game = PracticeGame(service, WORDS, rules="classic", options=SHORT, first="other")
    game.wait()
    os.kill(_program_of(service), signal.SIGKILL)
    check(game, game.play_out())
    assert "the computer process ended with status -9, and is started again" in service.output()
    service.stop()


def test_a_board_of_a_club_s_own_size_is_played(installation, service):
    """The program plays on a board of any size that the rules allow, where it would pass if it could not choose."""
    program = ForkedProgram(service, installation.instance)
    try:
        layout = {"layout": ["'" * 17] * 17}
        game = PracticeGame(service, WORDS, rules="classic", options=layout, first="other", strength="club")
        assert game.wait()["last"]["move"] != "-"
    finally:
        program.kill()


@pytest.mark.parametrize("games", [1, pytest.param(100, marks=pytest.mark.long)])
def test_a_kill_at_any_point_loses_and_doubles_no_turn(games, installation, service):
    """While the program is killed and started again at random moments, each of its turns is made, and made once."""
    rng, has_ended = Random(games), threading.Event()
    kills, running = [], []

    def kill_again_and_again():
        seconds, turn = 0.1, None
        while not has_ended.is_set():
            program = ForkedProgram(service, installation.instance)
            has_ended.wait(rng.uniform(0.0, seconds))
            program.kill()
            kills.append(program.pid)
            # On a busy machine a program that is killed too soon would never come to a turn.
            before, turn = turn, (len(running), running[-1].turn if running else 0)
            seconds = 0.1 if turn != before else 1.5 * seconds

    killer = threading.Thread(target=kill_again_and_again)
    killer.start()
    try:
        for _ in range(games):
            running.append(PracticeGame(service, WORDS, rules="classic", options=SHORT, strength="club"))
            check(running[-1], running[-1].play_out())
    finally:
        has_ended.set()
        killer.join()
    assert len(kills) > games


def _program_of(service):
    (found,) = [pid for pid in children(service.process.pid) if b"\0computer\0" in command_line(pid)]
    return found


def play_by_edition(folder, words):
    """Return the turns of a game between the program and a person who chooses as it does, under an edition of words."""
    with build_installation(folder / "instance") as installation:
        install_edition(installation, words, number=2, core=COMMON_WORDS, reference=COMMON_WORDS)
        services = installation.services()
        services.games.chance, services.games.new_id = Random(7), lambda: 32 * "a"
        http = create_app(services, log=lambda line: None).test_client()
        credential = {"credential": write_credential(installation.instance.computer_key.read_bytes())}
        http.post("/v1/practice/due", json=credential)
        asked = {"first": "me", "rules": "scrabble-o", "options": SHORT}
        assert http.post("/v1/practice", json=asked, headers={"Origin": "http://localhost"}).status_code == 201
        path = f"/v1/games/{32 * 'a'}"
        while (standing := http.get(path).json)["phase"] != "over":
            due = http.post("/v1/practice/due", json=credential).json["turns"]
            turn, headers = {"standing": standing, "came_off": []}, {}
            if due:
                (turn,) = due
                headers = {"Cookie": f"ordws_seat={turn['cookie']}"}
            choice = choose(read_view(turn), WORDS, Strength.CLUB, "seed")
            body = {"turn": turn["standing"]["turn"], **body_of(choice)}
            browser = http.application.test_client(use_cookies=False) if due else http
            assert browser.post(f"{path}/turns", json=body, headers=headers).status_code == 200
        return [each["happened"] for each in http.get(f"{path}/turns").json["turns"]]


def test_the_word_set_decides_nothing(tmp_path):
    """The same seed gives the same game, move for move and verdict for verdict, whatever the edition's words are."""
    games = [play_by_edition(tmp_path / name, words) for name, words in (("a", ["ZAX"]), ("b", COMMON_WORDS))]
    assert games[0] == games[1]
    assert len(games[0]) > 8
