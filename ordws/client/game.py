# Generated from async_game.py by `python tests/client/derive_sync_client.py`; do not edit.
"""A sealed game as a program without asyncio plays it."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from datetime import datetime
from typing import TYPE_CHECKING

from ordws.client.game_replies import OpenedGame, Standing, Turn
from ordws.client.stream import Reopening, Woken

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

    def __init__(
        self, client: Client, game: str, token: str, player: str | None = None, invitation: str | None = None
    ) -> None:
        self.game, self.player, self.token, self.invitation = game, player, token, invitation
        self._client = client
        self._shared_turn = _SharedTurn()
        self._woken: Woken | None = None
        self._woken_at = 0.0

    def see(self) -> Standing:
        """Return the state of the game, as this seat may see it."""
        standing = self._client.standing(self.game, self.token)
        self._shared_turn.turn = standing.turn
        return standing

    def wait(self, every_seconds: float = 1.0) -> Standing:
        """Return the state of the game as soon as this seat is to act or the game is over; see `standings`."""
        with closing(self.standings(every_seconds)) as standings:
            for standing in standings:
                if standing.is_mine or standing.is_over:
                    break
        return standing

    def standings(self, every_seconds: float = 1.0) -> Generator[Standing, None, None]:
        """Yield the state of the game, now and after each change, until it is over.

        A stream tells of changes; where there is none, the seat looks every `every_seconds`. Raises StreamReplaced when
        a newer stream of the seat was opened.
        """
        standing, reopening = self.see(), Reopening()
        yield standing
        while not standing.is_over:
            with closing(self._changes(reopening, every_seconds)) as changes:
                for row in changes:
                    if row is not None and row < standing.turn:
                        continue
                    before, standing = standing, self.see()
                    # The time until the state was here is the network's too.
                    self._woken_at = self._client.now()
                    if standing.turn != before.turn:
                        yield standing
                    if standing.is_over:
                        break

    def _changes(self, reopening: Reopening, every_seconds: float) -> Generator[int | None, None, None]:
        """Yield the number of rows whenever the stream tells it, and None after a pause without a stream."""
        if reopening.begin(self._client.now()):
            with closing(self._client.watch(self.game, self.token)) as news:
                for woken in news:
                    self._woken, self._woken_at = woken, self._client.now()
                    yield woken.row
            reopening.end(self._client.now())
        self._client.pause(every_seconds)
        yield None

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
        nonce, held = None, 0
        if self._woken is not None and self._woken.row == turn - 1:
            nonce, held = self._woken.nonce, round(1_000 * (self._client.now() - self._woken_at))
        taken = self._client.take_turn(
            self.game, self.token, turn, move, swaps=swaps, words=words, word=word, nonce=nonce, held=held
        )
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
            [RemoteSeat(client, opened.game, seat.token, seat.player, seat.invitation) for seat in opened.seats]
        )
        shared_turn = _SharedTurn()
        shared_turn.turn = opened.turn
        # A seat whose program plays the other seats too knows their moves without asking for them.
        for seat in self.seats:
            seat._shared_turn = shared_turn

    def __repr__(self) -> str:
        return f"RemoteGame({self.id!r}, rules={self.rules!r}, seats={len(self.seats)})"
