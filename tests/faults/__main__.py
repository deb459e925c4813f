"""The commands `python -m tests.faults kill --times 50` and `python -m tests.faults play --times 200`.

The first kills workers, Redis and the whole host under load. The second plays games on line through faults, and
compares the clocks of players near and far; it leaves play-faults.json.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "faults")]
_OFFLINE_SECONDS = 30
_TABLES = 10
_TURNS = 13
_THINKING_MS = 500


def kill(times: int) -> None:
    """Kill each kind of process so often, and print what stood."""
    from kill_runs import kill_host, kill_redis, kill_workers

    for number, kill in enumerate((kill_workers, kill_redis, kill_host)):
        with tempfile.TemporaryDirectory() as folder:
            done = kill(Path(folder) / f"installation-{number}", times, keyed=True)
        typical, longest = done.back_seconds
        sys.stdout.write(
            f"{done.what}, killed {done.kills} times: {done.answers} answers and {done.turns} turns stand, {done.lost}"
            f" answers were lost and had again, {done.restarts} restarts, back after {typical:.2f} s, at most"
            f" {longest:.2f} s\n"
        )
        sys.stdout.flush()


def play(times: int) -> None:
    """Play so many games on line with a fault in each, then one at three distances, and record the figures."""
    from play_runs import open_hall, run_clocks, run_faults

    from tests.benchmarks.figure import Figure, format_table, write_json

    with tempfile.TemporaryDirectory() as folder, open_hall(Path(folder)) as hall:
        clocks = run_clocks(hall, _TURNS, _THINKING_MS)
        done = run_faults(hall, times, _OFFLINE_SECONDS, tables=_TABLES)
    what = f"turns lost or doubled of {done.turns}, in {done.rounds} games with a fault in each"
    figures = [
        Figure("B4", what, done.astray, "", "== 0"),
        Figure("B4", "moves that had to be sent again", done.sent_again, ""),
    ]
    for fault, (typical, longest) in done.back_seconds.items():
        what = f"{fault}: to the player's next turn, median (at most {longest:.1f} s)"
        figures.append(Figure("B4", what, round(typical, 2), "s"))
    what = "between clocks at 20, 150 and 400 ms round trip, a turn"
    figures.append(Figure("B5", what, round(clocks.spread, 3), "s", "<= 0.3"))
    for trip, over in clocks.over_seconds.items():
        what = f"a clock beyond the thinking, at {round(trip * 1_000)} ms round trip, a turn"
        figures.append(Figure("B5", what, round(over, 3), "s"))
    write_json(figures, Path("play-faults.json"))
    sys.stdout.write(format_table(figures) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults")
    parser.add_argument("what", choices=["kill", "play"])
    parser.add_argument("--times", type=int, default=50)
    arguments = parser.parse_args()
    {"kill": kill, "play": play}[arguments.what](arguments.times)


if __name__ == "__main__":
    main()
