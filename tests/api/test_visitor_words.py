"""Tests of words that visitors ask on the front page, without a key."""

from __future__ import annotations

import pytest


@pytest.fixture
def ask(installation, serve):
    """Return a function that has a word judged as the front page does, where pages judge for visitors or not."""

    def ask(word, *, visitors=True, **headers):
        installation.instance.settings.write_text(f"[pages]\nvisitors = {str(visitors).lower()}\n")
        service = serve()
        reply = service.http.post("/v1/visitors", json={"word": word}, headers=headers)
        return reply.status_code, reply.json, service.http.get("/v1/visitors").json

    return ask


def test_a_word_is_judged_without_a_key(ask):
    """One word gets a yes or a no by the default rule set, in either case."""
    assert ask("quiz") == (200, {"valid": True}, {"is_open": True})
    assert ask("MISFEED") == (200, {"valid": False}, {"is_open": True})


def test_nobody_is_answered_where_the_keeper_did_not_ask_for_it(ask):
    """Without the setting a word without a key is refused, and the pages are told so."""
    status, problem, told = ask("QUIZ", visitors=False)
    assert (status, problem["code"], told) == (403, "no-visitors", {"is_open": False})


def test_pages_of_other_sites_cannot_spend_the_visitors_budget(ask):
    """A request that a browser sends for another site's page is refused."""
    status, problem, _ = ask("QUIZ", Origin="https://elsewhere.example")
    assert (status, problem["code"]) == (403, "cross-site")


def test_a_text_that_is_no_word_is_refused_and_not_repeated(ask):
    """A text that is no word is named by its field alone."""
    status, problem, _ = ask("C4T")
    assert (status, problem["code"]) == (400, "bad-word")
    assert "C4T" not in str(problem)
