"""Tests of money: prizes, bounties, tickets, satellites and spins."""
