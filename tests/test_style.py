"""The figures of `make style-report`, and what keeps the language of the code one language."""

from __future__ import annotations

import ast
import re
from collections import Counter

import pytest
import style_report
from style_report import ROOT

HEADLESS = {
    "What",
    "Whatever",
    "Whether",
    "How",
    "However",
    "Where",
    "Wherever",
    "Who",
    "Whoever",
    "Whose",
    "Why",
    "Which",
}


@pytest.fixture(scope="module")
def modules():
    return style_report.read_modules()


def test_a_public_name_has_one_meaning(modules):
    """No public class or type name is defined in two modules; the allow-list is short, and each entry is needed."""
    assert style_report.find_names_with_two_meanings(modules) == {}
    assert len(style_report.ALLOWED_TWICE) <= 20
    every = [name for tree in modules.values() for name in style_report.find_public_types(tree)]
    assert {name for name in style_report.ALLOWED_TWICE if every.count(name) < 2} == set()


def test_citations_resolve():
    """Every citation in code, tests, help texts and pages names a page and a heading that exist in the repository."""
    assert style_report.find_unresolved_citations() == []
    assert len(style_report.find_citations()) > 300


def test_few_places_are_kept_from_the_formatter():
    """At most ten places are kept from the formatter."""
    assert style_report.count_unformatted() <= 10


def test_docstrings_name_their_subject(modules):
    """A docstring begins with an imperative or a noun phrase, not with a relative clause."""
    starts = []
    for module, tree in modules.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                words = (ast.get_docstring(node) or "").split()
                if words and words[0].rstrip(",") in HEADLESS:
                    starts.append(f"{module}: {' '.join(words[:6])}")
    assert starts == []


def test_no_link_of_the_documentation_is_broken():
    """Every relative link between the pages of the documentation leads to a file of the repository."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "deploy" / "README.md"]
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []


def test_no_two_test_modules_have_one_name():
    """Test modules are imported by their bare names, so that two of one name would not run."""
    names = Counter([path.name for path in (ROOT / "tests").rglob("test_*.py")])
    assert [name for name, count in names.items() if count > 1] == []
