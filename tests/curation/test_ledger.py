"""The ledger: the queue, ballots and their decisions, overrides."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ledger_samples import AT, BASH, ZORIL, LedgerFiles, ballot, by_line, family

from ordws.curation.decision import Override, Tally
from ordws.curation.family import Candidate, Witness
from ordws.curation.hash_chain import ChainHead
from ordws.curation.ledger import Cast, Ledger, LedgerStatus, QueueCounts
from ordws.errors import BadBallot, BadInput, StoreDown

LATER = "2026-11-22T10:00:00Z"
NO_LINKS = ChainHead(0, 64 * "0")
NOTHING = Cast(new=0, known=0, decided_in=0, decided_out=0, contested=0, open=0, late=0)


def test_a_new_ledger_is_empty(ledger_files: LedgerFiles) -> None:
    """A new ledger has no link, also after it was opened again."""
    ledger_files.create().close()
    with ledger_files.open() as ledger:
        assert ledger.status() == LedgerStatus(0, 0, 0, 0, 0, 0, 0, NO_LINKS)
        assert (ledger.families(), ledger.decisions(), ledger.overrides(), ledger.ballots()) == ({}, {}, {}, [])


def test_an_interrupted_creation_is_completed(ledger_files: LedgerFiles) -> None:
    """A ledger opens whose creation was killed after the head and an empty database were written."""
    ledger_files.create().close()
    ledger_files.path.write_bytes(b"")
    with ledger_files.open() as ledger:
        assert ledger.set_queue([BASH], AT) == QueueCounts(new=1, changed=0, withdrawn=0, unchanged=0)


class TestQueue:
    def test_the_list_becomes_the_queue(self, ledger_files: LedgerFiles) -> None:
        """Families keep all their evidence, also after the ledger was opened again."""
        flagged = replace(
            ZORIL,
            standing="flagged",
            candidates=(
                Candidate("ZORIL", (Witness("wordnet", "headword", "base", "noun", ("rude", "rare"), 'a "cat" – \n'),)),
            ),
        )
        with ledger_files.create() as ledger:
            assert ledger.set_queue([BASH, flagged], AT) == QueueCounts(new=2, changed=0, withdrawn=0, unchanged=0)
        with ledger_files.open() as ledger:
            assert ledger.families() == {"BASH": BASH, "ZORIL": flagged}
            assert ledger.head.length == 1

    def test_the_same_list_appends_nothing(self, ledger: Ledger) -> None:
        """The same list from a new build appends nothing."""
        head = ledger.head
        assert ledger.set_queue([ZORIL, BASH], LATER) == QueueCounts(new=0, changed=0, withdrawn=0, unchanged=2)
        assert ledger.head == head

    @pytest.mark.parametrize(
        "changed",
        [
            family("BASH", "BASHED", "BASHINGS", gloss="to hit"),
            family("BASH", "BASHED", "BASHINGS", standing="flagged"),
            family("BASH", "BASHED"),
            family("BASH", "BASHED", "BASHINGS", "BASHER"),
            replace(BASH, candidates=(replace(BASH.candidates[0], zipf=2.32), *BASH.candidates[1:])),
        ],
    )
    def test_a_family_that_differs_is_changed(self, ledger: Ledger, changed: object) -> None:
        """A changed gloss, standing, form or frequency is appended, and holds from then on."""
        assert ledger.set_queue([changed, ZORIL], LATER) == QueueCounts(new=0, changed=1, withdrawn=0, unchanged=1)  # type: ignore[list-item]
        assert ledger.families() == {"BASH": changed, "ZORIL": ZORIL}

    def test_only_what_differs_is_appended(self, ledger: Ledger) -> None:
        """A new form of a family is one row."""
        ledger.set_queue([family("BASH", "BASHED", "BASHINGS", "BASHER"), ZORIL], LATER)
        assert ledger.read("SELECT kind, counts FROM links WHERE number = 2") == [("queue", '{"candidates":1}')]

    def test_a_family_that_goes_is_withdrawn_and_may_return(self, ledger: Ledger) -> None:
        """A family that is no longer listed leaves the queue, and is new if it is listed again."""
        assert ledger.set_queue([ZORIL], LATER) == QueueCounts(new=0, changed=0, withdrawn=1, unchanged=1)
        assert ledger.families() == {"ZORIL": ZORIL}
        assert ledger.set_queue([ZORIL], LATER) == QueueCounts(new=0, changed=0, withdrawn=0, unchanged=1)
        back = family("BASH", "BASHES", gloss="to hit")
        assert ledger.set_queue([back, ZORIL], LATER) == QueueCounts(new=1, changed=0, withdrawn=0, unchanged=1)
        assert ledger.families() == {"BASH": back, "ZORIL": ZORIL}

    def test_a_form_may_be_of_two_families(self, ledger: Ledger) -> None:
        """A form may be in two families: LEAVES in LEAF and in LEAVE."""
        leaf, leave = family("LEAF", "LEAVES"), family("LEAVE", "LEAVES")
        ledger.set_queue([leaf, leave], LATER)
        assert ledger.families() == {"LEAF": leaf, "LEAVE": leave}

    @pytest.mark.parametrize("at", ["2026-11-21T08:30:00", "2026-11-21T08:30:00+01:00", "now"])
    def test_a_time_without_utc_is_refused(self, ledger: Ledger, at: str) -> None:
        """A link must have a time in UTC."""
        with pytest.raises(ValueError, match=r"time|isoformat"):
            ledger.set_queue([], at)


class TestCast:
    def test_two_votes_decide_a_family(self, ledger: Ledger) -> None:
        """The second vote in decides the family in the link of its ballot, with all its forms."""
        assert ledger.cast(by_line(ballot("a1", "ann", "in")), AT) == NOTHING._replace(new=1, open=1)
        assert ledger.decisions() == {}
        assert ledger.cast(by_line(ballot("b1", "ben", "in")), AT) == NOTHING._replace(new=1, decided_in=1)
        decision = ledger.decisions()["BASH"]
        assert decision.outcome == "in"
        assert {word: decision.includes(word) for word in ("BASH", "BASHED", "BASHINGS", "BASHES")} == dict.fromkeys(
            ("BASH", "BASHED", "BASHINGS", "BASHES"), True
        )
        assert ledger.read("SELECT counts FROM links WHERE number = 3") == [('{"ballots":1,"decisions":1}',)]

    def test_the_votes_of_one_call_are_one_link(self, ledger: Ledger) -> None:
        """The ballots of one call, and all that they decide, are one link."""
        votes = [ballot(f"{name}{base}", name, "out", base) for base in ("BASH", "ZORIL") for name in ("ann", "ben")]
        assert ledger.cast(by_line(*votes), AT) == NOTHING._replace(new=4, decided_out=2)
        assert ledger.head.length == 2
        assert ledger.ballots() == votes

    def test_casting_again_changes_nothing(self, ledger: Ledger) -> None:
        """A ballot with a known id and the same content counts once, within a call and over calls."""
        vote = ballot("a1", "ann", "in", reason="heard it")
        assert ledger.cast(by_line(vote, vote), AT) == NOTHING._replace(new=1, known=1, open=1)
        head = ledger.head
        assert ledger.cast(by_line(vote), LATER) == NOTHING._replace(known=1)
        assert ledger.head == head
        assert ledger.ballots() == [vote]

    @pytest.mark.parametrize(
        "other",
        [
            ballot("a1", "ann", "out"),
            ballot("a1", "ben", "in"),
            ballot("a1", "ann", "in", "ZORIL"),
            ballot("a1", "ann", "in", "BASH", "BASHED"),
            ballot("a1", "ann", "in", reason="so"),
            replace(ballot("a1", "ann", "in"), at=LATER),
        ],
    )
    def test_an_id_has_one_content(self, ledger: Ledger, other: object) -> None:
        """A known id with other content is refused, with all ballots of the same call."""
        ledger.cast(by_line(ballot("a1", "ann", "in")), AT)
        with pytest.raises(BadBallot, match="line 2: id: a ballot with this id and other content was cast before"):
            ledger.cast(by_line(ballot("b1", "ben", "in"), other), AT)  # type: ignore[arg-type]
        assert len(ledger.ballots()) == 1

    @pytest.mark.parametrize(
        ("bad", "fault"),
        [
            (ballot("x", "ann", "in", "QUAGGA"), "line 2: family: no such family was ever queued"),
            (ballot("x", "ann", "in", "BASH", "ZORIL"), "line 2: forms: not all of them are forms of the family"),
        ],
    )
    def test_a_ballot_on_an_unknown_family_or_form_is_refused(self, ledger: Ledger, bad: object, fault: str) -> None:
        """A ballot on an unknown family or form is refused by its place, and no ballot is cast."""
        with pytest.raises(BadBallot) as refused:
            ledger.cast(by_line(ballot("b1", "ben", "in"), bad), AT)  # type: ignore[arg-type]
        assert str(refused.value) == fault
        assert ledger.ballots() == []

    def test_ballots_after_the_decision_are_kept_and_do_not_count(self, ledger: Ledger) -> None:
        """A ballot after the decision is stored and changes nothing."""
        ledger.cast(by_line(ballot("a1", "ann", "in"), ballot("b1", "ben", "in")), AT)
        decided = ledger.decisions()
        late = by_line(ballot("c1", "cleo", "out"), ballot("d1", "dora", "out"), ballot("b2", "ben", "out"))
        assert ledger.cast(late, LATER) == NOTHING._replace(new=3, late=3)
        assert ledger.decisions() == decided
        assert len(ledger.ballots()) == 5

    def test_a_curator_may_change_sides_in_a_later_file(self, ledger: Ledger) -> None:
        """A curator's newest ballot counts while the family is undecided."""
        ledger.cast(by_line(ballot("a1", "ann", "out"), ballot("b1", "ben", "in")), AT)
        assert ledger.cast(by_line(ballot("a2", "ann", "in")), AT) == NOTHING._replace(new=1, decided_in=1)

    def test_a_form_that_joins_later_follows_the_whole_family(self, ledger: Ledger) -> None:
        """A new form of a decided family needs no new vote."""
        ledger.cast(by_line(ballot("a1", "ann", "in"), ballot("b1", "ben", "in")), AT)
        ledger.cast(by_line(ballot("a2", "ann", "out", "ZORIL"), ballot("b2", "ben", "out", "ZORIL")), AT)
        ledger.set_queue([family("BASH", "BASHED", "BASHINGS", "BASHES"), family("ZORIL", "ZORILS")], LATER)
        decisions = ledger.decisions()
        assert decisions["BASH"].includes("BASHES")
        assert not decisions["ZORIL"].includes("ZORILS")

    def test_forms_that_join_an_open_family_are_voted_with_it(self, ledger: Ledger) -> None:
        """A decision is on the forms at stake when its last ballot is cast, without withdrawn ones."""
        ledger.cast(by_line(ballot("a1", "ann", "in")), AT)
        ledger.set_queue([family("BASH", "BASHED", "BASHES"), ZORIL], LATER)
        ledger.cast(by_line(ballot("b1", "ben", "in")), LATER)
        two = Tally(2, 0, "in")
        assert ledger.decisions()["BASH"].forms == {"BASH": two, "BASHED": two, "BASHES": two}

    def test_a_small_panel_takes_three_votes(self, ledger: Ledger) -> None:
        """Two votes against one are contested in a panel of three, and open in a panel of five."""
        split = [ballot("a", "ann", "in"), ballot("b", "ben", "out"), ballot("c", "cleo", "in")]
        others = [replace(each, id=f"{each.id}z", family="ZORIL") for each in split]
        assert ledger.cast(by_line(*split), AT, panel=3) == NOTHING._replace(new=3, contested=1)
        assert ledger.cast(by_line(*others), AT, panel=5) == NOTHING._replace(new=3, open=1)
        decision = ledger.decisions()["BASH"]
        assert decision.outcome == "contested"
        assert not decision.includes("BASH")

    def test_ballots_on_a_withdrawn_family_count(self, ledger: Ledger) -> None:
        """Votes on a withdrawn family count when it returns to the queue."""
        ledger.set_queue([ZORIL], AT)
        assert ledger.cast(by_line(ballot("a1", "ann", "in")), AT) == NOTHING._replace(new=1, open=1)
        assert ledger.cast(by_line(ballot("b1", "ben", "in")), AT) == NOTHING._replace(new=1, decided_in=1)
        assert ledger.status()[:4] == (1, 0, 0, 0)
        ledger.set_queue([BASH, ZORIL], LATER)
        assert ledger.status()[:4] == (1, 1, 0, 0)
        assert ledger.decisions()["BASH"].includes("BASHED")

    def test_a_contested_family_keeps_its_standing(self, ledger: Ledger) -> None:
        """A contested family is out while it is borderline, and in once it is flagged."""
        split = [ballot("a", "ann", "in"), ballot("b", "ben", "out"), ballot("c", "cleo", "in")]
        ledger.cast(by_line(*split), AT, panel=3)
        assert not ledger.decisions()["BASH"].includes("BASH")
        ledger.set_queue([replace(BASH, standing="flagged"), ZORIL], LATER)
        assert ledger.decisions()["BASH"].includes("BASH")

    def test_many_ballots_are_cast_at_once(self, ledger_files: LedgerFiles) -> None:
        """The votes on a thousand families can be cast as one link."""
        bases = [f"{a}{b}{c}" for a in "BCDFGHJKLM" for b in "AEIOUYBCDF" for c in "NPRSTVWXZQ"]
        with ledger_files.create() as ledger:
            ledger.set_queue([family(base) for base in bases], AT)
            votes = [ballot(f"{name}{base}", name, "in", base) for name in ("ann", "ben") for base in bases]
            assert ledger.cast(by_line(*votes), AT) == NOTHING._replace(new=2000, decided_in=1000)
            assert ledger.head.length == 2
            assert ledger.status().decided_in == 1000


