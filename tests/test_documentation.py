"""The reference is what its generators make, and what pages name and cite exists."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from pathlib import Path
from runpy import run_path

from msgspec import to_builtins

from ordws.retention import PERIODS, Retention
from ordws.rules.options import OPTION_INFO

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"


def test_the_reference_is_up_to_date(monkeypatch):
    """The pages of docs/reference say what commands, routes, settings and metrics declare: else `make generate`."""
    monkeypatch.syspath_prepend(str(REFERENCE))
    pages = run_path(str(REFERENCE / "generate.py"))["reference_pages"]()
    assert {path.name for path in pages} == {"commands.md", "http.md", "records.md", "settings.md"}
    assert [path.name for path, text in pages.items() if path.read_text("utf-8") != text] == []


def test_the_written_page_of_interfaces_stays_short():
    """docs/interfaces.md has what no declaration says, in 2,500 words at most."""
    assert len((DOCS / "interfaces.md").read_text("utf-8").split()) <= 2_500


def test_no_page_says_the_same_twice():
    """No twelve words of prose stand twice on a page, as where a sentence was written anew beside the old one."""
    repeated = {}
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.glob("*.md")):
        prose = re.sub(r"^ *\|.*$|```.*?```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        words = prose.split()
        runs = Counter(zip(*[words[start:] for start in range(12)], strict=False))
        repeated[page.name] = [" ".join(run) for run, count in runs.items() if count > 1]
    assert {name: runs for name, runs in repeated.items() if runs} == {}


def test_periods_with_a_setting_are_those_of_settings():
    """Each period that a keeper may change is a setting of the same length, in days."""
    assert {each.setting: each.seconds // 86_400 for each in PERIODS if each.setting} == to_builtins(Retention())


def test_every_rule_option_is_documented():
    """docs/rules.md names every option of a rule set."""
    rules = (DOCS / "rules.md").read_text("utf-8")
    assert [name for name in OPTION_INFO if f"`{name}`" not in rules] == []


def test_terms_of_the_glossary_exist():
    """Every class that the glossary names for a term can be imported."""
    named = re.findall(r"\| `([\w.]+)\.(\w+)` \|$", (DOCS / "glossary.md").read_text("utf-8"), re.MULTILINE)
    assert len(named) > 25
    assert [f"{module}.{name}" for module, name in named if not hasattr(importlib.import_module(module), name)] == []


def test_every_page_is_in_the_index():
    """docs/README.md leads to every page of the folder."""
    index = (DOCS / "README.md").read_text("utf-8")
    assert [page.name for page in DOCS.glob("*.md") if page.name != "README.md" and f"({page.name})" not in index] == []


def test_pages_name_modules_that_exist():
    """Every path of a source file that a page names is in the repository."""
    pattern = re.compile(
        r"`((?:ordws|builders|tests|deploy|sources/recipes)/[\w/.-]+\.(?:py|js|toml|txt|md|css|json|html))`"
    )
    missing = [
        f"{page.relative_to(ROOT)}: {path}"
        for page in [*DOCS.rglob("*.md"), *ROOT.glob("*.md"), *ROOT.glob("ordws/**/README.md")]
        if page.name != "CHANGELOG.md"
        for path in pattern.findall(page.read_text("utf-8"))
        if not (ROOT / path).exists()
    ]
    beside = re.compile(r"`([a-z_]+\.py)`")
    missing += [
        f"{page.relative_to(ROOT)}: {name}"
        for page in ROOT.glob("ordws/**/README.md")
        for name in beside.findall(page.read_text("utf-8"))
        if not (page.parent / name).exists() and not (ROOT / name).exists()
    ]
    assert missing == []


NUMBER = r"(?:Decision \d+|A-\d+|\d+(?:\.\d+)*)\b(?!\.\d)"
CITATION = re.compile(rf"\bdocs/([a-z-]+\.md)[`)]?,? (?:section )?({NUMBER}(?:(?:, | and ){NUMBER})*)")
LINE_BREAK = re.compile(r"\s*\n\s*(?:#|//|\*|--)?\s*")
PROSE_SUFFIXES = {".css", ".html", ".js", ".json", ".md", ".py", ".service", ".sh", ".toml", ".tsv", ".txt", ".yml"}


def test_citations_of_pages_resolve():
    """Whatever anything cites of a page of docs/, a section, decision or attack, is a heading or list item there."""
    heading = re.compile(rf"^(?:#+|-) ({NUMBER})(?=[ :,])", re.MULTILINE)
    anchors = {page.name: set(heading.findall(page.read_text("utf-8"))) for page in DOCS.glob("*.md")}
    folders = ("ordws", "builders", "tests", "docs", "deploy", "clients", "sources")
    cited, dangling = 0, []
    for path in [*ROOT.glob("*.*"), *[path for folder in folders for path in (ROOT / folder).rglob("*.*")]]:
        if path.suffix not in PROSE_SUFFIXES or path.name == "CHANGELOG.md" or not path.is_file():
            continue
        text = path.read_text("utf-8", "replace")
        if "docs/" not in text:
            continue
        for page, numbers in CITATION.findall(LINE_BREAK.sub(" ", text)):
            for number in re.findall(NUMBER, numbers):
                cited += 1
                if number not in anchors.get(page, ()):
                    dangling.append(f"{path.relative_to(ROOT)}: docs/{page} {number}")
    assert dangling == []
    assert cited > 500


def test_the_guards_page_cites_itself_rightly():
    """Each decision, attack and section that docs/guard.md cites of itself is there."""
    text = re.sub(CITATION, "", (DOCS / "guard.md").read_text("utf-8"))
    headings = set(re.findall(rf"^(?:#+|-) ({NUMBER})(?=[ :,])", text, re.MULTILINE))
    cited = set(re.findall(r"Decision \d+|A-\d+", text)) | set(re.findall(r"(?:\(|section )(\d(?:\.\d)?)\b", text))
    assert {"Decision 7", "3.2", "6"} <= headings
    assert cited - headings == set()
