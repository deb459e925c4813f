"""The state of the reviewers' pages: case files, accounts and the clock."""

from __future__ import annotations

from collections.abc import Callable

from flask import current_app

from ordws.cases.store import CaseFiles, open_case_files
from ordws.console.accounts import Accounts, make_accounts
from ordws.instance import Instance


class ReviewState:
    """The case files and accounts of one installation, and the clock, in seconds since 1970."""

    def __init__(self, files: CaseFiles, accounts: Accounts, clock: Callable[[], int]) -> None:
        self.files, self.accounts, self.clock = files, accounts, clock

    def close(self) -> None:
        self.files.close()
        self.accounts.close()


def open_review_state(instance: Instance, clock: Callable[[], int]) -> ReviewState:
    """Open the case files and the reviewers' accounts; make them and their keys where there are none."""
    files = open_case_files(instance)
    return ReviewState(files, make_accounts(instance.reviewers, instance.reviewers_key), clock)


def review_state() -> ReviewState:
    """Return the state of the application that answers this request."""
    state: ReviewState = current_app.config["STATE"]
    return state
