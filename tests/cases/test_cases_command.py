"""`ordws cases`: a case from a flag to the register and out of it again, at the keyboard."""

from __future__ import annotations

import hashlib
import json
from contextlib import closing
from types import SimpleNamespace

import pytest
from case_steps import NOON, OTHERS, PANEL
from click.testing import CliRunner
from test_review_pages import GCG

from ordws.atomic_files import SECRET_MODE, write_atomically
from ordws.cases.letters import read_rate
from ordws.cases.store import open_case_files
from ordws.cli import ordws
from ordws.cli.cases import keeper as keeper_module
from ordws.console.accounts import make_accounts
from ordws.errors import BadInput, Missing, OrdwsError
from ordws.fairplay.flags import CountAtThreshold, FalseFlagCounts, Flag, RaisedFlag, rate_in_words
from ordws.fairplay.forms import DEFAULT_FORMS, HonestForms, write_forms
from ordws.fairplay.store import FairPlayStore, SeatNumbers, TurnNumbers
from ordws.instance import Instance
from ordws.referee.results import GameResult
from ordws.referee.stores.sqlite import SqliteResultStore
from ordws.row_cipher import RowCipher
from ordws.tournament import commands as event_commands
from ordws.tournament.commands import Enter
from ordws.tournament.facts import CheckedIn, Created, EventPairing, Published
from ordws.tournament.personal_data import event_pseudonym, person_pseudonym
from ordws.tournament.store import EventFile
from ordws.typed_codes import read_code

URL = "https://fair.example.org"
BANDS = {"choices": 4, "word-checks": 0, "times": 0, "quitting": 0}
FORMS = HonestForms(DEFAULT_FORMS.parameters, calibrated=True)
COUNTS = FalseFlagCounts(FORMS.version, 1, 480, (CountAtThreshold(11.7, 2, 200_000, 3.15e-05),))
TURN = TurnNumbers((-900,) * FORMS.count, True, 1, 0, False, False, 20_000)


class Keyboard:
    """A keeper at the commands of an installation, with a clock that a test moves."""

    def __init__(self, root):
        self.instance, self.now = Instance(root / "inst"), NOON

    def __call__(self, *arguments, text=""):
        """Run a command and return what it prints; raise the error that it would report."""
        line = arguments if arguments[0] == "accounts" else ["cases", *arguments]
        done = CliRunner().invoke(ordws, ["--instance", str(self.instance.root), *line], input=text)
        if isinstance(done.exception, OrdwsError):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done.stdout

    def rows(self, *arguments):
        return [json.loads(line) for line in self(*arguments, "--json").splitlines()]

    def wait(self, days):
        self.now += days * 86_400

    def held(self, event="open"):
        with closing(EventFile.open(self.instance.tournament(event))) as event:
            return {entrant.name: sorted(entrant.cases) for entrant in event.state.entrants.values()}

    def register(self):
        return json.loads(self.instance.register.read_bytes())


@pytest.fixture
def keyboard(tmp_path, monkeypatch):
    """An installation with an event, six reviewers and a calibrated flag on Finch."""
    keyboard = Keyboard(tmp_path)
    monkeypatch.setattr(keeper_module, "time", SimpleNamespace(time=lambda: keyboard.now))
    instance = keyboard.instance
    instance.make_folders()
    instance.tournaments.mkdir()
    begin = Created(name="Open", rules="scrabble-i", rounds=3, seed=7)
    with closing(EventFile.create(instance.tournament("open"), begin, actor="Dan", now=NOON)) as event:
        event.apply(Enter(name="Wren"), Enter(name="Finch"), actor="Dan", now=NOON)
    write_atomically(instance.fairplay_forms, write_forms(FORMS).encode())
    write_atomically(instance.fairplay_false_flags, COUNTS.to_text().encode())
    write_atomically(instance.fairplay_key, bytes(32), SECRET_MODE)
    with closing(FairPlayStore.create(instance.fairplay, bytes(32))) as store:
        for game, days in (("g1", 9), ("g2", 3)):
            seat = SeatNumbers("club/7", game, 0, NOON - days * 86_400, FORMS.version, False, False, 0.3, (TURN,) * 12)
            store.keep_game(game, seat.ended, [seat])
        flag = Flag(0, "club/7", "choices", 120, 2, 21.5, 12.0, True, BANDS, NOON - 60, FORMS.version)
        store.keep_look("club/7", "choices", 120, NOON - 60, flag)
    with closing(make_accounts(instance.reviewers, instance.reviewers_key)) as accounts:
        for name in (*PANEL, "Ruth", *OTHERS):
            accounts.add_member(name, "reviewer", NOON)
        accounts.add_member("Kay", "keeper", NOON)
    return keyboard


