"""Pages of the ledger in the admin show money in its units, as their lists do."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.ledger import transfers
from accounts.models import Account, AccountKind, User
from accounts.users.signup import sign_up

pytestmark = pytest.mark.django_db


def cells(client: Client, address: str) -> str:
    """Return the text of a page without its markup."""
    return re.sub(r"<[^>]*>|\s+", " ", client.get(address).content.decode())


def test_pages_of_the_ledger_show_money_in_units(client: Client) -> None:
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    ada = sign_up("Ada", "correct horse battery")
    purse = transfers.account(AccountKind.PLAYER, user=ada)
    Account.objects.filter(pk=purse.pk).update(floor=-12_345)
    posting = purse.postings.select_related("transfer").get()
    raw = str(posting.amount)
    assert len(raw) > 4
    shown = f"{posting.amount // 100:,}.00"
    for address in (
        f"/admin/accounts/account/{purse.pk}/change/",
        f"/admin/accounts/posting/{posting.pk}/change/",
        f"/admin/accounts/transfer/{posting.transfer_id}/change/",
    ):
        page = cells(client, address)
        assert shown in page and f" {raw} " not in page, address
    listed = cells(client, "/admin/accounts/account/")
    assert "-123.45" in listed and "-12345" not in listed
    assert str(2**62) not in listed, "the bank has no lowest balance"
