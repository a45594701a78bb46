-- Take tables that have commands waiting; as long as some stay, their queue's bell is not rung anew.
-- KEYS ready, bell of the queue   ARGV most
-- Returns {the first that stays or '', member...}
local taken = redis.call('LPOP', KEYS[1], ARGV[1]) or {}
local stays = redis.call('LINDEX', KEYS[1], 0)
if stays then
  redis.call('SET', KEYS[2], string.format('%.0f', now_ms()))
else
  redis.call('DEL', KEYS[2])
end
return {stays or '', unpack(taken)}
