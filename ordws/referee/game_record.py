"""The record of a finished sealed game, as its players are sent it."""

from __future__ import annotations

from ordws.records.gcg import write_gcg
from ordws.records.gcg_export import to_gcg_record
from ordws.records.record import Pragma
from ordws.referee.sealed_game import SealedGame


def write_game_record(sealed_game: SealedGame) -> bytes:
    """Return the record (GCG), with the id of the game and the name of its edition (docs/interfaces.md 4.2).

    It shows all racks, and is for games that are over.
    """
    header = sealed_game.header
    pragmas = [Pragma(0, "id", f"ordws {header.game}"), Pragma(0, "lexicon", header.edition_name)]
    return write_gcg(to_gcg_record(sealed_game.game, [name or "" for name in sealed_game.seat_names], pragmas))
