-- Put a table's state as PostgreSQL has it, under a newer epoch than any that is here.
-- KEYS state, inbox, wakes, events, results
-- ARGV epoch, member, state, users, due, desk, count of public, (id, json)...
local epoch = redis.call('HGET', KEYS[1], 'epoch')
if epoch and tonumber(epoch) >= tonumber(ARGV[1]) then return 0 end
redis.call('DEL', KEYS[2])
redis.call('HDEL', KEYS[1], 'bell')
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'version', 1, 'state', ARGV[3],
           'users', ARGV[4], 'desk', ARGV[6], 'rings', 0)
for n = 1, tonumber(ARGV[7]) do
  redis.call('XADD', KEYS[4], ARGV[6 + 2 * n], 'e', ARGV[7 + 2 * n])
end
for n = 1, #KEYS do
  if n ~= 3 then redis.call('PERSIST', KEYS[n]) end
end
redis.call('ZADD', KEYS[3], ARGV[5], ARGV[2])
redis.call('PUBLISH', 'hints', ARGV[2])
return 1
