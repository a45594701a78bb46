-- Clock of the room in ms since 1970, by the time of Redis; the only function that reads the time.
local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
