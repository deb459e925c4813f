"""The page of the panel's agreement and progress: a text, a chart where one helps, and tables of the same figures.

What is computed from ballots is rounded, and extremes are not told: a curator who knew that two agree on everything
would know the ballots of one by those of the other.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import combinations
from typing import Final, NamedTuple

from flask import Blueprint, Response, abort, current_app, render_template, request
from flask.blueprints import BlueprintSetupState

from ordws.console.access import current_member
from ordws.console.panel_statistics import MIN_FAMILIES, DailyFigures, PanelStatistics, StatisticsCache, WeeklyTables
from ordws.console.state import console_state
from ordws.curation.agreement import MAX_INFLUENCE, MIN_RELIABLE_ALPHA, Agreement, Share
from ordws.curation.forecast import MAX_CARD_SECONDS, MIN_EVENINGS, CardTime
from ordws.frame.application import allow
from ordws.pictures.charts import (
    NARROW,
    WIDE,
    BandChart,
    Bar,
    BarChart,
    Chart,
    FanChart,
    MatrixCell,
    MatrixChart,
    Point,
    draw_chart,
)
from ordws.pictures.palette import style_sheet

MAX_MONTHS: Final = 24
MAX_PATTERNS: Final = 20
"""The months, and patterns, that a chart shows at most; the table beside it shows all."""
MIN_MOVED: Final = 5
"""The decisions that rest on a curator's votes, fewer than which are not told apart."""
_TOO_FEW: Final = f"fewer than {MIN_FAMILIES}"
_STEP: Final = 20
"""Shares are rounded to a twentieth."""


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


def remaining_section(figures: DailyFigures) -> ProgressSection:
    """Return the section on the open families, and the forecast of the evenings that they need."""
    forecast = figures.forecast
    days = [(day or "before the first", f"{count:,}") for day, count in figures.burned]
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
    text = f"{everyday_text(figures.waiting['borderline'], figures.waiting['flagged'])} {text}"
    past = [(day or "at first", count) for day, count in figures.burned]
    if len(past) + len(ahead) < 2:
        # One point makes no line.
        count = sum([each for _, each in past])
        are = "family is" if count == 1 else "families are"
        text = f"{count:,} {are} open. A chart begins after the first day of decisions. {text}"
        return ProgressSection("left", "What is left", text, [])
    return ProgressSection("left", "What is left", text, tables, FanChart("Open families", past, ahead, "evening"))


def agreement_section(tables: WeeklyTables) -> ProgressSection:
    """Return the section on agreement, of the whole panel and by month."""
    groups = {"All families": tables.whole, "Calibration set": tables.calibration, **tables.months}
    columns = ("", "Families", "Raw agreement", "Alpha", "95 % interval")
    rows = [_agreement_row(name, each) for name, each in groups.items()]
    points = [
        Point(month, *[None if value is None else round(value, 2) for value in (each.alpha, each.low, each.high)])
        for month, each in list(tables.months.items())[-MAX_MONTHS:]
    ]
    is_low = tables.whole.alpha is not None and tables.whole.alpha < MIN_RELIABLE_ALPHA
    return ProgressSection(
        "alpha",
        "Agreement",
        "Raw agreement is the share of pairs of votes on the same family that are alike; Krippendorff's alpha is what"
        " of it is not chance. Doubtful families get more votes than clear ones, so that raw agreement looks worse than"
        " it is; on the calibration set everybody votes.",
        [DataTable("Agreement of all, on the calibration set, and by month", columns, rows)],
        BandChart("Krippendorff's alpha by month", points, MIN_RELIABLE_ALPHA),
        warning=f"Alpha is below {MIN_RELIABLE_ALPHA}: discuss what an ordinary dictionary holds." if is_low else "",
        is_folded=False,
    )


