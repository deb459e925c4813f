"""The console's address: pages at another name of the machine redirect to it, and links are for where it really is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from console_browser import ServeConsole
from console_installation import ConsoleInstallation, families, open_console_installation
from playwright.sync_api import expect


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    with open_console_installation(tmp_path / "instance", families(3)) as installation:
        yield installation


@pytest.mark.parametrize(
    ("url", "origin", "status"),
    [
        ("http://127.0.0.1:8010/", "http://localhost:8010", 307),
        ("http://[::1]:8010/", "http://localhost:8010", 307),
        ("http://localhost:8010/", "http://127.0.0.1:8010", 307),
        ("http://localhost:8010/", "http://localhost:8010", 200),
        ("http://127.0.0.1:9000/", "http://localhost:8010", 200),
        ("http://127.0.0.1:8010/", "https://localhost", 200),
        ("http://127.0.0.1:8010/", "https://curators.example.org", 200),
        ("http://curators.example.org/", "http://localhost:8010", 200),
    ],
)
def test_other_names_of_the_machine_lead_to_the_origin(
    installation: ConsoleInstallation, url: str, origin: str, status: int
) -> None:
    """Only another loopback name at the same port redirects: through a proxy or a tunnel hosts may differ."""
    installation.app.config["ORIGIN"] = origin
    answer = installation.app.test_client().get("/", base_url=url)
    assert answer.status_code == status
    assert answer.location == (f"{origin}/" if status == 307 else None)


def test_a_page_at_127_0_0_1_leads_to_the_origin(installation: ConsoleInstallation) -> None:
    """The address that browsers complete by themselves redirects, with its query; a change there says where to go."""
    http = installation.app.test_client()
    answer = http.get("/history?before=7", base_url="http://127.0.0.1:8010")
    assert (answer.status_code, answer.location) == (307, "http://localhost:8010/history?before=7")
    assert http.get("/", base_url="http://127.0.0.1:8010").location == "http://localhost:8010/"
    refused = http.post("/api/cards", json={}, base_url="http://127.0.0.1:8010")
    assert refused.status_code == 409
    assert refused.json["detail"] == "this console is at http://localhost:8010; open it there"


def test_a_page_elsewhere_says_at_once_where_the_console_is(
    installation: ConsoleInstallation, serve_console: ServeConsole
) -> None:
    """At an address that only the browser can tell from the origin, the first page says that nothing works there."""
    served = serve_console(installation)
    page = served.plain_window()
    page.goto("/")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    installation.app.config["ORIGIN"] = "https://curators.example.org"
    page.goto("/")
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("This console works only at https://curators.example.org")
    expect(notice.get_by_role("link")).to_have_attribute("href", "https://curators.example.org/")
    assert urlsplit(page.url).hostname == "localhost"
