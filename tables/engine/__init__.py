"""Pure hand engine: rules, seats, a deck and actions in; events out."""
