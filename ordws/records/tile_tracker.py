"""The tiles of a recorded game: whether those on the board and on a rack can have come out of one bag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ordws.records.finding import AuditFinding, FindingKind
from ordws.records.tile_distributions import TileDistribution
from ordws.rules.ruleset import RuleSet
from ordws.rules.tiles import BLANK


class TileTracker:
    """The numbers of tiles of one game, in all and off the board."""

    def __init__(self, rules: RuleSet, distribution: TileDistribution, findings: list[AuditFinding]) -> None:
        self.distribution = distribution
        self.findings = findings
        self.on_board = 0
        """The number of tiles on the board."""

        # A damaged record may put more of a letter on the board than there is: then its number is below zero.
        self._left = dict(distribution.counts)
        self._rack_size = rules.rack_size
        whole = sum(distribution.counts.values())
        self.total = rules.scoop if distribution.has_standard_values else whole
        """The number of tiles that the game is played with."""

        self.is_whole = self.total == whole
        """True if every tile of the set is in the game, so that the unseen ones are known."""

        # Each letter of which there are too many is reported once, since one slip shows on many lines.
        self._reported: set[str] = set()

    def place(self, line: int, tiles: Sequence[str]) -> None:
        """Put tiles on the board and report letters of which there are then too many."""
        left = self._left
        self.on_board += len(tiles)
        for tile in tiles:
            left[tile] = remaining = left.get(tile, 0) - 1
            if remaining < 0 and tile not in self._reported:
                self._reported.add(tile)
                total = self.distribution.counts.get(tile, 0)
                message = f"the board has {total - remaining} of {_tile_name(tile)}, the bag had {total}"
                self.findings.append(AuditFinding(line, FindingKind.BAG, total - remaining, total, message))

    def remove(self, tiles: Sequence[str]) -> None:
        """Take tiles off the board."""
        self.on_board -= len(tiles)
        for tile in tiles:
            self._left[tile] = self._left.get(tile, 0) + 1

    def unseen(self) -> Counter[str]:
        """Return the tiles that are not on the board."""
        return +Counter(self._left)

    def bag_count(self, players: int) -> int:
        """Return how many tiles are left to draw if every rack is full, since a record does not keep the draws."""
        return max(self.total - self.on_board - players * self._rack_size, 0)

    def check_rack(self, line: int, rack: str, needed: Sequence[str] = (), move_text: str = "") -> None:
        """Report the first fault of a rack: strange tiles, too many, too few for the move, or impossible ones."""
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
                self._reported.add(tile)
                total = self.distribution.counts.get(tile, 0)
                seen = total - self._left.get(tile, 0) + tiles.count(tile)
                return f"cannot be: with the board it makes {seen} of {_tile_name(tile)}, the bag had {total}"
        return None


def _tile_name(tile: str) -> str:
    return "the blank" if tile == BLANK else f'"{tile}"'
