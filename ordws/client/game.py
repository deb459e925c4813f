# Generated from async_game.py by `python tests/client/derive_sync_client.py`; do not edit.
"""A sealed game as a program without asyncio plays it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from ordws.client.replies import OpenedGame, Standing, Turn

if TYPE_CHECKING:
    from ordws.client.client import Client


class _SharedTurn:
    """The number of the next turn, as the seats of one game in one program have last seen it."""

    turn: int | None = None


class RemoteSeat:
    """A seat of a sealed game, which sees only its own rack and sends its moves.

    A move is for the turn that this seat, or another seat of the same `RemoteGame`, has seen last. If somebody has
    moved since, TurnAlreadyTaken is raised and nothing happens: call `see`, and choose again.
    """

    def __init__(self, client: Client, game: str, token: str, player: str | None = None) -> None:
        self.game, self.player, self.token = game, player, token
        self._client = client
        self._shared_turn = _SharedTurn()

    def see(self) -> Standing:
        """Return the state of the game, as this seat may see it."""
        standing = self._client.standing(self.game, self.token)
        self._shared_turn.turn = standing.turn
        return standing

    def wait(self, every_seconds: float = 1.0) -> Standing:
        """Look every `every_seconds` until this seat is to act or the game is over, and return the state then."""
        while not ((standing := self.see()).is_mine or standing.is_over):
            self._client.pause(every_seconds)
        return standing

    def play(self, move: str, *, swaps: Iterable[str] = ()) -> Turn:
        """Play `"8D STAiNER"`, after taking the blanks of `swaps=["=H8"]`.

        Any other move in the service's notation can be given too.
        """
        return self._take(move, swaps=swaps)

    def exchange(self, tiles: str, *, swaps: Iterable[str] = ()) -> Turn:
        """Exchange these tiles of the rack, `?` for a blank."""
        return self._take(f"-{tiles}", swaps=swaps)

    def pass_turn(self, *, swaps: Iterable[str] = ()) -> Turn:
        """Pass, or let a play stand that might be challenged, or go on without a check of the OSPD."""
        return self._take("-", swaps=swaps)

    def challenge(self, words: str | Iterable[str] | None = None) -> Turn:
        """Challenge the last play: all its new words, or only these."""
        return self._take("challenge", words=words)

    def check_ospd(self, word: str | None = None) -> Turn:
        """Check the OSPD for this seat's rejected play; in Dover's form for one word of it."""
        return self._take("check-ospd", word=word)

    def resign(self) -> Turn:
        """Resign from the game."""
        return self._take("resign")

    def record(self) -> str:
        """Return the finished game as GCG; before its end, raise Conflict with code `game-not-over`."""
        return self._client.record(self.game, self.token)

    def _take(
        self, move: str, *, swaps: Iterable[str] = (), words: str | Iterable[str] | None = None, word: str | None = None
    ) -> Turn:
        turn = self._shared_turn.turn or (self.see()).turn
        taken = self._client.take_turn(self.game, self.token, turn, move, swaps=swaps, words=words, word=word)
        self._shared_turn.turn = taken.standing.turn
        return taken

    def __repr__(self) -> str:
        return f"RemoteSeat(game={self.game!r}, player={self.player!r})"


class RemoteGame:
    """A sealed game that this program has opened; players elsewhere need its `id` and the `token` of their seat."""

    def __init__(self, client: Client, opened: OpenedGame) -> None:
        self.id: str = opened.game
        self.rules: str = opened.rules
        self.edition: str = opened.edition
        self.expires: datetime = opened.expires
        self.seats: tuple[RemoteSeat, ...] = tuple(
            [RemoteSeat(client, opened.game, seat.token, seat.player) for seat in opened.seats]
        )
        shared_turn = _SharedTurn()
        shared_turn.turn = opened.turn
        # A seat whose program plays the other seats too knows their moves without asking for them.
        for seat in self.seats:
            seat._shared_turn = shared_turn

    def __repr__(self) -> str:
        return f"RemoteGame({self.id!r}, rules={self.rules!r}, seats={len(self.seats)})"
