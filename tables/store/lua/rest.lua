-- Put the wake of an unchanged table back to its due time, after a step that had nothing to do.
-- KEYS state, inbox, wakes   ARGV epoch, version, member, due, command wake ms
-- Returns 1, or 0 when another writer changed the table
local fields = redis.pcall('HMGET', KEYS[1], 'epoch', 'version')
if fields[1] ~= ARGV[1] or fields[2] ~= ARGV[2] then return 0 end
-- 2. Wake sooner when a command arrived meanwhile: its bell may be lost.
local due = tonumber(ARGV[4])
if redis.call('LLEN', KEYS[2]) > 0 then
  due = math.min(due, now_ms() + tonumber(ARGV[5]))
end
-- 3. Reset `rings`: the bell of this table was answered.
redis.call('HSET', KEYS[1], 'rings', 0)
redis.call('ZADD', KEYS[3], due, ARGV[3])
return 1
