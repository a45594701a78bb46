"""Files of pages and players: static ones named by their bytes, the installable app, pictures."""
