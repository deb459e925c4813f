"""Voting rounds: votes taken back, families re-opened, discussed, and decided as a class."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ledger_samples import AT, BASH, ZORIL, LedgerFiles, ballot, by_line

from ordws.curation.acts import Nominated, PriorityRaised, Recused
from ordws.curation.decision import Ballot, decide
from ordws.curation.ledger import Ledger
from ordws.curation.voting_rounds import FamilyState
from ordws.errors import BadBallot, BadInput


def zoril(ledger: Ledger) -> FamilyState:
    return ledger.family_states(["ZORIL"])["ZORIL"]


def vote(ledger: Ledger, *votes: str, round: int | None = None) -> None:
    """Cast votes on ZORIL such as `ann+` or `ben-`; the id of a ballot is its position in the whole test."""
    for each in votes:
        number = len(ledger.ballots())
        cast = ballot(f"v{number}", each[:-1], "in" if each[-1] == "+" else "out", "ZORIL")
        ledger.cast(by_line(cast), AT, rounds={} if round is None else {"ZORIL": round})


def contest(ledger: Ledger) -> None:
    """Cast five votes on ZORIL that leave it contested."""
    vote(ledger, "ann+", "ben-", "cleo+", "dora-", "emil+")


def test_a_vote_is_taken_back_while_its_family_is_open(ledger: Ledger) -> None:
    """A vote that was taken back no longer counts, and stays in the ledger."""
    vote(ledger, "ann+")
    ledger.retract("v0", "ann", AT)
    assert zoril(ledger).ballots == ()
    vote(ledger, "ben+")
    assert zoril(ledger).is_open
    assert [each.id for each in ledger.ballots()] == ["v0", "v1"]


def test_the_votes_left_after_a_retraction_may_decide(ledger: Ledger) -> None:
    """The votes that are left after a retraction may decide the family."""
    vote(ledger, "ann+", "ben-", "cleo+")
    ledger.retract("v1", "ben", AT)
    assert zoril(ledger).decision is not None
    assert ledger.decisions()["ZORIL"].outcome == "in"


@pytest.mark.parametrize(
    ("id", "curator", "fault"),
    [
        ("v0", "ben", "you have no such vote"),
        ("v9", "ann", "you have no such vote"),
    ],
)
def test_other_curators_votes_cannot_be_taken_back(ledger: Ledger, id: str, curator: str, fault: str) -> None:
    """A curator cannot take back another curator's vote."""
    vote(ledger, "ann+", "ben+")
    with pytest.raises(BadInput, match=fault):
        ledger.retract(id, curator, AT)
    assert ledger.decisions()["ZORIL"].outcome == "in"


def test_a_decision_falls_with_a_vote_that_it_needs(ledger: Ledger) -> None:
    """Without one of its two votes a family is open again, and the vote of another decides it as before."""
    vote(ledger, "ann+", "ben+")
    ledger.retract("v0", "ann", AT)
    assert (zoril(ledger).is_open, zoril(ledger).decision, ledger.decisions()) == (True, None, {})
    vote(ledger, "cleo+")
    assert ledger.decisions()["ZORIL"].outcome == "in"


def test_a_decision_stands_without_a_vote_that_came_too_late(ledger: Ledger) -> None:
    """A decision that the ballots left lead to stands when one that came after it is taken back."""
    vote(ledger, "ann+", "ben+", "cleo-")
    ledger.retract("v2", "cleo", AT)
    assert (zoril(ledger).is_open, ledger.decisions()["ZORIL"].outcome) == (False, "in")


def test_the_earlier_decision_holds_when_a_later_one_falls(ledger: Ledger) -> None:
    """Where a vote of a re-opened family is taken back, the decision of the round before holds again."""
    vote(ledger, "ann+", "ben+")
    ledger.reopen("ZORIL", "Kay", "once more", AT)
    vote(ledger, "ann-", "ben-")
    ledger.retract("v3", "ben", AT)
    assert (zoril(ledger).is_open, ledger.decisions()["ZORIL"].outcome) == (True, "in")


def test_the_preview_counts_a_decision_that_fell(ledger: Ledger) -> None:
    """A decision that fell since a link is among those changed; a vote taken back that decided nothing is not."""
    vote(ledger, "ann+", "ben+")
    link = ledger.last_link_number()
    ledger.retract("v0", "ann", AT)
    changed = ledger.decisions_at(link, ledger.family_states())
    assert {base: each.outcome for base, each in changed.items() if each} == {"ZORIL": "in"}
    link = ledger.last_link_number()
    ledger.retract("v1", "ben", AT)
    assert ledger.decisions_at(link, ledger.family_states()) == {}


