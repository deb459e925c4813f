"""What GCG has no form for, kept in notes that begin with `ordws`: read and written. (INTERFACES 4)"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from ordws.records.move_notation import SwapSquares, find_start
from ordws.rules.board import square_name
from ordws.rules.options import BadOption, changed_options, with_options
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import RULE_SETS

_EXTENSION_PATTERN: Final = re.compile(r"ordws\s+(\S+)\s*(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SwapsBefore:
    """Blanks that were swapped before this line; the rack of a move is written as it was after."""

    squares: SwapSquares


@dataclass(frozen=True, slots=True)
class CheckedOspd:
    """What a check of the OSPD said of the play just taken off, and of which word where one was named."""

    found: bool
    word: str = ""


@dataclass(frozen=True, slots=True)
class OspdDeduction:
    """The points are what a check of the OSPD cost."""


@dataclass(frozen=True, slots=True)
class DirectorAdjustment:
    """The points are the director's: their kind and his reason."""

    kind: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CaughtPlay:
    """A bad play that was noticed late: its line in the record, or the play itself."""

    play: str


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """A player has no further turns, and why: he resigned, or his time was up."""

    nick: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game ended here."""

    reason: str


GcgExtension: TypeAlias = (
    SwapsBefore | CheckedOspd | OspdDeduction | DirectorAdjustment | CaughtPlay | PlayerLeft | GameEnded
)


def read_extension(note: str) -> GcgExtension | str | None:
    """The fact of a note; None where the note is not ours, a sentence where it is and cannot be understood."""
    found = _EXTENSION_PATTERN.fullmatch(note)
    if found is None:
        return None
    name, rest = found[1], found[2].strip()
    match name, rest.split():
        case "swap", [_, *_] as squares:
            return _read_swap(squares)
        case "check-ospd", ["found" | "not-found" as said, *word]:
            return CheckedOspd(said == "found", " ".join(word).upper())
        case "deducted", ["check-ospd"]:
            return OspdDeduction()
        case "adjusted", [_, *_]:
            kind, _, reason = rest.partition(":")
            return DirectorAdjustment(kind.strip(), reason.strip())
        case "caught", [_, *_]:
            return CaughtPlay(rest)
        case "left", [nick, *why]:
            return PlayerLeft(nick, " ".join(why))
        case "ended", _:
            return GameEnded(rest)
        case _:
            return f'the note "{note}" begins as one of ours and is none'


def write_extension(extension: GcgExtension) -> str:
    """The text of a note."""
    match extension:
        case SwapsBefore(squares):
            return "ordws swap " + " ".join(["=" + square_name(*square) for square in squares])
        case CheckedOspd(found, word):
            return f"ordws check-ospd {'found' if found else 'not-found'} {word}".rstrip()
        case OspdDeduction():
            return "ordws deducted check-ospd"
        case DirectorAdjustment(kind, reason):
            return f"ordws adjusted {kind}: {reason}".rstrip()
        case CaughtPlay(play):
            return f"ordws caught {play}"
        case PlayerLeft(nick, why):
            return f"ordws left {nick} {why}".rstrip()
        case GameEnded(because):
            return f"ordws ended {because}".rstrip()


def _read_swap(texts: list[str]) -> SwapsBefore | str:
    squares = [find_start(text.removeprefix("=")) for text in texts]
    known = [square[:2] for square in squares if square is not None]
    if len(known) < len(squares):
        return f'"{" ".join(texts)}" are no squares'
    return SwapsBefore(tuple(known))


def read_rules_description(description: str) -> RuleSet | str | None:
    """The rule set of a description that is ours; None where it is not, a sentence where it cannot be followed."""
    found = _EXTENSION_PATTERN.fullmatch(description)
    if found is None or not found[1].startswith("rules="):
        return None
    first, *options = description.split()[1:]
    name = first.removeprefix("rules=")
    if name not in RULE_SETS:
        return f'"{name}" is none of {", ".join(RULE_SETS)}'
    try:
        return with_options(RULE_SETS[name], dict([option.partition("=")[::2] for option in options]))
    except BadOption as err:
        return str(err)


def write_rules_description(rules: RuleSet) -> str:
    """The text of a description that names the rule set and what is varied in it."""
    return " ".join(
        ["ordws", f"rules={rules.id}", *(f"{name}={value}" for name, value in changed_options(rules).items())]
    )
