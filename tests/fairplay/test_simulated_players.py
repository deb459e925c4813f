"""Simulated players: the short form of C3 and C4, and what makes it repeatable (docs/fairplay.md 6)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from ordws.atomic_files import write_atomically
from ordws.cli import fairplay_commands
from ordws.errors import BadInput
from ordws.fairplay.calibration import ChoiceInPerson, calibrate
from ordws.fairplay.flags import create_store, read_false_flags
from ordws.fairplay.forms import DEFAULT_FORMS, FormParameters, HonestForms, RankedPlays, read_forms, write_forms
from ordws.fairplay.population import Cheat, Population
from ordws.fairplay.positions import Positions, collect, rank_plays
from ordws.fairplay.recorded_games import read_game, shipped_lines
from ordws.fairplay.simulation import SEED, Simulator, plan, upper_bound
from ordws.instance import Instance
from ordws.movegen.graph import Graph

POSITIONS = Path(__file__).parent.parent / "vectors" / "fairplay" / f"positions-150-{SEED}.npz"
ARGUMENTS = ["--positions", "150", "--honest", "125", "--cheats", "12", "--good-guessers", "125"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with positions that `ordws fairplay simulate` ranked, which takes it longer than the rest."""
    folder = tmp_path_factory.mktemp("simulation")
    shutil.copy(POSITIONS, folder / POSITIONS.name)
    return folder


@pytest.fixture(scope="module")
def figures(folder):
    done = CliRunner().invoke(
        fairplay_commands.simulate, [*ARGUMENTS, "--folder", str(folder), "--json"], standalone_mode=False
    )
    # A hundred honest players cannot show the goal of C3, and cannot miss it either.
    assert done.return_value == 0, done.output
    figures = json.loads(done.stdout)
    assert {figure["holds"] for figure in figures if figure["goal"] == "<= 0.00002"} == {None}
    return figures


def value(figures, text):
    (found,) = [figure["value"] for figure in figures if text in figure["figure"]]
    return found


def test_nobody_honest_is_flagged_and_cheats_are(figures):
    """The short form of C3 and C4: no false flag, help on every turn always found, on every third mostly."""
    counted = [figure["figure"] for figure in figures if "in use" in figure["figure"]]
    assert len(counted) == 3
    assert all(", 0 of 125 honest players" in text for text in counted)
    assert any("of whose many doubtful words 95% are acceptable" in text for text in counted)
    assert value(figures, "largest gain of an honest") < 11.7
    for strength, least in (("weak", 0.9), ("middle", 0.6), ("strong", 0.3)):
        assert value(figures, f"always best, {strength} player, 120") == 1
        assert value(figures, f"every third turn, {strength} player, 240") >= least
        assert value(figures, f"every third turn, {strength} player, 480") >= 0.85
    assert {figure["id"] for figure in figures} == {"C3", "C4"}


def test_a_simulation_goes_on_where_it_was_stopped(figures, folder):
    """A cut-off line must be done again, and come out the same as the first time."""
    results = folder / "results.jsonl"
    whole = results.read_text("utf-8")
    lines = whole.splitlines()
    results.write_text("\n".join(lines[:-2]) + "\n" + lines[-2][:20], "utf-8")
    done = CliRunner().invoke(
        fairplay_commands.simulate,
        [*ARGUMENTS, "--folder", str(folder), "--json", "--processes", "2"],
        standalone_mode=False,
    )
    assert json.loads(done.stdout) == figures
    # Two processes may be done in another order.
    assert sorted(results.read_text("utf-8").splitlines()) == sorted(lines)
    other = CliRunner().invoke(fairplay_commands.simulate, [*ARGUMENTS, "--folder", str(folder), "--seed", "7"])
    assert isinstance(other.exception, BadInput)


class Reports:
    """The report of an installation without games, in lines and as an object."""

    def __init__(self, root):
        self.instance = Instance(root)
        self.instance.make_folders()
        create_store(self.instance).close()

    def put_into_force(self, forms):
        write_atomically(self.instance.fairplay_forms, write_forms(forms).encode())

    def lines(self, *options):
        done = CliRunner().invoke(fairplay_commands.report, ["--instance", str(self.instance.root), *options])
        assert done.exit_code == 0, done.output
        return done.output

    def object(self, *options):
        return json.loads(self.lines("--json", *options))


def test_the_report_has_the_bound_of_the_forms_in_force_and_of_no_others(folder, tmp_path):
    """After a calibration the old bound must be gone, and the reason be said, until the new forms were simulated."""
    reports = Reports(tmp_path / "inst")
    shipped = {"threshold": 11.7, "flagged": 0, "players": 300_000, "bound": 9.99e-06, "turns": 480}
    assert reports.object()["false_flags"] == shipped
    assert "within 480 turns; the 95 % bound is 1 in 100,100" in reports.lines()
    assert "no false flags were simulated at a threshold as low as 5.99 nats" in reports.lines(
        "--players", "2", "--milestones", "1"
    )
    reports.put_into_force(HonestForms(FormParameters(slip=0.03), calibrated=True))
    found = reports.object()
    assert found["false_flags"] is None
    assert "no bound of other forms holds for them" in found["false_flags_missing"]
    assert f"calibrated: {found['false_flags_missing']}" in reports.lines().splitlines()
    assert "95 %" not in reports.lines()
    shutil.copy(POSITIONS, tmp_path / POSITIONS.name)
    simulation = ["--positions", "150", "--honest", "125", "--cheats", "0", "--folder", str(tmp_path), "--in-force"]
    done = CliRunner().invoke(
        fairplay_commands.simulate, [*simulation, "--instance", str(reports.instance.root)], standalone_mode=False
    )
    assert "of 125 honest players" in done.output
    found = reports.object()
    assert (found["false_flags"]["players"], found["false_flags_missing"]) == (125, None)
    assert found["false_flags"]["bound"] == pytest.approx(upper_bound(found["false_flags"]["flagged"], 125), rel=1e-2)
    reports.put_into_force(HonestForms(FormParameters(slip=0.04), calibrated=True))
    assert reports.object()["false_flags"] is None
    reports.instance.fairplay_false_flags.write_text("{}")
    with pytest.raises(BadInput, match="has no counts of false flags"):
        read_false_flags(reports.instance.fairplay_false_flags)


