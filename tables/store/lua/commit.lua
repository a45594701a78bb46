-- Store one step of a table completely, or nothing when its epoch or version has changed.
-- KEYS state, inbox, wakes, events, results, cards...
-- ARGV epoch, version, member, state, users, drained, due ('' = none), desk, events kept, key
-- lifetime s, command wake ms, rings so far, users awaited for a cut (',12,15,' or ''), deal ms,
-- count of public, (id, json)..., count of results, (user, json)..., count of private, (index of
-- cards key, id, json)...
-- Returns 1, or 0 when another writer was first
local fields = redis.pcall('HMGET', KEYS[1], 'epoch', 'version')
if fields[1] ~= ARGV[1] or fields[2] ~= ARGV[2] then return 0 end
-- 2. Store the next state and raise the version, so that a second step from the same load fails.
--    At least the time: a Redis that was set back never comes to a version that a step was loaded
--    at before.
local kept, lifetime = ARGV[9], tonumber(ARGV[10])
redis.call('HSET', KEYS[1], 'version', math.max(tonumber(ARGV[2]) + 1, now_ms()), 'state', ARGV[4],
           'users', ARGV[5], 'desk', ARGV[8], 'rings', ARGV[12])
if ARGV[13] == '' then
  redis.call('HDEL', KEYS[1], 'awaits')
else
  redis.call('HSET', KEYS[1], 'awaits', ARGV[13], 'deal_ms', ARGV[14])
end
-- 3. Drop the commands that the step obeyed; commands that arrived meanwhile stay in the inbox.
if tonumber(ARGV[6]) > 0 then redis.call('LTRIM', KEYS[2], ARGV[6], -1) end
-- 4. Append public events, results by user, and private events under the ids of the public ones.
local at, told = 15, tonumber(ARGV[15])
for n = 1, told do
  mended('XADD', KEYS[4], 'MAXLEN', '~', kept, ARGV[at + 1], 'e', ARGV[at + 2])
  at = at + 2
end
at = at + 1
local answered = tonumber(ARGV[at])
for n = 1, answered do
  mended('HSET', KEYS[5], ARGV[at + 2 * n - 1], ARGV[at + 2 * n])
end
at = at + 2 * answered + 1
for n = 1, tonumber(ARGV[at]) do
  local key = KEYS[5 + tonumber(ARGV[at + 3 * n - 2])]
  mended('XADD', key, 'MAXLEN', '~', kept, ARGV[at + 3 * n - 1], 'e', ARGV[at + 3 * n])
  redis.call('EXPIRE', key, lifetime)
end
-- 5. A closed table (no due time) leaves the due-time set and expires.
if ARGV[7] == '' then
  redis.call('ZREM', KEYS[3], ARGV[3])
  redis.call('DEL', KEYS[2])
  for n = 1, #KEYS do
    if n ~= 3 then redis.call('EXPIRE', KEYS[n], lifetime) end
  end
else
  -- 6. An open table gets its next wake, sooner when commands are waiting: their bell may be lost.
  local due = tonumber(ARGV[7])
  if redis.call('LLEN', KEYS[2]) > 0 then
    due = math.min(due, now_ms() + tonumber(ARGV[11]))
  end
  redis.call('ZADD', KEYS[3], due, ARGV[3])
end
-- 7. Hint the gateways only when there is something new to read.
if told > 0 or answered > 0 then hint(ARGV[3]) end
return 1
