-- Set the wake of a member unless it was moved since the caller read it.
-- KEYS wakes, state   ARGV member, due, desk, score seen ('' = none)
-- Returns 1, or 0 when another process moved the wake; the newer wake stays.
local score = redis.call('ZSCORE', KEYS[1], ARGV[1]) or ''
if score ~= '' and (ARGV[4] == '' or tonumber(score) ~= tonumber(ARGV[4])) then return 0 end
redis.call('HSET', KEYS[2], 'desk', ARGV[3], 'rings', 0)
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
return 1
