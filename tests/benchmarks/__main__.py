"""`make bench`: every figure that was promised, measured over the fetched dictionaries; writes bench.json."""

from __future__ import annotations

import sys
from pathlib import Path

from ordws.instance import Sources
from tests.benchmarks import (
    auditing,
    console_pace,
    formatives,
    gate,
    inflection,
    judging,
    meters,
    mining,
    panel,
    recipe,
    timing,
    wordset,
)
from tests.benchmarks.figure import Figure, tell, write_json


def main() -> None:
    sources = Sources.locate()
    material = recipe.merge_open(sources)
    figures: list[Figure] = []
    for measured in (
        gate.measure(),
        timing.measure(),
        meters.measure(),
        mining.measure(),
        console_pace.measure(),
        judging.measure(),
        auditing.measure(),
        wordset.measure(material.merged.settled, material.merged.borderline),
        recipe.measure_build(sources),
        recipe.measure(material),
        inflection.measure(sources),
        formatives.measure(sources),
        panel.measure(material.families),
    ):
        for figure in measured:
            print(tell([figure]), file=sys.stderr)
            figures.append(figure)
    print(tell(figures))
    write_json(figures, Path("bench.json"))


if __name__ == "__main__":
    main()
