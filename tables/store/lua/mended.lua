-- Call a command of one key; a key that holds another type is deleted first. Only for keys that the
-- room can do without: such damage must not stop their table.
local function mended(command, key, ...)
  local reply = redis.pcall(command, key, ...)
  if type(reply) ~= 'table' or not reply.err then return reply end
  if string.find(reply.err, 'WRONGTYPE', 1, true) then redis.call('DEL', key) end
  return redis.call(command, key, ...)
end
