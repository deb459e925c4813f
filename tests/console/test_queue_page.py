"""The queue's page in a real browser, over the real application: keys and buttons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from console_browser import ServeConsole, ServedConsole
from console_installation import ConsoleInstallation, families, make_family, open_console_installation
from playwright.sync_api import expect
from queue_helpers import (
    AGAIN,
    STRIKES,
    ballots,
    button,
    form,
    head,
    open_queue,
    press,
    skip_to,
    votes,
    wait_until_saved,
)

from ordws.console.cards import REASON_TAGS
from ordws.curation.acts import ClassHeld, ClassProposed, Recused
from ordws.curation.decision import Ballot
from ordws.curation.family import Family
from ordws.curation.family_classes import class_name


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    with open_console_installation(tmp_path / "instance", [STRIKES, AGAIN, *families(12)]) as installation:
        yield installation


@pytest.fixture
def served(installation: ConsoleInstallation, serve_console: ServeConsole) -> ServedConsole:
    return serve_console(installation)


def test_keys_vote_through_cards(served: ServedConsole) -> None:
    """J votes in and F out; each vote shows the next card at once and reaches the ledger with its time.

    A screen reader is told what was done, and the next card's sentence.
    """
    page = open_queue(served)
    heard = page.get_by_role("status").first
    expect(heard).to_contain_text(re.compile(rf"^{head(page).inner_text()}, .*GCIDE"))
    (first,) = press(page, "j")
    expect(heard).to_contain_text(re.compile(rf"^{first}: in\. Next: {head(page).inner_text()}, .*GCIDE"))
    second, third = press(page, "fj")
    wait_until_saved(page)
    assert votes(served) == [(first, "in"), (second, "out"), (third, "in")]
    expect(page.locator(".progress b")).to_contain_text("3 today")
    expect(page.locator(".last")).to_have_text(f"{third}: in")
    with served.installation.state.accounts.connection() as db:
        (seconds,) = db.execute("SELECT max(seconds) FROM pace").fetchone()
    assert 0 <= seconds < 30


@pytest.mark.long
def test_the_header_tells_no_count_that_is_not_true(served: ServedConsole) -> None:
    """The panel's count is that of midnight: the header says so, and shows none on the first day."""
    page = open_queue(served)
    press(page, "jj")
    wait_until_saved(page)
    expect(page.locator(".progress span")).to_have_text("2 votes by you")
    state = served.installation.state
    bases, at = sorted(state.family_states)[-3:], state.timestamp()
    decided = [Ballot(f"{base}-{who}", base, who, "in", (), "", at) for base in bases for who in "xy"]
    with state.appending(bases) as ledger:
        ledger.cast({ballot.id: ballot for ballot in decided}, at)
    page.reload()
    expect(page.locator(".progress span")).to_have_text("2 votes by you")
    served.installation.clock.now += 86_400
    served.sign_in(page, "ann")
    page.reload()
    expect(page.locator(".progress span")).to_have_text("2 votes by you, 3 of 14 families decided before today")
    expect(page.locator(".progress span")).to_have_attribute("title", re.compile("midnight, UTC"))


def test_another_vote_is_announced_and_marked_on_its_card(served: ServedConsole) -> None:
    """A note says that a family is up for another vote; its card says why; the note goes with the curator's vote."""
    state = served.installation.state
    at = state.timestamp()
    votes_cast = {who: Ballot(who, "BASH", who, "out", (), "", at) for who in ("ben", "cleo")}
    with state.appending(["BASH"]) as ledger:
        ledger.cast(votes_cast, at)
    with state.appending(["BASH"]) as ledger:
        ledger.reopen("BASH", "kay", "a new edition has it", at)
    page = open_queue(served)
    note = page.get_by_text("One family is up for another vote.")
    expect(note).to_be_visible()
    skip_to(page, "BASH")
    expect(page.locator(".card")).to_contain_text("Another vote: round 2. The family was decided before")
    press(page, "j")
    wait_until_saved(page)
    expect(note).to_be_hidden()


