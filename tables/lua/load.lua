-- Read a table for a step: its state, its waiting commands and the clock; the bell has been heard.
-- KEYS state, inbox, beat   ARGV most commands
redis.call('HDEL', KEYS[1], 'bell')
local fields = redis.call('HMGET', KEYS[1], 'epoch', 'version', 'state')
local commands = redis.call('LRANGE', KEYS[2], 0, tonumber(ARGV[1]) - 1)
local shift = redis.call('HGET', KEYS[3], 'shift') or '0'
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return {fields[1], fields[2], fields[3], commands, now, shift}
