-- Read the new events of a table for the players and spectators of one gateway, at one instant.
-- KEYS events, state, results, tabs, cards...
-- ARGV after ('' = only the end of the stream), most events, mark of tabs known ('' = none yet, '-'
-- = unknown), users waiting for results...
-- Returns {public, private of each cards key, {epoch, users}, results, tabs if they changed}
-- One script, so that public events, private events, seats and results belong together.
local after, most, known = ARGV[1], ARGV[2], ARGV[3]
local function tail(key)
  if after == '' then return mended('XREVRANGE', key, '+', '-', 'COUNT', 1) end
  return mended('XRANGE', key, '(' .. after, '+', 'COUNT', most)
end
local results, tabs, private = {}, false, {}
if #ARGV > 3 then results = mended('HMGET', KEYS[3], unpack(ARGV, 4)) end
if (mended('HGET', KEYS[4], 'mark') or '') ~= known then
  tabs = redis.call('HGETALL', KEYS[4])
end
for n = 5, #KEYS do private[n - 4] = tail(KEYS[n]) end
-- A state of another type has no epoch and no seats until its table is rebuilt.
local seats = redis.pcall('HMGET', KEYS[2], 'epoch', 'users')
if seats.err then seats = {false, false} end
return {tail(KEYS[1]), private, seats, results, tabs}
