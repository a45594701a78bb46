"""Rapid pools: one pool of players over many tables, each seated anew for every hand (R-03).

Locks are taken in one order: the game, its table, stays, sessions, then accounts. Only the boundary
of a table books money of a pool, but for buy-ins.
"""
