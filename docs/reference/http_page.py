"""The page of all routes, from the OpenAPI document, with problems, budgets and the pages of an event's desk."""

from __future__ import annotations

import inspect
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from flask import Flask
from page_text import WIDTH, as_text, bullet, members_with_meaning, paragraphs, slug, table, wrap

from ordws.api.actions import ACTIONS
from ordws.api.problems import BUDGET_MEANINGS, PROBLEM_MEANINGS, PROBLEMS
from ordws.api.requests import AuthenticatedAction
from ordws.api.station_events import StationEvent
from ordws.desk.app import PAGE_GROUPS
from ordws.rules.ruleset import RULE_SETS
from ordws.web.openapi import document

Schema: TypeAlias = Mapping[str, Any]


def http_page() -> list[str]:
    """Return the page of all routes, of the shapes that several have, of problems and of the desk's pages."""
    api = json.loads(document())
    page = HttpPage(api)
    routes = [(method.upper(), path, each) for path, group in api["paths"].items() for method, each in group.items()]
    blocks = ["# HTTP", *paragraphs(api["info"]["description"]), _HTTP_INTRO]
    for tag in api["tags"]:
        within = [each for each in routes if each[2]["tags"] == [tag["name"]]]
        links = [f"[`{method} {path}`](#{slug(f'{method} {path}')})" for method, path, _ in within]
        rows = [(link, each["summary"]) for link, (_, _, each) in zip(links, within, strict=True)]
        blocks += [f"## {tag['name']}", tag["description"], table(["route", "does"], rows)]
        for method, path, each in within:
            blocks += page.route(method, path, each)
    blocks += ["## Shapes", "What several requests and replies have, under one name."]
    for name in page.named():
        blocks += page.shape(name)
    blocks += ["## Events of a table station", _STATION_INTRO, "\n".join(station_lines())]
    meanings = [(f"`{code}`", *PROBLEMS[code], PROBLEM_MEANINGS.get(code, "")) for code in PROBLEMS]
    blocks += ["## Problems", _PROBLEM_INTRO, table(["code", "status", "title", "meaning"], meanings)]
    budgets = [(f"`{name}`", meaning) for name, meaning in BUDGET_MEANINGS.items()]
    blocks += ["## Budgets", "`budget-spent` names one of these:", table(["budget", "of"], budgets)]
    return [*blocks, "## Pages of an event's desk", _DESK_INTRO, table(["page", "for", "does"], desk_rows())]


_HTTP_INTRO: Final = wrap(
    "Credentials, headers, idempotency and limits are in [interfaces.md](../interfaces.md) 2. The service itself shows"
    " this reference at `/docs`, with examples in curl, Python and JavaScript, and as OpenAPI 3.1 at `/openapi.json`."
    " Every route may answer `bad-request`, `short-body`, `length-required`, `too-large`, `internal-error` and"
    " `too-busy`, and a POST `not-json`; the other problems stand with each route. An optional field of a reply is left"
    " out, or null, where it says nothing."
)
_PROBLEM_INTRO: Final = (
    "No sentence of a problem repeats a word that was asked. `meaning` says what a title leaves open."
)
_STATION_INTRO: Final = wrap(
    "The texts of `POST /v1/stations/games`, by their `kind`. Each also has `n` (its number from 0 on), `at`"
    " (milliseconds since 1970), `previous` (the SHA-256 of the text before it, in hexadecimal; empty for the first)"
    " and `clocks` (the milliseconds that each player has used). Time between a play or challenge and its `verdict`"
    " belongs to nobody, up to 5 seconds; else some player's clock runs from `start` to the end."
)
_DESK_INTRO: Final = wrap(
    "`ordws tournament desk` serves them, in a process of its own; how forms are sent is in"
    " [interfaces.md](../interfaces.md) 2.8. `<event>` is the name of its file in a folder of events.",
)
_COMMON: Final = frozenset(
    ["bad-request", "short-body", "length-required", "too-large", "internal-error", "too-busy", "not-json"]
)
_CALLERS: Final = {
    "clientKey": "a client's key",
    "pairedDevice": "a paired device",
    "seat": "the cookie of a seat",
}
_PLAIN: Final = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "null": "null",
    "object": "object",
}


