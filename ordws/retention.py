"""The time for which everything is kept that is deleted by itself, and why: the table of docs/reference/settings.md.

Periods with a setting may be changed by keepers, in days, under `[retention]` of `settings.toml`.
"""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple

from msgspec import Meta, Struct

DAY: Final = 86_400


class Period(NamedTuple):
    """The seconds for which something is kept, with the reason."""

    what: str
    seconds: int
    why: str
    setting: str = ""


GAMES: Final = Period("rows of sealed games, from their opening", DAY, "a game is played within a day")
REPLIES: Final = Period("replies under an Idempotency-Key", DAY, "a caller who lost a reply asks again within the day")
CODES: Final = Period("codes that pair devices", 900, "a code is typed at once, and is guessed with time")
DEVICES: Final = Period("devices that were revoked", DAY, "they count towards the pairings of their day")
# A sealed game lasts at most a day and is judged by the edition that it began with. A word that was charged in it, or
# outside games, is for another day answered from the edition that it was charged under (docs/guard.md A-15).
EDITIONS: Final = Period("editions that were replaced", 49 * 3_600, "running games and repeated questions ask for them")
KEPT_GAMES: Final = Period(
    "finished games that devices kept, and games of events that stations are to play",
    14 * DAY,
    "the director looks over the boards of the last evenings",
    "kept_games_days",
)
JUDGE_LOG: Final = Period(
    "questions in a directors' log",
    400 * DAY,
    "a director looks up what was asked when there is a dispute",
    "judge_log_days",
)
RESULTS: Final = Period(
    "results of sealed games",
    400 * DAY,
    "events read them, and the records of a case are checked against them",
    "results_days",
)
PRACTICE: Final = Period(
    "games against the program, and their reviews", DAY, "a review is read after the game, and the games of a day count"
)
FAIR_PLAY: Final = Period(
    "numbers and flags of fair play", 400 * DAY, "a season is seen whole, and nobody is watched for longer"
)
EXHIBITS: Final = Period(
    "exhibits of cases without an entry, after their end",
    400 * DAY,
    "a later case may rest on the same games while fair play has their numbers",
    "case_exhibits_days",
)
# Questions are admitted by clocks that are up to a day behind, and an hour of a fast one counts.
METERS: Final = Period(
    "meters of a day, after its end", DAY + 2 * 3_600, "a late question finds its budgets, and a slow clock"
)
# They are most of what is stored. A late question whose marks are gone pays once more, within the budgets of its day.
MARKS: Final = Period("marks of a day's words, after its end", 2 * 3_600, "the hourly history is made from them")
HISTORY: Final = Period(
    "units and fingerprints of a client's days", 400 * DAY, "the report and the trace of a list look back on a year"
)
CONSOLE_SESSIONS: Final = Period(
    "sessions of the console and of cases", 12 * 3_600, "members sign in each day; two hours without use end one too"
)
DESK_SESSIONS: Final = Period("sessions of a desk", 10 * DAY, "players sign in once for a long event")
BROWSERS: Final = Period(
    "browsers from which somebody signed in, from the last time on", 180 * DAY, "strangers' failures do not refuse them"
)
INVITATIONS: Final = Period("links of invitations to accounts", 7 * DAY, "people open their post within the week")
PERIODS: Final = (
    GAMES,
    REPLIES,
    CODES,
    DEVICES,
    EDITIONS,
    KEPT_GAMES,
    JUDGE_LOG,
    RESULTS,
    PRACTICE,
    FAIR_PLAY,
    EXHIBITS,
    METERS,
    MARKS,
    HISTORY,
    CONSOLE_SESSIONS,
    DESK_SESSIONS,
    BROWSERS,
    INVITATIONS,
)

_Days = Annotated[int, Meta(ge=1, le=3_660)]


class Retention(Struct, frozen=True, forbid_unknown_fields=True):
    """The periods that keepers may change, in days."""

    kept_games_days: _Days = KEPT_GAMES.seconds // DAY
    judge_log_days: _Days = JUDGE_LOG.seconds // DAY
    results_days: _Days = RESULTS.seconds // DAY
    case_exhibits_days: _Days = EXHIBITS.seconds // DAY
