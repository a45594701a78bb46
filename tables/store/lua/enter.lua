-- Count one more socket of a user or address in a web process, within a limit for all processes.
-- KEYS sockets of that user or address (web process -> count), web processes
-- ARGV name of the web process, most sockets, now (ms), silence after which a process is dead (ms),
-- lifetime of the count after the last socket entered (ms)
-- Returns 1, or 0 when the limit is reached
local all, total = redis.call('HGETALL', KEYS[1]), 0
for n = 1, #all, 2 do
  -- Skip a silent process but keep its count: the process may be slow, not dead.
  local heard = redis.call('HGET', KEYS[2], all[n])
  if all[n] == ARGV[1] or (heard and ARGV[3] - heard <= tonumber(ARGV[4])) then
    total = total + all[n + 1]
  end
end
-- 2. Compare before counting, in one script: two processes cannot both take the last place.
if total >= tonumber(ARGV[2]) then
  return 0
end
-- 3. Count the socket. The lifetime clears counts of processes that died with sockets open.
redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1