def hear(keyboard, case, *findings, panel=PANEL):
    for reviewer, finding in zip(panel, findings, strict=True):
        keyboard("opinion", case, reviewer, finding, "--text", f"{reviewer} has looked at it.")


def notify(keyboard, case):
    return keyboard("notice", case, "--url", URL, "--contact", "Kay, kay@example.org", "--by", "Kay")


def establish_on(keyboard, case):
    """Let two of the first three, who are drawn by lot, and Ruth hold the pattern established; return the panel."""
    keyboard("assign", case, "Ruth")
    (shown,) = keyboard.rows("show", case)
    hear(keyboard, case, *["established"] * 3, panel=shown["panel"])
    return shown["panel"]


def test_a_case_at_the_keyboard(keyboard, tmp_path):
    (flag,) = keyboard.rows("flags")
    assert (flag["player"], flag["kind"], flag["calibrated"]) == ("club/7", "choices", True)
    case = keyboard("open", "1", "--pseudonym", "Finch", "--hold", "open", "Finch", "--by", "Kay").strip()
    assert keyboard.rows("flags") == []
    (tmp_path / "game.gcg").write_bytes(GCG)
    keyboard("record", case, str(tmp_path / "game.gcg"), "--player", "finch")
    with pytest.raises(BadInput, match="is a keeper"):
        keyboard("assign", case, "Kay", "Rob", "Rose")
    with pytest.raises(Missing, match='nobody called "Nobody" is known'):
        keyboard("assign", case, "Nobody", "Rob", "Rose")
    keyboard("accounts", "add", "Tom", "--of", "cases")
    with pytest.raises(BadInput, match='"tom" is invited, and has not used the link'):
        keyboard("assign", case, "tom", "Rob", "Rose")
    keyboard("assign", case, *PANEL)
    hear(keyboard, case, "case-to-answer", "no-case-to-answer", "case-to-answer")
    assert keyboard.held() == {"Wren": [], "Finch": []}, "nothing tells the player before the notice"
    letter = notify(keyboard, case)
    code = next(found for line in letter.splitlines() if (found := read_code(line.strip())))
    assert "https://fair.example.org/answer" in letter
    assert keyboard.held() == {"Wren": [], "Finch": [case]}
    with closing(open_case_files(keyboard.instance)) as files:
        assert files.find_by_code(code).case == case
    assert code not in keyboard("show", case, "--texts")
    keyboard("answer", case, "--file", "-", text="My aunt\x1b[1A is a lexicographer.\n    9  Rose: established\n")
    shown = keyboard("show", case, "--texts")
    assert "My aunt\ufffd[1A is a lexicographer.\n             9  Rose: established" in shown
    panel = establish_on(keyboard, case)
    assert (len(set(panel) & set(PANEL)), panel[2]) == (2, "Ruth")
    with pytest.raises(BadInput, match="what the answer changed"):
        keyboard("decide", case, "established", "--text", "The answer explains nothing.", "--by", "Kay")
    keyboard("decide", case, "established", "--text", "By choices.", "--changed", "It explains nothing.", "--by", "Kay")
    with pytest.raises(BadInput, match="the time to appeal runs until"):
        keyboard("publish", case)
    keyboard.wait(31)
    assert [row["case"] for row in keyboard.rows("list", "--due")] == [case]
    keyboard("publish", case, "--by", "Kay")
    assert [entry["pseudonym"] for entry in keyboard.register()["entries"]] == ["Finch"]
    assert keyboard.held()["Finch"] == [case]
    check_appeal(keyboard, case)


def check_appeal(keyboard, case):
    """Uphold a late appeal: the entry is struck, the prize let go, and both are counted."""
    keyboard("appeal", case, "--late", "--text", "My brother has played.", "--by", "Kay")
    keyboard("assign", case, *OTHERS)
    hear(keyboard, case, "established", "not-established", "established", panel=OTHERS)
    doubt = ("--text", "It may have been the brother.", "--changed", "It raises a doubt.")
    keyboard("decide", case, "not-established", *doubt, "--by", "Kay")
    assert keyboard.register()["entries"] == []
    assert keyboard.held()["Finch"] == []
    (counts,) = keyboard.register()["years"]
    assert (counts["published"], counts["appeals"], counts["overturned"], counts["struck"]) == (1, 1, 1, 1)
    (shown,) = keyboard.rows("show", case)
    assert shown["ending"] == "overturned"
    assert {step["actor"] for step in shown["steps"] if step["step"] in ("opened", "decided", "appealed")} == {"Kay"}
    head = keyboard("verify").strip()
    assert keyboard.register()["head"] == head
    assert keyboard("verify", "--head", head).strip() == head


