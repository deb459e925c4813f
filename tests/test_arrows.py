"""The direction of imports, read from the syntax trees, lazy imports included, and from a living process."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parent.parent

# The modules that a folder may import beside its own; the longest name that fits counts. `IMPORTABLE_EVERYWHERE` is
# open to all folders but those that stand alone.
ALLOWED_IMPORTS: dict[str, set[str]] = {
    "ordws.errors": set(),
    "ordws.fold": {"ordws.errors"},
    "ordws.atomic_files": set(),
    "ordws.lazy_rule": set(),
    "ordws.retention": set(),
    "ordws.typed_codes": set(),
    # What a kind of client is, for the register and for the guard, which know nothing of each other.
    "ordws.client_kinds": set(),
    "ordws.process_setup": set(),
    "ordws.logs": set(),
    "ordws.process_keeper": set(),
    "ordws.listeners": set(),
    "ordws.server": {"ordws.process_setup", "ordws.listeners", "ordws.logs"},
    "ordws.instance": set(),
    "ordws.metrics_server": {"ordws.logs"},
    "ordws.sender_limits": set(),
    # The frame of the applications with pages for people, which knows none of them.
    "ordws.frame": {
        "ordws.sender_limits",
        "ordws.lazy_rule",
        "ordws.server",
        "ordws.logs",
    },
    "ordws.rules": set(),
    "ordws.homeplay": {"ordws.rules.published_lists", "ordws.rules.ruleset"},
    "ordws.records": {"ordws.rules"},
    "ordws.pictures": {"ordws.rules"},
    "ordws.lexicon": set(),
    "ordws.database": {"ordws.errors"},
    "ordws.row_cipher": set(),
    "ordws.public_register": set(),
    "ordws.journal": {"ordws.database", "ordws.row_cipher"},
    "ordws.identity": {"ordws.client_kinds", "ordws.database", "ordws.sender_limits"},
    "ordws.guard": {"ordws.client_kinds", "ordws.database", "ordws.redis_connection"},
    "ordws.redis_connection": {"ordws.errors"},
    "ordws.referee": {"ordws.rules", "ordws.records", "ordws.database", "ordws.redis_connection", "ordws.row_cipher"},
    "ordws.client": set(),
    # The stream process has no word, no rack and no player in its memory: it may load nothing that reads them.
    "ordws.stream": {"ordws.referee.stores.news", "ordws.sender_limits", "ordws.listeners", "ordws.process_setup"},
    "ordws.stream.metrics": {"ordws.stream", "ordws.metrics_server"},
    "ordws.curation": {"ordws.journal"},
    # Events of many players: the core knows no game and no word, only results.
    "ordws.tournament": {"ordws.rules", "ordws.pictures"},
    "ordws.tournament.store": {"ordws.tournament", "ordws.journal"},
    "ordws.desk.sessions": {"ordws.desk", "ordws.database", "ordws.frame"},
    # The director's desk asks the service for games as any client does, over HTTP.
    "ordws.desk": {
        "ordws.tournament",
        "ordws.rules",
        "ordws.pictures",
        "ordws.client",
        "ordws.instance",
        "ordws.server",
        "ordws.listeners",
        "ordws.logs",
        "ordws.metrics_server",
        "ordws.frame",
        "ordws.row_cipher",
    },
    "ordws.movegen": {"ordws.rules"},
    # The computer player plays by public words: no edition, no key and no meter is within its reach.
    "ordws.computer": {"ordws.movegen", "ordws.records", "ordws.rules"},
    "ordws.computer.metrics": {"ordws.computer", "ordws.metrics_server"},
    "ordws.computer.process": {
        "ordws.computer",
        "ordws.records",
        "ordws.rules",
        "ordws.stream.notify",
        "ordws.logs",
    },
    # Words leave an edition one by one for fair play alone, in a process without a listener.
    "ordws.fairplay": {
        "ordws.movegen",
        "ordws.rules",
        "ordws.records",
        "ordws.referee",
        "ordws.lexicon",
        "ordws.instance",
        "ordws.database",
        "ordws.row_cipher",
    },
    # Case files hold what was found and decided; they never reach for words, and for numbers only through a keeper.
    "ordws.cases": {
        "ordws.records",
        "ordws.rules",
        "ordws.row_cipher",
        "ordws.tournament",
        "ordws.instance",
        "ordws.journal",
        "ordws.public_register",
    },
    # The reviewers' pages are a process of their own, made of the parts of the console that know no ledger.
    "ordws.cases.pages": {
        "ordws.cases",
        "ordws.console",
        "ordws.frame",
        "ordws.instance",
        "ordws.pictures",
    },
    # Charts are drawn where boards are, so that the console has no drawing code of its own.
    "ordws.console.accounts": {
        "ordws.console",
        "ordws.curation.decision",
        "ordws.curation.sqlcipher",
        "ordws.database",
        "ordws.frame",
        "ordws.instance",
    },
    "ordws.console": {
        "ordws.sender_limits",
        "ordws.curation",
        "ordws.instance",
        "ordws.pictures",
        "ordws.frame",
    },
    "ordws.api.services": {
        "ordws.public_register",
        "ordws.sender_limits",
        "ordws.instance",
        "ordws.row_cipher",
        "ordws.api",
        "ordws.rules",
        "ordws.lexicon",
        "ordws.identity",
        "ordws.guard",
        "ordws.referee",
        "ordws.stream.notify",
        "ordws.stream.tickets",
    },
    "ordws.api.idempotency": {"ordws.database", "ordws.api"},
    "ordws.api.redis_idempotency": {"ordws.redis_connection", "ordws.api"},
    "ordws.api.device_records": {"ordws.database", "ordws.api", "ordws.row_cipher"},
    "ordws.api.practice_register": {"ordws.database", "ordws.api", "ordws.row_cipher"},
    "ordws.api": {
        "ordws.client_kinds",
        "ordws.public_register",
        "ordws.rules",
        "ordws.homeplay",
        "ordws.records",
        "ordws.lexicon",
        "ordws.identity",
        "ordws.guard",
        "ordws.referee",
        "ordws.stream.tickets",
        "ordws.sender_limits",
    },
    # The metrics show the state of the meters, by the names of budgets and signs, and the form of the engine.
    "ordws.web.metrics": {"ordws.web", "ordws.api", "ordws.guard", "ordws.rules.engine", "ordws.metrics_server"},
    "ordws.web.pages": {"ordws.web", "ordws.api", "ordws.pictures", "ordws.public_register"},
    "ordws.web": {
        "ordws.api",
        "ordws.public_register",
        "ordws.server",
        "ordws.listeners",
        "ordws.logs",
        "ordws.process_setup",
        "ordws.sender_limits",
        "ordws.lazy_rule",
    },
    "ordws.cli": {"ordws"},
    # Prices must not depend on the word set, so the public lists are made from public lists alone.
    "builders.public_lists": {"builders.readers", "ordws.rules"},
    "builders.readers": {"builders.entry"},
    # The commands of the builder exit as those of `ordws` do, by the same function.
    "builders.cli": {
        "builders",
        "ordws.process_setup",
        "ordws.instance",
        "ordws.lexicon",
        "ordws.curation",
        "ordws.cli",
    },
    # What a question costs under Dover follows from public lists and from how words are made, never from the word set.
    "builders.dover_charged": {
        "builders.public_lists",
        "builders.readers",
        "builders.processes",
        "ordws.homeplay",
        "ordws.rules.published_lists",
    },
    "builders.processes": set(),
    "builders.dover_forms": {"builders", "ordws.homeplay", "ordws.rules"},
    "builders": {"ordws.instance", "ordws.lexicon", "ordws.curation"},
}
IMPORTABLE_EVERYWHERE = {"ordws.errors", "ordws.fold", "ordws.atomic_files", "ordws.retention", "ordws.typed_codes"}
STANDALONE = {"ordws.rules", "ordws.client"}  # they could be published by themselves

# The folders of ours that may import a library; a library that is not named may be imported nowhere.
THIRD_PARTIES: dict[str, set[str]] = {
    "argon2": {"ordws.console"},
    "click": {"ordws.cli", "builders.cli"},
    "cryptography": {
        "ordws.lexicon",
        "ordws.row_cipher",
        "ordws.api.idempotency",
        "ordws.desk.desk_key",
        "ordws.identity.devices",
        "ordws.cli.backup",
        "ordws.cli.recovery",
    },
    "flask": {
        "ordws.web",
        "ordws.frame",
        "ordws.console",
        "ordws.desk",
        "ordws.cases.pages",
        "ordws.cli.console",
        "ordws.cli.cases.reviewers",
    },
    "granian": {"ordws.server", "ordws.stream.process"},
    "httpx": {"ordws.client", "ordws.desk.operators"},
    "jinja2": {"ordws.web.pages", "ordws.desk"},
    "markupsafe": {"ordws.desk"},
    "krippendorff": {"ordws.curation.agreement"},
    "librt": {"ordws.movegen"},
    "lmdb": {"ordws.guard.stores"},
    "marisa_trie": {"ordws.lexicon"},
    "msgspec": {
        "ordws.api",
        "ordws.web",
        "ordws.curation",
        "ordws.console",
        "ordws.client",
        "ordws.tournament",
        "ordws.desk",
        "ordws.cases",
        "ordws.guard.stores",
        "ordws.journal",
        "ordws.public_register",
        "ordws.retention",
        "builders",
    },
    "mypy_extensions": {"ordws.movegen"},
    "numpy": {"ordws.curation.agreement", "ordws.tournament", "ordws.fairplay"},
    "prometheus_client": {
        "ordws.web.metrics",
        "ordws.metrics_server",
        "ordws.stream.metrics",
        "ordws.computer.metrics",
        "ordws.desk.process",
    },
    "pyotp": {"ordws.console"},
    "redis": {"ordws.redis_connection"},
    "rich": {"ordws.cli", "ordws.pictures", "builders.cli"},
    "rustworkx": {"ordws.tournament"},
    "segno": {"ordws.tournament", "ordws.desk", "ordws.console", "ordws.api.devices", "ordws.cli.clients"},
    "sqlcipher3": {"ordws.curation"},
    "sqlite_utils": {"ordws.curation"},
    "webauthn": {"ordws.console"},
    "werkzeug": {"ordws.lazy_rule", "ordws.web", "ordws.frame", "ordws.console", "ordws.desk", "ordws.cases.pages"},
    "wordfreq": {"builders.frequency"},
}
STANDARD_DATABASE = {
    "ordws.database",
    "ordws.identity.register",
    "ordws.guard.stores",
    "ordws.referee.stores",
    "ordws.journal",
}


def modules() -> Iterator[tuple[str, Path]]:
    for package in ("ordws", "builders"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


MODULES = dict(modules())


@cache
def imports(module: str) -> set[str]:
    """Return every module that a module imports, wherever in its file."""
    path, imported = MODULES[module], set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: imports are absolute here"
            imported |= {
                name if (name := f"{node.module}.{alias.name}") in MODULES else node.module for alias in node.names
            }
    return imported


def is_within(module: str, folders: set[str]) -> bool:
    return any(module == folder or module.startswith(f"{folder}.") for folder in folders)


def allowed_imports(module: str) -> set[str]:
    """Return the modules of ours that a module may import."""
    folder = max((name for name in ALLOWED_IMPORTS if is_within(module, {name})), key=len, default=None)
    if folder is None:
        assert module == "ordws", f"{module} has no line in the table"
        return set()
    return {folder} | ALLOWED_IMPORTS[folder] | (set() if folder in STANDALONE else IMPORTABLE_EVERYWHERE)


def test_imports_follow_the_arrows():
    """A module imports only those modules of ours that the table allows its folder."""
    against = [
        f"{module} imports {name}"
        for module in MODULES
        for name in imports(module)
        if is_within(name, {"ordws", "builders"}) and not is_within(name, allowed_imports(module))
    ]
    assert against == []


def test_no_modules_import_each_other():
    """No way of imports leads back to where it began; imports for types alone are left out."""
    graph = {}
    for module, path in MODULES.items():
        for_types = re.findall(r"^if TYPE_CHECKING:\n((?:    .*\n)+)", path.read_text("utf-8"), re.M)
        named = re.findall(r"from (\S+) import", "".join(for_types))
        graph[module] = {name for name in imports(module) & {*MODULES} if name not in (module, *named)}
    TopologicalSorter(graph).prepare()


def test_libraries_are_imported_only_in_their_folders():
    """A library is imported only in the folders that the table names for it, and so is SQLite."""
    against = []
    for module in MODULES:
        for name in {name.split(".")[0] for name in imports(module)} - {"ordws", "builders", "__future__"}:
            folders = STANDARD_DATABASE if name == "sqlite3" else THIRD_PARTIES.get(name, set())
            if (name == "sqlite3" or name not in sys.stdlib_module_names) and not is_within(module, folders):
                against.append(f"{module} imports {name}")
    assert against == []


def test_every_folder_of_the_table_exists():
    """Every folder of the table exists, so that no line of it outlives its folder."""
    assert {name for name in ALLOWED_IMPORTS if not any(is_within(module, {name}) for module in MODULES)} == set()


def test_only_fair_play_walks_the_words():
    """Words leave an edition one by one through `ordws.lexicon.walk` alone, and for fair play alone."""
    walkers = {module for module in MODULES if "ordws.lexicon.walk" in imports(module)}
    assert {module for module in walkers if not is_within(module, {"ordws.fairplay"})} == set()
    # `importlib` and the private name of the trie would be other ways out.
    naming = {module for module, path in MODULES.items() if re.search(r"lexicon\.walk|_WordSet__", path.read_text())}
    assert {module for module in naming if not is_within(module, {"ordws.fairplay", "ordws.lexicon.walk"})} == set()


_ANSWER = """
import json, sys
from pathlib import Path
from ordws.api.services import open_services
from ordws.instance import Instance
from ordws.web.serving import create_app
client = create_app(open_services(Instance(Path(sys.argv[1])))).test_client()
reply = client.post("/v1/judge", json={"words": ["quiz"]}, headers={"Authorization": f"Bearer {sys.argv[2]}"})
assert reply.json == {"valid": True}, reply.data
json.dump(sorted(sys.modules), sys.__stdout__)
"""


def test_a_serving_process_loads_neither_builder_nor_curation(installation):
    """A process that has answered a question has loaded nothing of the builder or of curation, nor their libraries."""
    command = [sys.executable, "-c", _ANSWER, installation.instance.root, installation.key]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout.splitlines()[-1]))
    assert "ordws.api.words" in loaded
    kept_out = {
        "builders",
        "ordws.curation",
        "ordws.console",
        "ordws.client",
        "ordws.fairplay",
        "ordws.lexicon.walk",
        "ordws.movegen",
        "sqlcipher3",
        "sqlite_utils",
        "wordfreq",
        "lemminflect",
        "httpx",
    }
    assert {name for name in loaded if is_within(name, kept_out)} == set()
