"""The page of the panel's agreement and progress: charts, each with a table of the same figures."""

from __future__ import annotations

import base64
from dataclasses import replace
from hashlib import sha256
from typing import Final

from flask import Blueprint, Response, abort, current_app, render_template, request
from flask.blueprints import BlueprintSetupState

from ordws.console.access import current_member
from ordws.console.panel_statistics import MIN_FAMILIES, PanelStatistics, StatisticsCache
from ordws.console.progress_sections import WEEKLY_SECTIONS, ProgressSection, remaining_section
from ordws.console.state import console_state
from ordws.curation.forecast import CardTime
from ordws.frame.application import allow
from ordws.pictures.charts import NARROW, WIDE, draw_chart
from ordws.pictures.palette import style_sheet

pages: Final = Blueprint("progress", __name__)

# Charts have their style sheet inline, which their policy allows by its digest alone.
_STYLE_HASH: Final = sha256(style_sheet().removeprefix("<style>").removesuffix("</style>").encode()).digest()
_CHART_CSP: Final = f"default-src 'none'; style-src 'sha256-{base64.b64encode(_STYLE_HASH).decode()}'; sandbox"
"""The policy of a chart: it may use the style that adapts it to dark mode, and nothing else."""


@pages.record
def _create_cache(state: BlueprintSetupState) -> None:
    state.app.extensions["statistics_cache"] = StatisticsCache()


def _visible_statistics() -> PanelStatistics:
    cache: StatisticsCache = current_app.extensions["statistics_cache"]
    stats = cache.get(console_state())
    if current_member().role == "keeper" or stats.tables is None:
        return stats
    # The number of cards that a curator has answered tells other voters that the curator voted and, near the end,
    # on which family.
    panel_effort: dict[str, CardTime] = {name: each for name, each in stats.tables.efforts.items() if not name}
    return stats._replace(tables=replace(stats.tables, efforts=panel_effort))


@pages.get("/progress")
@allow("chair", "keeper")
def page() -> str:
    """Show all sections."""
    stats = _visible_statistics()
    outcomes = stats.figures.outcomes
    counts = {
        "Decided in": outcomes["in"],
        "Decided out": outcomes["out"],
        "Contested": outcomes["contested"],
        "Open": outcomes["open"],
        "Of those decided, by class": stats.figures.by_class,
    }
    return render_template(
        "progress.html",
        day=stats.day,
        counts=counts,
        tables=stats.tables,
        sections=list(_sections(stats).values()),
        fewest=MIN_FAMILIES,
    )


@pages.get("/progress/<name>.svg")
@allow("chair", "keeper")
def chart(name: str) -> Response:
    """Draw one of the page's charts."""
    section = _sections(_visible_statistics()).get(name)
    if section is None or section.chart is None:
        abort(404)
    headers = {"Content-Security-Policy": _CHART_CSP}
    # Phones ask for a drawing of their own, since a scaled one could not be read.
    layout = NARROW if "narrow" in request.args else WIDE
    svg = draw_chart(section.chart, chart_id=f"progress-{name}", layout=layout)
    return Response(svg, content_type="image/svg+xml; charset=utf-8", headers=headers)


def _sections(stats: PanelStatistics) -> dict[str, ProgressSection]:
    sections = {"left": remaining_section(stats.figures)}
    if stats.tables is not None:
        sections |= {name: make_section(stats.tables) for name, make_section in WEEKLY_SECTIONS.items()}
    return sections
