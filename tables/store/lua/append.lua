-- Append a command to the inbox of a table with its arrival time; return whether to ring a bell.
-- KEYS state, inbox, wakes, ready list of the queue, bell of the queue
-- ARGV member, user, command, commands kept at most, commands of one user at most, command wake ms,
-- bell lifetime ms
-- Returns {0 no table | 1 not seated | 2 full | 3 accepted, ring}
local fields = redis.call('HMGET', KEYS[1], 'users', 'desk', 'bell')
-- 1. Store it; the inbox refuses strangers, and whoever fills it.
local inbox = read_inbox()
local outcome = accept(inbox, fields[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5])
if outcome ~= 3 then return {outcome, 0} end
store_inbox(inbox)
local now = inbox.now
-- 2. Move the wake forward. Even when every bell is lost, the command waits no longer than this.
local due = redis.call('ZSCORE', KEYS[3], ARGV[1])
local soon = now + tonumber(ARGV[6])
if due and tonumber(due) > soon then redis.call('ZADD', KEYS[3], soon, ARGV[1]) end
-- 3. A table at another queue (settle, tournament) rings the play queue for every command: its bell
--    and rings fields belong to the other queue.
if fields[2] ~= 'play' then return {3, 1} end
-- 4. Ring nothing while the last bell of this table is younger than its lifetime: load.lua has not
--    cleared it yet, so a worker is about to read this command too.
if fields[3] and tonumber(fields[3]) > now - tonumber(ARGV[7]) then return {3, 0} end
redis.call('HSET', KEYS[1], 'bell', string.format('%.0f', now))
-- 5. `rings` above 1 means an earlier bell of this table was not answered: ring for this table
--    alone, beside the ready list.
if redis.call('HINCRBY', KEYS[1], 'rings', 1) > 1 then return {3, 1} end
-- 6. Join the ready list. One bell answers for all tables of the list, so only the first table of
--    an unanswered list rings.
redis.call('RPUSH', KEYS[4], ARGV[1])
local rung = tonumber(redis.call('GET', KEYS[5]) or 0)
if rung > now - tonumber(ARGV[7]) then return {3, 0} end
redis.call('SET', KEYS[5], string.format('%.0f', now))
return {3, 1}
