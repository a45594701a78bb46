-- End a table under an epoch above the stored one: drop its wake, append events, expire its keys.
-- KEYS state, inbox, wakes, events, results
-- ARGV epoch, member, state, key lifetime s, 1 if a worker is to open decks, count of public, (id,
-- json)...
-- Returns 1, or 0 when the stored epoch is as high already
-- A damaged epoch counts as none, and a key of another type is deleted.
local epoch = tonumber(mended('HGET', KEYS[1], 'epoch') or '')
if epoch and epoch >= tonumber(ARGV[1]) then return 0 end
-- 2. Remove the wake and the waiting commands, so that no worker touches the table again.
redis.call('ZREM', KEYS[3], ARGV[2])
redis.call('DEL', KEYS[2])
-- 3. Raise the epoch, so that a step loaded before this call fails its fence in commit.lua.
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'version', 1, 'state', ARGV[3],
           'users', '{}', 'desk', 'settle', 'rings', 0)
-- 4. Append the last events, let the keys expire, and hint the gateways.
for n = 1, tonumber(ARGV[6]) do
  mended('XADD', KEYS[4], ARGV[5 + 2 * n], 'e', ARGV[6 + 2 * n])
end
for n = 1, #KEYS do
  if n ~= 3 then redis.call('EXPIRE', KEYS[n], ARGV[4]) end
end
-- 5. Be due once more for a settle worker, which has the key of the decks that were never dealt.
if ARGV[5] == '1' then redis.call('ZADD', KEYS[3], now_ms(), ARGV[2]) end
hint(ARGV[2])
return 1
