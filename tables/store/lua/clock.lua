-- The room's clock in ms since the epoch; the only place where a script asks for the time.
local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
