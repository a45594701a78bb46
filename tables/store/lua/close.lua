-- End a table under a newer epoch than the one that is here: no wake, last lines, then it expires.
-- KEYS state, inbox, wakes, events, results
-- ARGV epoch, member, state, key lifetime s, count of public, (id, json)...
local epoch = redis.call('HGET', KEYS[1], 'epoch')
if epoch and tonumber(epoch) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZREM', KEYS[3], ARGV[2])
redis.call('DEL', KEYS[2])
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'version', 1, 'state', ARGV[3],
           'users', '{}', 'desk', 'settle', 'rings', 0)
for n = 1, tonumber(ARGV[5]) do
  redis.call('XADD', KEYS[4], ARGV[4 + 2 * n], 'e', ARGV[5 + 2 * n])
end
for n = 1, #KEYS do
  if n ~= 3 then redis.call('EXPIRE', KEYS[n], ARGV[4]) end
end
redis.call('PUBLISH', 'hints', ARGV[2])
return 1
