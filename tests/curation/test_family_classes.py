"""The classes: which families are in one, how an audit is counted, and what prevents an adoption."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from each_row import each_row
from ledger_samples import AT, ballot, by_line, family

from ordws.curation import family_classes
from ordws.curation.acts import (
    Act,
    ClassAdopted,
    ClassHeld,
    ClassProposed,
    ClassReleased,
    ClassReverted,
    Nominated,
    RecordedAct,
)
from ordws.curation.decision import Decision, Tally
from ordws.curation.family import Derivation
from ordws.curation.ledger import Ledger
from ordws.curation.voting_rounds import FamilyState, Round

RE, UN = "RE- + verb", "UN- + adjective"
PROPOSED = ClassProposed(pattern=RE, verdict="in", sample=("REBA", "REBB", "REBC"))


def family_state(base: str, *votes: str, outcome: str = "", decided_by_class: str = "", **fields) -> FamilyState:
    """A borderline family of a headword and its -S form; votes are `in`, `out`, `doubt` or `in:FORM`."""
    forms = (base, base + "S")
    ballots = []
    for number, vote in enumerate(votes):
        choice, _, form = vote.partition(":")
        ballots.append(ballot(f"{base}{number}", f"curator{number}", choice, base, *form.split()))
    decision = Decision(base, "borderline", dict.fromkeys(forms, Tally(0, 0, outcome)), Tally(0, 0, outcome))
    return replace(
        FamilyState(base, "borderline", forms),
        ballots=tuple(ballots),
        decided_by_class=decided_by_class,
        decision=decision if outcome else None,
        round=Round(is_decided=bool(outcome)),
        **fields,
    )


def by_base(*families: FamilyState) -> dict[str, FamilyState]:
    return {each.base: each for each in families}


def replayed(*acts: Act, name: str = "re-verb") -> family_classes.ClassProposal:
    done = [RecordedAct(number, AT, name, "kay", act) for number, act in enumerate(acts, 1)]
    return family_classes.replay_proposals(done)[name]


def audited(*families: FamilyState) -> family_classes.ClassAudit:
    return family_classes.audit_class(replayed(PROPOSED), by_base(*families))


@each_row(
    ("pattern", "name"),
    [
        ("RE- + verb", "re-verb"),
        ("verb + -ER", "verb-er"),
        ("noun + noun", "noun-noun"),
        ("noun without number + -S", "noun-without-number-s"),
    ],
)
def test_a_class_is_named_after_its_pattern(pattern, name):
    """The name of a class is in lower case, so that it is no family's name, and fits into a URL."""
    assert family_classes.class_name(pattern) == name


def test_the_likeliest_derivation_decides_the_class_of_a_family():
    """A family is in one class at most; flagged families, and those whose base is open too, are in none."""
    derivations = {
        "REBA": (Derivation(RE, "BA", True), Derivation(UN, "EBA", True)),
        "REBB": (Derivation(RE, "BB", False), Derivation(UN, "EBB", True)),
        "REBC": (Derivation(RE, "BC", True),),
        "REBD": (),
        "REBE": (Derivation(RE, "BE", True),),
    }
    families = by_base(*[family_state(base) for base in ("REBA", "REBB", "REBD")], family_state("REBC", outcome="in"))
    families["REBE"] = replace(family_state("REBE"), standing="flagged")
    found = family_classes.class_members(derivations, families)
    assert {pattern: [each.base for each in families] for pattern, families in found.items()} == {RE: ["REBA", "REBC"]}


def test_a_preview_counts_open_families_and_decisions_of_the_panel():
    """A preview counts open families of a first round, and decisions of the panel on all forms of a family."""
    split = replace(
        family_state("REBD", outcome="in"),
        decision=Decision(
            "REBD", "borderline", {"REBD": Tally(2, 0, "in"), "REBDS": Tally(0, 2, "out")}, Tally(2, 0, "in")
        ),
    )
    again = replace(family_state("REBG", outcome="out"), round=Round(2, 7))
    found = family_classes.preview_class(
        RE,
        [
            family_state("REBA"),
            family_state("REBB", "out"),
            family_state("REBC", outcome="in"),
            split,
            family_state("REBE", outcome="out"),
            family_state("REBF", outcome="in", decided_by_class="re-verb"),
            again,
        ],
    )
    assert [each.base for each in found.open] == ["REBA", "REBB"]
    assert (found.forms, len(found.decided), found.agreeing("in"), found.agreeing("out")) == (4, 4, 1, 2)


def test_only_classes_worth_their_audit_are_proposed():
    """A class is worth an audit with a hundred open families; the largest comes first."""
    every = [family_state(f"RE{n:03}") for n in range(101)]
    found = family_classes.classes_worth_auditing({RE: every[:100], UN: every, "verb + -ER": every[:99]})
    assert [(each.name, len(each.open)) for each in found] == [("un-adjective", 101), ("re-verb", 100)]


