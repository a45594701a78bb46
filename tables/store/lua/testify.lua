-- Compare what a web process told of tables with what this run of Redis holds, and note the finding.
-- KEYS witnesses, run, for each table: events, state
-- ARGV name of the process, lifetime of the notes ms, for each table: epoch, number of the last event told
-- Returns the numbers, from 1, of the tables of which more was told than Redis holds
local lost = {}
for n = 1, (#ARGV - 2) / 2 do
  local told_epoch, told = tonumber(ARGV[2 * n + 1]), tonumber(ARGV[2 * n + 2])
  local epoch = redis.pcall('HGET', KEYS[2 * n + 2], 'epoch')
  -- 1. A newer epoch voided what was told; a damaged or missing table is rebuilt in any case.
  if type(epoch) == 'string' and tonumber(epoch) and tonumber(epoch) <= told_epoch then
    local head = redis.pcall('XREVRANGE', KEYS[2 * n + 1], '+', '-', 'COUNT', 1)[1]
    local at, number = string.match(head and head[1] or '0-0', '(%d+)-(%d+)')
    at, number = tonumber(at), tonumber(number)
    -- 2. More was told than Redis holds: it came back without its newest data.
    if at < told_epoch or (at == told_epoch and number < told) then lost[#lost + 1] = n end
  end
end
-- 3. Note the finding for the worker that adopts. A loss closes the shard at once, even when it was
--    believed before: nothing is played from here until all its hands are void.
mended('HSET', KEYS[1], ARGV[1], run_id() .. (#lost > 0 and ' lost' or ' whole'))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
if #lost > 0 then redis.call('SET', KEYS[2], 'none') end
return lost
