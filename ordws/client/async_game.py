"""A sealed game as a program that uses asyncio plays it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from datetime import datetime
from typing import TYPE_CHECKING

from ordws.client.replies import OpenedGame, Standing, Turn
from ordws.client.stream import Reopening, Woken

if TYPE_CHECKING:
    from ordws.client.async_client import AsyncClient


class _SharedTurn:
    """The number of the next turn, as the seats of one game in one program have last seen it."""

    turn: int | None = None


class AsyncRemoteSeat:
    """A seat of a sealed game, which sees only its own rack and sends its moves.

    A move is for the turn that this seat, or another seat of the same `AsyncRemoteGame`, has seen last. If somebody has
    moved since, TurnAlreadyTaken is raised and nothing happens: call `see`, and choose again.
    """

    def __init__(
        self, client: AsyncClient, game: str, token: str, player: str | None = None, invitation: str | None = None
    ) -> None:
        self.game, self.player, self.token, self.invitation = game, player, token, invitation
        self._client = client
        self._shared_turn = _SharedTurn()
        self._woken: Woken | None = None
        self._woken_at = 0.0

    async def see(self) -> Standing:
        """Return the state of the game, as this seat may see it."""
        standing = await self._client.standing(self.game, self.token)
        self._shared_turn.turn = standing.turn
        return standing

    async def wait(self, every_seconds: float = 1.0) -> Standing:
        """Return the state of the game as soon as this seat is to act or the game is over; see `standings`."""
        async with aclosing(self.standings(every_seconds)) as standings:
            async for standing in standings:
                if standing.is_mine or standing.is_over:
                    break
        return standing

    async def standings(self, every_seconds: float = 1.0) -> AsyncGenerator[Standing, None]:
        """Yield the state of the game, now and after each change, until it is over.

        A stream tells of changes; where there is none, the seat looks every `every_seconds`. Raises StreamReplaced when
        a newer stream of the seat was opened.
        """
        standing, reopening = await self.see(), Reopening()
        yield standing
        while not standing.is_over:
            async with aclosing(self._changes(reopening, every_seconds)) as changes:
                async for row in changes:
                    if row is not None and row < standing.turn:
                        continue
                    before, standing = standing, await self.see()
                    # The time until the state was here is the network's too.
                    self._woken_at = self._client.now()
                    if standing.turn != before.turn:
                        yield standing
                    if standing.is_over:
                        break

    async def _changes(self, reopening: Reopening, every_seconds: float) -> AsyncGenerator[int | None, None]:
        """Yield the number of rows whenever the stream tells it, and None after a pause without a stream."""
        if reopening.begin(self._client.now()):
            async with aclosing(self._client.watch(self.game, self.token)) as news:
                async for woken in news:
                    self._woken, self._woken_at = woken, self._client.now()
                    yield woken.row
            reopening.end(self._client.now())
        await self._client.pause(every_seconds)
        yield None

    async def play(self, move: str, *, swaps: Iterable[str] = ()) -> Turn:
        """Play `"8D STAiNER"`, after taking the blanks of `swaps=["=H8"]`.

        Any other move in the service's notation can be given too.
        """
        return await self._take(move, swaps=swaps)

    async def exchange(self, tiles: str, *, swaps: Iterable[str] = ()) -> Turn:
        """Exchange these tiles of the rack, `?` for a blank."""
        return await self._take(f"-{tiles}", swaps=swaps)

    async def pass_turn(self, *, swaps: Iterable[str] = ()) -> Turn:
        """Pass, or let a play stand that might be challenged, or go on without a check of the OSPD."""
        return await self._take("-", swaps=swaps)

    async def challenge(self, words: str | Iterable[str] | None = None) -> Turn:
        """Challenge the last play: all its new words, or only these."""
        return await self._take("challenge", words=words)

    async def check_ospd(self, word: str | None = None) -> Turn:
        """Check the OSPD for this seat's rejected play; in Dover's form for one word of it."""
        return await self._take("check-ospd", word=word)

    async def resign(self) -> Turn:
        """Resign from the game."""
        return await self._take("resign")

    async def record(self) -> str:
        """Return the finished game as GCG; before its end, raise Conflict with code `game-not-over`."""
        return await self._client.record(self.game, self.token)

    async def _take(
        self, move: str, *, swaps: Iterable[str] = (), words: str | Iterable[str] | None = None, word: str | None = None
    ) -> Turn:
        turn = self._shared_turn.turn or (await self.see()).turn
        nonce, held = None, 0
        if self._woken is not None and self._woken.row == turn - 1:
            nonce, held = self._woken.nonce, round(1_000 * (self._client.now() - self._woken_at))
        taken = await self._client.take_turn(
            self.game, self.token, turn, move, swaps=swaps, words=words, word=word, nonce=nonce, held=held
        )
        self._shared_turn.turn = taken.standing.turn
        return taken

    def __repr__(self) -> str:
        return f"AsyncRemoteSeat(game={self.game!r}, player={self.player!r})"


class AsyncRemoteGame:
    """A sealed game that this program has opened; players elsewhere need its `id` and the `token` of their seat."""

    def __init__(self, client: AsyncClient, opened: OpenedGame) -> None:
        self.id: str = opened.game
        self.rules: str = opened.rules
        self.edition: str = opened.edition
        self.expires: datetime = opened.expires
        self.seats: tuple[AsyncRemoteSeat, ...] = tuple(
            [AsyncRemoteSeat(client, opened.game, seat.token, seat.player, seat.invitation) for seat in opened.seats]
        )
        shared_turn = _SharedTurn()
        shared_turn.turn = opened.turn
        # A seat whose program plays the other seats too knows their moves without asking for them.
        for seat in self.seats:
            seat._shared_turn = shared_turn

    def __repr__(self) -> str:
        return f"AsyncRemoteGame({self.id!r}, rules={self.rules!r}, seats={len(self.seats)})"
