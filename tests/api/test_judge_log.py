"""Tests of the directors' log: times, tables and keyed hashes of questions, without words and verdicts."""

from __future__ import annotations

import json
import re
from contextlib import closing
from itertools import count

import pytest
from each_row import each_row
from leaks import find_leaks
from paired_devices import Director, make_director
from small_installation import NOON, WORDS, FakeClock, InProcessService, build_installation
from sweep_thread import wait_for_sweep

from ordws.api import device_records
from ordws.api.device_records import JudgeLog, LoggedQuestion
from ordws.guard.policy import Policy

DAY = 86_400
KEY = b"k" * 32
EMPTY = "/".join(["21"] * 21)
NUMBERS = count(1)


@pytest.fixture
def log(tmp_path):
    log = JudgeLog.create(tmp_path / "judge-log.db", KEY)
    yield log
    log.close()


@pytest.fixture(scope="module")
def installation(shared_installation):
    return shared_installation


@pytest.fixture(scope="module")
def running(installation):
    return InProcessService(installation.services(), installation.key, FakeClock())


@pytest.fixture
def club(running, installation):
    return make_director(running, installation, f"club {next(NUMBERS)}")


def entries(club):
    return club.get("/v1/devices/log").json["entries"]


def find(club, *words):
    return club.post("/v1/devices/log/find", {"words": [*words]}).json["entries"]


def test_a_word_is_logged_as_a_stable_keyed_hash(log):
    """A word's hash must be HMAC-SHA-256 by a key of purpose and client, cut to 16 hex digits, and sorted."""
    log.write(1, 1, "Table 3", ["QUIZ", "CAT"], NOON)
    log.write(2, 1, "Table 3", ["QUIZ"], NOON + 1)
    assert log.read(1) == (LoggedQuestion(1, NOON, "Table 3", 2, ("3581569f033308c7", "c91bb1185ad8e586")),)
    assert log.read(2) == (LoggedQuestion(2, NOON + 1, "Table 3", 1, ("9ba31744f4434eaf",)),)


def test_words_cannot_be_found_without_the_key(log, tmp_path):
    """Words cannot be tested against the file without its key."""
    log.write(1, 1, "Table 3", ["QUIZ"], NOON)
    other = JudgeLog(tmp_path / "judge-log.db", b"x" * 32)
    assert (len(log.read(1, words=["QUIZ"])), other.read(1, words=["QUIZ"])) == (1, ())
    other.close()


@pytest.mark.parametrize(
    ("words", "ids"), [(["CAT", "QUIZ"], [2, 1]), (["CAT"], [4]), (["CAT", "CAT"], [3]), (["QUIZ"], []), ([], [])]
)
def test_a_search_matches_exactly_the_set_of_words(log, words, ids):
    """A search must find the questions of exactly these words, in any order, and none with more or fewer."""
    for asked in (["QUIZ", "CAT"], ["CAT", "QUIZ"], ["CAT", "CAT"], ["CAT"], ["CAT", "QUIZ", "ZAX"]):
        log.write(1, 1, "t", asked, NOON)
    assert [entry.id for entry in log.read(1, words=words)] == ids


def test_the_log_is_read_page_by_page(log, monkeypatch):
    """A page must begin with the newest question, and an id leads to the questions before it."""
    monkeypatch.setattr(device_records, "PAGE_SIZE", 2)
    for moment in range(5):
        log.write(1, 1, "t", ["CAT"], NOON + moment)
    assert [entry.id for entry in log.read(1)] == [5, 4]
    assert [entry.id for entry in log.read(1, before=4)] == [3, 2]
    assert [entry.id for entry in log.read(1, before=2, words=["CAT"])] == [1]
    assert log.read(1, before=1) == ()


def test_entries_are_kept_for_400_days(log):
    """An entry must be deleted after 400 days to the second, and younger entries stay."""
    for moment in (NOON, NOON + 1):
        log.write(1, 1, "t", ["CAT"], moment)
    assert [log.sweep(NOON + 400 * DAY - 1), log.sweep(NOON + 400 * DAY)] == [0, 1]
    assert [entry.at for entry in log.read(1)] == [NOON + 1]