class HttpPage:
    """The routes and shapes of an OpenAPI document as text."""

    def __init__(self, api: Schema) -> None:
        self._schemas: dict[str, Schema] = api["components"]["schemas"]
        text = json.dumps(api)
        self._uses = Counter(re.findall(r'"#/components/schemas/(\w+)"', text))

    def named(self) -> list[str]:
        """Return the names of the shapes that several places have and that are too long to repeat."""
        return sorted([name for name in self._schemas if self._is_named(name)])

    def _is_named(self, name: str) -> bool:
        shape = self._schemas[name]
        is_long = len(shape["properties"]) > 3 or "$ref" in json.dumps(shape)
        return name != "ProblemDetails" and self._uses[name] > 1 and is_long

    def route(self, method: str, path: str, operation: Schema) -> list[str]:
        """Return the entry of a route."""
        blocks = [f"### `{method} {path}`", operation["summary"], *paragraphs(operation["description"])]
        blocks.append(wrap(caller_of(method, path, operation)))
        if parameters := [each for each in operation.get("parameters", ()) if each["name"] != "Idempotency-Key"]:
            lines = [
                self._line(f"{each['name']}` in the {each['in']}", each["schema"], each["required"], 0)
                for each in parameters
            ]
            blocks += ["Parameters:", "\n".join(lines)]
        examples = []
        if "requestBody" in operation:
            content = operation["requestBody"]["content"]["application/json"]
            name = content["schema"]["$ref"].rpartition("/")[2]
            blocks += [wrap(f"Body: {self._about(name)}"), self.fields(name)]
            examples = [content["example"]] if "example" in content else []
        for status, response in operation["responses"].items():
            if (content := response["content"].get("application/json")) is not None:
                others = "".join([f", or `{kind}`" for kind in response["content"] if kind != "application/json"])
                blocks += self._reply(f"Reply {status}{others}", content["schema"])
                examples += [content["example"]] if "example" in content else []
        told = [
            f"{status} {', '.join([f'`{code}`' for code in codes])}"
            for status, response in operation["responses"].items()
            if (codes := [code for code in codes_of(response) if code not in _COMMON])
        ]
        blocks += [wrap(f"Problems: {'; '.join(told)}.")] if told else []
        return [*filter(None, blocks), *[f"```\n{show_json(each)}\n```" for each in examples]]

    def _reply(self, title: str, schema: Schema) -> list[str]:
        name = schema["$ref"].rpartition("/")[2]
        if self._is_named(name):
            return [wrap(f"{title}: {self._link(name)}. {self._about(name)}")]
        return [wrap(f"{title}: {self._about(name)}"), self.fields(name)]

    def shape(self, name: str) -> list[str]:
        """Return the entry of a shape that several places have."""
        return [f"### `{name}`", wrap(self._about(name)), self.fields(name)]

    def _about(self, name: str) -> str:
        return as_text(self._schemas[name].get("description", ""))

    def fields(self, name: str, level: int = 0) -> str:
        """Return a line for each field of a shape, and below it those of a shape that stands there alone."""
        shape = self._schemas[name]
        required = shape.get("required", ())
        return "\n".join(
            [self._line(f"{field}`", each, field in required, level) for field, each in shape["properties"].items()]
        )

    def _line(self, name: str, schema: Schema, is_required: bool, level: int) -> str:
        kind, inner = self._kind(schema), self._inner(schema)
        notes = [kind]
        if schema.get("default") not in (None, "", []):
            default = schema["default"]
            notes.append(f"default `{default if isinstance(default, str) else json.dumps(default)}`")
        elif not is_required:
            notes.append("optional")
        text = described_by(schema) or (self._about(inner) if inner else "")
        line = bullet(f"`{name} ({', '.join(notes)}){': ' + ' '.join(text.split()) if text else ''}", level)
        return "\n".join([line, self.fields(inner, level + 1)]) if inner else line

    def _inner(self, schema: Schema) -> str:
        """Return the name of the shape of a value that is described in its place; empty where there is none."""
        found = re.findall(r'"#/components/schemas/(\w+)"', json.dumps(schema))
        return found[0] if found and not self._is_named(found[0]) else ""

    def _link(self, name: str) -> str:
        return f"[`{name}`](#{slug(name)})" if self._is_named(name) else "object"

    def _kind(self, schema: Schema) -> str:
        """Return the type of a value in words."""
        if "$ref" in schema:
            return self._link(schema["$ref"].rpartition("/")[2])
        values = schema.get("enum")
        if values == [*RULE_SETS]:
            return "the id of a rule set"
        if values:
            return " or ".join([json.dumps(each) if each is None else f"`{each}`" for each in values])
        if schema.get("format") == "date-time":
            return "time or null" if "anyOf" in schema else "time"
        if "anyOf" in schema:
            # A value that may be left out may be null as well, of which nothing has to be said.
            parts = [each for each in schema["anyOf"] if "default" not in schema or each != {"type": "null"}]
            return " or ".join(dict.fromkeys([self._kind(each) for each in parts])) if len(parts) < 4 else "values"
        if schema.get("type") == "array":
            kind = self._kind(schema["items"])
            several = re.sub("^(text|object|whole number)", r"\1s", kind)
            return f"list of {bounds(schema, 'Items')}{several}"
        kind = _PLAIN.get(schema.get("type", ""), "value")
        if schema.get("type") == "object" and "additionalProperties" in schema:
            return f"object of {self._kind(schema['additionalProperties'])}"
        if kind == "text" and "maxLength" in schema:
            return f"text of {bounds(schema, 'Length')}characters"
        low, high = schema.get("minimum"), schema.get("maximum")
        return f"{low:,} to {high:,}" if low is not None and high is not None else kind