class TestOverride:
    def test_an_override_holds_until_it_is_lifted(self, ledger: Ledger) -> None:
        """An override holds, with keeper, reason and time, until a newer one of the word replaces or lifts it."""
        ledger.override("add", "ZAX", reason=" a tool ", keeper="Kay", at=AT)
        ledger.override("exclude", "BASH", reason="a misprint", keeper="Lou", at=AT)
        assert ledger.overrides() == {
            "ZAX": Override("ZAX", "add", "Kay", "a tool", AT),
            "BASH": Override("BASH", "exclude", "Lou", "a misprint", AT),
        }
        ledger.override("exclude", "ZAX", reason="not in print", keeper="Lou", at=LATER)
        ledger.override("lift", "BASH", reason="it is none", keeper="Kay", at=LATER)
        assert ledger.overrides() == {"ZAX": Override("ZAX", "exclude", "Lou", "not in print", LATER)}
        ledger.override("add", "BASH", reason="seen again", keeper="Kay", at=LATER)
        assert ledger.overrides()["BASH"].act == "add"
        assert ledger.head.length == 6

    def test_lifting_without_an_override_is_refused(self, ledger: Ledger) -> None:
        """Lifting a word that is not overridden is refused."""
        ledger.override("add", "ZAX", reason="a tool", keeper="Kay", at=AT)
        ledger.override("lift", "ZAX", reason="no tool", keeper="Kay", at=AT)
        for word in ("ZAX", "BASH"):
            with pytest.raises(BadInput, match="there is no override of this word to lift"):
                ledger.override("lift", word, reason="no tool", keeper="Kay", at=AT)
        assert ledger.head.length == 3

    @pytest.mark.parametrize(
        ("reason", "keeper", "fault"),
        [
            ("", "Kay", "a reason is needed"),
            (" \n", "Kay", "a reason is needed"),
            ("a\x00tool", "Kay", "a reason is needed"),
            ("a tool", "", "an override needs the name of its keeper"),
            ("a tool", "Kay\n", "an override needs the name of its keeper"),
        ],
    )
    def test_an_override_is_reasoned_and_signed(self, ledger: Ledger, reason: str, keeper: str, fault: str) -> None:
        """An override needs a reason and a name."""
        with pytest.raises(BadInput, match=fault):
            ledger.override("add", "ZAX", reason=reason, keeper=keeper, at=AT)
        assert ledger.head.length == 1


