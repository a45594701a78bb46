-- Append facts from PostgreSQL to their streams of one shard, and hint at each of these streams.
-- KEYS events of each stream
-- ARGV channel of the hints, events kept at most, seconds kept, the name of each stream, then for each
-- fact: number of its stream among the keys, its own number, its JSON object without the first brace
-- A key of another type is deleted: its stream begins anew, and holds up no other.
for _, key in ipairs(KEYS) do mended('XLEN', key) end
for i = 4 + #KEYS, #ARGV, 3 do
  local id = '0-' .. ARGV[i + 1]
  local entry = '{"id":"' .. id .. '",' .. ARGV[i + 2]
  local key = KEYS[tonumber(ARGV[i])]
  local answer = redis.pcall('XADD', key, 'MAXLEN', '~', ARGV[2], id, 'e', entry)
  local refused = type(answer) == 'table' and answer.err
  -- A number that the stream has, or a later one: the fact is published already.
  if refused and not string.find(refused, 'equal or smaller', 1, true) then return answer end
end
for n, key in ipairs(KEYS) do
  redis.call('EXPIRE', key, ARGV[3])
  redis.call('SPUBLISH', ARGV[1], ARGV[3 + n])
end
return 1
