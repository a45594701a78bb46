"""Gateway of a web process: sockets of clients, the streams they follow, and their commands."""
