"""A tournament in play: director, tick, settlement, operations, rulings, its end."""
