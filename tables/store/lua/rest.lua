-- A step found nothing to do: put the wake of an unchanged table back to when it is due.
-- KEYS state, inbox, wakes   ARGV epoch, version, member, due, command wake ms
local fields = redis.call('HMGET', KEYS[1], 'epoch', 'version')
if fields[1] ~= ARGV[1] or fields[2] ~= ARGV[2] then return 0 end
local due = tonumber(ARGV[4])
if redis.call('LLEN', KEYS[2]) > 0 then
  due = math.min(due, now_ms() + tonumber(ARGV[5]))
end
redis.call('HSET', KEYS[1], 'rings', 0)
redis.call('ZADD', KEYS[3], due, ARGV[3])
return 1
