"""The prints of an event, as pages of HTML for paper: black on white, A4 or Letter, without a script or a network.

The pages are the same from the desk and from `ordws tournament print`; no part of Flask is used.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import segno
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ordws.desk.player_views import view_pairings
from ordws.desk.views import describe_certificate, describe_prizes
from ordws.errors import BadInput
from ordws.pictures.charts import WIDE, ChartLayout
from ordws.pictures.palette import style_sheet
from ordws.pictures.tournament_charts import (
    ScheduleChart,
    describe_opponents,
    describe_ranks,
    describe_schedules,
    draw_opponents,
    draw_ranks,
    draw_schedules,
)
from ordws.tournament.charts import opponents_chart, rank_chart
from ordws.tournament.exchange.event_sheet import sheet_of
from ordws.tournament.exchange.sheet import SheetCell, wall_chart
from ordws.tournament.names import name_key
from ordws.tournament.prizes import format_money, prizes
from ordws.tournament.standings import PAPER, standings
from ordws.tournament.state import RoundState, TournamentState

if TYPE_CHECKING:
    from ordws.tournament.certificate import Certificate

SHEETS: Final = {
    "pairings": "Pairings by table",
    "names": "Pairings by name",
    "slips": "Result slips",
    "standings": "Standings",
    "wallchart": "Wall chart",
    "scorecards": "Scorecards",
    "prizes": "Prizes",
    "pictures": "Pictures",
    "certificate": "Certificate",
}
"""What can be printed of an event, in the order of its use."""

_TEMPLATES: Final = Environment(
    loader=PackageLoader("ordws.desk"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)
PAPERS: Final = {"a4": "A4", "letter": "Letter"}
_COLUMN_HEIGHTS: Final = {"a4": 236.0, "letter": 218.0}
"""The room for the rows of a list on a page, in millimetres, as all these sizes."""

_ROW_EDGE: Final = 2.4
_LARGE_LINE, _LARGE_LETTERS = 6.0, 28
"""The height of a line in large letters, and the letters in it; small ones stand in two columns."""

_SMALL_LINE, _SMALL_LETTERS = 4.4, 17
_COLUMNS_ACROSS: Final = 14
_MARKS: Final = ("\u2212", "=", "+")


@dataclass(frozen=True, kw_only=True)
class PrintJob:
    """A request for a print: an event, the paper, and what the event alone does not say.

    `round` is that of pairings and slips, the last one if None. `address` is that of the players' page, empty without a
    network. The entrant `marked` stands out in pictures. `menu` is what the page shows on a screen alone.
    """

    state: TournamentState
    paper: str = "a4"
    round: int | None = None
    address: str = ""
    marked: int | None = None
    certificate: Certificate | None = None
    menu: Mapping[str, Any] | None = None

    def get_round(self) -> RoundState:
        """Return the round to print; raise BadInput if it is not published."""
        last = self.state.last_round
        number = self.round if self.round is not None else last.number if last else 1
        found = self.state.find_round(number)
        if found is None:
            raise BadInput(f"round {number} is not published", hint="publish it, or print another")
        return found


class PrintPage(NamedTuple):
    """A page in HTML, and the digests of its styles, which a policy of a page may allow."""

    html: str
    style_digests: tuple[str, ...]


def render_sheet(what: str, job: PrintJob) -> PrintPage:
    """Return what is to be printed as a page; raise BadInput for what the event has not got yet."""
    title, view = _VIEWS[what](job)
    paper = PAPERS[job.paper] + (" landscape" if what == "wallchart" else "")
    css = _TEMPLATES.get_template("prints/print.css").render(
        paper=paper.lower(), screen_width="72rem" if what == "wallchart" else "52rem"
    )
    context = {"script": "", "back": "", "papers": (), "paper_name": PAPERS[job.paper], "density": "", **view}
    html = _TEMPLATES.get_template(f"prints/{what}.html").render(
        context
        | dict(job.menu or {})
        | {"what": what, "title": title, "event_name": job.state.event.name, "style": Markup(f"<style>{css}</style>")},
    )
    return PrintPage(html, (_digest(css), chart_style_digest()))


def chart_style_digest() -> str:
    """Return the digest of the style within each picture, by which a policy may allow it."""
    return _digest(style_sheet().removeprefix("<style>").removesuffix("</style>"))


def _digest(text: str) -> str:
    return base64.b64encode(sha256(text.encode()).digest()).decode()


def _in_columns(
    paper: str, rows: Sequence[Mapping[str, Any]], texts: Sequence[str]
) -> list[list[list[Mapping[str, Any]]]]:
    """Return rows as sheets of one column, or of two with smaller letters where they are many.

    `texts` are the longest text of each row, which may take several lines: a sheet has to stay on its page of paper.
    """
    most = _COLUMN_HEIGHTS[paper]
    large = [_LARGE_LINE * -(-len(text) // _LARGE_LETTERS) + _ROW_EDGE for text in texts]
    if sum(large) <= most:
        return [[list(rows)]]
    heights = [_SMALL_LINE * -(-len(text) // _SMALL_LETTERS) + _ROW_EDGE for text in texts]
    sheets = -(-sum(heights) // (2 * most - 2 * max(heights)))
    # Columns are equally full, but for the last.
    height = min(most, sum(heights) / (2 * sheets) + max(heights))
    columns: list[list[Mapping[str, Any]]] = [[]]
    used = 0.0
    for row, needed in zip(rows, heights, strict=True):
        if used + needed > height:
            columns.append([])
            used = 0.0
        columns[-1].append(row)
        used += needed
    return [columns[at : at + 2] for at in range(0, len(columns), 2)]


def _view_pairings(job: PrintJob) -> tuple[str, dict[str, Any]]:
    state, played = job.state, job.get_round()
    rows: list[dict[str, Any]] = [
        {"table": pairing.table, "first": state.name_of(pairing.first), "second": state.name_of(pairing.second)}
        for pairing in played.pairings
    ]
    gone = [number for number in played.absent if state.entrants[number].status != "withdrawn"]
    return f"Round {played.number} by table", {
        "sheets": _in_columns(job.paper, rows, [max(row["first"], row["second"], key=len) for row in rows]),
        "bye": state.name_of(played.bye) if played.bye is not None else "",
        "absent": [state.name_of(number) for number in gone],
        "games_a_round": state.event.games_a_round,
    }


def _view_names(job: PrintJob) -> tuple[str, dict[str, Any]]:
    played = job.get_round()
    rows = [row._asdict() for row in view_pairings(job.state, played)]
    longest = [max(f"{row['name']} *", row["opponent"], key=len) for row in rows]
    return f"Round {played.number} by name", {"sheets": _in_columns(job.paper, rows, longest)}


def _view_slips(job: PrintJob) -> tuple[str, dict[str, Any]]:
    state, played = job.state, job.get_round()
    slips = []
    for pairing in played.pairings:
        names = [state.name_of(pairing.first), state.name_of(pairing.second)]
        text = f"{state.event.name}, round {played.number}, table {pairing.table}: {names[0]} - {names[1]}"
        link = f"{job.address}?round={played.number}&table={pairing.table}" if job.address else text
        picture = draw_code(link, f"round {played.number}, table {pairing.table}")
        for game in range(1, state.event.games_a_round + 1):
            slips.append(
                {
                    "round": played.number,
                    "table": pairing.table,
                    "players": names if game == 1 else names[::-1],
                    "heading": f"game {game}" if state.event.games_a_round > 1 else "",
                    "picture": picture,
                }
            )
    return f"Slips of round {played.number}", {"slips": slips}


def draw_code(text: str, title: str) -> Markup:
    """Return a QR code as SVG."""
    drawn = segno.make(text, error="m", micro=False)
    return Markup(drawn.svg_inline(border=2, dark="#000", light="#fff", omitsize=True, title=title))


def _view_standings(job: PrintJob) -> tuple[str, dict[str, Any]]:
    state, lines = job.state, standings(job.state)
    closed = [each for each in state.live_rounds if each.status == "closed"]
    if state.is_finished:
        remark = "final"
    elif state.open_round:
        remark = f"round {state.open_round.number} of {state.rounds_planned}, not closed yet"
    else:
        remark = f"after round {len(closed)} of {state.rounds_planned}" if closed else "before the first round"
    return "Standings", {
        "headings": PAPER,
        "lines": lines,
        "remark": remark,
        "density": "dense" if 28 < len(lines) <= 40 else "",
    }


def _view_wallchart(job: PrintJob) -> tuple[str, dict[str, Any]]:
    sheet = sheet_of(job.state)
    chart = wall_chart(sheet)
    per_round = sheet.games_a_round
    width = max([len(cells) for cells in chart], default=0)
    names = [str(at // per_round + 1) + ("ab"[at % per_round] if per_round > 1 else "") for at in range(width)]
    parts = []
    for start in range(0, max(1, width), _COLUMNS_ACROSS):
        end = min(width, start + _COLUMNS_ACROSS)
        rows = [
            {
                "number": place,
                "name": sheet.players[place - 1].name,
                "cells": [_chart_cell(cell) for cell in cells[start:end]],
                "rank": sheet.ranks[place - 1],
            }
            for place, cells in enumerate(chart, 1)
        ]
        remark = f"columns {start + 1} to {end} of {width}" if width > _COLUMNS_ACROSS else ""
        parts.append({"columns": names[start:end], "rows": rows, "remark": remark})
    return "Wall chart", {"parts": parts, "density": "dense" if 18 < len(chart) <= 25 else ""}


def _chart_cell(cell: SheetCell) -> dict[str, str] | None:
    """Return a cell of the wall chart as it is printed, None for a round without a game."""
    if cell.is_bye:
        return {"mark": "bye", "opponent": "", "score": ""}
    if cell.game is None:
        return None
    opponent = f"{cell.opponent}{'*' if cell.side == 0 else ''}"
    if cell.game.forfeit is not None:
        return {"mark": "ff" if cell.has_forfeited else "+", "opponent": opponent, "score": ""}
    if cell.game.sides is None or cell.result is None:
        return {"mark": "", "opponent": opponent, "score": ""}
    score = f"{cell.result.score}\u2013{cell.game.sides[1 - cell.side].score}"
    return {"mark": _MARKS[cell.half_points], "opponent": opponent, "score": score}


def _view_scorecards(job: PrintJob) -> tuple[str, dict[str, Any]]:
    sheet = sheet_of(job.state)
    games = sheet.games_a_round
    cards = []
    for place, cells in enumerate(wall_chart(sheet), 1):
        if sheet.players[place - 1].is_withdrawn:
            continue
        rows: list[dict[str, Any]] = []
        for at in range(sheet.rounds * games):
            cell = cells[at] if at < len(cells) else SheetCell()
            name = sheet.players[cell.opponent - 1].name if cell.opponent else "bye" if cell.is_bye else ""
            sides = cell.game.sides if cell.game is not None and cell.game.sides is not None else None
            own, other = (sides[cell.side], sides[1 - cell.side]) if sides is not None else (None, None)
            rows.append(
                {
                    "round": str(at // games + 1) + ("ab"[at % games] if games > 1 else ""),
                    "opponent": name,
                    "table": cell.game.table if cell.game else "",
                    "begins": ("" if cell.game is None else ("me", "they")[cell.side]),
                    "own": own.score if own is not None else "",
                    "other": other.score if other is not None else "",
                    "points": own.points if own is not None else "",
                    "turns": own.turns if own is not None else "",
                    "outcome": "LTW"[cell.half_points] if cell.game and (cell.result or cell.game.forfeit) else "",
                }
            )
        cards.append({"name": sheet.players[place - 1].name, "number": place, "rows": rows})
    cards.sort(key=lambda card: name_key(str(card["name"])))
    return "Scorecards", {"cards": cards}


def _view_prizes(job: PrintJob) -> tuple[str, dict[str, Any]]:
    table = prizes(job.state)
    lines = [line._asdict() | {"amount": format_money(line.amount, table.currency)} for line in table.lines]
    return "Prizes", {
        "lines": lines if table.fund else [],
        "fund": format_money(table.fund, table.currency),
        "remark": "" if table.is_final else "by the standings of now",
        "sentences": describe_prizes(table, job.state.settings),
    }


def _view_pictures(job: PrintJob) -> tuple[str, dict[str, Any]]:
    if not job.state.live_rounds:
        raise BadInput("there is nothing to draw before the first round")
    return "Pictures", {"pictures": [_draw(name, job) for name in PICTURES if name != "schedules"]}


def _view_certificate(job: PrintJob) -> tuple[str, dict[str, Any]]:
    if job.certificate is None:
        raise BadInput("the certificate is made from closed rounds, and none is closed")
    figures = describe_certificate(job.certificate)
    return "Certificate", {"figures": figures, "pictures": [_draw(name, job) for name in ("schedules", "opponents")]}


def _draw(name: str, job: PrintJob) -> Markup:
    return Markup(PICTURES[name].draw(job, f"print-{name}", WIDE))


class EventPicture(NamedTuple):
    """A picture of an event: how it is drawn, under an id and in a layout, and told in words."""

    title: str
    draw: Callable[[PrintJob, str, ChartLayout], str]
    describe: Callable[[PrintJob], str]


def _schedules(job: PrintJob) -> ScheduleChart:
    if job.certificate is None:
        raise BadInput("the certificate is made from closed rounds, and none is closed")
    return ScheduleChart(
        "This schedule among random ones", job.certificate.rms_residual, job.certificate.random_distribution
    )


PICTURES: Final = {
    "opponents": EventPicture(
        "Everybody's opponents",
        lambda job, id, layout: draw_opponents(
            opponents_chart(job.state, marked=job.marked), chart_id=id, layout=layout
        ),
        lambda job: describe_opponents(opponents_chart(job.state)),
    ),
    "ranks": EventPicture(
        "Wins and points a turn",
        lambda job, id, layout: draw_ranks(rank_chart(job.state, marked=job.marked), chart_id=id, layout=layout),
        lambda job: describe_ranks(rank_chart(job.state)),
    ),
    "schedules": EventPicture(
        "This schedule among random ones",
        lambda job, id, layout: draw_schedules(_schedules(job), chart_id=id, layout=layout),
        lambda job: describe_schedules(_schedules(job)),
    ),
}
"""The pictures of an event by their names in addresses."""

_VIEWS: Final[Mapping[str, Callable[[PrintJob], tuple[str, dict[str, Any]]]]] = {
    "pairings": _view_pairings,
    "names": _view_names,
    "slips": _view_slips,
    "standings": _view_standings,
    "wallchart": _view_wallchart,
    "scorecards": _view_scorecards,
    "prizes": _view_prizes,
    "pictures": _view_pictures,
    "certificate": _view_certificate,
}