def test_opinions_are_listed_without_what_they_say_until_all_three_are_in(keyboard):
    case = keyboard("open", "1", "--pseudonym", "Finch").strip()
    keyboard("assign", case, *PANEL)
    hear(keyboard, case, "case-to-answer", "no-case-to-answer", panel=PANEL[:2])
    shown = keyboard("show", case, "--texts") + keyboard("show", case, "--texts", "--json")
    assert "has looked" not in shown
    assert "case-to-answer" not in shown
    keyboard("opinion", case, PANEL[2], "no-case-to-answer", "--text", "Rose has looked at it.")
    assert "Rose has looked at it." in keyboard("show", case, "--texts")
    assert keyboard.rows("list")[0]["ending"] == "dismissed"


def test_an_event_that_cannot_be_read_keeps_nobody_from_opening_a_case(keyboard):
    keyboard.instance.tournament("broken").write_bytes(b"no event")
    case = keyboard("open", "1", "--pseudonym", "Finch", "--hold", "open", "Finch").strip()
    assert "prize-held" in [step["step"] for step in keyboard.rows("show", case)[0]["steps"]]


@pytest.mark.parametrize("is_member", [False, True])
def test_the_prizes_of_on_line_events_wait_by_themselves(keyboard, is_member):
    """A case finds its player in the event that named them, or by the member number in all of the last 400 days."""
    key, instance = bytes(range(32)), keyboard.instance
    write_atomically(instance.players_key, key, SECRET_MODE)
    player = person_pseudonym(key, "F-9", "Finch")
    for name, days in (("spring", 300), ("old", 401), ("open", 2)):
        begin, then = Created(name=name, rules="scrabble-i", rounds=3, seed=7), NOON - days * 86_400
        path = instance.tournament(name)
        path.unlink(missing_ok=True)
        with closing(EventFile.create(path, begin, actor="Dan", now=then)) as event:
            finch = Enter(name="Finch", member="F-9" if is_member else "")
            present = [CheckedIn(entrant=number) for number in (1, 2)]
            drawn = Published(round=1, pairings=(EventPairing(1, 1, 2),))
            event.apply(Enter(name="Wren"), finch, *present, drawn, actor="Dan", now=then)
            if not is_member:
                player = event_pseudonym(event.facts[0].command, 2)
    player = f"club/{player}"
    with closing(FairPlayStore(keyboard.instance.fairplay, bytes(32))) as store:
        seat = SeatNumbers(player, "g3", 1, NOON - 86_400, FORMS.version, False, False, 0.3, (TURN,) * 12)
        store.keep_game("g3", seat.ended, [seat])
        flag = Flag(0, player, "choices", 120, 2, 21.5, 12.0, True, BANDS, NOON - 30, FORMS.version)
        store.keep_look(player, "choices", 120, NOON - 30, flag)
    case = keyboard("open", "2", "--pseudonym", "Finch").strip()
    keyboard("assign", case, *PANEL)
    hear(keyboard, case, *["case-to-answer"] * 3)
    notify(keyboard, case)
    assert keyboard.held() == {"Wren": [], "Finch": [case]}
    assert keyboard.held("spring") == {"Wren": [], "Finch": [case] * is_member}
    assert keyboard.held("old") == {"Wren": [], "Finch": []}


def noticeable(keyboard, tmp_path):
    """Open a case with a record in which two of three see a case to answer."""
    case = keyboard("open", "1", "--pseudonym", "Finch", "--hold", "open", "Finch").strip()
    (tmp_path / "game.gcg").write_bytes(GCG)
    keyboard("record", case, str(tmp_path / "game.gcg"), "--player", "finch")
    keyboard("assign", case, *PANEL)
    hear(keyboard, case, "case-to-answer", "no-case-to-answer", "case-to-answer")
    return case


