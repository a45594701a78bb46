"""Values of tournaments for pages, streams and JSON, read in few queries."""
