-- Lease the due members: move each wake on by the lease, so that a lost bell is rung again.
-- KEYS wakes, beat, generation, sweeps of the timer
-- ARGV most members, lease ms, gap ms, key prefix of the shard, lifetime of the sweep count ms, and
-- the sweep count that the timer knows in each generation, as 'generation sweeps generation sweeps'
-- Returns {generation or '', next due or -1, now, sweeps, member, desk, rings, ...}
local generation = redis.call('GET', KEYS[3])
local now = now_ms()
local sweeps = tonumber(redis.call('GET', KEYS[4]) or 0)
if not generation then return {'', -1, now, sweeps} end
-- 2. Count the sweep, unless Redis knows fewer sweeps than the timer does. Redis was then set back
--    to older data, and counting a repeated call could make up the difference and hide it.
if sweeps >= tonumber(string.match(ARGV[6], generation .. ' (%d+)') or 0) then
  sweeps = redis.call('INCR', KEYS[4])
  redis.call('PEXPIRE', KEYS[4], ARGV[5])
end
local answer = {generation, -1, now, sweeps}
-- 3. Measure an outage: time since the last sweep beyond the gap is added to `shift`, and every
--    deadline moves by it, because no player could act in that time.
local last = tonumber(redis.call('HGET', KEYS[2], 'last') or now)
if now - last > tonumber(ARGV[3]) then redis.call('HINCRBY', KEYS[2], 'shift', now - last) end
redis.call('HSET', KEYS[2], 'last', string.format('%.0f', now))
-- 4. Lease: move the wake first and answer second. When the bell or this answer is lost, the member
--    is due again one lease later, with `rings` raised.
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
for _, member in ipairs(due) do
  local key = ARGV[4] .. member
  redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), member)
  answer[#answer + 1] = member
  -- A damaged member is leased like one without a state, and holds up no other.
  local desk, rings = redis.pcall('HGET', key, 'desk'), redis.pcall('HINCRBY', key, 'rings', 1)
  answer[#answer + 1] = type(desk) == 'string' and desk or ''
  answer[#answer + 1] = type(rings) == 'number' and rings or 1
end
-- 5. Return the next due time, so that the timer sleeps no longer than that.
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
if #first == 2 then answer[2] = tonumber(first[2]) end
return answer
