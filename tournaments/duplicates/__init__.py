"""Duplicate deals: Sit & Gos of the same bots and cards, each with the seats rotated on."""
