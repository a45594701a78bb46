-- Return the clock of the server of a shard in ms.   KEYS any key of the shard
return now_ms()
