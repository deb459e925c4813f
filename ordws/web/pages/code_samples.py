"""A request as code in curl, Python and JavaScript; a value such as "$GAME" is a variable of the reader's."""

from __future__ import annotations

import json
import re
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

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