def test_the_hourly_sweep_deletes_old_entries(serve, installation, clock):
    """The hourly sweep must delete old entries of the log."""
    service = serve()
    service.services.housekeeping._last_sweep -= 3_600
    service.services.judge_log.write(1, 1, "t", ["CAT"], NOON - 400 * DAY)
    service.judge("CAT")
    wait_for_sweep()
    assert service.services.judge_log.read(1) == ()


def test_each_judged_question_is_logged(club):
    """Each judged question, of words or of a play, yes or no, must leave its time, table and number of words."""
    tablet = club.pairs("Table 3", log=True)
    tablet.judge("LOVERS", "quiz")
    tablet.judge("MISFEED", game="g")
    tablet.post("/v1/plays", {"position": EMPTY, "move": "11K CAT", "game": "g"})
    assert [(each["at"], each["table"], each["words"], len(each["hashes"])) for each in entries(club)] == [
        ("2026-11-21T12:00:00Z", "Table 3", 1, 1),
        ("2026-11-21T12:00:00Z", "Table 3", 1, 1),
        ("2026-11-21T12:00:00Z", "Table 3", 2, 2),
    ]
    assert all(re.fullmatch("[0-9a-f]{16}", each) for entry in entries(club) for each in entry["hashes"])
    assert all(set(entry) == {"at", "table", "words", "hashes"} for entry in entries(club))


def test_a_director_can_search_for_words_in_any_order_and_case(club):
    """A director must find the questions of words typed in any order and case."""
    tablet = club.pairs("Table 3", log=True)
    tablet.judge("LOVERS", "QUIZ")
    tablet.judge("MISFEED")
    assert find(club, "quiz", "lovers") == [entries(club)[1]]
    assert (find(club, "quiz"), find(club, "LOVERS", "QUIZ", "MISFEED")) == ([], [])
    assert find(club, "Misféed") == [entries(club)[0]]
    assert club.post("/v1/devices/log/find", {"words": ["C4T"]}).json["code"] == "bad-word"


def test_nothing_else_is_logged(club, running):
    """Scores, OSPD checks, devices without a log and questions with the key itself must leave no entry."""
    tablet, other = club.pairs("Table 3", log=True), club.pairs("Table 4")
    tablet.post("/v1/score", {"position": EMPTY, "move": "11K CAT"})
    tablet.post("/v1/ospd", {"words": ["CAT"]})
    tablet.judge("C4T")
    tablet.post("/v1/plays", {"position": EMPTY, "move": "1A CAT"})
    for number in range(21):
        other.judge(f"{chr(65 + number)}QQ")
        running.judge(f"{chr(65 + number)}QQ", key=club.key, player="ann")
    assert entries(club) == []


def test_a_refused_question_is_not_logged(club):
    """A refused question was not judged, and must leave no entry."""
    tablet = club.pairs("Table 3", log=True)
    statuses = [tablet.judge(f"{chr(65 + number)}QQ").status_code for number in range(21)]
    assert statuses == [200] * 20 + [429]
    assert len(entries(club)) == 20


def test_a_director_reads_the_log_of_their_own_club_alone(club, running, installation):
    """The same words in another club must have other hashes, and must not be found from this club."""
    other = make_director(running, installation, f"club {next(NUMBERS)}")
    for each in (club, other):
        each.pairs("Table 3", log=True).judge("LOVERS")
    (mine,), (theirs,) = entries(club), entries(other)
    assert mine["hashes"] != theirs["hashes"]
    assert find(club, "LOVERS") == [mine]


