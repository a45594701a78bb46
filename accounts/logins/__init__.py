"""Log-ins: open sessions, their devices and ends, and the counting of failed tries."""
