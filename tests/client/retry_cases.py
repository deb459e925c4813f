"""What a service may answer, and what every client then does: for the clients in Python and in JavaScript."""

from __future__ import annotations

from typing import Final

from scripted_server import HTML, YES, BreakConnection, Respond, problem

from ordws.client import (
    BudgetSpent,
    IllFormedPlay,
    RequestUnderWay,
    ServiceBusy,
    ServiceFailed,
    UnexpectedResponse,
)

KEY: Final = "ordws_live_0123456789"
BUSY: Final = problem(503, "too-busy", retry_after=2)
HALF: Final = b'HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{"va'
SPENT: Final = problem(429, "budget-spent", budget="replies", retry_after=40_000)

SENT_AGAIN: Final = [
    ([YES], []),
    ([BUSY, YES], [2.0625]),
    ([BUSY, problem(503, "store-down", retry_after=1), YES], [2.0625, 1.125]),
    ([problem(429, "budget-spent", budget="units", retry_after=5), YES], [5.0625]),
    ([problem(409, "under-way", retry_after=1), YES], [1.0625]),
    ([Respond(503, b"busy", "text/plain"), Respond(429, b"", "text/plain"), YES], [0.1875, 0.375]),
    ([BreakConnection(), YES], [0.1875]),
    ([BreakConnection(HALF), BreakConnection(b"\x00nonsense\r\n\r\n"), HTML, YES], [0.1875, 0.375, 0.75]),
    ([HTML, BUSY, YES], [0.1875, 2.125]),
]
"""The answers to one request, and the seconds that a client sleeps before each repeat, with a chance of 0.5."""

FINAL_REFUSALS: Final = [
    (problem(429, "budget-spent", budget="units", retry_after=36_000), BudgetSpent, ("budget", "units")),
    (problem(503, "too-busy", retry_after=21), ServiceBusy, ("retry_after", 21)),
    (problem(422, "gap"), IllFormedPlay, ("code", "gap")),
    (problem(500, "internal-error"), ServiceFailed, ("instance", "urn:ordws:request:1")),
    (problem(409, "under-way"), RequestUnderWay, ("status", 409)),
    (
        Respond(200, b"<html>Welcome to the hotel</html>", "text/html"),
        UnexpectedResponse,
        ("content_type", "text/html"),
    ),
    (Respond(301, b"", headers={"Location": "http://127.0.0.1/"}), UnexpectedResponse, ("status", 301)),
    (Respond(400, b"{}", "application/problem+json"), UnexpectedResponse, ("status", 400)),
    (Respond(404, b"{}"), UnexpectedResponse, ("status", 404)),
]
"""Answers that end a request at once: the error in Python, and a field of it."""
