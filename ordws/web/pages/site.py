"""The files of the pages by path: HTML rendered once from templates and texts, static files, and the service worker.

The texts are in `texts/en`, a file for each section; the id of a text is the file's name, a dot, and its name there.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Callable
from functools import cache, lru_cache, partial
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Final, NamedTuple

import jinja2
import msgspec

from ordws.api import public
from ordws.api.problems import ProblemCode
from ordws.api.promises import PROMISES
from ordws.api.public import rule_sets
from ordws.api.words import published_lists, rule_set, rule_set_with_options
from ordws.pictures.example_boards import draw_example, front_board, published_pictures
from ordws.pictures.rule_pages import compare_rule_sets, describe_page
from ordws.pictures.slip import published_tile_sheets, render_slip
from ordws.public_register import PublicRegister
from ordws.web.pages import reference

_PACKAGE: Final = files("ordws.web.pages")
LANGUAGE: Final = "en"
TEXTS: Final[dict[str, str]] = {
    f"{file.name.removesuffix('.json')}.{name}": text
    for file in sorted(_PACKAGE.joinpath("texts", LANGUAGE).iterdir(), key=lambda file: file.name)
    for name, text in json.loads(file.read_text("utf-8")).items()
}


def text(id: str, **values: object) -> str:
    """Return the text with this id, with the values of its `{name}` fields."""
    return TEXTS[id].format(**values)


_TEMPLATES: Final = jinja2.Environment(
    loader=jinja2.PackageLoader("ordws.web.pages"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self';"
    " manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final[tuple[tuple[str, str], ...]] = (
    ("Cache-Control", "no-cache"),  # browsers keep a file, but ask each time by its ETag whether it has changed
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
    "/play": "play.html",
    "/judge": "judge.html",
    "/home": "home.html",
    "/score": "score.html",
    "/keep": "keep.html",
    "/station": "station.html",
    "/rules": "rules.html",
    "/lists": "lists.html",
    "/slips": "slips.html",
    "/tiles": "tiles.html",
    "/director": "director.html",
    "/docs": "reference.html",
    "/hall": "hall.html",
    "/offline": "offline.html",
}
"""The pages with their templates, without the front page and those of each rule set."""

_TEMPLATES.globals |= {"t": text, "language": LANGUAGE}

GAME_PAGE: Final = "/play/{game}"
"""The address of a game: the page of PAGES at `/play`, which reads the rest of the address in the browser."""

HALL: Final = "/hall"
ONLINE_ONLY: Final = ("/play", "/director", "/docs", HALL)
"""The pages that are of no use without a connection, and so are not cached on devices."""

_GENERATED: Final[dict[str, Callable[[], str]]] = {
    "/app/texts.js": lambda: (
        f"export const TEXTS = {json.dumps(script_texts(), ensure_ascii=False)};\n{_read('texts.js')}"
    ),
    "/app/theme.css": lambda: files("ordws.pictures").joinpath("theme.css").read_text("utf-8"),
    "/app/dom.js": lambda: files("ordws.frame").joinpath("dom.js").read_text("utf-8"),
    "/app/rules.json": lambda: public.rules_document().decode(),
    "/app/affixes.json": lambda: public.affixes_document().decode(),
    "/app/sentences.json": lambda: public.sentences_document().decode(),
    "/app/promises.json": lambda: msgspec.json.encode(PROMISES).decode(),
    "/app/front-board.svg": lambda: front_board().svg,
    **{path: partial(draw_example, *shown) for path, shown in published_pictures().items()},
}


class SiteFile(NamedTuple):
    """The reply for a path."""

    headers: tuple[tuple[str, str], ...]
    body: bytes
    digest: str


_STATIC_NAMES: Final = sorted(file.name for file in _PACKAGE.joinpath("static").iterdir())
_TEXT_OF_SCRIPT: Final = re.compile(r"""\bt\(\s*[`"]([a-z-]+\.[a-z0-9.-]*)(\$\{)?""")
FRONT_PAGE: Final = "/"
RULES: Final = tuple([f"/rules/{entry.id}" for entry in rule_sets().rules])
SLIPS: Final = tuple([f"/slips/{entry.id}" for entry in rule_sets().rules])
ASSETS: Final = (
    *[f"/app/{name}" for name in _STATIC_NAMES if name not in ("texts.js", "sw.js", "app.webmanifest")],
    *_GENERATED,
)
PATHS: Final = (*PAGES, *RULES, *SLIPS, *ASSETS, "/sw.js", "/app.webmanifest")
"""All paths but the front page's, where programs get JSON."""


def script_texts() -> dict[str, str]:
    """Return the texts that scripts use, whose ids may be made up at the end; phones load no others."""
    scripts = "".join([_read(name) for name in _STATIC_NAMES if name.endswith(".js")])
    used = {(id, made_up != "") for id, made_up in _TEXT_OF_SCRIPT.findall(scripts)}
    begun = tuple([id for id, is_begun in used if is_begun])
    return {id: text for id, text in TEXTS.items() if (id, False) in used or id.startswith(begun)}


@cache
def site_file(path: str) -> SiteFile:
    """Return the file at one of PATHS, or the front page."""
    if path == "/sw.js":
        cached = [
            kept
            for kept in (FRONT_PAGE, *PAGES, *RULES, *SLIPS, *ASSETS, "/app.webmanifest")
            if kept not in ONLINE_ONLY
        ]
        # The version changes with any file, and with it the service worker, so that browsers fetch all of them again.
        version = hashlib.sha256("".join([site_file(kept).digest for kept in cached]).encode()).hexdigest()[:16]
        head = f"const VERSION = {json.dumps(version)};\nconst PRECACHED = {json.dumps(cached)};\n"
        return _make_file(".js", head + _read("sw.js"))
    if path == "/app.webmanifest":
        return _make_file(".webmanifest", _read("app.webmanifest"))
    if path in _GENERATED:
        return _make_file(PurePosixPath(path).suffix, _GENERATED[path]())
    if path in ASSETS:
        name = PurePosixPath(path).name
        return _make_file(PurePosixPath(name).suffix, _PACKAGE.joinpath("static", name).read_bytes())
    # Everything that a page shows is public, so that one rendering serves all.
    if path in RULES:
        return changed_rules_page(path)
    template = PAGES.get(path, "front.html")
    context: dict[str, object] = {"path": path, "rule_sets": rule_sets().rules}
    if path in SLIPS:
        template, rules = "slip.html", path.rpartition("/")[2]
        context |= {"rules": rules, "slip": render_slip(rule_set(rules))}
    elif path == FRONT_PAGE:
        context["board"] = front_board()
    elif path == "/rules":
        context["compared"] = compare_rule_sets()
    elif path == "/docs":
        context |= reference.read_reference()
    elif path == "/lists":
        context["published"] = {entry.id: published_lists(entry.id) for entry in rule_sets().rules}
    elif path == "/tiles":
        context["tile_sheets"] = published_tile_sheets()
    elif path == HALL:
        return hall_page(None, is_compressed=False)
    return _make_file(".html", _TEMPLATES.get_template(template).render(context))


@lru_cache(maxsize=128)
def changed_rules_page(path: str, *options: tuple[str, str]) -> SiteFile:
    """Return the page at one of RULES with other options; raise a Problem where one of them does not exist."""
    page = describe_page(rule_set_with_options(path.rpartition("/")[2], dict(options)))
    context = {"path": path, "rule_sets": rule_sets().rules, "rules": page}
    return _make_file(".html", _TEMPLATES.get_template("rule_set.html").render(context))


@lru_cache(maxsize=4)
def hall_page(hall: PublicRegister | None, *, has_no_case: bool = False, is_compressed: bool) -> SiteFile:
    """Return the page of the register, None where there is none."""
    context = {"path": HALL, "rule_sets": rule_sets().rules, "hall": hall, "has_no_case": has_no_case}
    page = _make_file(".html", _TEMPLATES.get_template(PAGES[HALL]).render(context))
    return _compress(page) if is_compressed else page


@cache
def compressed_file(path: str) -> SiteFile:
    """Return a file as gzip, for browsers that accept it; no page holds a secret that a length would tell."""
    return _compress(site_file(path))


def _compress(file: SiteFile) -> SiteFile:
    headers, body, digest = file
    if ("Content-Type", _MEDIA_TYPES[".png"]) in headers:
        return file
    others = [header for header in headers if header[0] != "ETag"]
    tags = (("ETag", f'"{digest[:32]}-gzip"'), ("Content-Encoding", "gzip"))
    return SiteFile((*others, *tags), gzip.compress(body, mtime=0), digest)


@cache
def error_page(code: ProblemCode) -> SiteFile:
    """Return the page that a browser gets for a problem that has no page of its own, which no cache keeps."""
    headers, body, digest = _make_file(".html", _TEMPLATES.get_template("error.html").render(path="", code=code))
    kept = [header for header in headers if header[0] not in ("Cache-Control", "ETag")]
    return SiteFile((*kept, ("Cache-Control", "no-store")), body, digest)


def _make_file(suffix: str, body: str | bytes) -> SiteFile:
    body = body if isinstance(body, bytes) else body.encode()
    digest = hashlib.sha256(body).hexdigest()
    return SiteFile((("Content-Type", _MEDIA_TYPES[suffix]), *_HEADERS, ("ETag", f'"{digest[:32]}"')), body, digest)


def _read(name: str) -> str:
    return _PACKAGE.joinpath("static", name).read_text("utf-8")
