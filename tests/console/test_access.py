"""Isolation: every route, by every method, for everybody, against a table that a person wrote."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest
from console_installation import HOST, Browser, families, open_console_installation
from flask import Flask
from sign_in_helpers import AnonymousBrowser, incidents

from ordws.console.access import enforce_access
from ordws.console.app import CONSOLE
from ordws.frame.application import CSRF_HEADER, allow

TABLE = Path(__file__).parent.parent / "vectors" / "console" / "access.txt"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
PEOPLE = ("nobody", "undeclared", "curator", "chair", "keeper")
OUTCOMES = {200: "yes", 401: "sign-in", 403: "no", 405: "-"}


@pytest.fixture(scope="module")
def installation(tmp_path_factory):
    """A console whose views all return one word, since these tests are about access alone."""
    with open_console_installation(tmp_path_factory.mktemp("console"), families(1)) as installation:
        for name, view in installation.app.view_functions.items():
            installation.app.view_functions[name] = functools.wraps(view)(lambda **_: "reached")
        yield installation


@pytest.fixture(scope="module")
def people(installation):
    """A browser for each kind of person."""
    installation.state.accounts.add_member("undeclared", "curator", installation.clock.now)
    members = {role: installation.member(role, role) for role in ("curator", "chair", "keeper")}
    return {"nobody": AnonymousBrowser(installation), "undeclared": installation.browser("undeclared"), **members}


def ask(browser, method, path, **headers):
    """Return how a person's request to a route is answered."""
    if isinstance(browser, Browser):
        headers = {CSRF_HEADER: browser.session.csrf, **headers}
    answer = browser.http.open(path, method=method, base_url=HOST, headers={"Origin": HOST, **headers})
    if answer.status_code == 303:
        return {"/": "sign-in", "/declaration": "declare"}[answer.location]
    if answer.status_code == 403 and answer.is_json and answer.json["code"] == "undeclared":
        return "declare"
    return OUTCOMES[answer.status_code]


def routes(installation):
    """Return the method, the rule and a path of each route; HEAD is allowed where GET is."""
    for rule in installation.app.url_map.iter_rules():
        for method in METHODS:
            if method in rule.methods:
                yield method, rule.rule, re.sub(r"<[^>]+>", "1", rule.rule)


def line_of(people, method, rule, path):
    """Return a line of the table, as the console behaves."""
    found = [ask(people[person], method, path) for person in PEOPLE]
    return f"{method:<5}{rule:<42}" + " ".join(f"{each:<10}" for each in found).rstrip()


def test_access_agrees_with_the_table(installation, people):
    """Each route answers everybody as its line of the table says, and no line or route is without the other."""
    expected = [line.rstrip() for line in TABLE.read_text("utf-8").splitlines() if line and line[0] != "#"]
    assert sorted(line_of(people, *route) for route in routes(installation)) == sorted(expected)


def test_no_other_method_reaches_anything(installation, people):
    """A method that a route does not list is refused, for who may do nothing and for who may do most."""
    adapter = installation.app.url_map.bind("localhost")
    for path in {path for _, _, path in routes(installation)}:
        for method in {*METHODS} - {*adapter.allowed_methods(path)}:
            assert [ask(people[each], method, path) for each in ("nobody", "keeper")] == ["-", "-"], (method, path)


def test_options_never_runs_a_view(installation):
    """OPTIONS, which Flask answers by itself, never runs a view."""
    for _, _, path in routes(installation):
        answer = installation.app.test_client().open(path, method="OPTIONS", base_url=HOST)
        assert b"reached" not in answer.data, path


@pytest.mark.parametrize("person", ["curator", "chair", "keeper"])
def test_a_change_needs_the_token_of_its_session(installation, people, person):
    """Each route that changes something refuses a request without a token, and with that of another session."""
    other = installation.browser("keeper").session.csrf
    for method, _, path in routes(installation):
        if method != "GET":
            assert ask(people[person], method, path, **{CSRF_HEADER: ""}) == "no", path
            assert ask(people[person], method, path, **{CSRF_HEADER: other}) == "no", path


@pytest.mark.parametrize("person", PEOPLE)
@pytest.mark.parametrize(
    "headers", [{"Origin": "https://example.org"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_a_change_from_another_origin_is_refused(installation, people, person, headers):
    """A change from a page of another origin is refused, even with the right token, and without a session too."""
    for method, _, path in routes(installation):
        if method != "GET":
            assert ask(people[person], method, path, **headers) == "no", path


def test_a_refused_request_is_recorded(tmp_path):
    """A refused request is recorded under the member of its session."""
    with open_console_installation(tmp_path, families(1)) as installation:
        ada = installation.member("Ada")
        assert [ask(ada, "GET", "/members"), ask(ada, "POST", "/sign-out", **{CSRF_HEADER: ""})] == ["no", "no"]
        assert incidents(installation) == [("not-allowed", "Ada"), ("forged", "Ada")]


def test_an_expired_declaration_closes_the_queue(tmp_path):
    """A voter whose declaration is a year old must declare again; a keeper need not."""
    with open_console_installation(tmp_path, families(1)) as installation:
        installation.member("Ada")
        installation.member("Kay", "keeper")
        installation.clock.now += 365 * 86_400
        ada, kay = installation.browser("Ada"), installation.browser("Kay")
        assert [ask(ada, "GET", "/queue"), ask(ada, "GET", "/account"), ask(kay, "GET", "/members")] == [
            "declare",
            "yes",
            "yes",
        ]


def test_a_cookie_of_no_session_is_refused(tmp_path):
    """A cookie of no session is refused, whatever it holds."""
    with open_console_installation(tmp_path, families(1)) as installation:
        browser = installation.app.test_client()
        for cookie in ("", "x", "\u00e9", "'; DROP TABLE sessions; --", "A" * 4_000):
            browser.set_cookie(CONSOLE.cookie, cookie, domain="localhost")
            assert browser.get("/account", base_url=HOST).location == "/"


def test_every_answer_is_hardened(installation):
    """Pages, refusals and missing pages carry the security headers, and only static files may be cached."""
    for path in ("/", "/members", "/nowhere", "/sign-in"):
        headers = installation.app.test_client().get(path, base_url=HOST).headers
        assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert [headers[name] for name in ("X-Content-Type-Options", "X-Frame-Options", "Cache-Control")] == [
            "nosniff",
            "DENY",
            "no-store",
        ]


def test_a_view_without_roles_is_refused_at_start():
    """An application with a view that names no roles does not start."""
    app = Flask("forgetful")
    app.view_functions["static"] = allow()(lambda: "")
    app.add_url_rule("/", "forgotten", lambda: "")
    with pytest.raises(TypeError, match="forgotten"):
        enforce_access(app, None, lambda: 0)
