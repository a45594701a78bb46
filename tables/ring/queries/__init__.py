"""Read-only queries of ring games for pages and scripts."""
