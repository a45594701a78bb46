-- Count one socket less of a user or address in a web process.
-- KEYS sockets of that user or address (web process -> count)
-- ARGV name of the web process, 1 when the process has no such socket left
-- With 1 the count is deleted, not lowered, so that an error in it does not last.
if ARGV[2] == '1' or redis.call('HINCRBY', KEYS[1], ARGV[1], -1) <= 0 then
  redis.call('HDEL', KEYS[1], ARGV[1])
end
