"""The API reference at /docs: Swagger UI over the OpenAPI document, with no file from another site."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from ordws.api.replies import HttpHeader

_STYLES: Final = "swagger-ui.css"
_SCRIPT: Final = "swagger-ui-bundle.js"
_PAGE: Final = f"""<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>ORDWS reference</title>
  <link rel="icon" href="docs/favicon-32x32.png">
  <link rel="stylesheet" href="docs/{_STYLES}">
</head>
<body>
  <div id="reference"></div>
  <script src="docs/{_SCRIPT}"></script>
  <script src="docs/start.js"></script>
</body>
</html>
"""
# Without `validatorUrl: null` the page would send the document to a validator on the internet.
_START: Final = """
SwaggerUIBundle({url: "openapi.json", dom_id: "#reference", deepLinking: true, validatorUrl: null});
"""
# Swagger UI sets inline styles, and its pictures are data URLs; scripts come from this service alone.
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_CACHE_CONTROL: Final = ("Cache-Control", "public, max-age=86400")


class DocsFile(NamedTuple):
    """A file of the reference page, with its headers."""

    headers: tuple[HttpHeader, ...]
    body: bytes


PATHS: Final = ("/docs", *(f"/docs/{name}" for name in (_STYLES, _SCRIPT, "favicon-32x32.png", "start.js")))


@cache
def docs_file(path: str) -> DocsFile:
    """Return the file at one of PATHS."""
    name = path.rpartition("/")[2]
    match name:
        case "docs":
            return _with_headers("text/html; charset=utf-8", _PAGE.encode())
        case "start.js":
            return _with_headers("text/javascript; charset=utf-8", _START.encode())
        case _:
            kind = {"css": "text/css", "js": "text/javascript", "png": "image/png"}[name.rpartition(".")[2]]
            return _with_headers(kind, files("flask_swagger_ui").joinpath("dist", name).read_bytes())


def _with_headers(kind: str, body: bytes) -> DocsFile:
    return DocsFile((("Content-Type", kind), ("Content-Security-Policy", _POLICY), _CACHE_CONTROL), body)
