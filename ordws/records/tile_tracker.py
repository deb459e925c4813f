"""Where the tiles are: whether what is laid and held can have come out of one bag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ordws.records.finding import AuditFinding, FindingKind
from ordws.records.tile_distributions import TileDistribution
from ordws.rules.ruleset import RuleSet
from ordws.rules.tiles import BLANK


class TileTracker:
    """The tiles of one game: how many there are, and how many of each are not on the board."""

    def __init__(self, rules: RuleSet, distribution: TileDistribution, findings: list[AuditFinding]) -> None:
        self.distribution = distribution
        self.findings = findings
        self.on_board = 0
        """Tiles on the board."""

        self._left = dict(distribution.counts)
        """Of each letter how many are not on the board; below zero where it has too many."""

        self._rack_size = rules.rack_size
        whole = sum(distribution.counts.values())
        self.total = rules.scoop if distribution.has_standard_values else whole
        self.is_whole = self.total == whole
        """Whether every tile of the set is in the game, so that the unseen ones are known."""

        self._reported: set[str] = set()
        """Letters of which there are too many: one slip shows on many lines."""

    def place(self, line: int, tiles: Sequence[str]) -> None:
        """Tiles come on the board; the first too many of a letter is told."""
        left = self._left
        self.on_board += len(tiles)
        for tile in tiles:
            left[tile] = now = left.get(tile, 0) - 1
            if now < 0 and tile not in self._reported:
                self._reported.add(tile)
                there = self.distribution.counts.get(tile, 0)
                message = f"the board has {there - now} of {_tile_name(tile)}, the bag had {there}"
                self.findings.append(AuditFinding(line, FindingKind.BAG, there - now, there, message))

    def remove(self, tiles: Sequence[str]) -> None:
        self.on_board -= len(tiles)
        for tile in tiles:
            self._left[tile] = self._left.get(tile, 0) + 1

    def unseen(self) -> Counter[str]:
        """What is not on the board."""
        return +Counter(self._left)

    def bag_count(self, players: int) -> int:
        """How many tiles are left to draw while every rack is full."""
        return max(self.total - self.on_board - players * self._rack_size, 0)

    def check_rack(self, line: int, rack: str, needed: Sequence[str] = (), move_text: str = "") -> None:
        """Tell the first thing that is wrong with a rack: strange tiles, too many, too few for the move, impossible."""
        if rack and (fault := self._find_rack_fault(rack, needed, move_text)):
            self.findings.append(AuditFinding(line, FindingKind.RACK, rack, None, f'the rack "{rack}" {fault}'))

    def _find_rack_fault(self, rack: str, needed: Sequence[str], move_text: str) -> str | None:
        tiles = self.distribution.split_rack(rack)
        if tiles is None:
            return "has what is no tile"
        if len(tiles) > self._rack_size:
            return f"has {len(tiles)} tiles, {self._rack_size} are a full one"
        for tile in needed:
            if needed.count(tile) > tiles.count(tile):
                return f'has not enough of {_tile_name(tile)} for "{move_text}"'
        for tile in tiles:
            if tiles.count(tile) > self._left.get(tile, 0) and tile not in self._reported:
                return self._report_surplus(tile, tiles.count(tile))
        return None

    def _report_surplus(self, tile: str, count: int) -> str:
        """Rack and board together have too many of a letter of which the board alone has not; each is told once."""
        self._reported.add(tile)
        there = self.distribution.counts.get(tile, 0)
        here = there - self._left.get(tile, 0) + count
        return f"cannot be: with the board it makes {here} of {_tile_name(tile)}, the bag had {there}"


def _tile_name(tile: str) -> str:
    return "the blank" if tile == BLANK else f'"{tile}"'
