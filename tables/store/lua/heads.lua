-- Which of many followed streams differ from what a gateway knows of them.
-- KEYS for each stream: events, state, tabs
-- ARGV for each stream: last id read, epoch known ('' = no table), mark of tabs known ('' = none)
-- Returns the numbers, from 1, of the streams that must be read.
local differing = {}
for n = 1, #ARGV / 3 do
  local events, state, tabs = KEYS[3 * n - 2], KEYS[3 * n - 1], KEYS[3 * n]
  local head = redis.call('XREVRANGE', events, '+', '-', 'COUNT', 1)[1]
  local differs = head and head[1] ~= ARGV[3 * n - 2]
  if not differs and ARGV[3 * n - 1] ~= '' then
    local epoch = redis.call('HGET', state, 'epoch')
    differs = epoch and epoch ~= ARGV[3 * n - 1]
  end
  differs = differs or (redis.call('HGET', tabs, 'mark') or '') ~= ARGV[3 * n]
  if differs then differing[#differing + 1] = n end
end
return differing
