-- Store a command in the inbox of a table with its arrival time; the first steps of each script that
-- appends: its first keys are state, inbox and wakes. `users` is the state's field of that name,
-- `kept` the most commands of all users, `own_kept` those of one.
-- Returns the arrival in ms; or nil and 0 no table | 1 not seated | 2 full.
local function stored(users, user, command, kept, own_kept)
  if not users then return nil, 0 end
  if not string.find(users, '"' .. user .. '":', 1, true) then return nil, 1 end
  -- 1. Refuse when the inbox is full, or when one user fills more than that user's share of it.
  local waiting = mended('LRANGE', KEYS[2], 0, -1)
  local own, mark = 0, user .. ' '
  for _, item in ipairs(waiting) do
    if string.sub(item, 1, #mark) == mark then own = own + 1 end
  end
  if #waiting >= tonumber(kept) or own >= tonumber(own_kept) then return nil, 2 end
  -- 2. Deadlines and the deal compare with this stamp, so a slow worker costs no player the turn.
  local now = now_ms()
  redis.call('RPUSH', KEYS[2], mark .. string.format('%.0f', now) .. ' ' .. command)
  return now
end
