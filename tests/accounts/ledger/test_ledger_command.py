"""`manage.py ledger`: proof and CSV export from a shell."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from accounts.ledger.export import HEADINGS
from tests.accounts.players import NewPlayer

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_right_ledger_is_said_to_be_right_and_written_out(
    player: NewPlayer, tmp_path: Path
) -> None:
    player(100)
    said, file = StringIO(), tmp_path / "ledger.csv"
    call_command("ledger", csv=file, stdout=said)
    assert said.getvalue() == "the ledger is right: 2 accounts, 1 transfers, 2 postings\n"
    lines = file.read_text().splitlines()
    assert lines[0] == ",".join(HEADINGS)
    assert len(lines) == 3


def test_a_file_that_cannot_be_written_is_named(db: None, tmp_path: Path) -> None:
    for file, why in ((tmp_path, "Is a directory"), (tmp_path / "no" / "x.csv", "No such file")):
        with pytest.raises(CommandError, match=f"--csv: {file}: {why}"):
            call_command("ledger", csv=file, stdout=StringIO())


def test_a_wrong_ledger_is_an_error_that_names_the_account(player: NewPlayer) -> None:
    wallet = player(100)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE accounts_account DISABLE TRIGGER USER")
        cursor.execute("UPDATE accounts_account SET balance = 99 WHERE id = %s", [wallet.pk])
        cursor.execute("ALTER TABLE accounts_account ENABLE TRIGGER USER")
    with pytest.raises(CommandError, match=f"account {wallet.pk} .* holds 99"):
        call_command("ledger", stdout=StringIO())
