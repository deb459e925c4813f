"""The letter that gives a player notice of a case, and the decision as the player reads it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final, NamedTuple

from ordws.cases.exhibits import Figures, RecordMove, figures_in_words, record_in_words
from ordws.cases.facts import Finding
from ordws.cases.state import ANSWER_DAYS, APPEAL_DAYS, ENTRY_YEARS, CaseState, date_text, end_of_days, last_day
from ordws.public_register import Offence

OFFENCE_TEXTS: Final[dict[Offence, str]] = {
    "cheating": "the use of help from outside during games",
    "quitting": "quitting games before they are over",
}
"""The classes of offence, as they are named to people."""

KEPT_CODE: Final = "(the code stands in the letter alone)"

_NUMBERS: Final = {1: "One of the three", 2: "Two of the three", 3: "All three"}
_ASKED: Final = """\
They have answered one question: is there something that you should be asked? {agreed} say yes. You are asked about \
{offence}.

Nothing is decided, and nobody has been asked yet whether the pattern is established."""
_ASKED_BEFORE: Final = """\
{agreed} hold that there is something to ask you. You are asked about {offence}. {asked} answered whether the \
pattern is established, as the rules were then, and held it so before you were heard. That binds nobody: those who \
decide read the file anew, with your answer.

Nothing is decided."""
"""What the first reading said, where it began under the rules up to version 0.2."""

_RATE_HEADING: Final = "How often the program flags an honest player"
_CONSEQUENCES_HEADING: Final = "What can follow"

_LETTER: Final = """\
Case {case}, {day}

To the player who plays as {pseudonym}.

A program looks at all games when they are over, for patterns that do not come about by chance. It decides nothing. In \
your games from {first_game} to {last_game} it has found a pattern. Three people have read the evidence, each without \
knowing what the others think. {asked} No result, no pairing and no rating of yours has changed.

What the three have read
------------------------

{evidence}

{records}

You read the same on the page below, with the bands explained and a board for each record.

{rate_heading}

{rate}

{next_heading}

{consequences}

What you can do
---------------

You can answer until the end of {answer_day} (UTC), {answer_days} days from today. Say whatever explains the pattern; \
an answer can be short. Then three people decide: two of those who have read the file, drawn by lot, and one who has \
not. They read your answer first. The pattern is established only if all three hold it so beyond a reasonable doubt. \
If you do not answer, they decide by the evidence alone.

Answer on the page {address} with the code below, or on paper to whoever sent you this letter.

    {code}

The decision will have reasons, and after it you will have {appeal_days} days to appeal to three other people. One of \
them who is in doubt overturns it. Keep the code: you read the decision and appeal with it too.

Questions about this letter: {contact}
"""

_DECISION: Final = """\
{title}, {day}

Finding
-------

{finding}

Reasons
-------

{reasons}

{heading}

{changed}

Consequence
-----------