def test_the_letter_says_what_was_decided_and_what_can_follow(keyboard, tmp_path):
    """Only the question was answered; the player reads of the records, the rate, the consequences and a contact."""
    letter = notify(keyboard, noticeable(keyboard, tmp_path))
    for sentence in (
        "Two of the three say yes.",
        "nobody has been asked yet whether the pattern is established",
        "game 1: 3 lines, player 66, opponent 33",
        "Of 200,000 simulated honest players 2 were flagged within 480 turns, so that at most 1 in 31,746 would be",
        "none sees more in the long run than the strongest",
        'the name "Finch" is entered in the public register',
        "An entry has no end of its own. It is looked at again every 3 years",
        "Prizes of yours wait from today",
        "of these events: open.",
        "Kay, kay@example.org",
    ):
        assert sentence in letter.replace("\n", " "), sentence
    assert "established beyond" not in letter.partition("What you can do")[0]
    assert read_rate(letter).startswith("Of 200,000 simulated"), "reviewers read this part of it"
    assert "Finch" not in read_rate(letter)


def test_no_notice_goes_out_without_a_rate_or_a_page(keyboard, tmp_path):
    """The figures of other forms, or none, hold for nobody; a page on this machine is none for the player."""
    case, instance = noticeable(keyboard, tmp_path), keyboard.instance
    for url in ("http://localhost:8011", "http://127.0.0.1"):
        with pytest.raises(BadInput, match="is on this machine alone"):
            keyboard("notice", case, "--url", url, "--contact", "Kay")
    with pytest.raises(BadInput, match="somebody whom the player may ask"):
        keyboard("notice", case, "--url", URL, "--contact", " ")
    late = COUNTS._replace(turns=100)
    high = COUNTS._replace(thresholds=(CountAtThreshold(14.0, 0, 300_000, 1e-05),))
    for counts, match in (
        (COUNTS._replace(forms="other"), "were not simulated"),
        (late, "simulated up to 100 turns, and this flag was raised at 120"),
        (high, "at a threshold as low as 12.00"),
    ):
        write_atomically(instance.fairplay_false_flags, counts.to_text().encode())
        with pytest.raises(BadInput, match=match):
            notify(keyboard, case)
    write_atomically(instance.fairplay_false_flags, COUNTS.to_text().encode())
    write_atomically(instance.fairplay_forms, write_forms(DEFAULT_FORMS).encode())
    with pytest.raises(BadInput, match="honest forms that are not in force"):
        notify(keyboard, case)
    assert keyboard.rows("list")[0]["phase"] == "notice-due"
    assert keyboard.held() == {"Wren": [], "Finch": []}


def test_the_rate_of_the_test_of_quitting_is_computed():
    """It needs no simulation: e to the 11.7 looks at honest players for one false flag, whatever the forms."""
    flag = RaisedFlag("quitting", "", 960, 11.7)
    assert "at most 1 honest player in 120,571 is flagged" in rate_in_words(flag, [], "any")
    with pytest.raises(BadInput, match="of an older version"):
        rate_in_words(flag._replace(threshold=0.0), [], "any")


def test_a_dropped_case_goes_no_further(keyboard):
    """A case that should not have been opened is closed for its reasons, and nobody gives an opinion on it."""
    case = keyboard("open", "1", "--pseudonym", "Finch").strip()
    keyboard("drop", case, "--text", "The honest forms are not calibrated.")
    (shown,) = keyboard.rows("show", case)
    assert shown["ending"] == "dropped"
    with pytest.raises(BadInput):
        keyboard("assign", case, *PANEL)


def test_another_flag_is_needed_for_another_case(keyboard):
    keyboard("open", "1", "--pseudonym", "Finch")
    with pytest.raises(Missing, match="no flag 1 without a case"):
        keyboard("open", "1", "--pseudonym", "Finch")


