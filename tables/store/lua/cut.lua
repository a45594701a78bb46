-- Append cuts of players to the inbox of a table, which obeys them with its next step; the last seed
-- that a granted hand awaits moves its wake forward.
-- KEYS state, inbox, wakes
-- ARGV member, commands kept at most, cuts of one user at most, wake lease ms, then for each cut:
-- user, cut, 1 if it opens a seed
-- Returns {ring, then for each cut: 0 no table | 1 not seated | 2 full | 3 accepted}
local fields = redis.call('HMGET', KEYS[1], 'users', 'awaits', 'deal_ms')
local inbox, answer, awaited, is_opened = read_inbox(), {0}, fields[2], false
for at = 5, #ARGV, 3 do
  -- 1. Accept it. No bell and no earlier wake: the step that deals, or any before it, reads the cut.
  local outcome = accept(inbox, fields[1], ARGV[at], ARGV[at + 1], ARGV[2], ARGV[3])
  answer[#answer + 1] = outcome
  if outcome == 3 and awaited and ARGV[at + 2] == '1' then
    -- 2. Take the user from those who are awaited. Whoever is not among them changes nothing.
    local from, to = string.find(awaited, ',' .. ARGV[at] .. ',', 1, true)
    if from then
      awaited, is_opened = string.sub(awaited, 1, from) .. string.sub(awaited, to + 1), true
    end
  end
end
store_inbox(inbox)
if not is_opened then return answer end
redis.call('HSET', KEYS[1], 'awaits', awaited)
if awaited ~= ',' then return answer end
-- 3. The last seed is here: deal at the end of the pause. A pause that is over is rung for at once,
--    with the wake leased, so that no timer rings a second time.
local deal = tonumber(fields[3])
if deal > inbox.now then
  redis.call('ZADD', KEYS[3], deal, ARGV[1])
  return answer
end
redis.call('ZADD', KEYS[3], inbox.now + tonumber(ARGV[4]), ARGV[1])
answer[1] = 1
return answer
