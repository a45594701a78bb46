-- Put a command into a table's inbox, stamped with its arrival; say whether a bell must be rung.
-- One bell answers for all tables of its queue: the table joins those that are ready, and only the
-- first of them rings. A table whose last bell nobody heard rings for itself.
-- KEYS state, inbox, wakes, ready, bell of the queue
-- ARGV member, user, command, most commands, most of one user, command wake ms, bell lifetime ms
-- Returns {0 no table | 1 not seated | 2 full | 3 accepted, ring, desk, rings}
local fields = redis.call('HMGET', KEYS[1], 'users', 'desk', 'bell')
if not fields[1] then return {0, 0, '', 0} end
if not string.find(fields[1], '"' .. ARGV[2] .. '":', 1, true) then return {1, 0, '', 0} end
local waiting = redis.call('LRANGE', KEYS[2], 0, -1)
local own, mark = 0, ARGV[2] .. ' '
for _, item in ipairs(waiting) do
  if string.sub(item, 1, #mark) == mark then own = own + 1 end
end
if #waiting >= tonumber(ARGV[4]) or own >= tonumber(ARGV[5]) then return {2, 0, '', 0} end
local now = now_ms()
redis.call('RPUSH', KEYS[2], ARGV[2] .. ' ' .. string.format('%.0f', now) .. ' ' .. ARGV[3])
local due = redis.call('ZSCORE', KEYS[3], ARGV[1])
local soon = now + tonumber(ARGV[6])
if due and tonumber(due) > soon then redis.call('ZADD', KEYS[3], soon, ARGV[1]) end
if fields[2] ~= 'play' then return {3, 1, 'play', 1} end
if fields[3] and tonumber(fields[3]) > now - tonumber(ARGV[7]) then return {3, 0, 'play', 0} end
redis.call('HSET', KEYS[1], 'bell', string.format('%.0f', now))
local rings = redis.call('HINCRBY', KEYS[1], 'rings', 1)
if rings > 1 then return {3, 1, 'play', rings} end
redis.call('RPUSH', KEYS[4], ARGV[1])
local rung = tonumber(redis.call('GET', KEYS[5]) or 0)
if rung > now - tonumber(ARGV[7]) then return {3, 0, 'play', 0} end
redis.call('SET', KEYS[5], string.format('%.0f', now))
return {3, 1, 'play', 1}
