"""Refusals of the deletion of an account."""

from __future__ import annotations

from config.refusals import Refusal
from config.refusals import marked as _


class Overdrawn(Refusal):
    """Account that owes money to the room; `debt` in minor units."""

    code = "overdrawn"
    sentence = _("Your account is overdrawn by %(debt)s: it must be level first.")
    money = frozenset({"debt"})

    def __init__(self, debt: int) -> None:
        super().__init__(debt=debt)


class LastAdministrator(Refusal):
    """Account of the only administrator that the room has."""

    code = "last_administrator"
    sentence = _("You are the last administrator of the room: make another one first.")


class LastOwnerOf(Refusal):
    """Account of the last owner of clubs."""

    code = "last_owner_of"
    sentence = _("You are the last owner of %(clubs)s: make another member an owner first.")

    def __init__(self, clubs: list[str]) -> None:
        super().__init__(clubs=clubs)


class ChangedMeanwhile(Refusal):
    """Account that joined a club or was deleted while the deletion waited."""

    code = "changed_meanwhile"
    sentence = _("Your account changed just now. Look again, then delete it.")
