"""Tables in Redis: state, inbox, ready set, wakes, streams and the scripts that write them."""
