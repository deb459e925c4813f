"""The pages of the documentation name everything that a reader may have to look up."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import click
from each_row import each_row
from msgspec import to_builtins

from builders.cli import ordws_build
from ordws.api.actions import ACTIONS
from ordws.api.problems import PROBLEMS
from ordws.api.settings import Settings, StoreSettings
from ordws.cli import ordws
from ordws.desk.metrics import DeskMetrics
from ordws.guard.policy import Policy
from ordws.retention import PERIODS, Retention
from ordws.rules.options import OPTION_INFO
from ordws.stream.metrics import StreamMetrics
from ordws.web.metrics import Metrics

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
INTERFACES = (DOCS / "interfaces.md").read_text("utf-8")
LITERALS = set(re.findall(r"`([^`\n]+)`", INTERFACES))
WORDS = set(re.findall(r"[\w/.{}-]+", "\n".join(LITERALS)))


def commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """Yield a command and its sub-commands with the words that are typed for them."""
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for sub in command.list_commands(context):
            found = command.get_command(context, sub)
            assert found is not None
            yield from commands(found, f"{name} {sub}")


COMMANDS = dict([*commands(ordws, "ordws"), *commands(ordws_build, "ordws-build")])


@each_row("name", COMMANDS)
def test_every_command_and_option_is_documented(name):
    """docs/interfaces.md names every command, and every option literally."""
    assert re.search(rf"`{name}\b", INTERFACES), f"{name} is not in docs/interfaces.md"
    options = [option for each in COMMANDS[name].params for option in each.opts if option.startswith("--")]
    assert [option for option in options if option not in WORDS] == []


@each_row(("method", "path"), ACTIONS)
def test_every_route_is_documented(method, path):
    """docs/interfaces.md names every route with its method."""
    assert any(literal.startswith(f"{method} {path}") for literal in LITERALS)


def test_every_problem_is_documented():
    """docs/interfaces.md names every problem code, and every status that goes with one."""
    assert {code for code in PROBLEMS if code not in LITERALS} == set()


def test_every_setting_is_documented():
    """docs/interfaces.md names every setting of settings.toml."""
    names = [*Settings.__struct_fields__, *StoreSettings.__struct_fields__, *(each.name for each in fields(Policy))]
    assert [name for name in names if name not in WORDS] == []


def span(seconds):
    """Return a period in the largest unit that it is whole in, such as "49 hours"."""
    unit, size = next(each for each in (("day", 86_400), ("hour", 3_600), ("minute", 60)) if seconds % each[1] == 0)
    return f"{seconds // size} {unit}{'s' if seconds > size else ''}"


def test_every_period_of_retention_is_documented():
    """docs/interfaces.md has the table of all that is kept for a time; its settings are those of settings.toml."""
    lines = [
        f"| {each.what} | {span(each.seconds)} | {each.why} | {f'`{each.setting}`' if each.setting else 'none'} |"
        for each in PERIODS
    ]
    assert [line for line in lines if line not in (DOCS / "interfaces.md").read_text("utf-8")] == []
    assert {each.setting: each.seconds // 86_400 for each in PERIODS if each.setting} == to_builtins(Retention())


def test_every_metric_is_documented():
    """docs/interfaces.md names every metric that Prometheus finds."""
    modules = [importlib.import_module(each.__module__) for each in (Metrics, StreamMetrics, DeskMetrics)]
    sources = "".join([Path(module.__file__).read_text("utf-8") for module in modules])
    names = set(re.findall(r'"(ordws_[a-z_]+)"', sources))
    assert len(names) > 5
    assert {name for name in names if not any(word.startswith(name) for word in WORDS)} == set()


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
        for page in [*DOCS.glob("*.md"), *ROOT.glob("*.md"), *ROOT.glob("ordws/**/README.md")]
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
