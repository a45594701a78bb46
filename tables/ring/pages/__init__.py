"""Pages of ring games: lobby, game, seat panel and jackpots."""
