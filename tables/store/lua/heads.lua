-- Return which of many followed streams differ from the state that a gateway knows.
-- KEYS for each table: events, state, tabs; then for each other stream: events
-- ARGV: number of tables; for each table: last id read, epoch known ('' = none), mark of tabs
--   known ('' = none); then for each other stream: last id read
-- Returns the numbers, from 1, of the streams to read
local tables = tonumber(ARGV[1])
local differing = {}

-- A newer last event: the hint for it was lost.
-- A key of another type has no head; it holds up no other stream.
local function is_behind(events, last)
  local head = redis.pcall('XREVRANGE', events, '+', '-', 'COUNT', 1)[1]
  return head and head[1] ~= last
end

for n = 1, tables do
  local events, state, tabs = KEYS[3 * n - 2], KEYS[3 * n - 1], KEYS[3 * n]
  local last, known, mark = ARGV[3 * n - 1], ARGV[3 * n], ARGV[3 * n + 1]
  local differs = is_behind(events, last)
  -- 1. A newer epoch: the table was rebuilt, perhaps without any event yet.
  if not differs and known ~= '' then
    local epoch = redis.pcall('HGET', state, 'epoch')
    differs = type(epoch) == 'string' and epoch ~= known
  end
  -- 2. Another mark of tabs: a socket took or released the table.
  differs = differs or (mended('HGET', tabs, 'mark') or '') ~= mark
  if differs then differing[#differing + 1] = n end
end
for n = 1, #KEYS - 3 * tables do
  if is_behind(KEYS[3 * tables + n], ARGV[3 * tables + 1 + n]) then
    differing[#differing + 1] = tables + n
  end
end
return differing