def test_undo_twice(served: ServedConsole) -> None:
    """Undo brings the cards back, the newest first, and retracts their votes."""
    page = open_queue(served)
    first, second = press(page, "jj")
    wait_until_saved(page)
    page.keyboard.press("u")
    expect(head(page)).to_have_text(second)
    page.keyboard.press("u")
    expect(head(page)).to_have_text(first)
    wait_until_saved(page)
    assert [served.installation.state.family_states[base].ballots for base in (first, second)] == [(), ()]
    assert press(page, "ff") == [first, second]
    wait_until_saved(page)
    assert votes(served)[2:] == [(first, "out"), (second, "out")]
    for _ in range(3):
        page.keyboard.press("u")
    expect(page.locator(".last")).to_contain_text("Nothing to undo here")


@pytest.mark.long
def test_undo_after_the_page_was_opened_again(served: ServedConsole) -> None:
    """A reload does not make votes final: the server returns the latest ones."""
    page = open_queue(served)
    first, second = press(page, "jf")
    wait_until_saved(page)
    page.reload()
    expect(head(page)).to_be_visible()
    expect(button(page, "undo")).to_have_attribute("aria-disabled", "false")
    page.keyboard.press("u")
    expect(head(page)).to_have_text(second)
    page.keyboard.press("u")
    expect(head(page)).to_have_text(first)
    wait_until_saved(page)
    assert [served.installation.state.family_states[base].ballots for base in (first, second)] == [(), ()]


@pytest.mark.long
def test_a_vote_of_an_earlier_day_stays(served: ServedConsole) -> None:
    """Undoing a vote after midnight is refused, and the curator is told."""
    page = open_queue(served)
    (base,) = press(page, "j")
    wait_until_saved(page)
    with served.installation.state.accounts.transaction() as db:
        db.execute("UPDATE sessions SET ends = ends + 43200, seen = seen + 43200")
    served.installation.clock.now += 43_200
    served.expected.append("409")
    page.keyboard.press("u")
    expect(page.locator(".notice")).to_contain_text(f"The vote on {base} stands: it is of an earlier day")
    wait_until_saved(page)
    expect(head(page)).not_to_have_text(base)
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".notice")).to_have_count(0)


def test_doubt_names_a_reason(served: ServedConsole) -> None:
    """D asks for a reason, by number or by arrows and Enter, and can be cancelled; a note goes with it."""
    page = open_queue(served)
    first = head(page).inner_text()
    page.keyboard.press("d")
    expect(page.get_by_role("dialog", name=f"Why is {first} doubtful?")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("d")
    page.keyboard.press("3")
    expect(head(page)).not_to_have_text(first)
    second = head(page).inner_text()
    page.keyboard.press("n")
    page.keyboard.type("jf: a dance?")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".note")).to_have_text("Your note: jf: a dance?")
    page.keyboard.press("d")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(head(page)).not_to_have_text(second)
    wait_until_saved(page)
    assert [(ballot.family, ballot.vote, ballot.reason) for ballot in ballots(served)] == [
        (first, "doubt", REASON_TAGS[2]),
        (second, "doubt", f"{REASON_TAGS[1]}: jf: a dance?"),
    ]


def test_a_card_is_named_by_the_form_it_shows(tmp_path: Path, serve_console: ServeConsole) -> None:
    """Of GAMER only GAMERS is at stake: that is the card's word, and what the line says was voted in."""
    gamers = Family("GAMER", "borderline", make_family("GAMERS").candidates)
    with open_console_installation(tmp_path / "instance", [gamers, *families(3)]) as installation:
        page = open_queue(serve_console(installation))
        skip_to(page, "GAMERS")
        assert press(page, "j") == ["GAMERS"]
        expect(page.locator(".last")).to_have_text("GAMERS: in")


def test_some_forms(served: ServedConsole) -> None:
    """G opens toggles for the forms; a vote names the ticked ones, and is not taken while none is.

    A script in a gloss or in a note is shown and does nothing.
    """
    page = open_queue(served)
    skip_to(page, "BASH")
    expect(page.locator(".evidence q").first).to_contain_text("<script>document.title='struck'</script>")
    page.keyboard.press("n")
    page.get_by_role("textbox").fill("<img src=x onerror=\"document.title='struck'\">")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".note")).to_contain_text("<img src=x onerror")
    page.keyboard.press("g")
    expect(form(page, "BASH")).to_be_focused()
    page.keyboard.press("j")
    expect(page.locator(".last")).to_contain_text("Tick one form or more")
    page.keyboard.press("2")
    expect(form(page, "BASHED")).to_be_checked()
    page.keyboard.press("Space")
    expect(form(page, "BASH")).to_be_checked()
    press(page, "j")
    expect(page.locator(".last")).to_have_text("BASH: in, 2 forms only")
    wait_until_saved(page)
    assert [(ballot.family, ballot.vote, ballot.forms) for ballot in ballots(served)] == [
        ("BASH", "in", ("BASH", "BASHED"))
    ]
    assert page.title() == "Queue · ORDWS"
    assert page.locator("script:not([src])").count() == 0


