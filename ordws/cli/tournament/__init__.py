"""`ordws tournament`: a whole event from one keyboard, without a network."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import ClassVar, Final

import click

from ordws.cli import LazyGroup

SUBCOMMANDS: Final[dict[str, tuple[str, str]]] = {
    "new": ("setup", "Begin an event in a new file."),
    "configure": ("setup", "Change the number of rounds, or a setting."),
    "enter": ("entrants", "Enter players."),
    "import": ("exchange", "Enter the players of a file: CSV, .t, .tou, TRF, JSON."),
    "rename": ("entrants", "Put a name or a club right."),
    "agree": ("entrants", "Record that entrants accepted the conditions."),
    "check-in": ("entrants", "Say who is present, and so is paired."),
    "check-out": ("entrants", "Say who is not present for the next round."),
    "withdraw": ("entrants", "Take entrants out of the event."),
    "return": ("entrants", "Take entrants back who had withdrawn."),
    "data": ("entrants", "Print everything that is held about an entrant."),
    "erase": ("entrants", "Erase an entrant's data for good."),
    "constrain": ("rounds", "Forbid a pairing, or ask for one."),
    "draft": ("rounds", "Draw the next round, and explain it."),
    "publish": ("rounds", "Publish the draft as the next round."),
    "pairings": ("rounds", "Show a published round."),
    "late": ("rounds", "Let a late entrant play whoever has the bye."),
    "void": ("rounds", "Take the last round back, with a reason."),
    "close": ("rounds", "End a round whose results are all in."),
    "finish": ("rounds", "End the event."),
    "result": ("results", "Key in a result."),
    "correct": ("results", "Replace a wrong result, with a reason."),
    "confirm": ("results", "Confirm what one player alone has told."),
    "no-show": ("results", "Forfeit the games of those who did not come."),
    "missing": ("results", "Show which results are missing."),
    "status": ("reports", "Show how the event stands."),
    "standings": ("reports", "Show the standings."),
    "history": ("reports", "Show everything that happened."),
    "undo": ("reports", "Undo the last command, or an earlier one."),
    "desk": ("desk", "Run the director's desk in browsers."),
    "bind": ("bind", "Let a sealed game or a table station report a result."),
    "online": ("online", "Play on-line rounds without the desk's pages."),
    "certificate": ("reports", "Show how average everybody's opponents were."),
    "verify": ("reports", "Check the file, and draw every round again."),
    "simulate": ("simulate", "Play a made-up event, and time its drafts."),
    "export": ("exchange", "Write the event for other programs."),
    "print": ("prints", "Print pairings, standings, slips and more."),
    "prizes": ("prints", "Show the prizes, as figures."),
    "season": ("season", "Keep a season: events, finals, invitations."),
}
"""The module of each subcommand, which holds a function of its name, and its one-line help."""


class TournamentGroup(LazyGroup):
    """The group of the subcommands, several of which stand in one module."""

    descriptions: ClassVar[Mapping[str, str]] = {name: text for name, (_, text) in SUBCOMMANDS.items()}

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in SUBCOMMANDS:
            return None
        module = importlib.import_module(f"ordws.cli.tournament.{SUBCOMMANDS[name][0]}")
        # Keywords and builtins of Python are not names of functions.
        others = {"return": "take_back", "import": "import_file", "print": "print_sheets"}
        found: click.Command = getattr(module, others.get(name, name.replace("-", "_")))
        return found


@click.group("tournament", cls=TournamentGroup)
def command() -> None:
    """Run an event: entries, pairings, results, standings. An event is one file.

    \b
    Example:
      ordws tournament new club.event --rounds 5
      ordws tournament enter club.event "Ann Lee" "Ben Ode" "Cy Poe" "Dee Ray"
      ordws tournament check-in club.event --all
      ordws tournament publish club.event
      ordws tournament result club.event 1 1 412:398/13 371:380/13
      ordws tournament standings club.event
    """
