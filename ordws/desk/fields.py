"""The fields of a form or of the desk's line, read as what a command takes. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from ordws.errors import BadInput
from ordws.tournament.facts import ForfeitedBy, OneSide, SideResult, TableResult
from ordws.tournament.results import check_result, parse_side

Fields = Mapping[str, str]
_MOST_DIGITS: Final = 12


def read_number(fields: Fields, name: str, default: int | None = None) -> int:
    """Return the whole number of a field; raise BadInput where there is none and no default."""
    text = fields.get(name, "").strip()
    if not text and default is not None:
        return default
    try:
        return int(text)
    except ValueError:
        raise BadInput(f'the {name.replace("_", " ")} is "{text}": expected a whole number') from None


def read_amount(fields: Fields, name: str, default: int) -> int:
    """Return an amount of money in hundredths, from a text such as "12", "12.5" or "12.50"."""
    text = fields.get(name, "").strip()
    if not text:
        return default
    whole, _, cents = text.partition(".")
    if not (whole.isdecimal() and len(cents) <= 2 and (cents.isdecimal() or not cents)):
        raise BadInput(f'the {name.replace("_", " ")} is "{text}": expected an amount such as 12.50')
    if len(whole) > _MOST_DIGITS:
        raise BadInput(f"the {name.replace('_', ' ')} has {len(whole):,} digits: expected {_MOST_DIGITS} at most")
    return int(whole) * 100 + int(cents.ljust(2, "0"))


def read_reason(fields: Fields) -> str:
    """Return the reason; raise BadInput where it is missing."""
    reason = fields.get("reason", "").strip()
    if not reason:
        raise BadInput("the reason is missing", hint="it stands in the log for whoever asks later")
    return reason


def read_row(row: str) -> tuple[str, str, bool, str]:
    """Return the name, the club, the mark for minors and the member number of a row about a player.

    The club follows after a tab or a semicolon; "minor" may follow, and "member" with the number.
    """
    name, club, *more = [*[part.strip() for part in row.replace("\t", ";").split(";")], ""]
    members = [rest for word, _, rest in [each.partition(" ") for each in more] if word.casefold() == "member"]
    return name, club, "minor" in [each.casefold() for each in more], members[0] if members else ""


def read_game(fields: Fields) -> dict[str, Any]:
    """Return the round, the table and the game that the fields name."""
    return {name: read_number(fields, name, 1 if name == "game" else None) for name in ("round", "table", "game")}


def read_result(fields: Fields) -> TableResult:
    """Return the result that the fields tell, checked; raise BadInput for one that no game can have.

    A side is one field, as in "412:398/13", or three: `first_score`, `first_points` and `first_turns`.
    """
    forfeit = fields.get("forfeit", "")
    if forfeit:
        if forfeit not in ("first", "second", "both"):
            raise BadInput(f'"{forfeit}" did not forfeit: expected first, second or both')
        return TableResult(forfeit=cast(ForfeitedBy, forfeit))
    remarks = {
        name: cast(OneSide, side)
        for name in ("resigned", "time_up")
        if (side := fields.get(name, "")) in ("first", "second")
    }
    result = TableResult(first=_read_side(fields, "first"), second=_read_side(fields, "second"), **remarks)
    check_result(result)
    return result


def _read_side(fields: Fields, side: str) -> SideResult:
    if fields.get(side):
        return parse_side(fields[side])
    names = {name: f"{side}_{name}" for name in ("score", "points", "turns")}
    missing = [name for name, field in names.items() if not fields.get(field, "").strip()]
    if missing:
        raise BadInput(f"the {side} player's {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")
    return SideResult(*(read_number(fields, field) for field in names.values()))
