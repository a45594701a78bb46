-- Note that a socket no longer controls the seat of its user, unless another socket took it over.
-- KEYS tabs
-- ARGV user, token of the socket, new mark, name of the table
-- The comparison keeps a late release from removing the socket that took over.
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then
  redis.call('HDEL', KEYS[1], ARGV[1])
  redis.call('HSET', KEYS[1], 'mark', ARGV[3])
  hint(ARGV[4])
end
