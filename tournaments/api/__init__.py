"""HTTP API for programs: tournaments, results and the wallet, by access tokens."""
