"""Proofs of hands of a real table: they hold for every viewer, and not before the release."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.models import User
from tables.dealer.state import TableState
from tables.fairness.signing import public_key_of
from tables.models import Hand, Table
from tables.workers import advance, recovery, sealing
from tests.tables import playing
from tests.tables.fairness.verifier import SCRIPT, checked, failures, script
from tests.tables.history.downloading import proof_of

pytestmark = pytest.mark.django_db(transaction=True)
NO_LOG_KEY = None


def play_hands(room: Redis, count: int) -> tuple[Table, TableState]:
    """A table of three in the hand after `count` settled ones, all checked or called down."""
    table = playing.sit_down([900] * 3)
    recovery.open_tables(room, [table.pk])
    state = playing.run(room, table.pk)
    while state.hand_number <= count:
        playing.check_or_call(room, state)
        advance.advance(room, table.pk)
        state = playing.run(room, table.pk)
    return table, state


def test_proofs_of_real_hands_hold(room: Redis, tmp_path: Path) -> None:
    table, _ = play_hands(room, 3)
    call_key = public_key_of(sealing.call_key())
    viewer = Client()
    viewer.force_login(User.objects.get(seat__table=table, seat__seat=2))
    for client in (Client(), viewer):
        for hand in Hand.objects.filter(table=table):
            proof = proof_of(table, hand.number, client)
            assert failures(proof, NO_LOG_KEY, call_key) == set()
            assert failures(proof, call_key, call_key) == {"V13", "V14", "V15"}
            assert "V03" in failures(proof, NO_LOG_KEY, bytes(32))
    _, remarks = checked(proof, None, call_key)
    assert remarks == ["Nobody cut: only the room shuffled this deck.", *script.NO_LOG]
    assert proof["viewer"] == 2
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(proof))
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(path), "--call-key", call_key.hex()]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout.splitlines()[-1]) == (0, "All checks hold.")


def test_a_hand_in_play_has_no_proof(room: Redis) -> None:
    table, state = play_hands(room, 1)
    page = reverse("hand_proof", args=[table.pk, state.hand_number])
    assert Client().get(page).status_code == 404
