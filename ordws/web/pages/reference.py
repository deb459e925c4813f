"""The API reference, read from the OpenAPI document: groups, operations, their fields, replies, problems and code.

Code is in curl, Python and JavaScript; a value such as "$GAME" is a variable of the reader's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from ordws.api import problems, public_editions
from ordws.api.requests import bad_body
from ordws.api.words import JudgeWords
from ordws.web import openapi

_VARIABLE: Final = re.compile(r'"\$([A-Z]+)"')
_PATH_VARIABLE: Final = re.compile(r"\$([A-Z]+)")


_IN_SHELL: Final = '"\'"$\\1"\'"'
_MAX_LINE: Final = 60


class Sample(NamedTuple):
    """A request of the reference: `path` has the values of its fields, and `body` is None for a GET."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: dict[str, Any] | None
    needs_key: bool

    @property
    def target(self) -> str:
        """The path with its query."""
        return f"{self.path}?{urlencode(self.query)}" if self.query else self.path


SETUP: Final = {
    "curl": "export ORDWS_URL=http://127.0.0.1:8000\nexport ORDWS_KEY=ordws_test_...",
    "python": (
        "import os\nimport httpx\n\n"
        "http = httpx.Client(\n"
        '    base_url=os.environ["ORDWS_URL"],\n'
        '    headers={"Authorization": f"Bearer {os.environ[\'ORDWS_KEY\']}"},\n'
        ")"
    ),
    "javascript": "const { ORDWS_URL, ORDWS_KEY } = process.env;",
}
"""What comes before the samples of each language."""


def write_samples(sample: Sample) -> dict[str, str]:
    """Return the request as code by language."""
    return {"curl": write_curl(sample), "python": write_python(sample), "javascript": write_javascript(sample)}


def write_curl(sample: Sample) -> str:
    headers = {"Authorization": "Bearer $ORDWS_KEY"} if sample.needs_key else {}
    lines = [f'curl -s "$ORDWS_URL{sample.target}"']
    if sample.body is not None:
        headers["Content-Type"] = "application/json"
    lines += [f'-H "{name}: {value}"' for name, value in {**headers, **sample.headers}.items()]
    if sample.body is not None:
        # A shell variable stands outside the single quotes of the body, in double quotes of its own.
        body = _VARIABLE.sub(_IN_SHELL, write_json(sample.body))
        lines.append(f"-d '{body}'")
    return " \\\n  ".join(lines)


def write_python(sample: Sample) -> str:
    path = _PATH_VARIABLE.sub(r"{\1}", sample.target)
    arguments = [f'{"f" if path != sample.target else ""}"{path}"']
    if sample.headers:
        arguments.append(f"headers={_python_value(sample.headers)}")
    if sample.body is not None:
        arguments.append(f"json={_python_value(sample.body)}")
    return f"reply = http.{sample.method.lower()}({_spread(arguments)})\nprint(reply.json())"


def _python_value(value: Any) -> str:
    text = _VARIABLE.sub(r"\1", write_json(value))
    return re.sub(r"\b(true|false|null)\b", lambda found: str(json.loads(found[1])), text)


