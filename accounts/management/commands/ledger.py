"""`manage.py ledger`: prove the ledger and optionally export it as CSV."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.ledger import export
from accounts.ledger.proof import BalanceProof, balance_proof
from accounts.models import Posting


class Command(BaseCommand):
    """Command that exits with an error when a balance or a transfer does not add up."""

    help = "Recompute every balance from its postings; --csv FILE writes all postings to a file."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the option for the CSV file."""
        parser.add_argument(
            "--csv", type=Path, metavar="FILE", help="write all postings to FILE as CSV"
        )

    def handle(self, *args: Any, csv: Path | None, **options: Any) -> None:
        """Export first, so that a broken ledger can be inspected."""
        if csv is not None:
            try:
                with csv.open("w", encoding="utf-8", newline="") as file:
                    file.writelines(export.export_rows(Posting.objects.all()))
            except OSError as failed:
                raise CommandError(f"--csv: {csv}: {failed.strerror}") from failed
        self._tell(balance_proof())

    def _tell(self, proof: BalanceProof) -> None:
        if not proof.holds:
            wrong = [f"all balances together: {proof.total}", *proof.violations]
            raise CommandError("the ledger is wrong\n" + "\n".join(wrong))
        self.stdout.write(
            f"the ledger is right: {proof.accounts} accounts, {proof.transfers} transfers,"
            f" {proof.postings} postings"
        )
