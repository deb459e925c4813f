"""`ordws cases`: case files from a flag to the register, for keepers."""

from __future__ import annotations

from typing import Final

import click

from ordws.cli import LazyGroup

SUBCOMMANDS: Final[dict[str, tuple[str, str]]] = {
    "list": ("keeper", "List all cases, or those that wait for a keeper."),
    "show": ("keeper", "Show a case with every step and its actor."),
    "verify": ("keeper", "Verify the chain of steps and all exhibits."),
    "flags": ("opening", "List the flags that no case has taken up."),
    "open": ("opening", "Open a case on a flag; prizes are held from the notice on."),
    "record": ("opening", "Add the record of a game, without names."),
    "hold": ("opening", "Hold the prizes of one more event."),
    "assign": ("reviewers", "Assign reviewers."),
    "leave": ("steps", "Take a reviewer off the panel."),
    "opinion": ("steps", "Key in an opinion that was given on paper."),
    "notice": ("opening", "Give the player notice: print the letter with its code."),
    "answer": ("steps", "Key in an answer that came on paper."),
    "decide": ("steps", "Write the decision, or that on an appeal, with reasons."),
    "appeal": ("steps", "Key in an appeal that came on paper, or admit a late one."),
    "drop": ("steps", "Close a case that should not have been opened."),
    "publish": ("steps", "Enter a final decision in the register."),
    "review": ("steps", "Record that an entry was looked at again, and stays."),
    "strike": ("steps", "Take an entry out of the register."),
    "minor": ("steps", "Mark the player as under age: nothing is published."),
    "update": ("steps", "Hold and let go prizes, write the register, erase what is old."),
    "serve": ("reviewers", "Run the pages for reviewers and players."),
    "rehearse": ("rehearse", "Try the way of a case with simulated games, and throw it away."),
}
"""The module of each subcommand, and its one-line help."""


@click.group("cases", cls=LazyGroup, package=__name__, table=SUBCOMMANDS)
def command() -> None:
    """Keep the case files of fair play: a machine flags, people decide.

    \b
    Example:
      ordws cases list --due
    """
