"""Values that pages, streams and JSON show of tournaments, read in few queries."""
