-- Read a table for those who look on: its epoch, version and state.
-- KEYS state, run
-- Returns the three, the error of a key of another type in their place, or nothing when another run was
-- adopted: what this one holds may be older than what was told. A Redis that was emptied has no run.
local adopted = redis.call('GET', KEYS[2])
if adopted and adopted ~= run_id() then return {} end
return {redis.pcall('HMGET', KEYS[1], 'epoch', 'version', 'state')}