def test_a_sample_follows_from_the_given_random_numbers():
    """A sample is three hundred of the open families, or all, and is the same for the same random numbers."""
    large = family_classes.preview_class(RE, [family_state(f"RE{n:03}") for n in range(400)])
    one, same, other = (family_classes.draw_sample(large, Random(seed)) for seed in (1, 1, 2))
    assert one == same != other
    assert (len(one), len(set(one))) == (300, 300)
    small = family_classes.preview_class(
        RE, [family_state("REBB"), family_state("REBA"), family_state("REBC", outcome="in")]
    )
    assert family_classes.draw_sample(small, Random(1)) == ("REBA", "REBB")


@each_row(
    ("errors", "judged", "bound"),
    [
        (0, 300, "0.994%"),
        (3, 300, "2.564%"),
        (4, 300, "3.025%"),
        (0, 99, "2.981%"),
        (0, 98, "3.011%"),
        (150, 300, "54.899%"),
        (1, 1, "100.000%"),
        (0, 0, "100.000%"),
    ],
)
def test_the_error_bound_is_that_of_clopper_and_pearson(errors, judged, bound):
    """No error in 300 bounds the error rate below 1.0 %; three errors keep within the 3 % allowed, four do not."""
    assert f"{family_classes.clopper_pearson_upper_bound(errors, judged):.3%}" == bound


def test_one_vote_that_agrees_judges_a_family():
    """One vote for the verdict on all forms judges a family of the sample, if nobody disagrees."""
    assert audited(family_state("REBA", "in")) == (1, 1, 0, 0)
    assert audited(family_state("REBA", "in:REBA REBAS")) == (1, 1, 0, 0)


@each_row("votes", [(), ("out",), ("doubt",), ("in:REBA",), ("in", "out"), ("out", "in")])
def test_any_other_vote_leaves_the_family_to_the_panel(votes):
    """An undecided family with a vote against, a doubt or an exception is neither judged nor an error."""
    assert audited(family_state("REBA", *votes)) == (1, 0, 0, 0)


def test_a_decision_against_the_verdict_is_an_error():
    """A family decided against the verdict, in one form or split, is an error; one decided with it is not."""
    assert audited(family_state("REBA", "in", "in", outcome="in")) == (1, 1, 1, 0)
    assert audited(family_state("REBA", "out", "out", outcome="out")) == (1, 1, 1, 1)
    assert audited(family_state("REBA", "in", "out", outcome="contested")) == (1, 1, 1, 1)
    mixed = {"REBA": Tally(2, 0, "in"), "REBAS": Tally(0, 2, "out")}
    partly = replace(
        family_state("REBA", outcome="in"), decision=Decision("REBA", "borderline", mixed, Tally(2, 0, "in"))
    )
    assert audited(partly) == (1, 1, 1, 1)


def test_decisions_of_the_class_do_not_change_the_audit():
    """The decisions of the class itself, after its adoption, do not change the audit."""
    by_class = family_state("REBA", "in", outcome="in", decided_by_class="re-verb")
    assert audited(by_class, family_state("REBB", outcome="out")) == (2, 2, 1, 1)


def test_families_that_left_the_queue_leave_the_sample():
    """A family that a new build has settled leaves the sample."""
    assert audited(family_state("REBA", "in")).size == 1
    assert audited().size == 0


def test_the_state_of_a_class_follows_from_its_acts():
    """A class is proposed, held, released, adopted and reverted; an act out of order changes nothing."""
    held, released = ClassHeld(reason="too wide"), ClassReleased(reason="looked at")
    assert replayed(PROPOSED).state == "audited"
    assert [each.act for each in replayed(PROPOSED, held, held).objections] == [held, held]
    assert replayed(PROPOSED, held, released).objections == ()
    assert replayed(PROPOSED, ClassAdopted(), held).objections == ()
    assert replayed(PROPOSED, ClassAdopted(), ClassAdopted()).state == "adopted"
    assert replayed(PROPOSED, ClassAdopted(), ClassReverted(reason="no")).state == "reverted"
    assert replayed(PROPOSED, ClassReverted(reason="no"), ClassAdopted()).state == "reverted"


def test_a_class_can_be_proposed_anew_when_it_was_reverted():
    """A second proposal counts only after the first was reverted."""
    anew = ClassProposed(pattern=RE, verdict="out", sample=("REBD",))
    assert replayed(PROPOSED, anew).verdict == "in"
    assert replayed(PROPOSED, ClassReverted(reason="no"), anew).sample == {"REBD"}


