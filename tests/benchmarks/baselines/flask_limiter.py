"""A word judge as it is usually written: a Flask route, a frozenset, and Flask-Limiter by key."""

from __future__ import annotations

from collections.abc import Collection

from flask import Flask, Response, jsonify, request
from flask_limiter import Limiter

LIMIT = "1000000 per day"
"""A limit so large that nothing is refused: counting is measured, not refusing."""


def make_app(words: Collection[str], storage: str = "memory://") -> Flask:
    """Return the application; in memory each process counts for itself, and forgets when it ends."""
    app = Flask("judge")
    known = frozenset(words)
    limiter = Limiter(lambda: request.headers["Authorization"], app=app, storage_uri=storage)

    @app.post("/v1/judge")
    @limiter.limit(LIMIT)
    def judge() -> Response:
        words = request.get_json()["words"]
        return jsonify(valid=all(word.upper() in known for word in words))

    return app
