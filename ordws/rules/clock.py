"""What time does to a game. The time itself is told by events. (RULES 8)"""

from __future__ import annotations

from ordws.rules.ruleset import Clock, RuleSet
from ordws.rules.state import DepartureReason


def is_untimed(rules: RuleSet) -> bool:
    """Whether no clock limits the whole game: there is none, it is not set, or it limits each turn. (RULES A-25)"""
    return rules.clock in (Clock.NONE, Clock.TURN) or not rules.clock_seconds


def has_turn_limit(rules: RuleSet) -> bool:
    """Whether it is a turn that has a time of its own, and is over when that is up. (RULES 8.3)"""
    return rules.clock is Clock.TURN and rules.clock_seconds > 0


def has_game_limit(rules: RuleSet) -> bool:
    """Whether a player whose time is up is out of the game. (RULES 8.2)"""
    return rules.clock is Clock.TOTAL and not is_untimed(rules)


def overtime_penalty(rules: RuleSet, seconds: int) -> int:
    """The points, none or below zero, for having used so much time: each minute begun counts. (RULES 8.1, V-19)"""
    over = seconds - rules.clock_seconds
    if rules.clock is not Clock.OVERTIME or is_untimed(rules) or over <= 0:
        return 0
    return -rules.overtime_points * -(-over // 60)


def find_expiry(rules: RuleSet, seconds: int) -> DepartureReason | None:
    """How a player who has used so much time is out of the game; None while he is not."""
    over = seconds - rules.clock_seconds
    if has_game_limit(rules) and over >= 0:
        return DepartureReason.TIME_UP
    if rules.clock is Clock.OVERTIME and not is_untimed(rules) and over > 60 * rules.overtime_minutes:
        return DepartureReason.OVERTIME
    return None
