"""Rates of false alarms and of hits of the signs of unfair play, measured on planted colluders."""