def test_the_record_has_to_be_that_of_its_game(keyboard, tmp_path):
    case = keyboard("open", "1", "--pseudonym", "Finch").strip()
    instance, game = keyboard.instance, "f" * 32
    write_atomically(instance.games_key, bytes(32), SECRET_MODE)
    (tmp_path / "game.gcg").write_bytes(GCG)
    (tmp_path / "other.gcg").write_bytes(GCG.replace(b"STAINER", b"RETAINS"))
    digest = hashlib.sha256(GCG).hexdigest()
    result = GameResult(game, 9, "ORDWS 2026", 0, 1, "scrabble-i", {}, "out", (0,), digest, ())
    with closing(SqliteResultStore.create(instance.results)) as store:
        store.keep(game, NOON, RowCipher(bytes(32), "results").encrypt(game, 0, json.dumps(result).encode()))
    with pytest.raises(BadInput, match="not the record of that game"):
        keyboard("record", case, str(tmp_path / "other.gcg"), "--player", "finch", "--game", game)
    with pytest.raises(Missing, match="no result of a game"):
        keyboard("record", case, str(tmp_path / "game.gcg"), "--player", "finch", "--game", "e" * 32)
    keyboard("record", case, str(tmp_path / "game.gcg"), "--player", "finch", "--game", game)
    assert [step["exhibit"] for step in keyboard.rows("show", case)[0]["steps"][1:]] == ["figures", "record"]


def establish(keyboard):
    """Take the flag on Finch to a decision that is final, the player not answering, and return the case."""
    case = keyboard("open", "1", "--pseudonym", "Finch", "--hold", "open", "Finch").strip()
    keyboard("assign", case, *PANEL)
    hear(keyboard, case, *["case-to-answer"] * 3)
    notify(keyboard, case)
    keyboard.wait(15)
    establish_on(keyboard, case)
    keyboard("decide", case, "established", "--text", "For these reasons.")
    keyboard.wait(31)
    return case


def mark_in_event(keyboard):
    """Mark Finch as under age in the event, as a director does."""
    with closing(EventFile.open(keyboard.instance.tournament("open"))) as event:
        event.apply(event_commands.Rename(entrant=2, name="Finch", minor=True), actor="Dan", now=keyboard.now)


def test_a_keeper_withdraws_the_entry_of_somebody_under_age(keyboard):
    case = establish(keyboard)
    keyboard("publish", case)
    keyboard("minor", case, "--text", "The club has shown the date of birth.", "--by", "Kim")
    assert keyboard.register()["entries"] == []
    (shown,) = keyboard.rows("show", case, "--texts")
    assert (shown["ending"], shown["minor"]) == ("under-age", True)
    last = shown["steps"][-1]
    assert (last["step"], last["actor"]) == ("marked-under-age", "Kim")
    assert (last["reasons"], last["withdraws_entry"]) == ("The club has shown the date of birth.", True)


def test_who_is_marked_in_an_event_after_the_publication_is_withdrawn_by_the_timer(keyboard):
    case = establish(keyboard)
    keyboard("publish", case)
    mark_in_event(keyboard)
    keyboard("update")
    assert keyboard.register()["entries"] == []
    (shown,) = keyboard.rows("show", case, "--texts")
    assert shown["steps"][-1]["reasons"] == 'The entrant is under age in "open".'
    keyboard("update")
    assert len(keyboard.rows("show", case)[0]["steps"]) == len(shown["steps"])


def test_who_is_marked_in_an_event_before_the_publication_is_never_published(keyboard):
    case = establish(keyboard)
    mark_in_event(keyboard)
    with pytest.raises(BadInput, match="is under age, and is not named"):
        keyboard("publish", case)
    assert keyboard.register()["entries"] == []
    assert keyboard.register()["years"][0]["published"] == 0


def test_update_takes_overdue_entries_out_of_the_register(keyboard):
    case = establish(keyboard)
    keyboard("publish", case)
    keyboard.wait(3 * 366)
    keyboard("update")
    assert keyboard.register()["entries"] == []
    keyboard("review", case, "--note", "Three years without another case.")
    assert keyboard.register()["entries"][0]["note"] == "Three years without another case."
    keyboard("strike", case, "--text", "A fault of the program was found.")
    assert keyboard.register()["entries"] == []


def test_accounts_of_reviewers(keyboard):
    def accounts(verb, *arguments):
        return keyboard("accounts", verb, *arguments, "--of", "cases")

    link = accounts("add", "Tom", "--url", "https://fair.example.org").strip()
    assert link.startswith("https://fair.example.org/invitation/")
    assert accounts("invite", "Tom").strip().startswith("http://localhost:8011/invitation/")
    rows = [json.loads(line) for line in accounts("list", "--json").splitlines()]
    assert {row["name"]: row["role"] for row in rows} == {
        **dict.fromkeys((*PANEL, "Ruth", *OTHERS, "Tom"), "reviewer"),
        "Kay": "keeper",
    }
    for verb in ("sign-out", "unlock", "end"):
        accounts(verb, "Rita")
    assert "ended" in accounts("list")