def bounds(schema: Schema, what: str) -> str:
    """Return how long a text or a list may be, with a space behind it; empty where nothing is said."""
    low, high = schema.get(f"min{what}", 0), schema.get(f"max{what}")
    if high is None:
        return ""
    return f"{low:,} to {high:,} " if 0 < low < high else f"{high:,} " if low == high else f"up to {high:,} "


def described_by(schema: Schema) -> str:
    """Return the description of a type, or of the first part of it that has one."""
    if text := schema.get("description"):
        return str(text)
    parts = [*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else [])]
    return next((text for each in parts if (text := described_by(each))), "")


def codes_of(response: Schema) -> list[str]:
    """Return the codes of the problems that go with a status."""
    found = response["content"].get("application/problem+json")
    return found["schema"]["allOf"][1]["properties"]["code"]["enum"] if found else []


def caller_of(method: str, path: str, operation: Schema) -> str:
    """Return who may send a request, in a sentence."""
    action = ACTIONS[(method, path)]
    callers = [_CALLERS[name] for each in operation["security"] for name in each]
    scope = f" of scope `{action.scope}`" if isinstance(action, AuthenticatedAction) else ""
    named = [each + scope if each == _CALLERS["clientKey"] else each for each in callers]
    who = f"For {' or '.join(named)}" if named else "For anybody"
    if {} in operation["security"]:
        who = f"For anybody; where the service has its own players' reference, for {' or '.join(named)}"
    who += ", not from pages of other sites" if getattr(action, "same_site_only", False) else ""
    return f"{who}. Takes an `Idempotency-Key`." if getattr(action, "commits", False) else f"{who}."


def show_json(value: Any, depth: int = 0, column: int = 0) -> str:
    """Return JSON on one line if it fits behind a column, else with as many elements a line as fit."""
    whole = json.dumps(value, ensure_ascii=False)
    if len(whole) + column <= WIDTH - 2 or not isinstance(value, dict | list) or not value:
        return whole
    inner = depth + 1
    if isinstance(value, dict):
        named = [(f"{json.dumps(name)}: ", each) for name, each in value.items()]
        parts = [name + show_json(each, inner, inner + len(name)) for name, each in named]
    else:
        parts = [show_json(each, inner, inner) for each in value]
    lines = [parts[0]]
    for part in parts[1:]:
        if "\n" not in lines[-1] + part and inner + len(lines[-1]) + len(part) + 3 <= WIDTH:
            lines[-1] += f", {part}"
        else:
            lines.append(part)
    first, last = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return first + f",\n{' ' * inner}".join(lines) + last


def station_lines() -> Iterator[str]:
    """Yield a line for each kind of event, with its own fields."""
    for kind in StationEvent.__args__:  # type: ignore[attr-defined]
        meaning = members_with_meaning(kind)
        own = [name for name in kind.__annotations__ if name in kind.__struct_fields__]
        named = [f"`{name}` ({meaning[name].rstrip('.')})" if name in meaning else f"`{name}`" for name in own]
        doc = " ".join((kind.__doc__ or "").split())
        yield bullet(f"`{kind.__struct_config__.tag}`: {doc}{' Fields: ' + ', '.join(named) + '.' if named else ''}")


def desk_rows() -> Iterator[tuple[str, str, str]]:
    """Yield the pages of the desk, from the views of its application."""
    app = Flask("reference")
    for group in PAGE_GROUPS:
        app.register_blueprint(group)
    rows = []
    for rule in [each for each in app.url_map.iter_rules() if each.endpoint != "static"]:
        view: Any = app.view_functions[rule.endpoint]
        method = "POST" if "POST" in (rule.methods or ()) else "GET"
        who = " or ".join([f"{each}s" for each in view.allowed]) or "anybody"
        rows.append((rule.rule, method, who, " ".join(inspect.getdoc(view).split("\n\n")[0].split())))
    for path, method, who, doc in sorted(rows, key=lambda row: (row[0].startswith("/tournament"), row)):
        yield f"`{method} {path}`", who, doc
