"""The pages of classes: proposing, the audit without a look at votes, adopting, and reverting."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, product

import pytest
from console_installation import AT, ConsoleInstallation, make_family, open_console_installation

from ordws.curation import family_classes
from ordws.curation.acts import ClassHeld
from ordws.curation.decision import Ballot, Vote
from ordws.curation.family import Family

BASES = ["".join(each) for each in islice(product("ABCDEFGHIJ", repeat=3), 110)]
HEADS = ["RE" + base for base in BASES]
UNSETTLED = [Family("REZZZ", "borderline", make_family("REZZZ").candidates)]


@pytest.fixture
def installation(tmp_path) -> Iterator[ConsoleInstallation]:
    """A console with 110 families of one class, two forms each, and one family of none."""
    queued = [make_family(f"RE{base}", f"RE{base}S", pattern="RE- + verb", of=base) for base in BASES]
    with open_console_installation(tmp_path, [*queued, *UNSETTLED]) as installation:
        yield installation


def cast(installation: ConsoleInstallation, curator: str, vote: Vote, bases: Iterable[str]) -> None:
    ballots = [Ballot(f"{base}-{curator}", base, curator, vote, (), "", AT) for base in bases]
    with installation.state.appending([each.family for each in ballots]) as ledger:
        ledger.cast({each.id: each for each in ballots}, AT, panel=5)


def propose(installation: ConsoleInstallation, who: str = "kay", verdict: str = "in") -> None:
    assert (
        installation.browser(who).form("/classes/propose", **{"class": "re-verb", "verdict": verdict}).status_code
        == 303
    )


def text(installation: ConsoleInstallation, who: str = "kay", path: str = "/classes/re-verb") -> str:
    """Return the text of a page without tags, with single spaces."""
    answer = installation.browser(who).get(path)
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]*>", " ", answer.text).split())


def adopt(installation: ConsoleInstallation, who: str = "kay", families: int = 110) -> int:
    return installation.browser(who).form("/classes/re-verb/adopt", families=families).status_code


def proposal(installation: ConsoleInstallation) -> family_classes.ClassProposal:
    with installation.state.reading() as ledger:
        return family_classes.replay_proposals(ledger.acts(["re-verb"]))["re-verb"]


def test_possible_classes_are_shown_with_their_counts(installation):
    """The page says how many families and forms a class would decide, and how many decided ones agree."""
    installation.member("kay", "keeper")
    for curator in ("ann", "ben"):
        cast(installation, curator, "in", HEADS[:3])
        cast(installation, curator, "out", HEADS[3:4])
    assert "RE- + verb 106 0 212 4 3 1" in text(installation, path="/classes")
    page = text(installation)
    assert "this class would decide 106 open families with 212 forms" in page
    assert "Of the 4 decided so far by the panel, 3 came in with all their forms and 1 stayed out" in page
    assert "Propose it and audit 106 families" in page
    assert page.count(" from ") == 20


def test_a_proposal_records_its_sample_and_reorders_the_queue(installation):
    """A proposal records its sample, here all 110 since they are fewer than 300, and the queue prefers it."""
    installation.member("kay", "keeper")
    preferred: list[frozenset[str]] = []
    installation.state.queue.set_audited = preferred.append
    propose(installation)
    assert proposal(installation).sample == set(HEADS)
    assert preferred == [set(HEADS)]
    assert "Sample 110 families Judged 0" in text(installation)
    assert "No pattern has 100 open families" in text(installation, path="/classes")


def test_a_class_is_proposed_once_with_a_verdict_and_enough_families(installation):
    """A class that cannot be proposed is refused with the reason, and nothing is appended."""
    kay = installation.member("kay", "keeper")
    answer = kay.form("/classes/propose", **{"class": "re-verb", "verdict": "perhaps"})
    assert (answer.status_code, "say whether the class is in or out" in answer.text) == (409, True)
    assert kay.form("/classes/propose", **{"class": "un-verb", "verdict": "in"}).status_code == 404
    assert kay.get("/classes/REAAA").status_code == 404
    propose(installation)
    assert kay.form("/classes/propose", **{"class": "re-verb", "verdict": "out"}).status_code == 409
    assert proposal(installation).verdict == "in"


def test_too_few_open_families_are_no_class(installation):
    """A class with fewer than 100 open families is not offered."""
    kay = installation.member("kay", "keeper")
    for curator in ("ann", "ben"):
        cast(installation, curator, "in", HEADS[:11])
    assert "too few for an audit" in text(installation)
    assert kay.form("/classes/propose", **{"class": "re-verb", "verdict": "in"}).status_code == 409


def test_an_audit_shows_counts_and_no_votes(installation):
    """During an audit, votes on open families change the judged count alone, in steps of 30, and no family is named."""
    installation.member("kay", "keeper")
    propose(installation)
    cast(installation, "ann", "in", HEADS[:40])
    cast(installation, "ann", "out", HEADS[40:45])
    page = text(installation)
    assert "Sample 110 families Judged 30 " in page
    assert "Decided by the panel 0 Errors among those 0" in page
    assert "Adopted today it would decide 110 open families with 220 forms in" in page
    assert "Not to be adopted yet: not all 110 families of the sample are judged" in page
    cast(installation, "ben", "out", HEADS[40:41])
    page = text(installation)
    assert "Judged 30 " in page
    assert "Decided by the panel 1 Errors among those 1" in page


def test_a_chair_who_votes_too_sees_nothing_of_blind_votes(installation):
    """The chair's pages, examples aside, show no vote of the day, not even that it decided a family."""
    installation.member("cho", "chair")
    propose(installation, "cho")

    def seen() -> list[str]:
        return [text(installation, "cho", path).partition("Examples")[0] for path in ("/classes", "/classes/re-verb")]

    before = seen()
    cast(installation, "ann", "out", HEADS[:1])
    cast(installation, "ann", "in", HEADS[1:])
    cast(installation, "ben", "in", HEADS[1:2])
    assert seen() == before
    installation.clock.now += 12 * 3600
    assert seen() != before


