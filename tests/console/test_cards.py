"""The routes of the queue: cards, votes, undo, skip, recuse, hold and heartbeat, as the page's script uses them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from console_installation import (
    AT,
    Browser,
    ConsoleInstallation,
    families,
    make_family,
    open_console_installation,
    restart,
)

from ordws.console.cards import REASON_TAGS
from ordws.curation.acts import CheckAnswered, ClassHeld, ClassProposed, Recused

A = "00000000-0000-4000-8000-00000000000a"
B = "00000000-0000-4000-8000-00000000000b"


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    """Five families; REVOTE is first in the queue and the shorter BASH, for its three forms, next."""
    queued = [
        make_family("REVOTE", "REVOTED", pattern="RE- + verb", of="VOTE"),
        make_family("BASH", "BASHED", "BASHES"),
        make_family("ZORIL", gloss="a striped polecat"),
        make_family("RECAST", pattern="RE- + verb", of="CAST"),
        make_family("RELINE", pattern="RE- + verb", of="LINE"),
    ]
    with open_console_installation(tmp_path, queued) as installation:
        yield installation


def cards_of(browser: Browser) -> list[Any]:
    found: list[Any] = browser.api("/api/cards").json["cards"]
    return found


def card_of(browser: Browser, head: str) -> Any:
    """Return the card of a family; skip others until it comes."""
    cards = cards_of(browser)
    for _ in browser.installation.state.family_states:
        if cards[0]["head"] == head:
            break
        cards = browser.api("/api/skip", card=cards[0]["id"]).json["cards"]
    assert cards[0]["head"] == head
    return cards[0]


def vote(browser: Browser, head: str, answer: str, **more: Any) -> str:
    """Vote on a family and return the ballot's id."""
    ballot = str(uuid.uuid4())
    body = {"card": card_of(browser, head)["id"], "ballot": ballot, "vote": answer, "seconds": 4.2, **more}
    reply = browser.api("/api/votes", **body)
    assert reply.status_code == 200, reply.text
    return ballot


def ballots(installation: ConsoleInstallation) -> list[tuple[str, str, str, tuple[str, ...], str]]:
    with installation.state.reading() as ledger:
        return [(each.curator, each.family, each.vote, each.forms, each.reason) for each in ledger.ballots()]


def test_the_page_has_the_closed_list_of_reasons(installation: ConsoleInstallation) -> None:
    """The page offers the reasons of a doubt that the server takes, each with a digit."""
    page = unescape(installation.member("ann").get("/queue").get_data(as_text=True))
    assert json.dumps(REASON_TAGS) in page
    assert len(REASON_TAGS) <= 9


def test_a_card_shows_the_evidence_in_its_order(installation: ConsoleInstallation) -> None:
    """A card has a family, its forms, each source's evidence, the derivation and comparable decisions."""
    card = card_of(installation.member("ann"), "REVOTE")
    assert list(card) == [
        "id",
        "head",
        "standing",
        "round",
        "second",
        "forms",
        "derivations",
        "related",
        "comparable",
        "classes",
    ]
    assert (card["head"], card["standing"], card["round"], card["second"]) == ("REVOTE", "borderline", 1, False)
    assert [form["word"] for form in card["forms"]] == ["REVOTE", "REVOTED"]
    head = card["forms"][0]
    assert (head["zipf"], head["band"]) == (2.31, 60)
    assert head["witnesses"] == [
        {
            "source": "GCIDE",
            "provenance": "headword",
            "slot": "base",
            "pos": "verb",
            "labels": ["dialect"],
            "gloss": "to strike",
        }
    ]
    assert card["derivations"] == [{"pattern": "RE- + verb", "base": "VOTE", "settled": True}]
    assert card["comparable"] == [{"pattern": "RE- + verb", "in": 0, "out": 0, "examples": []}]
    assert card["classes"] == []


def test_a_form_has_a_sentence_for_screen_readers(installation: ConsoleInstallation) -> None:
    """The sentence for screen readers has a form's part of speech, its sources and its figures."""
    card = card_of(installation.member("ann"), "REVOTE")
    assert [form["text"] for form in card["forms"]] == [
        "REVOTE, verb, in GCIDE as a main entry, labelled dialect, meaning to strike, Zipf frequency 2.3,"
        " SCOWL band 60.",
        "REVOTED, verb, past of REVOTE, in GCIDE as a regular form by rule, frequency not measured, not in SCOWL.",
    ]


