"""Template tags for money, chips and the wallet."""
