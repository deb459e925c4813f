"""`ordws tournament`: a whole event from one keyboard, without a network."""

from __future__ import annotations

from typing import Final

import click

from ordws.cli import LazyGroup
from ordws.errors import BadInput

SUBCOMMANDS: Final[dict[str, tuple[str, str]]] = {
    "new": ("event", "Begin an event in a new file."),
    "do": ("do", "Do what a line of the desk says: enter, check in, draft, publish, result, ..."),
    "import": ("exchange", "Enter the players of a file: CSV, .t, .tou, TRF, JSON."),
    "data": ("reports", "Print everything that is held about an entrant."),
    "pairings": ("reports", "Show a published round."),
    "status": ("reports", "Show how the event stands."),
    "standings": ("reports", "Show the standings."),
    "history": ("reports", "Show everything that happened."),
    "desk": ("desk", "Run the director's desk in browsers."),
    "certificate": ("reports", "Show how average everybody's opponents were."),
    "verify": ("draws", "Check the file, and draw every round again."),
    "simulate": ("draws", "Play a made-up event, and time its drafts."),
    "export": ("exchange", "Write the event for other programs."),
    "print": ("exchange", "Print pairings, standings, slips and more."),
    "season": ("reports", "Show who is invited to the finals of a season."),
}
"""The module of each subcommand, and its one-line help."""


class TournamentGroup(LazyGroup):
    """The group of the subcommands; a line of the desk that is typed as a command is told from a mistake."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in SUBCOMMANDS and not args[0].startswith("-"):
            # What is mistyped may take the time of this import; other commands should not.
            from ordws.desk.line import WORDS

            if args[0] in WORDS:
                raise BadInput(f'"{args[0]}" is a line of the desk', hint=f"ordws tournament do FILE {args[0]}")
        return super().resolve_command(ctx, args)


@click.group("tournament", cls=TournamentGroup, package=__name__, table=SUBCOMMANDS)
def command() -> None:
    """Run an event: entries, pairings, results, standings. An event is one file.

    \b
    Example:
      ordws tournament new club.event --rounds 5
      ordws tournament do club.event "enter Ann Lee" "enter Ben Ode" "enter Cy Poe" "enter Dee Ray"
      ordws tournament do club.event "in all" publish
      ordws tournament do club.event "1 412:398/13 371:380/13"
      ordws tournament standings club.event
    """