def drift_section(tables: WeeklyTables) -> ProgressSection:
    """Return the section on the share of votes that each curator casts for "in", by month."""
    rows = [
        (month, *[share_text(shares.get(curator, Share(0, 0))) for curator in tables.curators])
        for month, shares in tables.in_shares.items()
    ]
    return ProgressSection(
        "drift",
        "Drift",
        "A curator whose share moves while the others' stay may have begun to judge by another standard.",
        [DataTable("Votes in, of all votes of a curator in a month", ("Month", *tables.curators), rows)],
        is_folded=False,
    )


def pairwise_section(tables: WeeklyTables) -> ProgressSection:
    """Return the section on Cohen's kappa of every two curators."""
    names = tables.curators
    cells, rows = {}, []
    for a, b in combinations(names, 2):
        pair = tables.pairs.get((a, b))
        # Adding zero makes -0.0, which a small negative figure is rounded to, 0.0.
        kappa = None if pair is None or pair.kappa is None else min(0.9, round(pair.kappa, 1) + 0.0)
        units = 0 if pair is None else count_in_tens(pair.units)
        cells[names.index(b), names.index(a)] = MatrixCell(kappa, units)
        if pair is None:
            rows.append((f"{a} and {b}", _TOO_FEW, "", ""))
            continue
        text = "undefined: nothing varies" if kappa is None else f"{kappa:.1f}" + (" or more" if kappa == 0.9 else "")
        rows.append((f"{a} and {b}", f"{units:,}", ratio_text(pair.raw), text))
    columns = ("Curators", "Families of both", "Raw agreement", "Kappa")
    return ProgressSection(
        "kappa",
        "Curator by curator",
        "Two who agree far better with each other than with the rest deserve a look, and one who agrees with nobody.",
        [DataTable("Every two curators, on the families that both have judged", columns, rows)],
        MatrixChart("Cohen's kappa of every two", names, cells),
    )


def margins_section(tables: WeeklyTables) -> ProgressSection:
    """Return the section on the votes by which families were decided."""
    total = sum(tables.margins.values())
    rows, bars = [], []
    for (ins, outs), count in tables.margins.items():
        name, share = f"{ins} in, {outs} out", f"{count / total:.0%}"
        rows.append((name, f"{count:,}", share))
        bars.append(Bar(name, count, f"{count:,}, {share}"))
    table = DataTable("Decisions by their votes", ("Votes", "Decisions", "Share"), rows)
    votes = sum([(ins + outs) * count for (ins, outs), count in tables.margins.items()])
    text = "Each family counts by its closest form."
    if total:
        text = f"A decision took {votes / total:.2f} votes. {text}"
    return ProgressSection("margins", "Margins", text, [table], BarChart("Decisions by their votes", bars))


def influence_section(tables: WeeklyTables) -> ProgressSection:
    """Return the section on the decisions that rest on one curator's votes."""
    rows = []
    for curator, share in tables.influence.items():
        if share.counted < MIN_MOVED or share.ratio is None:
            rows.append((curator, f"fewer than {MIN_MOVED} decisions", ""))
        else:
            percent = round(share.ratio * 100)
            rows.append((curator, f"{percent}%", "to look at" if percent > MAX_INFLUENCE * 100 else ""))
    return ProgressSection(
        "influence",
        "Influence",
        "How many decisions would be different without a curator's votes. The others should look at a curator who"
        f" changes more than {MAX_INFLUENCE:.0%}.",
        [DataTable("Decisions that rest on one curator", ("Curator", "Share of decisions moved", "Note"), rows)],
        is_folded=False,
    )


def steadiness_section(tables: WeeklyTables) -> ProgressSection:
    """Return the section on the curators' answers to checks."""
    rows = [
        (curator, share_text(each.repeats), share_text(each.known_items)) for curator, each in tables.steadiness.items()
    ]
    columns = ("Curator", "Repeats answered as before", "Known items answered as decided")
    return ProgressSection(
        "steadiness",
        "Steadiness",
        "One card in twenty is a silent repeat and one a family that is decided. Families still open are left out.",
        [DataTable("Answers to repeats and known items", columns, rows)],
        is_folded=False,
    )


