"""The OpenAPI document, generated from the table of actions and their request and reply types."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from inspect import cleandoc
from string import Formatter
from typing import Any, Final, TypeAlias

import msgspec

from ordws.api.actions import ACTIONS
from ordws.api.idempotency import MAX_KEY_LENGTH
from ordws.api.problems import DEVICE_COOKIE, PROBLEMS, ProblemCode, ProblemDetails
from ordws.api.public_editions import BUDGET_SPENT_WORD, STORE_DOWN_WORD, TOY_CORE, TOY_REFERENCE, TOY_WORDS
from ordws.api.requests import Action, AuthenticatedAction, AuthMethod
from ordws.api.seat_access import SEAT_COOKIE

OpenApiObject: TypeAlias = dict[str, Any]

EXAMPLES: Final[dict[str, OpenApiObject]] = {
    example["operation"]: example
    for example in json.loads(files("ordws.web").joinpath("examples.json").read_text("utf-8"))
}
"""Requests with a test key by operation, in an order in which they can be sent, and their replies."""

_KEY: Final = "clientKey"
_DEVICE: Final = "pairedDevice"
_SEAT: Final = "seat"
_FORMAT: Final = "ordws_live_... or ordws_test_..."
_SECURITY: Final[dict[AuthMethod, list[OpenApiObject]]] = {
    "key": [{_KEY: []}],
    "device": [{_DEVICE: []}],
    "either": [{_KEY: []}, {_DEVICE: []}],
    "seat": [{_KEY: []}, {_SEAT: []}],
}
_SCHEMES: Final = {
    _KEY: {"type": "http", "scheme": "bearer", "bearerFormat": _FORMAT},
    _DEVICE: {
        "type": "apiKey",
        "in": "cookie",
        "name": DEVICE_COOKIE,
        "description": "Set by `POST /v1/pair`; valid only from pages of this service, and where no key is sent. A"
        " paired device has budgets of its own as a player, so that it sends no `player`.",
    },
    _SEAT: {
        "type": "apiKey",
        "in": "cookie",
        "name": SEAT_COOKIE,
        "description": "Set by `POST /v1/games/{id}/seat` for the routes of that game; valid only from pages of this"
        " service, and where no key is sent.",
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
TAGS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("Words", "Yes or no to words, what is left of the budgets, and the OSPD.", ("/v1/judge", "/v1/ospd", "/v1/quota")),
    (
        "Plays",
        "A play on a position: is it legal, what does it score, are its words acceptable?",
        ("/v1/plays", "/v1/score"),
    ),
    ("Sealed games", "Games that the service deals and referees, seat by seat.", ("/v1/games",)),
    (
        "Guests and practice",
        "Words and games without a key.",
        ("/v1/visitors", "/v1/play-link", "/v1/guest", "/v1/prac"),
    ),
    ("Events", "Games of an event, which its desk opens and looks up.", ("/v1/tournament",)),
    ("At home", "The check by two books, which asks nothing of the word set.", ("/v1/home",)),
    ("Rules and lists", "What is published, for everybody and without a key.", ("/v1/rules", "/v1/two", "/v1/dis")),
    ("Devices", "Tablets that a director pairs, so that they ask without a key.", ("/v1/pair", "/v1/device")),
    ("Boards", "Finished games of a club's tables, which its director looks over.", ("/v1/boards", "/v1/stations")),
    ("Service", "Whether it is up, and where its documentation is.", ("/",)),
)
"""The groups of operations: name, description, and what their paths begin with; the first that fits has a path."""

_IDEMPOTENCY_KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "A request repeated with the same key and body within a day gets the same reply, charged once.",
    "schema": {"type": "string", "minLength": 1, "maxLength": MAX_KEY_LENGTH, "pattern": "^[ -~]+$"},
}
_INFO: Final = {
    "title": "ORDWS",
    "version": "1",
    "description": (
        "Questions to a sealed word set: up to eight words get one verdict, yes or no. Each word outside the public"
        " core list costs one unit, whatever the verdict, and words of two letters cost nothing; `/v1/quota` shows what"
        " is left.\n\n"
        "`/v1/plays` judges and scores a whole play, at the price of its new words; an illegal play is refused at no"
        " cost, with the first reason that applies. `/v1/score` explains a score without looking up a word, and costs"
        " nothing. There is no way to list, search or count the words.\n\n"
        "The server deals sealed games, `/v1/games`: each seat has a token, sees its own rack, and sends its moves to"
        " `/v1/games/{id}/turns`, where the first move sent for a turn is made, and gets the same reply when repeated."
        "\n\n"
        "`/v1/ospd` says whether the OSPD has a word, and how many points a player who checked it loses if it has not."
        " The open players' list answers for it, which is public and not the OSPD itself, or a list of the service's"
        " own, of which a key or a paired device has some words a day, for `/v1/home` too."
        "\n\n"
        "A client's devices can send requests without its key: `/v1/devices` issues a code, and the device that sends"
        " the code to `/v1/pair` gets a cookie.\n\n"
        "Every reply that is not 2xx is a problem (RFC 9457) with a `code`.\n\nTest keys, `ordws_test_...`, use a toy"
        " word set and touch no live budget."
        f" Acceptable and free: {', '.join(TOY_CORE)}. Acceptable at one unit each: {', '.join(TOY_WORDS)}."
        f" Unacceptable, but found by a check of the OSPD: {', '.join(TOY_REFERENCE)}."
        f" A question with {BUDGET_SPENT_WORD} gets 429, and one with {STORE_DOWN_WORD} gets 503."
        " All other words are unacceptable."
    ),
}


@cache
def document() -> bytes:
    """Return the document as it is served."""
    shapes = {shape for action in ACTIONS.values() for shape in (action.request_type, action.reply_type)}
    ordered = sorted(shapes | {ProblemDetails}, key=lambda shape: shape.__name__)
    _, schemas = msgspec.json.schema_components(ordered, ref_template="#/components/schemas/{name}")
    paths: OpenApiObject = {}
    for (method, path), action in ACTIONS.items():
        paths.setdefault(path, {})[method.lower()] = _operation(method, path, action, schemas)
    openapi = {
        "openapi": "3.1.0",
        "info": _INFO,
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": description} for name, description, _ in TAGS],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": _SCHEMES,
        },
    }
    return json.dumps(openapi, separators=(",", ":")).encode()


def _operation(method: str, path: str, action: Action, schemas: OpenApiObject) -> OpenApiObject:
    """Return the operation of an action; its summary is the first line of the handler's docstring."""
    authenticated = action if isinstance(action, AuthenticatedAction) else action.with_own_reference
    security = [] if authenticated is None else _SECURITY[authenticated.auth]
    operation: OpenApiObject = {
        "operationId": action.handler.__name__,
        "summary": (action.handler.__doc__ or "").partition("\n")[0],
        "description": cleandoc((action.handler.__doc__ or "").partition("\n")[2]),
        "tags": [next(name for name, _, prefixes in TAGS if path.startswith(prefixes))],
        # The empty requirement stands for the requests that need none.
        "security": security if authenticated in (action, None) else [{}, *security],
        "responses": _responses(method, path, action),
    }
    if method == "POST":
        body: OpenApiObject = {"schema": {"$ref": f"#/components/schemas/{action.request_type.__name__}"}}
        if (example := EXAMPLES.get(f"{method} {path}")) is not None:
            body["example"] = example["body"]
        operation["requestBody"] = {"required": True, "content": {"application/json": body}}
        parameters: list[OpenApiObject] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for _, name, _, _ in Formatter().parse(path)
            if name
        ]
        if isinstance(action, AuthenticatedAction) and action.commits:
            parameters.append(_IDEMPOTENCY_KEY)
        operation |= {"parameters": parameters} if parameters else {}
    else:
        headers = action.headers if isinstance(action, AuthenticatedAction) else {}
        shape = schemas[action.request_type.__name__]
        operation["parameters"] = []
        for name, schema in shape["properties"].items():
            # OpenAPI ignores a parameter named Accept: it follows from the media types of the responses.
            if headers.get(name) == "Accept":
                continue
            # A parameter is left out rather than null.
            not_null = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
            operation["parameters"].append(
                {
                    "name": headers.get(name, name),
                    "in": "header" if name in headers else "path" if f"{{{name}}}" in path else "query",
                    "required": name in shape["required"],
                    "schema": not_null[0] if not_null else schema,
                }
            )
    return operation


