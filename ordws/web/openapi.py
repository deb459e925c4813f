"""The OpenAPI document, made from the table of actions and the shapes they read and return."""

from __future__ import annotations

import json
from collections.abc import Mapping
from string import Formatter
from typing import Any, Final, TypeAlias

import msgspec

from ordws.api import toy
from ordws.api.actions import ACTIONS, Action, AuthenticatedAction, AuthMethod
from ordws.api.idempotency import MAX_KEY_LENGTH
from ordws.api.problems import DEVICE_COOKIE, PROBLEMS, ProblemCode, ProblemDetails

OpenApiObject: TypeAlias = dict[str, Any]

_KEY: Final = "clientKey"
_DEVICE: Final = "pairedDevice"
_FORMAT: Final = "ordws_live_... or ordws_test_..."
_SECURITY: Final[dict[AuthMethod, list[OpenApiObject]]] = {
    "key": [{_KEY: []}],
    "device": [{_DEVICE: []}],
    "either": [{_KEY: []}, {_DEVICE: []}],
}
_SCHEMES: Final = {
    _KEY: {"type": "http", "scheme": "bearer", "bearerFormat": _FORMAT},
    _DEVICE: {
        "type": "apiKey",
        "in": "cookie",
        "name": DEVICE_COOKIE,
        "description": "Set by `POST /v1/pair`; used from pages of this service alone, and where no key is sent. What a"
        " paired device asks is charged to a player of its own, so that it sends no `player`.",
    },
}
_COMMON_CODES: Final[tuple[ProblemCode, ...]] = (
    "bad-request",
    "short-body",
    "length-required",
    "too-large",
    "internal-error",
    "too-busy",
)
_HEADERS_BY_CODE: Final[dict[ProblemCode, OpenApiObject]] = {
    "unauthorized": {"WWW-Authenticate": {"required": True, "schema": {"const": "Bearer"}}},
    "not-paired": {
        "WWW-Authenticate": {"required": True, "schema": {"const": f'Cookie cookie-name="{DEVICE_COOKIE}"'}}
    },
    "too-many-guesses": {"Retry-After": {"required": True, "schema": {"type": "integer", "minimum": 0}}},
    "budget-spent": {"Retry-After": {"required": True, "schema": {"type": "integer", "minimum": 0}}},
    "under-way": {"Retry-After": {"required": True, "schema": {"type": "integer", "minimum": 0}}},
    "too-busy": {"Retry-After": {"required": True, "schema": {"type": "integer", "minimum": 0}}},
    "store-down": {"Retry-After": {"required": True, "schema": {"type": "integer", "minimum": 0}}},
}
_IDEMPOTENCY_KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Sent again with the same body, a request gets the same answer for a day, and is charged once.",
    "schema": {"type": "string", "minLength": 1, "maxLength": MAX_KEY_LENGTH, "pattern": "^[ -~]+$"},
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
        " A sealed game, `/v1/games`, is dealt by the server: each seat has a token, sees its own rack, and sends its"
        " moves to `/v1/games/{id}/turns`, where the first move for a turn is made and, sent again, answered alike."
        " `/v1/ospd` tells whether words stand in the players' reference, a public list, and what a no costs a player."
        " A client lets devices ask in its name without its key: `/v1/devices` gives a code, and the device that sends"
        " it to `/v1/pair` gets a cookie."
        " Every answer that is not 2xx is a problem (RFC 9457) with a `code`.\n\nTest keys, `ordws_test_...`, ask a toy"
        " set and touch no live budget."
        f" In, and free: {', '.join(toy.CORE)}. In, at a unit each: {', '.join(toy.WORDS)}."
        f" Out, but found in the players' reference: {', '.join(toy.REFERENCE)}."
        f" A question with {toy.BUDGET_SPENT_WORD} is answered by 429, one with {toy.STORE_DOWN_WORD} by 503. All other words are out."
    ),
}


def document() -> bytes:
    """The document as it is served."""
    return json.dumps(_document(), separators=(",", ":")).encode()


