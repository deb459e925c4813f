"""Checks by the players' reference, the list that answers for the OSPD, and rulings at home; never by the word set.

A check outside sealed games reads that list and nothing else. It is public, or the installation's own; then its words
have a budget of their own (docs/guard.md Decision 13). A ruling at home goes by a player's own dictionary too;
the rules are in docs/rules.md 6.3, 6.7.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from ordws.api import replies
from ordws.api.problems import Problem, budget_spent
from ordws.api.replies import Reply
from ordws.api.requests import (
    MAX_WORDS,
    OPTIONS,
    OptionValue,
    PlayerField,
    RulesField,
    WordField,
    bad_request,
    check_printable,
    describe_value,
)
from ordws.api.services import Services
from ordws.api.words import find_editions, fold_all, fold_field, identity_of, rule_set, rule_set_with_options
from ordws.guard.charge import Admitted, Identity, Question, Refused
from ordws.homeplay.book import LookupKind, PlayerAnswers
from ordws.homeplay.decide import decide_word
from ordws.homeplay.word_check import Consequence, LookupRequest
from ordws.identity.register import RegisteredClient
from ordws.lexicon.edition import Edition
from ordws.rules.challenges import dover_deduction
from ordws.rules.ruleset import DEFAULT_RULES_ID, CheckOspd


class CheckWords(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Words of a rejected play to find in the players' reference; under a rule set, also the points to deduct."""

    words: Annotated[
        list[WordField],
        Meta(
            min_length=1,
            max_length=MAX_WORDS,
            description="Under Dover's form the single word in question, as its tiles: lower case letters are blanks.",
        ),
    ]
    rules: Annotated[RulesField | None, Meta(description="The rule set that decides the deduction.")] = None
    score: (
        Annotated[
            int, Meta(ge=0, le=100_000, description="What the play would have scored, which the official form deducts.")
        ]
        | None
    ) = None
    player: PlayerField | None = None

    def __post_init__(self) -> None:
        check_printable(self.player)


class Found(Struct, frozen=True):
    """The result of a check: whether all words are in the players' reference, and the points that are deducted.

    The points are given only where a rule set, or the score of the play, was sent.
    """

    found: bool
    deduct: int | UnsetType = UNSET


def check_ospd(services: Services, client: RegisteredClient, request: CheckWords, now: int) -> Reply:
    """Check whether all words are in the players' reference; the word set is not consulted.

    The words count as core words; where the service has a list of its own, against `reference_a_day` instead. The
    official form needs `score`, and Dover's form exactly one word.
    """
    words = fold_all(request.words)
    deduction = _deduction(request, words)
    found = find_in_reference(services, identity_of(client, request.player), words, now)
    # Padded with spaces, which JSON allows, so that both results have the same length.
    body = f'{{"found":{"true " if found else "false"}'
    if deduction is not None:
        body += f',"deduct":{0 if found else deduction:<{len(str(deduction))}}'
    return Reply(f"{body}}}".encode())


def find_in_reference(services: Services, identity: Identity, words: Sequence[str], now: int) -> bool:
    """Charge for a check of folded words, and return whether the players' reference has all of them.

    Raises a Problem where a budget is spent.
    """
    edition = services.editions.current
    admitted = charge_reference(services, identity, edition, words, now)
    charged_under = find_editions(services, admitted.editions)
    # Every word is looked up, whatever the first yield.
    found = [word in charged_under.get(word, edition).reference for word in words]
    return all(found)


def charge_reference(
    services: Services, identity: Identity, edition: Edition, words: Sequence[str], now: int
) -> Admitted:
    """Charge for a look at folded words in the players' reference; raise a Problem where a budget is spent."""
    question = Question(tuple(words), edition.number, is_check=True, is_own_list=edition.has_own_reference)
    outcome = services.gate.admit(identity, question, edition.core, now)
    if isinstance(outcome, Refused):
        raise budget_spent(outcome)
    return outcome


def _deduction(request: CheckWords, words: Sequence[str]) -> int | None:
    """Return the points deducted where a word is not found, or None if not asked for (docs/rules.md 6.4, 6.5)."""
    if request.rules is None and request.score is None:
        return None
    rules = rule_set(request.rules or DEFAULT_RULES_ID)
    match rules.check_ospd:
        case CheckOspd.NONE:
            raise Problem("check-not-allowed", f"there is no check of the OSPD under {rules.id}")
        case CheckOspd.OFFICIAL if request.score is None:
            raise bad_request(f'"score": missing, expected the would-be score, which {rules.id} deducts')
        case CheckOspd.OFFICIAL:
            return request.score
        case CheckOspd.DOVER if len(words) != 1:
            raise bad_request(f'"words": got {describe_value([*words])}, expected the one in question')
        case CheckOspd.DOVER:
            # Folding would turn blanks, which are lower case, into letters with a value.
            tiles = request.words[0] if request.words[0].isascii() else words[0]
            return dover_deduction([tiles.encode("ascii")], tiles.upper())


