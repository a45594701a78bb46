-- Note that a socket plays for its user no longer, unless another one does by now.
-- KEYS tabs
-- ARGV user, token of the socket, a new mark, channel of hints, name of the table
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then
  redis.call('HDEL', KEYS[1], ARGV[1])
  redis.call('HSET', KEYS[1], 'mark', ARGV[3])
  redis.call('PUBLISH', ARGV[4], ARGV[5])
end
