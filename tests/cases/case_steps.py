"""A case that is taken from step to step, as commands and pages do."""

from __future__ import annotations

import random

from ordws.cases import commands, facts
from ordws.cases.exhibits import Figures, PeriodFigures, figures_exhibit
from ordws.cases.store import CaseFiles, CaseSubject
from ordws.frame.sessions import new_code
from ordws.retention import DAY

NOON = 1_790_000_000 - 1_790_000_000 % DAY + 43_200
PANEL = ("Rita", "Rob", "Rose")
DECIDING = (*PANEL[:2], "Ruth")
OTHERS = ("Sam", "Sue", "Sid")
BANDS = {"choices": 4, "word-checks": 1, "times": 1, "quitting": 0}


def make_figures(**changed):
    fields = {
        "kind": "choices",
        "milestone": 240,
        "turns": 251,
        "games": 18,
        "is_calibrated": True,
        "bands": BANDS,
        "periods": (PeriodFigures(1, 120, {"choices": 3}), PeriodFigures(121, 240, {"choices": 4})),
    }
    return Figures(**{**fields, **changed})


class CaseWalk:
    """Case files with one case, and a clock that the test moves."""

    def __init__(self, files: CaseFiles, *, is_minor=False, is_calibrated=True, pseudonym="Finch", now=NOON):
        self.files, self.now = files, now
        self.code = new_code(random.randrange)
        self.case = files.open_case(
            CaseSubject("club/7", pseudonym),
            lambda subject: facts.Opened(
                subject=subject,
                offence="cheating",
                is_minor=is_minor,
                is_calibrated=is_calibrated,
                first_game=now - 60 * DAY,
                last_game=now - DAY,
            ),
            figures_exhibit(make_figures(is_calibrated=is_calibrated)),
            "Kay",
            now,
        ).case

    @property
    def state(self):
        return self.files.find(self.case)

    @property
    def phase(self):
        return self.state.phase(self.now)

    def take(self, step, *values, by="Kay", **named):
        """Take a step, to which the state comes first and the time last."""
        return self.files.take(self.case, lambda state: step(state, *values, self.now, **named), by, self.now)

    def wait(self, days):
        self.now += days * DAY

    def assign(self, *named, drawn=None):
        """Assign these reviewers, and beside them the first of those who are drawn by lot."""
        gap = commands.panel_gap(self.state)
        self.take(commands.assign_reviewers, named, gap.readers[: gap.drawn] if drawn is None else drawn)

    def hear(self, *findings, panel=PANEL):
        """Assign what the panel lacks, and give an opinion of each of its members, against the player by default."""
        if self.phase == "reviewers-needed":
            self.assign(*[name for name in panel if name not in self.state.first_readers])
        against = commands.findings_of(self.state.stage)[1]
        for reviewer, finding in zip(panel, findings or (against,) * 3, strict=True):
            self.take(commands.give_opinion, reviewer, finding, f"{reviewer} has looked at it.", by=reviewer)

    def notify(self, letter="A letter."):
        self.take(commands.give_notice, letter, self.files.digest_code(self.code))

    def establish(self):
        """Let the three who decide hold the pattern established."""
        self.hear(panel=DECIDING)
        self.decide()

    def decide(self, finding="established", changed="Nothing."):
        self.take(commands.decide, "Kay", finding, "For these reasons.", changed=changed)

    def until_decided(self, finding="established"):
        """Go from an open case to its decision; the player does not answer."""
        self.hear()
        self.notify()
        self.wait(15)
        self.hear(panel=DECIDING)
        self.decide(finding)

    def until_published(self):
        self.until_decided()
        self.wait(31)
        self.take(commands.publish)