def _responses(method: str, path: str, action: Action) -> OpenApiObject:
    """Return the successful response of an action and its problems, by status."""
    codes = [*_COMMON_CODES, *action.problem_codes]
    if method == "POST":
        codes.append("not-json")
    status = action.status
    other_media_type = None
    authenticated = action if isinstance(action, AuthenticatedAction) else action.with_own_reference
    if authenticated is not None:
        status, other_media_type = authenticated.status, authenticated.other_media_type
        codes += authenticated.problem_codes
        codes += ["not-paired" if authenticated.auth == "device" else "unauthorized", "out-of-scope", "store-down"]
        codes += [] if authenticated.auth == "key" else ["cross-site"]
        codes += ["under-way", "idempotency-key-reused"] if authenticated.commits else []
    shape: OpenApiObject = {"schema": {"$ref": f"#/components/schemas/{action.reply_type.__name__}"}}
    if (example := EXAMPLES.get(f"{method} {path}")) is not None:
        shape["example"] = example["reply"]
    responses: OpenApiObject = {
        str(status): {
            "description": (action.reply_type.__doc__ or "").partition("\n")[0],
            "content": {
                "application/json": shape,
                **({other_media_type: {"schema": {"type": "string"}}} if other_media_type else {}),
            },
        }
    }
    by_status: dict[int, list[ProblemCode]] = {}
    for code in dict.fromkeys(codes):
        by_status.setdefault(PROBLEMS[code][0], []).append(code)
    problem = {"$ref": f"#/components/schemas/{ProblemDetails.__name__}"}
    for status, same_status in sorted(by_status.items()):
        schema = {"allOf": [problem, {"properties": {"code": {"enum": same_status}}}]}
        headers = {name: header for code in same_status for name, header in _HEADERS_BY_CODE.get(code, {}).items()}
        responses[str(status)] = {
            "description": "; ".join(PROBLEMS[code][1] for code in same_status),
            "content": {"application/problem+json": {"schema": schema}},
            **({"headers": headers} if headers else {}),
        }
    return responses