def test_comparable_rulings_are_of_decided_families(installation: ConsoleInstallation) -> None:
    """Comparable decisions, with counts and examples, are those of the last midnight, so that no single vote shows."""
    ann, ben, cleo = (installation.member(name) for name in ("ann", "ben", "cleo"))
    for browser in (ann, ben):
        vote(browser, "RECAST", "in")
    vote(ann, "RELINE", "out")
    nothing = {"pattern": "RE- + verb", "in": 0, "out": 0, "examples": []}
    assert card_of(cleo, "REVOTE")["comparable"] == [nothing]
    vote(ben, "RELINE", "out")
    installation.clock.now += 12 * 3600 - 1
    assert installation.state.comparable.comparable("REVOTE") == [nothing]
    installation.clock.now += 1
    cleo = installation.browser("cleo")
    assert card_of(cleo, "REVOTE")["comparable"] == [
        {"pattern": "RE- + verb", "in": 1, "out": 1, "examples": [{"word": "RELINE", "outcome": "out"}]}
    ]
    assert installation.state.queue.is_holdout("RECAST")


def test_a_card_does_not_reveal_whether_its_family_is_decided(installation: ConsoleInstallation) -> None:
    """A card counts its own family among comparable decisions; without it a check could be recognised."""
    ann, ben, _ = (installation.member(name) for name in ("ann", "ben", "cleo"))
    for browser in (ann, ben):
        vote(browser, "RELINE", "in")
    installation.clock.now += 12 * 3600
    cards_of(installation.browser("cleo"))
    rulings = installation.state.comparable
    counts = [[(each["in"], each["out"]) for each in rulings.comparable(base)] for base in ("RELINE", "REVOTE")]
    assert counts == [[(1, 0)], [(1, 0)]]


def test_a_vote_is_a_ballot_and_the_answer_brings_the_next_card(installation: ConsoleInstallation) -> None:
    """A ballot has the family, the vote, the named forms and the reason; its card is not dealt again."""
    ann = installation.member("ann")
    card = card_of(ann, "BASH")
    body = {"card": card["id"], "ballot": A, "vote": "in", "forms": ["BASHES", "BASH"], "reason": " heard \r\n"}
    reply = ann.api("/api/votes", **body, seconds=4)
    assert reply.status_code == 200
    assert ballots(installation) == [("ann", "BASH", "in", ("BASH", "BASHES"), "heard")]
    assert len(reply.json["cards"]) == 2
    assert "BASH" not in [each["head"] for each in reply.json["cards"]]
    assert reply.json["progress"] == {
        "mine": 1,
        "today": 1,
        "decided": 0,
        "families": 5,
        "revotes": 0,
        "sentence": "too early to say how many evenings",
    }


def test_the_same_ballot_again_counts_once(installation: ConsoleInstallation) -> None:
    """A repeated vote counts once; other content under its id is refused."""
    ann = installation.member("ann")
    body = {"card": card_of(ann, "BASH")["id"], "ballot": A, "vote": "in", "reason": "heard", "seconds": 4.2}
    for _ in range(2):
        installation.clock.now += 60
        assert ann.api("/api/votes", **body).status_code == 200
    for other in ({"vote": "out"}, {"forms": ["BASH"]}, {"reason": "read"}, {"card": card_of(ann, "ZORIL")["id"]}):
        reply = ann.api("/api/votes", **{**body, **other})
        assert (reply.status_code, reply.json["code"]) == (409, "other-content")
    assert ballots(installation) == [("ann", "BASH", "in", (), "heard")]
    with installation.state.accounts.connection() as db:
        assert db.execute("SELECT curator, seconds FROM pace").fetchall() == [("ann", 4.2)]


def test_another_vote_on_the_same_card_is_refused(installation: ConsoleInstallation) -> None:
    """A curator who wants to vote otherwise has to take the first vote back."""
    ann = installation.member("ann")
    card = card_of(ann, "BASH")["id"]
    assert ann.api("/api/votes", card=card, ballot=A, vote="in").status_code == 200
    reply = ann.api("/api/votes", card=card, ballot=B, vote="out")
    assert (reply.status_code, reply.json["code"]) == (409, "voted")