def test_a_vote_that_the_chair_is_shown_stands(ledger: Ledger) -> None:
    """A vote on a family that is contested, or that a class has decided, cannot be taken back."""
    contest(ledger)
    with pytest.raises(BadInput, match="the family is contested, or decided with its class"):
        ledger.retract("v0", "ann", AT)


def test_a_vote_is_taken_back_once(ledger: Ledger) -> None:
    """A vote can be taken back once."""
    vote(ledger, "ann+")
    ledger.retract("v0", "ann", AT)
    with pytest.raises(BadInput, match="the vote was taken back before, or its round is over"):
        ledger.retract("v0", "ann", AT)


def test_a_reopened_family_is_voted_on_anew(ledger: Ledger) -> None:
    """The votes of the round before no longer count, and its decision holds until there is another."""
    vote(ledger, "ann+", "ben+")
    ledger.reopen("ZORIL", "Kay", "a new dictionary has it otherwise", AT)
    state = zoril(ledger)
    assert (state.is_open, state.ballots, state.round.number) == (True, (), 2)
    assert ledger.decisions()["ZORIL"].outcome == "in"
    assert ledger.status().open == 2
    vote(ledger, "ann-", "ben-")
    assert ledger.decisions()["ZORIL"].outcome == "out"


def test_an_open_family_is_not_reopened(ledger: Ledger) -> None:
    """An open family cannot be re-opened."""
    vote(ledger, "ann+")
    with pytest.raises(BadInput, match="the family is being voted on"):
        ledger.reopen("ZORIL", "Kay", "why not", AT)


@pytest.mark.parametrize("reason", ["", "  ", "a\x00b", "x" * 4001])
def test_a_reopening_needs_a_reason(ledger: Ledger, reason: str) -> None:
    """A re-opening needs a reason, of bounded length and without control characters."""
    vote(ledger, "ann+", "ben+")
    with pytest.raises(BadInput, match="a reason is needed"):
        ledger.reopen("ZORIL", "Kay", reason, AT)


def test_a_vote_for_a_round_that_is_over_is_refused(ledger: Ledger) -> None:
    """A vote by a card from before a re-opening is refused."""
    vote(ledger, "ann+", "ben+")
    ledger.reopen("ZORIL", "Kay", "once more", AT)
    with pytest.raises(BadBallot, match="the round that this vote was meant for is over"):
        vote(ledger, "cleo+", round=1)
    vote(ledger, "cleo+", round=2)
    assert zoril(ledger).voters == {"cleo"}


def test_a_contested_family_is_discussed_and_voted_on_again(ledger: Ledger) -> None:
    """A contested family is discussed, voted on in a second blind round, and decided by that."""
    contest(ledger)
    assert zoril(ledger).is_contested
    ledger.open_discussion("ZORIL", "Chris", AT)
    ledger.add_comment("ZORIL", "ann", "zoos have them", AT)
    ledger.open_second_vote("ZORIL", "Chris", AT)
    state = zoril(ledger)
    assert (state.is_open, state.is_discussed, state.round.is_second) == (True, False, True)
    assert [(done.actor, done.act.text) for done in state.comments] == [("ann", "zoos have them")]  # type: ignore[union-attr]
    vote(ledger, "ann+", "ben+")
    assert ledger.decisions()["ZORIL"].outcome == "in"


def test_a_second_vote_without_consensus_stays_out(ledger: Ledger) -> None:
    """A family contested in its second round is out, and not discussed again."""
    contest(ledger)
    ledger.open_discussion("ZORIL", "Chris", AT)
    ledger.open_second_vote("ZORIL", "Chris", AT)
    contest(ledger)
    assert not zoril(ledger).is_contested
    assert not ledger.decisions()["ZORIL"].includes("ZORIL")
    with pytest.raises(BadInput, match="the family is not contested"):
        ledger.open_discussion("ZORIL", "Chris", AT)


