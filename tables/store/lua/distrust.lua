-- Let nobody lease until this Redis was adopted anew, unless that has been done since.
-- KEYS generation   ARGV the generation that is not to be trusted
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
