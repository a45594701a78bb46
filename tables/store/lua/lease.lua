-- Lease members that are due: move their wake on, so that a lost bell is rung again.
-- Each timer's sweeps are counted, so that it notices when Redis knows fewer of them than it does;
-- then none is added, for a call that is made twice must not make up for what was forgotten.
-- KEYS wakes, beat, generation, sweeps of the timer
-- ARGV most, lease ms, gap ms, prefix, how long sweeps are remembered in ms, and for each generation
--      that its timer remembers how many of them it knows, as 'generation sweeps generation sweeps'
-- Returns {generation or '', next due or -1, now, sweeps, member, desk, rings, ...}
local generation = redis.call('GET', KEYS[3])
local now = now_ms()
local sweeps = tonumber(redis.call('GET', KEYS[4]) or 0)
if not generation then return {'', -1, now, sweeps} end
if sweeps >= tonumber(string.match(ARGV[6], generation .. ' (%d+)') or 0) then
  sweeps = redis.call('INCR', KEYS[4])
  redis.call('PEXPIRE', KEYS[4], ARGV[5])
end
local answer = {generation, -1, now, sweeps}
local last = tonumber(redis.call('HGET', KEYS[2], 'last') or now)
if now - last > tonumber(ARGV[3]) then redis.call('HINCRBY', KEYS[2], 'shift', now - last) end
redis.call('HSET', KEYS[2], 'last', string.format('%.0f', now))
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
for _, member in ipairs(due) do
  local key = ARGV[4] .. member
  redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), member)
  answer[#answer + 1] = member
  answer[#answer + 1] = redis.call('HGET', key, 'desk') or ''
  answer[#answer + 1] = redis.call('HINCRBY', key, 'rings', 1)
end
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
if #first == 2 then answer[2] = tonumber(first[2]) end
return answer
