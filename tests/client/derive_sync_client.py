"""Generate the client without asyncio from the client with it: run `python tests/client/derive_sync_client.py`."""

from __future__ import annotations

import re
from pathlib import Path

CLIENT = Path(__file__).parents[2] / "ordws" / "client"
FILES = {"async_client.py": "client.py", "async_game.py": "game.py"}
HEADER = "# Generated from {name} by `python tests/client/derive_sync_client.py`; do not edit."

_SUBSTITUTIONS = (
    (r"^(from ordws\.client\.async_game .*\n)((?:from ordws\.client\.(?:errors|event_replies) .*\n)+)", r"\2\1"),
    (r"^import asyncio\n", ""),
    (r"asyncio\.sleep", "time.sleep"),
    (r"\bAwaitable\[object\]", "object"),
    (r"\bAsync(?=Client|Remote|BaseTransport)", ""),
    (r"\basync_(?=client|game)", ""),
    (r"__a(?=enter|exit)", "__"),
    (r"\baclose\b", "close"),
    (r"\bAsyncGenerator, Awaitable, Callable", "Callable, Generator"),
    (r"\bAsyncGenerator, Iterable", "Generator, Iterable"),
    (r"\bAsyncGenerator\[(.*?), None\]", r"Generator[\1, None, None]"),
    (r"\baclosing\b", "closing"),
    (r"\baiter_lines\b", "iter_lines"),
    (r"\basync (?=def|for|with)\b", ""),
    (r"\bawait ", ""),
    (r"program(s?) that uses? asyncio", r"program\1 without asyncio"),
    (r"from as many tasks as", "from as many threads as"),
)


def derive_sync(name: str) -> str:
    """Return the text of the file without asyncio that belongs to a file with asyncio."""
    text = (CLIENT / name).read_text("utf-8")
    for pattern, plain in _SUBSTITUTIONS:
        text = re.sub(pattern, plain, text, flags=re.MULTILINE)
    return f"{HEADER.format(name=name)}\n{text}"


if __name__ == "__main__":
    for name, plain in FILES.items():
        (CLIENT / plain).write_text(derive_sync(name), "utf-8")