def random_positions(count, plays):
    rng = np.random.default_rng(3)
    rows = [
        [
            tuple(map(int, row))
            for row in zip(*(rng.integers(*each, plays) for each in ((5, 60), (0, 6), (1, 8))), strict=True)
        ]
        for _ in range(count)
    ]
    return collect(rows)


@pytest.fixture(scope="module")
def positions():
    return random_positions(120, 12)


def test_positions_are_numbers_that_come_back(positions, tmp_path):
    """A file of positions must come back as it was written, and any other be refused."""
    positions.save(tmp_path / "positions.npz")
    again = Positions.load(tmp_path / "positions.npz")
    assert all((a == b).all() for a, b in zip(again.plays, positions.plays, strict=True))
    (tmp_path / "other").write_bytes(b"no")
    with pytest.raises(BadInput, match="has no positions"):
        Positions.load(tmp_path / "other")
    with pytest.raises(BadInput, match="leaves a choice"):
        collect([[(1, 0, 1)]])


def test_a_batch_follows_from_its_seed(positions):
    """A batch must not depend on the ones before it, so that processes may share them out."""
    task = plan(50, 10)[1]
    simulators = [Simulator(positions, DEFAULT_FORMS) for _ in range(2)]
    simulators[0].run(plan(50, 10)[0])
    assert simulators[0].run(task) == simulators[1].run(task) != simulators[0].run(task, seed=8)._replace(task=None)
    assert sum(each.players for each in plan(2_500, 10)) == 2_500 + 15 * 10


def test_cheats_do_what_they_are_named_for(positions):
    """The program's turns must be best plays; those who look words up must never be rejected."""
    population, rng = Population(positions), np.random.default_rng(1)
    players = population.players_of("weak", 60, 60, rng)
    engine = positions.plays.engine > 0
    best = {}
    for cheat in Cheat:
        plays = population.play(players, cheat, rng)
        best[cheat] = (engine[np.maximum(plays, 0)] & (plays >= 0)).mean(axis=0)
        assert (plays < 0).any() == (cheat not in (Cheat.CHECKS, Cheat.ALWAYS))
    assert best[Cheat.ALWAYS].min() == 1
    assert best[Cheat.THIRD][::3].min() == 1 > best[Cheat.THIRD][1::3].max()
    assert best[Cheat.TENTH][::10].min() == 1
    assert best[Cheat.NEVER].mean() < 0.5


@pytest.mark.long
def test_calibration_finds_other_people(positions):
    """Forms must move towards the people of the records, explain them better, and leave nobody above the ceiling."""
    population, rng = Population(positions), np.random.default_rng(2)
    people = population.players_of("strong", 10, 110, rng)
    made = population.play(people, Cheat.NEVER, rng)
    starts = positions.plays.starts
    choices = []
    for player, turns in enumerate(made):
        for play in turns[turns >= 0]:
            at = int(np.searchsorted(starts, play, side="right")) - 1
            inside = slice(starts[at], starts[at + 1])
            fields = [each[inside] for each in positions.plays[1:]]
            choices.append(
                ChoiceInPerson(
                    f"p{player}", RankedPlays(np.array([0, len(fields[0])]), *fields), int(play - starts[at])
                )
            )
    poor = HonestForms(FormParameters(tiles=(-0.25, 0.1, 1.5, 2.5)), calibrated=False)
    fitted = calibrate(choices, poor)
    assert fitted.after > fitted.before
    assert fitted.forms.calibrated
    assert fitted.forms.parameters.tiles[2] < 1.5
    with pytest.raises(BadInput, match="too few"):
        calibrate(choices[:500], poor)


def test_forms_come_back_from_their_file(tmp_path):
    """Fitted forms must be read as they were written; without a file the uncalibrated ones hold."""
    path = tmp_path / "forms.json"
    assert read_forms(path) == DEFAULT_FORMS
    fitted = HonestForms(FormParameters(slip=0.03), calibrated=True)
    path.write_text(write_forms(fitted))
    assert read_forms(path) == fitted
    assert fitted.version != DEFAULT_FORMS.version == read_forms(tmp_path / "none").version
    path.write_text("{}")
    with pytest.raises(BadInput, match="has no honest forms"):
        read_forms(path)


def test_the_plays_of_a_recorded_turn_become_numbers():
    """Plays must be ranked by score, with the tier of their rarest word and the number of their tiles."""
    turn = read_game(shipped_lines()[0]).turns[0]
    word = turn.words[0]
    plays = rank_plays(turn, Graph.from_words([word, "AA"]), {word: 5}, 50)
    assert {tier for _, tier, tiles in plays if tiles == len(word)} == {4}
    assert [score for score, *_ in plays] == sorted([score for score, *_ in plays], reverse=True)
