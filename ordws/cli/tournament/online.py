"""`ordws tournament online`: the on-line rounds of an event without the desk's pages."""

from __future__ import annotations

import json
import time
from contextlib import closing
from pathlib import Path

import click

from ordws.cli.stop_signals import stop_on_signals
from ordws.cli.tournament.event import file_argument, json_option, print_note
from ordws.desk.events import DeskEvent
from ordws.desk.online import OnlineRounds
from ordws.desk.online_loop import STEP_SECONDS
from ordws.desk.operators import is_on_this_host, open_client, read_key
from ordws.desk.players_key import open_players_key, players_key_path
from ordws.instance import Instance
from ordws.tournament.history import history_in_words
from ordws.tournament.store import EventFile


@click.command("online")
@file_argument
@click.option(
    "--service", metavar="URL", required=True, help="The word judge at which the games are played; or unix:PATH."
)
@click.option(
    "--key-file",
    type=click.Path(path_type=Path),
    required=True,
    help="A file with the key of an operator with the scope tournament.",
)
@click.option("--links", is_flag=True, help="Print the link to each seat, which is for its player alone.")
@click.option("--once", is_flag=True, help="Do what can be done now, and end.")
@json_option
def online(file: Path, service: str, key_file: Path, links: bool, once: bool, as_json: bool) -> None:
    """Open the games of on-line rounds, read their results, and go on, until the event is finished or SIGTERM.

    Whoever has not taken the oath in time forfeits. An event with --automatic closes, draws and publishes its rounds by
    itself once the first is published. It may be ended and started again at any time. The desk does the same with
    --service and --key-file, and shows its players their links.

    \b
    Example:
      ordws tournament online league.event --service https://judge.example.org --key-file league.key --links
    """
    with (
        stop_on_signals() as ended,
        closing(EventFile.open(file)) as opened,
        open_client(service, read_key(key_file)) as client,
    ):
        event = DeskEvent("event", opened)
        site = "" if is_on_this_host(service) else service
        players_key = open_players_key(players_key_path(file, Instance.locate()))
        rounds, shown = OnlineRounds(event, client, site, players_key), _Shown(event, as_json=as_json)
        while True:
            rounds.step(int(time.time()))
            shown.print(rounds, links=links)
            if once or opened.state.is_finished or ended.wait(STEP_SECONDS):
                return


class _Shown:
    """The facts, links and remarks that were printed already, each once."""

    def __init__(self, event: DeskEvent, *, as_json: bool) -> None:
        self._event, self._as_json = event, as_json
        self._facts = len(event.snapshot().facts)
        self._links: set[str] = set()
        self._remarks: list[str] = []

    def print(self, rounds: OnlineRounds, *, links: bool) -> None:
        """Print what the last step has changed, new links, and remarks that were not there before."""
        snapshot = self._event.snapshot()
        for text in history_in_words(snapshot.facts[self._facts :], snapshot.facts):
            click.echo(json.dumps({"text": text}, ensure_ascii=False) if self._as_json else text)
        self._facts = len(snapshot.facts)
        for place, entrant, link in rounds.links() if links else ():
            if link in self._links:
                continue
            self._links.add(link)
            name = snapshot.state.name_of(entrant)
            row = {**place._asdict(), "entrant": entrant, "name": name, "link": link}
            click.echo(json.dumps(row, ensure_ascii=False) if self._as_json else f"{place}, {name}: {link}")
        for remark in rounds.remarks:
            if remark not in self._remarks:
                print_note(remark)
        self._remarks = rounds.remarks
