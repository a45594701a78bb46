-- Set the wake of a member unless somebody moved it since it was last looked at.
-- KEYS wakes, state   ARGV member, due, desk, score seen ('' = none)
local score = redis.call('ZSCORE', KEYS[1], ARGV[1]) or ''
if score ~= '' and (ARGV[4] == '' or tonumber(score) ~= tonumber(ARGV[4])) then return 0 end
redis.call('HSET', KEYS[2], 'desk', ARGV[3], 'rings', 0)
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
return 1