def test_a_keeper_adopts_when_the_audit_is_over(installation):
    """An adopted class decides the families without a vote against it; the panel keeps the others."""
    installation.member("kay", "keeper")
    propose(installation)
    cast(installation, "ann", "in", HEADS)
    cast(installation, "ben", "out", HEADS[:1])
    assert "not all 110 families of the sample are judged" in text(installation)
    assert adopt(installation) == 409
    cast(installation, "cat", "in", HEADS[:1])
    cast(installation, "dan", "in", HEADS[:1])
    assert installation.state.family_states["REAAA"].decision.outcome == "in"
    assert "Adopt it: decide up to 109 families and 218 forms in" in text(installation)
    cast(installation, "ben", "out", HEADS[1:2])
    cast(installation, "cat", "in", HEADS[1:2])
    cast(installation, "dan", "in", HEADS[1:2])
    assert adopt(installation) == 303
    assert "This class has decided 108 families with 216 forms in" in text(installation)
    with installation.state.reading() as ledger:
        assert sum(each.includes(base) for base, each in ledger.decisions().items()) == 110


def test_a_dissenting_vote_keeps_a_family_outside_the_sample_with_the_panel(installation):
    """A vote against the class keeps its family with the panel, also outside the sample."""
    installation.member("kay", "keeper")
    propose(installation)
    with installation.state.reading() as ledger:
        others = [make_family("REKKK", pattern="RE- + verb", of="KKK")]
        ledger.set_queue([*ledger.families().values(), *others], AT)
    cast(installation, "ann", "in", HEADS)
    cast(installation, "ann", "out", ["REKKK"])
    assert adopt(installation, families=111) == 303
    assert installation.state.family_states["REKKK"].is_open
    assert installation.state.family_states["REAAA"].decided_by_class == "re-verb"
    assert "REKKK" not in text(installation)


def test_adopting_a_class_that_has_grown_is_refused(installation):
    """Adopting is refused where the class has grown since the keeper's page was drawn."""
    installation.member("kay", "keeper")
    propose(installation)
    cast(installation, "ann", "in", HEADS)
    assert adopt(installation, families=109) == 409
    assert proposal(installation).state == "audited"


