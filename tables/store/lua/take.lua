-- Take tables with waiting commands from a ready list; keep its bell silent while some remain.
-- KEYS ready list, bell of the queue   ARGV most
-- Returns {first remaining member or '', member...}
local taken = redis.call('LPOP', KEYS[1], ARGV[1]) or {}
local stays = redis.call('LINDEX', KEYS[1], 0)
-- A remaining member is rung for by the caller: renew the time of the bell, so that append.lua does
-- not ring for the same list. An empty list rings at the next command.
if stays then
  redis.call('SET', KEYS[2], string.format('%.0f', now_ms()))
else
  redis.call('DEL', KEYS[2])
end
return {stays or '', unpack(taken)}