def test_a_vote_counts_after_its_lease_and_after_a_restart(installation: ConsoleInstallation) -> None:
    """A card can be answered while its round is open, also after its lease ended and after a restart."""
    ann = installation.member("ann")
    card = card_of(ann, "BASH")["id"]
    installation.clock.now += 5_000
    ann = restart(installation, ann)
    assert ann.api("/api/votes", card=card, ballot=A, vote="in").status_code == 200
    ann = restart(installation, ann)
    again = ann.api("/api/votes", card=card, ballot=A, vote="in")
    assert again.status_code == 200
    assert again.json["progress"]["mine"] == 1
    assert ballots(installation) == [("ann", "BASH", "in", (), "")]


def test_a_vote_for_a_round_that_is_over_is_refused(installation: ConsoleInstallation) -> None:
    """A card of the first round does not vote in the second."""
    late = installation.member("cleo")
    held = card_of(late, "ZORIL")["id"]
    installation.clock.now += 5_000
    for name in ("ann", "ben"):
        vote(installation.member(name), "ZORIL", "in")
    with installation.state.appending(["ZORIL"]) as ledger:
        ledger.reopen("ZORIL", "kay", "a new edition has it", AT)
    reply = late.api("/api/votes", card=held, ballot=A, vote="in")
    assert (reply.status_code, reply.json["code"]) == (409, "round-over")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"ballot": "x"}, "$.ballot"),
        ({"vote": "maybe"}, "$.vote"),
        ({"seconds": -1}, "$.seconds"),
        ({"seconds": 3601}, "$.seconds"),
        ({"forms": ["REVOTE"]}, "forms"),
        ({"reason": "a" * 4001}, "$.reason"),
        ({"reason": "a\x00b"}, "reason"),
        ({"vote": "doubt"}, "reason"),
        ({"vote": "doubt", "reason": "because"}, "reason"),
        ({"card": 7}, "$.card"),
    ],
)
def test_a_vote_that_is_not_well_formed_is_refused(
    installation: ConsoleInstallation, changed: dict[str, Any], message: str
) -> None:
    """A refusal names the faulty field and repeats no value; nothing is appended."""
    ann = installation.member("ann")
    body = {"card": card_of(ann, "BASH")["id"], "ballot": A, "vote": "in", "forms": [], "reason": "", "seconds": 1.0}
    reply = ann.api("/api/votes", **{**body, **changed})
    assert (reply.status_code, reply.json["code"]) == (400, "bad-request")
    assert message in reply.json["detail"]
    assert ballots(installation) == []


def test_a_doubt_has_a_listed_reason_and_perhaps_a_note(installation: ConsoleInstallation) -> None:
    """The reason of a doubtful ballot is a listed tag, alone or with a note."""
    ann = installation.member("ann")
    vote(ann, "BASH", "doubt", reason=REASON_TAGS[0])
    vote(ann, "ZORIL", "doubt", reason=f"{REASON_TAGS[1]}: only in Kipling")
    assert [each[4] for each in ballots(installation)] == [REASON_TAGS[0], f"{REASON_TAGS[1]}: only in Kipling"]


def test_a_card_is_valid_for_its_curator_alone(installation: ConsoleInstallation) -> None:
    """The id of a card is good for its curator alone, and a made-up one for nobody."""
    card = card_of(installation.member("ann"), "BASH")["id"]
    ben = installation.member("ben")
    for id in (card, "nonsense", "1.1.1.BASH." + "0" * 32):
        for path, more in (
            ("/api/votes", {"ballot": A, "vote": "in"}),
            ("/api/skip", {}),
            ("/api/recuse", {}),
            ("/api/hold", {"class": "re-verb"}),
        ):
            reply = ben.api(path, card=id, **more)
            assert (reply.status_code, reply.json["code"]) == (404, "no-such-card")


def test_undo_takes_votes_back_one_after_another(installation: ConsoleInstallation) -> None:
    """The card of an undone vote comes first, under a new lease, and can be answered otherwise."""
    ann = installation.member("ann")
    first, second = vote(ann, "BASH", "in"), vote(ann, "ZORIL", "in")
    for ballot, head in ((second, "ZORIL"), (first, "BASH")):
        reply = ann.api("/api/undo", ballot=ballot)
        assert (reply.status_code, reply.json["undone"], reply.json["cards"][0]["head"]) == (200, True, head)
    assert reply.json["progress"]["mine"] == 0
    assert reply.json["cards"][1]["head"] == "ZORIL"
    assert ann.api("/api/undo", ballot=first).json["undone"] is True
    card = cards_of(ann)[0]
    assert ann.api("/api/votes", card=card["id"], ballot=A, vote="out").status_code == 200
    assert installation.state.family_states["BASH"].ballots[0].vote == "out"
    assert len(installation.state.family_states["BASH"].ballots) == 1


