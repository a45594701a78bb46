"""Browser tests of the chat and of emotes."""
