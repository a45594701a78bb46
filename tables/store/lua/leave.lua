-- Take a socket of a user or address away from a web process.
-- KEYS places of that user or address (web process -> its sockets)
-- ARGV name of the web process, 1 when it has none of them left
if ARGV[2] == '1' or redis.call('HINCRBY', KEYS[1], ARGV[1], -1) <= 0 then
  redis.call('HDEL', KEYS[1], ARGV[1])
end