def test_the_status_counts_what_is_in_the_queue(ledger: Ledger) -> None:
    """The status counts the families of the queue by outcome, ballots, curators and overrides, and has the head."""
    ledger.set_queue([BASH, ZORIL, family("LEAF"), family("QUAGGA"), family("ZAX")], AT)
    votes = [("BASH", "in", "in"), ("ZORIL", "out", "out"), ("LEAF", "in", "out"), ("QUAGGA", "in", "doubt")]
    ledger.cast(
        by_line(
            *[ballot(f"a{base}", "ann", "in" if a == "in" else "out", base) for base, a, _ in votes],
            ballot("b1", "ben", "in", "BASH"),
            ballot("b2", "ben", "out", "ZORIL"),
            ballot("b3", "ben", "out", "LEAF"),
            ballot("b4", "ben", "doubt", "QUAGGA"),
            ballot("c3", "cleo", "in", "LEAF"),
        ),
        AT,
        panel=3,
    )
    ledger.override("add", "ZEK", reason="in print", keeper="Kay", at=AT)
    assert ledger.status() == LedgerStatus(
        open=2, decided_in=1, decided_out=1, contested=1, ballots=9, curators=3, overrides=1, head=ledger.head
    )
    ledger.set_queue([ZORIL], AT)
    assert ledger.status()[:4] == (0, 0, 1, 0)


