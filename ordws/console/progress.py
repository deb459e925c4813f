"""The page of the panel's agreement and progress: charts, each with a table of the same figures."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import combinations
from typing import Final, NamedTuple

from flask import Blueprint, Response, abort, current_app, render_template
from flask.blueprints import BlueprintSetupState

from ordws.console.access import allow, current_member
from ordws.console.panel_statistics import PanelStatistics, StatisticsCache
from ordws.console.state import console_state
from ordws.curation.agreement import MIN_RELIABLE_ALPHA, Share
from ordws.curation.forecast import MAX_CARD_SECONDS, MIN_EVENINGS
from ordws.curation.influence import MAX_INFLUENCE
from ordws.pictures.charts import BandChart, Bar, BarChart, Chart, FanChart, MatrixCell, MatrixChart, Point, draw_chart
from ordws.pictures.palette import style_sheet

pages: Final = Blueprint("progress", __name__)

MAX_MONTHS: Final = 24
MAX_PATTERNS: Final = 20
"""The months, and patterns, that a chart shows at most; the table beside it shows all."""
# Charts have their style sheet inline, which their policy allows by its digest alone.
_STYLE_HASH: Final = sha256(style_sheet().removeprefix("<style>").removesuffix("</style>").encode()).digest()
_CHART_CSP: Final = f"default-src 'none'; style-src 'sha256-{base64.b64encode(_STYLE_HASH).decode()}'; sandbox"
"""The policy of a chart: it may use the style that adapts it to dark mode, and nothing else."""


class DataTable(NamedTuple):
    """A table of texts; the first cell of each row is its header."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


class ProgressSection(NamedTuple):
    """One subject of the page: an explanation, a chart where one helps, and tables."""

    name: str
    title: str
    text: str
    tables: Sequence[DataTable]
    chart: Chart | None = None
    warning: str = ""
    is_folded: bool = True
    """True where the tables are folded away, since the chart says the same."""


@pages.record
def _create_cache(state: BlueprintSetupState) -> None:
    state.app.extensions["statistics_cache"] = StatisticsCache()


def _visible_statistics() -> PanelStatistics:
    cache: StatisticsCache = current_app.extensions["statistics_cache"]
    stats = cache.get(console_state())
    if current_member().role == "keeper":
        return stats
    # The number of cards that a curator has answered tells other voters that the curator voted and, near the end,
    # on which family.
    return replace(stats, efforts={name: each for name, each in stats.efforts.items() if not name})


@pages.get("/progress")
@allow("chair", "keeper")
def page() -> str:
    """Show all sections."""
    stats = _visible_statistics()
    counts = {
        "Decided in": stats.outcomes["in"],
        "Decided out": stats.outcomes["out"],
        "Contested": stats.outcomes["contested"],
        "Open": stats.outcomes["open"],
        "Of those decided, by class": stats.by_class,
    }
    sections = [make_section(stats) for make_section in SECTIONS.values()]
    return render_template("progress.html", counts=counts, sections=sections)


@pages.get("/progress/<name>.svg")
@allow("chair", "keeper")
def chart(name: str) -> Response:
    """Draw one of the page's charts."""
    if name not in SECTIONS or (chart := SECTIONS[name](_visible_statistics()).chart) is None:
        abort(404)
    headers = {"Content-Security-Policy": _CHART_CSP}
    svg = draw_chart(chart, chart_id=f"progress-{name}")
    return Response(svg, content_type="image/svg+xml; charset=utf-8", headers=headers)


