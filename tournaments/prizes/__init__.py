"""Money and prizes: pool, places, bounties, tickets, satellites, spins."""
