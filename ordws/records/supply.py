"""Where the tiles are: whether what is laid and held can have come out of one bag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ordws.records.finding import Finding, Kind
from ordws.records.letters import Letters
from ordws.rules.ruleset import RuleSet
from ordws.rules.tiles import BLANK


class Supply:
    """The tiles of one game: how many there are, and how many of each are not on the board."""

    def __init__(self, rules: RuleSet, letters: Letters, findings: list[Finding]) -> None:
        self.letters = letters
        self.findings = findings
        self.count = 0
        """Tiles on the board."""

        self._left = dict(letters.counts)
        """Of each letter how many are not on the board; below zero where it has too many."""

        self._rack_size = rules.rack_size
        whole = sum(letters.counts.values())
        self.total = rules.scoop if letters.is_plain else whole
        self.is_whole = self.total == whole
        """Whether every tile of the set is in the game, so that the unseen ones are known."""

        self._told: set[str] = set()
        """Letters of which there are too many: one slip shows on many lines."""

    def lay(self, line: int, tiles: Sequence[str]) -> None:
        """Tiles come on the board; the first too many of a letter is told."""
        left = self._left
        self.count += len(tiles)
        for tile in tiles:
            left[tile] = now = left.get(tile, 0) - 1
            if now < 0 and tile not in self._told:
                self._told.add(tile)
                there = self.letters.counts.get(tile, 0)
                message = f"the board has {there - now} of {_named(tile)}, the bag had {there}"
                self.findings.append(Finding(line, Kind.BAG, there - now, there, message))

    def lift(self, tiles: Sequence[str]) -> None:
        self.count -= len(tiles)
        for tile in tiles:
            self._left[tile] = self._left.get(tile, 0) + 1

    def unseen(self) -> Counter[str]:
        """What is not on the board."""
        return +Counter(self._left)

    def in_bag(self, players: int) -> int:
        """How many tiles are left to draw while every rack is full."""
        return max(self.total - self.count - players * self._rack_size, 0)

    def read_rack(self, line: int, rack: str, needed: Sequence[str] = (), doing: str = "") -> None:
        """Tell the first thing that is wrong with a rack: strange tiles, too many, too few for the move, impossible."""
        if rack and (fault := self._find_fault(rack, needed, doing)):
            self.findings.append(Finding(line, Kind.RACK, rack, None, f'the rack "{rack}" {fault}'))

    def _find_fault(self, rack: str, needed: Sequence[str], doing: str) -> str | None:
        tiles = self.letters.find_tiles(rack)
        if tiles is None:
            return "has what is no tile"
        if len(tiles) > self._rack_size:
            return f"has {len(tiles)} tiles, {self._rack_size} are a full one"
        for tile in needed:
            if needed.count(tile) > tiles.count(tile):
                return f'has not enough of {_named(tile)} for "{doing}"'
        for tile in tiles:
            if tiles.count(tile) > self._left.get(tile, 0) and tile not in self._told:
                return self._tell_surplus(tile, tiles.count(tile))
        return None

    def _tell_surplus(self, tile: str, count: int) -> str:
        """Rack and board together have too many of a letter of which the board alone has not; each is told once."""
        self._told.add(tile)
        there = self.letters.counts.get(tile, 0)
        here = there - self._left.get(tile, 0) + count
        return f"cannot be: with the board it makes {here} of {_named(tile)}, the bag had {there}"


def _named(tile: str) -> str:
    return "the blank" if tile == BLANK else f'"{tile}"'