def test_undo_takes_back_a_vote_that_has_decided(installation: ConsoleInstallation) -> None:
    """On the day of a vote its undo does not tell whether the family is decided: the decision falls with the vote."""
    ann, ben = installation.member("ann"), installation.member("ben")
    mine = vote(ann, "BASH", "in")
    vote(ben, "BASH", "in")
    assert not installation.state.family_states["BASH"].is_open
    reply = ann.api("/api/undo", ballot=mine)
    assert (reply.status_code, reply.json["cards"][0]["head"]) == (200, "BASH")
    assert installation.state.family_states["BASH"].is_open
    for ballot in (mine, A):
        reply = ben.api("/api/undo", ballot=ballot)
        assert (reply.status_code, reply.json["code"]) == (404, "no-such-vote")


def test_undo_does_not_tell_that_the_others_have_decided(installation: ConsoleInstallation) -> None:
    """The card comes back for the day, however long nobody answers it, though the other votes decide without it."""
    ann, *others = [installation.member(name) for name in ("ann", "ben", "cleo", "dora", "eve", "fay")]
    mine = vote(ann, "BASH", "out")
    for other in others[:3]:
        vote(other, "BASH", "in")
    assert ann.api("/api/undo", ballot=mine).json["cards"][0]["head"] == "BASH"
    assert not installation.state.family_states["BASH"].is_open
    installation.clock.now += 2 * 3600
    ann = installation.browser("ann")
    card = card_of(ann, "BASH")["id"]
    assert ann.api("/api/votes", card=card, ballot=A, vote="out").status_code == 200


def test_undo_ends_with_the_day(installation: ConsoleInstallation) -> None:
    """A vote of an earlier day, whose outcome may be known, is neither undone nor offered for it, decided or open."""
    ann, ben = installation.member("ann"), installation.member("ben")
    votes = [vote(ann, "BASH", "in"), vote(ann, "ZORIL", "in")]
    vote(ben, "BASH", "in")
    installation.clock.now += 12 * 3600
    ann = installation.browser("ann")
    assert ann.api("/api/cards").json["given"] == []
    replies = [ann.api("/api/undo", ballot=ballot) for ballot in votes]
    assert [(reply.status_code, reply.json["code"]) for reply in replies] == [(409, "too-late")] * 2


def test_a_recusal_is_written_down_and_ends_the_lease(installation: ConsoleInstallation) -> None:
    """A recused curator does not get the family again, and cannot vote on it."""
    ann = installation.member("ann")
    card = card_of(ann, "BASH")["id"]
    reply = ann.api("/api/recuse", card=card, reason="my surname")
    assert "BASH" not in [each["head"] for each in reply.json["cards"]]
    assert ann.api("/api/recuse", card=card, reason="my surname").status_code == 200
    with installation.state.reading() as ledger:
        assert [(done.actor, done.act) for done in ledger.acts(["BASH"])] == [("ann", Recused(reason="my surname"))]
    assert ann.api("/api/votes", card=card, ballot=A, vote="in").status_code == 409


def test_a_class_is_held_from_a_card_that_it_covers(installation: ConsoleInstallation) -> None:
    """A card names the proposed class that covers it; an objection is recorded once, and the card stays."""
    ann = installation.member("ann")
    proposed = ClassProposed(pattern="RE- + verb", verdict="in", sample=("REVOTE",))
    with installation.state.appending([]) as ledger:
        ledger.append_acts([("re-verb", proposed)], "kay", AT)
    card, other = card_of(ann, "REVOTE"), "BASH"
    assert card["classes"] == ["re-verb"]
    for _ in range(2):
        reply = ann.api("/api/hold", card=card["id"], **{"class": "re-verb", "reason": "RECAST is not"})
        assert reply.json["cards"][0]["id"] == card["id"]
    with installation.state.reading() as ledger:
        held = [(done.actor, done.act) for done in ledger.acts(["re-verb"])][1:]
    assert held == [("ann", ClassHeld(reason="RECAST is not"))]
    reply = ann.api("/api/hold", card=card_of(ann, other)["id"], **{"class": "re-verb", "reason": ""})
    assert (reply.status_code, reply.json["code"]) == (409, "no-such-class")


