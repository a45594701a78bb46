-- Spend one try of a rate (GCRA: the key holds when all tries spent so far are earned back).
-- KEYS the subject's key
-- ARGV us until one try is earned, tries that may be spent at once
-- Returns 0, or the us to wait until a try is free; nothing is spent then.
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local earned_at = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now) + interval
local wait = earned_at - burst * interval - now
if wait > 0 then
  return math.ceil(wait)
end
local lives_ms = math.ceil((earned_at - now) / 1000)
redis.call('SET', KEYS[1], string.format('%.0f', earned_at), 'PX', lives_ms)
return 0