def test_adopting_twice_changes_nothing(installation):
    """The second request of a double click leads to the same page, and nothing is appended."""
    installation.member("kay", "keeper")
    propose(installation)
    cast(installation, "ann", "in", HEADS)
    assert adopt(installation) == 303
    with installation.state.reading() as ledger:
        links = ledger.last_link_number()
    assert adopt(installation) == 303
    with installation.state.reading() as ledger:
        assert ledger.last_link_number() == links


def test_reverting_takes_one_key_and_puts_every_family_back(installation):
    """Reverting, which has an access key, opens the families again, with the votes cast before."""
    kay = installation.member("kay", "keeper")
    propose(installation)
    cast(installation, "ann", "in", HEADS)
    adopt(installation)
    assert '<button accesskey="r">Revert it: 110 families go back</button>' in kay.get("/classes/re-verb").text
    assert kay.form("/classes/re-verb/revert", reason="a second look").status_code == 303
    assert kay.form("/classes/re-verb/revert", reason="a second look").status_code == 303
    family_state = installation.state.family_states["REAAA"]
    assert (family_state.is_open, family_state.decision, family_state.voters) == (True, None, {"ann"})
    page = text(installation)
    assert page.count("kay reverted it: a second look") == 1
    assert "this class would decide 110 open families" in page


def test_reverting_a_proposal_keeps_the_votes(installation):
    """Reverting a proposal decides nothing and retracts no vote."""
    kay = installation.member("kay", "keeper")
    propose(installation)
    cast(installation, "ann", "in", HEADS[:5])
    assert kay.form("/classes/re-verb/revert", reason="too wide").status_code == 303
    assert proposal(installation).state == "reverted"
    assert installation.state.family_states["REAAA"].voters == {"ann"}


def test_a_held_class_is_not_adopted_before_it_is_released(installation):
    """A curator's objection keeps a class from being adopted until it is settled with a reason."""
    installation.member("kay", "keeper")
    cho = installation.member("cho", "chair")
    propose(installation)
    cast(installation, "ann", "in", HEADS)
    with installation.state.appending(()) as ledger:
        ledger.append_acts([("re-verb", ClassHeld(reason="verbs only"))], "ann", AT)
    assert "ann objected on 2026-11-21 : verbs only" in text(installation)
    assert adopt(installation) == 409
    assert cho.form("/classes/re-verb/release", reason="").status_code == 409
    assert cho.form("/classes/re-verb/release", reason="they are verbs").status_code == 303
    assert adopt(installation) == 303
    assert cho.form("/classes/re-verb/hold", reason="late").status_code == 409


def test_chair_and_keeper_can_hold(installation):
    """The chair can object from the page; settling without an objection is refused."""
    installation.member("kay", "keeper")
    cho = installation.member("cho", "chair")
    propose(installation, "cho")
    assert cho.form("/classes/re-verb/release", reason="why").status_code == 409
    assert cho.form("/classes/re-verb/hold", reason="wait").status_code == 303
    assert [done.actor for done in proposal(installation).objections] == ["cho"]


def test_only_a_keeper_adopts_and_curators_see_nothing(installation):
    """The chair proposes and reverts but does not adopt; a curator reaches no page of classes."""
    installation.member("kay", "keeper")
    installation.member("cho", "chair")
    ann = installation.member("ann")
    propose(installation, "cho")
    cast(installation, "ann", "in", HEADS)
    assert adopt(installation, "cho") == 403
    assert "A keeper adopts the class when the audit is over" in text(installation, "cho")
    for path in ("/classes", "/classes/re-verb"):
        assert ann.get(path).status_code == 403
    for path in ("propose", "re-verb/hold", "re-verb/release", "re-verb/adopt", "re-verb/revert"):
        assert ann.form(f"/classes/{path}", reason="x", verdict="in", **{"class": "re-verb"}).status_code == 403
    assert proposal(installation).state == "audited"


def test_reasons_are_text(installation):
    """A reason is shown as text and never becomes part of the page."""
    cho = installation.member("cho", "chair")
    propose(installation, "cho")
    cho.form("/classes/re-verb/hold", reason="<script>alert(1)</script>")
    page = cho.get("/classes/re-verb").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