def test_nothing_is_appended_without_a_head(ledger_files: LedgerFiles, ledger: Ledger) -> None:
    """Nothing is appended while the head cannot be written, and the ledger goes on once it can."""
    aside = ledger_files.head.rename(ledger_files.head.with_name("aside"))
    ledger_files.head.mkdir()
    with pytest.raises(StoreDown, match=r"curation\.db does not answer: Is a directory"):
        ledger.cast(by_line(ballot("a1", "ann", "in")), AT)
    assert ledger.ballots() == []
    ledger_files.head.rmdir()
    aside.rename(ledger_files.head)
    ledger.cast(by_line(ballot("a1", "ann", "in")), AT)
    with ledger_files.open() as other:
        assert len(other.ballots()) == 1


def test_everything_is_there_after_reopening(ledger_files: LedgerFiles, ledger: Ledger) -> None:
    """Queue, ballots, decisions, overrides and head are the same after the ledger was opened again."""
    ledger.cast(by_line(ballot("a1", "ann", "in"), ballot("b1", "ben", "in")), AT)
    ledger.override("exclude", "BASHED", reason="a misprint", keeper="Kay", at=AT)
    with ledger_files.open() as other:
        assert other.status() == ledger.status()
        assert other.families() == ledger.families() == {"BASH": BASH, "ZORIL": ZORIL}
        assert other.ballots() == ledger.ballots()
        assert other.decisions() == ledger.decisions()
        assert other.overrides() == ledger.overrides()
