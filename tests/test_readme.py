"""The examples of README and of the pages for users, run as a newcomer would type them; fetching has its own tests."""

from __future__ import annotations

import json
import os
import re
import shlex
import socket
import subprocess
import sys
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path

import pytest
from click.testing import CliRunner
from each_row import each_row
from free_ports import free_port
from open_dictionaries import write_open_sources
from preloaded_commands import write_programs
from processes import server_process

from builders.cli import ordws_build
from ordws.cli import ordws

TIMEOUT_SECONDS = 60
ALONE = ("--computer", "off", "--stream", "off")
ROOT = Path(__file__).parent.parent
PROGRAMS = {"ordws": ordws, "ordws-build": ordws_build}
README = (ROOT / "README.md").read_text("utf-8")
BLOCK = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall(README)


def blocks_of(page: str) -> list[str]:
    """Return the code blocks of a page in docs/."""
    return BLOCK.findall((ROOT / "docs" / page).read_text("utf-8"))


KEEPING_BLOCKS = blocks_of("keeping.md")
PLAYS_BLOCKS = blocks_of("plays.md")
CURATING_BLOCKS = blocks_of("curating.md")
TABLES_BLOCKS = blocks_of("tables.md")


def block(starting: str, blocks: list[str] = BLOCKS) -> str:
    """Return the one code block, of README unless others are given, that starts with a text."""
    (found,) = [block for block in blocks if block.startswith(starting)]
    return found


def after(starting: str, blocks: list[str] = BLOCKS) -> str:
    """Return the code block that follows the one that starts with a text: its output."""
    return blocks[blocks.index(block(starting, blocks)) + 1]


def steps_of(commands: str) -> list[str]:
    """Return the lines of a block without their comments."""
    return [line.split("#")[0].strip() for line in commands.splitlines()]


@pytest.fixture
def newcomer(tmp_path):
    """Return a function that runs shell lines in a folder of its own, over small dictionaries in place of open ones."""
    write_open_sources(tmp_path / "sources")
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("ORDWS_INSTANCE", "ORDWS_SOURCES", "ORDWS_KEY")
    }
    environment["PATH"] = f"{write_programs(tmp_path / 'bin')}{os.pathsep}{environment['PATH']}"

    def run(lines: str, **more: str) -> str:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", lines],
            cwd=tmp_path,
            env={**environment, **more},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, f"{lines}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    run.folder, run.environment = tmp_path, environment
    return run


def test_the_two_commands_come_first():
    """The first code block of README is the two commands, and the Makefile has both."""
    commands = steps_of(BLOCKS[0])
    assert commands == ["make run", "make test"]
    makefile = (ROOT / "Makefile").read_text()
    assert all(f"\n{command.split()[1]}:" in makefile for command in commands)


def test_the_commands_of_keeping_work_in_order(newcomer):
    """The commands of docs/keeping.md work in their order, and then README's questions and a game of docs/plays.md."""
    steps = steps_of(block("ordws init", KEEPING_BLOCKS))
    assert steps[-1] == "ordws serve"
    (newcomer.folder / "ballots.csv").write_text(block("id,family,", KEEPING_BLOCKS))
    output = newcomer("\n".join(step for step in steps[:-1] if step != "ordws-build fetch"))
    key = re.search(r"ordws_live_\S+", output).group()
    assert (newcomer.folder / "q.csv").stat().st_mode & 0o777 == 0o600
    assert newcomer(block("ordws judge")) == after("ordws judge")
    port = free_port()
    with running(newcomer, "ordws", "serve", "--workers", "1", *ALONE, "--bind", f"127.0.0.1:{port}"):
        question = block("export ORDWS_URL").replace(":8000", f":{port}").replace("ordws_live_...", key)
        assert newcomer(question).strip() == after("export ORDWS_URL").strip()
        opening = block("curl -s http://127.0.0.1:8000/v1/games", PLAYS_BLOCKS).replace(":8000", f":{port}")
        game = json.loads(newcomer(opening, ORDWS_KEY=key))
        assert [seat["player"] for seat in game["seats"]] == ["ann", "ben"]


@contextmanager
def running(newcomer, *command):
    """Run a server in the newcomer's folder, and stop it with SIGTERM at the end of the block."""
    program, *arguments = command
    address = command[-1].split(":")
    with server_process(
        [Path(sys.executable).with_name(program), *arguments],
        newcomer.folder / "server.log",
        lambda: is_listening(*address),
        cwd=newcomer.folder,
        env=newcomer.environment,
    ) as server:
        yield
    assert server.returncode == 0


def is_listening(host: str, port: str) -> bool:
    try:
        socket.create_connection((host, int(port)), TIMEOUT_SECONDS).close()
    except ConnectionRefusedError:
        return False
    return True


@pytest.mark.long
def test_the_curators_page_leads_to_the_console(newcomer):
    """Every command of docs/curating.md works as it says, and the printed link opens the page of an invitation."""
    steps = steps_of(block("ordws init", CURATING_BLOCKS))
    assert steps[-1] == "ordws curate"
    output = newcomer("\n".join(step for step in steps[:-1] if step != "ordws-build fetch"))
    link = output.splitlines()[-1]
    assert link.startswith("http://localhost:8010/invitation/")
    port = free_port()
    with running(newcomer, "ordws", "curate", "--bind", f"127.0.0.1:{port}"):
        page = newcomer(f"curl -s {link.replace(':8010', f':{port}')}")
        assert "Welcome, kay" in page
    newcomer(block("ordws-build take-back", CURATING_BLOCKS).partition("\n")[2])


