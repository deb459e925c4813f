"""The package of the JavaScript client: its files, its types, and the programs of its page."""

from __future__ import annotations

import json
import re
import tomllib

import pytest
from node_programs import PACKAGE, ROOT, install_package, run_node

PAGE = (PACKAGE / "README.md").read_text("utf-8")
TYPES = (PACKAGE / "client.d.ts").read_text("utf-8")
PROGRAMS = re.findall(r"^```js\n(.*?)^```\n```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
LIST_NAMES = """
import * as module from "ordws-client";
const methods = (made) => {
  const found = [];
  for (let each = made; each !== Object.prototype; each = Object.getPrototypeOf(each)) {
    found.push(...Object.getOwnPropertyNames(each).filter((name) => typeof made[name] === "function"));
  }
  return found;
};
const client = module.createClient({ baseUrl: "http://localhost" });
const errors = [
  new module.OrdwsProblem({}), new module.Unreachable(""), new module.UnexpectedReply(0, "", ""),
].map((error) => Object.keys(error));
console.log(JSON.stringify({
  exported: Object.keys(module), client: methods(client), game: methods(client.game("g")), errors,
  times: Object.keys(client.times),
}));
"""
INTERNAL = {"constructor", "fetch", "now", "random", "sleep", "openStream", "keepNonce"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("javascript")
    install_package(folder)
    return folder


@pytest.fixture(scope="module")
def names(installed):
    (installed / "names.mjs").write_text(LIST_NAMES)
    return json.loads(run_node(installed, "names.mjs"))


def members_of(interface):
    """Return the names that an interface or class of the types declares at its first level."""
    body = re.search(rf"^export (?:interface|class) {interface}\b.*?\{{\n(.*?)^\}}", TYPES, re.MULTILINE | re.DOTALL)[1]
    return set(re.findall(r"^  (?:readonly )?(\w+)\??(?=[:(])", body, re.MULTILINE))


def test_the_package_has_the_module_its_types_and_the_licence(installed):
    """What is packed is the module that the pages use, with types and licence, under the version of the project."""
    folder = installed / "node_modules" / "ordws-client"
    package = json.loads((folder / "package.json").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (package["version"], package["license"]) == (project["version"], project["license"])
    assert "dependencies" not in package
    assert {each.name for each in folder.iterdir()} == {*package["files"], "package.json", "README.md", "LICENSE"}
    for name in [each for each in package["files"] if each.endswith(".js")]:
        assert (folder / name).read_bytes() == (ROOT / "ordws/web/pages/static" / name).read_bytes()
        imported = re.findall(r'from "(.*?)"', (folder / name).read_text())
        assert {each.removeprefix("./") for each in imported} <= {*package["files"]}
    assert f"ordws-client-{package['version']}.tgz" in PAGE


def test_the_types_name_what_the_module_exports(names):
    """Every exported name and every public method has a type, and no type is declared of what does not exist."""
    declared = re.findall(r"^export (?:function|class) (\w+)", TYPES, re.MULTILINE)
    assert sorted(declared) == sorted(names["exported"])
    assert members_of("Client") - {"baseUrl"} == {*names["client"]} - INTERNAL
    assert members_of("Game") - {"id"} == {*names["game"]} - INTERNAL
    assert members_of("WatchTimes") == {*names["times"]}
    problem, unreachable, unexpected = ({*keys} - {"name"} for keys in names["errors"])
    assert members_of("OrdwsProblem") == problem
    assert members_of("Unreachable") == unreachable
    assert members_of("UnexpectedReply") == unexpected - unreachable


def test_every_program_shows_its_output():
    """Every program on the page is followed by its output, or it would not be run."""
    assert len(PROGRAMS) == PAGE.count("```js") == 3


def test_the_programs_print_the_output_on_the_page(installed, running_service, test_key):
    """Each program is complete and prints the output on the page, with a test key."""
    for number, (program, output) in enumerate(PROGRAMS):
        (installed / f"program{number}.mjs").write_text(program)
        printed = run_node(
            installed, f"program{number}.mjs", ORDWS_URL=running_service.address, ORDWS_KEY=test_key, NO_COLOR="1"
        )
        assert printed == output