def test_a_full_page_has_the_cursor_of_the_next(club, monkeypatch):
    """A full page must name the cursor of the page before it."""
    monkeypatch.setattr(device_records, "PAGE_SIZE", 2)
    monkeypatch.setattr("ordws.api.devices.PAGE_SIZE", 2)
    tablet = club.pairs("Table 3", log=True)
    for words in (["CAT"], ["CAT", "TILE"], ["CAT", "TILE", "WORD"]):
        tablet.judge(*words)
    page = club.get("/v1/devices/log").json
    assert [entry["words"] for entry in page["entries"]] == [3, 2]
    last = club.get(f"/v1/devices/log?before={page['before']}").json
    assert ([entry["words"] for entry in last["entries"]], last["before"]) == ([1], None)
    for _ in range(2):
        tablet.judge("TILE")
    found = club.post("/v1/devices/log/find", {"words": ["TILE"]}).json
    rest = club.post("/v1/devices/log/find", {"words": ["TILE"], "before": found["before"]}).json
    assert [len(page["entries"]) for page in (found, rest)] == [2, 0]
    for before in ("x", "-1", "", "1" * 19):
        assert club.get(f"/v1/devices/log?before={before}").status_code == 400


def test_a_failure_to_log_does_not_prevent_the_answer(serve, installation, caplog):
    """A question that cannot be logged must be answered, as it was charged; the warning names no word and no table."""
    tablet = make_director(serve(), installation, f"club {next(NUMBERS)}").pairs("Table 3", log=True)
    path = installation.instance.judge_log
    path.rename(path.with_suffix(".away"))
    for reply in (tablet.judge("LOVERS"), tablet.post("/v1/plays", {"position": EMPTY, "move": "11K CAT"})):
        assert (reply.status_code, reply.json["valid"]) == (200, True)
    path.with_suffix(".away").rename(path)
    assert tablet.judge("LOVERS").status_code == 200
    assert tablet.left()["units"] == 355
    missing = '"judge-log.db" does not answer: No such file or directory'
    assert caplog.messages == [f"a question was judged but not written to the directors' log: {missing}"] * 2


def test_questions_with_a_test_key_are_not_logged(serve, installation):
    """Questions with a test key must leave no entry."""
    service = serve()
    key = installation.register.add("toy", "operator", 0, test=True)
    club = Director(service, key)
    tablet = club.pairs("Table 3", log=True)
    assert tablet.judge("STAINER").data == b'{"valid":true }'
    assert entries(club) == []


