-- Store a table as PostgreSQL has it, under an epoch above the stored one.
-- KEYS state, inbox, wakes, events, results
-- ARGV epoch, member, state, users, due, desk, count of public, (id, json)...
-- Returns 1, or 0 when the stored epoch is as high already
-- A damaged epoch counts as none, and a key of another type is deleted.
local epoch = tonumber(mended('HGET', KEYS[1], 'epoch') or '')
if epoch and epoch >= tonumber(ARGV[1]) then return 0 end
-- 2. Drop commands and the bell of the old epoch: those commands named a state that is void.
redis.call('DEL', KEYS[2])
redis.call('HDEL', KEYS[1], 'bell', 'awaits')
-- 3. Raise the epoch, so that a step loaded before this call fails its fence in commit.lua.
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'version', 1, 'state', ARGV[3],
           'users', ARGV[4], 'desk', ARGV[6], 'rings', 0)
for n = 1, tonumber(ARGV[7]) do
  mended('XADD', KEYS[4], ARGV[6 + 2 * n], 'e', ARGV[7 + 2 * n])
end
-- 4. Keep the keys of a table that was closed and expiring before.
for n = 1, #KEYS do
  if n ~= 3 then redis.call('PERSIST', KEYS[n]) end
end
-- 5. Set the wake in the same script: an open table without a wake would never be played.
redis.call('ZADD', KEYS[3], ARGV[5], ARGV[2])
redis.call('PUBLISH', 'hints', ARGV[2])
return 1