def test_every_command_of_the_pages_has_the_options_that_it_is_typed_with():
    """Each command that a page shows exists, and takes the options and arguments that stand after it."""
    refused, shown = [], 0
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        lines = "".join(BLOCK.findall(page.read_text("utf-8"))).replace("\\\n", " ").splitlines()
        for line in lines:
            if line.startswith(tuple(f"{name} " for name in PROGRAMS)):
                program, *words = shlex.split(line, comments=True)
                typed = takewhile(lambda word: word not in (">", "|", "||", "&&", "<"), words)
                # The help is shown after the other options were read.
                done = CliRunner().invoke(PROGRAMS[program], [*typed, "--help"])
                refused += [f"{page.name}: {line}: {done.output}"] if done.exit_code else []
                shown += 1
    assert refused == []
    assert shown > 30


def test_every_picture_of_the_documents_exists():
    """Every picture that the documents show is in the repository."""
    shown = {ROOT / path for path in re.findall(r"\]\((docs/\S+?\.png)\)", README)}
    for page in (ROOT / "docs").glob("*.md"):
        shown |= {page.parent / path for path in re.findall(r"\]\((pictures/\S+?\.png)\)", page.read_text("utf-8"))}
    assert len(shown) >= 5
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in shown)


def test_the_receipt_in_the_page_of_plays_is_the_printed_one(newcomer):
    """The receipt in docs/plays.md is the one that is printed, except for empty lines and trailing spaces."""
    output = [line.rstrip() for line in newcomer(block("ordws play", PLAYS_BLOCKS)).splitlines() if line.strip()]
    assert output == after("ordws play", PLAYS_BLOCKS).splitlines()


def test_the_findings_in_the_page_of_plays_are_right(newcomer):
    """The record in docs/plays.md gives the findings below it."""
    (newcomer.folder / "game.gcg").write_text(block("#player1", PLAYS_BLOCKS))
    command = block("ordws replay", PLAYS_BLOCKS).strip()
    assert newcomer(f"{command} || test $? = 1") == after("ordws replay", PLAYS_BLOCKS)


def test_the_ruling_in_the_page_of_plays_is_right(newcomer):
    """The ruling in docs/plays.md is the one that is printed."""
    assert newcomer(block("printf", PLAYS_BLOCKS)) == after("printf", PLAYS_BLOCKS)


def test_the_commands_of_the_page_for_tables_work(newcomer):
    """The commands of docs/tables.md rule on words by two files, and end with a code for a table."""
    entries = block("export\t", TABLES_BLOCKS)
    (newcomer.folder / "dictionary.txt").write_text(f"bash\nmix\n{entries}")
    (newcomer.folder / "ospd.txt").write_text("bashings\novermix\nexporters\nkolo\n")
    output = newcomer(f"{block('ordws home', TABLES_BLOCKS).strip()} || test $? = 1")
    assert [line for line in output.splitlines() if ":" in line and line[0] != " "] == [
        "BASHINGS: acceptable",
        "OVERMIX: acceptable",
        "KOLO: not acceptable",
    ]
    newcomer("ordws init")
    code = newcomer(block("ordws clients add", TABLES_BLOCKS)).splitlines()[-1]
    assert re.fullmatch(r"[2-9A-Z]{5}-[2-9A-Z]{5}", code)


@each_row(
    "command",
    ["ordws", "ordws-build", "ordws-build run", "ordws-build fetch", "ordws-build take-back"]
    + [
        f"ordws {name}"
        for name in (
            "init",
            "serve",
            "judge",
            "play",
            "replay",
            "board",
            "rules",
            "slip",
            "clients",
            "clients add",
            "curation",
            "curation import",
            "curation export",
            "curation override",
            "curation status",
            "status",
            "publish",
            "keys",
            "keys rotate",
            "backup",
            "restore",
            "guard",
            "guard policy",
            "guard report",
            "guard trace",
            "guard reset-detectors",
            "guard calm",
            "clients pair",
            "clients devices",
            "clients unpair",
            "clients log",
            "clients rotate",
            "clients units",
            "curate",
            "accounts",
            "accounts add",
            "accounts invite",
            "accounts list",
            "accounts unlock",
            "accounts sign-out",
            "accounts end",
        )
    ],
)
def test_help_has_an_example(command):
    """The help of every command has an example of its own use."""
    program, *words = command.split()
    text = CliRunner().invoke(PROGRAMS[program], [*words, "--help"]).output
    assert "Example:" in text
    assert program in text.split("Example:")[1]


def test_the_tree_in_the_architecture_names_all_folders():
    """The tree in docs/architecture.md names all folders of the code, and each of them exists."""
    tree = block("builders/            offline", blocks_of("architecture.md"))
    named = set(re.findall(r"^\s*([a-z]+)/", tree, re.MULTILINE))
    ours = {path.parent.name for path in ROOT.glob("ordws/*/__init__.py")} | {"builders", "sources", "tests"}
    assert ours <= named
    parents = [ROOT, ROOT / "ordws", ROOT / "builders", ROOT / "ordws" / "web"]
    assert {name for name in named if not any((parent / name).is_dir() for parent in parents)} <= {"instance"}
