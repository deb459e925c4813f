"""The figures of a case, in five bands, as reviewers and the player see them. Pure.

They are all that a case file has of what a program worked out: no best play, no score of a word that was not played.
"""

from __future__ import annotations

from typing import Final

import msgspec

from ordws.cases.facts import Exhibit
from ordws.public_register import Offence

BAND_TEXTS: Final = ("none", "slight", "marked", "strong", "overwhelming")
"""The five bands of a gain, the weakest first."""

BAND_MEANINGS: Final = (
    "What nearly every honest player shows. It speaks for nothing.",
    "A few of 100 honest players show this in choices by chance, and more in quitting. It speaks for nothing.",
    "About 1 of 1,000 honest players shows this in choices, and up to 20 in quitting. Among many players there is"
    " always somebody, by chance: it is no evidence by itself.",
    "Less than 1 of 1,000 honest players shows this. Among thousands of players somebody does, by chance.",
    "Beyond the line at which the program asks people to look. Hardly any honest player comes here: how few is told to"
    " the player, and to those who decide.",
)
"""The bands in plain words, for people who know no statistics."""

CATEGORY_TEXTS: Final = {
    "choices": "choosing what scores most, oftener than honest players of any strength do",
    # Nothing is flagged by these any more; cases that were opened before still show them.
    "word-checks": "playing doubtful words without the misses that go with them",
    "times": "time for a turn that does not follow its difficulty (this alone proves nothing)",
    "quitting": "leaving games while behind and with time left, oftener than players do",
}
INNOCENT_EXPLANATIONS: Final = {
    "choices": (
        "A player who is stronger than all those whom the program was fitted to.",
        "Study or work with words: a lexicographer, a translator, somebody who has learnt lists.",
        "Positions in which the best play is easy to see. Step through the boards and look for hard ones.",
        "Somebody else played some of the games: a stronger brother or sister at the same screen. That is against the"
        " rules too, but it is no program.",
    ),
    "word-checks": (
        "A good memory of words, or luck with doubtful ones.",
        "Caution: a player who tries a doubtful word only when nearly sure.",
    ),
    "times": (
        "Interruptions, a slow line, or a screen that is shared with others.",
        "A habit of taking the same time for every turn, or of thinking while the opponent does.",
    ),
    "quitting": (
        "A network or a battery that fails: an old telephone, a train, a village.",
        "A child, a patient or a job that calls the player away in the evening.",
        "A page that was closed in the belief that the game was over.",
    ),
}
"""What may be behind a sign of each category when nobody has done wrong."""

OFFENCE_OF_KIND: Final[dict[str, Offence]] = {
    "choices": "cheating",
    "word-checks": "cheating",
    "quitting": "quitting",
}
"""The class of offence of each kind of flag."""


class PeriodFigures(msgspec.Struct, frozen=True):
    """A part of the player's own turns: the bands between two milestones."""

    first_turn: int
    last_turn: int
    bands: dict[str, int]


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a player: bands by category, over the turns of the last look and period by period."""

    kind: str
    """The kind of flag that the case was opened on."""

    milestone: int
    """The number of the first turns that `bands` are about: those of the last look."""

    turns: int
    games: int
    is_calibrated: bool
    bands: dict[str, int]
    periods: tuple[PeriodFigures, ...] = ()
    forms: str = ""
    """The version of the honest forms behind the flag; empty in figures that an older version has filed."""

    flag_turns: int = 0
    """The milestone of the look that raised the flag."""

    threshold: float = 0.0
    """The gain in nats that raised it."""

    @property
    def looked_at(self) -> str:
        """Return which turns the bands are about, as the beginning of a sentence."""
        if self.milestone == self.turns:
            return f"All {self.turns} turns of {self.games} games were looked at"
        return f"Of {self.turns} turns in {self.games} games the first {self.milestone} were looked at"


def figures_exhibit(figures: Figures) -> Exhibit:
    """Return the figures as an exhibit."""
    return Exhibit("figures", msgspec.json.encode(figures))


def read_figures(content: bytes) -> Figures:
    """Return the figures of an exhibit."""
    return msgspec.json.decode(content, type=Figures)


def band_text(bands: dict[str, int], category: str) -> str:
    """Return the band of a category in words; "not measured" where there is none."""
    band = bands.get(category)
    return "not measured" if band is None else BAND_TEXTS[band]


def figures_in_words(figures: Figures) -> list[str]:
    """Return the figures as lines of plain text."""
    lines = [f"{figures.looked_at}:"]
    lines += [
        f"- {about}: {band_text(figures.bands, name)}"
        for name, about in CATEGORY_TEXTS.items()
        if name in figures.bands
    ]
    for period in figures.periods:
        bands = ", ".join(
            [f"{name} {band_text(period.bands, name)}" for name in CATEGORY_TEXTS if name in period.bands]
        )
        lines.append(f"- turns {period.first_turn} to {period.last_turn}: {bands}")
    return lines