def test_repeats_leave_room_for_new_words(log):
    """Of questions without a new word 200 a device and UTC day are logged, through all processes together.

    Combinations of words that were asked are no new questions. Questions with a new word are logged regardless.
    """
    with closing(JudgeLog(log._database.path, KEY)) as other:
        for words in (["AA"], ["AB"], ["AC", "AD"]):
            log.write(1, 1, "t", words, NOON)
        repeats = [["AA"], ["AA", "AB"], ["AD", "AA", "AC"], ["AB", "AB"]]
        for number in range(300):
            (log, other)[number % 2].write(1, 1, "t", repeats[number % 4], NOON)
        assert rows(log) == 203
        log.write(1, 1, "new", ["AA", "AE"], NOON)
        log.write(1, 2, "other", ["AA"], NOON)
        log.write(1, 1, "t", ["AE"], NOON + DAY // 2 - 1)
        assert [entry.table for entry in log.read(1)[:2]] == ["other", "new"]
        assert rows(log) == 205
    assert log.sweep(NOON + DAY) == 0
    log.write(1, 1, "t", ["AA"], NOON + DAY)
    assert rows(log) == 206


def test_new_words_have_a_limit_too(log, monkeypatch):
    """With budgets that a keeper raised, the file must stay bounded as well."""
    monkeypatch.setattr(device_records, "MAX_NEW_PER_DAY", 2)
    for word in ("AA", "AB", "AC"):
        log.write(1, 1, "t", [word], NOON)
    assert rows(log) == 2


def test_the_default_budgets_stay_below_the_limit():
    """The words that cost something, and all pairs of letters, must not reach the limit of entries."""
    policy = Policy()
    core = policy.games_a_day * policy.core_a_game + policy.core_outside_a_day
    assert core + policy.units_a_day + 26**2 < device_records.MAX_NEW_PER_DAY


def rows(log):
    with log._database as db:
        return db.execute("select count(*) from entries").fetchone()[0]


def test_a_device_beyond_its_log_limit_still_gets_verdicts(club, monkeypatch):
    """A device beyond its limit must still get verdicts, for words of two letters cost nothing and may be many."""
    monkeypatch.setattr(device_records, "MAX_REPEATS_PER_DAY", 1)
    tablet = club.pairs("Table 3", log=True)
    assert [tablet.judge("AA").status_code for _ in range(3)] == [200] * 3
    assert len(entries(club)) == 2


def test_reading_the_log_does_not_block_writing(log):
    """While a page of the log is read, questions must still be logged."""
    log.write(1, 1, "t", ["AA"], NOON)
    with log._reader as db:
        reading = db.execute("select id from entries")
        assert reading.fetchone() == (1,)
        log.write(1, 1, "t", ["AA"], NOON)
    assert len(log.read(1)) == 2


def test_a_sweep_lets_entries_be_written_between_batches(log, monkeypatch):
    """Between two batches of a sweep, questions must still be logged."""
    monkeypatch.setattr(JudgeLog, "SWEEPS", tuple([each.replace("1000", "2") for each in JudgeLog.SWEEPS]))
    for _ in range(5):
        log.write(1, 1, "t", ["AA"], NOON)
    parts = []
    with log._database as db:
        db.set_trace_callback(parts.append)
    assert log.sweep(NOON + 400 * DAY) == 5
    assert len([part for part in parts if part.startswith("delete from entries")]) == 4


@each_row(
    ("statement", "values", "index"),
    [
        (
            f"{device_records._SELECT_ENTRIES} order by id desc limit 100",
            (1, 9),
            "entries_by_client (client=? AND id<?)",
        ),
        (
            f"{device_records._SELECT_ENTRIES} and hashes = ? order by id desc limit 100",
            (1, 9, "x"),
            "entries_by_words (client=? AND hashes=? AND id<?)",
        ),
        (JudgeLog.SWEEPS[0], (9,), "entries_by_at (at<?)"),
    ],
)
def test_every_query_of_the_log_uses_an_index(log, statement, values, index):
    """Reading, finding and sweeping must each use an index."""
    with log._database as db:
        plan = [row[3] for row in db.execute(f"explain query plan {statement}", values)]
    assert any(step.endswith(index) for step in plan)
    assert not any(step.startswith("SCAN") or "TEMP B-TREE" in step for step in plan)


def test_no_word_is_readable_in_the_file(serve, installation):
    """No word that was asked may be in the file or beside it, in any encoding."""
    tablet = make_director(serve(), installation, f"club {next(NUMBERS)}").pairs("Table 3", log=True)
    tablet.judge("LOVERS", "MISFEED")
    tablet.post("/v1/plays", {"position": EMPTY, "move": "11K REHEAT"})
    files = [path.read_bytes() for path in installation.instance.root.glob("judge-log.db*")]
    assert sum(data.count(b"Table 3") for data in files) >= 2
    assert [find_leaks(data, ["LOVERS", "MISFEED", "REHEAT"]) for data in files] == [set()] * len(files)
    assert installation.instance.judge_log.stat().st_mode & 0o777 == 0o600


def test_the_log_is_independent_of_verdicts(tmp_path):
    """Two editions that agree on no word asked must leave the same log, byte for byte."""
    told = []
    for name, words in (("yes", (*WORDS, "MISFEED")), ("no", ("ZAX",))):
        with build_installation(tmp_path / name) as installation:
            installation.deliver(*words, number=2)
            club = make_director(InProcessService(installation.services(), installation.key, FakeClock()), installation)
            tablet = club.pairs("Table 3", log=True)
            verdicts = [tablet.judge(word, game="g").json["valid"] for word in ("LOVERS", "MISFEED", "QUIZ")]
            told.append((verdicts, json.dumps(entries(club))))
    (yes, one), (no, other) = told
    assert (yes, no, one == other) == ([True] * 3, [False] * 3, True)
