"""Pictures and flags that players choose for others to see, and the marks of bots."""
