"""The consequences of time; events bring the milliseconds used (docs/rules.md 8).

For the browser, ordws/web/pages/static/game-ending.js holds these rules.
"""

from __future__ import annotations

from ordws.rules.ruleset import Clock, RuleSet
from ordws.rules.state import DepartureReason


def is_untimed(rules: RuleSet) -> bool:
    """Return whether no clock limits the game as a whole; a clock for each turn does not (docs/rules.md A-25)."""
    return rules.clock in (Clock.NONE, Clock.TURN) or not rules.clock_seconds


def has_turn_limit(rules: RuleSet) -> bool:
    """Return whether each turn has a time of its own, after which it is lost (docs/rules.md 8.3)."""
    return rules.clock is Clock.TURN and rules.clock_seconds > 0


def has_game_limit(rules: RuleSet) -> bool:
    """Return whether a player whose time is up takes no more turns (docs/rules.md 8.2)."""
    return rules.clock is Clock.TOTAL and not is_untimed(rules)


def overtime_rate(rules: RuleSet) -> int:
    """Return the points that each minute begun over time costs; 0 if overtime is not allowed (docs/rules.md 8.1)."""
    return rules.overtime_points if rules.clock is Clock.OVERTIME else 0


def seconds_over(rules: RuleSet, milliseconds: int) -> int:
    """Return the whole seconds by which the time used is over that of the rule set; negative if some is left."""
    return milliseconds // 1_000 - rules.clock_seconds


def overtime_penalty(rules: RuleSet, milliseconds: int) -> int:
    """Return the points, zero or negative, for the time used; each minute begun counts (docs/rules.md 8.1)."""
    over = seconds_over(rules, milliseconds)
    if is_untimed(rules) or over <= 0:
        return 0
    return -overtime_rate(rules) * -(-over // 60)  # the inner minus signs round the minutes up


def find_expiry(rules: RuleSet, milliseconds: int) -> DepartureReason | None:
    """Return why a player who has used this much time is out of the game; None for a player who is still in it."""
    over = seconds_over(rules, milliseconds)
    if has_game_limit(rules) and over >= 0:
        return DepartureReason.TIME_UP
    if rules.clock is Clock.OVERTIME and not is_untimed(rules) and over > 60 * rules.overtime_minutes:
        return DepartureReason.OVERTIME
    return None
