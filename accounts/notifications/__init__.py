"""Notifications: what a player asked to be told, by web push or mail, outside quiet hours."""
