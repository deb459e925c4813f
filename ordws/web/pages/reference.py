"""The API reference, read from the OpenAPI document: groups, operations, their fields, replies, problems and code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from ordws.api import problems, toy
from ordws.api.request_faults import bad_body
from ordws.api.requests import JudgeWords
from ordws.web import openapi
from ordws.web.pages.code_samples import SETUP, Sample, write_samples

_MISSPELT: Final = b'{"wrods": ["STAINER"]}'
_TOY_WORDS: Final = {
    "toy-core": toy.CORE,
    "toy-words": toy.WORDS,
    "toy-reference": toy.REFERENCE,
    "toy-spent": (toy.BUDGET_SPENT_WORD,),
    "toy-down": (toy.STORE_DOWN_WORD,),
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
