"""The gateway: sockets of clients, the streams they follow, and their commands."""
