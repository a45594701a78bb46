"""Client of the poker room: connect, resume, typed messages, and players of one's own."""
