"""Swiss pairing as FIDE's Dutch system has it, by py4swiss: a baseline of average pairing."""

from __future__ import annotations

import numpy as np
from py4swiss.engines import DutchEngine
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

from ordws.tournament.simulation import SimulatedEvent

_NO_OPPONENT = 0


class DutchPairing:
    """Draws the rounds of a simulated event, whose results it learns from the wins of its players."""

    def __init__(self) -> None:
        self.results: list[list[RoundResult]] = []
        self.wins: np.ndarray | None = None
        self.drawn: list[tuple[int, int]] = []
        self.bye: int | None = None

    def __call__(self, event: SimulatedEvent) -> tuple[np.ndarray, np.ndarray, int | None]:
        if self.wins is None:
            self.results = [[] for _ in event.numbers]
        else:
            self._learn(event.doubled_wins - self.wins)
        self.wins = event.doubled_wins.copy()
        pairings = DutchEngine.generate_pairings(self._as_trf(event))
        sides = [(pair.white, pair.black) for pair in pairings]
        self.drawn = [(white - 1, black - 1) for white, black in sides if white and black]
        self.bye = next((max(pair) - 1 for pair in sides if _NO_OPPONENT in pair), None)
        white, black = np.array(self.drawn, np.int64).reshape(-1, 2).T
        return white, black, self.bye

    def _learn(self, gained: np.ndarray) -> None:
        """Add the results of the round that was drawn last."""
        tokens = {0: ResultToken.LOSS, 1: ResultToken.DRAW, 2: ResultToken.WIN}
        for sides in self.drawn:
            colors = (ColorToken.WHITE, ColorToken.BLACK)
            for row, other, color in zip(sides, sides[::-1], colors, strict=True):
                self.results[row].append(RoundResult(id=other + 1, color=color, result=tokens[int(gained[row])]))
        if self.bye is not None:
            none = ColorToken.BYE_OR_NOT_PAIRED
            token = ResultToken.PAIRING_ALLOCATED_BYE
            self.results[self.bye].append(RoundResult(id=_NO_OPPONENT, color=none, result=token))

    def _as_trf(self, event: SimulatedEvent) -> ParsedTrf:
        """Return the event as FIDE's report has it, its players in the order of their numbers: nobody is rated."""
        x_section = XSection(number_of_rounds=event.rounds)
        points = x_section.scoring_point_system
        players = [
            PlayerSection(
                code=PlayerCode.PLAYER,
                starting_number=number,
                name=str(number),
                points_times_ten=sum(points.get_points_times_ten(result) for result in results),
                rank=number,
                results=results,
            )
            for number, results in zip(event.numbers.tolist(), self.results, strict=True)
        ]
        return ParsedTrf(player_sections=players, x_section=x_section)
