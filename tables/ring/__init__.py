"""Ring games: a second director on the tables, played for money."""
