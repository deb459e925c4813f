"""The command `python -m tests.faults kill --times 50`: kills workers, Redis and the whole host under load."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "faults")]


def main() -> None:
    from kill_runs import kill_host, kill_redis, kill_workers

    parser = argparse.ArgumentParser(prog="python -m tests.faults")
    parser.add_argument("what", choices=["kill"])
    parser.add_argument("--times", type=int, default=50)
    times = parser.parse_args().times
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


if __name__ == "__main__":
    main()
