"""The OpenAPI document, made from the table of actions and the shapes they read and return."""

from __future__ import annotations

import json
from typing import Any, Final, TypeAlias

import msgspec

from ordws.desk.actions import ACTIONS, Action, Keyed
from ordws.desk.problems import PROBLEMS, Code, ProblemDetails

Json: TypeAlias = dict[str, Any]

_KEY: Final = "clientKey"
_ALWAYS: Final[tuple[Code, ...]] = (
    "bad-request", "short-body", "length-required", "too-large", "internal-error", "too-busy",
)  # fmt: skip
_BY_CODE: Final[dict[Code, Json]] = {
    "unauthorized": {"WWW-Authenticate": {"required": True, "schema": {"const": "Bearer"}}},
    "budget-spent": {"Retry-After": {"required": True, "schema": {"type": "integer", "minimum": 0}}},
    "too-busy": {"Retry-After": {"required": True, "schema": {"type": "integer", "minimum": 0}}},
    "store-down": {"Retry-After": {"required": True, "schema": {"type": "integer", "minimum": 0}}},
}
_INFO: Final = {
    "title": "ORDWS",
    "version": "1",
    "description": (
        "Asks a sealed word set: up to eight words get one verdict, yes or no. Each word outside the public core list"
        " costs one unit, whatever the answer, and words of two letters cost nothing; `/v1/quota` tells what is left."
        " A whole play is judged and scored by `/v1/plays`, at the price of its new words; one that does not fit is"
        " refused at no cost, with the first of the reasons that a player would be told. `/v1/score` explains a score"
        " without looking up a word, and costs nothing. There is no way to list, search or count the words."
        " Every answer that is not 2xx is a problem (RFC 9457) with a `code`."
    ),
}


def document() -> bytes:
    """The document as it is served."""
    return json.dumps(_document(), separators=(",", ":")).encode()


def _document() -> Json:
    shapes = {shape for action in ACTIONS.values() for shape in (action.reads, action.returns)} | {ProblemDetails}
    ordered = sorted(shapes, key=lambda shape: shape.__name__)
    _, schemas = msgspec.json.schema_components(ordered, ref_template="#/components/schemas/{name}")
    paths: Json = {}
    for (method, path), action in ACTIONS.items():
        paths.setdefault(path, {})[method.lower()] = _operation(method, path, action, schemas)
    return {
        "openapi": "3.1.0",
        "info": _INFO,
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {_KEY: {"type": "http", "scheme": "bearer", "bearerFormat": "ordws_live_..."}},
        },
    }


def _operation(method: str, path: str, action: Action, schemas: Json) -> Json:
    operation: Json = {
        "operationId": action.does.__name__,
        "summary": (action.does.__doc__ or "").partition("\n")[0],
        "security": [{_KEY: []}] if isinstance(action, Keyed) else [],
        "responses": _responses(method, action),
    }
    if method == "POST":
        body = {"schema": {"$ref": f"#/components/schemas/{action.reads.__name__}"}}
        operation["requestBody"] = {"required": True, "content": {"application/json": body}}
    else:
        operation["parameters"] = _parameters(path, schemas[action.reads.__name__])
    return operation


def _parameters(path: str, shape: Json) -> list[Json]:
    return [
        {
            "name": name,
            "in": "path" if f"{{{name}}}" in path else "query",
            "required": name in shape["required"],
            "schema": _without_null(schema),
        }
        for name, schema in shape["properties"].items()
    ]


def _without_null(schema: Json) -> Json:
    """A parameter of a query is left out rather than null."""
    present = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    return present[0] if present else schema


def _responses(method: str, action: Action) -> Json:
    responses: Json = {
        "200": {
            "description": (action.returns.__doc__ or "").partition("\n")[0],
            "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{action.returns.__name__}"}}},
        }
    }
    by_status: dict[int, list[Code]] = {}
    for code in dict.fromkeys(_codes(method, action)):
        by_status.setdefault(PROBLEMS[code][0], []).append(code)
    for status, codes in sorted(by_status.items()):
        responses[str(status)] = _refusal(codes)
    return responses


def _codes(method: str, action: Action) -> tuple[Code, ...]:
    codes = (*_ALWAYS, *action.refuses)
    if method == "POST":
        codes = (*codes, "not-json")
    if isinstance(action, Keyed):
        codes = (*codes, "unauthorized", "store-down")
    return codes


def _refusal(codes: list[Code]) -> Json:
    shape = {
        "allOf": [
            {"$ref": f"#/components/schemas/{ProblemDetails.__name__}"},
            {"properties": {"code": {"enum": codes}}},
        ]
    }
    headers = {name: header for code in codes for name, header in _BY_CODE.get(code, {}).items()}
    return {
        "description": "; ".join(PROBLEMS[code][1] for code in codes),
        "content": {"application/problem+json": {"schema": shape}},
        **({"headers": headers} if headers else {}),
    }
