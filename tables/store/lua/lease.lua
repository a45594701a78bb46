-- Lease the due members: move each wake on by the lease, so that a lost bell is rung again.
-- KEYS wakes, beat, generation, run
-- ARGV most members, lease ms, gap ms, key prefix of the shard, ms between two notes of a sweep, most
-- ms that the clock may go back
-- Returns {generation or '', next due or -1, now, member, desk, rings, ...}
local generation = redis.call('GET', KEYS[3])
local now = now_ms()
-- 1. Lease nothing before this run of Redis is adopted: what it holds may be older than what was told.
if not generation or redis.call('GET', KEYS[4]) ~= run_id() then return {'', -1, now} end
local answer = {generation, -1, now}
-- 2. Measure an outage: time since the last sweep beyond the gap is added to `shift`, and every
--    deadline moves by it, because no player could act in that time. An idle sweep is noted now and
--    then only: each note is a write that waits for the disk.
local last = tonumber(redis.call('HGET', KEYS[2], 'last') or 0)
if last - now > tonumber(ARGV[6]) then
  -- The clock went far back: all times of the shard are as far ahead, and tables of absent players
  -- would stand still for as long. Its hands become void, and every member is due at once.
  for _, member in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    redis.call('ZADD', KEYS[1], 'LT', now, member)
  end
  redis.call('HSET', KEYS[2], 'last', string.format('%.0f', now))
  redis.call('DEL', KEYS[3])
  redis.call('SET', KEYS[4], 'none')
  return {'', -1, now}
end
if now - last > tonumber(ARGV[3]) and last > 0 then
  redis.call('HINCRBY', KEYS[2], 'shift', now - last)
end
if now < last or now - last >= tonumber(ARGV[5]) then
  redis.call('HSET', KEYS[2], 'last', string.format('%.0f', now))
end
-- 3. Lease: move the wake first and answer second. When the bell or this answer is lost, the member
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
-- 4. Return the next due time, so that the timer sleeps no longer than that.
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
if #first == 2 then answer[2] = tonumber(first[2]) end
return answer
