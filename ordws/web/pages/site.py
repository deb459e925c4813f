"""What stands at which path: pages filled once from templates and texts, their files, and what installs them."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Final, NamedTuple

import jinja2

from ordws.api import offline_data
from ordws.api.public import rule_sets
from ordws.api.replies import HttpHeader
from ordws.api.words import published_lists, rule_set
from ordws.pictures.slip import render_slip
from ordws.web.pages.texts import LANGUAGE, TEXTS, text

_PACKAGE: Final = files("ordws.web.pages")
_TEMPLATES: Final = jinja2.Environment(
    loader=jinja2.PackageLoader("ordws.web.pages"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.globals |= {"t": text, "language": LANGUAGE}
_CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self';"
    " manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final[tuple[HttpHeader, ...]] = (
    ("Cache-Control", "no-cache"),
    ("Content-Security-Policy", _CONTENT_SECURITY_POLICY),
    ("Referrer-Policy", "no-referrer"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), interest-cohort=()"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
)
_MEDIA_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}

PAGES: Final = {
    "/judge": "judge.html",
    "/home": "home.html",
    "/score": "score.html",
    "/keep": "keep.html",
    "/lists": "lists.html",
    "/slips": "slips.html",
    "/director": "director.html",
}
"""The pages beside the entrance and the slips of the rule sets, with their templates."""

ONLINE_ONLY: Final = ("/director",)
"""What is of no use without a connection, and so is not kept on devices."""

_GENERATED: Final = {
    "/app/texts.js": lambda: f"export const TEXTS = {json.dumps(TEXTS, ensure_ascii=False)};\n{_read('texts.js')}",
    "/app/rules.json": lambda: offline_data.rules_document().decode(),
    "/app/affixes.json": lambda: offline_data.affixes_document().decode(),
    "/app/sentences.json": lambda: offline_data.sentences_document().decode(),
}


class SiteFile(NamedTuple):
    """What is sent for a path."""

    headers: tuple[HttpHeader, ...]
    body: bytes
    digest: str


def _static_paths() -> tuple[str, ...]:
    names = sorted(each.name for each in _PACKAGE.joinpath("static").iterdir())
    return tuple([f"/app/{name}" for name in names if name not in ("texts.js", "sw.js", "app.webmanifest")])


ENTRANCE: Final = "/"
SLIPS: Final = tuple([f"/slips/{entry.id}" for entry in rule_sets().rules])
ASSETS: Final = (*_static_paths(), *_GENERATED)
PATHS: Final = (*PAGES, *SLIPS, *ASSETS, "/sw.js", "/app.webmanifest")
"""Everything but the entrance, which programs get as JSON."""


@cache
def site_file(path: str) -> SiteFile:
    """What stands at one of PATHS, or at the entrance for browsers."""
    if path == "/sw.js":
        return _make_file(".js", _service_worker())
    if path == "/app.webmanifest":
        return _make_file(".webmanifest", _read("app.webmanifest"))
    if path in _GENERATED:
        return _make_file(PurePosixPath(path).suffix, _GENERATED[path]())
    if path in ASSETS:
        name = PurePosixPath(path).name
        return _make_file(PurePosixPath(name).suffix, _PACKAGE.joinpath("static", name).read_bytes())
    return _make_file(".html", _render_page(path))


def _service_worker() -> str:
    """The service worker, which names what it keeps, and by its version all that is in it."""
    kept = [path for path in (ENTRANCE, *PAGES, *SLIPS, *ASSETS, "/app.webmanifest") if path not in ONLINE_ONLY]
    version = hashlib.sha256("".join([site_file(path).digest for path in kept]).encode()).hexdigest()[:16]
    return f"const VERSION = {json.dumps(version)};\nconst KEPT = {json.dumps(kept)};\n{_read('sw.js')}"


def _render_page(path: str) -> str:
    """A page, with everything public that it shows."""
    about: dict[str, object] = {"path": path, "rule_sets": rule_sets().rules}
    if path in SLIPS:
        rules = path.rpartition("/")[2]
        return _TEMPLATES.get_template("slip.html").render(about, rules=rules, slip=render_slip(rule_set(rules)))
    if path == "/lists":
        about["published"] = {entry.id: published_lists(entry.id) for entry in rule_sets().rules}
    return _TEMPLATES.get_template(PAGES.get(path, "entrance.html")).render(about)


def _make_file(suffix: str, body: str | bytes) -> SiteFile:
    body = body if isinstance(body, bytes) else body.encode()
    digest = hashlib.sha256(body).hexdigest()
    return SiteFile((("Content-Type", _MEDIA_TYPES[suffix]), *_HEADERS, ("ETag", f'"{digest[:32]}"')), body, digest)


def _read(name: str) -> str:
    return _PACKAGE.joinpath("static", name).read_text("utf-8")
