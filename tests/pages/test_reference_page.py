"""Tests of the API reference: every operation stands there, and its examples run as they are written."""

from __future__ import annotations

import html
import io
import json
import os
import re
import subprocess
from contextlib import redirect_stdout

import httpx
import pytest
from playwright.sync_api import expect
from small_installation import NOON

from ordws.web import openapi
from ordws.web.pages import site
from ordws.web.pages.reference import SETUP, read_sample, write_samples

SENT_BY_PAGES_ALONE = {"/v1/device", "/v1/device/forget"}
"""What needs the cookie of a device, and so has no example."""
WITHOUT_AN_EXAMPLE = ("/v1/device", "/v1/boards", "/v1/stations", "/v1/practice")
"""The beginnings of the paths that need a paired device, or the computer player."""
WITHOUT_AN_EXAMPLE_FOR_BROWSERS = {
    "POST /v1/guest-games",
    "POST /v1/play-link",
    "POST /v1/visitors",
    "POST /v1/tournament/stations",
    *[f"POST /v1/games/{{id}}/{act}" for act in ("invitation", "seat", "oath", "attestation", "rematch", "call-off")],
    "POST /v1/games/{id}/review",
}
"""What needs a play link or the seat that it led to, a service that judges for visitors, or an operator's device."""
DOCUMENT = json.loads(openapi.document())
OPERATIONS = {
    f"{method.upper()} {path}": operation
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}


def shape(value):
    """Return the shape of a reply: names and types, and of a list the shape of its first item."""
    match value:
        case dict() if all(len(name) == 1 for name in value):
            return "numbers by tile"
        case dict():
            return {name: shape(each) for name, each in value.items()}
        case list():
            return [shape(each) for each in value[:1]]
        case float() | int() if not isinstance(value, bool):
            return "a number"
        case _:
            return type(value).__name__


def samples(language):
    """Yield each example with its code, in the order in which they can be sent."""
    for name, example in openapi.EXAMPLES.items():
        method, path = name.split()
        sample = read_sample(method, path, example, bool(OPERATIONS[name]["security"]))
        yield example, write_samples(sample)[language]


@pytest.fixture(scope="module")
def test_key(shared_installation):
    """Return the key of a test client, which every example uses but those of events."""
    return shared_installation.register.add("author", "home", NOON - 40 * 86_400, test=True)


@pytest.fixture(scope="module")
def desk_key(shared_installation):
    """Return the key of a test client with the scope of events."""
    key = shared_installation.register.add("desk", "operator", NOON - 40 * 86_400, test=True, scopes=["tournament"])
    shared_installation.register.verify("desk", NOON)
    return key


def run_shell(code, variables):
    """Run code in a shell and return what it prints."""
    environment = {**os.environ, **variables}
    return subprocess.run(
        ["bash", "-c", code], env=environment, check=True, capture_output=True, text=True, timeout=60
    ).stdout


def run_python(code, variables, clients):
    """Run code in this interpreter and return the reply that it leaves, as JSON; `clients` holds one for each key."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as printed:
        for name in ("ORDWS_URL", "ORDWS_KEY"):
            patch.setenv(name, variables[name])
        if variables["ORDWS_KEY"] not in clients:  # which takes longer than its requests
            exec(SETUP["python"], clients.setdefault(variables["ORDWS_KEY"], {}))
        names = clients[variables["ORDWS_KEY"]] | variables
        exec(code, names)
    assert printed.getvalue()
    return names["reply"].text


def run_in_page(page, code, variables):
    """Run code in a page and return what it logs, as JSON."""
    given = "".join([f"const {name} = {json.dumps(str(value))};" for name, value in variables.items()])
    logged = "const logged = []; const console = { log: (value) => logged.push(value) };"
    return page.evaluate(f"async () => {{ {given} {logged} {code}\nreturn JSON.stringify(logged[0]); }}")


@pytest.mark.parametrize("language", [*SETUP])
def test_the_examples_run_as_they_are_written(language, tables, test_key, desk_key):
    """Sent in their order with a test key, all examples get the replies that stand beside them."""
    page = tables.plain_window()
    page.goto("/docs")
    variables, clients = {"ORDWS_URL": tables.url, "ORDWS_KEY": test_key}, {}
    for example, code in samples(language):
        variables["ORDWS_KEY"] = desk_key if "/v1/tournament/" in example["operation"] else test_key
        if language == "javascript" and example["operation"] == "POST /v1/pair":
            page.context.clear_cookies()
        printed = {
            "curl": lambda code: run_shell(code, variables),
            "python": lambda code: run_python(code, variables, clients),
            "javascript": lambda code: run_in_page(page, code, variables),
        }[language](code)
        reply = json.loads(printed)
        assert shape(reply) == shape(example["reply"]), (example["operation"], code)
        assert reply == example["reply"] or not example.get("exact"), example["operation"]
        for name, place in example.get("keeps", {}).items():
            value = reply
            for step in place:
                value = value[step]
            variables[name] = str(value)
    for names in clients.values():
        names["http"].close()


def test_every_operation_has_its_place_and_an_example():
    """Every operation of the document is shown with its fields and problems, and all but those of pages in code."""
    sections = re.findall("<section.*?</section>", site.site_file("/docs").body.decode(), re.DOTALL)
    shown = {}
    for section in sections:
        text = html.unescape(re.sub("<[^>]*>", "", section))
        for heading in re.findall(r"<h3[^>]*>((?:(?!</h3>).)*class=\"method.*?)</h3>", section, re.DOTALL):
            shown[" ".join(html.unescape(re.sub("<[^>]*>", " ", heading)).split())] = text
    assert set(shown) == set(OPERATIONS)
    for name, operation in OPERATIONS.items():
        for response in operation["responses"].values():
            for content in response["content"].values():
                for code in re.findall(r'"enum": \[([^\]]*)\]', json.dumps(content)):
                    assert all(each.strip(' "') in shown[name] for each in code.split(","))
        is_without = name.split()[1].startswith(WITHOUT_AN_EXAMPLE) or name in WITHOUT_AN_EXAMPLE_FOR_BROWSERS
        assert name in openapi.EXAMPLES or is_without


def test_the_language_is_chosen_once_for_all(tables):
    """One choice of language shows all examples in it, and is remembered."""
    page = tables.plain_window()
    page.goto("/docs")
    python = page.get_by_text("reply = http.post(").first
    expect(python).to_be_hidden()
    page.get_by_label("Python", exact=True).check()
    expect(python).to_be_visible()
    expect(page.locator(".of-curl:visible")).to_have_count(0)
    page.reload()
    expect(page.get_by_label("Python", exact=True)).to_be_checked()


def test_the_reference_needs_nothing_from_outside_and_is_no_burden(tables):
    """The reference loads files of this service alone, within a tenth of a megabyte."""
    tables.expected.append("Service Worker registration blocked")
    page = tables.window(service_workers="block")  # a new one, which has kept no file
    requests = []
    page.on("request", lambda request: requests.append(request))
    page.goto("/docs")
    assert 20_000 < sum(request.sizes()["responseBodySize"] for request in requests) < 100_000
    assert httpx.get(f"{tables.url}/docs").headers["Content-Security-Policy"].startswith("default-src 'none';")
