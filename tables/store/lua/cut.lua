-- Append a player's cut to the inbox of a table, which obeys it with its next step; the last seed
-- that a granted hand awaits moves its wake forward.
-- KEYS state, inbox, wakes
-- ARGV member, user, cut, commands kept at most, cuts of one user at most, 1 if it opens a seed, wake
-- lease ms
-- Returns {0 no table | 1 not seated | 2 full | 3 accepted, ring}
local fields = redis.call('HMGET', KEYS[1], 'users', 'awaits', 'deal_ms')
-- 1. Store it. No bell and no earlier wake: the step that deals, or any before it, reads the cut.
local now, refused = stored(fields[1])
if not now then return {refused, 0} end
if ARGV[6] ~= '1' or not fields[2] then return {3, 0} end
-- 2. Take the user from those who are awaited. Whoever is not among them changes nothing.
local before, after = string.match(fields[2], '^(.*,)' .. ARGV[2] .. ',(.*)$')
if not before then return {3, 0} end
redis.call('HSET', KEYS[1], 'awaits', before .. after)
if before .. after ~= ',' then return {3, 0} end
-- 3. The last seed is here: deal at the end of the pause. A pause that is over is rung for at once,
--    with the wake leased, so that no timer rings a second time.
local deal = tonumber(fields[3])
if deal > now then
  redis.call('ZADD', KEYS[3], deal, ARGV[1])
  return {3, 0}
end
redis.call('ZADD', KEYS[3], now + tonumber(ARGV[7]), ARGV[1])
return {3, 1}
