"""The operations of the OpenAPI document, for schemathesis.

Tests import this late: to load schemathesis takes a second, which every process of the suite would take.
"""

from __future__ import annotations

import json

import schemathesis
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from ordws.web.openapi import document

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
]
CONFIG = SchemathesisConfig.from_dict(
    {"checks": {"negative_data_rejection": {"expected-statuses": [400, 401, 403, 404, 405, 411, 413, 415, 422]}}}
)


def modes_of(app):
    """Yield the test modes of each operation: as documented, and violating the document where that is possible."""
    schema = schemathesis.openapi.from_dict(json.loads(document()), config=CONFIG)
    schema.app = app
    for found in schema.get_all_operations():
        operation = found.ok()
        for mode in GenerationMode:
            if mode.is_positive or operation.body or operation.query or operation.headers:
                yield operation, mode


def checks_of(case):
    """Return what is checked of the reply to a case.

    Of a query, and of the header that is set, a violation may vanish on the way: an empty list is not sent.
    """
    return CHECKS if case.method == "POST" else [each for each in CHECKS if each is not negative_data_rejection]
