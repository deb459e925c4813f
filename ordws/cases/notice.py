"""The letter that gives a player notice of a case. Pure; it accuses nobody, and says what the player can do."""

from __future__ import annotations

from typing import Final

from ordws.cases.days import ANSWER_DAYS, APPEAL_DAYS, date_text, end_of_days, last_day
from ordws.cases.figures import Figures, figures_in_words
from ordws.cases.state import CaseState
from ordws.public_register import Offence

OFFENCE_TEXTS: Final[dict[Offence, str]] = {
    "cheating": "the use of help from outside during games",
    "quitting": "quitting games before they are over",
}
"""The classes of offence, as they are named to people."""

KEPT_CODE: Final = "(the code stands in the letter alone)"

_LETTER: Final = """\
Case {case}, {day}

To the player who plays as {pseudonym}.

A program looks at all games when they are over, for patterns that do not come about by chance. It decides nothing. In \
your games from {first_game} to {last_game} it has found a pattern, and three people have looked at the evidence, each \
without knowing what the others think. All three hold that the question has to be put to you: {offence}.

Nothing is decided. No result, no pairing and no rating of yours has changed; prizes of yours that are pending wait.

The evidence, which is all that the three have seen beside the records of your games:

{evidence}

You can answer until the end of {answer_day} (UTC), {answer_days} days from today. The three will read your answer \
before anything is decided. Say whatever explains the pattern; an answer can be short. If you do not answer, the \
decision rests on the evidence alone.

Answer on the page {address} with the code below, or on paper to whoever sent you this letter.

    {code}

The decision will have reasons, and after it you will have {appeal_days} days to appeal to three other people. Keep \
the code: you read the decision and appeal with it too.
"""


def write_notice(state: CaseState, pseudonym: str, figures: Figures, address: str, code: str, now: int) -> str:
    """Return the letter of a case; `address` is the page on which the player answers.

    `KEPT_CODE` stands for the code in the letter that is kept.
    """
    return _LETTER.format(
        case=state.case,
        day=date_text(now),
        pseudonym=pseudonym,
        first_game=date_text(state.first_game),
        last_game=date_text(state.last_game),
        offence=OFFENCE_TEXTS[state.offence],
        evidence="\n".join(figures_in_words(figures)),
        answer_day=last_day(end_of_days(now, ANSWER_DAYS)),
        answer_days=ANSWER_DAYS,
        appeal_days=APPEAL_DAYS,
        address=address,
        code=code,
    )
