-- Note that a socket plays for its user no longer, unless another one does by now.
-- KEYS tabs
-- ARGV user, token of the socket, channel of hints, name of the table
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then
  redis.call('HDEL', KEYS[1], ARGV[1])
  redis.call('HINCRBY', KEYS[1], 'changes', 1)
  redis.call('PUBLISH', ARGV[3], ARGV[4])
end
