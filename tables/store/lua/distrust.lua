-- Stop leases of a shard until it is adopted again, unless it was adopted again already.
-- KEYS generation   ARGV generation to distrust
-- The comparison makes a repeated or late call harmless: a newer generation stays.
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