class CheckAtHome(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A word of a game at home, and the player's findings in their own dictionary."""

    word: WordField
    base_in_dictionary: Annotated[WordField | None, Meta(description="The base that is in the dictionary.")] = None
    word_in_dictionary: Annotated[
        bool | None, Meta(description="Whether the word itself is there; assumed false where a base is named.")
    ] = None
    base_has_main_entry: Annotated[
        bool | None,
        Meta(description="Under dover, with the electronic edition: whether the base has a main entry of its own."),
    ] = None
    labelled_offensive: Annotated[
        bool | None,
        Meta(
            description="Whether the dictionary labels the base, or the word that it has, offensive or vulgar in every"
            " sense; asked where `offensive=disallowed`, as under dover."
        ),
    ] = None
    not_in_dictionary: Annotated[
        list[WordField], Meta(max_length=16, description="Other words that were looked up and are not there.")
    ] = []
    rules: RulesField = DEFAULT_RULES_ID
    options: Annotated[dict[str, OptionValue], OPTIONS] | None = None
    edition: Annotated[Literal["print", "electronic"], Meta(description="The form of the dictionary.")] = "print"
    by_exclusion: Annotated[
        bool, Meta(description="Without a dictionary: all words of the OSPD, except for short lists.")
    ] = False
    player: Annotated[
        PlayerField | None,
        Meta(description="Where the service has its own players' reference, and an operator's key asks."),
    ] = None

    def __post_init__(self) -> None:
        check_printable(self.player)


class HomeRuling(Struct, frozen=True, kw_only=True):
    """The ruling on a word at home, with its rule and reason; or what to look up before it can be ruled on."""

    word: str
    acceptable: Annotated[bool | None, Meta(description="Null where something has to be looked up first.")]
    base: str | None = None
    steps: Annotated[list[str], Meta(description="From the base to the word.")] = []
    affix: str = ""
    rule: Annotated[str | None, Meta(description="The id of the rule.")] = None
    source: Annotated[str, Meta(description="Where the rule book says so.")] = ""
    because: Annotated[str, Meta(description="The reason, or the question to be asked next.")]
    follows: Annotated[Consequence | None, Meta(description="What becomes of a play that is not acceptable.")] = None
    ask: Annotated[list[str], Meta(description="The words to look up, the likeliest first.")] = []
    about: Annotated[
        LookupKind | None,
        Meta(
            description="What to find out: whether the words are in the dictionary, have main entries of their own, or"
            " are labelled offensive or vulgar in every sense."
        ),
    ] = None
    reference: Annotated[
        str, Meta(description="The list that answers for the OSPD: the open players' list, or that of the service.")
    ]


class ChargedReference(Container[str]):
    """The installation's own players' reference: each word is charged to an identity before it is looked up."""

    def __init__(self, services: Services, identity: Identity, now: int) -> None:
        self._services, self._identity, self._now = services, identity, now
        self._found: dict[str, bool] = {}

    def __contains__(self, word: object) -> bool:
        """Return whether the list has a folded word; raises a Problem where the budget is spent."""
        text = str(word)
        if text not in self._found:
            self._found[text] = find_in_reference(self._services, self._identity, (text,), self._now)
        return self._found[text]


def rule_by_own_reference(services: Services, client: RegisteredClient, request: CheckAtHome, now: int) -> Reply:
    """Rule on a word at home by the installation's own players' reference, and charge what is looked up there."""
    identity = identity_of(client, request.player)
    return _rule(services, request, ChargedReference(services, identity, now))


def rule_at_home(services: Services, request: CheckAtHome, now: int) -> Reply:
    """Rule on a word at home, as far as the answers about the player's dictionary decide it.

    Where `acceptable` is null something has to be looked up first: `because` is the question, `ask` what to look up,
    and `about` where. A list of the service's own is asked with a key or a paired device alone, and each word that is
    looked up there counts against `reference_a_day`.
    """
    return _rule(services, request, services.editions.current.reference)


def _rule(services: Services, request: CheckAtHome, reference: Container[str]) -> Reply:
    rules = rule_set_with_options(request.rules, request.options)
    word = fold_field(request.word, "word")
    answers = dict.fromkeys(fold_all(request.not_in_dictionary, "not_in_dictionary"), False)
    main_entries = {}
    labelled = word
    if request.base_in_dictionary is not None:
        base = fold_field(request.base_in_dictionary, "base_in_dictionary")
        # A player who names a base has looked for the word itself, and not found it unless they say so
        # (docs/rules.md 6.3).
        answers |= {base: True, word: bool(request.word_in_dictionary) or base == word}
        if request.base_has_main_entry is not None:
            main_entries[base] = request.base_has_main_entry
        labelled = base
    elif request.word_in_dictionary is not None:
        answers[word] = request.word_in_dictionary
    labels = {} if request.labelled_offensive is None else {labelled: request.labelled_offensive}
    edition = services.editions.current
    result = decide_word(
        word,
        rules,
        PlayerAnswers(answers, main_entries, labels),
        reference,
        request.edition,
        by_exclusion=request.by_exclusion,
        reference_name=edition.reference_name,
    )
    if isinstance(result, LookupRequest):
        return replies.private(
            HomeRuling(
                word=result.word,
                acceptable=None,
                because=result.question,
                ask=list(result.words),
                about=result.about,
                reference=edition.reference_name,
            )
        )
    return replies.private(
        HomeRuling(
            word=result.word,
            acceptable=result.acceptable,
            base=result.base,
            steps=list(result.steps),
            affix=result.affix,
            rule=result.rule,
            source=result.source,
            because=result.because,
            follows=result.follows,
            reference=edition.reference_name,
        )
    )
