"""The wordings of the consent: what was agreed to stays readable, and only the wording in force is accepted."""

from __future__ import annotations

import pytest
from each_row import each_row
from event_driver import DrivenEvent

from ordws.errors import BadInput
from ordws.tournament.consent import check_consent, consent_wordings, current_consent, wording_agreed_to
from ordws.tournament.facts import Agreed
from ordws.tournament.personal_data import export_entrant

DIGESTS = {
    "1": "a79b237f3bdd07c95134c22da79f6f9862717f186f37b6084e039097a8878491",
    "2": "c2a1ca5946a2109fcfa8496ff5d21cde5ca686dbd53e039d73670c301ba543a5",
    "3": "6a1f969d00f40fe5731069a40ad9bdb05f7b900beb615d0210a06363643dc130",
    "4": "eb7bb5e7bd5db3bb099164022bcfd7fa0c34ee6d773c94a065161f9e9bc83b93",
}
"""The digest of every version that was ever in force: a change of an old wording is a mistake."""


def test_no_wording_that_was_in_force_has_changed():
    assert {wording.version: wording.digest for wording in consent_wordings()} == DIGESTS


def test_the_wording_in_force_is_accepted_and_found_again():
    wording = current_consent()
    assert check_consent(wording.version, wording.digest) is wording
    assert wording_agreed_to(wording.version, wording.digest) is wording


@each_row(("version", "digest"), [("0", "a79b"), ("1", "0" * 64), ("", "")])
def test_other_words_are_no_consent(version, digest):
    with pytest.raises(BadInput) as refused:
        check_consent(version, digest)
    assert "ask again" in (refused.value.hint or "")
    assert wording_agreed_to(version, digest) is None


@each_row("wording", consent_wordings())
def test_an_entrant_is_given_the_words_agreed_to(wording):
    """Whoever asks for their data is given the words of their own agreement, also where newer ones are in force."""
    event = DrivenEvent("Ann", "Ben")
    event.do(Agreed(entrant=1, version=wording.version, digest=wording.digest))
    event.do(Agreed(entrant=2, version="of a newer program", digest="ab" * 32))
    ann, ben = [export_entrant(event.state, event.facts, entrant) for entrant in (1, 2)]
    assert ann["agreed"] == wording.version
    assert ann["agreed_wording"] == {"title": wording.title, "sentences": [each.text for each in wording.sentences]}
    assert (ben["agreed"], ben["agreed_wording"]) == ("of a newer program", None)


def test_the_wording_says_what_rule_15_2_asks_for():
    """The oath, the attestation and the publication are agreed to, and the deadlines are those of a case."""
    subjects = [sentence.about for sentence in current_consent().sentences]
    assert subjects == ["oath", "attestation", "fair play", "prizes", "publication"]
    text = " ".join([sentence.text for sentence in current_consent().sentences])
    assert "14 days" in text
    assert "30 days" in text
    assert "under age" in text
    assert "the same member number are looked at together" in text
    assert "Nobody is paid a prize before the day that the event names" in text