def test_only_an_opened_discussion_takes_comments(ledger: Ledger) -> None:
    """A family that is open or decided, or whose discussion the chair has not opened, takes no comments."""
    with pytest.raises(BadInput, match="the family is not contested"):
        ledger.open_discussion("ZORIL", "Chris", AT)
    contest(ledger)
    with pytest.raises(BadInput, match="not being discussed"):
        ledger.add_comment("ZORIL", "ann", "zoos have them", AT)
    with pytest.raises(BadInput, match="not being discussed"):
        ledger.open_second_vote("ZORIL", "Chris", AT)


@pytest.mark.parametrize("base", ["NOSUCH", "ZORIL"])
def test_families_out_of_the_queue_are_refused(ledger: Ledger, base: str) -> None:
    """A family that was never queued, or was withdrawn, is refused as such."""
    ledger.set_queue([BASH], AT)
    with pytest.raises(BadInput, match="there is no such family in the queue"):
        ledger.reopen(base, "Kay", "why not", AT)


def test_a_class_decides_its_open_families(ledger: Ledger) -> None:
    """A class decides every form of its open families; decisions of the panel stay."""
    vote(ledger, "ann-", "ben-")
    assert ledger.adopt_class("re-verb", "in", ["BASH", "ZORIL"], "Kay", AT) == 1
    decisions = ledger.decisions()
    assert [decisions["BASH"].includes(form) for form in ("BASH", "BASHED", "BASHINGS", "BASHER")] == [True] * 4
    assert decisions["ZORIL"].outcome == "out"
    assert ledger.family_states()["BASH"].decided_by_class == "re-verb"
    assert ledger.adopt_class("re-verb", "in", ["BASH", "ZORIL"], "Kay", AT) == 0


def test_a_reverted_class_restores_earlier_votes(ledger: Ledger) -> None:
    """Votes from before a class count again when it is reverted, late ones too, and may decide."""
    vote(ledger, "ann-")
    ledger.adopt_class("polecats", "in", ["BASH", "ZORIL"], "Kay", AT)
    assert ledger.decisions()["ZORIL"].outcome == "in"
    vote(ledger, "ben-")
    assert ledger.revert_class("polecats", "Kay", "one is no polecat", AT) == 2
    states = ledger.family_states()
    assert (states["BASH"].is_open, states["BASH"].decision) == (True, None)
    assert ledger.decisions()["ZORIL"].outcome == "out"
    assert ledger.revert_class("polecats", "Kay", "once more", AT) == 0


def test_a_class_does_not_decide_a_reopened_family(ledger: Ledger) -> None:
    """A re-opened family is left to the panel."""
    vote(ledger, "ann-", "ben-")
    ledger.reopen("ZORIL", "Kay", "once more", AT)
    assert ledger.adopt_class("polecats", "in", ["ZORIL"], "Kay", AT) == 0
    assert ledger.decisions()["ZORIL"].outcome == "out"


def test_a_family_decided_by_a_class_can_be_reopened(ledger: Ledger) -> None:
    """A re-opened family is decided by the panel, also if its class is reverted later."""
    ledger.adopt_class("polecats", "in", ["ZORIL"], "Kay", AT)
    ledger.reopen("ZORIL", "Kay", "no polecat", AT)
    vote(ledger, "ann-", "ben-")
    assert ledger.revert_class("polecats", "Kay", "none is", AT) == 0
    assert ledger.decisions()["ZORIL"].outcome == "out"


def test_recused_curators_do_not_vote(ledger: Ledger) -> None:
    """A recused curator does not vote, neither by an earlier card nor by a file."""
    vote(ledger, "ann+")
    ledger.append_acts([("ZORIL", Recused(reason="I breed them"))], "ben", AT)
    with pytest.raises(BadBallot, match="has an interest in the family"):
        vote(ledger, "ben+")
    assert zoril(ledger).is_open


def test_acts_without_a_round_are_kept(ledger_files: LedgerFiles, ledger: Ledger) -> None:
    """Recusals, raised families and nominations are kept, also after the ledger was opened again."""
    acts = [
        ("ZORIL", Recused(reason="I breed them")),
        ("ZORIL", PriorityRaised()),
        ("ZAX", Nominated(id="n1", reason="seen")),
    ]
    ledger.append_acts(acts, "ann", AT)
    assert (zoril(ledger).recused, zoril(ledger).is_raised) == ({"ann"}, True)
    with ledger_files.open() as again:
        assert [(done.subject, done.actor, done.at, done.act) for done in again.acts()] == [
            (subject, "ann", AT, act) for subject, act in acts
        ]
        assert [done.subject for done in again.acts(["ZAX"])] == ["ZAX"]


