-- Run of Redis that answers: a restarted, a promoted and any other server has another one.
local function run_id()
  return string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') or ''
end
