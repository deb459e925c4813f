"""The programs of docs/client.md run as they stand, against a real service."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ordws.client import OrdwsClientError, errors

PAGE = (Path(__file__).parents[2] / "docs" / "client.md").read_text("utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```\n```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_every_program_shows_what_it_prints():
    """Every program on the page is followed by its output, or it would not be run."""
    assert len(PROGRAMS) == PAGE.count("```python") == 7


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_a_program_prints_the_output_on_the_page(number, running_service, test_key, monkeypatch, capsys):
    """Each program is complete and prints the output on the page, with a test key."""
    program, output = PROGRAMS[number]
    monkeypatch.setenv("ORDWS_URL", running_service.address)
    monkeypatch.setenv("ORDWS_KEY", test_key)
    compiled = compile(program, "docs/client.md", "exec")
    with ThreadPoolExecutor(1) as thread:  # Playwright keeps a loop in the main one
        thread.submit(exec, compiled, {"__name__": "__main__"}).result()
    assert capsys.readouterr().out == output


def test_every_error_is_in_the_table():
    """Every exception of the client stands in the page's table, with what to do."""
    raised = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, OrdwsClientError)]
    table = PAGE[PAGE.index("| raised |") : PAGE.index("```python\nimport os\nfrom ordws.client import BudgetSpent")]
    missing = {each.__name__ for each in raised if f"`{each.__name__}`" not in table}
    assert missing == {"OrdwsClientError", "ProblemError"}


def test_the_program_of_readme_is_the_first_of_the_page():
    """README's program is the first one of the page, and so is run as well."""
    assert f"```\n{PROGRAMS[0][0]}```" in (Path(__file__).parents[2] / "README.md").read_text("utf-8")
