"""Interactive room: demo tournaments, bots, one address and an admin login."""

from __future__ import annotations

from deploy.cluster import demo
from deploy.cluster.headless import swarm_arguments
from deploy.cluster.room import Room
from deploy.preparation import room as preparation

RING_SHARE = "50%"
"""Bots that sit at ring tables."""


def play(room: Room) -> int:
    """Print the address of the room and keep it open until it is stopped."""
    demo.offer_demo()
    name, password = preparation.admin_login()
    room.terminal.say(f"\n  {room.layout.url}/\n  admin: {name}  password: {password}\n")
    room.terminal.say(
        f"logs in {room.layout.logs}, mail in {room.layout.mail}; Ctrl-C stops everything"
    )
    room.start_second_workers()
    room.start_deliveries()
    room.start_cards_up()
    bots = ["--any", "--ring", RING_SHARE, *swarm_arguments(room)] if room.options.bots else None
    demo.offer_open_table(room.options.players)
    if bots is not None:
        room.start_swarm(bots)
    room.run(lambda: False)
    return 0
