"""Requests of players: sit down, top up, choose, leave, wait; one transaction each.

Locks are taken in one order: the game, its table, sessions and waiting players, then accounts.
"""