NAMES = ("ann", "ben", "cleo", "dora", "emil")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("vote"), st.sampled_from(NAMES), st.sampled_from(["in", "out", "doubt"])),
        st.tuples(st.just("retract"), st.integers(0, 12), st.none()),
        st.tuples(st.sampled_from(["reopen", "discuss", "again", "adopt", "revert"]), st.none(), st.none()),
    ),
    max_size=25,
)


class RoundModel:
    """A naive model of the rounds of a family: the ballots of the round, and a pile of decisions."""

    def __init__(self) -> None:
        self.ballots: list[Ballot] = []
        self.pile: list[tuple[str, bool]] = []
        self.is_open, self.is_second, self.is_discussed, self.number = True, False, False, 1

    def count(self) -> None:
        if self.is_open:
            outcome = decide("ZORIL", "borderline", ["ZORIL"], self.ballots).outcome
            if outcome != "open":
                self.pile.append((outcome, False))
                self.is_open = False

    def begin(self, *, is_second: bool) -> None:
        self.ballots, self.is_open, self.is_second, self.is_discussed = [], True, is_second, False
        self.number += 1

    @property
    def is_contested(self) -> bool:
        return not self.is_open and self.pile[-1][0] == "contested" and not self.is_second

    def may(self, step: str) -> bool:
        may_discuss = self.is_contested and not self.is_discussed
        return {"reopen": not self.is_open, "discuss": may_discuss, "again": self.is_discussed}.get(step, True)

    def take(self, step: str) -> None:
        if step == "discuss":
            self.is_discussed = True
        elif step in ("reopen", "again"):
            self.begin(is_second=step == "again")
        elif step == "adopt" and self.is_open and self.number == 1:
            self.pile.append(("in", True))
            self.is_open = False
        elif step == "revert" and self.pile and self.pile[-1][1]:
            self.pile.pop()
            self.is_open = True
            self.count()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_agrees_with_a_naive_model(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, object, str]]
) -> None:
    """The ledger agrees with a naive model after any sequence of events, also when it is opened again."""
    ledger_files, naive = LedgerFiles(tmp_path_factory.mktemp("story")), RoundModel()
    with ledger_files.create() as ledger:
        ledger.set_queue([ZORIL], AT)
        for step, detail, how in steps:
            take_step(ledger, naive, step, detail, how)
            state = zoril(ledger)
            assert (state.is_open, state.ballots) == (naive.is_open, tuple(naive.ballots))
            assert (state.decision.outcome if state.decision else None) == (naive.pile[-1][0] if naive.pile else None)
        before = ledger.family_states()
    with ledger_files.open() as again:
        assert again.family_states() == before


def take_step(ledger: Ledger, model: RoundModel, step: str, detail: object, how: str) -> None:
    """Take one step in the ledger and in the model."""
    match step, detail:
        case "vote", str(name):
            cast = ballot(f"v{len(ledger.ballots())}", name, how, "ZORIL")  # type: ignore[arg-type]
            ledger.cast(by_line(cast), AT)
            model.ballots.append(cast)
            model.count()
        case "retract", int(number):
            cast = [each for each in model.ballots if each.id == f"v{number}"]
            is_by_class = not model.is_open and model.pile[-1][1]
            if cast and not is_by_class and not model.is_contested:
                ledger.retract(cast[0].id, cast[0].curator, AT)
                model.ballots.remove(cast[0])
                if not model.is_open:
                    model.pile.pop()
                    model.is_open = True
                model.count()
            else:
                with pytest.raises(BadInput):
                    ledger.retract(f"v{number}", "ann", AT)
        case _ if not model.may(step):
            with pytest.raises(BadInput):
                act(ledger, step)
        case _:
            act(ledger, step)
            model.take(step)


def act(ledger: Ledger, step: str) -> None:
    match step:
        case "reopen":
            ledger.reopen("ZORIL", "Kay", "once more", AT)
        case "discuss":
            ledger.open_discussion("ZORIL", "Chris", AT)
        case "again":
            ledger.open_second_vote("ZORIL", "Chris", AT)
        case "adopt":
            ledger.adopt_class("polecats", "in", ["ZORIL"], "Kay", AT)
        case "revert":
            ledger.revert_class("polecats", "Kay", "none is", AT)
