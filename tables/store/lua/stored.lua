-- Store commands in the inbox of a table with their arrival time; the first steps of each script that
-- appends: its first keys are state, inbox and wakes.

-- Return the inbox as it is now: the `items` that wait, those of them that are `fresh`, and the time.
local function read_inbox()
  return {now = now_ms(), items = mended('LRANGE', KEYS[2], 0, -1), fresh = {}}
end

-- Add a command to an inbox that was read. `users` is the state's field of that name, `kept` the most
-- commands of all users, `own_kept` those of one.
-- Returns 0 no table | 1 not seated | 2 full | 3 accepted.
local function accept(inbox, users, user, command, kept, own_kept)
  if not users then return 0 end
  if not string.find(users, '"' .. user .. '":', 1, true) then return 1 end
  -- 1. Refuse when the inbox is full, or when one user fills more than that user's share of it.
  local own, mark = 0, user .. ' '
  for _, item in ipairs(inbox.items) do
    if string.sub(item, 1, #mark) == mark then own = own + 1 end
  end
  if #inbox.items >= tonumber(kept) or own >= tonumber(own_kept) then return 2 end
  -- 2. Deadlines and the deal compare with this stamp, so a slow worker costs no player the turn.
  local item = mark .. string.format('%.0f', inbox.now) .. ' ' .. command
  inbox.items[#inbox.items + 1], inbox.fresh[#inbox.fresh + 1] = item, item
  return 3
end

-- Store what is fresh: one write, also for the cuts of a whole table.
local function store_inbox(inbox)
  if #inbox.fresh > 0 then redis.call('RPUSH', KEYS[2], unpack(inbox.fresh)) end
end
