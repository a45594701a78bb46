-- Keep a witness of PostgreSQL unless the one that is kept is later.
-- KEYS database
-- ARGV number of the adoption, position in the log, witness
-- Returns 1, or 0 when the kept one is of a later adoption, or of a later position
local kept = redis.call('HMGET', KEYS[1], 'number', 'position')
local number, position = tonumber(kept[1] or 0), tonumber(kept[2] or 0)
-- 1. Positions are compared within one adoption only: a server that lost data begins lower.
if number > tonumber(ARGV[1]) then return 0 end
if number == tonumber(ARGV[1]) and position >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'number', ARGV[1], 'position', ARGV[2], 'witness', ARGV[3])
return 1