def test_a_heartbeat_returns_the_held_cards(installation: ConsoleInstallation) -> None:
    """A heartbeat returns the cards that are still held; after a restart it leases them again."""
    ann = installation.member("ann")
    ids = [card["id"] for card in cards_of(ann)]
    assert ann.api("/api/heartbeat", cards=[*ids, "x"]).json == {"cards": ids}
    installation.clock.now += 1
    ann = restart(installation, ann)
    assert ann.api("/api/heartbeat", cards=ids).json == {"cards": ids}
    assert [card["id"] for card in cards_of(ann)] == ids


def test_a_skipped_card_comes_back_at_the_end(installation: ConsoleInstallation) -> None:
    """A skipped card comes back after all others."""
    ann = installation.member("ann")
    first = cards_of(ann)[0]
    heads = []
    cards = ann.api("/api/skip", card=first["id"]).json["cards"]
    while cards:
        heads.append(cards[0]["head"])
        cards = ann.api("/api/votes", card=cards[0]["id"], ballot=str(uuid.uuid4()), vote="in").json["cards"]
    assert (len(heads), heads[-1]) == (5, first["head"])


def test_a_keeper_has_no_queue(installation: ConsoleInstallation) -> None:
    """A keeper, who does not vote, has no queue."""
    kay = installation.member("kay", "keeper")
    assert kay.get("/queue").status_code == 403
    for path in ("cards", "votes", "skip", "recuse", "hold", "undo", "heartbeat"):
        assert kay.api(f"/api/{path}").status_code == 403


def test_a_large_request_is_refused_unread(installation: ConsoleInstallation) -> None:
    """A request over 64 KiB is refused before it is read."""
    reply = installation.member("ann").api("/api/heartbeat", cards=["x" * 70_000])
    assert (reply.status_code, reply.json["code"]) == (413, "request-entity-too-large")


def test_the_sample_is_chosen_once(tmp_path: Path) -> None:
    """The console chooses the calibration sample at its first start with families, and never again."""
    with open_console_installation(tmp_path, families(60)) as installation:
        ann = installation.member("ann")
        heads = [card["head"] for card in cards_of(ann)]
        ann = restart(installation, ann)
        with installation.state.reading() as ledger:
            (done,) = ledger.acts([""])
        assert (done.actor, len(done.act.families)) == ("console", 3)  # type: ignore[union-attr]
        assert heads == list(done.act.families)[:2]  # type: ignore[union-attr]
        assert [card["head"] for card in cards_of(ann)] == heads


def test_the_progress_gives_the_evenings_left(tmp_path: Path) -> None:
    """From the day after the third evening the progress says how many evenings are left, as the statistics do."""
    with open_console_installation(tmp_path, families(60)) as installation:
        for evening in range(3):
            ann = installation.browser("ann") if evening else installation.member("ann")
            reply = ann.api("/api/cards")
            assert reply.json["progress"]["sentence"] == "too early to say how many evenings"
            for _ in range(10):
                card = reply.json["cards"][0]["id"]
                reply = ann.api("/api/votes", card=card, ballot=str(uuid.uuid4()), vote="in", seconds=7.5)
            installation.clock.now += 24 * 3600
        # 60 families x 2.44 votes / 0.9 / 10 cards an evening
        assert installation.browser("ann").api("/api/cards").json["progress"]["sentence"] == "about 17 more evenings"


def test_checks_go_to_the_ledger_as_acts(tmp_path: Path) -> None:
    """Of 60 cards of one curator three are repeats: their answers are acts and no ballots, and all count as answers."""
    with open_console_installation(tmp_path, families(90), key=bytes(32)) as installation:
        ann = installation.member("ann")
        cards = cards_of(ann)
        for _ in range(60):
            reply = ann.api("/api/votes", card=cards[0]["id"], ballot=str(uuid.uuid4()), vote="in", seconds=3)
            cards = reply.json["cards"]
        with installation.state.reading() as ledger:
            checks = [done for done in ledger.acts() if isinstance(done.act, CheckAnswered)]
            cast = ledger.ballots()
    assert reply.json["progress"]["mine"] == 60
    assert (len(checks), len(cast)) == (3, 57)
    assert {done.subject for done in checks} < {ballot.family for ballot in cast}