def test_a_recusal_needs_a_confirmation(served: ServedConsole) -> None:
    """R asks before it recuses; after cancelling, the card is still there."""
    page = open_queue(served)
    base = head(page).inner_text()
    page.keyboard.press("r")
    page.get_by_role("button", name="Cancel").click()
    expect(head(page)).to_have_text(base)
    page.keyboard.press("r")
    page.keyboard.type("my cousin sells it")
    page.get_by_role("dialog").get_by_role("button", name="Recuse").click()
    expect(head(page)).not_to_have_text(base)
    wait_until_saved(page)
    with served.installation.state.reading() as ledger:
        assert [(done.actor, done.act) for done in ledger.acts([base])] == [
            ("ann", Recused(reason="my cousin sells it"))
        ]


def test_a_class_is_held(served: ServedConsole) -> None:
    """H asks what is wrong with a class that covers the family, and the card stays; without one it does nothing."""
    with served.installation.state.appending([]) as ledger:
        proposed = ClassProposed(pattern="RE- + verb", verdict="in", sample=("REBASH",))
        ledger.append_acts([(class_name("RE- + verb"), proposed)], "dan", served.installation.state.timestamp())
    page = open_queue(served)
    skip_to(page, "BASH")
    expect(button(page, "hold")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("h")
    expect(page.locator(".last")).to_have_text("No proposed class covers this family.")
    expect(page.get_by_role("dialog")).to_have_count(0)
    skip_to(page, "REBASH")
    page.keyboard.press("h")
    page.get_by_role("button", name="Hold", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("A reason is needed.")
    page.keyboard.type("not of jobs")
    page.get_by_role("dialog").get_by_role("button", name="Hold").click()
    expect(page.locator(".last")).to_have_text(f"Class {class_name('RE- + verb')} held")
    wait_until_saved(page)
    expect(head(page)).to_have_text("REBASH")
    with served.installation.state.reading() as ledger:
        assert [(done.actor, done.act) for done in ledger.acts([class_name("RE- + verb")])][1:] == [
            ("ann", ClassHeld(reason="not of jobs"))
        ]


@pytest.mark.long
def test_keys_are_remapped(served: ServedConsole) -> None:
    """Keys are stored for a member in their browser, and no two actions have the same."""
    page = open_queue(served)
    button(page, "keys").click()
    page.get_by_label("In", exact=True).fill("f")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_have_text("“F” is used twice.")
    page.get_by_label("In", exact=True).fill("l")
    page.get_by_role("button", name="Save").click()
    expect(button(page, "in").locator("kbd")).to_have_text("L")
    page.reload()
    base = head(page).inner_text()
    page.keyboard.press("j")
    expect(head(page)).to_have_text(base)
    press(page, "l")
    wait_until_saved(page)
    assert votes(served) == [(base, "in")]


def test_only_plain_keys_act(served: ServedConsole) -> None:
    """Keys with modifiers, capitals and held-down keys do nothing.

    With single keys switched off none acts, none is shown, and every action is a button (WCAG 2.1.4).
    """
    page = open_queue(served)
    base = head(page).inner_text()
    for keys in ("Control+j", "Alt+j", "Meta+j", "Shift+J", "Control+u"):
        page.keyboard.press(keys)
    expect(head(page)).to_have_text(base)
    page.keyboard.down("j")
    expect(head(page)).not_to_have_text(base)
    second = head(page).inner_text()
    page.keyboard.down("j")
    page.keyboard.up("j")
    expect(head(page)).to_have_text(second)
    button(page, "keys").click()
    page.get_by_label("Use single keys").uncheck()
    page.get_by_role("button", name="Save").click()
    for key in "jfdsrungh?":
        page.keyboard.press(key)
    expect(head(page)).to_have_text(second)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(button(page, "in").locator("kbd")).to_be_hidden()
    button(page, "in").click()
    expect(head(page)).not_to_have_text(second)
    wait_until_saved(page)
    assert votes(served) == [(base, "in"), (second, "in")]
