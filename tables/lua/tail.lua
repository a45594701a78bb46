-- What is new on a table's stream for the players and spectators of one gateway, at once.
-- KEYS events, state, results, tabs, cards...
-- ARGV after ('' = only where the stream ends), most events, count of askers, users who ask for
--      results..., users who hold the table...
-- Returns {public, private of each cards key, {epoch, users}, results, tabs}
local after, most, askers = ARGV[1], ARGV[2], tonumber(ARGV[3])
local function tail(key)
  if after == '' then return redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1) end
  return redis.call('XRANGE', key, '(' .. after, '+', 'COUNT', most)
end
local function fields(key, first, last)
  if last < first then return {} end
  return redis.call('HMGET', key, unpack(ARGV, first, last))
end
local private = {}
for n = 5, #KEYS do private[n - 4] = tail(KEYS[n]) end
return {
  tail(KEYS[1]), private, redis.call('HMGET', KEYS[2], 'epoch', 'users'),
  fields(KEYS[3], 4, 3 + askers), fields(KEYS[4], 4 + askers, #ARGV),
}