def effort_section(tables: WeeklyTables) -> ProgressSection:
    """Return the section on the seconds that a card takes."""
    named = {curator or "all": each for curator, each in tables.efforts.items()}
    rows, bars = [], []
    for name, each in named.items():
        rows.append((name, f"{count_in_tens(each.cards):,}", f"{each.seconds:.0f}"))
        bars.append(Bar(name, round(each.seconds), f"{each.seconds:.0f} s, {count_in_tens(each.cards):,} cards"))
    return ProgressSection(
        "seconds",
        "Effort",
        f"The median; cards that took more than {MAX_CARD_SECONDS:.0f} seconds are left out.",
        [DataTable("Seconds a card", ("Curator", "Cards", "Median seconds"), rows)],
        BarChart("Seconds a card, in the median", bars),
    )


def contested_section(tables: WeeklyTables) -> ProgressSection:
    """Return the section on the classes whose families are contested most often."""
    by_number = sorted(tables.kinds.items(), key=lambda each: (-each[1].contested, each[0]))
    bars = [
        Bar(name, kind.contested, f"{kind.contested:,} of {kind.decided:,}") for name, kind in by_number[:MAX_PATTERNS]
    ]
    rows = [
        (name, f"{kind.ins:,}", f"{kind.outs:,}", f"{kind.contested:,}", share_text(kind.agreeing))
        for name, kind in by_number
    ]
    columns = ("Class", "In", "Out", "Contested", "Raw agreement")
    return ProgressSection(
        "contested",
        "Contested by class",
        "Families by how they may have been made, as far as votes decided them. Contested are those that ever were.",
        [DataTable("Decisions by class, as counts", columns, rows)],
        BarChart("Contested families by class", bars),
    )


WEEKLY_SECTIONS: Final = {
    "alpha": agreement_section,
    "drift": drift_section,
    "kappa": pairwise_section,
    "margins": margins_section,
    "influence": influence_section,
    "steadiness": steadiness_section,
    "seconds": effort_section,
    "contested": contested_section,
}


def everyday_text(borderline: float, flagged: float) -> str:
    """Return how much of everyday use is open, as the page says it, from the numbers in a million words."""

    def number(per_million: float) -> str:
        of_thousand = per_million / 1_000
        return "none" if not of_thousand else f"{of_thousand:.1f}" if of_thousand >= 0.1 else "fewer than 0.1"

    return (
        f"Of 1,000 words that people write, {number(borderline + flagged)} wait for a decision:"
        f" {number(borderline)} are out until then, {number(flagged)} are in. Their families come first."
    )


def count_in_tens(count: int) -> int:
    """Return a count rounded down to tens."""
    return count // 10 * 10


def ratio_text(ratio: float | None) -> str:
    """Return a share rounded to a twentieth; neither all nor none is told apart from nearly so."""
    if ratio is None:
        return "undefined"
    steps = min(_STEP - 1, max(1, round(ratio * _STEP)))
    percent = f"{steps * 100 // _STEP}%"
    return {1: f"at most {percent}", _STEP - 1: f"at least {percent}"}.get(steps, percent)


def share_text(share: Share) -> str:
    """Return a share rounded to a twentieth."""
    return _TOO_FEW if share.total < MIN_FAMILIES else ratio_text(share.ratio)


def _agreement_row(name: str, found: Agreement | None) -> tuple[str, ...]:
    if found is None or found.families < MIN_FAMILIES:
        return (name, _TOO_FEW, "", "", "")
    alpha = f"undefined: {found.undefined_reason}" if found.alpha is None else f"{found.alpha:.2f}"
    is_defined = found.low is not None and found.high is not None
    interval = f"{found.low:.2f} to {found.high:.2f}" if is_defined else "undefined: too little varies"
    return (name, f"{count_in_tens(found.families):,}", ratio_text(found.raw), alpha, interval)


def _evenings_text(count: int | None) -> str:
    return "unknown" if count is None else str(count)


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
