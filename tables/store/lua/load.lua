-- Read a table for a step: its state, its waiting commands and the clock; the bell has been heard.
-- An outage is measured here too: after one, a bell that waited may be answered before any timer.
-- KEYS state, inbox, beat   ARGV most commands, gap ms
redis.call('HDEL', KEYS[1], 'bell')
local fields = redis.call('HMGET', KEYS[1], 'epoch', 'version', 'state')
local commands = redis.call('LRANGE', KEYS[2], 0, tonumber(ARGV[1]) - 1)
local now = now_ms()
local last = tonumber(redis.call('HGET', KEYS[3], 'last') or now)
if now - last > tonumber(ARGV[2]) then
  redis.call('HINCRBY', KEYS[3], 'shift', now - last)
  redis.call('HSET', KEYS[3], 'last', string.format('%.0f', now))
end
local shift = redis.call('HGET', KEYS[3], 'shift') or '0'
return {fields[1], fields[2], fields[3], commands, now, shift}