def remaining_section(stats: PanelStatistics) -> ProgressSection:
    """Return the section on the open families, and the forecast of the evenings that they need."""
    forecast = stats.forecast
    days = [(day or "before the first", f"{count:,}") for day, count in stats.burned]
    tables = [DataTable("Families still open after each day", ("Day", "Open"), days)]
    text, ahead = f"A forecast begins after {MIN_EVENINGS} evenings.", []
    if forecast is not None:
        fan = forecast.fan
        text = (
            f"At {forecast.families_per_evening:.0f} decisions an evening, {forecast.sentence}:"
            f" {_evenings_text(forecast.earliest)} at the soonest, {_evenings_text(forecast.latest)} at the latest,"
            " with 80 % confidence."
        )
        # Some ten points of the forecast fit a table, its end among them.
        step = max(1, len(fan) // 10)
        points = [each for each in fan if each.evenings % step == 0 or each == fan[-1]]
        rows = [[str(each.evenings), *[f"{count:,.0f}" for count in each[1:]]] for each in points]
        tables.append(DataTable("Families expected to be open", ("More evenings", "Fewest", "Expected", "Most"), rows))
        # The latest end may be ten times as far away as the expected one, too far for a readable chart.
        ahead = [each[1:] for each in fan[: 3 * (len(fan) if forecast.evenings is None else forecast.evenings) + 1]]
    past = [(day or "at first", count) for day, count in stats.burned]
    return ProgressSection("left", "What is left", text, tables, FanChart("Open families", past, ahead, "evening"))


def agreement_section(stats: PanelStatistics) -> ProgressSection:
    """Return the section on agreement, of the whole panel and by month."""
    groups = {"All families": stats.whole, "Calibration set": stats.calibration, **stats.months}
    columns = ("", "Families", "Pairs of votes", "Raw agreement", "Alpha", "95 % interval")
    rows = []
    for name, each in groups.items():
        alpha = f"undefined: {each.undefined_reason}" if each.alpha is None else f"{each.alpha:.3f}"
        is_defined = each.low is not None and each.high is not None
        interval = f"{each.low:.3f} to {each.high:.3f}" if is_defined else "undefined: too little varies"
        rows.append((name, f"{each.families:,}", f"{each.pairs:,}", _percent_text(each.raw), alpha, interval))
    months = list(stats.months.items())[-MAX_MONTHS:]
    points = [Point(month, each.alpha, each.low, each.high) for month, each in months]
    is_low = stats.whole.alpha is not None and stats.whole.alpha < MIN_RELIABLE_ALPHA
    return ProgressSection(
        "alpha",
        "Agreement",
        "Raw agreement is the share of pairs of votes on the same family that are alike; Krippendorff's alpha is what"
        " of it is not chance. Doubtful families get more votes than clear ones, so that raw agreement looks worse than"
        " it is; on the calibration set everybody votes.",
        [DataTable("Agreement of all, on the calibration set, and by month", columns, rows)],
        BandChart("Krippendorff's alpha by month", points, MIN_RELIABLE_ALPHA),
        warning=f"Alpha is below {MIN_RELIABLE_ALPHA}: talk about what an ordinary dictionary holds." if is_low else "",
        is_folded=False,
    )


def drift_section(stats: PanelStatistics) -> ProgressSection:
    """Return the section on the share of votes that each curator casts for "in", by month."""
    rows = [
        (month, *[_share_text(shares.get(curator, Share(0, 0))) for curator in stats.curators])
        for month, shares in stats.in_shares.items()
    ]
    return ProgressSection(
        "drift",
        "Drift",
        "Somebody whose share moves while that of the others does not has come to judge otherwise.",
        [DataTable("Votes in, of all votes of a curator in a month", ("Month", *stats.curators), rows)],
        is_folded=False,
    )


def pairwise_section(stats: PanelStatistics) -> ProgressSection:
    """Return the section on Cohen's kappa of every two curators."""
    names = stats.curators
    cells = {
        (names.index(b), names.index(a)): MatrixCell(pair.kappa, pair.units) for (a, b), pair in stats.pairs.items()
    }
    rows = []
    for a, b in combinations(names, 2):
        pair = stats.pairs[a, b]
        kappa = "undefined: nothing varies" if pair.units else "undefined: no family in common"
        if pair.kappa is not None:
            kappa = f"{pair.kappa:.3f}"
        rows.append((f"{a} and {b}", f"{pair.units:,}", _percent_text(pair.raw), kappa))
    columns = ("Curators", "Families of both", "Raw agreement", "Kappa")
    return ProgressSection(
        "kappa",
        "Curator by curator",
        "Two who agree far better with each other than with the rest deserve a look, and one who agrees with nobody.",
        [DataTable("Every two curators, on the families that both have judged", columns, rows)],
        MatrixChart("Cohen's kappa of every two", names, cells),
    )


def margins_section(stats: PanelStatistics) -> ProgressSection:
    """Return the section on the votes by which families were decided."""
    total = sum(stats.margins.values())
    named = {f"{ins} in, {outs} out": count for (ins, outs), count in stats.margins.items()}
    bars = [Bar(name, count, f"{count:,}, {_share_text(Share(count, total))}") for name, count in named.items()]
    rows = [(name, f"{count:,}", _share_text(Share(count, total))) for name, count in named.items()]
    table = DataTable("Decisions by their votes", ("Votes", "Decisions", "Share"), rows)
    votes = sum([(ins + outs) * count for (ins, outs), count in stats.margins.items()])
    text = "Of a family the form is counted where it was closest."
    if total:
        text = f"A decision took {votes / total:.2f} votes. {text}"
    return ProgressSection("margins", "Margins", text, [table], BarChart("Decisions by their votes", bars))


def influence_section(stats: PanelStatistics) -> ProgressSection:
    """Return the section on the decisions that rest on one curator's votes."""
    rows = [
        (
            curator,
            f"{share.counted:,} of {share.total:,}",
            _share_text(share),
            "to look at" if share.ratio is not None and share.ratio > MAX_INFLUENCE else "",
        )
        for curator, share in stats.influence.items()
    ]
    return ProgressSection(
        "influence",
        "Influence",
        "How many decisions would let in other forms without a curator's votes, all else as it was. Whoever moves more"
        f" than {MAX_INFLUENCE:.0%} is looked at by the others.",
        [DataTable("Decisions that rest on one curator", ("Curator", "Decisions moved", "Share", "Note"), rows)],
        is_folded=False,
    )


def steadiness_section(stats: PanelStatistics) -> ProgressSection:
    """Return the section on the curators' answers to checks."""
    rows = [
        (
            curator,
            f"{each.repeats.total:,}",
            _share_text(each.repeats),
            f"{each.known_items.total:,}",
            _share_text(each.known_items),
        )
        for curator, each in stats.steadiness.items()
    ]
    columns = ("Curator", "Repeats", "Answered as before", "Known", "Answered as decided")
    return ProgressSection(
        "steadiness",
        "Steadiness",
        "One card in twenty is a silent repeat and one a family that is decided. Families still open are left out.",
        [DataTable("Answers to repeats and known items", columns, rows)],
        is_folded=False,
    )


def effort_section(stats: PanelStatistics) -> ProgressSection:
    """Return the section on the seconds that a card takes."""
    named = {curator or "all": each for curator, each in stats.efforts.items()}
    bars = [Bar(name, each.seconds, f"{each.seconds:.1f} s, {each.cards:,} cards") for name, each in named.items()]
    rows = [(name, f"{each.cards:,}", f"{each.seconds:.1f}") for name, each in named.items()]
    return ProgressSection(
        "seconds",
        "Effort",
        f"The median; cards that took more than {MAX_CARD_SECONDS:.0f} seconds are left out.",
        [DataTable("Seconds a card", ("Curator", "Cards", "Median seconds"), rows)],
        BarChart("Seconds a card, in the median", bars),
    )


def contested_section(stats: PanelStatistics) -> ProgressSection:
    """Return the section on the classes whose families are contested most often."""
    by_number = sorted(stats.kinds.items(), key=lambda each: (-each[1].contested, each[0]))
    bars = [
        Bar(name, kind.contested, f"{kind.contested:,} of {kind.decided:,}") for name, kind in by_number[:MAX_PATTERNS]
    ]
    rows = [
        (
            name,
            f"{kind.ins:,}",
            f"{kind.outs:,}",
            f"{kind.contested:,}",
            f"{kind.agreeing.total:,}",
            _share_text(kind.agreeing),
        )
        for name, kind in by_number
    ]
    columns = ("Class", "In", "Out", "Contested", "Pairs of votes", "Raw agreement")
    return ProgressSection(
        "contested",
        "Contested by class",
        "Families by how they may have been made, as far as votes decided them. Contested are those that ever were.",
        [DataTable("Decisions by class, as counts", columns, rows)],
        BarChart("Contested families by class", bars),
    )


SECTIONS: Final = {
    "left": remaining_section,
    "alpha": agreement_section,
    "drift": drift_section,
    "kappa": pairwise_section,
    "margins": margins_section,
    "influence": influence_section,
    "steadiness": steadiness_section,
    "seconds": effort_section,
    "contested": contested_section,
}


def _evenings_text(count: int | None) -> str:
    return "nobody can say" if count is None else str(count)


def _percent_text(fraction: float | None) -> str:
    return "undefined" if fraction is None else f"{fraction:.1%}"


def _share_text(share: Share) -> str:
    return "none" if share.ratio is None else f"{share.ratio:.1%}"
