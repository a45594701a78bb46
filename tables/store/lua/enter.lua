-- Give a web process one more socket of a user or address, unless the whole room has enough.
-- KEYS places of that user or address (web process -> its sockets), web processes
-- ARGV name of the web process, the most there may be, now (ms), ms after which silence is death,
--      ms that the places are kept after the last one was taken
-- Returns 1, or 0 when there are enough.
local all, total = redis.call('HGETALL', KEYS[1]), 0
for n = 1, #all, 2 do
  -- Who is silent is passed over, not deleted: he may only have been slow.
  local heard = redis.call('HGET', KEYS[2], all[n])
  if all[n] == ARGV[1] or (heard and ARGV[3] - heard <= tonumber(ARGV[4])) then
    total = total + all[n + 1]
  end
end
if total >= tonumber(ARGV[2]) then
  return 0
end
redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1
