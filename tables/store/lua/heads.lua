-- Return which of many followed streams differ from the state that a gateway knows.
-- KEYS for each stream: events, state, tabs
-- ARGV for each stream: last id read, epoch known ('' = no table), mark of tabs known ('' = none)
-- Returns the numbers, from 1, of the streams to read
local differing = {}
for n = 1, #ARGV / 3 do
  local events, state, tabs = KEYS[3 * n - 2], KEYS[3 * n - 1], KEYS[3 * n]
  -- 1. A newer last event: the hint for it was lost.
  --    A key of another type has no head; it holds up no other stream.
  local head = redis.pcall('XREVRANGE', events, '+', '-', 'COUNT', 1)[1]
  local differs = head and head[1] ~= ARGV[3 * n - 2]
  -- 2. A newer epoch: the table was rebuilt, perhaps without any event yet.
  if not differs and ARGV[3 * n - 1] ~= '' then
    local epoch = redis.pcall('HGET', state, 'epoch')
    differs = type(epoch) == 'string' and epoch ~= ARGV[3 * n - 1]
  end
  -- 3. Another mark of tabs: a socket took or released the table.
  differs = differs or (mended('HGET', tabs, 'mark') or '') ~= ARGV[3 * n]
  if differs then differing[#differing + 1] = n end
end
return differing
