-- Store a table as PostgreSQL has it, under an epoch above the stored one.
-- KEYS state, inbox, wakes, events, results, cards...
-- ARGV epoch, member, state, users, due, desk, lifetime of cards, count of public, (id, json)...,
-- count of private, (index of cards key, id, json)...
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
local at, told = 8, tonumber(ARGV[8])
for n = 1, told do
  mended('XADD', KEYS[4], ARGV[at + 2 * n - 1], 'e', ARGV[at + 2 * n])
end
-- 4. Put the cards that players of a hand that goes on were dealt in the place of what is left of them.
at = at + 2 * told + 1
for n = 6, #KEYS do redis.call('DEL', KEYS[n]) end
for n = 1, tonumber(ARGV[at]) do
  local key = KEYS[5 + tonumber(ARGV[at + 3 * n - 2])]
  redis.call('XADD', key, ARGV[at + 3 * n - 1], 'e', ARGV[at + 3 * n])
  redis.call('EXPIRE', key, ARGV[7])
end
-- 5. Keep the keys of a table that was closed and expiring before.
for n = 1, 5 do
  if n ~= 3 then redis.call('PERSIST', KEYS[n]) end
end
-- 6. Set the wake in the same script: an open table without a wake would never be played.
redis.call('ZADD', KEYS[3], ARGV[5], ARGV[2])
hint(ARGV[2])
return 1