def test_acts_on_other_subjects_are_ignored():
    """Acts on other subjects, and objections to classes that were never proposed, are ignored."""
    done = [
        RecordedAct(1, AT, "WORD", "ann", Nominated(id="n1", reason="why")),
        RecordedAct(2, AT, "un-verb", "ann", ClassHeld()),
    ]
    assert family_classes.replay_proposals(done) == {}


def test_adoption_needs_a_judged_sample_no_objection_and_few_errors():
    """A class is adopted when all of its sample is judged, no objection is open, and the error bound holds."""
    proposal = replayed(PROPOSED)
    assert (
        family_classes.adoption_obstacle(proposal, family_classes.ClassAudit(300, 299, 9, 0))
        == "not all 300 families of the sample are judged"
    )
    assert (
        family_classes.adoption_obstacle(proposal, family_classes.ClassAudit(0, 0, 0, 0))
        == "not all 0 families of the sample are judged"
    )
    too_wrong = family_classes.adoption_obstacle(proposal, family_classes.ClassAudit(300, 300, 9, 4))
    assert too_wrong == "up to 3.0% of the class may be wrong, more than 3%"
    assert family_classes.adoption_obstacle(proposal, family_classes.ClassAudit(300, 300, 9, 3)) is None
    held = replayed(PROPOSED, ClassHeld(reason="too wide"))
    assert (
        family_classes.adoption_obstacle(held, family_classes.ClassAudit(300, 300, 9, 0))
        == "kay objected, and the objection is not settled"
    )
    for state in ("adopted", "reverted"):
        over = replace(proposal, state=state)
        assert (
            family_classes.adoption_obstacle(over, family_classes.ClassAudit(300, 300, 9, 0))
            == f"the class is {state} already"
        )


@each_row(
    ("verdict", "votes", "is_ruled"),
    [
        ("in", (), True),
        ("in", ("in",), False),
        ("in", ("doubt",), False),
        ("in", ("out",), False),
        ("out", (), True),
        ("out", ("out",), False),
        ("out", ("in",), False),
        ("out", ("in:REXA",), False),
    ],
)
def test_a_class_leaves_families_with_a_vote_to_the_panel(verdict, votes, is_ruled):
    """A family with a vote stays with the panel, whichever way the vote went, unless it is in the sample."""
    proposal = replace(replayed(PROPOSED), verdict=verdict)
    preview = family_classes.preview_class(RE, [family_state("REXA", *votes), family_state("REBA", verdict)])
    assert family_classes.families_to_decide(proposal, preview) == [*(["REXA"] if is_ruled else []), "REBA"]


def test_open_families_of_a_sample_await_the_audit():
    """Open families of a sample await the audit, whatever was voted on them; none do after the audit."""
    families = by_base(
        family_state("REBA", "in"), family_state("REBB"), family_state("REBC", outcome="in"), family_state("REBD")
    )
    assert family_classes.families_awaiting_audit([replayed(PROPOSED)], families) == {"REBA", "REBB"}
    assert family_classes.families_awaiting_audit([replayed(PROPOSED, ClassAdopted())], families) == set()
    assert family_classes.families_awaiting_audit([replayed(PROPOSED, ClassReverted(reason="no"))], families) == set()


def test_a_class_in_a_ledger_from_proposal_to_reverting(ledger: Ledger):
    """Adopting decides the undecided families once; reverting restores their states, with their votes."""
    ledger.set_queue([family("REBA", "REBAS"), family("REBB"), family("REBC")], AT)
    sample = ClassProposed(pattern=RE, verdict="in", sample=("REBA", "REBB"))
    ledger.append_acts([("re-verb", sample)], "kay", AT)
    ledger.cast(by_line(ballot("a", "ann", "in", "REBA"), ballot("b", "ben", "out", "REBC")), AT)
    proposal = family_classes.replay_proposals(ledger.acts(["re-verb"]))["re-verb"]
    now = family_classes.preview_class(RE, ledger.family_states(["REBA", "REBB", "REBC"]).values())
    bases = family_classes.families_to_decide(proposal, now)
    assert bases == ["REBA", "REBB"]
    assert ledger.adopt_class("re-verb", "in", bases, "kay", AT) == 2
    assert ledger.adopt_class("re-verb", "in", bases, "kay", AT) == 0
    assert sorted(base for base, each in ledger.decisions().items() if each.includes(base)) == ["REBA", "REBB"]
    assert ledger.revert_class("re-verb", "kay", "not so", AT) == 2
    assert ledger.decisions() == {}
    assert [each.id for each in ledger.family_states(["REBA"])["REBA"].ballots] == ["a"]
    assert family_classes.replay_proposals(ledger.acts(["re-verb"]))["re-verb"].state == "reverted"
