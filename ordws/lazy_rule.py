"""Routes whose addresses are rarely built."""

from __future__ import annotations

from collections.abc import Callable

from werkzeug.routing import Rule


class LazyRule(Rule):
    """A route that compiles a builder of its addresses when a page first needs one.

    werkzeug compiles two for each route: most of the time in which an application is made.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled: list[Callable[..., tuple[str, str]]] = []

        def build(rule: Rule, **values: object) -> tuple[str, str]:
            if not compiled:
                compiled.append(super(LazyRule, self)._compile_builder(append_unknown))
            return compiled[0](rule, **values)

        return build