def write_javascript(sample: Sample) -> str:
    path = _PATH_VARIABLE.sub(r"${\1}", sample.target)
    given = {"Authorization": "`Bearer ${ORDWS_KEY}`"} if sample.needs_key else {}
    given |= {name: _javascript_value(value) for name, value in sample.headers.items()}
    options = []
    if sample.body is not None:
        given["Content-Type"] = '"application/json"'
        options = ['method: "POST"', f"body: JSON.stringify({_javascript_value(sample.body)})"]
    if given:
        headers = ", ".join([f"{json.dumps(name) if '-' in name else name}: {value}" for name, value in given.items()])
        options.insert(len(options) // 2, f"headers: {{ {headers} }}")
    lines = "".join([f"  {option},\n" for option in options])
    return (
        f"const reply = await fetch(`${{ORDWS_URL}}{path}`{f', {{{chr(10)}{lines}}}' if lines else ''});\n"
        "console.log(await reply.json());"
    )


def _javascript_value(value: Any) -> str:
    return _VARIABLE.sub(r"\1", write_json(value))


def write_json(value: Any) -> str:
    """Return JSON in a line, or, where it would be long, a line for each field."""
    text = json.dumps(value)
    if len(text) <= _MAX_LINE or not isinstance(value, dict):
        return text
    return "{\n" + ",\n".join([f"  {json.dumps(name)}: {json.dumps(field)}" for name, field in value.items()]) + "\n}"


def _spread(arguments: list[str]) -> str:
    """Return arguments in a line, or each in its own where there are several."""
    return arguments[0] if len(arguments) == 1 else "\n    " + ",\n    ".join(arguments) + ",\n"


_MISSPELT: Final = b'{"wrods": ["STAINER"]}'
_TOY_WORDS: Final = {
    "toy-core": public_editions.TOY_CORE,
    "toy-words": public_editions.TOY_WORDS,
    "toy-reference": public_editions.TOY_REFERENCE,
    "toy-spent": (public_editions.BUDGET_SPENT_WORD,),
    "toy-down": (public_editions.STORE_DOWN_WORD,),
}
_LIMITS: Final = (
    ("minItems", "maxItems", "items"),
    ("minLength", "maxLength", "characters"),
    ("minimum", "maximum", ""),
)


class FieldRow(NamedTuple):
    """A field of a request or reply: how deep it is nested, its type and limits in words, and what it means."""

    depth: int
    name: str
    type: str
    required: bool
    choices: tuple[str, ...]
    description: str


class ProblemRow(NamedTuple):
    """A reason for which an operation is refused."""

    status: str
    code: str
    title: str


class Operation(NamedTuple):
    """An operation as the page shows it; `samples` are by language, and empty where there is no example."""

    id: str
    method: str
    path: str
    summary: str
    description: str
    access: str
    parameters: list[FieldRow]
    body: list[FieldRow]
    status: str
    reply: list[FieldRow]
    problems: list[ProblemRow]
    samples: dict[str, str]
    example: str


class Group(NamedTuple):
    """Operations that belong together."""

    name: str
    description: str
    operations: list[Operation]


def read_reference() -> dict[str, object]:
    """Return what the template of the reference shows."""
    document = json.loads(openapi.document())
    schemas = document["components"]["schemas"]
    groups = {tag["name"]: Group(tag["name"], tag["description"], []) for tag in document["tags"]}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            groups[operation["tags"][0]].operations.append(read_operation(method.upper(), path, operation, schemas))
    refusal = problems.write_details(bad_body(JudgeWords, _MISSPELT), "5f0c1a44-9b7e-4c53-a2d1-3e8f6b7a9c10")
    return {
        "about": document["info"]["description"].split("\n\n")[:-1],  # the last is on test keys, which have a table
        "groups": [*groups.values()],
        "setup": SETUP,
        "toy": _TOY_WORDS,
        "problem": json.dumps(json.loads(refusal), indent=2),
    }


def read_operation(method: str, path: str, operation: dict[str, Any], schemas: dict[str, Any]) -> Operation:
    """Return an operation of the document as the page shows it."""
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    status, success = next((status, reply) for status, reply in operation["responses"].items() if status[0] == "2")
    reply = success["content"]["application/json"]
    refusals = [
        ProblemRow(status, code, problems.PROBLEMS[code][1])
        for status, response in operation["responses"].items()
        if status[0] != "2"
        for code in response["content"]["application/problem+json"]["schema"]["allOf"][1]["properties"]["code"]["enum"]
    ]
    schemes = {name for scheme in operation["security"] for name in scheme}
    example = openapi.EXAMPLES.get(f"{method} {path}")
    return Operation(
        operation["operationId"].replace("_", "-"),
        method,
        path,
        operation["summary"],
        operation["description"],
        {0: "public", 2: "either"}.get(len(schemes), "device" if "pairedDevice" in schemes else "key"),
        [
            FieldRow(
                0,
                each["name"],
                f"{describe_schema(each['schema'], schemas)}, {each['in']}",
                each["required"],
                choices_of(each["schema"]),
                each.get("description") or each["schema"].get("description", ""),
            )
            for each in operation.get("parameters", ())
        ],
        [*read_fields(body.get("schema", {}), schemas)],
        status,
        [*read_fields(reply["schema"], schemas)],
        refusals,
        write_samples(read_sample(method, path, example, bool(schemes))) if example else {},
        json.dumps(example["reply"], indent=2, ensure_ascii=False) if example else "",
    )


def read_sample(method: str, path: str, example: dict[str, Any], needs_key: bool) -> Sample:
    """Return the request of an example."""
    for name, value in example.get("path", {}).items():
        path = path.replace(f"{{{name}}}", value)
    return Sample(method, path, example.get("query", {}), example.get("headers", {}), example.get("body"), needs_key)


def read_fields(schema: dict[str, Any], schemas: dict[str, Any], depth: int = 0) -> Iterator[FieldRow]:
    """Yield the fields of an object, those of objects in it after their own field, one deeper."""
    schema = resolve(schema, schemas)
    for name, field in schema.get("properties", {}).items():
        inner = resolve(field, schemas)
        description = field.get("description") or inner.get("description", "") * ("properties" not in inner)
        required = name in schema.get("required", ())
        yield FieldRow(depth, name, describe_schema(field, schemas), required, choices_of(inner), description)
        yield from read_fields(inner.get("items", inner), schemas, depth + 1)


def resolve(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the schema that a reference names, or that may be null beside it; any other as it is."""
    members = [member for member in schema.get("anyOf", ()) if member != {"type": "null"}]
    if len(members) == 1:
        return {**resolve(members[0], schemas), **{key: schema[key] for key in ("description",) if key in schema}}
    if "$ref" in schema:
        found: dict[str, Any] = schemas[schema["$ref"].rpartition("/")[2]]
        return found
    return schema


def describe_schema(schema: dict[str, Any], schemas: dict[str, Any]) -> str:
    """Return the type and the limits of a value in words, as `list of strings, 1 to 8 items`."""
    bare = resolve(schema, schemas)
    if "anyOf" in bare:
        return " or ".join(dict.fromkeys([describe_schema(member, schemas) for member in bare["anyOf"]]))
    kind: str = {"boolean": "true or false", "integer": "whole number"}.get(
        bare.get("type", ""), bare.get("type", "string")
    )
    if kind == "array":
        kind = f"list of {describe_schema(bare['items'], schemas).partition(',')[0]}s"
    for least, most, unit in _LIMITS:
        if most in bare:
            numbers = f"{bare[least]} to {bare[most]}" if bare.get(least) else f"at most {bare[most]}"
            kind += f", {numbers} {unit}".rstrip()
    return kind


def choices_of(schema: dict[str, Any]) -> tuple[str, ...]:
    """Return the values that a field may have, where there are few."""
    return tuple([str(value) for value in schema.get("enum", ()) if value is not None])
