"""Browser tests of a player's account: log-ins, devices, own figures, deletion."""