def _document() -> OpenApiObject:
    shapes = {shape for action in ACTIONS.values() for shape in (action.request_type, action.reply_type)} | {
        ProblemDetails
    }
    ordered = sorted(shapes, key=lambda shape: shape.__name__)
    _, schemas = msgspec.json.schema_components(ordered, ref_template="#/components/schemas/{name}")
    paths: OpenApiObject = {}
    for (method, path), action in ACTIONS.items():
        paths.setdefault(path, {})[method.lower()] = _operation(method, path, action, schemas)
    return {
        "openapi": "3.1.0",
        "info": _INFO,
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": _SCHEMES,
        },
    }


def _operation(method: str, path: str, action: Action, schemas: OpenApiObject) -> OpenApiObject:
    operation: OpenApiObject = {
        "operationId": action.handler.__name__,
        "summary": (action.handler.__doc__ or "").partition("\n")[0],
        "security": _SECURITY[action.auth] if isinstance(action, AuthenticatedAction) else [],
        "responses": _responses(method, action),
    }
    if method == "POST":
        body = {"schema": {"$ref": f"#/components/schemas/{action.request_type.__name__}"}}
        operation["requestBody"] = {"required": True, "content": {"application/json": body}}
        parameters = _path_parameters(path) + [_IDEMPOTENCY_KEY] * (
            isinstance(action, AuthenticatedAction) and action.commits
        )
        operation |= {"parameters": parameters} if parameters else {}
    else:
        headers_of = action.headers if isinstance(action, AuthenticatedAction) else {}
        operation["parameters"] = _get_parameters(path, schemas[action.request_type.__name__], headers_of)
    return operation


def _path_parameters(path: str) -> list[OpenApiObject]:
    """What the path of a POST names."""
    names = [name for _, name, _, _ in Formatter().parse(path) if name]
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]


def _get_parameters(path: str, shape: OpenApiObject, headers: Mapping[str, str]) -> list[OpenApiObject]:
    """What a GET reads; Accept is no parameter, by the specification, but follows from the media types of answers."""
    places = {name: "path" if f"{{{name}}}" in path else "query" for name in shape["properties"]}
    places |= dict.fromkeys(headers, "header")
    return [
        {
            "name": headers.get(name, name),
            "in": places[name],
            "required": name in shape["required"],
            "schema": _without_null(schema),
        }
        for name, schema in shape["properties"].items()
        if headers.get(name) != "Accept"
    ]


def _without_null(schema: OpenApiObject) -> OpenApiObject:
    """A parameter of a query is left out rather than null."""
    present = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    return present[0] if present else schema


def _responses(method: str, action: Action) -> OpenApiObject:
    shape = {"schema": {"$ref": f"#/components/schemas/{action.reply_type.__name__}"}}
    status, also_as = (
        (action.status, action.other_media_types) if isinstance(action, AuthenticatedAction) else (200, ())
    )
    responses: OpenApiObject = {
        str(status): {
            "description": (action.reply_type.__doc__ or "").partition("\n")[0],
            "content": {"application/json": shape, **{kind: {"schema": {"type": "string"}} for kind in also_as}},
        }
    }
    by_status: dict[int, list[ProblemCode]] = {}
    for code in dict.fromkeys(_codes(method, action)):
        by_status.setdefault(PROBLEMS[code][0], []).append(code)
    for status, codes in sorted(by_status.items()):
        responses[str(status)] = _problem_response(codes)
    return responses


def _codes(method: str, action: Action) -> tuple[ProblemCode, ...]:
    codes = (*_COMMON_CODES, *action.problem_codes)
    if method == "POST":
        codes = (*codes, "not-json")
    if isinstance(action, AuthenticatedAction):
        codes = (*codes, "not-paired" if action.auth == "device" else "unauthorized", "out-of-scope", "store-down")
        codes = codes if action.auth == "key" else (*codes, "cross-site")
        codes = (*codes, "under-way", "idempotency-key-reused") if action.commits else codes
    return codes


def _problem_response(codes: list[ProblemCode]) -> OpenApiObject:
    shape = {
        "allOf": [
            {"$ref": f"#/components/schemas/{ProblemDetails.__name__}"},
            {"properties": {"code": {"enum": codes}}},
        ]
    }
    headers = {name: header for code in codes for name, header in _HEADERS_BY_CODE.get(code, {}).items()}
    return {
        "description": "; ".join(PROBLEMS[code][1] for code in codes),
        "content": {"application/problem+json": {"schema": shape}},
        **({"headers": headers} if headers else {}),
    }