{consequence}
"""


class NoticeParts(NamedTuple):
    """The parts of a letter that do not follow from the steps of its case."""

    pseudonym: str
    figures: Figures
    records: Sequence[Sequence[RecordMove]]
    rate: str
    """How often honest players are flagged, and what that assumes, in sentences."""

    address: str
    """The page on which the player answers."""

    contact: str


def write_notice(state: CaseState, parts: NoticeParts, code: str, now: int) -> str:
    """Return the letter of a case. `KEPT_CODE` stands for the code in the letter that is kept."""
    return _LETTER.format(
        case=state.case,
        day=date_text(now),
        pseudonym=parts.pseudonym,
        first_game=date_text(state.first_game),
        last_game=date_text(state.last_game),
        asked=_first_reading(state),
        evidence="\n".join(figures_in_words(parts.figures)),
        records=_records_in_words(parts.records),
        rate_heading=_underlined(_RATE_HEADING),
        rate=parts.rate,
        next_heading=_underlined(_CONSEQUENCES_HEADING),
        consequences=_possible_consequences(state, parts.pseudonym),
        answer_day=last_day(end_of_days(now, ANSWER_DAYS)),
        answer_days=ANSWER_DAYS,
        appeal_days=APPEAL_DAYS,
        address=parts.address,
        code=code,
        contact=parts.contact,
    )


def read_rate(letter: str) -> str:
    """Return how often honest players are flagged, as a letter says it; empty without a letter."""
    _, _, after = letter.partition(f"{_underlined(_RATE_HEADING)}\n")
    return after.partition(_underlined(_CONSEQUENCES_HEADING))[0].strip()


def _underlined(heading: str) -> str:
    return f"{heading}\n{'-' * len(heading)}"


def _first_reading(state: CaseState) -> str:
    """Return what the three of the first reading were asked, and what they said."""
    findings = [each.finding for each in state.opinions_of("first").values() if each.is_against_player]
    asked_before = findings.count("established")
    text = _ASKED_BEFORE if asked_before else _ASKED
    return text.format(
        agreed=_NUMBERS[len(findings)], offence=OFFENCE_TEXTS[state.offence], asked=_NUMBERS.get(asked_before)
    )


def write_decision(state: CaseState, finding: Finding, reasons: str, changed: str, now: int) -> str:
    """Return the decision of a case, or that on its appeal, as the player reads it."""
    is_appeal = state.stage == "appeal"
    heading = f"What the {'appeal' if is_appeal else 'answer'} changed"
    return _DECISION.format(
        title=f"Decision on the appeal in case {state.case}" if is_appeal else f"Decision in case {state.case}",
        day=date_text(now),
        finding=_finding(state, finding, is_appeal=is_appeal),
        reasons=reasons,
        heading=_underlined(heading),
        changed=changed,
        consequence=_consequence(state, finding, is_appeal=is_appeal, now=now),
    )


def _finding(state: CaseState, finding: Finding, *, is_appeal: bool) -> str:
    about = f"The question was {OFFENCE_TEXTS[state.offence]}. "
    if finding == "not-established":
        overturned = " The earlier decision is overturned." if is_appeal else ""
        return f"{about}The pattern is not established.{overturned}"
    others = "who have not read the file before " if is_appeal else ""
    held = f"All three people {others}hold so, each on their own."
    return f"{about}The pattern is established beyond a reasonable doubt. {held}"


def _consequence(state: CaseState, finding: Finding, *, is_appeal: bool, now: int) -> str:
    if finding == "not-established":
        struck = " The entry is taken out of the register." if state.published_at is not None else ""
        return f"Nothing is held against you, and no prize of yours waits any longer.{struck}"
    entry = "Nobody under age is named in the register, so no entry is made."
    if not state.is_minor:
        when = "once your time to appeal is over" if not is_appeal else "now that your appeal is decided"
        entry = f"The name under which you play is entered in the public register, {when}. {_entry_lasts()}"
    appeal = ""
    if not is_appeal:
        until = last_day(end_of_days(now, APPEAL_DAYS))
        appeal = (
            f"\n\nYou can appeal until the end of {until} (UTC), by the code of the letter or on paper. Three people"
            " who have not read the file before decide, and one of them who is in doubt overturns this decision."
        )
    return f"{entry} {_prizes(state, 'are not paid')}{appeal}"


def _possible_consequences(state: CaseState, pseudonym: str) -> str:
    entry = "You are noted as under age: no entry is made in the register, whatever is decided."
    if not state.is_minor:
        entry = (
            f'If the pattern is established, the name "{pseudonym}" is entered in the public register, with the class'
            f" of offence and the dates, and not before your time to appeal is over. {_entry_lasts()} Nobody under age"
            " is entered: if you are, say so."
        )
    prizes = _prizes(state, "wait from today, so far as they are still due, and are not paid if it is established")
    return f"{entry}\n\n{prizes}\n\nIf it is not established, nothing is published and no prize of yours waits."


def _entry_lasts() -> str:
    return (
        f"An entry has no end of its own. It is looked at again every {ENTRY_YEARS} years, and is taken out when an"
        " appeal is upheld or a fault is found."
    )


def _prizes(state: CaseState, fate: str) -> str:
    """Return a sentence on the prizes of a case, by their events."""
    # A keeper may have named an event by its file.
    events = sorted({PurePath(event).stem if "/" in event else event for event, _ in state.held})
    if not events:
        return "No prize of yours is concerned."
    return f"Prizes of yours {fate}, of these events: {', '.join(events)}."


def _records_in_words(records: Sequence[Sequence[RecordMove]]) -> str:
    if not records:
        return "They had no record of a game."
    lines = [f"- game {number}: {record_in_words(record)}" for number, record in enumerate(records, 1)]
    about = 'The records of these games, as both players saw them, without names (you are "player"):'
    return "\n".join([about, *lines])
