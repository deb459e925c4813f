"""A sealed game as a program without asyncio plays it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from ordws.client.replies import OpenedGame, Standing, Turn

if TYPE_CHECKING:
    from ordws.client.client import Client


class _SharedTurn:
    """The number of the next turn, as it was last seen by any seat that one program plays."""

    turn: int | None = None


class RemoteSeat:
    """A seat of a sealed game: sees its own rack alone, and sends its moves.

    A move is for the turn that was seen last, here or by another seat of the same `Game`. When others have moved
    since, it is refused as TurnTaken, and nothing happens: `see`, and choose again.
    """

    def __init__(self, client: Client, game: str, token: str, player: str | None = None) -> None:
        self.game, self.player, self.token = game, player, token
        self._client = client
        self._shared_turn = _SharedTurn()

    def see(self) -> Standing:
        """Where the game stands, as this seat may see it."""
        standing = self._client.standing(self.game, self.token)
        self._shared_turn.turn = standing.turn
        return standing

    def wait(self, every_seconds: float = 1.0) -> Standing:
        """Where the game stands as soon as this seat is to act or the game is over; looks every so often until then."""
        while not ((standing := self.see()).is_mine or standing.is_over):
            self._client.pause(every_seconds)
        return standing

    def play(self, move: str, *, swaps: Iterable[str] = ()) -> Turn:
        """Play `"8D STAiNER"`, after taking the blanks of `swaps=["=H8"]`; or any move as the service writes it."""
        return self._take(move, swaps=swaps)

    def exchange(self, tiles: str, *, swaps: Iterable[str] = ()) -> Turn:
        """Exchange these tiles of the rack, `?` for a blank."""
        return self._take(f"-{tiles}", swaps=swaps)

    def pass_turn(self, *, swaps: Iterable[str] = ()) -> Turn:
        """Pass; also lets a play stand that might be challenged, and goes on without a check of the OSPD."""
        return self._take("-", swaps=swaps)

    def challenge(self, words: str | Iterable[str] | None = None) -> Turn:
        """Challenge the last play, or of its new words these."""
        return self._take("challenge", words=words)

    def check_ospd(self, word: str | None = None) -> Turn:
        """Check the OSPD for one's rejected play; in Dover's form for one word of it."""
        return self._take("check-ospd", word=word)

    def resign(self) -> Turn:
        """Leave the game."""
        return self._take("resign")

    def record(self) -> str:
        """The game as GCG, once it is over; before, a Conflict with code `game-not-over`."""
        return self._client.record(self.game, self.token)

    def _take(
        self, move: str, *, swaps: Iterable[str] = (), words: str | Iterable[str] | None = None, word: str | None = None
    ) -> Turn:
        turn = self._shared_turn.turn or (self.see()).turn
        taken = self._client.take_turn(self.game, self.token, turn, move, swaps=swaps, words=words, word=word)
        self._shared_turn.turn = taken.standing.turn
        return taken

    def __repr__(self) -> str:
        return f"Seat(game={self.game!r}, player={self.player!r})"


class RemoteGame:
    """A sealed game that this program has opened: give each player `id` and the token of a seat, or play them here."""

    def __init__(self, client: Client, opened: OpenedGame) -> None:
        self.id: str = opened.game
        self.rules: str = opened.rules
        self.edition: str = opened.edition
        self.expires: datetime = opened.expires
        self.seats: tuple[RemoteSeat, ...] = tuple(
            [RemoteSeat(client, opened.game, seat.token, seat.player) for seat in opened.seats]
        )
        seen = _SharedTurn()
        seen.turn = opened.turn
        for seat in self.seats:
            seat._shared_turn = seen

    def __repr__(self) -> str:
        return f"Game({self.id!r}, rules={self.rules!r}, seats={len(self.seats)})"
