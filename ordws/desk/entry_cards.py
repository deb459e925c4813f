"""Entry cards: a code for each player, shown this once, with a picture of it for the player's phone."""

from __future__ import annotations

from typing import Final, NamedTuple

from flask import Blueprint, g, request, url_for

from ordws.desk.context import actor, desk
from ordws.desk.director_pages import open_snapshot, render_page
from ordws.desk.fields import read_number
from ordws.desk.print_sheets import draw_code
from ordws.errors import BadInput
from ordws.frame.application import allow
from ordws.frame.tokens import new_code
from ordws.listeners import is_loopback
from ordws.tournament.facts import CodeIssued
from ordws.tournament.state import Entrant

pages: Final = Blueprint("cards", __name__)
MOST_CARDS: Final = 200
"""The cards of one page: each takes 12 ms, and a proxy does not wait for thousands."""


class EntryCard(NamedTuple):
    """A card of one player."""

    name: str
    code: str
    picture: str
    """A QR code of the address that signs the player in, as SVG."""


@pages.get("/desk/<event>/entry-cards")
@allow("director")
def page(event: str) -> str:
    """Show for whom entry codes can be issued."""
    snapshot = open_snapshot(event)
    chosen = snapshot.state.entrants.get(request.args.get("entrant", 0, type=int))
    going = [each for each in snapshot.state.entrants.values() if each.status != "withdrawn"]
    without = len([each for each in going if not each.code_digest])
    address = request.host_url.rstrip("/") + url_for("players.event", event=event)
    return render_page(
        "entry_cards.html",
        snapshot,
        entrant=chosen,
        without=without,
        total=len(going),
        address=address,
        only_here=is_loopback(address),
        cards=None,
    )


@pages.post("/desk/<event>/entry-cards")
@allow("director")
def make(event: str) -> str:
    """Issue codes and show them; nothing that could give them again is kept."""
    snapshot = open_snapshot(event)
    address = request.form.get("address", "").strip()
    if not address.startswith(("http://", "https://")):
        raise BadInput(f'"{address}" is no address of a page', hint="such as http://192.168.0.7:8020/tournament/open")
    entrants, one, is_anew = snapshot.state.entrants, read_number(request.form, "entrant", 0), "anew" in request.form
    if one:
        chosen = [entrants[one]] if one in entrants else []
    else:
        going = sorted([each for each in entrants.values() if each.status != "withdrawn"], key=lambda each: each.name)
        numbers, after = [each.number for each in going], read_number(request.form, "after", 0)
        rest = going[numbers.index(after) + 1 :] if after in numbers else going
        chosen = [each for each in rest if is_anew or not each.code_digest]
    more, chosen = len(chosen) - MOST_CARDS, chosen[:MOST_CARDS]
    codes = {each.number: new_code() for each in chosen}
    digests = {number: desk().key.code_digest(snapshot.state, code) for number, code in codes.items()}
    cards = [make_card(each, codes[each.number], address) for each in chosen]
    commands = [CodeIssued(entrant=number, digest=digest) for number, digest in digests.items()]
    if commands:
        snapshot = g.event.apply(*commands, actor=actor(), now=desk().clock())
    shown = {"cards": cards, "more": more, "is_anew": is_anew, "after": chosen[-1].number if chosen else 0}
    return render_page("entry_cards.html", snapshot, **shown, address=address, only_here=is_loopback(address))


def make_card(entrant: Entrant, code: str, address: str) -> EntryCard:
    """Return the card of a player; the code stands after the #, which no browser sends to a server."""
    return EntryCard(entrant.name, code, draw_code(f"{address}#code={code}", f"entry code of {entrant.name}"))
