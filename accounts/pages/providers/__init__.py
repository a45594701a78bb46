"""Pages of log-ins by other providers: going there and coming back, a name, links."""
