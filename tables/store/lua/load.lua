-- Read a table for a step: its state, its waiting commands, the clock and the sum of outages.
-- KEYS state, inbox, beat, run   ARGV most commands, gap ms
-- Returns {{epoch, version, state}, commands, now, shift}, or nothing when another run was adopted: what
-- this one holds may be older than what was told. A Redis that was emptied has no run, and no old table.
local adopted = redis.call('GET', KEYS[4])
if adopted and adopted ~= run_id() then return {} end
-- A key of another type is answered as the error in place of its fields, which stops this table alone.
local fields = redis.pcall('HMGET', KEYS[1], 'epoch', 'version', 'state')
if not fields.err then redis.call('HDEL', KEYS[1], 'bell') end
local commands = mended('LRANGE', KEYS[2], 0, tonumber(ARGV[1]) - 1)
-- 2. Measure an outage here too: after one, a worker may answer an old bell before any timer
--    sweeps, and must not time players out.
local now = now_ms()
local last = tonumber(redis.call('HGET', KEYS[3], 'last') or now)
if now - last > tonumber(ARGV[2]) then
  redis.call('HINCRBY', KEYS[3], 'shift', now - last)
  redis.call('HSET', KEYS[3], 'last', string.format('%.0f', now))
end
local shift = redis.call('HGET', KEYS[3], 'shift') or '0'
return {fields, commands, now, shift}
