"""Sentences of prints: prizes and certificates in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ordws.tournament.facts import EventSettings
from ordws.tournament.prizes import PrizeTable, format_money

if TYPE_CHECKING:
    from ordws.tournament.certificate import Certificate

_ABOUT_HALF: Final = 15
"""How many percent from 50 a certificate's place among random schedules is explained."""
_WHY_HALF: Final = (
    "Averages of players who are about equal differ by chance after few turns, and no pairing can know that chance"
    " before the games. So in a small event of equal players about half of random schedules come closer. Where players"
    " differ in strength, or rounds are many, nearly all are farther."
)


def describe_prizes(table: PrizeTable, settings: EventSettings) -> list[str]:
    """Return where the prizes come from, how they are shared, and who gets none."""

    def money(amount: int) -> str:
        return format_money(amount, table.currency)

    sentences = []
    if table.fees:
        each = f"Entry fees of {money(settings.entry_fee)} come to {money(table.fees)}"
        sentences.append(f"{each}, of which {money(table.from_fees)} go to the prizes.")
    if settings.prize_fund:
        sentences.append(f"Beside the fees, the fund has {money(settings.prize_fund)}.")
    if table.goes_to_final:
        sentences.append(
            f"Prize money is awarded at the final in person, and never on line: this event adds {money(table.fund)} to"
            " the fund of its final."
        )
        sentences.append(f"All prizes of this event are {table.pending}.")
    elif table.fund:
        sentences.append(
            f"{settings.equal_percent} % of the fund of {money(table.fund)} are shared equally by all who were there"
            " for two thirds of the rounds; the rest in the proportion 1, 1/2, 1/3 and so on of their places. Players"
            " of one rank share what their places bring."
        )
    else:
        sentences.append("The event has no prize fund.")
    if table.without and table.fund:
        sentences.append(f"Without a prize, for fewer rounds: {', '.join(table.without)}.")
    return [*sentences, "These are figures alone: no payment is made by this program."]


def describe_certificate(certificate: Certificate) -> list[tuple[str, str]]:
    """Return the figures of a certificate with what each of them is."""
    figures = [
        ("Players and rounds", f"{certificate.players} and {certificate.rounds}"),
        ("Points a turn of the field", f"{certificate.field_ppt:.2f}"),
        ("Distance of the opponents from the field, root mean square", f"{certificate.rms_residual:.2f}"),
        (
            f"The same among the {certificate.stayed} who were there for two thirds of the rounds",
            f"{certificate.stayed_rms_residual:.2f}",
        ),
        ("The largest distance", f"{certificate.worst_residual:.2f}"),
        ("Meetings of two who had met before", str(certificate.repeats)),
        ("Byes, and the most of one player", f"{certificate.byes} and {certificate.most_byes}"),
        ("The largest difference of starts and replies", str(certificate.worst_start_imbalance)),
    ]
    if certificate.percentile is not None and certificate.random_rms is not None:
        figures += [
            (
                f"Closer than this share of {certificate.random_schedules:,} random schedules",
                f"{certificate.percentile:.0f} %",
            ),
            ("Distance of the middle one of the random schedules", f"{certificate.random_rms:.2f}"),
        ]
        if abs(certificate.percentile - 50) <= _ABOUT_HALF:
            figures.append(("Why that is about half", _WHY_HALF))
    figures.append(("Digest", certificate.digest))
    return [*figures, ("Last link of the facts", certificate.head)] if certificate.head else figures
